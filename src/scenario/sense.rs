//! Whether a case makes sense: what can't be set up or can't happen is refused, not played as something else.

use protocol::board::{Content, Contents, Link};
use shakmaty::{CastlingMode, Chess, Position, uci::UciMove};

use super::case::{Case, Event, What};

/// Why a case can't be played, as a sentence.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Nonsense {
    /// A position nobody can play from.
    #[error("start_fen {fen} is no position to play from ({why}): mend it, or leave it out for the usual start")]
    Start {
        /// As it is written.
        fen: String,
        /// What is wrong with it.
        why: String,
    },
    /// Men that stand nowhere.
    #[error("{key} {text} is no placement: write eight ranks as in a FEN")]
    Placement {
        /// Which key.
        key: &'static str,
        /// As it is written.
        text: String,
    },
    /// A move that can't be played there.
    #[error("move {number} of moves_uci, {uci}, is not legal there")]
    Move {
        /// From 1.
        number: usize,
        /// As it is written.
        uci: String,
    },
    /// An edition of the Laws there never was.
    #[error("there is no edition {0} of the Laws here: 1993, 2009, 2014, 2018 and 2023 are known")]
    Edition(String),
    /// Something happens before what stands above it.
    #[error("event {number} is at {t}, before the one above it at {before}: events are written in the order of time")]
    Backwards {
        /// From 1.
        number: usize,
        /// Its time.
        t: u64,
        /// The time it goes back from.
        before: u64,
    },
    /// A clock does something and there is none.
    #[error("event {number} is about a clock, and the case has none: set clock to true, or take the event out")]
    NoClock {
        /// From 1.
        number: usize,
    },
    /// A man there is none of.
    #[error("event {number} places {piece}, which is no man: write KQRBNP, kqrbnp or ?")]
    NoMan {
        /// From 1.
        number: usize,
        /// As it is written.
        piece: char,
    },
    /// A dump that shows nothing.
    #[error("event {number} is a dump of {text}, which is no placement: write eight ranks as in a FEN")]
    NoDump {
        /// From 1.
        number: usize,
        /// As it is written.
        text: String,
    },
    /// A board that can't be heard reports something.
    #[error("event {number} comes from a board whose link is down: put a link event with state up before it")]
    Unheard {
        /// From 1.
        number: usize,
    },
    /// A table hears of no such thing.
    #[error("event {number} is of no kind a table knows; the kinds stand in the format's description")]
    Unknown {
        /// From 1.
        number: usize,
    },
}

/// The first thing in a case that makes no sense.
pub(super) fn check(case: &Case) -> Result<(), Nonsense> {
    let start = start(case)?;
    let is_known = |edition: &String| edition.parse().ok().and_then(laws::Edition::of).is_some();
    if let Some(edition) = case.editions().find(|edition| !is_known(edition)) {
        return Err(Nonsense::Edition(edition));
    }
    let physical = [("physical_start", &case.physical_start), ("physical_board", &case.prior.physical_board)];
    for (key, text) in physical {
        if let Some(text) = text.as_ref().filter(|text| !is_placement(text)) {
            return Err(Nonsense::Placement { key, text: text.clone() });
        }
    }
    moves(case, start)?;
    events(case)
}

fn start(case: &Case) -> Result<Chess, Nonsense> {
    let Some(fen) = &case.start_fen else { return Ok(Chess::default()) };
    let mode = CastlingMode::from_chess960(case.is_chess960());
    laws::position::read(fen, mode).map_err(|why| Nonsense::Start { fen: fen.clone(), why: why.to_string() })
}

fn moves(case: &Case, mut position: Chess) -> Result<(), Nonsense> {
    for (number, uci) in (1..).zip(&case.moves_uci) {
        let mv = uci.parse::<UciMove>().ok().and_then(|uci| uci.to_move(&position).ok());
        let mv = mv.ok_or_else(|| Nonsense::Move { number, uci: uci.clone() })?;
        position.play_unchecked(mv);
    }
    Ok(())
}

fn events(case: &Case) -> Result<(), Nonsense> {
    let (mut before, mut link) = (0, Link::Up);
    for (number, event) in (1..).zip(case.events.iter().flatten()) {
        let Event { t, what } = event;
        if *t < before {
            return Err(Nonsense::Backwards { number, t: *t, before });
        }
        before = *t;
        if let What::Link { state } = what {
            link = *state;
        }
        let is_report = matches!(what, What::Lift { .. } | What::Place { .. } | What::Dump { .. });
        if is_report && link == Link::Down {
            return Err(Nonsense::Unheard { number });
        }
        possible(case, number, what)?;
    }
    Ok(())
}

fn possible(case: &Case, number: usize, what: &What) -> Result<(), Nonsense> {
    match what {
        What::Press { .. }
        | What::ClockTime { .. }
        | What::Flag { .. }
        | What::ClockRun { .. }
        | What::ClockLink { .. }
            if !case.clock =>
        {
            Err(Nonsense::NoClock { number })
        }
        What::Place { piece, .. } if Content::try_from(*piece).is_err() || *piece == '.' => {
            Err(Nonsense::NoMan { number, piece: *piece })
        }
        What::Dump { placement: Some(text), .. } if !is_placement(text) => {
            Err(Nonsense::NoDump { number, text: text.clone() })
        }
        What::Unknown => Err(Nonsense::Unknown { number }),
        What::Lift { .. }
        | What::Place { .. }
        | What::Dump { .. }
        | What::Press { .. }
        | What::ClockTime { .. }
        | What::Flag { .. }
        | What::ClockRun { .. }
        | What::ClockLink { .. }
        | What::Link { .. }
        | What::Claim { .. }
        | What::DrawOffer { .. }
        | What::DrawAccept { .. }
        | What::DrawDecline { .. }
        | What::Resign { .. }
        | What::AdjustAnnounced { .. }
        | What::Announce { .. }
        | What::Arbiter { .. } => Ok(()),
    }
}

fn is_placement(text: &str) -> bool {
    text.split(' ').next().is_some_and(|placement| placement.parse::<Contents>().is_ok())
}
