//! Scoresheets: a game as players would have written it, with what the clocks showed and the offers that were made.

use hall::table::letters;
use laws::notation::{Language, Style};
use protocol::feed::{Address, Command, Entry, Notation, Player, Side, TableId, Variant};
use shakmaty::{Chess, Color, Position as _, fen::Fen, san::SanPlus};

use super::{
    markup::{add, cell, escaped, number, played, table, time},
    round::{find, head, name_of, sheet_of},
};
use crate::record::{
    book::Games,
    moves::Move,
    sheet::{Game, Round, Sheet},
    tags::control_of,
};

/// So many moves of each player stand in a column; two columns are a page.
const MOVES_IN_A_COLUMN: usize = 40;

/// The sheets of all games of a round.
pub(super) fn all(
    book: &Games,
    event: &str,
    round: u16,
    notation: Option<Notation>,
) -> Result<(String, String), String> {
    let found = find(book, event, round)?;
    let id = |table: u16| TableId { event: event.to_owned(), round, table };
    let sheets = found.there().flat_map(|(table, sheet)| {
        let games = sheet.told().filter(|(_, game)| !game.moves.is_empty());
        games.map(|(_, game)| one_sheet(found, &id(table), sheet, game, notation)).collect::<Vec<_>>()
    });
    let body = sheets.collect::<String>();
    if body.is_empty() {
        return Err(format!("No move was made in round {round} of {event}: there are no scoresheets yet."));
    }
    Ok((format!("{}, round {round}: scoresheets", name_of(found, event)), body))
}

/// The sheet of one game, or those of all games of a table.
pub(super) fn one(book: &Games, at: &Address, notation: Option<Notation>) -> Result<(String, String), String> {
    let (round, sheet) = sheet_of(book, &at.table)?;
    let is_meant = |game: &Game| at.game.is_none_or(|number| number == game.number);
    let games = sheet.told().filter(|(_, game)| is_meant(game) && (at.game.is_some() || !game.moves.is_empty()));
    let body = games.map(|(_, game)| one_sheet(round, &at.table, sheet, game, notation)).collect::<String>();
    if body.is_empty() {
        return Err(format!("There is no game {at} with moves: nothing to write down."));
    }
    Ok((format!("{at}: scoresheet"), body))
}

fn one_sheet(round: &Round, id: &TableId, sheet: &Sheet, game: &Game, notation: Option<Notation>) -> String {
    let name = name_of(round, &id.event);
    let what = format!("Scoresheet: round {}, board {}", id.round, id.table);
    let mut out = "<section class=\"sheet\">\n".to_owned();
    out.push_str(&head(round, &name, &what));
    let unknown = (Player::default(), Player::default());
    let (white, black) = game.pairing.as_ref().unwrap_or(&unknown);
    let who = [("White", white), ("Black", black)].map(|(colour, player)| player_row(colour, player));
    add(&mut out, table("players", &["", "Name", "Title", "Rating", "Federation", "FIDE ID", "Team"], who));
    if let Some(control) = control_of(round, sheet) {
        add(&mut out, format_args!("<p class=\"small\">Time control {}</p>\n", escaped(&control)));
    }
    if game.variant == Variant::Chess960 {
        add(&mut out, format_args!("<p class=\"small\">Chess960, from {}</p>\n", escaped(&game.start)));
    }
    let offers = offers(sheet, game);
    let language = letters(notation.or(round.notation).unwrap_or_default());
    out.push_str(&halves(&rows(game, language, &offers)));
    let result = format!("<p>Result <strong>{}</strong></p>\n", escaped(&game.score().to_string()));
    out.push_str(&result);
    out.push_str(
        "<div class=\"signatures\"><span>White</span><span>Black</span><span>Arbiter</span></div>\n</section>\n",
    );
    out
}

fn player_row(colour: &str, player: &Player) -> Vec<String> {
    let text = |text: &Option<String>| cell(text.as_deref().unwrap_or_default());
    let digits = |digits: Option<u32>| number(digits.map(|digits| digits.to_string()).unwrap_or_default());
    vec![
        cell(colour),
        cell(&player.name),
        text(&player.title),
        digits(player.rating.map(u32::from)),
        text(&player.federation),
        digits(player.fide_id.filter(|id| *id > 0)),
        text(&player.team),
    ]
}

/// After how many plies of this game a draw was offered.
fn offers(sheet: &Sheet, game: &Game) -> Vec<usize> {
    let of_this = sheet.log.iter().filter(|happened| happened.game == game.number);
    let offers = of_this.filter_map(|happened| Some((happened.ply, offer(&happened.entry)?)));
    // An offer belongs to the last move of whoever made it.
    let first = if game.start.split(' ').nth(1) == Some("b") { Side::Black } else { Side::White };
    let mover = |ply: usize| if ply % 2 == 1 { first } else { first.other() };
    offers.filter_map(|(ply, side)| (1..=ply).rev().find(|ply| mover(*ply) == side)).collect()
}

fn offer(entry: &Entry) -> Option<Side> {
    let Entry::Noted { order } = entry else { return None };
    if let Command::DrawOffer { side } = **order { Some(side) } else { None }
}

/// One line: the number, and what both have played and had left.
#[derive(Clone, Debug, Default)]
struct Row {
    number: u32,
    white: (String, String),
    black: (String, String),
}

fn rows(game: &Game, language: Language, offers: &[usize]) -> Vec<Row> {
    let read = |fen: &str| fen.parse::<Fen>().ok()?.into_position::<Chess>(game.variant.into()).ok();
    let mut position = read(&game.start);
    let mut rows = Vec::<Row>::new();
    for (ply, one) in (1..).zip(game.moves.read().iter()) {
        let (turn, number) = position.as_ref().map_or((Color::White, 0), |now| (now.turn(), now.fullmoves().get()));
        let text = written(position.as_ref(), one, language, offers.contains(&ply));
        position = after(position, one).or_else(|| one.illegal.as_deref().and_then(read));
        let cell = (text, one.clock_ms.map(time).unwrap_or_default());
        match (turn, rows.last_mut()) {
            (Color::Black, Some(row)) if row.number == number => row.black = cell,
            (Color::Black, _) => {
                rows.push(Row { number, white: ("…".to_owned(), String::new()), black: cell });
            }
            (Color::White, _) => rows.push(Row { number, white: cell, ..Row::default() }),
        }
    }
    rows
}

fn written(position: Option<&Chess>, one: &Move, language: Language, is_offer: bool) -> String {
    let found =
        position.and_then(|position| Some((position, one.san.parse::<SanPlus>().ok()?.san.to_move(position).ok()?)));
    let text = match found {
        Some((position, played)) => Style::of(language).write(position, played),
        // What is not legal is written as it was recorded.
        None => one.san.to_string(),
    };
    if is_offer { format!("{text} (=)") } else { text }
}

fn after(position: Option<Chess>, one: &Move) -> Option<Chess> {
    let mut position = position?;
    let played = one.san.parse::<SanPlus>().ok()?.san.to_move(&position).ok()?;
    position.play_unchecked(played);
    Some(position)
}

fn halves(rows: &[Row]) -> String {
    let column = |rows: &[Row]| {
        let cells = rows.iter().map(|Row { number: at, white, black }| {
            let moves = [played(&white.0), number(&white.1), played(&black.0), number(&black.1)];
            std::iter::once(number(at)).chain(moves).collect::<Vec<_>>()
        });
        table("moves small", &["", "White", "left", "Black", "left"], cells)
    };
    let pages = rows.chunks(2 * MOVES_IN_A_COLUMN).map(|page| {
        let half = if rows.len() > 2 * MOVES_IN_A_COLUMN { MOVES_IN_A_COLUMN } else { page.len().div_ceil(2) };
        let columns = page.chunks(half.max(1)).map(column).collect::<String>();
        format!("<div class=\"halves\">{columns}</div>\n")
    });
    pages.collect()
}
