//! Adjournment: the game stands still with a move in an envelope, and goes on when it is opened.

use laws::{
    Rule,
    adjourn::Sealed,
    loss::Cause,
    notation::{Language, Reading, read},
};
use protocol::feed::{AlertKind, Because, Clocks, Command, ResultReason, Side};
use shakmaty::{Chess, Position as _};

use crate::{
    Refusal,
    hand::Order,
    table::{
        desk::{Awaiting, Forfeit},
        finding,
        turn::Turn,
        whole::Table,
    },
};

impl Table {
    /// The game is adjourned. Position, times, counters and offers stay as they are; who has the move has sealed one.
    /// Said once more it keeps the times it had: the clock may be set for another game by then.
    pub(crate) fn adjourn(&mut self, given: Option<Clocks>, turn: &mut Turn) -> Result<(), Refusal> {
        self.must_be_on()?;
        let kept = given.or(self.spoken.sealed_times(self.record.ply()));
        let runs = kept.is_none() && self.clocks.clock.up().is_some();
        self.stand_still(kept.or(self.clocks.times(self.hand.lie())), runs, turn);
        Ok(())
    }

    /// Who seals stops the clock after that (Guidelines I.1): it is what both clocks show then that is kept.
    pub(crate) fn keep_sealed_times(&mut self, turn: &mut Turn) {
        if self.spoken.is_sealing(self.record.ply()) {
            self.put_away(self.clocks.times(self.hand.lie()), false, turn);
        }
    }

    /// Nobody plays on before the envelope is opened.
    pub(crate) fn stand_still(&mut self, times: Option<Clocks>, runs: bool, turn: &mut Turn) {
        self.put_away(times, runs, turn);
        self.order_hand([Order::StandStill], turn);
        self.call_arbiter(Awaiting::Decision, turn);
    }

    fn put_away(&mut self, times: Option<Clocks>, runs: bool, turn: &mut Turn) {
        self.spoken.adjourn(self.record.ply(), times, runs);
        self.note(&Command::Adjourn { clocks_ms: times }, turn);
    }

    /// What both clocks showed when the game that is on was adjourned, as far as that is known; none where it is not.
    pub(crate) fn adjourned(&self) -> Option<Option<Clocks>> {
        let ply = self.record.ply();
        self.spoken.has_envelope(ply).then(|| self.spoken.sealed_times(ply))
    }

    /// The envelope is opened: what is written in it is played, or, if no legal move can be made out, decides the game.
    pub(crate) fn open_sealed(&mut self, text: &str, turn: &mut Turn) -> Result<(), Refusal> {
        let Some(game) = self.record.game() else { return Ok(()) };
        if !self.spoken.has_envelope(game.ply()) {
            let refusal = Refusal::because("this game is not adjourned: there is no envelope to open");
            return Err(refusal.known_as(Because::NotAdjourned));
        }
        let position = game.position();
        // A game that is kept by hand has no board to be set up.
        let differing = self.hand.difference(position.board());
        if self.boards.is_linked() && !differing.is_empty() {
            let squares = finding::names(differing);
            let sentence = format!("the board shows another position ({}): set it up first", squares.join(", "));
            return Err(Refusal::because(sentence).known_as(Because::BoardDiffers { squares }));
        }
        self.spoken.open_envelope();
        let sealer = position.turn();
        let found = Sealed::judge(position, language_of(position, text), text);
        if let Sealed::LegalUnique(played) = found {
            self.go_on(turn)?;
            self.order_hand([Order::Force(played)], turn);
            self.bring_up_to_date(turn);
            return Ok(());
        }
        let (side, ground) = (Side::from(sealer), ResultReason::SealedMove);
        let judged = self.judge(Forfeit { side, cause: Cause::SealedMove, lost: ground, drawn: ground }, &[], true);
        let note = finding::by(Rule::SealedMove, AlertKind::SealedMoveInvalid, Some(side), self.agreed.conditions());
        turn.say(note.map(|note| judged.note(note)));
        self.propose(judged.proposal, Awaiting::Decision, turn);
        Ok(())
    }
}

/// The language of the player's score: English, unless only another one makes a move of it.
fn language_of(position: &Chess, text: &str) -> Language {
    let is_move = |language: &Language| !matches!(read(position, *language, text), Reading::Illegal | Reading::Unclear);
    [Language::English].into_iter().chain(Language::ALL).find(is_move).unwrap_or_default()
}
