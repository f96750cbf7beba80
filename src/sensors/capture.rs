//! The capture format: every byte of a port with the millisecond it went by, one JSON object a line.
//!
//! ```text
//! {"t":312,"tx":"40"}
//! {"t":455,"rx":"9300050108"}
//! {"t":90211,"link":"down"}
//! ```
//!
//! `t` counts from the start of the capture. `rx` came from the board, `tx` went to it.

use std::fmt::Write as _;
use std::io::{self, BufRead, Write};

use protocol::board::Link;
use serde::{Deserialize, Serialize};

/// One line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Milliseconds since the capture began.
    pub t: u64,
    /// What went by.
    pub item: Item,
}

/// What went by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// Bytes from the board.
    Rx(Vec<u8>),
    /// Bytes to the board.
    Tx(Vec<u8>),
    /// The port was opened or lost.
    Link(Link),
}

/// A line that can't be read. The lines around it can.
#[derive(Debug, thiserror::Error)]
#[error("line {number} is no line of a capture: {why}")]
pub struct BadLine {
    /// Counted from 1.
    pub number: usize,
    /// What is wrong with it.
    pub why: String,
}

#[derive(Default, Serialize, Deserialize)]
struct Written {
    t: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rx: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    tx: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    link: Option<Link>,
}

/// Writes one line and passes it on at once, so that a capture is whole up to the last byte whatever happens next.
pub fn write(to: &mut impl Write, entry: &Entry) -> io::Result<()> {
    let mut line = Written { t: entry.t, ..Written::default() };
    match &entry.item {
        Item::Rx(bytes) => line.rx = Some(hex(bytes)),
        Item::Tx(bytes) => line.tx = Some(hex(bytes)),
        Item::Link(link) => line.link = Some(*link),
    }
    let mut text = serde_json::to_string(&line)?;
    text.push('\n');
    to.write_all(text.as_bytes())?;
    to.flush()
}

/// Whether what begins like this is a capture: blank lines and the mark some editors put before them do not count.
/// No board begins with any of it, for the first byte of a message has its high bit set and no mark follows.
pub fn is_capture(start: &[u8]) -> bool {
    without_mark(start).trim_ascii_start().starts_with(b"{")
}

fn without_mark(start: &[u8]) -> &[u8] {
    const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";
    start.strip_prefix(BYTE_ORDER_MARK).unwrap_or(start)
}

/// Reads a capture line by line. A broken line is named and the next one is read; empty lines and lines with
/// something newer than this program are passed over. A line that can't be read from the disk ends it.
pub fn read(from: impl BufRead) -> impl Iterator<Item = Result<Entry, BadLine>> {
    let mut ended = false;
    from.split(b'\n')
        .zip(1..)
        .map_while(move |(line, number)| {
            if ended {
                return None;
            }
            ended = line.is_err();
            Some(
                line.map_err(|error| format!("it can't be read, nor what follows ({error})"))
                    .and_then(|line| entry(if number == 1 { without_mark(&line) } else { &line }))
                    .map_err(|why| BadLine { number, why }),
            )
        })
        .filter_map(Result::transpose)
}

fn entry(line: &[u8]) -> Result<Option<Entry>, String> {
    if line.trim_ascii().is_empty() {
        return Ok(None);
    }
    let line = serde_json::from_slice::<Written>(line).map_err(|error| error.to_string())?;
    let item = match line {
        Written { rx: Some(hex), tx: None, link: None, .. } => Item::Rx(unhex(&hex)?),
        Written { tx: Some(hex), rx: None, link: None, .. } => Item::Tx(unhex(&hex)?),
        Written { link: Some(link), rx: None, tx: None, .. } => Item::Link(link),
        Written { rx: None, tx: None, link: None, .. } => return Ok(None),
        Written { .. } => return Err("it says more than one thing at once".to_owned()),
    };
    Ok(Some(Entry { t: line.t, item }))
}

/// Bytes as a capture has them.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        write!(text, "{byte:02x}").expect("text takes everything");
        text
    })
}

/// Blanks between bytes are welcome: people write captures by hand.
fn unhex(text: &str) -> Result<Vec<u8>, String> {
    let digits = text.chars().filter(|letter| !letter.is_whitespace()).map(digit).collect::<Result<Vec<_>, _>>()?;
    if digits.len() % 2 == 1 {
        return Err("a byte has two hexadecimal digits, the last one here has one".to_owned());
    }
    Ok(digits.chunks(2).map(|pair| pair[0] << 4 | pair[1]).collect())
}

fn digit(letter: char) -> Result<u8, String> {
    let digit = letter.to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    digit.ok_or_else(|| format!("\"{letter}\" is no hexadecimal digit"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        let entries = [
            Entry { t: 0, item: Item::Link(Link::Up) },
            Entry { t: 312, item: Item::Tx(vec![0x40]) },
            Entry { t: 455, item: Item::Rx(vec![0x93, 0, 5, 1, 8]) },
            Entry { t: 90_211, item: Item::Link(Link::Down) },
        ];
        let mut file = Vec::new();
        for entry in &entries {
            write(&mut file, entry).expect("memory takes everything");
        }
        assert!(file.starts_with(b"{\"t\":0,\"link\":\"up\"}\n{\"t\":312,\"tx\":\"40\"}\n"));
        let again = read(&file[..]).collect::<Result<Vec<_>, _>>().expect("all lines are good");
        assert_eq!(again, entries);
    }

    #[test]
    fn a_broken_line_is_named_and_the_others_are_read() {
        let file = "{\"t\":1,\"rx\":\"8e 00\"}\n\n{\"t\":2,\"rx\":\"8\"}\n\u{0}\n{\"t\":3,\"note\":\"e4\"}\n{\"t\":4,\"rx\":\"0G\"}\n{\"t\":5,\"tx\":\"42\"}\n{\"t\":6,\"tx";
        let read =
            read(file.as_bytes()).map(|line| line.map(|entry| entry.t).map_err(|bad| bad.number)).collect::<Vec<_>>();
        assert_eq!(read, [Ok(1), Err(3), Err(4), Err(6), Ok(5), Err(8)]);
    }

    #[test]
    fn a_capture_is_known_by_its_first_letter() {
        for start in ["{\"t\":1", "\n\r\n {\"t\":1", "\u{feff}{\"t\":1", "\u{feff}\n{"] {
            assert!(is_capture(start.as_bytes()), "{start:?}");
        }
        for start in [&b""[..], b"\n", b"\x8e\x00\x05{", b"[{", b"\xef\xbb{"] {
            assert!(!is_capture(start), "{start:?}");
        }
        let read = read("\u{feff}{\"t\":1,\"tx\":\"42\"}".as_bytes()).collect::<Result<Vec<_>, _>>();
        assert_eq!(read.expect("the mark is no damage"), [Entry { t: 1, item: Item::Tx(vec![0x42]) }]);
    }

    #[test]
    fn a_broken_line_says_what_is_wrong() {
        let bad = read(&b"{\"t\":4,\"rx\":\"0G\"}"[..]).next().expect("one line").expect_err("it is broken");
        assert_eq!(bad.to_string(), "line 1 is no line of a capture: \"G\" is no hexadecimal digit");
    }
}
