//! Thousands of games as the record writes them, and beside them what was really played: for other people's programs to
//! read. Usage: many_games FOLDER [COUNT]

use std::{env, fs, path::PathBuf};

use escaque::record::Games;
use protocol::feed::{Entry, Event, GameResult, Player, ResultReason, TableEvent, TableId, TimeControl, Variant};
use serde_json::{Value, json};
use shakmaty::{CastlingMode, Chess, Position as _, fen::Fen, san::SanPlus};

/// Names nobody likes to see between quotes.
const NAMES: [&str; 8] = [
    "Okafor, Ada",
    "Ünal, Öykü",
    "O\"Brien, \"Paddy\"",
    "Back\\slash, A\\",
    "Peña, Inés",
    "Łukasiewicz, Żaneta",
    "[%clk 0:00:01], {x}",
    "D'Angelo; Percent%",
];
const TITLE: &str = "Spring \"Open\" \\ Früh";
const RESULTS: [GameResult; 4] = [GameResult::WhiteWins, GameResult::BlackWins, GameResult::Draw, GameResult::Open];

fn main() -> std::io::Result<()> {
    let mut arguments = env::args().skip(1);
    let folder = PathBuf::from(arguments.next().unwrap_or_else(|| ".".to_owned()));
    let count = arguments.next().and_then(|count| count.parse().ok()).unwrap_or(2_000);
    let (mut book, mut truth, mut dice) = (Games::default(), String::new(), Dice(0x5eed));
    book.open_round("open", 1, TITLE, "Lyon", "2026.11.22");
    for table in 1..=count {
        let played = play(&mut book, table, &mut dice);
        truth.push_str(&format!("{played}\n"));
    }
    fs::create_dir_all(&folder)?;
    fs::write(folder.join("games.pgn"), book.round_pgn("open", 1))?;
    fs::write(folder.join("truth.jsonl"), truth)
}

/// A game of random moves, told as the hall tells one. Gives what was played.
fn play(book: &mut Games, table: u16, dice: &mut Dice) -> Value {
    let id = TableId { event: "open".to_owned(), round: 1, table };
    let mut tell = |entry: Entry| book.apply(&TableEvent { table: Some(id.clone()), t: 0, event: Event::Entry(entry) });
    let [white, black] = [dice.pick(&NAMES), dice.pick(&NAMES)];
    let teams = [dice.pick(&NAMES), dice.pick(&NAMES)];
    let player = |name: &str, team: &str, fide_id: u32| Player {
        name: name.to_owned(),
        title: table.is_multiple_of(3).then(|| "WGM".to_owned()),
        rating: Some(1000 + table % 1800),
        federation: Some("NGR".to_owned()),
        fide_id: Some(fide_id),
        team: Some(team.to_owned()),
        ..Player::default()
    };
    let (white_id, black_id) = (u32::from(table) * 2 + 1, u32::from(table) * 2 + 2);
    let time_control = Some(TimeControl { base_s: 5400, increment_s: 30 });
    let [first, second] = [player(white, teams[0], white_id), player(black, teams[1], black_id)];
    tell(Entry::Paired { white: first, black: second, time_control });
    let mut position = Chess::default();
    let start = Fen::from_position(&position, shakmaty::EnPassantMode::Legal).to_string();
    tell(Entry::Started { game: 1, fen: start, variant: Variant::Standard });
    let (mut moves, mut clocks) = (Vec::new(), Vec::new());
    for ply in 1..=dice.below(160) {
        let legal = position.legal_moves();
        if legal.is_empty() {
            break;
        }
        let played = legal[dice.below(legal.len())];
        let uci = played.to_uci(CastlingMode::Standard).to_string();
        let san = SanPlus::from_move_and_play_unchecked(&mut position, played).to_string();
        // One clock in nine was not heard.
        let left = u64::try_from(dice.below(7_000)).unwrap_or_default();
        let clock_ms = (dice.below(9) > 0).then_some(left * 1000 + 999);
        moves.push(uci.clone());
        clocks.push(clock_ms.map(|_| left));
        tell(Entry::Final { ply, san, uci, fen: String::new(), clock_ms, inferred: false, illegal: false });
    }
    let result = *dice.pick(&RESULTS);
    tell(Entry::Result { result, reason: ResultReason::Arbiter, score: None });
    let title = if table.is_multiple_of(3) { "WGM" } else { "" };
    let rating = (1000 + table % 1800).to_string();
    json!({
        "Event": TITLE, "Site": "Lyon", "Date": "2026.11.22", "Round": format!("1.{table}"), "Board": table.to_string(),
        "White": white, "WhiteTitle": title, "WhiteElo": rating, "WhiteFideId": white_id.to_string(),
        "WhiteTeam": teams[0], "WhiteFed": "NGR", "Black": black, "BlackTitle": title, "BlackElo": rating,
        "BlackFideId": black_id.to_string(), "BlackTeam": teams[1], "BlackFed": "NGR", "Result": result.to_string(),
        "TimeControl": "5400+30", "moves": moves, "clocks": clocks,
    })
}

/// The same numbers on every machine.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or_default() % bound.max(1)
    }

    fn pick<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.below(of.len())]
    }
}
