//! One thing that makes a game hard to read.

use crate::{
    fidelity::{bars::Bars, conditions::Conditions},
    rehearsal::Profile,
};

/// One thing that makes it hard.
#[derive(Debug)]
pub struct Factor {
    /// What it is called on the command line.
    pub name: &'static str,
    /// What happens, and what the level says.
    pub what: &'static str,
    /// How much of it, unless somebody says otherwise.
    pub level: f64,
    /// The least and the most that makes sense.
    pub range: (f64, f64),
    /// What is played to measure it, with what is asked.
    pub rows: &'static [Row],
    pub(super) set: fn(&mut Conditions, f64),
}

/// One line of the table.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Who plays.
    pub profile: Profile,
    /// A clock is plugged in.
    pub clock: bool,
    /// Another level than the factor's.
    pub level: Option<f64>,
    /// What is asked.
    pub bars: Bars,
}
