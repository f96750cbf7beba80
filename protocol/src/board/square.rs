//! Squares as the cable counts them, and how they become squares of the game.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};
use shakmaty::Square;

/// A square as the cable counts: 0 is a8 and 63 is h1 while the connector is at White's left hand.
///
/// Written as the name it has in that lie, so `e2` in a log means the same socket whoever sits where.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct WireSquare(u8);

impl WireSquare {
    /// The square with this index, if boards have it.
    pub const fn new(index: u8) -> Option<WireSquare> {
        if index < 64 { Some(WireSquare(index)) } else { None }
    }

    /// All squares in the order of a board dump.
    pub fn all() -> impl DoubleEndedIterator<Item = WireSquare> + ExactSizeIterator {
        (0..64).map(WireSquare)
    }

    /// The index on the wire as it is sent.
    pub const fn byte(self) -> u8 {
        self.0
    }

    /// The index on the wire, for arrays.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The square of the game, once we know how the board lies on the table.
    pub fn on(self, lie: Lie) -> Square {
        let index = match lie {
            Lie::Straight => self.0,
            Lie::Turned => 63 - self.0,
        };
        Square::new(u32::from(index ^ 56))
    }

    /// The socket across the board, where this one comes to lie by half a turn.
    #[must_use]
    pub const fn turned(self) -> WireSquare {
        WireSquare(63 - self.0)
    }

    /// The socket that carries `square` of the game.
    pub fn under(square: Square, lie: Lie) -> WireSquare {
        let index = square as u8 ^ 56;
        match lie {
            Lie::Straight => WireSquare(index),
            Lie::Turned => WireSquare(63 - index),
        }
    }
}

impl fmt::Display for WireSquare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.on(Lie::Straight).fmt(f)
    }
}

impl From<WireSquare> for String {
    fn from(square: WireSquare) -> String {
        square.to_string()
    }
}

impl TryFrom<String> for WireSquare {
    type Error = BadSquare;

    fn try_from(text: String) -> Result<WireSquare, BadSquare> {
        text.parse()
    }
}

impl FromStr for WireSquare {
    type Err = BadSquare;

    fn from_str(text: &str) -> Result<WireSquare, BadSquare> {
        let square = text.parse::<Square>().map_err(|_| BadSquare(text.to_owned()))?;
        Ok(WireSquare::under(square, Lie::Straight))
    }
}

/// How a board lies on the table. The board itself never knows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Lie {
    /// The connector is at White's left hand: the wire's a8 is the game's a8.
    #[default]
    Straight,
    /// Half a turn round: the wire's a8 is the game's h1.
    Turned,
}

impl Lie {
    /// The board after half a turn.
    #[must_use]
    pub const fn turned(self) -> Lie {
        match self {
            Lie::Straight => Lie::Turned,
            Lie::Turned => Lie::Straight,
        }
    }
}

/// Text that names no square, or an index that no board has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("\"{0}\" is no square: squares are written a1 to h8")]
pub struct BadSquare(pub String);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wire_begins_at_a8_and_ends_at_h1() {
        let names = WireSquare::all().map(|square| square.to_string()).collect::<Vec<_>>();
        assert_eq!((names[0].as_str(), names[1].as_str(), names[63].as_str()), ("a8", "b8", "h1"));
    }

    #[test]
    fn half_a_turn_maps_every_square_to_its_opposite() {
        for square in WireSquare::all() {
            assert_eq!(square.on(Lie::Turned), square.on(Lie::Straight).rotate_180());
            for lie in [Lie::Straight, Lie::Turned] {
                assert_eq!(WireSquare::under(square.on(lie), lie), square);
            }
        }
    }

    #[test]
    fn what_is_no_square_says_so() {
        assert_eq!(
            "e9".parse::<WireSquare>().expect_err("no such rank").to_string(),
            "\"e9\" is no square: squares are written a1 to h8"
        );
        assert_eq!(WireSquare::new(64), None);
    }
}
