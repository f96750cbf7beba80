//! Which board stands on which table.

use hall::{
    Hall, Input, Settings,
    table::{Said, Say, Table},
};
use protocol::{
    board::{Content, Contents, Lie, Link, Observation, WireSquare},
    feed::{Alert, AlertKind, Blind, Command, Entry, Order, Rules, Side, TableId},
};
use shakmaty::{Board, Square};

#[test]
fn a_table_takes_two_boards_and_no_third() {
    let mut hall = Hall::new();
    let mut assign = |board: &str, number| {
        let table = Some(TableId { event: "open".to_owned(), round: 1, table: number });
        let order = Order { at: table.map(TableId::into), command: Command::Assign { board: board.to_owned() } };
        hall.handle(&Input::Ordered(order), 0, &mut Vec::new())
    };
    assert_eq!((assign("1", 1), assign("2", 1)), (Ok(()), Ok(())));
    assert_eq!(assign("2", 1), Ok(()), "it stands there already");
    let refusal = assign("3", 1).expect_err("there are two").to_string();
    assert_eq!(refusal, "open/1/1 has its two boards, 1 and 2: give one of them another table first");
    assert_eq!((assign("1", 2), assign("3", 1)), (Ok(()), Ok(())));
}

#[test]
fn a_table_is_heard_as_long_as_one_of_its_boards_is() {
    let mut table = Table::new(Settings::default());
    let mut said = Vec::new();
    for (board, link, heard) in [
        ("1", Link::Up, true),
        ("2", Link::Up, true),
        ("2", Link::Down, true),
        ("2", Link::Down, true),
        ("1", Link::Down, false),
    ] {
        table.observe(board, &Observation::Link(link), 0, &mut said);
        assert_eq!(table.is_linked(), heard, "board {board} {link:?}");
    }
}

/// The men on their squares, after 1. e4, and after 1... e5 too.
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
const E4: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR";
const E5: &str = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR";

#[test]
fn of_two_boards_at_a_table_only_one_is_followed() {
    let mut pair = Pair::at_start();
    // The second board stands there with its men in disorder, and somebody goes on tidying up.
    pair.tell("2", Observation::Link(Link::Up));
    pair.dump("2", E5, Lie::Straight);
    pair.lift("2", Square::G1);
    assert_eq!(pair.said.len(), pair.heard, "nobody is told of it: {:?}", pair.said);
    pair.dump("1", E4, Lie::Straight);
    pair.pass(5_000);
    assert_eq!(pair.record(), ["e4"]);
    pair.tell("2", Observation::Link(Link::Down));
    pair.lift("1", Square::E7);
    assert_eq!(pair.record(), ["e4"]);
    assert!(pair.said.iter().all(|(_, say)| !matches!(say, Say::AskDump(_))), "the board that left was not needed");
}

#[test]
fn the_second_board_takes_over_after_a_dump_when_the_first_falls_silent() {
    for lie in [Lie::Straight, Lie::Turned] {
        let mut pair = Pair::at_start();
        pair.tell("2", Observation::Link(Link::Up));
        pair.dump("2", E4, lie);
        pair.dump("1", E4, Lie::Straight);
        pair.pass(5_000);
        assert_eq!(pair.record(), ["e4"]);

        pair.tell("1", Observation::Link(Link::Down));
        assert!(pair.said.iter().any(|(_, say)| *say == Say::AskDump("2".to_owned())), "it is asked how it stands");
        assert!(pair.table.is_linked());
        pair.pass(60_000);
        assert_eq!(pair.record(), ["e4"], "nothing is concluded before it has said so");
        pair.dump("2", E4, lie);
        // The first board comes back and is not needed.
        pair.tell("1", Observation::Link(Link::Up));
        pair.dump("1", START, Lie::Straight);
        pair.pass(1_000);
        pair.dump("2", E5, lie);
        pair.pass(5_000);
        assert_eq!(pair.record(), ["e4", "e5"], "{lie:?}");
    }
}

#[test]
fn a_spare_board_that_was_left_behind_plays_nothing_and_leaves_the_game_to_the_first() {
    for left_behind in [START, E5] {
        let mut pair = Pair::at_start();
        pair.tell("2", Observation::Link(Link::Up));
        pair.dump("2", START, Lie::Straight);
        for placement in [E4, E5, NF3, NF6] {
            pair.dump("1", placement, Lie::Straight);
            pair.pass(5_000);
        }
        // Its men stand as they stood moves ago: as after 3. Ng1 Ng8, as after a takeback, as for another game.
        pair.tell("1", Observation::Link(Link::Down));
        pair.dump("2", left_behind, Lie::Straight);
        pair.pass(60_000);
        assert_eq!((pair.record(), pair.table.games()), (vec!["e4", "e5", "Nf3", "Nf6"], 1), "{left_behind}");
        pair.tell("1", Observation::Link(Link::Up));
        pair.dump("1", NF6, Lie::Straight);
        pair.dump("1", NC3, Lie::Straight);
        pair.pass(5_000);
        assert_eq!(pair.record(), ["e4", "e5", "Nf3", "Nf6", "Nc3"], "{left_behind}");
    }
}

/// 1. e3 and 1. e4 e5 2. Nf3.
const E3: &str = "rnbqkbnr/pppppppp/8/8/8/4P3/PPPP1PPP/RNBQKBNR";
const NF6: &str = "rnbqkb1r/pppp1ppp/5n2/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R";
const NC3: &str = "rnbqkb1r/pppp1ppp/5n2/4p3/4P3/2N2N2/PPPP1PPP/R1BQKB1R";
const NF3: &str = "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R";

#[test]
fn boards_of_which_one_repeats_another_move_differ() {
    for lie in [Lie::Straight, Lie::Turned] {
        let mut pair = Pair::blind(2023);
        pair.dump("2", START, lie);
        pair.dump("1", E4, Lie::Straight);
        pair.pass(2_000);
        pair.dump("2", E3, lie);
        pair.pass(2_900);
        assert_eq!(pair.differing(), [], "it may still be put right");
        pair.pass(200);
        assert_eq!(pair.differing(), [(Some(0), vec!["e3".to_owned(), "e4".to_owned()], Some("D.2.9".to_owned()))]);
        pair.pass(60_000);
        assert_eq!(pair.differing().len(), 1);

        // Put right, and wrong again.
        pair.dump("2", E4, lie);
        pair.pass(5_000);
        pair.dump("1", E5, Lie::Straight);
        pair.pass(5_000);
        pair.dump("2", E5, lie);
        pair.pass(5_000);
        assert_eq!(pair.differing().len(), 1);
        pair.dump("2", E3, lie);
        pair.pass(5_000);
        let last = pair.differing().pop().expect("they differ");
        assert_eq!((pair.differing().len(), last.0), (2, Some(2)), "a man that slipped: both wrote the same moves");
    }
}

#[test]
fn a_board_that_is_two_moves_behind_differs_and_one_that_is_one_behind_or_ahead_does_not() {
    let mut pair = Pair::blind(2023);
    pair.dump("2", START, Lie::Straight);
    pair.dump("1", E4, Lie::Straight);
    pair.pass(60_000);
    assert_eq!(pair.differing(), [], "Black has not repeated it yet");
    pair.dump("2", E4, Lie::Straight);
    pair.pass(5_000);
    pair.dump("2", E5, Lie::Straight);
    pair.pass(60_000);
    assert_eq!(pair.differing(), [], "White has not repeated it yet");
    pair.dump("1", E5, Lie::Straight);
    pair.pass(5_000);
    pair.dump("2", E4, Lie::Straight);
    pair.pass(5_000);
    assert_eq!(pair.differing(), []);
    pair.dump("1", NF3, Lie::Straight);
    pair.pass(5_000);
    assert_eq!(pair.record(), ["e4", "e5", "Nf3"]);
    let plies = pair.differing().into_iter().map(|(plies, ..)| plies).collect::<Vec<_>>();
    assert_eq!(plies, [Some(3)], "no other move was made there");
}

#[test]
fn a_hand_between_two_squares_makes_no_difference() {
    let mut pair = Pair::blind(2023);
    pair.dump("2", START, Lie::Straight);
    pair.dump("1", E4, Lie::Straight);
    pair.pass(5_000);
    pair.lift("2", Square::G1);
    pair.pass(2_000);
    pair.dump("2", E4, Lie::Straight);
    pair.pass(60_000);
    assert_eq!(pair.differing(), []);
}

#[test]
fn the_last_position_in_common_is_the_last_one_both_boards_have_shown() {
    const NC6: &str = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R";
    const NC3: &str = "rnbqkbnr/pppp1ppp/8/4p3/4P3/2N5/PPPP1PPP/R1BQKBNR";
    let mut pair = Pair::blind(2023);
    for placement in [E4, E5, NF3] {
        pair.dump("1", placement, Lie::Straight);
        pair.pass(3_000);
    }
    pair.dump("2", E5, Lie::Straight);
    pair.pass(2_000);
    pair.dump("2", NC3, Lie::Straight);
    pair.dump("1", NC6, Lie::Straight);
    pair.pass(10_000);
    let plies = pair.differing().into_iter().map(|(plies, ..)| plies).collect::<Vec<_>>();
    assert_eq!(plies, [Some(2)]);
}

#[test]
fn a_board_that_is_gone_is_not_compared() {
    let mut pair = Pair::blind(2023);
    pair.dump("2", E3, Lie::Straight);
    pair.dump("1", E4, Lie::Straight);
    pair.pass(2_000);
    pair.tell("2", Observation::Link(Link::Down));
    pair.pass(60_000);
    assert_eq!(pair.differing(), []);
}

#[test]
fn boards_are_compared_in_blind_play_only_and_where_the_laws_speak_of_two() {
    let differs = |mut pair: Pair| {
        pair.dump("2", START, Lie::Straight);
        pair.dump("1", E4, Lie::Straight);
        pair.pass(2_000);
        pair.dump("2", E3, Lie::Straight);
        pair.pass(10_000);
        !pair.differing().is_empty()
    };
    let sighted = Pair::at_start();
    assert!(!differs(sighted), "a board that stands by");
    for (edition, known) in [(1993, false), (2009, true), (2014, true), (2018, true)] {
        assert_eq!(differs(Pair::blind(edition)), known, "{edition}");
    }
}

#[test]
fn a_board_without_names_is_compared_by_where_men_stand() {
    let nameless = |placement: &str| {
        let men = Board::from_ascii_board_fen(placement.as_bytes()).expect("a placement");
        let mut contents = Contents::of(&men, Lie::Straight);
        contents.0.iter_mut().filter(|content| **content != Content::Empty).for_each(|man| *man = Content::Occupied);
        Observation::Board(Box::new(contents))
    };
    let mut pair = Pair::blind(2023);
    pair.tell("2", nameless(START));
    pair.dump("1", E4, Lie::Straight);
    pair.pass(5_000);
    pair.tell("2", nameless(E4));
    pair.pass(5_000);
    assert_eq!(pair.differing(), []);
    pair.tell("2", nameless(E3));
    pair.pass(5_000);
    assert_eq!(pair.differing().len(), 1);
}

#[test]
fn two_boards_without_a_game_are_left_alone() {
    let rules = Rules { blind: Blind::Black, ..Rules::default() };
    let table = Table::under(Settings::default(), &rules);
    let mut pair = Pair { table, said: Vec::new(), heard: 0, now: 0 };
    for board in ["1", "2"] {
        pair.tell(board, Observation::Link(Link::Up));
        pair.dump(board, "8/8/8/8/8/8/8/8", Lie::Straight);
    }
    pair.pass(10_000);
    assert_eq!(pair.differing(), []);
}

/// A table with two boards and no clock, the first of them with the men on their squares.
struct Pair {
    table: Table,
    said: Vec<Said>,
    /// How much was said before the second board.
    heard: usize,
    now: u64,
}

impl Pair {
    fn at_start() -> Pair {
        let mut pair = Pair { table: Table::new(Settings::default()), said: Vec::new(), heard: 0, now: 0 };
        pair.tell("1", Observation::Link(Link::Up));
        pair.dump("1", START, Lie::Straight);
        pair.pass(5_000);
        pair.heard = pair.said.len();
        pair
    }

    /// With a blind player, and the second board heard.
    fn blind(edition: u16) -> Pair {
        let mut pair = Pair::at_start();
        let rules = Rules { edition, blind: Blind::Black, ..Rules::default() };
        let order = Command::Rules { rules: Box::new(rules) };
        pair.table.order(&order, pair.now, &mut pair.said).expect("rules");
        pair.tell("2", Observation::Link(Link::Up));
        pair
    }

    /// What was told of boards that differ: the plies in common, the squares, the article.
    fn differing(&self) -> Vec<(Option<usize>, Vec<String>, Option<String>)> {
        let alerts = self.said.iter().filter_map(|(_, say)| match say {
            Say::Entry(Entry::Alert(alert)) if alert.kind == AlertKind::BoardsDiffer => Some(alert),
            Say::Entry(_) | Say::Sight(_) | Say::AskDump(_) | Say::AskProof(_) => None,
        });
        let told = |alert: &Alert| {
            let squares = alert.evidence.clone().map(|evidence| evidence.squares).unwrap_or_default();
            (alert.plies, squares, alert.article.clone())
        };
        alerts.map(|alert| told(alert)).collect()
    }

    fn tell(&mut self, board: &str, observation: Observation) {
        self.table.observe(board, &observation, self.now, &mut self.said);
    }

    fn dump(&mut self, board: &str, placement: &str, lie: Lie) {
        self.tell(board, Observation::Board(contents(placement, lie)));
    }

    fn lift(&mut self, board: &str, square: Square) {
        let square = WireSquare::under(square, Lie::Straight);
        self.tell(board, Observation::Square { square, content: Content::Empty });
    }

    fn pass(&mut self, ms: u64) {
        self.now += ms;
        self.table.elapse(self.now, &mut self.said);
    }

    fn record(&self) -> Vec<&str> {
        let finals = self.said.iter().filter_map(|(_, say)| match say {
            Say::Entry(Entry::Final { san, .. }) => Some(san.as_str()),
            Say::Entry(_) | Say::Sight(_) | Say::AskDump(_) | Say::AskProof(_) => None,
        });
        finals.collect()
    }
}

fn contents(placement: &str, lie: Lie) -> Box<Contents> {
    let men = Board::from_ascii_board_fen(placement.as_bytes()).expect("a placement");
    Box::new(Contents::of(&men, lie))
}

/// A hall in which board 1 stands at the first table of the open round.
fn hall_with_a_board() -> (Hall, TableId) {
    let mut hall = Hall::new();
    open_round(&mut hall, 1);
    let order = hall.seat("1").expect("it has no table yet");
    let table = order.table().cloned().expect("a table");
    hall.handle(&Input::Ordered(order), 0, &mut Vec::new()).expect("it sits down");
    tell_board(&mut hall, &table, Observation::Link(Link::Up), 0);
    tell_board(&mut hall, &table, Observation::Board(contents(START, Lie::Straight)), 1);
    (hall, table)
}

fn open_round(hall: &mut Hall, round: u16) {
    let (title, site, date) = (String::new(), String::new(), "2026.11.20".to_owned());
    let (event, time_control, rules) = ("open".to_owned(), None, Box::default());
    let command = Command::OpenRound { event, round, title, site, date, time_control, rules };
    hall.handle(&Input::Ordered(Order::to_hall(command)), 0, &mut Vec::new()).expect("it is opened");
}

fn tell_board(hall: &mut Hall, table: &TableId, observation: Observation, now: u64) {
    let input = Input::Observed { table: table.clone(), board: "1".to_owned(), observation };
    hall.handle(&input, now, &mut Vec::new()).expect("boards are heard");
}

#[test]
fn a_game_that_is_on_when_the_next_round_opens_is_played_to_its_end_where_it_was_begun() {
    let (mut hall, table) = hall_with_a_board();
    hall.elapse(3_000, &mut Vec::new());
    tell_board(&mut hall, &table, Observation::Board(contents(E4, Lie::Straight)), 4_000);
    open_round(&mut hall, 2);
    assert_eq!(hall.seat("1"), None, "a move was made");
    let resign = Order::to_table(table.clone(), Command::Resign { side: Side::White });
    hall.handle(&Input::Ordered(resign), 5_000, &mut Vec::new()).expect("it is carried out");
    let confirm = Order::to_table(table.clone(), Command::Confirm);
    let _ = hall.handle(&Input::Ordered(confirm), 5_100, &mut Vec::new());
    let next = hall.seat("1").and_then(|order| order.at).map(|at| at.to_string());
    assert_eq!(next.as_deref(), Some("open/2/1"));
}

#[test]
fn a_board_somebody_has_seated_after_the_round_was_opened_stays_there() {
    let (mut hall, table) = hall_with_a_board();
    open_round(&mut hall, 2);
    let order = hall.seat("1").expect("nobody has played there yet");
    hall.handle(&Input::Ordered(order), 0, &mut Vec::new()).expect("it sits down");
    let back = Order::to_table(table, Command::Assign { board: "1".to_owned() });
    hall.handle(&Input::Ordered(back), 0, &mut Vec::new()).expect("somebody knows better");
    assert_eq!(hall.seat("1"), None);
}
