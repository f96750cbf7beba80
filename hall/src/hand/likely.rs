//! Which of several orders of the same moves players are likelier to have made.
//!
//! What players are in the habit of is counted along each order, and its weights are added up. They say how much likelier
//! one more of it makes an order, in hundredths of a natural logarithm. They were fitted by maximum likelihood, the order
//! that was played against all others that lead to the same board, to 30,000 silences of three to eight plies in a
//! thousand games of masters, the built-in games not among them. In a thousand other games of masters the likeliest
//! order is the one that was played 58 times of a hundred (80 after three plies, 37 after eight), in online blitz 65
//! times. Thirty habits more do not make it 59. `fitting` below fits the weights again.

use shakmaty::{Board, Chess, Color, Move, Position, Role, Square};

use super::record::after;
use crate::Habits;

/// What may be counted of a ply.
#[derive(Clone, Copy, Debug)]
enum Habit {
    /// A pawn that could have been won by a capture is left standing,
    LeavesPawn,
    /// two or three pawns, or a piece;
    LeavesPiece,
    /// or more.
    LeavesMore,
    /// Another man of one's own can be won by the opponent's next ply,
    LeavesOwn,
    /// or the man that has moved: counts pawns.
    PutsEnPrise,
    /// Something can be won by one's own next ply.
    Threatens,
    /// Takes the man that has just taken one.
    TakesBack,
    /// Takes the man that moved last.
    TakesLast,
    /// The last ply has brought a man into danger, and none is in it now.
    MeetsDanger,
    /// Leaves a square at which the man that moved last aims,
    LeavesAim,
    /// and that is worth less than the one that leaves.
    LeavesLesserAim,
    /// Guards a man at which the one that moved last aims.
    Guards,
    /// A pawn on the file of the pawn that moved last.
    FacesPawn,
    /// A pawn offers to take the pawn that moved last.
    OffersPawn,
    /// Goes where the player's last man came from.
    Follows,
    /// A knight leaves its first rank, a ply of its player earlier.
    KnightEarly,
    /// Castles, a ply earlier.
    CastlesEarly,
    /// A pawn moves, a ply earlier;
    PawnEarly,
    /// and by ranks.
    FarPawnEarly,
}

/// In the order of the habits. Other weights are another version: change none of these.
const MASTERS: [(Habit, i32); 19] = [
    (Habit::LeavesPawn, -96),
    (Habit::LeavesPiece, -202),
    (Habit::LeavesMore, -274),
    (Habit::LeavesOwn, -19),
    (Habit::PutsEnPrise, -61),
    (Habit::Threatens, 27),
    (Habit::TakesBack, 100),
    (Habit::TakesLast, 26),
    (Habit::MeetsDanger, 51),
    (Habit::LeavesAim, 41),
    (Habit::LeavesLesserAim, 96),
    (Habit::Guards, 35),
    (Habit::FacesPawn, 61),
    (Habit::OffersPawn, -77),
    (Habit::Follows, 32),
    (Habit::KnightEarly, 26),
    (Habit::CastlesEarly, 61),
    (Habit::PawnEarly, -30),
    (Habit::FarPawnEarly, 9),
];

type Counts = [i32; MASTERS.len()];

/// How likely players are to make these moves in this order, after the move `last`. Only orders of the same moves can be
/// compared.
pub(super) fn plausibility(version: Habits, root: &Chess, last: Option<Move>, moves: &[Move]) -> i32 {
    let counts = habits(root, last, moves);
    let weights = match version {
        Habits::Masters => &MASTERS,
    };
    weights.iter().map(|(habit, weight)| weight * counts[*habit as usize]).sum()
}

/// How likely a pawn is to go two steps rather than one, by its file: a white one, then a black one.
const TWO_STEPS: [[i32; 8]; 2] = [[-13, -20, 113, 200, 98, 27, -102, -40], [-61, -14, 57, 4, -52, 25, -143, -75]];

/// How likely players are to have gone there with this man rather than elsewhere, by the same measure. Fitted to 32,000
/// moves of six hundred games of masters, captures and castling aside: of the squares a man can go to, the likeliest is
/// the one it went to 48 times of a hundred, where chance would find 29.
pub(super) fn inclination(board: &Board, played: Move) -> i32 {
    let (Some(from), to) = (played.from(), played.to()) else { return 0 };
    let inwards = remoteness(from) - remoteness(to);
    let ahead = i32::from(to.rank()) - i32::from(from.rank());
    let is_black = board.color_at(from) == Some(Color::Black);
    let ahead = if is_black { -ahead } else { ahead };
    let goes = match played.role() {
        Role::Pawn if ahead == 2 => return TWO_STEPS[usize::from(is_black)][usize::from(from.file())],
        Role::Pawn => return 0,
        Role::Knight => 58,
        Role::King => 39,
        Role::Bishop | Role::Rook | Role::Queen => 20,
    };
    goes * inwards - if ahead < 0 { 33 } else { 0 }
}

/// What was played on after a man had gone to this square, had he gone elsewhere first: what he does from there he does from
/// where he went, and he is taken where he stands.
pub(super) fn retold(before: &Chess, other: Move, square: Square, played_on: &[Move]) -> Option<Vec<Move>> {
    let mut position = before.clone().play(other).ok()?;
    let (mut told, mut stands) = (vec![other], true);
    for played in played_on {
        let goes_on = stands && played.from() == Some(square);
        stands &= !goes_on;
        let from = if goes_on { Some(other.to()) } else { played.from() };
        let same = |candidate: &&Move| candidate.from() == from && goes_alike(**candidate, *played);
        let played = position.legal_moves().iter().find(same).copied()?;
        position.play_unchecked(played);
        told.push(played);
    }
    Some(told)
}

/// The same man goes to the same square, and takes there whom he will.
pub(super) fn goes_alike(one: Move, other: Move) -> bool {
    (one.to(), one.role(), one.promotion()) == (other.to(), other.role(), other.promotion())
}

/// How far from the centre a square is, in steps along its rank and file.
fn remoteness(square: Square) -> i32 {
    let from_middle = |line: i32| (2 * line - 7).abs() / 2;
    from_middle(square.file().into()) + from_middle(square.rank().into())
}

fn habits(root: &Chess, last: Option<Move>, moves: &[Move]) -> Counts {
    let mut counts = Counts::default();
    let (mut before, mut position) = (None, root.clone());
    for (at, played) in moves.iter().enumerate() {
        let after = after(&position, *played);
        let own = if at == 1 { last } else { at.checked_sub(2).map(|own| moves[own]) };
        let last = at.checked_sub(1).map_or(last, |last| Some(moves[last]));
        let ply =
            Scene { before: before.as_ref(), position: &position, after: after.board(), played: *played, last, own };
        ply.count_material(&mut counts);
        ply.count_reply(&mut counts);
        ply.count_order(at / 2, &mut counts);
        before = Some(std::mem::replace(&mut position, after));
    }
    counts
}

/// A ply, and what it follows.
struct Scene<'a> {
    /// Before the opponent's last ply.
    before: Option<&'a Chess>,
    position: &'a Chess,
    after: &'a Board,
    played: Move,
    last: Option<Move>,
    own: Option<Move>,
}

impl Scene<'_> {
    fn side(&self) -> Color {
        self.position.turn()
    }

    fn to(&self) -> Square {
        goal(self.played, self.side())
    }

    fn count_material(&self, counts: &mut Counts) {
        let (side, board) = (self.side(), self.position.board());
        // In check there are other cares.
        let best = if self.position.is_check() { 0 } else { most(board, side, None) };
        match best - self.gain() {
            ..=0 => {}
            1 => counts[Habit::LeavesPawn as usize] += 1,
            2..=3 => counts[Habit::LeavesPiece as usize] += 1,
            4.. => counts[Habit::LeavesMore as usize] += 1,
        }
        let others = most(self.after, !side, Some(self.to()));
        let mover = exchange(self.after, !side, self.to());
        let puts = if self.played.is_capture() { 0 } else { mover.min(worth(Role::Queen)) };
        counts[Habit::LeavesOwn as usize] += i32::from(others > 0);
        counts[Habit::PutsEnPrise as usize] += puts;
        counts[Habit::Threatens as usize] += i32::from(most(self.after, side, None) > 0);
        let danger = self.before.map_or(0, |before| {
            let now = most(board, !side, None);
            if now > most(before.board(), !side, None) { now } else { 0 }
        });
        counts[Habit::MeetsDanger as usize] += i32::from(others.max(puts) < danger);
    }

    /// What the ply wins by a capture and what follows from it on its square.
    fn gain(&self) -> i32 {
        self.played.capture().map_or(0, |taken| worth(taken) - exchange(self.after, !self.side(), self.to()))
    }

    fn count_reply(&self, counts: &mut Counts) {
        let mut count = |habit: Habit, is: bool| counts[habit as usize] += i32::from(is);
        let (board, to, from) = (self.position.board(), self.to(), self.played.from());
        count(Habit::Follows, self.own.is_some_and(|own| own.from() == Some(to)));
        let Some(last) = self.last else { return };
        let stands = goal(last, !self.side());
        let Some(other) = board.role_at(stands) else { return };
        let takes = self.played.is_capture() && to == stands;
        count(Habit::TakesLast, takes);
        count(Habit::TakesBack, takes && last.is_capture());
        let aims = board.attacks_from(stands);
        let leaves = from.is_some_and(|from| aims.contains(from));
        count(Habit::LeavesAim, leaves);
        count(Habit::LeavesLesserAim, leaves && worth(other) < worth(self.played.role()));
        let reach = self.after.attacks_from(to);
        count(Habit::Guards, (aims & reach & board.by_color(self.side())).any());
        let pawns = self.played.role() == Role::Pawn && other == Role::Pawn;
        count(Habit::FacesPawn, pawns && to.file() == stands.file());
        count(Habit::OffersPawn, pawns && !self.played.is_capture() && reach.contains(stands));
    }

    /// What players do early: `own` plies of theirs came before it.
    fn count_order(&self, own: usize, counts: &mut Counts) {
        let own = i32::try_from(own).expect("some plies");
        let rank = |square: Square| i32::from(self.side().fold_wb(square, square.flip_vertical()).rank());
        let mut count = |habit: Habit, times: i32| counts[habit as usize] -= own * times;
        match self.played.role() {
            Role::Knight => count(Habit::KnightEarly, i32::from(self.played.from().map_or(0, rank) == 0)),
            Role::Pawn => {
                count(Habit::PawnEarly, 1);
                count(Habit::FarPawnEarly, rank(self.to()));
            }
            Role::King => count(Habit::CastlesEarly, i32::from(self.played.is_castle())),
            Role::Bishop | Role::Rook | Role::Queen => {}
        }
    }
}

/// Where the man stands after its ply, the king when it castles.
fn goal(played: Move, side: Color) -> Square {
    played.castling_side().map_or(played.to(), |castling| castling.king_to(side))
}

/// The most that `side` can win by one capture and what follows from it on its square, the one on `but` aside.
fn most(board: &Board, side: Color, but: Option<Square>) -> i32 {
    let men = board.by_color(!side) & !board.kings();
    men.into_iter().filter(|square| Some(*square) != but).map(|square| exchange(board, side, square)).max().unwrap_or(0)
}

/// What `side` wins on this square if both players take as long as it pays, the cheapest man first. Pins don't count.
fn exchange(board: &Board, side: Color, square: Square) -> i32 {
    let attackers = board.attacks_to(square, side, board.occupied());
    let cheapest = attackers.into_iter().min_by_key(|from| board.role_at(*from).map_or(0, worth));
    let (Some(victim), Some(from)) = (board.role_at(square), cheapest) else { return 0 };
    let mut taken = board.clone();
    let Some(attacker) = taken.remove_piece_at(from) else { return 0 };
    taken.set_piece_at(square, attacker);
    (worth(victim) - exchange(&taken, !side, square)).max(0)
}

fn worth(role: Role) -> i32 {
    match role {
        Role::Pawn => 1,
        Role::Knight | Role::Bishop => 3,
        Role::Rook => 5,
        Role::Queen => 9,
        // A king takes last, and only what nobody guards.
        Role::King => 100,
    }
}

#[cfg(test)]
mod fitting;
