//! One viewer: the frame in progress, whether they are behind, and what they say.
//!
//! The state is the latest, never a queue: whoever can't take a frame is marked as behind and gets one current
//! snapshot when there is room again. A frame that has begun is finished, as half a frame can't be taken back.

use std::{
    borrow::Cow,
    io::{self, ErrorKind, IoSlice, Read, Write},
};

use bytes::{Buf, Bytes};
use protocol::websocket::{self, CloseCode, Fault, Limits, Reader, Said};

/// Whoever took no byte for so long while bytes were waiting is gone, or as good as gone.
pub(super) const PATIENCE_MS: u64 = 30_000;
/// How long the other side may take to hang up after a good-bye.
const GOOD_BYE_MS: u64 = 5_000;
/// One read at a time: whoever sends more comes round again like everybody else.
const READ: usize = 4096;
/// A viewer has nothing to say; whatever says more than this is not a viewer.
const LIMITS: Limits = Limits { message: 4096 };
/// What is still read of somebody who was told good-bye, so that closing the socket does not take the good-bye back.
const LAST_WORDS: usize = 256 * 1024;

/// What a viewer needs of a socket that never waits.
pub(super) trait Wire: Read + Write {
    /// Says that nothing more will be written.
    fn finish(&mut self) -> io::Result<()>;

    /// Has taken bytes that have still to leave: more room is awaited for them.
    fn is_pending(&self) -> bool {
        false
    }

    /// Holds bytes that can be read at once, though nothing more has come.
    fn is_holding(&self) -> bool {
        false
    }
}

/// What the last frame says, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct GoodBye {
    code: CloseCode,
    reason: Cow<'static, str>,
}

impl GoodBye {
    /// The daemon ends.
    pub(super) const ENDING: GoodBye = GoodBye::because(CloseCode::GOING_AWAY, "the daemon ends; connect again");
    /// The pass they came by opens nothing any more.
    pub(super) const TAKEN_BACK: GoodBye = GoodBye::because(CloseCode::POLICY, "this pass was taken back");
    const TOO_MANY: GoodBye = GoodBye::because(CloseCode::POLICY, "a viewer sends 20 frames a second at most");
    const TOO_SMALL: GoodBye = GoodBye::because(CloseCode::POLICY, "frames come whole, not byte by byte");

    const fn because(code: CloseCode, reason: &'static str) -> GoodBye {
        GoodBye { code, reason: Cow::Borrowed(reason) }
    }

    /// They broke the protocol.
    fn fault(fault: Fault) -> GoodBye {
        GoodBye { code: fault.code(), reason: fault.to_string().into() }
    }
}

/// Someone who follows a stream.
#[derive(Debug)]
pub(super) struct Viewer<W> {
    pub(super) wire: W,
    reader: Reader,
    /// What is left of the frame in progress.
    tail: Bytes,
    /// The answer to the last ping, as soon as the frame in progress is out.
    pong: Option<Bytes>,
    behind: bool,
    parting: Parting,
    /// The good-bye was theirs, so that once it is returned there is nothing to wait for.
    is_theirs: bool,
    /// When they last took a byte, or were given one to take.
    took_at: u64,
    tally: Tally,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Parting {
    No,
    /// The good-bye waits for the frame in progress.
    Due(GoodBye),
    /// Our side is closed; the other side hangs up. Until then what they send is thrown away, but not without end.
    Said {
        /// Bytes thrown away so far.
        ignored: usize,
    },
}

impl<W: Wire> Viewer<W> {
    pub(super) fn new(wire: W, now: u64) -> Viewer<W> {
        Viewer {
            wire,
            reader: Reader::new(LIMITS),
            tail: Bytes::new(),
            pong: None,
            behind: false,
            parting: Parting::No,
            is_theirs: false,
            took_at: now,
            tally: Tally::default(),
        }
    }

    /// Waits for room: tell when the socket can be written.
    pub(super) fn wants_room(&self) -> bool {
        !self.tail.is_empty() || self.wire.is_pending()
    }

    /// The answer to their handshake and the first snapshot, in one packet where they fit into one.
    pub(super) fn greet(&mut self, answer: Bytes, snapshot: &Bytes, now: u64) -> io::Result<()> {
        let count = match self.wire.write_vectored(&[IoSlice::new(&answer), IoSlice::new(snapshot)]) {
            Ok(count) => count,
            Err(error) if is_not_yet(&error) => 0,
            Err(error) => return Err(error),
        };
        match count.checked_sub(answer.len()) {
            Some(begun) => self.begin(snapshot.slice(begun..), now),
            None => {
                self.behind = true;
                self.begin(answer.slice(count..), now)
            }
        }
    }

    /// A change: now, or as part of a snapshot later.
    pub(super) fn offer(&mut self, frame: &Bytes, now: u64) -> io::Result<()> {
        if self.wants_room() {
            self.behind = true;
            return Ok(());
        }
        self.begin(frame.clone(), now)
    }

    /// A sign of life: now or not at all. Whoever has a frame in progress sees signs enough.
    pub(super) fn offer_beat(&mut self, frame: &Bytes, now: u64) -> io::Result<()> {
        if self.wants_room() {
            return Ok(());
        }
        self.begin(frame.clone(), now)
    }

    /// There may be room: goes on with the frame in progress, then with what waits for its end.
    pub(super) fn go_on(&mut self, now: u64, snapshot: impl FnOnce() -> Bytes) -> io::Result<()> {
        self.write(now)?;
        self.write_pong(now)?;
        if !self.wants_room() && std::mem::take(&mut self.behind) {
            self.begin(snapshot(), now)?;
        }
        self.part(now)
    }

    /// Says good-bye after the frame in progress.
    pub(super) fn dismiss(&mut self, good_bye: GoodBye, now: u64) -> io::Result<()> {
        if self.parting == Parting::No {
            self.parting = Parting::Due(good_bye);
        }
        self.part(now)
    }

    /// The socket has something to read.
    pub(super) fn read(&mut self, now: u64) -> io::Result<()> {
        let mut bytes = [0; READ];
        loop {
            match self.wire.read(&mut bytes) {
                Ok(0) => return Err(ErrorKind::UnexpectedEof.into()),
                Ok(count) => self.hear(&bytes[..count], now)?,
                Err(error) if is_not_yet(&error) => return Ok(()),
                Err(error) => return Err(error),
            }
            if !self.wire.is_holding() {
                return Ok(());
            }
        }
    }

    /// Bytes the viewer has sent.
    pub(super) fn hear(&mut self, mut bytes: &[u8], now: u64) -> io::Result<()> {
        if let Parting::Said { ignored } = &mut self.parting {
            *ignored += bytes.len();
            return if *ignored > LAST_WORDS { Err(ErrorKind::ConnectionAborted.into()) } else { Ok(()) };
        }
        if self.tally.reads(now) {
            return self.dismiss(GoodBye::TOO_SMALL, now);
        }
        while let Some(said) = self.reader.next_said(&mut bytes) {
            if said.ends_frame() && self.tally.frames(now) {
                return self.dismiss(GoodBye::TOO_MANY, now);
            }
            self.obey(said, now)?;
        }
        Ok(())
    }

    fn obey(&mut self, said: Said, now: u64) -> io::Result<()> {
        match said {
            Said::Ping(payload) => {
                // Only the last ping needs an answer, so a flood of them never piles up.
                self.pong = Some(websocket::pong(&payload).into());
                self.write_pong(now)
            }
            Said::Pong | Said::Part { .. } => Ok(()),
            Said::Close(code) => {
                self.is_theirs = true;
                self.dismiss(GoodBye::because(code, ""), now)
            }
            Said::Broke(fault) => self.dismiss(GoodBye::fault(fault), now),
        }
    }

    /// Took nothing for too long, or does not hang up.
    pub(super) fn is_lost(&self, now: u64) -> bool {
        let idle = now.saturating_sub(self.took_at);
        match self.parting {
            Parting::Said { .. } => idle >= GOOD_BYE_MS,
            Parting::No | Parting::Due(_) => self.wants_room() && idle >= PATIENCE_MS,
        }
    }

    fn begin(&mut self, frame: Bytes, now: u64) -> io::Result<()> {
        if self.parting != Parting::No {
            return Ok(());
        }
        self.tail = frame;
        self.took_at = now;
        self.write(now)
    }

    fn write_pong(&mut self, now: u64) -> io::Result<()> {
        match self.pong.take_if(|_| self.tail.is_empty()) {
            Some(pong) => self.begin(pong, now),
            None => Ok(()),
        }
    }

    fn write(&mut self, now: u64) -> io::Result<()> {
        while !self.tail.is_empty() {
            match self.wire.write(&self.tail) {
                Ok(0) => return Err(ErrorKind::WriteZero.into()),
                Ok(count) => {
                    self.tail.advance(count);
                    self.took_at = now;
                }
                Err(error) if is_not_yet(&error) => return Ok(()),
                Err(error) => return Err(error),
            }
        }
        // An empty slice would hold on to the whole frame.
        self.tail = Bytes::new();
        match self.wire.flush() {
            Err(error) if !is_not_yet(&error) => Err(error),
            Ok(()) | Err(_) => Ok(()),
        }
    }

    fn part(&mut self, now: u64) -> io::Result<()> {
        if let Parting::Due(GoodBye { code, reason }) = &self.parting
            && self.tail.is_empty()
        {
            self.tail = websocket::close(*code, reason).into();
            self.parting = Parting::Said { ignored: 0 };
            self.took_at = now;
            self.write(now)?;
        }
        if !matches!(self.parting, Parting::Said { .. }) || self.wants_room() {
            return Ok(());
        }
        self.wire.finish()?;
        if self.is_theirs { Err(ErrorKind::ConnectionAborted.into()) } else { Ok(()) }
    }
}

/// A page sends nothing and a screen pings three times a minute; twenty frames in a second are somebody trying things out.
const FRAMES_A_SECOND: u32 = 20;
/// A frame comes in one piece or two. More often we are woken only by somebody who sends it byte by byte.
const READS_A_SECOND: u32 = 200;

/// What somebody has sent within one second, which begins with the first of it.
#[derive(Debug, Default)]
struct Tally {
    since: u64,
    frames: u32,
    reads: u32,
}

impl Tally {
    /// One frame more; true once that is too many.
    fn frames(&mut self, now: u64) -> bool {
        self.turn(now);
        self.frames += 1;
        self.frames > FRAMES_A_SECOND
    }

    /// Woken once more; true once that is too often.
    fn reads(&mut self, now: u64) -> bool {
        self.turn(now);
        self.reads += 1;
        self.reads > READS_A_SECOND
    }

    fn turn(&mut self, now: u64) {
        if now.saturating_sub(self.since) >= 1000 {
            *self = Tally { since: now, frames: 0, reads: 0 };
        }
    }
}

fn is_not_yet(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted)
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn a_frame_that_has_begun_is_finished_before_the_snapshot() {
        let mut viewer = viewer(3);
        viewer.offer(&frame("abcde"), 0).expect("room for three");
        viewer.offer(&frame("fghij"), 1).expect("they are behind");
        viewer.offer(&frame("klmno"), 2).expect("they are behind");
        assert!(viewer.wants_room());
        viewer.wire.room = 100;
        viewer.go_on(3, || frame("SNAP")).expect("room again");
        assert_eq!(viewer.wire.taken, b"abcdeSNAP");
        assert!(!viewer.wants_room());
    }

    #[test]
    fn the_answer_to_a_handshake_and_the_snapshot_come_whole_however_little_room_there_is() {
        for room in 0..=9 {
            let mut viewer = viewer(room);
            viewer.greet(frame("answer"), &frame("old"), 0).expect("room for some of it");
            viewer.wire.room = 100;
            viewer.go_on(1, || frame("new")).expect("room again");
            let snapshot: &[u8] = if room < 6 { b"answernew" } else { b"answerold" };
            assert_eq!(viewer.wire.taken, snapshot, "room for {room}");
        }
    }

    #[test]
    fn a_snapshot_is_made_only_for_those_who_are_behind() {
        let mut viewer = viewer(3);
        viewer.offer(&frame("abcde"), 0).expect("room for three");
        viewer.wire.room = 100;
        viewer.go_on(1, || panic!("nothing was missed")).expect("room again");
        assert_eq!(viewer.wire.taken, b"abcde");
    }

    #[test]
    fn a_beat_makes_nobody_fall_behind() {
        let mut viewer = viewer(3);
        viewer.offer(&frame("abcde"), 0).expect("room for three");
        viewer.offer_beat(&frame("beat"), 1).expect("left out");
        viewer.wire.room = 100;
        viewer.go_on(2, || panic!("nothing was missed")).expect("room again");
        assert_eq!(viewer.wire.taken, b"abcde");
    }

    #[test]
    fn of_many_pings_only_the_last_waits_for_the_frame_in_progress() {
        let mut viewer = viewer(3);
        viewer.offer(&frame("abcde"), 0).expect("room for three");
        viewer.hear(b"\x89\x81\0\0\0\0x", 1).expect("a ping");
        viewer.hear(b"\x89\x81\0\0\0\0y", 1).expect("a ping");
        viewer.wire.room = 100;
        viewer.go_on(2, || panic!("nothing was missed")).expect("room again");
        assert_eq!(viewer.wire.taken, b"abcde\x8a\x01y");
    }

    #[test]
    fn who_takes_a_byte_now_and_then_stays_and_who_takes_none_is_lost() {
        let mut viewer = viewer(3);
        viewer.offer(&frame("abcdefgh"), 1_000).expect("room for three");
        assert!(!viewer.is_lost(1_000 + PATIENCE_MS - 1));
        assert!(viewer.is_lost(1_000 + PATIENCE_MS));
        viewer.wire.room = 1;
        viewer.go_on(20_000, || panic!("nothing was missed")).expect("room for one");
        assert!(!viewer.is_lost(20_000 + PATIENCE_MS - 1));
        viewer.wire.room = 100;
        viewer.go_on(50_000, || panic!("nothing was missed")).expect("room again");
        assert!(!viewer.is_lost(u64::MAX), "a quiet hall is no reason to let anybody go");
    }

    #[test]
    fn a_good_bye_comes_after_the_frame_in_progress_and_nothing_after_it() {
        let mut viewer = viewer(3);
        viewer.offer(&frame("abcde"), 0).expect("room for three");
        viewer.dismiss(GoodBye::because(CloseCode::GOING_AWAY, "bye"), 1).expect("it waits");
        viewer.offer(&frame("fghij"), 2).expect("they are leaving");
        viewer.wire.room = 100;
        viewer.go_on(3, || frame("SNAP")).expect("room again");
        viewer.offer(&frame("klmno"), 4).expect("they are leaving");
        assert_eq!(viewer.wire.taken, b"abcde\x88\x05\x03\xe9bye");
        assert!(viewer.wire.finished.get());
        assert!(!viewer.is_lost(3 + GOOD_BYE_MS - 1));
        assert!(viewer.is_lost(3 + GOOD_BYE_MS), "who does not hang up is hung up on");
    }

    #[test]
    fn a_good_bye_of_theirs_is_returned_and_that_is_all() {
        let mut viewer = viewer(1000);
        viewer.hear(b"\x88\x80mask", 0).expect_err("both have said good-bye");
        assert_eq!(viewer.wire.taken, b"\x88\x02\x03\xe8");
    }

    #[test]
    fn more_than_twenty_frames_of_any_kind_in_a_second_end_it() {
        let empty_continuation = b"\x00\x80mask";
        for frame in [&b"\x8a\x80mask"[..], b"\x89\x80mask", b"\x82\x80mask", empty_continuation] {
            let mut viewer = viewer(100_000);
            if frame == empty_continuation {
                viewer.hear(b"\x01\x80mask", 0).expect("a text begins");
            }
            for second in 1..4 {
                viewer.hear(&frame.repeat(20), second * 1000).expect("twenty a second are fine");
            }
            assert!(good_bye(&viewer).is_none(), "{frame:?}");
            viewer.hear(frame, 3_999).expect("the twenty-first");
            let said = good_bye(&viewer).expect("a good-bye");
            assert!(said.starts_with(b"\x03\xf0") && said.ends_with(b"20 frames a second at most"), "{said:?}");
        }
    }

    #[test]
    fn a_frame_sent_byte_by_byte_is_heard_and_a_river_of_bytes_is_not() {
        let mut viewer = viewer(1000);
        for byte in [&b"\x81\xb2mask"[..], &[b'x'; 50]].concat() {
            viewer.hear(&[byte], 0).expect("a byte");
        }
        assert!(good_bye(&viewer).is_none(), "a slow program is no attack");
        viewer.hear(b"\x82\xfe\x0f\xffmask", 0).expect("a long frame begins");
        for _ in 0..200 {
            viewer.hear(b"x", 1).expect("a byte");
        }
        assert!(good_bye(&viewer).is_some_and(|said| said.starts_with(b"\x03\xf0")));
    }

    #[test]
    fn whoever_breaks_the_protocol_is_told_which_rule() {
        for (bytes, code, reason) in [
            (&b"\x81\x02hi"[..], 1002u16, "masked"),
            (b"\x81\xfe\x00\x01mask", 1002, "as few bytes"),
            (b"\x81\x81\0\0\0\0\xff", 1007, "UTF-8"),
            (b"\x82\xfe\x10\x01", 1009, "too long"),
        ] {
            let mut viewer = viewer(1000);
            viewer.hear(bytes, 0).expect("a good-bye that waits for them to hang up");
            let said = good_bye(&viewer).expect("a good-bye");
            assert_eq!(said[..2], code.to_be_bytes());
            assert!(String::from_utf8_lossy(&said[2..]).contains(reason), "{said:?}");
        }
    }

    #[test]
    fn of_somebody_who_goes_on_after_the_good_bye_not_everything_is_read() {
        let mut viewer = viewer(1000);
        viewer.hear(b"\xff", 0).expect("a good-bye that waits for them to hang up");
        for _ in 0..LAST_WORDS / READ {
            viewer.hear(&[0; READ], 1).expect("their last words");
        }
        viewer.hear(&[0; READ], 1).expect_err("enough");
    }

    /// What the close frame carries, once one was written.
    fn good_bye(viewer: &Viewer<Socket>) -> Option<&[u8]> {
        let at = viewer.wire.taken.iter().position(|byte| *byte == 0x88)?;
        Some(&viewer.wire.taken[at + 2..])
    }

    /// A socket with so much room.
    struct Socket {
        room: usize,
        taken: Vec<u8>,
        finished: Cell<bool>,
    }

    fn viewer(room: usize) -> Viewer<Socket> {
        Viewer::new(Socket { room, taken: Vec::new(), finished: Cell::new(false) }, 0)
    }

    fn frame(text: &'static str) -> Bytes {
        Bytes::from_static(text.as_bytes())
    }

    impl Write for Socket {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            if self.room == 0 {
                return Err(ErrorKind::WouldBlock.into());
            }
            let count = bytes.len().min(self.room);
            self.room -= count;
            self.taken.extend(&bytes[..count]);
            Ok(count)
        }

        fn write_vectored(&mut self, parts: &[IoSlice<'_>]) -> io::Result<usize> {
            self.write(&parts.iter().flat_map(|part| part.to_vec()).collect::<Vec<_>>())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl Read for Socket {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(ErrorKind::WouldBlock.into())
        }
    }

    impl Wire for Socket {
        fn finish(&mut self) -> io::Result<()> {
            self.finished.set(true);
            Ok(())
        }
    }
}
