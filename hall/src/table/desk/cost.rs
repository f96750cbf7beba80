//! What an offence costs, apart from what has to be done about the position.

use protocol::feed::{Action, Proposal, ResultReason, Seconds};

use crate::table::finding;

/// What is left of an offer once the players have put the position right. A result is the arbiter's to decide all the same.
pub(super) fn left_of(offer: &Proposal) -> Option<Proposal> {
    let Some(action) = offer.action else { return Some(offer.clone()) };
    match action {
        // The clocks have run on since: the time is added to what they show.
        Action::RestoreAndPenalise | Action::ReplaceByQueenAndPenalise | Action::Penalise => {
            let bonus = offer.bonus_s.filter(|bonus| *bonus != Seconds::default())?;
            Some(Proposal { bonus_s: Some(bonus), ..finding::doing(Action::Penalise) })
        }
        Action::Restore | Action::RookFirst | Action::RookFirst1993 | Action::Continue => None,
        Action::PenaliseWrongClaim
        | Action::ContinueUnlessArbiterRules
        | Action::NewGame
        | Action::NewGameCorrectColours
        | Action::CorrectPosition
        | Action::TransferPosition => Some(offer.clone()),
    }
}

/// It is about a move that was not legal: what it costs, or the game it loses.
pub(super) fn is_of_illegal_move(offer: &Proposal) -> bool {
    matches!(offer.action, Some(Action::RestoreAndPenalise | Action::Restore))
        || matches!(
            offer.reason,
            Some(
                ResultReason::IllegalMoveBlitzLimited
                    | ResultReason::IllegalMoveRapidLimited
                    | ResultReason::SecondIllegalMove
                    | ResultReason::ThirdIllegalMove
            )
        )
}
