//! What somebody has seen that no sensor can see: reported by the arbiter, it is followed like everything else.

use laws::Rule;
use protocol::feed::{AlertKind, Side};

use crate::{
    Refusal,
    table::{desk::Awaiting, finding, turn::Turn, whole::Table},
};

impl Table {
    /// Takes a report.
    pub(crate) fn report(&mut self, kind: AlertKind, side: Option<Side>, turn: &mut Turn) -> Result<(), Refusal> {
        self.must_be_on()?;
        match Report::of(kind) {
            Report::Position => self.report_position(turn),
            Report::Board => self.report_board(turn),
            Report::Colours => self.report_colours(turn),
            Report::Touched => {
                let player = side.ok_or_else(|| Refusal::because("which player? add \"side\""))?;
                self.spoken.see_touch(player, self.record.ply());
            }
            Report::Noted(rule) => turn.say(finding::by(rule, kind, side, self.agreed.conditions())),
            Report::Stops(rule) => {
                turn.say(finding::by(rule, kind, side, self.agreed.conditions()));
                self.call_arbiter(Awaiting::Decision, turn);
            }
            Report::Sensed => {
                return Err(Refusal::because(
                    "boards and clocks tell of this by themselves: give an order for what is to be done",
                ));
            }
        }
        Ok(())
    }
}

/// What a report leads to.
enum Report {
    /// The men stood wrong at the start.
    Position,
    /// The board lies wrong.
    Board,
    /// The players sit at the wrong colours.
    Colours,
    /// A player has touched a man before claiming: for this move the right is lost.
    Touched,
    /// It is kept with the game.
    Noted(Rule),
    /// The game waits for the arbiter.
    Stops(Rule),
    /// Nobody has to report this.
    Sensed,
}

impl Report {
    fn of(kind: AlertKind) -> Report {
        match kind {
            AlertKind::InitialPositionWrong => Report::Position,
            AlertKind::BoardOrientationWrong => Report::Board,
            AlertKind::ColoursReversed => Report::Colours,
            AlertKind::ClaimRightLost => Report::Touched,
            AlertKind::ImproperClockUse => Report::Noted(Rule::ImproperClockUse),
            AlertKind::TouchMoveSuspect => Report::Noted(Rule::TouchMove),
            AlertKind::TouchCaptureSuspect => Report::Noted(Rule::TouchCapture),
            AlertKind::TouchBothSuspect => Report::Noted(Rule::TouchBoth),
            AlertKind::CastlingRookFirst => Report::Stops(Rule::CastlingRookFirst),
            AlertKind::CastlingDutySuspect => Report::Noted(Rule::CastlingDuty),
            AlertKind::ReleasedPieceMoved => Report::Noted(Rule::ReleasedPiece),
            AlertKind::TwoHandsSuspect => Report::Noted(Rule::TwoHands),
            AlertKind::MoveOutOfTurn => Report::Stops(Rule::OutOfTurn),
            AlertKind::TouchOutOfTurn => Report::Noted(Rule::TouchOutOfTurn),
            AlertKind::DisplacedPieces => Report::Noted(Rule::Displaced),
            AlertKind::PositionMismatch => Report::Stops(Rule::Mismatch),
            AlertKind::ResultConflict => Report::Noted(Rule::ResultConflict),
            AlertKind::LateArrival => Report::Noted(Rule::LateArrival),
            AlertKind::BoardsDiffer => Report::Noted(Rule::BoardsDiffer),
            AlertKind::AnnouncementMismatch => Report::Noted(Rule::AnnouncementMismatch),
            AlertKind::LinkLost
            | AlertKind::LinkRestored
            | AlertKind::BoardSilent
            | AlertKind::SquareFaulty
            | AlertKind::BatteryLow
            | AlertKind::ClockLost
            | AlertKind::ClockDisagrees
            | AlertKind::ClockSilent
            | AlertKind::Resync
            | AlertKind::Ambiguous
            | AlertKind::Takeback
            | AlertKind::PositionRestored
            | AlertKind::RecordDiffers
            | AlertKind::IllegalMoveCompleted
            | AlertKind::IllegalLimitReached
            | AlertKind::IllegalMoveStands
            | AlertKind::BothKingsInCheck
            | AlertKind::PawnOnLastRank
            | AlertKind::NoMoveClockPress
            | AlertKind::PromotionIncomplete
            | AlertKind::PromotionProcedure
            | AlertKind::PromotionPieceUnconfirmed
            | AlertKind::Checkmate
            | AlertKind::Stalemate
            | AlertKind::DeadPosition
            | AlertKind::FivefoldRepetition
            | AlertKind::SeventyFiveMoves
            | AlertKind::ThreefoldAvailable
            | AlertKind::FiftyAvailable
            | AlertKind::ClaimVerified
            | AlertKind::ClaimNotConfirmed
            | AlertKind::QuickplayClaim
            | AlertKind::FlagFall
            | AlertKind::BothFlags
            | AlertKind::DrawOfferTiming
            | AlertKind::DrawNotAllowedYet
            | AlertKind::Resignation
            | AlertKind::ResultSignalled
            | AlertKind::ScoresheetExempt
            | AlertKind::SealedMoveInvalid
            | AlertKind::VoiceLost
            | AlertKind::VoiceRestored
            | AlertKind::ClockNotPressed
            | AlertKind::PlayedAfterResult
            | AlertKind::AlertWithdrawn => Report::Sensed,
        }
    }
}
