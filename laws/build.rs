//! Gathers the languages of announcements: whatever lies in `src/blind/words` is one, and needs no line of code.

#![expect(clippy::disallowed_macros, reason = "this is how a build script speaks to cargo")]

use std::{env, fs, io, path::PathBuf};

fn main() -> io::Result<()> {
    let folder = |name| env::var_os(name).map(PathBuf::from).ok_or_else(|| io::Error::other("not run by cargo"));
    let words = folder("CARGO_MANIFEST_DIR")?.join("src/blind/words");
    println!("cargo:rerun-if-changed={}", words.display());
    let mut files = fs::read_dir(&words)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    files.sort();
    let rows = files.iter().map(|file| format!("    include_str!({file:?}),\n")).collect::<String>();
    fs::write(folder("OUT_DIR")?.join("words.rs"), format!("const FILES: &[&str] = &[\n{rows}];\n"))
}
