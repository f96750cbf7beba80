//! Explaining the board: the legal lines from the record's position that lead to what the sensors say.

use std::{cmp::Reverse, ops::RangeInclusive};

use laws::touch::victim;
use shakmaty::{Bitboard, Board, CastlingMode, Chess, Color, Move, Position, Role, Square};

use super::{
    likely::plausibility,
    made::{Made, can_be_taken, footprint, leaves, steps},
    reach::{mendable, reaches},
    record::{after, play_all},
    squares::{Lifted, Squares},
};
use crate::{Millis, Settings};

/// More than these come under one press where another was not heard, or where squares have told of what nobody played.
pub(super) const PLIES_UNDER_A_PRESS: usize = 2;

/// A line that explains the board, men in the air aside.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Explanation {
    pub(super) moves: Vec<Move>,
    /// Men of the line's position that are in the air.
    pub(super) missing: usize,
    /// On a board that names nobody: what it takes for granted that no square has told, men in the hand among it.
    unheard: usize,
    /// Men that stopped where nothing is read.
    pub(super) granted: usize,
}

impl Explanation {
    /// No man of the line's position is in the air.
    pub(super) fn is_whole(&self) -> bool {
        self.missing == 0
    }

    /// What was weighed, and found right.
    pub(super) fn weighed(moves: Vec<Move>) -> Explanation {
        Explanation { moves, missing: 0, unheard: 0, granted: 0 }
    }

    /// Hands have done in it what they rarely do: made three plies under one press, or moved a man to the square beside within
    /// one scan, as a reading jumps.
    pub(super) fn is_odd(&self, turn: Color, squares: &Squares, settings: &Settings) -> bool {
        let jumps = |(played, side): (&Move, Color)| {
            let Some(from) = played.from() else { return false };
            let jumped = |to: Square, landed: Millis| squares.has_jumped(from, (to, landed), settings);
            let stop = squares.dwelt(from).filter(|stop| *stop != played.to());
            let man = played.role().of(side);
            jumped(played.to(), landed_at(side, *played, squares))
                || stop.is_some_and(|stop| jumped(stop, squares.landed_at(stop, man)))
        };
        self.moves.len() > PLIES_UNDER_A_PRESS || self.moves.iter().zip([turn, !turn].into_iter().cycle()).any(jumps)
    }

    /// On a board that names nobody: more than one man is in the hand, and somebody was lifted and put back for nothing.
    pub(super) fn is_hardly_told(&self) -> bool {
        self.missing > 1 && self.unheard >= IDLE + self.missing
    }

    /// A man was taken where nobody was read before the one who took him had set out.
    pub(super) fn is_taken_unread(&self, squares: &Squares) -> bool {
        self.moves.windows(2).any(|plies| {
            let [went, took] = plies else { return false };
            let read_later = took.from().is_some_and(|from| squares.changed_at(from) <= squares.changed_at(took.to()));
            took.to() == went.to() && !went.is_capture() && read_later && squares.times_read(took.to()) < 2
        })
    }
}

/// On a board that names nobody somebody who was lifted and put back for nothing counts like so many men in the hand, or
/// captures of which their squares have told nothing.
const IDLE: usize = 2;

/// What a line may take for granted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Trust {
    /// Nothing: every man of the line was seen landing, on squares that have changed, each ply but the last before the
    /// next; where both hands hurry, a player's next ply but one before the opponent's.
    Seen,
    /// Everything: reports were lost, and a dump has shown the board.
    Dumped,
}

/// All lines that explain the board, the shortest first. Every man of them was seen landing.
pub(super) fn lines(root: &Chess, squares: &Squares, settings: &Settings) -> Vec<Explanation> {
    lines_to(root, squares, settings, settings.plies_ahead)
}

/// The same of up to `depth` plies.
pub(super) fn lines_to(root: &Chess, squares: &Squares, settings: &Settings, depth: usize) -> Vec<Explanation> {
    let mut search = Search::new(root, squares, Trust::Seen, settings);
    search.from(root, depth);
    search.ranked()
}

/// What a board that was heard again after a gap shows.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Bridge {
    /// The lines that lead there, the likeliest first: the shortest, and before them those the clock speaks for. Doubted are
    /// lines that the clock speaks against, where nothing was found that it speaks for.
    Lines { lines: Vec<Vec<Move>>, doubted: bool },
    /// Fewer moves lead there if somebody has a man in the hand: it has to be put down first.
    InHand,
    /// Nothing that was found in time.
    None,
}

/// What is known of plies nobody has heard.
#[derive(Default)]
pub(super) struct Told<'a> {
    /// Nobody has put a man down since: somebody may hold one, or be in the middle of castling, after so many plies at least.
    pub(super) may_hold: Option<usize>,
    /// How many the clock has counted.
    pub(super) counted: Option<Counted>,
    /// Whose the last one is, and what stood before it if that was found.
    pub(super) last_by: Option<(Color, Option<&'a Board>)>,
}

/// How many plies the clock has counted.
pub(super) struct Counted {
    pub(super) plies: RangeInclusive<usize>,
    /// A line of so few is believed all the same.
    pub(super) sure: usize,
}

/// Explains the board after a gap by lines of up to `depth` plies that follow the move `last`: whatever stands elsewhere
/// got there somehow.
pub(super) fn bridge(
    root: &Chess,
    last: Option<Move>,
    squares: &Squares,
    settings: &Settings,
    depth: usize,
    Told { may_hold, counted, last_by }: Told<'_>,
) -> Bridge {
    let (silent, left) = (squares.evidence.silent_since(), settings.gap_positions);
    let new = || Search { left, silent, ..Search::new(root, squares, Trust::Dumped, settings) };
    let ends = |line: &Explanation| {
        let stood = || line.moves.split_last().and_then(|(_, below)| play_all(root, below));
        let last = last_by.is_none_or(|(by, found)| {
            let is_theirs = (root.turn() == by) != line.moves.len().is_multiple_of(2);
            is_theirs && found.is_none_or(|found| stood().is_some_and(|stood| stood.board() == found))
        });
        last && is_found_first(&line.moves, squares)
    };
    let mut exact = Search { last, ..new() };
    let mut in_hand = Search { spare: 2, ..new() };
    for plies in 0..=depth {
        exact.from(root, plies);
        exact.found.retain(ends);
        // Half of a depth would hide the other explanations there are.
        if exact.left > 0 && !exact.found.is_empty() {
            let shortest = exact.ranked();
            let longer = counted.filter(|counted| plies > counted.sure && *counted.plies.start() > plies);
            let longer = longer.map(|counted| counted_lines(Search { last, ..new() }, depth, counted.plies, ends));
            let doubted = longer.as_ref().is_some_and(Vec::is_empty);
            let lines = longer.into_iter().flatten().chain(shortest).map(|line| line.moves).collect();
            return Bridge::Lines { lines, doubted };
        }
        // What a whole ply explains is no half of another.
        if in_hand.half_made {
            return Bridge::InHand;
        }
        let done = counted.as_ref().is_none_or(|counted| *counted.plies.start() <= plies);
        if may_hold.is_some_and(|least| least <= plies) && done && plies < depth {
            in_hand.from(root, plies);
        }
        if in_hand.in_hand {
            return Bridge::InHand;
        }
    }
    Bridge::None
}

/// Who has been heard landing since the board is heard again has landed after all that it was found with: those come first.
fn is_found_first(moves: &[Move], squares: &Squares) -> bool {
    let stands = |(ply, played): &(usize, &Move)| {
        squares.occupied().contains(played.to()) && moves[ply + 1..].iter().all(|later| later.to() != played.to())
    };
    let was_found = |(_, played): (usize, &Move)| squares.changed_at(played.to()) <= squares.heard_at();
    moves.iter().enumerate().filter(stands).map(was_found).is_sorted_by(|one, next| one >= next)
}

/// The lines of as many plies as the clock has counted. Most of them are ways round, and nobody reads more than some.
fn counted_lines(
    mut search: Search,
    depth: usize,
    counted: RangeInclusive<usize>,
    ends: impl Fn(&Explanation) -> bool,
) -> Vec<Explanation> {
    let mut found = Vec::new();
    for plies in *counted.start()..=depth.min(*counted.end()) {
        search.from(search.root, plies);
        found.extend(search.found.drain(..).filter(|line| line.moves.len() == plies && ends(line)));
    }
    found.truncate(search.settings.gap_lines_ranked);
    let lines = search.settings.gap_lines;
    Search { found, ..search }.ranked().into_iter().take(lines).collect()
}

/// Nothing is different but one man of the player to move that is gone, or one of the opponent's, which a capture takes
/// off first; or both, and the one can take the other.
pub(super) fn may_hold(position: &Chess, squares: &Squares, misfit: Bitboard) -> bool {
    let gone = |color| misfit & position.board().by_color(color);
    let (own, other) = (gone(position.turn()), gone(!position.turn()));
    if !misfit.is_subset(position.board().occupied() & !squares.occupied()) || other.count() > 1 {
        return false;
    }
    let takes = |candidate: &Move| {
        victim(*candidate).is_some_and(|it| other.contains(it))
            && (own.is_empty() || candidate.from().is_some_and(|from| own.contains(from)))
    };
    match own.count() {
        1 if other.is_empty() => true,
        0 | 1 => position.legal_moves().iter().any(takes),
        _ => false,
    }
}

struct Search<'a> {
    root: &'a Chess,
    squares: &'a Squares,
    trust: Trust,
    settings: &'a Settings,
    found: Vec<Explanation>,
    moves: Vec<Move>,
    /// Positions that may still be looked at.
    left: usize,
    /// A line was met that explains the board but for a man in the hand of the player to move, and perhaps its victim.
    in_hand: bool,
    /// A line was met that explains the board but for a ply that is half made: a king without its rook.
    half_made: bool,
    /// Squares that no ply has to put right: a man and its victim in the hand.
    spare: usize,
    /// The move before the lines.
    last: Option<Move>,
    /// Since when nothing was heard for longest.
    silent: Millis,
}

impl<'a> Search<'a> {
    fn new(root: &'a Chess, squares: &'a Squares, trust: Trust, settings: &'a Settings) -> Search<'a> {
        Search {
            root,
            squares,
            trust,
            settings,
            found: Vec::new(),
            moves: Vec::new(),
            left: usize::MAX,
            in_hand: false,
            half_made: false,
            spare: 0,
            last: None,
            silent: 0,
        }
    }

    fn from(&mut self, position: &Chess, plies: usize) {
        self.left = self.left.saturating_sub(1);
        let misfit = self.squares.misfit(position.board());
        if misfit.is_empty() && self.is_likely(position) {
            self.keep(position);
        }
        if self.spare > 0 {
            self.in_hand |= may_hold(position, self.squares, misfit);
            self.half_made |= is_begun(position, misfit, self.squares);
        }
        if plies == 0 || self.left == 0 || !self.may_lead(position, plies, misfit) {
            return;
        }
        for candidate in position.legal_moves() {
            if self.can_have_happened(position.turn(), candidate) {
                self.moves.push(candidate);
                self.from(&after(position, candidate), plies - 1);
                self.moves.pop();
            }
        }
    }

    fn may_lead(&self, position: &Chess, plies: usize, misfit: Bitboard) -> bool {
        // Who can't be named may be anybody.
        if !self.squares.names() {
            return misfit.count() <= 4 * plies + self.spare;
        }
        let sensed = self.squares.board();
        // What has landed tells more than what may.
        let reaches = || self.trust != Trust::Dumped || reaches(position, sensed, plies, misfit);
        misfit.count() <= mendable(position, sensed, plies) + self.spare && reaches()
    }

    fn is_likely(&self, position: &Chess) -> bool {
        (self.trust == Trust::Dumped || self.is_in_order()) && self.is_released(position)
    }

    fn can_have_happened(&self, side: Color, candidate: Move) -> bool {
        let landed = || was_seen_landing(side, candidate, self.squares) && !self.was_told_before(candidate);
        self.trust == Trust::Dumped || self.squares.has_changed(footprint(candidate)) && landed()
    }

    /// On a board that names nobody: what its square has told of this ply it told before the man had left. Somebody has
    /// adjusted the man who stands there; a slow scan tells of nobody else. A queen may come before her pawn goes.
    fn was_told_before(&self, candidate: Move) -> bool {
        let (to, one_man) = (candidate.to(), !candidate.is_castle() && !candidate.is_promotion());
        let Some(from) = candidate.from().filter(|_| one_man && !self.squares.names()) else { return false };
        let (evidence, left) = (&self.squares.evidence, self.squares.changed_at(from));
        let told = evidence.read_at(to, evidence.placed_at() + 1);
        let slow = self.settings.scan_ms * if candidate.is_capture() { 2 } else { 5 };
        let before = told.is_some_and(|told| told + slow < left);
        let is_empty = !(self.squares.occupied() | self.squares.found()).contains(from);
        before && is_empty && self.moves.iter().all(|played| played.to() != to)
    }

    /// Whose ply of the line this is.
    fn side(&self, ply: usize) -> Color {
        if ply.is_multiple_of(2) { self.root.turn() } else { !self.root.turn() }
    }

    /// When the man of a ply has landed. Who was taken had landed by then: one like him may have taken back there since. What
    /// a pawn has become was seen or was not.
    fn landed(&self, ply: usize) -> Millis {
        let landed = landed_at(self.side(ply), self.moves[ply], self.squares);
        let played = self.moves[ply];
        let is_taken = |next: &&Move| victim(**next) == Some(played.to()) && !played.is_promotion();
        let taken = self.moves.get(ply + 1).filter(is_taken).map(|_| self.landed(ply + 1));
        taken.map_or(landed, |taken| landed.min(taken))
    }

    /// A player may land before the opponent's ply below has landed. But nobody moves twice before the opponent has moved,
    /// by more than a man that stands between two squares is put right within; and of one player's plies the later one
    /// neither leaves first, unless they overlap, nor leaves and lands first.
    fn is_in_order(&self) -> bool {
        (2..self.moves.len()).all(|ply| {
            let landed = if self.is_unheard(ply - 2) { 0 } else { self.landed(ply - 2) };
            let one_by_one = landed <= self.landed_after(ply) || self.left_one_by_one(ply);
            // What a man is read on the square beside does not tell of his next ply too.
            let goes_on = self.moves[ply].from() == Some(self.moves[ply - 2].to());
            let once = goes_on && landed > 0 && self.landed(ply) == landed;
            let overlap = self.settings.between_squares_ms;
            one_by_one && !once && self.landed_after(ply - 1) <= self.landed(ply) + overlap
        })
    }

    /// This ply left after its player's last one. Of what was lifted within one scan nobody knows what was first: then what
    /// was put down first.
    fn left_one_by_one(&self, ply: usize) -> bool {
        let (before, after) = (self.left_after(ply - 2), self.left(ply));
        let within_a_scan = before.abs_diff(after) < self.settings.scan_ms;
        if within_a_scan { self.landed(ply - 2) <= self.landed_after(ply) } else { before < after }
    }

    /// After when the man of a ply has left: a dump finds that some time later, perhaps only once he was read elsewhere.
    fn left_after(&self, ply: usize) -> Millis {
        if self.is_unheard(ply) {
            return 0;
        }
        let is_found = self.moves[ply].from().is_some_and(|from| self.squares.found().contains(from));
        let left = self.left(ply);
        if is_found { left.min(self.landed(ply)) } else { left }
    }

    /// Only a dump has told of this ply.
    fn is_unheard(&self, ply: usize) -> bool {
        footprint(self.moves[ply]).is_subset(self.squares.found())
    }

    /// After when a ply has landed: a dump finds its man some time later.
    fn landed_after(&self, ply: usize) -> Millis {
        if self.is_unheard(ply) {
            return 0;
        }
        let (found, landed) = (self.squares.found(), self.landed(ply));
        let mut goals = steps(self.side(ply), self.moves[ply]).map(|(_, to)| to);
        let is_heard = goals.any(|to| !found.contains(to) && self.squares.changed_at(to) == landed);
        let is_found = (footprint(self.moves[ply]) & found).any() && !is_heard;
        if is_found { self.left(ply).min(landed) } else { landed }
    }

    /// When the man of a ply left its square: not before it got there, though what is too short for a rest is no change.
    fn left(&self, ply: usize) -> Millis {
        let Some(from) = self.moves[ply].from() else { return 0 };
        let own = ply.checked_sub(2).filter(|own| self.moves[*own].to() == from);
        let landed = own.map_or(0, |own| self.landed(own));
        self.squares.changed_at(from).max(landed)
    }

    /// A man in the air begins a later ply: its side is to move after the line, and it was lifted after the side's last
    /// ply of the line had landed, or had begun if its player has pressed for that since. Otherwise it still goes on with
    /// that ply. Or it is about to be captured by such a ply, the victim being taken off first, or its player has pressed
    /// and hurries; the man that moved last is not, because it may be going on.
    fn is_released(&self, position: &Chess) -> bool {
        let Some(last) = self.moves.len().checked_sub(1) else { return true };
        self.squares.in_air(position.board()).all(|lifted| {
            if lifted.piece.color != position.turn() {
                return lifted.from != self.moves[last].to()
                    && lifted.at >= self.landed(last)
                    && (can_be_taken(position, lifted.from) || self.has_let_go(last, &lifted));
            }
            let Some(own) = last.checked_sub(1) else { return true };
            // The same man, lifted before the reply has landed, goes on with its ply: a slide that rested. Unless its player
            // had pressed by then.
            let goes_on = lifted.from == self.moves[own].to()
                && lifted.at < self.landed(last)
                && !(self.landed(own)..=lifted.at).contains(&self.squares.evidence.pressed_at(lifted.piece.color));
            let hurries = lifted.at >= self.left(own) && self.has_let_go(own, &lifted);
            let begins = lifted.at >= self.landed(own) || hurries;
            begins && !goes_on && !self.castles(own, lifted.from)
        })
    }

    /// The player has pressed once this ply had landed, and the man in the air is another one.
    fn has_let_go(&self, ply: usize, lifted: &Lifted) -> bool {
        let pressed = self.squares.evidence.pressed_at(self.side(ply)) >= self.landed(ply);
        pressed && lifted.from != self.moves[ply].to() && !self.castles(ply, lifted.from)
    }

    /// This ply put a rook where castling would, and `king` is the square its king was lifted from.
    fn castles(&self, ply: usize, king: Square) -> bool {
        let Move::Normal { role: Role::Rook, from, to, .. } = self.moves[ply] else { return false };
        let before = self.moves[..ply].iter().fold(self.root.clone(), |before, played| after(&before, *played));
        let meant = Move::Castle { king, rook: from };
        steps(before.turn(), meant).nth(1) == Some((from, to)) && before.legal_moves().contains(&meant)
    }

    fn keep(&mut self, position: &Chess) {
        let misfit = self.squares.misfit_ignoring_air(position.board());
        let missing = misfit.count();
        let unheard = if self.squares.names() { 0 } else { self.unheard(position, misfit) };
        let moves = self.moves.clone();
        self.found.push(Explanation { granted: self.taken_for_granted(), moves, missing, unheard });
    }

    /// On a board that names nobody: what it takes for granted that no square has told.
    fn unheard(&self, position: &Chess, misfit: Bitboard) -> usize {
        let put_back = self.idle_touches(misfit) & self.squares.occupied();
        self.silent_captures() + IDLE * put_back.count() + self.in_hand(position, misfit)
    }

    /// On a board that names nobody: men in the hand. Who has pressed holds none, unless he is about to take one that is in
    /// the air as well.
    fn in_hand(&self, position: &Chess, misfit: Bitboard) -> usize {
        let (board, turn) = (position.board(), position.turn());
        let gone = misfit & board.occupied() & !self.squares.occupied();
        let takes = |taken: &Square| {
            let captures = |candidate: &Move| {
                victim(*candidate) == Some(*taken) && candidate.from().is_some_and(|from| gone.contains(from))
            };
            position.legal_moves().iter().any(captures)
        };
        let victims = (gone & board.by_color(!turn)).into_iter().filter(takes).count();
        let pressed = |square: &Square| {
            let side = board.color_at(*square).unwrap_or(turn);
            self.squares.evidence.pressed_at(side) >= self.squares.changed_at(*square)
        };
        let held = if victims == 0 { gone.into_iter().filter(pressed).count() } else { 0 };
        gone.count() - victims + held
    }

    /// On a board that names nobody: squares that have changed, and no ply of the line tells why, nor a man in the hand.
    fn idle_touches(&self, in_hand: Bitboard) -> Bitboard {
        let told = self.moves.iter().fold(in_hand, |told, played| told | footprint(*played));
        self.squares.changed() & !told
    }

    /// On a board that names nobody: captures that their square has not told of, where another one may have told of its own.
    fn silent_captures(&self) -> usize {
        let taken = self.moves.iter().filter(|played| played.is_capture()).map(|played| played.to());
        let untold = |square: Square| {
            let captures = self.moves.iter().filter(|played| played.is_capture() && played.to() == square).count();
            untold(square, &self.moves, self.squares).min(captures)
        };
        taken.collect::<Bitboard>().into_iter().map(untold).sum()
    }

    /// Of a line that was worked out: plies that were heard landing before the one below them.
    fn heard_out_of_order(&self, moves: &[Move]) -> usize {
        // What was not heard at all was played when nothing was heard for longest, a man that was heard going up first.
        let heard = |ply: usize| {
            let goals = steps(self.side(ply), moves[ply]);
            let went_up = moves[ply].from().is_some_and(|from| self.squares.heard_leaving(from));
            let unheard = self.silent + Millis::from(!went_up);
            goals.filter_map(|(_, to)| self.squares.heard_landing(to)).max().unwrap_or(unheard)
        };
        (1..moves.len()).filter(|ply| heard(*ply) < heard(ply - 1)).count()
    }

    /// Men that stopped on a square that reads nothing: as far as anybody can tell they may be in the hand.
    fn taken_for_granted(&self) -> usize {
        let stands = |ply: &usize| {
            let to = self.moves[*ply].to();
            self.squares.is_blind(to) && !is_left(to, &self.moves[ply + 1..])
        };
        (0..self.moves.len()).filter(stands).count()
    }

    fn ranked(mut self) -> Vec<Explanation> {
        let mut found = std::mem::take(&mut self.found);
        let under = |played: &&Move| played.promotion().is_some_and(|role| role != Role::Queen);
        let underpromotions = |line: &Explanation| line.moves.iter().filter(under).count();
        // Of what was seen the order is known.
        let guessed = self.trust == Trust::Dumped && found.len() > 1;
        if guessed {
            // What a pawn has become that was taken unread nobody can tell: a queen, as everywhere.
            let strange = |line: &Explanation| {
                let stops = line.moves.iter().map(|played| played.to()).collect::<Bitboard>();
                (underpromotions(line), (self.squares.visited() & !stops).count())
            };
            let least = found.iter().map(strange).min();
            found.retain(|line| Some(strange(line)) == least);
        }
        found.sort_by_cached_key(|line| {
            let likely = || plausibility(self.settings.habits, self.root, self.last, &line.moves);
            let order = guessed.then(|| (self.heard_out_of_order(&line.moves), Reverse(likely())));
            (line.missing, line.moves.len(), order, underpromotions(line), text(&line.moves))
        });
        found
    }
}

/// The next ply is in the making and stands on the board half done: a king without its rook, a pawn to be replaced, a
/// pawn still to be taken. It may not spoil the line it follows. Whoever has arrived has left.
pub(super) fn is_begun(position: &Chess, misfit: Bitboard, squares: &Squares) -> bool {
    let side = position.turn();
    let has_left = |candidate: &Move| {
        let first = steps(side, *candidate).next();
        first.is_none_or(|(from, to)| from == to || !misfit.contains(to) || misfit.contains(from))
    };
    let halves = |candidate: &Move| candidate.is_castle() || candidate.is_en_passant() || candidate.is_promotion();
    let made = |candidate: &Move| halves(candidate) && misfit.is_subset(footprint(*candidate)) && has_left(candidate);
    misfit.is_subset(squares.changed()) && misfit.count() <= 4 && position.legal_moves().iter().any(made)
}

/// The man that moves was seen on the square it goes to. A captured man that was never put down did not move first.
fn was_seen_landing(side: Color, candidate: Move, squares: &Squares) -> bool {
    Made::whole(side, candidate).landings().all(|(to, man)| squares.has_landed(to, man))
}

/// So many more of these plies go to this square than it has told of.
pub(super) fn untold(square: Square, plies: &[Move], squares: &Squares) -> usize {
    plies.iter().filter(|played| played.to() == square).count().saturating_sub(squares.times_read(square))
}

/// The same hand could have gone on from the one move to the other: the same man elsewhere, or castling completed.
pub(super) fn goes_on(played: Move, candidate: Move) -> bool {
    played != candidate && played.from().is_some_and(|from| leaves(candidate, from))
}

/// The man on this square goes on with one of these plies, or is taken there.
pub(super) fn is_left(square: Square, plies: &[Move]) -> bool {
    plies.iter().any(|ply| ply.from() == Some(square) || victim(*ply) == Some(square))
}

/// When the last man of a ply has landed.
pub(super) fn landed_at(side: Color, played: Move, squares: &Squares) -> Millis {
    if let Some(from) = played.from().filter(|_| !played.is_castle() && squares.is_blind(played.to())) {
        // A square that reads nothing has not told of the landing; the man has left before it.
        return squares.changed_at(from);
    }
    Made::whole(side, played).landings().map(|(to, man)| squares.landed_at(to, man)).max().unwrap_or(0)
}

/// A line by which others like it are told apart, so that the same hands always give the same game.
pub(super) fn text(moves: &[Move]) -> String {
    moves.iter().map(|played| played.to_uci(CastlingMode::Chess960).to_string()).collect()
}
