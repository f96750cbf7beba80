//! A table with two boards whose time is a number, and the positions that are put on them.

use hall::{
    Settings,
    table::{Said, Say, Table},
};
use protocol::{
    board::{ClockReading, ClockSense, Content, Contents, Face, FaceReading, Lie, Link, Observation, WireSquare},
    feed::{Alert, AlertKind, Blind, Command, Entry, Rules, Side},
};
use shakmaty::{Board, Square};

/// The men on their squares, after 1. e4, and after 1... e5 too.
pub(crate) const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
pub(crate) const E4: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR";
pub(crate) const E5: &str = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR";
/// 1. e4 d5, 1. e3 and 1. e4 e5 2. Nf3.
pub(crate) const D5: &str = "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR";
pub(crate) const E3: &str = "rnbqkbnr/pppppppp/8/8/8/4P3/PPPP1PPP/RNBQKBNR";
pub(crate) const NF6: &str = "rnbqkb1r/pppp1ppp/5n2/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R";
pub(crate) const NC3: &str = "rnbqkb1r/pppp1ppp/5n2/4p3/4P3/2N2N2/PPPP1PPP/R1BQKB1R";
pub(crate) const NF3: &str = "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R";

/// A table with two boards and no clock, the first of them with the men on their squares.
pub(crate) struct Pair {
    pub(crate) table: Table,
    pub(crate) said: Vec<Said>,
    /// How much was said before the second board.
    pub(crate) heard: usize,
    pub(crate) now: u64,
}

impl Pair {
    pub(crate) fn at_start() -> Pair {
        let mut pair = Pair { table: Table::new(Settings::default()), said: Vec::new(), heard: 0, now: 0 };
        pair.tell("1", Observation::Link(Link::Up));
        pair.dump("1", START, Lie::Straight);
        pair.pass(5_000);
        pair.heard = pair.said.len();
        pair
    }

    /// With a blind player, and the second board heard.
    pub(crate) fn blind(edition: u16) -> Pair {
        let mut pair = Pair::at_start();
        let rules = Rules { edition, blind: Blind::Black, ..Rules::default() };
        let order = Command::Rules { rules: Box::new(rules) };
        pair.table.order(&order, pair.now, &mut pair.said).expect("rules");
        pair.tell("2", Observation::Link(Link::Up));
        pair
    }

    /// White has moved on board 1, and Black has repeated it on board 2: Black has the move there.
    pub(crate) fn after_e4() -> Pair {
        let mut pair = Pair::blind(2023);
        pair.dump("2", START, Lie::Straight);
        pair.dump("1", E4, Lie::Straight);
        pair.pass(5_000);
        pair.dump("2", E4, Lie::Straight);
        pair.pass(5_000);
        assert_eq!((pair.record(), pair.alerts()), (vec!["e4"], vec![]));
        pair
    }

    pub(crate) fn order(&mut self, command: &Command) {
        self.table.order(command, self.now, &mut self.said).expect("it is carried out");
    }

    /// A clock that is plugged into a board shows who has the move.
    pub(crate) fn read_clock(&mut self, board: &str, to_move: Side, lie: Lie) {
        let high = if (to_move == Side::White) == (lie == Lie::Straight) { Face::Left } else { Face::Right };
        let face = FaceReading { seconds: 3_000, flag: false };
        let reading =
            ClockReading { left: face, right: face, running: true, high, to_move: Some(high), battery_low: false };
        self.tell(board, Observation::Clock(ClockSense::Reading(reading)));
    }

    pub(crate) fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.said.iter().filter_map(|(_, say)| match say {
            Say::Entry(entry) => Some(entry),
            Say::Sight(_) | Say::AskDump(_) | Say::AskProof(_) => None,
        })
    }

    /// What was said about the game. A move of a blind player that nobody has entered the words of is another matter.
    pub(crate) fn alerts(&self) -> Vec<AlertKind> {
        let kinds =
            self.entries().filter_map(|entry| if let Entry::Alert(alert) = entry { Some(alert.kind) } else { None });
        kinds.filter(|kind| *kind != AlertKind::AnnouncementMismatch).collect()
    }

    /// What was told of boards that differ: the plies in common, the squares, the article.
    pub(crate) fn differing(&self) -> Vec<(Option<usize>, Vec<String>, Option<String>)> {
        let alerts = self.said.iter().filter_map(|(_, say)| match say {
            Say::Entry(Entry::Alert(alert)) if alert.kind == AlertKind::BoardsDiffer => Some(alert),
            Say::Entry(_) | Say::Sight(_) | Say::AskDump(_) | Say::AskProof(_) => None,
        });
        let told = |alert: &Alert| {
            let squares = alert.evidence.clone().map(|evidence| evidence.squares).unwrap_or_default();
            (alert.plies, squares, alert.article.clone())
        };
        alerts.map(|alert| told(alert)).collect()
    }

    pub(crate) fn tell(&mut self, board: &str, observation: Observation) {
        self.table.observe(board, &observation, self.now, &mut self.said);
    }

    pub(crate) fn dump(&mut self, board: &str, placement: &str, lie: Lie) {
        self.tell(board, Observation::Board(contents(placement, lie)));
    }

    pub(crate) fn lift(&mut self, board: &str, square: Square) {
        let square = WireSquare::under(square, Lie::Straight);
        self.tell(board, Observation::Square { square, content: Content::Empty });
    }

    pub(crate) fn place(&mut self, board: &str, square: Square, man: char) {
        let (square, content) = (WireSquare::under(square, Lie::Straight), man.try_into().expect("a man"));
        self.tell(board, Observation::Square { square, content });
    }

    pub(crate) fn pass(&mut self, ms: u64) {
        self.now += ms;
        self.table.elapse(self.now, &mut self.said);
    }

    pub(crate) fn record(&self) -> Vec<&str> {
        let finals = self.said.iter().filter_map(|(_, say)| match say {
            Say::Entry(Entry::Final { san, .. }) => Some(san.as_str()),
            Say::Entry(_) | Say::Sight(_) | Say::AskDump(_) | Say::AskProof(_) => None,
        });
        finals.collect()
    }
}

pub(crate) fn contents(placement: &str, lie: Lie) -> Box<Contents> {
    let men = Board::from_ascii_board_fen(placement.as_bytes()).expect("a placement");
    Box::new(Contents::of(&men, lie))
}
