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
/// between its words. Where one move only fits, the square of departure may be missing; where both squares are named and
/// nothing else is said, the man.
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
/// assert_eq!(hear(&start, german, "g1 f3"), Heard::Move(knight));
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
        if self.castles.is_some() {
            return self.castles == played.castling_side();
        }
        // Whoever names both squares of the king has said how it castles, where it goes further than a king moves.
        let is_said = !played.is_castle() || self.from.is_some_and(|from| from.distance(reached(played)) > 1);
        is_said
            && self.man.is_none_or(|man| man == played.role())
            && self.to == Some(reached(played))
            && self.from.is_none_or(|from| played.from() == Some(from))
            && self.promotion == played.promotion()
    }
}

/// The square on which the man comes to stand that is moved.
fn reached(played: Move) -> Square {
    let king_to = |side: CastlingSide| Square::from_coords(side.king_to_file(), played.to().rank());
    played.castling_side().map_or(played.to(), king_to)
}

/// Man, square or two, piece: in this order; nothing if it is none.
fn understood(voice: Voice, said: &str) -> Option<Spoken> {
    let mut spoken = Spoken::default();
    let (mut file, mut is_taken) = (None, false);
    let (meanings, is_whole) = meanings(voice, said);
    for meaning in meanings {
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
    // A word nobody knows may be another language's for a man.
    let is_enough = spoken.man.is_some() || spoken.from.is_some() && is_whole;
    let moves = is_enough && spoken.to.is_some();
    (file.is_none() && spoken.castles.is_some() != moves).then_some(spoken)
}

/// The expressions in what was said, in order; other words are passed over. Says too whether there were none of those.
fn meanings(voice: Voice, said: &str) -> (Vec<Meaning>, bool) {
    let words = words(said);
    let (mut meanings, mut at, mut is_whole) = (Vec::new(), 0, true);
    while at < words.len() {
        let known = EXPRESSIONS[voice.number()].iter().find(|(expression, _)| words[at..].starts_with(expression));
        match known {
            Some((expression, meaning)) => {
                meanings.push(*meaning);
                at += expression.len();
            }
            None => {
                let squares = squares(&words[at]);
                is_whole &= !squares.is_empty();
                meanings.extend(squares);
                at += 1;
            }
        }
    }
    (meanings, is_whole)
}

/// A square as players write it, or two in one word.
fn squares(word: &str) -> Vec<Meaning> {
    let square = |text: &str| text.parse::<Square>().ok();
    let halves = word.split_at_checked(2).filter(|(_, second)| !second.is_empty());
    let squares = match halves {
        None => square(word).map(|one| vec![one]),
        Some((first, second)) => square(first).zip(square(second)).map(|(from, to)| vec![from, to]),
    };
    let named = |square: Square| [Meaning::File(square.file()), Meaning::Rank(square.rank())];
    squares.into_iter().flatten().flat_map(named).collect()
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

/// The words of a text as they are compared: small letters without accents, and no umlauts however they are written, as one
/// letter, with a mark of their own, as typewriters do or as those who have none.
fn words(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_alphanumeric() && !is_mark(c)).filter(|word| !word.is_empty());
    words.map(plain).collect()
}

/// A mark that belongs to the letter before it.
fn is_mark(c: char) -> bool {
    ('\u{300}'..='\u{36f}').contains(&c)
}

fn plain(word: &str) -> String {
    let letters = word.chars().flat_map(char::to_lowercase).filter(|c| !is_mark(*c));
    let mut plain = String::new();
    for c in letters {
        match c {
            'ä' | 'á' => plain.push('a'),
            'ö' | 'ó' => plain.push('o'),
            'ü' | 'ú' => plain.push('u'),
            'ß' => plain.push_str("ss"),
            'é' => plain.push('e'),
            'í' => plain.push('i'),
            // The typewriter's umlaut.
            'e' if plain.ends_with(['a', 'o', 'u']) => {}
            _ => plain.push(c),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_words_of_a_language_are_heard_alike_without_their_marks() {
        for voice in Voice::all() {
            let lexicon = expressions(voice);
            for (at, (expression, meaning)) in lexicon.iter().enumerate() {
                let other = lexicon[at + 1..].iter().find(|(same, other)| same == expression && other != meaning);
                assert_eq!(other, None, "{expression:?} is {meaning:?} too in {}", voice.code());
            }
        }
    }
}
