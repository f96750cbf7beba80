//! Boards and the tables they belong to, and what is wrong with them before a round.

use serde::{Deserialize, Serialize};

use super::TableId;

/// The table a board belongs to in all rounds of an event.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Place {
    /// From 1.
    pub table: u16,
    /// The board's serial number.
    pub board: String,
}

/// The boards of an event as they stand.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BoardsView {
    /// The event.
    pub event: String,
    /// The round that was looked at; absent where the event has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub round: Option<u16>,
    /// The tables of that round at which somebody is to play and no board has its place.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bare: Vec<u16>,
    /// All boards that belong to the event, sit in it or wait for a round, by their tables.
    pub boards: Vec<BoardView>,
}

/// One board as it stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BoardView {
    /// Its serial number.
    pub board: String,
    /// The table it belongs to; absent where the event lists it nowhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<u16>,
    /// Where it has its place at the moment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<TableId>,
    /// It can be heard.
    pub heard: bool,
    /// What somebody should see to before the round.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trouble: Option<BoardTrouble>,
}

/// What is wrong with a board before a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BoardTrouble {
    /// Its table is played at, and it can't be heard.
    Missing,
    /// It can be heard, and no table lists it.
    TooMany,
    /// It has its place at another table than its own.
    WrongTable,
    /// Nobody is to play at its table, while a table at which somebody is has no board.
    Astray,
    /// The men stand on it as a game begins, but not as the games of this round do.
    WrongArray,
}

impl BoardsView {
    /// What is wrong, a sentence for each board.
    pub fn troubles(&self) -> Vec<String> {
        self.boards.iter().filter_map(|board| board.sentence(&self.bare)).collect()
    }

    /// Where each board belongs, and those without a table where they sit: a list to be given again another day.
    pub fn places(&self) -> Vec<Place> {
        let here = |at: &TableId| (at.event == self.event).then_some(at.table);
        let place = |view: &BoardView| {
            let table = view.table.or_else(|| view.at.as_ref().and_then(here))?;
            Some(Place { table, board: view.board.clone() })
        };
        let mut places = self.boards.iter().filter_map(place).collect::<Vec<_>>();
        places.sort();
        places
    }
}

impl BoardView {
    fn sentence(&self, bare: &[u16]) -> Option<String> {
        let BoardView { board, table, at, .. } = self;
        let own = table.map_or_else(String::new, |table| format!("table {table}"));
        let there = at.as_ref().map(TableId::to_string).unwrap_or_default();
        Some(match self.trouble? {
            BoardTrouble::Missing => format!("{own} lacks its board {board}: plug it in, or look at its cable"),
            BoardTrouble::TooMany => format!("board {board} is too many: no table lists it"),
            BoardTrouble::WrongTable => format!("board {board} is at {there} and belongs to {own}"),
            BoardTrouble::Astray => {
                let tables = bare.iter().map(u16::to_string).collect::<Vec<_>>().join(", ");
                let lack = if bare.len() == 1 {
                    format!("table {tables} has no board")
                } else {
                    format!("tables {tables} have no boards")
                };
                format!("board {board} is at {there}, where nobody is to play, and {lack}: \"assign\" gives it a table")
            }
            BoardTrouble::WrongArray => {
                format!(
                    "the men on board {board} at {there} stand as another game begins: put them up as was announced"
                )
            }
        })
    }
}
