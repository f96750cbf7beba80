//! Which Laws are in force, and under which conditions.

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
