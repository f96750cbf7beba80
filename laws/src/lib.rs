//! What the Laws of Chess say about a game. Depends on shakmaty only.
#![forbid(unsafe_code)]
