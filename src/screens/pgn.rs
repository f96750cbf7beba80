//! Which games a PGN address asks for. The games themselves come from the [`Library`] the daemon hands in.

use std::num::NonZeroU16;

use protocol::feed::{Address, Staff, TableId};

use crate::{
    press::CloudAddress,
    record::{Report, papers::Paper},
};

/// What stands behind `/pgn` in an address.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PgnAddress {
    /// `/pgn`: the round that is open.
    All,
    /// `/pgn/TABLE`: a table of the round that is open.
    Table(u16),
    /// `/pgn/EVENT`: all rounds of an event.
    Event(String),
    /// `/pgn/EVENT/ROUND`.
    Round {
        /// The event's name in addresses.
        event: String,
        /// From 1.
        round: u16,
    },
    /// `/pgn/EVENT/ROUND/TABLE`: all games of a table.
    Game(TableId),
    /// `/pgn/EVENT/ROUND/TABLE/GAME`.
    One(TableId, u32),
}

/// Where games are kept.
pub trait Library: Send + Sync {
    /// The games as PGN, or a sentence that says why there are none.
    fn pgn(&self, address: &PgnAddress) -> Result<String, String>;

    /// The report file of an event with its results, or a sentence that says why there is none.
    fn report(&self, event: &str) -> Result<Report, String>;

    /// The games with what happened beside the moves as comments, for one of the staff.
    fn annotated(&self, address: &PgnAddress, reader: Staff) -> Result<String, String>;

    /// A paper for one of the staff, or a sentence that says why there is none.
    fn paper(&self, paper: &Paper, reader: Staff) -> Result<String, String>;

    /// A number that is another whenever the games at this address may be others.
    fn edition(&self, address: &PgnAddress) -> u64;

    /// When they became so, in milliseconds since 1970, where that is known.
    fn changed(&self, _: &PgnAddress) -> Option<u64> {
        None
    }

    /// A document as LiveChess's cloud has it, where this library has such.
    fn cloud(&self, _: &CloudAddress) -> Option<String> {
        None
    }

    /// The same of a document of the cloud; none where there is no such event.
    fn cloud_edition(&self, _: &CloudAddress) -> Option<u64> {
        None
    }

    /// When it became so.
    fn cloud_changed(&self, _: &CloudAddress) -> Option<u64> {
        None
    }
}

impl PgnAddress {
    /// Reads what stands behind `/pgn`. A trailing `.pgn` is allowed, as programs like to see one.
    pub(super) fn read(rest: &str) -> Result<PgnAddress, String> {
        let rest = rest.trim_matches('/');
        let rest = rest.strip_suffix(".pgn").unwrap_or(rest);
        let parts: Vec<&str> = if rest.is_empty() { Vec::new() } else { rest.split('/').collect() };
        let address = match parts[..] {
            [] => Some(PgnAddress::All),
            [one] if one.bytes().all(|letter| letter.is_ascii_digit()) => {
                one.parse().ok().map(NonZeroU16::get).map(PgnAddress::Table)
            }
            [event] => format!("{event}/1/1").parse().ok().map(|first: TableId| PgnAddress::Event(first.event)),
            // A round is where its first table is.
            [event, round] => format!("{event}/{round}/1")
                .parse()
                .ok()
                .map(|first: TableId| PgnAddress::Round { event: first.event, round: first.round }),
            [_, _, _] => rest.parse().ok().map(PgnAddress::Game),
            [_, _, _, _] => rest.parse().ok().and_then(|at: Address| Some(PgnAddress::One(at.table, at.game?))),
            _ => None,
        };
        address.ok_or_else(|| {
            "This address names no games. Write /pgn for the round that is open, /pgn/TABLE for a table of it, /pgn/EVENT, \
             /pgn/EVENT/ROUND, /pgn/EVENT/ROUND/TABLE or /pgn/EVENT/ROUND/TABLE/GAME, as in /pgn/open/3/12."
                .to_owned()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_names_all_a_table_a_round_or_a_game() {
        let game = TableId { event: "open".into(), round: 3, table: 12 };
        let round = PgnAddress::Round { event: "open".into(), round: 3 };
        for (rest, expected) in [
            ("", PgnAddress::All),
            ("/", PgnAddress::All),
            ("/12", PgnAddress::Table(12)),
            ("/12.pgn", PgnAddress::Table(12)),
            ("/open/3", round),
            ("/open/3/12.pgn", PgnAddress::Game(game.clone())),
            ("/open", PgnAddress::Event("open".into())),
            ("/open/3/12/2", PgnAddress::One(game, 2)),
        ] {
            assert_eq!(PgnAddress::read(rest), Ok(expected), "{rest}");
        }
    }

    #[test]
    fn what_names_no_games_gets_a_sentence() {
        for rest in ["/0", "/..", "/../3", "/open/0", "/open/3/0", "/open/3/12/0", "/open/3/12/1/1", "/open//12"] {
            let sentence = PgnAddress::read(rest).expect_err(rest);
            assert!(sentence.contains("/pgn/open/3/12"), "{sentence}");
        }
    }
}
