//! Moves that an order writes down as people do, in the letters of their event, are spelt as programs do before the order
//! is journalled: what was meant can be read from the journal without knowing who wrote it where.

use laws::notation::{Language, Reading, read};
use protocol::feed::{Because, Claim, Command, Notation};
use shakmaty::{Chess, Move, Position as _, san::San};

use super::mending::read_program;
use crate::{
    Ply, Refusal,
    table::{record::Game, whole::Table},
};

impl Table {
    /// The same order for this game of the table, spelt as programs do. What can't be read stays as it is: whoever carries
    /// the order out says what is wrong with it.
    pub(crate) fn spelt(&self, game: Option<u32>, mut command: Command, letters: Language) -> Result<Command, Refusal> {
        if let Command::Insert { ply, moves, .. } = &mut command {
            moves.retain(|text| !is_number(text));
            if let Some(position) = self.position_before(game, ply.map(Ply::new)) {
                spell(position, moves, letters)?;
            }
        } else if let Command::Replace { ply, played, .. } = &mut command {
            if let Some(position) = self.position_before(game, Some(Ply::new(*ply))) {
                spell(position, std::slice::from_mut(played), letters)?;
            }
        } else if let Command::Claim { claim: Claim::Threefold | Claim::Fifty, intended: Some(text), .. } = &mut command
            && let Some(game) = self.record.game()
            && let Some(played) =
                self.as_made().map(|(position, _)| meant(&position, text, letters)).transpose()?.flatten()
        {
            *text = played.to_uci(game.mode()).to_string();
        }
        Ok(command)
    }

    /// Where the moves of an order come, if there is such a ply: at the end without one.
    fn position_before(&self, number: Option<u32>, ply: Option<Ply>) -> Option<Chess> {
        let before = |game: &Game| game.position_after(ply.map_or(Some(game.ply()), Ply::previous)?).cloned();
        match number.filter(|number| *number != self.record.games()) {
            None => before(self.record.game()?),
            Some(number) => before(&Game::stored(self.record.earlier(number)?).ok()?),
        }
    }
}

/// The letters as the Laws know them.
pub fn letters(notation: Notation) -> Language {
    match notation {
        Notation::English => Language::English,
        Notation::German => Language::German,
        Notation::Spanish => Language::Spanish,
        Notation::Figurines => Language::Figurine,
    }
}

/// Spells these moves, as far as they can be read.
fn spell(mut position: Chess, texts: &mut [String], letters: Language) -> Result<(), Refusal> {
    for text in texts {
        let Some(played) = meant(&position, text, letters)? else { break };
        *text = San::from_move(&position, played).to_string();
        position.play_unchecked(played);
    }
    Ok(())
}

/// The move that a text means at an event with these letters, if it is one. Programs write in English everywhere, and
/// `Rd1` is a rook to them and a king in Spanish: whoever may have meant either is asked.
fn meant(position: &Chess, text: &str, letters: Language) -> Result<Option<Move>, Refusal> {
    let san = |played: Move| San::from_move(position, played).to_string();
    match (read_program(position, text), read(position, letters, text)) {
        (Some(one), Reading::Legal(other)) if one != other => {
            let [one, other] = [one, other].map(|played| played.to_uci(shakmaty::CastlingMode::Standard));
            let sentence = format!(
                "\"{text}\" is {one} in English letters and {other} in those of the event: give it by its squares"
            );
            let moves = vec![one.to_string(), other.to_string()];
            Err(Refusal::because(sentence).known_as(Because::SeveralMoves { text: text.to_owned(), moves }))
        }
        (Some(played), _) | (None, Reading::Legal(played)) => Ok(Some(played)),
        (None, Reading::Ambiguous(moves)) => {
            let moves = moves.into_iter().map(san).collect::<Vec<_>>();
            let refusal = Refusal::because(format!("\"{text}\" may be {}: say which", moves.join(" or ")));
            Err(refusal.known_as(Because::SeveralMoves { text: text.to_owned(), moves }))
        }
        (None, Reading::Illegal) => Ok(None),
        // Letters that mean nothing here are a guest's own.
        (None, Reading::Unclear) => {
            let guests = Language::ALL.into_iter().filter_map(|language| read(position, language, text).legal());
            let mut moves = guests.collect::<Vec<_>>();
            moves.dedup();
            Ok(<[Move; 1]>::try_from(moves).ok().map(|[only]| only))
        }
    }
}

/// `12.` and `12...` stand between moves as people write them.
fn is_number(text: &str) -> bool {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    rest.len() < text.len() && !rest.is_empty() && rest.chars().all(|c| matches!(c, '.' | '…'))
}
