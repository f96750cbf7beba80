//! Bytes become text, and text bytes again: files come from programs of three decades.

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
    },
    /// Western European Windows; all of Latin-1 is in it.
    Windows1252,
}

impl Encoding {
    /// All of them.
    pub const ALL: [Encoding; 5] = [
        Encoding::Utf8 { marked: false },
        Encoding::Utf8 { marked: true },
        Encoding::Utf16 { big_endian: false },
        Encoding::Utf16 { big_endian: true },
        Encoding::Windows1252,
    ];

    /// What it is called, for whoever keeps it beside a text.
    pub fn name(self) -> &'static str {
        match self {
            Encoding::Utf8 { marked: false } => "utf-8",
            Encoding::Utf8 { marked: true } => "utf-8-bom",
            Encoding::Utf16 { big_endian: false } => "utf-16le",
            Encoding::Utf16 { big_endian: true } => "utf-16be",
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
pub fn decode(bytes: &[u8]) -> (String, Encoding) {
    for (mark, big_endian) in [([0xff, 0xfe], false), ([0xfe, 0xff], true)] {
        if let Some(rest) = bytes.strip_prefix(&mark) {
            return (utf16(rest, big_endian), Encoding::Utf16 { big_endian });
        }
    }
    let (marked, rest) = bytes.strip_prefix(MARK).map_or((false, bytes), |rest| (true, rest));
    match std::str::from_utf8(rest) {
        Ok(text) => (text.to_owned(), Encoding::Utf8 { marked }),
        Err(_) => (bytes.iter().copied().map(windows).collect(), Encoding::Windows1252),
    }
}

/// The bytes of a text. What Windows has no letter for becomes a question mark.
pub fn encode(text: &str, encoding: Encoding) -> Vec<u8> {
    match encoding {
        Encoding::Utf8 { marked } => [if marked { MARK } else { &[] }, text.as_bytes()].concat(),
        Encoding::Utf16 { big_endian } => {
            let bytes = |unit: u16| if big_endian { unit.to_be_bytes() } else { unit.to_le_bytes() };
            std::iter::once(0xfeff).chain(text.encode_utf16()).flat_map(bytes).collect()
        }
        Encoding::Windows1252 => text.chars().map(|letter| byte(letter).unwrap_or(b'?')).collect(),
    }
}

fn utf16(bytes: &[u8], big_endian: bool) -> String {
    let unit = |pair: &[u8]| {
        let pair = [pair[0], pair.get(1).copied().unwrap_or(0)];
        if big_endian { u16::from_be_bytes(pair) } else { u16::from_le_bytes(pair) }
    };
    String::from_utf16_lossy(&bytes.chunks(2).map(unit).collect::<Vec<_>>())
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
