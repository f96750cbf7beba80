//! One board from the plug to the last word: virtual hands, the dialogue of the daemon and a table, in one virtual time.

use std::collections::VecDeque;

use hall::{
    Settings,
    table::{self, Say, Table},
};
use protocol::{
    board::{
        ClockReading, ClockSense, Link, Observation,
        dgt::{Dialogue, Input, Output},
    },
    feed::{Command, Event, TableEvent, Variant},
};
use shakmaty::{Chess, EnPassantMode, fen::Fen};

use crate::rehearsal::{self, Game, Kind, NoiseCount, Record, Rehearsal, Said, Setting};

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
pub fn play(setting: Setting, games: Vec<Game>) -> Session {
    let mut room = Room {
        rehearsal: Rehearsal::new(setting, games),
        dialogue: Dialogue::new(0),
        table: Table::new(Settings::default()),
        line: VecDeque::new(),
        session: Session {
            truth: Vec::new(),
            shown: Vec::new(),
            told: Vec::new(),
            mishaps: Vec::new(),
            noise: NoiseCount::default(),
        },
        reading: None,
        begun: 0,
        now: 0,
        ends_at: None,
    };
    while let Some(due) = room.next() {
        room.run(due);
    }
    room.session.truth = room.rehearsal.records().to_vec();
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
    begun: usize,
    now: u64,
    ends_at: Option<u64>,
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
                    self.converse(Input::Gone);
                }
                rehearsal::Output::LinkUp => self.dialogue = Dialogue::new(self.now),
                rehearsal::Output::Tell(_) => {}
                rehearsal::Output::Done => self.ends_at = Some(self.now + AFTERGLOW_MS),
            }
        }
        self.announce();
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
            let asked = matches!(say, Say::AskDump(_));
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
        let variant = if record.castling.is_chess960() { Variant::Chess960 } else { Variant::Standard };
        let mut told = Vec::new();
        self.table.elapse(self.now, &mut told);
        let order = Command::NewGame { fen: Some(fen), variant };
        self.table.order(&order, self.now, &mut told).expect("a position that was played from is one");
        self.tell(told);
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
