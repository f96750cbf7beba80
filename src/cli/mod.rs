//! The command line: one file a command, each with its arguments, its help and its way through the rooms.

mod air;
mod board;
mod boards;
mod capture;
mod daemon;
mod dead;
mod decode;
mod demo;
mod doctor;
mod exit;
mod export;
mod fidelity;
mod follow;
mod generate;
mod invite;
mod journal;
mod log;
mod order;
mod pair;
mod ready;
mod recording;
mod replay;
mod scenario;
mod serve;
mod terminal;
mod voice;

use std::{
    io::{self, Write},
    process::ExitCode,
};

use clap::{CommandFactory, Parser, Subcommand};

const EXIT_CODES: &str = "Exit codes:\n  \
    0  done\n  \
    1  it could not be done; the sentence on standard error says why and what to try\n  \
    2  the command line makes no sense\n  \
    3  what was looked at is not in order";

/// Reads electronic chess boards, reconstructs the moves, and shows them.
#[derive(Debug, Parser)]
#[command(name = "escaque", version, arg_required_else_help = true, max_term_width = 100, after_help = EXIT_CODES)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Air(air::Args),
    Board(board::Args),
    Boards(boards::Args),
    Capture(capture::Args),
    Dead(dead::Args),
    Decode(decode::Args),
    Demo(demo::Args),
    Doctor(doctor::Args),
    Doors(invite::Doors),
    Export(export::Args),
    Fidelity(fidelity::Args),
    Follow(follow::Args),
    Invite(invite::Invite),
    Journal(journal::Args),
    Order(order::Args),
    Pair(pair::Args),
    Replay(replay::Args),
    Scenario(scenario::Args),
    Serve(serve::Args),
    Voice(voice::Args),
    Completions(generate::Completions),
    Man(generate::Man),
}

/// Runs the command that was asked for, and says in a sentence what went wrong.
pub fn main() -> ExitCode {
    let outcome = match Cli::parse().command {
        Command::Air(args) => air::run(args),
        Command::Board(args) => board::run(args),
        Command::Boards(args) => boards::run(args),
        Command::Capture(args) => capture::run(args),
        Command::Dead(args) => dead::run(args),
        Command::Decode(args) => decode::run(args),
        Command::Demo(args) => demo::run(args),
        Command::Doctor(args) => doctor::run(args),
        Command::Doors(args) => invite::doors(args),
        Command::Export(args) => export::run(args),
        Command::Fidelity(args) => fidelity::run(args),
        Command::Follow(args) => follow::run(&args),
        Command::Invite(args) => invite::invite(args),
        Command::Journal(args) => journal::run(&args),
        Command::Order(args) => order::run(args),
        Command::Pair(args) => pair::run(args),
        Command::Replay(args) => replay::run(args),
        Command::Scenario(args) => scenario::run(args),
        Command::Serve(args) => serve::run(args),
        Command::Voice(args) => voice::run(args),
        Command::Completions(args) => Ok(generate::completions(&args, &mut Cli::command())),
        Command::Man(args) => generate::man(&args, Cli::command()),
    };
    outcome.and_then(|code| terminal::said().map(|()| code)).unwrap_or_else(|error| {
        // A terminal that is gone is told nothing, and that is no second failure.
        let _ = writeln!(io::stderr(), "escaque: {}", sentence(&error));
        exit::FAILED.into()
    })
}

/// What went wrong and why, each once: some errors have their cause in their own sentence.
fn sentence(error: &anyhow::Error) -> String {
    error.chain().map(ToString::to_string).fold(String::new(), |said, cause| match said.as_str() {
        "" => cause,
        known if known.contains(&cause) => said,
        _ => format!("{said}: {cause}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cause_is_said_once() {
        let cause = || io::Error::from_raw_os_error(2);
        let once = "the key can't be used: No such file or directory (os error 2)";
        assert_eq!(sentence(&anyhow::Error::new(cause()).context("the key can't be used")), once);
        assert_eq!(sentence(&anyhow::Error::new(cause()).context(once)), once);
    }

    #[test]
    fn the_help_names_every_command_of_the_readme() {
        let help = Cli::command().render_help().to_string();
        let listed = help.lines().filter_map(|line| line.strip_prefix("  ")?.split(' ').next()).collect::<Vec<_>>();
        let readme = include_str!("../../README.md").split("`escaque ").skip(1);
        let named = readme.filter_map(|text| text.split([' ', '`']).next()).collect::<Vec<_>>();
        let missing = named.iter().filter(|name| !listed.contains(name)).collect::<Vec<_>>();
        assert!(named.len() > 20, "the page has been read: {named:?}");
        assert_eq!(missing, Vec::<&&str>::new());
    }
}
