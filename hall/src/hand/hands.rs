//! All that is known of the hands at one table, put together: parts that each own what they know, and what can only be
//! told from several of them.

use std::ops::Range;

use protocol::board::Lie;
use shakmaty::{Bitboard, CastlingMode, Chess, Color, Move, Piece, Position, Square};

use super::{
    deed::Beyond, deed::Deed, deed::Hole, deed::Rethought, edges::Edges, evidence::Reading, explain, hearing::Hearing,
    hearing::Unheard, lever::Lever, lever::OpenPress, lost::Lost, made::footprint, making::Making, opening::Opening,
    record::CENTRE, record::Record, record::after, record::play_all, seen::Seen, squares::Squares, squares::difference,
    stories::Stories, touch::Touches, unlawful::Unlawful,
};
use crate::{Millis, Ply, Settings};

/// The parts, and what this round concludes.
#[derive(Clone, Debug)]
pub(super) struct Hands {
    pub(super) settings: Settings,
    round: Round,
    pub(super) record: Record,
    pub(super) squares: Squares,
    pub(super) touches: Touches,
    pub(super) making: Making,
    pub(super) seen: Seen,
    pub(super) lever: Lever,
    pub(super) unlawful: Unlawful,
    pub(super) edges: Edges,
    pub(super) hearing: Hearing,
    pub(super) lost: Lost,
}

/// One sign, order or wake.
#[derive(Clone, Debug, Default)]
struct Round {
    now: Millis,
    deeds: Vec<Deed>,
}

impl Hands {
    /// No game yet.
    pub(super) fn new(settings: Settings) -> Hands {
        Hands {
            settings,
            round: Round::default(),
            record: Record::new(),
            squares: Squares::new(Lie::Straight),
            touches: Touches::default(),
            making: Making::default(),
            seen: Seen::default(),
            lever: Lever::new(),
            unlawful: Unlawful::default(),
            edges: Edges::default(),
            hearing: Hearing::default(),
            lost: Lost::default(),
        }
    }

    /// From here on these thresholds count.
    pub(super) fn set(&mut self, settings: Settings) {
        self.settings = settings;
    }

    /// It is so late.
    pub(super) fn come_to(&mut self, now: Millis) {
        self.round.now = now;
    }

    /// Concludes something.
    pub(super) fn say(&mut self, deed: Deed) {
        self.round.deeds.push(deed);
    }

    /// What this round concludes. If it is anything, whether what is seen ends the game is an open question again.
    pub(super) fn drain(&mut self, out: &mut Vec<Deed>) {
        if !self.round.deeds.is_empty() {
            self.seen.note_end(None);
        }
        out.append(&mut self.round.deeds);
    }

    /// What a press had found wrong was found to be the sensors' doing in this round.
    pub(super) fn has_cleared(&self) -> bool {
        self.round.deeds.iter().any(|deed| matches!(deed, Deed::Withdrawn { .. } | Deed::Unfounded(_)))
    }

    /// These were right, and not what was concluded in this round.
    pub(super) fn give_way(&mut self, others: Hands) {
        let round = Round { now: self.now(), deeds: Vec::new() };
        *self = Hands { round, settings: self.settings.clone(), ..others };
    }

    /// Shows this line beyond the record.
    pub(super) fn show(&mut self, tail: Vec<Move>) {
        if self.seen.show(tail, self.lever.stands() && self.just_stopped_at().is_none()) {
            if self.lever.follow(self.seen.followed.len() + self.seen.tail().len(), self.settings.clock_silent_plies) {
                self.commit();
            }
            if self.lever.miss(self.unpressed_in_a_row(), self.settings.clock_silent_plies) {
                self.say(Deed::ClockSilent);
            }
            self.say_seen();
        }
    }

    /// How many of the last plies were made while the clock ran and could have been pressed, and nobody did.
    fn unpressed_in_a_row(&self) -> usize {
        let below = self.seen.followed.plies().iter().map(|ply| (ply.pressed, ply.is_unpressed() && !ply.at_rest));
        let tail = self.seen.tail().iter().zip(self.seen.at_rest());
        let tail = tail.map(|(played, at_rest)| (false, !at_rest && !self.is_unheard(*played)));
        below.chain(tail).rev().take_while(|(pressed, _)| !pressed).filter(|(_, counts)| *counts).count()
    }

    /// Whatever of the plies that are followed need wait no longer is final.
    pub(super) fn commit(&mut self) {
        self.make_final(self.settled().min(self.below_guess()));
    }

    /// The same, though it is not known where one of their men has stopped: the likeliest is what was played.
    pub(super) fn commit_guess(&mut self) {
        self.make_final(self.settled());
    }

    /// How many of the plies that are followed need not wait for a press any longer.
    pub(super) fn settled(&self) -> usize {
        match (self.lever.tells(), self.is_closed()) {
            (true, _) => self.seen.followed.settled(self.settings.unpressed_plies_max),
            (false, true) => 0,
            (false, false) => self.seen.followed.len(),
        }
    }

    /// The game was closed where no press tells whether it goes on: nothing of what hands do is final until somebody says so.
    pub(super) fn is_closed(&self) -> bool {
        !self.lever.tells() && self.seen.followed.closed_after().is_some()
    }

    /// How many of the plies that are followed lie below one of which nobody knows where its man has stopped.
    fn below_guess(&self) -> usize {
        let ply = self.record.course().ply();
        let open = self.lost.guess.as_ref().filter(|guess| !guess.others.is_empty() && guess.ply > ply);
        open.map_or(usize::MAX, |guess| guess.ply.since(ply.next()))
    }

    /// The first of the plies that are followed are final.
    pub(super) fn make_final(&mut self, plies: usize) {
        let marked = self.off_clock();
        for ply in self.seen.followed.take(plies) {
            self.record.settle();
            self.say(Deed::Final { record: self.record.course().clone(), made: ply.finished });
        }
        if marked != self.off_clock() {
            self.say_seen();
        }
    }

    /// So many of the last moves were these instead. What is only followed was never said to be final.
    pub(super) fn rewrite(&mut self, why: Rethought, moves: &[Move]) {
        let open = self.seen.followed.len().min(moves.len());
        self.seen.followed.replace_last(&moves[moves.len() - open..]);
        self.record.rewrite(moves.len(), moves, self.settings.plies_rethought);
        if open < moves.len() {
            self.say(Deed::Rewritten { why, record: self.record.course().clone() });
        }
        if open > 0 {
            let (root, tail) = (self.record.position(), self.seen.tail());
            let playable = (0..=tail.len()).rev().find(|plies| play_all(root, &tail[..*plies]).is_some());
            let tail = tail[..playable.unwrap_or(0)].to_vec();
            self.seen.show(tail, self.lever.stands());
            self.say_seen();
        }
    }

    /// Says what is seen beyond the record.
    pub(super) fn say_seen(&mut self) {
        let (moves, hole, off_clock) = (self.beyond_record(), self.beyond_hole(), self.off_clock());
        self.say(Deed::Seen(Beyond { moves, hole, off_clock, at_rest: self.lever.stands() }));
    }

    /// The board is explained again, unless somebody has to say by what.
    pub(super) fn release(&mut self) {
        if !self.is_undecided() && self.seen.release() {
            self.say(Deed::Held(Bitboard::EMPTY));
        }
    }

    /// The board can't be explained: these squares differ. True if that is news.
    pub(super) fn hold(&mut self, squares: Bitboard) -> bool {
        let news = self.seen.hold();
        if news {
            self.say(Deed::Held(squares));
        }
        news
    }

    /// Nobody asks any more which story it was: the record is what was final before.
    pub(super) fn drop_stories(&mut self) {
        if self.lost.stories.is_some() {
            self.lost.drop_stories();
            self.record.return_to_end();
        }
    }

    /// The record has moved on, and what is seen on top of it stays.
    pub(super) fn move_on(&mut self) {
        let ahead = self.seen.tail().iter().flat_map(|played| footprint(*played)).collect();
        self.squares.name(self.record.board());
        self.squares.move_on(self.record.board(), ahead);
    }

    /// Something unlawful was found, by the press of this player; what is put back from here on does not count.
    pub(super) fn find_unlawful(&mut self, accused: Option<(Color, Millis)>) {
        self.unlawful.find(accused, self.now());
        self.touches.excuse(true);
    }

    /// It was not unlawful after all: what is put back counts again.
    pub(super) fn forget_unlawful(&mut self) {
        self.unlawful.reset();
        self.touches.excuse(false);
    }

    /// Nothing was unlawful, and the press that was heard then waits for its ply.
    pub(super) fn take_up_press(&mut self, side: Color, at: Millis) {
        self.forget_unlawful();
        let (now, settings) = (self.now(), &self.settings);
        self.lever.open(OpenPress::waiting(side, at, now + settings.press_after_ms));
        for (side, at) in self.squares.evidence.presses(at) {
            if self.lever.topmost() != Some(side) {
                self.lever.queue(OpenPress::waiting(side, at, now + settings.press_queued_ms));
            }
        }
    }

    /// The board is asked for a dump.
    pub(super) fn ask(&mut self) {
        self.hearing.ask(self.now());
        self.say(Deed::AskDump);
    }

    /// A dump that was asked for has not come.
    pub(super) fn awaits_dump(&self) -> bool {
        self.hearing.asked_at().is_some_and(|asked| asked > self.squares.evidence.surveyed_at())
    }

    /// The position moves on, and the turn with it. The ply may have been pressed.
    pub(super) fn pass(&mut self, played: Move, placed: Millis, pressed: Option<Millis>) {
        let mover = self.record.turn();
        if self.lost.stories.is_some() {
            self.record.wait(played, self.settings.plies_rethought);
        } else {
            self.record.follow(played, self.settings.plies_rethought);
        }
        self.making.pass(mover);
        self.touches.excuse(false);
        // For touches the turn passes when the ply has rested, or is pressed.
        let passed = self.now().min(placed + self.settings.release_dwell_ms);
        // Who was taken, or went to where he stands, is in nobody's hand, though nothing else has told where he is.
        let (squares, board) = (&self.squares, self.record.board());
        let stands = |from, man| board.piece_at(from) == Some(man);
        let in_air = |from| squares.lifted().iter().any(|lifted| lifted.from == from);
        let moved = |from, man: Piece| man.color != mover && squares.reached(from).is_some();
        self.touches.pass(passed, |from, man| in_air(from) && stands(from, man) || moved(from, man));
        self.lever.record(mover);
        self.hearing.trust();
        self.lost.place(placed, pressed);
        self.squares.place(self.record.ply(), played.to(), placed, pressed);
        self.unlawful.pass();
    }

    /// The last plies that were only followed were not played.
    pub(super) fn unfollow(&mut self, plies: usize) {
        (0..plies).for_each(|_| self.record.withdraw());
        self.seen.followed.drop_last(plies);
    }

    /// The turn begins anew.
    pub(super) fn begin_turn(&mut self) {
        self.making = Making::default();
    }

    /// What was touched since a silence belongs to the plies on top of what was not heard.
    pub(super) fn take_up(&mut self, (touches, turn): (Touches, Making)) {
        self.touches = touches;
        self.making = turn;
    }

    /// The board lies the other way round.
    pub(super) fn turn_round(&mut self, turned: Squares) {
        self.squares = turned;
    }

    /// What was played while nothing was heard, or by hands nobody could follow, is not found out: the board has rested
    /// and nothing leads to it, or the game closes.
    pub(super) fn admit_gap(&mut self, lost: bool) {
        if self.edges.is_on() && (lost || self.hearing.is_gap() || self.lost.stories.is_some()) {
            self.say(Deed::Gap { plies: 0, others: Vec::new() });
        }
    }

    pub(super) fn now(&self) -> Millis {
        self.round.now
    }

    /// Everything that is seen beyond the record, up to the first hole in it.
    pub(super) fn beyond_record(&self) -> Vec<Move> {
        match &self.lost.stories {
            None => self.above_final(self.seen.tail()),
            Some(Stories { hole: Some(hole), .. }) => self.above_final(&hole.seen),
            Some(Stories { lines, .. }) => {
                let story = lines.first().map_or(&[][..], Vec::as_slice);
                self.above_final(&[story, self.seen.tail()].concat())
            }
        }
    }

    /// What is seen beyond a hole.
    fn beyond_hole(&self) -> Option<Hole> {
        let Stories { base, lines, .. } = self.lost.stories.as_ref().filter(|stories| stories.hole.is_some())?;
        let kept = lines.first().map_or(&[][..], Vec::as_slice);
        Some(Hole { from: base.clone(), moves: [kept, self.seen.tail()].concat(), kept: kept.len() })
    }

    /// When the clock was stopped, while squares still tell of what stood there by then: a board takes a scan to read
    /// them.
    pub(super) fn just_stopped_at(&self) -> Option<Millis> {
        let behind = self.settings.scan_ms + self.lever.lateness.ms(&self.settings);
        self.seen.followed.stopped_at().filter(|at| self.now() <= at + behind)
    }

    /// Why plies may have been played of which the board has not told. It is asked then, and one that shows nothing is taken
    /// at its word.
    pub(super) fn doubt(&self) -> Option<Unheard> {
        self.hearing.doubt().filter(|doubt| self.now() < doubt.since + self.settings.press_unseen_ms)
    }

    /// Only a dump has told of this ply.
    pub(super) fn is_unheard(&self, played: Move) -> bool {
        footprint(played).is_subset(self.squares.found())
    }

    /// Something was found wrong, and the players have pressed more plies on top of that than a press may complete, or have
    /// made them where no clock tells: for them the board is right as it is.
    pub(super) fn plays_on(&self) -> bool {
        let Some(since) = self.unlawful.stands_since() else { return false };
        let plies = if self.lever.tells() {
            self.lever.unanswered() + self.lost.presses_in_gap()
        } else {
            self.squares.evidence.turns_taken(since)
        };
        plies > self.settings.unpressed_plies_max
    }

    /// There is a hole in what leads to the board.
    pub(super) fn has_hole(&self) -> bool {
        self.lost.stories.as_ref().is_some_and(|stories| stories.hole.is_some())
    }

    /// So little was played on top of what nobody has heard that nobody is judged by it.
    pub(super) fn stands_on_little(&self) -> bool {
        self.lost.stories.as_ref().is_some_and(|stories| stories.is_young(self.settings.unpressed_plies_max))
    }

    /// This line with what is followed below it: everything beyond what is final.
    pub(super) fn above_final(&self, line: &[Move]) -> Vec<Move> {
        self.seen.followed.moves().chain(line.iter().copied()).collect()
    }

    /// The same of several lines.
    pub(super) fn all_above_final(&self, lines: &[Vec<Move>]) -> Vec<Vec<Move>> {
        lines.iter().map(|line| self.above_final(line)).collect()
    }

    /// How many of the plies beyond the record the clock did not count: those that were made while it stood, and those on
    /// top of as many that nobody pressed as a press may complete.
    pub(super) fn off_clock(&self) -> usize {
        if !self.lever.tells() {
            return 0;
        }
        let below = self.seen.followed.plies().iter().map(|ply| (ply.is_unpressed(), ply.at_rest));
        let tail = self.seen.tail().iter().zip(self.seen.at_rest());
        let tail = tail.map(|(played, at_rest)| (!self.is_unheard(*played), *at_rest));
        let marked = |unpressed: &mut usize, (is_unpressed, at_rest): (bool, bool)| {
            *unpressed += usize::from(is_unpressed);
            Some(at_rest || is_unpressed && *unpressed > self.settings.unpressed_plies_max)
        };
        below.chain(tail).scan(0, marked).filter(|marked| *marked).count()
    }

    /// Somebody has to say which story it was, or whether it was that one.
    pub(super) fn is_undecided(&self) -> bool {
        self.lost.stories.as_ref().is_some_and(|stories| stories.hole.is_none() && !stories.is_sure(&self.settings))
    }

    /// The start array the board shows. One that names nobody lies as it lay, and what game of Chess960 follows it can't
    /// tell unless somebody has said.
    pub(super) fn opening(&self) -> Option<Opening> {
        let wire = self.squares.wire();
        // This is asked after every report of every board.
        if !Opening::may_be_at(wire) {
            return None;
        }
        // A man of the array that is in the hand of a player is none that is not read: many men have to go home.
        let home = |opening: &Opening| {
            let moved = difference(opening.position.board(), self.record.board());
            !self.edges.is_on() || moved.count() > self.settings.unfollowed_men
        };
        let usual = self.edges.usual(self.squares.lie());
        let lacking = || Opening::lacking(wire, &usual).filter(home);
        // Where nobody has said so, both kings on the queens' squares are no Chess960.
        let swapped = || Opening::swapped(wire);
        let opening = match usual.mode {
            CastlingMode::Standard => swapped().or_else(|| Opening::of(wire, &usual)),
            CastlingMode::Chess960 => Opening::of(wire, &usual).or_else(swapped),
        };
        let opening = opening.or_else(lacking)?;
        // Who was heard going up is not unread.
        let lacks = opening.lacks.filter(|square| !self.squares.heard_leaving(*square));
        let names = self.squares.names();
        let is_told = self.edges.expects(&opening).is_some() || self.record.mode() == CastlingMode::Standard;
        let lie = if names { opening.lie } else { self.squares.lie() };
        (names || is_told).then_some(Opening { lie, lacks, ..opening })
    }

    /// Who has the move, as far as touches go: it passes when a ply has rested.
    pub(super) fn having_the_move(&self) -> Color {
        let turn = self.record.turn();
        if self.making.has_released(self.settings.release_dwell_ms, self.now()) { !turn } else { turn }
    }

    /// What was read since the record's last ply.
    pub(super) fn readings(&self) -> impl Iterator<Item = &Reading> {
        self.squares.evidence.readings(self.lost.placed_at)
    }

    /// The squares on which the board differs from the record.
    pub(super) fn misfit(&self) -> Bitboard {
        self.squares.misfit_ignoring_air(self.record.board())
    }

    /// The squares on which the board differs from where a game begins.
    pub(super) fn misfit_of(&self, opening: &Opening) -> Bitboard {
        self.squares.misfit_ignoring_air(opening.position.board())
    }

    /// The plies that are seen, with whose they are.
    pub(super) fn tail_by_side(&self) -> impl Iterator<Item = (Move, Color)> {
        let turn = self.record.turn();
        self.seen.tail().iter().copied().zip([turn, !turn].into_iter().cycle())
    }

    /// The position after the tail.
    pub(super) fn seen_position(&self) -> Chess {
        self.seen.tail().iter().fold(self.record.position().clone(), |seen, played| after(&seen, *played))
    }

    /// How many plies of the tail a press by `side` completes: up to the last one of that side.
    pub(super) fn completed_by(&self, side: Color) -> Option<usize> {
        (self.first_by(side)..=self.seen.tail().len()).step_by(2).last()
    }

    /// The board shows a ply that a press by `side` completes.
    pub(super) fn completes(&self, side: Color) -> bool {
        self.seen.fits() && self.completed_by(side).is_some()
    }

    /// Which ply from here on is the first one of this player: the one that a press of theirs completes.
    pub(super) fn first_by(&self, side: Color) -> usize {
        if side == self.record.turn() { 1 } else { 2 }
    }

    /// How many plies of the tail the open press completes: what those on top of it complete is not its.
    pub(super) fn completed_by_open(&self) -> Option<usize> {
        let press = self.lever.opened()?;
        let first = self.first_by(press.side);
        let on_top = |above: usize, (at, later): (usize, &OpenPress)| {
            self.completed_by_press(later, first + 1 + at..above).unwrap_or(above)
        };
        let above = self.lever.queued().enumerate().rev().fold(usize::MAX, on_top);
        self.completed_by_press(press, first..above)
    }

    /// How many of so many plies this press completes: what its player has landed only later is for another press.
    fn completed_by_press(&self, press: &OpenPress, plies: Range<usize>) -> Option<usize> {
        let last = self.completed_by(press.side)?;
        let until = press.at + self.settings.scan_ms;
        let in_time = |count: &usize| self.changed_at(self.seen.tail()[count - 1]) <= until;
        let after = if self.lever.is_queued() { Ply::START } else { press.after };
        let least = (plies.start..).find(|count| self.record.ply().on(*count) > after)?;
        let of_the_player = (least..=last.min(plies.end - 1)).filter(|count| (last - count).is_multiple_of(2));
        of_the_player.clone().rev().find(in_time).or_else(|| of_the_player.min())
    }

    /// On a board that names nobody: the last ply takes a man, and no square has told of it. Its man may be in the hand, or
    /// in the box.
    pub(super) fn takes_silently(&self) -> bool {
        let tail = self.seen.tail();
        let silent = |last: &Move| last.is_capture() && explain::untold(last.to(), tail, &self.squares) > 0;
        !self.squares.names() && tail.last().is_some_and(silent)
    }

    /// The men of the first plies of the tail were not misread on their way: they stand where they went, stood there for a
    /// moment, or went on or were taken there, or on a square that is known to read nothing.
    pub(super) fn has_shown(&self, plies: usize) -> bool {
        let tail = self.seen.tail();
        tail[..plies].iter().enumerate().all(|(ply, played)| {
            let to = played.to();
            if self.squares.witnesses.is_doubted(to) {
                return false;
            }
            let stood = played.from().and_then(|from| self.squares.contact_of(from, to));
            let unread = self.squares.is_blind(to) || played.is_castle();
            stood.map_or(unread, |stood| stood >= self.settings.press_before_ms)
                || self.squares.occupied().contains(to)
                || explain::is_left(to, &tail[ply + 1..])
        })
    }

    /// When the last square of a ply changed.
    pub(super) fn changed_at(&self, played: Move) -> Millis {
        let footprint = footprint(played);
        footprint.into_iter().map(|square| self.squares.changed_at(square)).max().unwrap_or(0)
    }

    /// A man of this side that belongs on the seen board is in the air.
    pub(super) fn floating(&self, side: Color) -> bool {
        self.squares.in_air(self.seen_position().board()).any(|lifted| lifted.piece.color == side)
    }

    /// How many plies ago the men stood as they stand now.
    pub(super) fn plies_back(&self) -> Option<usize> {
        self.record.boards_back().position(|earlier| self.squares.shows(earlier)).map(|index| index + 1)
    }

    /// This ply of a player puts a man where games begin.
    pub(super) fn goes_home(&self, played: Move, mover: Color) -> bool {
        !played.is_capture() && !played.is_castle() && self.is_home(played.role().of(mover), played.to())
    }

    /// A king has come to the centre since the record: he may wait there for the other one, to show the result.
    pub(super) fn shows_king(&self) -> bool {
        (self.squares.board().kings() & CENTRE & !self.record.board().kings()).any()
    }

    /// Where no press can tell: men who were elsewhere and stand where games begin. They may have been put up for the next
    /// one.
    pub(super) fn tidied(&self) -> Bitboard {
        let board = self.squares.board();
        let newcomers = if self.lever.can_press() { Bitboard::EMPTY } else { self.misfit() & board.occupied() };
        let is_home = |square: &Square| board.piece_at(*square).is_some_and(|man| self.is_home(man, *square));
        newcomers.into_iter().filter(is_home).collect()
    }

    /// The man stood there when the game began, or does so in the next.
    pub(super) fn is_home(&self, man: Piece, square: Square) -> bool {
        let began = self.record.array().is_some_and(|array| array.piece_at(square) == Some(man));
        began || Chess::default().board().piece_at(square) == Some(man)
    }
}
