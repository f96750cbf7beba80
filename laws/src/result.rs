//! Results and their codes: played, forfeited, exceptional; and the points they bring.
//!
//! | | code | PGN | report file, White and Black | rated |
//! |---|---|---|---|---|
//! | a side wins | `1-0` `0-1` | the same | `1` `0` | yes |
//! | draw | `1/2-1/2` | the same | `=` `=` | yes |
//! | both lose a game that was played | `0-0` | `*` | `0` `0` | yes |
//! | one scores a half, the other nothing | `1/2-0` `0-1/2` | `*` | `=` `0` | yes |
//! | a side wins by forfeit | `+/-` `-/+` | `1-0` `0-1` | `+` `-` | no |
//! | both forfeit | `-/-` | `*` | `-` `-` | no |
//!
//! Where PGN has no word our games say the result behind the moves, in a comment. The report file is FIDE's TRF, which has
//! one character a player. The codes are the same in every edition that has them; the Laws of 1993 do not speak of unplayed
//! games, tournament rules did.
//!
//! | | 1993 | 2009 | 2014 | 2018 | 2023 |
//! |---|---|---|---|---|---|
//! | 1, a half, 0 unless announced otherwise | 17, always | 11 | 10.1 | 10.1 | 10.1 |
//! | no score outside those of the event (three quarters, a quarter) | - | - | - | 10.2 | 10.2 |

use std::{fmt, str::FromStr};

use shakmaty::Color;

use crate::{ByEdition, Edition};

/// How a game, or a pairing without one, ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameResult {
    /// This side won.
    Won(Color),
    /// A draw.
    Drawn,
    /// Both lost a game that was played, for what they did.
    BothLost,
    /// This side scores a half and the other nothing: a draw, and a penalty.
    HalfAndNothing(Color),
    /// The other side did not appear.
    WonByForfeit(Color),
    /// Neither appeared.
    BothForfeited,
}

/// Text that is no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadResult(String);

impl GameResult {
    /// Every result.
    pub const ALL: [GameResult; 9] = [
        GameResult::Won(Color::White),
        GameResult::Won(Color::Black),
        GameResult::Drawn,
        GameResult::BothLost,
        GameResult::HalfAndNothing(Color::White),
        GameResult::HalfAndNothing(Color::Black),
        GameResult::WonByForfeit(Color::White),
        GameResult::WonByForfeit(Color::Black),
        GameResult::BothForfeited,
    ];

    /// The code on pairing lists.
    pub fn code(self) -> &'static str {
        self.row().code
    }

    /// The result tag of PGN, which has no word for what is not an ordinary result.
    pub fn pgn(self) -> &'static str {
        self.row().pgn
    }

    /// This side's character in a report file (TRF).
    pub fn trf(self, side: Color) -> char {
        side.fold_wb(self.row().trf.0, self.row().trf.1)
    }

    /// The same where a game was played that is not to be rated. What was not played has its own sign already.
    pub fn trf_unrated(self, side: Color) -> char {
        match self.trf(side) {
            '1' => 'W',
            '=' => 'D',
            '0' => 'L',
            forfeit => forfeit,
        }
    }

    /// Whether there was a game.
    pub fn was_played(self) -> bool {
        !matches!(self, GameResult::WonByForfeit(_) | GameResult::BothForfeited)
    }

    /// Whether it counts for rating. A game does even where both lost it; what was not played does not.
    pub fn is_rated(self) -> bool {
        self.was_played()
    }

    /// What this side scores.
    pub fn points(self, side: Color, scheme: &Scheme) -> Points {
        match self {
            GameResult::Won(winner) if winner == side => scheme.win,
            GameResult::WonByForfeit(winner) if winner == side => scheme.forfeit_win,
            GameResult::WonByForfeit(_) | GameResult::BothForfeited => scheme.forfeit_loss,
            GameResult::Drawn => scheme.draw,
            GameResult::HalfAndNothing(better) if better == side => scheme.draw,
            GameResult::Won(_) | GameResult::BothLost | GameResult::HalfAndNothing(_) => scheme.loss,
        }
    }

    #[rustfmt::skip]
    fn row(self) -> Row {
        use Color::{Black, White};
        let (code, pgn, trf, words) = match self {
            GameResult::Won(White)            => ("1-0",     "1-0",     ('1', '0'), "white wins"),
            GameResult::Won(Black)            => ("0-1",     "0-1",     ('0', '1'), "black wins"),
            GameResult::Drawn                 => ("1/2-1/2", "1/2-1/2", ('=', '='), "draw"),
            GameResult::BothLost              => ("0-0",     "*",       ('0', '0'), "both lose (played)"),
            GameResult::HalfAndNothing(White) => ("1/2-0",   "*",       ('=', '0'), "white a half, black nothing"),
            GameResult::HalfAndNothing(Black) => ("0-1/2",   "*",       ('0', '='), "black a half, white nothing"),
            GameResult::WonByForfeit(White)   => ("+/-",     "1-0",     ('+', '-'), "white wins by forfeit"),
            GameResult::WonByForfeit(Black)   => ("-/+",     "0-1",     ('-', '+'), "black wins by forfeit"),
            GameResult::BothForfeited         => ("-/-",     "*",       ('-', '-'), "both forfeit"),
        };
        Row { code, pgn, trf, words }
    }
}

/// One row of the table.
struct Row {
    code: &'static str,
    pgn: &'static str,
    trf: (char, char),
    words: &'static str,
}

impl fmt::Display for GameResult {
    /// In words.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.row().words)
    }
}

impl FromStr for GameResult {
    type Err = BadResult;

    /// Understands codes, words, and the signs people write: `½-½`, `=`, `1 : 0`, `+:-`, `+ -`, `+--`; and a forfeit said
    /// by a letter, once or with each score: `1-0 F`, `1F-0F`, and `k` for the German word.
    fn from_str(text: &str) -> Result<GameResult, BadResult> {
        let lower = text.trim().to_lowercase();
        if let Some(named) = GameResult::ALL.into_iter().find(|result| result.row().words == lower) {
            return Ok(named);
        }
        let says_forfeit = ['f', 'k'];
        let forfeit = lower.contains(says_forfeit);
        let signs = simplified(&lower.replace(says_forfeit, ""));
        let coded = GameResult::ALL.into_iter().find(|result| simplified(result.code()) == signs);
        match (coded, forfeit) {
            (Some(result), false) => Ok(result),
            (Some(GameResult::Won(winner)), true) => Ok(GameResult::WonByForfeit(winner)),
            (Some(GameResult::BothLost), true) => Ok(GameResult::BothForfeited),
            (Some(said @ (GameResult::WonByForfeit(_) | GameResult::BothForfeited)), true) => Ok(said),
            (_, true) | (None, false) => Err(BadResult(text.to_owned())),
        }
    }
}

/// The two scores without what parts them.
fn simplified(code: &str) -> String {
    let halves = code.replace("1/2", "½").replace("0.5", "½").replace("0,5", "½").replace('=', "½");
    let halves = halves.replace(['–', '—', '−'], "-");
    let signs = halves.chars().filter(|c| !c.is_whitespace()).collect::<Vec<_>>();
    match signs[..] {
        ['½'] => "½½".to_owned(),
        [white, '-' | '/' | ':', black] | [white, black] => [white, black].iter().collect(),
        _ => halves,
    }
}

impl fmt::Display for BadResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "\"{}\" is no result: write 1-0, 0-1, 1/2-1/2, 0-0, 1/2-0, 0-1/2, +/-, -/+ or -/- (by forfeit also 1-0F, 0-1F, 0-0F)",
            self.0
        )
    }
}

impl std::error::Error for BadResult {}

/// A score, in hundredths of a point, so that sums are exact.
///
/// ```
/// use laws::result::Points;
/// assert_eq!((Points::HALF + Points::whole(3)).to_string(), "3.5");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Points(pub u32);

impl Points {
    /// Half a point.
    pub const HALF: Points = Points(50);

    /// Whole points.
    pub const fn whole(points: u32) -> Points {
        Points(points * 100)
    }
}

impl std::ops::Add for Points {
    type Output = Points;

    fn add(self, other: Points) -> Points {
        Points(self.0 + other.0)
    }
}

impl fmt::Display for Points {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, part) = (self.0 / 100, self.0 % 100);
        match part {
            0 => write!(f, "{whole}"),
            part if part.is_multiple_of(10) => write!(f, "{whole}.{}", part / 10),
            part => write!(f, "{whole}.{part:02}"),
        }
    }
}

/// What an event gives for a game.
///
/// ```
/// use laws::{Edition, result::{GameResult, Points, Scheme}};
/// use shakmaty::Color::{Black, White};
///
/// let football = Scheme::THREE_ONE;
/// assert_eq!(GameResult::Drawn.points(White, &football), Points::whole(1));
/// assert_eq!(GameResult::Won(White).points(Black, &Scheme::STANDARD), Points::whole(0));
/// assert!(Scheme::STANDARD.allows(Edition::E2023, Points::HALF, Points::whole(0)));
/// assert!(!Scheme::STANDARD.allows(Edition::E2023, Points(75), Points(25)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scheme {
    /// For a win.
    pub win: Points,
    /// For a draw.
    pub draw: Points,
    /// For a loss.
    pub loss: Points,
    /// For a win without a game.
    pub forfeit_win: Points,
    /// For not appearing.
    pub forfeit_loss: Points,
}

impl Scheme {
    /// One, a half, nothing.
    pub const STANDARD: Scheme = Scheme::of(Points::whole(1), Points::HALF, Points::whole(0));
    /// Three, one, nothing.
    pub const THREE_ONE: Scheme = Scheme::of(Points::whole(3), Points::whole(1), Points::whole(0));

    /// A scheme of an event's own, in which unplayed games count like played ones.
    pub const fn of(win: Points, draw: Points, loss: Points) -> Scheme {
        Scheme { win, draw, loss, forfeit_win: win, forfeit_loss: loss }
    }

    /// Whether an arbiter may give these scores for one game: each must be one that the event gives, and together they
    /// may not be more than a game is worth.
    pub fn allows(&self, edition: Edition, white: Points, black: Points) -> bool {
        let is_usual = |score| [self.win, self.draw, self.loss].contains(&score);
        let worth = (self.win + self.loss).max(self.draw + self.draw);
        !ONLY_USUAL_SCORES[edition] || (is_usual(white) && is_usual(black) && white + black <= worth)
    }
}

const ONLY_USUAL_SCORES: ByEdition<bool> = ByEdition([false, false, false, true, true]);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_result_is_read_back_from_its_code_and_its_words() {
        for result in GameResult::ALL {
            assert_eq!(result.code().parse(), Ok(result));
            assert_eq!(result.to_string().parse(), Ok(result));
        }
    }

    #[test]
    fn signs_people_write_are_understood() {
        for (text, result) in [
            ("½-½", GameResult::Drawn),
            ("0.5 - 0.5", GameResult::Drawn),
            ("1 : 0", GameResult::Won(Color::White)),
            ("1–0", GameResult::Won(Color::White)),
            ("+ -", GameResult::WonByForfeit(Color::White)),
            ("+-", GameResult::WonByForfeit(Color::White)),
            ("-:+", GameResult::WonByForfeit(Color::Black)),
            ("- / -", GameResult::BothForfeited),
            ("---", GameResult::BothForfeited),
            ("0-1F", GameResult::WonByForfeit(Color::Black)),
            ("0-0f", GameResult::BothForfeited),
            ("0F-0F", GameResult::BothForfeited),
            ("1F-0F", GameResult::WonByForfeit(Color::White)),
            ("0-1 F", GameResult::WonByForfeit(Color::Black)),
            ("1:0k", GameResult::WonByForfeit(Color::White)),
            ("+--", GameResult::WonByForfeit(Color::White)),
            ("--+", GameResult::WonByForfeit(Color::Black)),
            ("=", GameResult::Drawn),
            ("=-0", GameResult::HalfAndNothing(Color::White)),
            ("White wins by forfeit", GameResult::WonByForfeit(Color::White)),
        ] {
            assert_eq!(text.parse(), Ok(result), "{text}");
        }
        for text in ["", "*", "1-1", "f", "1/2-1/2f", "2-0", "1-0-1"] {
            assert!(text.parse::<GameResult>().is_err(), "{text}");
        }
    }

    #[test]
    fn forfeits_have_their_own_signs_in_a_report_and_are_never_unrated_games() {
        let forfeit = GameResult::WonByForfeit(Color::Black);
        assert_eq!((forfeit.trf(Color::White), forfeit.trf(Color::Black)), ('-', '+'));
        assert_eq!((forfeit.trf_unrated(Color::White), forfeit.trf_unrated(Color::Black)), ('-', '+'));
        let won = GameResult::Won(Color::White);
        assert_eq!(
            (won.trf(Color::White), won.trf_unrated(Color::White), won.trf_unrated(Color::Black)),
            ('1', 'W', 'L')
        );
        assert!(won.is_rated() && !forfeit.is_rated());
    }

    #[test]
    fn an_event_may_count_unplayed_games_otherwise() {
        let scheme = Scheme { forfeit_win: Points::HALF, ..Scheme::STANDARD };
        assert_eq!(GameResult::WonByForfeit(Color::White).points(Color::White, &scheme), Points::HALF);
        assert_eq!(GameResult::BothForfeited.points(Color::White, &scheme), Points::whole(0));
        assert!(Scheme::THREE_ONE.allows(Edition::E2023, Points::whole(1), Points::whole(0)));
        assert!(!Scheme::STANDARD.allows(Edition::E2023, Points::whole(1), Points::HALF), "more than a game is worth");
        assert!(Scheme::STANDARD.allows(Edition::E2014, Points(75), Points(25)));
    }
}
