//! What the journal promises, tried from outside: on real files, with a process that is killed and a disk that is full.

use std::{
    fs,
    io::{BufRead, BufReader},
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::Arc,
};

use escaque::journal::{Batch, Chapter, Committed, Entries, Journal, JournalError, Kept, Row, Scope};
use rusqlite::Connection;

/// Tells a second run of this test program which folder to work in.
const CHILD: &str = "ESCAQUE_TEST_STATE";

#[tokio::test]
async fn what_was_committed_is_there_after_opening_again() {
    let state = State::new();
    let (journal, past) = state.open();
    assert_eq!(past.chapters.keys().collect::<Vec<_>>(), [&Scope::Hall]);

    let committed = commit(&journal, batch(&round(3), 0, 2)).await.expect("the disk works");
    assert_eq!(committed.upto(), 2);
    let committed = commit(&journal, batch(&round(3), 2, 1)).await.expect("the disk works");
    assert_eq!(committed.upto(), 3);
    let committed = commit(&journal, batch(&Scope::Hall, 9, 1)).await.expect("the disk works");
    assert_eq!(committed.upto(), 1);
    drop(journal);

    let (_journal, past) = state.open();
    let chapter = &past.chapters[&round(3)];
    assert_eq!(numbers(chapter), [0, 1, 2]);
    assert_eq!(chapter.inputs[1], Row { t: 1, table: Some(7), body: r#"{"n":1}"#.to_owned() });
    assert_eq!(chapter.entries.len(), 2);
    assert_eq!(chapter.entries[1].build, "0.1.0-test");
    assert_eq!(chapter.entries[1].after, 3);
    assert_eq!(chapter.last_t, Some(2));
    assert!(chapter.last_wall_ms > Some(1_700_000_000_000), "the label is a time of day");
    assert_eq!(chapter.meta["scope"], "open/3");
    assert_eq!(numbers(&past.chapters[&Scope::Hall]), [9]);
}

#[test]
fn a_state_folder_is_made_with_those_above_it() {
    let state = State::new();
    let deep = state.path().join("var/lib/escaque");
    drop(Journal::open(&deep, "0.1.0-test").expect("folders may be made there"));
    assert!(deep.join("journal/hall.sqlite").is_file());
}

#[tokio::test]
async fn the_journal_is_read_while_the_daemon_writes() {
    let state = State::new();
    let (journal, _) = state.open();
    let _ = commit(&journal, batch(&round(1), 0, 3)).await.expect("the disk works");

    let all = Journal::read(state.path()).expect("reading takes no lock");
    assert_eq!(numbers(&all.chapters[&round(1)]), [0, 1, 2]);
    let one = Journal::read(&state.file(&round(1))).expect("one file can be read");
    assert_eq!(one.chapters.keys().collect::<Vec<_>>(), [&round(1)]);

    let _ = commit(&journal, batch(&round(1), 3, 1)).await.expect("a reader does not disturb the writer");
}

#[tokio::test]
async fn reading_leaves_no_traces() {
    let state = State::new();
    let (journal, _) = state.open();
    let _ = commit(&journal, batch(&round(1), 0, 3)).await.expect("the disk works");
    drop(journal);

    Journal::read(state.path()).expect("the journal is sound");
    let names = fs::read_dir(state.path().join("journal/open")).expect("it is a folder");
    let names = names.map(|entry| entry.expect("it can be listed").file_name()).collect::<Vec<_>>();
    assert_eq!(names, ["1.sqlite"]);
}

#[tokio::test]
async fn a_copied_file_knows_its_round_under_any_name() {
    let state = State::new();
    let (journal, _) = state.open();
    let _ = commit(&journal, batch(&round(5), 0, 1)).await.expect("the disk works");
    drop(journal);

    let copy = state.path().join("evidence?#100%.db");
    fs::copy(state.file(&round(5)), &copy).expect("the file can be copied");
    let past = Journal::read(&copy).expect("a copy can be read");
    assert_eq!(numbers(&past.chapters[&round(5)]), [0]);
}

#[test]
fn nothing_acknowledged_is_missing_after_twenty_kills() {
    let state = State::new();
    let mut next = 0;
    for kill in 1..=20 {
        let acknowledged = acknowledge_until_killed(state.path(), 5 * kill).unwrap_or(next);
        let read = Journal::read(state.path()).expect("a reader takes what a killed one left");
        let (_journal, past) = state.open();
        assert_eq!(read, past, "a reader and the next daemon see the same");
        let chapter = past.chapters.get(&round(1)).cloned().unwrap_or_default();

        let kept = chapter.inputs.len() as u64;
        assert_eq!(numbers(&chapter), (0..kept).collect::<Vec<_>>(), "a gap after kill {kill}");
        assert!(kept > acknowledged, "{acknowledged} was acknowledged, but only {kept} are kept after kill {kill}");
        assert_eq!(chapter.entries.len() as u64, kept, "an input without its entry after kill {kill}");
        next = kept;
    }
}

/// Starts a process that commits, waits for a number of acknowledgements, kills it, and gives the last one.
fn acknowledge_until_killed(state: &Path, enough: usize) -> Option<u64> {
    let mut child = again("child_commits_and_acknowledges")
        .env(CHILD, state)
        .stdout(Stdio::piped())
        .spawn()
        .expect("this program can be started again");
    let lines = BufReader::new(child.stdout.take().expect("it is piped")).lines();
    let mut acknowledged = lines.map_while(Result::ok).filter_map(|line| line.strip_prefix("ack ")?.parse().ok());
    let seen = acknowledged.by_ref().take(enough).last();
    child.kill().expect("the child runs");
    let last = acknowledged.last().or(seen);
    child.wait().expect("the child was killed");
    last
}

#[tokio::test]
#[ignore = "the child of the test that kills"]
async fn child_commits_and_acknowledges() {
    let Some(state) = std::env::var_os(CHILD) else { return };
    let (journal, past) = Journal::open(Path::new(&state), "0.1.0-test").expect("the killed one left a sound journal");
    let start = past.chapters.get(&round(1)).map_or(0, |chapter| chapter.inputs.len() as u64);
    println!(); // The test runner has written a name without an end of line.
    for n in start.. {
        let _ = commit(&journal, batch(&round(1), n, 1)).await.expect("the disk works");
        println!("ack {n}");
    }
}

#[tokio::test]
async fn a_thousand_tasks_are_kept_in_the_order_they_came() {
    let state = State::new();
    let (journal, _) = state.open();
    let journal = Arc::new(journal);
    let tasks = (0..1000)
        .map(|n| {
            let journal = Arc::clone(&journal);
            tokio::spawn(async move { commit(&journal, batch(&round(1 + (n % 2) as u16), n, 1)).await })
        })
        .collect::<Vec<_>>();
    for (n, task) in (0..).zip(tasks) {
        let committed = task.await.expect("no task panics").expect("the disk works");
        assert_eq!(committed.upto(), n / 2 + 1);
    }
    drop(journal);

    let past = Journal::read(state.path()).expect("the journal is sound");
    assert_eq!(numbers(&past.chapters[&round(1)]), (0..1000).step_by(2).collect::<Vec<_>>());
    assert_eq!(numbers(&past.chapters[&round(2)]), (1..1000).step_by(2).collect::<Vec<_>>());
}

#[test]
fn a_second_daemon_is_refused_and_the_first_goes_on() {
    let state = State::new();
    let (first, _) = state.open();
    let refused = Journal::open(state.path(), "0.1.0-test").expect_err("the folder is taken");
    assert!(matches!(refused, JournalError::InUse { .. }), "{refused}");
    drop(first);
    let _ = state.open();
}

#[tokio::test]
async fn what_was_written_can_not_be_edited() {
    let state = State::new();
    let (journal, _) = state.open();
    let _ = commit(&journal, batch(&round(1), 0, 2)).await.expect("the disk works");
    drop(journal);

    let editor = Connection::open(state.file(&round(1))).expect("any SQLite program can open it");
    for (edit, answer) in [
        ("UPDATE inputs SET body = '{}'", "inputs are never changed"),
        ("DELETE FROM inputs WHERE seq = 2", "inputs are never deleted"),
        ("UPDATE entries SET build = 'better'", "entries are never changed"),
        ("DELETE FROM entries", "entries are never deleted"),
        ("INSERT OR REPLACE INTO inputs VALUES (1, 0, 0, 1, '{}')", "inputs are never replaced"),
        ("INSERT OR REPLACE INTO entries VALUES (1, 0, 0, 0, 1, 1, '', '{}')", "entries are never replaced"),
    ] {
        let refused = editor.execute(edit, ()).expect_err(edit);
        assert!(refused.to_string().contains(answer), "{edit}: {refused}");
    }
    drop(editor);
    let past = Journal::read(state.path()).expect("the journal is sound");
    assert_eq!(numbers(&past.chapters[&round(1)]), [0, 1]);
}

#[tokio::test]
async fn a_truncated_a_scribbled_and_an_emptied_file_are_refused() {
    let state = State::new();
    let (journal, _) = state.open();
    for n in 0..50 {
        let _ = commit(&journal, batch(&round(1), n * 10, 10)).await.expect("the disk works");
    }
    drop(journal);
    let file = state.file(&round(1));
    let sound = fs::read(&file).expect("the file is there");

    let mut scribbled = sound.clone();
    scribbled[4096..8192].fill(0x5A);
    let mut beheaded = sound.clone();
    beheaded[..16].fill(0);
    let mut padded = sound.clone();
    padded.resize(sound.len() + 4096, 0);
    let pages = u32::try_from(padded.len() / 4096).expect("a small file");
    padded[28..32].copy_from_slice(&pages.to_be_bytes());
    for (name, damage) in [
        ("truncated", &sound[..sound.len() / 2]),
        ("cut to a few bytes", &sound[..50]),
        ("emptied", &[]),
        ("scribbled on", &scribbled),
        ("beheaded", &beheaded),
        ("given a page that belongs to nothing", &padded),
    ] {
        fs::write(&file, damage).expect("the file may be written");
        let refused = Journal::open(state.path(), "0.1.0-test").expect_err(name);
        let told = match name {
            "beheaded" => matches!(refused, JournalError::Foreign { .. }),
            _ => matches!(refused, JournalError::Damaged { .. }),
        };
        assert!(told, "{name}: {refused:?}");
        assert!(Journal::read(state.path()).is_err(), "a reader took what was {name}");
        assert_eq!(fs::read(&file).expect("the file is kept"), damage, "the evidence was touched: {name}");
    }

    fs::write(&file, &sound).expect("the file may be written");
    let (_journal, past) = state.open();
    assert_eq!(past.chapters[&round(1)].inputs.len(), 500);
}

#[tokio::test]
async fn a_log_without_its_file_is_not_taken_for_a_new_round() {
    let state = State::new();
    let (journal, _) = state.open();
    fs::create_dir_all(state.path().join("journal/open")).expect("the folder may be made");
    fs::write(state.path().join("journal/open/1.sqlite-wal"), "left over").expect("the file may be written");

    let refused = commit(&journal, batch(&round(1), 0, 1)).await.expect_err("the round's file has gone");
    assert!(matches!(refused, JournalError::Damaged { .. }), "{refused}");
}

#[test]
fn a_later_layout_is_refused_and_left_alone() {
    let state = State::new();
    drop(state.open());
    let hall = Connection::open(state.file(&Scope::Hall)).expect("the file is there");
    hall.execute_batch("PRAGMA user_version = 2").expect("the number can be set");
    drop(hall);

    let refused = Journal::open(state.path(), "0.1.0-test").expect_err("layout 2 is not known");
    let path = state.file(&Scope::Hall);
    assert_eq!(
        refused.to_string(),
        format!("{} was written by a later version of escaque (layout 2, this one knows 1)", path.display())
    );
    assert_eq!(refused.hint(), "install the later version again, or begin in another folder with --state");
}

#[test]
fn a_database_of_another_program_is_refused() {
    let state = State::new();
    let path = state.path().join("phonebook.sqlite");
    Connection::open(&path).and_then(|c| c.execute_batch("CREATE TABLE people (name)")).expect("SQLite works");
    let refused = Journal::read(&path).expect_err("it is a phone book");
    assert!(matches!(refused, JournalError::Foreign { .. }), "{refused}");
}

#[test]
fn a_file_where_the_folder_should_be_is_named() {
    let state = State::new();
    let path = state.path().join("state");
    fs::write(&path, "a letter").expect("the file may be written");
    for path in [path.clone(), path.join("below")] {
        let refused = Journal::open(&path, "0.1.0-test").expect_err("a file is in the way");
        assert!(matches!(refused, JournalError::WrongKind { wanted: "folder", .. }), "{refused:?}");
    }
}

#[test]
fn nothing_to_read_is_said() {
    let state = State::new();
    for path in [state.path().to_owned(), state.path().join("nowhere.sqlite")] {
        let refused = Journal::read(&path).expect_err("nothing is there");
        assert!(matches!(refused, JournalError::Missing { .. }), "{refused:?}");
    }
}

#[test]
fn a_folder_one_may_not_write_is_named() {
    let state = State::new();
    drop(state.open());
    fs::set_permissions(state.path(), fs::Permissions::from_mode(0o755)).expect("it is our folder");
    fs::set_permissions(state.path().join("lock"), fs::Permissions::from_mode(0o644)).expect("it is our file");

    let mut child = again("child_may_not_write");
    if rustix::process::geteuid().is_root() {
        let inner = child;
        child = Command::new("setpriv");
        child
            .args(["--reuid=65534", "--regid=65534", "--clear-groups"])
            .arg(inner.get_program())
            .args(inner.get_args());
    } else {
        fs::set_permissions(state.path().join("lock"), fs::Permissions::from_mode(0o444)).expect("it is our file");
        fs::set_permissions(state.path(), fs::Permissions::from_mode(0o555)).expect("it is our folder");
    }
    match child.env(CHILD, state.path()).output() {
        Ok(ran) => assert!(String::from_utf8_lossy(&ran.stdout).contains("1 passed"), "{ran:?}"),
        Err(cause) => println!("not tried: setpriv can't be started here: {cause}"),
    }
}

#[test]
#[ignore = "the child of the test with the forbidden folder"]
fn child_may_not_write() {
    let Some(state) = std::env::var_os(CHILD).map(PathBuf::from) else { return };
    let refused = Journal::open(&state, "0.1.0-test").expect_err("the folder is another's");
    assert!(matches!(refused, JournalError::Denied { .. }), "{refused:?}");
    let refused = Journal::open(&state.join("below"), "0.1.0-test").expect_err("nothing may be made there");
    assert!(matches!(refused, JournalError::Denied { .. }), "{refused:?}");
    Journal::read(&state).expect("reading is allowed");
}

#[tokio::test]
async fn a_full_disk_stops_the_journal_and_loses_nothing_acknowledged() {
    let state = State::new();
    let Some(disk) = SmallDisk::mount(&state.path().join("disk")) else {
        println!("not tried: a small disk can't be mounted here");
        return;
    };
    let (journal, _) = Journal::open(&disk.0, "0.1.0-test").expect("there is room at first");
    let mut acknowledged = 0;
    let full = loop {
        match commit(&journal, batch(&round(1), acknowledged * 100, 100)).await {
            Ok(_) => acknowledged += 1,
            Err(full) => break full,
        }
    };
    assert!(matches!(full, JournalError::Full { .. }), "{full:?}");
    assert_eq!(full.hint(), "make room on the disk and start escaque again: it goes on where it was");

    let still = commit(&journal, batch(&Scope::Hall, 0, 1)).await.expect_err("nothing is tried again");
    assert!(matches!(still, JournalError::Stopped { .. }), "{still:?}");
    assert!(still.to_string().starts_with("the journal has stopped: the disk is full"), "{still}");
    drop(journal);

    disk.grow();
    let (journal, past) = Journal::open(&disk.0, "0.1.0-test").expect("there is room again");
    let chapter = &past.chapters[&round(1)];
    assert!(chapter.inputs.len() as u64 >= acknowledged * 100 && acknowledged > 0);
    assert_eq!(numbers(chapter), (0..chapter.inputs.len() as u64).collect::<Vec<_>>());
    let _ = commit(&journal, batch(&round(1), 0, 1)).await.expect("it goes on");
}

/// A disk of one mebibyte, in memory.
struct SmallDisk(PathBuf);

impl SmallDisk {
    fn mount(at: &Path) -> Option<SmallDisk> {
        fs::create_dir(at).expect("the folder may be made");
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", "size=1m", "none"]).arg(at).stderr(Stdio::null());
        mount.status().ok().filter(|status| status.success()).map(|_| SmallDisk(at.to_owned()))
    }

    fn grow(&self) {
        let grown = Command::new("mount").args(["-o", "remount,size=8m"]).arg(&self.0).status();
        assert!(grown.expect("mount was there before").success());
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&self.0).status();
    }
}

#[tokio::test]
async fn an_event_that_can_be_no_folder_is_refused_alone() {
    let state = State::new();
    let (journal, _) = state.open();
    let scope = Scope::Round { event: "../../etc".to_owned(), round: 1 };
    let refused = commit(&journal, batch(&scope, 0, 1)).await.expect_err("it leaves the folder");
    assert!(matches!(refused, JournalError::BadName { .. }), "{refused}");
    let _ = commit(&journal, batch(&round(1), 0, 1)).await.expect("the others go on");
}

struct State(tempfile::TempDir);

impl State {
    fn new() -> State {
        State(tempfile::tempdir().expect("a folder for the test"))
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn file(&self, scope: &Scope) -> PathBuf {
        scope.path(self.path()).expect("the name is fit for a folder")
    }

    fn open(&self) -> (Journal, escaque::journal::Past) {
        Journal::open(self.path(), "0.1.0-test").expect("the folder is ours and sound")
    }
}

fn round(round: u16) -> Scope {
    Scope::Round { event: "open".to_owned(), round }
}

/// Inputs numbered from `first` on, and one entry.
fn batch(scope: &Scope, first: u64, count: u64) -> Batch {
    let row = |n: u64| Row { t: n, table: Some(7), body: format!(r#"{{"n":{n}}}"#) };
    let kept = Kept { t: first, table: Some(7), game: 1, body: format!(r#"{{"ply":{first}}}"#) };
    Batch { scope: scope.clone(), inputs: (first..first + count).map(row).collect(), entries: vec![kept] }
}

async fn commit(journal: &Journal, batch: Batch) -> Result<Committed<Entries>, JournalError> {
    journal.commit(vec![batch], Entries::default()).await
}

fn numbers(chapter: &Chapter) -> Vec<u64> {
    let number = |row: &Row| row.body.trim_matches(|c: char| !c.is_ascii_digit()).parse().expect("we wrote a number");
    chapter.inputs.iter().map(number).collect()
}

/// This test program, told to run one of its ignored tests.
fn again(test: &str) -> Command {
    let mut program = Command::new(std::env::current_exe().expect("the system knows this program"));
    program.args(["--exact", test, "--ignored", "--nocapture"]);
    program
}
