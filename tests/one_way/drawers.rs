//! Owners, not drawers: in the hall a struct stays small, and few files change what is in it.
//!
//! A file *changes* a struct when its code assigns one of its fields, borrows one mutably, or calls on one what would
//! change it and is none of the house's own verbs (`push`, `take`, `insert`, …). Asking a part to do something by a verb
//! of its own is no change of whoever holds the part: that is what verbs are for.
//!
//! Whose field it is follows from what is written: `self`, the types of parameters and of the fields on the way, and
//! variables that are one of these. A field whose holder can't be told that way counts for the one struct that has a
//! field of this name, if there is only one.

use super::{changes::changes, house::House, structs::Structs};

/// What a reader keeps in mind of one thing.
const MOST_FIELDS: usize = 12;

/// The owner, and two that work with it closely.
const MOST_FILES: usize = 3;

/// A list of numbers, which is as long as there are numbers.
const LISTS: [&str; 1] = ["Settings"];

/// Structs that are larger than that, or changed from more files. This list only ever shrinks.
const DRAWERS: &[&str] = &["Lost"];

#[test]
fn a_struct_of_the_hall_has_no_more_fields_than_a_reader_can_hold() {
    let house = House::read();
    let structs = Structs::of(&house);
    let large = structs.fields.iter().filter(|((_, name), fields)| {
        fields.len() > MOST_FIELDS && !LISTS.contains(&name.as_str()) && !DRAWERS.contains(&name.as_str())
    });
    let large = large.map(|((_, name), fields)| format!("{name} has {} fields", fields.len())).collect::<Vec<_>>();
    assert!(large.is_empty(), "{}", large.join("\n"));
}

#[test]
fn a_struct_of_the_hall_is_changed_from_few_files() {
    let house = House::read();
    let mut open = Vec::new();
    for ((_, name), files) in changes(&house) {
        if files.len() > MOST_FILES && !DRAWERS.contains(&name.as_str()) {
            open.push(format!("{name} is changed from {} files: {files:#?}", files.len()));
        }
    }
    assert!(open.is_empty(), "{}", open.join("\n"));
}

#[test]
fn every_way_to_change_a_field_is_seen_and_a_verb_is_none() {
    let parts = "pub struct Clock { pub ms: u64, pub marks: Vec<u64> } impl Clock { pub fn stop(&mut self) {} }
        pub struct Table { pub clock: Clock, pub spare: Option<Clock>, pub all: BTreeMap<u8, Clock>, pub round: u8 }";
    for (code, changed) in [
        ("fn f(c: &mut Clock) { c.ms = 1; }", "Clock"),
        ("fn f(t: &mut Table) { t.clock.ms += 1; }", "Clock"),
        ("fn f(t: &mut Table) { t.clock.marks.push(1); }", "Clock"),
        ("fn f(t: &mut Table) { t.clock.marks[0] = 1; }", "Clock"),
        ("fn f(t: &mut Table) { if let Some(c) = &t.spare { c.ms = 1; } }", "Clock"),
        ("fn f(t: &Table) { let c = t.clock.clone(); c.ms = 1; }", "Clock"),
        ("fn f(t: &mut Table) { t.round = 1; }", "Table"),
        ("fn f(t: &mut Table) { g(&mut t.clock); }", "Table"),
        ("fn f(t: &mut Table) { if let Some(c) = t.spare.as_mut() { c.stop(); } }", "Table"),
        ("fn f(t: &mut Table) { t.all.insert(1, new()); }", "Table"),
        ("impl Table { fn f(&mut self) { self.spare.take(); } }", "Table"),
        ("fn f(t: &mut Table) { t.clock.marks.swap_remove(0); }", "Clock"),
        ("fn f(t: &mut Table) { let Table { clock, .. } = t; clock.ms = 1; }", "Clock"),
        ("fn f(t: &mut Table) { let Table { clock: c, .. } = t; c.marks.clear(); }", "Clock"),
        ("fn f() { whoever().round = 1; }", "Table"),
        ("fn f(t: &mut Table) { t.clock.stop(); }", ""),
        ("fn f(t: &Table) -> bool { t.clock.ms == 1 && t.all.get(&1).is_some() }", ""),
    ] {
        let code = format!("use super::parts::{{Clock, Table}}; {code}");
        let house = House::of(&[("hall", ""), ("hall::parts", parts), ("hall::other", &code)]);
        let changed_here = changes(&house).into_iter().filter(|(_, files)| files.contains("hall::other"));
        let names = changed_here.map(|((_, name), _)| name).collect::<Vec<_>>();
        assert_eq!(names.join(" "), changed, "{code}");
    }
}
