//! The journal's promise, tried with hands that do anything: whatever a live hall has come to, folding what it wrote
//! down comes to the same, wherever the writing is cut off.

use std::collections::BTreeMap;

use hall::{Answer, Ask, Doubt, Hall, Input, Scope, Settings, StoredRecord};
use laws::dead::{Budget, Verdict};
use proptest::prelude::*;
use protocol::{
    board::{ClockReading, ClockSense, Content, Contents, Face, FaceReading, Lie, Link, Observation, WireSquare},
    feed::{
        Audience, Blind, Command, Entry, Event, GameResult, Order, Pairing, Player, Rules, Side, TableEvent, TableId,
        Variant,
    },
};
use shakmaty::{Chess, Position, Square, uci::UciMove};

use super::{
    fold,
    past::{Folded, event},
    timeline::timeline,
    told::Told,
    turn::{Closed, Turn},
};
use crate::{
    journal::{Batch, Chapter, Committed, Past, Row, Said},
    record::Book,
};

/// What may happen next in a hall. Times are milliseconds since the last.
#[derive(Clone, Debug)]
enum Deed {
    /// The next move of a game everybody knows is made on a board.
    Move {
        board: usize,
    },
    /// A man is lifted somewhere, or one is put down.
    Fumble {
        board: usize,
        square: u32,
        man: Option<char>,
    },
    Press {
        board: usize,
    },
    Dump {
        board: usize,
    },
    Cable {
        board: usize,
        link: Link,
    },
    /// The daemon was away.
    Restart,
    Undo {
        board: usize,
        plies: usize,
    },
    Result {
        board: usize,
        result: GameResult,
    },
    Turn {
        board: usize,
    },
    /// Somebody says whether the clock tells.
    Trust {
        board: usize,
        tells: bool,
    },
    /// Both players are blind from here on: two boards that are carried to one table share its game.
    Blind {
        board: usize,
    },
    NewGame {
        board: usize,
    },
    Carry {
        board: usize,
        table: u16,
    },
    /// A game that is dead, which the table can't tell by itself.
    Wall {
        board: usize,
    },
    /// A move of that game, if it is legal now.
    Shuffle {
        board: usize,
        san: &'static str,
    },
    Resign {
        board: usize,
    },
    Decide {
        board: usize,
        accept: bool,
    },
    /// A search aside comes to an end.
    Answer {
        gives_up: bool,
    },
    /// Other players sit down.
    Pair {
        board: usize,
        who: u8,
    },
    NextRound,
    /// What the hall is told of a whole round, or of all rounds of the event.
    Begin {
        number: u16,
    },
    /// The same of one table.
    BeginAt {
        board: usize,
        number: u16,
    },
    Describe {
        number: u16,
    },
    Wait,
}

/// Nearly five thousand positions: too many for the table, and a matter of milliseconds aside.
const WALL: &str = "3k1b2/2p1pBp1/KpP1P1P1/1P3B2/8/8/8/8 w - - 0 1";

const SHUFFLES: [&str; 8] = ["Bg4", "Bh3", "Bf5", "Bg8", "Bf7", "Kc8", "Kd8", "Kb8"];

const LINE: [&str; 8] = ["e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "f8c5", "e1g1", "g8f6"];

fn deed() -> impl Strategy<Value = (u64, Deed)> {
    let board = 0..3_usize;
    let link = prop_oneof![Just(Link::Up), Just(Link::Down)];
    let man = prop_oneof![Just(None), prop::sample::select(vec!['P', 'n', 'K', 'q']).prop_map(Some)];
    let result = prop::sample::select(vec![GameResult::Open, GameResult::Draw, GameResult::WhiteWins]);
    let what = prop_oneof![
        12 => board.clone().prop_map(|board| Deed::Move { board }),
        3 => (board.clone(), 0..64_u32, man).prop_map(|(board, square, man)| Deed::Fumble { board, square, man }),
        6 => board.clone().prop_map(|board| Deed::Press { board }),
        3 => board.clone().prop_map(|board| Deed::Dump { board }),
        2 => (board.clone(), link).prop_map(|(board, link)| Deed::Cable { board, link }),
        2 => Just(Deed::Restart),
        1 => (board.clone(), 1..4_usize).prop_map(|(board, plies)| Deed::Undo { board, plies }),
        1 => (board.clone(), result).prop_map(|(board, result)| Deed::Result { board, result }),
        1 => board.clone().prop_map(|board| Deed::Turn { board }),
        1 => (board.clone(), any::<bool>()).prop_map(|(board, tells)| Deed::Trust { board, tells }),
        2 => board.clone().prop_map(|board| Deed::Blind { board }),
        1 => board.clone().prop_map(|board| Deed::NewGame { board }),
        1 => (board.clone(), 1..4_u16).prop_map(|(board, table)| Deed::Carry { board, table }),
        2 => board.clone().prop_map(|board| Deed::Wall { board }),
        6 => (board.clone(), prop::sample::select(SHUFFLES.to_vec()))
            .prop_map(|(board, san)| Deed::Shuffle { board, san }),
        1 => board.clone().prop_map(|board| Deed::Resign { board }),
        2 => (board, any::<bool>()).prop_map(|(board, accept)| Deed::Decide { board, accept }),
        4 => prop::bool::weighted(0.2).prop_map(|gives_up| Deed::Answer { gives_up }),
        2 => (0..3_usize, 0..3_u8).prop_map(|(board, who)| Deed::Pair { board, who }),
        1 => Just(Deed::NextRound),
        1 => array().prop_map(|number| Deed::Begin { number }),
        1 => (0..3_usize, array()).prop_map(|(board, number)| Deed::BeginAt { board, number }),
        1 => array().prop_map(|number| Deed::Describe { number }),
        3 => Just(Deed::Wait),
    ];
    (prop_oneof![0..400_u64, 400..4_000_u64], what)
}

/// The usual array, and another.
fn array() -> impl Strategy<Value = u16> {
    prop_oneof![Just(518), Just(345)]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn what_is_folded_is_what_was_live(deeds in prop::collection::vec(deed(), 1..50), cut in any::<prop::sample::Index>()) {
        let mut live = Live::open();
        let mut states = vec![live.state()];
        for (pause, deed) in deeds {
            live.live_through(pause, &deed);
            states.push(live.state());
        }
        let (past, now, state) = &states[cut.index(states.len())];
        let mut folded = fold(past);
        // What passes in silence is not written down: a press that found no move in time.
        let mut out = Vec::new();
        folded.hall.elapse(*now, &mut out);
        prop_assert_eq!(out, vec![]);
        prop_assert_eq!(folded.unread, 0);
        prop_assert!(folded.differing.is_empty(), "{:?}", folded.differing);
        prop_assert_eq!(&state_of(&folded.hall, &folded.book), state);
        prop_assert_eq!(unshown(&folded), vec![]);
    }

    // Why what spectators are shown can follow from the entries that are old enough, and needs no hall of its own.
    #[test]
    fn what_is_folded_up_to_a_moment_is_what_was_told_up_to_then(
        deeds in prop::collection::vec(deed(), 1..50),
        cut in 0.0..1.0_f64,
    ) {
        let mut live = Live::open();
        deeds.iter().for_each(|(pause, deed)| live.live_through(*pause, deed));
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a moment of an evening")]
        let moment = (live.now as f64 * cut) as u64;
        let entries = live.past.chapters.values().flat_map(Chapter::entries).map(|(_, told)| told);
        prop_assert_eq!(told_up_to(&live.past, moment), by_table(entries.filter(|told| told.t <= moment)));
    }
}

/// What a hall says that hears only what was said by then.
fn told_up_to(past: &Past, moment: u64) -> BTreeMap<TableId, Vec<TableEvent>> {
    let (mut hall, mut out) = (Hall::new(), Vec::new());
    let mut rows = rows(past);
    // The hall's are the first of equals.
    rows.sort_by_key(|row| row.t);
    for Row { t, said } in rows.into_iter().filter(|row| row.t <= moment) {
        let input = match said {
            Said::Input(input) => input,
            Said::Text(text) => serde_json::from_str(&text).expect("an order"),
        };
        hall.handle(&input, t, &mut out).expect("it was carried out then");
    }
    hall.elapse(moment, &mut out);
    let told = out.into_iter().filter_map(event);
    by_table(told.filter(|told| matches!(told.event, Event::Entry(_))))
}

fn by_table(told: impl Iterator<Item = TableEvent>) -> BTreeMap<TableId, Vec<TableEvent>> {
    let mut tables = BTreeMap::<_, Vec<_>>::new();
    told.filter_map(|told| Some((told.table.clone()?, told)))
        .for_each(|(table, told)| tables.entry(table).or_default().push(told));
    // Of a table the hall's file tells something too.
    tables.values_mut().for_each(|told| told.sort_by_key(|told| told.t));
    tables
}

#[test]
fn what_was_searched_aside_is_read_again_with_its_answers() {
    let mut live = Live::open();
    let shuffle = |san| Deed::Shuffle { board: 0, san };
    for (pause, deed) in [(100, Deed::Wall { board: 0 }), (500, shuffle("Bg4")), (500, shuffle("Kc8"))] {
        live.live_through(pause, &deed);
    }
    let asked = live.doubts.values().flatten().map(|doubt| doubt.question.ply.count()).collect::<Vec<_>>();
    assert_eq!(asked, [1, 1], "whether Black can mate and whether White can");
    for _ in 0..2 {
        live.live_through(500, &Deed::Answer { gives_up: false });
    }
    assert!(!live.book.all_pgn().contains("1/2-1/2"), "a move was played after the end: the arbiter decides");
    live.live_through(500, &Deed::Decide { board: 0, accept: true });
    let pgn = live.book.all_pgn();
    assert!(pgn.contains("1. Bg4 {The game was over here. Played all the same, and void: Kc8} 1/2-1/2"), "{pgn}");

    let (past, now, state) = live.state();
    let mut folded = fold(&past);
    folded.hall.elapse(now, &mut Vec::new());
    assert!(folded.differing.is_empty(), "{:?}", folded.differing);
    assert_eq!(state_of(&folded.hall, &folded.book), state);

    // A journal somebody has written into is believed no more than anybody else.
    let is_answer = |row: &Row| matches!(row.said, Said::Input(Input::Searched { .. }));
    assert_eq!(rows(&past).iter().filter(|row| is_answer(row)).count(), 2);
    let forged = rewritten(&past, |row| {
        let Said::Input(input) = &mut row.said else { return };
        let body = serde_json::to_string(input).expect("plain data");
        let body = body.replace(r#"{"cannot_mate":"enumerated"}"#, r#"{"cannot_mate":"material"}"#);
        *input = serde_json::from_str(&body).expect("still an input");
    });
    assert_ne!(rows(&forged), rows(&past));
    let mut folded = fold(&forged);
    folded.hall.elapse(now, &mut Vec::new());
    assert_ne!(state_of(&folded.hall, &folded.book).0, state.0);
    assert_eq!(folded.differing.len(), 1, "the record stands as it was published");
}

#[test]
fn a_round_is_read_again_by_the_thresholds_it_was_played_with() {
    let mut live = Live::open();
    let round = Scope::Round { event: "open".to_owned(), round: 1 };
    let first = live.past.chapters[&round].inputs().next_row().expect("it has begun");
    let Said::Input(Input::Settings { settings, .. }) = first.said else { panic!("not first: {first:?}") };
    assert_eq!(*settings, Settings::default());

    for (pause, deed) in
        [(100, Deed::Press { board: 0 }), (500, Deed::Move { board: 0 }), (500, Deed::Press { board: 0 })]
    {
        live.live_through(pause, &deed);
    }
    // What another build would have written, whose defaults are others: a man has to stand long before a press counts.
    let slow = Settings { press_before_ms: 60_000, ..Settings::default() };
    let slow = rewritten(&live.past, |row| {
        if let Said::Input(Input::Settings { settings, .. }) = &mut row.said {
            (**settings).clone_from(&slow);
        }
    });
    let now = live.now + 10_000;
    let final_moves = |past: &Past| {
        let mut folded = fold(past);
        folded.hall.elapse(now, &mut Vec::new());
        let table = TableId { event: "open".to_owned(), round: 1, table: 1 };
        folded.hall.table(&table).and_then(hall::table::Table::record).map_or(0, |record| record.moves.len())
    };
    assert_eq!(final_moves(&slow), 0, "what the journal says counts");
    assert_eq!(final_moves(&live.past), 1);
}

#[test]
fn a_table_is_read_again_by_what_the_hall_was_told_by_then() {
    let moves = [Deed::Move { board: 0 }, Deed::Press { board: 0 }, Deed::Move { board: 0 }];
    let again = [Deed::Begin { number: 345 }, Deed::NewGame { board: 0 }];
    let described = [Deed::Describe { number: 345 }];
    for (before, after) in [(&[][..], &again[..]), (&moves, &described)] {
        let mut live = Live::open();
        before.iter().chain(after).for_each(|deed| live.live_through(500, deed));
        live.is_read_again();
    }
}

#[test]
fn what_was_begun_by_hand_is_read_again_when_its_round_is_closed_and_what_was_removed_is_not() {
    let mut live = Live::open();
    live.order_hall(pairings(&[8, 9]));
    let at = |table: u16| TableId { event: "open".to_owned(), round: 1, table };
    for table in [8, 9] {
        live.order_at_table(at(table), Command::NewGame { fen: None, variant: Variant::Standard });
    }
    live.order_at_table(at(8), Command::Remove { event: None, round: None });
    live.order_at_table(at(9), Command::Insert { ply: None, moves: vec!["e4".to_owned()], cut: false });
    live.order_hall(Command::CloseRound { event: "open".to_owned(), round: 1 });
    assert!(live.hall.table(&at(8)).is_none() && live.hall.table(&at(9)).is_some_and(|table| table.plies() == 1));
    live.is_read_again();
}

#[test]
fn every_table_of_a_round_that_was_paired_is_shown_with_its_moves_after_a_start() {
    let mut live = Live::open();
    live.order_hall(pairings(&[1, 2, 3]));
    for board in 0..3 {
        live.live_through(100, &Deed::Press { board });
        live.live_through(500, &Deed::Move { board });
        live.live_through(500, &Deed::Press { board });
    }
    assert!(live.hall.tables().all(|(_, table)| table.plies() > 0));
    assert_eq!(unshown(&fold(&live.past)), []);
}

/// Somebody plays somebody at each of these tables.
fn pairings(tables: &[u16]) -> Command {
    let player = |name: &str| Player { name: name.to_owned(), ..Player::default() };
    let pairing = |table: &u16| Pairing { table: *table, white: player("Okafor, Ada"), black: player("Hall, Wei") };
    Command::Pairings {
        event: "open".to_owned(),
        round: 1,
        title: None,
        site: None,
        pairings: tables.iter().map(pairing).collect(),
        byes: Vec::new(),
        file: None,
    }
}

/// The tables that screens are shown with fewer moves than are final there, after a start.
fn unshown(folded: &Folded) -> Vec<TableId> {
    let views = folded.views.of(Audience::Hall);
    let shown = |id: &TableId| views.find(id).map_or(0, |view| view.line.len());
    let tables = folded.hall.tables().filter(|(id, table)| shown(id) < table.plies());
    tables.map(|(id, _)| id.clone()).collect()
}

#[test]
fn what_happened_at_a_table_ends_with_what_the_hall_was_told_last() {
    let mut live = Live::open();
    live.order_hall(pairings(&[1]));
    let table = TableId { event: "open".to_owned(), round: 1, table: 1 };
    let round = Scope::of(&table);
    let told = Told::read(&live.past.chapters[&Scope::Hall], std::iter::once(&round));
    let moments = timeline(&live.past.chapters[&round], &told, &table).moments;
    let last = moments.last().expect("much has happened");
    assert!(matches!(last.told[..], [Event::Entry(Entry::Paired { .. })]), "{last:?}");
}

/// All inputs of a journal.
fn rows(past: &Past) -> Vec<Row> {
    let of = |chapter: &Chapter| {
        let mut inputs = chapter.inputs();
        std::iter::from_fn(|| inputs.next_row()).collect::<Vec<_>>()
    };
    past.chapters.values().flat_map(of).collect()
}

/// The same journal with other inputs, and every entry where it was.
fn rewritten(past: &Past, change: impl Fn(&mut Row)) -> Past {
    let mut other = Past::default();
    for (scope, chapter) in &past.chapters {
        let mut copy = Chapter::begin(scope.clone(), "copy");
        let (mut inputs, mut entries) = (chapter.inputs(), chapter.entries().into_iter().peekable());
        for number in 1.. {
            let Some(mut row) = inputs.next_row() else { break };
            change(&mut row);
            let here = std::iter::from_fn(|| entries.next_if(|(after, _)| *after == number));
            let entries = here.map(|(_, told)| told).collect();
            copy.add(&[&Batch { scope: scope.clone(), inputs: vec![row], entries }], "test", 0);
        }
        other.chapters.insert(scope.clone(), copy);
    }
    other
}

/// What a hall has come to: each table's record and how its board stands, where boards sit, and the games.
type State = (BTreeMap<TableId, (Option<StoredRecord>, String, bool, Option<u64>)>, Vec<Option<TableId>>, String);

fn state_of(hall: &Hall, book: &Book) -> State {
    let stands = |table: &hall::table::Table| (table.record(), table.physical(), table.is_linked(), table.deadline());
    let tables = hall.tables().map(|(id, table)| (id.clone(), stands(table))).collect();
    let seats = (0..3).map(|board| hall.table_of(&serial(board)).cloned()).collect();
    // With what clocks show of games that are on.
    (tables, seats, book.all_pgn())
}

fn serial(board: usize) -> String {
    format!("{board}")
}

/// A hall with three boards, and everything it wrote down.
struct Live {
    hall: Hall,
    book: Book,
    past: Past,
    now: u64,
    rounds: u16,
    boards: [Standing; 3],
    /// What tables ask.
    doubts: BTreeMap<TableId, Vec<Doubt>>,
}

/// What really stands on a board.
struct Standing {
    squares: Contents,
    game: Chess,
    played: usize,
    lever: Face,
}

impl Standing {
    fn new() -> Standing {
        let game = Chess::default();
        Standing { squares: Contents::of(game.board(), Lie::Straight), game, played: 0, lever: Face::Left }
    }
}

impl Live {
    fn open() -> Live {
        let boards = [Standing::new(), Standing::new(), Standing::new()];
        let past = Past::default();
        let mut live =
            Live { hall: Hall::new(), book: Book::default(), past, now: 0, rounds: 0, boards, doubts: BTreeMap::new() };
        live.live_through(0, &Deed::NextRound);
        for board in 0..3 {
            live.live_through(100, &Deed::Cable { board, link: Link::Up });
            live.live_through(10, &Deed::Dump { board });
            live.live_through(10, &Deed::Press { board });
        }
        live
    }

    fn state(&self) -> (Past, u64, State) {
        (self.past.clone(), self.now, state_of(&self.hall, &self.book))
    }

    fn live_through(&mut self, pause: u64, deed: &Deed) {
        self.pass(pause);
        self.act(deed);
        self.elapse();
    }

    fn act(&mut self, deed: &Deed) {
        match deed {
            Deed::Move { board } => self.make(*board),
            Deed::Fumble { board, square, man } => {
                let square = WireSquare::under(Square::new(*square), Lie::Straight);
                let content = man.map_or(Content::Empty, |man| man.try_into().expect("a man"));
                self.put(*board, square, content);
            }
            Deed::Press { board } => {
                self.boards[*board].lever = self.boards[*board].lever.other();
                self.tell_clock(*board);
            }
            Deed::Dump { board } => {
                let squares = Box::new(self.boards[*board].squares);
                self.observe(*board, Observation::Board(squares));
            }
            Deed::Cable { board, link } => self.observe(*board, Observation::Link(*link)),
            Deed::Restart => self.restart(),
            Deed::Undo { board, plies } => self.order_at(*board, Command::Undo { plies: *plies }),
            Deed::Result { board, result } => self.order_at(*board, Command::Result { result: (*result).into() }),
            Deed::Turn { board } => self.order_at(*board, Command::TurnBoard),
            Deed::Trust { board, tells } => self.order_at(*board, Command::ClockTells { tells: *tells }),
            Deed::Blind { board } => {
                self.order_at(*board, Command::Blind { players: Blind::Both, white_board: None });
            }
            Deed::NewGame { board } => {
                self.boards[*board] = Standing::new();
                self.order_at(*board, Command::NewGame { fen: None, variant: Variant::Standard });
            }
            Deed::Carry { board, table } => {
                let table = TableId { event: "open".to_owned(), round: self.rounds, table: *table };
                let order = Order::to_table(table, Command::Assign { board: serial(*board) });
                self.take(Input::Ordered(order));
            }
            Deed::Wall { board } => {
                self.order_at(*board, Command::NewGame { fen: Some(WALL.to_owned()), variant: Variant::Standard });
            }
            Deed::Shuffle { board, san } => {
                self.order_at(*board, Command::Insert { ply: None, moves: vec![(*san).to_owned()], cut: false });
            }
            Deed::Resign { board } => self.order_at(*board, Command::Resign { side: Side::White }),
            Deed::Decide { board, accept } => {
                self.order_at(*board, if *accept { Command::Confirm } else { Command::Reject });
            }
            Deed::Answer { gives_up } => self.answer(*gives_up),
            Deed::Pair { board, who } => {
                self.pass(1);
                let named = |side: &str| Player { name: format!("{side} {who}"), ..Player::default() };
                self.order_at(
                    *board,
                    Command::Pair { white: Box::new(named("white")), black: Box::new(named("black")) },
                );
                self.pass(1);
            }
            Deed::Begin { number } => {
                let (event, round) = (Some("open".to_owned()), Some(self.rounds));
                self.order_hall(Command::StartPosition { event, round, number: Some(*number) });
            }
            Deed::BeginAt { board, number } => {
                self.pass(1);
                self.order_at(*board, Command::StartPosition { event: None, round: None, number: Some(*number) });
                self.pass(1);
            }
            Deed::Describe { number } => {
                let rules = Some(Box::new(Rules { chess960: Some(*number), ..Rules::default() }));
                let event = "open".to_owned();
                let (title, site, days, time_control, notation) = (None, None, None, None, None);
                self.order_hall(Command::Event { event, title, site, days, time_control, rules, notation });
            }
            Deed::NextRound => {
                self.rounds += 1;
                let event = "open".to_owned();
                let (title, site, date) = (String::new(), String::new(), String::new());
                let command = Command::OpenRound {
                    event,
                    round: self.rounds,
                    title,
                    site,
                    date,
                    time_control: None,
                    rules: Box::default(),
                };
                self.take(Input::Ordered(Order::to_hall(command)));
            }
            Deed::Wait => {}
        }
    }

    /// Folding what was written down comes to this.
    fn is_read_again(&self) {
        let (past, now, state) = self.state();
        let mut folded = fold(&past);
        folded.hall.elapse(now, &mut Vec::new());
        assert!(folded.differing.is_empty(), "{:?}", folded.differing);
        assert_eq!(state_of(&folded.hall, &folded.book), state);
    }

    fn order_at_table(&mut self, table: TableId, command: Command) {
        self.pass(1);
        self.take(Input::Ordered(Order::to_table(table, command)));
        self.pass(1);
    }

    /// Two orders within one millisecond are nobody's.
    fn order_hall(&mut self, command: Command) {
        self.pass(1);
        self.take(Input::Ordered(Order::to_hall(command)));
        self.pass(1);
    }

    /// Time passes as the loop lets it: it comes back at each deadline, a little late.
    fn pass(&mut self, pause: u64) {
        let until = self.now + pause;
        while let Some(at) = self.hall.deadline().filter(|at| *at + 1 < until) {
            self.now = self.now.max(at + 1);
            self.elapse();
        }
        self.now = until;
    }

    fn elapse(&mut self) {
        let mut turn = Turn::default();
        turn.elapse(&mut self.hall, self.now);
        self.close(turn);
    }

    fn make(&mut self, board: usize) {
        let standing = &mut self.boards[board];
        let Some(text) = LINE.get(standing.played) else { return };
        let played =
            text.parse::<UciMove>().ok().and_then(|uci| uci.to_move(&standing.game).ok()).expect("a known line");
        standing.played += 1;
        standing.game.play_unchecked(played);
        let after = Contents::of(standing.game.board(), Lie::Straight);
        for square in WireSquare::all().filter(|square| after.get(*square) == Content::Empty) {
            self.put(board, square, Content::Empty);
        }
        self.pass(300);
        for square in WireSquare::all() {
            self.put(board, square, after.get(square));
        }
    }

    fn put(&mut self, board: usize, square: WireSquare, content: Content) {
        if self.boards[board].squares.get(square) != content {
            self.boards[board].squares.set(square, content);
            self.observe(board, Observation::Square { square, content });
        }
    }

    fn tell_clock(&mut self, board: usize) {
        let face = FaceReading { seconds: 300, flag: false };
        let high = self.boards[board].lever;
        let reading =
            ClockReading { left: face, right: face, running: true, high, to_move: Some(high), battery_low: false };
        self.observe(board, Observation::Clock(ClockSense::Reading(reading)));
    }

    fn observe(&mut self, board: usize, observation: Observation) {
        if let Some(order) = self.hall.seat(&serial(board)) {
            self.take(Input::Ordered(order));
        }
        let table = self.hall.table_of(&serial(board)).cloned().expect("every board has a seat");
        self.take(Input::Observed { table, board: serial(board), observation });
    }

    fn order_at(&mut self, board: usize, command: Command) {
        let table = self.hall.table_of(&serial(board)).cloned();
        self.take(Input::Ordered(Order { at: table.map(TableId::into), command }));
    }

    fn answer(&mut self, gives_up: bool) {
        let open = self.doubts.iter_mut().find(|(_, doubts)| !doubts.is_empty());
        let Some((table, doubts)) = open else { return };
        let (table, doubt) = (table.clone(), doubts.remove(0));
        let answer = if gives_up {
            Answer::new(&doubt, Verdict::Unknown { spent: 0 })
        } else {
            doubt.search(Budget::BACKGROUND)
        };
        self.take(Input::Searched { table, answer });
    }

    fn restart(&mut self) {
        let folded = fold(&self.past);
        let interrupted = folded.interrupted();
        // The daemon that comes back knows what is written down. What had passed in silence since then passes again.
        self.hall = folded.hall;
        let mut turn = Turn::default();
        for table in interrupted {
            let resumed = Input::Resumed { table, gap_ms: 0, record: None };
            turn.take(&mut self.hall, resumed, self.now).expect("only orders are refused");
        }
        self.close(turn);
    }

    fn take(&mut self, input: Input) {
        let mut turn = Turn::default();
        // A refused order leaves no trace, which is what is to be shown.
        let _ = turn.take(&mut self.hall, input, self.now);
        self.close(turn);
    }

    /// Writes down what a turn brought, as the journal does.
    fn close(&mut self, mut turn: Turn) {
        for ask in turn.take_asks() {
            if let Ask::Proof { table, doubts } = ask {
                self.doubts.insert(table, doubts);
            }
        }
        let Closed { seen, batches, entries } = turn.close();
        seen.iter().for_each(|seen| self.book.see(&seen.table, &seen.sight));
        self.book.apply(&Committed::for_a_test(entries));
        for batch in batches {
            let chapter = self.past.chapters.entry(batch.scope.clone());
            chapter.or_insert_with(|| Chapter::begin(batch.scope.clone(), "test")).add(&[&batch], "test", 0);
        }
    }
}
