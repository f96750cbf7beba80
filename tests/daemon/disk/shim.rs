//! The bad disk between the daemon and its C library.

use std::{path::Path, process::Command};

/// Compiles some lines of C that come with the tests.
pub(crate) fn compile(source: &str, flags: &[&str], to: &Path) {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/daemon").join(source);
    let done = Command::new("cc").arg("-O1").args(flags).arg("-o").arg(to).arg(source).arg("-ldl").status();
    assert!(done.is_ok_and(|status| status.success()), "a C compiler is needed: apt-get install gcc libc6-dev");
}

pub(crate) fn build(to: &Path) {
    compile("disk/shim.c", &["-shared", "-fPIC"], to);
}

/// Loads it into a program, with the file that says how the disk is, and the folder that is on it.
pub(crate) fn load(into: &mut Command, shim: &Path, switch: &Path, under: &Path) {
    into.env("LD_PRELOAD", shim).env("FAULT_SWITCH", switch).env("FAULT_UNDER", under);
}
