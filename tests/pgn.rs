//! The PGN we write, byte for byte. Red here means programs that read our files may stop recognising their games:
//! broadcast sites compare tags to know which game is which.

use std::{ops::ControlFlow, path::Path};

use escaque::{
    journal::{Entries, Journal},
    record::{
        Book, Files, Games,
        papers::{Day, Desk, Dress},
        write_atomically,
    },
};
use pgn_reader::{RawTag, Reader, SanPlus, Visitor};
use proptest::prelude::*;
use protocol::feed::{
    Alert, AlertKind, Correction, Entry, Event, GameResult, Player, Proposal, ResultReason, Score, Side, Sight, Staff,
    State, TableEvent, TableId, TimeControl, Variant,
};
use shakmaty::{CastlingMode, Chess, Color, EnPassantMode, Position, fen::Fen};

const INITIAL: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

#[test]
fn a_game_with_clocks() {
    let mut book = open();
    let white =
        Player { name: "Polgar, Judit".into(), title: Some("GM".into()), rating: Some(2675), ..Player::default() };
    let black =
        Player { name: "Shirov, Alexei".into(), title: Some("GM".into()), rating: Some(2740), ..Player::default() };
    let time_control = Some(TimeControl { base_s: 5400, increment_s: 30 });
    tell(&mut book, 12, [started(1, INITIAL), Entry::Paired { white, black, time_control }]);
    let moves = ["e4", "c5", "Nf3", "e6", "d4", "cxd4", "Nxd4", "Nc6", "Nc3", "d6"];
    for (ply, san) in (1..).zip(moves) {
        tell(&mut book, 12, [played(ply, san, Some(5_400_000 - ply as u64 * 2_500))]);
    }
    tell(&mut book, 12, [result(GameResult::WhiteWins)]);
    assert_eq!(
        book.table_pgn(&table(12)),
        r#"[Event "Spring Open"]
[Site "Linares"]
[Date "2026.03.14"]
[Round "3.12"]
[White "Polgar, Judit"]
[Black "Shirov, Alexei"]
[Result "1-0"]
[Board "12"]
[WhiteTitle "GM"]
[WhiteElo "2675"]
[BlackTitle "GM"]
[BlackElo "2740"]
[TimeControl "5400+30"]

1. e4 {[%clk 1:29:57]} 1... c5 {[%clk 1:29:55]} 2. Nf3 {[%clk 1:29:52]} 2... e6
{[%clk 1:29:50]} 3. d4 {[%clk 1:29:47]} 3... cxd4 {[%clk 1:29:45]} 4. Nxd4
{[%clk 1:29:42]} 4... Nc6 {[%clk 1:29:40]} 5. Nc3 {[%clk 1:29:37]} 5... d6
{[%clk 1:29:35]} 1-0
"#
    );
}

#[test]
fn a_game_of_which_nothing_is_known_but_its_moves() {
    let mut book = Games::default();
    tell(&mut book, 1, [started(1, INITIAL), played(1, "g4", None), played(2, "e5", None), played(3, "f3", None)]);
    tell(&mut book, 1, [played(4, "Qh4#", None), result(GameResult::BlackWins)]);
    assert_eq!(
        book.table_pgn(&table(1)),
        r#"[Event "open"]
[Site "?"]
[Date "????.??.??"]
[Round "3.1"]
[White "?"]
[Black "?"]
[Result "0-1"]
[Board "1"]
[TimeControl "?"]

1. g4 e5 2. f3 Qh4# 0-1
"#
    );
}

/// PGN has four words for a result, and readers that know no other; who looks at the game is told all the same.
#[test]
fn a_result_that_pgn_has_no_word_for_is_said_behind_the_moves() {
    for (score, said) in [
        (Score::BothLost, "{The result is 0-0: both lose (played).} *"),
        (Score::WhiteHalf, "{The result is 1/2-0: white a half, black nothing.} *"),
        (Score::BothForfeited, "{The result is -/-: both forfeit.} *"),
    ] {
        let mut book = open();
        let result = Entry::Result { result: GameResult::Open, reason: ResultReason::Arbiter, score: Some(score) };
        tell(&mut book, 2, [started(1, INITIAL), played(1, "g3", None), result]);
        let pgn = book.table_pgn(&table(2));
        assert!(pgn.contains("[Result \"*\"]\n"), "{pgn}");
        assert!(pgn.replace('\n', " ").ends_with(&format!("1. g3 {said} ")), "{pgn}");
    }
}

#[test]
fn a_chess960_game() {
    let mut book = open();
    let fen = "bqnrkbrn/pppppppp/8/8/8/8/PPPPPPPP/BQNRKBRN w DGdg - 0 1".to_owned();
    tell(&mut book, 2, [Entry::Started { game: 1, fen, variant: Variant::Chess960 }, played(1, "g3", None)]);
    assert_eq!(
        after_board(&book.table_pgn(&table(2))),
        r#"[TimeControl "?"]
[Variant "Chess960"]
[SetUp "1"]
[FEN "bqnrkbrn/pppppppp/8/8/8/8/PPPPPPPP/BQNRKBRN w DGdg - 0 1"]

1. g3 *
"#
    );
}

#[test]
fn a_study_in_which_black_begins() {
    let mut book = open();
    tell(&mut book, 2, [started(1, "8/8/8/4k3/8/8/4P3/4K3 b - - 4 37")]);
    tell(&mut book, 2, [played(1, "Kd4", None), played(2, "Kd2", Some(61_000)), played(3, "Ke5", Some(9_999))]);
    assert_eq!(
        after_board(&book.table_pgn(&table(2))),
        r#"[TimeControl "?"]
[SetUp "1"]
[FEN "8/8/8/4k3/8/8/4P3/4K3 b - - 4 37"]

37... Kd4 38. Kd2 {[%clk 0:01:01]} 38... Ke5 {[%clk 0:00:09]} *
"#
    );
}

#[test]
fn time_controls_as_pgn_writes_them() {
    for (base_s, increment_s, text) in [(180, 2, "180+2"), (5400, 0, "5400"), (0, 0, "-"), (0, 5, "0+5")] {
        let mut book = open();
        let time_control = Some(TimeControl { base_s, increment_s });
        let (white, black) = (Player::default(), Player::default());
        tell(&mut book, 1, [Entry::Paired { white, black, time_control }]);
        assert!(book.table_pgn(&table(1)).contains(&format!("[TimeControl \"{text}\"]\n")), "{text}");
    }
}

#[test]
fn a_table_nobody_is_paired_at_has_the_time_control_of_its_round() {
    let mut book = open();
    book.set_time_control("open", 3, Some(TimeControl { base_s: 180, increment_s: 2 }));
    tell(&mut book, 1, [started(1, INITIAL)]);
    assert!(book.table_pgn(&table(1)).contains("[TimeControl \"180+2\"]\n"));
}

#[test]
fn a_pairing_without_a_move_is_tags_only() {
    let mut book = open();
    tell(&mut book, 4, [paired("A", "B")]);
    assert_eq!(after_board(&book.table_pgn(&table(4))), "[TimeControl \"?\"]\n\n*\n");
}

#[test]
fn a_game_that_is_over_keeps_its_players() {
    let mut book = open();
    tell(&mut book, 4, [paired("A", "B"), started(1, INITIAL), played(1, "d4", None), paired("C", "D")]);
    assert_eq!(names(&book), ["C", "D"], "the game was on");
    tell(
        &mut book,
        4,
        [Entry::Result { result: GameResult::Draw, reason: ResultReason::Agreement, score: None }, paired("C", "Dee")],
    );
    assert_eq!(names(&book), ["C", "Dee"], "a name was wrong");
    tell(&mut book, 4, [paired("Dee", "C"), started(2, INITIAL), played(1, "e4", None)]);
    assert_eq!(names(&book), ["C", "Dee", "Dee", "C"], "they play again");
}

/// The players of the games at the fourth table.
fn names(book: &Games) -> Vec<String> {
    let pgn = book.table_pgn(&table(4));
    let name = |line: &str| {
        line.strip_prefix("[White ").or(line.strip_prefix("[Black ")).map(|rest| rest[1..rest.len() - 2].to_owned())
    };
    pgn.lines().filter_map(name).collect()
}

#[test]
fn a_round_is_its_tables_in_order_with_a_line_between() {
    let mut book = open();
    for number in [10, 2] {
        tell(&mut book, number, [started(1, INITIAL), played(1, "d4", None)]);
    }
    let round = book.round_pgn("open", 3);
    assert_eq!(round, format!("{}\n{}", book.table_pgn(&table(2)), book.table_pgn(&table(10))));
    assert_eq!(read(&round).len(), 2);
    assert_eq!(book.round_pgn("open", 4), "");
    assert_eq!(book.table_pgn(&table(3)), "");
}

#[test]
fn a_second_game_at_the_table_follows_the_first() {
    let mut book = open();
    tell(&mut book, 1, [started(1, INITIAL), played(1, "d4", None), result(GameResult::Draw)]);
    tell(&mut book, 1, [started(2, INITIAL)]);
    tell(&mut book, 1, [started(3, INITIAL), played(1, "c4", None)]);
    let games = read(&book.table_pgn(&table(1)));
    assert_eq!(
        games.iter().map(|game| game.moves.join(" ")).collect::<Vec<_>>(),
        ["d4", "c4"],
        "the empty one is left out"
    );
    assert_eq!(games[0].tag("Result"), "1/2-1/2");
    let of_both = |name| games.iter().map(|game| game.tag(name)).collect::<Vec<_>>();
    assert_eq!(of_both("Round"), ["3.1", "3.1.2"], "no two games of a round have the same tags");
    assert_eq!(of_both("Board"), ["1", "1"]);
}

#[test]
fn men_that_are_put_up_again_after_the_last_game_are_no_game_and_the_next_players_game_is() {
    let mut book = open();
    tell(&mut book, 4, [paired("A", "B"), started(1, INITIAL), played(1, "d4", None), result(GameResult::Draw)]);
    tell(&mut book, 4, [started(2, INITIAL)]);
    let of_round = |book: &Games| read(&book.round_pgn("open", 3)).len();
    assert_eq!(
        (of_round(&book), names(&book)),
        (1, ["A", "B", "A", "B"].map(str::to_owned).into()),
        "who follows the table"
    );
    tell(&mut book, 4, [paired("C", "D")]);
    assert_eq!((of_round(&book), names(&book)), (2, ["A", "B", "C", "D"].map(str::to_owned).into()));
}

#[test]
fn a_game_that_is_started_again_is_the_same_game() {
    let mut book = open();
    tell(&mut book, 1, [started(1, INITIAL), played(1, "d4", None), played(2, "d5", None)]);
    tell(&mut book, 1, [started(1, INITIAL), played(1, "d4", None)]);
    assert_eq!(movetext(&book), "1. d4 *\n");
}

#[test]
fn a_correction_replaces_the_moves_from_there_on() {
    let mut book = open();
    tell(&mut book, 1, [started(1, INITIAL)]);
    for (ply, san) in (1..).zip(["e4", "e5", "Nf3", "Nc6"]) {
        tell(&mut book, 1, [played(ply, san, Some(60_000))]);
    }
    tell(&mut book, 1, [corrected(3, &["Nf3", "Nc6"], &["Nf3", "Nf6"])]);
    assert_eq!(
        movetext(&book),
        "1. e4 {[%clk 0:01:00]} 1... e5 {[%clk 0:01:00]} 2. Nf3 {[%clk 0:01:00]}\n2... Nf6 {[%clk 0:01:00]} *\n"
    );
}

#[test]
fn a_corrected_move_that_comes_again_with_its_clock_is_not_doubled() {
    let mut book = open();
    tell(&mut book, 1, [started(1, INITIAL), played(1, "e3", None)]);
    tell(&mut book, 1, [corrected(1, &["e3"], &["e4"]), played(1, "e4", Some(60_000)), played(2, "e5", None)]);
    tell(&mut book, 1, [played(1, "e4", None)]);
    assert_eq!(movetext(&book), "1. e4 {[%clk 0:01:00]} 1... e5 *\n");
}

#[test]
fn moves_taken_back_are_gone() {
    let mut book = open();
    tell(&mut book, 1, [started(1, INITIAL), played(1, "e4", None), played(2, "e5", None)]);
    tell(&mut book, 1, [corrected(2, &["e5"], &[])]);
    assert_eq!(movetext(&book), "1. e4 *\n");
    tell(&mut book, 1, [corrected(1, &["e4"], &[])]);
    assert_eq!(movetext(&book), "*\n");
}

#[test]
fn a_result_may_be_taken_back() {
    let mut book = open();
    tell(&mut book, 1, [started(1, INITIAL), result(GameResult::Draw)]);
    assert_eq!(movetext(&book), "1/2-1/2\n");
    tell(&mut book, 1, [result(GameResult::Open)]);
    assert_eq!(movetext(&book), "*\n");
}

#[test]
fn what_is_only_seen_or_only_proposed_is_not_written() {
    let mut book = open();
    tell(&mut book, 1, [started(1, INITIAL), played(1, "e4", None)]);
    let before = book.clone();
    let line = ["e4", "e5"].into_iter().collect();
    let turn = Color::White.into();
    let seen = Sight::Seen {
        line,
        settled: 1,
        placement: String::new(),
        turn,
        rest: String::new(),
        last: None,
        check: false,
        off_clock: 0,
        at_rest: false,
    };
    book.apply(&TableEvent { table: Some(table(1)), t: 0, event: Event::Sight(seen) });
    let proposal = Entry::Proposal(Proposal { result: Some(GameResult::Draw), ..Proposal::default() });
    tell(&mut book, 1, [proposal, Entry::State { state: State::AwaitingArbiter }]);
    assert_eq!(book.all_pgn(), before.all_pgn());
}

#[test]
fn a_move_that_follows_nothing_is_left_out() {
    let mut book = open();
    tell(&mut book, 1, [started(1, INITIAL), played(2, "e5", None), played(0, "e4", None)]);
    tell(&mut book, 1, [corrected(5, &[], &["Qh4#"])]);
    assert_eq!(movetext(&book), "*\n");
}

#[test]
fn names_can_neither_leave_their_quotes_nor_turn_the_line_round() {
    for (name, written) in [
        (r#"O"Neil \ "the Rook""#, r#"O\"Neil \\ \"the Rook\""#),
        ("Evil\"]\n[Result \"1-0", r#"Evil\"] [Result \"1-0"#),
        ("Bad\u{202E}Name\u{0}\u{7F}", "BadName"),
        ("\u{FEFF}Müller,\tÖzgür\r\n", "Müller, Özgür"),
        (" \n ", "?"),
    ] {
        let mut book = open();
        tell(&mut book, 1, [paired(name, "B")]);
        let pgn = book.table_pgn(&table(1));
        assert_eq!(pgn.lines().nth(4), Some(format!("[White \"{written}\"]").as_str()), "{name:?}");
        assert_eq!(pgn.lines().count(), 11, "{pgn}");
    }
}

#[tokio::test]
async fn files_are_kept_current_and_only_what_changed_is_written() {
    let state = tempfile::tempdir().expect("a folder for the test");
    let (mut files, mut book) = (Files::new(state.path()), Kept::open());
    for number in [1, 2] {
        book.tell(number, [started(1, INITIAL), played(1, "e4", None)]).await;
    }
    assert_eq!(files.update(&book.book, [&table(1), &table(2)]), Vec::<String>::new());
    assert_eq!(content(&state.path().join("pgn/open/3.pgn")), book.book.round_pgn("open", 3));
    assert_eq!(content(&state.path().join("pgn/open/3-2.pgn")), book.book.table_pgn(&table(2)));

    let inode = |path: &Path| std::os::unix::fs::MetadataExt::ino(&path.metadata().expect("it was written"));
    let other = inode(&files.table_path(&table(1)));
    book.tell(2, [played(2, "e5", None)]).await;
    assert_eq!(files.update(&book.book, [&table(1), &table(2)]), Vec::<String>::new());
    assert_eq!(content(&state.path().join("pgn/open/3.pgn")), book.book.round_pgn("open", 3));
    assert_eq!(inode(&files.table_path(&table(1))), other, "nothing had changed at table 1");
    let names = std::fs::read_dir(state.path().join("pgn/open")).expect("it is a folder");
    assert_eq!(names.count(), 3, "a temporary file is left over");
}

#[tokio::test]
async fn what_could_not_be_written_is_said_and_written_later() {
    let state = tempfile::tempdir().expect("a folder for the test");
    let (mut files, mut book) = (Files::new(state.path()), Kept::open());
    book.tell(1, [started(1, INITIAL)]).await;
    std::fs::write(state.path().join("pgn"), "in the way").expect("the folder is writable");
    let said = files.update(&book.book, [&table(1)]);
    assert_eq!(said.len(), 2);
    assert!(said[0].ends_with("move away what is in its place, it is tried again with the next move"), "{}", said[0]);

    std::fs::remove_file(state.path().join("pgn")).expect("it is ours");
    assert_eq!(files.update(&book.book, []), Vec::<String>::new());
    assert_eq!(content(&state.path().join("pgn/open/3-1.pgn")), book.book.table_pgn(&table(1)));
}

#[test]
fn a_file_is_replaced_as_a_whole_or_not_at_all() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let path = folder.path().join("3.pgn");
    write_atomically(&path, b"old").expect("the folder is writable");
    let mut reader = std::fs::File::open(&path).expect("it was written");
    write_atomically(&path, b"new and longer").expect("the folder is writable");
    assert_eq!(content(&path), "new and longer");
    let mut seen = String::new();
    std::io::Read::read_to_string(&mut reader, &mut seen).expect("it is open");
    assert_eq!(seen, "old", "whoever has the old file open reads it to its end");
}

proptest! {
    #[test]
    fn a_game_reads_back_as_it_was_played(
        choices in proptest::collection::vec((any::<prop::sample::Index>(), prop::option::of(0..40_000_000_u64)), 0..120),
        name in proptest::collection::vec(any::<char>(), 0..60).prop_map(String::from_iter),
        start in prop::sample::select(vec![
            (INITIAL, Variant::Standard),
            ("8/8/8/4k3/8/8/4P3/4K3 b - - 4 37", Variant::Standard),
            ("bqnrkbrn/pppppppp/8/8/8/8/PPPPPPPP/BQNRKBRN w DGdg - 0 1", Variant::Chess960),
        ]),
    ) {
        let mut book = open();
        let (fen, variant) = start;
        tell(&mut book, 7, [Entry::Started { game: 1, fen: fen.to_owned(), variant }, paired(&name, "B")]);
        let mut position = position(fen);
        let mut sans = Vec::new();
        for (choice, clock_ms) in choices {
            let legal = position.legal_moves();
            if legal.is_empty() {
                break;
            }
            let chosen = legal[choice.index(legal.len())];
            let san = SanPlus::from_move_and_play_unchecked(&mut position, chosen).to_string();
            sans.push(san.clone());
            tell(&mut book, 7, [played(sans.len(), &san, clock_ms)]);
        }

        let pgn = book.table_pgn(&table(7));
        prop_assert!(pgn.lines().skip_while(|line| line.starts_with('[')).all(|line| line.len() < 80), "{}", pgn);
        let games = read(&pgn);
        prop_assert_eq!(games.len(), 1);
        prop_assert_eq!(&games[0].moves, &sans);
        prop_assert_eq!(games[0].tag("Round"), "3.7");
        let visible = games[0].tag("White").chars().all(|c| !c.is_control());
        prop_assert!(visible, "{:?}", games[0].tag("White"));
        prop_assert_eq!(end(fen, &games[0].moves), Fen::from_position(&position, EnPassantMode::Legal).to_string());
    }

    #[test]
    fn plain_names_read_back_unchanged(name in "[A-Za-zÀ-ž'\"\\\\.,-]{1,30}( [A-Za-zÀ-ž'\"\\\\]{1,30})?") {
        let mut book = open();
        tell(&mut book, 1, [paired("A", &name)]);
        let games = read(&book.table_pgn(&table(1)));
        prop_assert_eq!(games[0].tag("Black"), name);
    }
}

/// What a reader finds.
#[derive(Default)]
struct Game {
    tags: Vec<(String, String)>,
    moves: Vec<String>,
}

impl Game {
    fn tag(&self, name: &str) -> &str {
        self.tags.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value)
    }
}

fn read(pgn: &str) -> Vec<Game> {
    let mut reader = Reader::new(pgn.as_bytes());
    reader.read_games(&mut Collect).collect::<Result<_, _>>().expect("a reader takes it")
}

struct Collect;

impl Visitor for Collect {
    type Tags = Game;
    type Movetext = Game;
    type Output = Game;

    fn begin_tags(&mut self) -> ControlFlow<Game, Game> {
        ControlFlow::Continue(Game::default())
    }

    fn tag(&mut self, game: &mut Game, name: &[u8], value: RawTag<'_>) -> ControlFlow<Game> {
        game.tags.push((String::from_utf8_lossy(name).into_owned(), unquoted(value)));
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, game: Game) -> ControlFlow<Game, Game> {
        ControlFlow::Continue(game)
    }

    fn san(&mut self, game: &mut Game, san: SanPlus) -> ControlFlow<Game> {
        game.moves.push(san.to_string());
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, game: Game) -> Game {
        game
    }
}

/// The reader's own decoding drops a backslash where two escapes follow each other, so the standard is applied here.
fn unquoted(value: RawTag<'_>) -> String {
    let mut text = String::new();
    let mut characters = std::str::from_utf8(value.as_bytes()).expect("we write UTF-8").chars();
    while let Some(c) = characters.next() {
        text.extend(if c == '\\' { characters.next() } else { Some(c) });
    }
    text
}

fn position(fen: &str) -> Chess {
    let fen = fen.parse::<Fen>().expect("a FEN");
    fen.into_position(CastlingMode::Chess960).expect("a legal position")
}

fn end(fen: &str, moves: &[String]) -> String {
    let mut position = position(fen);
    for san in moves {
        let san = san.parse::<SanPlus>().expect("a move");
        position = position.clone().play(san.san.to_move(&position).expect("a legal move")).expect("a legal move");
    }
    Fen::from_position(&position, EnPassantMode::Legal).to_string()
}

fn open() -> Games {
    let mut book = Games::default();
    book.open_round("open", 3, "Spring Open", "Linares", "2026.03.14");
    book
}

fn table(table: u16) -> TableId {
    TableId { event: "open".to_owned(), round: 3, table }
}

fn tell(book: &mut Games, number: u16, entries: impl IntoIterator<Item = Entry>) {
    for entry in entries {
        book.apply(&TableEvent { table: Some(table(number)), t: 0, event: Event::Entry(entry) });
    }
}

/// A book and the journal by which things get into it.
struct Kept {
    book: Book,
    journal: Journal,
    _state: tempfile::TempDir,
}

impl Kept {
    fn open() -> Kept {
        let state = tempfile::tempdir().expect("a folder for the test");
        let (journal, _) = Journal::open(state.path(), "0.1.0-test").expect("the folder is writable");
        Kept { book: Book::default(), journal, _state: state }
    }

    async fn tell(&mut self, number: u16, entries: impl IntoIterator<Item = Entry>) {
        let at_table = |entry: Entry| TableEvent { table: Some(table(number)), t: 0, event: entry.into() };
        let entries = Entries { events: entries.into_iter().map(at_table).collect(), ..Entries::default() };
        self.book.apply(&self.journal.commit(vec![], entries).await.expect("the disk works"));
    }
}

fn started(game: u32, fen: &str) -> Entry {
    Entry::Started { game, fen: fen.to_owned(), variant: Variant::Standard }
}

#[test]
fn what_happened_beside_the_moves_is_told_as_comments_to_those_it_is_for() {
    let mut book = open();
    tell(&mut book, 12, [started(1, INITIAL), paired("A", "B"), played(1, "e4", None), played(2, "e5", None)]);
    let alert = Alert { article: Some("7.5.1".into()), side: Some(Side::Black), ..Alert::new(AlertKind::FlagFall) };
    let hint = Alert::new(AlertKind::ThreefoldAvailable);
    tell(&mut book, 12, [Entry::Alert(Box::new(alert)), Entry::Alert(Box::new(hint)), played(3, "Nf3", None)]);
    let day = Day { t: 0, wall_ms: 0, zone: jiff::tz::TimeZone::UTC };
    let desk = Desk { reader: Staff::Arbiter, day: &day, dress: Dress::Inside };
    let moves = |book: &Games| {
        let pgn = book.annotated_pgn("open", 3, &desk, |_| true);
        pgn.split_once("\n\n").expect("a line is between tags and moves").1.trim().replace('\n', " ")
    };
    assert_eq!(moves(&book), "1. e4 e5 {00:00:00 flag fall, Black (7.5.1)} 2. Nf3 *");
    // What happened at moves that were taken back stays, in order, where the game went on.
    let touch = Alert { side: Some(Side::White), ..Alert::new(AlertKind::TouchMoveSuspect) };
    tell(&mut book, 12, [Entry::Alert(Box::new(touch)), corrected(3, &["Nf3"], &[]), played(3, "Bc4", None)]);
    let told = "1. e4 e5 {00:00:00 flag fall, Black (7.5.1)} {00:00:00 touch move suspect, White} \
                {00:00:00 record from ply 3: Nf3 taken back} 2. Bc4 *";
    assert_eq!(moves(&book), told);
    assert!(!book.round_pgn("open", 3).contains('{'), "nobody else is told");
}

fn paired(white: &str, black: &str) -> Entry {
    let player = |name: &str| Player { name: name.to_owned(), ..Player::default() };
    Entry::Paired { white: player(white), black: player(black), time_control: None }
}

fn played(ply: usize, san: &str, clock_ms: Option<u64>) -> Entry {
    Entry::Final {
        ply,
        san: san.to_owned(),
        uci: String::new(),
        fen: String::new(),
        clock_ms,
        inferred: false,
        illegal: false,
    }
}

fn corrected(from_ply: usize, old: &[&str], new: &[&str]) -> Entry {
    let owned = |moves: &[&str]| moves.iter().map(|san| (*san).to_owned()).collect();
    Entry::Corrected { from_ply, old: owned(old), new: owned(new), reason: Correction::Arbiter }
}

fn result(result: GameResult) -> Entry {
    Entry::Result { result, reason: ResultReason::Arbiter, score: None }
}

fn movetext(book: &Games) -> String {
    let pgn = book.table_pgn(&table(1));
    pgn.split_once("\n\n").expect("a line is between tags and moves").1.to_owned()
}

fn after_board(pgn: &str) -> &str {
    let at = pgn.find("[TimeControl").expect("there is a time control");
    &pgn[at..]
}

fn content(path: &Path) -> String {
    std::fs::read_to_string(path).expect("it was written")
}
