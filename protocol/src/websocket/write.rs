//! Whole frames, header included.

use super::{
    CloseCode,
    wire::{BINARY, CLOSE, EIGHT_FOLLOW, FIN, LONGEST_CONTROL, LONGEST_HEADER, PONG, TEXT, TWO_FOLLOW},
};

/// A text in one frame.
pub fn text(payload: &[u8]) -> Vec<u8> {
    whole(TEXT, payload)
}

/// Bytes in one frame.
pub fn binary(payload: &[u8]) -> Vec<u8> {
    whole(BINARY, payload)
}

/// The answer to a ping: what it carried.
pub fn pong(payload: &[u8]) -> Vec<u8> {
    whole(PONG, payload)
}

/// The last frame of a connection. Of a reason too long for it the beginning is told.
pub fn close(code: CloseCode, reason: &str) -> Vec<u8> {
    let reason = &reason[..reason.floor_char_boundary(LONGEST_CONTROL - 2)];
    whole(CLOSE, &[&code.get().to_be_bytes(), reason.as_bytes()].concat())
}

fn whole(opcode: u8, payload: &[u8]) -> Vec<u8> {
    let mut frame = Vec::with_capacity(payload.len() + LONGEST_HEADER);
    frame.push(FIN | opcode);
    match (u8::try_from(payload.len()), u16::try_from(payload.len())) {
        (Ok(length @ 0..TWO_FOLLOW), _) => frame.push(length),
        (_, Ok(length)) => {
            frame.push(TWO_FOLLOW);
            frame.extend(length.to_be_bytes());
        }
        (_, Err(_)) => {
            frame.push(EIGHT_FOLLOW);
            frame.extend((payload.len() as u64).to_be_bytes());
        }
    }
    frame.extend_from_slice(payload);
    frame
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_is_as_short_as_its_length_allows() {
        assert_eq!(text(b"Nf3"), b"\x81\x03Nf3");
        assert_eq!(text(&[b'x'; 125])[..2], [0x81, 125]);
        assert_eq!(text(&[b'x'; 126])[..4], [0x81, 126, 0, 126]);
        assert_eq!(binary(&[b'x'; 65535])[..4], [0x82, 126, 0xff, 0xff]);
        assert_eq!(binary(&[b'x'; 65536])[..10], [0x82, 127, 0, 0, 0, 0, 0, 1, 0, 0]);
    }

    #[test]
    fn a_good_bye_says_why_in_one_frame_and_whole_letters() {
        assert_eq!(close(CloseCode::TOO_BIG, ""), b"\x88\x02\x03\xf1");
        assert_eq!(close(CloseCode::TOO_BIG, "long"), b"\x88\x06\x03\xf1long");
        let frame = close(CloseCode::NORMAL, &"é".repeat(100));
        assert_eq!(usize::from(frame[1]), 2 + 122, "the 62nd letter would not fit whole");
        assert!(std::str::from_utf8(&frame[4..]).is_ok());
    }
}
