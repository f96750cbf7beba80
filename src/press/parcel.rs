//! A parcel: the games a request carries, each written out when the receiver takes it.
//!
//! A receiver that hangs keeps one game of them in memory, and not a round.

use std::{
    collections::VecDeque,
    convert::Infallible,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use axum::body::{Bytes, HttpBody};
use hyper::body::Frame;

use super::mark::Mark;
use crate::record::{Manner, Slip};

/// Games that are one text.
#[derive(Clone, Debug, Default)]
pub(super) struct Parcel(VecDeque<Piece>);

#[derive(Clone, Debug)]
struct Piece {
    slip: Arc<Slip>,
    mark: Mark,
    manner: Manner,
    is_first: bool,
}

impl Parcel {
    /// Adds a game, as far as its mark says.
    pub(super) fn add(&mut self, slip: &Arc<Slip>, mark: &Mark, manner: Manner) {
        let is_first = self.0.is_empty();
        self.0.push_back(Piece { slip: Arc::clone(slip), mark: mark.clone(), manner, is_first });
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many bytes the text has. Receivers want to know before.
    pub(super) fn length(&self) -> usize {
        self.0.iter().map(|piece| piece.text().len()).sum()
    }

    /// All of it in one piece.
    pub(super) fn text(&self) -> String {
        self.0.iter().map(Piece::text).collect()
    }
}

impl Piece {
    fn text(&self) -> String {
        let pgn = self.slip.pgn(self.mark.plies, &self.mark.result, self.manner);
        // An empty line lies between games, and each ends its own line.
        if self.is_first { pgn } else { format!("\n{pgn}") }
    }
}

impl HttpBody for Parcel {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let piece = self.0.pop_front();
        Poll::Ready(piece.map(|piece| Ok(Frame::data(piece.text().into()))))
    }

    fn is_end_stream(&self) -> bool {
        self.0.is_empty()
    }
}
