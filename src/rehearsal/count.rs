//! What went wrong in a rehearsal, by kind, beside how often it could have.

use std::fmt;

/// Everything hands and sensors do that is not the plain move, each under a name of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "the sentence for each stands in `Kind::NAMES`, where the report takes it from")]
pub enum Kind {
    PressBeforeRelease,
    EarlyReply,
    SlideFar,
    SlideNear,
    CrossedSeen,
    Hesitation,
    PlaceBeforeLift,
    Adjust,
    ThinkingTouch,
    KnockOver,
    KnockedToWrongSquare,
    IllegalMove,
    CaptureReplaced,
    CaptureVictimFirst,
    CaptureMoverFirst,
    VictimFlash,
    SetDownBeside,
    EnPassantVictimLast,
    EnPassantVictimFirst,
    EnPassantBothInHand,
    EnPassantVictimForgotten,
    CastlingKingFirst,
    CastlingRookFirst,
    CastlingBothLifted,
    CastlingKingSlid,
    CastlingHesitation,
    PromotionSwapped,
    PromotionPawnOff,
    PromotionPieceFirst,
    PromotionForgotten,
    ResultSignalled,
    ResultLate,
    PutBack,
    Analysis,
    UpdateLost,
    UpdateTwice,
    WrongCode,
    Flicker,
    BetweenSquares,
    NeighbourFirst,
    Stall,
    LinkLoss,
    ByteLost,
    MessageHeldUp,
    BesideUntilPut,
    SquareDead,
    PressUnheard,
    Silence,
    SquaresUnheard,
    NothingHeard,
    LinkGap,
    LeverStuck,
    TakenBack,
    SetUpSwapped,
    OtherKingsFirst,
    LastUnpressed,
}

impl Kind {
    const COUNT: usize = Kind::LastUnpressed as usize + 1;

    const NAMES: [&str; Kind::COUNT] = [
        "clock pressed before the piece was released",
        "reply begun before the press",
        "slide of a piece over several squares",
        "slide of a pawn or a short step",
        "crossed square seen during a slide",
        "rest on a crossed square",
        "arrival seen before the departure",
        "men adjusted",
        "man touched while thinking, another moved",
        "men knocked over",
        "knocked man put on a wrong square first",
        "illegal move completed",
        "capture by putting the piece on top",
        "capture with the victim lifted first",
        "capture with the mover lifted first",
        "victim seen on a neighbouring square",
        "capturing piece set down beside and corrected",
        "en passant with the victim lifted last",
        "en passant with the victim lifted first",
        "en passant with both in hand",
        "en passant with the victim forgotten until after the press",
        "castling with the king first",
        "castling with the rook first",
        "castling with both lifted at once",
        "castling with the king slid",
        "castling with a pause between king and rook",
        "promotion with the pawn put down, then exchanged",
        "promotion with the pawn taken off first",
        "promotion with the piece put down first",
        "promotion with the pawn left standing",
        "result shown with the kings",
        "second king late",
        "men put back after the game",
        "analysis after the game",
        "update lost",
        "update sent twice",
        "wrong code for one scan",
        "square flickering",
        "man between squares",
        "man between squares, read on the neighbour first",
        "line stalled",
        "link lost",
        "byte lost on the line",
        "message held up",
        "man read beside its square until it was put right",
        "square dead",
        "press unheard until the next one",
        "silence on the line",
        "plies without a word of the squares",
        "plies without a word of anything",
        "plies with the link down",
        "plies with the lever stuck",
        "other plies played and taken back",
        "king and queen swapped in the set-up",
        "another pair of kings first",
        "last ply not pressed",
    ];

    /// All of them, in their order.
    pub const ALL: [Kind; Kind::COUNT] = [
        Kind::PressBeforeRelease,
        Kind::EarlyReply,
        Kind::SlideFar,
        Kind::SlideNear,
        Kind::CrossedSeen,
        Kind::Hesitation,
        Kind::PlaceBeforeLift,
        Kind::Adjust,
        Kind::ThinkingTouch,
        Kind::KnockOver,
        Kind::KnockedToWrongSquare,
        Kind::IllegalMove,
        Kind::CaptureReplaced,
        Kind::CaptureVictimFirst,
        Kind::CaptureMoverFirst,
        Kind::VictimFlash,
        Kind::SetDownBeside,
        Kind::EnPassantVictimLast,
        Kind::EnPassantVictimFirst,
        Kind::EnPassantBothInHand,
        Kind::EnPassantVictimForgotten,
        Kind::CastlingKingFirst,
        Kind::CastlingRookFirst,
        Kind::CastlingBothLifted,
        Kind::CastlingKingSlid,
        Kind::CastlingHesitation,
        Kind::PromotionSwapped,
        Kind::PromotionPawnOff,
        Kind::PromotionPieceFirst,
        Kind::PromotionForgotten,
        Kind::ResultSignalled,
        Kind::ResultLate,
        Kind::PutBack,
        Kind::Analysis,
        Kind::UpdateLost,
        Kind::UpdateTwice,
        Kind::WrongCode,
        Kind::Flicker,
        Kind::BetweenSquares,
        Kind::NeighbourFirst,
        Kind::Stall,
        Kind::LinkLoss,
        Kind::ByteLost,
        Kind::MessageHeldUp,
        Kind::BesideUntilPut,
        Kind::SquareDead,
        Kind::PressUnheard,
        Kind::Silence,
        Kind::SquaresUnheard,
        Kind::NothingHeard,
        Kind::LinkGap,
        Kind::LeverStuck,
        Kind::TakenBack,
        Kind::SetUpSwapped,
        Kind::OtherKingsFirst,
        Kind::LastUnpressed,
    ];

    /// What the report calls it.
    pub fn name(self) -> &'static str {
        Kind::NAMES[self as usize]
    }
}

/// How often something occurred, and how often it could have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// It occurred.
    pub occurred: u64,
    /// It could have.
    pub could: u64,
}

/// The tallies of all kinds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoiseCount([Tally; Kind::COUNT]);

impl Default for NoiseCount {
    fn default() -> NoiseCount {
        NoiseCount([Tally::default(); Kind::COUNT])
    }
}

impl NoiseCount {
    pub(super) fn note(&mut self, kind: Kind, occurred: bool) {
        let tally = &mut self.0[kind as usize];
        tally.could += 1;
        tally.occurred += u64::from(occurred);
    }

    /// The tally of one kind.
    pub fn get(&self, kind: Kind) -> Tally {
        self.0[kind as usize]
    }

    /// Both together.
    pub fn plus(mut self, other: &NoiseCount) -> NoiseCount {
        for (mine, theirs) in self.0.iter_mut().zip(other.0) {
            mine.occurred += theirs.occurred;
            mine.could += theirs.could;
        }
        self
    }
}

/// One line a kind that could have occurred.
impl fmt::Display for NoiseCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = Kind::NAMES.iter().zip(self.0).filter(|(_, tally)| tally.could > 0);
        for (name, Tally { occurred, could }) in known {
            writeln!(f, "{occurred:>6} of {could:<7} {name}")?;
        }
        Ok(())
    }
}
