//! The shell: a pseudo-terminal that looks like a serial port with a board behind it.

use std::{
    collections::VecDeque,
    fs,
    io::{self, BufRead, Write},
    os::{fd::OwnedFd, unix::fs::symlink},
    path::{Path, PathBuf},
    time::Duration,
};

use rustix::{
    fs::{Mode, OFlags},
    pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt},
    termios::{OptionalActions, tcgetattr, tcsetattr},
};
use tokio::{
    net::unix::pipe,
    signal::unix::{SignalKind, signal},
    sync::mpsc,
    time::{Instant, sleep, sleep_until},
};

use super::{
    player::{Output, Rehearsal},
    script::{self, Command},
    wire::Said,
};

/// While no program has the port open, this often somebody looks whether one has. A pseudo-terminal does not say so.
const LOOK_MS: u64 = 50;
/// A program has this long to read the last bytes before the port goes away.
const LAST_READ_MS: u64 = 200;
/// No command makes a computer send more at once.
const READ_BYTES: usize = 256;

/// Why a board can't be put up, as a sentence.
#[derive(Debug, thiserror::Error)]
pub enum StageError {
    /// The system gives no pseudo-terminal.
    #[error("no pseudo-terminal can be opened ({0}); is /dev/pts mounted, and is kernel.pty.max reached?")]
    NoTerminal(io::Error),
    /// The link can't be made.
    #[error(
        "the link {path} can't be made ({cause}); choose another place with --link, or move away what stands there"
    )]
    Link {
        /// As it was asked for.
        path: String,
        /// What the system says.
        cause: io::Error,
    },
    /// No loop to wait in.
    #[error("the event loop can't be started: {0}")]
    Loop(io::Error),
}

/// Plays `rehearsal` in real time until it is done or somebody ends it, and gives it back.
///
/// The first line on standard output is the path of the device. Commands are read from standard input.
pub fn run(rehearsal: Rehearsal, link: Option<&Path>) -> Result<Rehearsal, StageError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(StageError::Loop)?;
    let outcome = runtime.block_on(async {
        let mut stage = Stage::open(rehearsal, link)?;
        stage.play().await?;
        Ok(stage.rehearsal)
    });
    // A thread that waits for standard input does not hold up the end.
    runtime.shutdown_background();
    outcome
}

struct Stage {
    rehearsal: Rehearsal,
    port: Port,
    link: Option<Link>,
    outbox: VecDeque<Said>,
    began: Instant,
    done: bool,
}

/// The board's end of the cable.
enum Port {
    /// Some program has the device open.
    Open { board: OwnedFd, ear: pipe::Receiver },
    /// Nobody has; what the board says is lost, as on any serial line.
    Closed(OwnedFd),
    /// The cable is out; the terminal it will come back as is kept, so that its name is another one.
    Unplugged(Terminal),
    /// Between two of the others.
    Gone,
}

struct Terminal {
    board: OwnedFd,
    path: PathBuf,
}

/// What the keyboard gives.
enum Typed {
    Line(String),
    End,
}

impl Stage {
    fn open(rehearsal: Rehearsal, link: Option<&Path>) -> Result<Stage, StageError> {
        let Terminal { board, path } = Terminal::open()?;
        let link = link.map(|link| Link::make(link, &path)).transpose()?;
        // Whoever reads where it is may be gone already.
        let _ = writeln!(io::stdout(), "{}", path.display());
        if let Some(link) = &link {
            eprintln!("{} -> {}", link.path.display(), path.display());
        }
        Ok(Stage {
            rehearsal,
            port: Port::Closed(board),
            link,
            outbox: VecDeque::new(),
            began: Instant::now(),
            done: false,
        })
    }

    async fn play(&mut self) -> Result<(), StageError> {
        let mut keyboard = keyboard();
        let mut listening = true;
        let mut commands = 0;
        let mut interrupt = signal(SignalKind::interrupt()).map_err(StageError::Loop)?;
        let mut terminate = signal(SignalKind::terminate()).map_err(StageError::Loop)?;
        while !(self.done && self.outbox.is_empty()) {
            let wake = self.wake();
            tokio::select! {
                _ = interrupt.recv() => return Ok(()),
                _ = terminate.recv() => return Ok(()),
                typed = keyboard.recv(), if listening => match typed {
                    Some(Typed::Line(line)) => commands += self.typed(&line)?,
                    Some(Typed::End) | None => {
                        listening = false;
                        // The end of a script is the end of the rehearsal; no keyboard at all is not.
                        if commands > 0 {
                            self.command(Command::Quit)?;
                        }
                    }
                },
                heard = self.port.hear() => self.heard(&heard)?,
                () = sleep_until(wake) => {}
            }
            self.act()?;
        }
        sleep(Duration::from_millis(LAST_READ_MS)).await;
        Ok(())
    }

    fn now(&self) -> u64 {
        u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    /// When something is due. Far away if nothing is.
    fn wake(&self) -> Instant {
        const FAR_MS: u64 = 3_600_000;
        let said = self.outbox.front().map(|said| said.at);
        let due = [self.rehearsal.deadline(), said].into_iter().flatten().min();
        self.began + Duration::from_millis(due.unwrap_or_else(|| self.now() + FAR_MS))
    }

    fn act(&mut self) -> Result<(), StageError> {
        let mut out = Vec::new();
        self.rehearsal.advance(self.now(), &mut out);
        self.take(out)?;
        while self.outbox.front().is_some_and(|said| said.at <= self.now()) {
            let said = self.outbox.pop_front().expect("looked at above");
            self.port.say(&said.bytes);
        }
        Ok(())
    }

    fn take(&mut self, out: Vec<Output>) -> Result<(), StageError> {
        for output in out {
            match output {
                Output::Said(said) => self.outbox.push_back(said),
                Output::Tell(sentence) => eprintln!("{sentence}"),
                Output::LinkDown => self.unplug()?,
                Output::LinkUp => self.plug(),
                Output::Done => self.done = true,
            }
        }
        Ok(())
    }

    /// Gives how many commands that was.
    fn typed(&mut self, line: &str) -> Result<usize, StageError> {
        match script::parse(line) {
            Ok(None) => return Ok(0),
            Ok(Some(command)) => self.command(command)?,
            Err(nonsense) => eprintln!("{nonsense}"),
        }
        Ok(1)
    }

    fn command(&mut self, command: Command) -> Result<(), StageError> {
        let mut out = Vec::new();
        self.rehearsal.command(command, self.now(), &mut out);
        self.take(out)
    }

    fn heard(&mut self, heard: &[u8]) -> Result<(), StageError> {
        let mut out = Vec::new();
        self.rehearsal.hear(heard, self.now(), &mut out);
        self.take(out)
    }

    /// The port goes away with what had not left the line.
    fn unplug(&mut self) -> Result<(), StageError> {
        let next = Terminal::open()?;
        self.port = Port::Unplugged(next);
        self.outbox.clear();
        self.link.iter().for_each(Link::remove);
        Ok(())
    }

    fn plug(&mut self) {
        let closed = match std::mem::replace(&mut self.port, Port::Gone) {
            Port::Unplugged(Terminal { board, path }) => {
                eprintln!("plugged in again as {}", path.display());
                // The board is up all the same, and its games are worth more than its second name.
                if let Some(Err(trouble)) = self.link.as_mut().map(|link| link.point_to(&path)) {
                    eprintln!("{trouble}");
                }
                Port::Closed(board)
            }
            plugged @ (Port::Open { .. } | Port::Closed(_) | Port::Gone) => plugged,
        };
        self.port = closed;
    }
}

impl Port {
    /// Waits for bytes, or for news about who has the port open; then there are none.
    async fn hear(&mut self) -> Vec<u8> {
        let mut bytes = [0; READ_BYTES];
        match self {
            Port::Unplugged(_) | Port::Gone => std::future::pending().await,
            Port::Closed(board) => {
                sleep(Duration::from_millis(LOOK_MS)).await;
                let heard = match rustix::io::read(&*board, &mut bytes) {
                    Ok(count) => bytes[..count].to_vec(),
                    Err(rustix::io::Errno::AGAIN) => Vec::new(),
                    Err(_still_nobody) => return Vec::new(),
                };
                self.opened();
                heard
            }
            Port::Open { ear, .. } => {
                let _readable = ear.readable().await;
                match ear.try_read(&mut bytes) {
                    Ok(count) if count > 0 => return bytes[..count].to_vec(),
                    Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                    // The last program has closed it: an error of the terminal, not of the board. Nobody may wait on
                    // it now, for it would be readable for ever.
                    Ok(_) | Err(_) => self.closed(),
                }
                Vec::new()
            }
        }
    }

    fn opened(&mut self) {
        *self = match std::mem::replace(self, Port::Gone) {
            Port::Closed(board) => match ear(&board) {
                Ok(ear) => Port::Open { board, ear },
                Err(_tried_again_soon) => Port::Closed(board),
            },
            other @ (Port::Open { .. } | Port::Unplugged(_) | Port::Gone) => other,
        };
    }

    fn closed(&mut self) {
        *self = match std::mem::replace(self, Port::Gone) {
            Port::Open { board, .. } => Port::Closed(board),
            other @ (Port::Closed(_) | Port::Unplugged(_) | Port::Gone) => other,
        };
    }

    /// Bytes that nobody takes are lost, as on any serial line.
    fn say(&self, bytes: &[u8]) {
        if let Port::Open { board, .. } = self {
            let _lost = rustix::io::write(board, bytes);
        }
    }
}

/// Waits on a terminal as on a pipe: both are read when the system says so, and this way needs no unsafe code.
fn ear(board: &OwnedFd) -> io::Result<pipe::Receiver> {
    pipe::Receiver::from_owned_fd_unchecked(board.try_clone()?)
}

impl Terminal {
    fn open() -> Result<Terminal, StageError> {
        Terminal::try_open().map_err(StageError::NoTerminal)
    }

    fn try_open() -> io::Result<Terminal> {
        let board = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC)?;
        grantpt(&board)?;
        unlockpt(&board)?;
        let path = PathBuf::from(ptsname(&board, Vec::new())?.to_string_lossy().into_owned());
        let device = rustix::fs::open(&path, OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC, Mode::empty())?;
        let mut settings = tcgetattr(&device)?;
        settings.make_raw();
        settings.set_speed(9_600)?;
        tcsetattr(&device, OptionalActions::Now, &settings)?;
        rustix::fs::fcntl_setfl(&board, OFlags::NONBLOCK)?;
        Ok(Terminal { board, path })
    }
}

/// A name that stays the same while the device changes its own. Removed at the end.
///
/// Only a link is replaced, and only what was made here is removed: whatever else stands there belongs to somebody.
/// A link that is left from a board killed is replaced; where two boards want one name, the later one has it.
struct Link {
    path: PathBuf,
    device: PathBuf,
}

impl Link {
    fn make(path: &Path, device: &Path) -> Result<Link, StageError> {
        let mut link = Link { path: path.to_owned(), device: device.to_owned() };
        link.point_to(device)?;
        Ok(link)
    }

    /// At no moment is there a half-made link.
    fn point_to(&mut self, device: &Path) -> Result<(), StageError> {
        self.device = device.to_owned();
        if fs::symlink_metadata(&self.path).is_ok_and(|there| !there.is_symlink()) {
            return Err(link_error(&self.path, io::ErrorKind::AlreadyExists.into()));
        }
        let mut beside = self.path.clone().into_os_string();
        beside.push(format!(".{}", std::process::id()));
        let made = symlink(device, &beside).and_then(|()| fs::rename(&beside, &self.path));
        made.map_err(|cause| {
            let _already_gone = fs::remove_file(&beside);
            link_error(&self.path, cause)
        })
    }

    fn remove(&self) {
        if fs::read_link(&self.path).is_ok_and(|device| device == self.device) {
            let _already_gone = fs::remove_file(&self.path);
        }
    }
}

fn link_error(path: &Path, cause: io::Error) -> StageError {
    StageError::Link { path: path.display().to_string(), cause }
}

impl Drop for Link {
    fn drop(&mut self) {
        self.remove();
    }
}

/// Lines of standard input. A thread of its own, because nothing else can wait for a keyboard and a pipe alike.
fn keyboard() -> mpsc::UnboundedReceiver<Typed> {
    let (lines, keyboard) = mpsc::unbounded_channel();
    std::thread::spawn(move || {
        // Lines of any bytes: nonsense is answered, not died of.
        for line in io::BufReader::new(io::stdin()).split(b'\n').map_while(Result::ok) {
            if lines.send(Typed::Line(String::from_utf8_lossy(&line).into_owned())).is_err() {
                return;
            }
        }
        let _nobody_waits = lines.send(Typed::End);
    });
    keyboard
}
