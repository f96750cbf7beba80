//! Bytes become text, and text bytes again: files come from programs of three decades.

use crate::Fault;

/// How a file writes its letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// UTF-8, with a mark at its beginning or without.
    Utf8 {
        /// The three bytes some programs begin with.
        marked: bool,
    },
    /// What spreadsheets call Unicode text.
    Utf16 {
        /// The more significant byte comes first.
        big_endian: bool,
        /// Two bytes at its beginning say so.
        marked: bool,
    },
    /// Western European Windows; all of Latin-1 is in it.
    Windows1252,
}

impl Encoding {
    /// All of them.
    pub const ALL: [Encoding; 7] = [
        Encoding::Utf8 { marked: false },
        Encoding::Utf8 { marked: true },
        Encoding::Utf16 { big_endian: false, marked: true },
        Encoding::Utf16 { big_endian: true, marked: true },
        Encoding::Utf16 { big_endian: false, marked: false },
        Encoding::Utf16 { big_endian: true, marked: false },
        Encoding::Windows1252,
    ];

    /// What it is called, for whoever keeps it beside a text.
    pub fn name(self) -> &'static str {
        match self {
            Encoding::Utf8 { marked: false } => "utf-8",
            Encoding::Utf8 { marked: true } => "utf-8-bom",
            Encoding::Utf16 { big_endian: false, marked: true } => "utf-16le",
            Encoding::Utf16 { big_endian: true, marked: true } => "utf-16be",
            Encoding::Utf16 { big_endian: false, marked: false } => "utf-16le-unmarked",
            Encoding::Utf16 { big_endian: true, marked: false } => "utf-16be-unmarked",
            Encoding::Windows1252 => "windows-1252",
        }
    }

    /// The one of this name; UTF-8 if there is none.
    pub fn named(name: &str) -> Encoding {
        let found = Encoding::ALL.into_iter().find(|encoding| encoding.name() == name);
        found.unwrap_or(Encoding::Utf8 { marked: false })
    }
}

const MARK: &[u8] = b"\xef\xbb\xbf";

/// What Windows puts where Latin-1 has nothing to print, from 0x80 on. Five places are free there too.
const WINDOWS: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}', '\u{90}', '‘', '’',
    '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// The text, and how it was written. Text that is no valid UTF-8 was written on Windows: every byte is a letter there.
pub fn decode(bytes: &[u8]) -> Result<(String, Encoding), Fault> {
    let (text, encoding) = letters(bytes)?;
    match torn_at(&text) {
        Some(at) => Err(no_text(&text, at)),
        None => Ok((text, encoding)),
    }
}

fn letters(bytes: &[u8]) -> Result<(String, Encoding), Fault> {
    for (mark, big_endian) in [([0xff, 0xfe], false), ([0xfe, 0xff], true)] {
        if let Some(rest) = bytes.strip_prefix(&mark) {
            return Ok((utf16(rest, big_endian)?, Encoding::Utf16 { big_endian, marked: true }));
        }
    }
    if let Some(big_endian) = unmarked_utf16(bytes) {
        return Ok((utf16(bytes, big_endian)?, Encoding::Utf16 { big_endian, marked: false }));
    }
    let (marked, rest) = bytes.strip_prefix(MARK).map_or((false, bytes), |rest| (true, rest));
    match std::str::from_utf8(rest) {
        Ok(text) => Ok((text.to_owned(), Encoding::Utf8 { marked })),
        Err(_) => Ok((bytes.iter().copied().map(windows).collect(), Encoding::Windows1252)),
    }
}

/// The lines of a text with their ends, be they of Windows, Unix or old Macs.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let end = rest.find(['\n', '\r']).map(|at| at + if rest[at..].starts_with("\r\n") { 2 } else { 1 });
        let (line, after) = rest.split_at(end.unwrap_or(rest.len()));
        rest = after;
        (!line.is_empty()).then_some(line)
    })
}

/// Where something stands that nobody writes by hand.
fn torn_at(text: &str) -> Option<usize> {
    text.find(|letter: char| letter.is_control() && !letter.is_whitespace())
}

fn no_text(text: &str, at: usize) -> Fault {
    let (line, found) = line_of(text, at);
    let found = found.trim_end().chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect::<String>();
    let expected = "text: a spreadsheet is saved as CSV first, text in the letters of DOS as UTF-8";
    Fault::new(line, &found, expected)
}

/// The number and the text of the line at this place.
fn line_of(text: &str, at: usize) -> (usize, &str) {
    let mut end = 0;
    for (number, line) in (1..).zip(lines(text)) {
        end += line.len();
        if at < end {
            return (number, line);
        }
    }
    (lines(text).count().max(1), "")
}

/// The bytes of a text. What Windows has no letter for becomes a question mark.
pub fn encode(text: &str, encoding: Encoding) -> Vec<u8> {
    match encoding {
        Encoding::Utf8 { marked } => [if marked { MARK } else { &[] }, text.as_bytes()].concat(),
        Encoding::Utf16 { big_endian, marked } => {
            let bytes = |unit: u16| if big_endian { unit.to_be_bytes() } else { unit.to_le_bytes() };
            marked.then_some(0xfeff).into_iter().chain(text.encode_utf16()).flat_map(bytes).collect()
        }
        Encoding::Windows1252 => text.chars().map(|letter| byte(letter).unwrap_or(b'?')).collect(),
    }
}

/// Whether these bytes are UTF-16 without a mark, and which of a pair comes first there. Digits, blanks, signs and line ends
/// have an empty byte in every language, all on the same side; other text has none.
fn unmarked_utf16(bytes: &[u8]) -> Option<bool> {
    let empty = |side| bytes.iter().skip(side).step_by(2).filter(|byte| **byte == 0).count();
    let (first, second) = (empty(0), empty(1));
    let (most, least, pairs) = (first.max(second), first.min(second), bytes.len() / 2);
    // A tenth is less than any list of names has; letters of which the lower byte is empty, such as Ā, are rare.
    (most > least * 4 && most * 10 >= pairs).then_some(first > second)
}

fn utf16(bytes: &[u8], big_endian: bool) -> Result<String, Fault> {
    let (pairs, odd) = bytes.as_chunks::<2>();
    let units = pairs.iter().map(|pair| if big_endian { u16::from_be_bytes(*pair) } else { u16::from_le_bytes(*pair) });
    let mut text = String::new();
    let whole = char::decode_utf16(units).try_for_each(|letter| {
        text.push(letter.map_err(drop)?);
        Ok::<_, ()>(())
    });
    if whole.is_ok() && odd.is_empty() {
        return Ok(text);
    }
    let (line, found) = line_of(&text, text.len().saturating_sub(1));
    Err(Fault::new(line, found, "whole letters of UTF-16: the file was cut off or spoilt here"))
}

fn windows(byte: u8) -> char {
    match byte {
        0x80..=0x9f => WINDOWS[usize::from(byte - 0x80)],
        _ => char::from(byte),
    }
}

fn byte(letter: char) -> Option<u8> {
    let special = (0x80..=0x9f).find(|byte| windows(*byte) == letter);
    special.or_else(|| u8::try_from(u32::from(letter)).ok().filter(|byte| windows(*byte) == letter))
}
