//! What games are played under.

use crate::rehearsal::{Profile, Setting, TimeControl, Trial};

/// What games are played under.
#[derive(Clone, Copy, Debug)]
pub struct Conditions {
    /// Who plays.
    pub profile: Profile,
    /// Hands, clock and board.
    pub setting: Setting,
    /// Which games tell something.
    pub counts: Counts,
}

/// Which games of a session a factor tells something about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counts {
    /// All of them.
    All,
    /// Those that follow another one on their board.
    AfterAnother,
    /// Those whose men stood wrong at the start.
    Swapped,
}

impl Conditions {
    /// People of this kind on an everyday board.
    pub fn of(profile: Profile, clock: bool, seed: u64) -> Conditions {
        let setting = Setting { clock, seed, ..Setting::of(profile) };
        Conditions { profile, setting, counts: Counts::All }
    }

    /// Nothing but the noise of every day.
    pub fn is_everyday(&self) -> bool {
        self.setting.noise == self.profile.noise() && self.setting.trial == Trial::default()
    }

    /// Nobody's time is short enough to end the game.
    pub(super) fn with_time(&mut self, base: u32) {
        self.setting.control = TimeControl { base, ..self.setting.control };
    }
}
