//! What the reader that much of the field is built on makes of a file of games, one JSON object a game. Usage: read_games
//! FILE

use std::{env, fs::File, ops::ControlFlow};

use pgn_reader::{RawComment, RawTag, Reader, SanPlus, Visitor};
use serde_json::{Map, Value, json};
use shakmaty::{CastlingMode, Chess, Position as _};

fn main() -> std::io::Result<()> {
    let file = File::open(env::args().nth(1).unwrap_or_else(|| "games.pgn".to_owned()))?;
    for game in Reader::new(file).read_games(&mut Collect) {
        let Game { mut told, moves, clocks, .. } = game?;
        told.insert("moves".to_owned(), json!(moves));
        told.insert("clocks".to_owned(), json!(clocks));
        println!("{}", Value::Object(told));
    }
    Ok(())
}

#[derive(Default)]
struct Game {
    told: Map<String, Value>,
    position: Chess,
    moves: Vec<String>,
    /// In seconds, of each move.
    clocks: Vec<Option<u64>>,
}

struct Collect;

impl Visitor for Collect {
    type Tags = Game;
    type Movetext = Game;
    type Output = Game;

    fn begin_tags(&mut self) -> ControlFlow<Game, Game> {
        ControlFlow::Continue(Game::default())
    }

    fn tag(&mut self, game: &mut Game, name: &[u8], value: RawTag<'_>) -> ControlFlow<Game> {
        let [name, value] = [name, value.as_bytes()].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
        game.told.insert(name, value.into());
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, game: Game) -> ControlFlow<Game, Game> {
        ControlFlow::Continue(game)
    }

    fn san(&mut self, game: &mut Game, san: SanPlus) -> ControlFlow<Game> {
        let told = match san.san.to_move(&game.position) {
            Ok(played) => {
                game.position.play_unchecked(played);
                played.to_uci(CastlingMode::Standard).to_string()
            }
            Err(_) => format!("{san}?"),
        };
        game.moves.push(told);
        game.clocks.push(None);
        ControlFlow::Continue(())
    }

    fn comment(&mut self, game: &mut Game, comment: RawComment<'_>) -> ControlFlow<Game> {
        let text = String::from_utf8_lossy(comment.as_bytes());
        let clock = text.split_once("[%clk").and_then(|(_, rest)| rest.split_once(']'));
        let seconds = clock.and_then(|(clock, _)| {
            clock.trim().split(':').try_fold(0, |sum, part| Some(sum * 60 + part.trim().parse::<u64>().ok()?))
        });
        if let (Some(last), Some(_)) = (game.clocks.last_mut(), seconds) {
            *last = seconds;
        }
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, game: Game) -> Game {
        game
    }
}
