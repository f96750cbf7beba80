//! What waits for the arbiter at a table: alerts and what became of them, and what is proposed.

use serde::{Deserialize, Serialize};

use super::{
    Alert, AlertKind, Command, Correction, Entry, GameResult, Penalty, Proposal, Seconds, Severity, Side, Staff, State,
};

/// Of those that are settled, so many stay to be looked at.
const SETTLED_KEPT: usize = 8;

/// What waits for the arbiter. Everything here follows from what the table has told its audience, so that all of the
/// staff see the same, and see it again after a restart.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Matters {
    /// The alerts of the game, in the order in which they were raised.
    pub alerts: Vec<Matter>,
    /// What the arbiter is offered to decide.
    pub proposal: Option<Proposal>,
    /// What stands on the board where that is not what the record says: the placement field of a FEN.
    pub board: Option<String>,
    /// The squares on which it differs.
    pub differs: Vec<String>,
}

/// One alert and what became of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Matter {
    /// When it was raised, on the clock of the messages. With its kind that is its name.
    pub at: u64,
    /// How far it is.
    pub stage: Progress,
    /// Which game of the table it is about, where that is not the one that is on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game: Option<u32>,
    /// The order that settled it, where one did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Box<Command>>,
    /// The alert.
    pub alert: Box<Alert>,
    /// How far it was when a result settled it, as long as that may be taken back.
    #[serde(skip)]
    pub before: Option<Progress>,
}

/// How far an alert is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Progress {
    /// Nobody has said that they have seen it.
    Open,
    /// An arbiter has seen it and is on the way.
    Acknowledged,
    /// It is done with.
    Settled,
}

impl Matters {
    /// Takes in what the table has told; `game` is the one that was on, and `state` how it stood.
    #[expect(clippy::wildcard_enum_match_arm, reason = "of an earlier game only what decides it counts here")]
    pub(super) fn enter(&mut self, entry: &Entry, game: u32, state: State, t: u64) {
        match entry {
            Entry::Alert(alert) => self.raise(alert, t),
            Entry::Confirmed { of } => {
                let confirmed = self.alerts.iter_mut().filter(|matter| matter.alert.kind == *of);
                confirmed.for_each(|matter| matter.alert.unconfirmed = false);
            }
            Entry::Proposal(proposal) => {
                self.proposal = Some(proposal.clone()).filter(|proposal| *proposal != Proposal::default());
            }
            Entry::Noted { order } => {
                let gives_result = **order == Command::Confirm
                    && self.proposal.as_ref().is_some_and(|offer| offer.result.is_some() && offer.game.is_none());
                if gives_result { self.end(Some(order)) } else { self.obey(order) }
            }
            Entry::Corrected { reason: Correction::Arbiter, new, .. } => self.mend(new),
            Entry::Result { result: GameResult::Open, .. } => self.reopen(),
            Entry::Result { .. } => self.end(None),
            Entry::Started { game: next, .. } => self.begin(*next, game, state),
            // What was left of that game is decided.
            Entry::Earlier { game, entry } => match &**entry {
                Entry::Noted { order } => self.decide(Some(*game), Some(order)),
                Entry::Result { .. } => self.decide(Some(*game), None),
                _ => {}
            },
            Entry::State { state: State::Playing | State::AwaitingArbiter } => {
                self.alerts.iter_mut().for_each(|matter| matter.before = None);
            }
            Entry::State { .. }
            | Entry::Paired { .. }
            | Entry::Final { .. }
            | Entry::Corrected { .. }
            | Entry::Instants { .. }
            | Entry::Voice { .. }
            | Entry::Verdict { .. }
            | Entry::Shown { .. }
            | Entry::Round { .. } => {}
        }
    }

    /// What stands on the board is for the staff alone.
    pub fn hide_board(&mut self) {
        self.board = None;
        self.differs.clear();
    }

    /// What may decide the last game waits on until somebody has decided it, and nothing else does.
    fn begin(&mut self, next: u32, game: u32, state: State) {
        let last = (game < next && state != State::Ended).then_some(game);
        let proposal =
            self.proposal.take().filter(|offer| offer.game.is_some() || (last.is_some() && offer.result.is_some()));
        let proposal = proposal.map(|offer| Proposal { game: offer.game.or(last), ..offer });
        let mut alerts = std::mem::take(&mut self.alerts);
        alerts.retain_mut(|matter| {
            let decides = matter.alert.severity == Severity::Critical && matter.stage != Progress::Settled;
            matter.game = matter.game.or(last);
            decides && matter.game.is_some()
        });
        *self = Matters { alerts, proposal, ..Matters::default() };
    }

    /// That game, the one that is on if it is `None`, is decided, or goes on: what was raised in it is settled.
    fn decide(&mut self, game: Option<u32>, by: Option<&Command>) {
        self.proposal.take_if(|offer| offer.game == game);
        self.settle(by, |matter| matter.game == game);
    }

    /// The game ends with a result: whatever waited is settled, until somebody takes the result back.
    fn end(&mut self, by: Option<&Command>) {
        let waiting = |matter: &&mut Matter| matter.stage != Progress::Settled && matter.game.is_none();
        self.alerts.iter_mut().filter(waiting).for_each(|matter| matter.before = Some(matter.stage));
        self.decide(None, by);
    }

    /// The result is taken back: what it had settled waits as it did before.
    fn reopen(&mut self) {
        for matter in &mut self.alerts {
            if let Some(stage) = matter.before.take() {
                (matter.stage, matter.by) = (stage, None);
            }
        }
    }

    fn raise(&mut self, alert: &Alert, at: u64) {
        if alert.kind == AlertKind::AlertWithdrawn {
            return self.withdraw(alert.of);
        }
        if alert.kind == AlertKind::LinkRestored {
            self.settle(None, |of| matches!(of.alert.kind, AlertKind::LinkLost | AlertKind::BoardSilent));
        }
        if alert.kind == AlertKind::PositionRestored {
            self.settle(None, |of| matches!(of.alert.kind, AlertKind::DisplacedPieces | AlertKind::PositionMismatch));
        }
        // The lines of the last one are those to choose from.
        if alert.kind == AlertKind::Ambiguous {
            self.settle(None, |of| of.alert.kind == AlertKind::Ambiguous);
        }
        // Whoever is on the way to an illegal move has to know that nobody may act on it any more.
        let stands = alert.kind == AlertKind::IllegalMoveStands;
        if stands {
            self.settle(None, |of| is_of_illegal_move(of.alert.kind) && of.alert.side == alert.side);
        }
        // The staff has one picture: what is for one of them alone is told beside it.
        let is_for_all = [Staff::Operator, Staff::Arbiter].iter().all(|staff| alert.audience.contains(staff));
        if (alert.severity >= Severity::Minor || stands) && is_for_all {
            let alert = Box::new(alert.clone());
            self.alerts.push(Matter { at, stage: Progress::Open, game: None, by: None, alert, before: None });
        }
    }

    /// Somebody has said what the record is: there is nothing to choose from any more, and nothing lacks where moves were
    /// written down.
    fn mend(&mut self, new: &[String]) {
        let written = !new.is_empty();
        self.settle(None, |of| of.alert.kind == AlertKind::Ambiguous || written && of.alert.kind == AlertKind::Resync);
    }

    /// The last of its kind was never said.
    fn withdraw(&mut self, of: Option<AlertKind>) {
        if let Some(last) = self.alerts.iter().rposition(|matter| Some(matter.alert.kind) == of) {
            self.alerts.remove(last);
        }
    }

    fn obey(&mut self, order: &Command) {
        if let Command::Acknowledge { until } = order {
            let seen = |matter: &&mut Matter| matter.at <= *until && matter.stage == Progress::Open;
            return self.alerts.iter_mut().filter(seen).for_each(|matter| matter.stage = Progress::Acknowledged);
        }
        if let Command::Dismiss { kind, at, .. } = order {
            let named = |matter: &&mut Matter| matter.alert.kind == *kind && matter.at == *at;
            self.alerts.iter_mut().filter(named).for_each(|matter| matter.settle_by(Some(order)));
            return self.forget_old();
        }
        if let Command::Choose { .. } = order {
            return self.settle(Some(order), |of| matches!(of.alert.kind, AlertKind::Ambiguous | AlertKind::Resync));
        }
        if !is_ruling(order) {
            return;
        }
        if let Command::Penalty { side, penalty, seconds, .. } = order {
            self.charge(*side, *penalty, *seconds, order);
        } else {
            self.decide(None, Some(order));
        }
    }

    /// A penalty settles the offence for which just that is proposed, the last one of its player, and nothing besides: it
    /// may have been given for anything. Nor is it yet an answer to what is proposed.
    fn charge(&mut self, side: Side, penalty: Penalty, seconds: Option<u32>, order: &Command) {
        let of = |given: Option<Seconds>, side: Side| {
            given.and_then(|given| match side {
                Side::White => given.white,
                Side::Black => given.black,
            })
        };
        let asked = self.proposal.as_ref().filter(|offer| offer.game.is_none()).and_then(|offer| match penalty {
            Penalty::OpponentTime => of(offer.bonus_s, side.other()),
            Penalty::OwnTime => of(offer.charge_s, side),
            Penalty::Warning
            | Penalty::OpponentPoints
            | Penalty::OwnPoints
            | Penalty::Loss
            | Penalty::Fine
            | Penalty::Exclusion
            | Penalty::Expulsion => None,
        });
        if asked.is_none() || asked != seconds {
            return;
        }
        let is_meant = |matter: &&mut Matter| {
            let waits = matter.stage != Progress::Settled && matter.game.is_none();
            waits && matter.alert.side == Some(side) && has_tariff(matter.alert.kind)
        };
        self.alerts.iter_mut().rev().find(is_meant).into_iter().for_each(|matter| matter.settle_by(Some(order)));
        self.forget_old();
    }

    fn settle(&mut self, by: Option<&Command>, which: impl Fn(&Matter) -> bool) {
        let waiting = self.alerts.iter_mut().filter(|matter| matter.stage != Progress::Settled);
        waiting.filter(|matter| which(matter)).for_each(|matter| matter.settle_by(by));
        self.forget_old();
    }

    fn forget_old(&mut self) {
        let settled = |matter: &Matter| matter.stage == Progress::Settled;
        let mut over = self.alerts.iter().filter(|matter| settled(matter)).count().saturating_sub(SETTLED_KEPT);
        self.alerts.retain(|matter| {
            let goes = over > 0 && settled(matter);
            over -= usize::from(goes);
            !goes
        });
    }
}

impl Matter {
    fn settle_by(&mut self, order: Option<&Command>) {
        self.stage = Progress::Settled;
        self.by = order.cloned().map(Box::new);
    }
}

/// What costs time by the Laws.
fn has_tariff(kind: AlertKind) -> bool {
    matches!(
        kind,
        AlertKind::IllegalMoveCompleted
            | AlertKind::NoMoveClockPress
            | AlertKind::PromotionIncomplete
            | AlertKind::ClaimNotConfirmed
    )
}

fn is_of_illegal_move(kind: AlertKind) -> bool {
    matches!(kind, AlertKind::IllegalMoveCompleted | AlertKind::IllegalLimitReached)
}

/// Whether an order is an answer to what a table has raised.
fn is_ruling(order: &Command) -> bool {
    matches!(
        order,
        Command::Confirm
            | Command::Reject
            | Command::Resume
            | Command::Start
            | Command::Restore { .. }
            | Command::Penalty { .. }
            | Command::Adjourn { .. }
            | Command::OpenSealed { .. }
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::feed::ResultReason;

    #[test]
    fn an_alert_is_open_then_acknowledged_then_settled_by_the_order_that_answers_it() {
        let mut matters = Matters::default();
        told(&mut matters, AlertKind::IllegalMoveCompleted, 10);
        told(&mut matters, AlertKind::FlagFall, 20);
        matters.enter(&noted(Command::Acknowledge { until: 10 }), 1, State::AwaitingArbiter, 30);
        assert_eq!(stages(&matters), [Progress::Acknowledged, Progress::Open]);
        matters.enter(&noted(Command::Restore { to: 3 }), 1, State::AwaitingArbiter, 40);
        assert_eq!(stages(&matters), [Progress::Settled, Progress::Settled]);
        assert_eq!(matters.alerts[0].by.as_deref(), Some(&Command::Restore { to: 3 }));
    }

    #[test]
    fn a_result_that_is_taken_back_leaves_what_it_had_settled_as_it_was() {
        let mut matters = Matters::default();
        told(&mut matters, AlertKind::TouchMoveSuspect, 5);
        let nothing = Command::Dismiss { kind: AlertKind::TouchMoveSuspect, at: 5, note: String::new() };
        matters.enter(&noted(nothing), 1, State::Playing, 6);
        told(&mut matters, AlertKind::IllegalMoveCompleted, 10);
        matters.enter(&noted(Command::Acknowledge { until: 10 }), 1, State::AwaitingArbiter, 11);
        told(&mut matters, AlertKind::IllegalLimitReached, 12);
        let lost = Proposal { result: Some(GameResult::BlackWins), ..Proposal::default() };
        matters.enter(&Entry::Proposal(lost), 1, State::AwaitingArbiter, 12);
        let before = matters.alerts.clone();
        let (result, reason) = (GameResult::BlackWins, ResultReason::SecondIllegalMove);
        matters.enter(&noted(Command::Confirm), 1, State::AwaitingArbiter, 20);
        matters.enter(&Entry::Result { result, reason, score: None }, 1, State::AwaitingArbiter, 20);
        assert_eq!(stages(&matters), [Progress::Settled; 3]);
        let (result, reason) = (GameResult::Open, ResultReason::Arbiter);
        matters.enter(&Entry::Result { result, reason, score: None }, 1, State::Ended, 30);
        assert_eq!(matters.alerts, before);
        // A result that is given when the game has gone on brings back nothing of that.
        matters.enter(&noted(Command::Reject), 1, State::AwaitingArbiter, 40);
        matters.enter(&Entry::State { state: State::Playing }, 1, State::AwaitingArbiter, 40);
        matters.enter(&Entry::Result { result, reason, score: None }, 1, State::Ended, 50);
        assert_eq!(stages(&matters), [Progress::Settled; 3]);
    }

    #[test]
    fn what_came_after_an_acknowledgement_was_made_is_still_open() {
        let mut matters = Matters::default();
        told(&mut matters, AlertKind::TouchMoveSuspect, 10);
        told(&mut matters, AlertKind::FlagFall, 12);
        matters.enter(&noted(Command::Acknowledge { until: 11 }), 1, State::Playing, 13);
        assert_eq!(stages(&matters), [Progress::Acknowledged, Progress::Open]);
    }

    #[test]
    fn one_alert_is_dismissed_by_its_kind_and_time_and_the_others_stay() {
        let mut matters = Matters::default();
        told(&mut matters, AlertKind::TouchMoveSuspect, 10);
        told(&mut matters, AlertKind::TouchMoveSuspect, 20);
        let dismiss = Command::Dismiss { kind: AlertKind::TouchMoveSuspect, at: 10, note: "adjusted".into() };
        matters.enter(&noted(dismiss), 1, State::Playing, 30);
        assert_eq!(stages(&matters), [Progress::Settled, Progress::Open]);
    }

    #[test]
    fn what_is_confirmed_is_the_same_alert_and_may_be_no_misreading_any_more() {
        let mut matters = Matters::default();
        let alert = Alert { unconfirmed: true, ..Alert::new(AlertKind::IllegalMoveCompleted) };
        matters.enter(&Entry::Alert(Box::new(alert)), 1, State::Playing, 10);
        matters.enter(&Entry::Confirmed { of: AlertKind::IllegalMoveCompleted }, 1, State::Playing, 11);
        let [Matter { at: 10, alert, .. }] = &matters.alerts[..] else { panic!("{matters:?}") };
        assert!(!alert.unconfirmed);
    }

    #[test]
    fn what_is_withdrawn_was_never_said() {
        let mut matters = Matters::default();
        told(&mut matters, AlertKind::IllegalMoveCompleted, 10);
        let of = Some(AlertKind::IllegalMoveCompleted);
        let withdrawn = Alert { of, ..Alert::new(AlertKind::AlertWithdrawn) };
        matters.enter(&Entry::Alert(Box::new(withdrawn)), 1, State::Playing, 11);
        assert!(matters.alerts.is_empty());
    }

    #[test]
    fn an_illegal_move_that_stands_is_told_in_place_of_what_it_would_have_cost() {
        let mut matters = Matters::default();
        let (completed, stands) = (AlertKind::IllegalMoveCompleted, AlertKind::IllegalMoveStands);
        for (side, kind, at) in [(Side::Black, completed, 10), (Side::White, completed, 20), (Side::White, stands, 30)]
        {
            let alert = Alert { side: Some(side), ..Alert::new(kind) };
            matters.enter(&Entry::Alert(Box::new(alert)), 1, State::Playing, at);
        }
        assert_eq!(stages(&matters), [Progress::Open, Progress::Settled, Progress::Open]);
    }

    #[test]
    fn a_penalty_settles_the_offence_it_is_asked_for_and_leaves_the_proposal() {
        let after = |side, penalty, seconds| {
            let mut matters = Matters::default();
            for (kind, at) in [
                (AlertKind::NoMoveClockPress, 10),
                (AlertKind::IllegalMoveCompleted, 20),
                (AlertKind::TouchMoveSuspect, 30),
            ] {
                let alert = Alert { side: Some(Side::White), ..Alert::new(kind) };
                matters.enter(&Entry::Alert(Box::new(alert)), 1, State::AwaitingArbiter, at);
            }
            let bonus_s = Some(Seconds { white: None, black: Some(120) });
            matters.enter(&Entry::Proposal(Proposal { bonus_s, ..Proposal::default() }), 1, State::AwaitingArbiter, 40);
            let order = Command::Penalty { side, penalty, seconds, note: "telephone rang".into() };
            matters.enter(&noted(order), 1, State::AwaitingArbiter, 50);
            assert!(matters.proposal.is_some());
            stages(&matters)
        };
        use Progress::{Open, Settled};
        assert_eq!(after(Side::White, Penalty::OpponentTime, Some(120)), [Open, Settled, Open]);
        assert_eq!(after(Side::White, Penalty::Warning, None), [Open; 3]);
        assert_eq!(after(Side::Black, Penalty::Warning, None), [Open; 3]);
        assert_eq!(after(Side::Black, Penalty::OpponentTime, Some(120)), [Open; 3]);
        assert_eq!(after(Side::White, Penalty::OpponentTime, Some(60)), [Open; 3], "that is another penalty");
    }

    #[test]
    fn what_was_played_unheard_waits_for_a_line_that_is_chosen_or_written_down() {
        use Progress::{Open, Settled};
        let after = |entries: &[Entry]| {
            let mut matters = Matters::default();
            for (kind, at) in [(AlertKind::Resync, 10), (AlertKind::Ambiguous, 20), (AlertKind::TouchMoveSuspect, 30)] {
                told(&mut matters, kind, at);
            }
            entries.iter().for_each(|entry| matters.enter(entry, 1, State::Playing, 40));
            stages(&matters)
        };
        let corrected = |new: &[&str]| Entry::Corrected {
            from_ply: 3,
            old: vec!["Nf3".into()],
            new: new.iter().map(|san| (*san).to_owned()).collect(),
            reason: Correction::Arbiter,
        };
        let again = Entry::Alert(Box::new(Alert::new(AlertKind::Ambiguous)));
        assert_eq!(after(&[noted(Command::Choose { alternative: 2 })]), [Settled, Settled, Open]);
        assert_eq!(after(&[corrected(&["Nc3", "Nc6"])]), [Settled, Settled, Open]);
        assert_eq!(after(&[corrected(&[])]), [Open, Settled, Open], "moves lack still");
        assert_eq!(after(&[again]), [Open, Settled, Open, Open], "there are other lines to choose from");
    }

    #[test]
    fn a_result_ends_what_waited_and_one_nobody_has_confirmed_outlives_the_next_game() {
        let mut matters = Matters::default();
        let proposal = Proposal {
            result: Some(GameResult::Draw),
            reason: Some(ResultReason::KingsInCentre),
            ..Proposal::default()
        };
        matters.enter(&Entry::Proposal(proposal), 1, State::AwaitingArbiter, 10);
        let started = Entry::Started { game: 2, fen: String::new(), variant: crate::feed::Variant::Standard };
        matters.enter(&started, 1, State::AwaitingArbiter, 20);
        assert_eq!(matters.proposal.as_ref().and_then(|offer| offer.game), Some(1));
        let result = Entry::Result { result: GameResult::Draw, reason: ResultReason::Arbiter, score: None };
        matters.enter(&result, 2, State::Playing, 30);
        assert!(matters.proposal.is_some(), "that was another game");
        matters.enter(&Entry::Earlier { game: 1, entry: Box::new(result) }, 2, State::Ended, 40);
        assert!(matters.proposal.is_none());
    }

    #[test]
    fn what_may_decide_a_game_waits_for_an_order_about_that_game() {
        let flag = |order: Option<Command>| {
            let mut matters = Matters::default();
            told(&mut matters, AlertKind::TouchMoveSuspect, 10);
            told(&mut matters, AlertKind::FlagFall, 20);
            let offer = Proposal { result: Some(GameResult::BlackWins), ..Proposal::default() };
            matters.enter(&Entry::Proposal(offer), 1, State::AwaitingArbiter, 20);
            let started = Entry::Started { game: 2, fen: String::new(), variant: crate::feed::Variant::Standard };
            matters.enter(&started, 1, State::AwaitingArbiter, 30);
            assert_eq!(
                matters.alerts.iter().map(|matter| (matter.at, matter.game)).collect::<Vec<_>>(),
                [(20, Some(1))]
            );
            let resigned = Entry::Result { result: GameResult::Draw, reason: ResultReason::Arbiter, score: None };
            matters.enter(&noted(Command::Resume), 2, State::Playing, 40);
            matters.enter(&resigned, 2, State::Playing, 50);
            assert_eq!((stages(&matters), matters.proposal.is_some()), (vec![Progress::Open], true));
            if let Some(order) = order {
                let entry = Box::new(noted(order));
                matters.enter(&Entry::Earlier { game: 1, entry }, 2, State::Ended, 60);
            }
            (stages(&matters), matters.proposal.is_some())
        };
        assert_eq!(flag(None), (vec![Progress::Open], true));
        assert_eq!(flag(Some(Command::Confirm)), (vec![Progress::Settled], false));
        assert_eq!(flag(Some(Command::Reject)), (vec![Progress::Settled], false));
    }

    #[test]
    fn of_what_is_settled_the_newest_stay() {
        let mut matters = Matters::default();
        for at in 0..20 {
            told(&mut matters, AlertKind::TouchMoveSuspect, at);
        }
        matters.enter(&noted(Command::Resume), 1, State::Playing, 30);
        assert_eq!(matters.alerts.iter().map(|matter| matter.at).collect::<Vec<_>>(), (12..20).collect::<Vec<_>>());
    }

    fn told(matters: &mut Matters, kind: AlertKind, at: u64) {
        matters.enter(&Entry::Alert(Box::new(Alert::new(kind))), 1, State::Playing, at);
    }

    fn noted(order: Command) -> Entry {
        Entry::Noted { order: Box::new(order) }
    }

    fn stages(matters: &Matters) -> Vec<Progress> {
        matters.alerts.iter().map(|matter| matter.stage).collect()
    }
}
