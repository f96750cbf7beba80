//! `escaque demo`: the real daemon on virtual boards.

use std::{fs, io, path::PathBuf, process::ExitCode, sync::PoisonError};

use anyhow::Context;

use crate::{
    demo::{Arbiter, Boards, board_order, round_order},
    rehearsal::Profile,
    run::{Beyond, Plan, Pulse, Started},
    screens::{listen::Where, livechess::Choice},
    sensors::{PORT_BYTES, Patterns},
    voice::{self, Sink},
};

/// Run the real daemon on virtual boards, with real games and human hands
///
/// Every part is the one a tournament uses: the boards speak on pseudo-terminals, byte for byte; only the people are
/// dreamt up. Games follow one another for ever; an arbiter who is dreamt up too names the players and confirms results,
/// by the orders an operator has. Everything is kept in a folder of its own that goes when the demo ends, unless you
/// name one.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    escaque demo                                      eight boards; open the address it prints\n  \
    escaque demo --boards 40 --speed 1                a hall at the pace of people\n  \
    escaque demo --profile perfect --until-games 20   plays twenty games, then compares moves, names and results\n  \
    \x20                                                 with the truth; exit code 3 says that something differs")]
pub(super) struct Args {
    /// How many boards
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..=200))]
    boards: u16,
    /// How clumsy the hands are
    #[arg(long, value_enum, default_value = "rapid")]
    profile: Profile,
    /// How many times faster people think; hands and clock keep their pace
    #[arg(long, value_name = "X", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    speed: u32,
    /// Where chance begins
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Where screens connect
    #[arg(long, value_name = "ADDR:PORT", default_value = "127.0.0.1:8064", value_parser = crate::config::address)]
    listen: Where,
    /// Keep everything in this folder
    #[arg(long, value_name = "DIR")]
    state: Option<PathBuf>,
    /// Make a WAV file here of each announcement to a blind player, in place of a sound
    #[arg(long, value_name = "DIR")]
    voice_folder: Option<PathBuf>,
    /// End when so many games have been played, and compare all games with what was really played
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    until_games: Option<u32>,
}

pub(super) fn run(args: Args) -> anyhow::Result<ExitCode> {
    super::log::start();
    super::terminal::block_on(async {
        let stop = super::terminal::asked_to_stop()?;
        let folder = Folder::make(args.state.clone())?;
        let boards = folder.path.join("boards");
        let mut started = Started::open(Plan {
            listen: args.listen,
            beyond: Beyond::default(),
            ports: Patterns::of([boards.join("board-*").to_string_lossy()])?,
            port_bytes: PORT_BYTES,
            state: folder.path.clone(),
            pairings: None,
            voice: args.voice_folder.map_or_else(voice::Plan::default, |folder| voice::Plan {
                sink: Sink::Folder(folder),
                ..voice::Plan::default()
            }),
            livechess: Choice::default().lent_to(Vec::new()),
            air: Vec::new(),
            event: Some(round_order(args.profile)),
        })
        .await?;
        for board in 1..=args.boards {
            started.run.order(board_order(board)).await?;
        }
        let mut virtual_boards = Boards::put_up(&boards, args.boards, args.profile, args.speed, args.seed)?;

        super::terminal::say(&format!(
            "Escaque demo: {} virtual boards\n  wall      http://{address}/\n  operator  {}\n  \
             state     {}\nCtrl-C ends it.\n",
            args.boards,
            super::terminal::operators_address(started.address, &started.token, &folder.path),
            folder.path.display(),
            address = super::terminal::reachable(started.address),
        ));
        let heard = virtual_boards.heard().expect("nobody else listens");
        let arbiter = Arbiter::new(started.ordering.clone(), started.entrance.clone(), heard, args.until_games);
        let book = started.run.book();
        started
            .run(Pulse::none(), async {
                tokio::select! {
                    () = stop => {}
                    () = arbiter.walk() => {}
                }
            })
            .await?;

        let played = virtual_boards.take_down()?;
        if args.until_games.is_none() {
            return Ok(super::exit::OK.into());
        }
        let verdict = played.compare(&book.lock().unwrap_or_else(PoisonError::into_inner));
        super::terminal::say(&format!("{verdict}\n"));
        Ok(if verdict.is_exact() { super::exit::OK } else { super::exit::NOT_IN_ORDER }.into())
    })
}

/// Where the demo keeps everything. A folder nobody named goes with it.
struct Folder {
    path: PathBuf,
    is_ours: bool,
}

impl Folder {
    fn make(named: Option<PathBuf>) -> anyhow::Result<Folder> {
        let is_ours = named.is_none();
        let path = named.unwrap_or_else(|| std::env::temp_dir().join(format!("escaque-demo-{}", std::process::id())));
        fs::create_dir_all(&path)
            .with_context(|| format!("{} can't be made: name a folder of yours with --state", path.display()))?;
        Ok(Folder { path, is_ours })
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if self.is_ours
            && let Err(error) = fs::remove_dir_all(&self.path)
            && error.kind() != io::ErrorKind::NotFound
        {
            eprintln!("{} could not be removed: {error}", self.path.display());
        }
    }
}
