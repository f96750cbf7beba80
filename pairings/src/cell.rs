//! What one cell, tag or field says, whichever form it stands in.

use laws::result::GameResult;

use crate::Fault;

/// Ratings above are typing errors.
pub(crate) const HIGHEST_RATING: u16 = 4000;

/// Titles by FIDE, and how its report file shortens them.
pub(crate) const TITLES: [(&str, &str); 8] =
    [("GM", "g"), ("IM", "m"), ("FM", "f"), ("CM", "c"), ("WGM", "wg"), ("WIM", "wm"), ("WFM", "wf"), ("WCM", "wc")];

/// Titles others give are kept as they stand, as long as they look like one.
const LONGEST_TITLE: usize = 4;

/// One line of readable characters: no controls, none that turn the direction of writing, single blanks.
pub(crate) fn clean(text: &str) -> String {
    let turns = |c: &char| matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let plain = text.chars().filter(|c| !turns(c) && *c != '\u{feff}').map(|c| if c.is_control() { ' ' } else { c });
    plain.collect::<String>().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What programs write where they know nothing.
pub(crate) fn given(text: &str) -> Option<String> {
    let text = clean(text);
    let none = text.chars().all(|c| matches!(c, '-' | '?' | '–' | '.'));
    (!none && !text.eq_ignore_ascii_case("unknown")).then_some(text)
}

pub(crate) fn rating(text: &str, line: usize) -> Result<Option<u16>, Fault> {
    let Some(given) = given(text) else { return Ok(None) };
    match given.parse::<u16>() {
        Ok(0) => Ok(None),
        Ok(rating) if rating <= HIGHEST_RATING => Ok(Some(rating)),
        Ok(_) | Err(_) => Err(Fault::new(line, text, format!("a rating: a number up to {HIGHEST_RATING}, or nothing"))),
    }
}

pub(crate) fn fide_id(text: &str, line: usize) -> Result<Option<u32>, Fault> {
    let Some(given) = given(text) else { return Ok(None) };
    let bad = || Fault::new(line, text, "a FIDE number of up to nine digits, 0, or nothing");
    given.parse().map(Some).ok().filter(|_| given.len() <= 9).ok_or_else(bad)
}

pub(crate) fn title(text: &str, line: usize) -> Result<Option<String>, Fault> {
    let Some(given) = given(text) else { return Ok(None) };
    let known =
        TITLES.iter().find(|(title, short)| given.eq_ignore_ascii_case(title) || given.eq_ignore_ascii_case(short));
    if let Some((title, _)) = known {
        return Ok(Some((*title).to_owned()));
    }
    let plausible = given.len() <= LONGEST_TITLE && given.chars().all(char::is_alphabetic);
    plausible
        .then(|| Some(given.to_uppercase()))
        .ok_or_else(|| Fault::new(line, text, "a title such as GM or WIM, or nothing"))
}

/// A result, where there is one yet.
pub(crate) fn result(text: &str, line: usize) -> Result<Option<GameResult>, Fault> {
    let text = text.trim();
    if text == "*" || text == ":" || given(text).is_none() {
        return Ok(None);
    }
    text.parse().map(Some).map_err(|_| Fault::new(line, text, "a result such as 1-0, 1/2-1/2, +/- or nothing"))
}

/// A round or a table.
pub(crate) fn number(text: &str, line: usize, what: &str) -> Result<Option<u16>, Fault> {
    let Some(given) = given(text) else { return Ok(None) };
    let bad = || Fault::new(line, text, format!("the number of {what}, from 1 to {}", u16::MAX));
    given.trim_end_matches(['.', ')', ':']).parse().ok().filter(|number| *number > 0).map(Some).ok_or_else(bad)
}
