//! Serial ports: finding boards, talking to them, recording what they say.
//!
//! One task a port drives one [`Dialogue`](protocol::board::dgt::Dialogue); what it learns leaves as [`Sensed`]
//! through one channel. This room knows no game, no table and no screen, and decides nothing about squares.

mod budget;
pub mod capture;
pub mod checkup;
mod fence;
mod find;
mod gather;
mod holder;
mod port;
mod roster;
mod sensed;
mod talk;
mod watch;

pub use budget::PORT_BYTES;
#[cfg(test)]
pub(crate) use budget::{Budget, News};
pub use find::{BadPattern, Patterns, USUAL_PORTS};
pub use gather::gather;
pub use holder::{Holder, holders};
pub use port::{Port, PortError};
pub use sensed::{Monotonic, Sensed, What};
#[cfg(test)]
pub(crate) use watch::Asked;
pub use watch::{Renewal, Settings, Watch};
