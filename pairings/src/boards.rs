//! Lists of boards: which board, by its serial number, belongs to which table.

use std::collections::BTreeMap;

use crate::{Fault, Faults, cell, csv, heading, text};

/// A table and the serial number of a board that belongs there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placement {
    /// From 1.
    pub table: u16,
    /// The board's serial number.
    pub board: String,
}

/// Without blanks, signs and accents.
const TABLE: [&str; 9] =
    ["table", "tableno", "tablenumber", "tisch", "tischnr", "tischnummer", "mesa", "numerodemesa", "nmesa"];
const BOARD: [&str; 13] = [
    "board",
    "serial",
    "serialno",
    "serialnumber",
    "boardserial",
    "brett",
    "seriennummer",
    "seriennr",
    "tablero",
    "serie",
    "numerodeserie",
    "nserie",
    "device",
];

const PARTS: [char; 3] = [';', '\t', ','];

/// Each player may have a board.
const AT_A_TABLE: usize = 2;

/// Reads a list with headings; commas, semicolons or tabs, columns in any order.
pub fn read(bytes: &[u8]) -> Result<Vec<Placement>, Faults> {
    let (text, _) = text::decode(bytes, None)?;
    let known = |part: &char| {
        let (rows, faults) = csv::rows(&text, *part);
        let mut rows = rows.into_iter().filter(csv::Row::says_something);
        columns(&rows.next()?).map(|columns| (columns, rows.collect::<Vec<_>>(), faults))
    };
    let Some(((table, board), rows, mut faults)) = PARTS.iter().find_map(known) else {
        let first = text::lines(&text).next().unwrap_or_default();
        let expected = "headings, such as table;board, with a column of serial numbers";
        return Err(Fault::new(1, first, expected).into());
    };
    let (mut lines, mut seen) = (Vec::<Placement>::new(), BTreeMap::new());
    for row in rows {
        match line(&row, table, board) {
            Ok(read) => {
                let many = lines.iter().filter(|line| line.table == read.table).count() >= AT_A_TABLE;
                if let Some(before) = seen.insert(read.board.clone(), row.line) {
                    let sentence = format!("each board once: line {before} has it already");
                    faults.push(Fault::new(row.line, &read.board, sentence));
                } else if many {
                    let found = format!("table {}", read.table);
                    faults.push(Fault::new(row.line, &found, "no more than two boards at a table"));
                } else {
                    lines.push(read);
                }
            }
            Err(fault) => faults.push(fault),
        }
    }
    if lines.is_empty() && faults.is_empty() {
        faults.push(Fault::new(2, "", "a table and a board under the headings"));
    }
    Faults::or(faults, lines)
}

/// The same list as a file that [`read`] takes.
pub fn write<'a>(lines: impl IntoIterator<Item = (u16, &'a str)>) -> String {
    let mut text = "table,board\n".to_owned();
    for (table, board) in lines {
        let quoted = board.contains([',', '"', ';', '\t']);
        let board = if quoted { format!("\"{}\"", board.replace('"', "\"\"")) } else { board.to_owned() };
        text.push_str(&format!("{table},{board}\n"));
    }
    text
}

fn columns(head: &csv::Row) -> Option<(usize, usize)> {
    let at = |words: &[&str]| head.cells.iter().position(|cell| words.contains(&heading::plain(cell).as_str()));
    Some((at(&TABLE)?, at(&BOARD)?))
}

fn line(row: &csv::Row, table: usize, board: usize) -> Result<Placement, Fault> {
    let cell = |at: usize| row.cells.get(at).map_or("", |cell| cell.trim());
    let number = cell::number(cell(table), row.line, "the table")?;
    let table = number.ok_or_else(|| Fault::new(row.line, cell(table), "the number of the table, from 1 to 65535"))?;
    // A serial number has digits, whatever stands beside them.
    let serial = cell::given(cell(board)).filter(|serial| serial.contains(|c: char| c.is_ascii_digit()));
    let board = serial.ok_or_else(|| {
        Fault::new(row.line, cell(board), "the serial number of a board, as `escaque doctor` shows it")
    })?;
    Ok(Placement { table, board })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<(u16, String)> {
        read(text.as_bytes()).expect("a good list").into_iter().map(|line| (line.table, line.board)).collect()
    }

    #[test]
    fn a_list_is_read_by_its_headings_in_three_languages() {
        let expected = [(1, "20012".to_owned()), (2, "20031".to_owned())];
        for text in [
            "table,board\n1,20012\n2,20031\n",
            "Brett;Tisch\r\n20012;1\r\n20031;2\r\n",
            "Mesa\tNúmero de serie\n1\t20012\n\n2\t20031",
            "note;serial no;table\nspare cable;20012;1\n;20031;2\n",
        ] {
            assert_eq!(lines(text), expected, "{text}");
        }
    }

    #[test]
    fn what_is_written_reads_back() {
        let text = write([(1, "20012"), (2, "A,\"7\"")]);
        assert_eq!(lines(&text), [(1, "20012".to_owned()), (2, "A,\"7\"".to_owned())]);
    }

    #[test]
    fn faults_are_named_with_their_lines_and_nothing_is_taken() {
        let faults =
            read(b"table,board\n1,20012\nx,20031\n2,20012\n3,\n4,1\n4,2\n4,3\n5,abc\n").expect_err("it has faults");
        let lines = faults.0.iter().map(|fault| fault.line).collect::<Vec<_>>();
        assert_eq!(lines, [3, 4, 5, 8, 9], "{faults}");
        assert!(read(b"20012\n").is_err() && read(b"table,board\n").is_err());
    }
}
