//! Every form, spoilt in hundreds of ways by dice that fall the same each time: read or refused with a line, and never half.

use pairings::{
    Opponent, Paper, read,
    text::{Encoding, encode},
    trf::Trf,
};

/// White and Black of each table; nobody where there is a bye.
type Tables = Vec<(String, Option<String>)>;

const NAMES: [&str; 14] = [
    "Carlsen, Magnus",
    "Caruana, Fabiano",
    "Müller, Jörg",
    "O\"Brien, Pat",
    "Ünal, Öykü",
    "Peña, Íñigo",
    "Ding, Liren",
    "So, Wesley",
    "Weiß, Anna-Maria",
    "Schwarz, Eva",
    "Nepomniachtchi, Ian",
    "Rapport, Richárd",
    "Ibáñez, José",
    "Moreau, Luc",
];

/// All in which these names can be written.
fn letters() -> impl Iterator<Item = Encoding> {
    let names = NAMES.concat();
    Encoding::ALL.into_iter().filter(move |encoding| !encode(&names, *encoding).contains(&b'?'))
}

/// The last one plays nobody where the number is odd.
fn truth(players: usize) -> Tables {
    let name = |at: usize| NAMES.get(at).map_or_else(|| format!("Player, No {at}"), |name| (*name).to_owned());
    (0..players).step_by(2).map(|at| (name(at), (at + 1 < players).then(|| name(at + 1)))).collect()
}

fn pgn(players: usize) -> String {
    let game = |(at, (white, black)): (usize, (String, Option<String>))| {
        let [white, black] = [white, black.unwrap_or_else(|| "BYE".to_owned())].map(|name| name.replace('"', "\\\""));
        let board = at + 1;
        format!(
            "[Event \"Open\"]\n[Round \"3.{board}\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"*\"]\n\n1. e4 \
             {{[%clk 1:30:00]\n[%emt 0:00:10]}} *\n\n"
        )
    };
    truth(players).into_iter().enumerate().map(game).collect()
}

fn pasted(players: usize) -> String {
    let line = |(at, (white, black)): (usize, (String, Option<String>))| {
        format!("{}  {white} – {}\n", at + 1, black.unwrap_or_else(|| "spielfrei".to_owned()))
    };
    truth(players).into_iter().enumerate().map(line).collect()
}

fn csv(players: usize, part: &str, headings: [&str; 5], nobody: &str) -> String {
    let cell = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
    let row = |(at, (white, black)): (usize, (String, Option<String>))| {
        let black = black.map_or(nobody.to_owned(), |black| cell(&black));
        [&(at + 1).to_string(), &cell(&white), "2100", &black, ""].join(part) + "\n"
    };
    headings.join(part) + "\n" + &truth(players).into_iter().enumerate().map(row).collect::<String>()
}

/// The first round is open. Players stand in the order of the tables; teams of two sit one behind the other.
fn trf(players: usize) -> String {
    let mut text = "012 Open\n042 2026/11/20\nXXR 9\n".to_owned();
    for (table, (white, black)) in truth(players).into_iter().enumerate() {
        let (first, second) = (table * 2 + 1, table * 2 + 2);
        let mut line = |number: usize, name: &str, block: String| {
            text.push_str(&format!("001 {number:>4} m    {name:<33} 2100 GER {:>22}  0.0 {number:>4}  {block}\n", ""));
        };
        line(first, &white, if black.is_some() { format!("{second:>4} w  ") } else { "0000 - U".to_owned() });
        if let Some(black) = black {
            line(second, &black, format!("{first:>4} b  "));
        }
    }
    text
}

fn teams(players: usize) -> String {
    let team = |(at, numbers): (usize, &[usize])| {
        let numbers = numbers.iter().map(|number| format!(" {number:>4}")).collect::<String>();
        format!("013 {:<32}{}\n", format!("Team {at}"), &numbers[1..])
    };
    // Two boards a match: the first and the third player against the second and the fourth.
    let paired = (1..=players - players % 4).collect::<Vec<_>>();
    let matches =
        paired.chunks(4).flat_map(|four| [vec![four[0], four[2]], vec![four[1], four[3]]]).collect::<Vec<_>>();
    trf(players) + &matches.iter().map(Vec::as_slice).enumerate().map(team).collect::<String>()
}

type Form = (&'static str, fn(usize) -> String);

/// All forms there are.
const FORMS: [Form; 8] = [
    ("games", pgn),
    ("pasted lines", pasted),
    ("commas in English", |players| csv(players, ",", ["Board", "White", "Rating", "Black", "Rating"], "bye")),
    ("semicolons in German", |players| csv(players, ";", ["Brett", "Weiß", "Elo", "Schwarz", "Elo"], "spielfrei")),
    ("semicolons in Spanish", |players| csv(players, ";", ["Mesa", "Blancas", "Elo", "Negras", "Elo"], "descansa")),
    ("tabs in German", |players| csv(players, "\t", ["Tisch", "Weiß", "Elo Weiß", "Schwarz", "Elo Schwarz"], "")),
    ("a report file", trf),
    ("a report file with teams", teams),
];

/// Dice that fall the same each time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from((self.0 >> 33) % u64::try_from(end).expect("a small number")).expect("a small number")
    }
}

fn tables(paper: &Paper) -> Tables {
    let pairs = paper.sheets.iter().flat_map(|sheet| &sheet.pairs);
    let black = |black: &Opponent| match black {
        Opponent::Player(black) => Some(black.name.clone()),
        Opponent::Nobody(_) => None,
    };
    pairs.map(|pair| (pair.white.name.clone(), black(&pair.black))).collect()
}

/// What is read of a file, if it is not refused. A refusal names lines the file has, and a report file that was read is
/// written back as it came.
fn taken(bytes: &[u8], what: &str) -> Option<Tables> {
    match read(bytes) {
        Ok(paper) => {
            if let Ok(file) = Trf::read(bytes) {
                assert_eq!(file.to_bytes(), bytes, "{what}");
            }
            Some(tables(&paper))
        }
        Err(faults) => {
            let lines = bytes.iter().filter(|byte| [b'\n', b'\r'].contains(byte)).count() + 2;
            let lines_are_there = faults.0.iter().all(|fault| (1..=lines).contains(&fault.line));
            assert!(!faults.0.is_empty() && lines_are_there, "{what}: {faults}");
            None
        }
    }
}

#[test]
fn every_form_is_read_in_all_letters_and_line_ends() {
    for (form, write) in FORMS {
        for encoding in letters() {
            for end in ["\n", "\r\n", "\r"] {
                let what = format!("{form}, {encoding:?}, {end:?}");
                let bytes = encode(&write(13).replace('\n', end), encoding);
                assert_eq!(taken(&bytes, &what), Some(truth(13)), "{what}");
            }
        }
    }
}

#[test]
fn a_file_that_was_cut_has_no_table_that_was_not_in_it() {
    let mut dice = Dice(1);
    for (form, write) in FORMS {
        let (text, truth) = (write(13), truth(13));
        for _ in 0..60 {
            let at = dice.below(text.len());
            let what = format!("{form}, cut at {at}");
            for table in taken(&text.as_bytes()[..at], &what).unwrap_or_default() {
                let (white, black) = &table;
                // Of the last name the end may be missing, and nobody can know.
                let begins = |whole: &str, black: &str| whole.starts_with(black.trim_end_matches('Ã'));
                let was = |(one, other): &(String, Option<String>)| match (black, other) {
                    (Some(black), Some(other)) => begins(other, black),
                    (Some(black), None) => ["bye", "spielfrei", "descansa"].iter().any(|word| begins(word, black)),
                    (None, other) => other.is_none(),
                } && white == one;
                assert!(truth.iter().any(was), "{what}: {table:?}");
            }
        }
    }
}

#[test]
fn a_line_that_stands_twice_is_refused() {
    let mut dice = Dice(2);
    for (form, write) in FORMS {
        let text = write(13);
        let lines = text.split_inclusive('\n').collect::<Vec<_>>();
        for _ in 0..30 {
            let at = dice.below(lines.len());
            let mut doubled = lines.clone();
            doubled.insert(dice.below(lines.len()), lines[at]);
            let what = format!("{form}, line {} doubled", at + 1);
            let Some(tables) = taken(doubled.concat().as_bytes(), &what) else { continue };
            assert_eq!(tables, truth(13), "{what}: {}", lines[at]);
        }
    }
}

#[test]
fn a_line_that_is_missing_takes_nothing_but_its_own_table() {
    for (form, write) in FORMS {
        let text = write(13);
        let lines = text.split_inclusive('\n').collect::<Vec<_>>();
        for at in 0..lines.len() {
            let what = format!("{form}, line {} missing", at + 1);
            let rest = [&lines[..at], &lines[at + 1..]].concat().concat();
            for table in taken(rest.as_bytes(), &what).unwrap_or_default() {
                assert!(truth(13).contains(&table), "{what}: {table:?}");
            }
        }
    }
}

#[test]
fn bytes_that_fell_out_or_in_are_read_or_refused() {
    let mut dice = Dice(3);
    for (form, write) in FORMS {
        for encoding in letters() {
            let good = encode(&write(13), encoding);
            for round in 0..12 {
                let mut bytes = good.clone();
                for _ in 0..=dice.below(4) {
                    let (at, byte) = (dice.below(bytes.len()), b"\"\0;,\t\n\r[]{}\\-0\xff\x81 "[dice.below(17)]);
                    match dice.below(3) {
                        0 => bytes[at] = byte,
                        1 => bytes.insert(at, byte),
                        _ => drop(bytes.remove(at)),
                    }
                }
                let what = format!("{form}, {encoding:?}, the throw {round}");
                let tables = taken(&bytes, &what).unwrap_or_default();
                let byes = tables.iter().filter(|(_, black)| black.is_none()).count();
                assert!(byes <= 1, "{what} is a bye where none was: {tables:?}\n{}", String::from_utf8_lossy(&bytes));
            }
        }
    }
}

#[test]
fn ten_thousand_players_are_read_in_every_form() {
    for (form, write) in FORMS.into_iter().filter(|(form, _)| !form.ends_with("German")) {
        // A report file has four columns for a start number.
        let players = if form.starts_with("a report") { 9_998 } else { 10_000 };
        let paper = read(write(players).as_bytes()).unwrap_or_else(|faults| panic!("{form}: {faults}"));
        assert!(tables(&paper) == truth(players), "{form}: {} tables", tables(&paper).len());
    }
}
