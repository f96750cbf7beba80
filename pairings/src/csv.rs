//! Tables with headings: commas, semicolons or tabs, columns in any order.

use crate::{
    Fault, Faults, Form, Opponent, Pair, Paper, Person, cell,
    heading::{Column, Field, Side, column},
    nobody::{is_nobody, nobody},
    round::Gathering,
    text::lines,
};

const PARTS: [char; 3] = [';', '\t', ','];

/// One row with the line it begins on.
pub(crate) struct Row {
    pub(crate) line: usize,
    pub(crate) cells: Vec<String>,
}

impl Row {
    pub(crate) fn says_something(&self) -> bool {
        self.cells.iter().any(|cell| !cell.trim().is_empty())
    }
}

/// One of the first lines is one of headings, with a column for each player; or for one of them beside that of the tables,
/// where the other was forgotten.
pub(crate) fn has_headings(text: &str) -> bool {
    let are_headings = |columns: &[Option<Column>]| {
        let names_one = [Side::White, Side::Black].into_iter().any(|side| has_name(columns, side));
        names_both(columns) || names_one && columns.contains(&Some(Column::Table))
    };
    first_lines(text)
        .any(|line| PARTS.into_iter().any(|part| line.contains(part) && are_headings(&columns(&guessed(line, part)))))
}

/// Reads a table with headings.
pub fn read(text: &str) -> Result<Paper, Faults> {
    let (rows, mut faults) = rows(text, parting(text));
    let mut rows = rows.into_iter().filter(Row::says_something);
    let Some(head) = rows.find(|row| !row.cells[0].starts_with("sep=")) else {
        faults.push(Fault::new(1, "", "headings, such as Board;White;Black"));
        return Err(Faults(faults));
    };
    let columns = columns(&head.cells);
    if !names_both(&columns) {
        let expected = "a column for each player: White and Black, Weiß and Schwarz, or Blancas and Negras";
        faults.push(Fault::new(head.line, &head.cells.join(" "), expected));
        faults.sort_by_key(|fault| fault.line);
        return Err(Faults(faults));
    }
    faults.extend(said_twice(&head, &columns));
    let mut gathering = Gathering::default();
    for row in rows {
        match pair(&row, &columns, head.cells.len()) {
            Ok((round, table, pair)) => gathering.add(round, table, pair),
            Err(fault) => faults.push(fault),
        }
    }
    gathering.finish(Form::Csv, faults, Fault::new(head.line + 1, "", "a pairing under the headings"))
}

/// Two columns that say the same: whichever were taken, it could be the wrong one.
fn said_twice(head: &Row, columns: &[Option<Column>]) -> Option<Fault> {
    let again = |at: &usize| columns[*at].is_some() && columns[..*at].contains(&columns[*at]);
    let at = (0..columns.len()).find(again)?;
    let before = columns.iter().position(|column| *column == columns[at])?;
    let expected = format!("each heading once: column {} says the same as column {}", at + 1, before + 1);
    Some(Fault::new(head.line, &head.cells[at], expected))
}

fn pair(row: &Row, columns: &[Option<Column>], headings: usize) -> Result<(Option<u16>, Option<u16>, Pair), Fault> {
    let Row { line, cells } = row;
    let spare = cells.iter().skip(headings).any(|cell| !cell.trim().is_empty());
    if spare {
        let expected = format!("{headings} columns as in the headings: put names that hold a comma in quotes");
        return Err(Fault::new(*line, &cells.join(","), expected));
    }
    let text = |wanted: Column| {
        let at = columns.iter().position(|column| *column == Some(wanted));
        at.and_then(|at| cells.get(at)).map_or("", |cell| cell.trim())
    };
    let (white, black) = seat(row, headings, &text)?;
    let outcome = text(Column::Result);
    let (black, result) = match black {
        Opponent::Nobody(bye) => (Opponent::Nobody(bye.with_points(outcome, *line)?), None),
        Opponent::Player(_) => (black, cell::result(outcome, *line)?),
    };
    let pair = Pair { table: 0, white, black, result, line: *line };
    let round = cell::number(text(Column::Round), *line, "the round")?;
    Ok((round, cell::number(text(Column::Table), *line, "the board")?, pair))
}

fn seat<'a>(row: &Row, headings: usize, text: &impl Fn(Column) -> &'a str) -> Result<(Person, Opponent), Fault> {
    let bad = |expected: String| Fault::new(row.line, &row.cells.join(" "), expected);
    let (white, black) = (person(Side::White, row.line, text)?, person(Side::Black, row.line, text)?);
    let name = |side| text(Column::Of(side, Field::Name));
    let alone = white.is_none() != black.is_none();
    let said = [Side::White, Side::Black].into_iter().any(|side| is_nobody(name(side)));
    if alone && !said && row.cells.len() < headings {
        // A line that was cut ends like one of somebody who has nobody to play with.
        return Err(bad(format!("{headings} columns as in the headings, and \"bye\" for who has nobody to play with")));
    }
    let bye = [Side::White, Side::Black].into_iter().find_map(|side| nobody(name(side)));
    Opponent::seat(white, black, bye).ok_or_else(|| bad("two players, or one and \"bye\"".to_owned()))
}

fn person<'a>(side: Side, line: usize, text: &impl Fn(Column) -> &'a str) -> Result<Option<Person>, Fault> {
    let of = |field| text(Column::Of(side, field));
    let Some(name) = cell::given(of(Field::Name)).filter(|name| !is_nobody(name)) else { return Ok(None) };
    let number = of(Field::Number).trim_end_matches('.').parse().ok();
    let person = Person {
        title: cell::title(of(Field::Title), line)?,
        rating: cell::rating(of(Field::Rating), line)?,
        federation: cell::given(of(Field::Federation)),
        fide_id: cell::fide_id(of(Field::FideId), line)?,
        team: cell::given(of(Field::Team)),
        number,
        ..Person::written(&name)
    };
    Ok(Some(person))
}

fn columns(headings: &[String]) -> Vec<Option<Column>> {
    let mut seen = Vec::new();
    headings.iter().map(|heading| column(heading, &mut seen)).collect()
}

fn names_both(columns: &[Option<Column>]) -> bool {
    has_name(columns, Side::White) && has_name(columns, Side::Black)
}

fn has_name(columns: &[Option<Column>], side: Side) -> bool {
    columns.contains(&Some(Column::Of(side, Field::Name)))
}

/// What parts the cells: the sign with which most headings are known.
fn parting(text: &str) -> char {
    let known = |part: &char| {
        let best = first_lines(text).map(|line| columns(&guessed(line, *part)).iter().flatten().count()).max();
        best.unwrap_or(0)
    };
    // Of signs that do as well the first one is meant.
    PARTS.into_iter().rev().max_by_key(known).unwrap_or(',')
}

/// Where headings stand: spreadsheets may say before them what parts the cells.
fn first_lines(text: &str) -> impl Iterator<Item = &str> {
    lines(text).map(str::trim_end).filter(|line| !line.is_empty()).take(2)
}

/// The cells of a line that may turn out to be something else, so that its quotes need not be right.
fn guessed(line: &str, part: char) -> Vec<String> {
    cells(line, part).unwrap_or_else(|_| line.split(part).map(|cell| cell.replace('"', "")).collect())
}

/// The rows of a table, and the lines that are none.
pub(crate) fn rows(text: &str, part: char) -> (Vec<Row>, Vec<Fault>) {
    let (mut rows, mut faults) = (Vec::new(), Vec::new());
    for (line, text) in (1..).zip(lines(text)) {
        match cells(text.trim_end_matches(['\n', '\r']), part) {
            Ok(cells) => rows.push(Row { line, cells }),
            Err(Torn { from, expected }) => faults.push(Fault::new(line, from, expected)),
        }
    }
    (rows, faults)
}

/// A quote that is not as quotes are.
struct Torn<'a> {
    from: &'a str,
    expected: &'static str,
}

/// The cells of a line. One in quotes may hold the parting sign and doubled quotes. It ends on its line: a quote that is not
/// closed would swallow the tables below it.
fn cells(line: &str, part: char) -> Result<Vec<String>, Torn<'_>> {
    let (mut cells, mut rest) = (Vec::new(), line);
    loop {
        let begin = rest.trim_start_matches(|c: char| c.is_whitespace() && c != part);
        let (cell, after) = match begin.strip_prefix('"') {
            Some(inside) => quoted(begin, inside, part)?,
            None => {
                rest.split_once(part).map_or((rest.to_owned(), None), |(cell, after)| (cell.to_owned(), Some(after)))
            }
        };
        cells.push(cell);
        match after {
            Some(after) => rest = after,
            None => return Ok(cells),
        }
    }
}

/// What stands `inside` a cell that `begin`s with a quote, and what follows if it is not the last one.
fn quoted<'a>(begin: &'a str, inside: &'a str, part: char) -> Result<(String, Option<&'a str>), Torn<'a>> {
    let (mut cell, mut rest) = (String::new(), inside);
    loop {
        let (text, after) = rest
            .split_once('"')
            .ok_or(Torn { from: begin, expected: "a closing quote on the same line: this one is not closed" })?;
        cell.push_str(text);
        if let Some(doubled) = after.strip_prefix('"') {
            cell.push('"');
            rest = doubled;
            continue;
        }
        let after = after.trim_start_matches(|c: char| c.is_whitespace() && c != part);
        if after.is_empty() {
            return Ok((cell, None));
        }
        return after.strip_prefix(part).map(|after| (cell, Some(after))).ok_or(Torn {
            from: begin,
            expected: "the end of the cell behind the closing quote: a quote inside one is written twice",
        });
    }
}
