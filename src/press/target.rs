//! Targets: who is told the games, as the configuration names them.

use std::{collections::BTreeMap, path::PathBuf, str::FromStr};

use axum::http::Uri;
use serde::Deserialize;

use super::{pages::Layout, token::Keeper};

/// How long the newest ply stands before it leaves, where nothing follows it.
const USUAL_WAIT_S: u32 = 5;
/// Nobody wants to be told a minute late by a setting.
const LONGEST_WAIT_S: u32 = 60;
/// Where the broadcasts of lichess are.
const LICHESS: &str = "https://lichess.org";

/// One who is told the games of a round.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "Written")]
pub struct Target {
    pub(super) name: String,
    /// Of this event only.
    pub(super) event: Option<String>,
    pub(super) receiver: Receiver,
    pub(super) wait_ms: u64,
    /// Everything is told that was played at a table, and not only the game that counts: each game that was begun there,
    /// and what follows a move that was not legal and stands, are games of their own.
    pub(super) second_game: bool,
}

/// How it takes them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Receiver {
    /// As files.
    Folder { folder: PathBuf, layout: Layout },
    /// As the body of a request.
    Http { method: Method, layout: Layout, keeper: Option<Keeper> },
    /// Game by game, at a round of a broadcast.
    Lichess { base: String, rounds: BTreeMap<u16, String>, keeper: Keeper },
}

/// How a request is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Method {
    Put,
    Post,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Folder,
    Livechess,
    Http,
    Lichess,
}

/// What can stand below `[[air]]`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Written {
    name: String,
    kind: Kind,
    event: Option<String>,
    folder: Option<PathBuf>,
    url: Option<String>,
    method: Option<Method>,
    rounds: Option<BTreeMap<String, String>>,
    token_file: Option<PathBuf>,
    credential: Option<String>,
    wait: Option<u32>,
    second_game: Option<bool>,
}

impl Target {
    /// What people call it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether it wants the games of this round.
    pub(super) fn wants(&self, event: &str, round: u16) -> bool {
        let has_room = match &self.receiver {
            Receiver::Lichess { rounds, .. } => rounds.contains_key(&round),
            Receiver::Folder { .. } | Receiver::Http { .. } => true,
        };
        self.is_for(event) && has_room
    }

    pub(super) fn is_for(&self, event: &str) -> bool {
        self.event.as_ref().is_none_or(|own| own == event)
    }

    /// What to do so that a round of its event has a place there; nothing where it has one, or is of another event.
    pub(super) fn lacks(&self, event: &str, round: u16) -> Option<String> {
        (self.is_for(event) && !self.wants(event, round)).then(|| {
            format!(
                "round {round} of {event} has no place there: make one without a source, write {round} = \"the last part of its \
                 address\" into rounds of [[air]], and restart the daemon"
            )
        })
    }

    /// How its documents are laid out, if it is told by documents.
    pub(super) fn layout(&self) -> Option<&Layout> {
        match &self.receiver {
            Receiver::Folder { layout, .. } | Receiver::Http { layout, .. } => Some(layout),
            Receiver::Lichess { .. } => None,
        }
    }
}

impl TryFrom<Written> for Target {
    type Error = String;

    fn try_from(mut written: Written) -> Result<Target, String> {
        let name = std::mem::take(&mut written.name);
        let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        if name.is_empty() || name.len() > 32 || !name.chars().all(is_plain) {
            return Err(format!("\"{name}\" is no name for a target: write a word of small letters, such as \"club\""));
        }
        let wait = written.wait.take().unwrap_or(USUAL_WAIT_S);
        if wait > LONGEST_WAIT_S {
            return Err(format!("target {name}: wait = {wait} is too long; write up to {LONGEST_WAIT_S} seconds"));
        }
        // Elsewhere a game more is a board more, which nobody wants without asking.
        let takes_any = matches!(written.kind, Kind::Folder | Kind::Http);
        let second_game = written.second_game.unwrap_or(takes_any);
        let event = written.event.take();
        let receiver = receiver(written, event.as_deref()).map_err(|cause| format!("target {name}: {cause}"))?;
        Ok(Target { name, event, receiver, wait_ms: u64::from(wait) * 1000, second_game })
    }
}

fn receiver(mut written: Written, event: Option<&str>) -> Result<Receiver, String> {
    let keeper = match (written.token_file.take(), written.credential.take()) {
        (Some(_), Some(_)) => return Err("name token-file or credential, not both".to_owned()),
        (Some(path), None) => Some(Keeper::File(path)),
        (None, Some(name)) => Some(Keeper::credential(name)?),
        (None, None) => None,
    };
    let kind = written.kind;
    let (folder, url, method, rounds) =
        (written.folder.take(), written.url.take(), written.method.take(), written.rounds.take());
    let is_odd = match kind {
        Kind::Folder | Kind::Livechess => url.is_some() || method.is_some() || rounds.is_some() || keeper.is_some(),
        Kind::Http => folder.is_some() || rounds.is_some(),
        Kind::Lichess => folder.is_some() || method.is_some(),
    };
    if is_odd {
        return Err(format!("a target of this kind takes {}", kind.settings()));
    }
    match kind {
        Kind::Folder | Kind::Livechess => {
            let folder = folder.filter(|folder| folder.is_absolute());
            let folder = folder.ok_or("write folder = \"/a/whole/path\" that the daemon may write to")?;
            let layout = if kind == Kind::Livechess { Layout::LiveChess } else { Layout::Plain };
            Ok(Receiver::Folder { folder, layout })
        }
        Kind::Http => {
            let url = url.ok_or("write url = \"https://club.example/{event}/{round}.pgn\"")?;
            check_blanks(&url)?;
            check_url(&url.replace(['{', '}'], "x"), keeper.is_some())?;
            Ok(Receiver::Http { method: method.unwrap_or(Method::Put), layout: Layout::Addressed(url), keeper })
        }
        Kind::Lichess => {
            event.ok_or("write event = \"open\": the name of the event whose rounds these are")?;
            let rounds = rounds.filter(|rounds| !rounds.is_empty());
            let rounds = rounds.ok_or("write rounds = { 1 = \"abcdefgh\" }: the last part of each round's address")?;
            let rounds = rounds.into_iter().map(round).collect::<Result<_, _>>()?;
            let keeper = keeper.ok_or("write token-file = \"/path\" or credential = \"name\": its token")?;
            let base = url.unwrap_or_else(|| LICHESS.to_owned()).trim_end_matches('/').to_owned();
            check_url(&base, true)?;
            Ok(Receiver::Lichess { base, rounds, keeper })
        }
    }
}

/// What stands in braces is filled in, game by game: anything else would be part of the address of all of them.
fn check_blanks(url: &str) -> Result<(), String> {
    let mut blanks = url.split('{').skip(1).map(|rest| rest.split_once('}').map_or(rest, |(blank, _)| blank));
    let Some(odd) = blanks.find(|blank| !["event", "round", "table"].contains(blank)) else { return Ok(()) };
    Err(format!("nothing is known that could stand for {{{odd}}} in the url: write {{event}}, {{round}} or {{table}}"))
}

impl Kind {
    fn settings(self) -> &'static str {
        match self {
            Kind::Folder | Kind::Livechess => "name, kind, folder, event, wait and second-game",
            Kind::Http => "name, kind, url, method, token-file or credential, event, wait and second-game",
            Kind::Lichess => "name, kind, event, rounds, token-file or credential, url, wait and second-game",
        }
    }
}

/// A round and what the receiver calls it.
fn round((number, id): (String, String)) -> Result<(u16, String), String> {
    let round = number.parse().map_err(|_| format!("\"{number}\" is no round: write its number"))?;
    // People copy the whole address.
    let id = id.trim_end_matches('/').rsplit('/').next().unwrap_or_default().to_owned();
    let is_id = id.len() == 8 && id.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if is_id { Ok((round, id)) } else { Err(format!("\"{id}\" is no round of lichess: it has eight letters")) }
}

/// A token is sent encrypted, but for receivers on this machine.
fn check_url(url: &str, has_token: bool) -> Result<(), String> {
    let unfit = || format!("\"{url}\" is no address: write it whole, such as https://club.example/games.pgn");
    let uri = Uri::from_str(url).map_err(|_| unfit())?;
    let host = uri.host().ok_or_else(unfit)?;
    if uri.authority().is_some_and(|authority| authority.as_str().contains('@')) {
        return Err("put its password into a token-file, not into the address".to_owned());
    }
    let is_here = host == "localhost" || host.trim_matches(['[', ']']).parse().is_ok_and(is_loopback);
    match uri.scheme_str() {
        Some("https") => Ok(()),
        Some("http") if is_here || !has_token => Ok(()),
        Some("http") => Err(format!("a token would go to {host} for everybody to read: write https://")),
        _ => Err(unfit()),
    }
}

fn is_loopback(ip: std::net::IpAddr) -> bool {
    ip.is_loopback()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Target, String> {
        toml::from_str(text).map_err(|error| error.message().to_owned())
    }

    #[test]
    fn each_kind_is_read() {
        for text in [
            "name = \"a\"\nkind = \"folder\"\nfolder = \"/srv/games\"",
            "name = \"b\"\nkind = \"livechess\"\nfolder = \"/srv/livechess\"\nwait = 0",
            "name = \"c\"\nkind = \"http\"\nurl = \"https://club.example/{event}/{round}/{table}.pgn\"\nmethod = \"post\"",
            "name = \"d\"\nkind = \"lichess\"\nevent = \"open\"\nrounds = { 1 = \"abcdEF12\" }\ncredential = \"lichess\"",
        ] {
            read(text).expect(text);
        }
        let whole = "https://lichess.org/broadcast/a/round-1/abcdEF12";
        let text = format!(
            "name = \"d\"\nkind = \"lichess\"\nevent = \"open\"\nrounds = {{ 1 = \"{whole}\" }}\ncredential = \"l\""
        );
        let target = read(&text).expect("people copy addresses");
        assert!(target.wants("open", 1) && !target.wants("open", 2) && !target.wants("youth", 1));
    }

    #[test]
    fn what_is_missing_is_named() {
        for (text, named) in [
            ("name = \"A b\"\nkind = \"folder\"\nfolder = \"/x\"", "small letters"),
            ("name = \"a\"\nkind = \"folder\"", "write folder ="),
            ("name = \"a\"\nkind = \"folder\"\nfolder = \"games\"", "whole/path"),
            (
                "name = \"a\"\nkind = \"folder\"\nfolder = \"/x\"\nurl = \"https://x.example\"",
                "takes name, kind, folder",
            ),
            ("name = \"a\"\nkind = \"http\"\nurl = \"club.example\"", "https://club.example"),
            (
                "name = \"a\"\nkind = \"http\"\nurl = \"https://club.example/{events}/{round}.pgn\"",
                "stand for {events} in the url",
            ),
            (
                "name = \"a\"\nkind = \"http\"\nurl = \"http://club.example/x\"\ncredential = \"x\"",
                "for everybody to read",
            ),
            ("name = \"a\"\nkind = \"lichess\"\nrounds = { 1 = \"abcdefgh\" }\ncredential = \"x\"", "write event"),
            ("name = \"a\"\nkind = \"lichess\"\nevent = \"open\"\ncredential = \"x\"", "write rounds"),
            ("name = \"a\"\nkind = \"lichess\"\nevent = \"open\"\nrounds = { 1 = \"abcdefgh\" }", "write token-file"),
            (
                "name = \"a\"\nkind = \"lichess\"\nevent = \"o\"\nrounds = { 1 = \"abc\" }\ncredential = \"x\"",
                "eight letters",
            ),
            ("name = \"a\"\nkind = \"folder\"\nfolder = \"/x\"\nwait = 900", "up to 60"),
            ("name = \"a\"\nkind = \"folder\"\nfolder = \"/x\"\nfoldre = 1", "foldre"),
        ] {
            let error = read(text).expect_err(text);
            assert!(error.contains(named), "{text}: {error}");
        }
    }
}
