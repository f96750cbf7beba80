//! Moves go into the record, and screens see the line.

use protocol::{
    board::Lie,
    feed::{Clocks, Correction, Entry, Side, Sight, State},
};
use shakmaty::{Move, Position as _, san::SanPlus};

use super::{
    Spoken, Table, Turn,
    game::{self, Game},
};
use crate::{
    StoredRecord,
    hand::{Finished, Opening, Order},
};

impl Table {
    pub(super) fn open(&mut self, opening: Opening, turn: &mut Turn) {
        let opening = match self.clock.to_move(opening.lie) {
            Some(to_move) if opening.assumed => opening.with_turn(to_move.into()),
            Some(_) | None => opening,
        };
        let game = Game::new(self.next_number(), opening.position.clone(), opening.mode);
        if opening.assumed {
            self.begin_by(game, Order::Assume(Box::new(opening)), turn);
        } else {
            self.begin(game, opening.lie, turn);
        }
    }

    /// The game whose beginning was read off the board began otherwise.
    pub(super) fn reopen(&mut self, opening: Opening, turn: &mut Turn) {
        let game = Game::new(self.games, opening.position, opening.mode);
        turn.entry(Entry::Started { game: game.number, fen: game.start_fen(), variant: game.variant() });
        turn.entry(Entry::State { state: self.state });
        self.game = Some(game);
        self.tail.clear();
        self.shown = None;
        self.show(turn);
    }

    /// The number of the game that begins now. One that was only read off the board, and in which nobody has moved, was
    /// none.
    pub(super) fn next_number(&self) -> u32 {
        let none_yet = self.hand.is_assumed() && self.game.as_ref().is_some_and(|game| game.len() == 0);
        if none_yet { self.games } else { self.games + 1 }
    }

    pub(super) fn begin(&mut self, game: Game, lie: Lie, turn: &mut Turn) {
        let begin = Order::Begin { position: game.position().clone(), mode: game.mode, lie };
        self.begin_by(game, begin, turn);
    }

    fn begin_by(&mut self, game: Game, begin: Order, turn: &mut Turn) {
        self.games = game.number;
        turn.entry(Entry::Started { game: game.number, fen: game.start_fen(), variant: game.variant() });
        self.game = Some(game);
        self.tail.clear();
        self.shown = None;
        self.offences = [0; 2];
        self.signalled = false;
        self.proposal = None;
        self.flags.begin();
        self.counting.begin();
        self.pending.clear();
        self.spoken = Spoken::default();
        self.choice = None;
        // Said even if the last game was still on: a new game starts its own life.
        self.state = State::Playing;
        turn.entry(Entry::State { state: State::Playing });
        self.show(turn);
        self.order_hand([begin], turn);
        self.tell_pressing(turn);
    }

    pub(super) fn write(&mut self, finished: &Finished, turn: &mut Turn) {
        let Some(game) = &mut self.game else { return };
        let mover = Side::from(game.position().turn());
        let written = game.push(finished.played);
        if self.tail.first() == Some(&finished.played) {
            self.tail.remove(0);
        }
        let lie = self.hand.lie();
        let clock_ms = self.clock.left_ms(mover, lie);
        let clocks = self.clock.left_ms(Side::White, lie).zip(self.clock.left_ms(Side::Black, lie));
        game.note_clocks(clocks.map(|(white, black)| Clocks { white, black }));
        let game::Written { ply, san, uci, fen } = written;
        turn.entry(Entry::Final { ply, san, uci, fen, clock_ms, inferred: finished.inferred, illegal: false });
        if let Some(Sight::Seen { settled, .. }) = &mut self.shown {
            *settled = ply;
        }
        let over = self.over();
        self.note_made(finished, over.is_some(), turn);
        let questioned = self.note_suspicions(finished, mover, turn);
        self.in_question = questioned.then_some(ply);
        self.examine(over, mover, questioned, turn);
    }

    /// Final moves were something else.
    pub(super) fn rewrite(&mut self, plies: usize, moves: &[Move], reason: Correction, turn: &mut Turn) {
        let Some(game) = &mut self.game else { return };
        let old = game.take_back(plies);
        let from_ply = game.len() + 1;
        let new = moves.iter().map(|played| game.push(*played).san).collect();
        turn.entry(Entry::Corrected { from_ply, old, new, reason });
        self.shown = None;
        self.tail.clear();
        self.show(turn);
    }

    /// Tells screens the visible line, if they were told another.
    pub(super) fn show(&mut self, turn: &mut Turn) {
        let Some(game) = &self.game else { return };
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
        if self.shown.as_ref() != Some(&seen) {
            self.shown = Some(seen.clone());
            turn.show(seen);
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
