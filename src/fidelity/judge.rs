//! One game as it was told, beside the game as it was played.

use std::collections::{BTreeMap, BTreeSet};

use hall::table::Say;
use laws::{
    Ending,
    dead::{Budget, dead},
};
use protocol::{
    board::{ClockReading, ClockSense, Contents, Face, Lie, Observation},
    feed::{Alert, Entry},
};
use shakmaty::{Chess, Color, Move, Position, Role, Square, san::San, uci::UciMove};

use super::session::Session;
use crate::rehearsal::{Kind, Record};

/// Without a clock a move may wait this long for its finality, or for the opponent's landing.
const PATIENCE_MS: u64 = 6_000;
/// What a landing takes to be read: a scan and the line.
const READ_MS: u64 = 150;
/// So many plies of a silence are put in an order at most.
const PLIES_ORDERED: usize = 8;
/// The alerts of which one stands where a record went wrong.
const ADMISSIONS: [&str; 3] = ["ambiguous", "position_mismatch", "resync"];

/// What came of one game.
#[derive(Clone, Debug, Default)]
pub struct Verdict {
    /// How many plies were played.
    pub plies: usize,
    /// The record is the game, up to the last pressed move, or to where the Laws ended it before.
    pub exact: bool,
    /// One of the alerts that admit it stands where the record went wrong.
    pub admitted: bool,
    /// Finals that were not played, corrected later or not.
    pub false_finals: usize,
    /// Those of them that were played, but not at that ply: after a silence, and marked as inferred.
    pub reordered: usize,
    /// Finals that analysis after the game brought about. The table can't know whether the game goes on.
    pub analysis_finals: usize,
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
pub fn judge(session: &Session, number: usize) -> Verdict {
    let truth = &session.truth[number];
    let told = told(session, number);
    let played: Vec<String> = truth.moves().map(|mv| mv.to_uci(truth.castling).to_string()).collect();
    let analysed = analysed(session, number);
    let mut verdict = Verdict { plies: played.len(), ..Verdict::default() };
    let mut finals = vec![None; played.len()];
    let mut line = Line::new(truth);
    let mut best = Line::new(truth);
    for (at, entry) in told {
        let from = match entry {
            Entry::Started { .. } => {
                let ended = std::mem::replace(&mut line, Line::new(truth));
                best = better(best, ended, &played);
                continue;
            }
            Entry::Final { ply, uci, .. } => {
                line.push_final(*ply, uci);
                line.moves.len().saturating_sub(1)
            }
            Entry::Corrected { from_ply, new, .. } => {
                verdict.corrections += 1;
                line.correct(*from_ply, new);
                from_ply - 1
            }
            Entry::Alert(alert) => {
                *verdict.alerts.entry(name(alert)).or_default() += 1;
                continue;
            }
            Entry::Paired { .. }
            | Entry::Instants { .. }
            | Entry::State { .. }
            | Entry::Proposal { .. }
            | Entry::Verdict { .. }
            | Entry::Noted { .. }
            | Entry::Result { .. } => continue,
        };
        for (index, mv) in line.moves.iter().enumerate().skip(from) {
            let uci = mv.to_uci(truth.castling).to_string();
            match played.get(index) {
                Some(right) if *right == uci => {
                    finals[index].get_or_insert(*at);
                }
                None if analysed && !is_gesture(truth, *mv) => verdict.analysis_finals += 1,
                right => {
                    verdict.false_finals += 1;
                    let inferred = matches!(entry, Entry::Final { inferred: true, .. });
                    verdict.reordered += usize::from(inferred && is_played_nearby(&uci, index, &played));
                    let causes = causes(session, truth, index);
                    let follows = common(&line.ucis(), &played) < index.min(played.len());
                    verdict.failures.push(Failure {
                        ply: index + 1,
                        told_at: Some(*at),
                        played: right.cloned(),
                        told: Some(uci),
                        follows,
                        stood: stood(session, *at, &line, index),
                        causes,
                    });
                }
            }
        }
    }
    let best = better(best, line, &played);
    let record = best.ucis();
    let common = common(&record, &played);
    let surplus_is_analysis = analysed && best.moves[common..].iter().all(|mv| !is_gesture(truth, *mv));
    verdict.exact = if common == played.len() {
        record.len() == common || surplus_is_analysis
    } else {
        record.len() == common && is_over(&best.position)
    };
    if !verdict.exact {
        verdict.admitted = is_admitted(session, number, truth, common);
        if verdict.failures.iter().all(|failure| failure.ply != common + 1 || failure.follows) {
            let causes = causes(session, truth, common);
            let (played, told) = (played.get(common).cloned(), record.get(common).cloned());
            let ply = common + 1;
            verdict.failures.push(Failure { ply, told_at: None, played, told, follows: false, stood: false, causes });
        }
    }
    verdict.failures.sort_by_key(|failure| failure.ply);
    measure(session, truth, &finals, &mut verdict);
    verdict
}

/// The players tried moves after this game, before the next one.
fn analysed(session: &Session, number: usize) -> bool {
    let ended = session.truth[number].ended.unwrap_or(u64::MAX);
    let next = session.truth.get(number + 1).and_then(|next| next.plies.first()?.landed).unwrap_or(u64::MAX);
    session.mishaps.iter().any(|(at, kind)| *kind == Kind::Analysis && *at >= ended && *at < next)
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

/// The record as it grows, in moves: corrections speak SAN, which needs a position.
struct Line<'a> {
    truth: &'a Record,
    moves: Vec<Move>,
    position: Chess,
}

impl Line<'_> {
    fn new(truth: &Record) -> Line<'_> {
        Line { truth, moves: Vec::new(), position: truth.start.clone() }
    }

    fn push_final(&mut self, ply: usize, uci: &str) {
        self.truncate(ply - 1);
        let mv = uci.parse::<UciMove>().ok().and_then(|uci| uci.to_move(&self.position).ok());
        self.push(mv.expect("a final is a legal move of the record it is told of"));
    }

    fn correct(&mut self, from_ply: usize, new: &[String]) {
        self.truncate(from_ply - 1);
        for san in new {
            let san = san.trim_end_matches(['+', '#']).parse::<San>().ok();
            let mv = san.and_then(|san| san.to_move(&self.position).ok());
            self.push(mv.expect("a correction is a legal line of the record it is told of"));
        }
    }

    fn push(&mut self, mv: Move) {
        self.position.play_unchecked(mv);
        self.moves.push(mv);
    }

    fn truncate(&mut self, plies: usize) {
        if plies < self.moves.len() {
            self.moves.truncate(plies);
            self.position = self.truth.start.clone();
            self.moves.iter().for_each(|mv| self.position.play_unchecked(*mv));
        }
    }

    fn ucis(&self) -> Vec<String> {
        self.moves.iter().map(|mv| mv.to_uci(self.truth.castling).to_string()).collect()
    }
}

/// A table that starts the same game twice is held to the better half.
fn better<'a>(best: Line<'a>, line: Line<'a>, played: &[String]) -> Line<'a> {
    if best.moves.is_empty() || common(&line.ucis(), played) > common(&best.ucis(), played) { line } else { best }
}

fn common(line: &[String], played: &[String]) -> usize {
    line.iter().zip(played).take_while(|(a, b)| a == b).count()
}

/// The position ends the game: whatever was played on is none of it.
fn is_over(position: &Chess) -> bool {
    Ending::of(position).is_some() || dead(position, Budget::TABLE).is_some()
}

/// This move was played by the same side a few plies before or after.
fn is_played_nearby(uci: &str, index: usize, played: &[String]) -> bool {
    let near = |at: &usize| at.abs_diff(index) < PLIES_ORDERED && at.abs_diff(index).is_multiple_of(2);
    (0..played.len()).filter(near).any(|at| played[at] == uci)
}

/// A king to one of the four squares where it showed the result.
fn is_gesture(truth: &Record, mv: Move) -> bool {
    truth.signalled.is_some()
        && mv.role() == Role::King
        && [Square::D4, Square::E4, Square::D5, Square::E5].contains(&mv.to())
}

/// The board as it was shown stood just as it was told.
fn stood(session: &Session, at: u64, line: &Line<'_>, index: usize) -> bool {
    let mut board = Contents::EMPTY;
    for (_, shown) in session.shown.iter().take_while(|(shown_at, _)| *shown_at <= at) {
        match shown {
            Observation::Square { square, content } => board.set(*square, *content),
            Observation::Board(contents) => board = **contents,
            Observation::Clock(_) | Observation::Link(_) => {}
        }
    }
    let mut position = line.truth.start.clone();
    line.moves[..=index].iter().for_each(|mv| position.play_unchecked(*mv));
    board.board(Lie::Straight) == *position.board()
}

fn name(alert: &Alert) -> String {
    serde_json::to_value(alert.kind).ok().and_then(|name| name.as_str().map(str::to_owned)).unwrap_or_default()
}

/// When the ply is behind everyone: landed and pressed.
pub(super) fn over(truth: &Record, index: usize) -> Option<u64> {
    let ply = truth.plies.get(index)?;
    ply.landed.max(ply.pressed)
}

/// From when on this ply is what happens.
pub(super) fn since(truth: &Record, index: usize) -> u64 {
    index.checked_sub(1).and_then(|before| over(truth, before)).unwrap_or(0)
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

fn is_admitted(session: &Session, number: usize, truth: &Record, index: usize) -> bool {
    let from = since(truth, index);
    told(session, number).into_iter().any(|(at, entry)| {
        let Entry::Alert(alert) = entry else { return false };
        *at >= from && ADMISSIONS.contains(&name(alert).as_str())
    })
}

fn measure(session: &Session, truth: &Record, finals: &[Option<u64>], verdict: &mut Verdict) {
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

fn mover(truth: &Record, index: usize) -> Color {
    if index.is_multiple_of(2) { truth.start.turn() } else { !truth.start.turn() }
}
