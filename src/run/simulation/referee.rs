//! What a table was told to have come to, by somebody who only reads what is told: each entry has to follow from those
//! before it, by the rules of chess or by a correction.

use protocol::feed::{Alert, AlertKind, Entry, Event, Evidence, Line, Side, Sight, TableEvent};
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position as _, fen::Fen, san::SanPlus, uci::UciMove};

/// One table, as its screens know it.
#[derive(Clone, Debug, Default)]
pub(super) struct Referee {
    /// Game by game, the final moves in SAN and UCI and when each was told of.
    pub(super) games: Vec<Vec<Told>>,
    /// How many illegal moves were called and not withdrawn.
    pub(super) accused: usize,
    /// Whose the last of them was, and what was seen, while it may turn out to be a misreading.
    unconfirmed: Option<(Option<Side>, Option<Evidence>)>,
    start: Chess,
    mode: Option<CastlingMode>,
    now: Chess,
    /// A move that is not legal stands: what follows is not looked at.
    is_irregular: bool,
}

/// A final move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Told {
    pub(super) san: String,
    pub(super) uci: String,
    pub(super) t: u64,
}

impl Referee {
    /// Takes in what was told, or says what is wrong with it.
    pub(super) fn hear(&mut self, told: &TableEvent) -> Result<(), String> {
        match &told.event {
            Event::Entry(entry) => self.take(entry, told.t),
            Event::Sight(Sight::Seen { line, settled, .. }) => self.see(line, *settled),
            Event::Sight(_) => Ok(()),
        }
        .map_err(|why| format!("{why}: {told:?}"))
    }

    /// The final moves of the game that is on.
    pub(super) fn line(&self) -> &[Told] {
        self.games.last().map_or(&[], Vec::as_slice)
    }

    fn take(&mut self, entry: &Entry, t: u64) -> Result<(), String> {
        match entry {
            Entry::Started { fen, game, .. } => self.start(fen, *game),
            Entry::Final { ply, san, uci, fen, illegal, .. } => {
                self.shorten(ply - 1)?;
                self.play(san, uci, fen, *illegal, t)
            }
            Entry::Corrected { from_ply, old, new, .. } => {
                let stood = self.line()[(from_ply - 1).min(self.line().len())..].iter().map(|told| &told.san);
                if !self.is_irregular && !stood.eq(old) {
                    return Err("what is corrected did not stand".to_owned());
                }
                self.shorten(from_ply - 1)?;
                new.iter().try_for_each(|san| self.play_on(san, t))
            }
            Entry::Alert(alert) => {
                self.note(alert);
                Ok(())
            }
            Entry::Paired { .. }
            | Entry::Instants { .. }
            | Entry::State { .. }
            | Entry::Proposal(_)
            | Entry::Result { .. }
            | Entry::Earlier { .. }
            | Entry::Shown { .. }
            | Entry::Round { .. }
            | Entry::Confirmed { .. }
            | Entry::Verdict { .. }
            | Entry::Noted { .. }
            | Entry::Voice { .. } => Ok(()),
        }
    }

    fn note(&mut self, alert: &Alert) {
        if alert.kind == AlertKind::IllegalMoveCompleted {
            let seen = Some((alert.side, alert.evidence.clone()));
            // What is told again is certain by now.
            self.accused += usize::from(self.unconfirmed != seen);
            self.unconfirmed = seen.filter(|_| alert.unconfirmed);
        }
        if alert.kind == AlertKind::AlertWithdrawn && alert.of == Some(AlertKind::IllegalMoveCompleted) {
            self.accused -= 1;
            self.unconfirmed = None;
        }
    }

    fn start(&mut self, fen: &str, game: u32) -> Result<(), String> {
        let fen = fen.parse::<Fen>().map_err(|error| error.to_string())?;
        let position = |mode| fen.clone().into_position::<Chess>(mode).ok().map(|position| (position, mode));
        let (start, mode) = position(CastlingMode::Standard)
            .or_else(|| position(CastlingMode::Chess960))
            .ok_or("a game starts from no position")?;
        // A game in which nothing was played may begin again.
        let begun = self.games.len();
        if self.line().is_empty() && u32::try_from(begun) == Ok(game) {
            self.games.pop();
        } else if u32::try_from(begun + 1) != Ok(game) {
            return Err(format!("game {game} follows on {begun}"));
        }
        self.games.push(Vec::new());
        (self.now, self.start, self.mode, self.is_irregular) = (start.clone(), start, Some(mode), false);
        Ok(())
    }

    fn shorten(&mut self, plies: usize) -> Result<(), String> {
        let game = self.games.last_mut().ok_or("no game has begun")?;
        if game.len() < plies {
            return Err(format!("ply {} follows on {}", plies + 1, game.len()));
        }
        if game.len() > plies {
            game.truncate(plies);
            let kept = std::mem::take(game);
            (self.now, self.is_irregular) = (self.start.clone(), false);
            kept.into_iter().try_for_each(|told| self.play_on(&told.san, told.t))?;
        }
        Ok(())
    }

    fn play_on(&mut self, san: &str, t: u64) -> Result<(), String> {
        let played = san.parse::<SanPlus>().ok().and_then(|san| san.san.to_move(&self.now).ok());
        match played {
            Some(played) => {
                let uci = played.to_uci(self.mode.unwrap_or(CastlingMode::Standard)).to_string();
                self.now.play_unchecked(played);
                self.put(san, &uci, t)
            }
            None if self.is_irregular => self.put(san, "", t),
            None => Err(format!("{san} is not legal")),
        }
    }

    fn play(&mut self, san: &str, uci: &str, fen: &str, illegal: bool, t: u64) -> Result<(), String> {
        self.is_irregular |= illegal;
        if self.is_irregular {
            return self.put(san, uci, t);
        }
        let played = uci.parse::<UciMove>().ok().and_then(|uci| uci.to_move(&self.now).ok());
        self.now.play_unchecked(played.ok_or_else(|| format!("{uci} is not legal"))?);
        let placement = |fen: &str| fen.split(' ').take(2).map(str::to_owned).collect::<Vec<_>>();
        let stands = Fen::from_position(&self.now, EnPassantMode::Legal).to_string();
        if placement(&stands) != placement(fen) {
            return Err(format!("the move leads to {stands}"));
        }
        self.put(san, uci, t)
    }

    fn put(&mut self, san: &str, uci: &str, t: u64) -> Result<(), String> {
        let game = self.games.last_mut().ok_or("no game has begun")?;
        game.push(Told { san: san.to_owned(), uci: uci.to_owned(), t });
        Ok(())
    }

    /// What is shown at once begins with what is final, and goes on with what could be played.
    fn see(&self, line: &Line, settled: usize) -> Result<(), String> {
        let finals = self.line();
        if settled > finals.len() || !line.iter().zip(&finals[..settled]).all(|(shown, told)| shown == told.san) {
            return Err(format!("shown as final, and not told so: {finals:?}"));
        }
        if self.is_irregular {
            return Ok(());
        }
        let mut position = self.start.clone();
        for san in line.iter() {
            let played = san.parse::<SanPlus>().ok().and_then(|san| san.san.to_move(&position).ok());
            position.play_unchecked(played.ok_or_else(|| format!("{san} can't be played there"))?);
        }
        Ok(())
    }
}
