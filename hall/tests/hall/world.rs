//! A table with a board and a clock whose time is a number: tests write down what hands do, as text.

use hall::{
    Refusal, Settings,
    table::{Said, Say, Table},
};
use protocol::{
    board::{ClockReading, ClockSense, Content, Contents, Face, FaceReading, Lie, Link, Observation, WireSquare},
    feed::{AlertKind, Command, Entry, GameResult, Side, Sight, State, Variant},
};
use shakmaty::{Board, Chess, Position, fen::Fen};

/// When hands begin: the men have stood on their squares for a while.
const BEGINNING: u64 = 10_000;

/// A table, and what it said.
pub(crate) struct World {
    pub(crate) table: Table,
    pub(crate) said: Vec<Said>,
    squares: Contents,
    lie: Lie,
    clock: Option<Face>,
    /// The left flag is down, and the right one.
    flags: [bool; 2],
    running: bool,
    /// What the left face and the right one show, and when they did.
    ms: [u64; 2],
    ticked: u64,
    now: u64,
}

impl World {
    /// The men on their squares, the clock running for White.
    pub(crate) fn at_start() -> World {
        World::with(Chess::default().board(), Lie::Straight, Some(Face::Left))
    }

    pub(crate) fn without_clock() -> World {
        World::with(Chess::default().board(), Lie::Straight, None)
    }

    pub(crate) fn turned() -> World {
        World::with(Chess::default().board(), Lie::Turned, Some(Face::Right))
    }

    /// A game set up from a FEN by order, the clock running for the side to move.
    pub(crate) fn from_fen(fen: &str) -> World {
        let setup = fen.parse::<Fen>().expect("a FEN").into_setup();
        let high = if setup.turn.is_white() { Face::Left } else { Face::Right };
        World::set_up(fen, Some(high))
    }

    pub(crate) fn from_fen_without_clock(fen: &str) -> World {
        World::set_up(fen, None)
    }

    /// A game of Chess960, White to move.
    pub(crate) fn chess960(fen: &str) -> World {
        let setup = fen.parse::<Fen>().expect("a FEN").into_setup();
        let mut world = World::with(&setup.board, Lie::Straight, Some(Face::Left));
        world.order(&Command::NewGame { fen: Some(fen.to_owned()), variant: Variant::Chess960 });
        world
    }

    /// On a board that only senses where something stands, White to move.
    pub(crate) fn nameless(fen: &str) -> World {
        World::nameless_on(fen, Lie::Straight)
    }

    pub(crate) fn nameless_on(fen: &str, lie: Lie) -> World {
        let setup = fen.parse::<Fen>().expect("a FEN").into_setup();
        let mut squares = Contents::of(&setup.board, lie);
        squares.0.iter_mut().filter(|content| **content != Content::Empty).for_each(|full| *full = Content::Occupied);
        let high = if lie == Lie::Straight { Face::Left } else { Face::Right };
        let mut world = World::showing(squares, lie, Some(high));
        world.order(&Command::NewGame { fen: Some(fen.to_owned()), variant: Variant::Standard });
        world
    }

    fn set_up(fen: &str, clock: Option<Face>) -> World {
        let setup = fen.parse::<Fen>().expect("a FEN").into_setup();
        let mut world = World::with(&setup.board, Lie::Straight, clock);
        let order = Command::NewGame { fen: Some(fen.to_owned()), variant: Variant::Standard };
        world.order(&order);
        world
    }

    pub(crate) fn with(board: &Board, lie: Lie, clock: Option<Face>) -> World {
        World::showing(Contents::of(board, lie), lie, clock)
    }

    fn showing(squares: Contents, lie: Lie, clock: Option<Face>) -> World {
        let table = Table::new(Settings::default());
        let mut world = World {
            table,
            said: Vec::new(),
            squares,
            lie,
            clock,
            flags: [false; 2],
            running: true,
            ms: [7_200_000; 2],
            ticked: 0,
            now: 0,
        };
        world.observe(Observation::Link(Link::Up));
        world.tell_clock();
        world.dump();
        world.now = BEGINNING;
        world
    }

    /// Plays lines like `0.4 lift e2`; times are seconds from this call on, squares those of the game.
    pub(crate) fn play(&mut self, script: &str) -> &mut World {
        let start = self.now;
        for line in script.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let words = line.split_whitespace().collect::<Vec<_>>();
            let seconds = words[0].parse::<f64>().expect("a line begins with a time");
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "times in scripts are small")]
            let at = start + (seconds * 1000.0).round() as u64;
            self.wait_until(at);
            self.act(&words[1..]);
        }
        self
    }

    /// Acts lines with their milliseconds from the beginning.
    pub(crate) fn act_all(&mut self, lines: &[(u64, String)]) {
        for (at, line) in lines {
            self.wait_until(BEGINNING + at);
            self.act(&line.split_whitespace().collect::<Vec<_>>());
        }
    }

    fn act(&mut self, words: &[&str]) {
        let square = |text: &str| WireSquare::under(text.parse().expect("a square"), self.lie);
        match words {
            ["lift", sq] => self.put(square(sq), Content::Empty),
            ["place", man, sq] => {
                let letter = man.chars().next().expect("a man");
                self.put(square(sq), letter.try_into().expect("a man"));
            }
            ["press"] => {
                self.tick();
                self.clock = self.clock.map(Face::other);
                self.tell_clock();
            }
            ["tick"] => self.tell_clock(),
            // What the clock gives the presser, in seconds.
            ["press", "adds", seconds] => {
                self.press_adding(seconds);
                self.tell_clock();
            }
            ["unheard", "press", "adds", seconds] => self.press_adding(seconds),
            // Both faces from here on, in seconds; told with the next reading.
            ["clock", left, right] => {
                self.tick();
                self.ms = [left, right].map(|seconds| seconds.parse::<u64>().expect("seconds") * 1000);
            }
            ["go"] => {
                self.tick();
                self.running = true;
                self.tell_clock();
            }
            ["unheard", "start"] => {
                self.tick();
                self.running = true;
            }
            ["unheard", "stop"] => {
                self.tick();
                self.running = false;
            }
            // A press the lever does not show: the same side's once more, or on a clock that tells presses only.
            ["press", side] => {
                let side = if *side == "white" { Side::White } else { Side::Black };
                self.table.press(side, self.now, &mut self.said);
            }
            ["unheard", "press"] => {
                self.tick();
                self.clock = self.clock.map(Face::other);
            }
            ["flag", side] => {
                let face = usize::from((*side == "black") == (self.lie == Lie::Straight));
                (self.flags[face], self.ms[face]) = (true, 0);
                self.tell_clock();
            }
            ["stop"] => {
                self.tick();
                self.running = false;
                self.tell_clock();
            }
            ["down"] => self.observe(Observation::Link(Link::Down)),
            ["up"] => {
                self.observe(Observation::Link(Link::Up));
                self.dump();
                self.tell_clock();
            }
            ["up", "without", "clock"] => {
                self.observe(Observation::Link(Link::Up));
                self.dump();
            }
            ["dump"] => self.dump(),
            ["unheard", "lift", sq] => self.squares.set(square(sq), Content::Empty),
            ["unheard", "place", man, sq] => {
                let letter = man.chars().next().expect("a man");
                self.squares.set(square(sq), letter.try_into().expect("a man"));
            }
            ["set", placement] => {
                let board = Board::from_ascii_board_fen(placement.as_bytes()).expect("a placement");
                self.squares = Contents::of(&board, self.lie);
                self.dump();
            }
            ["still"] => {}
            _ => panic!("hands can't do {words:?}"),
        }
    }

    pub(crate) fn wait_until(&mut self, at: u64) {
        self.now = self.now.max(at);
        self.table.elapse(self.now, &mut self.said);
    }

    pub(crate) fn order(&mut self, command: &Command) {
        self.table.order(command, self.now, &mut self.said).expect("the order can be carried out");
    }

    /// Why an order is not carried out.
    pub(crate) fn refuse(&mut self, command: &Command) -> String {
        self.refusal(command).to_string()
    }

    pub(crate) fn refusal(&mut self, command: &Command) -> Refusal {
        let said = self.said.len();
        let refusal = self.table.order(command, self.now, &mut self.said).expect_err("the order makes no sense");
        assert_eq!(self.said.len(), said, "what is refused changes nothing");
        refusal
    }

    fn put(&mut self, square: WireSquare, content: Content) {
        self.squares.set(square, content);
        self.observe(Observation::Square { square, content });
    }

    fn dump(&mut self) {
        self.observe(Observation::Board(Box::new(self.squares)));
    }

    fn tell_clock(&mut self) {
        self.tick();
        let Some(high) = self.clock else { return };
        let face = |at: usize| FaceReading {
            seconds: u32::try_from(self.ms[at] / 1000).unwrap_or(u32::MAX),
            flag: self.flags[at],
        };
        let (left, right) = (face(0), face(1));
        let reading =
            ClockReading { left, right, running: self.running, high, to_move: Some(high), battery_low: false };
        self.observe(Observation::Clock(ClockSense::Reading(reading)));
    }

    fn press_adding(&mut self, seconds: &str) {
        self.tick();
        if let Some(high) = self.clock {
            self.ms[usize::from(high == Face::Right)] += seconds.parse::<u64>().expect("seconds") * 1000;
            self.clock = Some(high.other());
        }
    }

    /// The face of the player to move has counted down; nobody's flag falls by itself here.
    fn tick(&mut self) {
        let passed = self.now - std::mem::replace(&mut self.ticked, self.now);
        if let Some(high) = self.clock.filter(|_| self.running) {
            let ms = &mut self.ms[usize::from(high == Face::Right)];
            *ms = ms.saturating_sub(passed).max(1000);
        }
    }

    pub(crate) fn observe(&mut self, observation: Observation) {
        self.table.elapse(self.now, &mut self.said);
        self.table.observe("01025", &observation, self.now, &mut self.said);
    }

    /// What the sensors know, as squares of the game.
    pub(crate) fn board(&self) -> Board {
        self.squares.board(self.lie)
    }

    /// The final moves of the current game, as `e4 e5 Nf3`.
    pub(crate) fn record(&self) -> String {
        let mut line = Vec::new();
        for (_, say) in &self.said {
            match say {
                Say::Entry(Entry::Started { .. }) => line.clear(),
                Say::Entry(Entry::Final { san, .. }) => line.push(san.clone()),
                Say::Entry(Entry::Corrected { from_ply, new, .. }) => {
                    line.truncate(from_ply - 1);
                    line.extend(new.iter().cloned());
                }
                Say::Entry(_) | Say::Sight(_) | Say::AskDump(_) | Say::AskProof(_) => {}
            }
        }
        line.join(" ")
    }

    /// The visible line, the provisional tail included.
    pub(crate) fn seen(&self) -> String {
        let lines = self.said.iter().rev().filter_map(|(_, say)| match say {
            Say::Sight(Sight::Seen { line, .. }) => Some(line.to_string()),
            Say::Sight(_) | Say::Entry(_) | Say::AskDump(_) | Say::AskProof(_) => None,
        });
        lines.take(1).collect()
    }

    /// The position on the screens.
    pub(crate) fn shown(&self) -> String {
        let placements = self.said.iter().rev().filter_map(|(_, say)| match say {
            Say::Sight(Sight::Seen { placement, .. }) => Some(placement.as_str()),
            Say::Sight(_) | Say::Entry(_) | Say::AskDump(_) | Say::AskProof(_) => None,
        });
        placements.take(1).collect()
    }

    pub(crate) fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.said.iter().filter_map(|(_, say)| match say {
            Say::Entry(entry) => Some(entry),
            Say::Sight(_) | Say::AskDump(_) | Say::AskProof(_) => None,
        })
    }

    /// What screens were told of the clock, White's time and Black's.
    pub(crate) fn clocks(&self) -> Vec<(u64, u64)> {
        let times = |(_, say): &Said| match say {
            Say::Sight(Sight::Clock { white_ms, black_ms, .. }) => Some((*white_ms, *black_ms)),
            Say::Sight(_) | Say::Entry(_) | Say::AskDump(_) | Say::AskProof(_) => None,
        };
        self.said.iter().filter_map(times).collect()
    }

    pub(crate) fn alerts(&self) -> Vec<AlertKind> {
        let kind = |entry: &Entry| if let Entry::Alert(alert) = entry { Some(alert.kind) } else { None };
        self.entries().filter_map(kind).collect()
    }

    /// What the last `ambiguous` alert offers.
    pub(crate) fn alternatives(&self) -> Vec<String> {
        let lines = self.entries().filter_map(|entry| {
            let Entry::Alert(alert) = entry else { return None };
            Some(&alert.alternatives).filter(|lines| !lines.is_empty())
        });
        lines.last().map(|lines| lines.iter().map(|line| line.join(" ")).collect()).unwrap_or_default()
    }

    pub(crate) fn games(&self) -> usize {
        self.entries().filter(|entry| matches!(entry, Entry::Started { .. })).count()
    }

    pub(crate) fn result(&self) -> GameResult {
        let mut given = GameResult::Open;
        for entry in self.entries() {
            if let Entry::Result { result, .. } = entry {
                given = *result;
            } else if let Entry::Started { .. } = entry {
                given = GameResult::Open;
            }
        }
        given
    }

    pub(crate) fn state(&self) -> State {
        let state = |entry: &Entry| if let Entry::State { state } = entry { Some(*state) } else { None };
        self.entries().filter_map(state).last().unwrap_or_default()
    }

    pub(crate) fn is_held(&self) -> bool {
        let marks = self.said.iter().rev().filter_map(|(_, say)| match say {
            Say::Sight(Sight::Held { held, .. }) => Some(*held),
            Say::Sight(_) | Say::Entry(_) | Say::AskDump(_) | Say::AskProof(_) => None,
        });
        marks.take(1).any(|held| held)
    }

    /// Whether an arbiter is said to be at the table, each time that changed.
    pub(crate) fn attended(&self) -> Vec<bool> {
        let told = |(_, say): &Said| match say {
            Say::Sight(Sight::Attended { attended }) => Some(*attended),
            Say::Sight(_) | Say::Entry(_) | Say::AskDump(_) | Say::AskProof(_) => None,
        };
        self.said.iter().filter_map(told).collect()
    }

    /// The squares on which the board differs from the record, each time they were told.
    pub(crate) fn differing(&self) -> Vec<String> {
        let told = |(_, say): &Said| match say {
            Say::Sight(Sight::Board { squares, .. }) => Some(squares.join(" ")),
            Say::Sight(_) | Say::Entry(_) | Say::AskDump(_) | Say::AskProof(_) => None,
        };
        self.said.iter().filter_map(told).collect()
    }

    pub(crate) fn asked_for_dumps(&self) -> usize {
        self.said.iter().filter(|(_, say)| matches!(say, Say::AskDump(_))).count()
    }
}
