//! Games as pairing programs export them: tags, and moves or none.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    Fault, Faults, Form, Opponent, Pair, Paper, Person,
    cell::{self, result},
    nobody::{is_nobody, nobody},
    round::Gathering,
    text::lines,
};

/// The tags of one game, each with its line.
type Tags = BTreeMap<String, (String, usize)>;

/// The place of a tag that can't be read: who plays that game is not known.
const TORN: &str = "";

/// Reads the tags of all games; moves are passed over.
pub fn read(text: &str) -> Result<Paper, Faults> {
    let (games, mut faults) = games(text);
    let mut gathering = Gathering::default();
    for tags in games.iter().filter(|tags| !tags.contains_key(TORN)) {
        match pair(tags) {
            Ok((round, table, pair)) => gathering.add(round, table, pair),
            Err(fault) => faults.push(fault),
        }
    }
    let expected = "a game with its tags, [White \"Carlsen, Magnus\"] and so on";
    let mut paper = gathering.finish(Form::Pgn, faults, Fault::new(1, "", expected))?;
    for sheet in &mut paper.sheets {
        let of_it = games.iter().filter(|tags| round(tags).is_ok_and(|(round, _)| round == sheet.round));
        sheet.day = of_it.filter_map(|tags| given(tags, "Date")).find(|day| !day.contains('?'));
    }
    let common = |name: &str| games.iter().find_map(|tags| given(tags, name));
    let date = common("Date").filter(|date| !date.contains("??"));
    let (title, site, time_control) = (common("Event"), common("Site"), common("TimeControl"));
    let titles = games.iter().filter_map(|tags| given(tags, "Event")).collect::<BTreeSet<_>>();
    let other_titles = titles.into_iter().filter(|other| Some(other) != title.as_ref()).collect();
    Ok(Paper { title, other_titles, site, date, time_control, ..paper })
}

/// The tags of each game. A game begins with a tag after moves, or with one that stands already.
fn games(text: &str) -> (Vec<Tags>, Vec<Fault>) {
    let (mut games, mut faults) = (Vec::new(), Vec::new());
    let (mut tags, mut moves, mut comment) = (Tags::new(), false, None::<Fault>);
    for (at, text) in (1..).zip(lines(text)) {
        let line = text.trim();
        let read = if line.starts_with('[') { tags_of(line) } else { None };
        if read.is_some() {
            // Comments have clock times in brackets; what looks like a tag is one, and its game was not meant to be passed over.
            faults.extend(comment.take());
        } else if comment.is_some() || !line.starts_with('[') {
            moves |= !line.is_empty();
            comment = ends_in_comment(line, at, comment);
            continue;
        }
        let Some(read) = read else {
            faults.push(Fault::new(at, line, "a tag such as [White \"Carlsen, Magnus\"]"));
            tags.insert(TORN.to_owned(), (String::new(), at));
            continue;
        };
        for (name, value) in read {
            if !tags.is_empty() && (moves || tags.contains_key(&name)) {
                games.push(std::mem::take(&mut tags));
            }
            moves = false;
            tags.insert(name, (value, at));
        }
    }
    games.extend((!tags.is_empty()).then_some(tags));
    (games, faults)
}

/// What is wrong if the comment that is open behind this line is never closed.
fn ends_in_comment(line: &str, at: usize, inside: Option<Fault>) -> Option<Fault> {
    line.char_indices().fold(inside, |inside, (place, letter)| match letter {
        '{' if inside.is_none() => {
            Some(Fault::new(at, &line[place..], "a comment that ends with } before the next game"))
        }
        '}' => None,
        _ => inside,
    })
}

/// Names and values. Most lines have one tag; some programs end no line behind a Black who is nobody.
fn tags_of(line: &str) -> Option<Vec<(String, String)>> {
    let (mut tags, mut rest) = (Vec::new(), line);
    while !rest.is_empty() {
        let (tag, after) = tag(rest)?;
        tags.push(tag);
        rest = after.trim_start();
    }
    Some(tags)
}

/// Name and value, and what follows. Some programs leave the quotes of a bye open, so those of Black need not close.
fn tag(line: &str) -> Option<((String, String), &str)> {
    let inner = line.strip_prefix('[')?;
    let (name, _) = inner.split_once(|c: char| c.is_whitespace() || c == '"')?;
    let rest = inner[name.len()..].trim_start();
    if let Some((value, after)) = rest.strip_prefix('"').and_then(quoted) {
        return Some(((name.to_owned(), value), after));
    }
    let broken = rest.strip_suffix(']')?.trim_matches(['"', ' ']);
    (name == "Black" && (broken.is_empty() || is_nobody(broken))).then(|| ((name.to_owned(), String::new()), ""))
}

/// What stands before the closing quote and bracket, with `\"` and `\\` taken for what they mean, and what stands behind.
fn quoted(text: &str) -> Option<(String, &str)> {
    let mut value = String::new();
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => value.push(letters.next()?),
            '"' => return Some((value, letters.as_str().trim_start().strip_prefix(']')?)),
            letter => value.push(letter),
        }
    }
    None
}

fn pair(tags: &Tags) -> Result<(Option<u16>, Option<u16>, Pair), Fault> {
    let line = tags.values().map(|(_, line)| *line).min().unwrap_or(1);
    if let Some(side) = ["White", "Black"].into_iter().find(|side| !tags.contains_key(*side)) {
        let last = tags.values().map(|(_, line)| *line).max().unwrap_or(line);
        let expected = format!("[{side} \"…\"] in this game, \"BYE\" in it where nobody sits there");
        return Err(Fault::new(last, "", expected));
    }
    let (white, black) = (person("White", tags)?, person("Black", tags)?);
    let bye = ["White", "Black"].into_iter().find_map(|side| nobody(&given(tags, side)?));
    let (white, black) = Opponent::seat(white, black, bye)
        .ok_or_else(|| Fault::new(line, "", "a game with [White \"…\"] and [Black \"…\"]"))?;
    let (round, part) = round(tags)?;
    let board = tags.get("Board").map_or(Ok(None), |(text, line)| cell::number(text, *line, "the board"))?;
    let (text, at) = tags.get("Result").cloned().unwrap_or_default();
    let result = result(&text, at)?;
    Ok((round, board.or(part), Pair { table: 0, white, black, result, line }))
}

/// Round and table out of `3`, `3.1` or `?`.
fn round(tags: &Tags) -> Result<(Option<u16>, Option<u16>), Fault> {
    let Some((text, line)) = tags.get("Round") else { return Ok((None, None)) };
    let (round, part) = text.split_once('.').unwrap_or((text, ""));
    let part = part.split('.').next().unwrap_or_default();
    let number = |text, what| cell::number(text, *line, what);
    Ok((number(round, "the round")?, number(part, "the board")?))
}

fn person(side: &str, tags: &Tags) -> Result<Option<Person>, Fault> {
    let of = |suffix: &str| tags.get(&format!("{side}{suffix}")).cloned().unwrap_or_default();
    let Some(name) = given(tags, side).filter(|name| !is_nobody(name)) else { return Ok(None) };
    let (rating, title, fide_id) = (of("Elo"), of("Title"), of("FideId"));
    Ok(Some(Person {
        title: cell::title(&title.0, title.1)?,
        rating: cell::rating(&rating.0, rating.1)?,
        federation: cell::given(&of("Fed").0).or_else(|| cell::given(&of("Country").0)),
        fide_id: cell::fide_id(&fide_id.0, fide_id.1)?,
        team: cell::given(&of("Team").0),
        ..Person::named(&name)
    }))
}

fn given(tags: &Tags, name: &str) -> Option<String> {
    tags.get(name).and_then(|(value, _)| cell::given(value))
}
