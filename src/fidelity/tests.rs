//! That the figures can be believed: perfect hands are understood, and what is wrong is counted.

use hall::table::Say;
use protocol::feed::{Correction, Entry};

use super::*;
use crate::{
    rehearsal::{Fault, FaultKind, Profile, embedded},
    scenario,
};

#[test]
fn perfect_hands_are_understood_with_and_without_a_clock() {
    for clock in [true, false] {
        for (seed, game) in (1..).zip(embedded()) {
            let session = play(&Conditions::of(Profile::Perfect, clock, seed), vec![game]);
            let verdict = judge(&session, 0);
            assert!(verdict.exact && verdict.false_finals == 0, "{seed} {clock}: {:?}", verdict.failures);
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_story() {
    let story = || {
        let session = play(&Conditions::of(Profile::Blitz, true, 3), vec![embedded().remove(2)]);
        (session.shown, session.told)
    };
    assert_eq!(story(), story());
}

/// Every conclusion on the way is asked, where tests are built, whether it can be played from where it stands.
#[test]
fn however_bad_it_gets_nothing_is_told_that_cannot_be_played() {
    let most = FACTORS.iter().map(|factor| Hardship { factor, level: Some(factor.range.1) });
    let all = most.flat_map(|hardship| [(hardship, true), (hardship, false)]);
    let games = || (1..).zip(embedded()).take(4);
    let all = all.flat_map(|(hardship, clock)| games().map(move |(seed, game)| (hardship, clock, seed, game)));
    // What stood there when the clock was stopped was answered since, a silence told in several orders followed another,
    // and the turn passed after a hole.
    let once = [("beside=1", 97), ("stalls=20000", 58), ("beside=1", 354)]
        .map(|(hardship, seed)| (hardship.parse::<Hardship>().expect("a hardship"), true, seed, embedded().remove(0)));
    for (hardship, clock, seed, game) in all.chain(once) {
        let mut conditions = Conditions::of(Profile::Blitz, clock, seed);
        hardship.apply(&mut conditions, None);
        let session = play(&conditions, vec![game]);
        assert!(!session.told.is_empty(), "{} {clock} {seed}", hardship.factor.name);
    }
}

#[test]
fn games_in_a_row_are_judged_one_by_one() {
    let games: Vec<_> = embedded().into_iter().take(3).collect();
    let session = play(&Conditions::of(Profile::Perfect, true, 1), games.clone());
    for (number, game) in games.iter().enumerate() {
        let verdict = judge(&session, number);
        assert!(verdict.exact, "game {number}: {:?}", verdict.failures);
        assert_eq!(verdict.plies, game.moves.len());
    }
}

#[test]
fn a_false_final_counts_even_if_it_is_corrected() {
    let mut session = perfect();
    let third = position_of_final(&session, 3);
    let (at, wrong) = (session.told[third].0 - 1, false_final(3, "g1h3", "Nh3"));
    let taken_back =
        Entry::Corrected { from_ply: 3, old: vec!["Nh3".into()], new: vec![], reason: Correction::SlideContinued };
    session.told.splice(third..third, [(at, Say::Entry(wrong)), (at, Say::Entry(taken_back))]);
    let verdict = judge(&session, 0);
    assert!(verdict.exact);
    assert_eq!((verdict.false_finals, verdict.corrections), (1, 1));
    assert_eq!((verdict.failures[0].ply, verdict.failures[0].told.as_deref()), (3, Some("g1h3")));
    assert!(!verdict.failures[0].stood && !verdict.failures[0].follows);
}

#[test]
fn a_correction_to_what_was_not_played_is_a_false_final_too() {
    let mut session = perfect();
    let last = session.told.len();
    let at = session.told[position_of_final(&session, 5)].0;
    let old = vec!["?".to_owned()];
    let new = vec!["a4".to_owned()];
    let wrong = Entry::Corrected { from_ply: 1, old, new, reason: Correction::Arbiter };
    session.told.insert(last, (at, Say::Entry(wrong)));
    let verdict = judge(&session, 0);
    assert!(!verdict.exact && !verdict.admitted);
    assert_eq!(verdict.false_finals, 1);
}

#[test]
fn a_ply_that_was_heard_has_only_another_number_behind_what_nobody_saw() {
    let unmarked = |hidden: Option<(usize, usize)>| {
        let mut session = perfect();
        let seventh = position_of_final(&session, 7);
        let at = session.told[seventh].0 - 1;
        // It is the ninth.
        session.told.insert(seventh, (at, Say::Entry(false_final(7, "f1c4", "Bc4"))));
        let landed = |ply: usize| session.truth[0].plies[ply - 1].landed.expect("all were made");
        let fault = hidden.map(|(from, until)| Fault {
            kind: FaultKind::Hidden,
            from: landed(from),
            until: Some(landed(until)),
        });
        session.faults.extend(fault);
        judge(&session, 0).unmarked
    };
    assert_eq!(unmarked(Some((3, 4))), 0);
    assert_eq!(unmarked(Some((3, 9))), 1, "nobody has heard it");
    assert_eq!(unmarked(None), 1, "all was heard");
}

#[test]
fn a_game_that_breaks_off_is_not_exact_though_nothing_in_it_is_false() {
    let mut session = perfect();
    let fifth = position_of_final(&session, 5);
    session.told.truncate(fifth);
    let verdict = judge(&session, 0);
    assert_eq!((verdict.exact, verdict.false_finals), (false, 0));
    assert_eq!((verdict.failures[0].ply, verdict.failures[0].told_at), (5, None));
}

#[test]
fn a_late_final_is_late() {
    let mut session = perfect();
    let before = judge(&session, 0).lateness;
    let third = position_of_final(&session, 3);
    session.told[third].0 += 700;
    let after = judge(&session, 0).lateness;
    assert_eq!(after[2], before[2] + 700);
}

#[test]
fn an_account_is_a_scenario_that_can_be_played() {
    let session = perfect();
    let causes = std::collections::BTreeSet::new();
    let failure = Failure { ply: 5, told_at: None, played: None, told: None, follows: false, stood: false, causes };
    let verdict = judge(&session, 0);
    let account =
        Account { session: &session, number: 0, failure: &failure, verdict: &verdict, name: "perfect", seed: 1 };
    let case = account.scenario();
    let played = scenario::read(&format!("[{case}]")).expect("a scenario file")[0].as_ref().expect("a case").play();
    let outcome = serde_json::to_value(&played[0]).expect("plain data");
    assert_eq!(outcome["final"], case["expect"]["final"]);
    assert_eq!(outcome["final"].as_array().map(Vec::len), Some(4), "two before, the one, and the next");
    assert!(account.to_string().contains("FINAL 5"));
}

fn perfect() -> Session {
    play(&Conditions::of(Profile::Perfect, true, 1), vec![embedded().remove(0)])
}

fn position_of_final(session: &Session, wanted: usize) -> usize {
    let found =
        session.told.iter().position(|(_, say)| matches!(say, Say::Entry(Entry::Final { ply, .. }) if *ply == wanted));
    found.expect("perfect hands are understood")
}

fn false_final(ply: usize, uci: &str, san: &str) -> Entry {
    Entry::Final {
        ply,
        san: san.into(),
        uci: uci.into(),
        fen: String::new(),
        clock_ms: None,
        inferred: false,
        illegal: false,
    }
}
