//! A game as it is kept: out of a record, and back into one.

use shakmaty::{Position as _, san::SanPlus};

use super::{game::Game, words::read};
use crate::{Ply, Refusal, StoredRecord};

impl Game {
    /// The game as it was published.
    pub(crate) fn stored(stored: &StoredRecord) -> Result<Game, Refusal> {
        let StoredRecord { game, fen, variant, moves, irregular, result: _, score: _ } = stored;
        let course = read(fen, *variant, moves, irregular)?;
        let mut game = Game::new(*game, &course);
        game.score = stored.scored();
        Ok(game)
    }

    pub(crate) fn to_stored(&self) -> StoredRecord {
        StoredRecord {
            game: self.number,
            fen: self.start_fen(),
            variant: self.variant(),
            moves: self.ucis(),
            irregular: self.irregular(),
            result: self.score.result(),
            score: self.score.beyond_result(),
        }
    }
}

impl StoredRecord {
    /// Takes back what came after this ply.
    pub fn shorten(&mut self, kept: Ply) {
        self.moves.truncate(kept.count());
        self.irregular.retain(|ply, _| *ply <= kept);
    }

    /// From this ply on the moves are others. Corrections are told as players write moves.
    pub fn correct(&mut self, from_ply: Ply, sans: &[String]) {
        self.shorten(from_ply.back(1));
        let StoredRecord { fen, variant, moves, irregular, .. } = self;
        let Ok(course) = read(fen, *variant, moves, irregular) else { return };
        let mut position = course.position().clone();
        for text in sans {
            let played = text.parse::<SanPlus>().ok().and_then(|san| san.san.to_move(&position).ok());
            let Some(played) = played else { return };
            moves.push(played.to_uci(course.mode()).to_string());
            position.play_unchecked(played);
        }
    }
}
