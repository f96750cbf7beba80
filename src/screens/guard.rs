//! Who may knock: the checks every request passes before anything else looks at it.
//!
//! A browser lets any page on the internet send requests to this machine. What gives such a page away is the name it
//! used for us (`Host`, against names that can only mean this machine) and where it came from (`Origin`). What a proxy
//! or a browser could read differently than we do is refused, not interpreted.

use std::net::IpAddr;

use axum::http::{HeaderMap, HeaderName, Request, Version, header, uri::Authority};

use super::asker::Listener;

/// What proxies write on what they hand on.
const FORWARDING: [&str; 7] = [
    "forwarded",
    "x-forwarded-for",
    "x-forwarded-host",
    "x-forwarded-proto",
    "x-forwarded-port",
    "x-forwarded-server",
    "x-real-ip",
];

/// From what page a request comes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Page {
    /// From a program, or from a browser that went there itself.
    None,
    /// From one of our own.
    Ours,
    /// From somebody else's page, at this origin.
    Theirs(String),
}

/// The request says once, and in one way, whom it is for and where it comes from.
pub(super) fn check_form<B>(request: &Request<B>) -> Result<(), String> {
    for name in [header::HOST, header::ORIGIN] {
        if request.headers().get_all(&name).iter().count() > 1 {
            return Err(format!("The request has more than one {name} header. Send one."));
        }
    }
    if let Some(asked) = request.uri().authority()
        && host(request.headers()).is_none_or(|host| !host.eq_ignore_ascii_case(asked.as_str()))
    {
        return Err("The request's address names another host than its Host header. Send the path alone.".to_owned());
    }
    if request.version() != Version::HTTP_11 && request.headers().contains_key(header::UPGRADE) {
        return Err("Only HTTP/1.1 can be upgraded to the feed. Connect with HTTP/1.1.".to_owned());
    }
    Ok(())
}

/// The request must call us by a name that can only mean this machine: loopback, the address it arrived at, or one of
/// the names it is `known` by.
pub(super) fn check_host(headers: &HeaderMap, arrived_at: IpAddr, known: &[String]) -> Result<(), String> {
    let host = host(headers).ok_or("The request does not say whom it is for: its Host header is missing.")?;
    let authority: Option<Authority> = host.parse().ok();
    // `user@host` is an authority too, and no host a browser would send.
    let plain = authority.as_ref().filter(|authority| !authority.as_str().contains('@'));
    let name = plain.map_or("", |authority| authority.host().trim_matches(['[', ']']));
    let is_known = known.iter().any(|known| known.eq_ignore_ascii_case(name));
    let is_ours = match name.parse::<IpAddr>() {
        Ok(address) => address.is_loopback() || address.to_canonical() == arrived_at,
        Err(_) => name.eq_ignore_ascii_case("localhost"),
    };
    if is_ours || (is_known && !name.is_empty()) {
        return Ok(());
    }
    Err(format!(
        "This daemon is not called \"{}\". Use http://127.0.0.1 with its port, or the address it listens on; a name of \
         its own belongs into `names` of its configuration.",
        clipped(host)
    ))
}

/// Nothing was handed on by a proxy, but by the public listener: behind a proxy everybody looks like this machine.
pub(super) fn check_forwarding(headers: &HeaderMap, listener: Listener) -> Result<(), String> {
    let handed_on = FORWARDING.iter().find(|name| headers.contains_key(**name));
    match handed_on {
        Some(name) if listener != Listener::Public => Err(format!(
            "This request was handed on by a proxy (it has {name}), and whoever comes through a proxy looks like the \
             proxy. Let it hand on to a listener opened with --public ADDR:PORT: that is the only one made for it."
        )),
        Some(_) | None => Ok(()),
    }
}

/// From what page the request comes.
pub(super) fn page_of(headers: &HeaderMap, is_tls: bool) -> Page {
    let Some(origin) = headers.get(header::ORIGIN) else { return Page::None };
    let origin = origin.to_str().unwrap_or_default();
    // Behind a proxy that speaks TLS for the public listener a page of ours has another scheme than the request.
    let schemes: &[&str] = if is_tls { &["https://"] } else { &["http://", "https://"] };
    let ours = schemes.iter().find_map(|scheme| origin.strip_prefix(scheme));
    if ours.zip(host(headers)).is_some_and(|(from, host)| from.eq_ignore_ascii_case(host)) {
        return Page::Ours;
    }
    Page::Theirs(origin.to_owned())
}

/// What a page of somebody else is told.
pub(super) fn foreign(origin: &str) -> String {
    format!(
        "A page of \"{}\" may not use this daemon. Open the daemon's own pages, connect from a program, or list the \
         page's address in `origins` of the configuration: feed and snapshot are then lent to it.",
        clipped(origin)
    )
}

/// Who is really at the other end: what the proxies named in the configuration say, from the last to the first that is
/// none of them. What anybody else writes there is not looked at.
pub(super) fn client(headers: &HeaderMap, peer: IpAddr, proxies: &[IpAddr]) -> IpAddr {
    let mut client = peer;
    let name = HeaderName::from_static("x-forwarded-for");
    let listed = headers.get_all(name).iter().filter_map(|value| value.to_str().ok()).collect::<Vec<_>>().join(",");
    for hop in listed.rsplit(',') {
        if !proxies.contains(&client) {
            break;
        }
        let Ok(address) = hop.trim().trim_matches(['[', ']']).parse::<IpAddr>() else { break };
        client = address.to_canonical();
    }
    client
}

fn host(headers: &HeaderMap) -> Option<&str> {
    headers.get(header::HOST)?.to_str().ok()
}

fn clipped(text: &str) -> String {
    text.chars().take(80).collect()
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use axum::http::HeaderValue;

    use super::*;

    const LAN: IpAddr = IpAddr::V4(Ipv4Addr::new(192, 168, 1, 5));

    #[test]
    fn only_names_that_can_mean_nobody_else_are_ours() {
        let known = ["Hall.local".to_owned()];
        let check = |host| check_host(&headers(&[("host", host)]), LAN, &known);
        for host in [
            "127.0.0.1:8064",
            "127.9.9.9",
            "localhost:8064",
            "LOCALHOST",
            "[::1]:8064",
            "192.168.1.5:1",
            "hall.LOCAL:8443",
        ] {
            assert_eq!(check(host), Ok(()), "{host}");
        }
        for host in
            ["rebound.example:8064", "localhost.example", "192.168.1.6", "", "a b", "[::2]", "user@x", "x@localhost"]
        {
            assert!(check(host).is_err(), "{host}");
        }
        assert!(check_host(&HeaderMap::new(), LAN, &known).is_err(), "no host at all");
    }

    #[test]
    fn only_our_own_pages_and_programs_may_connect() {
        let host = ("host", "127.0.0.1:8064");
        assert_eq!(page_of(&headers(&[host]), false), Page::None, "a program sends no origin");
        for origin in ["http://127.0.0.1:8064", "https://127.0.0.1:8064"] {
            assert_eq!(page_of(&headers(&[host, ("origin", origin)]), false), Page::Ours, "{origin}");
        }
        assert!(matches!(page_of(&headers(&[host, ("origin", "http://127.0.0.1:8064")]), true), Page::Theirs(_)));
        for origin in
            ["http://127.0.0.1:8065", "http://127.0.0.1", "http://evil.example", "null", "", "ftp://127.0.0.1:8064"]
        {
            let page = page_of(&headers(&[host, ("origin", origin)]), false);
            assert_eq!(page, Page::Theirs(origin.to_owned()), "{origin}");
        }
    }

    #[test]
    fn a_request_that_could_be_read_in_two_ways_is_refused() {
        let request = |uri: &str, version| {
            let mut request = Request::new(());
            *request.uri_mut() = uri.parse().expect("an address");
            *request.version_mut() = version;
            *request.headers_mut() = headers(&[("host", "127.0.0.1"), ("upgrade", "websocket")]);
            request
        };
        assert_eq!(check_form(&request("/", Version::HTTP_11)), Ok(()));
        assert_eq!(check_form(&request("http://127.0.0.1/", Version::HTTP_11)), Ok(()));
        assert!(check_form(&request("http://evil.example/", Version::HTTP_11)).is_err());
        assert!(check_form(&request("/", Version::HTTP_10)).is_err());
        for name in [header::HOST, header::ORIGIN] {
            let mut twice = request("/", Version::HTTP_11);
            twice.headers_mut().append(&name, HeaderValue::from_static("127.0.0.1"));
            twice.headers_mut().append(&name, HeaderValue::from_static("evil.example"));
            assert!(check_form(&twice).is_err(), "{name}");
        }
    }

    #[test]
    fn what_a_proxy_hands_on_belongs_to_the_public_listener() {
        for name in FORWARDING {
            let headers = headers(&[(name, "192.0.2.1")]);
            for listener in [Listener::Loopback, Listener::Lan, Listener::LanPlain] {
                let refused = check_forwarding(&headers, listener).expect_err(name);
                assert!(refused.contains("--public ADDR:PORT"), "{refused}");
            }
            assert_eq!(check_forwarding(&headers, Listener::Public), Ok(()));
        }
    }

    #[test]
    fn only_a_proxy_that_is_named_says_who_is_at_the_other_end() {
        let ip = |text: &str| text.parse::<IpAddr>().expect("an address");
        let proxies = [ip("127.0.0.1"), ip("10.0.0.1")];
        let seen = |peer, listed| client(&headers(&[("x-forwarded-for", listed)]), ip(peer), &proxies);
        assert_eq!(seen("127.0.0.1", "198.51.100.7"), ip("198.51.100.7"));
        assert_eq!(seen("127.0.0.1", "1.1.1.1, 198.51.100.7, 10.0.0.1"), ip("198.51.100.7"));
        assert_eq!(seen("203.0.113.9", "198.51.100.7"), ip("203.0.113.9"), "nobody knows this one");
        assert_eq!(seen("127.0.0.1", "nonsense"), ip("127.0.0.1"));
        assert_eq!(client(&HeaderMap::new(), ip("127.0.0.1"), &proxies), ip("127.0.0.1"));
    }

    fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        pairs
            .iter()
            .map(|(name, value)| (name.parse().expect("a header's name"), HeaderValue::from_static(value)))
            .collect()
    }
}
