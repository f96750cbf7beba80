//! What was played while nothing was heard.

use std::ops::RangeInclusive;

use shakmaty::{Board, Chess, Color, Move, Position};

use super::story::{acquit, go_on_from, is_held, note_unheard, reopen_gap, tell};
use crate::{
    Millis,
    hand::{
        deed::{Deed, Rethought},
        explain::{self, Bridge, Counted, Told},
        hands::Hands,
        likely::goes_alike,
        lost::LastUnheard,
        record::play_all,
        sign::PressCount,
        step::{Settle, Step, Steps},
        stories::{detours, set_up},
    },
};

/// So many plies fewer are much less.
const MUCH_LESS: usize = 3;

/// The board can't be heard any more: no rest goes on.
pub(in crate::hand) fn fall_silent(hands: &mut Hands) {
    if !hands.hearing.is_gap() {
        hands.seen.know(hands.seen.tail().len());
    }
    let unanswered = hands.awaits_dump();
    hands.hearing.fall_silent();
    hands.squares.evidence.fall_silent(hands.now());
    hands.lost.fall_silent(unanswered, is_on_its_way(hands));
    hands.making.rest(&[], hands.now(), hands.settings.release_dwell_ms, |_| None, hands.now());
}

/// The man of the last ply has only just come to where he is read, nobody has pressed, and nobody is about his reply: he may
/// be on his way.
fn is_on_its_way(hands: &Hands) -> bool {
    hands.tail_by_side().last().is_some_and(|(last, mover)| {
        let stops = hands.now() >= hands.changed_at(last) + hands.settings.slide_rest_ms;
        let answers = hands.squares.lifted().iter().any(|lifted| lifted.piece.color != mover);
        !stops && !answers && hands.lever.opened_by(mover).is_none()
    })
}

/// The whole board is heard again: all rests and waits begin anew.
pub(in crate::hand) fn hear_again(hands: &mut Hands) {
    let now = hands.now();
    hands.squares.hear(now);
    hands.touches.hear(now);
    hands.lever.hear(now + hands.settings.press_after_ms);
}

/// Whole plies were not heard though the link was up: they are looked for as after a gap.
pub(in crate::hand) fn take_silence_for_gap(hands: &mut Hands) -> Steps {
    hands.seen.know(0);
    hands.hearing.reopen_gap();
    hands.lost.turn_out_deaf(hands.lever.count(), hands.now());
    hands.squares.forget();
    bridge(hands)
}

/// The clock tells how much was played unheard, with the presses before the silence for which nothing was heard. What was
/// open before this silence it can't tell.
pub(in crate::hand) fn count(hands: &mut Hands, presses: &PressCount) -> Steps {
    let told = if hands.hearing.was_gap() { PressCount::Unknown } else { hands.lever.count_with(presses) };
    let before = hands.lost.count(told);
    if before == hands.lost.presses {
        return Vec::new();
    }
    if hands.hearing.is_gap() {
        return vec![Step::Look];
    }
    if hands.hearing.is_surveyed() && before == PressCount::Awaited {
        // The men stand as they stood, and may have gone and come back.
        return come_back(hands);
    }
    Vec::new()
}

/// The men stand as they stood before a silence in which the clock has counted plies. Where it is the other player's turn
/// since nobody knows how they came there.
fn come_back(hands: &mut Hands) -> Steps {
    let seen = hands.seen_position();
    let PressCount::Counted { to_move, .. } = hands.lost.presses else { return Vec::new() };
    if plies_counted(&hands.lost.presses, &seen).is_none_or(|plies| *plies.start() <= 1) {
        return Vec::new();
    }
    acquit(hands);
    hands.admit_gap(true);
    let passed = set_up(hands.squares.board(), to_move, &seen).filter(|_| seen.turn() != to_move);
    passed.map_or_else(Vec::new, |stand| go_on_from(hands, stand, false))
}

/// When the clock will not be waited for any longer.
pub(in crate::hand) fn counts_at(hands: &Hands) -> Option<Millis> {
    let awaited = hands.hearing.is_surveyed() && hands.lost.presses == PressCount::Awaited;
    awaited.then_some(hands.squares.heard_at() + hands.settings.clock_late_ms)
}

/// How many plies were played after so many that are known, as far as the clock tells. The last may not be pressed.
pub(super) fn plies_counted(presses: &PressCount, base: &Chess) -> Option<RangeInclusive<usize>> {
    let PressCount::Counted { count, to_move } = presses else { return None };
    let before = if count.start().is_multiple_of(2) { *to_move } else { !*to_move };
    // One press was for the last ply that is known.
    let known = usize::from(base.turn() != before);
    Some(count.start().saturating_sub(known)..=(count.end() + 1).saturating_sub(known))
}

/// Explains what happened while nothing was heard. A board that was surveyed with a man in the hand can't be
/// explained yet; the gap stays open until it can.
pub(in crate::hand) fn bridge(hands: &mut Hands) -> Steps {
    hands.seen.explain(false);
    if counts_at(hands).is_some() {
        return Vec::new();
    }
    let depth = depth(hands);
    let search = stories(hands, depth);
    hands.lost.searched.in_hand = search == Bridge::InHand;
    if hands.lost.searched.in_hand {
        // That is found before anybody has looked far.
        hands.lost.search_afresh(hands.now());
    }
    match search {
        Bridge::Lines { lines, doubted } => close(hands, lines, doubted),
        Bridge::InHand | Bridge::None => Vec::new(),
    }
}

/// A player who has the move presses on the board as it was found after a gap. They have nothing to press for in what is
/// taken for played meanwhile: it lacks a ply of theirs. Gives what has to be done if it is so.
pub(in crate::hand) fn lacks_a_ply(hands: &mut Hands, side: Color) -> Option<Steps> {
    let unheard = unheard(hands, side).filter(|_| hands.record.turn() == side)?;
    unheard.close(hands, side).or_else(|| {
        let stand = set_up(hands.squares.board(), !side, &unheard.root)?;
        reopen_gap(hands);
        Some(go_on_from(hands, stand, false))
    })
}

/// The first press after a gap finds a move that is not legal after what is taken for played meanwhile, or the first move is
/// one of the player who has just moved there. Something else that is no longer than a gap may be leads to it: nobody is
/// judged by what nobody has heard. Gives what has to be done if it is so.
pub(in crate::hand) fn was_played_otherwise(hands: &mut Hands, side: Color) -> Option<Steps> {
    unheard(hands, side)?.close(hands, side)
}

/// The same without a press, if the player who has just moved there has moved again and holds nobody.
pub(in crate::hand) fn moved_otherwise(hands: &mut Hands) -> Option<Steps> {
    let stands = !is_held(hands) && hands.plies_back().is_none();
    if stands { was_played_otherwise(hands, !hands.record.turn()) } else { None }
}

/// Nothing that was found leads there: a ply is missing, and nobody knows which. The player who has moved again had the move.
pub(in crate::hand) fn had_the_move(hands: &mut Hands, side: Color) -> Option<Steps> {
    let unheard = unheard(hands, side).filter(|_| hands.record.turn() != side)?;
    let stand = set_up(hands.record.board(), side, &unheard.root)?;
    reopen_gap(hands);
    Some(go_on_from(hands, stand, false))
}

/// The record ends with what nobody has heard, as far as anybody knows by now.
pub(in crate::hand) fn ends_unheard(hands: &Hands) -> bool {
    hands.lost.stories.is_some() || hands.lost.unheard.is_some_and(|last| is_last(hands, &last))
}

/// What was played while nothing was heard, and nothing since.
struct Unheard {
    root: Chess,
    known: Vec<Move>,
    /// One story was believed: so many plies of it are followed already, or final.
    believed: Option<usize>,
    /// What was found then, if the player who moved last there has moved again since.
    found: Option<Board>,
}

impl Unheard {
    /// Of what leads to the board and ends with a ply of this player one line was played instead, if there is any.
    fn close(&self, hands: &mut Hands, side: Color) -> Option<Steps> {
        let depth = hands.settings.gap_plies + usize::from(self.found.is_some());
        let found = stories_after(hands, &self.root, &self.known, depth, Some((side, self.found.as_ref())));
        let Bridge::Lines { lines, doubted } = found else { return None };
        if let Some(believed) = self.believed {
            let followed = hands.seen.followed.len().min(believed);
            hands.unfollow(followed);
            if followed < believed {
                hands.record.rewrite(believed - followed, &[], 0);
                hands.say(Deed::Rewritten { why: Rethought::Unread, record: hands.record.course().clone() });
            }
            hands.hearing.reopen_gap();
            hands.seen.clear();
        } else {
            reopen_gap(hands);
        }
        Some(close(hands, lines, doubted))
    }
}

/// The move of this player stands on top of it, or goes on from its last ply without a reply.
fn unheard(hands: &Hands, side: Color) -> Option<Unheard> {
    let (tail, last) = (hands.seen.tail(), hands.lost.unheard.filter(|last| last.plies > 0));
    let is_shown = matches!(*tail, [only] if last.is_some_and(|last| last.is(hands.record.ply(), only)));
    let again = hands.record.turn() != side;
    if !tail.is_empty() && (!is_shown || again) {
        return None;
    }
    let found = again.then(|| hands.record.board().clone());
    match &hands.lost.stories {
        Some(stories) if stories.is_fresh() && stories.hole.is_none() && tail.is_empty() => {
            let known = stories.lines[0][..stories.known].to_vec();
            Some(Unheard { root: stories.base.clone(), known, believed: None, found })
        }
        Some(_) => None,
        None => {
            let last = last?;
            // The man of the last one may have gone on.
            let gone_on = is_shown || !is_last(hands, &last);
            if gone_on && hands.record.ply() != last.after {
                return None;
            }
            let believed = last.plies - usize::from(gone_on);
            let root = hands.record.before(believed)?.position().clone();
            Some(Unheard { root, known: Vec::new(), believed: Some(believed), found })
        }
    }
}

/// The record ends with it.
fn is_last(hands: &Hands, last: &LastUnheard) -> bool {
    let ends = hands.record.ply().previous().zip(hands.record.last());
    ends.is_some_and(|(before, (_, played))| last.is(before, played))
}

/// One of these lines was played while nothing was heard, the likeliest first.
fn close(hands: &mut Hands, lines: Vec<Vec<Move>>, doubted: bool) -> Steps {
    let best = lines[0].clone();
    let known = if best.starts_with(hands.seen.known()) { hands.seen.known().len() } else { 0 };
    let counted = is_counted(hands, &best, known);
    // Men that stand as they stood before were put back, or another board was plugged in. Nobody has played there, unless
    // the clock has counted it.
    if best.len() > known && hands.plies_back().is_some() && !counted {
        return Vec::new();
    }
    hands.hearing.recognise();
    if best.len() > known {
        acquit(hands);
    }
    // Mere orders of the same moves, whoever is taken by which of them.
    let is_in_best = |played: &Move| best.iter().any(|it| it.from() == played.from() && goes_alike(*it, *played));
    let lone = lines.iter().all(|line| line.len() == best.len() && line.iter().all(is_in_best));
    if !lone
        || doubted
        || hands.lost.stories.is_some()
        || detours(&best[known..], hands.squares.visited()).next().is_some() && !counted
    {
        hands.seen.know(known);
        tell(hands, lines, lone, doubted);
        return Vec::new();
    }
    hands.hearing.close_gap();
    hands.lost.puzzled = false;
    hands.lost.find(hands.now());
    hands.seen.explain(true);
    let plies = best.len();
    hands.release();
    hands.show(best);
    if plies > known {
        hands.say(Deed::Gap { plies: plies - known, others: hands.all_above_final(&lines[1..]) });
        note_unheard(hands, plies - known);
    }
    vec![Step::Settle(Settle::inferred(plies.saturating_sub(1)))]
}

/// Less would explain the board if somebody had a man in the hand, and nobody has put one down for a while: the men stand as
/// they were played. Nothing, if they can't.
pub(in crate::hand) fn bridge_at_rest(hands: &mut Hands) -> Option<Steps> {
    let rested = hands.now() >= hands.squares.rests_since() + hands.settings.story_rest_ms;
    if !rested || !hands.hearing.is_gap() || !hands.lost.searched.in_hand {
        return None;
    }
    hands.lost.searched.may_hold = false;
    let steps = bridge(hands);
    let found = !hands.hearing.is_gap() || hands.lost.stories.is_some();
    hands.lost.searched.may_hold = !found;
    hands.lost.searched.in_hand = !found;
    found.then_some(steps)
}

/// The clock has counted as many plies as this line has beyond those that are known.
fn is_counted(hands: &Hands, line: &[Move], known: usize) -> bool {
    let base = play_all(hands.record.position(), &line[..known]);
    let counted = base.and_then(|base| plies_counted(&hands.lost.presses, &base));
    counted.is_some_and(|counted| counted.contains(&(line.len() - known)))
}

/// How many plies are looked for, and that it is done. A table where hands go on pauses longer and longer.
fn depth(hands: &mut Hands) -> usize {
    let (now, settings) = (hands.now(), &hands.settings);
    let (vain, last) = hands.lost.searched.in_vain;
    let doublings = vain.checked_sub(settings.gap_tries).map(|more| more.min(settings.gap_doublings));
    let pause = |doublings: u8| settings.gap_pause_ms.saturating_mul(1 << doublings.min(32));
    if doublings.is_some_and(|doublings| now < last + pause(doublings)) {
        return settings.gap_pause_plies;
    }
    hands.lost.searched.in_vain = (vain.saturating_add(1), now);
    settings.gap_plies
}

/// What may have been played while nothing was heard, the likeliest first. What was seen before it was played, unless
/// much less leads there without it: then its man was on the way.
fn stories(hands: &Hands, depth: usize) -> Bridge {
    let known = hands.seen.known();
    let after = |tail: &[Move], depth| stories_after(hands, hands.record.position(), tail, depth, None);
    let after_known = after(known, depth);
    if known.is_empty() {
        return after_known;
    }
    match &after_known {
        Bridge::None => after(&[], depth),
        Bridge::Lines { lines, .. } if hands.lost.searched.on_its_way => {
            let most = lines[0].len().saturating_sub(MUCH_LESS).min(depth);
            let less = after(&[], most);
            if matches!(less, Bridge::Lines { .. }) { less } else { after_known }
        }
        Bridge::Lines { .. } | Bridge::InHand => after_known,
    }
}

/// The same after these plies that were seen, where it is known whose ply was the last, and perhaps what stood before it.
fn stories_after(
    hands: &Hands,
    root: &Chess,
    tail: &[Move],
    depth: usize,
    last_by: Option<(Color, Option<&Board>)>,
) -> Bridge {
    let Some(base) = play_all(root, tail) else { return Bridge::None };
    let last = tail.last().copied().or_else(|| hands.record.last().map(|(_, played)| played));
    let presses_heard = hands.lost.searched.heard_on || hands.lever.unanswered() > 0 || hands.lost.presses_in_gap() > 0;
    let sure = if presses_heard { 0 } else { hands.settings.gap_plies_sure };
    // Presses that were heard all the same were for as many plies at least. The last may not be pressed.
    let unpressed = !tail.is_empty() || hands.lever.is_unpressed(!base.turn());
    let heard = hands.lost.pressed_in_gap(base.turn(), unpressed);
    let counted = plies_counted(&hands.lost.presses, &base).or((heard > 0).then_some(heard..=heard + 1));
    let counted = counted.map(|plies| Counted { plies, sure });
    let may_hold = Some(heard).filter(|_| hands.lost.searched.may_hold);
    let told = Told { may_hold, counted, last_by };
    match explain::bridge(&base, last, &hands.squares, &hands.settings, depth, told) {
        Bridge::Lines { lines, doubted } => {
            Bridge::Lines { lines: lines.into_iter().map(|line| [tail, &line].concat()).collect(), doubted }
        }
        nothing @ (Bridge::InHand | Bridge::None) => nothing,
    }
}
