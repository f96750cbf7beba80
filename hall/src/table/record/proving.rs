//! Who can still mate, proven along the record, and what has to be searched aside because the table can't tell.

use laws::dead::{Budget, Certificates, Verdict};
use shakmaty::{Chess, Color, Move, Position as _};

use crate::Ply;

/// What is known of one game.
#[derive(Clone, Debug)]
pub(crate) struct Proving {
    certificates: Certificates,
    /// The same with a move that is seen and not final yet.
    ahead: Option<(Move, Certificates)>,
    unsure: Option<Unsure>,
    /// After how many plies a search was given up. Another one before the next capture or pawn's move would mostly meet
    /// the same positions.
    given_up: Option<Ply>,
    /// The game was over with this ply, and it is proven.
    over_at: Option<Ply>,
    /// The arbiter has it go on all the same.
    overruled: bool,
}

/// Whether the game was over with a ply is not known. The first such ply counts: if it was, it was with all later ones.
#[derive(Clone, Debug)]
pub(crate) struct Unsure {
    pub(crate) ply: Ply,
    /// Those of whom it is not known, who has the move first.
    pub(crate) open: Vec<Color>,
}

impl Proving {
    pub(crate) fn from(position: Chess) -> Proving {
        Proving {
            certificates: Certificates::new(position),
            ahead: None,
            unsure: None,
            given_up: None,
            over_at: None,
            overruled: false,
        }
    }

    /// The record keeps the plies up to this one, and `position` stands after them. An end among them was one all the same.
    pub(crate) fn restore(&mut self, kept: Ply, position: Chess) {
        let over_at = self.over_at.filter(|ply| *ply <= kept);
        let overruled = self.overruled && over_at.is_some();
        *self = Proving { over_at, overruled, ..Proving::from(position) };
    }

    pub(crate) fn play(&mut self, played: Move) {
        match self.ahead.take() {
            Some((seen, certificates)) if seen == played => self.certificates = certificates,
            Some(_) | None => _ = self.certificates.play(played),
        }
    }

    /// Neither player can mate any more after this ply, and it is proven. If it is not known, that is remembered.
    pub(crate) fn is_dead(&mut self, ply: Ply, budget: Budget) -> bool {
        if self.over_at.is_some() {
            // It stays so, whatever is played.
            return !self.overruled;
        }
        let dead = self.certificates.is_dead(budget);
        match dead {
            Some(true) => self.over_at = Some(ply),
            Some(false) => {}
            None => {
                self.wonder(ply);
                return false;
            }
        }
        // Who can mate now could before as well.
        self.unsure = None;
        dead == Some(true)
    }

    fn wonder(&mut self, ply: Ply) {
        let position = self.certificates.position();
        let quiet = usize::try_from(position.halfmoves()).unwrap_or(usize::MAX);
        if self.unsure.is_some() || self.given_up.is_some_and(|given_up| quiet >= ply.since(given_up)) {
            return;
        }
        let sides = [position.turn(), !position.turn()];
        let open = sides.into_iter().filter(|color| self.certificates.known(*color).is_none()).collect();
        self.unsure = Some(Unsure { ply, open });
    }

    /// Whether neither could mate any more after a move that is seen and not final yet.
    pub(crate) fn would_be_dead(&mut self, seen: Move, budget: Budget) -> bool {
        if self.over_at.is_some() {
            return !self.overruled;
        }
        let known = self.ahead.take().filter(|(known, _)| *known == seen).map(|(_, certificates)| certificates);
        let mut certificates = known.unwrap_or_else(|| {
            let mut certificates = self.certificates.clone();
            certificates.play(seen);
            certificates
        });
        let dead = certificates.is_dead(budget) == Some(true);
        self.ahead = Some((seen, certificates));
        dead
    }

    /// Whether a player can mate after what is seen beyond the record, as far as it is known.
    pub(crate) fn can_mate(&mut self, seen: &[Move], color: Color, budget: Budget) -> Option<bool> {
        let mut beyond;
        let certificates = if seen.is_empty() {
            &mut self.certificates
        } else {
            beyond = self.certificates.clone();
            seen.iter().for_each(|played| _ = beyond.play(*played));
            &mut beyond
        };
        certificates.can_mate(color, budget).can_mate()
    }

    /// What was found out aside about a position of the game. True if it shows, with this last ply by now, that the
    /// game is over.
    pub(crate) fn learn(&mut self, ply: Ply, color: Color, verdict: &Verdict, last: Ply, budget: Budget) -> bool {
        self.ahead = None;
        self.certificates.learn(verdict.clone());
        if let Some(unsure) = self.unsure.as_mut().filter(|unsure| unsure.ply == ply && unsure.open.contains(&color)) {
            match verdict.can_mate() {
                Some(false) => {
                    unsure.open.retain(|open| *open != color);
                    if !unsure.open.is_empty() {
                        return false;
                    }
                    self.over_at = Some(ply);
                    self.unsure = None;
                    return true;
                }
                Some(true) => self.unsure = None,
                None => {
                    self.unsure = None;
                    self.given_up = Some(ply);
                }
            }
        }
        // The position on the board may be another one by now.
        self.unsure.is_none() && self.is_dead(last, budget)
    }

    /// The proof that a player can't mate any more, for people.
    pub(crate) fn proof(&self, color: Color) -> Option<String> {
        match self.certificates.known(color)? {
            Verdict::CannotMate(proof) => Some(proof.proof().to_string()),
            Verdict::CanMate(_) | Verdict::Unknown { .. } => None,
        }
    }

    pub(crate) fn unsure(&self) -> Option<&Unsure> {
        self.unsure.as_ref()
    }

    pub(crate) fn over_at(&self) -> Option<Ply> {
        self.over_at
    }

    /// If the game is over by this, it goes on all the same: the arbiter decides, and need not do so at every move.
    pub(crate) fn overrule(&mut self) {
        self.overruled |= self.over_at.is_some();
    }
}
