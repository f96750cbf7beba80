//! Coming in and going out: a code for a cookie, invitations and passes. All that changes is journalled before it is
//! answered.

use axum::{
    Json,
    http::{StatusCode, header},
    response::{IntoResponse as _, Response},
};
use protocol::feed::Answer;
use qrcode::{EcLevel, QrCode, render::svg};
use serde::{Deserialize, Serialize};
use tokio::sync::mpsc;

use super::{
    addresses,
    asker::{Badge, Giver, Listener, Role},
    doors::{self, Timing},
    feed::Entrance,
    placed::{Placed, Wish},
    refusal::Refusal,
    register::{Admission, Listed},
    secret,
    tls::Certificate,
    unique::Unique,
    visit::{Gate, Visit, cookie},
};
use crate::journal::wall_ms;

/// A screen is set up once a season; a pass that is not wanted any more is taken back.
const COOKIE_SECONDS: u32 = 60 * 60 * 24 * 180;

/// A listener that is open, for those who ask where to come.
#[derive(Clone, Debug)]
pub struct Opened {
    /// Which.
    pub listener: Listener,
    /// What it listens on, and the name it was given for it.
    pub address: std::net::SocketAddr,
    /// The host's name it was opened by, where it was one.
    pub name: Option<String>,
    /// What it proves itself by.
    pub certificate: Option<Certificate>,
}

impl Opened {
    /// Where it can be reached, as addresses for people.
    pub fn urls(&self) -> Vec<String> {
        let scheme = if self.certificate.is_some() { "https" } else { "http" };
        let name = self.name.iter().map(|name| format!("{scheme}://{name}:{}", self.address.port()));
        let reachable = addresses::reachable(self.address);
        // Who comes from beyond this machine can do nothing with its loopback, where it has other addresses.
        let beyond = |address: &&std::net::SocketAddr| {
            self.listener == Listener::Loopback || !address.ip().is_loopback() || self.address.ip().is_loopback()
        };
        let addresses = reachable.iter().filter(beyond).map(|address| format!("{scheme}://{address}"));
        // The machine's own names lead to some of its addresses, nobody knows which: to all, if it listens on all.
        let own = if self.address.ip().is_unspecified() { addresses::names() } else { Vec::new() };
        let own = own.iter().map(|name| format!("{scheme}://{name}:{}", self.address.port()));
        name.chain(addresses).chain(own).collect()
    }
}

/// Who keeps the passes, for those who come and go.
#[derive(Clone)]
pub(super) struct Reception {
    /// Who lets in.
    pub gate: Gate,
    /// The run loop's ear.
    pub orders: mpsc::Sender<Placed>,
    /// Hangs up on those whose pass is taken back.
    pub entrance: Entrance,
    /// The listeners.
    pub opened: std::sync::Arc<Vec<Opened>>,
}

#[derive(Deserialize)]
#[serde(untagged, deny_unknown_fields)]
enum Coming {
    Code { code: String },
    Token { token: String },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Invitation {
    role: Role,
    #[serde(default)]
    name: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Revocation {
    pass: u32,
}

/// An invitation as it is handed over.
#[derive(Debug, Serialize, Deserialize)]
pub struct Invited {
    /// The number of the pass.
    pub pass: u32,
    /// As what.
    pub role: Role,
    /// Who.
    pub name: String,
    /// The code, as it can be typed.
    pub code: String,
    /// How many minutes it can be used.
    pub minutes: u64,
    /// Where to come, the code included; the first is in the picture.
    pub addresses: Vec<String>,
    /// What the browser should say of the certificate, where nobody vouches for it.
    pub fingerprint: Option<String>,
    /// The first address as a picture for telephones.
    pub picture: Option<String>,
    /// A sentence, where it is not on disk yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unrecorded: Option<String>,
}

/// A pass that was taken back.
#[derive(Debug, Serialize)]
struct Revoked {
    revoked: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    unrecorded: Option<String>,
}

/// The doors as they are listed.
#[derive(Debug, Serialize)]
struct Listing {
    listeners: Vec<ListedListener>,
    passes: Vec<Listed>,
    doors: Vec<ListedDoor>,
}

#[derive(Debug, Serialize)]
struct ListedListener {
    option: &'static str,
    addresses: Vec<String>,
    fingerprint: Option<String>,
}

#[derive(Debug, Serialize)]
struct ListedDoor {
    door: String,
    listeners: Vec<&'static str>,
    whom: String,
    when: &'static str,
    carries: &'static str,
}

impl Reception {
    /// A code, or the operator's token on its own machine, for a cookie.
    pub(super) async fn enter(&self, visit: &Visit, body: &[u8]) -> Result<Response, Refusal> {
        let secret = secret::long().map_err(no_random)?;
        let (admissions, badge) = match read::<Coming>(body, r#"{"code":"ABCD-EFGH-JKMN-PQRS"}"#)? {
            Coming::Code { code } => {
                let entered = self.gate.passes.with(|register| register.enter(&code, &secret, wall_ms()));
                let (entered, badge) = entered.ok_or_else(wrong_code)?;
                if visit.arrived.listener == Listener::LanPlain && badge.role != Role::Hall {
                    // The code has been heard by whoever listens here, so it is spent.
                    self.revoke_pass(badge.pass, &Giver::house()).await?;
                    return Err(Refusal::forbidden(
                        "Anybody on this network can have read that code, so it is worth nothing now. Ask for another, \
                         and come by the encrypted listener.",
                    ));
                }
                (vec![entered], badge)
            }
            // Whoever opens the operator's address again in the same browser is in already, by the pass they have.
            Coming::Token { token } => match visit.asker.badge().filter(|badge| badge.role == Role::Operator) {
                Some(badge) if self.is_the_operators(visit, &token) => return Ok(Json(known_as(badge)).into_response()),
                _ => self.sign_in(visit, &token, &secret)?,
            },
        };
        let by = Giver { role: badge.role.to_string(), pass: Some(badge.pass), name: badge.name.clone() };
        // Who is in is in, on disk or not.
        let _ = self.journal(admissions, by).await?;
        let cookie = cookie(visit.arrived, &secret, COOKIE_SECONDS);
        Ok(([(header::SET_COOKIE, cookie)], Json(known_as(&badge))).into_response())
    }

    /// The token opens on its own machine only.
    fn is_the_operators(&self, visit: &Visit, token: &str) -> bool {
        visit.arrived.listener == Listener::Loopback && self.gate.opens(token)
    }

    fn sign_in(&self, visit: &Visit, token: &str, secret: &str) -> Result<(Vec<Admission>, Badge), Refusal> {
        if !self.is_the_operators(visit, token) {
            return Err(Refusal::wrong_token());
        }
        let code = secret::code().map_err(no_random)?;
        self.gate.passes.with(|register| {
            let invited = register.invite(Role::Operator, "operator.token", &code, wall_ms()).map_err(full)?;
            let (entered, badge) = register.enter(&code, secret, wall_ms()).ok_or_else(wrong_code)?;
            Ok((vec![invited, entered], badge))
        })
    }

    /// The cookie back: its pass is gone.
    pub(super) async fn leave(&self, visit: &Visit) -> Result<Response, Refusal> {
        if let Some(pass) = visit.asker.pass() {
            self.revoke_pass(pass, &by(visit)).await?;
        }
        let gone = cookie(visit.arrived, "", 0);
        Ok((StatusCode::NO_CONTENT, [(header::SET_COOKIE, gone)]).into_response())
    }

    /// A new code.
    pub(super) async fn invite(&self, visit: &Visit, body: &[u8]) -> Result<Response, Refusal> {
        let Invitation { role, name } = read(body, r#"{"role":"hall","name":"Screen at the door"}"#)?;
        let code = secret::code().map_err(no_random)?;
        let invited = self.gate.passes.with(|register| register.invite(role, &name, &code, wall_ms())).map_err(full)?;
        let Admission::Invited { pass, name, .. } = &invited else { return Err(Refusal::ending()) };
        let (pass, name) = (*pass, name.clone());
        let unrecorded = self.journal(vec![invited], by(visit)).await?;
        let invited = Invited { unrecorded, ..self.invitation(pass, role, name, code) };
        Ok((status(invited.unrecorded.as_ref()), Json(invited)).into_response())
    }

    /// Takes a pass back and hangs up on whoever holds it.
    pub(super) async fn revoke(&self, visit: &Visit, body: &[u8]) -> Result<Response, Refusal> {
        let Revocation { pass } = read(body, r#"{"pass":3}"#)?;
        let Some(revoked) = self.revoke_pass(pass, &by(visit)).await? else {
            return Err(Refusal::not_found("There is no such pass: it was taken back before, or never given."));
        };
        Ok((status(revoked.unrecorded.as_ref()), Json(revoked)).into_response())
    }

    /// Doors, listeners and passes.
    pub(super) fn list(&self) -> Response {
        let listeners = self.opened.iter().map(|opened| ListedListener {
            option: opened.listener.option(),
            addresses: opened.urls(),
            fingerprint: opened.certificate.as_ref().map(Certificate::fingerprint),
        });
        let passes = self.gate.passes.with(|register| register.list(wall_ms()));
        let doors = doors::Door::ALL.map(|door| {
            let row = door.row();
            let (place, listeners) = doors::place(row.at);
            let when = match row.timing {
                Timing::Timeless => "",
                Timing::Live => "live",
                Timing::OnAir => "on air",
            };
            ListedDoor { door: place, listeners, whom: doors::whom(row.whom), when, carries: row.carries }
        });
        Json(Listing { listeners: listeners.collect(), passes, doors: doors.into() }).into_response()
    }

    fn invitation(&self, pass: u32, role: Role, name: String, code: String) -> Invited {
        let wanted: &[Listener] = match role {
            Role::Hall => &[Listener::Lan, Listener::LanPlain, Listener::Loopback],
            Role::Arbiter | Role::Operator => &[Listener::Lan, Listener::Loopback],
        };
        let here = |listener| self.opened.iter().filter(move |opened| opened.listener == listener);
        let ways: Vec<&Opened> = wanted.iter().flat_map(|listener| here(*listener)).collect();
        let urls = ways.iter().flat_map(|opened| opened.urls());
        let addresses: Vec<String> = urls.map(|url| format!("{url}/join#{code}")).collect();
        let own = ways.iter().filter_map(|opened| opened.certificate.as_ref());
        let fingerprint = own.filter(|certificate| certificate.is_own()).map(Certificate::fingerprint).next();
        let picture = addresses.first().and_then(|address| picture(address));
        let minutes = super::register::CODE_LIVES_MS / 60_000;
        Invited { pass, role, name, code, minutes, addresses, fingerprint, picture, unrecorded: None }
    }

    /// None if there was no such pass.
    async fn revoke_pass(&self, pass: u32, by: &Giver) -> Result<Option<Revoked>, Refusal> {
        let Some(revoked) = self.gate.passes.with(|register| register.revoke(pass)) else { return Ok(None) };
        self.entrance.expel(pass);
        let unrecorded = self.journal(vec![revoked], by.clone()).await?;
        Ok(Some(Revoked { revoked: pass, unrecorded }))
    }

    /// Gives a sentence where it counts and is not on disk.
    async fn journal(&self, admissions: Vec<Admission>, by: Giver) -> Result<Option<String>, Refusal> {
        let (placed, answered) = Placed::new(Wish::Admissions(admissions), by);
        self.orders.send(placed).await.map_err(|_| Refusal::ending())?;
        match Answer::from(answered.await.map_err(|_| Refusal::ending())?) {
            Answer::Done { .. } => Ok(None),
            Answer::Unrecorded { unrecorded } => Ok(Some(unrecorded)),
            Answer::Refused { refused, .. } => Err(Refusal::new(StatusCode::CONFLICT, refused)),
        }
    }
}

fn status(unrecorded: Option<&String>) -> StatusCode {
    if unrecorded.is_some() { StatusCode::ACCEPTED } else { StatusCode::OK }
}

fn known_as(badge: &Badge) -> serde_json::Value {
    serde_json::json!({ "role": badge.role, "name": badge.name, "pass": badge.pass })
}

fn by(visit: &Visit) -> Giver {
    visit.asker.giver().unwrap_or_else(Giver::house)
}

fn read<'a, T: Deserialize<'a>>(body: &[u8], example: &str) -> Result<T, Refusal> {
    let bad =
        |error: serde_json::Error| Refusal::bad(format!("This can't be read: {error}. Send something like {example}."));
    let Unique(value) = serde_json::from_slice(body).map_err(bad)?;
    T::deserialize(value).map_err(bad)
}

fn wrong_code() -> Refusal {
    let sentence = "This code opens nothing: it was used, is older than an hour, or was mistyped. Ask for a new one.";
    let mut refusal = Refusal::new(StatusCode::UNAUTHORIZED, sentence);
    refusal = refusal.with(header::CACHE_CONTROL, "no-store");
    refusal
}

fn full(sentence: String) -> Refusal {
    Refusal::new(StatusCode::CONFLICT, sentence)
}

#[expect(clippy::needless_pass_by_value, reason = "it stands where an error is mapped")]
pub(super) fn no_random(error: std::io::Error) -> Refusal {
    Refusal::new(StatusCode::SERVICE_UNAVAILABLE, format!("The system gives no random numbers: {error}. Try again."))
}

/// An address as a picture for telephones; none for an address too long for one.
fn picture(address: &str) -> Option<String> {
    let code = QrCode::with_error_correction_level(address, EcLevel::M).ok()?;
    Some(code.render::<svg::Color<'_>>().min_dimensions(240, 240).build())
}
