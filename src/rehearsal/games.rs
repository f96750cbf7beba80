//! The games that are played: from PGN, legal from the first move to the last.

use std::{
    cell::Cell,
    io::{self, Read},
    ops::ControlFlow,
    rc::Rc,
};

use pgn_reader::{RawComment, RawTag, Reader, SanPlus, Visitor};
use shakmaty::{CastlingMode, Chess, KnownOutcome, Move, Outcome, Position, fen::Fen};

/// One game.
#[derive(Clone, Debug)]
pub struct Game {
    /// The tags in their order.
    pub tags: Vec<(String, String)>,
    /// Where it begins.
    pub start: Chess,
    /// How castling is written in its set-up.
    pub castling: CastlingMode,
    /// The moves.
    pub moves: Vec<Move>,
    /// The result, if there is one.
    pub outcome: Option<KnownOutcome>,
    /// What is said last in it.
    pub remark: Option<String>,
}

/// Why a PGN can't be played.
#[derive(Debug, thiserror::Error)]
pub enum PgnError {
    /// Nothing to play.
    #[error("there is no game with moves in this PGN")]
    Empty,
    /// A set-up that is no position.
    #[error("game {game} (near line {line}) begins from a FEN that is no position: {fen}")]
    Fen {
        /// Counted from 1.
        game: usize,
        /// Counted from 1.
        line: usize,
        /// As it stands there.
        fen: String,
    },
    /// Another game than chess.
    #[error("game {game} (near line {line}) is {variant}: the men here play chess and Chess960 only; take it out")]
    Variant {
        /// Counted from 1.
        game: usize,
        /// Counted from 1.
        line: usize,
        /// As it stands there.
        variant: String,
    },
    /// A move that can't be played.
    #[error("game {game} (near line {line}): {number} {san} can't be played there")]
    Move {
        /// Counted from 1.
        game: usize,
        /// Counted from 1.
        line: usize,
        /// The number of the move, with its dots.
        number: String,
        /// As it stands there.
        san: String,
    },
    /// A file that ends in the middle of something.
    #[error("game {game} (near line {line}) breaks off: {cause}")]
    Broken {
        /// Counted from 1.
        game: usize,
        /// Counted from 1.
        line: usize,
        /// What the reader says.
        cause: io::Error,
    },
}

/// Two dozen short games, every special move among them.
pub fn embedded() -> Vec<Game> {
    read(include_bytes!("games.pgn")).expect("a test reads the games that are built in")
}

/// The games of a PGN that have moves: in others there is nothing to do on the board.
pub fn read(pgn: &[u8]) -> Result<Vec<Game>, PgnError> {
    let mut games = read_all(pgn)?;
    games.retain(|game| !game.moves.is_empty());
    if games.is_empty() { Err(PgnError::Empty) } else { Ok(games) }
}

/// All games of a PGN.
pub fn read_all(pgn: &[u8]) -> Result<Vec<Game>, PgnError> {
    let taken = Rc::new(Cell::new(0));
    let mut reader = Reader::new(Counted { bytes: pgn, taken: Rc::clone(&taken) });
    let mut games = Vec::new();
    for game in 1.. {
        let outcome = reader.read_game(&mut Player);
        let read = taken.get() - reader.buffer().len();
        let line = 1 + pgn[..read].iter().filter(|byte| **byte == b'\n').count();
        match outcome {
            Ok(None) => break,
            Ok(Some(Ok(played))) => games.push(played),
            Ok(Some(Err(Wrong::Fen(fen)))) => return Err(PgnError::Fen { game, line, fen }),
            Ok(Some(Err(Wrong::Variant(variant)))) => return Err(PgnError::Variant { game, line, variant }),
            Ok(Some(Err(Wrong::Move { number, san }))) => return Err(PgnError::Move { game, line, number, san }),
            Err(cause) => return Err(PgnError::Broken { game, line, cause }),
        }
    }
    Ok(games)
}

/// Bytes of which one knows how many were taken: the reader does not count lines.
struct Counted<'a> {
    bytes: &'a [u8],
    taken: Rc<Cell<usize>>,
}

impl Read for Counted<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.bytes.read(buffer)?;
        self.taken.set(self.taken.get() + count);
        Ok(count)
    }
}

enum Wrong {
    Fen(String),
    Variant(String),
    Move { number: String, san: String },
}

struct Player;

impl Visitor for Player {
    type Tags = Vec<(String, String)>;
    type Movetext = (Game, Chess);
    type Output = Result<Game, Wrong>;

    fn begin_tags(&mut self) -> ControlFlow<Self::Output, Self::Tags> {
        ControlFlow::Continue(Vec::new())
    }

    fn tag(&mut self, tags: &mut Self::Tags, name: &[u8], value: RawTag<'_>) -> ControlFlow<Self::Output> {
        tags.push((String::from_utf8_lossy(name).into_owned(), value.decode_utf8_lossy().into_owned()));
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, tags: Self::Tags) -> ControlFlow<Self::Output, Self::Movetext> {
        if let Some((_, variant)) = tags.iter().find(|(name, value)| name == "Variant" && !is_chess(value)) {
            return ControlFlow::Break(Err(Wrong::Variant(variant.clone())));
        }
        let fen = tags.iter().find(|(name, _)| name == "FEN").map(|(_, fen)| fen.clone());
        let Some((start, castling)) = set_up(fen.as_deref()) else {
            return ControlFlow::Break(Err(Wrong::Fen(fen.unwrap_or_default())));
        };
        let result = tags.iter().find(|(name, _)| name == "Result").map(|(_, result)| result.as_str());
        let outcome = result.and_then(|result| result.parse::<KnownOutcome>().ok());
        let game = Game { tags, start: start.clone(), castling, moves: Vec::new(), outcome, remark: None };
        ControlFlow::Continue((game, start))
    }

    fn san(&mut self, (game, position): &mut Self::Movetext, san: SanPlus) -> ControlFlow<Self::Output> {
        let Ok(mv) = san.san.to_move(position) else {
            let dots = if position.turn().is_white() { "." } else { "..." };
            let number = format!("{}{dots}", position.fullmoves());
            return ControlFlow::Break(Err(Wrong::Move { number, san: san.to_string() }));
        };
        game.moves.push(mv);
        position.play_unchecked(mv);
        ControlFlow::Continue(())
    }

    fn comment(&mut self, (game, _): &mut Self::Movetext, said: RawComment<'_>) -> ControlFlow<Self::Output> {
        game.remark = Some(String::from_utf8_lossy(said.as_bytes()).into_owned());
        ControlFlow::Continue(())
    }

    fn outcome(&mut self, (game, _): &mut Self::Movetext, outcome: Outcome) -> ControlFlow<Self::Output> {
        game.outcome = outcome.known();
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, (game, _): Self::Movetext) -> Self::Output {
        Ok(game)
    }
}

/// What programs write into the tag `Variant` of games with the rules of chess.
fn is_chess(variant: &str) -> bool {
    ["Standard", "Chess", "From Position", "Chess960", "Fischerandom", "Fischer Random"]
        .iter()
        .any(|known| known.eq_ignore_ascii_case(variant))
}

/// The position of a FEN. Rooks on other squares than the usual make it a Chess960 game.
fn set_up(fen: Option<&str>) -> Option<(Chess, CastlingMode)> {
    let Some(fen) = fen else { return Some((Chess::default(), CastlingMode::Standard)) };
    let setup = fen.parse::<Fen>().ok()?.into_setup();
    let castling = CastlingMode::detect(&setup);
    Some((setup.position(castling).ok()?, castling))
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::{CastlingSide, Role};

    #[test]
    fn the_embedded_games_show_every_special_move_and_result() {
        let games = embedded();
        assert_eq!(games.len(), 24);
        let all = || games.iter().flat_map(|game| &game.moves);
        assert!(all().any(|mv| mv.castling_side() == Some(CastlingSide::KingSide)));
        assert!(all().any(|mv| mv.castling_side() == Some(CastlingSide::QueenSide)));
        assert!(all().any(|mv| mv.is_en_passant()));
        assert!(all().any(|mv| mv.promotion() == Some(Role::Queen)));
        assert!(all().any(|mv| mv.promotion() == Some(Role::Knight)));
        for outcome in ["1-0", "0-1", "1/2-1/2"].map(|result| result.parse::<KnownOutcome>().ok()) {
            assert!(games.iter().any(|game| game.outcome == outcome), "{outcome:?}");
        }
        assert!(games.iter().any(|game| game.outcome.is_none()));
        assert!(games.iter().filter(|game| last(game).is_checkmate()).count() >= 3);
    }

    fn last(game: &Game) -> Chess {
        let mut position = game.start.clone();
        game.moves.iter().for_each(|mv| position.play_unchecked(*mv));
        position
    }

    #[test]
    fn a_move_that_can_not_be_played_is_named_with_game_and_line() {
        let wrong = b"[Event \"a\"]\n\n1. e4 e5 *\n\n[Event \"b\"]\n\n1. e4 e5\n2. Nf3 Ke6 *\n";
        let error = read(wrong).expect_err("the king can't jump");
        assert_eq!(error.to_string(), "game 2 (near line 8): 2... Ke6 can't be played there");
    }

    #[test]
    fn a_chess960_set_up_castles_from_where_the_rooks_stand() {
        let pgn = b"[FEN \"bqnb1rkr/pppppppp/8/8/8/8/PPPPPPPP/BQNB1RKR w HFhf - 0 1\"]\n\n1. O-O-O *\n";
        assert!(read(pgn).is_err(), "the way of the king is blocked");
        let pgn = b"[FEN \"4k3/8/8/8/8/8/8/1RK4R w HB - 0 1\"]\n\n1. O-O-O *\n";
        let games = read(pgn).expect("castling is legal");
        assert_eq!(games[0].castling, CastlingMode::Chess960);
    }

    #[test]
    fn another_variant_is_refused_by_its_name() {
        let error = read(b"[Variant \"Crazyhouse\"]\n\n1. e4 *\n").expect_err("men would drop from the sky");
        assert!(error.to_string().starts_with("game 1 (near line 3) is Crazyhouse: "), "{error}");
        assert!(read(b"[Variant \"chess960\"]\n\n1. e4 *\n").is_ok());
    }

    #[test]
    fn nonsense_gets_a_sentence() {
        assert_eq!(read(b"").expect_err("nothing").to_string(), "there is no game with moves in this PGN");
        let error = read(b"[FEN \"nobody home\"]\n\n1. e4 *\n").expect_err("no position").to_string();
        assert!(error.contains("nobody home"), "{error}");
        assert!(read(&[0xff; 3_000]).is_err());
    }
}
