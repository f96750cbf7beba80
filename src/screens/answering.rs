//! A connection that keeps its answer to a WebSocket handshake back, so that it leaves in one packet with what is said
//! first: when a hall comes back, that is half the packets.

use std::{
    io::{self, IoSlice},
    pin::Pin,
    task::{Context, Poll, ready},
};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// How the answer begins, and none other.
const SWITCHING: &[u8] = b"HTTP/1.1 101 ";

/// Whoever takes the connection over takes the answer along and sends it. Otherwise it leaves before anything else is
/// written or read.
#[derive(Debug)]
pub(super) struct Answering<S> {
    stream: S,
    kept: Vec<u8>,
}

impl<S> Answering<S> {
    pub(super) fn new(stream: S) -> Answering<S> {
        Answering { stream, kept: Vec::new() }
    }

    /// The connection, and the answer that has still to be sent.
    pub(super) fn into_parts(self) -> (S, Vec<u8>) {
        (self.stream, self.kept)
    }
}

impl<S: AsyncWrite + Unpin> Answering<S> {
    fn poll_answer(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        while !self.kept.is_empty() {
            let count = ready!(Pin::new(&mut self.stream).poll_write(cx, &self.kept))?;
            if count == 0 {
                return Poll::Ready(Err(io::ErrorKind::WriteZero.into()));
            }
            self.kept.drain(..count);
        }
        Poll::Ready(Ok(()))
    }

    /// Keeps these bytes if they are the answer, all of it: it is written at once.
    fn keeps(&mut self, bytes: &[u8]) -> bool {
        let is_answer = self.kept.is_empty() && bytes.starts_with(SWITCHING);
        if is_answer {
            self.kept = bytes.to_vec();
        }
        is_answer
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncRead for Answering<S> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_answer(cx))?;
        Pin::new(&mut self.stream).poll_read(cx, into)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Answering<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        if self.keeps(bytes) {
            return Poll::Ready(Ok(bytes.len()));
        }
        ready!(self.poll_answer(cx))?;
        Pin::new(&mut self.stream).poll_write(cx, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        if let Some(first) = parts.first()
            && self.keeps(first)
        {
            return Poll::Ready(Ok(first.len()));
        }
        ready!(self.poll_answer(cx))?;
        Pin::new(&mut self.stream).poll_write_vectored(cx, parts)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_answer(cx))?;
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, duplex};

    use super::*;

    #[tokio::test]
    async fn the_answer_to_a_handshake_waits_for_what_follows_and_all_else_does_not() {
        let (near, mut far) = duplex(1024);
        let mut line = Answering::new(near);
        line.write_all(b"HTTP/1.1 200 OK\r\n\r\n").await.expect("there is room");
        assert_eq!(heard(&mut far).await, "HTTP/1.1 200 OK\r\n\r\n");
        line.write_all(b"HTTP/1.1 101 Switching Protocols\r\n\r\n").await.expect("there is room");
        line.flush().await.expect("it is kept");
        line.write_all(b"frame").await.expect("there is room");
        assert_eq!(heard(&mut far).await, "HTTP/1.1 101 Switching Protocols\r\n\r\nframe");
    }

    #[tokio::test]
    async fn who_takes_the_connection_over_takes_the_answer_along_and_who_only_listens_lets_it_go() {
        let (near, mut far) = duplex(1024);
        let mut line = Answering::new(near);
        line.write_all(b"HTTP/1.1 101 Switching Protocols\r\n\r\n").await.expect("there is room");
        far.write_all(b"hello").await.expect("there is room");
        let mut said = [0; 5];
        line.read_exact(&mut said).await.expect("it was said");
        assert_eq!(heard(&mut far).await, "HTTP/1.1 101 Switching Protocols\r\n\r\n");
        line.write_all(b"HTTP/1.1 101 Switching Protocols\r\n\r\n").await.expect("there is room");
        assert_eq!(line.into_parts().1, b"HTTP/1.1 101 Switching Protocols\r\n\r\n");
    }

    async fn heard(line: &mut (impl AsyncRead + Unpin)) -> String {
        let mut bytes = [0; 1024];
        let count = line.read(&mut bytes).await.expect("something was said");
        String::from_utf8_lossy(&bytes[..count]).into_owned()
    }
}
