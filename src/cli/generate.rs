//! `escaque completions` and `escaque man`: what the package installs beside the program.

use std::{fs, path::PathBuf, process::ExitCode};

use anyhow::Context;
use clap::Command;
use clap_complete::Shell;

/// Print completions for a shell
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  escaque completions bash > /usr/share/bash-completion/completions/escaque")]
pub(super) struct Completions {
    /// Which shell
    shell: Shell,
}

/// Write the man pages into a folder
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  escaque man /usr/local/share/man/man1")]
pub(super) struct Man {
    /// The folder; it is made if it is not there
    folder: PathBuf,
}

pub(super) fn completions(args: &Completions, command: &mut Command) -> ExitCode {
    // Into memory first: what writes them panics where nobody reads to their end.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, command, "escaque", &mut script);
    super::terminal::say(&String::from_utf8_lossy(&script));
    super::exit::OK.into()
}

pub(super) fn man(args: &Man, command: Command) -> anyhow::Result<ExitCode> {
    fs::create_dir_all(&args.folder).and_then(|()| clap_mangen::generate_to(command, &args.folder)).with_context(
        || format!("the man pages can't be written to {}: name a folder of yours", args.folder.display()),
    )?;
    Ok(super::exit::OK.into())
}
