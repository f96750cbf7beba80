//! What the arbiter has said the clocks would be set to, until they show it, or for so long that they never will.

use shakmaty::{ByColor, Color};

use super::{clock::Faces, own_count::Off};
use crate::{Millis, Settings};

/// Whoever gives the order at a table has set its clock by then, and started it. Two minutes that are owed are mended
/// without a dispute while nobody has come to use them.
const SETTING_TAKES: Millis = 60_000;

/// Times that were ordered.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Setting {
    times: ByColor<Millis>,
    at: Millis,
    /// The clock runs on, and shows other times.
    owed: Option<Owed>,
}

/// What the faces lack, or have too much.
#[derive(Clone, Copy, Debug)]
struct Owed {
    since: Millis,
    /// What each face showed then, and what it shows.
    first: ByColor<Millis>,
    shown: ByColor<Millis>,
}

impl Setting {
    pub(crate) fn to(times: ByColor<Millis>, now: Millis) -> Setting {
        Setting { times, at: now, owed: None }
    }

    /// A clock that runs shows these. False if they are what was ordered, or a little less.
    pub(crate) fn hear(&mut self, faces: Faces, stood: bool, settings: &Settings, now: Millis) -> bool {
        if let Some(owed) = &mut self.owed {
            owed.shown = faces.left_ms;
            return true;
        }
        // A clock that has just been started shows what it was set to.
        let is_set = self.agrees(faces, if stood { 0 } else { now.saturating_sub(self.at) }, settings);
        if !is_set {
            self.owed = Some(Owed { since: now, first: faces.left_ms, shown: faces.left_ms });
        }
        !is_set
    }

    /// They show it, or as much less as may have passed since.
    pub(crate) fn is_shown(&self, faces: Faces, settings: &Settings, now: Millis) -> bool {
        self.agrees(faces, now.saturating_sub(self.at), settings)
    }

    fn agrees(&self, faces: Faces, ran: Millis, settings: &Settings) -> bool {
        Color::ALL.into_iter().all(|side| {
            let (shown, set) = (faces.left_ms[side], self.times[side]);
            shown <= set.saturating_add(settings.clock_off_ms)
                && shown.saturating_add(ran).saturating_add(settings.clock_off_ms) >= set
        })
    }

    /// The clock stands, or nobody plays: it may be set yet.
    pub(crate) fn wait(&mut self) {
        self.owed = None;
    }

    /// When it will have shown other times for too long.
    pub(crate) fn overdue_at(&self) -> Option<Millis> {
        Some(self.owed?.since + SETTING_TAKES)
    }

    /// What each face shows and what it should, where it is off.
    pub(crate) fn off(&self, settings: &Settings) -> ByColor<Option<Off>> {
        let Some(Owed { first, shown, .. }) = self.owed else { return ByColor::default() };
        ByColor::new_with(|side: Color| {
            let (first, shown_ms) = (first[side], shown[side]);
            let counted_ms = (shown_ms + self.times[side]).saturating_sub(first);
            (self.times[side].abs_diff(first) > settings.clock_off_ms).then_some(Off { shown_ms, counted_ms })
        })
    }
}
