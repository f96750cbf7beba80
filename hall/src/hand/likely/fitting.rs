//! How good the guess is, and how to fit its weights again.

use protocol::board::{Contents, Lie};
use shakmaty::{Chess, Move, Position, san::SanPlus};

use super::{super::explain, super::squares::Squares, Counts, MASTERS, habits, inclination, plausibility, retold};
use crate::{Habits, Settings};

/// To fit the weights, put other games in their place, and a thousand of them.
const GAMES: &str = include_str!("../../../../src/rehearsal/games.pgn");

/// Moves that were played while nothing was heard, and the orders of them that lead to the same board.
struct Silence {
    root: Chess,
    last: Option<Move>,
    orders: Vec<Vec<Move>>,
    played: usize,
}

fn games() -> impl Iterator<Item = Vec<Move>> {
    GAMES.split("[Event ").map(|game| {
        let mut position = Chess::default();
        let words = game.lines().filter(|line| !line.contains('"')).flat_map(str::split_whitespace);
        let sans = words.filter_map(|word| word.rsplit('.').next()?.parse::<SanPlus>().ok());
        let played = |san: SanPlus| {
            let played = san.san.to_move(&position).expect("a legal move");
            position.play_unchecked(played);
            played
        };
        sans.map(played).collect()
    })
}

/// Silences of so many plies, one after the other.
fn silences(plies: usize) -> Vec<Silence> {
    games().flat_map(|game| silences_of(&game, plies)).collect()
}

fn silences_of(game: &[Move], plies: usize) -> Vec<Silence> {
    let mut root = Chess::default();
    let mut last = None;
    let mut silences = Vec::new();
    for unheard in game.chunks_exact(plies) {
        let mut end = root.clone();
        unheard.iter().for_each(|played| end.play_unchecked(*played));
        let mut squares = Squares::new(Lie::Straight);
        let settings = Settings::default();
        squares.survey(&Contents::of(end.board(), Lie::Straight), &settings, 10);
        squares.forget();
        let bridge = explain::bridge(&root, last, &squares, &settings, plies, explain::Told::default());
        if let explain::Bridge::Lines { lines: orders, .. } = bridge {
            let mere = orders.iter().all(|order| order.iter().all(|played| unheard.contains(played)));
            if let Some(played) = orders.iter().position(|order| order == unheard).filter(|_| mere && orders.len() > 1)
            {
                silences.push(Silence { root: root.clone(), last, orders, played });
            }
        }
        root = end;
        last = unheard.last().copied();
    }
    silences
}

#[test]
fn of_many_orders_the_one_that_was_played_is_taken_more_often_than_not() {
    let silences = (3..=6).flat_map(silences).collect::<Vec<_>>();
    let right = silences.iter().filter(|silence| silence.played == 0).count();
    assert!(silences.len() > 400 && right * 100 > silences.len() * 60, "{right} of {}", silences.len());
}

/// Moves of men who took nothing: how often the likeliest square is the one the man went to, as far as it is told by so many
/// plies that were played on, of how many. Squares from which those could not have been played are none.
fn told_by(plies: usize) -> (usize, usize) {
    let (mut right, mut all) = (0, 0);
    for game in games() {
        let (mut position, mut last) = (Chess::default(), None);
        for (at, played) in game.iter().enumerate() {
            let on = game.get(at + 1..=at + plies).filter(|_| !played.is_capture() && !played.is_castle());
            let his = |other: &Move| other.from() == played.from() && !other.is_capture() && !other.is_castle();
            let others = position.legal_moves().into_iter().filter(his);
            let line = |other: Move| Some((other, retold(&position, other, played.to(), on?)?));
            let lines = others.filter_map(line).collect::<Vec<_>>();
            if lines.len() > 1 {
                let likely = |(other, line): &&(Move, Vec<Move>)| {
                    inclination(position.board(), *other) + plausibility(Habits::Masters, &position, last, line)
                };
                let likeliest = lines.iter().max_by_key(likely).map(|(other, _)| *other);
                all += 1;
                right += usize::from(likeliest == Some(*played));
            }
            last = Some(*played);
            position.play_unchecked(*played);
        }
    }
    (right, all)
}

#[test]
fn what_is_played_on_tells_where_a_man_stopped() {
    let share = |(right, all): (usize, usize)| right * 100 / all;
    let [none, one, five] = [0, 1, 5].map(|plies| share(told_by(plies)));
    assert!(none + 4 < one && one + 8 < five && five > 60, "{none}, {one} and {five} of a hundred");
}

#[test]
fn each_habit_has_its_own_weight() {
    assert!((0..MASTERS.len()).all(|at| MASTERS[at].0 as usize == at));
}

/// `cargo test -p hall --release -- --ignored the_weights` shows those that fit by failing.
#[test]
#[ignore = "half a minute for a hundred games, and a few games fit other weights than a thousand"]
fn the_weights_are_those_that_fit() {
    let counted = |silence: Silence| {
        let counts = silence.orders.iter().map(|order| habits(&silence.root, silence.last, order)).collect::<Vec<_>>();
        (counts, silence.played)
    };
    let silences = (3..=8).flat_map(silences).map(counted).collect::<Vec<_>>();
    let mut weights = [0.0; MASTERS.len()];
    for _ in 0..3000 {
        let slopes = silences.iter().map(|(counts, played)| slope(&weights, counts, *played));
        let sum = slopes.fold([0.0; MASTERS.len()], |sum, slope| std::array::from_fn(|at| sum[at] + slope[at]));
        #[expect(clippy::cast_precision_loss, reason = "some thousands are exact in an f64")]
        let step = 0.1 / silences.len() as f64;
        weights = std::array::from_fn(|at| weights[at] + step * sum[at]);
    }
    let fitted = weights.map(|weight| format!("{:.0}", weight * 100.0));
    let named = MASTERS.iter().zip(fitted).map(|((habit, _), weight)| format!("{habit:?} {weight}"));
    let now = MASTERS.iter().map(|(habit, weight)| format!("{habit:?} {weight}")).collect::<Vec<_>>();
    assert_eq!(named.collect::<Vec<_>>(), now);
}

/// How much likelier the order that was played becomes with each weight: its counts, less those that are expected.
fn slope(weights: &[f64; MASTERS.len()], orders: &[Counts], played: usize) -> [f64; MASTERS.len()] {
    let score = |counts: &Counts| counts.iter().zip(weights).map(|(count, weight)| f64::from(*count) * weight).sum();
    let scores = orders.iter().map(score).collect::<Vec<f64>>();
    let top = scores.iter().copied().fold(f64::MIN, f64::max);
    let shares = scores.iter().map(|score| (score - top).exp()).collect::<Vec<_>>();
    let all = shares.iter().sum::<f64>();
    std::array::from_fn(|at| {
        let expected = orders.iter().zip(&shares).map(|(counts, share)| f64::from(counts[at]) * share / all);
        f64::from(orders[played][at]) - expected.sum::<f64>()
    })
}
