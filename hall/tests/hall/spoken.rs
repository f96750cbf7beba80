//! What players say, and what a clock says about them: claims, offers, flags, announcements. Each alert beside its nearest
//! look-alike, of which nothing is said.

use protocol::{
    board::{ClockReading, ClockSense, Face, FaceReading, Observation},
    feed::{
        Action, Alert, AlertKind, Blind, Claim, Command, Entry, GameResult, MismatchDetail, Period, Proposal,
        ResultReason, Rules, Side, Staff, State, Supervision, TimeClass,
    },
};

use crate::world::World;

/// Both knights go out and come back.
const DANCE: &str = "
    1 lift g1\n 1.4 place N f3\n 2 press\n 3 lift g8\n 3.4 place n f6\n 4 press
    5 lift f3\n 5.4 place N g1\n 6 press\n 7 lift f6\n 7.4 place n g8\n 8 press\n 10 still";

fn rules(edition: u16) -> Rules {
    Rules { edition, ..Rules::default() }
}

fn at_start(rules: Rules) -> World {
    let mut world = World::at_start();
    world.order(&Command::Rules { rules: Box::new(rules) });
    world
}

fn from_fen(fen: &str, rules: Rules) -> World {
    let mut world = World::from_fen(fen);
    world.order(&Command::Rules { rules: Box::new(rules) });
    world
}

/// A clock that shows these seconds, White's end of the lever up, and a flag where there are none left.
fn show(world: &mut World, white: u32, black: u32) {
    let face = |seconds| FaceReading { seconds, flag: seconds == 0 };
    let (left, right) = (face(white), face(black));
    let reading = ClockReading { left, right, running: true, high: Face::Left, to_move: None, battery_low: false };
    world.observe(Observation::Clock(ClockSense::Reading(reading)));
}

fn claim(side: Side, claim: Claim, intended: Option<&str>) -> Command {
    Command::Claim { side, claim, intended: intended.map(str::to_owned) }
}

fn refuses(world: &mut World, command: &Command) -> bool {
    world.table.order(command, 1_000_000, &mut Vec::new()).is_err()
}

fn alert(world: &World, kind: AlertKind) -> Option<Alert> {
    let alert = |entry: &Entry| if let Entry::Alert(alert) = entry { Some((**alert).clone()) } else { None };
    world.entries().filter_map(alert).filter(|alert| alert.kind == kind).last()
}

fn proposal(world: &World) -> Option<Proposal> {
    let proposed = |entry: &Entry| if let Entry::Proposal(proposal) = entry { Some(proposal.clone()) } else { None };
    world.entries().filter_map(proposed).last()
}

fn proposed(world: &World) -> Option<(GameResult, ResultReason)> {
    proposal(world).and_then(|proposal| proposal.result.zip(proposal.reason))
}

#[test]
fn the_third_time_is_for_nobody_unless_the_arbiter_wants_to_know() {
    let mut world = at_start(rules(2023));
    world.play(DANCE);
    assert_eq!(world.alerts(), [], "the second time is nothing");
    world.play(DANCE);
    let note = alert(&world, AlertKind::ThreefoldAvailable).expect("the third time");
    assert_eq!((note.side, note.occurrences, note.audience), (Some(Side::White), vec![0, 4, 8], vec![]));

    let mut world = at_start(Rules { show_claim_availability: true, ..rules(2023) });
    world.play(DANCE).play(DANCE);
    let note = alert(&world, AlertKind::ThreefoldAvailable).expect("the third time");
    assert_eq!(note.audience, [Staff::Arbiter]);
}

#[test]
fn the_fifth_time_ends_the_game_from_2014_on() {
    for (edition, result) in [(2009, GameResult::Open), (2014, GameResult::Draw), (2023, GameResult::Draw)] {
        let mut world = at_start(rules(edition));
        world.play(DANCE).play(DANCE).play(DANCE).play(DANCE);
        assert_eq!(world.result(), result, "{edition}");
        assert_eq!(alert(&world, AlertKind::FivefoldRepetition).is_some(), result == GameResult::Draw);
    }
}

#[test]
fn a_fifth_time_that_is_not_in_a_row_ends_the_game_from_2018_on_only() {
    const DETOUR: &str = "1 lift b1\n 1.4 place N c3\n 2 press\n 3 lift b8\n 3.4 place n c6\n 4 press
        5 lift c3\n 5.4 place N b1\n 6 press\n 7 lift c6\n 7.4 place n b8\n 8 press\n 10 still";
    // The start stands at plies 0, 4, 12, 16, 20: between them the knights once take twice the time.
    const LONG: &str = "1 lift g1\n 1.4 place N f3\n 2 press\n 3 lift g8\n 3.4 place n f6\n 4 press
        5 lift b1\n 5.4 place N c3\n 6 press\n 7 lift b8\n 7.4 place n c6\n 8 press
        9 lift f3\n 9.4 place N g1\n 10 press\n 11 lift f6\n 11.4 place n g8\n 12 press
        13 lift c3\n 13.4 place N b1\n 14 press\n 15 lift c6\n 15.4 place n b8\n 16 press\n 18 still";
    for (edition, result) in [(2014, GameResult::Open), (2018, GameResult::Draw)] {
        let mut world = at_start(rules(edition));
        world.play(DANCE).play(LONG).play(DANCE).play(DETOUR);
        assert_eq!(world.result(), result, "{edition}");
    }
}

#[test]
fn seventy_five_moves_end_the_game_unless_they_end_with_mate() {
    let mut quiet = from_fen("8/8/3k4/8/8/3K4/R7/8 w - - 149 150", rules(2023));
    quiet.play("0.4 lift a2\n0.8 place R b2\n5 still");
    assert_eq!(quiet.result(), GameResult::Draw);
    assert!(quiet.alerts().contains(&AlertKind::SeventyFiveMoves));

    let mut mate = from_fen("6k1/5ppp/8/8/8/8/8/R3K3 w - - 149 150", rules(2023));
    mate.play("0.4 lift a1\n0.8 place R a8\n4 still");
    assert_eq!(mate.result(), GameResult::WhiteWins);
    assert_eq!(mate.alerts(), [AlertKind::Checkmate]);

    let mut almost = from_fen("8/8/3k4/8/8/3K4/R7/8 w - - 148 150", rules(2023));
    almost.play("0.4 lift a2\n0.8 place R b2\n1.4 press\n3 still");
    assert_eq!((almost.result(), almost.alerts()), (GameResult::Open, vec![]));
}

#[test]
fn fifty_moves_are_told_once_and_the_annex_of_1993_makes_them_seventy_five() {
    let rook = "8/8/3k4/8/8/3K4/R7/8 w - - 99 120";
    let mut world = from_fen(rook, rules(2023));
    world.play("0.4 lift a2\n0.8 place R b2\n1.4 press\n2 lift d6\n2.4 place k d5\n3 press\n5 still");
    assert_eq!(world.alerts(), [AlertKind::FiftyAvailable]);

    let annex = "8/8/3k4/8/8/3K1B2/R7/5r2 w - - 99 120";
    let mut world = from_fen(annex, Rules { annex_75_moves: true, ..rules(1993) });
    world.play("0.4 lift a2\n0.8 place R b2\n3 still");
    assert_eq!(world.alerts(), []);
    world.order(&claim(Side::Black, Claim::Fifty, None));
    assert!(world.alerts().contains(&AlertKind::ClaimNotConfirmed));
}

#[test]
fn a_claim_is_answered_with_where_the_position_stood() {
    let mut world = at_start(rules(2023));
    world.play(DANCE).play(DANCE);
    world.order(&claim(Side::White, Claim::Threefold, None));
    let note = alert(&world, AlertKind::ClaimVerified).expect("it is the third time");
    assert_eq!(alert(&world, AlertKind::ClaimNotConfirmed), None);
    assert_eq!((note.side, note.claim, note.occurrences), (Some(Side::White), Some(Claim::Threefold), vec![0, 4, 8]));
    assert_eq!(proposed(&world), Some((GameResult::Draw, ResultReason::ThreefoldClaim)));
    assert_eq!((world.state(), world.result()), (State::AwaitingArbiter, GameResult::Open), "the arbiter decides");
    world.order(&Command::Confirm);
    assert_eq!((world.state(), world.result()), (State::Ended, GameResult::Draw));
}

#[test]
fn a_wrong_claim_costs_time_and_binds_to_the_announced_move() {
    let mut world = at_start(rules(2023));
    world.play(DANCE);
    world.order(&claim(Side::White, Claim::Threefold, Some("g1f3")));
    assert_eq!(world.alerts(), [AlertKind::ClaimNotConfirmed]);
    let claimed = |world: &World| alert(world, AlertKind::ClaimNotConfirmed).and_then(|note| note.claim);
    assert_eq!(claimed(&world), Some(Claim::Threefold));
    let offered = proposal(&world).expect("the tariff");
    assert_eq!(offered.action, Some(Action::PenaliseWrongClaim));
    assert_eq!(offered.bonus_s.and_then(|bonus| bonus.black), Some(120));
    assert_eq!(offered.must_move.as_deref(), Some("g1"));
    // The claim was an offer too.
    world.order(&Command::DrawAccept { side: Side::Black });
    assert_eq!(proposed(&world), Some((GameResult::Draw, ResultReason::Agreement)));
    let mut world = at_start(rules(2023));
    world.play(DANCE);
    world.order(&claim(Side::White, Claim::Fifty, None));
    assert_eq!(claimed(&world), Some(Claim::Fifty));
}

#[test]
fn a_wrong_claim_of_1993_that_costs_all_the_time_left_costs_the_game() {
    let rook = "8/8/3k4/8/8/3K4/R7/7r w - - 10 40";
    let claimed = |fen: &str, rules: Rules, left: u32| {
        let mut world = from_fen(fen, rules);
        show(&mut world, left, 3600);
        world.order(&claim(Side::White, Claim::Fifty, Some("a2a3")));
        let can_mate = alert(&world, AlertKind::ClaimNotConfirmed).expect("ten moves are not fifty").opponent_can_mate;
        (proposal(&world).expect("what it costs"), can_mate)
    };
    let charged = |proposal: Proposal| (proposal.charge_s.and_then(|charge| charge.white), proposal.result);
    assert_eq!(charged(claimed(rook, rules(1993), 301).0), (Some(300), None));
    for left in [300, 299] {
        let (lost, can_mate) = claimed(rook, rules(1993), left);
        assert_eq!(lost.result.zip(lost.reason), Some((GameResult::BlackWins, ResultReason::Time)), "{left}");
        assert_eq!((lost.must_move, can_mate), (None, Some(true)), "{left}");
    }
    let bare = "8/8/3k4/8/8/3K4/R7/8 w - - 10 40";
    let (drawn, can_mate) = claimed(bare, rules(1993), 200);
    assert_eq!(drawn.result.zip(drawn.reason), Some((GameResult::Draw, ResultReason::TimeVsCannotMate)), "10.5");
    assert_eq!(can_mate, Some(false));

    let periods = vec![
        Period { moves: Some(39), base_s: 5400, increment_s: 0 },
        Period { moves: None, base_s: 1800, increment_s: 0 },
    ];
    let (in_time, _) = claimed(rook, Rules { periods, ..rules(1993) }, 200);
    assert_eq!(charged(in_time), (Some(300), None), "the moves of the period are made");
    let (later, _) = claimed(rook, rules(2009), 200);
    assert_eq!(later.bonus_s.and_then(|bonus| bonus.black), Some(180), "later editions charge nobody");
}

#[test]
fn who_touches_or_moves_first_loses_the_right_for_this_move() {
    for (edition, hands, kind) in [
        (2023, "0.4 lift g1\n0.9 still", AlertKind::ClaimRightLost),
        (2023, "0.4 lift g1\n1.6 place N g1\n2 still", AlertKind::ClaimRightLost),
        (2023, "0.4 lift g1\n0.9 place N g1\n2 still", AlertKind::ClaimVerified), // adjusted
        (1993, "0.4 lift g1\n0.9 still", AlertKind::ClaimVerified),
        (1993, "0.4 lift g1\n0.9 place N f3\n1.2 still", AlertKind::ClaimRightLost),
        (2023, "0.4 lift g1\n0.9 place N f3\n1.4 press\n2 still", AlertKind::ClaimRightLost),
    ] {
        let mut world = at_start(rules(edition));
        world.play(DANCE).play(DANCE).play(hands);
        world.order(&claim(Side::White, Claim::Threefold, None));
        assert_eq!(world.alerts().last(), Some(&kind), "{edition}: {hands}");
    }
}

#[test]
fn a_right_that_was_lost_revives_when_the_position_does() {
    let mut world = at_start(rules(2023));
    world.play(DANCE).play(DANCE).play(DANCE);
    world.order(&claim(Side::White, Claim::Threefold, None));
    assert_eq!(world.alerts().last(), Some(&AlertKind::ClaimVerified));
}

#[test]
fn an_offer_has_its_moment_and_touching_declines_it() {
    let mut world = at_start(rules(2023));
    world.play("0.4 lift e2\n0.8 place P e4\n1.4 still");
    world.order(&Command::DrawOffer { side: Side::White });
    assert_eq!(world.alerts(), [], "made and not pressed is the moment");
    world.play("0.4 press\n1.4 lift e7\n1.8 place p e5\n2.4 press\n4 still");
    assert!(refuses(&mut world, &Command::DrawAccept { side: Side::Black }));

    world.order(&Command::DrawOffer { side: Side::Black });
    let note = alert(&world, AlertKind::DrawOfferTiming).expect("White is thinking");
    assert_eq!((note.side, note.article.as_deref()), (Some(Side::Black), Some("9.1.2.1, 11.5")));
    world.order(&Command::DrawDecline { side: Side::White });
    assert!(refuses(&mut world, &Command::DrawAccept { side: Side::White }), "declined in words");
    assert_eq!(world.state(), State::Playing);
}

#[test]
fn an_agreement_needs_a_move_by_both_from_2018_on_and_what_the_event_asks_for() {
    let agree = |rules: Rules| {
        let mut world = at_start(rules);
        world.play("0.4 lift e2\n0.8 place P e4\n1.4 press\n3 still");
        world.order(&Command::DrawOffer { side: Side::White });
        world.order(&Command::DrawAccept { side: Side::Black });
        (alert(&world, AlertKind::DrawNotAllowedYet).and_then(|note| note.article), proposed(&world))
    };
    let drawn = Some((GameResult::Draw, ResultReason::Agreement));
    assert_eq!(agree(rules(2023)), (Some("5.2.3".into()), None));
    assert_eq!(agree(rules(2014)), (None, drawn));
    assert_eq!(agree(Rules { no_draw_before_move: Some(30), ..rules(2014) }), (Some("9.1.a".into()), None));
}

#[test]
fn who_resigns_loses_and_from_2023_on_draws_against_who_cannot_mate() {
    let bare = "8/5k2/8/8/3R4/8/1P4K1/8 w - - 0 60";
    for (edition, expected) in [
        (2018, (GameResult::BlackWins, ResultReason::Resignation)),
        (2023, (GameResult::Draw, ResultReason::ResignVsCannotMate)),
    ] {
        let mut world = from_fen(bare, rules(edition));
        world.order(&Command::Resign { side: Side::White });
        assert_eq!(proposed(&world), Some(expected));
        assert_eq!(alert(&world, AlertKind::Resignation).and_then(|note| note.opponent_can_mate), Some(false));
    }
}

#[test]
fn a_mate_while_the_flag_is_unruled_waits_for_the_arbiter() {
    let mut world = from_fen("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 30", rules(2023));
    show(&mut world, 0, 300);
    world.play("0.4 lift a1\n0.8 place R a8\n5 still");
    assert!(world.alerts().contains(&AlertKind::Checkmate));
    assert_eq!((world.state(), world.result()), (State::AwaitingArbiter, GameResult::Open));

    let mut world = from_fen("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 30", rules(2023));
    world.play("0.4 lift a1\n0.8 place R a8\n5 still");
    show(&mut world, 0, 300);
    assert_eq!(world.alerts(), [AlertKind::Checkmate], "a flag after the end is none");
}

#[test]
fn a_flag_is_told_with_the_moves_completed_and_in_time_it_costs_nothing() {
    let periods = vec![
        Period { moves: Some(40), base_s: 5400, increment_s: 0 },
        Period { moves: None, base_s: 1800, increment_s: 0 },
    ];
    let rules = || Rules { periods: periods.clone(), ..rules(2023) };
    let position = |number| format!("r3k2r/pppq1ppp/2npbn2/4p3/4P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 0 {number}");
    let mut late = from_fen(&position(40), rules());
    show(&mut late, 0, 300);
    assert_eq!(alert(&late, AlertKind::FlagFall).and_then(|note| note.completed_moves), Some(39));
    assert_eq!(proposed(&late), Some((GameResult::BlackWins, ResultReason::Time)));

    let mut in_time = from_fen(&position(41), rules());
    show(&mut in_time, 0, 300);
    assert_eq!(proposal(&in_time).and_then(|proposal| proposal.action), Some(Action::Continue));
    show(&mut in_time, 1800, 300);
    show(&mut in_time, 0, 300);
    assert_eq!(proposed(&in_time), Some((GameResult::BlackWins, ResultReason::Time)), "the last period has no more");
}

#[test]
fn nobody_calls_a_flag_in_2009_under_limited_supervision_before_a_claim() {
    let limited = Rules { time_class: TimeClass::Rapid, supervision: Supervision::Limited, ..rules(2009) };
    let mut world = from_fen("8/5k2/8/8/3r4/8/1P4K1/8 w - - 0 60", limited);
    show(&mut world, 0, 300);
    assert_eq!((world.alerts(), world.state()), (vec![], State::Playing));
    world.order(&claim(Side::Black, Claim::Flag, None));
    assert_eq!(proposed(&world), Some((GameResult::BlackWins, ResultReason::Time)));
}

#[test]
fn of_two_flags_a_digital_clock_knows_the_first() {
    for (analogue, expected) in [
        (false, (GameResult::BlackWins, ResultReason::Time)),
        (true, (GameResult::Draw, ResultReason::BothFlagsLastPeriod)),
    ] {
        let rules = Rules { analogue, ..rules(2023) };
        let mut world = from_fen("8/5k2/8/8/3r4/8/1P4K1/8 w - - 0 60", rules);
        show(&mut world, 0, 300);
        assert!(!world.alerts().contains(&AlertKind::BothFlags));
        show(&mut world, 0, 0);
        assert!(world.alerts().contains(&AlertKind::BothFlags));
        assert_eq!(proposed(&world), Some(expected));
    }
}

#[test]
fn a_quickplay_claim_needs_little_time_and_a_rule_that_was_announced() {
    let mut world = at_start(Rules { quickplay: true, ..rules(2023) });
    show(&mut world, 120, 300);
    assert!(refuses(&mut world, &claim(Side::White, Claim::Quickplay, None)), "two minutes are left");
    show(&mut world, 119, 300);
    world.order(&claim(Side::White, Claim::Quickplay, None));
    assert!(world.alerts().contains(&AlertKind::QuickplayClaim));
    assert_eq!((world.state(), proposal(&world)), (State::AwaitingArbiter, None), "no opinion");
}

#[test]
fn little_time_exempts_from_writing_in_standard_games_without_increment() {
    let exempt = |rules: Rules, seconds| {
        let mut world = at_start(rules);
        show(&mut world, seconds, 3600);
        alert(&world, AlertKind::ScoresheetExempt).is_some()
    };
    let increment = vec![Period { moves: None, base_s: 5400, increment_s: 30 }];
    assert!(exempt(rules(2023), 299));
    assert!(!exempt(rules(2023), 300));
    assert!(!exempt(Rules { periods: increment, ..rules(2023) }, 299));
    assert!(!exempt(Rules { time_class: TimeClass::Rapid, ..rules(2023) }, 299));
}

#[test]
fn a_clock_that_is_pulled_out_is_lost_and_one_that_never_was_is_not() {
    let mut world = World::at_start();
    world.observe(Observation::Clock(ClockSense::Absent));
    world.observe(Observation::Clock(ClockSense::Absent));
    assert_eq!(world.alerts(), [AlertKind::ClockLost]);
    let mut without = World::without_clock();
    without.observe(Observation::Clock(ClockSense::Absent));
    assert_eq!(without.alerts(), []);
}

#[test]
fn what_a_blind_player_plays_has_to_be_what_was_announced() {
    let announced = |words: Option<&str>, blind| {
        let mut world = at_start(Rules { blind, pegs: true, ..rules(2023) });
        world.play("0.4 lift g1\n0.8 place N f3\n1 still");
        if let Some(text) = words {
            world.order(&Command::Announce { side: Side::White, text: text.to_owned(), play: false });
        }
        world.play("0.4 press\n2 still");
        alert(&world, AlertKind::AnnouncementMismatch).and_then(|note| note.detail)
    };
    assert_eq!(announced(Some("Springer Gustav eins Felix drei"), Blind::White), None);
    for said in ["g1 f3", "La\u{308}ufer g1 f3", "Turm g1 f3"] {
        let expected = (said != "g1 f3").then_some(MismatchDetail::Different);
        assert_eq!(announced(Some(said), Blind::White), expected, "{said}");
    }
    assert_eq!(announced(None, Blind::White), Some(MismatchDetail::Missing));
    assert_eq!(announced(None, Blind::Black), None);
    assert_eq!(announced(Some("Springer Gustav eins Hector drei"), Blind::White), Some(MismatchDetail::Different));
}
