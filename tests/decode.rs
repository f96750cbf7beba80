//! The whole `escaque decode`, as a shell sees it.

use std::{
    fs,
    io::{BufRead, BufReader, Read, Write},
    path::PathBuf,
    process::{Command, Output, Stdio},
};

use protocol::board::dgt::{BusAddress, BusBody, BusMessage, ClockMessage, ClockTimes, Codes, FaceTime};
use protocol::board::dgt::{Message, PieceCode, Status};
use protocol::board::{Contents, Lie, WireSquare};
use tempfile::TempDir;

#[test]
fn a_capture_is_shown_with_its_times() {
    let capture = r#"{"t": 5, "tx": "4b"}
{"t": 10, "rx": "8e000534"}

{"t": 20, "rx": "008e00052401"}
"#;
    let lines = r#"{"t":20,"type":"field_update","square":"e2","piece":null}
{"t":20,"type":"field_update","square":"e4","piece":"P"}
"#;
    assert_eq!(stdout(&decode(&[], capture)), lines);
    let sent = r#"{"t":5,"type":"tx","hex":"4b"}"#;
    assert_eq!(stdout(&decode(&["--tx"], capture)), format!("{sent}\n{lines}"));
}

#[test]
fn raw_bytes_are_shown_without_times() {
    let output = decode(&[], [0x05, 0x8e, 0x00, 0x05, 0x24, 0x01]);
    let lines = r#"{"type":"noise","skipped":1}
{"type":"field_update","square":"e4","piece":"P"}
"#;
    assert_eq!(stdout(&output), lines);
}

#[test]
fn a_bus_is_another_dialect() {
    let output = decode(&["--bus"], [0x87, 0x00, 0x06, 0x08, 0x01, 0x16]);
    assert_eq!(stdout(&output), "{\"type\":\"bus_ping\",\"address\":1025}\n");
}

#[test]
fn half_a_second_of_silence_ends_a_frame() {
    let types = |gap: u64| {
        let entry = |t: u64, hex: &str| format!("{{\"t\": {t}, \"rx\": \"{hex}\"}}\n");
        let capture = [entry(0, "8e0005"), entry(gap, "3400"), entry(gap, "8e00052401")].concat();
        let shown = stdout(&decode(&[], capture));
        shown.lines().map(|line| line.split('"').nth(5).expect("a type").to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(types(500), ["field_update", "field_update"]);
    assert_eq!(types(501), ["noise", "noise", "field_update"]);
}

#[test]
fn a_long_game_has_no_noise() {
    let messages = game();
    assert!(messages.len() > 300);
    let entry =
        |(at, message): (usize, &Message)| format!("{{\"t\": {}, \"rx\": \"{}\"}}\n", at * 40, hex(&message.encode()));
    let capture = messages.iter().enumerate().map(entry).collect::<String>();
    let shown = stdout(&decode(&[], &capture));
    assert_eq!(shown.lines().count(), messages.len());
    assert!(!shown.contains("noise") && !shown.contains("invalid") && !shown.contains("unknown"));

    let bytes = messages.iter().flat_map(Message::encode).collect::<Vec<_>>();
    let (count, length) = (messages.len(), bytes.len());
    let summary = format!("{count} messages, 0 bytes of noise, 0 invalid: re-encoded to the same {length} bytes\n");
    let checked = decode(&["--check"], &capture);
    assert_eq!((stdout(&checked), checked.status.code()), (summary.clone(), Some(0)));
    assert_eq!(stdout(&decode(&["--check"], bytes)), summary);
}

#[test]
fn a_bus_is_checked_like_a_board() {
    let ping = |address| {
        let address = BusAddress::new(address).expect("14 bits");
        Message::Bus(BusMessage { address, body: BusBody::Ping }).encode()
    };
    let bytes = (1..200).flat_map(ping).collect::<Vec<_>>();
    let summary = "199 messages, 0 bytes of noise, 0 invalid: re-encoded to the same 1194 bytes\n";
    assert_eq!(stdout(&decode(&["--bus", "--check"], bytes)), summary);
}

#[test]
fn check_finds_every_kind_of_damage() {
    for (damage, summary) in [
        ("058e00052401", "1 messages, 1 bytes of noise, 0 invalid: re-encoded to the same 5 bytes\n"),
        ("8e000524018e00", "1 messages, 2 bytes of noise, 0 invalid: re-encoded to the same 5 bytes\n"),
        ("8e000540018e00052401", "1 messages, 0 bytes of noise, 1 invalid: re-encoded to the same 5 bytes\n"),
        (
            "8e000524718e00052401",
            "2 messages, 0 bytes of noise, 0 invalid: 1 of the messages re-encoded to other bytes\n",
        ),
    ] {
        let output = decode(&["--check"], format!("{{\"t\": 0, \"rx\": \"{damage}\"}}\n"));
        assert_eq!((stdout(&output).as_str(), output.status.code()), (summary, Some(3)), "{damage}");
    }
}

#[test]
fn a_live_line_is_shown_before_the_next_one() {
    let mut child = escaque(&["decode", "-"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
    let mut input = child.stdin.take().expect("piped");
    let mut output = BufReader::new(child.stdout.take().expect("piped"));
    for square in ["34", "24"] {
        writeln!(input, "{{\"t\": 1, \"rx\": \"8e0005{square}00\"}}").expect("it listens");
        let mut line = String::new();
        output.read_line(&mut line).expect("it speaks");
        assert!(line.contains("field_update"), "{line}");
    }
    drop(input);
    assert!(child.wait().expect("it ends").success());
}

#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    let folder = TempDir::new().expect("a place to write");
    let path = written(&folder, &[0x8e, 0x00, 0x05, 0x24, 0x01].repeat(50_000));
    let mut command = escaque(&["decode"]);
    command.arg(path).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("it starts");
    child.stdout.take().expect("piped").read_exact(&mut [0; 1]).expect("it speaks");
    let output = child.wait_with_output().expect("it ends");
    assert_eq!((String::from_utf8_lossy(&output.stderr).as_ref(), output.status.code()), ("", Some(0)));
}

#[test]
fn a_damaged_line_is_named_and_the_others_are_shown() {
    for (line, why) in [
        (r#"{"t": 1, "rx": "8e0"}"#, "the last one here has one"),
        (r#"{"t": 1, "rx": "8e0g"}"#, r#""g" is no hexadecimal digit"#),
        (r#"{"t": 1, "rx": "éé"}"#, r#""é" is no hexadecimal digit"#),
        (r#"{"t": 1, "rx": "8e00"#, "EOF while parsing"),
        (r#"{"t": -1, "rx": "8e00"}"#, "invalid value"),
        (r#"{"rx": "8e00"}"#, "missing field `t`"),
        (r#"{"t": 1, "rx": "8e", "tx": "42"}"#, "more than one thing at once"),
        ("\0\0\0\0", "expected value"),
    ] {
        let capture =
            format!("{{\"t\": 0, \"rx\": \"8e00052401\"}}\n{line}\n{{\"t\": 2, \"rx\": \"8e 00 05 34 00\"}}\n");
        let output = decode(&[], &capture);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains(": line 2 is no line of a capture: ") && said.contains(why), "{said}");
        assert_eq!(said.lines().count(), 1);
        assert_eq!(output.status.code(), Some(3));
        let shown = stdout(&output);
        assert!(shown.contains("e4") && shown.contains("e2"), "what came before and after is shown: {shown}");

        let checked = decode(&["--check"], &capture);
        let summary = "2 messages, 0 bytes of noise, 0 invalid, 1 damaged lines: re-encoded to the same 10 bytes\n";
        assert_eq!((stdout(&checked).as_str(), checked.status.code()), (summary, Some(3)));
    }
}

#[test]
fn blank_lines_and_an_editors_mark_do_not_make_a_capture_noise() {
    for before in ["\n\n", "\u{feff}", "\r\n"] {
        let output = decode(&["--check"], format!("{before}{{\"t\": 0, \"rx\": \"8e00052401\"}}\r\n"));
        let summary = "1 messages, 0 bytes of noise, 0 invalid: re-encoded to the same 5 bytes\n";
        assert_eq!((stdout(&output).as_str(), output.status.code()), (summary, Some(0)), "{before:?}");
    }
}

#[test]
fn an_output_that_takes_no_more_gets_a_sentence() {
    let folder = TempDir::new().expect("a place to write");
    let path = written(&folder, &[0x8e, 0x00, 0x05, 0x24, 0x01]);
    let full = fs::File::options().write(true).open("/dev/full").expect("Linux has one");
    let output = escaque(&["decode"]).arg(path).stdout(full).output().expect("it runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.starts_with("escaque: what the board said can't be written: make room"), "{said}");
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn what_is_no_file_gets_a_sentence() {
    let folder = TempDir::new().expect("a place to look");
    let missing = folder.path().join("missing.jsonl");
    let output = escaque(&["decode"]).arg(&missing).output().expect("it runs");
    let sentence = format!("escaque: there is no file {}; look at its name with ls\n", missing.display());
    assert_eq!((String::from_utf8_lossy(&output.stderr).as_ref(), output.status.code()), (sentence.as_str(), Some(1)));

    let output = escaque(&["decode"]).arg(folder.path()).output().expect("it runs");
    let sentence = format!("escaque: {} is a directory; give a capture in it\n", folder.path().display());
    assert_eq!((String::from_utf8_lossy(&output.stderr).as_ref(), output.status.code()), (sentence.as_str(), Some(1)));
}

#[test]
fn help_has_examples() {
    let help = stdout(&escaque(&["decode", "--help"]).output().expect("it runs"));
    for wanted in ["Examples:", "escaque decode --check game.jsonl", "--bus", "--tx"] {
        assert!(help.contains(wanted), "{help}");
    }
}

/// What a board says while the knights go out and home: the set-up, then two squares and the clock for each move.
fn game() -> Vec<Message> {
    let contents = Contents::of(&shakmaty::Board::default(), Lie::Straight);
    let mut messages = vec![Message::Version { major: 3, minor: 1 }, Message::BoardDump(Codes::of(&contents))];
    let (white, black) = (PieceCode::new(3), PieceCode::new(9));
    let shuffle = [("g1", "f3", white), ("g8", "f6", black), ("f3", "g1", white), ("f6", "g8", black)];
    for (second, (from, to, knight)) in (0..120).zip(shuffle.into_iter().cycle()) {
        messages.push(Message::FieldUpdate { square: square(from), code: PieceCode::EMPTY });
        messages.push(Message::FieldUpdate { square: square(to), code: knight });
        let turn = match knight == white {
            true => Status::RIGHT_TO_MOVE | Status::RIGHT_HIGH,
            false => Status::LEFT_TO_MOVE,
        };
        let face = FaceTime::of(300 - second, FaceTime::PER_MOVE);
        let times = ClockTimes { left: face, right: face, status: Status(Status::RUNNING | turn) };
        messages.push(Message::Clock(ClockMessage::Times(times)));
    }
    messages
}

fn square(name: &str) -> WireSquare {
    name.parse().expect("a square")
}

/// Runs it on a file with this content.
fn decode(options: &[&str], content: impl AsRef<[u8]>) -> Output {
    let folder = TempDir::new().expect("a place to write");
    let path = written(&folder, content.as_ref());
    escaque(&["decode"]).args(options).arg(path).output().expect("it runs")
}

fn written(folder: &TempDir, content: &[u8]) -> PathBuf {
    let path = folder.path().join("input");
    fs::write(&path, content).expect("a place to write");
    path
}

fn escaque(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_escaque"));
    command.args(arguments);
    command
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("text")
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
