//! The electronics of a wired DGT board: squares, modes, answers.

use protocol::board::{
    Contents, Face, Lie, WireSquare,
    dgt::{
        BusAddress, BusBody, BusCommand, BusMessage, BusVerb, ClockMessage, Codes, Command, CommandReader, HalfBoard,
        Message, Order, PieceCode, StoreEvent, StoreMark,
    },
};
use shakmaty::Board;

use super::{
    clock::Clock,
    store::EventRing,
    wire::{Said, Wire},
};

/// In update mode the clock is reported this often, changed or not.
const CLOCK_REPORT_MS: u64 = 1_000;
/// Events closer than this carry the "quick" bit in the store.
const QUICK_MS: u64 = 250;
/// Writing the start mark and every man into the memory takes this long.
const SET_START_MS: u64 = 70;
/// A ping to all boards is answered at some moment within this.
const PING_SPREAD_MS: u64 = 1_100;
const VERSION: (u8, u8) = (3, 1);
const HARDWARE: (u8, u8) = (1, 0);
const TEXT: &str = "Escaque virtual board\r\n";

/// A board on its own: what computers and hands do goes in, bytes with their times come out.
///
/// Drive it in rounds: `handle` one input, or `advance` to a deadline that has come; drain `out`. Times never go back.
#[derive(Clone, Debug)]
pub struct Device {
    serial: u32,
    mode: Mode,
    squares: [PieceCode; 64],
    store: EventRing,
    last_event: u64,
    clock: Option<Clock>,
    reported: Option<ClockMessage>,
    report_at: u64,
    reader: CommandReader,
    line: Wire,
    ping: Ping,
    polled: bool,
}

/// Something that happens to the board.
#[derive(Clone, Copy, Debug)]
pub enum Input<'a> {
    /// A computer sends bytes.
    Bytes(&'a [u8]),
    /// A square reads something else.
    Sensed {
        /// Which.
        square: WireSquare,
        /// What stands there.
        code: PieceCode,
        /// How often the line carries the update: once, as a rule.
        copies: usize,
    },
    /// The player at this face of the clock presses.
    Press(Face),
    /// The arbiter lets the clock run.
    StartClock,
    /// The arbiter pauses the clock.
    StopClock,
    /// A bad line: these bytes, whatever they are.
    Raw(&'a [u8]),
    /// The power comes back: idle, silent, in bus mode.
    PowerUp,
}

/// What the board reports unasked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Nothing; it listens for its address.
    Bus,
    /// Nothing.
    Idle,
    /// Squares, and the clock at least once a second.
    Update,
    /// Squares.
    UpdateBoard,
    /// Squares, and the clock when it changes.
    UpdateNice,
}

impl Mode {
    /// Squares are reported as they change.
    pub fn is_update(self) -> bool {
        matches!(self, Mode::Update | Mode::UpdateBoard | Mode::UpdateNice)
    }

    fn hears_clock(self) -> bool {
        matches!(self, Mode::Update | Mode::UpdateNice)
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct Ping {
    /// Answer the ping to all at this moment.
    at: Option<u64>,
    ignore_next: bool,
    heard: u64,
}

impl Device {
    /// A board that has just been switched on with `contents` on it.
    pub fn new(serial: u32, contents: &Contents, clock: Option<Clock>) -> Device {
        let mut device = Device {
            serial,
            mode: Mode::Bus,
            squares: Codes::of(contents).0,
            store: EventRing::default(),
            last_event: 0,
            clock,
            reported: None,
            report_at: 0,
            reader: CommandReader::default(),
            line: Wire::default(),
            ping: Ping::default(),
            polled: false,
        };
        device.power_up();
        device
    }

    /// Takes one input. What is due before it is said first.
    pub fn handle(&mut self, input: Input<'_>, now: u64, out: &mut Vec<Said>) {
        self.advance(now, out);
        match input {
            Input::Bytes(bytes) => {
                for byte in bytes {
                    if let Some(order) = self.reader.push(*byte) {
                        self.obey(order, now, out);
                    }
                }
            }
            Input::Sensed { square, code, copies } => self.sense(square, code, copies, now, out),
            Input::Press(face) => self.press(face, now),
            Input::StartClock => self.clock.iter_mut().for_each(|clock| clock.start(now)),
            Input::StopClock => self.clock.iter_mut().for_each(|clock| clock.stop(now)),
            Input::Raw(bytes) => out.push(self.line.send(bytes.to_vec(), now)),
            Input::PowerUp => self.power_up(),
        }
        self.report_clock(now, out);
    }

    /// Says what is due by `now`.
    pub fn advance(&mut self, now: u64, out: &mut Vec<Said>) {
        while let Some(due) = self.deadline().filter(|due| *due <= now) {
            self.clock.iter_mut().for_each(|clock| clock.advance(due));
            if self.ping.at.is_some_and(|at| at <= due) {
                self.ping.at = None;
                self.say_on_bus(BusBody::Ping, due, out);
            }
            self.report_clock(due, out);
        }
    }

    /// When the board has something to say by itself.
    pub fn deadline(&self) -> Option<u64> {
        let tick = self.clock.as_ref().and_then(Clock::deadline);
        let report = (self.mode == Mode::Update).then_some(self.report_at);
        [tick, report, self.ping.at].into_iter().flatten().min()
    }

    /// What it reports unasked at present.
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// A computer wants to know what happens: it has switched an update mode on, or asked for changes on a bus.
    pub fn is_read(&self) -> bool {
        self.mode.is_update() || self.polled
    }

    /// Puts another clock into the socket, or this one set anew.
    pub fn plug_clock(&mut self, clock: Clock) {
        self.clock = Some(clock);
    }

    /// The clock in the socket, to break it.
    pub(super) fn clock_mut(&mut self) -> Option<&mut Clock> {
        self.clock.as_mut()
    }

    /// The clock in the socket.
    pub fn clock(&self) -> Option<&Clock> {
        self.clock.as_ref()
    }

    fn power_up(&mut self) {
        self.mode = Mode::Bus;
        self.reader = CommandReader::default();
        self.ping = Ping::default();
        let quiet = StoreEvent::Mark(StoreMark::Nothing(true));
        let men = self.men().collect::<Vec<_>>();
        let begun = [quiet, quiet, quiet, StoreEvent::Mark(StoreMark::PowerUp)];
        begun.into_iter().chain(men).for_each(|event| self.store.push(event));
    }

    fn men(&self) -> impl Iterator<Item = StoreEvent> + '_ {
        let men = WireSquare::all().zip(self.squares).filter(|(_, code)| *code != PieceCode::EMPTY);
        men.map(|(square, code)| StoreEvent::Piece { square, code, quick: false })
    }

    fn sense(&mut self, square: WireSquare, code: PieceCode, copies: usize, now: u64, out: &mut Vec<Said>) {
        if self.squares[square.index()] == code {
            return;
        }
        self.squares[square.index()] = code;
        let quick = now - self.last_event.min(now) < QUICK_MS;
        self.last_event = now;
        self.store.push(StoreEvent::Piece { square, code, quick });
        if let Some(mark) = self.mark() {
            self.store.push(StoreEvent::Mark(mark));
        }
        if self.mode.is_update() {
            for _ in 0..copies {
                self.say(&Message::FieldUpdate { square, code }, now, out);
            }
        }
    }

    /// What the store notes when the board as a whole looks like this.
    fn mark(&self) -> Option<StoreMark> {
        let men = self.squares.map(|code| code != PieceCode::EMPTY);
        if men.iter().all(|man| !man) {
            return Some(StoreMark::Empty);
        }
        let full_rows = men[..16].iter().chain(&men[48..]).all(|man| *man);
        if !full_rows || men[16..48].iter().any(|man| *man) {
            return None;
        }
        let initial = |lie| Codes::of(&Contents::of(&Board::new(), lie)).0 == self.squares;
        Some(match () {
            () if initial(Lie::Straight) => StoreMark::Initial,
            () if initial(Lie::Turned) => StoreMark::InitialTurned,
            () => StoreMark::FourRows,
        })
    }

    fn press(&mut self, face: Face, now: u64) {
        let Some(clock) = &mut self.clock else { return };
        if clock.press(face, now) {
            let stopped = clock.shown(face, now);
            let time = [stopped.hours, stopped.minutes, stopped.seconds];
            self.store.push(StoreEvent::Clock { face, time });
        }
    }

    fn report_clock(&mut self, now: u64, out: &mut Vec<Said>) {
        if !self.mode.hears_clock() {
            return;
        }
        let message = self.clock_message(now);
        let is_due = self.mode == Mode::Update && now >= self.report_at;
        if is_due || self.reported != Some(message) {
            self.reported = Some(message);
            self.report_at = now + CLOCK_REPORT_MS;
            self.say(&Message::Clock(message), now, out);
        }
    }

    fn clock_message(&self, now: u64) -> ClockMessage {
        /// Only the bit that says so.
        const ABSENT: [u8; 7] = [0, 0, 0, 0, 0, 0, 0x20];
        self.clock.as_ref().map_or(ClockMessage::Absent(ABSENT), |clock| clock.message(now))
    }

    fn obey(&mut self, order: Order, now: u64, out: &mut Vec<Said>) {
        match order {
            Order::Single(command) => {
                if self.mode == Mode::Bus {
                    self.mode = Mode::Idle;
                }
                self.obey_single(&command, now, out);
            }
            // The command that brings a board back to the bus is itself lost.
            Order::Bus(_) if self.mode != Mode::Bus => self.mode = Mode::Bus,
            Order::Bus(command) => self.obey_bus(command, now, out),
            Order::Unknown(_) => {}
        }
    }

    fn obey_single(&mut self, command: &Command, now: u64, out: &mut Vec<Said>) {
        let answer = match command {
            Command::Reset => return self.switch(Mode::Idle, now),
            Command::Update => return self.switch(Mode::Update, now),
            Command::UpdateBoard => return self.switch(Mode::UpdateBoard, now),
            Command::UpdateNice => return self.switch(Mode::UpdateNice, now),
            Command::ToBus => return self.switch(Mode::Bus, now),
            Command::SendClock => Message::Clock(self.clock_message(now)),
            Command::SendBoard => Message::BoardDump(Codes(self.squares)),
            Command::ShortSerial => Message::ShortSerial(format!("{:05}", self.serial)),
            Command::LongSerial => Message::LongSerial(format!("{:010}", self.serial)),
            Command::BusAddress => Message::BusAddress(self.address().get()),
            Command::Trademark => Message::Trademark(TEXT.to_owned()),
            Command::Version => Message::Version { major: VERSION.0, minor: VERSION.1 },
            Command::HardwareVersion => Message::HardwareVersion { major: HARDWARE.0, minor: HARDWARE.1 },
            Command::DumpStore => Message::Store(self.store.dump()),
            Command::Draughts(half) => Message::Draughts(*half, self.half_board(*half)),
            Command::Clock(command) if self.clock.is_some() && self.mode.hears_clock() => {
                Message::Clock(Clock::answer(command))
            }
            // A wired board has no battery and no lamps.
            Command::Clock(_) | Command::Battery | Command::Lamps(_) => return,
        };
        self.say(&answer, now, out);
    }

    /// Switching a mode on says nothing about the present state.
    fn switch(&mut self, mode: Mode, now: u64) {
        self.mode = mode;
        self.reported = Some(self.clock_message(now));
        self.report_at = now + CLOCK_REPORT_MS;
    }

    fn obey_bus(&mut self, BusCommand { verb, to }: BusCommand, now: u64, out: &mut Vec<Said>) {
        let for_all = to == BusAddress::ALL;
        if !for_all && to != self.address() {
            return;
        }
        match verb {
            BusVerb::Ping if for_all => self.ping_all(now),
            BusVerb::Reset => self.power_up(),
            BusVerb::End => self.mode = Mode::Idle,
            // Nothing else may be sent to all: every board would answer at once.
            _ if for_all => {}
            BusVerb::Ping => self.say_on_bus(BusBody::Ping, now, out),
            BusVerb::IgnoreNextPing => {
                self.ping.ignore_next = true;
                self.say_on_bus(BusBody::Ping, now, out);
            }
            BusVerb::SendClock => self.say_on_bus(BusBody::Clock(self.clock_message(now)), now, out),
            BusVerb::SendBoard => self.say_on_bus(BusBody::Board(Codes(self.squares)), now, out),
            BusVerb::SendChanges => {
                self.polled = true;
                let changes = self.store.changes();
                self.say_on_bus(BusBody::Changes(changes), now, out);
            }
            BusVerb::RepeatChanges => self.say_on_bus(BusBody::Changes(self.store.last_changes()), now, out),
            BusVerb::SetStart => {
                let men: Vec<_> = self.men().collect();
                self.store.start(men.into_iter());
                self.say_on_bus(BusBody::StartSet, now + SET_START_MS, out);
            }
            BusVerb::SendFromStart => self.say_on_bus(BusBody::FromStart(self.store.since_start()), now, out),
            BusVerb::Version => self.say_on_bus(BusBody::Version(Some(VERSION)), now, out),
            BusVerb::Draughts => {
                self.say_on_bus(BusBody::Draughts(self.half_board(HalfBoard::Black)), now, out);
            }
            BusVerb::SendAll => {
                let changes = self.store.changes();
                self.say_on_bus(BusBody::Changes(changes), now, out);
                self.say_on_bus(BusBody::Clock(self.clock_message(now)), now, out);
                self.say_on_bus(BusBody::Board(Codes(self.squares)), now, out);
            }
            BusVerb::SeedPing => {}
        }
    }

    fn ping_all(&mut self, now: u64) {
        if std::mem::take(&mut self.ping.ignore_next) {
            return;
        }
        // Another moment for every board and every ping, and the same ones in every run.
        self.ping.heard += 1;
        let moment = (u64::from(self.serial) * 31 + self.ping.heard) * 389 % PING_SPREAD_MS;
        self.ping.at = Some(now + moment);
    }

    /// The squares of one colour, row by row. A message of this kind has room for the fifty of a draughts board.
    fn half_board(&self, half: HalfBoard) -> Vec<u8> {
        const DRAUGHTS_SQUARES: usize = 50;
        let wanted = half == HalfBoard::Black;
        let is_black = |square: WireSquare| (square.index() / 8 + square.index() % 8) % 2 == 1;
        let mut codes: Vec<u8> = WireSquare::all()
            .filter(|square| is_black(*square) == wanted)
            .map(|square| self.squares[square.index()].byte())
            .collect();
        codes.resize(DRAUGHTS_SQUARES, 0);
        codes
    }

    /// The serial number where it fits the 14 bits; a long one is cut, and never becomes the address of everybody.
    fn address(&self) -> BusAddress {
        let cut = u16::try_from(self.serial % (1 << 14)).expect("14 bits fit 16");
        BusAddress::new(cut.max(1)).expect("14 bits are an address")
    }

    fn say(&mut self, message: &Message, now: u64, out: &mut Vec<Said>) {
        out.push(self.line.send(message.encode(), now));
    }

    fn say_on_bus(&mut self, body: BusBody, now: u64, out: &mut Vec<Said>) {
        let message = Message::Bus(BusMessage { address: self.address(), body });
        self.say(&message, now, out);
    }
}
