//! Streams: what a row of events becomes for one door and one table, or for one door and the whole hall.
//!
//! Pure. Views are filtered before they are folded, so that no snapshot can hold what no change may say. In version 1 a
//! stream hands events on; in version 2 it tells how the view of its audience changes.

use std::collections::BTreeMap;

use bytes::Bytes;
use protocol::{
    feed::{Audience, Body, HallView, Message, Staff, TableEvent, TableId, VERSION, v2},
    websocket,
};
use serde::Serialize;

use super::{
    air::{Picture, Pictured},
    doors::{Door, Open, is_for},
    glimpses::Glimpses,
    notice::Notice,
    pictures::Pictures,
    shelf::Document,
    views::Views,
};

/// What a viewer follows.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Subject {
    /// The door they came in by.
    pub door: Door,
    /// One table, or the whole hall.
    pub table: Option<TableId>,
    /// In which words.
    pub version: Version,
}

/// The words of a feed. The address says which.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Version {
    /// Events, frozen.
    One,
    /// Pictures and changes.
    Two,
}

/// All streams of one run.
#[derive(Debug)]
pub(super) struct Streams {
    run: String,
    /// How everything stands, as each audience may know it.
    views: Views,
    /// The same as documents, for doors that were asked since the last change.
    documents: BTreeMap<Audience, Document>,
    open: BTreeMap<Subject, Stream>,
    /// What everybody should know of the record.
    notice: Notice,
}

/// What stands in the head of a frame.
#[derive(Clone, Copy)]
struct Head<'a> {
    run: &'a str,
    now: u64,
    notice: &'a Notice,
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
    fn behind(subject: &Subject, views: &Views) -> Stream {
        Stream { seq: 0, changes: Changes::behind(subject, views), snapshot: None, viewers: Vec::new() }
    }

    /// The number of the frame that was just made.
    fn next(&mut self) -> u64 {
        self.seq += 1;
        self.seq
    }
}

/// What is to be sent. An open door takes only what is open.
#[derive(Debug)]
enum Changes {
    Hall(Vec<Open>),
    Staff(Staff, Vec<TableEvent>),
    /// Spectators, in the words of version 1.
    Spectators(Box<Pictures>),
    Pictures(Option<Staff>, Box<Pictures>),
}

/// What is about no table is for every picture. In version 1 an event without its table is about the stream's own.
fn is_of_all(event: &TableEvent, subject: &Subject) -> bool {
    event.table.is_none() && subject.version == Version::Two
}

impl Changes {
    fn behind(subject: &Subject, views: &Views) -> Changes {
        let audience = subject.door.audience();
        let staff = match audience {
            Audience::Public | Audience::Hall => None,
            Audience::Operator => Some(Staff::Operator),
            Audience::Arbiter => Some(Staff::Arbiter),
        };
        let pictures = || Box::new(Pictures::of(subject.table.clone().into(), views.of(audience)));
        match (subject.version, staff) {
            (Version::One, None) if audience == Audience::Public => Changes::Spectators(pictures()),
            (Version::One, None) => Changes::Hall(Vec::new()),
            (Version::One, Some(staff)) => Changes::Staff(staff, Vec::new()),
            (Version::Two, staff) => Changes::Pictures(staff, pictures()),
        }
    }

    fn take(&mut self, event: &TableEvent, told: Option<&Open>) {
        match self {
            Changes::Hall(changes) => changes.extend(told.cloned()),
            // What they are told follows from what is on air.
            Changes::Spectators(_) => {}
            Changes::Staff(staff, changes) if is_for(event, *staff) => changes.push(event.clone()),
            Changes::Staff(..) => {}
            Changes::Pictures(staff, pictures) => {
                let Some(table) = &event.table else { return pictures.touch_rounds() };
                let told = match staff {
                    Some(staff) => Some(event).filter(|event| is_for(event, *staff)),
                    None => told.filter(|told| told.is_heard_at_the_board()).map(Open::event),
                };
                match told.and_then(v2::Told::of) {
                    Some(told) => pictures.tell(table, told),
                    None => pictures.touch(table),
                }
            }
        }
    }

    fn show(&mut self, shown: &Pictured) {
        if let Changes::Spectators(pictures) | Changes::Pictures(_, pictures) = self {
            match shown {
                Pictured::Table(table, _) => pictures.touch(table),
                Pictured::Round(_) => pictures.touch_rounds(),
            }
        }
    }

    fn restart(&mut self, view: &HallView) {
        match self {
            Changes::Hall(changes) => changes.clear(),
            Changes::Staff(_, changes) => changes.clear(),
            Changes::Spectators(pictures) | Changes::Pictures(_, pictures) => pictures.restart(view),
        }
    }
}

impl Streams {
    pub(super) fn new(run: String) -> Streams {
        let (views, documents, open) = (Views::default(), BTreeMap::new(), BTreeMap::new());
        Streams { run, views, documents, open, notice: Notice::default() }
    }

    /// What everybody is told with every frame from here on.
    pub(super) fn notice(&mut self, notice: Notice) {
        self.notice = notice;
        self.open.values_mut().for_each(|stream| stream.snapshot = None);
    }

    /// Adds tables of a round that was over. Whoever in the house follows needs a new snapshot; spectators are shown the
    /// round as any other.
    pub(super) fn recall(&mut self, events: &[TableEvent], glimpses: &Glimpses) -> Vec<Subject> {
        let mut views = std::mem::take(&mut self.views);
        events.iter().for_each(|event| views.apply(event));
        self.views = views.with(glimpses);
        self.documents.retain(|audience, _| *audience == Audience::Public);
        let house = self.open.iter_mut().filter(|(subject, _)| is_of_the_house(subject));
        let anew = house.map(|(subject, stream)| {
            stream.changes.restart(self.views.of(subject.door.audience()));
            stream.snapshot = None;
            subject.clone()
        });
        anew.collect()
    }

    /// Puts `views` in the place of all that was known. Whoever follows needs a new snapshot.
    pub(super) fn restore(&mut self, views: Views) {
        self.views = views;
        self.documents.clear();
        for (subject, stream) in &mut self.open {
            stream.changes.restart(self.views.of(subject.door.audience()));
            stream.snapshot = None;
        }
    }

    /// Takes in what happened; `frames` brings it out.
    pub(super) fn take(&mut self, event: &TableEvent) {
        let told = Open::to_hall(event);
        self.views.apply(event);
        self.documents.retain(|audience, _| *audience == Audience::Public);
        let follows =
            |subject: &Subject| subject.table.is_none() || subject.table == event.table || is_of_all(event, subject);
        for (_, stream) in self.open.iter_mut().filter(|(subject, _)| is_of_the_house(subject) && follows(subject)) {
            stream.changes.take(event, told.as_ref());
        }
    }

    /// Takes in what spectators are shown; `frames` brings it out.
    pub(super) fn show(&mut self, picture: Picture) {
        self.documents.remove(&Audience::Public);
        for (_, stream) in self.open.iter_mut().filter(|(subject, _)| !is_of_the_house(subject)) {
            stream.changes.show(picture.pictured());
        }
        self.views.show(picture);
    }

    /// What has happened since the last call: one frame for each stream that somebody follows.
    pub(super) fn frames(&mut self, now: u64) -> Vec<(Subject, Bytes)> {
        let Streams { run, views, open, notice, .. } = self;
        let head = Head { run, now, notice };
        let frame = |(subject, stream): (&Subject, &mut Stream)| {
            stream.snapshot = None;
            let view = views.of(subject.door.audience());
            let frame = stream.frame(head, subject, view)?;
            Some((subject.clone(), frame))
        };
        open.iter_mut().filter_map(frame).collect()
    }

    /// A sign of life for each stream.
    pub(super) fn beats(&self, now: u64) -> Vec<(Subject, Bytes)> {
        let head = Head { run: &self.run, now, notice: &self.notice };
        let beat = |(subject, stream): (&Subject, &Stream)| (subject.clone(), stream.beat(head, subject));
        self.open.iter().map(beat).collect()
    }

    /// How everything stands, for one who follows `subject`. All changes taken in have to be brought out before.
    pub(super) fn snapshot(&mut self, subject: &Subject, now: u64) -> Bytes {
        let Streams { run, views, open, notice, .. } = self;
        let stream = open.entry(subject.clone()).or_insert_with(|| Stream::behind(subject, views));
        if let Some(snapshot) = &stream.snapshot {
            return snapshot.clone();
        }
        let view = views.of(subject.door.audience());
        let snapshot = stream.whole(Head { run, now, notice }, subject, view);
        stream.snapshot.insert(snapshot).clone()
    }

    /// How everything stands as one door shows it.
    pub(super) fn view(&self, door: Door) -> HallView {
        self.views.of(door.audience()).clone()
    }

    /// The same as a document, made once until something changes.
    pub(super) fn document(&mut self, door: Door) -> Document {
        let (audience, views) = (door.audience(), &self.views);
        let written = || {
            let text = serde_json::to_vec(views.of(audience));
            Document::new(text.expect("a view has only string keys and no foreign types").into())
        };
        self.documents.entry(audience).or_insert_with(written).clone()
    }

    pub(super) fn follow(&mut self, subject: &Subject, viewer: usize) {
        let Streams { views, open, .. } = self;
        open.entry(subject.clone()).or_insert_with(|| Stream::behind(subject, views)).viewers.push(viewer);
    }

    /// A stream nobody follows is forgotten: its next follower begins with a snapshot anyway.
    pub(super) fn leave(&mut self, subject: &Subject, viewer: usize) {
        let Some(stream) = self.open.get_mut(subject) else { return };
        if let Some(at) = stream.viewers.iter().position(|other| *other == viewer) {
            stream.viewers.remove(at);
        }
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

impl Stream {
    /// What has happened since the last call, if anything has for those who follow.
    fn frame(&mut self, head: Head<'_>, subject: &Subject, view: &HallView) -> Option<Bytes> {
        let changes: Vec<TableEvent> = match &mut self.changes {
            Changes::Hall(changes) => changes.drain(..).map(TableEvent::from).collect(),
            Changes::Staff(_, changes) => std::mem::take(changes),
            Changes::Spectators(pictures) => {
                let body = pictures.words_of_one(view)?;
                return Some(head.first(subject, self.next(), body));
            }
            Changes::Pictures(_, pictures) => {
                let changes = pictures.changes(view);
                return (!changes.is_empty()).then(|| head.second(subject, self.next(), v2::Body::Changes(changes)));
            }
        };
        (!changes.is_empty()).then(|| head.first(subject, self.next(), Body::Changes(changes)))
    }

    fn beat(&self, head: Head<'_>, subject: &Subject) -> Bytes {
        match &self.changes {
            Changes::Hall(_) | Changes::Staff(..) | Changes::Spectators(_) => {
                head.first(subject, self.seq, Body::Beat(()))
            }
            Changes::Pictures(..) => head.second(subject, self.seq, v2::Body::Beat(())),
        }
    }

    fn whole(&self, head: Head<'_>, subject: &Subject, view: &HallView) -> Bytes {
        match &self.changes {
            Changes::Hall(_) | Changes::Staff(..) | Changes::Spectators(_) => {
                let view = subject.table.as_ref().map_or_else(|| view.clone(), |table| view.only(table));
                head.first(subject, self.seq, Body::Snapshot(view))
            }
            Changes::Pictures(_, pictures) => {
                head.second(subject, self.seq, v2::Body::Snapshot(pictures.snapshot(head.run)))
            }
        }
    }
}

fn is_of_the_house(subject: &Subject) -> bool {
    subject.door.audience() != Audience::Public
}

impl Head<'_> {
    fn first(self, subject: &Subject, seq: u64, body: Body) -> Bytes {
        let Head { run, now, notice } = self;
        let notice = notice.of(subject.door.audience());
        encode(&Message { v: VERSION, run: run.to_owned(), seq, now, notice, body })
    }

    fn second(self, subject: &Subject, seq: u64, body: v2::Body) -> Bytes {
        let audience = subject.door.audience();
        let (notice, troubles) = (self.notice.of(audience), self.notice.troubles(audience));
        encode(&v2::Message { seq, now: self.now, notice, troubles, body })
    }
}

fn encode(message: &impl Serialize) -> Bytes {
    let json = serde_json::to_vec(message).expect("a message has only string keys and no foreign types");
    websocket::text(&json).into()
}

#[cfg(test)]
mod tests {
    use protocol::feed::{Command, Entry, Order, Penalty, RoundView, Side, Sight, Stage, v2::Trouble};

    use super::{
        super::{air::Air, notice::Warning},
        *,
    };
    use crate::journal::{Committed, Entries};

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
        let message = |body| Message { v: VERSION, run: "run".into(), seq: 1, now: 5, notice: None, body };
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
    fn what_is_to_be_known_of_the_record_is_in_every_frame_until_all_is_well() {
        let mut streams = Streams::new("run".to_owned());
        let hall = subject(None);
        streams.follow(&hall, 0);
        streams.snapshot(&hall, 4);
        let warning = Warning { trouble: Trouble::HallDamaged, sentence: "Nothing is being recorded.".into() };
        streams.notice(Notice { hall: vec![warning], staff: Vec::new() });
        let said = |frame: &Bytes| read(frame).notice;
        let words = Some("Nothing is being recorded.".to_owned());
        assert_eq!((said(&streams.snapshot(&hall, 5)), said(&streams.beats(5)[0].1)), (words.clone(), words.clone()));
        streams.take(&clock(1));
        assert_eq!(said(&streams.frames(6)[0].1), words);
        streams.notice(Notice::default());
        assert_eq!(said(&streams.beats(7)[0].1), None);
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

    #[test]
    fn spectators_are_told_once_of_each_final_move_and_of_nothing_that_is_only_seen() {
        let (mut streams, mut air) = (Streams::new("run".to_owned()), Air::default());
        let subject = Subject { door: Door::PublicFeed, table: Some(table(1)), version: Version::Two };
        streams.follow(&subject, 0);
        let numbers = events_of_a_move().into_iter().map(|event| {
            happen(&mut streams, &mut air, &event);
            streams.frames(5).iter().map(|(_, frame)| second_version(frame).seq).collect::<Vec<_>>()
        });
        let told: Vec<Vec<u64>> = numbers.collect();
        assert_eq!(told, [vec![], vec![], vec![], vec![1], vec![], vec![2]], "touch, seen, clock, final, note, result");
    }

    #[test]
    fn spectators_are_told_that_a_round_is_open_as_late_as_everything_else_in_both_versions() {
        let (mut streams, mut air) = (Streams::new("run".to_owned()), Air::default());
        let [one, two] = [Version::One, Version::Two].map(|version| {
            let subject = Subject { door: Door::PublicFeed, table: None, version };
            streams.follow(&subject, 0);
            subject
        });
        air.reread_order(&Order::to_hall(Command::Delay { event: None, seconds: 60, plies: 0 }), 0);
        let round = RoundView { event: "open".into(), round: 3, stage: Stage::Open, ..RoundView::default() };
        let opened = Entry::Round { round: Box::new(round.clone()) };
        happen(&mut streams, &mut air, &TableEvent { table: None, t: 1, event: opened.into() });
        assert_eq!((streams.frames(1), streams.view(Door::HallSnapshot).rounds), (vec![], vec![round.clone()]));
        assert_eq!((streams.view(Door::PublicSnapshot).rounds, air.due()), (vec![], Some(60_001)));
        air.elapse(60_001);
        air.pictures().into_iter().for_each(|picture| streams.show(picture));
        let frames = streams.frames(60_001).into_iter().collect::<BTreeMap<_, _>>();
        let Body::Snapshot(told) = read(&frames[&one]).body else { panic!("version 1 has no word for it") };
        assert_eq!(told.rounds, std::slice::from_ref(&round));
        let v2::Body::Changes(changes) = second_version(&frames[&two]).body else { panic!("it is a change") };
        assert_eq!(changes[0].rounds, Some(vec![round.clone()]));
        assert_eq!(streams.view(Door::PublicSnapshot).rounds, [round]);
    }

    #[test]
    fn the_number_of_an_address_counts_what_that_address_has_told() {
        let (mut streams, mut air) = (Streams::new("run".to_owned()), Air::default());
        let subject = |door, version| Subject { door, table: None, version };
        let all = [Door::PublicFeed, Door::HallFeed, Door::OperatorFeed]
            .map(|door| [Version::One, Version::Two].map(|version| subject(door, version)))
            .concat();
        all.iter().for_each(|subject| streams.follow(subject, 0));
        let mut counts = vec![0; all.len()];
        for event in events_of_a_move() {
            happen(&mut streams, &mut air, &event);
            for (to, frame) in streams.frames(5) {
                let at = all.iter().position(|subject| *subject == to).expect("somebody who follows");
                counts[at] += 1;
                let json: serde_json::Value = serde_json::from_slice(json_of(&frame)).expect("JSON");
                assert_eq!(json["seq"], counts[at], "{to:?}");
            }
        }
        // Public, hall and operator, each in both versions.
        assert_eq!(counts, [2, 2, 4, 4, 6, 6]);
    }

    #[test]
    fn what_no_picture_shows_is_told_to_the_staff_and_of_it_the_hall_hears_an_offer() {
        let mut streams = Streams::new("run".to_owned());
        let doors = [Door::PublicFeed, Door::HallFeed, Door::OperatorFeed];
        let subjects = doors.map(|door| Subject { door, table: Some(table(1)), version: Version::Two });
        subjects.iter().for_each(|subject| streams.follow(subject, 0));
        let mut told = vec![Vec::new(); doors.len()];
        let offer = Entry::Noted { order: Box::new(Command::DrawOffer { side: Side::White }) };
        let penalty = Entry::Noted {
            order: Box::new(Command::Penalty {
                side: Side::White,
                penalty: Penalty::OpponentTime,
                seconds: Some(120),
                note: "as before".to_owned(),
            }),
        };
        for (name, event) in crate::screens::doors::tests::one_of_each()
            .into_iter()
            .chain([("offer", offer.into()), ("penalty", penalty.into())])
        {
            streams.take(&TableEvent { table: Some(table(1)), t: 1, event });
            for (to, frame) in streams.frames(5) {
                let v2::Body::Changes(changes) = second_version(&frame).body else { panic!("changes") };
                let at = subjects.iter().position(|subject| *subject == to).expect("somebody who follows");
                told[at].extend(changes.iter().flat_map(|change| &change.told).map(|_| name));
                let text = serde_json::to_string(&changes).expect("plain data");
                assert!(to.door == Door::OperatorFeed || !text.contains("as before"), "the arbiter's note: {text}");
            }
        }
        let staff = [
            "held",
            "touch",
            "corrected",
            "instants",
            "proposal",
            "verdict",
            "noted",
            "result",
            "alert",
            "offer",
            "penalty",
        ];
        assert_eq!(told, [vec![], vec!["offer", "penalty"], staff.to_vec()]);
    }

    #[test]
    fn who_falls_behind_on_version_2_gets_what_the_others_were_told() {
        let mut streams = Streams::new("run".to_owned());
        let subject = Subject { door: Door::HallFeed, table: Some(table(1)), version: Version::Two };
        streams.follow(&subject, 0);
        let mut page = None;
        for event in events_of_a_move() {
            streams.take(&event);
            for (_, frame) in streams.frames(5) {
                let v2::Body::Changes(changes) = second_version(&frame).body else { panic!("changes") };
                let page = page.get_or_insert_with(|| {
                    v2::Table::of(&protocol::feed::TableView::new(table(1)), v2::Extent::WholeLine)
                });
                changes.iter().for_each(|change| page.apply(change));
            }
        }
        let v2::Body::Snapshot(snapshot) = second_version(&streams.snapshot(&subject, 6)).body else { panic!() };
        assert_eq!((snapshot.v, snapshot.run.as_str()), (2, "run"));
        assert_eq!(snapshot.tables, [page.expect("something was told")]);
    }

    /// A touch, what is seen of a move, the clock, the move, a note for the arbiter and the result.
    /// As the daemon does it: what is in the record goes on air.
    fn happen(streams: &mut Streams, air: &mut Air, event: &TableEvent) {
        streams.take(event);
        if matches!(event.event, protocol::feed::Event::Entry(_)) {
            let events = vec![event.clone()];
            air.take(&Committed::for_a_test(Entries { events, ..Entries::default() }), 1);
            air.pictures().into_iter().for_each(|picture| streams.show(picture));
        }
    }

    fn events_of_a_move() -> Vec<TableEvent> {
        let all = crate::screens::doors::tests::one_of_each();
        let named = |wanted: &str| all.iter().find(|(name, _)| *name == wanted).expect("a kind of event").1.clone();
        let event = |name| TableEvent { table: Some(table(1)), t: 1, event: named(name) };
        ["touch", "seen", "clock", "final", "noted", "result"].map(event).to_vec()
    }

    fn second_version(frame: &Bytes) -> v2::Message {
        serde_json::from_slice(json_of(frame)).expect("a message of version 2")
    }

    fn json_of(frame: &Bytes) -> &[u8] {
        // The length in front of it may look like the first of the two.
        let at = frame.windows(2).position(|pair| pair == b"{\"").expect("a message is an object");
        &frame[at..]
    }

    fn read(frame: &Bytes) -> Message {
        serde_json::from_slice(json_of(frame)).expect("a message of the feed")
    }

    fn subject(table: Option<TableId>) -> Subject {
        Subject { door: Door::HallFeed, table, version: Version::One }
    }

    fn table(number: u16) -> TableId {
        TableId { event: "open".into(), round: 3, table: number }
    }

    fn clock(number: u16) -> TableEvent {
        let sight = Sight::Clock { white_ms: 1, black_ms: 2, running: None };
        TableEvent { table: Some(table(number)), t: 1, event: sight.into() }
    }
}
