//! The edges of a game: none yet, one that is on, one that has ended; and what may be the next.

use crate::Millis;

/// Which game there is.
#[derive(Clone, Debug)]
pub(super) struct Edges {
    game: Game,
    /// The kings have shown a result and stand there still.
    signalled: bool,
    /// When somebody set the record: what stands on the board beyond it was not played since.
    set_at: Millis,
    /// How many men have been put down since the board fits nothing, and not where a game begins.
    unfollowed: usize,
}

#[derive(Clone, Copy, Debug)]
enum Game {
    /// None has begun.
    None,
    On(Beginning),
    Ended {
        at: Millis,
        began: Beginning,
    },
}

/// How a game began.
#[derive(Clone, Copy, Debug, Default)]
struct Beginning {
    at: Millis,
    /// Where was read off the board, and nothing is final yet.
    assumed: bool,
    /// It was said from which position.
    announced: bool,
}

impl Edges {
    pub(super) fn new() -> Edges {
        Edges { game: Game::None, signalled: false, set_at: 0, unfollowed: 0 }
    }

    /// A game begins.
    pub(super) fn begin(&mut self, now: Millis) {
        self.game = Game::On(Beginning { at: now, assumed: false, announced: false });
        self.signalled = false;
    }

    /// The record is set.
    pub(super) fn set(&mut self, now: Millis) {
        self.set_at = now;
    }

    /// Where it begins was read off the board.
    pub(super) fn assume(&mut self) {
        if let Some(began) = self.began_mut() {
            began.assumed = true;
        }
    }

    /// It was said from which position it begins.
    pub(super) fn announce(&mut self) {
        if let Some(began) = self.began_mut() {
            began.announced = true;
        }
    }

    /// Nobody doubts where it began any more.
    pub(super) fn settle(&mut self) {
        if let Some(began) = self.began_mut() {
            began.assumed = false;
        }
    }

    /// The game is over.
    pub(super) fn end(&mut self, now: Millis) {
        self.game = Game::Ended { at: now, began: self.began().unwrap_or_default() };
    }

    /// It goes on after all.
    pub(super) fn resume(&mut self) {
        self.game = Game::On(self.began().unwrap_or_default());
    }

    /// The kings have shown a result.
    pub(super) fn signal(&mut self) {
        self.signalled = true;
    }

    /// They stand there still, or not.
    pub(super) fn keep_signal(&mut self, stand: bool) {
        self.signalled &= stand;
    }

    /// So many men were put down elsewhere; the board fits, or not.
    pub(super) fn note_landings(&mut self, men: usize, fits: bool) {
        self.unfollowed = if fits { 0 } else { self.unfollowed + men };
    }

    pub(super) fn is_on(&self) -> bool {
        matches!(self.game, Game::On(_))
    }

    pub(super) fn ended_at(&self) -> Option<Millis> {
        match self.game {
            Game::Ended { at, .. } => Some(at),
            Game::None | Game::On(_) => None,
        }
    }

    pub(super) fn set_at(&self) -> Millis {
        self.set_at
    }

    pub(super) fn began_at(&self) -> Millis {
        self.began().map_or(0, |began| began.at)
    }

    pub(super) fn is_assumed(&self) -> bool {
        self.began().is_some_and(|began| began.assumed)
    }

    pub(super) fn is_announced(&self) -> bool {
        self.began().is_some_and(|began| began.announced)
    }

    pub(super) fn is_signalled(&self) -> bool {
        self.signalled
    }

    pub(super) fn unfollowed(&self) -> usize {
        self.unfollowed
    }

    fn began(&self) -> Option<Beginning> {
        match self.game {
            Game::None => None,
            Game::On(began) | Game::Ended { began, .. } => Some(began),
        }
    }

    fn began_mut(&mut self) -> Option<&mut Beginning> {
        match &mut self.game {
            Game::None => None,
            Game::On(began) | Game::Ended { began, .. } => Some(began),
        }
    }
}
