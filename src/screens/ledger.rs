//! The ledger: how many connections each address has, and how many of them have not yet said what they want.

use std::{
    collections::HashMap,
    net::{IpAddr, Ipv6Addr},
    sync::{Arc, Mutex, PoisonError},
};

use super::asker::Listener;

/// How many connections of one address may take their time with their first request.
const UNDECIDED: usize = 256;

/// Who is there. Cheap to clone; all clones are one.
#[derive(Clone, Debug, Default)]
pub(super) struct Ledger(Arc<Mutex<HashMap<Counted, usize>>>);

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Counted {
    /// Connections of an address at a listener.
    Crowd(Listener, IpAddr),
    /// Those of an address that have asked for nothing yet, at all listeners together.
    Undecided(IpAddr),
}

/// One that is counted, for as long as this is kept.
#[derive(Debug)]
pub(super) struct Place {
    ledger: Ledger,
    line: Counted,
}

impl Ledger {
    /// One more connection of `address`; `None` where it has as many as it may.
    pub(super) fn enter(&self, listener: Listener, address: IpAddr) -> Option<Place> {
        self.count(Counted::Crowd(listener, household(address)), listener.crowd().unwrap_or(usize::MAX))
    }

    /// One more of `address` that takes its time; `None` where too many do.
    pub(super) fn dawdle(&self, address: IpAddr) -> Option<Place> {
        self.count(Counted::Undecided(household(address)), UNDECIDED)
    }

    fn count(&self, line: Counted, most: usize) -> Option<Place> {
        let mut lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let count = lines.entry(line).or_default();
        if *count >= most {
            return None;
        }
        *count += 1;
        Some(Place { ledger: self.clone(), line })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut lines = self.ledger.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(count) = lines.get_mut(&self.line) else { return };
        *count -= 1;
        if *count == 0 {
            lines.remove(&self.line);
        }
    }
}

/// Whoever has one address of IPv6 has all of its /64.
fn household(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
        }
        address @ IpAddr::V4(_) => address,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_so_many_places_and_another_has_its_own() {
        let (ledger, one) = (Ledger::default(), ip("198.51.100.7"));
        let mut places: Vec<Place> = (0..50).map(|_| ledger.enter(Listener::Public, one).expect("room")).collect();
        assert!(ledger.enter(Listener::Public, one).is_none());
        assert!(ledger.enter(Listener::Public, ip("198.51.100.8")).is_some());
        assert!(ledger.enter(Listener::Lan, one).is_some(), "another listener");
        places.pop();
        assert!(ledger.enter(Listener::Public, one).is_some(), "a place that is left is free");
    }

    #[test]
    fn this_machine_may_come_as_often_as_it_likes_but_not_dawdle() {
        let (ledger, here) = (Ledger::default(), ip("127.0.0.1"));
        let places: Vec<_> = (0..5_000).map(|_| ledger.enter(Listener::Loopback, here)).collect();
        assert!(places.iter().all(Option::is_some));
        let dawdlers: Vec<_> = (0..UNDECIDED).map(|_| ledger.dawdle(here)).collect();
        assert!(dawdlers.iter().all(Option::is_some) && ledger.dawdle(here).is_none());
    }

    #[test]
    fn a_household_is_one_address_and_nothing_is_kept_of_those_who_left() {
        let ledger = Ledger::default();
        let places: Vec<_> =
            (0..50).map(|host| ledger.enter(Listener::Public, ip(&format!("2001:db8::{host:x}")))).collect();
        assert!(places.iter().all(Option::is_some));
        assert!(ledger.enter(Listener::Public, ip("2001:db8::ffff")).is_none());
        drop(places);
        assert!(ledger.0.lock().expect("nobody panicked").is_empty());
    }

    fn ip(text: &str) -> IpAddr {
        text.parse().expect("an address")
    }
}
