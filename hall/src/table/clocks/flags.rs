//! Flags that fall, as far as the clock tells.

use protocol::feed::{Proposal, Side};
use shakmaty::ByColor;

/// What is known of the flags, White's and Black's.
#[derive(Clone, Debug, Default)]
pub(crate) struct Flags {
    /// What the clock shows.
    down: ByColor<bool>,
    /// Those that fell in this game and nobody has ruled about.
    open: ByColor<Option<Fallen>>,
    /// Whose fell first, if that is known.
    first: Option<Side>,
    /// How many periods each player has left behind when time was up, all moves completed.
    in_time: ByColor<usize>,
}

/// A flag that has fallen.
#[derive(Clone, Debug)]
pub(crate) struct Fallen {
    pub(crate) period: usize,
    pub(crate) proposal: Proposal,
}

impl Flags {
    /// A new game: what the clock still shows of the last one says nothing.
    pub(crate) fn begin(&mut self) {
        *self = Flags { down: self.down, ..Flags::default() };
    }

    /// The clock shows these. Gives those it did not show before.
    pub(crate) fn hear(&mut self, down: ByColor<bool>) -> Vec<Side> {
        let before = std::mem::replace(&mut self.down, down);
        let has_fallen = |side: &Side| down[(*side).into()] && !before[(*side).into()];
        [Side::White, Side::Black].into_iter().filter(has_fallen).collect()
    }

    /// These have fallen in one reading. Of two the clock may know which was first, we do not.
    pub(crate) fn note_first(&mut self, fallen: &[Side]) {
        if self.first.is_none() {
            let nobody = self.open.iter().all(Option::is_none);
            self.first = if let ([only], true) = (fallen, nobody) { Some(*only) } else { None };
        }
    }

    /// What follows from a flag that fell. With all moves completed in time the player's next period begins.
    pub(crate) fn fall(&mut self, side: Side, fallen: Fallen, in_time: bool) {
        let known = self.open.get_mut(side.into()).replace(fallen).is_some();
        if in_time && !known {
            *self.in_time.get_mut(side.into()) += 1;
        }
    }

    /// What follows from it is something else.
    pub(crate) fn amend(&mut self, side: Side, proposal: &Proposal) {
        if let Some(fallen) = self.open.get_mut(side.into()) {
            fallen.proposal = proposal.clone();
        }
    }

    /// The arbiter has ruled.
    pub(crate) fn rule(&mut self) {
        self.open = ByColor::default();
        self.first = None;
    }

    /// Both have fallen, and nobody has ruled.
    pub(crate) fn both_open(&self) -> Option<ByColor<&Fallen>> {
        let ByColor { white, black } = self.open.as_ref();
        Some(ByColor { white: white.as_ref()?, black: black.as_ref()? })
    }

    /// Whose fell first, if that is known.
    pub(crate) fn first(&self) -> Option<Side> {
        self.first
    }

    /// How many periods a player has left behind when time was up.
    pub(crate) fn in_time(&self, side: Side) -> usize {
        self.in_time[side.into()]
    }
}
