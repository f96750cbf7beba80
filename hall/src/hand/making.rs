//! The turn that is on: what rested and was left again, and what else its making suggests.

use shakmaty::{CastlingMode, Color, Move, Position, Role, Square};

use super::{record::Record, squares::Change};
use crate::{Millis, Settings};

/// What happened in the turn that is on, besides touches.
#[derive(Clone, Debug, Default)]
pub(super) struct Making {
    /// The ply that stands at the head of the tail, and since when.
    resting: Option<(Move, Millis)>,
    /// Plies that had rested long enough for a release, and how long.
    released: Vec<(Move, Millis)>,
    /// The last of them, unless the men have stood as in the record since.
    let_go: Option<Move>,
    /// When the ply at the head of the tail became another one under its reply.
    swapped_at: Option<Millis>,
    /// The first promoted piece that was seen on its square for more than a moment, and how long it stood there.
    promoted: Option<(Square, Role, Millis)>,
    /// A castling whose king was released two squares away.
    duty: Option<Move>,
    /// Whose king and rook were in the air together.
    two_hands: Option<Color>,
    /// Where the clock tells: the men stood as they had some plies ago, and not as in the record since.
    gone_back: Option<GoneBack>,
    /// Where none does: they have stood as one ply ago, as two plies ago, and so on up to here, one after the other.
    stepped_back: usize,
    /// King and rook of a castling are in the air together: whose, and since when.
    together: Option<(Color, Millis)>,
}

/// An earlier position stood on the board.
#[derive(Clone, Copy, Debug)]
struct GoneBack {
    /// Of so many plies ago.
    plies: usize,
    since: Millis,
    /// Both clocks stood.
    at_rest: bool,
    /// Since when the men stand as in the record again: perhaps one of them comes by there.
    returned: Option<Millis>,
}

impl Making {
    /// Remembers how long the first ply of the tail rests, and which rested before it, until its man `left`. The board rests
    /// since `rests`.
    pub(super) fn rest(
        &mut self,
        tail: &[Move],
        rests: Millis,
        release: Millis,
        left: impl Fn(Move) -> Option<Millis>,
        now: Millis,
    ) {
        let head = tail.first().copied();
        if let Some((resting, since)) = self.resting
            && head != Some(resting)
        {
            let dwell = left(resting).unwrap_or(now).saturating_sub(since);
            if dwell >= release {
                self.released.retain(|(earlier, _)| *earlier != resting);
                self.released.push((resting, dwell));
                self.let_go = Some(resting);
            }
            self.resting = None;
            if tail.len() > 1 {
                self.swapped_at = Some(now);
            }
        }
        if let Some(head) = head {
            // After a flicker it has rested all the time.
            self.resting.get_or_insert((head, rests));
        }
    }

    /// The men stand as in the record.
    pub(super) fn return_to_record(&mut self, now: Millis) {
        self.let_go = None;
        self.stepped_back = 0;
        if let Some(back) = &mut self.gone_back {
            back.returned.get_or_insert(now);
        }
    }

    /// They stand otherwise. Who stood there for less than a `release` was on his way.
    pub(super) fn leave_record(&mut self, release: Millis, now: Millis) {
        self.gone_back.take_if(|back| back.returned.take().is_some_and(|since| now >= since + release));
    }

    /// The men stand as they stood so many plies ago. True if they had not stood so before.
    pub(super) fn go_back(&mut self, plies: usize, at_rest: bool, now: Millis) -> bool {
        // Who had gone back while both clocks stood plays on from there once one runs: he only comes by.
        if !at_rest && self.gone_back.is_some_and(|back| back.at_rest && back.plies != plies) {
            return false;
        }
        let same = self.gone_back.filter(|back| back.plies == plies);
        let at_rest = at_rest || same.is_some_and(|back| back.at_rest);
        self.gone_back = Some(GoneBack { plies, since: same.map_or(now, |back| back.since), at_rest, returned: None });
        same.is_none()
    }

    /// The men stand as they stood so many plies ago, and nobody presses: perhaps one ply is taken back after the other.
    pub(super) fn step_back(&mut self, plies: usize) {
        if plies == self.stepped_back + 1 {
            self.stepped_back = plies;
        }
    }

    /// They have come so many plies back step by step.
    pub(super) fn stepped_back(&self) -> usize {
        self.stepped_back
    }

    /// They stand otherwise. On a clock that runs they have to have stood so for a while.
    pub(super) fn leave_earlier(&mut self, rest: Millis, now: Millis) {
        self.gone_back.take_if(|back| !back.at_rest && now < back.since + rest);
    }

    /// Kings that leave the square of a castling, and promoted pieces that are exchanged.
    pub(super) fn feel(&mut self, change: Change, record: &Record, settings: &Settings, now: Millis) {
        let side = record.turn();
        match change {
            Change::Lifted(square, piece, since) if piece.color == side => {
                let stood = now - since;
                if piece.role == Role::King && stood >= settings.release_dwell_ms {
                    self.duty = castling_to(record, square).or(self.duty);
                }
                let same = |(on, role, _): &(Square, Role, Millis)| (*on, *role) == (square, piece.role);
                if self.promoted.is_some_and(|promoted| same(&promoted)) {
                    let lasted = stood >= settings.contact_debounce_ms;
                    self.promoted = lasted.then_some((square, piece.role, stood));
                }
            }
            Change::Landed(square, piece) if piece.color == side => {
                let promotes = |candidate: &Move| candidate.to() == square && candidate.promotion() == Some(piece.role);
                if self.promoted.is_none() && record.position().legal_moves().iter().any(promotes) {
                    self.promoted = Some((square, piece.role, 0));
                }
            }
            Change::Lifted(..) | Change::Landed(..) => {}
        }
    }

    /// King and rook together in the air. `lifted` are the squares men were lifted from.
    pub(super) fn feel_pair(&mut self, lifted: &[Square], record: &Record, debounce: Millis, now: Millis) {
        let standard = record.mode() == CastlingMode::Standard;
        let castles = |side: &Color| lifted.len() >= 2 && standard && would_castle(*side, lifted, record);
        if let Some(side) = Color::ALL.into_iter().find(castles) {
            self.together.get_or_insert((side, now));
        } else if let Some((side, since)) = self.together.take() {
            self.two_hands = self.two_hands.or((now >= since + debounce).then_some(side));
        }
    }

    /// King and rook were knocked over together.
    pub(super) fn forget_pair(&mut self) {
        (self.two_hands, self.together) = (None, None);
    }

    /// The turn of this player is over. What the other one has begun meanwhile goes on.
    pub(super) fn pass(&mut self, mover: Color) {
        let two_hands = self.two_hands.filter(|side| *side != mover);
        let together = self.together.filter(|(side, _)| *side != mover);
        *self = Making { two_hands, together, ..Making::default() };
    }

    /// The ply that stands has rested long enough for a release.
    pub(super) fn has_released(&self, release: Millis, now: Millis) -> bool {
        self.resting.is_some_and(|(_, since)| now >= since + release)
    }

    pub(super) fn released(&self) -> &[(Move, Millis)] {
        &self.released
    }

    pub(super) fn let_go(&self) -> Option<Move> {
        self.let_go
    }

    pub(super) fn swapped_at(&self) -> Option<Millis> {
        self.swapped_at
    }

    pub(super) fn promoted(&self) -> Option<(Square, Role, Millis)> {
        self.promoted
    }

    pub(super) fn duty(&self) -> Option<Move> {
        self.duty
    }

    /// They stood as they had some plies ago, and not as in the record since.
    pub(super) fn has_gone_back(&self) -> bool {
        self.gone_back.is_some_and(|back| back.returned.is_none())
    }

    /// The same while both clocks stood: how many plies.
    pub(super) fn gone_back(&self) -> Option<usize> {
        self.gone_back.filter(|back| back.at_rest && back.returned.is_none()).map(|back| back.plies)
    }

    /// Since when they had stood so.
    pub(super) fn gone_back_at(&self) -> Option<Millis> {
        self.gone_back.map(|back| back.since)
    }

    /// King and rook of this player were in the air together.
    pub(super) fn two_hands(&self, side: Color) -> bool {
        self.two_hands == Some(side)
    }
}

/// The king and a rook of this player are among these, each from where it castles, whether the Laws let it or not.
fn would_castle(side: Color, lifted: &[Square], record: &Record) -> bool {
    let board = record.board();
    let home = |square: Square| side.fold_wb(square, square.flip_vertical());
    let up = |square: Square, role: Role| lifted.contains(&square) && board.piece_at(square) == Some(role.of(side));
    up(home(Square::E1), Role::King) && [Square::A1, Square::H1].into_iter().any(|rook| up(home(rook), Role::Rook))
}

/// The castling that takes the king to this square, unless it starts from there.
pub(super) fn castling_to(record: &Record, square: Square) -> Option<Move> {
    let side = record.turn();
    let meant = |candidate: &&Move| {
        let goal = candidate.castling_side().map(|castling| castling.king_to(side));
        goal == Some(square) && candidate.from() != Some(square)
    };
    let standard = record.mode() == CastlingMode::Standard;
    record.position().legal_moves().iter().find(meant).copied().filter(|_| standard)
}
