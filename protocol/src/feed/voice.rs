//! The voice: who at a table is told moves aloud, how, what they asked for, and what was spoken.

use serde::{Deserialize, Serialize};

/// How one player hears the game: whose words, how much of them, and where.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Earphone {
    /// Whose words: `fide-de`, which the Laws give, `en` or `es`.
    pub language: String,
    /// What the files of the board are called.
    pub files: FileNames,
    /// The square a man leaves is said only where it is needed.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub short: bool,
    /// Numbers that can't be taken for one another over a bad line, such as `zwo`.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub clear: bool,
    /// That a man is taken, and which.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub captures: bool,
    /// Check, mate and stalemate, which the Laws do not announce.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub check: bool,
    /// The arbiter allows this player to ask where men stand.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub readings: bool,
    /// Words a minute.
    pub rate: u16,
    /// The sound device by its name; the machine's own if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub device: Option<String>,
    /// The player's own keypad by its device, as `/dev/input/by-id/…-event-kbd`; none if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub keypad: Option<String>,
}

impl Default for Earphone {
    fn default() -> Earphone {
        Earphone {
            language: "fide-de".to_owned(),
            files: FileNames::default(),
            short: false,
            clear: false,
            captures: false,
            check: false,
            readings: false,
            rate: USUAL_RATE,
            device: None,
            keypad: None,
        }
    }
}

/// Words a minute, as a patient person reads moves out.
pub const USUAL_RATE: u16 = 150;

/// What the files of the board are called.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum FileNames {
    /// Anna to Hector, as the Laws have it.
    #[default]
    Anna,
    /// alpha to hotel, as on the radio.
    International,
}

/// What a player may ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Request {
    /// The opponent's last move, again.
    LastMove,
    /// The time the player has left.
    MyClock,
    /// The time both have left.
    BothClocks,
    /// The number of the move.
    MoveNumber,
    /// Where the player's own men of one kind stand.
    Men(Man),
    /// What stands on a file, from `a` to `h`.
    File(char),
    /// What stands on a rank, from 1 to 8.
    Rank(u8),
    /// All men.
    Position,
    /// Repeats and readings are spoken more slowly.
    Slower,
    /// The same, faster.
    Faster,
    /// The names of the files and the numbers of the ranks: does the earphone work?
    Test,
}

impl Request {
    /// Whether the answer tells where men stand: no assistant's duty names it, so the arbiter has to allow it.
    pub fn is_reading(self) -> bool {
        match self {
            Request::Men(_) | Request::File(_) | Request::Rank(_) | Request::Position => true,
            Request::LastMove
            | Request::MyClock
            | Request::BothClocks
            | Request::MoveNumber
            | Request::Slower
            | Request::Faster
            | Request::Test => false,
        }
    }
}

/// A kind of man.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Man {
    /// The king.
    King,
    /// A queen.
    Queen,
    /// A rook.
    Rook,
    /// A bishop.
    Bishop,
    /// A knight.
    Knight,
    /// A pawn.
    Pawn,
}

/// What there is to say of one player's voice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "voice", rename_all = "snake_case")]
pub enum VoiceNews {
    /// From here on the player hears the game like this; not any more if absent.
    Listens {
        /// How.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        earphone: Option<Box<Earphone>>,
    },
    /// The player has asked for something.
    Asked {
        /// What.
        request: Request,
    },
    /// How far one announcement is.
    Spoken(Spoken),
}

/// One announcement on its way into an ear.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Spoken {
    /// The time of what it announces.
    pub of: u64,
    /// The how-many-eth announcement of that time, from 0.
    #[serde(default, skip_serializing_if = "is_first")]
    pub nth: u8,
    /// In which words.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// How far it is.
    pub state: SpokenState,
    /// What is in the way, in a sentence for the staff.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trouble: Option<String>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands fields by reference")]
fn is_first(nth: &u8) -> bool {
    *nth == 0
}

/// How far an announcement is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum SpokenState {
    /// The first sound has gone out.
    Begun,
    /// It was spoken to its end.
    Ended,
    /// It was cut off by a move; only what repeats or reads is.
    Cut,
    /// It could not be spoken: nobody hears this player's announcements. It is tried again.
    Silent,
    /// They can be heard again; it follows from its beginning.
    Back,
}
