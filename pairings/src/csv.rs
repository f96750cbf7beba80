//! Tables with headings: commas, semicolons or tabs, columns in any order.

use crate::{
    Fault, Faults, Form, Opponent, Pair, Paper, Person, cell,
    heading::{Column, Field, Side, column},
    round::Gathering,
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

/// The first line is one of headings, with a column for each player.
pub(crate) fn has_headings(text: &str) -> bool {
    text.lines()
        .take(2)
        .any(|line| PARTS.into_iter().any(|part| line.contains(part) && names_both(&columns(&split(line, part)))))
}

/// Reads a table with headings.
pub fn read(text: &str) -> Result<Paper, Faults> {
    let part = parting(text);
    let mut rows = rows(text, part).into_iter().filter(Row::says_something);
    let head = rows.by_ref().find(|row| !row.cells[0].starts_with("sep="));
    let Some(head) = head else { return Err(Faults(vec![Fault::new(1, "", "headings, such as Board;White;Black")])) };
    let columns = columns(&head.cells);
    if !names_both(&columns) {
        let expected = "a column for each player: White and Black, Weiß and Schwarz, or Blancas and Negras";
        return Err(Faults(vec![Fault::new(head.line, &head.cells.join(" "), expected)]));
    }
    let (mut gathering, mut faults) = (Gathering::default(), Vec::new());
    for row in rows {
        match pair(&row, &columns, head.cells.len()) {
            Ok((round, table, pair)) => gathering.add(round, table, pair),
            Err(fault) => faults.push(fault),
        }
    }
    gathering.finish(Form::Csv, faults, Fault::new(head.line + 1, "", "a pairing under the headings"))
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
    let (white, black) = (person(Side::White, *line, &text)?, person(Side::Black, *line, &text)?);
    let (white, black) = Opponent::seat(white, black)
        .ok_or_else(|| Fault::new(*line, &cells.join(" "), "two players, or one and \"bye\""))?;
    let result = cell::result(text(Column::Result), *line)?;
    let pair = Pair { table: 0, white, black, result, line: *line };
    let round = cell::number(text(Column::Round), *line, "the round")?;
    Ok((round, cell::number(text(Column::Table), *line, "the board")?, pair))
}

fn person<'a>(side: Side, line: usize, text: &impl Fn(Column) -> &'a str) -> Result<Option<Person>, Fault> {
    let of = |field| text(Column::Of(side, field));
    let Some(name) = cell::given(of(Field::Name)).filter(|name| !cell::is_nobody(name)) else { return Ok(None) };
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
    let has = |side| columns.contains(&Some(Column::Of(side, Field::Name)));
    has(Side::White) && has(Side::Black)
}

/// What parts the cells: the sign with which most headings are known.
fn parting(text: &str) -> char {
    let known = |part: &char| {
        let best = text.lines().take(2).map(|line| columns(&split(line, *part)).iter().flatten().count()).max();
        best.unwrap_or(0)
    };
    // Of signs that do as well the first one is meant.
    PARTS.into_iter().rev().max_by_key(known).unwrap_or(',')
}

fn split(line: &str, part: char) -> Vec<String> {
    rows(line, part).into_iter().next().map_or_else(Vec::new, |row| row.cells)
}

/// The rows of a table. A cell in quotes may hold the parting sign, line ends and doubled quotes.
pub(crate) fn rows(text: &str, part: char) -> Vec<Row> {
    let mut rows = Vec::new();
    let (mut row, mut cell, mut quoted, mut line) = (Row { line: 1, cells: Vec::new() }, String::new(), false, 1);
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '"' if quoted && letters.peek() == Some(&'"') => {
                letters.next();
                cell.push('"');
            }
            '"' if quoted => quoted = false,
            '"' if cell.trim().is_empty() => {
                quoted = true;
                cell.clear();
            }
            '\n' | '\r' if !quoted => {
                let next = line + usize::from(letter == '\n' || letters.peek() != Some(&'\n'));
                row.cells.push(std::mem::take(&mut cell));
                let done = std::mem::replace(&mut row, Row { line: next, cells: Vec::new() });
                rows.push(done);
                line = next;
            }
            '\n' => {
                line += 1;
                cell.push(' ');
            }
            letter if letter == part && !quoted => row.cells.push(std::mem::take(&mut cell)),
            letter => cell.push(letter),
        }
    }
    row.cells.push(cell);
    rows.push(row);
    rows
}
