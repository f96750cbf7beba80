//! Presses of the clock: the one that is open, those on top of it, the last one; and whose last ply is not pressed.

use std::{collections::VecDeque, ops::RangeInclusive};

use protocol::board::{Face, Lie};
use shakmaty::{Board, ByColor, Color};

use super::{
    lateness::Lateness,
    sign::{PressCount, Pressing},
};
use crate::{Millis, Ply};

/// What is known of presses.
#[derive(Clone, Debug)]
pub(super) struct Lever {
    pressing: Pressing,
    /// Which end is up on a clock that runs.
    up: Option<Face>,
    /// A press whose ply is not final yet.
    open: Option<OpenPress>,
    /// Those on top of it, of the one side and the other in turn, while the board does not show yet what it was for.
    queued: VecDeque<OpenPress>,
    last: Option<Color>,
    /// When each player has pressed last.
    pressed: ByColor<Option<Millis>>,
    /// Whose last ply of the record was not pressed.
    unpressed: ByColor<bool>,
    telling: Telling,
    /// So many presses, of the one side and the other in turn, since a ply was followed.
    unanswered: usize,
    /// So many more were not heard, if anybody can tell.
    hidden: Option<RangeInclusive<usize>>,
    pub(super) lateness: Lateness,
}

/// What presses of this game have shown of the clock.
#[derive(Clone, Copy, Debug, Default)]
struct Telling {
    /// It has run.
    ran: bool,
    /// A press has completed a ply.
    heard: bool,
    /// So many plies were followed without any that nobody waits for one, or somebody has said that it does not tell.
    silent: bool,
    /// It has told, and it was said that it is not pressed any more.
    missed: bool,
}

/// A press whose ply is not final yet.
#[derive(Clone, Debug)]
pub(super) struct OpenPress {
    pub(super) side: Color,
    pub(super) at: Millis,
    /// The board as it stood then; none if a man of the presser was in the air, when it is judged as it stands later.
    pub(super) board: Option<Board>,
    pub(super) until: Millis,
    /// A man of the presser was nowhere when it was judged: from then on only the sensors can have been wrong.
    pub(super) unseen: bool,
    /// What it is for comes after this ply, which was seen by then, unless the opponent presses first.
    pub(super) after: Ply,
}

impl OpenPress {
    /// It waits until then for whatever the board will show.
    pub(super) fn waiting(side: Color, at: Millis, until: Millis) -> OpenPress {
        OpenPress { side, at, board: None, until, unseen: false, after: Ply::START }
    }
}

impl Lever {
    pub(super) fn new() -> Lever {
        Lever {
            pressing: Pressing::Impossible,
            up: None,
            open: None,
            queued: VecDeque::new(),
            last: None,
            pressed: ByColor::default(),
            unpressed: ByColor::default(),
            telling: Telling::default(),
            unanswered: 0,
            hidden: Some(0..=0),
            lateness: Lateness::default(),
        }
    }

    /// A press can be expected, or not.
    pub(super) fn expect(&mut self, pressing: Pressing) {
        self.pressing = pressing;
        self.telling.ran |= pressing == Pressing::Awaited;
    }

    /// That is known.
    pub(super) fn expects(&self, pressing: Pressing) -> bool {
        self.pressing == pressing
    }

    /// So many plies are followed that nobody has pressed. True if nobody waits for presses any more: none was ever heard.
    pub(super) fn follow(&mut self, unpressed: usize, most: usize) -> bool {
        let counts = self.pressing == Pressing::Awaited || !self.telling.ran;
        let falls_silent = self.tells() && !self.telling.heard && counts && unpressed >= most;
        self.telling.silent |= falls_silent;
        falls_silent
    }

    /// So many plies in a row were made while a clock ran that has told, and nobody has pressed. True if that is news.
    pub(super) fn miss(&mut self, unpressed: usize, most: usize) -> bool {
        let missed = self.pressing() == Pressing::Awaited && self.telling.heard && !self.is_open() && unpressed >= most;
        missed && !std::mem::replace(&mut self.telling.missed, true)
    }

    /// Somebody has said whether it tells.
    pub(super) fn trust(&mut self, tells: bool) {
        self.telling.silent = !tells;
    }

    /// A press has completed a ply: the clock tells, whatever it did before.
    pub(super) fn hear_press(&mut self) {
        self.telling = Telling { heard: true, ran: self.telling.ran, ..Telling::default() };
    }

    /// This end is up, or nobody can tell.
    pub(super) fn read(&mut self, up: Option<Face>) {
        self.up = up;
    }

    /// A game begins: nobody has pressed in it.
    pub(super) fn begin(&mut self) {
        self.last = None;
        self.telling = Telling { ran: self.pressing == Pressing::Awaited, ..Telling::default() };
    }

    /// The record is another one: no press is open.
    pub(super) fn reset(&mut self) {
        self.drop_open();
        self.unpressed = ByColor::default();
    }

    /// What was pressed is for no ply of this game.
    pub(super) fn drop_open(&mut self) {
        self.open = None;
        self.queued.clear();
    }

    /// Somebody presses. Gives who has pressed before, and whether this one is a bounce, whoever has pressed between.
    pub(super) fn touch(&mut self, side: Color, bounce: Millis, now: Millis) -> (Option<Color>, bool) {
        let before = self.pressed[side].replace(now);
        if before.is_some_and(|at| now < at + bounce) {
            return (self.last, true);
        }
        let last = self.last.replace(side);
        self.unanswered += usize::from(last != Some(side));
        (last, false)
    }

    /// These presses were not heard. If there was an odd number of them the last one is read off the lever.
    pub(super) fn miss_presses(&mut self, presses: &PressCount) {
        let before = self.hidden.take();
        if let (Some(before), PressCount::Counted { count, .. }) = (before, presses) {
            let shown = count.start() % 2;
            self.hidden = Some(before.start() + count.start() - shown..=before.end() + count.end() - shown);
        }
    }

    /// This press waits for its ply.
    pub(super) fn open(&mut self, press: OpenPress) {
        self.open = Some(press);
    }

    /// This press waits on top of those that are open.
    pub(super) fn queue(&mut self, press: OpenPress) {
        self.queued.push_back(press);
    }

    /// Takes the open press, and leaves none: whether the next one is open follows from what it is judged as.
    pub(super) fn take(&mut self) -> Option<OpenPress> {
        self.open.take()
    }

    /// The press on top is the open one from here on.
    pub(super) fn advance(&mut self) {
        self.open = self.queued.pop_front();
    }

    /// The presses on top are for nothing. True if there were any.
    pub(super) fn drop_queued(&mut self) -> bool {
        !std::mem::take(&mut self.queued).is_empty()
    }

    /// What is pressed is for none of the plies that are followed next.
    pub(super) fn put_aside(&mut self) -> VecDeque<OpenPress> {
        let open = self.open.take();
        open.into_iter().chain(std::mem::take(&mut self.queued)).collect()
    }

    /// It is for those that come now.
    pub(super) fn take_up(&mut self, presses: VecDeque<OpenPress>) {
        self.queued = presses;
        self.advance();
    }

    /// A ply of this player is in the record: an open press was for it, whatever else has made it final.
    pub(super) fn record(&mut self, mover: Color) {
        let pressed = self.open.take_if(|press| press.side == mover).is_some();
        (self.unanswered, self.hidden) = (0, Some(0..=0));
        if pressed {
            self.advance();
        }
        self.unpressed[mover] = !pressed;
    }

    /// The last ply of this player was not pressed, or was.
    pub(super) fn leave_unpressed(&mut self, side: Color, unpressed: bool) {
        self.unpressed[side] = unpressed;
    }

    /// The last ply of this player is completed by a press. True if it was not before.
    pub(super) fn complete(&mut self, side: Color) -> bool {
        std::mem::take(&mut self.unpressed[side])
    }

    /// How often it was pressed since a ply was followed, and who has the move on it.
    pub(super) fn count(&self) -> PressCount {
        let pressed = self.unanswered > 0 || self.hidden.as_ref().is_some_and(|hidden| *hidden.start() > 0);
        let Some(by) = self.last.filter(|_| pressed) else { return PressCount::Unknown };
        self.count_with(&PressCount::Counted { count: 0..=0, to_move: !by })
    }

    /// These presses, and those before them.
    pub(super) fn count_with(&self, later: &PressCount) -> PressCount {
        let PressCount::Counted { count, to_move } = later else { return later.clone() };
        let Some(hidden) = &self.hidden else { return PressCount::Unknown };
        let (least, most) = (self.unanswered + hidden.start(), self.unanswered + hidden.end());
        PressCount::Counted { count: least + count.start()..=most + count.end(), to_move: *to_move }
    }

    /// How often the one and the other in turn have pressed since a ply was followed.
    pub(super) fn unanswered(&self) -> usize {
        self.unanswered
    }

    /// The board is heard again: what is pressed has time from here on.
    pub(super) fn hear(&mut self, until: Millis) {
        for press in self.open.iter_mut().chain(&mut self.queued) {
            press.until = press.until.max(until);
        }
    }

    /// Whose clock runs, on a board that lies like this.
    pub(super) fn to_move(&self, lie: Lie) -> Option<Color> {
        self.up.map(|face| player_at(face, lie))
    }

    /// Whether a press can be expected. Nobody expects one of a clock that has never been heard to be pressed.
    pub(super) fn pressing(&self) -> Pressing {
        if self.telling.silent { Pressing::Impossible } else { self.pressing }
    }

    /// A player can press.
    pub(super) fn can_press(&self) -> bool {
        matches!(self.pressing(), Pressing::Awaited | Pressing::Needless)
    }

    /// Presses decide: a ply that nobody pressed is not final because it has stood for a while.
    pub(super) fn tells(&self) -> bool {
        matches!(self.pressing(), Pressing::Awaited | Pressing::Stopped)
    }

    /// A press can come, or the clock tells: no rest decides alone.
    pub(super) fn decides(&self) -> bool {
        self.can_press() || self.tells()
    }

    /// The clock tells that the game rests: both sides stand.
    pub(super) fn stands(&self) -> bool {
        self.pressing() == Pressing::Stopped
    }

    /// Somebody has pressed in this game.
    pub(super) fn was_pressed(&self) -> bool {
        self.last.is_some()
    }

    pub(super) fn is_open(&self) -> bool {
        self.open.is_some()
    }

    /// The opponent has pressed on top of the open press.
    pub(super) fn is_queued(&self) -> bool {
        !self.queued.is_empty()
    }

    /// The presses on top of the open one, the first first.
    pub(super) fn queued(&self) -> impl DoubleEndedIterator<Item = &OpenPress> + ExactSizeIterator {
        self.queued.iter()
    }

    /// How many presses wait for their plies, of the one side and the other in turn.
    pub(super) fn waiting(&self) -> usize {
        usize::from(self.is_open()) + self.queued.len()
    }

    /// Whose press waits on top of all others.
    pub(super) fn topmost(&self) -> Option<Color> {
        self.queued.back().or(self.open.as_ref()).map(|press| press.side)
    }

    pub(super) fn opened(&self) -> Option<&OpenPress> {
        self.open.as_ref()
    }

    /// The open press, if it is this player's.
    pub(super) fn opened_by(&self, side: Color) -> Option<&OpenPress> {
        self.open.as_ref().filter(|press| press.side == side)
    }

    /// The last ply of this player was not pressed.
    pub(super) fn is_unpressed(&self, side: Color) -> bool {
        self.unpressed[side]
    }
}

/// Who sits at this face: White at the left one while the board's connector is at White's left hand.
pub fn player_at(face: Face, lie: Lie) -> Color {
    match (face, lie) {
        (Face::Left, Lie::Straight) | (Face::Right, Lie::Turned) => Color::White,
        (Face::Right, Lie::Straight) | (Face::Left, Lie::Turned) => Color::Black,
    }
}
