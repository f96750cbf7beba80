//! The positions of one game, in order, and what is counted along them.

use std::{fmt, num::NonZeroU32};

use shakmaty::{Chess, Color, Position, Setup};

use super::Identity;

/// Every position of a game, the one it started from included.
///
/// ```
/// use laws::draws::History;
/// use shakmaty::{Chess, Position, san::San};
///
/// let mut position = Chess::default();
/// let mut history = History::starting_from(&position);
/// for san in ["Nf3", "Nf6", "Ng1", "Ng8", "Nf3", "Nf6", "Ng1", "Ng8"] {
///     let played = san.parse::<San>()?.to_move(&position)?;
///     position.play_unchecked(played);
///     history.push(&position);
/// }
/// assert_eq!(history.times(), 3);
/// let when = history.occurrences().iter().map(|occurrence| occurrence.to_string()).collect::<Vec<_>>();
/// assert_eq!(when, ["at the start", "after 2...", "after 4..."]);
///
/// history.truncate(7);
/// assert_eq!(history.times(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct History {
    start: Entry,
    played: Vec<Entry>,
}

#[derive(Clone, Debug)]
struct Entry {
    identity: Identity,
    number: NonZeroU32,
    /// How often the position has occurred, this time included.
    times: u32,
    /// When it occurred before.
    previous: Option<usize>,
    /// Plies since the last capture or pawn move.
    quiet: u32,
    /// Plies since the last pawn move.
    pawns_still: u32,
}

/// One occurrence of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Occurrence {
    /// After how many plies of this game; 0 is where it started.
    pub ply: usize,
    /// Whose move it is then.
    pub to_move: Color,
    /// The number of that move.
    pub number: NonZeroU32,
}

impl History {
    /// A game that starts from this position. Its half-move number counts towards fifty and seventy-five moves.
    pub fn starting_from(position: &Chess) -> History {
        let start = Entry {
            identity: Identity::of(position),
            number: position.fullmoves(),
            times: 1,
            previous: None,
            quiet: position.halfmoves(),
            pawns_still: position.halfmoves(),
        };
        History { start, played: Vec::new() }
    }

    /// The next position.
    pub fn push(&mut self, position: &Chess) {
        self.add(Identity::of(position), position.fullmoves(), position.halfmoves());
    }

    /// The next position where an illegal move stands and no legal game leads to what it left behind.
    pub fn push_irregular(&mut self, setup: &Setup) {
        self.add(Identity::of_setup(setup), setup.fullmoves, setup.halfmoves);
    }

    /// Keeps the first plies and forgets what came after: moves taken back, or a position restored.
    pub fn truncate(&mut self, plies: usize) {
        self.played.truncate(plies);
    }

    /// How many plies have been played.
    pub fn plies(&self) -> usize {
        self.played.len()
    }

    /// How often the present position has occurred.
    pub fn times(&self) -> u32 {
        self.last().times
    }

    /// How often it has occurred with exactly four plies between one time and the next: without interruption, as the
    /// Laws of 2014 put it. Two moves by each player are the least in which a position can come back.
    pub fn times_running(&self) -> u32 {
        let mut ply = self.plies();
        let mut times = 1;
        while let Some(before) = self.at(ply).previous
            && ply - before == 4
        {
            ply = before;
            times += 1;
        }
        times
    }

    /// When the present position occurred, the first time first, this time included.
    pub fn occurrences(&self) -> Vec<Occurrence> {
        let mut found = Vec::new();
        let mut next = Some(self.plies());
        while let Some(ply) = next {
            found.push(self.occurrence(ply));
            next = self.at(ply).previous;
        }
        found.reverse();
        found
    }

    /// When a position occurred that need not be the present one.
    pub fn occurrences_of(&self, wanted: &Identity) -> Vec<Occurrence> {
        (0..=self.plies()).filter(|ply| self.at(*ply).identity == *wanted).map(|ply| self.occurrence(ply)).collect()
    }

    /// Plies since the last capture or pawn move. Castling and the loss of a right do not count as either.
    pub fn quiet_plies(&self) -> u32 {
        self.last().quiet
    }

    /// Plies since the last pawn move, whatever has been captured: what 10.12 of 1993 says to the letter.
    pub fn plies_without_a_pawn(&self) -> u32 {
        self.last().pawns_still
    }

    fn add(&mut self, identity: Identity, number: NonZeroU32, quiet: u32) {
        let previous = (0..=self.plies()).rev().find(|ply| self.at(*ply).identity == identity);
        let last = self.last();
        let pawn_moved = identity.pawns_of_the_mover() != last.identity.pawns_of_the_player_to_move();
        let pawns_still = if pawn_moved { 0 } else { last.pawns_still + 1 };
        let times = previous.map_or(0, |ply| self.at(ply).times) + 1;
        self.played.push(Entry { identity, number, times, previous, quiet, pawns_still });
    }

    fn last(&self) -> &Entry {
        self.played.last().unwrap_or(&self.start)
    }

    fn at(&self, ply: usize) -> &Entry {
        ply.checked_sub(1).map_or(&self.start, |index| &self.played[index])
    }

    fn occurrence(&self, ply: usize) -> Occurrence {
        let entry = self.at(ply);
        Occurrence { ply, to_move: entry.identity.turn(), number: entry.number }
    }
}

impl Occurrence {
    /// The move that brought the position about, by its number and player; none where the game started from it.
    pub fn after(self) -> Option<(u32, Color)> {
        let number = match self.to_move {
            Color::White => self.number.get() - 1,
            Color::Black => self.number.get(),
        };
        (self.ply > 0).then_some((number, !self.to_move))
    }
}

impl fmt::Display for Occurrence {
    /// As on a scoresheet: `after 21.` is White's move, `after 21...` Black's.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.after() {
            None => write!(f, "at the start"),
            Some((number, Color::White)) => write!(f, "after {number}."),
            Some((number, Color::Black)) => write!(f, "after {number}..."),
        }
    }
}
