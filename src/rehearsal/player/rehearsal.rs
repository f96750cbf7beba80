//! What is rehearsed at one table, in one order of time.

use std::collections::VecDeque;

use protocol::board::{Contents, Face, Lie, WireSquare, dgt::PieceCode};
use shakmaty::{Board, CastlingMode, Chess, Color, KnownOutcome, Piece, Position, Square};

use super::{
    super::{
        cable::Cable,
        clock::{Clock, TimeControl},
        count::NoiseCount,
        deed::{Deed, Meaning, Timed},
        device::{Device, Input},
        dice::Dice,
        games::Game,
        hands::{self, Manner, Sitting, Swap},
        news::News,
        noise::{Noise, Profile},
        record::{Detour, Fault, IllegalPress, Ply, Record},
        script::Command,
        sensors::Sensors,
        trial::Trial,
        wire::Said,
    },
    fate::Fate,
};

/// From the moment a computer listens to the start of the first clock.
const SETTLING_MS: u64 = 1_000;
/// Between two typed commands, so that a whole script can be sent at once.
const COMMAND_PACE_MS: u64 = 250;
/// How often the sensors and the cable are asked whether they fail.
const MINUTE_MS: u64 = 60_000;

/// What is rehearsed.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// How hands and sensors behave.
    pub noise: Noise,
    /// What the clock is set to.
    pub control: TimeControl,
    /// Where chance begins: the same seed, the same bytes.
    pub seed: u64,
    /// How many times faster people think.
    pub speed: u32,
    /// How the board lies.
    pub lie: Lie,
    /// Whether a clock is plugged in.
    pub clock: bool,
    /// The serial number of the board.
    pub serial: u32,
    /// After an illegal move the hands wait for [`Command::Go`].
    pub wait_after_illegal: bool,
    /// After the last game comes the first one again, and each is announced when it begins and when it is over.
    pub endless: bool,
    /// What is tried beside the noise.
    pub trial: Trial,
}

impl Setting {
    /// What goes with a profile.
    pub fn of(profile: Profile) -> Setting {
        Setting {
            noise: profile.noise(),
            control: profile.time_control(),
            seed: 1,
            speed: 1,
            lie: Lie::Straight,
            clock: true,
            serial: 1_025,
            wait_after_illegal: false,
            endless: false,
            trial: Trial::default(),
        }
    }
}

/// What comes out of a rehearsal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Output {
    /// The board says something.
    Said(Said),
    /// The cable is out: what has not left the line is gone, and nothing is heard.
    LinkDown,
    /// It is back.
    LinkUp,
    /// A sentence for the person who types.
    Tell(String),
    /// Everything has been played, or somebody typed `quit`.
    Done,
}

/// A table with a board, a clock and two people.
///
/// Drive it in rounds: `hear` what a computer sends and `command` what a person types, with the time; or `advance` to
/// `deadline`; then drain the outputs. Times never go back. Nothing happens between deadlines, so a whole day can be run
/// as fast as the bytes can be taken. Games begin when a computer has switched on an update mode or polls on a bus.
#[derive(Debug)]
pub struct Rehearsal {
    pub(super) setting: Setting,
    pub(super) device: Device,
    pub(super) board: Board,
    pub(super) lie: Lie,
    pub(super) sensors: Sensors,
    pub(super) cable: Cable,
    pub(super) hands: Dice,
    /// Decides about trials, so that the everyday noise is the same with them and without.
    pub(super) chance: Dice,
    pub(super) fate: Fate,
    pub(super) swap: Option<Swap>,
    pub(super) dead: Vec<Square>,
    pub(super) faults: Vec<Fault>,
    pub(super) occurred: NoiseCount,
    pub(super) games: Vec<Game>,
    pub(super) next_game: usize,
    pub(super) plan: Plan,
    pub(super) by_hand: Plan,
    pub(super) typed: VecDeque<Command>,
    pub(super) free_at: u64,
    pub(super) fallen: Vec<(Square, Piece)>,
    pub(super) records: Vec<Record>,
    pub(super) link: Link,
    pub(super) minute_at: u64,
    pub(super) done: bool,
}

/// Deeds to come, and when their time began.
#[derive(Debug, Default)]
pub(super) struct Plan {
    pub(super) deeds: VecDeque<Timed>,
    pub(super) noise: VecDeque<(u64, NoiseCount)>,
    pub(super) epoch: u64,
    pub(super) waits: bool,
}

impl Plan {
    fn deadline(&self) -> Option<u64> {
        self.deeds.front().filter(|_| !self.waits).map(|timed| self.epoch + timed.at)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Link {
    Up,
    Down { until: u64 },
}

/// What is next in time. The order decides between things of one millisecond.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Due {
    Link,
    Plan,
    ByHand,
    Reading,
    Device,
    Minute,
    Typed,
}

impl Rehearsal {
    /// A table with these games to be played, or, with none, one that waits for commands.
    pub fn new(setting: Setting, games: Vec<Game>) -> Rehearsal {
        let start = games.first().map_or(Chess::default(), |game| game.start.clone());
        let mut chance = Dice::new(setting.seed, 2);
        let swap = games.first().and_then(|game| swap(game, &setting.trial, &mut chance));
        let board = games.first().map_or(start.board().clone(), |game| Sitting { game, swap }.board());
        let white = white_face(setting.lie);
        let clock = setting.clock.then(|| Clock::new(setting.control, face_of(start.turn(), white), 0));
        let mut records = Vec::new();
        if games.is_empty() {
            records.push(Record::new(vec![("Event".into(), "Rehearsal".into())], start, CastlingMode::Standard));
        }
        let trial = setting.trial;
        let mut rehearsal = Rehearsal {
            device: Device::new(setting.serial, &Contents::EMPTY, clock.clone()),
            board,
            lie: setting.lie,
            sensors: Sensors::new(
                setting.noise.sensors,
                Dice::new(setting.seed, 1),
                &trial.faults,
                Dice::new(setting.seed, 3),
            ),
            cable: Cable::new(trial.cable, Dice::new(setting.seed, 4)),
            hands: Dice::new(setting.seed, 0),
            chance,
            fate: Fate::default(),
            swap,
            dead: Vec::new(),
            faults: Vec::new(),
            occurred: NoiseCount::default(),
            games,
            next_game: 0,
            plan: Plan::default(),
            by_hand: Plan::default(),
            typed: VecDeque::new(),
            free_at: 0,
            fallen: Vec::new(),
            records,
            link: Link::Up,
            minute_at: MINUTE_MS,
            done: false,
            setting,
        };
        rehearsal.bury();
        rehearsal.device = Device::new(setting.serial, &Contents::of(&rehearsal.felt(), setting.lie), clock);
        rehearsal
    }

    /// A computer sends `bytes`.
    pub fn hear(&mut self, bytes: &[u8], now: u64, out: &mut Vec<Output>) {
        self.advance(now, out);
        if self.link != Link::Up {
            return;
        }
        self.tell_device(Input::Bytes(bytes), now, out);
        let waiting = !self.games.is_empty() && self.next_game == 0;
        if waiting && self.device.is_read() {
            self.play_next(now + SETTLING_MS);
        }
    }

    /// Somebody types `command`. It is done when the hand is free, in the order of typing.
    pub fn command(&mut self, command: Command, now: u64, out: &mut Vec<Output>) {
        self.advance(now, out);
        if command == Command::Go {
            // Not queued: the hands that wait for it may be what holds up the queue.
            self.go_on(now, out);
        } else {
            // A hand that has rested begins at this moment, not at the one it became free.
            if self.is_idle() {
                self.free_at = self.free_at.max(now);
            }
            self.typed.push_back(command);
        }
        self.advance(now, out);
    }

    /// Does everything that is due by `now`.
    pub fn advance(&mut self, now: u64, out: &mut Vec<Output>) {
        while let Some((at, due)) = self.next().filter(|(at, _)| *at <= now) {
            self.run(due, at, out);
        }
    }

    /// When something happens by itself.
    pub fn deadline(&self) -> Option<u64> {
        self.next().map(|(at, _)| at)
    }

    /// What was really played so far, game by game.
    pub fn records(&self) -> &[Record] {
        &self.records
    }

    /// What went wrong so far, by kind.
    pub fn noise(&self) -> NoiseCount {
        let parts = [&self.hands, &self.sensors.dice, self.sensors.own(), &self.cable.dice, &self.chance];
        parts.into_iter().fold(self.occurred.clone(), |sum, dice| sum.plus(&dice.count))
    }

    /// The men that really stand on the board, in the squares of the game.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// What is typed has all been done.
    pub fn is_idle(&self) -> bool {
        self.typed.is_empty() && self.by_hand.deeds.is_empty()
    }

    fn next(&self) -> Option<(u64, Due)> {
        if self.done {
            return None;
        }
        let link = match self.link {
            Link::Up => None,
            Link::Down { until } => Some(until),
        };
        let typed = (!self.typed.is_empty() && self.by_hand.deeds.is_empty()).then_some(self.free_at);
        let minute = self.is_playing().then_some(self.minute_at);
        [
            (link, Due::Link),
            (self.plan.deadline(), Due::Plan),
            (self.by_hand.deadline(), Due::ByHand),
            (self.sensors.deadline(), Due::Reading),
            (self.device.deadline(), Due::Device),
            (minute, Due::Minute),
            (typed, Due::Typed),
        ]
        .into_iter()
        .filter_map(|(at, due)| at.map(|at| (at, due)))
        .min()
    }

    fn is_playing(&self) -> bool {
        self.next_game > 0
    }

    fn run(&mut self, due: Due, now: u64, out: &mut Vec<Output>) {
        match due {
            Due::Link => {
                self.link = Link::Up;
                out.push(Output::LinkUp);
            }
            Due::Plan => {
                let timed = self.plan.deeds.pop_front().expect("the deadline is that of the first deed");
                while let Some((_, noise)) = self.plan.noise.pop_front_if(|(by, _)| *by <= timed.at) {
                    self.occurred = std::mem::take(&mut self.occurred).plus(&noise);
                }
                self.carry_out(timed.deed, now, out);
                if self.plan.deeds.is_empty() {
                    self.game_over(now, out);
                }
            }
            Due::ByHand => {
                let timed = self.by_hand.deeds.pop_front().expect("the deadline is that of the first deed");
                self.do_by_hand(timed.deed, now, out);
                self.free_at = now + COMMAND_PACE_MS;
            }
            Due::Reading => self.read_sensor(now, out),
            Due::Device => {
                let mut said = Vec::new();
                self.device.advance(now, &mut said);
                self.pass_on(said, out);
            }
            Due::Minute => {
                self.minute_at = now + MINUTE_MS;
                if let Some(for_ms) = self.sensors.minute(&self.board, now) {
                    self.lose_link(for_ms, now, out);
                }
            }
            Due::Typed => {
                let command = self.typed.pop_front().expect("the deadline is that of the first command");
                self.free_at = now + COMMAND_PACE_MS;
                self.obey(command, now, out);
            }
        }
    }

    fn play_next(&mut self, epoch: u64) {
        let manner = Manner {
            noise: self.setting.noise,
            control: self.setting.control,
            speed: self.setting.speed,
            wait_after_illegal: self.setting.wait_after_illegal,
            trial: self.setting.trial,
        };
        let here = Sitting { game: &self.games[self.next_game % self.games.len()], swap: self.swap.take() };
        let next = self.has_game(self.next_game + 1).then(|| &self.games[(self.next_game + 1) % self.games.len()]);
        self.swap = next.and_then(|next| swap(next, &manner.trial, &mut self.chance));
        let next = next.map(|game| Sitting { game, swap: self.swap });
        let played = hands::play(here, next, &manner, &mut self.hands);
        self.plan.deeds = played.deeds;
        self.plan.noise = played.noise;
        self.plan.epoch = epoch;
        if self.next_game == 0 {
            self.minute_at = epoch + MINUTE_MS;
        }
        self.next_game += 1;
    }

    /// A game of that number is played.
    fn has_game(&self, number: usize) -> bool {
        self.setting.endless || number < self.games.len()
    }

    /// The readings of the last deeds still have to come in before everything ends.
    fn game_over(&mut self, now: u64, out: &mut Vec<Output>) {
        if self.has_game(self.next_game) {
            return self.play_next(now + 1);
        }
        if let Link::Down { until } = self.link {
            // Nobody leaves before the cable is back: what happened meanwhile can still be seen on the board.
            let deed = Deed::StopClock;
            self.plan.deeds.push_back(Timed { at: until + SETTLING_MS - self.plan.epoch, deed });
            return;
        }
        let mut said = Vec::new();
        while let Some(reading) = self.sensors.next(&self.board, u64::MAX) {
            self.device.handle(self.sensed(reading), reading.at.max(now), &mut said);
        }
        self.pass_on(said, out);
        self.finish(out);
    }

    pub(super) fn finish(&mut self, out: &mut Vec<Output>) {
        self.done = true;
        out.push(Output::Done);
    }

    pub(super) fn carry_out(&mut self, deed: Deed, now: u64, out: &mut Vec<Output>) {
        match deed {
            Deed::Lift(square) => {
                self.board.discard_piece_at(square);
                self.sensors.changed(square, &self.board, now);
            }
            Deed::Place(square, man) => {
                self.board.set_piece_at(square, man);
                self.sensors.changed(square, &self.board, now);
            }
            Deed::Press(color) => {
                self.hear_press();
                self.tell_device(Input::Press(self.face(color)), now, out);
            }
            Deed::StartClock => self.run_clock(true, now, out),
            Deed::StopClock => self.run_clock(false, now, out),
            Deed::SetClock(turn) => self.set_clock(turn, now),
            Deed::Await => {
                self.plan.waits = true;
                out.push(Output::Tell("an illegal move was completed: the hands wait for go".to_owned()));
            }
            Deed::Meant(meaning) => self.note(meaning, now, out),
        }
    }

    fn go_on(&mut self, now: u64, out: &mut Vec<Output>) {
        if !self.plan.waits {
            return out.push(Output::Tell("nobody waits: go is for hands that wait after an illegal move".to_owned()));
        }
        self.plan.waits = false;
        let waited_since = self.plan.deeds.front().map_or(now, |timed| self.plan.epoch + timed.at);
        self.plan.epoch += now.saturating_sub(waited_since);
    }

    fn run_clock(&mut self, runs: bool, now: u64, out: &mut Vec<Output>) {
        let clock = self.records.last_mut().filter(|_| self.setting.clock);
        clock.into_iter().for_each(|record| record.clock.push((now, runs)));
        self.tell_device(if runs { Input::StartClock } else { Input::StopClock }, now, out);
    }

    fn note(&mut self, meaning: Meaning, now: u64, out: &mut Vec<Output>) {
        let game = &self.games[self.next_game.saturating_sub(1) % self.games.len()];
        let plies = game.moves.len();
        if meaning == Meaning::Begun {
            self.records.push(Record::new(game.tags.clone(), game.start.clone(), game.castling));
        }
        let record = self.records.last_mut().expect("a game has begun");
        match meaning {
            Meaning::Begun => self.draw_fate(plies),
            Meaning::Landed(ply) => *landed(record, game, ply) = Some(now),
            Meaning::Pressed(ply) => *pressed(record, game, ply) = Some(now),
            Meaning::Illegal(ply, offence) => record.offences.push(IllegalPress { ply, offence, at: now }),
            Meaning::Signalled(outcome) => record.signalled = Some(outcome),
            Meaning::Ended => {
                record.outcome = game.outcome;
                record.ended = Some(now);
            }
            Meaning::Tried(mv) => record.tried.push(Ply { mv, landed: Some(now), pressed: None }),
            Meaning::Strayed(ply) => record.detours.push(Detour { ply, moves: Vec::new(), over: None }),
            Meaning::Detour(mv) => record.detours.last_mut().into_iter().for_each(|detour| detour.moves.push(mv)),
            Meaning::TakenBack => record.detours.last_mut().into_iter().for_each(|detour| detour.over = Some(now)),
            Meaning::Swapped(color) => record.swapped = Some(color),
            Meaning::Given => record.given = Some(now),
            Meaning::Ready => record.ready = Some(now),
        }
        if self.setting.endless {
            out.extend(self.announcement(meaning).map(Output::Tell));
        }
        match meaning {
            Meaning::Begun => self.meet_fate(0, now, out),
            Meaning::Pressed(ply) => self.meet_fate(ply + 1, now, out),
            Meaning::Landed(_)
            | Meaning::Illegal(..)
            | Meaning::Signalled(_)
            | Meaning::Ended
            | Meaning::Tried(_)
            | Meaning::Strayed(_)
            | Meaning::Detour(_)
            | Meaning::TakenBack
            | Meaning::Swapped(_)
            | Meaning::Given
            | Meaning::Ready => {}
        }
    }

    /// What the people at the table say aloud. [`News`] reads it.
    fn announcement(&self, meaning: Meaning) -> Option<String> {
        let number = self.records.len();
        let result = self.records.last()?.outcome.map_or("*", KnownOutcome::as_str);
        match meaning {
            Meaning::Begun => Some(News::Begun { number }.to_string()),
            Meaning::Ended => Some(News::Over { number, result: result.to_owned() }.to_string()),
            Meaning::Landed(_)
            | Meaning::Pressed(_)
            | Meaning::Illegal(..)
            | Meaning::Signalled(_)
            | Meaning::Tried(_)
            | Meaning::Strayed(_)
            | Meaning::Detour(_)
            | Meaning::TakenBack
            | Meaning::Swapped(_)
            | Meaning::Given
            | Meaning::Ready => None,
        }
    }

    /// The men as the squares read them: a dead square reads nobody.
    fn felt(&self) -> Board {
        let mut board = self.board.clone();
        self.dead.iter().for_each(|square| board.discard_piece_at(*square));
        board
    }

    fn read_sensor(&mut self, now: u64, out: &mut Vec<Output>) {
        while let Some(reading) = self.sensors.next(&self.board, now) {
            let input = self.sensed(reading);
            self.tell_device(input, now, out);
        }
    }

    fn sensed(&self, reading: super::super::sensors::Reading) -> Input<'static> {
        let square = WireSquare::under(reading.square, self.lie);
        let code = if self.dead.contains(&reading.square) { PieceCode::EMPTY } else { reading.code };
        Input::Sensed { square, code, copies: reading.copies }
    }

    pub(super) fn tell_device(&mut self, input: Input<'_>, now: u64, out: &mut Vec<Output>) {
        let mut said = Vec::new();
        self.device.handle(input, now, &mut said);
        self.pass_on(said, out);
    }

    fn pass_on(&mut self, said: Vec<Said>, out: &mut Vec<Output>) {
        if self.link == Link::Up {
            let cable = &mut self.cable;
            out.extend(said.into_iter().filter_map(|said| cable.carry(said)).map(Output::Said));
        }
    }

    pub(super) fn lose_link(&mut self, for_ms: u64, now: u64, out: &mut Vec<Output>) {
        if self.link == Link::Up {
            out.push(Output::LinkDown);
        }
        self.link = Link::Down { until: now + for_ms };
    }

    pub(super) fn set_clock(&mut self, turn: Color, now: u64) {
        if self.setting.clock {
            let clock = Clock::new(self.setting.control, self.face(turn), now);
            self.device.plug_clock(clock);
        }
    }

    pub(super) fn face(&self, color: Color) -> Face {
        face_of(color, white_face(self.lie))
    }
}

fn white_face(lie: Lie) -> Face {
    match lie {
        Lie::Straight => Face::Left,
        Lie::Turned => Face::Right,
    }
}

fn face_of(color: Color, white: Face) -> Face {
    if color.is_white() { white } else { white.other() }
}

fn ply<'a>(record: &'a mut Record, game: &Game, ply: usize) -> &'a mut Ply {
    while record.plies.len() <= ply {
        let mv = game.moves[record.plies.len()];
        record.plies.push(Ply { mv, landed: None, pressed: None });
    }
    &mut record.plies[ply]
}

fn landed<'a>(record: &'a mut Record, game: &Game, number: usize) -> &'a mut Option<u64> {
    &mut ply(record, game, number).landed
}

fn pressed<'a>(record: &'a mut Record, game: &Game, number: usize) -> &'a mut Option<u64> {
    &mut ply(record, game, number).pressed
}

/// Whose king and queen stand wrong, where that is tried.
fn swap(game: &Game, trial: &Trial, chance: &mut Dice) -> Option<Swap> {
    let until = trial.edges.swapped_until_move;
    if until > 0 { Swap::choose(game, until, chance) } else { None }
}
