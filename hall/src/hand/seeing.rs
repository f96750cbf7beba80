//! What is seen: the best explanation of the board as it stands, looked for afresh after every report.

use std::cmp::Ordering;

use shakmaty::{Bitboard, Move, Position};

use super::{
    assuming::{guess_again, stands_exchanged},
    deed::Deed,
    explain::{self, Explanation},
    hands::Hands,
    made::{Made, footprint},
    record::{after, becomes, play_all},
    recovery::{self, Outweighs},
    sign::Pressing,
    step::{Step, Steps},
    taking_back,
    weighing::cheapest,
};
use crate::{Millis, Ply};

/// Looks for the best explanation of the board.
pub(super) fn see(hands: &mut Hands) -> Steps {
    hands.lost.stop_rethinking();
    hands.seen.weigh(None);
    if !hands.edges.is_on() || !hands.hearing.is_surveyed() {
        return Vec::new();
    }
    if hands.hearing.is_gap() {
        return recovery::bridge(hands);
    }
    if is_being_restored(hands) {
        return Vec::new();
    }
    if taking_back::stands_earlier(hands) {
        // A ply may lead there as well: its player's press will tell.
        let ply = explain::lines_to(hands.record.position(), &hands.squares, &hands.settings, 1).into_iter().next();
        return show(hands, ply.filter(|line| !line.moves.is_empty()));
    }
    if !hands.lever.decides()
        && let Some(plies) = hands.plies_back()
    {
        hands.making.step_back(plies);
    }
    let open = hands.lever.opened().map(|press| (press.side, press.at));
    if let Some(steps) = open.and_then(|press| taking_back::go_on(hands, press)) {
        return steps;
    }
    let mut best = best_line(hands);
    if best.as_ref().is_none_or(|best| best.moves.len() > 1) && guess_again(hands) {
        best = best_line(hands);
    }
    if best.is_none() && lies_turned(hands) {
        best = best_line(hands);
    }
    if best.is_none()
        && let Some(steps) = stands_exchanged(hands)
    {
        return steps;
    }
    if best.is_none() && recovery::look_beyond(hands) {
        best = best_line(hands);
    }
    if best.is_none() && recovery::ends_unheard(hands) {
        // Who only flashes where he is carried has not come there in any story.
        let due = unfit_for(hands, hands.settings.contact_debounce_ms);
        if hands.now() < due {
            hands.seen.weigh(Some(due));
            return show(hands, None);
        }
        best = recovery::other_story(hands);
        if best.is_none()
            && let Some(steps) = recovery::take_up_gap(hands).or_else(|| recovery::moved_otherwise(hands))
        {
            return steps;
        }
    }
    if best.is_none() && goes_back(hands) {
        best = best_line(hands);
    }
    // Where a position of several plies ago stands no hand has gone on: they are taken back, unless a clock runs.
    let gone_back = || hands.making.has_gone_back() || hands.plies_back().is_some_and(|plies| plies > 1);
    let taken_back = || hands.lever.pressing() != Pressing::Awaited && gone_back();
    let thinks = best.is_none() || is_gone_unnamed(hands, best.as_ref());
    if thinks && !taken_back() && recovery::think_over(hands, hands.settings.rethink_rest_ms) {
        best = best_line(hands);
    }
    match weighed(hands, best.as_ref()) {
        Outweighs::Nothing => show(hands, best),
        Outweighs::Doubtful(lines) => {
            let steps = show(hands, best);
            hands.seen.doubt(lines);
            steps
        }
        Outweighs::Open(lines) => {
            let rests = hands.now() >= hands.squares.rests_since() + hands.settings.mismatch_rest_ms;
            if hands.lever.tells() || !rests || !recovery::puzzle(hands, &lines) {
                hands.show(lines.first().cloned().unwrap_or_default());
                if !hands.squares.names() {
                    hands.seen.doubt(lines);
                }
            }
            Vec::new()
        }
        Outweighs::Sure(moves, settle) => {
            let mut steps = show(hands, Some(Explanation::weighed(moves)));
            steps.extend(settle.map(Step::Settle));
            steps
        }
    }
}

/// On a board that names nobody, and where presses decide: the man of the last ply has gone up again, and where another one
/// stood somebody stands since.
fn is_gone_unnamed(hands: &Hands, best: Option<&Explanation>) -> bool {
    let gone = hands.record.last().map(|(_, played)| played.to());
    let is_up = |square| hands.squares.lifted().iter().any(|lifted| lifted.from == square);
    let fits = best.is_some_and(|best| best.moves.is_empty() && !best.is_whole());
    fits && !hands.squares.names() && hands.lever.tells() && gone.is_some_and(is_up)
}

/// When the board will have fitted nothing for so long.
fn unfit_for(hands: &Hands, ms: Millis) -> Millis {
    hands.seen.unfit_since().unwrap_or(hands.now()) + ms
}

/// A board that has fitted nothing for a moment is weighed, once the scan is over in which it has changed; and one that
/// fits only a line in which hands do what they rarely do. Where no press tells what men without names have taken it is
/// weighed once more at rest, and so is one that fits with men of both players in the hand: they may have been taken.
fn weighed(hands: &mut Hands, best: Option<&Explanation>) -> Outweighs {
    let (now, tells, names) = (hands.now(), hands.lever.tells(), hands.squares.names());
    let rested = hands.squares.rests_since() + hands.settings.mismatch_rest_ms;
    let since = match best {
        None => unfit_for(hands, hands.settings.dump_rest_ms),
        Some(best) if is_odd(hands, best) => 0,
        Some(best) if !tells && !names && best.missing > 1 => rested,
        Some(_) => return Outweighs::Nothing,
    };
    let due = since.max(hands.squares.last_change() + hands.settings.scan_ms);
    let again = Some(rested).filter(|_| !tells && !names);
    let next = std::iter::once(due).chain(again).filter(|at| *at > now).min();
    hands.seen.weigh(next.filter(|_| tells || !names));
    if now < due || best.is_none() && hands.seen.weighed_at() == now {
        return Outweighs::Nothing;
    }
    recovery::reconsider(hands, best.map(|best| &best.moves[..]), false)
}

/// Presses tell that hands have rather done something else, or squares that no ply tells of.
fn is_odd(hands: &Hands, best: &Explanation) -> bool {
    let tells = hands.lever.tells();
    match hands.squares.names() {
        true => tells && best.is_odd(hands.record.turn(), &hands.squares, &hands.settings),
        false => best.is_hardly_told() || tells && best.is_taken_unread(&hands.squares),
    }
}

/// What nobody has pressed was taken back: the board shows a position below it.
fn goes_back(hands: &mut Hands) -> bool {
    let Some(plies) = hands.plies_back().filter(|plies| *plies <= hands.seen.followed.len()) else { return false };
    if hands.lost.stories.is_some() {
        return false;
    }
    hands.unfollow(plies);
    hands.lever.reset();
    hands.begin_turn();
    hands.seen.clear();
    hands.squares.start_from(hands.record.board());
    hands.say_seen();
    true
}

/// The position is still being set up: nothing is seen yet.
fn is_being_restored(hands: &mut Hands) -> bool {
    if hands.unlawful.is_restoring() && hands.misfit().is_empty() {
        hands.unlawful.stop_restoring();
    }
    let restoring = hands.unlawful.is_restoring();
    if restoring {
        hands.seen.explain(false);
        hands.show(Vec::new());
    }
    restoring
}

/// Shows this line, or what still stands of the last one.
fn show(hands: &mut Hands, best: Option<Explanation>) -> Steps {
    let now = hands.now();
    hands.seen.look(best.is_some(), now);
    let shows_record = best.as_ref().is_some_and(|best| best.moves.is_empty() && best.is_whole());
    if let Some(at) = hands.unlawful.note_restored(shows_record, hands.settings.contact_debounce_ms, now) {
        hands.squares.evidence.begin_after(hands.record.ply(), at);
        hands.begin_turn();
        hands.touches.begin_at(now);
    }
    if !shows_record {
        hands.making.leave_record(hands.settings.release_dwell_ms, now);
    }
    match best {
        Some(best) => {
            hands.release();
            if shows_record {
                hands.squares.name(hands.record.board());
                hands.making.return_to_record(now);
                if hands.touches.restored() {
                    // What the men did meanwhile were no moves.
                    hands.begin_turn();
                    hands.say(Deed::Restored);
                }
            }
            hands.show(best.moves);
        }
        None => hands.show(hands.seen.tail()[..standing(hands)].to_vec()),
    }
    let rests = hands.squares.rests_since();
    // Nobody lets go of a man where no square has told of him.
    let tail = hands.seen.tail();
    let told = tail.iter().position(|played| hands.squares.is_blind(played.to())).unwrap_or(tail.len());
    let told = told.min(tail.len() - usize::from(hands.takes_silently()));
    // Nor does he rest who is read elsewhere too.
    let told = if is_read_twice(hands) { 0 } else { told };
    // He may have gone long before that shows in the tail.
    let (squares, side) = (&hands.squares, hands.record.turn());
    let left = |rested: Move| {
        let (to, _) = Made::whole(side, rested).landings().next()?;
        (!squares.occupied().contains(to)).then(|| squares.changed_at(to))
    };
    hands.making.rest(&tail[..told], rests, hands.settings.release_dwell_ms, left, now);
    look_aside(hands)
}

/// The man of the first ply that is seen is read on one square more.
fn is_read_twice(hands: &Hands) -> bool {
    let Some(first) = hands.seen.tail().first().filter(|_| !hands.seen.fits() && hands.squares.names()) else {
        return false;
    };
    hands.squares.reads_twice(becomes(*first, hands.record.turn()), hands.seen_position().board())
}

/// The board shows a reply to a move that is not legal, and it was pressed: both stand.
pub(super) fn look_aside(hands: &mut Hands) -> Steps {
    let aside = hands.unlawful.aside();
    let stood = aside.and_then(|aside| aside.stands(&hands.record, hands.squares.board(), hands.now()));
    let Some(stood) = stood else { return Vec::new() };
    hands.unlawful.set_aside(None);
    hands.touches.clear();
    hands.make_final(hands.seen.followed.len());
    let entered = stood.enter(hands.record.course());
    let record = entered.as_ref().unwrap_or(hands.record.course()).clone();
    hands.say(Deed::Stood { record, stood: Box::new(stood) });
    entered.into_iter().map(Step::Correct).collect()
}

fn best_line(hands: &Hands) -> Option<Explanation> {
    let (root, squares, settings) = (hands.record.position(), &hands.squares, &hands.settings);
    let seen = likeliest(hands, explain::lines(root, squares, settings)).or_else(|| longer_line(hands));
    seen.filter(|line| !is_taken_back(hands, line) && !taking_back::plays_back(hands, &line.moves))
}

/// Where no clock tells: an earlier position stands there again, and the hands have come to it backwards. Players who go
/// back one after the other make moves of it; who takes back begins with the last ply.
fn is_taken_back(hands: &Hands, line: &Explanation) -> bool {
    let backwards = |plies: usize| {
        let undoes = match plies.cmp(&line.moves.len()) {
            Ordering::Less => has_landed_before(hands, &line.moves),
            Ordering::Equal => are_taken_up_together(hands, &line.moves),
            Ordering::Greater => false,
        };
        undoes || plies > 1 && plies >= line.moves.len() && hands.making.stepped_back() == plies
    };
    !hands.lever.decides() && hands.plies_back().is_some_and(backwards)
}

/// The man of the last ply was down again before the man of the one below it went up: hands undo what is only seen, and then
/// what is final.
fn has_landed_before(hands: &Hands, moves: &[Move]) -> bool {
    let [.., below, last] = moves else { return false };
    let mover = if moves.len().is_multiple_of(2) { !hands.record.turn() } else { hands.record.turn() };
    let left = below.from().map_or(0, |from| hands.squares.changed_at(from));
    explain::landed_at(mover, *last, &hands.squares) < left
}

/// Both men were taken up nearly at once: both players put their men back. A reply may be begun a little early too, but
/// hardly before the other man is nearer to landing than to having been lifted.
fn are_taken_up_together(hands: &Hands, moves: &[Move]) -> bool {
    let [first, second] = moves else { return false };
    let left = |played: &Move| played.from().map_or(0, |from| hands.squares.changed_at(from));
    let landed = explain::landed_at(hands.record.turn(), *first, &hands.squares);
    left(second) < left(first).midpoint(landed)
}

/// Where presses decide, plies that nobody has pressed are looked for afresh until they rest: hands play on meanwhile.
fn longer_line(hands: &Hands) -> Option<Explanation> {
    let (plies, settings) = (hands.seen.tail().len(), &hands.settings);
    let depth = (plies + 1).min(settings.plies_unpressed);
    let is_full = hands.lever.tells() && plies >= settings.plies_ahead;
    let lines = is_full.then(|| explain::lines_to(hands.record.position(), &hands.squares, settings, depth))?;
    likeliest(hands, lines)
}

/// Of several lines that explain the board the one that costs least.
fn likeliest(hands: &Hands, mut lines: Vec<Explanation>) -> Option<Explanation> {
    let least = lines.iter().map(|line| line.granted).min()?;
    lines.retain(|line| line.granted == least);
    let at = if lines.len() > 1 { cheapest(hands, lines.iter().map(|line| &line.moves[..])) } else { 0 };
    Some(lines.swap_remove(at))
}

/// On a board that only senses where something stands a start array looks the same either way round: the first move
/// shows how it lies.
fn lies_turned(hands: &mut Hands) -> bool {
    let root = hands.record.position();
    let occupied = root.board().occupied();
    let first = hands.record.ply() == Ply::START && occupied == occupied.rotate_180();
    if hands.squares.names() || !first || !hands.squares.lifted().is_empty() {
        return false;
    }
    let mut turned = hands.squares.clone();
    turned.lay(hands.squares.lie().turned(), hands.now());
    turned.start_from(root.board());
    let Some(line) = explain::lines(root, &turned, &hands.settings).into_iter().next() else { return false };
    if let Some(shown) = play_all(root, &line.moves) {
        turned.name(shown.board());
    }
    hands.turn_round(turned);
    true
}

/// How many plies of the tail still stand on their squares, whatever else is going on.
fn standing(hands: &Hands) -> usize {
    let tail = hands.seen.tail();
    let stands = |count: &usize| {
        let line = &tail[..*count];
        let squares = line.iter().flat_map(|played| footprint(*played)).collect::<Bitboard>();
        let end = line.iter().fold(hands.record.position().clone(), |end, played| after(&end, *played));
        !hands.squares.misfit_ignoring_air(end.board()).intersects(squares)
    };
    (0..=tail.len()).rev().find(stands).unwrap_or(0)
}
