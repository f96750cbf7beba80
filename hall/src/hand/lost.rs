//! What was lost: all that is remembered of what nobody has heard, and of what may have been misread.
//!
//! This is kept in one place because it is worked out in one place, `recovery`; nothing else changes it but
//! by its verbs.

use shakmaty::{Color, Move, Square};

use super::{sign::PressCount, stories::Stories};
use crate::{Millis, Ply};

/// What was lost, and what is known of it.
#[derive(Clone, Debug, Default)]
pub(super) struct Lost {
    /// What the clock tells about it.
    pub(super) presses: PressCount,
    /// The last ply that was played unheard. It is not final with those below it.
    pub(super) unheard: Option<LastUnheard>,
    /// What may have been played while nothing was heard, until one story is sure. The record's position is then the one
    /// after the story that is shown.
    pub(super) stories: Option<Stories>,
    /// Different moves explain what no sensor has told, and it has been said.
    pub(super) puzzled: bool,
    /// What was looked for in the open gap.
    pub(super) searched: Searched,
    /// A press found a man of the presser nowhere: the square it went to may have told nothing.
    pub(super) may_be_silent: bool,
    /// When a final move will have turned out to be another one, if the board stays as it is.
    pub(super) rethinks_at: Option<Millis>,
    /// When the last man of the record's last ply landed.
    pub(super) placed_at: Millis,
    /// When that ply was pressed, if it was before hands played on from it.
    pub(super) pressed_at: Option<Millis>,
    /// The board has told nothing of late, though nobody knew that it can't be heard.
    pub(super) was_deaf: bool,
    /// Where a man is taken to have stopped that no square has told of, while it may have been elsewhere.
    pub(super) guess: Option<Guess>,
}

/// The last of some plies that were played unheard.
#[derive(Clone, Copy, Debug)]
pub(super) struct LastUnheard {
    /// It was played after this one.
    pub(super) after: Ply,
    pub(super) played: Move,
    /// How many they were with it, if presses could not be heard either; none where only a dump has told of it.
    pub(super) plies: usize,
}

impl LastUnheard {
    /// It is this one.
    pub(super) fn is(&self, after: Ply, played: Move) -> bool {
        (self.after, self.played) == (after, played)
    }
}

/// A gap, as far as it was searched.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Searched {
    /// Since when it is known.
    pub(super) since: Millis,
    /// Nobody has put a man down since the board was heard again: somebody may have held one all the time.
    pub(super) may_hold: bool,
    /// Less would explain it if somebody had a man in the hand.
    pub(super) in_hand: bool,
    /// The man of the last ply that was seen may have been on his way.
    pub(super) on_its_way: bool,
    /// How often that was in vain, and when last.
    pub(super) in_vain: (u8, Millis),
    /// The rest, by its beginning, in which hands were to be followed from what stands on the board.
    pub(super) leapt_at: Option<Millis>,
    /// Who has pressed last since the board fell silent, and how often the one and the other in turn.
    pressed: Option<(Color, usize)>,
    /// The link was up all the time: presses count on.
    pub(super) heard_on: bool,
}

/// A ply of the record of which no square has told where its man stopped.
#[derive(Clone, Debug)]
pub(super) struct Guess {
    pub(super) ply: Ply,
    /// Where it is taken to stand.
    pub(super) square: Square,
    /// What the ply may have been instead.
    pub(super) others: Vec<Move>,
    /// The man has gone on from there, or was taken.
    pub(super) gone: bool,
}

impl Lost {
    /// The record is another one: nothing of it is open.
    pub(super) fn reset(&mut self) {
        self.stories = None;
        self.unheard = None;
        self.searched.leapt_at = None;
        self.record();
    }

    /// A ply is in the record: it was not missed.
    pub(super) fn record(&mut self) {
        self.was_deaf = false;
        self.may_be_silent = false;
        self.puzzled = false;
    }

    /// The last man of the record's last ply landed then, and its player had pressed by then.
    pub(super) fn place(&mut self, at: Millis, pressed: Option<Millis>) {
        (self.placed_at, self.pressed_at) = (at, pressed);
    }

    /// Somebody has put a man down, or nobody has.
    pub(super) fn note_landing(&mut self, landed: bool) {
        self.searched.may_hold &= !landed;
    }

    /// The board is heard again, in the middle of a game.
    pub(super) fn hear_again(&mut self, now: Millis) {
        (self.searched.may_hold, self.searched.since) = (true, now);
        self.search_afresh(now);
    }

    /// What was looked for is found, or nobody looks for it any more.
    pub(super) fn find(&mut self, now: Millis) {
        self.search_afresh(now);
        self.searched.pressed = None;
    }

    /// No search was in vain so far.
    pub(super) fn search_afresh(&mut self, now: Millis) {
        self.searched.in_vain = (0, now);
    }

    /// Somebody presses while nothing explains the board.
    pub(super) fn press(&mut self, side: Color) {
        let same = self.searched.pressed.is_some_and(|(by, _)| by == side);
        self.searched.pressed = Some((side, self.presses_in_gap() + usize::from(!same)));
        if let PressCount::Counted { count, to_move } = &mut self.presses
            && self.searched.heard_on
            && *to_move == side
        {
            (*count, *to_move) = (count.start() + 1..=count.end() + 1, !side);
        }
    }

    /// Whole plies were not heard, though the clock was pressed so often.
    pub(super) fn turn_out_deaf(&mut self, presses: PressCount, now: Millis) {
        self.hear_again(now);
        self.was_deaf = true;
        (self.presses, self.searched.heard_on) = (presses, true);
    }

    /// What the clock shows tells so, if it was not heard.
    pub(super) fn count(&mut self, presses: PressCount) -> PressCount {
        if self.searched.heard_on { self.presses.clone() } else { std::mem::replace(&mut self.presses, presses) }
    }

    /// How often the one and the other in turn have pressed while nothing explained the board.
    pub(super) fn presses_in_gap(&self) -> usize {
        self.searched.pressed.map_or(0, |(_, presses)| presses)
    }

    /// So many plies at least were pressed in a gap that began with this player to move. The last ply before it may have
    /// been `unpressed`.
    pub(super) fn pressed_in_gap(&self, turn: Color, unpressed: bool) -> usize {
        let Some((by, presses)) = self.searched.pressed else { return 0 };
        let first = if presses.is_multiple_of(2) { !by } else { by };
        if first == turn {
            presses
        } else if unpressed {
            presses - 1
        } else {
            // The opponent has pressed before, and nobody has heard it.
            presses + 1
        }
    }

    /// The board can't be heard: the clock may tell how much is played meanwhile. It may not have been heard for some time,
    /// if a question was `unanswered`.
    pub(super) fn fall_silent(&mut self, unanswered: bool, on_its_way: bool) {
        self.searched.on_its_way = on_its_way;
        self.was_deaf |= unanswered;
        (self.presses, self.searched.heard_on) = (PressCount::Unknown, false);
        self.searched.pressed = None;
    }

    /// Nobody asks any more which story it was.
    pub(super) fn drop_stories(&mut self) {
        self.stories = None;
    }

    /// More than one square may still have been the one where a man stopped that none has told of.
    pub(super) fn is_guessing(&self) -> bool {
        self.guess.as_ref().is_some_and(|guess| !guess.others.is_empty())
    }

    /// A man of the presser is nowhere.
    pub(super) fn note_silence(&mut self) {
        self.may_be_silent = true;
    }

    /// No final move is thought over, as far as anybody knows by now.
    pub(super) fn stop_rethinking(&mut self) {
        self.rethinks_at = None;
    }
}
