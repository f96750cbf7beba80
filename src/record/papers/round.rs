//! The arbiter's report of a round: how the games ended, and everything that happened beside the moves.

use protocol::feed::{Alert, Entry, Player, Score, Severity, Staff, TableId};

use super::{
    desk::Desk,
    markup::{add, cell, escaped, number, table},
    matches::{Match, Met},
    spoken::{self, Incident},
};
use crate::record::{
    book::Games,
    sheet::{Game, Happened, Round, Sheet},
};

/// The title and the body.
pub(super) fn report(book: &Games, event: &str, round: u16, desk: &Desk<'_>) -> Result<(String, String), String> {
    let found = find(book, event, round)?;
    let name = name_of(found, event);
    let title = format!("{name}, round {round}: report");
    let mut body = head(found, &name, &format!("Round {round}: the arbiter's report"));
    let matches = Match::of(found.there().filter_map(|(number, sheet)| met(number, sheet)));
    if !matches.is_empty() {
        let headings = ["Boards", "Team", "Team", "Result", "Not over"];
        add(&mut body, table("matches", &headings, matches.iter().map(match_row)));
    }
    let rows = found.there().map(|(number, sheet)| result_row(number, sheet));
    add(&mut body, table("results", &["Board", "White", "Black", "Result", "Ground", "Moves"], rows));
    if !found.byes.is_empty() {
        let byes = found.byes.iter().map(|bye| format!("{} ({})", shown(&bye.player), spoken::plain(&bye.kind)));
        add(&mut body, format_args!("<p>Without an opponent: {}</p>\n", escaped(&byes.collect::<Vec<_>>().join("; "))));
    }
    body.push_str("<h2>Incidents and decisions</h2>\n");
    let lines = found.there().flat_map(|(number, sheet)| incidents(number, sheet, desk)).collect::<Vec<_>>();
    if lines.is_empty() {
        body.push_str("<p>Nothing happened beside the moves.</p>\n");
    } else {
        let headings = ["Board", "Time", "Move", "What", "Article", "Evidence", "Decision"];
        add(&mut body, table("incidents small", &headings, lines));
    }
    let left_out = book.report(event).map(|file| file.left_out).unwrap_or_default();
    if !left_out.is_empty() {
        let items = left_out.iter().map(|sentence| format!("<li>{}</li>\n", escaped(sentence))).collect::<String>();
        add(
            &mut body,
            format_args!("<h2>What the report file of the event has no place for</h2>\n<ul>\n{items}</ul>\n"),
        );
    }
    body.push_str(
        "<div class=\"signatures\"><span>Arbiter</span><span>Deputy</span><span>Date and time</span></div>\n",
    );
    Ok((title, body))
}

pub(super) fn find<'a>(book: &'a Games, event: &str, round: u16) -> Result<&'a Round, String> {
    book.round(event, round).filter(|found| found.there().next().is_some()).ok_or_else(|| {
        let known = book.events().collect::<Vec<_>>().join(", ");
        format!("There is no round {round} of {event} with tables. Events: {known}.")
    })
}

pub(super) fn name_of(round: &Round, event: &str) -> String {
    if round.title.is_empty() { event.to_owned() } else { round.title.clone() }
}

/// What is said above every paper.
pub(super) fn head(round: &Round, name: &str, what: &str) -> String {
    let place = [round.site.as_str(), round.date.as_str()].into_iter().filter(|text| !text.is_empty());
    let place = place.collect::<Vec<_>>().join(", ");
    format!("<h1>{}</h1>\n<p>{}</p>\n<p class=\"small\">{}</p>\n", escaped(name), escaped(what), escaped(&place))
}

/// A player as papers name them.
pub(super) fn shown(player: &Player) -> String {
    let title = player.title.iter().map(String::as_str);
    let name = title.chain([player.name.as_str()]).collect::<Vec<_>>().join(" ");
    player.rating.map_or(name.clone(), |rating| format!("{name} ({rating})"))
}

fn result_row(number_of: u16, sheet: &Sheet) -> Vec<String> {
    let game = sheet.met();
    let [white, black] = players(sheet).map_or_else(Default::default, |players| players.map(shown));
    // One that was taken back has no ground any more.
    let ended = game.filter(|game| !game.is_open());
    let ground = ended.and_then(|game| game.reason).map(|reason| spoken::plain(&reason)).unwrap_or_default();
    let moves = game.map_or(0, |game| game.moves.len().div_ceil(2));
    vec![number(number_of), cell(&white), cell(&black), number(score(sheet)), cell(&ground), number(moves)]
}

/// White and Black.
fn players(sheet: &Sheet) -> Option<[&Player; 2]> {
    let players = sheet.met().and_then(|game| game.pairing.as_ref()).or(sheet.pairing.as_ref());
    players.map(|(white, black)| [white, black])
}

fn score(sheet: &Sheet) -> Score {
    sheet.met().map_or(Score::Open, Game::score)
}

fn met(number_of: u16, sheet: &Sheet) -> Option<Met<'_>> {
    players(sheet).map(|[white, black]| (number_of, white, black, score(sheet)))
}

fn match_row(one: &Match<'_>) -> Vec<String> {
    let [first, other] = one.teams.map(cell);
    let boards = format!("{}–{}", one.tables.start(), one.tables.end());
    let open = if one.open == 0 { String::new() } else { one.open.to_string() };
    vec![number(boards), first, other, number(one.score()), number(open)]
}

fn incidents(table: u16, sheet: &Sheet, desk: &Desk<'_>) -> Vec<Vec<String>> {
    let shown = sheet.log.iter().filter(|happened| is_for(&happened.entry, desk.reader));
    let lines = shown.filter_map(|happened| Some((happened, spoken::incident(&happened.entry)?)));
    lines.map(|(happened, line)| row(table, sheet, happened, line, desk)).collect()
}

/// What happened in a game beside the moves, in order, each with the plies before it: at moves that were taken back since,
/// those that stayed.
pub(in crate::record) fn happened_in(sheet: &Sheet, game: &Game, desk: &Desk<'_>) -> Vec<(usize, String)> {
    let here = sheet.log.iter().filter(|happened| happened.game == game.number && is_for(&happened.entry, desk.reader));
    let mut stayed = game.moves.len();
    let said = here.rev().filter_map(|happened| {
        let left = if let Entry::Corrected { from_ply, new, .. } = &happened.entry {
            (from_ply + new.len()).saturating_sub(1)
        } else {
            happened.ply
        };
        stayed = stayed.min(left);
        let Incident { what, article, evidence, decision } = spoken::incident(&happened.entry)?;
        let article = if article.is_empty() { article } else { format!("({article})") };
        let parts = [desk.day.time(happened.t), what, article, evidence, decision];
        Some((stayed, parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")))
    });
    let mut said = said.collect::<Vec<_>>();
    said.reverse();
    said
}

fn row(table: u16, sheet: &Sheet, happened: &Happened, incident: Incident, desk: &Desk<'_>) -> Vec<String> {
    let Incident { what, article, evidence, decision } = incident;
    let games = sheet.games.len();
    let address = if games > 1 { format!("{table}/{}", happened.game) } else { table.to_string() };
    let at = happened.ply.checked_sub(1).map_or_else(String::new, |ply| {
        let colour = if ply % 2 == 0 { "w" } else { "b" };
        format!("{}{colour}", ply / 2 + 1)
    });
    let cells = [cell(&what), cell(&article), cell(&evidence), cell(&decision)];
    [number(address), number(desk.day.time(happened.t)), number(at)].into_iter().chain(cells).collect()
}

/// Alerts are for those they name, and what is logged only is for nobody.
fn is_for(entry: &Entry, reader: Staff) -> bool {
    let named = |alert: &Alert| alert.audience.contains(&reader) && alert.severity > Severity::Trace;
    if let Entry::Alert(alert) = entry { named(alert) } else { true }
}

/// The table of an address in this round.
pub(super) fn sheet_of<'a>(book: &'a Games, table: &TableId) -> Result<(&'a Round, &'a Sheet), String> {
    let found = book.round(&table.event, table.round).and_then(|round| Some((round, round.sheet(table.table)?)));
    found.ok_or_else(|| format!("There is no table {table}: no game has begun there, and nobody is paired."))
}
