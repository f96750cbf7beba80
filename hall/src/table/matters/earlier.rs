//! An earlier game of the table, ordered by its number: its result and its moves can be mended at any later time.

use protocol::feed::{Command, Correction, Entry, Proposal, Score};

use super::mending::mended;
use crate::{
    Ply, Refusal,
    table::{
        record::{Game, Ground},
        turn::Turn,
        whole::Table,
    },
};

impl Table {
    /// Carries out an order for this game of the table, which need not be the one that is on.
    pub(crate) fn obey_for(&mut self, number: Option<u32>, command: &Command, turn: &mut Turn) -> Result<(), Refusal> {
        match number {
            number if self.decides_left(number, command) => self.decide_left(command, turn),
            None => self.obey(command, turn),
            Some(number) if number == self.record.games() => {
                // Somebody has named it: the one before it is not meant.
                if let Command::Result { result } = command
                    && self.record.game().is_some()
                {
                    return self.give_present(*result, turn);
                }
                self.obey(command, turn)
            }
            Some(number) => self.mend_earlier(number, command, turn),
        }
    }

    /// The men were put up again before the result was given: it belongs to the game that was played, and the next one
    /// waits for its first move.
    pub(crate) fn give_earlier(&mut self, game: u32, result: Score, turn: &mut Turn) -> Result<(), Refusal> {
        self.mend_earlier(game, &Command::Result { result }, turn)
    }

    /// Whether an order decides what was proposed for an earlier game: that is named, or nothing is proposed for this one.
    fn decides_left(&self, number: Option<u32>, command: &Command) -> bool {
        let left = self.desk.left().and_then(|offer| offer.game);
        let is_meant = if number.is_some() { left == number } else { left.is_some() && self.desk.offered().is_none() };
        is_meant && matches!(command, Command::Confirm | Command::Reject)
    }

    /// What was proposed for an earlier game is accepted, or the game stays as it is.
    fn decide_left(&mut self, command: &Command, turn: &mut Turn) -> Result<(), Refusal> {
        let Some(Proposal { game: Some(game), result, .. }) = self.desk.take_left() else { return Ok(()) };
        turn.entry(Entry::Earlier { game, entry: Box::new(Entry::Noted { order: Box::new(command.clone()) }) });
        match result.filter(|_| *command == Command::Confirm) {
            Some(result) => self.give_earlier(game, result.into(), turn),
            None => Ok(()),
        }
    }

    fn mend_earlier(&mut self, number: u32, command: &Command, turn: &mut Turn) -> Result<(), Refusal> {
        let Some(stored) = self.record.earlier(number) else {
            return Err(Refusal::because(match self.record.games() {
                0 => format!("there is no game {number} here: none has begun at this table"),
                games => {
                    format!("there is no game {number} here: the last one is {games}, and empty ones are not kept")
                }
            }));
        };
        let mut game = Game::stored(stored)?;
        let entry = mend(&mut game, command)?;
        let kept =
            if let Entry::Corrected { from_ply, .. } = &entry { Some(Ply::new(*from_ply).back(1)) } else { None };
        let falls = kept.is_some_and(|kept| self.falls_earlier(&mut game, kept));
        let fallen = falls.then(|| give(&mut game, Score::Open)).transpose()?;
        self.record.keep(game.to_stored());
        for entry in [entry].into_iter().chain(fallen) {
            if let Entry::Result { reason, .. } = entry {
                self.record.rest_on(number, Ground { reason, ply: game.ply() });
                self.desk.forget_left(number);
            }
            turn.entry(Entry::Earlier { game: number, entry: Box::new(entry) });
        }
        Ok(())
    }
}

/// Does to a game nobody plays any more what is ordered; nothing waits for it and no clock runs.
#[expect(clippy::wildcard_enum_match_arm, reason = "of all orders four are about moves and results")]
fn mend(game: &mut Game, command: &Command) -> Result<Entry, Refusal> {
    let last = game.ply();
    match command {
        Command::Result { result } => give(game, *result),
        Command::Replace { ply, played, cut } => {
            let ply = Some(Ply::new(*ply)).filter(|ply| *ply <= last).ok_or_else(|| no_ply(game, *ply))?;
            let kept = ply.previous().ok_or_else(|| no_ply(game, 0))?;
            replay(game, kept, std::slice::from_ref(played), ply, *cut)
        }
        Command::Insert { ply, moves, cut } => {
            let ply = ply.map_or(last.next(), Ply::new);
            let kept = ply.previous().filter(|kept| *kept <= last).ok_or_else(|| no_ply(game, ply.count()))?;
            replay(game, kept, moves, kept, *cut)
        }
        Command::Undo { plies } if *plies > 0 && *plies <= last.count() => {
            replay(game, last.back(*plies), &[], last, false)
        }
        Command::Undo { plies } => Err(no_ply(game, *plies)),
        _ => Err(Refusal::because(
            "this order is for the game that is on; an earlier one takes \"result\", \"replace\", \"insert\", \"undo\" and \
             \"pair\"",
        )),
    }
}

fn give(game: &mut Game, score: Score) -> Result<Entry, Refusal> {
    if game.score == score {
        return Err(Refusal::because(format!("nothing has changed: the result of game {} is {score}", game.number)));
    }
    game.score = score;
    let result = score.result();
    Ok(Entry::Result { result, reason: score.reason(), score: score.beyond_result() })
}

/// The game keeps what is up to the ply `kept`; these moves come after it, and then its own beyond the ply `later`.
fn replay(game: &mut Game, kept: Ply, texts: &[String], later: Ply, cut: bool) -> Result<Entry, Refusal> {
    let line = mended(game, kept, texts, later, cut)?;
    let course = game.course().at(kept).ok_or_else(|| no_ply(game, kept.count()))?;
    let course = line.into_iter().fold(course, |course, played| course.play(played));
    let (from_ply, old, new) = game.corrected(&course);
    if old.is_empty() && new.is_empty() {
        return Err(Refusal::because(format!("nothing has changed: game {} has these moves", game.number)));
    }
    game.follow(&course);
    Ok(Entry::Corrected { from_ply: from_ply.count(), old, new, reason: Correction::Arbiter })
}

fn no_ply(game: &Game, ply: usize) -> Refusal {
    Refusal::because(format!("game {} has {} plies: {ply} is none of them", game.number, game.ply().count()))
}
