//! Says back what WebSocket clients say, on the daemon's own reader and writer of frames: what conformance suites are
//! pointed at. `cargo run --example echo [ADDRESS]`; it prints where it listens.

#[path = "../protocol/tests/echo/mod.rs"]
mod echo;

use std::{
    io::{self, BufRead, BufReader, Read, Write},
    net::{Shutdown, TcpListener, TcpStream},
    thread,
};

use echo::{Echo, Reply};
use protocol::websocket::{binary, close, pong, text};
use tungstenite::handshake::derive_accept_key;

fn main() -> io::Result<()> {
    let address = std::env::args().nth(1).unwrap_or_else(|| "127.0.0.1:0".to_owned());
    let listener = TcpListener::bind(address)?;
    println!("ws://{}", listener.local_addr()?);
    for socket in listener.incoming() {
        let socket = socket?;
        thread::spawn(move || converse(socket));
    }
    Ok(())
}

/// An error means that the other side is gone, and there is nobody to tell.
fn converse(mut socket: TcpStream) -> io::Result<()> {
    socket.set_nodelay(true)?;
    let mut reader = BufReader::new(socket.try_clone()?);
    let key = key(&mut reader)?;
    let answer =
        "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: ";
    write!(socket, "{answer}{}\r\n\r\n", derive_accept_key(key.as_bytes()))?;
    let (mut echo, mut bytes) = (Echo::new(), vec![0; 64 * 1024]);
    loop {
        let count = reader.read(&mut bytes)?;
        let replies = echo.answer(&bytes[..count]);
        for reply in &replies {
            socket.write_all(&frame(reply))?;
        }
        if count == 0 || matches!(replies.last(), Some(Reply::Close(..))) {
            break;
        }
    }
    socket.shutdown(Shutdown::Write)?;
    // Whoever still writes reads the good-bye first, as closing a socket with unread bytes would take it back.
    io::copy(&mut reader, &mut io::sink()).map(drop)
}

fn frame(reply: &Reply) -> Vec<u8> {
    match reply {
        Reply::Text(payload) => text(payload),
        Reply::Binary(payload) => binary(payload),
        Reply::Pong(payload) => pong(payload),
        Reply::Close(code, None) => close(*code, ""),
        Reply::Close(code, Some(fault)) => close(*code, &fault.to_string()),
    }
}

/// The key of the handshake; what else it says is of no matter to a suite.
fn key(reader: &mut impl BufRead) -> io::Result<String> {
    let mut key = None;
    for line in reader.lines() {
        let line = line?;
        match line.split_once(':') {
            Some((name, value)) if name.eq_ignore_ascii_case("sec-websocket-key") => {
                key = Some(value.trim().to_owned())
            }
            Some(_) => {}
            None if line.is_empty() => break,
            None => {}
        }
    }
    key.ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, "no handshake"))
}
