//! One game as announcements need it: committed entries in, sayings out.

use protocol::feed::{AlertKind, Command, Correction, Entry, GameResult, Man, Penalty, Request, Side, Variant};
use shakmaty::{
    Bitboard, CastlingMode, Chess, Color, File, Move, Position as _, Rank, Role, Square, fen::Fen, san::San,
    uci::UciMove,
};

use super::saying::Saying;

/// What is known of the game that is on, from what was published of it.
#[derive(Clone, Debug)]
pub(super) struct Game {
    mode: CastlingMode,
    start: Option<Chess>,
    plies: Vec<Ply>,
    is_over: bool,
}

/// A ply of it.
#[derive(Clone, Debug)]
struct Ply {
    played: Option<Move>,
    after: Option<Chess>,
}

/// What both clocks showed when the clock was heard last.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clock {
    pub(super) at: u64,
    pub(super) white_ms: u64,
    pub(super) black_ms: u64,
    pub(super) running: Option<Side>,
}

impl Clock {
    /// Full seconds a player has left.
    fn left(&self, side: Side, now: u64) -> u32 {
        let shown = match side {
            Side::White => self.white_ms,
            Side::Black => self.black_ms,
        };
        let run = if self.running == Some(side) { now.saturating_sub(self.at) } else { 0 };
        u32::try_from(shown.saturating_sub(run) / 1000).unwrap_or(u32::MAX)
    }
}

impl Game {
    /// A game begins here.
    pub(super) fn begin(fen: &str, variant: Variant) -> Game {
        let mode = variant.into();
        Game { mode, start: position(fen, mode), plies: Vec::new(), is_over: false }
    }

    /// Takes in what was published. Gives what it means for each player: White's ear, and Black's.
    pub(super) fn hear(&mut self, entry: &Entry) -> Vec<(Side, Saying)> {
        match entry {
            Entry::Final { ply, uci, fen, .. } => self.play(*ply, uci, fen).into_iter().collect(),
            Entry::Corrected { from_ply, new, reason, .. } => self.correct(*from_ply, new, *reason),
            Entry::Result { result, .. } => {
                self.is_over = *result != GameResult::Open;
                if self.is_over { to_both(&Saying::Over(*result)) } else { Vec::new() }
            }
            Entry::Noted { order } => declared(order),
            Entry::Started { .. }
            | Entry::Paired { .. }
            | Entry::Instants { .. }
            | Entry::State { .. }
            | Entry::Proposal(_)
            | Entry::Earlier { .. }
            | Entry::Shown { .. }
            | Entry::Round { .. }
            | Entry::Verdict { .. }
            | Entry::Voice { .. } => Vec::new(),
            Entry::Alert(alert) if alert.kind == AlertKind::LinkLost => to_both(&Saying::BoardLost),
            Entry::Alert(alert) if alert.kind == AlertKind::LinkRestored => to_both(&Saying::BoardBack),
            Entry::Alert(_) => Vec::new(),
        }
    }

    /// A move is final: its opponent is told.
    fn play(&mut self, ply: usize, uci: &str, fen: &str) -> Option<(Side, Saying)> {
        self.plies.truncate(ply.saturating_sub(1));
        let played = self.position().and_then(|before| read(uci, before));
        self.plies.push(Ply { played, after: position(fen, self.mode) });
        self.last()
    }

    /// The last move as its opponent is told it.
    fn last(&self) -> Option<(Side, Saying)> {
        let (before, played) = self.moves().next_back()?;
        let (before, played) = (before?.clone(), played?);
        let hears = Side::from(!before.turn());
        Some((hears, Saying::Move { before: Box::new(before), played }))
    }

    fn correct(&mut self, from_ply: usize, new: &[String], reason: Correction) -> Vec<(Side, Saying)> {
        self.plies.truncate(from_ply.saturating_sub(1));
        for san in new {
            let before = self.position();
            let played = before.and_then(|before| by_hand(san, before));
            let after = before.cloned().zip(played).and_then(|(before, played)| before.play(played).ok());
            self.plies.push(Ply { played, after });
        }
        let what = match reason {
            Correction::Arbiter => Saying::Restored,
            Correction::SlideContinued
            | Correction::CastlingRookFirst
            | Correction::ResultGesture
            | Correction::PromotionPiece
            | Correction::Takeback
            | Correction::AfterTheEnd => Saying::TakenBack,
        };
        let again = if new.is_empty() { None } else { self.last() };
        to_both(&what).into_iter().chain(again).collect()
    }

    /// What a player is answered.
    pub(super) fn answer(&self, side: Side, request: Request, clock: Option<Clock>, now: u64) -> Option<Saying> {
        let board = self.position().map(|position| position.board().clone());
        Some(match request {
            Request::LastMove => Saying::LastMove(self.last_for(side)),
            Request::MyClock => Saying::MyClock(clock.map(|clock| clock.left(side, now))),
            Request::BothClocks => {
                Saying::BothClocks(clock.map(|clock| (clock.left(side, now), clock.left(side.other(), now))))
            }
            Request::MoveNumber => {
                let position = self.position()?;
                Saying::MoveNumber(position.fullmoves().get(), position.turn())
            }
            Request::Men(man) => Saying::Men(board?, role(man), side.into()),
            Request::File(file) => Saying::Squares(board?, Bitboard::from(File::from_char(file)?)),
            Request::Rank(rank) => Saying::Squares(board?, Bitboard::from(rank_of(rank)?)),
            Request::Position => Saying::Position(board?),
            Request::Slower | Request::Faster => Saying::LastMove(self.last_for(side)),
            Request::Test => Saying::Alphabet,
        })
    }

    /// The last move of the opponent.
    fn last_for(&self, side: Side) -> Option<(Box<Chess>, Move)> {
        let is_theirs = |before: &Option<&Chess>| before.is_some_and(|before| before.turn() != Color::from(side));
        let (before, played) = self.moves().rev().find(|(before, _)| is_theirs(before))?;
        Some((Box::new(before?.clone()), played?))
    }

    /// Each move with the position before it.
    fn moves(&self) -> impl DoubleEndedIterator<Item = (Option<&Chess>, Option<Move>)> {
        let before = |at: usize| at.checked_sub(1).map_or(self.start.as_ref(), |at| self.plies[at].after.as_ref());
        self.plies.iter().enumerate().map(move |(at, ply)| (before(at), ply.played))
    }

    fn position(&self) -> Option<&Chess> {
        self.plies.last().map_or(self.start.as_ref(), |ply| ply.after.as_ref())
    }
}

/// What is said aloud at the board by a player or the arbiter.
fn declared(order: &Command) -> Vec<(Side, Saying)> {
    if let Command::DrawOffer { side } = order {
        return vec![(side.other(), Saying::DrawOffer)];
    }
    let is_about_time = matches!(order, Command::Penalty { penalty: Penalty::OpponentTime | Penalty::OwnTime, .. });
    if is_about_time { to_both(&Saying::TimePenalty) } else { Vec::new() }
}

fn to_both(saying: &Saying) -> Vec<(Side, Saying)> {
    [Side::White, Side::Black].map(|side| (side, saying.clone())).into()
}

fn position(fen: &str, mode: CastlingMode) -> Option<Chess> {
    fen.parse::<Fen>().ok()?.into_position(mode).ok()
}

/// A move as programs write it. One that is not legal and stands all the same is told as its man went.
fn read(uci: &str, before: &Chess) -> Option<Move> {
    let uci = uci.parse::<UciMove>().ok()?;
    uci.to_move(before).ok().or_else(|| match uci {
        UciMove::Normal { from, to, promotion } => went(before, from, to, promotion),
        UciMove::Put { .. } | UciMove::Null => None,
    })
}

fn went(before: &Chess, from: Square, to: Square, promotion: Option<Role>) -> Option<Move> {
    let role = before.board().role_at(from)?;
    Some(Move::Normal { role, from, capture: before.board().role_at(to), to, promotion })
}

/// A move as players write it.
fn by_hand(san: &str, before: &Chess) -> Option<Move> {
    san.parse::<San>().ok().and_then(|san| san.to_move(before).ok()).or_else(|| read(san, before))
}

fn rank_of(rank: u8) -> Option<Rank> {
    Rank::ALL.get(usize::from(rank).checked_sub(1)?).copied()
}

fn role(man: Man) -> Role {
    match man {
        Man::King => Role::King,
        Man::Queen => Role::Queen,
        Man::Rook => Role::Rook,
        Man::Bishop => Role::Bishop,
        Man::Knight => Role::Knight,
        Man::Pawn => Role::Pawn,
    }
}
