//! How often the noise model says something happens, per occasion.

use crate::rehearsal::{Kind, Noise};

/// What the model says; nothing where it says nothing in one number.
pub(super) fn rate(kind: Kind, noise: &Noise) -> Option<f64> {
    let Noise { slide, unrest, capture, castling, promotion, ending, sensors, .. } = noise;
    let taking = capture.replaced + capture.victim_first + capture.mover_first;
    let passing = capture.passant_last + capture.passant_first + capture.passant_both;
    let promoting = promotion.swapped + promotion.pawn_off + promotion.piece_first;
    Some(match kind {
        Kind::PressBeforeRelease => noise.press_early,
        Kind::EarlyReply => noise.early_reply,
        Kind::SlideFar => slide.far,
        Kind::SlideNear => slide.near,
        Kind::CrossedSeen => slide.seen,
        Kind::Hesitation => slide.hesitate,
        Kind::PlaceBeforeLift => noise.place_first,
        Kind::Adjust => unrest.adjust,
        Kind::ThinkingTouch => unrest.touch,
        Kind::KnockOver => unrest.knock,
        Kind::KnockedToWrongSquare => unrest.restore_wrong,
        Kind::IllegalMove => unrest.illegal,
        Kind::CaptureReplaced => capture.replaced / taking,
        Kind::CaptureVictimFirst => capture.victim_first / taking,
        Kind::CaptureMoverFirst => capture.mover_first / taking,
        Kind::VictimFlash => capture.flash,
        Kind::SetDownBeside => capture.beside,
        Kind::EnPassantVictimLast => capture.passant_last / passing,
        Kind::EnPassantVictimFirst => capture.passant_first / passing,
        Kind::EnPassantBothInHand => capture.passant_both / passing,
        Kind::EnPassantVictimForgotten => capture.passant_forgotten,
        Kind::CastlingRookFirst => castling.rook_first,
        Kind::CastlingBothLifted => castling.both,
        Kind::CastlingKingSlid => castling.slid,
        Kind::CastlingHesitation => castling.hesitate,
        Kind::PromotionSwapped => promotion.swapped / promoting,
        Kind::PromotionPawnOff => promotion.pawn_off / promoting,
        Kind::PromotionPieceFirst => promotion.piece_first / promoting,
        Kind::PromotionForgotten => promotion.forgotten,
        Kind::ResultSignalled => ending.signal,
        Kind::ResultLate => ending.late,
        Kind::Analysis => ending.analysis,
        Kind::UpdateLost => sensors.lost,
        Kind::UpdateTwice => sensors.twice,
        Kind::WrongCode => sensors.wrong_code,
        Kind::Flicker => sensors.flicker,
        Kind::BetweenSquares => sensors.between,
        Kind::NeighbourFirst => sensors.neighbour,
        Kind::Stall => sensors.stall,
        Kind::LinkLoss => sensors.link_loss / 60.0,
        Kind::CastlingKingFirst
        | Kind::PutBack
        | Kind::ByteLost
        | Kind::MessageHeldUp
        | Kind::BesideUntilPut
        | Kind::SquareDead
        | Kind::PressUnheard
        | Kind::Silence
        | Kind::SquaresUnheard
        | Kind::NothingHeard
        | Kind::LinkGap
        | Kind::LeverStuck
        | Kind::TakenBack
        | Kind::SetUpSwapped
        | Kind::OtherKingsFirst
        | Kind::LastUnpressed => return None,
    })
}
