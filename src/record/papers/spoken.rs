//! What an entry of the record says, in words for a report.

use protocol::feed::{Alert, Clocks, Command, Correction, Entry, GameResult, Proposal, ResultReason, Score, Side};
use serde::Serialize;
use serde_json::Value;

use super::markup::time;

/// What a line of a report tells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Incident {
    pub(super) what: String,
    pub(super) article: String,
    pub(super) evidence: String,
    pub(super) decision: String,
}

/// What an entry says in a report; nothing where it is part of every game.
pub(super) fn incident(entry: &Entry) -> Option<Incident> {
    match entry {
        Entry::Alert(alert) => Some(raised(alert)),
        Entry::Proposal(proposal) if *proposal == Proposal::default() => None,
        Entry::Proposal(proposal) => Some(Incident {
            what: "proposed to the arbiter".to_owned(),
            evidence: words(proposal),
            ..Incident::default()
        }),
        Entry::Noted { order } => Some(decided(ordered(order))),
        Entry::Result { result, reason, score } => Some(decided(ended(*result, *reason, *score))),
        Entry::Corrected { from_ply, old, new, reason: Correction::Arbiter | Correction::AfterTheEnd } => {
            Some(decided(corrected(*from_ply, old, new)))
        }
        Entry::Earlier { game, entry } => {
            let Incident { decision, .. } = incident(entry)?;
            Some(decided(format!("game {game}: {decision}")))
        }
        Entry::Started { .. }
        | Entry::Paired { .. }
        | Entry::Final { .. }
        | Entry::Instants { .. }
        | Entry::Corrected { .. }
        | Entry::State { .. }
        | Entry::Shown { .. }
        | Entry::Round { .. }
        | Entry::Voice { .. }
        | Entry::Confirmed { .. }
        | Entry::Verdict { .. } => None,
    }
}

fn decided(decision: String) -> Incident {
    Incident { decision, ..Incident::default() }
}

fn raised(alert: &Alert) -> Incident {
    let kind = plain(&alert.kind);
    let what = match alert.side {
        Some(Side::White) => format!("{kind}, White"),
        Some(Side::Black) => format!("{kind}, Black"),
        None => kind,
    };
    let shown = Alert { audience: Vec::new(), side: None, article: None, ..alert.clone() };
    let mut evidence = serde_json::to_value(&shown).unwrap_or_default();
    if let Value::Object(members) = &mut evidence {
        ["kind", "severity", "audience", "side"].iter().for_each(|member| drop(members.remove(*member)));
    }
    Incident {
        what,
        article: alert.article.clone().unwrap_or_default(),
        evidence: of_value(&evidence),
        ..Incident::default()
    }
}

fn ordered(order: &Command) -> String {
    if let Command::Adjourn { clocks_ms: Some(Clocks { white, black }) } = order {
        return format!("adjourn: White has {}, Black {}", time(*white), time(*black));
    }
    let mut value = serde_json::to_value(order).unwrap_or_default();
    let name = value.as_object_mut().and_then(|members| members.remove("command"));
    let name = name.as_ref().and_then(Value::as_str).unwrap_or_default().replace('_', " ");
    // When an alert came up is told with the alert, by the time of day.
    if let (Command::Acknowledge { .. } | Command::Dismiss { .. }, Some(members)) = (order, value.as_object_mut()) {
        ["until", "at"].iter().for_each(|member| drop(members.remove(*member)));
    }
    let rest = of_value(&value);
    if rest.is_empty() { name } else { format!("{name}: {rest}") }
}

fn ended(result: GameResult, reason: ResultReason, score: Option<Score>) -> String {
    match score {
        Some(score) => format!("{score} ({})", plain(&reason)),
        None if result == GameResult::Open => "no result any more".to_owned(),
        None => format!("{result} ({})", plain(&reason)),
    }
}

fn corrected(from_ply: usize, old: &[String], new: &[String]) -> String {
    let what = match (old, new) {
        ([], new) => format!("{} written down", new.join(" ")),
        (old, []) => format!("{} taken back", old.join(" ")),
        (old, new) => format!("{} in place of {}", new.join(" "), old.join(" ")),
    };
    format!("record from ply {from_ply}: {what}")
}

/// A word of the feed as people write it.
pub(super) fn plain(word: &impl Serialize) -> String {
    let value = serde_json::to_value(word).unwrap_or_default();
    value.as_str().unwrap_or_default().replace('_', " ")
}

fn words(said: &impl Serialize) -> String {
    of_value(&serde_json::to_value(said).unwrap_or_default())
}

/// The members of a message, those that say something.
fn of_value(value: &Value) -> String {
    match value {
        Value::Object(members) => {
            let said = members.iter().map(|(name, value)| (name, member(name, value)));
            let said = said.filter(|(_, value)| !value.is_empty());
            said.map(|(name, value)| format!("{} {value}", name_of(name))).collect::<Vec<_>>().join(", ")
        }
        Value::Array(items) => items.iter().map(of_value).collect::<Vec<_>>().join(" "),
        Value::String(text) => text.replace('_', " "),
        Value::Null => String::new(),
        Value::Bool(_) | Value::Number(_) => value.to_string(),
    }
}

fn member(name: &str, value: &Value) -> String {
    // Of both players, each in the same unit.
    if let Value::Object(sides) = value
        && (name.ends_with("_ms") || name.ends_with("_s"))
    {
        let said = sides.iter().map(|(side, value)| format!("{side} {}", member(name, value)));
        return said.collect::<Vec<_>>().join(", ");
    }
    match value.as_u64() {
        Some(ms) if name.ends_with("_ms") && ms >= 60_000 => time(ms),
        Some(ms) if name.ends_with("_ms") => format!("{}.{} s", ms / 1000, ms % 1000 / 100),
        Some(seconds) if name.ends_with("_s") => format!("{seconds} s"),
        Some(_) | None => of_value(value),
    }
}

fn name_of(name: &str) -> String {
    name.trim_end_matches("_ms").trim_end_matches("_s").replace('_', " ")
}

#[cfg(test)]
mod tests {
    use protocol::feed::{AlertKind, Evidence, Penalty, Seconds};

    use super::*;

    #[test]
    fn an_alert_tells_its_article_and_what_was_seen() {
        let evidence = Evidence { square: Some("e2".into()), dwell_ms: Some(1_250), ..Evidence::default() };
        let alert = Alert {
            side: Some(Side::White),
            article: Some("4.3".into()),
            evidence: Some(evidence),
            ..Alert::new(AlertKind::TouchMoveSuspect)
        };
        let incident = incident(&Entry::Alert(Box::new(alert))).expect("it is an incident");
        assert_eq!((incident.what.as_str(), incident.article.as_str()), ("touch move suspect, White", "4.3"));
        assert_eq!(incident.evidence, "evidence dwell 1.2 s, square e2");
    }

    #[test]
    fn an_alert_that_was_seen_or_dismissed_is_named_without_the_moment_by_which_a_program_knows_it() {
        let seen = Entry::Noted { order: Box::new(Command::Acknowledge { until: 14_596 }) };
        let kind = AlertKind::TouchMoveSuspect;
        let dismissed =
            Entry::Noted { order: Box::new(Command::Dismiss { kind, at: 99_387, note: "all in order".into() }) };
        let decisions = [seen, dismissed].map(|entry| incident(&entry).expect("it is a decision").decision);
        assert_eq!(decisions, ["acknowledge", "dismiss: kind touch move suspect, note all in order"]);
    }

    #[test]
    fn times_of_both_players_are_told_as_clocks_show_them() {
        let clocks_ms = Some(Clocks { white: 5_453_000, black: 5_499_000 });
        let bonus_s = Some(Seconds { white: None, black: Some(120) });
        let proposal = Entry::Proposal(Proposal { bonus_s, clocks_ms, ..Proposal::default() });
        let evidence = incident(&proposal).expect("it is an incident").evidence;
        assert_eq!(evidence, "bonus black 120 s, clocks black 1:31:39, white 1:30:53");
    }

    #[test]
    fn what_the_arbiter_ordered_is_a_decision() {
        let penalty = Command::Penalty {
            side: Side::Black,
            penalty: Penalty::OpponentTime,
            seconds: Some(120),
            note: "noise".into(),
        };
        let incident = incident(&Entry::Noted { order: Box::new(penalty) }).expect("it is a decision");
        assert!(incident.decision.starts_with("penalty: "), "{}", incident.decision);
        assert!(
            incident.decision.contains("seconds 120") && incident.decision.contains("note noise"),
            "{}",
            incident.decision
        );
    }
}
