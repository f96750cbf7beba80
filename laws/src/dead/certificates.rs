//! The certificates of one game: what was proven at one move and still holds at the next.

use shakmaty::{ByColor, Chess, Color, Move, Position};

use super::{
    Budget, can_mate,
    checker::{CanMate, Verdict},
    key::Key,
    plan::Plan,
};

/// A game, and for each colour what is known about whether it can mate.
///
/// Tell it every move with [`play`](Certificates::play) and ask with [`can_mate`](Certificates::can_mate). A line to mate
/// serves again while the game follows it, or while it can be bent to what was played instead; "cannot" holds for the rest
/// of the game, since every later position can arise from the one it was proven for. After a correction or a set-up
/// [`restore`](Certificates::restore) begins anew.
///
/// ```
/// use laws::dead::{Budget, Certificates, Verdict};
/// use shakmaty::{Chess, Color, Position, san::San};
///
/// let mut game = Certificates::new(Chess::default());
/// for san in ["e4", "e5", "Nf3"] {
///     let played = san.parse::<San>()?.to_move(game.position())?;
///     game.play(played);
///     assert!(matches!(game.can_mate(Color::White, Budget::TABLE), Verdict::CanMate(_)));
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Certificates {
    position: Chess,
    /// Every position of the game up to this one.
    past: Vec<Key>,
    held: ByColor<Held>,
    tally: Tally,
}

/// What is held for one colour.
#[derive(Clone, Debug, Default)]
struct Held {
    verdict: Option<Verdict>,
    /// Whether the verdict is about the position of the game.
    holds: bool,
    plan: Plan,
}

/// Where the answers came from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// What was known held on: the game followed the line, or the proof is for good.
    pub held: u64,
    /// The line was bent to what was played.
    pub bent: u64,
    /// It had to be searched for.
    pub searched: u64,
}

impl Certificates {
    /// A game that begins from `position`, with nothing known.
    pub fn new(position: Chess) -> Certificates {
        let past = vec![Key::of(&position)];
        Certificates { position, past, held: ByColor::default(), tally: Tally::default() }
    }

    /// The position of the game.
    pub fn position(&self) -> &Chess {
        &self.position
    }

    /// Plays a move. `false`, and nothing is played, if it is not legal.
    pub fn play(&mut self, played: Move) -> bool {
        if !self.position.is_legal(played) {
            return false;
        }
        let mover = self.position.turn();
        self.position.play_unchecked(played);
        self.past.push(Key::of(&self.position));
        for held in self.held.iter_mut() {
            held.play(played, mover);
        }
        true
    }

    /// Another position, not reached by playing on: nothing is known any more.
    pub fn restore(&mut self, position: Chess) {
        *self = Certificates { tally: self.tally, ..Certificates::new(position) };
    }

    /// Whether `color` can mate from the position of the game. The budget is spent only where no certificate holds.
    pub fn can_mate(&mut self, color: Color, budget: Budget) -> &Verdict {
        let Held { verdict, holds, plan } = self.held.get_mut(color);
        let found = if let Some(known) = verdict.take().filter(|_| *holds) {
            self.tally.held += 1;
            known
        } else if let Some(bent) = plan.bend(&self.position, color) {
            self.tally.bent += 1;
            Verdict::CanMate(bent)
        } else {
            self.tally.searched += 1;
            match can_mate(&self.position, color, budget) {
                Verdict::CanMate(mate) => {
                    *plan = Plan::of(mate.line(), self.position.turn());
                    Verdict::CanMate(mate)
                }
                found @ (Verdict::CannotMate(_) | Verdict::Unknown { .. }) => found,
            }
        };
        // What is unknown is asked again: perhaps with more to spend.
        *holds = !matches!(found, Verdict::Unknown { .. });
        verdict.insert(found)
    }

    /// What is known about `color` in the position of the game, without looking for more.
    pub fn known(&self, color: Color) -> Option<&Verdict> {
        let held = self.held.get(color);
        held.verdict.as_ref().filter(|_| held.holds)
    }

    /// Whether neither side can mate: the position is dead and the game is over. `None`: not known.
    pub fn is_dead(&mut self, budget: Budget) -> Option<bool> {
        let verdicts = [self.position.turn(), !self.position.turn()].map(|color| match self.can_mate(color, budget) {
            Verdict::CanMate(_) => Some(true),
            Verdict::CannotMate(_) => Some(false),
            Verdict::Unknown { .. } => None,
        });
        match verdicts {
            [Some(true), _] | [_, Some(true)] => Some(false),
            [Some(false), Some(false)] => Some(true),
            [None, _] | [_, None] => None,
        }
    }

    /// Takes over what was found out about a position of this game elsewhere. The ply it is about, counted from where
    /// the game began or was restored; `None`, and nothing is taken over, if it is about another position.
    pub fn learn(&mut self, verdict: Verdict) -> Option<usize> {
        let (of, winner) = match &verdict {
            Verdict::CanMate(mate) => (*mate.of(), mate.winner()),
            Verdict::CannotMate(proof) => (*proof.of(), proof.winner()),
            Verdict::Unknown { .. } => return None,
        };
        let ply = self.past.iter().position(|past| *past == of)?;
        let held = self.held.get_mut(winner);
        match &verdict {
            Verdict::CanMate(mate) if self.past.last() == Some(&of) => {
                let plan = Plan::of(mate.line(), self.position.turn());
                *held = Held { verdict: Some(verdict), holds: true, plan };
            }
            Verdict::CannotMate(_) => *held = Held { verdict: Some(verdict), holds: true, plan: Plan::default() },
            Verdict::CanMate(_) | Verdict::Unknown { .. } => {}
        }
        Some(ply)
    }

    /// Where the answers so far came from.
    pub fn tally(&self) -> Tally {
        self.tally
    }
}

impl Held {
    fn play(&mut self, played: Move, mover: Color) {
        self.plan.note(played, mover);
        self.holds &= match &mut self.verdict {
            Some(Verdict::CanMate(mate)) => CanMate::play(mate, played),
            Some(Verdict::CannotMate(_)) => true,
            Some(Verdict::Unknown { .. }) | None => false,
        };
    }
}
