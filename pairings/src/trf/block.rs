//! One round of one player: opponent, colour, result.

use laws::result::{GameResult, Points};
use shakmaty::Color;

use crate::{Bye, Fault};

/// The columns of a block: four for the opponent, one for the colour, one for the result, blanks between and behind.
pub(super) const WIDTH: usize = 10;
/// Where the result stands in it.
pub(super) const RESULT: usize = 7;
const OPPONENT: std::ops::Range<usize> = 0..4;
/// Where the colour stands.
pub(super) const COLOR: usize = 5;

/// Played, by forfeit, unrated, byes; a blank for what is still to be played.
const RESULTS: &str = "10=+-WDLHFUZ ";

/// What a player's line says of one round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Block {
    pub(super) opponent: Option<u32>,
    pub(super) color: Option<Color>,
    pub(super) result: char,
}

impl Block {
    /// Reads the ten columns of a round, or fewer where blanks at the end of the line were cut.
    pub(super) fn read(columns: &[char], round: usize, line: usize) -> Result<Block, Fault> {
        let found = columns.iter().collect::<String>();
        let bad = |expected: String| Fault::new(line, &found, format!("in round {round}, {expected}"));
        let number = columns.iter().take(OPPONENT.end).collect::<String>();
        let opponent = match number.trim() {
            "" => None,
            digits => Some(digits.parse().map_err(|_| bad("the opponent's start number or blanks".to_owned()))?),
        };
        let color = match columns.get(COLOR).copied().unwrap_or(' ').to_ascii_lowercase() {
            'w' => Some(Color::White),
            'b' => Some(Color::Black),
            '-' | ' ' => None,
            _ => return Err(bad("a colour, w, b or -".to_owned())),
        };
        let result = columns.get(RESULT).copied().unwrap_or(' ').to_ascii_uppercase();
        if !RESULTS.contains(result) {
            return Err(bad(format!(
                "one of the results {}or a blank",
                RESULTS.chars().flat_map(|c| [c, ' ']).collect::<String>().trim_start()
            )));
        }
        Ok(Block { opponent: opponent.filter(|number| *number > 0), color, result })
    }

    /// Paired, and not played yet.
    pub(super) fn is_open(&self) -> bool {
        self.opponent.is_some() && self.result == ' '
    }

    /// Why there is no opponent; nothing if the player is not paired at all.
    pub(super) fn bye(&self) -> Option<Bye> {
        match self.result {
            'U' | '+' => Some(Bye::Allocated),
            'H' => Some(Bye::Half),
            'F' => Some(Bye::Full),
            'Z' | '-' => Some(Bye::Zero),
            _ => None,
        }
    }

    /// What it brings its player.
    pub(super) fn points(&self) -> Points {
        match self.result {
            '1' | '+' | 'W' | 'F' | 'U' => Points::whole(1),
            '=' | 'D' | 'H' => Points::HALF,
            _ => Points::whole(0),
        }
    }

    /// The result of the game, as the lines of White, this one, and of Black have it.
    pub(super) fn outcome(&self, black: Option<&Block>) -> Option<GameResult> {
        let rated = |sign| match sign {
            'W' => '1',
            'D' => '=',
            'L' => '0',
            other => other,
        };
        let signs = (rated(self.result), rated(black?.result));
        GameResult::ALL.into_iter().find(|result| (result.trf(Color::White), result.trf(Color::Black)) == signs)
    }
}
