//! The next move of a stroll to mate, by a guess: the winner's men gather round the king, the loser takes its flights away.

use shakmaty::{Bitboard, Board, Chess, Color, Move, Position, Rank, Role, Square, attacks};

use super::{
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
        let mut best = Best { mood: self, score: i32::MIN, next: None };
        let mate = if position.turn() == winner {
            attack(position, legal, &mut best)?
        } else {
            help(position, legal, &mut best);
            None
        };
        mate.map(Guess::Mate).or(best.next.map(Guess::Move))
    }
}

/// The best move so far.
struct Best<'a> {
    mood: &'a Mood,
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
        if score > self.score {
            self.score = score;
            self.next = Some(step.on(board));
        }
    }
}

/// The squares from which men attack a king.
struct Checks {
    pawn: Bitboard,
    knight: Bitboard,
    diagonal: Bitboard,
    straight: Bitboard,
}

impl Checks {
    fn on(king: Square, by: Color, occupied: Bitboard) -> Checks {
        Checks {
            pawn: attacks::pawn_attacks(!by, king),
            knight: attacks::knight_attacks(king),
            diagonal: attacks::bishop_attacks(king, occupied),
            straight: attacks::rook_attacks(king, occupied),
        }
    }

    /// Whether a man checks from there. Checks that are only discovered are passed over; the search will find them.
    #[inline]
    fn has(&self, role: Role, from: Square) -> bool {
        match role {
            Role::Pawn => self.pawn.contains(from),
            Role::Knight => self.knight.contains(from),
            Role::Bishop => self.diagonal.contains(from),
            Role::Rook => self.straight.contains(from),
            Role::Queen => (self.diagonal | self.straight).contains(from),
            Role::King => false,
        }
    }
}

impl Mood {
    fn noise(&self, step: Step) -> i32 {
        let squares = u32::from(step.to) * 64 + u32::from(step.from);
        let mixed = squares.wrapping_add(self.disorder.wrapping_mul(4096)).wrapping_mul(0x9E37_79B1) >> 16;
        i32::try_from((mixed * (1 + self.disorder / 8)) >> 16).unwrap_or(0)
    }

    fn trouble(&self, step: Step) -> i32 {
        let (from, to) = (self.reserved.contains(step.from), self.reserved.contains(step.to));
        if from || to || (self.reserved.any() && step.role == Role::King) { 30 } else { 0 }
    }
}

/// The winner's move that adds most attacks on the squares around the king, or mate if there is one.
fn attack(position: &Chess, legal: Option<&[Move]>, best: &mut Best) -> Option<Option<Move>> {
    let (board, winner) = (position.board(), position.turn());
    let king = board.king_of(!winner)?;
    let zone = attacks::king_attacks(king);
    let occupied = board.occupied();
    let (own, their) = (board.by_color(winner), board.by_color(!winner));
    let open = occupied.without(king);
    let covered = attacked(board, own, winner, open);
    let flights = zone & !their & !covered;
    let checks = Checks::on(king, winner, occupied);
    let far = &guide::KING_STEPS[usize::from(king)];
    let push = if (own & board.rooks_and_queens()).any() { 0 } else { 5 };
    // What the man at hand attacks where it is, and how far it is.
    let (mut from, mut now) = (None, 0);
    let mut mate = None;
    each_step(board, winner, legal, |step| {
        let weight = if step.role == Role::King { 1 } else { 3 };
        if from != Some(step.from) {
            from = Some(step.from);
            now = i32::from(far[usize::from(step.from)])
                - weight * count(reach(step.role, winner, step.from, occupied) & zone);
        }
        let role = step.promotion.unwrap_or(step.role);
        let hits = reach(role, winner, step.to, occupied.without(step.from));
        let mut worth = weight * count(hits & zone) - i32::from(far[usize::from(step.to)]) + now;
        worth += i32::from(their.contains(step.to));
        if step.role == Role::Pawn {
            worth += if step.promotion == Some(Role::Queen) { push + 12 } else { push };
        }
        if checks.has(role, step.to) {
            worth -= CHECK;
            let left = flights & !reach(role, winner, step.to, open);
            let taken = board.attacks_to(step.to, !winner, occupied.without(step.from));
            if mate.is_none() && left.without(step.to).is_empty() && taken.without(king).is_empty() {
                mate = Some(step.on(board)).filter(|next| mates(position, *next));
            }
        }
        best.offer(board, step, worth);
    });
    Some(mate)
}

/// Whether a move is legal and mates.
pub(super) fn mates(position: &Chess, next: Move) -> bool {
    position.is_legal(next) && {
        let mut after = position.clone();
        after.play_unchecked(next);
        after.is_checkmate()
    }
}

/// The loser's move that leaves its king the fewest flights.
fn help(position: &Chess, legal: Option<&[Move]>, best: &mut Best) {
    let (board, loser) = (position.board(), position.turn());
    let (Some(king), Some(other_king)) = (board.king_of(loser), board.king_of(!loser)) else { return };
    let (own, their, occupied) = (board.by_color(loser), board.by_color(!loser), board.occupied());
    let safe = !attacked(board, their, !loser, occupied.without(king));
    let zone = attacks::king_attacks(king) & safe;
    let now = count(zone & !own);
    let checks = Checks::on(other_king, loser, occupied);
    each_step(board, loser, legal, |step| {
        let mut worth = if step.role == Role::King {
            let then = attacks::king_attacks(step.to) & safe & !own.without(king);
            steps(king, other_king) - steps(step.to, other_king) - 2 * count(then)
        } else {
            2 * (i32::from(zone.contains(step.to)) - i32::from(zone.contains(step.from)) - now)
        };
        if checks.has(step.promotion.unwrap_or(step.role), step.to) {
            worth -= DISTURBANCE;
        }
        if their.contains(step.to) {
            worth -= if (board.knights() | board.bishops()).contains(step.to) { 3 } else { 9 };
        }
        best.offer(board, step, worth);
    });
}

/// The legal moves, if they are known; else those that are legal but for pins.
fn each_step(board: &Board, side: Color, legal: Option<&[Move]>, mut each: impl FnMut(Step)) {
    if let Some(legal) = legal {
        legal.iter().filter_map(Step::of).for_each(each);
        return;
    }
    let (own, their, occupied) = (board.by_color(side), board.by_color(!side), board.occupied());
    for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
        for from in own & board.by_role(role) {
            for to in reach(role, side, from, occupied) & !own {
                each(Step { role, from, to, promotion: None });
            }
        }
    }
    for from in own & board.pawns() {
        for to in pawn_steps(side, from, their, occupied) {
            let promotions: &[Option<Role>] = if Bitboard::BACKRANKS.contains(to) { &PROMOTIONS } else { &[None] };
            for promotion in promotions {
                each(Step { role: Role::Pawn, from, to, promotion: *promotion });
            }
        }
    }
    if let Some(from) = board.king_of(side) {
        for to in attacks::king_attacks(from) & !own {
            if board.attacks_to(to, !side, occupied.without(from)).is_empty() {
                each(Step { role: Role::King, from, to, promotion: None });
            }
        }
    }
}

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
