//! What a claim costs that turns out to be wrong.

use crate::{ByEdition, Edition, TimeClass};

/// What the clocks are changed by after a wrong claim, in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WrongClaim {
    /// The claimant's clock is charged; it may lose the game on time by that.
    Charge(u32),
    /// The opponent is given more time.
    Bonus(u32),
}

impl WrongClaim {
    /// A claimant who has so much left oversteps the time with it: nothing is left (10.13.B of 1993).
    ///
    /// ```
    /// use laws::draws::WrongClaim;
    ///
    /// assert!(WrongClaim::Charge(300).oversteps(300_000));
    /// assert!(!WrongClaim::Charge(300).oversteps(301_000));
    /// assert!(!WrongClaim::Bonus(180).oversteps(1_000));
    /// ```
    pub fn oversteps(self, left_ms: u64) -> bool {
        match self {
            Charge(seconds) => left_ms <= u64::from(seconds) * 1000,
            Bonus(_) => false,
        }
    }
}

/// One edition's tariff: standard, rapid, blitz.
struct Tariff {
    standard: WrongClaim,
    rapid: WrongClaim,
    blitz: WrongClaim,
}

use WrongClaim::{Bonus, Charge};

const TARIFF: ByEdition<Tariff> = ByEdition([
    Tariff { standard: Charge(300), rapid: Charge(300), blitz: Charge(300) }, // 1993, 10.13.B
    Tariff { standard: Bonus(180), rapid: Bonus(180), blitz: Bonus(180) },    // 2009, 9.5.b
    Tariff { standard: Bonus(120), rapid: Bonus(120), blitz: Bonus(60) },     // 2014, 9.5.b; B.2
    Tariff { standard: Bonus(120), rapid: Bonus(120), blitz: Bonus(60) },     // 2018, 9.5.3; B.2
    Tariff { standard: Bonus(120), rapid: Bonus(60), blitz: Bonus(60) },      // 2023, 9.5.3; A.3
]);

/// What a wrong claim costs, and whom.
///
/// ```
/// use laws::{Edition, TimeClass, draws::{WrongClaim, wrong_claim}};
///
/// assert_eq!(wrong_claim(Edition::E1993, TimeClass::Standard), WrongClaim::Charge(300));
/// assert_eq!(wrong_claim(Edition::E2018, TimeClass::Rapid), WrongClaim::Bonus(120));
/// assert_eq!(wrong_claim(Edition::E2023, TimeClass::Rapid), WrongClaim::Bonus(60));
/// ```
pub fn wrong_claim(edition: Edition, class: TimeClass) -> WrongClaim {
    let tariff = &TARIFF[edition];
    match class {
        TimeClass::Standard => tariff.standard,
        TimeClass::Rapid => tariff.rapid,
        TimeClass::Blitz => tariff.blitz,
    }
}
