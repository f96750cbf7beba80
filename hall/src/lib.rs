//! The playing hall: what hands did, and what game it makes. No port, no file, no clock.
#![forbid(unsafe_code)]
