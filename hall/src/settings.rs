//! Every threshold of the hall. Each is a setting of the round, journalled with its value.

use serde::{Deserialize, Serialize};

use crate::Millis;

/// How long things must last before they count, in milliseconds, and the few that count something else.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// A shorter presence or absence is noise for what becomes final. One scan of a board takes up to 250 ms, but
    /// pieces carried over a square are seen for 20 to 80.
    pub contact_debounce_ms: Millis,
    /// Lifts closer than this have no order: the board reports what one scan found.
    pub scan_ms: Millis,
    /// Lift and return below this is adjusting.
    pub adjust_max_ms: Millis,
    /// Lift and return from this on is a touch; between the two it is unclear.
    pub touch_min_ms: Millis,
    /// This many men of one colour in the air at once are an accident.
    pub displace_min_lifts: usize,
    /// A man between two squares is put right within this. Most stand wrong for less than a second.
    pub between_squares_ms: Millis,
    /// A hand that goes on with a move that was final by rest does so within this. Rests on the way are over after a
    /// second or two.
    pub goes_on_ms: Millis,
    /// A legal resting place this long is a release.
    pub release_dwell_ms: Millis,
    /// A board still this long before the press is judged at once.
    pub press_before_ms: Millis,
    /// A board that comes to match within this after the press matches.
    pub press_after_ms: Millis,
    /// After a press, how long a man that is nowhere or in two places is a question for the sensors.
    pub press_unseen_ms: Millis,
    /// A second press of the same side within this is a bounce of the lever.
    pub clock_bounce_ms: Millis,
    /// Where no press can come: rest before a ply is final.
    pub settle_ms: Millis,
    /// The same for a ply that could go on: a slide, a rook on its castling square, a king towards castling.
    pub settle_extendable_ms: Millis,
    /// The same for a ply that could go on and whose man was pushed from square to square: hands that push rest on the
    /// way, some for three seconds.
    pub settle_pushed_ms: Millis,
    /// A man that lands this soon after it left was pushed and not carried.
    pub push_ms: Millis,
    /// The same for a king on one of the four centre squares, which may be the players' way to show the result.
    pub settle_centre_ms: Millis,
    /// An opponent's man in the air this long, after a release, makes the ply final.
    pub opponent_lift_ms: Millis,
    /// A board still and unexplained this long is held.
    pub mismatch_rest_ms: Millis,
    /// Kings in the centre this long show the result.
    pub signal_rest_ms: Millis,
    /// An earlier position this long is a takeback.
    pub takeback_rest_ms: Millis,
    /// The full start array this long is a new game.
    pub new_game_rest_ms: Millis,
    /// A gap that can't be explained is searched again after this, then after twice as long, and so on: a search in vain
    /// takes tens of milliseconds.
    pub gap_pause_ms: Millis,
    /// A board that does not fit and is still this long is asked for a dump: only a dump is authoritative.
    pub dump_rest_ms: Millis,
    /// A board that does not fit for this long is asked for a dump though hands are busy.
    pub dump_busy_ms: Millis,
    /// A man in the air and nothing else for this long is perhaps a placing that was lost: ask for a dump.
    pub dump_air_ms: Millis,
    /// A move that stands for this long with the clock running on is noted as not pressed; nobody is told.
    pub press_missing_ms: Millis,
    /// A clock may show so much more or less than we count: readings come in whole seconds and are up to a second old.
    pub clock_off_ms: Millis,
    /// So much more for each press since then: it is heard a little late, and the next one too.
    pub clock_off_press_ms: Millis,
    /// Readings that disagree for this long are no slip of the line.
    pub clock_doubt_ms: Millis,
    /// How many positions are looked at, while everybody waits, to tell whether a player can still mate. What they do not
    /// decide is searched aside.
    pub mate_positions: u64,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            contact_debounce_ms: 80,
            scan_ms: 60,
            adjust_max_ms: 700,
            touch_min_ms: 1000,
            displace_min_lifts: 3,
            between_squares_ms: 4000,
            goes_on_ms: 6000,
            release_dwell_ms: 1000,
            press_before_ms: 150,
            press_after_ms: 800,
            press_unseen_ms: 3000,
            clock_bounce_ms: 150,
            settle_ms: 1500,
            settle_extendable_ms: 2500,
            settle_pushed_ms: 4000,
            push_ms: 150,
            settle_centre_ms: 6000,
            opponent_lift_ms: 300,
            mismatch_rest_ms: 3000,
            signal_rest_ms: 1000,
            takeback_rest_ms: 1500,
            new_game_rest_ms: 2000,
            gap_pause_ms: 2000,
            dump_rest_ms: 250,
            dump_busy_ms: 600,
            dump_air_ms: 2000,
            press_missing_ms: 9000,
            clock_off_ms: 3000,
            clock_off_press_ms: 500,
            clock_doubt_ms: 2500,
            mate_positions: 2000,
        }
    }
}
