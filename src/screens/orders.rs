//! Reading an order from what `POST /command` brings. A key nobody knows is an error that names the nearest right one:
//! an order half understood would be an order carried out wrongly.

use laws::{chess960::POSITIONS, result::GameResult};
use protocol::feed::{Command, Order};
use serde::Deserialize as _;
use serde_json::Value;

use super::{culprit, unique::Unique};
use crate::nearest::nearest;

/// All commands, each with its fields. `command` and `table` may stand everywhere.
const COMMANDS: &[(&str, &[&str])] = &[
    ("event", &["event", "title", "site", "days", "time_control", "rules", "notation"]),
    ("close_round", &["event", "round"]),
    ("pairings", &["event", "round", "title", "site", "pairings", "byes", "file"]),
    ("remove", &["event", "round"]),
    ("open_round", &["event", "round", "title", "site", "date", "time_control", "rules"]),
    ("pair", &["white", "black"]),
    ("assign", &["board"]),
    ("boards", &["event", "boards"]),
    ("take_over", &["event", "round", "number"]),
    ("new_game", &["fen", "variant"]),
    ("undo", &["plies"]),
    ("turn_board", &[]),
    ("set_position", &["fen"]),
    ("set_turn", &["side"]),
    ("insert", &["ply", "moves", "cut"]),
    ("replace", &["ply", "move", "cut"]),
    ("choose", &["alternative"]),
    ("result", &["result"]),
    ("rules", &["rules"]),
    ("start", &[]),
    ("stop", &[]),
    ("resume", &[]),
    ("restore", &["to"]),
    ("confirm", &[]),
    ("reject", &[]),
    ("acknowledge", &["until"]),
    ("dismiss", &["kind", "at", "note"]),
    ("penalty", &["side", "penalty", "seconds", "note"]),
    ("adjust_times", &["white_ms", "black_ms"]),
    ("illegal_moves", &["white", "black"]),
    ("claim", &["side", "claim", "intended"]),
    ("draw_offer", &["side"]),
    ("draw_accept", &["side"]),
    ("draw_decline", &["side"]),
    ("resign", &["side"]),
    ("adjust_announced", &["side"]),
    ("announce", &["side", "text", "play"]),
    ("adjourn", &["clocks_ms"]),
    ("open_sealed", &["text"]),
    ("delay", &["event", "seconds", "plies"]),
    ("on_air", &["event", "tables"]),
    ("withhold", &["player", "withheld"]),
    ("report", &["kind", "side"]),
    ("blind", &["players", "white_board"]),
    ("voice", &["side", "earphone"]),
    ("ask", &["side", "request"]),
    ("start_position", &["event", "round", "number"]),
    ("tell_live", &["target", "live"]),
    ("clock_tells", &["tells"]),
];
const EVERYWHERE: [&str; 2] = ["command", "table"];

/// The order, or a sentence that says what to write.
pub(super) fn read(body: &[u8]) -> Result<Order, String> {
    let Unique(value) = serde_json::from_slice(body).map_err(|error| {
        format!(r#"This is no JSON: {error}. An order looks like {{"table":"open/3/12","command":"undo","plies":1}}."#)
    })?;
    let Value::Object(keys) = &value else {
        return Err(r#"An order is a JSON object, as in {"table":"open/3/12","command":"undo","plies":1}."#.to_owned());
    };
    let Some(Value::String(command)) = keys.get("command") else {
        let misspelt = nearest("command", keys.keys().map(String::as_str));
        let instead = misspelt.map(|key| format!(" Write \"command\" for \"{}\".", clipped(key))).unwrap_or_default();
        return Err(format!("The order has no \"command\".{instead} There are: {}.", names().join(", ")));
    };
    let Some((_, fields)) = COMMANDS.iter().find(|(name, _)| name == command) else {
        return Err(unknown("command", command, &names()));
    };
    let allowed = [&EVERYWHERE, *fields].concat();
    if let Some(key) = keys.keys().find(|key| !allowed.contains(&key.as_str())) {
        return Err(unknown(&format!("key of \"{command}\""), key, &allowed));
    }
    let spelt = spelled(value.clone())?;
    Order::deserialize(&spelt).map_err(|error| {
        let wrong = |value: &Value| Order::deserialize(value).err().map(|error| error.to_string());
        let sentence = culprit::named(&spelt, wrong).unwrap_or_else(|| error.to_string());
        format!("The order \"{command}\" can't be read: {sentence}.")
    })
}

/// A result as people write it is the one that is meant.
fn spelled(mut order: Value) -> Result<Value, String> {
    if order["command"] == "result"
        && let Some(Value::String(result)) = order.get_mut("result")
        && result != "*"
    {
        let meant = result.parse::<GameResult>();
        meant.map_err(|bad| format!("{bad}, or * to take it back."))?.code().clone_into(result);
    }
    Ok(order)
}

/// The order with a start position where it asks for one to be drawn: the journal keeps what was drawn.
pub(super) fn draw(mut order: Order, dice: u64) -> Order {
    if let Command::StartPosition { number: number @ None, .. } = &mut order.command {
        *number = u16::try_from(dice % u64::from(POSITIONS)).ok();
    }
    order
}

fn names() -> Vec<&'static str> {
    COMMANDS.iter().map(|(name, _)| *name).collect()
}

fn unknown(what: &str, word: &str, known: &[&str]) -> String {
    let nearest = nearest(&clipped(word), known.iter().copied());
    let meant = nearest.map(|nearest| format!(" Did you mean \"{nearest}\"?")).unwrap_or_default();
    format!("\"{}\" is no {what}.{meant} There are: {}.", clipped(word), known.join(", "))
}

/// What a stranger sent comes back in a sentence, not as a page.
fn clipped(word: &str) -> String {
    word.chars().filter(|c| !c.is_control()).take(40).collect()
}

#[cfg(test)]
mod tests {
    use protocol::feed::{
        AlertKind, Blind, Bye, ByeKind, Claim, Clocks, Command, Notation, OnAir, Penalty, Place, Player, ReportFile,
        Request, Rules, Score, Side, TimeClass, TimeControl, Variant,
    };

    use super::*;

    #[test]
    fn an_order_is_read_with_its_table() {
        let order = read(br#"{"table":"open/3/12","command":"undo","plies":2}"#).expect("a good order");
        assert_eq!(order.command, Command::Undo { plies: 2 });
        assert_eq!(order.table().expect("it names one").to_string(), "open/3/12");
    }

    #[test]
    fn a_misspelt_order_gets_a_sentence_with_the_nearest_right_key() {
        for (order, sentence) in [
            (r#"{"command":"undoo","plies":1}"#, r#""undoo" is no command. Did you mean "undo"?"#),
            (r#"{"command":"undo","ply":1}"#, r#""ply" is no key of "undo". Did you mean "plies"?"#),
            (r#"{"comand":"undo"}"#, r#"The order has no "command". Write "command" for "comand"."#),
            (r#"{"command":"undo","plies":1,"tabel":"open/3/12"}"#, r#"Did you mean "table"?"#),
            (r#"{"command":"castle"}"#, "There are: event, close_round,"),
            (r#"{"command":"undo"}"#, "missing field `plies`"),
            (r#"{"command":"undo","plies":1,"table":"12"}"#, "write EVENT/ROUND/TABLE"),
            (r#"{"command":"pair","white":{"nam":"x"},"black":{"name":"y"}}"#, "unknown field `nam`"),
            (
                r#"{"command":"delay","seconds":-5}"#,
                r#"can't be read: "seconds": invalid value: integer `-5`, expected a whole number from 0 to 4294967295."#,
            ),
            (
                r#"{"command":"pair","table":"open/1/1","white":{"name":"x","rating":99999},"black":{"name":"y"}}"#,
                r#""white.rating": invalid value: integer `99999`, expected a whole number from 0 to 65535."#,
            ),
            (
                r#"{"command":"pair","table":"open/1/1","white":{"name":"x"},"black":"y"}"#,
                r#""black": invalid type: string "y", expected fields in braces: the page /feed has an example."#,
            ),
            (r#"{"command":"on_air","event":"open","tables":{"list":[1,2,70000]}}"#, r#""tables.list.2": "#),
            (r#"{"command":"insert","table":"open/1/1","moves":"e4"}"#, r#""moves": invalid type: string "e4""#),
            (r#"[1]"#, "An order is a JSON object"),
            (r#"{"command":"undo","plies":1,"plies":2}"#, r#"the key "plies" comes twice"#),
            (r#"{"command":"#, "This is no JSON"),
        ] {
            let answer = read(order.as_bytes()).expect_err(order);
            assert!(answer.contains(sentence), "{order}: {answer}");
        }
    }

    #[test]
    fn a_result_is_taken_as_people_write_it_and_what_is_none_gets_the_list() {
        let ordered = |result: &str| read(format!(r#"{{"command":"result","result":"{result}"}}"#).as_bytes());
        for (written, meant) in [
            ("0F-0F", Score::BothForfeited),
            ("1F-0F", Score::WhiteByForfeit),
            ("0-1 F", Score::BlackByForfeit),
            ("+:-", Score::WhiteByForfeit),
            ("½-½", Score::Draw),
            ("0.5-0", Score::WhiteHalf),
            ("*", Score::Open),
        ] {
            assert_eq!(ordered(written).expect(written).command, Command::Result { result: meant }, "{written}");
        }
        let sentence = ordered("2-0").expect_err("it is none");
        assert!(sentence.starts_with("\"2-0\" is no result: write 1-0, 0-1,"), "{sentence}");
        assert!(sentence.ends_with("or * to take it back."), "{sentence}");
    }

    #[test]
    fn a_start_position_is_drawn_where_none_is_given() {
        let ordered = |text: &str| draw(read(text.as_bytes()).expect("an order"), u64::MAX).command;
        let drawn = ordered(r#"{"command":"start_position","event":"open","round":1}"#);
        assert!(matches!(drawn, Command::StartPosition { number: Some(0..960), .. }), "{drawn:?}");
        let given = ordered(r#"{"command":"start_position","table":"open/1/2","number":7}"#);
        assert!(matches!(given, Command::StartPosition { number: Some(7), .. }), "{given:?}");
    }

    #[test]
    fn every_command_stands_in_the_table_with_all_its_fields() {
        for command in one_of_each() {
            let (name, fields) = COMMANDS[place(&command)];
            let order = serde_json::to_value(Order::to_hall(command)).expect("an order is plain data");
            let keys = order.as_object().expect("an order is an object");
            assert_eq!(keys["command"], name);
            let mut written: Vec<&str> = keys.keys().map(String::as_str).filter(|key| *key != "command").collect();
            let mut known = fields.to_vec();
            written.sort_unstable();
            known.sort_unstable();
            assert_eq!(written, known, "{name}");
        }
    }

    /// Where a command stands in the table. A new one does not compile until it has its place, and then needs its row.
    fn place(command: &Command) -> usize {
        match command {
            Command::Event { .. } => 0,
            Command::CloseRound { .. } => 1,
            Command::Pairings { .. } => 2,
            Command::Remove { .. } => 3,
            Command::OpenRound { .. } => 4,
            Command::Pair { .. } => 5,
            Command::Assign { .. } => 6,
            Command::Boards { .. } => 7,
            Command::TakeOver { .. } => 8,
            Command::NewGame { .. } => 9,
            Command::Undo { .. } => 10,
            Command::TurnBoard => 11,
            Command::SetPosition { .. } => 12,
            Command::SetTurn { .. } => 13,
            Command::Insert { .. } => 14,
            Command::Replace { .. } => 15,
            Command::Choose { .. } => 16,
            Command::Result { .. } => 17,
            Command::Rules { .. } => 18,
            Command::Start => 19,
            Command::Stop => 20,
            Command::Resume => 21,
            Command::Restore { .. } => 22,
            Command::Confirm => 23,
            Command::Reject => 24,
            Command::Acknowledge { .. } => 25,
            Command::Dismiss { .. } => 26,
            Command::Penalty { .. } => 27,
            Command::AdjustTimes { .. } => 28,
            Command::IllegalMoves { .. } => 29,
            Command::Claim { .. } => 30,
            Command::DrawOffer { .. } => 31,
            Command::DrawAccept { .. } => 32,
            Command::DrawDecline { .. } => 33,
            Command::Resign { .. } => 34,
            Command::AdjustAnnounced { .. } => 35,
            Command::Announce { .. } => 36,
            Command::Adjourn { .. } => 37,
            Command::OpenSealed { .. } => 38,
            Command::Delay { .. } => 39,
            Command::OnAir { .. } => 40,
            Command::Withhold { .. } => 41,
            Command::Report { .. } => 42,
            Command::Blind { .. } => 43,
            Command::Voice { .. } => 44,
            Command::Ask { .. } => 45,
            Command::StartPosition { .. } => 46,
            Command::TellLive { .. } => 47,
            Command::ClockTells { .. } => 48,
        }
    }

    fn one_of_each() -> Vec<Command> {
        let (text, side) = (String::new, Side::White);
        let rapid = Rules { time_class: TimeClass::Rapid, ..Rules::default() };
        let control = Some(TimeControl { base_s: 1, increment_s: 0 });
        vec![
            Command::Event {
                event: text(),
                title: Some(text()),
                site: Some(text()),
                days: Some(vec!["2026.11.22".into()]),
                time_control: control,
                rules: Some(Box::default()),
                notation: Some(Notation::German),
            },
            Command::CloseRound { event: text(), round: 1 },
            Command::Pairings {
                event: text(),
                round: 1,
                title: Some(text()),
                site: Some(text()),
                pairings: Vec::new(),
                byes: vec![Bye { player: Player::default(), kind: ByeKind::Half }],
                file: Some(Box::new(ReportFile { text: text(), encoding: text() })),
            },
            Command::Remove { event: Some(text()), round: Some(1) },
            Command::OpenRound {
                event: text(),
                round: 1,
                title: "Open".into(),
                site: "Lyon".into(),
                date: "2026.11.22".into(),
                time_control: control,
                rules: Box::new(rapid),
            },
            Command::Pair { white: Box::default(), black: Box::default() },
            Command::Assign { board: text() },
            Command::Boards { event: text(), boards: vec![Place { table: 1, board: text() }] },
            Command::TakeOver { event: text(), round: 1, number: Some(7) },
            Command::NewGame { fen: Some(text()), variant: Variant::Standard },
            Command::Undo { plies: 1 },
            Command::TurnBoard,
            Command::SetPosition { fen: text() },
            Command::SetTurn { side },
            Command::Insert { ply: Some(3), moves: vec![text()], cut: true },
            Command::Replace { ply: 3, played: text(), cut: true },
            Command::Choose { alternative: 2 },
            Command::Result { result: Score::Open },
            Command::Rules { rules: Box::default() },
            Command::Start,
            Command::Stop,
            Command::Resume,
            Command::Restore { to: 3 },
            Command::Confirm,
            Command::Reject,
            Command::Acknowledge { until: 7 },
            Command::Dismiss { kind: AlertKind::TouchMoveSuspect, at: 7, note: "adjusted".into() },
            Command::Penalty { side, penalty: Penalty::OwnTime, seconds: Some(120), note: "late".into() },
            Command::AdjustTimes { white_ms: 1, black_ms: 2 },
            Command::IllegalMoves { white: 1, black: 0 },
            Command::Claim { side, claim: Claim::Threefold, intended: Some("f6g8".into()) },
            Command::DrawOffer { side },
            Command::DrawAccept { side },
            Command::DrawDecline { side },
            Command::Resign { side },
            Command::AdjustAnnounced { side },
            Command::Announce { side, text: text(), play: true },
            Command::Adjourn { clocks_ms: Some(Clocks { white: 1, black: 2 }) },
            Command::OpenSealed { text: text() },
            Command::Delay { event: Some(text()), seconds: 900, plies: 2 },
            Command::OnAir { event: Some(text()), tables: OnAir::First(10) },
            Command::Withhold { player: text(), withheld: true },
            Command::Report { kind: AlertKind::ColoursReversed, side: Some(side) },
            Command::Blind { players: Blind::Black, white_board: Some(text()) },
            Command::Voice { side, earphone: Some(Box::default()) },
            Command::Ask { side, request: Request::LastMove },
            Command::StartPosition { event: Some(text()), round: Some(1), number: Some(0) },
            Command::TellLive { target: text(), live: true },
            Command::ClockTells { tells: false },
        ]
    }
}
