//! What an offence costs, apart from what has to be done about the position.

use protocol::feed::{Action, Proposal, ResultReason};

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
