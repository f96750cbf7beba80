//! Who plays whom, who plays nobody, and what both score.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{GameResult, Player, ResultReason, Side};

/// One table of a list of pairings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Pairing {
    /// From 1.
    pub table: u16,
    /// White.
    pub white: Player,
    /// Black.
    pub black: Player,
}

/// Who has nobody to play with in a round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Bye {
    /// Who.
    pub player: Player,
    /// What it brings.
    #[serde(default)]
    pub kind: ByeKind,
}

/// What a round without an opponent brings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ByeKind {
    /// What the pairing gives whoever is left over: a point, as a rule.
    #[default]
    Allocated,
    /// A whole point.
    Full,
    /// Half a point.
    Half,
    /// Nothing.
    Zero,
}

/// What both players score, as pairing lists write it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Score {
    /// Nothing yet.
    #[default]
    #[serde(rename = "*")]
    Open,
    /// White won.
    #[serde(rename = "1-0")]
    WhiteWins,
    /// Black won.
    #[serde(rename = "0-1")]
    BlackWins,
    /// Drawn.
    #[serde(rename = "1/2-1/2")]
    Draw,
    /// Black did not come.
    #[serde(rename = "+/-")]
    WhiteByForfeit,
    /// White did not come.
    #[serde(rename = "-/+")]
    BlackByForfeit,
    /// Neither came.
    #[serde(rename = "-/-")]
    BothForfeited,
    /// Both lost a game that was played.
    #[serde(rename = "0-0")]
    BothLost,
    /// White scores a half and Black nothing.
    #[serde(rename = "1/2-0")]
    WhiteHalf,
    /// Black scores a half and White nothing.
    #[serde(rename = "0-1/2")]
    BlackHalf,
}

impl Score {
    /// All of them.
    pub const ALL: [Score; 10] = [
        Score::Open,
        Score::WhiteWins,
        Score::BlackWins,
        Score::Draw,
        Score::WhiteByForfeit,
        Score::BlackByForfeit,
        Score::BothForfeited,
        Score::BothLost,
        Score::WhiteHalf,
        Score::BlackHalf,
    ];

    /// What PGN makes of it, which has no word for what is no ordinary result.
    pub fn result(self) -> GameResult {
        match self {
            Score::WhiteWins | Score::WhiteByForfeit => GameResult::WhiteWins,
            Score::BlackWins | Score::BlackByForfeit => GameResult::BlackWins,
            Score::Draw => GameResult::Draw,
            Score::Open | Score::BothForfeited | Score::BothLost | Score::WhiteHalf | Score::BlackHalf => {
                GameResult::Open
            }
        }
    }

    /// What White and Black score, in half points; nothing while it is open.
    pub fn halves(self) -> Option<[u32; 2]> {
        match self {
            Score::Open => None,
            Score::WhiteWins | Score::WhiteByForfeit => Some([2, 0]),
            Score::BlackWins | Score::BlackByForfeit => Some([0, 2]),
            Score::Draw => Some([1, 1]),
            Score::BothForfeited | Score::BothLost => Some([0, 0]),
            Score::WhiteHalf => Some([1, 0]),
            Score::BlackHalf => Some([0, 1]),
        }
    }

    /// Somebody did not come.
    pub fn is_forfeit(self) -> bool {
        matches!(self, Score::WhiteByForfeit | Score::BlackByForfeit | Score::BothForfeited)
    }

    /// Why a game is over to which somebody gives it.
    pub fn reason(self) -> ResultReason {
        if self.is_forfeit() { ResultReason::Forfeit } else { ResultReason::Arbiter }
    }

    /// What is told as a result, with the score where that does not say it.
    pub fn told(result: GameResult, beyond_result: Option<Score>) -> Score {
        beyond_result.unwrap_or_else(|| result.into())
    }

    /// The score, where the result alone does not say it.
    pub fn beyond_result(self) -> Option<Score> {
        (Score::from(self.result()) != self).then_some(self)
    }

    /// The win of `side`, whose opponent did not come.
    pub fn forfeit(side: Side) -> Score {
        match side {
            Side::White => Score::WhiteByForfeit,
            Side::Black => Score::BlackByForfeit,
        }
    }
}

impl From<GameResult> for Score {
    fn from(result: GameResult) -> Score {
        match result {
            GameResult::Open => Score::Open,
            GameResult::WhiteWins => Score::WhiteWins,
            GameResult::BlackWins => Score::BlackWins,
            GameResult::Draw => Score::Draw,
        }
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Score::Open => "*",
            Score::WhiteWins => "1-0",
            Score::BlackWins => "0-1",
            Score::Draw => "1/2-1/2",
            Score::WhiteByForfeit => "+/-",
            Score::BlackByForfeit => "-/+",
            Score::BothForfeited => "-/-",
            Score::BothLost => "0-0",
            Score::WhiteHalf => "1/2-0",
            Score::BlackHalf => "0-1/2",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_score_is_written_in_orders_as_people_read_it() {
        for score in Score::ALL {
            assert_eq!(serde_json::to_string(&score).expect("plain data"), format!("\"{score}\""));
            assert_eq!(score.beyond_result().is_none(), score.to_string() == score.result().to_string(), "{score}");
        }
    }
}
