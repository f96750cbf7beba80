//! Boards and clocks that come and go, and what the lever tells after a silence.

use laws::Edition;
use protocol::{
    board::{ClockSense, Link},
    feed::{AlertKind, Sight, State},
};
use shakmaty::{Color, Position as _};

use super::{Said, Say, Table, finding, say};
use crate::{
    Millis,
    hand::{Pressing, Sign},
};

impl Table {
    pub(super) fn link(&mut self, board: &str, link: Link, now: Millis, out: &mut Vec<Said>) {
        let was_up = self.is_linked();
        match link {
            Link::Up => self.linked.insert(board.to_owned()),
            Link::Down => self.linked.remove(board),
        };
        let up = self.is_linked();
        if was_up && up {
            // One of two boards came or went.
            self.twin = None;
            return self.choose_board(now, out);
        }
        self.follow_board(board);
        if up != was_up {
            out.push((now, Say::Sight(Sight::Link { board: board.to_owned(), state: link })));
            if self.state == State::Playing {
                let kind = if up { AlertKind::LinkRestored } else { AlertKind::LinkLost };
                say(out, now, finding::plain(kind));
            }
        }
        if !up {
            self.lose_lever();
        }
        self.tell_hand(&Sign::Link(up), now, out);
        self.tell_presses(now, out);
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
    fn choose_board(&mut self, now: Millis, out: &mut Vec<Said>) {
        let is_up = |board: &&String| self.linked.contains(*board);
        let next = match (self.board.as_ref().filter(is_up), self.board_before.as_ref().filter(is_up)) {
            (Some(_), Some(before)) if !self.hand.is_sure() => Some(before),
            (Some(_), _) => None,
            (None, _) => self.linked.first(),
        };
        if let Some(next) = next.cloned() {
            self.take_over(next, now, out);
        }
    }

    /// This board counts from here on. What it stood for meanwhile is not known: that is a gap, which a dump ends.
    fn take_over(&mut self, board: String, now: Millis, out: &mut Vec<Said>) {
        if let Some(lost) = self.board.clone().filter(|lost| !self.linked.contains(lost)) {
            out.push((now, Say::Sight(Sight::Link { board: lost, state: Link::Down })));
            if self.state == State::Playing {
                say(out, now, finding::plain(AlertKind::LinkLost));
            }
        }
        self.follow_board(&board);
        self.lose_lever();
        self.tell_hand(&Sign::Replaced, now, out);
        self.tell_presses(now, out);
        out.push((now, Say::Sight(Sight::Link { board: board.clone(), state: Link::Up })));
        out.push((now, Say::AskDump(board)));
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
    pub(super) fn follow_lever(&mut self, now: Millis, out: &mut Vec<Said>) {
        let Some(to_move) = self.clock.to_move(self.hand.lie()) else { return };
        if !self.lever_unread || !self.hand.is_sure() {
            return;
        }
        self.lever_unread = false;
        let Some(game) = &self.game else { return };
        let turn = game.position().turn();
        let next = if self.tail.len().is_multiple_of(2) { turn } else { !turn };
        if !self.tail.is_empty() && to_move == next.into() {
            self.tell_hand(&Sign::Press(!next), now, out);
        }
    }

    pub(super) fn hear_clock(&mut self, sense: &ClockSense, now: Millis, out: &mut Vec<Said>) {
        let was_heard = self.clock.is_heard();
        let stood = self.clock.stands();
        let heard = self.clock.hear(sense, self.hand.lie(), now);
        if was_heard && !self.clock.is_heard() && matches!(self.state, State::Playing | State::AwaitingArbiter) {
            say(out, now, finding::plain(AlertKind::ClockLost));
        }
        if heard.battery_low {
            say(out, now, finding::plain(AlertKind::BatteryLow));
        }
        if let Some(sight) = heard.sight {
            out.push((now, Say::Sight(sight)));
        }
        self.compare_clock(stood, now);
        self.note_flags(now, out);
        self.note_little_time(now, out);
        if let Some(side) = heard.press {
            self.hear_press(side, now, out);
        }
        // Who was first to press a clock that stood may not have been heard, and shows in the lever.
        self.lever_unread |= heard.started;
        if let Some(turn) = self.clock.to_move(self.hand.lie()).filter(|_| heard.started) {
            let mut deeds = Vec::new();
            self.hand.expect_turn(turn.into(), now, &mut deeds);
            self.follow(deeds, now, out);
        }
        self.tell_pressing(now, out);
        self.tell_presses(now, out);
        self.follow_lever(now, out);
    }

    /// While it is open what was played unheard, the clock tells how much that was.
    fn tell_presses(&mut self, now: Millis, out: &mut Vec<Said>) {
        if self.hand.counts_presses() {
            let presses = self.clock.presses(self.hand.lie());
            self.tell_hand(&Sign::Unheard(presses), now, out);
        }
    }

    pub(super) fn tell_pressing(&mut self, now: Millis, out: &mut Vec<Said>) {
        let to_move = self.game.as_ref().map_or(Color::White, |game| game.position().turn());
        let pressing = match self.clock.pressing(self.hand.lie(), to_move.into()) {
            Pressing::Awaited if self.conditions.edition() == Edition::E1993 => Pressing::Needless,
            pressing @ (Pressing::Awaited | Pressing::Needless | Pressing::Stopped | Pressing::Impossible) => pressing,
        };
        self.tell_hand(&Sign::Pressing(pressing), now, out);
    }
}
