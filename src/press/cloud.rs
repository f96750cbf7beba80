//! Documents as LiveChess's cloud has them, for those who come for them.
//!
//! Pure.

use super::{
    livechess,
    mark::{Mark, Told},
};
use crate::record::{Bulletin, Manner};

/// Which document of which event.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CloudAddress {
    /// The event's name in addresses, or what the cloud calls it.
    event: String,
    leaf: Leaf,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Leaf {
    Tournament,
    Index(u16),
    Games(u16),
    Game(u16, u16),
    GamePgn(u16, u16),
}

impl CloudAddress {
    /// Reads `EVENT/tournament.json`, `EVENT/round-3/index.json` and their like.
    pub fn read(path: &str) -> Option<CloudAddress> {
        let parts = path.split('/').collect::<Vec<_>>();
        let (event, leaf) = match parts[..] {
            [event, "tournament.json"] => (event, Leaf::Tournament),
            [event, round, file] => {
                let round = number(round.strip_prefix("round-")?)?;
                let leaf = match file {
                    "index.json" => Leaf::Index(round),
                    "games.pgn" => Leaf::Games(round),
                    _ => {
                        let (table, kind) = file.strip_prefix("game-")?.split_once('.')?;
                        let table = number(table)?;
                        match kind {
                            "json" => Leaf::Game(round, table),
                            "pgn" => Leaf::GamePgn(round, table),
                            _ => return None,
                        }
                    }
                };
                (event, leaf)
            }
            _ => return None,
        };
        (!event.is_empty()).then(|| CloudAddress { event: event.to_owned(), leaf })
    }

    /// Whether it is of this event.
    pub fn names(&self, event: &str) -> bool {
        self.event == event || self.event == livechess::name_of(event)
    }

    /// Of which round it is; none where it is of all.
    pub fn round(&self) -> Option<u16> {
        match self.leaf {
            Leaf::Tournament => None,
            Leaf::Index(round) | Leaf::Games(round) | Leaf::Game(round, _) | Leaf::GamePgn(round, _) => Some(round),
        }
    }

    /// Whether it is a text and no JSON.
    pub fn is_pgn(&self) -> bool {
        matches!(self.leaf, Leaf::Games(_) | Leaf::GamePgn(..))
    }

    /// The document, if there is one. `wall` says when something happened, in milliseconds of the calendar.
    pub fn write(&self, bulletin: &Bulletin, wall: impl Fn(u64) -> u64) -> Option<String> {
        let marks = bulletin.slips().map(|slip| Mark::whole(slip)).collect::<Vec<_>>();
        let games: Vec<Told<'_>> = bulletin.slips().zip(&marks).collect();
        let last = games.last()?.0.table().table;
        match self.leaf {
            Leaf::Tournament => Some(livechess::tournament(bulletin, &games)),
            Leaf::Index(_) => Some(livechess::index(&games)),
            Leaf::Games(_) => Some(pgn(&games, |_| true)),
            // A board that is not on air leaves a gap, and behind the last there is nothing.
            Leaf::Game(_, table) => (table <= last).then(|| {
                let game = livechess::of_table(&games, table);
                livechess::game(game, game.and_then(|(slip, _)| bulletin.clock_of(slip)), wall)
            }),
            Leaf::GamePgn(_, table) => Some(pgn(&games, |one| one == table)).filter(|text| !text.is_empty()),
        }
    }
}

fn pgn(games: &[Told<'_>], is_one: impl Fn(u16) -> bool) -> String {
    let games = games.iter().filter(|(slip, _)| is_one(slip.table().table));
    let written = games.map(|(slip, mark)| slip.pgn(mark.plies, &mark.result, Manner::LiveChess));
    written.collect::<Vec<_>>().join("\n")
}

fn number(text: &str) -> Option<u16> {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit()) && !text.starts_with('0');
    text.parse().ok().filter(|_| is_plain)
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeMap, sync::Arc};

    use protocol::feed::{
        ClockView, Entry, GameResult, Player, ResultReason, Score, Side, TableEvent, TableId, Variant,
    };
    use serde_json::{Value, json};

    use super::*;
    use crate::record::Games;

    #[test]
    fn a_boards_game_is_the_one_whose_result_stands_whatever_is_played_there_afterwards() {
        let mut games = Games::default();
        // A win by default before anybody came, and a mate at the board.
        let (forfeit, mate) = (ResultReason::Forfeit, ResultReason::Checkmate);
        let given =
            Entry::Result { result: GameResult::WhiteWins, reason: forfeit, score: Some(Score::WhiteByForfeit) };
        let mated = Entry::Result { result: GameResult::BlackWins, reason: mate, score: None };
        for (table, moves, result) in [(1, &[][..], given), (2, &["f3", "e5", "g4", "Qh4#"][..], mated)] {
            begin(&mut games, table, 1, moves);
            tell(&mut games, table, result);
            begin(&mut games, table, 2, &["d4", "d5", "c4"]);
        }
        let bulletin = bulletin(&games);
        let index = json(&bulletin, "index.json");
        let results = index["pairings"].as_array().expect("two").iter().map(|one| (&one["result"], &one["live"]));
        assert_eq!(results.collect::<Vec<_>>(), [(&"1-0".into(), &false.into()), (&"0-1".into(), &false.into())]);
        let game = json(&bulletin, "game-2.json");
        assert_eq!((&game["moves"], &game["result"]), (&json!(["f3", "e5", "g4", "Qh4#"]), &"BLACKWIN".into()));
        assert_eq!(game["clock"], Value::Null, "it is that of the other game");
        let pgn = write(&bulletin, "round-1/games.pgn");
        assert_eq!((pgn.matches("[Board ").count(), pgn.contains("d4")), (2, false), "{pgn}");
        assert_eq!(pgn, [1, 2].map(|one| write(&bulletin, &format!("round-1/game-{one}.pgn"))).join("\n"));
        assert_eq!(games.programme("open", |_| true), [(2, 0)], "none of them plays for the round");
    }

    #[test]
    fn while_no_result_stands_a_boards_game_is_the_last_in_which_somebody_has_moved() {
        let mut games = Games::default();
        begin(&mut games, 1, 1, &["e4", "e5"]);
        begin(&mut games, 1, 2, &[]);
        assert_eq!(json(&bulletin(&games), "game-1.json")["moves"], json!(["e4", "e5"]), "men were put up");
        begin(&mut games, 1, 2, &["d4"]);
        let game = json(&bulletin(&games), "game-1.json");
        assert_eq!((&game["moves"], &game["live"]), (&json!(["d4"]), &true.into()));
        assert_eq!(game["clock"]["white"], 300, "this one is on at the board");
    }

    fn begin(games: &mut Games, table: u16, game: u32, moves: &[&str]) {
        let [white, black] = ["Okafor, Ada", "Hall, Wei"].map(|name| Player { name: name.into(), ..Player::default() });
        tell(games, table, Entry::Paired { white, black, time_control: None });
        let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".to_owned();
        tell(games, table, Entry::Started { game, fen, variant: Variant::Standard });
        for (ply, san) in (1..).zip(moves) {
            let (san, uci, fen) = ((*san).to_owned(), String::new(), String::new());
            tell(games, table, Entry::Final { ply, san, uci, fen, clock_ms: None, inferred: false, illegal: false });
        }
    }

    fn tell(games: &mut Games, table: u16, entry: Entry) {
        let table = Some(TableId { event: "open".into(), round: 1, table });
        games.apply(&TableEvent { table, t: 0, event: entry.into() });
    }

    /// With a clock at each table.
    fn bulletin(games: &Games) -> Bulletin {
        let clock = ClockView { white_ms: 300_000, black_ms: 300_000, running: Some(Side::Black), at: 0 };
        let slips = |table: &TableId| games.slips(table).into_iter().map(Arc::new).collect();
        let tables = games.tables_of("open", 1);
        let clocks = tables.iter().map(|table| (table.table, clock)).collect::<BTreeMap<_, _>>();
        let tables = tables.iter().map(|table| (table.table, Some(slips(table)))).collect();
        Bulletin { event: "open".to_owned(), round: 1, tables, clocks, ..Bulletin::default() }
    }

    fn write(bulletin: &Bulletin, path: &str) -> String {
        let address = CloudAddress::read(&format!("open/{path}")).expect("an address");
        address.write(bulletin, |t| t).expect("a document")
    }

    fn json(bulletin: &Bulletin, file: &str) -> Value {
        serde_json::from_str(&write(bulletin, &format!("round-1/{file}"))).expect("JSON")
    }

    #[test]
    fn addresses_are_those_of_the_cloud_and_no_others() {
        for (path, round, is_pgn) in [
            ("open/tournament.json", None, false),
            ("open/round-3/index.json", Some(3), false),
            ("open/round-3/games.pgn", Some(3), true),
            ("open/round-3/game-12.json", Some(3), false),
            ("open/round-3/game-12.pgn", Some(3), true),
        ] {
            let address = CloudAddress::read(path).expect(path);
            assert_eq!((address.round(), address.is_pgn()), (round, is_pgn), "{path}");
            assert!(address.names("open") && !address.names("youth"));
        }
        let by_name = format!("{}/tournament.json", livechess::name_of("open"));
        assert!(CloudAddress::read(&by_name).expect("the cloud's name").names("open"));
        for path in [
            "",
            "open",
            "/tournament.json",
            "open/index.json",
            "open/round-0/index.json",
            "open/round-3/game-.json",
            "open/round-3/game-01.json",
            "open/round-3/game-70000.json",
            "open/round-3/game-1.exe",
            "a/b/c/d",
        ] {
            assert_eq!(CloudAddress::read(path), None, "{path}");
        }
    }
}
