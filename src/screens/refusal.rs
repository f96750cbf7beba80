//! Refusals: why something was not done, in a sentence that says what to try. Text for people, JSON for programs.

use axum::{
    Json,
    http::{HeaderName, HeaderValue, StatusCode, header},
    response::{Html, IntoResponse, Response},
};
use protocol::feed::Because;
use serde::Serialize;

use super::pages;

/// A refusal as programs hear it.
#[derive(Serialize)]
struct Told<'a> {
    error: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    because: Option<&'a Because>,
}

/// Why something was not done.
#[derive(Clone, Debug)]
pub(super) struct Refusal {
    status: StatusCode,
    sentence: String,
    /// The same as a word for pages, where people meet it there.
    because: Option<Box<Because>>,
    header: Option<(HeaderName, &'static str)>,
}

impl Refusal {
    pub(super) fn new(status: StatusCode, sentence: impl Into<String>) -> Refusal {
        Refusal { status, sentence: sentence.into(), because: None, header: None }
    }

    pub(super) fn known_as(self, because: Option<Because>) -> Refusal {
        Refusal { because: because.map(Box::new), ..self }
    }

    pub(super) fn bad(sentence: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::BAD_REQUEST, sentence)
    }

    pub(super) fn forbidden(sentence: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::FORBIDDEN, sentence)
    }

    pub(super) fn not_found(sentence: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::NOT_FOUND, sentence)
    }

    pub(super) fn wrong_token() -> Refusal {
        let sentence = "This needs the operator's token, and it was missing or wrong. The right one stands in \
                        operator.token in the daemon's state folder and in the address printed at its start.";
        Refusal::new(StatusCode::UNAUTHORIZED, sentence).with(header::WWW_AUTHENTICATE, "Bearer")
    }

    pub(super) fn ending() -> Refusal {
        Refusal::new(StatusCode::SERVICE_UNAVAILABLE, "The daemon is ending. Try again when it is back.")
    }

    pub(super) fn with(mut self, name: HeaderName, value: &'static str) -> Refusal {
        self.header = Some((name, value));
        self
    }

    pub(super) fn as_json(&self) -> Response {
        self.dressed(Json(Told { error: &self.sentence, because: self.because.as_deref() }))
    }

    /// For people: the sentence on a page that leads on, where this build has pages.
    pub(super) fn as_page(&self) -> Response {
        let page = pages::refused(self.status.as_u16(), &self.sentence);
        page.map_or_else(|| self.dressed(format!("{}\n", self.sentence)), |page| self.dressed(Html(page)))
    }

    fn dressed(&self, body: impl IntoResponse) -> Response {
        let mut response = (self.status, body).into_response();
        if let Some((name, value)) = &self.header {
            response.headers_mut().insert(name, HeaderValue::from_static(value));
        }
        response
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let mut response = self.dressed(format!("{}\n", self.sentence));
        response.extensions_mut().insert(self);
        response
    }
}
