//! The right word for a misspelt one.

/// The word most like `word`, unless nothing is like it.
pub(crate) fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    /// Below this two words have little more in common than chance: "lisen" and "listen" have 0.96, "ply" and "plies"
    /// 0.69, "white" and "quit" 0.63.
    const ALIKE: f64 = 0.68;
    let likeness = |known: &str| strsim::jaro_winkler(word, known);
    let best = known.into_iter().max_by(|a, b| likeness(a).total_cmp(&likeness(b)))?;
    (likeness(best) >= ALIKE).then_some(best)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn a_slip_finds_its_word_and_nonsense_finds_none() {
        assert_eq!(nearest("lisen", ["listen", "ports", "state"]), Some("listen"));
        assert_eq!(nearest("ply", ["command", "table", "plies"]), Some("plies"));
        assert_eq!(nearest("white", ["quit", "lift", "place"]), None);
        assert_eq!(nearest("qqq", ["listen", "ports", "state"]), None);
    }
}
