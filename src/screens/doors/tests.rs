//! The table of doors, tried row by row.

use protocol::{
    board::Link,
    feed::{
        Alert, AlertKind, Command, Correction, Entry, Event, GameResult, Line, Penalty, Player, Proposal, ResultReason,
        Side, Sight, Staff, State, TableEvent, TouchKind, Variant,
    },
};

use super::{
    super::asker::{Badge, Role, Shown},
    hearing::for_hall,
    *,
};

#[test]
fn every_address_opens_to_those_it_is_for_and_to_nobody_else() {
    use Listener::{Lan, LanPlain, Loopback, Public};
    let known = |listener, role| Asker::Known(listener, role, None);
    let askers = [
        Asker::Spectator,
        Asker::Stranger(Lan),
        known(Loopback, Role::Hall),
        known(LanPlain, Role::Hall),
        known(Lan, Role::Arbiter),
        known(Lan, Role::Operator),
    ];
    assert_eq!(askers.iter().map(Asker::listener).collect::<Vec<_>>(), [Public, Lan, Loopback, LanPlain, Lan, Lan]);
    // An address, and for a spectator, a stranger, the hall here and in the clear, the arbiter and the operator: open,
    // shut for the unknown, shut for others, or not there at all.
    let expected = "
        Schema   open open open open open open
        Health   open open open open open open
        Readiness - - open - - -
        Metrics   - - open - - -
        Feed     open ?    open open open open
        Snapshot open ?    open open open open
        Games    open ?    open open open open
        Cloud    open - - - - -
        Diagrams open ?    open open open open
        Command  -    ?    x    -    open open
        Pairings -    ?    x    -    open open
        Boards   -    ?    x    -    open open
        Rounds   -    ?    x    -    open open
        Voices   -    ?    x    -    open open
        Words    open ?    open open open open
        Timelines -   ?    x    -    open open
        Mates    -    ?    x    -    open open
        Reports  -    ?    x    -    open open
        Sheets   -    ?    x    -    open open
        Clocks   -    ?    x    -    open open
        Envelopes - ? x - open open
        Enter    -    open open open open open
        Leave    -    open open open open open
        List     -    ?    x    -    x    open
        Invite   -    ?    x    -    x    open
        Revoke   -    ?    x    -    x    open
        Targets  -    ?    x    -    x    open
        Target   -    ?    x    -    x    open
        Pages    open open open open open open
    ";
    let rows = Route::ALL.map(|route| {
        let doors = askers.iter().map(|asker| match open(route, asker) {
            Ok(_) => "open",
            Err(Shut::NotHere) => "-",
            Err(Shut::Unknown) => "?",
            Err(Shut::NotTheirs) => "x",
        });
        format!("{route:?} {}", doors.collect::<Vec<_>>().join(" "))
    });
    let expected: Vec<String> =
        expected.trim().lines().map(|row| row.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    assert_eq!(rows.to_vec(), expected);
}

#[test]
fn whoever_asks_gets_what_is_made_for_them() {
    for listener in Listener::ALL {
        for role in [Role::Hall, Role::Arbiter, Role::Operator] {
            let shown = Shown::Pass(Badge { pass: 1, role, name: String::new() });
            let Ok(asker) = Asker::of(listener, shown) else { continue };
            let door = open(Route::Feed, &asker).expect("everybody who is known may follow");
            assert_eq!(Some(door.audience()), asker.audience(), "{asker:?}");
        }
    }
}

#[test]
fn what_spectators_can_reach_is_on_air_or_says_nothing_of_a_game() {
    for door in Door::ALL {
        let row = door.row();
        let At::Http(_, listeners) = row.at else { continue };
        if listeners.contains(&Listener::Public) {
            assert_ne!(row.timing, Timing::Live, "{door:?}");
            assert_eq!(door.audience(), Audience::Public, "{door:?}");
        }
    }
}

#[test]
fn every_address_has_a_door_and_every_door_an_address_that_leads_to_it() {
    for route in Route::ALL {
        let has_door = |door: &Door| matches!(door.row().at, At::Http(at, _) if at == route);
        assert!(Door::ALL.iter().any(has_door), "{route:?} leads nowhere");
        for path in route.paths() {
            assert_eq!(
                Route::of(
                    &path
                        .replace("{*games}", "open/3/12")
                        .replace("{*table}", "open/3/12")
                        .replace("{*report}", "open.trf")
                        .replace("{*event}", "open")
                        .replace("{*document}", "open/tournament.json")
                ),
                route,
                "{path}"
            );
        }
    }
    assert_eq!(Route::of("/table/open/3/12"), Route::Pages);
    assert_eq!(Route::of("/command/"), Route::Pages);
}

#[test]
fn every_file_that_is_published_lies_behind_a_door() {
    let state = std::path::Path::new("/state");
    let files = crate::record::Files::new(state);
    let table = protocol::feed::TableId { event: "open".into(), round: 3, table: 12 };
    for path in [files.round_path("open", 3), files.table_path(&table)] {
        let below = |door: Door| matches!(door.row().at, At::Files(folder) if path.starts_with(state.join(folder)));
        assert!(Door::ALL.into_iter().any(below), "{}", path.display());
    }
}

#[test]
fn the_security_page_shows_the_doors_there_are() {
    let page = include_str!("../../../docs/security.md");
    assert!(page.contains(&table()), "docs/security.md should hold this table:\n{}", table());
}

/// Whoever writes a program begins there.
#[test]
fn the_feeds_page_names_every_address_that_is_read_without_a_pass() {
    let page = include_str!("../../../web/feed.html");
    let is_read =
        |route: &Route| *route != Route::Pages && !route.is_posted() && open(*route, &Asker::Spectator).is_ok();
    let paths = Route::ALL.into_iter().filter(is_read).flat_map(Route::paths);
    let known = paths.map(|path| path.split_once("{*").map_or(path.trim_end_matches('/'), |(before, _)| before));
    let lost = known.filter(|path| !page.contains(path)).collect::<Vec<_>>();
    assert_eq!(lost, Vec::<&str>::new());
}

fn table() -> String {
    let row = |door: Door| {
        let row = door.row();
        let (place, listeners) = place(row.at);
        let listeners = match listeners[..] {
            [] => "this machine".to_owned(),
            _ => listeners.iter().map(|one| format!("`{one}`")).collect::<Vec<_>>().join(" "),
        };
        let when = match row.timing {
            Timing::Timeless => "–",
            Timing::Live => "live",
            Timing::OnAir => "on air",
        };
        format!("| `{place}` | {listeners} | {} | {when} | {} |\n", whom(row.whom), row.carries)
    };
    let head = "| door | listeners | for | when | carries |\n|---|---|---|---|---|\n";
    head.to_owned() + &Door::ALL.map(row).concat()
}

#[test]
fn who_is_told_what() {
    // Kind of event, and what public and hall get: nothing, a part, or all of it. Operator and arbiter get all.
    let expected = "
        seen              - all
        held              - part
        clock             - all
        link              - all
        touch             - -
        board             - -
        attended          - all
        started           all all
        paired            all all
        final             all all
        corrected         all all
        state             all all
        instants          - -
        proposal          - -
        verdict           - -
        noted             - -
        result            all all
        alert             - -
    ";
    let rows = one_of_each().into_iter().map(|(name, event)| {
        let event = TableEvent { table: None, t: 7, event };
        let told = [Open::to_public(&event), Open::to_hall(&event)]
            .map(|shown| match shown.as_ref().map(Open::event) {
                None => "-",
                Some(shown) if *shown == event => "all",
                Some(_) => "part",
            })
            .join(" ");
        format!("{name} {told}")
    });
    let expected: Vec<String> =
        expected.trim().lines().map(|row| row.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    assert_eq!(rows.collect::<Vec<_>>(), expected);
}

#[test]
fn that_a_claim_would_succeed_is_for_nobody_unless_the_arbiter_wants_to_know() {
    let event = |alert: Alert| TableEvent { table: None, t: 7, event: Entry::Alert(Box::new(alert)).into() };
    let who = |event: &TableEvent| [Staff::Operator, Staff::Arbiter].map(|staff| is_for(event, staff));
    let hint = Alert::new(AlertKind::ThreefoldAvailable);
    assert_eq!(who(&event(hint.clone())), [false, false]);
    assert_eq!(who(&event(Alert { audience: vec![Staff::Arbiter], ..hint })), [false, true]);
    assert_eq!(who(&event(Alert::new(AlertKind::FlagFall))), [true, true]);
}

#[test]
fn that_the_arbiter_was_called_is_for_the_staff() {
    let told = |state: State| {
        let event = TableEvent { table: None, t: 7, event: Entry::State { state }.into() };
        (Open::to_hall(&event).is_some(), Open::to_public(&event).is_some(), is_for(&event, Staff::Arbiter))
    };
    assert_eq!(told(State::AwaitingArbiter), (false, false, true));
    assert_eq!(told(State::Playing), (true, true, true));
    assert_eq!(told(State::Ended), (true, true, true));
}

#[test]
fn that_a_game_is_adjourned_is_for_everybody_and_its_sealed_move_is_not() {
    let told = |order: Command| {
        let event = TableEvent { table: None, t: 7, event: Entry::Noted { order: Box::new(order) }.into() };
        [Open::to_hall(&event).is_some(), Open::to_public(&event).is_some()]
    };
    assert_eq!(told(Command::Adjourn { clocks_ms: None }), [true, true]);
    assert_eq!(told(Command::OpenSealed { text: "Qe5".to_owned() }), [false, false]);
}

#[test]
fn the_hall_hears_offers_and_clocks_that_are_set_and_the_public_does_not() {
    let side = Side::White;
    let told = |order: Command| {
        let event = TableEvent { table: None, t: 7, event: Entry::Noted { order: Box::new(order) }.into() };
        [Open::to_hall(&event).is_some(), Open::to_public(&event).is_some()]
    };
    let heard = [
        Command::DrawOffer { side },
        Command::DrawAccept { side },
        Command::DrawDecline { side },
        Command::AdjustTimes { white_ms: 1, black_ms: 2 },
    ];
    assert_eq!(heard.map(told), [[true, false]; 4]);
    let penalty = |penalty| Command::Penalty { side, penalty, seconds: Some(120), note: String::new() };
    assert_eq!([Penalty::OpponentTime, Penalty::OwnTime].map(penalty).map(told), [[true, false]; 2]);
    assert_eq!(told(penalty(Penalty::Warning)), [false, false]);
    assert_eq!(told(Command::Resign { side }), [false, false], "it is over when it has a result");
}

#[test]
fn the_hall_is_told_that_a_board_is_held_and_not_which_squares() {
    let held = Sight::Held { held: true, squares: vec!["e4".into()] };
    let event = TableEvent { table: None, t: 7, event: held.into() };
    let shown = Open::to_hall(&event).expect("the hall may know that a board is held");
    assert_eq!(shown.event().event, Sight::Held { held: true, squares: vec![] }.into());
}

#[test]
fn that_a_clock_was_not_pressed_is_for_the_staff_and_for_the_hall_only_while_both_clocks_stand() {
    let marks = |at_rest| {
        let (line, turn) = (Line::from_iter(["e4"]), Side::Black);
        let (last, placement, rest) = (None, String::new(), String::new());
        let seen = Sight::Seen { line, settled: 0, placement, turn, rest, last, check: false, off_clock: 1, at_rest };
        match for_hall(&seen.into()) {
            Some(Event::Sight(Sight::Seen { off_clock, .. })) => off_clock,
            other => panic!("the hall sees {other:?}"),
        }
    };
    assert_eq!([marks(true), marks(false)], [1, 0]);
}

/// One event of each kind; the compiler does not let a kind be forgotten in `is_public` and `for_hall`.
pub(in crate::screens) fn one_of_each() -> Vec<(&'static str, Event)> {
    let side = Side::White;
    let line = Line::from_iter(["e4"]);
    let placement = "8/8/8/8/8/8/8/8".to_owned();
    vec![
        (
            "seen",
            Sight::Seen {
                line,
                settled: 0,
                placement: placement.clone(),
                turn: side,
                rest: "- - 0 1".into(),
                last: None,
                check: false,
                off_clock: 0,
                at_rest: false,
            }
            .into(),
        ),
        ("held", Sight::Held { held: true, squares: vec!["e4".into()] }.into()),
        ("clock", Sight::Clock { white_ms: 1, black_ms: 2, running: None }.into()),
        ("link", Sight::Link { board: "7".into(), state: Link::Up }.into()),
        ("touch", Sight::Touch { side, sq: "e2".into(), piece: "P".into(), held_ms: 1, kind: TouchKind::Touch }.into()),
        ("board", Sight::Board { placement, squares: vec!["e4".into()] }.into()),
        ("attended", Sight::Attended { attended: true }.into()),
        ("started", Entry::Started { game: 1, fen: String::new(), variant: Variant::Standard }.into()),
        ("paired", Entry::Paired { white: Player::default(), black: Player::default(), time_control: None }.into()),
        ("final", a_final(1).into()),
        ("corrected", Entry::Corrected { from_ply: 1, old: vec![], new: vec![], reason: Correction::Arbiter }.into()),
        ("state", Entry::State { state: State::Playing }.into()),
        ("instants", Entry::Instants { ply: 1, touched: None, placed: None, pressed: None, settled: 7 }.into()),
        ("proposal", Entry::Proposal(Proposal::default()).into()),
        (
            "verdict",
            Entry::Verdict { ply: 1, side, can_mate: Some(false), line: vec![], proof: Some("walls".into()) }.into(),
        ),
        ("noted", Entry::Noted { order: Box::new(Command::Stop) }.into()),
        ("result", Entry::Result { result: GameResult::Draw, reason: ResultReason::Arbiter, score: None }.into()),
        ("alert", an_alert().into()),
    ]
}

pub(in crate::screens) fn a_final(ply: usize) -> Entry {
    let (san, uci, fen) = ("e4".into(), "e2e4".into(), "8/8/8/8/8/8/8/8 b - - 0 1".into());
    Entry::Final { ply, san, uci, fen, clock_ms: None, inferred: false, illegal: false }
}

pub(in crate::screens) fn an_alert() -> Entry {
    Entry::Alert(Box::new(Alert::new(AlertKind::Checkmate)))
}
