//! Which ports there are: names and patterns in, devices out.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// Where boards are looked for if nobody says otherwise: USB adapters, boards with USB of their own, Bluetooth.
pub const USUAL_PORTS: [&str; 3] = ["/dev/ttyUSB*", "/dev/ttyACM*", "/dev/rfcomm*"];

/// Names of devices, or patterns for them. `*` stands for any letters and `?` for one, in the last part of the path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Patterns(Vec<Pattern>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Pattern {
    Name(PathBuf),
    Glob { folder: PathBuf, last: String },
}

/// A pattern that could never match.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadPattern {
    /// Nothing at all.
    #[error("a port needs a name: try /dev/ttyUSB0, or \"/dev/ttyUSB*\" for all of a kind")]
    Empty,
    /// A wildcard where folders are named.
    #[error("\"{0}\" has a wildcard in the name of a folder: they work in the last part only, as in \"/dev/ttyUSB*\"")]
    Folder(String),
}

impl Patterns {
    /// Where boards are usually found.
    pub fn usual() -> Patterns {
        Patterns::of(USUAL_PORTS).expect("the usual ports are good patterns")
    }

    /// Reads names and patterns.
    pub fn of<T: AsRef<str>>(texts: impl IntoIterator<Item = T>) -> Result<Patterns, BadPattern> {
        texts.into_iter().map(|text| text.as_ref().parse()).collect::<Result<_, _>>().map(Patterns)
    }

    /// The devices that are there, each with the first name it was found by. However many names lead to a device,
    /// it is there once.
    pub fn look(&self) -> BTreeMap<PathBuf, PathBuf> {
        let mut devices = BTreeMap::new();
        for name in self.0.iter().flat_map(Pattern::look) {
            if let Ok(real) = name.canonicalize() {
                devices.entry(real).or_insert(name);
            }
        }
        devices
    }

    /// Ports that were named one by one, which somebody therefore expects to be there.
    pub fn named(&self) -> impl Iterator<Item = &Path> {
        self.0.iter().filter_map(|pattern| match pattern {
            Pattern::Name(name) => Some(name.as_path()),
            Pattern::Glob { .. } => None,
        })
    }
}

impl Pattern {
    fn look(&self) -> Vec<PathBuf> {
        match self {
            Pattern::Name(name) => vec![name.clone()],
            Pattern::Glob { folder, last } => {
                let mut names = fs::read_dir(folder)
                    .into_iter()
                    .flatten()
                    .flatten()
                    .filter(|entry| entry.file_name().to_str().is_some_and(|name| fits(last, name)))
                    .map(|entry| entry.path())
                    .filter(|path| path.metadata().is_ok_and(|data| data.file_type().is_char_device()))
                    .collect::<Vec<_>>();
                names.sort();
                names
            }
        }
    }
}

impl FromStr for Pattern {
    type Err = BadPattern;

    fn from_str(text: &str) -> Result<Pattern, BadPattern> {
        let path = Path::new(text);
        let Some(last) = path.file_name().and_then(|name| name.to_str()) else { return Err(BadPattern::Empty) };
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        if folder.to_string_lossy().contains(WILD) {
            Err(BadPattern::Folder(text.to_owned()))
        } else if last.contains(WILD) {
            let folder = if folder.as_os_str().is_empty() { PathBuf::from(".") } else { folder };
            Ok(Pattern::Glob { folder, last: last.to_owned() })
        } else {
            Ok(Pattern::Name(path.to_owned()))
        }
    }
}

const WILD: [char; 2] = ['*', '?'];

fn fits(pattern: &str, name: &str) -> bool {
    match (pattern.chars().next(), name.chars().next()) {
        (None, None) => true,
        (Some('*'), _) if fits(&pattern[1..], name) => true,
        (Some('*'), Some(letter)) => fits(pattern, &name[letter.len_utf8()..]),
        (Some('?'), Some(letter)) => fits(&pattern[1..], &name[letter.len_utf8()..]),
        (Some(wanted), Some(letter)) if wanted == letter => {
            fits(&pattern[wanted.len_utf8()..], &name[letter.len_utf8()..])
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_is_any_letters_and_a_question_mark_is_one() {
        for (pattern, name, fit) in [
            ("ttyUSB*", "ttyUSB0", true),
            ("ttyUSB*", "ttyUSB", true),
            ("ttyUSB?", "ttyUSB", false),
            ("ttyUSB?", "ttyUSB12", false),
            ("*DGT*", "usb-DGT_DGT_Chessboard-if00", true),
            ("*DGT*", "usb-FTDI", false),
            ("t*1", "ttyUSB11", true),
        ] {
            assert_eq!(fits(pattern, name), fit, "{pattern} {name}");
        }
    }

    #[test]
    fn a_pattern_that_could_never_match_says_so() {
        assert_eq!(Patterns::of([""]), Err(BadPattern::Empty));
        assert_eq!(Patterns::of(["/dev/*/board"]), Err(BadPattern::Folder("/dev/*/board".to_owned())));
    }

    #[test]
    fn a_device_with_three_names_is_found_once() {
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["board-a", "board-b"] {
            std::os::unix::fs::symlink("/dev/null", folder.path().join(name)).expect("a link");
        }
        let patterns = [folder.path().join("board-*").display().to_string(), "/dev/null".to_owned()];
        let found = Patterns::of(patterns).expect("good patterns").look();
        assert_eq!(found.into_iter().collect::<Vec<_>>(), [("/dev/null".into(), folder.path().join("board-a"))]);
    }
}
