//! What the loop hears: from ports, from speakers, and of what was searched.

use std::sync::Arc;

use hall::{Ask, Input};
use protocol::{
    board::Observation,
    feed::{Command, Order},
};

use super::{day::round_of_the_day, running::Run, turn::Turn};
use crate::{
    journal::today,
    prover::Searched,
    screens::Giver,
    sensors::{Sensed, What},
    voice::{self, Pressed},
};

impl Run {
    pub(super) fn hear(&mut self, sensed: Sensed, turn: &mut Turn) {
        let Sensed { port, at, what } = sensed;
        match what {
            What::Board(identity) => self.cables.find(&port, &identity),
            What::Observed(observation) => {
                let now = self.time.not_before(self.time.at(at));
                if let Some(board) = self.cables.hear(&port, &observation, now) {
                    self.counts.observations += 1;
                    self.observe(board, observation, now, turn);
                }
            }
            What::Awaited => {
                let sentence = "port is not there: plug the board in and look at the cable; it is found by itself";
                self.cables.note_trouble(&port, sentence.to_owned());
            }
            What::Refused(error) => self.cables.note_trouble(&port, format!("{error}: {}", error.hint())),
            What::NoBoard => {
                self.cables.note_trouble(&port, "no chess board answers here; asking again".to_owned());
            }
            What::Lost(error) => {
                tracing::info!(%port, "{error}");
                self.counts.losses += 1;
                self.hear_quiet(&port);
            }
            What::TooLoud => self.hear_too_much(&port),
            What::QuietAgain => {
                tracing::info!(%port, "port is quiet again");
                self.hear_quiet(&port);
            }
            What::Corrected(squares) => {
                tracing::warn!(%port, ?squares, "updates were lost; the board's dump counts");
                self.cables.lose(&port, squares.len());
            }
            What::Noise(skipped) => tracing::debug!(%port, skipped, "noise"),
            What::Invalid(flaw) => {
                tracing::warn!(%port, "a message was not believed: {flaw}");
                self.cables.disbelieve(&port);
            }
            What::Opened { low_latency } => {
                tracing::debug!(%port, low_latency, "port opened");
                self.cables.forget_trouble(&port);
            }
            What::Received(_) | What::Sent(_) => {}
        }
    }

    /// What it said is thrown away from here on, so all that is left to do is to say so.
    fn hear_too_much(&mut self, port: &Arc<str>) {
        let board = self.cables.note_flood(port);
        self.alarm.note_loud(port, board);
        self.counts.floods += 1;
        self.outlets.notice(self.alarm.notice());
    }

    fn hear_quiet(&mut self, port: &Arc<str>) {
        self.cables.forget_trouble(port);
        if self.alarm.note_quiet(port) {
            self.outlets.notice(self.alarm.notice());
        }
    }

    pub(super) fn observe(&mut self, board: String, observation: Observation, now: u64, turn: &mut Turn) {
        self.seat(&board, now, turn);
        let Some(table) = self.hall.table_of(&board).cloned() else { return };
        let Some(observation) = self.archive.keep_heard(&table, &board, observation) else { return };
        let input = Input::Observed { table, board: board.clone(), observation };
        turn.take(&mut self.hall, input, now).expect("only orders are refused");
        // The game it stayed for may be over by this.
        self.seat(&board, now, turn);
    }

    /// Gives a board its table in the open round, if it has none there and no game is on under it.
    pub(super) fn seat(&mut self, board: &str, now: u64, turn: &mut Turn) {
        if self.hall.table_of(board).is_none() && self.hall.open_round().is_none() {
            let order = round_of_the_day(&today());
            self.take_order(order, now, turn).expect("a day is a good name");
        }
        let Some(order) = self.hall.seat(board) else { return };
        if let Some(table) = order.table() {
            tracing::info!(board, %table, "board assigned");
        }
        self.take_order(order, now, turn).expect("the hall offered this seat itself");
    }

    /// A speaker reports.
    pub(super) fn hear_voice(&mut self, heard: voice::Heard, turn: &mut Turn) {
        if let Some(input) = self.outlets.hear_voice(heard) {
            let now = self.time.stamp();
            turn.take(&mut self.hall, input, now).expect("only orders are refused");
        }
    }

    /// A keypad reports. Its player asks as anybody asks for the player, and hears it where that is refused.
    pub(super) fn hear_keypad(&mut self, pressed: Pressed, turn: &mut Turn) {
        match pressed {
            Pressed::Stands(player, trouble) => {
                if let Some(trouble) = &trouble {
                    tracing::warn!(table = %player.table, side = ?player.side, "{trouble}");
                }
                self.outlets.note_keypad(&player, trouble);
            }
            Pressed::Asked(player, request) => {
                let command = Command::Ask { side: player.side, request };
                let order = Order::to_table(player.table.clone(), command);
                let now = self.time.stamp();
                if self.carry_out(order, Giver::keypad(), now, turn).is_err() {
                    self.outlets.refuse(player);
                }
            }
        }
    }

    /// What a search has come to. The game may have gone on meanwhile, so that nobody asks any more.
    pub(super) fn take_found(&mut self, (table, answer): Searched, turn: &mut Turn) {
        let now = self.time.stamp();
        if let Err(refusal) = turn.take(&mut self.hall, Input::Searched { table: table.clone(), answer }, now) {
            tracing::debug!(%table, "an answer was not used: {refusal}");
        }
    }

    /// Asks boards and the prover what the tables want to know.
    pub(super) fn ask(&self, turn: &mut Turn) {
        for ask in turn.take_asks() {
            match ask {
                Ask::Dump { board } => self.cables.ask(&board),
                Ask::Proof { table, doubts } => self.prover.ask(&table, doubts),
            }
        }
    }
}
