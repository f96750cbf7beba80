//! Rehearsal: a virtual DGT board with human hands, to try everything downstream without a playing hall.
//!
//! Pure but for [`pty`]: a [`Rehearsal`] takes the bytes a computer sends and the commands a person types, with their
//! time, and gives the bytes the board says. It holds the truth of what was played beside them. Nothing here knows how
//! moves are reconstructed.

mod by_hand;
mod cable;
mod calibration;
mod clock;
mod count;
mod deed;
mod device;
#[cfg(test)]
mod device_tests;
mod dice;
mod games;
mod gesture;
mod hand;
mod hands;
mod news;
mod noise;
mod player;
pub mod pty;
mod record;
pub mod script;
mod sensors;
mod store;
mod trial;
mod wire;

pub use clock::{BadTimeControl, Clock, TimeControl};
pub use count::{Kind, NoiseCount, Tally};
pub use deed::Offence;
pub use device::{Device, Input, Mode};
pub use games::{Game, PgnError, embedded, read, read_all};
pub use news::{News, NoNews};
pub use noise::{Noise, Profile, Sensors, Spread};
pub use player::{Output, Rehearsal, Setting};
pub use record::{Detour, Fault, FaultKind, IllegalPress, Ply, Record};
pub use trial::{Cable, Edges, Faults, Given, Once, Trial};
pub use wire::Said;

#[cfg(test)]
mod tests;
