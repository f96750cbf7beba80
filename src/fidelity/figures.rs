//! The figures of one profile, beside what they should be.

use std::{
    collections::BTreeMap,
    fmt::{self, Write},
};

use super::{bars::Bars, conditions::Conditions, judge::Assessment, rates::rate};
use crate::rehearsal::{Kind, NoiseCount, Tally};

/// With a clock a final comes this soon after its press can be read, in 99 of 100 cases.
const LATENESS_MS: u64 = 300;
/// The causes that are printed.
const CAUSES: usize = 12;

/// Verdicts added up.
#[derive(Clone, Debug)]
pub struct Figures {
    conditions: Conditions,
    bars: Bars,
    games: u64,
    exact: u64,
    unadmitted: u64,
    plies: u64,
    false_finals: u64,
    reordered: u64,
    unmarked: u64,
    stood: u64,
    surplus: u64,
    accused: u64,
    wrong_results: u64,
    due: u64,
    named: u64,
    slandered: u64,
    stuck: u64,
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
    pub fn new(conditions: Conditions, bars: Bars) -> Figures {
        Figures {
            conditions,
            bars,
            games: 0,
            exact: 0,
            unadmitted: 0,
            plies: 0,
            false_finals: 0,
            reordered: 0,
            unmarked: 0,
            stood: 0,
            surplus: 0,
            accused: 0,
            wrong_results: 0,
            due: 0,
            named: 0,
            slandered: 0,
            stuck: 0,
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
    pub fn add(&mut self, verdict: &Assessment) {
        let count = |number: usize| u64::try_from(number).expect("fewer than 2^64");
        self.games += 1;
        self.exact += u64::from(verdict.exact);
        self.unadmitted += u64::from(!verdict.exact && !verdict.admitted);
        self.plies += count(verdict.plies);
        self.false_finals += count(verdict.false_finals);
        self.reordered += count(verdict.reordered);
        let first = verdict.failures.iter().filter(|failure| !failure.follows);
        self.stood += count(first.filter(|failure| failure.stood).count());
        self.unmarked += count(verdict.unmarked);
        self.surplus += count(verdict.surplus);
        self.accused += count(verdict.accused.len());
        self.wrong_results += u64::from(verdict.wrong_result);
        self.due += count(verdict.squares.due);
        self.named += count(verdict.squares.named);
        self.slandered += count(verdict.squares.slandered);
        self.stuck += u64::from(verdict.stuck);
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

    /// A clock was plugged in.
    pub fn has_clock(&self) -> bool {
        self.conditions.setting.clock
    }

    /// Every bar is reached.
    pub fn is_in_order(&self) -> bool {
        self.checks().iter().all(|check| check.reached)
    }

    /// All that was measured, beside what was asked.
    pub fn checks(&self) -> Vec<Check> {
        let mut checks = vec![self.exact_games(), self.false_finals(), self.silent_games()];
        checks.extend(self.lateness());
        checks.extend(self.further());
        checks
    }

    fn exact_games(&self) -> Check {
        Check {
            reached: self.bars.exact.is_none_or(|bar| self.exact * 10_000 >= bar * self.games),
            what: "games exact",
            found: format!("{} of {} ({} %)", self.exact, self.games, ratio(self.exact * 100, self.games, 2)),
            short: ratio(self.exact * 100, self.games, 2),
            asked: self.bars.exact.map(|bar| format!("at least {} %", ratio(bar, 100, 2))),
        }
    }

    fn false_finals(&self) -> Check {
        let share = ratio(self.false_finals * 10_000, self.plies, 2);
        Check {
            reached: self.bars.false_finals.is_none_or(|bar| self.false_finals * 1_000_000 <= bar * self.plies),
            what: "false finals",
            found: format!("{} in {} plies ({share} in 10,000)", self.false_finals, self.plies),
            short: share,
            asked: self.bars.false_finals.map(|bar| format!("at most {} in 10,000", ratio(bar, 100, 2))),
        }
    }

    fn silent_games(&self) -> Check {
        Check {
            reached: self.bars.silent.is_none_or(|bar| self.unadmitted * 10_000 <= bar * self.games),
            what: "wrong and not admitted",
            found: format!("{} of {}", self.unadmitted, self.games - self.exact),
            short: self.unadmitted.to_string(),
            asked: self.bars.silent.map(|bar| match bar {
                0 => "none without ambiguous, position_mismatch or resync".to_owned(),
                bar => format!("at most {} % of the games", ratio(bar, 100, 2)),
            }),
        }
    }

    /// How soon a final comes; said only of everyday games, for trials make it late on purpose.
    fn lateness(&self) -> Option<Check> {
        let mut lateness = self.lateness.clone();
        lateness.sort_unstable();
        let [half, most, all] = [50, 99, 100].map(|percent| percentile(&lateness, percent));
        let late = format!("p50 {half} ms, p99 {most} ms, max {all} ms");
        let measured = u64::try_from(lateness.len()).expect("fewer than 2^64");
        let clock = self.conditions.setting.clock;
        let everyday = self.conditions.is_everyday();
        let asked = |text: String| everyday.then_some(text);
        let (what, reached, found, asked) = if clock {
            let asked = asked(format!("p99 at most {LATENESS_MS} ms"));
            ("after the press was read", most <= LATENESS_MS, late, asked)
        } else {
            let asked = asked("p99 within 6 s or the opponent's landing".to_owned());
            let overdue = format!("{late}; {} overdue", self.overdue);
            ("after the last man landed", self.overdue * 100 <= measured, overdue, asked)
        };
        Some(Check { reached: reached || asked.is_none(), what, found, short: most.to_string(), asked })
    }

    fn further(&self) -> Vec<Check> {
        let bars = &self.bars;
        let none = |bar: Option<u64>, found: u64, what| Check::at_most(what, found, bar);
        let named = Check {
            reached: bars.named.is_none_or(|bar| self.named * 100 >= bar * self.due),
            what: "dead squares named",
            found: format!("{} of {} ({} %)", self.named, self.due, ratio(self.named * 100, self.due, 1)),
            short: if self.due == 0 { "-".to_owned() } else { ratio(self.named * 100, self.due, 1) },
            asked: bars.named.map(|bar| format!("at least {bar} %")),
        };
        let accused = Check {
            reached: bars.accused.is_none_or(|bar| self.accused * 100_000 <= bar * self.games),
            asked: bars.accused.map(|bar| format!("at most {} in 1,000 games", ratio(bar, 100, 1))),
            ..Check::at_most("accusations that stand", self.accused, None)
        };
        let followed = self.games - self.stuck;
        let stuck = Check {
            reached: bars.followed.is_none_or(|bar| followed * 10_000 >= bar * self.games),
            asked: bars.followed.map(|bar| format!("followed {} %", ratio(bar, 100, 1))),
            ..Check::at_most("tables not followed", self.stuck, None)
        };
        vec![
            accused,
            none(
                bars.out_of_turn,
                self.alerts.get("move_out_of_turn").copied().unwrap_or(0),
                "move_out_of_turn raised",
            ),
            none(bars.surplus, self.surplus, "plies too many"),
            none(bars.wrong_results, self.wrong_results, "results wrong or missing"),
            named,
            Check::at_most("sound squares named", self.slandered, None),
            stuck,
            none(bars.unmarked, self.unmarked, "false and not marked inferred"),
        ]
    }
}

/// One figure beside what was asked.
#[derive(Clone, Debug)]
pub struct Check {
    /// It is what was asked, or nothing was.
    pub reached: bool,
    /// What it is about.
    pub what: &'static str,
    /// What was found, in words.
    pub found: String,
    /// The same for a narrow column.
    pub short: String,
    /// What was asked.
    pub asked: Option<String>,
}

impl Check {
    fn at_most(what: &'static str, found: u64, bar: Option<u64>) -> Check {
        Check {
            reached: bar.is_none_or(|bar| found <= bar),
            what,
            found: found.to_string(),
            short: found.to_string(),
            asked: bar.map(|bar| if bar == 0 { "none".to_owned() } else { format!("at most {bar}") }),
        }
    }
}

/// The report of one profile.
impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let profile = format!("{:?}", self.conditions.profile).to_lowercase();
        writeln!(f, "{profile}, {}", if self.conditions.setting.clock { "with a clock" } else { "without a clock" })?;
        for Check { reached, what, found, asked, .. } in self.checks() {
            let mark = match (&asked, reached) {
                (None, _) => ' ',
                (Some(_), true) => '✓',
                (Some(_), false) => '✗',
            };
            writeln!(f, "  {mark} {what:<29} {found:<50} {}", asked.unwrap_or_default())?;
        }
        writeln!(f, "    {:<29} {}, marked inferred", "false in their order only", self.reordered)?;
        writeln!(f, "    {:<29} {}", "false, yet the board so", self.stood)?;
        writeln!(f, "    {:<29} {}", "corrections", self.corrections)?;
        writeln!(f, "    {:<29} {}", "presses never read", self.unread)?;
        let alerts = self.alerts.iter().fold(String::new(), |mut text, (kind, number)| {
            let comma = if text.is_empty() { "" } else { ", " };
            let _ = write!(text, "{comma}{kind} {number}");
            text
        });
        writeln!(f, "    {:<29} {}", "alerts", if alerts.is_empty() { "none" } else { &alerts })?;
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
        let model = self.conditions.setting.noise;
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
    use crate::rehearsal::Profile;

    #[test]
    fn a_false_final_in_a_thousand_games_is_too_much_with_a_clock_at_classical() {
        let mut figures = everyday();
        let verdict = Assessment { plies: 80, exact: true, ..Assessment::default() };
        (0..1_000).for_each(|_| figures.add(&verdict));
        assert!(figures.is_in_order());
        figures.add(&Assessment { false_finals: 1, ..verdict });
        assert!(!figures.is_in_order());
    }

    #[test]
    fn one_game_in_two_thousand_may_be_inexact_if_it_says_so() {
        let mut figures = everyday();
        let exact = Assessment { plies: 80, exact: true, ..Assessment::default() };
        (0..1_999).for_each(|_| figures.add(&exact));
        let mut silent = figures.clone();
        figures.add(&Assessment { exact: false, admitted: true, ..exact.clone() });
        assert!(figures.is_in_order());
        silent.add(&Assessment { exact: false, admitted: false, ..exact });
        assert!(!silent.is_in_order());
    }

    fn everyday() -> Figures {
        Figures::new(Conditions::of(Profile::Classical, true, 1), Bars::of(Profile::Classical, true))
    }

    #[test]
    fn what_nobody_asked_for_is_measured_and_passes() {
        let mut figures = Figures::new(Conditions::of(Profile::Rapid, true, 1), Bars::NONE);
        figures.add(&Assessment {
            plies: 10,
            false_finals: 5,
            stuck: true,
            accused: vec![7, 9],
            ..Assessment::default()
        });
        assert!(figures.is_in_order());
        let asked = Bars { accused: Some(0), ..Bars::NONE };
        figures.bars = asked;
        assert!(!figures.is_in_order());
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
