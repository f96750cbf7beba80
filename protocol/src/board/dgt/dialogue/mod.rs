//! The dialogue with one board: how it is met, how it is kept, and how its loss is noticed.
//!
//! Knows no port and no clock. A driver writes what it is given, hands in what it reads, and comes back in time.

mod ask;
mod exchange;

use std::collections::VecDeque;

use super::{Decoder, FRAME_SILENCE_MS, Heard, Message};
use crate::board::{Contents, Link, Observation, WireSquare};
use ask::{Ask, INTRODUCTION};

pub use exchange::{Identity, Input, Output, Wake};

/// Before the first word: a board that was just plugged in, or is still finishing what another program asked for,
/// needs a third of a second; drivers in the field wait 0.3 to 0.5 s.
const SETTLE_MS: u64 = 300;

/// Silence after which a board is asked whether it is still there. A board nobody touches says nothing by itself.
const KEEP_ALIVE_MS: u64 = 3_000;

/// A ticking clock keeps a board talking, so the position is compared this often even without silence; and a board whose
/// number was not understood when it was met is asked for it again this often, however silent it is.
const VERIFY_MS: u64 = 30_000;

/// A bad cable makes noise all the time; each noise is a reason for a dump, but a dump takes 70 ms of the line.
const OFTEST_DUMP_MS: u64 = 1_000;

/// A board reports nothing while it sends a dump, and that takes 70 ms: where a square has just changed the rest of what was
/// going on may come later than it happened.
const HELD_UP_MS: u64 = 150;

/// Where no board has answered, it is asked again after this long: soon enough for someone who just switched it on.
const REST_MS: u64 = 3_000;

/// A whole event store is 7939 bytes, 8.3 s of the line. No answer can come before its end.
const STORE_MS: u64 = 9_000;

/// One board in single-board mode, from the opened port to the lost cable.
///
/// Make one for each opened port. Drive it in rounds: `handle` one input, act on everything in `out` in its order,
/// then wait until the `deadline` or the next input; at the deadline hand in [`Input::Time`]. Times never go
/// backwards. After [`Input::Gone`] it is over.
///
/// Never more than one command is under way: each waits for the answer of the one before.
/// Squares are reported only between [`Link::Up`] and [`Link::Down`], and a whole board comes before the first one.
#[derive(Clone, Debug)]
pub struct Dialogue {
    decoder: Decoder,
    stage: Stage,
    plan: VecDeque<Ask>,
    awaited: Option<Awaited>,
    identity: Identity,
    /// A serial number that was said once. No message has a sum over itself, so one answer may be misread.
    doubted: Option<String>,
    up: bool,
    updates: Updates,
    known: Option<Contents>,
    /// Someone asked for the whole board and is to get it even if nothing has changed.
    wanted: bool,
    /// Nobody has answered, and it has been said.
    missing: bool,
    byte_at: u64,
    message_at: u64,
    dump_at: u64,
    square_at: u64,
    /// When it was asked who it is and what stands on it, whatever was said meanwhile.
    verified_at: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// Opened, not yet spoken to.
    Settling { until: u64 },
    /// In conversation.
    Talking,
    /// Nobody answered.
    Resting { until: u64 },
    /// The port is gone.
    Over,
}

/// Whether the board reports squares by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Updates {
    Off,
    /// Switched on, but what happened just before may be missing.
    Ordered,
    /// A whole board has come since: from here on a dump differs from `known` only if something was lost.
    On,
}

#[derive(Clone, Copy, Debug)]
struct Awaited {
    ask: Ask,
    since: u64,
    tries: u8,
}

impl Dialogue {
    /// A port has just been opened.
    pub fn new(now: u64) -> Dialogue {
        Dialogue {
            decoder: Decoder::single(),
            stage: Stage::Settling { until: now + SETTLE_MS },
            plan: VecDeque::new(),
            awaited: None,
            identity: Identity::default(),
            doubted: None,
            up: false,
            updates: Updates::Off,
            known: None,
            wanted: false,
            missing: false,
            byte_at: now,
            message_at: now,
            dump_at: now,
            square_at: 0,
            verified_at: now,
        }
    }

    /// Takes one input and says what follows from it. A deadline that has passed is seen to first.
    pub fn handle(&mut self, input: Input<'_>, now: u64, out: &mut Vec<Output>) {
        if self.stage == Stage::Over {
            return;
        }
        self.run_due(now, out);
        match input {
            Input::Bytes(bytes) => self.hear(bytes, now, out),
            Input::Time => {}
            Input::AskBoard => self.want_board(),
            Input::Gone => return self.leave(out),
        }
        self.proceed(now, out);
    }

    /// When to come back at the latest, and why.
    pub fn deadline(&self) -> Option<(u64, Wake)> {
        let line = (self.decoder.is_partial() || self.decoder.has_noise())
            .then_some((self.byte_at + FRAME_SILENCE_MS, Wake::LineSilent));
        let next = match (self.stage, self.awaited) {
            (Stage::Over, _) => return None,
            (Stage::Settling { until }, _) => (until, Wake::Settled),
            (Stage::Resting { until }, _) => (until, Wake::AskAgain),
            (Stage::Talking, Some(Awaited { ask, since, .. })) if ask.has_answer() => {
                (self.unless_busy(since + ask.patience()), Wake::AnswerOverdue)
            }
            (Stage::Talking, Some(Awaited { ask, since, .. })) => (since + ask.patience(), Wake::PauseOver),
            (Stage::Talking, None) => {
                let keep_alive = (self.unless_busy(self.message_at + KEEP_ALIVE_MS), Wake::KeepAlive);
                keep_alive.min((self.unless_busy(self.verified_at + VERIFY_MS), Wake::Verify))
            }
        };
        [Some(next), line].into_iter().flatten().min()
    }

    /// Whether squares are being reported.
    pub fn is_up(&self) -> bool {
        self.up
    }

    /// While a known board sends a long message it can't answer. A line of pure noise looks like one for ever, so
    /// there is an end to it, and strangers get no such patience.
    fn unless_busy(&self, due: u64) -> u64 {
        if self.up && self.decoder.is_partial() {
            (self.byte_at + FRAME_SILENCE_MS).clamp(due, due + STORE_MS)
        } else {
            due
        }
    }

    fn run_due(&mut self, now: u64, out: &mut Vec<Output>) {
        while let Some((_, wake)) = self.deadline().filter(|(at, _)| *at <= now) {
            match wake {
                Wake::LineSilent => {
                    self.decoder.silence();
                    self.drain(now, out);
                }
                Wake::Settled | Wake::AskAgain => self.begin(),
                Wake::PauseOver => self.awaited = None,
                Wake::AnswerOverdue => self.overdue(now, out),
                Wake::KeepAlive => self.check(now),
                Wake::Verify => {
                    self.verified_at = now;
                    self.plan_once(Ask::ShortSerial);
                    self.plan_once(Ask::Board);
                }
            }
            self.proceed(now, out);
        }
    }

    fn hear(&mut self, bytes: &[u8], now: u64, out: &mut Vec<Output>) {
        // What an earlier program asked for, or half of it, waits in many an adapter: no trouble of today.
        if matches!(self.stage, Stage::Settling { .. }) || bytes.is_empty() {
            return;
        }
        self.byte_at = now;
        self.decoder.push(bytes);
        self.drain(now, out);
    }

    fn drain(&mut self, now: u64, out: &mut Vec<Output>) {
        while let Some(heard) = self.decoder.next_heard() {
            match &heard {
                Heard::Message(message) => self.understand(message, now, out),
                Heard::Invalid { .. } | Heard::Noise { .. } => self.distrust(now),
            }
            out.push(Output::Heard(heard));
        }
    }

    fn understand(&mut self, message: &Message, now: u64, out: &mut Vec<Output>) {
        self.message_at = now;
        if let Stage::Resting { .. } = self.stage {
            self.begin();
        }
        self.note_identity(message, out);
        if self.up {
            self.observe(message, now, out);
        }
        if let Some(Awaited { ask, .. }) = self.awaited
            && ask.is_answered_by(message)
        {
            self.awaited = None;
            self.finished(ask, now, out);
        }
    }

    fn note_identity(&mut self, message: &Message, out: &mut Vec<Output>) {
        match message {
            // On old boards a version follows the five digits.
            Message::ShortSerial(text) => {
                text.split_whitespace().next().into_iter().for_each(|it| self.note_serial(it, out))
            }
            Message::LongSerial(text) => self.identity.long_serial = Some(text.trim().to_owned()),
            Message::Version { major, minor } => self.identity.version = Some((*major, *minor)),
            Message::BoardDump(_)
            | Message::Draughts(..)
            | Message::Clock(_)
            | Message::FieldUpdate { .. }
            | Message::Store(_)
            | Message::BusAddress(_)
            | Message::Trademark(_)
            | Message::HardwareVersion { .. }
            | Message::Battery(_)
            | Message::Bus(_)
            | Message::Unknown { .. } => {}
        }
    }

    /// A board is who it says it is twice in a row.
    fn note_serial(&mut self, serial: &str, out: &mut Vec<Output>) {
        if self.identity.short_serial.as_deref() == Some(serial) {
            self.doubted = None;
        } else if self.doubted.as_deref() != Some(serial) {
            self.doubted = Some(serial.to_owned());
            self.plan.push_front(Ask::ShortSerial);
        } else if self.up {
            // Another board was put behind the same adapter, or it could not be understood before.
            self.lose(out);
        } else {
            self.identity.short_serial = self.doubted.take();
        }
    }

    fn observe(&mut self, message: &Message, now: u64, out: &mut Vec<Output>) {
        if let Message::Store(_) = message {
            // Sent unasked when a command byte was damaged on its way: 49 is one bit from 4b, so the updates
            // may never have been switched on.
            self.plan_once(Ask::UpdateNice);
            self.plan_once(Ask::Board);
        }
        for observation in message.observe() {
            match (&observation, &mut self.known) {
                (Observation::Board(contents), _) => {
                    if !self.compare(**contents, now, out) {
                        continue;
                    }
                }
                (Observation::Square { square, content }, Some(known)) => {
                    known.set(*square, *content);
                    self.square_at = now;
                }
                (Observation::Square { .. }, None) => continue,
                (Observation::Clock(_) | Observation::Link(_), _) => {}
            }
            out.push(Output::Observed(observation));
        }
    }

    /// Takes over a whole board; says whether anybody is to be told.
    fn compare(&mut self, contents: Contents, now: u64, out: &mut Vec<Output>) -> bool {
        self.dump_at = now;
        let asked_for = std::mem::take(&mut self.wanted);
        let Some(known) = self.known.replace(contents) else { return true };
        let differing = WireSquare::all().filter(|at| known.get(*at) != contents.get(*at)).collect::<Vec<_>>();
        if self.updates != Updates::On {
            return true;
        }
        if differing.is_empty() {
            return asked_for || now < self.square_at + HELD_UP_MS;
        }
        // Either an update was lost, or the board has restarted and sends none any more.
        self.plan_once(Ask::UpdateNice);
        self.plan_once(Ask::Board);
        out.push(Output::Corrected(differing));
        true
    }

    /// Something on the line was damaged: what the updates said may be incomplete.
    fn distrust(&mut self, now: u64) {
        if self.updates == Updates::On && now >= self.dump_at + OFTEST_DUMP_MS {
            self.dump_at = now;
            self.plan_once(Ask::Board);
        }
    }

    fn want_board(&mut self) {
        self.wanted = true;
        if self.up {
            self.plan_once(Ask::Board);
        }
    }

    fn check(&mut self, now: u64) {
        self.message_at = now;
        if self.identity.short_serial.is_some() {
            self.plan_once(Ask::ShortSerial);
        }
        // A board that lost power for a moment answers, but reports nothing until it is told to again.
        self.plan_once(Ask::UpdateNice);
        self.plan_once(Ask::Board);
    }

    fn plan_once(&mut self, ask: Ask) {
        if !self.plan.contains(&ask) {
            self.plan.push_back(ask);
        }
    }

    /// Starts from the beginning, knowing nothing about who is there.
    fn begin(&mut self) {
        self.stage = Stage::Talking;
        self.identity = Identity::default();
        self.doubted = None;
        self.known = None;
        self.updates = Updates::Off;
        self.awaited = None;
        self.plan = INTRODUCTION.into();
    }

    /// Sends the next command if nothing is under way.
    fn proceed(&mut self, now: u64, out: &mut Vec<Output>) {
        if self.stage == Stage::Talking
            && self.awaited.is_none()
            && let Some(ask) = self.plan.pop_front()
        {
            self.send(ask, 1, now, out);
        }
    }

    fn send(&mut self, ask: Ask, tries: u8, now: u64, out: &mut Vec<Output>) {
        self.awaited = Some(Awaited { ask, since: now, tries });
        if ask == Ask::UpdateNice && self.updates == Updates::Off {
            self.updates = Updates::Ordered;
        }
        out.push(Output::Send(ask.command().encode()));
    }

    fn overdue(&mut self, now: u64, out: &mut Vec<Output>) {
        let Some(Awaited { ask, tries, .. }) = self.awaited.take() else { return };
        if tries < ask.tries() {
            return self.send(ask, tries + 1, now, out);
        }
        match ask {
            Ask::Version => self.rest(now, out),
            Ask::Board => self.lose(out),
            Ask::ShortSerial if self.up && self.identity.short_serial.is_some() => self.lose(out),
            // A board is welcome without a serial number and without a clock.
            Ask::ShortSerial | Ask::LongSerial | Ask::Clock | Ask::Reset | Ask::UpdateNice => {
                self.finished(ask, now, out);
            }
        }
    }

    fn finished(&mut self, ask: Ask, now: u64, out: &mut Vec<Output>) {
        if ask == Ask::Board && self.updates == Updates::Ordered {
            self.updates = Updates::On;
        }
        if ask == Ask::LongSerial && !self.up {
            self.up = true;
            self.missing = false;
            self.verified_at = now;
            out.push(Output::Identity(self.identity.clone()));
            out.push(Output::Observed(Observation::Link(Link::Up)));
        }
    }

    fn rest(&mut self, now: u64, out: &mut Vec<Output>) {
        self.plan.clear();
        self.stage = Stage::Resting { until: now + REST_MS };
        if !std::mem::replace(&mut self.missing, true) {
            out.push(Output::NoBoard);
        }
    }

    fn lose(&mut self, out: &mut Vec<Output>) {
        self.down(out);
        self.begin();
    }

    fn leave(&mut self, out: &mut Vec<Output>) {
        self.down(out);
        self.stage = Stage::Over;
    }

    fn down(&mut self, out: &mut Vec<Output>) {
        if std::mem::take(&mut self.up) {
            out.push(Output::Observed(Observation::Link(Link::Down)));
        }
    }
}
