//! What the Laws say, tried on positions, games and words: one program, so that it is linked once.

mod any_text;
mod book;
mod cases;
mod certificates;
mod clock;
mod dead_positions;
mod draws;
mod notation;
mod prove_fuzz;
