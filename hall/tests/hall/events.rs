//! Events and rounds: what organisers say before, during and after a round.

use hall::{Hall, Input, Out, Refusal, Scope};
use protocol::{
    board::{Content, Contents, Lie, Link, Observation, WireSquare},
    feed::{Bye, ByeKind, Command, Entry, Order, Pairing, Player, Rules, Score, Stage, TableId, TimeControl},
};
use shakmaty::Board;

pub(crate) const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
pub(crate) const E4: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR";

#[test]
fn a_round_that_is_prepared_is_seen_by_nobody_before_it_is_opened() {
    let mut day = Day::default();
    day.order(pairings(3, &[(1, "A", "B"), (2, "C", "D")])).expect("a list");
    assert_eq!(day.entries(), ["round 3 prepared"]);
    assert!(day.said().contains("nobody sees it before it is opened"), "{}", day.said());
    day.order(open(3)).expect("it is prepared");
    assert_eq!(day.entries(), ["round 3 open", "open/3/1 A-B", "open/3/2 C-D"]);
    day.order(close(3)).expect("it is open");
    assert_eq!(day.entries(), ["round 3 closed", "open/3/1 leaves", "open/3/2 leaves"]);
    day.order(open(3)).expect("it was closed");
    assert_eq!(day.entries(), ["round 3 open", "open/3/1 comes", "open/3/2 comes"], "who plays there was told");
}

#[test]
fn what_is_left_out_wipes_nothing_and_what_an_event_was_given_its_rounds_have() {
    let mut day = Day::default();
    let control = TimeControl { base_s: 5400, increment_s: 30 };
    day.order(Command::Event {
        event: "open".into(),
        title: Some("Spring Open".into()),
        site: Some("Lyon".into()),
        days: Some(vec!["2026.11.20".into(), "2026.11.20".into()]),
        time_control: Some(control),
        rules: None,
        notation: None,
    })
    .expect("an event");
    for _ in 0..2 {
        day.order(open(1)).expect("a round");
    }
    assert_eq!(day.said(), "nothing has changed: round 1 of open is open already");
    day.order(pairings(1, &[(1, "A", "B")])).expect("a list");
    let round = day.round().expect("it is told");
    assert_eq!((round.title.as_str(), round.site.as_str(), round.periods.len()), ("Spring Open", "Lyon", 1));
    let dates = [1, 2, 3].map(|round| day.hall.date_of("open", round));
    assert_eq!(dates, [Some("2026.11.20".to_owned()), Some("2026.11.20".to_owned()), None]);
    let paired = day.out.iter().find_map(|out| match out {
        Out::Entry(_, _, Entry::Paired { time_control, .. }) => *time_control,
        Out::Entry(..) | Out::Sight(..) | Out::Round(..) | Out::Said(_) | Out::Ask(_) => None,
    });
    assert_eq!(paired, Some(control));
}

#[test]
fn a_list_is_taken_in_whole_or_not_at_all() {
    let mut day = Day::default();
    day.order(open(1)).expect("a round");
    for bad in [&[(1, "A", "B"), (1, "C", "D")][..], &[(1, "A", "B"), (2, "", "D")], &[(0, "A", "B")]] {
        let sentence = day.order(pairings(1, bad)).expect_err("it makes no sense").to_string();
        assert!(sentence.contains("table"), "{sentence}");
        assert_eq!(day.entries(), Vec::<String>::new());
    }
}

#[test]
fn a_list_looked_at_changes_nothing_and_says_what_taking_it_in_says() {
    let mut day = Day::default();
    day.order(open(1)).expect("a round");
    day.order(pairings(1, &[(1, "A", "B"), (2, "C", "D"), (3, "E", "F")])).expect("a list");
    let list = pairings(1, &[(1, "B", "A"), (2, "C", "Dee")]);
    let before = day.hall.preview(&list).expect("it can be looked at").said;
    assert_eq!(
        before,
        ["table 1: colours swapped, B has White now", "table 2: Dee in place of D", "table 3: E – F is taken away"]
    );
    assert_eq!(day.hall.preview(&list).expect("it is as it was").said, before);
    day.order(list).expect("a list");
    assert_eq!(day.entries(), ["open/1/3 leaves", "round 1 open", "open/1/1 B-A", "open/1/2 C-Dee"]);
    assert_eq!(day.said(), before.join("\n"));
}

#[test]
fn a_list_that_comes_twice_says_that_nothing_has_changed() {
    let mut day = Day::default();
    day.order(open(1)).expect("a round");
    let list = pairings(1, &[(1, "A", "B")]);
    day.order(list.clone()).expect("a list");
    day.order(list).expect("the same list");
    assert_eq!(day.entries(), ["round 1 open"]);
    assert!(day.said().starts_with("nothing has changed"), "{}", day.said());
}

#[test]
fn a_change_in_the_middle_of_a_round_says_what_it_does_and_leaves_finished_games_alone() {
    let mut day = Day::default();
    day.order(open(1)).expect("a round");
    day.order(pairings(1, &[(1, "A", "B"), (2, "C", "D")])).expect("a list");
    for (board, number) in [("7", 1), ("8", 2)] {
        day.sit(board, number);
        day.play_e4(board, number);
    }
    day.at(2, Command::Result { result: Score::Draw }).expect("a game is on");
    let preview = day.hall.preview(&pairings(1, &[(1, "B", "A")])).expect("a list");
    assert_eq!(preview.disturbed, [1], "a game is on there");
    let said = preview.said.join("\n");
    assert!(said.contains("table 1: colours swapped, B has White now; 1 move stays in the record"), "{said}");
    assert!(said.contains("as another game: reset the round there"), "{said}");
    assert!(said.contains("table 2: C – D is not in the list; something was played there, so it stays"), "{said}");
    day.order(pairings(1, &[(1, "A", "B"), (2, "X", "Y")])).expect("a list");
    assert!(day.said().contains("its game is over and stays C – D, not X – Y"), "{}", day.said());
    assert_eq!(day.entries(), ["round 1 open"]);
}

#[test]
fn a_table_without_a_board_takes_its_result_by_hand() {
    let mut day = Day::default();
    day.order(open(1)).expect("a round");
    day.order(pairings(1, &[(1, "A", "B")])).expect("a list");
    day.at(1, Command::Result { result: Score::WhiteByForfeit }).expect("it is paired");
    assert_eq!(day.entries()[1..], ["open/1/1 Playing", "open/1/1 +/- Forfeit", "open/1/1 Ended"]);
    day.at(1, Command::Result { result: Score::BothForfeited }).expect("it is paired");
    assert_eq!(day.entries(), ["open/1/1 -/- Forfeit"]);
    let sentence = day.at(9, Command::Result { result: Score::Draw }).expect_err("nobody plays there").to_string();
    assert!(sentence.contains("nobody plays at open/1/9"), "{sentence}");
    let pair = Command::Pair { white: Box::new(player("A")), black: Box::new(player("B")) };
    let nowhere = TableId { event: "open".into(), round: 9, table: 1 };
    let sentence = day.give(Order::to_table(nowhere, pair)).expect_err("there is no such round").to_string();
    assert!(sentence.contains("there is no round 9 of open"), "{sentence}");
}

#[test]
fn what_nobody_has_played_at_can_be_removed_and_nothing_else() {
    let mut day = Day::default();
    day.order(open(1)).expect("a round");
    day.order(pairings(1, &[(1, "A", "B"), (2, "C", "D")])).expect("a list");
    day.at(1, Command::Result { result: Score::Draw }).expect("it is paired");
    let remove = Command::Remove { event: None, round: None };
    assert!(day.at(1, remove.clone()).is_err());
    day.at(2, remove).expect("nothing was played there");
    assert_eq!(day.entries(), ["open/1/2 leaves"]);
    let event = Command::Remove { event: Some("open".into()), round: None };
    let sentence = day.order(event).expect_err("a result was given").to_string();
    assert!(sentence.contains("open/1/1 has a game with moves or a result"), "{sentence}");
}

#[test]
fn boards_without_a_move_go_to_the_round_that_is_opened_and_each_event_keeps_its_own() {
    let mut day = Day::default();
    day.give(Order::to_hall(round_of("2026-11-22", 1))).expect("a day");
    for (board, number) in [("1", 1), ("2", 2)] {
        let seat = day.hall.seat(board).and_then(|order| order.at).map(|at| at.to_string());
        assert_eq!(seat.as_deref(), Some(&format!("2026-11-22/1/{number}")[..]));
        day.sit_by_itself(board);
    }
    day.play_e4_at("2", &"2026-11-22/1/2".parse().expect("a table"));
    day.order(pairings(1, &[(1, "A", "B")])).expect("a list");
    day.order(open(1)).expect("a round");
    assert_eq!(day.seat("1").as_deref(), Some("open/1/1"), "nobody has moved there");
    assert_eq!(day.seat("2"), None, "its game is on");
    day.sit_by_itself("1");
    let other = Command::Pairings {
        event: "girls".into(),
        round: 1,
        title: None,
        site: None,
        pairings: vec![Pairing { table: 1, white: player("X"), black: player("Y") }],
        byes: Vec::new(),
        file: None,
    };
    day.order(other).expect("a list");
    day.give(Order::to_hall(round_of("girls", 1))).expect("a second event");
    assert_eq!(day.seat("1"), None, "the first event keeps its board");
    day.order(pairings(2, &[(1, "A", "B")])).expect("a list");
    day.order(open(2)).expect("the next round");
    assert_eq!(day.seat("1").as_deref(), Some("open/2/1"));
}

#[test]
fn a_round_of_which_a_result_is_missing_is_not_played_out() {
    let result = || Command::Result { result: Score::Draw };
    let mut day = Day::default();
    day.order(pairings(1, &[(1, "A", "B"), (2, "C", "D"), (3, "E", "F"), (4, "G", "H")])).expect("a list");
    day.order(open(1)).expect("a round");
    day.sit("7", 1);
    day.sit("8", 2);
    day.play_e4("8", 2);
    day.order(open(2)).expect("the next round");
    let missing = |day: &Day| {
        let tables = day.hall.without_result_before("open", 2);
        (day.hall.played_out("open", 2), tables.iter().map(|id| id.table).collect::<Vec<_>>())
    };
    assert_eq!(missing(&day), (vec![], vec![]), "at table 2 they play, and nobody gives results here");
    day.at(2, result()).expect("a game");
    assert_eq!(missing(&day), (vec![1], vec![]), "those of the others the pairing program knows");
    day.at(3, result()).expect("it is paired");
    assert_eq!(missing(&day), (vec![], vec![1, 4]), "here they are given");
    day.at(1, result()).expect("it is paired");
    assert_eq!(missing(&day), (vec![], vec![4]));
    day.at(4, Command::Result { result: Score::BlackByForfeit }).expect("it is paired");
    assert_eq!(missing(&day), (vec![1], vec![]));
    day.dump_at("8", &table(2), START);
    assert_eq!(missing(&day), (vec![1], vec![]), "men that are put up again are no game");
    day.at(4, Command::Result { result: Score::Open }).expect("it has one");
    assert_eq!(missing(&day), (vec![], vec![4]));
}

#[test]
fn an_earlier_game_takes_its_result_and_its_moves_by_its_number() {
    let mut day = Day::default();
    day.order(open(1)).expect("a round");
    day.order(pairings(1, &[(1, "A", "B")])).expect("a list");
    day.sit("7", 1);
    day.play_e4("7", 1);
    day.order_game(None, Command::NewGame { fen: None, variant: protocol::feed::Variant::Standard }).expect("a game");
    let first = day.hall.table(&table(1)).map(hall::table::Table::games).expect("a table") - 1;
    day.order_game(Some(first), Command::Result { result: Score::WhiteWins }).expect("it was played");
    assert_eq!(day.entries(), [format!("open/1/1/{first} 1-0 Arbiter")]);
    let sentence = day.order_game(Some(first), Command::Result { result: Score::WhiteWins }).expect_err("it has it");
    assert!(sentence.to_string().starts_with("nothing has changed"), "{sentence}");
    day.order_game(Some(first), Command::Replace { ply: 1, played: "d4".into(), cut: false }).expect("a ply");
    assert_eq!(day.entries(), [format!("open/1/1/{first} 1 [\"e4\"] [\"d4\"]")]);
    assert!(day.order_game(Some(first), Command::Stop).is_err(), "nobody plays it");
    let sentence = day.order_game(Some(99), Command::Result { result: Score::Draw }).expect_err("there is none");
    assert!(sentence.to_string().contains("there is no game 99"), "{sentence}");
    let pair = Command::Pair { white: Box::new(player("Ann")), black: Box::new(player("Ben")) };
    day.order_game(Some(first), pair).expect("a game");
    assert_eq!(day.entries(), [format!("open/1/1/{first} Ann-Ben")]);
}

#[test]
fn what_organisers_say_is_kept_with_the_hall_and_what_belongs_to_a_table_with_its_round() {
    let hall = Hall::new();
    let scope = |order: Order| hall.scope(&Input::Ordered(order));
    assert_eq!(scope(Order::to_hall(close(1))), Scope::Hall);
    assert_eq!(scope(Order::to_table(table(1), Command::Remove { event: None, round: None })), Scope::Hall);
    let round = Scope::Round { event: "open".into(), round: 1 };
    assert_eq!(scope(Order::to_table(table(1), Command::Result { result: Score::Draw })), round);
}

/// A hall and what came out of the last order.
#[derive(Default)]
pub(crate) struct Day {
    pub(crate) hall: Hall,
    now: u64,
    pub(crate) out: Vec<Out>,
}

impl Day {
    /// Round 1 of `open`: at table 1 board 7, and 1. e4 is played there.
    pub(crate) fn with_a_game() -> Day {
        let mut day = Day::default();
        day.order(open(1)).expect("a round");
        day.sit("7", 1);
        day.play_e4("7", 1);
        day
    }

    pub(crate) fn give(&mut self, order: Order) -> Result<(), Refusal> {
        self.out.clear();
        let (order, stays) = self.hall.settled(order)?;
        self.hall.handle(&Input::Ordered(order), self.now, &mut self.out)?;
        self.out.extend(stays.into_iter().map(Out::Said));
        Ok(())
    }

    pub(crate) fn order(&mut self, command: Command) -> Result<(), Refusal> {
        self.give(Order::to_hall(command))
    }

    pub(crate) fn at(&mut self, number: u16, command: Command) -> Result<(), Refusal> {
        self.give(Order::to_table(table(number), command))
    }

    pub(crate) fn order_game(&mut self, game: Option<u32>, command: Command) -> Result<(), Refusal> {
        let at = protocol::feed::Address { table: table(1), game };
        self.give(Order { at: Some(at), command })
    }

    pub(crate) fn sit(&mut self, board: &str, number: u16) {
        self.at(number, Command::Assign { board: board.to_owned() }).expect("a free table");
        self.observe(board, &table(number), Observation::Link(Link::Up));
    }

    pub(crate) fn seat(&self, board: &str) -> Option<String> {
        self.hall.seat(board).and_then(|order| order.at).map(|at| at.to_string())
    }

    pub(crate) fn sit_by_itself(&mut self, board: &str) {
        let order = self.hall.seat(board).expect("a seat");
        let table = order.table().cloned().expect("a table");
        self.give(order).expect("the hall has offered it");
        self.observe(board, &table, Observation::Link(Link::Up));
    }

    pub(crate) fn observe(&mut self, board: &str, table: &TableId, observation: Observation) {
        let input = Input::Observed { table: table.clone(), board: board.to_owned(), observation };
        self.hall.handle(&input, self.now, &mut self.out).expect("only orders are refused");
    }

    pub(crate) fn report(&mut self, board: &str, square: &str, content: Content) {
        let square = WireSquare::under(square.parse().expect("a square"), Lie::Straight);
        self.pass(500);
        self.observe(board, &table(1), Observation::Square { square, content });
    }

    pub(crate) fn pass(&mut self, ms: u64) {
        self.now += ms;
        self.hall.elapse(self.now, &mut self.out);
    }

    pub(crate) fn dump_at(&mut self, board: &str, table: &TableId, placement: &str) {
        let men = Board::from_ascii_board_fen(placement.as_bytes()).expect("a placement");
        self.observe(board, table, Observation::Board(Box::new(Contents::of(&men, Lie::Straight))));
        self.now += 5_000;
        self.hall.elapse(self.now, &mut self.out);
    }

    pub(crate) fn play_e4(&mut self, board: &str, number: u16) {
        self.play_e4_at(board, &table(number));
    }

    pub(crate) fn play_e4_at(&mut self, board: &str, table: &TableId) {
        self.dump_at(board, table, START);
        self.dump_at(board, table, E4);
    }

    pub(crate) fn take(&mut self, input: Input) {
        self.hall.handle(&input, self.now, &mut self.out).expect("only orders are refused");
    }

    pub(crate) fn said(&self) -> String {
        let said = self.out.iter().filter_map(|out| if let Out::Said(said) = out { Some(said.as_str()) } else { None });
        let said = said.filter(|said| !said.contains("prepared: ") || said.contains("nobody"));
        said.collect::<Vec<_>>().join("\n")
    }

    pub(crate) fn round(&self) -> Option<&protocol::feed::RoundView> {
        self.out.iter().find_map(|out| match out {
            Out::Round(_, Entry::Round { round }) => Some(&**round),
            Out::Entry(..) | Out::Sight(..) | Out::Round(..) | Out::Said(_) | Out::Ask(_) => None,
        })
    }

    /// What was entered, short enough to be compared.
    pub(crate) fn entries(&self) -> Vec<String> {
        let short = |out: &Out| match out {
            Out::Round(_, Entry::Round { round }) => Some(format!("round {} {}", round.round, stage(round.stage))),
            Out::Entry(id, _, entry) => Some(format!("{id}{}", brief(entry))),
            Out::Sight(..) | Out::Round(..) | Out::Said(_) | Out::Ask(_) => None,
        };
        self.out.iter().filter_map(short).collect()
    }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "the others are not about organisers")]
fn brief(entry: &Entry) -> String {
    match entry {
        Entry::Paired { white, black, .. } => format!(" {}-{}", white.name, black.name),
        Entry::Shown { shown, .. } => if *shown { " comes" } else { " leaves" }.to_owned(),
        Entry::Result { score: Some(score), reason, .. } => format!(" {score} {reason:?}"),
        Entry::Result { result, reason, .. } => format!(" {result} {reason:?}"),
        Entry::State { state } => format!(" {state:?}"),
        Entry::Corrected { from_ply, old, new, .. } => format!(" {from_ply} {old:?} {new:?}"),
        Entry::Earlier { game, entry } => format!("/{game}{}", brief(entry)),
        other => format!(" {other:?}"),
    }
}

fn stage(stage: Stage) -> &'static str {
    match stage {
        Stage::Prepared => "prepared",
        Stage::Open => "open",
        Stage::Closed => "closed",
    }
}

pub(crate) fn pairings(round: u16, pairs: &[(u16, &str, &str)]) -> Command {
    let pairing = |(table, white, black): &(u16, &str, &str)| Pairing {
        table: *table,
        white: player(white),
        black: player(black),
    };
    let pairings = pairs.iter().map(pairing).collect();
    Command::Pairings { event: "open".into(), round, title: None, site: None, pairings, byes: Vec::new(), file: None }
}

pub(crate) fn open(round: u16) -> Command {
    round_of("open", round)
}

pub(crate) fn round_of(event: &str, round: u16) -> Command {
    Command::OpenRound {
        event: event.to_owned(),
        round,
        title: String::new(),
        site: String::new(),
        date: String::new(),
        time_control: None,
        rules: Box::<Rules>::default(),
    }
}

pub(crate) fn close(round: u16) -> Command {
    Command::CloseRound { event: "open".into(), round }
}

pub(crate) fn player(name: &str) -> Player {
    Player { name: name.to_owned(), ..Player::default() }
}

pub(crate) fn table(number: u16) -> TableId {
    TableId { event: "open".into(), round: 1, table: number }
}

#[test]
fn a_bye_is_told_with_its_round() {
    let mut day = Day::default();
    day.order(open(1)).expect("a round");
    let bye = Bye { player: player("Lone"), kind: ByeKind::Half };
    let list = Command::Pairings {
        event: "open".into(),
        round: 1,
        title: Some("Open".into()),
        site: None,
        pairings: Vec::new(),
        byes: vec![bye.clone()],
        file: None,
    };
    day.order(list).expect("a list");
    let round = day.round().expect("it is told");
    assert_eq!((round.title.as_str(), &round.byes), ("Open", &vec![bye]));
}

#[test]
fn what_is_ordered_of_a_game_that_has_ended_is_refused_with_the_next_step_or_says_what_it_is_good_for() {
    let mut day = Day::with_a_game();
    day.at(1, Command::Result { result: Score::Draw }).expect("a game is on");
    let adjust = Command::AdjustTimes { white_ms: 60_000, black_ms: 60_000 };
    let resign = Command::Resign { side: protocol::feed::Side::White };
    for command in [Command::Stop, Command::Resume, Command::Adjourn { clocks_ms: None }, adjust, resign] {
        let sentence = day.at(1, command.clone()).expect_err("it has ended").to_string();
        assert_eq!(sentence, "the game has ended: take its result back first (result *)", "{command:?}");
    }
    day.at(1, Command::Rules { rules: Box::new(Rules::default()) }).expect("somebody may play there again");
    assert!(day.said().contains("another one there is played by these rules"), "{}", day.said());
}

#[test]
fn a_game_that_goes_on_is_said_to_be_adjourned_no_more_and_is_put_away_again_as_it_was() {
    let mut day = Day::with_a_game();
    day.at(1, Command::Resume).expect("a game is on");
    assert!(!day.said().contains("adjourned"), "{}", day.said());
    let clocks_ms = Some(protocol::feed::Clocks { white: 1_800_000, black: 600_000 });
    day.at(1, Command::Adjourn { clocks_ms }).expect("a game is on");
    day.at(1, Command::Resume).expect("a game is on");
    let again = r#""adjourn" with "clocks_ms": {"white": 1800000, "black": 600000} puts it away as it was"#;
    assert!(day.said().contains("open/1/1 is adjourned no more") && day.said().contains(again), "{}", day.said());
    day.at(1, Command::Adjourn { clocks_ms }).expect("a game is on");
    day.at(1, Command::OpenSealed { text: "e5".into() }).expect("there is an envelope");
    assert!(!day.said().contains("adjourned no more"), "{}", day.said());
}
