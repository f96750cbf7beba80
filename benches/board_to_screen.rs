//! How long a placed man takes from the last byte on the cable to the frame on ten screens: the whole daemon as a
//! process of its own, beside a bare relay in C that reads the same bytes and writes frames of the same size.
//!
//! `cargo bench --bench board_to_screen`. The two take turns in one run. The bar: half of all frames within 1 ms of
//! the relay's.

use std::{
    error::Error,
    io::{BufRead, BufReader, ErrorKind, Read},
    net::TcpStream,
    os::fd::OwnedFd,
    path::Path,
    process::{Child, Command, Stdio},
    sync::{Arc, Mutex},
    thread,
    time::{Duration, Instant},
};

use protocol::board::{
    Content, Contents, Lie, WireSquare,
    dgt::{Codes, Message, PieceCode},
};
use rustix::{
    fs::{Mode, OFlags, open},
    pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt},
    termios::{OptionalActions, tcgetattr, tcsetattr},
};
use shakmaty::{Chess, Position, Square};

type Outcome<T> = Result<T, Box<dyn Error>>;

const SCREENS: usize = 10;
const TURNS: usize = 40;
const UPDATES_A_TURN: usize = 25;

/// Nobody moves faster, and everybody falls asleep in between.
const BETWEEN: Duration = Duration::from_millis(15);

/// The bar.
const WITHIN: Duration = Duration::from_millis(1);

fn main() -> Outcome<()> {
    let folder = tempfile::tempdir()?;
    let mut daemon = Daemon::start(folder.path())?;
    let size = daemon.learn()?;
    let mut relay = Relay::start(folder.path(), size)?;
    let (mut whole, mut bare) = (Vec::new(), Vec::new());
    for _ in 0..TURNS {
        for _ in 0..UPDATES_A_TURN {
            whole.push(daemon.place()?);
            bare.push(relay.relay()?);
        }
    }
    whole.sort();
    bare.sort();
    let at = |times: &[Duration], percent: usize| times[(times.len() - 1) * percent / 100];
    println!("{} updates, frames of {size} bytes to {SCREENS} screens      p50        p99", whole.len());
    println!("bare relay in C          {:>10.1?} {:>10.1?}", at(&bare, 50), at(&bare, 99));
    println!("the whole daemon         {:>10.1?} {:>10.1?}", at(&whole, 50), at(&whole, 99));
    let more = at(&whole, 50).saturating_sub(at(&bare, 50));
    println!("half of all frames within {more:.1?} of the relay's");
    if more > WITHIN { Err(format!("the bar is {WITHIN:?}").into()) } else { Ok(()) }
}

/// The daemon, a board on a terminal and ten screens.
struct Daemon {
    process: Child,
    board: Arc<Board>,
    screens: Screens,
    /// Where the pawn was last.
    on: Square,
}

impl Daemon {
    fn start(folder: &Path) -> Outcome<Daemon> {
        let (master, name) = terminal()?;
        let board =
            Arc::new(Board { master, squares: Mutex::new(Contents::of(Chess::default().board(), Lie::Straight)) });
        let answering = Arc::clone(&board);
        thread::spawn(move || {
            loop {
                answering.answer();
            }
        });
        let mut process = Command::new(env!("CARGO_BIN_EXE_escaque"))
            .args(["serve", "--listen", "127.0.0.1:0", "--port", &name, "--state"])
            .arg(folder.join("state"))
            .env("RUST_LOG", "warn")
            .stdout(Stdio::piped())
            .spawn()?;
        let mut lines = BufReader::new(process.stdout.take().ok_or("it was piped")?).lines();
        let wall = lines.find_map(|line| line.ok()?.trim().strip_prefix("wall      http://").map(str::to_owned));
        let address = wall.ok_or("it serves")?.trim_end_matches('/').to_owned();
        thread::spawn(move || lines.for_each(drop));
        let connect = |_| -> Outcome<TcpStream> {
            let stream = TcpStream::connect(&address)?;
            let (socket, _) = tungstenite::client(format!("ws://{address}/feed/ws"), stream)?;
            Ok(socket.get_ref().try_clone()?)
        };
        let screens = Screens((0..SCREENS).map(connect).collect::<Outcome<_>>()?);
        // The board is met within a second and the game has begun.
        thread::sleep(Duration::from_secs(3));
        board.put(Square::E2, Content::Empty);
        Ok(Daemon { process, board, screens, on: Square::E4 })
    }

    /// The size of the frames that are to be measured.
    fn learn(&mut self) -> Outcome<usize> {
        thread::sleep(BETWEEN);
        self.screens.drain()?;
        self.board.put(Square::E4, 'P'.try_into()?);
        let size = self.screens.wait()?;
        // In the hand it can't become final while the relay is built.
        self.board.put(Square::E4, Content::Empty);
        Ok(size)
    }

    /// The pawn, in the hand, is put on the square it was not on before, which is another move; then it is taken up.
    fn place(&mut self) -> Outcome<Duration> {
        thread::sleep(BETWEEN);
        self.screens.drain()?;
        self.on = if self.on == Square::E4 { Square::E3 } else { Square::E4 };
        let began = self.board.put(self.on, 'P'.try_into()?);
        self.screens.wait()?;
        let took = began.elapsed();
        self.board.put(self.on, Content::Empty);
        Ok(took)
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

struct Relay {
    process: Child,
    master: OwnedFd,
    screens: Screens,
}

impl Relay {
    fn start(folder: &Path, size: usize) -> Outcome<Relay> {
        let program = folder.join("relay");
        let source = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/relay.c");
        let built = Command::new("cc").args(["-O2", "-Wall", "-o"]).arg(&program).arg(source).status()?;
        if !built.success() {
            return Err("the relay can't be built: is a C compiler installed?".into());
        }
        let (master, name) = terminal()?;
        let mut process = Command::new(&program).args([&name, &size.to_string()]).stdout(Stdio::piped()).spawn()?;
        let mut port = String::new();
        BufReader::new(process.stdout.take().ok_or("it was piped")?).read_line(&mut port)?;
        let port = port.trim().parse::<u16>()?;
        let connect = |_| Ok(TcpStream::connect(("127.0.0.1", port))?);
        let screens = Screens((0..SCREENS).map(connect).collect::<Outcome<_>>()?);
        Ok(Relay { process, master, screens })
    }

    fn relay(&mut self) -> Outcome<Duration> {
        thread::sleep(BETWEEN);
        let update = update(Square::E4, 'P'.try_into()?);
        let began = Instant::now();
        rustix::io::write(&self.master, &update)?;
        self.screens.wait()?;
        Ok(began.elapsed())
    }
}

impl Drop for Relay {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

struct Screens(Vec<TcpStream>);

impl Screens {
    /// Waits until every screen has something; gives how much the last one has. A frame is written at once.
    fn wait(&mut self) -> Outcome<usize> {
        let mut buffer = [0; 4096];
        let mut size = 0;
        for screen in &mut self.0 {
            screen.set_read_timeout(Some(Duration::from_secs(5)))?;
            size = screen.read(&mut buffer)?;
        }
        Ok(size)
    }

    /// Reads away what came of other things.
    fn drain(&mut self) -> Outcome<()> {
        let mut buffer = [0; 65_536];
        for screen in &mut self.0 {
            screen.set_nonblocking(true)?;
            while match screen.read(&mut buffer) {
                Ok(0) => return Err("the daemon has closed a screen".into()),
                Ok(_) => true,
                Err(error) if error.kind() == ErrorKind::WouldBlock => false,
                Err(error) => return Err(error.into()),
            } {}
            screen.set_nonblocking(false)?;
        }
        Ok(())
    }
}

/// A board of few words.
struct Board {
    master: OwnedFd,
    squares: Mutex<Contents>,
}

impl Board {
    /// Puts a man down or takes one away, and says so. Gives the moment before the bytes went out.
    fn put(&self, square: Square, content: Content) -> Instant {
        let mut squares = self.squares.lock().expect("nobody panicked");
        squares.set(WireSquare::under(square, Lie::Straight), content);
        let update = update(square, content);
        let began = Instant::now();
        rustix::io::write(&self.master, &update).expect("a terminal takes five bytes");
        began
    }

    fn answer(&self) {
        let mut command = [0];
        while rustix::io::read(&self.master, &mut command) != Ok(1) {
            thread::sleep(Duration::from_millis(5));
        }
        let squares = self.squares.lock().expect("nobody panicked");
        let answer = match command[0] {
            0x42 => Message::BoardDump(Codes::of(&squares)).encode(),
            0x45 => Message::ShortSerial("12345".to_owned()).encode(),
            0x4d => Message::Version { major: 1, minor: 8 }.encode(),
            0x55 => Message::LongSerial("0000012345".to_owned()).encode(),
            _ => Vec::new(),
        };
        rustix::io::write(&self.master, &answer).expect("a terminal takes a dump");
    }
}

/// A white pawn's update, the only man that moves here, or its square's when it is gone.
fn update(square: Square, content: Content) -> Vec<u8> {
    let code = if content == Content::Empty { PieceCode::EMPTY } else { PieceCode::new(1) };
    Message::FieldUpdate { square: WireSquare::under(square, Lie::Straight), code }.encode()
}

fn terminal() -> Outcome<(OwnedFd, String)> {
    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY)?;
    grantpt(&master)?;
    unlockpt(&master)?;
    let name = ptsname(&master, Vec::new())?.into_string()?;
    // Left raw, so that nothing is echoed before the other end is opened.
    let slave = open(&name, OFlags::RDWR | OFlags::NOCTTY, Mode::empty())?;
    let mut termios = tcgetattr(&slave)?;
    termios.make_raw();
    tcsetattr(&slave, OptionalActions::Now, &termios)?;
    Ok((master, name))
}
