//! Alerts: someone should look. What each kind is worth and who is told is one table.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{Claim, GameResult, Side, Staff};

/// Someone should look. The fields below the first five are there where the kind has them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Alert {
    /// What it is about.
    pub kind: AlertKind,
    /// How much it matters.
    pub severity: Severity,
    /// Whom it is about, where it is about one player.
    pub side: Option<Side>,
    /// The article of the Laws in the edition in force, where one applies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub article: Option<String>,
    /// Who may be told.
    pub audience: Vec<Staff>,
    /// What raised it may be a misreading for a moment longer; an `alert_withdrawn` says so if it was.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unconfirmed: bool,
    /// Which kind is withdrawn: the last alert of that kind is as if it had never been said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<AlertKind>,
    /// How many moves it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plies: Option<usize>,
    /// What the kings say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signalled: Option<GameResult>,
    /// How many of the kind this player has committed, this one included.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<u32>,
    /// Why a move is not legal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<IllegalReason>,
    /// How the board differs from the record, or an announcement from the move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<MismatchDetail>,
    /// What was seen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Evidence>,
    /// The opponent can mate by some series of legal moves; absent where it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opponent_can_mate: Option<bool>,
    /// How the search for it stands, where something hangs on it and it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mate_search: Option<MateSearch>,
    /// How many moves the player has completed in the period.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub completed_moves: Option<u32>,
    /// How many moves each player has made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moves_made: Option<MovesMade>,
    /// What was claimed, where a claim was examined.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claim: Option<Claim>,
    /// After which plies of the game the position has stood; 0 is the position it started from.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub occurrences: Vec<usize>,
    /// Lines that explain the board equally well, the chosen one first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub alternatives: Vec<Alternative>,
    /// What each of the two boards of a game has shown, the one that is followed first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub boards: Vec<BoardShown>,
}

impl Alert {
    /// An alert of this kind, with the severity and for the people its kind has, and nothing more about it.
    pub fn new(kind: AlertKind) -> Alert {
        Alert {
            kind,
            severity: kind.severity(),
            side: None,
            article: None,
            audience: kind.audience().to_vec(),
            unconfirmed: false,
            of: None,
            plies: None,
            signalled: None,
            count: None,
            reason: None,
            detail: None,
            evidence: None,
            opponent_can_mate: None,
            mate_search: None,
            completed_moves: None,
            moves_made: None,
            claim: None,
            occurrences: Vec::new(),
            alternatives: Vec::new(),
            boards: Vec::new(),
        }
    }
}

/// How the search for whether the opponent can mate stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum MateSearch {
    /// It goes on; a `verdict` follows.
    Pending,
    /// It was given up: the arbiter decides without it.
    Undecided,
}

/// How many moves each player has made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MovesMade {
    /// White.
    pub white: usize,
    /// Black.
    pub black: usize,
}

/// Why a move is not legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum IllegalReason {
    /// The man can't go there.
    NotALegalMove,
    /// The own king would stand in check.
    LeavesKingInCheck,
    /// King and rook may not castle.
    CastlingNotAllowed,
    /// The captured man still stands.
    CapturedNotRemoved,
}

/// How what is differs from what should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum MismatchDetail {
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
    /// Nothing was announced.
    Missing,
    /// Something else was announced than was played.
    Different,
    /// What was announced is no move.
    Unclear,
}

/// What was seen: squares by their names, men by their letters. Each kind of alert has its own few of these.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Evidence {
    /// The square it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub square: Option<String>,
    /// The own man's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub own: Option<String>,
    /// The opponent's man's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub enemy: Option<String>,
    /// Where a man was released first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first: Option<String>,
    /// How long it rested there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dwell_ms: Option<u64>,
    /// The man that should stand on the square.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<String>,
    /// The man that stands there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub found: Option<String>,
    /// What the player's clock shows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shown_ms: Option<u64>,
    /// What it should show by our own count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counted_ms: Option<u64>,
    /// All squares it is about.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub squares: Vec<String>,
}

/// One of the two boards of a game, as it stands and as it came there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BoardShown {
    /// Its serial number.
    pub board: String,
    /// Whose it is, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub side: Option<Side>,
    /// The men on it, as in the first field of a FEN.
    pub placement: String,
    /// The game as this board has shown it.
    pub moves: Vec<MoveShown>,
}

/// A move that a board has shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MoveShown {
    /// In SAN.
    pub san: String,
    /// Since when it stood there, on the clock of the messages, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<u64>,
}

/// One way to explain what was not seen, in SAN.
pub type Alternative = Vec<String>;

/// What an alert is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum AlertKind {
    /// The board can't be heard.
    LinkLost,
    /// The board can be heard again.
    LinkRestored,
    /// A board that should speak says nothing.
    BoardSilent,
    /// A square does not sense what stands on it.
    SquareFaulty,
    /// The clock's battery is low.
    BatteryLow,
    /// The clock can't be heard.
    ClockLost,
    /// The clock shows something else than we count.
    ClockDisagrees,
    /// The clock has told, and nobody has pressed it for several plies.
    ClockSilent,
    /// Moves made while nothing was heard are in the record now.
    Resync,
    /// More than one line explains the board.
    Ambiguous,
    /// An earlier position was restored and stayed.
    Takeback,
    /// Men that were knocked over stand as before.
    PositionRestored,
    /// After a restart this build reads the past differently; the stored record stands.
    RecordDiffers,
    /// A completed illegal move.
    IllegalMoveCompleted,
    /// One player has completed too many illegal moves.
    IllegalLimitReached,
    /// An illegal move stands: the opponent has moved.
    IllegalMoveStands,
    /// Both kings stand in check.
    BothKingsInCheck,
    /// A pawn rests on its last rank.
    PawnOnLastRank,
    /// The clock was pressed without a move.
    NoMoveClockPress,
    /// The clock was used improperly.
    ImproperClockUse,
    /// A pawn on its last rank was not replaced.
    PromotionIncomplete,
    /// A pawn was promoted without its step to the last rank.
    PromotionProcedure,
    /// The piece a pawn became was not seen.
    PromotionPieceUnconfirmed,
    /// An own man was touched, another one moved.
    TouchMoveSuspect,
    /// An opponent's man was touched and not taken.
    TouchCaptureSuspect,
    /// An own and an opponent's man were touched and the capture not made.
    TouchBothSuspect,
    /// The rook was touched before the king.
    CastlingRookFirst,
    /// The king was released where castling was meant.
    CastlingDutySuspect,
    /// A released man was moved on.
    ReleasedPieceMoved,
    /// King and rook were in the air together.
    TwoHandsSuspect,
    /// A player moved who did not have the move.
    MoveOutOfTurn,
    /// A man was touched by somebody who did not have the move.
    TouchOutOfTurn,
    /// Men were knocked over.
    DisplacedPieces,
    /// The board shows something else than the record.
    PositionMismatch,
    /// The men stood wrong at the start.
    InitialPositionWrong,
    /// The board lies with the wrong corner to the right.
    BoardOrientationWrong,
    /// The players sit at the wrong colours.
    ColoursReversed,
    /// Mate.
    Checkmate,
    /// Stalemate.
    Stalemate,
    /// Neither side can mate.
    DeadPosition,
    /// The position has stood five times.
    FivefoldRepetition,
    /// Seventy-five moves by each player without a capture or a pawn's move.
    SeventyFiveMoves,
    /// The position has stood three times.
    ThreefoldAvailable,
    /// Fifty moves by each player without a capture or a pawn's move.
    FiftyAvailable,
    /// A claimed draw is one.
    ClaimVerified,
    /// A claimed draw is none.
    ClaimNotConfirmed,
    /// The claimant has touched a man.
    ClaimRightLost,
    /// A player claims in a quickplay finish.
    QuickplayClaim,
    /// A flag has fallen.
    FlagFall,
    /// Both flags have fallen.
    BothFlags,
    /// A draw was offered at another time than after one's move.
    DrawOfferTiming,
    /// A draw was agreed before it may be.
    DrawNotAllowedYet,
    /// A player resigns.
    Resignation,
    /// The kings in the centre show a result.
    ResultSignalled,
    /// The kings show another result than the game's.
    ResultConflict,
    /// A player need not write the moves down any more.
    ScoresheetExempt,
    /// The sealed move is unclear or not legal.
    SealedMoveInvalid,
    /// A player has not come in time.
    LateArrival,
    /// The two boards of one game show different positions.
    BoardsDiffer,
    /// Hands have moved where the pairing was given its result before anybody had.
    PlayedAfterResult,
    /// What was announced is not what was played.
    AnnouncementMismatch,
    /// A player who is told moves aloud can't hear them.
    VoiceLost,
    /// They can be heard again.
    VoiceRestored,
    /// A move was made and the clock not pressed.
    ClockNotPressed,
    /// What was said before has turned out to be a misreading.
    AlertWithdrawn,
}

impl fmt::Display for AlertKind {
    /// As the feed writes it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

impl AlertKind {
    /// How much an alert of this kind matters, unless the edition in force leaves it to a claim.
    pub fn severity(self) -> Severity {
        self.row().0
    }

    /// Who is told.
    pub fn audience(self) -> &'static [Staff] {
        self.row().1
    }

    /// One row a kind. The public and the hall stand in none: mate and the other endings reach them as a result, and of
    /// anything else nobody but the arbiter may speak to a player.
    #[rustfmt::skip]
    fn row(self) -> (Severity, &'static [Staff]) {
        use Severity::{Critical, Info, Major, Minor, Trace};
        const BOTH: &[Staff] = &[Staff::Operator, Staff::Arbiter];
        // That somebody forgot the clock is advice, and so is that a claim would succeed. Who looks after a clock that fails
        // advises nobody.
        const NOBODY: &[Staff] = &[];
        const OPERATOR: &[Staff] = &[Staff::Operator];
        match self {
            AlertKind::LinkLost                  => (Major, BOTH),
            AlertKind::LinkRestored              => (Info, BOTH),
            AlertKind::BoardSilent               => (Major, BOTH),
            AlertKind::SquareFaulty              => (Minor, BOTH),
            AlertKind::BatteryLow                => (Minor, BOTH),
            AlertKind::ClockLost                 => (Major, BOTH),
            AlertKind::ClockDisagrees            => (Minor, BOTH),
            AlertKind::ClockSilent               => (Info, OPERATOR),
            AlertKind::Resync                    => (Minor, BOTH),
            AlertKind::Ambiguous                 => (Minor, BOTH),
            AlertKind::Takeback                  => (Minor, BOTH),
            AlertKind::PositionRestored          => (Info, BOTH),
            AlertKind::RecordDiffers             => (Major, BOTH),
            AlertKind::IllegalMoveCompleted      => (Major, BOTH),
            AlertKind::IllegalLimitReached       => (Critical, BOTH),
            AlertKind::IllegalMoveStands         => (Info, BOTH),
            AlertKind::BothKingsInCheck          => (Major, BOTH),
            AlertKind::PawnOnLastRank            => (Major, BOTH),
            AlertKind::NoMoveClockPress          => (Major, BOTH),
            AlertKind::ImproperClockUse          => (Minor, BOTH),
            AlertKind::PromotionIncomplete       => (Major, BOTH),
            AlertKind::PromotionProcedure        => (Minor, BOTH),
            AlertKind::PromotionPieceUnconfirmed => (Minor, BOTH),
            AlertKind::TouchMoveSuspect          => (Major, BOTH),
            AlertKind::TouchCaptureSuspect       => (Major, BOTH),
            AlertKind::TouchBothSuspect          => (Major, BOTH),
            AlertKind::CastlingRookFirst         => (Major, BOTH),
            AlertKind::CastlingDutySuspect       => (Major, BOTH),
            AlertKind::ReleasedPieceMoved        => (Major, BOTH),
            AlertKind::TwoHandsSuspect           => (Minor, BOTH),
            AlertKind::MoveOutOfTurn             => (Major, BOTH),
            AlertKind::TouchOutOfTurn            => (Minor, BOTH),
            AlertKind::DisplacedPieces           => (Info, BOTH),
            AlertKind::PositionMismatch          => (Major, BOTH),
            AlertKind::InitialPositionWrong      => (Major, BOTH),
            AlertKind::BoardOrientationWrong     => (Major, BOTH),
            AlertKind::ColoursReversed           => (Major, BOTH),
            AlertKind::Checkmate                 => (Critical, BOTH),
            AlertKind::Stalemate                 => (Critical, BOTH),
            AlertKind::DeadPosition              => (Critical, BOTH),
            AlertKind::FivefoldRepetition        => (Critical, BOTH),
            AlertKind::SeventyFiveMoves          => (Critical, BOTH),
            AlertKind::ThreefoldAvailable        => (Info, NOBODY),
            AlertKind::FiftyAvailable            => (Info, NOBODY),
            AlertKind::ClaimVerified             => (Major, BOTH),
            AlertKind::ClaimNotConfirmed         => (Major, BOTH),
            AlertKind::ClaimRightLost            => (Major, BOTH),
            AlertKind::QuickplayClaim            => (Major, BOTH),
            AlertKind::FlagFall                  => (Critical, BOTH),
            AlertKind::BothFlags                 => (Critical, BOTH),
            AlertKind::DrawOfferTiming           => (Minor, BOTH),
            AlertKind::DrawNotAllowedYet         => (Major, BOTH),
            AlertKind::Resignation               => (Critical, BOTH),
            AlertKind::ResultSignalled           => (Info, BOTH),
            AlertKind::ResultConflict            => (Major, BOTH),
            AlertKind::ScoresheetExempt          => (Info, BOTH),
            AlertKind::SealedMoveInvalid         => (Critical, BOTH),
            AlertKind::LateArrival               => (Major, BOTH),
            AlertKind::BoardsDiffer              => (Major, BOTH),
            AlertKind::PlayedAfterResult         => (Major, BOTH),
            AlertKind::AnnouncementMismatch      => (Minor, BOTH),
            AlertKind::VoiceLost                 => (Major, BOTH),
            AlertKind::VoiceRestored             => (Info, BOTH),
            AlertKind::ClockNotPressed           => (Trace, NOBODY),
            AlertKind::AlertWithdrawn            => (Info, BOTH),
        }
    }
}

/// How much an alert matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Log only.
    Trace,
    /// Passive.
    Info,
    /// Log and badge.
    Minor,
    /// The arbiter should come.
    Major,
    /// Ends the game, or may.
    Critical,
}
