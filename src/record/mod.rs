//! The record: what was published, kept as games and written as PGN.
