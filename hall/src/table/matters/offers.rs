//! Offers of a draw and what becomes of them, and resignation.

use laws::{
    Rule,
    draws::agreement::{Ban, TooEarly, hindrance},
    loss::Cause,
};
use protocol::feed::{Action, AlertKind, Because, GameResult, ResultReason, Side};
use shakmaty::ByColor;

use crate::{
    Millis, Refusal,
    table::{
        desk::{Awaiting, Forfeit},
        finding,
        record::moves_made,
        spoken::Offer,
        turn::Turn,
        whole::Table,
    },
};

impl Table {
    /// A player offers a draw. The time for it is after the own move and before the clock is pressed; at another time it
    /// is an offer all the same.
    pub(crate) fn offer_draw(&mut self, side: Side, turn: &mut Turn) -> Result<(), Refusal> {
        self.must_be_on()?;
        if !self.has_just_moved(side) {
            let note =
                finding::by(Rule::DrawOfferTiming, AlertKind::DrawOfferTiming, Some(side), self.agreed.conditions());
            turn.say(note);
        }
        self.offer_by_claim(side, turn.now());
        Ok(())
    }

    /// Somebody who claims a draw offers one.
    pub(crate) fn offer_by_claim(&mut self, side: Side, now: Millis) {
        let ply = self.record.ply().on(self.record.tail().len());
        self.spoken.offers.make(side, Offer { at: now, ply });
    }

    /// The opponent's offer is accepted: an agreement, where one may be made.
    pub(crate) fn accept_draw(&mut self, side: Side, turn: &mut Turn) -> Result<(), Refusal> {
        self.must_be_on()?;
        self.answer_offer(side, turn.now())?;
        match self.barred() {
            None if !self.close(turn) => {}
            None => {
                let proposal = finding::proposed(GameResult::Draw, ResultReason::Agreement);
                self.propose(proposal, Awaiting::Decision, turn);
            }
            Some(rule) => {
                turn.say(finding::by(rule, AlertKind::DrawNotAllowedYet, None, self.agreed.conditions()));
                self.propose(finding::doing(Action::Continue), Awaiting::Decision, turn);
            }
        }
        Ok(())
    }

    /// The opponent's offer is refused in words.
    pub(crate) fn decline_draw(&mut self, side: Side, now: Millis) -> Result<(), Refusal> {
        self.must_be_on()?;
        self.answer_offer(side, now)
    }

    /// A player resigns. Nothing but words says so: a king that lies down or a clock that stops may mean anything.
    pub(crate) fn resign(&mut self, side: Side, turn: &mut Turn) -> Result<(), Refusal> {
        self.must_be_on()?;
        if !self.close(turn) {
            return Ok(());
        }
        let (lost, drawn) = (ResultReason::Resignation, ResultReason::ResignVsCannotMate);
        let seen = self.record.tail().to_vec();
        let judged = self.judge(Forfeit { side, cause: Cause::Resignation, lost, drawn }, &seen, true);
        let note = finding::by(Rule::Resignation, AlertKind::Resignation, Some(side), self.agreed.conditions());
        turn.say(note.map(|note| judged.note(note)));
        self.propose(judged.proposal, Awaiting::Decision, turn);
        Ok(())
    }

    /// The player's move stands on the board and the clock has not been pressed for it.
    fn has_just_moved(&self, side: Side) -> bool {
        let unpressed = self.record.game().is_some_and(|game| {
            let last = game.ply();
            game.mover_of(last) == Some(side) && !game.is_completed(last)
        });
        unpressed || self.hand.has_just_moved(side.into())
    }

    /// Closes the offer `side` has got. A man touched since then was an answer already.
    fn answer_offer(&mut self, side: Side, now: Millis) -> Result<(), Refusal> {
        let Some(offer) = self.spoken.offers.answer(side.other()) else {
            let refusal = Refusal::because("the opponent has offered no draw: enter the offer first");
            return Err(refusal.known_as(Because::NoOffer));
        };
        let moved_since = self
            .record
            .game()
            .is_some_and(|game| offer.ply.later(game.ply()).any(|ply| game.mover_of(ply) == Some(side)));
        let touched = !self.is_assisted(side) && self.hand.has_touched(side.into(), offer.at, now);
        if moved_since || touched {
            let sentence = "the offer was declined by touching a man: a new one would have to be made";
            return Err(Refusal::because(sentence).known_as(Because::OfferDeclined));
        }
        Ok(())
    }

    /// The rule by which the players may not agree to a draw yet.
    fn barred(&self) -> Option<Rule> {
        let ByColor { white, black } = moves_made(&self.record.seen());
        let ban = match self.agreed.rules().no_draw_before_move {
            None => Ban::None,
            Some(u16::MAX) => Ban::Always,
            Some(moves) => Ban::Before(moves.into()),
        };
        let rule = match hindrance(self.agreed.conditions().edition(), ban, white, black)? {
            TooEarly::NotBothMoved => Rule::DrawNotAllowedYet,
            TooEarly::Before(_) | TooEarly::Always => Rule::DrawBanned,
        };
        rule.article(self.agreed.conditions()).map(|_| rule)
    }
}
