//! What has to be done next: rooms that work something out say so, and none calls back the one that called it.

use shakmaty::{Color, Move};

use super::{making::Making, touch::Touches};
use crate::{Course, Millis};

/// One thing to be done.
#[derive(Clone, Debug)]
pub(super) enum Step {
    /// Look for the best explanation of the board.
    Look,
    /// The first plies of the tail are followed, or final.
    Settle(Settle),
    /// The record is another one.
    Correct(Course),
    /// Its position has to be set up first.
    Restore,
    /// This player's press, which was heard then, waits for its ply.
    TakeUpPress(Color, Millis),
    /// What was touched belongs to the turn that is on from here.
    TakeUp(Box<(Touches, Making)>),
}

/// So many plies of the tail are followed, or final.
#[derive(Clone, Copy, Debug)]
pub(super) struct Settle {
    pub(super) plies: usize,
    /// They were worked out, not seen.
    pub(super) inferred: bool,
    /// The first so many nobody saw being played: nobody could hear their presses either.
    pub(super) hidden: usize,
    /// The press that completes the last of them.
    pub(super) completing: Option<Millis>,
    /// The first so many are final, pressed or not.
    pub(super) surely: usize,
    /// It is this ply, whatever the board shows.
    pub(super) forced: Option<Move>,
}

impl Settle {
    /// So many plies that were seen.
    pub(super) fn seen(plies: usize) -> Settle {
        Settle { plies, inferred: false, hidden: 0, completing: None, surely: 0, forced: None }
    }

    /// So many plies of which nobody need wait for a press.
    pub(super) fn surely(plies: usize) -> Settle {
        Settle { surely: plies, ..Settle::seen(plies) }
    }

    /// This ply, which nobody has to make.
    pub(super) fn forced(played: Move) -> Settle {
        Settle { forced: Some(played), ..Settle::surely(1) }
    }

    /// So many plies that were worked out.
    pub(super) fn inferred(plies: usize) -> Settle {
        Settle { inferred: true, hidden: plies, ..Settle::seen(plies) }
    }
}

/// What has to be done, the first first.
pub(super) type Steps = Vec<Step>;
