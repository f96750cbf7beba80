//! A blind player at the usual table: a sighted player's board, on which an assistant moves the blind player's men.

use protocol::feed::{
    AlertKind, Blind, Command, Earphone, Entry, Man, Request, Rules, Side, Spoken, SpokenState, VoiceNews,
};

use crate::world::World;

/// White touches the knight and moves the pawn, castles with two hands, puts a man down and moves it on.
const HANDS: [(&str, &str); 4] = [
    ("0.4 lift g1\n2 place N g1\n2.5 lift e2\n3 place P e4\n3.5 press\n5 still", "touched"),
    ("0.4 lift e2\n0.8 place P e3\n2.5 lift e3\n3 place P e4\n3.5 press\n5 still", "released"),
    ("0.4 lift e2\n0.8 place P e4\n1.5 press\n2 lift g1\n4 place N g1\n6 still", "touched out of turn"),
    ("0.4 lift d2\n0.6 lift d1\n1 place Q d1\n1.4 place P d4\n2 press\n4 still", "both"),
];

fn told(players: Blind, hands: &str) -> Vec<AlertKind> {
    let mut world = World::at_start();
    world.order(&Command::Announce { side: Side::White, text: "Bauer Eva zwei, Eva vier".to_owned(), play: false });
    world.order(&Command::Blind { players, white_board: None });
    world.play(hands);
    let mut alerts = world.alerts();
    alerts.retain(|kind| *kind != AlertKind::AnnouncementMismatch);
    alerts
}

#[test]
fn an_assistants_hands_accuse_nobody_and_a_sighted_players_do() {
    for (hands, what) in HANDS {
        assert_eq!(told(Blind::White, hands), [], "{what}");
        assert_eq!(told(Blind::Black, hands), told(Blind::None, hands), "{what}");
    }
    let accused = HANDS.map(|(hands, _)| told(Blind::None, hands)).concat();
    assert!(accused.contains(&AlertKind::TouchMoveSuspect) && accused.contains(&AlertKind::ReleasedPieceMoved));
    assert!(accused.contains(&AlertKind::TouchOutOfTurn), "{accused:?}");
}

#[test]
fn king_and_rook_in_an_assistants_two_hands_are_not_the_blind_players() {
    let castling = "0.4 lift e1\n0.6 lift h1\n1 place K g1\n1.4 place R f1\n2 press\n4 still";
    let alerts = |players| {
        let mut world = World::from_fen("r3k2r/pppp1ppp/8/8/8/8/PPPP1PPP/R3K2R w KQkq - 0 1");
        world.order(&Command::Blind { players, white_board: None });
        world.order(&Command::Announce { side: Side::White, text: "kurze Rochade".to_owned(), play: false });
        world.play(castling);
        world.alerts()
    };
    assert_eq!(alerts(Blind::None), [AlertKind::TwoHandsSuspect]);
    assert_eq!(alerts(Blind::White), []);
}

#[test]
fn what_the_arbiter_has_seen_is_reported_all_the_same() {
    let mut world = World::at_start();
    world.order(&Command::Blind { players: Blind::White, white_board: None });
    world.order(&Command::Report { kind: AlertKind::TouchMoveSuspect, side: Some(Side::White) });
    assert_eq!(world.alerts(), [AlertKind::TouchMoveSuspect]);
}

#[test]
fn on_a_blind_players_own_board_the_pegs_tell() {
    let mut world = World::at_start();
    let rules = Rules { pegs: true, blind: Blind::White, ..Rules::default() };
    world.order(&Command::Rules { rules: Box::new(rules) });
    world.play(HANDS[0].0);
    assert!(world.alerts().contains(&AlertKind::TouchMoveSuspect));
}

#[test]
fn a_slip_that_is_corrected_before_the_press_is_none() {
    let mut world = World::at_start();
    world.order(&Command::Blind { players: Blind::White, white_board: None });
    world.play("0.4 lift g1\n0.8 place N f3\n1 still");
    world.order(&Command::Announce {
        side: Side::White,
        text: "Springer Gustav eins, Hector drei".to_owned(),
        play: false,
    });
    world.order(&Command::Announce {
        side: Side::White,
        text: "knight Gustav one, Felix three".to_owned(),
        play: false,
    });
    world.play("0.4 press\n2 still");
    assert_eq!(world.alerts(), []);
}

#[test]
fn a_voice_is_given_and_taken_and_reads_squares_only_if_the_arbiter_allows_it() {
    let mut world = World::at_start();
    let ask = |request| Command::Ask { side: Side::Black, request };
    let give = |earphone: Option<Earphone>| Command::Voice { side: Side::Black, earphone: earphone.map(Box::new) };
    assert!(world.refuse(&ask(Request::LastMove)).contains("give the player a voice first"));
    world.order(&give(Some(Earphone::default())));
    world.order(&ask(Request::LastMove));
    assert!(world.refuse(&ask(Request::Men(Man::Knight))).contains("when the arbiter allows it"));
    world.order(&give(Some(Earphone { readings: true, ..Earphone::default() })));
    world.order(&ask(Request::Men(Man::Knight)));
    assert!(world.refuse(&ask(Request::File('i'))).contains("from a to h"));
    assert!(world.refuse(&Command::Ask { side: Side::White, request: Request::LastMove }).contains("voice first"));
    for (wrong, sentence) in [
        (Earphone { language: "fr".to_owned(), ..Earphone::default() }, "write one of fide-de, en, es"),
        (Earphone { rate: 900, ..Earphone::default() }, "write 80 to 450"),
    ] {
        assert!(world.refuse(&give(Some(wrong))).contains(sentence));
    }
    world.order(&give(None));
    assert!(world.refuse(&ask(Request::LastMove)).contains("voice first"));
    let asked = |entry: &&Entry| matches!(entry, Entry::Voice { news: VoiceNews::Asked { .. }, .. });
    assert_eq!(world.entries().filter(asked).count(), 2, "what was refused was not asked");
}

#[test]
fn who_cannot_be_heard_is_told_to_the_arbiter_and_each_word_is_not() {
    let alerts = |states: &[SpokenState]| {
        let mut world = World::at_start();
        for state in states {
            let spoken = Spoken { of: 5, nth: 0, text: String::new(), state: *state, trouble: None };
            let mut said = Vec::new();
            world.table.note_spoken(Side::Black, &spoken, 20_000, &mut said);
            world.said.extend(said);
        }
        world.alerts()
    };
    let lost = [SpokenState::Begun, SpokenState::Silent, SpokenState::Begun, SpokenState::Back];
    assert_eq!(alerts(&lost), [AlertKind::VoiceLost, AlertKind::VoiceRestored]);
    assert_eq!(alerts(&[SpokenState::Begun, SpokenState::Cut, SpokenState::Ended]), []);
}
