//! The arbiter's desk: what state the game is in, what waits for a decision, and what was counted against the players.

mod cost;
mod forfeit;
mod pile;

use protocol::feed::{AlertKind, GameResult, Proposal, Side, State};
use shakmaty::{ByColor, Color};

use crate::{Ply, hand::Certainty};

pub(crate) use forfeit::{Forfeit, Pending, Prospect};
use pile::Pile;
pub(crate) use pile::{Awaiting, Raised};

/// What lies on the arbiter's desk.
#[derive(Clone, Debug, Default)]
pub(crate) struct Desk {
    phase: Phase,
    /// What the arbiter has to look at.
    pile: Pile,
    /// What lay there when the game ended, as long as that may be taken back.
    closed: Option<Closed>,
    /// The result that was offered for a game before this one, which it names, until somebody has decided that.
    left: Option<Proposal>,
    /// Something else was offered since that was told last.
    left_is_covered: bool,
    /// The game before this one that nobody has decided yet, whether or not a result was offered for it: the latest.
    left_undecided: Option<u32>,
    /// Completed illegal moves, and what counts as one: as many as the arbiter said there were.
    offences: ByColor<u32>,
    /// By which alert each was told since, and whose it is.
    counted: Vec<(Raised, Color)>,
    /// Forfeits of which it is not known whether the opponent can mate.
    pending: Vec<Pending>,
    /// What the kings have shown last.
    signalled: Option<GameResult>,
    /// How things stood before something that may have been misread.
    before: Option<Before>,
    /// The ply that was made last, if it is in question whether it may stand.
    in_question: Option<Ply>,
}

/// The desk as it was before something that may have been misread, and what is needed to put it back.
#[derive(Clone, Debug)]
struct Before {
    desk: Box<Desk>,
    /// What has been said since.
    said: Vec<AlertKind>,
    /// What it has left on the desk.
    left: Option<Proposal>,
    /// A man may be read beside its square.
    misread: bool,
    /// It is not confirmed yet.
    unconfirmed: bool,
    /// What is reached once it is.
    limit: Option<Limit>,
}

/// As many offences as lose a game.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limit {
    pub(crate) side: Side,
    pub(crate) count: u32,
    /// The alert that told of the last one.
    pub(crate) of: Raised,
}

/// What lay on the desk when the game ended.
#[derive(Clone, Debug)]
struct Closed {
    pile: Pile,
    pending: Vec<Pending>,
}

/// What was withdrawn.
#[derive(Clone, Debug)]
pub(crate) struct Recalled {
    /// These alerts.
    pub(crate) said: Vec<AlertKind>,
    /// Something else is offered now.
    pub(crate) offered: bool,
    /// The game is in another state now.
    pub(crate) called: bool,
}

/// Where the game stands.
#[derive(Clone, Copy, Debug, Default)]
enum Phase {
    #[default]
    Waiting,
    /// It is on, unless something that lies on the desk stops it.
    Playing,
    Ended,
}

impl Desk {
    /// A game begins with an empty desk. What was offered as the result of the one that was `played` last stays until
    /// somebody has decided that, and so does that something about it is undecided.
    pub(crate) fn begin(&mut self, played: Option<u32>) {
        let left_undecided = played.filter(|_| self.waits_for_decision()).or(self.left_undecided);
        let offered = self.pile.take_offers().filter(|offer| offer.result.is_some() && !self.has_ended());
        let left = played.and(offered).map(|offer| Proposal { game: played, ..offer }).or_else(|| self.left.take());
        let left_is_covered = left.is_some();
        *self = Desk { phase: Phase::Playing, left, left_is_covered, left_undecided, ..Desk::default() };
    }

    /// What was offered for an earlier game is taken from the desk: it is decided.
    pub(crate) fn take_left(&mut self) -> Option<Proposal> {
        let left = self.left.take()?;
        self.left_undecided.take_if(|undecided| Some(*undecided) == left.game);
        Some(left)
    }

    /// That game has a result: nothing is offered for it any more.
    pub(crate) fn forget_left(&mut self, game: u32) {
        self.left.take_if(|offer| offer.game == Some(game));
        self.left_undecided.take_if(|undecided| *undecided == game);
    }

    /// What was offered for an earlier game, where that has to be told because nothing else is offered any more.
    pub(crate) fn uncover_left(&mut self) -> Option<Proposal> {
        let left = self.left.clone().filter(|_| self.offered().is_none() && self.left_is_covered)?;
        self.left_is_covered = false;
        Some(left)
    }

    /// The game goes on. True if it did not before.
    pub(crate) fn go_on(&mut self) -> bool {
        let before = self.state();
        self.pending.clear();
        self.signalled = None;
        self.forget_before();
        self.pile.call_off();
        self.closed = None;
        self.phase = Phase::Playing;
        before != State::Playing
    }

    /// The game is over. True if it was not before.
    pub(crate) fn end(&mut self) -> bool {
        let before = self.state();
        let pending = std::mem::take(&mut self.pending);
        if before != State::Ended {
            self.closed = Some(Closed { pile: self.pile.clone(), pending });
        }
        self.forget_before();
        self.phase = Phase::Ended;
        before != State::Ended
    }

    /// The end is taken back: what lay on the desk lies there again. True if the game waits for that.
    pub(crate) fn reopen(&mut self) -> bool {
        let closed = self.closed.take().filter(|closed| closed.pile.awaiting().is_some());
        let Some(Closed { pile, pending }) = closed else { return false };
        (self.phase, self.pile, self.pending) = (Phase::Playing, pile, pending);
        true
    }

    /// The arbiter has something to look at that came `from` these alerts, after this ply. What waits for a decision goes
    /// on waiting for it. True if nobody had called before.
    pub(crate) fn call(&mut self, from: Vec<Raised>, awaiting: Awaiting, ply: Ply) -> bool {
        let before = self.state();
        if matches!(before, State::Playing | State::AwaitingArbiter) {
            self.pile.lay_call(from, awaiting, ply);
        }
        before == State::Playing
    }

    /// A ply completed now puts right what the arbiter was called for.
    pub(crate) fn is_put_right_by(&self, completed: Ply) -> bool {
        let is_later = self.pile.called_at().is_some_and(|ply| completed > ply);
        self.is_on() && self.pile.awaiting() == Some(Awaiting::Board) && is_later
    }

    /// What was offered for an earlier game.
    pub(crate) fn left(&self) -> Option<&Proposal> {
        self.left.as_ref()
    }

    /// Somebody has still to decide something, about this game or about an earlier one.
    pub(crate) fn is_undecided(&self) -> bool {
        self.left.is_some() || self.left_undecided.is_some() || self.waits_for_decision()
    }

    /// Something is offered for this game, or it stands still until somebody has decided how it goes on.
    fn waits_for_decision(&self) -> bool {
        let stands_still = self.pile.awaiting() == Some(Awaiting::Decision);
        self.is_on() && (stands_still || self.offered().is_some())
    }

    pub(crate) fn state(&self) -> State {
        match self.phase {
            Phase::Waiting => State::Waiting,
            Phase::Playing if self.pile.awaiting().is_some() => State::AwaitingArbiter,
            Phase::Playing => State::Playing,
            Phase::Ended => State::Ended,
        }
    }

    pub(crate) fn is_playing(&self) -> bool {
        self.state() == State::Playing
    }

    /// What the board shows matters: the game is on, or it goes on as soon as the board is put right.
    pub(crate) fn needs_board(&self) -> bool {
        self.is_on() && self.pile.awaiting() != Some(Awaiting::Decision)
    }

    /// The game is on, or the arbiter is at the table.
    pub(crate) fn is_on(&self) -> bool {
        matches!(self.phase, Phase::Playing)
    }

    pub(crate) fn has_ended(&self) -> bool {
        self.state() == State::Ended
    }

    /// The arbiter is offered this to decide, because of these alerts. Only the latest offer can be decided.
    pub(crate) fn offer(&mut self, from: Vec<Raised>, proposal: Proposal) {
        self.pile.lay_offer(from, proposal);
        self.left_is_covered = true;
    }

    /// This is offered in place of that. True if the arbiter was offered that to decide.
    pub(crate) fn amend(&mut self, offered: &Proposal, proposal: &Proposal) -> bool {
        self.change_offers(|offer| Some(if offer == offered { proposal } else { offer }.clone()))
    }

    /// The players have put things right: of what is offered only what it costs is open. True if that is something else.
    pub(crate) fn keep_cost(&mut self) -> bool {
        self.change_offers(cost::left_of)
    }

    /// An illegal move stands: what was offered about it is taken from the desk. Gives what the arbiter was offered of that.
    pub(crate) fn let_stand(&mut self) -> Option<Proposal> {
        let offered = self.offered().cloned();
        let is_taken = self.change_offers(|offer| (!cost::is_of_illegal_move(offer)).then(|| offer.clone()));
        offered.filter(|_| is_taken)
    }

    /// What is offered is taken from the desk.
    pub(crate) fn take_offer(&mut self) -> Option<Proposal> {
        self.pile.take_offers()
    }

    /// Nothing is left to look at.
    pub(crate) fn clear(&mut self) {
        self.pile = Pile::default();
    }

    /// There is nothing to do about this alert: what came from it is taken from the desk. Gives the alerts that had
    /// followed from it.
    pub(crate) fn take_away(&mut self, alert: Raised) -> Vec<Raised> {
        self.pile.take_away(alert)
    }

    pub(crate) fn offered(&self) -> Option<&Proposal> {
        self.pile.offered()
    }

    /// True if the arbiter is offered something else now.
    fn change_offers(&mut self, change: impl Fn(&Proposal) -> Option<Proposal>) -> bool {
        let before = self.offered().cloned();
        self.pile.change_offers(change);
        self.offered() != before.as_ref()
    }

    /// One more of what counts against this player, which this alert tells.
    pub(crate) fn count(&mut self, side: Color, told: Raised) -> u32 {
        self.counted.push((told, side));
        self.offences_of(side)
    }

    /// What one alert has told is told by another one from here on.
    pub(crate) fn tell_again(&mut self, told: Raised, again: Raised) {
        self.counted.iter_mut().filter(|(by, _)| *by == told).for_each(|(by, _)| *by = again);
    }

    /// How many illegal moves White and Black have completed.
    pub(crate) fn offences(&self) -> [u32; 2] {
        [Color::White, Color::Black].map(|side| self.offences_of(side))
    }

    fn offences_of(&self, side: Color) -> u32 {
        let since = self.counted.iter().filter(|(_, by)| *by == side);
        since.fold(*self.offences.get(side), |count, _| count + 1)
    }

    /// The arbiter says how many there are.
    pub(crate) fn set_offences(&mut self, offences: ByColor<u32>) {
        self.offences = offences;
        self.counted.clear();
    }

    /// There is nothing to do about this alert: what it has told counts against nobody.
    pub(crate) fn discount(&mut self, alert: Raised) {
        self.counted.retain(|(told, _)| *told != alert);
    }

    /// The kings show a result; of several the latest counts. True if it is another one than before.
    pub(crate) fn signal(&mut self, result: GameResult) -> bool {
        self.signalled.replace(result) != Some(result)
    }

    /// The ply that was made last, if it is in question whether it may stand.
    pub(crate) fn question(&mut self, ply: Option<Ply>) {
        self.in_question = ply;
    }

    pub(crate) fn is_questioned(&self, ply: Ply) -> bool {
        self.in_question == Some(ply)
    }

    /// What is searched for the same forfeit is replaced by this, or by nothing.
    pub(crate) fn await_search(&mut self, forfeit: Forfeit, pending: Option<Pending>) {
        self.pending.retain(|pending| pending.forfeit != forfeit);
        self.pending.extend(pending);
    }

    /// Nothing is searched for any forfeit.
    pub(crate) fn await_nothing(&mut self) {
        self.pending.clear();
    }

    /// Takes away those forfeits of which this is so.
    pub(crate) fn take_pending(&mut self, is_so: impl Fn(&Pending) -> bool) -> Vec<Pending> {
        let (taken, left) = std::mem::take(&mut self.pending).into_iter().partition(is_so);
        self.pending = left;
        taken
    }

    pub(crate) fn pending(&self) -> &[Pending] {
        &self.pending
    }

    /// Something is told that may turn out to be the sensors' doing: how things stood before is kept.
    pub(crate) fn remember(&mut self, certainty: Certainty) {
        // What is sure is withdrawn only with all that was said before it.
        if certainty != Certainty::Sure || self.before.is_none() {
            let desk = Box::new(self.clone());
            let (misread, unconfirmed) = (certainty != Certainty::Sure, certainty == Certainty::Unconfirmed);
            self.before = Some(Before { desk, said: Vec::new(), left: None, misread, unconfirmed, limit: None });
        }
    }

    /// These alerts were said of it.
    pub(crate) fn doubt(&mut self, alerts: Vec<AlertKind>) {
        if let Some(before) = &mut self.before {
            before.said.extend(alerts);
            before.left = self.pile.offered().cloned();
        }
    }

    /// Nothing else was offered since: what was said can be withdrawn.
    fn can_recall(&self) -> bool {
        self.before.as_ref().is_some_and(|before| before.left.as_ref() == self.offered())
    }

    pub(crate) fn is_unconfirmed(&self) -> bool {
        self.before.as_ref().is_some_and(|before| before.unconfirmed)
    }

    /// Too many offences: true if that waits until the last one is confirmed.
    pub(crate) fn wait_with(&mut self, limit: Limit) -> bool {
        let Some(before) = self.before.as_mut().filter(|before| before.unconfirmed) else { return false };
        before.limit = Some(limit);
        true
    }

    /// It is confirmed. Gives the limit that is reached with it.
    pub(crate) fn confirm(&mut self) -> Option<Limit> {
        let before = self.before.as_mut()?;
        before.unconfirmed = false;
        before.limit.take()
    }

    /// It was misread: things stand as they stood.
    pub(crate) fn recall(&mut self) -> Option<Recalled> {
        let (state, offer) = (self.state(), self.offered().cloned());
        let said = self.step_back(|before| before.misread)?;
        Some(Recalled { said, offered: self.offered() != offer.as_ref(), called: self.state() != state })
    }

    /// All that was said since the last ply was said for nothing.
    pub(crate) fn recall_all(&mut self) -> Option<Recalled> {
        let (state, offer) = (self.state(), self.offered().cloned());
        let mut withdrawn = Vec::new();
        while let Some(said) = self.step_back(|_| true) {
            withdrawn.splice(..0, said);
        }
        let recalled =
            Recalled { said: withdrawn, offered: self.offered() != offer.as_ref(), called: self.state() != state };
        (!recalled.said.is_empty()).then_some(recalled)
    }

    /// Things stand as they stood before the last thing of this kind. Gives what was said since.
    fn step_back(&mut self, is_meant: impl FnOnce(&Before) -> bool) -> Option<Vec<AlertKind>> {
        let can_recall = self.can_recall();
        let Before { desk, said, .. } = self.before.take_if(|before| can_recall && is_meant(before))?;
        *self = *desk;
        Some(said)
    }

    /// Somebody has decided something since, or what was told stands: nothing is put back.
    pub(crate) fn forget_before(&mut self) {
        self.before = None;
    }
}
