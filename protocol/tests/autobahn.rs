//! The cases of the Autobahn suite, groups 1 to 7 and 10, by their numbers: what is sent, and what the suite expects of
//! a strict server. Each case is sent in one piece, frame by frame and byte by byte, so those of the suite that differ
//! only by how they are cut are told by all three. `tests/third-party/autobahn` runs the suite itself.

mod echo;

use echo::{Echo, Reply};
use protocol::websocket::CloseCode;

const FIN: u8 = 0x80;
const CONTINUATION: u8 = 0;
const TEXT: u8 = 1;
const BINARY: u8 = 2;
const CLOSE: u8 = FIN | 8;
const PING: u8 = FIN | 9;
const PONG: u8 = FIN | 10;

const HELLO: &[u8] = b"Hello, world!";
/// Five letters of Greek in two and three bytes each.
const GREEK: &[u8] = b"\xce\xba\xe1\xbd\xb9\xcf\x83\xce\xbc\xce\xb5";
const UMLAUTS: &str = "Hello-µ@ßöäüàá-UTF-8!!";

/// Frames, each as one write.
type Frames = Vec<Vec<u8>>;

#[test]
fn group_1_messages_come_back_whatever_their_length() {
    // 1.1.8 and 1.2.8 are the seventh in chops of 997 bytes.
    for (at, length) in [0, 125, 126, 127, 128, 65535, 65536, 65536].into_iter().enumerate() {
        let payload = vec![b'*'; length];
        case(&format!("1.1.{}", at + 1), vec![client(FIN | TEXT, &payload)], &[said(&payload)]);
        let payload = vec![0xfe; length];
        case(&format!("1.2.{}", at + 1), vec![client(FIN | BINARY, &payload)], &[Reply::Binary(payload)]);
    }
}

#[test]
fn group_2_pings_are_answered_and_pongs_are_not() {
    for (number, payload) in
        [("2.1", vec![]), ("2.2", HELLO.to_vec()), ("2.3", b"\x00\xff\xfe\xfd\xfc\xfb\x00\xff".to_vec())]
    {
        case(number, vec![client(PING, &payload)], &[Reply::Pong(payload)]);
    }
    for number in ["2.4", "2.6"] {
        case(number, vec![client(PING, &[0xfe; 125])], &[Reply::Pong(vec![0xfe; 125])]);
    }
    case("2.5", vec![client(PING, &[0xfe; 126])], &[failed()]);
    case("2.7", vec![client(PONG, b"")], &[]);
    case("2.8", vec![client(PONG, b"unsolicited")], &[]);
    case("2.9", vec![client(PONG, b"unsolicited"), client(PING, b"ping")], &[Reply::Pong(b"ping".to_vec())]);
    let pings: Vec<_> = (0..10).map(|number| format!("payload-{number}").into_bytes()).collect();
    let pongs: Vec<_> = pings.iter().cloned().map(Reply::Pong).collect();
    for number in ["2.10", "2.11"] {
        case(number, pings.iter().map(|payload| client(PING, payload)).collect(), &pongs);
    }
}

#[test]
fn group_3_reserved_bits_end_it() {
    case("3.1", vec![client(0x10 | FIN | TEXT, HELLO)], &[failed()]);
    for number in ["3.2", "3.3", "3.4"] {
        let frames = vec![client(FIN | TEXT, HELLO), client(0x20 | FIN | TEXT, HELLO), client(PING, b"")];
        case(number, frames, &[said(HELLO), failed()]);
    }
    case("3.5", vec![client(0x50 | FIN | BINARY, b"\x00\xff\xfe\xfd\xfc\xfb\x00\xff")], &[failed()]);
    case("3.6", vec![client(0x60 | PING, HELLO)], &[failed()]);
    case("3.7", vec![client(0x70 | CLOSE, b"")], &[failed()]);
}

#[test]
fn group_4_opcodes_without_a_meaning_end_it() {
    for (group, opcodes) in [("4.1", 3u8..=7), ("4.2", 11..=15)] {
        for (at, opcode) in opcodes.enumerate() {
            let unknown = client(FIN | opcode, if at % 2 == 1 { b"reserved opcode payload" } else { b"" });
            let frames =
                if at < 2 { vec![unknown] } else { vec![client(FIN | TEXT, HELLO), unknown, client(PING, b"")] };
            let expected = if at < 2 { vec![failed()] } else { vec![said(HELLO), failed()] };
            case(&format!("{group}.{}", at + 1), frames, &expected);
        }
    }
}

#[test]
fn group_5_fragments_are_put_together_and_control_frames_come_between() {
    case("5.1", vec![client(9, b"fragment1"), client(FIN, b"fragment2")], &[failed()]);
    case("5.2", vec![client(10, b"fragment1"), client(FIN, b"fragment2")], &[failed()]);
    let whole = || said(b"fragment1fragment2");
    for number in ["5.3", "5.4", "5.5"] {
        case(number, vec![client(TEXT, b"fragment1"), client(FIN, b"fragment2")], &[whole()]);
    }
    for number in ["5.6", "5.7", "5.8"] {
        let frames = vec![client(TEXT, b"fragment1"), client(PING, b"ping payload"), client(FIN, b"fragment2")];
        case(number, frames, &[Reply::Pong(b"ping payload".to_vec()), whole()]);
    }
    for (first, numbers) in [(FIN, ["5.9", "5.10", "5.11"]), (CONTINUATION, ["5.12", "5.13", "5.14"])] {
        for number in numbers {
            case(number, vec![client(first, b"non-continuation payload"), client(FIN | TEXT, HELLO)], &[failed()]);
        }
    }
    let begins = [client(TEXT, b"fragment1"), client(FIN, b"fragment2")];
    let goes_on = [client(CONTINUATION, b"fragment3"), client(FIN | TEXT, b"fragment4")];
    case("5.15", [begins, goes_on].concat(), &[whole(), failed()]);
    for (number, first) in [("5.16", CONTINUATION), ("5.17", FIN)] {
        let frames = [client(first, b"fragment1"), client(TEXT, b"fragment2"), client(FIN, b"fragment3")];
        case(number, [frames.clone(), frames].concat(), &[failed()]);
    }
    case("5.18", vec![client(TEXT, b"fragment1"), client(FIN | TEXT, b"fragment2")], &[failed()]);
    for number in ["5.19", "5.20"] {
        let frames = vec![
            client(TEXT, b"fragment1"),
            client(CONTINUATION, b"fragment2"),
            client(PING, b"pongme 1!"),
            client(CONTINUATION, b"fragment3"),
            client(CONTINUATION, b"fragment4"),
            client(PING, b"pongme 2!"),
            client(FIN, b"fragment5"),
        ];
        let pong = |payload: &[u8]| Reply::Pong(payload.to_vec());
        let message = said(b"fragment1fragment2fragment3fragment4fragment5");
        case(number, frames, &[pong(b"pongme 1!"), pong(b"pongme 2!"), message]);
    }
}

#[test]
fn group_6_a_text_is_utf_8_wherever_it_is_cut() {
    case("6.1.1", vec![client(FIN | TEXT, b"")], &[said(b"")]);
    case("6.1.2", vec![client(TEXT, b""), client(0, b""), client(FIN, b"")], &[said(b"")]);
    case(
        "6.1.3",
        vec![client(TEXT, b""), client(0, b"middle frame payload"), client(FIN, b"")],
        &[said(b"middle frame payload")],
    );

    let umlauts = UMLAUTS.as_bytes();
    case("6.2.1", vec![client(FIN | TEXT, umlauts)], &[said(umlauts)]);
    case(
        "6.2.2",
        vec![client(TEXT, "Hello-µ@ßöä".as_bytes()), client(FIN, "üàá-UTF-8!!".as_bytes())],
        &[said(umlauts)],
    );
    case("6.2.3", in_bytes(umlauts), &[said(umlauts)]);
    case("6.2.4", in_bytes(GREEK), &[said(GREEK)]);

    let broken = [GREEK, b"\xed\xa0\x80edited"].concat();
    case("6.3.1", vec![client(FIN | TEXT, &broken)], &[not_text()]);
    case("6.3.2", in_bytes(&broken), &[not_text()]);
}

/// Once a text can't become one any more, nothing more of it is waited for: 6.4.1 and 6.4.2 in fragments, 6.4.3 and
/// 6.4.4 within one.
#[test]
fn group_6_4_what_is_no_text_is_refused_at_the_byte_that_says_so() {
    let message = [GREEK, b"\xf4\x90\x80\x80edited"].concat();
    for upto in [13, 15] {
        let mut echo = Echo::new();
        assert_eq!(echo.answer(&client(TEXT, &message[..11])), []);
        assert_eq!(faultless(echo.answer(&client(CONTINUATION, &message[11..upto]))), [not_text()], "6.4.1, 6.4.2");

        let frame = client(FIN | TEXT, &message);
        let payload_at = frame.len() - message.len();
        let mut echo = Echo::new();
        assert_eq!(echo.answer(&frame[..payload_at + 12]), []);
        assert_eq!(faultless(echo.answer(&frame[payload_at + 12..payload_at + upto])), [not_text()], "6.4.3, 6.4.4");
    }
}

#[test]
fn group_6_5_and_after_every_sequence_has_its_verdict() {
    for (group, is_text, sequences) in sequences() {
        for (at, sequence) in sequences.iter().enumerate() {
            let expected = if is_text(at) { said(sequence) } else { not_text() };
            case(&format!("6.{group}.{}", at + 1), vec![client(FIN | TEXT, sequence)], &[expected]);
        }
    }
}

#[test]
fn group_7_a_good_bye_is_returned_and_nothing_follows_it() {
    let bye = |code: u16| client(CLOSE, &code.to_be_bytes());
    let normal = || closed(CloseCode::NORMAL);
    case("7.1.1", vec![client(FIN | TEXT, HELLO), bye(1000)], &[said(HELLO), normal()]);
    case("7.1.2", vec![bye(1000), bye(1000)], &[normal()]);
    case("7.1.3", vec![bye(1000), client(PING, b"")], &[normal()]);
    case("7.1.4", vec![bye(1000), client(FIN | TEXT, HELLO)], &[normal()]);
    case("7.1.5", vec![client(TEXT, b"fragment1"), bye(1000), client(FIN, b"fragment2")], &[normal()]);
    let long = vec![b'B'; 256 * 1024];
    let frames = vec![client(FIN | TEXT, &long), client(FIN | TEXT, HELLO), bye(1000), client(PING, b"")];
    case("7.1.6", frames, &[said(&long), said(HELLO), normal()]);

    case("7.3.1", vec![client(CLOSE, b"")], &[normal()]);
    case("7.3.2", vec![client(CLOSE, b"a")], &[failed()]);
    case("7.3.3", vec![bye(1000)], &[normal()]);
    case("7.3.4", vec![client(CLOSE, b"\x03\xe8Hello World!")], &[normal()]);
    case("7.3.5", vec![client(CLOSE, &[b"\x03\xe8", &[b'*'; 123][..]].concat())], &[normal()]);
    case("7.3.6", vec![client(CLOSE, &[b"\x03\xe8", &[b'*'; 124][..]].concat())], &[failed()]);
    case("7.5.1", vec![client(CLOSE, &[b"\x03\xe8", GREEK, b"\xed\xa0\x80edited"].concat())], &[not_text()]);

    let good = [1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 3000, 3999, 4000, 4999];
    for (at, code) in good.into_iter().enumerate() {
        let echoed = closed(CloseCode::new(code).expect("a number that may stand on the wire"));
        case(&format!("7.7.{}", at + 1), vec![bye(code)], &[echoed]);
    }
    for (at, code) in [0, 999, 1004, 1005, 1006, 1016, 1100, 2000, 2999].into_iter().enumerate() {
        case(&format!("7.9.{}", at + 1), vec![bye(code)], &[failed()]);
    }
    // The suite takes any answer to these; ours is that such a number says nothing.
    case("7.13.1", vec![bye(5000)], &[failed()]);
    case("7.13.2", vec![bye(65535)], &[failed()]);
}

#[test]
fn group_10_a_long_message_in_many_fragments_comes_back_whole() {
    let long = vec![b'*'; 65536];
    let pieces: Vec<&[u8]> = long.chunks(1300).collect();
    let frames = pieces.iter().enumerate().map(|(at, piece)| {
        let opcode = if at == 0 { TEXT } else { CONTINUATION };
        client(if at + 1 == pieces.len() { FIN | opcode } else { opcode }, piece)
    });
    case("10.1.1", frames.collect(), &[said(&long)]);
}

/// Beyond the suite, whose client can't send them: what only a hand-made frame holds.
#[test]
fn a_length_in_more_bytes_than_it_needs_and_a_frame_without_a_mask_end_it() {
    for frame in [
        b"\x81\xfe\x00\x7dmask".to_vec(),
        b"\x81\xff\x00\x00\x00\x00\x00\x00\xff\xffmask".to_vec(),
        b"\x81\xff\xff\xff\xff\xff\xff\xff\xff\xffmask".to_vec(),
        b"\x81\x02hi".to_vec(),
    ] {
        case("hand-made", vec![frame], &[failed()]);
    }
}

/// Which sequences of a group are texts.
type Verdict = fn(usize) -> bool;

/// Group, which of its sequences are texts, and the sequences.
fn sequences() -> Vec<(u8, Verdict, Frames)> {
    const ALL: Verdict = |_| true;
    const NONE: Verdict = |_| false;
    let list = |sequences: &[&[u8]]| sequences.iter().map(|sequence| sequence.to_vec()).collect::<Frames>();
    let between = |letter: &[u8]| [b"hello", letter, b"world"].concat();
    let lonely = |starts: std::ops::Range<u8>| starts.flat_map(|start| [start, b' ']).collect::<Vec<u8>>();
    let cut_short: Frames = list(&[
        b"\xc0",
        b"\xe0\x80",
        b"\xf0\x80\x80",
        b"\xf8\x80\x80\x80",
        b"\xfc\x80\x80\x80\x80",
        b"\xdf",
        b"\xef\xbf",
        b"\xf7\xbf\xbf",
        b"\xfb\xbf\xbf\xbf",
        b"\xfd\xbf\xbf\xbf\xbf",
    ]);
    let valid =
        [&between(b"$")[..], &between("¢".as_bytes()), &between("€".as_bytes()), &between("𤭢".as_bytes()), GREEK];
    vec![
        (5, ALL, list(&valid)),
        // Whole letters end after 2, 5, 7, 9 and 11 bytes.
        (6, |at| [1, 4, 6, 8, 10].contains(&at), (1..=11).map(|length| GREEK[..length].to_vec()).collect()),
        (7, ALL, list(&[b"\x00", b"\xc2\x80", b"\xe0\xa0\x80", b"\xf0\x90\x80\x80"])),
        (8, NONE, list(&[b"\xf8\x88\x80\x80\x80", b"\xfc\x84\x80\x80\x80\x80"])),
        (9, ALL, list(&[b"\x7f", b"\xdf\xbf", b"\xef\xbf\xbf", b"\xf4\x8f\xbf\xbf"])),
        (10, NONE, list(&[b"\xf7\xbf\xbf\xbf", b"\xfb\xbf\xbf\xbf\xbf", b"\xfd\xbf\xbf\xbf\xbf\xbf"])),
        (
            11,
            |at| at < 4,
            list(&[b"\xed\x9f\xbf", b"\xee\x80\x80", b"\xef\xbf\xbd", b"\xf4\x8f\xbf\xbf", b"\xf4\x90\x80\x80"]),
        ),
        (
            12,
            NONE,
            [
                list(&[
                    b"\x80",
                    b"\xbf",
                    b"\x80\xbf",
                    b"\x80\xbf\x80",
                    b"\x80\xbf\x80\xbf",
                    b"\x80\xbf\x80\xbf\x80",
                    b"\x80\xbf\x80\xbf\x80\xbf",
                ]),
                vec![(0x80..0xbf).collect()],
            ]
            .concat(),
        ),
        (13, NONE, [0xc0..0xdf, 0xe0..0xef, 0xf0..0xf7, 0xf8..0xfb, 0xfc..0xfd].map(lonely).to_vec()),
        (14, NONE, cut_short.clone()),
        (15, NONE, vec![cut_short.concat()]),
        (16, NONE, list(&[b"\xfe", b"\xff", b"\xfe\xfe\xff\xff"])),
        (
            17,
            NONE,
            list(&[
                b"\xc0\xaf",
                b"\xe0\x80\xaf",
                b"\xf0\x80\x80\xaf",
                b"\xf8\x80\x80\x80\xaf",
                b"\xfc\x80\x80\x80\x80\xaf",
            ]),
        ),
        (
            18,
            NONE,
            list(&[
                b"\xc1\xbf",
                b"\xe0\x9f\xbf",
                b"\xf0\x8f\xbf\xbf",
                b"\xf8\x87\xbf\xbf\xbf",
                b"\xfc\x83\xbf\xbf\xbf\xbf",
            ]),
        ),
        (
            19,
            NONE,
            list(&[
                b"\xc0\x80",
                b"\xe0\x80\x80",
                b"\xf0\x80\x80\x80",
                b"\xf8\x80\x80\x80\x80",
                b"\xfc\x80\x80\x80\x80\x80",
            ]),
        ),
        (
            20,
            NONE,
            list(&[
                b"\xed\xa0\x80",
                b"\xed\xad\xbf",
                b"\xed\xae\x80",
                b"\xed\xaf\xbf",
                b"\xed\xb0\x80",
                b"\xed\xbe\x80",
                b"\xed\xbf\xbf",
            ]),
        ),
        (21, NONE, surrogate_pairs()),
        (22, ALL, non_characters()),
        (23, ALL, (0xb9..=0xbf).map(|last| vec![0xef, 0xbf, last]).collect()),
    ]
}

fn surrogate_pairs() -> Frames {
    let high = [[0xed, 0xa0, 0x80], [0xed, 0xad, 0xbf], [0xed, 0xae, 0x80], [0xed, 0xaf, 0xbf]];
    let low = [[0xed, 0xb0, 0x80], [0xed, 0xbf, 0xbf]];
    high.iter().flat_map(|high| low.iter().map(|low| [&high[..], low].concat())).collect()
}

/// The last two places of each plane mean no letter, and are UTF-8.
fn non_characters() -> Frames {
    (0..=0x10)
        .flat_map(|plane| [plane << 16 | 0xfffe, plane << 16 | 0xffff])
        .map(|place| char::from_u32(place).expect("no surrogate").to_string().into_bytes())
        .collect()
}

/// Sends `frames` in each way of cutting and compares what comes back.
fn case(number: &str, frames: Frames, expected: &[Reply]) {
    let whole = frames.concat();
    let ways: [(&str, Frames); 3] = [
        ("in one piece", vec![whole.clone()]),
        ("byte by byte", whole.iter().map(|byte| vec![*byte]).collect()),
        ("frame by frame", frames),
    ];
    for (way, pieces) in ways {
        let mut echo = Echo::new();
        let replies = pieces.iter().flat_map(|piece| echo.answer(piece)).collect();
        assert!(faultless(replies) == expected, "case {number}, {way}");
    }
}

/// Which rule was broken is our own addition to the close frame.
fn faultless(replies: Vec<Reply>) -> Vec<Reply> {
    let plain = |reply| if let Reply::Close(code, _) = reply { Reply::Close(code, None) } else { reply };
    replies.into_iter().map(plain).collect()
}

fn said(text: &[u8]) -> Reply {
    Reply::Text(text.to_vec())
}

fn closed(code: CloseCode) -> Reply {
    Reply::Close(code, None)
}

fn failed() -> Reply {
    closed(CloseCode::PROTOCOL)
}

fn not_text() -> Reply {
    closed(CloseCode::NOT_TEXT)
}

/// A text of which each byte is a fragment.
fn in_bytes(text: &[u8]) -> Frames {
    let last = text.len() - 1;
    text.iter()
        .enumerate()
        .map(|(at, byte)| {
            let opcode = if at == 0 { TEXT } else { CONTINUATION };
            client(if at == last { FIN | opcode } else { opcode }, &[*byte])
        })
        .collect()
}

/// A client's frame: first byte as given, masked.
fn client(first: u8, payload: &[u8]) -> Vec<u8> {
    const MASK: [u8; 4] = [0x37, 0xfa, 0x21, 0x3d];
    let length = match (u8::try_from(payload.len()), u16::try_from(payload.len())) {
        (Ok(length @ ..=125), _) => vec![0x80 | length],
        (_, Ok(length)) => [&[0x80 | 126][..], &length.to_be_bytes()].concat(),
        (_, Err(_)) => [&[0x80 | 127][..], &(payload.len() as u64).to_be_bytes()].concat(),
    };
    let masked = payload.iter().zip(MASK.iter().cycle()).map(|(byte, mask)| byte ^ mask);
    [vec![first], length, MASK.to_vec(), masked.collect()].concat()
}
