//! A press that completes nothing: what stands on the board instead of a move.

use shakmaty::{Bitboard, Board, CastlingMode, Chess, Color, Move, Piece, Position, Rank, Role, Square};

use super::{record::after, squares::difference};
use crate::Millis;

/// What the board shows at a press.
#[derive(Clone, Debug, PartialEq)]
pub enum Judgement {
    /// The position of the record: no move was made.
    NoMove,
    /// A pawn on its last rank that was not replaced.
    PromotionLeft(Move),
    /// One man misplaced: a move that is not legal.
    Illegal(Illegality),
    /// Something else.
    Mismatch(Mismatch),
    /// A man of the mover stands nowhere, or one stands twice: a question for the sensors.
    Unseen(Mismatch),
}

/// A move that is not legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Illegality {
    /// Why it is not.
    pub reason: Reason,
    /// From where the man came.
    pub from: Square,
    /// Where it went.
    pub to: Square,
    /// Where a man of the opponent's is gone.
    pub taken: Option<Square>,
}

/// Why a move is not legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The man can't go there.
    NotALegalMove,
    /// The own king would stand in check.
    LeavesKingInCheck,
    /// King and rook may not castle.
    CastlingNotAllowed,
    /// The captured man still stands.
    CapturedNotRemoved,
}

/// How the board differs from the record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// What kind of difference.
    pub detail: Detail,
    /// On which squares.
    pub squares: Bitboard,
}

/// Kinds of differences between a board and the record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// Another man stands where one should.
    WrongPiece,
    /// A man is missing.
    MissingPiece,
    /// There is a man too many.
    ExtraPiece,
    /// Two men have changed places.
    SwappedPieces,
    /// Men stand on other squares.
    Displaced,
}

/// What `board` shows at a press by `side`, which has the move in `position`. `accident`: men were knocked over;
/// `landed_at`: when squares changed last.
pub(super) fn judge(
    position: &Chess,
    board: &Board,
    side: Color,
    accident: bool,
    landed_at: impl Fn(Square) -> Millis,
) -> Judgement {
    let record = position.board();
    if difference(record, board).is_empty() {
        return Judgement::NoMove;
    }
    if let Some(judgement) = promotion_left(position, board) {
        return judgement;
    }
    let mismatch = compare(record, board);
    if is_legal(position, board) {
        // The move was there at the press, and a fast reply has begun to take it apart: the reply will tell.
        return Judgement::Unseen(mismatch);
    }
    if !accounts_for_all(record, board, side) {
        return Judgement::Unseen(mismatch);
    }
    if accident {
        return Judgement::Mismatch(mismatch);
    }
    match illegal_move(position, board, side) {
        Some(illegality) => Judgement::Illegal(illegality),
        None => Judgement::Mismatch(besides_a_move(position, board, mismatch, landed_at)),
    }
}

/// Where a man is read that would have made a legal move on a square beside, and on which ones. It may be read on `such`
/// squares.
pub(super) fn beside(position: &Chess, board: &Board, such: impl Fn(Square) -> bool) -> Option<(Square, Bitboard)> {
    let moves = position.legal_moves();
    let mut meant = moves.iter().filter_map(|candidate| {
        let after = after(position, *candidate);
        let squares = difference(after.board(), board);
        let meant = (squares & !board.occupied()).single_square()?;
        let read = (squares & board.occupied()).single_square()?;
        // The opponent's man may have been taken up from there for the reply.
        let free = after.board().color_at(read) != Some(position.turn());
        let moved = after.board().piece_at(meant) == board.piece_at(read) && free;
        let own = board.color_at(read) == Some(position.turn());
        // It is the man that moved: where one stands that has not, nobody has set one down.
        let landed = after.board().piece_at(meant) != position.board().piece_at(meant);
        (meant.distance(read) == 1 && moved && own && landed && such(read)).then_some((read, meant))
    });
    let (read, first) = meant.next()?;
    Some((read, meant.filter(|(other, _)| *other == read).map(|(_, meant)| meant).chain([first]).collect()))
}

/// Where a man is read that was knocked over, beside the square on which he has to be put up for a legal move: of several
/// the one who landed first, for the last one has made that move.
pub(super) fn beside_his_own(
    position: &Chess,
    board: &Board,
    landed_at: impl Fn(Square) -> Millis,
) -> Option<(Square, Bitboard)> {
    let record = position.board();
    let astray = difference(record, board) & board.occupied() & !record.occupied();
    let made = position.legal_moves().iter().map(|candidate| after(position, *candidate)).collect::<Vec<_>>();
    let put_up = |read: Square| {
        let man = board.piece_at(read)?;
        let is_legal = |home: &Square| {
            let mut upright = board.clone();
            upright.discard_piece_at(read);
            upright.set_piece_at(*home, man);
            made.iter().any(|after| *after.board() == upright)
        };
        let is_his = |home: &Square| home.distance(read) == 1 && board.piece_at(*home).is_none();
        let home = record.by_piece(man).into_iter().filter(is_his).find(is_legal)?;
        Some((read, Bitboard::from(home)))
    };
    astray.into_iter().filter_map(put_up).min_by_key(|(read, _)| landed_at(*read))
}

/// What is displaced on a board that shows a legal move too: of several such moves, the one whose man landed last.
fn besides_a_move(position: &Chess, board: &Board, mismatch: Mismatch, landed: impl Fn(Square) -> Millis) -> Mismatch {
    if mismatch.detail != Detail::Displaced {
        return mismatch;
    }
    let rest = |candidate: Move| (candidate, difference(after(position, candidate).board(), board));
    let explains = |(_, rest): &(Move, Bitboard)| rest.is_subset(mismatch.squares) && *rest != mismatch.squares;
    let moves = position.legal_moves();
    let played = moves.iter().map(|candidate| rest(*candidate)).filter(explains);
    let played = played.max_by_key(|(candidate, rest)| (std::cmp::Reverse(rest.count()), landed(candidate.to())));
    played.map_or(mismatch, |(_, squares)| Mismatch { squares, ..mismatch })
}

/// The board shows a legal move. The opponent may have taken up a man for the reply.
fn is_legal(position: &Chess, board: &Board) -> bool {
    position.legal_moves().into_iter().any(|candidate| {
        let after = after(position, candidate);
        let differs = difference(after.board(), board);
        let replies = |square| after.board().color_at(square) == Some(after.turn()) && board.piece_at(square).is_none();
        differs.into_iter().all(replies) && !differs.more_than_one()
    })
}

/// Every man of `side` stands somewhere, and none twice. A pawn may have become anything on its last rank.
fn accounts_for_all(record: &Board, board: &Board, side: Color) -> bool {
    let count = |board: &Board, role| board.by_piece(Piece { color: side, role }).count();
    let total = |board: &Board| board.by_color(side).count();
    let pawns_gone = count(record, Role::Pawn).saturating_sub(count(board, Role::Pawn));
    // Of as many men in all, with no fewer of the others, as many of these are more as pawns are gone.
    let others_kept = Role::ALL.into_iter().all(|role| role == Role::Pawn || count(board, role) >= count(record, role));
    total(record) == total(board) && others_kept && pawns_gone <= 1
}

/// The promotion after which the board is right but for the man that now stands on the last rank: only the pawn's step was
/// made, or the square holds what no pawn can become, a king or a man of the other colour.
fn promotion_left(position: &Chess, board: &Board) -> Option<Judgement> {
    let (promotion, there) = position.legal_moves().into_iter().find_map(|candidate| {
        let Some(Role::Queen) = candidate.promotion() else { return None };
        let man = board.piece_at(candidate.to())?;
        let mut expected = after(position, candidate).board().clone();
        expected.set_piece_at(candidate.to(), man);
        (expected == *board).then_some((candidate, man))
    })?;
    if there == Role::Pawn.of(position.turn()) {
        return Some(Judgement::PromotionLeft(promotion));
    }
    // The man that should have been taken may still stand there: then it is the pawn that is nowhere.
    let stood_before = position.board().piece_at(promotion.to()) == Some(there);
    let impossible = there.color != position.turn() || there.role == Role::King;
    if stood_before || !impossible {
        return None;
    }
    let taken = promotion.capture().map(|_| promotion.to());
    let (from, to) = (promotion.from()?, promotion.to());
    Some(Judgement::Illegal(Illegality { reason: Reason::NotALegalMove, from, to, taken }))
}

/// One man of the mover elsewhere, at most one of the opponent's gone; or king and one rook.
fn illegal_move(position: &Chess, board: &Board, side: Color) -> Option<Illegality> {
    let record = position.board();
    let changed = difference(record, board);
    let own = |board: &Board| (changed & board.by_color(side)).into_iter().collect::<Vec<_>>();
    let enemy_gone = changed & record.by_color(!side);
    if changed.intersects(board.by_color(!side)) || enemy_gone.more_than_one() {
        return None;
    }
    let taken = enemy_gone.first();
    match (&own(record)[..], &own(board)[..]) {
        ([from], [to]) if from != to => {
            let (was, is) = (record.piece_at(*from)?, board.piece_at(*to)?);
            let last = if side.is_white() { Rank::Eighth } else { Rank::First };
            let promoted = was.role == Role::Pawn && to.rank() == last;
            if was != is && !promoted {
                return None;
            }
            Some(Illegality { reason: reason(position, *from, *to), from: *from, to: *to, taken })
        }
        ([a, b], [c, d]) => {
            let king = |board: &Board, squares: [Square; 2]| {
                let men = squares.map(|square| board.role_at(square));
                let is_pair = men.contains(&Some(Role::King)) && men.contains(&Some(Role::Rook));
                squares.into_iter().find(|square| is_pair && board.role_at(*square) == Some(Role::King))
            };
            let (from, to) = (king(record, [*a, *b])?, king(board, [*c, *d])?);
            let lands = |castling: &Move| castling.castling_side().map(|wing| wing.king_to(side)) == Some(to);
            let may_castle = position.legal_moves().iter().any(lands);
            let reason = if may_castle { Reason::NotALegalMove } else { Reason::CastlingNotAllowed };
            Some(Illegality { reason, from, to, taken })
        }
        _ => None,
    }
}

fn reason(position: &Chess, from: Square, to: Square) -> Reason {
    let legal = position.legal_moves();
    if let Some(made) = legal.iter().find(|candidate| candidate.from() == Some(from) && candidate.to() == to) {
        return if made.is_en_passant() { Reason::CapturedNotRemoved } else { Reason::NotALegalMove };
    }
    let king = position.board().king_of(position.turn());
    if king == Some(from) && from.distance(to) == 2 && from.rank() == to.rank() {
        return Reason::CastlingNotAllowed;
    }
    if goes(position.board(), from, to, position.pseudo_legal_ep_square()) {
        Reason::LeavesKingInCheck
    } else {
        Reason::NotALegalMove
    }
}

/// The man on the one square goes to the other as its kind does, whether its king may be left in check or not. A pawn may
/// have `passed` a square.
pub(super) fn goes(board: &Board, from: Square, to: Square, passed: Option<Square>) -> bool {
    let Some(man) = board.piece_at(from).filter(|man| board.color_at(to) != Some(man.color)) else { return false };
    if man.role != Role::Pawn {
        return board.attacks_from(from).contains(to);
    }
    if from.file() != to.file() {
        return board.attacks_from(from).contains(to) && (board.piece_at(to).is_some() || passed == Some(to));
    }
    let forward = man.color.fold_wb(8, -8);
    let start = man.color.fold_wb(Rank::Second, Rank::Seventh);
    let free = |square: Option<Square>| square.is_some_and(|square| board.piece_at(square).is_none());
    let (one, two) = (from.offset(forward), from.offset(2 * forward));
    free(one) && (one == Some(to) || from.rank() == start && two == Some(to) && free(two))
}

/// What is different between the record and the board, in one word.
pub(super) fn compare(record: &Board, board: &Board) -> Mismatch {
    let squares = difference(record, board);
    let men = |board: &Board| {
        let mut men =
            squares.into_iter().filter_map(|square| board.piece_at(square)).map(Piece::char).collect::<Vec<_>>();
        men.sort_unstable();
        men
    };
    let (was, is) = (men(record), men(board));
    let detail = if was == is && squares.count() == 2 && was.len() == 2 {
        Detail::SwappedPieces
    } else if squares.count() == 1 && was.len() == 1 && is.len() == 1 {
        Detail::WrongPiece
    } else if is.len() < was.len() {
        Detail::MissingPiece
    } else if is.len() > was.len() {
        Detail::ExtraPiece
    } else {
        Detail::Displaced
    };
    Mismatch { detail, squares }
}

/// The move of the side not to move that the board shows, if it shows one that looks legal.
pub(super) fn out_of_turn(position: &Chess, board: &Board) -> Option<Move> {
    let mut setup = position.to_setup(shakmaty::EnPassantMode::Legal);
    setup.turn = !setup.turn;
    setup.ep_square = None;
    let other = <Chess as shakmaty::FromSetup>::from_setup(setup, CastlingMode::Chess960)
        .or_else(shakmaty::PositionError::ignore_too_much_material)
        .ok()?;
    let shows = |candidate: &&Move| after(&other, **candidate).board() == board;
    other.legal_moves().iter().find(shows).copied()
}
