//! `escaque fidelity`: how often the record is the game.

use std::{
    fs::{self, File},
    io::{BufWriter, Write},
    path::{Path, PathBuf},
    process::ExitCode,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use anyhow::Context;

use crate::{
    fidelity::{self, Account, Figures, Session, Verdict},
    rehearsal::{self, Game, Profile, Setting},
};

/// Measure how often the record is the game
///
/// Whole games by virtual hands go byte by byte through the real core, in virtual time, and what it makes of them is
/// compared with what was really played.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    escaque fidelity                                     a thousand rapid games with a clock\n  \
    escaque fidelity --profile all --both                everything the project promises\n  \
    escaque fidelity --profile blitz --seed 17 --count 1 --show 1\n                                                       \
    one game again, with the account of its first failure")]
pub(super) struct Args {
    /// Play these games; without it, those that are built in
    #[arg(long, value_name = "PGN")]
    games: Option<PathBuf>,
    /// How clumsy the hands are: classical, rapid, blitz or perfect; all is the first three
    #[arg(long, value_name = "PROFILE", default_value = "rapid", value_parser = ["classical", "rapid", "blitz", "perfect", "all"])]
    profile: String,
    /// Where chance begins; each game has the next seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// How many games
    #[arg(long, value_name = "N", default_value_t = 1_000)]
    count: usize,
    /// Without a clock
    #[arg(long, conflicts_with = "both")]
    no_clock: bool,
    /// With a clock, then without
    #[arg(long)]
    both: bool,
    /// So many games follow each other on one board
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    in_a_row: u16,
    /// How many are played at once; without it, as many as the machine has cores
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
    /// Print the account of the first N games that went wrong, with a scenario to copy
    #[arg(long, value_name = "N", default_value_t = 0)]
    show: usize,
    /// Keep the scenarios of these in a file, to play them with `escaque scenario`
    #[arg(long, value_name = "FILE", requires = "show")]
    keep: Option<PathBuf>,
    /// Keep everything that was told in a file, one event a line: two builds that tell the same write the same bytes
    #[arg(long, value_name = "FILE")]
    events: Option<PathBuf>,
}

pub(super) fn run(args: Args) -> anyhow::Result<ExitCode> {
    let games = match &args.games {
        None => rehearsal::embedded(),
        Some(path) => {
            let pgn = fs::read(path)
                .with_context(|| format!("{} can't be read: give the path of a PGN file", path.display()))?;
            rehearsal::read(&pgn).with_context(|| path.display().to_string())?
        }
    };
    let profiles = match args.profile.as_str() {
        "all" => vec![Profile::Classical, Profile::Rapid, Profile::Blitz],
        one => vec![<Profile as clap::ValueEnum>::from_str(one, true).expect("the argument is one of them")],
    };
    let clocks: &[bool] = if args.both { &[true, false] } else { &[!args.no_clock] };
    let mut events = args.events.as_deref().map(create).transpose()?;
    let mut in_order = true;
    let mut cases = Vec::new();
    for profile in profiles {
        for clock in clocks {
            let plan = Plan { args: &args, games: &games, profile, clock: *clock };
            in_order &= plan.carry_out(&mut cases, events.as_mut())?;
        }
    }
    if let Some(path) = &args.keep {
        let text = serde_json::to_string_pretty(&cases)?;
        fs::write(path, text).with_context(|| format!("{} can't be written: choose another place", path.display()))?;
    }
    Ok(if in_order { super::exit::OK } else { super::exit::NOT_IN_ORDER }.into())
}

fn create(path: &Path) -> anyhow::Result<BufWriter<File>> {
    let refused = || format!("{} can't be written: choose another place", path.display());
    Ok(BufWriter::new(File::create(path).with_context(refused)?))
}

/// One profile, with a clock or without.
struct Plan<'a> {
    args: &'a Args,
    games: &'a [Game],
    profile: Profile,
    clock: bool,
}

/// What is kept of a session: the verdicts of its games, the noise, and its events if they are wanted.
struct Judged {
    verdicts: Vec<Verdict>,
    noise: rehearsal::NoiseCount,
    events: String,
}

impl Plan<'_> {
    fn carry_out(&self, cases: &mut Vec<serde_json::Value>, events: Option<&mut impl Write>) -> anyhow::Result<bool> {
        let judged = self.play_all();
        let mut figures = Figures::new(self.profile, self.clock);
        for Judged { verdicts, noise, .. } in &judged {
            verdicts.iter().for_each(|verdict| figures.add(verdict));
            figures.add_noise(noise);
        }
        println!("{figures}");
        self.show(&judged, cases);
        if let Some(file) = events {
            let write = |told: &Judged| file.write_all(told.events.as_bytes());
            judged.iter().try_for_each(write).context("the events can't be written: is the disk full?")?;
        }
        Ok(figures.is_in_order())
    }

    /// Plays every session once, on as many threads as are wanted; the order of the outcome is that of the seeds.
    fn play_all(&self) -> Vec<Judged> {
        let sessions = self.args.count.div_ceil(usize::from(self.args.in_a_row));
        let next = AtomicUsize::new(0);
        let done = Mutex::new(Vec::with_capacity(sessions));
        let jobs = self.args.jobs.unwrap_or_else(|| thread::available_parallelism().map_or(1, usize::from));
        thread::scope(|scope| {
            for _ in 0..jobs.clamp(1, sessions.max(1)) {
                scope.spawn(|| {
                    loop {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        if number >= sessions {
                            return;
                        }
                        let judged = self.judge(number);
                        done.lock().unwrap_or_else(PoisonError::into_inner).push((number, judged));
                    }
                });
            }
        });
        let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
        done.sort_by_key(|(number, _)| *number);
        done.into_iter().map(|(_, judged)| judged).collect()
    }

    fn judge(&self, number: usize) -> Judged {
        let session = self.play(number);
        let verdicts = (0..session.truth.len()).map(|game| fidelity::judge(&session, game)).collect();
        let events = if self.args.events.is_some() { self.lines(&session, number) } else { String::new() };
        Judged { verdicts, noise: session.noise, events }
    }

    /// Each event with the run it belongs to.
    fn lines(&self, session: &Session, number: usize) -> String {
        let name = self.name(number);
        let line = |told| format!("{}\n", serde_json::json!({ "game": name, "told": told }));
        session.events().map(line).collect()
    }

    /// What a run is called in what is kept of it.
    fn name(&self, number: usize) -> String {
        let profile = format!("{:?}", self.profile).to_lowercase();
        let clock = if self.clock { "clock" } else { "no-clock" };
        format!("{profile}-{clock}-{}", self.seed(number))
    }

    fn play(&self, number: usize) -> Session {
        let in_a_row = usize::from(self.args.in_a_row);
        let count = in_a_row.min(self.args.count - number * in_a_row);
        // A seed plays the same game wherever it stands in a run: one that failed can be played alone.
        let before = self.seed(number).saturating_sub(1) % self.games.len() as u64;
        let first = usize::try_from(before).expect("less than the number of games") * in_a_row;
        let games = self.games.iter().cycle().skip(first % self.games.len()).take(count).cloned().collect();
        let setting = Setting { seed: self.seed(number), clock: self.clock, ..Setting::of(self.profile) };
        fidelity::play(setting, games)
    }

    fn seed(&self, number: usize) -> u64 {
        self.args.seed + u64::try_from(number).expect("fewer than 2^64 games")
    }

    fn show(&self, judged: &[Judged], cases: &mut Vec<serde_json::Value>) {
        let failed = judged.iter().enumerate().flat_map(|(number, Judged { verdicts, .. })| {
            let failing = verdicts.iter().enumerate().filter(|(_, verdict)| !verdict.failures.is_empty());
            failing.map(move |(game, verdict)| (number, game, verdict))
        });
        for (number, game, verdict) in failed.take(self.args.show) {
            let (name, seed) = (self.name(number), self.seed(number));
            let session = self.play(number);
            let failure = &verdict.failures[0];
            let account = Account { session: &session, number: game, failure, verdict, name: &name, seed };
            println!("{account}");
            cases.push(account.scenario());
        }
    }
}
