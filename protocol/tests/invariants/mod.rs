//! What must hold for any bytes at all. The fuzz targets throw random bytes at these functions, `corpus.rs` the
//! remembered ones, `cuts.rs` generated ones.
//!
//! The cutting of frames is compared with a second opinion, [`cut`]: slow, blind to chunks, and written from the
//! parser policy alone, with its own table of lengths.

use protocol::board::dgt::{BusAddress, BusBody, BusCommand, BusMessage, BusVerb, Command};
use protocol::board::dgt::{CommandReader, Decoder, Heard, Message, Order};

/// Which of the two dialects a line speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// One board.
    Single,
    /// Boards on a bus.
    Bus,
}

impl Line {
    fn decoder(self) -> Decoder {
        match self {
            Line::Single => Decoder::single(),
            Line::Bus => Decoder::bus(),
        }
    }

    /// A message that must be heard whatever came before it.
    fn sentinel(self) -> Message {
        match self {
            Line::Single => Message::Version { major: 3, minor: 1 },
            Line::Bus => Message::Bus(BusMessage { address: BusAddress::ALL, body: BusBody::Ping }),
        }
    }

    /// The lengths a frame of this id may have.
    fn allows(self, id: u8, total: usize) -> bool {
        match (self, id) {
            (Line::Single, 0x86) => total == 67,
            (Line::Single, 0x8d) => total == 10,
            (Line::Single, 0x8e | 0x90 | 0x93) => total == 5,
            (Line::Single, 0x91) => total == 8 || total == 12,
            (Line::Single, 0x94 | 0x95) => total == 53,
            (Line::Single, 0xa0) => total == 12,
            (Line::Single, 0xa2) => total == 13,
            (Line::Single, _) => (3..=8192).contains(&total),
            (Line::Bus, 0x83) => total == 70,
            (Line::Bus, 0x84) => total == 13,
            (Line::Bus, 0x87 | 0x88) => total == 6,
            (Line::Bus, 0x89) => total == 6 || total == 8,
            (Line::Bus, _) => (6..=8192).contains(&total),
        }
    }
}

/// What is heard when `pieces` arrive one after the other and then the line falls silent.
pub(crate) fn hear<'a>(line: Line, pieces: impl IntoIterator<Item = &'a [u8]>) -> Vec<Heard> {
    let mut decoder = line.decoder();
    let mut heard = Vec::new();
    for piece in pieces {
        decoder.push(piece);
        heard.extend(std::iter::from_fn(|| decoder.next_heard()));
    }
    decoder.silence();
    heard.extend(std::iter::from_fn(|| decoder.next_heard()));
    assert!(!decoder.is_partial(), "silence ends everything that has begun");
    heard
}

/// Any bytes on a line: the way they are cut changes nothing, every byte is accounted for, what was understood
/// says the same again, and a good frame after them is heard.
pub(crate) fn any_bytes(line: Line, bytes: &[u8]) {
    let whole = hear(line, [bytes]);
    assert_eq!(whole, hear(line, bytes.chunks(1)), "one byte at a time");
    assert_eq!(whole, hear(line, ragged(bytes)), "in ragged pieces");
    accounted(line, bytes, &whole);

    let sentinel = line.sentinel();
    let followed = hear(line, [bytes, &sentinel.encode()]);
    assert_eq!(followed.last(), Some(&Heard::Message(sentinel)), "the good frame after it");
}

/// Frames stand where the second opinion sees them, and the noise between them is exactly the rest.
fn accounted(line: Line, bytes: &[u8], heard: &[Heard]) {
    let mut heard = heard.iter().peekable();
    let mut noise = 0;
    let mut noise_heard = 0;
    for piece in cut(line, bytes) {
        let frame = match piece {
            Piece::Noise => {
                noise += 1;
                continue;
            }
            Piece::Frame(frame) => frame,
        };
        while let Some(Heard::Noise { skipped }) = heard.peek() {
            noise_heard += skipped;
            heard.next();
        }
        assert_eq!(noise_heard, noise, "noise before a frame is reported before it, and no byte twice");
        match heard.next().expect("the second opinion sees another frame") {
            Heard::Message(message) => {
                assert_eq!(hex(&message.encode()), hex(&plain(line, frame)), "{message:?} encodes to its bytes again");
                assert_eq!(hear(line, [&message.encode()[..]]), [Heard::Message(message.clone())]);
            }
            Heard::Invalid { id, payload, .. } => {
                assert_eq!((*id, &payload[..]), (frame[0], &frame[3..]), "a refused frame is kept as it came");
            }
            Heard::Noise { .. } => unreachable!("noise was taken above"),
        }
    }
    for rest in heard {
        let Heard::Noise { skipped } = rest else { panic!("{rest:?} is in no frame of the second opinion") };
        noise_heard += skipped;
    }
    assert_eq!(noise_heard, noise, "every byte is in a frame or in the noise");
}

enum Piece<'a> {
    /// One byte of it.
    Noise,
    Frame(&'a [u8]),
}

/// The parser policy, rule by rule, on a stream that has ended.
fn cut(line: Line, bytes: &[u8]) -> Vec<Piece<'_>> {
    let marked = |byte: &u8| byte & 0x80 != 0;
    let mut pieces = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let frame = match bytes[at..] {
            [id, high, low, ..] if marked(&id) && !marked(&high) && !marked(&low) => {
                let total = usize::from(high) * 128 + usize::from(low);
                let fits = line.allows(id, total) && at + total <= bytes.len();
                fits.then(|| &bytes[at..at + total]).filter(|frame| !frame[1..].iter().any(marked))
            }
            _ => None,
        };
        match frame {
            Some(frame) => {
                pieces.push(Piece::Frame(frame));
                at += frame.len();
            }
            None => {
                // Dropping one byte of a frame drops all of it: none of its other bytes is marked.
                pieces.push(Piece::Noise);
                at += 1;
            }
        }
    }
    pieces
}

/// The frame with every bit cleared that carries nothing: the high half of a piece code, and in an answer of the
/// clock all but the bits its four values travel in.
fn plain(line: Line, frame: &[u8]) -> Vec<u8> {
    let mut bytes = frame.to_vec();
    let end = bytes.len();
    match (line, frame[0]) {
        (Line::Single, 0x86) => bytes[3..].iter_mut().for_each(|code| *code &= 0x0f),
        (Line::Single, 0x8e) => bytes[4] &= 0x0f,
        (Line::Single, 0x8d) => plain_clock(&mut bytes[3..]),
        (Line::Bus, 0x83) => bytes[5..end - 1].iter_mut().for_each(|code| *code &= 0x0f),
        (Line::Bus, 0x84) => plain_clock(&mut bytes[5..end - 1]),
        _ => {}
    }
    if line == Line::Bus {
        bytes[end - 1] = bytes[..end - 1].iter().fold(0u8, |sum, byte| sum.wrapping_add(*byte)) & 0x7f;
    }
    bytes
}

fn plain_clock(data: &mut [u8]) {
    if data[0] & 0x0f == 0x0a || data[3] & 0x0f == 0x0a {
        data[0] = data[0] & 0x30 | 0x0a;
        data[3] = data[3] & 0x30 | 0x0a;
        data[6] = 0;
    }
}

/// Cuts that follow from the bytes themselves, so that a remembered stream is remembered with its cuts.
fn ragged(bytes: &[u8]) -> Vec<&[u8]> {
    let mut pieces = Vec::new();
    let (mut rest, mut length) = (bytes, 3);
    while !rest.is_empty() {
        let (piece, after) = rest.split_at(rest.len().min(length));
        length = usize::from(piece[0]) % 13;
        length += 1;
        pieces.push(piece);
        rest = after;
    }
    pieces
}

/// Any bytes sent to a board: each order is made of the bytes just sent and means the same when sent alone, and the
/// commands after them are heard.
pub(crate) fn any_orders(bytes: &[u8]) {
    let mut reader = CommandReader::default();
    let mut taken = 0;
    for at in 0..bytes.len() {
        let Some(order) = reader.push(bytes[at]) else { continue };
        let sent = match &order {
            Order::Single(command) => command.encode(),
            Order::Bus(command) => command.encode().to_vec(),
            Order::Unknown(unknown) => unknown.clone(),
        };
        assert!(!sent.is_empty() && taken + sent.len() <= at + 1, "no byte is in two orders");
        assert_eq!(read(&sent), std::slice::from_ref(&order), "sent alone it means the same");
        if let Order::Unknown(unknown) = &order {
            assert_eq!(unknown[..], bytes[at + 1 - unknown.len()..=at], "the bytes just sent");
        }
        taken = at + 1;
    }

    let ping = BusCommand { verb: BusVerb::Ping, to: BusAddress::ALL };
    let heard = read(&[bytes, &ping.encode()].concat());
    assert_eq!(heard.last(), Some(&Order::Bus(ping)), "a bus command is heard after anything");

    let heard = read(&[bytes, &[0; 34], &[0x4b]].concat());
    assert_eq!(heard.last(), Some(&Order::Single(Command::UpdateNice)), "the longest order has ended after 34 bytes");
}

/// The orders a board reads in `bytes`.
pub(crate) fn read(bytes: &[u8]) -> Vec<Order> {
    let mut reader = CommandReader::default();
    bytes.iter().filter_map(|byte| reader.push(*byte)).collect()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(" ")
}
