//! Our own count of the clocks: what is said when they show something else, and what is no reason to say so.

use protocol::feed::{Alert, AlertKind, ClockMode, Command, Entry, Period, PeriodStart, Rules, Side};

use crate::world::World;

fn rules(mode: ClockMode, periods: &[(Option<u16>, u32, u32)], next: PeriodStart) -> Rules {
    let period = |(moves, base_s, increment_s): &(Option<u16>, u32, u32)| Period {
        moves: *moves,
        base_s: *base_s,
        increment_s: *increment_s,
    };
    let periods = periods.iter().map(period).collect();
    Rules { clock_mode: mode, periods, second_period_start: next, ..Rules::default() }
}

/// An hour each and so many seconds a move, and the clock has been heard.
fn an_hour(mode: ClockMode, extra: u32) -> World {
    under(rules(mode, &[(None, 3600, extra)], PeriodStart::ByTime))
}

fn under(rules: Rules) -> World {
    let mut world = World::at_start();
    world.order(&Command::Rules { rules: Box::new(rules) });
    world.play("0 clock 3600 3600\n0 tick\n0.1 tick");
    world
}

/// Moves of ten seconds each; `added` is what the clock gives the presser in turn.
fn moves(world: &mut World, added: &[u32]) {
    const HANDS: [(&str, &str, &str); 4] = [("g1", "N", "f3"), ("g8", "n", "f6"), ("f3", "N", "g1"), ("f6", "n", "g8")];
    for (ply, seconds) in added.iter().enumerate() {
        let (from, man, to) = HANDS[ply % 4];
        world.play(&format!("3 lift {from}\n3.4 place {man} {to}\n10 press adds {seconds}"));
    }
    world.play("1 tick\n2 tick\n3 tick\n4 tick");
}

fn disagreements(world: &World) -> Vec<Alert> {
    let alert = |entry: &Entry| if let Entry::Alert(alert) = entry { Some((**alert).clone()) } else { None };
    world.entries().filter_map(alert).filter(|alert| alert.kind == AlertKind::ClockDisagrees).collect()
}

fn told(world: &World) -> Vec<Option<Side>> {
    disagreements(world).into_iter().map(|alert| alert.side).collect()
}

#[test]
fn a_clock_that_loses_a_minute_is_told_once_and_with_both_times() {
    let mut world = an_hour(ClockMode::Plain, 0);
    world.play("5 tick\n6 clock 3534 3600\n6 tick\n7 tick\n9 tick");
    let told = disagreements(&world);
    assert_eq!(told.len(), 1);
    assert_eq!(told[0].side, Some(Side::White));
    let evidence = told[0].evidence.clone().expect("both times");
    let (shown, counted) = (evidence.shown_ms.expect("what it shows"), evidence.counted_ms.expect("what we count"));
    assert!(counted.abs_diff(shown + 60_000) < 2000, "{shown} and {counted}");
    world.play("10 clock 3400 3600\n10 tick\n11 tick\n14 tick");
    assert_eq!(disagreements(&world).len(), 1, "nobody has touched the clock since");
    world.play("1 stop\n2 go\n3 tick\n4 clock 3000 3600\n4 tick\n7 tick");
    assert_eq!(disagreements(&world).len(), 2);
}

#[test]
fn it_is_told_though_no_other_reading_comes() {
    let mut world = an_hour(ClockMode::Plain, 0);
    world.play("6 clock 3594 3400\n6 tick");
    assert_eq!(told(&world), []);
    world.play("2.4 still");
    assert_eq!(told(&world), []);
    world.play("0.2 still");
    assert_eq!(told(&world), [Some(Side::Black)]);
}

#[test]
fn a_single_garbled_reading_is_a_slip_of_the_line() {
    let mut world = an_hour(ClockMode::Plain, 0);
    world.play("5 tick\n6 clock 30 3600\n6 tick\n7 clock 3593 3600\n7 tick\n12 tick");
    assert_eq!(told(&world), []);
}

#[test]
fn so_is_the_very_first_one() {
    let mut world = World::at_start();
    world.play("0 stop\n1 go\n2 clock 100 3600\n2 tick\n3 clock 3590 3600\n3 tick\n4 tick\n9 tick");
    assert_eq!(told(&world), []);
}

#[test]
fn a_clock_that_stands_though_it_says_it_runs_is_told() {
    let mut world = an_hour(ClockMode::Plain, 0);
    for _ in 0..10 {
        world.play("1 clock 3600 3600\n1 tick");
    }
    assert_eq!(told(&world), [Some(Side::White)]);
}

#[test]
fn an_increment_is_counted_and_a_missing_one_told() {
    let mut agreed = an_hour(ClockMode::Fischer, 30);
    moves(&mut agreed, &[30; 12]);
    assert_eq!(told(&agreed), []);
    let mut missing = an_hour(ClockMode::Fischer, 30);
    moves(&mut missing, &[0; 2]);
    assert_eq!(told(&missing), [Some(Side::White)]);
    let mut another = an_hour(ClockMode::Fischer, 3);
    moves(&mut another, &[5; 10]);
    assert_eq!(told(&another), [Some(Side::White)], "two seconds a move add up");
}

#[test]
fn what_bronstein_gives_back_is_no_increment() {
    let mut agreed = an_hour(ClockMode::Bronstein, 5);
    moves(&mut agreed, &[5; 12]);
    assert_eq!(told(&agreed), [], "ten seconds were used, five come back");
    let mut none_back = an_hour(ClockMode::Bronstein, 5);
    moves(&mut none_back, &[0; 4]);
    assert_eq!(told(&none_back), [Some(Side::White)]);
    let mut all_back = an_hour(ClockMode::Bronstein, 30);
    moves(&mut all_back, &[10; 12]);
    assert_eq!(told(&all_back), [], "never more than was used");
    let mut fischer = an_hour(ClockMode::Bronstein, 30);
    moves(&mut fischer, &[30; 4]);
    assert_eq!(told(&fischer), [Some(Side::White)]);
}

#[test]
fn under_delay_the_main_time_begins_to_run_late() {
    // The main time shows the hour for five seconds of each move.
    let think = |world: &mut World, left: [u32; 2], hands: (&str, &str, &str)| {
        let (from, man, to) = hands;
        let [white, black] = left;
        world.play(&format!(
            "0.1 clock {white} {black}\n0.1 tick\n3 lift {from}\n3.4 place {man} {to}\n5 clock {white} {black}\n5 tick"
        ));
        world.play("4 tick\n4.5 press");
    };
    let mut delay = an_hour(ClockMode::Delay, 5);
    think(&mut delay, [3600, 3600], ("g1", "N", "f3"));
    think(&mut delay, [3595, 3600], ("g8", "n", "f6"));
    delay.play("1 clock 3595 3595\n1 tick\n4 clock 3595 3595\n4 tick");
    assert_eq!(told(&delay), []);
    // A clock without delay has lost ten seconds where the count has five.
    let mut plain = an_hour(ClockMode::Delay, 5);
    moves(&mut plain, &[0; 2]);
    assert_eq!(told(&plain), [Some(Side::White)]);
}

#[test]
fn the_next_period_comes_with_its_last_move_where_that_was_agreed() {
    let agreed = || under(rules(ClockMode::Plain, &[(Some(2), 3600, 0), (None, 1800, 0)], PeriodStart::ByMoves));
    let mut adds = agreed();
    moves(&mut adds, &[0, 0, 1800, 1800, 0, 0]);
    assert_eq!(told(&adds), []);
    let mut forgets = agreed();
    moves(&mut forgets, &[0, 0, 0, 0, 0, 0]);
    assert_eq!(told(&forgets), [Some(Side::White)]);
}

#[test]
fn the_next_period_comes_when_the_time_is_used_up() {
    let by_time = rules(ClockMode::Plain, &[(Some(1), 20, 0), (None, 1800, 0)], PeriodStart::ByTime);
    let mut world = under(by_time);
    world.play("1 stop\n2 clock 20 20\n3 go\n3.1 tick");
    moves(&mut world, &[0, 0]);
    // It runs out three seconds before our count does.
    world.play("1 clock 2 10\n1 tick\n2 clock 1 10\n2 tick\n3 clock 1800 10\n3 tick\n4 tick\n5 tick\n6 tick\n9 tick");
    assert_eq!(told(&world), []);
}

#[test]
fn where_the_time_control_is_not_known_a_press_may_bring_anything_but_less() {
    let mut world = World::at_start();
    world.play("0 clock 3600 3600\n0 tick\n0.1 tick");
    moves(&mut world, &[30, 30, 30, 1800, 0, 0]);
    assert_eq!(told(&world), []);
    world.play("1 lift e2\n1.4 place P e4\n2 clock 3000 3600\n2 press\n3 tick\n6 tick");
    assert_eq!(told(&world).len(), 2, "both clocks have lost minutes");
}

#[test]
fn a_clock_set_by_the_arbiters_order_is_believed() {
    let order = Command::AdjustTimes { white_ms: 600_000, black_ms: 720_000 };
    let mut before = an_hour(ClockMode::Plain, 0);
    before.order(&order);
    before.play("1 tick\n3 tick\n5 clock 600 720\n5 tick\n6 tick\n10 tick");
    assert_eq!(told(&before), [], "the order first");
    let mut after = an_hour(ClockMode::Plain, 0);
    after.play("1 clock 600 720\n1 tick\n2 tick");
    after.order(&order);
    after.play("3 tick\n8 tick");
    assert_eq!(told(&after), [], "the clock first");
    let mut other = an_hour(ClockMode::Plain, 0);
    other.order(&order);
    other.play("1 tick\n3 tick\n5 clock 900 720\n5 tick\n6 tick\n10 tick");
    assert_eq!(told(&other).len(), 2, "not what was ordered");
}

#[test]
fn what_the_arbiter_has_ordered_and_no_face_ever_shows_is_told() {
    let owed = Command::AdjustTimes { white_ms: 3_600_000, black_ms: 3_720_000 };
    let mut never = an_hour(ClockMode::Plain, 0);
    never.order(&owed);
    never.play("1 tick\n30 tick\n59 tick");
    assert_eq!(told(&never), [], "somebody may be on the way to it");
    never.play("61 tick\n62 tick\n70 tick");
    assert_eq!(told(&never), [Some(Side::Black)]);
    let evidence = disagreements(&never)[0].evidence.clone().expect("both times");
    assert_eq!((evidence.shown_ms, evidence.counted_ms), (Some(3_600_000), Some(3_720_000)));

    let mut stopped = an_hour(ClockMode::Plain, 0);
    stopped.order(&owed);
    stopped.play("1 stop\n20 go\n21 tick\n50 tick\n82 tick");
    assert_eq!(told(&stopped), [Some(Side::Black)], "it was stopped and not set");

    let mut set = an_hour(ClockMode::Plain, 0);
    set.order(&owed);
    set.play("1 stop\n10 clock 3600 3720\n20 go\n21 tick\n50 tick\n90 tick");
    assert_eq!(told(&set), [], "it was set while it stood");

    let mut late = an_hour(ClockMode::Plain, 0);
    late.order(&owed);
    late.play("1 tick\n30 tick\n40 clock 3560 3720\n40 tick\n41 tick\n120 tick");
    assert_eq!(told(&late), [], "it was set while it ran");
}

#[test]
fn a_clock_that_was_stopped_may_have_been_set() {
    let mut world = an_hour(ClockMode::Plain, 0);
    world.play("1 stop\n10 clock 900 720\n20 go\n21 tick\n26 tick");
    assert_eq!(told(&world), []);
}

#[test]
fn what_happened_while_nothing_was_heard_is_not_judged() {
    let mut world = an_hour(ClockMode::Plain, 0);
    world.play("1 down\n10 clock 900 720\n20 up\n21 tick\n26 tick");
    assert_eq!(told(&world), []);
}

#[test]
fn whole_seconds_that_come_late_add_up_to_nothing() {
    let mut world = an_hour(ClockMode::Fischer, 2);
    // White's presses are heard later than Black's, by up to a second.
    for late in [0.9, 0.2, 0.6, 0.4, 0.9, 0.1] {
        for (late, from, man, to) in
            [(late, "g1", "N", "f3"), (0.1, "g8", "n", "f6"), (late, "f3", "N", "g1"), (0.1, "f6", "n", "g8")]
        {
            let heard = 17.0 + late;
            world.play(&format!("3 lift {from}\n3.4 place {man} {to}\n17 unheard press adds 2\n{heard} tick"));
        }
    }
    world.play("1 tick\n5 tick");
    assert_eq!(told(&world), []);
}

#[test]
fn before_the_first_move_a_clock_set_for_another_game_is_told() {
    let agreed = || rules(ClockMode::Fischer, &[(None, 5400, 30)], PeriodStart::ByTime);
    let started = |ms: &str| {
        let mut world = under(agreed());
        // The players of the game before have stopped it, and a new game begins.
        world.play("1 stop");
        world.order(&Command::NewGame { fen: None, variant: protocol::feed::Variant::Standard });
        world.play(&format!("2 clock {ms} {ms}\n3 go\n4 tick\n7 tick"));
        told(&world).len()
    };
    assert_eq!((started("5430"), started("5400"), started("3600")), (0, 2, 2));
}

#[test]
fn a_clock_that_waits_for_the_arbiter_is_left_alone() {
    let mut world = an_hour(ClockMode::Plain, 0);
    world.order(&Command::Stop);
    world.play("5 tick\n6 clock 3530 3600\n6 tick\n7 tick");
    world.order(&Command::Resume);
    world.play("1 tick\n5 tick");
    assert_eq!(told(&world), []);
}

#[test]
fn a_game_that_is_over_keeps_its_times_and_the_next_one_shows_what_was_set_for_it() {
    let mut world = an_hour(ClockMode::Plain, 0);
    moves(&mut world, &[0, 0]);
    let shown = |world: &World| world.clocks().last().copied();
    world.order(&Command::Result { result: protocol::feed::Score::Draw });
    let at_end = shown(&world);
    world.play("1 tick\n2 stop\n2.1 tick");
    let stopped = shown(&world);
    assert_ne!(stopped, at_end, "that it was stopped is told");
    world.play("10 clock 900 900\n10 tick\n11 tick");
    assert_eq!(shown(&world), stopped, "nobody plays by what is set for the next game");
    world.order(&Command::NewGame { fen: None, variant: protocol::feed::Variant::Standard });
    assert_eq!(shown(&world), Some((900_000, 900_000)));
}
