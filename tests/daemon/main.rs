//! The whole program, as a user has it: the daemon on virtual boards, killed, restarted, misused.

mod air;
mod archive;
mod bounds;
mod damage;
mod dice;
mod disk;
mod doors;
mod event;
mod figures;
mod guide;
mod ledger;
mod livechess;
mod mending;
mod powercut;
mod proofs;
mod replay;
mod returns;
mod sentences;
mod service;
mod spare;
mod support;
mod syncs;
mod torture;
mod truth;
mod two_boards;
mod voice;
