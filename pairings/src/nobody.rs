//! Who plays nobody, in the words of pairing programs, and what that is worth.

use crate::{Bye, Fault, heading::plain};

/// What programs and people write in place of an opponent, word by word, and what it brings where nothing more is said.
const NOBODY: [(&[&str], Bye); 21] = [
    (&["bye"], Bye::Unsaid),
    (&["spielfrei"], Bye::Unsaid),
    (&["frei"], Bye::Unsaid),
    (&["freilos"], Bye::Unsaid),
    (&["descansa"], Bye::Unsaid),
    (&["descanso"], Bye::Unsaid),
    (&["libre"], Bye::Unsaid),
    (&["exempt"], Bye::Unsaid),
    (&["no", "opponent"], Bye::Unsaid),
    (&["kein", "gegner"], Bye::Unsaid),
    (&["sin", "rival"], Bye::Unsaid),
    (&["not", "paired"], Bye::Zero),
    (&["unpaired"], Bye::Zero),
    (&["nicht", "ausgelost"], Bye::Zero),
    (&["nicht", "gepaart"], Bye::Zero),
    (&["no", "pareado"], Bye::Zero),
    (&["no", "emparejado"], Bye::Zero),
    (&["withdrawn"], Bye::Zero),
    (&["zuruckgezogen"], Bye::Zero),
    (&["retirado"], Bye::Zero),
    (&["retirada"], Bye::Zero),
];

/// What may stand beside that: none of these alone makes anybody nobody, and with any other word it is a name.
const BESIDE: [&str; 24] = [
    "point",
    "points",
    "pt",
    "pts",
    "punkt",
    "punkte",
    "punto",
    "puntos",
    "requested",
    "allocated",
    "pairing",
    "half",
    "halber",
    "halbes",
    "halb",
    "medio",
    "full",
    "ganzer",
    "voller",
    "entero",
    "zero",
    "null",
    "cero",
    "½",
];

/// Half a point, in words. Who asks for a bye gets that much.
const HALF: [&str; 7] = ["half", "halber", "halbes", "halb", "medio", "½", "requested"];
const FULL: [&str; 4] = ["full", "ganzer", "voller", "entero"];
const NOTHING: [&str; 3] = ["zero", "null", "cero"];

/// Why somebody plays nobody, if nobody sits there. A name has a word in it that is none of these.
pub(crate) fn nobody(name: &str) -> Option<Bye> {
    let words = words(name);
    let words = words.iter().map(String::as_str).collect::<Vec<_>>();
    let (said, usual) = NOBODY.into_iter().find(|(said, _)| words.windows(said.len()).any(|here| here == *said))?;
    let beside = words.iter().copied().filter(|word| !said.contains(word)).collect::<Vec<_>>();
    let is_number = |word: &str| word.len() <= 2 && word.chars().all(|c| c.is_ascii_digit());
    if !beside.iter().all(|word| BESIDE.contains(word) || is_number(word)) {
        return None;
    }
    let number = beside.iter().copied().filter(|word| is_number(word)).collect::<String>();
    let is_among = |known: &[&str]| beside.iter().any(|word| known.contains(word));
    Some(match number.as_str() {
        "12" | "05" => Bye::Half,
        "0" | "00" => Bye::Zero,
        _ if is_among(&NOTHING) => Bye::Zero,
        _ if is_among(&HALF) => Bye::Half,
        _ if is_among(&FULL) => Bye::Full,
        _ => usual,
    })
}

/// Nobody sits there.
pub(crate) fn is_nobody(name: &str) -> bool {
    nobody(name).is_some()
}

impl Bye {
    /// The same with what stands in the column of results: points, or a result as of a game.
    pub(crate) fn with_points(self, text: &str, line: usize) -> Result<Bye, Fault> {
        let signs = text.chars().filter(|c| !c.is_whitespace()).collect::<String>().replace(',', ".").to_lowercase();
        match signs.as_str() {
            "½" | "1/2" | "0.5" | ".5" | "=" | "h" => Ok(Bye::Half),
            "0" | "0.0" | "z" => Ok(Bye::Zero),
            "1" | "1.0" | "+" | "u" | "f" if matches!(self, Bye::Half | Bye::Zero) => Ok(Bye::Allocated),
            "1" | "1.0" | "+" | "u" | "f" => Ok(self),
            _ => match crate::cell::result(text, line) {
                Ok(_) => Ok(self),
                Err(_) => Err(Fault::new(line, text, "the points of a bye: 1, 1/2, 0 or nothing")),
            },
        }
    }
}

/// Small letters without accents, parted by anything else.
fn words(text: &str) -> Vec<String> {
    text.split(|c: char| !c.is_alphanumeric()).map(plain).filter(|word| !word.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_is_known_by_every_word_and_by_what_it_brings() {
        for (text, bye) in [
            ("bye", Bye::Unsaid),
            ("BYE", Bye::Unsaid),
            ("half-point bye", Bye::Half),
            ("Half point bye", Bye::Half),
            ("half bye", Bye::Half),
            ("bye (1/2)", Bye::Half),
            ("Bye (½)", Bye::Half),
            ("requested bye", Bye::Half),
            ("full-point bye", Bye::Full),
            ("zero-point bye", Bye::Zero),
            ("bye (0)", Bye::Zero),
            ("bye 1", Bye::Unsaid),
            ("unpaired", Bye::Zero),
            ("Freilos", Bye::Unsaid),
            ("spielfrei 0,5", Bye::Half),
            ("Nicht ausgelost", Bye::Zero),
            ("retirado", Bye::Zero),
            ("no pareado", Bye::Zero),
            ("zurückgezogen", Bye::Zero),
        ] {
            assert_eq!(nobody(text), Some(bye), "{text}");
        }
    }

    #[test]
    fn people_who_are_called_like_it_are_somebody() {
        for name in [
            "Bye, John",
            "Frei, Max",
            "Libre, Ana",
            "Freilos, Kim",
            "Half, Ann",
            "Punkt, Zero",
            "Point, Full",
            "12",
            "Exempt Ltd",
            "Retirado Gil, Luis",
            "Byers, Tom",
            "Freitag, Eva",
            "",
        ] {
            assert_eq!(nobody(name), None, "{name}");
        }
    }
}
