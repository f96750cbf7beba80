//! Orders for one table: the arbiter's and the operator's.

use std::collections::BTreeMap;

use protocol::feed::{Command, Correction, Entry, GameResult, ResultReason, Rules, State, Variant};
use shakmaty::Chess;

use super::{
    Table, Turn,
    game::{self, Game},
};
use crate::{
    Refusal,
    hand::{Order, Sign},
};

impl Table {
    /// What is said about a game that is on is noted before it is carried out.
    pub(super) fn obey(&mut self, command: &Command, turn: &mut Turn) -> Result<(), Refusal> {
        let noted = turn.mark();
        if is_ruling(command) {
            if self.game.is_none() {
                return Err(Refusal::because("no game has begun at this table: put the men on their squares first"));
            }
            self.note(command, turn);
        }
        let done = self.carry_out(command, turn);
        if done.is_err() {
            // What was refused was not said.
            turn.take_back(noted);
        }
        done
    }

    fn carry_out(&mut self, command: &Command, turn: &mut Turn) -> Result<(), Refusal> {
        match command {
            Command::NewGame { fen, variant } => self.new_game(fen.as_deref(), *variant, turn)?,
            Command::Undo { plies } => self.undo(*plies, Correction::Arbiter, turn)?,
            Command::SetPosition { fen } => self.set_position(fen, turn)?,
            Command::SetTurn { side } => self.set_turn(*side, turn)?,
            Command::Insert { ply, moves, cut } => self.insert(*ply, moves, *cut, turn)?,
            Command::Replace { ply, played, cut } => self.replace(*ply, played, *cut, turn)?,
            Command::Choose { alternative } => self.choose(*alternative, turn)?,
            Command::TurnBoard => self.turn_board(turn)?,
            Command::Result { result } => self.give_result(*result, turn)?,
            Command::Rules { rules } => self.change_rules(command, rules, turn)?,
            Command::Start => self.start(turn)?,
            Command::Stop => self.stop(turn),
            Command::Resume => self.go_on(turn)?,
            Command::Restore { to } => self.restore(*to, turn)?,
            Command::Confirm => self.confirm(turn)?,
            Command::Reject => self.reject(turn)?,
            Command::Penalty { side, penalty, .. } => self.penalise(*side, *penalty, turn),
            Command::AdjustTimes { white_ms, black_ms } => self.adjust_times(*white_ms, *black_ms, turn),
            Command::IllegalMoves { white, black } => self.offences = [*white, *black],
            Command::Claim { side, claim, intended } => self.claim(*side, *claim, intended.as_deref(), turn)?,
            Command::DrawOffer { side } => self.offer_draw(*side, turn)?,
            Command::DrawAccept { side } => self.accept_draw(*side, turn)?,
            Command::DrawDecline { side } => self.decline_draw(*side, turn.now())?,
            Command::Resign { side } => self.resign(*side, turn)?,
            Command::AdjustAnnounced { side } => self.tell_hand(&Sign::Adjusting((*side).into()), turn),
            Command::Announce { side, text } => self.announce(*side, text),
            Command::Adjourn => self.adjourn(turn)?,
            Command::OpenSealed { text } => self.open_sealed(text, turn)?,
            Command::Report { kind, side } => self.report(*kind, *side, turn)?,
            Command::OpenRound { .. } | Command::Pair { .. } | Command::Assign { .. } => {
                return Err(Refusal::because("this order is for the hall, not for a table"));
            }
        }
        Ok(())
    }

    fn new_game(&mut self, fen: Option<&str>, variant: Variant, turn: &mut Turn) -> Result<(), Refusal> {
        let initial = game::fen(&Chess::default());
        let game = Game::read(self.next_number(), fen.unwrap_or(&initial), variant, &[], &BTreeMap::new())?;
        self.begin(game, self.hand.lie(), turn);
        self.order_hand([Order::Announce], turn);
        Ok(())
    }

    fn change_rules(&mut self, command: &Command, rules: &Rules, turn: &mut Turn) -> Result<(), Refusal> {
        self.play_by(rules, turn)?;
        self.note(command, turn);
        Ok(())
    }

    pub(super) fn give_result(&mut self, result: GameResult, turn: &mut Turn) -> Result<(), Refusal> {
        if self.game.is_none() {
            return Err(Refusal::because("no game has begun at this table: nothing to give a result to"));
        }
        if result != GameResult::Open {
            self.finish(result, ResultReason::Arbiter, turn);
            return Ok(());
        }
        if let Some(game) = &mut self.game {
            game.result = GameResult::Open;
        }
        self.overrule();
        turn.entry(Entry::Result { result, reason: ResultReason::Arbiter });
        self.enter(State::Playing, turn);
        self.order_hand([Order::Resume], turn);
        Ok(())
    }

    pub(super) fn undo(&mut self, plies: usize, reason: Correction, turn: &mut Turn) -> Result<(), Refusal> {
        self.take_back(plies, reason, false, turn)
    }

    /// Takes moves out of the record. The board shows the position already, or it has to be set up: `restoring`.
    pub(super) fn take_back(
        &mut self,
        plies: usize,
        reason: Correction,
        restoring: bool,
        turn: &mut Turn,
    ) -> Result<(), Refusal> {
        let Some(game) = &self.game else {
            return Err(Refusal::because("no game has begun at this table: nothing to take back"));
        };
        if game.len() == 0 {
            return Err(Refusal::because("the record has no moves yet: nothing to take back"));
        }
        if plies == 0 || plies > game.len() {
            return Err(Refusal::because(format!("the record has {} moves: take back 1 to {0} of them", game.len())));
        }
        self.unplay(plies, reason, turn);
        let Some(game) = &self.game else { return Ok(()) };
        let (position, earlier) = (game.position().clone(), game.earlier());
        let order = if restoring { Order::Restore { position, earlier } } else { Order::Correct { position, earlier } };
        self.order_hand([order], turn);
        self.show(turn);
        Ok(())
    }

    /// The last moves leave the record.
    pub(super) fn unplay(&mut self, plies: usize, reason: Correction, turn: &mut Turn) {
        let Some(game) = &mut self.game else { return };
        let old = game.take_back(plies);
        let kept = game.len();
        turn.entry(Entry::Corrected { from_ply: kept + 1, old, new: Vec::new(), reason });
        self.choice.take_if(|choice| choice.before > kept);
        self.shown = None;
        self.tail.clear();
    }

    pub(super) fn turn_board(&mut self, turn: &mut Turn) -> Result<(), Refusal> {
        let Some(game) = &self.game else {
            return Err(Refusal::because("no game has begun at this table: put the men on their squares first"));
        };
        let lie = self.hand.lie().turned();
        let (position, earlier, mode) = (game.position().clone(), game.earlier(), game.mode);
        // White's clock is the other one from here on.
        self.counting.forget();
        let begin = Order::Begin { position: position.clone(), mode, lie };
        self.order_hand([begin, Order::Correct { position, earlier }], turn);
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
