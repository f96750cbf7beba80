//! What the table does about each matter: one file, one matter, from what hands and people do to what is said of it.
//!
//! They ask the parts and change them by their verbs; what one of them concludes another one may follow up. None of
//! them keeps anything.

mod adjourning;
mod alternatives;
mod announcing;
mod arbiter;
mod arriving;
mod attending;
mod claims;
mod clock_times;
mod completing;
mod doubts;
mod draws;
mod due;
mod earlier;
mod ending;
mod entrance;
mod flag_fall;
mod following;
mod forfeits;
mod handing;
mod links;
mod mending;
mod offence;
mod offers;
mod orders;
mod recording;
mod reopening;
mod reporting;
mod returning;
mod set_up;
mod spelling;
mod stands;
mod times;
mod touching;
mod two_boards;
mod voices;

pub use spelling::letters;
