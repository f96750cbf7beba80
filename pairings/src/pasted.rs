//! Lines as people write them: a table, two players and a dash between them.

use crate::{
    Fault, Faults, Form, Opponent, Pair, Paper, Person,
    cell::{self, result},
    heading,
    nobody::{is_nobody, nobody},
    round::Gathering,
    text::lines,
};

/// What stands between two players; the plainest last, because names have hyphens.
const BETWEEN: [&str; 9] = ["\t", " – ", " — ", " -- ", " vs. ", " vs ", " v ", " : ", " - "];

/// A line such as `Runde 3` names the round of those below it.
const ROUND: [&str; 3] = ["round", "runde", "ronda"];

/// Reads lines as people write them. Empty lines and those that begin with `#` are passed over.
pub fn read(text: &str) -> Result<Paper, Faults> {
    let (mut gathering, mut faults, mut round) = (Gathering::default(), Vec::new(), None);
    for (line, text) in (1..).zip(lines(text)) {
        if text.trim().is_empty() || text.trim_start().starts_with('#') {
            continue;
        }
        if let Some(number) = names_round(text) {
            round = Some(number);
            continue;
        }
        match pair(text, line) {
            Ok((table, pair)) => gathering.add(round, table, pair),
            Err(fault) => faults.push(fault),
        }
    }
    let expected = "lines such as \"1  Carlsen, Magnus – Caruana, Fabiano\"";
    gathering.finish(Form::Pasted, faults, Fault::new(1, "", expected))
}

fn names_round(text: &str) -> Option<u16> {
    let text = text.trim().to_lowercase();
    let rest = ROUND.into_iter().find_map(|word| text.strip_prefix(word))?;
    rest.trim().trim_end_matches([':', '.']).parse().ok().filter(|round| *round > 0)
}

fn pair(text: &str, line: usize) -> Result<(Option<u16>, Pair), Fault> {
    let bad = || Fault::new(line, text, "two players with a dash between them, such as \"1  White, Ann – Black, Ben\"");
    let (table, rest) = table(text);
    let between = |sign: &'static str| rest.split_once(sign).map(|(white, black)| (sign, white, black));
    let (sign, white, black) = BETWEEN.into_iter().find_map(between).ok_or_else(bad)?;
    // Points behind a word for nobody are no result.
    let (black, outcome) = if nobody(black).is_some() { (black, "") } else { outcome(black) };
    let headings = sign == "\t" && table.is_none() && heading::column(white, &mut Vec::new()).is_some();
    if black.contains(sign) || headings {
        return Err(bad());
    }
    let result = result(outcome, line)?;
    cell::given(white).ok_or_else(bad)?;
    let somebody = |name: &str| cell::given(name).filter(|name| !is_nobody(name)).map(|name| Person::written(&name));
    let bye = nobody(white).or_else(|| nobody(black));
    let (white, black) = Opponent::seat(somebody(white), somebody(black), bye).ok_or_else(bad)?;
    Ok((table, Pair { table: 0, white, black, result, line }))
}

/// The number a line begins with, and the rest.
fn table(text: &str) -> (Option<u16>, &str) {
    let text = text.trim();
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, rest) = text.split_at(digits);
    let rest = rest.strip_prefix(['.', ')', ':']).unwrap_or(rest);
    match number.parse::<u16>() {
        Ok(number) if number > 0 && rest.starts_with(char::is_whitespace) => (Some(number), rest.trim_start()),
        Ok(_) | Err(_) => (None, text),
    }
}

/// The result at the end of a line, if one stands there.
fn outcome(text: &str) -> (&str, &str) {
    let text = text.trim();
    match text.rsplit_once(char::is_whitespace) {
        Some((name, last)) if last == "*" || last.parse::<laws::result::GameResult>().is_ok() => (name, last),
        Some(_) | None => (text, ""),
    }
}
