//! Journals of the first layout: a row of JSON for each input and each entry, without a chain. They are read as far as
//! they can be, and go on in the layout of today.

use hall::Scope;
use protocol::feed::TableEvent;

use super::{Batch, Row, Said, chapter::Chapter, store::Store};

/// What a file of the first layout says, and why it could not be read to its end.
pub(super) fn read(store: &Store, scope: &Scope, id: &str) -> (Chapter, Option<String>) {
    let mut chapter = Chapter::begin(scope.clone(), id);
    let mut broken = store.check().err().map(|error| error.what());
    if let Err(error) = store.ask("read", |connection| read_into(connection, &mut chapter)) {
        broken.get_or_insert(error.what());
    }
    (chapter, broken)
}

/// Commits of then become leaves of now: what was written in one millisecond was written together.
fn read_into(connection: &rusqlite::Connection, chapter: &mut Chapter) -> rusqlite::Result<()> {
    let snapshot = connection.unchecked_transaction()?;
    let mut inputs = snapshot.prepare("SELECT seq, t_ms, wall_ms, body FROM inputs ORDER BY seq")?;
    let mut entries = snapshot.prepare("SELECT after_input, wall_ms, build, body FROM entries ORDER BY seq")?;
    let (mut inputs, mut entries) = (inputs.query(())?, entries.query(())?);
    let mut next_entry = entry(entries.next()?)?;
    let mut together = Together { batch: empty(chapter), wall_ms: 0, seq: 0, build: "layout 1".to_owned() };
    while let Some(row) = inputs.next()? {
        let (seq, wall_ms) = (row.get::<_, u64>(0)?, row.get(2)?);
        while let Some(Told { after, .. }) = &next_entry
            && *after < seq
        {
            together.tell(next_entry.take());
            next_entry = entry(entries.next()?)?;
        }
        if wall_ms != together.wall_ms || !together.batch.entries.is_empty() {
            together.put_into(chapter);
        }
        (together.wall_ms, together.seq) = (wall_ms, seq);
        let body = row.get_ref(3)?.as_str()?;
        together.batch.inputs.push(Row { t: row.get(1)?, said: Said::read(body) });
    }
    while next_entry.is_some() {
        together.tell(next_entry.take());
        next_entry = entry(entries.next()?)?;
    }
    together.put_into(chapter);
    Ok(())
}

/// An entry as it was kept.
struct Told {
    after: u64,
    build: String,
    body: String,
}

fn entry(row: Option<&rusqlite::Row<'_>>) -> rusqlite::Result<Option<Told>> {
    row.map(|row| Ok(Told { after: row.get(0)?, build: row.get(2)?, body: row.get(3)? })).transpose()
}

/// What was committed together.
struct Together {
    batch: Batch,
    wall_ms: u64,
    seq: u64,
    build: String,
}

impl Together {
    fn tell(&mut self, told: Option<Told>) {
        let Some(Told { build, body, .. }) = told else { return };
        self.build = build;
        match serde_json::from_str::<TableEvent>(&body) {
            Ok(told) => self.batch.entries.push(told),
            Err(_) => tracing::error!("an entry of the journal can't be read: {body}"),
        }
    }

    fn put_into(&mut self, chapter: &mut Chapter) {
        let batch = std::mem::replace(&mut self.batch, empty(chapter));
        if !batch.inputs.is_empty() || !batch.entries.is_empty() {
            chapter.add(&[&batch], &self.build, self.wall_ms);
        }
    }
}

fn empty(chapter: &Chapter) -> Batch {
    Batch { scope: chapter.scope().clone(), inputs: Vec::new(), entries: Vec::new() }
}
