//! A table with a board and a clock that do what a case says.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use hall::{
    Millis,
    table::{Said, Say, Table},
};
use laws::dead::Budget;
use protocol::{
    board::{ClockReading, ClockSense, Content, Contents, Face, FaceReading, Lie, Link, Observation, WireSquare},
    feed::{AlertKind, Command, Entry, GameResult, Rules, Side, Sight, State, Supervision, Variant},
};
use serde::Serialize;
use serde_json::{Value, json};
use shakmaty::{
    Bitboard, CastlingMode, Chess, Color, EnPassantMode, File, FromSetup, Move, Position, Rank, Square, fen::Fen,
    uci::UciMove,
};

use super::{
    case::{Case, Counts, Event, Sensor, What},
    story::{SeenAt, Story},
};

/// What came out of a case, in the shape that scripts judge.
#[derive(Debug, Serialize)]
pub struct Outcome {
    id: String,
    edition: String,
    #[serde(flatten)]
    game: Told,
    /// Orders that were not carried out, and why.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    refused: Vec<String>,
}

/// What was told of one game, and of the one that came after it.
#[derive(Debug, Serialize)]
struct Told {
    #[serde(rename = "final")]
    line: Vec<Value>,
    final_uci: Vec<String>,
    fen: String,
    physical: String,
    state: State,
    result: GameResult,
    proposal: Option<Value>,
    alerts: Vec<Value>,
    seen: Vec<SeenAt>,
    final_at: Vec<i64>,
    corrections: Vec<Value>,
    touch: Vec<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<Box<Told>>,
}

/// The moment the file calls zero: before it lie the moves that were played without incident.
const ZERO: Millis = 100_000_000;

/// Moves before zero are played at leisure: every rest that matters is shorter.
const LEISURE: Millis = 20_000;

/// A table with a board and a clock that do what the file says.
struct Stage {
    table: Table,
    said: Vec<Said>,
    lie: Lie,
    /// What really stands on the board, as the board would report it.
    squares: Contents,
    lever: Option<Lever>,
    played_before: usize,
    start: Chess,
    variant: Variant,
    /// The board tells only where something stands.
    nameless: bool,
    refused: Vec<String>,
}

/// A clock that keeps time, except where the case writes down what it shows.
struct Lever {
    /// Whose end of the lever is up.
    to_move: Side,
    /// Whose face goes down: the case may show that it is the other one.
    counts: Side,
    /// One of the faces counts.
    runs: bool,
    /// Nobody hears it.
    unheard: bool,
    ms: BTreeMap<Side, u64>,
    flags: BTreeMap<Side, bool>,
    /// Whose times the case has written down.
    written: BTreeSet<Side>,
    /// What a press brings.
    added_ms: u64,
    /// Since when the player to move has thought.
    since: Millis,
}

impl Lever {
    /// So much is left to both, and the side to move thinks.
    fn started(to_move: Side, left_ms: u64, rules: &Rules, now: Millis) -> Lever {
        Lever {
            to_move,
            counts: to_move,
            runs: true,
            unheard: false,
            ms: BTreeMap::from([(Side::White, left_ms), (Side::Black, left_ms)]),
            flags: BTreeMap::new(),
            written: BTreeSet::new(),
            added_ms: rules.periods.first().map_or(0, |period| u64::from(period.increment_s) * 1000),
            since: now,
        }
    }

    /// Time passes for the player to move.
    fn run_to(&mut self, now: Millis) {
        let passed = now.saturating_sub(std::mem::replace(&mut self.since, now));
        let left = self.ms.entry(self.counts).or_default();
        *left = left.saturating_sub(if self.runs { passed } else { 0 });
    }

    fn press(&mut self, now: Millis) {
        self.run_to(now);
        *self.ms.entry(self.to_move).or_default() += self.added_ms;
        self.to_move = self.to_move.other();
        self.counts = self.to_move;
    }

    /// An end that is down is pressed: nobody has heard the other one, and this player's face has run until then.
    fn press_unmoved(&mut self, side: Side, now: Millis) {
        self.run_to(now);
        self.counts = side.other();
        self.written.remove(&side);
    }

    /// The case writes down this time. A face that goes down by a second or two counts, whatever the lever says, and the
    /// other one has stood.
    fn show(&mut self, side: Side, ms: u64, now: Millis) {
        let gone_down = self.ms.get(&side).map_or(0, |before| before.saturating_sub(ms));
        if self.runs && side != self.counts && self.written.contains(&side) && (1..=2_000).contains(&gone_down) {
            (self.counts, self.since) = (side, now);
        }
        self.run_to(now);
        self.ms.insert(side, ms);
    }
}

impl Case {
    /// Plays the case once for each of its editions; cases without events are not played.
    pub fn play(&self) -> Vec<Outcome> {
        let Some(events) = &self.events else { return Vec::new() };
        self.editions().map(|edition| self.play_in(&edition, events)).collect()
    }

    fn play_in(&self, edition: &str, events: &[Event]) -> Outcome {
        let mut stage = Stage::set(self, &self.rules(edition));
        for (at, event) in events.iter().enumerate() {
            stage.act(event);
            // Both faces of one moment are one reading.
            let goes_on = |next: &Event| next.t == event.t && matches!(next.what, What::ClockTime { .. });
            if matches!(event.what, What::ClockTime { .. }) && !events.get(at + 1).is_some_and(goes_on) {
                stage.tell_clock(ZERO + event.t);
            }
        }
        stage.run_to(self.end.max(events.last().map_or(0, |event| event.t)));
        stage.outcome(&self.id, edition)
    }
}

impl Stage {
    fn set(case: &Case, rules: &Rules) -> Stage {
        let lie = if case.turned { Lie::Turned } else { Lie::Straight };
        // Half a turn takes the clock round with the board; any other turn leaves it where it is.
        let lie = if case.prior.physical_rotated == Some(180) { lie.turned() } else { lie };
        let fen = case
            .start_fen
            .clone()
            .unwrap_or_else(|| Fen::from_position(&Chess::default(), EnPassantMode::Legal).to_string());
        let mode = case.variant.into();
        let start = laws::position::read(&fen, mode).expect("a case is looked through before it is played");
        let wrong = case.prior.initial_wrong.as_ref().filter(|_| rules.supervision == Supervision::Limited);
        let start = wrong.map_or(start.clone(), |wrong| without_rights(&start, wrong, mode));
        let fen = Fen::from_position(&start, EnPassantMode::Always).to_string();
        let mut now = ZERO - LEISURE * (case.moves_uci.len() as u64 + 2);
        // An hour is left at zero, or more.
        let hour = 3_600_000 + (ZERO - now);
        // The clock of the side to move runs, also where nobody is told what was played.
        let unheard = if case.start_known { 0 } else { case.moves_uci.len() };
        let to_move = if unheard.is_multiple_of(2) { start.turn() } else { !start.turn() };
        let lever = case.clock.then(|| Lever::started(to_move.into(), hour, rules, now));
        let mut stage = Stage {
            table: Table::new(case.settings().unwrap_or_default()),
            said: Vec::new(),
            lie,
            squares: Contents::of(start.board(), lie),
            lever,
            played_before: case.moves_uci.len() - unheard,
            start: start.clone(),
            variant: case.variant,
            nameless: case.sensor == Sensor::Occupancy,
            refused: Vec::new(),
        };
        stage.order(&Command::Rules { rules: Box::new(rules.clone()) }, now);
        stage.observe(Observation::Link(Link::Up), now);
        stage.tell_clock(now);
        if !case.start_known {
            return stage;
        }
        stage.dump(now);
        stage.order(&Command::NewGame { fen: Some(fen), variant: case.variant }, now);
        if let Some(Counts { white, black }) = case.prior.illegal {
            stage.order(&Command::IllegalMoves { white, black }, now);
        }
        let mut position = start;
        for text in &case.moves_uci {
            now += LEISURE;
            let played = text.parse::<UciMove>().ok().and_then(|uci| uci.to_move(&position).ok());
            let Some(played) = played else { break };
            stage.play(&position, played, now);
            position.play_unchecked(played);
        }
        stage.lose_right(case, position.turn().into(), now + LEISURE / 2);
        stage.put_otherwise(case, lie, now + LEISURE / 2);
        let before = |say: &Say| {
            matches!(
                say,
                Say::Entry(Entry::Alert(_) | Entry::Proposal(_) | Entry::Noted { .. })
                    | Say::Sight(Sight::Touch { .. })
            )
        };
        stage.said.retain(|(_, say)| !before(say));
        stage
    }

    /// The right is that of the move to come, counted as a move or as the position it is made in; at an earlier one it has
    /// revived since.
    fn lose_right(&mut self, case: &Case, to_move: Side, now: Millis) {
        let plies = case.moves_uci.len();
        if case.prior.claim_right_lost_at_ply.is_some_and(|ply| ply == plies || ply == plies + 1) {
            self.order(&Command::Report { kind: AlertKind::ClaimRightLost, side: Some(to_move) }, now);
        }
    }

    /// The board stands otherwise than the game.
    fn put_otherwise(&mut self, case: &Case, lie: Lie, now: Millis) {
        let physical = case.physical_start.as_ref().or(case.prior.physical_board.as_ref());
        let differing = physical.and_then(|text| placement(text, lie));
        let rotated = case.prior.physical_rotated.filter(|degrees| *degrees != 180);
        let rotated = rotated.map(|degrees| rotate(&self.squares, degrees));
        if let Some(contents) = differing.or(rotated) {
            self.squares = contents;
            self.dump(now);
        }
    }

    /// One move by a calm hand.
    fn play(&mut self, position: &Chess, played: Move, now: Millis) {
        let mut after = position.clone();
        after.play_unchecked(played);
        let (before, after) = (Contents::of(position.board(), self.lie), Contents::of(after.board(), self.lie));
        for emptied in [true, false] {
            for square in WireSquare::all() {
                let (was, content) = (before.get(square), after.get(square));
                // A board that names nobody does not tell that one man stands where another one stood: he is taken off first.
                let is_taken = self.nameless && was != Content::Empty;
                if content == was {
                    continue;
                }
                if emptied && (content == Content::Empty || is_taken) {
                    self.put(square, Content::Empty, now);
                } else if !emptied && content != Content::Empty {
                    self.put(square, content, now);
                }
            }
        }
        self.press(position.turn().into(), now + 1000);
        self.search(now + 1000);
    }

    fn run_to(&mut self, t: Millis) {
        self.table.elapse(ZERO + t, &mut self.said);
        self.search(ZERO + t);
    }

    fn act(&mut self, event: &Event) {
        let now = ZERO + event.t;
        match &event.what {
            // The file's squares are those the board reports.
            What::Lift { sq } => self.put(*sq, Content::Empty, now),
            What::Place { sq, piece } => {
                let content = Content::try_from(*piece).unwrap_or(Content::Occupied);
                self.put(*sq, content, now);
            }
            What::Dump { placement: text, occupied } => {
                if !occupied.is_empty() {
                    self.squares = Contents::EMPTY;
                    occupied.iter().for_each(|square| self.squares.set(*square, Content::Occupied));
                }
                if let Some(contents) = text.as_ref().and_then(|text| placement(text, Lie::Straight)) {
                    self.squares = contents;
                }
                self.dump(now);
            }
            What::Press { side } => self.press(*side, now),
            What::ClockTime { side, remaining_ms } => self.show_time(*side, *remaining_ms, now),
            What::Flag { side } => {
                if let Some(lever) = &mut self.lever {
                    lever.flags.insert(*side, true);
                    lever.ms.insert(*side, 0);
                }
                self.tell_clock(now);
            }
            What::ClockRun { side } => self.run_clock(*side, now),
            What::ClockLink { state } => {
                self.lever.iter_mut().for_each(|lever| lever.unheard = *state == Link::Down);
                self.tell_clock(now);
            }
            What::Link { state } => self.observe(Observation::Link(*state), now),
            What::Claim { side, claim, intended_uci } => {
                let order = json!({ "command": "claim", "side": side, "claim": claim, "intended": intended_uci });
                self.order_as_written(order, now);
            }
            What::DrawOffer { side } => self.order(&Command::DrawOffer { side: *side }, now),
            What::DrawAccept { side } => self.order(&Command::DrawAccept { side: *side }, now),
            What::DrawDecline { side } => self.order(&Command::DrawDecline { side: *side }, now),
            What::Resign { side } => self.order(&Command::Resign { side: *side }, now),
            What::AdjustAnnounced { side } => self.order(&Command::AdjustAnnounced { side: *side }, now),
            What::Announce { side, text } => {
                self.order(&Command::Announce { side: *side, text: text.clone(), play: false }, now)
            }
            What::Arbiter { command } => self.order_as_written(Value::Object(command.clone()), now),
            What::Unknown => self.table.elapse(now, &mut self.said),
        }
        self.search(now);
    }

    /// What the table asks aside is searched at once: a count of positions, so that a case gives the same everywhere.
    fn search(&mut self, now: Millis) {
        let mut doubts = VecDeque::new();
        loop {
            for (_, say) in self.said.extract_if(.., |(_, say)| matches!(say, Say::AskProof(_))) {
                if let Say::AskProof(asked) = say {
                    doubts = asked.into();
                }
            }
            let Some(doubt) = doubts.pop_front() else { return };
            // After the answer to one question nobody may ask the other one any more.
            _ = self.table.answer(&doubt.search(Budget::BACKGROUND), now, &mut self.said);
        }
    }

    /// What the case writes down of a player's clock. The first time is no leap: it says what the clock was set to.
    fn show_time(&mut self, side: Side, ms: u64, now: Millis) {
        self.table.elapse(now, &mut self.said);
        if let Some(lever) = &mut self.lever {
            lever.show(side, ms, now);
            if lever.written.insert(side) {
                let [white_ms, black_ms] = [lever.ms[&Side::White], lever.ms[&Side::Black]];
                let order = Command::AdjustTimes { white_ms, black_ms };
                // Without a game there is no count of the clock either.
                self.table.order(&order, now, &mut Vec::new()).unwrap_or_default();
            }
        }
    }

    /// The clock of this side runs from here on, or both stand. Time passes for whoever had it until now.
    fn run_clock(&mut self, side: Option<Side>, now: Millis) {
        if let Some(lever) = &mut self.lever {
            lever.run_to(now);
            lever.runs = side.is_some();
            lever.to_move = side.unwrap_or(lever.to_move);
            lever.counts = lever.to_move;
        }
        self.tell_clock(now);
    }

    /// An order as it would come to `POST /command`.
    fn order_as_written(&mut self, order: Value, now: Millis) {
        match serde_json::from_value::<Command>(order) {
            // When an alert was raised is written as all times of the case are.
            Ok(Command::Dismiss { kind, at, note }) => {
                self.order(&Command::Dismiss { kind, at: ZERO + at, note }, now);
            }
            Ok(command) => self.order(&command, now),
            Err(error) => self.refused.push(error.to_string()),
        }
    }

    fn order(&mut self, command: &Command, now: Millis) {
        self.table.elapse(now, &mut self.said);
        if let Err(refusal) = self.table.order(command, now, &mut self.said) {
            self.refused.push(refusal.to_string());
        }
    }

    fn put(&mut self, square: WireSquare, content: Content, now: Millis) {
        self.squares.set(square, content);
        let content = self.told(content);
        self.observe(Observation::Square { square, content }, now);
    }

    fn dump(&mut self, now: Millis) {
        let contents = Contents(self.squares.0.map(|content| self.told(content)));
        self.observe(Observation::Board(Box::new(contents)), now);
    }

    /// What the sensor tells of what stands there.
    fn told(&self, content: Content) -> Content {
        if self.nameless && content != Content::Empty { Content::Occupied } else { content }
    }

    /// A press moves the lever where it can be moved; a case may also press twice on one side.
    fn press(&mut self, side: Side, now: Millis) {
        match &mut self.lever {
            Some(lever) if lever.to_move == side => {
                lever.press(now);
                self.tell_clock(now);
            }
            lever => {
                lever.iter_mut().for_each(|lever| lever.press_unmoved(side, now));
                self.table.elapse(now, &mut self.said);
                self.table.press(side, now, &mut self.said);
            }
        }
    }

    fn tell_clock(&mut self, now: Millis) {
        let Some(lever) = self.lever.as_mut().filter(|lever| !lever.unheard) else {
            return self.observe(Observation::Clock(ClockSense::Absent), now);
        };
        lever.run_to(now);
        let face_of =
            |side| if (side == Side::White) == (self.lie == Lie::Straight) { Face::Left } else { Face::Right };
        let reading = |face| {
            let side = if face_of(Side::White) == face { Side::White } else { Side::Black };
            let seconds = u32::try_from(lever.ms[&side] / 1000).unwrap_or(u32::MAX);
            FaceReading { seconds, flag: lever.flags.contains_key(&side) }
        };
        let high = face_of(lever.to_move);
        let (left, right) = (reading(Face::Left), reading(Face::Right));
        let sense = ClockReading { left, right, running: lever.runs, high, to_move: Some(high), battery_low: false };
        self.observe(Observation::Clock(ClockSense::Reading(sense)), now);
    }

    fn observe(&mut self, observation: Observation, now: Millis) {
        self.table.elapse(now, &mut self.said);
        self.table.observe("scenario", &observation, now, &mut self.said);
    }

    fn outcome(self, id: &str, edition: &str) -> Outcome {
        let mut story = Story::new(self.played_before);
        for (at, say) in &self.said {
            story.hear(i64::try_from(*at).unwrap_or(0) - i64::try_from(ZERO).unwrap_or(0), say);
        }
        let game = self.told_of(story, self.played_before);
        Outcome { id: id.to_owned(), edition: edition.to_owned(), game, refused: self.refused }
    }

    /// What was told of a game, but for the moves played before.
    fn told_of(&self, story: Story, played_before: usize) -> Told {
        let mode = self.variant.into();
        let record = story.record(&self.start, mode);
        let skip = played_before.min(record.moves.len());
        Told {
            line: record.line.get(skip..).unwrap_or_default().to_vec(),
            final_uci: record.moves.get(skip..).unwrap_or_default().to_vec(),
            fen: record.fen,
            physical: self.table.physical(),
            state: story.state,
            result: story.result,
            proposal: story.proposal,
            alerts: story.alerts,
            seen: story.seen,
            final_at: story.final_at.get(skip..).unwrap_or_default().to_vec(),
            corrections: story.corrections,
            touch: story.touch,
            next: story.next.map(|next| Box::new(self.told_of(*next, 0))),
        }
    }
}

/// A king that stood wrong at the start can't castle, nor can a rook that did, once it is too late to claim. `wrong` names
/// the man and a square, in whatever keys.
fn without_rights(start: &Chess, wrong: &Value, mode: CastlingMode) -> Chess {
    let text = wrong.to_string();
    let words = text.split(|c: char| !c.is_ascii_alphanumeric()).collect::<Vec<_>>();
    let square = words.iter().find_map(|word| word.parse::<Square>().ok());
    let is = |names: &[&str]| words.iter().any(|word| names.contains(word));
    let black = is(&["black", "k", "r"]) || square.is_some_and(|square| square.rank() == Rank::Eighth);
    let side = Color::from_white(!black);
    let mut setup = start.to_setup(EnPassantMode::Legal);
    let home = setup.castling_rights & Bitboard::from_rank(side.fold_wb(Rank::First, Rank::Eighth));
    let lost = if is(&["king", "K", "k"]) {
        home
    } else {
        let left = square.is_some_and(|square| square.file() < File::E);
        home.into_iter().filter(|rook| (rook.file() < File::E) == left).collect()
    };
    setup.castling_rights &= !lost;
    Chess::from_setup(setup, mode).unwrap_or_else(|_| start.clone())
}

fn placement(text: &str, lie: Lie) -> Option<Contents> {
    let contents = text.split(' ').next()?.parse::<Contents>().ok()?;
    Some(match lie {
        Lie::Straight => contents,
        Lie::Turned => Contents::of(&contents.board(Lie::Straight), Lie::Turned),
    })
}

/// The men as a board turned by so many degrees clockwise reports them.
fn rotate(contents: &Contents, degrees: u16) -> Contents {
    let turns = degrees / 90 % 4;
    (0..turns).fold(*contents, |before, _| {
        let mut after = Contents::EMPTY;
        for square in WireSquare::all() {
            let at = square.on(Lie::Straight).rotate_90();
            after.set(WireSquare::under(at, Lie::Straight), before.get(square));
        }
        after
    })
}
