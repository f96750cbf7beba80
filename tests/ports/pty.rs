//! A pseudo-terminal, and a board of few words behind it.

use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::thread::{JoinHandle, spawn};
use std::time::{Duration, Instant};

use protocol::board::dgt::{Codes, Decoder, Heard, Message, PieceCode};
use protocol::board::{Contents, Lie};
use rustix::event::{PollFd, PollFlags, poll};
use rustix::fs::{Mode, OFlags, fcntl_setfl, open};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{OptionalActions, tcgetattr, tcsetattr};
use shakmaty::{Board as Men, Color, Role};
use tempfile::TempDir;

/// However busy the machine is, what is awaited comes within this or not at all.
pub(crate) const PATIENCE: Duration = Duration::from_secs(20);

/// Both ends of a terminal. Dropping it is pulling the cable.
///
/// The kernel gives the number of a closed terminal to the next, perhaps in another test. So it is known by a link
/// of its own, which goes when the terminal goes, as a device node would.
pub(crate) struct Pty {
    pub(crate) name: PathBuf,
    pub(crate) device: PathBuf,
    folder: TempDir,
    master: OwnedFd,
    /// While nobody has the port open, its master can't be read. So this end is held until somebody has.
    slave: Option<OwnedFd>,
}

impl Pty {
    pub(crate) fn open() -> Pty {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).expect("a pseudo-terminal");
        grantpt(&master).expect("granted");
        unlockpt(&master).expect("unlocked");
        // A board waits for nobody: what its host does not take in time is lost.
        fcntl_setfl(&master, OFlags::RDWR | OFlags::NONBLOCK).expect("its own end");
        let device = PathBuf::from(ptsname(&master, Vec::new()).expect("a name").into_string().expect("an ASCII name"));
        let folder = tempfile::tempdir().expect("a folder");
        let name = folder.path().join("port");
        relink(&name, &device);
        let mut pty = Pty { name, device, folder, master, slave: None };
        pty.hold();
        pty
    }

    fn hold(&mut self) {
        let flags = OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC;
        let slave = open(&self.device, flags, Mode::empty()).expect("the other end");
        let mut termios = tcgetattr(&slave).expect("a terminal");
        termios.make_raw();
        tcsetattr(&slave, OptionalActions::Now, &termios).expect("raw");
        self.slave = Some(slave);
    }

    pub(crate) fn let_go(&mut self) {
        self.slave = None;
    }

    pub(crate) fn say(&self, bytes: &[u8]) {
        // Whoever had the port may have closed it just then.
        let _ = rustix::io::write(&self.master, bytes);
    }

    pub(crate) fn name(&self) -> String {
        self.name.display().to_string()
    }
}

impl Drop for Pty {
    fn drop(&mut self) {
        std::fs::remove_file(self.folder.path().join("port")).expect("nobody else takes the link away");
    }
}

/// A board that answers and reports. Dropping it is pulling the cable.
pub(crate) struct Board {
    pub(crate) name: PathBuf,
    cable: Option<UnixStream>,
    thread: Option<JoinHandle<()>>,
}

impl Board {
    pub(crate) fn plug_in(serial: &str) -> Board {
        let mut pty = Pty::open();
        let name = pty.name.clone();
        let (cable, far_end) = UnixStream::pair().expect("two sockets");
        let serial = serial.to_owned();
        let thread = spawn(move || live(&mut pty, far_end, &serial));
        Board { name, cable: Some(cable), thread: Some(thread) }
    }

    pub(crate) fn name(&self) -> String {
        self.name.display().to_string()
    }

    /// Bytes the board sends by itself.
    pub(crate) fn say(&self, bytes: &[u8]) {
        self.cable.as_ref().expect("plugged in").write_all(bytes).expect("the board listens");
    }

    pub(crate) fn play(&self, square: &str, letter: char) {
        self.say(&update(square, letter));
    }
}

impl Drop for Board {
    fn drop(&mut self) {
        drop(self.cable.take());
        self.thread.take().expect("joined once").join().expect("the board does not panic");
    }
}

/// Until the cable is pulled: what comes from the cable is said to the port, what comes from the port is answered.
///
/// A busy host may ask what stands on the board after a man has moved, so the board knows what it said.
fn live(pty: &mut Pty, mut cable: UnixStream, serial: &str) {
    let mut buffer = [0; 1024];
    let (mut contents, mut told) = (Contents::of(&Men::new(), Lie::Straight), Decoder::single());
    loop {
        let mut ends = [PollFd::new(&pty.master, PollFlags::IN), PollFd::new(&cable, PollFlags::IN)];
        poll(&mut ends, None).expect("two descriptors can be waited for");
        let [port, cable_ready] = ends.map(|end| !end.revents().is_empty());
        if cable_ready {
            match cable.read(&mut buffer).expect("a socket") {
                0 => return,
                count => {
                    told.push(&buffer[..count]);
                    while let Some(heard) = told.next_heard() {
                        if let Heard::Message(Message::FieldUpdate { square, code }) = heard {
                            contents.set(square, code.content());
                        }
                    }
                    pty.say(&buffer[..count]);
                }
            }
        }
        if port {
            let Ok(count) = rustix::io::read(&pty.master, &mut buffer) else {
                pty.hold();
                continue;
            };
            pty.let_go();
            for byte in &buffer[..count] {
                pty.say(&answer(*byte, serial, &contents));
            }
        }
    }
}

fn answer(command: u8, serial: &str, contents: &Contents) -> Vec<u8> {
    match command {
        0x42 => Message::BoardDump(Codes::of(contents)).encode(),
        0x45 => Message::ShortSerial(serial.to_owned()).encode(),
        0x4d => Message::Version { major: 1, minor: 8 }.encode(),
        0x55 => Message::LongSerial(format!("00000{serial}")).encode(),
        0x41 => vec![0x8d, 0x00, 0x0a, 0, 0, 0, 0, 0, 0, 0x20],
        _ => Vec::new(),
    }
}

/// A field update as a board sends it.
pub(crate) fn update(square: &str, letter: char) -> Vec<u8> {
    let code = Role::from_char(letter)
        .map_or(PieceCode::EMPTY, |role| PieceCode::of(role.of(Color::from_white(letter.is_uppercase()))));
    Message::FieldUpdate { square: square.parse().expect("a square"), code }.encode()
}

/// Looks until `what` is seen, and says what was waited for if it never is.
pub(crate) fn wait_for<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let end = Instant::now() + PATIENCE;
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(Instant::now() < end, "waited in vain for {what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Points `link` at `target`, whatever it pointed at before.
pub(crate) fn relink(link: &Path, target: &Path) {
    let fresh = link.with_extension("new");
    std::os::unix::fs::symlink(target, &fresh).expect("a link");
    std::fs::rename(fresh, link).expect("the link takes its place");
}
