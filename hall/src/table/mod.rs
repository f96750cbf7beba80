//! One table: inputs become the events of one game after another.
//!
//! A table is a few parts, put together in [`Table`]. Each part owns its fields, what resets them and the verbs that change
//! them; no part knows the table it belongs to. What follows from one thing at a table for another is a matter: one file
//! each, in `matters`, which keeps nothing.
//!
//! ## What is kept
//!
//! | part | owns | in | out | never |
//! |---|---|---|---|---|
//! | `agreed` | rules, the Laws as they apply, thresholds | rules, settings | periods, limits, budgets | changes by what is played |
//! | `clocks` | what the clock shows, our own count, flags, the lever | readings | presses, times, what is off | knows the game |
//! | `record` | what is known of each ply besides, what is seen beyond them, lines to choose from | versions of the record | positions, the visible line | computes one: the hand owns the record |
//! | `desk` | state of the game, proposal, offences, forfeits being searched | calls, offers, rulings | what waits for the arbiter | decides |
//! | `boards` | which board is heard and followed, and the other one | links, what the other one shows | which to follow, whether both agree | moves a man |
//! | `spoken` | offers, announcements, arrivals, an adjournment | words | what they mean now | outlives a game |
//! | `told` | what screens were told last of the arbiter and of a board that differs | how both stand | what is news | decides |
//! | `voices` | who is told moves aloud, and how | orders | earphones | knows what is said |
//! | `searches` | what is searched aside | doubts | what to ask anew | searches |
//! | `hand` | what hands do: a room of its own | signs, orders | deeds | knows a rule of the event |
//!
//! ## What follows
//!
//! | matter | what it does |
//! |---|---|
//! | `entrance` | takes each input in one turn, runs what is due, and ends the turn with what has to follow every input |
//! | `due` | what waits for its time beside the hands: one rule a row |
//! | `following` | brings each conclusion of the hand to its place, one after the other; what one leads to waits its turn |
//! | `links`, `two_boards`, `returning` | boards, clocks and the daemon come and go |
//! | `handing` | a game goes on at another table, with all that is known of it |
//! | `recording`, `completing`, `touching`, `stands`, `alternatives` | moves enter the record, and what their making suggests |
//! | `offence`, `set_up`, `arriving`, `announcing` | presses without a move, wrong beginnings, late players, wrong words |
//! | `draws`, `ending`, `doubts`, `forfeits` | the game is over, or may be: mate, count, proof |
//! | `reopening` | a result is taken back, or falls with the position it rested on |
//! | `clock_times`, `flag_fall`, `times` | the clock disagrees, a flag falls, times to be set |
//! | `orders`, `spelling`, `mending`, `arbiter`, `attending`, `reporting` | what operator and arbiter say |
//! | `claims`, `offers`, `adjourning` | what players say |
//! | `voices` | who of them is blind, and what is spoken to whom |
//!
//! An input goes one way: `entrance` → the matter it is about → parts and hand → `following` → the matters that follow → the
//! [`Said`] of that turn. All of them use `turn` (the time of an input and what is said), `finding` (alerts with their
//! articles) and `over` (how a game ends by rule). Which article leads to which of these files stands in `docs/laws.md`.

mod agreed;
mod boards;
mod clocks;
mod desk;
mod finding;
mod matters;
mod over;
mod record;
mod sanction;
mod searches;
mod spoken;
mod told;
mod turn;
mod voices;
mod whole;

pub(crate) use agreed::{check_array, conditions};
pub use matters::letters;
pub use turn::{Said, Say};
pub use whole::Table;
