//! The doors: every way information leaves, and for whom it is. This is the one place that decides who sees what.

//!
//! An address, the listener a request came by and the role it showed are all that decides; `open` is where. What is in
//! no row can't be opened: the router is made from [`Route::ALL`], and a door that is not in [`Door::ALL`] is never found.

use protocol::feed::{Audience, Entry, Event, Sight, Staff, Stage, State, TableEvent};

use super::asker::{Asker, Listener};

/// A way information leaves the daemon. A new one does not compile until it has its row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Door {
    /// The pages of spectators.
    PublicPages,
    /// The pages of the house: those of spectators, and those that sign in and list doors.
    HousePages,
    /// The words of the feed.
    Schema,
    /// Whether the daemon is well.
    Health,
    /// Whether the daemon is ready.
    Readiness,
    /// Figures for programs that watch the daemon.
    Metrics,
    /// The feed of spectators.
    PublicFeed,
    /// The feed of the hall.
    HallFeed,
    /// The arbiter's feed.
    ArbiterFeed,
    /// The operator's feed.
    OperatorFeed,
    /// How everything stands, for spectators.
    PublicSnapshot,
    /// How everything stands, for the hall.
    HallSnapshot,
    /// Games as PGN, for spectators.
    PublicGames,
    /// Games as PGN, for the hall.
    HallGames,
    /// Documents as LiveChess's cloud has them.
    Cloud,
    /// Positions as pictures, for spectators.
    PublicDiagrams,
    /// Positions as pictures, for the hall.
    HallDiagrams,
    /// What an order is answered.
    Command,
    /// What a list of pairings would change, or has.
    Pairings,
    /// Which boards are where, and which should be elsewhere.
    Boards,
    /// All rounds, and who plays in them.
    Rounds,
    /// All that happened at a table.
    Timelines,
    /// Who can still mate in a position.
    Mates,
    /// A report file with its results, and what happened in a round.
    Reports,
    /// Scoresheets.
    Sheets,
    /// All clocks of a round.
    Clocks,
    /// The envelope of an adjourned game.
    Envelopes,
    /// What a code is answered.
    Enter,
    /// What a good-bye is answered.
    Leave,
    /// The list of doors, invitations and passes.
    List,
    /// A new code.
    Invite,
    /// What taking a pass back is answered.
    Revoke,
    /// How those stand who are told the games.
    Targets,
    /// What asking one of them is answered.
    Target,
    /// What those are told who take games in their own manner.
    Press,
    /// The same for those who hold them back themselves.
    LivePress,
    /// What clients of LiveChess hear.
    LiveChess,
    /// The PGN files of the state folder.
    GameFiles,
    /// What the service manager is told.
    ServiceManager,
    /// What blind players are told aloud.
    Earphones,
    /// How each of them is told, and whether it is heard.
    Voices,
    /// Games in words, for spectators.
    PublicWords,
    /// Games in words, for the hall.
    HallWords,
}

/// Where a door is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum At {
    /// An address, at these listeners.
    Http(Route, &'static [Listener]),
    /// An address of its own on both loopbacks, for programs of this machine and for pages that are listed.
    Loopback(&'static str),
    /// Out of the house, to those whom the configuration names.
    Outward(&'static str),
    /// Files below the state folder, for whoever may read it.
    Files(&'static str),
    /// A socket of the system.
    Socket(&'static str),
    /// The sound device of one player: only [`crate::voice::Saying`] goes there.
    Sound,
}

/// For whom a door is, behind its listeners.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whom {
    /// Everybody, strangers included.
    Anyone,
    /// Those who are seen as one of these.
    Only(&'static [Audience]),
}

/// How old what it carries is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Timing {
    /// Nothing of any game.
    Timeless,
    /// As it happens.
    Live,
    /// What is on air, and nothing else: what `Air` gives out.
    OnAir,
}

/// One row of the table of doors.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Which door.
    pub door: Door,
    /// Where it is.
    pub at: At,
    /// For whom.
    pub whom: Whom,
    /// How old what it carries is.
    pub timing: Timing,
    /// What it carries.
    pub carries: &'static str,
}

/// An address of the daemon: all there are. The router is made from them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Route {
    /// Everything that is no other address.
    Pages,
    /// The feed's schema.
    Schema,
    /// The daemon's health.
    Health,
    /// Whether it is ready.
    Readiness,
    /// Its figures.
    Metrics,
    /// The feed.
    Feed,
    /// The snapshot.
    Snapshot,
    /// The games.
    Games,
    /// Documents as LiveChess's cloud has them.
    Cloud,
    /// Positions as pictures.
    Diagrams,
    /// Orders.
    Command,
    /// A list of pairings.
    Pairings,
    /// Boards and their tables.
    Boards,
    /// All rounds.
    Rounds,
    /// Who is told moves aloud.
    Voices,
    /// Games in words.
    Words,
    /// All that happened at a table.
    Timelines,
    /// Who can still mate in a position.
    Mates,
    /// Report files, and reports of rounds.
    Reports,
    /// Scoresheets.
    Sheets,
    /// All clocks of a round.
    Clocks,
    /// The envelope of an adjourned game.
    Envelopes,
    /// A code for a cookie.
    Enter,
    /// The cookie back.
    Leave,
    /// Doors, invitations and passes.
    List,
    /// A new invitation.
    Invite,
    /// A pass taken back.
    Revoke,
    /// Who is told the games, and how that stands.
    Targets,
    /// A question for one of them.
    Target,
}

/// Who is behind the house's own doors.
const STAFF: &[Audience] = &[Audience::Arbiter, Audience::Operator];
/// Who is in the hall.
const HOUSE: &[Audience] = &[Audience::Hall, Audience::Arbiter, Audience::Operator];
/// The listeners of the house.
const HALL: &[Listener] = &[Listener::Loopback, Listener::Lan, Listener::LanPlain];
/// Those of them that nobody listens in to.
const PRIVATE: &[Listener] = &[Listener::Loopback, Listener::Lan];
/// This machine alone.
const HERE: &[Listener] = &[Listener::Loopback];
const PUBLIC: &[Listener] = &[Listener::Public];

/// The pages spectators may see, by the first word of their address; files that pages are made of aside.
const SPECTATORS_PAGES: [&str; 5] = ["", "table", "feed", "overlay", "listen"];
/// The pages a stranger may see: the one that lets them in.
const STRANGERS_PAGES: [&str; 1] = ["join"];
/// Where what pages are made of lies. None of it is about a game.
const ASSETS: &str = "assets";

impl Door {
    /// All doors.
    pub const ALL: [Door; 43] = [
        Door::PublicPages,
        Door::HousePages,
        Door::Schema,
        Door::Health,
        Door::Readiness,
        Door::Metrics,
        Door::PublicFeed,
        Door::HallFeed,
        Door::ArbiterFeed,
        Door::OperatorFeed,
        Door::PublicSnapshot,
        Door::HallSnapshot,
        Door::PublicGames,
        Door::HallGames,
        Door::Cloud,
        Door::PublicDiagrams,
        Door::HallDiagrams,
        Door::Command,
        Door::Pairings,
        Door::Boards,
        Door::Rounds,
        Door::Timelines,
        Door::Mates,
        Door::Reports,
        Door::Sheets,
        Door::Clocks,
        Door::Envelopes,
        Door::Enter,
        Door::Leave,
        Door::List,
        Door::Invite,
        Door::Revoke,
        Door::Targets,
        Door::Target,
        Door::Press,
        Door::LivePress,
        Door::LiveChess,
        Door::GameFiles,
        Door::ServiceManager,
        Door::Earphones,
        Door::Voices,
        Door::PublicWords,
        Door::HallWords,
    ];

    /// Its row in the table.
    pub const fn row(self) -> Row {
        use Audience::{Arbiter, Hall, Operator, Public};
        use Timing::{Live, OnAir, Timeless};
        use Whom::{Anyone, Only};
        let http = At::Http;
        let (at, whom, timing, carries) = match self {
            Door::PublicPages => (
                http(Route::Pages, PUBLIC),
                Only(&[Public]),
                Timeless,
                "wall, table, listening, overlay and feed pages, empty",
            ),
            Door::HousePages => (http(Route::Pages, HALL), Anyone, Timeless, "all pages, empty; strangers: /join"),
            Door::Schema => (http(Route::Schema, &Listener::ALL), Anyone, Timeless, "the feed's words"),
            Door::Health => (http(Route::Health, &Listener::ALL), Anyone, Timeless, "ok, or not"),
            Door::Readiness => (http(Route::Readiness, HERE), Only(HOUSE), Timeless, "ready, or why not"),
            Door::Metrics => {
                (http(Route::Metrics, HERE), Only(HOUSE), Live, "figures: boards, games on, alerts by kind, commits")
            }
            Door::PublicFeed => {
                (http(Route::Feed, PUBLIC), Only(&[Public]), OnAir, "final moves, corrections, results, players")
            }
            Door::HallFeed => (
                http(Route::Feed, HALL),
                Only(&[Hall]),
                Live,
                "also what is seen, clocks, cables; no squares, no alerts",
            ),
            Door::ArbiterFeed => {
                (http(Route::Feed, PRIVATE), Only(&[Arbiter]), Live, "everything, and the alerts that name the arbiter")
            }
            Door::OperatorFeed => (
                http(Route::Feed, PRIVATE),
                Only(&[Operator]),
                Live,
                "everything, and the alerts that name the operator",
            ),
            Door::PublicSnapshot => (
                http(Route::Snapshot, PUBLIC),
                Only(&[Public]),
                OnAir,
                "lines as far as they are final, players, results",
            ),
            Door::HallSnapshot => (http(Route::Snapshot, HALL), Only(HOUSE), Live, "how the hall's feed stands"),
            Door::PublicGames => (http(Route::Games, PUBLIC), Only(&[Public]), OnAir, "final moves as PGN"),
            Door::Cloud => (
                http(Route::Cloud, PUBLIC),
                Only(&[Public]),
                OnAir,
                "final moves, results and players as LiveChess's cloud has them, and as PGN",
            ),
            Door::HallGames => (http(Route::Games, HALL), Only(HOUSE), Live, "final moves as PGN"),
            Door::PublicDiagrams => {
                (http(Route::Diagrams, PUBLIC), Only(&[Public]), OnAir, "the final position as SVG")
            }
            Door::HallDiagrams => (http(Route::Diagrams, HALL), Only(HOUSE), Live, "the visible position as SVG"),
            Door::Command => (http(Route::Command, PRIVATE), Only(STAFF), Live, "what has changed by an order"),
            Door::Reports => (
                http(Route::Reports, PRIVATE),
                Only(STAFF),
                Live,
                "the report file of an event with its results; of a round, what happened and was decided",
            ),
            Door::Sheets => {
                (http(Route::Sheets, PRIVATE), Only(STAFF), Live, "scoresheets, with times and offers, for paper")
            }
            Door::Clocks => {
                (http(Route::Clocks, PRIVATE), Only(STAFF), Live, "all clocks and move numbers, each half hour")
            }
            Door::Envelopes => {
                (http(Route::Envelopes, PRIVATE), Only(STAFF), Live, "what stands on the envelope of an adjourned game")
            }
            Door::Boards => (
                http(Route::Boards, PRIVATE),
                Only(STAFF),
                Live,
                "all boards; those of an event, and which are missing, too many or elsewhere",
            ),
            Door::Timelines => {
                (http(Route::Timelines, PRIVATE), Only(STAFF), Live, "all that happened at a table, moment by moment")
            }
            Door::Mates => (
                http(Route::Mates, PRIVATE),
                Only(STAFF),
                Timeless,
                "who can still mate in a position that is asked about, with a line or a proof",
            ),
            Door::Rounds => (
                http(Route::Rounds, PRIVATE),
                Only(STAFF),
                Live,
                "all rounds and who plays in them, those that nobody sees yet included",
            ),
            Door::Pairings => {
                (http(Route::Pairings, PRIVATE), Only(STAFF), Live, "what a list of pairings would change, or has")
            }
            Door::Enter => (http(Route::Enter, HALL), Anyone, Timeless, "a cookie for a code"),
            Door::Leave => (http(Route::Leave, HALL), Anyone, Timeless, "the cookie's end"),
            Door::List => (http(Route::List, PRIVATE), Only(&[Operator]), Timeless, "doors, invitations, passes"),
            Door::Invite => (http(Route::Invite, PRIVATE), Only(&[Operator]), Timeless, "a code, once"),
            Door::Revoke => (http(Route::Revoke, PRIVATE), Only(&[Operator]), Timeless, "that a pass is gone"),
            Door::Targets => (
                http(Route::Targets, PRIVATE),
                Only(&[Operator]),
                Live,
                "who is told the games, how far they have them, and what is in the way",
            ),
            Door::Target => (http(Route::Target, PRIVATE), Only(&[Operator]), Live, "whether one of them would work"),
            Door::Press => {
                (At::Outward("[[air]]"), Only(&[Public]), OnAir, "final moves, results, players, to folders and sites")
            }
            Door::LivePress => (
                At::Outward("[[air]] delays-itself = true"),
                Only(&[Operator]),
                Live,
                "the same of the same tables, for those who hold it back themselves",
            ),
            Door::LiveChess => (
                At::Loopback("ws://localhost:1982/api/v1.0"),
                Only(&[Operator]),
                Live,
                "what stands on each board, raw, and the moves that led there; for whoever sits at this machine",
            ),
            Door::GameFiles => {
                (At::Files("pgn"), Only(&[Operator]), Live, "final moves as PGN, for whoever may read the folder")
            }
            Door::ServiceManager => {
                (At::Socket("NOTIFY_SOCKET"), Only(&[Operator]), Live, "ready, ending, how many boards are heard")
            }
            Door::Voices => (
                http(Route::Voices, PRIVATE),
                Only(STAFF),
                Live,
                "who is told moves aloud, what was said last, what is in the way",
            ),
            Door::PublicWords => {
                (http(Route::Words, PUBLIC), Only(&[Public]), OnAir, "final moves in words and in Braille")
            }
            Door::HallWords => (http(Route::Words, HALL), Only(HOUSE), Live, "final moves in words and in Braille"),
            Door::Earphones => (
                At::Sound,
                Only(&[Hall]),
                Live,
                "of the player's own table: final moves, offers, what was taken back, the result; on request the clocks, \
                 and where men stand if the arbiter allows it",
            ),
        };
        Row { door: self, at, whom, timing, carries }
    }

    /// For whom what it carries is made.
    pub fn audience(self) -> Audience {
        match self.row().whom {
            Whom::Only([first, ..]) => *first,
            Whom::Only([]) | Whom::Anyone => Audience::Public,
        }
    }
}

impl Route {
    /// All of them, the pages last.
    pub const ALL: [Route; 29] = [
        Route::Schema,
        Route::Health,
        Route::Readiness,
        Route::Metrics,
        Route::Feed,
        Route::Snapshot,
        Route::Games,
        Route::Cloud,
        Route::Diagrams,
        Route::Command,
        Route::Pairings,
        Route::Boards,
        Route::Rounds,
        Route::Voices,
        Route::Words,
        Route::Timelines,
        Route::Mates,
        Route::Reports,
        Route::Sheets,
        Route::Clocks,
        Route::Envelopes,
        Route::Enter,
        Route::Leave,
        Route::List,
        Route::Invite,
        Route::Revoke,
        Route::Targets,
        Route::Target,
        Route::Pages,
    ];

    /// The addresses, as the router writes them. The pages have none of their own: they are what is left.
    pub fn paths(self) -> &'static [&'static str] {
        match self {
            Route::Pages => &[],
            Route::Schema => &["/feed/schema.json", "/feed/v2/schema.json", "/command/schema.json"],
            Route::Health => &["/healthz"],
            Route::Readiness => &["/readyz"],
            Route::Metrics => &["/metrics"],
            Route::Feed => &["/feed/ws", "/feed/v2", "/feed/v2/{*table}"],
            Route::Snapshot => &["/snapshot"],
            Route::Games => &["/pgn", "/pgn/", "/pgn/{*games}"],
            Route::Cloud => &["/get/{*document}", "/meta/{*event}"],
            Route::Diagrams => &["/svg/{*table}"],
            Route::Command => &["/command"],
            Route::Pairings => &["/pairings"],
            Route::Boards => &["/boards", "/boards/{*event}"],
            Route::Rounds => &["/rounds"],
            Route::Voices => &["/voices"],
            Route::Words => &["/words/{*table}"],
            Route::Timelines => &["/timeline/{*table}"],
            Route::Mates => &["/mates"],
            Route::Reports => &["/report/{*report}"],
            Route::Sheets => &["/sheet/{*games}"],
            Route::Clocks => &["/clocks/{*games}"],
            Route::Envelopes => &["/envelope/{*table}"],
            Route::Enter => &["/enter"],
            Route::Leave => &["/leave"],
            Route::List => &["/doors.json"],
            Route::Invite => &["/invite"],
            Route::Revoke => &["/revoke"],
            Route::Targets => &["/air.json"],
            Route::Target => &["/air"],
        }
    }

    /// The addresses as people write them.
    fn shown(self) -> &'static str {
        match self {
            Route::Pages => "/…",
            Route::Feed => "/feed/ws, /feed/v2/…",
            Route::Schema => "/feed/schema.json, /feed/v2/schema.json, /command/schema.json",
            Route::Games => "/pgn/…",
            Route::Cloud => "/get/…, /meta/…",
            Route::Diagrams => "/svg/…",
            Route::Words => "/words/…",
            Route::Boards => "/boards, /boards/…",
            Route::Reports => "/report/…",
            Route::Timelines => "/timeline/…",
            Route::Sheets => "/sheet/…",
            Route::Clocks => "/clocks/…",
            Route::Envelopes => "/envelope/…",
            Route::Health
            | Route::Readiness
            | Route::Metrics
            | Route::Snapshot
            | Route::Rounds
            | Route::Mates
            | Route::Voices
            | Route::Command
            | Route::Pairings
            | Route::Enter
            | Route::Leave
            | Route::List
            | Route::Invite
            | Route::Revoke
            | Route::Targets
            | Route::Target => self.paths()[0],
        }
    }

    /// Whether it changes something, and so is posted to.
    pub fn is_posted(self) -> bool {
        match self {
            Route::Command
            | Route::Pairings
            | Route::Enter
            | Route::Leave
            | Route::Invite
            | Route::Revoke
            | Route::Target => true,
            Route::Pages
            | Route::Schema
            | Route::Health
            | Route::Readiness
            | Route::Metrics
            | Route::Feed
            | Route::Snapshot
            | Route::Games
            | Route::Cloud
            | Route::Diagrams
            | Route::Boards
            | Route::Rounds
            | Route::Voices
            | Route::Words
            | Route::Timelines
            | Route::Mates
            | Route::Reports
            | Route::Sheets
            | Route::Clocks
            | Route::Envelopes
            | Route::List
            | Route::Targets => false,
        }
    }

    /// Whether pages of others that the configuration lists may use it.
    pub fn is_lent(self) -> bool {
        matches!(self, Route::Feed | Route::Snapshot)
    }

    /// Which address this is.
    pub fn of(path: &str) -> Route {
        let is_at = |known: &str| match known.split_once("{*") {
            Some((before, _)) => path.len() > before.len() && path.starts_with(before),
            None => path == known,
        };
        Route::ALL.into_iter().find(|route| route.paths().iter().any(|known| is_at(known))).unwrap_or(Route::Pages)
    }
}

/// Why a door stays shut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shut {
    /// There is no such door at this listener, whoever asks.
    NotHere,
    /// It opens to those who are known.
    Unknown,
    /// It opens to others.
    NotTheirs,
}

/// The one decision: which door an address is for this asker.
pub(super) fn open(route: Route, asker: &Asker) -> Result<Door, Shut> {
    let listener = asker.listener();
    let is_here =
        |door: &Door| matches!(door.row().at, At::Http(at, listeners) if at == route && listeners.contains(&listener));
    let mut shut = Shut::NotHere;
    for door in Door::ALL.into_iter().filter(is_here) {
        match (door.row().whom, asker.audience()) {
            (Whom::Anyone, _) => return Ok(door),
            (Whom::Only(whom), Some(audience)) if whom.contains(&audience) => return Ok(door),
            (Whom::Only(_), Some(_)) => shut = Shut::NotTheirs,
            (Whom::Only(_), None) => shut = Shut::Unknown,
        }
    }
    Err(shut)
}

/// Whether a page is behind this door.
pub(super) fn shows(door: Door, asker: &Asker, path: &str) -> bool {
    let first = path.trim_matches('/').split('/').next().unwrap_or_default();
    match (door, asker) {
        (_, _) if first == ASSETS => true,
        (Door::PublicPages, _) => SPECTATORS_PAGES.contains(&first),
        (_, Asker::Stranger(_)) => STRANGERS_PAGES.contains(&first),
        (_, Asker::Known(..) | Asker::Spectator) => true,
    }
}

/// Where a door is, as people write it, and by which listeners.
pub(super) fn place(at: At) -> (String, Vec<&'static str>) {
    match at {
        At::Http(route, listeners) => {
            let verb = if route.is_posted() { "POST" } else { "GET" };
            (format!("{verb} {}", route.shown()), listeners.iter().map(|one| one.option()).collect())
        }
        At::Loopback(address) => (address.to_owned(), vec!["--livechess"]),
        At::Outward(setting) => (setting.to_owned(), vec!["configuration"]),
        At::Files(folder) => (format!("STATE/{folder}/…"), Vec::new()),
        At::Socket(name) => (name.to_owned(), Vec::new()),
        At::Sound => ("a blind player's earphone".to_owned(), Vec::new()),
    }
}

/// For whom a door is, as people write it.
pub(super) fn whom(whom: Whom) -> String {
    match whom {
        Whom::Anyone => "anyone".to_owned(),
        Whom::Only(whom) => whom.iter().map(|one| format!("{one:?}").to_lowercase()).collect::<Vec<_>>().join(", "),
    }
}

/// An event as people may know it who are neither operator nor arbiter. Nothing else makes one, and an open door takes
/// nothing else: so no alert, proposal or touch can be put through a door to the hall or the public.
#[derive(Clone, Debug, PartialEq)]
pub struct Open(TableEvent);

impl Open {
    /// What the hall may know of `event`; `None` where it may not even know that something happened.
    pub fn to_hall(event: &TableEvent) -> Option<Open> {
        for_hall(&event.event).map(|shown| Open::with(event, shown))
    }

    /// What the public may know of it.
    pub fn to_public(event: &TableEvent) -> Option<Open> {
        for_public(&event.event).map(|shown| Open::with(event, shown))
    }

    /// As it is told.
    pub fn event(&self) -> &TableEvent {
        &self.0
    }

    fn with(event: &TableEvent, shown: Event) -> Open {
        Open(TableEvent { table: event.table.clone(), t: event.t, event: shown })
    }
}

impl From<Open> for TableEvent {
    fn from(open: Open) -> TableEvent {
        open.0
    }
}

/// Whether `event` is for these people behind the house's own doors. They see everything but alerts that do not name them:
/// that a claim would succeed is for nobody, unless the arbiter wants to know.
pub fn is_for(event: &TableEvent, staff: Staff) -> bool {
    is_theirs(&event.event, staff)
}

/// The same of what was told, wherever it was.
pub(super) fn is_theirs(event: &Event, staff: Staff) -> bool {
    match event {
        Event::Entry(Entry::Alert(alert)) => alert.audience.contains(&staff),
        Event::Entry(_) | Event::Sight(_) => true,
    }
}

/// The hall sees the visible line and never the physical board: no touches, no squares.
fn for_hall(event: &Event) -> Option<Event> {
    match event {
        Event::Sight(Sight::Touch { .. } | Sight::Board { .. }) => None,
        Event::Sight(Sight::Held { held, squares: _ }) => Some(Sight::Held { held: *held, squares: Vec::new() }.into()),
        // That a clock was not pressed is nobody's business while it runs.
        Event::Sight(Sight::Seen { at_rest: false, off_clock: 1.., .. }) => Some(without_marks(event)),
        Event::Sight(Sight::Seen { .. } | Sight::Clock { .. } | Sight::Link { .. } | Sight::Attended { .. }) => {
            Some(event.clone())
        }
        Event::Entry(entry) => is_public(entry).then(|| event.clone()),
    }
}

/// Moves that the clock does not count look like any that are only seen.
fn without_marks(event: &Event) -> Event {
    let mut plain = event.clone();
    if let Event::Sight(Sight::Seen { off_clock, .. }) = &mut plain {
        *off_clock = 0;
    }
    plain
}

/// The public sees what is in the record. What is only seen may still turn out otherwise.
fn for_public(event: &Event) -> Option<Event> {
    match event {
        Event::Sight(_) => None,
        Event::Entry(entry) => is_public(entry).then(|| event.clone()),
    }
}

fn is_public(entry: &Entry) -> bool {
    match entry {
        Entry::Started { .. }
        | Entry::Paired { .. }
        | Entry::Final { .. }
        | Entry::Corrected { .. }
        | Entry::Result { .. }
        | Entry::Shown { .. } => true,
        // Nobody sees a round before it is opened.
        Entry::Round { round } => round.stage != Stage::Prepared,
        Entry::Earlier { entry, .. } => is_public(entry),
        // That the arbiter was called tells players of a flag that fell, or of a move that was not legal, before anybody
        // may. For all to see the game goes on until there is a ruling.
        Entry::State { state } => *state != State::AwaitingArbiter,
        Entry::Instants { .. }
        | Entry::Proposal(_)
        | Entry::Verdict { .. }
        | Entry::Noted { .. }
        | Entry::Voice { .. }
        | Entry::Alert(_) => false,
    }
}

#[cfg(test)]
pub(super) mod tests {
    use protocol::{
        board::Link,
        feed::{
            Alert, AlertKind, Command, Correction, GameResult, Player, Proposal, ResultReason, Side, State, TouchKind,
            Variant,
        },
    };

    use super::{
        super::asker::{Badge, Role, Shown},
        *,
    };

    #[test]
    fn every_address_opens_to_those_it_is_for_and_to_nobody_else() {
        use Listener::{Lan, LanPlain, Loopback, Public};
        let known = |listener, role| Asker::Known(listener, role, None);
        let askers = [
            Asker::Spectator,
            Asker::Stranger(Lan),
            known(Loopback, Role::Hall),
            known(LanPlain, Role::Hall),
            known(Lan, Role::Arbiter),
            known(Lan, Role::Operator),
        ];
        assert_eq!(askers.iter().map(Asker::listener).collect::<Vec<_>>(), [Public, Lan, Loopback, LanPlain, Lan, Lan]);
        // An address, and for a spectator, a stranger, the hall here and in the clear, the arbiter and the operator: open,
        // shut for the unknown, shut for others, or not there at all.
        let expected = "
            Schema   open open open open open open
            Health   open open open open open open
            Readiness - - open - - -
            Metrics   - - open - - -
            Feed     open ?    open open open open
            Snapshot open ?    open open open open
            Games    open ?    open open open open
            Cloud    open - - - - -
            Diagrams open ?    open open open open
            Command  -    ?    x    -    open open
            Pairings -    ?    x    -    open open
            Boards   -    ?    x    -    open open
            Rounds   -    ?    x    -    open open
            Voices   -    ?    x    -    open open
            Words    open ?    open open open open
            Timelines -   ?    x    -    open open
            Mates    -    ?    x    -    open open
            Reports  -    ?    x    -    open open
            Sheets   -    ?    x    -    open open
            Clocks   -    ?    x    -    open open
            Envelopes - ? x - open open
            Enter    -    open open open open open
            Leave    -    open open open open open
            List     -    ?    x    -    x    open
            Invite   -    ?    x    -    x    open
            Revoke   -    ?    x    -    x    open
            Targets  -    ?    x    -    x    open
            Target   -    ?    x    -    x    open
            Pages    open open open open open open
        ";
        let rows = Route::ALL.map(|route| {
            let doors = askers.iter().map(|asker| match open(route, asker) {
                Ok(_) => "open",
                Err(Shut::NotHere) => "-",
                Err(Shut::Unknown) => "?",
                Err(Shut::NotTheirs) => "x",
            });
            format!("{route:?} {}", doors.collect::<Vec<_>>().join(" "))
        });
        let expected: Vec<String> =
            expected.trim().lines().map(|row| row.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
        assert_eq!(rows.to_vec(), expected);
    }

    #[test]
    fn whoever_asks_gets_what_is_made_for_them() {
        for listener in Listener::ALL {
            for role in [Role::Hall, Role::Arbiter, Role::Operator] {
                let shown = Shown::Pass(Badge { pass: 1, role, name: String::new() });
                let Ok(asker) = Asker::of(listener, shown) else { continue };
                let door = open(Route::Feed, &asker).expect("everybody who is known may follow");
                assert_eq!(Some(door.audience()), asker.audience(), "{asker:?}");
            }
        }
    }

    #[test]
    fn what_spectators_can_reach_is_on_air_or_says_nothing_of_a_game() {
        for door in Door::ALL {
            let row = door.row();
            let At::Http(_, listeners) = row.at else { continue };
            if listeners.contains(&Listener::Public) {
                assert_ne!(row.timing, Timing::Live, "{door:?}");
                assert_eq!(door.audience(), Audience::Public, "{door:?}");
            }
        }
    }

    #[test]
    fn every_address_has_a_door_and_every_door_an_address_that_leads_to_it() {
        for route in Route::ALL {
            let has_door = |door: &Door| matches!(door.row().at, At::Http(at, _) if at == route);
            assert!(Door::ALL.iter().any(has_door), "{route:?} leads nowhere");
            for path in route.paths() {
                assert_eq!(
                    Route::of(
                        &path
                            .replace("{*games}", "open/3/12")
                            .replace("{*table}", "open/3/12")
                            .replace("{*report}", "open.trf")
                            .replace("{*event}", "open")
                            .replace("{*document}", "open/tournament.json")
                    ),
                    route,
                    "{path}"
                );
            }
        }
        assert_eq!(Route::of("/table/open/3/12"), Route::Pages);
        assert_eq!(Route::of("/command/"), Route::Pages);
    }

    #[test]
    fn every_file_that_is_published_lies_behind_a_door() {
        let state = std::path::Path::new("/state");
        let files = crate::record::Files::new(state);
        let table = protocol::feed::TableId { event: "open".into(), round: 3, table: 12 };
        for path in [files.round_path("open", 3), files.table_path(&table)] {
            let below = |door: Door| matches!(door.row().at, At::Files(folder) if path.starts_with(state.join(folder)));
            assert!(Door::ALL.into_iter().any(below), "{}", path.display());
        }
    }

    #[test]
    fn the_security_page_shows_the_doors_there_are() {
        let page = include_str!("../../docs/security.md");
        assert!(page.contains(&table()), "docs/security.md should hold this table:\n{}", table());
    }

    fn table() -> String {
        let row = |door: Door| {
            let row = door.row();
            let (place, listeners) = place(row.at);
            let listeners = match listeners[..] {
                [] => "this machine".to_owned(),
                _ => listeners.iter().map(|one| format!("`{one}`")).collect::<Vec<_>>().join(" "),
            };
            let when = match row.timing {
                Timing::Timeless => "–",
                Timing::Live => "live",
                Timing::OnAir => "on air",
            };
            format!("| `{place}` | {listeners} | {} | {when} | {} |\n", whom(row.whom), row.carries)
        };
        let head = "| door | listeners | for | when | carries |\n|---|---|---|---|---|\n";
        head.to_owned() + &Door::ALL.map(row).concat()
    }

    #[test]
    fn who_is_told_what() {
        // Kind of event, and what public and hall get: nothing, a part, or all of it. Operator and arbiter get all.
        let expected = "
            seen              - all
            held              - part
            clock             - all
            link              - all
            touch             - -
            board             - -
            attended          - all
            started           all all
            paired            all all
            final             all all
            corrected         all all
            state             all all
            instants          - -
            proposal          - -
            verdict           - -
            noted             - -
            result            all all
            alert             - -
        ";
        let rows = one_of_each().into_iter().map(|(name, event)| {
            let event = TableEvent { table: None, t: 7, event };
            let told = [Open::to_public(&event), Open::to_hall(&event)]
                .map(|shown| match shown.as_ref().map(Open::event) {
                    None => "-",
                    Some(shown) if *shown == event => "all",
                    Some(_) => "part",
                })
                .join(" ");
            format!("{name} {told}")
        });
        let expected: Vec<String> =
            expected.trim().lines().map(|row| row.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
        assert_eq!(rows.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn that_a_claim_would_succeed_is_for_nobody_unless_the_arbiter_wants_to_know() {
        let event = |alert: Alert| TableEvent { table: None, t: 7, event: Entry::Alert(Box::new(alert)).into() };
        let who = |event: &TableEvent| [Staff::Operator, Staff::Arbiter].map(|staff| is_for(event, staff));
        let hint = Alert::new(AlertKind::ThreefoldAvailable);
        assert_eq!(who(&event(hint.clone())), [false, false]);
        assert_eq!(who(&event(Alert { audience: vec![Staff::Arbiter], ..hint })), [false, true]);
        assert_eq!(who(&event(Alert::new(AlertKind::FlagFall))), [true, true]);
    }

    #[test]
    fn that_the_arbiter_was_called_is_for_the_staff() {
        let told = |state: State| {
            let event = TableEvent { table: None, t: 7, event: Entry::State { state }.into() };
            (Open::to_hall(&event).is_some(), Open::to_public(&event).is_some(), is_for(&event, Staff::Arbiter))
        };
        assert_eq!(told(State::AwaitingArbiter), (false, false, true));
        assert_eq!(told(State::Playing), (true, true, true));
        assert_eq!(told(State::Ended), (true, true, true));
    }

    #[test]
    fn the_hall_is_told_that_a_board_is_held_and_not_which_squares() {
        let held = Sight::Held { held: true, squares: vec!["e4".into()] };
        let event = TableEvent { table: None, t: 7, event: held.into() };
        let shown = Open::to_hall(&event).expect("the hall may know that a board is held");
        assert_eq!(shown.event().event, Sight::Held { held: true, squares: vec![] }.into());
    }

    #[test]
    fn that_a_clock_was_not_pressed_is_for_the_staff_and_for_the_hall_only_while_both_clocks_stand() {
        let marks = |at_rest| {
            let (line, turn) = (vec!["e4".to_owned()], Side::Black);
            let (last, placement) = (None, String::new());
            let seen = Sight::Seen { line, settled: 0, placement, turn, last, check: false, off_clock: 1, at_rest };
            match for_hall(&seen.into()) {
                Some(Event::Sight(Sight::Seen { off_clock, .. })) => off_clock,
                other => panic!("the hall sees {other:?}"),
            }
        };
        assert_eq!([marks(true), marks(false)], [1, 0]);
    }

    /// One event of each kind; the compiler does not let a kind be forgotten in `is_public` and `for_hall`.
    pub(in crate::screens) fn one_of_each() -> Vec<(&'static str, Event)> {
        let side = Side::White;
        let line = vec!["e4".to_owned()];
        let placement = "8/8/8/8/8/8/8/8".to_owned();
        vec![
            (
                "seen",
                Sight::Seen {
                    line,
                    settled: 0,
                    placement: placement.clone(),
                    turn: side,
                    last: None,
                    check: false,
                    off_clock: 0,
                    at_rest: false,
                }
                .into(),
            ),
            ("held", Sight::Held { held: true, squares: vec!["e4".into()] }.into()),
            ("clock", Sight::Clock { white_ms: 1, black_ms: 2, running: None }.into()),
            ("link", Sight::Link { board: "7".into(), state: Link::Up }.into()),
            (
                "touch",
                Sight::Touch { side, sq: "e2".into(), piece: "P".into(), held_ms: 1, kind: TouchKind::Touch }.into(),
            ),
            ("board", Sight::Board { placement, squares: vec!["e4".into()] }.into()),
            ("attended", Sight::Attended { attended: true }.into()),
            ("started", Entry::Started { game: 1, fen: String::new(), variant: Variant::Standard }.into()),
            ("paired", Entry::Paired { white: Player::default(), black: Player::default(), time_control: None }.into()),
            ("final", a_final(1).into()),
            (
                "corrected",
                Entry::Corrected { from_ply: 1, old: vec![], new: vec![], reason: Correction::Arbiter }.into(),
            ),
            ("state", Entry::State { state: State::Playing }.into()),
            ("instants", Entry::Instants { ply: 1, touched: None, placed: None, pressed: None, settled: 7 }.into()),
            ("proposal", Entry::Proposal(Proposal::default()).into()),
            (
                "verdict",
                Entry::Verdict { ply: 1, side, can_mate: Some(false), line: vec![], proof: Some("walls".into()) }
                    .into(),
            ),
            ("noted", Entry::Noted { order: Box::new(Command::Stop) }.into()),
            ("result", Entry::Result { result: GameResult::Draw, reason: ResultReason::Arbiter, score: None }.into()),
            ("alert", an_alert().into()),
        ]
    }

    pub(in crate::screens) fn a_final(ply: usize) -> Entry {
        let (san, uci, fen) = ("e4".into(), "e2e4".into(), "8/8/8/8/8/8/8/8 b - - 0 1".into());
        Entry::Final { ply, san, uci, fen, clock_ms: None, inferred: false, illegal: false }
    }

    pub(in crate::screens) fn an_alert() -> Entry {
        Entry::Alert(Box::new(Alert::new(AlertKind::Checkmate)))
    }
}
