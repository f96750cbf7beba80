//! Events: what organisers have decided about their rounds. Knows no board, no move and no clock.
//!
//! | file | what it keeps |
//! |---|---|
//! | `events` | all events, and which of their rounds are open |
//! | `round` | one round: what it is played by, who plays whom |
//! | `plan` | what another list of pairings would change, before it does |

mod events;
mod plan;
mod round;

pub(crate) use events::{Events, Key, key_of};
pub(crate) use plan::{Plan, Standing};
pub(crate) use round::Given;
