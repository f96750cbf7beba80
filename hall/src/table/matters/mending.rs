//! The operator's hand: the record as somebody who has looked at the board says it should be.

use protocol::feed::{Because, Correction, Entry, Side, Variant};
use shakmaty::{Chess, Color, EnPassantMode, FromSetup, Move, Position, san::San, uci::UciMove};

use crate::{
    Course, Played, Ply, Refusal,
    hand::Order,
    table::{
        record::{Choice, Game, number, read_start, san},
        turn::Turn,
        whole::Table,
    },
};

impl Table {
    /// The record's position is this one. If this game has been there, later plies leave the record; otherwise the game
    /// goes on from here without the moves that led here.
    pub(crate) fn set_position(&mut self, fen: &str, turn: &mut Turn) -> Result<(), Refusal> {
        let Some(game) = self.record.game() else {
            let game = Game::new(self.record.games() + 1, &read_start(fen, Variant::Standard)?);
            self.begin(game, self.hand.lie(), turn);
            return Ok(());
        };
        let set = read_start(fen, game.variant())?;
        let meant = set.position();
        let same = |position: &Chess| position.board() == meant.board() && position.turn() == meant.turn();
        let plies = (0..=game.ply().count()).rev().map(Ply::new);
        match plies.into_iter().find(|ply| game.position_after(*ply).is_some_and(same)) {
            Some(ply) => self.record_again(ply, &[], turn),
            None => self.start_from(&set, turn)?,
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
        if game.ply() > Ply::START {
            let sentence = format!(
                "after {} moves of the record it is {}'s turn: \"insert\" the move that is missing, or \"undo\" the \
                 one that was not played",
                game.ply(),
                name(!to_move)
            );
            return Err(Refusal::because(sentence));
        }
        let mut setup = game.position().to_setup(EnPassantMode::Legal);
        setup.turn = to_move;
        setup.ep_square = None;
        let position = Chess::from_setup(setup, game.mode()).map_err(|_| {
            let sentence = format!("it can't be {}'s turn here: the other king stands in check", name(to_move));
            Refusal::because(sentence)
        })?;
        let set = Course::begin(position, game.mode());
        self.start_from(&set, turn)
    }

    /// These moves come before this ply, or at the end.
    pub(crate) fn insert(
        &mut self,
        ply: Option<Ply>,
        moves: &[String],
        cut: bool,
        turn: &mut Turn,
    ) -> Result<(), Refusal> {
        let game = self.begun()?;
        let next = game.ply().next();
        let ply = ply.unwrap_or(next);
        let Some(before) = ply.previous().filter(|_| ply <= next) else { return Err(no_such_ply(game, ply, next)) };
        if moves.is_empty() {
            return Err(Refusal::because("which moves? add \"moves\": [\"Nf3\", \"Nc6\"]"));
        }
        let mut line = mended(game, before, moves, before, cut)?;
        line.extend(self.kept_after(game, before, &line));
        self.record_again(before, &line, turn);
        Ok(())
    }

    /// What was played on after a hole that these moves fill, where they come at the end: it need not be given again.
    fn kept_after(&self, game: &Game, before: Ply, line: &[Move]) -> Vec<Move> {
        let mut position = game.position_after(before).cloned().unwrap_or_default();
        line.iter().for_each(|played| position.play_unchecked(*played));
        let kept = self.record.kept_from(&position).iter().map_while(|played| {
            position.is_legal(*played).then(|| position.play_unchecked(*played))?;
            Some(*played)
        });
        kept.collect()
    }

    /// This ply is another move.
    pub(crate) fn replace(&mut self, ply: Ply, played: &str, cut: bool, turn: &mut Turn) -> Result<(), Refusal> {
        let game = self.begun()?;
        let last = game.ply();
        let Some(before) = ply.previous().filter(|_| ply <= last) else { return Err(no_such_ply(game, ply, last)) };
        let line = mended(game, before, &[played.to_owned()], ply, cut)?;
        self.record_again(before, &line, turn);
        Ok(())
    }

    /// Of the lines that explain what was not heard, it was this one, counted from 1.
    pub(crate) fn choose(&mut self, alternative: usize, turn: &mut Turn) -> Result<(), Refusal> {
        let game = self.begun()?;
        let Some(Choice { before, lines }) = self.record.choice() else {
            let refusal = Refusal::because("there is nothing to choose: every move of the record was seen or decided");
            return Err(refusal.known_as(Because::NothingToChoose));
        };
        let Some(line) = alternative.checked_sub(1).and_then(|index| lines.get(index)) else {
            let refusal = Refusal::because(format!("there are {} alternatives: choose 1 to {0}", lines.len()));
            return Err(refusal.known_as(Because::NothingToChoose));
        };
        let (before, after) = (*before, before.on(line.len()).min(game.ply()));
        let texts = line.iter().map(|played| played.to_uci(game.mode()).to_string()).collect::<Vec<_>>();
        let line = mended(game, before, &texts, after, false)?;
        self.record_again(before, &line, turn);
        Ok(())
    }

    /// The record keeps the plies up to this one, and these come after them.
    fn record_again(&mut self, kept: Ply, moves: &[Move], turn: &mut Turn) {
        let Some(game) = self.record.game() else { return };
        // What stands already is not played again.
        let stands = |(ply, played): &(Ply, &Move)| game.course().played_at(*ply) == Some(&Played::Legal(**played));
        let plies = (1..).map(|plies| kept.on(plies));
        let same = plies.zip(moves).take_while(stands).count();
        let Some(kept) = game.course().back_to(kept.on(same)) else { return };
        let (moves, goes_on, shared) = (&moves[same..], kept.ply() == game.ply(), kept.ply());
        let record = moves.iter().fold(kept, |record, played| record.play(*played));
        let last_mover = Side::from(!record.position().turn());
        // Moves that are written down beyond what stands on the board are still to be made there, by nobody out of turn.
        let lags = goes_on && self.boards.is_linked() && self.hand.difference(game.position().board()).is_empty();
        self.tell_corrected(&record, Correction::Arbiter, turn);
        self.lay_out([if lags { Order::Restore(record) } else { Order::Correct(record) }], turn);
        self.fall_back_to(shared, turn);
        if self.desk.is_playing() && !moves.is_empty() {
            let over = self.over();
            self.examine(over, last_mover, false, turn);
        }
    }

    /// The same game, from another beginning.
    fn start_from(&mut self, set: &Course, turn: &mut Turn) -> Result<(), Refusal> {
        if self.desk.has_ended() {
            let refusal = Refusal::because("the game is over: open it again with the result *, or order a new_game");
            return Err(refusal.known_as(Because::GameOver));
        }
        if let Some(begun) = self.record.game().map(|game| game.course().beginning()) {
            self.tell_corrected(&begun, Correction::Arbiter, turn);
        }
        let game = Game::new(self.record.games(), set);
        turn.entry(game.started());
        turn.entry(Entry::State { state: self.desk.state() });
        self.record.begin(game);
        self.show(turn);
        self.order_hand([Order::Begin { record: set.clone(), lie: self.hand.lie() }], turn);
        Ok(())
    }

    fn begun(&self) -> Result<&Game, Refusal> {
        self.record.game().ok_or_else(|| {
            Refusal::because("no game has begun at this table: put the men on their squares, or order a new_game")
                .known_as(Because::NoGame)
        })
    }
}

/// The moves after the ply `kept` of a game: those written in `texts`, then the record's own beyond the ply `later` as far
/// as they fit; all of them unless the rest may be `cut`.
pub(super) fn mended(game: &Game, kept: Ply, texts: &[String], later: Ply, cut: bool) -> Result<Vec<Move>, Refusal> {
    let Some(mut position) = game.position_after(kept).cloned() else {
        let sentence = format!("ply {kept} is a move that is not legal: mend the record from there on");
        return Err(Refusal::because(sentence).known_as(Because::PastAnIllegalMove));
    };
    let mut line = Vec::new();
    for text in texts {
        let Some(played) = read_program(&position, text) else {
            let at = number(&position);
            let sentence = format!("{text} is no legal move for {} at move {at}", name(position.turn()));
            let (side, number) = (position.turn().into(), position.fullmoves().get());
            return Err(Refusal::because(sentence).known_as(Because::IllegalMove { text: text.clone(), side, number }));
        };
        position.play_unchecked(played);
        line.push(played);
    }
    for version in game.course().since(later) {
        let uci = version.last().map(|played| played.uci(version.mode())).unwrap_or_default();
        let played = uci.parse::<UciMove>().ok().and_then(|uci| uci.to_move(&position).ok());
        let Some(played) = played else {
            if cut {
                break;
            }
            let sentence = format!(
                "from ply {} ({}) on the record does not fit any more: add \"cut\": true to take back from there",
                version.ply(),
                san(&version)
            );
            return Err(Refusal::because(sentence));
        };
        position.play_unchecked(played);
        line.push(played);
    }
    Ok(line)
}

/// A move as programs write it.
pub(super) fn read_program(position: &Chess, text: &str) -> Option<Move> {
    let text = text.trim().trim_end_matches(['+', '#', '!', '?']);
    let san = text.parse::<San>().ok().and_then(|san| san.to_move(position).ok());
    san.or_else(|| text.parse::<UciMove>().ok().and_then(|uci| uci.to_move(position).ok()))
}

fn no_such_ply(game: &Game, ply: Ply, most: Ply) -> Refusal {
    if most == Ply::START {
        return Refusal::because("the record has no moves yet").known_as(Because::NoMoves);
    }
    Refusal::because(format!("there is no ply {ply}: the record has {}, choose 1 to {most}", game.ply()))
}

fn name(side: Color) -> &'static str {
    if side.is_white() { "White" } else { "Black" }
}
