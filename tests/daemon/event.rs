//! An event from its files to its report: nine rounds in a running daemon, and the same again from its journal a day later.

use std::{fs, io::Write as _};

use pairings::{
    Page,
    text::{Encoding, encode},
};
use protocol::{
    board::Link,
    feed::{State, TableView},
};
use tempfile::TempDir;

use crate::support::{Board, Daemon, escaque, until};

/// Players of the first event, an odd number for a bye in every round; the second has a few.
const PLAYERS: usize = 101;
const ROUNDS: usize = 9;

#[test]
fn the_report_of_nine_rounds_equals_the_truth_and_the_journal_gives_it_again() {
    let mut hall = Running::start();
    let mut truth = Event::of(PLAYERS, "Spring Open");
    let mut beside = Event::of(6, "Girls Cup");
    for round in 1..=ROUNDS {
        for event in [&mut truth, &mut beside] {
            event.pair(round);
            let file = hall.file(&format!("{}.trf", event.name()), event.trf(round).as_bytes());
            let said = hall.must(&["pair", &file, "--yes", "--open"]);
            assert!(said.contains(&format!("round {round} of {} is open", event.name())), "{said}");
        }
        for event in [&mut truth, &mut beside] {
            event.play(round, &hall);
        }
    }
    for event in [&truth, &beside] {
        let out = hall.must(&["export", event.name(), "--trf"]);
        let expected = event.trf(ROUNDS + 1);
        let differing = out.lines().zip(expected.lines()).find(|(out, expected)| out != expected);
        assert_eq!(differing, None);
        assert_eq!(out, expected);
    }
    let (games, report) = (hall.must(&["export", "spring-open"]), hall.must(&["export", "spring-open", "--trf"]));
    assert_eq!(games.matches("[Event \"Spring Open\"]").count(), ROUNDS * (PLAYERS / 2));
    hall.stop();
    let again = (hall.must(&["export", "spring-open"]), hall.must(&["export", "spring-open", "--trf"]));
    assert_eq!(again, (games, report));
}

#[test]
fn the_letters_of_a_list_are_told_by_its_names_or_by_whoever_brings_it() {
    let hall = Running::start();
    let names = ["Dvořák, Jiří", "Růžička, Petr", "Krejčí, Ondřej", "Němec, Jan"];
    let text = format!("Board;White;Black\n1;{};{}\n2;{};{}\n", names[0], names[1], names[2], names[3]);
    let bytes = encode(&text, Encoding::Windows(Page::Central));
    let list = hall.file("prague.csv", &bytes);
    let said = hall.must(&["pair", &list, "--event", "open", "--round", "1", "--yes"]);
    assert!(said.contains(&format!("table 2: {} – {}\n", names[2], names[3])), "{said}");
    assert!(said.contains("Read in the letters of windows-1250."), "{said}");
    let few = hall.file("few.csv", b"Board;White;Black\n1;\xa3ukasz;Smith\n");
    let said = hall.must(&["pair", &few, "--event", "cup", "--round", "1", "--yes", "--letters", "windows-1250"]);
    assert!(said.contains("table 1: Łukasz – Smith") && !said.contains("Read in the letters"), "{said}");
}

#[test]
fn what_a_report_file_has_otherwise_or_no_place_for_is_said() {
    let hall = Running::start();
    let trf = |rounds: [&str; 2]| {
        let line = |at: usize, name: &str| {
            format!("001{:>5}      {name:<33}{:>37}{:>5}  {}\n", at + 1, "0.0", at + 1, rounds[at])
        };
        format!("012 Open\n{}{}", line(0, "Okafor, Ada"), line(1, "Lindqvist, Jonas"))
    };
    let first = hall.file("first.trf", trf(["   2 w  ", "   1 b  "]).as_bytes());
    hall.must(&["pair", &first, "--event", "open", "--open", "--yes"]);
    hall.order(r#"{"command": "result", "table": "open/1/1", "result": "1-0"}"#);
    let second = hall.file("second.csv", b"Board;White;Black\n1;Lindqvist, Jonas;Okafor, Ada\n");
    hall.must(&["pair", &second, "--event", "open", "--round", "2", "--open", "--yes"]);
    hall.order(r#"{"command": "result", "table": "open/2/1", "result": "1/2-1/2"}"#);
    let sentence = hall.run(&["export", "open", "--trf"]).expect_err("the second round is not in it");
    assert!(sentence.starts_with("escaque: round 2 is left out: nobody is paired there"), "{sentence}");
    for (asked, next) in [
        (&["open/2", "--trf"][..], "a report file is of a whole event: write `escaque export open --trf`"),
        (&["open", "--paper", "sheets"], "write EVENT/ROUND or EVENT/ROUND/TABLE, as in open/3"),
        (&["open/99"], "the journal has no game at open/99; its rounds of open are 1, 2"),
        (&["opne/1"], "the journal has no game at opne/1; its events are "),
    ] {
        let sentence = hall.run(&[&["export"], asked].concat()).expect_err("there is no such thing");
        assert!(sentence.contains(next), "{sentence}");
    }
    let on_paper = || hall.must(&["export", "open/2", "--paper", "report"]);
    assert!(on_paper().contains("<li>round 2 is left out: nobody is paired there"), "{}", on_paper());

    let later = hall.file("later.trf", trf(["   2 w 0     2 b  ", "   1 b 1     1 w  "]).as_bytes());
    let said = hall.must(&["pair", &later, "--event", "open", "--yes"]);
    let otherwise = "round 1, Okafor, Ada – Lindqvist, Jonas 1-0, and the file says black wins: the report will have what \
                     is here";
    assert_eq!(said.matches(otherwise).count(), 1, "{said}");
    let report = hall.must(&["export", "open", "--trf"]);
    assert!(report.contains("   2 w 1     2 b =") && report.contains("   1 b 0     1 w ="), "{report}");
    assert!(!on_paper().contains("is left out"), "{}", on_paper());
}

#[test]
fn a_file_with_faults_is_named_line_by_line_and_changes_nothing() {
    let hall = Running::start();
    let file = hall.file("round.csv", b"Board;White;Black\n1;Ann;Ben\n1;Cid;Dee\n2;Eve\n");
    let sentence = hall.run(&["pair", &file, "--event", "open", "--round", "1", "--yes"]).expect_err("it has faults");
    assert!(sentence.contains("line 3:") && sentence.contains("line 4:") == sentence.contains("Eve"), "{sentence}");
    assert!(hall.run(&["export", "open"]).is_err(), "there is no such event");
}

#[test]
fn of_a_file_of_several_rounds_is_said_which_round_a_table_is_of() {
    let home = tempfile::tempdir().expect("a folder for the test");
    let daemon = Daemon::start(home.path(), &[]);
    let would = |list: &str| {
        let (_, answer) = daemon.hand_in("/pairings?event=open", list);
        serde_json::from_str::<serde_json::Value>(&answer).expect("JSON")["said"].clone()
    };
    let one = "Round;Board;White;Black\n1;1;Ann;Ben\n";
    assert_eq!(would(one), serde_json::json!(["table 1: Ann – Ben"]));
    let two = format!("{one}2;1;Ben;Ann\n");
    let both = ["round 1 of open:", "table 1: Ann – Ben", "round 2 of open:", "table 1: Ben – Ann"];
    assert_eq!(would(&two), serde_json::json!(both));
    assert_eq!(daemon.hand_in("/pairings?event=open&take=true", one).0, 200);
    assert_eq!(would(&two), serde_json::json!(both[2..]), "of what stays as it is nothing is said");
}

#[test]
fn a_watched_file_that_is_not_there_is_awaited_and_said() {
    let home = tempfile::tempdir().expect("a folder for the test");
    let (state, file) = (home.path().join("state"), home.path().join("round.csv"));
    let daemon = Daemon::start(&state, &["--pairings", &format!("open={}", file.display())]);
    let awaited = format!("{} can't be read (No such file or directory", file.display());
    until("the log to say so", || daemon.log().contains(&awaited).then_some(()));
    fs::write(&file, "Round;Board;White;Black\n3;1;Ann;Ben\n").expect("the folder is writable");
    until("the list to be taken in", || daemon.log().contains("table 1: Ann – Ben").then_some(()));
    fs::remove_file(&file).expect("it is ours");
    until("a word about it", || (daemon.log().matches(&awaited).count() == 2).then_some(()));
}

#[test]
fn a_watched_file_is_taken_in_again_unless_it_would_change_who_plays_a_game_that_is_on() {
    let home = tempfile::tempdir().expect("a folder for the test");
    let (state, file) = (home.path().join("state"), home.path().join("round.csv"));
    fs::create_dir(&state).expect("the folder is writable");
    let daemon = Daemon::start(&state, &["--pairings", &format!("open={}", file.display())]);
    let list = |white: &str| fs::write(&file, format!("Round;Board;White;Black\n3;1;{white};Ben\n3;2;Cid;Dee\n"));
    let order = |order: serde_json::Value| {
        let (status, answer) = daemon.order(&order);
        assert_eq!(status, 200, "{answer}");
    };
    list("Ann").expect("the folder is writable");
    until("the list to be taken in", || daemon.log().contains("table 1: Ann – Ben").then_some(()));
    order(serde_json::json!({ "command": "open_round", "event": "open", "round": 3 }));
    list("Annabel").expect("the folder is writable");
    let players = || daemon.snapshot().tables.into_iter().find_map(|table| Some(table.white?.name));
    until("what the pairing program changed", || (players()? == "Annabel").then_some(()));
    order(serde_json::json!({ "table": "open/3/1", "command": "assign", "board": "7" }));
    order(serde_json::json!({ "table": "open/3/1", "command": "new_game" }));
    order(serde_json::json!({ "table": "open/3/1", "command": "insert", "moves": ["e4", "e5"] }));
    list("Anna").expect("the folder is writable");
    until("a word about it", || daemon.log().contains("was not taken in: a game is on at table 1").then_some(()));
    let command = format!("`escaque pair {} --event open --state {}`", file.display(), state.display());
    assert!(daemon.log().contains(&command), "{}", daemon.log());
    assert_eq!(players().as_deref(), Some("Annabel"));
}

#[test]
fn what_people_have_mended_since_a_watched_file_came_outlives_a_file_saved_again_and_a_kill() {
    let home = tempfile::tempdir().expect("a folder for the test");
    let (state, file) = (home.path().join("state"), home.path().join("round.csv"));
    let start = || Daemon::start(&state, &["--pairings", &format!("open={}", file.display())]);
    fs::write(&file, "Round;Board;White;Black\n3;1;Ann;Ben\n").expect("the folder is writable");
    let daemon = start();
    until("the list to be taken in", || daemon.log().contains("table 1: Ann – Ben").then_some(()));
    let swapped = serde_json::json!({
        "table": "open/3/1", "command": "pair", "white": { "name": "Ben" }, "black": { "name": "Ann" }
    });
    assert_eq!(daemon.order(&serde_json::json!({ "command": "open_round", "event": "open", "round": 3 })).0, 200);
    assert_eq!(daemon.order(&swapped).0, 200);
    let known = |daemon: &Daemon, times: usize| {
        let is_known = |log: &str| log.matches("is as it was when it was taken in").count() == times;
        until("the file to be known", || is_known(&daemon.log()).then_some(()));
        let white = daemon.snapshot().tables.into_iter().find_map(|table| Some(table.white?.name));
        assert_eq!(white.as_deref(), Some("Ben"));
    };
    fs::write(&file, "Round;Board;White;Black\n3;1;Ann;Ben\n").expect("the folder is writable");
    known(&daemon, 1);
    daemon.kill();
    let daemon = start();
    known(&daemon, 2);
    let list = b"Round;Board;White;Black\n4;1;\xc1rp\xe1d;Nov\xe1k, Ji\xf8\xed\n4;2;Dvo\xf8\xe1k, Vojt\xecch;K\xf8\xed\x9e, Petr\n";
    fs::write(&file, list).expect("the folder is writable");
    until("the next list to be taken in", || daemon.log().contains("round 4 of open is prepared").then_some(()));
    let white = daemon.snapshot().tables.into_iter().find_map(|table| Some(table.white?.name));
    assert_eq!(white.as_deref(), Some("Ben"));
    assert!(daemon.log().contains("Read in the letters of windows-1250"), "{}", daemon.log());
    daemon.kill();
    fs::remove_dir_all(state.join("journal")).expect("it is ours");
    fs::remove_dir_all(state.join("pgn")).expect("it is ours");
    let daemon = start();
    // The log goes on where it was.
    let taken = |daemon: &Daemon| daemon.log().matches("round 4 of open is prepared").count() == 2;
    until("a hall without a past to take it in", || taken(&daemon).then_some(()));
}

#[test]
fn who_has_only_had_a_bye_is_paired_with_all_that_is_known_and_has_it_no_more() {
    let home = tempfile::tempdir().expect("a folder for the test");
    let daemon = Daemon::start(home.path(), &["--port", "/nowhere/board"]);
    let list = "Board;White;Black;Elo White\n1;Ann;Ben;2000\n2;Eve;bye;2222\n";
    assert_eq!(daemon.hand_in("/pairings?event=open&round=1&take=true", list).0, 200);
    let pair = |table: u16, white: &str, black: &str| {
        let (white, black) = (serde_json::json!({ "name": white }), serde_json::json!({ "name": black }));
        let order = serde_json::json!({
            "table": format!("open/1/{table}"), "command": "pair", "white": white, "black": black
        });
        daemon.order(&order).1
    };
    let said = pair(3, "Eve", "Ann");
    for sentence in
        ["Eve keeps rating 2222", "Ann keeps rating 2000", "Eve has no bye any more", "Ann is at tables 3 and 1"]
    {
        assert!(said.contains(sentence), "nobody was told of the round yet: {said}");
    }
}

#[test]
fn a_watched_file_that_hangs_holds_up_nobody() {
    let home = tempfile::tempdir().expect("a folder for the test");
    let (state, pipe) = (home.path().join("state"), home.path().join("round.csv"));
    // Whoever opens one waits for its other end, as for a share whose machine sleeps.
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().expect("coreutils are there").success());
    let daemon = Daemon::start(&state, &["--pairings", &format!("open={}", pipe.display())]);
    let mut end = fs::OpenOptions::new().write(true).open(&pipe).expect("the daemon reads it");
    let order = serde_json::json!({ "command": "event", "event": "open", "title": "Spring Open" });
    assert_eq!(daemon.order(&order).0, 200);
    writeln!(end, "Round;Board;White;Black\n3;1;Ann;Ben").expect("it is read");
    drop(end);
    until("the list to be taken in", || daemon.log().contains("table 1: Ann – Ben").then_some(()));
}

#[test]
fn rounds_of_two_events_are_both_on_the_wall_after_a_kill() {
    let home = tempfile::tempdir().expect("a folder for the test");
    let daemon = Daemon::start(home.path(), &[]);
    for event in ["open", "girls-cup"] {
        let list = "Board;White;Black\n1;Ann;Ben\n";
        assert_eq!(daemon.hand_in(&format!("/pairings?event={event}&round=1&take=true"), list).0, 200);
        for order in [
            serde_json::json!({ "command": "open_round", "event": event, "round": 1 }),
            serde_json::json!({ "command": "new_game", "table": format!("{event}/1/1") }),
        ] {
            assert_eq!(daemon.order(&order).0, 200, "{order}");
        }
    }
    let shown =
        |daemon: &Daemon| daemon.snapshot().tables.iter().map(|table| table.table.to_string()).collect::<Vec<_>>();
    let before = shown(&daemon);
    assert_eq!(before.len(), 2);
    daemon.kill();
    assert_eq!(shown(&Daemon::start(home.path(), &[])), before);
}

#[test]
fn what_waits_for_a_decision_stays_on_the_wall_when_the_next_round_is_opened() {
    let home = tempfile::tempdir().expect("a folder for the test");
    let daemon = Daemon::start(home.path(), &[]);
    let shown =
        |daemon: &Daemon| daemon.snapshot().tables.iter().map(|table| table.table.to_string()).collect::<Vec<_>>();
    let open = |daemon: &Daemon, round: u16| {
        let list = "Board;White;Black\n1;Ann;Ben\n";
        assert_eq!(daemon.hand_in(&format!("/pairings?event=open&round={round}&take=true"), list).0, 200);
        daemon.order(&serde_json::json!({ "command": "open_round", "event": "open", "round": round })).1
    };
    open(&daemon, 1);
    for order in [
        serde_json::json!({ "command": "new_game", "table": "open/1/1" }),
        serde_json::json!({ "command": "insert", "table": "open/1/1", "moves": ["e4"] }),
        serde_json::json!({ "command": "resign", "table": "open/1/1", "side": "black" }),
        serde_json::json!({ "command": "new_game", "table": "open/1/1" }),
    ] {
        assert_eq!(daemon.order(&order).0, 200, "{order}");
    }
    let answer = open(&daemon, 2);
    assert!(answer.contains("something waits for a decision at open/1/1"), "{answer}");
    assert_eq!(shown(&daemon), ["open/1/1", "open/2/1"]);
    daemon.kill();
    let daemon = Daemon::start(home.path(), &[]);
    assert_eq!(shown(&daemon), ["open/1/1", "open/2/1"]);
    for order in [
        serde_json::json!({ "command": "confirm", "table": "open/1/1/1" }),
        serde_json::json!({ "command": "new_game", "table": "open/2/1" }),
        serde_json::json!({ "command": "insert", "table": "open/2/1", "moves": ["e4"] }),
    ] {
        assert_eq!(daemon.order(&order).0, 200, "{order}");
    }
    let answer = open(&daemon, 3);
    assert!(answer.contains("games are still on at open/2/1, so that stays on the wall"), "{answer}");
    assert!(answer.contains("round 1 of open has left the wall"), "{answer}");
}

#[test]
fn rules_of_a_table_that_has_no_board_yet_hold_when_it_comes_after_a_kill() {
    let home = tempfile::tempdir().expect("a folder for the test");
    let link = home.path().join("board-1");
    let daemon = Daemon::start(&home.path().join("state"), &[]);
    assert_eq!(daemon.hand_in("/pairings?event=open&round=1&take=true", "Board;White;Black\n1;Ann;Ben\n").0, 200);
    let rules =
        serde_json::json!({ "command": "rules", "table": "open/1/1", "rules": { "edition": 2023, "chess960": 345 } });
    let (status, answer) = daemon.order(&rules);
    assert_eq!(status, 200, "{answer}");
    assert!(daemon.snapshot().tables.is_empty(), "nobody sees it before its round is opened");
    daemon.kill();
    let _board = Board::put_up(&link, 20_012, &[]);
    let daemon = Daemon::start(&home.path().join("state"), &[]);
    assert_eq!(daemon.order(&serde_json::json!({ "command": "open_round", "event": "open", "round": 1 })).0, 200);
    daemon.kill();
    let _daemon = Daemon::start(&home.path().join("state"), &["--port", &link.display().to_string()]);
    until("the board on which the men stand otherwise", || {
        let state = home.path().join("state");
        let seen = escaque().args(["boards", "open", "--state"]).arg(state).output().expect("the program starts");
        String::from_utf8_lossy(&seen.stdout)
            .contains("the men on board 20012 at open/1/1 stand as another game begins")
            .then_some(())
    });
}

#[test]
fn a_result_for_a_mistyped_event_names_the_events_there_are() {
    let home = tempfile::tempdir().expect("a folder for the test");
    let daemon = Daemon::start(&home.path().join("state"), &[]);
    assert_eq!(daemon.hand_in("/pairings?event=open&round=1&take=true", "Board;White;Black\n1;Ann;Ben\n").0, 200);
    let (status, answer) =
        daemon.order(&serde_json::json!({ "command": "result", "table": "opne/1/1", "result": "1-0" }));
    assert_eq!(status, 409, "{answer}");
    assert!(answer.contains("there is no event opne: known are "), "{answer}");
    assert!(answer.contains("; did you mean open?"), "{answer}");
}

#[test]
fn a_table_that_only_a_board_had_brought_leaves_the_wall_with_it() {
    let home = tempfile::tempdir().expect("a folder for the test");
    let link = home.path().join("board-1");
    let _board = Board::put_up(&link, 20_012, &[]);
    let daemon = Daemon::start(&home.path().join("state"), &["--port", &link.display().to_string()]);
    let shown =
        |daemon: &Daemon| daemon.snapshot().tables.iter().map(|table| table.table.to_string()).collect::<Vec<_>>();
    until("the board in a round of the day", || shown(&daemon).first().filter(|id| !id.starts_with("open")).cloned());
    assert_eq!(daemon.hand_in("/pairings?event=open&round=3&take=true", "Board;White;Black\n12;Ann;Ben\n").0, 200);
    let (status, answer) = daemon.order(&serde_json::json!({ "command": "open_round", "event": "open", "round": 3 }));
    assert_eq!(status, 200, "{answer}");
    let astray = "board 20012 is at open/3/1, where nobody is to play, and table 12 has no board";
    assert!(answer.contains(astray), "{answer}");
    // It keeps the number it had, and nobody is to play there.
    assert_eq!(shown(&daemon), ["open/3/1", "open/3/12"]);
    let assign =
        |table: &str| daemon.order(&serde_json::json!({ "command": "assign", "table": table, "board": "20012" }));
    let (status, answer) = assign("open/3/12");
    assert!(status == 200 && answer.contains("table open/3/1 is removed"), "{answer}");
    assert_eq!(shown(&daemon), ["open/3/12"]);
    // One that is paired stays, and the other comes back with its board.
    assert_eq!(assign("open/3/1").0, 200);
    assert_eq!(shown(&daemon), ["open/3/1", "open/3/12"]);
    let (state, file) = (home.path().join("state"), home.path().join("state/pgn/open/3-1.pgn"));
    until("the game at its file", || file.is_file().then_some(()));
    assert_eq!(assign("open/3/12").0, 200);
    let leaves_no_trace = |daemon: &Daemon| {
        let (_, games) = daemon.get("/pgn/open/3");
        assert!(games.contains("[Board \"12\"]") && !games.contains("[Board \"1\"]"), "{games}");
        assert_eq!(daemon.get("/pgn/open/3/1").0, 404);
        let report = escaque().args(["export", "open/3", "--paper", "report", "--state"]).arg(&state).output();
        let report = String::from_utf8(report.expect("the program starts").stdout).expect("a page");
        assert!(report.contains("<tr><td class=\"number\">12</td>"), "{report}");
        assert!(!report.contains("<tr><td class=\"number\">1</td>"), "{report}");
        until("its file to be gone", || (!file.exists()).then_some(()));
    };
    leaves_no_trace(&daemon);
    daemon.kill();
    let daemon = Daemon::start(&home.path().join("state"), &[]);
    assert_eq!(shown(&daemon), ["open/3/12"]);
    leaves_no_trace(&daemon);
}

#[test]
fn boards_go_back_from_a_round_that_was_opened_by_mistake_to_the_tables_they_had() {
    let home = tempfile::tempdir().expect("a folder for the test");
    let daemon =
        Daemon::start(&home.path().join("state"), &["--port", &home.path().join("board-*").display().to_string()]);
    let order = |order: serde_json::Value| assert_eq!(daemon.order(&order).0, 200, "{order}");
    let pair = |round: u16, list: &str| {
        assert_eq!(daemon.hand_in(&format!("/pairings?event=open&round={round}&take=true"), list).0, 200);
        order(serde_json::json!({ "command": "open_round", "event": "open", "round": round }));
    };
    pair(1, "Board;White;Black\n1;Ann;Ben\n2;Cid;Dot\n3;Eve;Fay\n");
    // Not in the order of their numbers.
    let seats = [(20_012, "open/1/2"), (20_031, "open/1/1")];
    let mut boards = seats.map(|(serial, table)| {
        order(serde_json::json!({ "command": "assign", "table": table, "board": serial.to_string() }));
        Board::put_up(&home.path().join(format!("board-{serial}")), serial, &[])
    });
    let sit = |at: &str| {
        until(at, || {
            let playing = |table: &TableView| table.state == State::Playing && table.link == Some(Link::Up);
            let tables = daemon.snapshot().tables.into_iter().filter(playing);
            let heard = tables.map(|table| table.table.to_string()).collect::<Vec<_>>();
            (heard == [format!("open/{at}/1"), format!("open/{at}/2")]).then_some(())
        });
        for (serial, table) in seats {
            let table = table.replace("open/1", &format!("open/{at}"));
            let again = serde_json::json!({ "command": "assign", "table": table, "board": serial.to_string() });
            let (_, answer) = daemon.order(&again);
            assert!(answer.contains("has its place") && answer.contains("already"), "{answer}");
        }
    };
    sit("1");
    // A game that is on at a third table keeps its round open; else it leaves the wall, and is opened again.
    for (is_on, undone) in [(false, "remove"), (true, "close_round"), (true, "remove")] {
        if is_on {
            order(serde_json::json!({ "command": "new_game", "table": "open/1/3" }));
            order(serde_json::json!({ "command": "insert", "table": "open/1/3", "moves": ["e4"] }));
        }
        pair(2, "Board;White;Black\n1;Wrong;Players\n2;Other;People\n");
        sit("2");
        order(serde_json::json!({ "command": undone, "event": "open", "round": 2 }));
        if !is_on {
            order(serde_json::json!({ "command": "open_round", "event": "open", "round": 1 }));
        }
        sit("1");
    }
    boards[1].say("move e2e4");
    until("the move at its own table", || {
        let table = daemon.snapshot().tables.into_iter().find(|view| view.table.table == 1)?;
        (table.settled == 1 && table.white.is_some_and(|white| white.name == "Ann")).then_some(())
    });
}

#[test]
fn a_list_that_comes_after_a_result_has_done_the_same_after_a_kill() {
    let home = tempfile::tempdir().expect("a folder for the test");
    let daemon = Daemon::start(home.path(), &[]);
    let list = |daemon: &Daemon, take: &str, [white, other]: [&str; 2]| {
        let text = format!("Board;White;Black\n1;{white};Ben\n2;{other};Dee\n");
        daemon.hand_in(&format!("/pairings?event=open&round=1{take}"), &text)
    };
    let given = serde_json::json!({ "command": "result", "table": "open/1/1", "result": "+/-" });
    assert_eq!(list(&daemon, "&take=true", ["Ann", "Cid"]).0, 200);
    assert_eq!(daemon.order(&given).0, 200);
    let (status, answer) = list(&daemon, "&take=true", ["Cid", "Ann"]);
    assert!(status == 200 && answer.contains("stays Ann – Ben, not Cid – Ben"), "{answer}");
    assert!(answer.contains("Ann is at tables 1 and 2 by that"), "{answer}");
    let before = list(&daemon, "", ["Eve", "Fay"]);
    daemon.kill();
    assert_eq!(list(&Daemon::start(home.path(), &[]), "", ["Eve", "Fay"]), before);
}

/// What really happens.
struct Event {
    title: &'static str,
    players: usize,
    /// For each round and player the opponent, the colour and the sign of the result; blank before it is played.
    rounds: Vec<Vec<(usize, char, char)>>,
}

impl Event {
    fn of(players: usize, title: &'static str) -> Event {
        Event { title, players, rounds: Vec::new() }
    }

    fn name(&self) -> &'static str {
        if self.title == "Spring Open" { "spring-open" } else { "girls-cup" }
    }

    /// Everybody meets another one each round: a circle that turns, the last place a bye where the number is odd.
    fn pair(&mut self, round: usize) {
        let seats = self.players + self.players % 2;
        let turned = |place: usize| if place == 0 { 0 } else { 1 + (place - 1 + round) % (seats - 1) };
        let mut blocks = vec![(0, '-', 'U'); self.players];
        for place in 0..seats / 2 {
            let (one, other) = (turned(place), turned(seats - 1 - place));
            if one >= self.players || other >= self.players {
                continue;
            }
            let (white, black) = if (round + place).is_multiple_of(2) { (one, other) } else { (other, one) };
            blocks[white] = (black + 1, 'w', ' ');
            blocks[black] = (white + 1, 'b', ' ');
        }
        self.rounds.push(blocks);
    }

    /// Each table gets a result of its own kind, and at one the players sit down the wrong way round.
    fn play(&mut self, round: usize, hall: &Running) {
        const KINDS: [(&str, char, char); 6] = [
            ("1-0", '1', '0'),
            ("0-1", '0', '1'),
            ("1/2-1/2", '=', '='),
            ("+/-", '+', '-'),
            ("-/+", '-', '+'),
            ("-/-", '-', '-'),
        ];
        let pgn = hall.must(&["export", &format!("{}/{round}", self.name())]);
        let tags = |tag: &'static str| pgn.lines().filter_map(move |line| line.strip_prefix(tag)).map(number);
        let tables = tags("[White \"P").zip(tags("[Black \"P")).collect::<Vec<_>>();
        for (at, (mut white, mut black)) in tables.into_iter().enumerate() {
            let table = format!("{}/{round}/{}", self.name(), at + 1);
            if at == 2 {
                (white, black) = (black, white);
                hall.order(&format!(
                    r#"{{"table":"{table}","command":"pair","white":{},"black":{}}}"#,
                    self.json(white),
                    self.json(black)
                ));
            }
            let (score, one, other) = KINDS[(at + round) % KINDS.len()];
            hall.order(&format!(r#"{{"table":"{table}","command":"result","result":"{score}"}}"#));
            let blocks = &mut self.rounds[round - 1];
            blocks[white - 1] = (black, 'w', one);
            blocks[black - 1] = (white, 'b', other);
        }
    }

    fn json(&self, player: usize) -> String {
        format!(r#"{{"name":"{}","rating":{},"number":{player}}}"#, player_name(player), 2700 - player)
    }

    /// The file as a pairing program writes it before this round, with a line nobody but it knows.
    fn trf(&self, round: usize) -> String {
        let mut text = format!("012 {}\r\nXYZ its own business\r\n", self.title);
        for player in 1..=self.players {
            let blocks = self.rounds.iter().take(round).map(|blocks| blocks[player - 1]).collect::<Vec<_>>();
            let tenths = blocks.iter().map(|(_, _, sign)| points(*sign)).sum::<usize>();
            let blocks = blocks.iter().map(|(other, color, sign)| {
                let other = if *other == 0 { "0000".to_owned() } else { format!("{other:>4}") };
                format!("  {other} {color} {sign}")
            });
            let name = player_name(player);
            let points = format!("{}.{}", tenths / 10, tenths % 10);
            let head = format!(
                "001 {player:>4} m    {name:<33} {:>4} LAT {:>11} {:>10} {points:>4} {player:>4}",
                2700 - player,
                "",
                ""
            );
            text += &format!("{head}{}\r\n", blocks.collect::<String>());
        }
        text
    }
}

fn player_name(player: usize) -> String {
    format!("P{player}, Zoë")
}

fn number(tag: &str) -> usize {
    tag.split(',').next().and_then(|digits| digits.parse().ok()).expect("a player's number")
}

fn points(sign: char) -> usize {
    match sign {
        '1' | '+' | 'U' => 10,
        '=' => 5,
        _ => 0,
    }
}

/// A daemon on a state folder of its own.
struct Running {
    daemon: Option<Daemon>,
    state: TempDir,
}

impl Running {
    fn start() -> Running {
        let state = tempfile::tempdir().expect("a folder for the test");
        let daemon = Some(Daemon::start(state.path(), &[]));
        Running { daemon, state }
    }

    fn file(&self, name: &str, bytes: &[u8]) -> String {
        let path = self.state.path().join(name);
        fs::write(&path, bytes).expect("the folder is writable");
        path.display().to_string()
    }

    fn run(&self, arguments: &[&str]) -> Result<String, String> {
        let output =
            escaque().args(arguments).arg("--state").arg(self.state.path()).output().expect("the command runs");
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("UTF-8");
        if output.status.success() { Ok(text(&output.stdout)) } else { Err(text(&output.stderr)) }
    }

    fn must(&self, arguments: &[&str]) -> String {
        self.run(arguments).unwrap_or_else(|sentence| panic!("{arguments:?}: {sentence}"))
    }

    fn order(&self, order: &str) {
        self.must(&["order", order]);
    }

    fn stop(&mut self) {
        let stopped = self.daemon.take().map(Daemon::stop);
        assert!(stopped.is_some_and(|status| status.success()), "it ends as it is told to");
    }
}
