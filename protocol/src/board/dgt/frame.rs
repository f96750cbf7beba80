//! Framing: where a message begins and ends in a stream that may start anywhere and lose anything.
//!
//! Only the first byte of a message has its high bit set. So whatever was damaged, the next byte with a high bit
//! is where to begin again, and a good message after a damaged one is never lost.

/// How long the messages of one id may be, header included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sizes {
    /// Always this long.
    Only(usize),
    /// One of two lengths, as firmware differs.
    Either(usize, usize),
    /// Anything from the least to [`LONGEST`].
    AtLeast(usize),
}

/// A frame whose bytes stop coming for this long is given up: the cable was pulled or the board reset.
/// One byte takes about a millisecond, so half a second is five hundred bytes of silence.
pub const FRAME_SILENCE_MS: u64 = 500;

/// No message is longer: the largest real one, a whole event store, has 7939 bytes.
/// A damaged length can therefore hold the stream up for some eight seconds of wire time at the very worst.
const LONGEST: usize = 8192;

/// Noise is reported at the latest after this many bytes, so that a line with nothing but noise is not silent.
const NOISE_REPORT: usize = 4096;

const HEADER: usize = 3;

impl Sizes {
    fn allow(self, total: usize) -> bool {
        match self {
            Sizes::Only(size) => total == size,
            Sizes::Either(a, b) => total == a || total == b,
            Sizes::AtLeast(least) => (least..=LONGEST).contains(&total),
        }
    }
}

/// Cuts a byte stream into messages. The same bytes give the same cuts however they are chunked.
#[derive(Clone, Debug)]
pub(super) struct Framer {
    sizes: fn(u8) -> Sizes,
    bytes: Vec<u8>,
    /// Everything before it has been cut.
    at: usize,
    /// Bytes of the message at `at` already known to be sound; spares a slow long message its re-reading.
    sound: usize,
    skipped: usize,
    /// The line fell silent when `bytes` ended here: what began before does not go on behind.
    silence: Option<usize>,
}

/// A piece of the stream.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Cut<'a> {
    /// Bytes that belong to no message.
    Noise { skipped: usize },
    /// A message of an allowed size; every byte of `payload` has its high bit clear.
    Message { id: u8, payload: &'a [u8] },
}

enum Step {
    Wait,
    Skip(usize),
    Message(usize),
}

impl Framer {
    pub(super) fn new(sizes: fn(u8) -> Sizes) -> Framer {
        Framer { sizes, bytes: Vec::new(), at: 0, sound: 0, skipped: 0, silence: None }
    }

    pub(super) fn push(&mut self, bytes: &[u8]) {
        if self.at > 0 {
            self.bytes.drain(..self.at);
            self.silence = self.silence.map(|end| end - self.at);
            self.at = 0;
        }
        self.bytes.extend_from_slice(bytes);
    }

    /// A message has begun and not ended.
    pub(super) fn is_partial(&self) -> bool {
        self.at < self.bytes.len()
    }

    /// Bytes have been skipped and not reported yet.
    pub(super) fn has_noise(&self) -> bool {
        self.skipped > 0
    }

    /// Gives up the message that has begun, once the whole ones before it are cut, and reports the noise so far.
    pub(super) fn give_up(&mut self) {
        self.silence = Some(self.bytes.len());
    }

    pub(super) fn next_cut(&mut self) -> Option<Cut<'_>> {
        loop {
            if self.skipped >= NOISE_REPORT {
                self.skipped -= NOISE_REPORT;
                return Some(Cut::Noise { skipped: NOISE_REPORT });
            }
            match self.step() {
                Step::Wait => match self.silence {
                    None => return None,
                    Some(end) if self.at < end => self.skip(end - self.at),
                    Some(_) if self.skipped > 0 => return self.noise(),
                    Some(_) => self.silence = None,
                },
                Step::Skip(count) => self.skip(count),
                Step::Message(_) if self.skipped > 0 => return self.noise(),
                Step::Message(total) => {
                    let start = self.at;
                    self.at += total;
                    self.sound = 0;
                    let payload = &self.bytes[start + HEADER..start + total];
                    return Some(Cut::Message { id: self.bytes[start], payload });
                }
            }
        }
    }

    fn noise(&mut self) -> Option<Cut<'static>> {
        Some(Cut::Noise { skipped: std::mem::take(&mut self.skipped) })
    }

    fn skip(&mut self, count: usize) {
        self.at += count;
        self.skipped += count;
        self.sound = 0;
    }

    fn step(&mut self) -> Step {
        let end = self.silence.unwrap_or(self.bytes.len());
        let rest = &self.bytes[self.at..end];
        let Some(&id) = rest.first() else { return Step::Wait };
        if !is_id(id) {
            return Step::Skip(next_id(rest));
        }
        let header = &rest[1..rest.len().min(HEADER)];
        if let Some(interrupted) = header.iter().position(|byte| is_id(*byte)) {
            return Step::Skip(1 + interrupted);
        }
        let &[high, low] = header else { return Step::Wait };
        let total = usize::from(high) * 128 + usize::from(low);
        if !(self.sizes)(id).allow(total) {
            // Judged at the header, so that a damaged length can't stall the stream.
            return Step::Skip(1);
        }
        let here = &rest[..rest.len().min(total)];
        let checked = self.sound.max(HEADER);
        if let Some(interrupted) = here[checked..].iter().position(|byte| is_id(*byte)) {
            return Step::Skip(checked + interrupted);
        }
        self.sound = here.len();
        if here.len() == total { Step::Message(total) } else { Step::Wait }
    }
}

fn is_id(byte: u8) -> bool {
    byte & 0x80 != 0
}

fn next_id(bytes: &[u8]) -> usize {
    bytes.iter().position(|byte| is_id(*byte)).unwrap_or(bytes.len())
}

/// A number of 14 bits in two bytes whose high bits are clear.
pub(super) fn halves(value: u16) -> [u8; 2] {
    let half = |value: u16| u8::try_from(value & 0x7f).expect("seven bits fit a byte");
    [half(value >> 7), half(value)]
}

/// Header and payload. What a header can't say or a payload can't carry is cut off: no board could send it.
pub(super) fn frame(id: u8, payload: &[u8]) -> Vec<u8> {
    let payload = &payload[..payload.len().min(0x3fff - 3)];
    let total = u16::try_from(payload.len() + 3).expect("cut to 14 bits above");
    let mut bytes = vec![id | 0x80];
    bytes.extend(halves(total));
    bytes.extend(payload.iter().map(|byte| byte & 0x7f));
    bytes
}
