//! The run: the one loop that joins the rooms. Inputs in; to the journal; events and asks out.

mod alarm;
mod archive;
mod attending;
mod awaited;
mod bulletins;
mod cables;
mod core_time;
mod day;
mod fitness;
mod fleet;
mod follows;
mod gates;
mod granting;
mod library;
mod listening;
mod mend;
mod origin;
mod outlets;
mod past;
mod plan;
mod ports;
mod pulse;
mod replay;
mod reply;
mod rerun;
mod running;
mod start;
mod tally;
mod timeline;
mod told;
mod turn;
mod unheard;
mod wall;
mod watched;
mod words;

#[cfg(test)]
mod fold_tests;
#[cfg(test)]
mod leak_tests;
#[cfg(test)]
pub(crate) mod simulation;

pub use gates::Beyond;
pub use mend::mend_from_pgn;
pub use past::{Folded, fold, what_is_closed};
pub use plan::{ADDRESS, Plan, SERVICE, state_in_use, usual_state};
pub use pulse::Pulse;
pub use replay::{Choice, Replay};
pub use rerun::Rerun;
pub use running::Run;
pub use start::{Started, Starting};
pub use watched::Watched;
