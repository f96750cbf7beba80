//! Whose words: the languages of announcements, each read from its file.

use std::sync::LazyLock;

use shakmaty::{CastlingSide, File, Rank, Role};

include!(concat!(env!("OUT_DIR"), "/words.rs"));

static VOICES: LazyLock<Vec<Words>> =
    LazyLock::new(|| FILES.iter().map(|text| Words::read(text).expect("a test reads every file")).collect());

/// A language of announcements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Voice(usize);

/// What the files of the board are called: names chosen to be told apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Alphabet {
    /// Anna to Hector, as the Laws have it.
    #[default]
    Anna,
    /// alpha to hotel, as on the radio.
    International,
}

/// A set expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phrase {
    /// Between a man and what it takes.
    Takes,
    /// Before the piece a pawn becomes.
    Promotes,
    /// Behind such a capture.
    EnPassant,
    /// Castling.
    Castling(CastlingSide),
    /// The king is attacked.
    Check,
    /// The game is over.
    Mate,
    /// The same, drawn.
    Stalemate,
    /// The opponent offers a draw.
    DrawOffer,
    /// A move was taken back.
    TakenBack,
    /// The arbiter had an earlier position set up.
    Restored,
    /// Time was given or taken as a penalty.
    TimePenalty,
    /// The arbiter has set the clocks.
    ClocksSet,
    /// The result.
    WhiteWins,
    /// The result.
    BlackWins,
    /// The result.
    Drawn,
    /// The result: Black did not come.
    WhiteByForfeit,
    /// The result: White did not come.
    BlackByForfeit,
    /// The result: nobody came.
    BothForfeited,
    /// The result: neither scores.
    BothLost,
    /// The result: half a point for White, none for Black.
    WhiteHalf,
    /// The result: half a point for Black, none for White.
    BlackHalf,
    /// The result that was given holds no more.
    ResultTakenBack,
    /// The board can't be heard.
    NoContact,
    /// It can be heard again.
    Contact,
    /// Before a repeated announcement.
    LastMove,
    /// Before White's men, and behind the number of White's move.
    White,
    /// The same for Black.
    Black,
    /// Before the opponent's time.
    Opponent,
    /// There is no last move yet.
    NoMove,
    /// Nobody knows the time.
    NoClock,
    /// No man stands there.
    NothingThere,
}

/// What a player's clock is spoken with.
#[derive(Clone, Debug)]
pub(super) struct Counting {
    /// Of one, and of several, where that is said otherwise.
    pub(super) left: Synonyms,
    /// One, and several.
    pub(super) hour: [String; 2],
    pub(super) minute: [String; 2],
    pub(super) second: [String; 2],
}

/// The first of these is spoken, all are understood.
type Synonyms = Vec<String>;

/// One language's words.
#[derive(Clone, Debug)]
pub(super) struct Words {
    pub(super) code: String,
    pub(super) language: String,
    pub(super) files: [[Synonyms; 8]; 2],
    pub(super) ranks: [Synonyms; 8],
    pub(super) clear_ranks: [Synonyms; 8],
    /// From king to pawn.
    pub(super) men: [Synonyms; 6],
    pub(super) letters: [Synonyms; 6],
    pub(super) phrases: Vec<(Phrase, Synonyms)>,
    pub(super) counting: Counting,
    pub(super) move_number: String,
    /// Words that speech engines say rightly only if they are spelt otherwise.
    pub(super) respelt: Vec<(String, String)>,
}

/// In the order of `men`.
pub(super) const MEN: [Role; 6] = [Role::King, Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn];

const PHRASES: [(&str, Phrase); 32] = [
    ("takes", Phrase::Takes),
    ("promotes", Phrase::Promotes),
    ("en_passant", Phrase::EnPassant),
    ("short_castling", Phrase::Castling(CastlingSide::KingSide)),
    ("long_castling", Phrase::Castling(CastlingSide::QueenSide)),
    ("check", Phrase::Check),
    ("mate", Phrase::Mate),
    ("stalemate", Phrase::Stalemate),
    ("draw_offer", Phrase::DrawOffer),
    ("taken_back", Phrase::TakenBack),
    ("restored", Phrase::Restored),
    ("time_penalty", Phrase::TimePenalty),
    ("clocks_set", Phrase::ClocksSet),
    ("white_wins", Phrase::WhiteWins),
    ("black_wins", Phrase::BlackWins),
    ("drawn", Phrase::Drawn),
    ("white_by_forfeit", Phrase::WhiteByForfeit),
    ("black_by_forfeit", Phrase::BlackByForfeit),
    ("both_forfeited", Phrase::BothForfeited),
    ("both_lost", Phrase::BothLost),
    ("white_half", Phrase::WhiteHalf),
    ("black_half", Phrase::BlackHalf),
    ("result_taken_back", Phrase::ResultTakenBack),
    ("no_contact", Phrase::NoContact),
    ("contact", Phrase::Contact),
    ("last_move", Phrase::LastMove),
    ("white", Phrase::White),
    ("black", Phrase::Black),
    ("opponent", Phrase::Opponent),
    ("no_move", Phrase::NoMove),
    ("no_clock", Phrase::NoClock),
    ("nothing_there", Phrase::NothingThere),
];

impl Voice {
    /// All there are.
    pub fn all() -> impl Iterator<Item = Voice> {
        (0..VOICES.len()).map(Voice)
    }

    /// The voice of a code.
    pub fn of_code(code: &str) -> Option<Voice> {
        Voice::all().find(|voice| voice.code() == code)
    }

    /// Its code, as in settings.
    pub fn code(self) -> &'static str {
        &self.words().code
    }

    /// Its language, as pages and speech engines name it.
    pub fn language(self) -> &'static str {
        &self.words().language
    }

    /// The name of a file.
    pub fn file(self, file: File, alphabet: Alphabet) -> &'static str {
        let names = &self.words().files[alphabet as usize];
        first(&names[usize::from(file)])
    }

    /// The name of a rank; the clear one where two sound alike over a distance.
    pub fn rank(self, rank: Rank, clear: bool) -> &'static str {
        let Words { ranks, clear_ranks, .. } = self.words();
        first(&if clear { clear_ranks } else { ranks }[usize::from(rank)])
    }

    /// The name of a man.
    pub fn man(self, role: Role) -> &'static str {
        first(&self.words().men[place(role)])
    }

    /// Its letter in notation.
    pub fn letter(self, role: Role) -> &'static str {
        first(&self.words().letters[place(role)])
    }

    /// A set expression; empty where the language has none.
    pub fn phrase(self, phrase: Phrase) -> &'static str {
        let found = self.words().phrases.iter().find(|(known, _)| *known == phrase);
        found.map_or("", |(_, synonyms)| first(synonyms))
    }

    /// What is left on a clock.
    ///
    /// ```
    /// use laws::blind::Voice;
    /// assert_eq!(Voice::default().left(312), "noch 5 Minuten 12 Sekunden");
    /// assert_eq!(Voice::of_code("en").map(|english| english.left(3_601)).as_deref(), Some("1 hour 1 second left"));
    /// ```
    pub fn left(self, seconds: u32) -> String {
        let Counting { left, hour, minute, second } = &self.words().counting;
        let parts = [(seconds / 3600, hour), (seconds / 60 % 60, minute), (seconds % 60, second)];
        let counted = |(count, words): (u32, &[String; 2])| format!("{count} {}", words[usize::from(count != 1)]);
        let mut said = parts.into_iter().filter(|(count, _)| *count > 0).map(counted).collect::<Vec<_>>();
        if said.is_empty() {
            said.push(counted((0, second)));
        }
        let is_one = [1, 60, 3600].contains(&seconds);
        let left = if is_one { left.first() } else { left.last() };
        left.map_or_else(String::new, |left| left.replace("{}", &said.join(" ")))
    }

    /// The number of a move.
    ///
    /// ```
    /// use laws::blind::Voice;
    /// assert_eq!(Voice::default().move_number(23), "Zug 23");
    /// ```
    pub fn move_number(self, number: u32) -> String {
        self.words().move_number.replace("{}", &number.to_string())
    }

    /// What is said, as a speech engine has to read it.
    ///
    /// ```
    /// use laws::blind::Voice;
    /// assert_eq!(Voice::default().respelt("bietet Remis"), "bietet Remie");
    /// ```
    pub fn respelt(self, said: &str) -> String {
        let respelt = |word: &str| {
            let known = self.words().respelt.iter().find(|(known, _)| known == word);
            known.map_or_else(|| word.to_owned(), |(_, spelling)| spelling.clone())
        };
        said.split(' ').map(respelt).collect::<Vec<_>>().join(" ")
    }

    pub(super) fn words(self) -> &'static Words {
        &VOICES[self.0]
    }

    pub(super) fn number(self) -> usize {
        self.0
    }
}

impl Default for Voice {
    /// What the Laws give.
    fn default() -> Voice {
        Voice::of_code("fide-de").expect("the German words are among the files")
    }
}

impl Words {
    /// Reads a file: a line a word, `name = word|other word`. What is missing or unknown is named.
    pub(super) fn read(text: &str) -> Result<Words, String> {
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
        let mut entries = Vec::new();
        for line in lines {
            let (name, value) = line.split_once('=').ok_or_else(|| format!("\"{line}\" has no ="))?;
            entries.push((name.trim(), value.trim()));
        }
        let get = |name: &str| {
            let found = entries.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| *value).ok_or_else(|| format!("\"{name}\" is missing"))
        };
        let phrase = |(name, phrase): (&str, Phrase)| Ok((phrase, synonyms(get(name)?)));
        let two = |name: &str| Ok::<_, String>(listed::<2>(get(name)?)?.map(|mut word| word.remove(0)));
        Ok(Words {
            code: get("code")?.to_owned(),
            language: get("language")?.to_owned(),
            files: [listed(get("files")?)?, listed(get("files.international")?)?],
            ranks: listed(get("ranks")?)?,
            clear_ranks: listed(get("ranks.clear")?)?,
            men: listed(get("men")?)?,
            letters: listed(get("letters")?)?,
            move_number: get("move_number")?.to_owned(),
            respelt: get("respelt")?.split_whitespace().map(respelling).collect::<Result<_, String>>()?,
            phrases: PHRASES.into_iter().map(phrase).collect::<Result<_, String>>()?,
            counting: Counting {
                left: synonyms(get("left")?),
                hour: two("hour")?,
                minute: two("minute")?,
                second: two("second")?,
            },
        })
    }
}

/// A word and its spelling for speech engines.
fn respelling(pair: &str) -> Result<(String, String), String> {
    let (word, spelling) = pair.split_once('>').ok_or_else(|| format!("\"{pair}\" has no >"))?;
    Ok((word.to_owned(), spelling.to_owned()))
}

/// So many words in a line, each with its synonyms.
fn listed<const COUNT: usize>(value: &str) -> Result<[Synonyms; COUNT], String> {
    let words = value.split_whitespace().map(synonyms).collect::<Vec<_>>();
    words.try_into().map_err(|words: Vec<_>| format!("\"{value}\" has {} words where {COUNT} belong", words.len()))
}

fn synonyms(value: &str) -> Synonyms {
    value.split('|').map(|word| word.trim().to_owned()).collect()
}

fn first(synonyms: &'static [String]) -> &'static str {
    synonyms.first().map_or("", String::as_str)
}

fn place(role: Role) -> usize {
    MEN.iter().position(|man| *man == role).expect("six men")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_is_a_language() {
        for text in FILES {
            let words = Words::read(text).unwrap_or_else(|missing| panic!("{missing}"));
            assert!(words.letters.iter().all(|letter| letter[0].chars().count() == 1), "{}", words.code);
        }
        assert_eq!(Voice::all().map(Voice::code).collect::<Vec<_>>(), ["fide-de", "en", "es"]);
    }

    #[test]
    fn what_is_left_is_one_or_several() {
        let left = |code: &str| {
            let voice = Voice::of_code(code).expect("a language");
            [0, 1, 2, 60, 61, 120, 3600, 7200].map(|seconds| voice.left(seconds)).join("; ")
        };
        assert_eq!(
            left("es"),
            "quedan 0 segundos; queda 1 segundo; quedan 2 segundos; queda 1 minuto; quedan 1 minuto 1 segundo; \
             quedan 2 minutos; queda 1 hora; quedan 2 horas"
        );
        assert_eq!(
            left("fide-de"),
            "noch 0 Sekunden; noch 1 Sekunde; noch 2 Sekunden; noch 1 Minute; noch 1 Minute 1 Sekunde; \
             noch 2 Minuten; noch 1 Stunde; noch 2 Stunden"
        );
        assert_eq!(
            left("en"),
            "0 seconds left; 1 second left; 2 seconds left; 1 minute left; 1 minute 1 second left; \
             2 minutes left; 1 hour left; 2 hours left"
        );
    }

    #[test]
    fn what_a_file_lacks_is_named() {
        let without = FILES[0].replace("mate = ", "maid = ");
        assert_eq!(Words::read(&without).err().as_deref(), Some("\"mate\" is missing"));
        let short = FILES[0].replace("ranks.clear = eins ", "ranks.clear = ");
        assert!(Words::read(&short).is_err_and(|said| said.contains("7 words where 8 belong")));
    }
}
