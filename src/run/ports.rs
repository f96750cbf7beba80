//! Which board is behind which port at the moment.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

/// The boards that can be heard, each behind the port that named it last.
#[derive(Debug, Default)]
pub(super) struct Ports {
    boards: BTreeMap<Arc<str>, String>,
    /// The same of ports at which a board answers as well that has named itself elsewhere since.
    older: BTreeMap<Arc<str>, String>,
    /// Which board was heard last at a port, also when it can't be any more.
    last: BTreeMap<Arc<str>, String>,
}

impl Ports {
    /// A board has said who it is. Gives the other port that says so too: two can't both be right, and the newer one
    /// counts.
    pub(super) fn found(&mut self, port: &Arc<str>, serial: &str) -> Option<Arc<str>> {
        let other = self.boards.iter().find(|(other, known)| *other != port && *known == serial);
        let other = other.map(|(other, _)| Arc::clone(other));
        self.boards.retain(|_, known| known != serial);
        self.older.remove(port);
        self.older.extend(other.iter().map(|other| (Arc::clone(other), serial.to_owned())));
        self.boards.insert(Arc::clone(port), serial.to_owned());
        self.last.insert(Arc::clone(port), serial.to_owned());
        other
    }

    /// The board behind a port has gone. Gives the older port at which it answers still, if there is one: that counts.
    pub(super) fn lost(&mut self, port: &str) -> Option<Arc<str>> {
        self.older.remove(port);
        let serial = self.boards.remove(port)?;
        let older = self.older.iter().find(|(_, known)| **known == serial).map(|(older, _)| Arc::clone(older))?;
        self.older.remove(&older);
        self.boards.insert(Arc::clone(&older), serial);
        Some(older)
    }

    /// The board that was heard last at this port.
    pub(super) fn last_at(&self, port: &str) -> Option<&String> {
        self.last.get(port)
    }

    pub(super) fn board(&self, port: &str) -> Option<&String> {
        self.boards.get(port)
    }

    pub(super) fn port(&self, board: &str) -> Option<&str> {
        self.boards.iter().find(|(_, known)| *known == board).map(|(port, _)| &**port)
    }

    /// All boards that can be heard.
    pub(super) fn boards(&self) -> impl Iterator<Item = &String> {
        self.boards.values()
    }

    /// How many boards were heard in this run.
    pub(super) fn known(&self) -> usize {
        self.last.values().collect::<BTreeSet<_>>().len()
    }

    pub(super) fn count(&self) -> usize {
        self.boards.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_boards_that_swap_sockets_are_known_by_their_numbers() {
        let (a, b) = (Arc::from("/dev/a"), Arc::from("/dev/b"));
        let mut ports = Ports::default();
        assert_eq!((ports.found(&a, "1"), ports.found(&b, "2")), (None, None));
        ports.lost(&a);
        ports.lost(&b);
        assert_eq!((ports.found(&a, "2"), ports.found(&b, "1")), (None, None));
        assert_eq!((ports.port("1"), ports.port("2")), (Some("/dev/b"), Some("/dev/a")));
    }

    #[test]
    fn a_board_that_comes_back_before_its_old_port_has_ended_is_at_the_new_one() {
        let (old, new) = (Arc::from("/dev/ttyUSB0"), Arc::from("/dev/ttyUSB1"));
        let mut ports = Ports::default();
        ports.found(&old, "1");
        assert_eq!(ports.found(&new, "1"), Some(old));
        assert_eq!(ports.board("/dev/ttyUSB0"), None, "what the old port still says is nobody's word");
        assert_eq!(ports.lost("/dev/ttyUSB0"), None);
        assert_eq!(ports.port("1"), Some("/dev/ttyUSB1"));
        assert_eq!(ports.lost("/dev/ttyUSB1"), None);
        assert_eq!(ports.count(), 0);
    }

    #[test]
    fn a_board_at_two_ports_is_heard_at_the_older_one_when_the_newer_goes() {
        let (cable, radio) = (Arc::from("/dev/ttyUSB0"), Arc::from("/dev/rfcomm0"));
        let mut ports = Ports::default();
        ports.found(&radio, "1");
        ports.found(&cable, "1");
        assert_eq!(ports.lost("/dev/ttyUSB0"), Some(Arc::clone(&radio)));
        assert_eq!((ports.port("1"), ports.count()), (Some("/dev/rfcomm0"), 1));
        ports.found(&cable, "1");
        assert_eq!(ports.found(&radio, "2"), None, "another board is there by now");
        assert_eq!(ports.lost("/dev/ttyUSB0"), None);
    }
}
