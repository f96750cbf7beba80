//! The proof that something is on disk.

/// Proof that a batch of inputs, and the entries that follow from them, are on disk.
///
/// Only a commit makes one, and it can't be copied: whoever publishes an entry has to hold the receipt of the very
/// batch the entry belongs to.
#[must_use]
#[derive(Debug)]
pub struct Receipt {
    upto: u64,
}

impl Receipt {
    pub(super) fn new(upto: u64) -> Receipt {
        Receipt { upto }
    }

    /// The number of the last input it covers.
    pub fn upto(&self) -> u64 {
        self.upto
    }

    /// A receipt for tests of the rooms that ask for one.
    #[cfg(test)]
    pub(crate) fn for_a_test() -> Receipt {
        Receipt::new(0)
    }
}
