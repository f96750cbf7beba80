//! What one commit puts into a file, and the chain that holds all of them together.

use sha2::{Digest as _, Sha256};

/// A fingerprint of everything up to a leaf.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Chain(pub(super) [u8; 32]);

/// The end of a file, or of a part of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Position {
    /// How many leaves there are.
    pub leaves: u64,
    /// How many inputs are in them.
    pub inputs: u64,
    /// How many entries.
    pub entries: u64,
    /// The fingerprint of all of it.
    pub chain: Chain,
}

/// What one commit has put into a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Leaf {
    /// Where the file ends with it.
    pub(super) end: Position,
    /// The latest time in it, in milliseconds of the round.
    pub(super) t: u64,
    /// When it was written, in milliseconds since 1970.
    pub(super) wall_ms: u64,
    /// Its inputs, as `code` writes them, behind a head.
    pub(super) inputs: Box<[u8]>,
    /// Its entries.
    pub(super) entries: Box<[u8]>,
}

impl Chain {
    /// Where the chain of a file begins: no two files have the same.
    pub(super) fn begin(scope: &str, id: &str) -> Chain {
        let mut hash = Sha256::new();
        hash.update(b"escaque journal 2\n");
        hash.update(scope);
        hash.update(b"\n");
        hash.update(id);
        Chain(hash.finalize().into())
    }

    /// As it is written for people and in side files.
    pub(super) fn parse(text: &str) -> Option<Chain> {
        let mut chain = [0; 32];
        let pairs = text.as_bytes().chunks_exact(2);
        if text.len() != 64 {
            return None;
        }
        for (byte, pair) in chain.iter_mut().zip(pairs) {
            *byte = u8::from_str_radix(str::from_utf8(pair).ok()?, 16).ok()?;
        }
        Some(Chain(chain))
    }
}

impl std::fmt::Display for Chain {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl std::fmt::Debug for Chain {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{self}")
    }
}

impl Leaf {
    /// The leaf that follows on `before` with so many inputs and entries.
    pub(super) fn after(before: Position, counts: (u64, u64), times: (u64, u64), bytes: (Vec<u8>, Vec<u8>)) -> Leaf {
        let (inputs, entries) = (before.inputs + counts.0, before.entries + counts.1);
        let end = Position { leaves: before.leaves + 1, inputs, entries, chain: before.chain };
        let mut leaf = Leaf { end, t: times.0, wall_ms: times.1, inputs: bytes.0.into(), entries: bytes.1.into() };
        leaf.end.chain = leaf.chained(&before.chain);
        leaf
    }

    /// Whether it is what was written after `before`.
    pub(super) fn follows(&self, before: &Position) -> bool {
        self.end.leaves == before.leaves + 1 && self.end.chain == self.chained(&before.chain)
    }

    fn chained(&self, before: &Chain) -> Chain {
        let mut hash = Sha256::new();
        hash.update(before.0);
        let counts = [self.end.leaves, self.end.inputs, self.end.entries, self.t, self.wall_ms];
        for number in counts.into_iter().chain([self.inputs.len() as u64]) {
            hash.update(number.to_le_bytes());
        }
        hash.update(&self.inputs);
        hash.update(&self.entries);
        Chain(hash.finalize().into())
    }
}
