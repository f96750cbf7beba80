//! Every order is answered in words: what came of it, or why nothing did.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::support::{Daemon, escaque, until};

/// An example of every order, as the page `/feed` shows them.
const SAMPLES: &str = include_str!("../../web/src/samples.json");
const SCHEMA: &str = include_str!("../../protocol/schema/order-v1.json");

#[test]
fn every_order_says_what_came_of_it_and_given_twice_why_nothing_did() {
    let home = tempfile::tempdir().expect("a folder for the test");
    let daemon = Daemon::start(home.path(), &["--port", "/nowhere/board"]);
    let samples = serde_json::from_str::<Value>(SAMPLES).expect("JSON");
    let orders = samples["orders"].as_array().expect("a list").iter().map(|sample| sample["json"].clone());
    let orders = orders.collect::<Vec<_>>();
    let shown = orders.iter().filter_map(|order| order["command"].as_str()).collect::<BTreeSet<_>>();
    assert!(commands().len() > 40 && commands().is_subset(&shown), "an order without an example: {:?}", commands());
    for order in &orders {
        // Whatever the one before has left behind: a table where two moves were made by hand.
        for ready in [
            json!({ "command": "open_round", "event": "open", "round": 3 }),
            json!({ "table": "open/3/12", "command": "pair", "white": { "name": "A" }, "black": { "name": "B" } }),
            json!({ "table": "open/3/12", "command": "new_game" }),
            json!({ "table": "open/3/12", "command": "insert", "moves": ["e4", "e5"] }),
        ] {
            daemon.order(&ready);
        }
        for _ in 0..2 {
            let (status, answer) = daemon.order(order);
            let said = serde_json::from_str::<Value>(&answer).unwrap_or_default();
            let in_words = match status {
                200 => said["said"].as_array().is_some_and(|said| !said.is_empty()),
                _ => answer.contains(' '),
            };
            assert!(in_words, "{order}: {status} {answer}");
        }
    }
    daemon.order(&json!({ "table": "open/3/12", "command": "new_game" }));
    daemon.order(&json!({ "table": "open/3/12", "command": "insert", "moves": ["e4"] }));
    let again = |order: Value| {
        assert_eq!(daemon.order(&order).0, 200, "{order}");
        daemon.order(&order).1
    };
    for order in [
        json!({ "command": "delay", "seconds": 60 }),
        json!({ "command": "on_air", "tables": "none" }),
        json!({ "command": "withhold", "player": "Xie Jun" }),
        json!({ "table": "open/3/12", "command": "result", "result": "1/2-1/2" }),
    ] {
        let answer = again(order);
        assert!(answer.contains("nothing has changed: "), "{answer}");
    }
}

/// The names of all orders.
fn commands() -> BTreeSet<&'static str> {
    let named = |rest: &'static str| rest.split("\"const\": \"").nth(1)?.split('"').next();
    SCHEMA.split("\"command\": {").skip(1).filter_map(named).collect()
}

#[test]
fn an_order_that_says_one_thing_twice_is_refused_in_the_same_words_wherever_it_is_given() {
    let home = tempfile::tempdir().expect("a folder for the test");
    let daemon = Daemon::start(home.path(), &["--port", "/nowhere/board"]);
    let twice = r#"{"command":"result","table":"open/1/2","result":"1-0","result":"0-1"}"#;
    let order = |text: &str| {
        let typed = escaque().args(["order", text, "--state"]).arg(home.path()).output().expect("it runs");
        (typed.status.code(), String::from_utf8(typed.stderr).expect("UTF-8"))
    };
    let (code, said) = order(twice);
    assert!(code == Some(1) && said.contains(r#"the key "result" comes twice"#), "{said}");
    let (_, sent) = daemon.hand_in("/command", twice);
    assert!(said.contains(sent.trim()), "{said} is not {sent}");
    assert_eq!(order(r#"{"command":"event","event":"open","title":"Open"}"#).0, Some(0));
}

#[test]
fn what_comes_to_nothing_is_not_answered_as_if_it_had() {
    let home = tempfile::tempdir().expect("a folder for the test");
    let daemon = Daemon::start(home.path(), &["--port", "/nowhere/board"]);
    let list = "Board;White;Black\n1;Ann;Ben\n2;Cid;Dee\n";
    assert_eq!(daemon.hand_in("/pairings?event=open&round=1&take=true", list).0, 200);
    let open = |event: &str| daemon.order(&json!({ "command": "open_round", "event": event, "round": 1 }));
    let (status, answer) = open("opne");
    assert!(status == 200 && answer.contains("if open is meant"), "{answer}");
    let (status, answer) = open("open");
    assert!(status == 200 && !answer.contains("no pairings"), "{answer}");
    daemon.order(&json!({ "table": "open/1/1", "command": "new_game" }));
    let dismissed = |kind: &str, at: u64| {
        daemon.order(&json!({ "table": "open/1/1", "command": "dismiss", "kind": kind, "at": at }))
    };
    let (status, answer) = until("the past to be read", || {
        Some(dismissed("link_lost", 0)).filter(|(_, answer)| answer.contains("no alert"))
    });
    assert!(status == 200 && answer.contains("no alert link_lost was raised at open/1/1 at 0"), "{answer}");
    let kind = "touch_move_suspect";
    let report = json!({ "table": "open/1/1", "command": "report", "kind": kind, "side": "white" });
    let told = serde_json::from_str::<Value>(&daemon.order(&report).1).expect("JSON");
    let raised = told["done"].as_array().and_then(|told| told.iter().find(|told| told.to_string().contains(kind)));
    let at = raised.and_then(|alert| alert["t"].as_u64()).unwrap_or_else(|| panic!("{told}"));
    let (status, answer) = dismissed(kind, at);
    assert!(status == 200 && !answer.contains("no alert"), "{answer}");
    for (table, result) in [(1, "1/2-0"), (2, "-/+")] {
        let order = json!({ "table": format!("open/1/{table}"), "command": "result", "result": result });
        assert_eq!(daemon.order(&order).0, 200);
        let logged = format!("result={result}");
        until("its line in the log", || daemon.log().contains(&logged).then_some(()));
    }
}
