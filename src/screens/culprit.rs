//! Which field of an order can't be read, for a sentence that names it: whoever reads JSON knows a value and no place.
//!
//! Pure. A field is in the way if something else is wrong without it, or nothing.

use serde_json::Value;

/// So many fields are tried: the order was refused, and nobody waits long for the reason.
const TRIES: usize = 256;

/// What is in the way, as `white.rating` or `tables.list.2`, and what is said of it. `read` gives what is wrong with a
/// value, if anything is.
pub(super) fn named(value: &Value, read: impl Fn(&Value) -> Option<String>) -> Option<String> {
    let wrong = read(value)?;
    let mut tries = TRIES;
    let mut path = Vec::<String>::new();
    while let Some(step) = steps(value, &path).into_iter().find(|step| {
        tries = tries.saturating_sub(1);
        let without = without(value, &path, step);
        tries > 0 && without.is_some_and(|without| read(&without).as_ref() != Some(&wrong))
    }) {
        path.push(step);
    }
    let wrong = in_words(&wrong);
    Some(if path.is_empty() { wrong } else { format!("\"{}\": {wrong}", path.join(".")) })
}

/// The fields of what stands at a path. What command it is says how the others are read.
fn steps(value: &Value, path: &[String]) -> Vec<String> {
    let Some(place) = value.pointer(&pointer(path)) else { return Vec::new() };
    let keys = place.as_object().into_iter().flat_map(|fields| fields.keys().filter(|key| *key != "command").cloned());
    let items = place.as_array().into_iter().flat_map(|items| (0..items.len()).map(|at| at.to_string()));
    keys.chain(items).collect()
}

fn without(value: &Value, path: &[String], step: &str) -> Option<Value> {
    let mut value = value.clone();
    let place = value.pointer_mut(&pointer(path))?;
    if let Some(items) = place.as_array_mut() {
        items.remove(step.parse().ok()?);
    } else {
        place.as_object_mut()?.remove(step);
    }
    Some(value)
}

/// A path as JSON writes it.
fn pointer(path: &[String]) -> String {
    path.iter().map(|step| format!("/{}", step.replace('~', "~0").replace('/', "~1"))).collect()
}

/// Numbers and fields by what may be written, and not by how they are kept.
fn in_words(wrong: &str) -> String {
    if let Some((begins, _)) = wrong.split_once("expected struct ") {
        return format!("{begins}expected fields in braces: the page /feed has an example");
    }
    let kinds = [("u8", u64::from(u8::MAX)), ("u16", u16::MAX.into()), ("u32", u32::MAX.into()), ("u64", u64::MAX)];
    let kind =
        kinds.into_iter().find_map(|(kind, last)| Some((wrong.strip_suffix(&format!("expected {kind}"))?, last)));
    kind.map_or_else(|| wrong.to_owned(), |(begins, last)| format!("{begins}expected a whole number from 0 to {last}"))
}
