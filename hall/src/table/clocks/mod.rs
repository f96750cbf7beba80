//! The chess clock of a table: what it shows, how that compares with our own count, and whose flag is down.

mod clock;
mod comparison;
mod flags;
mod own_count;
mod pace;
mod setting;

use laws::scoresheet::Exemption;
use protocol::{
    board::{ClockSense, Lie},
    feed::{Clocks as Times, Side},
};
use shakmaty::ByColor;

use crate::{Millis, Settings};
use clock::Clock;
pub(crate) use clock::Heard;
pub(crate) use comparison::{Comparison, Reading};
pub(crate) use flags::{Fallen, Flags};
pub(crate) use own_count::{Off, Progress};

/// What is known of the clock.
#[derive(Clone, Debug, Default)]
pub(crate) struct Clocks {
    pub(crate) clock: Clock,
    pub(crate) comparison: Comparison,
    pub(crate) flags: Flags,
    /// Whether White and Black need not write any more, each in which period.
    exempt: ByColor<(usize, Exemption)>,
    /// The lever may have been moved while nothing was heard, or before the clock was heard running.
    lever_unread: bool,
    /// What both clocks stood at last, as they were heard or as the arbiter has set them; none where they run.
    stood: Option<Times>,
}

impl Clocks {
    /// A game begins.
    pub(crate) fn begin(&mut self) {
        self.flags.begin();
        self.stood = None;
        self.comparison = Comparison::default();
        self.exempt = ByColor::default();
    }

    /// The clock shows this.
    pub(crate) fn hear(&mut self, sense: &ClockSense, lie: Lie, settings: &Settings, now: Millis) -> Heard {
        let heard = self.clock.hear(sense, lie, settings, now);
        if let Some(times) = self.clock.both_ms(lie) {
            self.stood = Some(times).filter(|_| self.clock.stands());
        }
        heard
    }

    /// The arbiter has set them.
    pub(crate) fn set(&mut self, times: Times) {
        self.stood = Some(times);
    }

    /// What both clocks show, or stood at when they were heard last. Of one that ran on unheard nothing is known.
    pub(crate) fn times(&self, lie: Lie) -> Option<Times> {
        self.clock.both_ms(lie).or(self.stood)
    }

    /// What the clock showed before a silence says nothing about who has pressed since.
    pub(crate) fn lose(&mut self, settings: &Settings) {
        self.clock.lose(settings);
        self.comparison.forget();
        self.lever_unread = true;
    }

    /// The lever may say more than was heard.
    pub(crate) fn doubt_lever(&mut self) {
        self.lever_unread = true;
    }

    /// Whose end of the lever is up, if nobody has read it since that was in doubt.
    pub(crate) fn unread_lever(&self, lie: Lie) -> Option<Side> {
        self.clock.to_move(lie).filter(|_| self.lever_unread)
    }

    /// The lever has been read.
    pub(crate) fn read_lever(&mut self) {
        self.lever_unread = false;
    }

    /// What a player has to write, in this period.
    pub(crate) fn exemption(&mut self, side: Side, period: usize) -> &mut Exemption {
        let (before, exemption) = self.exempt.get_mut(side.into());
        if std::mem::replace(before, period) != period {
            exemption.next_period();
        }
        exemption
    }
}
