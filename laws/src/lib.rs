//! What the Laws of Chess say about a game. Depends on shakmaty only, so that any chess program can use it.
#![forbid(unsafe_code)]

mod ending;

pub use ending::Ending;
