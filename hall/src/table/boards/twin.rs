//! The other board of a game that is played on two, as with a blind player.

use laws::blind::{Boards, compare};
use protocol::board::{Content, Contents, Lie, Observation, WireSquare};
use shakmaty::{Bitboard, Board, Chess, Move, Piece, Position as _};

use crate::{Millis, Ply, table::record::Game};

/// What is known of the other board.
#[derive(Clone, Debug)]
pub(crate) struct Twin {
    contents: Contents,
    /// When a man moved on it last.
    changed: Millis,
    /// Since when nothing has changed, on it or in the record.
    since: Millis,
    /// What differs may be on its way: a hand that repeats a move has not finished.
    is_between: bool,
    /// The last ply after which both boards have shown the same.
    agreed: Ply,
    /// This rest has been judged.
    judged: bool,
    /// The arbiter knows that they differ.
    told: bool,
}

impl Twin {
    pub(crate) fn new(contents: Contents, now: Millis) -> Twin {
        Twin::left(contents, Ply::START, now)
    }

    /// The board that was followed, and shows this ply.
    pub(crate) fn left(contents: Contents, agreed: Ply, now: Millis) -> Twin {
        let (judged, told) = (false, false);
        Twin { contents, changed: now, since: now, is_between: false, agreed, judged, told }
    }

    /// It lies the other way round than was thought.
    pub(crate) fn turn(&mut self) {
        self.contents = self.contents.turned();
    }

    /// It names its men.
    pub(crate) fn names(&self) -> bool {
        !self.contents.0.contains(&Content::Occupied)
    }

    pub(crate) fn contents(&self) -> &Contents {
        &self.contents
    }

    /// It or the record has changed.
    pub(crate) fn stir(&mut self, now: Millis) {
        self.since = now;
        self.judged = false;
    }

    /// It reported something. False if it says nothing about its men.
    pub(crate) fn hear(&mut self, observation: &Observation, now: Millis) -> bool {
        match observation {
            Observation::Board(contents) => {
                if self.contents != **contents {
                    self.contents = **contents;
                    self.changed = now;
                    self.stir(now);
                }
                true
            }
            Observation::Square { square, content } => {
                self.contents.set(*square, *content);
                self.changed = now;
                self.stir(now);
                true
            }
            Observation::Clock(_) | Observation::Link(_) => false,
        }
    }

    /// Remembers where both boards agree. Gives the last ply of the record if this one has come to show it, and since when.
    pub(crate) fn meet(&mut self, game: &Game, seen: &Chess) -> Option<(Ply, Millis)> {
        let last = game.ply();
        self.is_between = self.is_on_the_way(game, seen);
        self.agreed = self.agreed.min(last);
        let reached = self.agreed;
        if self.shows(game.position()) || self.shows(seen) {
            self.agreed = last;
            self.told = false;
        } else if let Some(before) = last.previous().filter(|_| game.before().is_some_and(|before| self.shows(before)))
        {
            self.agreed = before;
        }
        (self.agreed > reached).then_some((self.agreed, self.changed))
    }

    /// Since when both boards have been at rest, while that has not been judged; and whether a hand may not be ready.
    pub(crate) fn rests(&self) -> Option<(Millis, bool)> {
        (!self.judged).then_some((self.since, self.is_between))
    }

    /// Both boards are at rest. True if this one differs from the game that is played, and nobody was told; whoever has
    /// moved may be one move ahead of the other board, where it has to be repeated.
    pub(crate) fn judge(&mut self, played: Option<(&Game, &Chess)>) -> bool {
        self.judged = true;
        let differs = !self.told && played.is_some_and(|(game, seen)| !self.is_near(game, seen));
        self.told |= differs;
        differs
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

    pub(crate) fn shows(&self, position: &Chess) -> bool {
        self.misfit(position.board()).is_empty()
    }

    /// How it lies, if it shows this position or one near it.
    pub(crate) fn lie(&self, position: &Chess) -> Lie {
        self.laid_on(position.board()).0
    }

    /// Each of its squares is as it was before a move, or as it will be after it, or empty.
    fn is_on_the_way(&self, game: &Game, seen: &Chess) -> bool {
        let position = game.position();
        let ways = [(position, seen), (game.before().unwrap_or(position), position)];
        ways.into_iter().any(|(before, after)| {
            let lie = self.lie(before);
            let stood = |square, fits: &dyn Fn(Option<Piece>) -> bool| {
                fits(before.board().piece_at(square)) || fits(after.board().piece_at(square))
            };
            WireSquare::all().zip(self.contents.0).all(|(wire, content)| match content {
                Content::Empty => true,
                Content::Man(piece) => stood(wire.on(lie), &|man| man == Some(piece)),
                Content::Occupied => stood(wire.on(lie), &|man| man.is_some()),
            })
        })
    }

    /// The move after which it shows what it shows.
    pub(crate) fn move_from(&self, position: &Chess) -> Option<Move> {
        position.legal_moves().into_iter().find(|candidate| {
            let mut after = position.clone();
            after.play_unchecked(*candidate);
            self.shows(&after)
        })
    }
}

impl Twin {
    /// It shows the position of the game, or the one before or after it.
    fn is_near(&self, game: &Game, seen: &Chess) -> bool {
        let stands =
            [Some(game.position()), Some(seen), game.before()].into_iter().flatten().any(|near| self.shows(near));
        stands || self.move_from(game.position()).is_some() || self.move_from(seen).is_some()
    }

    /// The last ply both boards have in common, and the squares on which they differ.
    pub(crate) fn difference(&self, game: &Game, followed: &Board) -> (Ply, Bitboard) {
        let squares = self.misfit(followed);
        let Some(start) = game.position_after(self.agreed) else { return (self.agreed, squares) };
        let later = self.agreed.later(game.ply());
        let played = later.map_while(|ply| Some(game.move_at(ply)?.1)).collect::<Vec<_>>();
        // Who executed another move than the record has wrote it down too, for all we know.
        let other = self.move_from(start).map_or_else(|| played.clone(), |other| vec![other]);
        match compare(start, [&played, &other], [followed, &self.board(followed)]) {
            Boards::Retrace { to_ply } => (self.agreed.on(to_ply), squares),
            Boards::Adjust { second, .. } => (game.ply(), second.into_iter().collect::<Bitboard>()),
            Boards::Agree => (game.ply(), squares),
        }
    }

    /// The last ply after which both boards have shown the same.
    pub(crate) fn agreed(&self) -> Ply {
        self.agreed
    }

    /// When a man moved on it last.
    pub(crate) fn changed(&self) -> Millis {
        self.changed
    }

    /// Its men as squares of the game, the nameless ones as what stands there on the other board.
    pub(crate) fn board(&self, like: &Board) -> Board {
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
