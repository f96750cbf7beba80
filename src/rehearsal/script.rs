//! What can be typed while the board stands there.

use shakmaty::{Color, Piece, Square, uci::UciMove};

use crate::nearest::nearest;

/// One thing to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// A man leaves its square.
    Lift(Square),
    /// A man is put on a square.
    Place(Square, Piece),
    /// The clock is pressed, by the side to move unless one is named.
    Press(Option<Color>),
    /// A whole move: lift, place, press.
    Move(UciMove),
    /// Men fall within a moment.
    Knock(Vec<Square>),
    /// Fallen men are put back.
    Restore,
    /// Two men change places.
    Exchange(Square, Square),
    /// The board is turned half round and the men set up from the other side.
    Turn,
    /// The board says these bytes.
    Say(Vec<u8>),
    /// The cable is out for so many milliseconds.
    Unplug(u64),
    /// The power goes off and on.
    Reboot,
    /// Hands that wait after an illegal move go on.
    Go,
    /// What can be typed.
    Help,
    /// The end.
    Quit,
}

/// What can be typed, for `help`.
pub const HELP: &str = "\
lift e2            a man leaves its square
place e4 P         a man is put down: P R N B Q K for White, p r n b q k for Black
press              the side to move presses the clock; press white, press black
move e2e4          lift, place and press; castle as e1g1, promote as e7e8q
knock f1 g1 g2     men fall over within a moment; restore puts them back
swap b1 g1         two men change places
swap               the board is turned half round, the men set up from the other side
say 8e 00 05       the board says these bytes, whatever they are
unplug 5           the cable is out for 5 seconds
reboot             the power goes off and on: the board is idle, silent, in bus mode
go                 hands that wait after an illegal move go on
quit               prints the games and what went wrong, and ends";

/// A line that is no command, and the nearest right one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("\"{line}\" is not understood: {hint}")]
pub struct Nonsense {
    line: String,
    hint: String,
}

/// Every command as an example, which is also what `Nonsense` points at.
const EXAMPLES: [(&str, &str); 14] = [
    ("lift", "lift e2"),
    ("place", "place e4 P"),
    ("press", "press, press white or press black"),
    ("move", "move e2e4, move e1g1 or move e7e8q"),
    ("knock", "knock f1 g1 g2"),
    ("restore", "restore"),
    ("swap", "swap, or swap b1 g1"),
    ("say", "say 8e 00 05 34 00"),
    ("unplug", "unplug 5"),
    ("reboot", "reboot"),
    ("go", "go"),
    ("turn", "swap, which turns the board"),
    ("help", "help"),
    ("quit", "quit"),
];

/// The command in `line`; nothing for an empty line or a remark after `#`.
pub fn parse(line: &str) -> Result<Option<Command>, Nonsense> {
    let text = line.split('#').next().unwrap_or_default().trim();
    let words: Vec<&str> = text.split_whitespace().collect();
    let Some((verb, rest)) = words.split_first() else { return Ok(None) };
    command(&verb.to_lowercase(), rest).map(Some).ok_or_else(|| nonsense(text, verb))
}

fn command(verb: &str, rest: &[&str]) -> Option<Command> {
    Some(match (verb, rest) {
        ("lift", [square]) => Command::Lift(parse_square(square)?),
        ("place", [square, man]) => Command::Place(parse_square(square)?, parse_man(man)?),
        ("press", []) => Command::Press(None),
        ("press", [side]) => Command::Press(Some(parse_side(side)?)),
        ("move", [mv]) => Command::Move(mv.to_lowercase().parse().ok().filter(|mv| *mv != UciMove::Null)?),
        ("knock", [_, ..]) => Command::Knock(rest.iter().map(|square| parse_square(square)).collect::<Option<_>>()?),
        ("restore", []) => Command::Restore,
        ("swap", []) => Command::Turn,
        ("swap", [a, b]) => Command::Exchange(parse_square(a)?, parse_square(b)?),
        ("say", [_, ..]) => Command::Say(parse_hex(&rest.concat())?),
        ("unplug", [seconds]) => Command::Unplug(parse_seconds(seconds)?),
        ("reboot", []) => Command::Reboot,
        ("go", [] | ["on"]) => Command::Go,
        ("help", _) => Command::Help,
        ("quit", []) => Command::Quit,
        _ => return None,
    })
}

fn parse_square(text: &str) -> Option<Square> {
    text.to_lowercase().parse().ok()
}

fn parse_man(text: &str) -> Option<Piece> {
    let mut letters = text.chars();
    let piece = Piece::from_char(letters.next()?)?;
    letters.next().is_none().then_some(piece)
}

fn parse_side(text: &str) -> Option<Color> {
    match text.to_lowercase().as_str() {
        "white" | "w" => Some(Color::White),
        "black" | "b" => Some(Color::Black),
        _ => None,
    }
}

fn parse_hex(text: &str) -> Option<Vec<u8>> {
    if !text.is_ascii() || !text.len().is_multiple_of(2) {
        return None;
    }
    (0..text.len()).step_by(2).map(|at| u8::from_str_radix(&text[at..at + 2], 16).ok()).collect()
}

/// Seconds with at most three digits behind the point, in milliseconds; an hour is the most.
fn parse_seconds(text: &str) -> Option<u64> {
    let (whole, rest) = text.split_once('.').unwrap_or((text, ""));
    let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || rest.len() > 3 || !digits(whole) || !digits(rest) {
        return None;
    }
    let ms = whole.parse::<u64>().ok()?.checked_mul(1_000)? + format!("{rest:0<3}").parse::<u64>().ok()?;
    (1..=3_600_000).contains(&ms).then_some(ms)
}

fn nonsense(line: &str, verb: &str) -> Nonsense {
    let verb = verb.to_lowercase();
    let example = |verb: &str| EXAMPLES.iter().find(|(known, _)| *known == verb).map(|(_, example)| *example);
    let hint = match (example(&verb), nearest(&verb, EXAMPLES.map(|(known, _)| known)).and_then(example)) {
        (Some(example), _) => format!("write {example}"),
        (None, _) if verb.parse::<UciMove>().is_ok() => format!("did you mean move {verb}?"),
        (None, Some(example)) => format!("did you mean {example}?"),
        (None, None) => "help lists what can be typed".to_owned(),
    };
    Nonsense { line: line.chars().take(60).collect(), hint }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(line: &str) -> Command {
        parse(line).expect("understood").expect("not empty")
    }

    fn answer(line: &str) -> String {
        parse(line).expect_err("nonsense").to_string()
    }

    #[test]
    fn every_command_is_understood() {
        assert_eq!(typed("lift e2"), Command::Lift(Square::E2));
        assert_eq!(typed("  PLACE E4 P # a remark"), Command::Place(Square::E4, Color::White.pawn()));
        assert_eq!(typed("place e5 p"), Command::Place(Square::E5, Color::Black.pawn()));
        assert_eq!(typed("press"), Command::Press(None));
        assert_eq!(typed("press black"), Command::Press(Some(Color::Black)));
        assert_eq!(typed("move e7e8q"), Command::Move("e7e8q".parse().expect("a move")));
        assert_eq!(typed("knock f1 g1"), Command::Knock(vec![Square::F1, Square::G1]));
        assert_eq!(typed("swap"), Command::Turn);
        assert_eq!(typed("swap b1 g1"), Command::Exchange(Square::B1, Square::G1));
        assert_eq!(typed("say 8e 0005 FF"), Command::Say(vec![0x8e, 0, 5, 0xff]));
        assert_eq!(typed("unplug 2.5"), Command::Unplug(2_500));
        for (line, wanted) in [
            ("restore", Command::Restore),
            ("reboot", Command::Reboot),
            ("go on", Command::Go),
            ("quit", Command::Quit),
        ] {
            assert_eq!(typed(line), wanted);
        }
        assert_eq!(parse("   # nothing"), Ok(None));
    }

    #[test]
    fn every_line_of_the_help_begins_with_a_command() {
        for line in HELP.lines() {
            let example = line.split("  ").next().expect("an example");
            assert!(parse(example).is_ok(), "{example}");
        }
    }

    #[test]
    fn nonsense_names_the_nearest_right_command() {
        assert_eq!(answer("lfit e2"), "\"lfit e2\" is not understood: did you mean lift e2?");
        assert_eq!(answer("place e4"), "\"place e4\" is not understood: write place e4 P");
        assert_eq!(answer("e2e4"), "\"e2e4\" is not understood: did you mean move e2e4?");
        assert_eq!(answer("say 8"), "\"say 8\" is not understood: write say 8e 00 05 34 00");
        assert_eq!(answer("white resigns"), "\"white resigns\" is not understood: help lists what can be typed");
        for wrong in [
            "lift i9",
            "place e4 X",
            "place e4 PP",
            "press red",
            "move e2",
            "move 0000",
            "unplug -1",
            "unplug 1e3",
            "unplug 0",
            "say zz",
            "say äö",
            "quit now",
        ] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}
