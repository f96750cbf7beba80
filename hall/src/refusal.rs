//! What the hall says when it does not do as it is told.

/// Why an order was not carried out, or an answer not believed: a sentence, and what to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Refusal(pub String);

impl Refusal {
    pub(crate) fn because(reason: impl Into<String>) -> Refusal {
        Refusal(reason.into())
    }
}
