//! Calls and answers, for all who are connected. Takes time as a value and opens nothing.

use std::collections::BTreeMap;

use protocol::board::{Lie, Observation};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Number, Value};

use super::{
    boards::{Boards, Known, straighten},
    reading::Reading,
    words::{
        BoardEvent, Call, ClockFaces, EBoard, Envelope, Flip, Given, Moves, OfFeed, OnFeed, Sentence, SetUp, Subscribe,
    },
};

/// Feeds of one client. The usual ones have one.
const MOST_FEEDS: usize = 16;

/// One moment: of the daemon's own time, and as a label for others.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moment {
    /// Core time.
    pub(super) at: u64,
    /// Milliseconds since 1970.
    pub(super) wall_ms: u64,
}

/// Who is connected.
pub(super) type Client = u64;

/// What is to be sent, and to whom.
pub(super) type Sent = (Client, String);

/// All that is said at the endpoint.
#[derive(Debug, Default)]
pub(super) struct Dialogue {
    boards: Boards,
    clients: BTreeMap<Client, BTreeMap<i64, Feed>>,
}

/// What one client hears of one board.
#[derive(Debug)]
struct Feed {
    serial: String,
    /// How the client says the board lies.
    turned: Option<Lie>,
    /// What was said last of board and clock.
    board: Option<String>,
    clock: Option<Option<ClockFaces>>,
    reading: Option<Reading>,
}

impl Dialogue {
    /// The list of boards, as it is served over HTTP.
    pub(super) fn list(&self) -> Vec<EBoard> {
        self.boards.list()
    }

    /// A client has gone.
    pub(super) fn leave(&mut self, client: Client) {
        self.clients.remove(&client);
    }

    /// A board at a port has said something.
    pub(super) fn hear(&mut self, serial: &str, port: &str, said: &Observation, now: Moment, out: &mut Vec<Sent>) {
        self.boards.hear(serial, port, said, now.wall_ms);
        let known = self.boards.get(serial).expect("it was heard");
        for (client, feeds) in &mut self.clients {
            for (id, feed) in feeds.iter_mut().filter(|(_, feed)| feed.serial == serial) {
                feed.hear(known, said, now);
                feed.tell(*client, *id, known, now, false, out);
            }
        }
    }

    /// Does what is due.
    pub(super) fn elapse(&mut self, now: Moment, out: &mut Vec<Sent>) {
        for (client, feeds) in &mut self.clients {
            for (id, feed) in feeds {
                let Some(known) = self.boards.get(&feed.serial) else { continue };
                if let Some(reading) =
                    feed.reading.as_mut().filter(|reading| reading.deadline().is_some_and(|at| at <= now.at))
                {
                    reading.elapse(now.at);
                    feed.tell(*client, *id, known, now, false, out);
                }
            }
        }
    }

    /// When there is something to do.
    pub(super) fn deadline(&self) -> Option<u64> {
        let feeds = self.clients.values().flat_map(BTreeMap::values);
        feeds.filter_map(|feed| feed.reading.as_ref()?.deadline()).min()
    }

    /// A client has said something. It is answered, whatever it was; nobody is hung up on.
    pub(super) fn say(&mut self, client: Client, said: &str, now: Moment, out: &mut Vec<Sent>) {
        let call = match serde_json::from_str::<Call>(said) {
            Ok(call) => call,
            Err(error) => return out.push((client, refused(None, format!("this is no call: {error}"), now))),
        };
        let id = call.number();
        match self.answer(client, call, now) {
            Ok((param, told)) => {
                out.push((client, envelope("call", id, param, now)));
                if let Some(feed) = told {
                    self.tell_whole(client, feed, now, out);
                }
            }
            Err(sentence) => out.push((client, refused(id, sentence, now))),
        }
    }

    /// A client has sent bytes that are no text.
    pub(super) fn refuse_bytes(&mut self, client: Client, now: Moment, out: &mut Vec<Sent>) {
        let sentence = "this is no call: calls are JSON in text messages, and this was a binary one";
        out.push((client, refused(None, sentence.to_owned(), now)));
    }

    /// What is answered, and the feed that speaks next.
    fn answer(&mut self, client: Client, call: Call, now: Moment) -> Result<(Given, Option<i64>), String> {
        match call.call.as_str() {
            "eboards" => Ok((Given::Boards(self.boards.list()), None)),
            "sources" => Ok((Given::Sources(self.boards.sources()), None)),
            "subscribe" => self.subscribe(client, read(call.param)?).map(|id| (Given::Nothing, Some(id))),
            "unsubscribe" => {
                let OfFeed { id } = read(call.param)?;
                let gone = self.clients.get_mut(&client).and_then(|feeds| feeds.remove(&id));
                gone.map(|_| (Given::Nothing, None)).ok_or_else(|| no_feed(id))
            }
            "call" => self.call_on(client, read(call.param)?, now).map(|id| (Given::Nothing, Some(id))),
            other => {
                Err(format!("\"{other}\" is unknown here: there are eboards, sources, subscribe, unsubscribe and call"))
            }
        }
    }

    fn subscribe(&mut self, client: Client, asked: Subscribe) -> Result<i64, String> {
        let Subscribe { feed, id, param } = asked;
        if feed != "eboardevent" {
            return Err(format!("there is no feed \"{feed}\": subscribe to eboardevent with a serialnr"));
        }
        if self.boards.get(&param.serialnr).is_none() {
            return Err(format!("there is no board {}: eboards lists those that were heard", param.serialnr));
        }
        let feeds = self.clients.entry(client).or_default();
        if feeds.len() >= MOST_FEEDS && !feeds.contains_key(&id) {
            return Err(format!("{MOST_FEEDS} feeds are open on this connection: unsubscribe from one first"));
        }
        feeds.insert(id, Feed { serial: param.serialnr, turned: None, board: None, clock: None, reading: None });
        Ok(id)
    }

    fn call_on(&mut self, client: Client, asked: OnFeed, now: Moment) -> Result<i64, String> {
        let OnFeed { id, method, param } = asked;
        let feed = self.clients.get_mut(&client).and_then(|feeds| feeds.get_mut(&id)).ok_or_else(|| no_feed(id))?;
        let known = self.boards.get(&feed.serial).ok_or_else(|| no_feed(id))?;
        match method.as_str() {
            "setup" => {
                let SetUp { fen } = read(param)?;
                feed.reading = Some(Reading::begin(&fen, known.straight(feed.lie(known)), now.at)?);
            }
            "flip" => {
                let Flip { flip } = read(param)?;
                feed.turned = Some(if flip { Lie::Turned } else { Lie::Straight });
                if let Some(reading) = feed.reading.take() {
                    feed.reading = Some(Reading::begin(reading.start(), known.straight(feed.lie(known)), now.at)?);
                }
            }
            other => return Err(format!("\"{other}\" is unknown here: there are setup and flip")),
        }
        Ok(id)
    }

    fn tell_whole(&mut self, client: Client, id: i64, now: Moment, out: &mut Vec<Sent>) {
        if let Some(feed) = self.clients.get_mut(&client).and_then(|feeds| feeds.get_mut(&id))
            && let Some(known) = self.boards.get(&feed.serial)
        {
            feed.tell(client, id, known, now, true, out);
        }
    }
}

impl Feed {
    fn lie(&self, known: &Known) -> Lie {
        self.turned.unwrap_or(known.lie())
    }

    fn hear(&mut self, known: &Known, said: &Observation, now: Moment) {
        let lie = self.lie(known);
        let Some(reading) = &mut self.reading else { return };
        let straight = known.straight(lie);
        let said = match said {
            Observation::Square { square, content } => {
                Observation::Square { square: straighten(*square, lie), content: *content }
            }
            Observation::Board(_) => match straight {
                Some(contents) => Observation::Board(Box::new(contents)),
                None => return,
            },
            Observation::Clock(_) | Observation::Link(_) => said.clone(),
        };
        reading.hear(said, straight, now.at);
    }

    /// Tells what has changed, a ply at a time; all of it where `whole` is asked for.
    fn tell(&mut self, client: Client, id: i64, known: &Known, now: Moment, whole: bool, out: &mut Vec<Sent>) {
        let lie = self.lie(known);
        let (board, clock) = (known.placement(lie), known.clock(lie));
        let has_moved = self.reading.as_mut().is_some_and(|reading| reading.go_on(now.at));
        let new_board = whole || board != self.board;
        let new_clock = self.clock.map(|told| told.map(same)) != Some(clock.map(same));
        if !(new_board || new_clock || has_moved) {
            return;
        }
        let moves = self.reading.as_ref().map(|reading| Moves {
            start: reading.start(),
            san: reading.san(),
            matches: reading.matches(),
        });
        let event = BoardEvent {
            serialnr: &self.serial,
            flipped: lie == Lie::Turned,
            // LiveChess says a move together with the placement that shows it, and clients look for both in one message.
            board: board.as_deref().filter(|_| new_board || has_moved),
            clock: new_clock.then_some(clock),
            moves,
        };
        out.push((client, envelope("feed", Some(id.into()), event, now)));
        (self.board, self.clock) = (board, Some(clock));
        if has_moved {
            self.tell(client, id, known, now, false, out);
        }
    }
}

/// What makes a reading of a clock another one: not when it was read.
fn same(faces: ClockFaces) -> (u32, u32, Option<bool>) {
    (faces.white, faces.black, faces.run)
}

fn read<T: DeserializeOwned>(param: Value) -> Result<T, String> {
    serde_json::from_value(param).map_err(|error| format!("this call can't be read: {error}"))
}

fn no_feed(id: i64) -> String {
    format!("there is no feed {id} on this connection: subscribe first")
}

fn refused(id: Option<Number>, message: String, now: Moment) -> String {
    envelope("error", id, Sentence { message }, now)
}

fn envelope<T: Serialize>(response: &'static str, id: Option<Number>, param: T, now: Moment) -> String {
    text(&Envelope { response, id, param, time: now.wall_ms })
}

fn text<T: Serialize>(what: &T) -> String {
    serde_json::to_string(what).expect("what is said here has only names as keys")
}

#[cfg(test)]
mod tests;
