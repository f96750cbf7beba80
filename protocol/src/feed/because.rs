//! What stands in the way of an order, for pages that say it in the language of their reader.

use serde::{Deserialize, Serialize};

use super::{Side, TableId};

/// Why an order was not carried out. The sentence that comes with it says the same in English.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Because {
    /// No game has begun at the table.
    NoGame,
    /// The game has ended.
    GameOver,
    /// Nothing is proposed.
    NothingProposed,
    /// No lines are there to choose from.
    NothingToChoose,
    /// The record has no moves.
    NoMoves,
    /// The record has fewer of them.
    FewerMoves {
        /// So many plies.
        moves: usize,
    },
    /// What was written is no move.
    NoMove {
        /// As it was written.
        text: String,
    },
    /// It is none that is legal there.
    IllegalMove {
        /// As it was written.
        text: String,
        /// Whose move it would be,
        side: Side,
        /// and the how-many-eth.
        number: u32,
    },
    /// It may be several.
    SeveralMoves {
        /// As it was written.
        text: String,
        /// These.
        moves: Vec<String>,
    },
    /// Behind a move that is not legal nothing can be played.
    PastAnIllegalMove,
    /// No illegal move that could be claimed was seen.
    NoIllegalMove,
    /// The clock shows that the flag is up.
    NoFlag,
    /// No draw was offered.
    NoOffer,
    /// The offer was declined by a touch.
    OfferDeclined,
    /// The game is not adjourned.
    NotAdjourned,
    /// The board shows another position.
    BoardDiffers {
        /// On these squares.
        squares: Vec<String>,
    },
    /// No clock shows such a time.
    NoSuchClock,
    /// The Laws in force have no quickplay rules.
    NoQuickplay,
    /// They were not announced.
    QuickplayNotAnnounced,
    /// Blitz has none.
    QuickplayBlitz,
    /// Nor have games with an increment.
    QuickplayIncrement,
    /// It is not the last period.
    QuickplayNotLastPeriod,
    /// Another player has the move.
    QuickplayNotOnMove,
    /// Two minutes or more are left.
    QuickplayTooEarly,
    /// None is left.
    QuickplayTooLate,
    /// Nobody has spoken of such an event.
    NoEvent {
        /// As it was written.
        event: String,
        /// Those there are.
        known: Vec<String>,
    },
    /// Nobody has spoken of such a round of it.
    NoRound {
        /// The event,
        event: String,
        /// and the round.
        round: u16,
    },
    /// No event can be called this in addresses.
    NoName {
        /// As it was written.
        text: String,
    },
    /// No board was assigned to the table.
    NoTable {
        /// Which table.
        table: TableId,
    },
    /// People sit there, and no board.
    NoBoard {
        /// Which table.
        table: TableId,
    },
    /// The round has no such pairing, and no game has begun there.
    NobodyPlays {
        /// Which table.
        table: TableId,
    },
    /// Two boards stand there already.
    TwoBoards {
        /// Which table.
        table: TableId,
    },
    /// Something was played there, or it has a result: it can't be taken away.
    TableStays {
        /// Which table.
        table: TableId,
    },
    /// A list names its event nowhere.
    WhichEvent,
    /// Nor its round.
    WhichRound,
    /// Lines of it can't be read; the sentence says why.
    UnreadableLines {
        /// Their numbers, from 1.
        lines: Vec<usize>,
    },
    /// It has other rounds than the one that is meant.
    OtherRounds {
        /// The one that is meant.
        round: u16,
        /// Those it has.
        rounds: Vec<u16>,
    },
}
