//! What befalls a game now and then: men that stand wrong when it begins, and moves that are taken back.

use shakmaty::{Chess, Move, Piece, Position, Role, Square};

use super::{
    super::deed::{Deed, Meaning},
    people::People,
    swap::Swap,
};

impl People<'_> {
    /// Somebody sees that a king stands wrong: the clock is stopped, and the men change places.
    pub(super) fn mend_set_up(&mut self, swap: &Swap) {
        self.hand.wait_between((1_000, 5_000));
        self.hand.does(Deed::StopClock);
        for (color, [king, queen]) in swap.players() {
            self.hand.wait_between((2_000, 6_000));
            self.hand.lift(king);
            self.hand.takes(self.manner.noise.carry);
            self.hand.lift(queen);
            self.hand.takes(self.manner.noise.carry);
            self.hand.place(king, Role::King.of(color));
            self.hand.takes(self.manner.noise.carry);
            self.hand.place(queen, Role::Queen.of(color));
        }
        self.hand.wait_between((3_000, 8_000));
        self.hand.does(Deed::StartClock);
    }

    /// Plain moves that nobody keeps: they are played, rest, and are taken back one by one.
    pub(super) fn stray(&mut self, position: &Chess, ply: usize, plies: usize) {
        let mut position = position.clone();
        let mut taken = Vec::new();
        self.hand.does(Deed::Meant(Meaning::Strayed(ply)));
        for _ in 0..plies {
            let plain: Vec<Move> = position.legal_moves().into_iter().filter(|mv| is_plain(*mv, &position)).collect();
            let Some(mv) = self.hand.dice.pick(&plain) else { break };
            let (Some(from), to) = (mv.from(), mv.to()) else { break };
            let victim = self.hand.board.piece_at(to);
            self.hand.perform(mv, position.turn());
            self.hand.does(Deed::Meant(Meaning::Detour(mv)));
            taken.push((from, to, victim));
            position.play_unchecked(mv);
            self.hand.wait_between((2_500, 7_000));
        }
        for (from, to, victim) in taken.into_iter().rev() {
            self.take_back(from, to, victim);
        }
        self.hand.does(Deed::Meant(Meaning::TakenBack));
        self.hand.wait_between((2_500, 6_000));
    }

    fn take_back(&mut self, from: Square, to: Square, victim: Option<Piece>) {
        let Some(man) = self.hand.lift(to) else { return };
        self.hand.takes(self.manner.noise.carry);
        self.hand.place(from, man);
        if let Some(victim) = victim {
            self.hand.takes(self.manner.noise.carry);
            self.hand.place(to, victim);
        }
        self.hand.wait_between((300, 1_500));
    }
}

/// One man goes from one square to another, is no king on its way to show a result, and the game goes on.
fn is_plain(mv: Move, position: &Chess) -> bool {
    let mut after = position.clone();
    after.play_unchecked(mv);
    mv.role() != Role::King
        && matches!(mv, Move::Normal { promotion: None, .. })
        && !after.is_game_over()
        && !after.is_check()
}
