//! What a player may be told: nothing else goes into an ear.

use laws::blind::{Alphabet, Manner, Phrase, Token, Verbosity, Voice, alphabet, announce, line, men, whole};
use protocol::feed::{Earphone, FileNames, Score};
use shakmaty::{Bitboard, Board, Chess, Color, Move, Role};

use super::queue::Weight;

/// One thing a blind player is told.
///
/// There is no room in it for an alert, a proposal, a search or anybody's free words: a sighted player sees the men, the
/// moves and the clocks, hears an offer and an arbiter who sets a position up, sees a cable that came loose, and is told the
/// result. Whoever wants a player to hear more has to add it here, where it is seen.
///
/// ```compile_fail,E0308
/// use escaque::voice::Saying;
/// use protocol::feed::{Alert, AlertKind};
///
/// let told: Saying = Alert::new(AlertKind::TouchMoveSuspect);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Saying {
    /// The opponent has made this move.
    Move {
        /// In this position.
        before: Box<Chess>,
        /// Which.
        played: Move,
    },
    /// Moves were taken back.
    TakenBack,
    /// The arbiter has had another position set up.
    Restored,
    /// Time was given or taken as a penalty.
    TimePenalty,
    /// The arbiter has set the clocks: the seconds the player has left, and those of the opponent.
    ClocksSet(u32, u32),
    /// The opponent offers a draw.
    DrawOffer,
    /// The game has ended with this score.
    Over(Score),
    /// It has not: the result holds no more.
    NotOver,
    /// The board of the table can't be heard: no move is announced until it is.
    BoardLost,
    /// It can be heard again.
    BoardBack,
    /// The opponent's last move, again.
    LastMove(Option<(Box<Chess>, Move)>),
    /// The seconds the player has left.
    MyClock(Option<u32>),
    /// The same, and those of the opponent.
    BothClocks(Option<(u32, u32)>),
    /// The number of the move, and whose it is.
    MoveNumber(u32, Color),
    /// Where the own men of a kind stand.
    Men(Board, Role, Color),
    /// What stands on these squares.
    Squares(Board, Bitboard),
    /// All men.
    Position(Board),
    /// The names of files and ranks.
    Alphabet,
}

impl Saying {
    /// How much it weighs. A board that is lost says less the longer ago it was.
    pub fn weight(&self) -> Weight {
        match self {
            Saying::Move { .. }
            | Saying::TakenBack
            | Saying::Restored
            | Saying::TimePenalty
            | Saying::ClocksSet(..)
            | Saying::DrawOffer
            | Saying::Over(_)
            | Saying::NotOver => Weight::Move,
            Saying::BoardLost
            | Saying::BoardBack
            | Saying::LastMove(_)
            | Saying::MyClock(_)
            | Saying::BothClocks(_)
            | Saying::MoveNumber(..)
            | Saying::Men(..)
            | Saying::Squares(..)
            | Saying::Position(_)
            | Saying::Alphabet => Weight::Reading,
        }
    }

    /// In words of its own kind.
    pub fn tokens(&self, manner: &Manner) -> Vec<Token> {
        let said = |phrase| vec![Token::Said(phrase)];
        match self {
            Saying::Move { before, played } => announce(before, *played, manner),
            Saying::TakenBack => said(Phrase::TakenBack),
            Saying::Restored => said(Phrase::Restored),
            Saying::TimePenalty => said(Phrase::TimePenalty),
            Saying::ClocksSet(mine, theirs) => {
                [vec![Token::Said(Phrase::ClocksSet), Token::Pause], both_clocks(*mine, *theirs)].concat()
            }
            Saying::DrawOffer => said(Phrase::DrawOffer),
            Saying::Over(score) => ended(*score).map(Token::Said).into_iter().collect(),
            Saying::NotOver => said(Phrase::ResultTakenBack),
            Saying::BoardLost => said(Phrase::NoContact),
            Saying::BoardBack => said(Phrase::Contact),
            Saying::LastMove(None) => said(Phrase::NoMove),
            Saying::LastMove(Some((before, played))) => {
                [vec![Token::Said(Phrase::LastMove), Token::Pause], announce(before, *played, manner)].concat()
            }
            Saying::MyClock(None) | Saying::BothClocks(None) => said(Phrase::NoClock),
            Saying::MyClock(Some(left)) => vec![Token::Left(*left)],
            Saying::BothClocks(Some((mine, theirs))) => both_clocks(*mine, *theirs),
            Saying::MoveNumber(number, side) => {
                vec![Token::Number(*number), Token::Pause, Token::Said(side.fold_wb(Phrase::White, Phrase::Black))]
            }
            Saying::Men(board, role, color) => men(board, *role, *color),
            Saying::Squares(board, squares) => line(board, *squares),
            Saying::Position(board) => whole(board),
            Saying::Alphabet => alphabet(),
        }
    }
}

fn both_clocks(mine: u32, theirs: u32) -> Vec<Token> {
    vec![Token::Left(mine), Token::Pause, Token::Said(Phrase::Opponent), Token::Left(theirs)]
}

/// As it was entered; of a game that is open there is nothing to say.
fn ended(score: Score) -> Option<Phrase> {
    Some(match score {
        Score::WhiteWins => Phrase::WhiteWins,
        Score::BlackWins => Phrase::BlackWins,
        Score::Draw => Phrase::Drawn,
        Score::WhiteByForfeit => Phrase::WhiteByForfeit,
        Score::BlackByForfeit => Phrase::BlackByForfeit,
        Score::BothForfeited => Phrase::BothForfeited,
        Score::BothLost => Phrase::BothLost,
        Score::WhiteHalf => Phrase::WhiteHalf,
        Score::BlackHalf => Phrase::BlackHalf,
        Score::Open => return None,
    })
}

/// How the owner of an earphone wants to hear it.
pub(super) fn manner(earphone: &Earphone) -> Manner {
    Manner {
        // The hall takes no earphone in a language nobody speaks.
        voice: Voice::of_code(&earphone.language).unwrap_or_default(),
        alphabet: match earphone.files {
            FileNames::Anna => Alphabet::Anna,
            FileNames::International => Alphabet::International,
        },
        verbosity: if earphone.short { Verbosity::Short } else { Verbosity::Full },
        clear: earphone.clear,
        captures: earphone.captures,
        state: earphone.check,
    }
}
