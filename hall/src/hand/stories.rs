//! Stories: what may have been played while nothing was heard, where the board alone can't tell.
//!
//! Play goes on on top of them, and is shown. What can't have happened after a story rules it out; nothing of all this is
//! final until one is left or somebody has chosen.

use shakmaty::{Bitboard, Board, Chess, Color, Move, Position, Role, Setup};

use super::record::play_all;
use crate::Settings;

/// Lines that lead to the same board.
#[derive(Clone, Debug)]
pub(super) struct Stories {
    /// The record's position.
    pub(super) base: Chess,
    /// The lines from there, the one that is shown first. What was played since is at the end of each.
    pub(super) lines: Vec<Vec<Move>>,
    /// Other orders of the moves of the only line.
    pub(super) orders: Vec<Vec<Move>>,
    /// So many plies at the end of each were heard; those below, in some more and in others fewer, were not.
    pub(super) heard: usize,
    /// So many plies of them were seen before the silence.
    pub(super) known: usize,
    /// Where somebody has stopped, as far as squares have told.
    pub(super) visited: Bitboard,
    /// The clock speaks against the only one.
    pub(super) doubted: bool,
    /// There is a hole below them: nobody knows how their base was reached.
    pub(super) hole: Option<Below>,
}

/// What is known of what lies below a hole.
#[derive(Clone, Debug)]
pub(super) struct Below {
    /// What was seen before it.
    pub(super) seen: Vec<Move>,
    /// A press has told whose turn it is after it.
    pub(super) told: bool,
}

impl Stories {
    /// Nothing is known but what stands on the board.
    pub(super) fn after_a_hole(stand: Chess, hole: Below) -> Stories {
        Stories {
            base: stand,
            lines: vec![Vec::new()],
            orders: Vec::new(),
            heard: 0,
            known: 0,
            visited: Bitboard::EMPTY,
            doubted: true,
            hole: Some(hole),
        }
    }

    /// Where nothing was played on top of a hole yet nobody may know whose turn it is: the same if it is the other's.
    pub(super) fn passed(&self) -> Option<Stories> {
        let hole = self.hole.as_ref().filter(|hole| self.is_fresh() && !hole.told)?;
        let stand = set_up(self.base.board(), !self.base.turn(), &self.base)?;
        Some(Stories::after_a_hole(stand, hole.clone()))
    }

    /// So few plies were played on top of a hole, or of a story that was doubted all along, that a press for none of what may
    /// follow speaks against them.
    pub(super) fn is_young(&self, most: usize) -> bool {
        self.doubted && (self.hole.is_none() || self.heard <= most)
    }

    /// Nothing speaks against it, and it is the only one that is left; or play has gone on for as long as a gap may be, and
    /// nothing will tell any more which one it was.
    pub(super) fn is_sure(&self, settings: &Settings) -> bool {
        let is_left = || {
            let [line] = &self.lines[..] else { return false };
            let unheard = line.len() - self.heard;
            !is_doubtful(&line[self.known.min(unheard)..unheard], self.visited, settings.story_plies)
        };
        !self.doubted && (self.heard >= settings.gap_plies || is_left())
    }

    /// Nothing was played on top of them yet.
    pub(super) fn is_fresh(&self) -> bool {
        self.heard == 0
    }

    pub(super) fn end(&self, line: &[Move]) -> Option<Chess> {
        play_all(&self.base, line)
    }

    /// These plies were played on top, and led to this board: what can't have gone before them is ruled out. True if that
    /// was something.
    pub(super) fn grow(&mut self, plies: &[Move], board: &Board, names: bool) -> bool {
        let known = self.lines.len();
        for line in self.lines.iter_mut().chain(&mut self.orders) {
            line.extend(plies);
        }
        self.heard += plies.len();
        let base = &self.base;
        let shows = |end: Chess| if names { end.board() == board } else { end.board().occupied() == board.occupied() };
        let leads = |line: &Vec<Move>| play_all(base, line).is_some_and(shows);
        self.lines.retain(leads);
        self.orders.retain(leads);
        self.lines.len() < known
    }

    /// So many plies on top are settled by what has happened to them, not with the story.
    pub(super) fn shorten(&mut self, plies: usize) {
        let lines = self.lines.iter_mut().chain(&mut self.orders);
        lines.for_each(|line| line.truncate(line.len() - plies));
        self.heard -= plies;
    }

    /// The one at this place is shown.
    pub(super) fn show(&mut self, at: usize) {
        self.lines[..=at].rotate_right(1);
    }

    /// Every story with every line that leads on from it to this board.
    pub(super) fn go_on(&self, lines: &[Vec<Move>], board: &Board, most: usize) -> Vec<Vec<Move>> {
        let all = self.lines.iter().flat_map(|first| lines.iter().map(|then| [&first[..], then].concat()));
        let ends = |line: &Vec<Move>| self.end(line).is_some_and(|end| end.board() == board);
        all.filter(ends).take(most).collect()
    }
}

/// What stands on a board as a position of a game that was seen as `before` last: nobody gets a right to castle back.
pub(super) fn set_up(board: &Board, turn: Color, before: &Chess) -> Option<Chess> {
    let mut setup = Setup::empty();
    setup.board = board.clone();
    setup.turn = turn;
    setup.fullmoves = before.fullmoves();
    let home = |color: &Color| board.king_of(*color) == before.board().king_of(*color);
    let rooks = Color::ALL.into_iter().filter(home).flat_map(|color| board.by_piece(Role::Rook.of(color)));
    setup.castling_rights = before.castles().castling_rights() & rooks.collect::<Bitboard>();
    laws::position::set_up(setup, before.castles().mode()).ok()
}

/// The plies after which a man went on and left no trace where it had stopped: it may have gone another way, or in more
/// moves.
pub(super) fn detours(line: &[Move], visited: Bitboard) -> impl Iterator<Item = usize> {
    let stops = move |at: &usize| {
        let traced = visited.contains(line[*at].to());
        let goes_on = line[*at..].iter().skip(2).step_by(2).any(|later| later.from() == Some(line[*at].to()));
        goes_on && !traced && !line[*at].is_capture() && !line[*at].is_castle()
    };
    (0..line.len()).filter(stops)
}

/// A man went a way round, and took something at the end of it: perhaps it was taken elsewhere. (A pawn has no other way.)
fn is_doubtful(story: &[Move], visited: Bitboard, believed: usize) -> bool {
    let takes = |at: usize| {
        let later = story[at..].iter().skip(2).step_by(2).find(|later| later.from() == Some(story[at].to()));
        later.is_some_and(|later| later.is_capture() && later.role() != Role::Pawn)
    };
    story.len() > believed && detours(story, visited).any(takes)
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, fen::Fen, uci::UciMove};

    use super::*;

    #[test]
    fn a_story_that_is_left_may_be_shorter_than_the_one_that_was_shown() {
        let fen = "4k3/8/8/8/8/8/P7/4K2R w K - 0 1".parse::<Fen>().expect("a position");
        let base = fen.into_position::<Chess>(CastlingMode::Standard).expect("a lawful one");
        let lines = vec![line(&base, "e1e2 e8e7 e2e1 e7d7 a2a4 d7d8"), line(&base, "a2a4 e8d8")];
        let castling = line(&play_all(&base, &lines[1]).expect("it was played"), "e1g1");
        let settings = Settings::default();
        let (orders, visited, doubted, hole) = (Vec::new(), Bitboard::EMPTY, false, None);
        let mut stories = Stories { base, lines, orders, heard: 0, known: 0, visited, doubted, hole };
        assert!(!stories.is_sure(&settings));
        let end = play_all(&stories.base, &[&stories.lines[1][..], &castling].concat()).expect("it was played");
        assert!(stories.grow(&castling, end.board(), true), "a king that has moved does not castle");
        assert!(stories.is_sure(&settings));
        stories.shorten(1);
        assert_eq!(stories.lines, [line(&stories.base, "a2a4 e8d8")]);
    }

    fn line(base: &Chess, text: &str) -> Vec<Move> {
        let mut position = base.clone();
        let play = |word: &str| {
            let played = word.parse::<UciMove>().expect("a move").to_move(&position).expect("a lawful one");
            position.play_unchecked(played);
            played
        };
        text.split(' ').map(play).collect()
    }
}
