//! Listening: a port of our own, or a sentence that says who has it.

use std::{
    fs, io,
    net::{IpAddr, SocketAddr, TcpListener, ToSocketAddrs as _},
    str::FromStr,
    thread,
    time::Duration,
};

use rustix::{
    io::Errno,
    process::{Resource, Rlimit, geteuid, getrlimit, setrlimit},
};
use socket2::{Domain, Protocol, SockRef, Socket, Type};

use super::line;

/// When a hall comes back after a power cut all screens knock in one second; with the usual 128 they wait another.
const BACKLOG: i32 = 4096;
/// How far to look for a free port to suggest.
const NEIGHBOURS: u16 = 64;
/// The kernel takes a moment to clear away a daemon that was killed, and its ports are taken until then. One that runs keeps
/// them.
const TRIES: u32 = 25;
const BETWEEN_TRIES: Duration = Duration::from_millis(20);

/// Where to listen: an address of this machine or one of its names, and a port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Where {
    /// What it was called, where that was no plain address: people may come by that name.
    pub name: Option<String>,
    /// What can be tried, in this order.
    pub addresses: Vec<SocketAddr>,
}

impl FromStr for Where {
    type Err = String;

    fn from_str(text: &str) -> Result<Where, String> {
        if let Ok(address) = text.parse::<SocketAddr>() {
            return Ok(Where { name: None, addresses: vec![address] });
        }
        let named = text.rsplit_once(':').and_then(|(name, port)| Some((name, port.parse::<u16>().ok()?)));
        let is_name =
            |name: &str| !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || "-._".contains(c));
        let Some((name, port)) = named.filter(|(name, _)| is_name(name) && name.parse::<IpAddr>().is_err()) else {
            return Err(format!(
                "\"{text}\" is no address to listen on: write one of this machine and a port, such as 127.0.0.1:8064"
            ));
        };
        let unknown =
            |_| format!("\"{name}\" is a name this machine does not know: write its address, as `ip addr` lists it");
        // IPv4 first: who types a name types it on other machines too, and those have it for sure.
        let mut addresses: Vec<_> = (name, port).to_socket_addrs().map_err(unknown)?.collect();
        addresses.sort_by_key(SocketAddr::is_ipv6);
        Ok(Where { name: Some(name.to_owned()), addresses })
    }
}

impl From<SocketAddr> for Where {
    fn from(address: SocketAddr) -> Where {
        Where { name: None, addresses: vec![address] }
    }
}

/// Listens on the first of the addresses that can be listened on.
pub fn listen_at(place: &Where) -> Result<TcpListener, ListenError> {
    let mut outcome = None;
    for address in &place.addresses {
        match listen(*address) {
            Ok(listener) => return Ok(listener),
            Err(error) => outcome = outcome.or(Some(error)),
        }
    }
    let none = || ListenError::Nowhere { name: place.name.clone().unwrap_or_default() };
    Err(outcome.unwrap_or_else(none))
}

/// Why nobody can be served at an address. Each says what to try next.
#[derive(Debug, thiserror::Error)]
pub enum ListenError {
    /// Somebody else has the port.
    #[error("{address} is taken by {holder}: end that program, or listen on {suggestion}")]
    Taken {
        /// What was asked for.
        address: SocketAddr,
        /// Who has it.
        holder: String,
        /// An address to try.
        suggestion: String,
    },
    /// The port is reserved.
    #[error("{address} is not for ordinary users: ports below 1024 belong to root; listen on {suggestion}")]
    Denied {
        /// What was asked for.
        address: SocketAddr,
        /// An address to try.
        suggestion: String,
    },
    /// The address belongs to another machine.
    #[error("{address} is no address of this machine: `ip addr` lists those it has; 127.0.0.1 is always one")]
    Foreign {
        /// What was asked for.
        address: SocketAddr,
    },
    /// The name stands for nothing.
    #[error("\"{name}\" has no address on this machine: `ip addr` lists those it has; 127.0.0.1 is always one")]
    Nowhere {
        /// What was asked for.
        name: String,
    },
    /// Anything else.
    #[error("nobody can listen on {address}: {cause}")]
    Other {
        /// What was asked for.
        address: SocketAddr,
        /// What the system said.
        #[source]
        cause: io::Error,
    },
}

/// Listens on `address`. Port 0 takes any free port.
pub fn listen(address: SocketAddr) -> Result<TcpListener, ListenError> {
    patiently(|| bind(address), || thread::sleep(BETWEEN_TRIES)).map_err(|cause| {
        let suggestion = || free_neighbour(address);
        match Errno::from_io_error(&cause) {
            Some(Errno::ADDRINUSE) => {
                ListenError::Taken { address, holder: holder_of(address.port()), suggestion: suggestion() }
            }
            Some(Errno::ACCESS) => ListenError::Denied { address, suggestion: suggestion() },
            Some(Errno::ADDRNOTAVAIL) => ListenError::Foreign { address },
            _ => ListenError::Other { address, cause },
        }
    })
}

/// Tries again for a while to have a port that is taken.
fn patiently<T>(mut attempt: impl FnMut() -> io::Result<T>, mut wait: impl FnMut()) -> io::Result<T> {
    for _ in 1..TRIES {
        match attempt() {
            Err(cause) if cause.kind() == io::ErrorKind::AddrInUse => wait(),
            outcome => return outcome,
        }
    }
    attempt()
}

/// Raises the number of files and sockets this process may have to all it may ask for, and tells how many that is.
pub fn raise_descriptor_limit() -> Option<u64> {
    let limit = getrlimit(Resource::Nofile);
    if let Err(error) = setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, maximum: limit.maximum }) {
        tracing::warn!(%error, "the limit of open sockets stays as it is");
        return limit.current;
    }
    limit.maximum
}

fn bind(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = Socket::new(Domain::for_address(address), Type::STREAM.nonblocking(), Some(Protocol::TCP))?;
    // After a restart connections of the run before may still be closing; they are no reason to refuse.
    socket.set_reuse_address(true)?;
    line::limit(&SockRef::from(&socket))?;
    socket.bind(&address.into())?;
    socket.listen(BACKLOG)?;
    Ok(socket.into())
}

fn free_neighbour(address: SocketAddr) -> String {
    /// The daemon's usual port, for those who asked for a reserved one.
    const USUAL: u16 = 8064;
    let from = address.port().saturating_add(1).max(if address.port() < 1024 { USUAL } else { 0 });
    let free = (from..from.saturating_add(NEIGHBOURS))
        .map(|port| SocketAddr::new(address.ip(), port))
        .find(|candidate| bind(*candidate).is_ok());
    free.map_or_else(|| "port 0, which takes any free one".to_owned(), |free| format!("{free}, which is free"))
}

/// Who listens on `port`, as far as this user may know.
fn holder_of(port: u16) -> String {
    let listed =
        ["/proc/self/net/tcp", "/proc/self/net/tcp6"].map(|path| fs::read_to_string(path).unwrap_or_default()).concat();
    let sockets = listeners(&listed, port);
    process_with(&sockets).unwrap_or_else(|| somebody(&sockets, geteuid().as_raw()))
}

/// The process that has one of these sockets open, if we may look into it.
fn process_with(sockets: &[Listening]) -> Option<String> {
    let sockets: Vec<String> = sockets.iter().map(|Listening { inode, .. }| format!("socket:[{inode}]")).collect();
    // Beside the numbers there are names, as `self`, for some of the same processes.
    let is_process = |entry: &fs::DirEntry| entry.file_name().to_str().is_some_and(|name| name.parse::<u32>().is_ok());
    let process = fs::read_dir("/proc").ok()?.flatten().filter(is_process).find(|process| {
        let files = fs::read_dir(process.path().join("fd")).into_iter().flatten().flatten();
        files
            .filter_map(|file| fs::read_link(file.path()).ok())
            .any(|target| target.to_str().is_some_and(|target| sockets.iter().any(|socket| socket == target)))
    })?;
    let name = fs::read_to_string(process.path().join("comm")).ok()?;
    Some(format!("\"{}\" (process {})", name.trim(), process.file_name().display()))
}

/// Whose it is where no process with it can be seen: the kernel tells of each socket which user has made it.
fn somebody(sockets: &[Listening], own: u32) -> String {
    match sockets.first() {
        Some(Listening { user, .. }) if *user == own => {
            "a program of this user that can't be seen from here, as one in a container".to_owned()
        }
        Some(Listening { user, .. }) => format!("another user's program (user {user})"),
        None => "a program that can't be seen from here".to_owned(),
    }
}

/// A socket that waits for connections.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Listening {
    inode: u64,
    user: u32,
}

/// The sockets that listen on `port`, from the kernel's table: local address in the second column, state in the
/// fourth, user in the eighth, inode in the tenth.
fn listeners(table: &str, port: u16) -> Vec<Listening> {
    const LISTENING: &str = "0A";
    let port = format!(":{port:04X}");
    let socket = |row: &str| {
        let columns: Vec<&str> = row.split_whitespace().collect();
        let here = columns.get(1)?.ends_with(&port) && *columns.get(3)? == LISTENING;
        here.then(|| Some(Listening { inode: columns.get(9)?.parse().ok()?, user: columns.get(7)?.parse().ok()? }))?
    };
    table.lines().filter_map(socket).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_taken_port_names_its_holder_and_a_free_one() {
        let first = listen(SocketAddr::from(([127, 0, 0, 1], 0))).expect("port 0 takes any free port");
        let address = first.local_addr().expect("it is bound");
        let error = listen(address).expect_err("the port is taken").to_string();
        let own = format!("(process {})", std::process::id());
        assert!(error.contains(&own) && error.contains("which is free"), "{error}");
    }

    #[test]
    fn a_port_that_comes_free_within_a_moment_is_had() {
        let mut predecessor = Some(bind(SocketAddr::from(([127, 0, 0, 1], 0))).expect("port 0 takes any free port"));
        let address = predecessor.as_ref().and_then(|first| first.local_addr().ok()).expect("it is bound");
        let mut waits = 0;
        let had = patiently(
            || bind(address),
            || {
                waits += 1;
                predecessor.take_if(|_| waits == 3);
            },
        );
        assert_eq!(had.expect("it has come free").local_addr().expect("it is bound"), address);
        assert_eq!(waits, 3);
    }

    #[test]
    fn whoever_keeps_a_port_is_waited_for_no_longer_than_a_moment_and_another_fault_not_at_all() {
        for (fault, expected) in [(io::ErrorKind::AddrInUse, TRIES - 1), (io::ErrorKind::PermissionDenied, 0)] {
            let mut waits = 0;
            let outcome = patiently(|| Err::<(), _>(fault.into()), || waits += 1);
            assert_eq!((outcome.map_err(|cause| cause.kind()), waits), (Err(fault), expected));
        }
    }

    #[test]
    fn a_program_is_another_users_only_where_the_kernel_says_so() {
        let whose = |sockets: &[Listening]| somebody(sockets, 1000);
        assert_eq!(whose(&[Listening { inode: 1, user: 0 }]), "another user's program (user 0)");
        let own = whose(&[Listening { inode: 1, user: 1000 }]);
        assert!(own.starts_with("a program of this user"), "{own}");
        assert!(!whose(&[]).contains("user"), "nothing is known of it");
    }

    #[test]
    fn who_comes_by_a_listener_is_limited_as_it_is() {
        let listener = listen(SocketAddr::from(([127, 0, 0, 1], 0))).expect("any free port");
        let _viewer = std::net::TcpStream::connect(listener.local_addr().expect("it is bound")).expect("it listens");
        let (socket, _) = listener.accept().expect("somebody came");
        let socket = SockRef::from(&socket);
        assert!(socket.tcp_nodelay().expect("a socket"));
        assert_eq!(socket.tcp_user_timeout().expect("a socket"), Some(line::PATIENCE));
        assert_eq!(socket.tcp_notsent_lowat().expect("a socket"), line::UNSENT);
        // The kernel counts what it needs itself, too.
        assert_eq!(socket.send_buffer_size().expect("a socket"), 2 * line::SEND_BUFFER);
    }

    #[test]
    fn a_name_of_this_machine_is_as_good_as_its_address() {
        let named: Where = "localhost:0".parse().expect("every machine has that name");
        assert_eq!(named.name.as_deref(), Some("localhost"));
        let address = listen_at(&named).expect("any free port").local_addr().expect("it is bound");
        assert!(address.ip().is_loopback());
        for (wrong, sentence) in [
            ("hall.invalid:80", "is a name this machine does not know"),
            ("127.0.0.1", "write one of this machine and a port"),
            ("localhost", "write one of this machine and a port"),
            ("http://x:80", "write one of this machine and a port"),
        ] {
            let error = wrong.parse::<Where>().expect_err(wrong);
            assert!(error.contains(sentence), "{error}");
        }
    }

    #[test]
    fn an_address_of_another_machine_is_called_so() {
        let error = listen(SocketAddr::from(([192, 0, 2, 1], 0))).expect_err("a documentation address is nobody's");
        assert!(matches!(error, ListenError::Foreign { .. }), "{error}");
    }

    #[test]
    fn only_listening_sockets_of_the_port_are_found() {
        let table = "\
  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:1F80 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 111 1 0
   1: 0100007F:1F80 0100007F:9C40 01 00000000:00000000 00:00000000 00000000     0        0 222 1 0
   2: 00000000:1F81 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 333 1 0
   3: torn row
";
        assert_eq!(listeners(table, 8064), [Listening { inode: 111, user: 1000 }]);
    }
}
