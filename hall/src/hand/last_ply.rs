//! The last ply of a game that closes: of what nobody has pressed the only ply, if it was made while the clock ran. It is
//! remembered before men go home from it, and what a close leaves out is kept in case the game goes on.

use shakmaty::{Move, Position};

use super::{
    followed::Waiting,
    hands::Hands,
    lost::LastUnheard,
    record::{CENTRE, is_to_centre},
    recovery,
    settling::{is_hidden, waiting},
    sign::Pressing,
};

/// More is known of the clock: presses may be waited for from here on that were not before, or the other way round.
pub(super) fn wait_otherwise(hands: &mut Hands, learn: impl FnOnce(&mut Hands)) {
    let (before, marked) = (hands.lever.pressing(), hands.off_clock());
    learn(hands);
    let after = hands.lever.pressing();
    if before == after {
        return;
    }
    match (before, after) {
        (Pressing::Awaited, Pressing::Stopped) => hands.seen.followed.leave(lone(hands), hands.now()),
        (_, Pressing::Awaited) => hands.seen.followed.take_up(),
        (_, Pressing::Stopped | Pressing::Needless | Pressing::Impossible) => {}
    }
    hands.commit();
    if marked.max(hands.off_clock()) > 0 {
        hands.say_seen();
    }
}

/// A man has landed. Within the scan in which the clock was stopped it stood there by then.
pub(super) fn note_stopped(hands: &mut Hands) {
    if let Some(at) = hands.just_stopped_at() {
        hands.seen.followed.leave(lone(hands), at);
    }
}

/// The plies that are followed and for which a press could still come.
fn waiting_for_press(hands: &Hands) -> &[Waiting] {
    let waiting = &hands.seen.followed.plies()[hands.settled()..];
    &waiting[hidden(waiting)..]
}

/// So many of these plies nobody saw being played: nobody could hear their presses.
fn hidden(plies: &[Waiting]) -> usize {
    plies.iter().take_while(|ply| ply.hidden).count()
}

/// What is seen, but for a king's way to show the result.
pub(super) fn played(hands: &Hands) -> &[Move] {
    let (tail, shows) = (hands.seen.tail(), hands.squares.board().kings().is_subset(CENTRE));
    let steps = tail.last().is_some_and(|last| shows && is_to_centre(*last));
    &tail[..tail.len() - usize::from(steps)]
}

/// The only ply that nobody has pressed, if it was made while the clock ran.
fn lone(hands: &Hands) -> Option<Waiting> {
    if recovery::waiting_on_stories(hands) > 0 {
        return None;
    }
    match (waiting_for_press(hands), played(hands)) {
        ([lone], []) => Some(lone.clone()).filter(|ply| !ply.at_rest),
        ([], [played]) if !hands.seen.at_rest()[0] && hands.changed_at(*played) >= hands.edges.set_at() => {
            Some(waiting(hands, *played, false, None))
        }
        _ => None,
    }
}

/// Remembers the only ply that nobody has pressed: men that go home from there, or make room for kings, are no plies.
pub(super) fn note_last(hands: &mut Hands) {
    let now = hands.now();
    if !hands.seen.fits() && hands.edges.unfollowed() >= hands.settings.unfollowed_men {
        // Hands have played on.
        hands.seen.followed.answer(now);
    }
    if !hands.seen.fits() || !hands.lever.tells() {
        return;
    }
    let waits = waiting_for_press(hands).iter().map(|ply| ply.finished.played);
    let seen = match hands.seen.tail() {
        [first, on_top @ ..] if !on_top.is_empty() && is_hidden(hands, *first) => on_top,
        tail => tail,
    };
    let unpressed = waits.chain(seen.iter().copied()).collect::<Vec<_>>();
    let known = hands.seen.followed.last_played();
    let Some(top) = unpressed.last().copied() else { return forget_taken_back(hands) };
    // Whose stop was taken for the last ply has only gone on.
    let stopped = |known: Move| top.from().and_then(|from| hands.squares.contact_of(from, known.to()));
    let goes_on = known.filter(|known| known.from() == top.from()).and_then(stopped);
    let goes_on = goes_on.is_some_and(|stood| stood < hands.settings.release_dwell_ms);
    let goes_home = !goes_on && hands.goes_home(top, !hands.seen_position().turn());
    if known == Some(top) || goes_home || is_to_centre(top) {
        return;
    }
    let moment = hands.settings.press_before_ms;
    if unpressed.len() + recovery::waiting_on_stories(hands) == 1 {
        hands.seen.followed.note_last(lone(hands), moment, now);
    } else {
        hands.seen.followed.answer(now);
    }
}

/// The man of the only ply that nobody had pressed is back where he was, and nothing else has gone home for a while: it was
/// taken back.
fn forget_taken_back(hands: &mut Hands) {
    let (turn, now) = (hands.record.turn(), hands.now());
    let Some(last) = hands.seen.followed.last_played() else { return };
    let Some(from) = last.from() else { return };
    let since = hands.squares.changed_at(from);
    let next = hands.squares.evidence.readings(since).next().map_or(now, |reading| reading.at);
    let is_back = hands.squares.board().piece_at(from) == Some(last.role().of(turn));
    if is_back && next >= since + hands.settings.takeback_rest_ms {
        hands.seen.followed.note_last(None, hands.settings.press_before_ms, now);
    }
}

/// The last ply that was played unheard, if nothing was played on it: nobody could hear its press either.
fn unheard(hands: &Hands) -> Option<Waiting> {
    let LastUnheard { after, played, .. } = hands.lost.unheard?;
    let is_last =
        after == hands.record.ply() && hands.seen.tail().len() <= 1 && hands.record.position().is_legal(played);
    let stands = is_last && waiting_for_press(hands).is_empty() && hands.seen.followed.stopped_at().is_none();
    stands.then(|| Waiting { hidden: true, ..waiting(hands, played, true, None) })
}

/// The game closes. Of what nobody has pressed the last ply stands if it is the only one; the rest was not played.
pub(super) fn close(hands: &mut Hands, went_home: bool) {
    if !hands.edges.is_on() || hands.lost.stories.is_some() {
        return;
    }
    hands.commit_guess();
    if !hands.lever.tells() {
        return close_untold(hands);
    }
    forget_taken_back(hands);
    if hands.seen.fits() && hands.misfit().is_empty() {
        // All men are back.
        hands.seen.followed.note_last(None, hands.settings.press_before_ms, hands.now());
    }
    let lone = lone(hands).filter(|_| !went_home);
    let unheard = unheard(hands).filter(|_| lone.is_none());
    let left = hands.seen.followed.close(lone.or(unheard), hands.record.ply());
    if left.is_some() {
        hands.make_final(hidden(hands.seen.followed.plies()));
    }
    let belongs = |ply: &&Waiting| left.as_ref().is_some_and(|left| left.finished.played == ply.finished.played);
    let below = usize::from(hands.seen.followed.plies().first().filter(belongs).is_some());
    hands.seen.followed.leave_out(hands.seen.followed.plies()[below..].to_vec());
    hands.unfollow(hands.seen.followed.len());
    hands.seen.show(Vec::new(), false);
    // What was left when the clock stopped may have been answered, or gone back on, since.
    if let Some(last) = left.filter(|left| hands.record.position().is_legal(left.finished.played)) {
        keep_last(hands, last);
    }
    hands.say_seen();
}

/// The clock has told until its flag fell, or it was lost: what was made by then and stands is the last ply.
fn close_untold(hands: &mut Hands) {
    let last = hands.seen.followed.close(None, hands.record.ply());
    if let Some(last) = last.filter(|last| *hands.seen.tail() == [last.finished.played]) {
        hands.seen.show(Vec::new(), false);
        keep_last(hands, last);
        hands.say_seen();
    }
}

/// It belongs to the game.
fn keep_last(hands: &mut Hands, last: Waiting) {
    hands.pass(last.finished.played, last.finished.placed, last.finished.pressed);
    hands.seen.followed.push(last);
    hands.make_final(1);
}

/// The game goes on after all: what its close has left out is followed again.
pub(super) fn reopen(hands: &mut Hands) {
    for ply in hands.seen.followed.reopen() {
        if !hands.record.position().is_legal(ply.finished.played) {
            break;
        }
        hands.pass(ply.finished.played, ply.finished.placed, ply.finished.pressed);
        hands.seen.followed.push(ply);
    }
    hands.commit();
}
