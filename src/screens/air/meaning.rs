//! What an order about spectators means, in a sentence for whoever gives it.

use protocol::feed::{Command, Delay, OnAir, Order};

use super::delays::{Extent, delay_in};

/// None where it is about something else.
pub(super) fn of(order: &Order) -> Option<String> {
    if let Some((extent, delay)) = delay_in(order) {
        return Some(format!("spectators are shown {extent} {}", late(delay)));
    }
    if let Command::OnAir { event, tables } = &order.command {
        return Some(format!("spectators are shown {} of {}", which(tables), Extent::of(None, event.as_ref())));
    }
    if let Command::Withhold { player, withheld } = &order.command {
        let shown = if *withheld { "are shown no table" } else { "may be shown tables" };
        return Some(format!("spectators {shown} at which {player} sits"));
    }
    if let Command::TellLive { target, live } = &order.command {
        let when = if *live { "as they happen" } else { "as late as spectators" };
        return Some(format!("{target} is told games {when}"));
    }
    None
}

fn late(Delay { seconds, plies }: Delay) -> String {
    match (seconds, plies) {
        (0, 0) => "as it happens".to_owned(),
        (seconds, 0) => format!("{seconds} s late"),
        (0, plies) => format!("{plies} moves late"),
        (seconds, plies) => format!("{seconds} s and {plies} moves late"),
    }
}

fn which(tables: &OnAir) -> String {
    match tables {
        OnAir::All => "all tables".to_owned(),
        OnAir::None => "no table".to_owned(),
        OnAir::First(last) => format!("tables 1 to {last}"),
        OnAir::List(tables) => {
            let tables = tables.iter().map(u16::to_string).collect::<Vec<_>>();
            format!("tables {}", tables.join(", "))
        }
    }
}
