//! What the clock shows beside what it should show, from one reading to the next.

use laws::clock::Control;
use shakmaty::ByColor;

use super::{
    clock::Faces,
    own_count::{Off, OwnCount, Progress},
    setting::Setting,
};
use crate::{Millis, Settings};

/// What is counted beside the clock.
#[derive(Clone, Debug, Default)]
pub(crate) struct Comparison {
    own: Option<OwnCount>,
    /// The clock has run in this game.
    begun: bool,
    /// The arbiter was told that the clock disagrees, and nobody has touched it since, as far as can be heard.
    told: bool,
    /// What the arbiter has said the clocks would be set to, while they do not show it.
    ordered: Option<Setting>,
}

/// What a clock that runs shows, and what is known of the game it is for.
pub(crate) struct Reading<'a> {
    pub(crate) faces: Faces,
    /// It did not run at the reading before.
    pub(crate) stood: bool,
    pub(crate) control: Option<&'a Control>,
    pub(crate) progress: ByColor<Progress>,
}

impl Comparison {
    /// Whatever the clock shows next is believed.
    pub(crate) fn forget(&mut self) {
        self.forget_count();
        self.told = false;
        self.begun = true;
    }

    /// There is nothing to compare with.
    pub(crate) fn forget_count(&mut self) {
        self.own = None;
        self.ordered.iter_mut().for_each(Setting::wait);
    }

    /// A clock that stands may be set. Before it runs for the first time it is compared with what was agreed.
    pub(crate) fn stand(&mut self) {
        if self.begun { self.forget() } else { self.forget_count() }
    }

    /// The clocks will be set to these times, or have been: what they show then is believed.
    pub(crate) fn set(&mut self, times: ByColor<Millis>, now: Millis) {
        self.forget();
        self.ordered = Some(Setting::to(times, now));
    }

    pub(crate) fn hear(&mut self, reading: &Reading, settings: &Settings, now: Millis) {
        let Reading { faces, stood, control, progress } = *reading;
        let first = !std::mem::replace(&mut self.begun, true);
        let begins = first && stood && progress.iter().all(|progress| progress.completed == 0);
        if self.told {
            return;
        }
        self.ordered.take_if(|ordered| !ordered.hear(faces, stood, settings, now));
        let agreed = control.filter(|_| begins).map(|control| OwnCount::at_beginning(control, faces.running, now));
        let afresh = || OwnCount::from(faces, control, progress, now);
        let Some(mut own) = agreed.or_else(|| self.own.take()) else {
            self.own = Some(afresh());
            return;
        };
        let compared = own.hear(faces, settings, now);
        let doubted = own.off().iter().any(Option::is_some);
        let set = self.ordered.take_if(|ordered| doubted && ordered.is_shown(faces, settings, now));
        self.own = Some(if compared && set.is_none() { own } else { afresh() });
    }

    /// When the clock will have shown something else than we count for a while.
    pub(crate) fn doubted_until(&self, settings: &Settings) -> Option<Millis> {
        let doubt = self.own.as_ref().and_then(|own| own.doubted_until(settings));
        let overdue = self.ordered.as_ref().and_then(Setting::overdue_at);
        [doubt, overdue].into_iter().flatten().min()
    }

    /// It has: what is off is nothing to count from.
    pub(crate) fn take_doubt(&mut self, settings: &Settings, now: Millis) -> Option<ByColor<Option<Off>>> {
        let overdue = self.ordered.take_if(|ordered| ordered.overdue_at().is_some_and(|at| at <= now));
        let own = self.own.take();
        overdue.map(|ordered| ordered.off(settings)).or_else(|| own.map(|own| own.off()))
    }

    /// The arbiter is told.
    pub(crate) fn tell(&mut self) {
        self.told = true;
        self.ordered = None;
    }
}
