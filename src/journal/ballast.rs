//! Ballast: room on the disk that is given free once, so that the last moves of an evening still fit.

use std::{
    fs::{self, File},
    path::{Path, PathBuf},
};

use rustix::fs::{FallocateFlags, fallocate, statvfs};

use super::{
    folder,
    place::{BALLAST, FOLDER},
};

/// Weeks of journal.
const SIZE: u64 = 32 * 1024 * 1024;
/// On a smaller disk it would be in the way itself.
const SHARE: u64 = 20;

/// The disk has room for much more.
fn is_roomy(state: &Path) -> bool {
    statvfs(state).is_ok_and(|disk| disk.f_bavail.saturating_mul(disk.f_frsize) > SIZE * SHARE)
}

/// The file that only takes up room.
#[derive(Debug)]
pub(super) struct Ballast {
    path: PathBuf,
}

impl Ballast {
    /// Takes ballast in where there is room in plenty.
    pub(super) fn load(state: &Path) -> Ballast {
        let path = state.join(FOLDER).join(BALLAST);
        // One that was cut short as it was made gives nothing free.
        let whole = fs::metadata(&path).is_ok_and(|ballast| ballast.len() >= SIZE);
        if is_roomy(state) && !whole {
            let made = File::create(&path).and_then(|file| Ok(fallocate(&file, FallocateFlags::empty(), 0, SIZE)?));
            if made.is_err() || folder::hand_over(&path).is_err() {
                let _ = fs::remove_file(&path);
            }
        }
        Ballast { path }
    }

    /// Throws it overboard; false where there is none any more.
    pub(super) fn drop_it(&self) -> bool {
        fs::remove_file(&self.path).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ballast_that_was_cut_short_is_taken_in_again() {
        let state = tempfile::tempdir().expect("a folder for the test");
        let path = state.path().join(FOLDER).join(BALLAST);
        fs::create_dir_all(state.path().join(FOLDER)).expect("the folder is writable");
        File::create(&path).expect("the folder is writable");
        let ballast = Ballast::load(state.path());
        // On a disk with little room there is none, cut short or not.
        assert!(fs::metadata(&path).is_ok_and(|there| there.len() == SIZE) || !is_roomy(state.path()));
        ballast.drop_it();
        assert!(!path.exists());
    }
}
