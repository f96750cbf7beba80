//! What the hall says when it does not do as it is told.

use protocol::feed::Because;

/// Why an order was not carried out, or an answer not believed: a sentence, and what to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{sentence}")]
pub struct Refusal {
    sentence: String,
    /// The same for pages that have other languages, where people meet it there.
    pub because: Option<Because>,
}

impl Refusal {
    pub(crate) fn because(reason: impl Into<String>) -> Refusal {
        Refusal { sentence: reason.into(), because: None }
    }

    /// The same for pages that have other languages.
    pub(crate) fn known_as(self, because: Because) -> Refusal {
        Refusal { because: Some(because), ..self }
    }
}
