//! Those who are told the games, as the operator sees them and asks them.

use std::time::Duration;

use axum::{
    Json,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use protocol::feed::Command;
use serde::Deserialize;
use serde_json::json;
use tokio::time::timeout;

use super::refusal::Refusal;
use crate::press::{Counter, Finding};

/// One that hangs is asked behind the visit it is on.
const PATIENCE: Duration = Duration::from_secs(18);

/// What can be asked.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Asked {
    target: String,
    ask: What,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum What {
    /// Tell it everything now that is due.
    Try,
    /// Find out whether it would work.
    Check,
}

/// An order names a target that there is, or takes back what was ordered for one that was.
pub(super) fn check(counter: &Counter, command: &Command) -> Result<(), Refusal> {
    if let Command::TellLive { target, live: true } = command
        && !counter.knows(target)
    {
        return Err(unknown(counter, target));
    }
    Ok(())
}

/// How all of them stand.
pub(super) fn list(counter: &Counter) -> Response {
    Json(json!({ "targets": counter.standings() })).into_response()
}

/// What one of them is asked, and what comes of it.
pub(super) async fn ask(counter: &Counter, body: &[u8]) -> Result<Response, Refusal> {
    let Asked { target, ask } = serde_json::from_slice(body).map_err(|error| {
        Refusal::bad(format!("{error}. Write {{\"target\":\"lichess\",\"ask\":\"try\"}}, or \"check\"."))
    })?;
    let unknown = || unknown(counter, &target);
    match ask {
        What::Try => {
            counter.try_now(&target).then_some(()).ok_or_else(unknown)?;
            Ok(Json(json!({ "target": target, "trying": true })).into_response())
        }
        What::Check => {
            let answered = timeout(PATIENCE, counter.check(&target).ok_or_else(unknown)?).await;
            let findings: Vec<Finding> = answered.map_err(|_| hangs(&target))?.map_err(|_| Refusal::ending())?;
            let in_order = findings.iter().all(|finding| finding.in_order);
            Ok(Json(json!({ "target": target, "in_order": in_order, "findings": findings })).into_response())
        }
    }
}

fn unknown(counter: &Counter, target: &str) -> Refusal {
    let names = counter.standings().into_iter().map(|standing| standing.name).collect::<Vec<_>>();
    let there = if names.is_empty() { String::new() } else { format!(" There are: {}.", names.join(", ")) };
    Refusal::not_found(format!("The configuration names no target {target}.{there}"))
}

fn hangs(target: &str) -> Refusal {
    let sentence =
        format!("{target} does not answer: whatever it waits for hangs. Look at its folder, or at its site.");
    Refusal::new(StatusCode::GATEWAY_TIMEOUT, sentence)
}
