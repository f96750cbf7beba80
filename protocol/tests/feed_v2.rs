//! Feed version 2: a snapshot and the changes after it are the view they were made from, on a table's page and on the
//! wall. Frozen: no literal here changes.

use proptest::prelude::*;
use protocol::{
    board::Link,
    feed::{
        ClockView, Clocks, GameResult, HallView, Player, Score, Side, State, TableId, TableView,
        v2::{Body, Change, Extent, Message, Page, Snapshot, Table, Trouble, VERSION},
    },
};

/// The frame of one move must fit, with its header, for whoever follows one table.
const BYTES_A_MOVE: usize = 200;

#[test]
fn a_move_is_its_ply_its_word_its_squares_and_the_movers_clock() {
    let before = halfway();
    let change =
        Change::between(Some(&before), &after_the_move(&before), Extent::WholeLine).expect("a move is a change");
    let message =
        Message { seq: 1_031, now: 14_395_250, notice: None, troubles: Vec::new(), body: Body::Changes(vec![change]) };
    let json = serde_json::to_string(&message).expect("plain data");
    assert_eq!(
        json,
        r#"{"seq":1031,"now":14395250,"changes":[{"ply":31,"san":["Nxf3+"],"squares":"f3ng1-","turn":"white","rest":"KQkq - 0 16","last":"g1f3","clock":{"black_ms":5395000,"running":"white","at":14395000}}]}"#
    );
    assert!(json.len() + 4 <= BYTES_A_MOVE, "{} bytes", json.len() + 4);
}

#[test]
fn what_is_wrong_with_the_record_is_said_in_no_language_too() {
    let troubles = vec![
        Trouble::NotRecorded { since: 1_795_750_000_000 },
        Trouble::HallDamaged,
        Trouble::RoundDamaged { event: "open".to_owned(), round: 3 },
        Trouble::FallenBehind,
    ];
    let message = Message { seq: 7, now: 9, notice: Some("It is so.".to_owned()), troubles, body: Body::Beat(()) };
    assert_eq!(
        serde_json::to_string(&message).expect("plain data"),
        r#"{"seq":7,"now":9,"notice":"It is so.","troubles":[{"kind":"not_recorded","since":1795750000000},{"kind":"hall_damaged"},{"kind":"round_damaged","event":"open","round":3},{"kind":"fallen_behind"}],"beat":null}"#
    );
}

#[test]
fn a_snapshot_carries_what_its_page_needs() {
    let tables = vec![halfway(), TableView::new("open/3/2".parse().expect("a table"))];
    let hall = HallView { tables, ..HallView::default() };
    let own = Page::Table(hall.tables[0].table.clone());
    let page = Snapshot::of("9f86", &own, &hall);
    assert_eq!((page.v, page.tables.len()), (VERSION, 1));
    assert_eq!((page.tables[0].ply, page.tables[0].san.len()), (1, 30));
    assert!(page.tables[0].start.is_some());

    let wall = Snapshot::of("9f86", &Page::Wall, &hall);
    assert_eq!(wall.tables.len(), 2);
    assert_eq!((wall.tables[0].ply, wall.tables[0].san.len()), (30, 1));
    assert_eq!((wall.tables[1].ply, wall.tables[1].san.len()), (1, 0));
    assert!(wall.tables.iter().all(|table| table.start.is_none()));
}

#[test]
fn what_was_final_and_is_not_any_more_is_told_as_a_correction() {
    let before = halfway();
    let mut after = before.clone();
    after.line.truncate(28);
    after.settled = 28;
    let change = Change::between(Some(&before), &after, Extent::WholeLine).expect("a change");
    assert_eq!((change.ply, change.san.len(), change.corrected), (Some(29), 0, true));

    let mut guessed = before.clone();
    guessed.settled = 29;
    let mut other = guessed.clone();
    other.line.truncate(29);
    other.line.push("Ng5");
    let change = Change::between(Some(&guessed), &other, Extent::WholeLine).expect("a change");
    assert_eq!((change.ply, change.corrected), (Some(30), false), "what was only seen may be replaced in silence");
}

#[test]
fn nothing_is_told_of_what_did_not_change() {
    assert_eq!(Change::between(Some(&halfway()), &halfway(), Extent::WholeLine), None);
}

#[test]
fn a_clock_that_is_gone_is_null_and_not_silence() {
    let mut after = halfway();
    after.clock = None;
    let change = Change::between(Some(&halfway()), &after, Extent::WholeLine).expect("a change");
    let json = serde_json::to_string(&change).expect("plain data");
    assert_eq!(json, r#"{"clock":null}"#);
    assert_eq!(serde_json::from_str::<Change>(&json).expect("it reads back"), change);
}

#[test]
fn that_a_game_is_adjourned_is_one_word_and_so_is_that_it_goes_on() {
    let adjourned = TableView { adjourned: true, ..halfway() };
    for (before, after, json) in
        [(halfway(), &adjourned, r#"{"adjourned":true}"#), (adjourned.clone(), &halfway(), r#"{"adjourned":false}"#)]
    {
        let change = Change::between(Some(&before), after, Extent::WholeLine).expect("a change");
        assert_eq!(serde_json::to_string(&change).expect("plain data"), json);
    }
}

#[test]
fn the_times_of_an_adjourned_game_come_with_it_and_go_with_null() {
    let clocks = Clocks { white: 5_340_000, black: 3_120_000 };
    let adjourned = TableView { adjourned: true, adjourned_ms: Some(clocks), ..halfway() };
    for (before, after, told) in [
        (halfway(), &adjourned, r#"{"adjourned":true,"adjourned_ms":{"white":5340000,"black":3120000}}"#),
        (adjourned.clone(), &halfway(), r#"{"adjourned":false,"adjourned_ms":null}"#),
    ] {
        let change = Change::between(Some(&before), after, Extent::WholeLine).expect("a change");
        assert_eq!(serde_json::to_string(&change).expect("plain data"), told);
        assert_eq!(serde_json::from_str::<Change>(told).expect("it reads back"), change);
    }
}

#[test]
fn a_score_comes_where_the_result_does_not_say_it_and_goes_with_null() {
    let given = |result, score| TableView { result, score, ..halfway() };
    let (forfeit, played) =
        (given(GameResult::BlackWins, Some(Score::BlackByForfeit)), given(GameResult::BlackWins, None));
    for (before, after, told) in [
        (halfway(), given(GameResult::Open, Some(Score::BothLost)), r#"{"score":"0-0"}"#),
        (halfway(), forfeit.clone(), r#"{"result":"0-1","score":"-/+"}"#),
        (forfeit, played, r#"{"score":null}"#),
    ] {
        let change = Change::between(Some(&before), &after, Extent::WholeLine).expect("a change");
        assert_eq!(serde_json::to_string(&change).expect("plain data"), told);
        assert_eq!(serde_json::from_str::<Change>(told).expect("it reads back"), change);
    }
}

proptest! {
    #[test]
    fn a_snapshot_and_the_changes_after_it_are_the_view(views in prop::collection::vec(any_view(), 2..8)) {
        let mut table = Table::of(&views[0], Extent::WholeLine);
        let mut wall = Table::of(&views[0], Extent::LastMove);
        for pair in views.windows(2) {
            for (page, extent) in [(&mut table, Extent::WholeLine), (&mut wall, Extent::LastMove)] {
                let Some(change) = Change::between(Some(&pair[0]), &pair[1], extent) else { continue };
                let sent = serde_json::to_string(&change).expect("plain data");
                page.apply(&serde_json::from_str(&sent).expect("it reads back"));
            }
            prop_assert_eq!(&table, &Table::of(&pair[1], Extent::WholeLine));
            let shown = Table::of(&pair[1], Extent::LastMove);
            prop_assert_eq!(wall.ply + wall.san.len(), shown.ply + shown.san.len());
            prop_assert_eq!(wall.san.last(), shown.san.last());
            let rest = |table: &Table| Table { ply: 0, san: vec![], ..table.clone() };
            prop_assert_eq!(rest(&wall), rest(&shown));
        }
    }

    #[test]
    fn a_table_that_appears_is_told_whole(view in any_view()) {
        let change = Change::between(None, &view, Extent::WholeLine).expect("a table is news");
        let mut table = Table::of(&TableView::new(view.table.clone()), Extent::WholeLine);
        // Whatever a page takes for granted of a table it has not heard of, it is told otherwise.
        table.placement = "8/8/8/8/8/8/8/8".to_owned();
        table.turn = Side::Black;
        table.apply(&change);
        prop_assert_eq!(table, Table::of(&view, Extent::WholeLine));
    }
}

/// The schema is generated from the types. After a change: `UPDATE_SCHEMAS=1 cargo test -p protocol --all-features`.
#[cfg(feature = "schema")]
#[test]
fn the_schema_says_what_the_types_say() {
    let path = format!("{}/schema/feed-v2.json", env!("CARGO_MANIFEST_DIR"));
    let text = serde_json::to_string_pretty(&schemars::schema_for!(Message)).expect("schemas are plain data") + "\n";
    if std::env::var_os("UPDATE_SCHEMAS").is_some() {
        std::fs::write(&path, &text).expect("the schema folder can be written");
    }
    assert_eq!(std::fs::read_to_string(&path).unwrap_or_default(), text, "feed-v2.json and the types differ");
}

fn halfway() -> TableView {
    let table: TableId = "open/3/12".parse().expect("a table");
    TableView {
        game: 1,
        state: State::Playing,
        white: Some(Player {
            name: "Polgár, Judit".into(),
            title: Some("GM".into()),
            rating: Some(2675),
            ..Player::default()
        }),
        line: std::iter::repeat_n("Nf3", 30).collect(),
        settled: 30,
        placement: "r1bqkb1r/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKBnR".into(),
        turn: Side::Black,
        last: Some("b8c6".into()),
        clock: Some(ClockView { white_ms: 5_390_000, black_ms: 5_400_000, running: Some(Side::Black), at: 14_390_000 }),
        link: Some(Link::Up),
        ..TableView::new(table)
    }
}

fn after_the_move(before: &TableView) -> TableView {
    let mut after = before.clone();
    after.line.push("Nxf3+");
    after.settled = 31;
    after.placement = "r1bqkb1r/pppp1ppp/2n5/4p3/4P3/5n2/PPPP1PPP/RNBQKB1R".into();
    after.turn = Side::White;
    after.rest = "KQkq - 0 16".into();
    after.last = Some("g1f3".into());
    after.check = true;
    after.clock =
        Some(ClockView { white_ms: 5_390_000, black_ms: 5_395_000, running: Some(Side::White), at: 14_395_000 });
    after
}

/// Views of one table, near enough to each other that lines share their beginnings.
fn any_view() -> impl Strategy<Value = TableView> {
    let placements = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR",
        "8/8/8/8/8/8/8/4K2R",
        "8/8/8/8/8/8/8/5RK1",
    ];
    let side = prop_oneof![Just(Side::White), Just(Side::Black)];
    let clock = (0u64..3, 0u64..3, prop::option::of(side.clone()), 0u64..3)
        .prop_map(|(white_ms, black_ms, running, at)| ClockView { white_ms, black_ms, running, at });
    let line = prop::collection::vec(prop_oneof![4 => Just("e4".to_owned()), 1 => Just("d4".to_owned())], 0..6);
    let player = prop_oneof![Just("A"), Just("B")].prop_map(|name| Player { name: name.into(), ..Player::default() });
    let rest = (1u32..3, prop::option::of(player), prop::option::of(Just("e2e4".to_owned())), any::<bool>());
    let board = (prop::sample::select(placements.to_vec()), side, prop::option::of(clock), any::<bool>());
    (line, 0usize..6, board, rest).prop_map(
        |(line, settled, (placement, turn, clock, held), (game, white, last, check))| TableView {
            game,
            white,
            settled: settled.min(line.len()),
            line: line.into_iter().collect(),
            placement: placement.to_owned(),
            turn,
            rest: format!("KQkq - 0 {game}"),
            last,
            check,
            clock,
            held,
            link: held.then_some(Link::Down),
            result: if check { GameResult::Draw } else { GameResult::Open },
            score: (held && !check).then_some(Score::BothLost),
            ..TableView::new("open/3/1".parse().expect("a table"))
        },
    )
}
