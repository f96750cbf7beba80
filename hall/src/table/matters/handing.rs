//! A game leaves for another table, or comes from one: the same board, the same players, another address.

use protocol::feed::{Entry, Side, State};
use shakmaty::ByColor;

use crate::{
    HandedOver, HandedPly, Millis, Ply, Refusal, StoredRecord,
    hand::{Order, Sign},
    table::{
        Said,
        record::{Game, Made, Written},
        turn::Turn,
        whole::Table,
    },
};

impl Table {
    /// The game that is on, as another table takes it over; none where none is on.
    pub fn handed_over(&self) -> Option<HandedOver> {
        let game = self.record.game().filter(|_| self.is_in_play())?;
        let plies = game.course().since(Ply::START).iter().map(|version| game.handed(version.ply())).collect();
        let (offences, adjourned) = (self.desk.offences(), self.spoken.has_envelope(game.ply()));
        let adjourned_ms = self.spoken.sealed_times(game.ply());
        Some(HandedOver { record: game.to_stored(), plies, lie: self.hand.lie(), offences, adjourned, adjourned_ms })
    }

    /// A game that was begun at another table goes on here.
    pub fn take_over(&mut self, handed: &HandedOver, now: Millis, out: &mut Vec<Said>) {
        self.take_turn(now, out, |table, turn| table.take_in(handed, turn));
    }

    fn take_in(&mut self, handed: &HandedOver, turn: &mut Turn) {
        let number = self.next_number(self.hand.is_assumed());
        let record = StoredRecord { game: number, ..handed.record.clone() };
        // What one table has written another can read.
        let Ok(mut game) = Game::stored(&record) else { return };
        for (ply, known) in (1..).map(Ply::new).zip(&handed.plies) {
            game.take_handed(ply, known);
        }
        let begin = Order::Begin { record: game.course().clone(), lie: handed.lie };
        self.begin_game(Game::new(number, &game.course().beginning()), turn);
        for version in game.course().since(Ply::START) {
            tell(&game, version.ply(), turn);
        }
        self.record.replace(game);
        self.order_hand([begin], turn);
        let [white, black] = handed.offences;
        self.desk.set_offences(ByColor { white, black });
        if handed.adjourned {
            self.stand_still(handed.adjourned_ms, false, turn);
        }
        self.show(turn);
    }

    /// The game goes on elsewhere: here it is over, and has no result.
    pub(crate) fn leave(&mut self, turn: &mut Turn) -> Result<(), Refusal> {
        if !self.desk.is_on() {
            return Err(Refusal::because("no game is on at this table: nothing to take over"));
        }
        if self.desk.end() {
            turn.entry(Entry::State { state: State::Ended });
        }
        self.tell_hand(&Sign::Ordered(Order::End), turn);
        Ok(())
    }
}

/// A ply of a game that was played elsewhere, as it was told there.
fn tell(game: &Game, ply: Ply, turn: &mut Turn) {
    let Some(Written { ply: number, san, uci, fen }) = game.written(ply) else { return };
    let HandedPly { clocks, touched, placed, pressed, settled, completed } = game.handed(ply);
    let clock_ms = clocks.zip(game.mover_of(ply)).map(|(clocks, mover)| match mover {
        Side::White => clocks.white,
        Side::Black => clocks.black,
    });
    let illegal = game.irregular().contains_key(&ply);
    turn.entry(Entry::Final { ply: number, san, uci, fen, clock_ms, inferred: false, illegal });
    if completed {
        turn.entry(Entry::Instants { ply: number, touched, placed, pressed, settled });
    }
}

impl Game {
    fn handed(&self, ply: Ply) -> HandedPly {
        let Made { touched, placed, pressed, settled, completed } = self.made(ply).unwrap_or_default();
        HandedPly { clocks: self.clocks_at(ply), touched, placed, pressed, settled, completed }
    }

    fn take_handed(&mut self, ply: Ply, known: &HandedPly) {
        let HandedPly { clocks, touched, placed, pressed, settled, completed } = *known;
        self.set_clocks(ply, clocks);
        if let Some(made) = self.made_mut(ply) {
            *made = Made { touched, placed, pressed, settled, completed };
        }
    }
}
