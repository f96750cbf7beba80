//! The fence: everything `unsafe` in the daemon, which is what no safe crate offers for serial ports.
//!
//! Low latency is a flag of Linux's serial drivers. Without it an FTDI adapter keeps a short message for up to 16 ms.
//! And tokio-serial opens ports by path only: it locks after taking the port, and gives up by lifting the exclusive
//! mode of whoever has it. So ports are opened in [`super::port`] and handed over.
#![expect(unsafe_code, reason = "the one fenced module")]

use std::ffi::{c_char, c_int, c_uchar, c_uint, c_ulong, c_ushort};
use std::io;
use std::os::fd::{AsFd, FromRawFd, IntoRawFd, OwnedFd};

use rustix::ioctl::{Opcode, Setter, Updater, ioctl};
use serialport::TTYPort;
use tokio_serial::SerialStream;

/// `struct serial_struct` of the kernel's `linux/serial.h`. Only `flags` is looked at.
#[repr(C)]
#[derive(Clone, Copy)]
struct SerialStruct {
    kind: c_int,
    line: c_int,
    port: c_uint,
    irq: c_int,
    flags: c_int,
    xmit_fifo_size: c_int,
    custom_divisor: c_int,
    baud_base: c_int,
    close_delay: c_ushort,
    io_type: c_char,
    reserved: [c_char; 1],
    hub6: c_int,
    closing_wait: c_ushort,
    closing_wait2: c_ushort,
    iomem_base: *mut c_uchar,
    iomem_reg_shift: c_ushort,
    port_high: c_uint,
    iomap_base: c_ulong,
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(size_of::<SerialStruct>() == 72, "the kernel writes this many bytes");

const TIOCGSERIAL: Opcode = 0x541e;
const TIOCSSERIAL: Opcode = 0x541f;
const ASYNC_LOW_LATENCY: c_int = 1 << 13;

/// Asks the driver to pass every byte on at once. Drivers without such a thing answer `ENOTTY`.
pub(super) fn low_latency(port: impl AsFd) -> io::Result<()> {
    let mut serial = SerialStruct {
        kind: 0,
        line: 0,
        port: 0,
        irq: 0,
        flags: 0,
        xmit_fifo_size: 0,
        custom_divisor: 0,
        baud_base: 0,
        close_delay: 0,
        io_type: 0,
        reserved: [0],
        hub6: 0,
        closing_wait: 0,
        closing_wait2: 0,
        iomem_base: std::ptr::null_mut(),
        iomem_reg_shift: 0,
        port_high: 0,
        iomap_base: 0,
    };
    // SAFETY: the kernel fills in one `serial_struct`, whose layout `SerialStruct` repeats and whose size is checked.
    unsafe { ioctl(&port, Updater::<TIOCGSERIAL, SerialStruct>::new(&mut serial)) }?;
    serial.flags |= ASYNC_LOW_LATENCY;
    // SAFETY: the kernel reads one `serial_struct`; its pointer member came from the kernel and is not followed by us.
    unsafe { ioctl(&port, Setter::<TIOCSSERIAL, SerialStruct>::new(serial)) }?;
    Ok(())
}

/// Hands an opened, locked and configured port to the runtime.
pub(super) fn stream(port: OwnedFd) -> io::Result<SerialStream> {
    // SAFETY: the descriptor is owned, is a terminal, and its ownership passes to the `TTYPort`, which closes it.
    let port = unsafe { TTYPort::from_raw_fd(port.into_raw_fd()) };
    Ok(SerialStream::try_from(port)?)
}
