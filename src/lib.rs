//! The daemon: everything that touches the world. Rooms from upstream to downstream; none names a later one.

pub mod rehearsal;
pub mod sensors;

pub mod journal;
pub mod record;

pub mod screens;

pub mod scenario;

pub mod cli;
