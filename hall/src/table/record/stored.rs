//! A game as it is kept: out of a record, and back into one.

use shakmaty::{Position as _, san::SanPlus};

use super::game::Game;
use crate::{Refusal, StoredRecord};

impl Game {
    /// The game as it was published.
    pub(crate) fn stored(stored: &StoredRecord) -> Result<Game, Refusal> {
        let StoredRecord { game, fen, variant, moves, irregular, result } = stored;
        let mut game = Game::read(*game, fen, *variant, moves, irregular)?;
        game.result = *result;
        Ok(game)
    }

    pub(crate) fn to_stored(&self) -> StoredRecord {
        StoredRecord {
            game: self.number,
            fen: self.start_fen(),
            variant: self.variant(),
            moves: self.ucis(),
            irregular: self.irregular(),
            result: self.result,
        }
    }
}

impl StoredRecord {
    /// Takes back all but so many plies.
    pub fn shorten(&mut self, plies: usize) {
        self.moves.truncate(plies);
        self.irregular.retain(|ply, _| *ply <= plies);
    }

    /// From this ply on the moves are others. Corrections are told as players write moves.
    pub fn correct(&mut self, from_ply: usize, sans: &[String]) {
        self.shorten(from_ply.saturating_sub(1));
        let StoredRecord { game, fen, variant, moves, irregular, .. } = self;
        let Ok(read) = Game::read(*game, fen, *variant, moves, irregular) else { return };
        let (mut position, mode) = (read.position().clone(), read.mode);
        for text in sans {
            let played = text.parse::<SanPlus>().ok().and_then(|san| san.san.to_move(&position).ok());
            let Some(played) = played else { return };
            moves.push(played.to_uci(mode).to_string());
            position.play_unchecked(played);
        }
    }
}
