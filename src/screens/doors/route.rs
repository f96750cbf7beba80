//! The addresses of the daemon.

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
            Route::Feed => &["/feed/ws", "/feed/v2", "/feed/v2/", "/feed/v2/{*table}"],
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
    pub(super) fn shown(self) -> &'static str {
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
