//! How far each square can be believed, as it has told at this table. A sensor is a witness, never a judge.

use protocol::board::{Content, WireSquare};
use shakmaty::{Bitboard, Square};

/// What the squares have got wrong so far.
#[derive(Clone, Debug)]
pub(super) struct Witnesses {
    /// Those that read nothing while a man stands there.
    blind: Bitboard,
    /// Those of them that have read men, and then one man not, who has left: he may have stood between two squares.
    doubted: Bitboard,
    /// Those that have not told of another one since.
    dead: Bitboard,
    /// Those that have read one.
    sound: Bitboard,
    /// Those of which the operator knows.
    named: Bitboard,
    /// How many plies have not shown where they should have.
    missed: [u8; 64],
    /// Where a man is read who does not stand there.
    ghost: Option<Ghost>,
}

/// A man who is read where he does not stand.
#[derive(Clone, Copy, Debug)]
struct Ghost {
    read: WireSquare,
    man: Content,
    /// Where he stands, if he does: play goes on without one who was laid there, or is read twice.
    stands: Option<WireSquare>,
}

/// What it means that a square is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Testimony {
    /// What is read there is there.
    True,
    /// It tells of the ghost once more, or nothing of the man who is read beside it.
    False,
    /// The man who was read there has left this square, where he stood.
    Left(WireSquare),
}

impl Witnesses {
    pub(super) fn new() -> Witnesses {
        let none = Bitboard::EMPTY;
        Witnesses { blind: none, doubted: none, dead: none, sound: none, named: none, missed: [0; 64], ghost: None }
    }

    /// The same sockets are other squares.
    pub(super) fn turn(&mut self) {
        for squares in [&mut self.blind, &mut self.doubted, &mut self.dead, &mut self.sound, &mut self.named] {
            *squares = squares.rotate_180();
        }
        self.missed.reverse();
    }

    /// A man was read.
    pub(super) fn read(&mut self, square: Square) {
        self.sound.add(square);
        self.absolve(square);
    }

    fn absolve(&mut self, square: Square) {
        for unread in [&mut self.blind, &mut self.doubted, &mut self.dead] {
            unread.discard(square);
        }
        self.missed[square.to_usize()] = 0;
    }

    /// A man stands on this square, or comes and goes there, and it reads nothing.
    pub(super) fn distrust(&mut self, square: Square) {
        self.blind.add(square);
    }

    /// It reads nothing, though nothing more will show on it.
    pub(super) fn condemn(&mut self, square: Square) {
        self.missed[square.to_usize()] = u8::MAX;
    }

    /// It reads men after all. True if it was called faulty.
    pub(super) fn trust_again(&mut self, square: Square) -> bool {
        self.absolve(square);
        self.named.remove(square)
    }

    /// It was this one that has not told of so many plies, and not that one.
    pub(super) fn miss_instead(&mut self, square: Square, missed: u8) {
        self.missed[square.to_usize()] = missed;
    }

    /// How many plies have not shown on it.
    pub(super) fn missed(&self, square: Square) -> u8 {
        self.missed[square.to_usize()]
    }

    /// A ply has not shown on this square, which was not known then.
    pub(super) fn note_missed(&mut self, square: Square) {
        let missed = &mut self.missed[square.to_usize()];
        *missed = missed.saturating_add(1);
    }

    /// A ply has been made, and men are on these squares or have been, and are not read.
    pub(super) fn note_ply(&mut self, unread: Bitboard) {
        for square in self.blind & unread {
            self.note_missed(square);
        }
    }

    /// Somebody has come to this square and is not read there.
    pub(super) fn note_coming(&mut self, square: Square) {
        if self.doubted.remove(square) {
            self.dead.add(square);
        }
    }

    /// Somebody who was not read on this square has left it.
    pub(super) fn note_going(&mut self, square: Square) {
        self.note_missed(square);
        if self.is_sound(square) && !self.dead.contains(square) {
            self.doubted.add(square);
        }
    }

    /// The squares that have not told of men for so many plies that they are faulty, as long as nobody was told.
    pub(super) fn faulty(&self, plies: u8) -> Bitboard {
        // One man that went astray comes, stands and goes unread: a square that has read others is given more time.
        let least = |square| plies + u8::from(self.is_sound(square));
        let missed = |square: &Square| self.missed(*square) >= least(*square);
        (self.blind & !self.named).into_iter().filter(missed).collect()
    }

    /// The operator knows that this square is faulty.
    pub(super) fn name_faulty(&mut self, square: Square) {
        self.named.add(square);
    }

    /// The squares that were called faulty and have read a man since: he had stood between two of them.
    pub(super) fn take_recovered(&mut self) -> Bitboard {
        let recovered = self.named & !self.blind;
        self.named &= !recovered;
        recovered
    }

    /// Play goes on without the man who is read here, or he stands elsewhere, until the square tells of somebody else, or of
    /// nobody.
    pub(super) fn haunt(&mut self, read: WireSquare, man: Content, stands: Option<WireSquare>) {
        self.ghost = Some(Ghost { read, man, stands });
    }

    /// What it means that this square is read so.
    pub(super) fn weigh(&mut self, socket: WireSquare, is: Content) -> Testimony {
        let Some(Ghost { read, man, stands }) = self.ghost else { return Testimony::True };
        if socket == read {
            if is == man {
                return Testimony::False;
            }
            self.ghost = None;
            return stands.filter(|_| is == Content::Empty).map_or(Testimony::True, Testimony::Left);
        }
        if stands != Some(socket) {
            return Testimony::True;
        }
        if is == Content::Empty {
            return Testimony::False;
        }
        // He has come there, or was taken.
        self.haunt(read, man, None);
        Testimony::True
    }

    /// A man is taken to stand on another square than he is read on.
    pub(super) fn is_misread(&self) -> bool {
        self.ghost.is_some_and(|ghost| ghost.stands.is_some())
    }

    /// Those that read nothing, and a man may stand there.
    pub(super) fn blind(&self) -> Bitboard {
        self.blind
    }

    /// It has not read one man, and may read the next one.
    pub(super) fn is_doubted(&self, square: Square) -> bool {
        self.doubted.contains(square)
    }

    /// It has read a man at this table.
    pub(super) fn is_sound(&self, square: Square) -> bool {
        self.sound.contains(square)
    }
}
