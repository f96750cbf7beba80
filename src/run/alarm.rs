//! The alarm: what everybody who looks should know of the record, and when that changes.

use std::{collections::BTreeMap, future::pending, sync::Arc};

use hall::Scope;
use protocol::feed::v2::Trouble;
use tokio::sync::{mpsc, watch};

use crate::{
    journal::{Health, Outage, wall_ms},
    screens::{Notice, Warning},
};

/// For those who know of no files.
const FALLEN_BEHIND: &str = "PGN files know more than the record: games shown may lack moves.";

/// For the staff, until somebody has answered for it.
pub(super) const CLOSED: &str = "Spectators and targets of [[air]] are shown nothing: the hall's file was not whole, \
    and orders about what they may see can be lost. Order `on_air` and `withhold` anew where they were in force, then \
    `delay` (0 seconds where there was none): it opens what it is ordered for.";

/// What is wrong with the record.
#[derive(Debug)]
pub(super) struct Alarm {
    health: watch::Receiver<Health>,
    /// What is found about the PGN files.
    found: mpsc::UnboundedReceiver<Vec<String>>,
    findings: Vec<String>,
    /// Since when the disk does not answer and nobody knows why, in milliseconds since 1970.
    late: Option<u64>,
    /// Ports that say more than a board can, each with the board that was heard there.
    loud: BTreeMap<Arc<str>, Option<String>>,
    /// Spectators are shown nothing, because orders about them may be lost.
    is_closed: bool,
}

impl Alarm {
    pub(super) fn new(health: watch::Receiver<Health>, found: mpsc::UnboundedReceiver<Vec<String>>) -> Alarm {
        Alarm { health, found, findings: Vec::new(), late: None, loud: BTreeMap::new(), is_closed: false }
    }

    /// Waits until something else is to be said. May be given up and asked again.
    pub(super) async fn changed(&mut self) {
        tokio::select! {
            Ok(()) = self.health.changed() => {}
            Some(findings) = self.found.recv() => self.findings.extend(findings),
            else => pending().await,
        }
    }

    /// The disk does not answer. True if that is news: where the journal knows why, it has said so.
    pub(super) fn note_late(&mut self) -> bool {
        let is_news = self.late.is_none() && self.health.borrow().outage.is_none();
        if is_news {
            self.late = Some(wall_ms());
        }
        is_news
    }

    /// It answers. True if that is news.
    pub(super) fn note_answer(&mut self) -> bool {
        self.late.take().is_some()
    }

    /// A port says more than it may.
    pub(super) fn note_loud(&mut self, port: &Arc<str>, board: Option<String>) {
        self.loud.insert(Arc::clone(port), board);
    }

    /// It is quiet again, or gone. True if it was loud.
    pub(super) fn note_quiet(&mut self, port: &str) -> bool {
        self.loud.remove(port).is_some()
    }

    /// Whether spectators are shown nothing, because orders about them may be lost. True if that is news.
    pub(super) fn note_closed(&mut self, is_closed: bool) -> bool {
        std::mem::replace(&mut self.is_closed, is_closed) != is_closed
    }

    pub(super) fn is_closed(&self) -> bool {
        self.is_closed
    }

    /// How many ports are too loud.
    pub(super) fn loud(&self) -> usize {
        self.loud.len()
    }

    /// How much was found wrong with files.
    pub(super) fn findings(&self) -> usize {
        self.health.borrow().findings.len() + self.findings.len()
    }

    /// Whether nothing is being recorded.
    pub(super) fn is_outage(&self) -> bool {
        self.late.is_some() || self.health.borrow().outage.is_some()
    }

    /// What is to be said.
    pub(super) fn notice(&mut self) -> Notice {
        let health = self.health.borrow_and_update().clone();
        // What the journal knows is the better word, also when it is over.
        self.late = self.late.filter(|_| health.outage.is_none());
        let no_answer = |since_wall_ms| Outage { since_wall_ms, cause: "the disk does not answer".to_owned(), held: 0 };
        let outage = health.outage.clone().or(self.late.map(no_answer));
        let dropped = (health.dropped > 0).then(|| format!("{} clock readings could not be kept.", health.dropped));
        let not_recorded = outage.iter().map(|outage| Warning {
            trouble: Trouble::NotRecorded { since: outage.since_wall_ms },
            sentence: outage.short(),
        });
        let fallen_behind = (!self.findings.is_empty())
            .then(|| Warning { trouble: Trouble::FallenBehind, sentence: FALLEN_BEHIND.to_owned() });
        let hall = not_recorded.chain(doubtful(&health)).chain(fallen_behind);
        let staff = outage.iter().map(Outage::sentence).chain(dropped);
        let findings = health.findings.iter().chain(&self.findings).map(|finding| format!("{finding}."));
        let loud = self.loud.iter().map(|(port, board)| too_loud(port, board.as_deref()));
        let closed = self.is_closed.then(|| CLOSED.to_owned());
        Notice { hall: hall.collect(), staff: staff.chain(closed).chain(loud).chain(findings).collect() }
    }
}

/// What is wrong with a port that says too much, and what to do.
pub(super) fn too_loud(port: &str, board: Option<&str>) -> String {
    let board = board.map_or_else(String::new, |board| format!(" (board {board})"));
    format!(
        "{port}{board} says more than any board can and is not listened to until it is quiet: push its plugs in, then try \
         another cable, then another board."
    )
}

/// For those who know of no files: which games may lack moves.
fn doubtful(health: &Health) -> Vec<Warning> {
    let said = |scope: &Scope| match scope {
        Scope::Hall => Warning {
            trouble: Trouble::HallDamaged,
            sentence: "Part of the record of the hall was damaged: boards and players may be wrong.".to_owned(),
        },
        Scope::Round { event, round } => Warning {
            trouble: Trouble::RoundDamaged { event: event.clone(), round: *round },
            sentence: format!("Part of the record of round {round} of {event} was damaged: its games may lack moves."),
        },
    };
    health.doubtful.iter().map(said).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn everybody_is_told_since_when_nothing_is_recorded_and_the_staff_why() {
        let (tell, health) = watch::channel(Health::default());
        let (_found, findings) = mpsc::unbounded_channel();
        let mut alarm = Alarm::new(health, findings);
        assert_eq!(alarm.notice(), Notice::default());
        let outage = Outage { since_wall_ms: 0, cause: "the disk is full".into(), held: 3 };
        tell.send_modify(|health| health.outage = Some(outage));
        alarm.changed().await;
        let notice = alarm.notice();
        let Warning { trouble, sentence } = &notice.hall[0];
        assert!(sentence.starts_with("Nothing is being recorded since "), "{notice:?}");
        assert!(!sentence.contains("full") && notice.staff[0].contains("full"), "{notice:?}");
        assert_eq!(*trouble, Trouble::NotRecorded { since: 0 }, "each page says it in the time of its reader");
        tell.send_modify(|health| health.outage = None);
        alarm.changed().await;
        assert_eq!(alarm.notice(), Notice::default());
    }

    #[tokio::test]
    async fn games_that_may_lack_moves_are_named_to_everybody() {
        let scope = Scope::Round { event: "open".into(), round: 3 };
        let health =
            Health { findings: vec!["/a/file is damaged".into()], doubtful: [scope].into(), ..Health::default() };
        let (_tell, health) = watch::channel(health);
        let (found, findings) = mpsc::unbounded_channel();
        let mut alarm = Alarm::new(health, findings);
        found.send(vec!["/a/pgn knows more".into()]).expect("it listens");
        alarm.changed().await;
        let notice = alarm.notice();
        assert_eq!(
            notice.hall.iter().map(|warning| warning.sentence.as_str()).collect::<Vec<_>>(),
            ["Part of the record of round 3 of open was damaged: its games may lack moves.", FALLEN_BEHIND]
        );
        assert_eq!(notice.staff, ["/a/file is damaged.", "/a/pgn knows more."]);
    }

    #[test]
    fn a_port_that_is_too_loud_is_named_to_the_staff_until_it_is_quiet() {
        let (_tell, health) = watch::channel(Health::default());
        let (_found, findings) = mpsc::unbounded_channel();
        let mut alarm = Alarm::new(health, findings);
        alarm.note_loud(&Arc::from("/dev/ttyUSB3"), Some("12345".to_owned()));
        let notice = alarm.notice();
        assert!(notice.hall.is_empty() && notice.staff[0].starts_with("/dev/ttyUSB3 (board 12345)"), "{notice:?}");
        assert!(alarm.note_quiet("/dev/ttyUSB3") && !alarm.note_quiet("/dev/ttyUSB3"));
        assert_eq!(alarm.notice(), Notice::default());
    }

    #[test]
    fn a_disk_that_does_not_answer_is_said_without_waiting_for_the_journal() {
        let (_tell, health) = watch::channel(Health::default());
        let (_found, findings) = mpsc::unbounded_channel();
        let mut alarm = Alarm::new(health, findings);
        assert!(alarm.note_late() && !alarm.note_late());
        assert_eq!(alarm.notice().hall.len(), 1);
        assert!(alarm.note_answer());
        assert_eq!(alarm.notice(), Notice::default());
    }

    #[test]
    fn a_disk_whose_fault_is_known_is_not_said_to_be_silent() {
        let (tell, health) = watch::channel(Health::default());
        let (_found, findings) = mpsc::unbounded_channel();
        let mut alarm = Alarm::new(health, findings);
        let outage = Outage { since_wall_ms: 0, cause: "the disk is full".into(), held: 3 };
        for was_silent in [false, true] {
            assert!(!was_silent || alarm.note_late());
            tell.send_modify(|health| health.outage = Some(outage.clone()));
            assert!(!alarm.note_late(), "the cause is known");
            assert!(alarm.notice().staff[0].contains("full"));
            tell.send_modify(|health| health.outage = None);
            assert_eq!(alarm.notice(), Notice::default(), "and it is over");
        }
    }
}
