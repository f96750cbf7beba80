//! `escaque dead`, line by line: scripts read what it prints.

use std::{
    io::Write,
    process::{Command, Output, Stdio},
};

use serde_json::{Value, json};

#[test]
fn a_line_a_position_with_both_colours() {
    let said = dead(
        &[],
        "R6k/6pp/8/8/8/8/8/6K1 b - - 0 1\n6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1\n8/8/4k3/8/8/4K3/8/8 w - - 0 1\n",
    );
    assert!(said.status.success());
    let lines = lines(&said);
    assert_eq!(lines[0]["fen"], "R6k/6pp/8/8/8/8/8/6K1 b - - 0 1");
    assert_eq!(lines[0]["white"], json!({"can_mate": true, "line": []}), "it is mate already");
    assert_eq!(lines[0]["black"]["can_mate"], false);
    assert_eq!(lines[0]["black"]["proof"]["kind"], "enumerated");
    assert_eq!(lines[1]["white"], json!({"can_mate": true, "line": ["a1a8"]}));
    let bare = json!({"can_mate": false, "proof": {"kind": "material", "says": "only the king is left"}});
    assert_eq!(lines[2]["white"], bare);
    assert!(lines.iter().all(|line| line["us"].is_u64()));
}

#[test]
fn what_is_not_decided_is_null() {
    let said = dead(&["--budget", "10"], "1Bb5/1p6/pPp3k1/2Pp3p/P2PpBpP/4P1P1/5K2/8 w - - 0 1\n");
    assert_eq!(lines(&said)[0]["white"]["can_mate"], Value::Null);
    assert!(lines(&said)[0]["white"]["spent"].is_u64());
}

#[test]
fn a_bad_line_is_named_and_the_others_are_read() {
    let said = dead(&[], "no position\n8/8/4k3/8/8/4K3/8/8 w - - 0 1\n8/8/8/8/8/8/8/K7 w - - 0 1\n");
    assert_eq!(said.status.code(), Some(3));
    assert_eq!(lines(&said).len(), 1);
    let complaint = String::from_utf8(said.stderr).expect("text");
    assert!(complaint.contains("line 1:") && complaint.contains("line 3:"), "{complaint}");
}

#[test]
fn an_editors_mark_and_a_line_that_is_no_text_spoil_nothing() {
    let said = dead(&[], b"\xef\xbb\xbf8/8/4k3/8/8/4K3/8/8 w - - 0 1\r\n\xff\xfe\n8/8/4k3/8/8/4K3/8/8 b - - 0 1");
    assert_eq!((lines(&said).len(), said.status.code()), (2, Some(3)));
}

fn dead(args: &[&str], input: impl AsRef<[u8]>) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_escaque"))
        .arg("dead")
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    child.stdin.take().expect("a pipe").write_all(input.as_ref()).expect("it reads");
    child.wait_with_output().expect("it ends")
}

fn lines(said: &Output) -> Vec<Value> {
    let text = std::str::from_utf8(&said.stdout).expect("text");
    text.lines().map(|line| serde_json::from_str(line).expect("an object")).collect()
}
