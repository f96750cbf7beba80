//! Who has a device open.

use std::fmt;
use std::fs;
use std::path::Path;

/// A process that has a device open.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Holder {
    /// Its number.
    pub pid: u32,
    /// Its name, at most 15 letters as the kernel keeps it.
    pub name: String,
}

impl fmt::Display for Holder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (process {})", self.name, self.pid)
    }
}

/// The other processes that have `device` open, as far as this user may see. `device` is the real path, not a link.
pub fn holders(device: &Path) -> Vec<Holder> {
    let mut holders = Vec::new();
    for process in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let Some(pid) = process.file_name().to_str().and_then(|name| name.parse::<u32>().ok()) else { continue };
        if pid != std::process::id() && has_open(&process.path(), device) {
            let name = fs::read_to_string(process.path().join("comm")).unwrap_or_default().trim().to_owned();
            holders.push(Holder { pid, name });
        }
    }
    holders
}

fn has_open(process: &Path, device: &Path) -> bool {
    let Ok(descriptors) = fs::read_dir(process.join("fd")) else { return false };
    descriptors.flatten().any(|entry| fs::read_link(entry.path()).is_ok_and(|target| target == device))
}
