//! Understanding an announcement: the same words the other way.

use std::sync::LazyLock;

use shakmaty::{CastlingSide, Chess, File, Move, Position, Rank, Role, Square};

use super::voice::{MEN, Phrase, Voice};

/// What an announcement means in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heard {
    /// This move.
    Move(Move),
    /// Nothing that can be played here, or not one move only.
    NoMove,
}

/// What one expression means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Meaning {
    Man(Role),
    File(File),
    Rank(Rank),
    Takes,
    Castles(CastlingSide),
    /// Said along with a move, and nothing of it hangs on that.
    Aside,
}

/// What was said, put together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Spoken {
    castles: Option<CastlingSide>,
    man: Option<Role>,
    from: Option<Square>,
    to: Option<Square>,
    promotion: Option<Role>,
}

/// Plain words and what they mean, the longest expression first.
type Lexicon = Vec<(Vec<String>, Meaning)>;

/// Each voice's.
static EXPRESSIONS: LazyLock<Vec<Lexicon>> = LazyLock::new(|| Voice::all().map(expressions).collect());

/// Understands an announcement, in small or capital letters, with umlauts or without, in either alphabet, whatever is said
/// between its words. Where one move only fits, the square of departure may be missing.
///
/// ```
/// use laws::blind::{Heard, Voice, hear};
/// use shakmaty::{Chess, san::San};
///
/// let start = Chess::default();
/// let knight = "Nf3".parse::<San>()?.to_move(&start)?;
/// let german = Voice::default();
/// assert_eq!(hear(&start, german, "Springer Gustav eins, Felix drei"), Heard::Move(knight));
/// assert_eq!(hear(&start, german, "springer felix drei"), Heard::Move(knight));
/// assert_eq!(hear(&start, german, "Springer golf eins foxtrot drei"), Heard::Move(knight));
/// assert_eq!(hear(&start, german, "Springer g1 f3"), Heard::Move(knight));
/// assert_eq!(hear(&start, german, "Springer Gustav eins Felix vier"), Heard::NoMove);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn hear(position: &Chess, voice: Voice, said: &str) -> Heard {
    let Some(spoken) = understood(voice, said) else { return Heard::NoMove };
    let legal = position.legal_moves();
    let mut fitting = legal.iter().filter(|played| spoken.fits(**played));
    fitting.next().filter(|_| fitting.next().is_none()).map_or(Heard::NoMove, |played| Heard::Move(*played))
}

impl Spoken {
    fn fits(&self, played: Move) -> bool {
        if self.castles.is_some() || played.is_castle() {
            return self.castles == played.castling_side();
        }
        self.man == Some(played.role())
            && self.to == Some(played.to())
            && self.from.is_none_or(|from| played.from() == Some(from))
            && self.promotion == played.promotion()
    }
}

/// Man, square or two, piece: in this order; nothing if it is none.
fn understood(voice: Voice, said: &str) -> Option<Spoken> {
    let mut spoken = Spoken::default();
    let (mut file, mut is_taken) = (None, false);
    for meaning in meanings(voice, said) {
        match meaning {
            Meaning::Castles(side) => {
                spoken.castles.replace(side).is_none().then_some(())?;
            }
            // Which man is taken may be said and does not belong to the move.
            Meaning::Man(_) if is_taken => {}
            Meaning::Man(role) if spoken.to.is_none() => spoken.man.replace(role).is_none().then_some(())?,
            Meaning::Man(role) => spoken.promotion.replace(role).is_none().then_some(())?,
            Meaning::File(named) => file.replace(named).is_none().then_some(())?,
            Meaning::Rank(rank) => {
                let square = Square::from_coords(file.take()?, rank);
                let earlier = spoken.to.replace(square);
                spoken.from.is_none().then_some(())?;
                spoken.from = earlier;
            }
            Meaning::Takes | Meaning::Aside => {}
        }
        is_taken = meaning == Meaning::Takes;
    }
    let moves = spoken.man.is_some() && spoken.to.is_some();
    (file.is_none() && spoken.castles.is_some() != moves).then_some(spoken)
}

/// The expressions in what was said, in order; other words are passed over.
fn meanings(voice: Voice, said: &str) -> Vec<Meaning> {
    let words = words(said);
    let (mut meanings, mut at) = (Vec::new(), 0);
    while at < words.len() {
        let known = EXPRESSIONS[voice.number()].iter().find(|(expression, _)| words[at..].starts_with(expression));
        match known {
            Some((expression, meaning)) => {
                meanings.push(*meaning);
                at += expression.len();
            }
            None => {
                meanings.extend(square(&words[at]).into_iter().flatten());
                at += 1;
            }
        }
    }
    meanings
}

/// A square as players write it.
fn square(word: &str) -> Option<[Meaning; 2]> {
    let square = word.parse::<Square>().ok()?;
    Some([Meaning::File(square.file()), Meaning::Rank(square.rank())])
}

fn expressions(voice: Voice) -> Lexicon {
    let words = voice.words();
    let mut all = Vec::new();
    let mut add = |synonyms: &[String], meaning| {
        let expressions = synonyms.iter().map(|text| self::words(text)).filter(|expression| !expression.is_empty());
        all.extend(expressions.map(|expression| (expression, meaning)));
    };
    for files in &words.files {
        File::ALL.into_iter().zip(files).for_each(|(file, names)| add(names, Meaning::File(file)));
    }
    for ranks in [&words.ranks, &words.clear_ranks] {
        Rank::ALL.into_iter().zip(ranks).for_each(|(rank, names)| add(names, Meaning::Rank(rank)));
    }
    MEN.into_iter().zip(&words.men).for_each(|(role, names)| add(names, Meaning::Man(role)));
    for (phrase, synonyms) in &words.phrases {
        let meaning = match phrase {
            Phrase::Takes => Meaning::Takes,
            Phrase::Castling(side) => Meaning::Castles(*side),
            Phrase::Promotes
            | Phrase::EnPassant
            | Phrase::Check
            | Phrase::Mate
            | Phrase::Stalemate
            | Phrase::DrawOffer
            | Phrase::TakenBack
            | Phrase::Restored
            | Phrase::TimePenalty
            | Phrase::ClocksSet
            | Phrase::WhiteWins
            | Phrase::BlackWins
            | Phrase::Drawn
            | Phrase::WhiteByForfeit
            | Phrase::BlackByForfeit
            | Phrase::BothForfeited
            | Phrase::BothLost
            | Phrase::WhiteHalf
            | Phrase::BlackHalf
            | Phrase::ResultTakenBack
            | Phrase::NoContact
            | Phrase::Contact
            | Phrase::LastMove
            | Phrase::White
            | Phrase::Black
            | Phrase::Opponent
            | Phrase::NoMove
            | Phrase::NoClock
            | Phrase::NothingThere => Meaning::Aside,
        };
        add(synonyms, meaning);
    }
    all.sort_by_key(|(expression, _)| std::cmp::Reverse(expression.len()));
    all
}

/// The words of a text as they are compared: small letters without accents, umlauts as typewriters write them.
fn words(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(plain).collect()
}

fn plain(word: &str) -> String {
    let mut plain = String::new();
    for c in word.chars().flat_map(char::to_lowercase) {
        match c {
            'ä' => plain.push_str("ae"),
            'ö' => plain.push_str("oe"),
            'ü' => plain.push_str("ue"),
            'ß' => plain.push_str("ss"),
            'á' => plain.push('a'),
            'é' => plain.push('e'),
            'í' => plain.push('i'),
            'ó' => plain.push('o'),
            'ú' => plain.push('u'),
            _ => plain.push(c),
        }
    }
    plain
}
