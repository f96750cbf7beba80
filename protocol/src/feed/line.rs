//! The moves of a game as screens are told them: one text, and where each move ends in it.
//!
//! A hall keeps the line of every table of an event for each of its audiences, and tells it with every change. Apart each
//! move would take six times the room, and an allocation whenever it is told.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Moves in SAN, in order.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Line {
    text: String,
    ends: Vec<u32>,
}

impl Line {
    /// A line without moves.
    pub const fn new() -> Line {
        Line { text: String::new(), ends: Vec::new() }
    }

    /// How many moves there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// There is none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The move at this place, from 0.
    pub fn get(&self, at: usize) -> Option<&str> {
        let end = *self.ends.get(at)?;
        self.text.get(self.start(at)..end as usize)
    }

    /// The last one.
    pub fn last(&self) -> Option<&str> {
        self.get(self.len().checked_sub(1)?)
    }

    /// All of them.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &str> + ExactSizeIterator + Clone {
        (0..self.len()).map(|at| self.get(at).unwrap_or_default())
    }

    /// Those after so many of them.
    pub fn after(&self, plies: usize) -> Vec<String> {
        self.iter().skip(plies).map(str::to_owned).collect()
    }

    /// So many of them from the first.
    #[must_use]
    pub fn first(&self, plies: usize) -> Line {
        let mut line = self.clone();
        line.truncate(plies);
        line
    }

    /// How many are the same in both before one is not.
    pub fn common(&self, other: &Line) -> usize {
        self.iter().zip(other.iter()).take_while(|(one, other)| one == other).count()
    }

    /// One more. What no longer fits into four gigabytes is left out.
    pub fn push(&mut self, san: &str) {
        if let Ok(end) = u32::try_from(self.text.len() + san.len()) {
            self.text.push_str(san);
            self.ends.push(end);
        }
    }

    /// No more than so many of them stay.
    pub fn truncate(&mut self, moves: usize) {
        if moves < self.len() {
            self.text.truncate(self.start(moves));
            self.ends.truncate(moves);
        }
    }

    /// None of them stays.
    pub fn clear(&mut self) {
        self.truncate(0);
    }

    fn start(&self, at: usize) -> usize {
        at.checked_sub(1).map_or(0, |before| self.ends[before] as usize)
    }
}

/// With a space between them.
impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, san) in self.iter().enumerate() {
            let space = if at == 0 { "" } else { " " };
            write!(f, "{space}{san}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl<S: AsRef<str>> Extend<S> for Line {
    fn extend<I: IntoIterator<Item = S>>(&mut self, moves: I) {
        moves.into_iter().for_each(|san| self.push(san.as_ref()));
    }
}

impl<S: AsRef<str>> FromIterator<S> for Line {
    fn from_iter<I: IntoIterator<Item = S>>(moves: I) -> Line {
        let mut line = Line::new();
        line.extend(moves);
        line
    }
}

impl<S: AsRef<str>, const N: usize> PartialEq<[S; N]> for Line {
    fn eq(&self, other: &[S; N]) -> bool {
        self.iter().eq(other.iter().map(AsRef::as_ref))
    }
}

impl Serialize for Line {
    fn serialize<T: Serializer>(&self, to: T) -> Result<T::Ok, T::Error> {
        to.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for Line {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Line, D::Error> {
        Ok(Vec::<String>::deserialize(from)?.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_its_moves_wherever_it_is_cut() {
        let moves = ["e4", "e5", "Nf3", "", "O-O-O+"];
        let line = moves.into_iter().collect::<Line>();
        assert_eq!(line, moves);
        for at in 0..=6 {
            let mut cut = line.clone();
            cut.truncate(at);
            assert!(cut.iter().eq(moves.into_iter().take(at)), "{cut:?}");
            assert_eq!(cut.common(&line), cut.len());
            assert_eq!(line.first(at), cut);
            assert!(line.after(at).iter().eq(moves.iter().skip(at)));
            assert_eq!(line.get(at), moves.get(at).copied());
            cut.push("Kb1");
            assert_eq!(cut.last(), Some("Kb1"));
        }
    }

    #[test]
    fn a_line_is_told_as_a_list_of_moves() {
        let line = ["d4", "Nf6"].into_iter().collect::<Line>();
        let text = serde_json::to_string(&line).expect("moves are text");
        assert_eq!((text.as_str(), line.to_string().as_str()), (r#"["d4","Nf6"]"#, "d4 Nf6"));
        assert_eq!(serde_json::from_str::<Line>(&text).expect("a list"), line);
        assert!(serde_json::from_str::<Line>("\"d4\"").is_err());
    }
}
