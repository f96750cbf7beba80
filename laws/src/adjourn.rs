//! Adjourned games: the sealed move, what is kept, what is checked when the game goes on.
//!
//! | | 1993 | 2009 | 2014 | 2018 | 2023 |
//! |---|---|---|---|---|---|
//! | where | 13, 14 | Guidelines | Appendix E | Guidelines I | Guidelines I |
//! | on the envelope | names, position, times, sealer, move number | and an open offer, date, time and place | same | same | same |
//! | a sealed move that is ambiguous, unclear or illegal | lost, 10.16 | lost | lost, E.8 | lost, I.8 | lost, I.8 |
//! | but a draw if the opponent | has a bare king, 10.5 | cannot mate | cannot mate | cannot mate | cannot mate |
//! | leaving before the end of the session | the rest of it is charged, 13.1.B | same | same, E.1.b | same, I.1.2 | same |
//! | wrong clocks | until the first move, 14.6 | same | same, E.13 | same, I.13 | same |
//!
//! Who has to seal and moves on the board after that has sealed that move. The envelope is opened when the player who
//! has to answer is there; before that nobody learns the move. If the envelope is lost, its writer says what was in it.

use shakmaty::{Board, Chess, Color, Move, Position, Square};

use crate::{
    ByEdition, Edition,
    draws::History,
    loss::{Cause, Loss},
    notation::{Language, Reading, read},
};

/// What was found in the envelope.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sealed {
    /// One legal move: it is made on the board and the clock of the player to answer started.
    LegalUnique(Move),
    /// Two moves or more fit what is written.
    Ambiguous(Vec<Move>),
    /// The meaning can't be made out.
    Unclear,
    /// A move that can't be played.
    Illegal,
}

impl Sealed {
    /// Judges what is written, in the language of the player's score.
    ///
    /// ```
    /// use laws::{adjourn::Sealed, notation::Language};
    /// use shakmaty::{CastlingMode, Chess, fen::Fen};
    ///
    /// let position: Chess =
    ///     "4k3/8/8/8/8/8/8/R3K2R w - - 0 40".parse::<Fen>()?.into_position(CastlingMode::Standard)?;
    /// let found = |written| Sealed::judge(&position, Language::English, written).name();
    /// assert_eq!(found("Rd1"), "legal_unique");
    /// assert_eq!(found("Rh1d1"), "illegal");
    /// assert_eq!(found("R1"), "unclear");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn judge(position: &Chess, language: Language, written: &str) -> Sealed {
        match read(position, language, written) {
            Reading::Legal(played) => Sealed::LegalUnique(played),
            Reading::Ambiguous(moves) => Sealed::Ambiguous(moves),
            Reading::Illegal => Sealed::Illegal,
            Reading::Unclear => Sealed::Unclear,
        }
    }

    /// Its name in cases and reports.
    pub fn name(&self) -> &'static str {
        match self {
            Sealed::LegalUnique(_) => "legal_unique",
            Sealed::Ambiguous(_) => "ambiguous",
            Sealed::Unclear => "unclear",
            Sealed::Illegal => "illegal",
        }
    }

    /// What follows for the player who sealed: nothing for a legal move; otherwise the game is lost, or drawn where the
    /// opponent could not have won. `opponent_can_mate` is `None` where it is not known.
    pub fn consequence(&self, edition: Edition, position: &Chess, opponent_can_mate: Option<bool>) -> Option<Loss> {
        match self {
            Sealed::LegalUnique(_) => None,
            Sealed::Ambiguous(_) | Sealed::Unclear | Sealed::Illegal => {
                Some(Cause::SealedMove.outcome(edition, position.board(), position.turn(), opponent_can_mate))
            }
        }
    }
}

/// One thing that has to be written on the envelope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum OnEnvelope {
    /// The names of the players.
    Names,
    /// The position before the sealed move.
    Position,
    /// The time used by each player.
    Times,
    /// Who sealed.
    Sealer,
    /// The number of the sealed move.
    MoveNumber,
    /// An offer of a draw that is open.
    OpenOffer,
    /// Date, time and place of the resumption.
    Resumption,
}

const ENVELOPE_1993: &[OnEnvelope] =
    &[OnEnvelope::Names, OnEnvelope::Position, OnEnvelope::Times, OnEnvelope::Sealer, OnEnvelope::MoveNumber];
const ENVELOPE: &[OnEnvelope] = &[
    OnEnvelope::Names,
    OnEnvelope::Position,
    OnEnvelope::Times,
    OnEnvelope::Sealer,
    OnEnvelope::MoveNumber,
    OnEnvelope::OpenOffer,
    OnEnvelope::Resumption,
];

const ENVELOPES: ByEdition<&[OnEnvelope]> = ByEdition([ENVELOPE_1993, ENVELOPE, ENVELOPE, ENVELOPE, ENVELOPE]);

/// What has to be on the envelope.
pub fn envelope(edition: Edition) -> &'static [OnEnvelope] {
    ENVELOPES[edition]
}

/// A game put away. The sealed move is not in it: it belongs into an envelope.
#[derive(Clone, Debug)]
pub struct Adjourned {
    /// The position before the sealed move; its right to castle and half-move number are those of the game.
    pub position: Chess,
    /// The positions so far, so that repetitions and quiet moves go on being counted.
    pub history: History,
    /// The time left of White and Black.
    pub remaining_ms: [u64; 2],
    /// The moves completed by White and Black.
    pub completed: [u32; 2],
    /// Who has an offer of a draw open: it stays open until it is answered.
    pub open_offer: Option<Color>,
}

/// What has to be put right before the clock is started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Differences {
    /// Squares on which the board shows something else.
    pub squares: Vec<Square>,
    /// Players whose clock shows another time, and how much more or less than it should.
    pub clocks: Vec<(Color, i64)>,
}

impl Adjourned {
    /// Who seals.
    pub fn sealer(&self) -> Color {
        self.position.turn()
    }

    /// The number of the sealed move.
    pub fn move_number(&self) -> u32 {
        self.position.fullmoves().get()
    }

    /// The sealer goes before the session is over: the rest of it is charged, and no more than there is.
    pub fn leave_early(&mut self, session_left_ms: u64) {
        let sealer = self.sealer().fold_wb(0, 1);
        self.remaining_ms[sealer] = self.remaining_ms[sealer].saturating_sub(session_left_ms);
    }

    /// Compares what stands on the table with what was put away. Clocks are compared to the second, as they show it.
    pub fn compare(&self, board: &Board, remaining_ms: [u64; 2]) -> Differences {
        let differs = |square: &Square| board.piece_at(*square) != self.position.board().piece_at(*square);
        let seconds = |ms: u64| i64::try_from(ms / 1000).unwrap_or(i64::MAX);
        let off = |side: usize| seconds(remaining_ms[side]) - seconds(self.remaining_ms[side]);
        let clocks = [(Color::White, off(0)), (Color::Black, off(1))];
        Differences {
            squares: Square::ALL.into_iter().filter(differs).collect(),
            clocks: clocks.into_iter().filter(|(_, seconds)| *seconds != 0).map(|(side, s)| (side, s * 1000)).collect(),
        }
    }
}

impl Differences {
    /// Whether the game can go on.
    pub fn are_none(&self) -> bool {
        self.squares.is_empty() && self.clocks.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::{CastlingMode, fen::Fen};

    #[test]
    fn a_bad_sealed_move_loses_unless_the_opponent_cannot_win() {
        let position = at("4k3/8/8/8/8/8/8/R3K2R w - - 0 40");
        let illegal = Sealed::judge(&position, Language::English, "Rh1d1");
        assert_eq!(illegal.consequence(Edition::E2023, &position, None), Some(Loss::Drawn), "a bare king never mates");
        let position = at("3nk3/8/8/8/8/8/8/R3K2R w - - 0 40");
        let ambiguous = Sealed::judge(&at("4k3/8/8/8/8/8/4K3/R6R w - - 0 40"), Language::English, "Rd1");
        assert_eq!(ambiguous.name(), "ambiguous");
        assert_eq!(ambiguous.consequence(Edition::E2023, &position, Some(true)), Some(Loss::Lost));
        assert_eq!(ambiguous.consequence(Edition::E2023, &position, Some(false)), Some(Loss::Drawn));
        assert_eq!(ambiguous.consequence(Edition::E2023, &position, None), Some(Loss::Open));
        assert_eq!(
            ambiguous.consequence(Edition::E1993, &position, Some(false)),
            Some(Loss::Lost),
            "10.5: bare king only"
        );
    }

    #[test]
    fn two_men_that_can_go_there_make_a_sealed_move_ambiguous() {
        let position = at("4k3/8/8/8/8/8/4K3/R6R w - - 0 40");
        let Sealed::Ambiguous(moves) = Sealed::judge(&position, Language::Spanish, "Td1") else { panic!("two rooks") };
        assert_eq!(moves.len(), 2);
        assert_eq!(Sealed::judge(&position, Language::Spanish, "Tad1").name(), "legal_unique");
        assert_eq!(Sealed::judge(&position, Language::Spanish, "algo").name(), "unclear");
    }

    #[test]
    fn a_game_goes_on_when_board_and_clocks_are_as_they_were() {
        let position = at("4k3/8/8/8/8/8/8/R3K2R w - - 0 40");
        let mut adjourned = Adjourned {
            history: History::starting_from(&position),
            position: position.clone(),
            remaining_ms: [600_400, 300_000],
            completed: [39, 39],
            open_offer: Some(Color::Black),
        };
        assert_eq!((adjourned.sealer(), adjourned.move_number()), (Color::White, 40));
        assert!(adjourned.compare(position.board(), [600_000, 300_900]).are_none(), "clocks show seconds");
        let turned = at("4k3/8/8/8/8/8/8/R3K1R1 w - - 0 40");
        let found = adjourned.compare(turned.board(), [600_000, 290_000]);
        assert_eq!(found.squares, [Square::G1, Square::H1]);
        assert_eq!(found.clocks, [(Color::Black, -10_000)]);
        adjourned.leave_early(700_000);
        assert_eq!(adjourned.remaining_ms, [0, 300_000]);
    }

    fn at(fen: &str) -> Chess {
        fen.parse::<Fen>().expect("a FEN").into_position(CastlingMode::Standard).expect("a position")
    }
}
