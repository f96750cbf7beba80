//! Our own count of both clocks, from one reading to the next.

use laws::clock::{Control, Extra, PlayerClock};
use protocol::feed::Side;

use super::flags::place;
use crate::{Millis, Settings};

/// Both players' times as we count them since the clock was believed last.
#[derive(Clone, Debug)]
pub(super) struct OwnCount {
    clocks: [PlayerClock; 2],
    /// What is added with a move. Where nobody has told, a press may bring anything but less.
    knows_control: bool,
    running: Side,
    /// Since when the running side thinks.
    since: Millis,
    presses: [u32; 2],
    /// A reading has agreed. Until then the one it began with may have been garbled.
    trusted: bool,
    doubt: Option<Doubt>,
}

/// What a clock showed at one reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Faces {
    pub(super) left_ms: [Millis; 2],
    pub(super) running: Side,
}

/// A player's period, from 0, and how many moves that player has completed.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Progress {
    pub(super) period: usize,
    pub(super) completed: u32,
}

/// Readings that agree with one another and not with us.
#[derive(Clone, Copy, Debug)]
struct Doubt {
    since: Millis,
    off: [Option<Off>; 2],
}

/// What one face shows and what it should.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Off {
    pub(super) shown_ms: Millis,
    pub(super) counted_ms: Millis,
}

impl OwnCount {
    /// Counts from what the clock shows.
    pub(super) fn from(faces: Faces, control: Option<&Control>, progress: [Progress; 2], now: Millis) -> OwnCount {
        let control_known = control.is_some();
        let control = || control.cloned().unwrap_or_else(|| Control::simple(0, Extra::None));
        let clock = |side: usize| {
            let Progress { period, completed } = progress[side];
            PlayerClock::resumed(control(), period, completed, faces.left_ms[side])
        };
        OwnCount { knows_control: control_known, ..OwnCount::new([clock(0), clock(1)], faces.running, now) }
    }

    /// Counts from what was agreed before the game.
    pub(super) fn at_beginning(control: &Control, running: Side, now: Millis) -> OwnCount {
        let clock = || PlayerClock::new(control.clone());
        OwnCount { trusted: true, ..OwnCount::new([clock(), clock()], running, now) }
    }

    fn new(clocks: [PlayerClock; 2], running: Side, now: Millis) -> OwnCount {
        let (presses, doubt) = ([0; 2], None);
        OwnCount { clocks, knows_control: true, running, since: now, presses, trusted: false, doubt }
    }

    /// Compares a reading with the count. False if there is nothing to compare with any more.
    pub(super) fn hear(&mut self, faces: Faces, settings: &Settings, now: Millis) -> bool {
        if faces.running != self.running {
            self.press(faces, settings, now);
        }
        let counted = [Side::White, Side::Black].map(|side| self.counted_ms(side, now));
        let tolerance = |side: usize| {
            settings.clock_off_ms.saturating_add(settings.clock_off_press_ms.saturating_mul(self.presses[side].into()))
        };
        let near_the_end = |side: usize| counted[side].min(faces.left_ms[side]) <= tolerance(side);
        if near_the_end(place(self.running)) {
            // The flag or the next period will tell.
            return false;
        }
        let off = [0, 1].map(|side| {
            let (shown_ms, counted_ms) = (faces.left_ms[side], counted[side]);
            (shown_ms.abs_diff(counted_ms) > tolerance(side)).then_some(Off { shown_ms, counted_ms })
        });
        if off.iter().all(Option::is_none) {
            self.trusted = true;
            self.doubt = None;
            return true;
        }
        let since = self.doubt.map_or(now, |doubt| doubt.since);
        self.doubt = Some(Doubt { since, off });
        self.trusted
    }

    fn press(&mut self, faces: Faces, settings: &Settings, now: Millis) {
        let mover = place(self.running);
        self.clocks[mover].complete(now.saturating_sub(self.since));
        let (shown, counted) = (faces.left_ms[mover], self.clocks[mover].remaining_ms());
        if !self.knows_control && shown.saturating_add(settings.clock_off_ms) >= counted {
            self.clocks[mover].set_to(shown);
        } else {
            self.presses[mover] += 1;
        }
        self.running = faces.running;
        self.since = now;
    }

    fn counted_ms(&self, side: Side, now: Millis) -> Millis {
        let thinking = if side == self.running { now.saturating_sub(self.since) } else { 0 };
        self.clocks[place(side)].showing(thinking).main_ms
    }

    /// When readings will have disagreed for so long that they are no slip of the line.
    pub(super) fn doubted_until(&self, settings: &Settings) -> Option<Millis> {
        Some(self.doubt?.since.saturating_add(settings.clock_doubt_ms))
    }

    /// What White's and Black's clocks show else than we count.
    pub(super) fn off(&self) -> [Option<Off>; 2] {
        self.doubt.map_or([None; 2], |doubt| doubt.off)
    }

    /// The clock shows what somebody has said it would be set to, or a little less.
    pub(super) fn is_set_to(faces: Faces, ordered: [Millis; 2], since: Millis, settings: &Settings) -> bool {
        [0, 1].into_iter().all(|side| {
            let (shown, set) = (faces.left_ms[side], ordered[side]);
            shown <= set.saturating_add(settings.clock_off_ms)
                && shown.saturating_add(since).saturating_add(settings.clock_off_ms) >= set
        })
    }
}
