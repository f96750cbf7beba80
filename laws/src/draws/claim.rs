//! A player claims a draw: what the arbiter finds.

use shakmaty::{Chess, Color, Position, Role, uci::UciMove};

use super::{History, Identity, Occurrence, annex_1993};
use crate::{ByEdition, Edition};

/// A player's claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// Who claims.
    pub by: Color,
    /// What.
    pub ground: Ground,
    /// The move written down but not played, with which the claim is to come true.
    pub intended: Option<UciMove>,
}

/// What a draw is claimed on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ground {
    /// The same position for the third time.
    Threefold,
    /// Fifty moves by each player without a capture or a pawn move.
    Fifty,
}

/// What was announced before the event about the moves to be counted. The default is what the Laws say of themselves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Seventy-five moves instead of fifty where [the annex of 1993](annex_1993) says so.
    pub annex: Option<annex_1993::Blockade>,
    /// Count on over captures, as 10.12 of 1993 says to the letter: it speaks of pawns only. General practice, and
    /// every later edition, counts anew after a capture.
    pub pawns_only: bool,
}

impl Limits {
    /// How many plies a claim of fifty moves needs in this position.
    pub fn needed_plies(self, position: &Chess) -> u32 {
        let extended = self.annex.is_some_and(|blockade| annex_1993::extends(position.board(), blockade));
        if extended { 150 } else { 100 }
    }
}

/// What the arbiter finds. Evidence and the rule; the decision is the arbiter's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Whether the claim is correct.
    pub verdict: Confirmation,
    /// When the position in question occurred, the first time first. If it is the position after the intended move,
    /// the last entry is the one still to come.
    pub occurrences: Vec<Occurrence>,
    /// For how many plies nothing has been captured and no pawn moved, the intended move included where it counts.
    pub quiet_plies: u32,
    /// How many of them the claim needs, where fifty moves are claimed.
    pub needed_plies: u32,
}

/// Whether a claim is correct.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Confirmation {
    /// It is: the game is drawn.
    Confirmed(Arm),
    /// It is not.
    NotConfirmed(Shortfall),
}

/// Which of the two ways makes the claim correct.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arm {
    /// It has just come true on the board.
    Appeared,
    /// It will with the intended move.
    Announced,
}

/// What a claim lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shortfall {
    /// Only the player having the move can claim.
    NotOnMove,
    /// The intended move is illegal; another move with the same man has to be played.
    IllegalMove,
    /// The position has not occurred three times, or fewer moves were made than claimed.
    TooFew,
}

impl Claim {
    /// Examines the claim at `position`, the last of `history`.
    ///
    /// A claim is correct if what is on the board makes it so, or what the intended move brings about. So a player who
    /// writes down a move although the position on the board has occurred three times already has claimed correctly.
    ///
    /// ```
    /// use laws::draws::{Arm, Claim, Ground, History, Limits, Shortfall, Confirmation};
    /// use shakmaty::{CastlingMode, Chess, Color, fen::Fen};
    ///
    /// let position: Chess =
    ///     "8/8/3k4/8/8/3K4/R6P/8 w - - 99 120".parse::<Fen>()?.into_position(CastlingMode::Standard)?;
    /// let history = History::starting_from(&position);
    /// let claim = |intended: Option<&str>| Claim {
    ///     by: Color::White,
    ///     ground: Ground::Fifty,
    ///     intended: intended.map(|uci| uci.parse().expect("a move")),
    /// };
    /// let verdict = |intended| claim(intended).examine(&history, &position, Limits::default()).verdict;
    /// assert_eq!(verdict(None), Confirmation::NotConfirmed(Shortfall::TooFew));
    /// assert_eq!(verdict(Some("a2b2")), Confirmation::Confirmed(Arm::Announced));
    /// assert_eq!(verdict(Some("h2h3")), Confirmation::NotConfirmed(Shortfall::TooFew));
    /// assert_eq!(verdict(Some("a2b3")), Confirmation::NotConfirmed(Shortfall::IllegalMove));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn examine(&self, history: &History, position: &Chess, limits: Limits) -> Answer {
        let on_the_board = Found::on_the_board(history, position, limits);
        if self.by != position.turn() {
            return on_the_board.answer(Confirmation::NotConfirmed(Shortfall::NotOnMove));
        }
        if on_the_board.suffices(self.ground) {
            return on_the_board.answer(Confirmation::Confirmed(Arm::Appeared));
        }
        let Some(intended) = &self.intended else {
            return on_the_board.answer(Confirmation::NotConfirmed(Shortfall::TooFew));
        };
        let Some(announced) = Found::after(intended, history, position, limits) else {
            return on_the_board.answer(Confirmation::NotConfirmed(Shortfall::IllegalMove));
        };
        let verdict = if announced.suffices(self.ground) {
            Confirmation::Confirmed(Arm::Announced)
        } else {
            Confirmation::NotConfirmed(Shortfall::TooFew)
        };
        announced.answer(verdict)
    }
}

impl Confirmation {
    /// Whether the claim is correct.
    pub fn is_confirmed(self) -> bool {
        matches!(self, Confirmation::Confirmed(_))
    }
}

/// What ends the right to claim what is on the board. It revives with the next occurrence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RightEnds {
    /// Making a move.
    Moving,
    /// Touching a man with intent.
    Touching,
}

const RIGHT_ENDS: ByEdition<RightEnds> =
    ByEdition([RightEnds::Moving, RightEnds::Touching, RightEnds::Touching, RightEnds::Touching, RightEnds::Touching]);

/// What ends the right to claim.
///
/// ```
/// use laws::{Edition, draws::{RightEnds, right_ends}};
/// assert_eq!(right_ends(Edition::E1993), RightEnds::Moving);
/// assert_eq!(right_ends(Edition::E2014), RightEnds::Touching);
/// ```
pub fn right_ends(edition: Edition) -> RightEnds {
    RIGHT_ENDS[edition]
}

/// What can be counted for one position.
struct Found {
    occurrences: Vec<Occurrence>,
    quiet: u32,
    needed: u32,
}

impl Found {
    fn on_the_board(history: &History, position: &Chess, limits: Limits) -> Found {
        let quiet = if limits.pawns_only { history.plies_without_a_pawn() } else { history.quiet_plies() };
        Found { occurrences: history.occurrences(), quiet, needed: limits.needed_plies(position) }
    }

    /// `None` if the move is illegal.
    fn after(intended: &UciMove, history: &History, position: &Chess, limits: Limits) -> Option<Found> {
        let intended = intended.to_move(position).ok()?;
        let after = position.clone().play(intended).ok()?;
        let to_come = Occurrence { ply: history.plies() + 1, to_move: after.turn(), number: after.fullmoves() };
        let mut occurrences = history.occurrences_of(&Identity::of(&after));
        occurrences.push(to_come);
        let starts_anew = if limits.pawns_only { intended.role() == Role::Pawn } else { intended.is_zeroing() };
        let so_far = if limits.pawns_only { history.plies_without_a_pawn() } else { history.quiet_plies() };
        let quiet = if starts_anew { 0 } else { so_far + 1 };
        Some(Found { occurrences, quiet, needed: limits.needed_plies(&after) })
    }

    fn suffices(&self, ground: Ground) -> bool {
        match ground {
            Ground::Threefold => self.occurrences.len() >= 3,
            Ground::Fifty => self.quiet >= self.needed,
        }
    }

    fn answer(self, verdict: Confirmation) -> Answer {
        Answer { verdict, occurrences: self.occurrences, quiet_plies: self.quiet, needed_plies: self.needed }
    }
}
