//! `escaque decode`: what a board said, one JSON object a line.

use std::{
    collections::VecDeque,
    fmt,
    fs::File,
    io::{self, BufRead, BufReader, ErrorKind, Write},
    path::{Path, PathBuf},
    process::ExitCode,
};

use anyhow::{Context, bail, ensure};
use protocol::board::dgt::{Decoder, FRAME_SILENCE_MS, Heard, View};
use serde::Serialize;

use super::exit;
use crate::sensors::capture::{self, Entry, Item};

const EXAMPLES: &str = r#"The input is a capture, one object {"t": milliseconds, "rx": "hex digits"} a line, or else the raw bytes of the cable.
A damaged line of a capture is named, the others are shown, and the exit code is 3.

Examples:
  escaque decode game.jsonl              what the board said, with the times
  escaque decode --check game.jsonl      is the recording whole?
  escaque decode --bus hall.bin          several boards on one line
  escaque decode game.jsonl | jq -c 'select(.type == "field_update")'
  ssh hall cat /dev/ttyUSB0 | escaque decode -"#;

/// Show what a DGT board said, one JSON object a line.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// A capture or raw bytes; `-` reads standard input.
    file: PathBuf,

    /// The line is a bus with several boards.
    #[arg(long)]
    bus: bool,

    /// Show what was sent to the board, too, where the capture holds it.
    #[arg(long, conflicts_with = "check")]
    tx: bool,

    /// Decode, encode again and compare: says one line, and exits with 3 if anything is damaged.
    #[arg(long)]
    check: bool,
}

pub(super) fn run(args: Args) -> anyhow::Result<ExitCode> {
    let outcome = if args.check { check(&args) } else { show(&args) };
    match outcome {
        // `| head` has seen enough.
        Err(error) if super::terminal::is_broken_pipe(&error) => Ok(exit::OK.into()),
        outcome => Ok(outcome?.into()),
    }
}

fn show(args: &Args) -> anyhow::Result<u8> {
    let mut out = io::stdout().lock();
    let damaged = listen(args, |said| {
        let line = match said {
            Said::Received(_) => return Ok(()),
            Said::Sent { .. } if !args.tx => return Ok(()),
            Said::Sent { t, bytes } => json(&Shown { t: Some(t), what: Sent::Tx { hex: capture::hex(bytes) } }),
            Said::Heard { t, heard } => json(&Shown { t, what: View::of(&heard) }),
        };
        // At once, so that a live line is seen live.
        out.write_all(&line?).and_then(|()| out.flush()).context(WRITING)
    })?;
    Ok(if damaged == 0 { exit::OK } else { exit::NOT_IN_ORDER })
}

const WRITING: &str = "what the board said can't be written: make room, or write to another place";

fn check(args: &Args) -> anyhow::Result<u8> {
    let mut check = Check::default();
    check.damaged = listen(args, |said| {
        match said {
            Said::Received(bytes) => check.waiting.extend(bytes),
            Said::Heard { heard, .. } => check.compare(&heard),
            Said::Sent { .. } => {}
        }
        Ok(())
    })?;
    writeln!(io::stdout(), "{check}").context(WRITING)?;
    Ok(if check.in_order() { exit::OK } else { exit::NOT_IN_ORDER })
}

/// One thing in the input, in its order.
enum Said<'a> {
    /// Bytes came from the board.
    Received(&'a [u8]),
    /// They completed this. Raw input has no times.
    Heard { t: Option<u64>, heard: Heard },
    /// Bytes went to the board.
    Sent { t: u64, bytes: &'a [u8] },
}

#[derive(Serialize)]
struct Shown<T> {
    #[serde(skip_serializing_if = "Option::is_none")]
    t: Option<u64>,
    #[serde(flatten)]
    what: T,
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Sent {
    Tx { hex: String },
}

fn json(shown: &impl Serialize) -> anyhow::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(shown)?;
    line.push(b'\n');
    Ok(line)
}

/// Gives everything in the input to `each`. Lines of a capture that can't be read are named on standard error and
/// passed over; how many there were comes back.
fn listen(args: &Args, each: impl FnMut(Said<'_>) -> anyhow::Result<()>) -> anyhow::Result<usize> {
    let mut input = open(&args.file)?;
    let decoder = if args.bus { Decoder::bus() } else { Decoder::single() };
    let mut line = Cable { decoder, t: None, each };
    let name = if is_stdin(&args.file) { "standard input".to_owned() } else { args.file.display().to_string() };
    let reading = || format!("reading {name} stopped halfway: check the disk or the cable behind it, then try again");

    let mut damaged = 0;
    if capture::is_capture(input.fill_buf().with_context(reading)?) {
        for entry in capture::read(input) {
            match entry {
                Ok(entry) => line.entry(&entry)?,
                Err(bad) => {
                    damaged += 1;
                    eprintln!("escaque: {name}: {bad}; the other lines are read");
                }
            }
        }
    } else {
        loop {
            let bytes = input.fill_buf().with_context(reading)?;
            let count = bytes.len();
            if count == 0 {
                break;
            }
            line.receive(bytes)?;
            input.consume(count);
        }
    }
    line.fall_silent()?;
    Ok(damaged)
}

fn open(path: &Path) -> anyhow::Result<Box<dyn BufRead>> {
    if is_stdin(path) {
        return Ok(Box::new(io::stdin().lock()));
    }
    let shown = path.display();
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => {
            bail!("there is no file {shown}; look at its name with ls")
        }
        Err(error) if error.kind() == ErrorKind::PermissionDenied => {
            bail!("{shown} may not be read by this user; see who may with ls -l")
        }
        Err(error) => return Err(error).with_context(|| format!("{shown} can't be opened; try to copy it elsewhere")),
    };
    ensure!(!file.metadata()?.is_dir(), "{shown} is a directory; give a capture in it");
    Ok(Box::new(BufReader::new(file)))
}

fn is_stdin(path: &Path) -> bool {
    path == Path::new("-")
}

/// The cable, heard entry by entry.
struct Cable<F> {
    decoder: Decoder,
    /// When the last bytes came.
    t: Option<u64>,
    each: F,
}

impl<F: FnMut(Said<'_>) -> anyhow::Result<()>> Cable<F> {
    fn entry(&mut self, Entry { t, item }: &Entry) -> anyhow::Result<()> {
        match item {
            // A message does not go on after the cable was pulled.
            Item::Link(_) => self.fall_silent(),
            Item::Tx(bytes) => (self.each)(Said::Sent { t: *t, bytes }),
            Item::Rx(bytes) => {
                if self.t.is_some_and(|last| t.saturating_sub(last) > FRAME_SILENCE_MS) {
                    self.fall_silent()?;
                }
                self.t = Some(*t);
                self.receive(bytes)
            }
        }
    }

    fn receive(&mut self, bytes: &[u8]) -> anyhow::Result<()> {
        (self.each)(Said::Received(bytes))?;
        self.decoder.push(bytes);
        self.drain()
    }

    fn fall_silent(&mut self) -> anyhow::Result<()> {
        self.decoder.silence();
        self.drain()
    }

    fn drain(&mut self) -> anyhow::Result<()> {
        while let Some(heard) = self.decoder.next_heard() {
            (self.each)(Said::Heard { t: self.t, heard })?;
        }
        Ok(())
    }
}

/// What was heard beside what came, byte by byte.
#[derive(Default)]
struct Check {
    /// Received, and not yet in anything heard.
    waiting: VecDeque<u8>,
    messages: usize,
    bytes: usize,
    noise: usize,
    invalid: usize,
    differing: usize,
    /// Lines that could not be read.
    damaged: usize,
}

impl Check {
    fn compare(&mut self, heard: &Heard) {
        match heard {
            Heard::Noise { skipped } => {
                self.noise += skipped;
                self.waiting.drain(..*skipped);
            }
            Heard::Invalid { payload, .. } => {
                self.invalid += 1;
                self.waiting.drain(..3 + payload.len());
            }
            Heard::Message(message) => {
                let encoded = message.encode();
                self.messages += 1;
                self.bytes += encoded.len();
                // Decoding keeps the length of a frame, so the next one is looked for at the right place.
                let came = self.waiting.drain(..encoded.len());
                self.differing += usize::from(!came.eq(encoded));
            }
        }
    }

    fn in_order(&self) -> bool {
        self.noise == 0 && self.invalid == 0 && self.differing == 0 && self.damaged == 0
    }
}

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Check { messages, bytes, noise, invalid, differing, damaged, .. } = self;
        write!(f, "{messages} messages, {noise} bytes of noise, {invalid} invalid")?;
        if *damaged > 0 {
            write!(f, ", {damaged} damaged lines")?;
        }
        f.write_str(": ")?;
        match differing {
            0 => write!(f, "re-encoded to the same {bytes} bytes"),
            _ => write!(f, "{differing} of the messages re-encoded to other bytes"),
        }
    }
}
