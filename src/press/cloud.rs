//! Documents as LiveChess's cloud has them, for those who come for them.
//!
//! Pure.

use super::{
    livechess,
    mark::{Mark, Told},
};
use crate::record::{Bulletin, Manner};

/// Which document of which event.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CloudAddress {
    /// The event's name in addresses, or what the cloud calls it.
    event: String,
    leaf: Leaf,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Leaf {
    Tournament,
    Index(u16),
    Games(u16),
    Game(u16, u16),
    GamePgn(u16, u16),
}

impl CloudAddress {
    /// Reads `EVENT/tournament.json`, `EVENT/round-3/index.json` and their like.
    pub fn read(path: &str) -> Option<CloudAddress> {
        let parts = path.split('/').collect::<Vec<_>>();
        let (event, leaf) = match parts[..] {
            [event, "tournament.json"] => (event, Leaf::Tournament),
            [event, round, file] => {
                let round = number(round.strip_prefix("round-")?)?;
                let leaf = match file {
                    "index.json" => Leaf::Index(round),
                    "games.pgn" => Leaf::Games(round),
                    _ => {
                        let (table, kind) = file.strip_prefix("game-")?.split_once('.')?;
                        let table = number(table)?;
                        match kind {
                            "json" => Leaf::Game(round, table),
                            "pgn" => Leaf::GamePgn(round, table),
                            _ => return None,
                        }
                    }
                };
                (event, leaf)
            }
            _ => return None,
        };
        (!event.is_empty()).then(|| CloudAddress { event: event.to_owned(), leaf })
    }

    /// Whether it is of this event.
    pub fn names(&self, event: &str) -> bool {
        self.event == event || self.event == livechess::name_of(event)
    }

    /// Of which round it is; none where it is of all.
    pub fn round(&self) -> Option<u16> {
        match self.leaf {
            Leaf::Tournament => None,
            Leaf::Index(round) | Leaf::Games(round) | Leaf::Game(round, _) | Leaf::GamePgn(round, _) => Some(round),
        }
    }

    /// Whether it is a text and no JSON.
    pub fn is_pgn(&self) -> bool {
        matches!(self.leaf, Leaf::Games(_) | Leaf::GamePgn(..))
    }

    /// The document, if there is one. `wall` says when something happened, in milliseconds of the calendar.
    pub fn write(&self, bulletin: &Bulletin, wall: impl Fn(u64) -> u64) -> Option<String> {
        let marks = bulletin.slips().map(|slip| Mark::whole(slip)).collect::<Vec<_>>();
        let games: Vec<Told<'_>> = bulletin.slips().zip(&marks).collect();
        let last = games.last()?.0.table().table;
        match self.leaf {
            Leaf::Tournament => Some(livechess::tournament(bulletin, &games)),
            Leaf::Index(_) => Some(livechess::index(&games)),
            Leaf::Games(_) => Some(pgn(&games, |_| true)),
            // A board that is not on air leaves a gap, and behind the last there is nothing.
            Leaf::Game(_, table) => {
                (table <= last).then(|| livechess::game(&games, table, bulletin.clocks.get(&table), wall))
            }
            Leaf::GamePgn(_, table) => Some(pgn(&games, |one| one == table)).filter(|text| !text.is_empty()),
        }
    }
}

fn pgn(games: &[Told<'_>], is_one: impl Fn(u16) -> bool) -> String {
    let games = games.iter().filter(|(slip, _)| is_one(slip.table().table));
    let written = games.map(|(slip, mark)| slip.pgn(mark.plies, &mark.result, Manner::LiveChess));
    written.collect::<Vec<_>>().join("\n")
}

fn number(text: &str) -> Option<u16> {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit()) && !text.starts_with('0');
    text.parse().ok().filter(|_| is_plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_those_of_the_cloud_and_no_others() {
        for (path, round, is_pgn) in [
            ("open/tournament.json", None, false),
            ("open/round-3/index.json", Some(3), false),
            ("open/round-3/games.pgn", Some(3), true),
            ("open/round-3/game-12.json", Some(3), false),
            ("open/round-3/game-12.pgn", Some(3), true),
        ] {
            let address = CloudAddress::read(path).expect(path);
            assert_eq!((address.round(), address.is_pgn()), (round, is_pgn), "{path}");
            assert!(address.names("open") && !address.names("youth"));
        }
        let by_name = format!("{}/tournament.json", livechess::name_of("open"));
        assert!(CloudAddress::read(&by_name).expect("the cloud's name").names("open"));
        for path in [
            "",
            "open",
            "/tournament.json",
            "open/index.json",
            "open/round-0/index.json",
            "open/round-3/game-.json",
            "open/round-3/game-01.json",
            "open/round-3/game-70000.json",
            "open/round-3/game-1.exe",
            "a/b/c/d",
        ] {
            assert_eq!(CloudAddress::read(path), None, "{path}");
        }
    }
}
