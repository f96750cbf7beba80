//! What an order must be before the hall hears of it.

use std::collections::BTreeMap;

use hall::Scope;
use jiff::civil::Date;
use protocol::feed::{Because, Command, Order, Penalty, Player};

use crate::{journal, screens::Refused};

/// Why an order names something of which no journal can be kept. Said before anything has come of it.
pub(super) fn unfit(order: &Order) -> Option<Refused> {
    senseless(order).map(Refused::from).or_else(|| unnameable(order))
}

fn senseless(order: &Order) -> Option<String> {
    if matches!(&order.command, Command::Assign { board } if board.trim().is_empty()) {
        return Some("which board? \"board\" is its serial number, as `escaque doctor` shows it".to_owned());
    }
    if let Some(date) = days(&order.command).iter().find(|date| !date.is_empty() && !is_date(date)) {
        return Some(format!(
            "\"{date}\" is no day of any calendar: write it as PGN does, 2026.11.20, with ? where it is not known"
        ));
    }
    if let Some(sentence) = empty(&order.command) {
        return Some(sentence.to_owned());
    }
    unseen(&order.command).or_else(|| overlong(&order.command)).or_else(|| twice(&order.command))
}

fn unnameable(order: &Order) -> Option<Refused> {
    let opened = opened(&order.command);
    let opened = opened.as_ref().map(|(event, round)| (event, *round));
    let mut named = order.table().map(|id| (&id.event, id.round)).into_iter().chain(opened);
    named.find_map(|(event, round)| {
        let error = journal::check(&Scope::Round { event: event.clone(), round }).err()?;
        Some(Refused::known_as(error.advice(), Because::NoName { text: event.clone() }))
    })
}

/// What would be answered as if it had come to something, though nothing can come of it.
fn empty(command: &Command) -> Option<&'static str> {
    if let Command::Penalty { penalty: Penalty::OwnTime | Penalty::OpponentTime, seconds: None | Some(0), .. } = command
    {
        return Some("how much time? \"seconds\" says how many are taken or given");
    }
    let (Command::Event { time_control, .. } | Command::OpenRound { time_control, .. }) = command else { return None };
    let is_none = time_control.is_some_and(|control| control.base_s == 0 && control.increment_s == 0);
    is_none
        .then_some("nobody can play without any time: \"time_control\" has \"base_s\" and \"increment_s\", in seconds")
}

/// So many letters has what is known of a player at most: as Cyrillic they fill a tag of PGN, which readers cut beyond.
const LONGEST: usize = 100;

/// A name that no page, paper or PGN has room for was some other text.
fn overlong(command: &Command) -> Option<String> {
    let text = texts(command).find(|text| text.chars().count() > LONGEST)?;
    let begins = text.chars().take(30).collect::<String>();
    let count = text.chars().count();
    Some(format!("\"{begins}…\" has {count} letters: what is told of a player has {LONGEST} at most, shorten it"))
}

/// Terminals obey what stands between letters, and papers and reports have one line for a name.
fn unseen(command: &Command) -> Option<String> {
    let text = texts(command).find(|text| text.contains(char::is_control))?;
    let seen = text.replace(char::is_control, "\u{fffd}");
    Some(format!("\"{seen}\" has an end of a line in it, or another sign that is no letter: leave it out"))
}

/// What an order tells of players.
fn texts(command: &Command) -> impl Iterator<Item = String> {
    let texts = |one: &Player| [Some(one.name.clone()), one.title.clone(), one.federation.clone(), one.team.clone()];
    players(command).into_iter().flat_map(texts).flatten()
}

/// Everybody an order brings.
fn players(command: &Command) -> Vec<&Player> {
    if let Command::Pair { white, black } = command {
        return vec![white, black];
    }
    let Command::Pairings { pairings, byes, .. } = command else { return Vec::new() };
    let seated = pairings.iter().flat_map(|pairing| [&pairing.white, &pairing.black]);
    seated.chain(byes.iter().map(|bye| &bye.player)).collect()
}

/// Nobody plays at two tables of a round, or with themselves. Namesakes differ in something.
fn twice(command: &Command) -> Option<String> {
    let apart = "if these are two people, add what tells them apart: a number, a rating, a FIDE number";
    if let Command::Pair { white, black } = command {
        let alone = white == black && !white.name.is_empty();
        return alone.then(|| format!("{} would play with themselves: {apart}", white.name));
    }
    let Command::Pairings { pairings, byes, .. } = command else { return None };
    let seated = pairings.iter().flat_map(|pairing| [&pairing.white, &pairing.black].map(|one| (pairing.table, one)));
    let mut seats = BTreeMap::new();
    for (table, player) in seated.filter(|(_, player)| !player.name.is_empty()) {
        match seats.insert(told_apart(player), table) {
            Some(other) if other == table => {
                return Some(format!("{} would play with themselves: {apart}", player.name));
            }
            Some(other) => {
                return Some(format!("{} stands at table {other} and at table {table}: {apart}", player.name));
            }
            None => {}
        }
    }
    let both = byes.iter().find_map(|bye| Some((bye, seats.get(&told_apart(&bye.player))?)));
    both.map(|(bye, table)| format!("{} has a bye and stands at table {table}: {apart}", bye.player.name))
}

/// All that tells a player from others.
fn told_apart(player: &Player) -> impl Ord + use<> {
    let Player { name, title, rating, federation, fide_id, team, number } = player.clone();
    (name.to_lowercase(), title, rating, federation, fide_id, team, number)
}

/// The days an order names.
fn days(command: &Command) -> &[String] {
    if let Command::OpenRound { date, .. } = command {
        return std::slice::from_ref(date);
    }
    if let Command::Event { days: Some(days), .. } = command { days } else { &[] }
}

/// The round an order brings into being, or prepares.
fn opened(command: &Command) -> Option<(String, u16)> {
    if let Command::OpenRound { event, round, .. } | Command::Pairings { event, round, .. } = command {
        return Some((event.clone(), *round));
    }
    None
}

/// A day as PGN writes it, and one there is: what of it is not known may be any.
fn is_date(text: &str) -> bool {
    let fits = |(at, letter): (usize, char)| match at {
        4 | 7 => letter == '.',
        _ => letter.is_ascii_digit() || letter == '?',
    };
    if text.len() != "YYYY.MM.DD".len() || !text.chars().enumerate().all(fits) {
        return false;
    }
    // Of all years a leap year has most days, and of its months the first as many as any.
    let part = |from: usize, upto: usize, any: i16| text[from..upto].parse().unwrap_or(any);
    let (year, month, day) = (part(0, 4, 2024), part(5, 7, 1), part(8, 10, 1));
    i8::try_from(month).is_ok_and(|month| i8::try_from(day).is_ok_and(|day| Date::new(year, month, day).is_ok()))
}

#[cfg(test)]
mod tests {
    use protocol::feed::{Bye, ByeKind, Pairing};

    use super::*;

    /// Why it is unfit, in a sentence.
    fn unfit(order: &Order) -> Option<String> {
        super::unfit(order).map(|refused| refused.sentence)
    }

    #[test]
    fn a_name_longer_than_any_page_or_with_what_is_no_letter_is_refused_wherever_it_comes_in() {
        let player = |length: usize| Player { name: "Ж".repeat(length), ..Player::default() };
        let ann = Player { name: "Ann".to_owned(), ..Player::default() };
        let pair = |white: Player| {
            let command = Command::Pair { white: Box::new(white), black: Box::new(ann.clone()) };
            unfit(&Order::to_hall(command))
        };
        let list = |pairings, byes| {
            let (event, round) = ("open".to_owned(), 1);
            unfit(&Order::to_hall(Command::Pairings {
                event,
                round,
                title: None,
                site: None,
                pairings,
                byes,
                file: None,
            }))
        };
        assert_eq!(pair(player(100)), None);
        let told =
            format!("\"{}…\" has 700 letters: what is told of a player has 100 at most, shorten it", "Ж".repeat(30));
        assert_eq!(pair(player(700)).as_ref(), Some(&told));
        let team = Player { team: Some("Ж".repeat(700)), ..ann.clone() };
        assert_eq!(pair(team).as_ref(), Some(&told));
        for sign in ["\u{1b}[31m", "\r\n", "\t", "\u{7}"] {
            let said = pair(Player { name: format!("Xie{sign}Jun"), ..Player::default() }).expect(sign);
            assert!(said.contains("leave it out") && !said.contains(char::is_control), "{said:?}");
        }
        let table = |black| vec![Pairing { table: 1, white: ann.clone(), black }];
        assert_eq!(list(table(player(700)), Vec::new()).as_ref(), Some(&told));
        let bye = vec![Bye { player: player(700), kind: ByeKind::Half }];
        assert_eq!(list(table(player(7)), bye).as_ref(), Some(&told));
    }

    /// Otherwise it would be prepared, and never opened.
    #[test]
    fn pairings_are_of_an_event_of_which_a_journal_can_be_kept() {
        let list = |event: &str| {
            let list = format!(r#"{{"command": "pairings", "event": "{event}", "round": 1, "pairings": []}}"#);
            unfit(&serde_json::from_str(&list).expect("an order"))
        };
        assert_eq!(list("open-2026"), None);
        for none in ["positions-1", "ballast", "open.pgn", "My Open"] {
            assert!(list(none).is_some_and(|sentence| sentence.contains("choose another name")), "{none}");
        }
        let open = serde_json::from_str(r#"{"command": "open_round", "event": "My Open", "round": 1}"#);
        let because = super::unfit(&open.expect("an order")).and_then(|refused| refused.because);
        assert_eq!(because, Some(Because::NoName { text: "My Open".to_owned() }));
    }

    #[test]
    fn a_day_is_one_that_a_calendar_has() {
        for day in ["2026.11.20", "2024.02.29", "2026.02.??", "2026.??.31", "????.02.29", "????.??.??", "202?.1?.??"] {
            assert!(is_date(day), "{day}");
        }
        for none in [
            "2026.13.45",
            "2026.02.30",
            "2026.02.29",
            "2026.00.10",
            "2026.04.31",
            "2026.13.??",
            "20.11.2026",
            "2026-11-20",
        ] {
            assert!(!is_date(none), "{none}");
        }
        let days = Some(vec!["2026.11.20".to_owned(), "2026.02.31".to_owned()]);
        let (event, title, site, time_control, rules, notation) = ("open".to_owned(), None, None, None, None, None);
        let described = Command::Event { event, title, site, days, time_control, rules, notation };
        let told = unfit(&Order::to_hall(described)).expect("there is no such day");
        assert!(told.starts_with("\"2026.02.31\" is no day"), "{told}");
    }

    #[test]
    fn nothing_is_taken_of_which_nothing_can_come() {
        let order = |text: &str| unfit(&serde_json::from_str(text).expect("an order"));
        for none in [
            r#"{"command": "penalty", "table": "open/1/1", "side": "white", "penalty": "own_time"}"#,
            r#"{"command": "penalty", "table": "open/1/1", "side": "white", "penalty": "opponent_time", "seconds": 0}"#,
            r#"{"command": "event", "event": "open", "time_control": {"base_s": 0, "increment_s": 0}}"#,
            r#"{"command": "open_round", "event": "open", "round": 1, "time_control": {"base_s": 0, "increment_s": 0}}"#,
        ] {
            assert!(order(none).is_some_and(|sentence| sentence.contains("seconds")), "{none}");
        }
        for some in [
            r#"{"command": "penalty", "table": "open/1/1", "side": "white", "penalty": "own_time", "seconds": 60}"#,
            r#"{"command": "penalty", "table": "open/1/1", "side": "white", "penalty": "warning"}"#,
            r#"{"command": "event", "event": "open", "time_control": {"base_s": 0, "increment_s": 10}}"#,
        ] {
            assert_eq!(order(some), None, "{some}");
        }
    }

    #[test]
    fn nobody_plays_twice_in_a_round_and_namesakes_do_who_differ_in_something() {
        let player = |name: &str, number| Player { name: name.to_owned(), number, ..Player::default() };
        let list = |pairs: &[(Player, Player)], byes: &[Player]| {
            let pairs = (1..).zip(pairs).map(|(table, (white, black))| Pairing {
                table,
                white: white.clone(),
                black: black.clone(),
            });
            let byes = byes.iter().map(|player| Bye { player: player.clone(), kind: ByeKind::Half });
            let (pairings, byes) = (pairs.collect(), byes.collect());
            unfit(&Order::to_hall(Command::Pairings {
                event: "open".to_owned(),
                round: 1,
                title: None,
                site: None,
                pairings,
                byes,
                file: None,
            }))
        };
        let (ann, ben, cid) = (player("Ann", None), player("Ben", None), player("Cid", None));
        let told = |sentence: Option<String>| sentence.expect("it can't be true");
        let alone = told(list(&[(ann.clone(), ann.clone())], &[]));
        assert!(alone.starts_with("Ann would play with themselves: "), "{alone}");
        let twice = told(list(&[(ann.clone(), ben.clone()), (cid.clone(), player("ANN", None))], &[]));
        assert!(twice.starts_with("ANN stands at table 1 and at table 2: "), "{twice}");
        let rests = told(list(&[(ann.clone(), ben.clone())], &[ben]));
        assert!(rests.starts_with("Ben has a bye and stands at table 1: "), "{rests}");
        assert_eq!(list(&[(ann, cid)], &[player("Ann", Some(7))]), None, "another Ann");
    }
}
