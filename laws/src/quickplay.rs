//! The quickplay finish: when a claim is possible, what the arbiter may do, and the record to judge it by.
//!
//! | | 1993 | 2009 | 2014 | 2018 | 2023 |
//! |---|---|---|---|---|---|
//! | where | - | Article 10, Appendix D | Appendix G | Guidelines III | Guidelines III |
//! | has to be announced | - | no | yes | yes | yes |
//! | may first ask for five seconds a move | - | no | yes, opponent +2 min | same | same |
//! | a claim rejected, or put off | - | opponent +2 min | same | same | same |
//! | appeal | - | no | yes | yes | yes |
//!
//! It concerns the last period of a game without increment that is not blitz. The player having the move, with less
//! than two minutes left and the flag up, may claim that the opponent cannot win by normal means, or makes no effort
//! to. Whether that is so only an arbiter can judge: a [`Log`] collects what was played since, and no opinion.

use shakmaty::{Board, ByColor, ByRole, Color};

use crate::{ByEdition, Edition, TimeClass};

/// What the last two minutes are.
const TWO_MINUTES_MS: u64 = 120_000;

/// One edition's rule.
struct Rule {
    exists: bool,
    announced: bool,
    increment_on_request: bool,
    appeal: bool,
}

const NONE: Rule = Rule { exists: false, announced: false, increment_on_request: false, appeal: false };
const GUIDELINE: Rule = Rule { exists: true, announced: true, increment_on_request: true, appeal: true };
const RULES: ByEdition<Rule> = ByEdition([
    NONE,
    Rule { exists: true, announced: false, increment_on_request: false, appeal: false },
    GUIDELINE,
    GUIDELINE,
    GUIDELINE,
]);

/// The game a claim is made in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Situation {
    /// Which Laws.
    pub edition: Edition,
    /// How fast a game.
    pub class: TimeClass,
    /// Whether the event announced the guidelines.
    pub announced: bool,
    /// Whether there is an increment or a delay.
    pub has_increment: bool,
    /// Whether all the remaining moves are made in this period.
    pub is_last_period: bool,
    /// Whether the claimant has the move.
    pub is_on_move: bool,
    /// The claimant's time.
    pub remaining_ms: u64,
}

/// Why a claim can't be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Obstacle {
    /// The edition has no such rule.
    NotInThisEdition,
    /// The event did not announce it.
    NotAnnounced,
    /// It is a blitz game.
    Blitz,
    /// There is time added with each move.
    Increment,
    /// There is another period to come.
    NotTheLastPeriod,
    /// The opponent has the move.
    NotOnMove,
    /// Two minutes or more are left.
    TooEarly,
    /// The flag has fallen.
    TooLate,
}

impl Situation {
    /// What stands in the way of a claim; nothing, and the arbiter has to look at it.
    ///
    /// ```
    /// use laws::{Edition, TimeClass, quickplay::{Obstacle, Situation}};
    ///
    /// let claim = Situation {
    ///     edition: Edition::E2023,
    ///     class: TimeClass::Rapid,
    ///     announced: true,
    ///     has_increment: false,
    ///     is_last_period: true,
    ///     is_on_move: true,
    ///     remaining_ms: 119_000,
    /// };
    /// assert_eq!(claim.obstacles(), []);
    /// assert_eq!(Situation { remaining_ms: 120_000, ..claim }.obstacles(), [Obstacle::TooEarly]);
    /// assert_eq!(Situation { class: TimeClass::Blitz, announced: false, ..claim }.obstacles(),
    ///     [Obstacle::NotAnnounced, Obstacle::Blitz]);
    /// ```
    pub fn obstacles(&self) -> Vec<Obstacle> {
        let rule = &RULES[self.edition];
        if !rule.exists {
            return vec![Obstacle::NotInThisEdition];
        }
        [
            (rule.announced && !self.announced, Obstacle::NotAnnounced),
            (self.class == TimeClass::Blitz, Obstacle::Blitz),
            (self.has_increment, Obstacle::Increment),
            (!self.is_last_period, Obstacle::NotTheLastPeriod),
            (!self.is_on_move, Obstacle::NotOnMove),
            (self.remaining_ms >= TWO_MINUTES_MS, Obstacle::TooEarly),
            (self.remaining_ms == 0, Obstacle::TooLate),
        ]
        .into_iter()
        .filter_map(|(stands, obstacle)| stands.then_some(obstacle))
        .collect()
    }
}

/// Whether a player may ask that five seconds a move be added for both, before claiming.
pub fn may_ask_for_increment(edition: Edition) -> bool {
    RULES[edition].increment_on_request
}

/// Whether the arbiter's ruling can be appealed against.
pub fn may_appeal(edition: Edition) -> bool {
    RULES[edition].appeal
}

/// What was played since a claim, for the arbiter who has put off the decision.
///
/// ```
/// use laws::quickplay::Log;
/// use shakmaty::{Chess, Color, Position, san::San};
///
/// let mut position = Chess::default();
/// let mut log = Log::from_claim(Color::White, position.board());
/// position.play_unchecked("e4".parse::<San>()?.to_move(&position)?);
/// log.note("e4", 95_000, position.board());
/// assert_eq!(log.lines(), ["claimed by White", "e4 1:35"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Log {
    claimant: Color,
    material: ByColor<ByRole<u8>>,
    played: Vec<Played>,
}

/// One ply since the claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// The move as written.
    pub written: String,
    /// The time its player had left.
    pub remaining_ms: u64,
    /// The material after it, where it changed.
    pub material: Option<ByColor<ByRole<u8>>>,
}

impl Log {
    /// Begins with a claim in this position.
    pub fn from_claim(claimant: Color, board: &Board) -> Log {
        Log { claimant, material: board.material(), played: Vec::new() }
    }

    /// A move: how it is written, the time its player has left, the board after it.
    pub fn note(&mut self, written: &str, remaining_ms: u64, board: &Board) {
        let now = board.material();
        let material = (now != self.material).then_some(now);
        self.material = now;
        self.played.push(Played { written: written.to_owned(), remaining_ms, material });
    }

    /// Who claimed.
    pub fn claimant(&self) -> Color {
        self.claimant
    }

    /// What was played since.
    pub fn played(&self) -> &[Played] {
        &self.played
    }

    /// The same to read: moves, clocks, and the men left where some went.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = vec![format!("claimed by {}", self.claimant.fold_wb("White", "Black"))];
        for ply in &self.played {
            let seconds = ply.remaining_ms / 1000;
            let mut line = format!("{} {}:{:02}", ply.written, seconds / 60, seconds % 60);
            if let Some(material) = &ply.material {
                line.push_str(&format!(", left: {} against {}", men(&material.white), men(&material.black)));
            }
            lines.push(line);
        }
        lines
    }
}

/// The men of one side: `K Q R2 P5`.
fn men(material: &ByRole<u8>) -> String {
    let mut words = Vec::new();
    for (role, count) in material.zip_role() {
        match count {
            0 => {}
            1 => words.push(role.upper_char().to_string()),
            more => words.push(format!("{}{more}", role.upper_char())),
        }
    }
    words.reverse();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::fen::Fen;

    #[test]
    fn each_edition_has_its_own_conditions() {
        let claim = Situation {
            edition: Edition::E2009,
            class: TimeClass::Standard,
            announced: false,
            has_increment: false,
            is_last_period: true,
            is_on_move: true,
            remaining_ms: 60_000,
        };
        assert_eq!(claim.obstacles(), [], "in 2009 it is a part of the Laws");
        assert_eq!(Situation { edition: Edition::E1993, ..claim }.obstacles(), [Obstacle::NotInThisEdition]);
        assert_eq!(Situation { edition: Edition::E2014, ..claim }.obstacles(), [Obstacle::NotAnnounced]);
        let late = Situation { remaining_ms: 0, is_on_move: false, has_increment: true, ..claim };
        assert_eq!(late.obstacles(), [Obstacle::Increment, Obstacle::NotOnMove, Obstacle::TooLate]);
        assert!(may_ask_for_increment(Edition::E2014) && !may_ask_for_increment(Edition::E2009));
        assert!(may_appeal(Edition::E2023) && !may_appeal(Edition::E2009));
    }

    #[test]
    fn the_log_names_the_men_only_when_some_have_gone() {
        let board = |fen: &str| fen.parse::<Fen>().expect("a FEN").into_setup().board;
        let mut log = Log::from_claim(Color::Black, &board("4k3/8/8/8/8/8/r6P/R3K3 w - - 0 1"));
        log.note("Rb1", 61_000, &board("4k3/8/8/8/8/8/r6P/1R2K3 b - - 1 1"));
        log.note("Rxh2", 9_000, &board("4k3/8/8/8/8/8/7r/1R2K3 w - - 0 2"));
        assert_eq!(log.lines(), ["claimed by Black", "Rb1 1:01", "Rxh2 0:09, left: K R against K R"]);
        assert_eq!(log.claimant(), Color::Black);
        assert_eq!(log.played()[0].material, None);
    }
}
