//! Boards and clocks that come and go, and what the lever tells after a silence.

use laws::Edition;
use protocol::{
    board::{ClockSense, Link},
    feed::{AlertKind, Sight, State},
};
use shakmaty::{Color, Position as _};

use super::{Table, Turn, finding};
use crate::hand::{Order, Pressing, Sign};

impl Table {
    pub(super) fn link(&mut self, board: &str, link: Link, turn: &mut Turn) {
        let was_up = self.is_linked();
        match link {
            Link::Up => self.linked.insert(board.to_owned()),
            Link::Down => self.linked.remove(board),
        };
        let up = self.is_linked();
        if was_up && up {
            // One of two boards came or went.
            self.twin = None;
            return self.choose_board(turn);
        }
        self.follow_board(board);
        if up != was_up {
            turn.show(Sight::Link { board: board.to_owned(), state: link });
            if self.state == State::Playing {
                let kind = if up { AlertKind::LinkRestored } else { AlertKind::LinkLost };
                turn.say(finding::plain(kind));
            }
        }
        if !up {
            self.lose_lever();
        }
        self.tell_hand(&Sign::Link(up), turn);
        self.tell_presses(turn);
    }

    /// Whether what this board reports counts.
    pub(super) fn is_followed(&mut self, board: &str) -> bool {
        let other = self.board.as_ref().filter(|followed| *followed != board);
        if other.is_some_and(|followed| self.linked.contains(followed)) {
            return false;
        }
        self.follow_board(board);
        true
    }

    /// If the board that was followed is silent, the other one is from here on. One that comes back is followed again if
    /// the other one does not show the game.
    fn choose_board(&mut self, turn: &mut Turn) {
        let is_up = |board: &&String| self.linked.contains(*board);
        let next = match (self.board.as_ref().filter(is_up), self.board_before.as_ref().filter(is_up)) {
            (Some(_), Some(before)) if !self.hand.is_sure() => Some(before),
            (Some(_), _) => None,
            (None, _) => self.linked.first(),
        };
        if let Some(next) = next.cloned() {
            self.take_over(next, turn);
        }
    }

    /// This board counts from here on. What it stood for meanwhile is not known: that is a gap, which a dump ends.
    fn take_over(&mut self, board: String, turn: &mut Turn) {
        if let Some(lost) = self.board.clone().filter(|lost| !self.linked.contains(lost)) {
            turn.show(Sight::Link { board: lost, state: Link::Down });
            if self.state == State::Playing {
                turn.say(finding::plain(AlertKind::LinkLost));
            }
        }
        self.follow_board(&board);
        self.lose_lever();
        self.tell_hand(&Sign::Replaced, turn);
        self.tell_presses(turn);
        turn.show(Sight::Link { board: board.clone(), state: Link::Up });
        turn.ask_dump(board);
    }

    fn follow_board(&mut self, board: &str) {
        if self.board.as_deref() != Some(board) {
            self.board_before = self.board.replace(board.to_owned());
        }
    }

    /// What the clock showed before a silence says nothing about who has pressed since.
    pub(super) fn lose_lever(&mut self) {
        self.clock.lose();
        self.counting.forget();
        self.lever_unread = true;
    }

    /// After a silence, and when the clock starts, the lever tells whether the last ply was pressed meanwhile.
    pub(super) fn follow_lever(&mut self, turn: &mut Turn) {
        let Some(to_move) = self.clock.to_move(self.hand.lie()) else { return };
        if !self.lever_unread || !self.hand.is_sure() {
            return;
        }
        self.lever_unread = false;
        let Some(game) = &self.game else { return };
        let first = game.position().turn();
        let next = if self.tail.len().is_multiple_of(2) { first } else { !first };
        if !self.tail.is_empty() && to_move == next.into() {
            self.tell_hand(&Sign::Press(!next), turn);
        }
    }

    pub(super) fn hear_clock(&mut self, sense: &ClockSense, turn: &mut Turn) {
        let was_heard = self.clock.is_heard();
        let stood = self.clock.stands();
        let heard = self.clock.hear(sense, self.hand.lie(), self.counting.settings(), turn.now());
        if was_heard && !self.clock.is_heard() && matches!(self.state, State::Playing | State::AwaitingArbiter) {
            turn.say(finding::plain(AlertKind::ClockLost));
        }
        if heard.battery_low {
            turn.say(finding::plain(AlertKind::BatteryLow));
        }
        if let Some(sight) = heard.sight {
            turn.show(sight);
        }
        self.compare_clock(stood, turn.now());
        self.note_flags(turn);
        self.note_little_time(turn);
        if let Some(side) = heard.press {
            self.hear_press(side, turn);
        }
        // Who was first to press a clock that stood may not have been heard, and shows in the lever.
        self.lever_unread |= heard.started;
        if let Some(to_move) = self.clock.to_move(self.hand.lie()).filter(|_| heard.started) {
            self.order_hand([Order::ExpectTurn(to_move.into())], turn);
        }
        self.tell_pressing(turn);
        self.tell_presses(turn);
        self.follow_lever(turn);
    }

    /// While it is open what was played unheard, the clock tells how much that was.
    fn tell_presses(&mut self, turn: &mut Turn) {
        if self.hand.counts_presses() {
            let presses = self.clock.presses(self.hand.lie(), self.counting.settings());
            self.tell_hand(&Sign::Unheard(presses), turn);
        }
    }

    pub(super) fn tell_pressing(&mut self, turn: &mut Turn) {
        let to_move = self.game.as_ref().map_or(Color::White, |game| game.position().turn());
        let pressing = match self.clock.pressing(self.hand.lie(), to_move.into()) {
            Pressing::Awaited if self.conditions.edition() == Edition::E1993 => Pressing::Needless,
            pressing @ (Pressing::Awaited | Pressing::Needless | Pressing::Stopped | Pressing::Impossible) => pressing,
        };
        self.tell_hand(&Sign::Pressing(pressing), turn);
    }
}
