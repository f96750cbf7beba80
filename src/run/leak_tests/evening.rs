//! An evening of the whole daemon in a time that is set by hand, and what stands on one of its boards.

use std::{
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use axum::Router;
use protocol::{
    board::{ClockReading, ClockSense, Content, Contents, Face, FaceReading, Lie, Link, Observation, WireSquare},
    feed::{Answer, Order},
};
use shakmaty::{Chess, Position as _, uci::UciMove};

use super::{
    super::{
        bulletins::Bulletins,
        gates::Beyond,
        plan::Plan,
        running::{PATIENCE, Run},
        start::Starting,
        turn::Turn,
    },
    BACK_S, END_S, KILLED_S, Readings, STEP_S,
    script::{Deed, Script, open_round, table},
    spy::Spy,
};
use crate::{
    journal::set_wall,
    press::Source as _,
    record::Manner,
    screens::{AppState, Listener},
    sensors::{Monotonic, PORT_BYTES, Patterns},
    voice,
};

/// What the wall's clock shows when the evening begins. It is long ago: what the journal is dated with is later, so that
/// a start after a kill finds no time that nobody listened.
const BEGAN_WALL_MS: u64 = 1_600_000_000_000;

/// Plays one future and reads all doors at each step.
pub(super) async fn read(script: Script, doors: impl Fn(AppState) -> Router + Copy) -> Readings {
    let state = tempfile::tempdir().expect("a folder");
    let mut evening = Evening::begin(state.path(), 0, doors).await;
    evening.board = Some(Board::default());
    let mut deeds = script.into_iter().peekable();
    let mut readings = Readings::new();
    for at in (0..=END_S).step_by(usize::try_from(STEP_S).expect("small")) {
        if at == KILLED_S {
            let board = evening.board.take();
            drop(evening);
            evening = Evening::begin(state.path(), BACK_S, doors).await;
            evening.board = board;
        }
        if (KILLED_S..BACK_S).contains(&at) {
            continue;
        }
        while let Some((t, deed)) = deeds.next_if(|(t, _)| *t <= at) {
            evening.pass(t * 1000).await;
            evening.act(deed).await;
        }
        evening.pass(at * 1000).await;
        let mut doors = evening.spy.read().await;
        doors.insert("[[air]]".to_owned(), evening.told());
        readings.insert(at, doors);
    }
    readings
}

/// The daemon, and somebody outside.
pub(super) struct Evening {
    pub(super) run: Run,
    pub(super) clock: &'static AtomicU64,
    pub(super) spy: Spy,
    board: Option<Board>,
}

impl Evening {
    pub(super) async fn begin(state: &Path, at_s: u64, doors: impl FnOnce(AppState) -> Router) -> Evening {
        let clock: &'static AtomicU64 = Box::leak(Box::default());
        let anywhere = || "127.0.0.1:0".parse().expect("an address");
        let nowhere = state.join("board-*").display().to_string();
        let plan = Plan {
            listen: anywhere(),
            beyond: Beyond { public: Some(anywhere()), ..Beyond::default() },
            ports: Patterns::of([nowhere]).expect("a pattern"),
            port_bytes: PORT_BYTES,
            state: state.to_owned(),
            pairings: None,
            livechess: None,
            voice: voice::Plan::default(),
            air: Vec::new(),
            event: (at_s == 0).then(|| open_round("open")),
        };
        let starting =
            Starting::open_by(plan, Monotonic::by_hand(clock), doors).await.expect("a free port and a folder");
        let started = starting.enter().await.expect("a journal");
        let public =
            started.opened.iter().find(|opened| opened.listener == Listener::Public).expect("it was asked for");
        let spy = Spy::at(public.address, started.entrance.clone());
        let mut evening = Evening { run: started.run, clock, spy, board: None };
        evening.pass(at_s * 1000).await;
        evening
    }

    /// Lets time pass, and does what is due by then, as the loop does.
    pub(super) async fn pass(&mut self, now: u64) {
        let due = [self.run.hall.deadline(), self.run.on_air_at()].into_iter().flatten().filter(|due| *due < now).min();
        if let Some(due) = due.filter(|due| *due > self.run.now()) {
            Box::pin(self.pass(due)).await;
            return Box::pin(self.pass(now)).await;
        }
        self.clock.store(self.run.time.ticks_at(now), Ordering::SeqCst);
        set_wall(BEGAN_WALL_MS + now);
        self.turn(|run, turn| {
            let now = run.time.stamp();
            turn.elapse(&mut run.hall, now);
        })
        .await;
        self.run.go_on_air();
        self.spy.wait().await;
    }

    /// What is told to those outside who take games in their own manner.
    fn told(&self) -> String {
        let bulletins = Bulletins::of(Arc::clone(&self.run.outlets.air), Arc::clone(&self.run.outlets.book));
        let rounds = bulletins.rounds(false).into_iter().map(|(event, round, _)| {
            let bulletin = bulletins.bulletin(&event, round, false);
            let games = bulletin.slips().map(|slip| slip.pgn(slip.plies(), slip.result(), Manner::Plain));
            format!("{event} {round} {:?}\n{}", bulletin.programme, games.collect::<String>())
        });
        rounds.collect()
    }

    async fn turn(&mut self, act: impl FnOnce(&mut Run, &mut Turn)) {
        let mut turn = Turn::default();
        act(&mut self.run, &mut turn);
        self.run.ask(&mut turn);
        self.run.close(turn, Vec::new());
        self.run.settle(PATIENCE).await.expect("the disk is there");
        self.spy.wait().await;
    }

    pub(super) async fn act(&mut self, deed: Deed) {
        match deed {
            Deed::Order(number, command) => {
                let order = Order { at: number.map(|number| table(number).into()), command };
                let answer = self.run.order(order.clone()).await.expect("the disk is there");
                assert!(matches!(answer, Answer::Done { .. }), "{order:?}: {answer:?}");
                self.spy.wait().await;
            }
            Deed::Board => {
                let mut board = self.board.take().expect("it is on the table");
                for said in board.says() {
                    let later = self.run.now() + 300;
                    self.pass(later).await;
                    self.turn(|run, turn| run.observe("1".to_owned(), said, later, turn)).await;
                }
                self.board = Some(board);
            }
        }
    }
}

/// What stands on the first table.
struct Board {
    game: Chess,
    played: usize,
    is_plugged_in: bool,
    lever: Face,
}

const LINE: [&str; 5] = ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5"];

impl Default for Board {
    fn default() -> Board {
        Board { game: Chess::default(), played: 0, is_plugged_in: false, lever: Face::Left }
    }
}

impl Board {
    fn says(&mut self) -> Vec<Observation> {
        if !std::mem::replace(&mut self.is_plugged_in, true) {
            let squares = Contents::of(self.game.board(), Lie::Straight);
            return vec![Observation::Link(Link::Up), Observation::Board(Box::new(squares)), self.reading()];
        }
        let before = Contents::of(self.game.board(), Lie::Straight);
        let played = LINE[self.played].parse::<UciMove>().expect("a move").to_move(&self.game).expect("a legal one");
        self.played += 1;
        self.game.play_unchecked(played);
        let after = Contents::of(self.game.board(), Lie::Straight);
        let changed = WireSquare::all().filter(|square| before.get(*square) != after.get(*square)).collect::<Vec<_>>();
        let square = |square: &WireSquare| Observation::Square { square: *square, content: after.get(*square) };
        let (lifted, placed): (Vec<_>, Vec<_>) =
            changed.iter().partition(|square| after.get(**square) == Content::Empty);
        self.lever = self.lever.other();
        let mut said = lifted.into_iter().chain(placed).map(square).collect::<Vec<_>>();
        said.push(self.reading());
        said
    }

    fn reading(&self) -> Observation {
        let face = FaceReading { seconds: 5000, flag: false };
        let reading = ClockReading {
            left: face,
            right: face,
            running: true,
            high: self.lever,
            to_move: Some(self.lever),
            battery_low: false,
        };
        Observation::Clock(ClockSense::Reading(reading))
    }
}
