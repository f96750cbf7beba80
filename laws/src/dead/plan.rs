//! A line to mate as something two players intend: bent to what was played instead, it often leads there all the same.

use shakmaty::{ByColor, Chess, Color, Move, Position, Role};

use super::checker::{CanMate, Replay};

/// What each side still means to play, in its order.
#[derive(Clone, Debug, Default)]
pub(super) struct Plan {
    moves: ByColor<Vec<Move>>,
    /// Moves among them that only pass the time, and so may be left out for any other.
    idle: ByColor<Option<Move>>,
    /// What was played last, if it was not intended, and the intended move that was changed for it with its place.
    astray: Option<(Move, Option<(usize, Move)>)>,
}

/// How many ways of passing the time are tried: the first that is harmless mostly comes early.
const IDLE_TRIES: usize = 8;

/// The longest plan worth bending, in moves of the winner: a longer one is sooner found anew than replayed.
const LONGEST: usize = 16;

impl Plan {
    /// The plan of a line, whose first move is `mover`'s.
    pub(super) fn of(line: &[Move], mover: Color) -> Plan {
        let mut plan = Plan::default();
        let mut side = mover;
        for next in line {
            plan.moves.get_mut(side).push(*next);
            side = !side;
        }
        plan
    }

    /// Takes note of a move that was played.
    pub(super) fn note(&mut self, played: Move, mover: Color) {
        self.astray = None;
        let moves = self.moves.get_mut(mover);
        if let Some(at) = moves.iter().position(|intended| *intended == played) {
            moves.remove(at);
            return;
        }
        // Whatever was played has passed the time as well.
        let idle = self.idle.get_mut(mover).take();
        if let Some(at) = idle.and_then(|idle| moves.iter().position(|intended| *intended == idle)) {
            moves.remove(at);
        }
        // The man goes on from where it is to where it was meant to go next.
        let same_man = |intended: &Move| intended.from().is_some() && intended.from() == played.from();
        let mut changed = None;
        if let Some(at) = moves.iter().position(same_man)
            && let Move::Normal { role, to, promotion, .. } = moves[at]
            && played.promotion().is_none()
        {
            changed = Some((at, moves[at]));
            moves[at] = Move::Normal { role, from: played.to(), capture: None, to, promotion };
        }
        self.astray = Some((played, changed));
    }

    /// A line to mate by `winner` from `position`, if the plan still leads there.
    pub(super) fn bend(&mut self, position: &Chess, winner: Color) -> Option<CanMate> {
        if self.moves.get(winner).is_empty() || self.moves.get(winner).len() > LONGEST {
            return None;
        }
        let mate = self.follow(position, winner).or_else(|| self.pass_the_time(position, winner));
        mate.or_else(|| self.take_back(position, winner))
    }

    /// As if nothing had happened: the last move is taken back, while the other side moves a piece there and back.
    fn take_back(&mut self, position: &Chess, winner: Color) -> Option<CanMate> {
        let (astray, changed) = self.astray?;
        let back = reverse(astray)?;
        let side = position.turn();
        let before = self.moves.clone();
        if let Some((at, intended)) = changed {
            self.moves.get_mut(!side)[at] = intended;
        }
        self.moves.get_mut(!side).insert(0, back);
        let ways = position.legal_moves().into_iter().filter_map(|there| Some([there, reverse(there)?]));
        let mate = ways.take(IDLE_TRIES).find_map(|there_and_back| {
            self.moves.get_mut(side).splice(0..0, there_and_back);
            let mate = self.follow(position, winner);
            if mate.is_none() {
                self.moves.get_mut(side).drain(0..2);
            }
            mate
        });
        if mate.is_none() {
            self.moves = before;
        }
        mate
    }

    fn follow(&self, position: &Chess, winner: Color) -> Option<CanMate> {
        let first = usize::from(position.turn() == winner);
        if self.moves.get(winner).len() != self.moves.get(!winner).len() + first {
            return None;
        }
        let mut replay = Replay::new(position.clone(), winner);
        let mut next = ByColor::<usize>::default();
        while let side = replay.position().turn()
            && let Some(intended) = self.moves.get(side).get(*next.get(side))
        {
            *next.get_mut(side) += 1;
            let fresh = fresh(*intended, replay.position());
            if !replay.play(fresh) {
                return None;
            }
        }
        replay.certificate()
    }

    /// The side to move makes a move without a purpose, then the plan goes on.
    fn pass_the_time(&mut self, position: &Chess, winner: Color) -> Option<CanMate> {
        let side = position.turn();
        let first = usize::from(side == winner);
        if self.moves.get(winner).len() + first != self.moves.get(!winner).len() + 1 {
            return None;
        }
        let quiet = position.legal_moves().into_iter().filter(|idle| !idle.is_capture());
        quiet.take(IDLE_TRIES).find_map(|idle| {
            self.moves.get_mut(side).insert(0, idle);
            let mate = self.follow(position, winner);
            if mate.is_some() {
                *self.idle.get_mut(side) = Some(idle);
            } else {
                self.moves.get_mut(side).remove(0);
            }
            mate
        })
    }
}

/// The move back, if there is one.
fn reverse(there: Move) -> Option<Move> {
    match there {
        Move::Normal { role, from, to, capture: None, promotion: None } if role != Role::Pawn => {
            Some(Move::Normal { role, from: to, capture: None, to: from, promotion: None })
        }
        Move::Normal { .. } | Move::EnPassant { .. } | Move::Castle { .. } | Move::Put { .. } => None,
    }
}

/// The move with the capture it now makes.
fn fresh(intended: Move, position: &Chess) -> Move {
    match intended {
        Move::Normal { role, from, to, promotion, .. } => {
            Move::Normal { role, from, capture: position.board().role_at(to), to, promotion }
        }
        Move::EnPassant { .. } | Move::Castle { .. } | Move::Put { .. } => intended,
    }
}
