//! Documents as LiveChess has them at its own port, for the tools of whoever looks after the boards.
//!
//! Pure. Tools take these keys and no others, count the rounds in addresses from 0, and look a board up by the number of a
//! pairing: so only a pairing at whose table a board was heard is ever live.

use std::collections::BTreeMap;

use protocol::feed::TableId;
use serde_json::{Value, json};

use super::{
    livechess::{ORDINARY, is_live, name_of, of_table, player, result_word, start_number, timed},
    mark::{Mark, Told},
};
use crate::record::{Bulletin, Slip};

/// Which document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LocalAddress {
    /// All events.
    Tournaments,
    /// One of them, by what LiveChess would call it.
    Tournament(String),
    /// A round of it, from 0.
    Round(String, u16),
    /// A game.
    Game(String),
}

/// What was published, of all tables.
pub trait Published: Send + Sync {
    /// All rounds there are.
    fn rounds(&self) -> Vec<(String, u16)>;

    /// The games of one.
    fn bulletin(&self, event: &str, round: u16) -> Bulletin;
}

/// Which boards are where.
#[derive(Debug, Default)]
pub struct Sitting {
    /// The boards that have their place at a table.
    pub seats: BTreeMap<TableId, String>,
    /// What the clock of each board shows that was heard; null where it has none.
    pub clocks: BTreeMap<String, Value>,
}

impl LocalAddress {
    /// Reads what stands behind `/api/v1.0/`.
    pub fn read(path: &str) -> Option<LocalAddress> {
        let parts = path.split('/').collect::<Vec<_>>();
        // Programs write a name of this kind in letters of either size.
        let name = |text: &str| text.to_ascii_lowercase();
        match parts[..] {
            ["tournaments"] => Some(LocalAddress::Tournaments),
            ["tournament", event] => Some(LocalAddress::Tournament(name(event))),
            ["round", event, round] => Some(LocalAddress::Round(name(event), round.parse().ok()?)),
            ["game", game] => Some(LocalAddress::Game(name(game))),
            _ => None,
        }
    }

    /// The document, if there is such a thing.
    pub fn write(&self, published: &dyn Published, sitting: &Sitting) -> Option<String> {
        let rounds = published.rounds();
        let told = match self {
            LocalAddress::Tournaments => {
                // Of each event the last round: they are in order.
                let last = rounds.into_iter().collect::<BTreeMap<_, _>>();
                last.into_iter().map(|(event, last)| summary(published, &event, last)).collect::<Vec<_>>().into()
            }
            LocalAddress::Tournament(name) => {
                let (event, last) = of(&rounds, |event| name_of(event) == *name)?;
                tournament(published, &event, last, sitting)
            }
            LocalAddress::Round(name, at) => {
                let (event, last) = of(&rounds, |event| name_of(event) == *name)?;
                let number = at.checked_add(1).filter(|number| *number <= last)?;
                round(&published.bulletin(&event, number), sitting)
            }
            LocalAddress::Game(name) => {
                let (number, table) = numbers(name)?;
                let (event, _) = of(&rounds, |event| game_name(event, number, table) == *name)?;
                game(&published.bulletin(&event, number), table, sitting)?
            }
        };
        Some(told.to_string())
    }
}

/// What a game is called: its event's name with the numbers of round and table at its end.
fn game_name(event: &str, round: u16, table: u16) -> String {
    format!("{}{round:04x}{table:04x}", &name_of(event)[..NUMBERS_FROM])
}

/// Where they begin.
const NUMBERS_FROM: usize = 28;

fn numbers(name: &str) -> Option<(u16, u16)> {
    let digits = name.get(NUMBERS_FROM..).filter(|digits| digits.len() == 8)?;
    let number = |digits: &str| u16::from_str_radix(digits, 16).ok();
    Some((number(digits.get(..4)?)?, number(digits.get(4..)?)?))
}

/// An event and its last round.
fn of(rounds: &[(String, u16)], is_one: impl Fn(&str) -> bool) -> Option<(String, u16)> {
    rounds.iter().filter(|(event, _)| is_one(event)).max().cloned()
}

fn summary(published: &dyn Published, event: &str, last: u16) -> Value {
    let title = tag(&published.bulletin(event, last), "Event");
    json!({ "uuid": name_of(event), "description": title.unwrap_or_else(|| event.to_owned()), "rounds": last })
}

fn tournament(published: &dyn Published, event: &str, last: u16, sitting: &Sitting) -> Value {
    let bulletin = published.bulletin(event, last);
    let title = tag(&bulletin, "Event").unwrap_or_else(|| event.to_owned());
    json!({
        "uuid": name_of(event), "name": title, "description": title, "location": tag(&bulletin, "Site"), "country": null,
        "rounds": last, "eboards": sitting.boards_of(event),
    })
}

/// Of a round nobody has spoken of nothing is known but its number.
fn round(bulletin: &Bulletin, sitting: &Sitting) -> Value {
    let pairings = told(bulletin, |games| {
        let tables = bulletin.tables.keys().filter_map(|table| of_table(games, *table));
        tables.map(|game| pairing(bulletin, game, sitting)).collect::<Vec<_>>()
    });
    let date = tag(bulletin, "Date").filter(|date| !date.contains('?')).map(|date| date.replace('.', "-"));
    json!({ "nr": bulletin.round, "date": date, "pairings": pairings })
}

fn pairing(bulletin: &Bulletin, game: Told<'_>, sitting: &Sitting) -> Value {
    let (slip, _) = game;
    let table = slip.table();
    json!({
        "nr": table.table, "uuid": game_name(&bulletin.event, table.round, table.table),
        "white": player(slip, "White"), "black": player(slip, "Black"),
        "live": is_live(game) && sitting.is_heard_at(table), "result": result(slip),
    })
}

fn game(bulletin: &Bulletin, table: u16, sitting: &Sitting) -> Option<Value> {
    told(bulletin, |games| {
        let (slip, _) = of_table(games, table)?;
        let start = start_number(slip);
        let moves = if start.is_some() { moves(slip) } else { Vec::new() };
        let board = sitting.seats.get(slip.table()).filter(|_| bulletin.is_on_its_board(slip));
        let clock = board.and_then(|board| sitting.clocks.get(board));
        Some(json!({
            "chess960": start.unwrap_or(ORDINARY), "result": result(slip), "comment": null,
            "clock": clock.unwrap_or(&Value::Null), "moves": moves,
        }))
    })
}

/// Tools can't read a move without a time. Where no clock told any, it is how long after the one before it was final.
fn moves(slip: &Slip) -> Vec<String> {
    let mut before = slip.began();
    let each = slip.moves().zip(slip.made()).map(|((san, left, taken), made)| {
        let rested = made.zip(before).map_or(0, |(made, before)| made.saturating_sub(before));
        before = made.or(before);
        timed(san, left, taken.or(left.is_none().then_some(rested)))
    });
    each.collect()
}

/// Nothing while it goes on.
fn result(slip: &Slip) -> Option<&'static str> {
    match slip.result() {
        "1-0" if slip.is_forfeit() => Some("WHITEFORFAIT"),
        "0-1" if slip.is_forfeit() => Some("BLACKFORFAIT"),
        other => result_word(other),
    }
}

fn told<T>(bulletin: &Bulletin, tell: impl FnOnce(&[Told<'_>]) -> T) -> T {
    let marks = bulletin.slips().map(|slip| Mark::whole(slip)).collect::<Vec<_>>();
    tell(&bulletin.slips().zip(&marks).collect::<Vec<_>>())
}

fn tag(bulletin: &Bulletin, name: &str) -> Option<String> {
    bulletin.slips().find_map(|slip| slip.tag(name).filter(|text| *text != "?")).map(str::to_owned)
}

impl Sitting {
    /// The board of each table of an event, the first first. Of several rounds the last counts.
    fn boards_of(&self, event: &str) -> Vec<&str> {
        let tables = self.seats.keys().filter(|at| at.event == event).map(|at| at.table);
        (1..=tables.max().unwrap_or_default())
            .map(|table| self.board_of(event, table).map_or("", |(_, one)| one))
            .collect()
    }

    fn board_of(&self, event: &str, table: u16) -> Option<(u16, &str)> {
        let seats = self.seats.iter().filter(|(at, _)| at.event == event && at.table == table);
        seats.map(|(at, board)| (at.round, board.as_str())).max()
    }

    fn is_heard_at(&self, table: &TableId) -> bool {
        let board = self.board_of(&table.event, table.table).filter(|(round, _)| *round == table.round);
        board.is_some_and(|(_, board)| self.clocks.contains_key(board))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use protocol::feed::{Entry, GameResult, Player, ResultReason, Score, TableEvent, Variant};

    use super::*;
    use crate::record::Games;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    /// Two tables of the third round: a game that is on at the first, a forfeit at the second.
    struct Club(Games);

    impl Published for Club {
        fn rounds(&self) -> Vec<(String, u16)> {
            self.0.rounds().map(|(event, round)| (event.to_owned(), round)).collect()
        }

        fn bulletin(&self, event: &str, round: u16) -> Bulletin {
            let tables = self.0.tables_of(event, round).into_iter();
            let slips = |table: &TableId| self.0.slips(table).into_iter().map(Arc::new).collect();
            let tables = tables.map(|table| (table.table, Some(slips(&table)))).collect();
            Bulletin { event: event.to_owned(), round, tables, ..Bulletin::default() }
        }
    }

    fn club() -> Club {
        let mut games = Games::default();
        games.open_round("open", 3, "Spring Open", "Lyon", "2026.11.22");
        for table in [1, 2] {
            let [white, black] =
                ["Okafor, Ada", "Hall, Wei"].map(|name| Player { name: name.into(), ..Player::default() });
            tell(&mut games, table, 0, Entry::Paired { white, black, time_control: None });
            tell(&mut games, table, 0, Entry::Started { game: 1, fen: START.into(), variant: Variant::Standard });
        }
        for (ply, t, san, clock_ms) in
            [(1, 4_000, "e4", None), (2, 11_500, "e5", None), (3, 20_000, "Nf3", Some(59_000))]
        {
            let (uci, fen) = (String::new(), String::new());
            let played = Entry::Final { ply, san: san.into(), uci, fen, clock_ms, inferred: false, illegal: false };
            tell(&mut games, 1, t, played);
        }
        let (result, score) = (GameResult::WhiteWins, Some(Score::WhiteByForfeit));
        tell(&mut games, 2, 9, Entry::Result { result, reason: ResultReason::Forfeit, score });
        Club(games)
    }

    fn tell(games: &mut Games, table: u16, t: u64, entry: Entry) {
        games.apply(&TableEvent { table: Some(at(table)), t, event: entry.into() });
    }

    fn at(table: u16) -> TableId {
        TableId { event: "open".into(), round: 3, table }
    }

    fn ask(path: &str, sitting: &Sitting) -> Option<Value> {
        let text = LocalAddress::read(path)?.write(&club(), sitting)?;
        Some(serde_json::from_str(&text).expect("JSON"))
    }

    fn two_boards() -> Sitting {
        let clock = json!({ "white": 59, "black": 60, "run": false, "time": 7 });
        Sitting {
            seats: [(at(1), "20001".to_owned()), (at(3), "20003".to_owned())].into(),
            clocks: [("20001".to_owned(), clock), ("20003".to_owned(), Value::Null)].into(),
        }
    }

    #[test]
    fn a_tool_goes_from_the_list_to_a_game_by_names_it_was_told() {
        let sitting = two_boards();
        let list = ask("tournaments", &sitting).expect("a list");
        assert_eq!(list[0]["description"], "Spring Open");
        let event = list[0]["uuid"].as_str().expect("a name").to_uppercase();
        let told = ask(&format!("tournament/{event}"), &sitting).expect("an event");
        assert_eq!((&told["rounds"], &told["eboards"]), (&3.into(), &json!(["20001", "", "20003"])));
        let round = ask(&format!("round/{event}/2"), &sitting).expect("rounds count from 0");
        assert_eq!((&round["nr"], &round["date"]), (&3.into(), &"2026-11-22".into()));
        let [on, given] = [&round["pairings"][0], &round["pairings"][1]];
        assert_eq!((&on["live"], &on["result"], &on["white"]["lname"]), (&true.into(), &Value::Null, &"Okafor".into()));
        assert_eq!((&given["live"], &given["result"]), (&false.into(), &"WHITEFORFAIT".into()));
        let game = ask(&format!("game/{}", on["uuid"].as_str().expect("a name")), &sitting).expect("a game");
        assert_eq!(game["moves"], json!(["e4 +0", "e5 +7", "Nf3 59"]), "tools split each at its blank");
        assert_eq!((&game["clock"]["white"], &game["chess960"]), (&59.into(), &518.into()));
    }

    #[test]
    fn rounds_of_which_nothing_is_known_are_there_and_others_are_not() {
        let event = name_of("open");
        assert_eq!(ask(&format!("round/{event}/0"), &Sitting::default()).expect("the first")["pairings"], json!([]));
        let nothing = "0".repeat(36);
        for path in [
            format!("round/{event}/3"),
            format!("round/{event}/65535"),
            format!("tournament/{nothing}"),
            format!("game/{nothing}"),
            format!("game/{}", game_name("open", 3, 9)),
            "game/é".repeat(9),
            "tournament".to_owned(),
        ] {
            assert_eq!(ask(&path, &Sitting::default()), None, "{path}");
        }
    }

    #[test]
    fn what_is_played_on_a_board_whose_result_stands_is_not_its_game() {
        let Club(mut games) = club();
        tell(&mut games, 1, 30_000, {
            Entry::Result { result: GameResult::Draw, reason: ResultReason::Arbiter, score: None }
        });
        tell(&mut games, 1, 31_000, Entry::Started { game: 2, fen: START.into(), variant: Variant::Standard });
        let (san, uci, fen) = ("d4".to_owned(), String::new(), String::new());
        let played = Entry::Final { ply: 1, san, uci, fen, clock_ms: None, inferred: false, illegal: false };
        tell(&mut games, 1, 32_000, played);
        let club = Club(games);
        let ask = |path: String| -> Value {
            let text = LocalAddress::read(&path).and_then(|address| address.write(&club, &two_boards()));
            serde_json::from_str(&text.expect("a document")).expect("JSON")
        };
        let pairing = &ask(format!("round/{}/2", name_of("open")))["pairings"][0];
        assert_eq!((&pairing["live"], &pairing["result"]), (&false.into(), &"DRAW".into()));
        let game = ask(format!("game/{}", game_name("open", 3, 1)));
        assert_eq!((&game["result"], game["moves"].as_array().map(Vec::len)), (&"DRAW".into(), Some(3)));
        assert_eq!(game["clock"], Value::Null, "it shows the times of what is played there since");
    }

    #[test]
    fn a_game_whose_board_was_not_heard_is_not_live() {
        let round = format!("round/{}/2", name_of("open"));
        let live = |sitting: &Sitting| ask(&round, sitting).expect("a round")["pairings"][0]["live"].clone();
        let mut sitting = two_boards();
        sitting.clocks.remove("20001");
        assert_eq!(live(&sitting), false, "a tool would look its board up and find none");
        // The board went on to the next round.
        sitting = two_boards();
        sitting.seats.insert(TableId { round: 4, ..at(1) }, "20003".to_owned());
        assert_eq!(live(&sitting), false);
    }
}
