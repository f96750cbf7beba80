//! The ways in: every input of a table is one turn.

use protocol::{
    board::{Contents, Observation},
    feed::{Command, Rules, Score, Side},
};

use crate::{
    Answer, Millis, Refusal, Settings, StoredRecord,
    hand::{Order, Sign},
    table::{
        turn::{Next, Said, Turn},
        whole::Table,
    },
};

impl Table {
    /// An empty table that is played by these rules. Those that name Laws nobody knows are refused where they are given;
    /// here they change nothing.
    pub fn under(settings: Settings, rules: &Rules) -> Table {
        let mut table = Table::new(settings);
        // Nothing is said before there is a game.
        table.play_by(rules, &mut Turn::at(0)).unwrap_or_default();
        table
    }

    /// When to come back at the latest.
    pub fn deadline(&self) -> Option<Millis> {
        [self.hand.deadline().map(|(at, _)| at), self.own_deadline()].into_iter().flatten().min()
    }

    /// Does everything that is due up to `now`, each at its own time.
    pub fn elapse(&mut self, now: Millis, out: &mut Vec<Said>) {
        self.take_turn(now, out, |table, turn| {
            while table.run_due(now, turn) {}
            turn.set(now);
        });
    }

    /// A board at this table reported something. Of two boards only one is followed, the first that is heard: men that
    /// move on both must not be taken for one another. The other one takes over when it falls silent, after a dump. In
    /// blind play both are compared, and the one of the player who has the move is followed.
    pub fn observe(&mut self, board: &str, observation: &Observation, now: Millis, out: &mut Vec<Said>) {
        self.take_turn(now, out, |table, turn| table.hear(board, observation, turn));
    }

    /// A board was given another table.
    pub fn let_go(&mut self, board: &str, now: Millis, out: &mut Vec<Said>) {
        self.take_turn(now, out, |table, turn| table.miss_no_more(board, turn));
    }

    /// A board was given this table, and shows this as the game at its last one has left it.
    pub fn leave_over(&mut self, left: &Contents, now: Millis, out: &mut Vec<Said>) {
        self.take_turn(now, out, |table, turn| table.order_hand([Order::LeaveOver(Box::new(*left))], turn));
    }

    /// A player pressed the clock.
    pub fn press(&mut self, side: Side, now: Millis, out: &mut Vec<Said>) {
        self.clocks.clock.hear_press(side, self.hand.lie(), now);
        self.take_turn(now, out, |table, turn| table.hear_press(side, turn));
    }

    /// Carries out an order for this table, or says why not.
    pub fn order(&mut self, command: &Command, now: Millis, out: &mut Vec<Said>) -> Result<(), Refusal> {
        self.order_for(None, command, now, out)
    }

    /// The same for one game of the table, the one that is on if it has no number.
    pub fn order_for(
        &mut self,
        game: Option<u32>,
        command: &Command,
        now: Millis,
        out: &mut Vec<Said>,
    ) -> Result<(), Refusal> {
        self.take_turn(now, out, |table, turn| table.obey_for(game, command, turn))
    }

    /// From here on these rules count. Those that name Laws nobody knows were refused where they were given.
    pub fn change_terms(&mut self, rules: &Rules, now: Millis, out: &mut Vec<Said>) {
        self.take_turn(now, out, |table, turn| table.play_by(rules, turn)).unwrap_or_default();
    }

    /// Gives the pairing a result before its game has begun.
    pub fn give_before(&mut self, score: Score, now: Millis, out: &mut Vec<Said>) -> Result<(), Refusal> {
        self.take_turn(now, out, |table, turn| table.give_unplayed(score, turn))
    }

    /// Games begin here from this start position of Chess960.
    pub fn begin_from(&mut self, number: u16, now: Millis, out: &mut Vec<Said>) -> Result<(), Refusal> {
        let rules = Rules { chess960: Some(number), ..self.agreed.rules().clone() };
        self.take_turn(now, out, |table, turn| table.play_by(&rules, turn))
    }

    /// A search aside has come to an end. What nobody asks any more, and what the checker does not accept, changes
    /// nothing.
    pub fn answer(&mut self, answer: &Answer, now: Millis, out: &mut Vec<Said>) -> Result<(), Refusal> {
        self.take_turn(now, out, |table, turn| table.learn(answer, turn))
    }

    /// The daemon is back. What stood in the record stands. What was being searched has to be searched again.
    pub fn resume(&mut self, stored: Option<&StoredRecord>, now: Millis, out: &mut Vec<Said>) {
        self.take_turn(now, out, |table, turn| table.come_back(stored, turn));
    }

    /// Every input is one turn, whatever it is.
    pub(crate) fn take_turn<T>(
        &mut self,
        now: Millis,
        out: &mut Vec<Said>,
        act: impl FnOnce(&mut Table, &mut Turn) -> T,
    ) -> T {
        let mut utterance = Utterance { under_way: Turn::at(now), hearers: out };
        let outcome = act(self, &mut utterance.under_way);
        self.round_off(&mut utterance.under_way);
        outcome
    }

    /// Does what is due first, if it is due by `now`, at its own time.
    fn run_due(&mut self, now: Millis, turn: &mut Turn) -> bool {
        let due = self.hand.deadline().map(|(at, _)| at).filter(|at| *at <= now);
        let own = self.own_deadline().filter(|own| *own <= now && due.is_none_or(|due| *own < due));
        if let Some(own) = own {
            turn.set(own);
            self.run_own(turn);
            self.round_off(turn);
            return true;
        }
        let Some(due) = due else { return false };
        let mut deeds = Vec::new();
        self.wake_hand(now, &mut deeds);
        turn.set(due);
        deeds.into_iter().for_each(|deed| turn.then(Next::Conclusion(deed)));
        self.follow(turn);
        self.round_off(turn);
        true
    }

    /// What follows an input, and what follows each thing that was due before it: at its own time, however late somebody
    /// looks.
    fn round_off(&mut self, turn: &mut Turn) {
        self.follow_lever(turn);
        self.follow_up(turn);
        self.share_boards(turn);
        debug_assert!(self.record.game().is_none_or(|game| game.course().is(self.hand.record())), "two records");
        self.ask_aside(turn);
        self.tell_left(turn);
        self.tell_confirmed(turn);
        self.tell_staff(turn);
    }

    /// All that comes of something, and whether presses are expected from there.
    fn follow_up(&mut self, turn: &mut Turn) {
        self.follow(turn);
        self.tell_pressing(turn);
        self.follow(turn);
    }

    fn hear(&mut self, board: &str, observation: &Observation, turn: &mut Turn) {
        let observation = &*self.boards.laid(board, observation);
        if !self.counts(board, observation) {
            return self.hear_twin(observation, turn.now());
        }
        match observation {
            Observation::Square { square, content } => self.signal_hand(&Sign::Square(*square, *content), turn),
            Observation::Board(contents) => self.signal_hand(&Sign::Board(contents.clone()), turn),
            Observation::Clock(sense) => self.hear_clock(sense, turn),
            Observation::Link(link) => self.link(board, *link, turn),
        }
    }

    /// The game goes by this: the men on the board that is followed, the one clock there is, and every cable.
    fn counts(&mut self, board: &str, observation: &Observation) -> bool {
        match observation {
            Observation::Link(_) => true,
            Observation::Clock(sense) if self.shares_boards() => self.boards.pair_mut().hears_clock(board, sense),
            Observation::Clock(sense) => {
                let counts = self.boards.hears(board);
                if counts {
                    self.boards.pair_mut().keep_clock(board, sense);
                }
                counts
            }
            Observation::Square { .. } | Observation::Board(_) => self.boards.hears(board),
        }
    }
}

/// One turn, and who hears of it. What was said in one that has panicked was said.
struct Utterance<'a> {
    under_way: Turn,
    hearers: &'a mut Vec<Said>,
}

impl Drop for Utterance<'_> {
    fn drop(&mut self) {
        self.hearers.append(&mut self.under_way.said());
    }
}
