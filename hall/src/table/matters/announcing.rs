//! Blind play: a move is made only when it is announced too, so what is said is compared with what is played.

use laws::{
    Rule,
    blind::{Heard, Voice, hear},
};
use protocol::feed::{Alert, AlertKind, MismatchDetail, Side};
use shakmaty::{Chess, Move, Position as _};

use crate::{
    Ply, Refusal,
    hand::Order,
    table::{finding, record::Game, turn::Turn, whole::Table},
};

impl Table {
    /// A player announces a move. Until the clock is pressed the last words count.
    pub(crate) fn announce(&mut self, side: Side, text: &str) {
        let Some(game) = self.record.game() else { return };
        let last = game.ply();
        // A move that became final before it was spoken is the one meant, while its clock is not pressed.
        let unpressed = game.mover_of(last) == Some(side) && !game.is_completed(last);
        self.spoken.announce(side, if unpressed { last.back(1) } else { last }, text);
    }

    /// The same where nobody makes the move on a board: it is played with these words, and completed.
    pub(crate) fn play_announced(&mut self, side: Side, text: &str, turn: &mut Turn) -> Result<(), Refusal> {
        self.must_be_on()?;
        let Some(position) = self.record.game().map(Game::position) else { return Ok(()) };
        if Side::from(position.turn()) != side {
            return Err(Refusal::because("the other player has the move: announced is what a player plays"));
        }
        if !self.record.tail().is_empty() {
            let sentence = "a move of this player stands on the board already: leave out \"play\" to compare the words";
            return Err(Refusal::because(sentence));
        }
        let Heard::Move(played) = heard(position, text) else {
            let sentence = format!(
                "\"{text}\" is no legal move here, or names more than one: say the man and both squares, as in \
                 \"knight g1 f3\", or \"short castling\""
            );
            return Err(Refusal::because(sentence));
        };
        self.announce(side, text);
        self.order_hand([Order::Force(played)], turn);
        self.complete(side, turn.now(), turn);
        self.bring_up_to_date(turn);
        Ok(())
    }

    /// A ply is completed: it should have been announced.
    pub(crate) fn compare_announced(&mut self, ply: Ply, turn: &mut Turn) {
        let Some((before, played)) = self.record.game().and_then(|game| game.move_at(ply)) else { return };
        let side = Side::from(before.turn());
        let detail = match self.spoken.take_announced(side, ply).map(|text| heard(before, &text)) {
            // A sighted player's announcement is heard by nobody but the opponent, unless somebody enters it.
            None if !self.agreed.rules().blind.is(side) => return,
            None => MismatchDetail::Missing,
            Some(Heard::Move(said)) if said == played => return,
            Some(Heard::Move(said)) if !self.agreed.rules().blind.is(side) && is_slip(said, played) => {
                let (rule, kind) = (Rule::PromotionUnconfirmed, AlertKind::PromotionPieceUnconfirmed);
                let note = finding::by(rule, kind, Some(side), self.agreed.conditions());
                return turn.say(note.map(|note| Alert { evidence: Some(finding::on(played.to())), ..note }));
            }
            Some(Heard::Move(_) | Heard::NoMove) => MismatchDetail::Different,
        };
        let note = finding::by(
            Rule::AnnouncementMismatch,
            AlertKind::AnnouncementMismatch,
            Some(side),
            self.agreed.conditions(),
        );
        turn.say(note.map(|note| Alert { detail: Some(detail), ..note }));
    }
}

/// The same promotion, but for the piece. A sighted player who names another one than stands there has not moved otherwise.
fn is_slip(said: Move, played: Move) -> bool {
    let promotes = said.promotion().is_some() && played.promotion().is_some();
    promotes && said.from() == played.from() && said.to() == played.to()
}

/// What was said, in whichever voice the arbiter has allowed.
fn heard(position: &Chess, text: &str) -> Heard {
    let mut heard = Voice::all().map(|voice| hear(position, voice, text));
    heard.find(|heard| matches!(heard, Heard::Move(_))).unwrap_or(Heard::NoMove)
}
