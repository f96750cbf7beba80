//! How a game closes and the next one begins: kings in the centre, men that are put up again, a start array.

use protocol::board::Contents;
use shakmaty::{Bitboard, Chess, Color, Move, Piece, Position, Role, Square};

use super::{CENTRE, Deed, Hand, Opening, Pressing, Rethought, play_all, squares::Change};
use crate::Millis;

impl Hand {
    pub(super) fn kings_meet_at(&self) -> Option<Millis> {
        let met = !self.signalled && self.kings_have_met();
        met.then_some(self.squares.rests_since() + self.settings.signal_rest_ms)
    }

    /// Both kings stand in the centre, which no legal play can bring about.
    pub(super) fn kings_have_met(&self) -> bool {
        let kings = self.squares.board().kings();
        kings.count() == 2 && kings.is_subset(CENTRE)
    }

    pub(super) fn kings_met(&mut self, now: Millis, out: &mut Vec<Deed>) {
        let light = (self.squares.board().kings() & Bitboard::LIGHT_SQUARES).count();
        self.signalled = true;
        if self.playing {
            let stepped = self.has_stepped();
            let withdrawn = self.withdraw_steps(out) > 0;
            self.settle_before_kings(now, out);
            let stands = self.stands_but_for_kings(&[]) || self.stands_but_for_kings(&self.tail);
            // A king's step may have been a move all the same.
            self.admit_gap(stepped || withdrawn || !stands, out);
            self.end(now, out);
        }
        out.push(Deed::Signalled(match light {
            2 => Some(Color::White),
            0 => Some(Color::Black),
            _ => None,
        }));
    }

    pub(super) fn is_to_centre(&self) -> bool {
        self.tail.last().is_some_and(|last| is_to_centre(*last))
    }

    /// Where no press tells moves from gestures: a king was let go of on a square of the centre it could have moved to,
    /// before the other one came or it went on itself.
    fn has_stepped(&self) -> bool {
        let joined = self.squares.rests_since();
        let seen = self.tail.last().map(|step| (*step, joined.saturating_sub(self.changed_at(*step))));
        let let_go = |(step, rested): (Move, Millis)| is_to_centre(step) && rested >= self.settings.release_dwell_ms;
        self.pressing != Pressing::Awaited && self.turn.released.iter().copied().chain(seen).any(let_go)
    }

    /// Kings' steps to the centre are no moves, even if one was final by rest: as long as nobody has pressed for it or
    /// answered it. Gives how many.
    fn withdraw_steps(&mut self, out: &mut Vec<Deed>) -> usize {
        let mut plies = 0;
        while let Some((before, played)) = self.recent.last() {
            let mover = before.turn();
            // What a king did before it was taken to the centre was a move.
            if self.stories.is_some() || !is_to_centre(*played) || !self.unpressed[mover] {
                break;
            }
            self.unpressed[mover] = false;
            self.root = before.clone();
            self.recent.pop();
            self.earlier.pop();
            plies += 1;
        }
        if plies > 0 {
            out.push(Deed::Rewritten { why: Rethought::Gesture, plies, moves: Vec::new() });
        }
        plies
    }

    /// The kings show a result over a ply that no press could complete and that has not rested long enough yet. It stands
    /// while they are carried past it, or its king was let go of before it went on: it was played.
    fn settle_before_kings(&mut self, now: Millis, out: &mut Vec<Deed>) {
        if self.pressing.is_possible() || self.gap || self.stories.is_some() {
            return;
        }
        let let_go = self.turn.let_go.map(|played| vec![played]);
        let lines = [Some(self.tail.clone()), let_go].into_iter().flatten();
        let to_centre = |line: &[Move]| line.last().is_some_and(|last| is_to_centre(*last));
        let Some(line) =
            lines.into_iter().find(|line| !line.is_empty() && !to_centre(line) && self.stands_but_for_kings(line))
        else {
            return;
        };
        let plies = line.len();
        self.show(line, out);
        self.settle(plies, true, now, out);
    }

    /// The board shows the position after this line, but for the kings and for men that made room for them.
    fn stands_but_for_kings(&self, line: &[Move]) -> bool {
        let Some(end) = play_all(&self.root, line) else { return false };
        let kings = end.board().kings() | self.squares.board().kings() | CENTRE;
        self.squares.misfit_ignoring_air(end.board()).is_subset(kings)
    }

    pub(super) fn starts_anew_at(&self) -> Option<Millis> {
        let opening = self.opening()?;
        let of_this_game = opening.lie == self.lie()
            && (opening.position.board() == self.root.board() || (self.fits && !self.tail.is_empty()));
        // A start array on which nobody has laid hand since the game was set up or ended is no new game.
        let as_begun = self.squares.last_change() <= self.began_at;
        let untouched = self.ended_at.is_some_and(|ended| self.squares.last_change() <= ended);
        // Before the first move of a game of one kind, the array of the other kind is a wrong set-up; and if it was said
        // from which array it begins, so is any other.
        let before = self.earlier.is_empty() && self.tail.is_empty();
        let wrong_set_up = before && (self.announced || opening.mode != self.mode);
        // Nor is an array that a spare board has shown all the time a new game.
        let spare = self.is_stranger && self.squares.last_change() <= self.squares.heard_at();
        if (self.playing && (of_this_game || as_begun || wrong_set_up || spare)) || (!self.playing && untouched) {
            return None;
        }
        Some(self.squares.rests_since() + self.settings.new_game_rest_ms)
    }

    pub(super) fn start_anew(&mut self, out: &mut Vec<Deed>) {
        if let Some(opening) = self.opening() {
            self.admit_gap(self.unfollowed >= self.settings.unfollowed_men || self.may_have_put_up(), out);
            out.push(Deed::NewGame(Box::new(opening)));
        }
    }

    /// Counts the men that are put down where no game begins while the board fits nothing: hands play on, and nobody can
    /// follow them.
    pub(super) fn note_unfollowed(&mut self, changes: &[Change]) {
        let played = |change: &&Change| match change {
            Change::Landed(square, man) => !self.is_home(*man, *square),
            Change::Lifted(..) => false,
        };
        self.unfollowed = if self.fits { 0 } else { self.unfollowed + changes.iter().filter(played).count() };
    }

    /// The last ply of the record, which nobody has pressed, put a man where the next game begins: it may have been the
    /// first that was put up.
    fn may_have_put_up(&self) -> bool {
        self.recent.last().is_some_and(|(before, played)| {
            let mover = before.turn();
            self.unpressed[mover] && self.is_home(played.role().of(mover), played.to())
        })
    }

    /// A board that is first heard in the middle of a game.
    pub(super) fn start_in_mid_game(&mut self, contents: &Contents, out: &mut Vec<Deed>) {
        if let Some(opening) = Opening::in_mid_game(contents) {
            out.push(Deed::NewGame(Box::new(opening)));
        }
    }

    /// All that is seen are men that land where they stood when the game began, and the clock was stopped: the players may
    /// be putting them up again.
    pub(super) fn goes_home(&self) -> bool {
        let home =
            |(played, side): (Move, Color)| !played.is_capture() && self.is_home(played.role().of(side), played.to());
        self.pressing == Pressing::Stopped && self.tail_by_side().all(home)
    }

    /// The man stood there when the game began, or does so in the next.
    pub(super) fn is_home(&self, man: Piece, square: Square) -> bool {
        let began = self.earlier.first().is_some_and(|array| array.piece_at(square) == Some(man));
        began || Chess::default().board().piece_at(square) == Some(man)
    }
}

/// A king to one of the squares where it shows the result.
pub(super) fn is_to_centre(played: Move) -> bool {
    matches!(played, Move::Normal { role: Role::King, to, .. } if CENTRE.contains(to))
}
