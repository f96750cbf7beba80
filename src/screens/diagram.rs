//! A position as a picture: the board and the men of the pages, as SVG, without a browser.

use std::fmt::Write;

use protocol::feed::{Side, TableView};

use super::pages;

/// A square is as wide as the men are drawn.
const SQUARE: usize = 45;
const BOARD: usize = 8 * SQUARE;
/// The colours of the pages' boards (`web/src/style.css`).
const LIGHT: &str = "#e8e4d6";
const DARK: &str = "#88978b";
const LAST: &str = "#f0b548";
const MEN: [(char, &str); 12] = [
    ('K', "white-king"),
    ('Q', "white-queen"),
    ('R', "white-rook"),
    ('B', "white-bishop"),
    ('N', "white-knight"),
    ('P', "white-pawn"),
    ('k', "black-king"),
    ('q', "black-queen"),
    ('r', "black-rook"),
    ('b', "black-bishop"),
    ('n', "black-knight"),
    ('p', "black-pawn"),
];

/// How a picture is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Wanted {
    /// Who sits at the lower edge.
    pub(super) below: Side,
}

impl Wanted {
    /// What stands behind the `?` of its address. What is not known there is passed over, as other programs add words of
    /// their own to get a fresh picture.
    pub(super) fn read(query: &str) -> Wanted {
        let is_turned = query.split('&').any(|word| word == "below=black");
        Wanted { below: if is_turned { Side::Black } else { Side::White } }
    }

    /// Where a file and a rank, from 0, are in the picture.
    fn corner(self, (file, rank): (usize, usize)) -> (usize, usize) {
        match self.below {
            Side::White => (file * SQUARE, (7 - rank) * SQUARE),
            Side::Black => ((7 - file) * SQUARE, rank * SQUARE),
        }
    }
}

/// The table's position, its last move marked: filled while it is final, dashed while it may still be another.
pub(super) fn svg(table: &TableView, wanted: Wanted) -> String {
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {BOARD} {BOARD}\" width=\"{BOARD}\" height=\"{BOARD}\">"
    );
    out.push_str("<defs>");
    for (letter, name) in MEN.iter().filter(|(letter, _)| table.placement.contains(*letter)) {
        add(&mut out, format_args!("<g id=\"{letter}\">{}</g>", drawing(name)));
    }
    out.push_str("</defs>");
    add(&mut out, format_args!("<rect width=\"{BOARD}\" height=\"{BOARD}\" fill=\"{LIGHT}\"/>"));
    for at in (0..64).map(|index| (index % 8, index / 8)).filter(|(file, rank)| (file + rank) % 2 == 0) {
        square(&mut out, wanted.corner(at), &format!("fill=\"{DARK}\""));
    }
    let is_final = table.settled == table.line.len();
    let mark = if is_final {
        format!("fill=\"{LAST}\" fill-opacity=\".62\"")
    } else {
        "fill=\"none\" stroke=\"#7a4600\" stroke-width=\"3\" stroke-dasharray=\"5\"".to_owned()
    };
    let moved = table.last.as_deref().map(squares_of).unwrap_or_default();
    moved.into_iter().for_each(|at| square(&mut out, wanted.corner(at), &mark));
    for (at, letter) in men(&table.placement) {
        let (x, y) = wanted.corner(at);
        add(&mut out, format_args!("<use href=\"#{letter}\" x=\"{x}\" y=\"{y}\"/>"));
    }
    out.push_str("</svg>\n");
    out
}

fn add(out: &mut String, what: std::fmt::Arguments<'_>) {
    out.write_fmt(what).expect("a string takes everything");
}

fn square(out: &mut String, (x, y): (usize, usize), look: &str) {
    add(out, format_args!("<rect x=\"{x}\" y=\"{y}\" width=\"{SQUARE}\" height=\"{SQUARE}\" {look}/>"));
}

/// What is drawn in a man's file of the pages: everything between its first tag and its last. Nothing in a build without
/// pages.
fn drawing(name: &str) -> &'static str {
    let Some(text) = pages::man(name) else { return "" };
    let inner = text.split_once('>').map_or("", |(_, inner)| inner);
    inner.rsplit_once("</svg>").map_or(inner, |(inner, _)| inner)
}

/// Who stands where, of the placement field of a FEN.
fn men(placement: &str) -> Vec<((usize, usize), char)> {
    let mut found = Vec::new();
    for (down, row) in placement.split('/').enumerate().take(8) {
        let mut file = 0;
        for letter in row.chars() {
            match letter.to_digit(10) {
                Some(empty) => file += usize::try_from(empty).unwrap_or(0),
                None => {
                    found.push(((file.min(7), 7 - down), letter));
                    file += 1;
                }
            }
        }
    }
    found.retain(|(_, letter)| MEN.iter().any(|(known, _)| known == letter));
    found
}

/// From where to where a move went, as programs write it.
fn squares_of(uci: &str) -> Vec<(usize, usize)> {
    let square = |file: &u8, rank: &u8| {
        let at = (usize::from(file.wrapping_sub(b'a')), usize::from(rank.wrapping_sub(b'1')));
        (at.0 < 8 && at.1 < 8).then_some(at)
    };
    uci.as_bytes().chunks_exact(2).take(2).filter_map(|pair| square(&pair[0], &pair[1])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHITE_BELOW: Wanted = Wanted { below: Side::White };

    fn after_e4() -> TableView {
        let table = protocol::feed::TableId { event: "open".into(), round: 3, table: 12 };
        TableView {
            placement: "4k3/8/8/8/4P3/8/8/4K3".into(),
            line: ["e4"].into_iter().collect(),
            last: Some("e2e4".into()),
            settled: 1,
            ..TableView::new(table)
        }
    }

    #[test]
    fn every_man_stands_on_its_square() {
        let picture = svg(&after_e4(), WHITE_BELOW);
        for man in ["#k\" x=\"180\" y=\"0\"", "#P\" x=\"180\" y=\"180\"", "#K\" x=\"180\" y=\"315\""] {
            assert!(picture.contains(man), "{man}: {picture}");
        }
        assert_eq!(picture.matches("<use").count(), 3);
    }

    #[test]
    fn the_board_is_turned_for_those_who_want_it() {
        let picture = svg(&after_e4(), Wanted::read("v=7&below=black"));
        assert!(picture.contains("#K\" x=\"135\" y=\"0\""), "{picture}");
        assert_eq!(Wanted::read(""), WHITE_BELOW);
    }

    #[test]
    fn a_move_that_may_still_be_another_is_marked_as_such() {
        assert_eq!(svg(&after_e4(), WHITE_BELOW).matches("fill-opacity").count(), 2);
        let seen = svg(&TableView { settled: 0, ..after_e4() }, WHITE_BELOW);
        assert_eq!((seen.matches("fill-opacity").count(), seen.matches("stroke-dasharray").count()), (0, 2));
    }

    #[test]
    fn what_no_feed_says_is_drawn_as_far_as_it_can_be() {
        let odd = TableView { placement: "kkkkkkkkkk/x/9".into(), last: Some("z9".into()), ..after_e4() };
        assert!(svg(&odd, WHITE_BELOW).ends_with("</svg>\n"));
    }
}
