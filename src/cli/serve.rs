//! `escaque serve`: the daemon.

use std::{net::SocketAddr, path::PathBuf, process::ExitCode};

use anyhow::Context;

use crate::{
    config::Config,
    run::{House, Plan, usual_state},
    sensors::{Patterns, USUAL_PORTS},
};

/// Where screens find the daemon if nobody says otherwise: this machine only.
const USUAL_ADDRESS: &str = "127.0.0.1:8064";

/// Read boards, keep games, serve screens
///
/// Needs no configuration: finds boards at the usual ports, opens the wall at http://127.0.0.1:8064/ and keeps
/// everything in one folder. Ends on Ctrl-C or SIGTERM; nothing is lost then, nor by a power cut.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    escaque serve                                  whatever boards are plugged in\n  \
    escaque serve --port /dev/ttyUSB0              this port, awaited if it is not there yet\n  \
    escaque serve --port '/dev/chessboard/*' --state ./round1 --listen 127.0.0.1:8065")]
pub(super) struct Args {
    /// Where screens connect [default: 127.0.0.1:8064]
    #[arg(long, value_name = "ADDR:PORT", value_parser = crate::config::address)]
    listen: Option<SocketAddr>,
    /// A device or a pattern under which boards are looked for; may be given several times [default: /dev/ttyUSB*
    /// /dev/ttyACM* /dev/rfcomm*]
    #[arg(long, value_name = "DEVICE|GLOB")]
    port: Vec<String>,
    /// The folder for journal, PGN and operator's token [default: ~/.local/state/escaque]
    #[arg(long, value_name = "DIR")]
    state: Option<PathBuf>,
    /// A configuration file; what is given on the command line counts more
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
}

pub(super) fn run(args: Args) -> anyhow::Result<ExitCode> {
    let plan = args.plan()?;
    super::log::start();
    super::terminal::block_on(async {
        let ports = plan.ports.clone();
        let state = plan.state.clone();
        let stop = super::terminal::asked_to_stop()?;
        let house = House::open(plan).await?;
        let there = ports.look().len();
        let boards = match there {
            0 => "none yet: plug one in, or see `escaque doctor`".to_owned(),
            1 => "1 port to try".to_owned(),
            many => format!("{many} ports to try"),
        };
        super::terminal::greet(&format!(
            "Escaque {}\n  wall      http://{address}/\n  operator  http://{address}/#token={}\n  state     {}\n  boards    {boards}\n",
            env!("CARGO_PKG_VERSION"),
            house.token.reveal(),
            state.display(),
            address = super::terminal::reachable(house.address),
        ));
        super::ready::tell("READY=1\nSTATUS=listening");
        house.run(super::ready::pulse(), stop).await?;
        super::ready::tell("STOPPING=1");
        Ok(super::exit::OK.into())
    })
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
        let usual_address = || USUAL_ADDRESS.parse().expect("the usual address is one");
        Ok(Plan {
            listen: self.listen.or(config.listen).unwrap_or_else(usual_address),
            ports: Patterns::of(named)?,
            state: self.state.or(config.state).map_or_else(usual_state, Ok)?,
            event: None,
        })
    }
}
