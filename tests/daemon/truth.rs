//! What was really played, and what the record makes of it.

use escaque::rehearsal::{Game, read};
use shakmaty::{Chess, Position, san::SanPlus};

/// As many plies as the hall looks for when it did not hear them.
const PLIES_LOST: usize = 8;

/// The games in a PGN, each as its moves in SAN.
pub(crate) fn games(pgn: &str) -> Vec<Vec<String>> {
    read(pgn.as_bytes()).unwrap_or_default().iter().map(sans).collect()
}

fn sans(game: &Game) -> Vec<String> {
    let mut position = game.start.clone();
    let mut sans = Vec::new();
    for played in &game.moves {
        sans.push(SanPlus::from_move_and_play_unchecked(&mut position, *played).to_string());
    }
    assert!(position.legal_moves().len() < 300, "a position is what the moves make of it");
    sans
}

/// The games of a record that are none of those that were played, in order and none twice: a sentence for each. A record
/// ends where nobody can say for certain how it went on, and what was played while the men stood on their squares and
/// nobody listened is no game of its own.
pub(crate) fn read_otherwise(kept: &[Vec<String>], truth: &[Vec<String>]) -> Vec<String> {
    let mut next = 0;
    let mut otherwise = Vec::new();
    for kept in kept {
        let is_it = |played: &Vec<String>| played.starts_with(kept) || is_reordered(kept, played);
        if let Some(found) = truth[next..].iter().position(is_it) {
            next += found + 1;
            continue;
        }
        let alike = |(_, played): &(usize, &Vec<String>)| played.iter().zip(kept).take_while(|(a, b)| a == b).count();
        let (nearest, played) = truth.iter().enumerate().max_by_key(alike).expect("something was played");
        let (kept, played) = (kept.join(" "), played.join(" "));
        otherwise.push(format!("kept {kept}\nafter game {next}; game {} is {played}", nearest + 1));
    }
    otherwise
}

/// The same moves but for the order of those in a gap: after at most so many plies the same men stand on the same
/// squares, or the record ends among them.
fn is_reordered(kept: &[String], played: &[String]) -> bool {
    let (stood, stands) = (boards(kept), boards(played));
    let mut at = 0;
    while at < kept.len() {
        let meets = |on: &usize| stood.get(*on).is_some_and(|board| stands.get(*on) == Some(board));
        let gap = at + 1..=at + PLIES_LOST;
        match gap.clone().find(meets) {
            Some(on) => at = on,
            None => return gap.contains(&kept.len()) && kept[at..].iter().all(|san| played[at..].contains(san)),
        }
    }
    true
}

/// What stands on the board before the first move and after each.
fn boards(sans: &[String]) -> Vec<shakmaty::Board> {
    let mut position = Chess::default();
    let mut boards = vec![position.board().clone()];
    for san in sans {
        let san = san.parse::<SanPlus>().expect("a move").san;
        position.play_unchecked(san.to_move(&position).expect("a legal move"));
        boards.push(position.board().clone());
    }
    boards
}
