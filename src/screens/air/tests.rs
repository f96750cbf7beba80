//! What spectators are shown, and when. Times are seconds.

use protocol::feed::Stage::{Closed, Open};
use protocol::feed::{Correction, GameResult, OnAir, Period, Player, ResultReason, Score, State, TimeControl, Variant};

use super::*;
use crate::journal::Done;

#[test]
fn a_move_is_shown_when_it_is_old_enough_and_its_clock_reads_as_it_did_then() {
    let mut hall = Room::with_delay(900, 0);
    hall.pair(10, "Xie Jun").begin(10).play(20, &["e4"]);
    assert_eq!(hall.at(909), None, "the table is not there for them");
    assert_eq!(hall.at(919).as_deref(), Some(""));
    assert_eq!(hall.at(920).as_deref(), Some("e4"));
    let view = hall.view().expect("on air");
    let clock = view.clock.expect("a clock");
    assert_eq!((clock.white_ms, clock.at), (59_000, 920_000), "read 900 seconds after it showed that");
    assert_eq!(view.delay.map(|delay| delay.seconds), Some(900));
}

#[test]
fn a_clock_of_which_nobody_has_said_what_it_begins_with_is_shown_when_a_move_of_each_is_old_enough() {
    let mut hall = Room::with_delay(60, 0);
    hall.begin(0).press(10, 1, 281_000).press(20, 2, 308_000).press(30, 3, 270_000);
    for (now, expected) in [
        (69, None),
        (70, None),
        (79, None),
        (80, Some((281_000, 308_000, 80_000))),
        (89, Some((281_000, 308_000, 80_000))),
        (90, Some((270_000, 308_000, 90_000))),
    ] {
        let mut again = hall.read_again();
        for hall in [&mut hall, &mut again] {
            hall.at(now);
            assert_eq!(hall.clock(), expected, "after {now} s");
            assert_eq!(hall.air.clocks("open", 1).len(), usize::from(expected.is_some()), "as receivers are told it");
        }
    }
}

#[test]
fn a_reading_whose_move_was_taken_back_in_time_is_nobodys() {
    let mut hall = Room::with_delay(60, 0);
    hall.begin(0).press(10, 1, 281_000).press(20, 2, 308_000);
    hall.correct(30, 2, &["e5"], &[]).press(40, 2, 299_000);
    let mut seen = |now| {
        hall.at(now);
        hall.clock()
    };
    assert_eq!([seen(80), seen(99)], [None, None]);
    assert_eq!(seen(100), Some((281_000, 299_000, 100_000)));
}

#[test]
fn a_round_that_is_described_when_it_is_on_says_what_clocks_begin_with_once_spectators_know_it() {
    let described = |at: u64| {
        let mut hall = Room::with_delay(60, 0);
        hall.begin(0);
        let round = RoundView {
            event: "open".into(),
            round: 1,
            stage: Open,
            periods: vec![Period { moves: None, base_s: 300, increment_s: 0 }],
            ..RoundView::default()
        };
        let described = TableEvent { table: None, t: at * 1000, event: Entry::Round { round: Box::new(round) }.into() };
        if at <= 10 {
            hall.say(described).press(10, 1, 281_000);
        } else {
            hall.press(10, 1, 281_000).say(described);
        }
        hall.at(70);
        hall.clock()
    };
    assert_eq!(described(10), Some((281_000, 300_000, 70_000)));
    assert_eq!(described(11), None);
}

#[test]
fn what_is_taken_back_in_time_was_never_played_for_them() {
    let mut hall = Room::with_delay(60, 0);
    hall.begin(0).play(10, &["e4", "e5", "Nf3"]);
    hall.correct(30, 2, &["e5", "Nf3"], &["c5"]);
    assert_eq!(hall.at(75).as_deref(), Some("e4"), "the wrong reply is not shown, nor yet the right one");
    assert_eq!(hall.at(90).as_deref(), Some("e4 c5"));
}

#[test]
fn what_was_shown_and_is_taken_back_is_cut_off_at_once_and_replaced_in_its_own_time() {
    let mut hall = Room::with_delay(60, 0);
    hall.begin(0).play(10, &["e4", "e5", "Nf3"]);
    assert_eq!(hall.at(80).as_deref(), Some("e4 e5 Nf3"));
    hall.correct(100, 2, &["e5", "Nf3"], &["c5", "Nf3"]);
    assert_eq!(hall.at(100).as_deref(), Some("e4"));
    assert_eq!(hall.at(159).as_deref(), Some("e4"));
    assert_eq!(hall.at(160).as_deref(), Some("e4 c5 Nf3"));
    assert_eq!(hall.view().expect("on air").placement, "rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R");
}

#[test]
fn moves_that_a_correction_repeats_keep_their_time() {
    let mut hall = Room::with_delay(60, 0);
    hall.begin(0).play(10, &["e4", "e5", "Nf3"]);
    hall.correct(30, 1, &["e4", "e5", "Nf3"], &["e4", "e5", "Nc3"]);
    assert_eq!(hall.at(72).as_deref(), Some("e4 e5"));
    assert_eq!(hall.at(90).as_deref(), Some("e4 e5 Nc3"));
}

#[test]
fn a_correction_that_is_corrected_while_it_waits_leaves_no_trace() {
    let mut hall = Room::with_delay(60, 0);
    hall.begin(0).play(10, &["e4"]);
    hall.correct(20, 1, &["e4"], &["d4", "d5"]);
    hall.correct(30, 2, &["d5"], &["f5"]);
    assert_eq!(hall.at(75).as_deref(), Some(""));
    assert_eq!(hall.at(80).as_deref(), Some("d4"));
    assert_eq!(hall.at(90).as_deref(), Some("d4 f5"));
}

#[test]
fn a_result_comes_behind_its_last_move_and_not_at_all_if_it_was_taken_back() {
    let mut hall = Room::with_delay(60, 0);
    hall.begin(0).play(10, &["e4"]).result(20, GameResult::WhiteWins);
    hall.result(30, GameResult::Open).result(40, GameResult::Draw);
    let seen = [80, 99, 100]
        .map(|now| (hall.at(now), hall.view().map(|view| (view.result, view.state))))
        .map(|(_, view)| view);
    let playing = Some((GameResult::Open, State::Playing));
    assert_eq!(seen, [playing, playing, Some((GameResult::Draw, State::Ended))]);
    hall.result(110, GameResult::Open);
    hall.at(110);
    assert_eq!(
        hall.view().map(|view| (view.result, view.state)),
        playing,
        "a result that does not stand is gone at once"
    );
}

#[test]
fn a_game_that_gets_another_result_is_over_with_it() {
    let mut hall = Room::with_delay(60, 0);
    hall.begin(0).play(10, &["e4"]).result(20, GameResult::WhiteWins);
    hall.at(80);
    // That it is over was said with the first one.
    hall.tell(100, Entry::Result { result: GameResult::Draw, reason: ResultReason::Arbiter, score: None });
    let seen = [100, 159, 160].map(|now| {
        hall.at(now);
        hall.view().map(|view| (view.result, view.state))
    });
    let playing = Some((GameResult::Open, State::Playing));
    assert_eq!(seen, [playing, playing, Some((GameResult::Draw, State::Ended))]);
    // That both have lost is a score for which results have no word.
    hall.score(200, Score::BothLost).at(260);
    assert_eq!(hall.view().map(|view| (view.score, view.state)), Some((Some(Score::BothLost), State::Ended)));
}

#[test]
fn raising_a_delay_takes_nothing_back_and_lets_nothing_through_that_is_younger() {
    let mut hall = Room::with_delay(10, 0);
    hall.begin(0).play(10, &["e4", "e5", "Nf3", "Nc6"]);
    assert_eq!(hall.at(21).as_deref(), Some("e4 e5"));
    hall.order(21, delay(60, 0));
    assert_eq!(hall.at(71).as_deref(), Some("e4 e5"));
    assert_eq!(hall.at(72).as_deref(), Some("e4 e5 Nf3"));
    hall.order(72, delay(0, 0));
    assert_eq!(hall.at(72).as_deref(), Some("e4 e5 Nf3 Nc6"), "lowering runs it forward");
}

#[test]
fn a_score_that_is_no_result_comes_and_goes_as_one() {
    let mut hall = Room::with_delay(60, 0);
    hall.begin(0).play(10, &["e4"]).score(20, Score::BothLost);
    hall.score(30, Score::WhiteByForfeit);
    let mut given = |now| {
        hall.at(now);
        hall.view().map(|view| (view.result, view.score))
    };
    let open = Some((GameResult::Open, None));
    assert_eq!([given(75), given(89)], [open, open], "what was put right in time was never given for them");
    let forfeit = Some((GameResult::WhiteWins, Some(Score::WhiteByForfeit)));
    assert_eq!(given(90), forfeit);
    hall.score(100, Score::WhiteWins);
    hall.at(101);
    assert_eq!(hall.view().map(|view| (view.result, view.score)), open, "what was shown and is another goes at once");
}

#[test]
fn some_moves_behind_means_behind_what_is_old_enough_until_the_game_is_over() {
    let mut hall = Room::with_delay(60, 2);
    hall.pair(0, "Xie Jun").begin(0).play(10, &["e4", "e5", "Nf3", "Nc6", "Bb5"]);
    assert_eq!(hall.at(71).as_deref(), Some(""));
    assert_eq!(hall.at(73).as_deref(), Some("e4 e5"));
    assert!(hall.view().expect("on air").clock.is_some_and(|clock| clock.running.is_none()));
    hall.result(20, GameResult::Draw);
    assert_eq!(hall.at(79).as_deref(), Some("e4 e5 Nf3"), "the last is not old for long enough to say that it is over");
    assert_eq!(hall.at(80).as_deref(), Some("e4 e5 Nf3 Nc6 Bb5"));
}

#[test]
fn a_game_that_begins_again_under_its_number_takes_its_moves_along() {
    let mut hall = Room::with_delay(60, 0);
    hall.begin(0).play(10, &["e4"]);
    assert_eq!(hall.at(70).as_deref(), Some("e4"));
    hall.begin(80).play(90, &["d4"]);
    assert_eq!(hall.at(80).as_deref(), Some(""));
    assert_eq!(hall.at(150).as_deref(), Some("d4"));
}

#[test]
fn the_games_are_as_spectators_know_them() {
    let mut hall = Room::with_delay(60, 0);
    let round = Command::OpenRound {
        event: "open".into(),
        round: 1,
        title: "Spring".into(),
        site: String::new(),
        date: "2026.11.22".into(),
        time_control: None,
        rules: Box::default(),
    };
    hall.order(0, Order::to_hall(round));
    hall.begin(0).play(10, &["e4", "e5"]);
    assert_eq!((hall.air.open(), hall.air.table_pgn(&table(1))), (None, String::new()));
    hall.at(70);
    assert_eq!(hall.air.open(), Some(("open", 1)));
    let edition = hall.air.editions().of("open", 1);
    assert!(
        hall.air.round_pgn("open", 1).contains("[Event \"Spring\"]") && hall.air.table_pgn(&table(1)).ends_with("*\n")
    );
    assert!(!hall.air.round_pgn("open", 1).contains("e5"));
    hall.at(71);
    assert!(hall.air.round_pgn("open", 1).contains("e5") && hall.air.editions().of("open", 1) != edition);
}

#[test]
fn a_table_that_is_not_on_air_is_nowhere_and_comes_back_as_it_stands() {
    let mut hall = Room::default();
    hall.pair(0, "Polgár, Judit").begin(0).play(10, &["e4"]);
    assert_eq!(hall.at(10).as_deref(), Some("e4"));
    let none = |tables: OnAir| Order::to_hall(Command::OnAir { event: None, tables });
    let withhold = |withheld| Order::to_hall(Command::Withhold { player: "Polgár Judit".into(), withheld });
    for (off, on) in [(none(OnAir::None), none(OnAir::All)), (withhold(true), withhold(false))] {
        hall.order(20, off);
        assert_eq!(
            (hall.at(20), hall.air.table_pgn(&table(1)), hall.air.round_pgn("open", 1)),
            (None, String::new(), String::new())
        );
        hall.order(20, on);
        assert_eq!(hall.at(20).as_deref(), Some("e4"));
        assert!(hall.air.round_pgn("open", 1).contains("e4"));
    }
}

#[test]
fn a_pairing_that_was_put_right_before_anybody_saw_it_is_not_shown() {
    let mut hall = Room::with_delay(60, 0);
    hall.pair(0, "Wrong").pair(30, "Right").begin(40);
    for now in 0..120 {
        hall.at(now);
        let white = hall.view().and_then(|view| view.white).map(|white| white.name);
        assert!(white.is_none_or(|name| name == "Right"));
    }
}

#[test]
fn a_round_is_open_and_over_for_spectators_when_its_tables_are() {
    let mut hall = Room::with_delay(60, 0);
    hall.round(10, Open).pair(10, "Xie Jun");
    assert_eq!((hall.at(69), hall.rounds.len(), hall.air.rounds()), (None, 0, Vec::new()));
    assert_eq!((hall.at(70), &hall.rounds[..]), (Some(String::new()), &[(1, Open)][..]));
    assert_eq!(hall.air.rounds(), [("open".to_owned(), 1)]);
    hall.round(100, Closed).tell(100, Entry::Shown { shown: false, removed: false });
    hall.at(159);
    assert_eq!(hall.rounds.len(), 1);
    assert_eq!((hall.at(160), &hall.rounds[1..]), (None, &[(1, Closed)][..]));
}

#[test]
fn an_event_of_which_nothing_is_on_air_is_not_named() {
    let on_air = |tables| Order::to_hall(Command::OnAir { event: Some("open".to_owned()), tables });
    let mut hall = Room::with_delay(0, 0);
    hall.round(1, Open).pair(1, "Xie Jun");
    hall.at(2);
    for (now, tables, stage) in [
        (3, OnAir::None, Closed),
        (4, OnAir::All, Open),
        (5, OnAir::List(Vec::new()), Closed),
        (6, OnAir::First(1), Open),
    ] {
        hall.order(now, on_air(tables));
        hall.at(now);
        assert_eq!(hall.rounds.last(), Some(&(1, stage)), "after {now} s");
    }
    hall.order(7, on_air(OnAir::None));
    hall.at(7);
    let mut again = hall.read_again();
    again.at(8);
    assert_eq!(again.rounds.last(), Some(&(1, Closed)), "after a start neither");
}

#[test]
fn a_round_that_is_read_again_after_a_start_is_open_as_it_was_shown() {
    let mut hall = Room::with_delay(10, 0);
    hall.round(5, Open);
    hall.at(16);
    // It was shown, and stays so; that it is over waits as long as was ordered meanwhile.
    hall.order(17, delay(60, 0));
    hall.round(18, Closed);
    for (now, expected) in [(19, 1), (77, 1), (78, 2)] {
        let mut again = hall.read_again();
        again.at(now);
        hall.at(now);
        assert_eq!((again.rounds.len(), &again.rounds), (expected, &hall.rounds), "after {now} s");
        assert_eq!(again.air.due(), hall.air.due());
    }
}

#[test]
fn what_is_read_again_after_a_start_is_what_was_shown() {
    let mut hall = Room::with_delay(10, 0);
    hall.begin(0).play(10, &["e4", "e5", "Nf3", "Nc6"]);
    hall.at(21);
    hall.order(21, delay(60, 0));
    hall.correct(30, 4, &["Nc6"], &["Nf6"]);
    for now in [31, 71, 72, 89, 90] {
        let mut again = hall.read_again().air;
        again.elapse(now * 1000);
        hall.at(now);
        assert_eq!(
            again.picture(table(1)),
            Picture(Pictured::Table(table(1), hall.view().map(Box::new))),
            "after {now} s"
        );
        assert_eq!(again.table_pgn(&table(1)), hall.air.table_pgn(&table(1)));
    }
}

/// One table on its way to spectators, with everything that was said of it.
#[derive(Default)]
struct Room {
    air: Air,
    shown: Option<TableView>,
    /// How rounds were said to stand.
    rounds: Vec<(u16, protocol::feed::Stage)>,
    orders: Vec<(u64, Order)>,
    events: Vec<TableEvent>,
}

#[test]
fn where_orders_may_be_lost_nothing_is_shown_but_of_what_the_delay_is_ordered_for_since() {
    let mut hall = Room::with_delay(60, 0);
    hall.round(0, Open).pair(0, "Xie Jun").begin(0).play(10, &["e4"]);
    assert_eq!(hall.at(100).as_deref(), Some("e4"));
    hall.air.close();
    assert!(hall.air.is_closed() && !hall.air.shows(&table(1)) && hall.air.round_pgn("open", 1).is_empty());
    let delay_of = |event: &str| Order::to_hall(Command::Delay { event: Some(event.into()), seconds: 60, plies: 0 });
    let said = hall.air.effect(&delay_of("youth")).expect("it is about spectators");
    assert!(said.contains("nothing is shown but"), "{said}");
    hall.order(110, delay_of("youth"));
    assert!(!hall.air.is_closed() && !hall.air.shows(&table(1)), "somebody looks after it");
    hall.order(120, delay_of("open"));
    assert_eq!(hall.at(121).as_deref(), Some("e4"));
    hall.air.close();
    let said = hall.air.effect(&delay(60, 0)).expect("it is about spectators");
    assert!(!said.contains("nothing"), "{said}");
    hall.order(130, delay(60, 0));
    assert!(!hall.air.is_closed() && hall.air.shows(&table(1)));
}

impl Room {
    fn with_delay(seconds: u32, plies: u16) -> Room {
        let mut room = Room::default();
        room.order(0, delay(seconds, plies));
        room
    }

    /// The same after a start.
    fn read_again(&self) -> Room {
        let mut room = Room::default();
        self.orders.iter().for_each(|(t, order)| room.air.reread_order(order, *t));
        room.air.reread(&Committed::for_a_test(Entries { events: self.events.clone(), done: Vec::new() }));
        room
    }

    /// The line they see at this second; none while they see no table.
    fn at(&mut self, now: u64) -> Option<String> {
        self.air.elapse(now * 1000);
        assert!(self.air.due().is_none_or(|due| due > now * 1000), "what is due has come");
        self.show();
        self.view().map(|view| view.line.to_string())
    }

    fn view(&self) -> Option<TableView> {
        self.shown.clone()
    }

    fn show(&mut self) {
        for Picture(shown) in self.air.pictures() {
            match shown {
                Pictured::Table(_, view) => self.shown = view.map(|view| *view),
                Pictured::Round(round) => self.rounds.push((round.round, round.stage)),
            }
        }
    }

    fn order(&mut self, now: u64, order: Order) {
        self.orders.push((now * 1000, order.clone()));
        let done = vec![Done { order, events: Vec::new(), said: Vec::new() }];
        self.air.take(&Committed::for_a_test(Entries { done, events: Vec::new() }), now * 1000);
    }

    fn round(&mut self, t: u64, stage: protocol::feed::Stage) -> &mut Room {
        let round = RoundView { event: "open".into(), round: 1, stage, ..RoundView::default() };
        self.say(TableEvent { table: None, t: t * 1000, event: Entry::Round { round: Box::new(round) }.into() })
    }

    fn tell(&mut self, t: u64, entry: Entry) -> &mut Room {
        self.say(TableEvent { table: Some(table(1)), t: t * 1000, event: entry.into() })
    }

    fn say(&mut self, event: TableEvent) -> &mut Room {
        self.events.push(event.clone());
        let now = self.air.now.max(event.t);
        self.air.take(&Committed::for_a_test(Entries { events: vec![event], done: Vec::new() }), now);
        self
    }

    fn pair(&mut self, t: u64, white: &str) -> &mut Room {
        let white = Player { name: white.to_owned(), ..Player::default() };
        self.tell(
            t,
            Entry::Paired {
                white,
                black: Player::default(),
                time_control: Some(TimeControl { base_s: 60, increment_s: 0 }),
            },
        )
    }

    fn begin(&mut self, t: u64) -> &mut Room {
        let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".to_owned();
        self.tell(t, Entry::Started { game: 1, fen, variant: Variant::Standard });
        self.tell(t, Entry::State { state: State::Playing })
    }

    /// Moves that become final, one a second.
    fn play(&mut self, t: u64, sans: &[&str]) -> &mut Room {
        for (at, san) in sans.iter().enumerate() {
            let (fen, uci) = ("8/8/8/8/8/8/8/8 b - - 0 1".to_owned(), "a1a2".to_owned());
            let (ply, san, clock_ms) = (at + 1, (*san).to_owned(), Some(59_000));
            self.tell(t + at as u64, Entry::Final { ply, san, uci, fen, clock_ms, inferred: false, illegal: false });
        }
        self
    }

    /// A move that its player pressed the clock after.
    fn press(&mut self, t: u64, ply: usize, clock_ms: u64) -> &mut Room {
        let turn = if ply.is_multiple_of(2) { 'w' } else { 'b' };
        let (san, uci) = (["e4", "e5", "Nf3"][ply - 1].to_owned(), "a1a2".to_owned());
        let (fen, clock_ms) = (format!("8/8/8/8/8/8/8/8 {turn} - - 0 1"), Some(clock_ms));
        self.tell(t, Entry::Final { ply, san, uci, fen, clock_ms, inferred: false, illegal: false })
    }

    /// What both clocks show to spectators, and since when.
    fn clock(&self) -> Option<(u64, u64, u64)> {
        let clock = self.view()?.clock?;
        Some((clock.white_ms, clock.black_ms, clock.at))
    }

    fn correct(&mut self, t: u64, from_ply: usize, old: &[&str], new: &[&str]) -> &mut Room {
        let [old, new] = [old, new].map(|line| line.iter().map(|san| (*san).to_owned()).collect());
        self.tell(t, Entry::Corrected { from_ply, old, new, reason: Correction::Arbiter })
    }

    fn score(&mut self, t: u64, score: Score) -> &mut Room {
        self.tell(t, Entry::Result { result: score.result(), reason: score.reason(), score: score.beyond_result() })
    }

    fn result(&mut self, t: u64, result: GameResult) -> &mut Room {
        self.tell(t, Entry::Result { result, reason: ResultReason::Arbiter, score: None });
        let state = if result == GameResult::Open { State::Playing } else { State::Ended };
        self.tell(t, Entry::State { state })
    }
}

fn delay(seconds: u32, plies: u16) -> Order {
    Order::to_hall(Command::Delay { event: None, seconds, plies })
}

fn table(table: u16) -> TableId {
    TableId { event: "open".to_owned(), round: 1, table }
}

#[test]
fn an_order_says_what_spectators_are_shown_and_one_that_says_it_again_that_nothing_changes() {
    let event = || Some("open".to_owned());
    for (command, said) in [
        (Command::Delay { event: event(), seconds: 900, plies: 0 }, "spectators are shown open 900 s late"),
        (Command::OnAir { event: None, tables: OnAir::First(3) }, "spectators are shown tables 1 to 3 of all events"),
        (
            Command::Withhold { player: "Xie Jun".to_owned(), withheld: true },
            "spectators are shown no table at which Xie Jun sits",
        ),
        (Command::TellLive { target: "club".to_owned(), live: true }, "club is told games as they happen"),
    ] {
        let (mut air, order) = (Air::default(), Order::to_hall(command));
        assert_eq!(air.effect(&order).as_deref(), Some(said));
        air.order(&order, 0);
        assert_eq!(air.effect(&order), Some(format!("nothing has changed: {said} already")));
    }
}
