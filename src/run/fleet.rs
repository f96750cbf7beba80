//! What whoever looks after the boards wants to know of each: where it is plugged in, when it was heard, how good it is,
//! and which one somebody has in hand.

use std::{collections::BTreeMap, sync::Arc};

use protocol::{
    board::{ClockSense, Content, Contents, Link, Observation, WireSquare},
    feed::{BoardState, ClockAt, Fleet, Heard, PortTrouble, TableId},
};
use shakmaty::Role;

/// A man that is back on its square so soon was never in a hand.
const FLICKER_MS: u64 = 150;
/// Kings that stood so long before they were lifted were lifted together.
const TOGETHER_MS: u64 = 15_000;
/// How long a board that was pointed out stays so: somebody walks back to the screen.
const POINTED_OUT_MS: u64 = 8_000;
/// With fewer men beside the kings a board is being cleared, and nobody points it out.
const MEN_BESIDE: usize = 2;

/// All boards that were heard, by their serial numbers, and ports at which none is.
#[derive(Debug, Default)]
pub(super) struct Boards {
    known: BTreeMap<String, Known>,
    ports: BTreeMap<Arc<str>, String>,
}

/// One of them.
#[derive(Debug, Default)]
struct Known {
    state: BoardState,
    contents: Option<Contents>,
    /// The man that left a square last, and when.
    left: Option<(WireSquare, Content, u64)>,
    /// When both kings stood last.
    stood: Option<u64>,
    /// When neither did last, though both had just stood.
    lifted: Option<u64>,
}

impl Boards {
    /// A board has said who it is.
    pub(super) fn found(&mut self, port: &Arc<str>, board: &str) {
        self.ports.remove(port);
        for known in self.known.values_mut().filter(|known| known.state.port.as_deref() == Some(&**port)) {
            known.state.port = None;
        }
        let state = &mut self.known.entry(board.to_owned()).or_default().state;
        state.board = board.to_owned();
        state.port = Some(port.to_string());
    }

    /// It has said something.
    pub(super) fn hear(&mut self, board: &str, observation: &Observation, now: u64) {
        if let Some(known) = self.known.get_mut(board) {
            known.hear(observation, now);
        }
    }

    /// It has said something that could not be true.
    pub(super) fn disbelieve(&mut self, board: &str) {
        if let Some(known) = self.known.get_mut(board) {
            known.state.quality.nonsense += 1;
        }
    }

    /// Changes of so many squares were lost.
    pub(super) fn lose(&mut self, board: &str, squares: usize) {
        if let Some(known) = self.known.get_mut(board) {
            known.state.quality.lost += u32::try_from(squares).unwrap_or(u32::MAX);
        }
    }

    /// A game was begun on it, or its record corrected.
    pub(super) fn count(&mut self, board: &str, games: u32, corrections: u32) {
        if let Some(known) = self.known.get_mut(board) {
            known.state.quality.games += games;
            known.state.quality.corrections += corrections;
        }
    }

    /// Something is in the way at a port; nothing is any more if there is no sentence.
    pub(super) fn note_port(&mut self, port: &Arc<str>, trouble: Option<String>) {
        match trouble {
            Some(sentence) => self.ports.insert(Arc::clone(port), sentence),
            None => self.ports.remove(port),
        };
    }

    /// All of them as they are now.
    pub(super) fn view<'a>(&self, now: u64, table_of: impl Fn(&str) -> Option<&'a TableId>) -> Fleet {
        let board = |known: &Known| BoardState {
            at: table_of(&known.state.board).cloned(),
            is_lifted: known.lifted.is_some_and(|at| now.saturating_sub(at) < POINTED_OUT_MS),
            ..known.state.clone()
        };
        let trouble =
            |(port, trouble): (&Arc<str>, &String)| PortTrouble { port: port.to_string(), trouble: trouble.clone() };
        Fleet { now, boards: self.known.values().map(board).collect(), ports: self.ports.iter().map(trouble).collect() }
    }
}

impl Known {
    fn hear(&mut self, observation: &Observation, now: u64) {
        self.state.heard_at = now;
        self.state.heard = match observation {
            Observation::Square { square, content } => {
                self.change(*square, *content, now);
                Heard::Square
            }
            Observation::Board(contents) => {
                self.contents = Some(**contents);
                Heard::Board
            }
            Observation::Clock(sense) => {
                self.state.clock = clock_at(*sense);
                Heard::Clock
            }
            Observation::Link(Link::Up) => Heard::Link,
            Observation::Link(Link::Down) => {
                self.state.quality.breaks += 1;
                self.state.port = None;
                self.state.clock = ClockAt::None;
                (self.contents, self.stood, self.lifted) = (None, None, None);
                Heard::Gone
            }
        };
        self.look_for_kings(now);
    }

    fn change(&mut self, square: WireSquare, content: Content, now: u64) {
        let Some(contents) = &mut self.contents else { return };
        let before = contents.get(square);
        contents.set(square, content);
        if content == Content::Empty && before != Content::Empty {
            self.left = Some((square, before, now));
        } else if let Some((from, man, at)) = self.left.take()
            && (from, man) == (square, content)
            && now.saturating_sub(at) < FLICKER_MS
        {
            self.state.quality.flickers += 1;
        }
    }

    fn look_for_kings(&mut self, now: u64) {
        let Some(contents) = &self.contents else { return };
        let is_king = |content: &&Content| matches!(content, Content::Man(man) if man.role == Role::King);
        let kings = contents.0.iter().filter(is_king).count();
        let men = contents.0.iter().filter(|content| **content != Content::Empty).count();
        if kings >= 2 {
            self.stood = Some(now);
        } else if kings == 0
            && men >= MEN_BESIDE
            && self.stood.take().is_some_and(|at| now.saturating_sub(at) < TOGETHER_MS)
        {
            self.lifted = Some(now);
        }
    }
}

fn clock_at(sense: ClockSense) -> ClockAt {
    match sense {
        ClockSense::Absent => ClockAt::None,
        ClockSense::Reading(reading) if reading.battery_low => ClockAt::Low,
        ClockSense::Reading(_) => ClockAt::Good,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";

    fn boards() -> Boards {
        let mut boards = Boards::default();
        boards.found(&Arc::from("/dev/ttyACM0"), "7");
        boards.hear("7", &Observation::Board(Box::new(START.parse().expect("a placement"))), 0);
        boards
    }

    fn put(boards: &mut Boards, square: &str, letter: char, now: u64) {
        let square = square.parse().expect("a square");
        let content = letter.try_into().expect("a man");
        boards.hear("7", &Observation::Square { square, content }, now);
    }

    fn seen(boards: &Boards, now: u64) -> BoardState {
        boards.view(now, |_| None).boards.remove(0)
    }

    #[test]
    fn both_kings_in_hand_point_a_board_out_and_one_alone_does_not() {
        let mut boards = boards();
        put(&mut boards, "e1", '.', 1_000);
        assert!(!seen(&boards, 1_000).is_lifted, "a king is about to move");
        put(&mut boards, "e8", '.', 3_000);
        assert!(seen(&boards, 3_000).is_lifted);
        put(&mut boards, "e8", 'k', 4_000);
        put(&mut boards, "e1", 'K', 4_500);
        assert!(seen(&boards, 10_900).is_lifted, "whoever lifted them walks back to the screen");
        assert!(!seen(&boards, 11_000).is_lifted);
    }

    #[test]
    fn a_board_on_which_no_kings_stood_a_moment_ago_is_not_pointed_out() {
        let mut boards = boards();
        put(&mut boards, "e1", '.', 1_000);
        put(&mut boards, "e8", '.', 1_000 + TOGETHER_MS);
        assert!(!seen(&boards, 1_000 + TOGETHER_MS).is_lifted, "one was put away, the other mated");
        let mut empty = Boards::default();
        empty.found(&Arc::from("/dev/ttyACM0"), "7");
        empty.hear("7", &Observation::Board(Box::new(Contents::EMPTY)), 0);
        assert!(!seen(&empty, 1).is_lifted, "there never was a king on it");
    }

    #[test]
    fn a_man_that_is_back_at_once_has_flickered_and_one_that_was_lifted_has_not() {
        let mut boards = boards();
        put(&mut boards, "a2", '.', 1_000);
        put(&mut boards, "a2", 'P', 1_040);
        put(&mut boards, "b2", '.', 2_000);
        put(&mut boards, "b2", 'P', 2_600);
        put(&mut boards, "c2", '.', 3_000);
        put(&mut boards, "c3", 'P', 3_040);
        assert_eq!(seen(&boards, 4_000).quality.flickers, 1);
    }

    #[test]
    fn what_is_unplugged_has_no_port_and_is_counted() {
        let mut boards = boards();
        boards.hear("7", &Observation::Link(Link::Down), 5_000);
        let board = seen(&boards, 9_000);
        assert_eq!((board.port, board.heard, board.heard_at, board.quality.breaks), (None, Heard::Gone, 5_000, 1));
        boards.hear("8", &Observation::Link(Link::Down), 5_000);
        assert_eq!(boards.view(9_000, |_| None).boards.len(), 1, "nobody has said that it is there");
    }
}
