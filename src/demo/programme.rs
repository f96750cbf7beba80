//! What is played where: the round, its boards, and the games of each.

use protocol::feed::{Command, Order, Player, TableId, TimeControl};

use crate::{
    journal::today,
    rehearsal::{self, Game, Profile},
};

/// Each board begins with another of the built-in games, so that no two tables look alike.
pub(super) const APART: usize = 3;

/// The event, in addresses.
const EVENT: &str = "rehearsal";

/// The serial number of the first board.
const FIRST_SERIAL: u32 = 20_001;

/// The order that opens the round.
pub fn round_order(profile: Profile) -> Order {
    let control = profile.time_control();
    let command = Command::OpenRound {
        event: EVENT.to_owned(),
        round: 1,
        title: "Rehearsal".to_owned(),
        site: String::new(),
        date: today(),
        time_control: Some(TimeControl { base_s: control.base, increment_s: control.increment }),
        rules: Box::default(),
    };
    Order::to_hall(command)
}

/// The order that puts a board on the table of its number.
pub fn board_order(board: u16) -> Order {
    Order::to_table(table(board), Command::Assign { board: serial(board).to_string() })
}

pub(super) fn table(board: u16) -> TableId {
    TableId { event: EVENT.to_owned(), round: 1, table: board }
}

pub(super) fn serial(board: u16) -> u32 {
    FIRST_SERIAL + u32::from(board) - 1
}

/// The games of one board, in the order it plays them.
fn programme(board: u16) -> Vec<Game> {
    let mut games = rehearsal::embedded();
    let first = (usize::from(board) - 1) * APART % games.len();
    games.rotate_left(first);
    games
}

/// Who plays the game of that number at a board.
pub(super) fn names(board: u16, number: usize) -> Command {
    let games = programme(board);
    let tags = &games[(number - 1) % games.len()].tags;
    let player = |tag: &str| {
        let name = tags.iter().find(|(name, _)| name == tag).map(|(_, name)| name.clone());
        Player { name: name.unwrap_or_default(), ..Player::default() }
    };
    Command::Pair { white: Box::new(player("White")), black: Box::new(player("Black")) }
}
