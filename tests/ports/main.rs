//! The ports room over real pseudo-terminals: what a kernel does to a daemon, with a scripted board at the far end.

mod capture;
mod doctor;
mod pty;
mod watch;
