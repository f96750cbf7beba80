//! A file of pairings that is looked at again and again: what a pairing program writes there is taken in.

use std::{
    io,
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

use protocol::feed::{Answer, Order};
use tokio::{sync::mpsc, time::sleep};

use crate::{
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

/// What tells that a file is another than before.
type Mark = (SystemTime, u64);

/// Looks until nobody takes orders any more. A list that would change who plays a game that is on is left to people.
pub(super) async fn watch(watched: Watched, elsewhere: Option<PathBuf>, orders: mpsc::Sender<Placed>) {
    let (mut seen, mut taken, mut missed) = (None, None, 0);
    while !orders.is_closed() {
        sleep(LOOK).await;
        let mark = match mark(&watched) {
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
        if mark.is_some() && mark == seen && mark != taken {
            taken = mark;
            match take(&watched, elsewhere.as_deref(), &orders).await {
                Ok(said) => said.iter().for_each(|said| tracing::info!("{}: {said}", watched.path.display())),
                Err(sentence) => tracing::error!("{} was not taken in: {sentence}", watched.path.display()),
            }
        }
        seen = mark;
    }
}

fn mark(watched: &Watched) -> io::Result<Mark> {
    let known = std::fs::metadata(&watched.path)?;
    Ok((known.modified()?, known.len()))
}

async fn take(
    watched: &Watched,
    elsewhere: Option<&Path>,
    orders: &mpsc::Sender<Placed>,
) -> Result<Vec<String>, String> {
    let bytes = std::fs::read(&watched.path).map_err(|cause| cause.to_string())?;
    let list = lists::read(&bytes, &Said { event: watched.event.clone(), ..Said::default() })
        .map_err(|unread| watched.unread(unread, elsewhere))?;
    for order in &list.orders {
        let wish = Wish::Preview(Order::to_hall(order.clone()));
        let outcome = place(orders, wish).await?;
        let Outcome::Tried(preview) = outcome else { return said(outcome) };
        if !preview.disturbed.is_empty() {
            return Err(left_to_people(&preview.disturbed, &watched.by_hand(elsewhere)));
        }
    }
    let mut told = list.remarks;
    for order in list.orders {
        told.extend(said(place(orders, Wish::Order(Order::to_hall(order))).await?)?);
    }
    Ok(told)
}

async fn place(orders: &mpsc::Sender<Placed>, wish: Wish) -> Result<Outcome, String> {
    let ending = || "the daemon is ending".to_owned();
    let (placed, answered) = Placed::new(wish, Giver::house());
    orders.send(placed).await.map_err(|_| ending())?;
    answered.await.map_err(|_| ending())
}

fn said(outcome: Outcome) -> Result<Vec<String>, String> {
    match Answer::from(outcome) {
        Answer::Done { said, .. } => Ok(said),
        Answer::Unrecorded { unrecorded } => Ok(vec![unrecorded]),
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
            Unread::OtherRounds { .. } | Unread::Because(_) => unread.to_string(),
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
