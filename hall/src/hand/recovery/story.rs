//! Which of several stories was played while nothing was heard.

use shakmaty::{Chess, Move, Position};

use crate::{
    Millis,
    hand::{
        deed::Deed,
        explain::{self, Explanation},
        hands::Hands,
        lost::LastUnheard,
        record::play_all,
        step::{Settle, Step, Steps},
        stories::{Below, Stories},
    },
};

/// Different stories lead to the board, or one that has to prove itself: the position is shown and play goes on.
pub(super) fn tell(hands: &mut Hands, mut lines: Vec<Vec<Move>>, lone: bool, doubted: bool) {
    let before = hands.lost.stories.take();
    let (base, known) = match &before {
        Some(before) => (before.base.clone(), before.known),
        None => (hands.record.position().clone(), hands.seen.known().len()),
    };
    let Some(end) = play_all(hands.record.position(), &lines[0]) else { return };
    let hole = before.as_ref().and_then(|before| before.hole.clone());
    let orders = if lone { lines.split_off(1) } else { Vec::new() };
    let on_top = |lines: Vec<Vec<Move>>| match &before {
        Some(before) => before.go_on(&lines, end.board(), hands.settings.stories_kept),
        None => lines,
    };
    let (lines, orders) = (on_top(lines), on_top(orders));
    let doubted = doubted || hole.is_some();
    let visited = hands.squares.visited();
    let stories = Stories { base, lines, orders, heard: 0, known, visited, doubted, hole };
    let sure = stories.is_sure(&hands.settings);
    hands.lost.stories = Some(stories);
    play_on(hands, end);
    hands.say_seen();
    if sure {
        hands.release();
    } else {
        hold(hands);
    }
}

/// Hands play on from the end of a story.
pub(super) fn play_on(hands: &mut Hands, end: Chess) {
    hands.hearing.close_gap();
    hands.lost.find(hands.now());
    hands.seen.explain(true);
    hands.lever.drop_open();
    hands.begin_turn();
    hands.lever.leave_unpressed(!end.turn(), true);
    hands.record.leap_to(end);
    hands.seen.clear();
    hands.move_on();
}

/// Plies were played of which a board has told nothing that was thought to be heard: what was said of its silence is
/// withdrawn.
pub(super) fn acquit(hands: &mut Hands) {
    if std::mem::take(&mut hands.lost.was_deaf) {
        hands.say(Deed::Unfounded(hands.misfit()));
        hands.forget_unlawful();
    }
}

/// Hands are followed from this position, and nobody knows how it was reached. Whose turn it is may have been `told`.
pub(super) fn go_on_from(hands: &mut Hands, stand: Chess, told: bool) -> Steps {
    // On top of an illegal move nothing is missing but that move, and that has been told.
    hands.admit_gap(hands.plays_on() && !hands.unlawful.is_illegal());
    let seen = match hands.lost.stories.take() {
        Some(Stories { hole: Some(hole), .. }) => hole.seen,
        Some(Stories { lines, .. }) => lines.into_iter().next().unwrap_or_default(),
        None => hands.seen.known().to_vec(),
    };
    hands.lost.stories = Some(Stories::after_a_hole(stand.clone(), Below { seen, told }));
    play_on(hands, stand);
    acquit(hands);
    hands.unlawful.reset();
    hands.touches.clear();
    hands.release();
    hands.say_seen();
    vec![Step::Look]
}

/// When the only story has stood long enough to be believed.
pub(in crate::hand) fn believes_at(hands: &Hands) -> Option<Millis> {
    let sure = hands.lost.stories.as_ref().is_some_and(|stories| stories.is_sure(&hands.settings));
    sure.then_some(hands.squares.rests_since() + hands.settings.story_rest_ms)
}

/// The game closes, and nothing will tell any more which story it was: the likeliest, with all that was played on it.
pub(in crate::hand) fn decide(hands: &mut Hands) -> Steps {
    let Some(stories) = hands.lost.stories.as_mut().filter(|stories| stories.hole.is_none()) else { return Vec::new() };
    stories.lines.truncate(1);
    stories.doubted = false;
    believe(hands)
}

/// The only story is what was played.
pub(in crate::hand) fn believe(hands: &mut Hands) -> Steps {
    let stories = hands.lost.stories.take();
    let Some(Stories { mut lines, orders, known, heard, .. }) = stories else { return Vec::new() };
    if lines.is_empty() {
        return Vec::new();
    }
    let story = lines.remove(0);
    lines.extend(orders);
    let waiting = unpressed(hands, heard);
    hands.record.return_to_end();
    hands.squares.believe();
    hands.release();
    let plies = story.len();
    hands.say(Deed::Gap { plies: plies.saturating_sub(known + heard), others: hands.all_above_final(&lines) });
    let alone = heard == 0 && hands.seen.tail().is_empty();
    hands.seen.put_below(story);
    if alone {
        note_unheard(hands, plies.saturating_sub(known));
        return vec![Step::Settle(Settle::inferred(plies.saturating_sub(1)))];
    }
    let above = Box::new((hands.touches.clone(), hands.making.clone()));
    let hidden = plies - waiting;
    let surely = if heard > waiting { hidden } else { 0 };
    vec![Step::Settle(Settle { hidden, surely, ..Settle::inferred(plies) }), Step::TakeUp(above)]
}

/// How many plies wait for a press that were heard on top of stories.
pub(in crate::hand) fn waiting_on_stories(hands: &Hands) -> usize {
    hands.lost.stories.as_ref().map_or(0, |stories| unpressed(hands, stories.heard))
}

/// How many of the last plies nobody has pressed, of so many that were heard on top of the stories.
fn unpressed(hands: &Hands, heard: usize) -> usize {
    let mover = !hands.record.turn();
    match [mover, !mover].map(|side| hands.lever.is_unpressed(side)) {
        [false, _] => 0,
        [true, false] => heard.min(1),
        [true, true] => heard,
    }
}

/// The tail ends with a ply that was played unheard, the last of so many of which no press was heard. It is as open as any
/// that was just seen.
pub(in crate::hand) fn note_unheard(hands: &mut Hands, plies: usize) {
    let ply = hands.record.ply();
    let last = hands.seen.tail().split_last();
    hands.lost.unheard = last.map(|(played, below)| LastUnheard { after: ply.on(below.len()), played: *played, plies });
}

/// The board fits nothing on top of the story that is shown: perhaps it does on top of another one.
pub(in crate::hand) fn other_story(hands: &mut Hands) -> Option<Explanation> {
    let stories = hands.lost.stories.as_ref()?;
    let shows = |line: &Vec<Move>| {
        let end = stories.end(line)?;
        let found = explain::lines(&end, &hands.squares, &hands.settings).into_iter().next()?;
        Some((end, found))
    };
    let (at, (end, found)) = stories.lines.iter().map(shows).enumerate().find_map(|(at, found)| Some((at, found?)))?;
    hands.record.stand_at(end);
    hands.lost.stories.as_mut()?.show(at);
    hands.seen.clear();
    hands.say_seen();
    Some(found)
}

/// If hands do not play on from any story, the board was heard in the middle of a move, or there was another one: what was not
/// heard is looked for anew.
pub(in crate::hand) fn take_up_gap(hands: &mut Hands) -> Option<Steps> {
    let fresh = |stories: &&Stories| stories.is_fresh() && stories.hole.is_none();
    let stories = hands.lost.stories.as_ref().filter(fresh)?;
    let begins = |line: &Vec<Move>| {
        let end = stories.end(line);
        end.is_some_and(|end| explain::is_begun(&end, hands.squares.misfit(end.board()), &hands.squares))
    };
    if is_held(hands) || stories.lines.iter().any(begins) {
        return None;
    }
    reopen_gap(hands);
    Some(vec![Step::Look])
}

/// Somebody has a man in the hand, and no other has taken his place.
pub(super) fn is_held(hands: &Hands) -> bool {
    let occupied = hands.squares.occupied();
    hands.squares.lifted().iter().any(|lifted| !occupied.contains(lifted.from))
}

/// It is as open as before.
pub(super) fn reopen_gap(hands: &mut Hands) {
    hands.hearing.reopen_gap();
    let Some(Stories { lines, known, hole, .. }) = hands.lost.stories.take() else { return };
    hands.record.return_to_end();
    hands.squares.believe();
    let seen = || lines.into_iter().next().map(|line| line[..known].to_vec()).unwrap_or_default();
    hands.seen.reopen(hole.map_or_else(seen, |hole| hole.seen));
}

/// These plies of the tail are as good as final: what can't have gone before them is ruled out. Unless one story is left
/// they wait with the stories below them. Gives what has to be done instead; nothing where there are no stories.
pub(in crate::hand) fn rule_out(hands: &mut Hands, settle: Settle) -> Option<Steps> {
    let plies = settle.plies;
    let names = hands.squares.names();
    let stories = hands.lost.stories.as_mut()?;
    let above = hands.seen.tail()[..plies].to_vec();
    let end = play_all(hands.record.position(), &above)?;
    let fewer = stories.grow(&above, end.board(), names);
    if stories.is_sure(&hands.settings) {
        stories.shorten(plies);
        return Some([believe(hands), vec![Step::Settle(settle)]].concat());
    }
    wait(hands, plies, settle.completing.is_some());
    if hands.has_hole() {
        hands.say_seen();
    } else if fewer {
        hold(hands);
    } else if let Some(stories) = &hands.lost.stories {
        hands.say(Deed::Undecided { lines: hands.all_above_final(&stories.lines), news: false });
    }
    Some(vec![Step::Look])
}

/// So many plies wait with the stories below them: the turn passes all the same.
fn wait(hands: &mut Hands, plies: usize, pressed: bool) {
    for played in hands.seen.take(plies) {
        let mover = hands.record.turn();
        hands.pass(played, hands.changed_at(played), None);
        hands.lever.leave_unpressed(mover, hands.lever.is_unpressed(mover) && !pressed);
    }
    hands.move_on();
}

fn hold(hands: &mut Hands) {
    let Some(Stories { base, lines, hole: None, .. }) = &hands.lost.stories else { return };
    let (lines, misfit) = (hands.all_above_final(lines), hands.squares.misfit_ignoring_air(base.board()));
    hands.hold(misfit);
    hands.say(Deed::Undecided { lines, news: true });
}
