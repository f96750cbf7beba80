//! Recovery: what nobody has heard, and what was misread, worked out afterwards.
//!
//! One door for all of it: what it remembers is in `Lost`, what it concludes are deeds, and what has to be done next are
//! steps that it leaves to whoever asked.
//!
//! | file | what it works out |
//! |---|---|
//! | `faulty` | squares that read nothing |
//! | `gap` | what was played while nothing was heard |
//! | `hole` | that it can't be found out, and what is played after it |
//! | `story` | which of several stories it was |
//! | `rethinking` | final moves that were something else |
//! | `outweighing` | what of the last plies was something else, by all that was heard of them |

mod faulty;
mod gap;
mod hole;
mod outweighing;
mod rethinking;
mod story;

pub(super) use faulty::{
    learn, learn_guess, note_gone, note_ply, pressed_elsewhere, pressed_gone, pressed_known, pressed_unread,
    pressed_without, rests_unread,
};
pub(super) use gap::{
    bridge, bridge_at_rest, count, counts_at, ends_unheard, fall_silent, had_the_move, hear_again, lacks_a_ply,
    moved_otherwise, take_silence_for_gap, was_played_otherwise,
};
pub(super) use hole::{leap, leap_again, leaps_at, look_beyond, pass_turn};
pub(super) use outweighing::{Outweighs, puzzle, reconsider};
pub(super) use rethinking::think_over;
pub(super) use story::{
    believe, believes_at, decide, note_unheard, other_story, rule_out, take_up_gap, waiting_on_stories,
};
