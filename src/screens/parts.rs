//! The two parts of a table as screens see it: what is only seen comes from the fold, what is in the record from what
//! was published.
//!
//! Both ways name every field, so that a new one does not compile before somebody has said which part it belongs to.

use protocol::{
    board::Link,
    feed::{
        ClockView, Clocks, EarlierGame, GameResult, Line, Matter, Matters, Player, Proposal, Score, Side, State,
        TableId, TableView, TimeControl,
    },
};

/// What is only seen of a table.
#[derive(Debug)]
pub(super) struct Seen {
    line: Line,
    settled: usize,
    placement: String,
    turn: Side,
    rest: String,
    last: Option<String>,
    check: bool,
    clock: Option<ClockView>,
    held: bool,
    link: Option<Link>,
    board: Option<String>,
    differs: Vec<String>,
    attended: bool,
}

/// What is in the record of a table.
#[derive(Debug)]
pub(super) struct Recorded {
    table: TableId,
    game: u32,
    state: State,
    white: Option<Player>,
    black: Option<Player>,
    time_control: Option<TimeControl>,
    start: String,
    result: GameResult,
    score: Option<Score>,
    earlier: Vec<EarlierGame>,
    alerts: Vec<Matter>,
    proposal: Option<Proposal>,
    adjourned: bool,
    adjourned_ms: Option<Clocks>,
}

/// Takes a view apart.
pub(super) fn part(view: TableView) -> (Recorded, Seen) {
    let TableView {
        table,
        game,
        state,
        white,
        black,
        time_control,
        start,
        line,
        settled,
        placement,
        turn,
        rest,
        last,
        check,
        clock,
        held,
        link,
        result,
        score,
        delay: _,
        earlier,
        attended,
        adjourned,
        adjourned_ms,
        matters: Matters { alerts, proposal, board, differs },
    } = view;
    let seen = Seen { line, settled, placement, turn, rest, last, check, clock, held, link, board, differs, attended };
    (
        Recorded {
            table,
            game,
            state,
            white,
            black,
            time_control,
            start,
            result,
            score,
            earlier,
            alerts,
            proposal,
            adjourned,
            adjourned_ms,
        },
        seen,
    )
}

/// Puts a view together.
pub(super) fn join(recorded: Recorded, seen: Seen) -> TableView {
    let Seen { line, settled, placement, turn, rest, last, check, clock, held, link, board, differs, attended } = seen;
    let Recorded {
        table,
        game,
        state,
        white,
        black,
        time_control,
        start,
        result,
        score,
        earlier,
        alerts,
        proposal,
        adjourned,
        adjourned_ms,
    } = recorded;
    TableView {
        table,
        game,
        state,
        white,
        black,
        time_control,
        start,
        line,
        settled,
        placement,
        turn,
        rest,
        last,
        check,
        clock,
        held,
        link,
        result,
        score,
        // Only spectators are behind, and what they see is not put together from parts.
        delay: None,
        earlier,
        attended,
        adjourned,
        adjourned_ms,
        matters: Matters { alerts, proposal, board, differs },
    }
}
