//! One serial port: opened so that nobody else disturbs it and nothing changes a byte on its way.

use std::io;
use std::mem::{Discriminant, discriminant};
use std::ops::RangeInclusive;
use std::os::fd::AsFd;
use std::path::Path;

use rustix::fs::{FlockOperation, Mode, OFlags, flock, fstat, major, open};
use rustix::io::Errno;
use rustix::termios::{
    ControlModes, InputModes, OptionalActions, QueueSelector, SpecialCodeIndex, ioctl_tiocexcl, tcflush, tcgetattr,
    tcsetattr,
};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio_serial::SerialStream;

use super::fence;
use super::holder::{Holder, holders};

/// What all DGT boards speak, whatever carries it.
const BAUD: u32 = 9600;

/// An open port. Dropping it closes the descriptor, which frees the name for the same board plugged in again.
#[derive(Debug)]
pub struct Port {
    stream: SerialStream,
    name: String,
    low_latency: Result<(), Errno>,
}

/// Why a port can't be used. [`PortError::hint`] says what to try.
#[derive(Debug, thiserror::Error)]
pub enum PortError {
    /// No such device, or it went between looking and opening.
    #[error("{port} is not there")]
    Absent {
        /// The port's name.
        port: String,
    },
    /// This user may not open it.
    #[error("{port} may not be opened by this user")]
    Denied {
        /// The port's name.
        port: String,
    },
    /// Another program has it.
    #[error("{port} is in use{}", by(.holders))]
    Busy {
        /// The port's name.
        port: String,
        /// Who has it, as far as can be seen.
        holders: Vec<Holder>,
    },
    /// A file, a directory, a disk.
    #[error("{port} is not a serial port")]
    NotSerial {
        /// The port's name.
        port: String,
    },
    /// It was open and ended: the cable was pulled.
    #[error("{port} went away ({cause})")]
    Gone {
        /// The port's name.
        port: String,
        /// What the system said.
        #[source]
        cause: io::Error,
    },
    /// It was open, and boards are looked for elsewhere now.
    #[error("{port} was closed: boards are looked for under other names now")]
    Left {
        /// The port's name.
        port: String,
    },
    /// Anything else the system says.
    #[error("{port} can't be used ({cause})")]
    Unusable {
        /// The port's name.
        port: String,
        /// What the system said.
        #[source]
        cause: io::Error,
    },
}

fn by(holders: &[Holder]) -> String {
    let names = holders.iter().map(Holder::to_string).collect::<Vec<_>>();
    if names.is_empty() { String::new() } else { format!(" by {}", names.join(" and ")) }
}

impl PortError {
    /// The next thing to try, for someone standing beside the board.
    pub fn hint(&self) -> &'static str {
        match self {
            PortError::Absent { .. } => "plug the board in and look at the cable; it is found by itself",
            PortError::Denied { .. } => "run `escaque doctor`: it names the command that gives you the right",
            PortError::Busy { .. } => "close the other program; the board is taken as soon as it is free",
            PortError::NotSerial { .. } => {
                "name the device of the board, such as /dev/ttyUSB0; `escaque doctor` lists what there is"
            }
            PortError::Left { .. } => "name it among the ports of the configuration and reload",
            PortError::Gone { .. } => "push the plug in again; the board is found by itself",
            PortError::Unusable { .. } => {
                "pull the plug, push it in again, and run `escaque doctor` if that does not help"
            }
        }
    }

    /// With the names of those who have the port. Looks through all processes, so it is for telling, not for trying.
    pub(super) fn with_holders(self, device: &Path) -> PortError {
        match self {
            PortError::Busy { port, .. } => PortError::Busy { port, holders: holders(device) },
            other @ (PortError::Absent { .. }
            | PortError::Denied { .. }
            | PortError::NotSerial { .. }
            | PortError::Gone { .. }
            | PortError::Left { .. }
            | PortError::Unusable { .. }) => other,
        }
    }

    /// The same kind of trouble once more is not worth telling.
    pub(super) fn kind(&self) -> Discriminant<PortError> {
        discriminant(self)
    }
}

impl Port {
    /// Opens, locks and configures the device. Needs a runtime around it.
    pub fn open(path: &Path) -> Result<Port, PortError> {
        let name = path.display().to_string();
        let refused = |errno: Errno| refusal(path, errno);
        let flags = OFlags::RDWR | OFlags::NOCTTY | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let fd = open(path, flags, Mode::empty()).map_err(refused)?;
        let mut termios = tcgetattr(&fd).map_err(refused)?;
        // The lock comes first: exclusive mode can't be asked about, does not bind root, and would stay on the port
        // of the program that holds the lock if we took it before being refused.
        flock(&fd, FlockOperation::NonBlockingLockExclusive).map_err(refused)?;
        ioctl_tiocexcl(&fd).map_err(refused)?;
        let is_pseudo = is_pseudo(&fd).map_err(refused)?;
        make_plain(&mut termios).map_err(refused)?;
        tcsetattr(&fd, OptionalActions::Now, &termios).map_err(refused)?;
        tcflush(&fd, QueueSelector::IFlush).map_err(refused)?;
        let low_latency = fence::low_latency(&fd).map_err(|error| Errno::from_io_error(&error).unwrap_or(Errno::IO));
        let unusable = |cause| PortError::Unusable { port: name.clone(), cause };
        let mut stream = fence::stream(fd).map_err(unusable)?;
        if is_pseudo {
            stream.set_exclusive(false).map_err(|cause| unusable(cause.into()))?;
        }
        Ok(Port { stream, name, low_latency })
    }

    /// Reads what has come; never gives nothing.
    pub async fn read(&mut self, buffer: &mut [u8]) -> Result<usize, PortError> {
        match self.stream.read(buffer).await {
            // A terminal that was hung up reads as empty at once and for ever.
            Ok(0) => Err(self.gone(io::ErrorKind::UnexpectedEof.into())),
            Ok(count) => Ok(count),
            Err(cause) => Err(self.gone(cause)),
        }
    }

    /// Writes all of it.
    pub async fn write(&mut self, bytes: &[u8]) -> Result<(), PortError> {
        self.stream.write_all(bytes).await.map_err(|cause| self.gone(cause))
    }

    /// Whether the driver passes every byte on at once; if not, what it said.
    pub fn low_latency(&self) -> Result<(), Errno> {
        self.low_latency
    }

    /// It does not take a byte.
    pub(super) fn stuck(&self) -> PortError {
        self.gone(io::ErrorKind::TimedOut.into())
    }

    /// Nobody looks for boards here any more.
    pub(super) fn left(&self) -> PortError {
        PortError::Left { port: self.name.clone() }
    }

    fn gone(&self, cause: io::Error) -> PortError {
        PortError::Gone { port: self.name.clone(), cause }
    }
}

/// The far ends of pseudo-terminals, as the kernel numbers them.
const PSEUDO: RangeInclusive<u32> = 136..=143;

/// Whether it is a pseudo-terminal. Exclusive mode ends with the last who has a terminal open, and who stands behind that
/// one has it open: after a kill the port would be closed to every user until the virtual board is put up anew.
fn is_pseudo(fd: impl AsFd) -> rustix::io::Result<bool> {
    fstat(fd).map(|there| PSEUDO.contains(&major(there.st_rdev)))
}

/// 9600 8N1, nothing translated, no flow control, and a close that leaves the lines alone.
fn make_plain(termios: &mut rustix::termios::Termios) -> rustix::io::Result<()> {
    termios.make_raw();
    // HUPCL would drop DTR at the last close, which resets some boards.
    termios.control_modes -= ControlModes::CSTOPB | ControlModes::PARENB | ControlModes::CRTSCTS | ControlModes::HUPCL;
    termios.control_modes |= ControlModes::CS8 | ControlModes::CLOCAL | ControlModes::CREAD;
    // XON and XOFF are squares b6 and d6. A byte with a framing error and a break would come in as zero, which is
    // a piece lifted; left out, they make the frame too short and it is heard as noise.
    termios.input_modes -= InputModes::IXON | InputModes::IXOFF | InputModes::IXANY;
    termios.input_modes |= InputModes::IGNBRK | InputModes::INPCK | InputModes::IGNPAR;
    // With VMIN 0 a read without data gives 0, which could not be told from a pulled cable.
    termios.special_codes[SpecialCodeIndex::VMIN] = 1;
    termios.special_codes[SpecialCodeIndex::VTIME] = 0;
    termios.set_speed(BAUD)
}

fn refusal(path: &Path, errno: Errno) -> PortError {
    let port = path.display().to_string();
    match errno {
        Errno::NOENT | Errno::NXIO | Errno::NODEV | Errno::NOTDIR => PortError::Absent { port },
        Errno::ACCESS | Errno::PERM => PortError::Denied { port },
        Errno::BUSY | Errno::AGAIN => PortError::Busy { port, holders: Vec::new() },
        Errno::NOTTY | Errno::ISDIR | Errno::INVAL => PortError::NotSerial { port },
        errno => PortError::Unusable { port, cause: errno.into() },
    }
}
