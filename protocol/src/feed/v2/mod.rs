//! Version 2 of the feed, beside version 1: pictures of tables, and what changes in them.
//!
//! **Frozen**, as version 1 is: words may come, none goes or means something else (`tests/frozen.rs`).
//!
//! What an audience may see is a view ([`HallView`]). Everything here follows from that view alone: a snapshot is the
//! view, a change is the difference between the view that was told last and the view as it stands. So an audience is
//! told once for each change of what it sees, and nothing of what it does not; a view that lags behind makes a feed
//! that lags behind.
//!
//! A page that shows one table gets its whole line in the snapshot. The wall shows positions, so its snapshot carries of
//! each line only the last move. Both take changes in the same way ([`Table::apply`]):
//!
//! - Each member of a change replaces the member of the same name. `null` takes it away.
//! - `ply` and `san` go together: from that ply on the line is these moves. So a move is one ply and one word. The wall is
//!   told the last move of the line, whatever came between.
//! - `placement`, `turn` and `rest` together are the FEN of the position after the line.
//! - `squares` changes `placement` square by square: `g1-f3N` empties g1 and puts a white knight on f3.
//! - The `clock` of a change carries the readings that are new and keeps the others.

mod change;
mod extent;
mod squares;
mod table;
mod told;
mod trouble;

use serde::{Deserialize, Serialize};

pub use change::{Change, NewReading};
pub use extent::Extent;
pub use table::Table;
pub use told::Told;
pub use trouble::Trouble;

use super::{HallView, RoundView, TableId, TableView};

/// What stands in a snapshot's `v`.
pub const VERSION: u32 = 2;

/// One frame of the feed.
///
/// The first is a snapshot. Changes carry the next `seq`; a snapshot and a beat carry that of the last change. Any other
/// `seq` means that something was missed: connect again and take the snapshot. There is no backlog.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Frame"))]
pub struct Message {
    /// Counts the changes that this address has told, and nothing else.
    pub seq: u64,
    /// The daemon's time when the message was made, on the same clock as every `at`.
    pub now: u64,
    /// What everybody who looks should know of the record, in sentences: damage, or that nothing is being recorded.
    /// Absent while all is well.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notice: Option<String>,
    /// The same one by one, for pages that speak other languages. Absent while all is well, and for the staff, who are told
    /// more in `notice`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub troubles: Vec<Trouble>,
    /// What it says.
    #[serde(flatten)]
    pub body: Body,
}

/// What a frame says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Body {
    /// How everything stands. Replaces all that was known.
    Snapshot(Snapshot),
    /// What is different since the frame before.
    Changes(Vec<Change>),
    /// Nothing is different, and the daemon is alive. Comes at least every five seconds.
    Beat(()),
}

/// How everything stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Snapshot {
    /// Version of the feed.
    pub v: u32,
    /// Names this run of the daemon; new at each start.
    pub run: String,
    /// The rounds that are open.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rounds: Vec<RoundView>,
    /// The tables, in order.
    pub tables: Vec<Table>,
}

/// What a page follows.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Page {
    /// All tables.
    Wall,
    /// One of them.
    Table(TableId),
}

impl Snapshot {
    /// The view as one page needs it.
    pub fn of(run: &str, page: &Page, view: &HallView) -> Snapshot {
        let extent = page.extent();
        let tables = page.of(view).map(|table| Table::of(table, extent)).collect();
        Snapshot { v: VERSION, run: run.to_owned(), rounds: view.rounds.clone(), tables }
    }
}

impl Page {
    /// Whether the page shows anything of this table.
    pub fn shows(&self, table: &TableId) -> bool {
        match self {
            Page::Wall => true,
            Page::Table(own) => own == table,
        }
    }

    /// What it shows of a view. A table that has left the wall stays on its own page.
    pub fn of<'a>(&'a self, view: &'a HallView) -> impl Iterator<Item = &'a TableView> {
        let (all, own) = match self {
            Page::Wall => (view.tables.as_slice(), None),
            Page::Table(own) => ([].as_slice(), view.find(own)),
        };
        all.iter().chain(own)
    }

    /// How much of a line it needs.
    pub fn extent(&self) -> Extent {
        match self {
            Page::Wall => Extent::LastMove,
            Page::Table(_) => Extent::WholeLine,
        }
    }
}

impl From<Option<TableId>> for Page {
    fn from(table: Option<TableId>) -> Page {
        table.map_or(Page::Wall, Page::Table)
    }
}
