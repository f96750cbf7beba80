//! A clock that has told, and whose presses fail: the operator is told, and may say that it does not tell.

use protocol::feed::{Alert, AlertKind, Command, Entry, Severity, Staff};

use crate::world::World;

/// e4 e5, both pressed.
const PRESSED: &str = "0.0 lift e2\n0.5 place P e4\n1.0 press\n2.0 lift e7\n2.5 place p e5\n3.0 press\n4.0 still";

/// Five plies that nobody presses for, and the sixth.
const FIVE: &str = "1.0 lift g1\n1.5 place N f3\n3.0 lift b8\n3.5 place n c6\n5.0 lift f1\n5.5 place B b5\n
    7.0 lift a7\n7.5 place p a6\n9.0 lift b5\n9.5 place B a4";
const SIXTH: &str = "1.5 lift g8\n2.0 place n f6\n2.5 still";

const LINE: &str = "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6";

fn tells(tells: bool) -> Command {
    Command::ClockTells { tells }
}

fn silent(world: &World) -> Vec<Alert> {
    let alert = |entry: &Entry| if let Entry::Alert(alert) = entry { Some((**alert).clone()) } else { None };
    world.entries().filter_map(alert).filter(|alert| alert.kind == AlertKind::ClockSilent).collect()
}

/// The clock told twice, and then nobody pressed for six plies.
fn unpressed() -> World {
    let mut world = World::at_start();
    world.play(PRESSED).play(FIVE).play(SIXTH);
    world
}

#[test]
fn presses_that_fail_for_six_plies_are_told_to_the_operator_alone_and_once() {
    let mut world = World::at_start();
    world.play(PRESSED).play(FIVE);
    assert_eq!(silent(&world), [], "it is the sixth that tells");
    world.play(SIXTH);
    let told = silent(&world);
    assert_eq!(told.len(), 1);
    assert_eq!((told[0].severity, told[0].audience.as_slice()), (Severity::Info, &[Staff::Operator][..]));
    assert_eq!((world.record().as_str(), world.seen().as_str()), ("e4 e5", LINE), "it goes on telling");
    world.play("1.0 lift e1\n1.3 place K g1\n1.6 lift h1\n1.9 place R f1\n3.0 lift f8\n3.5 place b e7\n4.0 still");
    assert_eq!(silent(&world).len(), 1, "once");
}

#[test]
fn it_is_told_again_only_after_a_press_has_completed_a_ply() {
    let mut world = unpressed();
    world.play("0.5 press white\n0.7 press black\n2.0 still");
    assert_eq!(world.record(), LINE, "a press of each side completes a ply");
    world.play("1.0 lift d2\n1.5 place P d3\n3.0 lift b7\n3.5 place p b5\n5.0 lift a4\n5.5 place B b3");
    world.play("1.0 lift d7\n1.5 place p d6\n3.0 lift c2\n3.5 place P c3\n5.0 lift f8\n5.5 place b e7\n6.0 still");
    assert_eq!(silent(&world).len(), 2);
}

#[test]
fn a_clock_that_is_pressed_in_between_that_stands_or_that_never_told_is_not_silent() {
    let mut between = World::at_start();
    between.play(PRESSED).play(FIVE).play("0.5 press white\n1 still").play(SIXTH);
    assert_eq!(silent(&between), [], "the fifth was pressed");

    let mut stands = World::at_start();
    stands.play(PRESSED).play("0.5 stop").play(FIVE).play(SIXTH);
    assert_eq!(silent(&stands), [], "nobody can press a clock that stands");

    let mut never = World::at_start();
    never.play(&PRESSED.replace("1.0 press\n", "").replace("3.0 press\n", "")).play(FIVE).play(SIXTH);
    assert_eq!(silent(&never), [], "nobody waits for a clock that has never told");
}

#[test]
fn plies_nobody_could_hear_being_pressed_do_not_count() {
    let mut world = World::at_start();
    world.play(PRESSED).play("0.0 down\n1.0 still");
    for (from, man, to) in
        [("g1", "N", "f3"), ("b8", "n", "c6"), ("f1", "B", "c4"), ("f8", "b", "c5"), ("d2", "P", "d3")]
    {
        world.play(&format!("1.0 unheard lift {from}\n1.5 unheard place {man} {to}"));
    }
    world.play("1.0 unheard lift g8\n1.5 unheard place n f6\n2.0 up\n4.0 still");
    assert_eq!(world.seen(), "e4 e5 Nf3 Nc6 Bc4 Nf6 d3 Bc5");
    assert_eq!(silent(&world), []);
}

#[test]
fn a_clock_of_which_it_is_said_that_it_does_not_tell_is_waited_for_no_more() {
    let mut world = unpressed();
    world.order(&tells(false));
    world.play("2.0 still");
    assert_eq!(world.record(), LINE, "the last one by its rest");
    world.play("1.0 lift e1\n1.3 place K g1\n1.6 lift h1\n1.9 place R f1\n3.0 lift f8\n3.5 place b e7\n4.0 still");
    assert_eq!(world.record(), format!("{LINE} O-O"), "and what follows by a reply");

    world.play("1.0 lift f1\n1.5 place R e1\n2.0 press\n3.0 still");
    assert_eq!(world.record(), format!("{LINE} O-O Be7 Re1"));
    world.play("1.0 lift b7\n1.5 place p b5\n5.0 still");
    assert_eq!(world.record(), format!("{LINE} O-O Be7 Re1"), "a press has completed a ply: it tells");
}

#[test]
fn the_word_that_a_clock_does_not_tell_is_taken_back() {
    let mut world = World::at_start();
    world.play(PRESSED);
    world.order(&tells(false));
    world.order(&tells(true));
    world.play("1.0 lift g1\n1.5 place N f3\n6.0 still");
    assert_eq!((world.record().as_str(), world.seen().as_str()), ("e4 e5", "e4 e5 Nf3"));
}

#[test]
fn nothing_is_said_of_the_clock_to_a_table_without_a_game() {
    let mut world = World::with(&shakmaty::Board::empty(), protocol::board::Lie::Straight, None);
    let refusal = world.refuse(&tells(false));
    assert_eq!(refusal, "no game has begun at this table: put the men on their squares first");
}
