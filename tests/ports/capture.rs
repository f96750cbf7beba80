//! `escaque capture`, the whole program.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use escaque::sensors::capture::{Entry, Item, read};
use protocol::board::Link;
use protocol::board::dgt::{Decoder, Heard, Message};
use rustix::process::{Pid, Signal, kill_process};

use crate::pty::{Board, Pty, relink, update, wait_for};

#[test]
fn a_capture_holds_both_directions_and_survives_a_pulled_cable() {
    let folder = tempfile::tempdir().expect("a folder");
    let (link, file) = (folder.path().join("board"), folder.path().join("game.jsonl"));
    let board = Board::plug_in("12345");
    relink(&link, &board.name);
    let capture = start(&link, &file, &[]);
    await_messages(&file, 6);
    board.play("e2", '.');
    await_bytes(&file, &update("e2", '.'));
    drop(board);
    await_item(&file, &Item::Link(Link::Down));
    let again = Board::plug_in("12345");
    relink(&link, &again.name);
    wait_for("the second connection", || {
        (entries(&file).iter().filter(|entry| entry.item == Item::Link(Link::Up)).count() == 2).then_some(())
    });
    wait_for("the second introduction", || {
        (entries(&file).iter().filter(|entry| entry.item == Item::Tx(vec![0x4b])).count() == 2).then_some(())
    });
    again.play("e2", '.');
    again.play("e4", 'P');
    await_bytes(&file, &update("e4", 'P'));
    let said = stop(capture);
    assert!(said.contains("board 12345, version 1.8"), "{said}");
    assert!(said.contains("went away"), "{said}");
    assert!(said.trim_end().ends_with(&format!("written to {}", file.display())), "{said}");
    let decode = escaque().args(["decode", "--check"]).arg(&file).output().expect("it runs");
    assert_eq!(decode.status.code(), Some(0), "{}", String::from_utf8_lossy(&[decode.stdout, decode.stderr].concat()));
    let replay = escaque().arg("replay").arg(&file).output().expect("it runs");
    let pgn = String::from_utf8_lossy(&replay.stdout).into_owned();
    assert!(pgn.ends_with("\n1. e4 *\n"), "what was recorded is a game again: {pgn}");
    let entries = entries(&file);
    assert!(entries.is_sorted_by_key(|entry| entry.t), "time goes forward");
    assert_eq!(entries[0].item, Item::Link(Link::Up));
    assert_eq!(entries[1].item, Item::Tx(vec![0x40]));
}

#[test]
fn listening_only_records_and_sends_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("quiet.jsonl");
    let pty = Pty::open();
    let capture = start(&pty.name, &file, &["--listen-only"]);
    await_item(&file, &Item::Link(Link::Up));
    pty.say(&update("e2", '.'));
    await_bytes(&file, &update("e2", '.'));
    let said = stop(capture);
    assert!(said.contains("5 bytes in, 0 out, 1 messages"), "{said}");
}

#[test]
fn an_existing_file_is_not_written_over() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("game.jsonl");
    std::fs::write(&file, "precious").expect("a file");
    let output = escaque().args(["capture", "/dev/ttyUSB77", "-o"]).arg(&file).output().expect("it runs");
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8(output.stderr).expect("text");
    assert_eq!(
        said,
        format!("escaque: {} exists and is not written over: choose another name, or add --force\n", file.display())
    );
    assert_eq!(std::fs::read_to_string(&file).expect("it is there"), "precious");
}

#[test]
fn a_port_that_is_refused_leaves_no_file_behind() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("game.jsonl");
    let output = escaque().args(["capture", "/dev/null", "-o"]).arg(&file).output().expect("it runs");
    assert_eq!(output.status.code(), Some(1));
    assert!(!file.exists(), "the next try would be refused for it");
    let busy = Pty::open();
    let first = start(&busy.name, &file, &["--listen-only"]);
    await_item(&file, &Item::Link(Link::Up));
    let second = folder.path().join("second.jsonl");
    let output = escaque().arg("capture").arg(&busy.name).arg("-o").arg(&second).output().expect("it runs");
    let said = String::from_utf8(output.stderr).expect("text");
    assert!(said.contains("is in use by") && said.contains("then start the recording again"), "{said}");
    assert!(!second.exists());
    stop(first);
}

#[test]
fn a_reader_that_has_seen_enough_ends_the_capture() {
    let board = Board::plug_in("12345");
    let mut command = escaque();
    command.arg("capture").arg(&board.name).args(["-o", "-"]).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut capture = command.spawn().expect("it starts");
    let mut line = String::new();
    BufReader::new(capture.stdout.take().expect("piped")).read_line(&mut line).expect("it speaks");
    let output = capture.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn what_can_not_be_captured_is_said_at_once() {
    for (port, sentence) in [
        ("/dev/null", "escaque: /dev/null is not a serial port: name the device of the board"),
        ("/dev/ttyUSB*", "escaque: a capture is the record of one port: name it"),
        ("", "escaque: a port needs a name"),
    ] {
        let output = escaque().args(["capture", port, "-o", "-"]).output().expect("it runs");
        assert_eq!(output.status.code(), Some(1), "{port}");
        let said = String::from_utf8(output.stderr).expect("text");
        assert!(said.starts_with(sentence), "{said}");
    }
}

pub(crate) fn escaque() -> Command {
    Command::new(env!("CARGO_BIN_EXE_escaque"))
}

fn start(port: &Path, file: &Path, more: &[&str]) -> Child {
    escaque().arg("capture").arg(port).arg("-o").arg(file).args(more).stderr(Stdio::piped()).spawn().expect("it starts")
}

/// Ctrl-C; gives what was said.
fn stop(capture: Child) -> String {
    let pid = Pid::from_child(&capture);
    kill_process(pid, Signal::INT).expect("it runs");
    let output = capture.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(0), "Ctrl-C is a good end");
    String::from_utf8(output.stderr).expect("text")
}

fn entries(file: &Path) -> Vec<Entry> {
    let Ok(file) = std::fs::File::open(file) else { return Vec::new() };
    read(BufReader::new(file)).filter_map(Result::ok).collect()
}

fn await_item(file: &Path, item: &Item) {
    wait_for("a line in the capture", || entries(file).iter().any(|entry| entry.item == *item).then_some(()));
}

/// A read may bring more than one message, so it is the bytes that count and not the lines.
fn await_bytes(file: &Path, bytes: &[u8]) {
    wait_for("bytes in the capture", || {
        received(file).windows(bytes.len()).any(|window| window == bytes).then_some(())
    });
}

fn received(file: &Path) -> Vec<u8> {
    let chunk = |entry: Entry| match entry.item {
        Item::Rx(bytes) => bytes,
        Item::Tx(_) | Item::Link(_) => Vec::new(),
    };
    entries(file).into_iter().flat_map(chunk).collect()
}

fn await_messages(file: &Path, count: usize) {
    wait_for("the introduction", || {
        let mut decoder = Decoder::single();
        decoder.push(&received(file));
        let messages = std::iter::from_fn(|| decoder.next_heard())
            .filter(|heard| matches!(heard, Heard::Message(message) if !matches!(message, Message::Unknown { .. })));
        (messages.count() >= count).then_some(())
    });
}
