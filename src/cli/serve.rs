//! `escaque serve`: the daemon.

use std::{convert::Infallible, path::PathBuf, process::ExitCode};

use anyhow::Context;
use rustix::process::Signal;
use tokio::signal::unix::{SignalKind, signal};

use super::{log::Log, ready, terminal};
use crate::{
    config::Config,
    run::{Beyond, Plan, Starting, Watched, usual_state},
    screens::{Listener, Manners, Opened, listen::Where, livechess::Choice},
    sensors::{PORT_BYTES, Patterns, Renewal, USUAL_PORTS},
    voice::{self, Sink, Speech},
};

/// Where screens find the daemon if nobody says otherwise: this machine only.
const USUAL_ADDRESS: &str = "127.0.0.1:8064";

/// Read boards, keep games, serve screens
///
/// Needs no configuration: finds boards at the usual ports, opens the wall at http://127.0.0.1:8064/ and keeps
/// everything in one folder. Nobody beyond this machine sees anything unless --lan, --lan-plain or --public says so.
/// Ends on Ctrl-C or SIGTERM; nothing is lost then, nor by a power cut, but what a full or broken disk has not taken:
/// that is said, and the exit code is 1. On SIGHUP it reads the configuration and the certificate again: ports, their
/// limit, and how much is logged count at once.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    escaque serve                                  whatever boards are plugged in\n  \
    escaque serve --port /dev/ttyUSB0              this port, awaited if it is not there yet\n  \
    escaque serve --port '/dev/chessboard/*' --state ./round1 --listen 127.0.0.1:8065\n  \
    escaque serve --lan 0.0.0.0:8443               also for the hall, encrypted; then `escaque invite hall`\n  \
    escaque serve --public 127.0.0.1:8066          also for spectators, behind a proxy")]
pub(super) struct Args {
    /// Where screens of this machine connect; from elsewhere it is the same as --lan-plain [default: 127.0.0.1:8064]
    #[arg(long, value_name = "ADDR:PORT", value_parser = crate::config::address)]
    listen: Option<Where>,
    /// Where the hall connects, encrypted: screens, phones, the arbiter, each by a code of `escaque invite`
    #[arg(long, value_name = "ADDR:PORT", value_parser = crate::config::address)]
    lan: Option<Where>,
    /// Where screens of the hall connect that know no encryption: hall pages only, by a code
    #[arg(long, value_name = "ADDR:PORT", value_parser = crate::config::address)]
    lan_plain: Option<Where>,
    /// Where spectators connect; they never see more than what is on air
    #[arg(long, value_name = "ADDR:PORT", value_parser = crate::config::address)]
    public: Option<Where>,
    /// A device or a pattern under which boards are looked for; may be given several times [default: /dev/ttyUSB*
    /// /dev/ttyACM* /dev/rfcomm*]
    #[arg(long, value_name = "DEVICE|GLOB")]
    port: Vec<String>,
    /// The folder for journal, PGN and operator's token [default: ~/.local/state/escaque]
    #[arg(long, value_name = "DIR")]
    state: Option<PathBuf>,
    /// A file of pairings that is looked at every second and taken in when it changes, as `escaque pair` does; with the
    /// event's name in addresses where the file has none. It has to number its rounds: a report file or PGN does, CSV
    /// with a column Round, lines below "Round 3"
    #[arg(long, value_name = "[EVENT=]FILE", value_parser = |text: &str| Ok::<_, Infallible>(watched(text)))]
    pairings: Option<Watched>,
    /// Where clients of LiveChess find the boards, on this machine only: a port, or "off" [default: 1982]
    #[arg(long, value_name = "PORT|off")]
    livechess: Option<Choice>,
    /// Make a WAV file here of each announcement to a blind player, in place of a sound
    #[arg(long, value_name = "DIR")]
    voice_folder: Option<PathBuf>,
    /// A configuration file; what is given on the command line counts more
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
}

fn watched(text: &str) -> Watched {
    let (event, path) = match text.split_once('=') {
        Some((event, path)) => (Some(event.to_owned()), path),
        None => (None, text),
    };
    Watched { path: PathBuf::from(path), event }
}

pub(super) fn run(args: Args) -> anyhow::Result<ExitCode> {
    let config = args.config()?;
    let log = super::log::start_at(config.log.as_ref());
    let plan = args.clone().plan(config)?;
    let _ = crate::screens::listen::raise_descriptor_limit();
    terminal::block_on(async {
        let (ports, fixed) = (plan.ports.clone(), fixed(&plan));
        let state = plan.state.clone();
        let stop = terminal::asked_to_stop()?;
        // From here on the signal ends nobody: a terminal that is closed, or a reload, is no reason to.
        let hangup = signal(SignalKind::hangup())?;
        // A file that may not grow any more is a full disk, and is said as one is.
        let _limit = signal(SignalKind::from_raw(Signal::XFSZ.as_raw()))?;
        let starting = Starting::open(plan).await?;
        let reloading = Reloading { args, log, opened: starting.opened.to_vec(), ports: starting.renewal(), fixed };
        tokio::spawn(reloading.on(hangup));
        let there = ports.look().len();
        let boards = match there {
            0 => "none yet: plug one in, or see `escaque doctor`".to_owned(),
            1 => "1 port to try".to_owned(),
            many => format!("{many} ports to try"),
        };
        terminal::say(&format!(
            "Escaque {}\n  wall      http://{address}/\n  operator  {}\n{}{}  state     {}\n  boards    {boards}\n",
            env!("CARGO_PKG_VERSION"),
            terminal::operators_address(starting.address, &starting.token, &state),
            beyond_this_machine(&starting.opened),
            starting.livechess.map_or_else(String::new, |port| format!("  livechess ws://localhost:{port}/api/v1.0\n")),
            state.display(),
            address = terminal::reachable(starting.address),
        ));
        let started = starting.enter().await?;
        ready::tell("READY=1\nSTATUS=listening");
        let outcome = started.run(ready::pulse(), stop).await;
        ready::tell("STOPPING=1");
        outcome.map(|()| super::exit::OK.into())
    })
}

/// Everything others can type, listener by listener.
fn beyond_this_machine(opened: &[Opened]) -> String {
    let rows = opened.iter().flat_map(|opened| {
        let label = match opened.listener {
            // What is reached from elsewhere is in the clear, however it was opened.
            Listener::Loopback if opened.address.ip().is_loopback() => return Vec::new(),
            Listener::Loopback | Listener::LanPlain => "hall      ",
            Listener::Lan => "hall      ",
            Listener::Public => "public    ",
        };
        let mut rows: Vec<String> = opened.urls().iter().map(|url| format!("  {label}{url}/\n")).collect();
        if let Some(certificate) = opened.certificate.as_ref().filter(|certificate| certificate.is_own()) {
            rows.push(format!("            its certificate is {}\n", certificate.fingerprint()));
        }
        rows
    });
    rows.collect()
}

/// What can be changed while everything runs.
struct Reloading {
    args: Args,
    log: Log,
    opened: Vec<Opened>,
    ports: Renewal,
    fixed: String,
}

impl Reloading {
    async fn on(self, mut hangup: tokio::signal::unix::Signal) {
        while hangup.recv().await.is_some() {
            ready::tell("RELOADING=1");
            self.certificates();
            match self.again() {
                Ok(()) => tracing::info!("configuration read again"),
                Err(error) => tracing::error!("the configuration in force stays: {error:#}"),
            }
            ready::tell("READY=1");
        }
    }

    fn certificates(&self) {
        for certificate in self.opened.iter().filter_map(|opened| opened.certificate.as_ref()) {
            match certificate.reload() {
                Ok(()) => tracing::info!(fingerprint = certificate.fingerprint(), "certificate read again"),
                Err(error) => tracing::error!("the certificate in force stays: {error}"),
            }
        }
    }

    /// All or nothing: a file with a mistake changes nothing.
    fn again(&self) -> anyhow::Result<()> {
        let config = self.args.config()?;
        let levels = config.log.clone();
        let plan = self.args.clone().plan(config)?;
        self.log.renew(levels.as_ref());
        self.ports.renew(plan.ports.clone(), Some(plan.port_bytes));
        if fixed(&plan) != self.fixed {
            tracing::warn!(
                "listeners, names, the state folder, LiveChess, voices, watched pairings and who is told the games are \
                 taken up at a start: restart for those"
            );
        }
        Ok(())
    }
}

/// What only a start takes up.
fn fixed(plan: &Plan) -> String {
    let Plan { listen, beyond, state, livechess, voice, pairings, air, .. } = plan;
    format!("{listen:?} {beyond:?} {state:?} {livechess:?} {voice:?} {pairings:?} {air:?}")
}

/// How announcements become sounds.
fn voice(folder: Option<PathBuf>, speak: Option<Vec<String>>, play: Option<Vec<String>>) -> voice::Plan {
    let usual = voice::Plan::default();
    let player = play.map_or(usual.sink, Sink::Player);
    voice::Plan { speech: speak.map_or(usual.speech, Speech), sink: folder.map_or(player, Sink::Folder) }
}

impl Args {
    fn config(&self) -> anyhow::Result<Config> {
        let Some(path) = &self.config else { return Ok(Config::default()) };
        let unreadable = || format!("{} can't be read: give the path of a configuration file", path.display());
        let text = std::fs::read_to_string(path).with_context(unreadable)?;
        Config::read(&text).with_context(|| path.display().to_string())
    }

    fn plan(self, config: Config) -> anyhow::Result<Plan> {
        let usual_ports = || USUAL_PORTS.map(str::to_owned).to_vec();
        let named = if self.port.is_empty() { config.ports.unwrap_or_else(usual_ports) } else { self.port };
        let voice = voice(self.voice_folder.or(config.voice_folder), config.voice_speak, config.voice_play);
        let usual_address = || USUAL_ADDRESS.parse().expect("the usual address is one");
        let manners = Manners {
            names: config.names.unwrap_or_default(),
            origins: config.origins.unwrap_or_default(),
            proxies: config.proxies.unwrap_or_default(),
        };
        Ok(Plan {
            listen: self.listen.or(config.listen).unwrap_or_else(usual_address),
            beyond: Beyond {
                lan: self.lan.or(config.lan),
                lan_plain: self.lan_plain.or(config.lan_plain),
                public: self.public.or(config.public),
                certificate: config.certificate.zip(config.key),
                manners,
            },
            ports: Patterns::of(named)?,
            port_bytes: config.port_bytes.unwrap_or(PORT_BYTES),
            state: self.state.or(config.state).map_or_else(usual_state, Ok)?,
            event: None,
            pairings: self.pairings.or_else(|| config.pairings.as_deref().map(watched)),
            voice,
            livechess: self
                .livechess
                .or(config.livechess)
                .unwrap_or_default()
                .lent_to(config.livechess_origins.unwrap_or_default()),
            air: config.air,
        })
    }
}
