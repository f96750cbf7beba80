//! What was really played, to compare with what was understood, and as PGN.

use std::fmt;

use shakmaty::{
    CastlingMode, Chess, Color, EnPassantMode, KnownOutcome, Move, Position, Square, fen::Fen, san::SanPlus,
};

use super::deed::Offence;

/// One game as it was really played.
#[derive(Clone, Debug)]
pub struct Record {
    /// The tags of the PGN it came from.
    pub tags: Vec<(String, String)>,
    /// Where it began.
    pub start: Chess,
    /// How castling is written in its set-up.
    pub castling: CastlingMode,
    /// The moves, with their times.
    pub plies: Vec<Ply>,
    /// Presses with something unlawful on the board.
    pub offences: Vec<IllegalPress>,
    /// The result, once the game is over.
    pub outcome: Option<KnownOutcome>,
    /// The result the kings have shown.
    pub signalled: Option<KnownOutcome>,
    /// The game is over.
    pub ended: Option<u64>,
    /// Moves tried after the end.
    pub tried: Vec<Ply>,
    /// Other moves that were played on the way and taken back.
    pub detours: Vec<Detour>,
    /// When the clock was started and stopped.
    pub clock: Vec<(u64, bool)>,
    /// When the desk heard the result.
    pub given: Option<u64>,
    /// When the men stood ready for another game.
    pub ready: Option<u64>,
    /// The king and queen of this side stood on each other's squares when the game began.
    pub swapped: Option<Color>,
}

/// Moves that were played from a position of the game and taken back to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Detour {
    /// How many plies of the game had been played.
    pub ply: usize,
    /// What was tried.
    pub moves: Vec<Move>,
    /// When the men stood as before.
    pub over: Option<u64>,
}

/// Something that was wrong with a board or its clock for longer than a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What.
    pub kind: FaultKind,
    /// Since when.
    pub from: u64,
    /// Until when; nothing while it lasts.
    pub until: Option<u64>,
}

/// What was wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// This square reads nothing.
    Dead(Square),
    /// The man on the first square is read on the second.
    Beside(Square, Square),
    /// Nothing is heard of the squares.
    Hidden,
    /// The lever is read where it lay.
    LeverStuck,
}

/// One move as it was really made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ply {
    /// The move.
    pub mv: Move,
    /// When the last man of it landed.
    pub landed: Option<u64>,
    /// When the clock was pressed, or the move done where there is no clock.
    pub pressed: Option<u64>,
}

/// A press with something unlawful on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IllegalPress {
    /// During which ply.
    pub ply: usize,
    /// What it was.
    pub offence: Offence,
    /// When.
    pub at: u64,
}

impl Record {
    pub(super) fn new(tags: Vec<(String, String)>, start: Chess, castling: CastlingMode) -> Record {
        Record {
            tags,
            start,
            castling,
            plies: Vec::new(),
            offences: Vec::new(),
            outcome: None,
            signalled: None,
            ended: None,
            tried: Vec::new(),
            detours: Vec::new(),
            clock: Vec::new(),
            given: None,
            ready: None,
            swapped: None,
        }
    }

    /// The moves up to the last one whose clock was pressed.
    pub fn moves(&self) -> impl Iterator<Item = Move> + '_ {
        self.plies.iter().take_while(|ply| ply.pressed.is_some()).map(|ply| ply.mv)
    }

    /// The position after [`Record::moves`].
    pub fn position(&self) -> Chess {
        let mut position = self.start.clone();
        self.moves().for_each(|mv| position.play_unchecked(mv));
        position
    }

    /// The clock ran at this moment.
    pub fn clock_ran(&self, at: u64) -> bool {
        self.clock.iter().rfind(|(since, _)| *since <= at).is_some_and(|(_, runs)| *runs)
    }

    fn result(&self) -> &'static str {
        self.outcome.map_or("*", KnownOutcome::as_str)
    }
}

/// The PGN of the game so far.
impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const ROSTER: [(&str, &str); 6] =
            [("Event", "?"), ("Site", "?"), ("Date", "????.??.??"), ("Round", "?"), ("White", "?"), ("Black", "?")];
        let given = |name: &str| self.tags.iter().find(|(tag, _)| tag == name).map(|(_, value)| value.as_str());
        for (name, unknown) in ROSTER {
            tag(f, name, given(name).unwrap_or(unknown))?;
        }
        tag(f, "Result", self.result())?;
        if self.start != Chess::default() {
            let setup = self.start.to_setup(EnPassantMode::Legal);
            tag(f, "SetUp", "1")?;
            let fen = Fen::try_from(setup).expect("a position that was read from a FEN is one again");
            tag(f, "FEN", &fen.to_string())?;
        }
        let written =
            |name: &str| ROSTER.iter().any(|(tag, _)| *tag == name) || ["Result", "SetUp", "FEN"].contains(&name);
        for (name, value) in self.tags.iter().filter(|(name, _)| !written(name)) {
            tag(f, name, value)?;
        }
        writeln!(f)?;
        self.movetext(f)
    }
}

impl Record {
    fn movetext(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        /// PGN's export format keeps lines below eighty.
        const WIDTH: usize = 79;
        let mut position = self.start.clone();
        let mut words = Vec::new();
        for mv in self.moves() {
            let number = position.fullmoves();
            match position.turn() {
                Color::White => words.push(format!("{number}.")),
                Color::Black if words.is_empty() => words.push(format!("{number}...")),
                Color::Black => {}
            }
            words.push(SanPlus::from_move_and_play_unchecked(&mut position, mv).to_string());
        }
        words.push(self.result().to_owned());
        let mut column = 0;
        for word in words {
            if column > 0 && column + 1 + word.len() > WIDTH {
                writeln!(f)?;
                column = 0;
            } else if column > 0 {
                write!(f, " ")?;
                column += 1;
            }
            write!(f, "{word}")?;
            column += word.len();
        }
        writeln!(f)
    }
}

fn tag(f: &mut fmt::Formatter<'_>, name: &str, value: &str) -> fmt::Result {
    let escaped = value.replace('\\', "\\\\").replace('"', "\\\"");
    writeln!(f, "[{name} \"{escaped}\"]")
}
