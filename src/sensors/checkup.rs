//! The check-up: what is known about ports and machine, and what follows for the person who wants a board to work.
//!
//! Pure: facts in, findings out. Where the facts come from is `gather`'s business.

use std::path::PathBuf;

use serde::Serialize;

use super::holder::Holder;

/// Everything a finding may rest on.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Facts {
    /// Who asks.
    pub user: User,
    /// The ports that were named, or all there are.
    pub ports: Vec<PortFacts>,
    /// What else runs here.
    pub machine: Machine,
}

/// Who asks.
#[derive(Clone, Debug, Default, Serialize)]
pub struct User {
    /// The name, or the number where there is none.
    pub name: String,
    /// May do everything.
    pub root: bool,
    /// Groups in effect.
    pub groups: Vec<String>,
    /// Groups in effect after the next login.
    pub enrolled: Vec<String>,
}

/// One port.
#[derive(Clone, Debug, Serialize)]
pub struct PortFacts {
    /// As it was named or found.
    pub name: String,
    /// What happened when it was opened.
    pub state: State,
    /// The node's group and mode.
    pub access: Option<Access>,
    /// Other programs that have it open.
    pub holders: Vec<Holder>,
    /// The adapter's latency timer in milliseconds, where it has one.
    pub latency_ms: Option<u32>,
    /// The file to set it with.
    pub latency_file: Option<PathBuf>,
    /// The USB device behind it.
    pub usb: Option<UsbId>,
}

/// What happened when the port was opened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// Not there.
    Absent,
    /// Not for this user.
    Denied,
    /// Locked by another program.
    Busy,
    /// Something else than a serial port.
    NotSerial,
    /// The system's own words.
    Unusable(String),
    /// A board has answered.
    Board {
        /// Its number.
        serial: Option<String>,
        /// Of its software.
        version: Option<String>,
    },
    /// Nobody has answered.
    Silent,
    /// Bytes came, none that a board would send.
    Garbage {
        /// How many.
        bytes: usize,
    },
}

/// Who may open a node.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Access {
    /// Its group.
    pub group: String,
    /// Its permission bits.
    pub mode: u32,
}

/// Vendor and product.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct UsbId {
    /// Who made it.
    pub vendor: u16,
    /// Which it is.
    pub product: u16,
}

/// What else runs here.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Machine {
    /// ModemManager runs.
    pub modem_manager: bool,
    /// Our rules for udev are installed.
    pub rules_installed: bool,
    /// Rules by which brltty takes adapters, and the ids in them.
    pub brltty_rules: Option<(PathBuf, Vec<UsbId>)>,
    /// Adapters that might carry a board and have no driver.
    pub orphans: Vec<UsbId>,
}

/// One thing worth saying.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The port it is about, if it is about one.
    pub port: Option<String>,
    /// In order or not.
    pub in_order: bool,
    /// What is.
    pub sentence: String,
    /// What to do: a command, or what to do by hand.
    pub mend: Option<String>,
}

/// Above this the adapter adds a delay that can be felt; 1 to 4 ms are what is recommended.
const LATENCY_MS: u32 = 4;

const RULES: &str = "sudo install -m 644 systemd/70-escaque.rules /etc/udev/rules.d/ && sudo udevadm control --reload && sudo udevadm trigger";

impl Facts {
    /// What follows, port by port, then for the machine.
    pub fn findings(&self) -> Vec<Finding> {
        let mut findings = self.ports.iter().flat_map(|port| self.of_port(port)).collect::<Vec<_>>();
        findings.extend(self.of_machine());
        if self.ports.is_empty() {
            findings.push(Finding {
                port: None,
                in_order: false,
                sentence: "There is no serial port: no board is plugged in, or the cable or hub is dead.".to_owned(),
                mend: Some(
                    "plug the board in, try another cable, and look at `sudo dmesg | tail` for what the system says"
                        .to_owned(),
                ),
            });
        }
        findings
    }

    fn of_port(&self, port: &PortFacts) -> Vec<Finding> {
        let mut findings = vec![self.state(port)];
        let open = matches!(port.state, State::Board { .. } | State::Silent | State::Garbage { .. });
        if open && !port.holders.is_empty() {
            findings.push(trouble(
                port,
                format!("It is also open in {}: two programs take each other's bytes.", names(&port.holders)),
                kill(&port.holders),
            ));
        }
        if let (Some(ms), Some(file)) = (port.latency_ms, &port.latency_file)
            && open
            && ms > LATENCY_MS
        {
            findings.push(trouble(
                port,
                format!("Its adapter holds every message back for up to {ms} ms."),
                format!("echo 2 | sudo tee {}; for good: {RULES}", file.display()),
            ));
        }
        findings
    }

    fn state(&self, port: &PortFacts) -> Finding {
        let name = &port.name;
        match &port.state {
            State::Board { serial, version } => {
                let serial =
                    serial.as_deref().map_or("without a serial number".to_owned(), |serial| format!("number {serial}"));
                let version = version.as_deref().map_or(String::new(), |version| format!(", software {version}"));
                good(port, format!("A board answers: {serial}{version}."))
            }
            State::Absent => trouble(
                port,
                "There is no such port.".to_owned(),
                "plug the board in; `escaque doctor` without a name lists the ports there are".to_owned(),
            ),
            State::Denied => self.denied(port),
            State::Busy if port.holders.iter().any(|holder| holder.name == "escaque") => {
                good(port, format!("It is being read by {}.", names(&port.holders)))
            }
            State::Busy if port.holders.is_empty() => trouble(
                port,
                "Another program has it, one of another user.".to_owned(),
                format!("sudo fuser -v {name}"),
            ),
            State::Busy => trouble(port, format!("{} has it.", names(&port.holders)), kill(&port.holders)),
            State::NotSerial => trouble(
                port,
                "It is not a serial port.".to_owned(),
                "`escaque doctor` without a name lists the ports there are".to_owned(),
            ),
            State::Unusable(why) => trouble(
                port,
                format!("It can't be used: {why}."),
                "pull the plug, push it in again, and look at `sudo dmesg | tail`".to_owned(),
            ),
            State::Silent => trouble(
                port,
                "Nobody answers on it: the board is off, or something else is plugged in.".to_owned(),
                format!("switch the board on, or pull its plug for ten seconds; then `escaque doctor {name}`"),
            ),
            State::Garbage { bytes } => trouble(
                port,
                format!("Something talks on it that is no board: {bytes} bytes without a meaning."),
                format!("unplug what is not a board, try another cable; then `escaque doctor {name}`"),
            ),
        }
    }

    fn denied(&self, port: &PortFacts) -> Finding {
        const GROUP_MAY: u32 = 0o060;
        let name = &port.name;
        let User { name: user, root, groups, enrolled } = &self.user;
        let Some(Access { group, mode }) = &port.access else {
            return trouble(port, "This user may not even look at it.".to_owned(), format!("ls -l {name}"));
        };
        if *root {
            return trouble(
                port,
                "Not even root may open it: a container or a service's device policy forbids it.".to_owned(),
                format!("give the container the device (--device {name}), or add DeviceAllow={name} rw to the service"),
            );
        }
        if mode & GROUP_MAY != GROUP_MAY || group == "root" {
            return trouble(
                port,
                format!("Its node is closed to everybody but its owner (group {group}, mode {mode:04o})."),
                format!("sudo chgrp dialout {name} && sudo chmod 660 {name}"),
            );
        }
        if groups.contains(group) {
            return trouble(
                port,
                format!("{user} is in the group {group} and is refused all the same."),
                format!(
                    "a container or a service's device policy forbids it: add DeviceAllow={name} rw to the service"
                ),
            );
        }
        if enrolled.contains(group) {
            return trouble(
                port,
                format!("{user} was put into the group {group}, but not in this session."),
                "log out and in again".to_owned(),
            );
        }
        trouble(
            port,
            format!("{user} may not open it: it belongs to the group {group}."),
            format!("sudo usermod -aG {group} {user}, then log out and in again"),
        )
    }

    fn of_machine(&self) -> Vec<Finding> {
        let usb = self.ports.iter().filter_map(|port| port.usb).collect::<Vec<_>>();
        let mut findings = Vec::new();
        if self.machine.modem_manager && !self.machine.rules_installed && !usb.is_empty() {
            findings.push(general(
                "ModemManager is running and may dial a board that is plugged in as if it were a modem.".to_owned(),
                RULES.to_owned(),
            ));
        }
        for id in &self.machine.orphans {
            findings.push(general(
                format!("A USB adapter {id} is plugged in, but no driver serves it, so it has no port."),
                match &self.machine.brltty_rules {
                    Some((file, ids)) if ids.contains(id) => spare(*id, file),
                    Some(_) | None => {
                        "pull the plug and push it in again; then `sudo dmesg | tail` says who took it".to_owned()
                    }
                },
            ));
        }
        if let Some((file, ids)) = &self.machine.brltty_rules {
            for id in usb.iter().filter(|id| ids.contains(id)) {
                findings.push(general(
                    format!("brltty takes adapters {id} for Braille displays and will take this one too."),
                    spare(*id, file),
                ));
            }
        }
        findings
    }
}

impl std::fmt::Display for UsbId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:04x}:{:04x}", self.vendor, self.product)
    }
}

/// Takes one id out of brltty's rules. The rest stays: a hall may have a Braille display.
fn spare(UsbId { vendor, product }: UsbId, file: &std::path::Path) -> String {
    let own = file.file_name().unwrap_or_default().to_string_lossy();
    format!(
        "sed '/\"{vendor:x}\\/{product:x}\\//s/^/#/' {} | sudo tee /etc/udev/rules.d/{own} && sudo udevadm control --reload, then plug the board in again",
        file.display()
    )
}

fn names(holders: &[Holder]) -> String {
    holders.iter().map(Holder::to_string).collect::<Vec<_>>().join(" and ")
}

fn kill(holders: &[Holder]) -> String {
    let pids = holders.iter().map(|holder| format!(" {}", holder.pid)).collect::<String>();
    format!("close that program, or kill{pids}")
}

fn good(port: &PortFacts, sentence: String) -> Finding {
    Finding { port: Some(port.name.clone()), in_order: true, sentence, mend: None }
}

fn trouble(port: &PortFacts, sentence: String, mend: String) -> Finding {
    Finding { port: Some(port.name.clone()), in_order: false, sentence, mend: Some(mend) }
}

fn general(sentence: String, mend: String) -> Finding {
    Finding { port: None, in_order: false, sentence, mend: Some(mend) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_that_answers_is_in_order() {
        let findings = facts(State::Board { serial: Some("12345".into()), version: Some("1.8".into()) }).findings();
        assert_eq!(findings.len(), 1);
        assert!(findings[0].in_order);
        assert_eq!(findings[0].sentence, "A board answers: number 12345, software 1.8.");
    }

    #[test]
    fn every_trouble_says_what_to_do() {
        let states = [
            State::Absent,
            State::Denied,
            State::Busy,
            State::NotSerial,
            State::Unusable("broken".into()),
            State::Silent,
            State::Garbage { bytes: 9 },
        ];
        for state in states {
            let findings = facts(state.clone()).findings();
            assert!(
                findings.iter().all(|finding| !finding.in_order && finding.mend.is_some()),
                "{state:?}: {findings:?}"
            );
        }
    }

    #[test]
    fn who_is_not_in_the_group_is_told_the_command() {
        assert_eq!(mend(&facts(State::Denied)), "sudo usermod -aG dialout anna, then log out and in again");
    }

    #[test]
    fn who_has_just_been_put_into_the_group_is_told_to_log_in_again() {
        let mut facts = facts(State::Denied);
        facts.user.enrolled = vec!["dialout".into()];
        assert_eq!(mend(&facts), "log out and in again");
    }

    #[test]
    fn a_closed_node_is_not_mended_by_a_group() {
        let mut facts = facts(State::Denied);
        facts.ports[0].access = Some(Access { group: "dialout".into(), mode: 0 });
        assert_eq!(mend(&facts), "sudo chgrp dialout /dev/ttyUSB0 && sudo chmod 660 /dev/ttyUSB0");
    }

    #[test]
    fn root_refused_means_a_container() {
        let mut facts = facts(State::Denied);
        facts.user.root = true;
        assert!(facts.findings()[0].sentence.contains("container"));
    }

    #[test]
    fn who_has_the_port_is_named() {
        let mut facts = facts(State::Busy);
        facts.ports[0].holders = vec![Holder { pid: 4711, name: "LiveChess".into() }];
        assert_eq!(facts.findings()[0].sentence, "LiveChess (process 4711) has it.");
        assert_eq!(mend(&facts), "close that program, or kill 4711");
        facts.ports[0].holders[0].name = "escaque".into();
        assert!(facts.findings()[0].in_order, "our own daemon is not in the way");
    }

    #[test]
    fn a_second_reader_is_trouble_even_if_the_board_answers() {
        let mut facts = facts(State::Board { serial: None, version: None });
        facts.ports[0].holders = vec![Holder { pid: 4711, name: "minicom".into() }];
        assert!(facts.findings()[1].sentence.contains("minicom (process 4711)"));
    }

    #[test]
    fn a_slow_adapter_is_mended_at_once_and_for_good() {
        let mut facts = facts(State::Silent);
        facts.ports[0].latency_ms = Some(16);
        facts.ports[0].latency_file = Some("/sys/class/tty/ttyUSB0/device/latency_timer".into());
        let slow = &facts.findings()[1];
        assert_eq!(slow.sentence, "Its adapter holds every message back for up to 16 ms.");
        assert!(
            slow.mend
                .as_deref()
                .expect("a command")
                .starts_with("echo 2 | sudo tee /sys/class/tty/ttyUSB0/device/latency_timer")
        );
        facts.ports[0].latency_ms = Some(2);
        assert_eq!(facts.findings().len(), 1);
    }

    #[test]
    fn modem_manager_is_in_the_way_only_of_usb_ports_without_our_rules() {
        let mut facts = facts(State::Board { serial: None, version: None });
        facts.machine.modem_manager = true;
        assert_eq!(facts.findings().len(), 1, "no USB port, nothing to dial");
        facts.ports[0].usb = Some(FTDI);
        assert!(facts.findings()[1].sentence.contains("ModemManager"));
        facts.machine.rules_installed = true;
        assert_eq!(facts.findings().len(), 1);
    }

    #[test]
    fn brltty_is_told_to_spare_the_board_and_keeps_its_displays() {
        let mut facts = facts(State::Silent);
        facts.machine.orphans = vec![FTDI];
        facts.machine.brltty_rules = Some(("/usr/lib/udev/rules.d/85-brltty.rules".into(), vec![FTDI]));
        let orphan = &facts.findings()[1];
        assert!(orphan.sentence.contains("0403:6001"));
        assert!(
            orphan
                .mend
                .as_deref()
                .expect("a command")
                .starts_with("sed '/\"403\\/6001\\//s/^/#/' /usr/lib/udev/rules.d/85-brltty.rules")
        );
    }

    #[test]
    fn no_port_at_all_is_not_in_order() {
        assert!(!Facts::default().findings()[0].in_order);
    }

    const FTDI: UsbId = UsbId { vendor: 0x0403, product: 0x6001 };

    fn facts(state: State) -> Facts {
        let port = PortFacts {
            name: "/dev/ttyUSB0".into(),
            state,
            access: Some(Access { group: "dialout".into(), mode: 0o660 }),
            holders: Vec::new(),
            latency_ms: None,
            latency_file: None,
            usb: None,
        };
        Facts { user: User { name: "anna".into(), ..User::default() }, ports: vec![port], machine: Machine::default() }
    }

    fn mend(facts: &Facts) -> String {
        facts.findings()[0].mend.clone().expect("trouble says what to do")
    }
}
