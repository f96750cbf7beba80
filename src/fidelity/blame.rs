//! Who was blamed: players by alerts that stand at the end of a game, and squares that were said to be faulty.

use hall::table::Say;
use protocol::{
    board::{Content, Lie, Observation, WireSquare},
    feed::{Alert, AlertKind, Entry},
};
use shakmaty::{Chess, Position, Square};

use super::{session::Session, truth::position_after};
use crate::rehearsal::{Fault, FaultKind, Record};

/// An offence is told within this of its press, or not at all: a press waits three seconds for missing men.
const TOLD_WITHIN_MS: u64 = 6_000;
/// A reading that jumps within this of the press was a misreading.
const MISREAD_WINDOW_MS: u64 = 3_000;
/// A faulty square is named within so many plies that should have shown on it.
const PLIES_TO_NAME: usize = 5;
/// A man that is not read shows in what is played on: one that went on at once, or stood when the game ended, tells nobody.
const PLIES_TO_TELL: usize = 2;
/// What was seen with the last of these plies is told within this.
const NAMED_WITHIN_MS: u64 = 3_000;

/// When the accusations were raised that stand when a game is over and that nobody deserved.
pub(super) fn accused(session: &Session, truth: &Record, told: &[(&u64, &Entry)]) -> Vec<u64> {
    let end = truth.ended.unwrap_or(u64::MAX);
    let mut open: Vec<(u64, &Alert)> = Vec::new();
    for (at, entry) in told {
        let Entry::Alert(alert) = entry else { continue };
        if let Some(of) = withdrawn(alert) {
            let last = open.iter().rposition(|(_, alert)| alert.kind.to_string() == of);
            last.into_iter().for_each(|last| _ = open.remove(last));
        } else if **at <= end && is_accusation(alert.kind) {
            open.push((**at, alert));
        }
    }
    open.retain(|(at, alert)| !is_deserved(session, truth, *at, alert));
    open.into_iter().map(|(at, _)| at).collect()
}

fn is_accusation(kind: AlertKind) -> bool {
    use AlertKind::{IllegalMoveCompleted, MoveOutOfTurn, NoMoveClockPress, PositionMismatch, PromotionIncomplete};
    [IllegalMoveCompleted, MoveOutOfTurn, NoMoveClockPress, PositionMismatch, PromotionIncomplete].contains(&kind)
}

/// The kind an alert takes back, read off its words so that the name is the feed's.
fn withdrawn(alert: &Alert) -> Option<String> {
    let words = serde_json::to_value(alert).ok()?;
    let is_one = words["kind"] == "alert_withdrawn";
    is_one.then(|| words["of"].as_str().unwrap_or_default().to_owned())
}

fn is_deserved(session: &Session, truth: &Record, at: u64, alert: &Alert) -> bool {
    if alert.kind == AlertKind::PositionMismatch {
        return stood_wrong(session, truth, at);
    }
    let offended = |offence: u64| (offence..=offence + TOLD_WITHIN_MS).contains(&at);
    let by_press = alert.kind != AlertKind::MoveOutOfTurn;
    by_press && (truth.offences.iter().any(|offence| offended(offence.at)) || stays_by_contract(session, truth, at))
}

/// The men really stood on squares where no ply around this moment has them.
fn stood_wrong(session: &Session, truth: &Record, at: u64) -> bool {
    let Some((_, board)) = session.boards.iter().find(|(said, _)| *said == at) else { return false };
    let landed = truth.plies.iter().filter(|ply| ply.landed.is_some_and(|landed| landed <= at)).count();
    let mut near =
        (landed.saturating_sub(1)..=(landed + 1).min(truth.plies.len())).map(|ply| position_after(truth, ply));
    !near.any(|position| position.board() == board) && !is_detour(truth, board)
}

fn is_detour(truth: &Record, board: &shakmaty::Board) -> bool {
    truth.detours.iter().any(|detour| {
        let mut position = position_after(truth, detour.ply);
        detour.moves.iter().any(|mv| {
            position.play_unchecked(*mv);
            position.board() == board
        })
    })
}

/// A man that was read beside its square for too long, or until somebody else took up a man: the contract lets the
/// accusation stand.
fn stays_by_contract(session: &Session, truth: &Record, at: u64) -> bool {
    session.faults.iter().any(|fault| {
        let Fault { kind: FaultKind::Beside(square, read_on), from, until: Some(until) } = *fault else { return false };
        let ply = truth.plies.iter().min_by_key(|ply| ply.landed.map_or(u64::MAX, |landed| landed.abs_diff(from)));
        let Some(pressed) = ply.and_then(|ply| ply.pressed).filter(|pressed| {
            (from.min(*pressed)..=until.max(*pressed) + TOLD_WITHIN_MS).contains(&at) && at >= *pressed
        }) else {
            return false;
        };
        until > pressed + MISREAD_WINDOW_MS || is_other_lifted(session, &[square, read_on], pressed, until)
    })
}

fn is_other_lifted(session: &Session, but: &[Square], from: u64, until: u64) -> bool {
    session.shown.iter().filter(|(at, _)| (from..=until).contains(at)).any(|(_, shown)| match shown {
        Observation::Square { square, content: Content::Empty } => !but.contains(&square.on(Lie::Straight)),
        Observation::Square { .. } | Observation::Board(_) | Observation::Clock(_) | Observation::Link(_) => false,
    })
}

/// What came of a square that was dead in a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Squares {
    /// Dead squares on which a man ought to have been seen.
    pub due: usize,
    /// Those of them that were named in time.
    pub named: usize,
    /// Squares that were named and are sound.
    pub slandered: usize,
}

/// Dead squares of a game, and who was told.
pub(super) fn squares(session: &Session, truth: &Record, told: &[(&u64, &Entry)]) -> Squares {
    let mut squares = Squares::default();
    let dead = |fault: &Fault| if let FaultKind::Dead(square) = fault.kind { Some((square, fault.from)) } else { None };
    for (square, since) in session.faults.iter().filter_map(dead) {
        let Some(by) = name_by(truth, square, since) else { continue };
        squares.due += 1;
        let mut named = session.told.iter().filter(|(at, say)| *at <= by && names(say) == Some(square));
        squares.named += usize::from(named.next().is_some());
    }
    let is_dead = |square: Square| session.faults.iter().any(|fault| fault.kind == FaultKind::Dead(square));
    let named = told.iter().filter_map(|(_, entry)| names_square(entry)).filter(|square| !is_dead(*square)).count();
    let unsaid = told.iter().filter(|(_, entry)| unsays_square(entry)).count();
    squares.slandered = named.saturating_sub(unsaid);
    squares
}

/// Until when a dead square has to be named; nothing where no man stood on it for as much as two plies.
fn name_by(truth: &Record, square: Square, since: u64) -> Option<u64> {
    let mut position = truth.start.clone();
    let ended = truth.ended.unwrap_or(u64::MAX);
    let (mut stood, mut shown) = (usize::from(since == 0 && holds(&position, square)), Vec::new());
    for ply in &truth.plies {
        let before = position.board().piece_at(square);
        position.play_unchecked(ply.mv);
        let Some(over) = ply.landed.max(ply.pressed).filter(|over| *over > since) else { continue };
        stood += usize::from(holds(&position, square));
        if before != position.board().piece_at(square) {
            shown.push(over);
        }
    }
    (stood >= PLIES_TO_TELL).then(|| shown.get(PLIES_TO_NAME - 1).map_or(ended, |at| (at + NAMED_WITHIN_MS).min(ended)))
}

fn holds(position: &Chess, square: Square) -> bool {
    position.board().piece_at(square).is_some()
}

fn names(say: &Say) -> Option<Square> {
    match say {
        Say::Entry(entry) => names_square(entry),
        Say::Sight(_) | Say::AskDump(_) | Say::AskProof(_) => None,
    }
}

fn unsays_square(entry: &Entry) -> bool {
    matches!(entry, Entry::Alert(alert) if alert.of == Some(AlertKind::SquareFaulty))
}

fn names_square(entry: &Entry) -> Option<Square> {
    let Entry::Alert(alert) = entry else { return None };
    let evidence = alert.evidence.as_ref().filter(|_| alert.kind == AlertKind::SquareFaulty)?;
    let text = evidence.square.as_ref().or(evidence.squares.first())?;
    text.parse::<WireSquare>().ok().map(|square| square.on(Lie::Straight))
}
