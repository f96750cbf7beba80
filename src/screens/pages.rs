//! The pages, built into the program: one file to install, and nothing to look for at run time.

/// One file of the pages.
#[derive(Debug)]
pub(super) struct Page {
    /// Its path below the pages' folder.
    path: &'static str,
    pub(super) mime: &'static str,
    pub(super) etag: &'static str,
    /// Its name holds a hash of its content, so it never changes.
    pub(super) is_hashed: bool,
    pub(super) bytes: &'static [u8],
}

// `PAGES`: all files, sorted by path. The build script writes it.
include!(concat!(env!("OUT_DIR"), "/pages.rs"));

/// The page shown at an address. `/table/open/3/12` and all its like are one page, which reads the rest itself.
pub(super) fn page(address: &str) -> Option<&'static Page> {
    let path = address.trim_matches('/');
    let name = match path.split('/').next() {
        None | Some("") => "index",
        Some(first) => first,
    };
    let is_one_of_many = matches!(name, "table");
    let html = format!("{name}.html");
    file(path).or_else(|| (path.is_empty() || path == name || is_one_of_many).then(|| file(&html))?)
}

fn file(path: &str) -> Option<&'static Page> {
    PAGES.binary_search_by(|page| page.path.cmp(path)).ok().map(|at| &PAGES[at])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wall_is_always_there() {
        let wall = page("/").expect("a build without pages has one that says so");
        assert_eq!(wall.mime, "text/html; charset=utf-8");
        assert!(!wall.bytes.is_empty() && !wall.is_hashed);
    }

    #[test]
    fn nothing_outside_the_pages_is_a_page() {
        for address in ["/../Cargo.toml", "/assets/..", "/nothing", "/index.html/x", "/assets/"] {
            assert!(page(address).is_none(), "{address}");
        }
    }

    #[test]
    fn pages_are_sorted_so_that_they_are_found() {
        assert!(PAGES.is_sorted_by_key(|page| page.path));
    }
}
