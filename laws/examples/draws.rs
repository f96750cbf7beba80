//! What our history says of every position of games, for a second opinion: `tests/third-party/draws`.
//!
//! Reads games from standard input, one a line: `standard` or `chess960`, a FEN, moves in UCI, parted by semicolons and
//! blanks; `-3` takes three plies back. Prints one line a position: occurrences, occurrences four plies apart, quiet
//! plies, then a letter for what holds: `f` a fivefold draw in 2014, `F` in 2018, `S` seventy-five moves, `t` and `m`
//! threefold and fifty moves claimed with no move, `T` and `M` with some legal move.

use std::io::{self, BufRead, Write};

use laws::{
    Edition,
    draws::{Claim, DrawnByRule, Ground, History, Limits},
};
use shakmaty::{CastlingMode, Chess, Position, fen::Fen, uci::UciMove};

fn main() -> io::Result<()> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    for line in io::stdin().lock().lines() {
        tell(&line?, &mut out)?;
    }
    out.flush()
}

fn tell(game: &str, out: &mut impl Write) -> io::Result<()> {
    let [mode, fen, moves] = game.split(';').collect::<Vec<_>>()[..] else { panic!("three parts: {game}") };
    let mode = CastlingMode::from_chess960(mode == "chess960");
    let start: Chess = fen.parse::<Fen>().expect("a FEN").into_position(mode).expect("a position");
    let mut history = History::starting_from(&start);
    let mut positions = vec![start];
    say(&history, &positions[0], mode, out)?;
    for step in moves.split_whitespace() {
        if let Some(back) = step.strip_prefix('-') {
            let kept = history.plies() - back.parse::<usize>().expect("a number of plies");
            history.truncate(kept);
            positions.truncate(kept + 1);
        } else {
            let mut position = positions[positions.len() - 1].clone();
            position.play_unchecked(uci(step).to_move(&position).expect("a legal move"));
            history.push(&position);
            positions.push(position);
        }
        say(&history, &positions[positions.len() - 1], mode, out)?;
    }
    Ok(())
}

fn say(history: &History, position: &Chess, mode: CastlingMode, out: &mut impl Write) -> io::Result<()> {
    let drawn = |edition| DrawnByRule::of(history, position, edition);
    let claims = |ground, intended| {
        let claim = Claim { by: position.turn(), ground, intended };
        claim.examine(history, position, Limits::default()).verdict.is_confirmed()
    };
    let legal = position.legal_moves();
    let some_move = |ground| legal.iter().any(|played| claims(ground, Some(played.to_uci(mode))));
    let holds = [
        ('f', drawn(Edition::E2014) == Some(DrawnByRule::Fivefold)),
        ('F', drawn(Edition::E2018) == Some(DrawnByRule::Fivefold)),
        ('S', drawn(Edition::E2018) == Some(DrawnByRule::SeventyFive)),
        ('t', claims(Ground::Threefold, None)),
        ('T', some_move(Ground::Threefold)),
        ('m', claims(Ground::Fifty, None)),
        ('M', some_move(Ground::Fifty)),
    ];
    let letters = holds.iter().filter(|(_, holds)| *holds).map(|(letter, _)| *letter).collect::<String>();
    writeln!(out, "{} {} {} {letters}", history.times(), history.times_running(), history.quiet_plies())
}

fn uci(text: &str) -> UciMove {
    text.parse().expect("a move in UCI")
}
