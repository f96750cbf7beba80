//! One viewer: the frame in progress, whether they are behind, and what they say.
//!
//! The state is the latest, never a queue: whoever can't take a frame is marked as behind and gets one current
//! snapshot when there is room again. A frame that has begun is finished, as half a frame can't be taken back.

use std::io::{self, ErrorKind, Read, Write};

use bytes::{Buf, Bytes};

use super::frame::{self, CloseCode, Reader, Said};

/// Whoever took no byte for so long while bytes were waiting is gone, or as good as gone.
pub(super) const PATIENCE_MS: u64 = 30_000;
/// How long the other side may take to hang up after a good-bye.
const GOOD_BYE_MS: u64 = 5_000;
/// A screen pings three times a minute at most; ten messages a second are somebody trying things out.
const MESSAGES_A_SECOND: u32 = 10;
/// One read at a time: whoever sends more comes round again like everybody else.
const READ: usize = 4096;

/// What a viewer needs of a socket that never waits.
pub(super) trait Wire: Read + Write {
    /// Says that nothing more will be written.
    fn finish(&self) -> io::Result<()>;
}

impl Wire for std::net::TcpStream {
    fn finish(&self) -> io::Result<()> {
        self.shutdown(std::net::Shutdown::Write)
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
    second: u64,
    heard: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Parting {
    No,
    /// The good-bye waits for the frame in progress.
    Due(CloseCode),
    /// Our side is closed; the other side hangs up. Until then what they send is thrown away, as closing a socket
    /// with unread bytes would take the good-bye back.
    Said,
}

impl<W: Wire> Viewer<W> {
    pub(super) fn new(wire: W, now: u64) -> Viewer<W> {
        Viewer {
            wire,
            reader: Reader::default(),
            tail: Bytes::new(),
            pong: None,
            behind: false,
            parting: Parting::No,
            is_theirs: false,
            took_at: now,
            second: 0,
            heard: 0,
        }
    }

    /// Waits for room: tell when the socket can be written.
    pub(super) fn wants_room(&self) -> bool {
        !self.tail.is_empty()
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
        if self.tail.is_empty() && std::mem::take(&mut self.behind) {
            self.begin(snapshot(), now)?;
        }
        self.part(now)
    }

    /// Says good-bye after the frame in progress.
    pub(super) fn dismiss(&mut self, code: CloseCode, now: u64) -> io::Result<()> {
        if self.parting == Parting::No {
            self.parting = Parting::Due(code);
        }
        self.part(now)
    }

    /// The socket has something to read.
    pub(super) fn read(&mut self, now: u64) -> io::Result<()> {
        let mut bytes = [0; READ];
        match self.wire.read(&mut bytes) {
            Ok(0) => Err(ErrorKind::UnexpectedEof.into()),
            Ok(count) => self.hear(&bytes[..count], now),
            Err(error) if is_not_yet(&error) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Bytes the viewer has sent.
    pub(super) fn hear(&mut self, mut bytes: &[u8], now: u64) -> io::Result<()> {
        while let Some(said) = self.reader.next_said(&mut bytes) {
            if self.is_flooding(now) {
                return self.dismiss(CloseCode::POLICY, now);
            }
            match said {
                Said::Ping(payload) => {
                    // Only the last ping needs an answer, so a flood of them never piles up.
                    self.pong = Some(frame::pong(&payload));
                    self.write_pong(now)?;
                }
                Said::Pong | Said::Message => {}
                Said::Close(code) => {
                    self.is_theirs = true;
                    self.dismiss(code, now)?;
                }
                Said::Broke(code) => self.dismiss(code, now)?,
            }
        }
        Ok(())
    }

    /// Took nothing for too long, or does not hang up.
    pub(super) fn is_lost(&self, now: u64) -> bool {
        let idle = now.saturating_sub(self.took_at);
        match self.parting {
            Parting::Said => idle >= GOOD_BYE_MS,
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
        Ok(())
    }

    fn part(&mut self, now: u64) -> io::Result<()> {
        if let Parting::Due(code) = self.parting
            && self.tail.is_empty()
        {
            self.parting = Parting::Said;
            self.tail = frame::close(code);
            self.took_at = now;
            self.write(now)?;
        }
        if self.parting != Parting::Said || !self.tail.is_empty() {
            return Ok(());
        }
        self.wire.finish()?;
        if self.is_theirs { Err(ErrorKind::ConnectionAborted.into()) } else { Ok(()) }
    }

    fn is_flooding(&mut self, now: u64) -> bool {
        if now / 1000 != self.second {
            (self.second, self.heard) = (now / 1000, 0);
        }
        self.heard += 1;
        self.heard > MESSAGES_A_SECOND
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
        viewer.dismiss(CloseCode::GOING_AWAY, 1).expect("it waits");
        viewer.offer(&frame("fghij"), 2).expect("they are leaving");
        viewer.wire.room = 100;
        viewer.go_on(3, || frame("SNAP")).expect("room again");
        viewer.offer(&frame("klmno"), 4).expect("they are leaving");
        assert_eq!(viewer.wire.taken, b"abcde\x88\x02\x03\xe9");
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
    fn more_than_ten_messages_a_second_end_it() {
        let mut viewer = viewer(1000);
        for second in 0..3 {
            viewer.hear(&b"\x8a\x80mask".repeat(10), second * 1000).expect("ten a second are fine");
        }
        assert_eq!(viewer.wire.taken, b"");
        viewer.hear(b"\x8a\x80mask", 2_500).expect("the eleventh");
        assert_eq!(viewer.wire.taken, b"\x88\x02\x03\xf0");
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
        fn finish(&self) -> io::Result<()> {
            self.finished.set(true);
            Ok(())
        }
    }
}
