//! The configuration file: ports, paths, listeners. Nothing in it is needed to start, and nothing in it changes a game.

use std::{net::SocketAddr, path::PathBuf};

use serde::{Deserialize, Deserializer, de::Error as _};

/// What the file can say. Keys are written as here, with `-` for `_`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Config {
    /// Where screens connect.
    #[serde(default, deserialize_with = "listen")]
    pub listen: Option<SocketAddr>,
    /// Devices and patterns under which boards are looked for.
    pub ports: Option<Vec<String>>,
    /// The folder of the journal, the PGN files and the operator's token.
    pub state: Option<PathBuf>,
}

const KEYS: [&str; 3] = ["listen", "ports", "state"];

/// Why a file can't be used: a sentence with the place and the next step.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    /// A key nobody knows.
    #[error("\"{key}\" is no setting{}; the settings are {}", meant(key), KEYS.join(", "))]
    UnknownKey {
        /// The key.
        key: String,
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
        toml::from_str(text).map_err(unreadable)
    }
}

/// Reads where to listen.
pub fn address(text: &str) -> Result<SocketAddr, String> {
    text.parse().map_err(|_| {
        format!("\"{text}\" is no address to listen on: write one of this machine and a port, such as 127.0.0.1:8064")
    })
}

fn listen<'de, D: Deserializer<'de>>(value: D) -> Result<Option<SocketAddr>, D::Error> {
    let value = toml::Value::deserialize(value)?;
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    address(&text).map(Some).map_err(D::Error::custom)
}

fn meant(key: &str) -> String {
    crate::nearest::nearest(key, KEYS).map(|known| format!(": did you mean \"{known}\"?")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_we_ship_is_read_and_shows_every_key() {
        let example = include_str!("../systemd/escaque.toml");
        let config = Config::read(example).expect("the example is right");
        assert!(config.listen.is_some() && config.ports.is_some() && config.state.is_some());
    }

    #[test]
    fn an_unknown_key_names_the_nearest_right_one() {
        let error = Config::read("lisen = \"127.0.0.1:8064\"").expect_err("a misspelt key");
        assert_eq!(
            error.to_string(),
            "\"lisen\" is no setting: did you mean \"listen\"?; the settings are listen, ports, state"
        );
    }

    #[test]
    fn what_is_no_toml_is_said_with_its_place() {
        for text in ["listen = 127", "listen = \"127\""] {
            let error = Config::read(text).expect_err("no address").to_string();
            assert!(error.contains("line 1"), "{error}");
            assert!(error.ends_with("write one of this machine and a port, such as 127.0.0.1:8064"), "{error}");
        }
    }
}
