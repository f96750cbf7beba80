//! Code pages of Windows: a byte a letter, and nothing in a file says which letters.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{ISO_8859_2, WINDOWS_1250, WINDOWS_1251, WINDOWS_1252};

/// Whose letters they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Page {
    /// Of central Europe: Polish, Czech, Hungarian and their neighbours.
    Central,
    /// Cyrillic.
    Cyrillic,
    /// Of western Europe; all of Latin-1 is in it.
    Western,
}

/// So many words tell one page from another before another than the western one is believed.
const TELLING: usize = 3;

impl Page {
    /// All of them.
    pub const ALL: [Page; 3] = [Page::Central, Page::Cyrillic, Page::Western];

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Page::Central => "windows-1250",
            Page::Cyrillic => "windows-1251",
            Page::Western => "windows-1252",
        }
    }

    /// The one of this name.
    pub fn named(name: &str) -> Option<Page> {
        Page::ALL.into_iter().find(|page| page.name() == name)
    }

    /// The one these bytes were most likely written in: the western one unless there is no doubt of another.
    ///
    /// Lists of names are short, and `ø` is the byte of `ř`: of a few names of the west, or of names of many countries, the
    /// detector is wrong now and then. What it finds in each half of the lines it finds with reason.
    pub(crate) fn of(bytes: &[u8]) -> Page {
        let page = guessed(bytes.iter().copied());
        let half = |first| {
            let lines = bytes.split(|byte| matches!(byte, b'\n' | b'\r')).filter(|line| !line.is_ascii());
            guessed(lines.skip(first).step_by(2).flat_map(|line| line.iter().copied().chain([b'\n'])))
        };
        let is_sure = match page {
            Page::Central => telling(bytes) >= TELLING && half(0) == page && half(1) == page,
            Page::Cyrillic => telling(bytes) >= TELLING,
            Page::Western => true,
        };
        if is_sure { page } else { Page::Western }
    }

    pub(crate) fn decode(self, bytes: &[u8]) -> String {
        self.table().decode_without_bom_handling(bytes).0.into_owned()
    }

    /// What the page has no letter for becomes a question mark.
    pub(crate) fn encode(self, text: &str) -> Vec<u8> {
        let (bytes, _, is_short) = self.table().encode(text);
        if !is_short {
            return bytes.into_owned();
        }
        let mut letter = [0; 4];
        let byte = |c: char| match self.table().encode(c.encode_utf8(&mut letter)) {
            (byte, _, false) => byte[0],
            (_, _, true) => b'?',
        };
        text.chars().map(byte).collect()
    }

    fn table(self) -> &'static encoding_rs::Encoding {
        match self {
            Page::Central => WINDOWS_1250,
            Page::Cyrillic => WINDOWS_1251,
            Page::Western => WINDOWS_1252,
        }
    }
}

fn guessed(bytes: impl Iterator<Item = u8>) -> Page {
    let bytes = bytes.collect::<Vec<_>>();
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(&bytes, true);
    let guess = detector.guess(None, Utf8Detection::Deny);
    // Without ą, ś and š the two pages of central Europe are the same, and spreadsheets know one of them only.
    if guess == WINDOWS_1250 || guess == ISO_8859_2 {
        Page::Central
    } else if guess == WINDOWS_1251 {
        Page::Cyrillic
    } else {
        Page::Western
    }
}

/// How many words are others in central Europe than in the west. All Cyrillic ones are.
fn telling(bytes: &[u8]) -> usize {
    let is_other = |byte: &u8| Page::Central.decode(&[*byte]) != Page::Western.decode(&[*byte]);
    let words = bytes.split(|byte| byte.is_ascii() && !byte.is_ascii_alphanumeric());
    words.filter(|word| word.iter().any(is_other)).count()
}
