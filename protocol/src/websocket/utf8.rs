//! UTF-8 in pieces: a fault shows at the first byte that makes it certain, wherever the text is cut.

/// A text so far.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Utf8 {
    /// The beginning of a letter whose end has not come.
    begun: [u8; 4],
    have: usize,
}

/// What was taken can be the beginning of no text.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct NotText;

impl Utf8 {
    pub(super) fn take(&mut self, mut bytes: &[u8]) -> Result<(), NotText> {
        while self.have > 0 {
            let Some((first, rest)) = bytes.split_first() else { return Ok(()) };
            bytes = rest;
            self.begun[self.have] = *first;
            let kept = unfinished(&self.begun[..=self.have])?;
            self.have = if kept.is_empty() { 0 } else { self.have + 1 };
        }
        let kept = unfinished(bytes)?;
        self.begun[..kept.len()].copy_from_slice(kept);
        self.have = kept.len();
        Ok(())
    }

    /// No letter is left unfinished.
    pub(super) fn is_whole(self) -> bool {
        self.have == 0
    }
}

/// The letter at the end of `bytes` of which more may come: three bytes at most.
fn unfinished(bytes: &[u8]) -> Result<&[u8], NotText> {
    match std::str::from_utf8(bytes) {
        Ok(_) => Ok(&[]),
        Err(error) if error.error_len().is_none() => Ok(&bytes[error.valid_up_to()..]),
        Err(_) => Err(NotText),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_fault_is_certain_as_early_as_it_can_be() {
        let mut text = Utf8::default();
        assert_eq!(text.take(b"\xf4"), Ok(()));
        assert_eq!(text.take(b"\x90"), Err(NotText), "past the last letter there is");
        let mut text = Utf8::default();
        assert_eq!(text.take(b"\xed"), Ok(()));
        assert_eq!(text.take(b"\xa0"), Err(NotText), "half of a pair of UTF-16");
    }

    proptest! {
        #[test]
        fn a_text_is_a_text_wherever_it_is_cut(text in any::<String>(), cuts in prop::collection::vec(1usize..5, 1..20)) {
            let mut whole = Utf8::default();
            let mut rest = text.as_bytes();
            for cut in cuts.iter().cycle() {
                let (part, after) = rest.split_at((*cut).min(rest.len()));
                prop_assert_eq!(whole.take(part), Ok(()));
                rest = after;
                if rest.is_empty() {
                    break;
                }
            }
            prop_assert!(whole.is_whole());
        }

        #[test]
        fn what_is_no_text_is_none_byte_by_byte(bytes in prop::collection::vec(any::<u8>(), 0..12)) {
            let mut pieces = Utf8::default();
            let taken = bytes.iter().try_for_each(|byte| pieces.take(&[*byte]));
            prop_assert_eq!(taken.is_ok() && pieces.is_whole(), std::str::from_utf8(&bytes).is_ok());
        }
    }
}
