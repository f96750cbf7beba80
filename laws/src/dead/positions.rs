//! A set of positions in the order they were met.

use super::key::Key;

/// Positions, each once, numbered in the order they were put in.
#[derive(Clone, Debug)]
pub(super) struct Positions {
    keys: Vec<Key>,
    /// Open addressing over a power of two: one more than the number of a position, or 0.
    slots: Vec<u32>,
}

impl Positions {
    pub(super) fn new() -> Positions {
        Positions { keys: Vec::new(), slots: vec![0; 256] }
    }

    /// Puts a position in; its number, if it was not there.
    pub(super) fn insert(&mut self, key: Key) -> Option<u32> {
        // Three quarters full is where the probes become long.
        if self.keys.len() * 4 >= self.slots.len() * 3 {
            self.grow();
        }
        let slot = self.slot(&key);
        if self.slots[slot] != 0 {
            return None;
        }
        let number = u32::try_from(self.keys.len()).expect("budgets end long before four thousand million");
        self.keys.push(key);
        self.slots[slot] = number + 1;
        Some(number)
    }

    pub(super) fn contains(&self, key: &Key) -> bool {
        self.slots[self.slot(key)] != 0
    }

    /// Whether all of them are in.
    ///
    /// In a large set every look-up waits twice for memory: for its slot and for the position named there. The slots of
    /// all are read before the first position is, so that the waits overlap.
    pub(super) fn has_all(&self, keys: &[Key]) -> bool {
        let mask = self.slots.len() - 1;
        let mut named = [0_u32; 64];
        keys.chunks(named.len()).all(|keys| {
            for (named, key) in named.iter_mut().zip(keys) {
                *named = self.slots[first_slot(key, mask)];
            }
            let is_there = |(named, key): (&u32, &Key)| *named != 0 && self.keys[*named as usize - 1] == *key;
            named.iter().zip(keys).all(|pair| is_there(pair) || self.contains(pair.1))
        })
    }

    pub(super) fn get(&self, number: u32) -> &Key {
        &self.keys[number as usize]
    }

    pub(super) fn len(&self) -> usize {
        self.keys.len()
    }

    /// Where the position is, or where it would go.
    fn slot(&self, key: &Key) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = first_slot(key, mask);
        while self.slots[slot] != 0 && self.keys[self.slots[slot] as usize - 1] != *key {
            slot = (slot + 1) & mask;
        }
        slot
    }

    fn grow(&mut self) {
        let size = self.slots.len() * 2;
        self.slots = vec![0; size];
        for number in 0..self.keys.len() {
            let slot = self.slot(&self.keys[number]);
            self.slots[slot] = u32::try_from(number + 1).expect("as when it was put in");
        }
    }
}

#[expect(clippy::cast_possible_truncation, reason = "any bits of a hash do")]
fn first_slot(key: &Key, mask: usize) -> usize {
    key.hash() as usize & mask
}
