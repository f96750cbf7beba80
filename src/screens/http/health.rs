//! Whether the daemon is well, for programs that look after it.

use std::time::Duration;

use axum::{
    Extension,
    extract::State,
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use tokio::time::timeout;

use super::{
    super::{
        asker::Giver,
        placed::{Outcome, Wish},
        refusal::Refusal,
        visit::Visit,
        vitals::{OPEN_METRICS, Vitals},
    },
    app::AppState,
    wishes::wish,
};

/// If the feed's thread does not answer for so long, screens stand still and the daemon is not well.
const HEALTHY: Duration = Duration::from_secs(2);

pub(super) async fn healthz(
    State(state): State<AppState>,
    Extension(visit): Extension<Visit>,
) -> Result<&'static str, Refusal> {
    match timeout(HEALTHY, state.entrance.document(visit.door)).await {
        Ok(Some(_)) => Ok("ok\n"),
        Ok(None) => Err(Refusal::ending()),
        Err(_) => Err(Refusal::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "The feed does not move: screens stand still. Restart the daemon; the record is on disk.",
        )),
    }
}

/// Asks the loop itself: whoever gets an answer knows that it goes round.
async fn vitals(state: &AppState) -> Option<Vitals> {
    match timeout(HEALTHY, wish(state, Wish::Vitals, Giver::house())).await {
        Ok(Ok(Outcome::Vitals(vitals))) => Some(*vitals),
        _ => None,
    }
}

pub(super) async fn readyz(State(state): State<AppState>) -> Result<&'static str, Refusal> {
    let unready = |sentence: &str| Err(Refusal::new(StatusCode::SERVICE_UNAVAILABLE, sentence));
    match vitals(&state).await {
        Some(Vitals { is_recording: true, is_closed: false, .. }) => Ok("ready\n"),
        Some(Vitals { is_recording: true, .. }) => unready(
            "Spectators are shown nothing: orders about what they may see can be lost. Order the delay anew: the log says \
             how.",
        ),
        Some(_) => unready("Nothing is being recorded: the log says why. Games are shown meanwhile."),
        None => unready("The daemon reads its journal, or does not go round. Ask again in a moment."),
    }
}

pub(super) async fn metrics(State(state): State<AppState>) -> Result<Response, Refusal> {
    let late = || Refusal::new(StatusCode::SERVICE_UNAVAILABLE, "The daemon does not answer itself. Ask again.");
    let vitals = vitals(&state).await.ok_or_else(late)?;
    Ok(([(header::CONTENT_TYPE, OPEN_METRICS)], vitals.open_metrics(state.entrance.viewers())).into_response())
}
