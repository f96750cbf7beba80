//! What the hand concludes, each conclusion to its place.

use laws::Rule;
use protocol::feed::{Alert, AlertKind, Correction, Sight};

use super::{Awaiting, Said, Say, Table, finding, say};
use crate::{
    Millis,
    hand::{Deed, Rethought, Sign},
};

impl Table {
    pub(super) fn tell_hand(&mut self, sign: &Sign, now: Millis, out: &mut Vec<Said>) {
        let mut deeds = Vec::new();
        self.hand.handle(sign, now, &mut deeds);
        self.follow(deeds, now, out);
    }

    pub(super) fn follow(&mut self, deeds: Vec<Deed>, now: Millis, out: &mut Vec<Said>) {
        let moved = deeds.iter().any(|deed| *deed != Deed::AskEnd);
        for deed in deeds {
            match deed {
                Deed::Seen(tail) => {
                    self.tail = tail;
                    self.show(now, out);
                }
                Deed::Final(finished) => self.write(&finished, now, out),
                Deed::Rewritten { why, plies, moves } => {
                    let reason = match why {
                        Rethought::Promotion => Correction::PromotionPiece,
                        Rethought::WentOn => {
                            self.note_went_on(now, out);
                            Correction::SlideContinued
                        }
                        Rethought::Castled => Correction::CastlingRookFirst,
                        Rethought::Gesture => Correction::ResultGesture,
                    };
                    self.rewrite(plies, &moves, reason, now, out);
                }
                Deed::Gap { plies, others } => self.note_gap(plies, &others, now, out),
                Deed::Undecided { lines, news: true } => self.note_alternatives(lines, now, out),
                Deed::Undecided { lines, news: false } => self.keep_alternatives(lines),
                Deed::Touched { piece, square, held, kind } => self.note_touch(piece, square, held, kind, now, out),
                Deed::Knocked(color) => {
                    let kind = AlertKind::DisplacedPieces;
                    let note = finding::by(Rule::Displaced, kind, Some(color.into()), self.conditions);
                    say(out, now, note);
                }
                Deed::Restored => say(out, now, finding::plain(AlertKind::PositionRestored)),
                Deed::Stood(stood) => self.note_stood(&stood, now, out),
                Deed::Completed(color, at) => self.complete(color.into(), at, now, out),
                Deed::Pressed(color, verdict) => self.note_press(color.into(), verdict, now, out),
                Deed::OutOfTurn(color) => {
                    let (kind, side) = (AlertKind::MoveOutOfTurn, Some(color.into()));
                    say(out, now, finding::by(Rule::OutOfTurn, kind, side, self.conditions));
                    self.call_arbiter(Awaiting::Board, now, out);
                }
                Deed::TouchedOutOfTurn(piece, square) => {
                    let (kind, side) = (AlertKind::TouchOutOfTurn, Some(piece.color.into()));
                    let note = finding::by(Rule::TouchOutOfTurn, kind, side, self.conditions);
                    say(out, now, note.map(|note| Alert { evidence: Some(finding::on(square)), ..note }));
                }
                Deed::Mismatched(mismatch) => self.note_mismatch(mismatch, now, out),
                Deed::Held(squares) => {
                    let held = Sight::Held { held: !squares.is_empty(), squares: finding::names(squares) };
                    out.push((now, Say::Sight(held)));
                }
                Deed::Takeback(plies) => {
                    let mut note = finding::plain(AlertKind::Takeback);
                    note.plies = Some(plies);
                    say(out, now, note);
                    // The hand counted these plies in the record it was given, so they are there.
                    self.undo(plies, Correction::Takeback, now, out).expect("as many plies as the hand saw");
                }
                Deed::Signalled(winner) => self.note_signal(winner, now, out),
                Deed::NewGame(opening) => self.open(*opening, now, out),
                Deed::Reopened(opening) => self.reopen(*opening, now, out),
                Deed::AskEnd => self.look_ahead(),
                Deed::AskDump => {
                    if let Some(board) = &self.board {
                        out.push((now, Say::AskDump(board.clone())));
                    }
                }
            }
        }
        if moved {
            self.hand.wonder_about_end();
            self.stir_twin(now);
            self.note_standing(now);
        }
    }
}
