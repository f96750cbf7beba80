//! Where each finding stands in the Laws: one row a finding, one column an edition.

use crate::Edition;

/// Something the Laws speak about that a table can see.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rule {
    /// An illegal move was completed.
    IllegalMove,
    /// The clock was pressed without a move.
    NoMovePress,
    /// The clock was used improperly.
    ImproperClockUse,
    /// A pawn on the last rank was not replaced.
    PromotionIncomplete,
    /// Which piece a pawn was promoted to was not seen.
    PromotionUnconfirmed,
    /// An own man was touched and another one moved.
    TouchMove,
    /// An opponent's man was touched and not captured.
    TouchCapture,
    /// An own and an opponent's man were touched and the capture not made.
    TouchBoth,
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
    /// The king is mated.
    Checkmate,
    /// No legal move and no check.
    Stalemate,
    /// Neither side can mate.
    DeadPosition,
    /// The kings in the centre show a result.
    ResultSignalled,
    /// They show another than the game's.
    ResultConflict,
}

impl Rule {
    /// The articles in `edition`, for a standard game under full supervision; `None` where that edition has no such
    /// rule.
    ///
    /// ```
    /// use laws::{Edition, Rule};
    /// assert_eq!(Rule::NoMovePress.article(Edition::E2023), Some("7.5.3"));
    /// assert_eq!(Rule::NoMovePress.article(Edition::E2009), None);
    /// ```
    pub fn article(self, edition: Edition) -> Option<&'static str> {
        let column = match edition {
            Edition::E1993 => 0,
            Edition::E2009 => 1,
            Edition::E2014 => 2,
            Edition::E2018 => 3,
            Edition::E2023 => 4,
        };
        Some(self.row()[column]).filter(|article| *article != "-")
    }

    #[rustfmt::skip]
    fn row(self) -> [&'static str; 5] {
        match self {
            //                                1993         2009         2014            2018             2023
            Rule::IllegalMove          => ["8.1",       "7.4",       "7.5",          "7.5.1, 7.5.5",  "7.5.1, 7.5.5"],
            Rule::NoMovePress          => ["-",         "-",         "-",            "7.5.3",         "7.5.3"],
            Rule::ImproperClockUse     => ["-",         "6.7.c",     "6.2.c",        "-",             "-"],
            Rule::PromotionIncomplete  => ["5.6.E",     "7.4.a",     "7.5.a",        "7.5.2",         "7.5.2"],
            Rule::PromotionUnconfirmed => ["5.6.D",     "3.7.e",     "3.7.e, 4.4.d", "3.7.5, 4.4.4",  "3.7.3.3, 4.4.4"],
            Rule::TouchMove            => ["7.2.A",     "4.3.a",     "4.3.a",        "4.3.1",         "4.3.1"],
            Rule::TouchCapture         => ["7.2.A",     "4.3.b",     "4.3.b",        "4.3.2",         "4.3.2"],
            Rule::TouchBoth            => ["7.2.B",     "4.3.c",     "4.3.c",        "4.3.3",         "4.3.3"],
            Rule::CastlingRookFirst    => ["5.1.C",     "4.4.b",     "4.4.b",        "4.4.2",         "4.4.2"],
            Rule::CastlingDuty         => ["6.3",       "4.4.a, 4.6.b", "4.4.a, 4.7.b", "4.4.1, 4.7.2", "4.4.1, 4.7.2"],
            Rule::ReleasedPiece        => ["6.1",       "4.6",       "4.7",          "4.7",           "4.7"],
            Rule::PromotedExchanged    => ["6.4",       "4.4.d",     "4.4.d",        "4.4.4",         "4.4.4"],
            Rule::TwoHands             => ["-",         "4.1",       "4.1",          "4.1, 7.5.4",    "4.1, 7.5.4"],
            Rule::OutOfTurn            => ["3.1, 8.1",  "1.1, 7.4",  "1.1, 7.5",     "1.2, 7.5.1",    "1.2, 7.5.1"],
            Rule::TouchOutOfTurn       => ["7.1",       "4.2",       "4.2, 6.2.d",   "4.2.1, 6.2.5",  "4.2.1, 6.2.5"],
            Rule::Displaced            => ["8.3",       "7.3",       "7.4",          "7.4",           "7.4"],
            Rule::Mismatch             => ["8.2",       "7.5",       "7.6",          "7.6",           "7.6"],
            Rule::Checkmate            => ["10.1",      "5.1.a",     "5.1.a",        "5.1.1",         "5.1.1"],
            Rule::Stalemate            => ["10.3",      "5.2.a",     "5.2.a",        "5.2.1",         "5.2.1"],
            Rule::DeadPosition         => ["10.4",      "5.2.b, 9.6", "5.2.b, 9.7",  "5.2.2",         "5.2.2"],
            Rule::ResultSignalled      => ["-",         "-",         "C.05 8.e",     "C.05 8.e",      "C.05 8.e"],
            Rule::ResultConflict       => ["-",         "-",         "8.7",          "8.7",           "8.7"],
        }
    }
}
