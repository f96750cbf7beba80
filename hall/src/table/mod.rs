//! One table: inputs become the events of one game after another.

mod clock;
mod finding;
mod game;

use std::collections::BTreeSet;

use laws::{Edition, Ending, Rule, touch::Suspicion};
use protocol::{
    board::{ClockSense, Lie, Link, Observation},
    feed::{
        Action, Alert, AlertKind, Command, Correction, Entry, Evidence, GameResult, ResultReason, Severity, Side,
        Sight, State, TouchKind,
    },
};
use shakmaty::{CastlingMode, Chess, Color, Move, Piece, Position, Square, san::SanPlus};

use crate::{
    Millis, Refusal, Settings,
    hand::{
        Deed, Finished, Hand, Opening, Rethought, Sign,
        press::{Mismatch, Verdict},
    },
    input::StoredRecord,
};
use clock::Clock;
use game::Game;

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
    /// What screens were told of the visible line.
    shown: Option<Sight>,
    tail: Vec<Move>,
    board: Option<String>,
    /// The boards that can be heard.
    linked: BTreeSet<String>,
    edition: Edition,
    /// Completed illegal moves, and what counts as one, of White and of Black.
    offences: [u32; 2],
    /// What the kings have shown.
    signalled: bool,
    /// The lever may have been moved while nothing was heard.
    lever_unread: bool,
}

/// What a table says: a sight, an entry, or that its board should be asked for a dump.
#[derive(Clone, Debug, PartialEq)]
pub enum Say {
    /// To be shown at once.
    Sight(Sight),
    /// To be published once the inputs it follows from are on disk.
    Entry(Entry),
    /// Ask this board for a dump.
    AskDump(String),
}

/// What a table says, with the time it said it.
pub type Said = (Millis, Say);

impl Table {
    /// An empty table.
    pub fn new(settings: Settings) -> Table {
        Table {
            hand: Hand::new(settings),
            clock: Clock::default(),
            game: None,
            games: 0,
            state: State::Waiting,
            shown: None,
            tail: Vec::new(),
            board: None,
            linked: BTreeSet::new(),
            edition: Edition::default(),
            offences: [0; 2],
            signalled: false,
            lever_unread: false,
        }
    }

    /// When to come back at the latest.
    pub fn deadline(&self) -> Option<Millis> {
        self.hand.deadline().map(|(at, _)| at)
    }

    /// Does everything that is due up to `now`, each at its own time.
    pub fn elapse(&mut self, now: Millis, out: &mut Vec<Said>) {
        loop {
            let due = self.hand.deadline();
            let mut deeds = Vec::new();
            if !self.hand.wake(now, &mut deeds) {
                return;
            }
            let at = due.map_or(now, |(at, _)| at);
            self.follow(deeds, at, out);
        }
    }

    /// A board at this table reported something.
    pub fn observe(&mut self, board: &str, observation: &Observation, now: Millis, out: &mut Vec<Said>) {
        self.board = Some(board.to_owned());
        let sign = match observation {
            Observation::Square { square, content } => Sign::Square(*square, *content),
            Observation::Board(contents) => Sign::Board(contents.clone()),
            Observation::Clock(sense) => return self.hear_clock(sense, now, out),
            Observation::Link(link) => return self.link(board, *link, now, out),
        };
        self.tell_hand(&sign, now, out);
        self.follow_lever(now, out);
    }

    /// A player pressed the clock.
    pub fn press(&mut self, side: Side, now: Millis, out: &mut Vec<Said>) {
        self.tell_hand(&Sign::Press(side.into()), now, out);
    }

    /// Carries out an order for this table, or says why not.
    pub fn order(&mut self, command: &Command, now: Millis, out: &mut Vec<Said>) -> Result<(), Refusal> {
        match command {
            Command::NewGame { fen, variant } => {
                let initial = game::fen(&Chess::default());
                let start = fen.as_deref().unwrap_or(&initial);
                let game = Game::read(self.games + 1, start, *variant, &[])?;
                self.begin(game, self.hand.lie(), now, out);
            }
            Command::Undo { plies } => self.undo(*plies, Correction::Arbiter, now, out)?,
            Command::TurnBoard => self.turn_board(now, out)?,
            Command::Result { result } => self.give_result(*result, now, out)?,
            Command::OpenRound { .. } | Command::Pair { .. } | Command::Assign { .. } => {
                return Err(Refusal::because("this order is for the hall, not for a table"));
            }
        }
        Ok(())
    }

    /// The daemon is back. What stood in the record stands.
    pub fn resume(&mut self, stored: Option<&StoredRecord>, now: Millis, out: &mut Vec<Said>) {
        if !std::mem::take(&mut self.linked).is_empty() {
            // No alert: nobody pulled a cable. But a board that does not come back must not be shown as heard.
            let board = self.board.clone().unwrap_or_default();
            out.push((now, Say::Sight(Sight::Link { board, state: Link::Down })));
        }
        self.lose_lever();
        self.tell_hand(&Sign::Link(false), now, out);
        let Some(stored) = stored else { return };
        let Ok(mut game) = Game::read(stored.game, &stored.fen, stored.variant, &stored.moves) else { return };
        game.result = stored.result;
        self.games = stored.game;
        self.tail.clear();
        self.shown = None;
        let mut deeds = Vec::new();
        self.hand.correct(game.position().clone(), game.earlier(), now, &mut deeds);
        if game.result == GameResult::Open {
            self.state = State::Playing;
            self.hand.resume(now, &mut deeds);
        } else {
            self.state = State::Ended;
            self.hand.end(now, &mut deeds);
        }
        self.game = Some(game);
        self.follow(deeds, now, out);
        say(out, now, finding::plain(AlertKind::RecordDiffers, Severity::Major));
        say_entry(out, now, Entry::State { state: self.state });
        self.show(now, out);
    }

    /// The current game as it would be stored; none before the first.
    pub fn record(&self) -> Option<StoredRecord> {
        let game = self.game.as_ref()?;
        Some(StoredRecord {
            game: game.number,
            fen: game.start_fen(),
            variant: game.variant(),
            moves: game.ucis(),
            result: game.result,
        })
    }

    /// The table's board can be heard.
    pub fn is_linked(&self) -> bool {
        !self.linked.is_empty()
    }

    /// What stands on the board, as squares of the game.
    pub fn physical(&self) -> String {
        self.hand.board().to_string()
    }

    /// The how-many-eth game is on; 0 before the first.
    pub fn games(&self) -> u32 {
        self.games
    }

    fn hear_clock(&mut self, sense: &ClockSense, now: Millis, out: &mut Vec<Said>) {
        let heard = self.clock.hear(sense, self.hand.lie(), now);
        if let Some(sight) = heard.sight {
            out.push((now, Say::Sight(sight)));
        }
        if let Some(side) = heard.press {
            self.press(side, now, out);
        }
        self.tell_pressing(now, out);
        self.follow_lever(now, out);
    }

    fn tell_pressing(&mut self, now: Millis, out: &mut Vec<Said>) {
        let to_move = self.game.as_ref().map_or(Color::White, |game| game.position().turn());
        let pressing = self.clock.pressing(self.hand.lie(), to_move.into());
        self.tell_hand(&Sign::Pressing(pressing), now, out);
    }

    fn link(&mut self, board: &str, link: Link, now: Millis, out: &mut Vec<Said>) {
        let was_up = self.is_linked();
        match link {
            Link::Up => self.linked.insert(board.to_owned()),
            Link::Down => self.linked.remove(board),
        };
        let up = self.is_linked();
        if let Some(other) = self.linked.first().filter(|_| link == Link::Down) {
            // The other board of the table goes on, and says how it stands.
            self.board = Some(other.clone());
            out.push((now, Say::AskDump(other.clone())));
            return;
        }
        if up != was_up {
            let board = self.board.clone().unwrap_or_default();
            out.push((now, Say::Sight(Sight::Link { board, state: link })));
            if self.state == State::Playing {
                let (kind, severity) =
                    if up { (AlertKind::LinkRestored, Severity::Info) } else { (AlertKind::LinkLost, Severity::Major) };
                say(out, now, finding::plain(kind, severity));
            }
        }
        if !up {
            self.lose_lever();
        }
        self.tell_hand(&Sign::Link(up), now, out);
    }

    /// What the clock showed before a silence says nothing about who has pressed since.
    fn lose_lever(&mut self) {
        self.clock.lose();
        self.lever_unread = true;
    }

    fn tell_hand(&mut self, sign: &Sign, now: Millis, out: &mut Vec<Said>) {
        let mut deeds = Vec::new();
        self.hand.handle(sign, now, &mut deeds);
        self.follow(deeds, now, out);
    }

    fn follow(&mut self, deeds: Vec<Deed>, now: Millis, out: &mut Vec<Said>) {
        for deed in deeds {
            match deed {
                Deed::Seen(tail) => {
                    self.tail = tail;
                    self.show(now, out);
                }
                Deed::Final(finished) => self.write(&finished, now, out),
                Deed::Rewritten { why, plies, moves } => {
                    let reason = match why {
                        Rethought::Promotion => Correction::PromotionPiece,
                        Rethought::WentOn => Correction::SlideContinued,
                        Rethought::Castled => Correction::CastlingRookFirst,
                    };
                    self.rewrite(plies, &moves, reason, now, out);
                }
                Deed::Gap { plies, others } => self.note_gap(plies, &others, now, out),
                Deed::Undecided(others) => self.note_alternatives(&others, now, out),
                Deed::Touched { piece, square, held, kind } => self.note_touch(piece, square, held, kind, now, out),
                Deed::Knocked(color) => {
                    let kind = AlertKind::DisplacedPieces;
                    let note = finding::by(Rule::Displaced, kind, Severity::Info, Some(color.into()), self.edition);
                    say(out, now, note);
                }
                Deed::Restored => say(out, now, finding::plain(AlertKind::PositionRestored, Severity::Info)),
                Deed::Pressed(color, verdict) => self.note_press(color.into(), verdict, now, out),
                Deed::OutOfTurn(color) => {
                    let (kind, side) = (AlertKind::MoveOutOfTurn, Some(color.into()));
                    say(out, now, finding::by(Rule::OutOfTurn, kind, Severity::Major, side, self.edition));
                    self.call_arbiter(now, out);
                }
                Deed::TouchedOutOfTurn(piece, square) => {
                    let (kind, side) = (AlertKind::TouchOutOfTurn, Some(piece.color.into()));
                    let note = finding::by(Rule::TouchOutOfTurn, kind, Severity::Minor, side, self.edition);
                    say(out, now, Alert { evidence: Some(finding::on(square)), ..note });
                }
                Deed::Mismatched(mismatch) => self.note_mismatch(mismatch, now, out),
                Deed::Held(squares) => {
                    let held = Sight::Held { held: !squares.is_empty(), squares: finding::names(squares) };
                    out.push((now, Say::Sight(held)));
                }
                Deed::Takeback(plies) => {
                    let mut note = finding::plain(AlertKind::Takeback, Severity::Minor);
                    note.plies = Some(plies);
                    say(out, now, note);
                    // The hand counted these plies in the record it was given, so they are there.
                    self.undo(plies, Correction::Takeback, now, out).expect("as many plies as the hand saw");
                }
                Deed::Signalled(winner) => self.note_signal(winner, now, out),
                Deed::NewGame(opening) => self.open(*opening, now, out),
                Deed::AskDump => {
                    if let Some(board) = &self.board {
                        out.push((now, Say::AskDump(board.clone())));
                    }
                }
            }
        }
    }

    fn note_touch(
        &mut self,
        piece: Piece,
        square: Square,
        held_ms: Millis,
        kind: TouchKind,
        now: Millis,
        out: &mut Vec<Said>,
    ) {
        let side = piece.color.into();
        let touch = Sight::Touch { side, sq: square.to_string(), piece: piece.char().to_string(), held_ms, kind };
        out.push((now, Say::Sight(touch)));
    }

    /// A press that completed no move.
    fn note_press(&mut self, side: Side, verdict: Verdict, now: Millis, out: &mut Vec<Said>) {
        match verdict {
            Verdict::NoMove => {
                let Some(article) = Rule::NoMovePress.article(self.edition) else { return };
                let kind = AlertKind::NoMoveClockPress;
                let mut note = finding::alert(kind, Severity::Major, Some(side), Some(article));
                note.count = Some(self.count(side));
                say(out, now, note);
                self.propose(finding::penalty(Action::Penalise, side), now, out);
            }
            Verdict::PromotionLeft(promotion) => {
                let (rule, kind) = (Rule::PromotionIncomplete, AlertKind::PromotionIncomplete);
                let mut note = finding::by(rule, kind, Severity::Major, Some(side), self.edition);
                note.count = Some(self.count(side));
                note.evidence = Some(finding::on(promotion.to()));
                say(out, now, note);
                // Since 2014 the pawn counts as a queen at once.
                let mut deeds = Vec::new();
                self.hand.force(promotion, now, &mut deeds);
                self.follow(deeds, now, out);
                self.propose(finding::penalty(Action::ReplaceByQueenAndPenalise, side), now, out);
            }
            Verdict::Illegal(illegality) => {
                let count = self.count(side);
                say(out, now, finding::illegal(illegality, side, count, self.edition));
                self.propose(finding::penalty(Action::RestoreAndPenalise, side), now, out);
            }
            Verdict::Mismatch(mismatch) | Verdict::Unseen(mismatch) => self.note_mismatch(mismatch, now, out),
        }
    }

    fn note_mismatch(&mut self, mismatch: Mismatch, now: Millis, out: &mut Vec<Said>) {
        let Some(game) = &self.game else { return };
        let note = finding::mismatch(mismatch, game.position().board(), self.hand.board(), self.edition);
        say(out, now, note);
        self.call_arbiter(now, out);
    }

    fn count(&mut self, side: Side) -> u32 {
        let count = &mut self.offences[usize::from(side == Side::Black)];
        *count += 1;
        *count
    }

    fn propose(&mut self, proposal: Entry, now: Millis, out: &mut Vec<Said>) {
        say_entry(out, now, proposal);
        self.call_arbiter(now, out);
    }

    fn call_arbiter(&mut self, now: Millis, out: &mut Vec<Said>) {
        if self.state == State::Playing {
            self.enter(State::AwaitingArbiter, now, out);
        }
    }

    fn open(&mut self, opening: Opening, now: Millis, out: &mut Vec<Said>) {
        let Opening { lie, position, mode } = opening;
        self.begin(Game::new(self.games + 1, position, mode), lie, now, out);
    }

    fn begin(&mut self, game: Game, lie: Lie, now: Millis, out: &mut Vec<Said>) {
        self.games = game.number;
        let position = game.position().clone();
        say_entry(out, now, Entry::Started { game: game.number, fen: game.start_fen(), variant: game.variant() });
        self.game = Some(game);
        let mode = game_mode(&self.game);
        self.tail.clear();
        self.shown = None;
        self.offences = [0; 2];
        self.signalled = false;
        // Said even if the last game was still on: a new game starts its own life.
        self.state = State::Playing;
        say_entry(out, now, Entry::State { state: State::Playing });
        self.show(now, out);
        let mut deeds = Vec::new();
        self.hand.begin(position, mode, lie, now, &mut deeds);
        self.follow(deeds, now, out);
        self.tell_pressing(now, out);
    }

    fn write(&mut self, finished: &Finished, now: Millis, out: &mut Vec<Said>) {
        let Some(game) = &mut self.game else { return };
        let mover = Side::from(game.position().turn());
        let written = game.push(finished.played);
        if self.tail.first() == Some(&finished.played) {
            self.tail.remove(0);
        }
        let ending = Ending::of(game.position());
        let clock_ms = self.clock.left_ms(mover, self.hand.lie());
        let game::Written { ply, san, uci, fen } = written;
        say_entry(out, now, Entry::Final { ply, san, uci, fen, clock_ms, inferred: finished.inferred });
        if let Some(Sight::Seen { settled, .. }) = &mut self.shown {
            *settled = ply;
        }
        if self.state == State::AwaitingArbiter {
            // A legal move on the record's position puts things right by itself; alerts and penalties stay open.
            self.enter(State::Playing, now, out);
        }
        self.note_suspicions(finished, mover, now, out);
        if let Some(ending) = ending {
            let (note, result, reason) = finding::ending(ending, mover, self.edition);
            say(out, now, note);
            if self.state == State::Playing {
                self.finish(result, reason, now, out);
            }
        } else {
            self.tell_pressing(now, out);
        }
    }

    /// What the making of a move suggests: evidence for the arbiter, never a decision.
    fn note_suspicions(&mut self, finished: &Finished, side: Side, now: Millis, out: &mut Vec<Said>) {
        let edition = self.edition;
        let major = |rule, kind| finding::by(rule, kind, Severity::Major, Some(side), edition);
        let minor = |rule, kind| finding::by(rule, kind, Severity::Minor, Some(side), edition);
        if let Some(suspicion) = finished.touch {
            say(out, now, finding::touch(suspicion, side, edition));
            if let Suspicion::RookFirst(rook) = suspicion {
                self.propose(finding::rook_first(rook), now, out);
            }
        }
        if let Some((first, dwell)) = finished.released {
            let evidence = Evidence { first: Some(first.to_string()), dwell_ms: Some(dwell), ..Evidence::default() };
            let note = major(Rule::ReleasedPiece, AlertKind::ReleasedPieceMoved);
            say(out, now, Alert { evidence: Some(evidence), ..note });
        }
        if let Some(square) = finished.exchanged {
            let note = major(Rule::PromotedExchanged, AlertKind::ReleasedPieceMoved);
            say(out, now, Alert { evidence: Some(finding::on(square)), ..note });
        }
        if let Some(square) = finished.duty {
            let note = major(Rule::CastlingDuty, AlertKind::CastlingDutySuspect);
            say(out, now, Alert { evidence: Some(finding::on(square)), ..note });
        }
        if finished.two_hands {
            say(out, now, minor(Rule::TwoHands, AlertKind::TwoHandsSuspect));
        }
        if finished.assumed {
            let note = minor(Rule::PromotionUnconfirmed, AlertKind::PromotionPieceUnconfirmed);
            say(out, now, Alert { evidence: Some(finding::on(finished.played.to())), ..note });
        }
    }

    /// Final moves were something else.
    fn rewrite(&mut self, plies: usize, moves: &[Move], reason: Correction, now: Millis, out: &mut Vec<Said>) {
        let Some(game) = &mut self.game else { return };
        let old = game.take_back(plies);
        let from_ply = game.len() + 1;
        let new = moves.iter().map(|played| game.push(*played).san).collect();
        say_entry(out, now, Entry::Corrected { from_ply, old, new, reason });
        self.shown = None;
        self.tail.clear();
        self.show(now, out);
    }

    fn finish(&mut self, result: GameResult, reason: ResultReason, now: Millis, out: &mut Vec<Said>) {
        if let Some(game) = &mut self.game {
            game.result = result;
        }
        say_entry(out, now, Entry::Result { result, reason });
        self.enter(State::Ended, now, out);
        let mut deeds = Vec::new();
        self.hand.end(now, &mut deeds);
        self.follow(deeds, now, out);
    }

    fn enter(&mut self, state: State, now: Millis, out: &mut Vec<Said>) {
        if self.state != state {
            self.state = state;
            say_entry(out, now, Entry::State { state });
        }
    }

    fn give_result(&mut self, result: GameResult, now: Millis, out: &mut Vec<Said>) -> Result<(), Refusal> {
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
        say_entry(out, now, Entry::Result { result, reason: ResultReason::Arbiter });
        self.enter(State::Playing, now, out);
        let mut deeds = Vec::new();
        self.hand.resume(now, &mut deeds);
        self.follow(deeds, now, out);
        Ok(())
    }

    fn undo(&mut self, plies: usize, reason: Correction, now: Millis, out: &mut Vec<Said>) -> Result<(), Refusal> {
        let Some(game) = &mut self.game else {
            return Err(Refusal::because("no game has begun at this table: nothing to take back"));
        };
        if game.len() == 0 {
            return Err(Refusal::because("the record has no moves yet: nothing to take back"));
        }
        if plies == 0 || plies > game.len() {
            return Err(Refusal::because(format!("the record has {} moves: take back 1 to {0} of them", game.len())));
        }
        let from_ply = game.len() - plies + 1;
        let old = game.take_back(plies);
        let (position, earlier) = (game.position().clone(), game.earlier());
        say_entry(out, now, Entry::Corrected { from_ply, old, new: Vec::new(), reason });
        self.shown = None;
        let mut deeds = Vec::new();
        self.hand.correct(position, earlier, now, &mut deeds);
        self.tail.clear();
        self.follow(deeds, now, out);
        self.show(now, out);
        Ok(())
    }

    fn turn_board(&mut self, now: Millis, out: &mut Vec<Said>) -> Result<(), Refusal> {
        let Some(game) = &self.game else {
            return Err(Refusal::because("no game has begun at this table: put the men on their squares first"));
        };
        let lie = match self.hand.lie() {
            Lie::Straight => Lie::Turned,
            Lie::Turned => Lie::Straight,
        };
        let (position, earlier, mode) = (game.position().clone(), game.earlier(), game.mode);
        let mut deeds = Vec::new();
        self.hand.begin(position.clone(), mode, lie, now, &mut deeds);
        self.hand.correct(position, earlier, now, &mut deeds);
        self.follow(deeds, now, out);
        Ok(())
    }

    fn note_gap(&mut self, plies: usize, others: &[Vec<Move>], now: Millis, out: &mut Vec<Said>) {
        let mut note = finding::plain(AlertKind::Resync, Severity::Minor);
        note.plies = Some(plies);
        say(out, now, note);
        self.note_alternatives(others, now, out);
    }

    fn note_alternatives(&mut self, others: &[Vec<Move>], now: Millis, out: &mut Vec<Said>) {
        if others.is_empty() {
            return;
        }
        let mut note = finding::plain(AlertKind::Ambiguous, Severity::Minor);
        let taken = &self.tail;
        note.alternatives = std::iter::once(taken).chain(others).map(|line| self.sans_after(line)).collect();
        say(out, now, note);
    }

    /// After a silence the lever tells whether the last ply was pressed while nothing was heard.
    fn follow_lever(&mut self, now: Millis, out: &mut Vec<Said>) {
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

    fn note_signal(&mut self, winner: Option<Color>, now: Millis, out: &mut Vec<Said>) {
        let result = winner.map_or(GameResult::Draw, |color| GameResult::win(color.into()));
        let Some(game) = &self.game else { return };
        if std::mem::replace(&mut self.signalled, true) {
            return;
        }
        let given = game.result;
        let (rule, kind, severity) = if given == GameResult::Open || given == result {
            (Rule::ResultSignalled, AlertKind::ResultSignalled, Severity::Info)
        } else {
            (Rule::ResultConflict, AlertKind::ResultConflict, Severity::Major)
        };
        let note = finding::by(rule, kind, severity, None, self.edition);
        say(out, now, Alert { signalled: Some(result), ..note });
        if given == GameResult::Open {
            self.propose(finding::proposed(result, ResultReason::KingsInCentre), now, out);
        }
    }

    /// Tells screens the visible line, if they were told another.
    fn show(&mut self, now: Millis, out: &mut Vec<Said>) {
        let Some(game) = &self.game else { return };
        let mut position = game.position().clone();
        let mut line = game.sans().map(str::to_owned).collect::<Vec<_>>();
        let mut last = game.last_uci().map(str::to_owned);
        for played in &self.tail {
            last = Some(played.to_uci(game.mode).to_string());
            line.push(SanPlus::from_move_and_play_unchecked(&mut position, *played).to_string());
        }
        let seen = Sight::Seen {
            settled: game.len(),
            placement: game::placement(&position),
            turn: position.turn().into(),
            check: position.is_check(),
            last,
            line,
        };
        if self.shown.as_ref() != Some(&seen) {
            self.shown = Some(seen.clone());
            out.push((now, Say::Sight(seen)));
        }
    }

    fn sans_after(&self, line: &[Move]) -> Vec<String> {
        let Some(game) = &self.game else { return Vec::new() };
        let mut position = game.position().clone();
        line.iter().map(|played| SanPlus::from_move_and_play_unchecked(&mut position, *played).to_string()).collect()
    }
}

fn game_mode(game: &Option<Game>) -> CastlingMode {
    game.as_ref().map_or(CastlingMode::Standard, |game| game.mode)
}

fn say(out: &mut Vec<Said>, now: Millis, alert: Alert) {
    say_entry(out, now, Entry::Alert(Box::new(alert)));
}

fn say_entry(out: &mut Vec<Said>, now: Millis, entry: Entry) {
    out.push((now, Say::Entry(entry)));
}
