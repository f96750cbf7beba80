//! What goes wrong is said in a sentence, with the next thing to try.

use std::{
    fs,
    net::TcpListener,
    os::unix::fs::{MetadataExt, PermissionsExt, chown},
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::json;
use tempfile::TempDir;

use crate::support::{self, Daemon, escaque, said, until};

#[test]
fn a_taken_port_names_who_holds_it_and_another_one() {
    let holder = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = holder.local_addr().expect("it is bound").to_string();
    let folder = TempDir::new().expect("a folder for the test");
    let sentence = refusal(escaque().args(["serve", "--listen", &address, "--state"]).arg(folder.path()));
    let own = format!("{address} is taken by \"");
    assert!(sentence.contains(&own), "{sentence}");
    assert!(sentence.contains(&format!("(process {})", std::process::id())), "{sentence}");
    assert!(sentence.contains("or listen on 127.0.0.1:") && sentence.contains("which is free"), "{sentence}");
    assert!(!folder.path().join("journal").exists(), "nothing is left behind");
}

#[test]
fn a_file_in_which_no_board_speaks_is_said_to_be_none() {
    let folder = TempDir::new().expect("a folder for the test");
    let garbage = folder.path().join("holiday.jpg");
    fs::write(&garbage, b"\xff\xd8 nothing a board would say").expect("the folder is writable");
    let (code, sentence) = said(escaque().arg("replay").arg(&garbage));
    assert_eq!(code, Some(3), "{sentence}");
    assert!(sentence.starts_with(&format!("escaque: no board speaks in {}: ", garbage.display())), "{sentence}");
    assert!(sentence.contains("give what `escaque capture` wrote"), "{sentence}");
}

#[test]
fn a_named_port_that_is_missing_is_awaited() {
    let folder = TempDir::new().expect("a folder for the test");
    let port = folder.path().join("ttyNONE").display().to_string();
    let daemon = Daemon::start(folder.path(), &["--port", &port]);
    until("the log to say so", || daemon.log().contains("port is not there").then_some(()));
    assert!(daemon.log().contains(&port), "{}", daemon.log());
    assert!(daemon.log().contains("plug the board in"), "{}", daemon.log());
    assert!(daemon.stop().success());
}

#[test]
fn a_port_this_user_may_not_open_is_said_with_the_way_to_the_right() {
    let Some(nobody) = as_nobody() else { return };
    let folder = readable_folder();
    let state = folder.path().join("state");
    fs::create_dir(&state).expect("the folder is writable");
    fs::set_permissions(&state, fs::Permissions::from_mode(0o777)).expect("it is ours");
    // A terminal that belongs to somebody else.
    let board = support::Board::put_up(&folder.path().join("board"), 40_001, &[]);
    let device = fs::canonicalize(&board.link).expect("the board is up");
    fs::set_permissions(&device, fs::Permissions::from_mode(0o600)).expect("it is ours");
    let program = reachable_program(folder.path());
    let daemon =
        Daemon::start_as(&state, |command| nobody(command, &program, &["--port", &device.display().to_string()]));
    until("the log to say so", || daemon.log().contains("may not be opened by this user").then_some(()));
    assert!(daemon.log().contains("escaque doctor"), "{}", daemon.log());
}

/// A folder of the service is there, and closed to whoever is logged in.
#[test]
fn a_state_folder_that_may_not_be_looked_into_is_no_missing_one() {
    let Some(nobody) = as_nobody() else { return };
    let folder = readable_folder();
    let state = folder.path().join("state");
    let daemon = Daemon::start(&state, &[]);
    fs::set_permissions(&state, fs::Permissions::from_mode(0o750)).expect("it is ours");
    let program = reachable_program(folder.path());
    let asked: [&[&str]; 4] = [&["invite", "hall"], &["doors"], &["journal", "verify"], &["export", "open"]];
    for asked in asked {
        let mut command = escaque();
        command.args(asked).arg("--state").arg(&state);
        nobody(&mut command, &program, &[]);
        let sentence = refusal(&mut command);
        assert!(sentence.starts_with("escaque: this user may not read"), "{asked:?}: {sentence}");
        assert!(sentence.contains("with sudo"), "{asked:?}: {sentence}");
    }
    assert!(daemon.stop().success());
}

/// Whoever tried the program before it was a service has a folder of their own from then.
#[test]
fn a_folder_whose_daemon_has_gone_is_told_from_that_of_the_one_that_is_there() {
    let folder = TempDir::new().expect("a folder for the test");
    let [old, new] = ["old", "new"].map(|name| folder.path().join(name));
    assert!(Daemon::start(&old, &[]).stop().success());
    let daemon = Daemon::start(&new, &[]);
    fs::write(old.join("address"), &daemon.address).expect("it is ours");
    let sentence = refusal(escaque().args(["invite", "hall", "--state"]).arg(&old));
    let expected = format!("keeps its games in another folder than {}: name that with --state", old.display());
    assert!(sentence.contains(&daemon.address) && sentence.ends_with(&expected), "{sentence}");
}

/// Whoever mends the journal of the service is root, and the service is not.
#[test]
fn what_root_mends_belongs_to_whom_the_folder_belongs() {
    if !rustix::process::geteuid().is_root() {
        return;
    }
    const SOMEBODY: u32 = 65_534;
    let folder = TempDir::new().expect("a folder for the test");
    let state = folder.path().join("state");
    let daemon = Daemon::start(&state, &[]);
    for order in [
        json!({ "command": "open_round", "event": "open", "round": 1 }),
        json!({ "command": "assign", "table": "open/1/1", "board": "7" }),
        json!({ "command": "new_game", "table": "open/1/1" }),
        json!({ "command": "insert", "table": "open/1/1", "moves": ["e4", "e5"] }),
    ] {
        assert_eq!(daemon.order(&order).0, 200, "{order}");
    }
    until("the games on paper", || state.join("pgn/open/1-1.pgn").exists().then_some(()));
    assert!(daemon.stop().success());
    let everything = || walk(&state).into_iter().chain([state.clone()]).collect::<Vec<_>>();
    for path in everything() {
        chown(&path, Some(SOMEBODY), Some(SOMEBODY)).expect("root may");
    }
    let round = state.join("journal/open/1.sqlite");
    let length = fs::metadata(&round).expect("it is there").len();
    fs::OpenOptions::new().write(true).open(&round).and_then(|file| file.set_len(length - 4096)).expect("it is ours");
    for gone in ["lock", "journal/ballast", "journal/positions-1", "journal/positions-2"] {
        let _ = fs::remove_file(state.join(gone));
    }
    let pgn = state.join("pgn/open/1-1.pgn");
    let (code, said) = said(escaque().args(["journal", "mend", "--from"]).arg(&pgn).arg("--state").arg(&state));
    assert_eq!(code, Some(0), "{said}");
    let (code, said) = support::said(escaque().args(["journal", "verify", "--state"]).arg(&state));
    assert_eq!(code, Some(0), "{said}");
    for path in everything() {
        let owner = fs::symlink_metadata(&path).expect("it is there").uid();
        assert_eq!(owner, SOMEBODY, "{}", path.display());
    }
}

/// All files and folders below one.
#[test]
fn a_folder_may_be_named_from_where_one_stands() {
    let folder = TempDir::new().expect("a folder for the test");
    assert!(Daemon::start(&folder.path().join("state"), &[]).stop().success());
    let (code, said) = said(escaque().args(["journal", "copy", "--state", "state", "copy"]).current_dir(&folder));
    assert_eq!(code, Some(0), "{said}");
}

#[test]
fn a_daemon_whose_address_is_not_to_be_read_is_started_again() {
    let folder = TempDir::new().expect("a folder for the test");
    fs::write(folder.path().join("address"), "somewhere").expect("the folder is writable");
    let sentence = refusal(escaque().args(["doors", "--state"]).arg(folder.path()));
    assert!(sentence.contains("holds no address: end the daemon and start it again"), "{sentence}");
}

/// What root's daemon leaves in the folder of the service would keep the service from starting.
#[test]
fn root_serves_out_of_nobody_elses_folder() {
    if !rustix::process::geteuid().is_root() {
        return;
    }
    let folder = TempDir::new().expect("a folder for the test");
    let theirs = folder.path().join("theirs");
    fs::create_dir(&theirs).expect("the folder is writable");
    chown(&theirs, Some(65_534), Some(65_534)).expect("root may");
    for state in [theirs.clone(), theirs.join("new/state")] {
        let sentence = refusal(escaque().args(["serve", "--listen", "127.0.0.1:0", "--state"]).arg(&state));
        assert!(sentence.contains("belongs to another user (uid 65534)"), "{sentence}");
        assert!(sentence.contains("sudo systemctl start escaque"), "{sentence}");
    }
    assert!(walk(&theirs).is_empty(), "nothing is left behind");
}

fn walk(folder: &Path) -> Vec<PathBuf> {
    let inside = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    inside.flat_map(|path| if path.is_dir() { [walk(&path), vec![path]].concat() } else { vec![path] }).collect()
}

#[test]
fn completions_that_nobody_reads_to_their_end_are_no_panic() {
    let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("every Linux has it");
    let (_, sentence) = said(escaque().args(["completions", "bash"]).stdout(full));
    assert!(!sentence.contains("panicked"), "{sentence}");
}

#[test]
fn what_could_not_be_printed_is_not_taken_for_said() {
    let state = TempDir::new().expect("a folder for the test");
    let daemon = Daemon::start(state.path(), &["--port", "/nowhere"]);
    let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("every Linux has it");
    let (code, sentence) = said(escaque().args(["doors", "--state"]).arg(state.path()).stdout(full));
    assert_eq!(code, Some(1), "{sentence}");
    assert!(sentence.contains("can't be printed"), "{sentence}");
    daemon.stop();
}

#[test]
fn a_state_folder_that_may_not_be_written_is_said() {
    let Some(nobody) = as_nobody() else { return };
    let folder = readable_folder();
    let state = folder.path().join("state");
    fs::create_dir(&state).expect("the folder is writable");
    let program = reachable_program(folder.path());
    let mut command = escaque();
    command.args(["serve", "--listen", "127.0.0.1:0", "--state"]).arg(&state);
    nobody(&mut command, &program, &[]);
    let sentence = refusal(&mut command);
    assert!(sentence.contains("may not read and write"), "{sentence}");
    assert!(
        sentence.ends_with("give the folder to the user escaque runs as, or name another with --state"),
        "{sentence}"
    );
}

#[test]
fn a_state_folder_that_is_a_file_is_said() {
    let folder = TempDir::new().expect("a folder for the test");
    let state = folder.path().join("file");
    fs::write(&state, "").expect("the folder is writable");
    let sentence = refusal(escaque().args(["serve", "--listen", "127.0.0.1:0", "--state"]).arg(&state));
    assert!(sentence.contains("is not a folder; move it out of the way"), "{sentence}");
}

#[test]
fn a_second_daemon_is_told_of_the_first() {
    let folder = TempDir::new().expect("a folder for the test");
    let daemon = Daemon::start(folder.path(), &["--port", "/dev/none-of-ours*"]);
    let sentence = refusal(escaque().args(["serve", "--listen", "127.0.0.1:0", "--state"]).arg(folder.path()));
    assert!(sentence.starts_with("escaque: another escaque (process "), "{sentence}");
    assert!(sentence.contains(&daemon.pid().to_string()) && sentence.contains("stop it first"), "{sentence}");
    assert!(daemon.stop().success());
}

/// Silence would be taken for success, in a folder that was mistyped above all.
#[test]
fn mending_says_that_nothing_had_to_be_mended_or_that_nothing_is_there() {
    let folder = TempDir::new().expect("a folder for the test");
    let state = folder.path().join("state");
    assert!(Daemon::start(&state, &[]).stop().success());
    let mended = escaque().args(["journal", "mend", "--state"]).arg(&state).output().expect("the program starts");
    assert!(mended.status.success());
    assert_eq!(String::from_utf8_lossy(&mended.stdout), "everything is as it was written: nothing was changed\n");

    let (empty, absent) = (folder.path().join("empty"), folder.path().join("absent"));
    fs::create_dir(&empty).expect("the folder is writable");
    for nothing in [&empty, &absent] {
        let sentence = refusal(escaque().args(["journal", "mend", "--state"]).arg(nothing));
        assert!(sentence.contains(&format!("there is no journal at {};", nothing.display())), "{sentence}");
    }
    assert_eq!(fs::read_dir(&empty).expect("it is there").count(), 0, "nothing is left behind");
}

#[test]
fn games_out_of_a_damaged_journal_are_not_handed_on_as_if_they_were_whole() {
    let folder = TempDir::new().expect("a folder for the test");
    let state = folder.path().join("state");
    let daemon = Daemon::start(&state, &[]);
    for round in [1, 2] {
        let table = format!("open/{round}/1");
        for order in [
            json!({ "command": "open_round", "event": "open", "round": round }),
            json!({ "command": "assign", "table": table, "board": "7" }),
            json!({ "command": "new_game", "table": table }),
            json!({ "command": "insert", "table": table, "moves": ["e4", "e5"] }),
        ] {
            assert_eq!(daemon.order(&order).0, 200, "{order}");
        }
    }
    assert!(daemon.stop().success());
    let export = || {
        let output = escaque().args(["export", "open", "--state"]).arg(&state).output().expect("the program starts");
        let games = String::from_utf8_lossy(&output.stdout).matches("[Event ").count();
        (output.status.code(), games, String::from_utf8_lossy(&output.stderr).into_owned())
    };
    assert_eq!(export(), (Some(0), 2, String::new()));
    let round = state.join("journal/open/2.sqlite");
    let length = fs::metadata(&round).expect("it is there").len();
    fs::OpenOptions::new().write(true).open(&round).and_then(|file| file.set_len(length - 4096)).expect("it is ours");
    let (code, games, sentence) = export();
    let damaged = format!("escaque: {} is damaged (database disk image is malformed): ", round.display());
    assert!(sentence.starts_with(&damaged), "{sentence}");
    assert_eq!((code, games), (Some(3), 1), "{sentence}");
}

#[test]
fn a_damaged_journal_is_kept_and_said() {
    let folder = TempDir::new().expect("a folder for the test");
    assert!(Daemon::start(folder.path(), &["--port", "/dev/none-of-ours*"]).stop().success());
    fs::write(folder.path().join("journal/hall.sqlite"), "scribble").expect("the file is ours");
    let daemon = Daemon::start(folder.path(), &["--port", "/dev/none-of-ours*"]);
    let log = daemon.log();
    assert!(log.contains("hall.sqlite is damaged") && log.contains("can't be relied on"), "{log}");
    assert!(daemon.stop().success());
    let kept = fs::read_dir(folder.path().join("journal")).expect("it is a folder");
    let mut kept = kept.map(|entry| entry.expect("it can be listed").path());
    let is_it = |path: PathBuf| path.is_file() && fs::read(path).expect("it can be read") == b"scribble";
    assert!(kept.any(is_it), "the evidence is gone");
}

#[test]
fn an_unknown_key_names_the_nearest_right_one() {
    let folder = TempDir::new().expect("a folder for the test");
    let config = folder.path().join("escaque.toml");
    fs::write(&config, "prots = []\n").expect("the folder is writable");
    let sentence = refusal(escaque().args(["serve", "--config"]).arg(&config));
    assert!(sentence.contains("escaque.toml") && sentence.contains("did you mean \"ports\"?"), "{sentence}");
}

#[test]
fn a_missing_configuration_is_said() {
    let sentence = refusal(escaque().args(["serve", "--config", "/nowhere/escaque.toml"]));
    assert!(sentence.contains("/nowhere/escaque.toml can't be read"), "{sentence}");
    assert!(sentence.contains("give the path of a configuration file"), "{sentence}");
}

#[test]
fn a_broken_pgn_is_said_with_its_place() {
    let folder = TempDir::new().expect("a folder for the test");
    let pgn = folder.path().join("round.pgn");
    for (text, wanted) in [
        ("[Event \"x\"]\n\n1. e4 e5 2. Ke3 *\n", "2. Ke3 can't be played there"),
        ("nothing here", "there is no game with moves in this PGN"),
    ] {
        fs::write(&pgn, text).expect("the folder is writable");
        let sentence = refusal(escaque().args(["board", "--games"]).arg(&pgn));
        assert!(sentence.contains("round.pgn") && sentence.contains(wanted), "{sentence}");
    }
    let sentence = refusal(escaque().args(["board", "--games", "/nowhere/round.pgn"]));
    assert!(sentence.contains("/nowhere/round.pgn can't be read"), "{sentence}");
}

#[test]
fn a_pattern_that_could_never_match_is_said() {
    let sentence = refusal(escaque().args(["serve", "--port", "/dev/*/board"]));
    assert!(sentence.contains("wildcard in the name of a folder"), "{sentence}");
    let sentence = refusal(escaque().args(["serve", "--port", ""]));
    assert!(sentence.contains("a port needs a name: try /dev/ttyUSB0"), "{sentence}");
}

#[test]
fn a_demo_of_no_games_is_refused_and_not_compared() {
    let (code, sentence) = said(escaque().args(["demo", "--until-games", "0"]));
    assert_eq!(code, Some(2), "{sentence}");
    assert!(sentence.contains("--until-games"), "{sentence}");
}

#[test]
fn orders_that_make_no_sense_are_answered_in_sentences() {
    let folder = TempDir::new().expect("a folder for the test");
    let daemon = Daemon::start(folder.path(), &["--port", "/dev/none-of-ours*"]);
    let undo = json!({ "command": "undo", "plies": 1, "table": "open/1/1" });
    for (wrong, status, sentence) in [
        (daemon.order_with("0000", &undo), 401, "operator.token in the daemon's state folder"),
        (daemon.order(&json!({ "command": "undoo" })), 400, "Did you mean \"undo\"?"),
        (daemon.order(&undo), 409, "there is no event open: known are 20"),
        (daemon.order(&undo), 409, r#""because":{"kind":"no_event","event":"open""#),
        (daemon.order(&open_round("hall.sqlite")), 409, "choose another name for the event"),
        (
            daemon.order(&json!({ "command": "assign", "board": "1", "table": "hall.sqlite/1/1" })),
            409,
            "choose another",
        ),
        (daemon.order(&json!({ "command": "assign", "board": "", "table": "open/1/1" })), 409, "which board?"),
    ] {
        assert_eq!(wrong.0, status, "{}", wrong.1);
        assert!(wrong.1.contains(sentence), "{}", wrong.1);
    }
    assert_eq!(daemon.order(&open_round("hall")).0, 200, "the daemon is well after all this");
    assert!(daemon.stop().success());
}

#[test]
fn a_journal_that_can_not_be_written_is_said_and_the_daemon_goes_on() {
    let folder = TempDir::new().expect("a folder for the test");
    let daemon = Daemon::start(folder.path(), &["--port", "/dev/none-of-ours*"]);
    // The round's file has a folder in its place, as a careless copy leaves it.
    fs::create_dir_all(folder.path().join("journal/open/1.sqlite")).expect("the folder is writable");
    // The thresholds of the round belong in that file.
    let (status, answer) = daemon.order(&open_round("open"));
    assert_eq!(status, 202, "it is neither refused nor on disk: {answer}");
    assert!(answer.contains("can't be recorded at the moment") && !answer.contains("refused"), "{answer}");
    let (code, told) = pair_and_open(folder.path(), 2);
    assert_eq!(code, Some(3), "{told}");
    assert_eq!(told.matches("can't be recorded at the moment").count(), 2, "both that it is paired and opened: {told}");
    let log = daemon.log();
    assert!(log.contains("1.sqlite is not a file; move it out of the way"), "{log}");
    fs::remove_dir(folder.path().join("journal/open/1.sqlite")).expect("it is ours");
    until("everything to be recorded", || daemon.log().contains("everything is recorded again").then_some(()));
    let rounds = daemon.snapshot().rounds.into_iter().map(|round| round.round).collect::<Vec<_>>();
    assert_eq!(rounds, [2], "what was paired and opened meanwhile counts");
    assert!(daemon.stop().success());
    assert!(folder.path().join("journal/open/1.sqlite").is_file());
}

/// What `escaque pair --open` says of a round, and how it ends.
fn pair_and_open(state: &Path, round: u16) -> (Option<i32>, String) {
    let list = state.join("round.csv");
    fs::write(&list, "Board;White;Black\n1;Ann;Ben\n").expect("the folder is writable");
    let round = round.to_string();
    let output = escaque()
        .args(["pair", "--event", "open", "--round", &round, "--open", "--yes", "--state"])
        .args([state, &list])
        .output()
        .expect("the program starts");
    let told = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8_lossy(&told).into_owned())
}

fn open_round(event: &str) -> serde_json::Value {
    json!({ "command": "open_round", "event": event, "round": 1, "date": "2026.11.20" })
}

/// One line that does not look like a program talking to itself.
fn refusal(command: &mut Command) -> String {
    let (code, sentence) = said(command);
    assert_eq!(code, Some(1), "{sentence}");
    assert!(sentence.starts_with("escaque: ") && sentence.lines().count() == 1, "{sentence}");
    sentence
}

/// How to run something without any rights; only root can give them all up.
fn as_nobody() -> Option<impl Fn(&mut Command, &Path, &[&str])> {
    let able = rustix::process::geteuid().is_root() && Command::new("setpriv").arg("--version").output().is_ok();
    able.then_some(|command: &mut Command, program: &Path, more: &[&str]| {
        let given = command.get_args().map(ToOwned::to_owned).collect::<Vec<_>>();
        let mut instead = Command::new("setpriv");
        instead.args(["--reuid=65534", "--regid=65534", "--clear-groups"]).arg(program).args(given).args(more);
        instead.env_remove("RUST_LOG").env_remove("NOTIFY_SOCKET").stdin(std::process::Stdio::null());
        *command = instead;
    })
}

fn readable_folder() -> TempDir {
    let folder = TempDir::new().expect("a folder for the test");
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).expect("it is ours");
    folder
}

/// Others may not be able to reach the folder this was built in.
fn reachable_program(folder: &Path) -> PathBuf {
    let program = folder.join("escaque");
    fs::hard_link(support::program(), &program)
        .or_else(|_| fs::copy(support::program(), &program).map(|_| ()))
        .expect("the program can be copied");
    program
}
