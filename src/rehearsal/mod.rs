//! Virtual boards: a DGT board on a pseudo-terminal, and human hands that play on it.
//!
//! Shares no code with the reconstruction, so that the two can disagree.
