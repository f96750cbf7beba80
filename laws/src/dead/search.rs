//! The search for a verdict: a line to mate, best guess first, until there is one or nothing is left to look at.

use shakmaty::{Bitboard, Chess, Color, Move, Position};

use super::{
    checker::{Audit, CanMate, CannotMate, Replay, Verdict},
    guide,
    key::Key,
    material,
    positions::Positions,
    stroll,
};

/// A search that can be left and taken up again.
///
/// Call [`step`](Search::step) with a number of positions to look at until it gives a verdict. The same position, colour
/// and sum of steps give the same verdict on every machine. To give up, drop it.
///
/// ```
/// use laws::dead::{Search, Verdict};
/// use shakmaty::{CastlingMode, Chess, Color, fen::Fen};
///
/// let wall: Chess = "4k3/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/8/4K3 w - - 0 1".parse::<Fen>()?
///     .into_position(CastlingMode::Standard)?;
/// let mut search = Search::new(&wall, Color::White);
/// let verdict = loop {
///     if let Some(verdict) = search.step(100) {
///         break verdict;
///     }
///     // Here a shell looks whether anybody still waits.
/// };
/// assert!(matches!(verdict, Verdict::CannotMate(_)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Search {
    root: Chess,
    winner: Color,
    phase: Phase,
    spent: u64,
}

enum Phase {
    /// Before the first step.
    New,
    Looking(Box<Frontier>),
    Auditing(Box<Audit>),
    /// Nothing more can be done within the memory a search may take.
    Stuck,
}

/// How many positions one search remembers. A position takes 32 bytes, its parent 4, its place in the table 5 to 11:
/// with the doubling of the last growth some 470 MiB.
const MEMORY: usize = 6_500_000;

/// From how many of the positions met first a stroll is tried.
const STROLLS: u64 = 1000;
/// When to stroll at length again. With few men on the board a line is mostly found before.
const LATE_STROLLS: u64 = 20;

/// When to look for walls around the first position, and in how many families. The first time is after what suffices
/// for nearly every position of an ordinary game.
const WALLS: [(u64, usize); 3] = [(24, 32), (400, 400), (20_000, 6_000)];

/// How many families a position met on the way may need.
const WALLS_ON_THE_WAY: usize = 48;

/// What looking at one family costs, in positions.
const FAMILY_COST: u64 = 8;

impl Search {
    /// A search for whether `winner` can mate from `position`.
    pub fn new(position: &Chess, winner: Color) -> Search {
        Search { root: position.clone(), winner, phase: Phase::New, spent: 0 }
    }

    /// How many positions were looked at.
    pub fn spent(&self) -> u64 {
        self.spent
    }

    /// Looks at up to `count` positions more. `None`: not decided yet.
    pub fn step(&mut self, count: u64) -> Option<Verdict> {
        let end = self.spent.saturating_add(count);
        if let Phase::New = self.phase {
            if let Some(verdict) = at_once(&self.root, self.winner) {
                return Some(verdict);
            }
            if let Some(mate) = stroll::early(&self.root, self.winner, &mut self.spent) {
                return Some(Verdict::CanMate(mate));
            }
            self.phase = Phase::Looking(Box::new(Frontier::new(&self.root, self.winner)));
        }
        while self.spent < end {
            match &mut self.phase {
                Phase::New | Phase::Stuck => return None,
                Phase::Looking(frontier) => match frontier.expand(&self.root, self.winner, &mut self.spent) {
                    Expanded::Some => {}
                    Expanded::Decided(verdict) => return Some(verdict),
                    Expanded::Full => self.phase = Phase::Stuck,
                    Expanded::Nothing => self.phase = Phase::Auditing(Box::new(self.audit())),
                },
                Phase::Auditing(audit) => {
                    let some = (end - self.spent).min(1024);
                    self.spent += some;
                    match audit.step(some) {
                        Ok(None) => {}
                        Ok(Some(proof)) => return Some(Verdict::CannotMate(proof)),
                        Err(_) => self.phase = Phase::Stuck,
                    }
                }
            }
        }
        None
    }

    /// Whether more steps may still decide it.
    pub fn is_stuck(&self) -> bool {
        matches!(self.phase, Phase::Stuck)
    }

    fn audit(&mut self) -> Audit {
        let (met, walled) = match std::mem::replace(&mut self.phase, Phase::Stuck) {
            Phase::Looking(frontier) => (frontier.met, frontier.walled),
            Phase::New | Phase::Auditing(_) | Phase::Stuck => (Positions::new(), Positions::new()),
        };
        Audit::new(self.root.clone(), self.winner, met, walled, WALLS_ON_THE_WAY)
    }
}

/// What needs no search.
fn at_once(position: &Chess, winner: Color) -> Option<Verdict> {
    if let Some(mate) = Replay::new(position.clone(), winner).certificate() {
        return Some(Verdict::CanMate(mate));
    }
    CannotMate::by_material(position, winner).map(Verdict::CannotMate)
}

/// What was met and what of it is still to be looked at.
struct Frontier {
    met: Positions,
    /// For each position met, from which it was reached first.
    parents: Vec<u32>,
    /// Those met and not looked at, by how far from mate they look; of the same distance the last one first.
    open: Vec<Vec<u32>>,
    /// No bucket before this one has anything.
    best: usize,
    /// Positions proven by their walls.
    walled: Positions,
    /// How often walls were looked for around the first position.
    looks: usize,
    /// How many positions were looked at.
    looked_at: u64,
    tries: u32,
    proofs: u32,
    /// Where the moves from one position lead.
    ahead: Vec<Key>,
}

enum Expanded {
    Some,
    Decided(Verdict),
    /// Memory is used up.
    Full,
    /// Everything that can arise was met.
    Nothing,
}

impl Frontier {
    fn new(root: &Chess, winner: Color) -> Frontier {
        let mut frontier = Frontier {
            met: Positions::new(),
            parents: Vec::new(),
            open: vec![Vec::new(); guide::WORST + 1],
            best: 0,
            walled: Positions::new(),
            looks: 0,
            looked_at: 0,
            tries: 0,
            proofs: 0,
            ahead: Vec::new(),
        };
        frontier.meet(root, Key::of(root), 0, winner);
        frontier
    }

    fn meet(&mut self, position: &Chess, key: Key, parent: u32, winner: Color) -> Option<u32> {
        let number = self.met.insert(key)?;
        self.parents.push(parent);
        let distance = guide::distance(position, winner);
        self.open[distance].push(number);
        self.best = self.best.min(distance);
        Some(number)
    }

    fn next(&mut self) -> Option<u32> {
        while self.best < self.open.len() {
            if let Some(number) = self.open[self.best].pop() {
                return Some(number);
            }
            self.best += 1;
        }
        None
    }

    fn expand(&mut self, root: &Chess, winner: Color, spent: &mut u64) -> Expanded {
        if self.looked_at == LATE_STROLLS
            && let Some(mate) = stroll::late(root, winner, spent)
        {
            return Expanded::Decided(Verdict::CanMate(mate));
        }
        if let Some((at, limit)) = WALLS.get(self.looks)
            && *at <= self.looked_at
            && has_blocked_pawn(root)
        {
            self.looks += 1;
            let (proof, looked_at) = CannotMate::by_walls(root, winner, *limit);
            if let Some(proof) = proof {
                return Expanded::Decided(Verdict::CannotMate(proof));
            }
            *spent += looked_at as u64 * FAMILY_COST;
        }
        *spent += 1;
        self.looked_at += 1;
        if self.met.len() > MEMORY {
            return Expanded::Full;
        }
        let Some(number) = self.next() else { return Expanded::Nothing };
        let position = self.met.get(number).position();
        if self.looked_at <= STROLLS
            && self.looked_at.is_multiple_of(4)
            && let Some(mate) = stroll::from(&position, winner, self.looked_at, spent)
        {
            let line = self.line(root, winner, number, mate.line());
            return line.map_or(Expanded::Full, |line| Expanded::Decided(Verdict::CanMate(line)));
        }
        let moves = position.legal_moves();
        self.ahead.clear();
        self.ahead.extend(moves.iter().map(|next| Key::after(&position, *next)));
        if self.met.has_all(&self.ahead) {
            return Expanded::Some;
        }
        for (at, next) in moves.into_iter().enumerate() {
            // What was met was looked at for mate when it was.
            let key = self.ahead[at];
            if self.met.contains(&key) {
                continue;
            }
            let mut after = position.clone();
            after.play_unchecked(next);
            if position.turn() == winner && after.is_check() && after.legal_moves().is_empty() {
                let line = self.line(root, winner, number, &[next]);
                return line.map_or(Expanded::Full, |line| Expanded::Decided(Verdict::CanMate(line)));
            }
            if (next.is_capture() || next.is_promotion()) && material::lack(after.board(), winner).is_some() {
                continue;
            }
            if next.is_zeroing() && self.is_walled(&after, key, winner, spent) {
                continue;
            }
            self.meet(&after, key, number, winner);
        }
        Expanded::Some
    }

    /// Whether walls prove a position that a capture or a pawn move led to.
    fn is_walled(&mut self, position: &Chess, key: Key, winner: Color, spent: &mut u64) -> bool {
        if self.walled.contains(&key) {
            return true;
        }
        if self.looked_at < WALLS[0].0 || !has_blocked_pawn(position) {
            return false;
        }
        // Where walls hardly ever help, they are looked for now and then.
        self.tries += 1;
        if self.tries > 64 * (self.proofs + 1) && !self.tries.is_multiple_of(16) {
            return false;
        }
        let (proof, looked_at) = CannotMate::by_walls(position, winner, WALLS_ON_THE_WAY);
        *spent += looked_at as u64 * FAMILY_COST;
        if proof.is_some() {
            self.proofs += 1;
            self.walled.insert(key);
        }
        proof.is_some()
    }

    /// The way to a position that was met, and on to mate.
    fn line(&self, root: &Chess, winner: Color, mut number: u32, on: &[Move]) -> Option<CanMate> {
        let mut way = Vec::new();
        while number != 0 {
            way.push(number);
            number = self.parents[number as usize];
        }
        let mut replay = Replay::new(root.clone(), winner);
        for number in way.into_iter().rev() {
            let key = self.met.get(number);
            let step = replay.position().legal_moves().into_iter().find(|next| {
                let mut after = replay.position().clone();
                after.play_unchecked(*next);
                Key::of(&after) == *key
            });
            replay.play(step?);
        }
        let legal = on.iter().all(|next| replay.play(*next));
        replay.certificate().filter(|_| legal)
    }
}

/// Without a pawn that is blocked by another there are no walls.
fn has_blocked_pawn(position: &Chess) -> bool {
    let board = position.board();
    let (white, black) = (board.pawns() & board.white(), board.pawns() & board.black());
    (Bitboard(white.0 << 8) & black).any()
}
