//! The edges of a game: none yet, one that is on, one that has ended; and what may be the next.

use protocol::board::Lie;
use shakmaty::{Bitboard, Color};

use super::opening::Opening;
use crate::{Course, Millis};

/// Which game there is.
#[derive(Clone, Debug, Default)]
pub(super) struct Edges {
    game: Game,
    /// How the last game there was began.
    began: Beginning,
    /// The kings have shown a result and stand there still.
    signalled: bool,
    /// They stand in the centre or stood there last, and since when: what they show is known once they have rested, or the
    /// men have gone home from there.
    met: Option<(Option<Color>, Millis)>,
    /// When somebody set the record: what stands on the board beyond it was not played since.
    set_at: Millis,
    /// How many men have been put down since the board fits nothing, and not where a game begins.
    unfollowed: usize,
    /// From where games begin, if somebody has said; how the board lies is no part of it.
    usual: Option<Box<Opening>>,
    /// The men have stood as the next game begins, and hands have done nothing since but perhaps begin it.
    array: Option<Box<Array>>,
    /// What a king's step to the centre has taken back, and what it has left: it was none if the other one comes there too.
    stepped_out_of: Option<(Course, Course)>,
}

/// A start array that stood, however shortly.
#[derive(Clone, Debug)]
pub(super) struct Array {
    pub(super) opening: Opening,
    /// So many plies lead from it to the board; none if no line does.
    pub(super) plies: Option<usize>,
    /// Who has pressed since, before a man had landed.
    pub(super) pressed: Option<(Color, Millis)>,
}

#[derive(Clone, Copy, Debug, Default)]
enum Game {
    /// None has begun: one may have been on before the board was heard.
    #[default]
    None,
    /// None has begun, and the men stand as a game elsewhere has left them.
    LeftOver,
    On,
    /// It is adjourned: what hands do is not played, and no array is the next game's.
    Still,
    Ended {
        at: Millis,
    },
}

/// How a game began.
#[derive(Clone, Copy, Debug, Default)]
struct Beginning {
    at: Millis,
    /// Where was read off the board, and nothing is final yet.
    assumed: bool,
    /// It was said from which position.
    announced: bool,
    /// On these squares men stood on each other's, two of a player.
    exchanged: Bitboard,
}

impl Edges {
    /// Games begin from here.
    pub(super) fn expect(&mut self, array: Option<&Course>) {
        let opening = |array: &Course| Opening::announced(array.start().clone(), array.mode());
        self.usual = array.map(opening).map(Box::new);
    }

    /// From where a game begins on a board that lies like this, unless the men say otherwise.
    pub(super) fn usual(&self, lie: Lie) -> Opening {
        let announced = self.usual.as_ref().map(|usual| Opening { lie, ..(**usual).clone() });
        announced.unwrap_or_else(|| Opening::usual(lie))
    }

    /// Somebody has said from where games begin, and it is from there, or is not.
    pub(super) fn expects(&self, opening: &Opening) -> Option<bool> {
        self.usual.as_ref().map(|usual| usual.position == opening.position)
    }

    /// A game begins.
    pub(super) fn begin(&mut self, now: Millis) {
        self.game = Game::On;
        self.began = Beginning { at: now, ..Beginning::default() };
        self.signalled = false;
        self.met = None;
        self.array = None;
        self.stepped_out_of = None;
    }

    /// The men stand as the next game begins, or stood so before the plies that lead to the board.
    pub(super) fn await_first_move(&mut self, opening: Opening, plies: usize) {
        self.array = Some(Box::new(Array { opening, plies: Some(plies), pressed: None }));
    }

    /// So many plies lead from that array to the board, or none do.
    pub(super) fn note_first_moves(&mut self, plies: Option<usize>) {
        if let Some(array) = &mut self.array {
            array.plies = plies;
        }
    }

    /// This player has pressed before the first man has landed.
    pub(super) fn press_first(&mut self, side: Color, now: Millis) {
        if let Some(array) = &mut self.array {
            array.pressed = Some((side, now));
        }
    }

    /// What is on the board has not come from a start array.
    pub(super) fn drop_array(&mut self) -> Option<Opening> {
        self.array.take().map(|array| array.opening)
    }

    /// The record is set.
    pub(super) fn set(&mut self, now: Millis) {
        self.set_at = now;
    }

    /// Where it begins was read off the board.
    pub(super) fn assume(&mut self) {
        self.began.assumed = true;
    }

    /// It was said from which position it begins.
    pub(super) fn announce(&mut self) {
        self.began.announced = true;
    }

    /// Men stood on each other's squares.
    pub(super) fn doubt_set_up(&mut self, squares: Bitboard) {
        self.began.exchanged = squares;
    }

    /// On these of them they have been put right.
    pub(super) fn mend_set_up(&mut self, right: Bitboard) {
        self.began.exchanged &= !right;
    }

    /// The squares on which men stand on each other's.
    pub(super) fn exchanged(&self) -> Bitboard {
        self.began.exchanged
    }

    /// Nobody doubts where it began any more.
    pub(super) fn settle(&mut self) {
        self.began.assumed = false;
    }

    /// The game is over.
    pub(super) fn end(&mut self, now: Millis) {
        self.game = Game::Ended { at: now };
    }

    /// The men stand as a game elsewhere has left them, unless there is a game here. True if that is so.
    pub(super) fn leave_over(&mut self) -> bool {
        let is_new = matches!(self.game, Game::None | Game::LeftOver);
        if is_new {
            self.game = Game::LeftOver;
        }
        is_new
    }

    /// The game is adjourned.
    pub(super) fn stand_still(&mut self) {
        self.game = Game::Still;
    }

    /// It goes on after all.
    pub(super) fn resume(&mut self) {
        self.game = Game::On;
    }

    /// The kings have shown a result.
    pub(super) fn signal(&mut self) {
        self.signalled = true;
        self.met = None;
    }

    /// They stand in the centre, for this player or for a draw, and since when; or they have left it, and after less than this
    /// they were never there.
    pub(super) fn note_kings(&mut self, met: Option<(Option<Color>, Millis)>, least: Millis, now: Millis) {
        self.signalled &= met.is_some();
        match met {
            Some(met) => self.met = Some(met).filter(|_| !self.signalled),
            None => self.met = self.met.filter(|(_, since)| now >= since + least),
        }
    }

    /// A ply has been made since they stood there.
    pub(super) fn play_on(&mut self) {
        self.met = None;
    }

    /// A king's step to the centre has taken back what was played, and this is left.
    pub(super) fn step_out_of(&mut self, played: Course, left: Course) {
        self.stepped_out_of = Some((played, left));
    }

    /// What such a step has taken back, if the record is what it had left.
    pub(super) fn take_stepped_out_of(&mut self, record: &Course) -> Option<Course> {
        self.stepped_out_of.take().filter(|(_, left)| left.is(record)).map(|(played, _)| played)
    }

    /// What they have shown, if the men went home from there.
    pub(super) fn take_met(&mut self) -> Option<Option<Color>> {
        self.met.take().map(|(winner, _)| winner)
    }

    /// So many men were put down elsewhere; the board fits, or not.
    pub(super) fn note_landings(&mut self, men: usize, fits: bool) {
        self.unfollowed = if fits { 0 } else { self.unfollowed + men };
    }

    /// The array that may be the next game's.
    pub(super) fn array(&self) -> Option<&Array> {
        self.array.as_deref()
    }

    pub(super) fn is_on(&self) -> bool {
        matches!(self.game, Game::On)
    }

    pub(super) fn ended_at(&self) -> Option<Millis> {
        let Game::Ended { at } = self.game else { return None };
        Some(at)
    }

    pub(super) fn is_left_over(&self) -> bool {
        matches!(self.game, Game::LeftOver)
    }

    pub(super) fn stands_still(&self) -> bool {
        matches!(self.game, Game::Still)
    }

    pub(super) fn set_at(&self) -> Millis {
        self.set_at
    }

    pub(super) fn began_at(&self) -> Millis {
        self.began.at
    }

    pub(super) fn is_assumed(&self) -> bool {
        self.began.assumed
    }

    pub(super) fn is_announced(&self) -> bool {
        self.began.announced
    }

    pub(super) fn is_signalled(&self) -> bool {
        self.signalled
    }

    pub(super) fn unfollowed(&self) -> usize {
        self.unfollowed
    }
}
