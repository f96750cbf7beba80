//! A factor as somebody asks for it.

use std::str::FromStr;

use super::{
    factor::{Factor, Row},
    factors::FACTORS,
};
use crate::{fidelity::conditions::Conditions, nearest::nearest};

/// A factor and how much of it.
#[derive(Clone, Copy, Debug)]
pub struct Hardship {
    /// Which.
    pub factor: &'static Factor,
    /// How much; the factor's own where nobody said.
    pub level: Option<f64>,
}

impl Hardship {
    /// Makes it so hard, or as hard as usual.
    pub fn apply(&self, conditions: &mut Conditions, row: Option<&Row>) {
        (self.factor.set)(conditions, self.level_in(row));
    }

    /// How much of it there is.
    pub fn level_in(&self, row: Option<&Row>) -> f64 {
        self.level.or(row.and_then(|row| row.level)).unwrap_or(self.factor.level)
    }
}

/// A name, or a name and a level: a share as `0.1` or `10%`, everything else as a plain number.
impl FromStr for Hardship {
    type Err = String;

    fn from_str(text: &str) -> Result<Hardship, String> {
        let (name, level) = text.split_once('=').map_or((text, None), |(name, level)| (name, Some(level)));
        let factor = FACTORS.iter().find(|factor| factor.name == name).ok_or_else(|| unknown(name))?;
        let Some(level) = level else { return Ok(Hardship { factor, level: None }) };
        let (least, most) = factor.range;
        let number = match level.strip_suffix('%') {
            Some(percent) => percent.parse::<f64>().map(|percent| percent / 100.0),
            None => level.parse::<f64>(),
        };
        let within = number.ok().filter(|number| (least..=most).contains(number));
        let sentence = || format!("{level} is no level for {name}: it takes a number from {least} to {most}");
        Ok(Hardship { factor, level: Some(within.ok_or_else(sentence)?) })
    }
}

fn unknown(name: &str) -> String {
    let near = nearest(name, FACTORS.iter().map(|factor| factor.name));
    let hint = near.map_or(String::new(), |near| format!("; did you mean {near}?"));
    format!("nothing is called {name}{hint} --hard list names them all")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_may_be_written_as_percent() {
        let level = |text: &str| text.parse::<Hardship>().map(|hardship| hardship.level);
        assert_eq!(level("early-press=10%"), level("early-press=0.1"));
        assert_eq!(level("early-press"), Ok(None));
    }

    #[test]
    fn what_makes_no_sense_is_refused_with_a_sentence() {
        let refusal = |text: &str| text.parse::<Hardship>().expect_err("nonsense");
        assert!(refusal("early-press=3").contains("from 0 to 1"), "{}", refusal("early-press=3"));
        assert!(refusal("early-pres").contains("early-press"), "{}", refusal("early-pres"));
    }

    #[test]
    fn every_factor_can_be_measured_and_has_a_name_of_its_own() {
        for (number, factor) in FACTORS.iter().enumerate() {
            assert!(!factor.rows.is_empty(), "{}", factor.name);
            assert!(FACTORS[..number].iter().all(|other| other.name != factor.name), "{}", factor.name);
            assert!((factor.range.0..=factor.range.1).contains(&factor.level), "{}", factor.name);
        }
    }
}
