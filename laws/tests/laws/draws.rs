//! Repetition and counters on whole games: what ends a game, what a claim finds.

use laws::{
    Edition,
    draws::{Answer, Arm, Claim, Confirmation, DrawnByRule, Ground, History, Limits, Shortfall, annex_1993::Blockade},
};
use shakmaty::{CastlingMode, Chess, Color, Position, fen::Fen, uci::UciMove};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
/// Two moves each, after which everything stands where it stood.
const AND_BACK: &str = "g1f3 g8f6 f3g1 f6g8";

#[test]
fn a_double_step_nobody_can_answer_en_passant_does_not_part_positions() {
    let game = Game::play(START, &format!("e2e4 {}", "g8f6 g1f3 f6g8 f3g1 ".repeat(2)));
    assert_eq!(game.history.times(), 3, "no black pawn stands beside e4");
}

#[test]
fn a_capture_en_passant_that_was_possible_parts_positions() {
    let before = "rnbqkbnr/pppp1ppp/8/8/4p3/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let game = Game::play(before, &format!("d2d4 {}", "g8f6 g1f3 f6g8 f3g1 ".repeat(2)));
    assert_eq!(game.history.times(), 2, "the first time e4 could take on d3");
}

#[test]
fn a_pawn_pinned_to_its_king_could_not_take_en_passant() {
    // The pawn on e4 shields its king on e8 from the rook.
    let before = "4k1n1/8/8/8/4p3/8/3P4/4R1KN w - - 0 1";
    let game = Game::play(before, &format!("d2d4 {}", "g8f6 h1g3 f6g8 g3h1 ".repeat(2)));
    assert_eq!(game.history.times(), 3);
}

#[test]
fn a_rook_that_moved_and_came_back_makes_another_position() {
    let game = Game::play(START, &format!("{AND_BACK} h2h4 h7h5 h1h2 h8h7 h2h1 h7h8 h1h2 h8h7 h2h1 h7h8"));
    assert_eq!(game.history.times(), 2, "before the rooks moved there was a right to castle");
}

#[test]
fn in_chess960_it_matters_which_rook_has_the_right() {
    // Rooks on f1 and g1 could both be the king's rook; letters name the one that may castle.
    let placed = "4k3/8/8/8/8/8/8/1K3RR1 w";
    let inner = read(&format!("{placed} F - 0 1"), CastlingMode::Chess960);
    let outer = read(&format!("{placed} G - 0 1"), CastlingMode::Chess960);
    let mut history = History::starting_from(&inner);
    history.push(&outer);
    assert_eq!(history.times(), 1);
    history.push(&inner);
    assert_eq!(history.times(), 2);
}

#[test]
fn whose_move_it_is_parts_positions() {
    let white = read("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", CastlingMode::Standard);
    let black = read("4k3/8/8/8/8/8/8/R3K3 b - - 0 1", CastlingMode::Standard);
    let mut history = History::starting_from(&white);
    history.push(&black);
    assert_eq!(history.times(), 1);
}

#[test]
fn the_fifth_occurrence_ends_the_game_since_2014() {
    let game = Game::play(START, &[AND_BACK; 4].join(" "));
    assert_eq!(game.drawn(Edition::E1993), None);
    assert_eq!(game.drawn(Edition::E2009), None);
    for edition in [Edition::E2014, Edition::E2018, Edition::E2023] {
        assert_eq!(game.drawn(edition), Some(DrawnByRule::Fivefold));
    }
}

#[test]
fn in_2014_the_five_have_to_follow_one_another() {
    let the_long_way_round = "b1c3 b8c6 g1f3 c6b8 f3g1 g8f6 c3b1 f6g8";
    let game = Game::play(START, &format!("{AND_BACK} {AND_BACK} {the_long_way_round} {AND_BACK}"));
    assert_eq!((game.history.times(), game.history.times_running()), (5, 2));
    assert_eq!(game.drawn(Edition::E2014), None);
    assert_eq!(game.drawn(Edition::E2018), Some(DrawnByRule::Fivefold));
    // Three more in a row after the long way make five without interruption.
    let game = Game::play(START, &format!("{AND_BACK} {the_long_way_round} {}", [AND_BACK; 4].join(" ")));
    assert_eq!((game.history.times(), game.history.times_running()), (7, 5));
    assert_eq!(game.drawn(Edition::E2014), Some(DrawnByRule::Fivefold));
}

#[test]
fn seventy_five_moves_end_the_game_since_2014_and_mate_goes_first() {
    let quiet = Game::play("8/8/3k4/8/8/3K4/R7/8 w - - 149 150", "a2b2");
    assert_eq!(quiet.drawn(Edition::E2009), None);
    assert_eq!(quiet.drawn(Edition::E2014), Some(DrawnByRule::SeventyFive));
    let mating = Game::play("3k4/8/3K4/8/8/8/7R/8 w - - 149 150", "h2h8");
    assert_eq!(mating.drawn(Edition::E2023), None);
    assert!(mating.position.is_checkmate());
    let almost = Game::play("8/8/3k4/8/8/3K4/R7/8 w - - 148 150", "a2b2");
    assert_eq!(almost.drawn(Edition::E2023), None);
}

#[test]
fn castling_and_lost_rights_are_no_fresh_start_for_the_count() {
    let game = Game::play("4k3/8/8/8/8/8/8/R3K2R w KQ - 97 80", "e1g1 e8e7 a1a7");
    assert_eq!(game.history.quiet_plies(), 100);
}

#[test]
fn a_claim_is_answered_with_every_occurrence() {
    let game = Game::play(START, &[AND_BACK; 2].join(" "));
    let answer = game.claim(Color::White, Ground::Threefold, None);
    assert_eq!(answer.verdict, Confirmation::Confirmed(Arm::Appeared));
    assert_eq!(plies(&answer), [0, 4, 8]);
}

#[test]
fn a_claim_with_a_move_counts_the_occurrence_to_come() {
    let game = Game::play(START, &format!("{AND_BACK} g1f3 g8f6 f3g1"));
    let answer = game.claim(Color::Black, Ground::Threefold, Some("f6g8"));
    assert_eq!(answer.verdict, Confirmation::Confirmed(Arm::Announced));
    assert_eq!(plies(&answer), [0, 4, 8]);
    assert_eq!(answer.occurrences[2].to_string(), "after 4...");
    let other = game.claim(Color::Black, Ground::Threefold, Some("f6h5"));
    assert_eq!(other.verdict, Confirmation::NotConfirmed(Shortfall::TooFew));
    assert_eq!(plies(&other), [8]);
}

#[test]
fn the_announced_move_is_the_hundredth_ply_unless_it_begins_anew() {
    let game = Game::play("8/8/3k4/4p3/8/3K4/R6P/8 w - - 98 120", "a2b2");
    let fifty = |intended| game.claim(Color::Black, Ground::Fifty, intended);
    assert_eq!(fifty(None).verdict, Confirmation::NotConfirmed(Shortfall::TooFew));
    let answer = fifty(Some("d6d5"));
    assert_eq!((answer.verdict, answer.quiet_plies), (Confirmation::Confirmed(Arm::Announced), 100));
    let pawn = fifty(Some("e5e4"));
    assert_eq!((pawn.verdict, pawn.quiet_plies), (Confirmation::NotConfirmed(Shortfall::TooFew), 0));
    assert_eq!(fifty(Some("d6d4")).verdict, Confirmation::NotConfirmed(Shortfall::IllegalMove));
}

#[test]
fn who_has_pressed_the_clock_cannot_claim() {
    let game = Game::play(START, &[AND_BACK; 2].join(" "));
    let answer = game.claim(Color::Black, Ground::Threefold, None);
    assert_eq!(answer.verdict, Confirmation::NotConfirmed(Shortfall::NotOnMove));
}

#[test]
fn what_stands_on_the_board_makes_a_claim_correct_whatever_is_written_down() {
    let game = Game::play(START, &[AND_BACK; 2].join(" "));
    for intended in ["e2e4", "e2e5"] {
        let answer = game.claim(Color::White, Ground::Threefold, Some(intended));
        assert_eq!(answer.verdict, Confirmation::Confirmed(Arm::Appeared), "{intended}");
    }
}

#[test]
fn the_annex_of_1993_asks_for_seventy_five() {
    let game = Game::play("8/8/8/3k4/8/8/4r3/3KRB2 w - - 148 120", "");
    let answer = |annex, intended: Option<&str>| {
        let claim = Claim { by: Color::White, ground: Ground::Fifty, intended: intended.map(uci) };
        claim.examine(&game.history, &game.position, Limits { annex, pawns_only: false })
    };
    assert!(answer(None, None).verdict.is_confirmed());
    assert_eq!(answer(Some(Blockade::Blocked), None).needed_plies, 150);
    assert!(!answer(Some(Blockade::Blocked), None).verdict.is_confirmed());
    // Taking the rook leaves the annex, and begins to count anew.
    assert!(!answer(Some(Blockade::Blocked), Some("e1e2")).verdict.is_confirmed());
}

#[test]
fn to_the_letter_of_1993_captures_do_not_count() {
    let game = Game::play("8/8/3k4/8/8/3K4/R6r/8 w - - 99 120", "a2h2");
    assert_eq!((game.history.quiet_plies(), game.history.plies_without_a_pawn()), (0, 100));
    let claim = Claim { by: Color::Black, ground: Ground::Fifty, intended: None };
    let answer = |pawns_only| claim.examine(&game.history, &game.position, Limits { annex: None, pawns_only });
    assert!(!answer(false).verdict.is_confirmed());
    assert!(answer(true).verdict.is_confirmed());
}

#[test]
fn a_pawn_that_was_taken_has_not_moved() {
    let game = Game::play("4k3/8/8/8/8/8/r6P/4K2R b - - 5 10", "a2h2");
    assert_eq!(game.history.plies_without_a_pawn(), 6);
    let game = Game::play("4k3/P7/8/8/8/8/8/4K3 w - - 5 10", "a7a8q");
    assert_eq!(game.history.plies_without_a_pawn(), 0);
    let game = Game::play("4k3/8/8/8/8/8/6pP/4K2R b - - 5 10", "g2h1q");
    assert_eq!(game.history.plies_without_a_pawn(), 0);
}

#[test]
fn moves_taken_back_have_never_been() {
    let mut game = Game::play(START, &[AND_BACK; 2].join(" "));
    game.history.truncate(4);
    assert_eq!((game.history.plies(), game.history.times()), (4, 2));
    game.history.truncate(0);
    assert_eq!((game.history.plies(), game.history.times()), (0, 1));
}

#[test]
fn a_position_that_only_an_illegal_move_reaches_counts_too() {
    let mut game = Game::play("4k3/8/8/8/8/8/4R3/4K3 b - - 10 40", "");
    // Black leaves the king in check and White the own one: both are attacked, and no legal game has that.
    let both_in_check = "4k3/4R3/8/8/8/8/8/4K2r w - - 11 41";
    let setup = both_in_check.parse::<Fen>().expect("a FEN").into_setup();
    assert!(setup.clone().position::<Chess>(CastlingMode::Standard).is_err());
    game.history.push_irregular(&setup);
    assert_eq!((game.history.plies(), game.history.times(), game.history.quiet_plies()), (1, 1, 11));
    game.history.push(&game.position);
    assert_eq!(game.history.times(), 2, "what stood before the irregularity has occurred before");
    game.history.push_irregular(&setup);
    assert_eq!(game.history.times(), 2);
}

/// A game and what is counted along it.
struct Game {
    position: Chess,
    history: History,
}

impl Game {
    fn play(fen: &str, moves: &str) -> Game {
        let mut position = read(fen, CastlingMode::Standard);
        let mut history = History::starting_from(&position);
        for played in moves.split_whitespace() {
            position.play_unchecked(uci(played).to_move(&position).expect("a legal move"));
            history.push(&position);
        }
        Game { position, history }
    }

    fn drawn(&self, edition: Edition) -> Option<DrawnByRule> {
        DrawnByRule::of(&self.history, &self.position, edition)
    }

    fn claim(&self, by: Color, ground: Ground, intended: Option<&str>) -> Answer {
        let claim = Claim { by, ground, intended: intended.map(uci) };
        claim.examine(&self.history, &self.position, Limits::default())
    }
}

fn plies(answer: &Answer) -> Vec<usize> {
    answer.occurrences.iter().map(|occurrence| occurrence.ply).collect()
}

fn uci(text: &str) -> UciMove {
    text.parse().expect("a move in UCI")
}

fn read(fen: &str, mode: CastlingMode) -> Chess {
    fen.parse::<Fen>().expect("a FEN").into_position(mode).expect("a position")
}
