//! Time, as the hall counts it: nobody in it has a clock.

/// Milliseconds since the round's epoch.
pub type Millis = u64;
