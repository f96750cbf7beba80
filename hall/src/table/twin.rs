//! The other board of a game that is played on two, as with a blind player: it is compared with the one that is followed.

use laws::{
    Rule,
    blind::{Boards, compare},
};
use protocol::{
    board::{Content, Contents, Lie, Observation, WireSquare},
    feed::{Alert, AlertKind, Blind, Evidence, State},
};
use shakmaty::{Bitboard, Board, Chess, Move, Position as _};

use super::{Table, Turn, finding, game::Game};
use crate::Millis;

/// What is known of the other board.
#[derive(Clone, Debug)]
pub(super) struct Twin {
    contents: Contents,
    /// Since when nothing has changed, on it or in the record.
    since: Millis,
    /// After how many plies both boards have shown the same.
    agreed: usize,
    /// This rest has been judged.
    judged: bool,
    /// The arbiter knows that they differ.
    told: bool,
}

impl Twin {
    fn new(contents: Contents, now: Millis) -> Twin {
        Twin { contents, since: now, agreed: 0, judged: false, told: false }
    }

    fn stir(&mut self, now: Millis) {
        self.since = now;
        self.judged = false;
    }

    /// The squares on which it differs from a position, whichever way it lies.
    fn misfit(&self, expected: &Board) -> Bitboard {
        self.laid_on(expected).1
    }

    /// How it seems to lie, and the squares on which it differs then.
    fn laid_on(&self, expected: &Board) -> (Lie, Bitboard) {
        let [straight, turned] = [Lie::Straight, Lie::Turned].map(|lie| (lie, self.misfit_on(expected, lie)));
        if turned.1.count() < straight.1.count() { turned } else { straight }
    }

    fn misfit_on(&self, expected: &Board, lie: Lie) -> Bitboard {
        let differs = |(wire, content): (WireSquare, Content)| {
            let square = wire.on(lie);
            let man = expected.piece_at(square);
            let same = match content {
                Content::Empty => man.is_none(),
                Content::Man(piece) => man == Some(piece),
                Content::Occupied => man.is_some(),
            };
            (!same).then_some(square)
        };
        WireSquare::all().zip(self.contents.0).filter_map(differs).collect::<Bitboard>()
    }

    fn shows(&self, position: &Chess) -> bool {
        self.misfit(position.board()).is_empty()
    }

    /// The move after which it shows what it shows.
    fn move_from(&self, position: &Chess) -> Option<Move> {
        position.legal_moves().into_iter().find(|candidate| {
            let mut after = position.clone();
            after.play_unchecked(*candidate);
            self.shows(&after)
        })
    }
}

impl Table {
    /// The board that is not followed reported something.
    pub(super) fn hear_twin(&mut self, observation: &Observation, now: Millis) {
        match (observation, &mut self.twin) {
            (Observation::Board(contents), Some(twin)) => {
                if twin.contents != **contents {
                    twin.contents = **contents;
                    twin.stir(now);
                }
            }
            (Observation::Board(contents), None) => self.twin = Some(Twin::new(**contents, now)),
            (Observation::Square { square, content }, Some(twin)) => {
                twin.contents.set(*square, *content);
                twin.stir(now);
            }
            (Observation::Square { .. }, None) | (Observation::Clock(_) | Observation::Link(_), _) => return,
        }
        self.meet_twin();
    }

    /// The record or what is seen has changed.
    pub(super) fn stir_twin(&mut self, now: Millis) {
        if let Some(twin) = &mut self.twin {
            twin.stir(now);
            self.meet_twin();
        }
    }

    /// Remembers where both boards agree.
    fn meet_twin(&mut self) {
        let seen = self.seen();
        let (Some(twin), Some(game)) = (&mut self.twin, &self.game) else { return };
        let plies = game.len();
        twin.agreed = twin.agreed.min(plies);
        if twin.shows(game.position()) || twin.shows(&seen) {
            twin.agreed = plies;
            twin.told = false;
        } else if plies.checked_sub(1).and_then(|before| game.position_after(before)).is_some_and(|b| twin.shows(b)) {
            twin.agreed = plies - 1;
        }
    }

    /// When the boards have been at rest for long enough to be compared.
    pub(super) fn twin_at(&self) -> Option<Millis> {
        let twin = self.twin.as_ref().filter(|twin| !twin.judged && self.rules.blind != Blind::None)?;
        Some(twin.since.saturating_add(self.counting.settings().mismatch_rest_ms))
    }

    /// Both boards are at rest. Whoever has moved may be one move ahead of the other board, where it has to be repeated.
    pub(super) fn compare_boards(&mut self, turn: &mut Turn) {
        let seen = self.seen();
        let (Some(twin), Some(game)) = (&mut self.twin, &self.game) else { return };
        twin.judged = true;
        if twin.told || self.state != State::Playing || twin.is_near(game, &seen) {
            return;
        }
        twin.told = true;
        let found = twin.difference(game, self.hand.board());
        let note = finding::by(Rule::BoardsDiffer, AlertKind::BoardsDiffer, None, self.conditions);
        let evidence = Some(Evidence { squares: finding::names(found.1), ..Evidence::default() });
        turn.say(note.map(|note| Alert { plies: Some(found.0), evidence, ..note }));
    }
}

impl Twin {
    /// It shows the position of the game, or the one before or after it.
    fn is_near(&self, game: &Game, seen: &Chess) -> bool {
        let before = game.len().checked_sub(1).and_then(|plies| game.position_after(plies));
        let stands = [Some(game.position()), Some(seen), before].into_iter().flatten().any(|near| self.shows(near));
        stands || self.move_from(game.position()).is_some() || self.move_from(seen).is_some()
    }

    /// How many plies both boards have in common, and the squares on which they differ.
    fn difference(&self, game: &Game, followed: &Board) -> (usize, Bitboard) {
        let squares = self.misfit(followed);
        let Some(start) = game.position_after(self.agreed) else { return (self.agreed, squares) };
        let played = (self.agreed..game.len()).map_while(|ply| Some(game.move_at(ply + 1)?.1)).collect::<Vec<_>>();
        // Who executed another move than the record has wrote it down too, for all we know.
        let other = self.move_from(start).map_or_else(|| played.clone(), |other| vec![other]);
        match compare(start, [&played, &other], [followed, &self.board(followed)]) {
            Boards::Retrace { to_ply } => (self.agreed + to_ply, squares),
            Boards::Adjust { second, .. } => (game.len(), second.into_iter().collect::<Bitboard>()),
            Boards::Agree => (game.len(), squares),
        }
    }

    /// Its men as squares of the game, the nameless ones as what stands there on the other board.
    fn board(&self, like: &Board) -> Board {
        let (lie, _) = self.laid_on(like);
        let mut board = self.contents.board(lie);
        for (square, content) in WireSquare::all().map(|wire| wire.on(lie)).zip(self.contents.0) {
            if let (Content::Occupied, Some(piece)) = (content, like.piece_at(square)) {
                board.set_piece_at(square, piece);
            }
        }
        board
    }
}
