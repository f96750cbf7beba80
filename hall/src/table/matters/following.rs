//! What the hand concludes, each conclusion to its place.

use laws::Rule;
use protocol::feed::{Alert, AlertKind, Correction, Evidence, Sight};

use crate::{
    hand::{Deed, Order, Rethought, Sign},
    table::{
        finding,
        turn::{Next, Turn},
        whole::Table,
    },
};

impl Table {
    /// Tells the hand something. What it concludes from that is followed up next.
    pub(crate) fn tell_hand(&mut self, sign: &Sign, turn: &mut Turn) {
        let mut deeds = Vec::new();
        self.hand.handle(sign, turn.now(), &mut deeds);
        deeds.into_iter().for_each(|deed| turn.then(Next::Conclusion(deed)));
    }

    /// The same from outside, with all that comes of it.
    pub(crate) fn signal_hand(&mut self, sign: &Sign, turn: &mut Turn) {
        self.tell_hand(sign, turn);
        self.follow(turn);
    }

    /// The same with what somebody says about the game.
    pub(crate) fn order_hand<const N: usize>(&mut self, orders: [Order; N], turn: &mut Turn) {
        for order in orders {
            self.tell_hand(&Sign::Ordered(order), turn);
        }
        self.follow(turn);
    }

    /// Follows up whatever there is, one thing after the other. Nothing that is followed up leads back here.
    pub(crate) fn follow(&mut self, turn: &mut Turn) {
        let (mut moved, mut taken_back) = (false, false);
        while let Some(next) = turn.next() {
            match next {
                Next::Sanction(sanction) => self.sanction(sanction, turn),
                Next::Conclusion(deed) => {
                    moved = true;
                    taken_back |= matches!(deed, Deed::Takeback(_));
                    self.conclude(deed, turn);
                }
            }
        }
        if taken_back {
            self.show(turn);
        }
        if moved {
            self.stir_twin(turn.now());
            self.spoken.note_standing(self.record.tail().first().copied(), turn.now());
        }
    }

    /// Brings one conclusion to its place.
    fn conclude(&mut self, deed: Deed, turn: &mut Turn) {
        match deed {
            Deed::Seen(beyond) => {
                self.record.see(beyond);
                self.show(turn);
            }
            Deed::Set(record) => self.record.follow(&record),
            Deed::Final { record, made } => self.write(&record, &made, turn),
            Deed::Rewritten { why, record } => {
                let reason = match why {
                    Rethought::Promotion => Correction::PromotionPiece,
                    Rethought::WentOn { released } => {
                        released.into_iter().for_each(|dwelt| self.note_went_on(dwelt, turn));
                        Correction::SlideContinued
                    }
                    Rethought::Unread => Correction::SlideContinued,
                    Rethought::Castled => Correction::CastlingRookFirst,
                    Rethought::Gesture => Correction::ResultGesture,
                    Rethought::WentHome => Correction::AfterTheEnd,
                };
                self.rewrite(&record, reason, turn);
            }
            Deed::Gap { plies, others } => self.note_gap(plies, &others, turn),
            Deed::Undecided { lines, news: true } => self.note_alternatives(lines, turn),
            Deed::Undecided { lines, news: false } => self.record.keep_choice(lines),
            Deed::Touched { piece, square, held, kind } => self.note_touch(piece, square, held, kind, turn),
            Deed::Knocked(color) => {
                let kind = AlertKind::DisplacedPieces;
                let note = finding::by(Rule::Displaced, kind, Some(color.into()), self.agreed.conditions());
                turn.say(note);
            }
            Deed::Restored => turn.say(finding::plain(AlertKind::PositionRestored)),
            Deed::Stood { record, stood } => self.note_stood(&record, &stood, turn),
            Deed::Completed(color, at) => self.complete(color.into(), at, turn),
            Deed::Pressed(color, verdict, certainty) => self.note_press(color.into(), verdict, certainty, turn),
            Deed::TwoHands(color) if self.is_assisted(color.into()) => {}
            Deed::TwoHands(color) => {
                let (kind, side) = (AlertKind::TwoHandsSuspect, Some(color.into()));
                turn.say(finding::by(Rule::TwoHands, kind, side, self.agreed.conditions()));
            }
            Deed::Confirmed => self.confirm_press(turn),
            Deed::Withdrawn { squares } => {
                let recalled = self.desk.recall();
                self.unsay(recalled, &squares.map(|square| square.to_string()), turn);
            }
            Deed::Unfounded(squares) => {
                let recalled = self.desk.recall_all();
                self.unsay(recalled, &finding::names(squares), turn);
            }
            Deed::OutOfTurn(color) => self.note_out_of_turn(color.into(), turn),
            Deed::TouchedOutOfTurn(piece, _) if self.is_assisted(piece.color.into()) => {}
            Deed::TouchedOutOfTurn(piece, square) => {
                let (kind, side) = (AlertKind::TouchOutOfTurn, Some(piece.color.into()));
                let note = finding::by(Rule::TouchOutOfTurn, kind, side, self.agreed.conditions());
                turn.say(note.map(|note| Alert { evidence: Some(finding::on(square)), ..note }));
            }
            Deed::Mismatched(mismatch) => self.note_resting(mismatch, turn),
            Deed::Held(squares) => {
                self.told.hold(!squares.is_empty());
                let held = Sight::Held { held: !squares.is_empty(), squares: finding::names(squares) };
                turn.show(held);
            }
            Deed::Takeback(record) => {
                let mut note = finding::plain(AlertKind::Takeback);
                note.plies = Some(self.record.ply().since(record.ply()));
                turn.say(note);
                self.unplay(&record, Correction::Takeback, turn);
            }
            Deed::Signalled(winner) => self.note_signal(winner, turn),
            Deed::NewGame { record, instead } => self.open(&record, instead, turn),
            Deed::Mended { record, squares } => self.mend_set_up(&record, squares, turn),
            Deed::Reopened(record) => self.reopen(&record, turn),
            Deed::Faulty { square, others } => {
                let squares = if others.any() { finding::names(others.with(square)) } else { Vec::new() };
                let evidence = Some(Evidence { squares, ..finding::on(square) });
                turn.say(Alert { evidence, ..finding::plain(AlertKind::SquareFaulty) });
            }
            Deed::Sound(square) => {
                let (of, evidence) = (Some(AlertKind::SquareFaulty), Some(finding::on(square)));
                turn.say(Alert { of, evidence, ..finding::plain(AlertKind::AlertWithdrawn) });
            }
            Deed::ClockSilent => turn.say(finding::plain(AlertKind::ClockSilent)),
            Deed::AskDump => {
                if let Some(board) = self.boards.followed() {
                    turn.ask_dump(board.clone());
                }
            }
        }
    }
}
