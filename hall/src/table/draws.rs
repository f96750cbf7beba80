//! Draws that are counted: what ends the game by itself, and what a player could claim.

use laws::{
    Edition, Ending, Rule,
    draws::{DrawnByRule, History, Limits, annex_1993},
};
use protocol::feed::{Alert, AlertKind, Side, Staff, State};
use shakmaty::{Chess, Move, Position as _};

use super::{Awaiting, Table, Turn, doubts::over_before, finding};
use crate::{Millis, hand::Deed};

/// How a game is over by rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Over {
    /// By the position.
    Position(Ending),
    /// By counting.
    Counted(DrawnByRule),
}

/// No position can have come back for the fifth time in fewer plies without a capture or a pawn's move.
const LEAST_QUIET: u32 = 16;

impl Table {
    /// What the record's last ply brings about: the end, or something that could be claimed.
    pub(super) fn examine(&mut self, over: Option<Over>, mover: Side, questioned: bool, turn: &mut Turn) {
        match over {
            Some(over) => self.note_over(over, mover, questioned, turn),
            None => {
                self.note_claimable(turn);
                self.tell_pressing(turn);
            }
        }
    }

    /// How the game is over at the record's position, if it is.
    pub(super) fn over(&mut self) -> Option<Over> {
        let (edition, budget) = (self.conditions.edition(), self.budget());
        let game = self.game.as_mut()?;
        let over = Over::at(game.position(), game.history(), edition);
        over.or_else(|| Over::proven(edition, || game.is_dead(budget)))
    }

    /// The game is over by rule with the record's last ply. Unless it is in question whether that may stand, or whether
    /// it was over before: then the arbiter decides.
    pub(super) fn note_over(&mut self, over: Over, mover: Side, questioned: bool, turn: &mut Turn) {
        let Some(game) = &self.game else { return };
        if over == Over::Position(Ending::DeadPosition)
            && let Some(ply) = over_before(game)
        {
            return self.note_over_before(ply, turn);
        }
        let found = match over {
            Over::Position(ending) => finding::ending(ending, game.position(), mover, self.conditions),
            Over::Counted(drawn) => finding::drawn(drawn, mover, self.conditions),
        };
        let Some((mut note, result, reason)) = found else { return };
        if over == Over::Counted(DrawnByRule::Fivefold) {
            note.occurrences = occurrences(game.history());
        }
        turn.say(note);
        if questioned || self.state != State::Playing {
            self.propose(finding::proposed(result, reason), Awaiting::Decision, turn);
        } else {
            self.finish(result, reason, turn);
        }
    }

    /// Does what is due first among the hands. They ask whether the ply that is seen ends the game.
    pub(super) fn wake_hand(&mut self, now: Millis, deeds: &mut Vec<Deed>) -> bool {
        let (edition, budget) = (self.conditions.edition(), self.budget());
        let game = &mut self.game;
        let ends = |seen: &[Move]| match (game, seen) {
            (Some(game), [seen]) => {
                let after = after(game.position(), *seen);
                let over = game.looking_ahead(&after, |history| Over::at(&after, history, edition));
                over.or_else(|| Over::proven(edition, || game.would_be_dead(*seen, budget))).is_some()
            }
            (Some(_) | None, _) => false,
        };
        self.hand.wake(now, ends, deeds)
    }

    /// What the player having the move could claim. Told to nobody, unless the arbiter wants to know.
    fn note_claimable(&mut self, turn: &mut Turn) {
        let Some(game) = &self.game else { return };
        let side = Some(game.position().turn().into());
        let hint = |rule, kind| {
            let audience = if self.rules.show_claim_availability { vec![Staff::Arbiter] } else { Vec::new() };
            finding::by(rule, kind, side, self.conditions).map(|note| Alert { audience, ..note })
        };
        let history = game.history();
        if history.times() >= 3 {
            let occurrences = occurrences(history);
            let note = hint(Rule::ThreefoldAvailable, AlertKind::ThreefoldAvailable);
            turn.say(note.map(|note| Alert { occurrences, ..note }));
        }
        let limits = self.limits();
        let enough = |position: &Chess, quiet| quiet >= limits.needed_plies(position);
        let quiet = history.quiet_plies();
        let before = game.before().is_some_and(|before| enough(before, quiet.saturating_sub(1)));
        if quiet > 0 && enough(game.position(), quiet) && !before {
            turn.say(hint(Rule::FiftyAvailable, AlertKind::FiftyAvailable));
        }
    }

    /// What was announced before the event about the moves to be counted.
    pub(super) fn limits(&self) -> Limits {
        let annex = self.rules.annex_75_moves && self.conditions.edition() == Edition::E1993;
        Limits { annex: annex.then(annex_1993::Blockade::default), ..Limits::default() }
    }
}

impl Over {
    fn at(position: &Chess, history: &History, edition: Edition) -> Option<Over> {
        if let Some(ending) = Ending::of(position) {
            return Some(Over::Position(ending));
        }
        let may_be_drawn = position.halfmoves() >= LEAST_QUIET;
        let drawn = may_be_drawn.then(|| DrawnByRule::of(history, position, edition));
        drawn.flatten().map(Over::Counted)
    }

    /// A position from which nobody can mate ends the game; in 1993 only the few the Laws list.
    fn proven(edition: Edition, is_dead: impl FnOnce() -> bool) -> Option<Over> {
        (edition != Edition::E1993 && is_dead()).then_some(Over::Position(Ending::DeadPosition))
    }
}

/// After which plies the present position has stood.
fn occurrences(history: &History) -> Vec<usize> {
    history.occurrences().into_iter().map(|occurrence| occurrence.ply).collect()
}

fn after(position: &Chess, played: Move) -> Chess {
    let mut after = position.clone();
    after.play_unchecked(played);
    after
}
