//! Scenarios: written cases of hands, clocks and arbiters, played through a real table.
//!
//! The format is `escaque-scenario/1`: a JSON array of cases with events in milliseconds. The table is told what a
//! real one would be told, by the same observations; only the pace is the file's.

use std::collections::BTreeMap;

use hall::{
    Millis, Settings,
    table::{Said, Say, Table},
};
use protocol::{
    board::{ClockReading, ClockSense, Content, Contents, Face, FaceReading, Lie, Link, Observation, WireSquare},
    feed::{Command, Entry, GameResult, Side, Sight, State, Variant},
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Move, Position, fen::Fen, san::SanPlus, uci::UciMove};

/// One case. What is expected of it stands beside it and is not read.
#[derive(Debug, Deserialize)]
pub struct Case {
    id: String,
    #[serde(default)]
    editions: Vec<Value>,
    #[serde(default)]
    variant: Variant,
    #[serde(default = "yes")]
    clock: bool,
    #[serde(default)]
    turned: bool,
    #[serde(default = "yes")]
    start_known: bool,
    start_fen: Option<String>,
    physical_start: Option<String>,
    #[serde(default)]
    moves_uci: Vec<String>,
    #[serde(default)]
    prior: Prior,
    events: Option<Vec<Event>>,
    #[serde(default)]
    end: Millis,
}

#[derive(Debug, Default, Deserialize)]
struct Prior {
    physical_board: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Event {
    t: Millis,
    #[serde(flatten)]
    what: What,
}

#[derive(Debug, Deserialize)]
#[serde(tag = "ev", rename_all = "snake_case")]
enum What {
    Lift {
        sq: WireSquare,
    },
    Place {
        sq: WireSquare,
        piece: char,
    },
    Dump {
        placement: Option<String>,
    },
    Press {
        side: Side,
    },
    ClockTime {
        side: Side,
        remaining_ms: u64,
    },
    Flag {
        side: Side,
    },
    Link {
        state: Link,
    },
    #[serde(other)]
    Other,
}

/// What came out of a case, in the shape that scripts judge.
#[derive(Debug, Serialize)]
pub struct Outcome {
    id: String,
    edition: String,
    #[serde(rename = "final")]
    line: Vec<String>,
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
}

#[derive(Debug, Serialize)]
struct SeenAt {
    t: i64,
    line: Vec<String>,
}

/// The moment the file calls zero: before it lie the moves that were played without incident.
const ZERO: Millis = 100_000_000;

/// Moves before zero are played at leisure: every rest that matters is shorter.
const LEISURE: Millis = 20_000;

fn yes() -> bool {
    true
}

/// Reads a file of cases.
pub fn read(text: &str) -> serde_json::Result<Vec<Case>> {
    serde_json::from_str(text)
}

impl Case {
    /// Plays the case once for each of its editions; cases without events are not played.
    pub fn play(&self) -> Vec<Outcome> {
        let Some(events) = &self.events else { return Vec::new() };
        self.editions.iter().map(|edition| self.play_in(&edition_name(edition), events)).collect()
    }

    fn play_in(&self, edition: &str, events: &[Event]) -> Outcome {
        let mut stage = Stage::set(self);
        for event in events {
            stage.act(event);
        }
        stage.table.elapse(ZERO + self.end.max(events.last().map_or(0, |event| event.t)), &mut stage.said);
        stage.outcome(&self.id, edition)
    }
}

fn edition_name(edition: &Value) -> String {
    edition.as_str().map_or_else(|| edition.to_string(), str::to_owned)
}

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
}

struct Lever {
    to_move: Side,
    ms: BTreeMap<Side, u64>,
    flags: BTreeMap<Side, bool>,
}

impl Stage {
    fn set(case: &Case) -> Stage {
        let lie = if case.turned { Lie::Turned } else { Lie::Straight };
        let fen = case
            .start_fen
            .clone()
            .unwrap_or_else(|| Fen::from_position(&Chess::default(), EnPassantMode::Legal).to_string());
        let mode = CastlingMode::from_chess960(case.variant == Variant::Chess960);
        let start = fen.parse::<Fen>().ok().and_then(|fen| fen.into_position::<Chess>(mode).ok()).unwrap_or_default();
        let lever = case.clock.then(|| Lever {
            to_move: start.turn().into(),
            ms: BTreeMap::from([(Side::White, 3_600_000), (Side::Black, 3_600_000)]),
            flags: BTreeMap::new(),
        });
        let mut stage = Stage {
            table: Table::new(Settings::default()),
            said: Vec::new(),
            lie,
            squares: Contents::of(start.board(), lie),
            lever,
            played_before: case.moves_uci.len(),
            start: start.clone(),
            variant: case.variant,
        };
        let mut now = ZERO - LEISURE * (case.moves_uci.len() as u64 + 2);
        stage.observe(Observation::Link(Link::Up), now);
        stage.tell_clock(now);
        if !case.start_known {
            return stage;
        }
        stage.dump(now);
        let order = Command::NewGame { fen: Some(fen), variant: case.variant };
        stage.table.order(&order, now, &mut stage.said).unwrap_or_default();
        let mut position = start;
        for text in &case.moves_uci {
            now += LEISURE;
            let played = text.parse::<UciMove>().ok().and_then(|uci| uci.to_move(&position).ok());
            let Some(played) = played else { break };
            stage.play(&position, played, now);
            position.play_unchecked(played);
        }
        let physical = case.physical_start.as_ref().or(case.prior.physical_board.as_ref());
        if let Some(contents) = physical.and_then(|text| placement(text, lie)) {
            stage.squares = contents;
            stage.dump(now + LEISURE / 2);
        }
        stage.said.retain(|(_, say)| !matches!(say, Say::Entry(Entry::Alert(_)) | Say::Sight(Sight::Touch { .. })));
        stage
    }

    /// One move by a calm hand.
    fn play(&mut self, position: &Chess, played: Move, now: Millis) {
        let mut after = position.clone();
        after.play_unchecked(played);
        let (before, after) = (Contents::of(position.board(), self.lie), Contents::of(after.board(), self.lie));
        for emptied in [true, false] {
            for square in WireSquare::all() {
                let content = after.get(square);
                if content != before.get(square) && (content == Content::Empty) == emptied {
                    self.put(square, content, now);
                }
            }
        }
        self.press(position.turn().into(), now + 1000);
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
            What::Dump { placement: text } => {
                if let Some(contents) = text.as_ref().and_then(|text| placement(text, Lie::Straight)) {
                    self.squares = contents;
                }
                self.dump(now);
            }
            What::Press { side } => self.press(*side, now),
            What::ClockTime { side, remaining_ms } => {
                if let Some(lever) = &mut self.lever {
                    lever.ms.insert(*side, *remaining_ms);
                }
                self.tell_clock(now);
            }
            What::Flag { side } => {
                if let Some(lever) = &mut self.lever {
                    lever.flags.insert(*side, true);
                    lever.ms.insert(*side, 0);
                }
                self.tell_clock(now);
            }
            What::Link { state } => self.observe(Observation::Link(*state), now),
            What::Other => self.table.elapse(now, &mut self.said),
        }
    }

    fn put(&mut self, square: WireSquare, content: Content, now: Millis) {
        self.squares.set(square, content);
        self.observe(Observation::Square { square, content }, now);
    }

    fn dump(&mut self, now: Millis) {
        self.observe(Observation::Board(Box::new(self.squares)), now);
    }

    /// A press moves the lever where it can be moved; a case may also press twice on one side.
    fn press(&mut self, side: Side, now: Millis) {
        match &mut self.lever {
            Some(lever) if lever.to_move == side => {
                lever.to_move = side.other();
                self.tell_clock(now);
            }
            Some(_) | None => {
                self.table.elapse(now, &mut self.said);
                self.table.press(side, now, &mut self.said);
            }
        }
    }

    fn tell_clock(&mut self, now: Millis) {
        let Some(lever) = &self.lever else {
            return self.observe(Observation::Clock(ClockSense::Absent), now);
        };
        let face_of =
            |side| if (side == Side::White) == (self.lie == Lie::Straight) { Face::Left } else { Face::Right };
        let reading = |face| {
            let side = if face_of(Side::White) == face { Side::White } else { Side::Black };
            let seconds = u32::try_from(lever.ms[&side] / 1000).unwrap_or(u32::MAX);
            FaceReading { seconds, flag: lever.flags.contains_key(&side) }
        };
        let high = face_of(lever.to_move);
        let (left, right) = (reading(Face::Left), reading(Face::Right));
        let sense = ClockReading { left, right, running: true, high, to_move: Some(high), battery_low: false };
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
        let skip = self.played_before.min(story.line.len());
        let mode = CastlingMode::from_chess960(self.variant == Variant::Chess960);
        let start = story.start.take().and_then(|fen| fen.parse::<Fen>().ok()?.into_position::<Chess>(mode).ok());
        let mut position = start.unwrap_or(self.start);
        let mut moves = Vec::new();
        for san in &story.line {
            let Some(played) = san.parse::<SanPlus>().ok().and_then(|san| san.san.to_move(&position).ok()) else {
                break;
            };
            moves.push(played.to_uci(mode).to_string());
            position.play_unchecked(played);
        }
        Outcome {
            id: id.to_owned(),
            edition: edition.to_owned(),
            line: story.line.split_off(skip),
            final_uci: moves.get(skip..).unwrap_or_default().to_vec(),
            fen: Fen::from_position(&position, EnPassantMode::Legal).to_string(),
            physical: self.table.physical(),
            state: story.state,
            result: story.result,
            proposal: story.proposal,
            alerts: story.alerts,
            seen: story.seen,
            final_at: story.final_at.split_off(skip),
            corrections: story.corrections,
            touch: story.touch,
        }
    }
}

fn placement(text: &str, lie: Lie) -> Option<Contents> {
    let contents = text.split(' ').next()?.parse::<Contents>().ok()?;
    Some(match lie {
        Lie::Straight => contents,
        Lie::Turned => Contents::of(&contents.board(Lie::Straight), Lie::Turned),
    })
}

/// What the events add up to for the first game of a case.
struct Story {
    skip: usize,
    over: bool,
    games: u32,
    line: Vec<String>,
    start: Option<String>,
    final_at: Vec<i64>,
    seen: Vec<SeenAt>,
    state: State,
    result: GameResult,
    proposal: Option<Value>,
    alerts: Vec<Value>,
    corrections: Vec<Value>,
    touch: Vec<Value>,
}

impl Story {
    fn new(skip: usize) -> Story {
        Story {
            skip,
            over: false,
            games: 0,
            line: Vec::new(),
            start: None,
            final_at: Vec::new(),
            seen: Vec::new(),
            state: State::Waiting,
            result: GameResult::Open,
            proposal: None,
            alerts: Vec::new(),
            corrections: Vec::new(),
            touch: Vec::new(),
        }
    }

    fn hear(&mut self, t: i64, say: &Say) {
        match say {
            Say::Entry(entry) => self.read(t, entry),
            Say::Sight(sight) if !self.over => self.see(t, sight),
            Say::Sight(_) | Say::AskDump(_) => {}
        }
    }

    fn see(&mut self, t: i64, sight: &Sight) {
        match sight {
            Sight::Seen { line, .. } if t >= 0 => {
                let line = line.get(self.skip..).unwrap_or_default().to_vec();
                self.seen.push(SeenAt { t, line });
            }
            Sight::Touch { .. } => self.touch.push(with_time(t, sight)),
            Sight::Seen { .. } | Sight::Held { .. } | Sight::Clock { .. } | Sight::Link { .. } => {}
        }
    }

    fn read(&mut self, t: i64, entry: &Entry) {
        if let Entry::Started { fen, .. } = entry {
            // The order that sets the case up may follow a start array that began a game by itself.
            self.over = t >= 0 && self.games > 0;
            if !self.over {
                *self = Story { games: self.games + 1, start: Some(fen.clone()), ..Story::new(self.skip) };
            }
        }
        if self.over {
            return;
        }
        match entry {
            Entry::Started { .. } | Entry::Paired { .. } => {}
            Entry::Final { san, .. } => {
                self.line.push(san.clone());
                self.final_at.push(t);
            }
            Entry::Corrected { from_ply, old, new, reason } => {
                self.line.truncate(from_ply - 1);
                self.final_at.truncate(from_ply - 1);
                self.line.extend(new.iter().cloned());
                self.final_at.extend(new.iter().map(|_| t));
                let from_ply = from_ply.saturating_sub(self.skip);
                self.corrections.push(
                    serde_json::json!({ "t": t, "from_ply": from_ply, "old": old, "new": new, "reason": reason }),
                );
            }
            Entry::State { state } => self.state = *state,
            Entry::Proposal(_) => self.proposal = Some(with_time(t, entry)),
            Entry::Result { result, .. } => self.result = *result,
            Entry::Alert(_) => self.alerts.push(with_time(t, entry)),
        }
    }
}

fn with_time(t: i64, what: &impl Serialize) -> Value {
    let mut value = serde_json::to_value(what).unwrap_or_default();
    value["t"] = t.into();
    value
}
