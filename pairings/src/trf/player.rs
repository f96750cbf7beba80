//! A player's line: who it is, and a block a round. Columns are counted in letters, not in bytes.

use std::ops::Range;

use laws::result::Points;
use shakmaty::Color;

use super::block::{self, Block};
use crate::{Fault, Person, cell};

/// Where things stand, counted from 0.
const NUMBER: Range<usize> = 4..8;
const TITLE: Range<usize> = 10..13;
const NAME: Range<usize> = 14..47;
const RATING: Range<usize> = 48..52;
const FEDERATION: Range<usize> = 53..56;
const FIDE_ID: Range<usize> = 57..68;
const POINTS: Range<usize> = 80..84;
const RANK: Range<usize> = 85..89;
pub(super) const ROUNDS: usize = 91;

/// One line.
#[derive(Clone, Debug)]
pub(super) struct Player {
    /// From 1.
    pub(super) line: usize,
    pub(super) person: Person,
    pub(super) blocks: Vec<Block>,
    number: u32,
    rank: Option<u32>,
    /// As the file came.
    points: Option<Points>,
    counted: Counted,
}

/// What the points of a line count, as the file came.
#[derive(Clone, Copy, Debug)]
enum Counted {
    /// All its rounds.
    All,
    /// Those before the coming one, whose byes bring their points with it.
    Played,
    /// What only the pairing program knows.
    Other,
}

impl Player {
    /// Reads the line at this place, counted from 0.
    pub(super) fn read(text: &str, at: usize) -> Result<Player, Fault> {
        let line = at + 1;
        let columns = text.trim_end_matches(['\n', '\r']).chars().collect::<Vec<_>>();
        let field = |range: Range<usize>| columns.iter().skip(range.start).take(range.len()).collect::<String>();
        let number = field(NUMBER).trim().parse::<u32>().ok().filter(|number| *number > 0);
        let number = number.ok_or_else(|| Fault::new(line, text, "a start number in columns 5 to 8"))?;
        let name = cell::given(&field(NAME)).ok_or_else(|| Fault::new(line, text, "a name in columns 15 to 47"))?;
        let person = Person {
            title: cell::title(&field(TITLE), line)?,
            rating: cell::rating(&field(RATING), line)?,
            federation: cell::given(&field(FEDERATION)),
            fide_id: cell::fide_id(&field(FIDE_ID), line)?,
            number: Some(number),
            ..Person::named(&name)
        };
        let rounds = columns.get(ROUNDS..).unwrap_or_default().chunks(block::WIDTH).enumerate();
        let blocks = rounds.map(|(at, columns)| Block::read(columns, at + 1, line)).collect::<Result<_, _>>()?;
        let (rank, points) = (field(RANK).trim().parse().ok(), points(&field(POINTS)));
        Ok(Player { line, person, blocks, number, rank, points, counted: Counted::Other })
    }

    pub(super) fn number(&self) -> u32 {
        self.number
    }

    /// The place in the standings, or in the list where there are none yet.
    pub(super) fn rank(&self) -> u32 {
        self.rank.filter(|rank| *rank > 0).unwrap_or(self.number)
    }

    pub(super) fn block(&self, round: u16) -> Option<&Block> {
        self.blocks.get(usize::from(round).checked_sub(1)?)
    }

    /// Before this round.
    pub(super) fn points_before(&self, round: u16) -> Points {
        let before = usize::from(round).saturating_sub(1);
        self.blocks.iter().take(before).fold(Points::default(), |sum, block| sum + block.points())
    }

    /// The line has another result; who it is about stays.
    pub(super) fn read_again(&mut self, text: &str) {
        let read = Player::read(text, self.line - 1).expect("a line that was read, with another result");
        self.blocks = read.blocks;
    }

    /// Finds out what the points count in a file of which this round is the coming one.
    pub(super) fn reckon(&mut self, coming: u16) {
        self.counted = match self.points {
            Some(points) if points == self.points_before(u16::MAX) => Counted::All,
            Some(points) if points == self.points_before(coming) => Counted::Played,
            Some(_) | None => Counted::Other,
        };
    }

    /// The line with the points that its rounds make once this one is played.
    pub(super) fn with_points(&self, text: &str, round: u16) -> String {
        let sum = match self.counted {
            Counted::All => self.points_before(u16::MAX),
            Counted::Played => self.points_before(round.saturating_add(1)),
            Counted::Other => return text.to_owned(),
        };
        if self.points == Some(sum) {
            return text.to_owned();
        }
        let tenths = sum.0 / 10;
        let written = format!("{:>4}", format!("{}.{}", tenths / 10, tenths % 10));
        let mut columns = text.chars().collect::<Vec<_>>();
        columns.splice(POINTS, written.chars());
        columns.into_iter().collect()
    }

    /// The line with nothing in the columns of a round it has.
    pub(super) fn without(&self, text: &str, round: u16) -> String {
        let begin = ROUNDS + (usize::from(round) - 1) * block::WIDTH;
        let blank = |(at, letter)| if (begin..=begin + block::RESULT).contains(&at) { ' ' } else { letter };
        let end = text.trim_end_matches(['\n', '\r']);
        end.chars().enumerate().map(blank).collect::<String>() + &text[end.len()..]
    }

    /// The line with this colour and result in their columns.
    pub(super) fn with_result(&self, text: &str, round: u16, side: Color, result: char) -> String {
        let end = text.len() - text.trim_end_matches(['\n', '\r']).len();
        let (line, end) = text.split_at(text.len() - end);
        let mut columns = line.chars().collect::<Vec<_>>();
        let begin = ROUNDS + (usize::from(round) - 1) * block::WIDTH;
        let at = begin + block::RESULT;
        if columns.len() <= at {
            columns.resize(at + 1, ' ');
        }
        columns[begin + block::COLOR] = side.char();
        columns[at] = result;
        columns.into_iter().collect::<String>() + end
    }
}

/// Points as the file writes them: `4.5`, or `4,5` by some programs.
fn points(text: &str) -> Option<Points> {
    let text = text.trim().replace(',', ".");
    let (whole, tenths) = text.split_once('.').unwrap_or((&text, "0"));
    Some(Points(
        whole.parse::<u32>().ok()?.checked_mul(100)?.checked_add(tenths.parse::<u32>().ok()?.checked_mul(10)?)?,
    ))
}
