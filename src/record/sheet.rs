//! The games of a table, entry by entry: what a book is made of.

use std::collections::BTreeMap;

use protocol::feed::{Correction, Entry, GameResult, Player, TimeControl, Variant};

/// Where an ordinary game starts.
pub(super) const INITIAL: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// What all games of a round have in common, and its tables.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Round {
    pub(super) title: String,
    pub(super) site: String,
    pub(super) date: String,
    pub(super) time_control: Option<TimeControl>,
    pub(super) tables: BTreeMap<u16, Sheet>,
}

/// One pairing and its games: as a rule one, and one more each time the men are put up again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Sheet {
    /// The last one that was said.
    pub(super) pairing: Option<(Player, Player)>,
    pub(super) time_control: Option<TimeControl>,
    pub(super) games: Vec<Game>,
}

/// One game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Game {
    pub(super) number: u32,
    pub(super) start: String,
    pub(super) variant: Variant,
    /// Who plays it.
    pub(super) pairing: Option<(Player, Player)>,
    pub(super) moves: Vec<Move>,
    pub(super) result: GameResult,
    /// Moves that were played after the game was over. They are no part of it.
    pub(super) void: Vec<String>,
}

/// A final move and what the mover's clock showed after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Move {
    pub(super) san: String,
    pub(super) clock_ms: Option<u64>,
    /// Not legal, and it stands: the position after it.
    pub(super) illegal: Option<String>,
}

impl Sheet {
    pub(super) fn apply(&mut self, entry: &Entry) {
        match entry {
            Entry::Started { game, fen, variant } => {
                self.games.retain(|earlier| earlier.number < *game);
                self.games.push(Game::new(*game, fen.clone(), *variant, self.pairing.clone()));
            }
            Entry::Paired { white, black, time_control } => {
                self.pair(white, black);
                self.time_control = *time_control;
            }
            Entry::Final { ply, san, clock_ms, fen, illegal, .. } => {
                let illegal = illegal.then(|| fen.clone());
                self.game().set(*ply, Move { san: san.clone(), clock_ms: *clock_ms, illegal });
            }
            Entry::Corrected { from_ply, old, new, reason } => {
                self.game().correct(*from_ply, new);
                if *reason == Correction::AfterTheEnd {
                    self.game().void.clone_from(old);
                }
            }
            Entry::Result { result, .. } => self.game().result = *result,
            Entry::Instants { .. }
            | Entry::State { .. }
            | Entry::Proposal(_)
            | Entry::Verdict { .. }
            | Entry::Noted { .. }
            | Entry::Alert(_) => {}
        }
    }

    /// Who plays the game that is on, and the next ones. A game that is over keeps its players, but for a name that
    /// was wrong: then the other player is the same.
    fn pair(&mut self, white: &Player, black: &Player) {
        let pairing = (white.clone(), black.clone());
        let mends = self.pairing.as_ref().is_none_or(|known| known.0 == pairing.0 || known.1 == pairing.1);
        if let Some(last) = self.games.last_mut().filter(|last| last.result == GameResult::Open || mends) {
            last.pairing = Some(pairing.clone());
        }
        self.pairing = Some(pairing);
    }

    fn game(&mut self) -> &mut Game {
        if self.games.is_empty() {
            self.games.push(Game::new(1, INITIAL.to_owned(), Variant::Standard, self.pairing.clone()));
        }
        self.games.last_mut().expect("a game was added if there was none")
    }
}

impl Game {
    pub(super) fn new(number: u32, start: String, variant: Variant, pairing: Option<(Player, Player)>) -> Game {
        Game { number, start, variant, pairing, moves: Vec::new(), result: GameResult::Open, void: Vec::new() }
    }

    /// A move that is there already may come again with its clock. One that does not follow what is there is left out:
    /// a PGN with a hole is worse than a short one.
    fn set(&mut self, ply: usize, played: Move) {
        let Some(at) = ply.checked_sub(1).filter(|at| *at <= self.moves.len()) else { return };
        match self.moves.get_mut(at) {
            Some(known) if known.san == played.san => known.clock_ms = played.clock_ms.or(known.clock_ms),
            _ => {
                self.moves.truncate(at);
                self.moves.push(played);
            }
        }
    }

    /// Moves that the correction repeats keep their clocks.
    fn correct(&mut self, from_ply: usize, new: &[String]) {
        let from = from_ply.saturating_sub(1);
        if from > self.moves.len() {
            return;
        }
        let replaced = self.moves.split_off(from);
        let repeated = replaced.iter().zip(new).take_while(|(old, new)| old.san == **new).count();
        self.moves.extend(replaced.into_iter().take(repeated));
        self.moves.extend(new.iter().skip(repeated).map(|san| Move {
            san: san.clone(),
            clock_ms: None,
            illegal: None,
        }));
    }
}
