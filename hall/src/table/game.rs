//! The record of one game: where it started and the moves that are final.

use protocol::feed::{Clocks, GameResult, Side, Variant};
use shakmaty::{
    Board, CastlingMode, Chess, EnPassantMode, Move, Position,
    fen::{Epd, Fen},
    san::SanPlus,
    uci::UciMove,
};

use crate::{Millis, Refusal};

/// One game.
#[derive(Clone, Debug)]
pub(super) struct Game {
    pub(super) number: u32,
    pub(super) mode: CastlingMode,
    pub(super) result: GameResult,
    start: Chess,
    plies: Vec<Ply>,
}

#[derive(Clone, Debug)]
struct Ply {
    san: String,
    uci: String,
    after: Chess,
    /// What the clocks showed when it was made.
    clocks: Option<Clocks>,
    made: Made,
}

/// When a ply was made, step by step.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Made {
    pub(super) touched: Option<Millis>,
    pub(super) placed: Option<Millis>,
    pub(super) pressed: Option<Millis>,
    pub(super) settled: Millis,
    /// Pressed, or completed without.
    pub(super) completed: bool,
}

/// A move as it goes into the record.
#[derive(Clone, Debug)]
pub(super) struct Written {
    pub(super) ply: usize,
    pub(super) san: String,
    pub(super) uci: String,
    pub(super) fen: String,
}

impl Game {
    pub(super) fn new(number: u32, start: Chess, mode: CastlingMode) -> Game {
        Game { number, mode, result: GameResult::Open, start, plies: Vec::new() }
    }

    /// The game that starts from a FEN, with the moves so far in UCI.
    pub(super) fn read(number: u32, fen: &str, variant: Variant, moves: &[String]) -> Result<Game, Refusal> {
        let mode = CastlingMode::from_chess960(variant == Variant::Chess960);
        let bad = |error: &dyn std::fmt::Display| {
            Refusal::because(format!("\"{fen}\" is no position to play from ({error}): check the FEN in an editor"))
        };
        let setup = fen.parse::<Fen>().map_err(|error| bad(&error))?;
        let start = setup.into_position::<Chess>(mode).map_err(|error| bad(&error))?;
        let mut game = Game::new(number, start, mode);
        for text in moves {
            let played = text.parse::<UciMove>().ok().and_then(|uci| uci.to_move(game.position()).ok());
            game.push(played.ok_or_else(|| Refusal::because(format!("{text} is no legal move here")))?);
        }
        Ok(game)
    }

    pub(super) fn push(&mut self, played: Move) -> Written {
        let mut after = self.position().clone();
        let san = SanPlus::from_move_and_play_unchecked(&mut after, played).to_string();
        let uci = played.to_uci(self.mode).to_string();
        let fen = fen(&after);
        self.plies.push(Ply { san: san.clone(), uci: uci.clone(), after, clocks: None, made: Made::default() });
        Written { ply: self.plies.len(), san, uci, fen }
    }

    /// Takes back the last moves; gives them in SAN.
    pub(super) fn take_back(&mut self, plies: usize) -> Vec<String> {
        let kept = self.plies.len().saturating_sub(plies);
        self.plies.drain(kept..).map(|ply| ply.san).collect()
    }

    pub(super) fn position(&self) -> &Chess {
        self.plies.last().map_or(&self.start, |ply| &ply.after)
    }

    /// The placements before the current position, oldest first.
    pub(super) fn earlier(&self) -> Vec<Board> {
        let positions = std::iter::once(&self.start).chain(self.plies.iter().map(|ply| &ply.after));
        positions.take(self.plies.len()).map(|position| position.board().clone()).collect()
    }

    /// Remembers what the clocks show as the last move is made.
    pub(super) fn note_clocks(&mut self, clocks: Option<Clocks>) {
        if let Some(ply) = self.plies.last_mut() {
            ply.clocks = clocks;
        }
    }

    /// When a ply was made; plies count from 1.
    pub(super) fn made_mut(&mut self, ply: usize) -> Option<&mut Made> {
        Some(&mut self.plies.get_mut(ply.checked_sub(1)?)?.made)
    }

    /// Who made a ply; plies count from 1.
    pub(super) fn mover_of(&self, ply: usize) -> Option<Side> {
        let first = Side::from(self.start.turn());
        (1..=self.plies.len()).contains(&ply).then(|| if ply % 2 == 1 { first } else { first.other() })
    }

    /// What the clocks showed when the last move was made.
    pub(super) fn clocks(&self) -> Option<Clocks> {
        self.plies.last()?.clocks
    }

    /// The position after the last move.
    pub(super) fn fen(&self) -> String {
        fen(self.position())
    }

    pub(super) fn len(&self) -> usize {
        self.plies.len()
    }

    pub(super) fn start_fen(&self) -> String {
        fen(&self.start)
    }

    pub(super) fn variant(&self) -> Variant {
        if self.mode.is_chess960() { Variant::Chess960 } else { Variant::Standard }
    }

    pub(super) fn sans(&self) -> impl Iterator<Item = &str> {
        self.plies.iter().map(|ply| ply.san.as_str())
    }

    pub(super) fn ucis(&self) -> Vec<String> {
        self.plies.iter().map(|ply| ply.uci.clone()).collect()
    }

    pub(super) fn last_uci(&self) -> Option<&str> {
        self.plies.last().map(|ply| ply.uci.as_str())
    }
}

pub(super) fn fen(position: &Chess) -> String {
    Fen::from_position(position, EnPassantMode::Legal).to_string()
}

/// The placement field of a FEN.
pub(super) fn placement(position: &Chess) -> String {
    Epd::from_position(position, EnPassantMode::Legal).to_string().split(' ').next().unwrap_or_default().to_owned()
}
