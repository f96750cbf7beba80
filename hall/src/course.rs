//! The course of a game: where it began, and every ply since.

use std::{fmt, sync::Arc};

use shakmaty::{Board, CastlingMode, Chess, Move, Position};

use crate::{Ply, fen::fen};

/// A game up to a ply of it: one version of the record.
///
/// It is a value. Whoever was told one keeps it, whatever is played or taken back since; what comes of it is another one.
/// Courses share the plies they have in common, so that a version costs no more than its last ply.
#[derive(Clone)]
pub struct Course {
    mode: CastlingMode,
    start: Arc<Standing>,
    last: Arc<Standing>,
}

/// How the game stands after a ply.
struct Standing {
    ply: Ply,
    on_board: OnBoard,
    led: Option<Led>,
}

/// What led there, from where.
#[derive(Clone)]
struct Led {
    by: Played,
    from: Arc<Standing>,
}

#[derive(PartialEq)]
enum OnBoard {
    Position(Chess),
    /// None that play can lead to: the placement, and all of it as a FEN.
    Impossible(Box<(Board, String)>),
}

/// What a ply was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Played {
    /// A legal move.
    Legal(Move),
    /// A move that is not legal and stands, or the reply to it.
    Irregular(Box<Irregular>),
}

/// Such a ply, as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Irregular {
    /// By players.
    pub san: String,
    /// By programs.
    pub uci: String,
}

impl Course {
    /// A game begins here.
    pub fn begin(position: Chess, mode: CastlingMode) -> Course {
        let start = Arc::new(Standing { ply: Ply::START, on_board: OnBoard::Position(position), led: None });
        Course { mode, last: Arc::clone(&start), start }
    }

    /// It goes on with a legal move.
    #[must_use]
    pub fn play(&self, played: Move) -> Course {
        let mut after = self.position().clone();
        debug_assert!(after.is_legal(played), "{played} is legal");
        after.play_unchecked(played);
        self.lead(Played::Legal(played), OnBoard::Position(after))
    }

    /// It goes on with a move that is not legal and leaves this board, in words this FEN.
    #[must_use]
    pub fn break_off(&self, uci: &str, board: Board, fen: &str) -> Course {
        let by = Irregular { san: uci.to_owned(), uci: uci.to_owned() };
        self.lead(Played::Irregular(Box::new(by)), OnBoard::Impossible(Box::new((board, fen.to_owned()))))
    }

    /// It goes on with the reply to such a move, after which play can go on.
    #[must_use]
    pub fn take_up(&self, reply: Irregular, after: Chess) -> Course {
        self.lead(Played::Irregular(Box::new(reply)), OnBoard::Position(after))
    }

    fn lead(&self, by: Played, on_board: OnBoard) -> Course {
        let led = Some(Led { by, from: Arc::clone(&self.last) });
        self.with_last(&Arc::new(Standing { ply: self.ply().next(), on_board, led }))
    }

    /// The same number of plies have led to this position instead.
    #[must_use]
    pub(crate) fn instead(&self, position: Chess) -> Course {
        let on_board = OnBoard::Position(position);
        let last = Arc::new(Standing { ply: self.ply(), on_board, led: self.last.led.clone() });
        let start = if last.led.is_none() { Arc::clone(&last) } else { Arc::clone(&self.start) };
        Course { last, start, ..*self }
    }

    /// As it was before the first move.
    #[must_use]
    pub fn beginning(&self) -> Course {
        self.with_last(&self.start)
    }

    /// As it was after this ply; none if it has not come so far.
    pub fn at(&self, ply: Ply) -> Option<Course> {
        Some(self.with_last(self.find(ply)?))
    }

    /// The same; and where that is no position, as it was before the move that is not legal. Such a move stands only with
    /// the reply on top of it.
    pub fn back_to(&self, ply: Ply) -> Option<Course> {
        let kept = self.down_to(ply).find(|standing| standing.position().is_some())?;
        Some(self.with_last(kept))
    }

    /// The last ply.
    pub fn ply(&self) -> Ply {
        self.last.ply
    }

    /// Which chess is played.
    pub fn mode(&self) -> CastlingMode {
        self.mode
    }

    /// Where it began.
    pub fn start(&self) -> &Chess {
        self.start.position().expect("games begin at a position")
    }

    /// Its last position.
    pub fn position(&self) -> &Chess {
        self.standings().find_map(|standing| standing.position()).expect("games begin at a position")
    }

    /// The position after this ply; none where a move that is not legal stands.
    pub fn position_at(&self, ply: Ply) -> Option<&Chess> {
        self.find(ply)?.position()
    }

    /// What its last ply was; none where it begins.
    pub fn last(&self) -> Option<&Played> {
        self.last.led.as_ref().map(|led| &led.by)
    }

    /// What this ply was.
    pub fn played_at(&self, ply: Ply) -> Option<&Played> {
        self.find(ply)?.led.as_ref().map(|led| &led.by)
    }

    /// The FEN of what its last ply left behind, if that is no position.
    pub fn impossible(&self) -> Option<&str> {
        match &self.last.on_board {
            OnBoard::Position(_) => None,
            OnBoard::Impossible(left) => Some(&left.1),
        }
    }

    /// The placements before the last one, the latest first.
    pub(crate) fn boards_before(&self) -> impl Iterator<Item = &Board> {
        self.standings().skip(1).map(|standing| standing.board())
    }

    /// The last legal moves, each with the position it was played in, the latest first.
    pub(crate) fn moves_back(&self) -> impl Iterator<Item = (&Chess, Move)> {
        self.standings().map_while(|standing| {
            let led = standing.led.as_ref()?;
            match led.by {
                Played::Legal(played) => Some((led.from.position()?, played)),
                Played::Irregular(_) => None,
            }
        })
    }

    /// The other one is this very version.
    pub fn is(&self, other: &Course) -> bool {
        Arc::ptr_eq(&self.last, &other.last)
    }

    /// The last ply that it has in common with another course; none if that began elsewhere.
    pub fn parts_from(&self, other: &Course) -> Option<Ply> {
        let common = self.ply().min(other.ply());
        let (here, there) = (self.down_to(common), other.down_to(common));
        here.zip(there).find(|(here, there)| Arc::ptr_eq(here, there)).map(|(here, _)| here.ply)
    }

    /// It as it was after each ply beyond this one, the first first.
    pub fn since(&self, ply: Ply) -> Vec<Course> {
        let later = self.standings().take_while(|standing| standing.ply > ply);
        let mut later = later.map(|last| self.with_last(last)).collect::<Vec<_>>();
        later.reverse();
        later
    }

    fn with_last(&self, last: &Arc<Standing>) -> Course {
        Course { mode: self.mode, start: Arc::clone(&self.start), last: Arc::clone(last) }
    }

    fn down_to(&self, ply: Ply) -> impl Iterator<Item = &Arc<Standing>> {
        self.standings().skip_while(move |standing| standing.ply > ply)
    }

    fn find(&self, ply: Ply) -> Option<&Arc<Standing>> {
        self.down_to(ply).next().filter(|standing| standing.ply == ply)
    }

    /// From the last one back to where it began.
    fn standings(&self) -> impl Iterator<Item = &Arc<Standing>> {
        std::iter::successors(Some(&self.last), |standing| standing.led.as_ref().map(|led| &led.from))
    }
}

impl Standing {
    fn position(&self) -> Option<&Chess> {
        match &self.on_board {
            OnBoard::Position(position) => Some(position),
            OnBoard::Impossible(_) => None,
        }
    }

    fn board(&self) -> &Board {
        match &self.on_board {
            OnBoard::Position(position) => position.board(),
            OnBoard::Impossible(left) => &left.0,
        }
    }
}

/// One after the other: each dropping the one before it would need as deep a stack as the game is long.
impl Drop for Standing {
    fn drop(&mut self) {
        let mut next = self.led.take();
        while let Some(led) = next {
            next = Arc::into_inner(led.from).and_then(|mut from| from.led.take());
        }
    }
}

impl Played {
    /// As programs write it.
    pub fn uci(&self, mode: CastlingMode) -> String {
        match self {
            Played::Legal(played) => played.to_uci(mode).to_string(),
            Played::Irregular(written) => written.uci.clone(),
        }
    }
}

/// The same plies, with the same on the board after each.
impl PartialEq for Course {
    fn eq(&self, other: &Course) -> bool {
        let both = self.standings().zip(other.standings());
        let mut apart = both.take_while(|(here, there)| !Arc::ptr_eq(here, there));
        let by = |standing: &Standing| standing.led.as_ref().map(|led| led.by.clone());
        self.mode == other.mode
            && self.ply() == other.ply()
            && apart.all(|(here, there)| here.on_board == there.on_board && by(here) == by(there))
    }
}

impl fmt::Debug for Course {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        out.debug_struct("Course").field("ply", &self.ply()).field("fen", &fen(self.position())).finish()
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::san::San;

    use super::*;

    fn game(sans: &[&str]) -> Course {
        play(&Course::begin(Chess::default(), CastlingMode::Standard), sans)
    }

    fn play(from: &Course, sans: &[&str]) -> Course {
        sans.iter().fold(from.clone(), |course, san| {
            let san = san.parse::<San>().expect("a move");
            course.play(san.to_move(course.position()).expect("a legal move"))
        })
    }

    #[test]
    fn a_version_stays_as_it_was_whatever_is_played_or_taken_back_since() {
        let opened = game(&["e4", "e5"]);
        let played_on = play(&opened, &["Nf3"]);
        let instead = play(&opened.at(Ply::FIRST).expect("a ply"), &["c5"]);
        assert_eq!((opened.ply(), played_on.ply(), instead.ply()), (Ply::new(2), Ply::new(3), Ply::new(2)));
        assert_eq!(opened, game(&["e4", "e5"]));
        assert_ne!(opened, instead);
    }

    #[test]
    fn the_same_move_played_again_is_another_version() {
        let once = game(&["e4", "e5"]);
        let again = play(&once.at(Ply::FIRST).expect("a ply"), &["e5"]);
        assert_eq!(once, again);
        assert!(!once.is(&again) && once.is(&once.clone()));
        assert_eq!(once.parts_from(&again), Some(Ply::FIRST));
        assert_eq!(once.parts_from(&game(&["e4", "e5"])), None, "another game");
        assert_eq!(once.since(Ply::START).len(), 2);
    }

    #[test]
    fn a_move_that_is_not_legal_goes_with_the_reply_to_it() {
        let legal = game(&["e4"]);
        let after = game(&["e4", "e5"]).position().clone();
        let broken = legal.break_off("e7e4", legal.position().board().clone(), "no FEN");
        let reply = Irregular { san: "e5".to_owned(), uci: "e7e5".to_owned() };
        let taken_up = broken.take_up(reply, after.clone());
        assert_eq!((taken_up.position(), broken.position()), (&after, legal.position()));
        assert_eq!((broken.impossible(), taken_up.impossible()), (Some("no FEN"), None));
        assert_eq!(taken_up.position_at(Ply::new(2)), None);
        assert!(taken_up.back_to(Ply::new(2)).is_some_and(|kept| kept.is(&legal)));
    }

    #[test]
    fn a_game_longer_than_any_stack_is_deep_is_forgotten() {
        let shuffle = ["Nf3", "Nf6", "Ng1", "Ng8"].iter().cycle().take(100_000).copied().collect::<Vec<_>>();
        assert_eq!(game(&shuffle).ply(), Ply::new(100_000));
    }
}
