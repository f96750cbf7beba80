//! What belongs to a game that closes: a result is given, agreed or claimed, or a player resigns, and the last ply was not
//! pressed.

use hall::table::Say;
use protocol::feed::{
    Action, AlertKind, Claim, Command, Entry, GameResult, Proposal, Rules, Score, Side, State, Variant,
};

use crate::world::World;

/// e4 e5, both pressed, and a knight that nobody presses for.
const LONE: &str =
    "0.0 lift e2\n0.5 place P e4\n1.0 press\n2.0 lift e7\n2.5 place p e5\n3.0 press\n4.0 lift g1\n4.5 place N f3";

/// Both knights go out and come back, and the last of these plies is not pressed.
const DANCE: &str = "
    1 lift g1\n 1.4 place N f3\n 2 press\n 3 lift g8\n 3.4 place n f6\n 4 press
    5 lift f3\n 5.4 place N g1\n 6 press\n 7 lift f6\n 7.4 place n g8";

const MEN: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";

/// And what is played on it while nobody presses.
const REPLY: &str = "1.5 lift b8\n2.0 place n c6\n3.0 still";

fn claims(claim: Claim) -> Vec<Command> {
    vec![Command::Claim { side: Side::Black, claim, intended: None }]
}

/// What players and arbiters say that closes a game. Only who has the move can claim a quickplay finish.
fn closes(on_move: Side) -> [Vec<Command>; 6] {
    [
        vec![Command::Resign { side: Side::Black }],
        vec![Command::DrawOffer { side: Side::White }, Command::DrawAccept { side: Side::Black }],
        vec![Command::Result { result: Score::Draw }],
        claims(Claim::Threefold),
        claims(Claim::Fifty),
        vec![Command::Claim { side: on_move, claim: Claim::Quickplay, intended: None }],
    ]
}

fn offered(world: &World) -> Proposal {
    let proposed = |entry: &Entry| if let Entry::Proposal(proposal) = entry { Some(proposal.clone()) } else { None };
    world.entries().filter_map(proposed).last().expect("something is proposed")
}

/// Each player has a minute left, and the quickplay rules were announced.
fn short_of_time() -> World {
    let mut world = World::at_start();
    world.order(&Command::Rules { rules: Box::new(Rules { quickplay: true, ..Rules::default() }) });
    world.play("0.0 clock 60 60\n0.1 tick");
    world
}

#[test]
fn the_only_ply_that_nobody_pressed_belongs_to_a_game_that_closes() {
    for (orders, others) in closes(Side::Black).into_iter().zip(closes(Side::White)) {
        let mut world = short_of_time();
        world.play(LONE).play("0.5 still");
        assert_eq!(world.record(), "e4 e5");
        orders.iter().for_each(|order| world.order(order));
        assert_eq!((world.record().as_str(), world.seen().as_str()), ("e4 e5 Nf3", "e4 e5 Nf3"), "{orders:?}");

        let mut replied = short_of_time();
        replied.play(LONE).play(REPLY);
        others.iter().for_each(|order| replied.order(order));
        assert_eq!((replied.record().as_str(), replied.seen().as_str()), ("e4 e5", "e4 e5"), "{others:?}");
    }
}

#[test]
fn a_close_that_is_entered_later_is_judged_as_of_the_moment_the_clock_was_stopped() {
    for orders in closes(Side::Black) {
        let mut world = short_of_time();
        world.play(LONE).play("0.5 stop").play(REPLY);
        orders.iter().for_each(|order| world.order(order));
        assert_eq!(world.record(), "e4 e5 Nf3", "{orders:?}");
    }
}

#[test]
fn a_claim_is_about_what_was_made_whether_pressed_or_not() {
    let claim = Command::Claim { side: Side::White, claim: Claim::Threefold, intended: None };
    let mut lone = World::at_start();
    lone.play(DANCE).play("0.6 press\n1 still").play(DANCE).play("0.6 still");
    lone.order(&claim);
    assert_eq!(lone.alerts(), [AlertKind::ThreefoldAvailable, AlertKind::ClaimVerified]);
    assert!(lone.record().ends_with("Ng1 Ng8"), "{}", lone.record());

    let mut two = World::at_start();
    two.play(DANCE).play("0.6 press\n1 still").play(&DANCE.replace("6 press\n", ""));
    two.play("0.6 still");
    two.order(&claim);
    assert_eq!(two.alerts().last(), Some(&AlertKind::ClaimVerified), "two plies were not pressed");

    let mut shown = World::at_start();
    shown.play(DANCE).play("0.6 press\n1 still");
    shown.play(&DANCE.replace("5 lift f3", "4.5 stop\n 5 lift f3").replace("6 press\n", ""));
    shown.order(&claim);
    assert_eq!(
        shown.alerts().last(),
        Some(&AlertKind::ClaimNotConfirmed),
        "the knights went home after the clock was stopped"
    );
}

#[test]
fn a_flag_nobody_has_ruled_about_waits_through_the_next_game_for_an_order_about_its_own() {
    let begun_anew = || {
        let mut world = World::at_start();
        world.play(LONE).play("0.6 press\n5 flag black\n6 stop");
        assert_eq!(offered(&world).result, Some(GameResult::WhiteWins));
        world.play(&format!("1 set {MEN}\n9 still"));
        world.play("0.5 clock 300 300\n1 press\n1.5 go\n2 lift d2\n2.5 place P d4\n3 press\n4 still");
        assert_eq!((world.games(), world.record().as_str(), world.state()), (2, "d4", State::Playing));
        assert_eq!((offered(&world).game, offered(&world).result), (Some(1), Some(GameResult::WhiteWins)));
        world
    };
    let given = |world: &World| {
        world.entries().find_map(|entry| {
            let Entry::Earlier { game, entry } = entry else { return None };
            let Entry::Result { result, .. } = **entry else { return None };
            Some((*game, result))
        })
    };
    let mut confirmed = begun_anew();
    confirmed.order(&Command::Confirm);
    assert_eq!((given(&confirmed), confirmed.state()), (Some((1, GameResult::WhiteWins)), State::Playing));
    assert!(confirmed.refuse(&Command::Confirm).contains("nothing is proposed"));

    let mut rejected = begun_anew();
    rejected.order(&Command::Reject);
    assert_eq!((given(&rejected), rejected.state()), (None, State::Playing));
    assert!(rejected.refuse(&Command::Reject).contains("nothing is proposed"));

    let mut resigned = begun_anew();
    resigned.order(&Command::Resign { side: Side::White });
    assert_eq!(offered(&resigned).game, None);
    resigned.order(&Command::Confirm);
    assert_eq!((resigned.result(), given(&resigned)), (GameResult::BlackWins, None));
    assert_eq!(offered(&resigned).game, Some(1), "it is told again once nothing else is offered");
    resigned.order(&Command::Confirm);
    assert_eq!(given(&resigned), Some((1, GameResult::WhiteWins)));
}

#[test]
fn a_claim_that_is_not_accepted_lets_the_game_go_on() {
    for ruling in [Command::Confirm, Command::Reject, Command::Resume] {
        let mut world = World::at_start();
        world.play(LONE).play("0.5 still");
        claims(Claim::Threefold).iter().for_each(|order| world.order(order));
        assert_eq!(offered(&world).action, Some(Action::PenaliseWrongClaim));
        assert_eq!((world.state(), world.record().as_str()), (State::AwaitingArbiter, "e4 e5 Nf3"));
        world.order(&ruling);
        assert_eq!((world.state(), world.record().as_str()), (State::Playing, "e4 e5 Nf3"), "{ruling:?}");
        world.play("1.0 press\n2.0 lift b8\n2.5 place n c6\n3.5 still");
        world.order(&Command::Resign { side: Side::White });
        assert_eq!(world.record(), "e4 e5 Nf3 Nc6", "{ruling:?}");
    }
}

#[test]
fn a_claim_hides_plies_that_nobody_pressed_until_the_game_goes_on() {
    let mut world = World::at_start();
    world.play(LONE).play(REPLY);
    claims(Claim::Threefold).iter().for_each(|order| world.order(order));
    assert_eq!((world.record().as_str(), world.seen().as_str()), ("e4 e5", "e4 e5"));
    world.order(&Command::Resume);
    assert_eq!((world.record().as_str(), world.seen().as_str()), ("e4 e5", "e4 e5 Nf3 Nc6"));
    world.play("1.0 lift f1\n1.5 place B b5\n2.0 press\n3.0 still");
    assert_eq!(world.record(), "e4 e5 Nf3 Nc6 Bb5");
}

#[test]
fn a_mate_that_nobody_pressed_ends_the_game_before_anybody_can_resign_or_claim() {
    for order in [Command::Resign { side: Side::Black }, claims(Claim::Threefold).remove(0)] {
        let mut world = World::from_fen("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 30");
        world.play("0.4 lift a1\n0.8 place R a8\n1.0 still");
        world.order(&order);
        assert_eq!((world.state(), world.result()), (State::Ended, GameResult::WhiteWins), "{order:?}");
        assert_eq!(world.alerts(), [AlertKind::Checkmate], "{order:?}");
    }
}

#[test]
fn a_penalty_that_is_confirmed_late_leaves_a_mate_as_it_is() {
    let mut world = World::from_fen("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 30");
    world.play("0.4 press white\n2.0 lift a1\n2.4 place R a8\n3.0 press\n4.0 still");
    assert_eq!((world.state(), world.result()), (State::Ended, GameResult::WhiteWins));
    world.order(&Command::Confirm);
    assert_eq!((world.state(), world.result()), (State::Ended, GameResult::WhiteWins));
}

#[test]
fn a_game_that_somebody_begins_closes_the_one_before() {
    let mut world = World::at_start();
    world.play(LONE).play("0.5 still");
    let begun = world.said.len();
    world.order(&Command::NewGame { fen: None, variant: Variant::Standard });
    let last = world.said[begun..].iter().find_map(|(_, say)| {
        let Say::Entry(Entry::Final { san, .. }) = say else { return None };
        Some(san.as_str())
    });
    assert_eq!((last, world.games()), (Some("Nf3"), 2));
}

#[test]
fn the_last_ply_stands_though_nobody_has_pressed_it() {
    let plays = |hears: &str| {
        let mut world = World::at_start();
        world.play("0.0 lift e2\n0.5 place P e4\n0.9 press\n1.5 lift e7\n2.0 place p e5\n2.5 press");
        world.play(&format!("1.0 {hears} lift g1\n1.5 {hears} place N f3\n2.5 dump\n4.0 still"));
        // The game is over, and the men go home.
        for (from, man, to) in [("f3", "N", "g1"), ("e5", "p", "e7"), ("e4", "P", "e2")] {
            world.play(&format!("0.5 lift {from}\n1.0 place {man} {to}"));
        }
        world.play("4.0 still");
        assert_eq!(world.games(), 2);
        world.entries().any(|entry| matches!(entry, Entry::Final { san, .. } if san == "Nf3"))
    };
    assert!(plays("unheard"), "only a dump has told of it, and of no press either");
    assert!(plays(""), "the last move of a game need not be pressed");
}
