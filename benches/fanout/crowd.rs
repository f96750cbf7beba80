//! The viewers: many sockets in one thread, which reads everything and knows when the last byte came.

use std::{
    io::{ErrorKind, Read, Write},
    net::{SocketAddr, TcpStream},
    time::{Duration, Instant},
};

use anyhow::Context;
use rustix::{
    buffer::spare_capacity,
    event::{Timespec, epoll},
    fd::OwnedFd,
};
use socket2::{Domain, Socket, Type};

/// Longer than this nothing takes; the round is void.
const DEADLINE: Duration = Duration::from_secs(20);

/// Everybody who watches one server.
pub(crate) struct Crowd {
    epoll: OwnedFd,
    sockets: Vec<(TcpStream, Frames)>,
    /// Those who are connected and never read.
    dead: Vec<TcpStream>,
    bytes: u64,
    frames: u64,
}

/// Where a viewer is in the stream of frames.
#[derive(Default)]
struct Frames {
    header: [u8; 4],
    have: usize,
    /// Bytes to come of the frame whose header is complete, and whether it counts.
    body: Option<(usize, bool)>,
}

impl Frames {
    /// Signs of life are shorter than anything that is told.
    const TOLD: usize = 64;

    /// How many frames end in `bytes`, signs of life aside.
    fn count(&mut self, mut bytes: &[u8]) -> u64 {
        let mut ended = 0;
        while let Some((first, rest)) = bytes.split_first() {
            let Some((left, counts)) = self.body.take() else {
                self.header[self.have] = *first;
                self.have += 1;
                bytes = rest;
                self.body = self.length().map(|length| (length, length >= Frames::TOLD));
                self.have = if self.body.is_some() { 0 } else { self.have };
                continue;
            };
            bytes = &bytes[left.min(bytes.len())..];
            match left.checked_sub(rest.len() + 1) {
                Some(left) if left > 0 => self.body = Some((left, counts)),
                _ => ended += u64::from(counts),
            }
        }
        ended
    }

    fn length(&self) -> Option<usize> {
        match (self.have, self.header) {
            (2, [_, length @ ..=125, ..]) => Some(usize::from(length)),
            (4, [_, _, high, low]) => Some(usize::from(u16::from_be_bytes([high, low]))),
            _ => None,
        }
    }
}

impl Crowd {
    /// Viewers who read at once.
    pub(crate) fn of(count: usize, address: SocketAddr) -> anyhow::Result<Crowd> {
        let epoll = epoll::create(epoll::CreateFlags::CLOEXEC)?;
        let mut crowd = Crowd { epoll, sockets: Vec::new(), dead: Vec::new(), bytes: 0, frames: 0 };
        for _ in 0..count {
            crowd.watch(TcpStream::connect(address)?)?;
        }
        Ok(crowd)
    }

    /// And so many who don't, with as little room as the kernel gives: their end is not what is measured.
    pub(crate) fn with_dead(mut self, count: usize, address: SocketAddr) -> anyhow::Result<Crowd> {
        for _ in 0..count {
            let socket = Socket::new(Domain::IPV4, Type::STREAM, None)?;
            socket.set_recv_buffer_size(4096)?;
            socket.connect(&address.into())?;
            self.dead.push(socket.into());
        }
        Ok(self)
    }

    /// The ports of those who don't read.
    pub(crate) fn dead(&self) -> anyhow::Result<Vec<u16>> {
        self.dead.iter().map(|socket| Ok(socket.local_addr()?.port())).collect()
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Reads until one frame more has come to each of them, and says when the last did.
    pub(crate) fn read_one(&mut self) -> anyhow::Result<Instant> {
        let begun = Instant::now();
        let wanted = self.frames + self.sockets.len() as u64;
        while self.frames < wanted {
            anyhow::ensure!(begun.elapsed() < DEADLINE, "{} frames were lost", wanted - self.frames);
            self.turn(Duration::from_millis(100))?;
        }
        anyhow::ensure!(self.frames == wanted, "more came than was sent: the round is void");
        Ok(Instant::now())
    }

    /// Reads until nothing more comes.
    pub(crate) fn settle(&mut self) -> anyhow::Result<()> {
        while self.turn(Duration::from_millis(400))? > 0 {}
        Ok(())
    }

    fn watch(&mut self, socket: TcpStream) -> anyhow::Result<()> {
        socket.set_nonblocking(true)?;
        let at = epoll::EventData::new_u64(self.sockets.len() as u64);
        epoll::add(&self.epoll, &socket, at, epoll::EventFlags::IN)?;
        self.sockets.push((socket, Frames::default()));
        Ok(())
    }

    fn turn(&mut self, patience: Duration) -> anyhow::Result<usize> {
        let mut ready = Vec::with_capacity(1024);
        epoll::wait(&self.epoll, spare_capacity(&mut ready), Some(&Timespec::try_from(patience)?))?;
        let mut buffer = [0; 65536];
        for event in &ready {
            let at = usize::try_from(event.data.u64())?;
            let (socket, frames) = &mut self.sockets[at];
            match socket.read(&mut buffer) {
                Ok(0) => anyhow::bail!("a viewer was hung up on"),
                Ok(count) => {
                    self.bytes += count as u64;
                    self.frames += frames.count(&buffer[..count]);
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(ready.len())
    }
}

impl Drop for Crowd {
    /// With a reset, so that the next thousands of connections find free ports.
    fn drop(&mut self) {
        for socket in self.sockets.iter().map(|(socket, _)| socket).chain(&self.dead) {
            let _ = socket2::SockRef::from(socket).set_linger(Some(Duration::ZERO));
        }
    }
}

/// So many handshakes, so many of them at a time; how long it took until the last was answered. Nobody hangs up before.
pub(crate) fn storm(address: SocketAddr, path: &str, all: usize, at_a_time: usize) -> anyhow::Result<Duration> {
    let request = format!(
        "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    );
    let epoll = epoll::create(epoll::CreateFlags::CLOEXEC)?;
    let (mut sockets, mut answered, begun) = (Vec::new(), 0, Instant::now());
    while answered < all {
        while sockets.len() < all && sockets.len() - answered < at_a_time {
            let socket = Socket::new(Domain::IPV4, Type::STREAM.nonblocking(), None)?;
            socket.set_linger(Some(Duration::ZERO))?;
            match socket.connect(&address.into()) {
                Err(error) if error.raw_os_error() != Some(rustix::io::Errno::INPROGRESS.raw_os_error()) => {
                    return Err(error.into());
                }
                _ => {}
            }
            let socket: TcpStream = socket.into();
            let at = epoll::EventData::new_u64(sockets.len() as u64);
            epoll::add(&epoll, &socket, at, epoll::EventFlags::OUT | epoll::EventFlags::ET | epoll::EventFlags::IN)?;
            sockets.push((socket, false, false));
        }
        let mut ready = Vec::with_capacity(1024);
        epoll::wait(&epoll, spare_capacity(&mut ready), Some(&Timespec::try_from(DEADLINE)?))?;
        anyhow::ensure!(!ready.is_empty(), "{} handshakes of {all} were lost", all - answered);
        for event in &ready {
            let (socket, asked, done) = &mut sockets[usize::try_from(event.data.u64())?];
            let flags = event.flags;
            if flags.contains(epoll::EventFlags::OUT) && !*asked {
                socket.write_all(request.as_bytes()).context("a request fits")?;
                *asked = true;
            }
            if flags.contains(epoll::EventFlags::IN) && !*done {
                let mut answer = [0; 4096];
                let count = socket.read(&mut answer).context("an answer")?;
                anyhow::ensure!(answer[..count].starts_with(b"HTTP/1.1 101"), "a handshake was refused");
                *done = true;
                answered += 1;
            }
        }
    }
    Ok(begun.elapsed())
}
