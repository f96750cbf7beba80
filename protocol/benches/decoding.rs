//! How fast bytes become messages: `cargo bench -p protocol`.
//!
//! A board sends 960 bytes a second, so this is about replaying recordings, about fuzzing, and about not being the
//! slow part of anything. The bar on one core is 200 MB/s or 20 million field updates a second. Beside the decoder
//! the same bytes are copied and added up: what a program could do at most that reads every byte once.

use std::{hint::black_box, time::Instant};

use protocol::board::WireSquare;
use protocol::board::dgt::{ClockMessage, ClockTimes, Codes, Decoder, FaceTime, Heard, Message, PieceCode, Status};

/// What a serial port driver hands over in one read.
const READ: usize = 4096;
/// So that each pass lasts long enough to be measured.
const STREAM: usize = 16 << 20;
/// The best of several passes is the one least disturbed by other programs.
const PASSES: usize = 7;

fn main() {
    let updates = repeated(&squares());
    measure("field updates", &updates);
    let mut game = vec![Message::BoardDump(Codes([PieceCode::new(1); 64]))];
    for (second, pair) in (0..).zip(squares().chunks(2)) {
        game.extend(pair.iter().cloned());
        game.extend([clock(second), clock(second + 1)]);
    }
    measure("a blitz game", &repeated(&game));
}

#[expect(clippy::disallowed_macros, reason = "the figures are for the person who asked for them")]
fn measure(name: &str, bytes: &[u8]) {
    let mut messages = 0;
    let decoding = best_of(|| messages = decode(bytes));
    let adding = best_of(|| {
        let copy = black_box(bytes).to_vec();
        black_box(copy.iter().fold(0u64, |sum, byte| sum + u64::from(*byte)));
    });
    #[expect(clippy::cast_precision_loss, reason = "sixteen million is exact in an f64")]
    let (bytes, messages) = (bytes.len() as f64, messages as f64);
    println!(
        "{name:>14}: {:>6.0} MB/s, {:>5.1} million messages/s; copying and adding takes 1/{:.1} of the time",
        bytes / decoding / 1e6,
        messages / decoding / 1e6,
        decoding / adding,
    );
}

/// Seconds.
#[expect(clippy::disallowed_methods, reason = "measuring is what a benchmark does")]
fn best_of(mut pass: impl FnMut()) -> f64 {
    let seconds = |_| {
        let start = Instant::now();
        pass();
        start.elapsed().as_secs_f64()
    };
    (0..PASSES).map(seconds).fold(f64::INFINITY, f64::min)
}

fn decode(bytes: &[u8]) -> usize {
    let mut decoder = Decoder::single();
    let mut messages = 0;
    for read in bytes.chunks(READ) {
        decoder.push(read);
        while let Some(heard) = decoder.next_heard() {
            assert!(matches!(black_box(&heard), Heard::Message(_)), "a good stream: {heard:?}");
            messages += 1;
        }
    }
    messages
}

fn repeated(messages: &[Message]) -> Vec<u8> {
    let once = messages.iter().flat_map(Message::encode).collect::<Vec<_>>();
    once.repeat(STREAM / once.len())
}

/// A man on each square, lifted and put down.
fn squares() -> Vec<Message> {
    let update = |code| move |square| Message::FieldUpdate { square, code: PieceCode::new(code) };
    WireSquare::all().map(update(0)).chain(WireSquare::all().map(update(7))).collect()
}

fn clock(second: u32) -> Message {
    let face = FaceTime::of(300 - second, FaceTime::PER_MOVE);
    let status = Status(Status::RUNNING | Status::LEFT_TO_MOVE);
    Message::Clock(ClockMessage::Times(ClockTimes { left: face, right: face, status }))
}
