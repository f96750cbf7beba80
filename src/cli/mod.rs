//! The command line: one file a command, each with its arguments, its help and its way through the rooms.

mod board;
mod capture;
mod decode;
mod doctor;
mod exit;
mod scenario;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Reads electronic chess boards, reconstructs the moves, and shows them.
#[derive(Debug, Parser)]
#[command(name = "escaque", version, arg_required_else_help = true, max_term_width = 100)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Board(board::Args),
    Capture(capture::Args),
    Decode(decode::Args),
    Doctor(doctor::Args),
    Scenario(scenario::Args),
}

/// Runs the command that was asked for, and says in a sentence what went wrong.
pub fn main() -> ExitCode {
    let outcome = match Cli::parse().command {
        Command::Board(args) => board::run(args),
        Command::Capture(args) => capture::run(args),
        Command::Decode(args) => decode::run(args),
        Command::Doctor(args) => doctor::run(args),
        Command::Scenario(args) => scenario::run(args),
    };
    outcome.unwrap_or_else(|error| {
        eprintln!("escaque: {error:#}");
        exit::FAILED.into()
    })
}
