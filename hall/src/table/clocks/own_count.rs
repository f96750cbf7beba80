//! Our own count of both clocks, from one reading to the next.

use laws::clock::{Control, Extra, PlayerClock};
use protocol::feed::Side;
use shakmaty::{ByColor, Color};

use super::clock::Faces;
use crate::{Millis, Settings};

/// Both players' times as we count them since the clock was believed last.
#[derive(Clone, Debug)]
pub(crate) struct OwnCount {
    clocks: ByColor<PlayerClock>,
    /// What is added with a move. Where nobody has told, a press may bring anything but less.
    knows_control: bool,
    running: Side,
    /// Since when the running side thinks.
    since: Millis,
    presses: ByColor<u32>,
    /// A reading has agreed. Until then the one it began with may have been garbled.
    trusted: bool,
    doubt: Option<Discrepancy>,
}

/// A player's period, from 0, and how many moves that player has completed.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Progress {
    pub(crate) period: usize,
    pub(crate) completed: u32,
}

/// Readings that agree with one another and not with us.
#[derive(Clone, Copy, Debug)]
struct Discrepancy {
    since: Millis,
    off: ByColor<Option<Off>>,
}

/// What one face shows and what it should.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Off {
    pub(crate) shown_ms: Millis,
    pub(crate) counted_ms: Millis,
}

impl OwnCount {
    /// Counts from what the clock shows.
    pub(crate) fn from(faces: Faces, control: Option<&Control>, progress: ByColor<Progress>, now: Millis) -> OwnCount {
        let control_known = control.is_some();
        let control = || control.cloned().unwrap_or_else(|| Control::simple(0, Extra::None));
        let clocks = ByColor::new_with(|color| {
            let Progress { period, completed } = progress[color];
            PlayerClock::resumed(control(), period, completed, faces.left_ms[color])
        });
        OwnCount { knows_control: control_known, ..OwnCount::new(clocks, faces.running, now) }
    }

    /// Counts from what was agreed before the game.
    pub(crate) fn at_beginning(control: &Control, running: Side, now: Millis) -> OwnCount {
        let clocks = ByColor::new_with(|_| PlayerClock::new(control.clone()));
        OwnCount { trusted: true, ..OwnCount::new(clocks, running, now) }
    }

    fn new(clocks: ByColor<PlayerClock>, running: Side, now: Millis) -> OwnCount {
        let (presses, doubt) = (ByColor::default(), None);
        OwnCount { clocks, knows_control: true, running, since: now, presses, trusted: false, doubt }
    }

    /// Compares a reading with the count. False if there is nothing to compare with any more.
    pub(crate) fn hear(&mut self, faces: Faces, settings: &Settings, now: Millis) -> bool {
        if faces.running != self.running {
            self.press(faces, settings, now);
        }
        let counted = ByColor::new_with(|color| self.counted_ms(color.into(), now));
        let tolerance = |side: Color| {
            settings.clock_off_ms.saturating_add(settings.clock_off_press_ms.saturating_mul(self.presses[side].into()))
        };
        let near_the_end = |side: Color| counted[side].min(faces.left_ms[side]) <= tolerance(side);
        if near_the_end(self.running.into()) {
            // The flag or the next period will tell.
            return false;
        }
        let off = ByColor::new_with(|side| {
            let (shown_ms, counted_ms) = (faces.left_ms[side], counted[side]);
            (shown_ms.abs_diff(counted_ms) > tolerance(side)).then_some(Off { shown_ms, counted_ms })
        });
        if off.iter().all(Option::is_none) {
            self.trusted = true;
            self.doubt = None;
            return true;
        }
        let since = self.doubt.map_or(now, |doubt| doubt.since);
        self.doubt = Some(Discrepancy { since, off });
        self.trusted
    }

    fn press(&mut self, faces: Faces, settings: &Settings, now: Millis) {
        let mover = Color::from(self.running);
        self.clocks.get_mut(mover).complete(now.saturating_sub(self.since));
        let (shown, counted) = (faces.left_ms[mover], self.clocks[mover].remaining_ms());
        if !self.knows_control && shown.saturating_add(settings.clock_off_ms) >= counted {
            self.clocks.get_mut(mover).set_to(shown);
        } else {
            *self.presses.get_mut(mover) += 1;
        }
        self.running = faces.running;
        self.since = now;
    }

    fn counted_ms(&self, side: Side, now: Millis) -> Millis {
        let thinking = if side == self.running { now.saturating_sub(self.since) } else { 0 };
        self.clocks[side.into()].showing(thinking).main_ms
    }

    /// When readings will have disagreed for so long that they are no slip of the line.
    pub(crate) fn doubted_until(&self, settings: &Settings) -> Option<Millis> {
        Some(self.doubt?.since.saturating_add(settings.clock_doubt_ms))
    }

    /// What White's and Black's clocks show else than we count.
    pub(crate) fn off(&self) -> ByColor<Option<Off>> {
        self.doubt.map_or_else(ByColor::default, |doubt| doubt.off)
    }
}
