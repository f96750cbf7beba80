//! What is said for a move: tokens first, then words for the ear, for the eye and for the fingers.

use shakmaty::{CastlingSide, Chess, File, Move, Position, Rank, Role, Square};

use super::voice::{Alphabet, Phrase, Voice};

/// One thing that is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token {
    /// The man that moves.
    Man(Role),
    /// Half of a square.
    File(File),
    /// The other half.
    Rank(Rank),
    /// A man is taken.
    Takes,
    /// Which.
    Taken(Role),
    /// A pawn becomes this.
    Promotes(Role),
    /// It was taken in passing.
    EnPassant,
    /// Castling, one expression.
    Castles(CastlingSide),
    /// The state after the move.
    Check,
    /// The same.
    Mate,
    /// The same.
    Stalemate,
    /// A set expression beside moves.
    Said(Phrase),
    /// The number of a move.
    Number(u32),
    /// So many seconds are left.
    Left(u32),
    /// What follows is another thing.
    Pause,
}

/// How much is said.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Verbosity {
    /// The man, the square it leaves and the square it reaches: understood without a board.
    #[default]
    Full,
    /// The square it leaves only where it is needed.
    Short,
}

/// How one player wants to hear it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Manner {
    /// The language.
    pub voice: Voice,
    /// The names of the files.
    pub alphabet: Alphabet,
    /// How much.
    pub verbosity: Verbosity,
    /// Numbers that can't be taken for one another over a bad line, where the language has them.
    pub clear: bool,
    /// That a man is taken, and which.
    pub captures: bool,
    /// Check, mate and stalemate; the Laws do not announce them.
    pub state: bool,
}

/// What is said for a legal move of this position.
///
/// ```
/// use laws::blind::{Manner, announce, speech};
/// use shakmaty::{Chess, san::San};
///
/// let start = Chess::default();
/// let knight = "Nf3".parse::<San>()?.to_move(&start)?;
/// let manner = Manner::default();
/// assert_eq!(speech(&announce(&start, knight, &manner), &manner), "Springer Gustav eins, Felix drei");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn announce(position: &Chess, played: Move, manner: &Manner) -> Vec<Token> {
    let mut tokens = match played.castling_side() {
        Some(side) => vec![Token::Castles(side)],
        None => moved(position, played, manner),
    };
    if manner.state {
        tokens.extend(state(position, played));
    }
    tokens
}

fn moved(position: &Chess, played: Move, manner: &Manner) -> Vec<Token> {
    let mut tokens = vec![Token::Man(played.role())];
    let departs = manner.verbosity == Verbosity::Full || is_ambiguous(position, played);
    tokens.extend(played.from().filter(|_| departs).into_iter().flat_map(square));
    if let Some(taken) = played.capture().filter(|_| manner.captures) {
        tokens.extend([Token::Takes, Token::Taken(taken)]);
    }
    tokens.extend(square(played.to()));
    tokens.extend(played.promotion().map(Token::Promotes));
    tokens.extend((played.is_en_passant() && manner.captures).then_some(Token::EnPassant));
    tokens
}

/// Another man of the same kind could go there too.
fn is_ambiguous(position: &Chess, played: Move) -> bool {
    let other = |legal: &Move| {
        !legal.is_castle()
            && legal.role() == played.role()
            && legal.to() == played.to()
            && legal.from() != played.from()
    };
    position.legal_moves().iter().any(other)
}

fn square(square: Square) -> [Token; 2] {
    [Token::File(square.file()), Token::Rank(square.rank())]
}

fn state(position: &Chess, played: Move) -> Option<Token> {
    let mut after = position.clone();
    after.play_unchecked(played);
    let (check, stuck) = (after.is_check(), after.legal_moves().is_empty());
    match (check, stuck) {
        (true, true) => Some(Token::Mate),
        (false, true) => Some(Token::Stalemate),
        (true, false) => Some(Token::Check),
        (false, false) => None,
    }
}

/// For a speech engine. A comma is a short pause: before the square that is reached, and before what is added to it.
pub fn speech(tokens: &[Token], manner: &Manner) -> String {
    let mut said = String::new();
    let mut squares = 0;
    for (at, token) in tokens.iter().enumerate() {
        if *token == Token::Pause {
            said.push(',');
            squares = 0;
            continue;
        }
        let word = word(*token, manner);
        squares += usize::from(matches!(token, Token::File(_)));
        let reached = matches!(token, Token::File(_)) && squares == 2;
        let after_taken = matches!(at.checked_sub(1).map(|before| tokens[before]), Some(Token::Taken(_)));
        let added = matches!(
            token,
            Token::Promotes(_) | Token::EnPassant | Token::Check | Token::Mate | Token::Stalemate | Token::Takes
        );
        let after_pause = at > 0 && tokens[at - 1] == Token::Pause;
        if at > 0 && !after_pause && ((reached && !after_taken) || added) {
            said.push(',');
        }
        if at > 0 {
            said.push(' ');
        }
        said.push_str(&word);
    }
    said
}

fn word(token: Token, manner: &Manner) -> String {
    let voice = manner.voice;
    match token {
        Token::Man(role) | Token::Taken(role) => voice.man(role).to_owned(),
        Token::File(file) => voice.file(file, manner.alphabet).to_owned(),
        Token::Rank(rank) => voice.rank(rank, manner.clear).to_owned(),
        Token::Takes => voice.phrase(Phrase::Takes).to_owned(),
        Token::Promotes(role) => format!("{} {}", voice.phrase(Phrase::Promotes), voice.man(role)).trim().to_owned(),
        Token::EnPassant => voice.phrase(Phrase::EnPassant).to_owned(),
        Token::Castles(side) => voice.phrase(Phrase::Castling(side)).to_owned(),
        Token::Check => voice.phrase(Phrase::Check).to_owned(),
        Token::Mate => voice.phrase(Phrase::Mate).to_owned(),
        Token::Stalemate => voice.phrase(Phrase::Stalemate).to_owned(),
        Token::Said(phrase) => voice.phrase(phrase).to_owned(),
        Token::Number(number) => voice.move_number(number),
        Token::Left(seconds) => voice.left(seconds),
        Token::Pause => String::new(),
    }
}

/// For the eye: men by their names, squares as players write them.
///
/// ```
/// use laws::blind::{Manner, announce, display};
/// use shakmaty::{Chess, san::San};
///
/// let start = Chess::default();
/// let knight = "Nf3".parse::<San>()?.to_move(&start)?;
/// assert_eq!(display(&announce(&start, knight, &Manner::default()), &Manner::default()), "Springer g1 f3");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn display(tokens: &[Token], manner: &Manner) -> String {
    let square = |token: &Token| match token {
        Token::File(file) => Some(format!(" {}", file.char())),
        Token::Rank(rank) => Some(rank.char().to_string()),
        Token::Man(_)
        | Token::Takes
        | Token::Taken(_)
        | Token::Promotes(_)
        | Token::EnPassant
        | Token::Castles(_)
        | Token::Check
        | Token::Mate
        | Token::Stalemate
        | Token::Said(_)
        | Token::Number(_)
        | Token::Left(_) => None,
        Token::Pause => Some(",".to_owned()),
    };
    let shown = |token| square(token).unwrap_or_else(|| format!(" {}", word(*token, manner)));
    tokens.iter().map(shown).collect::<String>().trim_start().to_owned()
}

/// For a Braille display of a line: letters and squares, as short as notation is. `Sg1f3`, `e7xd8D+`, `0-0`.
pub fn braille(tokens: &[Token], manner: &Manner) -> String {
    let letter = |role: Role| manner.voice.letter(role);
    let sign = |token: &Token| match token {
        Token::Man(Role::Pawn) | Token::Taken(_) | Token::Stalemate => String::new(),
        Token::Man(role) | Token::Promotes(role) => letter(*role).to_owned(),
        Token::File(file) => file.char().to_string(),
        Token::Rank(rank) => rank.char().to_string(),
        Token::Takes => "x".to_owned(),
        Token::EnPassant => " e.p.".to_owned(),
        Token::Castles(CastlingSide::KingSide) => "0-0".to_owned(),
        Token::Castles(CastlingSide::QueenSide) => "0-0-0".to_owned(),
        Token::Check => "+".to_owned(),
        Token::Mate => "#".to_owned(),
        Token::Said(_) | Token::Number(_) | Token::Left(_) => format!(" {} ", word(*token, manner)),
        Token::Pause => " ".to_owned(),
    };
    let signs = tokens.iter().map(sign).collect::<String>();
    signs.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The words of the Laws, letter for letter as they print them: without umlauts, castling one word.
pub fn in_the_laws_words(voice: Voice, played: Move) -> Vec<String> {
    let manner = Manner { voice, ..Manner::default() };
    let tokens = match played.castling_side() {
        Some(side) => vec![Token::Castles(side)],
        None => {
            let squares = played.from().into_iter().chain([played.to()]).flat_map(square);
            let man = std::iter::once(Token::Man(played.role()));
            man.chain(squares).chain(played.promotion().map(Token::Man)).collect()
        }
    };
    tokens.into_iter().map(|token| printed(&word(token, &manner))).collect()
}

/// A capital at the beginning of castling and of men, as German has it; umlauts and accents as typewriters write them.
fn printed(word: &str) -> String {
    let plain = word.replace('ä', "ae").replace('ö', "oe").replace('ü', "ue").replace('ó', "o");
    let mut letters = plain.chars();
    match letters.next() {
        Some(first) if plain.contains(' ') => first.to_uppercase().chain(letters).collect(),
        Some(_) | None => plain,
    }
}
