//! What a verdict says to people.

use std::fmt;

use shakmaty::Bitboard;

use super::{Lack, Proof};

impl fmt::Display for Lack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Lack::BareKing => "only the king is left",
            Lack::LoneKnight => "a knight alone does not mate against king and queens",
            Lack::OneColouredBishops => "all bishops are on squares of one colour, and nothing can help them",
        })
    }
}

impl fmt::Display for Proof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Proof::Material(lack) => write!(f, "{lack}"),
            Proof::Enumerated { positions: 1, walled: 0, .. } => f.write_str("no move leads on"),
            Proof::Enumerated { positions, walled, .. } => {
                write!(f, "none of all {positions} positions that can arise is mate")?;
                if *walled > 0 {
                    write!(f, ", nor any beyond {walled} more that are walled in")?;
                }
                Ok(())
            }
            Proof::Walls { locked, .. } => {
                f.write_str("the pieces never get to where they could mate")?;
                if locked.any() {
                    write!(f, ": the men on {} stand for good", Squares(*locked))?;
                }
                Ok(())
            }
        }
    }
}

/// Squares one after the other.
struct Squares(Bitboard);

impl fmt::Display for Squares {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, square) in self.0.into_iter().enumerate() {
            if at > 0 {
                f.write_str(" ")?;
            }
            write!(f, "{square}")?;
        }
        Ok(())
    }
}
