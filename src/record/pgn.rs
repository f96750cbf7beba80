//! One game as PGN.

use std::fmt::{self, Write};

use protocol::feed::{GameResult, Period, Player, ResultReason, TableId, TimeControl, Variant};

use super::{
    papers::{Desk, happened_in},
    sheet::{Game, INITIAL, Move, Round, Sheet},
};

/// The PGN standard discourages lines of 80 characters and more.
const WIDTH: usize = 79;

/// The PGN standard allows a tag 255 bytes in all, and some readers give up beyond. This is for the text alone.
const LONGEST: usize = 200;

impl Sheet {
    /// The games of this table, in the order they were played; none while there are none and nobody is paired.
    /// With a desk, what happened beside the moves stands there as comments.
    pub(super) fn pgn(&self, round: &Round, table: &TableId, desk: Option<&Desk<'_>>) -> Vec<String> {
        if self.games.is_empty() && self.pairing.is_some() {
            let not_begun = Game::new(0, INITIAL.to_owned(), Variant::Standard, self.pairing.clone());
            return vec![game(round, table, self, 1, &not_begun, None)];
        }
        self.told().map(|(nth, one)| game(round, table, self, nth, one, desk)).collect()
    }

    /// One game of this table, by its number.
    pub(super) fn game_pgn(&self, round: &Round, table: &TableId, number: u32) -> Option<String> {
        let (nth, one) = self.told().find(|(_, one)| one.number == number)?;
        Some(game(round, table, self, nth, one, None))
    }
}

/// The tags and the moves of one game, the `nth` of its table. PGN knows legal moves only: after one that is not and stands, the game goes on as
/// another one, set up with the position after it.
fn game(round: &Round, table: &TableId, sheet: &Sheet, nth: usize, game: &Game, desk: Option<&Desk<'_>>) -> String {
    let happened = desk.map(|desk| happened_in(sheet, game, desk)).unwrap_or_default();
    let said = |plies: std::ops::RangeInclusive<usize>| {
        let here = happened.iter().filter(|(ply, _)| plies.contains(ply));
        here.map(|(ply, said)| (ply - plies.start(), said.clone())).collect::<Vec<_>>()
    };
    let mut before = 0;
    let mut parts = Vec::new();
    let mut part = Game { moves: Vec::new(), ..game.clone() };
    for (at, played) in game.moves.iter().enumerate() {
        let Some(fen) = &played.illegal else {
            part.moves.push(played.clone());
            continue;
        };
        part.result = GameResult::Open;
        part.void.clear();
        let note = format!("{{{} is not legal and stands: the game goes on from the position after it.}}", played.san);
        parts.push(one(round, table, sheet, nth, &part, &said(before..=at), Some(note)));
        before = at + 1;
        part = Game { start: fen.clone(), moves: Vec::new(), ..game.clone() };
    }
    let void = (!game.void.is_empty())
        .then(|| format!("{{The game was over here. Played all the same, and void: {}}}", game.void.join(" ")));
    parts.push(one(round, table, sheet, nth, &part, &said(before..=usize::MAX), void));
    parts.join("\n")
}

fn one(
    round: &Round,
    table: &TableId,
    sheet: &Sheet,
    nth: usize,
    game: &Game,
    said: &[(usize, String)],
    note: Option<String>,
) -> String {
    let mut text = String::new();
    tags(&mut text, round, table, sheet, nth, game).expect("writing to a string does not fail");
    text.push('\n');
    let mut words = moves(game, said);
    if let Some(note) = note {
        let before = words.len() - 1;
        words.splice(before..before, note.split(' ').map(str::to_owned));
    }
    text.push_str(&wrapped(&words));
    text
}

fn tags(out: &mut String, round: &Round, table: &TableId, sheet: &Sheet, nth: usize, game: &Game) -> fmt::Result {
    let title = if round.title.is_empty() { &table.event } else { &round.title };
    let (white, black) = game.pairing.as_ref().map_or((None, None), |(white, black)| (Some(white), Some(black)));
    tag(out, "Event", title, "?")?;
    tag(out, "Site", &round.site, "?")?;
    tag(out, "Date", &round.date, "????.??.??")?;
    // Programs take two games with the same tags for one. The standard lets a round have more parts than two.
    let again = if nth > 1 { format!(".{nth}") } else { String::new() };
    tag(out, "Round", &format!("{}.{}{again}", table.round, table.table), "?")?;
    tag(out, "White", white.map_or("", |player| &player.name), "?")?;
    tag(out, "Black", black.map_or("", |player| &player.name), "?")?;
    tag(out, "Result", &game.result.to_string(), "*")?;
    tag(out, "Board", &table.table.to_string(), "?")?;
    player(out, "White", white)?;
    player(out, "Black", black)?;
    tag(out, "TimeControl", &control_of(round, sheet).unwrap_or_default(), "?")?;
    let is_on = game.is_open() && sheet.games.last().is_some_and(|last| last.number == game.number);
    if let Some((white, black)) = sheet.clocks.0.filter(|_| is_on && !game.moves.is_empty()) {
        tag(out, "WhiteClock", &time(white), "?")?;
        tag(out, "BlackClock", &time(black), "?")?;
    }
    if let Some(termination) = termination(game) {
        tag(out, "Termination", termination, "?")?;
    }
    if game.variant == Variant::Chess960 {
        tag(out, "Variant", "Chess960", "?")?;
    }
    if game.variant == Variant::Chess960 || game.start != INITIAL {
        tag(out, "SetUp", "1", "?")?;
        tag(out, "FEN", &game.start, "?")?;
    }
    Ok(())
}

/// What is not known is left out: readers stumble over `"-"` and `"?"` here.
fn player(out: &mut String, colour: &str, player: Option<&Player>) -> fmt::Result {
    let Some(player) = player else { return Ok(()) };
    if let Some(title) = player.title.as_ref().filter(|title| !clean(title).is_empty()) {
        tag(out, &format!("{colour}Title"), title, "?")?;
    }
    if let Some(rating) = player.rating {
        tag(out, &format!("{colour}Elo"), &rating.to_string(), "?")?;
    }
    if let Some(id) = player.fide_id {
        tag(out, &format!("{colour}FideId"), &id.to_string(), "?")?;
    }
    for (name, text) in [("Team", &player.team), ("Fed", &player.federation)] {
        if let Some(text) = text.as_ref().filter(|text| !clean(text).is_empty()) {
            tag(out, &format!("{colour}{name}"), text, "?")?;
        }
    }
    Ok(())
}

/// How it came to an end, in the standard's words; nothing where it goes on.
fn termination(game: &Game) -> Option<&'static str> {
    if game.result == GameResult::Open && game.score.is_none() {
        return None;
    }
    let reason = game.reason?;
    Some(match reason {
        ResultReason::Forfeit if game.moves.is_empty() => "abandoned",
        ResultReason::Forfeit
        | ResultReason::SecondIllegalMove
        | ResultReason::ThirdIllegalMove
        | ResultReason::IllegalMoveRapidLimited
        | ResultReason::IllegalMoveBlitzLimited
        | ResultReason::SealedMove => "rules infraction",
        ResultReason::Time | ResultReason::TimeVsCannotMate | ResultReason::BothFlagsLastPeriod => "time forfeit",
        // Somebody has typed it in, on whatever ground.
        ResultReason::Arbiter => return None,
        ResultReason::Checkmate
        | ResultReason::Stalemate
        | ResultReason::DeadPosition
        | ResultReason::Fivefold
        | ResultReason::SeventyFive
        | ResultReason::Agreement
        | ResultReason::Resignation
        | ResultReason::ResignVsCannotMate
        | ResultReason::ThreefoldClaim
        | ResultReason::FiftyClaim
        | ResultReason::IllegalPosition
        | ResultReason::KingsInCentre => "normal",
    })
}

/// The time control of a table as the standard writes it, where it is known.
pub(super) fn control_of(round: &Round, sheet: &Sheet) -> Option<String> {
    let control = sheet.time_control.or(round.time_control);
    if round.periods.is_empty() { control.map(time_control) } else { Some(periods(&round.periods)) }
}

/// Each period as the standard writes it: moves, a stroke, seconds, a plus, what is added each move.
fn periods(periods: &[Period]) -> String {
    let one = |period: &Period| {
        let moves = period.moves.map_or_else(String::new, |moves| format!("{moves}/"));
        moves + &time_control(TimeControl { base_s: period.base_s, increment_s: period.increment_s })
    };
    periods.iter().map(one).collect::<Vec<_>>().join(":")
}

fn time_control(control: TimeControl) -> String {
    let none = control.base_s == 0 && control.increment_s == 0;
    if none { "-".to_owned() } else { control.to_string() }
}

fn tag(out: &mut String, name: &str, value: &str, unknown: &str) -> fmt::Result {
    let value = clean(value);
    writeln!(out, "[{name} \"{}\"]", if value.is_empty() { unknown.to_owned() } else { quotable(&value) })
}

/// The text without what has no place in one line that everyone reads the same way: names come from files of all kinds.
fn clean(text: &str) -> String {
    let spaced = |c: char| if c.is_whitespace() { ' ' } else { c };
    let visible = |c: &char| !c.is_control() && !is_bidi(*c);
    text.chars().map(spaced).filter(visible).collect::<String>().trim().to_owned()
}

/// The text as it stands between quotes, cut where it would be too long.
fn quotable(text: &str) -> String {
    let mut quotable = String::new();
    for c in text.chars() {
        let escape = matches!(c, '\\' | '"');
        if quotable.len() + usize::from(escape) + c.len_utf8() > LONGEST {
            break;
        }
        quotable.extend(escape.then_some('\\'));
        quotable.push(c);
    }
    quotable
}

/// Characters that turn the text after them round, or mark how it is stored.
fn is_bidi(c: char) -> bool {
    matches!(c, '\u{61C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' | '\u{FEFF}')
}

/// What may not be broken between lines: moves with their numbers, comments, the result.
fn moves(game: &Game, said: &[(usize, String)]) -> Vec<String> {
    let mut words = Vec::new();
    let first = first_ply(&game.start);
    let (mut number_due, mut before) = (true, None);
    words.extend(comments(said, 0));
    for (at, (ply, played)) in (1..).zip((first..).zip(&game.moves)) {
        let (number, white) = (ply / 2, ply % 2 == 0);
        words.push(match (white, number_due) {
            (true, _) => format!("{number}. {}", played.san),
            (false, true) => format!("{number}... {}", played.san),
            (false, false) => played.san.clone(),
        });
        let times = times(played, before);
        // After a comment a black move needs its number again.
        let notes = comments(said, at);
        number_due = times.is_some() || !notes.is_empty();
        words.extend(times);
        words.extend(notes);
        before = played.pressed;
    }
    words.push(game.result.to_string());
    words
}

/// What happened after so many plies, as words that may stand on several lines.
fn comments(said: &[(usize, String)], plies: usize) -> Vec<String> {
    let here = said.iter().filter(|(ply, _)| *ply == plies);
    let plain = here.map(|(_, said)| clean(said).replace(['{', '}'], ""));
    plain.flat_map(|said| format!("{{{said}}}").split(' ').map(str::to_owned).collect::<Vec<_>>()).collect()
}

/// Half-moves counted so that half of it is the number of the move, and White's are even.
fn first_ply(start: &str) -> usize {
    let mut fields = start.split(' ');
    let black = fields.nth(1) == Some("b");
    let number = fields.nth(3).and_then(|number| number.parse::<u16>().ok()).unwrap_or(1);
    2 * usize::from(number.max(1)) + usize::from(black)
}

/// What the mover's clock showed, and how long the move took, where both presses were heard.
fn times(played: &Move, before: Option<u64>) -> Option<String> {
    let left = played.clock_ms.map(|ms| format!("[%clk {}]", time(ms)));
    let taken = before.zip(played.pressed).filter(|(before, pressed)| before <= pressed);
    let taken = taken.map(|(before, pressed)| format!("[%emt {}]", time(pressed - before)));
    let both = left.into_iter().chain(taken).collect::<Vec<_>>();
    (!both.is_empty()).then(|| format!("{{{}}}", both.join(" ")))
}

fn time(ms: u64) -> String {
    let seconds = ms / 1000;
    format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

fn wrapped(words: &[String]) -> String {
    let mut text = String::new();
    let mut width = 0;
    for word in words {
        if width > 0 && width + 1 + word.len() > WIDTH {
            text.push('\n');
            width = 0;
        } else if width > 0 {
            text.push(' ');
            width += 1;
        }
        text.push_str(word);
        width += word.len();
    }
    text.push('\n');
    text
}
