//! Players claim: a draw, the opponent's flag, a quickplay finish. What is found, and what the arbiter is offered.

use laws::{
    Edition, Rule,
    draws::{self, Confirmation, Ground, History, WrongClaim, wrong_claim},
    quickplay::{Obstacle, Situation},
};
use protocol::feed::{Action, Alert, AlertKind, Because, Claim, GameResult, Proposal, ResultReason, Side};
use shakmaty::{Chess, Color, Position as _, uci::UciMove};

use crate::{
    Millis, Refusal,
    table::{
        desk::{Awaiting, Prospect},
        finding,
        matters::flag_fall::Overstepped,
        turn::Turn,
        whole::Table,
    },
};

impl Table {
    /// A player claims.
    pub(crate) fn claim(
        &mut self,
        side: Side,
        claim: Claim,
        intended: Option<&str>,
        turn: &mut Turn,
    ) -> Result<(), Refusal> {
        self.must_be_on()?;
        match claim {
            Claim::Threefold => self.claim_draw(side, Ground::Threefold, intended, turn)?,
            Claim::Fifty => self.claim_draw(side, Ground::Fifty, intended, turn)?,
            Claim::Flag => self.claim_flag(side.other(), turn)?,
            Claim::Quickplay => self.claim_quickplay(side, turn)?,
            Claim::IllegalMove => self.claim_illegal(side, turn)?,
        }
        Ok(())
    }

    /// The game is on, or the arbiter is at the table.
    pub(crate) fn must_be_on(&self) -> Result<(), Refusal> {
        if self.desk.has_ended() {
            let refusal = Refusal::because("the game has ended: take its result back first (result *)");
            return Err(refusal.known_as(Because::GameOver));
        }
        Ok(())
    }

    fn claim_draw(
        &mut self,
        side: Side,
        ground: Ground,
        intended: Option<&str>,
        turn: &mut Turn,
    ) -> Result<(), Refusal> {
        let intended = intended.map(read_uci).transpose()?;
        let Some((position, history)) = self.as_made() else { return Ok(()) };
        let has_lost = self.has_lost_the_right(side, ground, &position, turn.now());
        if !self.close(turn) {
            return Ok(());
        }
        // A claim is an offer too: the opponent may agree at once.
        self.offer_by_claim(side, turn.now());
        if has_lost {
            let note =
                finding::by(Rule::ClaimRightLost, AlertKind::ClaimRightLost, Some(side), self.agreed.conditions());
            turn.say(note.map(|note| Alert { claim: Some(named(ground)), ..note }));
            self.propose(finding::doing(Action::Continue), Awaiting::Decision, turn);
            return Ok(());
        }
        let claim = draws::Claim { by: side.into(), ground, intended };
        let answer = claim.examine(&history, &position, self.agreed.limits());
        let (rule, kind, judged) = match answer.verdict {
            Confirmation::Confirmed(_) => {
                let reason = match ground {
                    Ground::Threefold => ResultReason::ThreefoldClaim,
                    Ground::Fifty => ResultReason::FiftyClaim,
                };
                let proposal = finding::proposed(GameResult::Draw, reason);
                (Rule::ClaimVerified, AlertKind::ClaimVerified, Prospect { can: None, proposal })
            }
            Confirmation::NotConfirmed(_) => {
                let bound = claim.intended.as_ref().and_then(|uci| bound_by(uci, &position));
                (Rule::ClaimNotConfirmed, AlertKind::ClaimNotConfirmed, self.price_of_claim(side, bound))
            }
        };
        let occurrences = answer.occurrences.into_iter().map(|occurrence| occurrence.ply).collect();
        let note = finding::by(rule, kind, Some(side), self.agreed.conditions());
        turn.say(note.map(|note| Alert { claim: Some(named(ground)), occurrences, ..judged.note(note) }));
        self.propose(judged.proposal, Awaiting::Decision, turn);
        Ok(())
    }

    /// The position a claim is about: what stands in the record, and what is made though nobody has pressed yet.
    pub(super) fn as_made(&self) -> Option<(Chess, History)> {
        Some(self.record.game()?.going_on(self.record.made()))
    }

    /// The player had the right and has touched a man, or in 1993 moved, without claiming first. It revives when the
    /// position or the count does.
    fn has_lost_the_right(&self, side: Side, ground: Ground, made: &Chess, now: Millis) -> bool {
        let Some(game) = self.record.game() else { return false };
        let mover = Color::from(side);
        if made.turn() == mover {
            return touching_is_enough(self.agreed.conditions().edition()) && self.has_touched(side, now);
        }
        // With the move made, the moment is past for what could have been claimed before it.
        let claimed = |ground| draws::Claim { by: mover, ground, intended: self.made_by(side) };
        let (before, history) = match self.record.made() {
            [below @ .., _] => game.going_on(below),
            [] => {
                let Some(before) = game.before() else { return false };
                let mut history = game.history().clone();
                history.truncate(game.ply().back(1).count());
                (before.clone(), history)
            }
        };
        claimed(ground).examine(&history, &before, self.agreed.limits()).verdict.is_confirmed()
    }

    fn has_touched(&self, side: Side, now: Millis) -> bool {
        // Above several plies that nobody has pressed, what was touched for the first of them passes for touched now; and
        // what is shown while the clock rests is touched after the claim.
        let (tail, made) = (self.record.tail().len(), self.record.made().len());
        let is_this_turn = tail < 2 && tail == made;
        let sensed = is_this_turn && !self.is_assisted(side) && self.hand.has_touched(side.into(), 0, now);
        self.spoken.has_seen_touch(side, self.record.ply()) || sensed
    }

    /// The last move this player has made, as it would have been announced.
    fn made_by(&self, side: Side) -> Option<UciMove> {
        let game = self.record.game()?;
        match self.record.made().last() {
            Some(made) => Some(made.to_uci(game.mode())),
            None => (game.mover_of(game.ply()) == Some(side)).then(|| game.last_uci()?.parse().ok())?,
        }
    }

    /// What a wrong claim costs. The claimant is bound to the announced move, or has lost on time by the charge.
    fn price_of_claim(&mut self, side: Side, bound: Option<String>) -> Prospect {
        let price = wrong_claim(self.agreed.conditions().edition(), self.agreed.conditions().class());
        let left_ms = self.clocks.clock.left_ms(side, self.hand.lie());
        if left_ms.is_some_and(|left_ms| price.oversteps(left_ms))
            && let Some(Overstepped { in_time: false, judged, .. }) = self.overstep(side, true)
        {
            return judged;
        }
        let proposal = Proposal { must_move: bound, ..finding::doing(Action::PenaliseWrongClaim) };
        let proposal = match price {
            WrongClaim::Charge(s) => Proposal { charge_s: Some(finding::seconds(side, s)), ..proposal },
            WrongClaim::Bonus(s) => Proposal { bonus_s: Some(finding::seconds(side.other(), s)), ..proposal },
        };
        Prospect { can: None, proposal }
    }

    /// What the Laws ask for is checked; whether the opponent tries to win is for the arbiter to see.
    fn claim_quickplay(&mut self, side: Side, turn: &mut Turn) -> Result<(), Refusal> {
        let situation = Situation {
            edition: self.agreed.conditions().edition(),
            class: self.agreed.conditions().class(),
            announced: self.agreed.rules().quickplay,
            has_increment: self.agreed.has_increment(),
            is_last_period: self.is_in_last_period(side),
            is_on_move: self.as_made().is_some_and(|(position, _)| position.turn() == Color::from(side)),
            // Where no clock is heard the arbiter has looked at it.
            remaining_ms: self.clocks.clock.left_ms(side, self.hand.lie()).unwrap_or(1),
        };
        if let Some(obstacle) = situation.obstacles().first() {
            let (sentence, because) = hindered(*obstacle);
            return Err(Refusal::because(format!("{sentence}: let the players go on")).known_as(because));
        }
        if !self.close(turn) {
            return Ok(());
        }
        let note = finding::by(Rule::Quickplay, AlertKind::QuickplayClaim, Some(side), self.agreed.conditions());
        turn.say(note);
        self.offer_by_claim(side, turn.now());
        self.call_arbiter(Awaiting::Decision, turn);
        Ok(())
    }
}

/// The claim of a draw on this ground.
fn named(ground: Ground) -> Claim {
    match ground {
        Ground::Threefold => Claim::Threefold,
        Ground::Fifty => Claim::Fifty,
    }
}

/// Why there is no such claim, for who entered it.
fn hindered(obstacle: Obstacle) -> (&'static str, Because) {
    match obstacle {
        Obstacle::NotInThisEdition => ("the Laws in force have no quickplay rules", Because::NoQuickplay),
        Obstacle::NotAnnounced => {
            ("the quickplay rules were not announced for this table", Because::QuickplayNotAnnounced)
        }
        Obstacle::Blitz => ("blitz games have no quickplay finish", Because::QuickplayBlitz),
        Obstacle::Increment => ("with an increment there is no quickplay finish", Because::QuickplayIncrement),
        Obstacle::NotTheLastPeriod => ("the quickplay finish is the last period only", Because::QuickplayNotLastPeriod),
        Obstacle::NotOnMove => ("only the player having the move can claim this", Because::QuickplayNotOnMove),
        Obstacle::TooEarly => ("the player has two minutes or more left", Because::QuickplayTooEarly),
        Obstacle::TooLate => ("the player's flag has fallen", Because::QuickplayTooLate),
    }
}

/// From 2009 on a claim is lost with the first touch; in 1993 only with the move.
fn touching_is_enough(edition: Edition) -> bool {
    const TOUCHING: laws::ByEdition<bool> = laws::ByEdition([false, true, true, true, true]);
    TOUCHING[edition]
}

/// The announced move has to be played; if it is not legal, another one with the same man.
fn bound_by(intended: &UciMove, position: &Chess) -> Option<String> {
    let (UciMove::Normal { from, .. } | UciMove::Put { to: from, .. }) = *intended else { return None };
    let movable = position.legal_moves().iter().any(|candidate| candidate.from() == Some(from));
    movable.then(|| from.to_string())
}

fn read_uci(text: &str) -> Result<UciMove, Refusal> {
    let refusal = || Refusal::because(format!("\"{text}\" is no move: write its squares, as in g1f3 or e7e8q"));
    text.parse().map_err(|_| refusal().known_as(Because::NoMove { text: text.to_owned() }))
}
