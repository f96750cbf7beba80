//! `escaque decode`: what a board said, one JSON object a line.

use std::{
    fmt,
    fs::File,
    io::{self, BufRead, BufReader, ErrorKind, Write},
    path::{Path, PathBuf},
    process::ExitCode,
};

use anyhow::{Context, bail, ensure};
use protocol::board::Link;
use protocol::board::dgt::{Decoder, FRAME_SILENCE_MS, Heard, View};
use serde::{Deserialize, Serialize};

use super::exit;

const EXAMPLES: &str = r#"The input is a capture, one object {"t": milliseconds, "rx": "hex digits"} a line, or else the raw bytes of the cable.

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
        Err(error) if is_broken_pipe(&error) => Ok(exit::OK.into()),
        outcome => Ok(outcome?.into()),
    }
}

fn show(args: &Args) -> anyhow::Result<u8> {
    let mut out = io::stdout().lock();
    listen(args, |said| {
        let line = match said {
            Said::Received(_) => return Ok(()),
            Said::Sent { .. } if !args.tx => return Ok(()),
            Said::Sent { t, hex } => json(&Shown { t: Some(t), what: Sent::Tx { hex } }),
            Said::Heard { t, heard } => json(&Shown { t, what: View::of(&heard) }),
        };
        // At once, so that a live line is seen live.
        out.write_all(&line?)?;
        Ok(out.flush()?)
    })?;
    Ok(exit::OK)
}

fn check(args: &Args) -> anyhow::Result<u8> {
    let mut check = Check::default();
    listen(args, |said| {
        match said {
            Said::Received(bytes) => check.waiting.extend(bytes),
            Said::Heard { heard, .. } => check.compare(&heard),
            Said::Sent { .. } => {}
        }
        Ok(())
    })?;
    writeln!(io::stdout(), "{check}")?;
    Ok(if check.in_order() { exit::OK } else { exit::NOT_IN_ORDER })
}

/// One thing in the input, in its order.
enum Said<'a> {
    /// Bytes came from the board.
    Received(&'a [u8]),
    /// They completed this. Raw input has no times.
    Heard { t: Option<u64>, heard: Heard },
    /// Bytes went to the board.
    Sent { t: u64, hex: &'a str },
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
enum Sent<'a> {
    Tx { hex: &'a str },
}

fn json(shown: &impl Serialize) -> anyhow::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(shown)?;
    line.push(b'\n');
    Ok(line)
}

fn listen(args: &Args, each: impl FnMut(Said<'_>) -> anyhow::Result<()>) -> anyhow::Result<()> {
    let mut input = open(&args.file)?;
    let decoder = if args.bus { Decoder::bus() } else { Decoder::single() };
    let mut line = Line { decoder, t: None, each };
    let name = if is_stdin(&args.file) { "standard input".to_owned() } else { args.file.display().to_string() };
    let reading = || format!("reading {name} stopped halfway: check the disk or the cable behind it, then try again");

    // No board begins with this byte: its high bit is clear.
    if input.fill_buf().with_context(reading)?.first() == Some(&b'{') {
        let mut text = Vec::new();
        for number in 1.. {
            text.clear();
            if input.read_until(b'\n', &mut text).with_context(reading)? == 0 {
                break;
            }
            let text = text.trim_ascii();
            if !text.is_empty() {
                let entry = Entry::parse(text).with_context(|| {
                    format!("line {number} of {name} is damaged; take it out, or cut the file before it, and try again")
                })?;
                line.entry(&entry)?;
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
    line.fall_silent()
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

/// One line of a capture.
#[derive(Deserialize)]
struct Entry {
    t: u64,
    rx: Option<String>,
    tx: Option<String>,
    link: Option<Link>,
}

impl Entry {
    fn parse(text: &[u8]) -> anyhow::Result<Entry> {
        let entry: Entry =
            serde_json::from_slice(text).context(r#"it is no {"t": milliseconds, "rx": "hex digits"}"#)?;
        let something = entry.rx.is_some() || entry.tx.is_some() || entry.link.is_some();
        ensure!(something, r#"it has neither "rx" nor "tx""#);
        for hex in entry.rx.iter().chain(&entry.tx) {
            bytes(hex)?;
        }
        Ok(entry)
    }
}

fn bytes(hex: &str) -> anyhow::Result<Vec<u8>> {
    if let Some(wrong) = hex.chars().find(|digit| !digit.is_ascii_hexdigit()) {
        bail!("{wrong:?} is no hex digit");
    }
    ensure!(hex.len().is_multiple_of(2), "{} hex digits make no whole bytes", hex.len());
    let pair = |at: usize| u8::from_str_radix(&hex[at..at + 2], 16).context("two hex digits make a byte");
    (0..hex.len()).step_by(2).map(pair).collect()
}

/// The cable, heard entry by entry.
struct Line<F> {
    decoder: Decoder,
    /// When the last bytes came.
    t: Option<u64>,
    each: F,
}

impl<F: FnMut(Said<'_>) -> anyhow::Result<()>> Line<F> {
    fn entry(&mut self, entry: &Entry) -> anyhow::Result<()> {
        let t = entry.t;
        // A message does not go on after the cable was pulled.
        if entry.link.is_some() {
            self.fall_silent()?;
        }
        if let Some(hex) = &entry.tx {
            (self.each)(Said::Sent { t, hex })?;
        }
        if let Some(hex) = &entry.rx {
            if self.t.is_some_and(|last| t.saturating_sub(last) > FRAME_SILENCE_MS) {
                self.fall_silent()?;
            }
            self.t = Some(t);
            self.receive(&bytes(hex)?)?;
        }
        Ok(())
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
    waiting: Vec<u8>,
    messages: usize,
    bytes: usize,
    noise: usize,
    invalid: usize,
    differing: usize,
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
        self.noise == 0 && self.invalid == 0 && self.differing == 0
    }
}

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Check { messages, bytes, noise, invalid, differing, .. } = self;
        write!(f, "{messages} messages, {noise} bytes of noise, {invalid} invalid: ")?;
        match differing {
            0 => write!(f, "re-encoded to the same {bytes} bytes"),
            _ => write!(f, "{differing} of the messages re-encoded to other bytes"),
        }
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == ErrorKind::BrokenPipe)
}
