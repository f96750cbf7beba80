//! The games of a table, entry by entry: what a book is made of.

use std::collections::BTreeMap;

use protocol::feed::{
    AlertKind, Bye, Correction, Entry, GameResult, Notation, Period, Player, ResultReason, Score, Side, Stage,
    TimeControl, Variant,
};
use shakmaty::{Chess, Position as _, fen::Fen, san::SanPlus};

use super::moves::{Move, Moves};

/// Where an ordinary game starts.
pub(super) const INITIAL: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// What all games of a round have in common, and its tables.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Round {
    pub(super) stage: Stage,
    pub(super) title: String,
    pub(super) site: String,
    pub(super) date: String,
    pub(super) time_control: Option<TimeControl>,
    /// The periods of its clock, where they are known.
    pub(super) periods: Vec<Period>,
    /// Who has nobody to play with.
    pub(super) byes: Vec<Bye>,
    /// In which letters its scoresheets are written.
    pub(super) notation: Option<Notation>,
    /// Of all of which something was ever said: what is told is told of those that are `there`.
    pub(super) tables: BTreeMap<u16, Sheet>,
}

/// Who met in a round, and what both scored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Meeting {
    /// From 1.
    pub round: u16,
    /// White.
    pub white: Player,
    /// Black.
    pub black: Player,
    /// What both scored; open where it is not known.
    pub score: Score,
}

/// One pairing and its games: as a rule one, and one more each time the men are put up again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Sheet {
    /// The last one that was said.
    pub(super) pairing: Option<(Player, Player)>,
    pub(super) time_control: Option<TimeControl>,
    pub(super) games: Vec<Game>,
    /// What happened beside the moves, in order.
    pub(super) log: Vec<Happened>,
    pub(super) clocks: Glance,
    /// It has left the wall.
    is_away: bool,
}

/// What both clocks showed when they were read last. It is only seen: sheets are the same by what is in the record.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Glance(pub(super) Option<(u64, u64)>);

impl PartialEq for Glance {
    fn eq(&self, _: &Glance) -> bool {
        true
    }
}

impl Eq for Glance {}

/// Something that happened beside the moves.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Happened {
    pub(super) t: u64,
    /// In which game; 0 before the first.
    pub(super) game: u32,
    /// After so many plies of it.
    pub(super) ply: usize,
    pub(super) entry: Entry,
}

/// An entry holds no number that is not one, so what equals itself once does so always.
impl Eq for Happened {}

/// One game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Game {
    pub(super) number: u32,
    pub(super) start: String,
    pub(super) variant: Variant,
    /// Who plays it.
    pub(super) pairing: Option<(Player, Player)>,
    pub(super) moves: Moves,
    pub(super) result: GameResult,
    /// On what ground.
    pub(super) reason: Option<ResultReason>,
    /// What both score, where the result alone does not say it.
    pub(super) score: Option<Score>,
    /// Moves that were played after the game was over. They are no part of it.
    pub(super) void: Vec<String>,
}

impl Round {
    /// Its tables, but for those that have left no trace.
    pub(super) fn there(&self) -> impl Iterator<Item = (u16, &Sheet)> {
        self.tables.iter().filter(|(_, sheet)| sheet.is_there()).map(|(table, sheet)| (*table, sheet))
    }

    /// One of them.
    pub(super) fn sheet(&self, table: u16) -> Option<&Sheet> {
        self.tables.get(&table).filter(|sheet| sheet.is_there())
    }

    /// What both clocks of a table begin with, where it is known.
    pub(super) fn base_ms(&self, sheet: &Sheet) -> Option<u64> {
        let first = self.periods.first().map(|period| period.base_s);
        let base = first.or_else(|| sheet.time_control.or(self.time_control).map(|control| control.base_s))?;
        Some(u64::from(base) * 1000)
    }
}

impl Sheet {
    pub(super) fn apply(&mut self, t: u64, entry: &Entry) {
        self.keep(t, entry);
        match entry {
            Entry::Started { game, fen, variant } => {
                self.games.retain(|earlier| earlier.number < *game);
                make_room(&mut self.games);
                self.games.push(Game::new(*game, fen.clone(), *variant, self.pairing.clone()));
            }
            Entry::Paired { white, black, time_control } => {
                self.pair(white, black);
                self.time_control = *time_control;
            }
            Entry::Final { ply, san, clock_ms, fen, illegal, .. } => {
                let illegal = illegal.then(|| fen.clone());
                let played = Move { san: san.clone(), clock_ms: *clock_ms, pressed: None, made: Some(t), illegal };
                self.game().set(*ply, played);
            }
            Entry::Corrected { from_ply, old, new, reason } => {
                let game = self.game();
                let written = Some(t).filter(|_| game.is_open());
                game.correct(*from_ply, new, written);
                if *reason == Correction::AfterTheEnd {
                    self.game().void.clone_from(old);
                }
            }
            Entry::Result { result, reason, score } => self.game().end(*result, *reason, *score),
            Entry::Earlier { game, entry } => self.mend(t, *game, entry),
            Entry::Instants { ply, pressed, .. } => self.game().note_press(*ply, *pressed),
            Entry::Shown { shown, removed } => {
                self.is_away = !shown;
                self.pairing.take_if(|_| *removed);
            }
            Entry::State { .. }
            | Entry::Proposal(_)
            | Entry::Confirmed { .. }
            | Entry::Verdict { .. }
            | Entry::Voice { .. }
            | Entry::Noted { .. }
            | Entry::Round { .. }
            | Entry::Alert(_) => {}
        }
    }

    /// What belongs into a report stands there with its time and its place in the game.
    fn keep(&mut self, t: u64, entry: &Entry) {
        if let Entry::Confirmed { of } = entry {
            return self.confirm(*of);
        }
        let is_kept = match entry {
            Entry::Alert(_)
            | Entry::Noted { .. }
            | Entry::Proposal(_)
            | Entry::Result { .. }
            | Entry::Earlier { .. } => true,
            Entry::Corrected { reason, .. } => matches!(reason, Correction::Arbiter | Correction::AfterTheEnd),
            Entry::Started { .. }
            | Entry::Paired { .. }
            | Entry::Final { .. }
            | Entry::Instants { .. }
            | Entry::State { .. }
            | Entry::Confirmed { .. }
            | Entry::Verdict { .. }
            | Entry::Voice { .. }
            | Entry::Shown { .. }
            | Entry::Round { .. } => false,
        };
        if is_kept {
            let (game, ply) = self.games.last().map_or((0, 0), |game| (game.number, game.moves.len()));
            make_room(&mut self.log);
            self.log.push(Happened { t, game, ply, entry: entry.clone() });
        }
    }

    /// What was told as unconfirmed is no misreading.
    fn confirm(&mut self, of: AlertKind) {
        for happened in &mut self.log {
            if let Entry::Alert(alert) = &mut happened.entry
                && alert.kind == of
            {
                alert.unconfirmed = false;
            }
        }
    }

    /// A table that has left the wall and at which nobody is to play leaves no trace, unless something was played there.
    fn is_there(&self) -> bool {
        !self.is_away || self.pairing.is_some() || self.games.iter().any(Game::says_something)
    }

    /// Who plays the game that is on, or was last.
    pub(super) fn players(&self) -> Option<&(Player, Player)> {
        self.games.last().and_then(|game| game.pairing.as_ref()).or(self.pairing.as_ref())
    }

    /// Who plays the game that is on, and the next ones. A game that is over keeps its players, but for a name that
    /// was wrong: then the other player is the same. What was said before is no news to it: it may have been mended since.
    fn pair(&mut self, white: &Player, black: &Player) {
        let pairing = (white.clone(), black.clone());
        let mends = |known: &(Player, Player)| {
            let is_kept = known.0.name == pairing.0.name || known.1.name == pairing.1.name;
            *known != pairing && is_kept
        };
        let mends = self.pairing.as_ref().is_none_or(mends);
        if let Some(last) = self.games.last_mut().filter(|last| last.is_open() || mends) {
            last.pairing = Some(pairing.clone());
        }
        self.pairing = Some(pairing);
    }

    /// An earlier game is another one than it was; by its number the one that is on can be meant too.
    fn mend(&mut self, t: u64, number: u32, entry: &Entry) {
        let Some(game) = self.games.iter_mut().find(|game| game.number == number) else { return };
        if let Entry::Paired { white, black, .. } = entry {
            game.pairing = Some((white.clone(), black.clone()));
        } else if let Entry::Corrected { from_ply, new, .. } = entry {
            let written = Some(t).filter(|_| game.is_open());
            game.correct(*from_ply, new, written);
        } else if let Entry::Result { result, reason, score } = entry {
            game.end(*result, *reason, *score);
        }
    }

    fn game(&mut self) -> &mut Game {
        if self.games.is_empty() {
            self.games.push(Game::new(1, INITIAL.to_owned(), Variant::Standard, self.pairing.clone()));
        }
        self.games.last_mut().expect("a game was added if there was none")
    }

    /// Who met here, and what came of it: of several games the last to which somebody has given a result, or else the last
    /// that ended by itself. What is played on a board whose result stands decides nothing.
    pub(super) fn meeting(&self, round: u16) -> Option<Meeting> {
        let decided = self.decided();
        let players = decided.and_then(|game| game.pairing.clone()).or(self.pairing.clone())?;
        let score = decided.map_or(Score::Open, Game::score);
        Some(Meeting { round, white: players.0, black: players.1, score })
    }

    /// The game that is the meeting; while none has ended, the last that says something.
    pub(super) fn met(&self) -> Option<&Game> {
        let played = || self.games.iter().rev().find(|game| !game.moves.is_empty());
        self.decided().or_else(played).or(self.games.last())
    }

    fn decided(&self) -> Option<&Game> {
        let ended = || self.games.iter().rev().filter(|game| !game.is_open());
        ended().find(|game| game.is_given()).or_else(|| ended().next())
    }

    /// The games that say something. A start that no move followed was only men being put up.
    pub(super) fn told(&self) -> impl Iterator<Item = (usize, &Game)> {
        let last = self.games.len().saturating_sub(1);
        let told = self.games.iter().enumerate().filter(move |(at, game)| *at == last || game.says_something());
        (1..).zip(told.map(|(_, game)| game))
    }

    /// Those of them that are games: men that are put up once more after the last one are none of these players.
    pub(super) fn played(&self) -> impl Iterator<Item = (usize, &Game)> {
        let before = self.games.iter().rev().skip(1).find(|game| game.says_something());
        let is_coming = move |game: &Game| before.is_none_or(|before| before.pairing != game.pairing);
        self.told().filter(move |(_, game)| game.says_something() || is_coming(game))
    }
}

impl Game {
    pub(super) fn new(number: u32, start: String, variant: Variant, pairing: Option<(Player, Player)>) -> Game {
        Game {
            number,
            start,
            variant,
            pairing,
            moves: Moves::default(),
            result: GameResult::Open,
            reason: None,
            score: None,
            void: Vec::new(),
        }
    }

    /// Somebody has moved, or it has a result.
    fn says_something(&self) -> bool {
        !self.moves.is_empty() || !self.is_open()
    }

    /// Nothing is known of how it ended.
    pub(super) fn is_open(&self) -> bool {
        self.result == GameResult::Open && self.score.is_none()
    }

    /// Somebody has given it its result, or confirmed it.
    fn is_given(&self) -> bool {
        self.reason.is_some_and(|reason| !reason.is_by_itself())
    }

    /// What a player had left after so many plies.
    pub(super) fn left_ms(&self, side: Side, plies: usize) -> Option<u64> {
        let first = if self.start.split(' ').nth(1) == Some("b") { Side::Black } else { Side::White };
        let mover = |at: usize| if at.is_multiple_of(2) { first } else { first.other() };
        let last = (0..plies.min(self.moves.len())).rev().find(|at| mover(*at) == side)?;
        self.moves.read()[last].clock_ms
    }

    /// The position after so many plies, as far as it can be read.
    pub(super) fn position_after(&self, plies: usize) -> Option<Chess> {
        let read = |fen: &str| fen.parse::<Fen>().ok()?.into_position::<Chess>(self.variant.into()).ok();
        let mut position = read(&self.start)?;
        for one in self.moves.read().iter().take(plies) {
            if let Some(fen) = &one.illegal {
                position = read(fen)?;
                continue;
            }
            let played = one.san.parse::<SanPlus>().ok()?.san.to_move(&position).ok()?;
            position.play_unchecked(played);
        }
        Some(position)
    }

    /// What both score. A game that was won by forfeit has no moves.
    pub(super) fn score(&self) -> Score {
        let by_forfeit = self.reason == Some(ResultReason::Forfeit) && self.moves.is_empty();
        match (self.score, self.result) {
            (Some(score), _) => score,
            (None, GameResult::WhiteWins) if by_forfeit => Score::WhiteByForfeit,
            (None, GameResult::BlackWins) if by_forfeit => Score::BlackByForfeit,
            (None, result) => result.into(),
        }
    }

    fn end(&mut self, result: GameResult, reason: ResultReason, score: Option<Score>) {
        (self.result, self.reason, self.score) = (result, Some(reason), score);
        self.moves.close();
    }

    /// A move that is there already may come again with its clock. One that does not follow what is there is left out:
    /// a PGN with a hole is worse than a short one.
    fn set(&mut self, ply: usize, played: Move) {
        let Some(at) = ply.checked_sub(1).filter(|at| *at <= self.moves.len()) else { return };
        if at == self.moves.len() {
            return self.moves.push(&played);
        }
        self.moves.change(|moves| match moves.get_mut(at) {
            Some(known) if known.san == played.san => known.clock_ms = played.clock_ms.or(known.clock_ms),
            _ => {
                moves.truncate(at);
                moves.push(played);
            }
        });
    }

    fn note_press(&mut self, ply: usize, pressed: Option<u64>) {
        if let Some(at) = ply.checked_sub(1) {
            self.moves.change_at(at, |played| played.pressed = pressed);
        }
    }

    /// Moves that the correction repeats keep their clocks, those at its end too, wherever they are now. Where as many
    /// moves stand as did before, each was pressed when the one before it was. What was not there was made when it was
    /// `written`, if the game was on.
    fn correct(&mut self, from_ply: usize, new: &[String], written: Option<u64>) {
        let from = from_ply.saturating_sub(1);
        if from > self.moves.len() {
            return;
        }
        // A game that is kept by hand grows so, a move at a time.
        if from == self.moves.len() {
            let one = |san: &String| Move { san: san.clone(), made: written, ..Move::default() };
            return new.iter().for_each(|san| self.moves.push(&one(san)));
        }
        self.moves.change(|moves| {
            let old = moves.split_off(from);
            let known = |at: usize| known(&old, new, at);
            moves.extend(new.iter().enumerate().map(|(at, san)| match known(at) {
                Some(known) if known.san == *san => known.clone(),
                Some(known) => Move { san: san.clone(), illegal: None, ..known.clone() },
                None => Move { san: san.clone(), made: written, ..Move::default() },
            }));
        });
    }
}

/// The old move whose times the new one at this place keeps.
fn known<'a>(old: &'a [Move], new: &[String], at: usize) -> Option<&'a Move> {
    let repeated = old.iter().zip(new).take_while(|(old, new)| old.san == **new).count();
    let at_end = old.iter().rev().zip(new.iter().rev()).take_while(|(old, new)| old.san == **new).count();
    let from_end = new.len() - at;
    match at {
        at if at < repeated || old.len() == new.len() => old.get(at),
        _ if from_end <= at_end => old.len().checked_sub(from_end).and_then(|at| old.get(at)),
        _ => None,
    }
}

/// Room for one more, and not for as many again: most tables have one game in a round, and sheets stay for the event.
fn make_room<T>(all: &mut Vec<T>) {
    if all.len() == all.capacity() {
        all.reserve_exact(1 + all.len() / 4);
    }
}
