//! The next move of a stroll to mate, by a guess: the winner's men gather round the king, the loser takes its flights away.

use shakmaty::{Bitboard, Board, Chess, Color, Move, Position, Rank, Role, Square, attacks};

use super::{
    aim::{Checks, Hits},
    guide,
    reach::{attacked, reach},
};

/// What a check costs that does not mate: it drives the king out of its corner, or its men between.
const CHECK: i32 = 8;

/// What a check by the loser costs: it only disturbs.
const DISTURBANCE: i32 = 6;

/// What going straight back is worth.
const WORST: i32 = -40;

/// What a guess goes by beside the position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mood {
    /// How far the stroll has come, or more: what went round in a circle leaves it by a little disorder.
    pub(super) disorder: u32,
    /// The side's last move: it does not go back at once.
    pub(super) last: Option<Move>,
    /// Squares to leave alone, since somebody intends something there.
    pub(super) reserved: Bitboard,
}

/// A guess.
pub(super) enum Guess {
    Mate(Move),
    /// Hardly ever it is not legal, but for a pin.
    Move(Move),
}

impl Mood {
    /// A guess for the side to move. `None`: it knows no move.
    pub(super) fn guess(&self, position: &Chess, winner: Color) -> Option<Guess> {
        if position.is_check() { self.choose_legal(position, winner) } else { self.choose(position, winner, None) }
    }

    /// The same among legal moves only.
    pub(super) fn choose_legal(&self, position: &Chess, winner: Color) -> Option<Guess> {
        self.choose(position, winner, Some(&position.legal_moves()))
    }

    fn choose(&self, position: &Chess, winner: Color, legal: Option<&[Move]>) -> Option<Guess> {
        let board = position.board();
        let (king, other_king) = (board.king_of(position.turn())?, board.king_of(!position.turn())?);
        let mut best = Best { mood: self, tested: legal.is_some(), score: i32::MIN, next: None };
        if position.turn() == winner {
            let mut attack = Attack::on(other_king, position);
            match legal {
                Some(legal) => legal.iter().filter_map(Step::of).for_each(|step| {
                    let now = attack.value(step.role, step.from);
                    attack.offer(step, now, &mut best);
                }),
                None => attack.look_around(king, &mut best),
            }
            if let Some(mate) = attack.mate {
                return Some(Guess::Mate(mate));
            }
        } else {
            let help = Help::for_attack_on(king, other_king, position);
            match legal {
                Some(legal) => legal.iter().filter_map(Step::of).for_each(|step| help.offer(step, &mut best)),
                None => help.look_around(&mut best),
            }
        }
        best.next.map(Guess::Move)
    }
}

/// The best move so far.
struct Best<'a> {
    mood: &'a Mood,
    /// Whether the steps are known to be legal.
    tested: bool,
    score: i32,
    next: Option<Move>,
}

/// A step of a man. Castling and en passant are left to the search.
#[derive(Clone, Copy)]
struct Step {
    role: Role,
    from: Square,
    to: Square,
    promotion: Option<Role>,
}

impl Step {
    fn of(next: &Move) -> Option<Step> {
        match *next {
            Move::Normal { role, from, to, promotion, .. } => Some(Step { role, from, to, promotion }),
            Move::EnPassant { .. } | Move::Castle { .. } | Move::Put { .. } => None,
        }
    }

    fn on(self, board: &Board) -> Move {
        let Step { role, from, to, promotion } = self;
        Move::Normal { role, from, capture: board.role_at(to), to, promotion }
    }
}

impl Best<'_> {
    #[inline]
    fn offer(&mut self, board: &Board, step: Step, worth: i32) {
        // What the noise may add at the most.
        if worth + i32::try_from(self.mood.disorder / 8).unwrap_or(0) > self.score {
            self.weigh(board, step, worth);
        }
    }

    fn weigh(&mut self, board: &Board, step: Step, worth: i32) {
        let back = self.mood.last.is_some_and(|last| last.to() == step.from && last.from() == Some(step.to));
        let score = if back { WORST } else { worth + self.mood.noise(step) - self.mood.trouble(step) };
        if score > self.score && (self.tested || step.role != Role::King || is_safe(board, step)) {
            self.score = score;
            self.next = Some(step.on(board));
        }
    }
}

/// Whether a king's step leads to where it is not attacked.
fn is_safe(board: &Board, step: Step) -> bool {
    let side = Color::from_white(board.white().contains(step.from));
    board.attacks_to(step.to, !side, board.occupied().without(step.from)).is_empty()
}

impl Mood {
    fn noise(&self, step: Step) -> i32 {
        let squares = u32::from(step.to) * 64 + u32::from(step.from);
        let mixed = squares.wrapping_add(self.disorder.wrapping_mul(4096)).wrapping_mul(0x9E37_79B1) >> 16;
        i32::try_from((mixed * (1 + self.disorder / 8)) >> 16).unwrap_or(0)
    }

    /// One of some squares: the first, until a stroll has become disorderly.
    fn any(&self, squares: Bitboard) -> Option<Square> {
        let by = if self.disorder < 8 { 0 } else { self.disorder.wrapping_mul(29) % 64 };
        let turned = Bitboard(squares.0.rotate_right(by)).first()?;
        Some(Square::new((u32::from(turned) + by) % 64))
    }

    fn trouble(&self, step: Step) -> i32 {
        let (from, to) = (self.reserved.contains(step.from), self.reserved.contains(step.to));
        if from || to || (self.reserved.any() && step.role == Role::King) { 30 } else { 0 }
    }
}

/// The winner's moves: best are those that add most attacks on the squares around the king.
struct Attack<'a> {
    position: &'a Chess,
    king: Square,
    zone: Bitboard,
    /// A king's way from each square.
    far: &'static [u8; 64],
    hits: Hits,
    checks: Checks,
    /// Neighbours of the king where it could go, once they are asked for: most positions have no check to look at.
    flights: Option<Bitboard>,
    /// What a pawn's step is worth: a side without rook or queen has to promote.
    push: i32,
    mate: Option<Move>,
}

impl Attack<'_> {
    fn on(king: Square, position: &Chess) -> Attack<'_> {
        let (board, winner) = (position.board(), position.turn());
        let (zone, occupied) = (attacks::king_attacks(king), board.occupied());
        let heavy = board.by_color(winner) & board.rooks_and_queens();
        Attack {
            position,
            king,
            zone,
            far: &guide::KING_STEPS[usize::from(king)],
            hits: Hits::on(zone, winner, occupied),
            checks: Checks::on(king, winner, occupied),
            flights: None,
            push: if heavy.any() { 0 } else { 5 },
            mate: None,
        }
    }

    /// Offers what may be worth it: of each piece the steps to where it attacks most.
    fn look_around(&mut self, own_king: Square, best: &mut Best) {
        let (board, winner) = (self.position.board(), self.position.turn());
        let (own, their, occupied) = (board.by_color(winner), board.by_color(!winner), board.occupied());
        for role in PIECES {
            let checks = self.checks.of(role);
            for from in own & board.by_role(role) {
                let all = reach(role, winner, from, occupied) & !own;
                for to in all & checks {
                    self.test(role, Step { role, from, to, promotion: None });
                }
                let quiet = all & !checks;
                let worth_it = self.hits.most(role, if quiet.any() { quiet } else { all });
                let now = self.value(role, from);
                for to in worth_it {
                    let step = Step { role, from, to, promotion: None };
                    best.offer(board, step, self.worth(step, now));
                }
            }
        }
        for from in own & board.pawns() {
            let now = self.value(Role::Pawn, from);
            for to in pawn_steps(winner, from, their, occupied) {
                let promotions: &[Option<Role>] = if Bitboard::BACKRANKS.contains(to) { &PROMOTIONS } else { &[None] };
                for promotion in promotions {
                    self.offer(Step { role: Role::Pawn, from, to, promotion: *promotion }, now, best);
                }
            }
        }
        let now = self.value(Role::King, own_king);
        for to in attacks::king_attacks(own_king) & !own {
            let step = Step { role: Role::King, from: own_king, to, promotion: None };
            best.offer(board, step, self.worth(step, now));
        }
    }

    #[inline]
    fn offer(&mut self, step: Step, now: i32, best: &mut Best) {
        let role = step.promotion.unwrap_or(step.role);
        if self.checks.of(role).contains(step.to) {
            self.test(role, step);
        }
        best.offer(self.position.board(), step, self.worth(step, now));
    }

    /// What a man is worth where it stands.
    #[inline]
    fn value(&self, role: Role, at: Square) -> i32 {
        let weight = if role == Role::King { 1 } else { 3 };
        weight * self.hits.from(role, at) - i32::from(self.far[usize::from(at)])
    }

    #[inline]
    fn worth(&self, step: Step, now: i32) -> i32 {
        let role = step.promotion.unwrap_or(step.role);
        let mut worth = self.value(role, step.to) - now + i32::from(self.position.board().occupied().contains(step.to));
        if step.role == Role::Pawn {
            worth += if step.promotion == Some(Role::Queen) { self.push + 12 } else { self.push };
        }
        if self.checks.of(role).contains(step.to) { worth - CHECK } else { worth }
    }

    /// Looks whether a check mates.
    fn test(&mut self, role: Role, step: Step) {
        if self.mate.is_none() && self.may_mate(role, step) {
            self.mate = Some(step.on(self.position.board())).filter(|next| mates(self.position, *next));
        }
    }

    /// Whether a check leaves no flight, and nobody takes the man that gives it.
    fn may_mate(&mut self, role: Role, step: Step) -> bool {
        let (board, winner) = (self.position.board(), self.position.turn());
        let open = board.occupied().without(self.king);
        let (king, zone) = (self.king, self.zone);
        let flights = *self.flights.get_or_insert_with(|| {
            zone & !board.by_color(!winner) & !attacked(board, board.by_color(winner), winner, open)
        });
        let without = board.occupied().without(step.from);
        (flights & !reach(role, winner, step.to, open)).without(step.to).is_empty()
            && board.attacks_to(step.to, !winner, without).without(king).is_empty()
            && (!zone.contains(step.to) || board.attacks_to(step.to, winner, without).without(step.from).any())
    }
}

/// Whether a move is legal and mates.
pub(super) fn mates(position: &Chess, next: Move) -> bool {
    position.is_legal(next) && {
        let mut after = position.clone();
        after.play_unchecked(next);
        after.is_checkmate()
    }
}

/// The loser's moves: best are those that leave its king the fewest flights.
struct Help<'a> {
    board: &'a Board,
    side: Color,
    king: Square,
    other_king: Square,
    /// Where the king is not attacked.
    safe: Bitboard,
    /// Its flights.
    zone: Bitboard,
    /// How many of them no man of its own stands on.
    now: i32,
    checks: Checks,
}

impl Help<'_> {
    fn for_attack_on(king: Square, other_king: Square, position: &Chess) -> Help<'_> {
        let (board, side) = (position.board(), position.turn());
        let safe = !attacked(board, board.by_color(!side), !side, board.occupied().without(king));
        let zone = attacks::king_attacks(king) & safe;
        let now = count(zone & !board.by_color(side));
        let checks = Checks::on(other_king, side, board.occupied());
        Help { board, side, king, other_king, safe, zone, now, checks }
    }

    /// Offers all that changes something: the king's steps, and those that take a flight away. Of the others, which only
    /// pass the time, one for each man will do.
    fn look_around(&self, best: &mut Best) {
        let Help { board, side, king, zone, .. } = *self;
        let (own, their, occupied) = (board.by_color(side), board.by_color(!side), board.occupied());
        let mut offer = |role: Role, from: Square, all: Bitboard| {
            for to in (all & zone).into_iter().chain(best.mood.any(all & !zone)) {
                // Another queen could take whatever mates.
                let promotes = role == Role::Pawn && Bitboard::BACKRANKS.contains(to);
                self.offer(Step { role, from, to, promotion: promotes.then_some(Role::Knight) }, best);
            }
        };
        for role in PIECES {
            for from in own & board.by_role(role) {
                offer(role, from, reach(role, side, from, occupied) & !own);
            }
        }
        for from in own & board.pawns() {
            offer(Role::Pawn, from, pawn_steps(side, from, their, occupied));
        }
        for to in attacks::king_attacks(king) & !own {
            self.offer(Step { role: Role::King, from: king, to, promotion: None }, best);
        }
    }

    #[inline]
    fn offer(&self, step: Step, best: &mut Best) {
        best.offer(self.board, step, self.worth(step));
    }

    #[inline]
    fn worth(&self, step: Step) -> i32 {
        let Help { board, side, king, other_king, safe, zone, .. } = *self;
        let mut worth = if step.role == Role::King {
            let then = attacks::king_attacks(step.to) & safe & !board.by_color(side).without(king);
            steps(king, other_king) - steps(step.to, other_king) - 2 * count(then)
        } else {
            2 * (i32::from(zone.contains(step.to)) - i32::from(zone.contains(step.from)) - self.now)
        };
        if self.checks.of(step.promotion.unwrap_or(step.role)).contains(step.to) {
            worth -= DISTURBANCE;
        }
        if board.occupied().contains(step.to) {
            worth -= if (board.knights() | board.bishops()).contains(step.to) { 3 } else { 9 };
        }
        worth
    }
}

/// All but pawns and king.
const PIECES: [Role; 4] = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

const PROMOTIONS: [Option<Role>; 4] = [Some(Role::Queen), Some(Role::Rook), Some(Role::Bishop), Some(Role::Knight)];

fn pawn_steps(side: Color, from: Square, their: Bitboard, occupied: Bitboard) -> Bitboard {
    let ahead = |square: Square| square.offset(side.fold_wb(8, -8)).filter(|to| !occupied.contains(*to));
    let mut steps = attacks::pawn_attacks(side, from) & their;
    if let Some(to) = ahead(from) {
        steps.add(to);
        if from.rank() == side.fold_wb(Rank::Second, Rank::Seventh) {
            steps.extend(ahead(to));
        }
    }
    steps
}

fn count(squares: Bitboard) -> i32 {
    if squares.is_empty() { 0 } else { i32::try_from(squares.count()).unwrap_or(0) }
}

fn steps(one: Square, other: Square) -> i32 {
    i32::from(guide::KING_STEPS[usize::from(one)][usize::from(other)])
}
