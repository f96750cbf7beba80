//! A player as a pairing file names one.

use crate::cell::{HIGHEST_RATING, TITLES, clean};

/// Who sits down.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Person {
    /// Family name first, as in PGN.
    pub name: String,
    /// GM, WIM and so on.
    pub title: Option<String>,
    /// The rating the event goes by.
    pub rating: Option<u16>,
    /// Three letters.
    pub federation: Option<String>,
    /// FIDE's number; 0 says that the player has none.
    pub fide_id: Option<u32>,
    /// In team matches.
    pub team: Option<String>,
    /// The number in the event's list of players.
    pub number: Option<u32>,
}

impl Person {
    pub(crate) fn named(name: &str) -> Person {
        Person { name: clean(name), ..Person::default() }
    }

    /// The title before a name, as in `GM Carlsen, Magnus`, and the rating behind it in brackets.
    pub(crate) fn written(text: &str) -> Person {
        let text = clean(text);
        let (text, rating) = match text.strip_suffix(')').and_then(|text| text.rsplit_once('(')) {
            Some((name, digits)) => match digits.trim().parse() {
                Ok(rating) if rating <= HIGHEST_RATING => (name.trim().to_owned(), Some(rating)),
                Ok(_) | Err(_) => (text.clone(), None),
            },
            None => (text, None),
        };
        let title = text.split_once(' ').and_then(|(first, _)| TITLES.iter().find(|(title, _)| *title == first));
        let name = title.map_or(&text[..], |(title, _)| text[title.len()..].trim());
        Person {
            name: name.to_owned(),
            title: title.map(|(title, _)| (*title).to_owned()),
            rating,
            ..Person::default()
        }
    }
}
