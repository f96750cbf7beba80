//! `escaque capture`.

use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::bail;
use protocol::board::Link;
use protocol::board::dgt::{Decoder, Heard};

use super::recording::Recording;
use crate::sensors::capture::{Entry, Item};
use crate::sensors::{Monotonic, Patterns, PortError, Sensed, Settings, Watch, What};

/// Record every byte of a board, with its time, in both directions
///
/// The board is met, asked who it is and told to report, and everything that goes over the cable is written to a
/// file, one JSON object a line. Pulled plugs and restarts are survived. Ctrl-C ends the recording.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  escaque capture /dev/ttyUSB0 -o game.jsonl        record a board until Ctrl-C
  escaque capture /dev/ttyACM0 -o -                 write to standard output
  escaque capture /dev/ttyUSB0 -o quiet.jsonl --listen-only
                                                    send nothing, record what comes by itself

Not sure which port? `escaque doctor` lists them and says which board is behind each.")]
pub(super) struct Args {
    /// The port of the board, such as /dev/ttyUSB0; a link to it will do
    port: String,

    /// Where to write; - is standard output
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,

    /// Send nothing to the board, only record what it says by itself
    #[arg(long)]
    listen_only: bool,

    /// Write over FILE if it exists
    #[arg(long)]
    force: bool,
}

pub(super) fn run(args: Args) -> anyhow::Result<ExitCode> {
    if args.port.contains(['*', '?']) {
        bail!(
            "a capture is the record of one port: name it, as in `escaque capture /dev/ttyUSB0 -o {}`",
            args.output.display()
        );
    }
    let patterns = Patterns::of([&args.port])?;
    let output = Recording::create(&args.output, args.force)?;
    match super::terminal::block_on(record(patterns, output, &args)) {
        // Whoever read has seen enough.
        Err(error) if super::terminal::is_broken_pipe(&error) => Ok(super::exit::OK.into()),
        outcome => outcome,
    }
}

async fn record(patterns: Patterns, output: Recording, args: &Args) -> anyhow::Result<ExitCode> {
    let mut stop = std::pin::pin!(super::terminal::asked_to_stop()?);
    let clock = Monotonic::start();
    let settings = Settings { tap: true, listen_only: args.listen_only, limit: None };
    let (watch, mut sensed) = Watch::start(patterns, settings, clock);
    let mut recorder = Recorder::new(output);
    loop {
        tokio::select! {
            () = &mut stop => break,
            next = sensed.recv() => match next {
                Some(next) => recorder.take(next)?,
                None => break,
            },
        }
    }
    // What was read before the signal is written, whoever asked to stop.
    drop(watch);
    while let Some(next) = sensed.recv().await {
        recorder.take(next)?;
    }
    recorder.finish();
    Ok(super::exit::OK.into())
}

/// The file, and what is said about it meanwhile.
struct Recorder {
    output: Recording,
    decoder: Decoder,
    opened: bool,
    board: Option<String>,
    tally: Tally,
    said: String,
    said_at: u64,
    live: bool,
}

#[derive(Default)]
struct Tally {
    received: usize,
    sent: usize,
    messages: usize,
    noise: usize,
    invalid: usize,
}

/// How often the status line is drawn: readable, and nothing compared with a write a message.
const DRAW_MS: u64 = 250;

impl Recorder {
    fn new(output: Recording) -> Recorder {
        Recorder {
            output,
            decoder: Decoder::single(),
            opened: false,
            board: None,
            tally: Tally::default(),
            said: String::new(),
            said_at: 0,
            live: io::stderr().is_terminal(),
        }
    }

    fn take(&mut self, Sensed { port, at, what }: Sensed) -> anyhow::Result<()> {
        match what {
            What::Received(bytes) => {
                self.tally.received += bytes.len();
                self.decoder.push(&bytes);
                self.count();
                self.keep(at, Item::Rx(bytes))?;
            }
            What::Sent(bytes) => {
                self.tally.sent += bytes.len();
                self.keep(at, Item::Tx(bytes))?;
            }
            What::Opened { .. } => {
                self.opened = true;
                self.keep(at, Item::Link(Link::Up))?;
                self.say(&format!("recording {port}"));
            }
            What::Lost(error) => {
                self.decoder.silence();
                self.count();
                self.keep(at, Item::Link(Link::Down))?;
                self.say(&format!("{error}: {}", error.hint()));
            }
            What::Refused(error) => self.refused(error)?,
            What::Awaited => self.say(&format!("{port} is not there yet: plug the board in, it is found by itself")),
            What::NoBoard => {
                self.say(&format!(
                    "{port} does not answer as a board would; it is asked again, and everything is recorded"
                ));
            }
            What::Board(identity) => {
                let serial = identity.serial().unwrap_or("without a serial number").to_owned();
                let version =
                    identity.version.map_or(String::new(), |(major, minor)| format!(", version {major}.{minor}"));
                self.say(&format!("board {serial}{version}"));
                self.board = Some(serial);
            }
            // Only where there is a limit, and a recording has none.
            What::TooLoud | What::QuietAgain => {}
            // The bytes they were read from are in the file.
            What::Observed(_) | What::Corrected(_) | What::Noise(_) | What::Invalid(_) => {}
        }
        self.draw(at);
        Ok(())
    }

    /// Trouble before the first byte is an answer for whoever waits at the terminal; later it passes.
    fn refused(&mut self, error: PortError) -> anyhow::Result<()> {
        if !self.opened {
            let hint = if let PortError::Busy { .. } = error {
                "close the other program, then start the recording again"
            } else {
                error.hint()
            };
            bail!("{error}: {hint}");
        }
        self.say(&format!("{error}: {}", error.hint()));
        Ok(())
    }

    fn count(&mut self) {
        while let Some(heard) = self.decoder.next_heard() {
            match heard {
                Heard::Message(_) => self.tally.messages += 1,
                Heard::Invalid { .. } => self.tally.invalid += 1,
                Heard::Noise { skipped } => self.tally.noise += skipped,
            }
        }
    }

    fn keep(&mut self, t: u64, item: Item) -> anyhow::Result<()> {
        self.output.keep(&Entry { t, item })
    }

    fn say(&mut self, text: &str) {
        self.wipe();
        eprintln!("{text}");
    }

    fn draw(&mut self, at: u64) {
        if self.live && at >= self.said_at + DRAW_MS {
            self.wipe();
            self.said_at = at;
            self.said = self.status();
            eprint!("{}", self.said);
        }
    }

    fn wipe(&mut self) {
        if !self.said.is_empty() {
            eprint!("\r{}\r", " ".repeat(self.said.len()));
            self.said.clear();
        }
    }

    fn status(&self) -> String {
        let Tally { received, sent, messages, noise, invalid } = &self.tally;
        let board = self.board.as_deref().unwrap_or("unknown");
        format!(
            "board {board}: {received} bytes in, {sent} out, {messages} messages, {invalid} impossible, {noise} bytes of noise"
        )
    }

    fn finish(mut self) {
        self.decoder.silence();
        self.count();
        let status = self.status();
        let ending =
            if self.opened { format!("written to {}", self.output) } else { "nothing was recorded".to_owned() };
        self.say(&format!("{status}; {ending}"));
    }
}
