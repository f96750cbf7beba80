//! Whole rehearsals at full speed: every profile, every game, and the noise it makes.

use protocol::board::{
    Content, Contents, Lie, WireSquare,
    dgt::{BusAddress, BusCommand, BusVerb, ClockMessage, Decoder, Heard, Message, Status},
};
use shakmaty::{Chess, Color, Position};

use super::{
    count::Kind,
    deed::Deed,
    dice::Dice,
    games::{self, Game},
    hands::{self, Manner, Sitting},
    noise::{Noise, Profile, Sensors},
    player::{Output, Rehearsal, Setting},
    script,
};

#[test]
fn perfect_hands_take_the_board_through_every_game() {
    for lie in [Lie::Straight, Lie::Turned] {
        for game in games::embedded() {
            let heard = play(Setting { lie, ..Setting::of(Profile::Perfect) }, vec![game.clone()]);
            let board = heard.contents.board(lie);
            assert_eq!(board, *last_position(&game).board(), "{:?}", game.tags);
        }
    }
}

#[test]
fn every_position_of_a_perfect_game_stands_on_the_board_when_the_clock_is_pressed() {
    for game in games::embedded() {
        let heard = play(Setting::of(Profile::Perfect), vec![game.clone()]);
        let mut position = game.start.clone();
        let mut seen = heard.at_press.iter();
        for mv in &game.moves {
            position.play_unchecked(*mv);
            let board = seen.next().expect("a press for every move").board(Lie::Straight);
            assert_eq!(board, *position.board(), "{mv} in {:?}", game.tags);
        }
    }
}

#[test]
fn every_profile_plays_the_games_to_their_end_and_sets_up_the_next() {
    for profile in [Profile::Classical, Profile::Rapid, Profile::Blitz, Profile::Perfect] {
        for seed in 0..6 {
            let games = games::embedded();
            let heard = play(Setting { seed, ..Setting::of(profile) }, games.clone());
            let records = heard.rehearsal.records();
            assert_eq!(records.len(), games.len());
            for (record, game) in records.iter().zip(&games) {
                assert_eq!(record.moves().collect::<Vec<_>>(), game.moves, "{profile:?} {seed}");
                assert_eq!(record.outcome, game.outcome);
                assert!(record.plies.iter().all(|ply| ply.landed.is_some()));
                assert!(record.plies.is_sorted_by_key(|ply| ply.pressed), "presses come in order");
            }
        }
    }
}

#[test]
fn between_two_games_the_men_stand_still_however_fast_people_think() {
    /// The least that tells a game to come from the one that is over.
    const STILL_MS: u64 = 2_000;
    let games = games::embedded();
    for speed in [1, 1_000] {
        let setting = Setting::of(Profile::Perfect);
        let manner = Manner {
            noise: setting.noise,
            control: setting.control,
            speed,
            wait_after_illegal: false,
            trial: setting.trial,
        };
        let sitting = |number: usize| Sitting { game: &games[number], swap: None };
        let played = hands::play(sitting(0), Some(sitting(1)), &manner, &mut Dice::new(1, 0));
        let touched = played.deeds.iter().rfind(|timed| matches!(timed.deed, Deed::Lift(_) | Deed::Place(..)));
        let over = played.deeds.back().expect("the next game begins after this one");
        assert!(over.at - touched.expect("men are moved").at > STILL_MS, "{over:?}");
    }
}

#[test]
fn set_ups_from_fen_and_chess960_end_where_they_should() {
    let pgn = b"[FEN \"4k3/8/8/8/8/8/8/1RK4R w HB - 0 1\"]\n\n1. O-O-O Ke7 2. Rhe1+ Kf7 *\n\n\
                [FEN \"5rkr/8/8/8/8/8/8/4K3 b hf - 0 1\"]\n\n1... O-O-O 2. Ke2 *\n";
    let games = games::read(pgn).expect("both are legal");
    for profile in [Profile::Perfect, Profile::Blitz] {
        for seed in 0..20 {
            let heard = play(Setting { seed, ..Setting::of(profile) }, games.clone());
            for (record, game) in heard.rehearsal.records().iter().zip(&games) {
                assert_eq!(record.position(), last_position(game));
            }
        }
    }
}

#[test]
fn noise_in_the_hands_leaves_the_right_position_behind_every_move() {
    // Sensors without a flaw, so that what is heard is what is done.
    let noise = Noise { sensors: Sensors::FLAWLESS, ..Noise::BLITZ };
    for seed in 0..40 {
        let setting = Setting { noise, seed, ..Setting::of(Profile::Blitz) };
        let game = games::embedded().remove(usize::try_from(seed % 24).expect("small"));
        let noise = Noise { ending: Noise::PERFECT.ending, ..setting.noise };
        let heard = play(Setting { noise, ..setting }, vec![game.clone()]);
        assert_eq!(heard.contents.board(Lie::Straight), *last_position(&game).board(), "seed {seed}");
    }
}

#[test]
fn what_occurs_is_near_what_the_model_says() {
    let games: Vec<Game> = std::iter::repeat_with(games::embedded).take(25).flatten().collect();
    let heard = play(Setting::of(Profile::Blitz), games);
    let noise = heard.rehearsal.noise();
    for (kind, rate) in [
        (Kind::PressBeforeRelease, 0.03),
        (Kind::EarlyReply, 0.06),
        (Kind::SlideFar, 0.20),
        (Kind::SlideNear, 0.04),
        (Kind::CrossedSeen, 0.25),
        (Kind::PlaceBeforeLift, 0.013),
        (Kind::Adjust, 0.003),
        (Kind::KnockOver, 0.003),
        (Kind::IllegalMove, 0.003),
        (Kind::CaptureReplaced, 0.72),
        (Kind::CaptureVictimFirst, 0.19),
        (Kind::VictimFlash, 0.06),
        (Kind::CastlingRookFirst, 0.17),
        (Kind::CastlingKingSlid, 0.15),
        (Kind::UpdateTwice, 0.002),
        (Kind::BetweenSquares, 0.003),
        (Kind::NeighbourFirst, 0.4),
        (Kind::ResultSignalled, 0.70),
    ] {
        let tally = noise.get(kind);
        let could = f64::from(u32::try_from(tally.could).expect("few"));
        let occurred = f64::from(u32::try_from(tally.occurred).expect("few"));
        // Four standard deviations: once in some ten thousand kinds by chance, and the seed is fixed.
        let allowed = 4.0 * (could * rate * (1.0 - rate)).sqrt();
        assert!((occurred - could * rate).abs() <= allowed, "{}: {tally:?}, expected {rate}", kind.name());
        assert!(could > 0.0, "{} never could", kind.name());
    }
}

#[test]
fn a_game_broken_off_has_only_the_noise_it_came_to() {
    let mut rehearsal = Rehearsal::new(Setting::of(Profile::Rapid), games::embedded());
    let mut out = Vec::new();
    rehearsal.hear(&[0x4b], 0, &mut out);
    rehearsal.advance(60_000, &mut out);
    let pressed = rehearsal.records()[0].moves().count();
    let could = rehearsal.noise().get(Kind::PressBeforeRelease).could;
    let could = usize::try_from(could).expect("few");
    assert!(pressed > 0 && could.abs_diff(pressed) <= 1, "{could} of {pressed}");
}

#[test]
fn perfect_hands_do_nothing_wrong() {
    let heard = play(Setting::of(Profile::Perfect), games::embedded());
    let noise = heard.rehearsal.noise();
    for kind in [
        Kind::SlideFar,
        Kind::PlaceBeforeLift,
        Kind::PressBeforeRelease,
        Kind::EarlyReply,
        Kind::CaptureMoverFirst,
        Kind::CastlingRookFirst,
        Kind::UpdateLost,
        Kind::IllegalMove,
        Kind::ResultSignalled,
    ] {
        assert_eq!(noise.get(kind).occurred, 0, "{}", kind.name());
    }
}

#[test]
fn the_same_seed_says_the_same_bytes_and_another_one_others() {
    let bytes = |seed| play(Setting { seed, ..Setting::of(Profile::Blitz) }, games::embedded()).said;
    let (first, second, other) = (bytes(7), bytes(7), bytes(8));
    assert_eq!(first, second);
    assert_ne!(first, other);
}

#[test]
fn an_early_reply_is_in_the_air_before_the_press() {
    let noise = Noise { early_reply: 1.0, ..Noise::BLITZ };
    let heard = play(Setting { noise, ..Setting::of(Profile::Blitz) }, games::embedded());
    let mut overlaps = 0;
    for record in heard.rehearsal.records() {
        for pair in record.plies.windows(2) {
            overlaps += usize::from(pair[1].landed < pair[0].pressed.map(|at| at + 200));
            assert!(pair[0].pressed < pair[1].pressed);
        }
    }
    assert!(overlaps > 50, "{overlaps}");
}

#[test]
fn hands_that_wait_after_an_illegal_move_go_on_when_told() {
    let mut noise = Noise::PERFECT;
    noise.unrest.illegal = 0.2;
    let setting = Setting { noise, wait_after_illegal: true, ..Setting::of(Profile::Perfect) };
    let game = games::embedded().remove(0);
    let mut rehearsal = Rehearsal::new(setting, vec![game.clone()]);
    let (mut out, mut now, mut waits) = (Vec::new(), 0, 0);
    rehearsal.hear(&[0x4b], now, &mut out);
    while !out.contains(&Output::Done) {
        out.clear();
        now = rehearsal.deadline().expect("something comes until the games are done").max(now);
        rehearsal.advance(now, &mut out);
        if out.iter().any(|output| matches!(output, Output::Tell(_))) {
            waits += 1;
            now += 60_000;
            rehearsal.command(script::Command::Go, now, &mut out);
        }
    }
    assert!(waits > 0);
    assert_eq!(rehearsal.records()[0].offences.len(), waits);
    assert_eq!(rehearsal.records()[0].position(), last_position(&game));
}

#[test]
fn games_wait_until_a_computer_listens() {
    let mut rehearsal = Rehearsal::new(Setting::of(Profile::Perfect), games::embedded());
    let mut out = Vec::new();
    rehearsal.hear(&[0x40, 0x4d, 0x42], 10, &mut out);
    rehearsal.advance(3_600_000, &mut out);
    assert!(rehearsal.records().is_empty());
    let poll = BusCommand { verb: BusVerb::SendChanges, to: BusAddress::new(1_025).expect("14 bits") }.encode();
    rehearsal.hear(&poll, 3_600_001, &mut out);
    rehearsal.hear(&poll, 3_600_002, &mut out);
    rehearsal.advance(3_700_000, &mut out);
    assert_eq!(rehearsal.records().len(), 1);
}

#[test]
fn a_typed_game_is_a_game_too() {
    let mut rehearsal = Rehearsal::new(Setting::of(Profile::Perfect), Vec::new());
    let mut out = Vec::new();
    for line in [
        "move e2e4",
        "move d7d5",
        "move e4d5",
        "move c7c5",
        "move d5c6",
        "lift g8",
        "place f6 n",
        "press",
        "move c6b7",
        "move e7e6",
        "move b7a8n",
        "move f8e7",
        "move g1f3",
        "move f6g8",
        "move f1e2",
        "move g8f6",
        "move e1g1",
        "move e2e4",
    ] {
        let command = script::parse(line).expect("understood").expect("a command");
        rehearsal.command(command, 0, &mut out);
    }
    rehearsal.advance(600_000, &mut out);
    let pgn = rehearsal.records()[0].to_string();
    let moves = "1. e4 d5 2. exd5 c5 3. dxc6 Nf6 4. cxb7 e6 5. bxa8=N Be7 6. Nf3 Ng8 7. Be2 Nf6\n8. O-O *\n";
    assert!(pgn.ends_with(moves), "{pgn}");
    let told: Vec<_> = out.iter().filter(|output| matches!(output, Output::Tell(_))).collect();
    assert_eq!(told.len(), 1, "the last move is illegal: {told:?}");
}

#[test]
fn without_a_clock_a_man_put_down_is_a_move() {
    let mut rehearsal = Rehearsal::new(Setting { clock: false, ..Setting::of(Profile::Perfect) }, Vec::new());
    let mut out = Vec::new();
    for line in ["lift e2", "place e4 P", "move e7e5", "press", "lift g1", "place f3 N"] {
        rehearsal.command(script::parse(line).expect("understood").expect("a command"), 0, &mut out);
    }
    rehearsal.advance(60_000, &mut out);
    assert!(rehearsal.records()[0].to_string().ends_with("1. e4 e5 2. Nf3 *\n"));
    assert!(matches!(&out[..], [Output::Tell(sentence)] if sentence.contains("there is no clock")));
}

#[test]
fn a_turned_board_reads_the_men_from_the_other_side() {
    let mut rehearsal = Rehearsal::new(Setting::of(Profile::Perfect), Vec::new());
    let mut out = Vec::new();
    rehearsal.command(script::Command::Turn, 0, &mut out);
    rehearsal.hear(&[0x42], 2_000, &mut out);
    let Some(Output::Said(dump)) = out.pop() else { panic!("a dump") };
    assert_eq!(dump.bytes[3..11], [2, 3, 4, 5, 6, 4, 3, 2]);
}

#[test]
fn a_lost_cable_swallows_what_happens() {
    let mut rehearsal = Rehearsal::new(Setting::of(Profile::Perfect), Vec::new());
    let mut out = Vec::new();
    rehearsal.hear(&[0x4b], 0, &mut out);
    rehearsal.command(script::Command::Unplug(5_000), 10, &mut out);
    rehearsal.hear(&[0x42], 100, &mut out);
    assert_eq!(out, [Output::LinkDown]);
    rehearsal.advance(6_000, &mut out);
    assert_eq!(out[1..], [Output::LinkUp]);
    rehearsal.command(script::parse("move e2e4").expect("understood").expect("a command"), 7_000, &mut out);
    rehearsal.advance(9_000, &mut out);
    assert_eq!(out.len(), 2, "after the power was gone the board is silent");
}

#[test]
fn what_is_typed_after_a_rest_is_done_when_it_is_typed() {
    let mut rehearsal = Rehearsal::new(Setting::of(Profile::Perfect), Vec::new());
    let mut out = Vec::new();
    rehearsal.command(script::Command::Unplug(3_000), 60_000, &mut out);
    assert_eq!(rehearsal.deadline(), Some(63_000));
    rehearsal.advance(63_000, &mut out);
    rehearsal.command(script::Command::Unplug(3_000), 90_000, &mut out);
    rehearsal.advance(92_999, &mut out);
    assert_eq!(out, [Output::LinkDown, Output::LinkUp, Output::LinkDown]);
}

#[test]
fn nobody_thinks_his_time_away() {
    for profile in [Profile::Classical, Profile::Rapid, Profile::Blitz] {
        for seed in 0..3 {
            let heard = play(Setting { seed, ..Setting::of(profile) }, games::embedded());
            assert_eq!(heard.flags, 0, "{profile:?} {seed}");
        }
    }
}

/// What a computer that listens has heard.
struct Listener {
    rehearsal: Rehearsal,
    contents: Contents,
    at_press: Vec<Contents>,
    said: Vec<u8>,
    flags: usize,
}

fn play(setting: Setting, games: Vec<Game>) -> Listener {
    let start = games[0].start.board().clone();
    let mut heard = Listener {
        contents: Contents::of(&start, setting.lie),
        rehearsal: Rehearsal::new(setting, games),
        at_press: Vec::new(),
        said: Vec::new(),
        flags: 0,
    };
    let (mut out, mut now) = (Vec::new(), 0);
    let mut decoder = Decoder::single();
    let mut turn = Color::White;
    heard.rehearsal.hear(&[0x4b], now, &mut out);
    loop {
        for output in std::mem::take(&mut out) {
            match output {
                Output::Said(said) => heard.hear(&said.bytes, &mut decoder, &mut turn, setting.lie),
                Output::LinkDown => {}
                Output::LinkUp => heard.rehearsal.hear(&[0x42], now, &mut out),
                Output::Tell(sentence) => panic!("{sentence}"),
                Output::Done => return heard,
            }
        }
        now = heard.rehearsal.deadline().expect("something comes until the games are done");
        heard.rehearsal.advance(now, &mut out);
    }
}

impl Listener {
    fn hear(&mut self, bytes: &[u8], decoder: &mut Decoder, turn: &mut Color, lie: Lie) {
        self.said.extend(bytes);
        decoder.push(bytes);
        while let Some(heard) = decoder.next_heard() {
            let Heard::Message(message) = heard else { panic!("{heard:?}") };
            if let Message::FieldUpdate { square, code } = message {
                self.contents.set(square, code.content());
            } else if let Message::BoardDump(codes) = message {
                self.contents = codes.contents();
            } else if let Message::Clock(ClockMessage::Times(times)) = message {
                self.flags += usize::from(times.left.flag() || times.right.flag());
                let left = times.status.has(Status::LEFT_TO_MOVE);
                let now = Color::from_white(left == (lie == Lie::Straight));
                if std::mem::replace(turn, now) != now {
                    self.at_press.push(self.contents);
                }
            } else {
                panic!("nobody asked for {message:?}");
            }
        }
        debug_assert!(WireSquare::all().all(|square| self.contents.get(square) != Content::Occupied));
    }
}

fn last_position(game: &Game) -> Chess {
    let mut position = game.start.clone();
    game.moves.iter().for_each(|mv| position.play_unchecked(*mv));
    position
}
