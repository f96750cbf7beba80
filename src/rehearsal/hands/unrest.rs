//! What people do beside moving: adjusting, touching, knocking over, and moves the rules do not know.

use shakmaty::{Chess, Color, Move, Piece, Position, Square};

use super::{
    super::{
        count::Kind,
        deed::{Deed, Meaning, Offence},
        noise::Spread,
    },
    people::People,
};

impl People<'_> {
    /// Adjustments, touches, accidents and offences before a move.
    pub(super) fn unrest(&mut self, position: &Chess, ply: usize, mv: Move) {
        let noise = self.manner.noise.unrest;
        if self.hand.dice.happens(Kind::Adjust, noise.adjust) {
            self.adjust(position.turn());
        }
        if self.hand.dice.happens(Kind::ThinkingTouch, noise.touch) {
            self.touch(position.turn(), mv);
        }
        if self.hand.dice.happens(Kind::KnockOver, noise.knock) {
            self.knock_over(mv);
        }
        if self.hand.dice.happens(Kind::IllegalMove, noise.illegal) {
            self.illegal_move(position, ply);
        }
    }

    fn adjust(&mut self, color: Color) {
        let mut men: Vec<Square> = self.hand.board.by_color(color).into_iter().collect();
        self.hand.dice.shuffle(&mut men);
        let count = 1 + self.hand.dice.index(4);
        for square in men.into_iter().take(count) {
            self.hold(square, self.manner.noise.unrest.adjust_held);
        }
    }

    fn touch(&mut self, color: Color, mv: Move) {
        let men: Vec<Square> =
            self.hand.board.by_color(color).into_iter().filter(|square| mv.from() != Some(*square)).collect();
        if let Some(square) = self.hand.dice.pick(&men) {
            self.hold(square, self.manner.noise.unrest.touch_held);
        }
    }

    fn hold(&mut self, square: Square, held: Spread) {
        let Some(piece) = self.hand.lift(square) else { return };
        self.hand.takes(held);
        self.hand.place(square, piece);
        self.hand.wait_between((200, 600));
    }

    /// The moving hand brushes its neighbours; then they are put back one by one.
    fn knock_over(&mut self, mv: Move) {
        let noise = self.manner.noise.unrest;
        let near = mv.from().unwrap_or(mv.to());
        let mut men: Vec<Square> = self.hand.board.occupied().into_iter().collect();
        men.sort_by_key(|square| square.distance(near));
        let count = self.hand.dice.between(noise.knock_men);
        men.truncate(usize::try_from(count).expect("a handful"));
        let begun = self.hand.now;
        let mut moments: Vec<u64> = men.iter().map(|_| self.hand.dice.between((0, noise.knock_within))).collect();
        moments.sort_unstable();
        let mut fallen = Vec::new();
        for (square, moment) in men.into_iter().zip(moments) {
            self.hand.now = begun + moment;
            fallen.extend(self.hand.lift(square).map(|piece| (square, piece)));
        }
        self.hand.dice.shuffle(&mut fallen);
        for (square, piece) in fallen {
            self.hand.takes(noise.restore);
            self.put_back(square, piece);
        }
        self.hand.wait(1_000);
    }

    fn put_back(&mut self, square: Square, piece: Piece) {
        let noise = self.manner.noise.unrest;
        let wrong = self.hand.dice.happens(Kind::KnockedToWrongSquare, noise.restore_wrong);
        if let Some(beside) = self.hand.free_beside(square).filter(|_| wrong) {
            self.hand.place(beside, piece);
            self.hand.takes(noise.restore);
            self.hand.lift(beside);
            self.hand.wait_between((200, 600));
        }
        self.hand.place(square, piece);
    }

    /// A move the rules do not know is pressed, seen, taken back with the lever turned, and the game goes on.
    fn illegal_move(&mut self, position: &Chess, ply: usize) {
        let color = position.turn();
        let Some((from, to)) = self.unlawful(position) else { return };
        let victim = self.hand.board.piece_at(to);
        let Some(piece) = self.hand.lift(from) else { return };
        self.hand.takes(self.manner.noise.carry);
        self.hand.place(to, piece);
        self.hand.takes(self.manner.noise.press);
        self.hand.press(color);
        self.hand.does(Deed::Meant(Meaning::Illegal(ply, Offence::IllegalMove)));
        self.noticed();
        self.hand.lift(to);
        self.hand.takes(self.manner.noise.carry);
        self.hand.place(from, piece);
        if let Some(victim) = victim {
            self.hand.takes(self.manner.noise.carry);
            self.hand.place(to, victim);
        }
        self.hand.wait(1_000);
        // The clock stands still: this turns the lever and adds no time.
        self.hand.press(!color);
        self.resume();
        self.hand.takes(self.manner.noise.press);
        self.hand.wait(1_000);
    }

    /// A man and a square where it may not go. No king is taken, and the board looks like no legal move.
    fn unlawful(&mut self, position: &Chess) -> Option<(Square, Square)> {
        let board = position.board();
        let legal = position.legal_moves();
        let men: Vec<Square> = board.by_color(position.turn()).into_iter().collect();
        for _ in 0..100 {
            let from = self.hand.dice.pick(&men)?;
            let to = Square::new(u32::try_from(self.hand.dice.index(64)).expect("below 64"));
            let allowed = !board.by_color(position.turn()).contains(to) && !board.kings().contains(to);
            let is_legal = legal.iter().any(|mv| mv.from() == Some(from) && mv.to() == to);
            if allowed && !is_legal {
                return Some((from, to));
            }
        }
        None
    }
}
