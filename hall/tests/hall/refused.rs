//! What people meet on the pages when something is not done is known there as a word, whatever language they read.

use protocol::feed::{Because, Claim, Command, Rules, Score, Side};

use crate::world::World;

const AFTER_E4_E5: &str = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";

#[test]
fn whatever_a_button_of_the_console_meets_is_known_as_a_word() {
    let claim = |claim, intended: Option<&str>| Command::Claim {
        side: Side::White,
        claim,
        intended: intended.map(str::to_owned),
    };
    let quickplay = |rules: Rules| {
        let mut world = World::from_fen(AFTER_E4_E5);
        world.order(&Command::Rules { rules: Box::new(rules) });
        because(&mut world, &claim(Claim::Quickplay, None))
    };
    let insert = |text: &str| Command::Insert { ply: None, moves: vec![text.to_owned()], cut: false };
    for (order, known) in [
        (Command::Confirm, Because::NothingProposed),
        (Command::Reject, Because::NothingProposed),
        (Command::Choose { alternative: 1 }, Because::NothingToChoose),
        (Command::Undo { plies: 1 }, Because::NoMoves),
        (Command::Restore { to: 3 }, Because::FewerMoves { moves: 0 }),
        (claim(Claim::Threefold, Some("Sf3")), Because::NoMove { text: "Sf3".into() }),
        (claim(Claim::IllegalMove, None), Because::NoIllegalMove),
        (claim(Claim::Flag, None), Because::NoFlag),
        (insert("Ke3"), Because::IllegalMove { text: "Ke3".into(), side: Side::White, number: 2 }),
        (Command::DrawAccept { side: Side::White }, Because::NoOffer),
        (Command::OpenSealed { text: "Nf3".into() }, Because::NotAdjourned),
        (Command::AdjustTimes { white_ms: 90_000_000, black_ms: 1 }, Because::NoSuchClock),
    ] {
        assert_eq!(because(&mut World::from_fen(AFTER_E4_E5), &order), Some(known), "{order:?}");
    }
    assert_eq!(quickplay(Rules { edition: 1993, ..Rules::default() }), Some(Because::NoQuickplay));
    assert_eq!(quickplay(Rules { edition: 2023, ..Rules::default() }), Some(Because::QuickplayNotAnnounced));
}

#[test]
fn so_is_what_comes_too_late_or_too_early() {
    let mut world = World::from_fen(AFTER_E4_E5);
    world.order(&Command::Adjourn { clocks_ms: None });
    world.play("1 lift g1");
    let sealed = Command::OpenSealed { text: "Nf3".into() };
    assert_eq!(because(&mut world, &sealed), Some(Because::BoardDiffers { squares: vec!["g1".into()] }));

    let mut world = World::from_fen(AFTER_E4_E5);
    world.order(&Command::Result { result: Score::Draw });
    for order in [Command::Stop, Command::Resume, Command::Resign { side: Side::Black }] {
        assert_eq!(because(&mut world, &order), Some(Because::GameOver), "{order:?}");
    }
}

fn because(world: &mut World, order: &Command) -> Option<Because> {
    world.refusal(order).because
}
