//! The noise model: how people and sensors behave, as plain data.
//!
//! Probabilities are per occasion named in the comment, times in milliseconds. The numbers come from three recorded
//! blitz games where those could tell, and are estimates elsewhere.

use super::clock::TimeControl;

/// A lognormal time: half of all are below the median.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// The middle, in milliseconds.
    pub median: u64,
    /// The standard deviation of the logarithm; zero means always the median.
    pub sd: f64,
}

const fn ln(median: u64, sd: f64) -> Spread {
    Spread { median, sd }
}

/// Who plays, and on what.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Profile {
    /// Long games, careful hands: 90 minutes and 30 seconds a move.
    Classical,
    /// 15 minutes and 10 seconds a move.
    Rapid,
    /// 3 minutes and 2 seconds a move; hands overlap.
    Blitz,
    /// No noise at all: lift, place, press. 5 minutes and 3 seconds a move.
    Perfect,
}

impl Profile {
    /// How hands and sensors behave.
    pub fn noise(self) -> Noise {
        match self {
            Profile::Classical => Noise::CLASSICAL,
            Profile::Rapid => Noise::RAPID,
            Profile::Blitz => Noise::BLITZ,
            Profile::Perfect => Noise::PERFECT,
        }
    }

    /// What the clock is set to.
    pub fn time_control(self) -> TimeControl {
        match self {
            Profile::Classical => TimeControl { base: 90 * 60, increment: 30 },
            Profile::Rapid => TimeControl { base: 15 * 60, increment: 10 },
            Profile::Blitz => TimeControl { base: 3 * 60, increment: 2 },
            Profile::Perfect => TimeControl { base: 5 * 60, increment: 3 },
        }
    }
}

/// Every parameter of the model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Noise {
    /// From lift to place of the moving man.
    pub carry: Spread,
    /// From place to press.
    pub press: Spread,
    /// From the press to the opponent's first lift. The only time `--speed` shortens.
    pub think: Spread,
    /// Per ply: the clock is pressed before the man is released.
    pub press_early: f64,
    /// By how much.
    pub press_lead: (u64, u64),
    /// Per ply: the reply begins before the press.
    pub early_reply: f64,
    /// By how much.
    pub early_by: (u64, u64),
    /// Slides, and what is seen of them.
    pub slide: Slide,
    /// Per move: the arrival is seen before the departure.
    pub place_first: f64,
    /// Touches and accidents between moves.
    pub unrest: Unrest,
    /// Captures, en passant included.
    pub capture: Capture,
    /// Castling.
    pub castling: Castling,
    /// Promotion.
    pub promotion: Promotion,
    /// What happens when the game is over.
    pub ending: Ending,
    /// What the board itself gets wrong.
    pub sensors: Sensors,
}

/// Men pushed over the board.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slide {
    /// Per move of a queen, rook or bishop over two squares and more.
    pub far: f64,
    /// Per two-square pawn move and one-step move.
    pub near: f64,
    /// Per crossed square of a slide: it is seen at all.
    pub seen: f64,
    /// How long the man is on a seen square.
    pub dwell: Spread,
    /// Per move over at least one square: a stop on one of them.
    pub hesitate: f64,
    /// How long the stop is.
    pub hesitation: Spread,
}

/// What else hands do to men.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Unrest {
    /// Per ply: one to four men are adjusted.
    pub adjust: f64,
    /// How long each is in the air.
    pub adjust_held: Spread,
    /// Per ply: a man is lifted, put back, and another one moved.
    pub touch: f64,
    /// How long it is in the air.
    pub touch_held: Spread,
    /// Per ply: men are knocked over.
    pub knock: f64,
    /// How many.
    pub knock_men: (u64, u64),
    /// Within this time.
    pub knock_within: u64,
    /// Before each is put back.
    pub restore: Spread,
    /// Per knocked man: a wrong square first.
    pub restore_wrong: f64,
    /// Per ply: an illegal move is completed.
    pub illegal: f64,
}

/// How men are taken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Capture {
    /// The taker is put on top; the victim's departure is never seen.
    pub replaced: f64,
    /// The victim is lifted first.
    pub victim_first: f64,
    /// The taker is lifted, then the victim.
    pub mover_first: f64,
    /// Per capture: the victim is seen on a neighbouring square as it is carried away.
    pub flash: f64,
    /// For how long.
    pub flash_dwell: Spread,
    /// Per capture: the taker is set down on a neighbouring square and corrected.
    pub beside: f64,
    /// En passant: the victim goes last.
    pub passant_last: f64,
    /// En passant: the victim goes first.
    pub passant_first: f64,
    /// En passant: both are in hand.
    pub passant_both: f64,
    /// Per en passant: the victim stands until after the press.
    pub passant_forgotten: f64,
}

/// How kings castle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Castling {
    /// Rook before king.
    pub rook_first: f64,
    /// Both lifted at once.
    pub both: f64,
    /// The king is slid over the middle square.
    pub slid: f64,
    /// Between king and rook.
    pub gap: Spread,
    /// A pause of more than two seconds between them.
    pub hesitate: f64,
}

/// How pawns promote.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Promotion {
    /// The pawn is put down, then exchanged.
    pub swapped: f64,
    /// The pawn is taken off, the piece put on.
    pub pawn_off: f64,
    /// The piece stands there before the pawn leaves.
    pub piece_first: f64,
    /// The search for the piece.
    pub search: Spread,
    /// The pawn still stands there when the clock is pressed.
    pub forgotten: f64,
}

/// After the last move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ending {
    /// Per game: the result is shown with the kings.
    pub signal: f64,
    /// From the first king to the second.
    pub second_king: Spread,
    /// Per signal: the second king comes seconds later.
    pub late: f64,
    /// Per last game: the men are put back. Always when another game follows.
    pub put_back: f64,
    /// Per game: the players try a few moves.
    pub analysis: f64,
}

/// What the board gets wrong.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sensors {
    /// Per update: it never reaches the computer.
    pub lost: f64,
    /// Per update: it comes twice.
    pub twice: f64,
    /// Per arrival: another man is read for one scan.
    pub wrong_code: f64,
    /// How long a scan is.
    pub scan: u64,
    /// Per minute: a square flickers.
    pub flicker: f64,
    /// Per arrival: the man stands between two squares.
    pub between: f64,
    /// Of those: the neighbour reads it first, for a scan or two; otherwise, and after that, neither does.
    pub neighbour: f64,
    /// Until it is pushed into the middle of its square.
    pub between_for: Spread,
    /// The delay of every reading.
    pub jitter: (u64, u64),
    /// Per update: everything waits for this one.
    pub stall: f64,
    /// How long.
    pub stall_for: (u64, u64),
    /// Per hour: the link is lost.
    pub link_loss: f64,
    /// For how long.
    pub link_lost_for: Spread,
}

impl Sensors {
    /// A good board on a USB cable.
    pub const USB: Sensors = Sensors {
        lost: 0.0005,
        twice: 0.002,
        wrong_code: 0.0005,
        scan: 60,
        flicker: 0.02,
        between: 0.003,
        neighbour: 0.4,
        between_for: ln(700, 0.6),
        jitter: (0, 60),
        stall: 0.0,
        stall_for: (300, 1_500),
        link_loss: 0.05,
        link_lost_for: ln(20_000, 1.0),
    };

    /// A good board over the air.
    pub const BLUETOOTH: Sensors = Sensors { twice: 0.01, scan: 120, jitter: (0, 120), stall: 0.01, ..Sensors::USB };

    /// A board with weak coils and one bad square.
    pub const WORN: Sensors = Sensors { lost: 0.01, flicker: 3.0, ..Sensors::USB };

    /// A board without a flaw.
    pub const FLAWLESS: Sensors = Sensors {
        lost: 0.0,
        twice: 0.0,
        wrong_code: 0.0,
        flicker: 0.0,
        between: 0.0,
        jitter: (0, 0),
        link_loss: 0.0,
        ..Sensors::USB
    };
}

impl Noise {
    /// Long games.
    pub const CLASSICAL: Noise = Noise {
        carry: ln(900, 0.5),
        press: ln(700, 0.6),
        think: ln(40_000, 1.3),
        press_early: 0.002,
        press_lead: (30, 250),
        early_reply: 0.0,
        early_by: (0, 300),
        slide: Slide {
            far: 0.15,
            near: 0.05,
            seen: 0.70,
            dwell: ln(160, 0.6),
            hesitate: 0.01,
            hesitation: ln(1_200, 0.5),
        },
        place_first: 0.013,
        unrest: Unrest {
            adjust: 0.015,
            adjust_held: ln(350, 0.5),
            touch: 0.001,
            touch_held: ln(1_500, 0.5),
            knock: 0.0002,
            knock_men: (2, 6),
            knock_within: 150,
            restore: ln(900, 0.5),
            restore_wrong: 0.03,
            illegal: 0.0002,
        },
        capture: Capture {
            replaced: 0.72,
            victim_first: 0.19,
            mover_first: 0.09,
            flash: 0.06,
            flash_dwell: ln(70, 0.4),
            beside: 0.01,
            passant_last: 0.55,
            passant_first: 0.25,
            passant_both: 0.20,
            passant_forgotten: 0.01,
        },
        castling: Castling { rook_first: 0.17, both: 0.05, slid: 0.15, gap: ln(450, 0.5), hesitate: 0.02 },
        promotion: Promotion {
            swapped: 0.45,
            pawn_off: 0.45,
            piece_first: 0.10,
            search: ln(2_500, 0.9),
            forgotten: 0.01,
        },
        ending: Ending { signal: 0.70, second_king: ln(900, 0.8), late: 0.05, put_back: 0.40, analysis: 0.20 },
        sensors: Sensors::USB,
    };

    /// A quarter of an hour a side.
    pub const RAPID: Noise = Noise {
        carry: ln(600, 0.45),
        press: ln(450, 0.5),
        think: ln(9_000, 1.2),
        press_early: 0.005,
        slide: Slide { far: 0.20, seen: 0.60, dwell: ln(120, 0.5), hesitate: 0.007, ..Noise::CLASSICAL.slide },
        unrest: Unrest { adjust: 0.008, knock: 0.0005, illegal: 0.0005, ..Noise::CLASSICAL.unrest },
        ..Noise::CLASSICAL
    };

    /// Minutes a side, and both hands in a hurry.
    pub const BLITZ: Noise = Noise {
        carry: ln(320, 0.5),
        press: ln(180, 0.5),
        think: ln(1_500, 1.1),
        press_early: 0.03,
        early_reply: 0.06,
        slide: Slide {
            far: 0.20,
            near: 0.04,
            seen: 0.25,
            dwell: ln(80, 0.5),
            hesitate: 0.003,
            hesitation: ln(500, 0.4),
        },
        unrest: Unrest { adjust: 0.003, knock: 0.003, illegal: 0.003, ..Noise::CLASSICAL.unrest },
        promotion: Promotion { forgotten: 0.03, ..Noise::CLASSICAL.promotion },
        ..Noise::CLASSICAL
    };

    /// Lift, place, press, on a board without a flaw.
    pub const PERFECT: Noise = Noise {
        carry: ln(400, 0.0),
        press: ln(300, 0.0),
        think: ln(3_000, 0.0),
        press_early: 0.0,
        early_reply: 0.0,
        slide: Slide { far: 0.0, near: 0.0, hesitate: 0.0, ..Noise::CLASSICAL.slide },
        place_first: 0.0,
        unrest: Unrest { adjust: 0.0, touch: 0.0, knock: 0.0, illegal: 0.0, ..Noise::CLASSICAL.unrest },
        capture: Capture {
            mover_first: 0.0,
            flash: 0.0,
            beside: 0.0,
            passant_last: 1.0,
            passant_first: 0.0,
            passant_both: 0.0,
            passant_forgotten: 0.0,
            ..Noise::CLASSICAL.capture
        },
        castling: Castling { rook_first: 0.0, both: 0.0, slid: 0.0, gap: ln(300, 0.0), hesitate: 0.0 },
        promotion: Promotion { swapped: 1.0, pawn_off: 0.0, piece_first: 0.0, search: ln(800, 0.0), forgotten: 0.0 },
        ending: Ending { signal: 0.0, late: 0.0, put_back: 0.0, analysis: 0.0, ..Noise::CLASSICAL.ending },
        sensors: Sensors::FLAWLESS,
        ..Noise::CLASSICAL
    };
}
