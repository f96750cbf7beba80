//! Lost, or drawn because the opponent could not have won.
//!
//! Whoever oversteps the time, completes one illegal move too many, seals none that can be read or gives up loses the
//! game. Some of these losses are draws if the opponent could not have mated; which, and what is asked of the opponent,
//! differs:
//!
//! | a draw if the opponent | 1993 | 2009 | 2014 | 2018 | 2023 |
//! |---|---|---|---|---|---|
//! | time | has a bare king, 10.14 | cannot mate, 6.9 | 6.9 | 6.9 | 6.9 |
//! | illegal moves | - | cannot mate, 7.4.b | 7.5.b | 7.5.5 | 7.5.5 |
//! | sealed move | has a bare king, 10.5 | cannot mate | E.8 | I.8 | I.8 |
//! | a telephone rings | - | cannot mate, 12.3.b | - | - | - |
//! | resignation | - | - | - | - | cannot mate, 5.1.2 |
//!
//! *Cannot mate* is by any series of legal moves, with the worst of play by the loser.

use shakmaty::{Board, Color};

use crate::{ByEdition, Edition};

/// Why a player loses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cause {
    /// Overstepped the time.
    Time,
    /// Completed one illegal move too many.
    IllegalMoves,
    /// Sealed a move that is ambiguous, unclear or illegal.
    SealedMove,
    /// The player's telephone made a sound.
    Telephone,
    /// Gave up.
    Resignation,
}

/// What has to be true of the opponent for a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Excuse {
    /// Nothing helps.
    None,
    /// Has the king only.
    BareKing,
    /// Cannot mate by any series of legal moves.
    CannotMate,
}

/// What follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loss {
    /// The game is lost.
    Lost,
    /// It is drawn, because the opponent could not have won.
    Drawn,
    /// One of the two: whether the opponent can mate is not known.
    Open,
}

impl Cause {
    /// What follows for `loser`. `opponent_can_mate` is `None` where neither has been proven.
    ///
    /// ```
    /// use laws::{Edition, loss::{Cause, Loss}};
    /// use shakmaty::{Color, fen::Fen};
    ///
    /// let knight = "8/8/8/4k3/8/8/4K3/6n1 w - - 0 90".parse::<Fen>()?.into_setup().board;
    /// let white = |cause: Cause, edition| cause.outcome(edition, &knight, Color::White, Some(false));
    /// assert_eq!(white(Cause::Time, Edition::E2018), Loss::Drawn);
    /// assert_eq!(white(Cause::Time, Edition::E1993), Loss::Lost, "the king is not bare");
    /// assert_eq!(white(Cause::Resignation, Edition::E2018), Loss::Lost);
    /// assert_eq!(white(Cause::Resignation, Edition::E2023), Loss::Drawn);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn outcome(self, edition: Edition, board: &Board, loser: Color, opponent_can_mate: Option<bool>) -> Loss {
        let bare_king = board.by_color(!loser).count() == 1;
        match self.excuses()[edition] {
            Excuse::None => Loss::Lost,
            Excuse::BareKing | Excuse::CannotMate if bare_king => Loss::Drawn,
            Excuse::BareKing => Loss::Lost,
            Excuse::CannotMate => match opponent_can_mate {
                Some(true) => Loss::Lost,
                Some(false) => Loss::Drawn,
                None => Loss::Open,
            },
        }
    }

    fn excuses(self) -> ByEdition<Excuse> {
        use Excuse::{BareKing, CannotMate, None};
        match self {
            //                                1993      2009        2014        2018        2023
            Cause::Time => ByEdition([BareKing, CannotMate, CannotMate, CannotMate, CannotMate]),
            Cause::IllegalMoves => ByEdition([None, CannotMate, CannotMate, CannotMate, CannotMate]),
            Cause::SealedMove => ByEdition([BareKing, CannotMate, CannotMate, CannotMate, CannotMate]),
            Cause::Telephone => ByEdition([None, CannotMate, None, None, None]),
            Cause::Resignation => ByEdition([None, None, None, None, CannotMate]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::fen::Fen;

    #[test]
    fn a_bare_king_excuses_wherever_anything_does() {
        let bare = "8/8/8/4k3/8/8/4K3/6N1 b - - 0 90".parse::<Fen>().expect("a FEN").into_setup().board;
        for edition in Edition::ALL {
            assert_eq!(Cause::Time.outcome(edition, &bare, Color::White, None), Loss::Drawn, "{edition:?}");
        }
        assert_eq!(Cause::Resignation.outcome(Edition::E2014, &bare, Color::White, Some(false)), Loss::Lost);
        assert_eq!(Cause::Telephone.outcome(Edition::E2009, &bare, Color::White, None), Loss::Drawn);
        assert_eq!(Cause::Telephone.outcome(Edition::E2014, &bare, Color::White, None), Loss::Lost);
    }

    #[test]
    fn what_nobody_has_proven_stays_open() {
        let knight = "8/8/8/4k3/8/8/4K3/6N1 b - - 0 90".parse::<Fen>().expect("a FEN").into_setup().board;
        assert_eq!(Cause::Time.outcome(Edition::E2023, &knight, Color::Black, None), Loss::Open);
        assert_eq!(Cause::Time.outcome(Edition::E2023, &knight, Color::Black, Some(true)), Loss::Lost);
        assert_eq!(Cause::Time.outcome(Edition::E1993, &knight, Color::Black, None), Loss::Lost);
    }
}
