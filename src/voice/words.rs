//! A game in words: for pages that are heard or felt, and as a text for Braille displays and printers.

use std::{borrow::Cow, fmt::Write as _};

use deunicode::deunicode_char;
use laws::blind::{Alphabet, Manner, Phrase, Verbosity, Voice, announce, braille, display, speech};
use protocol::feed::Side;
use serde::{Serialize, Serializer};
use shakmaty::{Chess, Color, EnPassantMode, Move, Piece, Position as _, Role, Square, fen::Fen};

use crate::{
    record::{forfeit_in, unwritten_in},
    rehearsal::{Game, read_all},
};

/// How wide and long a page of Braille is.
const CELLS: usize = 40;
const LINES: usize = 25;

/// A game as somebody hears it who does not see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Words {
    /// In which language, for `lang`.
    #[serde(rename = "language", serialize_with = "code")]
    voice: Voice,
    /// Which game of its table, from 1.
    game: u32,
    white: String,
    black: String,
    result: String,
    /// The men where they stood, if not as games usually begin.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    start: Vec<String>,
    plies: Vec<Said>,
    /// All squares as they stand, a8 to h1, row by row.
    squares: Vec<Stand>,
    turn: &'static str,
    /// The number of the move that is to be made.
    number: u32,
    fen: String,
}

/// One move in words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct Said {
    number: u32,
    side: &'static str,
    speech: String,
    display: String,
    braille: String,
}

/// One square in words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct Stand {
    square: String,
    /// What the square is called.
    name: String,
    /// Who stands there; empty where nobody does.
    man: String,
    /// The same as a letter of FEN.
    piece: String,
    /// The same in this language's notation, with `-` before a black man's.
    short: String,
}

/// What a page asks for.
///
/// ```
/// use escaque::voice::wanted;
///
/// assert!(wanted("language=es&files=international&style=short&captures=1").is_ok());
/// assert_eq!(wanted("language=fr").unwrap_err(), "Nobody here speaks \"fr\": write language=fide-de, en or es.");
/// ```
pub fn wanted(query: &str) -> Result<Manner, String> {
    let mut manner = Manner::default();
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        let (key, value) = pair.split_once('=').unwrap_or((pair, "1"));
        let is_on = !matches!(value, "0" | "false");
        match (key, value) {
            ("language", code) => {
                let known = Voice::all().map(Voice::code).collect::<Vec<_>>();
                manner.voice = Voice::of_code(code).ok_or_else(|| {
                    let (last, first) = known.split_last().unwrap_or((&"", &[]));
                    let code = code.chars().take(20).collect::<String>();
                    format!("Nobody here speaks \"{code}\": write language={} or {last}.", first.join(", "))
                })?;
            }
            ("files", "anna") => manner.alphabet = Alphabet::Anna,
            ("files", "international") => manner.alphabet = Alphabet::International,
            ("style", "full") => manner.verbosity = Verbosity::Full,
            ("style", "short") => manner.verbosity = Verbosity::Short,
            ("clear", _) => manner.clear = is_on,
            ("captures", _) => manner.captures = is_on,
            ("check", _) => manner.state = is_on,
            _ => {
                return Err(
                    "Write language=, files=anna or international, style=full or short, clear=1, captures=1 or \
                            check=1."
                        .to_owned(),
                );
            }
        }
    }
    Ok(manner)
}

impl Words {
    /// The last game of a PGN in words, also where nothing has been played; nothing where there is none.
    pub fn of(pgn: &str, manner: &Manner) -> Option<Words> {
        let texts = one_by_one(pgn);
        let last = texts.len() - 1;
        // Around a move that is not legal and stands a game is written in parts, which have one number.
        let number = round(texts[last]);
        let first =
            texts.iter().rposition(|text| number.is_none() || round(text) != number).map_or(0, |other| other + 1);
        let parts = texts[first.min(last)..].iter().flat_map(|text| read_all(text.as_bytes()).unwrap_or_default());
        Words::of_parts(&parts.collect::<Vec<_>>(), manner)
    }

    fn of_parts(parts: &[Game], manner: &Manner) -> Option<Words> {
        let last = parts.last()?;
        let result = tag(last, "Result")?;
        let unwritten = last.remark.as_deref().and_then(unwritten_in);
        let score = unwritten.or_else(|| forfeit_in(result, tag(last, "Termination")?)).map(|score| score.to_string());
        let (mut position, mut plies) = (parts.first()?.start.clone(), Vec::new());
        let start = if position == Chess::default() { Vec::new() } else { men(&position, manner) };
        for (nth, part) in parts.iter().enumerate() {
            if nth > 0 {
                plies.extend(went(&position, &part.start).map(|played| say(&position, played, manner)));
                position = part.start.clone();
            }
            for played in &part.moves {
                plies.push(say(&position, *played, manner));
                position.play_unchecked(*played);
            }
        }
        Some(Words {
            voice: manner.voice,
            game: tag(last, "Round").map_or(1, game_of),
            white: tag(last, "White")?.to_owned(),
            black: tag(last, "Black")?.to_owned(),
            result: score.unwrap_or_else(|| result.to_owned()),
            start,
            plies,
            squares: squares().map(|square| stand(&position, square, manner)).collect(),
            turn: side(position.turn()),
            number: position.fullmoves().get(),
            fen: Fen::from_position(&position, EnPassantMode::Legal).to_string(),
        })
    }

    /// All of it, and which players may ask where men stand.
    pub fn json(&self, readings: &[Side]) -> String {
        #[derive(Serialize)]
        struct Told<'a> {
            #[serde(flatten)]
            words: &'a Words,
            readings: &'a [Side],
        }
        serde_json::to_string(&Told { words: self, readings }).expect("words are plain data")
    }

    /// The game as a text, a line a move: for terminals, for Braille displays, for paper.
    pub fn text(&self) -> String {
        let mut text = format!("{} - {}\n", self.white, self.black);
        self.stood().into_iter().for_each(|line| text.extend([line, "\n".to_owned()]));
        self.plies.iter().for_each(|ply| text.push_str(&ply.line()));
        if self.result != "*" {
            let _ = writeln!(text, "{}", self.result);
        }
        text
    }

    /// The same for a Braille printer: pages of 25 lines with 40 cells, in ASCII Braille.
    pub fn brf(&self) -> String {
        let moves = self.plies.chunks(2).map(|pair| {
            let both = pair.iter().map(|ply| ply.braille.as_str()).collect::<Vec<_>>().join(" ");
            let first = &pair[0];
            let from = if first.side == "black" { ".." } else { "" };
            format!("{}{from} {both}", first.number)
        });
        let head = [format!("{} - {}", self.known(&self.white, Phrase::White), self.known(&self.black, Phrase::Black))];
        let foot = [self.result.clone()].into_iter().filter(|result| result != "*");
        let lines =
            head.into_iter().chain(self.stood()).chain(moves).chain(foot).flat_map(|line| wrapped(&cells(&line)));
        let lines = lines.collect::<Vec<_>>();
        lines.chunks(LINES).map(|page| page.join("\r\n") + "\r\n").collect::<Vec<_>>().join("\u{c}")
    }

    /// Where the men stood, in a line.
    fn stood(&self) -> Option<String> {
        (!self.start.is_empty()).then(|| self.start.join(" "))
    }

    /// A player's name, or the colour where nothing of the name can be written in Braille.
    fn known<'a>(&self, name: &'a str, colour: Phrase) -> Cow<'a, str> {
        let is_written = plain(name).chars().any(char::is_alphanumeric);
        if is_written { name.into() } else { self.voice.phrase(colour).into() }
    }
}

impl Said {
    /// `23 Springer g1 f3`, and two dots for Black.
    fn line(&self) -> String {
        let dots = if self.side == "black" { ".." } else { "" };
        format!("{}{dots} {}\n", self.number, self.display)
    }
}

/// The text of each game; all of it where there is none.
fn one_by_one(pgn: &str) -> Vec<&str> {
    let ends = pgn.match_indices("\n[Event ").map(|(at, _)| at + 1).chain([pgn.len()]);
    let mut start = 0;
    ends.map(|end| &pgn[std::mem::replace(&mut start, end)..end]).collect()
}

/// The line that says which game it is.
fn round(game: &str) -> Option<&str> {
    game.lines().find(|line| line.starts_with("[Round "))
}

/// Which game of its table it is: `3.12` is the first of table 12, `3.12.2` the second.
fn game_of(round: &str) -> u32 {
    round.split('.').nth(2).and_then(|game| game.parse().ok()).unwrap_or(1)
}

fn code<S: Serializer>(voice: &Voice, out: S) -> Result<S::Ok, S::Error> {
    out.serialize_str(voice.language())
}

fn tag<'a>(game: &'a Game, name: &str) -> Option<&'a str> {
    game.tags.iter().find(|(tag, _)| tag == name).map(|(_, value)| value.as_str())
}

/// A move that is not legal and stands, as its man went: what stands before and after it is all that is written of it.
fn went(before: &Chess, after: &Chess) -> Option<Move> {
    let (turn, own) = (before.turn(), before.board().by_color(before.turn()));
    let is_changed = |square: &Square| before.board().piece_at(*square) != after.board().piece_at(*square);
    let from = own.into_iter().filter(is_changed).collect::<Vec<_>>();
    let to = after.board().by_color(turn).into_iter().filter(is_changed).collect::<Vec<_>>();
    let ([from], [to]) = (&from[..], &to[..]) else { return None };
    let (role, stands) = (before.board().role_at(*from)?, after.board().role_at(*to)?);
    let promotion = (role != stands).then_some(stands);
    Some(Move::Normal { role, from: *from, capture: before.board().role_at(*to), to: *to, promotion })
}

fn say(position: &Chess, played: Move, manner: &Manner) -> Said {
    let tokens = announce(position, played, manner);
    Said {
        number: position.fullmoves().get(),
        side: side(position.turn()),
        speech: speech(&tokens, manner),
        display: display(&tokens, manner),
        braille: braille(&tokens, manner),
    }
}

fn side(color: Color) -> &'static str {
    color.fold_wb("white", "black")
}

/// As they are read: from a8.
fn squares() -> impl Iterator<Item = Square> {
    (0..8).rev().flat_map(|rank| (0..8).map(move |file| Square::new(rank * 8 + file)))
}

fn stand(position: &Chess, square: Square, manner: &Manner) -> Stand {
    let voice = manner.voice;
    let name = format!("{} {}", voice.file(square.file(), manner.alphabet), voice.rank(square.rank(), manner.clear));
    let man = position.board().piece_at(square);
    let words = |Piece { color, role }: Piece| {
        let side = voice.phrase(color.fold_wb(Phrase::White, Phrase::Black));
        format!("{} {side}", voice.man(role))
    };
    let short = |Piece { color, role }: Piece| {
        let letter = if role == Role::Pawn { voice.letter(Role::Pawn) } else { voice.letter(role) };
        color.fold_wb(letter.to_owned(), format!("-{letter}"))
    };
    Stand {
        square: square.to_string(),
        name,
        man: man.map(words).unwrap_or_default(),
        piece: man.map(|man| man.char().to_string()).unwrap_or_default(),
        short: man.map(short).unwrap_or_default(),
    }
}

/// All men with their squares, Black's with a dash: `-Ta8`.
fn men(position: &Chess, manner: &Manner) -> Vec<String> {
    let men = squares().map(|square| stand(position, square, manner)).filter(|stand| !stand.man.is_empty());
    men.map(|stand| format!("{}{}", stand.short, stand.square)).collect()
}

/// ASCII Braille: a sign before capitals, before numbers, and before a letter that would be read as a number.
fn cells(line: &str) -> String {
    let mut cells = String::new();
    let mut in_number = false;
    for c in plain(line).chars() {
        match c {
            '0'..='9' => {
                if !in_number {
                    cells.push('#');
                }
                // The first ten letters are the digits, from 1 to 0.
                cells.push(if c == '0' { 'J' } else { char::from(u8::try_from(c).unwrap_or(b'1') - b'1' + b'A') });
            }
            'a'..='z' => {
                cells.extend((in_number && c <= 'j').then_some(';'));
                cells.push(c.to_ascii_uppercase());
            }
            'A'..='Z' => {
                cells.push(',');
                cells.push(c);
            }
            '.' => cells.push('4'),
            ',' => cells.push('1'),
            '/' | '-' | '\'' => cells.push(c),
            '"' => cells.push(if cells.is_empty() || cells.ends_with(' ') { '8' } else { '0' }),
            '+' => cells.push_str("5+"),
            '#' => cells.push_str("5#"),
            _ => cells.push(' '),
        }
        in_number = c.is_ascii_digit();
    }
    cells
}

/// As letters without anything above, below or through them: Braille of six dots writes those otherwise in each language,
/// and a cell that is missing makes another name. German writes its own out.
fn plain(line: &str) -> String {
    let mut plain = String::with_capacity(line.len());
    for c in line.chars() {
        match c {
            'ä' => plain.push_str("ae"),
            'ö' => plain.push_str("oe"),
            'ü' => plain.push_str("ue"),
            'Ä' => plain.push_str("Ae"),
            'Ö' => plain.push_str("Oe"),
            'Ü' => plain.push_str("Ue"),
            _ if c.is_ascii() => plain.push(c),
            _ if is_han(c) => {}
            _ => plain.push_str(deunicode_char(c).unwrap_or_default()),
        }
    }
    plain
}

/// What is read otherwise in Chinese and in Japanese: nobody's name is guessed.
fn is_han(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

/// Lines of no more than 40 cells, broken between words where there is one.
fn wrapped(line: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in line.split(' ').filter(|word| !word.is_empty()) {
        let room = CELLS - lines.last().map_or(0, String::len);
        if room < word.len() + 1 && lines.last().is_some_and(|last| !last.is_empty()) {
            lines.push(String::new());
        }
        let last = lines.len() - 1;
        if !lines[last].is_empty() {
            lines[last].push(' ');
        }
        lines[last].extend(word.chars().take(CELLS));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    const PGN: &str = "[Event \"open\"]\n[White \"Müller, Änne\"]\n[Black \"Núñez\"]\n[Result \"1-0\"]\n\n\
                       1. e4 {[%clk 1:29:00]} e5 2. Nf3 Nc6 3. Bb5 a6 4. O-O 1-0\n";

    fn words(query: &str) -> Words {
        Words::of(PGN, &wanted(query).expect("a manner")).expect("a game")
    }

    #[test]
    fn a_game_is_told_move_by_move_in_each_kind_of_words() {
        let german = words("");
        assert_eq!(german.plies[2].speech, "Springer Gustav eins, Felix drei");
        assert_eq!(german.plies[2].braille, "Sg1f3");
        let text = "Müller, Änne - Núñez\n1 Bauer e2 e4\n1.. Bauer e7 e5\n2 Springer g1 f3\n2.. Springer b8 c6\n\
                    3 Läufer f1 b5\n3.. Bauer a7 a6\n4 kurze Rochade\n1-0\n";
        assert_eq!(german.text(), text);
        assert_eq!(words("language=en&style=short").plies[4].display, "bishop b5");
        assert_eq!(words("language=es&files=international").plies[6].speech, "enroque corto");
    }

    #[test]
    fn each_game_of_a_table_says_which_it_is() {
        assert_eq!(words("").game, 1);
        let again = |round: &str| PGN.replace("[White ", &format!("[Round \"{round}\"]\n[White "));
        let game = |pgn: &str| Words::of(pgn, &Manner::default()).map(|words| (words.game, words.plies.len()));
        assert_eq!(game(&again("3.12")), Some((1, 7)));
        assert_eq!(game(&again("3.12.2")), Some((2, 7)));
        let begun =
            format!("{PGN}\n[Event \"open\"]\n[Round \"3.12.2\"]\n[White \"A\"]\n[Black \"B\"]\n[Result \"*\"]\n\n*\n");
        assert_eq!(game(&begun), Some((2, 0)), "one that has just begun, too");
    }

    #[test]
    fn where_men_stood_otherwise_and_a_win_by_forfeit_are_told_as_they_are() {
        let told = |tags: &str, moves: &str| {
            let pgn = format!("[Event \"open\"]\n[White \"A\"]\n[Black \"B\"]\n{tags}\n{moves}\n");
            Words::of(&pgn, &Manner::default()).expect("a game")
        };
        let set_up = "[Result \"*\"]\n[SetUp \"1\"]\n[FEN \"4k3/P7/8/8/8/8/8/4K3 w - - 0 40\"]\n";
        let words = told(set_up, "40. a8=Q+ *");
        assert_eq!(words.text(), "A - B\n-Ke8 Ba7 Ke1\n40 Bauer a7 a8 Dame\n");
        assert!(words.brf().contains("-,KE#H ,BA#G ,KE#A"), "{}", words.brf());
        let given = told("[Result \"0-1\"]\n[Termination \"abandoned\"]\n", "0-1");
        assert_eq!(given.text(), "A - B\n-/+\n");
    }

    /// As the record writes it: in parts, with the position after the move that is none.
    #[test]
    fn a_game_in_which_an_illegal_move_stands_is_told_from_its_beginning() {
        let head = |more: &str| {
            format!("[Event \"open\"]\n[Round \"3.12\"]\n[White \"A\"]\n[Black \"B\"]\n[Result \"*\"]\n{more}\n")
        };
        let before =
            head("") + "1. e4 e5 {Bd3 is not legal and stands: the game goes on from the position after it.} *\n";
        let fen = "rnbqkbnr/pppp1ppp/8/4p3/4P3/3B4/PPPP1PPP/RNBQK1NR b KQkq - 1 2";
        let after = head(&format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n"))
            + "2... Nf6 {The result is 0-0:\nboth lose (played).} *\n";
        let other = head("").replace("3.12", "3.12.2") + "*\n";
        let told = |pgn: &str| Words::of(pgn, &wanted("language=en").expect("a manner")).expect("a game").text();
        let text = "A - B\n1 pawn e2 e4\n1.. pawn e7 e5\n2 bishop f1 d3\n2.. knight g8 f6\n0-0\n";
        assert_eq!(told(&format!("{before}\n{after}")), text);
        assert_eq!(told(&format!("{before}\n{after}\n{other}")), "A - B\n");
    }

    #[test]
    fn every_square_says_who_stands_there() {
        let spanish = words("language=es");
        let g1 = spanish.squares.iter().find(|stand| stand.square == "g1").expect("64 squares");
        assert_eq!((g1.name.as_str(), g1.man.as_str(), g1.short.as_str()), ("Gustav uno", "rey blancas", "R"));
        let c6 = spanish.squares.iter().find(|stand| stand.square == "c6").expect("64 squares");
        assert_eq!((c6.man.as_str(), c6.short.as_str(), c6.piece.as_str()), ("caballo negras", "-C", "n"));
        assert_eq!(spanish.squares.first().map(|stand| stand.square.as_str()), Some("a8"));
        assert_eq!((spanish.turn, spanish.number), ("black", 4));
    }

    #[test]
    fn braille_is_forty_cells_wide_and_numbers_do_not_run_into_letters() {
        let brf = words("").brf();
        assert!(brf.starts_with(",MUELLER1 ,AENNE - ,NUNEZ\r\n#A E#B;E#D E#G;E#E\r\n"), "{brf}");
        assert!(brf.lines().all(|line| line.len() <= CELLS && line.is_ascii()), "{brf}");
        let long = PGN.replace("Núñez", &"Nunez ".repeat(60));
        let pages = Words::of(&long, &Manner::default()).expect("a game").brf();
        assert!(pages.lines().all(|line| line.len() <= CELLS), "{pages}");
        assert_eq!(cells("b8c6 10 x"), "B#H;C#F #AJ X");
    }

    #[test]
    fn no_letter_of_a_name_is_lost_in_braille() {
        let head = |white: &str, black: &str| {
            let pgn = format!("[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"*\"]\n\n*\n");
            let brf = Words::of(&pgn, &Manner::default()).expect("players").brf();
            brf.replace("\r\n", "\n")
        };
        for (white, black, written) in [
            (
                r#"Lefèvre \"Jo\", François"#,
                "Škoda-Åström, Øyvind",
                ",LEFEVRE 8,JO01 ,FRANCOIS -\n,SKODA-,ASTROEM1 ,OYVIND\n",
            ),
            ("Łukasz, Żółć", "Đỗ, Þór", ",LUKASZ1 ,ZOLC - ,DO1 ,THOR\n"),
            ("O’Brien, Cœur", "Weiß, Ægir", ",O',BRIEN1 ,COEUR - ,WEISS1 ,A,EGIR\n"),
            ("Yılmaz, İpek", "Lefe\u{300}vre", ",YILMAZ1 ,IPEK - ,LEFEVRE\n"),
            ("Иванов, Пётр", "Παππάς", ",IVANOV1 ,PIOTR - ,PAPPAS\n"),
            ("李, 伟", "中川 Yui", ",WEISS - ,YUI\n"),
        ] {
            assert_eq!(head(white, black), written, "{white} - {black}");
        }
    }

    #[test]
    fn what_has_not_begun_is_told_with_its_players() {
        let paired = "[White \"Secret \\\"S\\\", A\"]\n[Black \"B\"]\n[Result \"*\"]\n\n*\n";
        let words = Words::of(paired, &Manner::default()).expect("players");
        assert_eq!((words.text().as_str(), words.plies.len()), ("Secret \"S\", A - B\n", 0));
        assert_eq!(words.squares.iter().filter(|stand| !stand.man.is_empty()).count(), 32);
        assert_eq!(Words::of("no game", &Manner::default()), None);
    }
}
