//! What a pairing file says, whatever its form.

use laws::result::GameResult;

use crate::Person;

/// The forms that are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Games, with moves or without.
    Pgn,
    /// FIDE's report file.
    Trf,
    /// A table with headings.
    Csv,
    /// Lines as people write them.
    Pasted,
}

/// A whole file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Paper {
    /// What it was read as.
    pub form: Form,
    /// The event's name for people.
    pub title: Option<String>,
    /// What it calls the event besides, where it calls it different things: it may be the file of several.
    pub other_titles: Vec<String>,
    /// Where it takes place.
    pub site: Option<String>,
    /// The day or the first day, as the file writes it.
    pub date: Option<String>,
    /// The time control, as the file writes it.
    pub time_control: Option<String>,
    /// Everybody the file names as a player of the event; only a report file does.
    pub players: Vec<Person>,
    /// The rounds that are paired, in order.
    pub sheets: Vec<Sheet>,
    /// What was taken in and looks odd: two players of one name, say.
    pub remarks: Vec<String>,
}

/// The pairings of one round.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sheet {
    /// Which, where the file says so.
    pub round: Option<u16>,
    /// The day it is played on, as PGN writes it, where the file says so.
    pub day: Option<String>,
    /// By table.
    pub pairs: Vec<Pair>,
}

/// One table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    /// From 1.
    pub table: u16,
    /// White, or who has nobody to play with.
    pub white: Person,
    /// Black.
    pub black: Opponent,
    /// Where the file has one already.
    pub result: Option<GameResult>,
    /// Where it stands in the file.
    pub line: usize,
}

/// Who sits opposite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Opponent {
    /// A player.
    Player(Person),
    /// Nobody.
    Nobody(Bye),
}

/// Why somebody plays nobody.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bye {
    /// The number of players is odd.
    Allocated,
    /// Asked for, with half a point.
    Half,
    /// With a whole point.
    Full,
    /// Without one.
    Zero,
    /// The file does not say.
    Unsaid,
}

impl Opponent {
    /// Who sits where, if somebody does: one alone has White's place and nobody opposite, for this reason if there is one.
    pub(crate) fn seat(white: Option<Person>, black: Option<Person>, bye: Option<Bye>) -> Option<(Person, Opponent)> {
        match (white, black) {
            (Some(white), Some(black)) => Some((white, Opponent::Player(black))),
            (Some(lone), None) | (None, Some(lone)) => Some((lone, Opponent::Nobody(bye.unwrap_or(Bye::Unsaid)))),
            (None, None) => None,
        }
    }
}

impl Pair {
    /// The two who play, if two do.
    pub fn players(&self) -> Option<(&Person, &Person)> {
        match &self.black {
            Opponent::Player(black) => Some((&self.white, black)),
            Opponent::Nobody(_) => None,
        }
    }

    pub(crate) fn people(&self) -> impl Iterator<Item = &Person> {
        let black = match &self.black {
            Opponent::Player(black) => Some(black),
            Opponent::Nobody(_) => None,
        };
        std::iter::once(&self.white).chain(black)
    }
}

impl Paper {
    pub(crate) fn of(form: Form, sheets: Vec<Sheet>, remarks: Vec<String>) -> Paper {
        let (title, site, date, time_control) = (None, None, None, None);
        let (other_titles, players) = (Vec::new(), Vec::new());
        Paper { form, title, other_titles, site, date, time_control, players, sheets, remarks }
    }
}
