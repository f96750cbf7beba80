//! A slow, obvious model beside the real thing: all legal lines by brute force, and hands that play in every way.
//!
//! Red here means a game was read that was not played. The script it prints is ready for `first_moves.rs`.

use std::ops::Range;

use hall::{
    Course, Settings,
    hand::{Deed, Hand, Order, PressCount, Pressing, Sign, judging::Judgement},
};
use proptest::{collection::vec, prelude::*};
use protocol::{
    board::{Content, Contents, Lie, WireSquare},
    feed::{AlertKind, Entry},
};
use shakmaty::{Board, CastlingMode, Chess, Color, Move, Position, san::SanPlus};

use crate::hands::{BLITZ, PATIENT, STARTS, Script, plies};
use crate::world::World;

/// A reply in the making may hide a pressed ply until its man lands.
const JUDGED_MS: u64 = 4000;

/// A board that rests this long before the next contact is looked at by the model.
const REST_MS: u64 = 400;

/// The model looks at every legal line of three plies: some hundred thousand boards each time.
const LOOKS: usize = 3;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn with_a_clock_every_press_makes_exactly_its_move_final(script in script(14, BLITZ)) {
        let mut world = World::from_fen(script.fen);
        follow(&mut world, &script, |world, now| {
            let record = words(&world.record());
            prop_assert!(script.sans.starts_with(&record), "the record is {record:?}");
            let pressed = script.made.iter().filter(|made| **made + JUDGED_MS <= now).count();
            prop_assert!(record.len() >= pressed, "{pressed} plies were pressed, the record is {record:?}");
            Ok(())
        })?;
        prop_assert_eq!(words(&world.record()), script.sans);
        check_quiet(&world)?;
    }

    #[test]
    fn without_a_clock_rest_makes_no_other_game_final(script in script(14, PATIENT)) {
        let script = script.without_presses();
        let mut world = World::from_fen_without_clock(script.fen);
        follow(&mut world, &script, |world, _| {
            let record = words(&world.record());
            prop_assert!(script.sans.starts_with(&record), "the record is {record:?}");
            Ok(())
        })?;
        prop_assert_eq!(words(&world.record()), script.sans);
        check_quiet(&world)?;
    }

    #[test]
    fn looking_more_often_changes_nothing(script in script(10, BLITZ), looks in vec(0..60_000u64, 0..60), clock in any::<bool>()) {
        let begin = if clock { World::from_fen } else { World::from_fen_without_clock };
        let (mut seldom, mut often) = (begin(script.fen), begin(script.fen));
        let idle = looks.iter().map(|at| (*at, "still".to_owned()));
        let mut lines = script.lines.iter().cloned().chain(idle).collect::<Vec<_>>();
        lines.sort_by_key(|(at, _)| *at);
        seldom.act_all(&script.lines);
        often.act_all(&lines);
        seldom.wait_until(200_000);
        often.wait_until(200_000);
        prop_assert_eq!(seldom.said, often.said);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn the_seen_line_at_rest_is_one_of_all_legal_lines(script in script(8, PATIENT), clock in any::<bool>()) {
        let begin = if clock { World::from_fen } else { World::from_fen_without_clock };
        let mut world = begin(script.fen);
        let mut looks = 0;
        follow(&mut world, &script, |world, now| {
            let rests = script.lines.iter().find(|(at, _)| *at > now).is_none_or(|(at, _)| *at >= now + REST_MS);
            let (record, seen) = (words(&world.record()), words(&world.seen()));
            if !rests || script.hands_full(now) || looks == LOOKS {
                return Ok(());
            }
            looks += 1;
            let root = after(&script.start, &script.moves[..record.len()]);
            let lines = all_lines(&root, &world.board(), 3);
            let tail = &seen[record.len()..];
            let known = lines.iter().any(|line| sans(&root, line) == tail);
            prop_assert!(known || lines.is_empty(), "{tail:?} is seen after {record:?}, of {}", lines.len());
            Ok(())
        })?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    // One test for all three claims: it is the sequences that take their time, not what is asked of them.
    #[test]
    fn no_signs_and_orders_panic_or_keep_the_hand_awake_and_the_same_give_the_same(told in vec((0..4000u64, told()), 0..120)) {
        let (mut first, mut second) = (Follower::new(), Follower::new());
        let now = first.live_through(&told)?;
        prop_assert!(first.hand.deadline().is_none_or(|(at, _)| at > now));
        second.live_through(&told)?;
        prop_assert_eq!(first.deeds, second.deeds);
    }
}

/// More wakes at one time than there are reasons to wake, twice over.
const WAKES: usize = 24;

/// Keeps the record the hand talks about, and takes no deed that makes no sense on it.
struct Follower {
    hand: Hand,
    record: Course,
    /// All that was concluded.
    deeds: Vec<(u64, Deed)>,
}

/// One thing the hand is told; orders are about the record as it is by then.
#[derive(Clone, Debug)]
enum Told {
    Sign(Sign),
    Begin,
    /// The record is as it was so many plies ago.
    Correct(usize),
    Restore(usize),
    /// One of the legal moves, where the board is explained.
    Force(usize),
}

impl Follower {
    fn new() -> Follower {
        let mut hand = Hand::new(Settings::default());
        let start = Sign::Board(Box::new(Contents::of(Chess::default().board(), Lie::Straight)));
        let mut follower = Follower { hand: hand.clone(), record: hand.record().clone(), deeds: Vec::new() };
        let mut deeds = Vec::new();
        hand.handle(&start, 0, &mut deeds);
        follower.hand = hand;
        follower.follow(deeds, 0).expect("a start array is no surprise");
        follower
    }

    /// Gives the time at its end.
    fn live_through(&mut self, all: &[(u64, Told)]) -> Result<u64, TestCaseError> {
        let mut now = 0;
        for (wait, told) in all {
            now += wait;
            self.wake(now)?;
            if let Some(sign) = self.sign(told) {
                self.tell(&sign, now)?;
            }
        }
        self.wake(now + 100_000)?;
        Ok(now + 100_000)
    }

    fn tell(&mut self, sign: &Sign, now: u64) -> Result<(), TestCaseError> {
        let mut deeds = Vec::new();
        self.hand.handle(sign, now, &mut deeds);
        self.follow(deeds, now)
    }

    /// What is told, as a sign; nothing if it makes no sense.
    fn sign(&mut self, told: &Told) -> Option<Sign> {
        let order = match told {
            Told::Sign(sign) => return Some(sign.clone()),
            Told::Begin => {
                Order::Begin { record: Course::begin(Chess::default(), CastlingMode::Standard), lie: self.hand.lie() }
            }
            Told::Correct(plies) => Order::Correct(self.back(*plies)),
            Told::Restore(plies) => Order::Restore(self.back(*plies)),
            Told::Force(at) => {
                let legal = self.record.position().legal_moves();
                Order::Force(*legal.get(at % legal.len().max(1)).filter(|_| self.hand.is_sure())?)
            }
        };
        Some(Sign::Ordered(order))
    }

    fn back(&self, plies: usize) -> Course {
        let record = self.record.at(self.record.ply().back(plies));
        record.expect("fewer plies than there are")
    }

    fn wake(&mut self, now: u64) -> Result<(), TestCaseError> {
        let mut last = (0, 0);
        while let Some((at, wake)) = self.hand.deadline().filter(|(at, _)| *at <= now) {
            last = if at == last.0 { (at, last.1 + 1) } else { (at, 0) };
            prop_assert!(last.1 < WAKES, "{wake:?} is due at {at} again and again");
            let mut deeds = Vec::new();
            self.hand.wake(now, |_| false, &mut deeds);
            self.follow(deeds, at)?;
        }
        Ok(())
    }

    fn follow(&mut self, deeds: Vec<Deed>, now: u64) -> Result<(), TestCaseError> {
        self.deeds.extend(deeds.iter().map(|deed| (now, deed.clone())));
        for deed in deeds {
            match deed {
                Deed::Set(record)
                | Deed::NewGame { record, .. }
                | Deed::Mended { record, .. }
                | Deed::Reopened(record) => self.record = record,
                Deed::Final { record, made } => {
                    let played = play(self.record.position(), &[made.played])?;
                    prop_assert_eq!(record.position(), &played);
                    self.go_on(record, 1)?;
                }
                Deed::Rewritten { record, .. } => {
                    let kept = self.record.parts_from(&record).filter(|kept| *kept < self.record.ply());
                    prop_assert!(kept.is_some(), "nothing is rewritten");
                    self.record = record;
                }
                Deed::Seen(beyond) => _ = play(self.record.position(), &beyond.moves)?,
                Deed::Takeback(record) => {
                    prop_assert!(record.ply() < self.record.ply(), "nothing is taken back");
                    self.go_on(record, 0)?;
                }
                Deed::Stood { record, stood } => {
                    let plies = if stood.reply.after.is_some() { 2 } else { 0 };
                    self.go_on(record, plies)?;
                }
                Deed::Pressed(_, Judgement::PromotionLeft(played), _) => {
                    self.tell(&Sign::Ordered(Order::Force(played)), now)?;
                }
                Deed::Gap { .. }
                | Deed::Undecided { .. }
                | Deed::Touched { .. }
                | Deed::Knocked(_)
                | Deed::Restored
                | Deed::Pressed(..)
                | Deed::Completed(..)
                | Deed::OutOfTurn(_)
                | Deed::TouchedOutOfTurn(..)
                | Deed::Mismatched(_)
                | Deed::Held(_)
                | Deed::Signalled(_)
                | Deed::Confirmed
                | Deed::Faulty { .. }
                | Deed::Sound(_)
                | Deed::TwoHands(_)
                | Deed::Withdrawn { .. }
                | Deed::Unfounded(_)
                | Deed::ClockSilent
                | Deed::AskDump => {}
            }
        }
        Ok(())
    }

    /// So many plies were played on top of what there was, or some of that was taken back.
    fn go_on(&mut self, record: Course, plies: usize) -> Result<(), TestCaseError> {
        let kept = self.record.parts_from(&record);
        prop_assert_eq!(kept.map(|kept| record.ply().since(kept)), Some(plies));
        prop_assert!(plies == 0 || kept == Some(self.record.ply()), "{record:?} goes on from elsewhere");
        self.record = record;
        Ok(())
    }
}

fn play(from: &Chess, moves: &[Move]) -> Result<Chess, TestCaseError> {
    let mut position = from.clone();
    for played in moves {
        let next = position.clone().play(*played);
        prop_assert!(next.is_ok(), "{played:?} is not legal in {position:?}");
        position = next.unwrap_or(position);
    }
    Ok(position)
}

/// Signs, and now and then somebody with the right to it who gives an order.
fn told() -> impl Strategy<Value = Told> {
    let orders = vec![Order::End, Order::Resume, Order::Announce, Order::JudgeEndAgain];
    let turn = |side| Order::ExpectTurn(Color::from_white(side));
    let ordered = prop_oneof![prop::sample::select(orders), any::<bool>().prop_map(turn)];
    prop_oneof![
        24 => sign().prop_map(Told::Sign),
        2 => ordered.prop_map(|order| Told::Sign(Sign::Ordered(order))),
        1 => Just(Told::Begin),
        1 => (0..4usize).prop_map(Told::Correct),
        1 => (0..4usize).prop_map(Told::Restore),
        1 => any::<usize>().prop_map(Told::Force),
    ]
}

/// Anything a board and a clock can say, sense or nonsense. Start arrays and contents that belong there are likelier,
/// so that games go on now and then.
fn sign() -> impl Strategy<Value = Sign> {
    let content = prop::sample::select("..??PNBRQKpnbrqk".chars().collect::<Vec<_>>())
        .prop_map(|letter| Content::try_from(letter).expect("a letter of a content"));
    let square = (0..64u8).prop_map(|index| WireSquare::new(index).expect("a square"));
    let usual = square.clone().prop_map(|square| Sign::Square(square, start().get(square)));
    let report = (square, content).prop_map(|(square, content)| Sign::Square(square, content));
    let board = vec(report.clone(), 0..8).prop_map(|changes| {
        let mut contents = start();
        for change in changes {
            if let Sign::Square(square, content) = change {
                contents.set(square, content);
            }
        }
        Sign::Board(Box::new(contents))
    });
    let opening = prop::sample::select(vec![
        "e2 e4 P", "e7 e5 p", "g1 f3 N", "d2 d4 P", "e1 e2 K", "f1 c4 B", "e1 g1 K", "h1 f1 R",
    ]);
    let contact = (opening, any::<bool>()).prop_map(|(man, lift)| {
        let words = man.split(' ').collect::<Vec<_>>();
        let square = |text: &str| WireSquare::under(text.parse().expect("a square"), Lie::Straight);
        let letter = words[2].chars().next().expect("a letter");
        if lift {
            Sign::Square(square(words[0]), Content::Empty)
        } else {
            Sign::Square(square(words[1]), Content::try_from(letter).expect("a man"))
        }
    });
    let side = || any::<bool>().prop_map(Color::from_white);
    let presses = (0..4_usize, 0..3_usize, side())
        .prop_map(|(least, more, to_move)| PressCount::Counted { count: least..=least + more, to_move });
    let presses = prop_oneof![presses, Just(PressCount::Unknown)];
    prop_oneof![
        4 => report,
        4 => usual,
        8 => contact,
        1 => presses.prop_map(Sign::Missed),
        2 => board,
        4 => side().prop_map(Sign::Press),
        1 => prop::bool::weighted(0.99).prop_map(Sign::Link),
        1 => prop::sample::select(vec![Pressing::Awaited, Pressing::Stopped, Pressing::Impossible]).prop_map(Sign::Pressing),
    ]
}

fn start() -> Contents {
    Contents::of(Chess::default().board(), Lie::Straight)
}

fn script(longest: usize, think: Range<i64>) -> impl Strategy<Value = Script> {
    (prop::sample::select(&STARTS[..]), plies(longest, think)).prop_map(|(fen, plies)| Script::of(fen, &plies))
}

/// Acts the script, calling `check` after each contact with the time from its beginning, and at last waits.
fn follow(
    world: &mut World,
    script: &Script,
    mut check: impl FnMut(&World, u64) -> Result<(), TestCaseError>,
) -> Result<(), TestCaseError> {
    for line in &script.lines {
        world.act_all(std::slice::from_ref(line));
        check(world, line.0)?;
    }
    let end = script.lines.last().map_or(0, |(at, _)| *at) + 10_000;
    world.act_all(&[(end, "still".to_owned())]);
    check(world, end)
}

/// Nothing was unlawful, nothing had to be taken back. Only of a man who is nowhere for three seconds after a press that has
/// to be said, and is withdrawn: a capture that takes so long, of one who was read for a moment, is no fault of the hand.
fn check_quiet(world: &World) -> Result<(), TestCaseError> {
    let corrected = world.entries().find(|entry| matches!(entry, Entry::Corrected { .. }));
    prop_assert_eq!(corrected, None);
    let false_alarms = [
        AlertKind::IllegalMoveCompleted,
        AlertKind::PositionMismatch,
        AlertKind::MoveOutOfTurn,
        AlertKind::NoMoveClockPress,
        AlertKind::PromotionIncomplete,
        AlertKind::Takeback,
        AlertKind::Resync,
        AlertKind::Ambiguous,
    ];
    let mut raised = Vec::new();
    for entry in world.entries() {
        let Entry::Alert(alert) = entry else { continue };
        let missed = raised.iter().rposition(|kind| *kind == AlertKind::PositionMismatch);
        if let Some(last) = missed.filter(|_| alert.of == Some(AlertKind::PositionMismatch)) {
            raised.remove(last);
        } else if false_alarms.contains(&alert.kind) {
            raised.push(alert.kind);
        }
    }
    prop_assert_eq!(raised, []);
    Ok(())
}

/// The model: every legal line that ends with these men on the board. No order of events, no cleverness.
fn all_lines(root: &Chess, board: &Board, depth: usize) -> Vec<Vec<Move>> {
    let mut found = if root.board() == board { vec![Vec::new()] } else { Vec::new() };
    if depth > 0 {
        for played in root.legal_moves() {
            let mut next = root.clone();
            next.play_unchecked(played);
            for mut line in all_lines(&next, board, depth - 1) {
                line.insert(0, played);
                found.push(line);
            }
        }
    }
    found
}

fn after(start: &Chess, moves: &[Move]) -> Chess {
    let mut position = start.clone();
    for played in moves {
        position.play_unchecked(*played);
    }
    position
}

fn sans(root: &Chess, line: &[Move]) -> Vec<String> {
    let mut position = root.clone();
    line.iter().map(|played| SanPlus::from_move_and_play_unchecked(&mut position, *played).to_string()).collect()
}

fn words(line: &str) -> Vec<String> {
    line.split_whitespace().map(str::to_owned).collect()
}
