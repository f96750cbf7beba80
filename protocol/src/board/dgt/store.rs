//! The event store: what a board remembers of itself, dumped whole or in slices over the bus.
//!
//! Reading never fails: the store is a ring and may begin in the middle of an event, so bytes that fit nothing
//! are kept as they are.

use super::{
    clock::{from_bcd, to_bcd},
    piece::PieceCode,
};
use crate::board::{Face, WireSquare};

/// One entry of the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoreEvent {
    /// A square has changed.
    Piece {
        /// Where.
        square: WireSquare,
        /// What stands there.
        code: PieceCode,
        /// Less than about a quarter of a second after the event before.
        quick: bool,
    },
    /// The time of the side whose clock stopped.
    Clock {
        /// Which face.
        face: Face,
        /// Hours, minutes, seconds.
        time: [u8; 3],
    },
    /// Something about the whole board.
    Mark(StoreMark),
    /// A byte that begins nothing known.
    Other(u8),
}

/// Entries of one byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoreMark {
    /// The board was switched on.
    PowerUp,
    /// The newest entry is the one before this.
    End,
    /// Four rows are full, as in a Chess960 set-up.
    FourRows,
    /// The board is empty.
    Empty,
    /// The store was read out.
    Downloaded,
    /// The initial position stands.
    Initial,
    /// The initial position stands the other way round.
    InitialTurned,
    /// A game was started over the bus.
    Start,
    /// The board restarted by itself.
    Watchdog,
    /// Reserved.
    Reserved(bool),
    /// Nothing; `true` for 7f, which fills the store, `false` for 00.
    Nothing(bool),
}

impl StoreMark {
    fn byte(self) -> u8 {
        match self {
            StoreMark::PowerUp => 0x6a,
            StoreMark::End => 0x6b,
            StoreMark::FourRows => 0x6c,
            StoreMark::Empty => 0x6d,
            StoreMark::Downloaded => 0x6e,
            StoreMark::Initial => 0x6f,
            StoreMark::InitialTurned => 0x7a,
            StoreMark::Start => 0x7b,
            StoreMark::Watchdog => 0x7c,
            StoreMark::Reserved(false) => 0x7d,
            StoreMark::Reserved(true) => 0x7e,
            StoreMark::Nothing(true) => 0x7f,
            StoreMark::Nothing(false) => 0x00,
        }
    }

    fn of(byte: u8) -> Option<StoreMark> {
        Some(match byte {
            0x6a => StoreMark::PowerUp,
            0x6b => StoreMark::End,
            0x6c => StoreMark::FourRows,
            0x6d => StoreMark::Empty,
            0x6e => StoreMark::Downloaded,
            0x6f => StoreMark::Initial,
            0x7a => StoreMark::InitialTurned,
            0x7b => StoreMark::Start,
            0x7c => StoreMark::Watchdog,
            0x7d => StoreMark::Reserved(false),
            0x7e => StoreMark::Reserved(true),
            0x7f => StoreMark::Nothing(true),
            0x00 => StoreMark::Nothing(false),
            _ => return None,
        })
    }
}

pub(super) fn decode(mut bytes: &[u8]) -> Vec<StoreEvent> {
    let mut events = Vec::new();
    while let Some((event, rest)) = next(bytes) {
        events.push(event);
        bytes = rest;
    }
    events
}

fn next(bytes: &[u8]) -> Option<(StoreEvent, &[u8])> {
    let (&first, after_first) = bytes.split_first()?;
    let known = match bytes {
        [0x40..=0x5f, square, rest @ ..] => WireSquare::new(*square).map(|square| {
            let event = StoreEvent::Piece { square, code: PieceCode::new(first), quick: first & 0x10 != 0 };
            (event, rest)
        }),
        [0x60..=0x69 | 0x70..=0x79, minutes, seconds, rest @ ..] => {
            let face = if first < 0x70 { Face::Right } else { Face::Left };
            clock_time(first & 0x0f, *minutes, *seconds).map(|time| (StoreEvent::Clock { face, time }, rest))
        }
        _ => StoreMark::of(first).map(|mark| (StoreEvent::Mark(mark), after_first)),
    };
    Some(known.unwrap_or((StoreEvent::Other(first), after_first)))
}

fn clock_time(hours: u8, minutes: u8, seconds: u8) -> Option<[u8; 3]> {
    let (minutes, seconds) = (from_bcd(minutes).ok()?, from_bcd(seconds).ok()?);
    (minutes < 60 && seconds < 60).then_some([hours, minutes, seconds])
}

pub(super) fn encode(events: &[StoreEvent]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for event in events {
        match *event {
            StoreEvent::Piece { square, code, quick } => {
                bytes.extend([0x40 | code.byte() | if quick { 0x10 } else { 0 }, square.byte()]);
            }
            StoreEvent::Clock { face, time: [hours, minutes, seconds] } => {
                let marker = if face == Face::Right { 0x60 } else { 0x70 };
                bytes.extend([marker | hours, to_bcd(minutes), to_bcd(seconds)]);
            }
            StoreEvent::Mark(mark) => bytes.push(mark.byte()),
            StoreEvent::Other(byte) => bytes.push(byte),
        }
    }
    bytes
}
