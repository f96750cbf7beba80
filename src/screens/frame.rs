//! WebSocket frames (RFC 6455): what the daemon writes, and the little it has to understand of what viewers write.
//!
//! Pure: bytes in, bytes out. Viewers only listen, so what they send matters where the protocol asks for an answer:
//! ping and close. Everything else is checked, counted and forgotten; no byte of it is kept.

use bytes::Bytes;

/// A viewer has nothing to say; whatever says more than this is not a viewer.
const LONGEST_MESSAGE: usize = 4096;
/// The protocol's own limit for ping, pong and close.
const LONGEST_CONTROL: usize = 125;
/// Two bytes, eight of length, four of mask.
const LONGEST_HEADER: usize = 14;

const FIN: u8 = 0x80;
const RESERVED: u8 = 0x70;
const MASKED: u8 = 0x80;

/// Opcodes.
const CONTINUATION: u8 = 0x0;
const TEXT: u8 = 0x1;
const BINARY: u8 = 0x2;
const CLOSE: u8 = 0x8;
const PING: u8 = 0x9;
const PONG: u8 = 0xa;

/// Why a connection is closed: the number that goes into the close frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CloseCode(pub(super) u16);

impl CloseCode {
    /// The viewer said good-bye without a number.
    pub(super) const NORMAL: CloseCode = CloseCode(1000);
    /// The daemon ends.
    pub(super) const GOING_AWAY: CloseCode = CloseCode(1001);
    /// What was sent is no WebSocket frame of a client.
    pub(super) const PROTOCOL: CloseCode = CloseCode(1002);
    /// Too many messages.
    pub(super) const POLICY: CloseCode = CloseCode(1008);
    /// A message too long.
    pub(super) const TOO_BIG: CloseCode = CloseCode(1009);
}

/// A whole text frame, header included. A server's frames are not masked, so the same bytes go to every viewer.
pub(super) fn text(payload: &[u8]) -> Bytes {
    whole(TEXT, payload)
}

/// The answer to a ping: what it carried.
pub(super) fn pong(payload: &[u8]) -> Bytes {
    whole(PONG, payload)
}

/// The last frame of a connection.
pub(super) fn close(code: CloseCode) -> Bytes {
    whole(CLOSE, &code.0.to_be_bytes())
}

fn whole(opcode: u8, payload: &[u8]) -> Bytes {
    let mut frame = Vec::with_capacity(payload.len() + LONGEST_HEADER);
    frame.push(FIN | opcode);
    match (u8::try_from(payload.len()), u16::try_from(payload.len())) {
        (Ok(length @ 0..=125), _) => frame.push(length),
        (_, Ok(length)) => {
            frame.push(126);
            frame.extend(length.to_be_bytes());
        }
        (_, Err(_)) => {
            frame.push(127);
            frame.extend((payload.len() as u64).to_be_bytes());
        }
    }
    frame.extend_from_slice(payload);
    frame.into()
}

/// What a viewer said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Said {
    /// Asks for a pong with the same payload.
    Ping(Vec<u8>),
    /// Answers a ping nobody sent; allowed.
    Pong,
    /// A text or binary message is over.
    Message,
    /// Says good-bye, and wants to hear this number back.
    Close(CloseCode),
    /// Broke the protocol. Nothing after it is read.
    Broke(CloseCode),
}

/// Reads what one viewer sends, cut anywhere. Keeps a header in the making, and of a control frame its payload.
#[derive(Debug, Default)]
pub(super) struct Reader {
    header: [u8; LONGEST_HEADER],
    have: usize,
    frame: Option<Frame>,
    /// Bytes so far of a message in fragments.
    message: Option<usize>,
    over: bool,
}

/// A frame whose header is complete.
#[derive(Debug)]
struct Frame {
    opcode: u8,
    fin: bool,
    mask: [u8; 4],
    left: usize,
    /// Payload of a control frame, unmasked.
    control: Vec<u8>,
}

impl Reader {
    /// Takes bytes from the front of `bytes` up to the next thing said. `None` means that all bytes were taken.
    pub(super) fn next_said(&mut self, bytes: &mut &[u8]) -> Option<Said> {
        while !self.over {
            let said = match self.frame.take() {
                Some(frame) => self.body(frame, bytes),
                None => self.head(bytes),
            };
            match said {
                Step::Starved => return None,
                Step::Onward => {}
                Step::Said(said) => {
                    self.over = matches!(said, Said::Close(_) | Said::Broke(_));
                    return Some(said);
                }
            }
        }
        *bytes = &[];
        None
    }

    fn head(&mut self, bytes: &mut &[u8]) -> Step {
        let Some((first, rest)) = bytes.split_first() else { return Step::Starved };
        self.header[self.have] = *first;
        self.have += 1;
        *bytes = rest;
        if let Some(code) = self.fault() {
            return Step::Said(Said::Broke(code));
        }
        if let Some(frame) = self.complete() {
            self.have = 0;
            self.frame = Some(frame);
        }
        Step::Onward
    }

    /// What is wrong with the header as far as it is known. A fault shows at its first byte, so nothing waits for more.
    fn fault(&self) -> Option<CloseCode> {
        let opcode = self.header[0] & 0x0f;
        let control = opcode >= CLOSE;
        let known = matches!(opcode, CONTINUATION | TEXT | BINARY | CLOSE | PING | PONG);
        let continues = opcode == CONTINUATION;
        if self.header[0] & RESERVED != 0 || !known || (control && self.header[0] & FIN == 0) {
            return Some(CloseCode::PROTOCOL);
        }
        if !control && continues != self.message.is_some() {
            return Some(CloseCode::PROTOCOL);
        }
        if self.have < 2 {
            return None;
        }
        let short = usize::from(self.header[1] & !MASKED);
        if self.header[1] & MASKED == 0 || (control && short > LONGEST_CONTROL) {
            return Some(CloseCode::PROTOCOL);
        }
        let length = self.length()?;
        (self.message.unwrap_or(0).saturating_add(length) > LONGEST_MESSAGE && !control).then_some(CloseCode::TOO_BIG)
    }

    /// The payload's length, once its bytes are there.
    fn length(&self) -> Option<usize> {
        let header = &self.header[..self.have];
        match header.get(1)? & !MASKED {
            126 => Some(usize::from(u16::from_be_bytes(header.get(2..4)?.try_into().ok()?))),
            127 => {
                let length = u64::from_be_bytes(header.get(2..10)?.try_into().ok()?);
                Some(usize::try_from(length).unwrap_or(usize::MAX))
            }
            length => Some(usize::from(length)),
        }
    }

    fn complete(&self) -> Option<Frame> {
        let left = self.length()?;
        let mask_at = match self.header[1] & !MASKED {
            126 => 4,
            127 => 10,
            _ => 2,
        };
        let mask = self.header[..self.have].get(mask_at..mask_at + 4)?.try_into().ok()?;
        let (opcode, fin) = (self.header[0] & 0x0f, self.header[0] & FIN != 0);
        Some(Frame { opcode, fin, mask, left, control: Vec::new() })
    }

    fn body(&mut self, mut frame: Frame, bytes: &mut &[u8]) -> Step {
        let (part, rest) = bytes.split_at(frame.left.min(bytes.len()));
        *bytes = rest;
        frame.left -= part.len();
        if frame.opcode >= CLOSE {
            let from = frame.control.len();
            frame.control.extend(part.iter().enumerate().map(|(at, byte)| byte ^ frame.mask[(from + at) % 4]));
        } else {
            *self.message.get_or_insert(0) += part.len();
        }
        if frame.left > 0 {
            self.frame = Some(frame);
            return Step::Starved;
        }
        self.ended(frame)
    }

    fn ended(&mut self, frame: Frame) -> Step {
        match frame.opcode {
            PING => Step::Said(Said::Ping(frame.control)),
            PONG => Step::Said(Said::Pong),
            CLOSE => Step::Said(good_bye(&frame.control)),
            _ if frame.fin => {
                self.message = None;
                Step::Said(Said::Message)
            }
            _ => Step::Onward,
        }
    }
}

enum Step {
    Starved,
    Onward,
    Said(Said),
}

/// A close frame is empty, or it begins with a number that may stand on the wire.
fn good_bye(payload: &[u8]) -> Said {
    match payload {
        [] => Said::Close(CloseCode::NORMAL),
        [_] => Said::Broke(CloseCode::PROTOCOL),
        [high, low, reason @ ..] => match u16::from_be_bytes([*high, *low]) {
            code @ (1000..=1003 | 1007..=1011 | 3000..=4999) if std::str::from_utf8(reason).is_ok() => {
                Said::Close(CloseCode(code))
            }
            _ => Said::Broke(CloseCode::PROTOCOL),
        },
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const MASK: [u8; 4] = [0x37, 0xfa, 0x21, 0x3d];

    #[test]
    fn a_header_is_as_short_as_its_length_allows() {
        assert_eq!(text(b"Nf3")[..], *b"\x81\x03Nf3");
        assert_eq!(text(&[b'x'; 125])[..2], [0x81, 125]);
        assert_eq!(text(&[b'x'; 126])[..4], [0x81, 126, 0, 126]);
        assert_eq!(text(&[b'x'; 65535])[..4], [0x81, 126, 0xff, 0xff]);
        assert_eq!(text(&[b'x'; 65536])[..10], [0x81, 127, 0, 0, 0, 0, 0, 1, 0, 0]);
        assert_eq!(close(CloseCode::TOO_BIG)[..], [0x88, 2, 0x03, 0xf1]);
    }

    #[test]
    fn a_ping_is_heard_between_the_fragments_of_a_message() {
        let said = hear(&[
            masked(TEXT, b"Nf"),
            masked(FIN | PING, b"there?"),
            masked(CONTINUATION, b""),
            masked(FIN | CONTINUATION, b"3"),
        ]);
        assert_eq!(said, [Said::Ping(b"there?".to_vec()), Said::Message]);
    }

    #[test]
    fn a_good_bye_keeps_its_number() {
        assert_eq!(hear(&[masked(FIN | CLOSE, b"")]), [Said::Close(CloseCode::NORMAL)]);
        assert_eq!(hear(&[masked(FIN | CLOSE, b"\x0f\xa0bye")]), [Said::Close(CloseCode(4000))]);
    }

    #[test]
    fn what_is_no_frame_of_a_client_is_refused_with_its_number() {
        let protocol: &[(&str, Vec<u8>)] = &[
            ("unmasked", b"\x81\x02hi".to_vec()),
            ("reserved bit", masked(FIN | 0x40 | TEXT, b"hi")),
            ("unknown opcode", masked(FIN | 0x3, b"")),
            ("unknown control opcode", masked(FIN | 0xb, b"")),
            ("ping in fragments", masked(PING, b"")),
            ("ping too long", masked(FIN | PING, &[0; 126])),
            ("continuation of nothing", masked(FIN | CONTINUATION, b"")),
            ("message inside a message", [masked(TEXT, b""), masked(FIN | TEXT, b"")].concat()),
            ("good-bye of one byte", masked(FIN | CLOSE, b"x")),
            ("good-bye with a number of no meaning", masked(FIN | CLOSE, &1005u16.to_be_bytes())),
            ("good-bye with a reason that is no text", masked(FIN | CLOSE, b"\x03\xe8\xff")),
        ];
        for (name, bytes) in protocol {
            assert_eq!(hear(std::slice::from_ref(bytes)), [Said::Broke(CloseCode::PROTOCOL)], "{name}");
        }
    }

    #[test]
    fn a_long_message_is_refused_before_its_payload_comes() {
        let too_big = [Said::Broke(CloseCode::TOO_BIG)];
        assert_eq!(hear(&[masked(FIN | TEXT, &[0; LONGEST_MESSAGE])]), [Said::Message]);
        assert_eq!(hear(&[masked(FIN | TEXT, &[0; LONGEST_MESSAGE + 1])[..4].to_vec()]), too_big);
        assert_eq!(hear(&[b"\x82\xff\xff\xff\xff\xff\xff\xff\xff\xff".to_vec()]), too_big);
        let fragments = [masked(TEXT, &[0; 4000]), masked(FIN | CONTINUATION, &[0; 97])];
        assert_eq!(hear(&fragments), too_big);
    }

    #[test]
    fn nothing_is_heard_after_a_good_bye() {
        assert_eq!(hear(&[masked(FIN | CLOSE, b""), masked(FIN | PING, b"")]), [Said::Close(CloseCode::NORMAL)]);
    }

    proptest! {
        #[test]
        fn the_same_bytes_cut_anywhere_say_the_same(
            frames in prop::collection::vec(any_frame(), 0..12),
            cuts in prop::collection::vec(1usize..9, 1..40),
        ) {
            let bytes = frames.concat();
            prop_assert_eq!(hear_in_pieces(&bytes, &cuts), hear(&[bytes]));
        }

        #[test]
        fn no_bytes_whatever_upset_the_reader(
            bytes in prop::collection::vec(any::<u8>(), 0..6000),
            cuts in prop::collection::vec(1usize..900, 1..40),
        ) {
            prop_assert_eq!(hear_in_pieces(&bytes, &cuts), hear(&[bytes]));
        }

        #[test]
        fn a_ping_comes_back_as_it_was_sent(payload in prop::collection::vec(any::<u8>(), 0..=LONGEST_CONTROL)) {
            prop_assert_eq!(hear(&[masked(FIN | PING, &payload)]), [Said::Ping(payload)]);
        }
    }

    fn any_frame() -> impl Strategy<Value = Vec<u8>> {
        let first = prop_oneof![
            8 => prop::sample::select(vec![TEXT, FIN | TEXT, FIN | CONTINUATION, FIN | PING, FIN | PONG]),
            1 => any::<u8>(),
        ];
        (first, prop::collection::vec(any::<u8>(), 0..130)).prop_map(|(first, payload)| masked(first, &payload))
    }

    fn hear(parts: &[Vec<u8>]) -> Vec<Said> {
        let mut reader = Reader::default();
        parts.iter().flat_map(|part| drain(&mut reader, part)).collect()
    }

    fn hear_in_pieces(bytes: &[u8], cuts: &[usize]) -> Vec<Said> {
        let mut reader = Reader::default();
        let (mut said, mut rest) = (Vec::new(), bytes);
        for cut in cuts.iter().cycle() {
            if rest.is_empty() {
                break;
            }
            let (part, after) = rest.split_at((*cut).min(rest.len()));
            said.extend(drain(&mut reader, part));
            rest = after;
        }
        said
    }

    fn drain(reader: &mut Reader, mut bytes: &[u8]) -> Vec<Said> {
        let said = std::iter::from_fn(|| reader.next_said(&mut bytes)).collect();
        assert!(bytes.is_empty(), "all bytes are taken");
        said
    }

    fn masked(first: u8, payload: &[u8]) -> Vec<u8> {
        let mut frame = whole(first & 0x0f, payload).to_vec();
        frame[0] = first;
        frame[1] |= MASKED;
        let at = frame.len() - payload.len();
        for (byte, mask) in frame[at..].iter_mut().zip(MASK.iter().cycle()) {
            *byte ^= mask;
        }
        frame.splice(at..at, MASK);
        frame
    }
}
