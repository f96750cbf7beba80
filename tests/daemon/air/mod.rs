//! Games told to others: a broadcast, a site and folders, through what goes wrong in an evening.

mod encrypted;
mod site;

use std::{collections::BTreeMap, fs, os::unix::fs::PermissionsExt as _, path::PathBuf};

use serde_json::{Value, json};
use tempfile::TempDir;

use self::site::{Site, TOKEN};
use crate::support::{Board, Daemon, escaque, until};

const LINE: [&str; 8] = ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Ba4", "Nf6"];
const TABLES: u16 = 40;

#[test]
fn a_round_of_forty_tables_is_told_whole_through_failures_corrections_and_a_kill() {
    let evening = Evening::begin();
    let (mut daemon, site) = (evening.daemon(), &evening.site);
    evening.seat(&daemon);
    for table in 2..=TABLES {
        insert(&daemon, table, &LINE[..4]);
    }
    told(site, 5, "e4 e5 Nf3 Nc6");
    site.told().broadcast.fail_before();
    // Taken back before it left; at another table it is noticed when it is there already.
    insert(&daemon, 3, &["d4"]);
    done(&daemon, json!({ "command": "undo", "table": "open/1/3", "plies": 1 }));
    insert(&daemon, 5, &["d4"]);
    told(site, 5, "e4 e5 Nf3 Nc6 d4");
    site.told().broadcast.fail_after();
    done(&daemon, json!({ "command": "replace", "table": "open/1/5", "ply": 5, "move": "Bb5" }));
    done(
        &daemon,
        json!({ "command": "pair", "table": "open/1/7", "white": { "name": "Right, Name" }, "black": { "name": "Black, 7" } }),
    );
    for table in (2..=TABLES).filter(|table| *table != 5) {
        insert(&daemon, table, &LINE[4..6]);
    }
    daemon.kill();
    daemon = evening.daemon();
    insert(&daemon, 5, &LINE[5..6]);
    for table in 2..=TABLES {
        insert(&daemon, table, &LINE[6..]);
        done(&daemon, json!({ "command": "result", "table": format!("open/1/{table}"), "result": "1-0" }));
    }
    evening.play_what_is_not_legal(&daemon);
    let whole = (LINE.join(" "), "1-0".to_owned());
    let expected = (2..=TABLES).map(|table| (format!("open/1/{table}"), whole.clone()));
    // Nothing of a move that is not legal, nor of what comes after it, and all the same its result.
    let expected = expected.chain([("open/1/1".to_owned(), ("e4 e5".to_owned(), "1/2-1/2".to_owned()))]);
    let expected = expected.collect::<BTreeMap<_, _>>();
    until("all games", || (site.games() == expected).then_some(()));
    let told = site.told();
    assert_eq!(told.broadcast.games().count(), usize::from(TABLES), "no game is there twice");
    assert_eq!(told.broadcast.games().map(|game| game.side_lines).sum::<usize>(), 0);
    assert!(told.broadcast.games().any(|game| game.white == "Right, Name"));
    drop(told);
    evening.compare_folders(&daemon);
    let said = evening.checked();
    assert!(said.contains("g1g3 is not legal and stands: it and the ply after it are not told"), "{said}");
    assert!(daemon.stop().success());
    evening.assert_kept_secret(&said);
}

#[test]
fn what_is_missing_is_said_before_the_round() {
    let evening = Evening::begin();
    let (daemon, site) = (evening.daemon(), &evening.site);
    done(&daemon, json!({ "command": "open_round", "event": "open", "round": 1 }));
    done(
        &daemon,
        json!({ "command": "pair", "table": "open/1/1", "white": { "name": "X" }, "black": { "name": "Ju Wenjun" } }),
    );
    let said = evening.checked();
    for sentence in [
        "ok its token is accepted",
        "ok round abcdEFGH is known, and may be written",
        "!! table 1: White has no name of two letters and no FIDE id: the game would be thrown away; name them",
        "!! round ijklMNOP is none of those the token's owner may write",
    ] {
        assert!(said.contains(sentence), "{sentence}\n{said}");
    }
    site.told().is_shut = true;
    let moved =
        "HTTP/1.1 302 Found\r\nLocation: /elsewhere\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".to_owned();
    site.told().answers.insert("/live/open/1.pgn".to_owned(), moved);
    let said = evening.checked();
    for sentence in ["!! its token is not accepted: make a new one", "!! it answers with another address"] {
        assert!(said.contains(sentence), "{sentence}\n{said}");
    }
    fs::remove_file(evening.folder.path().join("token")).expect("it is there");
    let said = evening.checked();
    assert!(said.contains("!! its token in") && said.contains("can't be read"), "{said}");
    evening.assert_kept_secret(&said);
    assert!(daemon.stop().success());
}

#[test]
fn the_public_comes_for_games_and_documents_as_broadcasts_want_them() {
    let evening = Evening::begin();
    let daemon = evening.daemon_with(&["--public", "127.0.0.1:0"]);
    evening.seat(&daemon);
    insert(&daemon, 2, &LINE[..3]);
    let public = daemon.public();
    let get = |path: &str, more: &str| {
        raw(&public, &format!("GET {path} HTTP/1.1\r\nHost: {public}\r\n{more}Connection: close\r\n\r\n"))
    };
    for path in ["/pgn/open/1.pgn", "/pgn/open/1/2", "/get/open/round-1/games.pgn", "/get/open/round-1/game-2.pgn"] {
        let answer = until("the moves", || Some(get(path, "")).filter(|answer| answer.contains("2. Nf3")));
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
        assert!(answer.contains("content-type: text/plain; charset=utf-8\r\n"), "{answer}");
        let mark = answer.lines().find_map(|line| line.strip_prefix("etag: ")).expect("a mark");
        let again = get(path, &format!("If-None-Match: {mark}\r\n"));
        assert!(again.starts_with("HTTP/1.1 304"), "{again}");
    }
    let json = |path: &str| -> Value {
        let answer = get(path, "");
        serde_json::from_str(answer.split("\r\n\r\n").nth(1).unwrap_or_default()).unwrap_or_else(|_| panic!("{answer}"))
    };
    let tournament = json("/get/open/tournament.json");
    assert_eq!((&tournament["rounds"][0]["count"], &tournament["rounds"][0]["live"]), (&json!(TABLES), &json!(1)));
    // Those who know the cloud's name for it find the same.
    let name = tournament["id"].as_str().expect("a name");
    assert_eq!(json(&format!("/get/{name}/tournament.json?poll")), tournament);
    assert_eq!(json(&format!("/meta/{name}"))["host"], public.as_str());
    let index = json("/get/open/round-1/index.json");
    assert_eq!(index["pairings"][1]["white"]["lname"], "White");
    assert_eq!(json("/get/open/round-1/game-2.json?noCache=1")["moves"], json!(["e4", "e5", "Nf3"]));
    assert!(get("/get/open/round-1/game-41.json", "").starts_with("HTTP/1.1 404"));
    assert!(daemon.stop().success());
}

#[test]
fn who_delays_by_itself_is_told_live_by_an_order_that_names_it_and_by_nothing_else() {
    let evening = Evening::begin();
    let daemon = evening.daemon();
    done(&daemon, json!({ "command": "open_round", "event": "open", "round": 1 }));
    done(
        &daemon,
        json!({ "command": "pair", "table": "open/1/1", "white": { "name": "Xie Jun" }, "black": { "name": "Ju Wenjun" } }),
    );
    done(&daemon, json!({ "command": "assign", "table": "open/1/1", "board": "20001" }));
    done(&daemon, json!({ "command": "new_game", "table": "open/1/1" }));
    let told = |name: &str| fs::read_to_string(evening.path(name)).unwrap_or_default();
    let (plain, tree) = ("plain/open/1.pgn", "tree/open/round-1/games.pgn");
    until("both", || (told(plain).contains("Xie Jun") && told(tree).contains("Xie Jun")).then_some(()));
    done(&daemon, json!({ "command": "delay", "seconds": 3600 }));
    let (status, refused) = daemon.order(&json!({ "command": "tell_live", "target": "plane" }));
    assert!(
        status == 404 && refused.contains("names no target plane. There are: lichess, plain, site, tree."),
        "{refused}"
    );
    done(&daemon, json!({ "command": "tell_live", "target": "plain" }));
    insert(&daemon, 1, &["e4", "e5"]);
    until("the moves", || told(plain).contains("1. e4 e5").then_some(()));
    assert!(evening.checked().contains("plain: folder") && evening.checked().contains(", live\n"));
    // It is an order, and stands until it is taken back.
    daemon.kill();
    let daemon = evening.daemon();
    insert(&daemon, 1, &["Nf3"]);
    until("the next one", || told(plain).contains("2. Nf3").then_some(()));
    assert!(!told(tree).contains("e4") && told(tree).contains("Xie Jun"), "{}", told(tree));
    done(&daemon, json!({ "command": "tell_live", "target": "plain", "live": false }));
    until("what is too young to go", || (!told(plain).contains("e4")).then_some(()));
    assert!(daemon.stop().success());
}

/// A daemon with targets, and those who are told.
struct Evening {
    folder: TempDir,
    site: Site,
}

impl Evening {
    fn begin() -> Evening {
        let evening = Evening { folder: TempDir::new().expect("a folder for the test"), site: Site::open() };
        fs::write(evening.path("token"), TOKEN).expect("writable");
        fs::set_permissions(evening.path("token"), fs::Permissions::from_mode(0o600)).expect("ours");
        let config = format!(
            "[[air]]\nname = \"lichess\"\nkind = \"lichess\"\nevent = \"open\"\nwait = 1\nurl = \"http://{site}\"\n\
             rounds = {{ 1 = \"abcdEFGH\", 9 = \"ijklMNOP\" }}\ntoken-file = \"{token}\"\n\
             [[air]]\nname = \"site\"\nkind = \"http\"\nurl = \"http://{site}/live/{{event}}/{{round}}.pgn\"\nwait = 1\n\
             token-file = \"{token}\"\n\
             [[air]]\nname = \"tree\"\nkind = \"livechess\"\nfolder = \"{tree}\"\nwait = 1\n\
             [[air]]\nname = \"plain\"\nkind = \"folder\"\nfolder = \"{plain}\"\nwait = 0\n",
            site = evening.site.address,
            token = evening.path("token").display(),
            tree = evening.path("tree").display(),
            plain = evening.path("plain").display(),
        );
        fs::write(evening.path("escaque.toml"), config).expect("writable");
        evening
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn daemon(&self) -> Daemon {
        self.daemon_with(&[])
    }

    fn daemon_with(&self, more: &[&str]) -> Daemon {
        let (config, ports) = (self.path("escaque.toml"), self.path("board-*"));
        let [config, ports] = [config, ports].map(|path| path.display().to_string());
        Daemon::start(&self.path("state"), &[&["--config", &config, "--port", &ports], more].concat())
    }

    /// Opens a blitz round in which a move that is not legal stands once it was answered, and seats everybody.
    fn seat(&self, daemon: &Daemon) {
        let rules = json!({ "time_class": "blitz", "supervision": "limited" });
        done(
            daemon,
            json!({ "command": "open_round", "event": "open", "round": 1, "title": "Open", "site": "Wien", "rules": rules }),
        );
        for table in 1..=TABLES {
            let at = format!("open/1/{table}");
            let [white, black] = ["White", "Black"].map(|side| json!({ "name": format!("{side}, {table}") }));
            done(daemon, json!({ "command": "pair", "table": at, "white": white, "black": black }));
            done(daemon, json!({ "command": "assign", "table": at, "board": (20_000 + u32::from(table)).to_string() }));
            if table > 1 {
                done(daemon, json!({ "command": "new_game", "table": at }));
            }
        }
    }

    /// At table 1, with hands: two moves, a knight that jumps too far, and an answer to it.
    fn play_what_is_not_legal(&self, daemon: &Daemon) {
        let mut board = Board::put_up(&self.path("board-1"), 20_001, &[]);
        let line = || {
            let view = daemon.snapshot();
            let table = view.tables.into_iter().find(|table| table.table.table == 1);
            table.map(|table| table.line.first(table.settled).to_string()).unwrap_or_default()
        };
        let heard = || daemon.log().contains("board found").then_some(());
        until("the board", heard);
        for (hand, expected) in [
            ("move e2e4", "e4"),
            ("move e7e5", "e4 e5"),
            ("lift g1\nplace g3 N\npress", ""),
            ("lift b8\nplace c6 n\npress", "Nc6"),
        ] {
            board.say(hand);
            until(hand, || line().ends_with(expected).then_some(()));
        }
        done(daemon, json!({ "command": "result", "table": "open/1/1", "result": "1/2-1/2" }));
        board.take_down();
    }

    /// What lies in the folders, and what the site was handed, is what was told to the broadcast.
    fn compare_folders(&self, daemon: &Daemon) {
        let whole = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 1-0";
        let read = |path: &str| fs::read_to_string(self.path(path)).unwrap_or_default();
        until("the files", || (read("tree/open/round-1/games.pgn").matches(whole).count() == 39).then_some(()));
        until("the files", || (read("plain/open/1.pgn").matches(whole).count() == 39).then_some(()));
        assert!(read("tree/open/round-1/game-40.pgn").contains(whole) && read("plain/open/1-40.pgn").contains(whole));
        let index: Value = until("the index", || {
            let index: Value = serde_json::from_str(&read("tree/open/round-1/index.json")).expect("JSON");
            (index["pairings"][0]["result"] == "1/2-1/2").then_some(index)
        });
        assert_eq!(index["pairings"].as_array().expect("a list").len(), usize::from(TABLES));
        assert_eq!(
            (&index["pairings"][0]["result"], &index["pairings"][39]["result"]),
            (&json!("1/2-1/2"), &json!("1-0"))
        );
        let names = fs::read_dir(self.path("tree/open/round-1")).expect("it is there").count();
        assert_eq!(names, usize::from(TABLES) + 2, "no draft is left");
        until("the document", || {
            let told = self.site.told();
            told.documents.get("/live/open/1.pgn").filter(|text| text.matches(whole).count() == 39).map(|_| ())
        });
        // A table that is taken off the air is gone from all of them.
        done(daemon, json!({ "command": "withhold", "player": "White, 40" }));
        until("it to go", || (!self.path("tree/open/round-1/game-40.pgn").exists()).then_some(()));
        until("it to go", || {
            (!self.site.games().contains_key("open/1/40") && self.site.games().len() == 39).then_some(())
        });
    }

    /// What `escaque air` says.
    fn checked(&self) -> String {
        let output = escaque().args(["air", "--state"]).arg(self.path("state")).output().expect("the program starts");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// The token is in no log, on no page and in nothing that is kept.
    fn assert_kept_secret(&self, said: &str) {
        assert!(!said.contains(TOKEN), "{said}");
        let mut folders = vec![self.path("state")];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).expect("a folder").flatten() {
                if entry.path().is_dir() {
                    folders.push(entry.path());
                } else {
                    let bytes = fs::read(entry.path()).unwrap_or_default();
                    let is_in = bytes.windows(TOKEN.len()).any(|bytes| bytes == TOKEN.as_bytes());
                    assert!(!is_in, "{}", entry.path().display());
                }
            }
        }
    }
}

fn done(daemon: &Daemon, order: Value) {
    let (status, answer) = daemon.order(&order);
    assert_eq!(status, 200, "{order}: {answer}");
}

fn insert(daemon: &Daemon, table: u16, moves: &[&str]) {
    done(daemon, json!({ "command": "insert", "table": format!("open/1/{table}"), "moves": moves }));
}

/// Waits until the broadcast shows these moves.
fn told(site: &Site, table: u16, line: &str) {
    let id = format!("open/1/{table}");
    until(line, || site.games().get(&id).filter(|(told, _)| told == line).map(|_| ()));
}

fn raw(address: &str, text: &str) -> String {
    use std::io::{Read as _, Write as _};
    let mut stream = std::net::TcpStream::connect(address).expect("it listens");
    stream.write_all(text.as_bytes()).expect("it reads");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("it answers");
    answer
}
