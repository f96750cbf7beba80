//! A file of pairings that is looked at again and again: what a pairing program writes there is taken in.

use std::{
    path::PathBuf,
    time::{Duration, SystemTime},
};

use protocol::feed::{Answer, Order};
use tokio::{sync::mpsc, time::sleep};

use crate::{
    lists::{self, Said},
    screens::{Giver, Placed, Wish},
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
pub(super) async fn watch(watched: Watched, orders: mpsc::Sender<Placed>) {
    let (mut seen, mut taken) = (None, None);
    while !orders.is_closed() {
        sleep(LOOK).await;
        let mark = mark(&watched);
        if mark.is_some() && mark == seen && mark != taken {
            taken = mark;
            match take(&watched, &orders).await {
                Ok(said) => said.iter().for_each(|said| tracing::info!("{}: {said}", watched.path.display())),
                Err(sentence) => tracing::error!("{} was not taken in: {sentence}", watched.path.display()),
            }
        }
        seen = mark;
    }
}

fn mark(watched: &Watched) -> Option<Mark> {
    let known = std::fs::metadata(&watched.path).ok()?;
    Some((known.modified().ok()?, known.len()))
}

async fn take(Watched { path, event }: &Watched, orders: &mpsc::Sender<Placed>) -> Result<Vec<String>, String> {
    let bytes = std::fs::read(path).map_err(|cause| cause.to_string())?;
    let list = lists::read(&bytes, &Said { event: event.clone(), round: None })?;
    for order in &list.orders {
        let would = place(orders, Wish::Preview(Order::to_hall(order.clone()))).await?;
        if let Some(sentence) = would.iter().find(|said| said.contains(" in the record")) {
            return Err(format!("{sentence}. Take it in by hand, with `escaque pair {}`", path.display()));
        }
    }
    let mut said = list.remarks;
    for order in list.orders {
        said.extend(place(orders, Wish::Order(Order::to_hall(order))).await?);
    }
    Ok(said)
}

async fn place(orders: &mpsc::Sender<Placed>, wish: Wish) -> Result<Vec<String>, String> {
    let ending = |_| "the daemon is ending".to_owned();
    let (placed, answered) = Placed::new(wish, Giver::house());
    orders.send(placed).await.map_err(|_| "the daemon is ending".to_owned())?;
    match Answer::from(answered.await.map_err(ending)?) {
        Answer::Done { said, .. } => Ok(said),
        Answer::Refused { refused } => Err(refused),
    }
}
