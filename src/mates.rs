//! Who can still mate in a position, as it is told: a line of moves, or a proof.

use std::time::Instant;

use anyhow::Context;
use laws::dead::{Budget, Verdict, can_mate};
use serde::Serialize;
use shakmaty::{CastlingMode, Chess, Color, Move, fen::Fen};

/// Who can still mate in a position.
#[derive(Debug, Serialize)]
pub struct Mates {
    fen: String,
    white: Side,
    black: Side,
    /// How long both took, in microseconds.
    us: u128,
}

impl Mates {
    /// Searches a position for both colours; neither looks at more positions than `budget`.
    pub fn of(fen: &str, budget: Budget) -> anyhow::Result<Mates> {
        let (position, mode) = position(fen)?;
        let began = Instant::now();
        let [white, black] = [Color::White, Color::Black].map(|color| can_mate(&position, color, budget));
        let us = began.elapsed().as_micros();
        Ok(Mates { fen: fen.to_owned(), white: Side::of(&white, mode), black: Side::of(&black, mode), us })
    }
}

fn position(fen: &str) -> anyhow::Result<(Chess, CastlingMode)> {
    let setup =
        fen.parse::<Fen>().context("this is no FEN: write one as in 8/8/4k3/8/8/4K3/8/8 w - - 0 1")?.into_setup();
    let mode = CastlingMode::detect(&setup);
    let position = laws::position::set_up(setup, mode);
    Ok((position.map_err(|error| anyhow::anyhow!("there is no such position ({error})"))?, mode))
}

/// What is known of one colour.
#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Side {
    Can { can_mate: bool, line: Vec<String> },
    Cannot { can_mate: bool, proof: Proof },
    Open { can_mate: Option<bool>, spent: u64 },
}

#[derive(Debug, Serialize)]
struct Proof {
    kind: &'static str,
    /// For people.
    says: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    positions: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    families: Option<usize>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    locked: Vec<String>,
}

impl Side {
    fn of(verdict: &Verdict, mode: CastlingMode) -> Side {
        let uci = |next: &Move| next.to_uci(mode).to_string();
        match verdict {
            Verdict::CanMate(mate) => Side::Can { can_mate: true, line: mate.line().iter().map(uci).collect() },
            Verdict::CannotMate(proof) => Side::Cannot { can_mate: false, proof: Proof::of(proof.proof()) },
            Verdict::Unknown { spent } => Side::Open { can_mate: None, spent: *spent },
        }
    }
}

impl Proof {
    fn of(proof: &laws::dead::Proof) -> Proof {
        Proof {
            kind: proof.kind(),
            says: proof.to_string(),
            positions: proof.positions(),
            families: proof.families(),
            locked: proof.locked().into_iter().map(|square| square.to_string()).collect(),
        }
    }
}
