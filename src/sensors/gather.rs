//! Gathers the facts for a check-up: opens each port, listens, and looks around in `/proc`, `/sys` and `/etc`.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::process::{getegid, geteuid, getgroups};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use super::checkup::{Access, Facts, Machine, PortFacts, State, UsbId, User};
use super::holder::{Holder, holders};
use super::sensed::{Monotonic, What};
use super::watch::{Settings, Watch};
use super::{Patterns, PortError};

/// A dialogue calls a device no board after 3.4 s. Who takes longer than this hangs in the system.
const LONGEST: Duration = Duration::from_secs(8);

/// A program begins within this, on a machine that has much to do.
const STARTS_WITHIN: Duration = Duration::from_millis(200);

/// Ids seen on boards and on adapters in front of them.
const ADAPTERS: [UsbId; 5] = [
    UsbId { vendor: 0x0403, product: 0x6001 },
    UsbId { vendor: 0x04d8, product: 0x000a },
    UsbId { vendor: 0x045b, product: 0x8111 },
    UsbId { vendor: 0x10c4, product: 0xea60 },
    UsbId { vendor: 0x1a86, product: 0x7523 },
];

/// Everything about these ports, all examined at the same time, and about the machine.
pub async fn gather(ports: Vec<String>) -> Facts {
    let mut examinations = JoinSet::new();
    for (place, port) in ports.into_iter().enumerate() {
        examinations.spawn(async move { (place, examine(port).await) });
    }
    let mut ports = examinations.join_all().await;
    ports.sort_by_key(|(place, _)| *place);
    Facts { user: user(), ports: ports.into_iter().map(|(_, port)| port).collect(), machine: machine() }
}

async fn examine(name: String) -> PortFacts {
    let device = Path::new(&name).canonicalize().unwrap_or_else(|_| PathBuf::from(&name));
    let state = timeout(LONGEST, listen(&name)).await;
    let state = state.unwrap_or_else(|_| State::Unusable("it does not answer the system".to_owned()));
    let node = device.file_name().map(|node| Path::new("/sys/class/tty").join(node).join("device"));
    let latency_file = node.as_ref().map(|node| node.join("latency_timer")).filter(|file| file.exists());
    PortFacts {
        access: access(&device),
        holders: lasting_holders(&device).await,
        latency_ms: latency_file.as_ref().and_then(|file| fs::read_to_string(file).ok()?.trim().parse().ok()),
        latency_file,
        usb: node.and_then(|node| usb(&node)),
        state,
        name,
    }
}

/// Who has it open for more than a moment: a program that starts another one leaves it a copy of all that is open until it
/// begins.
async fn lasting_holders(device: &Path) -> Vec<Holder> {
    let mut lasting = holders(device);
    if !lasting.is_empty() {
        sleep(STARTS_WITHIN).await;
        let still = holders(device);
        lasting.retain(|holder| still.contains(holder));
    }
    lasting
}

async fn listen(name: &str) -> State {
    let Ok(patterns) = Patterns::of([name]) else { return State::Absent };
    let settings = Settings { tap: true, ..Settings::default() };
    let (_watch, mut sensed) = Watch::start(patterns, settings, Monotonic::start());
    let mut bytes = 0;
    while let Some(sensed) = sensed.recv().await {
        match sensed.what {
            What::Received(received) => bytes += received.len(),
            What::Awaited => return State::Absent,
            What::Refused(error) | What::Lost(error) => return refused(error),
            What::NoBoard if bytes > 0 => return State::Garbage { bytes },
            What::NoBoard => return State::Silent,
            What::Board(identity) => {
                let version = identity.version.map(|(major, minor)| format!("{major}.{minor}"));
                return State::Board { serial: identity.serial().map(str::to_owned), version };
            }
            What::Opened { .. }
            | What::Sent(_)
            | What::Observed(_)
            | What::Corrected(_)
            | What::Noise(_)
            | What::TooLoud
            | What::QuietAgain
            | What::Invalid(_) => {}
        }
    }
    State::Silent
}

fn refused(error: PortError) -> State {
    match error {
        PortError::Absent { .. } | PortError::Left { .. } => State::Absent,
        PortError::Denied { .. } => State::Denied,
        PortError::Busy { .. } => State::Busy,
        PortError::NotSerial { .. } => State::NotSerial,
        PortError::Gone { cause, .. } | PortError::Unusable { cause, .. } => State::Unusable(cause.to_string()),
    }
}

fn access(device: &Path) -> Option<Access> {
    let data = device.metadata().ok()?;
    let group = name_of("/etc/group", data.gid());
    Some(Access { group, mode: data.mode() & 0o777 })
}

fn user() -> User {
    let uid = geteuid();
    let name = name_of("/etc/passwd", uid.as_raw());
    let mut gids = getgroups().unwrap_or_default();
    gids.push(getegid());
    let groups = gids.into_iter().map(|gid| name_of("/etc/group", gid.as_raw())).collect();
    let lines = fs::read_to_string("/etc/group").unwrap_or_default();
    let is_member =
        |line: &&str| line.rsplit(':').next().is_some_and(|members| members.split(',').any(|member| member == name));
    let enrolled =
        lines.lines().filter(is_member).filter_map(|line| line.split(':').next()).map(str::to_owned).collect();
    User { root: uid.is_root(), groups, enrolled, name }
}

/// The name that a number has in a file of users or groups, or the number.
fn name_of(file: &str, number: u32) -> String {
    let text = fs::read_to_string(file).unwrap_or_default();
    let wanted = number.to_string();
    let line = text
        .lines()
        .map(|line| line.split(':').collect::<Vec<_>>())
        .find(|parts| parts.get(2) == Some(&wanted.as_str()));
    line.map_or(wanted.clone(), |parts| parts[0].to_owned())
}

fn machine() -> Machine {
    Machine {
        modem_manager: runs("ModemManager"),
        rules_installed: RULE_FOLDERS.iter().any(|folder| Path::new(folder).join("70-escaque.rules").exists()),
        brltty_rules: brltty_rules(),
        orphans: orphans(),
    }
}

/// In the order of precedence: a file in the first hides one of the same name in the second.
const RULE_FOLDERS: [&str; 3] = ["/etc/udev/rules.d", "/usr/lib/udev/rules.d", "/lib/udev/rules.d"];

fn runs(name: &str) -> bool {
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    processes.filter_map(|process| fs::read_to_string(process.path().join("comm")).ok()).any(|comm| comm.trim() == name)
}

fn brltty_rules() -> Option<(PathBuf, Vec<UsbId>)> {
    for folder in RULE_FOLDERS {
        let mut files = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
        if let Some(file) = files.find(|path| path.to_string_lossy().ends_with("-brltty.rules")) {
            let text = fs::read_to_string(&file).unwrap_or_default();
            let claims = |id: &UsbId| {
                let product = format!("\"{:x}/{:x}/", id.vendor, id.product);
                text.lines().any(|line| !line.trim_start().starts_with('#') && line.contains(&product))
            };
            let ids = ADAPTERS.into_iter().filter(claims).collect();
            return Some((file, ids));
        }
    }
    None
}

/// The USB device of a tty: the nearest folder upwards that knows its ids.
fn usb(node: &Path) -> Option<UsbId> {
    let node = node.canonicalize().ok()?;
    node.ancestors().find_map(usb_id)
}

fn usb_id(folder: &Path) -> Option<UsbId> {
    let id = |file: &str| u16::from_str_radix(fs::read_to_string(folder.join(file)).ok()?.trim(), 16).ok();
    Some(UsbId { vendor: id("idVendor")?, product: id("idProduct")? })
}

/// Adapters of which some interface has no driver, or has been taken by a program.
fn orphans() -> Vec<UsbId> {
    let devices = fs::read_dir("/sys/bus/usb/devices").into_iter().flatten().flatten();
    let adapters =
        devices.filter_map(|device| Some((device.path(), usb_id(&device.path()).filter(|id| ADAPTERS.contains(id))?)));
    adapters.filter(|(device, _)| !has_driver(device)).map(|(_, id)| id).collect()
}

fn has_driver(device: &Path) -> bool {
    let interfaces = fs::read_dir(device).into_iter().flatten().flatten();
    let drivers = interfaces.filter_map(|interface| fs::read_link(interface.path().join("driver")).ok());
    drivers.into_iter().any(|driver| !driver.ends_with("usbfs"))
}
