//! Under which conditions a game is played: which Laws, how fast, and how closely watched.

use crate::{Edition, TimeClass};

/// How closely the arbiters can watch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Supervision {
    /// The Competition Rules apply in full.
    #[default]
    Full,
    /// One arbiter watches many games: the "otherwise" of Appendices A and B.
    Limited,
}

/// What decides which row of a table applies.
///
/// Limited supervision is a word of Appendices A and B, and the Laws of 1993 have neither; so a standard game is always
/// fully supervised, and of 1993 every game is a standard one.
///
/// ```
/// use laws::{Conditions, Edition, Supervision, TimeClass};
///
/// let blitz = Conditions::new(Edition::E2018, TimeClass::Blitz, Supervision::Limited);
/// assert_eq!(blitz.supervision(), Supervision::Limited);
/// let old = Conditions::new(Edition::E1993, TimeClass::Blitz, Supervision::Limited);
/// assert_eq!(old, Conditions::standard(Edition::E1993));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Conditions {
    edition: Edition,
    class: TimeClass,
    supervision: Supervision,
}

impl Conditions {
    /// These Laws, this pace, this supervision, as far as the Laws know them.
    pub fn new(edition: Edition, class: TimeClass, supervision: Supervision) -> Conditions {
        let class = if edition == Edition::E1993 { TimeClass::Standard } else { class };
        let supervision = if class == TimeClass::Standard { Supervision::Full } else { supervision };
        Conditions { edition, class, supervision }
    }

    /// A standard game under full supervision.
    pub fn standard(edition: Edition) -> Conditions {
        Conditions::new(edition, TimeClass::Standard, Supervision::Full)
    }

    /// Which Laws.
    pub fn edition(self) -> Edition {
        self.edition
    }

    /// How fast.
    pub fn class(self) -> TimeClass {
        self.class
    }

    /// How closely watched.
    pub fn supervision(self) -> Supervision {
        self.supervision
    }

    /// Something an arbiter acts on only if a player claims it: in 2009 under limited supervision.
    pub fn waits_for_a_claim(self) -> bool {
        self.supervision == Supervision::Limited && self.edition == Edition::E2009
    }
}
