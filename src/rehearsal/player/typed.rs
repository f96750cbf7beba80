//! What is typed while the board stands there, from the command to the deeds of a hand and the move they make.

use protocol::board::{Contents, WireSquare, dgt::Codes};
use shakmaty::{Chess, Color, Position};

use super::{
    super::{
        by_hand::{self, Scene},
        clock::Clock,
        deed::Deed,
        device::Input,
        record::{Ply, Record},
        script::{self, Command},
    },
    rehearsal::{Output, Rehearsal},
};

impl Rehearsal {
    pub(super) fn obey(&mut self, command: Command, now: u64, out: &mut Vec<Output>) {
        match command {
            Command::Turn => self.turn(now, out),
            Command::Say(bytes) => self.tell_device(Input::Raw(&bytes), now, out),
            Command::Unplug(for_ms) => {
                self.lose_link(for_ms, now, out);
                // The cable feeds the board.
                self.tell_device(Input::PowerUp, now, out);
                self.free_at = now + for_ms;
            }
            Command::Help => out.push(Output::Tell(script::HELP.to_owned())),
            Command::Reboot => self.tell_device(Input::PowerUp, now, out),
            Command::Quit => self.finish(out),
            Command::Press(_) if !self.setting.clock => {
                out.push(Output::Tell("there is no clock to press: start without --no-clock".to_owned()));
            }
            Command::Move(_) if !self.games.is_empty() => {
                out.push(Output::Tell(
                    "games are being played: move is for a board started without --games".to_owned(),
                ));
            }
            Command::Lift(_)
            | Command::Place(..)
            | Command::Press(_)
            | Command::Move(_)
            | Command::Knock(_)
            | Command::Restore
            | Command::Exchange(..)
            | Command::Go => self.plan_by_hand(&command, now, out),
        }
    }

    fn plan_by_hand(&mut self, command: &Command, now: u64, out: &mut Vec<Output>) {
        let position = self.records.last().map_or(Chess::default(), Record::position);
        let scene =
            Scene { board: &self.board, position: &position, to_press: self.to_press(&position), fallen: &self.fallen };
        match by_hand::deeds(command, &scene, now, &mut self.hands) {
            Ok(deeds) => self.by_hand.deeds = deeds.into(),
            Err(sentence) => return out.push(Output::Tell(sentence)),
        }
        if let Command::Knock(squares) = command {
            let men = squares.iter().filter_map(|square| self.board.piece_at(*square).map(|man| (*square, man)));
            self.fallen.extend(men);
        }
        if *command == Command::Restore {
            self.fallen.clear();
        }
    }

    /// The player whose end of the lever is up.
    fn to_press(&self, position: &Chess) -> Color {
        let high = self.device.clock().map(Clock::high);
        high.map_or(position.turn(), |high| Color::from_white(high == self.face(Color::White)))
    }

    pub(super) fn do_by_hand(&mut self, deed: Deed, now: u64, out: &mut Vec<Output>) {
        let free = self.games.is_empty();
        let begins = free && matches!(deed, Deed::Lift(_)) && self.records[0].plies.is_empty();
        if begins {
            self.tell_device(Input::StartClock, now, out);
        }
        self.carry_out(deed, now, out);
        // Without a clock a move is done when the hand is empty.
        let done = matches!(deed, Deed::Press(_)) || !self.setting.clock && self.by_hand.deeds.is_empty();
        if free && done {
            self.recognise(now);
        }
    }

    /// A press with the position of a legal move on the board completes that move.
    fn recognise(&mut self, now: u64) {
        let record = &mut self.records[0];
        let position = record.position();
        let made = position.legal_moves().into_iter().find(|mv| {
            let mut after = position.clone();
            after.play_unchecked(*mv);
            *after.board() == self.board
        });
        if let Some(mv) = made {
            record.plies.push(Ply { mv, landed: Some(now), pressed: Some(now) });
            record.outcome = record.position().outcome().known();
        }
    }

    /// The board is turned under the game: every square reads what the opposite one did.
    fn turn(&mut self, now: u64, out: &mut Vec<Output>) {
        self.lie = self.lie.turned();
        let codes = Codes::of(&Contents::of(&self.board, self.lie));
        for square in WireSquare::all() {
            self.tell_device(Input::Sensed { square, code: codes.get(square), copies: 1 }, now, out);
        }
        let turn = self.records.last().map_or(Color::White, |record| record.position().turn());
        self.set_clock(turn, now);
    }
}
