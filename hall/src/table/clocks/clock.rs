//! The chess clock of one table: presses out of lever positions, and what screens are told of the times.

use std::ops::RangeInclusive;

use protocol::{
    board::{ClockReading, ClockSense, Face, Lie},
    feed::{Clocks as Times, Side, Sight},
};
use shakmaty::ByColor;

use super::pace::{Pace, together_ms};
use crate::{
    Millis, Settings,
    hand::{PressCount, Pressing, player_at},
};

/// What is known of the clock.
#[derive(Clone, Debug, Default)]
pub(crate) struct Clock {
    reading: Option<ClockReading>,
    /// When that was.
    read_at: Millis,
    pace: Pace,
    /// It was not heard since: the lever may have been moved, but nobody has taken the clock away.
    stale: bool,
    shown: Option<Shown>,
    low: bool,
    /// The face that was seen to go down since the lever moved last, and when that was.
    counts: Option<Face>,
    flipped_at: Millis,
    /// What it showed at the last press.
    at_press: Option<AtPress>,
    /// Whose time ran, as far as was told.
    shows: Option<Face>,
    /// It stood when it was taken away, and no clock has been pressed since.
    stood: bool,
    /// So many readings came while it ran and nobody pressed, and none later than a clock that tells every second.
    regular: usize,
}

/// Who has pressed, and what the left face and the right one showed then, without what was added for it.
#[derive(Clone, Copy, Debug)]
struct AtPress {
    face: Face,
    left_s: u32,
    right_s: u32,
}

/// What screens were told last, and when.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Shown {
    white_ms: u64,
    black_ms: u64,
    running: Option<Side>,
    at: Millis,
}

/// What the faces of a clock that runs show at one reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Faces {
    pub(crate) left_ms: ByColor<Millis>,
    pub(crate) running: Side,
}

/// What a reading means.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Heard {
    /// Who has pressed.
    pub(crate) press: Option<Side>,
    /// It had told its times every second, and for some seconds nothing came: how often it was pressed meanwhile.
    pub(crate) missed: Option<PressCount>,
    /// The clock did not run at the last reading and runs.
    pub(crate) started: bool,
    /// It ran when screens were told last, and stands.
    pub(crate) stopped: bool,
    /// What screens should know.
    pub(crate) sight: Option<Sight>,
    /// Its battery was not low at the last reading and is.
    pub(crate) battery_low: bool,
}

impl Clock {
    pub(crate) fn hear(&mut self, sense: &ClockSense, lie: Lie, settings: &Settings, now: Millis) -> Heard {
        let ClockSense::Reading(reading) = sense else {
            let stood = self.pressing() == Pressing::Stopped;
            *self = Clock { stood, ..Clock::default() };
            return Heard::default();
        };
        let stale = std::mem::take(&mut self.stale);
        let before = self.reading.replace(*reading).filter(|_| !stale);
        // A lever that is moved while the clock stands is an arbiter setting it, not a player pressing.
        let flipped = before.is_some_and(|before| before.high != reading.high && before.running);
        // Which face went down before that, or before a silence, says nothing of now.
        let unwatched = flipped || stale;
        if let Some(before) = before.filter(|_| !flipped) {
            self.watch_faces(&before, reading, settings, now);
        }
        let counts = self.counts.filter(|_| !unwatched && reading.running).unwrap_or(reading.high);
        let moved = before.is_some_and(|before| before.running) && self.shows.is_some_and(|shows| shows != counts);
        self.shows = Some(counts);
        if unwatched || !reading.running {
            self.counts = None;
            self.flipped_at = now;
        }
        let press = moved.then(|| side(counts.other(), lie));
        if let Some(before) = before.filter(|_| moved) {
            let least = |face| before.face(face).seconds.min(reading.face(face).seconds);
            let (left_s, right_s) = (least(Face::Left), least(Face::Right));
            self.at_press = Some(AtPress { face: counts.other(), left_s, right_s });
        }
        self.stood &= !moved;
        if let Some(before) = before.filter(|_| flipped) {
            self.pace.pressed(&before, reading, now - self.read_at, settings);
        }
        let since = before.filter(|before| before.running).map(|before| (before, self.read_at));
        let missed = since
            .filter(|(before, _)| self.is_missed(flipped, now, settings) || shows_more_presses(before, reading))
            .map(|since| counted(self.pace.between(since, reading, now, settings), reading, lie));
        self.read_at = now;
        let stopped = !reading.running && self.shown.is_some_and(|shown| shown.running.is_some());
        let now_shown = shown(reading, lie, now);
        let sight = (press.is_some() || self.is_news(&now_shown, settings.clock_drift_ms)).then(|| {
            self.shown = Some(now_shown);
            sight(&now_shown)
        });
        let started = reading.running && !before.is_some_and(|before| before.running);
        let battery_low = reading.battery_low && !std::mem::replace(&mut self.low, reading.battery_low);
        Heard { press, missed, started, stopped, sight, battery_low }
    }

    /// A press was heard that moves no lever, since nobody has heard the one before: the face has run until then.
    pub(crate) fn hear_press(&mut self, by: Side, lie: Lie, now: Millis) {
        self.shows = self.shows.map(|_| face(by.other(), lie));
        self.counts = None;
        self.flipped_at = now;
    }

    /// Whether a reading should have come between the last one and this.
    fn is_missed(&mut self, flipped: bool, now: Millis, settings: &Settings) -> bool {
        let soon = now <= self.read_at + settings.reading_within_ms;
        // What comes together with another one tells of no rhythm.
        let ticks = !flipped && 2 * (now - self.read_at) > settings.reading_within_ms;
        let enough = settings.readings_regular;
        let was_regular = self.regular >= enough;
        self.regular = if soon { (self.regular + usize::from(ticks)).min(enough) } else { 0 };
        was_regular && !soon
    }

    /// Screens were not told what it shows.
    pub(crate) fn owe(&mut self) {
        self.shown = None;
    }

    /// What it shows, where screens were not told.
    pub(crate) fn take_owed(&mut self, lie: Lie, now: Millis) -> Option<Sight> {
        let reading = self.heard().filter(|_| self.shown.is_none())?;
        Some(sight(self.shown.insert(shown(&reading, lie, now))))
    }

    /// The clock is not heard any more.
    pub(crate) fn lose(&mut self, settings: &Settings) {
        if let Some(last) = self.heard() {
            self.pace.lose(last, self.read_at, settings);
        }
        self.stale = true;
    }

    /// How often it was pressed since it was lost.
    pub(crate) fn presses(&self, lie: Lie, settings: &Settings) -> PressCount {
        let Some(reading) = self.heard() else {
            return if self.pace.will_tell() { PressCount::Awaited } else { PressCount::Unknown };
        };
        counted(self.pace.presses(&reading, self.read_at, settings), &reading, lie)
    }

    /// Whether a press can be expected. One that stood when it was taken away tells as it did then: the game rests.
    pub(crate) fn pressing(&self) -> Pressing {
        match self.reading {
            Some(reading) if reading.left.flag || reading.right.flag => Pressing::Impossible,
            Some(reading) if reading.running => Pressing::Awaited,
            Some(_) => Pressing::Stopped,
            None if self.stood => Pressing::Stopped,
            None => Pressing::Impossible,
        }
    }

    /// The game goes on without it.
    pub(crate) fn forget_rest(&mut self) {
        self.stood = false;
    }

    /// The face that goes down counts, whatever the lever says. A reading may be older than the last press.
    fn watch_faces(&mut self, before: &ClockReading, now_shown: &ClockReading, settings: &Settings, now: Millis) {
        let down = |face: Face| now_shown.face(face).seconds + 1 == before.face(face).seconds;
        let fresh =
            before.running && self.read_at >= self.flipped_at && now >= self.flipped_at + settings.reading_within_ms;
        let ran = [Face::Left, Face::Right].into_iter().find(|face| down(*face) && !down(face.other()));
        if fresh && ran.is_some() {
            self.counts = ran;
        }
    }

    /// What the clock of `of` showed last.
    pub(crate) fn left_ms(&self, of: Side, lie: Lie) -> Option<u64> {
        Some(u64::from(self.heard()?.face(face(of, lie)).seconds) * 1000)
    }

    /// What both clocks showed last.
    pub(crate) fn both_ms(&self, lie: Lie) -> Option<Times> {
        Some(Times { white: self.left_ms(Side::White, lie)?, black: self.left_ms(Side::Black, lie)? })
    }

    /// What White's and Black's clock showed as `side` pressed last, without what was added for that; what they show now if
    /// the other player has pressed since.
    pub(crate) fn times_pressed(&self, by: Side, lie: Lie) -> Option<ByColor<u64>> {
        let at_press = self.at_press.filter(|press| self.heard().is_some() && press.face == face(by, lie));
        let left = |of| match (at_press, face(of, lie)) {
            (Some(press), Face::Left) => Some(u64::from(press.left_s) * 1000),
            (Some(press), Face::Right) => Some(u64::from(press.right_s) * 1000),
            (None, _) => self.left_ms(of, lie),
        };
        Some(ByColor { white: left(Side::White)?, black: left(Side::Black)? })
    }

    /// The clock can be heard.
    pub(crate) fn is_heard(&self) -> bool {
        self.reading.is_some()
    }

    /// Whether the flag of `of` is shown; nothing while the clock is not heard.
    pub(crate) fn flag(&self, of: Side, lie: Lie) -> Option<bool> {
        Some(self.reading?.face(face(of, lie)).flag)
    }

    /// Which end of the lever is up, where the clock runs.
    pub(crate) fn up(&self) -> Option<Face> {
        self.heard().filter(|reading| reading.running).map(|reading| reading.high)
    }

    /// Whose end of the lever is up, where the clock runs.
    pub(crate) fn to_move(&self, lie: Lie) -> Option<Side> {
        self.up().map(|face| side(face, lie))
    }

    /// When it was heard last.
    pub(crate) fn read_at(&self) -> Millis {
        self.read_at
    }

    /// What both faces show while the clock runs and no flag is down.
    pub(crate) fn faces(&self, lie: Lie) -> Option<Faces> {
        let running = self.to_move(lie)?;
        let ms = |of| self.left_ms(of, lie);
        let up = |of| self.flag(of, lie) == Some(false);
        let both_up = up(Side::White) && up(Side::Black);
        Some(Faces { left_ms: ByColor { white: ms(Side::White)?, black: ms(Side::Black)? }, running })
            .filter(|_| both_up)
    }

    /// It is heard and does not run.
    pub(crate) fn stands(&self) -> bool {
        self.heard().is_some_and(|reading| !reading.running)
    }

    /// What the clock shows, if it is heard.
    fn heard(&self) -> Option<ClockReading> {
        self.reading.filter(|_| !self.stale)
    }

    fn is_news(&self, new: &Shown, drift_ms: Millis) -> bool {
        let Some(old) = self.shown else { return true };
        let expected = |ms: u64, of: Side| {
            if old.running == Some(of) { ms.saturating_sub(new.at.saturating_sub(old.at)) } else { ms }
        };
        let off = |old: u64, new: u64| old.abs_diff(new) > drift_ms;
        old.running != new.running
            || off(expected(old.white_ms, Side::White), new.white_ms)
            || off(expected(old.black_ms, Side::Black), new.black_ms)
    }
}

/// Time is added at a press: the face has gone up of a player who is not the one that was heard to press. In an hourglass
/// one goes up by as much as the other goes down, and a time that is up may be followed by the next period's.
fn shows_more_presses(before: &ClockReading, after: &ClockReading) -> bool {
    let seconds = |reading: &ClockReading, face| reading.face(face).seconds;
    let rose = |face: &Face| seconds(before, *face) > 1 && seconds(after, *face) > seconds(before, *face);
    let presser = Some(before.high).filter(|high| *high != after.high);
    let unheard = [Face::Left, Face::Right].iter().any(|face| Some(*face) != presser && rose(face));
    after.running && unheard && together_ms(after) != together_ms(before)
}

/// So many presses by this reading, if that is known, and who has the move on it.
fn counted(count: Option<RangeInclusive<usize>>, reading: &ClockReading, lie: Lie) -> PressCount {
    let to_move = side(reading.high, lie).into();
    count.map_or(PressCount::Unknown, |count| PressCount::Counted { count, to_move })
}

fn shown(reading: &ClockReading, lie: Lie, at: Millis) -> Shown {
    let ms = |of| u64::from(reading.face(face(of, lie)).seconds) * 1000;
    let running = reading.running.then(|| side(reading.high, lie));
    Shown { white_ms: ms(Side::White), black_ms: ms(Side::Black), running, at }
}

fn sight(shown: &Shown) -> Sight {
    Sight::Clock { white_ms: shown.white_ms, black_ms: shown.black_ms, running: shown.running }
}

fn side(face: Face, lie: Lie) -> Side {
    player_at(face, lie).into()
}

fn face(of: Side, lie: Lie) -> Face {
    if side(Face::Left, lie) == of { Face::Left } else { Face::Right }
}
