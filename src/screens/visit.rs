//! A visit: one request, from the knock to the door that opens. Everything that is asked passes through here first.

use std::{
    net::{IpAddr, SocketAddr},
    sync::{Arc, Mutex, PoisonError},
};

use axum::http::{HeaderMap, HeaderValue, Method, Request, StatusCode, header};

use super::{
    asker::{Asker, Listener, Misplaced, Shown},
    doors::{self, Door, Route, Shut},
    guard::{self, Page},
    ledger::Place,
    refusal::Refusal,
    register::Register,
    token::OperatorToken,
};

/// A page can't set headers on a WebSocket, but it can offer a protocol. So the token never stands in an address,
/// where logs and histories would keep it.
const OPERATOR_PROTOCOL: &str = "escaque.operator.";

/// How a connection came; `serve` puts it into each of its requests.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arrived {
    pub(super) listener: Listener,
    /// The address of ours that it came to.
    pub(super) at: SocketAddr,
    /// Who is at the other end of the connection.
    pub(super) peer: IpAddr,
    pub(super) is_tls: bool,
}

/// The place a connection takes up. Whoever stays when the connection has become a feed takes it along.
#[derive(Clone, Debug)]
pub(super) struct Seat(pub(super) Arc<Mutex<Option<Place>>>);

impl Seat {
    pub(super) fn take(&self) -> Option<Place> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// What the configuration says of names, pages and proxies.
#[derive(Clone, Debug, Default)]
pub struct Manners {
    /// What this machine is called, beside its addresses.
    pub names: Vec<String>,
    /// Origins of pages that feed and snapshot are lent to.
    pub origins: Vec<String>,
    /// Proxies that may say for whom they ask, at the public listener.
    pub proxies: Vec<IpAddr>,
}

/// The passes, for all who look them up. Cheap to clone; all clones are one.
#[derive(Clone, Debug, Default)]
pub struct Passes(Arc<Mutex<Register>>);

impl Passes {
    /// Those of the register.
    pub fn new(register: Register) -> Passes {
        Passes(Arc::new(Mutex::new(register)))
    }

    pub(super) fn with<T>(&self, act: impl FnOnce(&mut Register) -> T) -> T {
        act(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Who decides whether a visit goes on. Cheap to clone.
#[derive(Clone)]
pub struct Gate {
    token: OperatorToken,
    pub(super) passes: Passes,
    pub(super) manners: Arc<Manners>,
}

/// A request that came through.
#[derive(Clone, Debug)]
pub(super) struct Visit {
    pub(super) arrived: Arrived,
    pub(super) asker: Asker,
    pub(super) door: Door,
    /// For whom a proxy asks, or who is at the other end.
    pub(super) client: IpAddr,
    /// The origin of the page that door is lent to.
    pub(super) lent_to: Option<HeaderValue>,
}

impl Gate {
    /// A gate for those who know the token or hold a pass.
    pub fn new(token: OperatorToken, passes: Passes, manners: Manners) -> Gate {
        Gate { token, passes, manners: Arc::new(manners) }
    }

    /// The one way in.
    pub(super) fn receive<B>(&self, request: &Request<B>) -> Result<Visit, Refusal> {
        let headers = request.headers();
        let arrived = arrived(request)?;
        guard::check_form(request).map_err(Refusal::bad)?;
        guard::check_host(headers, arrived.at.ip().to_canonical(), &self.manners.names).map_err(Refusal::forbidden)?;
        guard::check_forwarding(headers, arrived.listener).map_err(Refusal::forbidden)?;

        let route = Route::of(request.uri().path());
        let page = guard::page_of(headers, arrived.is_tls);
        let lent_to = self.lent_to(&page, route, headers)?;
        let shown = self.shown(headers, arrived);
        let is_dead = shown == Shown::DeadPass;
        let asker = Asker::of(arrived.listener, shown).map_err(misplaced)?;
        let asker = if lent_to.is_some() { asker.through_a_foreign_page() } else { asker };
        let door = doors::open(route, &asker).map_err(|shut| shut_for(shut, &asker, is_dead))?;
        check_method(route, request.method())?;
        // A browser sends the cookie along whoever made the page; it always says which page that was.
        if route.is_posted() && asker.pass().is_some() && page == Page::None {
            return Err(Refusal::forbidden("Whoever orders by a cookie says from which page: the Origin is missing."));
        }
        let client = guard::client(headers, arrived.peer, self.proxies_at(arrived.listener));
        Ok(Visit { arrived, asker, door, client, lent_to })
    }

    /// The same for what a browser asks before it lets a page ask: whether `origin` may use the address at all.
    pub(super) fn receive_preflight<B>(&self, request: &Request<B>) -> Result<HeaderValue, Refusal> {
        let headers = request.headers();
        let arrived = arrived(request)?;
        guard::check_form(request).map_err(Refusal::bad)?;
        guard::check_host(headers, arrived.at.ip().to_canonical(), &self.manners.names).map_err(Refusal::forbidden)?;
        guard::check_forwarding(headers, arrived.listener).map_err(Refusal::forbidden)?;
        let page = guard::page_of(headers, arrived.is_tls);
        let lent = self.lent_to(&page, Route::of(request.uri().path()), headers)?;
        // Whoever asks for no such page is told what the address knows, if it is there for them.
        lent.ok_or_else(|| self.receive(request).err().unwrap_or_else(nothing_here))
    }

    /// What clears a cookie that opens nothing any more, so that the browser begins anew.
    pub(super) fn clearing<B>(&self, request: &Request<B>) -> Option<HeaderValue> {
        let arrived = arrived(request).ok()?;
        let is_dead = arrived.listener != Listener::Public
            && token_shown(request.headers()).is_none()
            && self.shown(request.headers(), arrived) == Shown::DeadPass;
        is_dead.then(|| cookie(arrived, "", 0))
    }

    pub(super) fn opens(&self, token: &str) -> bool {
        self.token.opens(token)
    }

    pub(super) fn proxies_at(&self, listener: Listener) -> &[IpAddr] {
        if listener == Listener::Public { &self.manners.proxies } else { &[] }
    }

    fn lent_to(&self, page: &Page, route: Route, headers: &HeaderMap) -> Result<Option<HeaderValue>, Refusal> {
        let Page::Theirs(origin) = page else { return Ok(None) };
        let is_listed = self.manners.origins.iter().any(|listed| listed.eq_ignore_ascii_case(origin));
        if is_listed && route.is_lent() {
            return Ok(headers.get(header::ORIGIN).cloned());
        }
        Err(Refusal::forbidden(guard::foreign(origin)))
    }

    /// What came with the request. At the public listener nothing is looked at.
    fn shown(&self, headers: &HeaderMap, arrived: Arrived) -> Shown {
        if arrived.listener == Listener::Public {
            return Shown::Nothing;
        }
        if let Some(offered) = token_shown(headers) {
            return if self.token.opens(offered) { Shown::Token } else { Shown::WrongToken };
        }
        match cookie_shown(headers, arrived) {
            None => Shown::Nothing,
            Some(cookie) => self.passes.with(|register| register.holder(cookie)).map_or(Shown::DeadPass, Shown::Pass),
        }
    }
}

/// The protocol of a handshake that carries a token, which has to be agreed to.
pub(super) fn operator_protocol(headers: &HeaderMap) -> Option<&str> {
    let offered = headers.get_all(header::SEC_WEBSOCKET_PROTOCOL).iter().filter_map(|value| value.to_str().ok());
    offered.flat_map(|list| list.split(',')).map(str::trim).find(|one| one.starts_with(OPERATOR_PROTOCOL))
}

/// A cookie for this daemon, and for the listener it was asked at: no page can read it, no other site can send it.
pub(super) fn cookie(arrived: Arrived, secret: &str, seconds: u32) -> HeaderValue {
    let (name, secure) = (cookie_name(arrived), if arrived.is_tls { "; Secure" } else { "" });
    let text = format!("{name}={secret}; Path=/; HttpOnly; SameSite=Strict; Max-Age={seconds}{secure}");
    HeaderValue::from_str(&text).expect("hexadecimal and fixed words may stand in a header")
}

/// Browsers give a cookie to all ports of a machine, so two daemons must not call theirs the same.
fn cookie_name(arrived: Arrived) -> String {
    let prefix = if arrived.is_tls { "__Host-" } else { "" };
    format!("{prefix}escaque-{}", arrived.at.port())
}

fn cookie_shown(headers: &HeaderMap, arrived: Arrived) -> Option<&str> {
    let name = cookie_name(arrived);
    let mut cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    cookies.find_map(|list| {
        let mut pairs = list.split(';').filter_map(|pair| pair.trim().split_once('='));
        pairs.find(|(key, _)| *key == name).map(|(_, value)| value)
    })
}

fn token_shown(headers: &HeaderMap) -> Option<&str> {
    operator_protocol(headers).map(|protocol| &protocol[OPERATOR_PROTOCOL.len()..]).or_else(|| bearer(headers))
}

/// What stands behind `Bearer` in the `Authorization` header.
fn bearer(headers: &HeaderMap) -> Option<&str> {
    let (scheme, token) = headers.get(header::AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

fn arrived<B>(request: &Request<B>) -> Result<Arrived, Refusal> {
    let unknown = || Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, "The request came by no known way.");
    request.extensions().get::<Arrived>().copied().ok_or_else(unknown)
}

fn misplaced(misplaced: Misplaced) -> Refusal {
    match misplaced {
        Misplaced::WrongToken => Refusal::wrong_token(),
        Misplaced::TokenFromAfar => Refusal::forbidden(
            "The operator's token opens on the daemon's own machine only. From elsewhere come by a code: \
             `escaque invite operator` shows one.",
        ),
        Misplaced::InTheClear => Refusal::forbidden(
            "Anybody on this network can listen in here, so it is for the hall only. Arbiter and operator come by the \
             encrypted listener: start the daemon with --lan ADDR:PORT.",
        ),
    }
}

fn shut_for(shut: Shut, asker: &Asker, is_dead: bool) -> Refusal {
    match (shut, asker) {
        (Shut::NotHere, Asker::Known(Listener::LanPlain, ..) | Asker::Stranger(Listener::LanPlain)) => {
            misplaced(Misplaced::InTheClear)
        }
        (Shut::NotHere, _) => nothing_here(),
        (Shut::Unknown, _) if is_dead => Refusal::new(
            StatusCode::UNAUTHORIZED,
            "This pass was taken back, or is of another daemon. Ask the operator for a new code, and open /join.",
        ),
        (Shut::Unknown, _) => Refusal::new(
            StatusCode::UNAUTHORIZED,
            "This is for those who were invited. Ask the operator for a code, and open /join.",
        ),
        // At the daemon's own machine the token is all that is missing.
        (Shut::NotTheirs, Asker::Known(Listener::Loopback, _, None)) => Refusal::wrong_token(),
        (Shut::NotTheirs, _) => Refusal::forbidden("Your pass is not for this. Ask the operator for another."),
    }
}

pub(super) fn nothing_here() -> Refusal {
    Refusal::not_found(
        "There is no such page. The wall is at /, a table at /table/EVENT/ROUND/TABLE, the feed at /feed.",
    )
}

fn check_method(route: Route, method: &Method) -> Result<(), Refusal> {
    let is_right =
        if route.is_posted() { method == Method::POST } else { [Method::GET, Method::HEAD].contains(method) };
    if is_right {
        return Ok(());
    }
    let (sentence, allowed) = match (route, route.is_posted()) {
        (_, true) => ("This address is posted to: send a POST.", "POST"),
        (Route::Pages, false) => ("Pages can only be read. Orders go to POST /command.", "GET, HEAD"),
        (_, false) => ("This address can only be read.", "GET, HEAD"),
    };
    Err(Refusal::new(StatusCode::METHOD_NOT_ALLOWED, sentence).with(header::ALLOW, allowed))
}
