//! Every stream worth remembering, seed or find of the fuzzer, still holds what must hold for all.

mod invariants;

use std::{fs, path::Path};

use invariants::Line;

#[test]
fn remembered_streams_of_one_board() {
    for_each("single_cuts", |bytes| invariants::any_bytes(Line::Single, bytes));
}

#[test]
fn remembered_streams_of_a_bus() {
    for_each("bus_cuts", |bytes| invariants::any_bytes(Line::Bus, bytes));
}

#[test]
fn remembered_streams_to_a_board() {
    for_each("command_reader", invariants::any_orders);
}

fn for_each(target: &str, hold: impl Fn(&[u8]) + std::panic::RefUnwindSafe) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/corpus").join(target);
    let mut replayed = 0;
    for entry in fs::read_dir(&folder).expect("the corpus is in the tree") {
        let path = entry.expect("a readable folder").path();
        let bytes = fs::read(&path).expect("a readable file");
        // The assertion says what is wrong; this says with which stream.
        let held = std::panic::catch_unwind(|| hold(&bytes));
        assert!(held.is_ok(), "{} does not hold", path.display());
        replayed += 1;
    }
    assert!(replayed > 0, "{} is empty", folder.display());
}
