//! What is printed for people: reports, scoresheets, sheets of clocks, envelopes.

use escaque::record::{
    Games,
    papers::{Day, Desk, Dress, Paper},
};
use jiff::tz::TimeZone;
use protocol::feed::{
    Address, Alert, AlertKind, Clocks, Command, Correction, Entry, Event, GameResult, Notation, Player, ResultReason,
    RoundView, Score, Side, Staff, TableEvent, TableId, TimeControl, Variant,
};

const FEN: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const MINUTE: u64 = 60_000;
/// 14:20 on a day in November.
const WALL_MS: u64 = 1_795_530_000_000;

#[test]
fn a_report_has_every_incident_with_its_time_article_evidence_and_decision() {
    let page = print(&Paper::Report { event: "open".into(), round: 3 }, Staff::Arbiter).expect("a round");
    for said in [
        "<h1>Spring &lt;Open&gt;</h1>",
        "WGM Okafor, Ada (2341)",
        "<td class=\"number\">14:22:00</td>",
        "illegal move completed, Black",
        "<td>7.5.1</td>",
        "count 1",
        "penalty: penalty opponent time, seconds 120, side black",
        "1/2-1/2 (agreement)",
        "Without an opponent: Moreau, Luc (half)",
        "<td>Riga Rooks</td><td>Oslo Owls</td><td class=\"number\">½ – ½</td>",
    ] {
        assert!(page.contains(said), "{said} is missing:\n{page}");
    }
    assert!(!page.contains("threefold"), "that a claim would succeed is for nobody");
    assert!(page.contains("<link rel=\"stylesheet\" href=\"/report/print.css\">") && !page.contains("<style>"));
}

#[test]
fn a_report_tells_of_the_game_that_was_the_meeting_and_not_of_men_that_were_put_up_after_it() {
    let mut book = book();
    let row = |book: &Games| {
        let paper = Paper::Report { event: "open".into(), round: 3 };
        let page = book.paper(&paper, &desk(&day(), Staff::Arbiter)).expect("a round");
        page.split("<tr>").find(|row| row.contains("Ünal, Öykü")).map(str::to_owned).expect("a row")
    };
    let started = |game| Entry::Started { game, fen: FEN.into(), variant: Variant::Standard };
    play(&mut book, 2, 2 * MINUTE, 2, "e5", 5340);
    tell(&mut book, 2, 3 * MINUTE, started(2));
    let open = row(&book);
    assert!(open.contains("<td class=\"number\">*</td>") && open.contains("<td class=\"number\">1</td>"), "{open}");
    let won = Entry::Result { result: GameResult::WhiteWins, reason: ResultReason::Arbiter, score: None };
    tell(&mut book, 2, 4 * MINUTE, Entry::Earlier { game: 1, entry: Box::new(won) });
    let ended = row(&book);
    assert!(ended.contains("1-0") && ended.contains("<td class=\"number\">1</td>"), "{ended}");
    // What they show each other afterwards changes nothing.
    play(&mut book, 2, 5 * MINUTE, 1, "d4", 5340);
    assert_eq!(row(&book), ended);
}

#[test]
fn a_result_that_was_taken_back_has_no_ground_in_the_report() {
    let mut book = book();
    let mut row = |result| {
        tell(&mut book, 2, 4 * MINUTE, Entry::Result { result, reason: ResultReason::Arbiter, score: None });
        let paper = Paper::Report { event: "open".into(), round: 3 };
        let page = book.paper(&paper, &desk(&day(), Staff::Arbiter)).expect("a round");
        page.split("<tr>").find(|row| row.contains("Ünal, Öykü")).map(str::to_owned).expect("a row")
    };
    let ended = row(GameResult::WhiteWins);
    assert!(ended.contains("1-0") && ended.contains("arbiter"), "{ended}");
    let open = row(GameResult::Open);
    assert!(open.contains("<td class=\"number\">*</td>") && !open.contains("arbiter"), "{open}");
}

#[test]
fn a_table_that_was_removed_leaves_no_trace_unless_something_was_played_there() {
    let leave = |removed| Entry::Shown { shown: false, removed };
    let rows = |book: &Games| {
        let paper = Paper::Report { event: "open".into(), round: 3 };
        let page = book.paper(&paper, &desk(&day(), Staff::Arbiter)).expect("a round");
        let has_row = |table: u16| page.contains(&format!("<tr><td class=\"number\">{table}</td>"));
        let has_game = |table: u16| book.round_pgn("open", 3).contains(&format!("[Board \"{table}\"]"));
        (6..=9).map(|table| (has_row(table), has_game(table))).collect::<Vec<_>>()
    };
    let mut book = book();
    let player = |name: &str| Player { name: name.to_owned(), ..Player::default() };
    for table in 6..=9 {
        tell(&mut book, table, 0, Entry::Started { game: 1, fen: FEN.into(), variant: Variant::Standard });
    }
    pair(&mut book, 7, player("A"), player("B"));
    pair(&mut book, 8, player("C"), player("D"));
    play(&mut book, 9, MINUTE, 1, "e4", 5340);
    assert_eq!(rows(&book), [(true, true); 4]);
    tell(&mut book, 6, MINUTE, leave(false));
    tell(&mut book, 7, MINUTE, leave(false));
    tell(&mut book, 8, MINUTE, leave(true));
    tell(&mut book, 9, MINUTE, leave(true));
    assert_eq!(rows(&book), [(false, false), (true, true), (false, false), (true, true)]);
    pair(&mut book, 8, player("C"), player("D"));
    assert_eq!(rows(&book)[2], (true, true), "it is there again");
}

#[test]
fn a_scoresheet_is_in_the_letters_of_its_event_with_times_and_offers() {
    let sheet = |notation| print(&Paper::Sheet { at: address("open/3/1"), notation }, Staff::Operator).expect("a game");
    let german = sheet(None);
    for said in ["<td class=\"move\">Sf3</td>", "<td class=\"move\">Sc6 (=)</td>", "<td class=\"number\">1:29:50</td>"]
    {
        assert!(german.contains(said), "{said} is missing:\n{german}");
    }
    assert!(sheet(Some(Notation::Spanish)).contains("<td class=\"move\">Cf3</td>"));
    assert!(sheet(Some(Notation::English)).contains("<td class=\"move\">Nf3</td>"));
    assert!(sheet(Some(Notation::Figurines)).contains("♘f3"));
    assert!(german.contains("Result <strong>1/2-1/2</strong>"));
    let all = print(&Paper::Sheets { event: "open".into(), round: 3, notation: None }, Staff::Operator);
    assert_eq!(all.expect("games").matches("<section class=\"sheet\">").count(), 2);
}

#[test]
fn the_sheet_of_clocks_tells_each_half_hour_what_every_clock_showed() {
    let page = print(&Paper::Clocks { event: "open".into(), round: 3 }, Staff::Arbiter).expect("games");
    assert!(page.contains("<th>14:30</th>") && page.contains("<th>15:00</th>"), "{page}");
    // Ten minutes into the round White has moved at the second table, and Black's clock has run since 14:21.
    assert!(page.contains("0 b  1:29:00  1:21:00"), "{page}");
    assert!(page.contains("0 b  1:29:00  0:51:00"), "{page}");
    // The first game is over: its clocks stand.
    assert!(page.contains("2 w  1:29:40  1:29:30"), "{page}");
}

#[test]
fn the_sheet_of_clocks_has_games_that_are_kept_by_hand() {
    let mut book = book();
    let player = |name: &str| Player { name: name.into(), ..Player::default() };
    pair(&mut book, 3, player("Peña, Inés"), player("Moreau, Luc"));
    let written = |new: &[&str]| Entry::Corrected {
        from_ply: 1,
        old: Vec::new(),
        new: new.iter().map(|san| (*san).to_owned()).collect(),
        reason: Correction::Arbiter,
    };
    tell(&mut book, 3, 20 * MINUTE, written(&["d4", "d5", "c4"]));
    pair(&mut book, 4, player("Adams, Ann"), player("Baker, Ben"));
    let lost = Entry::Result {
        result: GameResult::WhiteWins,
        reason: ResultReason::Forfeit,
        score: Some(Score::WhiteByForfeit),
    };
    tell(&mut book, 4, 20 * MINUTE, lost);
    let clocks =
        |book: &Games| book.paper(&Paper::Clocks { event: "open".into(), round: 3 }, &desk(&day(), Staff::Arbiter));
    let page = clocks(&book).expect("games");
    let row = |name: &str| page.split("<tr>").find(|row| row.contains(name)).map(str::to_owned).unwrap_or_default();
    let cells = |row: String| row.matches("<td class=\"number\">").count();
    assert_eq!((row("Moreau").matches("1 b  –  –").count(), cells(row("Moreau"))), (2, 4), "{page}");
    assert!(row("Baker").contains("+/-"), "{page}");

    let mut alone = Games::default();
    pair(&mut alone, 1, player("Peña, Inés"), player("Moreau, Luc"));
    assert!(clocks(&alone).expect_err("nothing was played").starts_with("No move was made"));
    let drawn = Entry::Result { result: GameResult::Draw, reason: ResultReason::Agreement, score: None };
    tell(&mut alone, 1, MINUTE, drawn);
    tell(&mut alone, 1, 2 * MINUTE, written(&["d4", "d5", "c4", "e6"]));
    let page = clocks(&alone).expect("a game that was written down when it was over");
    assert!(page.contains("2 w  –  –"), "{page}");
}

#[test]
fn an_envelope_has_what_the_laws_want_on_it_and_never_the_move() {
    let at = address("open/3/2");
    assert!(print(&Paper::Envelope { at: at.clone() }, Staff::Arbiter).is_err(), "the game is not adjourned");
    let mut book = book();
    for order in [Command::DrawOffer { side: Side::White }, Command::Adjourn { clocks_ms: None }] {
        tell(&mut book, 2, 40 * MINUTE, Entry::Noted { order: Box::new(order) });
    }
    let page = |book: &Games| {
        book.paper(&Paper::Envelope { at: at.clone() }, &desk(&day(), Staff::Arbiter)).expect("it is there")
    };
    let unheard = page(&book);
    assert!(unheard.contains("1:29:00 after the last move"), "nobody heard the clock: {unheard}");
    assert!(unheard.contains("not known: write down what the clock shows"), "{unheard}");
    // Black has thought for 38 minutes since.
    let clocks_ms = Some(Clocks { white: 5_340_000, black: 3_120_000 });
    tell(&mut book, 2, 41 * MINUTE, Entry::Noted { order: Box::new(Command::Adjourn { clocks_ms }) });
    let page_then = page(&book);
    assert!(page_then.contains(">1:29:00<") && page_then.contains(">0:52:00<"), "{page_then}");
    let report = book.paper(&Paper::Report { event: "open".into(), round: 3 }, &desk(&day(), Staff::Arbiter));
    assert!(report.expect("a round").contains("adjourn: White has 1:29:00, Black 0:52:00"));
    tell(
        &mut book,
        2,
        42 * MINUTE,
        Entry::Noted { order: Box::new(Command::AdjustTimes { white_ms: 5_340_000, black_ms: 3_000_000 }) },
    );
    let page = page(&book);
    assert!(page.contains(">0:50:00<"), "the arbiter knows better: {page}");
    for said in [
        "Ünal, Öykü",
        "Sealed by",
        "(Black)",
        "White's",
        "1:29:00",
        "♚",
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b",
    ] {
        assert!(page.contains(said), "{said} is missing:\n{page}");
    }
    tell(&mut book, 2, 43 * MINUTE, Entry::Noted { order: Box::new(Command::Resume) });
    let gone = book.paper(&Paper::Envelope { at }, &desk(&day(), Staff::Arbiter)).expect_err("it goes on");
    assert!(gone.contains("is not adjourned"), "{gone}");
}

#[test]
fn what_is_not_there_is_said_in_a_sentence() {
    for paper in [
        Paper::Report { event: "open".into(), round: 9 },
        Paper::Sheet { at: address("open/3/9"), notation: None },
        Paper::Clocks { event: "nowhere".into(), round: 1 },
    ] {
        let sentence = print(&paper, Staff::Arbiter).expect_err("there is none");
        assert!(sentence.ends_with('.') || sentence.ends_with("paired."), "{sentence}");
    }
}

fn print(paper: &Paper, reader: Staff) -> Result<String, String> {
    book().paper(paper, &desk(&day(), reader))
}

fn desk(day: &Day, reader: Staff) -> Desk<'_> {
    Desk { reader, day, dress: Dress::Linked("/report/print.css") }
}

fn day() -> Day {
    Day { t: 45 * MINUTE, wall_ms: WALL_MS + 45 * MINUTE, zone: TimeZone::UTC }
}

/// Two tables of a round: a game that was drawn after an incident, and one that is on.
fn book() -> Games {
    let mut book = Games::default();
    let moreau = Player { name: "Moreau, Luc".into(), ..Player::default() };
    let view = RoundView {
        event: "open".into(),
        round: 3,
        title: "Spring <Open>".into(),
        notation: Some(Notation::German),
        byes: vec![protocol::feed::Bye { player: moreau, kind: protocol::feed::ByeKind::Half }],
        ..RoundView::default()
    };
    book.apply(&TableEvent { table: None, t: 0, event: Event::Entry(Entry::Round { round: Box::new(view) }) });
    let player = |name: &str| Player { name: name.into(), ..Player::default() };
    let of = |team: &str, player| Player { team: Some(team.into()), ..player };
    let okafor = Player { title: Some("WGM".into()), rating: Some(2341), ..player("Okafor, Ada") };
    pair(&mut book, 1, of("Riga Rooks", okafor), of("Oslo Owls", player("Lindqvist, Jonas")));
    pair(&mut book, 2, player("Ünal, Öykü"), player("Hall, Wei"));
    for (ply, san, left_s) in [(1, "Nf3", 5390), (2, "Nc6", 5380), (3, "e4", 5380), (4, "e5", 5370)] {
        play(&mut book, 1, u64::try_from(ply).expect("small") * 10_000, ply, san, left_s);
        if ply == 2 {
            tell(&mut book, 1, 25_000, Entry::Noted { order: Box::new(Command::DrawOffer { side: Side::Black }) });
        }
    }
    play(&mut book, 2, MINUTE, 1, "e4", 5340);
    let alert = Alert {
        side: Some(Side::Black),
        article: Some("7.5.1".into()),
        count: Some(1),
        ..Alert::new(AlertKind::IllegalMoveCompleted)
    };
    tell(&mut book, 1, 2 * MINUTE, Entry::Alert(Box::new(alert)));
    tell(&mut book, 1, 2 * MINUTE, Entry::Alert(Box::new(Alert::new(AlertKind::ThreefoldAvailable))));
    let penalty = protocol::feed::Penalty::OpponentTime;
    let order = Command::Penalty { side: Side::Black, penalty, seconds: Some(120), note: String::new() };
    tell(&mut book, 1, 3 * MINUTE, Entry::Noted { order: Box::new(order) });
    let drawn = Entry::Result { result: GameResult::Draw, reason: ResultReason::Agreement, score: None };
    tell(&mut book, 1, 4 * MINUTE, drawn);
    book
}

fn pair(book: &mut Games, table: u16, white: Player, black: Player) {
    let time_control = Some(TimeControl { base_s: 5400, increment_s: 0 });
    tell(book, table, 0, Entry::Paired { white, black, time_control });
    tell(book, table, 0, Entry::Started { game: 1, fen: FEN.into(), variant: Variant::Standard });
}

fn play(book: &mut Games, table: u16, t: u64, ply: usize, san: &str, left_s: u64) {
    let (uci, fen) = (String::new(), String::new());
    let clock_ms = Some(left_s * 1000);
    tell(book, table, t, Entry::Final { ply, san: san.into(), uci, fen, clock_ms, inferred: false, illegal: false });
}

fn tell(book: &mut Games, table: u16, t: u64, entry: Entry) {
    let table = Some(TableId { event: "open".into(), round: 3, table });
    book.apply(&TableEvent { table, t, event: entry.into() });
}

fn address(text: &str) -> Address {
    text.parse().expect("an address")
}
