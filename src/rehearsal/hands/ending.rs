//! What people do when a game is over: they stop the clock, show the result, look at the game, and put the men back.

use shakmaty::{Board, Color, KnownOutcome, Piece, Position, Square};

use super::{
    super::{
        count::Kind,
        deed::{Deed, Meaning},
        games::Game,
        gesture::Left,
        trial::Given,
    },
    people::People,
};

/// From the last press until the clock is stopped.
const CLOCK_STOPPED_MS: (u64, u64) = (500, 2_500);
/// From the end of the game until hands shake and something else is done with the men.
const AFTERMATH_MS: (u64, u64) = (3_000, 9_000);
/// All men are back on their squares within this.
const PUT_BACK_WITHIN_MS: u64 = 60_000;
/// From the set-up to the next game. Two seconds of stillness are the least that tells one from the other.
const NEXT_GAME_MS: u64 = 4_000;
/// How many moves players try, at least and at most.
const ANALYSIS_PLIES: (usize, usize) = (2, 6);
/// Until somebody tells the desk, who takes his time.
const DESK_MS: (u64, u64) = (15_000, 120_000);
/// The same with the men already at home.
const DESK_AFTER_MS: (u64, u64) = (3_000, 20_000);
/// How games end.
const OUTCOMES: [KnownOutcome; 3] = [
    KnownOutcome::Decisive { winner: Color::White },
    KnownOutcome::Decisive { winner: Color::Black },
    KnownOutcome::Draw,
];

impl People<'_> {
    /// Clock stopped, result shown, men put back.
    pub(super) fn end(&mut self, game: &Game, next: Option<Board>) {
        let ending = self.manner.noise.ending;
        let edges = self.manner.trial.edges;
        self.hand.wait_between(CLOCK_STOPPED_MS);
        if !edges.clock_runs_on {
            self.hand.does(Deed::StopClock);
        }
        self.hand.does(Deed::Meant(Meaning::Ended));
        let before = self.hand.board.clone();
        if let Some(outcome) = game.outcome
            && self.hand.dice.happens(Kind::ResultSignalled, ending.signal)
        {
            self.signal(outcome);
        }
        if edges.at_once {
            // A hand lets go of the king it has shown the result with before it takes up the next man.
            self.hand.takes(self.manner.noise.carry);
        } else {
            self.hand.wait_between(AFTERMATH_MS);
        }
        if self.hand.dice.happens(Kind::Analysis, ending.analysis) {
            self.set_up(&before);
            self.analyse(game);
            if edges.restored {
                self.hand.wait_between((1_000, 5_000));
                self.set_up(&before);
                self.hand.wait_between((2_000, 8_000));
            }
        }
        if edges.given == Some(Given::Late) && game.outcome.is_some() {
            self.hand.wait_between(DESK_MS);
            self.hand.does(Deed::Meant(Meaning::Given));
            self.hand.wait_between((500, 5_000));
        }
        let back = self.hand.dice.happens(Kind::PutBack, if next.is_some() { 1.0 } else { ending.put_back });
        if back {
            self.go_home(game, &next.unwrap_or_default());
        }
        self.keep();
    }

    /// The men go home, or to where the next game wants them.
    fn go_home(&mut self, game: &Game, target: &Board) {
        let edges = self.manner.trial.edges;
        if edges.clock_runs_on {
            self.hand.does(Deed::StopClock);
        }
        self.set_up(target);
        if edges.given == Some(Given::PutBack) && game.outcome.is_some() {
            self.hand.wait_between(DESK_AFTER_MS);
            self.hand.does(Deed::Meant(Meaning::Given));
        }
        let ready_for = edges.ready_for.map_or(NEXT_GAME_MS, |range| self.hand.dice.between(range));
        self.hand.wait(ready_for);
        self.hand.does(Deed::Meant(Meaning::Ready));
    }

    /// Both kings in the middle: on light squares White has won, on dark ones Black, on one of each it is a draw.
    fn signal(&mut self, outcome: KnownOutcome) {
        let ending = self.manner.noise.ending;
        self.other_kings_first(outcome);
        let (white, black) = centre(outcome);
        let stands = |board: &Board, color, on| board.king_of(color) == Some(on);
        let crossed = stands(&self.hand.board, Color::White, black) || stands(&self.hand.board, Color::Black, white);
        let (white, black) = if crossed { (black, white) } else { (white, black) };
        self.hand.wait_between((1_000, 4_000));
        let first = if self.hand.dice.chance(0.5) { Color::White } else { Color::Black };
        for (order, color) in [first, !first].into_iter().enumerate() {
            if order == 1 {
                self.second_king(ending.late);
            }
            self.king_to(color, if color.is_white() { white } else { black });
        }
        self.hand.does(Deed::Meant(Meaning::Signalled(outcome)));
    }

    /// One king to a square of the middle; who stands there makes room.
    fn king_to(&mut self, color: Color, to: Square) {
        let Some(from) = self.hand.board.king_of(color).filter(|from| *from != to) else { return };
        if self.hand.lift(to).is_some() {
            self.hand.takes(self.manner.noise.carry);
        }
        let Some(piece) = self.hand.lift(from) else { return };
        self.hand.takes(self.manner.noise.carry);
        self.hand.place(to, piece);
    }

    /// The kings go to the wrong squares, stand there for a moment or longer, and are put right.
    fn other_kings_first(&mut self, outcome: KnownOutcome) {
        /// Some only pass, some have already been read as a result.
        const STAND_MS: (u64, u64) = (200, 3_000);
        let share = self.manner.trial.edges.other_kings_first;
        if share == 0.0 || !self.hand.dice.happens(Kind::OtherKingsFirst, share) {
            return;
        }
        let others: Vec<KnownOutcome> = OUTCOMES.into_iter().filter(|other| *other != outcome).collect();
        let Some(other) = self.hand.dice.pick(&others) else { return };
        let (white, black) = centre(other);
        self.hand.wait_between((1_000, 4_000));
        // Each king goes where the other does not stand.
        let white_first = self.hand.board.king_of(Color::Black) != Some(white);
        let order = if white_first { [Color::White, Color::Black] } else { [Color::Black, Color::White] };
        for color in order {
            let to = if color.is_white() { white } else { black };
            if self.hand.board.king_of(!color) != Some(to) {
                self.king_to(color, to);
                self.hand.takes(self.manner.noise.ending.second_king);
            }
        }
        self.hand.wait_between(STAND_MS);
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
        let (least, most) = self.manner.trial.edges.analysis.unwrap_or(ANALYSIS_PLIES);
        // A clock that goes on is not looked at until its flag falls.
        let until = self.hand.now + *self.left.get(position.turn()) / 2;
        for _ in 0..least + self.hand.dice.index(most - least + 1) {
            let legal = position.legal_moves();
            let Some(mv) = self.hand.dice.pick(&legal) else { return };
            if self.manner.trial.edges.clock_runs_on && self.hand.now > until {
                return;
            }
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
            self.hand.does(Deed::Meant(Meaning::Tried(mv)));
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

/// Where the kings show it, White's first.
fn centre(outcome: KnownOutcome) -> (Square, Square) {
    match outcome.winner() {
        Some(Color::White) => (Square::E4, Square::D5),
        Some(Color::Black) => (Square::D4, Square::E5),
        None => (Square::E4, Square::E5),
    }
}
