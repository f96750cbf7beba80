//! When things are due: what becomes final by rest, and what rest says otherwise.

use shakmaty::{Chess, Color, Move, Position, Role, Square, attacks};

use super::{CENTRE, Deed, Hand, Presses, Pressing, explain, press, pressing::OpenPress};
use crate::Millis;

/// Why the hand wants to be woken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wake {
    /// A pressed ply is final.
    Pressed,
    /// So many men are in the air that they were knocked over.
    Knocked,
    /// A ply with a reply on top is final.
    Answered,
    /// A ply under an opponent's hand is final.
    OpponentLifts,
    /// A ply that ends the game is final, or may be one that does.
    EndsGame,
    /// A ply is final by rest.
    Settles,
    /// The only story of what was not heard has stood long enough.
    Believes,
    /// The kings in the centre have stood long enough.
    KingsMeet,
    /// A start array has stood long enough.
    StartsAnew,
    /// An earlier position has stood long enough.
    TakesBack,
    /// A press found no ply in time.
    PressFails,
    /// Where releasing completes a move, an illegal one has stood long enough.
    Releases,
    /// An unexplained board has stood long enough.
    Holds,
    /// Only a dump can tell more.
    Doubts,
    /// A final move has turned out to be another one.
    Rethinks,
    /// The clock that could tell how much was played unheard is silent.
    Counts,
}

impl Hand {
    /// When to come back, and why. A hand that can't hear its board waits for nothing.
    pub fn deadline(&self) -> Option<(Millis, Wake)> {
        if !self.surveyed {
            return None;
        }
        let mut dues = vec![(self.starts_anew_at(), Wake::StartsAnew), (self.kings_meet_at(), Wake::KingsMeet)];
        if self.playing {
            dues.extend([
                (self.pressed_at(), Wake::Pressed),
                (self.touches.knocked_at(&self.settings), Wake::Knocked),
                (self.answered_at(), Wake::Answered),
                (self.opponent_lifts_at(), Wake::OpponentLifts),
                (self.ends_game_at(), Wake::EndsGame),
                (self.settles_at(), Wake::Settles),
                (self.believes_at(), Wake::Believes),
                (self.takes_back_at(), Wake::TakesBack),
                (self.press_fails_at(), Wake::PressFails),
                (self.releases_at(), Wake::Releases),
                (self.holds_at(), Wake::Holds),
                (self.doubts_at(), Wake::Doubts),
                (self.rethinks_at, Wake::Rethinks),
                (self.counts_at(), Wake::Counts),
            ]);
        }
        // What is found to have been due already is due now.
        dues.into_iter().filter_map(|(at, wake)| Some((at?.max(self.now), wake))).min()
    }

    /// Does what is due first, if it is due by `now`. Call until it returns false, and act on `out` each time:
    /// a takeback stays due until `correct` has answered it, a new game until `begin` has, an end until `expect_end` has.
    pub fn wake(&mut self, now: Millis, out: &mut Vec<Deed>) -> bool {
        let Some((at, wake)) = self.deadline().filter(|(at, _)| *at <= now) else { return false };
        self.now = at;
        match wake {
            Wake::Pressed => self.settle_pressed(usize::MAX, at, out),
            Wake::Knocked => {
                let knocked = self.touches.confirm();
                // Men that are put up before a game are none.
                let setting_up = self.assumed && !self.pressing.is_possible();
                knocked.filter(|_| !setting_up).into_iter().for_each(|color| out.push(Deed::Knocked(color)));
            }
            Wake::Answered => self.settle(self.tail.len() - 1, false, at, out),
            Wake::EndsGame if self.ends_game.is_none() => out.push(Deed::AskEnd),
            Wake::OpponentLifts | Wake::EndsGame | Wake::Settles => self.settle(self.tail.len(), false, at, out),
            Wake::Believes => self.believe(at, out),
            Wake::KingsMeet => self.kings_met(at, out),
            Wake::StartsAnew => self.start_anew(out),
            Wake::TakesBack => self.take_back(out),
            Wake::PressFails => self.judge_press(at, out),
            Wake::Releases => self.judge_release(out),
            Wake::Holds => self.hold(at, out),
            Wake::Rethinks => {
                self.rethinks_at = None;
                self.look(at, out);
            }
            Wake::Counts => self.count(&Presses::Unknown, at, out),
            Wake::Doubts => {
                self.asked_at = Some(at);
                out.push(Deed::AskDump);
            }
        }
        true
    }

    /// How many plies of the tail a press by `side` completes: up to the last one of that side.
    pub(super) fn completed_by(&self, side: Color) -> Option<usize> {
        let turn = self.root.turn();
        (1..=self.tail.len()).rev().find(|count| (if count % 2 == 1 { turn } else { !turn }) == side)
    }

    /// How many plies of the tail this press completes: what its player has landed only later is for another press.
    pub(super) fn completed_by_press(&self, press: &OpenPress) -> Option<usize> {
        let last = self.completed_by(press.side)?;
        let until = press.at + self.settings.press_after_ms;
        let in_time = |count: &usize| self.changed_at(self.tail[count - 1]) <= until;
        let of_the_player = || (1..=last).rev().filter(|count| (last - count).is_multiple_of(2));
        of_the_player().find(in_time).or_else(|| of_the_player().next_back())
    }

    fn pressed_at(&self) -> Option<Millis> {
        let press = self.press.as_ref().filter(|_| self.fits)?;
        let count = self.completed_by_press(press)?;
        Some(press.at.max(self.changed_at(self.tail[count - 1]) + self.settings.press_before_ms))
    }

    fn answered_at(&self) -> Option<Millis> {
        if self.tail.len() < 2 || !self.fits {
            return None;
        }
        if self.goes_home() {
            return Some(self.squares.rests_since() + self.settings.settle_home_ms);
        }
        let landings = self.tail_by_side().map(|(played, side)| self.stands_since(played, side)).collect::<Vec<_>>();
        // Where no press can come nobody hurries: men that are put up again land in any order, and two of them may
        // look like a move and its reply for a moment. Hands that play on are followed no further than so many plies.
        if !landings.is_sorted() && !self.pressing.is_possible() && self.tail.len() < self.settings.plies_ahead {
            return Some(self.squares.rests_since() + self.settings.settle_ms);
        }
        let landed = landings.iter().max()?;
        let debounced = landed + self.settings.contact_debounce_ms;
        // A captured man that flashes beside its square may pass for a move that ended there.
        let swapped = self.turn.swapped_at.map(|at| at + self.settings.reply_swapped_ms);
        // So may one that was taken off before what it seems to answer had landed. A press is worth waiting for then.
        let is_flash = |(reply, below): (&Move, &Millis)| {
            reply.from().is_some_and(|from| self.squares.changed_at(from) < *below && from.distance(reply.to()) == 1)
        };
        let flashed = self.pressing == Pressing::Awaited && self.tail[1..].iter().zip(&landings).any(is_flash);
        let flashed = flashed.then_some(landed + self.settings.reply_flash_ms);
        swapped.max(flashed).max(Some(debounced))
    }

    /// The plies that are seen, with whose they are.
    pub(super) fn tail_by_side(&self) -> impl Iterator<Item = (Move, Color)> {
        self.tail.iter().copied().zip([self.root.turn(), !self.root.turn()].into_iter().cycle())
    }

    /// Since when a ply is on the board, even if its man has gone up again for the next one.
    fn stands_since(&self, played: Move, side: Color) -> Millis {
        let gone = self.squares.lifted().iter().any(|lifted| lifted.from == played.to());
        if gone { explain::landed_at(side, played, &self.squares) } else { self.changed_at(played) }
    }

    fn opponent_lifts_at(&self) -> Option<Millis> {
        let (side, released) = self.lone_release().filter(|_| !self.goes_home())?;
        let seen = self.seen();
        let lifted = self.squares.in_air(seen.board()).find(|lifted| {
            let king_answer = self.is_to_centre() && (lifted.piece.role == Role::King || CENTRE.contains(lifted.from));
            lifted.piece.color != side && self.squares.lifted_at(lifted) >= released && !king_answer
        })?;
        Some(self.squares.lifted_at(&lifted) + self.settings.opponent_lift_ms)
    }

    fn ends_game_at(&self) -> Option<Millis> {
        let (_, released) = self.lone_release().filter(|_| self.ends_game != Some(false))?;
        let rest = if self.is_extendable() { self.settings.settle_extendable_ms } else { self.settings.settle_end_ms };
        Some(released - self.settings.release_dwell_ms + rest)
    }

    fn settles_at(&self) -> Option<Millis> {
        let (side, _) = self.lone_release()?;
        if self.pressing == Pressing::Awaited || self.floating(!side) {
            return None;
        }
        let rest = if self.is_to_centre() {
            self.settings.settle_centre_ms
        } else if self.is_extendable() && self.is_pushed() {
            self.settings.settle_pushed_ms
        } else if self.is_extendable() {
            self.settings.settle_extendable_ms
        } else if self.goes_home() {
            self.settings.settle_home_ms
        } else {
            self.settings.settle_ms
        };
        Some(self.squares.rests_since() + rest)
    }

    fn takes_back_at(&self) -> Option<Millis> {
        if self.pressing.is_possible()
            || self.fits
            || self.stories.is_some()
            || self.restoring
            || self.is_stranger
            || self.opening().is_some()
        {
            return None;
        }
        self.plies_back()?;
        // A king that is back in the centre may wait there for the other one, to show the result.
        let shows = (self.squares.board().kings() & CENTRE & !self.root.board().kings()).any();
        let rest = if shows { self.settings.takeback_centre_ms } else { self.settings.takeback_rest_ms };
        Some(self.squares.rests_since() + rest)
    }

    fn press_fails_at(&self) -> Option<Millis> {
        let press = self.press.as_ref()?;
        // A board that fits is only waiting to have been still for a moment.
        if self.fits && self.completed_by(press.side).is_some() { None } else { Some(press.until.max(press.at)) }
    }

    fn releases_at(&self) -> Option<Millis> {
        let open = self.pressing == Pressing::Needless && !self.fits && !self.unlawful && !self.gap;
        let changed = self.squares.rests_since();
        let judged = self.press.is_some() || self.release_judged == Some(changed);
        (open && !judged && !self.floating(self.root.turn())).then_some(changed + self.settings.illegal_release_ms)
    }

    fn holds_at(&self) -> Option<Millis> {
        let rested = self.squares.rests_since();
        // Held once, but judged afresh at each rest: a man that was in the air may be back.
        let news = !self.held || (!self.gap && self.judged_at < rested);
        // Hands that go on after a gap need not rest before it is said that nobody can follow them.
        let since = if self.gap { self.squares.heard_at() } else { rested };
        (!self.fits && news).then_some(since + self.settings.mismatch_rest_ms)
    }

    fn doubts_at(&self) -> Option<Millis> {
        if self.asked_at.is_some_and(|at| at >= self.squares.last_change()) {
            return None;
        }
        let rest = match (self.fits, Color::ALL.into_iter().any(|side| self.floating(side))) {
            (true, false) => return None,
            (true, true) => self.settings.dump_air_ms,
            (false, _) => self.settings.dump_rest_ms,
        };
        // Hands that play on leave a board that fits nothing no moment of rest.
        let busy = self.unfit_since.filter(|_| !self.gap);
        let busy = busy.map(|since| since.max(self.asked_at.unwrap_or(0)) + self.settings.dump_busy_ms);
        Some((self.squares.rests_since() + rest).min(busy.unwrap_or(Millis::MAX)))
    }

    /// The mover of a single seen ply, and when it was released.
    fn lone_release(&self) -> Option<(Color, Millis)> {
        let side = self.root.turn();
        let [lone] = self.tail[..] else { return None };
        let released = self.changed_at(lone) + self.settings.release_dwell_ms;
        self.fits.then_some((side, released))
    }

    /// A man of this side that belongs on the seen board is in the air.
    fn floating(&self, side: Color) -> bool {
        self.squares.in_air(self.seen().board()).any(|lifted| lifted.piece.color == side)
    }

    /// When the last square of a ply changed.
    pub(super) fn changed_at(&self, played: Move) -> Millis {
        let footprint = explain::footprint(played);
        footprint.into_iter().map(|square| self.squares.changed_at(square)).max().unwrap_or(0)
    }

    /// The man could go on: a slide that pauses, a rook before castling, a king on its way to castling.
    fn is_extendable(&self) -> bool {
        let Some(&Move::Normal { role, from, to, .. }) = self.tail.first() else { return false };
        let could_follow = |longer: &Move| match *longer {
            Move::Castle { king, rook } => {
                let side = longer.castling_side().expect("castling has a side");
                let color = self.root.turn();
                (from == rook && to == side.rook_to(color)) || (from == king && role == Role::King)
            }
            Move::Normal { from: start, to: end, .. } => start == from && end != to && is_beyond(from, to, end),
            Move::EnPassant { .. } | Move::Put { .. } => false,
        };
        self.root.legal_moves().iter().any(could_follow)
    }

    /// The man was pushed to where it stands: no hand has carried it, and none may have let go of it yet.
    fn is_pushed(&self) -> bool {
        self.tail.first().is_some_and(|played| self.squares.carried(played.to()) < self.settings.push_ms)
    }

    /// The position after the tail.
    fn seen(&self) -> Chess {
        let mut position = self.root.clone();
        for played in &self.tail {
            position.play_unchecked(*played);
        }
        position
    }

    pub(super) fn plies_back(&self) -> Option<usize> {
        let same = |earlier: &shakmaty::Board| self.squares.misfit_ignoring_air(earlier).is_empty();
        self.earlier.iter().rev().position(same).map(|index| index + 1)
    }

    fn take_back(&mut self, out: &mut Vec<Deed>) {
        if let Some(plies) = self.plies_back() {
            // Men that stand as they did some plies ago may have been played there while nobody heard.
            self.admit_gap(false, out);
            out.push(Deed::Takeback(plies));
        }
    }

    /// Says what an unexplained board shows that has rested.
    fn hold(&mut self, at: Millis, out: &mut Vec<Deed>) {
        self.judged_at = self.squares.rests_since();
        if !std::mem::replace(&mut self.held, true) {
            out.push(Deed::Held(self.squares.misfit(self.seen().board())));
            self.admit_gap(false, out);
        }
        if self.reopens_gap() {
            return self.reopen_gap(at, out);
        }
        // Men that are put up before a game, or for another one, are no offence.
        if self.assumed && !self.pressing.is_possible() {
            let contents = *self.squares.wire();
            self.assume_anew(&contents, at, out);
            return self.look(at, out);
        }
        // After a gap nobody can be blamed for what was not heard.
        if self.unlawful || self.press.is_some() || self.gap {
            return;
        }
        if press::out_of_turn(&self.root, self.squares.board()).is_some() {
            self.find_unlawful();
            out.push(Deed::OutOfTurn(!self.root.turn()));
        } else if !self.pressing.is_possible() && !self.floating(self.root.turn()) {
            self.find_unlawful();
            out.push(Deed::Mismatched(press::compare(self.root.board(), self.squares.board())));
        }
    }
}

/// `end` lies behind `to` on the line from `from`.
fn is_beyond(from: Square, to: Square, end: Square) -> bool {
    attacks::ray(from, to).contains(end) && attacks::between(from, end).contains(to)
}
