//! How games begin, stand still and are begun anew: set-up, orientation, colours, arrival, the sealed move.

use protocol::{
    board::Lie,
    feed::{Action, AlertKind, Clocks, Command, Entry, GameResult, Rules, Side, State, Supervision, TimeClass},
};

use crate::world::World;

fn at_start(edition: u16) -> World {
    let mut world = World::at_start();
    world.order(&Command::Rules { rules: Box::new(Rules { edition, ..Rules::default() }) });
    world
}

fn action(world: &World) -> Option<Action> {
    let proposed = |entry: &Entry| if let Entry::Proposal(proposal) = entry { proposal.action } else { None };
    world.entries().filter_map(proposed).last()
}

fn report(kind: AlertKind) -> Command {
    Command::Report { kind, side: None }
}

#[test]
fn men_are_compared_when_the_arbiter_starts_the_game() {
    let mut right = at_start(2023);
    right.order(&Command::Start);
    assert_eq!((right.alerts(), right.state()), (vec![], State::Playing));

    let mut swapped = at_start(2023);
    swapped.play("0.1 set rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKQBNR\n1 still");
    swapped.order(&Command::Start);
    assert_eq!(swapped.alerts(), [AlertKind::InitialPositionWrong]);
    assert_eq!((swapped.state(), action(&swapped)), (State::AwaitingArbiter, Some(Action::CorrectPosition)));
    swapped.play("0.1 set rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR\n1 still");
    swapped.order(&Command::Start);
    assert_eq!(swapped.state(), State::Playing);
}

#[test]
fn a_man_that_stands_wrong_before_the_start_has_not_moved_there() {
    let without_clock = || {
        let mut world = World::without_clock();
        world.order(&Command::Rules { rules: Box::new(Rules::default()) });
        world
    };
    for mut world in [without_clock(), at_start(1993)] {
        world.play("0.1 set rnbqkbnr/pppppppp/8/8/8/4P3/PPPP1PPP/RNBQKBNR\n9 still");
        assert_eq!(world.record(), "e3", "for all anybody knows");
        world.order(&Command::Start);
        world.play("20 still");
        assert_eq!((world.record().as_str(), world.alerts()), ("", vec![AlertKind::InitialPositionWrong]));
        assert_eq!((world.state(), action(&world)), (State::AwaitingArbiter, Some(Action::CorrectPosition)));
        world.play("0.1 set rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR\n9 still");
        world.order(&Command::Start);
        world.play("0.4 lift e2\n0.8 place P e4\n9 still");
        assert_eq!((world.record().as_str(), world.state(), world.alerts().len()), ("e4", State::Playing, 1));
    }
    let mut meant = without_clock();
    meant.play("0.1 lift e2\n0.5 place P e3\n9 still");
    meant.order(&Command::Start);
    meant.order(&Command::Resume);
    meant.play("9 still");
    assert_eq!((meant.record().as_str(), meant.state()), ("e3", State::Playing), "it was a move: the arbiter says so");
}

#[test]
fn a_game_that_was_pressed_or_goes_on_is_not_started_again() {
    let mut pressed = at_start(2023);
    pressed.play("0.4 lift e2\n0.8 place P e4\n2 press\n3 still");
    assert!(pressed.refuse(&Command::Start).contains("the game has begun"));
    let mut on = World::without_clock();
    on.play("1 lift e2\n1.4 place P e4\n4 lift e7\n4.4 place p e5\n8 lift g1\n8.4 place N f3\n12 still");
    assert!(on.refuse(&Command::Start).contains("the game has begun"));
}

#[test]
fn another_array_than_the_announced_one_is_a_wrong_set_up_and_no_new_game() {
    const ANNOUNCED: &str = "rkbbnrqn/pppppppp/8/8/8/8/PPPPPPPP/RKBBNRQN w FAfa - 0 1";
    const OTHER: &str = "0.1 set rnbbqkrn/pppppppp/8/8/8/8/PPPPPPPP/RNBBQKRN\n9 still";
    let mut announced = World::chess960(ANNOUNCED);
    let games = announced.games();
    announced.play(OTHER);
    announced.order(&Command::Start);
    assert_eq!((announced.games() - games, announced.alerts()), (0, vec![AlertKind::InitialPositionWrong]));

    let mut other = World::with(
        &shakmaty::Board::from_ascii_board_fen(b"rkbbnrqn/pppppppp/8/8/8/8/PPPPPPPP/RKBBNRQN").expect("men"),
        Lie::Straight,
        None,
    );
    other.play(OTHER);
    assert_eq!(other.games(), 2, "nobody has said which one it is");
}

#[test]
fn a_board_that_names_nobody_is_turned_by_its_position_or_by_the_first_move() {
    let plays = |fen: &str, script: &str| {
        let mut world = World::nameless_on(fen, Lie::Turned);
        world.play(script);
        world.record()
    };
    assert_eq!(plays("6k1/5ppp/8/8/8/8/7P/6K1 w - - 0 40", "0.4 lift h2\n0.8 place ? h4\n2 press\n3 still"), "h4");
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let opening = "0.4 lift e2\n0.8 place ? e4\n2 press\n3 lift d7\n3.4 place ? d5\n4 press\n5 lift d5\n5.2 lift e4
        5.6 place ? d5\n7 press\n9 still";
    assert_eq!(plays(start, opening), "e4 d5 exd5");
}

#[test]
fn a_board_that_lies_across_is_told_from_wrong_men() {
    let mut across = at_start(2023);
    across.play("0.1 set RP4pr/NP4pn/BP4pb/QP4pq/KP4pk/BP4pb/NP4pn/RP4pr\n1 still");
    across.order(&Command::Start);
    assert_eq!(across.alerts(), [AlertKind::BoardOrientationWrong]);
    assert_eq!(action(&across), Some(Action::TransferPosition));
}

#[test]
fn what_to_do_about_a_wrong_beginning_depends_on_moves_and_edition() {
    let mut early = at_start(2023);
    early.order(&report(AlertKind::ColoursReversed));
    assert_eq!(action(&early), Some(Action::NewGameCorrectColours));
    let mut old = at_start(2009);
    old.order(&report(AlertKind::ColoursReversed));
    assert_eq!(action(&old), Some(Action::ContinueUnlessArbiterRules));

    let limited = Rules { time_class: TimeClass::Rapid, supervision: Supervision::Limited, ..Rules::default() };
    for (number, expected) in [(10, Action::NewGame), (11, Action::Continue)] {
        let mut world = World::from_fen(&format!("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 {number}"));
        world.order(&Command::Rules { rules: Box::new(limited.clone()) });
        world.order(&report(AlertKind::InitialPositionWrong));
        assert_eq!(action(&world), Some(expected), "before move {number}");
    }
}

#[test]
fn who_has_not_moved_when_the_default_time_is_over_is_late() {
    let late = |hands: &str| {
        let mut world = World::at_start();
        world.order(&Command::Rules { rules: Box::new(Rules { default_time_s: Some(60), ..Rules::default() }) });
        world.order(&Command::Start);
        world.play(hands).play("100 still");
        world.alerts()
    };
    assert_eq!(late("1 still"), [AlertKind::LateArrival]);
    assert_eq!(late("1 lift e2\n2 place P e4\n3 press\n4 lift e7\n5 place p e5\n6 press"), []);
}

#[test]
fn an_envelope_that_could_not_be_opened_on_this_board_is_opened_once_it_is_set_up() {
    let mut world = World::from_fen("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 40");
    world.order(&Command::Adjourn { clocks_ms: None });
    world.play("1 set 4k3/8/8/8/8/8/8/4K2R\n2 still");
    assert!(world.refuse(&Command::OpenSealed { text: "Rd1".into() }).contains("set it up first"));
    world.play("1 set 4k3/8/8/8/8/8/8/R3K2R\n2 still");
    world.order(&Command::OpenSealed { text: "Rd1".into() });
    assert_eq!(world.record(), "Rd1");
}

#[test]
fn a_sealed_move_is_played_when_the_envelope_is_opened_or_loses_the_game() {
    let fen = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 40";
    let mut world = World::from_fen(fen);
    assert!(world.table.order(&Command::OpenSealed { text: "Rd1".into() }, 20_000, &mut Vec::new()).is_err());
    world.order(&Command::Adjourn { clocks_ms: None });
    assert_eq!(world.state(), State::AwaitingArbiter);
    world.order(&Command::OpenSealed { text: "Rd1".into() });
    // It is made on the board in one's own time.
    world.play("9 still\n10 lift a1\n14 place R d1\n15 press\n16 lift e8\n17 place k e7\n18 press\n20 still");
    assert_eq!((world.record().as_str(), world.state(), world.alerts()), ("Rd1 Ke7", State::Playing, vec![]));

    let mut world = World::from_fen(fen);
    world.order(&Command::Adjourn { clocks_ms: None });
    world.order(&Command::OpenSealed { text: "Rh1d1".into() });
    assert_eq!(world.alerts(), [AlertKind::SealedMoveInvalid]);
    world.order(&Command::Confirm);
    // Black has nothing but the king.
    assert_eq!(world.result(), GameResult::Draw);
}

#[test]
fn an_illegal_move_that_waits_for_a_claim_is_followed_once_the_opponent_claims() {
    let limited =
        Rules { edition: 2009, time_class: TimeClass::Rapid, supervision: Supervision::Limited, ..Rules::default() };
    let mut world = World::at_start();
    world.order(&Command::Rules { rules: Box::new(limited) });
    world.play("0.4 lift g1\n0.8 place N g3\n1.6 press\n4 still");
    assert_eq!(action(&world), None);
    let claim = |side| Command::Claim { side, claim: protocol::feed::Claim::IllegalMove, intended: None };
    assert!(world.table.order(&claim(Side::White), 20_000, &mut Vec::new()).is_err());
    world.order(&claim(Side::Black));
    assert_eq!(action(&world), Some(Action::RestoreAndPenalise));
}

#[test]
fn men_that_stand_wrong_on_both_sides_are_no_game_of_another_kind() {
    let mut world = World::at_start();
    // King and queen have changed places, White's and Black's: a start array of Chess960.
    world.play("0.1 lift d1\n0.2 lift e1\n0.6 place K d1\n0.9 place Q e1");
    world.play("0.1 lift d8\n0.2 lift e8\n0.6 place k d8\n0.9 place q e8\n5.0 still");
    world.order(&Command::Start);
    assert!(world.alerts().contains(&AlertKind::InitialPositionWrong));
    assert_eq!(world.games(), 1);
}

#[test]
fn an_adjourned_game_outlives_the_clearing_up_of_its_board() {
    let mut world = World::from_fen("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 40");
    world.play("1 lift a1\n2 place R b1\n3 press\n9 still");
    let games = world.games();
    world.order(&Command::Adjourn { clocks_ms: None });
    world.play("10 set 8/8/8/8/8/8/8/8\n90 set rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR\n600 still");
    assert_eq!((world.state(), world.games()), (State::AwaitingArbiter, games));
    world.play("1 set 4k3/8/8/8/8/8/8/1R2K2R\n2 still");
    world.order(&Command::OpenSealed { text: "Kd7".into() });
    assert_eq!(world.record(), "Rb1 Kd7");
}

#[test]
fn the_times_of_an_adjourned_game_are_those_at_which_its_clock_was_stopped_whatever_the_clock_shows_later() {
    let kept = |script: &str, later: &str| {
        let mut world = World::from_fen("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 40");
        world.play(script);
        world.order(&Command::Adjourn { clocks_ms: None });
        world.play(later);
        adjourned(&world)
    };
    let seconds = |white: u64, black: u64| Some(Clocks { white: white * 1000, black: black * 1000 });
    // The player to move has thought since the last move, and that counts.
    assert_eq!(kept("0 clock 3000 2000\n0.5 tick\n60 stop", ""), seconds(2940, 2000));
    assert_eq!(kept("0 clock 3000 2000\n0.5 tick\n60 stop\n70 down", ""), seconds(2940, 2000), "the board is off");
    assert_eq!(
        kept("0 clock 3000 2000\n0.5 tick\n60 tick", "90 stop"),
        seconds(2850, 2000),
        "the envelope was sealed then"
    );
    let again = "100 stop\n200 clock 5400 5400\n201 go\n300 stop";
    assert_eq!(kept("0 clock 3000 2000\n0.5 tick\n60 stop", again), seconds(2940, 2000), "it is set for another game");
    assert_eq!(kept("0 clock 3000 2000\n0.5 tick\n60 down", "70 still"), None, "it ran on unheard");
}

#[test]
fn a_game_that_was_adjourned_by_mistake_is_not_adjourned_again_by_its_clock() {
    let mut world = World::from_fen("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 40");
    world.order(&Command::Adjourn { clocks_ms: None });
    world.order(&Command::Resume);
    let said = world.entries().count();
    world.play("1 tick\n9 stop");
    assert_eq!(world.entries().skip(said).collect::<Vec<_>>(), Vec::<&Entry>::new());
    assert!(world.refuse(&Command::OpenSealed { text: "Rd1".into() }).contains("is not adjourned"));
}

#[test]
fn what_the_arbiter_says_of_the_times_of_an_adjourned_game_counts() {
    let times = Clocks { white: 1_800_000, black: 600_000 };
    let mut world = World::from_fen_without_clock("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 40");
    world.order(&Command::Adjourn { clocks_ms: None });
    assert_eq!(adjourned(&world), None);
    world.order(&Command::Adjourn { clocks_ms: Some(times) });
    assert_eq!(adjourned(&world), Some(times));
    world.order(&Command::Adjourn { clocks_ms: None });
    assert_eq!(adjourned(&world), Some(times), "they are kept");
    let too_long = Command::Adjourn { clocks_ms: Some(Clocks { white: 90_000_000, black: 0 }) };
    assert!(world.refuse(&too_long).contains("no clock shows more than 24 hours"));

    let mut world = World::from_fen_without_clock("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 40");
    world.order(&Command::AdjustTimes { white_ms: 1_800_000, black_ms: 600_000 });
    world.order(&Command::Adjourn { clocks_ms: None });
    assert_eq!(adjourned(&world), Some(times), "a clock without a cable stood like this");
}

/// With what times the game was adjourned last.
fn adjourned(world: &World) -> Option<Clocks> {
    let noted = |entry: &Entry| {
        let Entry::Noted { order } = entry else { return None };
        if let Command::Adjourn { clocks_ms } = **order { Some(clocks_ms) } else { None }
    };
    world.entries().filter_map(noted).last().expect("it is adjourned")
}
