//! The certificates of a game: what holds on from move to move, what is asked again, what a correction drops.

use laws::dead::{Budget, Certificates, Search, Verdict, can_mate};
use shakmaty::{CastlingMode, Chess, Color, EnPassantMode, Move, Position, fen::Fen, san::San};

const BUDGET: Budget = Budget(100_000);

#[test]
fn a_line_holds_while_the_game_follows_it() {
    let mut game = Certificates::new(Chess::default());
    let line = line(&mut game, Color::White);
    for (played, next) in line.iter().enumerate() {
        assert_eq!(self::line(&mut game, Color::White), line[played..]);
        assert!(game.play(*next));
    }
    assert!(game.position().is_checkmate());
    assert_eq!((game.tally().searched, game.tally().held), (1, line.len() as u64));
}

#[test]
fn after_moves_that_can_be_taken_back_the_line_leads_back() {
    let mut game = Certificates::new(Chess::default());
    let first = line(&mut game, Color::White);
    let aside = ["Nh3", "Nh6", "Ng1"].into_iter().find(|san| {
        let legal = san.parse::<San>().expect("a move").to_move(game.position());
        legal.is_ok_and(|legal| Some(&legal) != first.first())
    });
    assert!(game.play(san(&game, aside.expect("a move that is not of the line"))));
    let bent = line(&mut game, Color::White);
    assert_eq!(game.tally().searched, 1);
    assert!(bent.ends_with(&first), "back to the start, then as before: {bent:?}");
    replay(&game, &bent, Color::White);
    // The other knight as well: two moves to take back and none to pass.
    assert!(game.play(san(&game, "Na6")));
    let bent = line(&mut game, Color::White);
    assert_eq!((bent.len(), game.tally().searched), (first.len() + 2, 1));
    replay(&game, &bent, Color::White);
}

#[test]
fn every_line_of_any_game_is_legal_and_mates() {
    let starts = [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", CastlingMode::Standard),
        ("nrkbbqrn/pppppppp/8/8/8/8/PPPPPPPP/NRKBBQRN w KQkq - 0 1", CastlingMode::Chess960),
        ("r3k2r/p6p/8/1pP5/1Pp5/8/P6P/R3K2R w KQkq b6 0 1", CastlingMode::Standard),
        ("1r1k2r1/p6p/8/1pP5/1Pp5/8/P6P/1R1K2R1 w GBgb b6 0 1", CastlingMode::Chess960),
    ];
    let mut throw = dice(7);
    for (fen, mode) in starts {
        for _ in 0..6 {
            let mut game = Certificates::new(position(fen, mode));
            for _ in 0..60 {
                for color in Color::ALL {
                    if let Verdict::CanMate(mate) = game.can_mate(color, Budget::TABLE) {
                        let line = mate.line().to_vec();
                        replay(&game, &line, color);
                    }
                }
                let moves = game.position().legal_moves();
                if moves.is_empty() {
                    break;
                }
                game.play(moves[throw(moves.len())]);
            }
            let tally = game.tally();
            assert!(tally.bent > 0 && tally.searched > 0, "{tally:?}");
        }
    }
}

/// What is found out at the table, and after how many positions, decides with which ply a game is over: journals name the
/// version of the search (`mate_search`). Whoever changes what comes out here makes another version, and keeps this one.
#[test]
fn the_numbers_of_the_search_are_those_of_its_version() {
    let walls = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "2b1k3/8/8/1p1p1p1p/1P1P1P1P/8/8/2B1K3 w - - 0 1",
        "5b2/p7/Pp3k2/1Pp1pBp1/2P1P1P1/5K2/8/8 w - - 0 1",
        "8/1k5B/7b/8/1p1p1p1p/1PpP1P1P/2P3K1/N3b3 b - - 0 1",
        "1b3kBR/4pP1P/1p1pP2P/1P1P4/8/K5p1/6P1/1B6 b - - 0 1",
        "4kb2/4p3/2pp4/3p2p1/1p1K1pP1/1P1P1P2/8/1B6 b - - 0 1",
        "8/8/3k4/8/2n5/8/3K1Q2/8 w - - 0 1",
        "7k/8/8/1p2b3/1P6/8/3B4/4K3 w - - 0 1",
    ];
    let (mut spent, mut tally, mut found) = (0, [0; 3], [0; 3]);
    for (seed, fen) in (1..).zip(walls) {
        let mut throw = dice(seed);
        let mut game = Certificates::new(position(fen, CastlingMode::Standard));
        for _ in 0..40 {
            for color in Color::ALL {
                let mut search = Search::new(game.position(), color);
                _ = search.step(Budget::TABLE.0);
                spent += search.spent();
                found[match game.can_mate(color, Budget::TABLE) {
                    Verdict::CanMate(_) => 0,
                    Verdict::CannotMate(_) => 1,
                    Verdict::Unknown { .. } => 2,
                }] += 1;
            }
            let moves = game.position().legal_moves();
            if moves.is_empty() {
                break;
            }
            game.play(moves[throw(moves.len())]);
        }
        let said = game.tally();
        tally = [tally[0] + said.held, tally[1] + said.bent, tally[2] + said.searched];
    }
    assert_eq!((spent, tally, found), (273_808, [313, 192, 135], [304, 282, 54]));
}

fn dice(mut dice: u64) -> impl FnMut(usize) -> usize {
    move |end| {
        dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(dice >> 33).expect("31 bits") % end
    }
}

/// Whoever can't mate never can, until an earlier position is restored.
#[test]
fn cannot_mate_holds_for_good_and_not_after_a_correction() {
    let before = position("7r/8/8/8/3k4/8/3P4/3K4 b - - 0 1", CastlingMode::Standard);
    let mut game = Certificates::new(position("7r/8/8/8/3k4/8/3P4/3K4 w - - 0 1", CastlingMode::Standard));
    assert!(matches!(game.can_mate(Color::White, BUDGET), Verdict::CanMate(_)));
    for played in ["Kc2", "Rh2", "Kb3", "Rxd2"] {
        let next = san(&game, played);
        assert!(game.play(next), "{played}");
    }
    assert!(matches!(game.can_mate(Color::White, BUDGET), Verdict::CannotMate(_)));
    let searched = game.tally().searched;
    for played in ["Kb4", "Rd1", "Kb3", "Rd2"] {
        let next = san(&game, played);
        assert!(game.play(next), "{played}");
        assert!(matches!(game.can_mate(Color::White, Budget(0)), Verdict::CannotMate(_)), "{played}");
    }
    assert_eq!(game.tally().searched, searched, "it was not asked again");
    game.restore(before);
    assert!(game.known(Color::White).is_none());
    assert!(matches!(game.can_mate(Color::White, BUDGET), Verdict::CanMate(_)), "the pawn is back on the board");
}

#[test]
fn what_is_found_out_aside_is_taken_over_where_it_belongs() {
    let start = position("7r/8/8/8/3k4/8/8/3K4 w - - 0 1", CastlingMode::Standard);
    let white = || can_mate(&start, Color::White, BUDGET);
    let mut game = Certificates::new(start.clone());
    for played in ["Kc2", "Kc5"] {
        let next = san(&game, played);
        game.play(next);
    }
    assert_eq!(game.learn(white()), Some(0), "about the position the game began from");
    assert!(matches!(game.known(Color::White), Some(Verdict::CannotMate(_))));
    // A line found two moves ago is not one from here.
    assert_eq!(game.learn(can_mate(&start, Color::Black, BUDGET)), Some(0));
    assert!(game.known(Color::Black).is_none());
    let now = can_mate(game.position(), Color::Black, BUDGET);
    assert_eq!(game.learn(now), Some(2));
    assert!(matches!(game.known(Color::Black), Some(Verdict::CanMate(_))));
    // Another game, where White has a queen: nothing of this is about it.
    game.restore(position("1Q5r/8/8/8/3k4/8/8/3K4 w - - 0 1", CastlingMode::Standard));
    assert_eq!(game.learn(white()), None);
    assert!(game.known(Color::White).is_none());
}

#[test]
fn what_is_unknown_is_asked_again() {
    let wall = "5b2/p7/Pp3k2/1Pp1pBp1/2P1P1P1/5K2/8/8 w - - 0 1";
    let mut game = Certificates::new(position(wall, CastlingMode::Standard));
    assert!(matches!(game.can_mate(Color::Black, Budget(1)), Verdict::Unknown { .. }));
    assert!(game.known(Color::Black).is_none());
    assert!(matches!(game.can_mate(Color::Black, Budget(1_000_000)), Verdict::CannotMate(_)));
}

/// The men are back where they were when the line was found; the right to castle is not.
#[test]
fn no_way_leads_back_to_a_right_that_is_lost() {
    let mut game = Certificates::new(position("4k2r/7p/8/8/8/8/7P/4K2R w Kk - 0 1", CastlingMode::Standard));
    let first = line(&mut game, Color::White);
    for played in ["Ke2", "Ke7", "Ke1", "Ke8"] {
        let next = san(&game, played);
        game.play(next);
        let line = line(&mut game, Color::White);
        replay(&game, &line, Color::White);
    }
    assert_ne!(first.len(), 0);
    assert!(game.tally().searched + game.tally().bent > 1);
}

fn line(game: &mut Certificates, color: Color) -> Vec<Move> {
    let Verdict::CanMate(mate) = game.can_mate(color, BUDGET) else { panic!("{color} can mate") };
    mate.line().to_vec()
}

fn replay(game: &Certificates, line: &[Move], color: Color) {
    let mut after = game.position().clone();
    let here = || format!("{}, {color}: {line:?}", Fen::from_position(game.position(), EnPassantMode::Legal));
    for next in line {
        assert!(after.legal_moves().contains(next), "{next:?} is not legal: {}", here());
        after.play_unchecked(*next);
    }
    assert!(after.is_checkmate() && after.turn() != color, "no mate: {}", here());
}

fn san(game: &Certificates, text: &str) -> Move {
    text.parse::<San>().expect("a move").to_move(game.position()).expect("a legal move")
}

fn position(fen: &str, mode: CastlingMode) -> Chess {
    fen.parse::<Fen>().expect("a FEN").into_position(mode).expect("a position")
}
