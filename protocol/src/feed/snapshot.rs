//! How everything stands: what a screen gets when it connects, and again whenever it could have missed something.

use serde::{Deserialize, Serialize};

use super::{
    Clocks, Command, Entry, Event, GameResult, Line, Matters, Player, RoundView, Score, Side, Sight, Stage, State,
    TableEvent, TableId, TimeControl,
};
use crate::board::Link;

/// The hall at one moment.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HallView {
    /// All tables of the rounds that are open, in order.
    pub tables: Vec<TableView>,
    /// The rounds that are open.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rounds: Vec<RoundView>,
    /// Tables that have left the wall and stay at their addresses, in order. A snapshot is without them.
    #[serde(skip)]
    pub away: Vec<TableView>,
}

/// One table at one moment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TableView {
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
    /// The position the game started from.
    pub start: String,
    /// The visible line in SAN, the provisional tail included.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<String>"))]
    pub line: Line,
    /// How many of its moves are final.
    #[serde(rename = "final")]
    pub settled: usize,
    /// The position after the visible line: the placement field of a FEN.
    pub placement: String,
    /// Who is to move after the visible line.
    pub turn: Side,
    /// What else belongs to the position: the last four fields of its FEN. Version 1 has no word for it.
    #[serde(skip)]
    pub rest: String,
    /// The last move of the visible line in UCI.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last: Option<String>,
    /// The side to move is in check.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub check: bool,
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
    /// What both score, where the result alone does not say it. Version 1 leaves it to whoever hears its events.
    #[serde(skip)]
    pub score: Option<Score>,
    /// How far all this is behind what happens; absent where it is not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delay: Option<Delay>,
    /// The games before this one, as far as they were told. Version 1 has no words for them.
    #[serde(skip)]
    pub earlier: Vec<EarlierGame>,
    /// An arbiter has acknowledged what was raised here, and both clocks stand.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub attended: bool,
    /// The game is adjourned: it goes on when the envelope is opened. Version 1 leaves it to whoever hears its events.
    #[serde(skip)]
    pub adjourned: bool,
    /// What both clocks showed when it was, and have to be set to when it goes on, where that is known.
    #[serde(skip)]
    pub adjourned_ms: Option<Clocks>,
    /// What waits for the arbiter, where the audience is told. Version 1 leaves it to whoever hears its events.
    #[serde(skip)]
    pub matters: Matters,
}

/// A game of a table before the one that is on. Its moves are at its address.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EarlierGame {
    /// The how-many-eth at the table.
    pub game: u32,
    /// White, where it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub white: Option<Player>,
    /// Black, where it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub black: Option<Player>,
    /// The result, `*` while there is none.
    pub result: GameResult,
    /// What both score, where the result alone does not say it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<Score>,
    /// So often its moves were corrected since.
    #[serde(default, skip_serializing_if = "is_never")]
    pub corrections: u32,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks with a reference")]
fn is_never(count: &u32) -> bool {
    *count == 0
}

/// How far spectators are behind what happens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Delay {
    /// So many seconds.
    pub seconds: u32,
    /// And so many moves of a player, until the game is over.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub plies: u16,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks with a reference")]
fn is_zero(count: &u16) -> bool {
    *count == 0
}

/// What a clock showed, and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ClockView {
    /// Milliseconds White had left.
    pub white_ms: u64,
    /// Milliseconds Black had left.
    pub black_ms: u64,
    /// Whose time runs.
    pub running: Option<Side>,
    /// When that was, on the clock of the messages.
    pub at: u64,
}

impl HallView {
    /// Takes in one event. The same fold a page does: a snapshot and the changes after it give what all changes give.
    ///
    /// A table appears when it is first mentioned. An event that names no table changes nothing.
    pub fn apply(&mut self, event: &TableEvent) {
        if let Event::Entry(Entry::Round { round }) = &event.event {
            return self.note(round);
        }
        let Some(table) = &event.table else { return };
        if let Event::Entry(Entry::Shown { shown, removed }) = &event.event {
            return if *removed { self.remove(table) } else { self.show(table, *shown) };
        }
        let view = self.view_mut(table);
        match &event.event {
            Event::Sight(sight) => view.see(sight, event.t),
            Event::Entry(entry) => view.enter(entry, event.t),
        }
    }

    /// The same view with nothing but one table, or with none where that table has not been mentioned.
    pub fn only(&self, table: &TableId) -> HallView {
        let rounds = self.rounds.iter().filter(|round| round.is(&table.event, table.round));
        HallView {
            tables: self.find(table).cloned().into_iter().collect(),
            rounds: rounds.cloned().collect(),
            away: Vec::new(),
        }
    }

    /// A table, on the wall or not.
    pub fn find(&self, table: &TableId) -> Option<&TableView> {
        self.tables.iter().chain(&self.away).find(|view| view.table == *table)
    }

    /// Puts a table on the wall, or takes it away.
    fn show(&mut self, table: &TableId, shown: bool) {
        let HallView { tables, away, .. } = self;
        let (from, to) = if shown { (away, tables) } else { (tables, away) };
        let at = |tables: &[TableView]| tables.binary_search_by(|view| view.table.cmp(table));
        let Err(place) = at(to) else { return };
        let view = at(from).map_or_else(|_| TableView::new(table.clone()), |at| from.remove(at));
        make_room(to);
        to.insert(place, view);
    }

    /// A table is as one that never was: where it is mentioned again it is on the wall.
    fn remove(&mut self, table: &TableId) {
        self.tables.retain(|view| view.table != *table);
        self.away.retain(|view| view.table != *table);
    }

    /// A round stands like this: it is among those that are open, or is no more.
    pub fn note(&mut self, round: &RoundView) {
        self.rounds.retain(|known| !known.is(&round.event, round.round));
        if round.stage == Stage::Open {
            let at = self.rounds.partition_point(|known| (&known.event, known.round) < (&round.event, round.round));
            self.rounds.insert(at, round.clone());
        }
    }

    /// A table to be changed. One that is mentioned for the first time is on the wall.
    pub fn view_mut(&mut self, table: &TableId) -> &mut TableView {
        let at = |tables: &[TableView]| tables.binary_search_by(|view| view.table.cmp(table));
        if let Ok(at) = at(&self.away) {
            return &mut self.away[at];
        }
        let at = at(&self.tables).unwrap_or_else(|at| {
            make_room(&mut self.tables);
            self.tables.insert(at, TableView::new(table.clone()));
            at
        });
        &mut self.tables[at]
    }
}

/// Room for some more, and not for as many again: tables come a round at a time, and stay for the event.
fn make_room(tables: &mut Vec<TableView>) {
    if tables.len() == tables.capacity() {
        tables.reserve_exact(8 + tables.len() / 8);
    }
}

/// What stands at a table of which nothing is known: pages need a board to draw before the first game.
const INITIAL: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

impl TableView {
    /// A table before its first game.
    pub fn new(table: TableId) -> TableView {
        TableView {
            table,
            game: 0,
            state: State::Waiting,
            white: None,
            black: None,
            time_control: None,
            start: INITIAL.to_owned(),
            line: Line::new(),
            settled: 0,
            placement: placement_of(INITIAL),
            turn: Side::White,
            rest: rest_of(INITIAL),
            last: None,
            check: false,
            clock: None,
            held: false,
            link: None,
            result: GameResult::Open,
            score: None,
            delay: None,
            earlier: Vec::new(),
            attended: false,
            adjourned: false,
            adjourned_ms: None,
            matters: Matters::default(),
        }
    }

    fn see(&mut self, sight: &Sight, t: u64) {
        match sight {
            Sight::Seen { line, settled, placement, turn, rest, last, check, off_clock: _, at_rest: _ } => {
                self.line.clone_from(line);
                self.settled = *settled;
                self.placement.clone_from(placement);
                self.turn = *turn;
                self.rest.clone_from(rest);
                self.last.clone_from(last);
                self.check = *check;
            }
            Sight::Held { held, .. } => self.held = *held,
            Sight::Clock { white_ms, black_ms, running } => {
                self.clock = Some(ClockView { white_ms: *white_ms, black_ms: *black_ms, running: *running, at: t });
            }
            Sight::Link { state, .. } => self.link = Some(*state),
            Sight::Board { placement, squares } => {
                self.matters.board = Some(placement.clone()).filter(|_| !squares.is_empty());
                self.matters.differs.clone_from(squares);
            }
            Sight::Attended { attended } => self.attended = *attended,
            Sight::Touch { .. } => {}
        }
    }

    fn enter(&mut self, entry: &Entry, t: u64) {
        self.matters.enter(entry, self.game, self.state, t);
        match entry {
            Entry::Started { game, fen, .. } => self.start(*game, fen),
            Entry::Paired { white, black, time_control } => {
                self.white = Some(white.clone());
                self.black = Some(black.clone());
                self.time_control = *time_control;
            }
            // The line and its position come together in a sight, so that the two never disagree. An entry may come
            // after a sight that knows more, so it moves no more than the mark up to which the line is final.
            Entry::Final { ply, .. } => self.settled = self.settled.max(self.line.len().min(*ply)),
            Entry::Corrected { from_ply, new, .. } => {
                self.settled = self.settled.min(from_ply.saturating_sub(1) + new.len());
            }
            Entry::State { state } => {
                self.state = *state;
                self.adjourned &= *state == State::AwaitingArbiter;
                self.adjourned_ms = self.adjourned_ms.filter(|_| self.adjourned);
            }
            Entry::Noted { order } => self.note(order),
            Entry::Result { result, score, .. } => (self.result, self.score) = (*result, *score),
            Entry::Earlier { game, entry } => self.mend(*game, entry, t),
            Entry::Instants { .. }
            | Entry::Proposal(_)
            | Entry::Voice { .. }
            | Entry::Confirmed { .. }
            | Entry::Verdict { .. }
            | Entry::Shown { .. }
            | Entry::Round { .. }
            | Entry::Alert(_) => {}
        }
    }

    /// Of what the arbiter decides an adjournment alone shows in a picture, and to what the clocks are set meanwhile.
    fn note(&mut self, order: &Command) {
        if matches!(order, Command::Adjourn { .. }) {
            (self.adjourned, self.adjourned_ms) = (true, order.times());
        } else if self.adjourned {
            self.adjourned_ms = order.times().or(self.adjourned_ms);
        }
    }

    /// By its number the game that is on can be meant too.
    fn mend(&mut self, game: u32, entry: &Entry, t: u64) {
        if game == self.game {
            self.enter(entry, t);
        } else if let Some(earlier) = self.earlier.iter_mut().find(|earlier| earlier.game == game) {
            earlier.enter(entry);
        }
    }

    /// Players, time control, cable and clock stay; everything that belongs to one game begins anew. The clock is often
    /// set before the men are, and is not read out again until it differs.
    fn start(&mut self, game: u32, fen: &str) {
        if self.game > 0 && self.game < game {
            let (white, black) = (self.white.clone(), self.black.clone());
            let (result, score) = (self.result, self.score);
            self.earlier.push(EarlierGame { game: self.game, white, black, result, score, corrections: 0 });
        }
        self.earlier.retain(|earlier| earlier.game < game);
        self.game = game;
        self.state = State::Playing;
        self.start = fen.to_owned();
        self.line.clear();
        self.settled = 0;
        self.placement = placement_of(fen);
        self.turn = if fen.split(' ').nth(1) == Some("b") { Side::Black } else { Side::White };
        self.rest = rest_of(fen);
        self.last = None;
        self.check = false;
        self.held = false;
        (self.adjourned, self.adjourned_ms) = (false, None);
        self.result = GameResult::Open;
        self.score = None;
    }
}

impl EarlierGame {
    #[expect(clippy::wildcard_enum_match_arm, reason = "of all entries three are about games nobody plays any more")]
    fn enter(&mut self, entry: &Entry) {
        match entry {
            Entry::Paired { white, black, .. } => {
                self.white = Some(white.clone());
                self.black = Some(black.clone());
            }
            Entry::Result { result, score, .. } => (self.result, self.score) = (*result, *score),
            Entry::Corrected { .. } => self.corrections += 1,
            _ => {}
        }
    }
}

fn placement_of(fen: &str) -> String {
    fen.split(' ').next().unwrap_or_default().to_owned()
}

fn rest_of(fen: &str) -> String {
    fen.splitn(3, ' ').nth(2).unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::feed::{Correction, ResultReason, Variant};

    #[test]
    fn a_table_appears_when_it_is_first_mentioned_and_tables_stay_sorted() {
        let mut view = HallView::default();
        for table in [7, 2, 31, 2] {
            view.apply(&at(table, 0, Entry::State { state: State::Playing }));
        }
        let tables: Vec<_> = view.tables.iter().map(|view| view.table.table).collect();
        assert_eq!(tables, [2, 7, 31]);
    }

    #[test]
    fn a_table_that_left_the_wall_stays_away_and_one_that_was_removed_comes_back_as_a_new_one() {
        for removed in [false, true] {
            let mut view = HallView::default();
            view.apply(&at(1, 0, paired("Wrong")));
            view.apply(&at(1, 1, started(1, "4k3/8/8/8/8/8/8/4K3 b - - 0 1")));
            view.apply(&at(1, 2, Entry::Shown { shown: false, removed }));
            assert_eq!(view.tables, []);
            view.apply(&at(1, 3, paired("Right")));
            let games = view.tables.iter().map(|view| view.game).collect::<Vec<_>>();
            assert_eq!(games, if removed { vec![0] } else { vec![] });
        }
    }

    #[test]
    fn an_event_without_its_table_changes_nothing() {
        let mut view = HallView::default();
        view.apply(&TableEvent { table: None, t: 0, event: Entry::State { state: State::Ended }.into() });
        assert_eq!(view, HallView::default());
    }

    #[test]
    fn a_new_game_keeps_the_players_the_cable_and_the_clock_and_nothing_else() {
        let mut view = HallView::default();
        view.apply(&at(1, 0, paired("Polgár, Judit")));
        view.apply(&at(1, 1, Sight::Link { board: "7".into(), state: Link::Up }));
        view.apply(&at(1, 2, seen(&["e4", "e5"], 1)));
        view.apply(&at(1, 3, Sight::Clock { white_ms: 1, black_ms: 2, running: Some(Side::White) }));
        view.apply(&at(1, 4, Sight::Held { held: true, squares: vec![] }));
        view.apply(&at(1, 5, Entry::Result { result: GameResult::Draw, reason: ResultReason::Arbiter, score: None }));
        view.apply(&at(1, 6, started(2, "4k3/8/8/8/8/8/8/4K3 b - - 0 1")));

        let expected = TableView {
            game: 2,
            state: State::Playing,
            white: Some(Player { name: "Polgár, Judit".into(), ..Player::default() }),
            black: Some(Player::default()),
            start: "4k3/8/8/8/8/8/8/4K3 b - - 0 1".into(),
            placement: "4k3/8/8/8/8/8/8/4K3".into(),
            turn: Side::Black,
            rest: "- - 0 1".into(),
            clock: Some(ClockView { white_ms: 1, black_ms: 2, running: Some(Side::White), at: 3 }),
            link: Some(Link::Up),
            ..TableView::new(table(1))
        };
        assert_eq!(view.tables, [expected]);
    }

    #[test]
    fn an_adjourned_game_is_adjourned_until_it_goes_on_or_is_over() {
        let ends = [Entry::State { state: State::Playing }, Entry::State { state: State::Ended }, started(2, INITIAL)];
        for end in ends {
            let mut view = HallView::default();
            let adjourned = |view: &HallView| view.tables[0].adjourned;
            let times = |view: &HallView| view.tables[0].adjourned_ms.map(|Clocks { white, black }| (white, black));
            let clocks_ms = Some(Clocks { white: 7, black: 8 });
            view.apply(&at(1, 0, started(1, INITIAL)));
            view.apply(&at(1, 1, Entry::Noted { order: Box::new(Command::Adjourn { clocks_ms }) }));
            // The staff are told so; who sits in the hall is not.
            view.apply(&at(1, 1, Entry::State { state: State::AwaitingArbiter }));
            view.apply(&at(1, 2, Entry::Noted { order: Box::new(Command::DrawOffer { side: Side::White }) }));
            assert_eq!((adjourned(&view), times(&view)), (true, Some((7, 8))));
            let set = Command::AdjustTimes { white_ms: 9, black_ms: 8 };
            view.apply(&at(1, 2, Entry::Noted { order: Box::new(set) }));
            assert_eq!(times(&view), Some((9, 8)), "the arbiter has set the clocks");
            view.apply(&at(1, 3, end));
            assert_eq!((adjourned(&view), times(&view)), (false, None));
        }
    }

    #[test]
    fn a_final_only_raises_the_mark_and_never_past_the_line() {
        let mut view = HallView::default();
        view.apply(&at(1, 0, seen(&["e4", "e5", "Nf3"], 2)));
        view.apply(&at(1, 1, settled(1)));
        assert_eq!(view.tables[0].settled, 2);
        view.apply(&at(1, 1, settled(3)));
        assert_eq!(view.tables[0].settled, 3);
        view.apply(&at(1, 1, settled(4)));
        assert_eq!(view.tables[0].settled, 3);
    }

    #[test]
    fn a_correction_lowers_the_mark_until_a_sight_or_a_final_raises_it() {
        let mut view = HallView::default();
        view.apply(&at(1, 0, seen(&["e4", "e5", "Nf3", "Nc6"], 4)));
        let reason = Correction::Takeback;
        view.apply(&at(1, 1, Entry::Corrected { from_ply: 3, old: vec!["Nf3".into()], new: vec![], reason }));
        assert_eq!(view.tables[0].settled, 2);
        view.apply(&at(1, 2, settled(3)));
        assert_eq!(view.tables[0].settled, 3);
    }

    #[test]
    fn a_clock_remembers_when_it_was_read() {
        let mut view = HallView::default();
        view.apply(&at(1, 900, Sight::Clock { white_ms: 5, black_ms: 6, running: None }));
        assert_eq!(view.tables[0].clock, Some(ClockView { white_ms: 5, black_ms: 6, running: None, at: 900 }));
    }

    proptest! {
        #[test]
        fn a_snapshot_and_the_changes_after_it_give_what_all_changes_give(
            events in prop::collection::vec(any_event(), 0..40),
            cut in 0usize..40,
        ) {
            let cut = cut.min(events.len());
            let mut whole = HallView::default();
            events.iter().for_each(|event| whole.apply(event));

            let mut before = HallView::default();
            events[..cut].iter().for_each(|event| before.apply(event));
            let sent = serde_json::to_string(&before).expect("a view is plain data");
            let mut page: HallView = serde_json::from_str(&sent).expect("what was written reads back");
            events[cut..].iter().for_each(|event| page.apply(event));

            // A snapshot says nothing of earlier games, nor of a position what version 1 had no word for.
            for table in page.tables.iter_mut().chain(&mut whole.tables) {
                table.earlier.clear();
                table.rest.clear();
            }
            prop_assert_eq!(page, whole);
        }

        #[test]
        fn one_table_of_the_hall_is_what_its_own_events_give(events in prop::collection::vec(any_event(), 0..40)) {
            let (mut hall, mut alone) = (HallView::default(), HallView::default());
            for event in &events {
                hall.apply(event);
                if event.table == Some(table(2)) {
                    alone.apply(event);
                }
            }
            prop_assert_eq!(hall.only(&table(2)), alone);
        }
    }

    fn any_event() -> impl Strategy<Value = TableEvent> {
        let line = prop::collection::vec("[a-h][1-8]", 0..6);
        let event = prop_oneof![
            (line, 0usize..6).prop_map(|(line, settled)| Event::from(Sight::Seen {
                settled: settled.min(line.len()),
                last: line.last().cloned(),
                check: line.len() == 5,
                off_clock: 0,
                at_rest: false,
                turn: if line.len() % 2 == 0 { Side::White } else { Side::Black },
                rest: format!("- - 0 {}", line.len()),
                placement: format!("8/8/8/8/8/8/8/{}", line.len() + 1),
                line: line.into_iter().collect(),
            })),
            any::<bool>().prop_map(|held| Sight::Held { held, squares: vec!["e4".into()] }.into()),
            any::<u64>().prop_map(|ms| Sight::Clock { white_ms: ms, black_ms: 1, running: Some(Side::Black) }.into()),
            Just(Sight::Link { board: "7".into(), state: Link::Down }.into()),
            (1u32..4).prop_map(|game| started(game, INITIAL).into()),
            "[A-Z][a-z]{3}".prop_map(|name| paired(&name).into()),
            (1usize..8).prop_map(|ply| settled(ply).into()),
            (1usize..8, prop::collection::vec("[a-h][1-8]", 0..3)).prop_map(|(from_ply, new)| {
                Entry::Corrected { from_ply, old: vec![], new, reason: Correction::SlideContinued }.into()
            }),
            Just(Entry::State { state: State::AwaitingArbiter }.into()),
            Just(Entry::Result { result: GameResult::Draw, reason: ResultReason::Arbiter, score: None }.into()),
        ];
        (1u16..4, 0u64..9, event).prop_map(|(number, t, event)| TableEvent { table: Some(table(number)), t, event })
    }

    fn at(number: u16, t: u64, event: impl Into<Event>) -> TableEvent {
        TableEvent { table: Some(table(number)), t, event: event.into() }
    }

    fn table(number: u16) -> TableId {
        TableId { event: "open".into(), round: 3, table: number }
    }

    fn seen(line: &[&str], settled: usize) -> Sight {
        Sight::Seen {
            line: line.iter().collect(),
            settled,
            placement: "8/8/8/8/8/8/8/8".into(),
            turn: Side::White,
            rest: "- - 0 1".into(),
            last: None,
            check: false,
            off_clock: 0,
            at_rest: false,
        }
    }

    fn started(game: u32, fen: &str) -> Entry {
        Entry::Started { game, fen: fen.into(), variant: Variant::Standard }
    }

    fn paired(white: &str) -> Entry {
        let white = Player { name: white.into(), ..Player::default() };
        Entry::Paired { white, black: Player::default(), time_control: None }
    }

    fn settled(ply: usize) -> Entry {
        Entry::Final {
            ply,
            san: "e4".into(),
            uci: "e2e4".into(),
            fen: INITIAL.into(),
            clock_ms: None,
            inferred: false,
            illegal: false,
        }
    }
}
