//! `escaque doctor`, the whole program: what an operator reads when something is in the way.

use std::fs::{Permissions, set_permissions};
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use escaque::sensors::Port;
use rustix::fs::{Mode, OFlags, open};
use rustix::process::geteuid;
use rustix::termios::ioctl_tiocexcl;
use serde_json::Value;

use crate::capture::escaque;
use crate::pty::{Board, Pty, wait_for};

const IN_ORDER: i32 = 0;
const NOT_IN_ORDER: i32 = 3;

/// Nobody: a user without rights, present on every system.
const NOBODY: u32 = 65_534;

#[test]
fn a_board_that_answers_is_in_order() {
    let board = Board::plug_in("12345");
    let (code, said) = doctor(&[&board.name()]);
    assert_eq!(said, format!("{}\n  ok  A board answers: number 12345, software 1.8.\n", board.name()));
    assert_eq!(code, IN_ORDER);
}

#[test]
fn a_silent_port_is_not() {
    let pty = Pty::open();
    let (code, said) = doctor(&[&pty.name()]);
    assert!(said.contains("!!  Nobody answers on it: the board is off, or something else is plugged in.\n      try: switch the board on"), "{said}");
    assert_eq!(code, NOT_IN_ORDER);
}

#[test]
fn a_port_full_of_garbage_is_told_from_a_silent_one() {
    let pty = Pty::open();
    let enough = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !enough.load(Ordering::Relaxed) {
                pty.say(b"$GPGGA,123519,4807.038,N\r\n\xff\x8e");
                std::thread::sleep(Duration::from_millis(20));
            }
        });
        let (code, said) = doctor(&[&pty.name()]);
        enough.store(true, Ordering::Relaxed);
        assert!(said.contains("!!  Something talks on it that is no board: "), "{said}");
        assert_eq!(code, NOT_IN_ORDER);
    });
}

#[test]
fn an_absent_port_is_not_in_order() {
    let (code, said) = doctor(&["/dev/ttyUSB77"]);
    assert!(said.contains("/dev/ttyUSB77\n  !!  There is no such port.\n      try: plug the board in"), "{said}");
    assert_eq!(code, NOT_IN_ORDER);
}

#[tokio::test]
async fn a_locked_port_names_the_process_that_has_it() {
    let board = Board::plug_in("12345");
    let held = Port::open(&board.name).expect("nobody has it");
    let (code, said) = doctor(&[&board.name()]);
    drop(held);
    // A program that another test is just starting has all our files for a moment, and is named with us.
    assert!(said.contains(&format!("(process {})", std::process::id())) && said.contains("has it."), "{said}");
    assert!(said.contains(&format!("try: close that program, or kill {}", std::process::id())), "{said}");
    assert_eq!(code, NOT_IN_ORDER);
}

#[test]
fn a_port_in_exclusive_mode_names_the_process_that_has_it() {
    let board = Board::plug_in("12345");
    let held =
        open(&board.name, OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC, Mode::empty()).expect("nobody has it");
    ioctl_tiocexcl(&held).expect("a terminal");
    let (code, said) = doctor(&[&board.name()]);
    // Root is let in in spite of it, finds the board, and is told about the other.
    assert!(said.contains(&format!("(process {})", std::process::id())), "{said}");
    assert_eq!(code, NOT_IN_ORDER);
}

/// A virtual board has its own end of the terminal open, so what is set there outlives whoever set it.
#[test]
fn a_virtual_board_is_free_again_when_the_program_that_had_it_was_killed() {
    let board = Board::plug_in("12345");
    let device = std::fs::read_link(&board.name).expect("a link");
    if geteuid().is_root() {
        chown(&device, Some(NOBODY), None).expect("root may");
    }
    let folder = tempfile::tempdir().expect("a folder");
    let record = folder.path().join("record");
    let mut killed = escaque()
        .arg("capture")
        .arg("--output")
        .args([&record, &device])
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    wait_for("the board to be heard", || std::fs::metadata(&record).ok().filter(|file| file.len() > 0));
    killed.kill().expect("it is ours");
    killed.wait().expect("it is ours");
    let (code, said) = doctor_as_nobody(&device);
    assert_eq!(code, IN_ORDER, "{said}");
}

#[test]
fn a_closed_node_says_how_to_open_it() {
    let pty = Pty::open();
    set_permissions(&pty.device, Permissions::from_mode(0o000)).expect("it is ours");
    let (code, said) = doctor_as_nobody(&pty.device);
    let device = pty.device.display();
    assert!(said.contains("!!  Its node is closed to everybody but its owner (group "), "{said}");
    assert!(said.contains(&format!("try: sudo chgrp dialout {device} && sudo chmod 660 {device}\n")), "{said}");
    assert_eq!(code, NOT_IN_ORDER);
}

#[test]
fn who_is_not_in_the_group_is_told_the_command() {
    const DIALOUT: u32 = 20;
    if !geteuid().is_root() {
        return eprintln!("only root can give a node to another group");
    }
    let pty = Pty::open();
    chown(&pty.device, None, Some(DIALOUT)).expect("root may");
    set_permissions(&pty.device, Permissions::from_mode(0o660)).expect("root may");
    let (code, said) = doctor_as_nobody(&pty.device);
    assert!(said.contains("try: sudo usermod -aG dialout nobody, then log out and in again\n"), "{said}");
    assert_eq!(code, NOT_IN_ORDER);
}

#[test]
fn several_ports_are_examined_at_once_and_told_in_order() {
    let ports = [Pty::open(), Pty::open(), Pty::open()];
    let names = ports.iter().map(Pty::name).collect::<Vec<_>>();
    let begun = std::time::Instant::now();
    let (_, said) = doctor(&names.iter().map(String::as_str).collect::<Vec<_>>());
    assert!(begun.elapsed() < Duration::from_secs(8), "one after the other would take ten seconds");
    for name in names {
        assert!(said.contains(&name), "{said}");
    }
}

#[test]
fn scripts_get_the_same_as_json() {
    let board = Board::plug_in("12345");
    let output = escaque().args(["doctor", "--json", &board.name()]).output().expect("it runs");
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(report["in_order"], true);
    assert_eq!(report["findings"][0]["port"], board.name());
    assert_eq!(report["facts"]["ports"][0]["state"]["board"]["serial"], "12345");
}

#[test]
fn a_bad_pattern_is_a_sentence() {
    let (code, said) = told(&escaque().args(["doctor", "/dev/*/board"]).output().expect("it runs"));
    assert!(said.contains("has a wildcard in the name of a folder"), "{said}");
    assert_eq!(code, 1);
}

fn doctor(ports: &[&str]) -> (i32, String) {
    told(&escaque().arg("doctor").args(ports).output().expect("it runs"))
}

/// As a user without rights; root sees through every permission.
fn doctor_as_nobody(port: &Path) -> (i32, String) {
    let mut command = if geteuid().is_root() {
        let mut command = Command::new("setpriv");
        command.args([format!("--reuid={NOBODY}"), format!("--regid={NOBODY}"), "--clear-groups".to_owned()]);
        command.arg(env!("CARGO_BIN_EXE_escaque"));
        command
    } else {
        escaque()
    };
    told(&command.arg("doctor").arg(port).output().expect("it runs"))
}

fn told(output: &Output) -> (i32, String) {
    let text = [output.stdout.as_slice(), &output.stderr].concat();
    (output.status.code().expect("it ends by itself"), String::from_utf8(text).expect("text"))
}
