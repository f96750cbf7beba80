//! Which form a file has: said by its beginning, not by its name.

use crate::{
    Faults, Form, Paper, csv, pasted, pgn,
    text::{Encoding, decode, lines},
    trf::Trf,
};

impl Form {
    /// What this text is.
    pub fn of(text: &str) -> Form {
        let mut lines = lines(text).map(str::trim).filter(|line| !line.is_empty());
        let Some(first) = lines.next() else { return Form::Pasted };
        if is_tag(first) {
            Form::Pgn
        } else if is_coded(first) && std::iter::once(first).chain(lines).any(|line| line.starts_with("001 ")) {
            Form::Trf
        } else if csv::has_headings(text) {
            Form::Csv
        } else {
            Form::Pasted
        }
    }
}

/// Reads a pairing file, whatever its form.
///
/// ```
/// let paper = pairings::read("1  Carlsen, Magnus – Caruana, Fabiano".as_bytes()).expect("one table");
/// let (white, black) = paper.sheets[0].pairs[0].players().expect("two players");
/// assert_eq!((white.name.as_str(), black.name.as_str()), ("Carlsen, Magnus", "Caruana, Fabiano"));
///
/// let faults = pairings::read(b"1  Carlsen, Magnus").expect_err("nobody to play with");
/// assert!(faults.to_string().starts_with("line 1: \"1  Carlsen, Magnus\"; expected two players"));
/// ```
pub fn read(bytes: &[u8]) -> Result<Paper, Faults> {
    let (text, encoding) = decode(bytes, None)?;
    read_text(&text, encoding)
}

/// The same, of its text.
pub fn read_text(text: &str, encoding: Encoding) -> Result<Paper, Faults> {
    match Form::of(text) {
        Form::Pgn => pgn::read(text),
        Form::Trf => Trf::read_text(text, encoding).and_then(|file| file.paper()),
        Form::Csv => csv::read(text),
        Form::Pasted => pasted::read(text),
    }
}

fn is_tag(line: &str) -> bool {
    line.strip_prefix('[').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_alphabetic()))
}

/// Three digits and a blank, or a code that a pairing program has added.
fn is_coded(line: &str) -> bool {
    let code = line.split(' ').next().unwrap_or_default();
    code.len() == 3 && (code.chars().all(|c| c.is_ascii_digit()) || code.starts_with("XX") || code.starts_with("BB"))
}
