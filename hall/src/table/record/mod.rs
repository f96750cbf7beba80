//! What a table has on record: the game, what is seen beyond it, and what screens were told of both.

mod game;
mod holes;
mod proving;
mod stored;
mod words;

use std::collections::BTreeMap;

use protocol::feed::{Clocks, Line, ResultReason, Score, Sight};
use shakmaty::{Chess, Move, Position as _, san::SanPlus};

use crate::{
    Course, Ply, StoredRecord,
    hand::{Beyond, play_all},
};
pub(crate) use game::{Game, Made};
use holes::Holes;
pub(crate) use words::{Written, moves_made, number, read_start, san};

/// The record of the game that is on, and the visible line.
#[derive(Clone, Debug, Default)]
pub(crate) struct Record {
    game: Option<Game>,
    games: u32,
    /// The moves that are seen beyond it.
    tail: Vec<Move>,
    /// So many of them were made while the clock did not count them,
    off_clock: usize,
    /// and it stands.
    at_rest: bool,
    /// What is seen beyond holes in it, for those who fill them.
    holes: Holes,
    /// What screens were told of the visible line.
    shown: Option<Sight>,
    /// Lines to choose from.
    choice: Option<Choice>,
    /// The games before it in which something was played or given.
    past: Vec<StoredRecord>,
    /// The games that have their result from a rule alone, and from which one, with which ply.
    ruled: BTreeMap<u32, Ground>,
}

/// What a result rests on that nobody gave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ground {
    pub(crate) reason: ResultReason,
    pub(crate) ply: Ply,
}

/// What explained a gap equally well, and has not been chosen from.
#[derive(Clone, Debug)]
pub(crate) struct Choice {
    /// The last ply before the gap.
    pub(crate) before: Ply,
    /// The lines, the one that was shown first.
    pub(crate) lines: Vec<Vec<Move>>,
}

impl Record {
    /// A game begins, or goes on from another beginning. Nothing is left to choose.
    pub(crate) fn begin(&mut self, game: Game) {
        self.choice = None;
        self.holes = Holes::default();
        if let Some(last) = self.game.as_ref().filter(|last| last.number < game.number && last.says_something()) {
            self.past.push(last.to_stored());
        }
        self.past.retain(|past| past.game < game.number);
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
        self.holes.see(None);
        self.off_clock = 0;
        self.shown = None;
    }

    /// These moves are seen beyond the record.
    pub(crate) fn see(&mut self, beyond: Beyond) {
        let Beyond { moves, hole, off_clock, at_rest } = beyond;
        // A screen plays these from the position before them: what is not legal there shows men that are nowhere.
        debug_assert!(self.game.as_ref().is_none_or(|game| play_all(game.position(), &moves).is_some()));
        debug_assert!(hole.as_ref().is_none_or(|hole| play_all(&hole.from, &hole.moves).is_some()));
        self.tail = moves;
        self.holes.see(hole);
        self.off_clock = off_clock;
        self.at_rest = at_rest && off_clock > 0;
    }

    /// The record is this version of it now. Lines that explained a gap after what is kept are gone.
    pub(crate) fn follow(&mut self, course: &Course) {
        let Some(game) = &mut self.game else { return };
        let kept = game.course().parts_from(course).unwrap_or(Ply::START);
        self.choice.take_if(|choice| choice.before > kept);
        game.follow(course);
    }

    /// The same, where the first move that was seen is final.
    pub(crate) fn write(&mut self, course: &Course, played: Move) -> Option<Written> {
        self.follow(course);
        let written = self.written(course.ply())?;
        if self.tail.first() == Some(&played) {
            self.tail.remove(0);
        }
        if let Some(Sight::Seen { settled, .. }) = &mut self.shown {
            *settled = written.ply;
        }
        Some(written)
    }

    /// The game has this result, for this reason.
    pub(crate) fn give(&mut self, score: Score, reason: ResultReason) {
        if let Some(game) = &mut self.game {
            game.score = score;
            let (number, ply) = (game.number, game.ply());
            self.rest_on(number, Ground { reason, ply });
        }
    }

    /// The result of this game rests on this. What somebody gave rests on nothing that may fall.
    pub(crate) fn rest_on(&mut self, game: u32, ground: Ground) {
        self.ruled.remove(&game);
        self.ruled.extend(ground.reason.is_by_itself().then_some((game, ground)));
    }

    /// What the result of this game rests on, where only a rule gave it and its moves are others after the ply `kept`.
    pub(crate) fn shaken(&self, game: u32, kept: Ply) -> Option<Ground> {
        self.ruled.get(&game).copied().filter(|ground| kept < ground.ply)
    }

    /// Remembers what the clocks show as the last move is made.
    pub(crate) fn note_clocks(&mut self, clocks: Option<Clocks>) {
        if let Some(game) = &mut self.game {
            game.note_clocks(clocks);
        }
    }

    /// An earlier game.
    pub(crate) fn earlier(&self, number: u32) -> Option<&StoredRecord> {
        self.past.iter().find(|past| past.game == number)
    }

    /// An earlier game was this one.
    pub(crate) fn keep(&mut self, mended: StoredRecord) {
        if let Some(past) = self.past.iter_mut().find(|past| past.game == mended.game) {
            *past = mended;
        }
    }

    /// The moves to choose from, those that were played on top of them included.
    pub(crate) fn keep_choice(&mut self, lines: Vec<Vec<Move>>) {
        self.choice = Some(Choice { before: self.ply(), lines });
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
        let mut line = game.sans().collect::<Line>();
        let mut last = game.last_uci();
        for played in &self.tail {
            last = Some(played.to_uci(game.mode()).to_string());
            line.push(&SanPlus::from_move_and_play_unchecked(&mut position, *played).to_string());
        }
        if let Some(hole) = self.holes.seen() {
            position = hole.from.clone();
            last = hole.moves.last().map(|played| played.to_uci(game.mode()).to_string());
            hole.moves.iter().for_each(|played| position.play_unchecked(*played));
        }
        let (placement, rest) = words::placement_and_rest(&position);
        let seen = Sight::Seen {
            settled: game.ply().count(),
            placement,
            turn: position.turn().into(),
            rest,
            check: position.is_check(),
            last,
            off_clock: self.off_clock,
            at_rest: self.at_rest,
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

    /// The last game before this one that says something, while this one says nothing.
    pub(crate) fn last_played(&self) -> Option<u32> {
        let last = self.past.last().map(|past| past.game);
        last.filter(|_| !self.says_something())
    }

    /// The last game before this one, and what both scored in it.
    pub(crate) fn before(&self) -> Option<(u32, Score)> {
        self.past.last().map(|past| (past.game, past.scored()))
    }

    /// A game before this one has a result.
    pub(crate) fn has_ended_before(&self) -> bool {
        self.past.iter().any(|past| past.scored() != Score::Open)
    }

    /// The game before this one has a result, and nobody moved in it.
    pub(crate) fn was_given_before(&self) -> bool {
        self.past.last().is_some_and(|past| past.moves.is_empty())
    }

    /// The result the game before this one was given before anybody had moved, while this one is played and has none.
    pub(crate) fn given_before(&self) -> Option<(u32, Score)> {
        let is_open = self.game.as_ref().is_some_and(|game| game.ply() > Ply::START && game.score == Score::Open);
        self.before().filter(|(_, score)| is_open && self.was_given_before() && *score != Score::Open)
    }

    /// Somebody has moved in the game that is on, or it has a result.
    pub(crate) fn says_something(&self) -> bool {
        self.game.as_ref().is_some_and(Game::says_something)
    }

    /// The last final ply.
    pub(crate) fn ply(&self) -> Ply {
        self.game.as_ref().map_or(Ply::START, Game::ply)
    }

    /// A final ply as it goes to everybody.
    pub(crate) fn written(&self, ply: Ply) -> Option<Written> {
        self.game.as_ref()?.written(ply)
    }

    /// What is seen beyond them.
    pub(crate) fn tail(&self) -> &[Move] {
        &self.tail
    }

    /// What of it was made, pressed or not: what hands show while the clock rests was not.
    pub(crate) fn made(&self) -> &[Move] {
        let shown = if self.at_rest { self.off_clock } else { 0 };
        &self.tail[..self.tail.len().saturating_sub(shown)]
    }

    /// All that is seen, and what else would explain what is seen.
    pub(crate) fn tails(&self, others: &[Vec<Move>]) -> Vec<Vec<Move>> {
        std::iter::once(&self.tail).chain(others).cloned().collect()
    }

    /// The moves that were played on from this position, after a hole.
    pub(crate) fn kept_from(&self, position: &Chess) -> &[Move] {
        self.holes.kept_from(position)
    }

    /// The position of the record and of what is seen beyond it.
    pub(crate) fn seen(&self) -> Chess {
        if let Some(hole) = self.holes.seen() {
            let mut position = hole.from.clone();
            hole.moves.iter().for_each(|played| position.play_unchecked(*played));
            return position;
        }
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
