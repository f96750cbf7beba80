//! What is heard of the board: nothing yet, nothing any more, with a gap, or all.

use crate::Millis;

/// A board that was asked and says nothing for so long shows no dumps.
const ANSWERS_MS: Millis = 1_000;

/// What is heard.
#[derive(Clone, Debug, Default)]
pub(super) struct Hearing {
    heard: Heard,
    /// There was a gap already when the board fell silent.
    was_gap: bool,
    /// The board has taken another one's place, and has not shown the game yet.
    is_unrecognised: bool,
    /// When the board was asked for a dump last.
    asked_at: Option<Millis>,
    /// Since when it owes one.
    owes_since: Option<Millis>,
    /// It was asked for one, and none came.
    mute: bool,
    doubt: Option<Unheard>,
}

/// The board may not be heard though its link is up.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unheard {
    pub(super) since: Millis,
    pub(super) why: Silence,
}

/// Why that may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Silence {
    /// A press has found nothing new on it.
    Pressed,
    /// A report was lost: what a press finds wrong waits for a dump.
    Lost,
    /// Presses of both players have found nothing: what is pressed now waits too.
    BothPressed,
    /// The clock was not heard either for some time: so does what a press finds wrong.
    Missed,
}

impl Silence {
    /// What a press finds wrong has to wait for a dump.
    pub(super) fn excuses(self) -> bool {
        matches!(self, Silence::Lost | Silence::Missed)
    }
}

/// How much of what happened since the record last moved on was heard.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Heard {
    /// No whole board was heard yet.
    #[default]
    Never,
    /// The board can't be heard, or no whole board was heard since. Nothing is concluded from rest.
    Silent,
    /// The board is heard, and what happened before is not found out yet.
    Gap,
    /// Everything.
    All,
}

impl Hearing {
    /// A whole board is heard. True if it is the first one since the board can be heard.
    pub(super) fn survey(&mut self) -> bool {
        let first = !self.is_surveyed();
        (self.doubt, self.owes_since, self.mute) = (None, None, false);
        self.heard = match self.heard {
            Heard::Never | Heard::All => Heard::All,
            Heard::Silent | Heard::Gap => Heard::Gap,
        };
        first
    }

    /// The board can't be heard any more.
    pub(super) fn fall_silent(&mut self) {
        if self.is_surveyed() {
            self.was_gap = self.is_gap();
        }
        self.owes_since = None;
        self.heard = Heard::Silent;
    }

    /// Another board has taken its place.
    pub(super) fn replace(&mut self) {
        self.is_unrecognised = true;
    }

    /// The board shows the game.
    pub(super) fn recognise(&mut self) {
        self.is_unrecognised = false;
    }

    /// What happened is found out, or does not matter. While the board can't be heard, moves go on all the same.
    pub(super) fn close_gap(&mut self) {
        if self.heard == Heard::Gap {
            self.heard = Heard::All;
        }
    }

    /// What was found out was something else.
    pub(super) fn reopen_gap(&mut self) {
        self.heard = Heard::Gap;
    }

    /// A press has found nothing new on the board. Where both players have pressed so, it is the board that says nothing.
    pub(super) fn press_in_vain(&mut self, now: Millis) {
        self.miss(if self.doubt.is_some() { Silence::BothPressed } else { Silence::Pressed }, now);
    }

    /// Something was not heard, for this reason or a stronger one.
    pub(super) fn miss(&mut self, why: Silence, now: Millis) {
        let why = self.doubt.map_or(why, |doubt| doubt.why.max(why));
        self.doubt = Some(Unheard { since: now, why });
    }

    /// It has told of a ply: whoever pressed in vain did so without a move.
    pub(super) fn trust(&mut self) {
        self.doubt.take_if(|doubt| doubt.why == Silence::Pressed);
    }

    pub(super) fn doubt(&self) -> Option<Unheard> {
        self.doubt
    }

    /// The board is asked for a dump.
    pub(super) fn ask(&mut self, now: Millis) {
        self.asked_at = Some(now);
        self.owes_since.get_or_insert(now);
    }

    /// When it will have owed one for so long that it shows none.
    pub(super) fn gives_up_at(&self) -> Option<Millis> {
        Some(self.owes_since? + ANSWERS_MS)
    }

    /// It has.
    pub(super) fn give_up(&mut self) {
        (self.owes_since, self.mute) = (None, true);
    }

    /// It was asked for a dump, and showed none.
    pub(super) fn is_mute(&self) -> bool {
        self.mute
    }

    /// A whole board was heard since the link came up.
    pub(super) fn is_surveyed(&self) -> bool {
        matches!(self.heard, Heard::Gap | Heard::All)
    }

    /// What happened since the record last moved on was not all heard.
    pub(super) fn is_gap(&self) -> bool {
        matches!(self.heard, Heard::Silent | Heard::Gap)
    }

    pub(super) fn was_gap(&self) -> bool {
        self.was_gap
    }

    pub(super) fn is_unrecognised(&self) -> bool {
        self.is_unrecognised
    }

    pub(super) fn asked_at(&self) -> Option<Millis> {
        self.asked_at
    }
}
