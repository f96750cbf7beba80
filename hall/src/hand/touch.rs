//! Lifts and returns since the turn began: what was touched, in which order, how long, and what was knocked over.

use laws::touch::Touched;
use protocol::feed::TouchKind;
use shakmaty::{Color, Piece, Square};

use super::squares::{Change, Lifted};
use crate::{Millis, Settings};

/// The hands' contacts in one turn.
#[derive(Clone, Debug, Default)]
pub(super) struct Touches {
    contacts: Vec<Contact>,
    /// Men were knocked over, and are being put right.
    accident: bool,
    /// Men stand in holes: whatever leaves its hole is touched.
    pegs: bool,
    /// Nothing that is put back counts: it was announced, or the position is being restored.
    excused: bool,
    /// Men in the air together, so many that it is an accident if none of them only flickers.
    suspected: Vec<Lifted>,
}

/// A man was lifted; perhaps it came back.
#[derive(Clone, Copy, Debug)]
struct Contact {
    from: Square,
    piece: Piece,
    at: Millis,
    back: Option<Millis>,
    accident: bool,
    excused: bool,
    /// A dump has found it gone, or back: nobody knows since when, or whether by a hand.
    found: bool,
    /// It had only stopped there on its way.
    on_its_way: bool,
    /// Another man has stood there since then.
    covered: Option<Millis>,
}

impl Contact {
    /// It is this man's, who is in the air.
    fn is_of(&self, man: &Lifted) -> bool {
        (self.from, self.at) == (man.from, man.at)
    }

    /// The man was away for more than a flicker.
    fn lasted(&self, debounce: Millis) -> bool {
        self.back.is_some_and(|back| back >= self.at + debounce)
    }
}

impl Touches {
    /// Takes a change of one square that a dump may have `found`; `in_air` are the men in the air after it. If a man has come
    /// back to his square: how long he was held, and how that looks.
    pub(super) fn take(
        &mut self,
        change: Change,
        found: bool,
        in_air: &[Lifted],
        now: Millis,
        settings: &Settings,
    ) -> Option<(Millis, TouchKind)> {
        let is_up = |man: &Lifted| in_air.iter().any(|up| (up.from, up.at) == (man.from, man.at));
        self.suspected.retain(|man| now >= man.at + settings.contact_debounce_ms || is_up(man));
        match change {
            Change::Lifted(from, piece, _) => {
                // A man that was back for a flicker only was held all the time.
                let flickered = |contact: &&mut Contact| {
                    let back = contact.back.is_some_and(|back| now < back + settings.contact_debounce_ms);
                    back && contact.from == from && contact.piece == piece && contact.at < now
                };
                let held = self.contacts.iter_mut().rev().find(flickered);
                if let Some(contact) = held.filter(|contact| contact.lasted(settings.contact_debounce_ms)) {
                    contact.back = None;
                    return None;
                }
                let on_its_way = in_air.iter().any(|up| (up.piece, up.at) == (piece, now) && up.origin != from);
                let (at, back, accident, excused, covered) = (now, None, self.accident, false, None);
                self.contacts.push(Contact { from, piece, at, back, accident, excused, found, on_its_way, covered });
                // Whose square another man has taken was taken too; whom a dump has found gone before no hand need have moved.
                let is_out = |contact: &Contact| contact.covered.is_some() || contact.found && contact.at < now;
                let is_knocked = |up: &&Lifted| !self.contacts.iter().any(|each| each.is_of(up) && is_out(each));
                let together = in_air.iter().filter(|up| up.piece.color == piece.color).filter(is_knocked);
                let together = together.copied().collect::<Vec<_>>();
                if together.len() >= settings.displace_min_lifts && !self.accident {
                    self.suspected = together;
                }
                None
            }
            Change::Landed(square, piece) => {
                let others =
                    self.contacts.iter_mut().filter(|contact| contact.from == square && contact.piece != piece);
                others.for_each(|contact| contact.covered = contact.covered.or(Some(now)));
                self.forget_misread(square, piece, now);
                let at = self.put_back(square, piece)?;
                let contact = &mut self.contacts[at];
                contact.back = Some(now);
                contact.excused |= self.excused;
                contact.found |= found;
                let held = now - contact.at;
                let kind = kind(contact, self.pegs, settings);
                let counts = held >= settings.contact_debounce_ms && !contact.found;
                counts.then_some((held, kind))
            }
        }
    }

    /// A man was read as another one, and is read as himself again: the square was never empty, and nobody has touched him.
    fn forget_misread(&mut self, square: Square, piece: Piece, now: Millis) {
        let replaced = self.contacts.iter().any(|contact| (contact.from, contact.at) == (square, now));
        let is_he = |contact: &Contact| contact.from == square && contact.piece == piece && contact.back.is_none();
        self.contacts.retain(|contact| !(replaced && is_he(contact) && contact.covered == Some(contact.at)));
    }

    /// The man that was lifted there and is put back: nobody who had only stopped there, or was taken and has a twin in the
    /// air since.
    fn put_back(&self, square: Square, piece: Piece) -> Option<usize> {
        let up = |contact: &Contact| contact.piece == piece && contact.back.is_none();
        let at = self.contacts.iter().rposition(|contact| contact.from == square && up(contact))?;
        let has_twin = || self.contacts[at + 1..].iter().any(|later| later.from != square && up(later));
        let stays = self.contacts[at].on_its_way || self.contacts[at].covered.is_some() && has_twin();
        (!stays).then_some(at)
    }

    /// When so many men have been in the air together, each for more than a flicker, that it is an accident.
    pub(super) fn knocked_at(&self, settings: &Settings) -> Option<Millis> {
        let mut lifts = self.suspected.iter().map(|man| man.at).collect::<Vec<_>>();
        lifts.sort_unstable();
        let last = settings.displace_min_lifts.checked_sub(1).and_then(|last| lifts.get(last))?;
        Some(last + settings.contact_debounce_ms)
    }

    /// The suspected accident is one: whose men were knocked over.
    pub(super) fn confirm(&mut self) -> Option<Color> {
        let knocked = std::mem::take(&mut self.suspected);
        let color = knocked.first()?.piece.color;
        self.accident = true;
        let among = |contact: &Contact| knocked.iter().any(|man| contact.is_of(man));
        let open = self.contacts.iter_mut().filter(|contact| contact.back.is_none() || among(contact));
        open.for_each(|contact| contact.accident = true);
        Some(color)
    }

    /// The men that count for what the mover was bound to do: touched and put back, or lifted for the move itself.
    pub(super) fn counted(&self, of_the_move: impl Fn(Square, Piece) -> bool, settings: &Settings) -> Vec<Touched> {
        let counts = |contact: &&Contact| {
            let touched = contact.back.is_some() && self.is_touch(contact, settings);
            let part = contact.back.is_none() && of_the_move(contact.from, contact.piece);
            !contact.accident && (touched || part)
        };
        let mut counted = self.contacts.iter().filter(counts).copied().collect::<Vec<_>>();
        order(&mut counted, settings.scan_ms);
        counted.into_iter().map(|contact| Touched { square: contact.from, piece: contact.piece }).collect()
    }

    /// Men that were touched from `since` on and are still in the hand, or were put back as touched.
    pub(super) fn touched(
        &self,
        since: Millis,
        now: Millis,
        settings: &Settings,
    ) -> impl Iterator<Item = (Piece, Square)> {
        let held = move |contact: &Contact| match contact.back {
            Some(_) => self.is_touch(contact, settings),
            None => !self.excused && !contact.found && now - contact.at >= settings.contact_debounce_ms,
        };
        let counts = move |contact: &&Contact| contact.at >= since && !contact.accident && held(contact);
        self.contacts.iter().filter(counts).map(|contact| (contact.piece, contact.from))
    }

    /// An accident is being put right.
    pub(super) fn is_accident(&self) -> bool {
        self.accident
    }

    /// The board is as it was before the accident.
    pub(super) fn restored(&mut self) -> bool {
        std::mem::take(&mut self.accident)
    }

    /// The turn has passed at this moment: what was touched later, or is in the air or on its way `since`, belongs to the
    /// next one.
    pub(super) fn pass(&mut self, at: Millis, since: impl Fn(Square, Piece) -> bool) {
        let belongs = |contact: &Contact| contact.back.is_none() && since(contact.from, contact.piece);
        self.contacts.retain(|contact| contact.at > at || belongs(contact));
        self.accident = false;
        self.suspected.clear();
    }

    /// Nothing was heard for a while: how long men in the air are held counts from here.
    pub(super) fn hear(&mut self, now: Millis) {
        self.suspected.clear();
        self.contacts.iter_mut().filter(|contact| contact.back.is_none()).for_each(|contact| contact.at = now);
    }

    /// The turn begins anew at this moment: only what is lifted from here on counts.
    pub(super) fn begin_at(&mut self, at: Millis) {
        self.contacts.retain(|contact| contact.at >= at);
        self.accident = false;
        self.suspected.clear();
        self.excused = false;
    }

    /// Nothing was touched.
    pub(super) fn clear(&mut self) {
        self.begin_at(Millis::MAX);
    }

    /// What is put back from here on does not count, or does again.
    pub(super) fn excuse(&mut self, excused: bool) {
        self.excused = excused;
    }

    /// What is put back does not count at the moment.
    pub(super) fn is_excused(&self) -> bool {
        self.excused
    }

    /// Men stand in holes, or do not.
    pub(super) fn feel_pegs(&mut self, pegs: bool) {
        self.pegs = pegs;
    }

    /// When this man was lifted first, whether or not it was put back.
    pub(super) fn lifted_at(&self, square: Square) -> Option<Millis> {
        self.contacts.iter().filter(|contact| contact.from == square).map(|contact| contact.at).min()
    }

    /// When the first man that counts was lifted.
    pub(super) fn first_at(&self, of_the_move: impl Fn(Square, Piece) -> bool) -> Option<Millis> {
        let part = |contact: &&Contact| contact.back.is_none() && of_the_move(contact.from, contact.piece);
        self.contacts.iter().filter(part).map(|contact| contact.at).min()
    }

    fn is_touch(&self, contact: &Contact, settings: &Settings) -> bool {
        !contact.found && kind(contact, self.pegs, settings) == TouchKind::Touch
    }
}

fn kind(contact: &Contact, pegs: bool, settings: &Settings) -> TouchKind {
    let held = contact.back.unwrap_or(contact.at) - contact.at;
    if contact.accident {
        TouchKind::Accident
    } else if contact.excused {
        TouchKind::Adjust
    } else if pegs && held >= settings.contact_debounce_ms {
        TouchKind::Touch
    } else if held < settings.adjust_max_ms {
        TouchKind::Adjust
    } else if held < settings.touch_min_ms {
        TouchKind::Unclear
    } else {
        TouchKind::Touch
    }
}

/// Lifts within one scan have no order: kings count before rooks. (Own men before the opponent's is for the Laws, which
/// look at each side by itself.)
fn order(contacts: &mut [Contact], scan: Millis) {
    for at in 1..contacts.len() {
        let (before, this) = (contacts[at - 1], contacts[at]);
        let together = this.at.abs_diff(before.at) < scan && this.piece.color == before.piece.color;
        if together && this.piece.role == shakmaty::Role::King {
            contacts.swap(at - 1, at);
        }
    }
}
