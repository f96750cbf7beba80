//! The operator's token: who knows it may see and do everything.

use std::{
    fs, hint,
    io::{self, Write as _},
    os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _},
    path::{Path, PathBuf},
};

use super::secret;

/// 256 random bits, written in hexadecimal.
const BYTES: usize = 32;
/// Only the daemon's own user may read it.
const MODE: u32 = 0o600;
/// The file in the state folder that holds it.
pub const FILE: &str = "operator.token";

/// The token of this installation. It stays the same over restarts, so that bookmarks of the operator's page do too.
///
/// It has no `Debug` and no `Display`: it stands in one file and in the address that a start shows on a
/// terminal, and in no log.
#[derive(Clone)]
pub struct OperatorToken(String);

/// Why there is no token.
#[derive(Debug, thiserror::Error)]
pub enum TokenError {
    /// The file system said no.
    #[error(
        "the operator's token in {path} can't be kept: {cause}; check that the folder exists and belongs to this user"
    )]
    File {
        /// Where it should be.
        path: PathBuf,
        /// What the system said.
        #[source]
        cause: io::Error,
    },
}

impl OperatorToken {
    /// Takes the token kept in the folder `state`, or makes one there. A file that holds something else keeps nobody from
    /// their games: a new token takes its place, and what it held is kept beside it and opens nothing.
    pub fn keep(state: &Path) -> Result<OperatorToken, TokenError> {
        let path = state.join(FILE);
        let kept = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Self::make(&path).map_err(failed(&path)),
            Err(error) => return Err(failed(&path)(error)),
        };
        let Some(token) = read(&kept) else {
            let aside = path.with_extension("token.damaged");
            fs::rename(&path, &aside).map_err(failed(&path))?;
            tracing::warn!(
                "{} does not hold a token and was replaced: the operator signs in by the one in that file, and what it \
                 held is in {}",
                path.display(),
                aside.display()
            );
            return Self::make(&path).map_err(failed(&path));
        };
        fs::set_permissions(&path, fs::Permissions::from_mode(MODE)).map_err(failed(&path))?;
        Ok(OperatorToken(token))
    }

    /// A token that is kept nowhere: nobody knows it.
    pub fn for_now() -> io::Result<OperatorToken> {
        secret::long().map(OperatorToken)
    }

    /// Whether `offered` is the token. Takes as long for a good guess as for a bad one.
    pub fn opens(&self, offered: &str) -> bool {
        if offered.len() != self.0.len() {
            return false;
        }
        let differing = offered.bytes().zip(self.0.bytes()).fold(0, |differing, (a, b)| differing | (a ^ b));
        hint::black_box(differing) == 0
    }

    /// The token itself, for the address that `serve` prints. It belongs behind the `#`, which is never sent.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    fn make(path: &Path) -> io::Result<OperatorToken> {
        let token = secret::long()?;
        // Whole or not at all: half a token, left by a crash, would keep the daemon from starting.
        let new = path.with_extension("new");
        let mut file = fs::OpenOptions::new().write(true).create(true).truncate(true).mode(MODE).open(&new)?;
        writeln!(file, "{token}")?;
        file.sync_all()?;
        fs::rename(&new, path)?;
        Ok(OperatorToken(token))
    }
}

/// The token in what a file holds, if that is one.
fn read(kept: &[u8]) -> Option<String> {
    let token = str::from_utf8(kept).ok()?.trim();
    let is_one = token.len() == BYTES * 2 && token.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_one.then(|| token.to_owned())
}

fn failed(path: &Path) -> impl FnOnce(io::Error) -> TokenError {
    |cause| TokenError::File { path: path.to_owned(), cause }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_made_once_and_stays_over_restarts() {
        let state = tempfile::tempdir().expect("a temporary folder");
        let first = OperatorToken::keep(state.path()).expect("a fresh folder takes a token");
        let second = OperatorToken::keep(state.path()).expect("a kept token is read");
        assert_eq!(first.reveal(), second.reveal());
        assert_eq!(first.reveal().len(), 64);
    }

    #[test]
    fn only_its_own_user_may_read_it_even_if_the_file_was_open_before() {
        let state = tempfile::tempdir().expect("a temporary folder");
        OperatorToken::keep(state.path()).expect("a fresh folder takes a token");
        let path = state.path().join(FILE);
        let mode = || fs::metadata(&path).expect("the file is there").permissions().mode() & 0o777;
        assert_eq!(mode(), MODE);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).expect("it is our file");
        OperatorToken::keep(state.path()).expect("a kept token is read");
        assert_eq!(mode(), MODE);
    }

    #[test]
    fn nothing_else_opens() {
        let token = OperatorToken("ab".repeat(BYTES));
        assert!(token.opens(&"ab".repeat(BYTES)));
        for wrong in [String::new(), "ab".into(), "ab".repeat(BYTES - 1) + "aB", "ab".repeat(BYTES) + "ab"] {
            assert!(!token.opens(&wrong), "{wrong}");
        }
    }

    #[test]
    fn a_file_that_holds_no_token_opens_nothing_and_is_replaced() {
        let state = tempfile::tempdir().expect("a temporary folder");
        for held in [&b""[..], b"ab", &[0xFF; 64]] {
            fs::write(state.path().join(FILE), held).expect("a file can be written");
            let token = OperatorToken::keep(state.path()).expect("a new one is made");
            assert_eq!(token.reveal().len(), 64);
            assert!(!token.opens(&String::from_utf8_lossy(held)));
            let aside = fs::read(state.path().join("operator.token.damaged")).expect("what it held is kept");
            assert_eq!(aside, held, "it may be what somebody misses elsewhere");
            let again = OperatorToken::keep(state.path()).expect("it is kept");
            assert_eq!(again.reveal(), token.reveal());
        }
    }
}
