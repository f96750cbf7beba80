//! What the people at an endless table say aloud, one line each.

use std::{fmt, str::FromStr};

/// A game begins or is over. Its text reads back to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum News {
    /// The clock of the first player runs.
    Begun {
        /// The how-many-eth game at this table, from 1.
        number: usize,
    },
    /// The clock has been stopped.
    Over {
        /// Which.
        number: usize,
        /// How it ended, as PGN writes it.
        result: String,
    },
}

impl fmt::Display for News {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            News::Begun { number } => write!(f, "game {number} begins"),
            News::Over { number, result } => write!(f, "game {number} is over: {result}"),
        }
    }
}

/// A line that is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoNews;

impl FromStr for News {
    type Err = NoNews;

    fn from_str(line: &str) -> Result<News, NoNews> {
        let (number, rest) = line.strip_prefix("game ").and_then(|rest| rest.split_once(' ')).ok_or(NoNews)?;
        let number = number.parse().map_err(|_| NoNews)?;
        match rest.split_once(": ") {
            None if rest == "begins" => Ok(News::Begun { number }),
            Some(("is over", result)) => Ok(News::Over { number, result: result.to_owned() }),
            None | Some(_) => Err(NoNews),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn news_read_back_to_themselves_and_nothing_else_is_news() {
        for news in [News::Begun { number: 3 }, News::Over { number: 12, result: "1/2-1/2".to_owned() }] {
            assert_eq!(news.to_string().parse(), Ok(news));
        }
        for line in ["", "game on", "game 3 goes on", "/dev/pts/4 -> board-1"] {
            assert_eq!(line.parse::<News>(), Err(NoNews), "{line}");
        }
    }
}
