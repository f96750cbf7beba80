//! One game as it was told, beside the game as it was played.

use std::collections::{BTreeMap, BTreeSet};

use hall::table::Say;
use protocol::{
    board::{ClockReading, ClockSense, Contents, Face, Lie, Observation},
    feed::{AlertKind, Entry, Sight},
};
use shakmaty::{Position, Square};

use super::{
    blame::{self, Squares},
    expected::{Expected, is_hidden},
    outcome,
    session::Session,
    told::{Told, placement},
    truth::{is_over, mover, over, position_after, since},
};
use crate::rehearsal::{Kind, Record};

/// Without a clock a move may wait this long for its finality, or for the opponent's landing.
const PATIENCE_MS: u64 = 6_000;
/// What a landing takes to be read: a scan and the line.
const READ_MS: u64 = 150;
/// So many plies of a silence are put in an order at most.
const PLIES_ORDERED: usize = 8;
/// The alerts of which one stands where a record went wrong.
const ADMISSIONS: [AlertKind; 3] = [AlertKind::Ambiguous, AlertKind::PositionMismatch, AlertKind::Resync];
/// What stands on the board at the end of a game is on the screens within this.
const FOLLOWED_WITHIN_MS: u64 = 3_000;

/// What came of one game.
#[derive(Clone, Debug, Default)]
pub struct Assessment {
    /// How many plies were played.
    pub plies: usize,
    /// The record is the game as the contract has it, or goes to where the Laws ended it before.
    pub exact: bool,
    /// One of the alerts that admit it stands where the record went wrong.
    pub admitted: bool,
    /// Finals that were not played, corrected later or not.
    pub false_finals: usize,
    /// Those of them that were played, but not at that ply: after a silence, and marked as inferred.
    pub reordered: usize,
    /// Those that are neither marked as inferred nor heard as they are told: behind what nobody saw and what was told in
    /// fewer plies than it took a ply has another number.
    pub unmarked: usize,
    /// Finals beyond what the game should hold: tried after the end, or made by men going home.
    pub surplus: usize,
    /// When accusations were raised that nobody deserved and that stand when the game is over.
    pub accused: Vec<u64>,
    /// Another result was told than the game's, or none where one was shown or given.
    pub wrong_result: bool,
    /// What came of dead squares.
    pub squares: Squares,
    /// At the end the screens showed another position than the board's.
    pub stuck: bool,
    /// Milliseconds to the final, from the moment the man had landed and its press could be read, or it had landed.
    pub lateness: Vec<u64>,
    /// Without a clock: finals later than six seconds and later than the opponent's landing.
    pub overdue: usize,
    /// Finals whose press could not be read, while the link was down.
    pub unread: usize,
    /// How often the record was corrected.
    pub corrections: usize,
    /// Alerts by kind.
    pub alerts: BTreeMap<String, usize>,
    /// Where it went wrong, the first place first.
    pub failures: Vec<Failure>,
    /// The ply with which a record that is not exact leaves the game for good.
    pub left: Option<usize>,
}

impl Assessment {
    /// Something of it is not as it should be.
    pub fn is_flawed(&self) -> bool {
        let squares = self.squares;
        !self.failures.is_empty()
            || !self.exact
            || self.stuck
            || self.wrong_result
            || !self.accused.is_empty()
            || self.surplus + squares.slandered > 0
            || squares.named < squares.due
    }
}

/// One place where the record went wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Which ply, from 1.
    pub ply: usize,
    /// When it was told wrongly; nothing where it is only missing or spoilt at the end.
    pub told_at: Option<u64>,
    /// What was really played.
    pub played: Option<String>,
    /// What stood in the record.
    pub told: Option<String>,
    /// The record was wrong before it already: one failure brings others about.
    pub follows: bool,
    /// It was told while the board stood just so: nobody could have known better at that moment.
    pub stood: bool,
    /// What went wrong in the hands and the sensors during this ply.
    pub causes: BTreeSet<Kind>,
}

/// Judges the `number`-th game of a session.
pub fn judge(session: &Session, number: usize) -> Assessment {
    let truth = &session.truth[number];
    let told = told(session, number);
    let mut judge = Judge::new(session, number);
    told.iter().for_each(|(at, entry)| judge.hear(**at, entry));
    let mut verdict = judge.close(&told);
    verdict.accused = blame::accused(session, truth, &told);
    verdict.squares = blame::squares(session, truth, &told);
    verdict.wrong_result = outcome::is_wrong(session, number, &told);
    verdict.stuck = is_stuck(session, number);
    verdict
}

impl Failure {
    /// The first place where a flawed game is worth looking at: where the record leaves it for good, the first ply that was
    /// wrong for a while, what was going on at the first accusation, or the end.
    pub fn first(session: &Session, number: usize, verdict: &Assessment) -> Failure {
        let left = verdict.failures.iter().find(|failure| !failure.follows && Some(failure.ply) == verdict.left);
        let first = left.or(verdict.failures.first()).cloned();
        first.unwrap_or_else(|| {
            let truth = &session.truth[number];
            let told_at = verdict.accused.first().copied();
            let done = (0..verdict.plies).filter(|ply| over(truth, *ply) <= told_at.or(Some(u64::MAX))).count();
            let index = done.min(verdict.plies.saturating_sub(1));
            let causes = causes(session, truth, index);
            let (played, told) = (None, None);
            Failure { ply: index + 1, told_at, played, told, follows: false, stood: false, causes }
        })
    }
}

/// One game while it is compared.
struct Judge<'a> {
    session: &'a Session,
    truth: &'a Record,
    expected: Expected,
    /// All that was played, in the words of programs, and behind it what was tried.
    played: Vec<String>,
    line: Told,
    best: Option<Told>,
    /// When each ply first stood in the record.
    finals: Vec<Option<u64>>,
    verdict: Assessment,
}

impl Judge<'_> {
    fn new(session: &Session, number: usize) -> Judge<'_> {
        let truth = &session.truth[number];
        let expected = Expected::of(session, number);
        let played = expected.moves.iter().map(|mv| mv.to_uci(truth.castling).to_string()).collect();
        let (finals, line) = (vec![None; expected.plies], Told::new(&truth.start, truth.castling));
        let verdict = Assessment { plies: expected.plies, ..Assessment::default() };
        Judge { session, truth, expected, played, line, best: None, finals, verdict }
    }

    fn hear(&mut self, at: u64, entry: &Entry) {
        match entry {
            Entry::Started { fen, .. } => {
                let started = Told::started(fen, &self.truth.start, self.truth.castling);
                let ended = std::mem::replace(&mut self.line, started);
                self.keep(ended);
            }
            Entry::Corrected { .. } => self.verdict.corrections += 1,
            Entry::Alert(alert) => *self.verdict.alerts.entry(alert.kind.to_string()).or_default() += 1,
            Entry::Final { .. }
            | Entry::Paired { .. }
            | Entry::Instants { .. }
            | Entry::State { .. }
            | Entry::Proposal { .. }
            | Entry::Voice { .. }
            | Entry::Confirmed { .. }
            | Entry::Verdict { .. }
            | Entry::Noted { .. }
            | Entry::Earlier { .. }
            | Entry::Shown { .. }
            | Entry::Round { .. }
            | Entry::Result { .. } => {}
        }
        let Some(from) = self.line.take(entry) else { return };
        for index in from..self.line.moves().len() {
            self.weigh(at, entry, index);
        }
    }

    /// A table that starts the same game twice is held to the better half.
    fn keep(&mut self, line: Told) {
        let good = |line: &Told| self.common(line.moves());
        if self.best.as_ref().is_none_or(|best| best.moves().is_empty() || good(&line) > good(best)) {
            self.best = Some(line);
        }
    }

    /// How far a record is what was played.
    fn common(&self, line: &[String]) -> usize {
        line.iter().zip(&self.played).take_while(|(told, played)| self.is_same(told, played)).count()
    }

    /// A board that names nobody can't tell what a pawn has become.
    fn is_same(&self, told: &str, played: &str) -> bool {
        const SQUARES: usize = 4;
        let promotes = played.len() > SQUARES && told.len() == played.len();
        told == played || self.session.nameless && promotes && told[..SQUARES] == played[..SQUARES]
    }

    /// One ply that is told as final.
    fn weigh(&mut self, at: u64, entry: &Entry, index: usize) {
        let uci = self.line.moves()[index].clone();
        let played = self.played.get(index).filter(|_| index < self.expected.plies);
        if played.is_some_and(|played| self.is_same(&uci, played)) {
            self.finals[index].get_or_insert(at);
        } else if index >= self.expected.plies {
            let allowed = self.played.get(index).is_some_and(|tried| *tried == uci) && index < self.expected.most;
            self.verdict.surplus += usize::from(!allowed && !is_gesture(self.truth, &uci));
        } else if !self.was_tried(index, &uci) {
            self.note_false(at, entry, index, uci);
        }
    }

    /// It was really played there, and taken back later.
    fn was_tried(&self, index: usize, uci: &str) -> bool {
        self.truth.detours.iter().any(|detour| {
            let mv = index.checked_sub(detour.ply).and_then(|at| detour.moves.get(at));
            mv.is_some_and(|mv| mv.to_uci(self.truth.castling).to_string() == uci)
        })
    }

    fn note_false(&mut self, at: u64, entry: &Entry, index: usize, uci: String) {
        let inferred = matches!(entry, Entry::Final { inferred: true, .. });
        let game = &self.played[..self.expected.plies];
        self.verdict.false_finals += 1;
        self.verdict.reordered += usize::from(inferred && played_nearby(&uci, index, game).next().is_some());
        let is_renumbered = played_nearby(&uci, index, game).any(|at| self.is_heard_behind_hidden(at));
        self.verdict.unmarked += usize::from(!inferred && !is_renumbered);
        let follows = self.common(self.line.moves()) < index.min(self.expected.plies);
        let failure = Failure {
            ply: index + 1,
            told_at: Some(at),
            played: game.get(index).cloned(),
            told: Some(uci),
            follows,
            stood: stood(self.session, at, &self.line, index),
            causes: causes(self.session, self.truth, index),
        };
        self.verdict.failures.push(failure);
    }

    /// This ply could be seen, and one before it could not.
    fn is_heard_behind_hidden(&self, ply: usize) -> bool {
        let is_hidden = |ply: usize| is_hidden(self.session, self.truth, ply);
        !is_hidden(ply) && (0..ply).any(is_hidden)
    }

    fn close(mut self, told: &[(&u64, &Entry)]) -> Assessment {
        let line = std::mem::replace(&mut self.line, Told::new(&self.truth.start, self.truth.castling));
        self.keep(line);
        let best = self.best.take().expect("one was kept just now");
        let record = best.moves();
        let common = self.common(record);
        let Expected { plies, least, most, .. } = self.expected;
        // King moves that show the result are no surplus before the table has understood them.
        let rest_is_gesture = common >= plies && record[common..].iter().all(|uci| is_gesture(self.truth, uci));
        let is_whole = (least..=most).contains(&common) && (record.len() == common || rest_is_gesture);
        self.verdict.exact = is_whole || record.len() == common && common < least && is_over(best.position());
        if !self.verdict.exact {
            self.verdict.admitted = is_admitted(told, since(self.truth, common.min(plies)));
            self.note_end(common, record);
        }
        self.verdict.failures.sort_by_key(|failure| failure.ply);
        measure(self.session, self.truth, &self.finals, &mut self.verdict);
        self.verdict
    }

    /// Where a record that is not exact leaves the game, if that has not been said yet.
    fn note_end(&mut self, common: usize, record: &[String]) {
        let at = common.min(self.expected.most);
        self.verdict.left = Some(at + 1);
        if self.verdict.failures.iter().any(|failure| failure.ply == at + 1 && !failure.follows) {
            return;
        }
        self.verdict.failures.push(Failure {
            ply: at + 1,
            told_at: None,
            played: self.played.get(at).filter(|_| at < self.expected.most).cloned(),
            told: record.get(at).cloned(),
            follows: false,
            stood: false,
            causes: causes(self.session, self.truth, at),
        });
    }
}

/// What the table told of the game: a game that starts when `number` others are over is this one.
fn told(session: &Session, number: usize) -> Vec<(&u64, &Entry)> {
    let mut current = 0;
    let entries = session.told.iter().filter_map(|(at, say)| match say {
        Say::Entry(entry) => Some((at, entry)),
        Say::Sight(_) | Say::AskDump(_) | Say::AskProof(_) => None,
    });
    entries
        .filter(|(at, entry)| {
            if let Entry::Started { .. } = entry {
                current = session.truth.iter().filter(|record| record.ended.is_some_and(|end| end <= **at)).count();
            }
            current == number
        })
        .collect()
}

/// From the last landing to some time after the end the screens never showed what stood on the board.
fn is_stuck(session: &Session, number: usize) -> bool {
    let truth = &session.truth[number];
    let plies = truth.plies.iter().take_while(|ply| ply.landed.is_some()).count();
    // Players may go on from a position in which nobody can mate any more: that is not followed.
    let is_dead = plies.checked_sub(1).is_some_and(|before| is_over(&position_after(truth, before)));
    let plies = plies - usize::from(is_dead);
    // What is hidden to the end has nothing that goes on from it.
    let last = plies.checked_sub(1).filter(|last| !is_hidden(session, truth, *last));
    let Some(landed) = last.and_then(|last| truth.plies[last].landed) else { return false };
    let wanted = placement(&position_after(truth, plies));
    // A cable that comes back, and a table that looks again, take their time.
    let until = truth.ended.unwrap_or(landed) + FOLLOWED_WITHIN_MS;
    let sights = session.told.iter().filter_map(|(at, say)| match say {
        Say::Sight(Sight::Seen { placement, .. }) => Some((*at, placement)),
        Say::Sight(_) | Say::Entry(_) | Say::AskDump(_) | Say::AskProof(_) => None,
    });
    let mut sights = sights.filter(|(at, _)| *at <= until).collect::<Vec<_>>();
    let before = sights.iter().rposition(|(at, _)| *at < landed).unwrap_or(0);
    !sights.drain(before..).any(|(_, placement)| *placement == wanted)
}

/// The plies a few before or after with which the same side played this move.
fn played_nearby<'a>(uci: &'a str, index: usize, played: &'a [String]) -> impl Iterator<Item = usize> + 'a {
    let near = move |at: &usize| at.abs_diff(index) < PLIES_ORDERED && at.abs_diff(index).is_multiple_of(2);
    (0..played.len()).filter(near).filter(move |at| played[*at] == uci)
}

/// A king to one of the four squares where it showed the result.
fn is_gesture(truth: &Record, uci: &str) -> bool {
    let kings = truth.position().board().kings();
    let from = uci.get(..2).and_then(|from| from.parse::<Square>().ok());
    let centre = ["d4", "e4", "d5", "e5"].contains(&uci.get(2..4).unwrap_or_default());
    truth.signalled.is_some() && centre && from.is_some_and(|from| kings.contains(from))
}

/// The board as it was shown stood just as it was told.
fn stood(session: &Session, at: u64, line: &Told, index: usize) -> bool {
    let mut board = Contents::EMPTY;
    for (_, shown) in session.shown.iter().take_while(|(shown_at, _)| *shown_at <= at) {
        match shown {
            Observation::Square { square, content } => board.set(*square, *content),
            Observation::Board(contents) => board = **contents,
            Observation::Clock(_) | Observation::Link(_) => {}
        }
    }
    line.position_after(index + 1).is_some_and(|position| board.board(Lie::Straight) == *position.board())
}

fn causes(session: &Session, truth: &Record, index: usize) -> BTreeSet<Kind> {
    let from = since(truth, index);
    // What the hands had forgotten is done before the next ply, and belongs to this one.
    let offended = truth.offences.iter().any(|offence| offence.ply == index);
    let until = if offended { over(truth, index + 1).map(|at| at - 1) } else { over(truth, index) };
    let until = until.unwrap_or(u64::MAX);
    let within = session.mishaps.iter().filter(|(at, _)| *at > from && *at <= until);
    within.map(|(_, kind)| *kind).filter(|kind| !is_plain(*kind)).collect()
}

/// What everyone does every day is no cause.
fn is_plain(kind: Kind) -> bool {
    matches!(kind, Kind::CaptureReplaced | Kind::CastlingKingFirst | Kind::EnPassantVictimLast | Kind::PromotionSwapped)
}

fn is_admitted(told: &[(&u64, &Entry)], from: u64) -> bool {
    told.iter().any(|(at, entry)| {
        let Entry::Alert(alert) = entry else { return false };
        **at >= from && ADMISSIONS.contains(&alert.kind)
    })
}

fn measure(session: &Session, truth: &Record, finals: &[Option<u64>], verdict: &mut Assessment) {
    let readings: Vec<(u64, &ClockReading)> = session
        .shown
        .iter()
        .filter_map(|(at, shown)| {
            let Observation::Clock(ClockSense::Reading(reading)) = shown else { return None };
            Some((*at, reading))
        })
        .collect();
    for (index, told_at) in finals.iter().enumerate() {
        let (Some(told_at), ply) = (told_at, truth.plies[index]) else { continue };
        let next = truth.plies.get(index + 1);
        if readings.is_empty() {
            let landed = ply.landed.unwrap_or(*told_at);
            let answered = next.and_then(|next| next.landed).map_or(0, |at| at + READ_MS);
            verdict.lateness.push(told_at.saturating_sub(landed));
            verdict.overdue += usize::from(*told_at > (landed + PATIENCE_MS).max(answered));
            continue;
        }
        let pressed = ply.pressed.unwrap_or(*told_at);
        let pressed_again = next.and_then(|next| next.pressed).unwrap_or(u64::MAX);
        let up = if mover(truth, index).is_white() { Face::Right } else { Face::Left };
        let from = readings.partition_point(|(at, _)| *at < pressed);
        let read = readings[from..].iter().find(|(_, reading)| reading.high == up).map(|(at, _)| *at);
        match read.filter(|at| *at < pressed_again) {
            // Who presses with the man still in the hand has not moved yet.
            Some(read) => verdict.lateness.push(told_at.saturating_sub(read.max(ply.landed.unwrap_or(0)))),
            None => verdict.unread += 1,
        }
    }
}
