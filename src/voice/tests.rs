//! One player's ear in a world without sound: what is published goes in, what speakers would report is thrown by dice.

use hall::Input;
use protocol::feed::{
    AlertKind, Command, Correction, Earphone, Entry, Event, GameResult, Request, ResultReason, Score, Side, Sight,
    SpokenState, TableEvent, TableId, Variant, VoiceNews,
};
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position as _, fen::Fen, san::San};

use super::{
    queue::{Key, Order, Utterance, Weight},
    room::{Heard, Orders, Player, Room, What},
};
use crate::journal::{Committed, Entries};

/// A journal, what is published from it, and a room that hears it.
struct World {
    room: Room,
    journal: Vec<TableEvent>,
    position: Chess,
    ply: usize,
    now: u64,
    /// What a speaker was told to speak and has not reported the end of.
    saying: Option<Utterance>,
    cut: bool,
    tones: usize,
}

fn table() -> TableId {
    TableId { event: "open".to_owned(), round: 1, table: 1 }
}

fn player() -> Player {
    Player { table: table(), side: Side::Black }
}

impl World {
    /// Black hears the game.
    fn begin(earphone: Earphone) -> World {
        let mut world = World {
            room: Room::default(),
            journal: Vec::new(),
            position: Chess::default(),
            ply: 0,
            now: 0,
            saying: None,
            cut: false,
            tones: 0,
        };
        world.room.wake();
        world.listen(earphone);
        world.start();
        world
    }

    fn listen(&mut self, earphone: Earphone) {
        let news = VoiceNews::Listens { earphone: Some(Box::new(earphone)) };
        self.publish(Entry::Voice { side: Side::Black, news });
    }

    fn start(&mut self) {
        self.position = Chess::default();
        self.ply = 0;
        let fen = Fen::from_position(&self.position, EnPassantMode::Legal).to_string();
        self.publish(Entry::Started { game: 1, fen, variant: Variant::Standard });
    }

    fn play(&mut self, sans: &str) -> &mut World {
        for san in sans.split(' ') {
            self.now += 1_000;
            self.play_on(san);
        }
        self
    }

    fn play_on(&mut self, san: &str) {
        let played = san.parse::<San>().expect("a move").to_move(&self.position).expect("a legal move");
        self.position.play_unchecked(played);
        self.ply += 1;
        self.publish(Entry::Final {
            ply: self.ply,
            san: san.to_owned(),
            uci: played.to_uci(CastlingMode::Standard).to_string(),
            fen: Fen::from_position(&self.position, EnPassantMode::Legal).to_string(),
            clock_ms: None,
            inferred: false,
            illegal: false,
        });
    }

    fn ask(&mut self, request: Request) -> &mut World {
        self.now += 10;
        self.publish(Entry::Voice { side: Side::Black, news: VoiceNews::Asked { request } });
        self
    }

    fn publish(&mut self, entry: Entry) {
        let event = TableEvent { table: Some(table()), t: self.now, event: entry.into() };
        self.journal.push(event.clone());
        let published = Committed::for_a_test(Entries { done: Vec::new(), events: vec![event] });
        let orders = self.room.hear(&published);
        self.carry_out(orders);
    }

    fn carry_out(&mut self, orders: Orders) {
        for (_, order) in orders {
            match order {
                Order::Say(utterance, _) => {
                    assert!(self.saying.is_none(), "two at once");
                    self.saying = Some(*utterance);
                }
                Order::Cut => self.cut = true,
                Order::Tone(_) => self.tones += 1,
            }
        }
    }

    /// The speaker reports; what follows is on disk at once unless the power is cut before.
    fn report(&mut self, what: What, is_kept: bool) {
        let Some(utterance) = self.saying.clone() else { return };
        if what != What::Begun {
            self.saying = None;
            self.cut = false;
        }
        let (input, orders) = self.room.take(Heard { player: player(), key: utterance.key, what });
        self.carry_out(orders);
        if let Some(Input::Spoken { side, spoken, .. }) = input.filter(|_| is_kept) {
            self.now += 1;
            self.publish(Entry::Voice { side, news: VoiceNews::Spoken(spoken) });
        }
    }

    /// Everything is spoken to its end. Gives what was.
    fn finish(&mut self) -> Vec<String> {
        let mut said = Vec::new();
        while let Some(utterance) = self.saying.clone() {
            let what = if self.cut { What::Cut } else { What::Ended };
            said.extend((what == What::Ended).then_some(utterance.text));
            self.report(What::Begun, true);
            self.report(what, true);
        }
        said
    }

    fn restart(&mut self) {
        let published = Committed::for_a_test(Entries { done: Vec::new(), events: self.journal.clone() });
        self.room = Room::default();
        (self.saying, self.cut) = (None, false);
        self.room.reread(&published);
        let orders = self.room.wake();
        self.carry_out(orders);
    }

    /// What the journal says was spoken to its end.
    fn ended(&self) -> Vec<Key> {
        let spoken = self.journal.iter().filter_map(|event| match &event.event {
            Event::Entry(Entry::Voice { news: VoiceNews::Spoken(spoken), .. }) => Some(spoken),
            Event::Entry(_) | Event::Sight(_) => None,
        });
        let is_end = |state| matches!(state, SpokenState::Ended | SpokenState::Back);
        spoken.filter(|spoken| is_end(spoken.state)).map(Key::of).collect()
    }
}

#[test]
fn each_move_of_the_opponent_is_spoken_and_none_of_the_own() {
    let mut world = World::begin(Earphone::default());
    world.play("e4 e5 Nf3 Nc6");
    assert_eq!(world.finish(), ["Bauer Eva zwei, Eva vier", "Springer Gustav eins, Felix drei"]);
    world.play("O-O-O".replace("O-O-O", "Bb5").as_str());
    assert_eq!(world.finish(), ["Läufer Felix eins, Bella fünf"]);
}

#[test]
fn a_move_cuts_off_what_is_read_and_is_never_cut_off_itself() {
    let mut world = World::begin(Earphone { readings: true, ..Earphone::default() });
    world.ask(Request::Position);
    world.play("e4");
    assert!(world.cut, "the reading breaks off");
    world.play("e5 Nf3").ask(Request::LastMove);
    world.report(What::Cut, true);
    assert!(!world.cut, "the move does not");
    let expected = [
        "Bauer Eva zwei, Eva vier",
        "Springer Gustav eins, Felix drei",
        "letzter Zug, Springer Gustav eins, Felix drei",
    ];
    assert_eq!(world.finish(), expected);
}

#[test]
fn what_is_asked_is_answered_and_the_last_question_counts() {
    let mut world = World::begin(Earphone { readings: true, ..Earphone::default() });
    let answer = |world: &mut World, request| world.ask(request).finish().pop().unwrap_or_default();
    assert_eq!(answer(&mut world, Request::LastMove), "noch kein Zug");
    assert_eq!(answer(&mut world, Request::MyClock), "keine Uhr");
    let clock = Sight::Clock { white_ms: 300_000, black_ms: 312_000, running: Some(Side::Black) };
    world.room.see(&table(), world.now, &clock);
    world.now += 2_990;
    assert_eq!(answer(&mut world, Request::MyClock), "noch 5 Minuten 9 Sekunden");
    assert_eq!(answer(&mut world, Request::BothClocks), "noch 5 Minuten 8 Sekunden, Gegner noch 5 Minuten");
    assert_eq!(answer(&mut world, Request::MoveNumber), "Zug 1, Weiß");
    assert_eq!(answer(&mut world, Request::Men(protocol::feed::Man::Knight)), "Springer Bella acht, Gustav acht");
    let file = "Weiß König Eva eins, Bauer Eva zwei, Schwarz König Eva acht, Bauer Eva sieben";
    assert_eq!(answer(&mut world, Request::File('e')), file);
    assert!(answer(&mut world, Request::Rank(4)).contains("leer"));
    world.ask(Request::File('a')).ask(Request::File('b')).ask(Request::File('c'));
    assert_eq!(
        world.finish(),
        ["Weiß Läufer Cesar eins, Bauer Cesar zwei, Schwarz Läufer Cesar acht, Bauer Cesar sieben"]
    );
}

#[test]
fn repeats_go_slower_and_moves_do_not() {
    let mut world = World::begin(Earphone::default());
    world.play("e4").finish();
    world.ask(Request::Slower).finish();
    world.ask(Request::LastMove);
    assert_eq!(world.saying.as_ref().map(|said| (said.rate, said.weight)), Some((130, Weight::Reading)));
    world.finish();
    world.play("e5 Nf3");
    assert_eq!(world.saying.as_ref().map(|said| said.rate), Some(150));
}

#[test]
fn offers_corrections_and_results_are_told_and_findings_are_not() {
    let mut world = World::begin(Earphone { language: "en".to_owned(), ..Earphone::default() });
    world.play("e4 e5 Nf3").finish();
    let note = |command| Entry::Noted { order: Box::new(command) };
    world.publish(note(Command::DrawOffer { side: Side::White }));
    world.publish(note(Command::DrawOffer { side: Side::Black }));
    assert_eq!(world.finish(), ["offers a draw"], "of one's own offer nobody is told");
    for kind in [AlertKind::TouchMoveSuspect, AlertKind::ThreefoldAvailable, AlertKind::FlagFall] {
        world.publish(Entry::Alert(Box::new(protocol::feed::Alert::new(kind))));
    }
    assert_eq!(world.finish(), Vec::<String>::new());
    let (old, new) = (vec!["Nf3".to_owned()], Vec::new());
    world.publish(Entry::Corrected { from_ply: 3, old, new, reason: Correction::Takeback });
    assert_eq!(world.finish(), ["move taken back"]);
    let (old, new) = (Vec::new(), vec!["Bc4".to_owned()]);
    world.publish(Entry::Corrected { from_ply: 3, old, new, reason: Correction::Arbiter });
    assert_eq!(world.finish(), ["bishop Felix one, Cesar four"], "a move that is entered is a move");
    let (old, new) = (vec!["Bc4".to_owned()], vec!["Bb5".to_owned()]);
    world.publish(Entry::Corrected { from_ply: 3, old, new, reason: Correction::Arbiter });
    assert_eq!(world.finish(), ["position restored", "bishop Felix one, Bella five"]);
    let enter = |world: &mut World, from_ply, line: &str| {
        let new = line.split(' ').map(str::to_owned).collect();
        world.publish(Entry::Corrected { from_ply, old: Vec::new(), new, reason: Correction::Arbiter });
        world.finish()
    };
    assert_eq!(enter(&mut world, 4, "a6"), Vec::<String>::new(), "of one's own move nobody is told");
    assert_eq!(enter(&mut world, 5, "Ba4 Nf6"), ["bishop Bella five, Anna four"]);
    assert_eq!(enter(&mut world, 7, "Nf3 Be7 Qe2"), ["position restored", "queen David one, Eva two"]);
    world.publish(Entry::Result { result: GameResult::Draw, reason: ResultReason::Agreement, score: None });
    assert_eq!(world.finish(), ["draw"]);
    let open = || Entry::Result { result: GameResult::Open, reason: ResultReason::Arbiter, score: None };
    world.publish(open());
    assert_eq!(world.finish(), ["result taken back"]);
    world.publish(open());
    assert_eq!(world.finish(), Vec::<String>::new(), "there was none");
}

#[test]
fn clocks_the_arbiter_sets_are_told_with_what_they_show() {
    let mut world = World::begin(Earphone { language: "en".to_owned(), ..Earphone::default() });
    let order = Command::AdjustTimes { white_ms: 300_000, black_ms: 312_400 };
    world.publish(Entry::Noted { order: Box::new(order) });
    assert_eq!(world.finish(), ["clocks set, 5 minutes 12 seconds left, opponent 5 minutes left"]);
}

#[test]
fn a_result_is_told_as_it_was_entered() {
    let told = |score: Score| {
        let mut world = World::begin(Earphone { language: "en".to_owned(), ..Earphone::default() });
        let (result, reason) = (score.result(), score.reason());
        world.publish(Entry::Result { result, reason, score: score.beyond_result() });
        world.finish().join("; ")
    };
    let expected = [
        (Score::Open, ""),
        (Score::WhiteWins, "white wins"),
        (Score::BlackByForfeit, "black wins by forfeit"),
        (Score::BothForfeited, "both forfeited"),
        (Score::BothLost, "both lose"),
        (Score::WhiteHalf, "half a point for white"),
    ];
    expected.into_iter().for_each(|(score, words)| assert_eq!(told(score), words, "{score}"));
}

#[test]
fn a_board_that_is_lost_and_found_again_is_told_and_a_flicker_of_it_delays_no_move() {
    let mut world = World::begin(Earphone { language: "en".to_owned(), ..Earphone::default() });
    let link = |kind| Entry::Alert(Box::new(protocol::feed::Alert::new(kind)));
    world.publish(link(AlertKind::LinkLost));
    assert_eq!(world.finish(), ["board disconnected"]);
    world.publish(link(AlertKind::LinkRestored));
    assert_eq!(world.finish(), ["board connected again"]);
    world.play("e4");
    for kind in [AlertKind::LinkLost, AlertKind::LinkRestored, AlertKind::LinkLost] {
        world.publish(link(kind));
    }
    world.play("e5 Nf3");
    assert_eq!(world.finish(), ["pawn Eva two, Eva four", "knight Gustav one, Felix three"]);
}

#[test]
fn a_game_that_is_told_from_its_beginning_is_told_with_its_last_move() {
    let mut world = World::begin(Earphone::default());
    world.now += 5_000;
    world.start();
    world.saying = None;
    let before = world.journal.len();
    for san in ["e4", "e5", "Nf3"] {
        world.play_on(san);
    }
    // As it comes when the game is handed over: all in one commit.
    let events = world.journal.split_off(before - 1);
    world.journal.extend(events);
    world.restart();
    assert_eq!(world.finish(), ["Springer Gustav eins, Felix drei"]);
}

#[test]
fn who_cannot_be_heard_gets_a_tone_and_a_word_and_then_the_whole_announcement() {
    let states = |reports: &[What]| {
        let mut world = World::begin(Earphone::default());
        world.play("e4");
        reports.iter().for_each(|what| world.report(what.clone(), true));
        let spoken = world.journal.iter().filter_map(|event| match &event.event {
            Event::Entry(Entry::Voice { news: VoiceNews::Spoken(spoken), .. }) => Some(spoken.state),
            Event::Entry(_) | Event::Sight(_) => None,
        });
        (spoken.collect::<Vec<_>>(), world.tones, world.saying.is_some())
    };
    let (broken, blocked) = (What::Broken("died".to_owned()), What::Blocked("stuck".to_owned()));
    let (begun, ended) = (What::Begun, What::Ended);
    // One accident is put right at once, and nobody has to come.
    let accident = states(&[begun.clone(), broken.clone(), begun.clone(), ended.clone()]);
    assert_eq!(accident, (vec![SpokenState::Begun, SpokenState::Begun, SpokenState::Ended], 0, false));
    assert_eq!(states(&[broken.clone(), broken.clone()]), (vec![SpokenState::Silent], 1, true));
    assert_eq!(states(&[blocked.clone(), blocked.clone()]), (vec![SpokenState::Silent], 1, true), "said once");
    let back = states(&[blocked, begun, ended]);
    assert_eq!(back, (vec![SpokenState::Silent, SpokenState::Begun, SpokenState::Back], 1, false));
}

#[test]
fn of_a_thousand_moves_none_is_lost_doubled_or_out_of_order_whatever_dies() {
    for seed in [2_463_534_242, 88_172_645] {
        let mut dice: u32 = seed;
        let mut throw = move |sides: u32| {
            dice ^= dice << 13;
            dice ^= dice >> 17;
            dice ^= dice << 5;
            dice % sides
        };
        let mut world = World::begin(Earphone::default());
        let (mut told, dance) = (0, ["Nf3", "Nf6", "Ng1", "Ng8"]);
        while told < 2_000 || world.saying.is_some() {
            match throw(24) {
                0..12 if told < 2_000 => {
                    world.now += 50;
                    world.play_on(dance[told % 4]);
                    told += 1;
                }
                12..14 => world.report(What::Begun, true),
                14 => world.report(What::Broken("died".to_owned()), true),
                15 => world.report(What::Blocked("stuck".to_owned()), true),
                16 if throw(4) == 0 => world.restart(),
                // Spoken, and the power is cut before that is on disk: it comes once more.
                17 if throw(4) == 0 => {
                    world.report(What::Ended, false);
                    world.restart();
                }
                _ => world.report(What::Ended, true),
            }
        }
        let finals = world.journal.iter().filter_map(|event| match &event.event {
            Event::Entry(Entry::Final { ply, .. }) if ply % 2 == 1 => Some(event.t),
            Event::Entry(_) | Event::Sight(_) => None,
        });
        let (finals, ended) = (finals.collect::<Vec<_>>(), world.ended());
        assert_eq!(ended.len(), 1_000, "{seed}");
        assert_eq!(ended.iter().map(|key| key.of).collect::<Vec<_>>(), finals, "{seed}");
    }
}
