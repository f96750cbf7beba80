//! When something befalls a game, in plies.

/// What will befall the game that is on.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Fate {
    pub(super) silence: Option<usize>,
    pub(super) squares: Option<Stretch>,
    pub(super) nothing: Option<Stretch>,
    pub(super) gap: Option<Stretch>,
    pub(super) lever: Option<Stretch>,
}

/// From when so many plies have been played until so many have.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stretch {
    pub(super) from: usize,
    pub(super) until: usize,
}
