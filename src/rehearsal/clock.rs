//! The chess clock at the board's socket: two faces, a lever, an increment, flags.

use std::str::FromStr;

use protocol::board::{
    Face,
    dgt::{ClockAck, ClockCommand, ClockMessage, ClockTimes, FaceTime, Status},
};

/// How much time a player has, and what every move adds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeControl {
    /// Seconds at the start.
    pub base: u32,
    /// Seconds for every move, the first included.
    pub increment: u32,
}

/// Text that is no time control.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("\"{0}\" is no time control: write seconds and increment, such as 180+2")]
pub struct BadTimeControl(String);

impl FromStr for TimeControl {
    type Err = BadTimeControl;

    fn from_str(text: &str) -> Result<TimeControl, BadTimeControl> {
        let bad = || BadTimeControl(text.to_owned());
        let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
        let seconds = |part: &str| part.trim().parse::<u32>().ok().filter(|seconds| *seconds < 36_000);
        let base = seconds(base).filter(|base| *base > 0).ok_or_else(bad)?;
        Ok(TimeControl { base, increment: seconds(increment).ok_or_else(bad)? })
    }
}

/// A clock with times of its own. It never asks what time it is: every call says so, and times never go back.
#[derive(Clone, Debug)]
pub struct Clock {
    control: TimeControl,
    left_ms: u64,
    right_ms: u64,
    high: Face,
    running: bool,
    fallen: Option<Face>,
    /// Where the lever is read, whatever it does.
    stuck: Option<Face>,
    /// The moment for which the two times are right.
    at: u64,
}

impl Clock {
    /// A clock set and stopped, with the lever up on `high`, whose player begins.
    pub fn new(control: TimeControl, high: Face, now: u64) -> Clock {
        // The display before the first move includes the first increment: 3+2 shows 3:02.
        let full = u64::from(control.base + control.increment) * 1_000;
        Clock { control, left_ms: full, right_ms: full, high, running: false, fallen: None, stuck: None, at: now }
    }

    /// Lets it run.
    pub fn start(&mut self, now: u64) {
        self.advance(now);
        self.running = self.fallen.is_none();
    }

    /// Pauses it.
    pub fn stop(&mut self, now: u64) {
        self.advance(now);
        self.running = false;
    }

    /// The player at `face` presses. False when that end of the lever is down already.
    pub fn press(&mut self, face: Face, now: u64) -> bool {
        self.advance(now);
        if self.high != face {
            return false;
        }
        if self.running {
            let increment = u64::from(self.control.increment) * 1_000;
            *self.time(face) += increment;
        }
        self.high = face.other();
        true
    }

    /// Seconds and flags of `face`, rounded up: a face shows zero only when nothing is left.
    pub fn shown(&self, face: Face, now: u64) -> FaceTime {
        let mut clock = self.clone();
        clock.advance(now);
        let seconds = u32::try_from(clock.time(face).div_ceil(1_000)).unwrap_or(u32::MAX);
        let fallen = if clock.fallen == Some(face) { FaceTime::FALLEN } else { 0 };
        let per_move = if clock.control.increment > 0 { FaceTime::PER_MOVE } else { 0 };
        FaceTime::of(seconds, fallen | per_move)
    }

    /// What the clock tells the board.
    pub fn message(&self, now: u64) -> ClockMessage {
        let mut clock = self.clone();
        clock.advance(now);
        let lever = match clock.stuck.unwrap_or(clock.high) {
            Face::Left => Status::LEFT_TO_MOVE,
            Face::Right => Status::RIGHT_HIGH | Status::RIGHT_TO_MOVE,
        };
        let running = if clock.running { Status::RUNNING } else { 0 };
        ClockMessage::Times(ClockTimes {
            left: clock.shown(Face::Left, now),
            right: clock.shown(Face::Right, now),
            status: Status(lever | running),
        })
    }

    /// The answer to a command. The clock is in one of its playing modes, so it refuses to be set from outside.
    pub fn answer(command: &ClockCommand) -> ClockMessage {
        const DONE: u8 = 0x10;
        const REFUSED: u8 = 0x40;
        /// Version 2.0: a clock that shows letters.
        const VERSION: u8 = 0x20;
        ClockMessage::Ack(ClockAck(match command {
            ClockCommand::Display { .. } => [DONE, 0x01, 0, 0],
            ClockCommand::Icons(_) => [DONE, 0x02, 0, 0],
            ClockCommand::EndText => [DONE, 0x03, 0, 0],
            ClockCommand::Buttons => [DONE, 0x08, 0, 0],
            ClockCommand::Version => [DONE, 0x09, VERSION, 0],
            ClockCommand::SetAndRun(_) => [REFUSED, 0x0a, 0, 0],
            ClockCommand::Beep(_) => [DONE, 0x0b, 0, 0],
            ClockCommand::Text(..) => [DONE, 0x0c, 0, 0],
            ClockCommand::LongText(..) => [REFUSED, 0x0d, 0, 0],
        }))
    }

    /// When a face next shows another second.
    pub fn deadline(&self) -> Option<u64> {
        let left = if self.high == Face::Left { self.left_ms } else { self.right_ms };
        let to_next_second = left - (left.div_ceil(1_000).max(1) - 1) * 1_000;
        self.running.then_some(self.at + to_next_second)
    }

    /// From here on the lever is read where it lies.
    pub fn stick(&mut self) {
        self.stuck = Some(self.high);
    }

    /// It is read right again.
    pub fn come_loose(&mut self) {
        self.stuck = None;
    }

    /// The raised end of the lever.
    pub fn high(&self) -> Face {
        self.high
    }

    /// Brings the times to `now`.
    pub fn advance(&mut self, now: u64) {
        let passed = now.saturating_sub(self.at);
        self.at = self.at.max(now);
        if !self.running {
            return;
        }
        let high = self.high;
        let time = self.time(high);
        *time = time.saturating_sub(passed);
        if *time == 0 {
            self.fallen = Some(high);
            self.running = false;
        }
    }

    fn time(&mut self, face: Face) -> &mut u64 {
        match face {
            Face::Left => &mut self.left_ms,
            Face::Right => &mut self.right_ms,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::board::dgt::Message;

    const BLITZ: TimeControl = TimeControl { base: 180, increment: 2 };

    fn bytes(clock: &Clock, now: u64) -> Vec<u8> {
        Message::Clock(clock.message(now)).encode()
    }

    #[test]
    fn three_and_two_begins_at_three_minutes_and_two_seconds() {
        let clock = Clock::new(BLITZ, Face::Left, 0);
        assert_eq!(bytes(&clock, 500), [0x8d, 0, 0x0a, 0x20, 0x03, 0x02, 0x20, 0x03, 0x02, 0x08]);
    }

    #[test]
    fn the_message_after_the_press_contains_the_increment() {
        let mut clock = Clock::new(BLITZ, Face::Left, 0);
        clock.start(0);
        assert_eq!(bytes(&clock, 4_000)[6..], [0x20, 0x02, 0x58, 0x09]);
        assert!(clock.press(Face::Left, 4_500));
        assert_eq!(bytes(&clock, 4_500)[3..], [0x20, 0x03, 0x02, 0x20, 0x03, 0x00, 0x13]);
        assert!(!clock.press(Face::Left, 5_000), "that end is down already");
        assert_eq!(bytes(&clock, 6_500)[3..], [0x20, 0x03, 0x00, 0x20, 0x03, 0x00, 0x13]);
    }

    #[test]
    fn a_fallen_flag_stops_the_clock() {
        let mut clock = Clock::new(TimeControl { base: 2, increment: 0 }, Face::Right, 0);
        clock.start(0);
        assert_eq!(clock.deadline(), Some(1_000));
        assert_eq!(bytes(&clock, 2_000)[3..], [0x10, 0, 0, 0, 0, 0x02, 0x12]);
        clock.advance(2_000);
        assert_eq!(clock.deadline(), None);
    }

    #[test]
    fn a_paused_clock_keeps_its_times_and_shows_the_lever() {
        let mut clock = Clock::new(BLITZ, Face::Left, 0);
        clock.start(0);
        clock.stop(1_000);
        clock.press(Face::Left, 2_000);
        assert_eq!(bytes(&clock, 60_000)[3..], [0x20, 0x03, 0x02, 0x20, 0x03, 0x01, 0x12]);
    }

    #[test]
    fn a_time_control_is_seconds_and_increment() {
        assert_eq!("180+2".parse(), Ok(BLITZ));
        assert_eq!("300".parse(), Ok(TimeControl { base: 300, increment: 0 }));
        for wrong in ["", "3:00", "+2", "0+1", "40000+0", "5+x"] {
            assert!(wrong.parse::<TimeControl>().is_err(), "{wrong}");
        }
    }
}
