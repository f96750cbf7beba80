//! What the hall can be told.

use serde::{Deserialize, Serialize};

use super::{
    Address, AlertKind, Blind, Bye, Claim, Clocks, Earphone, Notation, Pairing, Place, Player, Request, Rules, Score,
    Side, TableId, TimeControl, Variant,
};

/// A command, and the table it is for where it is for one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Order {
    /// The table, or one game of it.
    #[serde(default, rename = "table", skip_serializing_if = "Option::is_none")]
    pub at: Option<Address>,
    /// What to do.
    #[serde(flatten)]
    pub command: Command,
}

impl Order {
    /// An order for the whole hall.
    pub fn to_hall(command: Command) -> Order {
        Order { at: None, command }
    }

    /// An order for one table.
    pub fn to_table(table: TableId, command: Command) -> Order {
        Order { at: Some(table.into()), command }
    }

    /// The table it is for.
    pub fn table(&self) -> Option<&TableId> {
        self.at.as_ref().map(|at| &at.table)
    }
}

/// What can be asked for. Every command that was carried out is an input of the journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "command", rename_all = "snake_case")]
pub enum Command {
    /// Says what an event is, or more about it. Its rounds have it from there. What is absent is as it was.
    Event {
        /// The event's name in addresses and file names.
        event: String,
        /// Its name for people.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        title: Option<String>,
        /// The place, for the PGN.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        site: Option<String>,
        /// The day of each round from the first on, `2026.11.20`; the same again where several are played on one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        days: Option<Vec<String>>,
        /// The time control of all its rounds.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        time_control: Option<TimeControl>,
        /// What its games are played by.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rules: Option<Box<Rules>>,
        /// In which letters its scoresheets are written.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        notation: Option<Notation>,
    },
    /// Opens a round, also one that was closed: it is on the wall, and from here on boards without a table sit down in
    /// it. What is absent is as it was, or as the event has it.
    OpenRound {
        /// The event's name in addresses and file names.
        event: String,
        /// From 1.
        round: u16,
        /// The event's name for people.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        title: String,
        /// The place, for the PGN.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        site: String,
        /// The day, `YYYY.MM.DD`; today if it is nowhere said.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        date: String,
        /// The time control, where it is known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        time_control: Option<TimeControl>,
        /// What the games of the round are played by.
        #[serde(default, skip_serializing_if = "Rules::are_usual")]
        rules: Box<Rules>,
    },
    /// Closes a round: it leaves the wall and stays at its address.
    CloseRound {
        /// The event.
        event: String,
        /// The round.
        round: u16,
    },
    /// Who plays whom in a round, all of it: tables that are not named are taken away. The round need not be open.
    Pairings {
        /// The event's name in addresses and file names.
        event: String,
        /// From 1.
        round: u16,
        /// The event's name for people, where it was given none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        title: Option<String>,
        /// The place, where it was given none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        site: Option<String>,
        /// The tables, each once.
        pairings: Vec<Pairing>,
        /// Who has nobody to play with.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        byes: Vec<Bye>,
        /// The report file they come from, which is to be given back with the results.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        file: Option<Box<ReportFile>>,
    },
    /// Takes a table away, or a round, or an event, as long as nothing was played there.
    Remove {
        /// The event, where it is not one table.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        event: Option<String>,
        /// The round; all of them if absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        round: Option<u16>,
    },
    /// Names the players of a table, or of one game there.
    Pair {
        /// White.
        white: Box<Player>,
        /// Black.
        black: Box<Player>,
    },
    /// Puts a board on a table; it keeps that table wherever it is plugged in.
    Assign {
        /// The board's serial number.
        board: String,
    },
    /// Which board belongs to which table, in all rounds of an event: the whole list, in place of the one before.
    Boards {
        /// The event's name in addresses and file names.
        event: String,
        /// The boards, each once; of a table no more than two.
        boards: Vec<Place>,
    },
    /// A game that was begun before its round was opened goes on in that round, and its board with it; without a table
    /// all games that run in rounds nobody has planned.
    TakeOver {
        /// The event it goes on in.
        event: String,
        /// The round, which is open.
        round: u16,
        /// The table there; the one its board belongs to, or the same number, if absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        number: Option<u16>,
    },
    /// The games of a round, or of a table, begin from a start position of Chess960.
    StartPosition {
        /// The round's event; absent where a table is named.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        event: Option<String>,
        /// The round.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        round: Option<u16>,
        /// Which of them, from 0 to 959; 518 is the ordinary one. Drawn if absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        number: Option<u16>,
    },
    /// Begins a game, from the initial position or another.
    NewGame {
        /// The position; the initial one if absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        fen: Option<String>,
        /// Which chess.
        #[serde(default)]
        variant: Variant,
    },
    /// Takes back the last final moves.
    Undo {
        /// How many.
        plies: usize,
    },
    /// The record's position is this one. Where the game has been there before, later moves leave the record; otherwise
    /// it goes on from here without the moves that led here.
    SetPosition {
        /// The position.
        fen: String,
    },
    /// It is this side's turn in the position the game begins with.
    SetTurn {
        /// Whose.
        side: Side,
    },
    /// Moves that were played and are not in the record.
    Insert {
        /// Before which ply, from 1; at the end if absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        ply: Option<usize>,
        /// The moves, as players or as programs write them.
        moves: Vec<String>,
        /// Later moves that do not fit any more are taken back.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        cut: bool,
    },
    /// A ply of the record was another move.
    Replace {
        /// Which, from 1.
        ply: usize,
        /// The move, as players or as programs write it.
        #[serde(rename = "move")]
        played: String,
        /// Later moves that do not fit any more are taken back.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        cut: bool,
    },
    /// Of the lines an `ambiguous` alert has named, it was this one.
    Choose {
        /// The how-many-eth, from 1.
        alternative: usize,
    },
    /// Turns the board half round: White sits on the other side.
    TurnBoard,
    /// The table's clock does not tell, whatever it told before: moves are final by a reply or by rest, until a press
    /// completes one.
    ClockTells {
        /// True to take it back.
        tells: bool,
    },
    /// Gives the result, or takes it back with `*`.
    Result {
        /// As PGN writes it, and what PGN has no word for: `+/-` and `-/+` where one did not come, `-/-` where neither
        /// did, `0-0`, `1/2-0` and `0-1/2`.
        result: Score,
    },
    /// This table is played by other rules than its round, or by others from here on.
    Rules {
        /// Which.
        rules: Box<Rules>,
    },
    /// The arbiter starts the game: the set-up is compared, White's clock runs.
    Start,
    /// The arbiter stops the game.
    Stop,
    /// The game goes on as it stands.
    Resume,
    /// The position after so many plies of the record is to be set up again; later ones leave the record.
    Restore {
        /// How many plies stay.
        to: usize,
    },
    /// The arbiter accepts what is proposed.
    Confirm,
    /// The arbiter does not accept what is proposed; the game goes on.
    Reject,
    /// An arbiter has seen what the table has raised so far, and is on the way.
    Acknowledge {
        /// Up to which moment, on the clock of the messages: what came up later has not been seen.
        until: u64,
    },
    /// Nothing has to be done about an alert.
    Dismiss {
        /// What it is about.
        kind: AlertKind,
        /// When it was raised, on the clock of the messages.
        at: u64,
        /// Why.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        note: String,
    },
    /// The arbiter penalises a player.
    Penalty {
        /// Whom.
        side: Side,
        /// How.
        penalty: Penalty,
        /// Seconds, where time is given or taken.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seconds: Option<u32>,
        /// What for, and whatever else should be remembered.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        note: String,
    },
    /// The arbiter sets the clocks.
    AdjustTimes {
        /// What White's clock shows from here on, in milliseconds.
        white_ms: u64,
        /// What Black's clock shows.
        black_ms: u64,
    },
    /// So many completed illegal moves are held against each player.
    IllegalMoves {
        /// White's.
        white: u32,
        /// Black's.
        black: u32,
    },
    /// A player claims a draw or a loss on time.
    Claim {
        /// Who.
        side: Side,
        /// What.
        claim: Claim,
        /// The move the player intends to make, as players or as programs write it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        intended: Option<String>,
    },
    /// A player offers a draw.
    DrawOffer {
        /// Who.
        side: Side,
    },
    /// A player accepts the draw.
    DrawAccept {
        /// Who.
        side: Side,
    },
    /// A player declines the draw.
    DrawDecline {
        /// Who.
        side: Side,
    },
    /// A player resigns.
    Resign {
        /// Who.
        side: Side,
    },
    /// A player says that the men will be adjusted.
    AdjustAnnounced {
        /// Who.
        side: Side,
    },
    /// A player announces a move, as it is played with a blind player.
    Announce {
        /// Who.
        side: Side,
        /// In which words.
        text: String,
        /// It is played with these words: nobody makes it on a board, as where the blind player has none with sensors.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        play: bool,
    },
    /// These players of the table are blind: their moves are announced. Where the board is a sighted player's, an
    /// assistant moves their men on it.
    Blind {
        /// Which.
        players: Blind,
        /// Of two boards with sensors at the table the one that White moves on, by its serial number; the other one is
        /// Black's. Unless somebody has said it, it is found out by the first move.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        white_board: Option<String>,
    },
    /// A player hears the opponent's moves like this from here on.
    Voice {
        /// Who.
        side: Side,
        /// How; not any more if absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        earphone: Option<Box<Earphone>>,
    },
    /// A player who hears the game asks for something.
    Ask {
        /// Who.
        side: Side,
        /// For what.
        request: Request,
    },
    /// The game is adjourned: position, times and counters are kept.
    Adjourn {
        /// What both clocks have to be set to when it goes on; what they show if absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        clocks_ms: Option<Clocks>,
    },
    /// The envelope is opened and the sealed move made.
    OpenSealed {
        /// What is written in it.
        text: String,
    },
    /// From here on spectators are shown everything so much later: of a table where the order names one, of an event, or
    /// of all. It counts for all of them, whatever was ordered for some before.
    Delay {
        /// Of which event; of all if absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        event: Option<String>,
        /// So many seconds later.
        #[serde(default)]
        seconds: u32,
        /// And so many moves of a player behind, until the game is over.
        #[serde(default)]
        plies: u16,
    },
    /// Spectators are shown these tables and no others, of an event or of all.
    OnAir {
        /// Of which event; of all if absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        event: Option<String>,
        /// Which.
        tables: OnAir,
    },
    /// Spectators are shown no table at which this player sits, or may be again.
    Withhold {
        /// The name, as it stands in the pairing.
        player: String,
        /// False to take it back.
        #[serde(default = "yes")]
        withheld: bool,
    },
    /// From here on this receiver is told games as they happen, as it holds them back by itself: delays add up. Of the
    /// tables on air, and of no others.
    TellLive {
        /// What the configuration calls it.
        target: String,
        /// False to take it back.
        #[serde(default = "yes")]
        live: bool,
    },
    /// Somebody has seen something no sensor can see.
    Report {
        /// What.
        kind: AlertKind,
        /// About whom, where it is about one player.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        side: Option<Side>,
    },
}

impl Command {
    /// What both clocks are set to by it, or have to be set to when the game goes on.
    pub fn times(&self) -> Option<Clocks> {
        if let Command::AdjustTimes { white_ms: white, black_ms: black } = *self {
            return Some(Clocks { white, black });
        }
        if let Command::Adjourn { clocks_ms } = self { *clocks_ms } else { None }
    }
}

fn yes() -> bool {
    true
}

/// A report file as it came.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ReportFile {
    /// What stands in it.
    pub text: String,
    /// How its letters are written: `utf-8`, `utf-8-bom`, `utf-16le`, `utf-16be`, `windows-1250` to `-1252`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub encoding: String,
}

/// Which tables of a round spectators are shown.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum OnAir {
    /// All.
    #[default]
    All,
    /// None.
    None,
    /// From the first to this one.
    First(u16),
    /// These.
    List(Vec<u16>),
}

/// What an arbiter may penalise a player with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Penalty {
    /// A warning.
    Warning,
    /// The opponent gets more time.
    OpponentTime,
    /// The player gets less.
    OwnTime,
    /// The opponent's points are raised to the most that can be had.
    OpponentPoints,
    /// The player's points are reduced.
    OwnPoints,
    /// The game is lost.
    Loss,
    /// A fine that was announced in advance.
    Fine,
    /// Exclusion from rounds.
    Exclusion,
    /// Expulsion from the event.
    Expulsion,
}
