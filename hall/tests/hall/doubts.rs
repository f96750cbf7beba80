//! What the table can't tell it asks aside, and what comes of the answer: in time, late, wrong, or not at all.

use hall::{Answer, Doubt, Ply, Settings, table::Say};
use laws::dead::{Budget, Verdict};
use protocol::feed::{
    AlertKind, Command, Correction, Entry, GameResult, MateSearch, Proposal, ResultReason, Side, State,
};

use crate::world::World;

/// Nobody gets through: dead, and a matter of a few hundred positions.
const WALL: &str = "4k3/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/8/4K3 w - - 0 1";

/// White's bishop mates once the pawns let it: a line of moves that is not found at first sight.
const WAY_THROUGH: &str = "8/1p2p1p1/1P2P1P1/Bp2pBp1/1P2P1P1/7k/1P2P3/7K w - - 0 1";

/// A table that looks at no position at all: whatever is not plain at once is in doubt.
fn at(fen: &str) -> World {
    let mut world = World::from_fen(fen);
    world.table.set(Settings { mate_positions: 0, ..Settings::default() });
    world
}

#[test]
fn a_position_the_table_cannot_decide_is_asked_once() {
    let mut world = at(WALL);
    king_walk(&mut world, 1);
    let asked = asks(&world);
    assert_eq!(asked.len(), 1, "{asked:?}");
    let questions = asked[0].iter().map(|doubt| (doubt.question.ply, doubt.question.side)).collect::<Vec<_>>();
    assert_eq!(questions, [(Ply::FIRST, Side::Black), (Ply::FIRST, Side::White)], "who has the move first");
    assert_eq!(world.state(), State::Playing);
    // The first position counts: if that was the end, it is for all later ones.
    king_walk(&mut world, 2);
    assert_eq!(asks(&world).len(), 1);
}

#[test]
fn an_ordinary_game_asks_nothing() {
    let mut world = World::at_start();
    world.table.set(Settings { mate_positions: 0, ..Settings::default() });
    world.play("0.2 lift e2\n0.6 place P e4\n1.0 press\n2.0 lift e7\n2.4 place p e5\n2.8 press\n3.5 still");
    assert_eq!(world.record(), "e4 e5");
    assert!(asks(&world).is_empty());
    assert!(!world.table.is_in_doubt());
}

#[test]
fn a_dead_position_ends_the_game_when_the_proofs_come() {
    let mut world = at(WALL);
    king_walk(&mut world, 1);
    answer_all(&mut world);
    assert_eq!((world.result(), world.state()), (GameResult::Draw, State::Ended));
    assert_eq!(world.alerts(), [AlertKind::DeadPosition]);
    let proofs = verdicts(&world);
    assert_eq!(proofs.iter().map(|(ply, _, can)| (*ply, *can)).collect::<Vec<_>>(), [(1, Some(false)); 2]);
    assert!(!world.table.is_in_doubt(), "nothing is asked of a game that is over");
}

#[test]
fn one_proof_alone_ends_nothing() {
    let mut world = at(WALL);
    king_walk(&mut world, 1);
    let answer = last_ask(&world)[0].search(Budget::TABLE);
    take(&mut world, &answer).expect("it was asked");
    assert_eq!((world.result(), world.state()), (GameResult::Open, State::Playing));
    assert!(verdicts(&world).is_empty(), "nothing hangs on it yet");
    assert!(world.table.is_in_doubt());
}

#[test]
fn moves_played_after_the_end_are_void_once_the_arbiter_confirms() {
    let mut world = at(WALL);
    king_walk(&mut world, 1);
    let asked = last_ask(&world);
    king_walk(&mut world, 2);
    assert_eq!(world.record(), "Ke2 Ke7 Ke1");
    answer_these(&mut world, &asked);
    let void = vec!["Ke7".to_owned(), "Ke1".to_owned()];
    let proposal = proposals(&world).pop().expect("the arbiter is called");
    let expected = Proposal {
        result: Some(GameResult::Draw),
        reason: Some(ResultReason::DeadPosition),
        ends_at_ply: Some(1),
        void: void.clone(),
        ..Proposal::default()
    };
    assert_eq!(proposal, expected);
    assert_eq!((world.result(), world.state()), (GameResult::Open, State::AwaitingArbiter));
    assert_eq!(world.record(), "Ke2 Ke7 Ke1", "nothing is taken away before somebody has decided");

    // Players who do not look up play on: that is void too, and nobody is called again.
    king_walk(&mut world, 1);
    assert_eq!(world.alerts(), [AlertKind::DeadPosition]);
    world.order(&Command::Confirm);
    assert_eq!((world.result(), world.state()), (GameResult::Draw, State::Ended));
    assert_eq!(world.record(), "Ke2");
    let kept = world.entries().find_map(|entry| {
        let Entry::Corrected { from_ply, old, reason, .. } = entry else { return None };
        Some((*from_ply, old.join(" "), *reason))
    });
    assert_eq!(kept, Some((2, "Ke7 Ke1 Ke8".to_owned(), Correction::AfterTheEnd)));
    assert_eq!(world.seen(), "Ke2", "screens show where it ended");
}

#[test]
fn an_end_that_was_found_stands_as_long_as_its_move_does() {
    let mut world = at(WALL);
    king_walk(&mut world, 2);
    let asked = last_ask(&world);
    king_walk(&mut world, 1);
    answer_these(&mut world, &asked);
    assert_eq!(proposals(&world).pop().and_then(|proposal| proposal.ends_at_ply), Some(1));
    world.order(&Command::Undo { plies: 1 });
    assert_eq!(proposals(&world).len(), 1);
    world.order(&Command::Replace { ply: 1, played: "Kd2".to_owned(), cut: false });
    assert_eq!(proposals(&world).pop(), Some(Proposal::default()), "it is not that move any more");
    assert!(world.refuse(&Command::Confirm).contains("nothing is proposed"));
}

#[test]
fn an_arbiter_who_has_the_game_go_on_is_not_called_at_every_move() {
    let mut world = at(WALL);
    king_walk(&mut world, 1);
    let asked = last_ask(&world);
    king_walk(&mut world, 1);
    answer_these(&mut world, &asked);
    world.order(&Command::Reject);
    assert_eq!(world.state(), State::Playing);
    king_walk(&mut world, 2);
    assert_eq!(world.record(), "Ke2 Ke7 Ke1 Ke8");
    assert_eq!((world.result(), world.state()), (GameResult::Open, State::Playing));
    assert_eq!(world.alerts(), [AlertKind::DeadPosition]);
}

#[test]
fn a_game_that_turns_out_alive_goes_on_in_silence() {
    let mut world = at(WAY_THROUGH);
    world.play("0.2 lift h1\n0.6 place K g1\n1.0 press\n2.0 still");
    let asked = last_ask(&world);
    let said = world.said.len();
    let white = asked.iter().find(|doubt| doubt.question.side == Side::White).expect("asked");
    let answer = white.search(Budget(1_000_000));
    take(&mut world, &answer).expect("it was asked");
    assert!(!world.table.is_in_doubt(), "whether Black can too does not matter");
    assert_eq!(world.said.len(), said + 1, "an ask that takes back the other question");
    assert!(last_ask(&world).is_empty());
}

#[test]
fn what_holds_of_an_earlier_position_need_not_hold_now() {
    let mut world = at(WAY_THROUGH);
    world.play("0.2 lift h1\n0.6 place K g1\n1.0 press\n2.0 still");
    let white = last_ask(&world).into_iter().find(|doubt| doubt.question.side == Side::White).expect("asked");
    world.play("0.2 lift h3\n0.6 place k g3\n1.0 press\n2.0 still");
    take(&mut world, &white.search(Budget(1_000_000))).expect("it was asked");
    let asked = last_ask(&world);
    assert!(asked.iter().all(|doubt| doubt.question.ply == Ply::new(2)) && !asked.is_empty(), "{asked:?}");
}

#[test]
fn of_two_flags_the_first_counts_and_stays_pending_until_it_is_known() {
    let mut world = at(WALL);
    king_walk(&mut world, 1);
    give_up(&mut world);
    world.play("0.2 flag black\n0.4 flag white\n0.6 still");
    let proposal = proposals(&world).pop().expect("the arbiter is called");
    assert_eq!((proposal.result, proposal.mate_search), (Some(GameResult::WhiteWins), Some(MateSearch::Pending)));
    let asked = last_ask(&world);
    answer_these(&mut world, &asked[..1]);
    let reason = |world: &World| proposals(world).pop().and_then(|proposal| proposal.reason);
    assert_eq!(reason(&world), Some(ResultReason::TimeVsCannotMate));
    // That Black can't mate either means that the game was over before any flag fell.
    answer_these(&mut world, &asked[1..]);
    assert_eq!(reason(&world), Some(ResultReason::DeadPosition));
}

#[test]
fn what_was_given_up_is_asked_again_after_a_pawn_moved() {
    let mut world = at("4k3/8/8/1p1p1p1p/1P1P1P1P/8/1P6/4K3 w - - 0 1");
    king_walk(&mut world, 1);
    give_up(&mut world);
    king_walk(&mut world, 1);
    assert!(!world.table.is_in_doubt(), "most of the positions are the same");
    world.play("0.2 lift b2\n0.6 place P b3\n1.0 press\n2.0 still");
    assert_eq!(world.record(), "Ke2 Ke7 b3");
    assert_eq!(last_ask(&world).first().map(|doubt| doubt.question.ply), Some(Ply::new(3)));
}

#[test]
fn a_question_about_moves_taken_back_is_not_asked_any_more() {
    let mut world = at(WALL);
    king_walk(&mut world, 1);
    let asked = last_ask(&world);
    world.order(&Command::Undo { plies: 1 });
    assert!(last_ask(&world).is_empty() && !world.table.is_in_doubt());
    let said = world.said.len();
    let refusal = take(&mut world, &asked[0].search(Budget::TABLE)).expect_err("nobody asks");
    assert!(refusal.to_string().contains("nobody asks"), "{refusal}");
    assert_eq!(world.said.len(), said);
}

#[test]
fn what_the_checker_does_not_accept_is_not_believed() {
    let mut world = at(WAY_THROUGH);
    world.play("0.2 lift h1\n0.6 place K g1\n1.0 press\n2.0 still");
    for doubt in last_ask(&world) {
        let side = doubt.question.side;
        let good = serde_json::to_value(doubt.search(Budget::TABLE)).expect("plain data");
        let claims = [
            serde_json::json!({ "cannot_mate": "material" }),
            serde_json::json!({ "can_mate": ["g1f2", "h3h2"] }),
            serde_json::json!({ "can_mate": ["a1h8"] }),
        ];
        // Black is walled in, and that is true however it is said.
        let walls = serde_json::json!({ "cannot_mate": "walls" });
        for claim in claims.into_iter().chain((side == Side::White).then_some(walls)) {
            let mut forged = good.clone();
            forged["found"] = claim;
            let forged = serde_json::from_value::<Answer>(forged).expect("it reads");
            let refusal = take(&mut world, &forged).expect_err("it is not so");
            assert!(refusal.to_string().contains("checker"), "{refusal}");
        }
    }
    assert!(world.table.is_in_doubt());
    assert!(verdicts(&world).is_empty());
}

#[test]
fn an_answer_that_was_written_down_is_checked_when_it_is_read() {
    let mut world = at(WALL);
    king_walk(&mut world, 1);
    for doubt in last_ask(&world) {
        let written = serde_json::to_string(&doubt.search(Budget::TABLE)).expect("plain data");
        let read = serde_json::from_str::<Answer>(&written).expect("it reads back");
        take(&mut world, &read).expect("it stands up to the checker");
    }
    assert_eq!((world.result(), world.state()), (GameResult::Draw, State::Ended));
}

#[test]
fn a_flag_whose_meaning_is_not_known_is_pending_and_then_amended() {
    let mut world = at(WALL);
    king_walk(&mut world, 1);
    // What is asked about the position is given up, so that only the flag is open.
    give_up(&mut world);
    world.play("0.2 flag black\n0.4 still");
    let pending = proposals(&world).pop().expect("the arbiter is called");
    let lost = Proposal {
        result: Some(GameResult::WhiteWins),
        reason: Some(ResultReason::Time),
        mate_search: Some(MateSearch::Pending),
        ..Proposal::default()
    };
    assert_eq!(pending, lost);
    assert_eq!(last_alert(&world, AlertKind::FlagFall), (None, Some(MateSearch::Pending)));
    let asked = last_ask(&world);
    assert_eq!(asked.iter().map(|doubt| doubt.question.side).collect::<Vec<_>>(), [Side::White]);

    answer_these(&mut world, &asked);
    let amended = proposals(&world).pop().expect("it is amended");
    let drawn = Proposal {
        result: Some(GameResult::Draw),
        reason: Some(ResultReason::TimeVsCannotMate),
        ..Proposal::default()
    };
    assert_eq!(amended, drawn);
    assert_eq!(verdicts(&world), [(1, Side::White, Some(false))]);
    world.order(&Command::Confirm);
    assert_eq!((world.result(), world.state()), (GameResult::Draw, State::Ended));
}

#[test]
fn a_flag_stays_lost_if_nothing_can_be_found_out_and_the_arbiter_knows_it() {
    let mut world = at(WALL);
    king_walk(&mut world, 1);
    give_up(&mut world);
    world.play("0.2 flag black\n0.4 still");
    give_up(&mut world);
    let proposal = proposals(&world).pop().expect("it is amended");
    assert_eq!((proposal.result, proposal.mate_search), (Some(GameResult::WhiteWins), Some(MateSearch::Undecided)));
    assert_eq!(verdicts(&world), [(1, Side::White, None)]);
}

#[test]
fn a_resignation_before_2023_is_lost_whoever_can_mate() {
    let mut world = at(WALL);
    let rules = protocol::feed::Rules { edition: 2018, ..protocol::feed::Rules::default() };
    world.order(&Command::Rules { rules: Box::new(rules) });
    world.order(&Command::Resign { side: Side::White });
    let proposal = proposals(&world).pop().expect("proposed");
    assert_eq!((proposal.result, proposal.mate_search), (Some(GameResult::BlackWins), None));
    answer_all(&mut world);
    assert_eq!(verdicts(&world), [(0, Side::Black, Some(false))], "nothing hangs on it, and the arbiter knows it");
    assert_eq!(proposals(&world).len(), 1);

    let mut world = at(WALL);
    world.order(&Command::Resign { side: Side::White });
    assert_eq!(proposals(&world).pop().and_then(|proposal| proposal.mate_search), Some(MateSearch::Pending));
    answer_all(&mut world);
    let proposal = proposals(&world).pop().expect("amended");
    assert_eq!((proposal.result, proposal.reason), (Some(GameResult::Draw), Some(ResultReason::ResignVsCannotMate)));
}

#[test]
fn an_arbiter_who_decides_first_needs_no_answer() {
    let mut world = at(WALL);
    world.order(&Command::Resign { side: Side::White });
    let asked = last_ask(&world);
    world.order(&Command::Result { result: GameResult::BlackWins.into() });
    assert!(last_ask(&world).is_empty());
    take(&mut world, &asked[0].search(Budget::TABLE)).expect_err("nobody asks");
    assert_eq!(world.result(), GameResult::BlackWins);
}

#[test]
fn a_resignation_is_judged_again_when_the_record_is_mended() {
    let mut world = at(WALL);
    king_walk(&mut world, 2);
    give_up(&mut world);
    world.order(&Command::Resign { side: Side::White });
    assert_eq!(last_ask(&world)[0].question.ply, Ply::new(2));
    world.order(&Command::Replace { ply: 2, played: "Kd8".to_owned(), cut: false });
    let asked = last_ask(&world);
    assert_eq!(
        asked.iter().map(|doubt| doubt.question.fen.as_str()).collect::<Vec<_>>(),
        ["3k4/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/4K3/8 w - - 2 2"]
    );
    answer_these(&mut world, &asked);
    let proposal = proposals(&world).pop().expect("amended");
    assert_eq!(proposal.reason, Some(ResultReason::ResignVsCannotMate));
}

#[test]
fn a_position_that_was_dead_when_the_flag_fell_had_ended_the_game() {
    let mut world = at(WALL);
    king_walk(&mut world, 1);
    world.play("0.2 flag black\n0.4 still");
    answer_all(&mut world);
    let proposal = proposals(&world).pop().expect("proposed");
    assert_eq!((proposal.result, proposal.reason), (Some(GameResult::Draw), Some(ResultReason::DeadPosition)));
    assert_eq!(world.state(), State::AwaitingArbiter, "the arbiter is at the table");
}

#[test]
fn a_move_that_may_not_stand_ends_nothing_by_itself() {
    let mut world = at("4k3/8/8/1p1p1p1p/1P1P1P1P/8/1P6/4K3 w - - 0 1");
    world.play("0.2 lift b2\n1.6 place P b2");
    king_walk(&mut world, 1);
    answer_all(&mut world);
    assert_eq!(world.alerts(), [AlertKind::TouchMoveSuspect, AlertKind::DeadPosition]);
    assert_eq!((world.result(), world.state()), (GameResult::Open, State::AwaitingArbiter));
}

#[test]
fn after_a_restart_open_questions_are_asked_again() {
    let mut world = at(WALL);
    king_walk(&mut world, 1);
    let asked = last_ask(&world);
    let asks_before = asks(&world).len();
    world.table.resume(None, 60_000, &mut world.said);
    assert_eq!(asks(&world).len(), asks_before + 1);
    assert_eq!(last_ask(&world), asked);
}

#[test]
fn the_laws_of_1993_know_no_such_end() {
    let mut world = at(WALL);
    let rules = protocol::feed::Rules { edition: 1993, ..protocol::feed::Rules::default() };
    world.order(&Command::Rules { rules: Box::new(rules) });
    world.play("0.2 lift e1\n0.6 place K e2\n1.0 press\n20.0 still");
    assert_eq!(world.record(), "Ke2");
    assert!(asks(&world).is_empty());
}

/// The kings step out and back, so many plies.
fn king_walk(world: &mut World, plies: usize) {
    for _ in 0..plies {
        let made = world.record().split_whitespace().count();
        let (man, from, to) = match made % 4 {
            0 => ("K", "e1", "e2"),
            1 => ("k", "e8", "e7"),
            2 => ("K", "e2", "e1"),
            _ => ("k", "e7", "e8"),
        };
        world.play(&format!("0.2 lift {from}\n0.6 place {man} {to}\n1.0 press\n2.0 still"));
    }
}

fn take(world: &mut World, answer: &Answer) -> Result<(), hall::Refusal> {
    world.table.answer(answer, 50_000, &mut world.said)
}

fn answer_these(world: &mut World, doubts: &[Doubt]) {
    for doubt in doubts {
        take(world, &doubt.search(Budget::TABLE)).expect("it was asked");
    }
}

fn answer_all(world: &mut World) {
    answer_these(world, &last_ask(world));
}

/// The searches come to nothing.
fn give_up(world: &mut World) {
    for doubt in last_ask(world) {
        // With one side unknown the other one does not matter any more, and is not asked.
        _ = take(world, &Answer::new(&doubt, Verdict::Unknown { spent: 1 }));
    }
}

fn asks(world: &World) -> Vec<Vec<Doubt>> {
    let asked = world.said.iter().filter_map(|(_, say)| match say {
        Say::AskProof(doubts) => Some(doubts.clone()),
        Say::Sight(_) | Say::Entry(_) | Say::AskDump(_) => None,
    });
    asked.collect()
}

fn last_ask(world: &World) -> Vec<Doubt> {
    asks(world).pop().unwrap_or_default()
}

fn proposals(world: &World) -> Vec<Proposal> {
    let proposal = |entry: &Entry| if let Entry::Proposal(proposal) = entry { Some(proposal.clone()) } else { None };
    world.entries().filter_map(proposal).collect()
}

fn verdicts(world: &World) -> Vec<(usize, Side, Option<bool>)> {
    let verdict = |entry: &Entry| {
        let Entry::Verdict { ply, side, can_mate, line, proof } = entry else { return None };
        assert_eq!(*can_mate == Some(true), !line.is_empty());
        assert_eq!(*can_mate == Some(false), proof.is_some());
        Some((*ply, *side, *can_mate))
    };
    world.entries().filter_map(verdict).collect()
}

fn last_alert(world: &World, kind: AlertKind) -> (Option<bool>, Option<MateSearch>) {
    let alerts = world.entries().filter_map(|entry| {
        let Entry::Alert(alert) = entry else { return None };
        (alert.kind == kind).then_some((alert.opponent_can_mate, alert.mate_search))
    });
    alerts.last().expect("the alert was raised")
}
