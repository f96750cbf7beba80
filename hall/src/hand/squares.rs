//! What the sensors say of the 64 squares, as squares of the game: contents, men in the air, what has changed.

use protocol::board::{Content, Contents, Lie, WireSquare};
use shakmaty::{Bitboard, Board, Color, Piece, Role, Square};

use crate::Millis;

/// The squares as last reported, and what happened on them since the record last moved on.
#[derive(Clone, Debug)]
pub(super) struct Squares {
    wire: Contents,
    lie: Lie,
    board: Board,
    air: Vec<Lifted>,
    changed: Bitboard,
    changed_at: [Millis; 64],
    last_change: Millis,
}

/// A man that was lifted and has not landed yet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lifted {
    pub(super) from: Square,
    pub(super) piece: Piece,
    pub(super) at: Millis,
}

impl Squares {
    pub(super) fn new(lie: Lie) -> Squares {
        Squares {
            wire: Contents::EMPTY,
            lie,
            board: Board::empty(),
            air: Vec::new(),
            changed: Bitboard::EMPTY,
            changed_at: [0; 64],
            last_change: 0,
        }
    }

    /// One square is reported. False if it says what was known.
    pub(super) fn report(&mut self, square: WireSquare, content: Content, now: Millis) -> bool {
        if self.wire.get(square) == content {
            return false;
        }
        self.wire.set(square, content);
        self.change(square.on(self.lie), man(content), now);
        true
    }

    /// The whole board is reported. False if it says what was known.
    pub(super) fn survey(&mut self, contents: &Contents, now: Millis) -> bool {
        if self.wire == *contents {
            return false;
        }
        // Men that stand nowhere else by now leave their squares first, so that a man the dump shows elsewhere is a
        // man that moved and not a second one.
        for emptied in [true, false] {
            for square in WireSquare::all() {
                if (contents.get(square) == Content::Empty) == emptied {
                    self.report(square, contents.get(square), now);
                }
            }
        }
        true
    }

    /// The board lies the other way round than was thought: the same sockets are other squares.
    pub(super) fn lay(&mut self, lie: Lie, now: Millis) {
        self.lie = lie;
        self.board = self.wire.board(lie);
        self.settle(now);
    }

    /// The record has moved on: what happened so far explains nothing further. Men in the air stay there.
    pub(super) fn move_on(&mut self, board: &Board) {
        self.changed = difference(board, &self.board);
        self.air.retain(|lifted| board.piece_at(lifted.from) == Some(lifted.piece));
    }

    /// Everything is as if it had always stood here.
    fn settle(&mut self, now: Millis) {
        self.air.clear();
        self.changed = Bitboard::EMPTY;
        self.last_change = now;
    }

    /// Anything may have happened: events were lost.
    pub(super) fn forget(&mut self) {
        self.air.clear();
        self.changed = Bitboard::FULL;
    }

    fn change(&mut self, square: Square, man: Option<Piece>, now: Millis) {
        if let Some(piece) = self.board.remove_piece_at(square)
            && man.is_none()
        {
            self.air.push(Lifted { from: square, piece, at: now });
        }
        if let Some(piece) = man {
            self.board.set_piece_at(square, piece);
            self.air.retain(|lifted| lifted.from != square);
            if let Some(landed) = self.air.iter().rposition(|lifted| lifted.piece == piece) {
                self.air.remove(landed);
            }
        }
        self.changed.add(square);
        self.changed_at[square.to_usize()] = now;
        self.last_change = now;
    }

    pub(super) fn wire(&self) -> &Contents {
        &self.wire
    }

    pub(super) fn lie(&self) -> Lie {
        self.lie
    }

    pub(super) fn board(&self) -> &Board {
        &self.board
    }

    pub(super) fn last_change(&self) -> Millis {
        self.last_change
    }

    pub(super) fn changed_at(&self, square: Square) -> Millis {
        self.changed_at[square.to_usize()]
    }

    pub(super) fn has_changed(&self, squares: Bitboard) -> bool {
        squares.is_subset(self.changed)
    }

    /// The men of `expected` that are in the air; a captured man off the board is none.
    pub(super) fn in_air(&self, expected: &Board) -> impl Iterator<Item = Lifted> {
        self.air.iter().copied().filter(|lifted| {
            self.board.piece_at(lifted.from).is_none() && expected.piece_at(lifted.from) == Some(lifted.piece)
        })
    }

    /// The squares on which `expected` and the sensors disagree, men in the air taken as standing where they left.
    pub(super) fn misfit(&self, expected: &Board) -> Bitboard {
        let mut squares = difference(expected, &self.board);
        for lifted in self.in_air(expected) {
            squares.discard(lifted.from);
        }
        squares
    }

    /// How many men of `expected` are in the air.
    pub(super) fn missing(&self, expected: &Board) -> usize {
        difference(expected, &self.board).count()
    }
}

fn man(content: Content) -> Option<Piece> {
    match content {
        Content::Man(piece) => Some(piece),
        Content::Empty | Content::Occupied => None,
    }
}

/// The squares on which two boards differ.
pub(super) fn difference(a: &Board, b: &Board) -> Bitboard {
    let roles = Role::ALL.into_iter().map(|role| a.by_role(role) ^ b.by_role(role));
    let colors = Color::ALL.into_iter().map(|color| a.by_color(color) ^ b.by_color(color));
    roles.chain(colors).fold(Bitboard::EMPTY, |all, one| all | one)
}
