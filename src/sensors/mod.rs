//! Serial ports: finding boards, talking to them, recording what they say.
//!
//! One task a port drives one [`Dialogue`](protocol::board::dgt::Dialogue); what it learns leaves as [`Sensed`]
//! through one channel. This room knows no game, no table and no screen, and decides nothing about squares.

pub mod capture;
pub mod checkup;
mod fence;
mod find;
mod gather;
mod holder;
mod port;
mod roster;
mod watch;

pub use find::{BadPattern, Patterns};
pub use gather::gather;
pub use holder::{Holder, holders};
pub use port::{Port, PortError};
pub use watch::{Monotonic, Sensed, Settings, Watch, What};

/// Where boards are looked for if nobody says otherwise: USB adapters, boards with USB of their own, Bluetooth.
pub const USUAL_PORTS: [&str; 3] = ["/dev/ttyUSB*", "/dev/ttyACM*", "/dev/rfcomm*"];
