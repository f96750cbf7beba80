//! The daemon as other commands of this machine find it and speak to it.

use std::{
    io::{self, Read, Write},
    net::{SocketAddr, TcpStream},
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::{Context, anyhow, bail};
use serde_json::Value;

use super::terminal;
use crate::{
    journal::JournalError,
    run::{ADDRESS, SERVICE, state_in_use},
    screens::token::FILE,
};

/// What whoever is answered otherwise than expected is told.
pub(super) const OTHER: &str = "the daemon is of another version: end it and start this one";

/// A daemon that is there answers at once; one that commits to a slow card takes a little.
const PATIENCE: Duration = Duration::from_secs(20);

// No doc comment: it would take the place of those about the commands it is part of.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct Folder {
    /// The state folder of the daemon [default: ~/.local/state/escaque, or the service's if you have none]
    #[arg(long, value_name = "DIR")]
    state: Option<PathBuf>,
}

/// The daemon that keeps its games in a folder, spoken to as its operator.
pub(super) struct Daemon {
    state: PathBuf,
    address: SocketAddr,
    token: String,
}

impl Daemon {
    pub(super) fn find(folder: &Folder) -> anyhow::Result<Daemon> {
        let state = folder.state.clone().map_or_else(state_in_use, Ok)?;
        let read = |name: &str| {
            let path = state.join(name);
            std::fs::read_to_string(&path).map_err(|cause| unread(&state, &path, cause))
        };
        let noted = read(ADDRESS)?;
        let address = noted.trim().parse().with_context(|| {
            format!(
                "{}/{ADDRESS} holds no address: end the daemon and start it again, which writes it",
                state.display()
            )
        })?;
        let address = terminal::reachable(address);
        if !address.ip().is_loopback() {
            bail!("the daemon listens on {address} only, where no operator is taken; give it --listen 127.0.0.1:8064");
        }
        let token = read(FILE)?.trim().to_owned();
        Ok(Daemon { state, address, token })
    }

    /// Asks for something, as JSON.
    pub(super) fn ask(&self, method: &str, path: &str, body: &Value) -> anyhow::Result<Value> {
        self.ask_in_text(method, path, &if body.is_null() { String::new() } else { body.to_string() })
    }

    /// Gives an order as somebody has written it.
    pub(super) fn order(&self, text: &str) -> anyhow::Result<Value> {
        self.ask_in_text("POST", "/command", text)
    }

    fn ask_in_text(&self, method: &str, path: &str, body: &str) -> anyhow::Result<Value> {
        let said = self.send(method, path, "application/json", body.as_bytes())?;
        serde_json::from_slice(&said).with_context(|| self.absent())
    }

    /// Asks for a file.
    pub(super) fn get(&self, path: &str) -> anyhow::Result<Vec<u8>> {
        self.send("GET", path, "application/octet-stream", &[])
    }

    /// Hands a file in. What comes back is JSON.
    pub(super) fn hand_in(&self, path: &str, file: &[u8]) -> anyhow::Result<Value> {
        let said = self.send("POST", path, "application/octet-stream", file)?;
        serde_json::from_slice(&said).with_context(|| self.absent())
    }

    fn send(&self, method: &str, path: &str, mime: &str, body: &[u8]) -> anyhow::Result<Vec<u8>> {
        let mut stream = TcpStream::connect(self.address).with_context(|| self.absent())?;
        stream.set_read_timeout(Some(PATIENCE))?;
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\nAccept: application/json\r\n\
             Content-Type: {mime}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
            self.address,
            self.token,
            body.len()
        );
        stream.write_all(&[head.as_bytes(), body].concat()).with_context(|| self.absent())?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).with_context(|| self.absent())?;
        let end = answer.windows(4).position(|four| four == b"\r\n\r\n").with_context(|| self.absent())?;
        let (head, body) = (String::from_utf8_lossy(&answer[..end]).into_owned(), answer[end + 4..].to_vec());
        // 202: it is done, and not on disk yet.
        if !["HTTP/1.1 200", "HTTP/1.1 202"].iter().any(|good| head.starts_with(good)) {
            let said = serde_json::from_slice::<Value>(&body).unwrap_or_default();
            let sentence = said["error"].as_str().or_else(|| said["refused"].as_str());
            match sentence {
                // Its token is another: the folder is of a daemon that once was there.
                _ if head.starts_with("HTTP/1.1 401") => bail!(
                    "the daemon at {} keeps its games in another folder than {}: name that with --state",
                    self.address,
                    self.state.display()
                ),
                Some(sentence) => bail!("{sentence}"),
                None => bail!("the daemon answers with {}: {OTHER}", head.lines().next().unwrap_or_default()),
            }
        }
        Ok(body)
    }

    fn absent(&self) -> String {
        let start = if self.state == Path::new(SERVICE) { "sudo systemctl start escaque" } else { "escaque serve" };
        format!("nobody answers at {}: start the daemon with `{start}`", self.address)
    }
}

/// Why a daemon can't be found: there is none, or it is another user's, as that of the service is.
fn unread(state: &Path, path: &Path, cause: io::Error) -> anyhow::Error {
    if cause.kind() == io::ErrorKind::NotFound {
        let state = state.display();
        return anyhow!("no daemon keeps its games in {state}: start it, or name its folder with --state");
    }
    if cause.kind() == io::ErrorKind::PermissionDenied {
        let closed = JournalError::Closed { path: path.to_owned() };
        return anyhow!("{closed}: {}", closed.hint());
    }
    anyhow::Error::new(cause)
        .context(format!("{} can't be read: name the daemon's folder with --state", path.display()))
}

/// What an answer says for people.
pub(super) fn said(answer: &Value) -> impl Iterator<Item = &str> {
    let said = answer["said"].as_array().into_iter().flatten().filter_map(Value::as_str);
    said.chain(answer["unrecorded"].as_str())
}

/// Whether what was ordered is on disk.
pub(super) fn is_recorded(answer: &Value) -> bool {
    answer["unrecorded"].is_null()
}

/// All that was said, a line each.
pub(super) fn sentences(answer: &Value) -> String {
    said(answer).map(|sentence| format!("{sentence}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_finds_nobody_is_told_how_this_daemon_is_started() {
        let absent = |state: &str| {
            let address = SocketAddr::from(([127, 0, 0, 1], 8064));
            Daemon { state: state.into(), address, token: String::new() }.absent()
        };
        assert!(absent("/var/lib/escaque").ends_with("with `sudo systemctl start escaque`"));
        assert!(absent("/home/ann/.local/state/escaque").ends_with("with `escaque serve`"));
    }
}
