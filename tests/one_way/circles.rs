//! No circles, and no way back up: between the files of a crate as between its rooms.
//!
//! A file *leans* on another when its code names something the other defines. Declaring a module and handing its names on
//! (`mod`, `pub use`) is no leaning: a table of contents needs none of what it lists. Two things are then ruled out:
//!
//! - a *circle*: files of which each leans on the next and the last on the first. None of them can be read, tested or
//!   changed by itself;
//! - a *way back up*: a file that leans on the `mod.rs` (or `lib.rs`) of a folder it lies in. A room is made of its files,
//!   they are not made of it. What they share is a file among them.
//!
//! Calls of methods are not followed: which file they lead to depends on types. Who changes what stands in `drawers`.

use std::collections::{BTreeMap, BTreeSet};

use super::house::{House, Names};

#[test]
fn no_circle_runs_through_the_house() {
    let house = House::read();
    let circles = circles(&leaning(&house)).into_iter();
    let circles = circles.map(|circle| told(&house, &circle)).collect::<Vec<_>>();
    assert!(circles.is_empty(), "{} circles:\n{}", circles.len(), circles.join("\n"));
}

#[test]
fn no_file_names_what_the_room_around_it_defines() {
    let house = House::read();
    let mut ways = Vec::new();
    for (module, source) in house.sources() {
        for (around, names) in house.named_by(module) {
            if module.starts_with(around) {
                ways.push(format!("{} names {names:?} of {}", source.path.display(), house.path(around).display()));
            }
        }
    }
    assert!(ways.is_empty(), "{} ways back up:\n{}", ways.len(), ways.join("\n"));
}

#[test]
fn a_circle_is_seen_through_every_way_to_name_a_thing() {
    for (one, other) in [
        ("use super::b::B; pub struct A;", "use super::a::A; pub struct B;"),
        ("use crate::b; pub struct A(b::B);", "pub struct B; fn f(a: super::a::A) {}"),
        // Through a door, through another name for it, inside a function and inside a macro.
        ("use crate::B; pub struct A;", "pub struct B; fn f() { use crate::a::A; }"),
        ("use super::b::B as C; pub struct A(C);", "pub struct B; fn f() { assert!(x == super::a::A::new(1)); }"),
        ("fn f() { super::b::g() }", "pub fn g() { crate::a::f() }"),
    ] {
        let house = House::of(&[("hall", "pub use b::B;"), ("hall::a", one), ("hall::b", other)]);
        assert_eq!(circles(&leaning(&house)).len(), 1, "{one} {other}");
    }
}

#[test]
fn a_table_of_contents_is_no_circle_and_neither_is_what_only_tests_name() {
    let house = House::of(&[
        ("hall", "mod a; mod b; pub use a::A; use b::B; pub fn all() -> B { a::one() }"),
        ("hall::a", "pub struct A; pub fn one() {} #[cfg(test)] mod tests { use super::super::b::B; }"),
        ("hall::b", "use crate::A; pub struct B(A);"),
    ]);
    assert_eq!(circles(&leaning(&house)), Vec::<Vec<Names>>::new());
}

type Leaning<'a> = BTreeMap<&'a Names, BTreeSet<&'a Names>>;

fn leaning(house: &House) -> Leaning<'_> {
    house.sources().map(|(module, _)| (module, house.named_by(module).into_keys().collect())).collect()
}

/// Files that reach each other, in groups of two and more.
fn circles(leaning: &Leaning) -> Vec<Vec<Names>> {
    let reached = leaning.keys().map(|module| (*module, reached(leaning, module))).collect::<BTreeMap<_, _>>();
    let mut circles = Vec::new();
    let mut told = BTreeSet::new();
    for (module, within) in &reached {
        if within.contains(module) && !told.contains(module) {
            let circle = within.iter().filter(|other| reached[**other].contains(module));
            let circle = circle.copied().collect::<Vec<_>>();
            told.extend(circle.iter().copied());
            circles.push(circle.into_iter().cloned().collect());
        }
    }
    circles
}

/// Every file that is leaned on from here, over however many others.
fn reached<'a>(leaning: &Leaning<'a>, from: &Names) -> BTreeSet<&'a Names> {
    let mut reached = BTreeSet::new();
    let mut next = leaning[from].iter().collect::<Vec<_>>();
    while let Some(module) = next.pop() {
        if reached.insert(*module) {
            next.extend(&leaning[*module]);
        }
    }
    reached
}

/// A circle in words: who names what of whom.
fn told(house: &House, circle: &[Names]) -> String {
    let mut lines = vec![format!("between {} files:", circle.len())];
    for module in circle {
        for (other, names) in house.named_by(module).into_iter().filter(|(other, _)| circle.contains(other)) {
            let (path, other) = (house.path(module).display(), house.path(other).display());
            lines.push(format!("  {path} names {names:?} of {other}"));
        }
    }
    lines.join("\n")
}
