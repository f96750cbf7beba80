//! The doors: every way information leaves, and for whom it is. This is the one place that decides who sees what.
//!
//! An address, the listener a request came by and the role it showed are all that decides; `open` is where. What is in
//! no row can't be opened: the router is made from [`Route::ALL`], and a door that is not in [`Door::ALL`] is never found.

mod hearing;
mod route;
#[cfg(test)]
pub(super) mod tests;

use protocol::feed::Audience;

pub(super) use hearing::is_theirs;
pub use hearing::{Open, is_for};
pub use route::Route;

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
    /// The events, for tools that know LiveChess.
    LiveChessTournaments,
    /// Their rounds.
    LiveChessRounds,
    /// The games of those.
    LiveChessGames,
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
    pub const ALL: [Door; 46] = [
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
        Door::LiveChessTournaments,
        Door::LiveChessRounds,
        Door::LiveChessGames,
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
                "also what is seen, clocks, cables, offers of a draw, penalties of time; no squares, no alerts",
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
                At::Outward("[[air]] after tell_live"),
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
            Door::LiveChessTournaments => (
                At::Loopback("http://localhost:1982/api/v1.0/tournaments, …/tournament/UUID"),
                Only(&[Hall]),
                Live,
                "events, and which board is at which of their tables",
            ),
            Door::LiveChessRounds => (
                At::Loopback("http://localhost:1982/api/v1.0/round/UUID/N"),
                Only(&[Hall]),
                Live,
                "who plays whom, and results",
            ),
            Door::LiveChessGames => (
                At::Loopback("http://localhost:1982/api/v1.0/game/UUID"),
                Only(&[Hall]),
                Live,
                "final moves, and what the clock shows",
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
