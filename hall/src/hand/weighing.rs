//! Weighing: of all lines from some plies ago the few that cost least, whatever they take for granted.

use std::{cmp::Reverse, rc::Rc};

use laws::touch::victim;
use protocol::board::{Content, WireSquare};
use shakmaty::{Bitboard, Board, Chess, Move, Position, Square};

use super::{
    explain::text,
    hands::Hands,
    judging::{Judgement, judge},
    likely::{inclination, plausibility},
    made::{Made, made},
    record::{after, play_all},
    scene::{Laid, Scene},
    score::Weighed,
    track::{Seen, Track, matches},
    weights as w,
};
use crate::Ply;

/// What was weighed.
#[derive(Debug)]
pub(super) struct Weighing {
    /// The cheapest lines, the cheapest first.
    pub(super) lines: Vec<Weighed>,
    /// The moves of the record they may replace.
    pub(super) known: Vec<Move>,
    /// What the line costs that is shown.
    pub(super) shown: i32,
    /// What costs more explains nothing.
    pub(super) most: i32,
}

/// Weighs all lines from some plies before the record's end, as far back as everything was heard, and the one that is
/// `shown`. Where a press `judges`, it waits for nothing any more.
pub(super) fn weigh(hands: &Hands, shown: &[Move], judges: bool) -> Option<Weighing> {
    let search = search(hands, judges)?;
    let shown = search.cost_of_shown(hands, shown);
    // What hands did in the plies of the record is no later ply's fault.
    let Search { scene, anchor, known, .. } = &search;
    // Once the players have gone on from a move that was found illegal, a line may cost what such a move costs besides.
    let instead = if hands.plays_on() { w::ILLEGAL } else { 0 };
    let most = w::MOST + instead + scene.paid_in(&scene.lay(&made(anchor, known)));
    Some(Weighing { lines: search.lines(most.min(shown - w::GAIN)), known: search.known, shown, most })
}

/// Which of these lines on top of the record costs least, the first of equal ones.
pub(super) fn cheapest<'a>(hands: &Hands, lines: impl Iterator<Item = &'a [Move]>) -> usize {
    let Some(search) = search(hands, false) else { return 0 };
    let costs = lines.map(|line| search.cost_of_shown(hands, line)).enumerate();
    costs.min_by_key(|(_, cost)| *cost).map_or(0, |(at, _)| at)
}

/// The search from some plies before the record's end, as far back as everything was heard.
fn search(hands: &Hands, judges: bool) -> Option<Search<'_>> {
    let heard = |back: &usize| hands.squares.evidence.since(hands.record.ply().back(*back)).is_some();
    let is_sure = hands.squares.names() && hands.lever.tells();
    let most = if is_sure { w::BACK } else { w::BACK_UNSURE };
    // What was played while nothing was heard, its presses neither, is a gap's business.
    let seen = hands.seen.followed.plies().iter().rev().position(|ply| ply.hidden && !ply.pressed);
    let most = most.min(hands.record.recent().count()).min(seen.unwrap_or(usize::MAX));
    let back = (0..=most).rev().find(heard)?;
    let below = hands.record.ply().back(back);
    let since = hands.record.since(below.next()).filter(|_| back > 0);
    let (anchor, known) = since.unwrap_or((hands.record.position(), Vec::new()));
    let scene = scene(hands, anchor, below, judges)?;
    let last = hands.record.recent().nth(back).map(|(_, played)| played);
    let finals = known.len().saturating_sub(hands.seen.followed.len());
    Some(Search { scene, anchor, last, known, finals })
}

/// Another line is likelier than this one, of which not every square has told.
pub(super) fn is_outweighed(hands: &Hands, moves: &[Move]) -> bool {
    weigh(hands, moves, true)
        .is_some_and(|Weighing { lines, shown, .. }| lines.first().is_some_and(|best| best.cost + w::GAIN <= shown))
}

/// How likely the man of the first of these moves is to have stopped there rather than elsewhere, if no square has told of
/// it. A sound square may have missed who was taken there at once.
pub(super) fn drawn_to(hands: &Hands, before: &Board, line: &[Move]) -> i32 {
    let [went, since @ ..] = line else { return 0 };
    let taken = since.first().is_some_and(|reply| victim(*reply) == Some(went.to()));
    inclination(before, *went) + if hands.squares.witnesses.is_sound(went.to()) && !taken { 0 } else { w::UNPROVEN }
}

/// A move that the Laws do not allow, if the board shows one after this position.
fn unlawful(hands: &Hands, scene: &Scene, position: &Chess) -> Option<Made> {
    let (side, board) = (position.turn(), hands.squares.board());
    let Judgement::Illegal(illegality) = judge(position, board, side, false, |_| 0) else { return None };
    let man = board.piece_at(illegality.to).filter(|_| scene.names)?;
    Some(Made::unlawful(side, man, &illegality))
}

/// What was heard after the ply `below`, beside what stood there; nothing if not all of it is known.
fn scene<'a>(hands: &'a Hands, anchor: &Chess, below: Ply, judges: bool) -> Option<Scene<'a>> {
    let squares = &hands.squares;
    let since = squares.evidence.since(below)?;
    let mute = squares.names() && hands.hearing.is_mute();
    let track = |square: Square| {
        let now = squares.wire().get(WireSquare::under(square, squares.lie()));
        let base = anchor.board().piece_at(square);
        let here = || squares.evidence.readings_of(square, since);
        // That it reads nothing any more is one of the things to be weighed where it has read since.
        let blind = squares.is_blind(square)
            && !squares.witnesses.is_doubted(square)
            && here().all(|reading| reading.is == Content::Empty);
        let is = here().next().map_or(now, |first| first.was);
        let stands = matches(is, base) || blind && is == Content::Empty;
        let at_first = (!stands).then_some(Seen { at: since, is, found: true });
        let read = here().map(|reading| Seen { at: reading.at, is: reading.is, found: reading.found });
        Track { square, base, blind, mute, seen: at_first.into_iter().chain(read).collect() }.cut()
    };
    let tracks = Square::ALL.into_iter().map(track).collect::<Vec<_>>();
    Some(Scene {
        settings: &hands.settings,
        now: hands.now(),
        names: squares.names(),
        first: anchor.turn(),
        judges,
        tells: hands.lever.tells() && !hands.lever.stands(),
        presses: squares.evidence.presses_after(below, since).collect(),
        read: tracks.iter().filter(|track| !track.seen.is_empty()).map(|track| track.square).collect(),
        tracks,
    })
}

struct Search<'a> {
    scene: Scene<'a>,
    anchor: &'a Chess,
    /// The move before the lines.
    last: Option<Move>,
    /// The moves of the record from there on, and how many of them are final.
    known: Vec<Move>,
    finals: usize,
}

/// A line that may go on.
struct Node {
    position: Chess,
    laid: Laid,
    /// Squares on which men have stopped and nothing was read.
    unread: Bitboard,
}

/// What may be looked at next, what it costs at least, and about what it costs as long as no ply is added to it.
struct Open {
    line: Line,
    /// How many plies it has.
    plies: usize,
    cost: i32,
    sum: i32,
}

enum Line {
    /// It was weighed.
    Weighed(Rc<Node>),
    /// One ply more, of which not every square has told: to be weighed when nothing likelier is left.
    Thought(Rc<Node>, Made, Bitboard),
}

/// What a search has come to.
struct Found {
    /// The least a line costs, or has to cost to be of help.
    least: i32,
    /// So many lines were weighed.
    weighed: usize,
    all: Vec<Weighed>,
    open: Vec<Open>,
    /// The least that lines of so many plies have cost.
    by_plies: [i32; w::DEPTH + 1],
}

impl Found {
    /// A line that costs more already is none of the cheapest in the end.
    fn bound(&self) -> i32 {
        self.least + w::SLACK
    }

    fn push(&mut self, open: Open) {
        if open.cost <= self.bound() {
            self.open.push(open);
        }
    }

    fn tell(&mut self, line: Weighed) {
        self.weighed += 1;
        let least = &mut self.by_plies[line.moves.len()];
        *least = line.cost.min(*least);
        if line.cost < self.least {
            self.least = line.cost;
            let bound = self.bound();
            self.open.retain(|open| open.cost <= bound);
        }
        if line.cost <= self.bound() {
            self.all.push(line);
        }
    }

    /// The line to go on with: it costs little whatever is added to it, and as it is hardly more than any of as many plies.
    fn next(&mut self) -> Option<Open> {
        let rank = |open: &Open| {
            let more = (open.sum - self.by_plies[open.plies]).max(0);
            (open.cost + more / w::OPEN, Reverse(open.plies))
        };
        let next = (0..self.open.len()).min_by_key(|at| rank(&self.open[*at]))?;
        Some(self.open.swap_remove(next))
    }
}

impl Search<'_> {
    /// What the line costs that is shown on top of the record, with whatever may be in the making on top of it, or a move
    /// that the Laws do not allow.
    fn cost_of_shown(&self, hands: &Hands, shown: &[Move]) -> i32 {
        let (scene, shown) = (&self.scene, [&self.known[..], shown].concat());
        let laid = scene.lay(&made(self.anchor, &shown));
        let with = |ply: Made| scene.cost(&scene.go_on(&laid, ply)).cost;
        let (least, prior) = (scene.cost(&laid).cost, self.prior(&shown));
        let Some(end) = play_all(self.anchor, &shown) else { return least + prior };
        let halves = end.legal_moves().into_iter().flat_map(|candidate| Made::whole(end.turn(), candidate).halves());
        let unlawful = unlawful(hands, scene, &end).map(|ply| with(ply) + w::ILLEGAL);
        halves.map(with).chain(unlawful).fold(least, i32::min) + prior
    }

    /// The likeliest line so far is gone on with, until all others cost more already than one does in all, or than helps.
    fn lines(&self, enough: i32) -> Vec<Weighed> {
        let laid = self.scene.lay(&[]);
        let root = self.scene.cost(&laid);
        let node = Node { position: self.anchor.clone(), laid, unread: Bitboard::EMPTY };
        let open = vec![Open { line: Line::Weighed(Rc::new(node)), plies: 0, cost: 0, sum: root.cost }];
        let by_plies = [i32::MAX; w::DEPTH + 1];
        let mut found = Found { least: enough.min(root.cost), weighed: 1, all: vec![root], open, by_plies };
        while found.weighed < w::WEIGHED
            && let Some(Open { line, cost, sum, .. }) = found.next()
        {
            match line {
                Line::Weighed(node) => self.go_on(&node, cost, sum, &mut found),
                Line::Thought(node, ply, unread) => {
                    self.weigh(&node, ply, unread, &mut found);
                }
            }
        }
        let bound = found.bound();
        let mut all = found.all;
        all.retain(|line| line.cost <= bound);
        sort(&mut all);
        all.truncate(w::LOOKED_AT);
        for line in &mut all {
            line.cost += self.prior(&line.moves);
        }
        sort(&mut all);
        // Of one line with something in the making and without, the cheaper.
        let mut told: Vec<Weighed> = Vec::new();
        for line in all {
            if !told.iter().any(|other| other.moves == line.moves) {
                told.push(line);
            }
        }
        told.truncate(w::TOLD);
        told
    }

    /// How likely players are to have made these moves, and the record to be wrong.
    fn prior(&self, moves: &[Move]) -> i32 {
        let changed = match moves.starts_with(&self.known[..self.finals]) {
            true => 0,
            false if self.scene.tells => w::NOT_FINAL,
            false => w::NOT_FINAL_UNPRESSED,
        };
        changed - plausibility(self.scene.settings.habits, self.anchor, self.last, moves) / w::HABITS
    }

    /// Every line with one more ply that something tells of: those of which all squares have told are weighed at once. Those
    /// with one half made are told, and not gone on with.
    fn go_on(&self, node: &Rc<Node>, cost: i32, sum: i32, found: &mut Found) {
        let (side, mut sum, mut thoughts) = (node.position.turn(), sum, Vec::new());
        for candidate in node.position.legal_moves() {
            let ply = Made::whole(side, candidate);
            for half in ply.halves().filter(|half| self.is_told(half)) {
                found.tell(self.scene.cost(&self.scene.go_on(&node.laid, half)));
            }
            match self.unread(&ply) {
                None => {}
                Some(unread) if unread.is_empty() => sum = sum.min(self.weigh(node, ply, node.unread, found)),
                Some(unread) => thoughts.push((ply, node.unread | unread)),
            }
        }
        // Such a ply may tell as much as another one.
        for (ply, unread) in thoughts.into_iter().filter(|(_, unread)| unread.count() <= w::UNREAD_SQUARES) {
            let least = if self.scene.is_in_hand(ply.played) { w::IN_HAND } else { w::UNREAD_TAKEN };
            let line = Line::Thought(Rc::clone(node), ply, unread);
            found.push(Open { line, plies: node.laid.line.len() + 1, cost: cost + least, sum: sum + least });
        }
    }

    /// One ply more: the line is weighed, and may be gone on with. Gives what it costs.
    fn weigh(&self, node: &Node, ply: Made, unread: Bitboard, found: &mut Found) -> i32 {
        let laid = self.scene.go_on(&node.laid, ply);
        let weighed = self.scene.cost(&laid);
        let (sum, cost, plies) = (weighed.cost, weighed.cost - weighed.open, laid.line.len());
        if plies < w::DEPTH && cost <= found.bound() {
            let node = Node { position: after(&node.position, ply.played), laid, unread };
            found.push(Open { line: Line::Weighed(Rc::new(node)), plies, cost, sum });
        }
        found.tell(weighed);
        sum
    }

    /// Every change of it was read.
    fn is_told(&self, ply: &Made) -> bool {
        ply.changes.iter().flatten().all(|(square, man)| {
            let track = self.scene.track(*square);
            man.map_or(track.was_empty(), |man| track.has_read(man))
        })
    }

    /// Where men of it have stopped and nothing was read, or where its man is read still, if he was read where he goes; none
    /// if the men it moves have not left at all. A board that names nobody need not tell that one man has taken another's
    /// place.
    fn unread(&self, ply: &Made) -> Option<Bitboard> {
        let taken = victim(ply.played).filter(|_| !self.scene.names);
        let changes = || ply.changes.iter().flatten();
        let left = changes().filter(|(_, man)| man.is_none()).map(|(square, _)| *square);
        let stays = left.filter(|square| !self.scene.track(*square).was_empty()).collect::<Bitboard>();
        let unread =
            ply.landings().filter(|(square, man)| !self.scene.track(*square).has_read(*man) && taken != Some(*square));
        let unread = unread.map(|(square, _)| square).collect::<Bitboard>();
        let may_stay = unread.is_empty()
            && stays.single_square().is_some_and(|from| self.scene.track(from).mute && ply.played.from() == Some(from));
        (stays.is_empty() || may_stay).then_some(unread | stays)
    }
}

/// The cheapest first. Of equal ones the shortest.
fn sort(lines: &mut [Weighed]) {
    lines.sort_by_cached_key(|line| (line.cost, line.moves.len(), text(&line.moves)));
}
