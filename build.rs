//! Builds the pages into the program: writes a table of what lies in `web/dist`, or of one page that says how to
//! build them.

use std::{
    env, fs, io,
    path::{Path, PathBuf},
};

const DIST: &str = "web/dist";
/// Vite puts files whose name holds a hash of their content here. Those that keep their name are in a folder below.
const HASHED: &str = "assets/";

fn main() -> io::Result<()> {
    println!("cargo:rerun-if-changed=build.rs");
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").ok_or_else(|| io::Error::other("not run by cargo"))?);
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or_else(|| io::Error::other("not run by cargo"))?);
    let dist = root.join(DIST);
    let rows = if dist.join("index.html").is_file() {
        println!("cargo:rerun-if-changed={DIST}");
        rows(&dist)?
    } else {
        // Watching a folder that is not there would build the program anew each time. Its parent will do.
        if root.join("web").is_dir() {
            println!("cargo:rerun-if-changed=web");
        }
        fs::write(out.join("index.html"), WITHOUT_PAGES)?;
        rows(&out)?.into_iter().filter(|row| row.contains("\"index.html\"")).collect()
    };
    fs::write(out.join("pages.rs"), format!("static PAGES: &[Page] = &[\n{}];\n", rows.concat()))
}

fn rows(folder: &Path) -> io::Result<Vec<String>> {
    let mut files = Vec::new();
    walk(folder, &mut files)?;
    let mut paths: Vec<(String, PathBuf)> = files
        .into_iter()
        .filter_map(|file| Some((file.strip_prefix(folder).ok()?.to_str()?.to_owned(), file)))
        .collect();
    paths.sort();
    paths.into_iter().map(|(path, file)| row(&path, &file)).collect()
}

fn walk(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            walk(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}

fn row(path: &str, file: &Path) -> io::Result<String> {
    let etag = format!("\"{:016x}\"", fingerprint(&fs::read(file)?));
    let is_hashed = path.strip_prefix(HASHED).is_some_and(|name| !name.contains('/'));
    let mime = mime(path);
    Ok(format!(
        "    Page {{ path: {path:?}, mime: {mime:?}, etag: {etag:?}, is_hashed: {is_hashed}, \
         bytes: include_bytes!({file:?}) }},\n"
    ))
}

/// FNV-1a, 64 bits: enough to tell two builds of a page apart.
fn fingerprint(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

fn mime(path: &str) -> &'static str {
    match path.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js" | "mjs") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("ico") => "image/x-icon",
        Some("woff2") => "font/woff2",
        Some("json" | "map") => "application/json",
        Some("webmanifest") => "application/manifest+json",
        Some("txt" | "md") => "text/plain; charset=utf-8",
        Some("mp3") => "audio/mpeg",
        Some("ogg") => "audio/ogg",
        _ => "application/octet-stream",
    }
}

const WITHOUT_PAGES: &str = "<!doctype html>
<html lang=\"en\">
<meta charset=\"utf-8\">
<title>Escaque without pages</title>
<h1>Escaque is running, without its pages</h1>
<p>This program was built before its pages were. Run <code>make</code> in the source folder and start it again.</p>
<p>Everything else works: the feed at <code>/feed/ws</code>, the games at <a href=\"/pgn\">/pgn</a>,
how the hall stands at <a href=\"/snapshot\">/snapshot</a>.</p>
";
