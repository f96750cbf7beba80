//! Changes of earlier games, as everybody is told who may see the table.

use protocol::feed::{
    Entry, GameResult, HallView, Player, ResultReason, Score, TableEvent, TableId, Variant,
    v2::{Change, Extent, Table},
};

const FEN: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

#[test]
fn a_result_given_to_an_earlier_game_is_told_to_everybody_who_sees_the_table() {
    let mut view = HallView::default();
    let player = |name: &str| Player { name: name.into(), ..Player::default() };
    tell(&mut view, Entry::Paired { white: player("A"), black: player("B"), time_control: None });
    for game in [1, 2] {
        tell(&mut view, Entry::Started { game, fen: FEN.into(), variant: Variant::Standard });
    }
    let before = view.tables[0].clone();
    assert_eq!((before.earlier[0].game, before.earlier[0].result), (1, GameResult::Open));
    let result = Entry::Result { result: GameResult::Draw, reason: ResultReason::Arbiter, score: None };
    tell(&mut view, Entry::Earlier { game: 1, entry: Box::new(result) });
    let after = &view.tables[0];
    assert_eq!(after.result, GameResult::Open, "the game that is on has none");
    let change = Change::between(Some(&before), after, Extent::LastMove).expect("something has changed");
    assert_eq!(Change { earlier: change.earlier.clone(), ..Change::default() }, change);
    let mut page = Table::of(&before, Extent::LastMove);
    page.apply(&change);
    assert_eq!(page, Table::of(after, Extent::LastMove));
    assert_eq!(page.earlier[0].result, GameResult::Draw);
    let score = Some(Score::BothLost);
    let result = Entry::Result { result: GameResult::Open, reason: ResultReason::Arbiter, score };
    tell(&mut view, Entry::Earlier { game: 1, entry: Box::new(result) });
    assert_eq!((view.tables[0].earlier[0].score, view.tables[0].score), (score, None));
}

#[test]
fn the_game_that_is_on_can_be_meant_by_its_number() {
    let mut view = HallView::default();
    tell(&mut view, Entry::Started { game: 1, fen: FEN.into(), variant: Variant::Standard });
    let result = Entry::Result { result: GameResult::WhiteWins, reason: ResultReason::Arbiter, score: None };
    tell(&mut view, Entry::Earlier { game: 1, entry: Box::new(result) });
    assert_eq!((view.tables[0].result, view.tables[0].earlier.len()), (GameResult::WhiteWins, 0));
}

fn tell(view: &mut HallView, entry: Entry) {
    let table = Some(TableId { event: "open".into(), round: 3, table: 1 });
    view.apply(&TableEvent { table, t: 1, event: entry.into() });
}
