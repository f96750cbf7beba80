//! A visit at a broadcast of lichess: what is due is pushed, and what does not stand is removed first.

use super::{
    courier::{Courier, Trouble},
    desk::{Desk, Sheet},
    lichess::{self, Meaning},
    outbox::{Push, Reception, Step},
    parcel::Parcel,
    room::Room,
};

impl Courier {
    pub(super) async fn push(&mut self, desk: &mut Desk, sheet: &Sheet, room: &Room) -> Result<bool, Trouble> {
        match desk.outbox.next(&sheet.games, &sheet.hidden, self.now()) {
            Step::Rest => {
                desk.outbox.note_rest();
                Ok(true)
            }
            Step::Reset => {
                let asked = room.asked(lichess::reset_address(&room.base, &room.id), Parcel::default())?;
                // It may arrive whatever is heard of it, and a kill may come between.
                desk.outbox.note_emptying();
                desk.keep();
                let answered = self.wire.ask(asked).await.map_err(|unanswered| unanswered.sentence)?;
                if answered.status != 200 {
                    return Err(meant(lichess::trouble(answered.status, &answered.body), answered.at_least_ms));
                }
                tracing::info!(
                    target = self.target.name,
                    event = desk.event,
                    round = desk.round,
                    "round emptied: \
                    moves that were sent do not stand, and are told again"
                );
                desk.outbox.note_reset(self.now());
                Ok(false)
            }
            Step::Send(push) => self.send(desk, push, room).await,
        }
    }

    async fn send(&mut self, desk: &mut Desk, push: Push, room: &Room) -> Result<bool, Trouble> {
        let Push { parts, parcel } = push;
        let asked = room.asked(lichess::push_address(&room.base, &room.id), parcel)?;
        // It may arrive whatever is heard of it, and a kill may come between.
        desk.outbox.note_sent(&parts);
        desk.keep();
        let answered = match self.wire.ask(asked).await {
            Ok(answered) => answered,
            Err(unanswered) => {
                if !unanswered.has_left {
                    desk.outbox.note_unsent(&parts);
                }
                return Err(unanswered.sentence.into());
            }
        };
        match lichess::read(&parts, answered.status, &answered.body) {
            Meaning::Taken(receptions) => {
                let taken = receptions.iter().filter(|reception| **reception == Reception::Taken).count();
                desk.outbox.note_answer(&parts, receptions);
                self.note_sent(taken, "game");
            }
            Meaning::Refused(sentence) => desk.outbox.note_refusal(&parts, &sentence),
            meaning @ (Meaning::Later { .. } | Meaning::Shut(_)) => return Err(meant(meaning, answered.at_least_ms)),
        }
        Ok(false)
    }
}

fn meant(meaning: Meaning, wait_ms: u64) -> Trouble {
    match meaning {
        Meaning::Later { sentence, at_least_ms } => Trouble { sentence, at_least_ms: at_least_ms.max(wait_ms) },
        Meaning::Shut(sentence) | Meaning::Refused(sentence) => Trouble { sentence, at_least_ms: wait_ms },
        Meaning::Taken(_) => Trouble { sentence: String::new(), at_least_ms: wait_ms },
    }
}
