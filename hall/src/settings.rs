//! Every threshold of the hall. Each is a setting of the round, journalled with its value.

use serde::{Deserialize, Serialize};

use crate::Millis;

/// The weights of players' habits, by their version: other weights are another version, so that a journal is read by
/// those it was written with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Habits {
    /// Fitted to games of masters.
    #[default]
    Masters,
}

/// What is paid for what a line takes for granted, by its version: other numbers are another version, as with habits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Weights {
    /// Those of `hand/weights.rs`.
    #[default]
    Trials,
}

/// How it is searched whether a player can still mate, by its version. What is found is proven and the same in every
/// version; how soon within `mate_positions` it is found, and with it whether a game ends with a ply or a little later, is
/// in the numbers of [`laws::dead`]: others are another version.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MateSearch {
    /// Strolls first, then positions best guess first, with families for walls.
    #[default]
    Strolls,
}

/// What becomes of a result that only a rule gave when people mend the moves so that the rule holds no more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MendedEnd {
    /// It stays, with a ground that is none any more: so in journals that say nothing of it.
    Stays,
    /// It falls with the position it rested on.
    #[default]
    Falls,
}

impl MendedEnd {
    fn unsaid() -> MendedEnd {
        MendedEnd::Stays
    }
}

/// How long things must last before they count, in milliseconds, and the few that count something else. Journals of other
/// versions may name thresholds that nothing asks for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
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
    /// What stood this long on a square had not only stopped there on its way: once both players have pressed since, it
    /// goes on with another ply.
    pub slide_rest_ms: Millis,
    /// A legal resting place this long is a release.
    pub release_dwell_ms: Millis,
    /// The first move from a start array nobody saw standing begins the game once it has rested this long.
    pub unseen_start_rest_ms: Millis,
    /// A man that stands on a square this long was not taken off by the opponent elsewhere: one that is carried away is
    /// seen on a square for less.
    pub taken_off_ms: Millis,
    /// A ply that became another one under its reply waits this long: a captured man that flashes beside its square may
    /// pass for a move that ended there.
    pub reply_swapped_ms: Millis,
    /// Where releasing completes a move: an illegal one that rests this long is released.
    pub illegal_release_ms: Millis,
    /// What a final move turns out to be has stood this long.
    pub rethink_rest_ms: Millis,
    /// A man in the air this long, on a board that fits nothing, is in no hand any more.
    pub taken_unread_ms: Millis,
    /// A man that is in the air this long, through a ply of the opponent, is in no hand: his square has died.
    pub held_through_ms: Millis,
    /// Where no clock tells: a ply that stood so long before the next man went home was played.
    pub home_rest_ms: Millis,
    /// A board still this long before the press is judged at once.
    pub press_before_ms: Millis,
    /// A board that comes to match within this after the press matches.
    pub press_after_ms: Millis,
    /// After a press, how long a man that is nowhere or in two places is a question for the sensors.
    pub press_unseen_ms: Millis,
    /// A man that was read beside its square at a press is put right within this. Half of them are within a second.
    pub misread_window_ms: Millis,
    /// What a press found wrong is no misreading once the man has stood this long.
    pub misread_rest_ms: Millis,
    /// A square on which a man should have shown for so many plies is faulty: once it may have been the board's line.
    pub plies_unread: u8,
    /// A press on top of one whose ply is still to come is judged within this.
    pub press_queued_ms: Millis,
    /// A second press of the same side within this is a bounce of the lever.
    pub clock_bounce_ms: Millis,
    /// Where no press can come: rest before a ply is final.
    pub settle_ms: Millis,
    /// The same for a ply that could go on: a slide, a rook on its castling square, a king towards castling.
    pub settle_extendable_ms: Millis,
    /// The same for a ply that ends the game, whether a press can come or not.
    pub settle_end_ms: Millis,
    /// The same for a king on one of the four centre squares, which may be the players' way to show the result.
    pub settle_centre_ms: Millis,
    /// An opponent's man in the air this long, after a release, makes the ply final.
    pub opponent_lift_ms: Millis,
    /// A board still and unexplained this long is held.
    pub mismatch_rest_ms: Millis,
    /// Of two boards of one game one that shows this long what no move leads to differs from the other; one on which a hand
    /// may be on its way, as long as an unexplained board is held. The arbiter is to know within a second.
    pub boards_differ_ms: Millis,
    /// Kings in the centre this long show the result.
    pub signal_rest_ms: Millis,
    /// An earlier position this long is a takeback.
    pub takeback_rest_ms: Millis,
    /// The same if a king is back in the centre, where it may wait for the other one to show the result.
    pub takeback_centre_ms: Millis,
    /// The full start array this long is a new game.
    pub new_game_rest_ms: Millis,
    /// On a board whose men land so shortly before their press, or after it, presses wait for them:
    pub lateness_doubt_ms: Millis,
    /// so long at most.
    pub lateness_most_ms: Millis,
    /// So many presses are looked at for it: the lateness of a board changes with what it hangs on, not from move to move.
    pub lateness_presses: usize,
    /// So many tell.
    pub lateness_presses_min: usize,
    /// So many plies that nobody pressed are completed with the one on top of them that somebody pressed.
    pub unpressed_plies_max: usize,
    /// A ply that ends the game by rule may lie on so many that nobody pressed.
    pub unpressed_below_end: usize,
    /// A clock that runs tells nothing once so many plies were followed without a press that completed one. One that has
    /// told goes on, and the operator hears of it.
    pub clock_silent_plies: usize,
    /// Plies that wait for a press and have stood for so long are not looked for afresh with those on top of them.
    pub follow_rest_ms: Millis,
    /// So many plies may be seen ahead of the record: a fast reply to a reply that was not pressed yet.
    pub plies_ahead: usize,
    /// So many where none of them was pressed, though a press can come.
    pub plies_unpressed: usize,
    /// A final move may be thought over while so many plies at most were played on it.
    pub plies_rethought: usize,
    /// So many men that are put down where no game begins were played, and not just set aside before all are put up.
    pub unfollowed_men: usize,
    /// So many plies are looked for when events were lost: as many as a blitz game has in ten seconds.
    pub gap_plies: usize,
    /// Where no press was heard so few of them are played without a way round, whatever the clock shows afterwards: it may have
    /// been stopped for a while, or pressed for a move that was put right.
    pub gap_plies_sure: usize,
    /// How many positions such a search may look at: some twenty milliseconds at the very worst.
    pub gap_positions: usize,
    /// So many lines of a counted length are offered at most,
    pub gap_lines: usize,
    /// the likeliest of so many: to say how likely one is costs as much as to find it.
    pub gap_lines_ranked: usize,
    /// A castling half made when the board is heard again needs a few tries: after so many in vain there are pauses.
    pub gap_tries: u8,
    /// A gap that can't be explained is searched again after this, then after twice as long, and so on: a search in vain
    /// takes tens of milliseconds.
    pub gap_pause_ms: Millis,
    /// Up to so many times: a table that is held while hands go on would search all day, and once more at every start of
    /// the daemon.
    pub gap_doublings: u8,
    /// What is looked for during the pause, as it costs next to nothing: the record's position restored, a move on it.
    pub gap_pause_plies: usize,
    /// A clock that will tell how often it was pressed is waited for so long after the board.
    pub clock_late_ms: Millis,
    /// The only story of what was not heard is believed once it has stood this long.
    pub story_rest_ms: Millis,
    /// A way round at whose end something was taken is believed in a story of so many plies at most: it may have been
    /// taken elsewhere.
    pub story_plies: usize,
    /// So many stories are kept at most: what comes of two silences is every story of the one with every story of the
    /// other.
    pub stories_kept: usize,
    /// By which weights the likeliest of several orders of the same moves is found.
    pub habits: Habits,
    /// What lines are weighed by.
    pub weights: Weights,
    /// A board that does not fit and is still this long is asked for a dump: only a dump is authoritative.
    pub dump_rest_ms: Millis,
    /// A board that does not fit for this long is asked for a dump though hands are busy.
    pub dump_busy_ms: Millis,
    /// A man in the air and nothing else for this long is perhaps a placing that was lost: ask for a dump.
    pub dump_air_ms: Millis,
    /// Men that stand nearly as a game begins: on so many squares they may not have been read.
    pub dump_unread_squares: usize,
    /// A move that stands for this long with the clock running on is noted as not pressed; nobody is told.
    pub press_missing_ms: Millis,
    /// A clock may show so much more or less than we count: readings come in whole seconds and are up to a second old.
    pub clock_off_ms: Millis,
    /// So much more for each press since then: it is heard a little late, and the next one too.
    pub clock_off_press_ms: Millis,
    /// Screens count on by themselves; they are set right when they would be off by more than this. Readings come in whole
    /// seconds and are up to a second old.
    pub clock_drift_ms: Millis,
    /// As long as a running clock is heard, it is heard this often: two readings tell what a press between them adds.
    pub reading_within_ms: Millis,
    /// So many readings in a row that came in time show that the clock tells every second.
    pub readings_regular: usize,
    /// Faces show whole seconds, begun ones included: both together may be off by so much beside the time that went by.
    pub faces_rounded_ms: Millis,
    /// A reading may be so old when it arrives that what it shows is too much.
    pub reading_age_ms: Millis,
    /// What is added at a press is known once so many of them in a row have added the same.
    pub increment_presses: usize,
    /// Presses that add so much more or less have added the same: a face may have gone down by a second just before.
    pub increment_spread_ms: Millis,
    /// More presses than this in one silence are none: the clock was set.
    pub presses_unheard: u32,
    /// Readings that disagree for this long are no slip of the line.
    pub clock_doubt_ms: Millis,
    /// A table whose game is on and whose board was not heard for so long is named to the staff once more. A cable that was
    /// kicked is back in its socket sooner.
    pub board_silent_ms: Millis,
    /// How many positions are looked at, while everybody waits, to tell whether a player can still mate. What they do not
    /// decide is searched aside.
    pub mate_positions: u64,
    /// By which numbers they are chosen.
    pub mate_search: MateSearch,
    /// What becomes of a mate that is taken back.
    #[serde(default = "MendedEnd::unsaid")]
    pub mended_end: MendedEnd,
}

impl Settings {
    /// Who presses so much later than a man was taken up has let go of him, whoever's he is.
    pub(crate) fn let_go_ms(&self) -> Millis {
        2 * self.press_before_ms
    }
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
            slide_rest_ms: 400,
            release_dwell_ms: 1000,
            unseen_start_rest_ms: 1000,
            taken_off_ms: 300,
            reply_swapped_ms: 1000,
            illegal_release_ms: 1000,
            rethink_rest_ms: 1000,
            taken_unread_ms: 2500,
            held_through_ms: 5000,
            home_rest_ms: 5000,
            press_before_ms: 150,
            press_after_ms: 800,
            press_unseen_ms: 3000,
            misread_window_ms: 3000,
            misread_rest_ms: 1000,
            plies_unread: 2,
            press_queued_ms: 3000,
            clock_bounce_ms: 150,
            settle_ms: 1500,
            settle_extendable_ms: 2500,
            settle_end_ms: 1000,
            settle_centre_ms: 6000,
            opponent_lift_ms: 300,
            mismatch_rest_ms: 3000,
            boards_differ_ms: 800,
            signal_rest_ms: 1000,
            takeback_rest_ms: 1500,
            takeback_centre_ms: 4000,
            new_game_rest_ms: 2000,
            lateness_doubt_ms: 50,
            lateness_most_ms: 400,
            lateness_presses: 8,
            lateness_presses_min: 3,
            unpressed_plies_max: 3,
            unpressed_below_end: 2,
            clock_silent_plies: 6,
            follow_rest_ms: 1000,
            plies_ahead: 3,
            plies_unpressed: 6,
            plies_rethought: 8,
            unfollowed_men: 4,
            gap_plies: 8,
            gap_plies_sure: 2,
            gap_positions: 100_000,
            gap_lines: 16,
            gap_lines_ranked: 200,
            gap_tries: 4,
            gap_pause_ms: 2000,
            gap_doublings: 10,
            gap_pause_plies: 2,
            clock_late_ms: 500,
            story_rest_ms: 1000,
            story_plies: 4,
            stories_kept: 32,
            habits: Habits::Masters,
            weights: Weights::Trials,
            dump_rest_ms: 250,
            dump_busy_ms: 600,
            dump_air_ms: 2000,
            dump_unread_squares: 4,
            press_missing_ms: 9000,
            clock_off_ms: 3000,
            clock_off_press_ms: 500,
            clock_drift_ms: 1500,
            reading_within_ms: 1200,
            readings_regular: 2,
            faces_rounded_ms: 2000,
            reading_age_ms: 600,
            increment_presses: 3,
            increment_spread_ms: 1000,
            presses_unheard: 60,
            clock_doubt_ms: 2500,
            board_silent_ms: 30_000,
            mate_positions: 2000,
            mate_search: MateSearch::Strolls,
            mended_end: MendedEnd::Falls,
        }
    }
}
