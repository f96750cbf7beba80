//! What the journal promises, tried from outside: on real files, with a process that is killed and a disk that is full.

use std::{
    fs,
    io::{BufRead, BufReader, Write},
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::Arc,
};

use escaque::journal::{self, Batch, Chapter, Committed, Entries, Journal, JournalError, Row, Said};
use hall::{Input, Scope};
use protocol::feed::{Entry, TableEvent, TableId};
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
    assert_eq!(chapter.entries().iter().map(|(after, _)| *after).collect::<Vec<_>>(), [2, 3]);
    assert_eq!(chapter.last_t(), Some(2));
    assert!(chapter.last_wall_ms() > Some(1_700_000_000_000), "the label is a time of day");
    assert_eq!(chapter.scope(), &round(3));
    assert_eq!(numbers(&past.chapters[&Scope::Hall]), [9]);
}

#[tokio::test]
async fn what_is_noted_at_a_stop_and_a_start_moves_no_moment_of_the_record() {
    for heard_last in [round(3), Scope::Hall] {
        let state = State::new();
        let (journal, _) = state.open();
        let _ = commit(&journal, batch(&round(3), 0, 1)).await.expect("the disk works");
        let _ = commit(&journal, batch(&heard_last, 1, 1)).await.expect("the disk works");
        let before = Journal::read(state.path()).expect("reading takes no lock").last_moment();
        assert_eq!(before.map(|last| last.t), Some(1));
        std::thread::sleep(std::time::Duration::from_millis(20));
        drop(journal);

        let (journal, past) = state.open();
        assert_eq!(past.last_moment(), before, "the hour of the stop is not that of what was heard last");
        let noted = past.chapters[&Scope::Hall].last_wall_ms();
        assert!(noted > before.map(|last| last.wall_ms), "the end of the round's file was noted");
        drop(journal);
        let (_journal, past) = Journal::open_shelved(state.path(), "0.1.0-test").expect("it is there");
        assert_eq!((past.shelved.len(), past.last_moment()), (1, before));
    }
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
        let seen = [&read, &past].map(|past| past.chapters.get(&round(1)));
        assert_eq!(seen[0], seen[1], "a reader and the next daemon see the same");
        let Some(chapter) = past.chapters.get(&round(1)) else { continue };

        let kept = chapter.end().inputs;
        assert_eq!(numbers(chapter), (0..kept).collect::<Vec<_>>(), "a gap after kill {kill}");
        assert!(kept > acknowledged, "{acknowledged} was acknowledged, but only {kept} are kept after kill {kill}");
        assert_eq!(chapter.end().entries, kept, "an input without its entry after kill {kill}");
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
    let start = past.chapters.get(&round(1)).map_or(0, |chapter| chapter.end().inputs);
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
        assert!(committed.upto() > n / 2, "{} {n}", committed.upto());
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
        ("UPDATE leaves SET told = x'00'", "leaves are never changed"),
        ("DELETE FROM leaves WHERE leaf = 1", "leaves are never deleted"),
        ("INSERT OR REPLACE INTO leaves VALUES (1, 0, 0, 0, 1, x'', x'', x'')", "leaves are never replaced"),
    ] {
        let refused = editor.execute(edit, ()).expect_err(edit);
        assert!(refused.to_string().contains(answer), "{edit}: {refused}");
    }
    drop(editor);
    let past = Journal::read(state.path()).expect("the journal is sound");
    assert_eq!(numbers(&past.chapters[&round(1)]), [0, 1]);
}

#[tokio::test]
async fn a_damaged_file_is_named_kept_and_what_is_proven_of_it_goes_on() {
    let state = State::new();
    let (journal, _) = state.open();
    for n in 0..200 {
        let _ = commit(&journal, batch(&round(1), n * 10, 10)).await.expect("the disk works");
    }
    drop(journal);
    let file = state.file(&round(1));
    let sound = fs::read(&file).expect("the file is there");
    let positions = ["positions-1", "positions-2"].map(|name| state.path().join("journal").join(name));
    let known = positions.each_ref().map(|path| fs::read(path).expect("it was written"));

    let mut scribbled = sound.clone();
    scribbled[sound.len() - 4096..].fill(0x5A);
    let mut beheaded = sound.clone();
    beheaded[..16].fill(0);
    let mut flipped = sound.clone();
    flipped[sound.len() / 2] ^= 4;
    for (name, damage) in [
        ("truncated", &sound[..sound.len() / 2]),
        ("cut to a few bytes", &sound[..50]),
        ("emptied", &[]),
        ("scribbled on", &scribbled),
        ("beheaded", &beheaded),
        ("changed in one bit", &flipped),
    ] {
        fs::write(&file, damage).expect("the file may be written");
        let read = Journal::read(state.path()).expect("what is proven is read");
        assert_eq!(read.findings.len(), 1, "{name}: {:?}", read.findings);
        let (journal, past) = state.open();
        assert_eq!(past.findings.len(), 1, "{name}: {:?}", past.findings);
        assert!(past.findings[0].contains("inputs") && past.findings[0].contains("2000"), "{}", past.findings[0]);
        let kept = numbers(&past.chapters[&round(1)]);
        assert_eq!(kept, (0..kept.len() as u64).collect::<Vec<_>>(), "{name}");
        let _ = commit(&journal, batch(&round(1), kept.len() as u64, 1)).await.expect("it goes on");
        drop(journal);
        let (_, past) = state.open();
        assert_eq!(past.findings, Vec::<String>::new(), "{name}: it is put right");
        assert_eq!(numbers(&past.chapters[&round(1)]).len(), kept.len() + 1);
        let beside = fs::read_dir(file.parent().expect("a folder")).expect("it can be listed");
        let beside = beside.map(|entry| entry.expect("it can be listed").path()).filter(|path| *path != file);
        let beside = beside.collect::<Vec<_>>();
        assert!(beside.iter().any(|path| fs::read(path).expect("it is kept") == damage), "no evidence: {name}");
        beside.iter().for_each(|path| fs::remove_file(path).expect("it is ours"));
        fs::write(&file, &sound).expect("the file may be written");
        positions.iter().zip(&known).for_each(|(path, known)| fs::write(path, known).expect("it may be written"));
    }
    let (_journal, past) = state.open();
    assert_eq!((past.findings.len(), past.chapters[&round(1)].end().inputs), (0, 2000));
}

#[tokio::test]
async fn a_file_that_is_gone_shorter_or_another_is_found_at_the_start() {
    for what in ["gone", "older", "another's"] {
        let state = State::new();
        let (journal, _) = state.open();
        let _ = commit(&journal, batch(&round(1), 0, 10)).await.expect("the disk works");
        let _ = commit(&journal, batch(&round(2), 0, 10)).await.expect("the disk works");
        drop(journal);
        let older = fs::read(state.file(&round(1))).expect("it is there");
        let (journal, past) = state.open();
        assert_eq!(past.findings, Vec::<String>::new());
        let _ = commit(&journal, batch(&round(1), 10, 10)).await.expect("the disk works");
        drop(journal);
        let file = state.file(&round(1));
        match what {
            "gone" => fs::remove_file(&file).expect("it is ours"),
            "older" => fs::write(&file, &older).expect("it is ours"),
            _ => drop(fs::copy(state.file(&round(2)), &file).expect("it is ours")),
        }
        let (_, past) = state.open();
        assert_eq!(past.findings.len(), 1, "{what}: {:?}", past.findings);
        let proven = if what == "older" { 10 } else { 0 };
        assert_eq!(past.chapters[&round(1)].end().inputs, proven, "{what}");
        assert!(past.findings[0].contains(&format!("{} to 20", proven + 1)), "{}", past.findings[0]);
    }
}

#[tokio::test]
async fn a_log_with_a_changed_bit_loses_nothing_in_silence() {
    let state = State::new();
    let (journal, _) = state.open();
    for n in 0..20 {
        let _ = commit(&journal, batch(&round(1), n, 1)).await.expect("the disk works");
    }
    // What a kill leaves: the file without its log in it.
    let left = State::new();
    copy(state.path(), left.path());
    drop(journal);
    let log = left.file(&round(1)).with_extension("sqlite-wal");
    let mut bytes = fs::read(&log).expect("there is a log");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&log, &bytes).expect("it is ours");
    let (_, past) = left.open();
    assert_eq!(past.findings.len(), 1, "{:?}", past.findings);
    let proven = past.chapters[&round(1)].end().inputs;
    assert!(proven < 20 && past.findings[0].contains("20"), "{proven}: {}", past.findings[0]);
}

fn copy(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).expect("it can be listed").map(|entry| entry.expect("it can be listed")) {
        let there = to.join(entry.file_name());
        if entry.path().is_dir() {
            fs::create_dir_all(&there).expect("it is ours");
            copy(&entry.path(), &there);
        } else if entry.file_name() != "lock" {
            fs::copy(entry.path(), &there).expect("it is ours");
        }
    }
}

#[tokio::test]
async fn a_file_that_is_removed_or_replaced_while_it_is_written_is_written_again() {
    for what in ["removed", "replaced", "cut"] {
        let state = State::new();
        let (journal, _) = state.open();
        let _ = commit(&journal, batch(&round(1), 0, 10)).await.expect("the disk works");
        let mut health = journal.health();
        let file = state.file(&round(1));
        match what {
            "removed" => fs::remove_file(&file).expect("it is ours"),
            "replaced" => {
                fs::write(file.with_extension("other"), "something else").expect("it is ours");
                fs::rename(file.with_extension("other"), &file).expect("it is ours");
            }
            _ => fs::File::options().write(true).open(&file).and_then(|file| file.set_len(100)).expect("it is ours"),
        }
        let said = health.wait_for(|health| !health.findings.is_empty()).await.expect("it writes").findings.clone();
        assert!(said[0].contains("its 10 inputs"), "{what}: {said:?}");
        let _ = commit(&journal, batch(&round(1), 10, 1)).await.expect("it goes on");
        drop(journal);
        let (_, past) = state.open();
        assert_eq!(past.findings, Vec::<String>::new(), "{what}");
        assert_eq!(numbers(&past.chapters[&round(1)]), (0..11).collect::<Vec<_>>(), "{what}");
    }
}

#[tokio::test]
async fn a_copy_made_while_the_daemon_writes_is_proven_and_mends_what_is_damaged() {
    let (state, spare) = (State::new(), State::new());
    let (journal, _) = state.open();
    let _ = commit(&journal, batch(&round(1), 0, 10)).await.expect("the disk works");
    let copied = Journal::copy(state.path(), spare.path()).expect("reading takes no lock");
    assert_eq!(copied.findings, Vec::<String>::new());
    let _ = commit(&journal, batch(&round(1), 10, 1)).await.expect("the disk works");
    drop(journal);
    assert!(matches!(Journal::copy(state.path(), spare.path()), Err(JournalError::Taken { .. })));

    let (journal, past) = spare.open();
    assert_eq!((past.findings.len(), numbers(&past.chapters[&round(1)]).len()), (0, 10));
    let _ = commit(&journal, batch(&round(1), 10, 5)).await.expect("another machine goes on");
    drop(journal);
    fs::write(state.file(&round(1)), "nonsense").expect("it is ours");
    let said = Journal::mend(state.path(), Some(spare.path())).expect("nobody writes it");
    assert_eq!((said.done.len(), said.left.len()), (2, 0), "{said:?}");
    let (_, past) = state.open();
    assert_eq!((past.findings.len(), numbers(&past.chapters[&round(1)]).len()), (0, 15));
}

#[tokio::test]
async fn a_journal_of_the_first_layout_goes_on_word_for_word() {
    let state = State::new();
    lay_out_as_once(&state.file(&Scope::Hall), include_str!("fixtures/layout-1/hall.sql"));
    lay_out_as_once(&state.file(&round(1)), include_str!("fixtures/layout-1/round.sql"));
    let once = texts_of_once(&state.file(&Scope::Hall)).into_iter().chain(texts_of_once(&state.file(&round(1))));
    let once = once.collect::<Vec<_>>();
    assert!(once[1].contains(r#""input":"invited""#) && once[2].contains(r#""by":{"role":"operator""#), "{once:?}");

    let read = Journal::read(state.path()).expect("it is read as it is");
    let (journal, past) = state.open();
    assert_eq!(read.chapters[&round(1)].entries(), past.chapters[&round(1)].entries());
    assert_eq!(past.chapters.values().flat_map(texts).collect::<Vec<_>>(), once);
    let _ = commit(&journal, batch(&round(1), 9_000, 1)).await.expect("it goes on");
    drop(journal);

    let (_, past) = state.open();
    assert_eq!(past.findings, Vec::<String>::new());
    let texts = past.chapters.values().flat_map(texts).collect::<Vec<_>>();
    assert_eq!(texts[..once.len()], once);
    let (hall, round) = (&past.chapters[&Scope::Hall], &past.chapters[&round(1)]);
    assert_eq!((hall.end().inputs, round.end().inputs, round.end().entries), (4, 4, 5));
    let orders = hall.record_of(|_| true).0.into_inner().done;
    assert_eq!(orders.len(), 3, "whoever gave them: {orders:?}");
    let kept = fs::read_dir(state.path().join("journal")).expect("it is a folder");
    let kept = kept.map(|entry| entry.expect("it can be listed").path());
    let name = |path: &PathBuf| path.to_string_lossy().into_owned();
    let kept = kept.filter(|path| name(path).contains("hall.sqlite.layout-1-") && name(path).ends_with("-1"));
    let kept = kept.collect::<Vec<_>>();
    assert_eq!(kept.len(), 1, "{kept:?}");
    assert_eq!(texts_of_once(&kept[0])[..], once[..4], "the old file is as it was");
}

/// A file as the daemon wrote it when the journal had its first layout.
fn lay_out_as_once(path: &Path, written: &str) {
    fs::create_dir_all(path.parent().expect("it is in a folder")).expect("the folder may be made");
    Connection::open(path).and_then(|file| file.execute_batch(written)).expect("SQLite reads what it wrote");
}

fn texts_of_once(path: &Path) -> Vec<String> {
    let file = Connection::open(path).expect("the file is there");
    let mut rows = file.prepare("SELECT body FROM inputs ORDER BY seq").expect("it has the first layout");
    let texts = rows.query_map((), |row| row.get(0)).expect("it can be read");
    texts.map(|text| text.expect("it is text")).collect()
}

/// The inputs of a chapter as they are written for people.
fn texts(chapter: &Chapter) -> Vec<String> {
    let mut inputs = chapter.inputs();
    let text = |row: Row| match row.said {
        Said::Input(input) => serde_json::to_string(&input).expect("inputs are plain data"),
        Said::Text(text) => text,
    };
    std::iter::from_fn(|| inputs.next_row()).map(text).collect()
}

#[test]
fn a_later_layout_is_refused_and_left_alone() {
    let state = State::new();
    drop(state.open());
    let hall = Connection::open(state.file(&Scope::Hall)).expect("the file is there");
    hall.execute_batch("PRAGMA user_version = 3").expect("the number can be set");
    drop(hall);

    let refused = Journal::open(state.path(), "0.1.0-test").expect_err("layout 3 is not known");
    let path = state.file(&Scope::Hall);
    assert_eq!(
        refused.to_string(),
        format!("{} was written by a later version of escaque (layout 3, this one knows 2)", path.display())
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
async fn a_full_disk_loses_nothing_and_is_written_again_when_there_is_room() {
    let state = State::new();
    let Some(disk) = SmallDisk::mount(&state.path().join("disk")) else {
        println!("not tried: a small disk can't be mounted here");
        return;
    };
    let (journal, _) = Journal::open(&disk.0, "0.1.0-test").expect("there is room at first");
    let mut health = journal.health();
    let mut next = 0;
    let mut held = loop {
        let mut pending = journal.hand_in(vec![batch(&round(1), next, 10_000)], Entries::default());
        next += 10_000;
        tokio::select! {
            done = pending.committed() => drop(done.expect("the thread goes on")),
            _ = health.wait_for(|health| health.outage.is_some()) => break pending,
        }
    };
    let outage = health.borrow().outage.clone().expect("the disk is full");
    assert!(outage.cause.contains("the disk is full") && outage.held >= 10_000, "{outage:?}");
    assert!(outage.sentence().starts_with("Nothing is being recorded since "), "{}", outage.sentence());
    disk.grow();
    let _ = held.committed().await.expect("it goes on by itself");
    health.wait_for(|health| health.outage.is_none()).await.expect("and says so");
    drop(journal);
    let past = Journal::read(&disk.0).expect("it is sound");
    assert_eq!(numbers(&past.chapters[&round(1)]), (0..next).collect::<Vec<_>>());
}

/// Neither the want of room nor a lock says anything against a file: it is read, and written to when it can be.
#[tokio::test]
async fn a_disk_that_is_full_at_the_start_costs_nothing_that_was_written() {
    for was_killed in [false, true] {
        let state = State::new();
        let Some(disk) = SmallDisk::mount(&state.path().join("disk")) else {
            println!("not tried: a small disk can't be mounted here");
            return;
        };
        let before = State::new();
        let (journal, _) = before.open();
        let _ = commit(&journal, batch(&Scope::Hall, 0, 3)).await.expect("the disk works");
        let _ = commit(&journal, batch(&round(1), 3, 3)).await.expect("the disk works");
        leave(journal, &before, &disk.0, was_killed);
        fs::write(disk.0.join("lock"), "").expect("there is room yet");
        let filler = disk.fill();

        let (journal, past) = Journal::open(&disk.0, "0.1.0-test").expect("it can be read");
        let read = past.chapters.values().map(numbers).collect::<Vec<_>>();
        assert_eq!((read, &past.findings[..]), (vec![vec![0, 1, 2], vec![3, 4, 5]], &[][..]), "{was_killed}");
        let mut health = journal.health();
        let outage = health.borrow().outage.clone().expect("nothing can be written");
        assert!(outage.cause.starts_with("the disk is full"), "{outage:?}");
        let mut pending = [batch(&Scope::Hall, 6, 1), batch(&round(1), 7, 1)]
            .map(|batch| journal.hand_in(vec![batch], Entries::default()));
        fs::remove_file(filler).expect("it was filled");
        for pending in &mut pending {
            let _ = pending.committed().await.expect("it goes on by itself");
        }
        health.wait_for(|health| health.outage.is_none()).await.expect("and says so");
        drop(journal);
        let past = Journal::read(&disk.0).expect("it is sound");
        let read = past.chapters.values().map(numbers).collect::<Vec<_>>();
        assert_eq!((read, &past.findings[..]), (vec![vec![0, 1, 2, 6], vec![3, 4, 5, 7]], &[][..]));
        assert_eq!(set_aside(&disk.0), [""; 0], "it went on in the same files");
    }
}

#[tokio::test]
async fn a_lock_of_somebody_else_keeps_nobody_from_starting() {
    for was_killed in [false, true] {
        let (before, state) = (State::new(), State::new());
        let (journal, _) = before.open();
        let _ = commit(&journal, batch(&Scope::Hall, 0, 3)).await.expect("the disk works");
        leave(journal, &before, state.path(), was_killed);
        let other = Connection::open(state.file(&Scope::Hall)).expect("it is a database");
        let locked = "PRAGMA locking_mode=EXCLUSIVE; BEGIN EXCLUSIVE; SELECT * FROM meta";
        other.execute_batch(locked).expect("nobody else has it");

        let (journal, past) = state.open();
        assert_eq!((numbers(&past.chapters[&Scope::Hall]), &past.findings[..]), (vec![0, 1, 2], &[][..]));
        let outage = journal.health().borrow().outage.clone().expect("nothing can be written");
        assert!(outage.cause.starts_with("another program is writing"), "{outage:?}");
        let mut pending = journal.hand_in(vec![batch(&Scope::Hall, 3, 1)], Entries::default());
        drop(other);
        let _ = pending.committed().await.expect("it goes on by itself");
        drop(journal);
        let past = Journal::read(state.path()).expect("it is sound");
        assert_eq!((numbers(&past.chapters[&Scope::Hall]), &past.findings[..]), (vec![0, 1, 2, 3], &[][..]));
        assert_eq!(set_aside(state.path()), [""; 0], "it went on in the same file");
    }
}

/// Puts elsewhere what a daemon leaves behind that was killed, or stopped.
fn leave(journal: Journal, state: &State, to: &Path, was_killed: bool) {
    // It is larger than the disks of tests.
    let _ = fs::remove_file(state.path().join("journal/ballast"));
    if was_killed {
        copy(state.path(), to);
        drop(journal);
    } else {
        drop(journal);
        copy(state.path(), to);
    }
}

/// What lies beside the files under another name.
fn set_aside(state: &Path) -> Vec<String> {
    let names = fs::read_dir(state.join("journal")).expect("it is there").map(|entry| entry.expect("it is there"));
    let names = names.map(|entry| entry.file_name().display().to_string());
    names.filter(|name| name.contains("damaged")).collect()
}

#[tokio::test]
async fn a_copy_brings_the_hall_back_that_a_start_had_to_begin_anew_and_what_came_since_stays() {
    for with_positions in [true, false] {
        let (state, spare) = (State::new(), State::new());
        let (journal, _) = state.open();
        let _ = commit(&journal, batch(&Scope::Hall, 0, 5)).await.expect("the disk works");
        let _ = commit(&journal, batch(&round(1), 5, 1)).await.expect("the disk works");
        drop(journal);
        Journal::copy(state.path(), spare.path()).expect("reading takes no lock");
        fs::remove_file(state.file(&Scope::Hall)).expect("it is ours");
        if !with_positions {
            ["positions-1", "positions-2"]
                .iter()
                .for_each(|name| fs::remove_file(state.path().join("journal").join(name)).expect("it is ours"));
        }
        let (journal, past) = state.open();
        assert!(past.findings[0].contains("hall.sqlite is gone"), "{:?}", past.findings);
        assert_eq!(past.chapters[&Scope::Hall].orders_lost_behind(), Some(0));
        let _ = commit(&journal, batch(&Scope::Hall, 9, 2)).await.expect("the disk works");
        drop(journal);

        let said = Journal::mend(state.path(), Some(spare.path())).expect("nobody writes it");
        assert!(said.left.is_empty() && said.done[0].contains("2 that came since"), "{said:?}");
        let again = Journal::mend(state.path(), Some(spare.path())).expect("nobody writes it");
        assert!(again.done.is_empty() && again.left.is_empty(), "{again:?}");
        let (_journal, past) = state.open();
        let hall = &past.chapters[&Scope::Hall];
        assert_eq!((numbers(hall), &past.findings[..]), (vec![0, 1, 2, 3, 4, 9, 10], &[][..]));
        assert_eq!(hall.entries().len(), 2, "and what was published from both");
        assert_eq!(hall.orders_lost_behind(), Some(5), "what came between the two nobody knows");
    }
}

#[tokio::test]
async fn a_copy_that_goes_as_far_as_the_hall_did_lacks_no_order_and_a_shorter_one_may() {
    for (later, lost_behind) in [(0, None), (1, Some(5))] {
        let (state, spare) = (State::new(), State::new());
        let (journal, _) = state.open();
        let _ = commit(&journal, batch(&Scope::Hall, 0, 5)).await.expect("the disk works");
        drop(journal);
        Journal::copy(state.path(), spare.path()).expect("reading takes no lock");
        let (journal, _) = state.open();
        if later > 0 {
            let _ = commit(&journal, batch(&Scope::Hall, 5, later)).await.expect("the disk works");
        }
        drop(journal);
        fs::write(state.file(&Scope::Hall), "nonsense").expect("it is ours");
        Journal::mend(state.path(), Some(spare.path())).expect("nobody writes it");
        let (_journal, past) = state.open();
        let hall = &past.chapters[&Scope::Hall];
        assert_eq!((numbers(hall), hall.orders_lost_behind()), (vec![0, 1, 2, 3, 4], lost_behind));
    }
}

#[tokio::test]
async fn a_round_that_has_gone_on_otherwise_than_the_copy_is_left_and_named() {
    let (state, spare) = (State::new(), State::new());
    let (journal, _) = state.open();
    let _ = commit(&journal, batch(&round(1), 0, 5)).await.expect("the disk works");
    drop(journal);
    Journal::copy(state.path(), spare.path()).expect("reading takes no lock");
    fs::write(state.file(&round(1)), "nonsense").expect("it is ours");
    let (journal, _) = state.open();
    let _ = commit(&journal, batch(&round(1), 9, 1)).await.expect("the disk works");
    drop(journal);
    let said = Journal::mend(state.path(), Some(spare.path())).expect("nobody writes it");
    assert!(said.done.is_empty() && said.left[0].contains("has 5 inputs that ours has not"), "{said:?}");
    assert_eq!(numbers(&Journal::read(state.path()).expect("it is sound").chapters[&round(1)]), [9]);
}

#[tokio::test]
async fn a_copy_for_which_there_is_no_room_says_so_and_leaves_nothing() {
    let state = State::new();
    let Some(disk) = SmallDisk::mount(&state.path().join("disk")) else {
        println!("not tried: a small disk can't be mounted here");
        return;
    };
    let journal = Journal::open(&state.path().join("state"), "0.1.0-test").expect("there is room").0;
    for n in 0..3 {
        let _ = commit(&journal, batch(&round(n), 0, 3_000)).await.expect("the disk works");
    }
    let filler = disk.fill();
    let size = fs::metadata(&filler).expect("it was filled").len();
    let copy = || Journal::copy(&state.path().join("state"), &disk.0.join("copy"));
    for room in [0, 4_096, 40_000, 100_000] {
        let file = fs::File::options().write(true).open(&filler).expect("it is ours");
        file.set_len(size - room).expect("it is ours");
        let error = copy().err().map(|error| error.advice()).unwrap_or_default();
        assert!(error.starts_with("there is no room for a copy in "), "{room} bytes: {error}");
        let left = fs::read_dir(&disk.0).expect("it is there").map(|entry| entry.expect("it is there").file_name());
        assert_eq!(left.collect::<Vec<_>>(), ["filler"], "{room} bytes");
    }
    fs::remove_file(filler).expect("it was filled");
    assert_eq!(copy().expect("nothing is in the way").findings, [""; 0]);
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

    /// To the last byte.
    fn fill(&self) -> PathBuf {
        let path = self.0.join("filler");
        let mut filler = fs::File::create(&path).expect("there is room yet");
        for size in [1 << 12, 1] {
            while filler.write_all(&vec![0; size]).is_ok() {}
        }
        path
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
        journal::file(scope, self.path()).expect("the name is fit for a folder")
    }

    fn open(&self) -> (Journal, journal::Past) {
        Journal::open(self.path(), "0.1.0-test").expect("the folder is ours and sound")
    }
}

fn round(round: u16) -> Scope {
    Scope::Round { event: "open".to_owned(), round }
}

/// Inputs numbered from `first` on, and one entry.
fn batch(scope: &Scope, first: u64, count: u64) -> Batch {
    let (event, round) = match scope {
        Scope::Hall => ("hall".to_owned(), 1),
        Scope::Round { event, round } => (event.clone(), *round),
    };
    let table = TableId { event, round, table: 7 };
    let row = |t: u64| Row { t, said: Input::Elapsed { table: table.clone() }.into() };
    let event = Entry::State { state: protocol::feed::State::Playing }.into();
    let told = TableEvent { table: Some(table.clone()), t: first, event };
    Batch { scope: scope.clone(), inputs: (first..first + count).map(row).collect(), entries: vec![told] }
}

async fn commit(journal: &Journal, batch: Batch) -> Result<Committed<Entries>, JournalError> {
    journal.commit(vec![batch], Entries::default()).await
}

fn numbers(chapter: &Chapter) -> Vec<u64> {
    let mut inputs = chapter.inputs();
    std::iter::from_fn(|| inputs.next_row()).map(|row| row.t).collect()
}

/// This test program, told to run one of its ignored tests.
fn again(test: &str) -> Command {
    let mut program = Command::new(std::env::current_exe().expect("the system knows this program"));
    program.args(["--exact", test, "--ignored", "--nocapture"]);
    program
}
