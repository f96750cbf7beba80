//! Where games come from: what is on air, and for those who hold it back themselves, what will be.

use crate::record::Bulletin;

/// Gives out games. It answers at once, whatever receivers do.
pub trait Source: Send + Sync {
    /// All rounds of which anything is known, each with a number that is another whenever its games may be others.
    fn rounds(&self, live: bool) -> Vec<(String, u16, u64)>;

    /// The games of a round.
    fn bulletin(&self, event: &str, round: u16, live: bool) -> Bulletin;

    /// Whether this target was ordered to be told live, as it holds games back by itself.
    fn tells_live(&self, target: &str) -> bool;

    /// The rounds that are open.
    fn open(&self) -> Vec<(String, u16)>;
}
