//! Who may come to the daemon from where, as a hall sets it up.

use std::{
    io::{Read, Write},
    net::{SocketAddr, TcpStream},
    path::Path,
    time::Duration,
};

use escaque::screens::addresses;
use serde_json::json;
use tempfile::TempDir;

use crate::support::{Daemon, PATIENCE, escaque, until};

const NO_BOARDS: [&str; 2] = ["--port", "/dev/none-of-ours*"];

#[test]
fn a_daemon_nobody_said_anything_to_answers_this_machine_only() {
    let folder = TempDir::new().expect("a folder for the test");
    let daemon = Daemon::start(folder.path(), &NO_BOARDS);
    let port = daemon.address.rsplit_once(':').and_then(|(_, port)| port.parse().ok()).expect("a port");
    let all = addresses::reachable(SocketAddr::from(([0, 0, 0, 0], port)));
    for address in all.iter().filter(|address| !address.ip().is_loopback()) {
        let outcome = TcpStream::connect_timeout(address, Duration::from_secs(5));
        assert!(outcome.is_err(), "{address} is open");
    }
    assert_eq!(listeners(folder.path()).lines().count(), 1);
    assert!(daemon.stop().success());
}

#[test]
fn a_screen_comes_in_by_a_code_stays_over_a_kill_and_goes_when_its_pass_is_taken_back() {
    let folder = TempDir::new().expect("a folder for the test");
    let more = [&NO_BOARDS[..], &["--lan-plain", "127.0.0.1:0"]].concat();
    let daemon = Daemon::start(folder.path(), &more);
    let said = ran(folder.path(), &["invite", "hall", "--name", "Screen at the door"]);
    assert!(said.starts_with("Pass 1, hall: Screen at the door") && !said.contains('█'), "{said}");
    let code = said.lines().find_map(|line| line.split_once("type the code ")).expect("a code").1.to_owned();
    let at = plain(folder.path());
    let answer = ask(&at, "POST /enter", "", &json!({ "code": code }).to_string());
    let cookie = answer.lines().find_map(|line| line.strip_prefix("set-cookie: ")).expect(&answer);
    let cookie = format!("Cookie: {}\r\n", cookie.split(';').next().expect("a pair"));
    assert!(ask(&at, "GET /snapshot", &cookie, "").starts_with("HTTP/1.1 200"));
    daemon.kill();

    // A cookie is for a port: it comes back on the same one.
    let port = at.rsplit_once(':').expect("a port").1;
    let place = format!("127.0.0.1:{port}");
    let daemon = Daemon::start(folder.path(), &[&NO_BOARDS[..], &["--lan-plain", &place]].concat());
    assert!(ask(&at, "GET /snapshot", &cookie, "").starts_with("HTTP/1.1 200"), "the pass stands after a kill");
    let again = ask(&at, "POST /enter", "", &json!({ "code": code }).to_string());
    assert!(again.starts_with("HTTP/1.1 401"), "a code opens once, kill or no kill: {again}");
    let listed = ran(folder.path(), &["doors"]);
    let screen = listed.lines().find(|line| line.contains("Screen at the door")).expect("it has a pass");
    let since = screen.split_once("came in").map(|(_, rest)| rest.split_whitespace().take(2).collect::<Vec<_>>());
    let is_a_time = since.is_some_and(|since| since[0].starts_with("20") && since[1].contains(':'));
    assert!(is_a_time, "{screen}");
    ran(folder.path(), &["doors", "--revoke", "1"]);
    assert!(ask(&at, "GET /snapshot", &cookie, "").starts_with("HTTP/1.1 401"));
    assert!(daemon.stop().success());
}

#[test]
fn the_journal_says_who_gave_an_order_and_never_a_code_or_a_token() {
    let folder = TempDir::new().expect("a folder for the test");
    let daemon = Daemon::start(folder.path(), &NO_BOARDS);
    let round = json!({ "command": "open_round", "event": "open", "round": 1, "date": "2026.11.20" });
    assert_eq!(daemon.order(&round).0, 200);
    let said = ran(folder.path(), &["invite", "arbiter", "--name", "Anna"]);
    let code = said.lines().find_map(|line| line.split_once("type the code ")).expect("a code").1;
    let token = daemon.token.clone();
    assert!(daemon.stop().success());
    let journal = ran(folder.path(), &["journal", "export"]);
    let bodies = journal.lines().collect::<Vec<_>>();
    let has = |words: &[&str]| bodies.iter().any(|body| words.iter().all(|word| body.contains(word)));
    assert!(has(&[r#""event":"open""#, r#""name":"operator.token","role":"operator""#]), "{bodies:?}");
    assert!(has(&[r#""input":"invited""#, r#""role":"arbiter""#, r#""name":"Anna""#]), "{bodies:?}");
    assert!(has(&[r#""name":"escaque","role":"house""#]), "the round of the day is the house's: {bodies:?}");
    assert!(!has(&[code]) && !has(&[&code.replace('-', "")]) && !has(&[&token]), "{bodies:?}");
}

#[test]
fn a_reload_ends_nobody_and_reads_the_certificate_again() {
    let folder = TempDir::new().expect("a folder for the test");
    let daemon = Daemon::start(folder.path(), &[&NO_BOARDS[..], &["--lan", "127.0.0.1:0"]].concat());
    let fingerprint = fingerprint(folder.path());
    // A new one of our own is made where there is none.
    std::fs::remove_file(folder.path().join("lan.pem")).expect("it was made");
    daemon.reload();
    until("the certificate", || daemon.log().contains("certificate read again").then_some(()));
    assert_ne!(self::fingerprint(folder.path()), fingerprint);
    assert_eq!(daemon.get("/healthz").0, 200);
    assert!(daemon.stop().success());
}

#[test]
fn near_its_last_descriptor_the_daemon_refuses_newcomers_and_keeps_its_screens() {
    let folder = TempDir::new().expect("a folder for the test");
    let daemon = Daemon::start_as(folder.path(), |command| {
        let program = command.get_program().to_owned();
        let given: Vec<_> = command.get_args().map(ToOwned::to_owned).collect();
        *command = std::process::Command::new("sh");
        command.args(["-c", "ulimit -n 256; exec \"$@\"", "sh"]).arg(program).args(given).args(NO_BOARDS);
    });
    let follow = || {
        let stream = TcpStream::connect(&daemon.address).expect("somebody listens");
        stream.set_read_timeout(Some(PATIENCE)).expect("a positive time");
        tungstenite::client(format!("ws://{}/feed/ws", daemon.address), stream).ok().map(|(socket, _)| socket)
    };
    let mut screens: Vec<_> = std::iter::from_fn(follow).take(300).collect();
    assert!((100..256 - 64).contains(&screens.len()), "{} screens", screens.len());
    // Everything else goes on: a round is opened, which takes a file of the journal and one of the record.
    let refused = ask(&daemon.address, "GET /healthz", "", "");
    assert!(refused.starts_with("HTTP/1.1 503") && refused.contains("LimitNOFILE"), "{refused}");
    screens.pop();
    until("a place", || ask(&daemon.address, "GET /healthz", "", "").starts_with("HTTP/1.1 200").then_some(()));
    let round = json!({ "command": "open_round", "event": "open", "round": 1, "date": "2026.11.20" });
    until("a place", || daemon.try_order(&daemon.token, &round).ok().filter(|answer| answer.0 == 200));
    assert!(screens.iter_mut().all(|screen| screen.read().is_ok()), "screens stay");
    drop(screens);
    assert!(daemon.stop().success());
}

fn listeners(state: &Path) -> String {
    let said = ran(state, &["doors"]);
    let rows = said.lines().skip(1).take_while(|line| *line != "Passes");
    rows.collect::<Vec<_>>().join("\n")
}

/// Where screens that know no encryption come in.
fn plain(state: &Path) -> String {
    let listed = listeners(state);
    let row = listed.lines().find(|row| row.contains("--lan-plain")).expect(&listed);
    row.split("http://").nth(1).expect("an address").trim().to_owned()
}

fn fingerprint(state: &Path) -> String {
    let said = ran(state, &["invite", "hall"]);
    said.lines().find(|line| line.matches(':').count() == 31).expect(&said).trim().to_owned()
}

fn ran(state: &Path, arguments: &[&str]) -> String {
    let output = escaque().args(arguments).arg("--state").arg(state).output().expect("the program starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn ask(address: &str, what: &str, headers: &str, body: &str) -> String {
    let length = body.len();
    let mut stream = TcpStream::connect(address).expect("somebody listens");
    stream.set_read_timeout(Some(PATIENCE)).expect("a positive time");
    let head =
        format!("{what} HTTP/1.1\r\nHost: {address}\r\n{headers}Content-Length: {length}\r\nConnection: close\r\n\r\n");
    // Whoever is refused at the door may be hung up on before all is said.
    let _ = stream.write_all((head + body).as_bytes());
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}
