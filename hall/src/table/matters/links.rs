//! Boards and clocks that come and go, and what the lever tells after a silence.

use laws::Edition;
use protocol::{
    board::{ClockSense, Link},
    feed::{Alert, AlertKind, Blind, Side, Sight},
};
use shakmaty::Position as _;

use crate::{
    Millis,
    hand::{Order, Pressing, Sign},
    table::{boards::LinkChange, finding, turn::Turn, whole::Table},
};

impl Table {
    pub(crate) fn link(&mut self, board: &str, link: Link, turn: &mut Turn) {
        let up = match self.boards.link(board, link, turn.now()) {
            LinkChange::OneOfTwo => {
                self.tell_one_of_two(board, link, turn);
                return self.choose_board(turn);
            }
            LinkChange::Heard => {
                self.tell_link(board, Link::Up, AlertKind::LinkRestored, turn);
                true
            }
            LinkChange::Silent => {
                self.tell_link(board, Link::Down, AlertKind::LinkLost, turn);
                false
            }
            LinkChange::StillSilent => false,
        };
        if !up {
            self.lose_clock(turn);
        }
        self.signal_hand(&Sign::Link(up), turn);
        self.tell_presses(turn);
    }

    /// The board has its place elsewhere: nobody has to look for it here, and what was said of its absence is withdrawn.
    pub(crate) fn miss_no_more(&mut self, board: &str, turn: &mut Turn) {
        self.boards.let_go(board);
        let change = self.boards.link(board, Link::Down, turn.now());
        match change {
            LinkChange::OneOfTwo => self.choose_board(turn),
            LinkChange::Silent => {
                turn.show(Sight::Link { board: board.to_owned(), state: Link::Down });
                self.lose_clock(turn);
                self.signal_hand(&Sign::Link(false), turn);
            }
            LinkChange::Heard | LinkChange::StillSilent => {}
        }
        if !self.boards.is_linked() {
            for of in self.boards.forget_missed() {
                turn.say(Alert { of: Some(of), ..finding::plain(AlertKind::AlertWithdrawn) });
            }
        }
    }

    /// Where each player has a board, each is missed.
    fn tell_one_of_two(&mut self, board: &str, link: Link, turn: &mut Turn) {
        if self.agreed.rules().blind == Blind::None {
            return;
        }
        match link {
            Link::Up if self.boards.pair_mut().find_again(board) => {
                self.tell_link(board, Link::Up, AlertKind::LinkRestored, turn);
            }
            Link::Up => {}
            Link::Down => {
                self.tell_link(board, Link::Down, AlertKind::LinkLost, turn);
                if self.boards.pair_mut().lose(board) {
                    self.lose_clock(turn);
                }
            }
        }
    }

    fn tell_link(&mut self, board: &str, state: Link, kind: AlertKind, turn: &mut Turn) {
        turn.show(Sight::Link { board: board.to_owned(), state });
        let matters = self.desk.needs_board();
        if matters {
            turn.say(finding::plain(kind));
        }
        self.boards.note_missed(Some(kind).filter(|_| matters && state == Link::Down));
    }

    /// When it is long that no board of the table was heard.
    pub(crate) fn silent_at(&self) -> Option<Millis> {
        Some(self.boards.silent_since()? + self.agreed.settings().board_silent_ms)
    }

    /// Also where nobody pulled a cable: a board that did not come back with the daemon has lost no link.
    pub(crate) fn note_silence(&mut self, turn: &mut Turn) {
        self.boards.note_told_of_silence();
        if self.desk.needs_board() {
            turn.say(finding::plain(AlertKind::BoardSilent));
            self.boards.note_missed(Some(AlertKind::BoardSilent));
        }
    }

    /// One of two boards came or went. Another one that counts from here on may have stood for anything meanwhile: that
    /// is a gap, which a dump ends.
    fn choose_board(&mut self, turn: &mut Turn) {
        let Some(board) = self.boards.instead(self.hand.is_sure()) else { return };
        if let Some(lost) = self.boards.lost().filter(|_| self.agreed.rules().blind == Blind::None).cloned() {
            self.tell_link(&lost, Link::Down, AlertKind::LinkLost, turn);
        }
        self.boards.follow(&board);
        self.lose_clock(turn);
        self.signal_hand(&Sign::Replaced, turn);
        self.tell_presses(turn);
        turn.show(Sight::Link { board: board.clone(), state: Link::Up });
        turn.ask_dump(board);
    }

    /// The clock is not heard any more.
    pub(crate) fn lose_clock(&mut self, turn: &mut Turn) {
        self.clocks.lose(self.agreed.settings());
        self.tell_lever(turn);
    }

    fn tell_lever(&mut self, turn: &mut Turn) {
        self.signal_hand(&Sign::Lever(self.clocks.clock.up()), turn);
    }

    /// After a silence, and when the clock starts, the lever tells whether the last ply was pressed meanwhile. Of one whose
    /// man has landed since it tells nothing.
    pub(crate) fn follow_lever(&mut self, turn: &mut Turn) {
        let Some(to_move) = self.clocks.unread_lever(self.hand.lie()).filter(|_| self.hand.is_sure()) else { return };
        self.clocks.read_lever();
        let Some(game) = self.record.game() else { return };
        let first = game.position().turn();
        let next = if self.record.tail().len().is_multiple_of(2) { first } else { !first };
        let pressed = !self.record.tail().is_empty() && to_move == next.into();
        if pressed && self.hand.has_landed_for(self.clocks.clock.read_at()) {
            self.signal_hand(&Sign::Press(!next), turn);
        }
    }

    pub(crate) fn hear_clock(&mut self, sense: &ClockSense, turn: &mut Turn) {
        let was_heard = self.clocks.clock.is_heard();
        let stood = self.clocks.clock.stands();
        let heard = self.clocks.hear(sense, self.hand.lie(), self.agreed.settings(), turn.now());
        self.tell_lever(turn);
        if was_heard && !self.clocks.clock.is_heard() && self.desk.is_on() {
            turn.say(finding::plain(AlertKind::ClockLost));
            self.spoken.lose_clock();
        }
        if heard.battery_low {
            turn.say(finding::plain(AlertKind::BatteryLow));
        }
        if let Some(sight) = heard.sight {
            self.show_clock(sight, heard.stopped, turn);
        }
        if heard.stopped {
            self.keep_sealed_times(turn);
        }
        self.compare_clock(stood, turn);
        self.note_flags(turn);
        self.note_little_time(turn);
        if let Some(presses) = heard.missed {
            self.signal_hand(&Sign::Missed(presses), turn);
        }
        if let Some(side) = heard.press {
            self.hear_press(side, turn);
        }
        // Who was first to press a clock that stood may not have been heard, and shows in the lever.
        if heard.started {
            self.clocks.doubt_lever();
        }
        if let Some(to_move) = self.clocks.clock.to_move(self.hand.lie()).filter(|_| heard.started) {
            self.order_hand([Order::ExpectTurn(to_move.into())], turn);
        }
        self.tell_presses(turn);
    }

    /// A game that is over keeps its times: what a clock shows that is set for the next one is told when that begins. But
    /// that it was stopped is told, or screens would count on.
    fn show_clock(&mut self, sight: Sight, stopped: bool, turn: &mut Turn) {
        if self.desk.has_ended() && !stopped {
            self.clocks.clock.owe();
        } else {
            turn.show(sight);
        }
    }

    /// What the clock shows and nobody was told, because the game before was over.
    pub(crate) fn show_owed_clock(&mut self, turn: &mut Turn) {
        if let Some(sight) = self.clocks.clock.take_owed(self.hand.lie(), turn.now()) {
            turn.show(sight);
        }
    }

    /// While it is open what was played unheard, the clock tells how much that was.
    fn tell_presses(&mut self, turn: &mut Turn) {
        if self.hand.counts_presses() {
            let presses = self.clocks.clock.presses(self.hand.lie(), self.agreed.settings());
            self.signal_hand(&Sign::Unheard(presses), turn);
        }
    }

    /// A player pressed the clock.
    pub(crate) fn hear_press(&mut self, side: Side, turn: &mut Turn) {
        self.spoken.arrival.press(side);
        self.take_from_other(side, turn);
        self.signal_hand(&Sign::Press(side.into()), turn);
    }

    pub(crate) fn tell_pressing(&mut self, turn: &mut Turn) {
        let pressing = match self.clocks.clock.pressing() {
            Pressing::Awaited if self.agreed.conditions().edition() == Edition::E1993 => Pressing::Needless,
            Pressing::Stopped if self.agreed.conditions().edition() == Edition::E1993 => Pressing::Impossible,
            pressing @ (Pressing::Awaited | Pressing::Needless | Pressing::Stopped | Pressing::Impossible) => pressing,
        };
        if !self.hand.expects(pressing) {
            self.tell_hand(&Sign::Pressing(pressing), turn);
        }
    }
}
