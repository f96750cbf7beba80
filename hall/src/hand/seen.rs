//! What is seen beyond the record, and whether it explains the board.

use shakmaty::Move;

use super::followed::Followed;
use crate::Millis;

/// The tail, how well it fits, and what lies below it.
#[derive(Clone, Debug, Default)]
pub(super) struct Seen {
    /// What lies below the tail and waits for a press.
    pub(super) followed: Followed,
    /// Moves seen and not final yet.
    tail: Vec<Move>,
    /// Which of them came to be seen while both clocks stood.
    at_rest: Vec<bool>,
    /// How many of them were seen before the gap: what the tail shows beyond them is a guess while it is open.
    known: usize,
    /// The board is explained by the tail.
    fits: bool,
    /// Since when it fits nothing.
    unfit_since: Option<Millis>,
    /// When what was heard is weighed against it, if nothing else changes.
    weighs_at: Option<Millis>,
    /// When that was in vain last, for a press.
    weighed_at: Millis,
    held: bool,
    /// The rest, by its beginning, at which an unexplained board was judged last.
    judged_at: Millis,
    /// What is seen ends the game by rule, as far as anybody has asked.
    ends_game: Option<bool>,
    /// Lines that are nearly as likely as the tail.
    rivals: Vec<Vec<Move>>,
}

impl Seen {
    /// The tail is this one; the clocks stand, or not. True if it was another.
    pub(super) fn show(&mut self, tail: Vec<Move>, clocks_stand: bool) -> bool {
        let news = self.tail != tail;
        if news {
            let same = self.tail.iter().zip(&tail).take_while(|(old, new)| old == new).count();
            self.at_rest.truncate(same);
            self.at_rest.resize(tail.len(), clocks_stand);
            self.tail = tail;
            self.rivals.clear();
            self.known = self.known.min(self.tail.len());
        }
        news
    }

    /// These lines are nearly as likely as the tail.
    pub(super) fn doubt(&mut self, rivals: Vec<Vec<Move>>) {
        self.rivals = rivals;
    }

    /// The lines that are nearly as likely as the tail, if they differ in its first plies: asked once.
    pub(super) fn take_rivals(&mut self, plies: usize) -> Vec<Vec<Move>> {
        let first = &self.tail[..plies.min(self.tail.len())];
        let differ = self.rivals.iter().any(|rival| !rival.starts_with(first));
        if differ { std::mem::take(&mut self.rivals) } else { Vec::new() }
    }

    /// Takes the first plies off the tail: they are final, or as good as that.
    pub(super) fn take(&mut self, plies: usize) -> Vec<Move> {
        let plies = plies.min(self.tail.len());
        self.known = self.known.saturating_sub(plies);
        self.rivals.retain(|rival| rival.starts_with(&self.tail[..plies]));
        for rival in &mut self.rivals {
            rival.drain(..plies);
        }
        self.at_rest.drain(..plies);
        self.tail.drain(..plies).collect()
    }

    /// These plies lie below the tail.
    pub(super) fn put_below(&mut self, plies: Vec<Move>) {
        self.at_rest.splice(..0, plies.iter().map(|_| false));
        self.rivals.clear();
        self.tail.splice(..0, plies);
    }

    /// This was seen before the gap that is open again, so many plies of it known.
    pub(super) fn reopen(&mut self, tail: Vec<Move>) {
        self.at_rest = vec![false; tail.len()];
        self.rivals.clear();
        self.known = tail.len();
        self.tail = tail;
    }

    /// Nothing is seen beyond the record.
    pub(super) fn clear(&mut self) {
        self.reopen(Vec::new());
    }

    /// So many plies of the tail were seen before the gap.
    pub(super) fn know(&mut self, plies: usize) {
        self.known = plies;
    }

    /// The board was looked at.
    pub(super) fn look(&mut self, fits: bool, now: Millis) {
        self.fits = fits;
        self.unfit_since = if fits { None } else { self.unfit_since.or(Some(now)) };
    }

    /// The board is explained, or not, by what happened while nothing was heard.
    pub(super) fn explain(&mut self, fits: bool) {
        self.fits = fits;
    }

    /// What was heard is weighed against it then, or not at all.
    pub(super) fn weigh(&mut self, at: Option<Millis>) {
        self.weighs_at = at;
    }

    pub(super) fn weighs_at(&self) -> Option<Millis> {
        self.weighs_at
    }

    /// It was weighed for a press, in vain: at this moment nothing more comes of it.
    pub(super) fn weigh_in_vain(&mut self, now: Millis) {
        self.weighed_at = now;
    }

    pub(super) fn weighed_at(&self) -> Millis {
        self.weighed_at
    }

    /// Nobody can explain the board. True if that is news.
    pub(super) fn hold(&mut self) -> bool {
        !std::mem::replace(&mut self.held, true)
    }

    /// The board is explained again. True if that is news.
    pub(super) fn release(&mut self) -> bool {
        std::mem::take(&mut self.held)
    }

    /// An unexplained board was judged in the rest that began then.
    pub(super) fn judge(&mut self, rest: Millis) {
        self.judged_at = rest;
    }

    /// Whether what is seen ends the game was found out, or is an open question again.
    pub(super) fn note_end(&mut self, ends: Option<bool>) {
        self.ends_game = ends;
    }

    pub(super) fn tail(&self) -> &[Move] {
        &self.tail
    }

    /// Which of them came to be seen while both clocks stood.
    pub(super) fn at_rest(&self) -> &[bool] {
        &self.at_rest
    }

    /// The plies of it that were seen before the gap.
    pub(super) fn known(&self) -> &[Move] {
        &self.tail[..self.known]
    }

    pub(super) fn fits(&self) -> bool {
        self.fits
    }

    pub(super) fn unfit_since(&self) -> Option<Millis> {
        self.unfit_since
    }

    /// It was said that nobody can explain the board, and judged in the rest that began then.
    pub(super) fn is_held_since(&self, rest: Millis) -> bool {
        self.held && self.judged_at >= rest
    }

    pub(super) fn is_held(&self) -> bool {
        self.held
    }

    pub(super) fn ends_game(&self) -> Option<bool> {
        self.ends_game
    }
}
