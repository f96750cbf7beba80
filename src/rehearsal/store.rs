//! The board's memory of itself: a ring of events that survives being switched off.

use std::collections::VecDeque;

use protocol::board::dgt::{StoreEvent, StoreMark};

/// What a classic board keeps, in bytes.
const CAPACITY: usize = 0x1f00;

/// The ring. Events carry a number that never comes again, so that a bus master can be told what is new.
#[derive(Clone, Debug, Default)]
pub(super) struct EventRing {
    events: VecDeque<StoreEvent>,
    bytes: usize,
    first: u64,
    started: u64,
    told: u64,
    last_told: Vec<StoreEvent>,
}

impl EventRing {
    pub(super) fn push(&mut self, event: StoreEvent) {
        if self.is_flicker(event) {
            self.drop_newest();
            return;
        }
        self.events.push_back(event);
        self.bytes += size(event);
        // One byte is kept for the mark that ends a dump.
        while self.bytes >= CAPACITY {
            let oldest = self.events.pop_front().expect("bytes are counted from events");
            self.bytes -= size(oldest);
            self.first += 1;
        }
    }

    /// The whole store as command 49 shows it: filled up, oldest first, the end marked.
    pub(super) fn dump(&self) -> Vec<StoreEvent> {
        let fill = CAPACITY - 1 - self.bytes;
        std::iter::repeat_n(StoreEvent::Mark(StoreMark::Nothing(true)), fill)
            .chain(self.events.iter().copied())
            .chain([StoreEvent::Mark(StoreMark::End)])
            .collect()
    }

    /// Marks the start of a game. What follows from the mark is known to the bus master without being told.
    pub(super) fn start(&mut self, men: impl Iterator<Item = StoreEvent>) {
        self.started = self.end();
        self.push(StoreEvent::Mark(StoreMark::Start));
        men.for_each(|man| self.push(man));
        self.told = self.end();
    }

    /// What has happened since this was last asked.
    pub(super) fn changes(&mut self) -> Vec<StoreEvent> {
        self.last_told = self.between(self.told, self.end());
        self.told = self.end();
        self.last_told.clone()
    }

    /// The same once more.
    pub(super) fn last_changes(&self) -> Vec<StoreEvent> {
        self.last_told.clone()
    }

    /// Everything since the start mark that has been told.
    pub(super) fn since_start(&self) -> Vec<StoreEvent> {
        self.between(self.started, self.told)
    }

    fn between(&self, from: u64, to: u64) -> Vec<StoreEvent> {
        (self.first..)
            .zip(&self.events)
            .filter(|(number, _)| (from..to).contains(number))
            .map(|(_, event)| *event)
            .collect()
    }

    fn end(&self) -> u64 {
        self.first + u64::try_from(self.events.len()).expect("the ring holds under 8000 events")
    }

    /// A man that goes and comes on one square overwrites its own last event, so that a weak coil can't wipe out a game.
    fn is_flicker(&self, event: StoreEvent) -> bool {
        let StoreEvent::Piece { square, code, .. } = event else { return false };
        let mut newest = self.events.iter().rev();
        let (Some(last), Some(before)) = (newest.next(), newest.next()) else { return false };
        let is_on = |event: &StoreEvent, wanted: Option<_>| matches!(event, StoreEvent::Piece { square: on, code: stood, .. } if *on == square && wanted.is_none_or(|code| code == *stood));
        self.told < self.end() && is_on(last, None) && is_on(before, Some(code))
    }

    fn drop_newest(&mut self) {
        if let Some(newest) = self.events.pop_back() {
            self.bytes -= size(newest);
        }
    }
}

fn size(event: StoreEvent) -> usize {
    match event {
        StoreEvent::Piece { .. } => 2,
        StoreEvent::Clock { .. } => 3,
        StoreEvent::Mark(_) | StoreEvent::Other(_) => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::board::dgt::{Message, PieceCode};

    fn event(square: &str, code: u8) -> StoreEvent {
        StoreEvent::Piece { square: square.parse().expect("a square"), code: PieceCode::new(code), quick: false }
    }

    #[test]
    fn a_dump_always_has_the_size_of_the_store() {
        let mut ring = EventRing::default();
        for round in (0..12).cycle().take(3_000) {
            let dump = Message::Store(ring.dump()).encode();
            assert_eq!((dump.len(), dump[1], dump[2], dump[7938]), (7939, 0x3e, 0x03, 0x6b));
            for step in 0..3 {
                ring.push(event(["a1", "b2", "c3"][step], round + 1));
            }
        }
    }

    #[test]
    fn a_flickering_man_leaves_one_pair_of_events() {
        let mut ring = EventRing::default();
        for code in [1, 0, 1, 0, 1, 0] {
            ring.push(event("e2", code));
        }
        assert_eq!(ring.changes(), [event("e2", 1), event("e2", 0)]);
    }

    #[test]
    fn changes_are_told_once_and_can_be_repeated() {
        let mut ring = EventRing::default();
        ring.push(event("h8", 8));
        ring.start([event("a1", 2)].into_iter());
        ring.push(event("e2", 0));
        assert_eq!(ring.since_start(), [StoreEvent::Mark(StoreMark::Start), event("a1", 2)]);
        assert_eq!(ring.changes(), [event("e2", 0)]);
        assert_eq!(ring.last_changes(), [event("e2", 0)]);
        assert_eq!(ring.changes(), []);
        assert_eq!(ring.since_start(), [StoreEvent::Mark(StoreMark::Start), event("a1", 2), event("e2", 0)]);
    }
}
