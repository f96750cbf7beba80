//! The moves of a game, and what its clock showed with them.

use crate::bytes::{Bytes, Unreadable, put_difference, put_number, put_text};

/// What a move hardly ever takes more than.
const LONG: usize = 32;

/// A final move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Move {
    pub(super) san: String,
    /// What the mover had left.
    pub(super) clock_ms: Option<u64>,
    /// When the mover's clock was pressed, in milliseconds of the round.
    pub(super) pressed: Option<u64>,
    /// When it became final, where it was seen.
    pub(super) made: Option<u64>,
    /// Not legal, and it stands: the position after it.
    pub(super) illegal: Option<String>,
}

/// The moves of one game. They stay in memory for the rest of the event, so they are packed, in an eighth of the room, and
/// read when somebody asks for them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Moves {
    count: usize,
    bytes: Vec<u8>,
    /// Where the last one begins.
    last: usize,
    /// Times are written as how long they are after the move before: those of the last one, and of the next.
    before: u64,
    after: u64,
}

impl Move {
    /// How long it took, where the press before it was heard too.
    pub(super) fn taken_ms(&self, before: Option<u64>) -> Option<u64> {
        self.pressed?.checked_sub(before?)
    }

    fn pack(&self, out: &mut Vec<u8>, before: u64) {
        put_text(out, &self.san);
        put_number(out, self.clock_ms.map_or(0, |ms| ms.saturating_add(1)));
        for time in [self.made, self.pressed] {
            out.push(u8::from(time.is_some()));
            if let Some(time) = time {
                put_difference(out, time, before);
            }
        }
        put_text(out, self.illegal.as_deref().unwrap_or_default());
    }

    fn unpack(bytes: &mut Bytes<'_>, before: u64) -> Result<Move, Unreadable> {
        let san = bytes.text()?.to_owned();
        let clock_ms = bytes.number()?.checked_sub(1);
        let mut time = || if bytes.byte()? == 0 { Ok(None) } else { bytes.difference(before).map(Some) };
        let (made, pressed) = (time()?, time()?);
        let illegal = Some(bytes.text()?).filter(|fen| !fen.is_empty()).map(str::to_owned);
        Ok(Move { san, clock_ms, pressed, made, illegal })
    }
}

impl Moves {
    pub(super) fn len(&self) -> usize {
        self.count
    }

    pub(super) fn is_empty(&self) -> bool {
        self.count == 0
    }

    pub(super) fn read(&self) -> Vec<Move> {
        let (mut bytes, mut before) = (Bytes { left: &self.bytes }, 0);
        let next = || {
            let one = (!bytes.left.is_empty()).then(|| unpacked(&mut bytes, before))?;
            before = one.made.unwrap_or(before);
            Some(one)
        };
        std::iter::from_fn(next).collect()
    }

    /// One more. No more room is taken for what may come than an eighth.
    pub(super) fn push(&mut self, one: &Move) {
        if self.bytes.len() + LONG > self.bytes.capacity() {
            self.bytes.reserve_exact(LONG + self.bytes.len() / 8);
        }
        (self.last, self.before) = (self.bytes.len(), self.after);
        self.put_last(one);
        self.count += 1;
    }

    /// Changes one of them, if it is there. Of the last one more may become known a moment later: the others are not read.
    pub(super) fn change_at(&mut self, at: usize, change: impl FnOnce(&mut Move)) {
        if at + 1 == self.count {
            let mut one = unpacked(&mut Bytes { left: &self.bytes[self.last..] }, self.before);
            change(&mut one);
            self.bytes.truncate(self.last);
            self.put_last(&one);
        } else if at < self.count {
            self.change(|moves| change(&mut moves[at]));
        }
    }

    /// Changes them as a whole.
    pub(super) fn change(&mut self, change: impl FnOnce(&mut Vec<Move>)) {
        let mut moves = self.read();
        change(&mut moves);
        *self = Moves::from(moves);
    }

    /// Nothing is added for now.
    pub(super) fn close(&mut self) {
        self.bytes.shrink_to_fit();
    }

    fn put_last(&mut self, one: &Move) {
        one.pack(&mut self.bytes, self.before);
        self.after = one.made.unwrap_or(self.before);
    }
}

fn unpacked(bytes: &mut Bytes<'_>, before: u64) -> Move {
    Move::unpack(bytes, before).expect("it was packed here")
}

impl From<Vec<Move>> for Moves {
    fn from(all: Vec<Move>) -> Moves {
        let mut moves = Moves::default();
        all.iter().for_each(|one| moves.push(one));
        moves.close();
        moves
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn any_move() -> impl Strategy<Value = Move> {
        let ms = || prop::option::of(prop_oneof![0..20_000_000_u64, any::<u64>()]);
        let clock = prop::option::of(0..u64::MAX);
        let illegal = prop::option::of("[a-z ]{1,9}");
        ("[a-zO0-9+#=-]{0,9}", clock, ms(), ms(), illegal).prop_map(|(san, clock_ms, pressed, made, illegal)| Move {
            san,
            clock_ms,
            pressed,
            made,
            illegal,
        })
    }

    proptest! {
        #[test]
        fn what_is_packed_is_read_and_changed_as_it_was(all in prop::collection::vec(any_move(), 0..40), other in any_move()) {
            let mut moves = Moves::default();
            all.iter().for_each(|one| moves.push(one));
            prop_assert_eq!(&moves, &Moves::from(all.clone()));
            prop_assert_eq!((moves.len(), moves.read()), (all.len(), all.clone()));
            for at in [0, all.len().saturating_sub(1), all.len()] {
                let (mut changed, mut expected) = (moves.clone(), all.clone());
                changed.change_at(at, |one| one.clone_from(&other));
                expected.get_mut(at).into_iter().for_each(|one| one.clone_from(&other));
                changed.push(&other);
                expected.push(other.clone());
                prop_assert_eq!(changed, Moves::from(expected));
            }
            moves.change(|moves| moves.truncate(3));
            prop_assert_eq!(&moves.read(), &all[..all.len().min(3)]);
        }
    }

    #[test]
    fn a_move_takes_sixteen_bytes() {
        let one = |ply: u64| {
            let made = ply * 75_000;
            Move {
                san: "Nbd7".to_owned(),
                clock_ms: Some(5_400_000 - ply * 30_000),
                pressed: Some(made - 400),
                made: Some(made),
                illegal: None,
            }
        };
        let moves = Moves::from((1..=100).map(one).collect::<Vec<_>>());
        assert!(moves.bytes.capacity() <= 100 * 18, "{} bytes", moves.bytes.capacity());
    }
}
