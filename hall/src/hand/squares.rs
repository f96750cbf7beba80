//! What the sensors say of the 64 squares, as squares of the game: contents, men in the air, what has changed.
//!
//! A board that only senses occupancy is given names from what was there: the man that was lifted last is the man that
//! lands. Names so guessed are only used to describe; explaining compares what such a board can sense.

use protocol::board::{Content, Contents, Lie, WireSquare};
use shakmaty::{Bitboard, Board, Color, Piece, Role, Square};

use super::{
    evidence::{Evidence, Reading},
    witness::{Testimony, Witnesses},
};
use crate::{Millis, Ply, Settings};

/// A man nobody can name: any may have landed.
const ANYBODY: u16 = u16::MAX;

/// The squares as last reported, and what happened on them since the record last moved on.
#[derive(Clone, Debug)]
pub(super) struct Squares {
    wire: Contents,
    lie: Lie,
    board: Board,
    /// The board names its men.
    names: bool,
    air: Vec<Lifted>,
    changed: Bitboard,
    untold: Untold,
    past: [Past; 64],
    /// How far each of them can be believed.
    pub(super) witnesses: Witnesses,
    last_change: Millis,
    /// Since when the board is heard without a break: nothing is known to have rested longer.
    heard_at: Millis,
    /// What was heard, to be weighed.
    pub(super) evidence: Evidence,
}

/// What happened on squares that did not tell of it at once.
#[derive(Clone, Copy, Debug, Default)]
struct Untold {
    /// A dump has found them changed: whatever landed there did so some time before.
    found: Bitboard,
    /// Told to be empty, and nobody had told that they were not: somebody has stood there.
    visited: Bitboard,
}

/// What happened on one square.
#[derive(Clone, Copy, Debug)]
struct Past {
    changed_at: Millis,
    /// What the square held before its last change, and since when: a contact shorter than the debounce is withdrawn.
    before: Option<(Content, Millis)>,
    /// It has changed since the record last moved on, a silence or not.
    heard: bool,
    /// Which men were seen landing, one bit a man, and when each did so last.
    landed: u16,
    landed_at: [Millis; 12],
    /// Where the man on it stood when the record last moved on.
    origin: Square,
    /// Where the man that stood here then has landed last.
    reached: Option<Square>,
    /// Where it has stood last for long enough to be taken there, or as long as elsewhere but for a scan, and how long, if
    /// it has left that square.
    dwelt: Option<(Square, Millis)>,
}

impl Past {
    fn of(square: Square) -> Past {
        Past {
            changed_at: 0,
            before: None,
            heard: false,
            landed: 0,
            landed_at: [0; 12],
            origin: square,
            reached: None,
            dwelt: None,
        }
    }

    /// This man lands here.
    fn note_landing(&mut self, man: Piece, at: Millis) {
        self.landed |= bit(man);
        self.landed_at[number(man)] = at;
    }

    /// What happened so far explains nothing further; these men may have landed here.
    fn forget(&mut self, square: Square, landed: u16) {
        self.landed = landed;
        self.origin = square;
        self.reached = None;
        self.dwelt = None;
    }
}

/// A man that was lifted and has not landed yet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lifted {
    pub(super) from: Square,
    pub(super) piece: Piece,
    pub(super) at: Millis,
    /// Where it stood when the record last moved on: a man that rested on its way was lifted more than once.
    pub(super) origin: Square,
}

/// What one change of a square means for a man.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    /// It left its square, or another man took the square over; it had stood there since then.
    Lifted(Square, Piece, Millis),
    /// It stands on this square from here on.
    Landed(Square, Piece),
}

impl Lifted {
    /// Where `board` has this man, if it has it on a square it left.
    fn home(&self, board: &Board) -> Option<Square> {
        [self.from, self.origin].into_iter().find(|square| board.piece_at(*square) == Some(self.piece))
    }
}

impl Squares {
    pub(super) fn new(lie: Lie) -> Squares {
        Squares {
            wire: Contents::EMPTY,
            lie,
            board: Board::empty(),
            names: true,
            air: Vec::new(),
            changed: Bitboard::EMPTY,
            untold: Untold::default(),
            past: Square::ALL.map(Past::of),
            witnesses: Witnesses::new(),
            last_change: 0,
            heard_at: 0,
            evidence: Evidence::default(),
        }
    }

    /// One square is reported. Gives what it means, the leaving before the landing; nothing if it is no news. What is
    /// again as it was within the debounce has rested all the time.
    pub(super) fn report(&mut self, square: WireSquare, is: Content, settings: &Settings, now: Millis) -> Vec<Change> {
        let (here, is_news) = (square.on(self.lie), self.wire.get(square) != is);
        // A board tells what is new: where it says once more that a square is empty, somebody has been there. What it says
        // twice it says at once.
        let stale = now >= self.past[here.to_usize()].changed_at + settings.dump_rest_ms;
        if !is_news && is == Content::Empty && stale {
            self.untold.visited.add(here);
        }
        self.read(square, is, settings, now)
    }

    fn read(&mut self, square: WireSquare, content: Content, settings: &Settings, now: Millis) -> Vec<Change> {
        match self.witnesses.weigh(square, content) {
            Testimony::True => {}
            Testimony::False => return Vec::new(),
            Testimony::Left(stood) => return self.read(stood, Content::Empty, settings, now),
        }
        let old = self.wire.get(square);
        if old == content {
            return Vec::new();
        }
        self.wire.set(square, content);
        let square = square.on(self.lie);
        self.evidence.read(Reading { at: now, square, was: old, is: content, found: false });
        self.untold.found.discard(square);
        if content != Content::Empty {
            self.witnesses.read(square);
        }
        let man = match content {
            Content::Empty => None,
            Content::Man(piece) => Some(piece),
            Content::Occupied => {
                self.names = false;
                self.lands_unnamed(square, settings, now)
            }
        };
        let changes = self.change(square, man, settings, now);
        if man.is_none() && content == Content::Occupied {
            // It was not lifted from the board: a piece for a pawn that is about to be promoted, or anybody.
            self.past[square.to_usize()].landed = ANYBODY;
        }
        self.rest(square, (old, content), settings, now);
        changes
    }

    /// Who lands there, on a board that names nobody: as a rule the man that was lifted last. But nobody takes a man of their
    /// own: who was brushed is put right, and only who makes room for a king stays away.
    fn lands_unnamed(&self, square: Square, settings: &Settings, now: Millis) -> Option<Piece> {
        let last = self.air.last()?.piece;
        let is_own = |lifted: &&Lifted| lifted.from == square && lifted.piece.color == last.color;
        let brushed = |lifted: &&Lifted| last.role != Role::King && now < lifted.at + settings.adjust_max_ms;
        let own = self.air.iter().find(is_own).filter(brushed);
        Some(own.map_or(last, |own| own.piece))
    }

    /// Remembers since when a square that was reported is as it is, and with it the board.
    fn rest(&mut self, square: Square, (old, new): (Content, Content), settings: &Settings, now: Millis) {
        let past = &mut self.past[square.to_usize()];
        let changed_at = past.changed_at;
        let lasted = changed_at + settings.contact_debounce_ms;
        let withdrawn = past.before.filter(|(content, _)| *content == new && now < lasted);
        if let Some((_, since)) = withdrawn {
            past.changed_at = since;
            self.last_change = self.past.iter().map(|past| past.changed_at).max().unwrap_or(since);
        } else {
            past.before = Some((old, changed_at));
            past.changed_at = now;
            self.last_change = now;
        }
    }

    /// The whole board is reported.
    pub(super) fn survey(&mut self, contents: &Contents, settings: &Settings, now: Millis) -> Vec<Change> {
        // Squares that are empty by now come first, so that a man the dump shows elsewhere is a man that moved.
        let mut squares = WireSquare::all().collect::<Vec<_>>();
        squares.sort_by_key(|square| contents.get(*square) != Content::Empty);
        let mut changes = Vec::new();
        for square in squares {
            let (was, is, here) = (self.wire.get(square), contents.get(square), square.on(self.lie));
            // Only a dump tells that a man is gone who had landed there: he has stopped there.
            if is == Content::Empty && was != is && self.has_read(here) {
                self.untold.visited.add(here);
            }
            let found = self.read(square, is, settings, now);
            if !found.is_empty() {
                self.untold.found.add(here);
                self.evidence.find();
            }
            changes.extend(found);
        }
        changes
    }

    /// Nobody stands here any more, and that was never reported.
    pub(super) fn empty(&mut self, square: Square, settings: &Settings, now: Millis) {
        let mut contents = self.wire;
        contents.set(WireSquare::under(square, self.lie), Content::Empty);
        self.survey(&contents, settings, now);
    }

    /// Play goes on without the man who is read here: he is not there, until the square tells of somebody else, or of nobody.
    pub(super) fn ignore(&mut self, square: Square, settings: &Settings, now: Millis) {
        let socket = WireSquare::under(square, self.lie);
        let read = self.wire.get(socket);
        self.empty(square, settings, now);
        self.air.retain(|lifted| lifted.from != square);
        self.witnesses.haunt(socket, read, None);
    }

    /// The man who is read here has landed there, until the square tells of somebody else, or of nobody.
    pub(super) fn misread(&mut self, read: Square, stands: Square) {
        let [from, to] = [read, stands].map(|square| WireSquare::under(square, self.lie));
        let (man, Some(piece)) = (self.wire.get(from), self.board.remove_piece_at(read)) else { return };
        self.board.set_piece_at(stands, piece);
        self.wire.set(from, Content::Empty);
        self.wire.set(to, man);
        self.changed.add(stands);
        let landed = self.past[read.to_usize()];
        let past = &mut self.past[stands.to_usize()];
        past.note_landing(piece, landed.landed_at[number(piece)]);
        (past.changed_at, past.origin, past.heard) = (landed.changed_at, landed.origin, true);
        self.past[landed.origin.to_usize()].reached = Some(stands);
        self.past[read.to_usize()] = Past { changed_at: landed.changed_at, ..Past::of(read) };
        self.evidence.misread(read, stands);
        self.witnesses.haunt(from, man, Some(to));
    }

    /// The board is heard again from here on: what it shows rests since now, as far as anybody knows.
    pub(super) fn hear(&mut self, now: Millis) {
        self.heard_at = now;
        self.evidence.begin(now);
    }

    /// The board lies like this: the same sockets are other squares.
    pub(super) fn lay(&mut self, lie: Lie, now: Millis) {
        if lie != self.lie {
            self.witnesses.turn();
        }
        self.lie = lie;
        self.evidence.begin(now);
        for (square, past) in self.past() {
            past.changed_at = now;
            past.before = None;
            past.forget(square, 0);
        }
        self.board = self.wire.board(lie);
        self.air.clear();
        self.changed = Bitboard::EMPTY;
        self.untold = Untold::default();
        self.last_change = now;
    }

    /// A board that names nobody: these men stand on it, but for those in the hand.
    pub(super) fn name(&mut self, board: &Board) {
        let occupied = self.occupied();
        if self.names || !occupied.is_subset(board.occupied()) {
            return;
        }
        self.board = board.clone();
        let gone = board.occupied() & !occupied;
        let in_hand = |from| {
            let piece = self.board.remove_piece_at(from)?;
            Some(Lifted { from, piece, at: self.past[from.to_usize()].changed_at, origin: from })
        };
        self.air = gone.into_iter().filter_map(in_hand).collect();
        self.air.sort_by_key(|lifted| lifted.at);
    }

    /// The record has moved on: what happened so far explains nothing further, but for the squares of plies that are still
    /// to come: a man that was taken by one of its own kind leaves no other trace. Men in the air stay there.
    pub(super) fn move_on(&mut self, board: &Board, ahead: Bitboard) {
        // A man that has gone up again was seen where it stood: it may be taken there.
        self.air.retain(|lifted| lifted.home(board).is_some());
        self.untold.visited = Bitboard::EMPTY;
        let stops = self.air.iter().map(|lifted| lifted.from).collect::<Bitboard>();
        self.changed = self.misfit_ignoring_air(board) | stops | ahead;
        for square in !self.changed {
            let past = &mut self.past[square.to_usize()];
            past.forget(square, 0);
            past.heard = false;
        }
        if !self.names {
            for square in ahead & self.occupied() {
                self.past[square.to_usize()].landed = ANYBODY;
            }
        }
    }

    /// The record was set by somebody: whatever stands elsewhere got there somehow.
    pub(super) fn start_from(&mut self, board: &Board) {
        self.move_on(board, Bitboard::EMPTY);
        for square in self.changed {
            self.past[square.to_usize()].landed = ANYBODY;
        }
    }

    /// The same, where one man may have taken another's place since then: a board that names nobody does not tell.
    pub(super) fn start_from_since(&mut self, board: &Board, since: Millis) {
        self.start_from(board);
        let read = self.evidence.readings(since).map(|reading| reading.square).collect::<Bitboard>();
        for square in read.into_iter().filter(|_| !self.names) {
            self.changed.add(square);
            self.past[square.to_usize()].landed = ANYBODY;
        }
    }

    /// Anything may have happened: events were lost.
    pub(super) fn forget(&mut self) {
        self.air.clear();
        self.changed = Bitboard::FULL;
        for (square, past) in self.past() {
            past.forget(square, ANYBODY);
        }
    }

    /// Whatever stands on the board got there somehow. Men in the air stay there.
    pub(super) fn believe(&mut self) {
        self.changed = Bitboard::FULL;
        for (_, past) in self.past() {
            past.landed = ANYBODY;
        }
    }

    /// A man stands on this square, or comes and goes there, and it reads nothing.
    pub(super) fn distrust(&mut self, square: Square) {
        self.witnesses.distrust(square);
        self.air.retain(|lifted| lifted.from != square);
    }

    /// It was the other one that has not told of so many plies. True if this one was called faulty.
    pub(super) fn distrust_instead(&mut self, square: Square, other: Square) -> bool {
        let missed = self.witnesses.missed(square);
        let was_named = self.witnesses.trust_again(square);
        if !self.occupied().contains(other) {
            self.witnesses.miss_instead(other, missed);
            self.distrust(other);
        }
        was_named
    }

    /// This man has left the square, as far as it tells.
    pub(super) fn has_lost(&self, square: Square, man: Piece) -> bool {
        let was = self.past[square.to_usize()].before.map(|(was, _)| was);
        was == Some(Content::Man(man)) && !self.occupied().contains(square)
    }

    /// This man was read here and may stand on one of those squares, and have landed there: what is played on will tell.
    pub(super) fn read_beside(&mut self, read: Square, piece: Piece, meant: Bitboard) {
        let landed_at = self.landed_at(read, piece);
        for square in meant {
            self.past[square.to_usize()].note_landing(piece, landed_at);
            self.changed.add(square);
        }
    }

    /// How often somebody was read there since the last ply of the record has landed.
    pub(super) fn times_read(&self, square: Square) -> usize {
        let here = self.evidence.readings_of(square, self.evidence.placed_at());
        here.filter(|reading| reading.is != Content::Empty).count()
    }

    /// This ply has landed there then. On a board that names nobody who takes another is off the square for less than a
    /// contact takes to count: what was heard there until the ply was pressed is heard of it.
    pub(super) fn place(&mut self, ply: Ply, to: Square, at: Millis, pressed: Option<Millis>) {
        let until = pressed.filter(|_| !self.names).unwrap_or(at);
        let here = self.evidence.readings_of(to, at).filter(|reading| reading.at <= until);
        let heard = here.map(|reading| reading.at).max();
        self.evidence.place(ply, heard.unwrap_or(at), pressed);
    }

    fn past(&mut self) -> impl Iterator<Item = (Square, &mut Past)> {
        Square::ALL.into_iter().zip(&mut self.past)
    }

    fn change(&mut self, square: Square, man: Option<Piece>, settings: &Settings, now: Millis) -> Vec<Change> {
        let mut changes = Vec::new();
        if let Some(piece) = self.board.remove_piece_at(square) {
            let origin = std::mem::replace(&mut self.past[square.to_usize()].origin, square);
            // Who is replaced by another was taken where he stood, however shortly, and his player has pressed for where he
            // stood, or was about to.
            let pressed = self.evidence.pressed_at(piece.color) + settings.press_before_ms;
            let pressed = self.names && pressed >= self.changed_at(square);
            let stood =
                if man.is_none() && !pressed { now.saturating_sub(self.changed_at(square)) } else { Millis::MAX };
            let dwelt = &mut self.past[origin.to_usize()].dwelt;
            if origin != square
                && dwelt.is_none_or(|(_, longest)| {
                    longest.min(settings.taken_off_ms) <= stood.saturating_add(settings.scan_ms)
                })
            {
                *dwelt = Some((square, stood));
            }
            if man.is_none() {
                self.air.push(Lifted { from: square, piece, at: now, origin });
            }
            changes.push(Change::Lifted(square, piece, self.changed_at(square)));
        }
        if let Some(piece) = man {
            self.board.set_piece_at(square, piece);
            let landed = self.lands(square, piece);
            let past = &mut self.past[square.to_usize()];
            past.note_landing(piece, now);
            if let Some(landed) = landed {
                let Lifted { origin, .. } = self.air.remove(landed);
                past.origin = origin;
                self.past[origin.to_usize()].reached = Some(square);
            }
            changes.push(Change::Landed(square, piece));
        }
        self.changed.add(square);
        self.past[square.to_usize()].heard = true;
        changes
    }

    /// Which of the men in the air lands there: he who was lifted there, unless another one has stood in his place since; or
    /// the one that was lifted last.
    fn lands(&self, square: Square, piece: Piece) -> Option<usize> {
        let past = &self.past[square.to_usize()];
        let taken = |since: Millis| past.landed_at.iter().any(|landed| *landed > since);
        let home = self.air.iter().position(|lifted| lifted.from == square && lifted.piece == piece);
        let free = home.filter(|home| !taken(self.air[*home].at));
        free.or_else(|| self.air.iter().rposition(|lifted| lifted.piece == piece && lifted.from != square)).or(home)
    }

    pub(super) fn wire(&self) -> &Contents {
        &self.wire
    }

    pub(super) fn lie(&self) -> Lie {
        self.lie
    }

    pub(super) fn board(&self) -> &Board {
        &self.board
    }

    pub(super) fn names(&self) -> bool {
        self.names
    }

    /// When a hand last did something that lasted.
    pub(super) fn last_change(&self) -> Millis {
        self.last_change
    }

    /// Since when the board rests, as far as it was heard. All that waits for rest counts from here.
    pub(super) fn rests_since(&self) -> Millis {
        self.last_change.max(self.heard_at)
    }

    /// Since when a square is as it is, as far as it was heard.
    pub(super) fn changed_at(&self, square: Square) -> Millis {
        self.past[square.to_usize()].changed_at.max(self.heard_at)
    }

    /// Since when the board is heard without a break.
    pub(super) fn heard_at(&self) -> Millis {
        self.heard_at
    }

    /// Since when a man is in the air, as far as the board was heard.
    pub(super) fn lifted_at(&self, lifted: &Lifted) -> Millis {
        lifted.at.max(self.heard_at)
    }

    pub(super) fn has_changed(&self, squares: Bitboard) -> bool {
        squares.is_subset(self.changed | self.witnesses.blind())
    }

    /// It reads nothing, and a man may stand there.
    pub(super) fn is_blind(&self, square: Square) -> bool {
        self.witnesses.blind().contains(square)
    }

    /// The reading of a man has jumped from the one square to the other, where he has landed then: they touch, and no hand
    /// puts him there within a scan.
    pub(super) fn has_jumped(&self, from: Square, (to, landed): (Square, Millis), settings: &Settings) -> bool {
        from.distance(to) == 1 && self.evidence.jumps(self.changed_at(from), landed, settings)
    }

    /// It has read somebody since the record last moved on.
    pub(super) fn has_read(&self, square: Square) -> bool {
        ![0, ANYBODY].contains(&self.past[square.to_usize()].landed)
    }

    /// What was read, with the men of `expected` on the squares that read nothing.
    pub(super) fn filled(&self, read: &Board, expected: &Board) -> Board {
        filled_on(self.witnesses.blind(), read, expected)
    }

    pub(super) fn changed(&self) -> Bitboard {
        self.changed
    }

    /// Where the man of this square of the record landed last, if it has moved.
    pub(super) fn reached(&self, origin: Square) -> Option<Square> {
        self.past[origin.to_usize()].reached
    }

    /// Where the man of this square of the record stood before it was taken off, if it had moved. A hand that carries it
    /// away passes over other squares.
    pub(super) fn dwelt(&self, origin: Square) -> Option<Square> {
        self.past[origin.to_usize()].dwelt.map(|(square, _)| square)
    }

    /// How long the man that stood on `origin` then has stood on `square`, if it has left it again.
    pub(super) fn contact_of(&self, origin: Square, square: Square) -> Option<Millis> {
        self.past[origin.to_usize()].dwelt.filter(|(left, _)| *left == square).map(|(_, stood)| stood)
    }

    /// This man was seen landing there. A board that names nobody has seen somebody.
    pub(super) fn has_landed(&self, square: Square, piece: Piece) -> bool {
        if self.is_blind(square) {
            return true;
        }
        let seen = self.past[square.to_usize()].landed;
        if self.names { seen & bit(piece) != 0 } else { seen != 0 }
    }

    /// When somebody was heard landing there since the record last moved on, if that man still stands.
    pub(super) fn heard_landing(&self, square: Square) -> Option<Millis> {
        let past = &self.past[square.to_usize()];
        let is_heard = past.heard && !self.untold.found.contains(square) && self.occupied().contains(square);
        is_heard.then_some(past.changed_at)
    }

    /// Somebody was heard leaving this square since the record last moved on, and it is still empty.
    pub(super) fn heard_leaving(&self, square: Square) -> bool {
        self.past[square.to_usize()].heard && !self.untold.found.contains(square) && !self.occupied().contains(square)
    }

    /// The squares on which somebody has stood unread.
    pub(super) fn visited(&self) -> Bitboard {
        self.untold.visited
    }

    /// The squares of which only a dump has told that they changed.
    pub(super) fn found(&self) -> Bitboard {
        self.untold.found
    }

    /// When this man landed there last, or where men have no names whoever has stood there since the last ply and has left.
    /// Where it was not seen landing, or nobody knows who it was: when the square changed.
    pub(super) fn landed_at(&self, square: Square, piece: Piece) -> Millis {
        let past = &self.past[square.to_usize()];
        if self.names && self.has_landed(square, piece) {
            return past.landed_at[number(piece)];
        }
        let stood = past.before.filter(|(was, since)| *was != Content::Empty && *since > self.evidence.placed_at());
        let left = stood.filter(|_| !self.names && !self.occupied().contains(square));
        left.map_or(self.changed_at(square), |(_, since)| since)
    }

    /// All men in the air, whatever the record says.
    pub(super) fn lifted(&self) -> &[Lifted] {
        &self.air
    }

    /// The men of `expected` that are in the air, each from where `expected` has it; a captured man off the board is
    /// none, and none whose square another has taken.
    pub(super) fn in_air(&self, expected: &Board) -> impl Iterator<Item = Lifted> {
        let occupied = self.occupied();
        let unread = occupied | self.witnesses.blind();
        let free = move |lifted: &Lifted| !unread.contains(lifted.from);
        let home = |lifted: Lifted| lifted.home(expected).map(|from| Lifted { from, ..lifted });
        self.air.iter().copied().filter(free).filter_map(home).filter(free)
    }

    /// The squares on which `expected` and the sensors disagree, men in the air taken as standing where they left.
    pub(super) fn misfit(&self, expected: &Board) -> Bitboard {
        let mut squares = self.misfit_ignoring_air(expected);
        for lifted in self.in_air(expected) {
            squares.discard(lifted.from);
        }
        squares
    }

    /// The squares on which `expected` and the sensors disagree.
    pub(super) fn misfit_ignoring_air(&self, expected: &Board) -> Bitboard {
        let differ = if self.names { difference(expected, &self.board) } else { expected.occupied() ^ self.occupied() };
        differ & !self.unread(expected)
    }

    /// The squares that read nothing, as is known, though a man stands there.
    pub(super) fn unread(&self, expected: &Board) -> Bitboard {
        self.witnesses.blind() & expected.occupied() & !self.occupied()
    }

    /// The sensors show just this.
    pub(super) fn shows(&self, expected: &Board) -> bool {
        self.misfit_ignoring_air(expected).is_empty()
    }

    /// This man is read on more squares than he stands on there.
    pub(super) fn reads_twice(&self, man: Piece, expected: &Board) -> bool {
        self.board.by_piece(man).count() > expected.by_piece(man).count()
    }

    /// The squares on which something stands.
    pub(super) fn occupied(&self) -> Bitboard {
        if self.names {
            return self.board.occupied();
        }
        self.wire.occupied(self.lie)
    }
}

/// What was read, with the men of `expected` on those of these squares where nobody was.
pub(super) fn filled_on(squares: Bitboard, read: &Board, expected: &Board) -> Board {
    let mut filled = read.clone();
    for square in squares & !read.occupied() {
        if let Some(man) = expected.piece_at(square) {
            filled.set_piece_at(square, man);
        }
    }
    filled
}

fn bit(piece: Piece) -> u16 {
    1 << number(piece)
}

/// The twelve kinds of men in a row.
fn number(piece: Piece) -> usize {
    piece.role as usize - 1 + if piece.color.is_white() { 0 } else { 6 }
}

/// The squares on which two boards differ.
pub(crate) fn difference(a: &Board, b: &Board) -> Bitboard {
    let roles = Role::ALL.into_iter().map(|role| a.by_role(role) ^ b.by_role(role));
    let colors = Color::ALL.into_iter().map(|color| a.by_color(color) ^ b.by_color(color));
    roles.chain(colors).fold(Bitboard::EMPTY, |all, one| all | one)
}
