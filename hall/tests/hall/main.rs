//! What the hall makes of hands, clocks and orders, as claims: one program, so that it is linked once.
//!
//! A file is a subject; those that need hands drive them through `world`, which is a table whose time is a number.

mod alike;
mod arrays;
mod attending;
mod beginnings;
mod blind;
mod boards;
mod clocks;
mod closing;
mod dead_ends;
mod decided;
mod doubts;
mod edges;
mod events;
mod faulty;
mod first_moves;
mod floor;
mod gaps;
mod hands;
mod holes;
mod inventory;
mod mended_ends;
mod mid_game;
mod offences;
mod operator;
mod pair;
mod presses;
mod refused;
mod rests;
mod seats;
mod second_opinion;
mod second_thoughts;
mod silent;
mod spelling;
mod spoken;
mod two_boards;
mod unplayed;
mod world;
