//! The record of one game: where it started and the moves that are final.

use std::collections::BTreeMap;

use laws::{
    dead::{Budget, Verdict},
    draws::History,
};
use protocol::feed::{Clocks, Entry, GameResult, Side, Variant};
use shakmaty::{
    Board, ByColor, CastlingMode, Chess, EnPassantMode, Move, Position,
    fen::{Epd, Fen},
    san::SanPlus,
    uci::UciMove,
};

use super::proving::Proving;
use crate::{
    Doubt, Millis, Question, Refusal,
    hand::{Earlier, Reply, Stood, read_reply},
};

/// One game.
#[derive(Clone, Debug)]
pub(crate) struct Game {
    pub(crate) number: u32,
    pub(crate) mode: CastlingMode,
    pub(crate) result: GameResult,
    start: Chess,
    plies: Vec<Ply>,
    history: History,
    proving: Proving,
}

#[derive(Clone, Debug)]
struct Ply {
    san: String,
    uci: String,
    fen: String,
    /// The placement after it.
    board: Board,
    /// The position after it; a move that is not legal may have led to one that is none.
    after: Option<Chess>,
    /// What the clocks showed when it was made.
    clocks: Option<Clocks>,
    made: Made,
}

/// When a ply was made, step by step.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Made {
    pub(crate) touched: Option<Millis>,
    pub(crate) placed: Option<Millis>,
    pub(crate) pressed: Option<Millis>,
    pub(crate) settled: Millis,
    /// Pressed, or completed without.
    pub(crate) completed: bool,
}

/// A move as it goes into the record.
#[derive(Clone, Debug)]
pub(crate) struct Written {
    pub(crate) ply: usize,
    pub(crate) san: String,
    pub(crate) uci: String,
    pub(crate) fen: String,
}

impl Game {
    pub(crate) fn new(number: u32, start: Chess, mode: CastlingMode) -> Game {
        let history = History::starting_from(&start);
        let proving = Proving::from(start.clone());
        Game { number, mode, result: GameResult::Open, start, plies: Vec::new(), history, proving }
    }

    /// The game that starts from a FEN, with the moves so far in UCI.
    /// `irregular` gives the position after each move that is not legal, by its number.
    pub(crate) fn read(
        number: u32,
        fen: &str,
        variant: Variant,
        moves: &[String],
        irregular: &BTreeMap<usize, String>,
    ) -> Result<Game, Refusal> {
        let mode = CastlingMode::from_chess960(variant == Variant::Chess960);
        let start = laws::position::read(fen, mode).map_err(|error| {
            Refusal::because(format!("\"{fen}\" is no position to play from ({error}): check the FEN in an editor"))
        })?;
        let mut game = Game::new(number, start, mode);
        for (ply, text) in (1..).zip(moves) {
            if let Some(fen) = irregular.get(&ply) {
                game.push_known(text, fen);
                continue;
            }
            if game.read_reply(text) {
                continue;
            }
            let played = text.parse::<UciMove>().ok().and_then(|uci| uci.to_move(game.position()).ok());
            game.push(played.ok_or_else(|| Refusal::because(format!("{text} is no legal move here")))?);
        }
        Ok(game)
    }

    pub(crate) fn push(&mut self, played: Move) -> Written {
        self.proving.play(played);
        let mut after = self.position().clone();
        let san = SanPlus::from_move_and_play_unchecked(&mut after, played).to_string();
        let uci = played.to_uci(self.mode).to_string();
        let fen = fen(&after);
        let board = after.board().clone();
        self.add(Written { ply: 0, san, uci, fen }, board, Some(after))
    }

    /// Neither player can mate any more, by any moves, and it is proven.
    pub(crate) fn is_dead(&mut self, budget: Budget) -> bool {
        self.proving.is_dead(self.plies.len(), budget)
    }

    /// The same after a move that is seen and not final yet.
    pub(crate) fn would_be_dead(&mut self, seen: Move, budget: Budget) -> bool {
        self.proving.would_be_dead(seen, budget)
    }

    /// Whether a player can mate after what is seen beyond the record, as far as it is known.
    pub(crate) fn can_mate(&mut self, seen: &[Move], side: Side, budget: Budget) -> Option<bool> {
        self.proving.can_mate(seen, side.into(), budget)
    }

    /// What was found out aside about a position of the record. True if it shows that the game is over.
    pub(crate) fn learn(&mut self, question: &Question, verdict: &Verdict, budget: Budget) -> bool {
        self.proving.learn(question.ply, question.side.into(), verdict, self.plies.len(), budget)
    }

    /// What a search has found out, for who decides.
    pub(crate) fn found(&self, question: &Question, verdict: &Verdict) -> Entry {
        let uci = |next: &Move| next.to_uci(self.mode).to_string();
        let (line, proof) = match verdict {
            Verdict::CanMate(mate) => (mate.line().iter().map(uci).collect(), None),
            Verdict::CannotMate(proof) => (Vec::new(), Some(proof.proof().to_string())),
            Verdict::Unknown { .. } => (Vec::new(), None),
        };
        Entry::Verdict { ply: question.ply, side: question.side, can_mate: verdict.can_mate(), line, proof }
    }

    /// The ply with which it was over that nobody knew to be over, if more was played since.
    pub(crate) fn over_before(&self) -> Option<usize> {
        self.proving.over_at().filter(|ply| *ply < self.len())
    }

    /// What has to be known to tell whether the game is over.
    pub(crate) fn doubts(&self) -> Vec<Doubt> {
        let Some(unsure) = self.proving.unsure() else { return Vec::new() };
        let Some(position) = self.position_after(unsure.ply) else { return Vec::new() };
        unsure.open.iter().map(|color| self.doubt(unsure.ply, (*color).into(), position.clone())).collect()
    }

    /// Whether this player can mate in a position of this game.
    pub(crate) fn doubt(&self, ply: usize, side: Side, position: Chess) -> Doubt {
        Doubt::new(self.number, ply, side, position, self.mode)
    }

    pub(crate) fn proving(&self) -> &Proving {
        &self.proving
    }

    pub(crate) fn proving_mut(&mut self) -> &mut Proving {
        &mut self.proving
    }

    /// A move that is not legal and stands all the same.
    pub(crate) fn push_irregular(&mut self, stood: &Stood) -> Written {
        let Stood { uci, fen, board, .. } = stood;
        self.add(Written { ply: 0, san: uci.clone(), uci: uci.clone(), fen: fen.clone() }, board.clone(), None)
    }

    /// The reply to it, from which play goes on.
    pub(crate) fn push_reply(&mut self, reply: &Reply, after: &Chess) -> Written {
        let Reply { san, uci, .. } = reply;
        let written = Written { ply: 0, san: san.clone(), uci: uci.clone(), fen: fen(after) };
        let written = self.add(written, after.board().clone(), Some(after.clone()));
        self.prove_anew();
        written
    }

    /// A move that is not legal, by the position after it.
    fn push_known(&mut self, uci: &str, fen: &str) {
        let board = fen.parse::<Fen>().map_or_else(|_| self.position().board().clone(), |fen| fen.into_setup().board);
        self.add(Written { ply: 0, san: uci.to_owned(), uci: uci.to_owned(), fen: fen.to_owned() }, board, None);
    }

    /// The reply to a move that is not legal; nothing if the last move is legal.
    fn read_reply(&mut self, uci: &str) -> bool {
        let broken = self.plies.last().filter(|ply| ply.after.is_none());
        let setup = broken.and_then(|ply| ply.fen.parse::<Fen>().ok()).map(Fen::into_setup);
        let Some((san, after)) = setup.and_then(|setup| read_reply(setup, uci, self.mode)) else { return false };
        let written = Written { ply: 0, san, uci: uci.to_owned(), fen: fen(&after) };
        self.add(written, after.board().clone(), Some(after));
        self.prove_anew();
        true
    }

    fn add(&mut self, written: Written, board: Board, after: Option<Chess>) -> Written {
        let (san, uci) = (written.san.clone(), written.uci.clone());
        match &after {
            Some(after) => self.history.push(after),
            None => {
                let left = written
                    .fen
                    .parse::<Fen>()
                    .map_or_else(|_| self.position().to_setup(EnPassantMode::Legal), Fen::into_setup);
                self.history.push_irregular(&left);
            }
        }
        self.plies.push(Ply { san, uci, fen: written.fen.clone(), board, after, clocks: None, made: Made::default() });
        Written { ply: self.plies.len(), ..written }
    }

    /// Takes back the last moves; gives them in SAN.
    pub(crate) fn take_back(&mut self, plies: usize) -> Vec<String> {
        if plies == 0 {
            return Vec::new();
        }
        let mut kept = self.plies.len().saturating_sub(plies);
        // A move that is not legal stands only with the reply on top of it.
        while kept.checked_sub(1).is_some_and(|last| self.plies[last].after.is_none()) {
            kept -= 1;
        }
        self.history.truncate(kept);
        let taken = self.plies.drain(kept..).map(|ply| ply.san).collect();
        self.prove_anew();
        taken
    }

    /// The position was not reached by playing on from the one before.
    fn prove_anew(&mut self) {
        let position = self.position().clone();
        self.proving.restore(self.plies.len(), position);
    }

    pub(crate) fn position(&self) -> &Chess {
        self.plies.iter().rev().find_map(|ply| ply.after.as_ref()).unwrap_or(&self.start)
    }

    /// The position before the last move.
    pub(crate) fn before(&self) -> Option<&Chess> {
        self.before_ply(self.plies.len())
    }

    /// A ply of the record and the position it was made in; plies count from 1.
    pub(crate) fn move_at(&self, ply: usize) -> Option<(&Chess, Move)> {
        let before = self.before_ply(ply)?;
        let uci = self.plies.get(ply - 1)?.uci.parse::<UciMove>().ok()?;
        Some((before, uci.to_move(before).ok()?))
    }

    /// The position a ply was made in; none under one that is not legal.
    fn before_ply(&self, ply: usize) -> Option<&Chess> {
        let index = ply.checked_sub(1)?;
        index.checked_sub(1).map_or(Some(&self.start), |index| self.plies.get(index)?.after.as_ref())
    }

    /// How often positions have occurred, and for how long nothing irreversible has happened.
    pub(crate) fn history(&self) -> &History {
        &self.history
    }

    /// A look at it as if the position after a move that is seen were in the record.
    pub(crate) fn looking_ahead<T>(&mut self, after: &Chess, look: impl FnOnce(&History) -> T) -> T {
        let plies = self.history.plies();
        self.history.push(after);
        let seen = look(&self.history);
        self.history.truncate(plies);
        seen
    }

    /// The same with a move that is not in the record.
    pub(crate) fn history_with(&self, played: Move) -> History {
        let mut after = self.position().clone();
        after.play_unchecked(played);
        let mut history = self.history.clone();
        history.push(&after);
        history
    }

    /// A ply was pressed, or completed without; plies count from 1.
    pub(crate) fn is_completed(&self, ply: usize) -> bool {
        ply.checked_sub(1).and_then(|index| self.plies.get(index)).is_none_or(|ply| ply.made.completed)
    }

    /// The number of moves a player has completed, those before a position that was set up included.
    pub(crate) fn moves_completed(&self, side: Side) -> u32 {
        let since = (1..=self.plies.len()).filter(|ply| self.mover_of(*ply) == Some(side) && self.is_completed(*ply));
        let before = moves_made(&self.start)[side.into()];
        before.saturating_add(u32::try_from(since.count()).unwrap_or(u32::MAX))
    }

    /// The position after so many plies; none behind a move that is not legal.
    pub(crate) fn position_after(&self, plies: usize) -> Option<&Chess> {
        self.before_ply(plies + 1)
    }

    /// A ply as players write it; counted from 0.
    pub(crate) fn san(&self, ply: usize) -> &str {
        &self.plies[ply].san
    }

    /// A ply as programs write it; counted from 0.
    pub(crate) fn uci(&self, ply: usize) -> &str {
        &self.plies[ply].uci
    }

    /// What was before the current position, oldest first.
    pub(crate) fn earlier(&self) -> Vec<Earlier> {
        let start = Earlier { board: self.start.board().clone(), position: Some(self.start.clone()) };
        let after = |ply: &Ply| Earlier { board: ply.board.clone(), position: ply.after.clone() };
        std::iter::once(start).chain(self.plies.iter().map(after)).take(self.plies.len()).collect()
    }

    /// Remembers what the clocks show as the last move is made.
    pub(crate) fn note_clocks(&mut self, clocks: Option<Clocks>) {
        if let Some(ply) = self.plies.last_mut() {
            ply.clocks = clocks;
        }
    }

    /// When a ply was made; plies count from 1.
    pub(crate) fn made_mut(&mut self, ply: usize) -> Option<&mut Made> {
        Some(&mut self.plies.get_mut(ply.checked_sub(1)?)?.made)
    }

    /// Nobody has pressed the clock, and what is in the record may be men put on wrong squares: one by each player.
    pub(crate) fn is_tentative(&self) -> bool {
        self.plies.len() <= 2 && self.plies.iter().all(|ply| ply.made.pressed.is_none())
    }

    /// Who made a ply; plies count from 1.
    pub(crate) fn mover_of(&self, ply: usize) -> Option<Side> {
        let first = Side::from(self.start.turn());
        (1..=self.plies.len()).contains(&ply).then(|| if ply % 2 == 1 { first } else { first.other() })
    }

    /// What the clocks showed when so many moves had been made.
    pub(crate) fn clocks_at(&self, plies: usize) -> Option<Clocks> {
        self.plies.get(plies.checked_sub(1)?)?.clocks
    }

    /// The position after the last move.
    pub(crate) fn fen(&self) -> String {
        fen(self.position())
    }

    pub(crate) fn len(&self) -> usize {
        self.plies.len()
    }

    /// That it begins, for everybody.
    pub(crate) fn started(&self) -> Entry {
        Entry::Started { game: self.number, fen: self.start_fen(), variant: self.variant() }
    }

    pub(crate) fn start_fen(&self) -> String {
        fen(&self.start)
    }

    pub(crate) fn variant(&self) -> Variant {
        if self.mode.is_chess960() { Variant::Chess960 } else { Variant::Standard }
    }

    pub(crate) fn sans(&self) -> impl Iterator<Item = &str> {
        self.plies.iter().map(|ply| ply.san.as_str())
    }

    pub(crate) fn ucis(&self) -> Vec<String> {
        self.plies.iter().map(|ply| ply.uci.clone()).collect()
    }

    /// The moves that are not legal, by their number, with the positions after them.
    pub(crate) fn irregular(&self) -> BTreeMap<usize, String> {
        let broken = |(_, ply): &(usize, &Ply)| ply.after.is_none();
        (1..).zip(&self.plies).filter(broken).map(|(number, ply)| (number, ply.fen.clone())).collect()
    }

    pub(crate) fn last_uci(&self) -> Option<&str> {
        self.plies.last().map(|ply| ply.uci.as_str())
    }
}

/// How many moves White and Black have made, by the number of the move.
pub(crate) fn moves_made(position: &Chess) -> ByColor<u32> {
    let both = position.fullmoves().get() - 1;
    ByColor { white: both + u32::from(position.turn().is_black()), black: both }
}

/// The number of the next move, as `12` or `12...`.
pub(crate) fn number(position: &Chess) -> String {
    format!("{}{}", position.fullmoves(), if position.turn().is_white() { "" } else { "..." })
}

pub(crate) fn fen(position: &Chess) -> String {
    Fen::from_position(position, EnPassantMode::Legal).to_string()
}

/// The placement field of a FEN.
pub(crate) fn placement(position: &Chess) -> String {
    Epd::from_position(position, EnPassantMode::Legal).to_string().split(' ').next().unwrap_or_default().to_owned()
}
