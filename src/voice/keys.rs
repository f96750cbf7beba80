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

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Line {
    File,
    Rank,
}

impl Keys {
    /// A key goes down.
    pub(super) fn press(&mut self, key: Key) -> Option<Request> {
        match key {
            Key::KpSlash | Key::Slash => self.line = Some(Line::File),
            Key::KpAsterisk => self.line = Some(Line::Rank),
            key => return self.ask(key),
        }
        None
    }

    fn ask(&mut self, key: Key) -> Option<Request> {
        let line = self.line.take();
        let digit = digit(key);
        if let (Some(line), Some(digit @ 1..=8)) = (line, digit) {
            return Some(match line {
                Line::File => Request::File(char::from(b'a' + digit - 1)),
                Line::Rank => Request::Rank(digit),
            });
        }
        Some(match (key, digit) {
            (_, Some(0)) => Request::LastMove,
            (_, Some(1)) => Request::Men(Man::Pawn),
            (_, Some(2)) => Request::Men(Man::Knight),
            (_, Some(3)) => Request::Men(Man::Bishop),
            (_, Some(4)) => Request::Men(Man::Rook),
            (_, Some(5)) => Request::Men(Man::Queen),
            (_, Some(6)) => Request::Men(Man::King),
            (_, Some(7)) => Request::MoveNumber,
            (_, Some(8)) => Request::Position,
            (_, Some(_)) => Request::Test,
            (Key::KpDot | Key::KpComma | Key::Dot | Key::Comma, None) => Request::MyClock,
            (Key::KpEnter | Key::Enter, None) => Request::BothClocks,
            (Key::KpPlus, None) => Request::Faster,
            (Key::KpMinus | Key::Minus, None) => Request::Slower,
            (_, None) => return None,
        })
    }
}

/// The digit on a key, of the keypad or of the row above the letters.
fn digit(key: Key) -> Option<u8> {
    const PAD: [Key; 10] =
        [Key::Kp0, Key::Kp1, Key::Kp2, Key::Kp3, Key::Kp4, Key::Kp5, Key::Kp6, Key::Kp7, Key::Kp8, Key::Kp9];
    const ROW: [Key; 10] =
        [Key::Num0, Key::Num1, Key::Num2, Key::Num3, Key::Num4, Key::Num5, Key::Num6, Key::Num7, Key::Num8, Key::Num9];
    let place = [PAD, ROW].iter().find_map(|keys| keys.iter().position(|known| *known == key))?;
    u8::try_from(place).ok()
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
