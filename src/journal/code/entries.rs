//! Entries: each stands for itself, so that a record is read without the inputs it follows from.

use protocol::feed::{Entry, Event, TableEvent, TableId};

use crate::bytes::{Bytes, Unreadable, put_difference, put_number, put_text};
use hall::Scope;

const JSON: u8 = 0;
const FINAL: u8 = 1;
const INSTANTS: u8 = 2;

const CLOCK: u8 = 1;
const INFERRED: u8 = 2;
const ILLEGAL: u8 = 4;

const TOUCHED: u8 = 1;
const PLACED: u8 = 2;
const PRESSED: u8 = 4;

/// Adds an entry of a file to `out`.
pub(in crate::journal) fn write_entry(out: &mut Vec<u8>, scope: &Scope, told: &TableEvent) {
    let at = told.table.as_ref().filter(|id| scope.has(id));
    match (&told.event, at) {
        (Event::Entry(Entry::Final { ply, san, uci, fen, clock_ms, inferred, illegal }), Some(id)) => {
            out.push(FINAL);
            put_head(out, id, told.t, *ply);
            let flag = |set: bool, flag: u8| if set { flag } else { 0 };
            out.push(flag(clock_ms.is_some(), CLOCK) | flag(*inferred, INFERRED) | flag(*illegal, ILLEGAL));
            [san, uci, fen].into_iter().for_each(|text| put_text(out, text));
            clock_ms.iter().for_each(|ms| put_number(out, *ms));
        }
        (Event::Entry(Entry::Instants { ply, touched, placed, pressed, settled }), Some(id)) => {
            out.push(INSTANTS);
            put_head(out, id, told.t, *ply);
            let moments = [(touched, TOUCHED), (placed, PLACED), (pressed, PRESSED)];
            out.push(moments.iter().filter(|(at, _)| at.is_some()).map(|(_, flag)| flag).sum());
            moments.iter().filter_map(|(at, _)| **at).for_each(|at| put_difference(out, at, told.t));
            put_difference(out, *settled, told.t);
        }
        _ => {
            out.push(JSON);
            put_text(out, &serde_json::to_string(told).expect("entries are plain data"));
        }
    }
}

fn put_head(out: &mut Vec<u8>, id: &TableId, t: u64, ply: usize) {
    put_number(out, id.table.into());
    put_number(out, t);
    put_number(out, ply as u64);
}

/// All entries in these bytes, and how many of them this build can't read.
pub(in crate::journal) fn read_entries(
    bytes: &[u8],
    scope: &Scope,
    mut each: impl FnMut(TableEvent),
) -> Result<usize, Unreadable> {
    let (mut bytes, mut unread) = (Bytes { left: bytes }, 0);
    while !bytes.left.is_empty() {
        match bytes.byte()? {
            JSON => match serde_json::from_str(bytes.text()?) {
                Ok(told) => each(told),
                Err(_) => unread += 1,
            },
            FINAL => each(read_final(&mut bytes, scope)?),
            INSTANTS => each(read_instants(&mut bytes, scope)?),
            _ => return Err(Unreadable),
        }
    }
    Ok(unread)
}

fn read_final(bytes: &mut Bytes<'_>, scope: &Scope) -> Result<TableEvent, Unreadable> {
    let (table, t, ply) = (scope.table(bytes.small()?), bytes.number()?, bytes.small()?);
    let flags = bytes.byte()?;
    let mut text = || bytes.text().map(str::to_owned);
    let (san, uci, fen) = (text()?, text()?, text()?);
    let clock_ms = if flags & CLOCK == 0 { None } else { Some(bytes.number()?) };
    let (inferred, illegal) = (flags & INFERRED != 0, flags & ILLEGAL != 0);
    let event = Entry::Final { ply, san, uci, fen, clock_ms, inferred, illegal }.into();
    Ok(TableEvent { table, t, event })
}

fn read_instants(bytes: &mut Bytes<'_>, scope: &Scope) -> Result<TableEvent, Unreadable> {
    let (table, t, ply) = (scope.table(bytes.small()?), bytes.number()?, bytes.small()?);
    let flags = bytes.byte()?;
    let mut moment = |flag: u8| if flags & flag == 0 { Ok(None) } else { bytes.difference(t).map(Some) };
    let (touched, placed, pressed) = (moment(TOUCHED)?, moment(PLACED)?, moment(PRESSED)?);
    let event = Entry::Instants { ply, touched, placed, pressed, settled: bytes.difference(t)? }.into();
    Ok(TableEvent { table, t, event })
}
