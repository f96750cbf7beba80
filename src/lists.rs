//! Lists of pairings: a file of an organiser becomes the orders that take it in, whole or not at all.
//!
//! Pure. What the files say is read by the crate `pairings`; here it gets its event and its round.

use std::{collections::BTreeSet, fmt};

use pairings::{
    Faults, Form, Opponent, Page, Paper, Person, read_text,
    text::{Encoding, decode},
};
use protocol::feed::{Because, Bye, ByeKind, Command, Pairing, Player, ReportFile};

/// What was said beside the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Said {
    /// The event's name in addresses.
    pub event: Option<String>,
    /// The round: the one that is meant of several, or the one the file does not number.
    pub round: Option<u16>,
    /// In whose letters it is written, where the file itself leads to others.
    pub letters: Option<Page>,
}

/// A file that was understood.
#[derive(Clone, Debug, PartialEq)]
pub struct List {
    /// One order a round.
    pub orders: Vec<Command>,
    /// What looks odd.
    pub remarks: Vec<String>,
    /// In whose letters it was read, where that had to be guessed and is not usual.
    pub guessed: Option<Page>,
    /// The day of each round that it dates.
    days: Vec<(u16, String)>,
}

impl List {
    /// What to say of the file itself, where it may be another one than was meant, or in other letters.
    pub fn about_file(&self, today: &str) -> impl Iterator<Item = String> {
        self.bygone(today).chain(self.about_letters())
    }

    /// In whose letters it was read, for whoever sees names that nobody has.
    fn about_letters(&self) -> Option<String> {
        let page = self.guessed?.name();
        Some(format!("Read in the letters of {page}. If names look wrong, say which letters it has, as windows-1252."))
    }

    /// What to say of rounds that the file dates before `today`: as a rule it is the file of an earlier one.
    fn bygone(&self, today: &str) -> impl Iterator<Item = String> {
        let bygone = self.days.iter().filter(move |(_, day)| day.as_str() < today);
        bygone.map(move |(round, day)| {
            format!("the file dates round {round} {day}, and today is {today}: look whether it is the right file")
        })
    }

    /// The rounds it is about.
    pub fn rounds(&self) -> impl Iterator<Item = (&str, u16)> {
        self.orders.iter().filter_map(|order| {
            if let Command::Pairings { event, round, .. } = order { Some((event.as_str(), *round)) } else { None }
        })
    }
}

/// Why a file is no list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unread {
    /// Nobody says which event it is of.
    Event,
    /// It is of several.
    Events {
        /// What it calls two of them.
        titles: [String; 2],
        /// What the first would be called in addresses.
        first: String,
    },
    /// Nobody says which round it is of.
    Round,
    /// It is of others. Results of one round would come under another.
    OtherRounds {
        /// The one that is meant.
        wanted: u16,
        /// Those it has.
        has: Vec<u16>,
    },
    /// Lines of it can't be read.
    Lines(Faults),
    /// Nothing stands there to be taken in.
    Nothing(String),
}

impl Unread {
    /// The same as a word for pages, where they have one.
    pub fn because(&self) -> Option<Because> {
        Some(match self {
            Unread::Event => Because::WhichEvent,
            Unread::Round => Because::WhichRound,
            Unread::OtherRounds { wanted, has } => Because::OtherRounds { round: *wanted, rounds: has.clone() },
            Unread::Lines(faults) => {
                let lines = faults.0.iter().map(|fault| fault.line).collect::<BTreeSet<_>>();
                Because::UnreadableLines { lines: lines.into_iter().collect() }
            }
            Unread::Events { .. } | Unread::Nothing(_) => return None,
        })
    }
}

impl fmt::Display for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Unread::OtherRounds { wanted, has } => return write_other_rounds(f, *wanted, has),
            Unread::Lines(faults) => return f.write_str(faults.to_string().trim_end()),
            Unread::Events { titles: [one, other], first } => {
                return write!(
                    f,
                    "The file has games of {one} and of {other}: hand in each event by itself, or, if all of them are of one, \
                     give its name in addresses under Event, or with --event, as in --event {first}."
                );
            }
            Unread::Event => {
                "Which event? The file does not name it: give its name in addresses under Event, or with --event, as in \
                 --event open."
            }
            Unread::Round => {
                "Which round? The file does not number it: give it under Round, or with --round, as in --round 3."
            }
            Unread::Nothing(sentence) => sentence,
        })
    }
}

/// The longest name of an event in addresses.
const LONGEST: usize = 64;

/// Reads a file, or says line by line what can't be read.
pub fn read(bytes: &[u8], said: &Said) -> Result<List, Unread> {
    let (text, encoding) = decode(bytes, said.letters).map_err(|fault| Unread::Lines(fault.into()))?;
    let paper = read_text(&text, encoding).map_err(Unread::Lines)?;
    let guessed = match encoding {
        Encoding::Windows(page) if said.letters.is_none() && page != Page::Western => Some(page),
        Encoding::Windows(_) | Encoding::Utf8 { .. } | Encoding::Utf16 { .. } => None,
    };
    let event = said.event.clone().map_or_else(|| named(&paper), Ok)?;
    // With the first round it is there for all of them.
    let mut file =
        (paper.form == Form::Trf).then(|| Box::new(ReportFile { text, encoding: encoding.name().to_owned() }));
    let (mut orders, mut days) = (Vec::new(), Vec::new());
    for sheet in &paper.sheets {
        let round = sheet.round.or(said.round).ok_or(Unread::Round)?;
        if said.round.is_none_or(|wanted| wanted == round) {
            orders.push(order(&paper, sheet, &event, round, file.take()));
            days.extend(sheet.day.clone().map(|day| (round, day)));
        }
    }
    if orders.is_empty() {
        let has = paper.sheets.iter().filter_map(|sheet| sheet.round).collect::<Vec<_>>();
        if let Some(wanted) = said.round.filter(|_| !has.is_empty()) {
            return Err(Unread::OtherRounds { wanted, has });
        }
        let nothing = || "There are no pairings in this file.".to_owned();
        return Err(Unread::Nothing(paper.remarks.first().cloned().unwrap_or_else(nothing)));
    }
    Ok(List { orders, remarks: paper.remarks, guessed, days })
}

/// The event as the file names it, which has to name one.
fn named(paper: &Paper) -> Result<String, Unread> {
    let title = paper.title.as_ref().ok_or(Unread::Event)?;
    let first = address_of(title).ok_or(Unread::Event)?;
    let is_other = |other: &&String| address_of(other).is_some_and(|other| other != first);
    match paper.other_titles.iter().find(is_other) {
        Some(other) => Err(Unread::Events { titles: [title.clone(), other.clone()], first }),
        None => Ok(first),
    }
}

fn write_other_rounds(f: &mut fmt::Formatter<'_>, wanted: u16, has: &[u16]) -> fmt::Result {
    let rounds = has.iter().map(u16::to_string).collect::<Vec<_>>();
    let (has, which) = match &rounds[..] {
        [only] => (format!("round {only}"), "leave the round out to take that one in"),
        [before @ .., last] => {
            (format!("rounds {} and {last}", before.join(", ")), "give one of them, or none for all")
        }
        [] => ("no round".to_owned(), "leave the round out"),
    };
    write!(f, "The file has {has}, and not round {wanted}: {which}, or put its number right in the file.")
}

fn order(paper: &Paper, sheet: &pairings::Sheet, event: &str, round: u16, file: Option<Box<ReportFile>>) -> Command {
    let (mut pairings, mut byes) = (Vec::new(), Vec::new());
    for pair in &sheet.pairs {
        match &pair.black {
            Opponent::Player(black) => {
                pairings.push(Pairing { table: pair.table, white: player(&pair.white), black: player(black) });
            }
            Opponent::Nobody(kind) => byes.push(Bye { player: player(&pair.white), kind: bye(*kind) }),
        }
    }
    let (event, title, site) = (event.to_owned(), paper.title.clone(), paper.site.clone());
    Command::Pairings { event, round, title, site, pairings, byes, file }
}

fn player(person: &Person) -> Player {
    let Person { name, title, rating, federation, fide_id, team, number } = person.clone();
    Player { name, title, rating, federation, fide_id, team, number }
}

fn bye(kind: pairings::Bye) -> ByeKind {
    match kind {
        pairings::Bye::Allocated | pairings::Bye::Unsaid => ByeKind::Allocated,
        pairings::Bye::Half => ByeKind::Half,
        pairings::Bye::Full => ByeKind::Full,
        pairings::Bye::Zero => ByeKind::Zero,
    }
}

/// What an event of this name is called in addresses: small letters and digits, a dash between words.
fn address_of(title: &str) -> Option<String> {
    let mut name = String::new();
    for letter in title.to_lowercase().chars() {
        match letter {
            'a'..='z' | '0'..='9' => name.push(letter),
            'ä' | 'à' | 'á' | 'â' | 'å' => name.push('a'),
            'ö' | 'ò' | 'ó' | 'ô' | 'ø' => name.push('o'),
            'ü' | 'ù' | 'ú' | 'û' => name.push('u'),
            'é' | 'è' | 'ê' | 'ë' => name.push('e'),
            'í' | 'ì' | 'î' | 'ï' => name.push('i'),
            'ñ' => name.push('n'),
            'ç' => name.push('c'),
            'ß' => name.push_str("ss"),
            _ if name.is_empty() || name.ends_with('-') => {}
            _ => name.push('-'),
        }
    }
    name.truncate(LONGEST);
    let name = name.trim_end_matches('-');
    (!name.is_empty()).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const PGN: &str = "[Event \"Münchner Frühling 2026\"]\n[Round \"3.1\"]\n[White \"Carlsen, Magnus\"]\n[Black \"Caruana, \
                       Fabiano\"]\n[WhiteFideId \"1503014\"]\n\n*\n\n[Event \"Münchner Frühling 2026\"]\n[Round \
                       \"3.2\"]\n[White \"Polgár, Judit\"]\n[Black \"BYE\"]\n\n*\n";

    #[test]
    fn a_file_that_names_its_event_and_round_needs_nothing_beside_it() {
        let list = read(PGN.as_bytes(), &Said::default()).expect("a good file");
        let [Command::Pairings { event, round, pairings, byes, .. }] = &list.orders[..] else {
            panic!("one round: {list:?}");
        };
        assert_eq!((event.as_str(), *round, pairings.len(), byes.len()), ("munchner-fruhling-2026", 3, 1, 1));
        assert_eq!(pairings[0].white.fide_id, Some(1_503_014));
        assert_eq!(byes[0].player.name, "Polgár, Judit");
    }

    #[test]
    fn a_file_of_two_events_is_refused_with_both_unless_somebody_says_that_they_are_one() {
        let two = PGN.replacen("Münchner Frühling 2026", "Youth Open", 1);
        let refused = read(two.as_bytes(), &Said::default()).expect_err("which?");
        assert_eq!(
            refused.to_string(),
            "The file has games of Youth Open and of Münchner Frühling 2026: hand in each event by itself, or, if all of \
             them are of one, give its name in addresses under Event, or with --event, as in --event youth-open."
        );
        let said = Said { event: Some("open".into()), ..Said::default() };
        assert_eq!(read(two.as_bytes(), &said).expect("it is said").rounds().collect::<Vec<_>>(), [("open", 3)]);
        let one = PGN.replacen("Münchner Frühling 2026", "Münchner  frühling 2026", 1);
        assert!(read(one.as_bytes(), &Said::default()).is_ok(), "that is one name");
    }

    #[test]
    fn what_is_said_beside_the_file_counts_more() {
        let said = |round| Said { event: Some("open".into()), round: Some(round), letters: None };
        let list = read(PGN.as_bytes(), &said(3)).expect("a good file");
        let [Command::Pairings { event, round, .. }] = &list.orders[..] else { panic!("one round") };
        assert_eq!((event.as_str(), *round), ("open", 3));
        let list = read("1  Ann – Ben\n".as_bytes(), &said(7)).expect("it numbers no round");
        assert_eq!(list.rounds().collect::<Vec<_>>(), [("open", 7)]);
    }

    #[test]
    fn a_file_of_other_rounds_than_the_one_that_is_wanted_is_refused_with_theirs() {
        let said = |round| Said { event: Some("open".into()), round: Some(round), letters: None };
        let refused = |text: &str, round| read(text.as_bytes(), &said(round)).expect_err("it has others").to_string();
        assert!(refused(PGN, 7).starts_with("The file has round 3, and not round 7: leave the round out"));
        let two = "Round;Board;White;Black\n5;1;A;B\n6;1;B;A\n";
        assert!(refused(two, 9).starts_with("The file has rounds 5 and 6, and not round 9: give one of them"));
        let because = read(two.as_bytes(), &said(9)).expect_err("it has others").because();
        assert_eq!(because, Some(Because::OtherRounds { round: 9, rounds: vec![5, 6] }));
        let list = read(two.as_bytes(), &said(6)).expect("it has that one");
        assert_eq!(list.rounds().collect::<Vec<_>>(), [("open", 6)]);
        let report = format!("001    1      {:<33}{:>37}    1  {}\n", "Ada", "0.0", "   2 w 1     2 b  ")
            + &format!("001    2      {:<33}{:>37}    2  {}\n", "Ben", "0.0", "   1 b 0     1 w  ");
        assert!(refused(&report, 3).starts_with("The file has round 2, and not round 3"));
    }

    #[test]
    fn a_report_file_with_two_rounds_to_come_is_kept_once() {
        let line = |number: u8, name: &str, rounds: &str| {
            format!("001{number:>5}      {name:<33}{:>37}{number:>5}  {rounds}\n", "0.0")
        };
        let text = line(1, "Ada", "   2 w       2 b  ") + &line(2, "Ben", "   1 b       1 w  ");
        let list = read(text.as_bytes(), &Said { event: Some("open".into()), ..Said::default() }).expect("a good file");
        let has_file = |order: &Command| matches!(order, Command::Pairings { file: Some(_), .. });
        assert_eq!(list.orders.iter().map(has_file).collect::<Vec<_>>(), [true, false]);
    }

    #[test]
    fn a_file_that_dates_a_round_before_today_is_looked_at_again() {
        let bygone = |text: &str, today: &str| {
            let list =
                read(text.as_bytes(), &Said { event: Some("open".into()), ..Said::default() }).expect("a good file");
            list.bygone(today).collect::<Vec<_>>()
        };
        let dated = PGN.replacen("[Round \"3.2\"]", "[Round \"3.2\"]\n[Date \"2026.11.20\"]", 1);
        let said = "the file dates round 3 2026.11.20, and today is 2026.11.21: look whether it is the right file";
        assert_eq!(bygone(&dated, "2026.11.21"), [said]);
        assert_eq!(bygone(&dated, "2026.11.20"), [""; 0]);
        assert_eq!(bygone(PGN, "2026.11.21"), [""; 0], "it has no date");
        assert_eq!(bygone(&dated.replace("11.20", "??.??"), "2026.11.21"), [""; 0]);
        // Of a report file the day of each round counts, and not that of the first.
        let report = format!("042 2026/11/20\n132{:>88}26/11/20  26/11/21\n", "")
            + &format!("001    1      {:<33}{:>37}    1  {}\n", "Ada", "0.0", "   2 w 1     2 b")
            + &format!("001    2      {:<33}{:>37}    2  {}\n", "Ben", "0.0", "   1 b 0     1 w");
        assert_eq!(bygone(&report, "2026.11.21"), [""; 0]);
        assert!(bygone(&report, "2026.11.22")[0].starts_with("the file dates round 2 2026.11.21"));
    }

    #[test]
    fn what_is_missing_is_asked_for_and_what_is_wrong_is_named_by_its_line() {
        let pasted = "1  Carlsen, Magnus – Caruana, Fabiano\n";
        let sentence = |text: &str, event: Option<&str>| {
            let said = Said { event: event.map(str::to_owned), ..Said::default() };
            read(text.as_bytes(), &said).expect_err("something is missing").to_string()
        };
        assert!(sentence(pasted, None).starts_with("Which event?"));
        assert!(sentence(pasted, Some("open")).starts_with("Which round?"));
        assert_eq!(
            (Unread::Event.because(), Unread::Round.because()),
            (Some(Because::WhichEvent), Some(Because::WhichRound))
        );
        assert!(sentence("1  Carlsen, Magnus\n", Some("open")).starts_with("line 1:"));
        let said = Said { event: Some("open".into()), ..Said::default() };
        let because = read(b"1  Ann - Ben\n2  Cid\n3  Dee\n", &said).expect_err("two lines lack somebody").because();
        assert_eq!(because, Some(Because::UnreadableLines { lines: vec![2, 3] }));
    }
}
