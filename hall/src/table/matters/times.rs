//! Which times the arbiter is offered when an earlier position is set up again.

use laws::{
    Edition,
    clock::{ControlAhead, used_at_1993},
};
use protocol::feed::{Clocks, Proposal, Side};
use shakmaty::{ByColor, Position as _};

use crate::Ply;
use crate::table::{
    record::{Game, moves_made},
    turn::Turn,
    whole::Table,
};

impl Table {
    /// What the clocks showed after this ply, and what the Laws of 1993 compute for the move that follows there. No
    /// formula is as good as what was read.
    pub(crate) fn times_at(&self, ply: Ply) -> Proposal {
        let Some(game) = self.record.game() else { return Proposal::default() };
        Proposal { clocks_ms: game.clocks_at(ply), clocks_1993_ms: self.computed_at(game, ply), ..Proposal::default() }
    }

    /// What the clocks showed as this player pressed for what was no move. What was gained by that is taken back.
    pub(crate) fn times_pressed(&self, side: Side) -> Proposal {
        let shown = self.clocks.clock.times_pressed(side, self.hand.lie());
        let clocks_ms = shown.map(|ByColor { white, black }| Clocks { white, black });
        Proposal { clocks_ms, ..Proposal::default() }
    }

    /// Offers those times, where there are any, before the moves leave the record.
    pub(crate) fn offer_times(&mut self, ply: Ply, turn: &mut Turn) {
        let offered = self.times_at(ply);
        if offered != Proposal::default() {
            self.propose(offered, None, turn);
        }
    }

    /// As much of the time used up as of the moves made: clocks of 1993 added nothing for a move.
    fn computed_at(&self, game: &Game, ply: Ply) -> Option<Clocks> {
        if self.agreed.conditions().edition() != Edition::E1993 || self.agreed.has_increment() {
            return None;
        }
        let control = self.agreed.control()?;
        let irregular = game.position_after(ply)?.fullmoves().get();
        let ByColor { white, black } = moves_made(game.position());
        let left = |side: Side, made: u32| {
            let period = self.period_now(side);
            let allotted_ms = (0..=period).map(|index| control.period(index).base_ms).sum::<u64>();
            let used = allotted_ms.saturating_sub(self.clocks.clock.left_ms(side, self.hand.lie())?);
            let ahead = control.needed(period).map(|last_move| ControlAhead { allotted_ms, last_move });
            Some(allotted_ms - used_at_1993(used, made, irregular, ahead))
        };
        Some(Clocks { white: left(Side::White, white)?, black: left(Side::Black, black)? })
    }
}
