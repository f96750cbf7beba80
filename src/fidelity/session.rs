//! One board from the plug to the last word: virtual hands, the dialogue of the daemon and a table, in one virtual time.

use std::collections::VecDeque;

use hall::{
    Settings,
    table::{self, Say, Table},
};
use protocol::{
    board::{
        ClockReading, ClockSense, Content, Contents, Face, Link, Observation,
        dgt::{Dialogue, Input, Output},
    },
    feed::{AlertKind, Command, Entry, Event, GameResult, TableEvent},
};
use shakmaty::{Board, Chess, Color, EnPassantMode, KnownOutcome, fen::Fen};

use super::conditions::Conditions;
use crate::rehearsal::{self, Fault, Game, Kind, NoiseCount, Record, Rehearsal, Said};

/// What the board is called; there is only one.
const BOARD: &str = "virtual";

/// After the last deed time runs on for this long: every rest that could make a move final is shorter.
const AFTERGLOW_MS: u64 = 15_000;

/// Everything of one session.
#[derive(Debug)]
pub struct Session {
    /// What was really played, game by game.
    pub truth: Vec<Record>,
    /// What the table was shown. Of the clock only what is more than a passing second.
    pub shown: Vec<(u64, Observation)>,
    /// What the table told.
    pub told: Vec<table::Said>,
    /// What went wrong, each at the moment it was over.
    pub mishaps: Vec<(u64, Kind)>,
    /// The same as counts, beside how often it could have.
    pub noise: NoiseCount,
    /// What was broken for longer than a moment.
    pub faults: Vec<Fault>,
    /// When the link was down.
    pub gaps: Vec<(u64, u64)>,
    /// Which face was seen to run since when; nothing where the clock was not heard.
    pub faces: Vec<(u64, Option<Face>)>,
    /// What really stood on the board when the table said that something is wrong with it.
    pub boards: Vec<(u64, Board)>,
    /// The board tells only where something stands.
    pub nameless: bool,
}

impl Session {
    /// What the table told people, as screens read it, with its times.
    pub fn events(&self) -> impl Iterator<Item = TableEvent> {
        self.told.iter().filter_map(|(t, say)| {
            let event = match say {
                Say::Sight(sight) => Event::Sight(sight.clone()),
                Say::Entry(entry) => Event::Entry(entry.clone()),
                Say::AskDump(_) | Say::AskProof(_) => return None,
            };
            Some(TableEvent { table: None, t: *t, event })
        })
    }
}

/// Plays `games` one after another on one board and lets a fresh table watch.
pub fn play(conditions: &Conditions, games: Vec<Game>) -> Session {
    let mut room = Room {
        rehearsal: Rehearsal::new(conditions.setting, games),
        dialogue: Dialogue::new(0),
        table: Table::new(Settings::default()),
        line: VecDeque::new(),
        session: Session {
            truth: Vec::new(),
            shown: Vec::new(),
            told: Vec::new(),
            mishaps: Vec::new(),
            noise: NoiseCount::default(),
            faults: Vec::new(),
            gaps: Vec::new(),
            faces: Vec::new(),
            boards: Vec::new(),
            nameless: conditions.setting.trial.nameless,
        },
        felt: Contents::EMPTY,
        reading: None,
        last: None,
        given: None,
        begun: 0,
        now: 0,
        ends_at: None,
        mute: conditions.setting.trial.faults.mute,
    };
    while let Some(due) = room.next() {
        room.run(due);
    }
    room.session.truth = room.rehearsal.records().to_vec();
    room.session.faults = room.rehearsal.faults();
    room.session
}

struct Room {
    rehearsal: Rehearsal,
    dialogue: Dialogue,
    table: Table,
    /// Said and not heard yet: bytes take their time on the line.
    line: VecDeque<Said>,
    session: Session,
    reading: Option<ClockReading>,
    last: Option<ClockReading>,
    /// What a board that names nobody has said of its squares.
    felt: Contents,
    given: Option<u64>,
    begun: usize,
    now: u64,
    ends_at: Option<u64>,
    /// Nobody answers the table's questions for the whole board.
    mute: bool,
}

/// What is next in time. The order decides between things of one millisecond.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Due {
    Bytes,
    Rehearsal,
    Dialogue,
    Table,
}

impl Room {
    fn next(&mut self) -> Option<Due> {
        let (at, due) = [
            (self.line.front().map(|said| said.at), Due::Bytes),
            (self.rehearsal.deadline(), Due::Rehearsal),
            (self.dialogue.deadline().map(|(at, _)| at), Due::Dialogue),
            (self.table.deadline(), Due::Table),
        ]
        .into_iter()
        .filter_map(|(at, due)| at.map(|at| (at, due)))
        .min()?;
        self.now = at.max(self.now);
        self.ends_at.is_none_or(|end| self.now <= end).then_some(due)
    }

    fn run(&mut self, due: Due) {
        match due {
            Due::Bytes => {
                if let Some(said) = self.line.pop_front() {
                    self.converse(Input::Bytes(&said.bytes));
                }
            }
            Due::Rehearsal => {
                let mut out = Vec::new();
                self.rehearsal.advance(self.now, &mut out);
                self.follow(out);
            }
            Due::Dialogue => self.converse(Input::Time),
            Due::Table => {
                let mut told = Vec::new();
                self.table.elapse(self.now, &mut told);
                self.tell(told);
            }
        }
    }

    /// What the board does.
    fn follow(&mut self, outputs: Vec<rehearsal::Output>) {
        self.note_noise();
        for output in outputs {
            match output {
                rehearsal::Output::Said(said) => self.line.push_back(said),
                rehearsal::Output::LinkDown => {
                    self.line.clear();
                    self.session.gaps.push((self.now, u64::MAX));
                    self.converse(Input::Gone);
                }
                rehearsal::Output::LinkUp => {
                    self.session.gaps.last_mut().into_iter().for_each(|gap| gap.1 = self.now);
                    self.dialogue = Dialogue::new(self.now);
                }
                rehearsal::Output::Tell(_) => {}
                rehearsal::Output::Done => self.ends_at = Some(self.now + AFTERGLOW_MS),
            }
        }
        self.announce();
        self.give_result();
    }

    fn converse(&mut self, input: Input<'_>) {
        let mut out = Vec::new();
        self.dialogue.handle(input, self.now, &mut out);
        for output in out {
            match output {
                Output::Send(bytes) => {
                    let mut heard = Vec::new();
                    self.rehearsal.hear(&bytes, self.now, &mut heard);
                    self.follow(heard);
                }
                Output::Observed(observation) => self.show(observation),
                Output::Heard(_) | Output::Corrected(_) | Output::Identity(_) | Output::NoBoard => {}
            }
        }
    }

    fn show(&mut self, observation: Observation) {
        let observation = if self.session.nameless { without_names(observation) } else { observation };
        if self.session.nameless && !self.is_felt(&observation) {
            return;
        }
        self.watch_faces(&observation);
        let mut told = Vec::new();
        self.table.elapse(self.now, &mut told);
        self.table.observe(BOARD, &observation, self.now, &mut told);
        if self.is_news(&observation) {
            self.session.shown.push((self.now, observation));
        }
        self.tell(told);
    }

    fn is_news(&mut self, observation: &Observation) -> bool {
        match observation {
            Observation::Clock(ClockSense::Reading(reading)) => {
                let before = self.reading.replace(*reading);
                before.is_none_or(|before| {
                    (before.high, before.running, before.left.flag, before.right.flag)
                        != (reading.high, reading.running, reading.left.flag, reading.right.flag)
                })
            }
            Observation::Clock(ClockSense::Absent) | Observation::Link(Link::Down) => {
                self.reading = None;
                true
            }
            Observation::Square { .. } | Observation::Board(_) | Observation::Link(Link::Up) => true,
        }
    }

    fn tell(&mut self, told: Vec<table::Said>) {
        for (at, say) in told {
            let asked = matches!(say, Say::AskDump(_)) && !self.mute;
            if is_reproach(&say) {
                self.session.boards.push((at, self.rehearsal.board().clone()));
            }
            self.session.told.push((at, say));
            if asked {
                self.converse(Input::AskBoard);
            }
        }
    }

    /// A position nobody could guess is set by an order, as an arbiter would do it.
    fn announce(&mut self) {
        if self.rehearsal.records().len() == self.begun {
            return;
        }
        let record = &self.rehearsal.records()[self.begun];
        self.begun += 1;
        if record.start == Chess::default() {
            return;
        }
        let fen = Fen::from_position(&record.start, EnPassantMode::Legal).to_string();
        let mut told = Vec::new();
        self.table.elapse(self.now, &mut told);
        let order = Command::NewGame { fen: Some(fen), variant: record.castling.into() };
        self.table.order(&order, self.now, &mut told).expect("a position that was played from is one");
        self.tell(told);
    }

    /// The desk hears the result and gives it to the table, as an arbiter does.
    fn give_result(&mut self) {
        let Some(record) = self.rehearsal.records().last() else { return };
        let Some((at, outcome)) = record.given.zip(record.outcome).filter(|(at, _)| self.given < Some(*at)) else {
            return;
        };
        self.given = Some(at);
        let mut told = Vec::new();
        self.table.elapse(self.now, &mut told);
        // A table that has no game to give it to says so, and the record is judged as it stands.
        let _refused = self.table.order(&Command::Result { result: result(outcome).into() }, self.now, &mut told);
        self.tell(told);
    }

    /// A board that names nobody says nothing where one man takes another's place.
    fn is_felt(&mut self, observation: &Observation) -> bool {
        match observation {
            Observation::Square { square, content } => {
                let changed = self.felt.get(*square) != *content;
                self.felt.set(*square, *content);
                changed
            }
            Observation::Board(contents) => {
                self.felt = **contents;
                true
            }
            Observation::Clock(_) | Observation::Link(_) => true,
        }
    }

    /// Which face runs, read off its seconds.
    fn watch_faces(&mut self, observation: &Observation) {
        let Observation::Clock(ClockSense::Reading(reading)) = observation else {
            let lost = matches!(observation, Observation::Clock(_) | Observation::Link(Link::Down));
            if lost && self.last.take().is_some() {
                self.session.faces.push((self.now, None));
            }
            return;
        };
        let Some(before) = self.last.replace(*reading).filter(|before| before.running) else { return };
        let ran = |face: Face| reading.face(face).seconds < before.face(face).seconds;
        let Some(face) = [Face::Left, Face::Right].into_iter().find(|face| ran(*face)) else { return };
        if self.session.faces.last().is_none_or(|(_, last)| *last != Some(face)) {
            self.session.faces.push((self.now, Some(face)));
        }
    }

    fn note_noise(&mut self) {
        let noise = self.rehearsal.noise();
        if noise == self.session.noise {
            return;
        }
        for kind in Kind::ALL {
            let new = noise.get(kind).occurred - self.session.noise.get(kind).occurred;
            self.session.mishaps.extend((0..new).map(|_| (self.now, kind)));
        }
        self.session.noise = noise;
    }
}

/// What the record says of a result.
pub(super) fn result(outcome: KnownOutcome) -> GameResult {
    match outcome.winner() {
        Some(Color::White) => GameResult::WhiteWins,
        Some(Color::Black) => GameResult::BlackWins,
        None => GameResult::Draw,
    }
}

/// The table says that the men stand wrong.
fn is_reproach(say: &Say) -> bool {
    matches!(say, Say::Entry(Entry::Alert(alert)) if alert.kind == AlertKind::PositionMismatch)
}

/// The same as a board tells it that knows only where something stands.
fn without_names(observation: Observation) -> Observation {
    let nameless = |content| if content == Content::Empty { content } else { Content::Occupied };
    match observation {
        Observation::Square { square, content } => Observation::Square { square, content: nameless(content) },
        Observation::Board(contents) => Observation::Board(Box::new(Contents(contents.0.map(nameless)))),
        Observation::Clock(_) | Observation::Link(_) => observation,
    }
}
