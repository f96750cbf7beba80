//! Pages followed to the letter in a running daemon: every command of the organiser's, every order of the feed's.

use std::{fs, path::Path, process::Command};

use escaque::journal::today;
use serde_json::Value;

use crate::support::{Daemon, program};

const PAGE: &str = include_str!("../../docs/event.md");
const SAMPLES: &str = include_str!("../../web/src/samples.json");
/// The day on which the page was written.
const DAY: &str = "2026.11.22";

#[test]
fn every_command_of_the_organisers_page_says_what_stands_there() {
    let home = tempfile::tempdir().expect("a folder for the test");
    let state = home.path().join("escaque");
    fs::create_dir(&state).expect("the folder is writable");
    let daemon = Daemon::start(&state, &[]);
    let in_addresses = |day: &str| day.replace('.', "-");
    let page = PAGE.replace(DAY, &today()).replace(&in_addresses(DAY), &in_addresses(&today()));
    let shown = page.split("```").skip(1).step_by(2).flat_map(commands).collect::<Vec<_>>();
    assert!(shown.len() > 12, "the page has been read");
    for (command, told) in shown {
        match command.strip_prefix("cat ") {
            Some(file) => fs::write(home.path().join(file), told).expect("the folder is writable"),
            None => assert_eq!(typed(&command, home.path()), told.trim_end(), "{command}"),
        }
    }
    assert!(daemon.stop().success());
}

#[test]
fn the_orders_of_the_feeds_page_are_done_from_top_to_bottom() {
    let home = tempfile::tempdir().expect("a folder for the test");
    let daemon = Daemon::start(home.path(), &[]);
    let samples = serde_json::from_str::<Value>(SAMPLES).expect("JSON");
    let orders = samples["orders"].as_array().expect("a list of orders");
    assert!(orders.len() > 40, "the page has been read");
    for order in orders {
        let (status, said) = daemon.order(&order["json"]);
        let needs = order.get("needs");
        assert_eq!(status == 200, needs.is_none(), "{}: {said} (it needs {needs:?})", order["name"]);
    }
    assert!(daemon.stop().success());
}

/// The commands of a block, each with what stands below it.
fn commands(block: &str) -> Vec<(String, String)> {
    let mut shown = Vec::<(String, String)>::new();
    for line in block.lines().skip(1) {
        match (line.strip_prefix("$ "), shown.last_mut()) {
            (Some(command), _) => shown.push((command.to_owned(), String::new())),
            (None, Some((_, told))) => *told += &format!("{line}\n"),
            (None, None) => {}
        }
    }
    shown
}

/// What a terminal shows when somebody types this.
fn typed(command: &str, home: &Path) -> String {
    let line = command.replacen("escaque", &program().display().to_string(), 1);
    let output = Command::new("sh").args(["-c", &line]).current_dir(home).env("XDG_STATE_HOME", home).output();
    let output = output.expect("the command runs");
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("UTF-8");
    (text(&output.stdout) + &text(&output.stderr)).trim_end().to_owned()
}
