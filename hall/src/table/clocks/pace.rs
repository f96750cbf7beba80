//! How often the clock was pressed while it was not heard, out of what it showed before and after.
//!
//! While it runs, what both faces show together goes down as time goes by and goes up at each press.

use std::ops::RangeInclusive;

use protocol::board::ClockReading;

use crate::{Millis, Settings};

/// So many presses are remembered.
const REMEMBERED: usize = 8;

/// What is known of the pace of the clock.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pace {
    /// What the last presses have added.
    added_ms: Vec<i64>,
    /// The last reading before the clock was not heard any more.
    before: Option<(ClockReading, Millis)>,
}

impl Pace {
    /// Between two readings with so much time between them somebody has pressed. Where that is more than half a second the
    /// face has rather gone down meanwhile.
    pub(crate) fn pressed(&mut self, before: &ClockReading, after: &ClockReading, passed: Millis, settings: &Settings) {
        if 2 * passed <= settings.reading_within_ms {
            self.added_ms.push(together_ms(after) - together_ms(before));
            let spare = self.added_ms.len().saturating_sub(REMEMBERED);
            self.added_ms.drain(..spare);
        }
    }

    /// The clock is not heard after this reading.
    pub(crate) fn lose(&mut self, last: ClockReading, at: Millis, settings: &Settings) {
        self.before = (last.running && self.increment_ms(settings).is_some()).then_some((last, at));
    }

    /// What the clock shows once it is heard will tell.
    pub(crate) fn will_tell(&self) -> bool {
        self.before.is_some()
    }

    /// How often it was pressed since.
    pub(crate) fn presses(
        &self,
        after: &ClockReading,
        now: Millis,
        settings: &Settings,
    ) -> Option<RangeInclusive<usize>> {
        self.between(self.before?, after, now, settings)
    }

    /// How often it was pressed between two readings.
    pub(crate) fn between(
        &self,
        (before, at): (ClockReading, Millis),
        after: &ClockReading,
        now: Millis,
        settings: &Settings,
    ) -> Option<RangeInclusive<usize>> {
        let increment =
            self.increment_ms(settings).filter(|_| after.running && !after.left.flag && !after.right.flag)?;
        let ms = |ms: Millis| i64::try_from(ms).unwrap_or(i64::MAX);
        let (rounded, age) = (ms(settings.faces_rounded_ms), ms(settings.reading_age_ms));
        let passed = i64::try_from(now - at).ok()?;
        let added = passed - (together_ms(&before) - together_ms(after));
        let fits = |presses: &i64| (-rounded..=rounded.saturating_add(age)).contains(&(added - presses * increment));
        let odd = i64::from(before.high != after.high);
        let fitting = (odd..=i64::from(settings.presses_unheard))
            .step_by(2)
            .filter(fits)
            .filter_map(|presses| usize::try_from(presses).ok());
        let fitting = fitting.collect::<Vec<_>>();
        Some(*fitting.first()?..=*fitting.last()?)
    }

    /// What is added at each press: a face may have gone down by a second just before it.
    fn increment_ms(&self, settings: &Settings) -> Option<i64> {
        let (least, most) = (self.added_ms.iter().min()?, self.added_ms.iter().max()?);
        let alike =
            self.added_ms.len() >= settings.increment_presses && most.abs_diff(*least) <= settings.increment_spread_ms;
        (*least > 0 && alike).then_some(*most)
    }
}

/// What both faces show.
pub(super) fn together_ms(reading: &ClockReading) -> i64 {
    (i64::from(reading.left.seconds) + i64::from(reading.right.seconds)) * 1_000
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use protocol::board::{Face, FaceReading};

    use super::*;

    fn reading(left_ms: u64, right_ms: u64, high: Face) -> ClockReading {
        let face = |ms: u64| FaceReading { seconds: u32::try_from(ms.div_ceil(1000)).expect("few"), flag: false };
        let (left, right) = (face(left_ms), face(right_ms));
        ClockReading { left, right, running: true, high, to_move: Some(high), battery_low: false }
    }

    /// A clock of two players who have thought for so long at each move, and what it shows after the last so many ms.
    fn shown(thoughts: &[u64], then: u64, increment: u64) -> ClockReading {
        let mut ms = [3_600_000; 2];
        for (ply, thought) in thoughts.iter().enumerate() {
            ms[ply % 2] += increment;
            ms[ply % 2] -= thought;
        }
        let to_move = thoughts.len() % 2;
        ms[to_move] -= then;
        reading(ms[0], ms[1], if to_move == 0 { Face::Left } else { Face::Right })
    }

    fn learned(increment: u64) -> Pace {
        let mut pace = Pace::default();
        for (thoughts, waited) in [(&[][..], 4_000), (&[4_100], 900), (&[4_100, 1_000], 0)] {
            let before = shown(thoughts, waited, increment);
            let after = shown(&[thoughts, &[waited + 100]].concat(), 0, increment);
            pace.pressed(&before, &after, 100, &Settings::default());
        }
        pace
    }

    proptest! {
        #[test]
        fn the_count_is_right(
            thoughts in prop::collection::vec(100_u64..40_000, 0..20),
            (known, then, more) in (0_usize..20, 0_u64..5_000, 0_u64..5_000),
            increment in prop::sample::select(vec![2_000_u64, 3_000, 10_000, 30_000]),
        ) {
            let known = known.min(thoughts.len());
            let mut pace = learned(increment);
            let then = if known < thoughts.len() { then.min(thoughts[known]) } else { then };
            pace.lose(shown(&thoughts[..known], then, increment), thoughts[..known].iter().sum::<u64>() + then, &Settings::default());
            let more = if known < thoughts.len() { more } else { then + more };
            let counted = pace.presses(&shown(&thoughts, more, increment), thoughts.iter().sum::<u64>() + more, &Settings::default());
            let counted = counted.expect("it is known");
            prop_assert!(counted.contains(&(thoughts.len() - known)));
            prop_assert!(increment < 3_000 || counted.start() == counted.end(), "{counted:?}");
        }
    }

    #[test]
    fn without_an_increment_or_with_a_clock_that_stood_nothing_is_known() {
        let seen = |mut pace: Pace, after: &ClockReading, now| {
            pace.lose(shown(&[], 0, 0), 0, &Settings::default());
            pace.presses(after, now, &Settings::default())
        };
        assert_eq!(seen(learned(0), &shown(&[9_000], 0, 0), 9_000), None);
        let pace = || learned(30_000);
        assert_eq!(seen(pace(), &shown(&[9_000], 0, 30_000), 9_000), Some(1..=1));
        assert_eq!(seen(pace(), &shown(&[9_000], 0, 30_000), 29_000), None, "it stood for a while");
        let fallen = FaceReading { seconds: 0, flag: true };
        assert_eq!(seen(pace(), &ClockReading { left: fallen, ..shown(&[9_000], 0, 30_000) }, 9_000), None);
        let mut uneven = pace();
        uneven.pressed(&shown(&[], 0, 0), &shown(&[500], 0, 5_000), 500, &Settings::default());
        assert_eq!(seen(uneven, &shown(&[9_000], 0, 30_000), 9_000), None, "a delay adds what was used of it");
    }
}
