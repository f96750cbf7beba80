//! The letters of the languages.

use shakmaty::Role;

/// A language whose letters a scoresheet may use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Language {
    /// `en`
    #[default]
    English,
    /// `es`
    Spanish,
    /// `de`
    German,
    /// `fr`
    French,
    /// `it`
    Italian,
    /// `pt`
    Portuguese,
    /// `nl`
    Dutch,
    /// `figurine`: pictures of the men, as printed matter uses them.
    Figurine,
}

/// One row of the table: code, letters from king to pawn, the mark for a capture en passant.
struct Letters {
    code: &'static str,
    men: &'static str,
    en_passant: &'static str,
}

impl Language {
    /// All of them.
    pub const ALL: [Language; 8] = [
        Language::English,
        Language::Spanish,
        Language::German,
        Language::French,
        Language::Italian,
        Language::Portuguese,
        Language::Dutch,
        Language::Figurine,
    ];

    /// The language of a code.
    ///
    /// ```
    /// use laws::notation::Language;
    /// assert_eq!(Language::of_code("es"), Some(Language::Spanish));
    /// ```
    pub fn of_code(code: &str) -> Option<Language> {
        Language::ALL.into_iter().find(|language| language.code() == code)
    }

    /// Its code, as in settings.
    pub fn code(self) -> &'static str {
        self.row().code
    }

    /// The letter of a piece; a pawn has none.
    pub fn letter(self, role: Role) -> Option<char> {
        self.row().men.chars().nth(place(role)).filter(|_| role != Role::Pawn)
    }

    /// The man a letter means. Players do write a letter for pawns, so that is understood.
    pub fn role(self, letter: char) -> Option<Role> {
        let found = self.row().men.chars().position(|known| known == letter)?;
        ORDER.get(found).copied()
    }

    /// The mark behind a capture en passant.
    pub fn en_passant(self) -> &'static str {
        self.row().en_passant
    }

    #[rustfmt::skip]
    fn row(self) -> Letters {
        let (code, men, en_passant) = match self {
            Language::English    => ("en",       "KQRBNP",  "e.p."),
            Language::Spanish    => ("es",       "RDTACP",  "a.p."),
            Language::German     => ("de",       "KDTLSB",  "e.p."),
            Language::French     => ("fr",       "RDTFCP",  "e.p."),
            Language::Italian    => ("it",       "RDTACP",  "e.p."),
            Language::Portuguese => ("pt",       "RDTBCP",  "e.p."),
            // No letter for the pawn: pion would be another P.
            Language::Dutch      => ("nl",       "KDTLP",   "e.p."),
            Language::Figurine   => ("figurine", "♔♕♖♗♘♙", "e.p."),
        };
        Letters { code, men, en_passant }
    }
}

/// The order of the letters in a row.
const ORDER: [Role; 6] = [Role::King, Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn];

fn place(role: Role) -> usize {
    match role {
        Role::King => 0,
        Role::Queen => 1,
        Role::Rook => 2,
        Role::Bishop => 3,
        Role::Knight => 4,
        Role::Pawn => 5,
    }
}
