//! The proof that something is on disk.

use protocol::feed::{Order, TableEvent};

/// What is on disk, and may therefore be told.
///
/// Only a commit and the reading of a [`Chapter`](super::Chapter) make one, and it can't be copied. Finals, results and done
/// orders reach the feed, the book and the doors in this form and in no other; but orders of the past, which stand among
/// the inputs, say one by one what spectators were shown then:
///
/// ```
/// use escaque::{journal::{Committed, Entries}, record::Book};
///
/// fn keep(book: &mut Book, entries: &Committed<Entries>) {
///     book.apply(entries);
/// }
/// ```
///
/// What is not committed is refused by the compiler,
///
/// ```compile_fail,E0308
/// use escaque::{journal::Entries, record::Book};
///
/// fn keep(book: &mut Book, entries: &Entries) {
///     book.apply(entries);
/// }
/// ```
///
/// and nobody but the journal says that something is.
///
/// ```compile_fail,E0451
/// use escaque::journal::{Committed, Entries};
///
/// let forged = Committed { what: Entries::default(), upto: 1 };
/// ```
#[derive(Debug, PartialEq)]
pub struct Committed<T> {
    what: T,
    upto: u64,
}

/// What came of some inputs and waits for them to be on disk.
#[derive(Debug, Default, PartialEq)]
pub struct Entries {
    /// The orders that were done.
    pub done: Vec<Done>,
    /// What to tell, in order: entries, and the sights that must not overtake them.
    pub events: Vec<TableEvent>,
}

/// An order and what came of it.
#[derive(Debug, PartialEq)]
pub struct Done {
    /// The order.
    pub order: Order,
    /// What came of it.
    pub events: Vec<TableEvent>,
    /// The same in sentences, for whoever gave it.
    pub said: Vec<String>,
}

impl<T> Committed<T> {
    pub(super) fn new(what: T, upto: u64) -> Committed<T> {
        Committed { what, upto }
    }

    /// The number of the last input it follows from.
    pub fn upto(&self) -> u64 {
        self.upto
    }

    /// What is on disk.
    pub fn get(&self) -> &T {
        &self.what
    }

    /// The same, for who tells it on.
    pub fn into_inner(self) -> T {
        self.what
    }

    /// Something committed, for tests of the rooms that ask for it.
    #[cfg(test)]
    pub(crate) fn for_a_test(what: T) -> Committed<T> {
        Committed::new(what, 0)
    }
}

impl Default for Committed<Entries> {
    /// Nothing at all is on every disk.
    fn default() -> Committed<Entries> {
        Committed::new(Entries::default(), 0)
    }
}

impl Committed<Entries> {
    /// What is told one by one, each as committed as all of it.
    pub fn one_by_one(self) -> impl Iterator<Item = Committed<Entries>> {
        let upto = self.upto;
        self.what
            .events
            .into_iter()
            .map(move |event| Committed::new(Entries { done: Vec::new(), events: vec![event] }, upto))
    }

    /// The done orders one by one, for those who placed them.
    pub fn into_done(self) -> Vec<Committed<Done>> {
        let upto = self.upto;
        self.what.done.into_iter().map(|done| Committed::new(done, upto)).collect()
    }
}
