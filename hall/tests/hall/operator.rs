//! What the operator may do to a record, and what is refused with a sentence.

use protocol::feed::{AlertKind, Clocks, Command, Correction, Entry, GameResult, Period, Proposal, Rules, Side, State};

use crate::world::World;

/// e4 e5 Nf3 Nc6, all pressed.
fn four_plies() -> World {
    let mut world = World::at_start();
    world.play(
        "0.0 lift e2\n0.5 place P e4\n1.0 press\n2.0 lift e7\n2.5 place p e5\n3.0 press
        4.0 lift g1\n4.5 place N f3\n5.0 press\n6.0 lift b8\n6.5 place n c6\n7.0 press\n9.0 still",
    );
    assert_eq!(world.record(), "e4 e5 Nf3 Nc6");
    world
}

fn replace(ply: usize, played: &str, cut: bool) -> Command {
    Command::Replace { ply, played: played.to_owned(), cut }
}

fn insert(ply: Option<usize>, moves: &[&str], cut: bool) -> Command {
    Command::Insert { ply, moves: moves.iter().map(|san| (*san).to_owned()).collect(), cut }
}

fn set(fen: &str) -> Command {
    Command::SetPosition { fen: fen.to_owned() }
}

/// The last correction: from which ply, what stood there, what stands there.
fn corrected(world: &World) -> (usize, String, String) {
    let found = world.entries().filter_map(|entry| {
        let Entry::Corrected { from_ply, old, new, reason: Correction::Arbiter } = entry else { return None };
        Some((*from_ply, old.join(" "), new.join(" ")))
    });
    found.last().expect("the record was corrected by order")
}

#[test]
fn a_replaced_move_keeps_the_later_ones_that_fit() {
    let mut world = four_plies();
    world.order(&replace(3, "Nh3", false));
    assert_eq!(world.record(), "e4 e5 Nh3 Nc6");
    assert_eq!(corrected(&world), (3, "Nf3 Nc6".to_owned(), "Nh3 Nc6".to_owned()));
    world.order(&replace(1, "d2d4", false));
    assert_eq!(world.record(), "d4 e5 Nh3 Nc6");
}

#[test]
fn a_replacement_that_breaks_later_moves_is_refused_unless_they_may_be_cut() {
    let mut world = four_plies();
    let refusal = world.refuse(&replace(2, "Nc6", false));
    assert_eq!(
        refusal,
        "from ply 4 (Nc6) on the record does not fit any more: add \"cut\": true to take back from there"
    );
    assert_eq!(world.record(), "e4 e5 Nf3 Nc6");
    world.order(&replace(2, "Nc6", true));
    assert_eq!(world.record(), "e4 Nc6 Nf3");
}

#[test]
fn missing_moves_are_inserted_before_a_ply_or_at_the_end() {
    let mut world = four_plies();
    world.order(&insert(Some(3), &["a3", "a7a6"], false));
    assert_eq!(world.record(), "e4 e5 a3 a6 Nf3 Nc6");
    assert_eq!(corrected(&world), (3, "Nf3 Nc6".to_owned(), "a3 a6 Nf3 Nc6".to_owned()));
    world.order(&insert(None, &["Bb5"], false));
    assert_eq!(world.record(), "e4 e5 a3 a6 Nf3 Nc6 Bb5");
    let refusal = world.refuse(&insert(Some(2), &["d5"], false));
    assert!(refusal.starts_with("from ply 2 (e5) on"), "{refusal}");
}

#[test]
fn a_move_that_is_inserted_is_still_to_be_made_on_the_board_and_accuses_nobody() {
    let mut world = four_plies();
    world.order(&insert(None, &["Bb5"], false));
    world.play("9 still\n10 lift f1\n14 place B b5\n15 press\n16 lift a7\n17 place p a6\n18 press\n20 still");
    assert_eq!((world.record().as_str(), world.alerts()), ("e4 e5 Nf3 Nc6 Bb5 a6", vec![]));
}

#[test]
fn what_can_not_be_done_to_a_record_is_said_in_sentences() {
    let mut world = four_plies();
    for (order, sentence) in [
        (replace(5, "a3", false), "there is no ply 5: the record has 4, choose 1 to 4"),
        (replace(0, "a3", false), "there is no ply 0"),
        (replace(4, "Nc3", false), "Nc3 is no legal move for Black at move 2..."),
        (insert(Some(6), &["a3"], false), "there is no ply 6: the record has 4, choose 1 to 5"),
        (insert(None, &[], false), "which moves?"),
        (Command::Choose { alternative: 1 }, "there is nothing to choose"),
        (Command::SetTurn { side: Side::Black }, "after 4 moves of the record it is White's turn"),
        (Command::SetTurn { side: Side::White }, "it is White's turn already"),
        (set("8/8/8/8/8/8/8/8 w - - 0 1"), "is no position to play from"),
    ] {
        let refusal = world.refuse(&order);
        assert!(refusal.contains(sentence), "{order:?}: {refusal}");
    }
    assert_eq!(world.record(), "e4 e5 Nf3 Nc6");
}

#[test]
fn a_position_of_the_game_takes_later_moves_back_and_another_begins_it_anew() {
    let mut world = four_plies();
    world.order(&set("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"));
    assert_eq!(world.record(), "e4 e5");
    world.order(&set("4k3/8/8/8/8/8/4P3/4K3 b - - 0 1"));
    assert_eq!((world.record().as_str(), world.games()), ("", 2));
    world.play("0.0 set 8/4k3/8/8/8/8/4P3/4K3\n5.0 still");
    assert_eq!(world.seen(), "Ke7");
    assert_eq!(world.table.games(), 1, "it is the same game");
}

#[test]
fn the_side_to_move_can_be_set_before_the_first_move() {
    let mut world = World::from_fen_without_clock("4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1");
    world.order(&Command::SetTurn { side: Side::Black });
    world.play("0.0 lift e7\n0.5 place p e5\n4.0 still");
    assert_eq!(world.record(), "e5");
}

#[test]
fn a_move_that_mates_ends_the_game_when_it_is_put_in() {
    let mut world = World::from_fen("7k/5Q2/6K1/8/8/8/8/8 w - - 0 1");
    world.order(&insert(None, &["Qg7#"], false));
    assert_eq!((world.result(), world.alerts()), (GameResult::win(Side::White), vec![AlertKind::Checkmate]));
}

/// The rook goes to a4 in two moves and the king back and forth, or some other way, while nothing is heard.
fn open_gap() -> World {
    let mut world = World::from_fen("4k3/8/8/8/8/8/4P3/R3K2R w KQ - 0 1");
    world.play(
        "0.0 down\n1.0 unheard lift h1\n1.1 unheard place R h4\n1.2 unheard lift e8\n1.3 unheard place k d8
        2.0 unheard lift h4\n2.1 unheard place R a4\n2.5 unheard lift d8\n2.6 unheard place k e8\n5.0 up\n7.0 still",
    );
    assert!(world.alerts().contains(&AlertKind::Ambiguous), "{:?}", world.alerts());
    world
}

#[test]
fn lines_to_choose_from_are_none_any_more_once_moves_are_written_down() {
    let mut world = open_gap();
    world.order(&insert(None, &["Rh4", "Kd8", "Rha4", "Ke8"], false));
    assert!(world.refuse(&Command::Choose { alternative: 2 }).contains("nothing to choose"));
    assert_eq!(world.record(), "Rh4 Kd8 Rha4 Ke8");
}

#[test]
fn an_open_gap_is_closed_by_choosing_its_story() {
    let mut world = open_gap();
    let lines = world.alternatives();
    assert!(world.is_held() && lines.len() > 1, "{lines:?}");
    let refusal = world.refuse(&Command::Choose { alternative: lines.len() + 1 });
    assert!(refusal.contains(&format!("choose 1 to {}", lines.len())), "{refusal}");
    let chosen = Command::Choose { alternative: 2 };
    world.order(&chosen);
    assert_eq!(world.record(), lines[1]);
    assert!(
        world.entries().any(|entry| *entry == Entry::Noted { order: Box::new(chosen.clone()) }),
        "the alert is answered"
    );
    assert!(!world.is_held());
    assert!(world.refuse(&Command::Choose { alternative: 1 }).contains("nothing to choose"));
}

#[test]
fn another_order_of_the_same_moves_can_be_chosen_later() {
    let mut world = World::without_clock();
    world.play(
        "0.0 down\n1.0 unheard lift e2\n1.1 unheard place P e4\n1.2 unheard lift e7\n1.3 unheard place p e5
        1.4 unheard lift g1\n1.5 unheard place N f3\n5.0 up\n8.0 still\n9.0 lift b8\n9.5 place n c6\n14.0 still",
    );
    let lines = world.alternatives();
    assert_eq!((world.record(), lines[1].as_str()), ("e4 e5 Nf3 Nc6".to_owned(), "Nf3 e5 e4"));
    world.order(&Command::Choose { alternative: 2 });
    assert_eq!(world.record(), "Nf3 e5 e4 Nc6");
}

/// The times offered with the last order, as they were read and by the formula, in seconds.
fn times(world: &World) -> (Option<[u64; 2]>, Option<[u64; 2]>) {
    let offered = |entry: &Entry| if let Entry::Proposal(proposal) = entry { Some(proposal.clone()) } else { None };
    let Proposal { clocks_ms, clocks_1993_ms, .. } = world.entries().filter_map(offered).last().unwrap_or_default();
    let seconds = |clocks: Clocks| [clocks.white.div_ceil(1000), clocks.black.div_ceil(1000)];
    (clocks_ms.map(seconds), clocks_1993_ms.map(seconds))
}

#[test]
fn with_a_position_to_restore_come_the_times_that_were_read_and_those_of_1993() {
    let restored = |edition: u16, increment_s: u32, to: usize| {
        let mut world = World::at_start();
        let periods = vec![
            Period { moves: Some(40), base_s: 7200, increment_s },
            Period { moves: None, base_s: 3600, increment_s },
        ];
        world.order(&Command::Rules { rules: Box::new(Rules { edition, periods, ..Rules::default() }) });
        world.play(
            "0.0 clock 7200 7200\n0.0 lift e2\n0.5 place P e4\n1.0 press\n2.0 lift e7\n2.5 place p e5\n3.0 press
            4.0 lift g1\n4.5 place N f3\n5.0 press\n6.0 lift b8\n6.5 place n c6\n7.0 press
            8.0 stop\n9.0 clock 6000 6600\n9.1 stop\n10 still",
        );
        world.order(&Command::Restore { to });
        assert_eq!(world.state(), State::Playing);
        times(&world)
    };
    // Twenty minutes and ten were used for two moves each; half of that for one.
    assert_eq!(restored(1993, 0, 0), (None, Some([6600, 6900])));
    assert_eq!(restored(1993, 0, 2), (Some([7199, 7198]), Some([6000, 6600])));
    assert_eq!(restored(2023, 0, 2), (Some([7199, 7198]), None), "later editions leave it to the arbiter");
    assert_eq!(restored(1993, 30, 2).1, None, "no clock of that time added anything");
}
