//! `docs/hand.md` and `docs/laws.md` are indices into the sources: every name in them must be there, and every number and
//! article the one in force.
//! `docs/changing.md` lists files, and what any page cites must be in the repository.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

const PAGE: &str = include_str!("../docs/hand.md");
const OPERATIONS: &str = include_str!("../docs/operations.md");
const CHANGING: &str = include_str!("../docs/changing.md");
const CASES: &str = include_str!("scenarios/hands.json");
const LAWS_PAGE: &str = include_str!("../docs/laws.md");
const RULES: &str = include_str!("../laws/src/article.rs");
/// Those before the last.
const EDITIONS: [u16; 4] = [1993, 2009, 2014, 2018];
const SETTINGS: &str = include_str!("../hall/src/settings.rs");
const DUE: &str = include_str!("../hall/src/hand/due.rs");
const TABLES_DUE: &str = include_str!("../hall/src/table/matters/due.rs");
const HAND: &str = include_str!("../hall/src/hand/mod.rs");

/// Where the page's paths begin.
const BASES: [&str; 3] = ["", "hall/src", "hall/tests/hall"];

/// A file that is named, and what it is said to define.
struct Place<'a> {
    path: &'a str,
    name: Option<&'a str>,
}

#[test]
fn every_place_the_index_names_exists() {
    let lost = places().filter(|place| !is_there(place)).map(|place| format!("{}:{:?}", place.path, place.name));
    assert_eq!(lost.collect::<Vec<_>>(), Vec::<String>::new());
    assert!(places().count() > 80, "the index has been read");
}

#[test]
fn every_setting_stands_on_the_page_with_its_value() {
    let rows = PAGE.lines().filter_map(|row| {
        let cells = row.split('|').map(str::trim).collect::<Vec<_>>();
        let name = cells.get(1)?.strip_prefix('`')?.strip_suffix('`')?;
        Some((name.to_owned(), cells.get(2)?.to_string()))
    });
    assert_eq!(rows.collect::<BTreeSet<_>>(), defaults());
}

#[test]
fn every_limit_stands_in_the_file_it_names() {
    let rows = OPERATIONS.lines().map(|row| row.split('|').map(str::trim).collect::<Vec<_>>());
    let limits = rows.filter(|cells| cells.len() == 6 && cells[4].starts_with('`')).collect::<Vec<_>>();
    let lost = limits.iter().filter(|cells| !limits_are_in(cells[2], cells[4].trim_matches('`')));
    assert_eq!(lost.collect::<Vec<_>>(), Vec::<&Vec<&str>>::new());
    assert!(limits.len() > 25, "the list has been read");
}

/// Whether the first number of a limit is in the file, or in one of the folder: as it is, or in milliseconds.
fn limits_are_in(limit: &str, place: &str) -> bool {
    let path = ["src", ""].map(|base| Path::new(env!("CARGO_MANIFEST_DIR")).join(base).join(place));
    let Some(path) = path.iter().find(|path| path.exists()) else { return false };
    let files = if path.is_dir() {
        fs::read_dir(path).map(|files| files.flatten().map(|file| file.path()).collect())
    } else {
        Ok(vec![path.clone()])
    };
    let number =
        limit.replace(',', "").split(|c: char| !c.is_ascii_digit()).find_map(|digits| digits.parse::<u64>().ok());
    let Some(number) = number else { return true };
    let is_said = |file: &PathBuf| {
        let text = fs::read_to_string(file).unwrap_or_default().replace('_', "");
        let mut numbers = text.split(|c: char| !c.is_ascii_digit()).filter_map(|digits| digits.parse::<u64>().ok());
        numbers.any(|said| said == number || said == number * 1000)
    };
    files.unwrap_or_default().iter().any(is_said)
}

#[test]
fn every_setting_a_rule_names_is_one() {
    let settings = defaults().into_iter().map(|(name, _)| name).collect::<BTreeSet<_>>();
    let named = spans().filter(|span| span.ends_with("_ms") && span.chars().all(is_of_a_name));
    let unknown = named.filter(|span| !settings.contains(*span)).collect::<Vec<_>>();
    assert_eq!(unknown, Vec::<&str>::new());
}

#[test]
fn every_rule_of_time_stands_on_the_page_in_the_order_it_is_followed() {
    let rows = PAGE.lines().filter_map(|row| {
        let cells = row.split('|').map(str::trim).collect::<Vec<_>>();
        let [_, number, wake, _, unless, when, then, _] = cells[..] else { return None };
        number.parse::<usize>().ok()?;
        let plain = |cell: &str| cell.replace('`', "");
        Some([plain(wake), plain(unless), plain(when), plain(then)])
    });
    assert_eq!(rows.collect::<Vec<_>>(), rules());
}

#[test]
fn every_rule_of_time_of_a_table_stands_there_too() {
    let rows = PAGE.lines().filter_map(|row| {
        let cells = row.split('|').map(str::trim).collect::<Vec<_>>();
        let [_, number, _, when, then, _] = cells[..] else { return None };
        number.parse::<usize>().ok()?;
        Some([when, then].map(|cell| cell.trim_matches('`')))
    });
    let rules = TABLES_DUE.lines().filter_map(|line| {
        let row = line.trim().strip_prefix("Rule { when: Table::")?.strip_suffix(" },")?;
        row.split_once(", then: Table::").map(<[&str; 2]>::from)
    });
    let rules = rules.collect::<Vec<_>>();
    assert_eq!(rows.collect::<Vec<_>>(), rules);
    assert_eq!(rules.len(), 5);
}

#[test]
fn a_file_of_the_hand_names_only_files_above_it_in_its_tables() {
    let rows = HAND.lines().filter_map(|line| line.strip_prefix("//! | `")?.split_once(" |"));
    let rows = rows.map(|(names, _)| names.trim_end_matches('`').split("`, `").collect::<Vec<_>>()).collect::<Vec<_>>();
    let mut named = Vec::new();
    for (at, row) in rows.iter().enumerate() {
        let below = || rows[at + 1..].iter().flatten();
        for (name, source) in row.iter().flat_map(|name| sources_of(name).into_iter().map(move |source| (name, source)))
        {
            named.extend(
                below().filter(|below| names_file(&source, below)).map(|below| format!("{name} names {below}")),
            );
        }
    }
    assert_eq!(named, Vec::<String>::new());
    let listed = rows.concat().into_iter().collect::<BTreeSet<_>>();
    let declared =
        HAND.lines().filter_map(|line| line.trim_start_matches("pub ").strip_prefix("mod ")?.strip_suffix(';'));
    assert_eq!(listed, declared.collect());
}

/// The code of a file of the hand, or of each file of its folder.
fn sources_of(name: &str) -> Vec<String> {
    let room = root().join("hall/src/hand");
    let folder = fs::read_dir(room.join(name)).into_iter().flatten().map(|file| file.expect("a file").path());
    let files = folder.chain([room.join(name).with_extension("rs")]);
    let code = |text: String| {
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        code.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n")
    };
    files.filter_map(|file| fs::read_to_string(file).ok()).map(code).collect()
}

/// Whether code names something of this file. A room of the Laws may be called alike.
fn names_file(code: &str, name: &str) -> bool {
    code.match_indices(&format!("{name}::")).any(|(at, _)| {
        let before = &code[..at];
        !before.ends_with(is_of_a_name) && !before.ends_with("laws::")
    })
}

#[test]
fn every_picture_is_shown_and_every_shown_picture_is_there() {
    let there = fs::read_dir(root().join("docs/pictures")).expect("pictures").filter_map(|entry| {
        let name = entry.expect("a picture").file_name().into_string().expect("a plain name");
        name.ends_with(".svg").then(|| format!("pictures/{name}"))
    });
    let shown = PAGE.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let shown = shown.filter(|address| address.ends_with(".svg")).map(str::to_owned);
    assert_eq!(shown.collect::<BTreeSet<_>>(), there.collect::<BTreeSet<_>>());
}

#[test]
fn every_link_within_the_page_lands_on_a_heading() {
    let anchor = |heading: &str| {
        let kept = heading.trim_start_matches('#').trim().to_lowercase().replace(' ', "-");
        kept.chars().filter(|letter| letter.is_alphanumeric() || *letter == '-').collect::<String>()
    };
    let headings = PAGE.lines().filter(|line| line.starts_with('#')).map(anchor).collect::<BTreeSet<_>>();
    for link in PAGE.split("](#").skip(1).filter_map(|rest| rest.split(')').next()) {
        assert!(headings.contains(link), "#{link}");
    }
}

#[test]
fn every_file_a_change_is_said_to_touch_is_there_and_they_are_few() {
    let most = [
        ("An alert", 6),
        ("A field of the feed", 7),
        ("A page", 5),
        ("A panel of the operator's page", 5),
        ("A board of another make", 4),
    ];
    let sections = CHANGING.split("\n## ").skip(1).filter_map(|section| section.split_once('\n'));
    let sections = sections.collect::<Vec<_>>();
    assert_eq!(sections.iter().map(|(title, _)| *title).collect::<Vec<_>>(), most.map(|(title, _)| title));
    for ((title, section), (_, most)) in sections.iter().zip(most) {
        let listed = section.lines().filter(|line| line.starts_with(|sign: char| sign.is_ascii_digit())).count();
        assert!((1..=most).contains(&listed), "{title}: {listed} files");
        for path in section.split('`').skip(1).step_by(2).filter(|span| span.contains('/')) {
            assert!(root().join(path).exists(), "{title}: {path}");
        }
    }
}

#[test]
fn every_rule_of_the_laws_leads_to_the_line_that_raises_it() {
    let mut indexed = BTreeSet::new();
    for row in laws_rows() {
        let [article, rule, _, _, raised] = &row[..] else { panic!("{row:?}") };
        let rule = rule.trim_matches('`');
        assert!(indexed.insert(rule), "{rule} stands there twice");
        for raised in places_in(raised) {
            let (path, name) = (raised.path, raised.name.expect("a function"));
            let source = read(path).expect("a file");
            let body = body_of(&source, name);
            assert!(names_rule(body, rule), "{path}:{name} does not name {rule}");
        }
        assert_eq!(*article, article_of(rule), "{rule}");
    }
    assert_eq!(indexed, RULES.split_once("pub enum Rule {").map(|(_, rest)| variants(rest)).expect("the rules"));
}

#[test]
fn every_case_that_a_page_cites_is_one_of_ours() {
    let mut cited = 0;
    for page in fs::read_dir(root().join("docs")).expect("pages") {
        let path = page.expect("a page").path();
        if path.extension().is_some_and(|kind| kind == "md") {
            let text = fs::read_to_string(&path).expect("a page");
            let words = text.split(|sign: char| !sign.is_ascii_alphanumeric() && sign != '-');
            let cases = words.filter(|word| is_case(word)).collect::<BTreeSet<_>>();
            let unknown = cases.iter().filter(|case| !CASES.contains(&format!("\"id\":\"{case}\"")));
            assert_eq!(unknown.collect::<Vec<_>>(), Vec::<&&str>::new(), "{}", path.display());
            cited += cases.len();
        }
    }
    assert!(cited > 0, "the cases have been read");
    assert!(["HX-107", "A15"].into_iter().all(is_case) && !["UTF-8", "e4", "TRF16", "9600"].into_iter().any(is_case));
}

/// One or two capitals and a number of two digits or three, as cases are called.
fn is_case(word: &str) -> bool {
    let letters = word.trim_end_matches(|sign: char| sign.is_ascii_digit());
    let digits = word.len() - letters.len();
    let letters = letters.trim_end_matches('-');
    (1..=2).contains(&letters.len()) && letters.chars().all(|c| c.is_ascii_uppercase()) && (2..=3).contains(&digits)
}

#[test]
fn every_place_the_index_of_the_laws_names_exists() {
    let lost = places_in(LAWS_PAGE).filter(|place| !is_there(place));
    let lost = lost.map(|place| format!("{}:{:?}", place.path, place.name));
    assert_eq!(lost.collect::<Vec<_>>(), Vec::<String>::new());
}

/// The cells of the rows that are about a rule.
fn laws_rows() -> impl Iterator<Item = Vec<&'static str>> {
    let rows = LAWS_PAGE.lines().filter_map(|row| row.strip_prefix("| ")?.strip_suffix(" |"));
    let rows = rows.map(|row| row.split(" | ").map(str::trim).collect::<Vec<_>>());
    rows.filter(|row| row.get(1).is_some_and(|rule| rule.starts_with('`')))
}

/// A function from its name on to the next one, or to the end of the file.
fn body_of<'a>(source: &'a str, name: &str) -> &'a str {
    let body = source.split(&format!("fn {name}")).skip(1).find(|rest| !rest.starts_with(is_of_a_name));
    body.and_then(|body| body.split("fn ").next()).unwrap_or_default()
}

/// Not one whose name only begins like it.
fn names_rule(body: &str, rule: &str) -> bool {
    body.split(&format!("Rule::{rule}")).skip(1).any(|rest| !rest.starts_with(is_of_a_name))
}

fn variants(body: &'static str) -> BTreeSet<&'static str> {
    let body = body.split('}').next().unwrap_or_default();
    body.lines().filter_map(|line| line.trim().strip_suffix(',')).filter(|line| !line.starts_with("//")).collect()
}

/// The article of standard play in the latest edition that has one, with the year if that is not the last.
fn article_of(rule: &str) -> String {
    let row = RULES.lines().find(|line| line.trim().starts_with(&format!("(Rule::{rule}, All,"))).expect("a row");
    let articles = row.split('"').skip(1).step_by(2).collect::<Vec<_>>();
    let latest = articles.iter().rposition(|article| *article != "-").expect("some edition has it");
    let year = EDITIONS.get(latest).map_or_else(String::new, |year| format!("{year}: "));
    format!("{year}{}", articles[latest])
}

/// The words in backticks. The page has no code blocks.
fn spans() -> impl Iterator<Item = &'static str> {
    spans_in(PAGE)
}

fn spans_in(page: &'static str) -> impl Iterator<Item = &'static str> {
    page.split('`').skip(1).step_by(2)
}

fn places() -> impl Iterator<Item = Place<'static>> {
    places_in(PAGE)
}

fn places_in(page: &'static str) -> impl Iterator<Item = Place<'static>> {
    spans_in(page).filter_map(|span| {
        let (path, name) = span.split_once(':').map_or((span, None), |(path, name)| (path, Some(name)));
        path.ends_with(".rs").then_some(Place { path, name })
    })
}

fn is_there(place: &Place) -> bool {
    let Some(source) = read(place.path) else { return false };
    place.name.is_none_or(|name| {
        ["fn", "const"].iter().any(|kind| {
            let defined = format!("{kind} {name}");
            source.split(&defined).skip(1).any(|rest| !rest.starts_with(is_of_a_name))
        })
    })
}

fn read(path: &str) -> Option<String> {
    BASES.iter().find_map(|base| fs::read_to_string(root().join(base).join(path)).ok())
}

/// The settings and their defaults, read off the source.
fn defaults() -> BTreeSet<(String, String)> {
    let (_, default) = SETTINGS.split_once("Settings {\n        Settings {").expect("the defaults");
    let pairs = default.lines().filter_map(|line| line.trim().strip_suffix(',')?.split_once(": "));
    pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}

/// The rules of time, read off the source: why, unless, when and what then.
fn rules() -> Vec<[String; 4]> {
    // Of a closure what it asks or does: `|hands| carry_out(hands, recovery::leap)` leaps.
    let name = |text: &str| {
        let text =
            text.trim_end_matches(" },").replace("carry_out(", "").replace("|hands| ", "").replace("hands, ", "");
        let text = text.replace("hands.", "").replace("()", "").replace('?', "");
        let called = text.split('(').next().unwrap_or_default().trim_end_matches(')');
        called.rsplit("::").next().unwrap_or(called).to_owned()
    };
    let rows = DUE.lines().filter_map(|line| line.trim().strip_prefix("Rule { wake: "));
    let rules = rows.filter_map(|row| {
        let (wake, rest) = row.split_once(", unless: &[")?;
        let (unless, rest) = rest.split_once("], when: ")?;
        let (when, then) = rest.split_once(", then: ")?;
        Some([name(wake), unless.replace(',', ""), name(when), name(then)])
    });
    rules.collect()
}

fn is_of_a_name(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_'
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}
