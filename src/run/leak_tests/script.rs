//! What happens at the tables, and in which future.

use protocol::feed::{Command, GameResult, OnAir, Order, Player, TableId, TimeControl, Variant};

use super::{DELAY_S, PARTED_S};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Future {
    One,
    Other,
    /// Something that spectators have seen is corrected.
    CorrectedLate,
}

/// What happens while spectators are a minute behind, then two, then half of one.
pub(super) fn behind_some_time(future: Future) -> Script {
    use Deed::{Board, Order};
    let mut deeds = opening(delay(DELAY_S, 0));
    deeds.extend([
        (420, Order(None, delay(120, 0))),
        (430, Order(Some(3), play("Bc5"))),
        (440, Order(Some(2), play("d4"))),
        (540, Order(None, delay(30, 0))),
        (600, Order(None, delay(0, 2))),
    ]);
    deeds.extend(match future {
        Future::One => {
            vec![(PARTED_S, Board), (460, Order(Some(3), play("O-O Nf6"))), (620, Order(Some(3), play("d3 d6 c3")))]
        }
        Future::Other => vec![
            (PARTED_S, Order(Some(1), Command::Result { result: GameResult::BlackWins.into() })),
            (455, Order(Some(4), play("d4 d5"))),
            (460, Order(Some(3), play("c3 Nf6 d4"))),
            (465, Order(None, open_round("cup").command)),
            (470, Order(Some(3), Command::Undo { plies: 2 })),
            (480, Order(Some(2), Command::Result { result: GameResult::Draw.into() })),
            (490, Order(Some(3), Command::Result { result: GameResult::WhiteWins.into() })),
            (500, Order(Some(3), Command::Result { result: GameResult::Open.into() })),
            (620, Order(Some(3), play("Nf6 d3 d6"))),
        ],
        Future::CorrectedLate => {
            vec![(PARTED_S, Order(Some(1), Command::Replace { ply: 4, played: "Nf6".into(), cut: true }))]
        }
    });
    in_order(deeds)
}

/// What happens while spectators are two moves behind, and after the restart half a minute too. The futures part before
/// it, in the last two moves of a game and at tables nobody is shown.
pub(super) fn behind_some_moves(future: Future) -> Script {
    use Deed::{Board, Order};
    let mut deeds = opening(delay(0, 2));
    deeds.extend([
        (240, Order(Some(3), play("Bc5"))),
        (260, Board),
        (410, Order(Some(3), delay(30, 2))),
        (600, Order(None, delay(0, 0))),
    ]);
    deeds.extend(match future {
        Future::Other => vec![
            (250, Order(Some(3), play("c3 d6"))),
            (255, Order(Some(3), Command::Undo { plies: 2 })),
            (258, Order(Some(3), play("d3 h6"))),
            (265, Order(Some(4), play("d4 d5"))),
            (270, Order(Some(2), Command::Result { result: GameResult::Draw.into() })),
            (420, Order(Some(3), Command::Undo { plies: 1 })),
            (425, Order(Some(3), play("a6"))),
            (440, Order(Some(3), play("c3"))),
        ],
        Future::One | Future::CorrectedLate => {
            vec![(250, Order(Some(3), play("O-O Nf6"))), (440, Order(Some(3), play("d3")))]
        }
    });
    in_order(deeds)
}

/// How the round begins in every future.
fn opening(delay: Command) -> Script {
    use Deed::{Board, Order};
    let mut deeds = vec![
        (10, Order(None, delay)),
        (12, Order(Some(1), pair("Xie Jun", "Polgár, Judit"))),
        (12, Order(Some(2), pair("Carlsen, Magnus", "Minor, A."))),
        (12, Order(Some(3), pair("Hou Yifan", "Ju Wenjun"))),
        (14, Order(None, Command::Withhold { player: "Minor, A.".into(), withheld: true })),
        (15, Order(None, Command::OnAir { event: Some("open".into()), tables: OnAir::First(3) })),
        (20, Order(Some(2), Command::Assign { board: "2".into() })),
        (20, Order(Some(3), Command::Assign { board: "3".into() })),
        (20, Order(Some(4), Command::Assign { board: "4".into() })),
        (30, Board),
        (31, Order(Some(2), game())),
        (31, Order(Some(3), game())),
        (31, Order(Some(4), game())),
        (50, Order(Some(3), play("e4 e5 Nf3 Nc6 Bb5"))),
        // A move is taken back before anybody outside has seen it.
        (60, Order(Some(3), Command::Undo { plies: 1 })),
        (100, Order(Some(3), play("Bc4"))),
    ];
    deeds.extend((0..4).map(|ply| (70 + 20 * ply, Board)));
    deeds
}

fn in_order(mut deeds: Script) -> Script {
    deeds.sort_by_key(|(at, _)| *at);
    deeds
}

/// What is done when, in seconds.
pub(super) type Script = Vec<(u64, Deed)>;

pub(super) enum Deed {
    Order(Option<u16>, Command),
    /// The next move on the first table's board, and the press after it; at first that it is plugged in.
    Board,
}

pub(super) fn delay(seconds: u32, plies: u16) -> Command {
    Command::Delay { event: None, seconds, plies }
}

fn pair(white: &str, black: &str) -> Command {
    let [white, black] = [white, black].map(|name| Player { name: name.to_owned(), ..Player::default() });
    Command::Pair { white: Box::new(white), black: Box::new(black) }
}

pub(super) fn game() -> Command {
    Command::NewGame { fen: None, variant: Variant::Standard }
}

pub(super) fn open_round(event: &str) -> Order {
    let command = Command::OpenRound {
        event: event.to_owned(),
        round: 1,
        title: "Spring".into(),
        site: String::new(),
        date: "2026.11.22".into(),
        time_control: Some(TimeControl { base_s: 5400, increment_s: 30 }),
        rules: Box::default(),
    };
    Order { at: None, command }
}

pub(super) fn play(moves: &str) -> Command {
    Command::Insert { ply: None, moves: moves.split(' ').map(str::to_owned).collect(), cut: false }
}

pub(super) fn table(table: u16) -> TableId {
    TableId { event: "open".to_owned(), round: 1, table }
}
