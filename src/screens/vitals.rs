//! How the daemon is: in a sentence for people, and in figures for programs that watch it (OpenMetrics).
//!
//! Everything here comes from the run loop when somebody asks, so an answer is itself a sign that the loop goes round.
//! Labels are from closed sets: no player, no address, nothing of any game.

use std::{
    collections::BTreeMap,
    fmt::{self, Write as _},
    fs,
    time::Duration,
};

/// What the answer to a program that watches is called.
pub(super) const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// The upper bounds of the commit times, in milliseconds: a good disk is in the first, a memory card in the fourth.
const COMMIT_MS: [u64; 7] = [1, 5, 20, 100, 500, 1_000, 5_000];

/// How everything stands at this moment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Vitals {
    /// Boards that can be heard.
    pub heard: usize,
    /// Boards that could be heard at some time of this run.
    pub known: usize,
    /// Ports that say more than a board can.
    pub loud: usize,
    /// Tables with a game on.
    pub games_on: usize,
    /// Everything that has happened is on disk, or on its way there.
    pub is_recording: bool,
    /// Spectators are shown nothing, because orders about them may be lost.
    pub is_closed: bool,
    /// So much waits for the disk.
    pub waiting: usize,
    /// What was found wrong with files of the record.
    pub findings: usize,
    /// What has been counted since the start.
    pub counts: Counts,
}

/// What is counted from the start of the run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Counts {
    /// What boards said.
    pub observations: u64,
    /// What was published, by kind.
    pub entries: BTreeMap<&'static str, u64>,
    /// Alerts, by kind.
    pub alerts: BTreeMap<String, u64>,
    /// Ports that ended.
    pub losses: u64,
    /// Ports that were too loud.
    pub floods: u64,
    /// Jumps of the wall's clock.
    pub clock_jumps: u64,
    /// From handing in to being on disk.
    commits: Times,
}

#[derive(Clone, Debug, Default, PartialEq)]
struct Times {
    within: [u64; COMMIT_MS.len()],
    count: u64,
    sum: Duration,
}

impl Counts {
    /// A commit took so long.
    pub fn note_commit(&mut self, took: Duration) {
        let Times { within, count, sum } = &mut self.commits;
        for (slot, _) in within.iter_mut().zip(COMMIT_MS).filter(|(_, ms)| took <= Duration::from_millis(*ms)) {
            *slot += 1;
        }
        *count += 1;
        *sum += took;
    }
}

/// The sentence that `systemctl status` shows.
impl fmt::Display for Vitals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Vitals { heard, known, games_on, .. } = self;
        match (heard, known) {
            (0, 0) => f.write_str("no board yet")?,
            (1, 1) => f.write_str("the one board is heard")?,
            (heard, known) if heard == known => write!(f, "all {known} boards are heard")?,
            (heard, known) => write!(f, "{heard} of {known} boards are heard")?,
        }
        match games_on {
            0 => f.write_str(", no game is on")?,
            1 => f.write_str(", 1 game is on")?,
            games => write!(f, ", {games} games are on")?,
        }
        if self.loud > 0 {
            write!(f, "; {} too loud to be listened to", self.loud)?;
        }
        match (self.is_recording, self.findings) {
            (false, _) => f.write_str("; NOTHING IS BEING RECORDED"),
            (true, 0) => f.write_str("; everything is recorded"),
            (true, findings) => write!(f, "; recorded, but {findings} findings about files: see the log"),
        }
    }
}

impl Vitals {
    /// All figures, with those of the process and the screens.
    pub(super) fn open_metrics(&self, viewers: usize) -> String {
        let mut page = Page::default();
        page.gauge("build_info", "The build.", &[(format!("{{version=\"{}\"}}", env!("CARGO_PKG_VERSION")), 1)]);
        let silent = self.known.saturating_sub(self.heard);
        let boards = [("{state=\"heard\"}", self.heard), ("{state=\"silent\"}", silent)];
        page.gauge("boards", "Boards of this run.", &boards.map(|(label, count)| (label.to_owned(), count)));
        page.one("ports_too_loud", "Ports that are not listened to.", self.loud);
        page.one("games_on", "Tables with a game on.", self.games_on);
        page.one("recording", "1 while everything is recorded.", usize::from(self.is_recording));
        page.one("journal_waiting", "Batches that wait for the disk.", self.waiting);
        page.one("journal_findings", "What was found wrong with files.", self.findings);
        page.one("viewers", "Screens that follow the feed.", viewers);
        self.counts.write(&mut page);
        own(&mut page);
        page.0 + "# EOF\n"
    }
}

impl Counts {
    fn write(&self, page: &mut Page) {
        page.counter("observations", "What boards said.", &[(String::new(), self.observations)]);
        page.counter("port_losses", "Ports that ended.", &[(String::new(), self.losses)]);
        page.counter("port_floods", "Ports that were too loud.", &[(String::new(), self.floods)]);
        page.counter("wall_clock_jumps", "Jumps of the wall's clock.", &[(String::new(), self.clock_jumps)]);
        let entries = self.entries.iter().map(|(kind, count)| (label(kind), *count)).collect::<Vec<_>>();
        page.counter("entries", "What was published.", &entries);
        let alerts = self.alerts.iter().map(|(kind, count)| (label(kind), *count)).collect::<Vec<_>>();
        page.counter("alerts", "Alerts that were raised.", &alerts);
        let Times { within, count, sum } = &self.commits;
        page.describe("commit_seconds", "histogram", "From handing in to being on disk.");
        for (ms, slot) in COMMIT_MS.iter().zip(within) {
            page.line("commit_seconds_bucket", &format!("{{le=\"{}\"}}", seconds(Duration::from_millis(*ms))), slot);
        }
        page.line("commit_seconds_bucket", "{le=\"+Inf\"}", count);
        page.line("commit_seconds_count", "", count);
        page.line("commit_seconds_sum", "", seconds(*sum));
    }
}

/// What the system knows of this process. Where it does not say, nothing is said.
fn own(page: &mut Page) {
    if let Some(open) = fs::read_dir("/proc/self/fd").ok().map(Iterator::count) {
        page.one("process_open_fds", "Descriptors in use.", open);
    }
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let kib = status.lines().find_map(|line| line.strip_prefix("VmRSS:")?.trim().strip_suffix(" kB")?.parse().ok());
    if let Some(kib) = kib.and_then(|kib: usize| kib.checked_mul(1024)) {
        page.one("process_resident_memory_bytes", "Memory in use.", kib);
    }
}

/// An exposition as it is written.
#[derive(Default)]
struct Page(String);

impl Page {
    fn describe(&mut self, name: &str, kind: &str, help: &str) {
        // Writing into a string fails never.
        let _ = write!(self.0, "# TYPE escaque_{name} {kind}\n# HELP escaque_{name} {help}\n");
    }

    fn line(&mut self, name: &str, labels: &str, value: impl fmt::Display) {
        let _ = writeln!(self.0, "escaque_{name}{labels} {value}");
    }

    fn gauge(&mut self, name: &str, help: &str, rows: &[(String, usize)]) {
        self.describe(name, "gauge", help);
        rows.iter().for_each(|(labels, value)| self.line(name, labels, value));
    }

    fn one(&mut self, name: &str, help: &str, value: usize) {
        self.gauge(name, help, &[(String::new(), value)]);
    }

    fn counter(&mut self, name: &str, help: &str, rows: &[(String, u64)]) {
        self.describe(name, "counter", help);
        rows.iter().for_each(|(labels, value)| self.line(&format!("{name}_total"), labels, value));
    }
}

fn label(kind: &str) -> String {
    format!("{{kind=\"{kind}\"}}")
}

fn seconds(time: Duration) -> String {
    format!("{}.{:03}", time.as_secs(), time.subsec_millis())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sentence_says_first_what_somebody_looks_for() {
        let said = |heard, known, games_on, is_recording| {
            Vitals { heard, known, games_on, is_recording, ..Vitals::default() }.to_string()
        };
        assert_eq!(said(0, 0, 0, true), "no board yet, no game is on; everything is recorded");
        assert_eq!(said(34, 40, 20, true), "34 of 40 boards are heard, 20 games are on; everything is recorded");
        assert_eq!(said(8, 8, 1, false), "all 8 boards are heard, 1 game is on; NOTHING IS BEING RECORDED");
    }

    #[test]
    fn every_figure_has_a_type_before_it_and_the_page_an_end() {
        let mut vitals = Vitals { heard: 3, known: 4, ..Vitals::default() };
        vitals.counts.note_commit(Duration::from_millis(3));
        vitals.counts.note_commit(Duration::from_millis(700));
        vitals.counts.entries.insert("final", 2);
        let page = vitals.open_metrics(5);
        assert!(page.ends_with("# EOF\n"), "{page}");
        for line in
            ["escaque_boards{state=\"silent\"} 1", "escaque_viewers 5", "escaque_entries_total{kind=\"final\"} 2"]
        {
            assert!(page.contains(&format!("\n{line}\n")), "{line}: {page}");
        }
        for line in ["_bucket{le=\"0.005\"} 1", "_bucket{le=\"1.000\"} 2", "_bucket{le=\"+Inf\"} 2", "_sum 0.703"] {
            assert!(page.contains(&format!("\nescaque_commit_seconds{line}\n")), "{line}: {page}");
        }
        let typed = page.lines().filter_map(|line| line.strip_prefix("# TYPE ")?.split(' ').next()).collect::<Vec<_>>();
        let figures = page.lines().filter(|line| !line.starts_with('#'));
        for figure in figures {
            assert!(typed.iter().any(|name| figure.starts_with(name)), "{figure}");
        }
    }
}
