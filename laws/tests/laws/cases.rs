//! The calculation cases: what is given, computed, beside what has to come out. Each case holds for every edition it
//! names, and every field that is expected is computed.

use laws::{
    Edition, TimeClass,
    adjourn::Sealed,
    blind::{Voice, in_the_laws_words},
    clock::{Control, PlayerClock, used_at_1993},
    notation::{Language, Style},
    result::GameResult,
};
use serde_json::{Value, json};
use shakmaty::{CastlingMode, Chess, EnPassantMode, Move, Position, fen::Fen, uci::UciMove};

const CASES: &str = include_str!("cases.json");

#[test]
fn every_case_holds_in_every_edition_it_names() {
    let cases: Vec<Value> = serde_json::from_str(CASES).expect("an array of cases");
    assert_eq!(cases.len(), 8);
    for case in &cases {
        let editions = list(&case["editions"]);
        assert!(!editions.is_empty());
        for year in editions {
            let edition = Edition::of(text(year).parse().expect("a year")).expect("an edition we know");
            let computed = compute(text(&case["kind"]), &case["given"], &case["start_fen"], edition);
            assert_eq!(computed, case["expect"], "{} in {year}: {}", case["id"], case["title"]);
        }
    }
}

fn compute(kind: &str, given: &Value, start_fen: &Value, edition: Edition) -> Value {
    match kind {
        "announce" => announced(given),
        "notation" => written(given, text(start_fen)),
        "time_class" => json!({ "classes": mapped(given, |control| class(text(&control[0]), edition).name()) }),
        "clock_math" => clocks(given, edition),
        "result_codes" => codes(given),
        "adjournment" => json!({ "verdict": mapped(given, verdict) }),
        kind => panic!("no such kind: {kind}"),
    }
}

fn announced(given: &Value) -> Value {
    let voice = Voice::of_code(text(&given["voice"])).expect("a voice");
    let tokens = mapped(&given["moves"], |pair| {
        let position = position(text(&pair[1]));
        in_the_laws_words(voice, played(&position, text(&pair[0])))
    });
    json!({ "tokens": tokens })
}

fn written(given: &Value, start: &str) -> Value {
    let style = Style::of(Language::of_code(text(&given["language"])).expect("a language"));
    let offer_after = given["draw_offer_after_ply"].as_u64();
    let mut position = position(start);
    let mut san = Vec::new();
    for (ply, uci) in (1..).zip(list(&given["moves_uci"])) {
        let played = played(&position, text(uci));
        let offers = offer_after == Some(ply);
        san.push(if offers { style.write_with_offer(&position, played) } else { style.write(&position, played) });
        position.play_unchecked(played);
    }
    json!({ "san": san, "final_fen": Fen::from_position(&position, EnPassantMode::Legal).to_string() })
}

fn class(control: &str, edition: Edition) -> TimeClass {
    control.parse::<Control>().expect("a time control").class(edition)
}

fn clocks(given: &Value, edition: Edition) -> Value {
    let given = list(given);
    if given[0]["mode"] == "restore_1993" {
        assert_eq!(edition, Edition::E1993);
        let (done, at) = (number(&given[0]["moves_done"]), number(&given[0]["irregular_move"]));
        let used = |side: &str| {
            let minutes = number(&given[0][format!("{side}_used_min")]);
            let (done, at) = (u32::try_from(done).expect("few moves"), u32::try_from(at).expect("few moves"));
            used_at_1993(minutes * 60_000, done, at, None) / 60_000
        };
        return json!({ "used_min": { "white": used("white"), "black": used("black") } });
    }
    let remaining = given.iter().map(|clock| {
        let sign = match text(&clock["mode"]) {
            "fischer" => '+',
            "bronstein" => 'b',
            "delay" => 'd',
            mode => panic!("no such mode: {mode}"),
        };
        let control = format!("{}{sign}{}", number(&clock["base_s"]) / 60, number(&clock["inc_s"]));
        let mut player = PlayerClock::new(control.parse().expect("a time control"));
        let after_each = list(&clock["used_s"]).iter().map(|used| {
            player.complete(number(used) * 1000);
            player.remaining_ms() / 1000
        });
        after_each.collect::<Vec<_>>()
    });
    json!({ "remaining_s": remaining.collect::<Vec<_>>() })
}

fn codes(given: &Value) -> Value {
    let results = mapped(given, |words| text(words).parse::<GameResult>().expect("a result in words"));
    let column = |of: &dyn Fn(GameResult) -> Value| results.iter().map(|result| of(*result)).collect::<Vec<_>>();
    json!({
        "codes": column(&|result| json!(result.code())),
        "pgn_result": column(&|result| json!(result.pgn())),
        "rated": column(&|result| json!(result.is_rated())),
    })
}

fn verdict(sealed: &Value) -> &'static str {
    let language = Language::of_code(text(&sealed["language"])).expect("a language");
    Sealed::judge(&position(text(&sealed["position"])), language, text(&sealed["sealed"])).name()
}

fn position(fen: &str) -> Chess {
    fen.parse::<Fen>().expect("a FEN").into_position(CastlingMode::Standard).expect("a position")
}

fn played(position: &Chess, uci: &str) -> Move {
    uci.parse::<UciMove>().expect("a move in UCI").to_move(position).expect("a legal move")
}

fn mapped<T>(given: &Value, of: impl Fn(&Value) -> T) -> Vec<T> {
    list(given).iter().map(of).collect()
}

fn list(value: &Value) -> &Vec<Value> {
    value.as_array().expect("a list")
}

fn text(value: &Value) -> &str {
    value.as_str().expect("text")
}

fn number(value: &Value) -> u64 {
    value.as_u64().expect("a number")
}
