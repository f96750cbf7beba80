//! The whole program, as a user has it: the daemon on virtual boards, killed, restarted, misused.

mod kills;
mod proofs;
mod returns;
mod sentences;
mod service;
mod support;
