//! Moves as a scoresheet has them.

use shakmaty::{CastlingSide, Chess, Color, File, Move, Position, Rank, Role, Square, san::San};

use super::Language;

/// How a player offers a draw on the scoresheet.
pub const DRAW_OFFER: &str = "(=)";

/// How moves are written.
///
/// ```
/// use laws::notation::{Language, Style};
/// use shakmaty::{Chess, san::San};
///
/// let start = Chess::default();
/// let knight = "Nf3".parse::<San>()?.to_move(&start)?;
/// assert_eq!(Style::of(Language::Spanish).write(&start, knight), "Cf3");
/// assert_eq!(Style::long(Language::German).write(&start, knight), "Sg1f3");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// Whose letters.
    pub language: Language,
    /// With the square of departure or without.
    pub form: Form,
    /// Whether a capture has its `x`.
    pub captures: bool,
    /// Whether check has its `+` and mate its `#`.
    pub checks: bool,
    /// Whether a capture en passant is marked.
    pub en_passant: bool,
}

/// How much of a move is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// `Cf3`: the square of departure only as far as it is needed.
    #[default]
    Short,
    /// `Cg1f3`: always.
    Long,
}

impl Style {
    /// Short, with every mark.
    pub fn of(language: Language) -> Style {
        Style { language, form: Form::Short, captures: true, checks: true, en_passant: true }
    }

    /// Long, with every mark.
    pub fn long(language: Language) -> Style {
        Style { form: Form::Long, ..Style::of(language) }
    }

    /// Short, without the marks that the Laws call optional.
    pub fn bare(language: Language) -> Style {
        Style { captures: false, checks: false, en_passant: false, ..Style::of(language) }
    }

    /// A move that is legal in this position.
    pub fn write(&self, position: &Chess, played: Move) -> String {
        let mut text = match played.castling_side() {
            Some(CastlingSide::KingSide) => "0-0".to_owned(),
            Some(CastlingSide::QueenSide) => "0-0-0".to_owned(),
            None => self.squares(position, played),
        };
        if self.checks {
            text.push_str(check_mark(position, played));
        }
        if self.en_passant && played.is_en_passant() {
            text.push(' ');
            text.push_str(self.language.en_passant());
        }
        text
    }

    /// The same with an offer of a draw behind it.
    pub fn write_with_offer(&self, position: &Chess, played: Move) -> String {
        format!("{} {DRAW_OFFER}", self.write(position, played))
    }

    /// A whole game with its move numbers; `offers` are the plies after which a draw was offered, 1 the first.
    ///
    /// ```
    /// use laws::notation::{Language, Style};
    /// use shakmaty::{Chess, Position, uci::UciMove};
    ///
    /// let start = Chess::default();
    /// let mut position = start.clone();
    /// let mut moves = Vec::new();
    /// for uci in ["e2e4", "e7e5", "g1f3"] {
    ///     moves.push(uci.parse::<UciMove>()?.to_move(&position)?);
    ///     position.play_unchecked(moves[moves.len() - 1]);
    /// }
    /// assert_eq!(Style::of(Language::Dutch).sheet(&start, &moves, &[3]), "1. e4 e5 2. Pf3 (=)");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn sheet(&self, start: &Chess, moves: &[Move], offers: &[usize]) -> String {
        let mut position = start.clone();
        let mut sheet = Vec::new();
        for (ply, played) in (1..).zip(moves) {
            match position.turn() {
                Color::White => sheet.push(format!("{}.", position.fullmoves())),
                Color::Black if ply == 1 => sheet.push(format!("{}...", position.fullmoves())),
                Color::Black => {}
            }
            sheet.push(if offers.contains(&ply) {
                self.write_with_offer(&position, *played)
            } else {
                self.write(&position, *played)
            });
            position.play_unchecked(*played);
        }
        sheet.join(" ")
    }

    fn squares(&self, position: &Chess, played: Move) -> String {
        let mut text = String::new();
        text.extend(self.language.letter(played.role()));
        let (file, rank) = self.departure(position, played);
        text.extend(file.map(File::char));
        text.extend(rank.map(Rank::char));
        if self.captures && played.is_capture() {
            text.push('x');
        }
        text.push_str(&played.to().to_string());
        text.extend(played.promotion().and_then(|role| self.language.letter(role)));
        text
    }

    /// What is written of the square of departure.
    fn departure(&self, position: &Chess, played: Move) -> (Option<File>, Option<Rank>) {
        let whole = |square: Square| (Some(square.file()), Some(square.rank()));
        match (self.form, played.from()) {
            (_, None) => (None, None),
            (Form::Long, Some(from)) => whole(from),
            (Form::Short, Some(from)) if played.role() == Role::Pawn => {
                (played.is_capture().then_some(from.file()), None)
            }
            (Form::Short, Some(_)) => match San::from_move(position, played) {
                San::Normal { file, rank, .. } => (file, rank),
                San::Castle(_) | San::Put { .. } | San::Null => (None, None),
            },
        }
    }
}

fn check_mark(position: &Chess, played: Move) -> &'static str {
    let mut after = position.clone();
    after.play_unchecked(played);
    if after.is_checkmate() {
        "#"
    } else if after.is_check() {
        "+"
    } else {
        ""
    }
}
