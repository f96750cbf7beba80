//! A site that takes whole documents, through a real socket: what is handed over, and what is taken away again.

use std::{
    collections::BTreeMap,
    io::{Read as _, Write as _},
    net::{SocketAddr, TcpListener, TcpStream},
    path::Path,
    sync::{Mutex, MutexGuard, PoisonError},
};

use super::{hour::until, *};
use crate::{
    press::{Counter, Press, Source, Standing, Target},
    record::Bulletin,
};

#[test]
fn a_round_that_is_taken_off_the_air_is_taken_away_at_its_site() {
    let (site, rounds) = (Site::open(), Arc::new(Rounds::of(&["open"])));
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str, path: &str| {
        format!("name = '{name}'\nkind = 'http'\nurl = 'http://{}/{path}'\nwait = 0", site.address)
    };
    let targets = [at("whole", "{event}/{round}.pgn"), at("tables", "{event}/{round}/{table}.pgn")];
    let (counter, press) = rounds.tell(&targets, folder.path());
    let paths = ["/open/1.pgn", "/open/1/1.pgn", "/open/1/2.pgn"];
    until(|| paths.iter().all(|path| site.reads(path).contains("1. e4")));
    rounds.show("open", false);
    press.ring();
    until(|| paths.iter().all(|path| site.reads(path).is_empty()));
    let asked = site.taken().len();
    rounds.show("open", true);
    press.ring();
    until(|| paths.iter().all(|path| site.reads(path).contains("1. e4")));
    assert_eq!(site.taken().len(), asked + 3, "what is not there is taken away once");
    // After a restart it is known what stands there.
    drop((press, counter));
    rounds.show("open", false);
    let (counter, press) = rounds.tell(&targets, folder.path());
    until(|| paths.iter().all(|path| site.reads(path).is_empty()));
    rounds.show("open", true);
    press.ring();
    until(|| site.reads(paths[0]).contains("1. e4"));
    site.answer("400 Bad Request", "");
    rounds.show("open", false);
    press.ring();
    until(|| standing(&counter, "whole").rounds[0].remarks.iter().any(|said| said.contains("is still there")));
}

#[test]
fn a_round_that_goes_leaves_an_address_to_the_others_that_are_told_there() {
    let (site, rounds) = (Site::open(), Arc::new(Rounds::of(&["open", "youth"])));
    let folder = tempfile::tempdir().expect("a folder");
    let target = format!("name = 'site'\nkind = 'http'\nurl = 'http://{}/live.pgn'\nwait = 0", site.address);
    let (_counter, press) = rounds.tell(&[target], folder.path());
    until(|| site.reads("/live.pgn").contains("youth/1/1"));
    rounds.show("youth", false);
    press.ring();
    until(|| site.reads("/live.pgn").contains("open/1/1"));
    rounds.show("open", false);
    press.ring();
    until(|| site.reads("/live.pgn").is_empty());
}

#[test]
fn an_event_of_which_nothing_is_on_air_is_not_named_in_its_folder() {
    let rounds = Arc::new(Rounds::of(&["open"]));
    let folder = tempfile::tempdir().expect("a folder");
    let target = format!("name = 'tree'\nkind = 'livechess'\nfolder = '{}'\nwait = 0", folder.path().display());
    let (_counter, press) = rounds.tell(&[target], &folder.path().join("state"));
    let names = ["tournament.json", "index.html", "assets/board.js", "round-1/index.json", "round-1/games.pgn"];
    let there = || names.iter().filter(|name| folder.path().join("open").join(name).exists()).count();
    for (is_on_air, count) in [(true, names.len()), (false, 0), (true, names.len())] {
        rounds.show("open", is_on_air);
        press.ring();
        until(|| there() == count);
    }
}

#[test]
fn each_round_that_is_open_is_looked_at_and_not_only_the_one_opened_last() {
    let (site, rounds) = (Site::open(), Arc::new(Rounds::of(&["open", "youth"])));
    let folder = tempfile::tempdir().expect("a folder");
    let token = folder.path().join("token");
    std::fs::write(&token, "secret").expect("writable");
    let room = format!(
        "name = 'room'\nkind = 'lichess'\nevent = 'open'\nrounds = {{ 2 = 'abcdEFGH' }}\nurl = 'http://{}'\n\
         token-file = '{}'",
        site.address,
        token.display()
    );
    let at = format!("name = 'site'\nkind = 'http'\nurl = 'http://{}/{{event}}/{{round}}.pgn'", site.address);
    let (counter, _press) = rounds.tell(&[room, at], folder.path());
    let is_missing = |said: &str| said.contains("round 1 of open has no place there");
    let found = findings(&counter, "room");
    assert!(found.iter().any(|(in_order, said)| !in_order && is_missing(said)), "{found:?}");
    let listed = standing(&counter, "room").rounds;
    assert!(listed.iter().any(|round| round.remarks.iter().any(|said| is_missing(said))), "{listed:?}");
    let found = findings(&counter, "site");
    for event in ["open", "youth"] {
        let answers = format!("http://{}/{event}/1.pgn answers", site.address);
        assert!(found.iter().any(|(in_order, said)| *in_order && *said == answers), "{found:?}");
    }
}

#[test]
fn what_a_site_answers_comes_with_what_to_do_and_never_with_an_empty_colon() {
    let (site, rounds) = (Site::open(), Arc::new(Rounds::of(&["open"])));
    let folder = tempfile::tempdir().expect("a folder");
    let target = format!("name = 'site'\nkind = 'http'\nurl = 'http://{}/live.pgn'\nwait = 0", site.address);
    let (counter, _press) = rounds.tell(&[target], folder.path());
    for (answer, expected) in [
        ("401 Unauthorized", "it wants a token (401): name it as token-file below [[air]], and restart the daemon"),
        ("429 Too Many Requests", "it has had too many requests (429): it is asked again by itself, later"),
        ("500 Internal Server Error", "it answers 500: look at its log; it is tried again by itself"),
    ] {
        site.answer(answer, "");
        let found = findings(&counter, "site");
        assert!(found.contains(&(false, expected.to_owned())), "{found:?}");
    }
    let said = crate::press::checkup::trouble(503, "mending", false);
    assert_eq!(said, "it answers 503 (mending): look at its log; it is tried again by itself");
    let refused = |status: u16, said: &str| crate::press::checkup::refusal(status, said, false);
    assert_eq!(refused(413, ""), "413: so long a document is not taken there: raise its limit, and try now");
    assert_eq!(refused(422, "no PGN"), "422 (no PGN): it can't use this document: look at its log");
}

fn findings(counter: &Counter, name: &str) -> Vec<(bool, String)> {
    let found = counter.check(name).expect("it is there").blocking_recv().expect("it answers");
    found.into_iter().map(|finding| (finding.in_order, finding.sentence)).collect()
}

pub(super) fn standing(counter: &Counter, name: &str) -> Standing {
    counter.standings().into_iter().find(|standing| standing.name == name).expect("it is there")
}

/// A round of each of some events, with two tables that have played a move.
pub(super) struct Rounds(Mutex<BTreeMap<String, Shown>>);

struct Shown {
    is_on_air: bool,
    edition: u64,
    round: Round,
}

impl Rounds {
    pub(super) fn of(events: &[&str]) -> Rounds {
        let shown = events.iter().map(|event| {
            let mut round = Round::begin_at(event, 2);
            (1..=2).for_each(|table| round.play(table, "e4"));
            ((*event).to_owned(), Shown { is_on_air: true, edition: 1, round })
        });
        Rounds(Mutex::new(shown.collect()))
    }

    pub(super) fn tell(self: &Arc<Rounds>, targets: &[String], state: &Path) -> (Counter, Press) {
        let targets = targets.iter().map(|text| toml::from_str::<Target>(text).expect("a target"));
        let counter = Counter::new(targets.collect());
        let source: Arc<dyn Source> = Arc::<Rounds>::clone(self);
        let press = counter.start(state, &source).expect("threads");
        (counter, press)
    }

    fn show(&self, event: &str, is_on_air: bool) {
        let mut rounds = self.rounds();
        let shown = rounds.get_mut(event).expect("it is there");
        shown.is_on_air = is_on_air;
        shown.edition += 1;
    }

    fn rounds(&self) -> MutexGuard<'_, BTreeMap<String, Shown>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Source for Rounds {
    fn rounds(&self, _: bool) -> Vec<(String, u16, u64)> {
        self.rounds().iter().map(|(event, shown)| (event.clone(), 1, shown.edition)).collect()
    }

    fn bulletin(&self, event: &str, round: u16, _: bool) -> Bulletin {
        let rounds = self.rounds();
        let shown = &rounds[event];
        let mut tables = BTreeMap::<u16, Option<Vec<_>>>::new();
        for slip in shown.round.slips() {
            let games = tables.entry(slip.table().table).or_default();
            if shown.is_on_air {
                games.get_or_insert_default().push(slip);
            }
        }
        let count = if shown.is_on_air { 2 } else { 0 };
        Bulletin { event: event.to_owned(), round, programme: vec![(count, count)], tables, ..Bulletin::default() }
    }

    fn tells_live(&self, _: &str) -> bool {
        false
    }

    fn open(&self) -> Vec<(String, u16)> {
        self.rounds().keys().map(|event| (event.clone(), 1)).collect()
    }
}

/// A site that keeps what it is handed.
#[derive(Clone)]
pub(super) struct Site {
    pub(super) address: SocketAddr,
    kept: Arc<Mutex<Kept>>,
}

#[derive(Default)]
struct Kept {
    /// Every document, in the order in which they came.
    taken: Vec<(String, String)>,
    /// What it answers in place of taking anything.
    answer: Option<String>,
}

impl Site {
    pub(super) fn open() -> Site {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let site = Site { address: listener.local_addr().expect("it is bound"), kept: Arc::default() };
        let serving = site.clone();
        std::thread::spawn(move || listener.incoming().flatten().for_each(|stream| serving.serve(stream)));
        site
    }

    /// From now on everything is answered so.
    pub(super) fn answer(&self, status: &str, body: &str) {
        let answer = format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}", body.len());
        self.kept().answer = Some(answer);
    }

    fn reads(&self, path: &str) -> String {
        let kept = self.kept();
        let last = kept.taken.iter().rfind(|(at, _)| at == path);
        last.map_or_else(|| "nobody was here".to_owned(), |(_, text)| text.clone())
    }

    fn taken(&self) -> Vec<(String, String)> {
        self.kept().taken.clone()
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn serve(&self, mut stream: TcpStream) {
        let mut heard = String::new();
        let mut piece = [0; 16 * 1024];
        while let Ok(count @ 1..) = stream.read(&mut piece) {
            heard.push_str(&String::from_utf8_lossy(&piece[..count]));
            let Some((head, body)) = heard.split_once("\r\n\r\n") else { continue };
            let length =
                head.lines().find_map(|line| line.to_lowercase().strip_prefix("content-length: ")?.parse().ok());
            if body.len() < length.unwrap_or(0) {
                continue;
            }
            let mut kept = self.kept();
            let answer = kept.answer.clone().unwrap_or_else(|| {
                let path = head.split(' ').nth(1).unwrap_or_default().to_owned();
                if head.starts_with("PUT") {
                    kept.taken.push((path, body.to_owned()));
                }
                "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".to_owned()
            });
            // Who asked may have gone.
            let _ = stream.write_all(answer.as_bytes());
            return;
        }
    }
}
