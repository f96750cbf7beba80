//! Draws that are counted: what ends the game by itself, and what a player could claim.

use laws::{Ending, Rule, draws::DrawnByRule};
use protocol::feed::{Alert, AlertKind, Side, Staff};
use shakmaty::{Chess, Move, Position as _};

use crate::{
    Millis,
    hand::Deed,
    table::{
        desk::Awaiting,
        finding,
        over::{Over, after, occurrences},
        turn::Turn,
        whole::Table,
    },
};

impl Table {
    /// What the record's last ply brings about: the end, or something that could be claimed.
    pub(crate) fn examine(&mut self, over: Option<Over>, mover: Side, questioned: bool, turn: &mut Turn) {
        match over {
            Some(over) => self.note_over(over, mover, questioned, turn),
            None => self.note_claimable(turn),
        }
    }

    /// How the game is over at the record's position, if it is.
    pub(crate) fn over(&mut self) -> Option<Over> {
        let (edition, budget) = (self.agreed.conditions().edition(), self.agreed.budget());
        let game = self.record.game_mut()?;
        let over = Over::at(game.position(), game.history(), edition);
        over.or_else(|| Over::proven(edition, || game.is_dead(budget)))
    }

    /// The game is over by rule with the record's last ply. Unless it is in question whether that may stand, or whether
    /// it was over before: then the arbiter decides.
    pub(crate) fn note_over(&mut self, over: Over, mover: Side, questioned: bool, turn: &mut Turn) {
        let Some(game) = self.record.game() else { return };
        if over == Over::Position(Ending::DeadPosition)
            && let Some(ply) = game.over_before()
        {
            return self.note_over_before(ply, turn);
        }
        let Some((mut note, result, reason)) = over.found(game.position(), mover, self.agreed.conditions()) else {
            return;
        };
        if over == Over::Counted(DrawnByRule::Fivefold) {
            note.occurrences = occurrences(game.history());
        }
        turn.say(note);
        if questioned || !self.desk.is_playing() {
            self.propose(finding::proposed(result, reason), Awaiting::Decision, turn);
        } else {
            self.finish(result, reason, turn);
        }
    }

    /// Does what is due first among the hands. They ask whether what is seen ends the game.
    pub(crate) fn wake_hand(&mut self, now: Millis, deeds: &mut Vec<Deed>) {
        let (edition, budget) = (self.agreed.edition(), self.agreed.budget());
        let game = self.record.game_mut();
        let ends = |seen: &[Move]| match (game, seen) {
            (Some(game), [seen]) => {
                let after = after(game.position(), *seen);
                let over = game.looking_ahead(&after, |history| Over::at(&after, history, edition));
                over.or_else(|| Over::proven(edition, || game.would_be_dead(*seen, budget))).is_some()
            }
            // What lies on plies that nobody has pressed is not proven to be dead: such a game is closed by hand.
            (Some(game), seen) => {
                let (mut history, mut position) = (game.history().clone(), game.position().clone());
                for played in seen {
                    position.play_unchecked(*played);
                    history.push(&position);
                }
                Over::at(&position, &history, edition).is_some()
            }
            (None, _) => false,
        };
        self.hand.wake(now, ends, deeds);
    }

    /// What the player having the move could claim. Told to nobody, unless the arbiter wants to know.
    fn note_claimable(&mut self, turn: &mut Turn) {
        let Some(game) = self.record.game() else { return };
        let side = Some(game.position().turn().into());
        let hint = |rule, kind| {
            let audience = if self.agreed.rules().show_claim_availability { vec![Staff::Arbiter] } else { Vec::new() };
            finding::by(rule, kind, side, self.agreed.conditions()).map(|note| Alert { audience, ..note })
        };
        let history = game.history();
        if history.times() >= 3 {
            let occurrences = occurrences(history);
            let note = hint(Rule::ThreefoldAvailable, AlertKind::ThreefoldAvailable);
            turn.say(note.map(|note| Alert { occurrences, ..note }));
        }
        let limits = self.agreed.limits();
        let enough = |position: &Chess, quiet| quiet >= limits.needed_plies(position);
        let quiet = history.quiet_plies();
        let before = game.before().is_some_and(|before| enough(before, quiet.saturating_sub(1)));
        if quiet > 0 && enough(game.position(), quiet) && !before {
            turn.say(hint(Rule::FiftyAvailable, AlertKind::FiftyAvailable));
        }
    }
}
