//! Limited supervision: a move that is not legal stands once the opponent has moved, and positions no play leads to.

use laws::{Offence, Rule};
use protocol::feed::{Alert, AlertKind, Entry, GameResult, ResultReason, Severity, Side};
use shakmaty::{Bitboard, Board, Color, Position as _, Rank, Role};

use crate::{
    Course,
    hand::Stood,
    table::{desk::Awaiting, finding, record::Written, turn::Turn, whole::Table},
};

impl Table {
    /// Both kings in check, or a pawn on its last rank, under limited supervision: the arbiter waits until the next move
    /// is completed. True if the board shows it; the move that led there is only noted then.
    pub(crate) fn note_impossible(&mut self, side: Side, turn: &mut Turn) -> bool {
        if !self.note_impossible_position(turn) {
            return false;
        }
        let count = self.count(Offence::IllegalMove, side, turn);
        let note =
            finding::by(Rule::IllegalMove, AlertKind::IllegalMoveCompleted, Some(side), self.agreed.conditions());
        let waits = self.agreed.conditions().waits_for_a_claim();
        let severity = |note: &Alert| if waits { Severity::Trace } else { note.severity };
        turn.say(note.map(|note| Alert { severity: severity(&note), count, ..note }));
        true
    }

    /// The same without the move that led there.
    pub(crate) fn note_impossible_position(&mut self, turn: &mut Turn) -> bool {
        if !self.agreed.is_limited() {
            return false;
        }
        let board = self.hand.board();
        let found = if both_in_check(board) {
            finding::by(Rule::BothInCheck, AlertKind::BothKingsInCheck, None, self.agreed.conditions())
        } else if let Some(owner) = pawn_on_last_rank(board) {
            finding::by(Rule::PawnOnLastRank, AlertKind::PawnOnLastRank, Some(owner.into()), self.agreed.conditions())
        } else {
            return false;
        };
        turn.say(found);
        true
    }

    /// A pawn that counts as a queen in the record stands on its last rank still, after the opponent's move.
    pub(crate) fn is_still_impossible(&self) -> bool {
        let (board, Some(game)) = (self.hand.board(), self.record.game()) else { return false };
        let queens = game.position().board().queens();
        let last = Bitboard::from_rank(Rank::First) | Bitboard::from_rank(Rank::Eighth);
        self.agreed.is_limited() && (board.pawns() & last & queens).any()
    }

    /// The opponent has moved: both moves enter the record, if play can go on from there. If not, the game is drawn.
    pub(crate) fn note_stood(&mut self, record: &Course, stood: &Stood, turn: &mut Turn) {
        if stood.reply.after.is_none() {
            let proposal = finding::proposed(GameResult::Draw, ResultReason::IllegalPosition);
            return self.propose(proposal, Awaiting::Decision, turn);
        }
        self.record.follow(record);
        let (irregular, reply) = (record.ply().back(1), record.ply());
        for (ply, side, illegal) in [(irregular, stood.side, true), (reply, !stood.side, false)] {
            let Some(written) = self.record.written(ply) else { return };
            let Written { ply, san, uci, fen } = written;
            let clock_ms = self.clocks.clock.left_ms(side.into(), self.hand.lie());
            turn.entry(Entry::Final { ply, san, uci, fen, clock_ms, inferred: false, illegal });
        }
        let offender = Some(stood.side.into());
        turn.say(finding::by(Rule::IllegalStands, AlertKind::IllegalMoveStands, offender, self.agreed.conditions()));
        if let Some(offer) = self.desk.let_stand() {
            self.offer_anew(turn);
            // The game it would have lost goes on: from here on nobody may act on it.
            if offer.result.is_some() {
                self.play_on(turn);
            }
        }
        self.record.forget_seen();
        self.show(turn);
        self.complete_ply(irregular, None, turn);
        self.complete_ply(reply, Some(stood.reply.pressed), turn);
        if !self.desk.has_ended() {
            let over = self.over();
            self.examine(over, (!stood.side).into(), false, turn);
        }
    }
}

/// Both kings of this board stand in check.
fn both_in_check(board: &Board) -> bool {
    Color::ALL.into_iter().all(|color| {
        let king = board.king_of(color);
        king.is_some_and(|king| board.attacks_to(king, !color, board.occupied()).any())
    })
}

fn pawn_on_last_rank(board: &Board) -> Option<Color> {
    Color::ALL.into_iter().find(|color| {
        let last = color.fold_wb(Rank::Eighth, Rank::First);
        (board.by_piece(Role::Pawn.of(*color)) & Bitboard::from_rank(last)).any()
    })
}
