//! How a game closes and the next one begins: kings in the centre, men that are put up again, a start array.

use protocol::board::Contents;
use shakmaty::{Bitboard, Chess, Color, Move, Position, Rank, Role, Square};

use super::{
    correcting::{begin, correct},
    deed::{Deed, Rethought},
    explain,
    hands::Hands,
    moving::{self, carry_out, settle, take},
    opening::{Opening, exchanged_with},
    record::{CENTRE, after, is_to_centre, play_all},
    squares::Change,
    step::Settle,
};
use crate::{Course, Millis, Played, Ply};

/// The game is over: whatever hands do from here is not the game.
pub(super) fn end(hands: &mut Hands) {
    hands.edges.end(hands.now());
    leave(hands);
}

/// The board shows this, as a game elsewhere has left it: what hands do from there is no game here, until the men are put
/// up. Once it was out of hearing and shows something else, a game may be on.
pub(super) fn leave_over(hands: &mut Hands, contents: &Contents) {
    if hands.edges.leave_over() {
        let now = hands.now();
        hands.squares.survey(contents, &hands.settings, now);
    }
}

/// The game is adjourned: neither is this, and the men may be put away.
pub(super) fn stand_still(hands: &mut Hands) {
    hands.edges.stand_still();
    leave(hands);
}

fn leave(hands: &mut Hands) {
    hands.unfollow(hands.seen.followed.len());
    hands.lever.drop_open();
    hands.drop_stories();
    hands.release();
    hands.show(Vec::new());
}

/// Both kings stand in the centre, which no legal play can bring about.
struct Meeting {
    on: Bitboard,
    /// Since both stand where they do: other men may already go home.
    since: Millis,
}

impl Meeting {
    /// For whom they stand: the winner, or nobody.
    fn winner(&self) -> Option<Color> {
        match (self.on & Bitboard::LIGHT_SQUARES).count() {
            2 => Some(Color::White),
            0 => Some(Color::Black),
            _ => None,
        }
    }
}

/// When the kings in the centre will have stood long enough. One that was pressed there may be read beside its square.
pub(super) fn kings_meet_at(hands: &Hands) -> Option<Millis> {
    let kings = meeting(hands)?;
    let doubted = hands.unlawful.doubted().filter(|doubted| kings.on.contains(doubted.read));
    let sure = doubted.map_or(0, |doubted| doubted.pressed + hands.settings.misread_window_ms);
    Some(sure.max(kings.since + hands.settings.signal_rest_ms))
}

fn meeting(hands: &Hands) -> Option<Meeting> {
    let squares = &hands.squares;
    let kings = squares.board().kings();
    // This is asked after every report of every board.
    if !kings.is_subset(CENTRE) {
        return None;
    }
    let (unread, put_there) = match kings.count() {
        2 => (Bitboard::EMPTY, 0),
        1 => king_unread(hands)?,
        _ => return None,
    };
    // Where men have no names a flicker may have made a king of whoever stands there.
    let named_at = |king| squares.evidence.read_at(king, 0).filter(|_| !squares.names());
    let stands_since = |king| squares.changed_at(king).max(named_at(king).unwrap_or(0));
    let since = kings.into_iter().map(stands_since).max()?;
    Some(Meeting { on: kings | unread, since: since.max(put_there) })
}

/// The king that is read nowhere, and is in no hand any more: where a square of the centre is known to read nothing, it is
/// there.
fn king_unread(hands: &Hands) -> Option<(Bitboard, Millis)> {
    let squares = &hands.squares;
    let blind = CENTRE & squares.witnesses.blind() & !squares.occupied();
    let mut lifted = squares.lifted().iter().filter(|lifted| lifted.piece.role == Role::King);
    let taken_up = lifted.next().filter(|_| blind.count() == 1)?;
    Some((blind, taken_up.at + hands.settings.press_unseen_ms))
}

/// Remembers what the kings show while they stand there.
pub(super) fn note_kings(hands: &mut Hands) {
    let now = hands.now();
    let met = meeting(hands).filter(|kings| kings.since <= now).map(|kings| (kings.winner(), kings.since));
    hands.edges.note_kings(met, hands.settings.contact_debounce_ms, now);
}

/// The kings show a result.
pub(super) fn kings_met(hands: &mut Hands) {
    let Some(kings) = meeting(hands) else { return };
    hands.edges.signal();
    if hands.edges.is_on() {
        put_back(hands);
        let stepped = has_stepped(hands, &kings);
        let withdrawn = withdraw_steps(hands) > 0;
        settle_before_kings(hands, &kings);
        let last = hands.seen.followed.last_played().into_iter().collect::<Vec<_>>();
        let stands =
            [&[][..], hands.seen.tail(), &last].into_iter().any(|line| stands_but_for_kings(hands, &kings, line));
        moving::close(hands);
        // A king's step may have been a move all the same.
        hands.admit_gap(stepped || !hands.lever.stands() && (withdrawn || !stands));
        end(hands);
    }
    hands.say(Deed::Signalled(kings.winner()));
}

/// What the first king's step had seemed to take back was not taken back.
fn put_back(hands: &mut Hands) {
    let Some(record) = hands.edges.take_stepped_out_of(hands.record.course()) else { return };
    carry_out(hands, |hands| correct(hands, record));
    hands.say(Deed::Rewritten { why: Rethought::Gesture, record: hands.record.course().clone() });
}

/// The last ply that is seen takes a king to the centre.
pub(super) fn goes_to_centre(hands: &Hands) -> bool {
    hands.seen.tail().last().is_some_and(|last| is_to_centre(*last))
}

/// Where no press tells moves from gestures: a king was let go of on a square of the centre it could have moved to,
/// before the other one came or it went on itself.
fn has_stepped(hands: &Hands, kings: &Meeting) -> bool {
    let seen = hands.seen.tail().last().map(|step| (*step, kings.since.saturating_sub(hands.changed_at(*step))));
    let let_go = |(step, rested): (Move, Millis)| is_to_centre(step) && rested >= hands.settings.release_dwell_ms;
    !hands.lever.tells() && hands.making.released().iter().copied().chain(seen).any(let_go)
}

/// Kings' steps to the centre are no moves, even if one was final by rest: as long as nobody has pressed for it or
/// answered it. Gives how many.
fn withdraw_steps(hands: &mut Hands) -> usize {
    let mut plies = 0;
    while let Some((before, played)) = hands.record.last() {
        let mover = before.turn();
        // What a king did before it was taken to the centre was a move, and so is where it had stood before it went on.
        let stands = hands.squares.board().king_of(mover) == Some(played.to());
        if is_answered(hands)
            || hands.lost.stories.is_some()
            || !stands
            || !is_to_centre(played)
            || !hands.lever.is_unpressed(mover)
        {
            break;
        }
        hands.lever.leave_unpressed(mover, false);
        if hands.seen.followed.len() > 0 {
            hands.unfollow(1);
        } else {
            hands.record.withdraw();
            plies += 1;
        }
    }
    if plies > 0 {
        hands.say(Deed::Rewritten { why: Rethought::Gesture, record: hands.record.course().clone() });
    }
    plies
}

/// What is seen on top of the record was let go of before the kings met: it has an answer.
fn is_answered(hands: &Hands) -> bool {
    let met = meeting(hands).map_or(0, |kings| kings.since);
    let let_go = |answer: &Move| hands.changed_at(*answer) + hands.settings.release_dwell_ms <= met;
    hands.seen.tail().first().is_some_and(let_go)
}

/// The kings show a result over a ply that no press could complete and that has not rested long enough yet. It stands
/// while they are carried past it, or its king was let go of before it went on: it was played.
fn settle_before_kings(hands: &mut Hands, kings: &Meeting) {
    if hands.lever.decides() || hands.hearing.is_gap() || hands.lost.stories.is_some() {
        return;
    }
    let let_go = hands.making.let_go().map(|played| vec![played]);
    let lines = [Some(hands.seen.tail().to_vec()), let_go].into_iter().flatten();
    let to_centre = |line: &[Move]| line.last().is_some_and(|last| is_to_centre(*last));
    let stands = |line: &Vec<Move>| !line.is_empty() && !to_centre(line) && stands_but_for_kings(hands, kings, line);
    let Some(line) = lines.into_iter().find(stands) else { return };
    let plies = line.len();
    hands.show(line);
    settle(hands, Settle::inferred(plies));
}

/// The board shows the position after this line, but for the kings and for men that made room for them.
fn stands_but_for_kings(hands: &Hands, kings: &Meeting, line: &[Move]) -> bool {
    let Some(end) = play_all(hands.record.position(), line) else { return false };
    // Men that go home while the kings stand there were not played.
    let home = |square: Square| hands.squares.changed_at(square) > kings.since;
    let differing = hands.squares.misfit_ignoring_air(end.board()) & !(end.board().kings() | CENTRE);
    differing.into_iter().all(home)
}

/// When a start array will have stood long enough.
pub(super) fn starts_anew_at(hands: &Hands) -> Option<Millis> {
    let opening = hands.opening()?;
    let untouched = hands.edges.ended_at().is_some_and(|ended| hands.squares.last_change() <= ended);
    let is_next = !untouched && !is_unplayed(hands, &opening) && may_be_next(hands, &opening);
    is_next.then_some(hands.squares.rests_since() + hands.settings.new_game_rest_ms)
}

/// The game ended before its first move, and its men stand as they stood: whoever lifts one there and puts it back plays
/// no next game. The next first move begins that.
pub(super) fn is_unplayed(hands: &Hands, opening: &Opening) -> bool {
    let record = &hands.record;
    hands.edges.ended_at().is_some() && record.ply() == Ply::START && opening.position.board() == record.board()
}

/// The array the board shows is the beginning of another game than the one that is on.
pub(super) fn may_be_next(hands: &Hands, opening: &Opening) -> bool {
    let (edges, changed) = (&hands.edges, hands.squares.last_change());
    let seen = hands.seen.fits() && !hands.seen.tail().is_empty();
    let of_this_game = opening.lie == hands.squares.lie() && (opening.position.board() == hands.record.board() || seen);
    // A start array on which nobody has laid hand since the game was set up or ended is no new game.
    let as_begun = changed <= edges.began_at();
    // Before the first move of a game of one kind, the array of the other kind is a wrong set-up; and if it was said
    // from which array it begins, so is any other.
    let before = hands.record.ply() == Ply::START && hands.seen.tail().is_empty();
    let another = || edges.is_announced() || opening.assumed || opening.mode != hands.record.mode();
    let wrong_set_up = before && edges.expects(opening).map_or_else(another, |expected| !expected);
    // Nor is an array that a spare board has shown all the time a new game.
    let spare = hands.hearing.is_unrecognised() && changed <= hands.squares.heard_at();
    !edges.stands_still() && (!edges.is_on() || !(of_this_game || as_begun || wrong_set_up || spare))
}

/// The board shows a start array: the next game begins.
pub(super) fn start_anew(hands: &mut Hands) {
    if let Some(opening) = hands.opening() {
        follow_on(hands, opening);
    }
}

/// The next game begins where the last one is left: the men have gone home.
pub(super) fn follow_on(hands: &mut Hands, opening: Opening) {
    hands.commit_guess();
    if !hands.lever.tells() {
        withdraw_home(hands);
    }
    hands.admit_gap(hands.edges.unfollowed() >= hands.settings.unfollowed_men);
    signal_late(hands);
    begin_next(hands, opening);
}

/// The kings stood in the centre, however shortly, and the men went home from there: that was the result.
fn signal_late(hands: &mut Hands) {
    if let Some(winner) = hands.edges.take_met().filter(|_| hands.edges.is_on()) {
        withdraw_steps(hands);
        moving::close(hands);
        end(hands);
        hands.say(Deed::Signalled(winner));
    }
}

/// Men that go home play no moves: the last plies of the record that put men where games begin, and that nobody has
/// pressed, leave it again. A player's earlier plies were not pressed either where nobody has pressed at all.
fn withdraw_home(hands: &mut Hands) {
    let mut plies = 0;
    // What was final when the game closed had been played by then.
    let stays = hands.seen.followed.closed_after().unwrap_or(Ply::START);
    while let Some((before, played)) = hands.record.last().filter(|_| hands.record.ply() > stays) {
        let mover = before.turn();
        let home = hands.goes_home(played, mover) && !has_rested(hands);
        if !hands.edges.is_on() || hands.lost.stories.is_some() || !home || !hands.lever.is_unpressed(mover) {
            break;
        }
        hands.lever.leave_unpressed(mover, !hands.lever.was_pressed());
        hands.record.withdraw();
        plies += 1;
    }
    if plies > 0 {
        hands.say(Deed::Rewritten { why: Rethought::WentHome, record: hands.record.course().clone() });
    }
}

/// The last ply of the record stood alone for so long that it was played: men go home one after the other.
fn has_rested(hands: &Hands) -> bool {
    let evidence = &hands.squares.evidence;
    let Some(placed) = evidence.since(hands.record.ply()) else { return false };
    evidence.readings(placed).next().is_some_and(|next| next.at >= placed + hands.settings.home_rest_ms)
}

/// A board that is first heard in the middle of a game. Whose turn it is the clock may tell.
pub(super) fn start_in_mid_game(hands: &mut Hands) {
    let Some(opening) = Opening::in_mid_game(hands.squares.wire()) else { return };
    let turn = hands.lever.to_move(opening.lie).unwrap_or(opening.position.turn());
    begin_next(hands, opening.with_turn(turn));
    hands.edges.assume();
}

fn begin_next(hands: &mut Hands, opening: Opening) {
    let instead = hands.edges.is_assumed();
    moving::close_home(hands);
    let (exchanged, unread) = (opening.exchanged(), opening.lacks);
    let record = Course::begin(opening.position, opening.mode);
    hands.say(Deed::NewGame { record: record.clone(), instead });
    let lacking = record.position().board().occupied();
    let gone_up = lacking.into_iter().filter(|square| hands.squares.heard_leaving(*square)).collect::<Bitboard>();
    let steps = begin(hands, record, opening.lie);
    // What stood there when nothing else was missing stands there, and is not read; unless it was heard going up.
    let missing = lacking & !hands.squares.occupied();
    let unread = unread.filter(|unread| missing.contains(*unread)).or(missing.single_square());
    if let Some(unread) = unread.filter(|unread| !gone_up.contains(*unread)) {
        hands.squares.distrust(unread);
    }
    if let Some(squares) = exchanged {
        begin_doubted(hands, squares);
    }
    take(hands, steps);
}

/// The game that has begun is played from an array with two men on each other's squares.
pub(super) fn begin_exchanged(hands: &mut Hands, opening: Opening) {
    let Some(squares) = opening.exchanged() else { return };
    let record = Course::begin(opening.position, opening.mode);
    hands.say(Deed::Mended { record: record.clone(), squares });
    let steps = begin(hands, record, opening.lie);
    begin_doubted(hands, squares);
    take(hands, steps);
}

/// Such an array was read off the board, and may be put right later.
fn begin_doubted(hands: &mut Hands, squares: Bitboard) {
    hands.edges.assume();
    hands.edges.doubt_set_up(squares);
}

/// Of the men that stood on each other's squares as the game began, those that have been put right, two of a player. Neither
/// of them had moved.
fn put_right(hands: &Hands) -> Bitboard {
    let exchanged = hands.edges.exchanged();
    // This is asked after every report of every board.
    if exchanged.is_empty() {
        return exchanged;
    }
    let (seen, array) = (hands.seen_position(), Chess::default());
    let is_put_right = |square: Square| {
        let wrong = exchanged_with(exchanged, square).and_then(|other| array.board().piece_at(other));
        let right = array.board().piece_at(square).is_some_and(|man| hands.squares.has_landed(square, man));
        right && seen.board().piece_at(square) == wrong && hands.squares.board().piece_at(square) != wrong
    };
    let right = |squares: &Bitboard| squares.into_iter().all(is_put_right);
    let players = [Rank::First, Rank::Eighth].map(|rank| exchanged & Bitboard::from(rank));
    players.into_iter().filter(right).fold(Bitboard::EMPTY, |all, squares| all | squares)
}

/// When they will have stood right for long enough. Hands may have played on from there.
pub(super) fn mends_at(hands: &Hands) -> Option<Millis> {
    let squares = Some(put_right(hands)).filter(|squares| squares.any())?;
    let mut right = hands.seen_position().board().clone();
    for square in squares {
        right.set_piece_at(square, Chess::default().board().piece_at(square)?);
    }
    let leads_on = |record: Course| !explain::lines(record.position(), &hands.squares, &hands.settings).is_empty();
    let mended = hands.squares.shows(&right) || mended(hands, squares).is_some_and(leads_on);
    mended.then(|| hands.squares.rests_since() + hands.settings.new_game_rest_ms)
}

/// They have been put right. What was played is played from the array as it should have been, if it can be.
pub(super) fn mend(hands: &mut Hands) {
    let squares = put_right(hands);
    let record = mended(hands, squares).unwrap_or_else(|| hands.record.course().clone());
    hands.edges.mend_set_up(squares);
    hands.touches.clear();
    hands.say(Deed::Mended { record: record.clone(), squares });
    carry_out(hands, |hands| correct(hands, record));
}

/// What was played, from the array with the men of these squares as they should have been.
fn mended(hands: &Hands, squares: Bitboard) -> Option<Course> {
    let played = hands.record.course();
    let wrong = Opening::exchanging(hands.edges.exchanged() & !squares, hands.squares.lie());
    let array = wrong.map(|opening| opening.position).unwrap_or_default();
    let right = Course::begin(array, played.mode());
    played.since(Ply::START).iter().try_fold(right, |course, version| match version.last() {
        Some(Played::Legal(played)) if course.position().is_legal(*played) => Some(course.play(*played)),
        Some(Played::Legal(_) | Played::Irregular(_)) | None => None,
    })
}

/// They have been put right, and a player has pressed for a ply from there at once. True if that is so.
pub(super) fn mend_under(hands: &mut Hands, side: Color, pressed: Millis) -> bool {
    let squares = put_right(hands);
    let Some(right) = mended(hands, squares).filter(|_| squares.any()) else { return false };
    let differing = hands.squares.misfit_ignoring_air(right.position().board());
    let is_made = |played: &Move| hands.squares.shows(after(right.position(), *played).board());
    let has_the_move = right.position().turn() == side && differing.any();
    let made = has_the_move && right.position().legal_moves().iter().any(is_made);
    if made {
        mend(hands);
        hands.take_up_press(side, pressed);
        moving::look(hands);
    }
    made
}

/// Counts the men that are put down where no game begins while the board fits nothing: hands play on, and nobody can
/// follow them.
pub(super) fn note_unfollowed(hands: &mut Hands, changes: &[Change]) {
    let played = |change: &&Change| matches!(change, Change::Landed(at, man) if !hands.is_home(*man, *at));
    let men = changes.iter().filter(played).count();
    hands.edges.note_landings(men, hands.seen.fits());
}
