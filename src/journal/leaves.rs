//! All leaves of a file, in little more room than what they say: all of a round stays in memory while it is played, and what
//! can be worked out again is not kept.

use super::leaf::{Leaf, Position};

#[derive(Clone, Debug)]
pub(super) struct Leaves {
    marks: Vec<Mark>,
    /// What they say, one after the other: of each its inputs, then its entries.
    bytes: Vec<u8>,
    begins: Position,
    end: Position,
}

/// What a leaf says of itself.
#[derive(Clone, Copy, Debug)]
struct Mark {
    t: u64,
    wall_ms: u64,
    inputs: u32,
    entries: u32,
    /// Bytes of its inputs.
    came: u32,
    /// Bytes of its entries.
    told: u32,
}

impl Mark {
    fn of(leaf: &Leaf, before: &Position) -> Mark {
        let number = |number: u64| u32::try_from(number).expect("one commit is no gigabytes");
        Mark {
            t: leaf.t,
            wall_ms: leaf.wall_ms,
            inputs: number(leaf.end.inputs - before.inputs),
            entries: number(leaf.end.entries - before.entries),
            came: number(leaf.inputs.len() as u64),
            told: number(leaf.entries.len() as u64),
        }
    }

    fn length(&self) -> usize {
        self.came as usize + self.told as usize
    }
}

/// A leaf as it is read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Page<'a> {
    /// How many inputs there are up to its end.
    pub(super) inputs_so_far: u64,
    /// The latest time in it, in milliseconds of the round.
    pub(super) t: u64,
    /// When it was written, in milliseconds since 1970.
    pub(super) wall_ms: u64,
    /// Its inputs.
    pub(super) inputs: &'a [u8],
    /// Its entries.
    pub(super) entries: &'a [u8],
}

/// Where a file ends, in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tail {
    /// The latest time in it, in milliseconds of the round.
    pub t: u64,
    /// When that was written, in milliseconds since 1970.
    pub wall_ms: u64,
}

impl Leaves {
    /// None yet, of a file that begins so.
    pub(super) fn begin(begins: Position) -> Leaves {
        Leaves { marks: Vec::new(), bytes: Vec::new(), begins, end: begins }
    }

    /// One more, that follows on the last. No more room is taken for what may come than an eighth.
    pub(super) fn push(&mut self, leaf: &Leaf) {
        let mark = Mark::of(leaf, &self.end);
        if self.marks.len() == self.marks.capacity() {
            self.marks.reserve_exact(64 + self.marks.len() / 8);
        }
        if self.bytes.len() + mark.length() > self.bytes.capacity() {
            self.bytes.reserve_exact(mark.length() + 4096 + self.bytes.len() / 8);
        }
        self.marks.push(mark);
        self.bytes.extend_from_slice(&leaf.inputs);
        self.bytes.extend_from_slice(&leaf.entries);
        self.end = leaf.end;
    }

    /// Where the first begins.
    pub(super) fn begins(&self) -> Position {
        self.begins
    }

    /// Where the last ends.
    pub(super) fn end(&self) -> Position {
        self.end
    }

    /// The latest time of all, and when that was written first.
    pub(super) fn last_moment(&self) -> Option<Tail> {
        let last = self.marks.last()?.t;
        let alike = self.marks.iter().rev().take_while(|mark| mark.t == last);
        alike.last().map(|mark| Tail { t: mark.t, wall_ms: mark.wall_ms })
    }

    /// One after the other.
    pub(super) fn pages(&self) -> Pages<'_> {
        Pages { marks: self.marks.iter(), bytes: &self.bytes, inputs_so_far: self.begins.inputs }
    }

    /// The time of the last, and when it was written.
    pub(super) fn last_times(&self) -> Option<(u64, u64)> {
        self.marks.last().map(|mark| (mark.t, mark.wall_ms))
    }

    /// Those behind one, each proven anew.
    pub(super) fn behind(&self, before: Position) -> impl Iterator<Item = Leaf> {
        let marks = usize::try_from(before.leaves).ok().and_then(|at| self.marks.get(at..)).unwrap_or_default();
        let length = marks.iter().map(Mark::length).sum::<usize>();
        let mut pages =
            Pages { marks: marks.iter(), bytes: &self.bytes[self.bytes.len() - length..], inputs_so_far: 0 };
        let mut end = before;
        marks.iter().map_while(move |mark| {
            let page = pages.next()?;
            let counts = (mark.inputs.into(), mark.entries.into());
            let leaf = Leaf::after(end, counts, (page.t, page.wall_ms), (page.inputs.into(), page.entries.into()));
            end = leaf.end;
            Some(leaf)
        })
    }
}

/// Leaves, one after the other.
#[derive(Clone, Debug)]
pub(super) struct Pages<'a> {
    marks: std::slice::Iter<'a, Mark>,
    /// What they say.
    bytes: &'a [u8],
    inputs_so_far: u64,
}

impl<'a> Iterator for Pages<'a> {
    type Item = Page<'a>;

    fn next(&mut self) -> Option<Page<'a>> {
        let Mark { t, wall_ms, inputs, came, told, .. } = *self.marks.next()?;
        let (came, left) = self.bytes.split_at_checked(came as usize)?;
        let (told, left) = left.split_at_checked(told as usize)?;
        self.bytes = left;
        self.inputs_so_far += u64::from(inputs);
        Some(Page { inputs_so_far: self.inputs_so_far, t, wall_ms, inputs: came, entries: told })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::leaf::Chain;

    #[test]
    fn leaves_come_out_as_they_went_in_from_wherever_they_are_read() {
        let begins = Position { chain: Chain::begin("round", "id"), ..Position::default() };
        let (mut leaves, mut whole) = (Leaves::begin(begins), Vec::new());
        for number in 0..5_u8 {
            let bytes = (vec![number; number.into()], vec![0; 3 - usize::from(number.min(3))]);
            let counts = (number.into(), 1);
            let times = (10 * counts.0, 100 + counts.0);
            let leaf = Leaf::after(leaves.end(), counts, times, bytes);
            leaves.push(&leaf);
            whole.push(leaf);
        }
        assert_eq!(leaves.behind(leaves.begins()).collect::<Vec<_>>(), whole);
        assert_eq!(leaves.behind(whole[2].end).collect::<Vec<_>>(), whole[3..]);
        assert_eq!(leaves.behind(leaves.end()).next(), None);
        assert_eq!(leaves.pages().map(|page| page.inputs_so_far).collect::<Vec<_>>(), [0, 1, 3, 6, 10]);
        assert_eq!(leaves.last_times(), Some((40, 104)));
        leaves.push(&Leaf::after(leaves.end(), (0, 0), (40, 900), (Vec::new(), Vec::new())));
        assert_eq!((leaves.last_times(), leaves.last_moment()), (Some((40, 900)), Some(Tail { t: 40, wall_ms: 104 })));
    }
}
