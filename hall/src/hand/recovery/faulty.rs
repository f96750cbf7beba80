//! Squares that read nothing: a board that fits nothing is tried with each of them that could explain it.
//!
//! Where a man stopped that no square has told of is a guess as long as more than one square may have been it. Play goes
//! on from the likeliest, and nothing from there on is final until one is left.

use std::cmp::Reverse;

use laws::touch::victim;
use shakmaty::{Bitboard, Chess, Color, Move, Position, Square};

use super::gap::plies_counted;
use crate::{
    Millis,
    hand::{
        deed::{Deed, Rethought},
        explain,
        hands::Hands,
        likely::{plausibility, retold},
        lost::Guess,
        made::{footprint, made},
        record::{becomes, play_all},
        squares::Squares,
        weighing::{drawn_to, is_outweighed},
        weights as w,
    },
};

/// A board that is explained if one square reads nothing.
struct Suspicion {
    square: Square,
    moves: Vec<Move>,
    /// How likely that is among others.
    likely: i32,
}

/// A press finds a man nowhere. If squares that are known to read nothing explain that: the line with which they do, and of
/// which it completes the first ply of its player.
pub(in crate::hand) fn pressed_known(hands: &mut Hands, side: Color) -> Option<Vec<Move>> {
    let lines = explain::lines(hands.record.position(), &hands.squares, &hands.settings);
    let unread = |played: &Move| hands.squares.is_blind(played.to());
    let line = lines.into_iter().map(|line| line.moves).find(|moves| moves.iter().any(unread));
    line.filter(|line| line.len() >= hands.first_by(side))
}

/// The same where a man of the presser was gone before the opponent's last ply had landed: nobody holds one through a ply
/// of each player, so the square on which he stood has died under him.
pub(in crate::hand) fn pressed_gone(hands: &mut Hands, side: Color) -> Option<Vec<Move>> {
    let before = hands.lost.placed_at;
    let lifted = hands.squares.in_air(hands.record.board());
    let gone = lifted.filter(|lifted| lifted.piece.color == side && lifted.at < before).map(|lifted| lifted.from);
    let square = gone.collect::<Bitboard>().single_square().filter(|_| hands.squares.names())?;
    let (root, mut squares) = (hands.record.position(), hands.squares.clone());
    squares.distrust(square);
    squares.witnesses.condemn(square);
    let lines = explain::lines(root, &squares, &hands.settings).into_iter().map(|line| line.moves);
    let line = lines.into_iter().find(|moves| is_seen(root, moves, squares.occupied()));
    let line = line.filter(|line| line.len() >= hands.first_by(side))?;
    hands.squares = squares;
    Some(line)
}

/// The same with one more such square, once hands have played on from there. A square that tells nothing of two plies is
/// likelier than two men that went astray.
pub(in crate::hand) fn pressed_unread(hands: &mut Hands) -> Option<Vec<Move>> {
    let (root, occupied) = (hands.record.position().clone(), hands.squares.occupied());
    let pressed = plies_counted(&hands.lever.count(), &root).map_or(2, |plies| *plies.start()).max(2);
    suspect(hands, |moves| moves.len() >= pressed && is_seen(&root, moves, occupied))
}

/// The same where a man stands whom nobody has brought there, or who stands elsewhere too, or is read as another one: without
/// what is read there a few plies lead to the board. Play has gone on without him, so he does not count until his square
/// tells of somebody else, or of nobody.
pub(in crate::hand) fn pressed_without(hands: &mut Hands, side: Color) -> Option<Vec<Move>> {
    if !hands.squares.names() || hands.lost.stories.is_some() || hands.hearing.is_gap() {
        return None;
    }
    let (root, board, now) = (hands.record.position().clone(), hands.squares.board().clone(), hands.now());
    let is_twice =
        |square: &Square| board.piece_at(*square).is_some_and(|man| hands.squares.reads_twice(man, root.board()));
    let extra = hands.misfit() & board.occupied() & !root.board().occupied();
    let twice = board.occupied().into_iter().filter(is_twice).collect::<Bitboard>();
    let without = |square: Square, unread: bool| {
        let mut squares = hands.squares.clone();
        squares.ignore(square, &hands.settings, now);
        if unread {
            squares.distrust(square);
        }
        let lines = explain::lines(&root, &squares, &hands.settings).into_iter().map(|line| line.moves);
        let line = lines.into_iter().find(|moves| moves.len() >= hands.first_by(side))?;
        Some((square, squares, line))
    };
    let found = |unread| (extra | twice).into_iter().filter_map(|square| without(square, unread)).collect::<Vec<_>>();
    let mut found = Some(found(false)).filter(|found| !found.is_empty()).unwrap_or_else(|| found(true));
    // Of two squares on which one man is read he has left the one where he was read first.
    let is_one_man = found.windows(2).all(|two| board.piece_at(two[0].0) == board.piece_at(two[1].0));
    found.sort_by_key(|(square, ..)| hands.squares.changed_at(*square));
    let (_, squares, line) = found.into_iter().next().filter(|_| is_one_man)?;
    hands.squares = squares;
    Some(line)
}

/// A press finds no move. If a man has stopped elsewhere than he was taken to, he has made one since.
pub(in crate::hand) fn pressed_elsewhere(hands: &mut Hands, side: Color) -> Option<Vec<Move>> {
    let first = hands.first_by(side);
    guess_anew(hands, |moves| moves.len() >= first)
}

/// The men of the last ply stand where they went: who is still in a hand may be on the way to anywhere.
fn is_seen(root: &Chess, moves: &[Move], occupied: Bitboard) -> bool {
    made(root, moves).last().is_some_and(|last| last.landings().all(|(to, _)| occupied.contains(to)))
}

/// Hands have gone on from a board that fits nothing, or one man is gone that nobody has lifted. True if a square that
/// reads nothing explains it.
pub(in crate::hand) fn rests_unread(hands: &mut Hands) -> bool {
    let standing = hands.misfit() & hands.record.board().occupied() & !hands.squares.occupied();
    let occupied = hands.squares.occupied();
    let explains = |moves: &[Move]| match moves {
        [] => standing.count() == 1,
        [_] => false,
        // Where no press tells, the reply has to be seen.
        [.., last] => occupied.contains(last.to()),
    };
    suspect(hands, explains).is_some()
}

/// The likeliest line to the board with one more square that reads nothing. It does so from here on, and what else may
/// have been is remembered.
fn suspect(hands: &mut Hands, explains: impl Fn(&[Move]) -> bool) -> Option<Vec<Move>> {
    // Of what was played while nothing was heard no square can tell.
    if !hands.squares.names() || hands.lost.stories.is_some() || hands.hearing.is_gap() {
        return None;
    }
    let suspicion = |square| suspicion(hands, square, &explains);
    let mut found = suspects(hands).into_iter().filter_map(suspicion).collect::<Vec<_>>();
    found.sort_by_key(|found| (found.moves.len(), -found.likely, found.square));
    let plies = found.first()?.moves.len();
    let mut found = found.into_iter().filter(|other| other.moves.len() == plies);
    let best = found.next()?;
    // What is shown with men on squares that have read others since needs no square that is dead.
    let shown = hands.seen.tail();
    if explains(shown) {
        return Some(shown.to_vec());
    }
    if is_outweighed(hands, &best.moves) {
        return None;
    }
    // The ply whose man has stopped there, and what else it may have been; a man who stood there is gone.
    let unread = best.moves.iter().position(|played| played.to() == best.square);
    let (same, differs) = best.moves.split_at(unread.unwrap_or(0));
    let others = found.filter(|other| other.moves.starts_with(same));
    let others = others.filter_map(|other| other.moves.get(same.len()).copied());
    let others = others.filter(|other| differs.first() != Some(other)).collect::<Vec<_>>();
    match unread {
        // The next ply goes to this square, or it was one of the others.
        Some(at) if !hands.lost.is_guessing() => {
            let (ply, square) = (hands.record.ply().on(at + 1), best.square);
            hands.lost.guess = Some(Guess { ply, square, others, gone: false });
        }
        _ if !others.is_empty() => return None,
        Some(_) => {}
        // Nobody has taken him up.
        None => hands.squares.witnesses.note_missed(best.square),
    }
    withdraw(hands, best.square.into(), false);
    hands.squares.distrust(best.square);
    Some(best.moves)
}

/// What was found is explained by squares that have read nothing where a man stopped, or by what is read wrongly or late: it
/// is withdrawn. A move that was not legal stays one, unless its press completes one that is and it is `cleared`, and so does
/// what is missing on a square that no dump has shown.
pub(super) fn withdraw(hands: &mut Hands, unread: Bitboard, cleared: bool) {
    let is_shown = unread.is_empty() || !hands.hearing.is_mute();
    if cleared || is_shown && hands.unlawful.is_found() && !hands.unlawful.is_illegal() {
        let readings = if unread.any() { unread } else { hands.misfit() };
        hands.say(Deed::Unfounded(readings));
        hands.forget_unlawful();
    }
}

/// Squares on which a man should stand that is gone, and those it could have gone to.
fn suspects(hands: &Hands) -> Bitboard {
    let empty = !hands.squares.occupied();
    let gone = hands.misfit() & hands.record.board().occupied() & empty;
    let mut suspects = gone;
    for position in [hands.record.position().clone(), hands.seen_position()] {
        let moves = position.legal_moves();
        let left = moves.iter().filter(|candidate| candidate.from().is_some_and(|from| gone.contains(from)));
        left.for_each(|candidate| suspects |= footprint(*candidate) & empty);
    }
    suspects.into_iter().filter(|square| !hands.squares.has_read(*square)).collect()
}

fn suspicion(hands: &Hands, square: Square, explains: impl Fn(&[Move]) -> bool) -> Option<Suspicion> {
    let mut squares = hands.squares.clone();
    squares.distrust(square);
    let root = hands.record.position();
    let lines = explain::lines(root, &squares, &hands.settings).into_iter().map(|line| line.moves);
    let moves = lines.into_iter().find(|moves| explains(moves) && stand(&squares, moves))?;
    // A square flickers, and a man is in the hand for a while: neither tells anything of a square.
    let goes_there = moves.iter().find(|played| played.to() == square);
    let left = goes_there.and_then(|played| played.from()).unwrap_or(square);
    let lifted = hands.squares.in_air(root.board()).find(|lifted| lifted.from == left);
    let left_at = lifted.map_or(hands.squares.changed_at(left), |lifted| hands.squares.lifted_at(&lifted));
    if hands.now() < left_at + hands.settings.press_after_ms {
        return None;
    }
    let last = hands.record.last().map(|(_, played)| played);
    let inclined = drawn_to(hands, root.board(), &moves);
    let likely = plausibility(hands.settings.habits, root, last, &moves) + inclined;
    Some(Suspicion { square, moves, likely })
}

/// The men of these plies stand where they went, on squares that read nothing as well, or went on or were taken there.
fn stand(squares: &Squares, moves: &[Move]) -> bool {
    moves.iter().enumerate().all(|(ply, played)| {
        let to = played.to();
        let read = squares.occupied().contains(to) || squares.is_blind(to);
        read || played.is_castle() || explain::is_left(to, &moves[ply + 1..])
    })
}

/// The record from the guessed ply on, told with another one: what it is, the position before and the plies since.
fn retell(hands: &Hands, guess: &Guess, other: Move) -> Option<Vec<Move>> {
    let (before, since) = hands.record.since(guess.ply)?;
    retold(before, other, guess.square, since.get(1..)?)
}

/// It stands where the first of these moves has it: so the record is told from there on.
fn guess_instead(hands: &mut Hands, guess: &mut Guess, told: &[Move]) {
    let other = told[0].to();
    if hands.squares.distrust_instead(guess.square, other) {
        hands.say(Deed::Sound(guess.square));
    }
    guess.square = other;
    guess.gone = explain::is_left(other, &told[1..]);
    hands.rewrite(Rethought::Unread, told);
}

/// A ply whose man no square has told of may have been another one: then the board fits, and this is the line to it.
pub(super) fn guess_anew(hands: &mut Hands, explains: impl Fn(&[Move]) -> bool) -> Option<Vec<Move>> {
    let mut guess = hands.lost.guess.clone()?;
    let (before, since) = hands.record.since(guess.ply)?;
    let found = guess.others.iter().filter_map(|other| {
        let told = retell(hands, &guess, *other)?;
        let root = play_all(before, &told)?;
        let mut squares = hands.squares.clone();
        squares.distrust_instead(guess.square, other.to());
        let lines = explain::lines(&root, &squares, &hands.settings).into_iter().map(|line| line.moves);
        let line = lines.into_iter().find(|moves| explains(moves))?;
        Some((*other, told, line))
    });
    // Where he is read he stood, sooner than he has gone there since.
    let mut found = found.collect::<Vec<_>>();
    found.sort_by_key(|(.., line)| line.len());
    let mut found = found.into_iter();
    let (instead, told, line) = found.next()?;
    // What explains nothing further is ruled out. Where he is read he may have gone from where he was taken to stand: his
    // player's next press tells.
    let is_read = hands.squares.board().piece_at(instead.to()) == Some(instead.role().of(before.turn()));
    guess.others = found.map(|(other, ..)| other).chain(since.first().copied().filter(|_| is_read)).collect();
    guess_instead(hands, &mut guess, &told);
    withdraw(hands, guess.square.into(), false);
    hands.lost.guess = Some(guess);
    Some(line)
}

/// A press completes a ply whose man was gone before the opponent had made his, or while one of the opponent has long been
/// gone. Nobody holds a man while another one thinks and plays: his square has died under him.
pub(in crate::hand) fn note_gone(hands: &mut Hands, played: Move, landed: Millis) {
    let others = hands.squares.in_air(hands.record.board());
    let others = others.filter(|lifted| !explain::is_left(lifted.from, &[played]));
    let mut gone = others.map(|lifted| (lifted.from, lifted.at)).collect::<Vec<_>>();
    let board = hands.record.board();
    let lost = |left: &Square| board.piece_at(*left).is_some_and(|man| hands.squares.has_lost(*left, man));
    let left = (footprint(played) & board.by_color(hands.record.turn())).into_iter().filter(lost);
    let left = left.map(|left| (left, hands.squares.changed_at(left)));
    // Who has stood elsewhere meanwhile was no longer gone.
    let unseen = |left| hands.squares.dwelt(left).is_none();
    // Who was taken up while the opponent's man was in the air is only quick.
    let lifted = hands.record.last().and_then(|(_, last)| last.from()).map(|from| hands.squares.changed_at(from));
    let began = lifted.map_or(hands.lost.placed_at, |lifted| lifted.min(hands.lost.placed_at));
    gone.extend(left.filter(|(left, since)| *since < began && unseen(*left)));
    for (square, _) in gone.into_iter().filter(|(_, since)| since + hands.settings.held_through_ms <= landed) {
        hands.squares.distrust(square);
        hands.squares.witnesses.condemn(square);
    }
}

/// A ply is followed: squares that should have shown it have, or have not.
pub(in crate::hand) fn note_ply(hands: &mut Hands, played: Move) {
    let board = hands.record.board().clone();
    if let Some(left) = played.from().filter(|from| hands.squares.is_blind(*from)) {
        // Who has gone on from there had stood there: his going was not read either.
        hands.squares.witnesses.note_going(left);
    }
    hands.squares.witnesses.note_coming(played.to());
    for square in hands.squares.witnesses.take_recovered() {
        hands.say(Deed::Sound(square));
    }
    let unread = (footprint(played) | board.occupied()) & !hands.squares.occupied();
    hands.squares.witnesses.note_ply(unread);
}

/// Plies were followed: what was guessed is told anew, and squares that should have shown them and have not are named.
pub(in crate::hand) fn learn(hands: &mut Hands, followed: &[Move]) {
    rule_out_guesses(hands, followed);
    for square in hands.squares.witnesses.faulty(hands.settings.plies_unread) & !hands.squares.occupied() {
        let guess = hands.lost.guess.as_ref().filter(|guess| guess.square == square);
        let others = guess.into_iter().flat_map(|guess| &guess.others).map(|other| other.to()).collect();
        hands.squares.witnesses.name_faulty(square);
        hands.say(Deed::Faulty { square, others });
    }
}

/// What can't have been any more, after these plies more.
fn rule_out_guesses(hands: &mut Hands, followed: &[Move]) {
    let Some(mut guess) = hands.lost.guess.take() else { return };
    let below = hands.record.ply().back(followed.len());
    let fresh = guess.ply > below;
    let guessed = hands.record.since(guess.ply).map(|(before, since)| (before.turn(), since[0]));
    let reads_him = |(mover, ply)| hands.squares.has_landed(guess.square, becomes(ply, mover));
    let was_read = !hands.squares.is_blind(guess.square) && guessed.is_some_and(reads_him);
    // A square that has told nothing again is the one, and so is one that has read him before he went on from there.
    let (was_gone, mut again, mut stood) = (guess.gone, false, false);
    for played in &followed[guess.ply.since(below).min(followed.len())..] {
        if !guess.gone && explain::is_left(guess.square, &[*played]) {
            // It stood there, and neither its coming nor its going was read.
            guess.gone = true;
            hands.squares.witnesses.note_missed(guess.square);
        }
        again |= played.to() == guess.square && hands.squares.is_blind(guess.square);
        stood |= was_read && played.from() == Some(guess.square);
    }
    // One that has read another man since, who has not taken him, is not.
    let mover = guessed.map(|(mover, _)| mover);
    let told = |other: &Move, since: &[Move]| {
        let man = hands.squares.board().piece_at(other.to());
        let taken = since.iter().any(|played| victim(*played) == Some(other.to()));
        !taken && man.is_some_and(|man| mover.is_none_or(|mover| man != other.role().of(mover)))
    };
    let shown = !guess.gone && shows_since(hands, &guess);
    // A square that has told once more that it is empty has told of him.
    let left = hands.squares.visited().contains(guess.square);
    let fits = |other: &Move| retell(hands, &guess, *other).is_some_and(|since| !told(other, &since));
    let stays = |other: &Move| !again && !stood && !shown && !left && fits(other);
    let others = guess.others.iter().copied().filter(stays).collect();
    guess.others = others;
    take_likeliest(hands, &mut guess);
    let open = !guess.others.is_empty();
    // What is seen on top may begin with a ply that is only followed next.
    let lines = std::iter::once(hands.seen.followed.moves().collect());
    let told_otherwise = guess.others.iter().filter_map(|other| {
        let told = retell(hands, &guess, *other)?;
        let below = hands.seen.followed.len().checked_sub(told.len())?;
        Some(hands.seen.followed.moves().take(below).chain(told).collect())
    });
    let lines = lines.chain(told_otherwise).collect::<Vec<Vec<Move>>>();
    let lost = guess.gone && !was_gone && open;
    hands.lost.guess = Some(guess);
    if open {
        hands.say(Deed::Undecided { lines, news: fresh });
    }
    if lost {
        // Nothing that stands on the board will decide it.
        hands.admit_gap(true);
    }
}

/// What is played on tells where the man stands, though no square does: players don't leave men where they are lost, nor
/// those of the opponent.
fn take_likeliest(hands: &mut Hands, guess: &mut Guess) {
    let Some((before, since)) = hands.record.since(guess.ply) else { return };
    let last = hands.record.since(guess.ply.back(1)).and_then(|(_, moves)| moves.first().copied());
    let likely = |told: &[Move]| {
        let told = &told[..told.len().min(w::TELLING_PLIES)];
        plausibility(hands.settings.habits, before, last, told) + drawn_to(hands, before.board(), told)
    };
    let stood = likely(&since);
    let retold = guess.others.iter().enumerate().filter_map(|(at, other)| {
        let told = retell(hands, guess, *other)?;
        Some((likely(&told), at, told)).filter(|(likelier, ..)| *likelier >= stood + w::TELLING)
    });
    let Some((_, at, told)) = retold.max_by_key(|(likelier, at, _)| (*likelier, Reverse(*at))) else { return };
    guess.others[at] = since[0];
    guess_instead(hands, guess, &told);
}

/// The man shows where it was taken to have stopped, and its player has made another ply since: put right, it did not move
/// there.
fn shows_since(hands: &Hands, guess: &Guess) -> bool {
    let Some((before, since)) = hands.record.since(guess.ply) else { return false };
    let [guessed, _, _, ..] = since[..] else { return false };
    let man = guessed.role().of(before.turn());
    let last = hands.record.ply().back(usize::from(hands.record.turn() == before.turn()));
    let placed = hands.squares.evidence.since(last).unwrap_or(Millis::MAX);
    hands.squares.board().piece_at(guess.square) == Some(man) && hands.squares.landed_at(guess.square, man) < placed
}

/// The record is another one: of the squares a man may have stopped on without a word, the one where it has a man that is
/// not read is the one that reads nothing.
pub(in crate::hand) fn learn_guess(hands: &mut Hands) {
    let Some(guess) = hands.lost.guess.take() else { return };
    for square in guess.others.iter().map(|other| other.to()).chain([guess.square]) {
        if hands.record.board().occupied().contains(square) && !hands.squares.occupied().contains(square) {
            hands.squares.distrust(square);
        } else if hands.squares.witnesses.trust_again(square) {
            hands.say(Deed::Sound(square));
        }
    }
}
