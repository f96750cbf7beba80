//! A machine whose disk is a file.

use std::{
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::json;
use tempfile::TempDir;

use crate::{
    disk::shim,
    support::{Board, Daemon, Start},
};

use super::TABLE;

const BOARDS: u16 = 4;
const SERIALS: u32 = 30_000;

/// Room for a journal of some minutes.
const SIZE: &str = "256M";

/// What becomes of a sync.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Sync {
    Honest,
    /// It is said to be done, and is not.
    Lies,
}

pub(super) struct Machine {
    folder: TempDir,
    sync: Sync,
    _company: Vec<Board>,
}

impl Machine {
    pub(super) fn build(sync: Sync) -> Machine {
        let folder = TempDir::new().expect("a folder for the test");
        let at = |name: &str| folder.path().join(name);
        std::fs::create_dir(at("disk")).expect("the folder is ours");
        shim::build(&at("shim.so"));
        shim::compile("powercut/cut.c", &[], &at("cut"));
        std::fs::write(at("switch"), "l").expect("the folder is ours");
        run(Command::new("truncate").args(["-s", SIZE]).arg(at("image")));
        run(Command::new("mkfs.ext4").arg("-q").arg(at("image")));
        let mut machine = Machine { folder, sync, _company: Vec::new() };
        machine.mount();
        let daemon = machine.start();
        machine.set_up(&daemon);
        // What is on the disk before the first cut is not what is tried.
        run(Command::new("sync").arg("-f").arg(machine.disk()));
        daemon.kill();
        machine
    }

    fn set_up(&mut self, daemon: &Daemon) {
        let order = |order| {
            let (status, answer) = daemon.order(&order);
            assert_eq!(status, 200, "{answer}");
        };
        order(json!({ "command": "open_round", "event": "open", "round": 1, "date": "2026.11.20" }));
        order(json!({ "command": "assign", "board": "39999", "table": format!("open/1/{TABLE}") }));
        for number in 1..=BOARDS {
            let serial = SERIALS + u32::from(number);
            order(json!({ "command": "assign", "board": serial.to_string(), "table": format!("open/1/{number}") }));
            let first = (number * 3).to_string();
            let hands = ["--games", "--profile", "perfect", "--speed", "200", "--first", &first];
            let link = self.folder.path().join(format!("board-{number}"));
            self._company.push(Board::put_up(&link, serial, &hands));
        }
    }

    pub(super) fn start(&self) -> Daemon {
        Daemon::start_logging(&self.state(), &self.log(), |command| self.prepare(command))
    }

    pub(super) fn try_start(&self) -> Option<Daemon> {
        let ports = self.ports();
        match Daemon::try_start(&self.state(), &["--port", &ports]) {
            Start::Serves(daemon) => Some(daemon),
            Start::Refuses(_) => None,
        }
    }

    pub(super) fn cut(&self) {
        run(Command::new(self.folder.path().join("cut")).arg(self.disk()));
    }

    /// The power is back; the file system recovers by itself.
    pub(super) fn come_back(&mut self) {
        run(Command::new("umount").arg(self.disk()));
        self.mount();
    }

    fn mount(&self) {
        run(Command::new("mount").args(["-o", "loop"]).arg(self.folder.path().join("image")).arg(self.disk()));
    }

    fn prepare(&self, command: &mut Command) {
        command.args(["--port", &self.ports()]);
        if self.sync == Sync::Lies {
            let at = |name: &str| self.folder.path().join(name);
            shim::load(command, &at("shim.so"), &at("switch"), &self.disk());
        }
    }

    fn ports(&self) -> String {
        self.folder.path().join("board-*").display().to_string()
    }

    fn disk(&self) -> PathBuf {
        self.folder.path().join("disk")
    }

    fn state(&self) -> PathBuf {
        self.disk().join("state")
    }

    fn log(&self) -> PathBuf {
        self.folder.path().join("log")
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        // Lazily: a daemon of a test that failed may still be ending.
        let _ = Command::new("umount").arg("-l").arg(Path::new(&self.disk())).status();
    }
}

fn run(command: &mut Command) {
    assert!(command.status().is_ok_and(|status| status.success()), "{command:?} fails; are you root?");
}
