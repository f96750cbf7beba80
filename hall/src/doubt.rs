//! Doubts: what the table can't decide within its budget and asks the shell to search aside.
//!
//! A doubt goes out with its position, an answer comes back as an input. What the answer says is believed only from the
//! checker of [`laws::dead`]: either its own type is still in hand, or what was written down is shown to it again.

use laws::dead::{self, Budget, Evidence, Verdict};
use protocol::feed::Side;
use serde::{Deserialize, Serialize};
use shakmaty::{CastlingMode, Chess, Color, Position, uci::UciMove};

use crate::{Ply, Refusal, fen::fen};

/// Whether a player can mate from a position of a game by some series of legal moves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// The how-many-eth game at the table.
    pub game: u32,
    /// After this ply; 0 is the position the game started from.
    pub ply: Ply,
    /// Who.
    pub side: Side,
    /// The position: after a correction the same ply is another one.
    pub fen: String,
}

/// A question the table could not answer, with what is needed to search for the answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Doubt {
    /// What is asked.
    pub question: Question,
    position: Chess,
    mode: CastlingMode,
}

impl Doubt {
    /// Whether `side` can mate from a position of a game, after this ply.
    pub fn new(game: u32, ply: Ply, side: Side, position: Chess, mode: CastlingMode) -> Doubt {
        let fen = fen(&position);
        Doubt { question: Question { game, ply, side, fen }, position, mode }
    }

    /// The position that is asked about.
    pub fn position(&self) -> &Chess {
        &self.position
    }

    /// Who is asked about.
    pub fn color(&self) -> Color {
        self.question.side.into()
    }

    /// Searches here and now. A shell that must go on hearing searches in steps and elsewhere.
    pub fn search(&self, budget: Budget) -> Answer {
        Answer::new(self, dead::can_mate(&self.position, self.color(), budget))
    }
}

/// What a search has come to.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Answer {
    /// What was asked.
    #[serde(flatten)]
    pub question: Question,
    found: Found,
    /// The checker's own word, as long as nobody has written it down and read it again.
    #[serde(skip)]
    verdict: Option<Verdict>,
}

/// What was found, as it is written down.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Found {
    /// Moves to mate, in UCI.
    CanMate(Vec<String>),
    /// There are none, by this kind of proof.
    CannotMate(Kind),
    /// Nothing, within what may be spent.
    Undecided,
}

/// How it was proven.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Kind {
    Material,
    Enumerated,
    Walls,
}

/// The checker's word is about what is written beside it.
impl PartialEq for Answer {
    fn eq(&self, other: &Answer) -> bool {
        (&self.question, &self.found) == (&other.question, &other.found)
    }
}

impl Answer {
    /// The answer to a doubt.
    pub fn new(doubt: &Doubt, verdict: Verdict) -> Answer {
        let found = match verdict.evidence() {
            Some(Evidence::Line(line)) => {
                Found::CanMate(line.iter().map(|next| next.to_uci(doubt.mode).to_string()).collect())
            }
            Some(Evidence::Material) => Found::CannotMate(Kind::Material),
            Some(Evidence::Enumerated) => Found::CannotMate(Kind::Enumerated),
            Some(Evidence::Walls) => Found::CannotMate(Kind::Walls),
            None => Found::Undecided,
        };
        Answer { question: doubt.question.clone(), found, verdict: Some(verdict) }
    }

    /// What is proven of the doubt. What the checker does not accept is refused.
    pub(crate) fn verdict(&self, doubt: &Doubt) -> Result<Verdict, Refusal> {
        let evidence = match &self.found {
            Found::Undecided => return Ok(Verdict::Unknown { spent: 0 }),
            Found::CanMate(line) => read_line(&doubt.position, line).map(Evidence::Line),
            Found::CannotMate(Kind::Material) => Some(Evidence::Material),
            Found::CannotMate(Kind::Enumerated) => Some(Evidence::Enumerated),
            Found::CannotMate(Kind::Walls) => Some(Evidence::Walls),
        };
        if let Some(known) = self.verdict.as_ref().filter(|known| known.is_about(&doubt.position, doubt.color())) {
            return Ok(known.clone());
        }
        let shown = evidence.and_then(|evidence| evidence.check(&doubt.position, doubt.color()));
        shown.ok_or_else(|| {
            Refusal::because(format!(
                "what was found out about ply {} does not stand up to the checker: it counts as not known",
                self.question.ply
            ))
        })
    }
}

fn read_line(position: &Chess, line: &[String]) -> Option<Vec<shakmaty::Move>> {
    let mut position = position.clone();
    let read = |text: &String| {
        let next = text.parse::<UciMove>().ok()?.to_move(&position).ok()?;
        position.play_unchecked(next);
        Some(next)
    };
    line.iter().map(read).collect()
}
