//! A file of pairings that is looked at again and again: what a pairing program writes there is taken in.
//!
//! On a thread of its own: on a share whose machine sleeps a look takes minutes, and nobody else may wait for that.

use std::{
    fs, io,
    path::{Path, PathBuf},
    thread,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use protocol::feed::{Answer, Order};
use sha2::{Digest as _, Sha256};
use tokio::sync::mpsc;

use crate::{
    journal::today,
    lists::{self, Said, Unread},
    screens::{Giver, Outcome, Placed, Wish},
};

/// Programs write a file in a moment; one that has stood this long is whole.
const LOOK: Duration = Duration::from_secs(1);

/// The file, and the event it is for where the file does not name it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Watched {
    /// Where it is.
    pub path: PathBuf,
    /// The event's name in addresses.
    pub event: Option<String>,
}

/// What tells that a file was written since.
type Mark = (SystemTime, u64);

/// What tells that it says something else. Programs that save a file, and people who copy it, write the same once more.
type Print = String;

/// The file of the state folder that says what was taken in last.
pub(super) const NOTE: &str = "pairings";

/// Looks until nobody takes orders any more. A list that would change who plays a game that is on is left to people.
/// `elsewhere` is the state folder, where that is not the usual one.
pub(super) fn watch(watched: &Watched, note: &Path, elsewhere: Option<&Path>, orders: &mpsc::Sender<Placed>) {
    let mut taken = watched.taken_before(note).filter(|_| are_known(orders));
    let (mut seen, mut looked_at, mut missed) = (None, None, 0);
    while !orders.is_closed() {
        thread::sleep(LOOK);
        let mark = match mark(watched) {
            Ok(mark) => {
                missed = 0;
                Some(mark)
            }
            Err(cause) => {
                missed += 1;
                // Programs that take a file away and write it anew are not told of.
                if missed == 2 {
                    let path = watched.path.display();
                    tracing::warn!("{path} can't be read ({cause}): it is taken in as soon as it can");
                }
                None
            }
        };
        if mark.is_some() && mark == seen && mark != looked_at {
            looked_at = mark;
            look(watched, note, &mut taken, |bytes| take(bytes, watched, elsewhere, orders));
        }
        seen = mark;
    }
}

/// Takes in what the file says, unless that is what was `taken` last: people may have mended it since.
fn look(watched: &Watched, note: &Path, taken: &mut Option<Print>, take: impl FnOnce(&[u8]) -> Result<Taken, String>) {
    let path = watched.path.display();
    let bytes = match fs::read(&watched.path) {
        Ok(bytes) => bytes,
        Err(cause) => return tracing::error!("{path} was not taken in: {cause}"),
    };
    let print = print(&bytes);
    if *taken == Some(print.clone()) {
        return tracing::info!(
            "{path} is as it was when it was taken in: what was mended since stays, until it changes"
        );
    }
    match take(&bytes) {
        Ok(came) => {
            tell(watched, note, &print, came);
            *taken = Some(print);
        }
        Err(sentence) => tracing::error!("{path} was not taken in: {sentence}"),
    }
}

fn print(bytes: &[u8]) -> Print {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn mark(watched: &Watched) -> io::Result<Mark> {
    let known = fs::metadata(&watched.path)?;
    Ok((known.modified()?, known.len()))
}

/// What came of a list.
struct Taken {
    said: Vec<String>,
    is_recorded: bool,
}

fn take(
    bytes: &[u8],
    watched: &Watched,
    elsewhere: Option<&Path>,
    orders: &mpsc::Sender<Placed>,
) -> Result<Taken, String> {
    let list = lists::read(bytes, &Said { event: watched.event.clone(), ..Said::default() })
        .map_err(|unread| watched.unread(unread, elsewhere))?;
    for order in &list.orders {
        let outcome = place(orders, Wish::Preview(Order::to_hall(order.clone())))?;
        let Outcome::Tried(preview) = outcome else { return taken(outcome) };
        if !preview.disturbed.is_empty() {
            return Err(left_to_people(&preview.disturbed, &watched.by_hand(elsewhere)));
        }
    }
    let mut all = Taken { said: list.about_file(&today()).collect(), is_recorded: true };
    all.said.extend(list.remarks);
    for order in list.orders {
        let Taken { said, is_recorded } = taken(place(orders, Wish::Order(Order::to_hall(order)))?)?;
        all.said.extend(said);
        all.is_recorded &= is_recorded;
    }
    Ok(all)
}

/// Whether there are any pairings: a journal without is another one than that in which the file was taken in.
fn are_known(orders: &mpsc::Sender<Placed>) -> bool {
    let Ok(Outcome::Programme(programme)) = place(orders, Wish::Programme) else { return false };
    programme.rounds.iter().any(|plan| !plan.pairings.is_empty())
}

fn place(orders: &mpsc::Sender<Placed>, wish: Wish) -> Result<Outcome, String> {
    let ending = || "the daemon is ending".to_owned();
    let (placed, answered) = Placed::new(wish, Giver::house());
    orders.blocking_send(placed).map_err(|_| ending())?;
    answered.blocking_recv().map_err(|_| ending())
}

/// Says what came of it, and notes it.
fn tell(watched: &Watched, note: &Path, print: &str, Taken { said, is_recorded }: Taken) {
    let path = watched.path.display();
    // A daemon that knows nothing of the list after a power cut has to take it in once more.
    if is_recorded && let Err(cause) = fs::write(note, watched.noted(print)) {
        tracing::warn!("{} can't be written ({cause}): a start takes the list in again", note.display());
    }
    said.iter().for_each(|said| tracing::info!("{path}: {said}"));
}

fn taken(outcome: Outcome) -> Result<Taken, String> {
    match Answer::from(outcome) {
        Answer::Done { said, .. } => Ok(Taken { said, is_recorded: true }),
        Answer::Unrecorded { unrecorded } => Ok(Taken { said: vec![unrecorded], is_recorded: false }),
        Answer::Refused { refused, .. } => Err(refused),
    }
}

fn left_to_people(tables: &[u16], command: &str) -> String {
    let tables = tables.iter().map(u16::to_string).collect::<Vec<_>>();
    let games = if tables.len() == 1 { "a game is on at table" } else { "games are on at tables" };
    let tables = tables.join(", ");
    format!("{games} {tables}, and others would play there. See what it changes, and take it in, with `{command}`")
}

impl Watched {
    /// What was taken in of this file before the daemon was started. Taken in once more it would undo what people have
    /// mended since.
    fn taken_before(&self, note: &Path) -> Option<Print> {
        let noted = fs::read_to_string(note).ok()?;
        let (path, taken) = noted.trim_end().rsplit_once('\n')?;
        if path != self.path.display().to_string() {
            return None;
        }
        if !taken.contains(' ') {
            return Some(taken.to_owned());
        }
        // Earlier builds noted when it was written, and how long it was.
        let (modified, length) = mark(self).ok()?;
        let since = modified.duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
        (taken == format!("{since} {length}")).then(|| fs::read(&self.path).ok().map(|bytes| print(&bytes)))?
    }

    fn noted(&self, print: &str) -> String {
        format!("{}\n{print}\n", self.path.display())
    }

    /// What is to be done about a file that can't be taken in: nobody is there to be asked which round is meant.
    fn unread(&self, unread: Unread, elsewhere: Option<&Path>) -> String {
        match unread {
            Unread::Round => format!(
                "it does not number its round, and a file that is watched has to: give it a column Round, or a line \"Round 3\" \
                 above its lines, or take it in with `{} --round 3`",
                self.by_hand(elsewhere)
            ),
            Unread::Event => format!(
                "it does not name its event: start with --pairings EVENT={}, as in --pairings open={}",
                self.path.display(),
                self.path.display()
            ),
            Unread::Events { titles: [one, other], .. } => format!(
                "it has games of {one} and of {other}: watch a file of one event, or, if all of them are of one, start with \
                 --pairings EVENT={}, as in --pairings open={}",
                self.path.display(),
                self.path.display()
            ),
            Unread::OtherRounds { .. } | Unread::Lines(_) | Unread::Nothing(_) => unread.to_string(),
        }
    }

    /// What somebody types who takes it in by hand. The daemon is found by its folder, where that is not the usual one.
    fn by_hand(&self, elsewhere: Option<&Path>) -> String {
        let event = self.event.iter().map(|event| format!(" --event {event}")).collect::<String>();
        let state = elsewhere.map(|state| format!(" --state {}", quoted(state))).unwrap_or_default();
        format!("escaque pair {}{event}{state}", quoted(&self.path))
    }
}

/// A path as a shell takes it for one word.
fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    let is_plain = |letter: char| letter.is_alphanumeric() || "/._-+:@".contains(letter);
    if text.chars().all(is_plain) { text } else { format!("'{}'", text.replace('\'', r"'\''")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_says_the_same_again_is_not_taken_in_again_and_one_that_was_not_taken_in_is() {
        let home = tempfile::tempdir().expect("a folder for the test");
        let (watched, note) = (Watched { path: home.path().join("w.txt"), event: None }, home.path().join(NOTE));
        let (mut taken, mut times) = (None, 0);
        let mut write = |text: &str, is_fit: bool| {
            fs::write(&watched.path, text).expect("the folder is writable");
            look(&watched, &note, &mut taken, |_| {
                times += 1;
                let came = Taken { said: Vec::new(), is_recorded: true };
                is_fit.then_some(came).ok_or_else(|| "a game is on".to_owned())
            });
            times
        };
        assert_eq!([write("A - B", true), write("A - B", true), write("A - C", true)], [1, 1, 2]);
        assert_eq!([write("A - D", false), write("A - D", true), write("A - D", true)], [3, 4, 4]);
        assert_eq!(watched.taken_before(&note), taken, "a start knows it");
        let other = Watched { path: home.path().join("other.txt"), event: None };
        assert_eq!(other.taken_before(&note), None);
    }

    #[test]
    fn what_an_earlier_build_has_taken_in_is_known_by_when_it_was_written() {
        let home = tempfile::tempdir().expect("a folder for the test");
        let (watched, note) = (Watched { path: home.path().join("w.txt"), event: None }, home.path().join(NOTE));
        fs::write(&watched.path, "A - B").expect("the folder is writable");
        let (modified, length) = mark(&watched).expect("it is there");
        let since = modified.duration_since(UNIX_EPOCH).expect("later").as_nanos();
        let noted = |length: u64| format!("{}\n{since} {length}\n", watched.path.display());
        fs::write(&note, noted(length)).expect("the folder is writable");
        assert_eq!(watched.taken_before(&note), Some(print(b"A - B")));
        fs::write(&note, noted(length + 1)).expect("the folder is writable");
        assert_eq!(watched.taken_before(&note), None, "it was another one");
    }

    #[test]
    fn a_file_without_its_round_or_event_is_answered_with_what_can_be_done_where_it_is_watched() {
        let watched = Watched { path: "/srv/round.csv".into(), event: Some("open".into()) };
        let sentence = watched.unread(Unread::Round, None);
        assert!(sentence.contains("give it a column Round"), "{sentence}");
        assert!(sentence.ends_with("`escaque pair /srv/round.csv --event open --round 3`"), "{sentence}");
        let sentence = Watched { event: None, ..watched }.unread(Unread::Event, None);
        assert!(sentence.contains("--pairings open=/srv/round.csv"), "{sentence}");
    }

    #[test]
    fn what_is_left_to_people_is_a_command_to_type_as_it_stands() {
        let watched = |path: &str, event: Option<&str>| Watched { path: path.into(), event: event.map(str::to_owned) };
        let sentence =
            left_to_people(&[3], &watched("/srv/round 3.csv", Some("open")).by_hand(Some(Path::new("/srv/chess"))));
        assert_eq!(
            sentence,
            "a game is on at table 3, and others would play there. See what it changes, and take it in, with \
             `escaque pair '/srv/round 3.csv' --event open --state /srv/chess`"
        );
        assert!(left_to_people(&[1, 4], "").starts_with("games are on at tables 1, 4, and others"));
        assert_eq!(watched("it's.csv", None).by_hand(None), r"escaque pair 'it'\''s.csv'");
    }
}
