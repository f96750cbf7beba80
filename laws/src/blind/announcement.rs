//! The words of an announcement.

use shakmaty::{CastlingSide, Chess, File, Move, Position, Rank, Role, Square};

/// Whose words. The names of the files are the same in all: they were chosen to be told apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Voice {
    /// `fide-de`: the words that the Laws give, German.
    #[default]
    FideGerman,
    /// `en`, where the arbiter allows it.
    English,
    /// `es`, where the arbiter allows it.
    Spanish,
}

/// One voice's words.
struct Words {
    code: &'static str,
    ranks: [&'static str; 8],
    /// From king to pawn.
    men: [&'static str; 6],
    short_castling: &'static str,
    long_castling: &'static str,
    /// What some say where a man is taken, its name behind it.
    takes: &'static str,
}

const FILES: [&str; 8] = ["Anna", "Bella", "Cesar", "David", "Eva", "Felix", "Gustav", "Hector"];

impl Voice {
    /// All of them.
    pub const ALL: [Voice; 3] = [Voice::FideGerman, Voice::English, Voice::Spanish];

    /// The voice of a code.
    pub fn of_code(code: &str) -> Option<Voice> {
        Voice::ALL.into_iter().find(|voice| voice.code() == code)
    }

    /// Its code, as in settings.
    pub fn code(self) -> &'static str {
        self.words().code
    }

    /// The name of a file.
    pub fn file(self, file: File) -> &'static str {
        FILES[usize::from(file)]
    }

    /// The name of a rank.
    pub fn rank(self, rank: Rank) -> &'static str {
        self.words().ranks[usize::from(rank)]
    }

    /// The name of a man.
    pub fn man(self, role: Role) -> &'static str {
        let [king, queen, rook, bishop, knight, pawn] = self.words().men;
        match role {
            Role::King => king,
            Role::Queen => queen,
            Role::Rook => rook,
            Role::Bishop => bishop,
            Role::Knight => knight,
            Role::Pawn => pawn,
        }
    }

    fn words(self) -> Words {
        match self {
            Voice::FideGerman => Words {
                code: "fide-de",
                ranks: ["eins", "zwei", "drei", "vier", "fuenf", "sechs", "sieben", "acht"],
                men: ["Koenig", "Dame", "Turm", "Laeufer", "Springer", "Bauer"],
                short_castling: "Kurze Rochade",
                long_castling: "Lange Rochade",
                takes: "schlaegt",
            },
            Voice::English => Words {
                code: "en",
                ranks: ["one", "two", "three", "four", "five", "six", "seven", "eight"],
                men: ["King", "Queen", "Rook", "Bishop", "Knight", "Pawn"],
                short_castling: "Castles king side",
                long_castling: "Castles queen side",
                takes: "takes",
            },
            Voice::Spanish => Words {
                code: "es",
                ranks: ["uno", "dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho"],
                men: ["Rey", "Dama", "Torre", "Alfil", "Caballo", "Peon"],
                short_castling: "Enroque corto",
                long_castling: "Enroque largo",
                takes: "toma",
            },
        }
    }
}

/// What is said for a move, word by word; castling is one expression.
///
/// ```
/// use laws::blind::{Voice, announce};
/// use shakmaty::{Chess, san::San};
///
/// let knight = "Nf3".parse::<San>()?.to_move(&Chess::default())?;
/// assert_eq!(announce(Voice::FideGerman, knight), ["Springer", "Gustav", "eins", "Felix", "drei"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn announce(voice: Voice, played: Move) -> Vec<&'static str> {
    match played.castling_side() {
        Some(CastlingSide::KingSide) => return vec![voice.words().short_castling],
        Some(CastlingSide::QueenSide) => return vec![voice.words().long_castling],
        None => {}
    }
    let square = |square: Square| [voice.file(square.file()), voice.rank(square.rank())];
    let mut words = vec![voice.man(played.role())];
    words.extend(played.from().map(square).into_iter().flatten());
    words.extend(square(played.to()));
    words.extend(played.promotion().map(|role| voice.man(role)));
    words
}

/// What an announcement means in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heard {
    /// This move.
    Move(Move),
    /// Nothing that can be played here, or not one move only.
    NoMove,
}

/// Understands an announcement, in small or capital letters, with umlauts or without, whatever is said between its words.
/// Where one move only fits, the square of departure may be missing.
///
/// ```
/// use laws::blind::{Heard, Voice, hear};
/// use shakmaty::{Chess, san::San};
///
/// let start = Chess::default();
/// let knight = "Nf3".parse::<San>()?.to_move(&start)?;
/// assert_eq!(hear(&start, Voice::FideGerman, "Springer Gustav eins, Felix drei"), Heard::Move(knight));
/// assert_eq!(hear(&start, Voice::FideGerman, "springer felix drei"), Heard::Move(knight));
/// assert_eq!(hear(&start, Voice::FideGerman, "Springer Gustav eins Felix vier"), Heard::NoMove);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn hear(position: &Chess, voice: Voice, said: &str) -> Heard {
    let said = known_words(voice, said);
    let legal = position.legal_moves();
    let whole = |played: &&Move| spoken(voice, **played) == said;
    let short = |played: &&Move| without_departure(voice, **played) == said;
    let only = |fits: &dyn Fn(&&Move) -> bool| {
        let mut fitting = legal.iter().filter(|played| fits(played));
        fitting.next().filter(|_| fitting.next().is_none()).copied()
    };
    only(&whole).or_else(|| only(&short)).map_or(Heard::NoMove, Heard::Move)
}

/// The words of an announcement as they are compared.
fn spoken(voice: Voice, played: Move) -> Vec<String> {
    announce(voice, played).iter().flat_map(|words| words.split(' ')).map(plain).collect()
}

fn without_departure(voice: Voice, played: Move) -> Vec<String> {
    let mut words = spoken(voice, played);
    if !played.is_castle() {
        words.drain(1..3);
    }
    words
}

/// The words of what was said that belong to announcements.
fn known_words(voice: Voice, said: &str) -> Vec<String> {
    let vocabulary = voice.words();
    let men = vocabulary.men.map(plain);
    let castling = [vocabulary.short_castling, vocabulary.long_castling].into_iter().flat_map(|words| words.split(' '));
    let known = FILES.into_iter().chain(vocabulary.ranks).chain(castling).map(plain).chain(men.iter().cloned());
    let known = known.collect::<Vec<_>>();
    let mut words = Vec::new();
    let mut taken_next = false;
    for word in said.split(|c: char| !c.is_alphabetic()).map(plain).filter(|word| !word.is_empty()) {
        // Which man is taken may be said and does not belong to the announcement.
        let is_taken = taken_next && men.contains(&word);
        taken_next = word == vocabulary.takes;
        if !is_taken && known.contains(&word) {
            words.push(word);
        }
    }
    words
}

/// Small letters without accents; umlauts as the Laws write them.
fn plain(word: &str) -> String {
    let mut plain = String::new();
    for c in word.to_lowercase().chars() {
        match c {
            'ä' => plain.push_str("ae"),
            'ö' => plain.push_str("oe"),
            'ü' => plain.push_str("ue"),
            'ó' => plain.push('o'),
            'á' => plain.push('a'),
            _ => plain.push(c),
        }
    }
    match &plain[..] {
        // Said on the telephone, because zwei sounds like drei.
        "zwo" => "zwei".to_owned(),
        "caesar" => "cesar".to_owned(),
        _ => plain,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::{CastlingMode, fen::Fen};

    const RICH: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    const PROMOTING: &str = "1n2k3/P1P5/8/3Pp3/8/8/p1p5/1N2K3 w - e6 0 1";

    #[test]
    fn every_announcement_is_heard_as_its_move_and_no_two_are_alike() {
        for fen in [RICH, PROMOTING] {
            let position = at(fen);
            for voice in Voice::ALL {
                for played in position.legal_moves() {
                    let said = announce(voice, played).join(" ");
                    assert_eq!(hear(&position, voice, &said), Heard::Move(played), "{said}");
                }
            }
        }
    }

    #[test]
    fn umlauts_and_words_between_do_no_harm() {
        let position = at(RICH);
        let takes = position.legal_moves().into_iter().find(|played| played.to() == Square::F6).expect("Qxf6");
        for said in
            ["Dame Felix drei schlägt Springer Felix sechs", "dame felix drei, felix SECHS!", "Dame Felix sechs"]
        {
            assert_eq!(hear(&position, Voice::FideGerman, said), Heard::Move(takes), "{said}");
        }
        let laeufer = hear(&position, Voice::FideGerman, "Läufer Eva zwo Cäsar vier");
        assert_eq!(laeufer, hear(&position, Voice::FideGerman, "Laeufer Eva zwei Cesar vier"));
        assert_ne!(laeufer, Heard::NoMove);
    }

    #[test]
    fn what_fits_several_moves_or_none_is_no_move() {
        let position = at("4k3/8/8/8/8/8/4K3/R6R w - - 0 40");
        assert_eq!(hear(&position, Voice::FideGerman, "Turm David eins"), Heard::NoMove);
        assert_eq!(hear(&position, Voice::FideGerman, "Kurze Rochade"), Heard::NoMove);
        assert_eq!(hear(&position, Voice::FideGerman, ""), Heard::NoMove);
        let promoting = at(PROMOTING);
        assert_eq!(
            hear(&promoting, Voice::FideGerman, "Bauer Cesar sieben Cesar acht"),
            Heard::NoMove,
            "no piece named"
        );
    }

    fn at(fen: &str) -> Chess {
        fen.parse::<Fen>().expect("a FEN").into_position(CastlingMode::Standard).expect("a position")
    }
}
