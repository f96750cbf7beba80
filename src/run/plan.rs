//! What the house is opened with.

use std::path::{Path, PathBuf};

use anyhow::Context;
use protocol::feed::Order;

use super::{gates::Beyond, watched::Watched};
use crate::{
    press::Target,
    screens::{listen::Where, livechess::Local},
    sensors::Patterns,
    voice,
};

/// The file in the state folder that says where the daemon listens.
pub const ADDRESS: &str = "address";

/// What the house is opened with.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Where screens of this machine connect.
    pub listen: Where,
    /// Who else may come, and how.
    pub beyond: Beyond,
    /// Where boards are looked for.
    pub ports: Patterns,
    /// How many bytes a port may say in a second.
    pub port_bytes: u32,
    /// Where everything is kept.
    pub state: PathBuf,
    /// The event, if it is not that of the day.
    pub event: Option<Order>,
    /// A file of pairings that is looked at again and again.
    pub pairings: Option<Watched>,
    /// Where clients of LiveChess are served, if they are.
    pub livechess: Option<Local>,
    /// How announcements to blind players become sounds.
    pub voice: voice::Plan,
    /// Who is told the games.
    pub air: Vec<Target>,
}

#[cfg(test)]
impl Plan {
    /// Screens of this machine alone, and no boards.
    pub(super) fn for_a_test(state: &Path) -> anyhow::Result<Plan> {
        let nowhere = state.join("board-*").display().to_string();
        Ok(Plan {
            listen: "127.0.0.1:0".parse().map_err(anyhow::Error::msg)?,
            beyond: Beyond::default(),
            ports: Patterns::of([nowhere])?,
            port_bytes: crate::sensors::PORT_BYTES,
            state: state.to_owned(),
            event: None,
            pairings: None,
            livechess: None,
            voice: voice::Plan::default(),
            air: Vec::new(),
        })
    }
}

/// The state folder of this user, or of the service.
pub fn usual_state() -> anyhow::Result<PathBuf> {
    if let Some(folder) = std::env::var_os("STATE_DIRECTORY").filter(|folder| !folder.is_empty()) {
        return Ok(PathBuf::from(folder));
    }
    let home = || Some(Path::new(&std::env::var_os("HOME")?).join(".local/state"));
    let base = std::env::var_os("XDG_STATE_HOME").map(PathBuf::from).filter(|path| path.is_absolute()).or_else(home);
    Ok(base.context("there is no home folder to keep games in: name one with --state DIR")?.join("escaque"))
}

/// The state folder of the service, as packages set it up.
pub const SERVICE: &str = "/var/lib/escaque";

/// The state folder that is meant by whoever names none: their own, or the service's where they keep no games themselves.
pub fn state_in_use() -> anyhow::Result<PathBuf> {
    Ok(nearest(usual_state()?, Path::new(SERVICE)))
}

fn nearest(own: PathBuf, service: &Path) -> PathBuf {
    if !own.exists() && service.exists() { service.to_owned() } else { own }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_keeps_no_games_means_those_of_the_service() {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let (own, service) = (folder.path().join("own"), folder.path().join("service"));
        let found = || nearest(own.clone(), &service);
        assert_eq!(found(), own, "where nobody keeps any, what is missing is one's own");
        std::fs::create_dir(&service).expect("the folder is writable");
        assert_eq!(found(), service);
        std::fs::create_dir(&own).expect("the folder is writable");
        assert_eq!(found(), own);
    }
}
