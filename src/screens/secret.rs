//! Secrets: random, shown once, and known again by their seal alone.

use std::{fmt, io};

use serde::{Deserialize, Serialize};

/// Letters nobody mixes up when a code is typed from a screen across the hall.
const LETTERS: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/// 80 bits: at a thousand guesses a second for the hour it lives, one chance in 10^17.
const CODE_LETTERS: usize = 16;
const GROUP: usize = 4;

/// Random bytes of the system.
pub(super) fn random<const N: usize>() -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    let mut filled = 0;
    while filled < N {
        filled += rustix::rand::getrandom(&mut bytes[filled..], rustix::rand::GetRandomFlags::empty())?;
    }
    Ok(bytes)
}

/// 256 random bits in hexadecimal: for cookies, which nobody types.
pub(super) fn long() -> io::Result<String> {
    Ok(random::<32>()?.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// A code that can be typed: four groups of four.
pub(super) fn code() -> io::Result<String> {
    let letters: Vec<char> = random::<CODE_LETTERS>()?.iter().map(|byte| letter(*byte)).collect();
    Ok(letters.chunks(GROUP).map(|group| group.iter().collect::<String>()).collect::<Vec<_>>().join("-"))
}

fn letter(byte: u8) -> char {
    char::from(LETTERS[usize::from(byte) % LETTERS.len()])
}

/// A code as it was meant, however it was typed.
pub(super) fn as_typed(code: &str) -> String {
    let letters = code.chars().filter(char::is_ascii_alphanumeric).map(|c| match c.to_ascii_uppercase() {
        'O' => '0',
        'I' | 'L' => '1',
        other => other,
    });
    letters.take(CODE_LETTERS + 1).collect()
}

/// What is kept of a secret: its SHA-256. Secrets are random, so nothing slower is needed to guard them.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Seal(String);

impl Seal {
    /// The seal of a secret.
    pub(super) fn of(secret: &str) -> Seal {
        let digest = ring::digest::digest(&ring::digest::SHA256, secret.as_bytes());
        Seal(digest.as_ref().iter().map(|byte| format!("{byte:02x}")).collect())
    }
}

impl fmt::Debug for Seal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Seal")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_known_again_however_it_is_typed() {
        let code = code().expect("the system has random numbers");
        assert_eq!(code.len(), CODE_LETTERS + 3);
        let typed = format!(" {} ", code.to_lowercase().replace('-', " ").replace('0', "o"));
        assert_eq!(as_typed(&typed), as_typed(&code));
    }

    #[test]
    fn secrets_differ_and_so_do_their_seals() {
        let (one, other) = (long().expect("random"), long().expect("random"));
        assert_eq!(one.len(), 64);
        assert_ne!(Seal::of(&one), Seal::of(&other));
        assert_eq!(Seal::of(&one), Seal::of(&one));
    }
}
