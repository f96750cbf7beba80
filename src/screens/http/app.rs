//! What whoever answers at an address is lent.

use std::sync::Arc;

use tokio::sync::mpsc;

use super::super::{enter::Opened, feed::Entrance, placed::Placed, shelf::Shelf, visit::Gate};
use crate::press::Counter;

/// What the pages and the feed need of the rest of the daemon.
#[derive(Clone)]
pub struct AppState {
    /// Lets viewers in.
    pub entrance: Entrance,
    /// The run loop's ear.
    pub orders: mpsc::Sender<Placed>,
    /// Where games are kept, rendered.
    pub shelf: Shelf,
    /// The same for spectators.
    pub public_shelf: Shelf,
    /// Who decides whether a visit goes on.
    pub gate: Gate,
    /// The listeners that are open.
    pub opened: Arc<Vec<Opened>>,
    /// Who is told the games, and how that stands.
    pub counter: Counter,
}
