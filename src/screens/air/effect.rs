//! What an order about spectators comes to, in a sentence for whoever gives it.

use protocol::feed::{Command, Delay, OnAir, Order, TableId};

use super::{Air, delay_in};

impl Air {
    /// What an order comes to, or that it changes nothing; none where it is about something else.
    pub fn effect(&self, order: &Order) -> Option<String> {
        let said = meaning(order)?;
        let state = |air: &Air| (air.delays.clone(), air.airing.clone(), air.live.clone());
        let mut after =
            Air { delays: self.delays.clone(), airing: self.airing.clone(), live: self.live.clone(), ..Air::default() };
        after.order(order, 0);
        let is_news = state(&after) != state(self);
        Some(if is_news { said } else { format!("nothing has changed: {said} already") })
    }
}

fn meaning(order: &Order) -> Option<String> {
    if let Some((_, delay)) = delay_in(order) {
        let Command::Delay { event, .. } = &order.command else { return None };
        return Some(format!("spectators are shown {} {}", extent(order.table(), event.as_ref()), late(delay)));
    }
    if let Command::OnAir { event, tables } = &order.command {
        return Some(format!("spectators are shown {} of {}", which(tables), extent(None, event.as_ref())));
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

fn extent(table: Option<&TableId>, event: Option<&String>) -> String {
    let named = table.map(TableId::to_string).or_else(|| event.cloned());
    named.unwrap_or_else(|| "all events".to_owned())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_says_what_spectators_are_shown_and_one_that_says_it_again_that_nothing_changes() {
        let event = || Some("open".to_owned());
        for (command, said) in [
            (Command::Delay { event: event(), seconds: 900, plies: 0 }, "spectators are shown open 900 s late"),
            (
                Command::OnAir { event: None, tables: OnAir::First(3) },
                "spectators are shown tables 1 to 3 of all events",
            ),
            (
                Command::Withhold { player: "Xie Jun".to_owned(), withheld: true },
                "spectators are shown no table at which Xie Jun sits",
            ),
            (Command::TellLive { target: "club".to_owned(), live: true }, "club is told games as they happen"),
        ] {
            let (mut air, order) = (Air::default(), Order::to_hall(command));
            assert_eq!(air.effect(&order).as_deref(), Some(said));
            air.order(&order, 0);
            assert_eq!(air.effect(&order), Some(format!("nothing has changed: {said} already")));
        }
    }
}
