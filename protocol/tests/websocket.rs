//! The reader of WebSocket frames beside a second opinion, on frames the dice make and on those worth remembering.

mod sockets;

use proptest::prelude::*;
use protocol::websocket::{CloseCode, Kind};
use sockets::{Told, any_client, hear};

const FIN: u8 = 0x80;

#[test]
fn a_long_message_is_refused_before_its_payload_comes() {
    let refused = vec![Told::Over(CloseCode::TOO_BIG)];
    assert_eq!(hear([&client(FIN | 2, &[0; 300])[..]]).0, [Told::Message(Kind::Binary, vec![0; 300])]);
    assert_eq!(hear([&client(FIN | 2, &[0; 301])[..4]]).0, refused);
    assert_eq!(hear([&b"\x82\xff\x7f\xff\xff\xff\xff\xff\xff\xff"[..]]).0, refused);
    let fragments = [client(2, &[0; 290]), client(FIN, &[0; 11])].concat();
    assert_eq!(hear([&fragments[..fragments.len() - 12]]).0, refused, "together they are too long");
}

#[test]
fn an_empty_fragment_is_a_frame_like_any_other() {
    let bytes = [client(1, b""), client(0, b"").repeat(40), client(FIN, b"")].concat();
    assert_eq!(hear([&bytes[..]]), (vec![Told::Message(Kind::Text, vec![])], 42));
}

#[test]
fn remembered_clients() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/corpus/viewer_frames");
    let files = std::fs::read_dir(folder).expect("the corpus is in the tree");
    let files: Vec<_> = files.map(|file| file.expect("a readable folder").path()).collect();
    assert!(!files.is_empty());
    files.iter().for_each(|path| any_client(&std::fs::read(path).expect("a readable file")));
}

proptest! {
    #[test]
    fn frames_of_any_kind_are_heard_as_the_second_opinion_hears_them(
        frames in prop::collection::vec(any_frame(), 0..12),
    ) {
        any_client(&frames.concat());
    }

    #[test]
    fn no_bytes_whatever_upset_the_reader(bytes in prop::collection::vec(any::<u8>(), 0..600)) {
        any_client(&bytes);
    }
}

fn any_frame() -> impl Strategy<Value = Vec<u8>> {
    let first = prop_oneof![
        12 => prop::sample::select(vec![1, 2, 0, 0, FIN, FIN | 1, FIN | 2, FIN | 9, FIN | 10]),
        1 => Just(FIN | 8),
        1 => any::<u8>(),
    ];
    let payload = prop_oneof![
        prop::collection::vec(any::<u8>(), 0..6),
        prop::collection::vec(Just(b'x'), 0..140),
        any::<String>().prop_map(String::into_bytes),
        Just(b"\x03\xe8good-bye".to_vec()),
    ];
    (first, payload).prop_map(|(first, payload)| client(first, &payload))
}

/// A client's frame: first byte as given, masked.
fn client(first: u8, payload: &[u8]) -> Vec<u8> {
    const MASK: [u8; 4] = [0x37, 0xfa, 0x21, 0x3d];
    let length = match u8::try_from(payload.len()) {
        Ok(length @ ..=125) => vec![0x80 | length],
        _ => [&[0xfe][..], &u16::try_from(payload.len()).expect("a short payload").to_be_bytes()].concat(),
    };
    let masked = payload.iter().zip(MASK.iter().cycle()).map(|(byte, mask)| byte ^ mask);
    [vec![first], length, MASK.to_vec(), masked.collect()].concat()
}
