//! The record as it grows, in moves as programs write them.

use protocol::feed::Entry;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position, fen::Fen, san::San, uci::UciMove};

/// One told record. Corrections speak SAN, which needs positions; a record may go on from another position than its
/// moves lead to, and then the entry says which.
#[derive(Clone, Debug)]
pub(super) struct Told {
    castling: CastlingMode,
    moves: Vec<String>,
    /// Before the first move, and after each.
    positions: Vec<Chess>,
}

impl Told {
    pub(super) fn new(start: &Chess, castling: CastlingMode) -> Told {
        Told { castling, moves: Vec::new(), positions: vec![start.clone()] }
    }

    /// A record that begins as this entry says, or from `start` if that can't be read.
    pub(super) fn started(fen: &str, start: &Chess, castling: CastlingMode) -> Told {
        Told::new(&position(fen, castling).unwrap_or_else(|| start.clone()), castling)
    }

    /// Takes what changes the record and gives the index of the first move it tells.
    pub(super) fn take(&mut self, entry: &Entry) -> Option<usize> {
        match entry {
            Entry::Final { ply, uci, fen, .. } => {
                self.truncate(ply - 1);
                let before = self.position();
                let legal = uci.parse::<UciMove>().ok().and_then(|uci| uci.to_move(before).ok());
                let after = match legal {
                    Some(mv) => after(before, mv),
                    None => position(fen, self.castling).unwrap_or_else(|| before.clone()),
                };
                self.moves.push(uci.clone());
                self.positions.push(after);
                Some(self.moves.len() - 1)
            }
            Entry::Corrected { from_ply, new, .. } => {
                self.truncate(from_ply - 1);
                new.iter().for_each(|san| self.push_san(san));
                Some(from_ply - 1)
            }
            Entry::Started { .. }
            | Entry::Alert(_)
            | Entry::Paired { .. }
            | Entry::Instants { .. }
            | Entry::State { .. }
            | Entry::Proposal { .. }
            | Entry::Voice { .. }
            | Entry::Confirmed { .. }
            | Entry::Verdict { .. }
            | Entry::Noted { .. }
            | Entry::Earlier { .. }
            | Entry::Shown { .. }
            | Entry::Round { .. }
            | Entry::Result { .. } => None,
        }
    }

    fn push_san(&mut self, text: &str) {
        let before = self.position();
        let mv = text.trim_end_matches(['+', '#']).parse::<San>().ok().and_then(|san| san.to_move(before).ok());
        let (uci, after) = match mv {
            Some(mv) => (mv.to_uci(self.castling).to_string(), after(before, mv)),
            None => (text.to_owned(), before.clone()),
        };
        self.moves.push(uci);
        self.positions.push(after);
    }

    fn truncate(&mut self, plies: usize) {
        self.moves.truncate(plies);
        self.positions.truncate(self.moves.len() + 1);
    }

    pub(super) fn moves(&self) -> &[String] {
        &self.moves
    }

    pub(super) fn position(&self) -> &Chess {
        self.positions.last().expect("there is one before the first move")
    }

    /// The position after so many moves.
    pub(super) fn position_after(&self, plies: usize) -> Option<&Chess> {
        self.positions.get(plies)
    }
}

fn position(fen: &str, castling: CastlingMode) -> Option<Chess> {
    fen.parse::<Fen>().ok()?.into_position(castling).ok()
}

fn after(position: &Chess, mv: shakmaty::Move) -> Chess {
    let mut after = position.clone();
    after.play_unchecked(mv);
    after
}

/// The placement field of a position.
pub(super) fn placement(position: &Chess) -> String {
    let fen = Fen::from_position(position, EnPassantMode::Legal).to_string();
    fen.split(' ').next().unwrap_or_default().to_owned()
}
