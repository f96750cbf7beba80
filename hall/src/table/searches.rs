//! What the shell was asked to search aside.

use crate::{Doubt, Question};

/// The questions that are out.
#[derive(Clone, Debug, Default)]
pub(crate) struct Searches(Vec<Question>);

impl Searches {
    /// These are in doubt. True if the shell was asked something else.
    pub(crate) fn ask(&mut self, doubts: &[Doubt]) -> bool {
        let same =
            doubts.len() == self.0.len() && doubts.iter().zip(&self.0).all(|(doubt, asked)| doubt.question == *asked);
        if !same {
            self.0 = doubts.iter().map(|doubt| doubt.question.clone()).collect();
        }
        !same
    }

    /// This one is answered.
    pub(crate) fn settle(&mut self, question: &Question) {
        self.0.retain(|asked| asked != question);
    }

    /// Nobody searches any more.
    pub(crate) fn forget(&mut self) {
        self.0.clear();
    }

    pub(crate) fn is_open(&self) -> bool {
        !self.0.is_empty()
    }
}
