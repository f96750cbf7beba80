//! Orders for one table: the arbiter's and the operator's.

use std::collections::BTreeMap;

use protocol::feed::{Command, Correction, Entry, GameResult, ResultReason, Rules, State, Variant};
use shakmaty::Chess;

use super::{
    Said, Table,
    game::{self, Game},
    say_entry,
};
use crate::{Millis, Refusal, hand::Sign};

impl Table {
    /// Carries out an order for this table, or says why not. What is said about a game that is on is noted first.
    pub fn order(&mut self, command: &Command, now: Millis, out: &mut Vec<Said>) -> Result<(), Refusal> {
        let noted = out.len();
        if is_ruling(command) {
            if self.game.is_none() {
                return Err(Refusal::because("no game has begun at this table: put the men on their squares first"));
            }
            self.note(command, now, out);
        }
        let done = self.carry_out(command, now, out);
        if done.is_err() {
            // What was refused was not said.
            out.truncate(noted);
        } else {
            self.ask_aside(now, out);
        }
        done
    }

    fn carry_out(&mut self, command: &Command, now: Millis, out: &mut Vec<Said>) -> Result<(), Refusal> {
        match command {
            Command::NewGame { fen, variant } => self.new_game(fen.as_deref(), *variant, now, out)?,
            Command::Undo { plies } => self.undo(*plies, Correction::Arbiter, now, out)?,
            Command::SetPosition { fen } => self.set_position(fen, now, out)?,
            Command::SetTurn { side } => self.set_turn(*side, now, out)?,
            Command::Insert { ply, moves, cut } => self.insert(*ply, moves, *cut, now, out)?,
            Command::Replace { ply, played, cut } => self.replace(*ply, played, *cut, now, out)?,
            Command::Choose { alternative } => self.choose(*alternative, now, out)?,
            Command::TurnBoard => self.turn_board(now, out)?,
            Command::Result { result } => self.give_result(*result, now, out)?,
            Command::Rules { rules } => self.change_rules(command, rules, now, out)?,
            Command::Start => self.start(now, out)?,
            Command::Stop => self.stop(now, out),
            Command::Resume => self.go_on(now, out)?,
            Command::Restore { to } => self.restore(*to, now, out)?,
            Command::Confirm => self.confirm(now, out)?,
            Command::Reject => self.reject(now, out)?,
            Command::Penalty { side, penalty, .. } => self.penalise(*side, *penalty, now, out),
            Command::AdjustTimes { white_ms, black_ms } => self.adjust_times(*white_ms, *black_ms, now, out),
            Command::IllegalMoves { white, black } => self.offences = [*white, *black],
            Command::Claim { side, claim, intended } => self.claim(*side, *claim, intended.as_deref(), now, out)?,
            Command::DrawOffer { side } => self.offer_draw(*side, now, out)?,
            Command::DrawAccept { side } => self.accept_draw(*side, now, out)?,
            Command::DrawDecline { side } => self.decline_draw(*side, now)?,
            Command::Resign { side } => self.resign(*side, now, out)?,
            Command::AdjustAnnounced { side } => self.tell_hand(&Sign::Adjusting((*side).into()), now, out),
            Command::Announce { side, text } => self.announce(*side, text),
            Command::Adjourn => self.adjourn(now, out)?,
            Command::OpenSealed { text } => self.open_sealed(text, now, out)?,
            Command::Report { kind, side } => self.report(*kind, *side, now, out)?,
            Command::OpenRound { .. } | Command::Pair { .. } | Command::Assign { .. } => {
                return Err(Refusal::because("this order is for the hall, not for a table"));
            }
        }
        Ok(())
    }

    fn new_game(
        &mut self,
        fen: Option<&str>,
        variant: Variant,
        now: Millis,
        out: &mut Vec<Said>,
    ) -> Result<(), Refusal> {
        let initial = game::fen(&Chess::default());
        let game = Game::read(self.next_number(), fen.unwrap_or(&initial), variant, &[], &BTreeMap::new())?;
        self.begin(game, self.hand.lie(), now, out);
        self.hand.announce();
        Ok(())
    }

    fn change_rules(
        &mut self,
        command: &Command,
        rules: &Rules,
        now: Millis,
        out: &mut Vec<Said>,
    ) -> Result<(), Refusal> {
        self.play_by(rules, now, out)?;
        self.note(command, now, out);
        Ok(())
    }

    pub(super) fn give_result(&mut self, result: GameResult, now: Millis, out: &mut Vec<Said>) -> Result<(), Refusal> {
        if self.game.is_none() {
            return Err(Refusal::because("no game has begun at this table: nothing to give a result to"));
        }
        if result != GameResult::Open {
            self.finish(result, ResultReason::Arbiter, now, out);
            return Ok(());
        }
        if let Some(game) = &mut self.game {
            game.result = GameResult::Open;
        }
        self.overrule();
        say_entry(out, now, Entry::Result { result, reason: ResultReason::Arbiter });
        self.enter(State::Playing, now, out);
        let mut deeds = Vec::new();
        self.hand.resume(now, &mut deeds);
        self.follow(deeds, now, out);
        Ok(())
    }

    pub(super) fn undo(
        &mut self,
        plies: usize,
        reason: Correction,
        now: Millis,
        out: &mut Vec<Said>,
    ) -> Result<(), Refusal> {
        self.take_back(plies, reason, false, now, out)
    }

    /// Takes moves out of the record. The board shows the position already, or it has to be set up: `restoring`.
    pub(super) fn take_back(
        &mut self,
        plies: usize,
        reason: Correction,
        restoring: bool,
        now: Millis,
        out: &mut Vec<Said>,
    ) -> Result<(), Refusal> {
        let Some(game) = &mut self.game else {
            return Err(Refusal::because("no game has begun at this table: nothing to take back"));
        };
        if game.len() == 0 {
            return Err(Refusal::because("the record has no moves yet: nothing to take back"));
        }
        if plies == 0 || plies > game.len() {
            return Err(Refusal::because(format!("the record has {} moves: take back 1 to {0} of them", game.len())));
        }
        let old = game.take_back(plies);
        let from_ply = game.len() + 1;
        let (position, earlier) = (game.position().clone(), game.earlier());
        say_entry(out, now, Entry::Corrected { from_ply, old, new: Vec::new(), reason });
        let kept = game.len();
        self.choice.take_if(|choice| choice.before > kept);
        self.shown = None;
        let mut deeds = Vec::new();
        if restoring {
            self.hand.restore(position, earlier, now, &mut deeds);
        } else {
            self.hand.correct(position, earlier, now, &mut deeds);
        }
        self.tail.clear();
        self.follow(deeds, now, out);
        self.show(now, out);
        Ok(())
    }

    pub(super) fn turn_board(&mut self, now: Millis, out: &mut Vec<Said>) -> Result<(), Refusal> {
        let Some(game) = &self.game else {
            return Err(Refusal::because("no game has begun at this table: put the men on their squares first"));
        };
        let lie = self.hand.lie().turned();
        let (position, earlier, mode) = (game.position().clone(), game.earlier(), game.mode);
        // White's clock is the other one from here on.
        self.counting.forget();
        let mut deeds = Vec::new();
        self.hand.begin(position.clone(), mode, lie, now, &mut deeds);
        self.hand.correct(position, earlier, now, &mut deeds);
        self.follow(deeds, now, out);
        Ok(())
    }
}

/// What is said about a game that is on, by the arbiter or by a player; the rest mends the record or what it rests on.
fn is_ruling(command: &Command) -> bool {
    !matches!(
        command,
        Command::OpenRound { .. }
            | Command::Pair { .. }
            | Command::Assign { .. }
            | Command::NewGame { .. }
            | Command::Undo { .. }
            | Command::SetPosition { .. }
            | Command::SetTurn { .. }
            | Command::Insert { .. }
            | Command::Replace { .. }
            | Command::Choose { .. }
            | Command::TurnBoard
            | Command::Result { .. }
            | Command::Rules { .. }
    )
}
