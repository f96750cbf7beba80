//! Keypads: one thread each, keys go in and requests of its player come out.
//!
//! A keypad is a keyboard to the machine. It is taken for us alone, so that what a player presses is typed nowhere else;
//! and a keypad that two players were given is neither's.

use std::{
    collections::BTreeMap,
    fs::File,
    io,
    os::unix::fs::OpenOptionsExt as _,
    sync::{Arc, Weak},
    thread,
    time::Duration,
};

use input_linux::{EvdevHandle, Event, KeyState};
use protocol::feed::Request;
use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    fs::OFlags,
    io::Errno,
};
use tokio::sync::mpsc;

use super::{keys::Keys, room::Player};

/// How long until a keypad is looked for again, and until a thread sees that nobody wants its keys any more.
const AGAIN: Duration = Duration::from_secs(1);

/// What a keypad reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pressed {
    /// Its player asks for something.
    Asked(Player, Request),
    /// How it is: what is in the way, or nothing.
    Stands(Player, Option<String>),
}

/// All keypads. Each is given back when this is dropped.
#[derive(Debug)]
pub struct Keypads {
    pads: BTreeMap<String, Pad>,
    pressed: mpsc::UnboundedSender<Pressed>,
}

/// Whose a keypad is, and that it is wanted.
#[derive(Debug)]
struct Pad {
    players: Vec<Player>,
    /// Its thread ends when this is gone.
    _wanted: Arc<()>,
}

impl Keypads {
    /// There are none yet. Reports come through the channel.
    pub fn new() -> (Keypads, mpsc::UnboundedReceiver<Pressed>) {
        let (pressed, reports) = mpsc::unbounded_channel();
        (Keypads { pads: BTreeMap::new(), pressed }, reports)
    }

    /// These keypads there are from here on, by their devices.
    pub fn keep(&mut self, wanted: Vec<(String, Player)>) {
        let mut owners = BTreeMap::<String, Vec<Player>>::new();
        wanted.into_iter().for_each(|(device, player)| owners.entry(device).or_default().push(player));
        self.pads.retain(|device, pad| owners.get(device) == Some(&pad.players));
        for (device, players) in owners {
            if !self.pads.contains_key(&device) {
                let wanted = Arc::new(());
                self.begin(&device, &players, &wanted);
                self.pads.insert(device, Pad { players, _wanted: wanted });
            }
        }
    }

    fn begin(&self, device: &str, players: &[Player], wanted: &Arc<()>) {
        let trouble = if let [player] = players {
            let (device, player, pressed) = (device.to_owned(), player.clone(), self.pressed.clone());
            let keypad = Keypad { device, player, pressed, wanted: Arc::downgrade(wanted) };
            match thread::Builder::new().name("keypad".to_owned()).spawn(|| keypad.work()) {
                Ok(_) => return,
                Err(error) => format!("no keypad is heard: {error}"),
            }
        } else {
            format!("the keypad {device} was given to two players: give each their own")
        };
        for player in players {
            // At the end nobody listens any more.
            let _ = self.pressed.send(Pressed::Stands(player.clone(), Some(trouble.clone())));
        }
    }
}

struct Keypad {
    device: String,
    player: Player,
    pressed: mpsc::UnboundedSender<Pressed>,
    /// It works as long as somebody wants its keys.
    wanted: Weak<()>,
}

impl Keypad {
    fn work(self) {
        let mut told = None;
        while self.is_wanted() {
            let heard = open(&self.device).and_then(|keys| {
                self.tell(None, &mut told);
                self.listen(&keys)
            });
            if let Err(error) = heard {
                self.tell(Some(format!("the keypad {} is not heard: {error}", self.device)), &mut told);
                thread::sleep(AGAIN);
            }
        }
    }

    /// Passes keys on until nobody wants them any more, or the keypad is gone.
    fn listen(&self, pad: &EvdevHandle<File>) -> io::Result<()> {
        let mut keys = Keys::default();
        let patience = Timespec::try_from(AGAIN).expect("a second fits");
        while self.is_wanted() {
            match poll(&mut [PollFd::new(pad, PollFlags::IN)], Some(&patience)) {
                Ok(0) | Err(Errno::INTR) => continue,
                waited => waited?,
            };
            if let Event::Key(event) = pad.read_event()?
                && event.value == KeyState::PRESSED
                && let Some(request) = keys.press(event.key)
            {
                let _ = self.pressed.send(Pressed::Asked(self.player.clone(), request));
            }
        }
        Ok(())
    }

    fn is_wanted(&self) -> bool {
        self.wanted.strong_count() > 0
    }

    fn tell(&self, trouble: Option<String>, told: &mut Option<Option<String>>) {
        if told.as_ref() != Some(&trouble) {
            let _ = self.pressed.send(Pressed::Stands(self.player.clone(), trouble.clone()));
            *told = Some(trouble);
        }
    }
}

/// Opens a keypad for us alone.
fn open(device: &str) -> io::Result<EvdevHandle<File>> {
    let flags = i32::try_from(OFlags::NONBLOCK.bits()).expect("a flag fits");
    let pad = EvdevHandle::new(File::options().read(true).custom_flags(flags).open(device)?);
    match pad.grab(true) {
        // What is no keyboard to the machine is typed nowhere else.
        Err(error) if error.raw_os_error() == Some(Errno::NOTTY.raw_os_error()) => {}
        grabbed => grabbed?,
    }
    Ok(pad)
}

#[cfg(test)]
mod tests {
    use std::{fs::OpenOptions, io::Write as _, path::Path};

    use protocol::feed::{Man, Side, TableId};
    use rustix::fs::{CWD, FileType, Mode, mknodat};

    use super::*;

    const KEY: u16 = 1;
    const KP_0: u16 = 82;
    const KP_2: u16 = 80;

    fn pipe(folder: &Path, name: &str) -> String {
        let path = folder.join(name);
        mknodat(CWD, &path, FileType::Fifo, Mode::from_raw_mode(0o600), 0).expect("a pipe");
        path.display().to_string()
    }

    fn player(side: Side) -> Player {
        Player { table: TableId { event: "open".to_owned(), round: 1, table: 1 }, side }
    }

    /// Byte for byte what the kernel gives for a key that goes down, repeats and comes up, each with its report.
    fn stroke(code: u16) -> Vec<u8> {
        let event = |kind: u16, code: u16, value: i32| {
            let time = [1_700_000_000_i64.to_ne_bytes(), 250_000_i64.to_ne_bytes()].concat();
            [time, kind.to_ne_bytes().into(), code.to_ne_bytes().into(), value.to_ne_bytes().into()].concat()
        };
        [1, 2, 0].into_iter().flat_map(|value| [event(KEY, code, value), event(0, 0, 0)].concat()).collect()
    }

    #[tokio::test]
    async fn each_players_keys_are_theirs_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let [white, black] = ["white", "black"].map(|name| pipe(folder.path(), name));
        let (mut keypads, mut reports) = Keypads::new();
        keypads.keep(vec![(white.clone(), player(Side::White)), (black.clone(), player(Side::Black))]);
        for _ in 0..2 {
            assert!(matches!(reports.recv().await, Some(Pressed::Stands(_, None))));
        }
        for (device, code, asked) in [
            (&black, KP_2, Pressed::Asked(player(Side::Black), Request::Men(Man::Knight))),
            (&white, KP_0, Pressed::Asked(player(Side::White), Request::LastMove)),
        ] {
            let mut keys = OpenOptions::new().write(true).open(device).expect("somebody reads it");
            keys.write_all(&stroke(code)).expect("it takes keys");
            assert_eq!(reports.recv().await, Some(asked), "once, however long the key is held");
            drop(keys);
            assert!(matches!(reports.recv().await, Some(Pressed::Stands(_, Some(_)))), "it was pulled");
        }
    }

    #[tokio::test]
    async fn a_keypad_of_two_players_is_neithers_and_one_that_is_not_there_is_named() {
        let folder = tempfile::tempdir().expect("a folder");
        let device = pipe(folder.path(), "pad");
        let (mut keypads, mut reports) = Keypads::new();
        keypads.keep(vec![(device.clone(), player(Side::White)), (device.clone(), player(Side::Black))]);
        for side in [Side::White, Side::Black] {
            let told = reports.recv().await;
            let Some(Pressed::Stands(whose, Some(trouble))) = told else { panic!("{told:?}") };
            assert!(whose == player(side) && trouble.contains("two players"), "{trouble}");
        }
        keypads.keep(vec![(device, player(Side::White)), ("/dev/input/none".to_owned(), player(Side::Black))]);
        let mut told = [reports.recv().await, reports.recv().await].map(|told| match told {
            Some(Pressed::Stands(whose, trouble)) => (whose.side, trouble),
            told => panic!("{told:?}"),
        });
        told.sort();
        assert_eq!(told[0], (Side::White, None));
        assert!(told[1].1.as_ref().is_some_and(|trouble| trouble.contains("/dev/input/none is not heard")), "{told:?}");
    }
}
