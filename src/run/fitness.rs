//! What an order must be before the hall hears of it.

use hall::Scope;
use protocol::feed::{Command, Order};

use crate::journal;

/// Why an order names something of which no journal can be kept. Said before anything has come of it.
pub(super) fn unfit(order: &Order) -> Option<String> {
    if matches!(&order.command, Command::Assign { board } if board.trim().is_empty()) {
        return Some("which board? \"board\" is its serial number, as `escaque doctor` shows it".to_owned());
    }
    if let Some(date) = days(&order.command).iter().find(|date| !date.is_empty() && !is_date(date)) {
        return Some(format!("\"{date}\" is no day: write it as PGN does, 2026.11.20, with ? where it is not known"));
    }
    let opened = opened(&order.command);
    let opened = opened.as_ref().map(|(event, round)| (event, *round));
    let named = order.table().map(|id| (&id.event, id.round)).into_iter().chain(opened);
    let scopes = named.map(|(event, round)| Scope::Round { event: event.clone(), round });
    scopes.filter_map(|scope| journal::check(&scope).err()).map(|error| error.advice()).next()
}

/// The days an order names.
fn days(command: &Command) -> &[String] {
    if let Command::OpenRound { date, .. } = command {
        return std::slice::from_ref(date);
    }
    if let Command::Event { days: Some(days), .. } = command { days } else { &[] }
}

/// The round an order brings into being.
fn opened(command: &Command) -> Option<(String, u16)> {
    if let Command::OpenRound { event, round, .. } = command { Some((event.clone(), *round)) } else { None }
}

/// A day as PGN writes it.
fn is_date(text: &str) -> bool {
    let fits = |(at, letter): (usize, char)| match at {
        4 | 7 => letter == '.',
        _ => letter.is_ascii_digit() || letter == '?',
    };
    text.len() == "YYYY.MM.DD".len() && text.chars().enumerate().all(fits)
}
