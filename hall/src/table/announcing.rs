//! Blind play: a move is made only when it is announced too, so what is said is compared with what is played.

use laws::{
    Rule,
    blind::{Heard, Voice, hear},
};
use protocol::feed::{Alert, AlertKind, MismatchDetail, Side};
use shakmaty::{Chess, Position as _};

use super::{Table, Turn, finding, flags::place};

/// What a player announced last, and in which position.
#[derive(Clone, Debug)]
pub(super) struct Announced {
    /// After how many plies of the record the words were spoken or, if the move was seen already, were about.
    plies: usize,
    text: String,
}

impl Table {
    /// A player announces a move. Until the clock is pressed the last words count.
    pub(super) fn announce(&mut self, side: Side, text: &str) {
        let Some(game) = &self.game else { return };
        let plies = game.len();
        // A move that became final before it was spoken is the one meant, while its clock is not pressed.
        let plies = if game.mover_of(plies) == Some(side) && !game.is_completed(plies) { plies - 1 } else { plies };
        self.spoken.announced[place(side)] = Some(Announced { plies, text: text.to_owned() });
    }

    /// A ply is completed: it should have been announced.
    pub(super) fn compare_announced(&mut self, ply: usize, turn: &mut Turn) {
        let Some((before, played)) = self.game.as_ref().and_then(|game| game.move_at(ply)) else { return };
        let side = Side::from(before.turn());
        let announced = self.spoken.announced[place(side)].take_if(|announced| announced.plies < ply);
        let announced = announced.filter(|announced| announced.plies + 1 == ply);
        let detail = match announced.map(|announced| heard(before, &announced.text)) {
            // A sighted player's announcement is heard by nobody but the opponent, unless somebody enters it.
            None if !self.rules.blind.is(side) => return,
            None => MismatchDetail::Missing,
            Some(Heard::Move(said)) if said == played => return,
            Some(Heard::Move(_) | Heard::NoMove) => MismatchDetail::Different,
        };
        let note =
            finding::by(Rule::AnnouncementMismatch, AlertKind::AnnouncementMismatch, Some(side), self.conditions);
        turn.say(note.map(|note| Alert { detail: Some(detail), ..note }));
    }
}

/// What was said, in whichever voice the arbiter has allowed.
fn heard(position: &Chess, text: &str) -> Heard {
    let mut heard = Voice::all().map(|voice| hear(position, voice, text));
    heard.find(|heard| matches!(heard, Heard::Move(_))).unwrap_or(Heard::NoMove)
}
