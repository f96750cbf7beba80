//! Alerts beside what looks nearly the same and is none: links, batteries, ends of games, what nobody may be told.

use hall::StoredRecord;
use protocol::{
    board::{ClockReading, ClockSense, Face, FaceReading, Lie, Link, Observation},
    feed::{Alert, AlertKind, Command, Entry, GameResult, Severity, Side, State, Variant},
};
use shakmaty::{Chess, Position as _};

use crate::world::World;

fn find(world: &World, kind: AlertKind) -> Option<Alert> {
    let alert = |entry: &Entry| if let Entry::Alert(alert) = entry { Some((**alert).clone()) } else { None };
    world.entries().filter_map(alert).find(|alert| alert.kind == kind)
}

#[test]
fn a_link_is_lost_with_the_last_board_of_the_table() {
    let mut world = World::at_start();
    world.play("1 down\n2 up\n3 still");
    assert_eq!(world.alerts(), [AlertKind::LinkLost, AlertKind::LinkRestored]);
    let mut second = World::at_start();
    let mut said = Vec::new();
    for link in [Link::Up, Link::Down] {
        second.table.observe("other", &Observation::Link(link), 20_000, &mut said);
    }
    assert!(said.iter().all(|(_, say)| !matches!(say, hall::table::Say::Entry(Entry::Alert(_)))), "{said:?}");
}

#[test]
fn a_board_that_stays_away_from_its_game_is_named_once_more() {
    let mut pulled = World::at_start();
    pulled.play("1 down\n31 still\n120 still\n121 up\n122 still");
    assert_eq!(pulled.alerts(), [AlertKind::LinkLost, AlertKind::BoardSilent, AlertKind::LinkRestored]);
    let mut kicked = World::at_start();
    kicked.play("1 down\n30.9 up\n120 still");
    assert_eq!(kicked.alerts(), [AlertKind::LinkLost, AlertKind::LinkRestored]);
    let mut restarted = World::at_start();
    let mut said = Vec::new();
    restarted.table.resume(None, 1_000, &mut said);
    restarted.table.elapse(31_000, &mut said);
    restarted.said.extend(said);
    assert_eq!(restarted.alerts(), [AlertKind::BoardSilent], "nobody pulled a cable, and the board did not come back");
}

#[test]
fn a_low_battery_is_told_once() {
    let shows = |low: &[bool]| {
        let mut world = World::at_start();
        for battery_low in low {
            let face = FaceReading { seconds: 7190, flag: false };
            let (left, right, high) = (face, face, Face::Left);
            let reading = ClockReading { left, right, running: true, high, to_move: None, battery_low: *battery_low };
            world.observe(Observation::Clock(ClockSense::Reading(reading)));
        }
        world.alerts()
    };
    assert_eq!(shows(&[false, true, true, false, true]), [AlertKind::BatteryLow]);
    assert_eq!(shows(&[false, false]), []);
}

#[test]
fn a_record_differs_only_if_it_was_read_otherwise() {
    let resumed = |stored: Option<&StoredRecord>| {
        let mut world = World::at_start();
        world.play("0.4 lift e2\n0.8 place P e4\n2 press\n3 still");
        let mut said = Vec::new();
        world.table.resume(stored, 20_000, &mut said);
        world.said.extend(said);
        world.alerts()
    };
    let stored = StoredRecord {
        game: 1,
        fen: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".to_owned(),
        variant: Variant::Standard,
        moves: vec!["d2d4".to_owned()],
        irregular: std::collections::BTreeMap::new(),
        result: GameResult::Open,
        score: None,
    };
    assert_eq!(resumed(Some(&stored)), [AlertKind::RecordDiffers]);
    assert_eq!(resumed(None), []);
}

#[test]
fn mate_and_stalemate_end_the_game_and_a_check_or_a_last_move_left_do_not() {
    let after = |fen: &str, script: &str| {
        let mut world = World::from_fen(fen);
        world.play(script);
        (world.alerts(), world.result())
    };
    let rook = "0.4 lift a1\n0.8 place R a8\n4 still";
    assert_eq!(after("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", rook), (vec![AlertKind::Checkmate], GameResult::WhiteWins));
    assert_eq!(after("6k1/5pp1/8/8/8/8/8/R3K3 w - - 0 1", rook), (vec![], GameResult::Open), "the king has h7");
    let queen = "0.4 lift g5\n0.8 place Q g6\n4 still";
    assert_eq!(after("7k/8/8/6Q1/8/8/8/4K3 w - - 0 1", queen), (vec![AlertKind::Stalemate], GameResult::Draw));
    assert_eq!(after("7k/p7/8/6Q1/8/8/8/4K3 w - - 0 1", queen), (vec![], GameResult::Open), "the pawn can move");
}

#[test]
fn nobody_resigns_by_stopping_the_clock_or_tipping_the_king() {
    let mut world = World::at_start();
    world.play("1 lift e1\n3 stop\n20 still");
    assert_eq!(find(&world, AlertKind::Resignation), None);
    world.order(&Command::Resign { side: Side::White });
    assert_eq!(find(&world, AlertKind::Resignation).and_then(|alert| alert.side), Some(Side::White));
}

#[test]
fn a_move_that_nobody_presses_for_is_noted_for_nobody() {
    let mut world = World::at_start();
    world.play("0.4 lift e2\n0.8 place P e4\n9.7 still");
    assert_eq!(world.alerts(), []);
    world.play("0.2 still");
    let note = find(&world, AlertKind::ClockNotPressed).expect("it has stood for nine seconds");
    assert_eq!((note.side, note.severity, note.audience), (Some(Side::White), Severity::Trace, vec![]));
    world.play("30 still");
    assert_eq!((world.alerts().len(), world.state()), (1, State::Playing));

    let mut pressed = World::at_start();
    pressed.play("0.4 lift e2\n0.8 place P e4\n8 press\n60 still");
    assert_eq!(pressed.alerts(), []);
    let mut clockless = World::without_clock();
    clockless.play("0.4 lift e2\n0.8 place P e4\n60 still");
    assert_eq!(clockless.alerts(), []);
}

#[test]
fn a_board_that_lies_half_round_is_neither_wrong_nor_are_its_colours_reversed() {
    for lie in [Lie::Straight, Lie::Turned] {
        let high = if lie == Lie::Straight { Face::Left } else { Face::Right };
        let mut world = World::with(Chess::default().board(), lie, Some(high));
        world.order(&Command::Start);
        world.play("0.4 lift e2\n0.8 place P e4\n2 press\n4 still");
        assert_eq!((world.record().as_str(), world.alerts()), ("e4", vec![]));
    }
}

#[test]
fn without_a_clock_a_man_that_goes_on_from_its_rest_had_been_released() {
    let rests = |seconds: &str| {
        let mut world = World::without_clock();
        let script = "0.4 lift e2\n0.8 place P e4\nREST lift e4\nREST.4 place P e3\n9 still".replace("REST", seconds);
        world.play(&script);
        let evidence = find(&world, AlertKind::ReleasedPieceMoved).and_then(|alert| alert.evidence.clone());
        (world.record(), evidence.and_then(|evidence| evidence.first.zip(evidence.dwell_ms)))
    };
    assert_eq!(rests("3"), ("e3".to_owned(), Some(("e4".to_owned(), 2200))));
    assert_eq!(rests("1"), ("e3".to_owned(), None));
}

#[test]
fn on_a_board_that_names_nobody_the_queen_may_come_before_the_pawn_goes() {
    let mut world = World::nameless("8/4P1k1/8/8/8/8/6K1/8 w - - 0 60");
    world.play("0.4 place ? e8\n1.1 lift e7\n1.9 press\n3 still");
    assert_eq!((world.record().as_str(), world.alerts()), ("e8=Q", vec![AlertKind::PromotionPieceUnconfirmed]));
    let mut only = World::nameless("8/4P1k1/8/8/8/8/6K1/8 w - - 0 60");
    only.play("0.4 place ? e8\n1.9 press\n6 still");
    assert_eq!(only.record(), "", "the pawn stands on its square still");
}
