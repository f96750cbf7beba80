//! The operator's hand: the record as somebody who has looked at the board says it should be.

use std::collections::BTreeMap;

use protocol::feed::{Correction, Entry, Side, Variant};
use shakmaty::{Chess, Color, EnPassantMode, FromSetup, Move, Position, san::San, uci::UciMove};

use crate::{
    Refusal,
    hand::Order,
    table::{
        record::{Choice, Game, number},
        turn::Turn,
        whole::Table,
    },
};

impl Table {
    /// The record's position is this one. If this game has been there, later plies leave the record; otherwise the game
    /// goes on from here without the moves that led here.
    pub(crate) fn set_position(&mut self, fen: &str, turn: &mut Turn) -> Result<(), Refusal> {
        let Some(game) = self.record.game() else {
            let game = Game::read(self.record.games() + 1, fen, Variant::Standard, &[], &BTreeMap::new())?;
            self.begin(game, self.hand.lie(), turn);
            return Ok(());
        };
        let set = Game::read(game.number, fen, game.variant(), &[], &BTreeMap::new())?;
        let meant = set.position();
        let same = |position: &Chess| position.board() == meant.board() && position.turn() == meant.turn();
        match (0..=game.len()).rev().find(|plies| game.position_after(*plies).is_some_and(same)) {
            Some(plies) => self.record_again(plies, &[], Correction::Arbiter, turn),
            None => self.start_from(set, turn)?,
        }
        Ok(())
    }

    /// It is this side's turn in the position the game begins with.
    pub(crate) fn set_turn(&mut self, side: Side, turn: &mut Turn) -> Result<(), Refusal> {
        let game = self.begun()?;
        let to_move = Color::from(side);
        if game.position().turn() == to_move {
            return Err(Refusal::because(format!("it is {}'s turn already", name(to_move))));
        }
        if game.len() > 0 {
            let sentence = format!(
                "after {} moves of the record it is {}'s turn: \"insert\" the move that is missing, or \"undo\" the \
                 one that was not played",
                game.len(),
                name(!to_move)
            );
            return Err(Refusal::because(sentence));
        }
        let mut setup = game.position().to_setup(EnPassantMode::Legal);
        setup.turn = to_move;
        setup.ep_square = None;
        let position = Chess::from_setup(setup, game.mode).map_err(|_| {
            let sentence = format!("it can't be {}'s turn here: the other king stands in check", name(to_move));
            Refusal::because(sentence)
        })?;
        let set = Game::new(game.number, position, game.mode);
        self.start_from(set, turn)
    }

    /// These moves come before this ply, or at the end.
    pub(crate) fn insert(
        &mut self,
        ply: Option<usize>,
        moves: &[String],
        cut: bool,
        turn: &mut Turn,
    ) -> Result<(), Refusal> {
        let game = self.begun()?;
        let ply = ply.unwrap_or(game.len() + 1);
        if ply == 0 || ply > game.len() + 1 {
            return Err(no_such_ply(game, ply, game.len() + 1));
        }
        if moves.is_empty() {
            return Err(Refusal::because("which moves? add \"moves\": [\"Nf3\", \"Nc6\"]"));
        }
        let line = mended(game, ply - 1, moves, ply - 1, cut)?;
        self.record_again(ply - 1, &line, Correction::Arbiter, turn);
        Ok(())
    }

    /// This ply is another move.
    pub(crate) fn replace(&mut self, ply: usize, played: &str, cut: bool, turn: &mut Turn) -> Result<(), Refusal> {
        let game = self.begun()?;
        if ply == 0 || ply > game.len() {
            return Err(no_such_ply(game, ply, game.len()));
        }
        let line = mended(game, ply - 1, &[played.to_owned()], ply, cut)?;
        self.record_again(ply - 1, &line, Correction::Arbiter, turn);
        Ok(())
    }

    /// Of the lines that explain what was not heard, it was this one, counted from 1.
    pub(crate) fn choose(&mut self, alternative: usize, turn: &mut Turn) -> Result<(), Refusal> {
        let game = self.begun()?;
        let Some(Choice { before, lines }) = self.record.choice() else {
            return Err(Refusal::because("there is nothing to choose: every move of the record was seen or decided"));
        };
        let Some(line) = alternative.checked_sub(1).and_then(|index| lines.get(index)) else {
            return Err(Refusal::because(format!("there are {} alternatives: choose 1 to {0}", lines.len())));
        };
        let (before, after) = (*before, (before + line.len()).min(game.len()));
        let texts = line.iter().map(|played| played.to_uci(game.mode).to_string()).collect::<Vec<_>>();
        let line = mended(game, before, &texts, after, false)?;
        self.record_again(before, &line, Correction::Arbiter, turn);
        self.record.forget_choice();
        Ok(())
    }

    /// The record keeps so many plies, and these come after them.
    pub(crate) fn record_again(&mut self, kept: usize, moves: &[Move], reason: Correction, turn: &mut Turn) {
        let Some(game) = self.record.game() else { return };
        let stands = |(ply, played): &(usize, &Move)| {
            kept + ply < game.len() && game.uci(kept + ply) == played.to_uci(game.mode).to_string()
        };
        let same = moves.iter().enumerate().take_while(stands).count();
        let (kept, moves) = (kept + same, &moves[same..]);
        let (old, new, from_ply) = self.record.go_on_with(kept, moves);
        if !old.is_empty() || !new.is_empty() {
            turn.entry(Entry::Corrected { from_ply, old, new, reason });
        }
        let last_mover = self.record.game().map(|game| Side::from(!game.position().turn()));
        if let Some(correct) = self.record.correct() {
            self.lay_out([correct], turn);
        }
        if let Some(last_mover) = last_mover.filter(|_| self.desk.is_playing() && !moves.is_empty()) {
            let over = self.over();
            self.examine(over, last_mover, false, turn);
        } else {
            self.tell_pressing(turn);
        }
    }

    /// The same game, from another beginning.
    fn start_from(&mut self, set: Game, turn: &mut Turn) -> Result<(), Refusal> {
        if self.desk.has_ended() {
            return Err(Refusal::because("the game is over: open it again with the result *, or order a new_game"));
        }
        if self.record.plies() > 0 {
            let old = self.record.shorten(0);
            turn.entry(Entry::Corrected { from_ply: 1, old, new: Vec::new(), reason: Correction::Arbiter });
        }
        turn.entry(set.started());
        turn.entry(Entry::State { state: self.desk.state() });
        let (position, mode, lie) = (set.position().clone(), set.mode, self.hand.lie());
        self.record.begin(set);
        self.show(turn);
        self.order_hand([Order::Begin { position, mode, lie }], turn);
        self.tell_pressing(turn);
        Ok(())
    }

    fn begun(&self) -> Result<&Game, Refusal> {
        self.record.game().ok_or_else(|| {
            Refusal::because("no game has begun at this table: put the men on their squares, or order a new_game")
        })
    }
}

/// The moves after the first `kept` plies of a game: those written in `texts`, then the record's own from ply `later` on
/// as far as they fit; all of them unless the rest may be `cut`.
fn mended(game: &Game, kept: usize, texts: &[String], later: usize, cut: bool) -> Result<Vec<Move>, Refusal> {
    let Some(mut position) = game.position_after(kept).cloned() else {
        let sentence = format!("ply {kept} is a move that is not legal: mend the record from there on");
        return Err(Refusal::because(sentence));
    };
    let mut line = Vec::new();
    for text in texts {
        let Some(played) = read(&position, text) else {
            let at = number(&position);
            let sentence = format!("{text} is no legal move for {} at move {at}", name(position.turn()));
            return Err(Refusal::because(sentence));
        };
        position.play_unchecked(played);
        line.push(played);
    }
    for ply in later..game.len() {
        let uci = game.uci(ply);
        let played = uci.parse::<UciMove>().ok().and_then(|uci| uci.to_move(&position).ok());
        let Some(played) = played else {
            if cut {
                break;
            }
            let sentence = format!(
                "from ply {} ({}) on the record does not fit any more: add \"cut\": true to take back from there",
                ply + 1,
                game.san(ply)
            );
            return Err(Refusal::because(sentence));
        };
        position.play_unchecked(played);
        line.push(played);
    }
    Ok(line)
}

/// A move as players or as programs write it.
fn read(position: &Chess, text: &str) -> Option<Move> {
    let text = text.trim().trim_end_matches(['+', '#', '!', '?']);
    let san = text.parse::<San>().ok().and_then(|san| san.to_move(position).ok());
    san.or_else(|| text.parse::<UciMove>().ok().and_then(|uci| uci.to_move(position).ok()))
}

fn no_such_ply(game: &Game, ply: usize, most: usize) -> Refusal {
    if most == 0 {
        return Refusal::because("the record has no moves yet");
    }
    Refusal::because(format!("there is no ply {ply}: the record has {}, choose 1 to {most}", game.len()))
}

fn name(side: Color) -> &'static str {
    if side.is_white() { "White" } else { "Black" }
}
