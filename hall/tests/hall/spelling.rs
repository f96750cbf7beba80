//! Moves that orders write down as people do, in the letters of their event, reach the journal as programs spell them.

use protocol::feed::{Address, Claim, Command, Notation, Order, Side, Variant};

use crate::events::{Day, open, pairings, table};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
/// King and rook both reach d1, and two knights d2.
const SHARED: &str = "4k3/8/8/8/8/1N3N2/8/R3K3 w - - 0 1";

/// A game that is kept by hand at an event with these letters, from this position on.
fn kept(notation: Notation, fen: &str) -> Day {
    let mut day = Day::default();
    day.order(pairings(1, &[(1, "A", "B")])).expect("a list");
    day.order(open(1)).expect("a round");
    let (event, notation) = ("open".to_owned(), Some(notation));
    let described =
        Command::Event { event, title: None, site: None, days: None, time_control: None, rules: None, notation };
    day.order(described).expect("an event");
    let begin = Command::NewGame { fen: Some(fen.to_owned()), variant: Variant::Standard };
    day.at(1, begin).expect("a round that is open");
    day
}

/// What is journalled of an order, or why it is none.
fn settled(day: &Day, game: Option<u32>, command: Command) -> Result<Command, String> {
    let at = Some(Address { table: table(1), game });
    day.hall.settled(Order { at, command }).map(|(order, _)| order.command).map_err(|refusal| refusal.to_string())
}

fn inserted(day: &Day, texts: &[&str]) -> Result<Vec<String>, String> {
    let moves = texts.iter().map(|text| (*text).to_owned()).collect();
    let Command::Insert { moves, .. } = settled(day, None, Command::Insert { ply: None, moves, cut: false })? else {
        panic!("another order")
    };
    Ok(moves)
}

#[test]
fn moves_are_read_in_the_letters_of_the_event_and_in_those_of_programs() {
    let line = ["e4", "e5", "Nf3", "Nc6", "Bb5", "Nf6", "O-O"];
    for (notation, texts) in [
        (Notation::German, ["e4", "e5", "Sf3", "Sc6", "Lb5", "Sf6", "0-0"]),
        (Notation::Spanish, ["e2-e4", "e5", "Cf3", "Cc6", "Ab5", "Cf6", "0-0"]),
        (Notation::Figurines, ["e4", "e5", "♘f3", "♞c6", "♗b5", "♘f6", "O-O"]),
        (Notation::English, ["e4", "e7e5", "Ng1-f3", "nc6", "f1b5", "Nf6", "e1g1"]),
        // A guest's own letters, where they mean nothing to anybody else.
        (Notation::English, ["e4", "e5", "Sf3", "Sc6", "Lb5", "Cf6", "0-0"]),
        (Notation::German, ["e4", "e5", "Nf3", "Nc6", "Bb5", "Nf6", "O-O"]),
    ] {
        assert_eq!(inserted(&kept(notation, START), &texts).as_deref(), Ok(&line.map(str::to_owned)[..]), "{texts:?}");
    }
}

#[test]
fn numbers_between_the_moves_are_no_moves() {
    let texts = ["1.", "e4", "e5", "2.Sf3", "2...", "Sc6"];
    assert_eq!(inserted(&kept(Notation::German, START), &texts).expect("moves"), ["e4", "e5", "Nf3", "Nc6"]);
}

#[test]
fn what_may_be_either_of_two_moves_is_asked_for_again() {
    let asked = |notation, text| inserted(&kept(notation, SHARED), &[text]).expect_err("it may be either");
    let either = asked(Notation::Spanish, "Rd1");
    assert!(either.contains("a1d1 in English") && either.contains("e1d1 in those of the event"), "{either}");
    assert_eq!(asked(Notation::German, "Sd2"), "\"Sd2\" may be Nbd2 or Nfd2: say which");
    assert_eq!(inserted(&kept(Notation::German, SHARED), &["Rd1"]).as_deref(), Ok(&["Rd1".to_owned()][..]));
    assert_eq!(inserted(&kept(Notation::Spanish, SHARED), &["e1d1"]).as_deref(), Ok(&["Kd1".to_owned()][..]));
}

#[test]
fn what_nobody_can_read_is_left_to_whoever_carries_it_out() {
    let mut day = kept(Notation::Spanish, START);
    for text in ["Rd1", "Zf3", "", "e5"] {
        assert_eq!(inserted(&day, &["e4", "e5", text]).expect("moves")[..2], ["e4", "e5"], "{text}");
        let insert = Command::Insert { ply: None, moves: vec![text.to_owned()], cut: false };
        let sentence = day.at(1, insert).expect_err("no move").to_string();
        assert!(sentence.ends_with("is no legal move for White at move 1"), "{sentence}");
    }
}

#[test]
fn a_move_of_an_earlier_game_is_read_where_it_stood() {
    let mut day = kept(Notation::German, START);
    let moves = ["e4", "e5", "Nf3"].map(str::to_owned).to_vec();
    day.at(1, Command::Insert { ply: None, moves, cut: false }).expect("moves");
    day.at(1, Command::NewGame { fen: None, variant: Variant::Standard }).expect("another game");
    for game in [Some(1), Some(7), None] {
        let replace = Command::Replace { ply: 3, played: "Lc4".to_owned(), cut: false };
        let Ok(Command::Replace { played, .. }) = settled(&day, game, replace) else { panic!("{game:?}") };
        assert_eq!(played, if game == Some(1) { "Bc4" } else { "Lc4" }, "{game:?}");
    }
}

#[test]
fn the_move_that_a_player_intends_is_written_as_on_the_scoresheet() {
    let day = kept(Notation::German, SHARED);
    for (claim, text, expected) in [
        (Claim::Threefold, "Td1", "a1d1"),
        (Claim::Fifty, "a1d1", "a1d1"),
        (Claim::Threefold, "Kd1", "e1d1"),
        (Claim::Threefold, "Tb8", "Tb8"),
    ] {
        let order = Command::Claim { side: Side::White, claim, intended: Some(text.to_owned()) };
        let Ok(Command::Claim { intended, .. }) = settled(&day, None, order) else { panic!("{text}") };
        assert_eq!(intended.as_deref(), Some(expected));
    }
}
