//! Clocks move by move: what is added, when periods change, when a flag falls.

use laws::{
    Edition, TimeClass,
    clock::{Control, ControlAhead, Extra, Flag, NextPeriod, Period, PlayerClock, used_at_1993},
};

const SECOND: u64 = 1000;
const MINUTE: u64 = 60 * SECOND;

#[test]
fn bronstein_and_delay_differ_only_with_less_left_than_the_free_time() {
    for used in [1, 2, 3, 10, 250] {
        let (mut bronstein, mut delay) = (clock("5b3"), clock("5d3"));
        assert_eq!((bronstein.complete(used * SECOND), delay.complete(used * SECOND)), (None, None));
        assert_eq!(bronstein.remaining_ms(), delay.remaining_ms(), "{used} s");
    }
    let (mut bronstein, mut delay) = (clock("0.05b5"), clock("0.05d5"));
    assert!(bronstein.complete(4 * SECOND).is_some(), "three seconds of main time are over");
    assert_eq!(delay.complete(4 * SECOND), None, "they have not begun to run");
    assert_eq!(delay.remaining_ms(), 3 * SECOND);
}

#[test]
fn bronstein_never_gives_more_than_was_used() {
    let mut bronstein = clock("5b3");
    for _ in 0..20 {
        bronstein.complete(SECOND);
    }
    assert_eq!(bronstein.remaining_ms(), 5 * MINUTE);
}

#[test]
fn a_flag_falls_when_nothing_is_left() {
    let mut plain = clock("1");
    assert_eq!(plain.complete(MINUTE - 1), None);
    assert_eq!(plain.remaining_ms(), 1);
    let fallen = Flag { period: 0, completed: 1, needed: None };
    assert_eq!(plain.complete(1), Some(fallen));
    assert_eq!((plain.remaining_ms(), plain.fallen()), (0, Some(fallen)));
}

#[test]
fn nothing_is_added_once_the_control_is_exceeded() {
    let mut fischer = clock("1+30");
    assert!(fischer.complete(2 * MINUTE).is_some());
    assert!(fischer.complete(SECOND).is_some());
    assert_eq!(fischer.remaining_ms(), 0);
}

#[test]
fn time_saved_goes_on_to_the_next_period() {
    let mut by_moves = clock("2/10:5");
    by_moves.complete(MINUTE);
    assert_eq!((by_moves.period(), by_moves.remaining_ms()), (0, 9 * MINUTE));
    by_moves.complete(MINUTE);
    assert_eq!((by_moves.period(), by_moves.remaining_ms()), (1, 13 * MINUTE));
}

#[test]
fn by_time_the_next_period_comes_when_the_first_has_run_out() {
    let control = control("2/10:5").entered(NextPeriod::ByTime);
    let mut clock = PlayerClock::new(control);
    clock.complete(MINUTE);
    clock.complete(MINUTE);
    assert_eq!((clock.period(), clock.remaining_ms()), (0, 8 * MINUTE), "the count of presses opens nothing");
    assert_eq!(clock.complete(9 * MINUTE), None);
    assert_eq!((clock.period(), clock.remaining_ms()), (1, 4 * MINUTE));
}

#[test]
fn by_time_a_lacking_move_is_found_when_the_time_runs_out() {
    let mut clock = PlayerClock::new(control("2/10:5").entered(NextPeriod::ByTime));
    clock.complete(MINUTE);
    // The second move is being thought about: it is not completed when the ten minutes are over.
    assert_eq!(clock.complete(9 * MINUTE), Some(Flag { period: 0, completed: 1, needed: Some(2) }));
}

#[test]
fn a_last_period_with_a_number_of_moves_repeats() {
    let mut clock = clock("2/2:1/1");
    for _ in 0..5 {
        assert_eq!(clock.complete(0), None);
    }
    assert_eq!((clock.period(), clock.remaining_ms()), (4, 6 * MINUTE));
}

#[test]
fn the_increment_of_the_next_period_comes_with_its_first_move() {
    let mut clock = clock("1/1+10:1+20");
    assert_eq!(clock.remaining_ms(), 70 * SECOND);
    clock.complete(0);
    assert_eq!(clock.remaining_ms(), 70 * SECOND + MINUTE + 20 * SECOND);
}

#[test]
fn while_a_player_thinks_the_free_time_goes_first() {
    let delay = clock("5d3");
    let at = |ms| (delay.showing(ms).main_ms, delay.showing(ms).free_ms);
    assert_eq!(at(0), (5 * MINUTE, 3 * SECOND));
    assert_eq!(at(2 * SECOND), (5 * MINUTE, SECOND));
    assert_eq!(at(4 * SECOND), (5 * MINUTE - SECOND, 0));
}

#[test]
fn a_charge_may_cost_the_game_and_a_bonus_does_not_count_a_move() {
    let mut charged = clock("5");
    assert_eq!(charged.charge(4 * MINUTE), None);
    assert!(charged.charge(5 * MINUTE).is_some());
    let mut given = clock("5");
    given.give(2 * MINUTE);
    assert_eq!((given.remaining_ms(), given.completed()), (7 * MINUTE, 0));
}

#[test]
fn sixty_moves_count_for_the_class_whatever_the_periods() {
    let class = |text: &str| control(text).class(Edition::E2023);
    assert_eq!(class("40/90+30:30+30"), TimeClass::Standard);
    assert_eq!(class("40/20:10+10"), TimeClass::Rapid, "thirty minutes, and ten seconds for twenty moves");
    assert_eq!(class("10+0"), TimeClass::Blitz);
    assert_eq!(class("10+1"), TimeClass::Rapid);
    assert_eq!(class("59.999"), TimeClass::Rapid);
    assert_eq!(class("5d5"), TimeClass::Blitz, "a delay counts like an increment");
    assert_eq!(control("0.5").class(Edition::E1993), TimeClass::Standard);
}

#[test]
fn what_is_no_time_control_is_refused_with_an_example() {
    for text in ["", "x", "90+", "+30", "40/", "90:30", "40/90:30:30", "0/5", "-5", "90+30s", "5.0001", "999999999999"]
    {
        let refused = text.parse::<Control>().expect_err(text).to_string();
        assert!(refused.contains("90+30"), "{refused}");
    }
    let spaced: Control = " 40/90 + 30 : 30 + 30 ".parse().expect("spaces don't matter");
    let period = |moves: Option<u32>, minutes: u64| Period {
        moves: moves.and_then(std::num::NonZeroU32::new),
        base_ms: minutes * MINUTE,
        extra: Extra::Fischer(30 * SECOND),
    };
    assert_eq!(spaced, Control::new(period(Some(40), 90), vec![period(None, 30)], NextPeriod::ByMoves));
}

#[test]
fn the_formula_of_1993_leaves_five_minutes_and_a_minute_a_move() {
    let control = |minutes: u64, last_move| Some(ControlAhead { allotted_ms: minutes * MINUTE, last_move });
    assert_eq!(used_at_1993(90 * MINUTE, 30, 20, control(120, 40)), 60 * MINUTE, "plenty is left");
    assert_eq!(used_at_1993(119 * MINUTE, 39, 38, control(120, 40)), 115 * MINUTE, "five minutes for two moves");
    assert_eq!(used_at_1993(119 * MINUTE, 20, 18, control(120, 40)), 98 * MINUTE, "a minute for each of 22 moves");
    assert_eq!(used_at_1993(0, 0, 0, None), 0);
}

fn clock(text: &str) -> PlayerClock {
    PlayerClock::new(control(text))
}

fn control(text: &str) -> Control {
    text.parse().expect(text)
}
