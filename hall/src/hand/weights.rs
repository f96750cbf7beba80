//! What is paid for what a line takes for granted, in hundredths of a natural logarithm: of two lines the one that costs a
//! hundred less is some three times as likely.
//!
//! Where a doc names a rate, the number is its logarithm: rates of three recorded blitz games and of the boards described
//! with them. The others were chosen between those, so that of two explanations people would not be asked about the one
//! they would give goes first; on trials that they were not chosen on (other games, other noise) they were then measured.
//! They are round on purpose: recordings of real boards are few, and nothing hangs on the last digit. Other numbers are
//! another version (`Settings::weights`): a journal is read by those it was written with.

/// A report never came: one in a thousand on a good board, one in a hundred on a worn one.
pub(super) const LOST: i32 = 450;
/// That a man left was not reported, and was once more, too late: both are wrong.
pub(super) const LOST_AND_READ: i32 = 650;
/// A man stopped where it was never read, or stands there: the square is dead, or he stands between two.
pub(super) const UNREAD: i32 = 450;
/// The same on a square of which that is known.
pub(super) const BLIND: i32 = 5;
/// The same of one who is taken there: the square may read as well as any.
pub(super) const UNREAD_TAKEN: i32 = 430;
/// He has left a moment ago, and is in the hand.
pub(super) const IN_HAND: i32 = 150;
/// A pawn became something else than a queen, unread: one in a hundred.
pub(super) const UNDERPROMOTED: i32 = 450;
/// He stands between two squares, and the other one reads him.
pub(super) const READ_BESIDE: i32 = 480;
/// A board that names nobody says nothing when one man takes another's place: as a rule.
pub(super) const REPLACED: i32 = 15;
/// So much less where the reading ends as another man lands on his square.
pub(super) const JUMPS: i32 = 150;
/// A man goes up and comes back, or another takes his place.
pub(super) const LIFTED: i32 = 8;
/// He comes back where he was: one move in fifty.
pub(super) const RETURNED: i32 = 25;
/// The same where men have no names: as a rule he was taken, and another one stands there.
pub(super) const RETURNED_UNNAMED: i32 = 100;
/// A man is read on his way, or where the hand passes on to the square he is meant for.
pub(super) const PASSED: i32 = 30;
/// On a square beside where he stops, or was: set down there and put right, or read there.
pub(super) const BESIDE: i32 = 140;
/// The same of one who is taken, as he is carried off: one capture in twenty.
pub(super) const FLASHED: i32 = 110;
/// He stands there for longer than so many milliseconds: the more.
pub(super) const DWELT: [(u64, i32); 4] = [(400, 40), (1_000, 120), (3_000, 300), (10_000, 600)];
/// And on his way, or beside where he stops, for longer than a reading is beside its square: he is put there by hand.
pub(super) const BY_HAND: i32 = 150;
/// Elsewhere, though he has moved.
pub(super) const CARRIED: i32 = 260;
/// A man is read who has not moved at all, or in place of another: a wrong reading.
pub(super) const STRANGE: i32 = 550;
/// He stands there still.
pub(super) const STANDS: i32 = 380;
/// A man who should stand there is in the air.
pub(super) const IN_AIR: i32 = 20;
/// His player has not the move, and nobody takes him.
pub(super) const IN_AIR_OUT_OF_TURN: i32 = 250;
/// And was read there for no longer than a man that stands between two squares.
pub(super) const TOUCHED: i32 = 150;
/// A ply is half made: a king without its rook, a pawn to be exchanged or still to be taken.
pub(super) const HALF_MADE: i32 = 40;
/// For so many milliseconds once more, and so often at most.
pub(super) const HELD: i32 = 130;
pub(super) const HELD_MS: u64 = 3_000;
pub(super) const HELD_TIMES: i32 = 3;
/// And his player has pressed meanwhile.
pub(super) const PRESSED_IN_AIR: i32 = 450;
/// A ply lands before the one it answers, as one reply in sixteen does in blitz: by so many milliseconds at most,
pub(super) const EARLY: i32 = 150;
pub(super) const EARLY_MS: u64 = 300;
/// within a scan, which tells no order,
pub(super) const EARLY_BY_A_SCAN: i32 = 20;
/// or by more.
pub(super) const EARLY_BY_FAR: i32 = 500;
/// A player takes up the next man before the last one has landed, or was pressed.
pub(super) const TWO_HANDS: i32 = 350;
/// The later one before the earlier.
pub(super) const LEFT_FIRST: i32 = 150;
/// A man goes on sooner than a hand lets go of him,
pub(super) const BRIEF: i32 = 300;
/// or is taken.
pub(super) const BRIEF_TAKEN: i32 = 70;
/// He is on the square beside within a scan: a hand that pushes, or a reading that jumps.
pub(super) const JUMPED: i32 = 200;
/// And the ply it answers was not pressed yet.
pub(super) const JUMPED_UNASKED: i32 = 150;
/// He stands between two squares, and is read where he should only long after the reply: till then beside, or nowhere.
pub(super) const PUT_RIGHT: i32 = 250;
/// A square reads nothing any more while a man stands on it.
pub(super) const DIED: i32 = 520;
/// And just then the opponent's hand is at work: one moment in twelve.
pub(super) const AT_WORK: i32 = 250;
/// Or will be in a moment, and may have been before it took up its man.
pub(super) const REACHES: i32 = 125;
/// A man lands before he has left.
pub(super) const BACKWARDS: i32 = 400;
/// Its player had pressed longer before it landed than replies are early,
pub(super) const PRESSED_AHEAD: i32 = 80;
/// or before it had left,
pub(super) const PRESSED_UNTOUCHED: i32 = 150;
/// or than hands are.
pub(super) const PRESSED_FAR_AHEAD: i32 = 200;
/// A ply that others follow was not pressed.
pub(super) const UNPRESSED: i32 = 250;
/// The last one was not, though it stands for so many milliseconds.
pub(super) const UNPRESSED_LAST: i32 = 60;
pub(super) const UNPRESSED_MS: u64 = 2_000;
/// A move is none that the Laws allow: one or two in a thousand.
pub(super) const ILLEGAL: i32 = 560;
/// A press was for nothing,
pub(super) const IDLE_PRESS: i32 = 350;
/// and so was the next one: whoever plays with the lever, or what ails it, does so again.
pub(super) const IDLE_AGAIN: i32 = 100;

/// So many plies of the record may have been others,
pub(super) const BACK: usize = 5;
/// fewer where men have no names, or no press counts the plies: too much fits there,
pub(super) const BACK_UNSURE: usize = 3;
/// and before a dump that was asked for has come.
pub(super) const BACK_UNASKED: usize = 3;
/// So many plies are looked for in all.
pub(super) const DEPTH: usize = 10;
/// So many lines are weighed, more or less.
pub(super) const WEIGHED: usize = 350;
/// Gone on with are those that cost no more already than the cheapest does in all, and this,
pub(super) const SLACK: i32 = 200;
/// first those that cost little, with what they have not accounted for yet taken so much less.
pub(super) const OPEN: i32 = 4;
/// So many lines are looked at more closely, and so many told.
pub(super) const LOOKED_AT: usize = 24;
pub(super) const TOLD: usize = 8;
/// On so many squares men may have stopped and nothing was read.
pub(super) const UNREAD_SQUARES: usize = 1;
/// What was final is another move, with a clock that tells and without one.
pub(super) const NOT_FINAL: i32 = 100;
pub(super) const NOT_FINAL_UNPRESSED: i32 = 150;
/// So much less a line has to cost than what is shown,
pub(super) const GAIN: i32 = 150;
/// where a press would be judged otherwise,
pub(super) const GAIN_JUDGED: i32 = 100;
/// and than what would be told instead.
pub(super) const MARGIN: i32 = 120;
/// Lines that differ in where one man has stopped unread, and in nothing else, are likelier together: by so much for each
/// beside the first, and so many of them.
pub(super) const ALIKE: i32 = 40;
pub(super) const ALIKE_TIMES: i32 = 3;
/// What costs more explains nothing.
pub(super) const MOST: i32 = 1_000;
/// Habits are weighed so much less than what was heard.
pub(super) const HABITS: i32 = 4;
/// A square has not read anybody so far.
pub(super) const UNPROVEN: i32 = 100;
/// Where a man stopped that nothing has read so many plies tell,
pub(super) const TELLING_PLIES: usize = 6;
/// if they are so much likelier to have followed it.
pub(super) const TELLING: i32 = 50;
