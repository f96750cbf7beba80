//! The one vocabulary: what the hall tells ([`Event`]) and what it can be told ([`Command`]).
//!
//! The feed, `replay`, `scenario`, the journal's export and `POST /command` all speak it, as JSON.
//! The schemas under `protocol/schema/` are generated from these types and frozen by tests.
//!
//! | sent | when | may be taken back |
//! |---|---|---|
//! | [`Sight`] | at once | yes: it is what is seen at this moment |
//! | [`Entry`] | once every input it follows from is on disk | only by another entry that says so |

mod alert;
mod answer;
mod because;
mod boards;
mod command;
mod event;
mod fleet;
mod line;
mod matters;
mod message;
mod names;
mod pairing;
mod proposal;
mod round;
mod rules;
mod snapshot;
mod timeline;
pub mod v2;
mod voice;

pub use alert::{
    Alert, AlertKind, Alternative, BoardShown, Evidence, IllegalReason, MateSearch, MismatchDetail, MoveShown,
    MovesMade, Severity,
};
pub use answer::Answer;
pub use because::Because;
pub use boards::{BoardTrouble, BoardView, BoardsView, Place};
pub use command::{Command, OnAir, Order, Penalty, ReportFile};
pub use event::{Correction, Entry, Event, Sight, TableEvent, TouchKind};
pub use fleet::{BoardState, ClockAt, Fleet, Heard, PortTrouble, Programme, Quality, RoundPlan};
pub use line::Line;
pub use matters::{Matter, Matters, Progress};
pub use message::{Body, Message};
pub use names::{
    Address, Audience, BadTable, Claim, GameResult, Player, ResultReason, Side, Staff, State, TableId, TimeControl,
    Variant,
};
pub use pairing::{Bye, ByeKind, Pairing, Score};
pub use proposal::{Action, Bound, Clocks, Proposal, Seconds};
pub use round::{Notation, RoundView, Stage};
pub use rules::{Blind, ClockMode, Period, PeriodStart, Rules, Supervision, TimeClass};
pub use snapshot::{ClockView, Delay, EarlierGame, HallView, TableView};
pub use timeline::{Moment, Shown, Timeline};
pub use voice::{Earphone, FileNames, Man, Request, Spoken, SpokenState, USUAL_RATE, VoiceNews};

/// The version of the feed. A change that an installed screen can't read is a new version beside the old one.
pub const VERSION: u32 = 1;
