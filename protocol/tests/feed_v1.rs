//! Feed version 1, byte for byte. Red here means screens already installed stop working, or scripts that give orders:
//! take the change back, or add it as version 2 beside this one. Only an addition that old readers may ignore can be
//! written into the literals.

use protocol::{
    board::Link,
    feed::{
        Action, Alert, AlertKind, Answer, Because, Body, Bound, Claim, Command, Correction, Entry, Event, GameResult,
        HallView, MateSearch, Message, Order, Penalty, Player, Proposal, ResultReason, Rules, Score, Seconds, Side,
        Sight, State, TableEvent, TableId, TimeClass, TimeControl, TouchKind, VERSION, Variant,
    },
};
use serde::{Serialize, de::DeserializeOwned};

fn frozen<T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(value: &T, text: &str) {
    assert_eq!(serde_json::to_string(value).expect("plain data"), text);
    assert_eq!(&serde_json::from_str::<T>(text).expect("it reads back"), value);
}

fn at_table(event: Event) -> TableEvent {
    TableEvent { table: Some(table()), t: 61_250, event }
}

fn table() -> TableId {
    "open/3/12".parse().expect("a table")
}

fn player(name: &str) -> Player {
    Player { name: name.to_owned(), ..Player::default() }
}

#[test]
fn sights() {
    let sight = |sight| at_table(Event::Sight(sight));
    frozen(
        &sight(Sight::Seen {
            line: ["e4", "e5"].into_iter().collect(),
            settled: 1,
            placement: "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR".into(),
            turn: Side::White,
            rest: String::new(),
            last: Some("e7e5".into()),
            check: false,
            off_clock: 0,
            at_rest: false,
        }),
        r#"{"table":"open/3/12","t":61250,"event":"seen","line":["e4","e5"],"final":1,"placement":"rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR","turn":"white","last":"e7e5"}"#,
    );
    frozen(
        &sight(Sight::Held { held: true, squares: vec!["e4".into()] }),
        r#"{"table":"open/3/12","t":61250,"event":"held","held":true,"squares":["e4"]}"#,
    );
    frozen(
        &sight(Sight::Clock { white_ms: 5_395_000, black_ms: 5_400_000, running: Some(Side::Black) }),
        r#"{"table":"open/3/12","t":61250,"event":"clock","white_ms":5395000,"black_ms":5400000,"running":"black"}"#,
    );
    frozen(
        &sight(Sight::Link { board: "01025".into(), state: Link::Down }),
        r#"{"table":"open/3/12","t":61250,"event":"link","board":"01025","state":"down"}"#,
    );
    frozen(
        &sight(Sight::Touch {
            side: Side::White,
            sq: "g1".into(),
            piece: "N".into(),
            held_ms: 350,
            kind: TouchKind::Adjust,
        }),
        r#"{"table":"open/3/12","t":61250,"event":"touch","side":"white","sq":"g1","piece":"N","held_ms":350,"as":"adjust"}"#,
    );
}

#[test]
fn entries() {
    let entry = |entry| at_table(Event::Entry(entry));
    frozen(
        &entry(Entry::Started { game: 1, fen: "8/8/8/8/8/8/8/8 w - - 0 1".into(), variant: Variant::Standard }),
        r#"{"table":"open/3/12","t":61250,"event":"started","game":1,"fen":"8/8/8/8/8/8/8/8 w - - 0 1","variant":"standard"}"#,
    );
    frozen(
        &entry(Entry::Paired {
            white: Player {
                name: "Polgár, Judit".into(),
                title: Some("GM".into()),
                rating: Some(2675),
                ..Player::default()
            },
            black: player("Short, Nigel"),
            time_control: Some(TimeControl { base_s: 5400, increment_s: 30 }),
        }),
        r#"{"table":"open/3/12","t":61250,"event":"paired","white":{"name":"Polgár, Judit","title":"GM","rating":2675},"black":{"name":"Short, Nigel"},"time_control":{"base_s":5400,"increment_s":30}}"#,
    );
    frozen(
        &entry(Entry::Final {
            ply: 1,
            san: "e4".into(),
            uci: "e2e4".into(),
            fen: "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1".into(),
            clock_ms: Some(5_395_000),
            inferred: false,
            illegal: false,
        }),
        r#"{"table":"open/3/12","t":61250,"event":"final","ply":1,"san":"e4","uci":"e2e4","fen":"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1","clock_ms":5395000}"#,
    );
    frozen(
        &entry(Entry::Corrected { from_ply: 7, old: vec!["Rf1".into()], new: vec![], reason: Correction::Takeback }),
        r#"{"table":"open/3/12","t":61250,"event":"corrected","from_ply":7,"old":["Rf1"],"new":[],"reason":"takeback"}"#,
    );
    frozen(
        &entry(Entry::State { state: State::AwaitingArbiter }),
        r#"{"table":"open/3/12","t":61250,"event":"state","state":"awaiting_arbiter"}"#,
    );
    frozen(
        &entry(Entry::Proposal(Proposal {
            result: Some(GameResult::Draw),
            reason: Some(ResultReason::KingsInCentre),
            ..Proposal::default()
        })),
        r#"{"table":"open/3/12","t":61250,"event":"proposal","result":"1/2-1/2","reason":"kings_in_centre"}"#,
    );
    frozen(
        &entry(Entry::Instants {
            ply: 3,
            touched: Some(60_000),
            placed: Some(60_400),
            pressed: Some(61_250),
            settled: 61_250,
        }),
        r#"{"table":"open/3/12","t":61250,"event":"instants","ply":3,"touched":60000,"placed":60400,"pressed":61250,"final":61250}"#,
    );
    frozen(
        &entry(Entry::Confirmed { of: AlertKind::IllegalMoveCompleted }),
        r#"{"table":"open/3/12","t":61250,"event":"confirmed","of":"illegal_move_completed"}"#,
    );
    frozen(
        &entry(Entry::Verdict {
            ply: 61,
            side: Side::Black,
            can_mate: Some(false),
            line: vec![],
            proof: Some("only the king is left".into()),
        }),
        r#"{"table":"open/3/12","t":61250,"event":"verdict","ply":61,"side":"black","can_mate":false,"proof":"only the king is left"}"#,
    );
    frozen(
        &entry(Entry::Proposal(Proposal {
            result: Some(GameResult::WhiteWins),
            reason: Some(ResultReason::Time),
            mate_search: Some(MateSearch::Pending),
            ..Proposal::default()
        })),
        r#"{"table":"open/3/12","t":61250,"event":"proposal","result":"1-0","reason":"time","mate_search":"pending"}"#,
    );
    frozen(
        &entry(Entry::Proposal(Proposal {
            result: Some(GameResult::Draw),
            reason: Some(ResultReason::DeadPosition),
            ends_at_ply: Some(61),
            void: vec!["Kf2".into()],
            ..Proposal::default()
        })),
        r#"{"table":"open/3/12","t":61250,"event":"proposal","result":"1/2-1/2","reason":"dead_position","ends_at_ply":61,"void":["Kf2"]}"#,
    );
    frozen(
        &entry(Entry::Noted { order: Box::new(Command::Resign { side: Side::Black }) }),
        r#"{"table":"open/3/12","t":61250,"event":"noted","order":{"command":"resign","side":"black"}}"#,
    );
    frozen(
        &entry(Entry::Proposal(Proposal {
            action: Some(Action::RestoreAndPenalise),
            bonus_s: Some(Seconds { black: Some(120), white: None }),
            touch_move: Some(Bound { must_move: Some("g1".into()), must_take: None }),
            squares: vec!["g1".into(), "g3".into()],
            ..Proposal::default()
        })),
        r#"{"table":"open/3/12","t":61250,"event":"proposal","action":"restore_and_penalise","bonus_s":{"black":120},"touch_move":{"must_move":"g1"},"squares":["g1","g3"]}"#,
    );
    frozen(
        &entry(Entry::Result { result: GameResult::WhiteWins, reason: ResultReason::Checkmate, score: None }),
        r#"{"table":"open/3/12","t":61250,"event":"result","result":"1-0","reason":"checkmate"}"#,
    );
    frozen(
        &entry(Entry::Alert(Box::new(Alert { plies: Some(2), ..Alert::new(AlertKind::Resync) }))),
        r#"{"table":"open/3/12","t":61250,"event":"alert","kind":"resync","severity":"minor","side":null,"audience":["operator","arbiter"],"plies":2}"#,
    );
    let (side, claim) = (Some(Side::White), Some(Claim::Fifty));
    frozen(
        &entry(Entry::Alert(Box::new(Alert { side, claim, ..Alert::new(AlertKind::ClaimNotConfirmed) }))),
        r#"{"table":"open/3/12","t":61250,"event":"alert","kind":"claim_not_confirmed","severity":"major","side":"white","audience":["operator","arbiter"],"claim":"fifty"}"#,
    );
}

#[test]
fn messages() {
    let message =
        |body| Message { v: VERSION, run: "9f86d081884c7d65".into(), seq: 4, now: 61_251, notice: None, body };
    frozen(
        &message(Body::Snapshot(HallView::default())),
        r#"{"v":1,"run":"9f86d081884c7d65","seq":4,"now":61251,"snapshot":{"tables":[]}}"#,
    );
    let state = at_table(Event::Entry(Entry::State { state: State::Playing }));
    frozen(
        &message(Body::Changes(vec![state])),
        r#"{"v":1,"run":"9f86d081884c7d65","seq":4,"now":61251,"changes":[{"table":"open/3/12","t":61250,"event":"state","state":"playing"}]}"#,
    );
    frozen(&message(Body::Beat(())), r#"{"v":1,"run":"9f86d081884c7d65","seq":4,"now":61251,"beat":null}"#);
}

#[test]
fn orders_and_answers() {
    let order = |command| Order::to_table(table(), command);
    for (command, text) in [
        (Command::Undo { plies: 1 }, r#"{"table":"open/3/12","command":"undo","plies":1}"#),
        (Command::TurnBoard, r#"{"table":"open/3/12","command":"turn_board"}"#),
        (Command::Result { result: Score::Draw }, r#"{"table":"open/3/12","command":"result","result":"1/2-1/2"}"#),
        (Command::Assign { board: "01025".into() }, r#"{"table":"open/3/12","command":"assign","board":"01025"}"#),
        (
            Command::Pair { white: Box::new(player("A")), black: Box::new(player("B")) },
            r#"{"table":"open/3/12","command":"pair","white":{"name":"A"},"black":{"name":"B"}}"#,
        ),
        (
            Command::Claim { side: Side::White, claim: Claim::Threefold, intended: Some("f6g8".into()) },
            r#"{"table":"open/3/12","command":"claim","side":"white","claim":"threefold","intended":"f6g8"}"#,
        ),
        (
            Command::Penalty {
                side: Side::White,
                penalty: Penalty::OpponentTime,
                seconds: Some(120),
                note: String::new(),
            },
            r#"{"table":"open/3/12","command":"penalty","side":"white","penalty":"opponent_time","seconds":120}"#,
        ),
        (
            Command::Rules { rules: Box::new(Rules { time_class: TimeClass::Blitz, ..Rules::default() }) },
            r#"{"table":"open/3/12","command":"rules","rules":{"edition":2023,"time_class":"blitz","supervision":"full","clock_mode":"fischer","second_period_start":"by_time","blind":"none"}}"#,
        ),
        (
            Command::NewGame { fen: None, variant: Variant::Chess960 },
            r#"{"table":"open/3/12","command":"new_game","variant":"chess960"}"#,
        ),
    ] {
        frozen(&order(command), text);
    }
    let round = Command::OpenRound {
        event: "open".into(),
        round: 3,
        title: "Spring Open".into(),
        site: "Lyon".into(),
        date: "2026.11.20".into(),
        time_control: None,
        rules: Box::default(),
    };
    frozen(
        &Order::to_hall(round),
        r#"{"command":"open_round","event":"open","round":3,"title":"Spring Open","site":"Lyon","date":"2026.11.20"}"#,
    );
    frozen(&Answer::Done { done: vec![], said: vec![] }, r#"{"done":[]}"#);
    frozen(&Answer::Unrecorded { unrecorded: "not yet".into() }, r#"{"unrecorded":"not yet"}"#);
    frozen(&Answer::Refused { refused: "no".into(), because: None }, r#"{"refused":"no"}"#);
    let because = Some(Because::FewerMoves { moves: 4 });
    frozen(
        &Answer::Refused { refused: "no".into(), because },
        r#"{"refused":"no","because":{"kind":"fewer_moves","moves":4}}"#,
    );
}

/// The schemas are generated from the types. After an addition: `UPDATE_SCHEMAS=1 cargo test -p protocol --all-features`.
#[cfg(feature = "schema")]
#[test]
fn schemas_say_what_the_types_say() {
    let schemas = [
        ("feed-v1.json", schemars::schema_for!(Message)),
        ("order-v1.json", schemars::schema_for!(Order)),
        ("answer-v1.json", schemars::schema_for!(Answer)),
    ];
    for (name, schema) in schemas {
        let path = format!("{}/schema/{name}", env!("CARGO_MANIFEST_DIR"));
        let text = serde_json::to_string_pretty(&schema).expect("schemas are plain data") + "\n";
        if std::env::var_os("UPDATE_SCHEMAS").is_some() {
            std::fs::write(&path, &text).expect("the schema folder can be written");
        }
        let kept = std::fs::read_to_string(&path).unwrap_or_default();
        assert_eq!(kept, text, "{name} and the types differ");
    }
}
