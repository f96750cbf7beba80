//! The boards of one table: which can be heard, which is followed, and the other one beside it.

mod pair;
mod twin;

use std::{borrow::Cow, collections::BTreeSet};

use protocol::{
    board::{Contents, Lie, Link, Observation},
    feed::AlertKind,
};
use shakmaty::Chess;

use super::record::Game;
use crate::{Millis, Ply};
pub(crate) use pair::Pair;
pub(crate) use twin::Twin;

/// Of two boards only one is followed: men that move on both must not be taken for one another. It is the first that is
/// heard; in blind play the one of the player who has the move.
#[derive(Clone, Debug, Default)]
pub(crate) struct Boards {
    /// The board whose men and clock count.
    followed: Option<String>,
    /// The one that counted before it.
    before: Option<String>,
    /// The one that had gone on when the game was opened again: it is wanted for as long as that lasts, and goes on then.
    recalled: Option<String>,
    /// Those that can be heard.
    linked: BTreeSet<String>,
    /// Since when none was heard, until somebody was told.
    silent_since: Option<Millis>,
    /// What was said of boards that can't be heard, since one could be.
    missed: Vec<AlertKind>,
    /// The board that is not followed, once it has been heard whole.
    twin: Option<Twin>,
    /// What is known of both.
    pair: Pair,
}

/// What the coming or going of a board means for the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LinkChange {
    /// One of two came or went: the other is heard all the same.
    OneOfTwo,
    /// The table can be heard from here on.
    Heard,
    /// It can't be heard any more.
    Silent,
    /// It could not be heard, and still can't.
    StillSilent,
}

impl Boards {
    /// A board comes or goes.
    pub(crate) fn link(&mut self, board: &str, link: Link, now: Millis) -> LinkChange {
        let was_up = self.is_linked();
        match link {
            Link::Up => self.linked.insert(board.to_owned()),
            Link::Down => self.linked.remove(board),
        };
        if was_up && self.is_linked() {
            self.twin = None;
            return LinkChange::OneOfTwo;
        }
        self.follow(board);
        self.silent_since = if self.is_linked() { None } else { self.silent_since.or(was_up.then_some(now)) };
        match (was_up, self.is_linked()) {
            (_, true) => LinkChange::Heard,
            (true, false) => LinkChange::Silent,
            (false, false) => LinkChange::StillSilent,
        }
    }

    /// The daemon was away: what could be heard has to come back. Gives the board that was followed, if any was heard.
    pub(crate) fn fall_silent(&mut self, now: Millis) -> Option<String> {
        let any = !std::mem::take(&mut self.linked).is_empty();
        self.silent_since = self.silent_since.or(any.then_some(now));
        any.then(|| self.followed.clone().unwrap_or_default())
    }

    /// One has been heard here.
    pub(crate) fn were_heard(&self) -> bool {
        self.followed.is_some()
    }

    /// The men and the clock of this one count.
    pub(crate) fn follows(&self, board: &str) -> bool {
        self.followed.as_deref() == Some(board)
    }

    /// Since when no board was heard, while nobody was told that it is long.
    pub(crate) fn silent_since(&self) -> Option<Millis> {
        self.silent_since
    }

    /// Somebody was told.
    pub(crate) fn note_told_of_silence(&mut self) {
        self.silent_since = None;
    }

    /// This was said of a board that can't be heard, or one can be again.
    pub(crate) fn note_missed(&mut self, said: Option<AlertKind>) {
        match said {
            Some(said) => self.missed.push(said),
            None => self.missed.clear(),
        }
    }

    /// No board is missed. Gives what was said of those that were.
    pub(crate) fn forget_missed(&mut self) -> Vec<AlertKind> {
        self.silent_since = None;
        std::mem::take(&mut self.missed)
    }

    /// Whether what this board reports counts.
    pub(crate) fn hears(&mut self, board: &str) -> bool {
        let other = self.followed.as_ref().filter(|followed| *followed != board);
        if other.is_some_and(|followed| self.linked.contains(followed)) {
            return false;
        }
        self.follow(board);
        true
    }

    /// This board counts from here on.
    pub(crate) fn follow(&mut self, board: &str) {
        if self.followed.as_deref() != Some(board) {
            self.before = self.followed.replace(board.to_owned());
        }
    }

    /// The board to follow instead. If the one that was followed is silent, it is the other one; and one that comes back
    /// is followed again if the other one does not show the game for `sure`.
    pub(crate) fn instead(&self, sure: bool) -> Option<String> {
        let is_up = |board: &&String| self.linked.contains(*board);
        let next = match (self.followed.as_ref().filter(is_up), self.before.as_ref().filter(is_up)) {
            (Some(_), Some(before)) if !sure => Some(before),
            (Some(_), _) => None,
            (None, _) => self.linked.first(),
        };
        next.cloned()
    }

    /// The game is opened again: the board that was followed is wanted, if it has gone.
    pub(crate) fn recall(&mut self) {
        self.recalled = self.lost().cloned();
    }

    /// This board has its place elsewhere.
    pub(crate) fn let_go(&mut self, board: &str) {
        self.recalled.take_if(|recalled| recalled == board);
    }

    pub(crate) fn recalled(&self) -> Option<&String> {
        self.recalled.as_ref()
    }

    /// The board that was followed and can't be heard.
    pub(crate) fn lost(&self) -> Option<&String> {
        self.followed.as_ref().filter(|followed| !self.linked.contains(*followed))
    }

    pub(crate) fn followed(&self) -> Option<&String> {
        self.followed.as_ref()
    }

    /// The other one of two that can be heard.
    pub(crate) fn other(&self) -> Option<&String> {
        let followed = self.followed.as_ref().filter(|followed| self.linked.contains(*followed))?;
        self.linked.iter().find(|board| *board != followed)
    }

    pub(crate) fn pair(&self) -> &Pair {
        &self.pair
    }

    pub(crate) fn pair_mut(&mut self) -> &mut Pair {
        &mut self.pair
    }

    /// What a board reports, as if it lay like the other one.
    pub(crate) fn laid<'a>(&self, board: &str, observation: &'a Observation) -> Cow<'a, Observation> {
        if self.pair.is_turned(board) { Cow::Owned(observation.turned()) } else { Cow::Borrowed(observation) }
    }

    /// The other board is followed from here on, and this one beside it, which shows this ply. Gives what stands on the one
    /// that is followed.
    pub(crate) fn exchange(&mut self, shown: Contents, ply: Ply, now: Millis) -> Option<Contents> {
        let other = self.other()?.clone();
        let twin = self.twin.replace(Twin::left(shown, ply, now))?;
        self.follow(&other);
        Some(*twin.contents())
    }

    pub(crate) fn is_linked(&self) -> bool {
        !self.linked.is_empty()
    }

    /// The board that is not followed reported something. True if that changes what is known of it.
    pub(crate) fn hear_twin(&mut self, observation: &Observation, now: Millis) -> bool {
        match (&mut self.twin, observation) {
            (Some(twin), _) => twin.hear(observation, now),
            (None, Observation::Board(contents)) => {
                self.twin = Some(Twin::new(**contents, now));
                true
            }
            (None, Observation::Square { .. } | Observation::Clock(_) | Observation::Link(_)) => false,
        }
    }

    /// The record or what is seen has changed.
    pub(crate) fn stir_twin(&mut self, now: Millis) {
        if let Some(twin) = &mut self.twin {
            twin.stir(now);
        }
    }

    /// Remembers where both boards agree, and how the other one lies to the one that is followed, which lies like `lie`.
    pub(crate) fn meet_twin(&mut self, game: &Game, seen: &Chess, lie: Lie) {
        let other = self.other().cloned().unwrap_or_default();
        let Some(twin) = &mut self.twin else { return };
        if let Some((ply, at)) = twin.meet(game, seen) {
            self.pair.reach(&other, ply, at);
        }
        if twin.shows(game.position()) && twin.lie(game.position()) != lie {
            self.pair.turn(&other);
            twin.turn();
        }
    }

    /// Both boards are at rest. Gives the one that is not followed, if it differs from the game that is played and nobody
    /// was told.
    pub(crate) fn judge_twin(&mut self, played: Option<(&Game, &Chess)>) -> Option<&Twin> {
        let twin = self.twin.as_mut()?;
        twin.judge(played).then_some(&*twin)
    }

    /// The board that is not followed, once it has been heard whole.
    pub(crate) fn twin(&self) -> Option<&Twin> {
        self.twin.as_ref()
    }
}
