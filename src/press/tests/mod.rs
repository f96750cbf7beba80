//! Whole rounds told to a receiver that can't take moves back, without a socket and without a clock.

mod answers;
mod hour;
mod kings;
mod receiver;
mod shelf;

use std::{collections::BTreeSet, sync::Arc};

use proptest::{prelude::*, sample::Index};
use protocol::feed::{Correction, Entry, GameResult, Player, ResultReason, Score, TableEvent, TableId, Variant};

use self::receiver::Receiver;
use super::{
    kept::Kept,
    lichess::{self, Meaning},
    outbox::{Outbox, Step},
    settling::{Settling, key_of},
};
use crate::record::{Games, Manner, Slip};

const WAIT_MS: u64 = 5000;
const LINE: [&str; 12] = ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Ba4", "Nf6", "O-O", "Be7", "Re1", "b5"];
/// What is played instead where somebody errs, a ply each.
const ERRORS: [&str; 12] = ["d4", "d5", "Nc3", "Nf6", "Bc4", "h6", "Bc4", "h6", "d3", "h6", "d3", "h6"];

/// One hall, one target, one receiver, and a time that somebody sets.
struct Round {
    event: String,
    games: Games,
    settling: Settling,
    outbox: Outbox,
    receiver: Receiver,
    folder: tempfile::TempDir,
    kept: Kept,
    /// Tables that are not on air.
    hidden: BTreeSet<u16>,
    /// There is no network.
    is_cut_off: bool,
    /// It wants everything that was played at a table.
    second_game: bool,
    now: u64,
}

impl Round {
    fn begin(tables: u16) -> Round {
        Round::begin_at("open", tables)
    }

    fn begin_at(event: &str, tables: u16) -> Round {
        let folder = tempfile::tempdir().expect("a folder");
        let (kept, settling, outbox, _) = Kept::open(folder.path(), "open", 1);
        let mut games = Games::default();
        games.open_round(event, 1, "Open", "Wien", "2026.11.22");
        let mut round = Round {
            event: event.to_owned(),
            games,
            settling,
            outbox,
            receiver: Receiver::default(),
            folder,
            kept,
            hidden: BTreeSet::new(),
            is_cut_off: false,
            second_game: false,
            now: 0,
        };
        for table in 1..=tables {
            round.pair(table, &format!("White, {table:02}"));
            round.begin_game(table, 1);
        }
        round
    }

    fn at(&self, table: u16) -> TableId {
        TableId { event: self.event.clone(), round: 1, table }
    }

    fn begin_game(&mut self, table: u16, game: u32) {
        let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".to_owned();
        self.say(table, Entry::Started { game, fen, variant: Variant::Standard });
    }

    fn say(&mut self, table: u16, entry: Entry) {
        let table = Some(self.at(table));
        self.games.apply(&TableEvent { table, t: self.now, event: entry.into() });
    }

    fn pair(&mut self, table: u16, white: &str) {
        let [white, black] =
            [white.to_owned(), format!("Black, {table:02}")].map(|name| Box::new(Player { name, ..Player::default() }));
        self.say(table, Entry::Paired { white: *white, black: *black, time_control: None });
    }

    fn play(&mut self, table: u16, san: &str) {
        let ply = self.games.plies(&self.at(table)) + 1;
        self.say(table, a_final(ply, san, false));
    }

    fn correct(&mut self, table: u16, from_ply: usize, new: &[&str]) {
        let old = self.line(table).split_off(from_ply - 1);
        let new = new.iter().map(|san| (*san).to_owned()).collect();
        self.say(table, Entry::Corrected { from_ply, old, new, reason: Correction::Arbiter });
    }

    /// The only move of table 1 is taken back, and nobody says what became of the reset.
    fn reset_in_doubt(&mut self, is_emptied: bool) {
        self.correct(1, 1, &[]);
        self.pass(5);
        if is_emptied {
            self.receiver.fail_after()
        } else {
            self.receiver.fail_before()
        }
        self.pass(1);
    }

    fn end(&mut self, table: u16, result: GameResult) {
        self.say(table, Entry::Result { result, reason: ResultReason::Arbiter, score: None });
    }

    fn line(&self, table: u16) -> Vec<String> {
        let slips = self.games.slips(&self.at(table));
        slips
            .iter()
            .rfind(|slip| slip.part() == 1)
            .map(|slip| slip.moves().map(|(san, ..)| san.to_owned()).collect())
            .unwrap_or_default()
    }

    /// What the receiver has, in order.
    fn ids(&self) -> Vec<&str> {
        let mut ids = self.receiver.games().map(|game| game.id.as_str()).collect::<Vec<_>>();
        ids.sort_unstable();
        ids
    }

    fn slips(&self) -> Vec<Arc<Slip>> {
        let tables = self.games.tables_of(&self.event, 1);
        let tables = tables.iter().filter(|table| !self.hidden.contains(&table.table)).collect::<Vec<_>>();
        let slips = tables.iter().flat_map(|table| self.games.slips(table));
        slips.filter(|slip| self.second_game || slip.counts()).map(Arc::new).collect()
    }

    /// One visit at the receiver. False where nothing was due, or it came to nothing.
    fn visit(&mut self) -> bool {
        let slips = self.slips();
        let look = |slip: &Arc<Slip>| (Arc::clone(slip), self.settling.look(slip, self.now, WAIT_MS));
        let games = slips.iter().map(look).collect::<Vec<_>>();
        self.settling.rest_all_but(slips.iter().map(|slip| key_of(slip)).collect());
        let step = self.outbox.next(&games, &self.hidden, self.now);
        let done = match step {
            Step::Rest => {
                self.outbox.note_rest();
                false
            }
            Step::Reset => {
                self.outbox.note_emptying();
                self.keep();
                let is_empty = self.receiver.reset() == Some(200);
                if is_empty {
                    self.outbox.note_reset(self.now);
                }
                is_empty
            }
            Step::Send(push) => {
                self.outbox.note_sent(&push.parts);
                self.keep();
                if self.is_cut_off {
                    self.outbox.note_unsent(&push.parts);
                    self.keep();
                    return false;
                }
                let Some((status, body)) = self.receiver.push(&push.parcel.text()) else { return false };
                match lichess::read(&push.parts, status, &body) {
                    Meaning::Taken(receptions) => self.outbox.note_answer(&push.parts, receptions),
                    Meaning::Refused(sentence) => self.outbox.note_refusal(&push.parts, &sentence),
                    Meaning::Later { .. } | Meaning::Shut(_) => return false,
                }
                true
            }
        };
        self.keep();
        done
    }

    /// Lets time pass, with a visit each second and as many more as are due.
    fn pass(&mut self, seconds: u64) {
        for _ in 0..seconds {
            self.now += 1000;
            for _ in 0..200 {
                if !self.visit() {
                    break;
                }
            }
        }
    }

    fn keep(&mut self) {
        use super::pages::Pages;
        self.kept.keep(&self.settling, &self.outbox, &Pages::default()).expect("the folder is writable");
    }

    /// Killed and started again, with what is on disk.
    fn restart(&mut self) {
        let (kept, settling, outbox, _) = Kept::open(self.folder.path(), "open", 1);
        (self.kept, self.settling, self.outbox) = (kept, settling, outbox);
    }

    /// What should be there: every game once, as far as it is legal, with its result, and nothing beside it.
    fn assert_told(&self) {
        let there = self
            .receiver
            .games()
            .map(|game| (game.id.clone(), game.white.clone(), game.line.join(" "), game.result.clone()));
        let slips = self.slips();
        let expected = slips.iter().map(|slip| {
            let line = slip.moves().map(|(san, ..)| san).collect::<Vec<_>>().join(" ");
            (slip.id(), slip.players()[0].to_owned(), line, slip.result().to_owned())
        });
        assert_eq!(there.collect::<BTreeSet<_>>(), expected.collect::<BTreeSet<_>>());
        assert_eq!(self.receiver.games().count(), slips.len());
        assert_eq!(self.receiver.games().map(|game| game.side_lines).sum::<usize>(), 0);
    }
}

fn a_final(ply: usize, san: &str, illegal: bool) -> Entry {
    let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".to_owned();
    let (san, uci) = (san.to_owned(), String::new());
    Entry::Final { ply, san, uci, fen, clock_ms: Some(5_000_000), inferred: false, illegal }
}

#[test]
fn a_round_of_forty_boards_with_all_that_goes_wrong_ends_with_the_right_games_and_no_side_line() {
    let mut round = Round::begin(40);
    round.pass(6);
    for (at, san) in LINE.iter().enumerate() {
        for table in 1..=40 {
            // One error is noticed before it leaves, at six tables, and one a minute later.
            let errs = at == 4 && table % 7 == 3 || at == 8 && table == 12;
            round.play(table, if errs { ERRORS[at] } else { san });
        }
        round.pass(2);
        match at {
            2 => round.receiver.fail_before(),
            4 => (1..=40).filter(|table| table % 7 == 3).for_each(|table| round.correct(table, 5, &["Bb5"])),
            5 => round.receiver.fail_after(),
            6 => {
                round.pair(11, "Right, Name");
                round.pair(21, "Other, Name");
            }
            7 => round.restart(),
            8 => {
                round.pass(60);
                round.correct(12, 9, &["O-O"]);
            }
            _ => {}
        }
        if at == 9 {
            round.say(13, a_final(11, "Nxh8", true));
        }
    }
    for table in 1..=40 {
        round.end(table, [GameResult::WhiteWins, GameResult::Draw][usize::from(table % 2)]);
    }
    round.pass(120);
    round.assert_told();
    assert_eq!(round.line(13).len(), 10, "up to the move that was not legal");
    assert_eq!(round.receiver.resets, 1, "for the error that was noticed a minute later");
}

#[test]
fn a_ply_leaves_when_the_next_is_final_or_when_it_has_stood() {
    let mut round = Round::begin(1);
    round.pass(6);
    round.play(1, "e4");
    round.pass(4);
    let line = |round: &Round| round.receiver.games().next().expect("it is known").line.join(" ");
    assert_eq!(line(&round), "");
    round.play(1, "e5");
    round.pass(1);
    assert_eq!(line(&round), "e4");
    round.pass(5);
    assert_eq!(line(&round), "e4 e5");
    round.play(1, "Nf3");
    round.pass(2);
    round.correct(1, 3, &["d4"]);
    round.pass(3);
    assert_eq!(line(&round), "e4 e5", "what was corrected in time was never there");
    round.end(1, GameResult::Draw);
    round.pass(6);
    assert_eq!(line(&round), "e4 e5 d4");
    round.assert_told();
    assert_eq!(round.receiver.resets, 0);
}

#[test]
fn what_may_have_arrived_is_remembered_over_a_kill() {
    let mut round = Round::begin(1);
    round.pass(6);
    round.play(1, "e4");
    round.play(1, "d5");
    round.pass(4);
    // It arrives, nobody says so, and the daemon is killed before it knows more.
    round.now += 3000;
    round.receiver.fail_after();
    round.visit();
    round.restart();
    round.correct(1, 2, &["e5"]);
    round.pass(20);
    round.assert_told();
    assert_eq!(round.receiver.resets, 1);
}

#[test]
fn a_round_that_may_have_been_emptied_is_told_again_though_the_correction_is_taken_back() {
    for (is_emptied, is_killed) in [(true, false), (true, true), (false, false), (false, true)] {
        let mut round = Round::begin(2);
        round.play(1, "e4");
        round.play(2, "d4");
        round.pass(8);
        // Before the reset is repeated the move stands again.
        round.reset_in_doubt(is_emptied);
        assert_eq!(round.receiver.resets, usize::from(is_emptied));
        let has_arrived = |round: &Round| round.outbox.games().filter(|(_, entry)| entry.taken().is_some()).count();
        assert_eq!(has_arrived(&round), 0, "nobody knows what is there");
        if is_killed {
            round.restart();
        }
        round.play(1, "e4");
        round.pass(8);
        round.assert_told();
        assert_eq!((has_arrived(&round), round.receiver.resets), (2, usize::from(is_emptied)));
    }
}

#[test]
fn a_game_with_a_refused_move_keeps_what_was_taken_of_it_whatever_became_of_a_reset() {
    for is_emptied in [true, false] {
        let mut round = Round::begin(2);
        (1..=2).for_each(|table| round.play(table, "e4"));
        round.pass(8);
        round.receiver.poison = Some("d5".to_owned());
        round.play(2, "d5");
        round.end(2, GameResult::WhiteWins);
        round.pass(8);
        round.reset_in_doubt(is_emptied);
        round.play(1, "e4");
        round.pass(8);
        let told = round.receiver.games().find(|game| game.id == "open/1/2");
        let told = told.map(|game| (game.line.join(" "), game.result.as_str(), game.side_lines));
        assert_eq!(told, Some(("e4".to_owned(), "1-0", 0)));
    }
}

#[test]
fn what_never_left_is_corrected_without_a_trace() {
    let mut round = Round::begin(1);
    round.play(1, "e4");
    round.pass(8);
    round.is_cut_off = true;
    round.play(1, "d5");
    round.pass(60);
    round.correct(1, 2, &["e5"]);
    round.pass(60);
    round.is_cut_off = false;
    round.pass(8);
    round.assert_told();
    assert_eq!(round.receiver.resets, 0);
}

#[test]
fn a_game_without_moves_has_arrived_when_the_receiver_says_so_and_not_before() {
    let mut round = Round::begin(1);
    let taken = |round: &Round| round.outbox.games().next().map(|(_, entry)| entry.taken().is_some());
    round.is_cut_off = true;
    round.pass(8);
    assert_eq!(taken(&round), Some(false), "nobody was there");
    round.is_cut_off = false;
    round.pass(1);
    assert_eq!(taken(&round), Some(true));
}

#[test]
fn while_a_correction_waits_for_its_turn_all_others_go_on() {
    let mut round = Round::begin(2);
    for (played, right) in [("d4", "e4"), ("d5", "e5")] {
        round.play(1, played);
        round.pass(8);
        let ply = round.line(1).len();
        round.correct(1, ply, &[right]);
        round.pass(8);
    }
    assert_eq!(round.receiver.resets, 1, "one in half a minute");
    round.play(2, "c4");
    round.pass(8);
    assert!(round.receiver.games().any(|game| game.line == ["c4"]), "nobody waits for table 1");
    round.pass(30);
    round.assert_told();
    assert_eq!(round.receiver.resets, 2);
}

#[test]
fn a_table_that_is_taken_off_the_air_is_taken_away_there() {
    let mut round = Round::begin(2);
    round.play(1, "e4");
    round.play(2, "d4");
    round.pass(8);
    round.hidden.insert(2);
    round.pass(8);
    assert_eq!((round.ids(), round.receiver.resets), (vec!["open/1/1"], 1));
}

#[test]
fn a_game_that_is_refused_holds_no_other_back_and_its_result_arrives() {
    let mut round = Round::begin(3);
    for san in &LINE[..4] {
        (1..=3).for_each(|table| round.play(table, san));
    }
    round.pass(8);
    round.receiver.poison = Some("Bb5".to_owned());
    round.play(1, "d4");
    round.play(2, "Bb5");
    round.play(3, "Bc4");
    round.pass(8);
    (1..=3).for_each(|table| round.end(table, GameResult::BlackWins));
    round.pass(70);
    let told =
        |id: &str| round.receiver.games().find(|game| game.id == id).map(|game| (game.line.len(), game.result.clone()));
    assert_eq!(told("open/1/1"), Some((5, "0-1".to_owned())));
    assert_eq!(told("open/1/2"), Some((4, "0-1".to_owned())), "the moves that were taken before, and the result");
    assert_eq!(told("open/1/3"), Some((5, "0-1".to_owned())));
    // The same where the whole push is refused for one of its games.
    round.receiver.refuses_whole = true;
    round.pair(1, "Other, Name");
    round.pair(2, "Other, Name");
    round.pass(70);
    assert!(round.receiver.games().any(|game| game.id == "open/1/1" && game.white == "Other, Name"));
}

#[test]
fn what_follows_a_move_that_was_not_legal_is_a_game_of_its_own_for_those_who_want_it() {
    let mut round = Round::begin(1);
    round.second_game = true;
    round.play(1, "e4");
    let mut illegal = a_final(2, "Nxh8", true);
    if let Entry::Final { fen, .. } = &mut illegal {
        *fen = "rnbqkb1n/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR w KQq - 0 2".to_owned();
    }
    round.say(1, illegal);
    round.pass(12);
    assert_eq!(round.receiver.games().count(), 1, "nothing was played there yet");
    round.play(1, "d4");
    round.play(1, "d5");
    let slips = round.slips();
    let [first, second] = &slips[..] else { panic!("{slips:?}") };
    assert_eq!(first.cut().map(|cut| (cut.san.as_str(), cut.after)), Some(("Nxh8", 2)));
    let text = second.pgn(second.plies(), "*", Manner::Plain);
    for line in [
        "[Round \"1.1.1.2\"]",
        "[SetUp \"1\"]",
        "[FEN \"rnbqkb1n/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR w KQq - 0 2\"]",
        "[GameId \"open/1/1+2\"]",
        "{What followed Nxh8, which is not legal and stands.} 2. d4",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
    round.end(1, GameResult::WhiteWins);
    round.pass(12);
    round.assert_told();
    let results = round.receiver.games().map(|game| game.result.clone()).collect::<Vec<_>>();
    assert_eq!(results, ["1-0", "1-0"]);
    round.restart();
    // It was another move after all, and what followed it goes where it belongs.
    round.correct(1, 2, &["e5", "d4", "d5"]);
    round.pass(60);
    round.assert_told();
    assert_eq!(round.receiver.games().count(), 1);
}

#[test]
fn who_has_no_name_is_not_sent() {
    let mut round = Round::begin(2);
    round.pair(2, "?");
    round.play(1, "e4");
    round.pass(12);
    assert_eq!(round.ids(), ["open/1/1"]);
    assert_eq!(round.receiver.dropped, 0, "nothing was sent that would be thrown away");
}

#[test]
fn that_both_lost_is_a_result_and_never_castling() {
    let mut round = Round::begin(2);
    for table in [1, 2] {
        for san in ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6"] {
            round.play(table, san);
        }
    }
    for (table, score) in [(1, Score::BothLost), (2, Score::WhiteHalf)] {
        round.say(table, Entry::Result { result: GameResult::Open, reason: ResultReason::Arbiter, score: Some(score) });
    }
    round.pass(12);
    round.assert_told();
    let results = round.receiver.games().map(|game| game.result.as_str()).collect::<Vec<_>>();
    assert_eq!(results, ["0-0", "1/2-0"]);
}

#[test]
fn a_board_is_one_game_whatever_is_played_on_it_when_its_result_stands() {
    let mut round = Round::begin(2);
    round.play(1, "e4");
    for (table, reason) in [(1, ResultReason::Arbiter), (2, ResultReason::Checkmate)] {
        round.say(table, Entry::Result { result: GameResult::WhiteWins, reason, score: None });
        round.begin_game(table, 2);
        round.play(table, "d4");
        round.play(table, "d5");
    }
    round.pass(12);
    assert_eq!(round.ids(), ["open/1/1", "open/1/2"]);
    round.assert_told();
    let results = round.receiver.games().map(|game| game.result.as_str()).collect::<Vec<_>>();
    assert_eq!((results, round.receiver.resets), (vec!["1-0", "1-0"], 0));
    // Somebody says that it was the other game.
    round.end(2, GameResult::Draw);
    round.pass(12);
    assert_eq!((round.ids(), round.receiver.resets), (vec!["open/1/1", "open/1/2/2"], 1));
    round.assert_told();
}

#[test]
fn a_game_that_is_begun_anew_takes_its_boards_place_once_it_is_surely_played() {
    let mut round = Round::begin(2);
    round.play(1, "e4");
    round.play(1, "e5");
    round.pass(12);
    round.begin_game(1, 2);
    round.pass(12);
    assert_eq!((round.ids(), round.receiver.resets), (vec!["open/1/1", "open/1/2"], 0), "men were put up");
    round.play(1, "d4");
    round.pass(2);
    round.correct(1, 1, &[]);
    round.pass(12);
    assert_eq!((round.ids(), round.receiver.resets), (vec!["open/1/1", "open/1/2"], 0), "one of them slid");
    round.play(1, "c4");
    round.play(1, "e5");
    round.pass(12);
    assert_eq!((round.ids(), round.receiver.resets), (vec!["open/1/1/2", "open/1/2"], 1));
    round.assert_told();
}

#[test]
fn who_wants_everything_that_was_played_is_told_a_board_for_each_game() {
    let mut round = Round::begin(1);
    round.second_game = true;
    round.play(1, "e4");
    round.end(1, GameResult::WhiteWins);
    round.begin_game(1, 2);
    round.play(1, "d4");
    round.pass(12);
    assert_eq!(round.ids(), ["open/1/1", "open/1/1/2"]);
    round.assert_told();
}

/// What happens in a round that nobody has planned.
#[derive(Clone, Debug)]
enum Happening {
    Play(u16),
    Err(u16),
    TakeBack(u16, Index),
    Rename(u16),
    Over(u16),
    /// The men are put up again.
    Again(u16),
    FailBefore,
    FailAfter,
    Restart,
    Pass(u64),
}

fn happenings() -> impl Strategy<Value = Vec<Happening>> {
    use Happening::{Again, Err, FailAfter, FailBefore, Over, Pass, Play, Rename, Restart, TakeBack};
    let table = 1..=3u16;
    let one = prop_oneof![
        8 => table.clone().prop_map(Play),
        2 => table.clone().prop_map(Err),
        2 => (table.clone(), any::<Index>()).prop_map(|(table, at)| TakeBack(table, at)),
        1 => table.clone().prop_map(Rename),
        1 => table.clone().prop_map(Over),
        1 => table.prop_map(Again),
        1 => Just(FailBefore),
        1 => Just(FailAfter),
        1 => Just(Restart),
        6 => (1..9u64).prop_map(Pass),
    ];
    prop::collection::vec(one, 1..60)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn whatever_happens_the_receiver_has_the_right_games_in_the_end(happenings in happenings()) {
        let mut round = Round::begin(3);
        let mut begun = [1; 4];
        for happening in happenings {
            match happening {
                Happening::Play(table) => {
                    let ply = round.line(table).len();
                    if ply < LINE.len() && round.line(table).iter().zip(LINE).all(|(played, san)| played == san) {
                        round.play(table, LINE[ply]);
                    }
                }
                Happening::Err(table) => {
                    let ply = round.line(table).len();
                    if ply < LINE.len() && round.line(table).iter().zip(LINE).all(|(played, san)| played == san) {
                        round.play(table, ERRORS[ply]);
                    }
                }
                Happening::TakeBack(table, at) => {
                    let plies = round.line(table).len();
                    if plies > 0 {
                        round.correct(table, at.index(plies) + 1, &[]);
                    }
                }
                Happening::Rename(table) => { let now = round.now; round.pair(table, &format!("Renamed, {now}")) }
                Happening::Over(table) => round.end(table, GameResult::Draw),
                Happening::Again(table) => {
                    begun[usize::from(table)] += 1;
                    round.begin_game(table, begun[usize::from(table)]);
                }
                Happening::FailBefore => round.receiver.fail_before(),
                Happening::FailAfter => round.receiver.fail_after(),
                Happening::Restart => round.restart(),
                Happening::Pass(seconds) => round.pass(seconds),
            }
        }
        round.pass(120);
        round.assert_told();
    }
}
