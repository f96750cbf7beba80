//! What a press has found illegal may be no more than a man who is read beside his square until he moves on: the same hands
//! are thought of with him where he may stand, or may have stood for many plies, and heed all that is heard. Once they have
//! followed what was pressed on top of it to a board that is read as it stands, that was played.

use std::cmp::Reverse;

use protocol::board::{Content, WireSquare};
use shakmaty::{Bitboard, Chess, Color, Move, Position, Square};

use super::{
    deed::{Deed, Finished, Rethought},
    due,
    hands::Hands,
    likely::{plausibility, retold},
    moving::look,
    ordering,
    record::{after, play_all},
    sign::Sign,
    unlawful::{Misreading, Unlawful},
};
use crate::{Millis, Ply};

/// For so many plies a man may have been read beside his square.
const LONG_AGO: usize = 40;

/// All that may have been instead.
#[derive(Clone, Debug, Default)]
pub(super) struct Others {
    /// Of whose press, and when.
    about: Option<(Color, Millis)>,
    all: Vec<Otherwise>,
    /// The hands are one of them.
    have_taken_over: bool,
}

/// One of them.
#[derive(Clone, Debug)]
struct Otherwise {
    hands: Box<Hands>,
    /// Where he is taken to stand, by the first ply since.
    stands: Square,
    /// How he is read, if he still is.
    reading: Option<Beside>,
    /// What was found was a move that is not legal, or none.
    is_illegal: bool,
    is_idle: bool,
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
            other.reading.iter_mut().for_each(|reading| reading.note(sign, now));
            ordering::heed(&mut other.hands, sign);
        }
    }

    /// One of them may be right: then the hands are those, unless they have just cleared what was judged themselves. As long as
    /// he is not read where those have him, the others may still turn out to be; else it is past once the record is another.
    pub(super) fn compare(&mut self, hands: &mut Hands) {
        self.all.iter_mut().for_each(|other| other.come_to(hands.now()));
        self.all.retain(|other| !other.is_refuted && other.begins_so());
        let about = found(&hands.unlawful);
        let stands = hands.has_cleared() || self.have_taken_over && about.is_none();
        let right = if stands { Vec::new() } else { self.right() };
        let lines = right.iter().filter_map(|at| self.all[*at].line()).collect::<Vec<_>>();
        if let Some(at) = right.first() {
            self.all.swap_remove(*at).take_over(hands, lines);
            self.have_taken_over = true;
        }
        let moved_on = self.all.first().is_some_and(|other| other.since != hands.record.course().ply());
        if moved_on && !(self.have_taken_over && hands.squares.witnesses.is_misread()) {
            self.all.clear();
        }
        let is_free = right.is_empty() && (self.all.is_empty() || self.have_taken_over);
        if let Some(press) = about.filter(|_| is_free && about != self.about) {
            self.think_of(hands, press);
        }
        hands.unlawful.note_followed(!self.all.is_empty() && !self.have_taken_over);
    }

    /// All that what this press has found may have been instead.
    fn think_of(&mut self, hands: &Hands, press: (Color, Millis)) {
        let doubted = hands.unlawful.doubted();
        let beside = doubted.into_iter().flat_map(|doubted| doubted.meant.into_iter().map(move |at| (doubted, at)));
        let beside = beside.map(|(doubted, stands)| Otherwise::beside(hands, doubted, stands));
        let before = before(hands).into_iter().map(|told| Otherwise::before(hands, press, &told));
        *self = Others { about: Some(press), all: beside.chain(before).collect(), have_taken_over: false };
    }

    /// Those that are right, the likeliest first. Where a man was put others may have moved him to: unless his reading has
    /// jumped, what is played next will tell.
    fn right(&self) -> Vec<usize> {
        let explains = |at: &usize| self.all[*at].explains(self.all.len());
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
    fn beside(judged: &Hands, doubted: &Misreading, stands: Square) -> Otherwise {
        let [read, meant] = [doubted.read, stands].map(|square| WireSquare::under(square, judged.squares.lie()));
        let man = judged.squares.wire().get(read);
        let reading = Beside { man, read, stands: meant, left_at: None, came_at: None };
        let place = |hands: &mut Hands| hands.squares.misread(doubted.read, stands);
        Otherwise::begin(judged, (doubted.side, doubted.pressed), stands, Some(reading), place)
    }

    /// The same if a man who moved or was taken then had stood beside the square where he was read, since so many plies.
    fn before(judged: &Hands, press: (Color, Millis), (told, played): &(Vec<Move>, Move)) -> Otherwise {
        let retell = |hands: &mut Hands| hands.rewrite(Rethought::WentOn { released: None }, told);
        Otherwise::begin(judged, press, played.to(), None, retell)
    }

    fn begin(
        judged: &Hands,
        (side, pressed): (Color, Millis),
        stands: Square,
        reading: Option<Beside>,
        assume: impl FnOnce(&mut Hands),
    ) -> Otherwise {
        let (since, is_illegal) = (judged.record.course().ply(), judged.unlawful.is_illegal());
        let is_idle = judged.unlawful.idler().is_some();
        let mut hands = Box::new(judged.clone());
        hands.drain(&mut Vec::new());
        assume(&mut hands);
        hands.take_up_press(side, pressed);
        look(&mut hands);
        let mut other =
            Otherwise { hands, stands, reading, is_illegal, is_idle, since, deeds: Vec::new(), is_refuted: false };
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

    /// All men fit, and no press is for anything else. They are read where they stand, or players who have long gone on from
    /// it tell as much: the more could be, the longer.
    fn explains(&self, of: usize) -> bool {
        let Hands { seen, squares, lever, .. } = &*self.hands;
        let is_read = self.reading.is_some() && !squares.witnesses.is_misread();
        let told =
            || self.line().is_some_and(|line| line.len() > of && (self.is_idle || self.is_long(line.len() / of)));
        seen.fits() && (is_read || told()) && !lever.is_open()
    }

    /// So many plies tell that the players had long gone on from it.
    fn is_long(&self, plies: usize) -> bool {
        plies > self.hands.settings.unpressed_plies_max
    }

    /// The opponent has replied and pressed, and the board shows where that has led.
    fn is_right(&self) -> bool {
        let Hands { record, squares, seen, .. } = &*self.hands;
        let is_answered = record.course().ply() > self.since.next();
        is_answered && seen.tail().is_empty() && squares.shows(record.board())
    }

    /// The first ply since has put him there. Where he is only read beside, the press has completed it at once.
    fn begins_so(&self) -> bool {
        let is_awaited = self.is_idle || self.reading.is_none();
        self.line().map_or(is_awaited, |line| line.first().is_some_and(|first| first.to() == self.stands))
    }

    /// What was played since, and on what.
    fn played(&self) -> Option<(&Chess, Vec<Move>)> {
        let record = &self.hands.record;
        record.since(self.since.next()).filter(|_| record.ply() > self.since)
    }

    fn line(&self) -> Option<Vec<Move>> {
        self.played().map(|(_, moves)| moves)
    }

    /// How likely that is, by what players do.
    fn likelihood(&self) -> Option<i32> {
        let Hands { record, settings, .. } = &*self.hands;
        let (root, line) = self.played()?;
        let last = record.since(self.since).and_then(|(_, moves)| moves.first().copied());
        Some(plausibility(settings.habits, root, last, &line))
    }

    /// They were right, or all that have played these lines may have been.
    fn take_over(self, hands: &mut Hands, lines: Vec<Vec<Move>>) {
        let (is_held, stays_offence) = (hands.seen.is_held(), self.was_put_right(lines.first().map_or(0, Vec::len)));
        let told = hands.record.course().ply();
        hands.give_way(*self.hands);
        if is_held {
            hands.say(Deed::Held(Bitboard::EMPTY));
        }
        if !stays_offence {
            hands.say(Deed::Unfounded(self.stands.into()));
        }
        if told != self.since {
            // Others of these had been taken for right.
            let record = hands.record.course().clone();
            hands.say(Deed::Rewritten { why: Rethought::WentOn { released: None }, record });
        } else {
            if lines.len() > 1 {
                hands.say(Deed::Undecided { lines, news: true });
            }
            self.deeds.into_iter().for_each(|deed| hands.say(deed));
        }
        hands.say_seen();
    }

    /// Somebody has put the man right, which leaves an offence what it was, unless the players had long gone on from it.
    fn was_put_right(&self, plies: usize) -> bool {
        let by_hand = self.is_illegal || !self.has_jumped();
        let came = self.reading.is_some_and(|reading| reading.came_at.is_some());
        came && by_hand && !self.is_long(plies)
    }

    /// His reading has come from the square beside within a scan.
    fn has_jumped(&self) -> bool {
        let jump = self.reading.and_then(|reading| reading.left_at.zip(reading.came_at));
        let Some((left, came)) = jump else { return false };
        self.hands.squares.evidence.jumps(left, came, &self.hands.settings)
    }
}

/// Whose press has found something, and when.
fn found(unlawful: &Unlawful) -> Option<(Color, Millis)> {
    let doubted = unlawful.doubted().map(|doubted| (doubted.side, doubted.pressed));
    doubted.or_else(|| unlawful.accused()).or_else(|| unlawful.idler())
}

/// The last plies told with a man beside the square where he was read, from which a legal move leads to the board, and that
/// move.
fn before(hands: &Hands) -> Vec<(Vec<Move>, Move)> {
    let Hands { record, squares, lost, .. } = hands;
    if lost.stories.is_some() {
        // What waits with them is no record.
        return Vec::new();
    }
    let told_from = |back: usize| {
        let (before, since) = record.since(record.ply().back(back))?;
        let (went, later) = (since[0], &since[1..]);
        let read = went.to();
        let is_gone = !squares.occupied().contains(read) || squares.changed_at(read) >= lost.placed_at;
        let moved_on = |played: &Move| played.from() == Some(read) || played.to() == read;
        if !is_gone || went.is_castle() || later.iter().any(moved_on) {
            return None;
        }
        let beside = |other: &Move| other.from() == went.from() && other.to().distance(read) == 1 && !other.is_castle();
        let told = before.legal_moves().into_iter().filter(beside).filter_map(|other| {
            let told = retold(before, other, read, later)?;
            let root = play_all(before, &told)?;
            let fits = |played: &Move| squares.shows(after(&root, *played).board());
            let played = root.legal_moves().into_iter().find(fits)?;
            Some((told, played))
        });
        Some(told.collect::<Vec<_>>())
    };
    (0..LONG_AGO).filter_map(told_from).flatten().collect()
}
