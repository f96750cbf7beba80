//! One board with its hands, its cable and, while the daemon has it open, its port.

use std::{collections::VecDeque, io, sync::Arc};

use protocol::board::dgt::{Dialogue, Heard, Input, Output};

use super::{chance::Chance, plan::Harm};
use crate::{
    rehearsal::{self, Game, Rehearsal, Said, Setting, script::Command},
    sensors::{Budget, News, PORT_BYTES, PortError, What},
};

/// Between two pieces of a babble.
const BABBLE_MS: u64 = 10;
/// A port is found again within this.
const FOUND_MS: (u64, u64) = (50, 1_200);
/// How often it is seen whether a port that was too loud is quiet.
const QUIET_LOOK_MS: u64 = 500;
/// A piece that was cut off a message comes so much later at most.
const CUT_MS: u64 = 15;
/// Of so many bytes on a bad line one is harmed.
const HARMED: u64 = 40;

pub(super) struct Station {
    pub(super) port: Arc<str>,
    pub(super) serial: String,
    pub(super) rehearsal: Rehearsal,
    /// How many bytes the port may say in a second.
    pub(super) limit: u32,
    /// Said and not read yet.
    wire: VecDeque<Said>,
    talk: Option<Talk>,
    /// When the port is opened, by a daemon that is there.
    opens_at: u64,
    /// The cable is out.
    out_until: u64,
    harm: Option<(Harm, u64)>,
    babble: Option<(usize, u64, u64)>,
    /// Since when nothing goes wrong here.
    pub(super) steady_since: u64,
    pub(super) is_done: bool,
    chance: Chance,
}

/// A port that is open.
struct Talk {
    dialogue: Dialogue,
    budget: Budget,
    /// Nothing is listened to until this; then it is looked again.
    look_at: Option<u64>,
}

/// What is next in time. The order decides between things of one millisecond.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Due {
    Opened,
    Babble,
    Bytes,
    Hands,
    Dialogue,
    Look,
}

impl Station {
    pub(super) fn new(number: usize, setting: Setting, games: Vec<Game>) -> Station {
        Station {
            port: format!("/dev/board-{number}").into(),
            serial: format!("{:05}", setting.serial),
            limit: PORT_BYTES,
            chance: Chance::new(setting.seed, 77),
            rehearsal: Rehearsal::new(setting, games),
            wire: VecDeque::new(),
            talk: None,
            opens_at: 0,
            out_until: 0,
            harm: None,
            babble: None,
            steady_since: 0,
            is_done: false,
        }
    }

    /// What is next; of the port only where a daemon has it.
    pub(super) fn next(&self, is_up: bool) -> Option<(u64, Due)> {
        let talk = self.talk.as_ref();
        let dialogue = talk.filter(|talk| talk.look_at.is_none()).and_then(|talk| talk.dialogue.deadline());
        [
            (is_up && talk.is_none()).then_some((self.opens_at.max(self.out_until), Due::Opened)),
            self.babble.map(|(_, at, _)| (at, Due::Babble)),
            self.wire.front().map(|said| (said.at, Due::Bytes)),
            self.rehearsal.deadline().map(|at| (at, Due::Hands)),
            dialogue.map(|(at, _)| (at, Due::Dialogue)),
            talk.and_then(|talk| talk.look_at).map(|at| (at, Due::Look)),
        ]
        .into_iter()
        .flatten()
        .min()
    }

    pub(super) fn run(&mut self, due: Due, now: u64, out: &mut Vec<What>) {
        match due {
            Due::Opened => {
                self.talk = Some(Talk { dialogue: Dialogue::new(now), budget: Budget::full(now), look_at: None });
                self.steady_since = self.steady_since.max(now);
                out.push(What::Opened { low_latency: true });
            }
            Due::Babble => self.babble(now, out),
            Due::Bytes => {
                let Some(said) = self.wire.pop_front() else { return };
                let bytes = self.carry(said.bytes, now);
                self.read(&bytes, now, out);
            }
            Due::Hands => {
                let mut done = Vec::new();
                self.rehearsal.advance(now, &mut done);
                self.follow(done, now, out);
            }
            Due::Dialogue => self.converse(Input::Time, now, out),
            Due::Look => self.read(&[], now, out),
        }
    }

    /// Somebody wants to see the whole board.
    pub(super) fn ask(&mut self, now: u64, out: &mut Vec<What>) {
        self.converse(Input::AskBoard, now, out);
    }

    /// The daemon is gone, and its ports with it.
    pub(super) fn leave(&mut self, back_at: u64) {
        self.talk = None;
        self.opens_at = back_at + self.chance.between(FOUND_MS.0, FOUND_MS.1);
        self.steady_since = self.steady_since.max(self.opens_at);
    }

    pub(super) fn unplug(&mut self, ms: u64, now: u64, out: &mut Vec<What>) {
        self.wire.clear();
        self.out_until = self.out_until.max(now + ms);
        self.opens_at = self.out_until + self.chance.between(FOUND_MS.0, FOUND_MS.1);
        self.steady_since = self.steady_since.max(self.opens_at);
        if self.talk.is_some() {
            self.converse(Input::Gone, now, out);
            self.talk = None;
            let (port, cause) = (self.port.to_string(), io::Error::other("unplugged"));
            out.push(What::Lost(PortError::Gone { port, cause }));
        }
    }

    pub(super) fn reboot(&mut self, now: u64, out: &mut Vec<What>) {
        let mut done = Vec::new();
        self.rehearsal.command(Command::Reboot, now, &mut done);
        self.steady_since = self.steady_since.max(now);
        self.follow(done, now, out);
    }

    pub(super) fn harm(&mut self, harm: Harm, until: u64) {
        self.harm = Some((harm, until));
        self.steady_since = self.steady_since.max(until);
    }

    pub(super) fn begin_to_babble(&mut self, bytes: usize, now: u64, until: u64) {
        self.babble = Some((bytes, now, until));
        self.steady_since = self.steady_since.max(until);
    }

    /// It is listened to, and says no more than it may.
    pub(super) fn is_heard(&self) -> bool {
        self.talk.as_ref().is_some_and(|talk| talk.look_at.is_none())
    }

    /// A loose contact: squares that change as fast as the line can say it, and nonsense in between.
    fn babble(&mut self, now: u64, out: &mut Vec<What>) {
        let Some((bytes, _, until)) = self.babble else { return };
        self.babble = (now < until).then_some((bytes, now + BABBLE_MS, until));
        let mut said = Vec::new();
        while said.len() < bytes {
            if self.chance.percent(20) {
                said.push(self.chance.byte());
            } else {
                let [square, man] = [64, 13].map(|limit| self.chance.byte() % limit);
                said.extend([0x8e, 0x00, 0x05, square, man]);
            }
        }
        self.read(&said, now, out);
    }

    /// What a line makes of bytes.
    fn carry(&mut self, mut bytes: Vec<u8>, now: u64) -> Vec<u8> {
        let Some((harm, _)) = self.harm.filter(|(_, until)| now < *until) else { return bytes };
        if harm == Harm::Cuts && bytes.len() > 1 {
            let later = bytes.split_off(1 + self.chance.place(bytes.len() - 1));
            self.wire.push_front(Said { at: now + self.chance.below(CUT_MS), bytes: later });
            return bytes;
        }
        let mut come = Vec::new();
        for byte in bytes {
            let is_harmed = self.chance.below(HARMED) == 0;
            match harm {
                Harm::Loses if is_harmed => {}
                Harm::Doubles if is_harmed => come.extend([byte, byte]),
                Harm::Flips if is_harmed => come.push(byte ^ (1 << self.chance.below(8))),
                Harm::Loses | Harm::Doubles | Harm::Flips | Harm::Cuts => come.push(byte),
            }
        }
        come
    }

    /// As the task of a port does.
    fn read(&mut self, bytes: &[u8], now: u64, out: &mut Vec<What>) {
        if now < self.out_until {
            return;
        }
        let Some(talk) = &mut self.talk else { return };
        match talk.budget.spend(bytes.len(), self.limit, now) {
            Some(News::TooLoud) => {
                talk.look_at = Some(now + QUIET_LOOK_MS);
                self.converse(Input::Gone, now, out);
                out.push(What::TooLoud);
            }
            Some(News::Quiet) => {
                (talk.dialogue, talk.look_at) = (Dialogue::new(now), None);
                self.steady_since = self.steady_since.max(now);
                out.push(What::QuietAgain);
            }
            None if talk.look_at.is_some() => talk.look_at = Some(now + QUIET_LOOK_MS),
            None => self.converse(Input::Bytes(bytes), now, out),
        }
    }

    fn converse(&mut self, input: Input<'_>, now: u64, out: &mut Vec<What>) {
        let Some(talk) = &mut self.talk else { return };
        let mut said = Vec::new();
        talk.dialogue.handle(input, now, &mut said);
        for output in said {
            match output {
                Output::Send(bytes) => {
                    let mut done = Vec::new();
                    self.rehearsal.hear(&bytes, now, &mut done);
                    self.follow(done, now, out);
                }
                Output::Identity(identity) => out.push(What::Board(identity)),
                Output::Observed(observation) => out.push(What::Observed(observation)),
                Output::Corrected(squares) => out.push(What::Corrected(squares)),
                Output::NoBoard => out.push(What::NoBoard),
                Output::Heard(Heard::Noise { skipped }) => out.push(What::Noise(skipped)),
                Output::Heard(Heard::Invalid { flaw, .. }) => out.push(What::Invalid(flaw)),
                Output::Heard(Heard::Message(_)) => {}
            }
        }
    }

    fn follow(&mut self, done: Vec<rehearsal::Output>, now: u64, out: &mut Vec<What>) {
        for output in done {
            match output {
                rehearsal::Output::Said(said) => self.wire.push_back(said),
                // It is back when the rehearsal says so.
                rehearsal::Output::LinkDown => self.unplug(u64::from(u32::MAX), now, out),
                rehearsal::Output::LinkUp => {
                    self.out_until = now;
                    self.opens_at = now + self.chance.between(FOUND_MS.0, FOUND_MS.1);
                    self.steady_since = self.steady_since.max(self.opens_at);
                }
                rehearsal::Output::Tell(_) => {}
                rehearsal::Output::Done => self.is_done = true,
            }
        }
    }
}
