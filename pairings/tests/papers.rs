//! Pairing files as organisers have them.

use pairings::{
    Bye, Form, Opponent, Page, Pair, Paper, read,
    text::{Encoding, decode, encode},
    trf::Trf,
};

fn paper(text: &str) -> Paper {
    read(text.as_bytes()).unwrap_or_else(|faults| panic!("{faults}"))
}

fn faults(text: &str) -> Vec<String> {
    let faults = read(text.as_bytes()).expect_err("something in it can't be read");
    faults.0.iter().map(ToString::to_string).collect()
}

/// `1 Carlsen, Magnus - Caruana, Fabiano`, a line a table.
fn tables(paper: &Paper) -> Vec<String> {
    let pairs = paper.sheets.iter().flat_map(|sheet| &sheet.pairs);
    let line = |pair: &Pair| match &pair.black {
        Opponent::Player(black) => format!("{} {} - {}", pair.table, pair.white.name, black.name),
        Opponent::Nobody(bye) => format!("{} {}: {bye:?}", pair.table, pair.white.name),
    };
    pairs.map(line).collect()
}

const CARLSEN: &str = "1 Carlsen, Magnus - Caruana, Fabiano";

#[test]
fn pasted_lines_are_tables() {
    for text in [
        "1  Carlsen, Magnus – Caruana, Fabiano",
        "1. Carlsen, Magnus - Caruana, Fabiano",
        "1) GM Carlsen, Magnus (2839) vs. GM Caruana, Fabiano (2776)",
        "1\tCarlsen, Magnus\tCaruana, Fabiano",
        "Carlsen, Magnus — Caruana, Fabiano",
        "\u{feff}# the top board\n\n1  Carlsen, Magnus – Caruana, Fabiano\r\n",
    ] {
        assert_eq!(tables(&paper(text)), [CARLSEN], "{text}");
    }
    let titled = paper("1  GM Carlsen, Magnus (2839) – Muster-Frau, Eva Maria");
    let (white, black) = titled.sheets[0].pairs[0].players().expect("two players");
    assert_eq!(
        (white.title.as_deref(), white.rating, black.name.as_str()),
        (Some("GM"), Some(2839), "Muster-Frau, Eva Maria")
    );
}

#[test]
fn pasted_lines_may_name_round_bye_and_result() {
    let paper = paper("Runde 3\n1 A, B – C, D 1/2-1/2\n2 E, F – spielfrei");
    assert_eq!(paper.sheets[0].round, Some(3));
    assert_eq!(tables(&paper), ["1 A, B - C, D", "2 E, F: Unsaid"]);
    assert_eq!(paper.sheets[0].pairs[0].result.map(|result| result.code()), Some("1/2-1/2"));
}

#[test]
fn columns_are_found_by_their_headings() {
    for text in [
        "Board,White,Black\n1,\"Carlsen, Magnus\",\"Caruana, Fabiano\"",
        "sep=;\nBrett;Weiß;Elo Weiß;Schwarz;Elo Schwarz\n1;Carlsen, Magnus;2839;Caruana, Fabiano;2776\n",
        "Negras;Mesa;Blancas\r\nCaruana, Fabiano;1;Carlsen, Magnus\r\n",
        "Bo.\tNo.\tWhite\tRtg\tPts.\tResult\tPts.\tBlack\tRtg\tNo.\n1\t1\tCarlsen, Magnus\t2839\t0\t\t0\tCaruana, Fabiano\t2776\t2",
    ] {
        let paper = paper(text);
        assert_eq!((paper.form, tables(&paper)), (Form::Csv, vec![CARLSEN.to_owned()]), "{text}");
    }
    let swiss = paper("Bo.;White;Rtg;Black;Rtg;Fed\n1;A;2000;B;-;GER\n2;C;?;bye;;");
    let (white, black) = swiss.sheets[0].pairs[0].players().expect("two players");
    assert_eq!((white.rating, black.rating, white.federation.as_deref()), (Some(2000), None, Some("GER")));
    assert_eq!(tables(&swiss), ["1 A - B", "2 C: Unsaid"]);
}

#[test]
fn a_bye_is_one_in_whatever_words_and_with_its_points() {
    let csv = "Board;White;Black;Result\n1;A;half-point bye;\n2;B;bye;1\n3;C;bye;0\n4;D;bye;½\n5;E;spielfrei;0,5\n\
               6;F;Nicht ausgelost;\n7;bye;G;0.5\n8;Frei, Max;Bye, John;½-½\n";
    assert_eq!(
        tables(&paper(csv)),
        [
            "1 A: Half",
            "2 B: Unsaid",
            "3 C: Zero",
            "4 D: Half",
            "5 E: Half",
            "6 F: Zero",
            "7 G: Half",
            "8 Frei, Max - Bye, John"
        ]
    );
    assert_eq!(
        faults("Board;White;Black;Result\n1;A;bye;2\n2;C;D;x\n"),
        [
            "line 2: \"2\"; expected the points of a bye: 1, 1/2, 0 or nothing",
            "line 3: \"x\"; expected a result such as 1-0, 1/2-1/2, +/- or nothing"
        ]
    );
    let pasted =
        "1 A – half-point bye\n2 B – Bye (½)\n3 C – spielfrei 0,5\n4 D – bye 1-0\n5 E – Frei, Max ½-½\n6 bye – F";
    assert_eq!(
        tables(&paper(pasted)),
        ["1 A: Half", "2 B: Half", "3 C: Half", "4 D: Unsaid", "5 E - Frei, Max", "6 F: Unsaid"]
    );
    let pgn = "[White \"A\"]\n[Black \"half-point bye\"]\n\n*\n";
    assert_eq!(tables(&paper(pgn)), ["1 A: Half"]);
}

#[test]
fn a_table_with_a_column_for_one_player_is_told_what_it_lacks() {
    for text in ["board,white\n1,Ann\n", "Tisch;Schwarz;Elo\n1;Ben;2000\n"] {
        let [fault] = &faults(text)[..] else { panic!("one fault") };
        assert!(fault.starts_with("line 1: ") && fault.contains("expected a column for each player"), "{fault}");
    }
    assert_eq!(tables(&paper("White, Ann – Black, Ben")), ["1 White, Ann - Black, Ben"]);
}

#[test]
fn letters_of_windows_are_read() {
    let bytes = b"Brett;Wei\xdf;Schwarz\n1;M\xfcller, J\xf6rg;Pe\xf1a, I\xf1igo\n";
    let paper = read(bytes).expect("Latin-1");
    assert_eq!(tables(&paper), ["1 Müller, Jörg - Peña, Iñigo"]);
}

#[test]
fn letters_of_central_europe_and_cyrillic_ones_are_told_by_the_names_they_make() {
    let lists = [
        (Page::Central, "Dvořák, Jiří\nRůžička, Petr\nKrejčí, Ondřej\nNěmec, Zbyněk\nŠimáček, Pavel\nMüller, Jan"),
        (
            Page::Central,
            "Świercz, Dariusz\nWiśniewski, Paweł\nZieliński, Michał\nŻak, Józef\nDąbrowski, Łukasz\nSocko, Jan",
        ),
        (Page::Central, "Šarić, Ivan\nKožul, Zdenko\nĐurić, Stefan\nBrkić, Ante\nČabarkapa, Novak\nTomašić, Luka"),
        (Page::Cyrillic, "Крамник, Владимир\nНепомнящий, Ян\nСвидлер, Пётр\nShirov, Alexei"),
        (Page::Western, "Müller, Jürgen\nGroß, Käthe\nSørensen, Åge\nPeña, Íñigo\nLefèvre, Hélène\nNovak, Jan"),
        (Page::Western, "Sæther, Pål\nBjørnsen, Øyvind\nGåsland, Håkon\nHammer, Jon\nGrønn, Atle\nLærdal, Bo"),
        (
            Page::Western,
            "Þórsson, Guðmundur\nFriðriksson, Þröstur\nÓlafsson, Friðrik\nÁrnason, Jón\nÁss, Helgi\nSigurðsson, Þór",
        ),
        (Page::Western, "Brandão, Luís\nConceição, Simão\nGuimarães, João\nAraújo, Inês\nAssunção, Mónica\nGalvão, Zé"),
    ];
    for (page, names) in lists {
        let lines = names.lines().collect::<Vec<_>>();
        let table = |pair: &[&str]| format!("{};1900;{}\r\n", pair[0], pair[1]);
        let text = format!("White;Rating;Black\r\n{}", lines.chunks(2).map(table).collect::<String>());
        let bytes = encode(&text, Encoding::Windows(page));
        assert_eq!(decode(&bytes, None), Ok((text.clone(), Encoding::Windows(page))), "{names}");
        let other = if page == Page::Central { Page::Cyrillic } else { Page::Central };
        let named = decode(&bytes, Some(other)).expect("every byte is a letter");
        assert_eq!((named.0 == text, named.1), (false, Encoding::Windows(other)), "who says it is believed");
    }
}

#[test]
fn a_few_words_are_no_reason_to_leave_the_western_letters() {
    for names in ["Œuvray, Loïc – Noël, Zoë", "Þröstur – Grétarsson, Áss", "½ – ½", "1;Sæther;Bø\n2;Østenstad;Smith"]
    {
        let western = Encoding::Windows(Page::Western);
        assert_eq!(decode(&encode(names, western), None), Ok((names.to_owned(), western)));
    }
}

#[test]
fn headers_of_games_are_pairings() {
    let text = r#"
[Event "Open"]
[Site "Linares"]
[Round "3.2"]
[White "O\"Brien, \\ Pat"]
[Black "Caruana, Fabiano"]
[WhiteElo "-"]
[BlackElo "2776"]
[BlackFideId "2020009"]
[Result "*"]
1. e4 {[%clk 1:30:00]
[%emt 0:00:10]} *
[Event "Open"]
[Round "3.1"]
[White "Carlsen, Magnus"]
[Black "BYE]
[Result "*"]

[Event "Open"]
[Round "3.3"]
[White "Nobody, Noah"]
[Black ""][Result "1-0"]
"#;
    let paper = paper(text);
    assert_eq!((paper.title.as_deref(), paper.site.as_deref()), (Some("Open"), Some("Linares")));
    assert_eq!(paper.sheets[0].round, Some(3));
    assert_eq!(
        tables(&paper),
        ["1 Carlsen, Magnus: Unsaid", "2 O\"Brien, \\ Pat - Caruana, Fabiano", "3 Nobody, Noah: Unsaid"]
    );
    let (white, black) = paper.sheets[0].pairs[1].players().expect("two players");
    assert_eq!((white.rating, black.rating, black.fide_id), (None, Some(2776), Some(2_020_009)));
}

#[test]
fn what_cannot_be_read_is_named_with_its_line() {
    assert_eq!(
        faults("Board;White;Black;BlackElo\n1;A;B;strong\nx;C;D;2000"),
        [
            "line 2: \"strong\"; expected a rating: a number up to 4000, or nothing",
            "line 3: \"x\"; expected the number of the board, from 1 to 65535",
        ]
    );
    assert_eq!(
        faults("1 A – B\n1 C – D"),
        ["line 2: \"table 1\"; expected each table once: line 1 has table 1 already"]
    );
    assert_eq!(
        faults("[White \"A\"]\n[Black \"B\"]\n[White \"C"),
        ["line 3: \"[White \"C\"; expected a tag such as [White \"Carlsen, Magnus\"]"]
    );
    let twice = "Board,White,WhiteFideId,Black,BlackFideId\n1,A,17,B,18\n2,C,19,D,17";
    assert_eq!(faults(twice), ["line 3: \"D\"; expected each player once: the same FIDE number stands on line 2"]);
    assert_eq!(
        faults("")[0],
        "line 1: nothing stands there; expected lines such as \"1  Carlsen, Magnus – Caruana, Fabiano\""
    );
}

#[test]
fn two_players_of_one_name_are_a_remark_where_something_tells_them_apart() {
    let paper = paper("Board;White;Elo White;Black\n1;Smith, John;2100;Jones, Ann\n2;Smith, John;1850;Roe, Sam");
    assert_eq!(paper.remarks, ["lines 2 and 3: two players called Smith, John"]);
}

#[test]
fn nobody_plays_at_two_tables_or_with_themselves() {
    let expected = |line: usize| {
        format!(
            "expected each player once: the same name stands on line {line}; if these are two people, write what tells \
             them apart: a number, a rating, a FIDE number, \"jun.\""
        )
    };
    let twice = "1 Smith, John – Jones, Ann\n2 Roe, Sam – smith, john";
    assert_eq!(faults(twice), [format!("line 2: \"smith, john\"; {}", expected(1))]);
    assert_eq!(faults("1 A – B\n2 C – C"), [format!("line 2: \"C\"; {}", expected(2))]);
    let sits_and_rests = "Board;White;Black\n1;Ann;Ben\n2;Ann;bye";
    assert_eq!(faults(sits_and_rests), [format!("line 3: \"Ann\"; {}", expected(2))]);
}

/// Four players and a fifth with a bye after one round, the second paired.
const REPORT: &str = "\
012 Open de Linares\r\n\
022 Linares\r\n\
042 2026/11/20\r\n\
XXR 5\r\n\
BBW  1.0\r\n\
001    1 m  g Carlsen, Magnus                   2839 NOR     1503014 1990/11/30  1.0    1     4 w 1     2 b  \r\n\
001    2 m  g Caruana, Fabiano                  2776 USA     2020009 1992/07/30  1.0    2     5 b 1     1 w\r\n\
001    3 f wm Ünal, Öykü                        2200 TUR                         1.0    3  0000 - U     5 w  \r\n\
001    4 m    Müller, Jörg                      2000 GER                         0.0    4     1 b 0  0000 - H\r\n\
001    5 m    Nobody, Noah                                                       0.0    5     2 w 0     3 b  \r\n";

#[test]
fn the_coming_round_of_a_report_file_is_paired() {
    let paper = paper(REPORT);
    assert_eq!((paper.form, paper.title.as_deref(), paper.players.len()), (Form::Trf, Some("Open de Linares"), 5));
    assert_eq!(paper.sheets[0].round, Some(2));
    let expected = ["1 Caruana, Fabiano - Carlsen, Magnus", "2 Ünal, Öykü - Nobody, Noah", "3 Müller, Jörg: Half"];
    assert_eq!(tables(&paper), expected);
    let white = &paper.sheets[0].pairs[1].white;
    assert_eq!((white.title.as_deref(), white.rating, white.fide_id), (Some("WIM"), Some(2200), None));
}

#[test]
fn a_report_file_comes_back_with_results_and_nothing_else_changed() {
    let mut file = Trf::read(REPORT.as_bytes()).unwrap_or_else(|faults| panic!("{faults}"));
    assert_eq!(String::from_utf8(file.to_bytes()).expect("UTF-8"), REPORT);
    assert!(file.record(2, 2, 1, "1/2-1/2".parse().expect("a draw")));
    assert!(file.record(2, 3, 5, "+/-".parse().expect("a forfeit")));
    assert!(!file.record(2, 4, 1, "1-0".parse().expect("a win")), "player 4 has nobody to play with");
    let expected = REPORT
        .replace("1990/11/30  1.0    1     4 w 1     2 b  \r\n", "1990/11/30  1.5    1     4 w 1     2 b =\r\n")
        .replace("1992/07/30  1.0    2     5 b 1     1 w\r\n", "1992/07/30  1.5    2     5 b 1     1 w =\r\n")
        .replace("  1.0    3  0000 - U     5 w  \r\n", "  2.0    3  0000 - U     5 w +\r\n")
        .replace("  0.0    4     1 b 0  0000 - H\r\n", "  0.5    4     1 b 0  0000 - H\r\n")
        .replace("     2 w 0     3 b  \r\n", "     2 w 0     3 b -\r\n");
    assert_eq!(String::from_utf8(file.to_bytes()).expect("UTF-8"), expected);
    assert_eq!(file.open_rounds(), Vec::<u16>::new());
}

#[test]
fn a_bye_brings_its_points_with_its_round_unless_the_file_has_counted_it_before() {
    // Player 3 rests in the first round, player 2 has asked for a rest in the second.
    let rounds = ["   2 w", "   1 b    0000 - H", "0000 - U"];
    let after = |points: [&str; 3]| {
        let line =
            |(number, (points, rounds))| format!("001{number:>5}      {:<62}{points:>8}{number:>5}  {rounds}\n", "Ada");
        let text = (1..).zip(points.into_iter().zip(rounds)).map(line).collect::<String>();
        let mut file = Trf::read(text.as_bytes()).unwrap_or_else(|faults| panic!("{faults}"));
        assert_eq!(file.to_bytes(), text.as_bytes(), "nothing was given");
        assert!(file.record(1, 1, 2, "1-0".parse().expect("a win")));
        let text = String::from_utf8(file.to_bytes()).expect("UTF-8");
        text.lines().map(|line| line[80..84].trim().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(after(["0.0", "0.0", "0.0"]), ["1.0", "0.0", "1.0"]);
    assert_eq!(after(["0.0", "0.5", "1.0"]), ["1.0", "0.5", "1.0"]);
    assert_eq!(after(["3.0", "", "0,0"]), ["3.0", "", "1.0"], "another sum is the pairing program's own");
}

#[test]
fn a_report_file_in_the_letters_of_windows_stays_in_them() {
    let bytes = encode(REPORT, Encoding::Windows(Page::Western));
    let mut file = Trf::read(&bytes).unwrap_or_else(|faults| panic!("{faults}"));
    assert_eq!(file.to_bytes(), bytes);
    assert!(file.record(2, 3, 5, "1-0".parse().expect("a win")));
    assert!(std::str::from_utf8(&file.to_bytes()).is_err());
}

#[test]
fn a_pairing_only_one_of_the_two_knows_is_refused() {
    let broken = REPORT.replace("     5 b 1     1 w\r\n", "     5 b 1     3 w\r\n");
    let said = faults(&broken);
    assert!(
        said[0].starts_with("line 6: \"in round 2 player 1 plays 2\"; expected 2 to play 1 in that round"),
        "{said:?}"
    );
    let shifted = REPORT.replace("001    4 m ", "001 x  4 m ");
    assert_eq!(faults(&shifted).len(), 1, "the start number is no number");
}

#[test]
fn byes_of_a_report_file_keep_their_kind() {
    let file = Trf::read(REPORT.as_bytes()).unwrap_or_else(|faults| panic!("{faults}"));
    let byes = [1, 2].map(|round| file.sheet(round).pairs.last().map(|pair| pair.black.clone()));
    assert_eq!(byes, [Bye::Allocated, Bye::Half].map(|bye| Some(Opponent::Nobody(bye))));
}

/// Everything above as one of its kind, to be spoilt.
fn samples() -> Vec<Vec<u8>> {
    let samples = [
        "1  Carlsen, Magnus – Caruana, Fabiano\n2 E, F – bye\n",
        "Brett;Weiß;Elo Weiß;Schwarz;Elo Schwarz\n1;\"Carlsen, Magnus\";2839;Caruana;2776\n",
        "[Event \"Open\"]\n[Round \"3.2\"]\n[White \"A\"]\n[Black \"B\"]\n\n1. e4 {[%clk 1:30:00]} *\n",
        REPORT,
        &teams("013 Riga Rooks                       1    2\n013 Bonn Bishops                     6    8"),
    ];
    samples.iter().map(|text| text.as_bytes().to_vec()).collect()
}

proptest::proptest! {
    #[test]
    fn spoilt_files_are_read_or_refused_with_a_line(
        sample in proptest::sample::select(samples()),
        cuts in proptest::collection::vec((proptest::prelude::any::<proptest::sample::Index>(), proptest::prelude::any::<u8>(), 0..3_u8), 0..6),
    ) {
        let mut bytes = sample;
        for (at, byte, how) in cuts {
            if bytes.is_empty() {
                break;
            }
            let at = at.index(bytes.len());
            match how {
                0 => bytes.truncate(at),
                1 => bytes[at] = byte,
                _ => bytes.insert(at, byte),
            }
        }
        match read(&bytes) {
            Ok(paper) => proptest::prop_assert!(!paper.sheets.is_empty() || !paper.players.is_empty()),
            Err(faults) => {
                let lines = bytes.iter().filter(|byte| **byte == b'\n' || **byte == b'\r').count() + 1;
                proptest::prop_assert!(!faults.0.is_empty());
                proptest::prop_assert!(faults.0.iter().all(|fault| (1..=lines + 1).contains(&fault.line)), "{faults}");
            }
        }
    }
}

/// Four players a team; the second team sits in another order than its players stand in the file.
fn teams(lines: &str) -> String {
    let player = |number: usize, opponent: usize, color: char| {
        format!(
            "001 {number:>4} m    {:<33} {:>4} LAT {:>11} {:>10}  0.0 {number:>4}  {opponent:>4} {color}  \r\n",
            format!("P{number}"),
            2000,
            "",
            ""
        )
    };
    let meets =
        [(1, 6, 'w'), (2, 8, 'b'), (3, 5, 'w'), (4, 7, 'b'), (5, 3, 'b'), (6, 1, 'b'), (7, 4, 'w'), (8, 2, 'w')];
    let lines = lines.lines().map(|line| format!("{line}\r\n")).collect::<String>();
    lines + &meets.into_iter().map(|(number, opponent, color)| player(number, opponent, color)).collect::<String>()
}

#[test]
fn teams_that_meet_sit_side_by_side_in_the_order_of_their_boards() {
    let file = teams(
        "013 Riga Rooks                       1    2\n013 Oslo Owls                        3    4\n\
         013 Bonn Bishops                     6    8\n013 Pisa Pawns                       5    7",
    );
    let paper = paper(&file);
    assert_eq!(tables(&paper), ["1 P1 - P6", "2 P8 - P2", "3 P3 - P5", "4 P7 - P4"]);
    let team = |table: usize| {
        let (white, black) = paper.sheets[0].pairs[table - 1].players().expect("two players");
        [white, black].map(|player| player.team.clone().unwrap_or_default())
    };
    assert_eq!(
        (team(1), team(2)),
        (["Riga Rooks", "Bonn Bishops"].map(str::to_owned), ["Bonn Bishops", "Riga Rooks"].map(str::to_owned))
    );
    let mut report = Trf::read(file.as_bytes()).expect("a report file");
    assert!(report.record(1, 1, 6, "1-0".parse().expect("a win")));
    let before = Trf::read(file.as_bytes()).expect("a report file").sheet(1);
    let names = |sheet: &pairings::Sheet| sheet.pairs.iter().map(|pair| pair.white.team.clone()).collect::<Vec<_>>();
    assert_eq!(names(&report.sheet(1)), names(&before), "who has a result is still of that team");
}

#[test]
fn a_team_with_a_player_nobody_knows_is_named_by_its_line() {
    let said = faults(&teams("013 Riga Rooks                       1   12\n013 "));
    assert!(said[0].contains("line 1") && said[0].contains("12"), "{said:?}");
    assert!(said[1].contains("line 2") && said[1].contains("name of a team"), "{said:?}");
}
