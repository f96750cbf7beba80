//! What the making of a move suggests: evidence for the arbiter, never a decision.

use laws::{Rule, touch::Suspicion};
use protocol::feed::{Alert, AlertKind, Evidence, Side, Sight, TouchKind};
use shakmaty::{Piece, Position as _, Square};

use crate::{
    Millis,
    hand::Finished,
    table::{desk::Awaiting, finding, turn::Turn, whole::Table},
};

impl Table {
    pub(crate) fn note_touch(
        &mut self,
        piece: Piece,
        square: Square,
        held_ms: Millis,
        kind: TouchKind,
        turn: &mut Turn,
    ) {
        let side = piece.color.into();
        let touch = Sight::Touch { side, sq: square.to_string(), piece: piece.char().to_string(), held_ms, kind };
        turn.show(touch);
    }

    /// The last move was final because its man rested, and the man has gone on all the same: it had been released.
    pub(crate) fn note_went_on(&mut self, dwelt: Millis, turn: &mut Turn) {
        let awaited = self.hand.awaits_press();
        let Some(game) = self.record.game_mut().filter(|_| !awaited) else { return };
        let last = game.ply();
        if game.made_mut(last).is_none_or(|made| made.pressed.is_some()) {
            return;
        }
        let Some((before, played)) = game.move_at(last) else { return };
        let (side, first) = (Side::from(before.turn()), played.to().to_string());
        if self.is_assisted(side) {
            return;
        }
        let note =
            finding::by(Rule::ReleasedPiece, AlertKind::ReleasedPieceMoved, Some(side), self.agreed.conditions());
        let evidence = Some(Evidence { first: Some(first), dwell_ms: Some(dwelt), ..Evidence::default() });
        turn.say(note.map(|note| Alert { evidence, ..note }));
    }

    /// What the making of a move suggests: evidence for the arbiter, never a decision. True if it is in question whether
    /// the move may stand.
    pub(crate) fn note_suspicions(&mut self, finished: &Finished, side: Side, turn: &mut Turn) -> bool {
        let conditions = self.agreed.conditions();
        let found = |rule, kind| finding::by(rule, kind, Some(side), conditions);
        if finished.assumed {
            let note = found(Rule::PromotionUnconfirmed, AlertKind::PromotionPieceUnconfirmed);
            turn.say(note.map(|note| Alert { evidence: Some(finding::on(finished.played.to())), ..note }));
        }
        if self.is_assisted(side) {
            return false;
        }
        if let Some(suspicion) = finished.touch {
            turn.say(finding::touch(suspicion, side, conditions, self.feels_pegs()));
            if let Suspicion::RookFirst(rook) = suspicion {
                self.propose(finding::rook_first(rook, conditions), Awaiting::Board, turn);
            }
        }
        if let Some((first, dwell)) = finished.released {
            let evidence = Evidence { first: Some(first.to_string()), dwell_ms: Some(dwell), ..Evidence::default() };
            let note = found(Rule::ReleasedPiece, AlertKind::ReleasedPieceMoved);
            turn.say(note.map(|note| Alert { evidence: Some(evidence), ..note }));
        }
        if let Some((square, role, dwell)) = finished.exchanged {
            let note = found(Rule::PromotedExchanged, AlertKind::ReleasedPieceMoved);
            let expected = Some(role.of(side.into()).char().to_string());
            let evidence = Evidence { expected, dwell_ms: Some(dwell), ..finding::on(square) };
            turn.say(note.map(|note| Alert { evidence: Some(evidence), ..note }));
        }
        if let Some(square) = finished.duty {
            let note = found(Rule::CastlingDuty, AlertKind::CastlingDutySuspect);
            turn.say(note.map(|note| Alert { evidence: Some(finding::on(square)), ..note }));
        }
        if finished.two_hands {
            turn.say(found(Rule::TwoHands, AlertKind::TwoHandsSuspect));
        }
        if finished.unstepped {
            let note = found(Rule::PromotionProcedure, AlertKind::PromotionProcedure);
            turn.say(note.map(|note| Alert { evidence: Some(finding::on(finished.played.to())), ..note }));
        }
        let Finished { touch, released, exchanged, duty, .. } = finished;
        touch.is_some() || released.is_some() || exchanged.is_some() || duty.is_some()
    }
}
