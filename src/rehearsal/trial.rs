//! What is tried on purpose: everyday noise stands in [`Noise`](super::Noise), and here what befalls a table now and then.

/// Conditions of a trial. Nothing of this happens unless it is asked for.
///
/// Probabilities are per occasion named in the comment; what comes once a game comes in a game that has room for it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Trial {
    /// What the line to the computer does.
    pub cable: Cable,
    /// What is broken.
    pub faults: Faults,
    /// What comes once a game.
    pub once: Once,
    /// How games begin and end.
    pub edges: Edges,
    /// The board tells only where something stands: a square that goes from one man to another says nothing, and what
    /// shows of a capture is the moment between them.
    pub nameless: bool,
}

/// The line from the board to the computer.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cable {
    /// Per byte: it never arrives.
    pub bytes_lost: f64,
    /// What is said arrives only at multiples of so many milliseconds.
    pub batch: u64,
    /// Per message: it is held up, and everything behind it with it.
    pub stall: f64,
    /// For how long.
    pub stall_for: (u64, u64),
}

/// What is broken at the board or its clock, all game long.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Faults {
    /// The squares are behind the clock by one time out of these.
    pub late: (u64, u64),
    /// Per arrival: a neighbour reads the man until it is put right, and its own square nothing.
    pub beside: f64,
    /// So many squares never read anything.
    pub dead: usize,
    /// One square reads nothing from this move on.
    pub dies_at_move: Option<usize>,
    /// Per press: nothing is heard of the clock until the next one.
    pub press_unheard: f64,
    /// It shows all its squares when it is plugged in, and never again.
    pub mute: bool,
}

/// What comes once a game, at a ply the dice choose. Zero is never.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Once {
    /// Everything that is said within so many milliseconds is lost.
    pub silence: (u64, u64),
    /// So many plies long nothing is heard of the squares.
    pub squares_unheard: usize,
    /// So many plies long nothing is heard at all, and the link is up.
    pub nothing_heard: usize,
    /// So many plies long the link is down.
    pub link_gap: usize,
    /// So many plies long the lever is read where it lay; the faces are read right.
    pub lever_stuck: usize,
    /// So many other plies are played and taken back.
    pub takeback: usize,
}

/// How games begin and end.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Edges {
    /// A king and queen stand on each other's squares until this move.
    pub swapped_until_move: usize,
    /// Per signal: another pair of kings comes first.
    pub other_kings_first: f64,
    /// Per game: nobody presses after the last move.
    pub last_unpressed: f64,
    /// Nobody stops the clock after the last move.
    pub clock_runs_on: bool,
    /// After an analysis the last position is put up again.
    pub restored: bool,
    /// An analysis has so many plies at least, and at most.
    pub analysis: Option<(usize, usize)>,
    /// Somebody tells the result to the desk.
    pub given: Option<Given>,
    /// The men go home as soon as the clock is stopped.
    pub at_once: bool,
    /// The men stand ready for so long before the next game.
    pub ready_for: Option<(u64, u64)>,
    /// White thinks for so long about the first move.
    pub first_thought: Option<(u64, u64)>,
}

/// When the desk hears the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Given {
    /// Long after the end, the men untouched or looked at.
    Late,
    /// After the men have been put back.
    PutBack,
}
