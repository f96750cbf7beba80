//! The playing hall: what hands did on the boards, and which games it makes.
//!
//! | room | in | out | never |
//! |---|---|---|---|
//! | [`hand`] | squares, presses | what is seen, what is final | knows names, results, clocks' times |
//! | [`table`] | observations, orders | events of one table after another game | knows other tables |
//! | `event` | orders of organisers | rounds, who plays whom | knows boards, moves, clocks |
//! | [`Hall`] | inputs of all tables | events and asks | knows a port, a file, a socket, the time of day |
//!
//! Everything is a fold: the same inputs at the same times give the same outputs, on any machine, at any speed.
//! Time is a number of milliseconds that comes in with each input; whoever drives a room comes back at its deadline.
#![forbid(unsafe_code)]

mod agenda;
mod boards;
mod course;
mod doubt;
mod event;
mod fen;
mod floor;
pub mod hand;
mod input;
mod millis;
mod naming;
mod organising;
mod ply;
mod refusal;
mod scope;
mod settings;
mod start_position;
pub mod table;
mod taking_over;

pub use course::{Course, Irregular, Played};
pub use doubt::{Answer, Doubt, Question};
pub use floor::Hall;
pub use input::{Ask, HandedOver, HandedPly, Input, Out, Preview, StoredRecord};
pub use millis::Millis;
pub use ply::Ply;
pub use refusal::Refusal;
pub use scope::{NoScope, Scope};
pub use settings::{Habits, MateSearch, MendedEnd, Settings, Weights};
