//! Time: what each player has, what is added, and what follows when it is gone.
//!
//! A [`Control`] is what was agreed: one or more periods. A [`PlayerClock`] is one player's time under it. Times are
//! in milliseconds and come in as values; nothing here runs by itself.
//!
//! | what is added | when | [`Extra`] |
//! |---|---|---|
//! | nothing | | `None` |
//! | the increment, whole | before the first move and after each completed one | `Fischer` |
//! | what the move took, the increment at most | after each completed move | `Bronstein` |
//! | nothing, but the main time starts late | with each move | `Delay` |
//!
//! The last two give the same time while there is more left than the increment. With less, a flag falls under
//! `Bronstein` that stays up under `Delay`.
//!
//! | when a flag falls | 1993 | 2009 | 2014 | 2018 | 2023 |
//! |---|---|---|---|---|---|
//! | moves still lacking | lost, or [drawn](crate::loss) | same | same | same | same |
//! | both, nobody knows which first, earlier period | goes on | goes on | goes on | goes on | goes on |
//! | the same, last period | goes on | draw | draw | draw, without increment only | same |
//! | articles | 10.14, 12.8 | 6.9, 6.11 | 6.9, 6.11 | 6.9, III.3.1 | 6.9, III.3.1 |
//!
//! That a control has been reached, or how many moves are missing, nobody is told before a flag has fallen.

mod control;
mod flag;
mod player;
mod restored;

pub use control::{BadControl, Control, Extra, NextPeriod, Period};
pub use flag::{BothFlags, OnTime, both_flags, out_of_time};
pub use player::{Flag, PlayerClock, Showing};
pub use restored::{ControlAhead, used_at_1993};
