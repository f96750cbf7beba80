//! `escaque serve`: the daemon.

use std::{path::PathBuf, process::ExitCode};

use anyhow::Context;
use tokio::signal::unix::{SignalKind, signal};

use super::terminal;
use crate::{
    config::Config,
    run::{Beyond, Plan, Starting, Watched, usual_state},
    screens::{Listener, Manners, Opened, listen::Where, livechess::Choice},
    sensors::{Patterns, USUAL_PORTS},
    voice::{self, Sink, Speech},
};

/// Where screens find the daemon if nobody says otherwise: this machine only.
const USUAL_ADDRESS: &str = "127.0.0.1:8064";

/// Read boards, keep games, serve screens
///
/// Needs no configuration: finds boards at the usual ports, opens the wall at http://127.0.0.1:8064/ and keeps
/// everything in one folder. Nobody beyond this machine sees anything unless --lan, --lan-plain or --public says so.
/// Ends on Ctrl-C or SIGTERM; nothing is lost then, nor by a power cut. Reads its certificate again on SIGHUP.
#[derive(Debug, clap::Args)]
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
    /// event's name in addresses where the file has none
    #[arg(long, value_name = "[EVENT=]FILE", value_parser = watched)]
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

fn watched(text: &str) -> Result<Watched, String> {
    let (event, path) = match text.split_once('=') {
        Some((event, path)) => (Some(event.to_owned()), path),
        None => (None, text),
    };
    Ok(Watched { path: PathBuf::from(path), event })
}

pub(super) fn run(args: Args) -> anyhow::Result<ExitCode> {
    let plan = args.plan()?;
    super::log::start();
    let _ = crate::screens::listen::raise_descriptor_limit();
    terminal::block_on(async {
        let ports = plan.ports.clone();
        let state = plan.state.clone();
        let stop = terminal::asked_to_stop()?;
        // From here on the signal ends nobody: a terminal that is closed, or a reload, is no reason to.
        let hangup = signal(SignalKind::hangup())?;
        let starting = Starting::open(plan).await?;
        tokio::spawn(reload_on(hangup, starting.opened.to_vec()));
        let there = ports.look().len();
        let boards = match there {
            0 => "none yet: plug one in, or see `escaque doctor`".to_owned(),
            1 => "1 port to try".to_owned(),
            many => format!("{many} ports to try"),
        };
        terminal::greet(&format!(
            "Escaque {}\n  wall      http://{address}/\n  operator  http://{address}/#token={}\n{}{}  state     {}\n  boards    {boards}\n",
            env!("CARGO_PKG_VERSION"),
            starting.token.reveal(),
            beyond_this_machine(&starting.opened),
            starting.livechess.map_or_else(String::new, |port| format!("  livechess ws://localhost:{port}/api/v1.0\n")),
            state.display(),
            address = terminal::reachable(starting.address),
        ));
        let started = starting.enter().await?;
        super::ready::tell("READY=1\nSTATUS=listening");
        started.run(super::ready::pulse(), stop).await?;
        super::ready::tell("STOPPING=1");
        Ok(super::exit::OK.into())
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

async fn reload_on(mut hangup: tokio::signal::unix::Signal, opened: Vec<Opened>) {
    while hangup.recv().await.is_some() {
        for certificate in opened.iter().filter_map(|opened| opened.certificate.as_ref()) {
            match certificate.reload() {
                Ok(()) => tracing::info!(fingerprint = certificate.fingerprint(), "certificate read again"),
                Err(error) => tracing::error!("the certificate in force stays: {error}"),
            }
        }
    }
}

/// How announcements become sounds.
fn voice(folder: Option<PathBuf>, speak: Option<Vec<String>>, play: Option<Vec<String>>) -> voice::Plan {
    let usual = voice::Plan::default();
    let player = play.map_or(usual.sink, Sink::Player);
    voice::Plan { speech: speak.map_or(usual.speech, Speech), sink: folder.map_or(player, Sink::Folder) }
}

impl Args {
    fn plan(self) -> anyhow::Result<Plan> {
        let config = match &self.config {
            None => Config::default(),
            Some(path) => {
                let text = std::fs::read_to_string(path).with_context(|| {
                    format!("{} can't be read: give the path of a configuration file", path.display())
                })?;
                Config::read(&text).with_context(|| path.display().to_string())?
            }
        };
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
            state: self.state.or(config.state).map_or_else(usual_state, Ok)?,
            event: None,
            pairings: self.pairings,
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
