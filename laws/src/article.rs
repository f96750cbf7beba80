//! Where each finding stands in the Laws: one row a finding, one column an edition.

use crate::{ByEdition, Conditions, Supervision, TimeClass};

/// Something the Laws speak about that a table can see or be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rule {
    /// An illegal move was completed.
    IllegalMove,
    /// Too many illegal moves were completed.
    IllegalLimit,
    /// An illegal move stands, because the opponent has moved.
    IllegalStands,
    /// Both kings stand in check.
    BothInCheck,
    /// A pawn stands on its last rank.
    PawnOnLastRank,
    /// The clock was pressed without a move.
    NoMovePress,
    /// The clock was used improperly.
    ImproperClockUse,
    /// A pawn on the last rank was not replaced.
    PromotionIncomplete,
    /// A pawn was promoted without its step to the last rank.
    PromotionProcedure,
    /// Which piece a pawn was promoted to was not seen.
    PromotionUnconfirmed,
    /// An own man was touched and another one moved.
    TouchMove,
    /// An opponent's man was touched and not captured.
    TouchCapture,
    /// An own and an opponent's man were touched and the capture not made.
    TouchBoth,
    /// On a blind player's board a man is touched when it leaves its hole.
    PegTouch,
    /// The rook was touched before the king, then castled.
    CastlingRookFirst,
    /// The king was released where castling was meant, then something else played.
    CastlingDuty,
    /// A released man was moved on.
    ReleasedPiece,
    /// A promoted piece was exchanged for another.
    PromotedExchanged,
    /// A move was made with both hands.
    TwoHands,
    /// A player moved who did not have the move.
    OutOfTurn,
    /// A man was touched by somebody who did not have the move.
    TouchOutOfTurn,
    /// Men were knocked over.
    Displaced,
    /// The board does not show the position of the game.
    Mismatch,
    /// The men stood wrong at the start.
    InitialPosition,
    /// The board lies with the wrong corner to the right.
    BoardOrientation,
    /// The players sit at the wrong colours.
    ColoursReversed,
    /// The king is mated.
    Checkmate,
    /// No legal move and no check.
    Stalemate,
    /// A dead position: two bare kings.
    BareKings,
    /// A dead position: a bishop or a knight, and nothing else beside the kings.
    LoneMinor,
    /// A dead position: bishops that all stand on squares of one colour.
    BishopsOfOneColour,
    /// A dead position of any other kind.
    DeadPosition,
    /// The position has stood five times.
    Fivefold,
    /// Seventy-five moves by each player without a capture or a pawn's move.
    SeventyFive,
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
    /// A flag has fallen.
    FlagFall,
    /// Both flags have fallen.
    BothFlags,
    /// A player need not write the moves down any more.
    ScoresheetExempt,
    /// A draw was offered at another time than after one's move.
    DrawOfferTiming,
    /// A draw was agreed before both players had moved.
    DrawNotAllowedYet,
    /// A draw was agreed before the rules of the event allow it.
    DrawBanned,
    /// A player resigns.
    Resignation,
    /// The kings in the centre show a result.
    ResultSignalled,
    /// They show another than the game's.
    ResultConflict,
    /// What was announced is not what was played.
    AnnouncementMismatch,
    /// The two boards of a blind player's game show different positions.
    BoardsDiffer,
    /// The sealed move is unclear or not legal.
    SealedMove,
    /// A player has not come in time.
    LateArrival,
    /// The opponent can't or doesn't try to win in a quickplay finish.
    Quickplay,
}

impl Rule {
    /// The articles under these conditions; `None` where such a game has no such rule.
    ///
    /// ```
    /// use laws::{Conditions, Edition, Rule, Supervision, TimeClass};
    ///
    /// assert_eq!(Rule::NoMovePress.article(Conditions::standard(Edition::E2023)), Some("7.5.3"));
    /// assert_eq!(Rule::NoMovePress.article(Conditions::standard(Edition::E2009)), None);
    /// let blitz = Conditions::new(Edition::E2018, TimeClass::Blitz, Supervision::Limited);
    /// assert_eq!(Rule::IllegalMove.article(blitz), Some("B.4, A.4.2, B.2"));
    /// ```
    pub fn article(self, conditions: Conditions) -> Option<&'static str> {
        let (_, _, row) = ROWS.iter().find(|(rule, games, _)| *rule == self && games.include(conditions))?;
        Some(row[conditions.edition()]).filter(|article| *article != "-")
    }
}

/// The games a row is about.
enum Games {
    /// All that no row before this one is about.
    All,
    /// Those of one class under one supervision.
    Of(TimeClass, Supervision),
}

impl Games {
    fn include(&self, conditions: Conditions) -> bool {
        match self {
            All => true,
            Of(class, supervision) => (*class, *supervision) == (conditions.class(), conditions.supervision()),
        }
    }
}

use Games::{All, Of};
use Supervision::{Full, Limited};
use TimeClass::{Blitz, Rapid};

/// A new edition is a new entry in each row; a rule that is other in some kind of game has rows for it before the one
/// for all.
#[rustfmt::skip]
const ROWS: &[(Rule, Games, ByEdition<&str>)] = &[
    //                                            1993           2009                 2014                 2018                2023
    (Rule::IllegalMove, Of(Rapid, Full),      ByEdition(["-",            "7.4",                "A.3, 7.5",           "A.3, 7.5.5",       "A.3, A.4, 7.5.5"])),
    (Rule::IllegalMove, Of(Rapid, Limited),   ByEdition(["-",            "A.4.c",              "A.4.b",              "A.4.2, 7.5.5",     "A.5.2, A.3"])),
    (Rule::IllegalMove, Of(Blitz, Full),      ByEdition(["-",            "7.4",                "B.2, B.3, 7.5.b",    "B.2, B.3, 7.5.5",  "B.2, A.3, 7.5.5"])),
    (Rule::IllegalMove, Of(Blitz, Limited),   ByEdition(["-",            "B.3.c",              "B.4, A.4.b",         "B.4, A.4.2, B.2",  "B.3, A.5.2, A.3"])),
    (Rule::IllegalMove, All,                  ByEdition(["8.1",          "7.4",                "7.5",                "7.5.1, 7.5.5",     "7.5.1, 7.5.5"])),
    (Rule::IllegalLimit, All,                 ByEdition(["-",            "7.4.b",              "7.5.b",              "7.5.5",            "7.5.5"])),
    (Rule::IllegalStands, All,                ByEdition(["-",            "-",                  "A.4.b",              "A.4.2",            "A.5.2"])),
    (Rule::BothInCheck, All,                  ByEdition(["-",            "A.4.c",              "A.4.d",              "A.4.4",            "A.5.4"])),
    (Rule::PawnOnLastRank, All,               ByEdition(["-",            "A.4.c",              "A.4.d",              "A.4.4",            "A.5.4"])),
    (Rule::NoMovePress, All,                  ByEdition(["-",            "-",                  "-",                  "7.5.3",            "7.5.3"])),
    (Rule::ImproperClockUse, All,             ByEdition(["-",            "6.7.c",              "6.2.c",              "-",                "-"])),
    (Rule::PromotionIncomplete, All,          ByEdition(["5.6.E",        "7.4.a",              "7.5.a",              "7.5.2",            "7.5.2"])),
    (Rule::PromotionProcedure, All,           ByEdition(["5.6.D",        "3.7.e, 4.6.c",       "-",                  "-",                "-"])),
    (Rule::PromotionUnconfirmed, All,         ByEdition(["5.6.D",        "3.7.e",              "3.7.e, 4.4.d",       "3.7.5, 4.4.4",     "3.7.3.3, 4.4.4"])),
    (Rule::TouchMove, All,                    ByEdition(["7.2.A",        "4.3.a",              "4.3.a",              "4.3.1",            "4.3.1"])),
    (Rule::TouchCapture, All,                 ByEdition(["7.2.A",        "4.3.b",              "4.3.b",              "4.3.2",            "4.3.2"])),
    (Rule::TouchBoth, All,                    ByEdition(["7.2.B",        "4.3.c",              "4.3.c",              "4.3.3",            "4.3.3"])),
    (Rule::PegTouch, All,                     ByEdition(["-",            "E.2.2",              "D.2.2",              "D.2.2",            "D.2.2"])),
    (Rule::CastlingRookFirst, All,            ByEdition(["5.1.C",        "4.4.b",              "4.4.b",              "4.4.2",            "4.4.2"])),
    (Rule::CastlingDuty, All,                 ByEdition(["6.3",          "4.4.a, 4.6.b",       "4.4.a, 4.7.b",       "4.4.1, 4.7.2",     "4.4.1, 4.7.2"])),
    (Rule::ReleasedPiece, All,                ByEdition(["6.1",          "4.6",                "4.7",                "4.7",              "4.7"])),
    (Rule::PromotedExchanged, All,            ByEdition(["6.4",          "4.4.d",              "4.4.d",              "4.4.4",            "4.4.4"])),
    (Rule::TwoHands, All,                     ByEdition(["-",            "4.1",                "4.1",                "4.1, 7.5.4",       "4.1, 7.5.4"])),
    (Rule::OutOfTurn, All,                    ByEdition(["3.1, 8.1",     "1.1, 7.4",           "1.1, 7.5",           "1.2, 7.5.1",       "1.2, 7.5.1"])),
    (Rule::TouchOutOfTurn, All,               ByEdition(["7.1",          "4.2",                "4.2, 6.2.d",         "4.2.1, 6.2.5",     "4.2.1, 6.2.5"])),
    (Rule::Displaced, All,                    ByEdition(["8.3",          "7.3",                "7.4",                "7.4",              "7.4"])),
    (Rule::Mismatch, All,                     ByEdition(["8.2",          "7.5",                "7.6",                "7.6",              "7.6"])),
    (Rule::InitialPosition, All,              ByEdition(["8.5",          "7.1.a",              "7.2.a",              "7.2.1",            "7.2.1"])),
    (Rule::BoardOrientation, All,             ByEdition(["1.2, 8.7",     "2.1, 7.1.b",         "2.1, 7.2.b",         "2.1, 7.2.2",       "2.1, 7.2.2"])),
    (Rule::ColoursReversed, All,              ByEdition(["8.6",          "7.2",                "7.3",                "7.3",              "7.3"])),
    (Rule::Checkmate, All,                    ByEdition(["10.1",         "5.1.a",              "5.1.a",              "5.1.1",            "5.1.1"])),
    (Rule::Stalemate, All,                    ByEdition(["10.3",         "5.2.a",              "5.2.a",              "5.2.1",            "5.2.1"])),
    (Rule::BareKings, All,                    ByEdition(["10.4.A",       "5.2.b, 9.6",         "5.2.b, 9.7",         "5.2.2",            "5.2.2"])),
    (Rule::LoneMinor, All,                    ByEdition(["10.4.B",       "5.2.b, 9.6",         "5.2.b, 9.7",         "5.2.2",            "5.2.2"])),
    (Rule::BishopsOfOneColour, All,           ByEdition(["10.4.C",       "5.2.b, 9.6",         "5.2.b, 9.7",         "5.2.2",            "5.2.2"])),
    (Rule::DeadPosition, All,                 ByEdition(["-",            "5.2.b, 9.6",         "5.2.b, 9.7",         "5.2.2",            "5.2.2"])),
    (Rule::Fivefold, All,                     ByEdition(["-",            "-",                  "9.6.a",              "9.6.1",            "9.6.1"])),
    (Rule::SeventyFive, All,                  ByEdition(["-",            "-",                  "9.6.b",              "9.6.2",            "9.6.2"])),
    (Rule::ThreefoldAvailable, All,           ByEdition(["10.10",        "9.2",                "9.2",                "9.2",              "9.2"])),
    (Rule::FiftyAvailable, All,               ByEdition(["10.12",        "9.3",                "9.3",                "9.3",              "9.3"])),
    (Rule::ClaimVerified, All,                ByEdition(["10.13.A",      "9.5.a",              "9.5.a",              "9.5.2",            "9.5.2"])),
    (Rule::ClaimNotConfirmed, Of(Rapid, Full), ByEdition(["10.13.B",      "9.5.b",              "9.5.b",              "9.5.3",            "9.5.3, A.3"])),
    (Rule::ClaimNotConfirmed, Of(Rapid, Limited), ByEdition(["10.13.B",      "9.5.b",              "9.5.b",              "9.5.3",            "9.5.3, A.3"])),
    (Rule::ClaimNotConfirmed, Of(Blitz, Full), ByEdition(["10.13.B",      "9.5.b",              "9.5.b, B.2",         "9.5.3, B.2",       "9.5.3, A.3"])),
    (Rule::ClaimNotConfirmed, Of(Blitz, Limited), ByEdition(["10.13.B",      "9.5.b",              "9.5.b, B.2",         "9.5.3, B.2",       "9.5.3, A.3"])),
    (Rule::ClaimNotConfirmed, All,            ByEdition(["10.13.B",      "9.5.b",              "9.5.b",              "9.5.3",            "9.5.3"])),
    (Rule::ClaimRightLost, All,               ByEdition(["10.11",        "9.4",                "9.4",                "9.4",              "9.4"])),
    (Rule::FlagFall, All,                     ByEdition(["10.14, 12.2",  "6.8, 6.9",           "6.8, 6.9",           "6.8, 6.9",         "6.8, 6.9"])),
    (Rule::BothFlags, All,                    ByEdition(["12.8",         "6.11",               "6.11",               "III.3.1",          "III.3.1"])),
    (Rule::ScoresheetExempt, Of(Rapid, Full), ByEdition(["-",            "-",                  "-",                  "-",                "-"])),
    (Rule::ScoresheetExempt, Of(Rapid, Limited), ByEdition(["-",            "-",                  "-",                  "-",                "-"])),
    (Rule::ScoresheetExempt, Of(Blitz, Full), ByEdition(["-",            "-",                  "-",                  "-",                "-"])),
    (Rule::ScoresheetExempt, Of(Blitz, Limited), ByEdition(["-",            "-",                  "-",                  "-",                "-"])),
    (Rule::ScoresheetExempt, All,             ByEdition(["11.2",         "8.4",                "8.4",                "8.4",              "8.4"])),
    (Rule::DrawOfferTiming, All,              ByEdition(["10.8",         "9.1, 12.6",          "9.1.b, 11.5",        "9.1.2.1, 11.5",    "9.1.2.1, 11.5"])),
    (Rule::DrawNotAllowedYet, All,            ByEdition(["-",            "-",                  "-",                  "5.2.3",            "5.2.3"])),
    // Events may forbid early agreements from 2009 on; the later editions put it under what an agreement needs.
    (Rule::DrawBanned, All,                   ByEdition(["-",            "9.1",                "9.1.a",              "5.2.3",            "5.2.3"])),
    (Rule::Resignation, All,                  ByEdition(["10.2",         "5.1.b",              "5.1.b",              "5.1.2",            "5.1.2"])),
    (Rule::ResultSignalled, All,              ByEdition(["-",            "-",                  "C.05 8.e",           "C.05 8.e",         "C.05 8.e"])),
    (Rule::ResultConflict, All,               ByEdition(["-",            "-",                  "8.7",                "8.7",              "8.7"])),
    (Rule::AnnouncementMismatch, All,         ByEdition(["-",            "E.2.3",              "D.2.3",              "D.2.3, D.2.4",     "D.2.3, D.2.4"])),
    (Rule::BoardsDiffer, All,                 ByEdition(["-",            "E.2.7",              "D.2.8",              "D.2.9",            "D.2.9"])),
    (Rule::SealedMove, All,                   ByEdition(["13, 14",       "-",                  "E",                  "I",                "I"])),
    (Rule::LateArrival, All,                  ByEdition(["10.15",        "6.6",                "6.7",                "6.7",              "6.7"])),
    (Rule::Quickplay, All,                    ByEdition(["-",            "10",                 "G",                  "III",              "III"])),
];
