//! What a player wrote: read as generously as its meaning allows.

use shakmaty::{CastlingSide, Chess, File, Move, Position, Rank, Role, Square};

use super::Language;

/// What is written in a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reading {
    /// Exactly one legal move.
    Legal(Move),
    /// Several legal moves fit: two men can go there, or the promotion piece is missing.
    Ambiguous(Vec<Move>),
    /// It is clear which move is meant, and it can't be played.
    Illegal,
    /// No move can be made out.
    Unclear,
}

impl Reading {
    /// The move, if there is exactly one.
    pub fn legal(&self) -> Option<Move> {
        match self {
            Reading::Legal(played) => Some(*played),
            Reading::Ambiguous(_) | Reading::Illegal | Reading::Unclear => None,
        }
    }
}

/// Reads a move written by hand in this position.
///
/// Both forms of algebraic notation are understood, and coordinates (`g1f3`, `e7e8q`); with or without the marks for
/// captures, check, mate, en passant, an offered draw and judgements; `0` or `O` for castling; a promotion with `=`,
/// `/`, brackets or nothing; a move number in front. Marks prove nothing: an `x` where nothing is taken does not make a
/// move unclear.
///
/// Letters are those of the player's language. Only where that makes no sense, small letters are read as pieces, and
/// only where that makes none either, English letters: what a word means is never bent to make the move a legal one.
///
/// ```
/// use laws::notation::{Language, Reading, read};
/// use shakmaty::{Chess, san::San};
///
/// let start = Chess::default();
/// let knight = "Nf3".parse::<San>()?.to_move(&start)?;
/// for written in ["Cf3", "Cg1-f3", "1. Cf3!", "cf3", "Nf3", "g1f3", "Cxf3 (=)"] {
///     assert_eq!(read(&start, Language::Spanish, written), Reading::Legal(knight), "{written}");
/// }
/// assert_eq!(read(&start, Language::Spanish, "Rf3"), Reading::Illegal);
/// assert_eq!(read(&start, Language::Spanish, "Cf"), Reading::Unclear);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read(position: &Chess, language: Language, written: &str) -> Reading {
    let core = Core::of(written);
    let ways = [(language, Case::AsWritten), (language, Case::Any), (Language::English, Case::AsWritten)];
    let Some(shape) = ways.into_iter().find_map(|(language, case)| core.shape(language, case)) else {
        return Reading::Unclear;
    };
    let mut fitting = position.legal_moves().into_iter().filter(|candidate| shape.fits(*candidate)).collect::<Vec<_>>();
    // Where the king can step to the square on which it castles, the squares alone mean the step.
    if fitting.iter().any(|fits| !fits.is_castle()) {
        fitting.retain(|fits| !fits.is_castle());
    }
    match fitting[..] {
        [] => Reading::Illegal,
        [only] => Reading::Legal(only),
        _ => Reading::Ambiguous(fitting),
    }
}

/// How letters are taken.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Case {
    /// Pieces are capital, files small.
    AsWritten,
    /// A letter that is no file where it stands may be a piece, and the other way round.
    Any,
}

/// What was written without everything that only accompanies a move.
struct Core(Vec<char>);

/// What the writing says of the move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    Castle(CastlingSide),
    Squares { role: Option<Role>, from: Part, to: Part, promotion: Option<Role> },
}

/// As much of a square as is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Part {
    file: Option<File>,
    rank: Option<Rank>,
}

/// Words that stand behind a move, without their dots.
const TRAILING: [&str; 12] = ["ep", "ap", "mate", "mat", "matt", "mato", "ch", "sch", "j", "jaque", "check", "schach"];

impl Core {
    fn of(written: &str) -> Core {
        let text = without_number(written.trim()).replace("(=)", "");
        let mut core = text
            .chars()
            .filter(|c| !c.is_whitespace() && !matches!(c, '.' | '-' | '–' | '—' | '+' | '#' | '!' | '?' | '†' | '‡'))
            .filter(|c| !matches!(c, 'x' | 'X' | '×' | ':' | '(' | ')' | '/' | '=' | '"' | '«' | '»'))
            .map(plain_figurine)
            .collect::<String>();
        for word in TRAILING {
            let lower = core.to_ascii_lowercase();
            // Behind a square only, so that no file or piece is taken for half a word.
            if let Some(rest) = lower.strip_suffix(word)
                && rest.ends_with(|c: char| c.is_ascii_digit())
            {
                core.truncate(core.len() - word.len());
            }
        }
        Core(core.chars().collect())
    }

    fn shape(&self, language: Language, case: Case) -> Option<Shape> {
        if let Some(side) = self.castling() {
            return Some(Shape::Castle(side));
        }
        let (promotion, rest) = match self.0.split_last() {
            Some((last, rest)) if rest.last().is_some_and(char::is_ascii_digit) && !last.is_ascii_digit() => {
                (Some(promotion(language, *last, rest.len())?), rest)
            }
            _ => (None, &self.0[..]),
        };
        let lead = rest.first().and_then(|first| language.role(*first).or_else(|| Language::Figurine.role(*first)));
        let small = rest.first().and_then(|first| role(language, *first));
        let ways: &[(Option<Role>, usize)] = match case {
            Case::AsWritten => &[(lead, 1), (None, 0)],
            Case::Any => &[(lead, 1), (None, 0), (small, 1)],
        };
        ways.iter().filter(|(role, skip)| role.is_some() || *skip == 0).find_map(|(role, skip)| {
            let coordinates = coordinates(rest.get(*skip..)?, case)?;
            squares(*role, &coordinates, promotion)
        })
    }

    fn castling(&self) -> Option<CastlingSide> {
        let rings = self.0.iter().all(|c| matches!(c, '0' | 'O' | 'o'));
        match self.0.len() {
            2 if rings => Some(CastlingSide::KingSide),
            3 if rings => Some(CastlingSide::QueenSide),
            _ => None,
        }
    }
}

impl Shape {
    fn fits(self, played: Move) -> bool {
        match self {
            Shape::Castle(side) => played.castling_side() == Some(side),
            Shape::Squares { role, from, to, promotion } => match played {
                Move::Castle { king, rook } => {
                    // Written by its squares: where the king goes, or which rook it takes along.
                    let goes = played.castling_side().map(|side| Square::from_coords(side.king_to_file(), king.rank()));
                    role.is_none_or(|role| role == Role::King)
                        && from.is_whole()
                        && from.fits(king)
                        && (to.fits(rook) || goes.is_some_and(|square| to.fits(square)))
                }
                Move::Normal { role: moved, from: left, to: reached, promotion: became, .. } => {
                    role.is_none_or(|role| role == moved)
                        && from.fits(left)
                        && to.fits(reached)
                        && promotion.is_none_or(|role| Some(role) == became)
                }
                Move::EnPassant { from: left, to: reached } => {
                    role.is_none_or(|role| role == Role::Pawn)
                        && from.fits(left)
                        && to.fits(reached)
                        && promotion.is_none()
                }
                Move::Put { .. } => false,
            },
        }
    }
}

impl Part {
    fn fits(self, square: Square) -> bool {
        self.file.is_none_or(|file| file == square.file()) && self.rank.is_none_or(|rank| rank == square.rank())
    }

    fn is_whole(self) -> bool {
        self.file.is_some() && self.rank.is_some()
    }
}

/// One letter or digit of a square.
#[derive(Clone, Copy)]
enum Coordinate {
    File(File),
    Rank(Rank),
}

fn coordinates(text: &[char], case: Case) -> Option<Vec<Coordinate>> {
    let coordinate = |c: &char| {
        let letter = if case == Case::Any { c.to_ascii_lowercase() } else { *c };
        File::from_char(letter).map(Coordinate::File).or_else(|| Rank::from_char(letter).map(Coordinate::Rank))
    };
    text.iter().map(coordinate).collect()
}

/// The shapes that have a meaning; the Laws' own, coordinates, and `ed` for a pawn that takes.
fn squares(role: Option<Role>, written: &[Coordinate], promotion: Option<Role>) -> Option<Shape> {
    use Coordinate::{File as F, Rank as R};
    let part = |file, rank| Part { file, rank };
    let is_pawn = role.is_none_or(|role| role == Role::Pawn);
    let (role, from, to) = match *written {
        [F(file), R(rank)] => (role.or(Some(Role::Pawn)), Part::default(), part(Some(file), Some(rank))),
        [F(left), R(leaves), F(file), R(rank)] => (role, part(Some(left), Some(leaves)), part(Some(file), Some(rank))),
        [F(left), F(file), R(rank)] if is_pawn => {
            let beside = left.distance(file) == 1;
            return beside.then_some(Shape::Squares {
                role: Some(Role::Pawn),
                from: part(Some(left), None),
                to: part(Some(file), Some(rank)),
                promotion,
            });
        }
        [F(left), F(file)] if is_pawn && left.distance(file) == 1 => {
            (Some(Role::Pawn), part(Some(left), None), part(Some(file), None))
        }
        [F(left), F(file), R(rank)] => (role, part(Some(left), None), part(Some(file), Some(rank))),
        [R(leaves), F(file), R(rank)] if !is_pawn => (role, part(None, Some(leaves)), part(Some(file), Some(rank))),
        _ => return None,
    };
    Some(Shape::Squares { role, from, to, promotion })
}

fn role(language: Language, letter: char) -> Option<Role> {
    let capital = letter.to_uppercase().next()?;
    language.role(letter).or_else(|| language.role(capital)).or_else(|| Language::Figurine.role(letter))
}

/// The piece a pawn becomes. In bare coordinates (`e7e8r`) small letters are English; elsewhere they are a careless
/// player's own.
fn promotion(language: Language, letter: char, before: usize) -> Option<Role> {
    let own = role(language, letter);
    let english = letter.is_ascii_lowercase().then(|| Language::English.role(letter.to_ascii_uppercase())).flatten();
    let [first, second] = if before == 4 { [english, own] } else { [own, english] };
    first.filter(|role| *role != Role::Pawn).or(second.filter(|role| *role != Role::Pawn))
}

/// Black's pictures are the same men.
fn plain_figurine(c: char) -> char {
    match c {
        '♚' => '♔',
        '♛' => '♕',
        '♜' => '♖',
        '♝' => '♗',
        '♞' => '♘',
        '♟' => '♙',
        _ => c,
    }
}

/// Takes `12.`, `12...` or `12 ` off the front.
fn without_number(written: &str) -> &str {
    let rest = written.trim_start_matches(|c: char| c.is_ascii_digit());
    let had_number = rest.len() < written.len();
    if had_number && rest.starts_with(|c: char| c == '.' || c == '…' || c.is_whitespace()) {
        rest.trim_start_matches(|c: char| c == '.' || c == '…' || c.is_whitespace())
    } else {
        written
    }
}
