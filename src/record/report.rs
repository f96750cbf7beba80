//! The report file of an event, as it was imported, with the results of its games.

use std::collections::BTreeSet;

use laws::result::GameResult;
use pairings::{text, trf::Trf};
use protocol::feed::{Player, ReportFile};

use super::{book::Games, sheet::Meeting};

/// So many results that a file has otherwise are named one by one; more of them are another file than was meant.
const NAMED: usize = 8;

/// A report file with its results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// In the letters it came in.
    pub bytes: Vec<u8>,
    /// Which results have no place in it, in sentences.
    pub left_out: Vec<String>,
}

impl Games {
    /// The report file of an event with the results of all rounds it knows; `None` where no pairings came from one.
    pub fn report(&self, event: &str) -> Option<Report> {
        let mut file = read(self.file(event)?)?;
        let mut rounds = BTreeSet::new();
        let mut left_out =
            self.meetings(event).flat_map(|meeting| without_byes(&mut file, &meeting)).collect::<Vec<_>>();
        for (meeting, result) in self.decided(event) {
            let round = meeting.round;
            if numbers(&file, &meeting).is_some_and(|[white, black]| file.record(round, white, black, result)) {
                continue;
            }
            if file.has_pairs(round) {
                left_out
                    .push(format!("{} is left out: they do not meet in the file that was imported", said(&meeting)));
            } else {
                rounds.insert(round);
            }
        }
        if !rounds.is_empty() {
            left_out.insert(0, without_pairs(&rounds));
        }
        Some(Report { bytes: file.to_bytes(), left_out })
    }

    /// What a report file says otherwise than the games of its event do, in sentences.
    pub fn contradictions(&self, event: &str, file: &ReportFile) -> Vec<String> {
        let Some(file) = read(file) else { return Vec::new() };
        let found = self.decided(event).filter_map(|(meeting, result)| contradiction(&file, &meeting, result));
        let mut found = found.collect::<Vec<_>>();
        let more = found.len().saturating_sub(NAMED);
        if more > 0 {
            found.truncate(NAMED);
            found.push(format!("and {more} more are otherwise in the file: is it that of this event?"));
        }
        found
    }

    fn decided(&self, event: &str) -> impl Iterator<Item = (Meeting, GameResult)> {
        let result = |meeting: &Meeting| meeting.score.to_string().parse::<GameResult>().ok();
        self.meetings(event).filter_map(move |meeting| result(&meeting).map(|result| (meeting, result)))
    }
}

fn read(ReportFile { text, encoding }: &ReportFile) -> Option<Trf> {
    Trf::read_text(text, text::Encoding::named(encoding)).ok()
}

/// Whoever has a bye in the file and somebody to play all the same has it no more, in sentences.
fn without_byes(file: &mut Trf, Meeting { round, white, black, .. }: &Meeting) -> Vec<String> {
    let mut take = |player: &Player| {
        let number = number_of(file, player)?;
        let is_taken = file.take_bye(*round, number);
        is_taken.then(|| format!("round {round}, the bye of {} is left out: they have somebody to play", player.name))
    };
    [white, black].into_iter().filter_map(&mut take).collect()
}

/// The start numbers of both. A name that was mended may have come without its number: then it is that of whom the other
/// one meets in the file.
fn numbers(file: &Trf, Meeting { round, white, black, .. }: &Meeting) -> Option<[u32; 2]> {
    let known = |player: &Player| number_of(file, player);
    let across = |other: Option<u32>, player: &Player| {
        file.opponent_of(*round, other?).filter(|number| may_be(file, *number, player))
    };
    let (at_white, at_black) = (known(white), known(black));
    Some([at_white.or_else(|| across(at_black, white))?, at_black.or_else(|| across(at_white, black))?])
}

/// The start number a player has, if that is their line.
fn number_of(file: &Trf, player: &Player) -> Option<u32> {
    let number = player.number.or_else(|| file.number_of(&player.name))?;
    may_be(file, number, player).then_some(number)
}

/// Another name and another FIDE number are another person: who plays in place of somebody else has no line in the file.
fn may_be(file: &Trf, number: u32, player: &Player) -> bool {
    let Some(person) = file.person(number) else { return false };
    let given = |fide_id: Option<u32>| fide_id.filter(|id| *id > 0);
    let differ = given(person.fide_id).zip(given(player.fide_id)).is_some_and(|(one, other)| one != other);
    !differ || person.name == player.name
}

fn contradiction(file: &Trf, meeting: &Meeting, result: GameResult) -> Option<String> {
    let [white, black] = numbers(file, meeting)?;
    let across = file.opponent_of(meeting.round, white).or_else(|| file.opponent_of(meeting.round, black))?;
    if across != black && across != white {
        return Some(format!("{}, and the file has them play others", said(meeting)));
    }
    let other = file.outcome(meeting.round, white, black).filter(|other| *other != result)?;
    Some(format!("{}, and the file says {other}: the report will have what is here", said(meeting)))
}

fn said(Meeting { round, white, black, score }: &Meeting) -> String {
    format!("round {round}, {} – {} {score}", white.name, black.name)
}

fn without_pairs(rounds: &BTreeSet<u16>) -> String {
    let (word, is) = if rounds.len() == 1 { ("round", "is") } else { ("rounds", "are") };
    let listed = rounds.iter().map(u16::to_string).collect::<Vec<_>>().join(", ");
    format!(
        "{word} {listed} {is} left out: nobody is paired there in the report file that was imported; take in a later one of \
         the pairing program with `escaque pair`, and export again"
    )
}

#[cfg(test)]
mod tests {
    use protocol::feed::{Command, Entry, GameResult, ResultReason, TableEvent, TableId};

    use super::*;

    /// Two players, who have met in the first round.
    const FILE: &str = "012 Open\n\
        001    1      Ada                               2000                             1.0    1     2 w 1\n\
        001    2      Bela                              1900                             0.0    2     1 b 0\n";

    #[test]
    fn rounds_and_games_that_the_file_has_no_place_for_are_named() {
        let mut games = imported();
        play(&mut games, 1, ["Ada", "Bela"], GameResult::WhiteWins);
        let left_out = |games: &Games| games.report("open").expect("it was imported").left_out;
        assert_eq!(left_out(&games), Vec::<String>::new());
        play(&mut games, 2, ["Bela", "Ada"], GameResult::Draw);
        play(&mut games, 3, ["Ada", "Bela"], GameResult::Open);
        assert_eq!(
            left_out(&games),
            [
                "round 2 is left out: nobody is paired there in the report file that was imported; take in a later one of \
                 the pairing program with `escaque pair`, and export again"
            ]
        );
        play(&mut games, 1, ["Dora", "Cleo"], GameResult::Draw);
        assert_eq!(
            left_out(&games)[1],
            "round 1, Dora – Cleo 1/2-1/2 is left out: they do not meet in the file that was imported"
        );
    }

    #[test]
    fn a_substitute_who_is_not_in_the_file_is_left_out_and_a_name_that_was_mended_is_not() {
        let line = |number: u8, name: &str, fide_id: &str, points: &str, block: &str| {
            format!("001{number:>5}      {name:<33}{:>10}{fide_id:>11}{points:>16}{number:>5}  {block}\n", "")
        };
        let file = line(1, "Ada", "", "1.0", "   2 w 1") + &line(2, "Bela", "2200007", "0.0", "   1 b 0");
        let mut games = Games::default();
        games.note(&list(1, file));
        let fide = |games: &mut Games, name: &str, fide_id: Option<u32>| {
            let black = Player { name: name.to_owned(), fide_id, ..Player::default() };
            let white = Player { name: "Ada".to_owned(), ..Player::default() };
            meet(games, 1, [white, black], GameResult::Draw);
            games.report("open").expect("it was imported").left_out
        };
        assert_eq!(fide(&mut games, "Béla", None), [""; 0]);
        assert_eq!(fide(&mut games, "Béla", Some(2_200_007)), [""; 0]);
        assert_eq!(fide(&mut games, "Bela", Some(2_200_008)), [""; 0], "a number that was wrong");
        assert_eq!(
            fide(&mut games, "Zimmer, Kai", Some(999)),
            ["round 1, Ada – Zimmer, Kai 1/2-1/2 is left out: they do not meet in the file that was imported"]
        );
        let report = games.report("open").expect("it was imported");
        assert!(
            String::from_utf8(report.bytes).expect("UTF-8").contains("1 b 0"),
            "the absent player's line is as it was"
        );
    }

    #[test]
    fn who_has_a_bye_in_the_file_and_plays_all_the_same_has_it_no_more() {
        let mut games = Games::default();
        let line = |number: u8, name: &str, points: &str, block: &str| {
            format!("001{number:>5}      {name:<33}{points:>37}{number:>5}  {block}\n")
        };
        let text = line(1, "Ada", "0.0", "   2 w  ") + &line(2, "Bela", "0.0", "   1 b  ");
        let text = text + &line(3, "Cleo", "0.5", "0000 - H");
        games.note(&list(1, text));
        play(&mut games, 1, ["Ada", "Cleo"], GameResult::WhiteWins);
        let Report { bytes, left_out } = games.report("open").expect("it was imported");
        assert_eq!(
            left_out,
            [
                "round 1, the bye of Cleo is left out: they have somebody to play",
                "round 1, Ada – Cleo 1-0 is left out: they do not meet in the file that was imported"
            ]
        );
        let written = String::from_utf8(bytes).expect("UTF-8");
        let cleo = written.lines().last().expect("three lines").trim_end();
        assert!(cleo.ends_with("0.0    3"), "{cleo}");
    }

    #[test]
    fn a_file_that_has_a_game_otherwise_says_so() {
        let mut games = imported();
        let said = |games: &Games, text: &str| {
            games.contradictions("open", &ReportFile { text: text.to_owned(), encoding: "UTF-8".to_owned() })
        };
        assert_eq!(said(&games, FILE), Vec::<String>::new(), "nothing is known of it here");
        play(&mut games, 1, ["Ada", "Bela"], GameResult::Draw);
        assert_eq!(
            said(&games, FILE),
            ["round 1, Ada – Bela 1/2-1/2, and the file says white wins: the report will have what is here"]
        );
        let open = FILE.replace("2 w 1", "2 w").replace("1 b 0", "1 b");
        assert_eq!(said(&games, &open), Vec::<String>::new(), "it is older, and not wrong");
        let drawn = FILE.replace("2 w 1", "2 w =").replace("1 b 0", "1 b =");
        assert_eq!(said(&games, &drawn), Vec::<String>::new());
    }

    fn imported() -> Games {
        let mut games = Games::default();
        games.note(&list(1, FILE.to_owned()));
        games
    }

    fn list(round: u16, text: String) -> Command {
        let file = Some(Box::new(ReportFile { text, encoding: "UTF-8".to_owned() }));
        let (event, pairings) = ("open".to_owned(), Vec::new());
        Command::Pairings { event, round, title: None, site: None, pairings, byes: Vec::new(), file }
    }

    fn play(games: &mut Games, round: u16, players: [&str; 2], result: GameResult) {
        meet(games, round, players.map(|name| Player { name: name.to_owned(), ..Player::default() }), result);
    }

    fn meet(games: &mut Games, round: u16, players: [Player; 2], result: GameResult) {
        let [white, black] = players;
        let table = TableId { event: "open".to_owned(), round, table: if black.name == "Cleo" { 2 } else { 1 } };
        for entry in [
            Entry::Paired { white, black, time_control: None },
            Entry::Result { result, reason: ResultReason::Arbiter, score: None },
        ] {
            games.apply(&TableEvent { table: Some(table.clone()), t: 0, event: entry.into() });
        }
    }
}
