//! `escaque air`: whether those who are told the games would take them now.

use std::process::ExitCode;

use serde_json::{Value, json};

use super::{
    daemon::{Daemon, Folder},
    exit, terminal,
};

/// Say for each target of the games on air whether it would work right now, and what is missing
///
/// Targets stand in the daemon's configuration below [[air]]: folders, sites, broadcasts. Each is looked at from where the
/// daemon is, with its rights and its tokens, and nothing is told to it. Do this before a round.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    escaque air                  every target: its place, its token, the open round, the names\n  \
    escaque air lichess --now    have this one try again at once\n  \
    escaque air --json           for scripts\n\n\
Exit code 0: all would work, and nothing waits. 3: something is missing, or waits. 1: it could not be found out.")]
pub(super) struct Args {
    /// Only this target
    #[arg(value_name = "TARGET")]
    target: Option<String>,
    /// Tell it now everything that is due, whatever went wrong before
    #[arg(long, requires = "target")]
    now: bool,
    /// Print what was found as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    at: Folder,
}

pub(super) fn run(args: Args) -> anyhow::Result<ExitCode> {
    let daemon = Daemon::find(&args.at)?;
    if let Some(target) = args.target.as_ref().filter(|_| args.now) {
        daemon.ask("POST", "/air", &json!({ "target": target, "ask": "try" }))?;
        terminal::say(&format!("{target} is told now whatever is due\n"));
        return Ok(exit::OK.into());
    }
    let listed = daemon.ask("GET", "/air.json", &Value::Null)?;
    let targets = listed["targets"].as_array().cloned().unwrap_or_default();
    let is_asked = |target: &&Value| args.target.as_ref().is_none_or(|name| target["name"] == name.as_str());
    let asked = targets.iter().filter(is_asked).collect::<Vec<_>>();
    if asked.is_empty() {
        let none = "no target of that name: they stand below [[air]] in the daemon's configuration";
        anyhow::ensure!(args.target.is_none(), none);
        terminal::say("nobody is told the games: name targets below [[air]] in the daemon's configuration\n");
        return Ok(exit::OK.into());
    }
    let mut reports = Vec::new();
    for target in asked {
        let asking = json!({ "target": target["name"], "ask": "check" });
        let found = daemon.ask("POST", "/air", &asking).unwrap_or_else(|error| {
            let finding = json!({ "in_order": false, "sentence": error.to_string() });
            json!({ "in_order": false, "findings": [finding] })
        });
        reports.push(report(target, &found));
    }
    let in_order = reports.iter().all(|report| report["in_order"] == true);
    if args.json {
        let all = json!({ "in_order": in_order, "targets": reports });
        terminal::say(&format!("{}\n", serde_json::to_string_pretty(&all)?));
    } else {
        terminal::say(&reports.iter().map(told).collect::<Vec<_>>().join(""));
    }
    Ok(if in_order { exit::OK } else { exit::NOT_IN_ORDER }.into())
}

/// A target with what was found: in order where it would work, and nothing that is due waits.
fn report(standing: &Value, found: &Value) -> Value {
    let in_order = found["in_order"] == true && untold(standing).is_none();
    json!({ "standing": standing, "in_order": in_order, "findings": found["findings"] })
}

/// Why a target is not told what is due: the games wait, whatever would work by now.
fn untold(standing: &Value) -> Option<&str> {
    standing["error"]["text"].as_str().filter(|_| standing["state"] == "failing")
}

/// A target for people: what it is, how it stands, and what was found.
fn told(report: &Value) -> String {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let standing = &report["standing"];
    let live = if standing["live"] == true { ", live" } else { "" };
    let mut lines =
        vec![format!("{}: {} {}{live}", text(&standing["name"]), text(&standing["kind"]), text(&standing["address"]))];
    let findings = report["findings"].as_array();
    for finding in findings.into_iter().flatten() {
        let mark = if finding["in_order"] == true { "ok " } else { "!! " };
        lines.push(format!("  {mark}{}", text(&finding["sentence"])));
    }
    for round in standing["rounds"].as_array().into_iter().flatten() {
        let is_found =
            |remark: &&Value| findings.is_some_and(|found| found.iter().any(|one| one["sentence"] == **remark));
        let remarks = round["remarks"].as_array().into_iter().flatten().filter(|remark| !is_found(remark)).map(text);
        lines.extend(remarks.map(|remark| format!("   - {remark}")));
    }
    if let Some(error) = untold(standing) {
        lines.push(format!("  !! not told: {error}"));
    }
    lines.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_is_not_told_is_not_in_order_whatever_would_work() {
        let full = json!({ "state": "failing", "error": { "text": "make room on its disk" } });
        let mended = json!({ "state": "told", "error": { "text": "make room on its disk" } });
        let found = json!({ "in_order": true, "findings": [] });
        let waits = report(&full, &found);
        assert_eq!((&waits["in_order"], &report(&mended, &found)["in_order"]), (&json!(false), &json!(true)));
        assert!(told(&waits).contains("!! not told: make room on its disk"));
    }
}
