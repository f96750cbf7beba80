//! What a press has found illegal may be no more than a man who is read beside his square until he moves on: the same hands
//! are thought of with him where he may stand, and heed all that is heard. Once they have followed what was pressed on top
//! of it to a board that is read as it stands, that was played.

use std::cmp::Reverse;

use protocol::board::{Content, WireSquare};
use shakmaty::{Bitboard, Color, Move, Square};

use super::{
    deed::{Deed, Finished},
    due,
    hands::Hands,
    likely::plausibility,
    moving::look,
    ordering,
    sign::Sign,
    unlawful::Misreading,
};
use crate::{Millis, Ply};

/// All that may have been instead.
#[derive(Clone, Debug, Default)]
pub(super) struct Others {
    /// Of whose press, and when.
    about: Option<(Color, Millis)>,
    all: Vec<Otherwise>,
}

/// One of them.
#[derive(Clone, Debug)]
struct Otherwise {
    hands: Box<Hands>,
    /// Where he is taken to stand.
    stands: Square,
    /// How he is read.
    reading: Beside,
    /// What was found was a move that is not legal.
    is_illegal: bool,
    /// The record when it was judged.
    since: Ply,
    /// What has become final since, and which squares read nothing.
    deeds: Vec<Deed>,
    /// They have come to nothing.
    is_refuted: bool,
}

/// A man who is read on one socket, and may stand on another.
#[derive(Clone, Copy, Debug)]
struct Beside {
    man: Content,
    read: WireSquare,
    stands: WireSquare,
    /// When he has left the one, and come to the other.
    left_at: Option<Millis>,
    came_at: Option<Millis>,
}

impl Beside {
    fn note(&mut self, sign: &Sign, now: Millis) {
        let is = |asked: WireSquare| {
            if let Sign::Board(contents) = sign {
                return Some(contents.get(asked));
            }
            let Sign::Square(square, content) = sign else { return None };
            Some(*content).filter(|_| *square == asked)
        };
        if self.came_at.is_none() && is(self.read) == Some(Content::Empty) {
            self.left_at = Some(now);
        }
        if is(self.stands) == Some(self.man) {
            self.came_at.get_or_insert(now);
        }
    }
}

impl Others {
    /// All of them hear what is heard.
    pub(super) fn heed(&mut self, sign: &Sign, now: Millis) {
        for other in &mut self.all {
            other.come_to(now);
            other.reading.note(sign, now);
            ordering::heed(&mut other.hands, sign);
        }
    }

    /// One of them may be right: then the hands are those, unless they have just cleared what was judged themselves. It is past
    /// once the record is another one.
    pub(super) fn compare(&mut self, hands: &mut Hands) {
        self.all.iter_mut().for_each(|other| other.come_to(hands.now()));
        self.all.retain(|other| !other.is_refuted && other.begins_so());
        let right = if hands.has_cleared() { Vec::new() } else { self.right() };
        let lines = right.iter().filter_map(|at| self.all[*at].line()).collect::<Vec<_>>();
        if let Some(at) = right.first() {
            self.all.swap_remove(*at).take_over(hands, lines);
        }
        if self.all.first().is_some_and(|other| other.since != hands.record.course().ply()) {
            self.all.clear();
        }
        let doubted = hands.unlawful.doubted().copied().filter(|_| self.all.is_empty());
        let about = doubted.map(|doubted| (doubted.side, doubted.pressed));
        if about.is_some() && about != self.about {
            let may_be = |doubted: Misreading| doubted.meant.into_iter().map(move |stands| (doubted, stands));
            let all = doubted.into_iter().flat_map(may_be);
            self.all = all.map(|(doubted, stands)| Otherwise::begin(hands, &doubted, stands)).collect();
            self.about = about;
        }
        hands.unlawful.note_followed(!self.all.is_empty());
    }

    /// Those that are right, the likeliest first. Where a man was put others may have moved him to: unless his reading has
    /// jumped, what is played next will tell.
    fn right(&self) -> Vec<usize> {
        let explains = |at: &usize| self.all[*at].explains();
        let mut all = (0..self.all.len()).filter(explains).collect::<Vec<_>>();
        if all.iter().any(|at| self.all[*at].has_jumped()) {
            all.retain(|at| self.all[*at].has_jumped());
        }
        if !all.iter().all(|at| self.all[*at].is_right()) {
            return Vec::new();
        }
        all.sort_by_cached_key(|at| Reverse(self.all[*at].likelihood()));
        all
    }
}

impl Otherwise {
    /// The hands as they would be if the man stood there when he was judged.
    fn begin(judged: &Hands, doubted: &Misreading, stands: Square) -> Otherwise {
        let (since, is_illegal) = (judged.record.course().ply(), judged.unlawful.is_illegal());
        let [read, meant] = [doubted.read, stands].map(|square| WireSquare::under(square, judged.squares.lie()));
        let man = judged.squares.wire().get(read);
        let reading = Beside { man, read, stands: meant, left_at: None, came_at: None };
        let mut hands = Box::new(judged.clone());
        hands.drain(&mut Vec::new());
        hands.squares.misread(doubted.read, stands);
        hands.take_up_press(doubted.side, doubted.pressed);
        look(&mut hands);
        let mut other = Otherwise { hands, stands, reading, is_illegal, since, deeds: Vec::new(), is_refuted: false };
        other.come_to(judged.now());
        other
    }

    /// What is due by now is done.
    fn come_to(&mut self, now: Millis) {
        let mut deeds = Vec::new();
        while due::wake(&mut self.hands, now, |_| false) {}
        self.hands.come_to(now);
        self.hands.drain(&mut deeds);
        deeds.into_iter().for_each(|deed| self.note(deed));
    }

    fn note(&mut self, deed: Deed) {
        match deed {
            // What the players have touched meanwhile nobody asks.
            Deed::Final { record, made } => {
                let made =
                    Finished { touch: None, released: None, exchanged: None, duty: None, two_hands: false, ..made };
                self.deeds.push(Deed::Final { record, made });
            }
            Deed::Rewritten { .. } | Deed::Completed(..) | Deed::Faulty { .. } | Deed::Sound(_) => {
                self.deeds.push(deed)
            }
            Deed::Seen(_)
            | Deed::Touched { .. }
            | Deed::Restored
            | Deed::TwoHands(_)
            | Deed::Confirmed
            | Deed::Withdrawn { .. }
            | Deed::Unfounded(_)
            | Deed::TouchedOutOfTurn(..)
            | Deed::Held(_)
            | Deed::ClockSilent
            | Deed::AskDump => {}
            Deed::Set(_)
            | Deed::Gap { .. }
            | Deed::Undecided { .. }
            | Deed::Knocked(_)
            | Deed::Pressed(..)
            | Deed::Stood { .. }
            | Deed::OutOfTurn(_)
            | Deed::Mismatched(_)
            | Deed::Takeback(_)
            | Deed::Signalled(_)
            | Deed::NewGame { .. }
            | Deed::Mended { .. }
            | Deed::Reopened(_) => self.is_refuted = true,
        }
    }

    /// All men are read where they stand, and fit, and no press is for anything else.
    fn explains(&self) -> bool {
        let Hands { seen, squares, lever, .. } = &*self.hands;
        seen.fits() && !squares.witnesses.is_misread() && !lever.is_open()
    }

    /// The opponent has replied and pressed, and the board shows where that has led.
    fn is_right(&self) -> bool {
        let Hands { record, squares, seen, .. } = &*self.hands;
        let is_answered = record.course().ply() > self.since.next();
        is_answered && seen.tail().is_empty() && squares.misfit_ignoring_air(record.board()).is_empty()
    }

    /// The first ply since has put him there.
    fn begins_so(&self) -> bool {
        self.line().is_none_or(|line| line.first().is_none_or(|first| first.to() == self.stands))
    }

    /// What was played since.
    fn line(&self) -> Option<Vec<Move>> {
        self.hands.record.since(self.since.next()).map(|(_, moves)| moves)
    }

    /// How likely that is, by what players do.
    fn likelihood(&self) -> Option<i32> {
        let Hands { record, settings, .. } = &*self.hands;
        let (root, line) = record.since(self.since.next())?;
        let last = record.since(self.since).and_then(|(_, moves)| moves.first().copied());
        Some(plausibility(settings.habits, root, last, &line))
    }

    /// They were right, or all that have played these lines may have been.
    fn take_over(self, hands: &mut Hands, lines: Vec<Vec<Move>>) {
        let (is_held, stays_offence) = (hands.seen.is_held(), self.was_put_right(lines.first().map_or(0, Vec::len)));
        hands.give_way(*self.hands);
        if is_held {
            hands.say(Deed::Held(Bitboard::EMPTY));
        }
        if !stays_offence {
            hands.say(Deed::Unfounded(self.stands.into()));
        }
        if lines.len() > 1 {
            hands.say(Deed::Undecided { lines, news: true });
        }
        self.deeds.into_iter().for_each(|deed| hands.say(deed));
        hands.say_seen();
    }

    /// Somebody has put the man right, which leaves an offence what it was, unless so many plies tell that the players had long
    /// gone on from it.
    fn was_put_right(&self, plies: usize) -> bool {
        let by_hand = self.is_illegal || !self.has_jumped();
        self.reading.came_at.is_some() && by_hand && plies <= self.hands.settings.unpressed_plies_max
    }

    /// His reading has come from the square beside within a scan.
    fn has_jumped(&self) -> bool {
        let Some((left, came)) = self.reading.left_at.zip(self.reading.came_at) else { return false };
        self.hands.lost.left_by(left, came).abs_diff(came) <= self.hands.settings.scan_ms
    }
}
