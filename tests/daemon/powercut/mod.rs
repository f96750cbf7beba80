//! The power goes while games are played: what was shown as final, and what was answered as done, is on the disk.
//!
//! The state folder is on an ext4 of its own, in a file. A cut is the file system's own: from one moment to the next
//! nothing reaches the device, and what waited in memory is gone. A disk that lies about its syncs loses, so the rig
//! can tell.

mod machine;

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    thread::{JoinHandle, sleep, spawn},
};

use protocol::feed::TableId;
use serde_json::json;

use crate::{
    dice::{Dice, dial},
    ledger::Ledger,
    support::Daemon,
};
use machine::{Machine, Sync};

/// The table that is moved by order, as fast as orders are answered; the others have boards.
const TABLE: u16 = 9;

/// It is cut within this after the start.
const WITHIN_MS: u64 = 1_200;

/// So many cuts a machine; then a new one with empty files.
const A_MACHINE: u64 = 25;

const MOVES: [&str; 20] = [
    "e4", "e5", "Nf3", "Nc6", "Bc4", "Bc5", "c3", "Nf6", "d3", "d6", "Nbd2", "a6", "Bb3", "Ba7", "h3", "h6", "Nf1",
    "Be6", "Ng3", "Qd7",
];

#[test]
#[ignore = "needs root and loop devices, and takes half an hour; `make powercut` runs it"]
fn nothing_acknowledged_is_lost_when_the_power_goes() {
    let (cuts, mut dice) = (dial("CUTS", 500), Dice::new(dial("SEED", 1)));
    let (mut acknowledged, mut left) = (0, cuts);
    while left > 0 {
        let now = left.min(A_MACHINE);
        acknowledged += cut_again_and_again(now, &mut dice);
        left -= now;
    }
    println!("{cuts} cuts, {acknowledged} moves shown or answered: 0 lost");
    let lost = (0..dial("CONTROLS", 10)).filter(|_| cut_of_a_liar(&mut dice)).count();
    println!("control, a disk that lies about its syncs: {lost} of {} cuts lost something", dial("CONTROLS", 10));
    assert!(lost > 0, "a rig that never loses proves nothing");
}

/// Gives how many moves were acknowledged.
fn cut_again_and_again(cuts: u64, dice: &mut Dice) -> usize {
    let mut machine = Machine::build(Sync::Honest);
    let mut ledger = Ledger::default();
    for cut in 0..cuts {
        let daemon = machine.start();
        let missing = ledger.missing(&daemon, &daemon.snapshot());
        assert_eq!(missing, [""; 0], "after cut {cut}\n{}", daemon.log());
        play_until_the_cut(&mut machine, daemon, &mut ledger, dice);
    }
    let daemon = machine.start();
    let wrong = ledger.missing_or_doubled(&daemon, &daemon.snapshot());
    assert_eq!(wrong, [""; 0], "{}", daemon.log());
    daemon.kill();
    ledger.finals()
}

/// Whether something is lost, or there is no start at all.
fn cut_of_a_liar(dice: &mut Dice) -> bool {
    let mut machine = Machine::build(Sync::Lies);
    let mut ledger = Ledger::default();
    let daemon = machine.start();
    play_until_the_cut(&mut machine, daemon, &mut ledger, dice);
    machine.try_start().is_none_or(|daemon| !ledger.missing(&daemon, &daemon.snapshot()).is_empty())
}

/// What was shown or answered before the cut began has to be there. What comes in the blink of the cut itself is not
/// claimed: a file system that is being shut down may still call a sync done whose data it no longer takes.
fn play_until_the_cut(machine: &mut Machine, daemon: Daemon, ledger: &mut Ledger, dice: &mut Dice) {
    let screen = daemon.follow();
    let orders = Orders::begin(&daemon);
    sleep(dice.within_ms(WITHIN_MS));
    let (shown, answered) = (screen.shown(), orders.answered());
    machine.cut();
    daemon.kill();
    orders.end();
    screen.last();
    ledger.note(shown);
    let table = TableId { event: "open".to_owned(), round: 1, table: TABLE };
    // A screen may not have been told yet of what was answered.
    if let Some((_, shown)) = ledger.lines.range_mut((table.clone(), 0)..=(table, u32::MAX)).next_back()
        && answered.starts_with(shown)
    {
        *shown = answered;
    }
    machine.come_back();
}

/// Games at one table, a move at a time, as fast as they are answered.
struct Orders {
    is_on: Arc<AtomicBool>,
    /// Of the last game.
    answered: Arc<Mutex<Vec<String>>>,
    thread: JoinHandle<()>,
}

impl Orders {
    fn begin(daemon: &Daemon) -> Orders {
        let (address, token) = (daemon.address.clone(), daemon.token.clone());
        let (is_on, answered) = (Arc::new(AtomicBool::new(true)), Arc::new(Mutex::new(Vec::new())));
        let (goes_on, done) = (Arc::clone(&is_on), Arc::clone(&answered));
        let table = format!("open/1/{TABLE}");
        let give = move |order| {
            goes_on.load(Ordering::Relaxed)
                && Daemon::order_at(&address, &token, &order).is_ok_and(|(status, _)| status == 200)
        };
        let thread = spawn(move || {
            while give(json!({ "command": "new_game", "table": table })) {
                done.lock().expect("nobody panics").clear();
                for san in MOVES {
                    if !give(json!({ "command": "insert", "table": table, "moves": [san] })) {
                        return;
                    }
                    done.lock().expect("nobody panics").push(san.to_owned());
                }
            }
        });
        Orders { is_on, answered, thread }
    }

    fn answered(&self) -> Vec<String> {
        self.answered.lock().expect("nobody panics").clone()
    }

    fn end(self) {
        self.is_on.store(false, Ordering::Relaxed);
        self.thread.join().expect("orders do not panic");
    }
}
