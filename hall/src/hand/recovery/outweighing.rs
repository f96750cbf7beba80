//! A board that fits nothing: what was heard of the last plies is weighed again, and what is told follows the cheapest line
//! if nothing speaks for another one. What a press has found is judged by the contract all the same.

use protocol::board::Content;
use shakmaty::{Bitboard, Move, Position, Square, attacks};

use super::faulty::{learn_guess, withdraw};
use crate::{
    Millis, Weights,
    hand::{
        deed::{Deed, Rethought},
        evidence::Reading,
        explain::is_left,
        hands::Hands,
        likely::goes_alike,
        lost::Guess,
        made::footprint,
        record::{becomes, play_all},
        score::{Timed, Weighed},
        sign::Pressing,
        step::Settle,
        track::Gone,
        weighing::{Weighing, drawn_to, weigh},
        weights as w,
    },
};

/// What comes of weighing.
pub(in crate::hand) enum Outweighs {
    /// What is shown is as good as anything.
    Nothing,
    /// What fits is told, though these are nearly as likely, and it is one of them.
    Doubtful(Vec<Vec<Move>>),
    /// This was played, or something that is nearly as likely: the likeliest first.
    Open(Vec<Vec<Move>>),
    /// This is seen, and so much of it has been pressed.
    Sure(Vec<Move>, Option<Settle>),
}

/// Weighs what was heard of the last plies against the line that fits the board, or what is shown. Where a press `judges`,
/// it waits for nothing any more.
pub(in crate::hand) fn reconsider(hands: &mut Hands, fits: Option<&[Move]>, judges: bool) -> Outweighs {
    let Weights::Trials = hands.settings.weights;
    let shown = fits.unwrap_or(hands.seen.tail());
    let weighing = may_reconsider(hands).then(|| weigh(hands, shown, judges)).flatten();
    let Some(Weighing { lines, known, shown, most }) = weighing else { return Outweighs::Nothing };
    let best = lines.first().filter(|best| best.cost <= most && explains(hands, best, known.len()));
    let Some(best) = best else { return Outweighs::Nothing };
    let same = known.iter().zip(&best.moves).take_while(|(known, played)| known == played).count();
    // What was found wrong on top of the record is followed elsewhere.
    if same == known.len() && hands.unlawful.is_followed() {
        return Outweighs::Nothing;
    }
    // What lies far back is told anew once a dump that was asked for has shown the board, or a press wants to know.
    let waits = same + w::BACK_UNASKED < known.len() && hands.awaits_dump() && !judges;
    // What fits only oddly where men have no names may fit anything.
    let gain = if judges || fits.is_some() && !hands.squares.names() { w::GAIN_JUDGED } else { w::GAIN };
    // What a press has made final only another press on top of it makes something else.
    let finals = known.len().saturating_sub(hands.seen.followed.len());
    let jumped = same < finals && has_jumped(hands, known[same], &best.plies[same]);
    let is_over = || is_pressed_over(best, same, known.len()) && !is_told(hands, known[same], known.len() - same);
    let stands = same < finals && hands.lever.tells() && !jumped && !is_over();
    // Of men that go home nobody makes up plies, nor tells the record anew.
    let told = &best.moves[same..];
    let tidied =
        (same < finals || told.len() > 2) && told.last().is_some_and(|last| hands.tidied().contains(last.to()));
    let waits_for_rest = fits.is_none() && same == known.len() && is_shown_pressed(hands, &best.plies[same..]);
    if !waits_for_rest && best.cost + gain > shown || waits || stands || tidied {
        let unsure = fits.filter(|_| !hands.squares.names());
        return unsure.map_or(Outweighs::Nothing, |fits| beside_others(hands, fits, &lines, &known));
    }
    // Where the reading has jumped to he may only come by, and so may, on a board that fits nothing, who tells of a square
    // that has read nobody.
    let comes_by = jumped
        .then(|| hands.squares.changed_at(best.moves[same].to()))
        .max(tells_of_unread(best).filter(|_| fits.is_none()));
    let rests_at = comes_by.map(|landed| landed + hands.settings.press_before_ms);
    if rests_at.is_some_and(|at| !judges && hands.now() < at) {
        hands.seen.weigh(rests_at);
        return Outweighs::Nothing;
    }
    let differs = |line: &&Weighed| line.moves.iter().zip(&best.moves).any(|(a, b)| a != b);
    let rivals = lines[1..].iter().filter(|line| line.cost < best.cost + w::MARGIN).filter(differs).collect::<Vec<_>>();
    if rivals.is_empty() {
        return follow(hands, best.clone(), same, known.len());
    }
    let lines = std::iter::once(best).chain(rivals).collect::<Vec<_>>();
    // What is on record stands until one line is likelier than all others.
    if lines.iter().any(|line| !line.moves.starts_with(&known)) {
        return Outweighs::Nothing;
    }
    match elsewhere(hands, &lines, same) {
        Some((line, guess)) => {
            hands.lost.guess = Some(guess);
            follow(hands, line, same, same)
        }
        None => Outweighs::Open(lines.into_iter().map(|line| line.moves[same..].to_vec()).collect()),
    }
}

/// What fits, and those of these lines on top of the record that explain as much.
fn beside_others(hands: &Hands, fits: &[Move], lines: &[Weighed], known: &[Move]) -> Outweighs {
    let explain = lines.iter().filter(|line| explains(hands, line, known.len()));
    let others = explain.filter_map(|line| line.moves.strip_prefix(known)).filter(|line| *line != fits);
    let all = std::iter::once(fits).chain(others).map(<[Move]>::to_vec).collect::<Vec<_>>();
    if all.len() > 1 { Outweighs::Doubtful(all) } else { Outweighs::Nothing }
}

/// When the last man has landed, nobody having pressed for him, if only his ply tells where another one stands that no square
/// has read.
fn tells_of_unread(line: &Weighed) -> Option<Millis> {
    // Of a castling either man tells.
    let is_unread = |ply: &Timed| ply.unread.is_some_and(|(_, paid)| paid > w::BLIND) && !ply.played.is_castle();
    let last = line.plies.last().filter(|last| last.pressed.is_none() && line.plies.iter().any(is_unread))?;
    last.landed
}

/// A ply on top of those of the record that this line tells otherwise was pressed, and not before they were made.
fn is_pressed_over(line: &Weighed, same: usize, known: usize) -> bool {
    let told = line.plies[same..known.min(line.plies.len())].iter();
    let made = told.filter_map(|ply| ply.landed.max(ply.left)).max().unwrap_or(0);
    let over = line.plies.get(same + 1..).unwrap_or_default();
    over.iter().any(|ply| ply.pressed.is_some_and(|pressed| pressed >= made))
}

/// These plies are shown, all read and pressed, and only hands at work have kept them from being completed.
fn is_shown_pressed(hands: &Hands, plies: &[Timed]) -> bool {
    let is_shown = plies.iter().map(|ply| ply.played).eq(hands.seen.tail().iter().copied());
    is_shown && plies.iter().all(|ply| ply.unread.is_none()) && plies.iter().any(|ply| ply.pressed.is_some())
}

/// On a board that names nobody: its square has told of this ply, so many plies ago, and no hand was at work elsewhere until
/// it was pressed.
fn is_told(hands: &Hands, played: Move, back: usize) -> bool {
    let evidence = &hands.squares.evidence;
    let ply = hands.record.ply().back(back);
    let landed = evidence.since(ply).zip(evidence.since(ply.next()));
    let Some(((since, landed), pressed)) = landed.zip(evidence.pressed(ply.next())) else { return false };
    let read = |reading: &Reading| reading.is != Content::Empty && reading.at <= landed;
    let told = evidence.readings_of(played.to(), since).any(read);
    let elsewhere = |reading: &Reading| reading.at <= pressed && !footprint(played).contains(reading.square);
    !hands.squares.names() && told && !evidence.readings(since).any(elsewhere)
}

/// The reading of the same man has jumped there from the square beside.
fn has_jumped(hands: &Hands, played: Move, instead: &Timed) -> bool {
    let (read, stood) = (played.to(), instead.played.to());
    let same_man = (played.from(), played.role()) == (instead.played.from(), instead.played.role());
    let jumps = |landed: Millis| {
        let mut readings = hands.squares.evidence.readings_of(read, 0);
        readings.any(|reading| reading.at.abs_diff(landed) <= hands.settings.scan_ms)
    };
    same_man && read.distance(stood) == 1 && instead.landed.is_some_and(jumps)
}

/// On a board that names nobody a man takes another and no square tells. If it may have taken one of several, as these
/// lines say, the next ply has to tell which: that is said once. True if it is so.
pub(in crate::hand) fn puzzle(hands: &mut Hands, lines: &[Vec<Move>]) -> bool {
    let Some(best) = lines.first().filter(|_| !hands.squares.names()) else { return false };
    hands.hold(hands.misfit());
    hands.show(best.clone());
    if !std::mem::replace(&mut hands.lost.puzzled, true) {
        hands.say(Deed::Undecided { lines: hands.all_above_final(lines), news: true });
    }
    true
}

/// All of them are the same line but for where one man has stopped, which no square tells: the likeliest, and the others.
fn elsewhere(hands: &Hands, lines: &[&Weighed], known: usize) -> Option<(Weighed, Guess)> {
    if !hands.squares.names() || hands.lost.is_guessing() {
        return None;
    }
    let best = lines.first()?;
    let at = best.plies.iter().position(|ply| ply.unread.is_some()).filter(|at| *at >= known)?;
    let played = best.plies[at];
    let alike = |line: &&Weighed| {
        let mut moves = line.moves.iter().zip(&best.moves).enumerate();
        let stops =
            line.plies.get(at).is_some_and(|ply| ply.unread.is_some_and(|(square, _)| square == ply.played.to()));
        // Who goes to where he may have stopped takes him there, or nobody.
        let rest = moves.all(|(ply, (a, b))| a.from() == b.from() && (ply == at || goes_alike(*a, *b)));
        stops && rest && line.moves.len() == best.moves.len()
    };
    // While he may be in the hand, or no dump has been read since, nothing is guessed.
    let lifted = hands.squares.lifted().iter().filter(|lifted| Some(lifted.from) == played.played.from());
    let left = lifted.map(|lifted| lifted.at).chain(played.left).max().unwrap_or(0);
    let unasked = hands.squares.evidence.surveyed_at() < left && !hands.hearing.is_mute();
    // Together they are likelier than each is.
    let (lines, unlike) = lines.iter().copied().partition::<Vec<_>, _>(alike);
    let shared = w::ALIKE * i32::try_from(lines.len()).unwrap_or(i32::MAX).saturating_sub(1).min(w::ALIKE_TIMES);
    let is_rival = |line: &&Weighed| line.cost < best.cost + w::MARGIN - shared;
    if unlike.iter().any(is_rival) || hands.now() < left + hands.settings.press_after_ms || unasked {
        return None;
    }
    let before = play_all(hands.record.position(), &best.moves[known..at])?;
    let likely = |line: &&Weighed| line.cost - drawn_to(hands, before.board(), &line.moves[at..]);
    // A square that has told once more that it is empty has told of him.
    let told = |line: &&Weighed| hands.squares.visited().contains(line.moves[at].to());
    let told = lines.iter().copied().filter(told).collect::<Vec<_>>();
    let lines = if told.is_empty() { lines } else { told };
    let likeliest = lines.iter().copied().min_by_key(likely)?;
    let others = lines.iter().map(|line| line.moves[at]).filter(|other| *other != likeliest.moves[at]).collect();
    let (ply, square) = (hands.record.ply().on(at - known + 1), likeliest.moves[at].to());
    Some((likeliest.clone(), Guess { ply, square, others, gone: false }))
}

/// Nobody but the last plies is asked about.
fn may_reconsider(hands: &Hands) -> bool {
    let asked = hands.lost.stories.is_some() || hands.edges.is_assumed() || hands.is_closed();
    // What is not legal was judged, unless the players go on from it, and what is put right is no move. On a clock that
    // stands nothing is played, what stands as it stood some plies ago is taken back, and kings that go to the centre show
    // a result; but a man who jumps was moved by no hand, and nobody is judged against him.
    let jumped = last_has_jumped(hands);
    let judged = hands.unlawful.is_illegal() && !hands.plays_on() && !jumped;
    let disturbed = judged || hands.unlawful.is_restoring() || hands.touches.is_accident();
    let stands_back = hands.plies_back().is_some() || hands.making.has_gone_back();
    let is_pressed = hands.lever.pressing() == Pressing::Awaited && hands.lever.is_open();
    let is_idle = (stands_back || hands.shows_king()) && !is_pressed && !jumped;
    let rests = hands.lever.stands() || hands.making.stepped_back() > 0 || is_idle;
    // What nobody heard at all is a gap's business.
    let unheard = (hands.squares.found() & hands.misfit()).count() > 1 || hands.doubt().is_some();
    !(asked || disturbed || rests || unheard)
}

/// The man of the last ply is read on the square beside within a scan of leaving: he may stand there since he was played.
fn last_has_jumped(hands: &Hands) -> bool {
    let Some((before, played)) = hands.record.last() else { return false };
    let (squares, man) = (&hands.squares, becomes(played, before.turn()));
    let beside = attacks::king_attacks(played.to()) & squares.board().by_piece(man);
    let jumped = |read| squares.has_jumped(played.to(), (read, squares.changed_at(read)), &hands.settings);
    beside.into_iter().any(jumped)
}

/// The line is one that can be told: a man who stands where he may not is judged, not explained away; of a ply that no
/// square has told the next one has to tell, unless it is pressed and on a square
/// that is known to tell nothing; whoever presses has all his men on the board, and whoever has moved has let go
/// of them.
fn explains(hands: &Hands, line: &Weighed, known: usize) -> bool {
    let last = hands.squares.evidence.presses(0).last();
    let lacks = |gone: &Gone| last.is_some_and(|(by, at)| by == gone.color && at > gone.let_go_at(&hands.settings));
    let holds = |gone: &Gone| line.plies.last().is_some_and(|last| last.side == gone.color) && !has_let_go(hands, gone);
    let is_read = |last: &Timed| last.unread.is_none_or(|(_, paid)| paid <= w::BLIND && last.pressed.is_some());
    let is_told = |last: &Timed| last.stale.is_none() && is_read(last);
    let denied = |(at, ply): (usize, &Timed)| is_denied(hands, ply, &line.moves[at + 1..]);
    let told = line.plies.last().is_none_or(is_told) && !line.plies.iter().enumerate().any(denied);
    let whole = !line.stands && told && !line.gone.iter().any(|gone| lacks(gone) || holds(gone));
    line.moves.len() >= known && whole
}

/// Men who were heard say that this ply, with these on top of it, was not made.
fn is_denied(hands: &Hands, ply: &Timed, above: &[Move]) -> bool {
    let (squares, to) = (&hands.squares, ply.played.to());
    let came = |square: Square| squares.heard_landing(square).is_some();
    // Who was heard landing where he is read, or was shown there by a dump since, has not gone from there unheard.
    let shown = || ply.landed.is_some_and(|landed| landed < hands.squares.evidence.surveyed_at());
    let stays = ply.stale.is_some_and(|square| came(square) || shown());
    // Nor does he stand unread where another man was heard to land.
    let is_he = || squares.board().piece_at(to) == Some(becomes(ply.played, ply.side));
    let unread = squares.names() && ply.unread.is_some_and(|(square, _)| square == to);
    let covered = || unread && came(to) && !is_he() && !is_left(to, above);
    stays || covered()
}

/// His player has pressed since, and holds him no more.
fn has_let_go(hands: &Hands, gone: &Gone) -> bool {
    hands.squares.evidence.pressed_at(gone.color) > gone.let_go_at(&hands.settings)
}

/// The press that has found a move that is not legal, or none, completes a ply that was there by then.
fn is_cleared(hands: &Hands, plies: &[Timed], known: usize) -> bool {
    let accused = hands.unlawful.accused().filter(|_| hands.unlawful.is_illegal());
    let legal = accused.is_some_and(|(_, pressed)| plies.iter().any(|ply| ply.pressed == Some(pressed)));
    // A press for nothing is weighed with no ply.
    let unpressed = |ply: &Timed, side| ply.side == side && ply.pressed.is_none();
    let made = hands.unlawful.idler().is_some_and(|(side, _)| plies.iter().skip(known).any(|ply| unpressed(ply, side)));
    legal || made
}

/// This was played: so many moves of the record are the same, so many of it are told anew.
fn follow(hands: &mut Hands, line: Weighed, same: usize, known: usize) -> Outweighs {
    if same < known {
        hands.rewrite(Rethought::Unread, &line.moves[same..known]);
        hands.begin_turn();
        if hands.lost.guess.as_ref().is_some_and(|guess| guess.ply > hands.record.ply().back(known - same)) {
            // Where he stopped that no square had told of was weighed with it.
            learn_guess(hands);
        }
    }
    // Squares that have read nothing where a man stopped.
    let unread = line.plies.iter().filter_map(|ply| ply.unread).filter(|_| hands.squares.names());
    let unread = unread.map(|(square, _)| square).collect::<Bitboard>() & !hands.squares.occupied();
    withdraw(hands, unread, is_cleared(hands, &line.plies, known));
    if hands.unlawful.is_found() {
        hands.forget_unlawful();
    }
    for square in unread {
        hands.squares.distrust(square);
    }
    for square in line.plies.iter().filter_map(|ply| ply.stale) {
        hands.squares.empty(square, &hands.settings, hands.now());
    }
    // Nobody has taken up the man who stands there.
    let died = line.gone.iter().filter(|gone| has_let_go(hands, gone)).map(|gone| gone.square);
    for square in died.collect::<Bitboard>() {
        hands.squares.distrust(square);
        hands.squares.witnesses.note_missed(square);
    }
    // While hands are at work, a press completes what is shown once they rest.
    let rests = hands.now() >= hands.squares.last_change() + hands.settings.press_before_ms;
    let pressed = line.plies.iter().rposition(|ply| ply.pressed.is_some()).filter(|last| *last >= known);
    let pressed = pressed.filter(|_| rests || hands.lever.opened().is_none());
    let settle = pressed.map(|last| {
        hands.lever.drop_open();
        Settle { completing: line.plies[last].pressed, ..Settle::inferred(last + 1 - known) }
    });
    Outweighs::Sure(line.moves[known..].to_vec(), settle)
}
