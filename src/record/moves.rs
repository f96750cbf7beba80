//! The moves of a game, and what its clock showed with them.

use std::borrow::Cow;

use crate::bytes::{Bytes, Unreadable, put_difference, put_number, put_text};

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

/// The moves of one game. Those of a game that is over stay in memory for the rest of the event: they are packed, in an
/// eighth of the room, and read when somebody asks for them.
#[derive(Clone, Debug)]
pub(super) struct Moves {
    count: usize,
    kept: Kept,
}

#[derive(Clone, Debug)]
enum Kept {
    Open(Vec<Move>),
    Packed(Box<[u8]>),
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

    pub(super) fn read(&self) -> Cow<'_, [Move]> {
        match &self.kept {
            Kept::Open(moves) => Cow::Borrowed(moves),
            Kept::Packed(bytes) => Cow::Owned(unpacked(bytes)),
        }
    }

    /// Changes them. They are open from then on.
    pub(super) fn change(&mut self, change: impl FnOnce(&mut Vec<Move>)) {
        let mut moves = match std::mem::replace(&mut self.kept, Kept::Open(Vec::new())) {
            Kept::Open(moves) => moves,
            Kept::Packed(bytes) => unpacked(&bytes),
        };
        change(&mut moves);
        *self = Moves::from(moves);
    }

    #[cfg(test)]
    pub(super) fn is_packed(&self) -> bool {
        matches!(self.kept, Kept::Packed(_))
    }

    /// Nothing is added for now.
    pub(super) fn pack(&mut self) {
        let Kept::Open(moves) = &self.kept else { return };
        let (mut out, mut before) = (Vec::new(), 0);
        for one in moves {
            one.pack(&mut out, before);
            before = one.made.unwrap_or(before);
        }
        self.kept = Kept::Packed(out.into());
    }
}

fn unpacked(bytes: &[u8]) -> Vec<Move> {
    let (mut bytes, mut before) = (Bytes { left: bytes }, 0);
    let mut next = || {
        let one = (!bytes.left.is_empty()).then(|| Move::unpack(&mut bytes, before))?;
        let one = one.expect("it was packed here");
        before = one.made.unwrap_or(before);
        Some(one)
    };
    std::iter::from_fn(&mut next).collect()
}

impl Default for Moves {
    fn default() -> Moves {
        Moves::from(Vec::new())
    }
}

impl From<Vec<Move>> for Moves {
    fn from(moves: Vec<Move>) -> Moves {
        Moves { count: moves.len(), kept: Kept::Open(moves) }
    }
}

/// Packed or not, they are the same moves.
impl PartialEq for Moves {
    fn eq(&self, other: &Moves) -> bool {
        self.count == other.count && self.read() == other.read()
    }
}

impl Eq for Moves {}

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
        fn what_is_packed_is_read_and_changed_as_it_was(moves in prop::collection::vec(any_move(), 0..40)) {
            let open = Moves::from(moves.clone());
            let mut packed = open.clone();
            packed.pack();
            packed.pack();
            prop_assert_eq!(&packed, &open);
            prop_assert_eq!(packed.len(), moves.len());
            packed.change(|moves| moves.truncate(3));
            prop_assert_eq!(&*packed.read(), &moves[..moves.len().min(3)]);
        }
    }

    #[test]
    fn a_move_of_a_game_that_is_over_takes_sixteen_bytes() {
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
        let mut moves = Moves::from((1..=100).map(one).collect::<Vec<_>>());
        moves.pack();
        let Kept::Packed(bytes) = moves.kept else { panic!("it is packed") };
        assert!(bytes.len() <= 100 * 18, "{} bytes", bytes.len());
    }
}
