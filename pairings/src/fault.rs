//! What can't be read, for somebody who has the file open beside it.

use std::fmt;

/// One place that can't be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The line, from 1.
    pub line: usize,
    /// What stands there.
    pub found: String,
    /// What was expected, or what to do about it.
    pub expected: String,
}

/// Everything in a file that can't be read, in the order of its lines. Nothing of such a file is taken in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Faults(pub Vec<Fault>);

/// So much of a line is quoted: enough to find it, and a sentence is still a sentence.
const QUOTED: usize = 60;

/// So many are named, as many as are mended in one go and stand on one screen. A file of another kind has them in every
/// line.
const NAMED: usize = 20;

impl Fault {
    pub(crate) fn new(line: usize, found: &str, expected: impl Into<String>) -> Fault {
        let mut quoted = found.trim().chars().take(QUOTED).collect::<String>();
        if quoted.len() < found.trim().len() {
            quoted.push('…');
        }
        Fault { line, found: quoted, expected: expected.into() }
    }
}

impl Faults {
    /// What was read, if nothing is wrong with it.
    pub(crate) fn or<T>(mut faults: Vec<Fault>, read: T) -> Result<T, Faults> {
        faults.sort_by_key(|fault| fault.line);
        if faults.is_empty() { Ok(read) } else { Err(Faults(faults)) }
    }
}

impl From<Fault> for Faults {
    fn from(fault: Fault) -> Faults {
        Faults(vec![fault])
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Fault { line, found, expected } = self;
        if found.is_empty() {
            write!(f, "line {line}: nothing stands there; expected {expected}")
        } else {
            write!(f, "line {line}: \"{found}\"; expected {expected}")
        }
    }
}

impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().take(NAMED).try_for_each(|fault| writeln!(f, "{fault}"))?;
        match self.0.len().saturating_sub(NAMED) {
            0 => Ok(()),
            1 => writeln!(f, "and one more line that can't be read"),
            more => writeln!(f, "and {more} more lines that can't be read"),
        }
    }
}

impl std::error::Error for Faults {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_file_of_another_kind_the_first_lines_are_named_and_the_others_counted() {
        let faults = |many| Faults((1..=many).map(|line| Fault::new(line, "x", "a pairing")).collect()).to_string();
        assert_eq!(faults(NAMED).lines().count(), NAMED);
        let said = faults(3000);
        assert_eq!(said.lines().count(), NAMED + 1);
        assert!(said.starts_with("line 1: ") && said.ends_with("and 2980 more lines that can't be read\n"), "{said}");
    }
}
