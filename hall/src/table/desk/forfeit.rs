//! Losses that are draws if the opponent can't mate by any series of legal moves, and of which that may not be known.

use laws::{
    Edition,
    loss::{Cause, Loss},
};
use protocol::feed::{Alert, GameResult, MateSearch, Proposal, ResultReason, Side};
use shakmaty::{Chess, Color, Position as _};

use crate::{Course, Doubt, table::finding};

/// A player would lose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Forfeit {
    pub(crate) side: Side,
    pub(crate) cause: Cause,
    /// The ground of the loss.
    pub(crate) lost: ResultReason,
    /// The ground of the draw, if the opponent can't mate.
    pub(crate) drawn: ResultReason,
}

/// What is known of it, and what the arbiter is offered.
#[derive(Clone, Debug, Default)]
pub(crate) struct Prospect {
    pub(crate) can: Option<bool>,
    pub(crate) proposal: Proposal,
}

/// A forfeit of which it is being searched whether the opponent can mate.
#[derive(Clone, Debug)]
pub(crate) struct Pending {
    pub(crate) doubt: Doubt,
    /// The record it is about: if its position leaves the game, it is another question.
    pub(crate) record: Course,
    pub(crate) forfeit: Forfeit,
    pub(crate) proposed: Proposal,
    /// The arbiter was told. What nobody may act on without a claim is not told before it is made.
    pub(crate) told: bool,
}

impl Prospect {
    /// The facts for an alert.
    pub(crate) fn note(&self, note: Alert) -> Alert {
        Alert { opponent_can_mate: self.can, mate_search: self.proposal.mate_search, ..note }
    }
}

impl Forfeit {
    /// What the arbiter is offered in this position, if it is known whether the opponent `can` mate, and else with the
    /// word for why it is `unknown`.
    pub(crate) fn proposal(
        &self,
        edition: Edition,
        position: &Chess,
        can: Option<bool>,
        unknown: MateSearch,
    ) -> Proposal {
        let loser = Color::from(self.side);
        let won = GameResult::win(self.side.other());
        match self.cause.outcome(edition, position.board(), loser, can) {
            Loss::Lost => finding::proposed(won, self.lost),
            Loss::Open => Proposal { mate_search: Some(unknown), ..finding::proposed(won, self.lost) },
            Loss::Drawn => finding::proposed(GameResult::Draw, self.drawn),
        }
    }
}
