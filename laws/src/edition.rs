//! Which Laws are in force, and how a table with one entry an edition is written.

use std::ops::Index;

/// An edition of the Laws of Chess, named by the year it came into force.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Edition {
    /// In force from 1993.
    E1993,
    /// In force from 2009.
    E2009,
    /// In force from 2014.
    E2014,
    /// In force from 2018.
    E2018,
    /// In force from 2023.
    #[default]
    E2023,
}

impl Edition {
    /// All editions, the oldest first.
    pub const ALL: [Edition; 5] = [Edition::E1993, Edition::E2009, Edition::E2014, Edition::E2018, Edition::E2023];

    /// The edition that came into force in `year`.
    ///
    /// ```
    /// assert_eq!(laws::Edition::of(2018), Some(laws::Edition::E2018));
    /// assert_eq!(laws::Edition::of(2017), None);
    /// ```
    pub fn of(year: u16) -> Option<Edition> {
        Edition::ALL.into_iter().find(|edition| edition.year() == year)
    }

    /// The year it came into force.
    pub fn year(self) -> u16 {
        match self {
            Edition::E1993 => 1993,
            Edition::E2009 => 2009,
            Edition::E2014 => 2014,
            Edition::E2018 => 2018,
            Edition::E2023 => 2023,
        }
    }
}

/// One entry an edition, the oldest first: what differs between the editions is written as such a table. A new edition
/// is a new entry in each, and nothing compiles until it is there.
///
/// ```
/// use laws::{ByEdition, Edition};
///
/// const AUTOMATIC_DRAWS: ByEdition<bool> = ByEdition([false, false, true, true, true]);
/// assert!(AUTOMATIC_DRAWS[Edition::E2014]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ByEdition<T>(pub [T; Edition::ALL.len()]);

impl<T> Index<Edition> for ByEdition<T> {
    type Output = T;

    fn index(&self, edition: Edition) -> &T {
        let [e1993, e2009, e2014, e2018, e2023] = &self.0;
        match edition {
            Edition::E1993 => e1993,
            Edition::E2009 => e2009,
            Edition::E2014 => e2014,
            Edition::E2018 => e2018,
            Edition::E2023 => e2023,
        }
    }
}
