//! Bytes become text, and text bytes again: files come from programs of three decades.

use crate::{Fault, Page};

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
    /// A code page of Windows.
    Windows(Page),
}

impl Encoding {
    /// All of them.
    pub const ALL: [Encoding; 9] = [
        Encoding::Utf8 { marked: false },
        Encoding::Utf8 { marked: true },
        Encoding::Utf16 { big_endian: false, marked: true },
        Encoding::Utf16 { big_endian: true, marked: true },
        Encoding::Utf16 { big_endian: false, marked: false },
        Encoding::Utf16 { big_endian: true, marked: false },
        Encoding::Windows(Page::Central),
        Encoding::Windows(Page::Cyrillic),
        Encoding::Windows(Page::Western),
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
            Encoding::Windows(page) => page.name(),
        }
    }

    /// The one of this name; UTF-8 if there is none.
    pub fn named(name: &str) -> Encoding {
        let found = Encoding::ALL.into_iter().find(|encoding| encoding.name() == name);
        found.unwrap_or(Encoding::Utf8 { marked: false })
    }
}

const MARK: &[u8] = b"\xef\xbb\xbf";

/// The text, and how it was written: on the code page that somebody names, or as its bytes tell. Text that is no UTF-8, not
/// even a spoilt one, was written on Windows: every byte is a letter there.
pub fn decode(bytes: &[u8], named: Option<Page>) -> Result<(String, Encoding), Fault> {
    let on = |page: Page| (page.decode(bytes), Encoding::Windows(page));
    let (text, encoding) = match named.map(on) {
        Some(known) => known,
        None => told(bytes)?.unwrap_or_else(|| on(Page::of(bytes))),
    };
    match torn_at(&text) {
        Some(at) => Err(no_text(&text, at)),
        None => Ok((text, encoding)),
    }
}

/// A text that tells how it was written.
fn told(bytes: &[u8]) -> Result<Option<(String, Encoding)>, Fault> {
    for (mark, big_endian) in [([0xff, 0xfe], false), ([0xfe, 0xff], true)] {
        if let Some(rest) = bytes.strip_prefix(&mark) {
            return Ok(Some((utf16(rest, big_endian)?, Encoding::Utf16 { big_endian, marked: true })));
        }
    }
    if let Some(big_endian) = unmarked_utf16(bytes) {
        return Ok(Some((utf16(bytes, big_endian)?, Encoding::Utf16 { big_endian, marked: false })));
    }
    let (marked, rest) = bytes.strip_prefix(MARK).map_or((false, bytes), |rest| (true, rest));
    match std::str::from_utf8(rest) {
        Ok(text) => Ok(Some((text.to_owned(), Encoding::Utf8 { marked }))),
        Err(spoilt) if marked || is_mostly_utf8(rest) => {
            let text = String::from_utf8_lossy(rest);
            let (line, found) = line_of(&text, spoilt.valid_up_to());
            Err(Fault::new(
                line,
                found,
                "whole letters of UTF-8, as in the rest of the file: one was cut off or spoilt here",
            ))
        }
        Err(_) => Ok(None),
    }
}

/// Whether more letters are whole ones of UTF-8 than are none. Read as Windows wrote them such a list would have every name
/// wrong, and not only the one that is spoilt. Two letters of Windows side by side are seldom a whole one of UTF-8.
fn is_mostly_utf8(bytes: &[u8]) -> bool {
    let whole = bytes.utf8_chunks().flat_map(|chunk| chunk.valid().chars()).filter(|letter| !letter.is_ascii()).count();
    whole > bytes.utf8_chunks().filter(|chunk| !chunk.invalid().is_empty()).count()
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
        Encoding::Windows(page) => page.encode(text),
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
