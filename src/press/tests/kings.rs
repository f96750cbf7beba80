//! Kings in the middle of the board show a result: receivers never see them as moves.

use hall::{Hall, Input, Out};
use protocol::{
    board::{Content, Link, Observation},
    feed::{Command, Order, TableId, Variant},
};

use super::*;

/// A pawn ending, White to move.
const BEGUN: &str = "8/3k4/8/8/8/5K2/P7/8 w - - 0 1";

#[test]
fn kings_in_the_middle_are_no_moves_for_receivers_though_each_was_a_legal_one() {
    let mut board = Board::set_up(BEGUN);
    board.moves(&[("a2", '.'), ("a4", 'P')], 8);
    board.moves(&[("d7", '.'), ("d6", 'k')], 8);
    assert_eq!(board.told(), "a4 Kd6");
    // White wins: the first king stands there for a quarter of a minute before the other comes.
    board.moves(&[("f3", '.'), ("e4", 'K')], 15);
    assert_eq!(board.told(), "a4 Kd6");
    board.moves(&[("d6", '.'), ("d5", 'k')], 15);
    board.order(Command::Confirm);
    board.wait(90);
    assert_eq!((board.told().as_str(), board.result().as_str()), ("a4 Kd6", "1-0"));
    assert_eq!(board.round.receiver.resets, 0, "nothing had to be taken back");
}

#[test]
fn a_king_that_walks_through_the_middle_is_told_once_it_is_answered_and_after_a_minute() {
    let mut board = Board::set_up(BEGUN);
    board.moves(&[("f3", '.'), ("e4", 'K')], 20);
    assert_eq!(board.told(), "");
    board.moves(&[("d7", '.'), ("d6", 'k')], 8);
    assert_eq!(board.told(), "Ke4 Kd6");
    board.moves(&[("e4", '.'), ("d4", 'K')], 40);
    assert_eq!(board.told(), "Ke4 Kd6");
    board.wait(30);
    assert_eq!(board.told(), "Ke4 Kd6 Kd4");
}

/// A real table without a clock, and a receiver.
struct Board {
    hall: Hall,
    round: Round,
}

impl Board {
    fn set_up(fen: &str) -> Board {
        let mut board = Board { hall: Hall::new(), round: Round::begin(0) };
        let open = Command::OpenRound {
            event: "open".to_owned(),
            round: 1,
            title: String::new(),
            site: String::new(),
            date: String::new(),
            time_control: None,
            rules: Box::default(),
        };
        board.give(&Input::Ordered(Order::to_hall(open)));
        board.order(Command::Assign { board: "1".to_owned() });
        let players = ["White, 1", "Black, 1"].map(|name| Player { name: name.to_owned(), ..Player::default() });
        let [white, black] = players.map(Box::new);
        board.order(Command::Pair { white, black });
        board.observe(Observation::Link(Link::Up));
        let men = fen.split(' ').next().unwrap_or_default().parse().expect("a placement");
        board.observe(Observation::Board(Box::new(men)));
        board.order(Command::NewGame { fen: Some(fen.to_owned()), variant: Variant::Standard });
        board.wait(10);
        board
    }

    /// Hands, half a second each, and so many seconds of rest.
    fn moves(&mut self, squares: &[(&str, char)], seconds: u64) {
        for (square, man) in squares {
            self.round.now += 500;
            let content = Content::try_from(*man).expect("a letter");
            self.observe(Observation::Square { square: square.parse().expect("a square"), content });
        }
        self.wait(seconds);
    }

    fn wait(&mut self, seconds: u64) {
        for _ in 0..seconds {
            let mut out = Vec::new();
            self.hall.elapse(self.round.now + 1000, &mut out);
            self.hear(out);
            self.round.pass(1);
        }
    }

    fn order(&mut self, command: Command) {
        self.give(&Input::Ordered(Order::to_table(table(), command)));
    }

    fn observe(&mut self, observation: Observation) {
        self.give(&Input::Observed { table: table(), board: "1".to_owned(), observation });
    }

    fn give(&mut self, input: &Input) {
        let mut out = Vec::new();
        self.hall.handle(input, self.round.now, &mut out).expect("it is taken");
        self.hear(out);
    }

    fn hear(&mut self, out: Vec<Out>) {
        for one in out {
            if let Out::Entry(table, t, entry) = one {
                self.round.games.apply(&TableEvent { table: Some(table), t, event: entry.into() });
            }
        }
    }

    fn told(&self) -> String {
        self.round.receiver.games().map(|game| game.line.join(" ")).collect()
    }

    fn result(&self) -> String {
        self.round.receiver.games().map(|game| game.result.clone()).collect()
    }
}

fn table() -> TableId {
    TableId { event: "open".to_owned(), round: 1, table: 1 }
}
