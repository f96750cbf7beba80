//! The pages, built into the program: one file to install, and nothing to look for at run time.

use crate::record::papers::quoted;

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

/// The page that is shown in place of one that is refused. It has no address of its own.
const REFUSED: &str = "refused";

/// How the page of a refusal reads with its reason; `None` in a build without pages.
pub(super) fn refused(status: u16, sentence: &str) -> Option<String> {
    let page = file("refused.html")?;
    let text = str::from_utf8(page.bytes).ok()?;
    // A sentence may quote what was asked for.
    Some(text.replace("{{status}}", &status.to_string()).replace("{{sentence}}", &quoted(sentence)))
}

/// A man as the pages draw it, `white-king` for one. A name goes on with the marks of what it was made from.
pub(super) fn man(name: &str) -> Option<&'static str> {
    let start = format!("assets/{name}-");
    let at = PAGES.partition_point(|page| page.path < start.as_str());
    let page = PAGES.get(at).filter(|page| page.path.starts_with(&start) && page.mime == "image/svg+xml")?;
    str::from_utf8(page.bytes).ok()
}

/// The page shown at an address. `/table/open/3/12` and all its like are one page, which reads the rest itself.
pub(super) fn page(address: &str) -> Option<&'static Page> {
    let path = address.trim_matches('/');
    let name = match path.split(['/', '.']).next() {
        None | Some("") => "index",
        Some(first) => first,
    };
    let is_one_of_many = matches!(name, "table" | "overlay" | "listen");
    if name == REFUSED {
        return None;
    }
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
    fn a_reason_is_text_whatever_it_quotes() {
        assert_eq!(quoted("<b a=\"1\">&"), "&lt;b a=&quot;1&quot;&gt;&amp;");
        assert!(page("/refused").is_none() && page("/refused.html").is_none());
    }

    #[test]
    fn what_browsers_keep_for_a_year_has_a_mark_of_its_content_in_its_name() {
        let has_mark = |path: &str| {
            let stem = path.rsplit_once('.').map_or(path, |(stem, _)| stem);
            // Vite's marks have eight letters, and a dash may be one of them.
            let dash = stem.len().checked_sub(9).and_then(|at| stem.as_bytes().get(at));
            dash == Some(&b'-')
        };
        let kept = PAGES.iter().filter(|page| page.is_hashed).map(|page| page.path);
        assert_eq!(kept.filter(|path| !has_mark(path)).collect::<Vec<_>>(), Vec::<&str>::new());
        assert!(has_mark("assets/index-BIsF-_9x.js") && !has_mark("assets/early.js"));
    }

    #[test]
    fn pages_are_sorted_so_that_they_are_found() {
        assert!(PAGES.is_sorted_by_key(|page| page.path));
    }
}
