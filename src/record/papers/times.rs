//! All clocks and move numbers of a round, each half hour: what they are set from when one of them fails.
//!
//! Nothing has to be written down beforehand: when each move was made and what its clock showed is in the record.

use protocol::feed::Side;

use super::{
    day::Day,
    markup::{add, cell, escaped, number, table, time},
    round::{find, head, name_of, shown},
};
use crate::record::{
    book::Games,
    sheet::{Game, Round, Sheet},
};

/// So many half hours stand on a page beside the latest state.
const COLUMNS: usize = 6;

/// A game that nobody has ended is followed no longer than this after the last move of the round: the sheet of a round
/// that was played last week ends with it.
const LONGEST_WAIT_MS: u64 = 4 * 60 * 60 * 1000;

/// How a game stood at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Standing {
    plies: usize,
    turn: Side,
    white_ms: Option<u64>,
    black_ms: Option<u64>,
}

/// The title and the body.
pub(super) fn all(book: &Games, event: &str, round: u16, day: &Day) -> Result<(String, String), String> {
    let found = find(book, event, round)?;
    let name = name_of(found, event);
    let title = format!("{name}, round {round}: clocks");
    let mut body = "<div class=\"wide\">\n".to_owned();
    body.push_str(&head(found, &name, &format!("Round {round}: clocks and move numbers")));
    let made = || found.tables.values().flat_map(|sheet| &sheet.games).flat_map(|game| &game.moves);
    let (first, last) = (made().filter_map(|one| one.made).min(), made().filter_map(|one| one.made).max());
    let is_on = |sheet: &Sheet| sheet.games.last().is_some_and(Game::is_open);
    let until = if found.tables.values().any(is_on) { Some(day.t) } else { last };
    let until = until.map(|until| last.map_or(until, |last| until.min(last.saturating_add(LONGEST_WAIT_MS))));
    let (Some(first), Some(until)) = (first, until) else {
        return Err(format!("No move was made in round {round} of {event}: all clocks stand at their beginning."));
    };
    let mut marks = day.half_hours(first, until);
    marks.push(until);
    for page in marks.chunks(COLUMNS) {
        body.push_str(&one_page(found, page, day));
    }
    add(
        &mut body,
        format_args!(
            "<p class=\"small\">Each cell: the moves both have completed and whose turn it is; White's time, Black's time. \
             A clock that ran is counted down to the time of its column. Last column: {}.</p>\n</div>\n",
            escaped(&day.moment(until))
        ),
    );
    Ok((title, body))
}

fn one_page(round: &Round, marks: &[u64], day: &Day) -> String {
    let headings = marks.iter().map(|t| day.minute(*t)).collect::<Vec<_>>();
    let headings = ["Board", "White", "Black"].into_iter().chain(headings.iter().map(String::as_str));
    let rows = round.tables.iter().map(|(table, sheet)| {
        let [white, black] =
            sheet.players().map_or_else(Default::default, |(white, black)| [shown(white), shown(black)]);
        let stood = marks.iter().map(|t| stood(round, sheet, *t));
        [number(*table), cell(&white), cell(&black)].into_iter().chain(stood).collect::<Vec<_>>()
    });
    table("clocks small", &headings.collect::<Vec<_>>(), rows)
}

fn stood(round: &Round, sheet: &Sheet, t: u64) -> String {
    let begun = |game: &&Game| game.moves.first().and_then(|one| one.made).is_some_and(|made| made <= t);
    let Some(game) = sheet.games.iter().rev().find(begun) else { return number("") };
    let Standing { plies, turn, white_ms, black_ms } = standing(game, round.base_ms(sheet), t);
    let clock = |ms: Option<u64>| ms.map_or_else(|| "–".to_owned(), time);
    let turn = if turn == Side::White { "w" } else { "b" };
    number(format!("{} {turn}  {}  {}", plies / 2, clock(white_ms), clock(black_ms)))
}

/// How the game stood at `t`: what the clocks showed with the last moves, and what has run since.
fn standing(game: &Game, base_ms: Option<u64>, t: u64) -> Standing {
    let first = if game.start.split(' ').nth(1) == Some("b") { Side::Black } else { Side::White };
    let mover = |at: usize| if at.is_multiple_of(2) { first } else { first.other() };
    let made = game.moves.iter().take_while(|one| one.made.is_some_and(|made| made <= t)).count();
    let left = |side: Side| {
        let last = (0..made).rev().find(|at| mover(*at) == side);
        last.map_or(base_ms, |at| game.moves[at].clock_ms)
    };
    let turn = mover(made);
    let since = made.checked_sub(1).and_then(|at| game.moves[at].pressed.or(game.moves[at].made));
    let ended = made == game.moves.len() && !game.is_open();
    let ran = if ended { 0 } else { t.saturating_sub(since.unwrap_or(t)) };
    let of = |side: Side| left(side).map(|ms| if side == turn { ms.saturating_sub(ran) } else { ms });
    Standing { plies: made, turn, white_ms: of(Side::White), black_ms: of(Side::Black) }
}
