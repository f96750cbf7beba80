//! One game as the table keeps it: a version of the record, and what is known of each of its plies besides.

use std::collections::BTreeMap;

use laws::{
    dead::{Budget, Verdict},
    draws::History,
};
use protocol::feed::{Clocks, Entry, Score, Side, Variant};
use shakmaty::{CastlingMode, Chess, Color, Move, Position};

use super::{
    proving::Proving,
    words::{self, Written, left_behind, moves_made},
};
use crate::{Course, Doubt, Millis, Played, Ply, Question, fen::fen};

/// One game.
#[derive(Clone, Debug)]
pub(crate) struct Game {
    pub(crate) number: u32,
    pub(crate) score: Score,
    course: Course,
    /// One for each ply.
    notes: Vec<Note>,
    history: History,
    proving: Proving,
}

/// What is known of a ply beside what it was.
#[derive(Clone, Debug)]
struct Note {
    san: String,
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

impl Game {
    pub(crate) fn new(number: u32, course: &Course) -> Game {
        let begun = course.beginning();
        let mut game = Game {
            number,
            score: Score::Open,
            notes: Vec::new(),
            history: History::starting_from(begun.start()),
            proving: Proving::from(begun.start().clone()),
            course: begun,
        };
        game.follow(course);
        game
    }

    /// The record is this version of it now.
    pub(crate) fn follow(&mut self, course: &Course) {
        let Some(kept) = self.course.parts_from(course) else {
            *self = Game { score: self.score, ..Game::new(self.number, course) };
            return;
        };
        self.cut(kept);
        for version in course.since(kept) {
            self.go_on(version);
        }
    }

    fn cut(&mut self, kept: Ply) {
        let Some(course) = self.course.at(kept).filter(|_| kept < self.ply()) else { return };
        self.course = course;
        self.notes.truncate(kept.count());
        self.history.truncate(kept.count());
        self.prove_anew();
    }

    /// A ply enters the record.
    fn go_on(&mut self, course: Course) {
        let san = words::san(&course);
        match left_behind(&course) {
            None => self.history.push(course.position()),
            Some(left) => self.history.push_irregular(&left),
        }
        self.course = course;
        self.notes.push(Note { san, clocks: None, made: Made::default() });
        match self.course.last() {
            Some(Played::Legal(played)) => self.proving.play(*played),
            // Only from the reply on there is a position again.
            Some(Played::Irregular(_)) if self.course.impossible().is_none() => self.prove_anew(),
            Some(Played::Irregular(_)) | None => {}
        }
    }

    /// The position was not reached by playing on from the one before.
    fn prove_anew(&mut self) {
        self.proving.restore(self.course.ply(), self.course.position().clone());
    }

    /// Neither player can mate any more, by any moves, and it is proven.
    pub(crate) fn is_dead(&mut self, budget: Budget) -> bool {
        self.proving.is_dead(self.course.ply(), budget)
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
        self.proving.learn(question.ply, question.side.into(), verdict, self.course.ply(), budget)
    }

    /// What a search has found out, for who decides.
    pub(crate) fn found(&self, question: &Question, verdict: &Verdict) -> Entry {
        let uci = |next: &Move| next.to_uci(self.mode()).to_string();
        let (line, proof) = match verdict {
            Verdict::CanMate(mate) => (mate.line().iter().map(uci).collect(), None),
            Verdict::CannotMate(proof) => (Vec::new(), Some(proof.proof().to_string())),
            Verdict::Unknown { .. } => (Vec::new(), None),
        };
        let (ply, side) = (question.ply.count(), question.side);
        Entry::Verdict { ply, side, can_mate: verdict.can_mate(), line, proof }
    }

    /// The ply with which it was over that nobody knew to be over, if more was played since.
    pub(crate) fn over_before(&self) -> Option<Ply> {
        self.proving.over_at().filter(|ply| *ply < self.ply())
    }

    /// What has to be known to tell whether the game is over.
    pub(crate) fn doubts(&self) -> Vec<Doubt> {
        let Some(unsure) = self.proving.unsure() else { return Vec::new() };
        let Some(position) = self.position_after(unsure.ply) else { return Vec::new() };
        unsure.open.iter().map(|color| self.doubt(unsure.ply, (*color).into(), position.clone())).collect()
    }

    /// Whether this player can mate in a position of this game.
    pub(crate) fn doubt(&self, ply: Ply, side: Side, position: Chess) -> Doubt {
        Doubt::new(self.number, ply, side, position, self.mode())
    }

    pub(crate) fn proving(&self) -> &Proving {
        &self.proving
    }

    pub(crate) fn proving_mut(&mut self) -> &mut Proving {
        &mut self.proving
    }

    /// This version of the record.
    pub(crate) fn course(&self) -> &Course {
        &self.course
    }

    /// What is not in that version of the record, and what is there instead: in SAN, and from which ply on.
    pub(crate) fn corrected(&self, course: &Course) -> (Ply, Vec<String>, Vec<String>) {
        let kept = self.course.parts_from(course).unwrap_or(Ply::START);
        let old = self.sans().skip(kept.count()).map(str::to_owned).collect();
        (kept.next(), old, course.since(kept).iter().map(words::san).collect())
    }

    pub(crate) fn position(&self) -> &Chess {
        self.course.position()
    }

    pub(crate) fn mode(&self) -> CastlingMode {
        self.course.mode()
    }

    /// The last ply.
    pub(crate) fn ply(&self) -> Ply {
        self.course.ply()
    }

    /// The position before the last move.
    pub(crate) fn before(&self) -> Option<&Chess> {
        self.position_after(self.ply().previous()?)
    }

    /// A legal move of the record and the position it was made in.
    pub(crate) fn move_at(&self, ply: Ply) -> Option<(&Chess, Move)> {
        let before = self.position_after(ply.previous()?)?;
        match self.course.played_at(ply)? {
            Played::Legal(played) => Some((before, *played)),
            Played::Irregular(_) => None,
        }
    }

    /// A ply of the record as it goes to everybody.
    pub(crate) fn written(&self, ply: Ply) -> Option<Written> {
        let san = self.note(ply)?.san.clone();
        Some(Written::of(&self.course.at(ply)?, san))
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

    /// The position after moves that are not in the record, and the history with them.
    pub(crate) fn going_on(&self, moves: &[Move]) -> (Chess, History) {
        let (mut position, mut history) = (self.position().clone(), self.history.clone());
        for played in moves {
            position.play_unchecked(*played);
            history.push(&position);
        }
        (position, history)
    }

    /// A ply was pressed, or completed without.
    pub(crate) fn is_completed(&self, ply: Ply) -> bool {
        self.note(ply).is_none_or(|note| note.made.completed)
    }

    /// The number of moves a player has completed, those before a position that was set up included.
    pub(crate) fn moves_completed(&self, side: Side) -> u32 {
        let skipped = usize::from(self.course.start().turn() != Color::from(side));
        let since = self.notes.iter().skip(skipped).step_by(2).filter(|note| note.made.completed);
        let before = moves_made(self.course.start())[side.into()];
        before.saturating_add(u32::try_from(since.count()).unwrap_or(u32::MAX))
    }

    /// The position after this ply; none behind a move that is not legal.
    pub(crate) fn position_after(&self, ply: Ply) -> Option<&Chess> {
        self.course.position_at(ply)
    }

    /// Remembers what the clocks show as the last move is made.
    pub(crate) fn note_clocks(&mut self, clocks: Option<Clocks>) {
        if let Some(note) = self.notes.last_mut() {
            note.clocks = clocks;
        }
    }

    /// The same for any ply.
    pub(crate) fn set_clocks(&mut self, ply: Ply, clocks: Option<Clocks>) {
        let note = ply.previous().and_then(|before| self.notes.get_mut(before.count()));
        if let Some(note) = note {
            note.clocks = clocks;
        }
    }

    /// When a ply was made.
    pub(crate) fn made(&self, ply: Ply) -> Option<Made> {
        Some(self.note(ply)?.made)
    }

    /// The same, to be changed.
    pub(crate) fn made_mut(&mut self, ply: Ply) -> Option<&mut Made> {
        Some(&mut self.notes.get_mut(ply.previous()?.count())?.made)
    }

    /// Nobody has pressed the clock, and what is in the record may be men put on wrong squares: one by each player.
    pub(crate) fn is_tentative(&self) -> bool {
        self.notes.len() <= 2 && self.notes.iter().all(|note| note.made.pressed.is_none())
    }

    /// Who made a ply.
    pub(crate) fn mover_of(&self, ply: Ply) -> Option<Side> {
        let first = Side::from(self.course.start().turn());
        self.note(ply).map(|_| if ply.is_first_players() { first } else { first.other() })
    }

    /// What the clocks showed when this ply had been made.
    pub(crate) fn clocks_at(&self, ply: Ply) -> Option<Clocks> {
        self.note(ply)?.clocks
    }

    fn note(&self, ply: Ply) -> Option<&Note> {
        self.notes.get(ply.previous()?.count())
    }

    /// The position after the last move.
    pub(crate) fn fen(&self) -> String {
        fen(self.position())
    }

    /// Somebody has moved, or it has a result.
    pub(crate) fn says_something(&self) -> bool {
        self.ply() > Ply::START || self.score != Score::Open
    }

    /// The same moves from another beginning.
    pub(crate) fn begun_from(&self, course: &Course) -> Game {
        let mut game = Game { score: self.score, ..Game::new(self.number, course) };
        for (note, known) in game.notes.iter_mut().zip(&self.notes) {
            (note.clocks, note.made) = (known.clocks, known.made);
        }
        game
    }

    /// That it begins, for everybody.
    pub(crate) fn started(&self) -> Entry {
        Entry::Started { game: self.number, fen: self.start_fen(), variant: self.variant() }
    }

    pub(crate) fn start_fen(&self) -> String {
        fen(self.course.start())
    }

    pub(crate) fn variant(&self) -> Variant {
        self.mode().into()
    }

    /// Its plies as players write them.
    pub(crate) fn sans(&self) -> impl Iterator<Item = &str> {
        self.notes.iter().map(|note| note.san.as_str())
    }

    /// Its plies as programs write them.
    pub(crate) fn ucis(&self) -> Vec<String> {
        words::ucis(&self.course)
    }

    /// The moves that are not legal, with what they left behind.
    pub(crate) fn irregular(&self) -> BTreeMap<Ply, String> {
        let versions = self.course.since(Ply::START).into_iter();
        versions.filter_map(|version| Some((version.ply(), version.impossible()?.to_owned()))).collect()
    }

    pub(crate) fn last_uci(&self) -> Option<String> {
        self.course.last().map(|played| played.uci(self.mode()))
    }
}
