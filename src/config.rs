//! The configuration file: ports, paths, listeners. Nothing in it is needed to start, and nothing in it changes a game.

use std::{net::IpAddr, path::PathBuf};

use serde::{Deserialize, Deserializer, de::Error as _};
use tracing_subscriber::filter::{LevelFilter, Targets};

use crate::{
    press::Target,
    screens::{listen::Where, livechess::Choice},
};

/// What the file can say. Keys are written as here, with `-` for `_`.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Config {
    /// Where screens of this machine connect.
    #[serde(default, deserialize_with = "place")]
    pub listen: Option<Where>,
    /// Where screens of the hall connect, encrypted.
    #[serde(default, deserialize_with = "place")]
    pub lan: Option<Where>,
    /// Where screens of the hall connect that know no encryption.
    #[serde(default, deserialize_with = "place")]
    pub lan_plain: Option<Where>,
    /// Where spectators connect.
    #[serde(default, deserialize_with = "place")]
    pub public: Option<Where>,
    /// The certificate for `lan`; one of our own where there is none.
    pub certificate: Option<PathBuf>,
    /// Its key.
    pub key: Option<PathBuf>,
    /// What this machine is called by those who come.
    #[serde(default, deserialize_with = "one_or_more")]
    pub names: Option<Vec<String>>,
    /// Pages of others that may show this hall.
    #[serde(default, deserialize_with = "origins")]
    pub origins: Option<Vec<String>>,
    /// Where clients of LiveChess find the boards: a port of this machine, or "off".
    pub livechess: Option<Choice>,
    /// Pages of others that may hear the boards there, beside the usual two.
    #[serde(default, deserialize_with = "origins")]
    pub livechess_origins: Option<Vec<String>>,
    /// Proxies in front of `public` that say for whom they ask.
    #[serde(default, deserialize_with = "machines")]
    pub proxies: Option<Vec<IpAddr>>,
    /// Devices and patterns under which boards are looked for.
    #[serde(default, deserialize_with = "one_or_more")]
    pub ports: Option<Vec<String>>,
    /// A file of pairings that is looked at again and again, with its event before it: `open=/srv/escaque/round.csv`.
    pub pairings: Option<String>,
    /// How many bytes a port may say in a second, for longer than a moment.
    #[serde(default, deserialize_with = "port_bytes")]
    pub port_bytes: Option<u32>,
    /// How much is logged, as `RUST_LOG` says it, which counts more.
    #[serde(default, deserialize_with = "levels")]
    pub log: Option<Targets>,
    /// The folder of the journal, the PGN files and the operator's token.
    pub state: Option<PathBuf>,
    /// The command that makes a sound of words.
    #[serde(default, deserialize_with = "command")]
    pub voice_speak: Option<Vec<String>>,
    /// The command that plays a sound at a device.
    #[serde(default, deserialize_with = "command")]
    pub voice_play: Option<Vec<String>>,
    /// A folder for sounds, in place of all devices.
    pub voice_folder: Option<PathBuf>,
    /// Who is told the games on air: folders, sites and broadcasts.
    #[serde(default)]
    pub air: Vec<Target>,
}

const KEYS: [&str; 20] = [
    "listen",
    "lan",
    "lan-plain",
    "public",
    "certificate",
    "key",
    "names",
    "origins",
    "livechess",
    "livechess-origins",
    "proxies",
    "ports",
    "pairings",
    "port-bytes",
    "log",
    "state",
    "voice-speak",
    "voice-play",
    "voice-folder",
    "air",
];

/// Why a file can't be used: a sentence with the place and the next step.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    /// A key nobody knows.
    #[error("\"{key}\" is no setting{}; the settings are {}", meant(key), KEYS.join(", "))]
    UnknownKey {
        /// The key.
        key: String,
    },
    /// Two targets of one name.
    #[error("two targets are called \"{0}\": give each a name of its own")]
    Twice(String),
    /// A certificate without its key, or a key without its certificate.
    #[error("\"{there}\" is given without \"{missing}\": name both files, or neither for a certificate of our own")]
    Half {
        /// The one.
        there: &'static str,
        /// The other.
        missing: &'static str,
    },
    /// Anything else, as the reader of the format says it.
    #[error("{0}")]
    Unreadable(String),
}

impl Config {
    /// Reads the text of a file.
    pub fn read(text: &str) -> Result<Config, ConfigError> {
        let unreadable = |error: toml::de::Error| ConfigError::Unreadable(error.to_string().trim_end().to_owned());
        let table = text.parse::<toml::Table>().map_err(unreadable)?;
        if let Some(key) = table.keys().find(|key| !KEYS.contains(&key.as_str())) {
            return Err(ConfigError::UnknownKey { key: key.clone() });
        }
        let config: Config = toml::from_str(text).map_err(unreadable)?;
        let names = config.air.iter().map(Target::name).collect::<Vec<_>>();
        if let Some(at) = (1..names.len()).find(|at| names[..*at].contains(&names[*at])) {
            return Err(ConfigError::Twice(names[at].to_owned()));
        }
        match (&config.certificate, &config.key) {
            (Some(_), None) => Err(ConfigError::Half { there: "certificate", missing: "key" }),
            (None, Some(_)) => Err(ConfigError::Half { there: "key", missing: "certificate" }),
            (Some(_), Some(_)) | (None, None) => Ok(config),
        }
    }
}

/// Reads where to listen.
pub fn address(text: &str) -> Result<Where, String> {
    text.parse()
}

fn place<'de, D: Deserializer<'de>>(value: D) -> Result<Option<Where>, D::Error> {
    let value = toml::Value::deserialize(value)?;
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    address(&text).map(Some).map_err(D::Error::custom)
}

/// Whoever has one of a thing need not write a list.
fn one_or_more<'de, D: Deserializer<'de>>(value: D) -> Result<Option<Vec<String>>, D::Error> {
    listed(&toml::Value::deserialize(value)?, |one| Ok(vec![one])).map(Some).map_err(D::Error::custom)
}

/// Where its words end, only a list says.
fn command<'de, D: Deserializer<'de>>(value: D) -> Result<Option<Vec<String>>, D::Error> {
    let in_words = |one: String| {
        let words = one.split(' ').map(|word| format!("\"{word}\"")).collect::<Vec<_>>().join(", ");
        Err(format!("a command is given word by word: write [{words}]"))
    };
    listed(&toml::Value::deserialize(value)?, in_words).map(Some).map_err(D::Error::custom)
}

fn machines<'de, D: Deserializer<'de>>(value: D) -> Result<Option<Vec<IpAddr>>, D::Error> {
    let machine = |text: String| {
        text.parse().map_err(|_| format!("\"{text}\" is no machine's number: write it as 127.0.0.1 or ::1"))
    };
    let named = one_or_more(value)?.unwrap_or_default();
    named.into_iter().map(machine).collect::<Result<_, _>>().map(Some).map_err(D::Error::custom)
}

fn listed(value: &toml::Value, one: impl Fn(String) -> Result<Vec<String>, String>) -> Result<Vec<String>, String> {
    let text = |value: &toml::Value| {
        value.as_str().map(str::to_owned).ok_or_else(|| format!("{value} is no text: put it in quotation marks"))
    };
    if let Some(many) = value.as_array() { many.iter().map(text).collect() } else { text(value).and_then(one) }
}

fn levels<'de, D: Deserializer<'de>>(value: D) -> Result<Option<Targets>, D::Error> {
    let text = String::deserialize(value)?;
    let wrong =
        "\"log\" is error, warn, info, debug or trace, or more for a part of it, as \"info,escaque::sensors=debug\"";
    // The reader of levels takes any other word for a part of the program, of which all is logged, and of others nothing.
    let is_level =
        |part: &str| part.contains('=') || !part.trim().is_empty() && part.trim().parse::<LevelFilter>().is_ok();
    if !text.split(',').all(is_level) {
        return Err(D::Error::custom(wrong));
    }
    text.parse().map(Some).map_err(|_| D::Error::custom(wrong))
}

/// A board's line carries 960 bytes a second: less than that would silence boards that are in order.
fn port_bytes<'de, D: Deserializer<'de>>(value: D) -> Result<Option<u32>, D::Error> {
    let bytes = u32::deserialize(value)?;
    let least = "\"port-bytes\" is at least 1000: a board's line carries 960 bytes a second";
    if bytes < 1000 { Err(D::Error::custom(least)) } else { Ok(Some(bytes)) }
}

fn origins<'de, D: Deserializer<'de>>(value: D) -> Result<Option<Vec<String>>, D::Error> {
    let listed = one_or_more(value)?.unwrap_or_default();
    listed.iter().map(|text| origin(text)).collect::<Result<_, _>>().map(Some).map_err(D::Error::custom)
}

/// An origin as browsers send it.
fn origin(text: &str) -> Result<String, String> {
    if text == "null" {
        return Err(
            "\"null\" is what any page can make itself; serve the page from an address and list that".to_owned()
        );
    }
    let plain = text.trim_end_matches('/');
    let host = plain.strip_prefix("http://").or_else(|| plain.strip_prefix("https://"));
    let is_origin = host.is_some_and(|host| !host.is_empty() && !host.contains(['/', '?', '#', '*', '@', ' ']));
    if is_origin || text == "file://" {
        return Ok(if is_origin { plain.to_ascii_lowercase() } else { text.to_owned() });
    }
    Err(format!("\"{text}\" is no origin: write scheme, host and port alone, such as https://club.example"))
}

fn meant(key: &str) -> String {
    crate::nearest::nearest(key, KEYS).map(|known| format!(": did you mean \"{known}\"?")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXAMPLE: &str = include_str!("../systemd/escaque.toml");

    #[test]
    fn the_example_we_ship_is_read_and_shows_every_key() {
        let config = Config::read(EXAMPLE).expect("the example is right");
        assert!(config.listen.is_some() && config.ports.is_some() && config.state.is_some());
        // What is off by default stands there as a comment that can be taken off.
        let uncommented = EXAMPLE.lines().map(|line| match line.strip_prefix("# ") {
            Some(setting) if is_setting(setting) => setting,
            _ => line,
        });
        let all = uncommented.collect::<Vec<_>>().join("\n");
        Config::read(&all).expect("each comment is right");
        let shown =
            |key: &str| all.lines().any(|line| line.starts_with(&format!("{key} = ")) || line == format!("[[{key}]]"));
        for key in KEYS {
            assert!(shown(key), "{key}");
        }
    }

    /// A line of the example that is no sentence.
    fn is_setting(line: &str) -> bool {
        let key = line.split(" = ").next().unwrap_or_default();
        let is_key = key.chars().all(|c| c.is_ascii_lowercase() || c == '-');
        line.contains(" = ") && is_key || line.starts_with("[[")
    }

    #[test]
    fn no_two_targets_have_one_name() {
        let target = "[[air]]\nname = \"club\"\nkind = \"folder\"\nfolder = \"/srv/games\"\n";
        assert_eq!(Config::read(target).expect("one").air.len(), 1);
        assert_eq!(Config::read(&target.repeat(2)), Err(ConfigError::Twice("club".to_owned())));
    }

    #[test]
    fn an_unknown_key_names_the_nearest_right_one() {
        let error = Config::read("lisen = \"127.0.0.1:8064\"").expect_err("a misspelt key").to_string();
        assert!(
            error.starts_with("\"lisen\" is no setting: did you mean \"listen\"?; the settings are listen, lan,"),
            "{error}"
        );
    }

    #[test]
    fn what_is_no_toml_is_said_with_its_place() {
        for text in ["listen = 127", "listen = \"127\"", "public = \"here\""] {
            let error = Config::read(text).expect_err("no address").to_string();
            assert!(error.contains("line 1"), "{error}");
            assert!(error.ends_with("write one of this machine and a port, such as 127.0.0.1:8064"), "{error}");
        }
    }

    #[test]
    fn one_of_a_thing_is_a_list_of_one() {
        let read = |text: &str| Config::read(text).expect(text);
        assert_eq!(read(r#"ports = "/dev/ttyUSB0""#).ports, Some(vec!["/dev/ttyUSB0".to_owned()]));
        assert_eq!(read(r#"names = "hall.example""#).names, Some(vec!["hall.example".to_owned()]));
        assert_eq!(read(r#"origins = "https://club.example""#).origins.map(|all| all.len()), Some(1));
        assert_eq!(read(r#"proxies = "::1""#), read(r#"proxies = ["::1"]"#));
        for (wrong, next) in [
            ("ports = 1982", "1982 is no text: put it in quotation marks"),
            ("ports = [7]", "7 is no text: put it in quotation marks"),
            (r#"proxies = "nginx""#, "write it as 127.0.0.1 or ::1"),
            (r#"voice-speak = "espeak-ng -v de""#, r#"word by word: write ["espeak-ng", "-v", "de"]"#),
        ] {
            let error = Config::read(wrong).expect_err(wrong).to_string();
            assert!(error.contains("line 1") && error.ends_with(next), "{error}");
        }
    }

    /// A word that is no level would be the name of a part of the program: it alone would be logged, and nothing else.
    #[test]
    fn a_log_is_as_loud_as_a_level_says() {
        for right in ["info", "WARN", "off", "info,escaque::sensors=debug", "escaque::press=trace"] {
            assert!(Config::read(&format!("log = \"{right}\"")).is_ok(), "{right}");
        }
        for wrong in ["loud", "warning", "verbose", "info,sensors", "info=loud", ""] {
            let error = Config::read(&format!("log = \"{wrong}\"")).expect_err(wrong).to_string();
            assert!(error.contains("error, warn, info, debug"), "{error}");
        }
    }

    #[test]
    fn an_origin_is_what_a_browser_sends() {
        let config = Config::read(r#"origins = ["https://Club.example/", "http://127.0.0.1:8080", "file://"]"#);
        let origins = config.expect("all are").origins.expect("they are given");
        assert_eq!(origins, ["https://club.example", "http://127.0.0.1:8080", "file://"]);
        for wrong in ["null", "club.example", "https://club.example/overlay", "*", "https://*.example", "https://"] {
            let error = Config::read(&format!("origins = [\"{wrong}\"]")).expect_err(wrong).to_string();
            assert!(error.contains("such as https://club.example") || error.contains("any page"), "{error}");
        }
    }

    #[test]
    fn a_certificate_goes_with_its_key() {
        let error = Config::read("certificate = \"hall.pem\"").expect_err("no key").to_string();
        assert!(error.contains("given without \"key\""), "{error}");
    }
}
