//! The daemon as systemd runs it: what it is told, and whether the unit we ship is sound.

use std::{
    fs,
    io::ErrorKind,
    os::unix::{fs::PermissionsExt as _, net::UnixDatagram},
    path::Path,
    process::Command,
    time::Duration,
};

use tempfile::TempDir;

use crate::support::{Daemon, PATIENCE, until};

/// Ten times the exposure that `systemd-analyze security` may find: 1.5 of 10, where a bare unit has 9.6.
const EXPOSURE: &str = "--threshold=15";

#[test]
fn systemd_is_told_when_screens_can_connect_and_that_the_loop_goes_round() {
    let folder = TempDir::new().expect("a folder for the test");
    let ear = folder.path().join("notify");
    let socket = UnixDatagram::bind(&ear).expect("the folder is writable");
    socket.set_read_timeout(Some(PATIENCE)).expect("a socket can wait");
    let daemon = Daemon::start_as(&folder.path().join("state"), |command| {
        command.args(["--port", "/dev/none-of-ours*"]).env("NOTIFY_SOCKET", &ear).env("WATCHDOG_USEC", "200000");
    });
    assert!(hear(&socket).starts_with("READY=1\n"));
    for _ in 0..3 {
        assert_eq!(hear(&socket), "WATCHDOG=1\nSTATUS=no board yet, no game is on; everything is recorded");
    }
    assert!(daemon.stop().success());
    let mut last = hear(&socket);
    while last.starts_with("WATCHDOG") {
        last = hear(&socket);
    }
    assert_eq!(last, "STOPPING=1");
}

#[test]
fn where_nobody_asks_for_signs_of_life_none_are_given() {
    let folder = TempDir::new().expect("a folder for the test");
    let ear = folder.path().join("notify");
    let socket = UnixDatagram::bind(&ear).expect("the folder is writable");
    let daemon = Daemon::start_as(&folder.path().join("state"), |command| {
        command.args(["--port", "/dev/none-of-ours*"]).env("NOTIFY_SOCKET", &ear);
    });
    assert!(hear(&socket).starts_with("READY=1\n"));
    socket.set_read_timeout(Some(Duration::from_millis(300))).expect("a socket can wait");
    assert_eq!(socket.recv(&mut [0; 64]).expect_err("nothing is said").kind(), ErrorKind::WouldBlock);
    assert!(daemon.stop().success());
}

/// What is not said is believed to be in force.
#[test]
fn a_reload_says_what_it_leaves_to_a_start() {
    let folder = TempDir::new().expect("a folder for the test");
    let config = folder.path().join("escaque.toml");
    fs::write(&config, "").expect("the folder is writable");
    let daemon = Daemon::start_as(&folder.path().join("state"), |command| {
        command.args(["--port", "/dev/none-of-ours*", "--config"]).arg(&config);
    });
    let reloaded = |settings: &str| {
        let before = daemon.log().matches("configuration read again").count();
        fs::write(&config, settings).expect("the folder is writable");
        daemon.reload();
        until("the reload", || (daemon.log().matches("configuration read again").count() > before).then_some(()));
    };
    let left = || daemon.log().matches("are taken up at a start: restart for those").count();
    reloaded("log = \"debug\"\nports = [\"/dev/others*\"]\n");
    assert_eq!(left(), 0, "{}", daemon.log());
    let settings = [
        "[[air]]\nname = \"club\"\nkind = \"folder\"\nfolder = \"/srv/games\"\n",
        "voice-folder = \"/srv/voice\"\n",
        "pairings = \"open=/srv/round.csv\"\n",
        "names = [\"chess.example.org\"]\n",
    ];
    for (at, settings) in (1..).zip(settings) {
        reloaded(settings);
        until("a word about it", || (left() == at).then_some(()));
    }
}

#[test]
fn the_unit_is_understood_and_closed_tightly() {
    if Command::new("systemd-analyze").arg("--version").output().is_err() {
        eprintln!("skipped: systemd-analyze is not installed");
        return;
    }
    let folder = TempDir::new().expect("a folder for the test");
    let unit = folder.path().join("escaque.service");
    let shipped = fs::read_to_string("systemd/escaque.service").expect("the unit is in the tree");
    assert!(shipped.contains("/usr/bin/escaque"), "the package installs it there");
    // Neither the program nor its page is installed where the test runs.
    let there = shipped.replace("/usr/bin/escaque", env!("CARGO_BIN_EXE_escaque"));
    let there = there.lines().filter(|line| !line.starts_with("Documentation=man:")).collect::<Vec<_>>().join("\n");
    fs::write(&unit, there).expect("the folder is writable");
    analyze(&["verify", "--man=no"], &unit);
    analyze(&["security", "--offline=yes", EXPOSURE], &unit);
}

#[test]
fn the_user_of_the_unit_is_made_by_the_package() {
    let unit = fs::read_to_string("systemd/escaque.service").expect("the unit is in the tree");
    let users = fs::read_to_string("systemd/escaque.sysusers").expect("the users are in the tree");
    let user = unit.lines().find_map(|line| line.strip_prefix("User=")).expect("a user of its own");
    assert!(users.lines().any(|line| line.starts_with(&format!("u {user} "))), "{users}");
}

/// What lies there is live, whatever delay spectators have, and uploaders are in the group of the service.
#[test]
fn the_state_folder_is_closed_to_all_others() {
    let folder = TempDir::new().expect("a folder for the test");
    let state = folder.path().join("state");
    let daemon = Daemon::start_logging(&state, &folder.path().join("log"), |command| {
        command.args(["--port", "/dev/none-of-ours*"]);
    });
    let mode = fs::metadata(&state).expect("the daemon made it").permissions().mode() & 0o777;
    assert_eq!(format!("{mode:o}"), "700");
    assert!(daemon.stop().success());
    let unit = fs::read_to_string("systemd/escaque.service").expect("the unit is in the tree");
    assert!(unit.lines().any(|line| line == "StateDirectoryMode=0700"), "{unit}");
}

/// systemd knows the name of a driver once it is loaded, and it is the first board that has it loaded.
#[test]
fn ports_are_open_to_the_unit_before_there_is_a_board() {
    let unit = fs::read_to_string("systemd/escaque.service").expect("the unit is in the tree");
    let allowed = unit.lines().filter_map(|line| line.strip_prefix("DeviceAllow=char-")).collect::<Vec<_>>();
    assert!(allowed.contains(&"188 rw") && allowed.contains(&"166 rw"), "{allowed:?}");
    let by_number = |device: &&str| device.starts_with(|first: char| first.is_ascii_digit());
    assert!(allowed.iter().all(by_number), "{allowed:?}");
}

#[test]
fn what_is_installed_by_hand_can_be_taken_away() {
    let makefile = include_str!("../../Makefile");
    let (_, install) = makefile.split_once("\ninstall:").expect("it stands there");
    let (install, uninstall) = install.split_once("\nuninstall:").expect("it stands there");
    let places = install.split_whitespace().filter_map(|word| word.strip_prefix("$(DESTDIR)$(PREFIX)/"));
    let places = places.collect::<Vec<_>>();
    assert!(places.len() > 8, "{places:?}");
    let kept = places.into_iter().filter(|place| !uninstall.contains(place));
    assert_eq!(kept.collect::<Vec<_>>(), [""; 0]);
}

fn hear(socket: &UnixDatagram) -> String {
    let mut buffer = [0; 256];
    let count = socket.recv(&mut buffer).expect("something is said");
    String::from_utf8_lossy(&buffer[..count]).into_owned()
}

fn analyze(what: &[&str], unit: &Path) {
    let output = Command::new("systemd-analyze").args(what).arg(unit).output().expect("it is installed");
    let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "systemd-analyze {what:?}: {said}");
    assert!(what[0] != "verify" || !said.contains("escaque.service"), "{said}");
}
