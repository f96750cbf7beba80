//! Streams: what a row of events becomes for one door and one table, or for one door and the whole hall.
//!
//! Pure. A stream filters before it folds, so that its snapshot can't hold what its changes may not say.

use std::collections::BTreeMap;

use bytes::Bytes;
use protocol::{
    feed::{Audience, Body, HallView, Message, Staff, TableEvent, TableId, VERSION},
    websocket,
};

use super::{
    doors::{Door, Open, is_for},
    views::Views,
};

/// What a viewer follows.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Subject {
    /// The door they came in by.
    pub door: Door,
    /// One table, or the whole hall.
    pub table: Option<TableId>,
}

/// All streams of one run.
#[derive(Debug)]
pub(super) struct Streams {
    run: String,
    /// How everything stands, as each audience may know it.
    views: Views,
    open: BTreeMap<Subject, Stream>,
}

/// One stream: its number, what is to be sent, and who follows it.
#[derive(Debug)]
struct Stream {
    seq: u64,
    changes: Changes,
    /// Encoded for those who join or fall behind in the same turn.
    snapshot: Option<Bytes>,
    /// Places in the gallery.
    viewers: Vec<usize>,
}

impl Stream {
    fn behind(door: Door) -> Stream {
        Stream { seq: 0, changes: Changes::behind(door), snapshot: None, viewers: Vec::new() }
    }
}

/// What is to be sent. An open door takes only what is open.
#[derive(Debug)]
enum Changes {
    Open(Vec<Open>),
    Staff(Staff, Vec<TableEvent>),
}

impl Changes {
    fn behind(door: Door) -> Changes {
        match door.audience() {
            Audience::Public | Audience::Hall => Changes::Open(Vec::new()),
            Audience::Operator => Changes::Staff(Staff::Operator, Vec::new()),
            Audience::Arbiter => Changes::Staff(Staff::Arbiter, Vec::new()),
        }
    }

    fn take(&mut self, event: &TableEvent, open: Option<&Open>) {
        match self {
            Changes::Open(changes) => changes.extend(open.cloned()),
            Changes::Staff(staff, changes) if is_for(event, *staff) => changes.push(event.clone()),
            Changes::Staff(..) => {}
        }
    }

    fn clear(&mut self) {
        self.drain();
    }

    fn drain(&mut self) -> Vec<TableEvent> {
        match self {
            Changes::Open(changes) => changes.drain(..).map(TableEvent::from).collect(),
            Changes::Staff(_, changes) => std::mem::take(changes),
        }
    }
}

impl Streams {
    pub(super) fn new(run: String) -> Streams {
        Streams { run, views: Views::default(), open: BTreeMap::new() }
    }

    /// Puts `views` in the place of all that was known. Whoever follows needs a new snapshot.
    pub(super) fn restore(&mut self, views: Views) {
        self.views = views;
        for stream in self.open.values_mut() {
            stream.changes.clear();
            stream.snapshot = None;
        }
    }

    /// Takes in what happened; `frames` brings it out.
    pub(super) fn take(&mut self, event: &TableEvent) {
        let open = Open::to_hall(event);
        self.views.apply(event);
        let follows = |subject: &Subject| subject.table.is_none() || subject.table == event.table;
        for (_, stream) in self.open.iter_mut().filter(|(subject, _)| follows(subject)) {
            stream.changes.take(event, open.as_ref());
        }
    }

    /// What has happened since the last call: one frame for each stream that somebody follows.
    pub(super) fn frames(&mut self, now: u64) -> Vec<(Subject, Bytes)> {
        let mut frames = Vec::new();
        for (subject, stream) in &mut self.open {
            stream.snapshot = None;
            let changes = stream.changes.drain();
            if !changes.is_empty() {
                stream.seq += 1;
                frames.push((subject.clone(), encode(&self.run, stream.seq, now, Body::Changes(changes))));
            }
        }
        frames
    }

    /// A sign of life for each stream.
    pub(super) fn beats(&self, now: u64) -> Vec<(Subject, Bytes)> {
        let beat = |stream: &Stream| encode(&self.run, stream.seq, now, Body::Beat(()));
        self.open.iter().map(|(subject, stream)| (subject.clone(), beat(stream))).collect()
    }

    /// How everything stands, for one who follows `subject`. All changes taken in have to be brought out before.
    pub(super) fn snapshot(&mut self, subject: &Subject, now: u64) -> Bytes {
        let view = match &subject.table {
            None => self.view(subject.door),
            Some(table) => self.view(subject.door).only(table),
        };
        let stream = self.open.entry(subject.clone()).or_insert_with(|| Stream::behind(subject.door));
        let encode = || encode(&self.run, stream.seq, now, Body::Snapshot(view));
        stream.snapshot.get_or_insert_with(encode).clone()
    }

    /// How everything stands as one door shows it.
    pub(super) fn view(&self, door: Door) -> HallView {
        self.views.of(door.audience()).clone()
    }

    pub(super) fn follow(&mut self, subject: &Subject, viewer: usize) {
        self.open.entry(subject.clone()).or_insert_with(|| Stream::behind(subject.door)).viewers.push(viewer);
    }

    /// A stream nobody follows is forgotten: its next follower begins with a snapshot anyway.
    pub(super) fn leave(&mut self, subject: &Subject, viewer: usize) {
        let Some(stream) = self.open.get_mut(subject) else { return };
        stream.viewers.retain(|other| *other != viewer);
        if stream.viewers.is_empty() {
            self.open.remove(subject);
        }
    }

    /// What anybody follows.
    pub(super) fn followed(&self) -> Vec<Subject> {
        self.open.keys().cloned().collect()
    }

    /// Who follows `subject`, in the order they came.
    pub(super) fn viewers(&self, subject: &Subject) -> &[usize] {
        self.open.get(subject).map_or(&[], |stream| &stream.viewers)
    }
}

fn encode(run: &str, seq: u64, now: u64, body: Body) -> Bytes {
    let message = Message { v: VERSION, run: run.to_owned(), seq, now, body };
    let json = serde_json::to_vec(&message).expect("a message has only string keys and no foreign types");
    websocket::text(&json).into()
}

#[cfg(test)]
mod tests {
    use protocol::feed::Sight;

    use super::*;

    #[test]
    fn what_happens_in_one_turn_is_one_frame_for_each_stream_that_is_followed() {
        let mut streams = Streams::new("run".to_owned());
        let (hall, one) = (subject(None), subject(Some(table(1))));
        streams.follow(&hall, 0);
        streams.follow(&one, 1);
        for number in [1, 2, 1] {
            streams.take(&clock(number));
        }
        let sent: Vec<_> = streams.frames(5).into_iter().map(|(to, frame)| (to, read(&frame))).collect();
        let changes = |numbers: &[u16]| Body::Changes(numbers.iter().map(|number| clock(*number)).collect());
        let message = |body| Message { v: VERSION, run: "run".into(), seq: 1, now: 5, body };
        assert_eq!(sent, [(hall, message(changes(&[1, 2, 1]))), (one, message(changes(&[1, 1])))]);
        assert_eq!(streams.frames(6), [], "nothing is said twice");
    }

    #[test]
    fn a_beat_and_a_snapshot_carry_the_number_of_the_last_change() {
        let mut streams = Streams::new("run".to_owned());
        let hall = subject(None);
        streams.follow(&hall, 0);
        streams.take(&clock(1));
        streams.frames(5);
        assert_eq!(read(&streams.beats(6)[0].1).seq, 1);
        assert_eq!(read(&streams.beats(6)[0].1).body, Body::Beat(()));
        assert_eq!(read(&streams.snapshot(&hall, 7)).seq, 1);
    }

    #[test]
    fn a_snapshot_is_as_new_as_the_turn_it_is_asked_in() {
        let mut streams = Streams::new("run".to_owned());
        let hall = subject(None);
        streams.follow(&hall, 0);
        streams.snapshot(&hall, 5);
        streams.frames(6);
        assert_eq!(read(&streams.snapshot(&hall, 6)).now, 6);
    }

    #[test]
    fn a_stream_nobody_follows_is_forgotten() {
        let mut streams = Streams::new("run".to_owned());
        let hall = subject(None);
        streams.follow(&hall, 0);
        streams.leave(&hall, 0);
        streams.take(&clock(1));
        assert_eq!(streams.frames(5), []);
        assert_eq!(streams.followed(), []);
    }

    fn read(frame: &Bytes) -> Message {
        let json = frame.iter().position(|byte| *byte == b'{').expect("a message is an object");
        serde_json::from_slice(&frame[json..]).expect("a message of the feed")
    }

    fn subject(table: Option<TableId>) -> Subject {
        Subject { door: Door::HallFeed, table }
    }

    fn table(number: u16) -> TableId {
        TableId { event: "open".into(), round: 3, table: number }
    }

    fn clock(number: u16) -> TableEvent {
        let sight = Sight::Clock { white_ms: 1, black_ms: 2, running: None };
        TableEvent { table: Some(table(number)), t: 1, event: sight.into() }
    }
}
