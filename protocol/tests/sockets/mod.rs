//! What must hold for any bytes a WebSocket client sends. The fuzz target throws random bytes at this, `websocket.rs`
//! generated and remembered ones.
//!
//! The reader is compared with a second opinion, [`model`]: it has all bytes at once, so it knows nothing of cuts.

use protocol::websocket::{CloseCode, End, Kind, Limits, Reader, Said};

/// Small enough that the dice find its end.
const LIMIT: usize = 300;

/// What one who listens to a whole conversation can tell of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Told {
    Message(Kind, Vec<u8>),
    Ping(Vec<u8>),
    Pong,
    /// Over, with this number.
    Over(CloseCode),
}

/// However the bytes are cut the same is told, it is what the second opinion tells, and every frame counts as one.
pub(crate) fn any_client(bytes: &[u8]) {
    let (whole, frames) = hear([bytes]);
    assert_eq!((&whole, frames), (&hear(bytes.chunks(1)).0, hear(bytes.chunks(1)).1), "one byte at a time");
    assert_eq!((&whole, frames), (&hear(ragged(bytes)).0, hear(ragged(bytes)).1), "in ragged pieces");
    let (modelled, counted) = model(bytes);
    assert_eq!(whole, modelled, "the second opinion");
    assert_eq!(frames, counted, "frames that ended");
}

fn ragged(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = bytes;
    (1..).map_while(move |turn: usize| {
        let (part, after) = rest.split_at((turn * 7 % 11 + 1).min(rest.len()));
        rest = after;
        (!part.is_empty()).then_some(part)
    })
}

/// What is told, and how many frames ended, a good-bye and a fault among them.
pub(crate) fn hear<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> (Vec<Told>, usize) {
    let mut reader = Reader::new(Limits { message: LIMIT });
    let (mut told, mut frames, mut message) = (Vec::new(), 0, Vec::new());
    for mut piece in pieces {
        while let Some(said) = reader.next_said(&mut piece) {
            frames += usize::from(said.ends_frame());
            match said {
                Said::Part { payload, end } => {
                    message.extend(payload);
                    assert!(message.len() <= LIMIT, "nothing longer than allowed is handed out");
                    if let End::Message(kind) = end {
                        told.push(Told::Message(kind, std::mem::take(&mut message)));
                    }
                }
                Said::Ping(payload) => told.push(Told::Ping(payload)),
                Said::Pong => told.push(Told::Pong),
                Said::Close(code) => told.push(Told::Over(code)),
                Said::Broke(fault) => told.push(Told::Over(fault.code())),
            }
        }
        assert!(piece.is_empty(), "all bytes are taken");
    }
    (told, frames)
}

/// The standard's rules, one after the other, on bytes that lie there as a whole.
fn model(mut bytes: &[u8]) -> (Vec<Told>, usize) {
    let (mut told, mut frames, mut message) = (Vec::new(), 0, None);
    loop {
        match step(&mut bytes, &mut message) {
            Ok(None) => return (told, frames),
            Ok(Some(more)) => {
                frames += 1;
                let is_over = matches!(more, Some(Told::Over(_)));
                told.extend(more);
                if is_over {
                    return (told, frames);
                }
            }
            Err(code) => {
                told.push(Told::Over(code));
                return (told, frames + 1);
            }
        }
    }
}

/// One frame: `None` when it has not all come, else what it tells, if anything.
fn step(bytes: &mut &[u8], message: &mut Option<(Kind, Vec<u8>)>) -> Result<Option<Option<Told>>, CloseCode> {
    let Some(&first) = bytes.first() else { return Ok(None) };
    let (fin, opcode) = (first & 0x80 != 0, first & 0x0f);
    let is_control = opcode & 8 != 0;
    let known = matches!(opcode, 0..=2 | 8..=10);
    if first & 0x70 != 0 || !known || is_control && !fin || !is_control && (opcode == 0) != message.is_some() {
        return Err(CloseCode::PROTOCOL);
    }
    let Some(&second) = bytes.get(1) else { return Ok(None) };
    if second & 0x80 == 0 || is_control && second & 0x7f > 125 {
        return Err(CloseCode::PROTOCOL);
    }
    let extended = match second & 0x7f {
        126 => 2,
        127 => 8,
        _ => 0,
    };
    let Some(length) = bytes.get(2..2 + extended) else { return Ok(None) };
    let length = match extended {
        0 => u64::from(second & 0x7f),
        _ => length.iter().fold(0, |sum, byte| sum << 8 | u64::from(*byte)),
    };
    if extended == 2 && length < 126 || extended == 8 && (length < 65536 || length >> 63 == 1) {
        return Err(CloseCode::PROTOCOL);
    }
    let before = message.as_ref().map_or(0, |(_, before)| before.len()) as u64;
    if !is_control && before + length > LIMIT as u64 {
        return Err(CloseCode::TOO_BIG);
    }
    let at = 2 + extended + 4;
    let Some(mask) = bytes.get(at - 4..at) else { return Ok(None) };
    let length = usize::try_from(length).expect("within the limit");
    let there = &bytes[at..bytes.len().min(at + length)];
    let payload: Vec<u8> = there.iter().enumerate().map(|(at, byte)| byte ^ mask[at % 4]).collect();
    let is_whole = there.len() == length;
    if !is_control {
        let kind = if opcode == 1 { Kind::Text } else { Kind::Binary };
        let (kind, text) = message.get_or_insert((kind, Vec::new()));
        text.extend(&payload);
        let is_hopeless = |error: std::str::Utf8Error| error.error_len().is_some() || (is_whole && fin);
        if *kind == Kind::Text && std::str::from_utf8(text).is_err_and(is_hopeless) {
            return Err(CloseCode::NOT_TEXT);
        }
    }
    if !is_whole {
        return Ok(None);
    }
    *bytes = &bytes[at + length..];
    Ok(Some(match opcode {
        8 => Some(Told::Over(good_bye(&payload)?)),
        9 => Some(Told::Ping(payload)),
        10 => Some(Told::Pong),
        _ if fin => message.take().map(|(kind, text)| Told::Message(kind, text)),
        _ => None,
    }))
}

fn good_bye(payload: &[u8]) -> Result<CloseCode, CloseCode> {
    if payload.is_empty() {
        return Ok(CloseCode::NORMAL);
    }
    let code = payload.first_chunk().copied().map(u16::from_be_bytes).and_then(CloseCode::new);
    let code = code.ok_or(CloseCode::PROTOCOL)?;
    std::str::from_utf8(&payload[2..]).map(|_| code).map_err(|_| CloseCode::NOT_TEXT)
}
