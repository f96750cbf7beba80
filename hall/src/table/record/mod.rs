//! What a table has on record: the game, what is seen beyond it, and what screens were told of both.

mod game;
mod proving;
mod stored;

use protocol::feed::{Clocks, GameResult, Sight};
use shakmaty::{Chess, Move, Position as _, san::SanPlus};

use crate::hand::{Earlier, Order, Stood};
pub(crate) use game::{Game, Made, Written, fen, moves_made, number};

/// The record of the game that is on, and the visible line.
#[derive(Clone, Debug, Default)]
pub(crate) struct Record {
    game: Option<Game>,
    games: u32,
    /// The moves that are seen beyond it.
    tail: Vec<Move>,
    /// What screens were told of the visible line.
    shown: Option<Sight>,
    /// Lines to choose from.
    choice: Option<Choice>,
}

/// What explained a gap equally well, and has not been chosen from.
#[derive(Clone, Debug)]
pub(crate) struct Choice {
    /// How many plies the record had before the gap.
    pub(crate) before: usize,
    /// The lines, the one that was shown first.
    pub(crate) lines: Vec<Vec<Move>>,
}

impl Record {
    /// A game begins, or goes on from another beginning. Nothing is left to choose.
    pub(crate) fn begin(&mut self, game: Game) {
        self.choice = None;
        self.replace(game);
    }

    /// The game is this one.
    pub(crate) fn replace(&mut self, game: Game) {
        self.games = game.number;
        self.game = Some(game);
        self.forget_seen();
    }

    /// What is seen is to be read again, and shown again.
    pub(crate) fn forget_seen(&mut self) {
        self.tail.clear();
        self.shown = None;
    }

    /// These moves are seen beyond the record.
    pub(crate) fn see(&mut self, tail: Vec<Move>) {
        self.tail = tail;
    }

    /// A move is final.
    pub(crate) fn write(&mut self, played: Move) -> Option<Written> {
        let written = self.game.as_mut()?.push(played);
        if self.tail.first() == Some(&played) {
            self.tail.remove(0);
        }
        if let Some(Sight::Seen { settled, .. }) = &mut self.shown {
            *settled = written.ply;
        }
        Some(written)
    }

    /// A move that is not legal stands, and so does the reply to it, from which play goes on.
    pub(crate) fn write_irregular(&mut self, stood: &Stood, after: &Chess) -> Option<[Written; 2]> {
        let game = self.game.as_mut()?;
        let irregular = game.push_irregular(stood);
        Some([irregular, game.push_reply(&stood.reply, after)])
    }

    /// The game has this result.
    pub(crate) fn give(&mut self, result: GameResult) {
        if let Some(game) = &mut self.game {
            game.result = result;
        }
    }

    /// The record keeps so many plies, and these come after them. Gives what was there and what is, in SAN, and from
    /// which ply on.
    pub(crate) fn go_on_with(&mut self, kept: usize, moves: &[Move]) -> (Vec<String>, Vec<String>, usize) {
        let old = self.shorten(kept);
        let from_ply = self.plies() + 1;
        let pushed = self.game.as_mut().map(|game| moves.iter().map(|played| game.push(*played).san).collect());
        (old, pushed.unwrap_or_default(), from_ply)
    }

    /// Remembers what the clocks show as the last move is made.
    pub(crate) fn note_clocks(&mut self, clocks: Option<Clocks>) {
        if let Some(game) = &mut self.game {
            game.note_clocks(clocks);
        }
    }

    /// The record keeps so many plies; gives the others in SAN. Lines that explained a gap after them are gone too.
    pub(crate) fn shorten(&mut self, kept: usize) -> Vec<String> {
        self.choice.take_if(|choice| choice.before > kept);
        self.game.as_mut().map(|game| game.take_back(game.len() - kept)).unwrap_or_default()
    }

    /// The moves to choose from, those that were played on top of them included.
    pub(crate) fn keep_choice(&mut self, lines: Vec<Vec<Move>>) {
        self.choice = Some(Choice { before: self.plies(), lines });
    }

    pub(crate) fn forget_choice(&mut self) {
        self.choice = None;
    }

    pub(crate) fn choice(&self) -> Option<&Choice> {
        self.choice.as_ref()
    }

    /// What screens are to be told of the visible line, if they were told another.
    pub(crate) fn news(&mut self) -> Option<Sight> {
        let game = self.game.as_ref()?;
        let mut position = game.position().clone();
        let mut line = game.sans().map(str::to_owned).collect::<Vec<_>>();
        let mut last = game.last_uci().map(str::to_owned);
        for played in &self.tail {
            last = Some(played.to_uci(game.mode).to_string());
            line.push(SanPlus::from_move_and_play_unchecked(&mut position, *played).to_string());
        }
        let seen = Sight::Seen {
            settled: game.len(),
            placement: game::placement(&position),
            turn: position.turn().into(),
            check: position.is_check(),
            last,
            line,
        };
        (self.shown.as_ref() != Some(&seen)).then(|| self.shown.insert(seen).clone())
    }

    pub(crate) fn game(&self) -> Option<&Game> {
        self.game.as_ref()
    }

    pub(crate) fn game_mut(&mut self) -> Option<&mut Game> {
        self.game.as_mut()
    }

    /// The how-many-eth game is on; 0 before the first.
    pub(crate) fn games(&self) -> u32 {
        self.games
    }

    /// How many plies are final.
    pub(crate) fn plies(&self) -> usize {
        self.game.as_ref().map_or(0, Game::len)
    }

    /// Its position, and what was before it.
    pub(crate) fn root(&self) -> Option<(Chess, Vec<Earlier>)> {
        self.game.as_ref().map(|game| (game.position().clone(), game.earlier()))
    }

    /// What the hand is told where the board shows the record, or has to.
    pub(crate) fn correct(&self) -> Option<Order> {
        self.root().map(|(position, earlier)| Order::Correct { position, earlier })
    }

    /// What is seen beyond them.
    pub(crate) fn tail(&self) -> &[Move] {
        &self.tail
    }

    /// That, and what else would explain what is seen.
    pub(crate) fn tails(&self, others: &[Vec<Move>]) -> Vec<Vec<Move>> {
        std::iter::once(&self.tail).chain(others).cloned().collect()
    }

    /// The position of the record and of what is seen beyond it.
    pub(crate) fn seen(&self) -> Chess {
        let mut position = self.game.as_ref().map(|game| game.position().clone()).unwrap_or_default();
        self.tail.iter().for_each(|played| position.play_unchecked(*played));
        position
    }

    /// Moves beyond the record, as players write them.
    pub(crate) fn sans_after(&self, line: &[Move]) -> Vec<String> {
        let Some(game) = &self.game else { return Vec::new() };
        let mut position = game.position().clone();
        line.iter().map(|played| SanPlus::from_move_and_play_unchecked(&mut position, *played).to_string()).collect()
    }
}
