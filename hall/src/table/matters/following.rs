//! What the hand concludes, each conclusion to its place.

use laws::Rule;
use protocol::feed::{Alert, AlertKind, Correction, Sight};

use crate::{
    hand::{Deed, Order, Rethought, Sign},
    table::{desk::Awaiting, finding, turn::Turn, whole::Table},
};

impl Table {
    pub(crate) fn tell_hand(&mut self, sign: &Sign, turn: &mut Turn) {
        let mut deeds = Vec::new();
        self.hand.handle(sign, turn.now(), &mut deeds);
        self.follow(deeds, turn);
    }

    /// Tells the hand what somebody says about the game, and follows what comes of all of it.
    pub(crate) fn order_hand<const N: usize>(&mut self, orders: [Order; N], turn: &mut Turn) {
        let mut deeds = Vec::new();
        for order in orders {
            self.hand.handle(&Sign::Ordered(order), turn.now(), &mut deeds);
        }
        self.follow(deeds, turn);
    }

    pub(crate) fn follow(&mut self, deeds: Vec<Deed>, turn: &mut Turn) {
        let moved = !deeds.is_empty();
        let mut begun = false;
        let taken_back = deeds.iter().any(|deed| matches!(deed, Deed::Takeback(_)));
        for deed in deeds {
            match deed {
                Deed::Seen(tail) => {
                    self.record.see(tail);
                    self.show(turn);
                }
                Deed::Final(finished) => self.write(&finished, turn),
                Deed::Rewritten { why, plies, moves } => {
                    let reason = match why {
                        Rethought::Promotion => Correction::PromotionPiece,
                        Rethought::WentOn => {
                            self.note_went_on(turn);
                            Correction::SlideContinued
                        }
                        Rethought::Castled => Correction::CastlingRookFirst,
                        Rethought::Gesture => Correction::ResultGesture,
                    };
                    self.rewrite(plies, &moves, reason, turn);
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
                Deed::Stood(stood) => self.note_stood(&stood, turn),
                Deed::Completed(color, at) => self.complete(color.into(), at, turn),
                Deed::Pressed(color, verdict) => self.note_press(color.into(), verdict, turn),
                Deed::OutOfTurn(color) => {
                    let (kind, side) = (AlertKind::MoveOutOfTurn, Some(color.into()));
                    turn.say(finding::by(Rule::OutOfTurn, kind, side, self.agreed.conditions()));
                    self.call_arbiter(Awaiting::Board, turn);
                }
                Deed::TouchedOutOfTurn(piece, square) => {
                    let (kind, side) = (AlertKind::TouchOutOfTurn, Some(piece.color.into()));
                    let note = finding::by(Rule::TouchOutOfTurn, kind, side, self.agreed.conditions());
                    turn.say(note.map(|note| Alert { evidence: Some(finding::on(square)), ..note }));
                }
                Deed::Mismatched(mismatch) => self.note_mismatch(mismatch, turn),
                Deed::Held(squares) => {
                    let held = Sight::Held { held: !squares.is_empty(), squares: finding::names(squares) };
                    turn.show(held);
                }
                Deed::Takeback(plies) => {
                    let mut note = finding::plain(AlertKind::Takeback);
                    note.plies = Some(plies);
                    turn.say(note);
                    self.unplay(plies, Correction::Takeback, turn);
                }
                Deed::Signalled(winner) => self.note_signal(winner, turn),
                Deed::NewGame { opening, instead } => {
                    self.open(*opening, instead, turn);
                    begun = true;
                }
                Deed::Reopened(opening) => self.reopen(*opening, turn),
                Deed::AskDump => {
                    if let Some(board) = self.boards.followed() {
                        turn.ask_dump(board.clone());
                    }
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
        if begun {
            self.tell_pressing(turn);
        }
    }
}
