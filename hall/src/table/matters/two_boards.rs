//! Two boards in one game, as with a blind player: a move is taken from the board of the player who made it, and the other
//! board is compared with the game.

use laws::Rule;
use protocol::{
    board::{Contents, Observation},
    feed::{Alert, AlertKind, Blind, BoardShown, Evidence, MoveShown, Side},
};
use shakmaty::{Board, Chess, Position as _, san::SanPlus};

use crate::{
    Millis, Ply,
    hand::Sign,
    table::{boards::Twin, finding, record::Game, turn::Turn, whole::Table},
};

impl Table {
    /// Each of the players has a board, and both can be heard and name their men. Hands on a board that names nobody are
    /// followed by what they did there before.
    pub(crate) fn shares_boards(&self) -> bool {
        let both_name = self.hand.names() && self.boards.twin().is_none_or(Twin::names);
        self.agreed.rules().blind != Blind::None && self.boards.other().is_some() && both_name
    }

    /// Whose board is followed, where each has one.
    pub(crate) fn side_followed(&self) -> Option<Side> {
        self.boards.pair().side_of(self.boards.followed()?).filter(|_| self.shares_boards())
    }

    /// Men are in holes on the board that is followed.
    pub(crate) fn feels_pegs(&self) -> bool {
        let rules = self.agreed.rules();
        if self.shares_boards() { self.side_followed().is_some_and(|side| rules.blind.is(side)) } else { rules.pegs }
    }

    /// The board that is not followed reported something.
    pub(crate) fn hear_twin(&mut self, observation: &Observation, now: Millis) {
        if self.boards.hear_twin(observation, now) {
            self.meet_twin();
        }
    }

    /// The record or what is seen has changed.
    pub(crate) fn stir_twin(&mut self, now: Millis) {
        self.boards.stir_twin(now);
        self.meet_twin();
    }

    fn meet_twin(&mut self) {
        if let Some(game) = self.record.game() {
            self.boards.meet_twin(game, &self.record.seen(), self.hand.lie());
        }
    }

    /// Follows the board of the player who has the move, as soon as all moves have been brought to it. While a move is
    /// seen that is not final it stays where that is made: it may still become another one.
    pub(crate) fn share_boards(&mut self, turn: &mut Turn) {
        if !self.shares_boards() || !self.desk.is_playing() {
            return;
        }
        self.find_sides();
        let Some((twin, game)) = self.boards.twin().zip(self.record.game()) else { return };
        let (position, other) = (game.position(), self.boards.other().map(String::as_str).unwrap_or_default());
        let has_the_move = self.boards.pair().side_of(other) == Some(position.turn().into());
        let is_up_to_date = || twin.shows(position) || twin.move_from(position).is_some();
        if self.record.tail().is_empty() && has_the_move && is_up_to_date() {
            self.follow_other(turn);
        }
    }

    /// Of two boards that show the same the one that shows a move first is the mover's.
    fn find_sides(&mut self) {
        let (Some(followed), Some(other)) = (self.boards.followed().cloned(), self.boards.other().cloned()) else {
            return;
        };
        let Some((twin, game)) = self.boards.twin().zip(self.record.game()) else { return };
        if self.boards.pair().side_of(&followed).is_some() {
            return;
        }
        let position = game.position();
        let side = position.turn().into();
        let first = if self.record.tail().is_empty() { self.other_moves_first(twin, position) } else { false };
        if first {
            self.boards.pair_mut().find(side, &other);
        } else if !self.record.tail().is_empty() && twin.shows(position) {
            self.boards.pair_mut().find(side, &followed);
        }
    }

    /// The board that is followed shows this position, and the other one a move from there.
    fn other_moves_first(&self, twin: &Twin, position: &Chess) -> bool {
        self.hand.difference(position.board()).is_empty() && twin.move_from(position).is_some()
    }

    /// Who presses has moved: where that was done on the other board only, it is taken from there.
    pub(crate) fn take_from_other(&mut self, side: Side, turn: &mut Turn) {
        if !self.shares_boards() || !self.desk.is_playing() || !self.record.tail().is_empty() {
            return;
        }
        let Some((twin, game)) = self.boards.twin().zip(self.record.game()) else { return };
        let position = game.position();
        if side == Side::from(position.turn()) && self.other_moves_first(twin, position) {
            self.follow_other(turn);
        }
    }

    fn follow_other(&mut self, turn: &mut Turn) {
        let Some(game) = self.record.game() else { return };
        let shown = Contents::of(self.hand.board(), self.hand.lie());
        let Some(contents) = self.boards.exchange(shown, game.ply(), turn.now()) else { return };
        self.tell_hand(&Sign::Pegs(self.feels_pegs()), turn);
        self.signal_hand(&Sign::Board(Box::new(contents)), turn);
    }

    /// When the boards have been at rest for long enough to be compared.
    pub(crate) fn twin_at(&self) -> Option<Millis> {
        let twin = self.boards.twin().filter(|_| self.agreed.rules().blind != Blind::None)?;
        let (since, is_between) = twin.rests()?;
        let settings = self.agreed.settings();
        Some(since + if is_between { settings.mismatch_rest_ms } else { settings.boards_differ_ms })
    }

    pub(crate) fn compare_boards(&mut self, turn: &mut Turn) {
        let seen = self.record.seen();
        let played = self.record.game().filter(|_| self.desk.is_playing());
        let twin = self.boards.judge_twin(played.map(|game| (game, &seen))).cloned();
        let Some((twin, game)) = twin.as_ref().zip(self.record.game()) else { return };
        let (common, squares) = twin.difference(game, self.hand.board());
        let evidence = Some(Evidence { squares: finding::names(squares), ..Evidence::default() });
        let boards = self.both_shown(twin, game);
        let note = finding::by(Rule::BoardsDiffer, AlertKind::BoardsDiffer, None, self.agreed.conditions());
        turn.say(note.map(|note| Alert { plies: Some(common.count()), evidence, boards, ..note }));
    }

    /// Both boards, each as it stands and as it came there.
    fn both_shown(&self, twin: &Twin, game: &Game) -> Vec<BoardShown> {
        let shown = |board: Option<&String>, men: &Board, to: Ply, beyond: Vec<MoveShown>| {
            let board = board.cloned().unwrap_or_default();
            let side = self.boards.pair().side_of(&board);
            let at = |ply| self.boards.pair().reached(&board, ply).or(game.made(ply)?.placed);
            let plies = Ply::START.later(to).zip(game.sans());
            let mut moves = plies.map(|(ply, san)| MoveShown { san: san.to_owned(), at: at(ply) }).collect::<Vec<_>>();
            moves.extend(beyond);
            BoardShown { board, side, placement: men.to_string(), moves }
        };
        let seen = self.record.sans_after(self.record.tail()).into_iter().map(|san| MoveShown { san, at: None });
        let agreed = game.position_after(twin.agreed());
        let other = agreed.and_then(|agreed| Some(SanPlus::from_move(agreed.clone(), twin.move_from(agreed)?)));
        let other = other.map(|san| MoveShown { san: san.to_string(), at: Some(twin.changed()) });
        vec![
            shown(self.boards.followed(), self.hand.board(), game.ply(), seen.collect()),
            shown(self.boards.other(), &twin.board(self.hand.board()), twin.agreed(), other.into_iter().collect()),
        ]
    }
}
