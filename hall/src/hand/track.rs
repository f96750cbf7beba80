//! What was read on one square, laid beside what a line foretells for it: the cheapest way to tell the one by the other.

use std::ops::Range;

use protocol::board::Content;
use shakmaty::{Color, Piece, Square};

use super::weights as w;
use crate::{Millis, Settings};

/// More than hands do on one square in the plies that are weighed. What is more is forgotten from its beginning.
const MOST_SEEN: usize = 20;
const MOST_FORETOLD: usize = 8;
/// At any time.
pub(super) const ALWAYS: (Millis, Millis) = (0, Millis::MAX);
/// More than anything costs.
const DEAR: i32 = i32::MAX / 4;

/// What was read on one square, from the beginning on.
#[derive(Clone, Debug)]
pub(super) struct Track {
    pub(super) square: Square,
    /// What stands there where the line begins.
    pub(super) base: Option<Piece>,
    /// The square is known to read nothing.
    pub(super) blind: bool,
    /// The board names its men and shows no dumps: what it has not reported nobody will ever know.
    pub(super) mute: bool,
    pub(super) seen: Vec<Seen>,
}

/// From this moment on it was this.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen {
    pub(super) at: Millis,
    pub(super) is: Content,
    /// Since when nobody knows.
    pub(super) found: bool,
}

/// What a line foretells for a square: from which ply on who stands there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Foretold {
    pub(super) ply: usize,
    pub(super) man: Option<Piece>,
    /// What was read before the one or after the other was somebody else's doing.
    pub(super) within: (Millis, Millis),
}

/// What a square tells of a line.
#[derive(Debug)]
pub(super) struct Told {
    pub(super) square: Square,
    pub(super) cost: i32,
    /// What has come of all that was foretold.
    pub(super) came: Vec<Came>,
    /// The least that is paid for what was foretold and all that was read from the beginning up to each reading, and that
    /// reading's time: what is read later may be told by more that is foretold.
    least: Vec<(Millis, i32)>,
    /// Men that are read here and have not stopped here.
    pub(super) strays: Vec<Stray>,
    /// Who should stand here is in the air.
    pub(super) gone: Option<Gone>,
    /// Who has left is read here still.
    pub(super) stale: bool,
}

/// Whether what was foretold was read, and when, if anybody knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Came {
    pub(super) ply: usize,
    pub(super) man: Option<Piece>,
    pub(super) is_read: bool,
    /// What is paid if it was not.
    pub(super) paid: i32,
    pub(super) when: Option<Millis>,
}

/// A man was read where the line has none.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stray {
    pub(super) square: Square,
    pub(super) is: Content,
    pub(super) since: Millis,
    /// He stands there still, if there is no end to it.
    pub(super) until: Option<Millis>,
    pub(super) paid: i32,
}

/// A man that should stand here and was read is in the air.
#[derive(Clone, Copy, Debug)]
pub(super) struct Gone {
    pub(super) square: Square,
    pub(super) color: Color,
    /// Since when he was read.
    pub(super) stood: Millis,
    /// Since when he is gone.
    pub(super) since: Millis,
}

impl Gone {
    /// Who presses later than this has let go of him.
    pub(super) fn let_go_at(&self, settings: &Settings) -> Millis {
        self.since + settings.let_go_ms()
    }
}

/// What was read may be this man, or nobody.
pub(super) fn matches(content: Content, man: Option<Piece>) -> bool {
    match (content, man) {
        (Content::Empty, None) | (Content::Occupied, Some(_)) => true,
        (Content::Man(read), Some(man)) => read == man,
        (Content::Empty | Content::Occupied | Content::Man(_), _) => false,
    }
}

impl Told {
    /// What is paid at least, whatever may be foretold for later than this.
    pub(super) fn paid_by(&self, horizon: Millis) -> i32 {
        self.least.iter().find(|(at, _)| *at <= horizon).map_or(0, |(_, least)| *least)
    }
}

impl Track {
    /// The last readings only.
    pub(super) fn cut(mut self) -> Track {
        let more = (self.seen.len() + 1).saturating_sub(MOST_SEEN);
        self.seen.drain(..more);
        self
    }

    /// It has been empty for a moment, or reads nothing.
    pub(super) fn was_empty(&self) -> bool {
        self.blind || self.base.is_none() || self.seen.iter().any(|seen| seen.is == Content::Empty)
    }

    /// This man has landed there.
    pub(super) fn has_read(&self, man: Piece) -> bool {
        self.blind || self.seen.iter().any(|seen| matches(seen.is, Some(man)))
    }

    /// When it was read last.
    pub(super) fn read_at(&self) -> Option<Millis> {
        self.seen.last().map(|last| last.at)
    }

    /// When it was read empty first from this moment on, unless only a dump has told.
    pub(super) fn emptied_at(&self, since: Millis) -> Option<Millis> {
        let emptied = self.seen.iter().find(|seen| seen.is == Content::Empty && seen.at >= since);
        emptied.filter(|seen| !seen.found).map(|seen| seen.at)
    }

    /// Since when it is empty, if it is.
    pub(super) fn left_at(&self) -> Option<Millis> {
        self.seen.last().filter(|last| last.is == Content::Empty).map(|last| last.at)
    }

    /// Lays what was read beside what is foretold. Where men have `names` a square tells who takes another's place. What a
    /// man costs who stands where the line has none, from when to when, `visit` says.
    pub(super) fn lay(
        &self,
        foretold: &[Foretold],
        names: bool,
        now: Millis,
        visit: impl Fn(Content, Range<Millis>) -> i32,
    ) -> Told {
        let foretold = &foretold[..foretold.len().min(MOST_FORETOLD)];
        let until = self.seen.iter().skip(1).map(|next| next.at).chain([now]);
        let cost = |(seen, until): (&Seen, Millis)| (seen.is != Content::Empty).then(|| visit(seen.is, seen.at..until));
        let visits = self.seen.iter().zip(until).map(|seen| cost(seen).unwrap_or(0)).collect();
        let laying = Laying { track: self, foretold, names, visits };
        laying.tell(&laying.cheapest())
    }
}

/// How far the one is told by the other: so many changes have come true, so many readings are told, and what that makes of
/// the square.
type Point = (usize, usize, Reads);

/// What a square makes of the man who stands there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reads {
    /// He was not read, and nobody before him.
    Nobody,
    /// He was read, or nobody stands there.
    Him,
    /// He was not read, or has gone, and a man before had not been read either: the square is dead.
    Nothing,
    /// Nobody stands there, and he is read there still: that he left was never reported.
    Stale,
}

impl Reads {
    const ALL: [Reads; 4] = [Reads::Nobody, Reads::Him, Reads::Nothing, Reads::Stale];
}

/// The cheapest ways there are, each with the way it came.
struct Ways {
    /// So many readings there are, and the beginning.
    reads: usize,
    ways: Vec<[(i32, Way); Reads::ALL.len()]>,
}

/// What was told last, and what the square made of the man before.
#[derive(Clone, Copy)]
enum Way {
    Begins,
    /// What was foretold was read.
    CameTrue(Reads),
    /// It was not.
    Unread(Reads),
    /// What was read was not foretold.
    Unforetold(Reads),
}

impl Ways {
    fn at(&self, (step, read, made): Point) -> (i32, Way) {
        self.ways[step * self.reads + read][made as usize]
    }

    fn reach(&mut self, (step, read, made): Point, cost: i32, way: Way) {
        let known = &mut self.ways[step * self.reads + read][made as usize];
        // Of two readings that may be the one foretold the earlier is: what happened once more came after it.
        if cost < known.0 || cost == known.0 && matches!(way, Way::Unforetold(_)) {
            *known = (cost, way);
        }
    }
}

struct Laying<'a> {
    track: &'a Track,
    foretold: &'a [Foretold],
    names: bool,
    /// What each reading costs if nobody should stand there.
    visits: Vec<i32>,
}

impl Laying<'_> {
    fn cheapest(&self) -> Ways {
        let (steps, reads) = (self.foretold.len(), self.track.seen.len());
        let none = [(DEAR, Way::Begins); Reads::ALL.len()];
        let mut ways = Ways { reads: reads + 1, ways: vec![none; (steps + 1) * (reads + 1)] };
        let unread = self.track.blind && self.track.base.is_some();
        ways.reach((0, 0, if unread { Reads::Nobody } else { Reads::Him }), 0, Way::Begins);
        let points = (0..=steps).flat_map(|step| (0..=reads).map(move |read| (step, read)));
        for (step, read, made) in points.flat_map(|(step, read)| Reads::ALL.map(|made| (step, read, made))) {
            let (so_far, _) = ways.at((step, read, made));
            if so_far >= DEAR {
                continue;
            }
            let comes = |seen: &Seen, foretold: &Foretold| {
                let (after, until) = foretold.within;
                matches(seen.is, foretold.man) && (after..=until).contains(&seen.at)
            };
            if step < steps && read < reads && comes(&self.track.seen[read], &self.foretold[step]) {
                ways.reach((step + 1, read + 1, Reads::Him), so_far, Way::CameTrue(made));
            }
            if step < steps {
                let fits = self.fits(step, read);
                // Of two that may have been read the earlier one was.
                let sooner = i32::try_from(steps - step - 1).unwrap_or(0);
                let cost = so_far + self.unread(step + 1, fits, made) + sooner;
                ways.reach((step + 1, read, self.missed(step + 1, fits, made)), cost, Way::Unread(made));
            }
            if read < reads {
                let stands = matches(self.content(read + 1), self.man(step));
                let cost = so_far + self.unforetold(step, read, made);
                let now = match made {
                    Reads::Nothing if self.content(read + 1) == Content::Empty => Reads::Nothing,
                    _ if stands => Reads::Him,
                    // It has read somebody.
                    Reads::Nothing | Reads::Stale => Reads::Nobody,
                    Reads::Nobody | Reads::Him => made,
                };
                ways.reach((step, read + 1, now), cost, Way::Unforetold(made));
            }
        }
        ways
    }

    /// What is foretold next was so already after so many readings, and in time.
    fn fits(&self, step: usize, read: usize) -> bool {
        let Foretold { man, within: (_, until), .. } = self.foretold[step];
        matches(self.content(read), man) && read.checked_sub(1).is_none_or(|read| self.track.seen[read].at <= until)
    }

    /// What it costs that this was not read.
    fn unread(&self, step: usize, fits: bool, made: Reads) -> i32 {
        match self.man(step) {
            None if fits => 0,
            Some(_) if fits && !self.names => w::REPLACED,
            _ if self.track.blind || made == Reads::Nothing => w::BLIND,
            None if self.foretold[step - 1].within.1 < Millis::MAX => w::LOST_AND_READ,
            None => w::LOST,
            Some(_) if self.foretold.get(step).is_some_and(|next| next.man.is_some()) => w::UNREAD_TAKEN,
            Some(_) => w::UNREAD,
        }
    }

    /// What the square makes of one who was not read.
    fn missed(&self, step: usize, fits: bool, made: Reads) -> Reads {
        match self.man(step) {
            Some(_) if !fits && self.names => Reads::Nothing,
            None if fits && made == Reads::Nothing => Reads::Nothing,
            None if !fits && self.track.mute && made == Reads::Him => Reads::Stale,
            _ if fits => Reads::Him,
            _ => Reads::Nobody,
        }
    }

    /// What the next reading costs if it was not foretold.
    fn unforetold(&self, step: usize, read: usize, made: Reads) -> i32 {
        let (is, stands) = (self.content(read + 1), self.man(step));
        match (is, stands) {
            _ if matches(is, stands) && (made != Reads::Him || stands.is_none()) => 0,
            _ if matches(is, stands) && self.names => w::RETURNED,
            _ if matches(is, stands) => w::RETURNED_UNNAMED,
            (Content::Empty, _) => w::LIFTED,
            (Content::Man(_) | Content::Occupied, Some(_)) => w::STRANGE,
            (Content::Man(_) | Content::Occupied, None) => self.visits[read],
        }
    }

    /// What it costs that the square is as it is at the end.
    fn end(&self, made: Reads) -> i32 {
        let (is, stands) = (self.content(self.track.seen.len()), self.man(self.foretold.len()));
        match stands {
            _ if matches(is, stands) => 0,
            Some(_) if self.track.blind || made != Reads::Him => 0,
            Some(_) if is == Content::Empty => w::IN_AIR,
            Some(_) => w::STRANGE,
            None if made == Reads::Stale => 0,
            None => w::STANDS,
        }
    }

    fn tell(&self, ways: &Ways) -> Told {
        let (mut step, mut read) = (self.foretold.len(), self.track.seen.len());
        let cost = |made: Reads| ways.at((step, read, made)).0 + self.end(made);
        let [nobody, him, nothing, stale] = Reads::ALL;
        let mut made = [him, nobody, nothing, stale].into_iter().min_by_key(|made| cost(*made)).unwrap_or(him);
        let came = |&Foretold { ply, man, .. }: &Foretold| Came { ply, man, is_read: false, paid: 0, when: None };
        let mut told = Told {
            square: self.track.square,
            cost: cost(made),
            came: self.foretold.iter().map(came).collect(),
            least: self.least(ways),
            strays: Vec::new(),
            gone: self.gone(made),
            stale: made == Reads::Stale,
        };
        if self.man(step).is_none() && self.content(read) != Content::Empty && made != Reads::Stale {
            told.strays.push(self.stray(read, w::STANDS));
        }
        loop {
            let (_, way) = ways.at((step, read, made));
            match way {
                Way::Begins => return told,
                Way::CameTrue(before) => {
                    (step, read, made) = (step - 1, read - 1, before);
                    let seen = self.track.seen[read];
                    let when = (!seen.found).then_some(seen.at);
                    told.came[step] = Came { is_read: true, when, ..told.came[step] };
                }
                Way::Unread(before) => {
                    let man = self.man(step);
                    let fits = self.fits(step - 1, read);
                    let paid = self.unread(step, fits, before);
                    (step, made) = (step - 1, before);
                    told.came[step] = Came { is_read: man.is_none() || fits, paid, ..told.came[step] };
                }
                Way::Unforetold(before) => {
                    (read, made) = (read - 1, before);
                    if self.man(step).is_none() && self.content(read + 1) != Content::Empty {
                        told.strays.push(self.stray(read + 1, w::BESIDE));
                    }
                }
            }
        }
    }

    /// The least that is paid once all was foretold, by how many readings have to be told by then.
    fn least(&self, ways: &Ways) -> Vec<(Millis, i32)> {
        let mut least = DEAR;
        let read_at = |read: usize| read.checked_sub(1).map_or(0, |read| self.track.seen[read].at);
        let reads = (0..=self.track.seen.len()).rev().map(|read| {
            let made = Reads::ALL.map(|made| ways.at((self.foretold.len(), read, made)).0);
            least = made.into_iter().fold(least, i32::min);
            (read_at(read), least)
        });
        reads.collect()
    }

    fn stray(&self, read: usize, paid: i32) -> Stray {
        let since = read.checked_sub(1).map_or(0, |read| self.track.seen[read].at);
        let until = self.track.seen.get(read).map(|next| next.at);
        Stray { square: self.track.square, is: self.content(read), since, until, paid }
    }

    fn gone(&self, made: Reads) -> Option<Gone> {
        let man = self.man(self.foretold.len()).filter(|_| made == Reads::Him && !self.track.blind)?;
        let since = self.track.left_at()?;
        let stood = self.track.seen.iter().rev().nth(1).map_or(0, |stood| stood.at);
        Some(Gone { square: self.track.square, color: man.color, stood, since })
    }

    /// Who stands there after so many changes.
    fn man(&self, step: usize) -> Option<Piece> {
        step.checked_sub(1).map_or(self.track.base, |step| self.foretold[step].man)
    }

    /// What is read there after so many readings.
    fn content(&self, read: usize) -> Content {
        let base = || match self.track.base.filter(|_| !self.track.blind) {
            Some(man) if self.names => Content::Man(man),
            Some(_) => Content::Occupied,
            None => Content::Empty,
        };
        read.checked_sub(1).map_or_else(base, |read| self.track.seen[read].is)
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::Role;

    use super::*;

    const PAWN: Piece = Piece { color: Color::White, role: Role::Pawn };
    const KNIGHT: Piece = Piece { color: Color::Black, role: Role::Knight };

    fn track(base: Option<Piece>, seen: &[(Millis, Content)]) -> Track {
        let seen = seen.iter().map(|(at, is)| Seen { at: *at, is: *is, found: false }).collect();
        Track { square: Square::E4, base, blind: false, mute: false, seen }
    }

    fn lay(track: &Track, men: &[Option<Piece>]) -> Told {
        let foretold =
            men.iter().enumerate().map(|(ply, man)| Foretold { ply, man: *man, within: ALWAYS }).collect::<Vec<_>>();
        track.lay(&foretold, true, 9_000, |_, _| w::PASSED)
    }

    #[test]
    fn what_was_foretold_and_read_costs_nothing() {
        let told =
            lay(&track(None, &[(500, Content::Man(PAWN)), (900, Content::Man(KNIGHT))]), &[Some(PAWN), Some(KNIGHT)]);
        let came = told.came.iter().map(|came| (came.is_read, came.when)).collect::<Vec<_>>();
        assert_eq!((told.cost, came), (0, vec![(true, Some(500)), (true, Some(900))]));
    }

    #[test]
    fn a_man_that_nothing_has_read_is_paid_for_once() {
        let told = lay(&track(None, &[]), &[Some(PAWN), None]);
        assert_eq!((told.cost, told.came[0].is_read), (w::UNREAD + 1, false), "his leaving need not be read any more");
    }

    #[test]
    fn a_square_that_has_not_read_one_man_need_not_read_the_next() {
        let told = lay(&track(None, &[]), &[Some(PAWN), Some(KNIGHT)]);
        let paid = told.came.iter().map(|came| came.paid).collect::<Vec<_>>();
        assert_eq!(paid, [w::UNREAD_TAKEN, w::BLIND]);
        let men = [Some(PAWN), Some(KNIGHT), None, Some(PAWN)];
        let foretold = men.into_iter().enumerate().map(|(ply, man)| Foretold { ply, man, within: ALWAYS });
        let knight = track(None, &[(500, Content::Man(KNIGHT)), (900, Content::Empty)]);
        let read = knight.lay(&foretold.collect::<Vec<_>>(), true, 9_000, |_, _| w::STRANGE);
        assert_eq!(read.came[3].paid, w::UNREAD, "it has read one since");
    }

    #[test]
    fn a_man_that_passes_by_is_a_stray() {
        let told = lay(&track(None, &[(500, Content::Man(PAWN)), (600, Content::Empty)]), &[]);
        assert_eq!((told.cost, told.strays[0].until), (w::PASSED, Some(600)));
    }

    #[test]
    fn a_man_that_was_read_and_is_not_is_in_the_air() {
        let told = lay(&track(Some(PAWN), &[(500, Content::Empty)]), &[]);
        assert_eq!(told.gone.map(|gone| gone.since), Some(500));
    }
}
