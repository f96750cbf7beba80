//! The certificates of one game: what was proven at one move and still holds at the next.

use shakmaty::{ByColor, Chess, Color, Move, Position};

use super::{
    back,
    checker::{CanMate, Verdict, Way},
    key::Key,
    plan::Plan,
    question::{Budget, can_mate},
    stroll,
};

/// The longest way back to an earlier position of the game: after more moves a new line is sooner found and shorter.
const WAY_BACK: usize = 12;

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
    /// The moves since the last capture, castling or pawn move.
    steps: Vec<Move>,
    /// The way back last looked for in this position, with how many moves it takes back.
    way: Option<(usize, Option<Way>)>,
    held: ByColor<Held>,
    tally: Tally,
}

/// What is held for one colour.
#[derive(Clone, Debug, Default)]
struct Held {
    /// About the position of the game, but for what was played astray.
    verdict: Option<Verdict>,
    /// Moves since then that the line did not foresee.
    astray: Vec<(Move, Color)>,
    /// The last line that does not begin with a way back, and how many moves the game had then.
    anchor: Option<(usize, CanMate)>,
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
        Certificates {
            past: vec![Key::of(&position)],
            position,
            steps: Vec::new(),
            way: None,
            held: ByColor::default(),
            tally: Tally::default(),
        }
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
        if played.is_zeroing() || played.is_castle() {
            self.steps.clear();
        } else {
            self.steps.push(played);
        }
        self.way = None;
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
        let found = if let Some(known) = self.held.get_mut(color).known() {
            self.tally.held += 1;
            known
        } else if let Some(bent) = self.bend(color) {
            self.tally.bent += 1;
            Verdict::CanMate(bent)
        } else {
            self.tally.searched += 1;
            let found = can_mate(&self.position, color, budget);
            self.anchor(&found);
            found
        };
        let held = self.held.get_mut(color);
        held.astray.clear();
        held.verdict.insert(found)
    }

    /// The line that was known, brought to the position of the game.
    fn bend(&mut self, color: Color) -> Option<CanMate> {
        if let Some(mate) = self.go_back(color) {
            return Some(mate);
        }
        let plan = self.held.get(color).plan()?;
        let found = stroll::along(&self.position, color, plan).map(Verdict::CanMate)?;
        self.anchor(&found);
        match found {
            Verdict::CanMate(mate) => Some(mate),
            Verdict::CannotMate(_) | Verdict::Unknown { .. } => None,
        }
    }

    /// First back to where the last line began, then along it.
    fn go_back(&mut self, color: Color) -> Option<CanMate> {
        let (from, mate) = self.held.get(color).anchor.as_ref()?;
        let count = self.past.len() - from;
        if count > self.steps.len().min(WAY_BACK) {
            return None;
        }
        if self.way.as_ref().is_none_or(|(known, _)| *known != count) {
            let steps = &self.steps[self.steps.len() - count..];
            self.way = Some((count, back::way(&self.position, steps, mate.of())));
        }
        let (_, way) = self.way.as_ref()?;
        CanMate::after(way.as_ref()?, mate)
    }

    /// From here on ways back lead here.
    fn anchor(&mut self, found: &Verdict) {
        if let Verdict::CanMate(mate) = found {
            self.held.get_mut(mate.winner()).anchor = Some((self.past.len(), mate.clone()));
        }
    }

    /// What is known about `color` in the position of the game, without looking for more.
    pub fn known(&self, color: Color) -> Option<&Verdict> {
        let held = self.held.get(color);
        held.verdict.as_ref().filter(|_| held.holds())
    }

    /// Whether neither side can mate: the position is dead and the game is over. `None`: not known. One player's mate is
    /// enough, so the one whose answer costs least is asked first, and mostly alone.
    pub fn is_dead(&mut self, budget: Budget) -> Option<bool> {
        let mut sides = [self.position.turn(), !self.position.turn()];
        sides.sort_by_key(|color| self.held.get(*color).distance());
        let mut dead = Some(true);
        for color in sides {
            match self.can_mate(color, budget).can_mate() {
                Some(true) => return Some(false),
                Some(false) => {}
                None => dead = None,
            }
        }
        dead
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
        if matches!(verdict, Verdict::CannotMate(_)) || self.past.last() == Some(&of) {
            self.anchor(&verdict);
            let held = self.held.get_mut(winner);
            held.astray.clear();
            held.verdict = Some(verdict);
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
        // A proof holds for good, and what is unknown is asked again: perhaps with more to spend.
        if let Some(Verdict::CanMate(mate)) = &mut self.verdict
            && !(self.astray.is_empty() && mate.play(played))
        {
            self.astray.push((played, mover));
        }
    }

    /// Whether the verdict is about the position of the game.
    fn holds(&self) -> bool {
        self.astray.is_empty() && matches!(self.verdict, Some(Verdict::CanMate(_) | Verdict::CannotMate(_)))
    }

    /// How far the game has gone from what is known.
    fn distance(&self) -> usize {
        match self.verdict {
            Some(Verdict::CanMate(_) | Verdict::CannotMate(_)) => self.astray.len(),
            Some(Verdict::Unknown { .. }) | None => usize::MAX,
        }
    }

    fn known(&mut self) -> Option<Verdict> {
        if self.holds() { self.verdict.take() } else { None }
    }

    /// What the line intended, with what was played since.
    fn plan(&self) -> Option<Plan> {
        let Some(Verdict::CanMate(mate)) = &self.verdict else { return None };
        let mut plan = Plan::of(mate.line(), self.astray.first()?.1);
        for (played, mover) in &self.astray {
            plan.note(*played, *mover);
        }
        Some(plan)
    }
}
