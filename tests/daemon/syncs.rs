//! The order of things as the kernel sees it: the frame that calls a move final leaves after the sync of what it
//! follows from has come back.

use std::{
    collections::BTreeMap,
    fs,
    path::Path,
    process::{Child, Command, Stdio},
};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;
use tempfile::TempDir;

use crate::support::{Board, Daemon, until};

const MOVES: [&str; 12] =
    ["e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "f8c5", "c2c3", "g8f6", "d2d3", "d7d6", "e1g1", "e8g8"];

#[test]
#[ignore = "wants strace; `make syncs` runs it"]
fn no_final_leaves_before_its_sync_has_come_back() {
    let folder = TempDir::new().expect("a folder for the test");
    let trace = traced(folder.path());
    let calls = read(&trace);
    let finals = calls.iter().filter(|call| call.is_to_a_screen()).flat_map(|call| {
        let named = finals_in(&call.text);
        named.into_iter().map(move |what| (call, what))
    });
    let finals = finals.collect::<Vec<_>>();
    assert!(finals.len() >= MOVES.len(), "{} finals left, {} moves were made", finals.len(), MOVES.len());
    let mut shortest = f64::MAX;
    for (frame, what) in &finals {
        let written = calls.iter().find(|call| call.is_to_the_journal() && call.text.contains(what.as_str()));
        let written = written.unwrap_or_else(|| panic!("{what} was never written as it was told"));
        let synced = |call: &&Call| call.is_sync() && call.path() == written.path() && call.began >= written.ended;
        let synced = calls.iter().find(synced).unwrap_or_else(|| panic!("{what} was never synced"));
        let ahead = frame.began - synced.ended;
        assert!(ahead >= 0.0, "{what} left {:.3} ms before its sync had come back", -ahead * 1e3);
        shortest = shortest.min(ahead);
    }
    println!("{} finals left after their syncs, the first of them {:.3} ms after", finals.len(), shortest * 1e3);
}

/// A game of some moves on a board, under strace; gives what it wrote down.
fn traced(folder: &Path) -> String {
    let (state, pattern) = (folder.join("state"), folder.join("board-*").display().to_string());
    let daemon = Daemon::start(&state, &["--port", &pattern]);
    for order in [
        json!({ "command": "open_round", "event": "open", "round": 1, "date": "2026.11.20" }),
        json!({ "command": "assign", "board": "30001", "table": "open/1/1" }),
    ] {
        assert_eq!(daemon.order(&order).0, 200);
    }
    let mut board = Board::put_up(&folder.join("board-1"), 30_001, &[]);
    let table = || daemon.snapshot().tables.into_iter().find(|view| view.table.event == "open");
    until("the game to begin", || table().filter(|table| table.game == 1 && table.clock.is_some()));
    let trace = folder.join("trace");
    let strace = Strace::attach(daemon.pid(), &trace);
    let screen = daemon.follow();
    screen.opening();
    for (at, played) in MOVES.iter().enumerate() {
        board.say(&format!("move {played}"));
        until("the move to be final", || table().filter(|table| table.settled > at));
    }
    drop(strace);
    daemon.kill();
    screen.last();
    fs::read_to_string(trace).expect("strace wrote it")
}

/// Looks at a process until it is dropped.
struct Strace(Child);

impl Strace {
    fn attach(pid: u32, to: &Path) -> Strace {
        let calls = "trace=write,writev,sendto,sendmsg,pwrite64,fsync,fdatasync";
        let mut strace = Command::new("strace");
        strace.args(["-f", "-ttt", "-T", "-yy", "-s", "65536", "-e", calls, "-e", "signal=none", "-o"]).arg(to);
        strace.args(["-p", &pid.to_string()]).stderr(Stdio::null());
        let strace = Strace(strace.spawn().expect("strace is needed: apt-get install strace"));
        let status = format!("/proc/{pid}/status");
        let traced = || fs::read_to_string(&status).is_ok_and(|status| !status.contains("TracerPid:\t0\n"));
        until("strace to look", || traced().then_some(()));
        strace
    }
}

impl Drop for Strace {
    fn drop(&mut self) {
        if let Some(pid) = i32::try_from(self.0.id()).ok().and_then(Pid::from_raw) {
            let _ = kill_process(pid, Signal::INT);
        }
        let _ = self.0.wait();
    }
}

/// One call of the system, from its beginning to its end in seconds.
#[derive(Debug)]
struct Call {
    began: f64,
    ended: f64,
    text: String,
}

impl Call {
    fn is_to_a_screen(&self) -> bool {
        self.path().starts_with("TCP")
    }

    fn is_to_the_journal(&self) -> bool {
        self.text.starts_with("pwrite64") && self.path().contains("/journal/")
    }

    fn is_sync(&self) -> bool {
        self.text.starts_with("fsync") || self.text.starts_with("fdatasync")
    }

    /// What the first argument stands for, as `-yy` tells.
    fn path(&self) -> &str {
        let inside = self.text.split_once('<').map_or("", |(_, rest)| rest);
        // An address has an arrow in it, so what ends the name is the bracket before a comma or the end.
        inside.split_once(">,").or_else(|| inside.split_once(">)")).map_or(inside, |(path, _)| path)
    }
}

/// The calls of all threads. One that was interrupted by another thread's stands in two lines.
fn read(trace: &str) -> Vec<Call> {
    let (mut calls, mut waiting) = (Vec::new(), BTreeMap::new());
    for line in trace.lines() {
        let mut words = line.trim_start().splitn(3, ' ').map(str::trim_start);
        let (Some(thread), Some(at), Some(text)) = (words.next(), words.next(), words.next()) else { continue };
        let Ok(at) = at.parse::<f64>() else { continue };
        if let Some(begun) = text.strip_suffix("<unfinished ...>") {
            waiting.insert(thread.to_owned(), (at, begun.trim_end().to_owned()));
        } else if let Some((_, rest)) = text.split_once(" resumed>") {
            if let Some((began, begun)) = waiting.remove(thread) {
                calls.push(Call { began, ended: at, text: begun + rest });
            }
        } else {
            let took = text.rsplit_once('<').and_then(|(_, took)| took.strip_suffix('>')?.parse::<f64>().ok());
            calls.push(Call { began: at, ended: at + took.unwrap_or_default(), text: text.to_owned() });
        }
    }
    calls.sort_by(|one, other| one.began.total_cmp(&other.began));
    calls
}

/// The finals in a frame, each by the position after it: that stands letter by letter on disk too.
fn finals_in(text: &str) -> Vec<String> {
    let told = text.split(r#"\"event\":\"final\","#).skip(1);
    let position = |rest: &str| {
        let (_, from) = rest.split_once(r#"\"fen\":\""#)?;
        Some(from.split_once('\\')?.0.to_owned())
    };
    told.filter_map(position).collect()
}
