//! The shelf: what was made once for everybody, until it changes. Whoever reads slowly holds a share, and no copy.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use axum::{
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use bytes::Bytes;
use jiff::Timestamp;
use laws::blind::Manner;
use protocol::feed::{Staff, TableId};

use super::pgn::{Library, PgnAddress};
use crate::{press::CloudAddress, record::papers::Paper, voice::Words};

/// A text and its mark, which follows from the text alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Document {
    bytes: Bytes,
    mark: HeaderValue,
    /// Since when it reads like this, where that is known.
    since: Option<Since>,
}

/// A second of the wall's clock, and how a header writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Since {
    second: i64,
    written: HeaderValue,
}

/// What has changed no longer ago is told as changed now: who asked before a start, and between two changes, would take
/// one for the other.
const LATELY_S: i64 = 60;

impl Since {
    /// At this moment, and later than the version before: two changes within a second are two.
    fn after(before: Option<i64>) -> Option<Since> {
        let now = Timestamp::now().as_second();
        Since::at(before.map_or(now, |before| now.max(before + 1)))
    }

    /// Since the last change, which may have been before the start.
    fn changed(wall_ms: Option<u64>) -> Option<Since> {
        let now = Timestamp::now().as_second();
        let second = wall_ms.and_then(|ms| i64::try_from(ms.div_ceil(1000)).ok());
        Since::at(second.filter(|second| *second < now - LATELY_S).unwrap_or(now))
    }

    fn at(second: i64) -> Option<Since> {
        let written = Timestamp::from_second(second).ok()?.strftime("%a, %d %b %Y %H:%M:%S GMT").to_string();
        Some(Since { second, written: HeaderValue::from_str(&written).ok()? })
    }
}

impl Document {
    /// A text as it is handed out from here on.
    pub(super) fn new(bytes: Bytes) -> Document {
        let digest = ring::digest::digest(&ring::digest::SHA256, &bytes);
        let mark: String = digest.as_ref().iter().take(12).map(|byte| format!("{byte:02x}")).collect();
        let mark = HeaderValue::from_str(&format!("\"{mark}\"")).expect("hexadecimal may stand in a header");
        Document { bytes, mark, since: None }
    }

    /// The same, after another that was handed out before it. A text that has not changed is as old as it was: who asks
    /// again and again would learn otherwise that something has happened that it does not show.
    fn following(self, before: Option<Document>, changed: impl FnOnce() -> Option<u64>) -> Document {
        let since = match before {
            Some(before) if before.mark == self.mark => before.since,
            Some(before) => Since::after(before.since.map(|since| since.second)),
            None => Since::changed(changed()),
        };
        Document { since, ..self }
    }

    /// The answer: the text, or that it is the one they have.
    pub(super) fn answer(self, mime: &'static str, asked: &HeaderMap) -> Response {
        let head = [(header::ETAG, self.mark.clone()), (header::CACHE_CONTROL, HeaderValue::from_static("no-cache"))];
        let mut answer = if self.mark.to_str().is_ok_and(|mark| is_known(asked, mark)) || self.is_as_old(asked) {
            (StatusCode::NOT_MODIFIED, head).into_response()
        } else {
            (head, [(header::CONTENT_TYPE, mime)], self.bytes).into_response()
        };
        if let Some(since) = self.since {
            answer.headers_mut().insert(header::LAST_MODIFIED, since.written);
        }
        answer
    }

    /// Whether they have it, by the time they were told with it. Who knows its mark is not asked for the time.
    fn is_as_old(&self, asked: &HeaderMap) -> bool {
        let told = asked.get(header::IF_MODIFIED_SINCE).filter(|_| !asked.contains_key(header::IF_NONE_MATCH));
        told.is_some_and(|told| self.since.as_ref().is_some_and(|since| since.written == *told))
    }
}

/// Whether they have what has this mark; a star stands for whatever there is. A proxy that packs what it hands on makes
/// the mark a weak one.
pub(super) fn is_known(asked: &HeaderMap, mark: &str) -> bool {
    let is_it = |known: &str| known.trim_start_matches("W/") == mark || known == "*";
    let known = asked.get(header::IF_NONE_MATCH).and_then(|known| known.to_str().ok());
    known.is_some_and(|known| known.split(',').any(|one| is_it(one.trim())))
}

/// The games, each address rendered once for each time they change. Cheap to clone; all clones are one.
#[derive(Clone)]
pub struct Shelf {
    library: Arc<dyn Library>,
    rendered: Arc<Rendered<PgnAddress>>,
    cloud: Arc<Rendered<CloudAddress>>,
}

/// What was rendered for each address, and of which edition it is. Whoever asks for one that is being rendered waits for
/// it; for all others nobody does.
struct Rendered<A>(Mutex<BTreeMap<A, Slot>>);

type Slot = Arc<Mutex<Option<(u64, Document)>>>;

impl<A> Default for Rendered<A> {
    fn default() -> Rendered<A> {
        Rendered(Mutex::default())
    }
}

impl<A: Ord + Clone> Rendered<A> {
    /// The document of this edition: the one that is there, or a new one.
    fn get<E>(
        &self,
        address: &A,
        edition: impl FnOnce() -> Result<u64, E>,
        render: impl FnOnce() -> Result<String, E>,
        changed: impl FnOnce() -> Option<u64>,
    ) -> Result<Document, E> {
        let slot = Arc::clone(lock(&self.0).entry(address.clone()).or_default());
        let mut kept = lock(&slot);
        // Before the text: what changes meanwhile is rendered again.
        let made = edition().and_then(|edition| match kept.take() {
            Some((of, document)) if of == edition => Ok((edition, document)),
            before => {
                let text = render()?;
                Ok((edition, Document::new(text.into()).following(before.map(|(_, document)| document), changed)))
            }
        });
        match made {
            Ok((edition, document)) => {
                *kept = Some((edition, document.clone()));
                Ok(document)
            }
            // Addresses at which nothing is are as many as somebody thinks of.
            Err(nothing) => {
                lock(&self.0).remove(address);
                Err(nothing)
            }
        }
    }
}

fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Shelf {
    /// A shelf for what is in the library.
    pub fn new(library: Arc<dyn Library>) -> Shelf {
        Shelf { library, rendered: Arc::default(), cloud: Arc::default() }
    }

    /// The games with what happened beside the moves, for one of the staff.
    pub(super) fn annotated(&self, address: &PgnAddress, reader: Staff) -> Result<Document, String> {
        self.library.annotated(address, reader).map(|games| Document::new(games.into()))
    }

    /// A paper, made for whoever asks: it shows the time.
    pub(super) fn paper(&self, paper: &Paper, reader: Staff) -> Result<String, String> {
        self.library.paper(paper, reader)
    }

    /// The last game of a table in words.
    pub(super) fn words(&self, table: &TableId, manner: &Manner) -> Result<Words, String> {
        let pgn = self.library.pgn(&PgnAddress::Game(table.clone()))?;
        Words::of(&pgn, manner).ok_or_else(|| "No game was played at this table.".to_owned())
    }

    /// The report file of an event, and what has no place in it.
    pub(super) fn report(&self, event: &str) -> Result<(Document, Vec<String>), String> {
        self.library.report(event).map(|report| (Document::new(report.bytes.into()), report.left_out))
    }

    /// A document as LiveChess's cloud has it.
    pub(super) fn cloud(&self, address: &CloudAddress) -> Option<Document> {
        let edition = || self.library.cloud_edition(address).ok_or(());
        let render = || self.library.cloud(address).ok_or(());
        self.cloud.get(address, edition, render, || self.library.cloud_changed(address)).ok()
    }

    /// The games at an address, or a sentence that says why there are none.
    pub(super) fn games(&self, address: &PgnAddress) -> Result<Document, String> {
        let edition = || Ok(self.library.edition(address));
        self.rendered.get(address, edition, || self.library.pgn(address), || self.library.changed(address))
    }
}

#[cfg(test)]
impl Shelf {
    /// The mark of all games, for tests that put it where it does not belong.
    pub(crate) fn mark_of_all(&self) -> String {
        let games = self.games(&PgnAddress::All);
        games.map(|games| games.mark.to_str().unwrap_or_default().trim_matches('"').to_owned()).unwrap_or_default()
    }
}

impl std::fmt::Debug for Shelf {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Shelf").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::{
        sync::{
            OnceLock,
            atomic::{AtomicU64, Ordering},
            mpsc,
        },
        thread,
        time::Duration,
    };

    use super::*;
    use crate::record::Report;

    #[derive(Default)]
    struct Counting {
        edition: AtomicU64,
        rendered: AtomicU64,
        /// Asked for another table while the first one is rendered.
        asks: OnceLock<Shelf>,
    }

    impl Library for Arc<Counting> {
        fn pgn(&self, address: &PgnAddress) -> Result<String, String> {
            if *address == PgnAddress::Table(9) {
                return Err("Nobody sits there.".to_owned());
            }
            if let Some(shelf) = self.asks.get().filter(|_| *address == PgnAddress::Table(1)).cloned() {
                let (tell, told) = mpsc::channel();
                thread::spawn(move || tell.send(shelf.games(&PgnAddress::Table(2)).is_ok()));
                assert!(told.recv_timeout(Duration::from_secs(5)).expect("it waits"));
            }
            Ok(format!("{}", self.rendered.fetch_add(1, Ordering::Relaxed)))
        }

        fn report(&self, _: &str) -> Result<Report, String> {
            Err("None was imported.".to_owned())
        }

        fn annotated(&self, _: &PgnAddress, _: Staff) -> Result<String, String> {
            Err("There is none.".to_owned())
        }

        fn paper(&self, _: &Paper, _: Staff) -> Result<String, String> {
            Err("There is none.".to_owned())
        }

        fn edition(&self, _: &PgnAddress) -> u64 {
            self.edition.load(Ordering::Relaxed)
        }
    }

    #[test]
    fn games_are_rendered_once_for_each_change_however_many_ask() {
        let library = Arc::new(Counting::default());
        let shelf = Shelf::new(Arc::new(Arc::clone(&library)));
        let first = shelf.games(&PgnAddress::All).expect("games");
        for _ in 0..100 {
            let again = shelf.games(&PgnAddress::All).expect("games");
            assert_eq!(again.bytes.as_ptr(), first.bytes.as_ptr(), "the very same bytes");
        }
        library.edition.fetch_add(1, Ordering::Relaxed);
        assert_ne!(shelf.games(&PgnAddress::All), Ok(first), "a change shows");
        assert_eq!(library.rendered.load(Ordering::Relaxed), 2);
        assert!(shelf.games(&PgnAddress::Table(9)).is_err());
        assert_eq!(lock(&shelf.rendered.0).len(), 1, "what is not there takes no room");
    }

    /// While one address is rendered another is asked for, by the library itself.
    #[test]
    fn nobody_waits_for_what_others_have_asked_for() {
        let library = Arc::new(Counting::default());
        let shelf = Shelf::new(Arc::new(Arc::clone(&library)));
        assert!(library.asks.set(shelf.clone()).is_ok());
        assert!(shelf.games(&PgnAddress::Table(1)).is_ok());
    }

    #[test]
    fn games_say_since_when_they_read_like_this_and_two_changes_in_a_second_are_two() {
        let library = Arc::new(Counting::default());
        let shelf = Shelf::new(Arc::new(Arc::clone(&library)));
        let games = || shelf.games(&PgnAddress::All).expect("games");
        let asked = |since: &str| HeaderMap::from_iter([(header::IF_MODIFIED_SINCE, since.parse().expect("a header"))]);
        let told = |answer: &Response| answer.headers()[header::LAST_MODIFIED].to_str().expect("text").to_owned();
        let first = told(&games().answer("text/plain", &HeaderMap::new()));
        assert!(first.ends_with(" GMT") && first.len() == 29, "{first}");
        assert_eq!(games().answer("text/plain", &asked(&first)).status(), StatusCode::NOT_MODIFIED);
        library.edition.fetch_add(1, Ordering::Relaxed);
        let second = games().answer("text/plain", &asked(&first));
        assert_eq!(second.status(), StatusCode::OK);
        assert_ne!(told(&second), first);
    }

    #[test]
    fn a_text_that_has_not_changed_is_as_old_as_it_was() {
        let first = Document::new(Bytes::from_static(b"1. e4 *")).following(None, || None);
        let again = Document::new(Bytes::from_static(b"1. e4 *")).following(Some(first.clone()), || None);
        assert_eq!(again, first);
        let other = Document::new(Bytes::from_static(b"1. d4 *")).following(Some(first.clone()), || None);
        assert_ne!(other.since, first.since);
    }

    #[test]
    fn after_a_start_a_text_is_as_old_as_its_last_change() {
        let since = |changed: Option<u64>| {
            let text = Document::new(Bytes::from_static(b"1. e4 *")).following(None, || changed);
            text.since.expect("it is known").second
        };
        assert_eq!(since(Some(1_790_000_000_001)), 1_790_000_001, "and no version before it was of that second");
        let now = Timestamp::now().as_second();
        let lately = u64::try_from(Timestamp::now().as_millisecond()).expect("after 1970") - 5000;
        for changed in [None, Some(lately), Some(u64::MAX)] {
            assert!((now..=now + 5).contains(&since(changed)), "{changed:?}");
        }
    }

    #[test]
    fn who_has_the_text_is_not_sent_it_again() {
        let document = Document::new(Bytes::from_static(b"1. e4 *"));
        let answer = |known: &str| {
            let mut asked = HeaderMap::new();
            asked.insert(header::IF_NONE_MATCH, known.parse().expect("a header"));
            document.clone().answer("text/plain", &asked).status()
        };
        let mark = document.mark.to_str().expect("text").to_owned();
        assert_eq!(answer(&mark), StatusCode::NOT_MODIFIED);
        assert_eq!(answer(&format!("\"x\", W/{mark}")), StatusCode::NOT_MODIFIED);
        assert_eq!(answer("\"x\""), StatusCode::OK);
    }
}
