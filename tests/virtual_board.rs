//! `escaque board` as a whole process, over a real pseudo-terminal.

use std::{
    fs::File,
    io::{BufRead, BufReader, Read, Write},
    os::fd::OwnedFd,
    path::{Path, PathBuf},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    time::{Duration, Instant},
};

use protocol::board::dgt::{Decoder, Heard, Message};
use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    fs::{Mode, OFlags},
    process::{Pid, Signal, kill_process},
};

/// Longer than anything here takes on the slowest machine that has run it.
const PATIENCE: Duration = Duration::from_secs(20);
/// Idle, version, serial, board, clock, update, board: how programs begin.
const HANDSHAKE: [u8; 7] = [0x40, 0x4d, 0x45, 0x42, 0x41, 0x4b, 0x42];
const E2_EMPTY: [u8; 5] = [0x8e, 0x00, 0x05, 0x34, 0x00];
const E4_PAWN: [u8; 5] = [0x8e, 0x00, 0x05, 0x24, 0x01];

#[test]
fn a_move_is_heard_and_printed_at_the_end() {
    let mut board = Board::start(&[]);
    let mut port = Port::open(&board.device);
    port.shake_hands();
    board.type_line("move e2e4");
    port.until(&E2_EMPTY);
    port.until(&E4_PAWN);
    let printed = board.quit();
    assert!(printed.contains("\n1. e4 *\n"), "{printed}");
    assert!(printed.lines().all(|line| !line.contains("update lost") || line.starts_with(';')), "{printed}");
}

#[test]
fn nonsense_is_answered_and_the_board_goes_on() {
    let mut board = Board::start(&[]);
    for line in ["lfit e2", "move e2e5", "\u{fffd}\u{0}", "press red", "lift e5", "move e2e4"] {
        board.type_line(line);
    }
    let (printed, told) = board.quit_and_listen();
    assert!(printed.contains("1. e4 *"), "{printed}");
    assert!(told.contains("did you mean lift e2?"), "{told}");
    assert!(told.contains("e2e5 is not a legal move here"), "{told}");
    assert!(told.contains("there is nothing on e5"), "{told}");
}

#[test]
fn a_program_may_close_the_port_and_come_back() {
    let mut board = Board::start(&[]);
    for _ in 0..3 {
        let mut port = Port::open(&board.device);
        port.shake_hands();
    }
    board.type_line("move e2e4");
    let mut port = Port::open(&board.device);
    port.send(&[0x42]);
    port.until(&[0x86, 0x00, 0x43]);
    assert!(board.quit().contains("1. e4 *"));
}

#[test]
fn nobody_at_the_port_costs_no_processor_time() {
    let mut board = Board::start(&["--no-clock"]);
    drop(Port::open(&board.device));
    let before = board.processor_ticks();
    // The port is looked at twenty times a second; a busy loop would take a hundred ticks a second.
    board.type_line("say 00");
    std::thread::sleep(Duration::from_secs(1));
    assert!(board.processor_ticks() - before < 30);
}

#[test]
fn an_unplugged_board_comes_back_under_another_name_and_the_link_follows() {
    let folder = tempfile::tempdir().expect("a place for the link");
    let link = folder.path().join("board-1");
    let mut board = Board::start(&["--link", link.to_str().expect("an ordinary name")]);
    assert_eq!(std::fs::read_link(&link).expect("the link is there"), board.device);
    let mut port = Port::open(&link);
    port.shake_hands();
    board.type_line("unplug 0.3");
    port.until_gone();
    let back = wait_for(|| std::fs::read_link(&link).ok().filter(|to| *to != board.device));
    assert_ne!(back, board.device);
    let mut port = Port::open(&link);
    port.shake_hands();
    board.type_line("move e2e4");
    port.until(&E4_PAWN);
    assert!(board.quit().contains("1. e4 *"));
    assert!(!link.exists() && std::fs::symlink_metadata(&link).is_err(), "the link goes with the board");
}

#[test]
fn after_a_reboot_the_board_is_silent_until_it_is_asked_again() {
    let mut board = Board::start(&[]);
    let mut port = Port::open(&board.device);
    port.shake_hands();
    board.type_line("reboot");
    board.type_line("move e2e4");
    board.type_line("say 8e 00 05 00 00 ff");
    port.until(&[0x8e, 0x00, 0x05, 0x00, 0x00, 0xff]);
    assert!(!port.heard.windows(5).any(|bytes| bytes == E4_PAWN), "nobody switched updates on");
    port.send(&[0x42]);
    port.until(&[0x86, 0x00, 0x43]);
    assert!(board.quit().contains("1. e4 *"));
}

#[test]
fn a_script_in_a_pipe_is_played_to_its_end() {
    let mut board = Board::start(&[]);
    board.type_line("move f2f3\nmove e7e5\nmove g2g4\nmove d8h4");
    let printed = board.close_and_listen();
    assert!(printed.contains("[Result \"0-1\"]"), "{printed}");
    assert!(printed.contains("1. f3 e5 2. g4 Qh4# 0-1"), "{printed}");
}

#[test]
fn a_signal_loses_nothing() {
    for signal in [Signal::TERM, Signal::INT] {
        let mut board = Board::start(&[]);
        let mut port = Port::open(&board.device);
        port.shake_hands();
        board.type_line("move e2e4");
        port.until(&E4_PAWN);
        port.until(&[0x13]);
        kill_process(Pid::from_child(&board.process), signal).expect("our own child");
        assert!(board.printed().contains("1. e4 *"));
    }
}

#[test]
fn a_game_is_played_when_a_computer_listens() {
    let folder = tempfile::tempdir().expect("a place for the games");
    let pgn = folder.path().join("short.pgn");
    std::fs::write(&pgn, "[White \"A\"]\n[Black \"B\"]\n\n1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0\n").expect("written");
    let path = pgn.to_str().expect("an ordinary name");
    let mut board = Board::start(&["--games", path, "--profile", "perfect", "--speed", "1000"]);
    let mut port = Port::open(&board.device);
    port.send(&HANDSHAKE);
    port.until_gone();
    let printed = board.printed();
    assert!(printed.contains("1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0"), "{printed}");
    let mut decoder = Decoder::single();
    decoder.push(&port.heard);
    let updates = std::iter::from_fn(|| decoder.next_heard());
    let updates = updates.filter(|heard| matches!(heard, Heard::Message(Message::FieldUpdate { .. }))).count();
    assert!((10..=11).contains(&updates), "{updates}");
}

#[test]
fn a_pgn_that_can_not_be_played_is_refused_with_its_place() {
    let folder = tempfile::tempdir().expect("a place for the games");
    let pgn = folder.path().join("wrong.pgn");
    std::fs::write(&pgn, "1. e4 e5 2. Ke3 *\n").expect("written");
    for (path, sentence) in
        [(pgn.as_path(), "2. Ke3 can't be played there"), (Path::new("/no/such.pgn"), "/no/such.pgn")]
    {
        let run = Command::new(env!("CARGO_BIN_EXE_escaque")).arg("board").arg("--games").arg(path).output();
        let run = run.expect("the program runs");
        assert_eq!(run.status.code(), Some(1));
        assert!(String::from_utf8_lossy(&run.stderr).contains(sentence));
    }
}

#[test]
fn of_two_boards_with_one_link_the_later_has_it_and_the_earlier_leaves_it_alone() {
    let folder = tempfile::tempdir().expect("a place for the link");
    let link = folder.path().join("board-1");
    let name = link.to_str().expect("an ordinary name");
    let earlier = Board::start(&["--link", name]);
    let later = Board::start(&["--link", name]);
    assert_eq!(std::fs::read_link(&link).expect("the link is there"), later.device);
    earlier.quit();
    assert_eq!(std::fs::read_link(&link).expect("the link is there"), later.device);
    later.quit();
    assert!(std::fs::symlink_metadata(&link).is_err(), "the link goes with its board");
}

#[test]
fn a_file_put_where_the_link_was_outlives_the_board() {
    let folder = tempfile::tempdir().expect("a place for the link");
    let link = folder.path().join("board-1");
    let mut board = Board::start(&["--link", link.to_str().expect("an ordinary name")]);
    std::fs::remove_file(&link).expect("it was there");
    std::fs::write(&link, "precious").expect("a place to write");
    board.type_line("unplug 0.1");
    board.type_line("move e2e4");
    let (printed, told) = board.quit_and_listen();
    assert!(printed.contains("1. e4 *"), "{printed}");
    assert!(told.contains("move away what stands there"), "{told}");
    assert_eq!(std::fs::read_to_string(&link).expect("it is there"), "precious");
}

#[test]
fn a_link_never_replaces_somebodys_file() {
    let folder = tempfile::tempdir().expect("a place for the link");
    let taken = folder.path().join("thesis.txt");
    std::fs::write(&taken, "years of work").expect("written");
    let run =
        Command::new(env!("CARGO_BIN_EXE_escaque")).args(["board", "--link"]).arg(&taken).stdin(Stdio::null()).output();
    assert_eq!(run.expect("the program runs").status.code(), Some(1));
    assert_eq!(std::fs::read_to_string(&taken).expect("still there"), "years of work");
}

struct Board {
    process: Child,
    device: PathBuf,
    typed: Option<ChildStdin>,
    printed: BufReader<ChildStdout>,
}

impl Board {
    fn start(args: &[&str]) -> Board {
        let mut command = Command::new(env!("CARGO_BIN_EXE_escaque"));
        command.arg("board").args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut process = command.spawn().expect("the program starts");
        let typed = process.stdin.take();
        let mut printed = BufReader::new(process.stdout.take().expect("piped"));
        let mut device = String::new();
        printed.read_line(&mut device).expect("the first line is the device");
        Board { process, device: PathBuf::from(device.trim_end()), typed, printed }
    }

    fn type_line(&mut self, line: &str) {
        let typed = self.typed.as_mut().expect("not closed yet");
        writeln!(typed, "{line}").expect("the board listens");
    }

    fn quit(self) -> String {
        self.quit_and_listen().0
    }

    fn quit_and_listen(mut self) -> (String, String) {
        self.type_line("quit");
        let printed = self.printed();
        let mut told = String::new();
        self.process.stderr.take().expect("piped").read_to_string(&mut told).expect("text");
        (printed, told)
    }

    fn close_and_listen(mut self) -> String {
        drop(self.typed.take());
        self.printed()
    }

    /// All it prints, to its end.
    fn printed(&mut self) -> String {
        let mut text = String::new();
        self.printed.read_to_string(&mut text).expect("text");
        assert!(self.process.wait().expect("it ends").success());
        text
    }

    fn processor_ticks(&self) -> u64 {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.process.id())).expect("it runs");
        let after_name = stat.rsplit(')').next().expect("a name in parentheses");
        let field = |index: usize| after_name.split_whitespace().nth(index).and_then(|text| text.parse::<u64>().ok());
        field(11).zip(field(12)).map(|(user, system)| user + system).expect("times are the 14th and 15th field")
    }
}

impl Drop for Board {
    fn drop(&mut self) {
        let _already_gone = self.process.kill();
        let _reaped = self.process.wait();
    }
}

/// The computer's end of the cable.
struct Port {
    file: File,
    heard: Vec<u8>,
    from: usize,
}

impl Port {
    fn open(device: &Path) -> Port {
        let flags = OFlags::RDWR | OFlags::NOCTTY | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let file: OwnedFd = rustix::fs::open(device, flags, Mode::empty()).expect("the device is there");
        Port { file: File::from(file), heard: Vec::new(), from: 0 }
    }

    /// Returns when the last word of the handshake is answered: what is played before that is told to nobody.
    fn shake_hands(&mut self) {
        self.send(&HANDSHAKE);
        self.until(&[0x93, 0x00, 0x05, 0x03, 0x01]);
        self.until(&[0x91, 0x00, 0x08]);
        for _ in 0..2 {
            self.until(&[0x86, 0x00, 0x43]);
        }
    }

    fn send(&mut self, bytes: &[u8]) {
        self.file.write_all(bytes).expect("the board is there");
    }

    /// Reads until `wanted` has come, after what was last waited for.
    fn until(&mut self, wanted: &[u8]) {
        let begun = Instant::now();
        loop {
            let found = self.heard[self.from..].windows(wanted.len()).position(|bytes| bytes == wanted);
            if let Some(at) = found {
                self.from += at + wanted.len();
                return;
            }
            assert!(begun.elapsed() < PATIENCE, "{wanted:02x?} never came, only {:02x?}", self.heard);
            assert!(self.read(), "the board went away: {:02x?}", self.heard);
        }
    }

    fn until_gone(&mut self) {
        let begun = Instant::now();
        while self.read() {
            assert!(begun.elapsed() < PATIENCE, "the device is still there");
        }
    }

    /// False when there is no board any more.
    fn read(&mut self) -> bool {
        let moment = Timespec { tv_sec: 0, tv_nsec: 100_000_000 };
        poll(&mut [PollFd::new(&self.file, PollFlags::IN)], Some(&moment)).expect("a descriptor of ours");
        let mut bytes = [0; 4_096];
        match self.file.read(&mut bytes) {
            Ok(0) => false,
            Ok(count) => {
                self.heard.extend(&bytes[..count]);
                true
            }
            Err(error) => error.kind() == std::io::ErrorKind::WouldBlock,
        }
    }
}

fn wait_for<T>(mut what: impl FnMut() -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        if let Some(found) = what() {
            return found;
        }
        assert!(begun.elapsed() < PATIENCE, "it never came");
        std::thread::sleep(Duration::from_millis(10));
    }
}
