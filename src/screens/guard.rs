//! Who may knock: the checks every request passes before anything else looks at it.
//!
//! A browser lets any page on the internet send requests to this machine. What gives such a page away is the name it
//! used for us (`Host`, against names bound to our address) and where it came from (`Origin`).

use std::net::IpAddr;

use axum::http::{HeaderMap, header, uri::Authority};

/// The request must call us by a name that can only mean this machine: loopback, or the address it arrived at.
pub(super) fn check_host(headers: &HeaderMap, arrived_at: IpAddr) -> Result<(), String> {
    let host = host(headers).ok_or("The request does not say whom it is for: its Host header is missing.")?;
    let authority: Option<Authority> = host.parse().ok();
    let name = authority.as_ref().map_or("", |authority| authority.host().trim_matches(['[', ']']));
    let is_ours = match name.parse::<IpAddr>() {
        Ok(address) => address.is_loopback() || address == arrived_at,
        Err(_) => name.eq_ignore_ascii_case("localhost"),
    };
    if is_ours {
        return Ok(());
    }
    Err(format!(
        "This daemon is not called \"{}\". Use http://127.0.0.1 with its port, or the address it listens on.",
        host.chars().take(80).collect::<String>()
    ))
}

/// A page may only speak for itself: what it sends comes from our own pages, or from no page at all.
pub(super) fn check_origin(headers: &HeaderMap) -> Result<(), String> {
    let Some(origin) = headers.get(header::ORIGIN) else { return Ok(()) };
    let origin = origin.to_str().unwrap_or_default();
    let from = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
    if from.zip(host(headers)).is_some_and(|(from, host)| from.eq_ignore_ascii_case(host)) {
        return Ok(());
    }
    Err(format!(
        "A page of \"{}\" may not use this daemon. Open the daemon's own pages, or connect from a program.",
        origin.chars().take(80).collect::<String>()
    ))
}

fn host(headers: &HeaderMap) -> Option<&str> {
    headers.get(header::HOST)?.to_str().ok()
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use axum::http::HeaderValue;

    use super::*;

    const LAN: IpAddr = IpAddr::V4(Ipv4Addr::new(192, 168, 1, 5));

    #[test]
    fn only_names_that_can_mean_nobody_else_are_ours() {
        for host in ["127.0.0.1:8064", "127.9.9.9", "localhost:8064", "LOCALHOST", "[::1]:8064", "192.168.1.5:1"] {
            assert_eq!(check_host(&headers(&[("host", host)]), LAN), Ok(()), "{host}");
        }
        for host in ["rebound.example:8064", "localhost.example", "192.168.1.6", "", "a b", "[::2]", "user@x"] {
            assert!(check_host(&headers(&[("host", host)]), LAN).is_err(), "{host}");
        }
        assert!(check_host(&HeaderMap::new(), LAN).is_err(), "no host at all");
    }

    #[test]
    fn only_our_own_pages_and_programs_may_connect() {
        let host = ("host", "127.0.0.1:8064");
        assert_eq!(check_origin(&headers(&[host])), Ok(()), "a program sends no origin");
        for origin in ["http://127.0.0.1:8064", "https://127.0.0.1:8064"] {
            assert_eq!(check_origin(&headers(&[host, ("origin", origin)])), Ok(()), "{origin}");
        }
        for origin in
            ["http://127.0.0.1:8065", "http://127.0.0.1", "http://evil.example", "null", "", "ftp://127.0.0.1:8064"]
        {
            assert!(check_origin(&headers(&[host, ("origin", origin)])).is_err(), "{origin}");
        }
    }

    fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        pairs
            .iter()
            .map(|(name, value)| (name.parse().expect("a header's name"), HeaderValue::from_static(value)))
            .collect()
    }
}
