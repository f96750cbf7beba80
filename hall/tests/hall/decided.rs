//! What lies on the arbiter's desk goes with the alert it came from, and comes back with what had decided it.

use hall::table::Say;
use protocol::feed::{
    AlertKind, Claim, Command, Entry, GameResult, Penalty, Proposal, Rules, Score, Side, State, Supervision, TimeClass,
};

use crate::world::World;

const AFTER_E4_E5: &str = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
const ILLEGAL_KNIGHT: &str = "0.4 lift g1
                              0.8 place N g3
                              1.8 press
                              4.0 still";
const SECOND: &str = "0-1 second_illegal_move";

#[test]
fn an_illegal_move_that_was_none_leaves_no_loss_behind() {
    let mut world = at_the_limit();
    assert_eq!((offer(&world).as_str(), world.state()), (SECOND, State::AwaitingArbiter));
    dismiss(&mut world, AlertKind::IllegalMoveCompleted);
    assert_eq!((offer(&world).as_str(), world.state()), ("", State::Playing));
    assert_eq!(withdrawn(&world), [AlertKind::IllegalLimitReached]);
    assert!(!world.table.is_undecided());
    // Told twice it takes nothing else away, and the game can be lost by the next one.
    dismiss(&mut world, AlertKind::IllegalMoveCompleted);
    assert_eq!(withdrawn(&world).len(), 1);
    world.order(&Command::Restore { to: 0 });
    world.play("1 lift g3\n1.4 place N g1\n6 lift g1\n6.4 place N g3\n8 press white\n10 still");
    assert_eq!(offer(&world), SECOND);
}

#[test]
fn one_that_waited_to_be_confirmed_takes_its_limit_along_too() {
    let mut world = at_the_limit_unconfirmed();
    assert_eq!(offer(&world), SECOND);
    dismiss(&mut world, AlertKind::IllegalMoveCompleted);
    assert_eq!((offer(&world).as_str(), world.state()), ("", State::Playing));
    assert_eq!(withdrawn(&world), [AlertKind::IllegalLimitReached]);
}

#[test]
fn one_that_was_claimed_and_was_none_counts_against_nobody() {
    let rules =
        Rules { edition: 2009, time_class: TimeClass::Rapid, supervision: Supervision::Limited, ..Rules::default() };
    let claim = Command::Claim { side: Side::Black, claim: Claim::IllegalMove, intended: None };
    let mut world = World::from_fen(AFTER_E4_E5);
    world.order(&Command::Rules { rules: Box::new(rules) });
    world.order(&Command::IllegalMoves { white: 1, black: 0 });
    world.play(ILLEGAL_KNIGHT);
    world.order(&claim);
    dismiss(&mut world, AlertKind::IllegalMoveCompleted);
    world.order(&Command::Restore { to: 0 });
    let again = "1 lift g3\n1.4 place N g1\n6 lift g1\n6.4 place N g3\n8 press white\n10 still";
    world.play(again);
    world.order(&claim);
    assert!(offer(&world).starts_with("restore_and_penalise"), "it is the second one, and the third loses");
    world.order(&Command::Restore { to: 0 });
    world.play(again);
    world.order(&claim);
    assert_eq!(offer(&world), "0-1 third_illegal_move");
}

#[test]
fn where_only_the_limit_was_none_the_move_still_has_to_be_put_right() {
    let mut world = at_the_limit();
    dismiss(&mut world, AlertKind::IllegalLimitReached);
    assert_eq!((offer(&world).as_str(), world.state()), ("", State::AwaitingArbiter));
    assert_eq!(withdrawn(&world), []);
    world.play("1 lift g3\n1.4 place N g1\n6 lift g1\n6.4 place N f3\n8 press white\n10 still");
    assert_eq!((world.record().as_str(), world.state()), ("Nf3", State::Playing));
}

#[test]
fn what_was_offered_before_is_offered_again() {
    let mut world = World::from_fen(AFTER_E4_E5);
    world.play(ILLEGAL_KNIGHT);
    let restoring = offer(&world);
    assert!(restoring.starts_with("restore_and_penalise"), "{restoring}");
    world.order(&Command::Resign { side: Side::Black });
    assert_eq!(offer(&world), "1-0 resignation");
    dismiss(&mut world, AlertKind::Resignation);
    assert_eq!((offer(&world), world.state()), (restoring, State::AwaitingArbiter));
    dismiss(&mut world, AlertKind::IllegalMoveCompleted);
    assert_eq!((offer(&world).as_str(), world.state()), ("", State::Playing));
}

#[test]
fn what_lies_upon_it_stays_where_an_earlier_alert_was_none() {
    let mut world = World::from_fen(AFTER_E4_E5);
    world.play(ILLEGAL_KNIGHT);
    world.order(&Command::Resign { side: Side::Black });
    dismiss(&mut world, AlertKind::IllegalMoveCompleted);
    assert_eq!((offer(&world).as_str(), world.state()), ("1-0 resignation", State::AwaitingArbiter));
}

#[test]
fn a_game_that_somebody_has_stopped_waits_for_him_whatever_was_none() {
    let mut world = World::from_fen(AFTER_E4_E5);
    world.play(ILLEGAL_KNIGHT);
    world.order(&Command::Stop);
    dismiss(&mut world, AlertKind::IllegalMoveCompleted);
    assert_eq!((offer(&world).as_str(), world.state()), ("", State::AwaitingArbiter));
}

#[test]
fn a_result_that_is_taken_back_is_offered_again() {
    let mut world = at_the_limit();
    world.order(&Command::Confirm);
    assert_eq!((world.result(), world.state()), (GameResult::BlackWins, State::Ended));
    world.order(&Command::Result { result: Score::Open });
    assert_eq!((world.result(), offer(&world).as_str()), (GameResult::Open, SECOND));
    let states =
        world.entries().filter_map(|entry| if let Entry::State { state } = entry { Some(*state) } else { None });
    // Whoever never hears what waits for the arbiter hears that the game is on.
    assert_eq!(states.collect::<Vec<_>>()[3..], [State::Ended, State::Playing, State::AwaitingArbiter]);
    // It can be decided again, either way.
    world.order(&Command::Confirm);
    assert_eq!((world.result(), world.state()), (GameResult::BlackWins, State::Ended));
    world.order(&Command::Result { result: Score::Open });
    world.order(&Command::Reject);
    assert_eq!((world.result(), world.state()), (GameResult::Open, State::Playing));
    assert!(!world.table.is_undecided());
}

#[test]
fn so_is_what_a_result_given_by_hand_or_a_lost_game_had_answered() {
    for given in [
        Command::Result { result: Score::Draw },
        Command::Penalty { side: Side::White, penalty: Penalty::Loss, seconds: None, note: String::new() },
    ] {
        let mut world = at_the_limit();
        world.order(&given);
        assert_eq!(world.state(), State::Ended);
        world.order(&Command::Result { result: Score::Open });
        assert_eq!((offer(&world).as_str(), world.state()), (SECOND, State::AwaitingArbiter));
    }
}

#[test]
fn what_was_ended_while_nothing_waited_simply_goes_on() {
    let mut world = World::from_fen(AFTER_E4_E5);
    world.order(&Command::Result { result: Score::WhiteWins });
    world.order(&Command::Result { result: Score::Open });
    assert_eq!((offer(&world).as_str(), world.state()), ("", State::Playing));
}

/// White has made a second illegal move.
fn at_the_limit() -> World {
    let mut world = World::from_fen(AFTER_E4_E5);
    world.order(&Command::IllegalMoves { white: 1, black: 0 });
    world.play(ILLEGAL_KNIGHT);
    world
}

/// The same where the knight stood next to a square on which it would have been legal: it might have been misread at first.
fn at_the_limit_unconfirmed() -> World {
    let mut world = World::from_fen(AFTER_E4_E5);
    world.order(&Command::IllegalMoves { white: 1, black: 0 });
    world.play("0.4 lift g1\n1.2 place N g3\n1.4 press\n4.0 still");
    let doubtful = |entry: &Entry| matches!(entry, Entry::Alert(alert) if alert.unconfirmed);
    assert!(world.entries().any(doubtful), "it is told as one that may be a misreading");
    world
}

/// The arbiter says that there is nothing to do about the last alert of a kind.
fn dismiss(world: &mut World, kind: AlertKind) {
    let is_meant = |say: &Say| matches!(say, Say::Entry(Entry::Alert(alert)) if alert.kind == kind);
    let at = world.said.iter().rfind(|(_, say)| is_meant(say)).map(|(at, _)| *at).expect("it was told");
    world.order(&Command::Dismiss { kind, at, note: "none".into() });
}

fn withdrawn(world: &World) -> Vec<AlertKind> {
    let of = |entry: &Entry| if let Entry::Alert(alert) = entry { alert.of } else { None };
    world.entries().filter_map(of).collect()
}

/// What the arbiter is offered, as a result with its ground or as an action.
fn offer(world: &World) -> String {
    let proposal = |entry: &Entry| if let Entry::Proposal(proposal) = entry { Some(proposal.clone()) } else { None };
    let Proposal { result, reason, action, .. } = world.entries().filter_map(proposal).last().unwrap_or_default();
    let word = |value: serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    let words = [
        result.map(|result| result.to_string()),
        reason.map(|reason| word(serde_json::to_value(reason).expect("JSON"))),
        action.map(|action| word(serde_json::to_value(action).expect("JSON"))),
    ];
    words.into_iter().flatten().collect::<Vec<_>>().join(" ")
}
