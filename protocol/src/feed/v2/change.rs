//! What changes at one table.

use serde::{Deserialize, Deserializer, Serialize};

use super::{Extent, Told, squares};
use crate::{
    board::Link,
    feed::{
        ClockView, Clocks, Delay, EarlierGame, GameResult, Matter, Player, Proposal, RoundView, Score, Side, State,
        TableId, TableView, TimeControl,
    },
};

/// What is different at one table. A member that is absent is as it was.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Change {
    /// Which table; absent where only one is followed. One that was not there before comes with all its members.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<TableId>,
    /// The table is not shown any more.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub gone: bool,
    /// Another game begins at the table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game: Option<u32>,
    /// Where the game is in its life.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<State>,
    /// White; `null` if there is no pairing any more.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "given")]
    pub white: Option<Option<Player>>,
    /// Black; `null` if there is no pairing any more.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "given")]
    pub black: Option<Option<Player>>,
    /// The time control; `null` if it is not known any more.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "given")]
    pub time_control: Option<Option<TimeControl>>,
    /// The position the game starts from, as FEN.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// From this ply on the line is `san`, and has no more moves than that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ply: Option<usize>,
    /// The moves from `ply` on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub san: Vec<String>,
    /// Moves that were final are not any more, or are others: a correction, and not the next move.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub corrected: bool,
    /// How many moves at the end of the line are only seen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provisional: Option<usize>,
    /// The position after the line, told whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub placement: Option<String>,
    /// The position after the line, told by the squares that are different: a square and what stands on it, as in FEN, or
    /// `-` for nothing, one after the other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub squares: Option<String>,
    /// Who is to move after the line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<Side>,
    /// What else belongs to the position after the line, as the last four fields of a FEN.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rest: Option<String>,
    /// The last move of the line in UCI; `null` at the start of a game.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "given")]
    pub last: Option<Option<String>>,
    /// The clock was read; `null` if there is none any more.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "given")]
    pub clock: Option<Option<NewReading>>,
    /// The board can't be explained, or can again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub held: Option<bool>,
    /// Whether the board can be heard; `null` if there is none any more.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "given")]
    pub link: Option<Option<Link>>,
    /// The result, `*` if it was taken back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<GameResult>,
    /// What both score, where the result alone does not say it; `null` if it does.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "given")]
    pub score: Option<Option<Score>>,
    /// How far all this is behind what happens; `null` if it is not any more.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "given")]
    pub delay: Option<Option<Delay>>,
    /// The games before this one, all of them: another was begun, or one of them was changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub earlier: Option<Vec<EarlierGame>>,
    /// The alerts, all of them: one is new, or something has become of one. For the operator and the arbiter only, as are
    /// the three below it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alerts: Option<Vec<Matter>>,
    /// What the arbiter is offered to decide; `null` if nothing is.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "given")]
    pub proposal: Option<Option<Proposal>>,
    /// What stands on the board where that is not what the record says; `null` if it is.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "given")]
    pub board: Option<Option<String>>,
    /// The squares on which it differs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub differs: Option<Vec<String>>,
    /// An arbiter has acknowledged and both clocks stand, or not any more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attended: Option<bool>,
    /// The game is adjourned, or goes on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adjourned: Option<bool>,
    /// What both clocks showed when it was; `null` if it goes on, or if nobody knows.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "given")]
    pub adjourned_ms: Option<Option<Clocks>>,
    /// What has happened at the table and no picture shows: alerts, proposals, touches. For the operator and the arbiter
    /// only; the hall is told of offers of a draw, their answers and clocks that were set.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub told: Vec<Told>,
    /// The rounds that are open, all of them. A change that says so is about no table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rounds: Option<Vec<RoundView>>,
}

/// What a clock shows. A side whose time is not told shows what it showed before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NewReading {
    /// Milliseconds White has left.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub white_ms: Option<u64>,
    /// Milliseconds Black has left.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub black_ms: Option<u64>,
    /// Whose time runs.
    pub running: Option<Side>,
    /// When that was, on the clock of the messages.
    pub at: u64,
}

impl Change {
    /// What makes `before` into `after`; `None` if they are the same. `before` is `None` where the table was not there.
    pub fn between(before: Option<&TableView>, after: &TableView, extent: Extent) -> Option<Change> {
        let Some(before) = before else { return Some(Change::whole(after, extent)) };
        let change = Change {
            game: new(&before.game, &after.game),
            state: new(&before.state, &after.state),
            white: new(&before.white, &after.white),
            black: new(&before.black, &after.black),
            time_control: new(&before.time_control, &after.time_control),
            start: new(&before.start, &after.start).filter(|_| extent == Extent::WholeLine),
            provisional: new(&provisional(before), &provisional(after)),
            turn: new(&before.turn, &after.turn),
            rest: new(&before.rest, &after.rest),
            last: new(&before.last, &after.last),
            clock: new(&before.clock, &after.clock)
                .map(|clock| clock.map(|clock| NewReading::between(before.clock, clock))),
            held: new(&before.held, &after.held),
            link: new(&before.link, &after.link),
            result: new(&before.result, &after.result),
            score: new(&before.score, &after.score),
            delay: new(&before.delay, &after.delay),
            earlier: new(&before.earlier, &after.earlier),
            alerts: new(&before.matters.alerts, &after.matters.alerts),
            proposal: new(&before.matters.proposal, &after.matters.proposal),
            board: new(&before.matters.board, &after.matters.board),
            differs: new(&before.matters.differs, &after.matters.differs),
            attended: new(&before.attended, &after.attended),
            adjourned: new(&before.adjourned, &after.adjourned),
            adjourned_ms: new(&before.adjourned_ms, &after.adjourned_ms),
            ..Change::default()
        };
        let is_corrected =
            before.game == after.game && settled_of(before, after) < before.settled.min(before.line.len());
        let change = Change { corrected: is_corrected, ..change };
        let change = change.with_line(before, after, extent).with_placement(before, after);
        (change != Change::default()).then_some(change)
    }

    /// Everything there is to know of a table.
    fn whole(after: &TableView, extent: Extent) -> Change {
        let before = TableView::new(after.table.clone());
        let change = Change::between(Some(&before), after, extent).unwrap_or_default();
        let from = extent.first_of(after);
        Change {
            game: Some(after.game),
            state: Some(after.state),
            start: (extent == Extent::WholeLine).then(|| after.start.clone()),
            ply: Some(from + 1),
            san: after.line.after(from),
            corrected: false,
            placement: Some(after.placement.clone()),
            squares: None,
            turn: Some(after.turn),
            rest: Some(after.rest.clone()),
            result: Some(after.result),
            ..change
        }
    }

    fn with_line(self, before: &TableView, after: &TableView, extent: Extent) -> Change {
        if before.game == after.game && before.line == after.line {
            return self;
        }
        let kept = if before.game == after.game { before.line.common(&after.line) } else { 0 };
        let from = match extent {
            Extent::WholeLine => kept,
            // The last move again where it is an old one: whoever keeps only that does not know the one before.
            Extent::LastMove => extent.first_of(after),
        };
        Change { ply: Some(from + 1), san: after.line.after(from), ..self }
    }

    fn with_placement(self, before: &TableView, after: &TableView) -> Change {
        if before.placement == after.placement {
            return self;
        }
        match squares::between(&before.placement, &after.placement) {
            Some(squares) => Change { squares: Some(squares), ..self },
            None => Change { placement: Some(after.placement.clone()), ..self },
        }
    }
}

impl NewReading {
    fn between(before: Option<ClockView>, after: ClockView) -> NewReading {
        let is_new = |side: fn(&ClockView) -> u64| before.as_ref().map(side) != Some(side(&after));
        NewReading {
            white_ms: is_new(|clock| clock.white_ms).then_some(after.white_ms),
            black_ms: is_new(|clock| clock.black_ms).then_some(after.black_ms),
            running: after.running,
            at: after.at,
        }
    }

    pub(super) fn onto(self, before: Option<ClockView>) -> ClockView {
        let (white, black) = before.map_or((0, 0), |before| (before.white_ms, before.black_ms));
        ClockView {
            white_ms: self.white_ms.unwrap_or(white),
            black_ms: self.black_ms.unwrap_or(black),
            running: self.running,
            at: self.at,
        }
    }
}

fn new<T: Clone + PartialEq>(before: &T, after: &T) -> Option<T> {
    (before != after).then(|| after.clone())
}

fn provisional(view: &TableView) -> usize {
    view.line.len().saturating_sub(view.settled)
}

/// How many final moves of `before` are final in `after` too.
fn settled_of(before: &TableView, after: &TableView) -> usize {
    before.line.common(&after.line).min(after.settled)
}

/// A member that is there, `null` included, is given; one that is absent is not.
fn given<'de, T: Deserialize<'de>, D: Deserializer<'de>>(member: D) -> Result<Option<Option<T>>, D::Error> {
    Option::deserialize(member).map(Some)
}
