//! `escaque doctor`.

use std::process::ExitCode;

/// (doctor)
#[derive(Debug, clap::Args)]
pub(super) struct Args {}

pub(super) fn run(_args: Args) -> anyhow::Result<ExitCode> {
    Ok(super::exit::OK.into())
}
