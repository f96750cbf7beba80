//! The library: what the doors hand out as PGN, as the book has it.

use std::sync::{
    Arc, Mutex, PoisonError,
    atomic::{AtomicBool, Ordering},
};

use protocol::feed::{Staff, TableId};

use super::bulletins::Bulletins;
use crate::{
    press::{CloudAddress, Source as _},
    record::{
        Book, Editions, Report,
        papers::{Day, Desk, Dress, Paper},
    },
    screens::{Air, Library, PgnAddress},
};

/// What the doors hand out as PGN. `/pgn` and `/pgn/TABLE` mean the round that was opened last.
pub(super) struct Shown {
    pub(super) book: Arc<Mutex<Book>>,
    /// All the past is in the book.
    pub(super) whole: Arc<AtomicBool>,
    /// What the clock on the wall reads at this moment.
    pub(super) day: Box<dyn Fn() -> Day + Send + Sync>,
}

/// Where papers find their style.
const STYLE: &str = "/report/print.css";

impl Library for Shown {
    fn pgn(&self, address: &PgnAddress) -> Result<String, String> {
        let book = self.book.lock().unwrap_or_else(PoisonError::into_inner);
        let text = meant(book.open(), address).map(|meant| match meant {
            Meant::Round(event, round) => book.round_pgn(&event, round),
            Meant::Table(table) => book.table_pgn(&table),
            Meant::Event(event) => book.event_pgn(&event),
            Meant::Game(table, game) => book.game_pgn(&table, game),
        });
        some(text, &self.whole)
    }

    fn report(&self, event: &str) -> Result<Report, String> {
        if !self.whole.load(Ordering::Relaxed) {
            return Err("The games of rounds that are over are still being read: ask again in some seconds.".to_owned());
        }
        let book = self.book.lock().unwrap_or_else(PoisonError::into_inner);
        book.report(event).ok_or_else(|| {
            format!(
                "No report file was imported for {event}: its pairings came from another kind of file, or none did."
            )
        })
    }

    fn paper(&self, paper: &Paper, reader: Staff) -> Result<String, String> {
        let day = (self.day)();
        let book = self.book.lock().unwrap_or_else(PoisonError::into_inner);
        book.paper(paper, &Desk { reader, day: &day, dress: Dress::Linked(STYLE) })
    }

    fn annotated(&self, address: &PgnAddress, reader: Staff) -> Result<String, String> {
        let day = (self.day)();
        let desk = Desk { reader, day: &day, dress: Dress::Inside };
        let book = self.book.lock().unwrap_or_else(PoisonError::into_inner);
        let text = meant(book.open(), address).map(|meant| match meant {
            Meant::Round(event, round) => book.annotated_pgn(&event, round, &desk, |_| true),
            Meant::Table(table) | Meant::Game(table, _) => {
                book.annotated_pgn(&table.event, table.round, &desk, |one| *one == table)
            }
            Meant::Event(event) => {
                let rounds = book.rounds_of(&event).into_iter();
                rounds.map(|round| book.annotated_pgn(&event, round, &desk, |_| true)).collect::<Vec<_>>().join("\n")
            }
        });
        some(text, &self.whole)
    }

    fn edition(&self, address: &PgnAddress) -> u64 {
        let book = self.book.lock().unwrap_or_else(PoisonError::into_inner);
        match meant(book.open(), address) {
            Ok(Meant::Round(event, round)) => book.editions().of(&event, round),
            Ok(Meant::Table(table) | Meant::Game(table, _)) => book.editions().of_table(&table),
            Ok(Meant::Event(event)) => book.editions().of_event(&event),
            Err(_) => 0,
        }
    }

    fn changed(&self, address: &PgnAddress) -> Option<u64> {
        let book = self.book.lock().unwrap_or_else(PoisonError::into_inner);
        let t = changed(&meant(book.open(), address).ok()?, book.editions())?;
        (self.day)().wall_at(t)
    }
}

/// The same for spectators. What is not on air is, for all they are told, not there.
pub(super) struct OnAir {
    pub(super) air: Arc<Mutex<Air>>,
    pub(super) bulletins: Arc<Bulletins>,
    /// When something happened, by the clock on the wall.
    pub(super) wall: Box<dyn Fn(u64) -> u64 + Send + Sync>,
    pub(super) whole: Arc<AtomicBool>,
}

impl Library for OnAir {
    fn pgn(&self, address: &PgnAddress) -> Result<String, String> {
        let air = self.air.lock().unwrap_or_else(PoisonError::into_inner);
        let text = meant(air.open(), address).map(|meant| match meant {
            Meant::Round(event, round) => air.round_pgn(&event, round),
            Meant::Table(table) => air.table_pgn(&table),
            Meant::Event(event) => air.event_pgn(&event),
            Meant::Game(table, game) => air.game_pgn(&table, game),
        });
        some(text, &self.whole)
    }

    fn report(&self, _: &str) -> Result<Report, String> {
        Err("The report file is for arbiter and operator.".to_owned())
    }

    fn annotated(&self, _: &PgnAddress, _: Staff) -> Result<String, String> {
        Err("What happened beside the moves is for arbiter and operator.".to_owned())
    }

    fn paper(&self, _: &Paper, _: Staff) -> Result<String, String> {
        Err("Papers are for arbiter and operator.".to_owned())
    }

    fn edition(&self, address: &PgnAddress) -> u64 {
        let air = self.air.lock().unwrap_or_else(PoisonError::into_inner);
        match meant(air.open(), address) {
            Ok(Meant::Round(event, round)) => air.editions().of(&event, round),
            Ok(Meant::Event(event)) => air.editions().of_event(&event),
            Ok(Meant::Table(table) | Meant::Game(table, _)) => air.editions().of(&table.event, table.round),
            Err(_) => 0,
        }
    }

    fn changed(&self, address: &PgnAddress) -> Option<u64> {
        let air = self.air.lock().unwrap_or_else(PoisonError::into_inner);
        changed(&meant(air.open(), address).ok()?, air.editions()).map(&self.wall)
    }

    fn cloud(&self, address: &CloudAddress) -> Option<String> {
        let write =
            |(event, round): (String, u16)| address.write(&self.bulletins.bulletin(&event, round, false), &self.wall);
        // A round that was opened shows nothing until its first table does.
        self.places(address).into_iter().rev().find_map(write)
    }

    fn cloud_edition(&self, address: &CloudAddress) -> Option<u64> {
        let (event, _) = self.places(address).pop()?;
        // How many play in each round stands in the one that is of all.
        Some(self.air.lock().unwrap_or_else(PoisonError::into_inner).editions().of_event(&event))
    }

    fn cloud_changed(&self, address: &CloudAddress) -> Option<u64> {
        let (event, _) = self.places(address).pop()?;
        let air = self.air.lock().unwrap_or_else(PoisonError::into_inner);
        let changed = match address.round() {
            Some(round) => air.editions().changed(&event, round),
            None => air.editions().event_changed(&event),
        };
        changed.map(&self.wall)
    }
}

impl OnAir {
    /// The event a document is of, and its round; where it is of all, each that is known, the last one last.
    fn places(&self, address: &CloudAddress) -> Vec<(String, u16)> {
        let air = self.air.lock().unwrap_or_else(PoisonError::into_inner);
        let is_asked = |round: u16| address.round().is_none_or(|asked| asked == round);
        let mut places = air.rounds();
        places.retain(|(event, round)| address.names(event) && is_asked(*round));
        places.sort();
        places
    }
}

fn some(text: Result<String, String>, is_all_there: &AtomicBool) -> Result<String, String> {
    match text {
        Ok(text) if !text.is_empty() => Ok(text),
        Ok(_) | Err(_) if !is_all_there.load(Ordering::Relaxed) => {
            Err("The games of rounds that are over are still being read: ask again in some seconds.".to_owned())
        }
        Ok(_) => Err("There is no game here yet: none has begun at this address.".to_owned()),
        Err(sentence) => Err(sentence),
    }
}

/// When what is meant has changed last.
fn changed(meant: &Meant, editions: &Editions) -> Option<u64> {
    match meant {
        Meant::Round(event, round) => editions.changed(event, *round),
        Meant::Event(event) => editions.event_changed(event),
        Meant::Table(table) | Meant::Game(table, _) => editions.table_changed(table),
    }
}

enum Meant {
    Event(String),
    Round(String, u16),
    Table(TableId),
    Game(TableId, u32),
}

fn meant(open: Option<(&str, u16)>, address: &PgnAddress) -> Result<Meant, String> {
    let open = || {
        let (event, round) = open.ok_or("No round is open. Write /pgn/EVENT/ROUND, as in /pgn/open/3.")?;
        Ok::<_, String>((event.to_owned(), round))
    };
    Ok(match address {
        PgnAddress::All => {
            let (event, round) = open()?;
            Meant::Round(event, round)
        }
        PgnAddress::Table(table) => {
            let (event, round) = open()?;
            Meant::Table(TableId { event, round, table: *table })
        }
        PgnAddress::Round { event, round } => Meant::Round(event.clone(), *round),
        PgnAddress::Event(event) => Meant::Event(event.clone()),
        PgnAddress::Game(table) => Meant::Table(table.clone()),
        PgnAddress::One(table, game) => Meant::Game(table.clone(), *game),
    })
}
