//! One game as announcements need it: committed entries in, sayings out.

use protocol::feed::{AlertKind, Command, Correction, Entry, Man, Penalty, Request, Score, Side, Variant};
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
    /// The position after them.
    position: Option<Chess>,
    /// A result was given.
    is_over: bool,
}

/// A ply of it: small, since every game of the hall is followed, whether anybody listens there or not.
#[derive(Clone, Debug)]
struct Ply {
    played: Option<Move>,
    /// Where the board stands otherwise than the move leaves it: after an illegal one that stood.
    stands: Option<Box<Chess>>,
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
        let start = position(fen, mode);
        Game { mode, position: start.clone(), start, plies: Vec::new(), is_over: false }
    }

    /// Takes in what was published. Gives what it means for each player: White's ear, and Black's.
    pub(super) fn hear(&mut self, entry: &Entry) -> Vec<(Side, Saying)> {
        match entry {
            Entry::Final { ply, uci, fen, .. } => self.play(*ply, uci, fen).into_iter().collect(),
            Entry::Corrected { from_ply, old, new, reason } => {
                let is_more = old.is_empty() && *from_ply == self.plies.len() + 1;
                if is_more { self.enter(new) } else { self.correct(*from_ply, new, *reason) }
            }
            Entry::Result { result, score, .. } => {
                let score = Score::told(*result, *score);
                let was_over = std::mem::replace(&mut self.is_over, score != Score::Open);
                match (was_over, self.is_over) {
                    (_, true) => to_both(&Saying::Over(score)),
                    (true, false) => to_both(&Saying::NotOver),
                    (false, false) => Vec::new(),
                }
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
            | Entry::Confirmed { .. }
            | Entry::Verdict { .. }
            | Entry::Voice { .. } => Vec::new(),
            Entry::Alert(alert) if alert.kind == AlertKind::LinkLost => to_both(&Saying::BoardLost),
            Entry::Alert(alert) if alert.kind == AlertKind::LinkRestored => to_both(&Saying::BoardBack),
            Entry::Alert(_) => Vec::new(),
        }
    }

    /// A move is final: its opponent is told.
    fn play(&mut self, ply: usize, uci: &str, fen: &str) -> Option<(Side, Saying)> {
        self.keep(ply.saturating_sub(1));
        let before = self.position.take();
        let played = before.as_ref().and_then(|before| read(uci, before));
        self.position = position(fen, self.mode);
        let made = before.clone().zip(played).and_then(|(before, played)| before.play(played).ok());
        let is_made = |stands: &Chess| made.as_ref().is_some_and(|made| are_alike(made, stands));
        let stands = self.position.clone().filter(|stands| !is_made(stands)).map(Box::new);
        self.plies.push(Ply { played, stands });
        Some(told(before?, played?))
    }

    fn correct(&mut self, from_ply: usize, new: &[String], reason: Correction) -> Vec<(Side, Saying)> {
        self.keep(from_ply.saturating_sub(1));
        self.play_by_hand(new);
        let what = match reason {
            Correction::Arbiter => Saying::Restored,
            Correction::SlideContinued
            | Correction::CastlingRookFirst
            | Correction::ResultGesture
            | Correction::PromotionPiece
            | Correction::Takeback
            | Correction::AfterTheEnd => Saying::TakenBack,
        };
        let again = if new.is_empty() { None } else { self.told_back(1) };
        to_both(&what).into_iter().chain(again).collect()
    }

    /// Moves go on where the game stood: each player is told the opponent's last one, as if it had come from a board. Where
    /// there are more of them, the board stands otherwise than what is told would leave it.
    fn enter(&mut self, new: &[String]) -> Vec<(Side, Saying)> {
        self.play_by_hand(new);
        let restored = if new.len() > 2 { to_both(&Saying::Restored) } else { Vec::new() };
        let moves = (1..=new.len().min(2)).rev().filter_map(|back| self.told_back(back));
        restored.into_iter().chain(moves).collect()
    }

    fn play_by_hand(&mut self, sans: &[String]) {
        for san in sans {
            let played = self.position.as_ref().and_then(|before| by_hand(san, before));
            self.position = self.position.take().zip(played).and_then(|(before, played)| before.play(played).ok());
            self.plies.push(Ply { played, stands: None });
        }
    }

    fn told_back(&self, back: usize) -> Option<(Side, Saying)> {
        let (before, played) = self.move_back(back)?;
        Some(told(before, played?))
    }

    /// What a player is answered.
    pub(super) fn answer(&self, side: Side, request: Request, clock: Option<Clock>, now: u64) -> Option<Saying> {
        let board = || self.position.as_ref().map(|position| position.board().clone());
        Some(match request {
            Request::LastMove => Saying::LastMove(self.last_for(side)),
            Request::MyClock => Saying::MyClock(clock.map(|clock| clock.left(side, now))),
            Request::BothClocks => {
                Saying::BothClocks(clock.map(|clock| (clock.left(side, now), clock.left(side.other(), now))))
            }
            Request::MoveNumber => {
                let position = self.position.as_ref()?;
                Saying::MoveNumber(position.fullmoves().get(), position.turn())
            }
            Request::Men(man) => Saying::Men(board()?, role(man), side.into()),
            Request::File(file) => Saying::Squares(board()?, Bitboard::from(File::from_char(file)?)),
            Request::Rank(rank) => Saying::Squares(board()?, Bitboard::from(rank_of(rank)?)),
            Request::Position => Saying::Position(board()?),
            Request::Slower | Request::Faster => Saying::LastMove(self.last_for(side)),
            Request::Test => Saying::Alphabet,
        })
    }

    /// The last move of the opponent.
    fn last_for(&self, side: Side) -> Option<(Box<Chess>, Move)> {
        let mut moves = (1..=self.plies.len()).filter_map(|back| self.move_back(back));
        let (before, played) = moves.find(|(before, _)| before.turn() != Color::from(side))?;
        Some((Box::new(before), played?))
    }

    /// The last move but so many, with the position before it. That one is known wherever the move is.
    fn move_back(&self, back: usize) -> Option<(Chess, Option<Move>)> {
        let at = self.plies.len().checked_sub(back)?;
        Some((self.after(at)?, self.plies[at].played))
    }

    /// Takes back what is behind so many plies.
    fn keep(&mut self, plies: usize) {
        if plies < self.plies.len() {
            self.plies.truncate(plies);
            self.position = self.after(plies);
        }
    }

    /// The position after so many plies.
    fn after(&self, plies: usize) -> Option<Chess> {
        let plies = &self.plies[..plies];
        let stood = plies.iter().enumerate().rev().find_map(|(at, ply)| Some((at + 1, ply.stands.as_deref()?)));
        let (from, position) = stood.map_or((0, self.start.as_ref()), |(from, stood)| (from, Some(stood)));
        plies[from..].iter().try_fold(position?.clone(), |position, ply| position.play(ply.played?).ok())
    }
}

/// A move as its opponent is told it.
fn told(before: Chess, played: Move) -> (Side, Saying) {
    let hears = Side::from(!before.turn());
    (hears, Saying::Move { before: Box::new(before), played })
}

/// Whether two positions are the same, their numbers of moves included.
fn are_alike(one: &Chess, other: &Chess) -> bool {
    one == other && one.fullmoves() == other.fullmoves()
}

/// What is said aloud at the board by a player or the arbiter.
fn declared(order: &Command) -> Vec<(Side, Saying)> {
    let seconds = |ms: u64| u32::try_from(ms / 1000).unwrap_or(u32::MAX);
    if let Command::DrawOffer { side } = order {
        return vec![(side.other(), Saying::DrawOffer)];
    }
    if let Command::AdjustTimes { white_ms, black_ms } = order {
        let (white, black) = (seconds(*white_ms), seconds(*black_ms));
        return vec![(Side::White, Saying::ClocksSet(white, black)), (Side::Black, Saying::ClocksSet(black, white))];
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
