//! Presses that complete no move: what is found, how it is counted, and what the arbiter is offered.

use laws::{Offence, Rule, Tariff, TimeClass, loss::Cause, pawn_left_becomes_queen, touch::victim};
use protocol::feed::{
    Action, Alert, AlertKind, Because, Bound, Entry, Evidence, GameResult, Proposal, ResultReason, Seconds, Severity,
    Side,
};
use shakmaty::{Bitboard, Move, Position as _, Square};

use crate::{
    Millis, Refusal,
    hand::{
        Certainty, Order, Sign,
        judging::{Illegality, Judgement, Mismatch},
    },
    table::{
        desk::{Awaiting, Forfeit, Limit, Raised, Recalled},
        finding,
        sanction::Sanction,
        spoken::Unclaimed,
        turn::{Next, Turn},
        whole::Table,
    },
};

impl Table {
    /// A press that completed no move.
    pub(crate) fn note_press(&mut self, side: Side, verdict: Judgement, certainty: Certainty, turn: &mut Turn) {
        self.accuse(certainty, turn, |table, turn| table.note_found(side, verdict, turn));
    }

    /// Somebody has moved without having the move.
    pub(crate) fn note_out_of_turn(&mut self, side: Side, turn: &mut Turn) {
        self.accuse(Certainty::Sure, turn, |table, turn| {
            let note = finding::by(Rule::OutOfTurn, AlertKind::MoveOutOfTurn, Some(side), table.agreed.conditions());
            turn.say(note);
            table.call_arbiter(Awaiting::Board, turn);
        });
    }

    /// The board has rested and shows something else than the record.
    pub(crate) fn note_resting(&mut self, mismatch: Mismatch, turn: &mut Turn) {
        self.accuse(Certainty::Sure, turn, |table, turn| table.note_mismatch(mismatch, turn));
    }

    /// Tells of something wrong so that it can be withdrawn.
    fn accuse(&mut self, certainty: Certainty, turn: &mut Turn, tell: impl FnOnce(&mut Table, &mut Turn)) {
        self.desk.remember(certainty);
        let mark = turn.mark();
        tell(self, turn);
        self.desk.doubt(turn.alerts_since(mark));
    }

    /// What was unconfirmed is what it seemed to be: what had to wait for that is told.
    pub(crate) fn confirm_press(&mut self, turn: &mut Turn) {
        let mark = turn.mark();
        let limit = self.desk.confirm();
        self.tell_confirmed(turn);
        if let Some(limit) = limit
            && let Some(tariff) = Tariff::of(self.agreed.conditions())
        {
            self.note_limit(limit, tariff, turn);
        }
        self.desk.doubt(turn.alerts_since(mark));
    }

    /// What was told as unconfirmed is confirmed, or cannot be withdrawn any more: that is told, and the alert not repeated.
    pub(crate) fn tell_confirmed(&mut self, turn: &mut Turn) {
        if self.told.confirmed_news(self.desk.is_unconfirmed()) {
            turn.entry(Entry::Confirmed { of: AlertKind::IllegalMoveCompleted });
        }
    }

    /// Sensors were wrong: what was said is withdrawn, and the desk is as it was.
    pub(crate) fn unsay(&mut self, recalled: Option<Recalled>, squares: &[String], turn: &mut Turn) {
        let Some(Recalled { said, offered, called }) = recalled else { return };
        self.told.doubt(self.desk.is_unconfirmed());
        for of in said {
            let evidence = Some(Evidence { squares: squares.to_vec(), ..Evidence::default() });
            turn.say(Alert { of: Some(of), evidence, ..finding::plain(AlertKind::AlertWithdrawn) });
        }
        if offered {
            self.offer_anew(turn);
        }
        if called {
            turn.entry(Entry::State { state: self.desk.state() });
        }
    }

    fn note_found(&mut self, side: Side, verdict: Judgement, turn: &mut Turn) {
        match verdict {
            Judgement::NoMove => self.note_no_move(side, turn),
            Judgement::PromotionLeft(promotion) => self.note_promotion_left(side, promotion, turn),
            Judgement::Illegal(illegality) => self.note_illegal(side, illegality, turn),
            Judgement::Mismatch(mismatch) | Judgement::Unseen(mismatch) => self.note_mismatch(mismatch, turn),
        }
    }

    /// The clock was pressed and the board is unchanged: since 2018 as bad as an illegal move, before that bad manners.
    fn note_no_move(&mut self, side: Side, turn: &mut Turn) {
        let by = |rule, kind| finding::by(rule, kind, Some(side), self.agreed.conditions());
        let Some(note) = by(Rule::NoMovePress, AlertKind::NoMoveClockPress) else {
            return turn.say(by(Rule::ImproperClockUse, AlertKind::ImproperClockUse));
        };
        let count = self.count(Offence::NoMove, side, turn);
        turn.say(Alert { count, ..note });
        let (action, awaiting) = (Action::Penalise, Some(Awaiting::Board));
        let of = (told_by(Offence::NoMove), turn.now());
        self.sanction(Sanction { of, side, count, action, bound: None, awaiting }, turn);
    }

    /// A pawn stands on its last rank: since 2014 it counts as a queen at once, before that the move was illegal.
    fn note_promotion_left(&mut self, side: Side, promotion: Move, turn: &mut Turn) {
        if self.agreed.conditions().waits_for_a_claim() && self.note_impossible(side, turn) {
            return;
        }
        // Under limited supervision the next move is awaited all the same.
        let waits = self.note_impossible_position(turn);
        let awaiting = if waits { None } else { Some(Awaiting::Board) };
        let count = self.count(Offence::PromotionIncomplete, side, turn);
        let evidence = Some(finding::on(promotion.to()));
        let note = finding::by(
            Rule::PromotionIncomplete,
            AlertKind::PromotionIncomplete,
            Some(side),
            self.agreed.conditions(),
        );
        turn.say(note.map(|note| Alert { count, evidence, ..note }));
        let (action, bound) = if pawn_left_becomes_queen(self.agreed.conditions().edition()) {
            self.tell_hand(&Sign::Ordered(Order::Force(promotion)), turn);
            (Action::ReplaceByQueenAndPenalise, None)
        } else {
            (self.restoring(), Some(self.bound(promotion.from(), promotion.capture().map(|_| promotion.to()))))
        };
        // The arbiter is called about the record with the queen in it.
        let of = (told_by(Offence::PromotionIncomplete), turn.now());
        turn.then(Next::Sanction(Sanction { of, side, count, action, bound, awaiting }));
    }

    fn note_illegal(&mut self, side: Side, illegality: Illegality, turn: &mut Turn) {
        if self.note_impossible(side, turn) {
            return;
        }
        let count = self.count(Offence::IllegalMove, side, turn);
        let unconfirmed = self.desk.is_unconfirmed();
        let note = finding::illegal(illegality, side, count, self.agreed.conditions());
        let note = note.map(|note| Alert { unconfirmed, ..note });
        self.told.doubt(unconfirmed);
        let bound = self.bound(Some(illegality.from), illegality.taken);
        if self.agreed.conditions().waits_for_a_claim() {
            let (ply, at) = (self.record.ply(), turn.now());
            self.spoken.keep_unclaimed(Unclaimed { side, count, bound, ply, at, note: note.clone() });
            return turn.say(note.map(|note| Alert { severity: Severity::Trace, ..note }));
        }
        turn.say(note);
        self.sanction(self.put_right(side, count, bound, turn.now()), turn);
    }

    /// The opponent claims what nobody may act on without a claim, and has not moved since.
    pub(crate) fn claim_illegal(&mut self, by: Side, turn: &mut Turn) -> Result<(), Refusal> {
        let Some(Unclaimed { side, count, bound, at, note, .. }) = self.spoken.claim(by, self.record.ply()) else {
            return Err(Refusal::because("there is no illegal move to claim: without one that was seen, report it")
                .known_as(Because::NoIllegalMove));
        };
        // Only what is claimed comes before the arbiter, who may find that it was none.
        let told = |at| (told_by(Offence::IllegalMove), at);
        self.desk.tell_again(told(at), told(turn.now()));
        turn.say(note);
        self.sanction(self.put_right(side, count, bound, turn.now()), turn);
        Ok(())
    }

    pub(crate) fn note_mismatch(&mut self, mismatch: Mismatch, turn: &mut Turn) {
        if self.is_still_impossible() {
            let proposal = finding::proposed(GameResult::Draw, ResultReason::IllegalPosition);
            return self.propose(proposal, Awaiting::Decision, turn);
        }
        let Some(game) = self.record.game() else { return };
        let note = finding::mismatch(mismatch, game.position().board(), self.hand.board(), self.agreed.conditions());
        turn.say(note);
        self.call_arbiter(Awaiting::Board, turn);
    }

    /// One more of what counts as a completed illegal move; nothing where it does not.
    pub(crate) fn count(&mut self, offence: Offence, side: Side, turn: &Turn) -> Option<u32> {
        let told = (told_by(offence), turn.now());
        offence.counts(self.agreed.edition()).then(|| self.desk.count(side.into(), told))
    }

    /// Offers what the tariff says: to put things right and give the opponent time, or, at the limit, a result.
    pub(crate) fn sanction(&mut self, sanction: Sanction, turn: &mut Turn) {
        let Sanction { of, side, count, action, bound: touch_move, awaiting } = sanction;
        let tariff = Tariff::of(self.agreed.conditions()).filter(|_| count.is_some());
        if let Some(tariff) = tariff
            && let Some(count) = count.filter(|count| *count >= tariff.limit)
        {
            // Whatever becomes of the limit, the offence itself has to be put right.
            self.call_about(&[of], Awaiting::Board, turn);
            let limit = Limit { side, count, of };
            if !self.desk.wait_with(limit) {
                self.note_limit(limit, tariff, turn);
            }
            return;
        }
        let bonus = tariff.map_or(Seconds::default(), |tariff| finding::seconds(side.other(), tariff.bonus_s));
        let restoring = touch_move.is_some();
        let proposal = Proposal {
            action: Some(action),
            bonus_s: Some(bonus),
            touch_move,
            restore: self.record.game().filter(|_| restoring).map(|game| game.fen()),
            squares: if restoring { finding::names(self.differing()) } else { Vec::new() },
            ..if restoring { self.times_at(self.record.ply()) } else { self.times_pressed(side) }
        };
        self.propose_about(&[of], proposal, awaiting, turn);
    }

    /// Too many: the game is lost, or drawn where the opponent can't mate. The arbiter decides.
    fn note_limit(&mut self, limit: Limit, tariff: Tariff, turn: &mut Turn) {
        let Limit { side, count, of } = limit;
        // Where the first one loses, the move itself is all there is to tell; and it stands once the opponent has moved.
        let at_once = tariff.limit == 1;
        let reason = match (tariff.limit, self.agreed.conditions().class()) {
            (1, TimeClass::Blitz) => ResultReason::IllegalMoveBlitzLimited,
            (1, TimeClass::Standard | TimeClass::Rapid) => ResultReason::IllegalMoveRapidLimited,
            (2, _) => ResultReason::SecondIllegalMove,
            (_, _) => ResultReason::ThirdIllegalMove,
        };
        let judged = self.judge(Forfeit { side, cause: Cause::IllegalMoves, lost: reason, drawn: reason }, &[], true);
        if !at_once {
            let note =
                finding::by(Rule::IllegalLimit, AlertKind::IllegalLimitReached, Some(side), self.agreed.conditions());
            turn.say(note.map(|note| Alert { count: Some(count), ..judged.note(note) }));
        }
        let reached = (!at_once).then_some((AlertKind::IllegalLimitReached, turn.now()));
        let from: Vec<Raised> = [of].into_iter().chain(reached).collect();
        let awaiting = if at_once { Awaiting::Board } else { Awaiting::Decision };
        self.propose_about(&from, judged.proposal, awaiting, turn);
    }

    /// The position is restored, and what touch-move binds to holds.
    fn put_right(&self, side: Side, count: Option<u32>, bound: Bound, now: Millis) -> Sanction {
        let (action, awaiting) = (self.restoring(), Some(Awaiting::Board));
        let of = (told_by(Offence::IllegalMove), now);
        Sanction { of, side, count, action, bound: Some(bound), awaiting }
    }

    /// What to do about a move that can't stay: in 1993 there was no tariff.
    fn restoring(&self) -> Action {
        if Tariff::of(self.agreed.conditions()).is_some() { Action::RestoreAndPenalise } else { Action::Restore }
    }

    /// What touch-move binds the player to once the position is restored.
    fn bound(&self, moved: Option<Square>, taken: Option<Square>) -> Bound {
        let Some(game) = self.record.game() else { return Bound::default() };
        let legal = game.position().legal_moves();
        let movable = moved.filter(|square| legal.iter().any(|candidate| candidate.from() == Some(*square)));
        let takable = taken.filter(|square| legal.iter().any(|candidate| victim(*candidate) == Some(*square)));
        let name = |square: Square| square.to_string();
        Bound { must_move: movable.map(name), must_take: takable.map(name) }
    }

    /// The squares on which the board differs from the record.
    fn differing(&self) -> Bitboard {
        let empty = Bitboard::EMPTY;
        self.record.game().map_or(empty, |game| self.hand.difference(game.position().board()))
    }
}

/// The alert that tells of it.
fn told_by(offence: Offence) -> AlertKind {
    match offence {
        Offence::IllegalMove => AlertKind::IllegalMoveCompleted,
        Offence::PromotionIncomplete => AlertKind::PromotionIncomplete,
        Offence::NoMove => AlertKind::NoMoveClockPress,
    }
}
