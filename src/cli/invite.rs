//! `escaque invite` and `escaque doors`: who may come in, from the terminal beside the daemon.

use std::process::ExitCode;

use anyhow::Context;
use qrcode::{EcLevel, QrCode, render::unicode::Dense1x2};
use serde_json::{Value, json};

use super::{
    daemon::{Daemon, Folder, OTHER, is_recorded, sentences},
    exit, terminal,
};
use crate::{
    journal::here,
    screens::{Invited, Role},
};

/// Let a screen, the arbiter or an operator in
///
/// Shows a code that opens once, as an address to type and, on a terminal, as a picture for telephones. It can be used for
/// an hour.
/// `escaque doors` lists who was let in and takes passes back.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    escaque invite hall --name \"Screen at the door\"\n  \
    escaque invite arbiter --name Anna\n  \
    escaque invite arbiter --no-picture             for screen readers and Braille displays\n  \
    escaque invite operator --state ./round1        a daemon that keeps its games there")]
pub(super) struct Invite {
    /// As what
    #[arg(value_enum)]
    role: AsWhat,
    /// Who, or which screen: what the list of passes will say
    #[arg(long, value_name = "TEXT", default_value = "")]
    name: String,
    /// Leave the picture out
    #[arg(long)]
    no_picture: bool,
    #[command(flatten)]
    at: Folder,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum AsWhat {
    /// A screen or a telephone in the playing hall
    Hall,
    /// Who decides: sees alerts, gives orders
    Arbiter,
    /// Who looks after the boards: everything
    Operator,
}

/// List the doors, and who was let in; take passes back
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    escaque doors               listeners, doors, passes\n  \
    escaque doors --revoke 3    takes pass 3 back and hangs up on whoever holds it")]
pub(super) struct Doors {
    /// Take this pass back
    #[arg(long, value_name = "PASS")]
    revoke: Option<u32>,
    #[command(flatten)]
    at: Folder,
}

pub(super) fn invite(args: Invite) -> anyhow::Result<ExitCode> {
    let role = match args.role {
        AsWhat::Hall => Role::Hall,
        AsWhat::Arbiter => Role::Arbiter,
        AsWhat::Operator => Role::Operator,
    };
    let daemon = Daemon::find(&args.at)?;
    let invited = daemon.ask("POST", "/invite", &json!({ "role": role, "name": args.name }))?;
    let invited: Invited = serde_json::from_value(invited).context(OTHER)?;
    terminal::say(&shown(&invited, !args.no_picture && terminal::draws()));
    Ok(if invited.unrecorded.is_none() { exit::OK } else { exit::NOT_IN_ORDER }.into())
}

pub(super) fn doors(args: Doors) -> anyhow::Result<ExitCode> {
    let daemon = Daemon::find(&args.at)?;
    let Some(pass) = args.revoke else {
        terminal::say(&listed(&daemon.ask("GET", "/doors.json", &Value::Null)?));
        return Ok(exit::OK.into());
    };
    let answer = daemon.ask("POST", "/revoke", &json!({ "pass": pass }))?;
    terminal::say(&format!("Pass {pass} opens nothing any more.\n{}", sentences(&answer)));
    Ok(if is_recorded(&answer) { exit::OK } else { exit::NOT_IN_ORDER }.into())
}

fn shown(invited: &Invited, has_picture: bool) -> String {
    let Invited { pass, role, name, code, minutes, addresses, fingerprint, picture: _, unrecorded } = invited;
    let address = addresses.first().filter(|_| has_picture);
    let drawn = address.and_then(|address| QrCode::with_error_correction_level(address, EcLevel::L).ok());
    let drawn = drawn.map(|code| code.render::<Dense1x2>().build() + "\n").unwrap_or_default();
    let addresses: String = addresses.iter().map(|address| format!("  {address}\n")).collect();
    let proof = fingerprint.as_ref().map_or_else(String::new, |fingerprint| {
        format!("The browser will warn of the certificate. It is the right one if its SHA-256 is\n  {fingerprint}\n")
    });
    let unrecorded = unrecorded.as_ref().map_or_else(String::new, |sentence| format!("{sentence}\n"));
    let how = if drawn.is_empty() { "Open" } else { "Scan the picture, or open" };
    format!(
        "{drawn}Pass {pass}, {role}: {name}\n{how} one of these and type the code {code}\n{addresses}\
         {proof}It opens once, in the next {minutes} minutes.\n{unrecorded}"
    )
}

fn listed(listing: &Value) -> String {
    let rows = |key: &str| listing[key].as_array().cloned().unwrap_or_default();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let words = |value: &Value| value.as_array().into_iter().flatten().map(text).collect::<Vec<_>>().join(" ");
    let listeners: String = rows("listeners")
        .iter()
        .map(|row| format!("  {:<12} {}\n", text(&row["option"]), words(&row["addresses"])))
        .collect();
    let passes: String = rows("passes")
        .iter()
        .map(|row| {
            let stage = if row["entered"] == true { "came in" } else { "invited" };
            let since =
                row["since"].as_u64().map(|at| here(at).strftime("%Y-%m-%d %H:%M").to_string()).unwrap_or_default();
            format!("  {:>4}  {:<9} {stage:<8} {since:<16} {}\n", row["pass"], text(&row["role"]), text(&row["name"]))
        })
        .collect();
    let passes = if passes.is_empty() { "  none; `escaque invite hall` lets a screen in\n".to_owned() } else { passes };
    let doors: String = rows("doors")
        .iter()
        .map(|row| {
            let door = format!("{} {}", text(&row["door"]), words(&row["listeners"]));
            let carries = format!("{} {}", text(&row["when"]), text(&row["carries"]));
            format!("  {door}\n      for {}: {}\n", text(&row["whom"]), carries.trim())
        })
        .collect();
    format!("Listeners\n{listeners}Passes\n{passes}Doors\n{doors}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_picture_is_for_those_who_see_it_and_the_code_for_all() {
        let invited = Invited {
            pass: 1,
            role: Role::Hall,
            name: "Screen".to_owned(),
            code: "ABCD-EFGH".to_owned(),
            minutes: 60,
            addresses: vec!["http://192.0.2.1:8065/join#ABCD-EFGH".to_owned()],
            fingerprint: None,
            picture: None,
            unrecorded: None,
        };
        let (drawn, plain) = (shown(&invited, true), shown(&invited, false));
        assert!(drawn.contains('█') && drawn.contains("Scan the picture, or open one of these and type the code ABCD"));
        assert!(plain.starts_with("Pass 1, hall: Screen\nOpen one of these and type the code ABCD-EFGH\n"), "{plain}");
    }
}
