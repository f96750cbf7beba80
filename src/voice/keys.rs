//! What the keys of a player's keypad ask for. Pure: a key goes in, a request comes out.
//!
//! | key | asks for |
//! |---|---|
//! | `0` | the opponent's last move |
//! | `.` | my clock |
//! | Enter | both clocks |
//! | `+` `-` | faster, slower |
//! | `1` to `6` | where my pawns, knights, bishops, rooks, queens, king stand |
//! | `7` | the number of the move |
//! | `8` | the whole position |
//! | `9` | the alphabet: does the earphone work? |
//! | `/` and `1` to `8` | what stands on the file from a to h |
//! | `*` and `1` to `8` | what stands on the rank |

use input_linux::Key;
use protocol::feed::{Man, Request};

/// The keys of one keypad, of which the one before may say what the next one means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Keys {
    line: Option<Line>,
}

/// Which line of squares the next digit names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Line {
    File,
    Rank,
}

/// What is written on a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sign {
    Digit(u8),
    Line(Line),
    Asks(Request),
}

/// Those of the pad, and those of a keyboard that say the same.
const SIGNS: [(Key, Sign); 30] = [
    (Key::Kp0, Sign::Digit(0)),
    (Key::Kp1, Sign::Digit(1)),
    (Key::Kp2, Sign::Digit(2)),
    (Key::Kp3, Sign::Digit(3)),
    (Key::Kp4, Sign::Digit(4)),
    (Key::Kp5, Sign::Digit(5)),
    (Key::Kp6, Sign::Digit(6)),
    (Key::Kp7, Sign::Digit(7)),
    (Key::Kp8, Sign::Digit(8)),
    (Key::Kp9, Sign::Digit(9)),
    (Key::Num0, Sign::Digit(0)),
    (Key::Num1, Sign::Digit(1)),
    (Key::Num2, Sign::Digit(2)),
    (Key::Num3, Sign::Digit(3)),
    (Key::Num4, Sign::Digit(4)),
    (Key::Num5, Sign::Digit(5)),
    (Key::Num6, Sign::Digit(6)),
    (Key::Num7, Sign::Digit(7)),
    (Key::Num8, Sign::Digit(8)),
    (Key::Num9, Sign::Digit(9)),
    (Key::KpSlash, Sign::Line(Line::File)),
    (Key::KpAsterisk, Sign::Line(Line::Rank)),
    (Key::KpDot, Sign::Asks(Request::MyClock)),
    (Key::KpComma, Sign::Asks(Request::MyClock)),
    (Key::Dot, Sign::Asks(Request::MyClock)),
    (Key::KpEnter, Sign::Asks(Request::BothClocks)),
    (Key::Enter, Sign::Asks(Request::BothClocks)),
    (Key::KpPlus, Sign::Asks(Request::Faster)),
    (Key::KpMinus, Sign::Asks(Request::Slower)),
    (Key::Minus, Sign::Asks(Request::Slower)),
];

impl Keys {
    /// A key goes down.
    pub(super) fn press(&mut self, key: Key) -> Option<Request> {
        let (_, sign) = SIGNS.iter().find(|(known, _)| *known == key)?;
        match (*sign, self.line.take()) {
            (Sign::Line(line), _) => {
                self.line = Some(line);
                None
            }
            (Sign::Asks(request), _) => Some(request),
            (Sign::Digit(digit @ 1..=8), Some(Line::File)) => Some(Request::File(char::from(b'a' + digit - 1))),
            (Sign::Digit(digit @ 1..=8), Some(Line::Rank)) => Some(Request::Rank(digit)),
            (Sign::Digit(digit), _) => Some(asked(digit)),
        }
    }
}

/// What a digit asks for by itself.
fn asked(digit: u8) -> Request {
    match digit {
        0 => Request::LastMove,
        1 => Request::Men(Man::Pawn),
        2 => Request::Men(Man::Knight),
        3 => Request::Men(Man::Bishop),
        4 => Request::Men(Man::Rook),
        5 => Request::Men(Man::Queen),
        6 => Request::Men(Man::King),
        7 => Request::MoveNumber,
        8 => Request::Position,
        _ => Request::Test,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_key_asks_for_one_thing_and_a_line_is_two_keys() {
        let asked = |keys: &[Key]| {
            let mut pad = Keys::default();
            keys.iter().filter_map(|key| pad.press(*key)).collect::<Vec<_>>()
        };
        assert_eq!(
            asked(&[Key::Kp0, Key::KpDot, Key::KpEnter]),
            [Request::LastMove, Request::MyClock, Request::BothClocks]
        );
        assert_eq!(asked(&[Key::KpMinus, Key::KpPlus]), [Request::Slower, Request::Faster]);
        assert_eq!(asked(&[Key::Kp2, Key::Num6]), [Request::Men(Man::Knight), Request::Men(Man::King)]);
        assert_eq!(asked(&[Key::KpSlash, Key::Kp5]), [Request::File('e')]);
        assert_eq!(asked(&[Key::KpAsterisk, Key::Kp4, Key::Kp4]), [Request::Rank(4), Request::Men(Man::Rook)]);
        assert_eq!(asked(&[Key::Kp7, Key::Kp8, Key::Kp9]), [Request::MoveNumber, Request::Position, Request::Test]);
        assert_eq!(asked(&[Key::NumLock, Key::A, Key::Esc]), []);
        assert_eq!(asked(&[Key::KpSlash, Key::Kp0]), [Request::LastMove], "there is no such line");
    }
}
