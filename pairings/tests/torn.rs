//! Files that were cut, quoted or encoded wrongly: refused with the line, or read rightly; never taken for something else.

use pairings::{Opponent, Paper, boards, read, text::Encoding, text::encode};

fn faults(bytes: &[u8]) -> String {
    read(bytes).expect_err("something in it can't be read").to_string().trim_end().to_owned()
}

fn pairs(paper: &Paper) -> Vec<(String, Option<String>)> {
    let pairs = paper.sheets.iter().flat_map(|sheet| &sheet.pairs);
    let black = |black: &Opponent| match black {
        Opponent::Player(black) => Some(black.name.clone()),
        Opponent::Nobody(_) => None,
    };
    pairs.map(|pair| (pair.white.name.clone(), black(&pair.black))).collect()
}

#[test]
fn a_quote_that_is_not_closed_is_no_bye() {
    assert_eq!(
        faults(b"Board,White,Black\n1,\"Carlsen, Magnus,Caruana\n2,Ding,Nepo\n"),
        "line 2: \"\"Carlsen, Magnus,Caruana\"; expected a closing quote on the same line: this one is not closed"
    );
    let swallowed = b"Board;White;Black\n1;A;B\n2;\"Carlsen;Caruana\n3;Ding;Nepo\"\n";
    assert!(
        faults(swallowed).starts_with("line 3: \"\"Carlsen;Caruana\"; expected a closing quote"),
        "two tables in one"
    );
    assert!(faults(b"Board;\"White;Black\n1;A;B\n").starts_with("line 1: \"\"White;Black\"; expected a closing quote"));
}

#[test]
fn a_quote_in_the_middle_of_a_cell_in_quotes_is_named() {
    let said = faults(b"Board,White,Black\n1,\"Bill \"Wild\" West\",Caruana\n");
    assert!(said.starts_with("line 2: \"\"Bill \"Wild\" West\",Caruana\"; expected the end of the cell"), "{said}");
    let doubled =
        read(b"Board,White,Black\n1,\"Bill \"\"Wild\"\" West\" ,Bo\"b\n").expect("quotes as they are written");
    assert_eq!(pairs(&doubled), [("Bill \"Wild\" West".into(), Some("Bo\"b".into()))]);
}

#[test]
fn a_row_that_ends_before_black_is_no_bye() {
    let said = faults("Brett;Weiß;Elo;Schwarz;Elo\n1;Carlsen;2839\n2;Ding;2780;bye\n".as_bytes());
    assert_eq!(
        said,
        "line 2: \"1 Carlsen 2839\"; expected 5 columns as in the headings, and \"bye\" for who has nobody to play with"
    );
    let said = faults(b"Board,White,Elo,Black,Elo\n1,Carlsen,2839,");
    assert!(said.starts_with("line 2: \"1 Carlsen 2839\"; expected 5 columns"), "{said}");
    let said = faults(b"Board,White,Black\n1,Carlsen, Magnus,Caruana\n");
    assert!(said.starts_with("line 2: \"1,Carlsen, Magnus,Caruana\"; expected 3 columns"), "{said}");
}

#[test]
fn two_headings_that_say_the_same_are_refused() {
    let said = faults(b"Board;White;White;Black\n1;A;B;C\n");
    assert_eq!(said, "line 1: \"White\"; expected each heading once: column 3 says the same as column 2");
    let said = faults("Tisch;Brett;Weiß;Schwarz\n1;1;A;B\n".as_bytes());
    assert_eq!(said, "line 1: \"Brett\"; expected each heading once: column 2 says the same as column 1");
    let points =
        read("Nr.;Punkte;Name;Name;Punkte;Nr.;Erg.\n4;1;A;B;½;2;1-0\n".as_bytes()).expect("points are no result");
    assert_eq!(points.sheets[0].pairs[0].result.map(|result| result.code()), Some("1-0"));
}

#[test]
fn line_ends_of_old_macs_are_line_ends() {
    for text in [
        "Brett;Weiß;Schwarz\r1;A;B\r2;C;D\r",
        "1  A – B\r2  C – D",
        "[White \"A\"]\r[Black \"B\"]\r\r*\r\r[White \"C\"]\r[Black \"D\"]\r\r*\r",
    ] {
        let paper = read(text.as_bytes()).unwrap_or_else(|faults| panic!("{text:?}: {faults}"));
        assert_eq!(pairs(&paper), [("A".into(), Some("B".into())), ("C".into(), Some("D".into()))], "{text:?}");
    }
    assert!(faults(b"1  A - B\r2  C\r").starts_with("line 2: \"2  C\""));
}

#[test]
fn utf_16_is_read_with_a_mark_and_without() {
    let text = "Brett;Weiß;Schwarz\r\n1;Āboltiņš, Jānis;Ďurič, Štefan\r\n2;Иванова, Анна;王, 皓\r\n";
    let truth = pairs(&read(text.as_bytes()).expect("UTF-8"));
    for encoding in Encoding::ALL.into_iter().filter(|encoding| matches!(encoding, Encoding::Utf16 { .. })) {
        let bytes = encode(text, encoding);
        assert_eq!(
            pairs(&read(&bytes).unwrap_or_else(|faults| panic!("{encoding:?}: {faults}"))),
            truth,
            "{encoding:?}"
        );
        let (back, told) = pairings::text::decode(&bytes, None).expect("the same text");
        assert_eq!((back.as_str(), told, Encoding::named(told.name())), (text, encoding, encoding));
    }
}

#[test]
fn utf_16_that_was_cut_inside_a_letter_is_refused() {
    let mut bytes = encode("1  A – B\n2  C – Dora", Encoding::Utf16 { big_endian: false, marked: true });
    bytes.pop();
    let expected = "expected whole letters of UTF-16: the file was cut off or spoilt here";
    assert_eq!(faults(&bytes), format!("line 2: \"2  C – Dor\"; {expected}"));
}

#[test]
fn utf_8_with_a_letter_that_was_cut_is_refused_with_its_line() {
    let list = "Brett;Weiß;Schwarz\n1;Müller, Jörg;Šimek, Ľuboš\n2;Peña, Inés;Ünal, Öykü\n";
    let cut = [&list.as_bytes()[..list.len() - 2], b"\n3;A;B\n"].concat();
    let expected = "expected whole letters of UTF-8, as in the rest of the file: one was cut off or spoilt here";
    assert_eq!(faults(&cut), format!("line 3: \"2;Peña, Inés;Ünal, Öyk\u{fffd}\"; {expected}"));
    let marked = b"\xef\xbb\xbfBrett;Wei\xdf;Schwarz\n1;A;B\n";
    assert_eq!(faults(marked), format!("line 1: \"Brett;Wei\u{fffd};Schwarz\"; {expected}"), "a mark says what it is");
    let ukrainian =
        encode("1  Віктор Ділай – Мілан Лісов\n2  Вінник – Дімов\n", Encoding::Windows(pairings::Page::Cyrillic));
    let (read, _) = pairings::text::decode(&ukrainian, None).expect("each Ві and Ді is a letter of UTF-8, by chance");
    assert!(read.contains("Віктор Ділай"), "{read}");
}

#[test]
fn what_is_no_text_is_refused_with_its_line() {
    assert!(
        faults(b"1  A - B\n2  C - \0\0\0\0\n")
            .starts_with("line 2: \"2  C - \u{fffd}\u{fffd}\u{fffd}\u{fffd}\"; expected text")
    );
    assert!(
        faults(b"1  M\x81ller - Ann\xe9\n").starts_with("line 1: \"1  M\u{fffd}ller - Ann\u{e9}\"; expected text"),
        "DOS"
    );
    assert!(faults(b"PK\x03\x04\x14\0\x06\0\x08\0").starts_with("line 1:"), "a spreadsheet");
}

#[test]
fn a_game_without_a_tag_for_black_is_no_bye() {
    let said = faults(b"[White \"A\"]\n[Black \"B\"]\n\n*\n\n[Event \"Open\"]\n[White \"C\"]\n");
    assert_eq!(
        said,
        "line 7: nothing stands there; expected [Black \"…\"] in this game, \"BYE\" in it where nobody sits there"
    );
    assert!(faults(b"[White \"C\"]\n[Black \"").starts_with("line 2:"), "cut off");
}

#[test]
fn a_pasted_line_with_more_than_two_parts_is_refused() {
    assert!(faults("1\tCarlsen\t2839\tCaruana\t2776".as_bytes()).starts_with("line 1:"));
    assert!(faults("1  A – B – C".as_bytes()).starts_with("line 1:"));
}

#[test]
fn a_list_of_boards_with_an_open_quote_is_refused() {
    let faults = boards::read(b"table,board\n1,20012\n2,\"20031\n3,20044\n").expect_err("an open quote");
    assert_eq!(faults.0.iter().map(|fault| fault.line).collect::<Vec<_>>(), [3], "{faults}");
}
