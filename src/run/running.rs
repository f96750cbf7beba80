//! The one loop that joins the rooms.
//!
//! Order is everything here: sights are shown as they come, entries only when the journal has given them back as
//! committed, with the inputs they follow from.

use std::{
    collections::{BTreeMap, BTreeSet},
    future::pending,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use hall::{Ask, Hall, Input, Refusal, Scope, StoredRecord};
use protocol::{
    board::{Link, Observation},
    feed::{Answer, Command, Entry, Event, Order, Sight, TableEvent, TableId},
};
use tokio::sync::mpsc;

use super::{
    alarm::Alarm,
    archive::{Archive, Found},
    awaited::{Awaited, News, take_sights},
    day::{self, today},
    fitness::unfit,
    fleet::Boards,
    follows::{Follows, Handing},
    past::{Folded, Round, interrupted},
    ports::Ports,
    pulse::Pulse,
    reply::{Granted, Reply},
    tally::{note_commit, note_told},
    turn::{Closed, Seen, Turn},
    wall::Wall,
};
use crate::{
    journal::{Committed, Entries, Journal, JournalError, wall_ms},
    press::Press,
    prover::{Prover, Searched},
    record::{Book, Scribe},
    screens::{Air, Counts, Feed, Giver, Placed, Wish, livechess::Tap},
    sensors::{Monotonic, Sensed, Watch, What as Heard},
    voice::{self, Room, Speakers},
};

/// How many inputs share a commit at most. A commit takes a fifth of a millisecond on a good disk and twenty on a bad
/// one; in twenty, fifty boards say far less than this.
const SHARED: usize = 256;

/// How long a start and an end wait for the disk. What it has not taken by then it takes later, or never.
pub(super) const PATIENCE: Duration = Duration::from_secs(2);

/// Everything the loop joins.
#[derive(Debug)]
pub struct Run {
    /// The games.
    pub hall: Hall,
    /// Where inputs are kept.
    pub journal: Journal,
    /// Where events are told.
    pub feed: Feed,
    /// What was published, for the doors that hand out PGN.
    pub book: Arc<Mutex<Book>>,
    /// All the past is in the book.
    pub(super) whole: Arc<AtomicBool>,
    /// What spectators are shown.
    pub air: Arc<Mutex<Air>>,
    /// Writes the PGN files.
    pub scribe: Scribe,
    /// The ports.
    pub watch: Watch,
    /// Who searches for what the tables can't decide.
    pub prover: Prover,
    /// The clock of the watch.
    pub clock: Monotonic,
    /// What the core's time was when that clock began.
    pub epoch: u64,
    /// The time of the last input: the core's time never goes back.
    pub(super) last: u64,
    pub(super) ports: Ports,
    pub(super) boards: Boards,
    pub(super) awaited: Awaited,
    pub(super) alarm: Alarm,
    pub(super) archive: Archive,
    /// Who else hears the boards.
    pub(super) tap: Tap,
    /// Who is told moves aloud.
    pub(super) voices: Room,
    pub(super) speakers: Speakers,
    /// Tells those outside who take games in their own manner.
    pub(super) press: Press,
    /// What was counted.
    pub(super) counts: Counts,
    pub(super) wall: Wall,
}

impl Run {
    /// Core time at this moment.
    pub fn now(&self) -> u64 {
        self.epoch + self.clock.now()
    }

    /// Says that the daemon is back, at every table that may not know, before anything else is heard.
    pub async fn resume(&mut self, folded: &Folded) -> Result<(), JournalError> {
        let now = self.not_before(self.now());
        let mut turn = Turn::default();
        self.take_up(folded.interrupted(), &folded.differing, now.saturating_sub(folded.last_t), &mut turn);
        self.ask(&mut turn);
        self.close(turn, Vec::new());
        self.settle(PATIENCE).await
    }

    fn take_up(
        &mut self,
        tables: Vec<TableId>,
        differing: &BTreeMap<TableId, StoredRecord>,
        gap_ms: u64,
        turn: &mut Turn,
    ) {
        let now = self.not_before(self.now());
        for table in tables {
            let record = differing.get(&table).cloned();
            if record.is_some() {
                tracing::warn!(%table, "this build reads the journal differently; the published record stands");
            }
            let resumed = Input::Resumed { table, gap_ms, record };
            turn.take(&mut self.hall, resumed, now).expect("only orders are refused");
        }
    }

    /// Places an order as the daemon itself, before the loop runs.
    pub async fn order(&mut self, order: Order) -> Result<Answer, JournalError> {
        let (placed, mut answered) = Placed::new(Wish::Order(order), Giver::house());
        let mut turn = Turn::default();
        let reply = self.grant(placed, &mut turn);
        self.ask(&mut turn);
        self.close(turn, vec![reply]);
        self.settle(PATIENCE).await?;
        // Where the disk does not take it, it is done all the same, and on disk when it does.
        Ok(answered.try_recv().map_or_else(|_| Answer::Done { done: Vec::new(), said: Vec::new() }, Answer::from))
    }

    /// Runs until `stop`; what was heard before is on disk when it returns.
    pub async fn run(
        &mut self,
        mut sensed: mpsc::Receiver<Sensed>,
        mut orders: mpsc::Receiver<Placed>,
        mut searched: mpsc::Receiver<Searched>,
        mut spoken: mpsc::UnboundedReceiver<voice::Heard>,
        mut pulse: Pulse,
        stop: impl Future<Output = ()>,
    ) -> Result<(), JournalError> {
        tokio::pin!(stop);
        self.feed.notice(self.alarm.notice());
        let mut stopping = false;
        while !stopping {
            let mut turn = Turn::default();
            let mut replies = Vec::new();
            let on_air_at = self.on_air_at();
            tokio::select! {
                () = &mut stop => stopping = true,
                heard = sensed.recv() => match heard {
                    Some(heard) => self.hear(heard, &mut turn),
                    None => return Ok(()),
                },
                Some(placed) = orders.recv() => replies.extend(self.receive(placed, &mut turn)),
                Some(heard) = spoken.recv() => self.hear_voice(heard, &mut turn),
                Some(found) = searched.recv() => self.take_found(found, &mut turn),
                news = self.awaited.next() => self.hear_of(news?),
                found = self.archive.next() => replies.extend(self.take_from_archive(found, &mut turn)),
                () = self.alarm.changed() => self.feed.notice(self.alarm.notice()),
                () = at(self.hall.deadline(), self.clock, self.epoch) => {
                    let now = self.not_before(self.now());
                    turn.elapse(&mut self.hall, now);
                }
                () = at(on_air_at, self.clock, self.epoch) => self.go_on_air(),
                () = pulse.due() => self.give_sign_of_life(&mut pulse),
            }
            if let Some(jump) = self.wall.look(wall_ms(), self.clock.now()) {
                self.see_clock_jump(jump, &mut turn);
            }
            // What waits shares a commit; before the end all of it is heard, however much it is.
            for _ in 0..if stopping { usize::MAX } else { SHARED } {
                let Ok(heard) = sensed.try_recv() else { break };
                self.hear(heard, &mut turn);
            }
            self.ask(&mut turn);
            self.close(turn, replies);
        }
        self.settle(PATIENCE).await
    }

    /// An input that was stamped before the last one was handled is taken at that time: it waited in a channel while
    /// a deadline ran.
    pub(super) fn not_before(&mut self, t: u64) -> u64 {
        self.last = self.last.max(t);
        self.last
    }

    fn hear(&mut self, sensed: Sensed, turn: &mut Turn) {
        let Sensed { port, at, what } = sensed;
        match what {
            Heard::Board(identity) => {
                let Some(serial) = identity.serial() else {
                    tracing::warn!(%port, "a board answers but has no serial number, so no table can be kept for it; \
                                           give it one with its maker's program");
                    return;
                };
                if let Some(other) = self.ports.found(&port, serial) {
                    tracing::warn!(%port, %other, serial, "two ports say they are the same board; the newer one counts");
                }
                tracing::info!(%port, board = serial, "board found");
                self.boards.found(&port, serial);
            }
            Heard::Observed(observation) => {
                let Some(board) = self.ports.board(&port).cloned() else { return };
                if observation == Observation::Link(Link::Down) {
                    self.ports.lost(&port);
                    tracing::warn!(%port, board, "board lost");
                }
                self.counts.observations += 1;
                let now = self.not_before(self.epoch + at);
                self.tap.hear(&board, &port, now, &observation);
                self.boards.hear(&board, &observation, now);
                self.observe(board, observation, now, turn);
            }
            Heard::Awaited => self.note_port(
                &port,
                "port is not there: plug the board in and look at the cable; it is found by itself".to_owned(),
            ),
            Heard::Refused(error) => self.note_port(&port, format!("{error}: {}", error.hint())),
            Heard::NoBoard => self.note_port(&port, "no chess board answers here; asking again".to_owned()),
            Heard::Lost(error) => {
                tracing::info!(%port, "{error}");
                self.boards.note_port(&port, None);
                self.counts.losses += 1;
                self.hear_quiet(&port);
            }
            Heard::TooLoud => self.hear_too_much(&port),
            Heard::QuietAgain => {
                tracing::info!(%port, "port is quiet again");
                self.boards.note_port(&port, None);
                self.hear_quiet(&port);
            }
            Heard::Corrected(squares) => {
                tracing::warn!(%port, ?squares, "updates were lost; the board's dump counts");
                self.with_board(&port, |boards, board| boards.lose(board, squares.len()));
            }
            Heard::Noise(skipped) => tracing::debug!(%port, skipped, "noise"),
            Heard::Invalid(flaw) => {
                tracing::warn!(%port, "a message was not believed: {flaw}");
                self.with_board(&port, Boards::disbelieve);
            }
            Heard::Opened { low_latency } => {
                tracing::debug!(%port, low_latency, "port opened");
                self.boards.note_port(&port, None);
            }
            Heard::Received(_) | Heard::Sent(_) => {}
        }
    }

    fn note_port(&mut self, port: &Arc<str>, trouble: String) {
        tracing::warn!(%port, "{trouble}");
        self.boards.note_port(port, Some(trouble));
    }

    fn with_board(&mut self, port: &str, note: impl FnOnce(&mut Boards, &str)) {
        if let Some(board) = self.ports.board(port) {
            note(&mut self.boards, board);
        }
    }

    /// What was published of the games on each board says how good it is.
    fn count(&mut self, events: &[TableEvent]) {
        for TableEvent { table, event, .. } in events {
            let (games, corrections) = match event {
                Event::Entry(Entry::Started { .. }) => (1, 0),
                Event::Entry(Entry::Corrected { .. }) => (0, 1),
                Event::Entry(_) | Event::Sight(_) => continue,
            };
            let sitting = table.iter().flat_map(|id| self.hall.boards_at(id)).collect::<Vec<_>>();
            sitting.iter().for_each(|board| self.boards.count(board, games, corrections));
        }
    }

    pub(super) fn observe(&mut self, board: String, observation: Observation, now: u64, turn: &mut Turn) {
        self.seat(&board, now, turn);
        let Some(table) = self.hall.table_of(&board).cloned() else { return };
        let input = Input::Observed { table, board: board.clone(), observation };
        turn.take(&mut self.hall, input, now).expect("only orders are refused");
        // The game it stayed for may be over by this.
        self.seat(&board, now, turn);
    }

    /// Gives a board its table in the open round, if it has none there and no game is on under it.
    fn seat(&mut self, board: &str, now: u64, turn: &mut Turn) {
        if self.hall.table_of(board).is_none() && self.hall.open_round().is_none() {
            let order = day::round_of_the_day(&today());
            self.take_order(order, now, turn).expect("a day is a good name");
        }
        let Some(order) = self.hall.seat(board) else { return };
        if let Some(table) = order.table() {
            tracing::info!(board, %table, "board assigned");
        }
        self.take_order(order, now, turn).expect("the hall offered this seat itself");
    }

    /// An order about a round that is over waits until its tables are read again.
    fn receive(&mut self, placed: Placed, turn: &mut Turn) -> Option<Reply> {
        let placed = self.archive.keep_back(placed, &self.hall)?;
        if let Placed { wish: Wish::Timeline(table), outcome, .. } = placed {
            self.archive.tell(table, outcome, &self.hall);
            return None;
        }
        Some(self.grant(placed, turn))
    }

    /// Something was read of a round that is over. Gives the answers to orders that waited for it.
    fn take_from_archive(&mut self, found: Found, turn: &mut Turn) -> Vec<Reply> {
        let (scope, is_folded) = match found {
            Found::Record(scope, record) => {
                self.enter(&scope, &record);
                return Vec::new();
            }
            Found::All => {
                self.whole.store(true, Ordering::Relaxed);
                self.scribe.note_whole();
                return Vec::new();
            }
            Found::Nothing(scope, error) => {
                tracing::error!("a round that is over can't be read: {}", error.advice());
                (scope, false)
            }
            Found::Round(scope, round) => {
                self.enter(&scope, &round.record);
                self.recall(*round, turn);
                (scope, true)
            }
        };
        let waiting = self.archive.done_with(&scope, is_folded);
        waiting.into_iter().filter_map(|placed| self.receive(placed, turn)).collect()
    }

    /// What was published of a round that is over goes into the book.
    fn enter(&mut self, scope: &Scope, record: &Committed<Entries>) {
        if self.archive.is_news(scope) {
            self.book.lock().unwrap_or_else(PoisonError::into_inner).apply(record);
            self.air.lock().unwrap_or_else(PoisonError::into_inner).shelve(record);
            self.scribe.note(record);
            self.press.ring();
        }
    }

    /// The tables of a round that is over are in the hall again.
    fn recall(&mut self, round: Round, turn: &mut Turn) {
        let Round { hall, record, glimpses, differing, .. } = round;
        let tables = interrupted(&hall, &differing);
        self.hall.take_back(hall);
        self.voices.reread(&record);
        self.feed.recall(&record, glimpses);
        self.air.lock().unwrap_or_else(PoisonError::into_inner).recall(&record);
        self.go_on_air();
        self.take_up(tables, &differing, 0, turn);
    }

    fn grant(&mut self, Placed { wish, by, outcome }: Placed, turn: &mut Turn) -> Reply {
        let now = self.not_before(self.now());
        let granted = match wish {
            Wish::Preview(order) => match self.hall.preview(&order.command) {
                Ok(said) => Granted::Preview(said),
                Err(refusal) => Granted::Nothing(refusal.to_string()),
            },
            Wish::Boards { event, round } => match self.hall.boards_of(&event, round, &self.heard()) {
                Ok(view) => Granted::Boards(Box::new(view)),
                Err(refusal) => Granted::Nothing(refusal.to_string()),
            },
            Wish::Fleet => Granted::Fleet(Box::new(self.boards.view(now, |board| self.hall.table_of(board)))),
            Wish::Voices => Granted::Voices(self.voices.standing()),
            Wish::Programme => {
                let mut programme = self.hall.programme();
                self.air.lock().unwrap_or_else(PoisonError::into_inner).tell(&mut programme);
                Granted::Programme(Box::new(programme))
            }
            Wish::Timeline(table) => Granted::Nothing(format!("what happened at {table} is read aside")),
            Wish::Vitals => Granted::Vitals(Box::new(self.vitals())),
            Wish::Order(order) => match self.carry_out(order, by, now, turn) {
                Ok(at) => Granted::Order(at),
                Err(sentence) => Granted::Nothing(sentence),
            },
            Wish::Admissions(admissions) => {
                turn.in_the_name_of(by, |turn| admissions.iter().for_each(|change| turn.admit(change, now)));
                Granted::Admissions
            }
        };
        Reply { outcome, granted }
    }

    /// Gives the how-many-eth order of the turn it was, or a sentence that says why it was none.
    pub(super) fn carry_out(&mut self, order: Order, by: Giver, now: u64, turn: &mut Turn) -> Result<usize, String> {
        if let Some(sentence) = unfit(&order) {
            return Err(sentence);
        }
        let (at, follows) = (turn.orders(), Follows::of(&order.command));
        let order = self.dated(order);
        let handing = self.games_handed_over(&order);
        let taken = turn.in_the_name_of(by.clone(), |turn| self.take_order(order, now, turn));
        taken.map_err(|refusal| refusal.to_string())?;
        turn.in_the_name_of(by, |turn| handing.into_iter().for_each(|handing| self.hand_over(handing, now, turn)));
        match follows {
            Follows::Nothing => return Ok(at),
            Follows::Seats => self.seat_all(now, turn),
            Follows::Round(event, round) => {
                self.seat_all(now, turn);
                self.tidy_up(&event, round, now, turn);
                turn.add(at, self.before_a_round(&event, round));
            }
        }
        turn.gather(at);
        Ok(at)
    }

    /// What somebody should see to before a round that is open now.
    fn before_a_round(&self, event: &str, round: u16) -> Vec<String> {
        let boards = self.hall.boards_of(event, Some(round), &self.heard());
        let mut said = boards.map(|view| view.troubles()).unwrap_or_default();
        let running = self.hall.running_strays(event, round);
        if !running.is_empty() {
            let tables = running.iter().map(TableId::to_string).collect::<Vec<_>>().join(", ");
            said.push(format!("games run on at {tables}: \"take_over\" makes them games of this round"));
        }
        said
    }

    /// The boards that can be heard.
    fn heard(&self) -> BTreeSet<String> {
        self.ports.boards().cloned().collect()
    }

    /// The games an order takes over, as they are before it.
    fn games_handed_over(&self, order: &Order) -> Vec<Handing> {
        let handing = |(from, to)| {
            let game = self.hall.table(&from)?.handed_over()?;
            Some(Handing { boards: self.hall.boards_at(&from), is_ordered: order.at.is_some(), from, to, game })
        };
        self.hall.games_to_take_over(order).into_iter().filter_map(handing).collect()
    }

    /// A game goes on at another table: it ends at the old one, its boards move, and all that is known of it is told
    /// there. The hall has said before that the table is free.
    fn hand_over(&mut self, handing: Handing, now: u64, turn: &mut Turn) {
        let Handing { from, to, boards, game, is_ordered } = handing;
        if !is_ordered {
            let (event, round, number) = (to.event.clone(), to.round, Some(to.table));
            let leave = Order::to_table(from, Command::TakeOver { event, round, number });
            if let Err(refusal) = self.take_order(leave, now, turn) {
                return tracing::warn!(%to, "a game was not taken over: {refusal}");
            }
        }
        for board in boards {
            let assign = Order::to_table(to.clone(), Command::Assign { board });
            if let Err(refusal) = self.take_order(assign, now, turn) {
                tracing::warn!(%to, "a board stays where it was: {refusal}");
            }
        }
        let input = Input::TakenOver { table: to, game: Box::new(game) };
        turn.take(&mut self.hall, input, now).expect("only orders are refused");
    }

    /// A round is opened today, where nobody says otherwise.
    fn dated(&self, mut order: Order) -> Order {
        if let Command::OpenRound { event, round, date, .. } = &mut order.command
            && date.is_empty()
            && self.hall.date_of(event, *round).is_none()
        {
            *date = today();
        }
        order
    }

    /// A round was opened: earlier ones of its event that are played out leave the wall, and so does the round of the day
    /// once nobody plays in it.
    fn tidy_up(&mut self, event: &str, round: u16, now: u64, turn: &mut Turn) {
        let played_out = self.hall.played_out(event, round).into_iter();
        let closing = played_out.map(|round| Command::CloseRound { event: event.to_owned(), round });
        let strays = self.hall.strays(event).into_iter();
        let strays = strays.map(|(event, round)| Command::CloseRound { event, round });
        for command in closing.chain(strays).collect::<Vec<_>>() {
            self.take_order(Order::to_hall(command), now, turn).expect("the hall has named it itself");
        }
    }

    /// A new round is open: whoever can be heard sits down in it, in the order of the tables.
    fn seat_all(&mut self, now: u64, turn: &mut Turn) {
        let place = |board: &String| (self.hall.table_of(board).map(|id| id.table), board.clone());
        let boards = self.ports.boards().map(place).collect::<BTreeSet<_>>();
        for (_, board) in boards {
            self.seat(&board, now, turn);
        }
    }

    /// A board that is moved to another table while it can be heard takes its cable along: the old table hears it no
    /// more, the new one hears it whole.
    fn take_order(&mut self, order: Order, now: u64, turn: &mut Turn) -> Result<(), Refusal> {
        let Command::Assign { board } = &order.command else {
            return turn.take(&mut self.hall, Input::Ordered(order), now);
        };
        let board = board.clone();
        let old = self.hall.table_of(&board).cloned();
        turn.take(&mut self.hall, Input::Ordered(order), now)?;
        let new = self.hall.table_of(&board).cloned();
        let (Some(old), Some(new)) = (old, new) else { return Ok(()) };
        if old != new && self.hall.table(&old).is_some_and(hall::table::Table::is_linked) {
            self.link(old, &board, Link::Down, now, turn);
            self.link(new, &board, Link::Up, now, turn);
            if let Some(port) = self.ports.port(&board) {
                self.watch.ask_board(port);
            }
        }
        Ok(())
    }

    fn link(&mut self, table: TableId, board: &str, link: Link, now: u64, turn: &mut Turn) {
        let input = Input::Observed { table, board: board.to_owned(), observation: Observation::Link(link) };
        turn.take(&mut self.hall, input, now).expect("only orders are refused");
    }

    pub(super) fn ask(&self, turn: &mut Turn) {
        for ask in turn.take_asks() {
            match ask {
                Ask::Dump { board } => {
                    if let Some(port) = self.ports.port(&board) {
                        self.watch.ask_board(port);
                    }
                }
                Ask::Proof { table, doubts } => self.prover.ask(&table, doubts),
            }
        }
    }

    /// What a search has come to. The game may have gone on meanwhile, so that nobody asks any more.
    fn take_found(&mut self, (table, answer): Searched, turn: &mut Turn) {
        let now = self.not_before(self.now());
        if let Err(refusal) = turn.take(&mut self.hall, Input::Searched { table: table.clone(), answer }, now) {
            tracing::debug!(%table, "an answer was not used: {refusal}");
        }
    }

    /// Shows what may be shown and hands in what must be written down; what follows is told when it is.
    pub(super) fn close(&mut self, turn: Turn, replies: Vec<Reply>) {
        let Closed { seen, batches, mut entries } = turn.close();
        seen.into_iter().for_each(|seen| self.show(seen));
        if self.awaited.is_late() {
            take_sights(&mut entries.events).into_iter().filter_map(Seen::of).for_each(|seen| self.show(seen));
        }
        if batches.is_empty() {
            Reply::send_all(replies, Vec::new());
        } else if entries.events.is_empty() && replies.is_empty() {
            self.journal.note(batches);
        } else {
            self.awaited.push(self.journal.hand_in(batches, entries), replies);
        }
    }

    /// Shows what is seen, behind what of the same table is on its way to the disk. While the disk does not answer it
    /// is shown all the same, and no move of it as final that is not on disk.
    fn show(&mut self, seen: Seen) {
        let Seen { table, t, mut sight } = seen;
        if let Sight::Clock { .. } = &sight {
            self.book.lock().unwrap_or_else(PoisonError::into_inner).see(&table, &sight);
            self.voices.see(&table, t, &sight);
        }
        if !self.awaited.holds(&table) {
            return self.feed.show(&table, t, vec![sight]);
        }
        if !self.awaited.is_late() {
            return self.awaited.put_behind(TableEvent { table: Some(table), t, event: sight.into() });
        }
        if let Sight::Seen { settled, .. } = &mut sight {
            let book = self.book.lock().unwrap_or_else(PoisonError::into_inner);
            let kept = if self.awaited.begins(&table) { 0 } else { book.plies(&table) };
            *settled = kept.min(*settled);
        }
        self.feed.show(&table, t, vec![sight]);
    }

    /// The disk does not answer.
    fn be_late(&mut self) {
        tracing::error!("nothing is being recorded: the disk does not answer");
        let waiting = self.awaited.be_late();
        waiting.into_iter().filter_map(Seen::of).for_each(|seen| self.show(seen));
    }

    fn hear_of(&mut self, news: News) {
        match news {
            News::Committed { committed, replies, took } => {
                note_commit(&mut self.counts, took);
                note_told(&mut self.counts, &committed.get().events);
                self.tell(committed, replies);
            }
            News::Late => self.be_late(),
        }
        if self.alarm.note_late(self.awaited.is_late()) {
            self.feed.notice(self.alarm.notice());
        }
    }

    /// What was handed in is on disk: it is told.
    fn tell(&mut self, committed: Committed<Entries>, replies: Vec<Reply>) {
        self.book.lock().unwrap_or_else(PoisonError::into_inner).apply(&committed);
        self.feed.publish(&committed);
        self.put_on_air(&committed);
        self.speak(&committed);
        self.scribe.note(&committed);
        self.count(&committed.get().events);
        Reply::send_all(replies, committed.into_done());
    }

    /// Puts what is on disk on its way to spectators. Behind it something may wait that takes it back, so until that is on
    /// disk too their time goes on no further than here.
    fn put_on_air(&mut self, committed: &Committed<Entries>) {
        let last = committed.get().events.iter().map(|event| event.t).max();
        let now = if self.is_recording() { Some(self.now()) } else { last };
        let mut air = self.air.lock().unwrap_or_else(PoisonError::into_inner);
        air.take(committed, now.unwrap_or_default());
        self.feed.air(air.pictures());
        self.press.ring();
    }

    /// When something will be old enough for spectators.
    pub(super) fn on_air_at(&self) -> Option<u64> {
        let due = self.air.lock().unwrap_or_else(PoisonError::into_inner).due();
        due.filter(|_| self.is_recording())
    }

    /// Whether everything that has happened is on disk. While it is not, what spectators are shown stands still.
    fn is_recording(&self) -> bool {
        self.awaited.is_empty() && !self.alarm.is_outage()
    }

    pub(super) fn go_on_air(&self) {
        let mut air = self.air.lock().unwrap_or_else(PoisonError::into_inner);
        if self.is_recording() {
            air.elapse(self.now());
        }
        self.feed.air(air.pictures());
        self.press.ring();
    }

    /// Waits for the disk, but no longer than a while.
    pub(super) async fn settle(&mut self, patience: Duration) -> Result<(), JournalError> {
        let until = tokio::time::Instant::now() + patience;
        while !self.awaited.is_empty() {
            match tokio::time::timeout_at(until, self.awaited.next()).await {
                Ok(news) => self.hear_of(news?),
                Err(_) => return Ok(()),
            }
        }
        Ok(())
    }
}

async fn at(due: Option<u64>, clock: Monotonic, epoch: u64) {
    match due {
        Some(at) => clock.sleep_until(at.saturating_sub(epoch)).await,
        None => pending().await,
    }
}
