//! What the events add up to for a game of a case, and for the one that follows it.

use hall::table::Say;
use protocol::feed::{AlertKind, Command, Correction, Entry, GameResult, MateSearch, Proposal, Side, Sight, State};
use serde::Serialize;
use serde_json::Value;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position, fen::Fen, san::SanPlus};

/// What the events add up to for one game.
pub(super) struct Story {
    skip: usize,
    /// The how-many-eth game at the table; 0 while there is none.
    game: u32,
    /// The game that came after this one.
    pub(super) next: Option<Box<Story>>,
    line: Vec<Ply>,
    start: Option<String>,
    pub(super) final_at: Vec<i64>,
    pub(super) seen: Vec<SeenAt>,
    pub(super) state: State,
    pub(super) result: GameResult,
    pub(super) proposal: Option<Value>,
    pub(super) alerts: Vec<Value>,
    pub(super) corrections: Vec<Value>,
    pub(super) touch: Vec<Value>,
}

/// Why moves were changed, in the words of the cases: they say two of the feed's otherwise.
fn named(reason: Correction) -> Value {
    match reason {
        Correction::SlideContinued => "went_on".into(),
        Correction::ResultGesture => "kings_in_centre".into(),
        Correction::CastlingRookFirst
        | Correction::PromotionPiece
        | Correction::Takeback
        | Correction::Arbiter
        | Correction::AfterTheEnd => serde_json::json!(reason),
    }
}

/// A final move as it was told.
enum Ply {
    /// By its SAN, and how it is told where that is no move.
    Legal { san: String, uci: String, fen: String },
    /// Not legal, with the position it leads to.
    Illegal { uci: String, fen: String },
}

/// What the final moves add up to.
pub(super) struct Record {
    pub(super) line: Vec<Value>,
    pub(super) moves: Vec<String>,
    pub(super) fen: String,
}

/// What was visible, and since when.
#[derive(Debug, Serialize)]
pub(super) struct SeenAt {
    t: i64,
    line: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    off_clock: Option<usize>,
    /// What stands as it is followed: beyond a hole in the record no line leads there.
    placement: String,
}

impl Story {
    pub(super) fn new(skip: usize) -> Story {
        Story {
            skip,
            game: 0,
            next: None,
            line: Vec::new(),
            start: None,
            final_at: Vec::new(),
            seen: Vec::new(),
            state: State::Waiting,
            result: GameResult::Open,
            proposal: None,
            alerts: Vec::new(),
            corrections: Vec::new(),
            touch: Vec::new(),
        }
    }

    pub(super) fn hear(&mut self, t: i64, say: &Say) {
        if let Say::Entry(Entry::Earlier { game, entry }) = say
            && *game == self.game
            && let Entry::Result { result, .. } = &**entry
        {
            self.result = *result;
            self.state = State::Ended;
            self.proposal = None;
            return;
        }
        // What was offered for a game stays with it when it is told again beside a later one.
        if let Say::Entry(Entry::Proposal(Proposal { game: Some(_), .. })) = say {
            return;
        }
        if let Some(next) = &mut self.next {
            return next.hear(t, say);
        }
        match say {
            Say::Entry(Entry::Started { game, fen, .. }) => self.start(t, *game, fen, say),
            Say::Entry(entry) => self.read(t, entry),
            Say::Sight(sight) => self.see(t, sight),
            Say::AskDump(_) | Say::AskProof(_) => {}
        }
    }

    /// The final moves, and the position they lead to.
    pub(super) fn record(&self, start: &Chess, mode: CastlingMode) -> Record {
        let read = |fen: &String| laws::position::read(fen, mode).ok();
        let mut position = self.start.as_ref().and_then(read).unwrap_or_else(|| start.clone());
        let mut record = Record { line: Vec::new(), moves: Vec::new(), fen: String::new() };
        for ply in &self.line {
            match ply {
                Ply::Legal { san, uci, fen } => {
                    record.line.push(san.as_str().into());
                    let played = san.parse::<SanPlus>().ok().and_then(|san| san.san.to_move(&position).ok());
                    if let Some(played) = played {
                        record.moves.push(played.to_uci(mode).to_string());
                        position.play_unchecked(played);
                    } else {
                        record.moves.push(uci.clone());
                        position = read(fen).unwrap_or(position);
                    }
                }
                Ply::Illegal { uci, fen } => {
                    record.line.push(serde_json::json!({ "uci": uci, "illegal": true }));
                    record.moves.push(uci.clone());
                    position = read(fen).unwrap_or(position);
                }
            }
        }
        record.fen = Fen::from_position(&position, EnPassantMode::Legal).to_string();
        record
    }

    fn see(&mut self, t: i64, sight: &Sight) {
        match sight {
            Sight::Seen { line, off_clock, placement, .. } if t >= 0 => {
                let line = line.after(self.skip);
                let off_clock = Some(*off_clock).filter(|plies| *plies > 0);
                self.seen.push(SeenAt { t, line, off_clock, placement: placement.clone() });
            }
            Sight::Touch { .. } => self.touch.push(with_time(t, sight)),
            Sight::Seen { .. }
            | Sight::Held { .. }
            | Sight::Clock { .. }
            | Sight::Link { .. }
            | Sight::Board { .. }
            | Sight::Attended { .. } => {}
        }
    }

    /// A game begins. The order that sets the case up may follow a board that began a game by itself, and one that was
    /// read off a board may begin otherwise.
    fn start(&mut self, t: i64, game: u32, fen: &str, say: &Say) {
        if t < 0 {
            *self = Story::new(self.skip);
        } else if self.game > 0 && game > self.game {
            let mut next = Story::new(0);
            next.hear(t, say);
            self.next = Some(Box::new(next));
            return;
        }
        self.game = game;
        self.start = Some(fen.to_owned());
        self.line.clear();
        self.final_at.clear();
    }

    fn read(&mut self, t: i64, entry: &Entry) {
        match entry {
            Entry::Started { .. } | Entry::Paired { .. } | Entry::Instants { .. } | Entry::Voice { .. } => {}
            Entry::Verdict { side, can_mate, .. } => self.settle(*side, *can_mate),
            Entry::Final { san, uci, fen, illegal, .. } => {
                self.line.push(if *illegal {
                    Ply::Illegal { uci: uci.clone(), fen: fen.clone() }
                } else {
                    Ply::Legal { san: san.clone(), uci: uci.clone(), fen: fen.clone() }
                });
                self.final_at.push(t);
            }
            Entry::Corrected { from_ply, old, new, reason } => {
                self.line.truncate(from_ply - 1);
                self.final_at.truncate(from_ply - 1);
                self.line.extend(new.iter().cloned().map(|san| Ply::Legal {
                    san,
                    uci: String::new(),
                    fen: String::new(),
                }));
                self.final_at.extend(new.iter().map(|_| t));
                let from_ply = from_ply.saturating_sub(self.skip);
                self.corrections.push(
                    serde_json::json!({ "t": t, "from_ply": from_ply, "old": old, "new": new, "reason": named(*reason) }),
                );
            }
            Entry::State { state } => self.state = *state,
            Entry::Proposal(offer) => {
                self.proposal = (*offer != Proposal::default()).then(|| with_time(t, entry));
            }
            Entry::Noted { order } => self.proposal.take_if(|_| closes_proposal(order)).map_or((), drop),
            Entry::Result { result, .. } => {
                self.result = *result;
                self.proposal = None;
            }
            // One table with one game of no round.
            Entry::Earlier { .. } | Entry::Shown { .. } | Entry::Round { .. } => {}
            // What the moves before zero gave rise to is history.
            Entry::Alert(_) if t < 0 => {}
            Entry::Alert(alert) if alert.kind == AlertKind::AlertWithdrawn => self.withdraw(t, entry),
            // It is not repeated.
            Entry::Confirmed { of } => {
                let named = serde_json::json!(of);
                let last = self.alerts.iter_mut().rev().find(|alert| alert["kind"] == named);
                last.into_iter().for_each(|alert| alert["confirmed"] = t.into());
            }
            Entry::Alert(_) => self.alerts.push(with_time(t, entry)),
        }
    }

    /// The last alert of that kind that still stands says since when it is as if it had never been said.
    fn withdraw(&mut self, t: i64, entry: &Entry) {
        let withdrawal = with_time(t, entry);
        let stands = |alert: &Value| alert["kind"] == withdrawal["of"] && alert["withdrawn"].is_null();
        let last = self.alerts.iter_mut().rev().find(|alert| stands(alert));
        last.into_iter().for_each(|alert| alert["withdrawn"] = t.into());
        self.alerts.push(withdrawal);
    }

    /// What an alert had to leave open is known: who looks at it sees it there.
    fn settle(&mut self, side: Side, can_mate: Option<bool>) {
        let loser = serde_json::json!(side.other());
        let open = |alert: &&mut Value| alert["mate_search"] == "pending" && alert["side"] == loser;
        for alert in self.alerts.iter_mut().filter(open) {
            let Some(facts) = alert.as_object_mut() else { continue };
            match can_mate {
                Some(can) => {
                    facts.remove("mate_search");
                    facts.insert("opponent_can_mate".to_owned(), can.into());
                }
                None => _ = facts.insert("mate_search".to_owned(), serde_json::json!(MateSearch::Undecided)),
            }
        }
    }
}

fn with_time(t: i64, what: &impl Serialize) -> Value {
    let mut value = serde_json::to_value(what).unwrap_or_default();
    value["t"] = t.into();
    value
}

/// The arbiter has decided what was proposed.
fn closes_proposal(order: &Command) -> bool {
    matches!(order, Command::Confirm | Command::Reject | Command::Resume | Command::Restore { .. })
}
