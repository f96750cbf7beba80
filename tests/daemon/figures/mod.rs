//! What the journal costs and how fast the daemon is back: figures, for `make figures`.

mod cables;
mod growth;
mod lists;
mod past;
mod start;
