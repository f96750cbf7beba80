//! One table as a page shows it.

use serde::{Deserialize, Serialize};

use super::{Change, Extent, squares};
use crate::{
    board::Link,
    feed::{
        ClockView, Clocks, Delay, EarlierGame, GameResult, Matter, Player, Proposal, Score, Side, State, TableId,
        TableView, TimeControl,
    },
};

/// One table. Its address and the number of its game together are the address of the game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Table {
    /// Which table.
    pub table: TableId,
    /// The how-many-eth game at this table in this round; 0 before the first.
    pub game: u32,
    /// Where the game is in its life.
    pub state: State,
    /// White, once a pairing is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub white: Option<Player>,
    /// Black, once a pairing is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub black: Option<Player>,
    /// The time control, where it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_control: Option<TimeControl>,
    /// The position the game started from, as FEN. The wall does without.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// The ply of the first move of `san`, from 1.
    pub ply: usize,
    /// The moves from that ply on: on a table's page all of them, on the wall the last. Whether it gives check is in its
    /// last sign.
    pub san: Vec<String>,
    /// How many moves at the end of the line are only seen, and may still be replaced.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub provisional: usize,
    /// The position after the line: the placement field of a FEN.
    pub placement: String,
    /// Who is to move after the line.
    pub turn: Side,
    /// What else belongs to the position, as the last four fields of a FEN: who may castle, where may be taken in passing,
    /// plies since a pawn was moved or a man taken, the number of the next move.
    pub rest: String,
    /// The last move of the line in UCI, for marking its squares.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last: Option<String>,
    /// The clock, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<ClockView>,
    /// The board can't be explained at the moment.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub held: bool,
    /// Whether the table's board can be heard; absent while it has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link: Option<Link>,
    /// The result, `*` while there is none.
    pub result: GameResult,
    /// What both score, where the result alone does not say it: a forfeit, or what PGN has no word for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<Score>,
    /// How far all this is behind what happens; absent where it is not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delay: Option<Delay>,
    /// The games before this one. Their moves are at `/pgn/EVENT/ROUND/TABLE/GAME`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub earlier: Vec<EarlierGame>,
    /// The alerts of the game and what became of them. For the operator and the arbiter only, as are the three below it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub alerts: Vec<Matter>,
    /// What the arbiter is offered to decide.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proposal: Option<Proposal>,
    /// What stands on the board where that is not what the record says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub board: Option<String>,
    /// The squares on which it differs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub differs: Vec<String>,
    /// An arbiter has acknowledged, and both clocks stand.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub attended: bool,
    /// The game is adjourned: it goes on when the envelope is opened.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub adjourned: bool,
    /// What both clocks showed when it was, and have to be set to when it goes on, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adjourned_ms: Option<Clocks>,
}

impl Table {
    /// A view as a page shows it.
    pub fn of(view: &TableView, extent: Extent) -> Table {
        let from = extent.first_of(view);
        Table {
            table: view.table.clone(),
            game: view.game,
            state: view.state,
            white: view.white.clone(),
            black: view.black.clone(),
            time_control: view.time_control,
            start: (extent == Extent::WholeLine).then(|| view.start.clone()),
            ply: from + 1,
            san: view.line.after(from),
            provisional: view.line.len().saturating_sub(view.settled),
            placement: view.placement.clone(),
            turn: view.turn,
            rest: view.rest.clone(),
            last: view.last.clone(),
            clock: view.clock,
            held: view.held,
            link: view.link,
            result: view.result,
            score: view.score,
            delay: view.delay,
            earlier: view.earlier.clone(),
            alerts: view.matters.alerts.clone(),
            proposal: view.matters.proposal.clone(),
            board: view.matters.board.clone(),
            differs: view.matters.differs.clone(),
            attended: view.attended,
            adjourned: view.adjourned,
            adjourned_ms: view.adjourned_ms,
        }
    }

    /// Takes in a change, as every page does.
    pub fn apply(&mut self, change: &Change) {
        self.apply_line(change);
        self.apply_position(change);
        replace(&mut self.game, &change.game);
        replace(&mut self.state, &change.state);
        replace(&mut self.white, &change.white);
        replace(&mut self.black, &change.black);
        replace(&mut self.time_control, &change.time_control);
        replace(&mut self.held, &change.held);
        replace(&mut self.link, &change.link);
        replace(&mut self.result, &change.result);
        replace(&mut self.score, &change.score);
        replace(&mut self.delay, &change.delay);
        replace(&mut self.earlier, &change.earlier);
        replace(&mut self.alerts, &change.alerts);
        replace(&mut self.proposal, &change.proposal);
        replace(&mut self.board, &change.board);
        replace(&mut self.differs, &change.differs);
        replace(&mut self.attended, &change.attended);
        replace(&mut self.adjourned, &change.adjourned);
        replace(&mut self.adjourned_ms, &change.adjourned_ms);
        if let Some(reading) = &change.clock {
            self.clock = reading.as_ref().map(|reading| reading.onto(self.clock));
        }
    }

    fn apply_line(&mut self, change: &Change) {
        replace(&mut self.start, &change.start.clone().map(Some));
        if let Some(ply) = change.ply {
            // Where the moves before are not known, as on the wall, the line begins with what is new.
            if ply < self.ply || ply > self.ply + self.san.len() {
                self.ply = ply;
            }
            self.san.truncate(ply - self.ply);
            self.san.extend(change.san.iter().cloned());
        }
        replace(&mut self.provisional, &change.provisional);
    }

    fn apply_position(&mut self, change: &Change) {
        replace(&mut self.placement, &change.placement);
        if let Some(squares) = &change.squares {
            self.placement = squares::apply(&self.placement, squares);
        }
        replace(&mut self.turn, &change.turn);
        replace(&mut self.rest, &change.rest);
        replace(&mut self.last, &change.last);
    }
}

fn replace<T: Clone>(old: &mut T, new: &Option<T>) {
    if let Some(new) = new {
        old.clone_from(new);
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks with a reference")]
fn is_zero(count: &usize) -> bool {
    *count == 0
}
