//! What is known of each board: where it is plugged in, what stands on it, what its clock shows.

use std::collections::BTreeMap;

use protocol::board::{ClockReading, ClockSense, Contents, Face, Lie, Link, Observation, WireSquare};
use shakmaty::{Board, Color, Rank, Role};

use super::words::{ClockFaces, EBoard, Source};

/// All boards that were ever heard, by their serial numbers.
#[derive(Debug, Default)]
pub(super) struct Boards(BTreeMap<String, Known>);

/// One of them.
#[derive(Clone, Debug, Default)]
pub(super) struct Known {
    port: Option<String>,
    contents: Option<Contents>,
    lie: Lie,
    clock: Option<(ClockReading, u64)>,
}

impl Boards {
    /// A board at a port has said something, at `wall_ms`.
    pub(super) fn hear(&mut self, serial: &str, port: &str, observation: &Observation, wall_ms: u64) {
        let known = self.0.entry(serial.to_owned()).or_default();
        known.port = Some(port.trim_start_matches("/dev/").to_owned());
        match observation {
            Observation::Square { square, content } => {
                if let Some(contents) = &mut known.contents {
                    contents.set(*square, *content);
                }
            }
            Observation::Board(contents) => known.contents = Some(**contents),
            Observation::Clock(ClockSense::Absent) => known.clock = None,
            Observation::Clock(ClockSense::Reading(reading)) => known.clock = Some((*reading, wall_ms)),
            Observation::Link(Link::Up) => {}
            Observation::Link(Link::Down) => *known = Known { lie: known.lie, ..Known::default() },
        }
        known.look_round();
    }

    pub(super) fn get(&self, serial: &str) -> Option<&Known> {
        self.0.get(serial)
    }

    /// All of them, those that can be heard first: most clients take the first.
    pub(super) fn list(&self) -> Vec<EBoard> {
        let mut list = self.0.iter().map(|(serial, known)| known.listed(serial)).collect::<Vec<_>>();
        list.sort_by_key(|board| board.source.is_none());
        list
    }

    /// The ports they are at.
    pub(super) fn sources(&self) -> Vec<Source> {
        let ports = self.0.values().filter_map(|known| known.port.clone());
        let source = |device| Source { kind: "serial", device, name: None, present: true, active: true, status: None };
        ports.map(source).collect()
    }
}

impl Known {
    /// How it lies, unless a client says otherwise.
    pub(super) fn lie(&self) -> Lie {
        self.lie
    }

    /// What stands on it, as it would be reported by a board that lies straight.
    pub(super) fn straight(&self, lie: Lie) -> Option<Contents> {
        self.contents.map(|contents| {
            let mut turned = Contents::EMPTY;
            for square in WireSquare::all() {
                turned.set(straighten(square, lie), contents.get(square));
            }
            turned
        })
    }

    /// What stands on it, from White's side; nothing while it is unknown or men have no names.
    pub(super) fn placement(&self, lie: Lie) -> Option<String> {
        self.straight(lie).map(|contents| contents.placement()).filter(|placement| !placement.contains('?'))
    }

    pub(super) fn clock(&self, lie: Lie) -> Option<ClockFaces> {
        let (reading, time) = self.clock?;
        let (white, black) = match lie {
            Lie::Straight => (Face::Left, Face::Right),
            Lie::Turned => (Face::Right, Face::Left),
        };
        let counts = reading.to_move.unwrap_or(reading.high);
        Some(ClockFaces {
            white: reading.face(white).seconds,
            black: reading.face(black).seconds,
            run: reading.running.then_some(counts == white),
            time,
        })
    }

    fn listed(&self, serial: &str) -> EBoard {
        EBoard {
            serialnr: serial.to_owned(),
            source: self.port.clone(),
            state: if self.port.is_some() { "ACTIVE" } else { "NOTRESPONDING" },
            battery: None,
            comment: None,
            board: self.placement(self.lie),
            flipped: self.lie == Lie::Turned,
            clock: self.clock(self.lie),
        }
    }

    /// Pawns on their first squares say how the board lies; nothing else does for certain.
    fn look_round(&mut self) {
        let Some(contents) = self.contents else { return };
        let lies = [Lie::Straight, Lie::Turned].into_iter().find(|lie| is_put_up(&contents.board(*lie)));
        self.lie = lies.unwrap_or(self.lie);
    }
}

/// A square of a board as one that lies straight would call it.
pub(super) fn straighten(square: WireSquare, lie: Lie) -> WireSquare {
    WireSquare::under(square.on(lie), Lie::Straight)
}

fn is_put_up(board: &Board) -> bool {
    let pawns = |color: Color, rank: Rank| (board.by_piece(Role::Pawn.of(color)) & rank).count() == 8;
    pawns(Color::White, Rank::Second) && pawns(Color::Black, Rank::Seventh)
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";

    #[test]
    fn a_board_that_lies_the_other_way_round_is_told_from_whites_side() {
        let mut boards = Boards::default();
        let start = START.parse::<Contents>().expect("a placement").board(Lie::Straight);
        let turned = Box::new(Contents::of(&start, Lie::Turned));
        boards.hear("7", "/dev/ttyACM0", &Observation::Board(turned), 5);
        let [board] = &boards.list()[..] else { panic!("there is one") };
        assert_eq!((board.board.as_deref(), board.flipped), (Some(START), true));
        assert_eq!(board.source.as_deref(), Some("ttyACM0"));
    }

    #[test]
    fn a_board_that_is_gone_stands_last_and_says_nothing_of_its_squares() {
        let mut boards = Boards::default();
        let start = Box::new(START.parse::<Contents>().expect("a placement"));
        for serial in ["1", "2"] {
            boards.hear(serial, "/dev/ttyUSB0", &Observation::Board(start.clone()), 5);
        }
        boards.hear("1", "/dev/ttyUSB0", &Observation::Link(Link::Down), 6);
        let list = boards.list();
        assert_eq!(list.iter().map(|board| board.serialnr.as_str()).collect::<Vec<_>>(), ["2", "1"]);
        assert_eq!((list[1].state, &list[1].board, &list[1].source), ("NOTRESPONDING", &None, &None));
    }

    #[test]
    fn men_without_names_are_no_placement() {
        let mut boards = Boards::default();
        let men = "8/8/8/8/4?3/8/8/8".parse::<Contents>().expect("a placement");
        boards.hear("1", "p", &Observation::Board(Box::new(men)), 0);
        assert_eq!(boards.list()[0].board, None);
    }
}
