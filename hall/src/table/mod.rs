//! One table: inputs become the events of one game after another.

mod adjourning;
mod announcing;
mod arbiter;
mod arriving;
mod awaiting;
mod claims;
mod clock;
mod completing;
mod count;
mod counting;
mod deeds;
mod doubts;
mod draws;
mod ending;
mod finding;
mod flags;
mod game;
mod gaps;
mod links;
mod mate;
mod mending;
mod offence;
mod offers;
mod orders;
mod pace;
mod proving;
mod record;
mod reporting;
mod rules;
mod set_up;
mod spoken;
mod stands;
mod times;
mod touching;
mod turn;
mod twin;

use std::collections::BTreeSet;

use laws::{Conditions, dead::Budget};
use protocol::{
    board::{Link, Observation},
    feed::{AlertKind, Command, Entry, GameResult, Proposal, Rules, Side, Sight, State},
};
use shakmaty::Move;

use crate::{
    Answer, Doubt, Millis, Question, Refusal, Settings,
    hand::{Hand, Order, Sign},
    input::StoredRecord,
};
use awaiting::Awaiting;
use clock::Clock;
use counting::Counting;
use flags::Flags;
use game::Game;
use mate::Pending;
use mending::Choice;
pub(crate) use rules::conditions;
use spoken::Spoken;
use turn::Turn;
use twin::Twin;

/// One table, from the first start array to the last result of the round.
///
/// Drive it in rounds: for each input first `elapse` to its time, then call what the input asks for, then drain `out`.
/// Times never go backwards; two inputs of the same millisecond keep the order they are given in.
#[derive(Clone, Debug)]
pub struct Table {
    hand: Hand,
    clock: Clock,
    game: Option<Game>,
    games: u32,
    state: State,
    /// What a table that waits for the arbiter waits for.
    awaiting: Awaiting,
    /// How many plies the record had when the arbiter was called last.
    called_at: usize,
    /// What screens were told of the visible line.
    shown: Option<Sight>,
    tail: Vec<Move>,
    /// The board whose men and clock count.
    board: Option<String>,
    /// The one that counted before it.
    board_before: Option<String>,
    /// The boards that can be heard.
    linked: BTreeSet<String>,
    rules: Rules,
    conditions: Conditions,
    /// Completed illegal moves, and what counts as one, of White and of Black.
    offences: [u32; 2],
    /// What the kings have shown.
    signalled: bool,
    /// What the arbiter is offered to decide: the latest.
    proposal: Option<Proposal>,
    flags: Flags,
    counting: Counting,
    spoken: Spoken,
    /// The lever may have been moved while nothing was heard, or before the clock was heard running.
    lever_unread: bool,
    /// Lines to choose from.
    choice: Option<Choice>,
    /// How many positions are looked at to tell at once whether a player can mate.
    mate_positions: u64,
    /// Forfeits of which that is not known.
    pending: Vec<Pending>,
    /// The ply that was made last, if it is in question whether it may stand.
    in_question: Option<usize>,
    /// What the shell was asked to search.
    asked: Vec<Question>,
    /// The board that is not followed, once it has been heard whole.
    twin: Option<Twin>,
}

/// What a table says: a sight, an entry, or what it asks the shell to do.
#[derive(Clone, Debug, PartialEq)]
pub enum Say {
    /// To be shown at once.
    Sight(Sight),
    /// To be published once the inputs it follows from are on disk.
    Entry(Entry),
    /// Ask this board for a dump.
    AskDump(String),
    /// Search these aside, and nothing else of this table.
    AskProof(Vec<Doubt>),
}

/// What a table says, with the time it said it.
pub type Said = (Millis, Say);

impl Table {
    /// An empty table.
    pub fn new(settings: Settings) -> Table {
        Table {
            counting: Counting::new(settings.clone()),
            mate_positions: settings.mate_positions,
            hand: Hand::new(settings),
            clock: Clock::default(),
            game: None,
            games: 0,
            state: State::Waiting,
            awaiting: Awaiting::Nothing,
            called_at: 0,
            shown: None,
            tail: Vec::new(),
            board: None,
            board_before: None,
            linked: BTreeSet::new(),
            rules: Rules::default(),
            conditions: Conditions::default(),
            offences: [0; 2],
            signalled: false,
            proposal: None,
            flags: Flags::default(),
            spoken: Spoken::default(),
            lever_unread: false,
            choice: None,
            pending: Vec::new(),
            in_question: None,
            asked: Vec::new(),
            twin: None,
        }
    }

    /// An empty table that is played by these rules. Those that name Laws nobody knows are refused where they are given;
    /// here they change nothing.
    pub fn under(settings: Settings, rules: &Rules) -> Table {
        let mut table = Table::new(settings);
        // Nothing is said before there is a game.
        table.play_by(rules, &mut Turn::at(0)).unwrap_or_default();
        table
    }

    /// From here on these thresholds count.
    pub fn set(&mut self, settings: Settings) {
        self.counting.set(settings.clone());
        self.mate_positions = settings.mate_positions;
        self.hand.set(settings);
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
    /// move on both must not be taken for one another. The other one is compared with it in blind play, and takes over
    /// when it falls silent, after a dump.
    pub fn observe(&mut self, board: &str, observation: &Observation, now: Millis, out: &mut Vec<Said>) {
        self.take_turn(now, out, |table, turn| table.hear(board, observation, turn));
    }

    /// A player pressed the clock.
    pub fn press(&mut self, side: Side, now: Millis, out: &mut Vec<Said>) {
        self.take_turn(now, out, |table, turn| table.hear_press(side, turn));
    }

    /// Carries out an order for this table, or says why not.
    pub fn order(&mut self, command: &Command, now: Millis, out: &mut Vec<Said>) -> Result<(), Refusal> {
        self.take_turn(now, out, |table, turn| table.obey(command, turn))
    }

    /// A search aside has come to an end. What nobody asks any more, and what the checker does not accept, changes
    /// nothing.
    pub fn answer(&mut self, answer: &Answer, now: Millis, out: &mut Vec<Said>) -> Result<(), Refusal> {
        self.take_turn(now, out, |table, turn| table.learn(answer, turn))
    }

    /// The daemon is back. What stood in the record stands. What was being searched has to be searched again.
    pub fn resume(&mut self, stored: Option<&StoredRecord>, now: Millis, out: &mut Vec<Said>) {
        self.take_turn(now, out, |table, turn| {
            table.asked.clear();
            table.come_back(stored, turn);
        });
    }

    /// Every input is one turn, and what has to follow whatever it was follows here.
    fn take_turn<T>(&mut self, now: Millis, out: &mut Vec<Said>, act: impl FnOnce(&mut Table, &mut Turn) -> T) -> T {
        let mut turn = Turn::at(now);
        let outcome = act(self, &mut turn);
        self.ask_aside(&mut turn);
        out.append(&mut turn.said());
        outcome
    }

    /// Does what is due first, if it is due by `now`, at its own time.
    fn run_due(&mut self, now: Millis, turn: &mut Turn) -> bool {
        let due = self.hand.deadline().map(|(at, _)| at);
        let own = self.own_deadline().filter(|own| *own <= now && due.is_none_or(|due| *own < due));
        if let Some(own) = own {
            turn.set(own);
            self.run_own(own, turn);
            return true;
        }
        let mut deeds = Vec::new();
        if !self.wake_hand(now, &mut deeds) {
            return false;
        }
        turn.set(due.unwrap_or(now));
        self.follow(deeds, turn);
        true
    }

    /// What waits for its time beside the hands.
    fn own_deadline(&self) -> Option<Millis> {
        let own = [self.late_at(), self.counting.doubted_until(), self.twin_at(), self.unpressed_at()];
        own.into_iter().flatten().min()
    }

    fn run_own(&mut self, due: Millis, turn: &mut Turn) {
        if self.late_at() == Some(due) {
            self.note_late(turn);
        } else if self.counting.doubted_until() == Some(due) {
            self.note_clock_off(turn);
        } else if self.unpressed_at() == Some(due) {
            self.note_unpressed(turn);
        } else {
            self.compare_boards(turn);
        }
    }

    fn hear(&mut self, board: &str, observation: &Observation, turn: &mut Turn) {
        if !matches!(observation, Observation::Link(_)) && !self.is_followed(board) {
            return self.hear_twin(observation, turn.now());
        }
        let sign = match observation {
            Observation::Square { square, content } => Sign::Square(*square, *content),
            Observation::Board(contents) => Sign::Board(contents.clone()),
            Observation::Clock(sense) => return self.hear_clock(sense, turn),
            Observation::Link(link) => return self.link(board, *link, turn),
        };
        self.tell_hand(&sign, turn);
        self.follow_lever(turn);
    }

    fn hear_press(&mut self, side: Side, turn: &mut Turn) {
        self.spoken.pressed[flags::place(side)] = true;
        self.tell_hand(&Sign::Press(side.into()), turn);
    }

    fn come_back(&mut self, stored: Option<&StoredRecord>, turn: &mut Turn) {
        if !std::mem::take(&mut self.linked).is_empty() {
            // No alert: nobody pulled a cable. But a board that does not come back must not be shown as heard.
            let board = self.board.clone().unwrap_or_default();
            turn.show(Sight::Link { board, state: Link::Down });
        }
        self.lose_lever();
        self.tell_hand(&Sign::Link(false), turn);
        let Some(stored) = stored else { return };
        let Ok(mut game) = Game::read(stored.game, &stored.fen, stored.variant, &stored.moves, &stored.irregular)
        else {
            return;
        };
        game.result = stored.result;
        self.games = stored.game;
        self.pending.clear();
        self.tail.clear();
        self.shown = None;
        let correct = Order::Correct { position: game.position().clone(), earlier: game.earlier() };
        let order = if game.result == GameResult::Open { Order::Resume } else { Order::End };
        self.state = if game.result == GameResult::Open { State::Playing } else { State::Ended };
        self.game = Some(game);
        self.order_hand([correct, order], turn);
        turn.say(finding::plain(AlertKind::RecordDiffers));
        turn.entry(Entry::State { state: self.state });
        self.show(turn);
    }

    /// The current game as it would be stored; none before the first.
    pub fn record(&self) -> Option<StoredRecord> {
        let game = self.game.as_ref()?;
        Some(StoredRecord {
            game: game.number,
            fen: game.start_fen(),
            variant: game.variant(),
            moves: game.ucis(),
            irregular: game.irregular(),
            result: game.result,
        })
    }

    /// A move of a game was made that has not ended, and the men were not put up for another.
    pub fn is_in_play(&self) -> bool {
        let on = matches!(self.state, State::Playing | State::AwaitingArbiter) && !self.hand.is_set_up();
        on && (!self.tail.is_empty() || self.game.as_ref().is_some_and(|game| game.len() > 0))
    }

    /// The table's board can be heard.
    pub fn is_linked(&self) -> bool {
        !self.linked.is_empty()
    }

    fn budget(&self) -> Budget {
        Budget(self.mate_positions)
    }

    /// What stands on the board, as squares of the game.
    pub fn physical(&self) -> String {
        self.hand.board().to_string()
    }

    /// The how-many-eth game is on; 0 before the first.
    pub fn games(&self) -> u32 {
        self.games
    }
}
