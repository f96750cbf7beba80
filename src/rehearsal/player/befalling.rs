//! What comes once a game, at a ply the dice choose: silences, gaps, a lever that sticks, a square that dies.

use protocol::board::{WireSquare, dgt::PieceCode};
use shakmaty::Square;

use super::{
    super::{
        count::Kind,
        device::Input,
        record::{Fault, FaultKind},
        trial::Once,
    },
    fate::{Fate, Stretch},
    rehearsal::{Link, Output, Rehearsal},
};

/// Longer than any game.
const FOR_EVER_MS: u64 = 1 << 40;
/// After the ply with which a gap ends the cable is back within this.
const BACK_MS: u64 = 500;
/// A silence begins within this of the press before.
const SILENCE_WITHIN_MS: (u64, u64) = (0, 1_500);
/// Before that many plies, and after the last but that many, nothing befalls a game.
const MARGIN: usize = 4;

impl Rehearsal {
    /// A game of so many plies begins.
    pub(super) fn draw_fate(&mut self, plies: usize) {
        let Once { silence, squares_unheard, nothing_heard, link_gap, lever_stuck, .. } = self.setting.trial.once;
        self.fate = Fate {
            silence: (silence.1 > 0 && plies > 0).then(|| self.chance.index(plies)),
            squares: self.stretch(squares_unheard, plies),
            nothing: self.stretch(nothing_heard, plies),
            gap: self.stretch(link_gap, plies),
            lever: self.stretch(lever_stuck, plies),
        };
    }

    /// Where so many plies fit into a game.
    fn stretch(&mut self, length: usize, plies: usize) -> Option<Stretch> {
        let room = plies.checked_sub(length + 2 * MARGIN).filter(|_| length > 0)?;
        let from = MARGIN + self.chance.index(room + 1);
        Some(Stretch { from, until: from + length })
    }

    /// So many plies have been played.
    pub(super) fn meet_fate(&mut self, plies: usize, now: u64, out: &mut Vec<Output>) {
        let fate = self.fate;
        if fate.silence == Some(plies) {
            let from = now + self.chance.between(SILENCE_WITHIN_MS);
            let until = from + self.chance.between(self.setting.trial.once.silence);
            self.cable.fall_silent(from, until);
            self.occurred.note(Kind::Silence, true);
        }
        let begins = |stretch: Option<Stretch>| stretch.is_some_and(|stretch| stretch.from == plies);
        let ends = |stretch: Option<Stretch>| stretch.is_some_and(|stretch| stretch.until == plies);
        if begins(fate.squares) {
            self.cable.deaf.squares = true;
            self.fault(FaultKind::Hidden, Kind::SquaresUnheard, now);
        }
        if begins(fate.nothing) {
            (self.cable.deaf.squares, self.cable.deaf.clock) = (true, true);
            self.fault(FaultKind::Hidden, Kind::NothingHeard, now);
        }
        if ends(fate.squares) || ends(fate.nothing) {
            (self.cable.deaf.squares, self.cable.deaf.clock) = (false, false);
            self.mend(FaultKind::Hidden, now);
        }
        if begins(fate.gap) {
            self.fault(FaultKind::Hidden, Kind::LinkGap, now);
            self.lose_link(FOR_EVER_MS, now, out);
        }
        if ends(fate.gap) {
            self.link = Link::Down { until: now + BACK_MS };
            self.mend(FaultKind::Hidden, now + BACK_MS);
        }
        if begins(fate.lever) {
            self.device.clock_mut().into_iter().for_each(|clock| clock.stick());
            self.fault(FaultKind::LeverStuck, Kind::LeverStuck, now);
        }
        if ends(fate.lever) {
            self.device.clock_mut().into_iter().for_each(|clock| clock.come_loose());
            self.mend(FaultKind::LeverStuck, now);
        }
        let dies = self.setting.trial.faults.dies_at_move.map(|number| 2 * number.saturating_sub(1));
        if dies == Some(plies) && self.dead.is_empty() {
            let square = Square::new(u32::try_from(self.chance.index(64)).expect("below 64"));
            self.kill(square, now, out);
        }
    }

    /// From here on the square reads nothing.
    fn kill(&mut self, square: Square, now: u64, out: &mut Vec<Output>) {
        self.dead.push(square);
        self.fault(FaultKind::Dead(square), Kind::SquareDead, now);
        let square = WireSquare::under(square, self.lie);
        self.tell_device(Input::Sensed { square, code: PieceCode::EMPTY, copies: 1 }, now, out);
    }

    pub(super) fn fault(&mut self, kind: FaultKind, counted: Kind, from: u64) {
        self.occurred.note(counted, true);
        self.faults.push(Fault { kind, from, until: None });
    }

    fn mend(&mut self, kind: FaultKind, until: u64) {
        let open = self.faults.iter_mut().rfind(|fault| fault.kind == kind && fault.until.is_none());
        open.into_iter().for_each(|fault| fault.until = Some(until));
    }

    /// A press that nobody hears, until the next one.
    pub(super) fn hear_press(&mut self) {
        let share = self.setting.trial.faults.press_unheard;
        if share > 0.0 {
            self.cable.deaf.clock = self.chance.happens(Kind::PressUnheard, share);
        }
    }

    /// Squares that have been dead since the board was built.
    pub(super) fn bury(&mut self) {
        let mut squares: Vec<Square> = Square::ALL.to_vec();
        self.chance.shuffle(&mut squares);
        squares.truncate(self.setting.trial.faults.dead);
        squares.iter().for_each(|square| self.fault(FaultKind::Dead(*square), Kind::SquareDead, 0));
        self.dead = squares;
    }

    /// Faults of the whole rehearsal, those of single men among them.
    pub fn faults(&self) -> Vec<Fault> {
        let astray = self.sensors.astray.iter().map(|man| Fault {
            kind: FaultKind::Beside(man.square, man.read_on),
            from: man.from,
            until: Some(man.until),
        });
        self.faults.iter().copied().chain(astray).collect()
    }
}
