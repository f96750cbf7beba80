//! The account of one failure: what was shown and what was told around it, to read and to keep as a scenario.

use std::fmt;

use hall::table::Say;
use protocol::{
    board::{ClockReading, ClockSense, Content, Face, Link, Observation},
    feed::{Entry, Side, Sight, Variant},
};
use serde_json::{Value, json};
use shakmaty::{EnPassantMode, Position, fen::Fen, san::SanPlus};

use super::{
    judge::{Assessment, Failure},
    session::Session,
    truth::{over, position_after, since},
};
use crate::rehearsal::{Fault, FaultKind, Record};

/// How many plies before the failing one the stretch begins.
const PLIES_BEFORE: usize = 2;
/// How many things that were shown are listed before the failure.
const LISTED: usize = 25;
/// The stretch goes on for this long behind the failing ply.
const AFTERGLOW_MS: u64 = 4_000;

/// One failure of one game.
#[derive(Debug)]
pub struct Account<'a> {
    /// Everything of the session.
    pub session: &'a Session,
    /// The game in it.
    pub number: usize,
    /// What failed.
    pub failure: &'a Failure,
    /// What came of the whole game.
    pub verdict: &'a Assessment,
    /// What to call it, such as `blitz-clock-17`.
    pub name: &'a str,
    /// Where chance began.
    pub seed: u64,
}

impl Account<'_> {
    /// The stretch as a case of `escaque-scenario/1`.
    pub fn scenario(&self) -> Value {
        let (from, end) = self.stretch();
        let truth = self.truth();
        let first = self.first_ply();
        let start = position_after(truth, first);
        let mut events = Vec::new();
        let mut lever = None;
        // The press of the ply before is read when the stretch has begun.
        let mut before = Some(Side::from(!start.turn()));
        for (at, shown) in &self.session.shown {
            let inside = *at > from && *at <= end;
            let Some(mut event) = event(shown, &mut lever).filter(|_| inside) else { continue };
            if event["ev"] == "press" && before.take().is_some_and(|before| event["side"] == json!(before)) {
                continue;
            }
            event["t"] = json!(at - from);
            events.push(event);
        }
        let mut position = start.clone();
        let mut expected = Vec::new();
        for ply in truth.plies[first..].iter().take_while(|ply| ply.pressed.is_some_and(|at| at <= end)) {
            expected.push(SanPlus::from_move_and_play_unchecked(&mut position, ply.mv).to_string());
        }
        json!({
            "id": format!("{}-{}", self.name, self.failure.ply),
            "title": format!("ply {} played {} told {} in a rehearsal with {}", self.failure.ply,
                text(&self.failure.played), text(&self.failure.told), self.causes()),
            "group": "fidelity",
            "editions": ["2023"],
            "time_class": "standard",
            "supervision": "full",
            "variant": Variant::from(truth.castling),
            "sensor": if self.session.nameless { "occupancy" } else { "identity" },
            "clock": lever.is_some(),
            "turned": false,
            "start_known": true,
            "start_fen": Fen::from_position(&start, EnPassantMode::Legal).to_string(),
            "events": events,
            "end": end - from,
            "expect": {
                "final": expected,
                "fen": Fen::from_position(&position, EnPassantMode::Legal).to_string(),
            },
        })
    }

    fn truth(&self) -> &Record {
        &self.session.truth[self.number]
    }

    fn first_ply(&self) -> usize {
        (self.failure.ply - 1).saturating_sub(PLIES_BEFORE).min(self.truth().plies.len())
    }

    /// From when to when the stretch goes.
    fn stretch(&self) -> (u64, u64) {
        let truth = self.truth();
        let index = self.failure.ply - 1;
        let from = match since(truth, self.first_ply()) {
            // The first game begins when the board is heard; what was before is the introduction.
            0 => self.session.shown.first().map_or(0, |(at, _)| *at),
            at => at,
        };
        let done = over(truth, index).or(truth.ended).unwrap_or(from);
        let next = over(truth, index + 1).unwrap_or(done + AFTERGLOW_MS);
        (from, done.max(self.failure.told_at.unwrap_or(0)).max(next.min(done + AFTERGLOW_MS)) + READING_MS)
    }

    fn causes(&self) -> String {
        let names: Vec<_> = self.failure.causes.iter().map(|kind| kind.name()).collect();
        if names.is_empty() { "nothing but the move".to_owned() } else { names.join(", ") }
    }
}

/// What sensors and line take until a press and a square are read.
const READING_MS: u64 = 200;

fn event(shown: &Observation, lever: &mut Option<ClockReading>) -> Option<Value> {
    Some(match shown {
        Observation::Square { square, content: Content::Empty } => json!({ "ev": "lift", "sq": square.to_string() }),
        Observation::Square { square, content } => {
            json!({ "ev": "place", "sq": square.to_string(), "piece": content.letter().to_string() })
        }
        Observation::Board(contents) => json!({ "ev": "dump", "placement": contents.placement() }),
        Observation::Link(link) => json!({ "ev": "link", "state": link }),
        Observation::Clock(ClockSense::Absent) => return None,
        Observation::Clock(ClockSense::Reading(reading)) => {
            let before = lever.replace(*reading)?;
            let pressed = before.high != reading.high && before.running;
            let side = if reading.high == Face::Right { Side::White } else { Side::Black };
            return pressed.then(|| json!({ "ev": "press", "side": side }));
        }
    })
}

/// What one reads to find out.
impl fmt::Display for Account<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let truth = self.truth();
        let Failure { ply, told_at, played, told, .. } = self.failure;
        let tag = |name: &str| truth.tags.iter().find(|(tag, _)| tag == name).map_or("?", |(_, value)| value);
        writeln!(f, "{} (seed {}): {} - {}, {}", self.name, self.seed, tag("White"), tag("Black"), tag("Event"))?;
        let stood = if self.failure.stood { " while the board stood so" } else { "" };
        writeln!(f, "  ply {ply}: played {}, told {}{stood}; {}", text(played), text(told), self.causes())?;
        let outcome = match (self.verdict.exact, self.verdict.admitted) {
            (true, _) => "exact in the end",
            (false, true) => "wrong and admitted",
            (false, false) => "wrong and not admitted",
        };
        writeln!(f, "  the whole game: {} false finals, {outcome}{}", self.verdict.false_finals, self.besides())?;
        let before = position_after(truth, ply - 1);
        writeln!(f, "  before it: {}", Fen::from_position(&before, EnPassantMode::Legal))?;
        let (stretch, end) = self.stretch();
        let until = told_at.map_or(end, |at| at.max(over(truth, ply - 1).unwrap_or(0)) + READING_MS);
        let last = self.session.shown.iter().filter(|(at, _)| *at <= until).count();
        let from = self.session.shown[last.saturating_sub(LISTED)..].first().map_or(stretch, |(at, _)| *at);
        for (at, line) in self.lines(from.min(since(truth, ply - 1)).max(stretch), until.max(end)) {
            writeln!(f, "  {:>12}  {line}", at.to_string())?;
        }
        writeln!(f, "  {}", self.scenario())
    }
}

impl Account<'_> {
    /// What else is wrong with the game.
    fn besides(&self) -> String {
        let verdict = self.verdict;
        let nameless = verdict.squares.due - verdict.squares.named;
        let all = [
            (verdict.accused.len(), "accused without a reason"),
            (verdict.surplus, "plies too many"),
            (verdict.unmarked, "false and not marked"),
            (usize::from(verdict.wrong_result), "result wrong or missing"),
            (nameless, "dead square not named"),
            (verdict.squares.slandered, "sound square named"),
            (usize::from(verdict.stuck), "table not followed"),
        ];
        all.into_iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!(", {count} {what}")).collect()
    }

    /// Everything between two moments in the order of time: what was done, shown and told.
    fn lines(&self, from: u64, until: u64) -> Vec<(u64, String)> {
        let mut lines = Vec::new();
        let mut position = self.truth().start.clone();
        for (index, ply) in self.truth().plies.iter().enumerate() {
            let san = SanPlus::from_move_and_play_unchecked(&mut position, ply.mv);
            lines.extend(ply.landed.map(|at| (at, format!("really      {} {san} has landed", index + 1))));
            lines.extend(ply.pressed.map(|at| (at, format!("really      {} {san} is pressed", index + 1))));
        }
        for offence in &self.truth().offences {
            lines.push((offence.at, format!("really      {:?} is pressed", offence.offence)));
        }
        lines.extend(self.truth().ended.map(|at| (at, "really      the game is over".to_owned())));
        lines.extend(self.session.mishaps.iter().map(|(at, kind)| (*at, format!("     noise  {}", kind.name()))));
        let died = |fault: &Fault| match fault.kind {
            FaultKind::Dead(square) => Some((fault.from.max(from), format!("     noise  {square} reads nothing"))),
            FaultKind::Beside(..) | FaultKind::Hidden | FaultKind::LeverStuck => None,
        };
        lines.extend(self.session.faults.iter().filter_map(died));
        let mut lever = None;
        lines.extend(self.session.shown.iter().filter_map(|(at, shown)| Some((*at, line(shown, &mut lever)?))));
        lines.extend(self.session.told.iter().filter_map(|(at, say)| Some((*at, tale(say)?))));
        lines.retain(|(at, _)| (from..=until).contains(at));
        lines.sort_by_key(|(at, _)| *at);
        lines
    }
}

fn line(shown: &Observation, lever: &mut Option<ClockReading>) -> Option<String> {
    let word = match shown {
        Observation::Square { square, content: Content::Empty } => format!("{square} -"),
        Observation::Square { square, content } => format!("{square} {}", content.letter()),
        Observation::Board(contents) => format!("dump {}", contents.placement()),
        Observation::Link(Link::Up) => "link up".to_owned(),
        Observation::Link(Link::Down) => "link down".to_owned(),
        Observation::Clock(ClockSense::Absent) => "no clock".to_owned(),
        Observation::Clock(ClockSense::Reading(reading)) => {
            let before = lever.replace(*reading);
            let to_move = if reading.high == Face::Left { "White" } else { "Black" };
            let flipped = before.is_some_and(|before| before.high != reading.high);
            let verb = if flipped { "lever moved" } else { "clock" };
            format!("{verb}: {to_move} to move, {}", if reading.running { "running" } else { "stopped" })
        }
    };
    Some(format!("  shown     {word}"))
}

fn tale(say: &Say) -> Option<String> {
    let word = match say {
        Say::Sight(
            Sight::Clock { .. }
            | Sight::Touch { .. }
            | Sight::Link { .. }
            | Sight::Board { .. }
            | Sight::Attended { .. },
        ) => return None,
        Say::Sight(Sight::Seen { line, settled, .. }) => {
            format!("seen after {settled}: {}", line.after(*settled).join(" "))
        }
        Say::Sight(Sight::Held { held, squares }) => format!("held {held} {}", squares.join(" ")),
        Say::Entry(Entry::Final { ply, san, inferred, .. }) => {
            format!("FINAL {ply} {san}{}", if *inferred { " (inferred)" } else { "" })
        }
        Say::Entry(Entry::Corrected { from_ply, old, new, reason }) => {
            format!("CORRECTED from {from_ply}: {} becomes {} ({reason:?})", old.join(" "), new.join(" "))
        }
        Say::Entry(Entry::Alert(alert)) => {
            let alternatives: Vec<_> = alert.alternatives.iter().map(|line| line.join(" ")).collect();
            format!("ALERT {:?} {}", alert.kind, alternatives.join(" or "))
        }
        Say::Entry(
            entry @ (Entry::Started { .. }
            | Entry::Paired { .. }
            | Entry::State { .. }
            | Entry::Instants { .. }
            | Entry::Proposal { .. }
            | Entry::Voice { .. }
            | Entry::Confirmed { .. }
            | Entry::Verdict { .. }
            | Entry::Noted { .. }
            | Entry::Earlier { .. }
            | Entry::Shown { .. }
            | Entry::Round { .. }
            | Entry::Result { .. }),
        ) => serde_json::to_string(entry).unwrap_or_default(),
        Say::AskDump(_) => "asks for a dump".to_owned(),
        Say::AskProof(doubts) => format!("asks {} questions aside", doubts.len()),
    };
    Some(format!("       told {word}"))
}

fn text(uci: &Option<String>) -> &str {
    uci.as_deref().unwrap_or("nothing")
}
