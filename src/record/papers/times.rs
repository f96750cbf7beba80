//! All clocks and move numbers of a round, each half hour: what they are set from when one of them fails.
//!
//! Nothing has to be written down beforehand: when each move was made and what its clock showed is in the record.

use protocol::feed::{Score, Side};

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

/// What a column is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mark {
    /// A full or half hour.
    At(u64),
    /// The latest that is known.
    Last(u64),
}

impl Mark {
    fn t(self) -> u64 {
        match self {
            Mark::At(t) | Mark::Last(t) => t,
        }
    }

    /// So many plies of a game were made by then. Those that were written down later come with the one after them.
    fn plies(self, game: &Game) -> usize {
        let by = |t: u64| game.moves.read().iter().rposition(|one| one.made.is_some_and(|made| made <= t));
        match self {
            Mark::At(t) => by(t).map_or(0, |at| at + 1),
            Mark::Last(_) => game.moves.len(),
        }
    }
}

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
    let games = || found.there().flat_map(|(_, sheet)| &sheet.games);
    if games().all(|game| game.moves.is_empty()) {
        return Err(format!("No move was made in round {round} of {event}: all clocks stand at their beginning."));
    }
    let made = games().flat_map(|game| game.moves.read().iter().filter_map(|one| one.made).collect::<Vec<_>>());
    let (first, last) = made.fold((None, None), |(first, last): (Option<u64>, Option<u64>), made| {
        (Some(first.map_or(made, |first| first.min(made))), last.max(Some(made)))
    });
    let is_on = |sheet: &Sheet| sheet.games.last().is_some_and(Game::is_open);
    // Of a game that was written down when it was over nobody knows when its moves were made.
    let until = match last {
        Some(last) if found.there().any(|(_, sheet)| is_on(sheet)) => day.t.min(last.saturating_add(LONGEST_WAIT_MS)),
        last => last.unwrap_or(day.t),
    };
    let mut marks = day.half_hours(first.unwrap_or(until), until).into_iter().map(Mark::At).collect::<Vec<_>>();
    marks.push(Mark::Last(until));
    for page in marks.chunks(COLUMNS) {
        body.push_str(&one_page(found, page, day));
    }
    add(
        &mut body,
        format_args!(
            "<p class=\"small\">Each cell: the moves both have completed and whose turn it is; White's time, Black's time. \
             A clock that ran is counted down to the time of its column, and one that nobody heard is –. Last column: \
             {}.</p>\n</div>\n",
            escaped(&day.moment(until))
        ),
    );
    Ok((title, body))
}

fn one_page(round: &Round, marks: &[Mark], day: &Day) -> String {
    let headings = marks.iter().map(|mark| day.minute(mark.t())).collect::<Vec<_>>();
    let headings = ["Board", "White", "Black"].into_iter().chain(headings.iter().map(String::as_str));
    let rows = round.there().map(|(table, sheet)| {
        let [white, black] =
            sheet.players().map_or_else(Default::default, |(white, black)| [shown(white), shown(black)]);
        let stood = marks.iter().map(|mark| stood(round, sheet, *mark));
        [number(table), cell(&white), cell(&black)].into_iter().chain(stood).collect::<Vec<_>>()
    });
    table("clocks small", &headings.collect::<Vec<_>>(), rows)
}

fn stood(round: &Round, sheet: &Sheet, mark: Mark) -> String {
    let Some(game) = sheet.games.iter().rev().find(|game| mark.plies(game) > 0) else {
        return number(without_moves(sheet, mark));
    };
    let Standing { plies, turn, white_ms, black_ms } = standing(game, round.base_ms(sheet), mark);
    let clock = |ms: Option<u64>| ms.map_or_else(|| "–".to_owned(), time);
    let turn = if turn == Side::White { "w" } else { "b" };
    number(format!("{} {turn}  {}  {}", plies / 2, clock(white_ms), clock(black_ms)))
}

/// A result that was given where nobody moved, once it is the latest that is known.
fn without_moves(sheet: &Sheet, mark: Mark) -> String {
    let score = sheet.met().map_or(Score::Open, Game::score);
    if score == Score::Open || matches!(mark, Mark::At(_)) { String::new() } else { score.to_string() }
}

/// How the game stood: what the clocks showed with the last moves, and what has run since.
fn standing(game: &Game, base_ms: Option<u64>, mark: Mark) -> Standing {
    let first = if game.start.split(' ').nth(1) == Some("b") { Side::Black } else { Side::White };
    let mover = |at: usize| if at.is_multiple_of(2) { first } else { first.other() };
    let made = mark.plies(game);
    let moves = game.moves.read();
    let base_ms = base_ms.filter(|_| moves.iter().any(|one| one.clock_ms.is_some()));
    let left = |side: Side| {
        let last = (0..made).rev().find(|at| mover(*at) == side);
        last.map_or(base_ms, |at| moves[at].clock_ms)
    };
    let turn = mover(made);
    let since = made.checked_sub(1).and_then(|at| moves[at].pressed.or(moves[at].made));
    let ended = made == game.moves.len() && !game.is_open();
    let ran = if ended { 0 } else { mark.t().saturating_sub(since.unwrap_or(mark.t())) };
    let of = |side: Side| left(side).map(|ms| if side == turn { ms.saturating_sub(ran) } else { ms });
    Standing { plies: made, turn, white_ms: of(Side::White), black_ms: of(Side::Black) }
}
