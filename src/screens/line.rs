//! A viewer's line: the socket below a finished handshake, in the clear or encrypted, and the place it takes.

use std::{
    io::{self, ErrorKind, IoSlice, Read, Write},
    net::{Shutdown, TcpStream},
    os::fd::{AsFd, BorrowedFd},
    time::Duration,
};

use rustls::ServerConnection;
use socket2::SockRef;

use super::{ledger::Place, viewer::Wire};

/// The kernel would take megabytes for somebody who stands still, all of it stale. So only this much may wait unsent.
pub(super) const UNSENT: u32 = 16 * 1024;
/// Room for what is under way. Less than two of the largest segments, 64 KiB on the loopback, and each snapshot of a
/// large hall waits 40 ms and more for the other side's delayed acknowledgement; who stands still holds no more by it.
pub(super) const SEND_BUFFER: usize = 128 * 1024;
/// The kernel's patience with those whose cable was pulled, or who take nothing.
pub(super) const PATIENCE: Duration = Duration::from_secs(30);
/// What is encrypted at a time: a record of TLS at most.
const RECORD: usize = 16 * 1024;

/// What a viewer is written to and read from. Never waits.
#[derive(Debug)]
pub struct Line {
    kind: Kind,
    /// Freed when the line is dropped.
    _place: Option<Place>,
}

#[derive(Debug)]
enum Kind {
    Plain(TcpStream),
    Tls(Box<Tls>),
}

#[derive(Debug)]
struct Tls {
    socket: TcpStream,
    session: ServerConnection,
    /// Bytes that are decrypted and not yet read. The kernel no longer tells of them.
    held: usize,
}

/// The socket is one that never waits.
impl From<TcpStream> for Line {
    fn from(socket: TcpStream) -> Line {
        Line { kind: Kind::Plain(socket), _place: None }
    }
}

impl Line {
    /// A socket whose TLS handshake is done.
    pub(super) fn encrypted(socket: TcpStream, session: ServerConnection) -> Line {
        Line { kind: Kind::Tls(Box::new(Tls { socket, session, held: 0 })), _place: None }
    }

    /// The same line, which takes up a place until it is dropped.
    pub(super) fn taking(self, place: Option<Place>) -> Line {
        Line { _place: place, ..self }
    }
}

/// Limits what the kernel keeps for whoever takes nothing, and for how long. Said of a listener it holds for all who come
/// by it: when a hall comes back nobody waits for the same four calls a thousand times.
pub(super) fn limit(socket: &SockRef<'_>) -> io::Result<()> {
    socket.set_tcp_nodelay(true)?;
    socket.set_send_buffer_size(SEND_BUFFER)?;
    socket.set_tcp_notsent_lowat(UNSENT)?;
    socket.set_tcp_user_timeout(Some(PATIENCE))
}

impl AsFd for Line {
    fn as_fd(&self) -> BorrowedFd<'_> {
        match &self.kind {
            Kind::Plain(socket) => socket.as_fd(),
            Kind::Tls(tls) => tls.socket.as_fd(),
        }
    }
}

impl Read for Line {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        match &mut self.kind {
            Kind::Plain(socket) => socket.read(into),
            Kind::Tls(tls) => tls.read(into),
        }
    }
}

impl Write for Line {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.kind {
            Kind::Plain(socket) => socket.write(bytes),
            Kind::Tls(tls) => tls.write(bytes),
        }
    }

    fn write_vectored(&mut self, parts: &[IoSlice<'_>]) -> io::Result<usize> {
        match &mut self.kind {
            Kind::Plain(socket) => socket.write_vectored(parts),
            Kind::Tls(tls) => tls.write(parts.first().map_or(&[], |first| first)),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.kind {
            Kind::Plain(_) => Ok(()),
            Kind::Tls(tls) => tls.flush(),
        }
    }
}

impl Wire for Line {
    fn finish(&mut self) -> io::Result<()> {
        match &mut self.kind {
            Kind::Plain(socket) => socket.shutdown(Shutdown::Write),
            Kind::Tls(tls) => tls.finish(),
        }
    }

    fn is_pending(&self) -> bool {
        match &self.kind {
            Kind::Plain(_) => false,
            Kind::Tls(tls) => tls.session.wants_write(),
        }
    }

    fn is_holding(&self) -> bool {
        match &self.kind {
            Kind::Plain(_) => false,
            Kind::Tls(tls) => tls.held > 0,
        }
    }
}

impl Tls {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.session.reader().read(into) {
                Ok(count) => {
                    self.held = self.held.saturating_sub(count);
                    return Ok(count);
                }
                Err(error) if error.kind() != ErrorKind::WouldBlock => return Err(error),
                Err(_) => {}
            }
            if self.session.read_tls(&mut self.socket)? == 0 {
                return Ok(0);
            }
            let state = self.session.process_new_packets().map_err(io::Error::other)?;
            self.held = state.plaintext_bytes_to_read();
        }
    }

    /// Takes as much as one record holds, once all before it is out. So no more than that is ever kept here.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.flush()?;
        let taken = self.session.writer().write(&bytes[..bytes.len().min(RECORD)])?;
        match self.flush() {
            Err(error) if error.kind() != ErrorKind::WouldBlock => Err(error),
            Ok(()) | Err(_) => Ok(taken),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        while self.session.wants_write() {
            if self.session.write_tls(&mut self.socket)? == 0 {
                return Err(ErrorKind::WriteZero.into());
            }
        }
        Ok(())
    }

    fn finish(&mut self) -> io::Result<()> {
        self.session.send_close_notify();
        // Whoever has no room for a good-bye goes without.
        let _ = self.flush();
        self.socket.shutdown(Shutdown::Write)
    }
}
