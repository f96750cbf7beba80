//! Exit codes. Scripts rely on them; each stands for one case.

/// Everything that was asked for was done.
pub(super) const OK: u8 = 0;
/// It could not be done; the sentence on standard error says why and what to try.
pub(super) const FAILED: u8 = 1;

// 2 is what the argument parser uses for a command line that makes no sense.

/// What was looked at is not in order: a capture with damage, a port in trouble. Or what was ordered is done and not on
/// disk yet.
pub(super) const NOT_IN_ORDER: u8 = 3;
