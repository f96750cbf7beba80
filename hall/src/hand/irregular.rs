//! A move that is not legal, and the reply on top of it: under limited supervision both stand once the reply is pressed.

use shakmaty::{
    Bitboard, Board, CastlingMode, Chess, Color, EnPassantMode, FromSetup, Position, PositionError, Rank, Role, Setup,
    Square,
    fen::Fen,
    san::{San, SanPlus, Suffix},
    uci::UciMove,
};

use super::{
    judging::{Illegality, goes},
    record::{Record, after},
    squares::difference,
};
use crate::{Course, Irregular, Millis};

/// A move that is not legal, as it stood on the board when it was completed.
#[derive(Clone, Debug)]
pub(super) struct Aside {
    side: Color,
    from: Square,
    to: Square,
    board: Board,
    /// The opponent has pressed: a reply that comes to show until then is theirs.
    answered_until: Option<Millis>,
    /// The reply that was found not to be legal either.
    judged: Option<Board>,
}

/// A move that is not legal and stands, with the reply to it.
#[derive(Clone, Debug, PartialEq)]
pub struct Stood {
    /// Who made it.
    pub side: Color,
    /// The move as programs write it.
    pub uci: String,
    /// The position after it, whether play can lead to it or not.
    pub fen: String,
    /// The board after it.
    pub board: Board,
    /// The reply.
    pub reply: Reply,
}

/// What was played on top of a move that is not legal.
#[derive(Clone, Debug, PartialEq)]
pub struct Reply {
    /// As players write it.
    pub san: String,
    /// As programs write it.
    pub uci: String,
    /// The position after it; none if it is still one no play can lead to.
    pub after: Option<Chess>,
    /// When it was pressed.
    pub pressed: Millis,
}

impl Stood {
    /// The record with both moves; none if play can't go on from there.
    pub(super) fn enter(&self, record: &Course) -> Option<Course> {
        let Reply { san, uci, after, .. } = &self.reply;
        let reply = Irregular { san: san.clone(), uci: uci.clone() };
        let stands = record.break_off(&self.uci, self.board.clone(), &self.fen);
        after.clone().map(|after| stands.take_up(reply, after))
    }
}

impl Aside {
    pub(super) fn new(side: Color, illegality: Illegality, board: Board) -> Aside {
        let Illegality { from, to, .. } = illegality;
        Aside { side, from, to, board, answered_until: None, judged: None }
    }

    /// The opponent has pressed. True if the press is for a reply to this move: one that comes to show until then.
    pub(super) fn answer(&mut self, side: Color, board: &Board, until: Millis) -> bool {
        let changed = difference(&self.board, board);
        let own = |board: &Board| (board.by_color(side) & changed).any();
        let answers = self.side != side && (own(&self.board) || own(board));
        if answers {
            self.answered_until = Some(until);
        }
        answers
    }

    /// The position the reply is made in, if it is one.
    pub(super) fn position(&self, record: &Record) -> Option<Chess> {
        position(self.setup(record), record.mode())
    }

    /// The reply that was pressed is not legal either. True if that was not known.
    pub(super) fn judge_answer(&mut self, board: &Board) -> bool {
        self.judged.replace(board.clone()).as_ref() != Some(board)
    }

    /// The board shows a reply that was pressed: both moves stand.
    pub(super) fn stands(&self, record: &Record, board: &Board, now: Millis) -> Option<Stood> {
        self.answered_until.filter(|until| now <= *until)?;
        let setup = self.setup(record);
        let uci = reply(&setup, &self.board, board, record.mode())?;
        let (san, after) = play(setup.clone(), &uci, record.mode())?;
        let reply = Reply { san, uci: uci.to_string(), after, pressed: now };
        let fen = Fen::try_from_setup(setup).map_or_else(|lossy| lossy.ignore().to_string(), |fen| fen.to_string());
        let uci = format!("{}{}", self.from, self.to);
        Some(Stood { side: self.side, uci, fen, board: self.board.clone(), reply })
    }

    /// The position after it, whether it is one or not.
    fn setup(&self, record: &Record) -> Setup {
        let mut setup = record.position().to_setup(EnPassantMode::Legal);
        advance(&mut setup, self.side, &self.board, self.from, self.to);
        setup
    }
}

/// The one move of the opponent that leads from the board of the illegal move to `board`.
fn reply(setup: &Setup, before: &Board, board: &Board, mode: CastlingMode) -> Option<UciMove> {
    if let Some(position) = position(setup.clone(), mode)
        && let Some(played) = position.legal_moves().iter().find(|played| after(&position, **played).board() == board)
    {
        return Some(played.to_uci(mode));
    }
    lone_move(before, board, setup.turn)
}

/// The reply to a move that is not legal, read back from its UCI text and the position it was made in.
pub fn read_reply(setup: Setup, uci: &str, mode: CastlingMode) -> Option<(String, Chess)> {
    let (san, after) = play(setup, &uci.parse().ok()?, mode)?;
    Some((san, after?))
}

/// The reply as players write it, and the position after it if that is one.
fn play(mut setup: Setup, uci: &UciMove, mode: CastlingMode) -> Option<(String, Option<Chess>)> {
    if let Some(mut position) = position(setup.clone(), mode)
        && let Ok(played) = uci.to_move(&position)
    {
        let san = SanPlus::from_move_and_play_unchecked(&mut position, played).to_string();
        return Some((san, Some(position)));
    }
    // The position is none for the Laws, because a king could be taken; the one after it may be one again.
    let UciMove::Normal { from, to, promotion } = *uci else { return None };
    let side = setup.turn;
    let man = setup.board.piece_at(from)?;
    let capture = setup.board.piece_at(to).is_some();
    let mut board = setup.board.clone();
    board.discard_piece_at(from);
    board.set_piece_at(to, promotion.map_or(man, |role| role.of(side)));
    advance(&mut setup, side, &board, from, to);
    let after = position(setup, mode);
    let suffix = after.as_ref().filter(|after| after.is_check()).map(|_| Suffix::Check);
    // A pawn's capture names the file it came from; of two men that could have gone there nobody knows which is meant.
    let file = (man.role == Role::Pawn && capture).then(|| from.file());
    let san = San::Normal { role: man.role, file, rank: None, capture, to, promotion };
    Some((SanPlus { san, suffix }.to_string(), after))
}

/// One man of `side` went from one square to another as its kind does, a man on the way taken or not.
fn lone_move(before: &Board, after: &Board, side: Color) -> Option<UciMove> {
    let changed = difference(before, after);
    let from = (changed & !after.occupied()).single_square()?;
    let to = (changed & after.occupied()).single_square()?;
    let man = before.piece_at(from).filter(|man| man.color == side)?;
    let landed = after.piece_at(to).filter(|man| man.color == side)?;
    let last = if side.is_white() { Rank::Eighth } else { Rank::First };
    let promotion = (man.role == Role::Pawn && to.rank() == last && landed.role != Role::Pawn).then_some(landed.role);
    let is_made = before.role_at(to) != Some(Role::King) && goes(before, from, to, None);
    (is_made && (promotion.is_some() || landed == man)).then_some(UciMove::Normal { from, to, promotion })
}

/// The board after a move by `side` from `from` to `to`, and what else a FEN counts.
fn advance(setup: &mut Setup, side: Color, board: &Board, from: Square, to: Square) {
    let quiet =
        setup.board.role_at(from) != Some(Role::Pawn) && setup.board.occupied().count() == board.occupied().count();
    setup.board = board.clone();
    setup.turn = !side;
    setup.ep_square = None;
    let kept = setup.castling_rights & !Bitboard::from_square(from) & !Bitboard::from_square(to);
    setup.castling_rights = Color::ALL.into_iter().fold(kept, |rights, color| {
        let home = color.fold_wb(Bitboard::from_rank(Rank::First), Bitboard::from_rank(Rank::Eighth));
        let rooks = board.by_piece(Role::Rook.of(color));
        let king_moved = color == side && board.by_piece(Role::King.of(color)).contains(to);
        if king_moved { rights & !home } else { rights & (!home | rooks) }
    });
    setup.halfmoves = if quiet { setup.halfmoves + 1 } else { 0 };
    if side.is_black() {
        setup.fullmoves = setup.fullmoves.saturating_add(1);
    }
}

/// The position, if legal play could go on from it. With how many men, and how the check came about, does not matter.
fn position(setup: Setup, mode: CastlingMode) -> Option<Chess> {
    Chess::from_setup(setup, mode)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .or_else(PositionError::ignore_invalid_castling_rights)
        .ok()
}
