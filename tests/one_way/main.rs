//! Data flows one way, and the pure rooms stay pure: what the README's map promises, read off the sources.

mod changes;
mod circles;
mod drawers;
mod house;
mod structs;

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// Upstream to downstream. A room may name rooms before it, never after it. One file may be a room.
const ROOMS: [&str; 18] = [
    "bytes",
    "nearest",
    "rehearsal",
    "sensors",
    "journal",
    "record",
    "voice",
    "lists",
    "mates",
    "press",
    "screens",
    "prover",
    "config",
    "run",
    "demo",
    "scenario",
    "fidelity",
    "cli",
];

/// The pure crates and all they may depend on. Nothing here opens, sends, waits or throws dice.
const PURE: [(&str, &[&str]); 4] = [
    ("protocol", &["schemars", "serde", "shakmaty", "thiserror"]),
    ("laws", &["shakmaty"]),
    ("pairings", &["chardetng", "encoding_rs", "laws", "shakmaty"]),
    ("hall", &["laws", "protocol", "serde", "shakmaty", "thiserror"]),
];

/// What would let the world into a pure crate from far away.
const WORLDLY: [&str; 14] = [
    "async-std",
    "chrono",
    "crossbeam",
    "fastrand",
    "futures",
    "getrandom",
    "jiff",
    "mio",
    "rand",
    "rayon",
    "rustix",
    "smol",
    "time",
    "tokio",
];

/// Parts of the standard library a pure crate does without: time and randomness come in as values.
const WORLDLY_STD: [&str; 7] = ["env", "fs", "io", "net", "process", "thread", "time"];

/// The same by name, however it was imported, and output that belongs to the shell.
const WORLDLY_WORDS: [&str; 9] =
    ["Instant", "SystemTime", "dbg", "eprint", "eprintln", "print", "println", "rand", "tokio"];

/// Their order changes from run to run, and the hall must replay to the same bytes.
const UNORDERED: [&str; 2] = ["HashMap", "HashSet"];

#[test]
fn data_flows_one_way() {
    for (at, room) in ROOMS.iter().enumerate() {
        for (path, code) in sources(Path::new("src")).iter().filter(|(path, _)| room_of(path) == Some(room)) {
            let named = rooms_named(path, code);
            for later in &ROOMS[at + 1..] {
                assert!(!named.contains(*later), "{} names {later}, which is downstream of {room}", path.display());
            }
        }
    }
}

#[test]
fn every_room_has_its_place_in_the_order() {
    let rooms = sources(Path::new("src")).into_iter().filter_map(|(path, _)| room_of(&path).map(str::to_owned));
    let entrances = ["lib", "main"];
    let rooms = rooms.filter(|room| !entrances.contains(&room.as_str())).collect::<BTreeSet<_>>();
    assert_eq!(rooms, ROOMS.map(str::to_owned).into());
}

#[test]
fn pure_crates_depend_on_nothing_worldly() {
    let direct = dependencies();
    let locked = locked();
    for (name, allowed) in PURE {
        for dependency in &direct[name] {
            assert!(allowed.contains(&dependency.as_str()), "{name} depends on {dependency}");
        }
        let mut reached = BTreeSet::new();
        let mut next = direct[name].iter().filter(|dependency| !direct.contains_key(*dependency)).collect::<Vec<_>>();
        while let Some(package) = next.pop() {
            if reached.insert(package.as_str()) {
                next.extend(&locked[package]);
            }
        }
        for package in WORLDLY {
            assert!(!reached.contains(package), "{name} reaches {package}");
        }
    }
}

#[test]
fn pure_crates_never_touch_the_world() {
    for (name, _) in PURE {
        for (path, code) in sources(&Path::new(name).join("src")) {
            let worldly = worldly(&code);
            assert!(worldly.is_empty(), "{} names {worldly:?}, the shell's business", path.display());
        }
    }
}

#[test]
fn the_hall_keeps_its_order() {
    for (path, code) in sources(Path::new("hall/src")) {
        let words = words(&code);
        let unordered = UNORDERED.iter().find(|word| words.contains(*word));
        assert_eq!(unordered, None, "{}: an ordered map replays to the same bytes", path.display());
    }
}

#[test]
fn the_scan_sees_every_way_to_name_a_thing() {
    let room = Path::new("src/sensors/mod.rs");
    let inside = Path::new("src/sensors/port.rs");
    for (path, code, named) in [
        (room, "use crate::journal::Journal;", "journal"),
        (room, "use crate::{rehearsal::{Hands, Run}, screens};", "screens"),
        (room, "use super::run;", "run"),
        (inside, "let a = crate :: cli :: main();", "cli"),
        (inside, "use super::super::{journal, record};", "record"),
    ] {
        assert!(rooms_named(path, code).contains(named), "{code}");
    }
    assert!(!rooms_named(room, "use crate::{rehearsal::journal, sensors};").contains("journal"));
    assert!(!rooms_named(inside, "use super::journal;").contains("journal"), "a file of the room's own");

    for code in [
        "use std::{fmt, fs};",
        "use std::{collections::{BTreeMap}, time::Duration};",
        "std::thread::sleep(long);",
        "Instant::now()",
        "println!(\"{x}\")",
        "tokio::spawn(x)",
    ] {
        assert!(!worldly(code).is_empty(), "{code}");
    }
    assert_eq!(worldly("use std::{collections::BTreeMap, fmt, str::FromStr};"), Vec::<String>::new());
    assert_eq!(without_comments("a // std::fs\nb"), "a \nb\n");
}

fn room_of(path: &Path) -> Option<&str> {
    Path::new(path.strip_prefix("src").ok()?.iter().next()?).file_stem()?.to_str()
}

/// The first names after the root of the daemon's crate, whichever way the file writes that root.
fn rooms_named(path: &Path, code: &str) -> BTreeSet<String> {
    let depth = path.iter().count() - if path.ends_with("mod.rs") { 2 } else { 1 };
    let from_here = "super::".repeat(depth);
    ["crate::", "escaque::", &from_here].iter().flat_map(|root| heads(code, root)).collect()
}

fn worldly(code: &str) -> Vec<String> {
    let std = heads(code, "std::").into_iter().filter(|part| WORLDLY_STD.contains(&part.as_str()));
    let words = words(code).into_iter().filter(|word| WORLDLY_WORDS.contains(word)).map(str::to_owned);
    std.chain(words).collect()
}

/// The names that follow `root`: one, or those at the top of the braces.
fn heads(code: &str, root: &str) -> Vec<String> {
    let code = code.split_whitespace().collect::<String>();
    code.split(root)
        .skip(1)
        .flat_map(|after| if after.starts_with('{') { group(after) } else { vec![name(after)] })
        .collect()
}

/// The first name of each path in `{a::{b, c}, d}`.
fn group(braces: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut depth = 0;
    for (at, sign) in braces.char_indices() {
        match sign {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            break;
        }
        if depth == 1 && (at == 0 || sign == ',') {
            names.push(name(&braces[at + 1..]));
        }
    }
    names
}

fn name(code: &str) -> String {
    code.chars().take_while(|sign| sign.is_alphanumeric() || *sign == '_').collect()
}

fn words(code: &str) -> BTreeSet<&str> {
    code.split(|sign: char| !sign.is_alphanumeric() && sign != '_').collect()
}

/// Every Rust file below `folder`, comments taken out: prose may name what code may not.
fn sources(folder: &Path) -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut sources = Vec::new();
    for entry in fs::read_dir(root.join(folder)).expect("the folder is in the tree") {
        let path = folder.join(entry.expect("a readable folder").file_name());
        if root.join(&path).is_dir() {
            sources.extend(self::sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(root.join(&path)).expect("a source file");
            sources.push((path, without_comments(&text)));
        }
    }
    sources
}

fn without_comments(text: &str) -> String {
    text.lines().flat_map(|line| [line.split("//").next().unwrap_or_default(), "\n"]).collect()
}

/// What each crate of the workspace depends on outside its tests.
fn dependencies() -> BTreeMap<String, BTreeSet<String>> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--offline", "--format-version", "1", "--manifest-path"])
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml"))
        .output()
        .expect("cargo runs");
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).expect("cargo metadata is JSON");
    let text = |value: &serde_json::Value| value.as_str().expect("a name").to_owned();
    let list = |value: &serde_json::Value| value.as_array().expect("a list").clone();
    list(&metadata["packages"])
        .iter()
        .map(|package| {
            let needed = list(&package["dependencies"]).into_iter().filter(|dependency| dependency["kind"] != "dev");
            (text(&package["name"]), needed.map(|dependency| text(&dependency["name"])).collect())
        })
        .collect()
}

/// What each package depends on, as the lock file has it.
fn locked() -> BTreeMap<String, BTreeSet<String>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.lock");
    let lock = fs::read_to_string(path).expect("the lock file is in the tree");
    let mut packages = BTreeMap::<String, BTreeSet<String>>::new();
    for package in lock.split("[[package]]").skip(1) {
        let quoted = |line: &str| line.split('"').nth(1).and_then(|name| name.split(' ').next()).map(str::to_owned);
        let name = package.lines().find(|line| line.starts_with("name = ")).and_then(quoted).expect("a name");
        let needed = package.lines().filter(|line| line.starts_with(" \"")).filter_map(quoted);
        packages.entry(name).or_default().extend(needed);
    }
    packages
}
