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
        self.0.iter().try_for_each(|fault| writeln!(f, "{fault}"))
    }
}

impl std::error::Error for Faults {}
