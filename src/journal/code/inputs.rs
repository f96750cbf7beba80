//! Inputs: each says only what differs from what the one before it lets expect.

use std::collections::BTreeMap;

use hall::{Input, Scope};
use protocol::{
    board::{ClockReading, ClockSense, Content, Contents, Face, FaceReading, Link, Observation, WireSquare},
    feed::TableId,
};

use crate::{
    bytes::{Bytes, Unreadable, put_number, put_text},
    journal::{Row, Said},
};

// The kind is in the lowest three bits of the first byte, the seat in the others.
const JSON: u8 = 0;
const SEAT: u8 = 1;
const SQUARE: u8 = 2;
const TICK: u8 = 3;
const CLOCK: u8 = 4;
const ELAPSED: u8 = 5;
const OTHER: u8 = 6;
/// A seat that has no room in the first byte stands behind it.
const FAR: usize = 31;

const LINK_UP: u8 = 0;
const LINK_DOWN: u8 = 1;
const CLOCK_ABSENT: u8 = 2;
const BOARD: u8 = 3;

/// What a square of a dump may hold, in half a byte.
const MEN: &[u8; 14] = b".PNBRQKpnbrqk?";

/// So many seconds a clock may have gone on between two readings and still be a tick.
const STEPS: u32 = 4;

/// A table and a board at it, and what its clock showed last.
#[derive(Clone, Debug)]
struct Seat {
    observed: Said,
    elapsed: Said,
    clock: Option<ClockReading>,
}

impl Seat {
    fn new(table: TableId, board: &str) -> Seat {
        let observation = Observation::Link(Link::Down);
        let elapsed = Said::Input(Input::Elapsed { table: table.clone() });
        let observed = Said::Input(Input::Observed { table, board: board.to_owned(), observation });
        Seat { observed, elapsed, clock: None }
    }
}

/// Writes inputs down. A new one, and a new [`Decoder`] with it, begins wherever the bytes say so.
#[derive(Clone, Debug, Default)]
pub(in crate::journal) struct Encoder {
    seats: BTreeMap<(TableId, String), (usize, Option<ClockReading>)>,
    t: u64,
}

impl Encoder {
    /// Adds an input to `out`.
    pub(in crate::journal) fn write(&mut self, out: &mut Vec<u8>, scope: &Scope, row: &Row) {
        let written = row.t >= self.t && self.write_short(out, scope, row).is_some();
        if !written {
            out.push(JSON);
            put_number(out, row.t);
            match &row.said {
                Said::Input(input) => put_text(out, &serde_json::to_string(input).expect("inputs are plain data")),
                Said::Text(text) => put_text(out, text),
            }
        }
        self.t = row.t;
    }

    fn write_short(&mut self, out: &mut Vec<u8>, scope: &Scope, row: &Row) -> Option<()> {
        let since = row.t - self.t;
        let Said::Input(input) = &row.said else { return None };
        match input {
            Input::Observed { table, board, observation } if scope.has(table) => {
                self.observe(out, (table, board), observation, since);
                Some(())
            }
            Input::Elapsed { table } if scope.has(table) => {
                let (seat, _) = self.seat(out, table, "");
                put_kind(out, ELAPSED, seat);
                put_number(out, since);
                Some(())
            }
            Input::Observed { .. }
            | Input::Elapsed { .. }
            | Input::Pressed { .. }
            | Input::Ordered(_)
            | Input::Searched { .. }
            | Input::Spoken { .. }
            | Input::Left { .. }
            | Input::LeftOver { .. }
            | Input::TakenOver { .. }
            | Input::Resumed { .. }
            | Input::Settings { .. } => None,
        }
    }

    fn observe(&mut self, out: &mut Vec<u8>, at: (&TableId, &str), observation: &Observation, since: u64) {
        let (seat, clock) = self.seat(out, at.0, at.1);
        match observation {
            Observation::Square { square, content } => {
                put_kind(out, SQUARE, seat);
                put_number(out, since);
                out.extend([square.byte(), letter(*content)]);
            }
            Observation::Clock(ClockSense::Reading(reading)) => {
                let steps = clock.and_then(|before| steps(&before, reading));
                match steps.filter(|_| since < u64::MAX / u64::from(STEPS)) {
                    Some(steps) => {
                        put_kind(out, TICK, seat);
                        put_number(out, since * u64::from(STEPS) + u64::from(steps));
                    }
                    None => {
                        put_kind(out, CLOCK, seat);
                        put_number(out, since);
                        put_reading(out, reading);
                    }
                }
                if let Some((_, clock)) = self.seats.get_mut(&(at.0.clone(), at.1.to_owned())) {
                    *clock = Some(*reading);
                }
            }
            Observation::Clock(ClockSense::Absent) => put_other(out, seat, since, CLOCK_ABSENT),
            Observation::Link(Link::Up) => put_other(out, seat, since, LINK_UP),
            Observation::Link(Link::Down) => put_other(out, seat, since, LINK_DOWN),
            Observation::Board(contents) => {
                put_other(out, seat, since, BOARD);
                let man = |content: Content| MEN.iter().position(|man| *man == letter(content)).unwrap_or(0);
                let halves = contents.0.chunks_exact(2).map(|pair| man(pair[0]) << 4 | man(pair[1]));
                out.extend(halves.filter_map(|both| u8::try_from(both).ok()));
            }
        }
    }

    /// The number of a seat; it is written down when it is first spoken of.
    fn seat(&mut self, out: &mut Vec<u8>, table: &TableId, board: &str) -> (usize, Option<ClockReading>) {
        let next = self.seats.len();
        *self.seats.entry((table.clone(), board.to_owned())).or_insert_with(|| {
            put_kind(out, SEAT, 0);
            put_number(out, table.table.into());
            put_text(out, board);
            (next, None)
        })
    }
}

fn put_kind(out: &mut Vec<u8>, kind: u8, seat: usize) {
    let near = u8::try_from(seat.min(FAR)).unwrap_or(0);
    out.push(near << 3 | kind);
    if seat >= FAR {
        put_number(out, seat as u64);
    }
}

fn put_other(out: &mut Vec<u8>, seat: usize, since: u64, what: u8) {
    put_kind(out, OTHER, seat);
    put_number(out, since);
    out.push(what);
}

fn letter(content: Content) -> u8 {
    u8::try_from(content.letter()).unwrap_or(b'.')
}

/// The face that counts down, and whether it does.
fn counting(reading: &ClockReading) -> Option<Face> {
    reading.running.then(|| reading.to_move.unwrap_or(reading.high))
}

/// What a clock shows after it has gone on for some seconds.
fn later(reading: &ClockReading, seconds: u32) -> Option<ClockReading> {
    let mut later = *reading;
    let face = match counting(reading) {
        Some(Face::Left) => &mut later.left,
        Some(Face::Right) => &mut later.right,
        None => return (seconds == 0).then_some(later),
    };
    face.seconds = face.seconds.checked_sub(seconds)?;
    Some(later)
}

fn steps(before: &ClockReading, now: &ClockReading) -> Option<u32> {
    (0..STEPS).find(|seconds| later(before, *seconds).as_ref() == Some(now))
}

fn put_reading(out: &mut Vec<u8>, reading: &ClockReading) {
    let ClockReading { left, right, running, high, to_move, battery_low } = reading;
    let named = match to_move {
        None => 0,
        Some(Face::Left) => 1,
        Some(Face::Right) => 2,
    };
    let bits = [left.flag, right.flag, *running, *high == Face::Right, *battery_low];
    let bits = bits.iter().rev().fold(0, |bits, bit| bits << 1 | u8::from(*bit));
    out.push(bits | named << 5);
    put_number(out, left.seconds.into());
    put_number(out, right.seconds.into());
}

fn read_reading(bytes: &mut Bytes<'_>) -> Result<ClockReading, Unreadable> {
    let bits = bytes.byte()?;
    let is = |bit: u8| bits >> bit & 1 == 1;
    let to_move = match bits >> 5 {
        0 => None,
        1 => Some(Face::Left),
        2 => Some(Face::Right),
        _ => return Err(Unreadable),
    };
    Ok(ClockReading {
        left: FaceReading { seconds: bytes.small()?, flag: is(0) },
        right: FaceReading { seconds: bytes.small()?, flag: is(1) },
        running: is(2),
        high: if is(3) { Face::Right } else { Face::Left },
        to_move,
        battery_low: is(4),
    })
}

/// What one step of reading has come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::journal) enum Step {
    /// An input: ask for the current one.
    Input,
    /// There are no more.
    End,
}

/// Reads what an [`Encoder`] wrote. What it has read lies in it until the next step: nothing is made anew for a clock
/// that counts.
#[derive(Clone, Debug)]
pub(in crate::journal) struct Decoder {
    scope: Scope,
    seats: Vec<Seat>,
    t: u64,
    current: Current,
}

#[derive(Clone, Debug)]
enum Current {
    Observed(usize),
    Elapsed(usize),
    Other(Box<Said>),
    Nothing,
}

impl Decoder {
    pub(in crate::journal) fn new(scope: Scope) -> Decoder {
        Decoder { scope, seats: Vec::new(), t: 0, current: Current::Nothing }
    }

    /// Begins anew, as the encoder did.
    pub(in crate::journal) fn reset(&mut self) {
        *self = Decoder::new(self.scope.clone());
    }

    /// The input that was read last.
    pub(in crate::journal) fn current(&self) -> Option<(u64, &Said)> {
        let input = match &self.current {
            Current::Observed(seat) => &self.seats.get(*seat)?.observed,
            Current::Elapsed(seat) => &self.seats.get(*seat)?.elapsed,
            Current::Other(input) => input,
            Current::Nothing => return None,
        };
        Some((self.t, input))
    }

    /// Reads one input from the front of `left`.
    pub(in crate::journal) fn step(&mut self, left: &mut &[u8]) -> Result<Step, Unreadable> {
        let mut bytes = Bytes { left };
        let step = self.read(&mut bytes)?;
        *left = bytes.left;
        Ok(step)
    }

    fn read(&mut self, bytes: &mut Bytes<'_>) -> Result<Step, Unreadable> {
        loop {
            if bytes.left.is_empty() {
                return Ok(Step::End);
            }
            let first = bytes.byte()?;
            let kind = first & 7;
            if kind == JSON {
                self.t = bytes.number()?;
                self.current = Current::Other(Box::new(Said::read(bytes.text()?)));
                return Ok(Step::Input);
            }
            let near = usize::from(first >> 3);
            if kind == SEAT {
                let table = self.scope.table(bytes.small()?).ok_or(Unreadable)?;
                self.seats.push(Seat::new(table, bytes.text()?));
                continue;
            }
            let seat = if near == FAR { bytes.small()? } else { near };
            self.read_at(seat, kind, bytes)?;
            return Ok(Step::Input);
        }
    }

    fn read_at(&mut self, at: usize, kind: u8, bytes: &mut Bytes<'_>) -> Result<(), Unreadable> {
        let seat = self.seats.get_mut(at).ok_or(Unreadable)?;
        let coded = bytes.number()?;
        let since = if kind == TICK { coded / u64::from(STEPS) } else { coded };
        self.t = self.t.checked_add(since).ok_or(Unreadable)?;
        self.current = if kind == ELAPSED { Current::Elapsed(at) } else { Current::Observed(at) };
        let seen = match kind {
            SQUARE => read_square(bytes)?,
            TICK => {
                let seconds = u32::try_from(coded % u64::from(STEPS)).map_err(|_| Unreadable)?;
                let reading = seat.clock.and_then(|before| later(&before, seconds)).ok_or(Unreadable)?;
                seat.clock = Some(reading);
                Observation::Clock(ClockSense::Reading(reading))
            }
            CLOCK => {
                let reading = read_reading(bytes)?;
                seat.clock = Some(reading);
                Observation::Clock(ClockSense::Reading(reading))
            }
            ELAPSED => return Ok(()),
            OTHER => read_other(bytes)?,
            _ => return Err(Unreadable),
        };
        let Said::Input(Input::Observed { observation, .. }) = &mut seat.observed else { return Err(Unreadable) };
        *observation = seen;
        Ok(())
    }
}

fn read_square(bytes: &mut Bytes<'_>) -> Result<Observation, Unreadable> {
    let square = WireSquare::new(bytes.byte()?).ok_or(Unreadable)?;
    let content = Content::try_from(char::from(bytes.byte()?)).map_err(|_| Unreadable)?;
    Ok(Observation::Square { square, content })
}

fn read_other(bytes: &mut Bytes<'_>) -> Result<Observation, Unreadable> {
    Ok(match bytes.byte()? {
        LINK_UP => Observation::Link(Link::Up),
        LINK_DOWN => Observation::Link(Link::Down),
        CLOCK_ABSENT => Observation::Clock(ClockSense::Absent),
        BOARD => {
            let mut contents = Box::new(Contents::EMPTY);
            let halves = bytes.bytes(32)?.iter().flat_map(|both| [both >> 4, both & 15]);
            for (square, half) in WireSquare::all().zip(halves) {
                let man = MEN.get(usize::from(half)).ok_or(Unreadable)?;
                contents.set(square, Content::try_from(char::from(*man)).map_err(|_| Unreadable)?);
            }
            Observation::Board(contents)
        }
        _ => return Err(Unreadable),
    })
}
