//! `escaque fidelity`: how often the record is the game.

use std::{
    fmt::Write as _,
    fs::{self, File},
    io::{BufWriter, Write},
    path::{Path, PathBuf},
    process::ExitCode,
    str::FromStr,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use anyhow::Context;

use super::terminal::say;
use crate::{
    fidelity::{
        self, Account, Assessment, Bars, Conditions, Counts, FACTORS, Failure, Figures, Hardship, Row, Session,
    },
    rehearsal::{self, Game, Profile},
};

/// Measure how often the record is the game
///
/// Whole games by virtual hands go byte by byte through the real core, in virtual time, and what it makes of them is
/// compared with what was really played.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    escaque fidelity                                     a thousand rapid games with a clock\n  \
    escaque fidelity --profile all --both                everything the project promises of every day\n  \
    escaque fidelity --hard list                         what else games can be put to\n  \
    escaque fidelity --hard early-press=10%              one of it, beside what is asked\n  \
    escaque fidelity --hard slides --hard overlap        two at once\n  \
    escaque fidelity --hard all --count 200              everything, a line each\n  \
    escaque fidelity --profile blitz --seed 17 --count 1 --show 1\n                                                       \
    one game again, with the account of its first failure")]
pub(super) struct Args {
    /// Play these games; without it, those that are built in
    #[arg(long, value_name = "PGN")]
    games: Option<PathBuf>,
    /// How clumsy the hands are: classical, rapid, blitz or perfect; all is the first three. Without it rapid, or what
    /// belongs to the factor
    #[arg(long, value_name = "PROFILE", value_parser = ["classical", "rapid", "blitz", "perfect", "all"])]
    profile: Option<String>,
    /// Make it hard, by this factor; more than one are put together. `list` names them, `all` measures each
    #[arg(long, value_name = "FACTOR[=LEVEL]")]
    hard: Vec<Hard>,
    /// Where chance begins; each game has the next seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// How many games
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = positive)]
    count: usize,
    /// Without a clock
    #[arg(long, conflicts_with = "both")]
    no_clock: bool,
    /// With a clock, then without
    #[arg(long)]
    both: bool,
    /// So many games follow each other on one board. Without it one, or two where the second is what tells something
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u16).range(1..))]
    in_a_row: Option<u16>,
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

/// What stands behind `--hard`.
#[derive(Clone, Debug)]
enum Hard {
    List,
    All,
    One(Hardship),
}

impl FromStr for Hard {
    type Err = String;

    fn from_str(text: &str) -> Result<Hard, String> {
        match text {
            "list" => Ok(Hard::List),
            "all" => Ok(Hard::All),
            one => one.parse().map(Hard::One),
        }
    }
}

fn positive(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|count| *count > 0).ok_or_else(|| "it takes at least one game".to_owned())
}

pub(super) fn run(args: Args) -> anyhow::Result<ExitCode> {
    if args.hard.iter().any(|hard| matches!(hard, Hard::List)) {
        say(&list());
        return Ok(super::exit::OK.into());
    }
    let games = match &args.games {
        None => rehearsal::embedded(),
        Some(path) => {
            let pgn = fs::read(path)
                .with_context(|| format!("{} can't be read: give the path of a PGN file", path.display()))?;
            rehearsal::read(&pgn).with_context(|| path.display().to_string())?
        }
    };
    let everything = args.hard.iter().any(|hard| matches!(hard, Hard::All));
    let mut events = args.events.as_deref().map(create).transpose()?;
    let mut in_order = true;
    let mut cases = Vec::new();
    if everything {
        say(&format!("{}\n", heading()));
    }
    for (hardships, row) in programme(&args) {
        let plan = Plan { args: &args, games: &games, hardships, row };
        let judged = plan.play_all();
        let figures = plan.figures(&judged);
        let looks = if everything { plan.line(&figures, &judged) } else { figures.to_string() };
        say(&format!("{looks}\n"));
        plan.show(&judged, &mut cases);
        if let Some(file) = events.as_mut() {
            let write = |told: &Judged| file.write_all(told.events.as_bytes());
            judged.iter().try_for_each(write).context("the events can't be written: is the disk full?")?;
        }
        in_order &= figures.is_in_order();
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

/// All factors, a paragraph each.
fn list() -> String {
    FACTORS.iter().fold(String::new(), |mut text, factor| {
        let (least, most) = factor.range;
        let level = if least < most { format!("={} ({least} to {most})", factor.level) } else { String::new() };
        let _ = writeln!(text, "{}{level}\n    {}", factor.name, factor.what);
        text
    })
}

/// What is played one after another: under which hardships, and who plays.
fn programme(args: &Args) -> Vec<(Vec<Hardship>, Row)> {
    if args.hard.iter().any(|hard| matches!(hard, Hard::All)) {
        let all = FACTORS.iter().flat_map(|factor| factor.rows.iter().map(move |row| (factor, row)));
        return all
            .filter(|(_, row)| args.wants(row.profile))
            .map(|(factor, row)| (vec![Hardship { factor, level: row.level }], *row))
            .collect();
    }
    let hardships: Vec<Hardship> = args.hard.iter().filter_map(Hard::one).collect();
    if let ([one], None, false, false) = (hardships.as_slice(), &args.profile, args.no_clock, args.both) {
        let fits = |row: &&Row| one.level.is_none_or(|level| level == row.level.unwrap_or(one.factor.level));
        let rows: Vec<Row> = one.factor.rows.iter().filter(fits).copied().collect();
        if !rows.is_empty() {
            let level = |row: &Row| one.level.or(row.level);
            return rows
                .into_iter()
                .map(|row| (vec![Hardship { level: level(&row), factor: one.factor }], row))
                .collect();
        }
    }
    let mut plays = Vec::new();
    for profile in args.profiles() {
        for clock in args.clocks() {
            let row = Row { profile, clock, level: None, bars: bars(&hardships, profile, clock) };
            plays.push((hardships.clone(), row));
        }
    }
    plays
}

/// What is asked of games with these hardships: of everyday games everything, of several hardships at once nothing.
fn bars(hardships: &[Hardship], profile: Profile, clock: bool) -> Bars {
    match hardships {
        [] => Bars::of(profile, clock),
        [one] => {
            let row = one.factor.rows.iter().find(|row| {
                let level = row.level.unwrap_or(one.factor.level);
                row.profile == profile && row.clock == clock && one.level_in(None) == level
            });
            row.map_or(Bars::NONE, |row| row.bars)
        }
        [_, _, ..] => Bars::NONE,
    }
}

impl Hard {
    fn one(&self) -> Option<Hardship> {
        match self {
            Hard::One(hardship) => Some(*hardship),
            Hard::List | Hard::All => None,
        }
    }
}

impl Args {
    fn profiles(&self) -> Vec<Profile> {
        match self.profile.as_deref() {
            None => vec![Profile::Rapid],
            Some("all") => vec![Profile::Classical, Profile::Rapid, Profile::Blitz],
            Some(one) => vec![<Profile as clap::ValueEnum>::from_str(one, true).expect("the argument is one of them")],
        }
    }

    /// Nobody asked for another profile.
    fn wants(&self, profile: Profile) -> bool {
        self.profile.is_none() || self.profiles().contains(&profile)
    }

    fn clocks(&self) -> Vec<bool> {
        if self.both { vec![true, false] } else { vec![!self.no_clock] }
    }
}

/// One run: who plays, under which hardships.
struct Plan<'a> {
    args: &'a Args,
    games: &'a [Game],
    hardships: Vec<Hardship>,
    row: Row,
}

/// What is kept of a session: the verdicts of its games that tell something, the noise, and its events if they are
/// wanted.
struct Judged {
    verdicts: Vec<(usize, Assessment)>,
    noise: rehearsal::NoiseCount,
    events: String,
}

impl Plan<'_> {
    /// What the session with this seed is played under.
    fn conditions(&self, seed: u64) -> Conditions {
        let mut conditions = Conditions::of(self.row.profile, self.row.clock, seed);
        self.hardships.iter().for_each(|hardship| hardship.apply(&mut conditions, Some(&self.row)));
        conditions
    }

    fn figures(&self, judged: &[Judged]) -> Figures {
        let mut figures = Figures::new(self.conditions(self.args.seed), self.row.bars);
        for Judged { verdicts, noise, .. } in judged {
            verdicts.iter().for_each(|(_, verdict)| figures.add(verdict));
            figures.add_noise(noise);
        }
        figures
    }

    /// How many games follow each other, and how many of them tell something.
    fn in_a_row(&self) -> (usize, usize) {
        let asked = self.args.in_a_row.map(usize::from);
        match self.conditions(self.args.seed).counts {
            Counts::AfterAnother => {
                let in_a_row = asked.unwrap_or(2).max(2);
                (in_a_row, in_a_row - 1)
            }
            Counts::All | Counts::Swapped => {
                let in_a_row = asked.unwrap_or(1);
                (in_a_row, in_a_row)
            }
        }
    }

    /// Plays every session once, on as many threads as are wanted; the order of the outcome is that of the seeds.
    fn play_all(&self) -> Vec<Judged> {
        let sessions = self.args.count.div_ceil(self.in_a_row().1);
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
        let counts = self.conditions(self.seed(number)).counts;
        let tells = |game: &usize| match counts {
            Counts::All => true,
            Counts::AfterAnother => *game > 0,
            Counts::Swapped => session.truth[*game].swapped.is_some(),
        };
        let games = (0..session.truth.len()).filter(tells);
        let verdicts = games.map(|game| (game, fidelity::judge(&session, game))).collect();
        let events = if self.args.events.is_some() { self.lines(&session, number) } else { String::new() };
        Judged { verdicts, noise: session.noise, events }
    }

    /// Each event with the run it belongs to.
    fn lines(&self, session: &Session, number: usize) -> String {
        let name = self.name(number);
        let line = |told| format!("{}\n", serde_json::json!({ "game": name, "told": told }));
        session.events().map(line).collect()
    }

    /// Who plays, as the command line names them.
    fn profile(&self) -> String {
        format!("{:?}", self.row.profile).to_lowercase()
    }

    /// What a run is called in what is kept of it.
    fn name(&self, number: usize) -> String {
        let profile = self.profile();
        let clock = if self.row.clock { "clock" } else { "no-clock" };
        let hard: String = self.hardships.iter().map(|hardship| format!("{}-", hardship.factor.name)).collect();
        format!("{hard}{profile}-{clock}-{}", self.seed(number))
    }

    fn play(&self, number: usize) -> Session {
        let (in_a_row, told) = self.in_a_row();
        let count = if told == in_a_row { in_a_row.min(self.args.count - number * in_a_row) } else { in_a_row };
        // A seed plays the same game wherever it stands in a run: one that failed can be played alone.
        let before = self.seed(number).saturating_sub(1) % self.games.len() as u64;
        let first = usize::try_from(before).expect("less than the number of games") * in_a_row;
        let games = self.games.iter().cycle().skip(first % self.games.len()).take(count).cloned().collect();
        fidelity::play(&self.conditions(self.seed(number)), games)
    }

    fn seed(&self, number: usize) -> u64 {
        self.args.seed + u64::try_from(number).expect("fewer than 2^64 games")
    }

    fn show(&self, judged: &[Judged], cases: &mut Vec<serde_json::Value>) {
        for (number, game, verdict) in flawed(judged).take(self.args.show) {
            let (name, seed) = (self.name(number), self.seed(number));
            let session = self.play(number);
            let failure = &Failure::first(&session, game, verdict);
            let account = Account { session: &session, number: game, failure, verdict, name: &name, seed };
            say(&format!("{account}  again: {}\n\n", self.again(number)));
            cases.push(account.scenario());
        }
    }

    /// The command that plays one session again and shows what went wrong.
    fn again(&self, number: usize) -> String {
        let hard = self.hardships.iter().map(|hardship| {
            let level = hardship.level_in(Some(&self.row));
            let (least, most) = hardship.factor.range;
            let level = if least < most { format!("={level}") } else { String::new() };
            format!(" --hard {}{level}", hardship.factor.name)
        });
        let (in_a_row, told) = self.in_a_row();
        let games = self.args.games.as_ref().map_or(String::new(), |path| format!(" --games {}", path.display()));
        let row = if in_a_row > 1 { format!(" --in-a-row {in_a_row}") } else { String::new() };
        format!(
            "escaque fidelity{} --profile {}{}{games}{row} --seed {} --count {told} --show 1",
            hard.collect::<String>(),
            self.profile(),
            if self.row.clock { "" } else { " --no-clock" },
            self.seed(number),
        )
    }

    /// One line of the table, and where a limit is missed the command that shows why.
    fn line(&self, figures: &Figures, judged: &[Judged]) -> String {
        let hardship = &self.hardships[0];
        let (least, most) = hardship.factor.range;
        let level = if least < most { hardship.level_in(Some(&self.row)).to_string() } else { String::new() };
        let profile = self.profile();
        let clock = if figures.has_clock() { "" } else { ", no clock" };
        let checks = figures.checks();
        let cell = |what: &str| {
            let check = checks.iter().find(|check| check.what == what);
            check.map_or(String::new(), |check| match (&check.asked, check.reached) {
                (None, _) => format!("{}  ", check.short),
                (Some(_), true) => format!("{} ✓", check.short),
                (Some(_), false) => format!("{} ✗", check.short),
            })
        };
        let mut line = format!("{:<22}{level:>7} {:<19}", hardship.factor.name, format!("{profile}{clock}"));
        for (_, what) in COLUMNS {
            let _ = write!(line, "{:>10}", cell(what));
        }
        let missed = checks.iter().filter(|check| !check.reached);
        for check in missed {
            let _ =
                write!(line, "\n    {}: {}, asked {}", check.what, check.found, check.asked.as_deref().unwrap_or(""));
        }
        if let Some((number, ..)) = flawed(judged).next().filter(|_| !figures.is_in_order()) {
            let _ = write!(line, "\n    {}", self.again(number));
        }
        line
    }
}

/// The columns of the table, with the figure each shows.
const COLUMNS: [(&str, &str); 9] = [
    ("exact %", "games exact"),
    ("false", "false finals"),
    ("silent", "wrong and not admitted"),
    ("accused", "accusations that stand"),
    ("too many", "plies too many"),
    ("result", "results wrong or missing"),
    ("named %", "dead squares named"),
    ("slander", "sound squares named"),
    ("stuck", "tables not followed"),
];

fn heading() -> String {
    let mut line = format!("{:<22}{:>7} {:<19}", "factor", "level", "who");
    for (name, _) in COLUMNS {
        let _ = write!(line, "{name:>8}  ");
    }
    line
}

/// The games that went wrong in some way, with the session and their place in it.
fn flawed(judged: &[Judged]) -> impl Iterator<Item = (usize, usize, &Assessment)> {
    judged.iter().enumerate().flat_map(|(number, Judged { verdicts, .. })| {
        let flawed = verdicts.iter().filter(|(_, verdict)| verdict.is_flawed());
        flawed.map(move |(game, verdict)| (number, *game, verdict))
    })
}
