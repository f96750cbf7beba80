//! All players of the hall who are told moves aloud.

use std::collections::{BTreeMap, BTreeSet};

use hall::Input;
use laws::blind::speech;
use protocol::feed::{
    Earphone, Entry, Event, Request, Side, Sight, Spoken, SpokenState, TableEvent, TableId, VoiceNews,
};
use serde::Serialize;
use shakmaty::ByColor;

use super::{
    game::{Clock, Game},
    queue::{Change, Key, Order, Outcome, Queue, Utterance, Weight},
    saying::{Saying, manner},
};
use crate::journal::{Committed, Entries};

/// Repeats and readings are spoken no slower and no faster, and change by so many words a minute.
const SLOWEST: u16 = 80;
const FASTEST: u16 = 400;
const STEP: u16 = 20;

/// Somebody who hears a game.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Player {
    /// Where.
    pub table: TableId,
    /// Which of the two.
    pub side: Side,
}

/// What a speaker reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heard {
    /// Whose.
    pub player: Player,
    /// About which announcement.
    pub key: Key,
    /// What.
    pub what: What,
}

/// What has become of an announcement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// Its first sound has gone out.
    Begun,
    /// It was spoken to its end.
    Ended,
    /// It was cut off.
    Cut,
    /// It broke off: a sentence about what died.
    Broken(String),
    /// Nothing goes out: a sentence about what is stuck.
    Blocked(String),
}

/// How one player's voice stands, for the operator.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Standing {
    /// Where.
    pub table: TableId,
    /// Whose.
    pub side: Side,
    /// How the player hears.
    pub earphone: Earphone,
    /// Announcements that are spoken or wait.
    pub waiting: usize,
    /// What is being spoken.
    pub speaking: Option<String>,
    /// What was spoken to its end last.
    pub last: Option<String>,
    /// The player can't hear us.
    pub silent: bool,
    /// The last trouble there was.
    pub trouble: Option<String>,
    /// What is in the way of the player's keypad.
    pub keypad: Option<String>,
}

/// What each speaker is to do.
pub type Orders = Vec<(Player, Order)>;

/// Everybody who hears a game, and what they still have to hear.
///
/// First `reread` what was published before, then `wake`; from there on `hear` what is published, `see` the clocks and
/// `take` what speakers report, and pass on the orders that come out.
#[derive(Clone, Debug, Default)]
pub struct Room {
    tables: BTreeMap<TableId, Place>,
    is_awake: bool,
}

/// One table.
#[derive(Clone, Debug, Default)]
struct Place {
    game: Option<Game>,
    clock: Option<Clock>,
    ears: ByColor<Option<Ear>>,
    /// When the game was told from its beginning last.
    begun: Option<u64>,
}

/// One player's ear.
#[derive(Clone, Debug)]
struct Ear {
    earphone: Earphone,
    /// Of repeats and readings.
    rate: u16,
    queue: Queue,
    /// The last number that was given.
    last: Option<Key>,
    said: Option<String>,
    trouble: Option<String>,
    keypad: Option<String>,
}

impl Room {
    /// What was published before the daemon stopped.
    pub fn reread(&mut self, published: &Committed<Entries>) {
        published.get().events.iter().for_each(|event| drop(self.apply(event)));
    }

    /// The same of tables that were forgotten, or were not known.
    pub fn reread_unknown(&mut self, published: &Committed<Entries>) {
        let known = self.tables.keys().cloned().collect::<BTreeSet<_>>();
        let is_unknown = |event: &&TableEvent| event.table.as_ref().is_some_and(|table| !known.contains(table));
        published.get().events.iter().filter(is_unknown).for_each(|event| drop(self.apply(event)));
    }

    /// Forgets the games of a round that is over. Who is told one aloud still is.
    pub fn forget(&mut self, event: &str, round: u16) {
        let is_heard = |place: &Place| place.ears.iter().any(Option::is_some);
        self.tables.retain(|id, place| id.event != event || id.round != round || is_heard(place));
    }

    /// Begins to speak, with what nobody has heard to its end.
    pub fn wake(&mut self) -> Orders {
        self.is_awake = true;
        let players = self.ears().map(|(player, _)| player).collect::<Vec<_>>();
        let go_on = |player| {
            let ear = self.ear(&player)?;
            ear.queue.drop_readings();
            Some(with(&player, ear.queue.go_on()))
        };
        players.into_iter().filter_map(go_on).flatten().collect()
    }

    /// Something is on disk, and published.
    pub fn hear(&mut self, published: &Committed<Entries>) -> Orders {
        let touched = published.get().events.iter().flat_map(|event| self.apply(event)).collect::<BTreeSet<_>>();
        let go_on = |player: Player| self.ear(&player).map(|ear| with(&player, ear.queue.go_on()));
        touched.into_iter().filter_map(go_on).flatten().collect()
    }

    /// Something is seen. Of that players may ask for the clocks.
    pub fn see(&mut self, table: &TableId, at: u64, sight: &Sight) {
        if let Sight::Clock { white_ms, black_ms, running } = *sight {
            self.tables.entry(table.clone()).or_default().clock = Some(Clock { at, white_ms, black_ms, running });
        }
    }

    /// A speaker reports. Gives what belongs into the journal.
    pub fn take(&mut self, heard: Heard) -> (Option<Input>, Orders) {
        let Heard { player, key, what } = heard;
        let Some(ear) = self.ear(&player) else { return (None, Vec::new()) };
        let text = ear.queue.speaking().filter(|speaking| speaking.key == key).map(|speaking| speaking.text.clone());
        let Some(text) = text else { return (None, Vec::new()) };
        let (outcome, state) = match &what {
            What::Begun => return (Some(spoken(&player, key, SpokenState::Begun, text, None)), Vec::new()),
            What::Ended => (Outcome::Ended, Some(SpokenState::Ended)),
            What::Cut => (Outcome::Cut, Some(SpokenState::Cut)),
            What::Broken(_) => (Outcome::Broken, None),
            What::Blocked(_) => (Outcome::Blocked, None),
        };
        let trouble = match what {
            What::Broken(trouble) | What::Blocked(trouble) => Some(trouble),
            What::Begun | What::Ended | What::Cut => None,
        };
        if outcome == Outcome::Ended {
            ear.said = Some(text);
        }
        if trouble.is_some() {
            ear.trouble.clone_from(&trouble);
        }
        let (change, orders) = ear.queue.hear(key, outcome);
        let mut orders = with(&player, orders);
        let state = match change {
            Change::None => state,
            Change::Silent => Some(SpokenState::Silent),
            Change::Back => Some(SpokenState::Back),
        };
        if change == Change::Silent {
            orders.extend(self.tones(&player));
        }
        (state.map(|state| spoken(&player, key, state, String::new(), trouble)), orders)
    }

    /// How all voices stand.
    pub fn standing(&self) -> Vec<Standing> {
        let stands = self.ears().map(|(Player { table, side }, ear)| Standing {
            table,
            side,
            earphone: ear.earphone.clone(),
            waiting: ear.queue.len(),
            speaking: ear.queue.speaking().map(|speaking| speaking.text.clone()),
            last: ear.said.clone(),
            silent: ear.queue.is_silent(),
            trouble: ear.trouble.clone(),
            keypad: ear.keypad.clone(),
        });
        stands.collect()
    }

    /// Words are missing: that is heard there, if the device does anything, and at every other device.
    fn tones(&self, silent: &Player) -> Orders {
        let mut devices = BTreeSet::new();
        let own = self.ears().filter(|(player, _)| player == silent);
        let all = own.chain(self.ears()).filter(|(_, ear)| devices.insert(ear.earphone.device.clone()));
        all.map(|(player, ear)| (player, Order::Tone(ear.earphone.device.clone()))).collect()
    }

    /// Whose keypads are at which devices.
    pub fn keypads(&self) -> Vec<(String, Player)> {
        self.ears().filter_map(|(player, ear)| Some((ear.earphone.keypad.clone()?, player))).collect()
    }

    /// What is in the way of a player's keypad, if anything is.
    pub fn note_keypad(&mut self, player: &Player, trouble: Option<String>) {
        if let Some(ear) = self.ear(player) {
            ear.keypad = trouble;
        }
    }

    /// What a player asked for may not be asked: two low notes say so.
    pub fn refuse(&mut self, player: Player) -> Orders {
        let device = self.ear(&player).map(|ear| ear.earphone.device.clone());
        device.into_iter().map(|device| (player.clone(), Order::Tone(device))).collect()
    }

    /// Gives the players who may have something to hear by it.
    fn apply(&mut self, TableEvent { table, t, event }: &TableEvent) -> Vec<Player> {
        let (Some(table), Event::Entry(entry)) = (table, event) else { return Vec::new() };
        let place = self.tables.entry(table.clone()).or_default();
        let sides = place.apply(entry, *t, self.is_awake);
        sides.into_iter().map(|side| Player { table: table.clone(), side }).collect()
    }

    fn ear(&mut self, Player { table, side }: &Player) -> Option<&mut Ear> {
        self.tables.get_mut(table)?.ears.get_mut((*side).into()).as_mut()
    }

    fn ears(&self) -> impl Iterator<Item = (Player, &Ear)> {
        self.tables.iter().flat_map(|(table, place)| {
            [Side::White, Side::Black].into_iter().filter_map(move |side| {
                let ear = place.ears.get(side.into()).as_ref()?;
                Some((Player { table: table.clone(), side }, ear))
            })
        })
    }
}

impl Place {
    fn apply(&mut self, entry: &Entry, t: u64, is_awake: bool) -> Vec<Side> {
        match entry {
            Entry::Started { fen, variant, .. } => {
                self.game = Some(Game::begin(fen, *variant));
                self.begun = Some(t);
                if !is_awake {
                    // Nobody waits for words about a game before this one.
                    self.ears.iter_mut().flatten().for_each(|ear| ear.queue.clear());
                }
                Vec::new()
            }
            Entry::Voice { side, news } => self.apply_news(*side, news, t),
            entry @ (Entry::Paired { .. }
            | Entry::Final { .. }
            | Entry::Instants { .. }
            | Entry::Corrected { .. }
            | Entry::State { .. }
            | Entry::Proposal(_)
            | Entry::Result { .. }
            | Entry::Earlier { .. }
            | Entry::Shown { .. }
            | Entry::Round { .. }
            | Entry::Confirmed { .. }
            | Entry::Verdict { .. }
            | Entry::Noted { .. }
            | Entry::Alert(_)) => {
                let told = self.game.as_mut().map(|game| game.hear(entry)).unwrap_or_default();
                let is_retold = self.begun == Some(t) && matches!(entry, Entry::Final { .. });
                told.iter().filter_map(|(side, saying)| self.say(*side, saying, t, is_retold)).collect()
            }
        }
    }

    fn apply_news(&mut self, side: Side, news: &VoiceNews, t: u64) -> Vec<Side> {
        let ear = self.ears.get_mut(side.into());
        match news {
            VoiceNews::Listens { earphone: None } => *ear = None,
            VoiceNews::Listens { earphone: Some(earphone) } => Ear::give(ear, earphone),
            VoiceNews::Asked { request } => {
                if let Some(ear) = ear {
                    ear.change_rate(*request);
                }
                let answer = self.game.as_ref().and_then(|game| game.answer(side, *request, self.clock, t));
                let answer = answer.or_else(|| (*request == Request::Test).then_some(Saying::Alphabet));
                return answer.and_then(|saying| self.say(side, &saying, t, false)).into_iter().collect();
            }
            VoiceNews::Spoken(spoken) => {
                if let Some(ear) = ear {
                    ear.note(spoken);
                }
            }
        }
        Vec::new()
    }

    /// Puts something into a player's queue. A game that is told from its beginning is told with its last move.
    fn say(&mut self, side: Side, saying: &Saying, t: u64, is_retold: bool) -> Option<Side> {
        let ear = self.ears.get_mut(side.into()).as_mut()?;
        if is_retold {
            ear.queue.drop_of(t);
        }
        let key = ear.number(t);
        let manner = manner(&ear.earphone);
        let weight = saying.weight();
        let rate = match weight {
            Weight::Move => ear.earphone.rate,
            Weight::Reading => ear.rate,
        };
        ear.queue.add(Utterance {
            key,
            weight,
            text: speech(&saying.tokens(&manner), &manner),
            voice: manner.voice,
            rate,
            device: ear.earphone.device.clone(),
        });
        Some(side)
    }
}

impl Ear {
    fn give(ear: &mut Option<Ear>, earphone: &Earphone) {
        let earphone = earphone.clone();
        match ear {
            Some(ear) => (ear.rate, ear.earphone) = (earphone.rate, earphone),
            None => {
                let (rate, queue) = (earphone.rate, Queue::default());
                *ear = Some(Ear { earphone, rate, queue, last: None, said: None, trouble: None, keypad: None });
            }
        }
    }

    fn change_rate(&mut self, request: Request) {
        match request {
            Request::Slower => self.rate = self.rate.saturating_sub(STEP).max(SLOWEST),
            Request::Faster => self.rate = self.rate.saturating_add(STEP).min(FASTEST),
            Request::LastMove
            | Request::MyClock
            | Request::BothClocks
            | Request::MoveNumber
            | Request::Men(_)
            | Request::File(_)
            | Request::Rank(_)
            | Request::Position
            | Request::Test => {}
        }
    }

    /// What the journal says of an announcement that was spoken before the daemon stopped.
    fn note(&mut self, spoken: &Spoken) {
        match spoken.state {
            SpokenState::Ended | SpokenState::Back => self.queue.strike(Key::of(spoken)),
            SpokenState::Begun | SpokenState::Cut | SpokenState::Silent => {}
        }
        match spoken.state {
            SpokenState::Silent => self.queue.note_silent(true),
            SpokenState::Back => self.queue.note_silent(false),
            SpokenState::Begun | SpokenState::Ended | SpokenState::Cut => {}
        }
    }

    fn number(&mut self, of: u64) -> Key {
        let nth = self.last.filter(|last| last.of == of).map_or(0, |last| last.nth.saturating_add(1));
        *self.last.insert(Key { of, nth })
    }
}

fn with(player: &Player, orders: Vec<Order>) -> Orders {
    orders.into_iter().map(|order| (player.clone(), order)).collect()
}

fn spoken(player: &Player, key: Key, state: SpokenState, text: String, trouble: Option<String>) -> Input {
    let spoken = Spoken { of: key.of, nth: key.nth, text, state, trouble };
    Input::Spoken { table: player.table.clone(), side: player.side, spoken }
}
