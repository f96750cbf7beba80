//! What a message means to the rest of the house.

use super::{
    bus::BusBody,
    clock::{ClockMessage, ClockTimes, FaceTime},
    message::Message,
    store::StoreEvent,
};
use crate::board::{ClockReading, ClockSense, FaceReading, Observation};

impl Message {
    /// The facts about squares and clock in this message, in the order in which they came about.
    /// Identity, versions, answers of the clock and history since a start mark are none.
    pub fn observe(&self) -> Vec<Observation> {
        match self {
            Message::FieldUpdate { square, code } => {
                vec![Observation::Square { square: *square, content: code.content() }]
            }
            Message::BoardDump(codes) => vec![Observation::Board(Box::new(codes.contents()))],
            Message::Clock(clock) => clock.observe().into_iter().collect(),
            Message::Bus(message) => match &message.body {
                BusBody::Board(codes) => vec![Observation::Board(Box::new(codes.contents()))],
                BusBody::Clock(clock) => clock.observe().into_iter().collect(),
                BusBody::Changes(events) => events.iter().filter_map(StoreEvent::observe).collect(),
                BusBody::FromStart(_)
                | BusBody::Ping
                | BusBody::StartSet
                | BusBody::Version(_)
                | BusBody::Draughts(_)
                | BusBody::Unknown { .. } => Vec::new(),
            },
            Message::Draughts(..)
            | Message::Store(_)
            | Message::BusAddress(_)
            | Message::ShortSerial(_)
            | Message::LongSerial(_)
            | Message::Trademark(_)
            | Message::Version { .. }
            | Message::HardwareVersion { .. }
            | Message::Battery(_)
            | Message::Unknown { .. } => Vec::new(),
        }
    }
}

impl ClockMessage {
    fn observe(&self) -> Option<Observation> {
        match self {
            ClockMessage::Times(times) => Some(Observation::Clock(ClockSense::Reading(times.reading()))),
            ClockMessage::Absent(_) => Some(Observation::Clock(ClockSense::Absent)),
            ClockMessage::Ack(_) | ClockMessage::Null => None,
        }
    }
}

impl ClockTimes {
    /// The reading without what only this make of clock says.
    pub fn reading(&self) -> ClockReading {
        let face = |face: FaceTime| FaceReading { seconds: face.total_seconds(), flag: face.flag() };
        ClockReading {
            left: face(self.left),
            right: face(self.right),
            running: self.status.has(super::Status::RUNNING),
            high: self.status.high(),
            to_move: self.status.to_move(),
            battery_low: self.status.has(super::Status::BATTERY_LOW),
        }
    }
}

impl StoreEvent {
    fn observe(&self) -> Option<Observation> {
        match self {
            StoreEvent::Piece { square, code, .. } => {
                Some(Observation::Square { square: *square, content: code.content() })
            }
            StoreEvent::Clock { .. } | StoreEvent::Mark(_) | StoreEvent::Other(_) => None,
        }
    }
}
