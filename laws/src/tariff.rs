//! What a completed illegal move costs, and what counts as one.
//!
//! Seconds for the opponent, and at which one the game is lost:
//!
//! | | 1993 | 2009 | 2014 | 2018 | 2023 |
//! |---|---|---|---|---|---|
//! | standard | - | 120, 3rd | 120, 2nd | 120, 2nd | 120, 2nd |
//! | rapid, full | - | 120, 3rd | 120, 2nd | 120, 2nd | 60, 2nd |
//! | rapid, limited | - | 120, 3rd | 1st | 120, 2nd | 60, 2nd |
//! | blitz, full | - | 120, 3rd | 60, 2nd | 60, 2nd | 60, 2nd |
//! | blitz, limited | - | 1st | 1st | 60, 2nd | 60, 2nd |
//!
//! Every loss becomes a draw where the opponent can't mate by any series of legal moves. In 2009 under limited
//! supervision a player has to claim, and before his own next move.

use crate::{ByEdition, Conditions, Edition, Supervision, TimeClass};

/// What a completed illegal move costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tariff {
    /// Seconds for the opponent while the game goes on.
    pub bonus_s: u32,
    /// Which of one player's completed illegal moves loses the game.
    pub limit: u32,
}

/// Something a player does at the clock that an arbiter may have to count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Offence {
    /// A move that is not legal.
    IllegalMove,
    /// A pawn left on its last rank.
    PromotionIncomplete,
    /// The clock pressed without a move.
    NoMove,
}

/// Whether a pawn that is left on its last rank when the clock is pressed becomes a queen at once. Before 2014 such a move
/// was one to take back.
const PAWN_LEFT_BECOMES_QUEEN: ByEdition<bool> = ByEdition([false, false, true, true, true]);

/// Whether a pawn that is left on its last rank when the clock is pressed becomes a queen at once.
///
/// ```
/// assert!(laws::pawn_left_becomes_queen(laws::Edition::E2014));
/// assert!(!laws::pawn_left_becomes_queen(laws::Edition::E2009));
/// ```
pub fn pawn_left_becomes_queen(edition: Edition) -> bool {
    PAWN_LEFT_BECOMES_QUEEN[edition]
}

/// One kind of game in every edition.
struct Row {
    class: TimeClass,
    supervision: Supervision,
    tariff: ByEdition<Option<Tariff>>,
}

const fn of(bonus_s: u32, limit: u32) -> Option<Tariff> {
    Some(Tariff { bonus_s, limit })
}

use Supervision::{Full, Limited};
use TimeClass::{Blitz, Rapid, Standard};

#[rustfmt::skip]
const ROWS: [Row; 5] = [
    //                                                            1993    2009        2014        2018        2023
    Row { class: Standard, supervision: Full,    tariff: ByEdition([None, of(120, 3), of(120, 2), of(120, 2), of(120, 2)]) },
    Row { class: Rapid,    supervision: Full,    tariff: ByEdition([None, of(120, 3), of(120, 2), of(120, 2), of(60, 2)]) },
    Row { class: Rapid,    supervision: Limited, tariff: ByEdition([None, of(120, 3), of(120, 1), of(120, 2), of(60, 2)]) },
    Row { class: Blitz,    supervision: Full,    tariff: ByEdition([None, of(120, 3), of(60, 2),  of(60, 2),  of(60, 2)]) },
    Row { class: Blitz,    supervision: Limited, tariff: ByEdition([None, of(120, 1), of(60, 1),  of(60, 2),  of(60, 2)]) },
];

impl Tariff {
    /// What a completed illegal move costs under these conditions; nothing in 1993.
    ///
    /// ```
    /// use laws::{Conditions, Edition, Supervision, Tariff, TimeClass};
    ///
    /// let rapid = Conditions::new(Edition::E2014, TimeClass::Rapid, Supervision::Limited);
    /// assert_eq!(Tariff::of(rapid).map(|tariff| tariff.limit), Some(1));
    /// assert_eq!(Tariff::of(Conditions::standard(Edition::E1993)), None);
    /// ```
    pub fn of(conditions: Conditions) -> Option<Tariff> {
        let here = |row: &&Row| row.class == conditions.class() && row.supervision == conditions.supervision();
        ROWS.iter().find(here).and_then(|row| row.tariff[conditions.edition()])
    }
}

impl Offence {
    /// Whether it counts as a completed illegal move.
    ///
    /// ```
    /// use laws::{Edition, Offence};
    ///
    /// assert!(Offence::NoMove.counts(Edition::E2018));
    /// assert!(!Offence::NoMove.counts(Edition::E2014));
    /// ```
    pub fn counts(self, edition: Edition) -> bool {
        self.row()[edition]
    }

    #[rustfmt::skip]
    fn row(self) -> ByEdition<bool> {
        match self {
            //                                                1993   2009   2014   2018   2023
            Offence::IllegalMove         => ByEdition([true,  true,  true,  true,  true]),
            Offence::PromotionIncomplete => ByEdition([false, true,  true,  true,  true]),
            Offence::NoMove              => ByEdition([false, false, false, true,  true]),
        }
    }
}
