//! What counting costs a ply: `cargo bench -p laws`. The bar: 20 µs at the median for all that is examined after a ply.

use std::time::Instant;

use laws::{
    Edition, Ending,
    draws::{DrawnByRule, History, Limits},
    touch::{Touched, castling_duty, examine},
};
use shakmaty::{CastlingMode, Chess, Position};

const GAMES: u64 = 200;
const PLIES: usize = 400;

#[expect(clippy::disallowed_macros, clippy::disallowed_methods, reason = "the figures are for who asked for them")]
fn main() {
    let mut costs = Vec::new();
    let mut found = 0_usize;
    for seed in 0..GAMES {
        let mut position = Chess::default();
        let mut history = History::starting_from(&position);
        let mut dice = seed + 1;
        for _ in 0..PLIES {
            let legal = position.legal_moves();
            // A linear congruence is as much chance as a game needs here.
            dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let Some(played) = usize::try_from(dice >> 33).ok().and_then(|dice| legal.get(dice % legal.len().max(1)))
            else {
                break;
            };
            // A man was touched before it.
            let touched = position.board().iter().nth(usize::try_from(dice % 16).unwrap_or(0));
            let touched = touched.map(|(square, piece)| Touched { square, piece }).into_iter().collect::<Vec<_>>();
            let made_in = position.clone();
            position.play_unchecked(*played);
            let before = Instant::now();
            history.push(&position);
            let ended =
                Ending::of(&position).is_some() || DrawnByRule::of(&history, &position, Edition::E2023).is_some();
            found += history.occurrences().len();
            found += usize::from(examine(&made_in, *played, &touched, CastlingMode::Standard).is_some());
            found += usize::from(castling_duty(&made_in, *played, &touched, CastlingMode::Standard).is_some());
            found += usize::from(history.quiet_plies() >= Limits::default().needed_plies(&position));
            costs.push(before.elapsed());
            if ended {
                break;
            }
        }
    }
    costs.sort_unstable();
    let at = |share: usize| costs[(costs.len() - 1) * share / 1000];
    println!("{} plies, {found} findings: median {:?}, 99.9 % {:?}", costs.len(), at(500), at(999));
}
