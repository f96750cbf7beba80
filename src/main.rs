//! The `escaque` program. Everything it can do is a command in [`escaque::cli`].

use std::process::ExitCode;

fn main() -> ExitCode {
    escaque::cli::main()
}
