//! Who, where and how: the small words every message uses.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

/// A player's colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// The player of the white men.
    White,
    /// The player of the black men.
    Black,
}

impl Side {
    /// The opponent.
    pub fn other(self) -> Side {
        match self {
            Side::White => Side::Black,
            Side::Black => Side::White,
        }
    }
}

impl From<shakmaty::Color> for Side {
    fn from(color: shakmaty::Color) -> Side {
        color.fold_wb(Side::White, Side::Black)
    }
}

impl From<Side> for shakmaty::Color {
    fn from(side: Side) -> shakmaty::Color {
        shakmaty::Color::from_white(side == Side::White)
    }
}

/// One pairing of one round of one event, written `EVENT/ROUND/TABLE`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(with = "String"))]
#[serde(try_from = "String", into = "String")]
pub struct TableId {
    /// The event: letters, digits, `-`, `_` and `.`, as it stands in addresses and file names.
    pub event: String,
    /// The round, from 1.
    pub round: u16,
    /// The table, from 1.
    pub table: u16,
}

/// Text that names no table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("\"{0}\" names no table: write EVENT/ROUND/TABLE, as in open/3/12")]
pub struct BadTable(pub String);

impl fmt::Display for TableId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}/{}", self.event, self.round, self.table)
    }
}

impl FromStr for TableId {
    type Err = BadTable;

    fn from_str(text: &str) -> Result<TableId, BadTable> {
        let bad = || BadTable(text.to_owned());
        let mut parts = text.split('/');
        let (Some(event), Some(round), Some(table), None) = (parts.next(), parts.next(), parts.next(), parts.next())
        else {
            return Err(bad());
        };
        let number = |part: &str| part.parse::<u16>().ok().filter(|number| *number > 0).ok_or_else(bad);
        if !is_event_name(event) {
            return Err(bad());
        }
        Ok(TableId { event: event.to_owned(), round: number(round)?, table: number(table)? })
    }
}

/// An event's name stands in addresses and becomes a folder, so nothing that could leave the folder is a name.
fn is_event_name(text: &str) -> bool {
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    !text.is_empty() && text.len() <= 64 && !text.starts_with('.') && text.chars().all(allowed)
}

impl TryFrom<String> for TableId {
    type Error = BadTable;

    fn try_from(text: String) -> Result<TableId, BadTable> {
        text.parse()
    }
}

impl From<TableId> for String {
    fn from(table: TableId) -> String {
        table.to_string()
    }
}

/// A table, or one game of it, written `EVENT/ROUND/TABLE` or `EVENT/ROUND/TABLE/GAME`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(with = "String"))]
#[serde(try_from = "String", into = "String")]
pub struct Address {
    /// The table.
    pub table: TableId,
    /// The how-many-eth game there, from 1; absent for the one that is on, or was last.
    pub game: Option<u32>,
}

impl From<TableId> for Address {
    fn from(table: TableId) -> Address {
        Address { table, game: None }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.table)?;
        self.game.map_or(Ok(()), |game| write!(f, "/{game}"))
    }
}

impl FromStr for Address {
    type Err = BadTable;

    fn from_str(text: &str) -> Result<Address, BadTable> {
        if text.matches('/').count() < 3 {
            return text.parse().map(TableId::into);
        }
        let bad = || BadTable(text.to_owned());
        let (table, game) = text.rsplit_once('/').ok_or_else(bad)?;
        let game = game.parse().ok().filter(|game| *game > 0).ok_or_else(bad)?;
        Ok(Address { table: table.parse().map_err(|_| bad())?, game: Some(game) })
    }
}

impl TryFrom<String> for Address {
    type Error = BadTable;

    fn try_from(text: String) -> Result<Address, BadTable> {
        text.parse()
    }
}

impl From<Address> for String {
    fn from(address: Address) -> String {
        address.to_string()
    }
}

/// A player as the pairing names them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Player {
    /// Family name first, as in PGN.
    pub name: String,
    /// GM, WIM and so on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The rating the event goes by.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rating: Option<u16>,
    /// Three letters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub federation: Option<String>,
    /// FIDE's number; 0 says that the player has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fide_id: Option<u32>,
    /// In team matches.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub team: Option<String>,
    /// The number in the event's list of players.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<u32>,
}

/// One period or two of a clock: base and increment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct TimeControl {
    /// Seconds at the start.
    pub base_s: u32,
    /// Seconds added a move.
    pub increment_s: u32,
}

impl fmt::Display for TimeControl {
    /// As PGN's `TimeControl` tag writes it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.increment_s == 0 {
            write!(f, "{}", self.base_s)
        } else {
            write!(f, "{}+{}", self.base_s, self.increment_s)
        }
    }
}

/// Which chess is played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Variant {
    /// The ordinary game.
    #[default]
    Standard,
    /// Chess960, with its castling.
    Chess960,
}

impl From<shakmaty::CastlingMode> for Variant {
    fn from(mode: shakmaty::CastlingMode) -> Variant {
        if mode.is_chess960() { Variant::Chess960 } else { Variant::Standard }
    }
}

impl From<Variant> for shakmaty::CastlingMode {
    fn from(variant: Variant) -> shakmaty::CastlingMode {
        shakmaty::CastlingMode::from_chess960(variant == Variant::Chess960)
    }
}

/// How a game stands or ended, as PGN writes it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum GameResult {
    /// Not ended, or not known.
    #[default]
    #[serde(rename = "*")]
    Open,
    /// White won.
    #[serde(rename = "1-0")]
    WhiteWins,
    /// Black won.
    #[serde(rename = "0-1")]
    BlackWins,
    /// Drawn.
    #[serde(rename = "1/2-1/2")]
    Draw,
}

impl GameResult {
    /// The win of `side`.
    pub fn win(side: Side) -> GameResult {
        match side {
            Side::White => GameResult::WhiteWins,
            Side::Black => GameResult::BlackWins,
        }
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            GameResult::Open => "*",
            GameResult::WhiteWins => "1-0",
            GameResult::BlackWins => "0-1",
            GameResult::Draw => "1/2-1/2",
        })
    }
}

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ResultReason {
    /// The king is mated.
    Checkmate,
    /// No legal move and no check.
    Stalemate,
    /// Neither side can mate by any legal sequence.
    DeadPosition,
    /// The same position for the fifth time.
    Fivefold,
    /// Seventy-five moves by each player without a capture or a pawn's move.
    SeventyFive,
    /// The players agree.
    Agreement,
    /// A player resigns.
    Resignation,
    /// A player resigns whose opponent can't mate.
    ResignVsCannotMate,
    /// The same position for the third time, claimed.
    ThreefoldClaim,
    /// Fifty moves by each player without a capture or a pawn's move, claimed.
    FiftyClaim,
    /// A flag has fallen.
    Time,
    /// A flag has fallen and the opponent can't mate.
    TimeVsCannotMate,
    /// Both flags have fallen, nobody knows which first.
    BothFlagsLastPeriod,
    /// The second completed illegal move.
    SecondIllegalMove,
    /// The third completed illegal move.
    ThirdIllegalMove,
    /// A completed illegal move, rapid under limited supervision.
    IllegalMoveRapidLimited,
    /// A completed illegal move, blitz under limited supervision.
    IllegalMoveBlitzLimited,
    /// A position no legal play leads to, and it was not put right.
    IllegalPosition,
    /// The sealed move is unclear or not legal.
    SealedMove,
    /// A player did not come.
    Forfeit,
    /// The arbiter or the operator said so.
    Arbiter,
    /// Kings put in the centre by the players.
    KingsInCentre,
}

impl ResultReason {
    /// The Laws end the game at once; every other result is given by somebody.
    pub fn is_by_itself(self) -> bool {
        matches!(
            self,
            ResultReason::Checkmate
                | ResultReason::Stalemate
                | ResultReason::DeadPosition
                | ResultReason::Fivefold
                | ResultReason::SeventyFive
        )
    }
}

/// Where a game is in its life.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// No game has begun at this table: the board does not show a starting position yet.
    #[default]
    Waiting,
    /// The game is on.
    Playing,
    /// The arbiter has to decide something before it is clear how the game goes on. Told to operator and arbiter only.
    AwaitingArbiter,
    /// The result stands.
    Ended,
}

/// Who may be told of an irregularity: those who look after the boards and those who decide. That the public, the hall
/// and the players are none of them is why an alert can't be addressed to them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Staff {
    /// Who looks after the boards.
    Operator,
    /// Who decides.
    Arbiter,
}

/// For whom something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Audience {
    /// Spectators outside: final moves only, delayed.
    Public,
    /// Screens in the playing hall: live.
    Hall,
    /// Who looks after the boards.
    Operator,
    /// Who decides.
    Arbiter,
}

/// What a player claims.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Claim {
    /// The same position for the third time.
    Threefold,
    /// Fifty moves without a capture or a pawn's move.
    Fifty,
    /// The opponent's flag has fallen.
    Flag,
    /// The opponent has completed an illegal move.
    IllegalMove,
    /// The opponent can't or does not try to win in a quickplay finish.
    Quickplay,
}
