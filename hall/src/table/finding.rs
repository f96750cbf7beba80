//! What the hand concludes, as alerts with their articles, and what the arbiter is offered.

use laws::{Conditions, Edition, Ending, Rule, draws::DrawnByRule, touch::Suspicion};
use protocol::feed::{
    Action, Alert, AlertKind, Evidence, GameResult, IllegalReason, MismatchDetail, Proposal, ResultReason, Seconds,
    Side,
};
use shakmaty::{Bitboard, Board, Chess, Color, Position as _, Square};

use crate::hand::judging::{Detail, Illegality, Mismatch, Reason};

/// An alert that has nothing to do with the Laws.
pub(crate) fn plain(kind: AlertKind) -> Alert {
    Alert::new(kind)
}

/// An alert about a rule, with its article; none where the game is played without that rule.
pub(crate) fn by(rule: Rule, kind: AlertKind, side: Option<Side>, conditions: Conditions) -> Option<Alert> {
    let article = rule.article(conditions)?.to_owned();
    Some(Alert { side, article: Some(article), ..Alert::new(kind) })
}

/// Something seen on one square.
pub(crate) fn on(square: Square) -> Evidence {
    Evidence { square: Some(square.to_string()), ..Evidence::default() }
}

/// What the order of touching suggests.
pub(crate) fn touch(suspicion: Suspicion, side: Side, conditions: Conditions, pegs: bool) -> Option<Alert> {
    let (rule, kind, evidence) = match suspicion {
        Suspicion::Move(square) => (Rule::TouchMove, AlertKind::TouchMoveSuspect, on(square)),
        Suspicion::Capture(square) => (Rule::TouchCapture, AlertKind::TouchCaptureSuspect, on(square)),
        Suspicion::Both { own, enemy } => {
            let evidence =
                Evidence { own: Some(own.to_string()), enemy: Some(enemy.to_string()), ..Evidence::default() };
            (Rule::TouchBoth, AlertKind::TouchBothSuspect, evidence)
        }
        Suspicion::RookFirst(square) => (Rule::CastlingRookFirst, AlertKind::CastlingRookFirst, on(square)),
    };
    let mut note = by(rule, kind, Some(side), conditions)?;
    // How a blind player touches a man is said before what it binds to. How the rook castles is the same for all.
    let first = Rule::PegTouch.article(conditions).filter(|_| pegs && rule != Rule::CastlingRookFirst);
    if let (Some(first), Some(article)) = (first, &mut note.article) {
        *article = format!("{first}, {article}");
    }
    Some(Alert { evidence: Some(evidence), ..note })
}

/// A completed illegal move.
pub(crate) fn illegal(illegality: Illegality, side: Side, count: Option<u32>, conditions: Conditions) -> Option<Alert> {
    let reason = match illegality.reason {
        Reason::NotALegalMove => IllegalReason::NotALegalMove,
        Reason::LeavesKingInCheck => IllegalReason::LeavesKingInCheck,
        Reason::CastlingNotAllowed => IllegalReason::CastlingNotAllowed,
        Reason::CapturedNotRemoved => IllegalReason::CapturedNotRemoved,
    };
    let squares = vec![illegality.from.to_string(), illegality.to.to_string()];
    Some(Alert {
        count,
        reason: Some(reason),
        evidence: Some(Evidence { squares, ..Evidence::default() }),
        ..by(Rule::IllegalMove, AlertKind::IllegalMoveCompleted, Some(side), conditions)?
    })
}

/// The board shows something else than the record.
pub(crate) fn mismatch(found: Mismatch, record: &Board, board: &Board, conditions: Conditions) -> Option<Alert> {
    let detail = match found.detail {
        Detail::WrongPiece => MismatchDetail::WrongPiece,
        Detail::MissingPiece => MismatchDetail::MissingPiece,
        Detail::ExtraPiece => MismatchDetail::ExtraPiece,
        Detail::SwappedPieces => MismatchDetail::SwappedPieces,
        Detail::Displaced => MismatchDetail::Displaced,
    };
    // Men of one colour only: they are that player's.
    let side_of = |color: Color| {
        let men = (record.occupied() | board.occupied()) & found.squares;
        let theirs = |board: &Board| (board.occupied() & found.squares).is_subset(board.by_color(color));
        men.any() && theirs(record) && theirs(board)
    };
    let side = Color::ALL.into_iter().find(|color| side_of(*color)).map(Side::from);
    let letter = |board: &Board, square| board.piece_at(square).map(|piece| piece.char().to_string());
    let lone = found.squares.single_square();
    let evidence = Evidence {
        square: lone.map(|square| square.to_string()),
        expected: lone.and_then(|square| letter(record, square)),
        found: lone.and_then(|square| letter(board, square)),
        squares: names(found.squares),
        ..Evidence::default()
    };
    Some(Alert {
        detail: Some(detail),
        evidence: Some(evidence),
        ..by(Rule::Mismatch, AlertKind::PositionMismatch, side, conditions)?
    })
}

/// A game has ended by itself.
pub(crate) fn ending(
    ending: Ending,
    position: &Chess,
    last_mover: Side,
    conditions: Conditions,
) -> Option<(Alert, GameResult, ResultReason)> {
    let (rule, kind, result, reason) = match ending {
        Ending::Checkmate(winner) => {
            (Rule::Checkmate, AlertKind::Checkmate, GameResult::win(winner.into()), ResultReason::Checkmate)
        }
        Ending::Stalemate => (Rule::Stalemate, AlertKind::Stalemate, GameResult::Draw, ResultReason::Stalemate),
        Ending::DeadPosition => (dead(position), AlertKind::DeadPosition, GameResult::Draw, ResultReason::DeadPosition),
    };
    Some((by(rule, kind, Some(last_mover), conditions)?, result, reason))
}

/// Which dead position it is: the Laws of 1993 list them.
fn dead(position: &Chess) -> Rule {
    let men = position.board().occupied().count();
    match (men, position.is_insufficient_material()) {
        (2, _) => Rule::BareKings,
        (3, true) => Rule::LoneMinor,
        (_, true) => Rule::BishopsOfOneColour,
        (_, false) => Rule::DeadPosition,
    }
}

/// A game is drawn by counting.
pub(crate) fn drawn(
    drawn: DrawnByRule,
    last_mover: Side,
    conditions: Conditions,
) -> Option<(Alert, GameResult, ResultReason)> {
    let (rule, kind, reason) = match drawn {
        DrawnByRule::Fivefold => (Rule::Fivefold, AlertKind::FivefoldRepetition, ResultReason::Fivefold),
        DrawnByRule::SeventyFive => (Rule::SeventyFive, AlertKind::SeventyFiveMoves, ResultReason::SeventyFive),
    };
    Some((by(rule, kind, Some(last_mover), conditions)?, GameResult::Draw, reason))
}

/// A result the arbiter may confirm.
pub(crate) fn proposed(result: GameResult, reason: ResultReason) -> Proposal {
    Proposal { result: Some(result), reason: Some(reason), ..Proposal::default() }
}

/// What the arbiter is offered to do.
pub(crate) fn doing(action: Action) -> Proposal {
    Proposal { action: Some(action), ..Proposal::default() }
}

/// The rook that was touched first.
pub(crate) fn rook_first(square: Square, conditions: Conditions) -> Proposal {
    let must_move = Some(square.to_string());
    let action = if conditions.edition() == Edition::E1993 { Action::RookFirst1993 } else { Action::RookFirst };
    Proposal { action: Some(action), must_move, ..Proposal::default() }
}

/// Squares by their names.
pub(crate) fn names(squares: Bitboard) -> Vec<String> {
    squares.into_iter().map(|square| square.to_string()).collect()
}

/// Seconds for one player's clock.
pub(crate) fn seconds(side: Side, seconds: u32) -> Seconds {
    match side {
        Side::White => Seconds { white: Some(seconds), black: None },
        Side::Black => Seconds { white: None, black: Some(seconds) },
    }
}
