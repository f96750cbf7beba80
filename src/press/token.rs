//! Tokens: read when they are needed, kept nowhere, shown nowhere.

use std::path::PathBuf;

use axum::http::HeaderValue;

/// Where a token is kept. It is read anew for each request, so that a new one counts at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Keeper {
    /// In a file.
    File(PathBuf),
    /// Handed to the service by systemd, under this name.
    Credential(String),
}

/// The header that carries a token. Whoever prints it sees that it is secret.
pub(super) struct Token(HeaderValue);

impl Keeper {
    pub(super) fn credential(name: String) -> Result<Keeper, String> {
        let is_name = !name.is_empty() && !name.starts_with('.') && !name.contains('/');
        if is_name { Ok(Keeper::Credential(name)) } else { Err(format!("\"{name}\" is no name of a credential")) }
    }

    /// The token, or what to do so that there is one.
    pub(super) fn token(&self) -> Result<Token, String> {
        let path = self.path()?;
        let said = std::fs::read_to_string(&path).map_err(|cause| {
            format!("its token in {} can't be read ({cause}): put it there, readable for the daemon", path.display())
        })?;
        let said = said.trim();
        if said.is_empty() || said.contains(char::is_whitespace) {
            return Err(format!("{} holds no token: put the token alone into it", path.display()));
        }
        let mut header = HeaderValue::from_str(&format!("Bearer {said}"))
            .map_err(|_| format!("{} holds no token: put the token alone into it", path.display()))?;
        header.set_sensitive(true);
        Ok(Token(header))
    }

    /// Who else may read it, in a sentence.
    pub(super) fn exposure(&self) -> Option<String> {
        use std::os::unix::fs::PermissionsExt as _;
        let path = self.path().ok()?;
        let mode = std::fs::metadata(&path).ok()?.permissions().mode();
        (mode & 0o007 != 0)
            .then(|| format!("everybody on this machine may read its token: chmod o= {}", path.display()))
    }

    fn path(&self) -> Result<PathBuf, String> {
        match self {
            Keeper::File(path) => Ok(path.clone()),
            Keeper::Credential(name) => {
                let folder = std::env::var_os("CREDENTIALS_DIRECTORY").ok_or_else(|| {
                    format!(
                        "the service was given no credentials: write LoadCredential={name}:/path/of/the/token into the \
                         unit (systemctl edit escaque), or name a token-file"
                    )
                })?;
                Ok(PathBuf::from(folder).join(name))
            }
        }
    }
}

impl Token {
    /// The token itself, so that it can be struck out.
    pub(super) fn secret(&self) -> Option<&str> {
        self.0.to_str().ok()?.strip_prefix("Bearer ")
    }

    pub(super) fn into_header(self) -> HeaderValue {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_the_only_word_of_its_file_and_is_not_printed() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("token");
        let keeper = Keeper::File(path.clone());
        assert!(keeper.token().err().expect("there is none").contains("put it there"));
        for text in ["", "two words", " \n"] {
            std::fs::write(&path, text).expect("writable");
            assert!(keeper.token().err().expect("it is none").contains("holds no token"), "{text:?}");
        }
        std::fs::write(&path, "lip_secret\n").expect("writable");
        let header = keeper.token().expect("it is one").into_header();
        assert_eq!(header, "Bearer lip_secret");
        assert!(!format!("{header:?}").contains("lip_secret"));
    }

    #[test]
    fn a_credential_is_a_file_name_and_no_path() {
        assert!(Keeper::credential("lichess".to_owned()).is_ok());
        for name in ["", "../x", ".x", "a/b"] {
            assert!(Keeper::credential(name.to_owned()).is_err(), "{name}");
        }
    }
}
