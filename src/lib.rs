//! The daemon: everything that touches the world. Rooms from upstream to downstream; none names a later one.
#![deny(unsafe_code)] // One fenced module is excepted: `sensors::fence`.

pub mod rehearsal;
pub mod sensors;

mod bytes;
pub mod journal;
pub mod record;
pub mod voice;

pub mod lists;
pub mod mates;

pub mod press;

pub mod screens;

pub mod prover;

pub mod config;
mod nearest;
pub mod run;

pub mod demo;

pub mod scenario;

pub mod fidelity;

pub mod cli;
