//! The figures of one profile, beside what they should be.

use std::{
    collections::BTreeMap,
    fmt::{self, Write},
};

use super::{judge::Verdict, rates::rate};
use crate::rehearsal::{Kind, NoiseCount, Profile, Tally};

/// With a clock a final comes this soon after its press can be read, in 99 of 100 cases.
const LATENESS_MS: u64 = 300;
/// The causes that are printed.
const CAUSES: usize = 12;

/// What must be reached.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bars {
    /// Of 10,000 games at least so many are exact.
    pub exact: u64,
    /// Of 100,000 plies at most so many finals were not played.
    pub false_finals: u64,
}

impl Bars {
    /// What is asked of the reconstruction where people play like this.
    pub fn of(profile: Profile, clock: bool) -> Bars {
        let (exact, false_finals) = match (profile, clock) {
            (Profile::Classical, true) => (9_990, 0),
            (Profile::Classical, false) => (9_900, 30),
            (Profile::Rapid, true) => (9_950, 2),
            (Profile::Rapid, false) => (9_700, 50),
            (Profile::Blitz, true) => (9_700, 10),
            (Profile::Blitz, false) => (9_000, 100),
            (Profile::Perfect, _) => (10_000, 0),
        };
        Bars { exact, false_finals }
    }
}

/// Verdicts added up.
#[derive(Clone, Debug)]
pub struct Figures {
    profile: Profile,
    clock: bool,
    games: u64,
    exact: u64,
    unadmitted: u64,
    plies: u64,
    false_finals: u64,
    reordered: u64,
    stood: u64,
    analysis_finals: u64,
    lateness: Vec<u64>,
    overdue: u64,
    unread: u64,
    corrections: u64,
    alerts: BTreeMap<String, u64>,
    causes: BTreeMap<Vec<Kind>, u64>,
    following: u64,
    noise: NoiseCount,
}

impl Figures {
    /// Nothing yet.
    pub fn new(profile: Profile, clock: bool) -> Figures {
        Figures {
            profile,
            clock,
            games: 0,
            exact: 0,
            unadmitted: 0,
            plies: 0,
            false_finals: 0,
            reordered: 0,
            stood: 0,
            analysis_finals: 0,
            lateness: Vec::new(),
            overdue: 0,
            unread: 0,
            corrections: 0,
            alerts: BTreeMap::new(),
            causes: BTreeMap::new(),
            following: 0,
            noise: NoiseCount::default(),
        }
    }

    /// One game more.
    pub fn add(&mut self, verdict: &Verdict) {
        let count = |number: usize| u64::try_from(number).expect("fewer than 2^64");
        self.games += 1;
        self.exact += u64::from(verdict.exact);
        self.unadmitted += u64::from(!verdict.exact && !verdict.admitted);
        self.plies += count(verdict.plies);
        self.false_finals += count(verdict.false_finals);
        self.reordered += count(verdict.reordered);
        let first = verdict.failures.iter().filter(|failure| !failure.follows);
        self.stood += count(first.filter(|failure| failure.stood).count());
        self.analysis_finals += count(verdict.analysis_finals);
        self.lateness.extend(&verdict.lateness);
        self.overdue += count(verdict.overdue);
        self.unread += count(verdict.unread);
        self.corrections += count(verdict.corrections);
        for (kind, number) in &verdict.alerts {
            *self.alerts.entry(kind.clone()).or_default() += count(*number);
        }
        for failure in &verdict.failures {
            if failure.follows {
                self.following += 1;
                continue;
            }
            *self.causes.entry(failure.causes.iter().copied().collect()).or_default() += 1;
        }
    }

    /// What went wrong in a session.
    pub fn add_noise(&mut self, noise: &NoiseCount) {
        self.noise = std::mem::take(&mut self.noise).plus(noise);
    }

    /// Every bar is reached.
    pub fn is_in_order(&self) -> bool {
        self.checks().iter().all(|check| check.reached)
    }

    fn checks(&self) -> [Check; 4] {
        let bars = Bars::of(self.profile, self.clock);
        let mut lateness = self.lateness.clone();
        lateness.sort_unstable();
        let [half, most, all] = [50, 99, 100].map(|percent| percentile(&lateness, percent));
        let late = format!("p50 {half} ms, p99 {most} ms, max {all} ms");
        let measured = u64::try_from(lateness.len()).expect("fewer than 2^64");
        [
            Check {
                reached: self.exact * 10_000 >= bars.exact * self.games,
                what: "games exact",
                found: format!("{} of {} ({} %)", self.exact, self.games, ratio(self.exact * 100, self.games, 2)),
                asked: format!("at least {} %", ratio(bars.exact, 100, 1)),
            },
            Check {
                reached: self.false_finals * 100_000 <= bars.false_finals * self.plies,
                what: "false finals",
                found: format!(
                    "{} in {} plies ({} in 10,000)",
                    self.false_finals,
                    self.plies,
                    ratio(self.false_finals * 10_000, self.plies, 2)
                ),
                asked: format!("at most {} in 10,000", ratio(bars.false_finals, 10, 1)),
            },
            if self.clock {
                Check {
                    reached: most <= LATENESS_MS,
                    what: "after the press was read",
                    found: late,
                    asked: format!("p99 at most {LATENESS_MS} ms"),
                }
            } else {
                Check {
                    reached: self.overdue * 100 <= measured,
                    what: "after the last man landed",
                    found: format!("{late}; {} overdue", self.overdue),
                    asked: "p99 within 6 s or the opponent's landing".to_owned(),
                }
            },
            Check {
                reached: self.unadmitted == 0,
                what: "wrong and not admitted",
                found: format!("{} of {}", self.unadmitted, self.games - self.exact),
                asked: "none without ambiguous, position_mismatch or resync".to_owned(),
            },
        ]
    }
}

struct Check {
    reached: bool,
    what: &'static str,
    found: String,
    asked: String,
}

/// The report of one profile.
impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let profile = format!("{:?}", self.profile).to_lowercase();
        writeln!(f, "{profile}, {}", if self.clock { "with a clock" } else { "without a clock" })?;
        for Check { reached, what, found, asked } in self.checks() {
            writeln!(f, "  {} {what:<25} {found:<50} {asked}", if reached { '✓' } else { '✗' })?;
        }
        writeln!(f, "    {:<25} {}, marked inferred", "false in their order only", self.reordered)?;
        writeln!(f, "    {:<25} {}", "false, yet the board so", self.stood)?;
        writeln!(f, "    {:<25} {}", "corrections", self.corrections)?;
        writeln!(f, "    {:<25} {}", "finals by later analysis", self.analysis_finals)?;
        writeln!(f, "    {:<25} {}", "presses never read", self.unread)?;
        let alerts = self.alerts.iter().fold(String::new(), |mut text, (kind, number)| {
            let comma = if text.is_empty() { "" } else { ", " };
            let _ = write!(text, "{comma}{kind} {number}");
            text
        });
        writeln!(f, "    {:<25} {}", "alerts", if alerts.is_empty() { "none" } else { &alerts })?;
        self.write_causes(f)?;
        self.write_noise(f)
    }
}

impl Figures {
    fn write_causes(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.causes.is_empty() {
            return Ok(());
        }
        writeln!(f, "  failures, by what happened in their ply")?;
        let mut causes: Vec<_> = self.causes.iter().collect();
        causes.sort_by_key(|(_, number)| std::cmp::Reverse(**number));
        for (kinds, number) in causes.iter().take(CAUSES) {
            let names: Vec<_> = kinds.iter().map(|kind| kind.name()).collect();
            let names = if names.is_empty() { "nothing but the move".to_owned() } else { names.join(" + ") };
            writeln!(f, "    {number:>6}  {names}")?;
        }
        let rest = causes.iter().skip(CAUSES).map(|(_, number)| **number).sum::<u64>();
        if rest > 0 {
            writeln!(f, "    {rest:>6}  other combinations")?;
        }
        if self.following > 0 {
            writeln!(f, "    {:>6}  more that follow from these in the same games", self.following)?;
        }
        Ok(())
    }

    fn write_noise(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "  noise                failures  occurred      of  % of it  model %")?;
        let model = self.profile.noise();
        for kind in Kind::ALL {
            let Tally { occurred, could } = self.noise.get(kind);
            if could == 0 {
                continue;
            }
            let failures: u64 =
                self.causes.iter().filter(|(kinds, _)| kinds.contains(&kind)).map(|(_, number)| number).sum();
            let asked = rate(kind, &model).map_or("-".to_owned(), |rate| format!("{:.3}", rate * 100.0));
            let share = ratio(occurred * 100, could, 3);
            writeln!(f, "    {failures:>24} {occurred:>9} {could:>9} {share:>8} {asked:>8}  {}", kind.name())?;
        }
        Ok(())
    }
}

/// `part / whole` in decimal writing, rounded down: what is not quite enough never looks as if it were.
fn ratio(part: u64, whole: u64, digits: u32) -> String {
    let scale = 10_u64.pow(digits);
    let scaled = (part * scale).checked_div(whole).unwrap_or(0);
    let width = usize::try_from(digits).expect("a few digits");
    format!("{}.{:0width$}", scaled / scale, scaled % scale)
}

fn percentile(sorted: &[u64], percent: usize) -> u64 {
    let at = (sorted.len() * percent).div_ceil(100).saturating_sub(1);
    sorted.get(at).copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_false_final_in_a_thousand_games_is_too_much_with_a_clock_at_classical() {
        let mut figures = Figures::new(Profile::Classical, true);
        let verdict = Verdict { plies: 80, exact: true, ..Verdict::default() };
        (0..1_000).for_each(|_| figures.add(&verdict));
        assert!(figures.is_in_order());
        figures.add(&Verdict { false_finals: 1, ..verdict });
        assert!(!figures.is_in_order());
    }

    #[test]
    fn one_game_in_a_thousand_may_be_inexact_and_says_so() {
        let mut figures = Figures::new(Profile::Classical, true);
        let exact = Verdict { plies: 80, exact: true, ..Verdict::default() };
        (0..999).for_each(|_| figures.add(&exact));
        let mut silent = figures.clone();
        figures.add(&Verdict { exact: false, admitted: true, ..exact.clone() });
        assert!(figures.is_in_order());
        silent.add(&Verdict { exact: false, admitted: false, ..exact });
        assert!(!silent.is_in_order());
    }

    #[test]
    fn percentiles_are_values_that_occurred() {
        let sorted: Vec<u64> = (1..=200).collect();
        assert_eq!([50, 99, 100].map(|percent| percentile(&sorted, percent)), [100, 198, 200]);
        assert_eq!(percentile(&[], 99), 0);
    }

    #[test]
    fn shares_are_rounded_down() {
        assert_eq!(ratio(9_999, 100, 1), "99.9");
        assert_eq!(ratio(999_999, 10_000, 1), "99.9");
        assert_eq!(ratio(1, 0, 2), "0.00");
    }
}
