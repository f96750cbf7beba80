//! What people do when a game is over: they stop the clock, show the result, look at the game, and put the men back.

use shakmaty::{Board, Color, KnownOutcome, Piece, Position, Square};

use super::{
    super::{
        count::Kind,
        deed::{Deed, Meaning},
        games::Game,
        gesture::Left,
    },
    People,
};

/// From the last press until the clock is stopped.
const CLOCK_STOPPED_MS: (u64, u64) = (500, 2_500);
/// From the end of the game until hands shake and something else is done with the men.
const AFTERMATH_MS: (u64, u64) = (3_000, 9_000);
/// All men are back on their squares within this.
const PUT_BACK_WITHIN_MS: u64 = 60_000;
/// From the set-up to the next game. Two seconds of stillness are the least that tells one from the other.
const NEXT_GAME_MS: u64 = 4_000;

impl People<'_> {
    /// Clock stopped, result shown, men put back.
    pub(super) fn end(&mut self, game: &Game, next: Option<&Game>) {
        let ending = self.manner.noise.ending;
        self.hand.wait_between(CLOCK_STOPPED_MS);
        self.hand.does(Deed::StopClock);
        self.hand.does(Deed::Meant(Meaning::Ended));
        let before = self.hand.board.clone();
        if let Some(outcome) = game.outcome
            && self.hand.dice.happens(Kind::ResultSignalled, ending.signal)
        {
            self.signal(outcome);
        }
        self.hand.wait_between(AFTERMATH_MS);
        if self.hand.dice.happens(Kind::Analysis, ending.analysis) {
            self.set_up(&before);
            self.analyse(game);
        }
        let back = self.hand.dice.happens(Kind::PutBack, if next.is_some() { 1.0 } else { ending.put_back });
        if back {
            let target = next.map_or(Board::new(), |next| next.start.board().clone());
            self.set_up(&target);
            self.hand.wait(NEXT_GAME_MS);
            self.hand.does(Deed::Meant(Meaning::Ready));
        }
        self.keep();
    }

    /// Both kings in the middle: on light squares White has won, on dark ones Black, on one of each it is a draw.
    fn signal(&mut self, outcome: KnownOutcome) {
        let ending = self.manner.noise.ending;
        let (white, black) = match outcome.winner() {
            Some(Color::White) => (Square::E4, Square::D5),
            Some(Color::Black) => (Square::D4, Square::E5),
            None => (Square::E4, Square::E5),
        };
        let king = |board: &Board, color| board.king_of(color);
        let stands = |board: &Board, color, on| king(board, color) == Some(on);
        let crossed = stands(&self.hand.board, Color::White, black) || stands(&self.hand.board, Color::Black, white);
        let (white, black) = if crossed { (black, white) } else { (white, black) };
        self.hand.wait_between((1_000, 4_000));
        let first = if self.hand.dice.chance(0.5) { Color::White } else { Color::Black };
        for (order, color) in [first, !first].into_iter().enumerate() {
            let to = if color.is_white() { white } else { black };
            if order == 1 {
                self.second_king(ending.late);
            }
            let Some(from) = king(&self.hand.board, color).filter(|from| *from != to) else { continue };
            if self.hand.lift(to).is_some() {
                self.hand.takes(self.manner.noise.carry);
            }
            let Some(piece) = self.hand.lift(from) else { continue };
            self.hand.takes(self.manner.noise.carry);
            self.hand.place(to, piece);
        }
        self.hand.does(Deed::Meant(Meaning::Signalled(outcome)));
    }

    fn second_king(&mut self, late: f64) {
        const SECONDS: (u64, u64) = (3_000, 9_000);
        if self.hand.dice.happens(Kind::ResultLate, late) {
            self.hand.wait_between(SECONDS);
        } else {
            self.hand.takes(self.manner.noise.ending.second_king);
        }
    }

    /// A few legal moves without the clock.
    fn analyse(&mut self, game: &Game) {
        let mut position = game.start.clone();
        game.moves.iter().for_each(|mv| position.play_unchecked(*mv));
        for _ in 0..2 + self.hand.dice.index(5) {
            let legal = position.legal_moves();
            let Some(mv) = self.hand.dice.pick(&legal) else { return };
            self.hand.wait_between((1_000, 6_000));
            let left = self.hand.perform(mv, position.turn());
            match left {
                Left::Nothing => {}
                Left::Victim(square) => {
                    self.hand.wait(1_000);
                    self.hand.lift(square);
                }
                Left::Promotion(square, piece) => {
                    self.hand.wait(1_000);
                    self.hand.place(square, piece);
                }
            }
            position.play_unchecked(mv);
        }
    }

    /// Every man to where `target` has it, in any order.
    fn set_up(&mut self, target: &Board) {
        let begun = self.hand.now;
        let from = self.hand.deeds.len();
        let mut wanted: Vec<(Square, Piece)> = target.clone().into_iter().collect();
        self.hand.dice.shuffle(&mut wanted);
        for (square, piece) in wanted {
            if self.hand.board.piece_at(square) == Some(piece) {
                continue;
            }
            self.hand.lift(square);
            let spare = self.hand.board.by_piece(piece).into_iter().find(|from| target.piece_at(*from) != Some(piece));
            if let Some(spare) = spare {
                self.hand.lift(spare);
            }
            self.hand.takes(self.manner.noise.carry);
            self.hand.place(square, piece);
            self.hand.wait_between((60, 250));
        }
        for surplus in self.hand.board.occupied() & !target.occupied() {
            self.hand.lift(surplus);
            self.hand.wait_between((60, 250));
        }
        self.hurry(from, begun);
    }

    /// Nobody takes longer than a minute for it.
    fn hurry(&mut self, from: usize, begun: u64) {
        let took = self.hand.now - begun;
        if took <= PUT_BACK_WITHIN_MS {
            return;
        }
        for timed in &mut self.hand.deeds[from..] {
            timed.at = begun + (timed.at - begun) * PUT_BACK_WITHIN_MS / took;
        }
        self.hand.now = begun + PUT_BACK_WITHIN_MS;
    }
}
