//! Chess960: numbered starting positions, what a start array must be, and what castling moves.
//!
//! | | 1993 | 2009 | 2014 | 2018 | 2023 |
//! |---|---|---|---|---|---|
//! | where | - | Appendix F | Appendix F | Guidelines II | Guidelines II |
//!
//! The king stands between the rooks, the bishops on squares of different colours, Black mirrors White: 960 positions,
//! numbered 0 to 959 (518 is the usual one). After castling king and rook stand where they do in standard chess,
//! wherever they came from: by moving both, exchanging them, or moving one of them only.

use shakmaty::{
    Bitboard, Board, ByColor, ByRole, CastlingMode, CastlingSide, Chess, Color, File, FromSetup, Position, Rank, Role,
    Setup, Square, attacks,
};

/// How many starting positions there are.
pub const POSITIONS: u16 = 960;

/// The number of the ordinary one.
pub const USUAL: u16 = 518;

/// The men of White's first rank, from the a-file to the h-file; `None` from 960 on.
///
/// ```
/// use laws::chess960::{back_rank, number_of};
/// use shakmaty::Role::{Bishop, King, Knight, Queen, Rook};
///
/// assert_eq!(back_rank(518), Some([Rook, Knight, Bishop, Queen, King, Bishop, Knight, Rook]));
/// assert_eq!(back_rank(0), Some([Bishop, Bishop, Queen, Knight, Knight, Rook, King, Rook]));
/// assert_eq!(back_rank(960), None);
/// assert_eq!(number_of([Rook, Knight, Bishop, Queen, King, Bishop, Knight, Rook]), Some(518));
/// ```
pub fn back_rank(number: u16) -> Option<[Role; 8]> {
    if number >= POSITIONS {
        return None;
    }
    let number = usize::from(number);
    let mut rank = [None; 8];
    rank[2 * (number % 4) + 1] = Some(Role::Bishop);
    rank[2 * (number / 4 % 4)] = Some(Role::Bishop);
    place(&mut rank, number / 16 % 6, Role::Queen);
    let (first, second) = KNIGHTS[number / 96];
    // The second first: placing the other one would count its square away.
    place(&mut rank, second, Role::Knight);
    place(&mut rank, first, Role::Knight);
    for role in [Role::Rook, Role::King, Role::Rook] {
        place(&mut rank, 0, role);
    }
    Some(rank.map(|role| role.expect("eight men have been placed")))
}

/// The number of a first rank, if it is one of the 960.
pub fn number_of(rank: [Role; 8]) -> Option<u16> {
    (0..POSITIONS).find(|number| back_rank(*number) == Some(rank))
}

/// The starting position of a number, with all rights to castle.
///
/// ```
/// use shakmaty::{EnPassantMode, fen::Fen};
/// let start = laws::chess960::start(0).expect("a number below 960");
/// let fen = Fen::from_position(&start, EnPassantMode::Legal).to_string();
/// assert_eq!(fen, "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1");
/// ```
pub fn start(number: u16) -> Option<Chess> {
    let rank = back_rank(number)?;
    let setup = Setup { board: array(rank), castling_rights: rooks(rank), ..Setup::initial() };
    Some(Chess::from_setup(setup, CastlingMode::Chess960).expect("all 960 are positions to play from"))
}

/// The number of the start array on a board, if it is one.
pub fn number_on(board: &Board) -> Option<u16> {
    let number = number_of(first_rank(board, Color::White)?)?;
    (array(back_rank(number)?) == *board).then_some(number)
}

/// What keeps a board from being a start array of Chess960.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SetupFault {
    /// Not the usual men on the first and last rank.
    WrongMen,
    /// Pawns not on their ranks.
    PawnsMissing,
    /// Men between the pawns.
    MenBetween,
    /// The king is not between the rooks.
    KingNotBetweenRooks,
    /// Both bishops run on one colour.
    BishopsOnOneColour,
    /// Black's men do not face the same men of White.
    NotMirrored,
}

/// Everything that is wrong with a start array; nothing for a right one. White's first rank is judged, Black's must be
/// the same.
pub fn faults(board: &Board) -> Vec<SetupFault> {
    let mut faults = Vec::new();
    let pawns = array_of_pawns();
    if board.pawns() != pawns.pawns() || board.pawns() & board.white() != pawns.pawns() & pawns.white() {
        faults.push(SetupFault::PawnsMissing);
    }
    let between = Bitboard::from_rank(Rank::Third)
        | Bitboard::from_rank(Rank::Fourth)
        | Bitboard::from_rank(Rank::Fifth)
        | Bitboard::from_rank(Rank::Sixth);
    if !(board.occupied() & between).is_empty() {
        faults.push(SetupFault::MenBetween);
    }
    let Some(rank) = first_rank(board, Color::White) else {
        faults.push(SetupFault::WrongMen);
        return faults;
    };
    if !is_usual(rank) {
        faults.push(SetupFault::WrongMen);
    } else {
        let at = |role| (0..8).filter(move |file| rank[*file] == role).collect::<Vec<_>>();
        let (king, rooks, bishops) = (at(Role::King)[0], at(Role::Rook), at(Role::Bishop));
        if !(rooks[0] < king && king < rooks[1]) {
            faults.push(SetupFault::KingNotBetweenRooks);
        }
        if bishops[0] % 2 == bishops[1] % 2 {
            faults.push(SetupFault::BishopsOnOneColour);
        }
    }
    if first_rank(board, Color::Black) != Some(rank) {
        faults.push(SetupFault::NotMirrored);
    }
    faults.sort_unstable();
    faults
}

/// The squares on which a board differs from the announced starting position.
pub fn differing(board: &Board, number: u16) -> Option<Vec<Square>> {
    let announced = array(back_rank(number)?);
    Some(Square::ALL.into_iter().filter(|square| board.piece_at(*square) != announced.piece_at(*square)).collect())
}

/// One castling: which men, from where to where. For standard chess too.
///
/// ```
/// use laws::chess960::{Castling, Method};
/// use shakmaty::{CastlingSide, Square};
///
/// let castling = Castling::new(Square::F1, Square::G1);
/// assert_eq!((castling.king_to, castling.rook_to), (Square::G1, Square::F1));
/// assert_eq!(castling.method(), Method::Transposition);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Castling {
    /// Towards which side.
    pub side: CastlingSide,
    /// Where the king stands.
    pub king_from: Square,
    /// Where it goes.
    pub king_to: Square,
    /// Where the rook stands.
    pub rook_from: Square,
    /// Where it goes.
    pub rook_to: Square,
}

/// What a player's hands do in castling (II.3.2.1 to II.3.2.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Both men move.
    Both,
    /// They exchange their squares.
    Transposition,
    /// The rook stays.
    KingOnly,
    /// The king stays.
    RookOnly,
}

impl Castling {
    /// The castling of a king with a rook of the same rank.
    pub fn new(king_from: Square, rook_from: Square) -> Castling {
        let side = CastlingSide::from_king_side(king_from < rook_from);
        let on = |file: File| Square::from_coords(file, king_from.rank());
        Castling { side, king_from, king_to: on(side.king_to_file()), rook_from, rook_to: on(side.rook_to_file()) }
    }

    /// The castlings a player has a right to, whether they are possible at the moment or not.
    pub fn rights(position: &Chess, player: Color) -> Vec<Castling> {
        let Some(king) = position.board().king_of(player) else { return Vec::new() };
        let rooks = CastlingSide::ALL.into_iter().filter_map(|side| position.castles().rook(player, side));
        rooks.map(|rook| Castling::new(king, rook)).collect()
    }

    /// What the hands do.
    pub fn method(self) -> Method {
        if self.king_from == self.king_to {
            Method::RookOnly
        } else if self.rook_from == self.rook_to {
            Method::KingOnly
        } else if self.king_from == self.rook_to && self.rook_from == self.king_to {
            Method::Transposition
        } else {
            Method::Both
        }
    }

    /// The squares that must be empty, the two men themselves set aside: each man's way, its end included.
    pub fn must_be_empty(self) -> Bitboard {
        let way = |from, to| attacks::between(from, to) | Bitboard::from(to);
        (way(self.king_from, self.king_to) | way(self.rook_from, self.rook_to))
            & !Bitboard::from(self.king_from)
            & !Bitboard::from(self.rook_from)
    }

    /// The squares that must not be attacked: where the king stands, passes and arrives. The rook's may be.
    pub fn must_be_safe(self) -> Bitboard {
        attacks::between(self.king_from, self.king_to) | Bitboard::from(self.king_from) | Bitboard::from(self.king_to)
    }
}

/// The rights to castle by the files of their rooks, as Shredder-FEN writes them; `-` for none.
///
/// ```
/// let start = laws::chess960::start(0).expect("a number below 960");
/// assert_eq!(laws::chess960::rights_by_file(&start), "HFhf");
/// ```
pub fn rights_by_file(position: &Chess) -> String {
    let rights = position.castles().castling_rights();
    let of = |color: Color| {
        let rooks = (rights & position.board().by_color(color)).into_iter().rev();
        rooks.map(move |rook| color.fold_wb(rook.file().upper_char(), rook.file().char())).collect::<String>()
    };
    let letters = of(Color::White) + &of(Color::Black);
    if letters.is_empty() { "-".to_owned() } else { letters }
}

/// Where the two knights stand among the five squares left, by the last digit of the numbering.
const KNIGHTS: [(usize, usize); 10] = [(0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)];

/// Puts a man on the nth square that is still free.
fn place(rank: &mut [Option<Role>; 8], nth: usize, role: Role) {
    let free = rank.iter_mut().filter(|square| square.is_none()).nth(nth);
    *free.expect("the numbering counts free squares") = Some(role);
}

/// A whole start array.
fn array(rank: [Role; 8]) -> Board {
    let mut board = array_of_pawns();
    for (file, role) in File::ALL.into_iter().zip(rank) {
        board.set_piece_at(Square::from_coords(file, Rank::First), role.of(Color::White));
        board.set_piece_at(Square::from_coords(file, Rank::Eighth), role.of(Color::Black));
    }
    board
}

fn array_of_pawns() -> Board {
    let pawns = ByColor { white: Bitboard::from_rank(Rank::Second), black: Bitboard::from_rank(Rank::Seventh) };
    let by_role = ByRole { pawn: pawns.white | pawns.black, ..ByRole::default() };
    Board::try_from_bitboards(by_role, pawns).expect("pawns on two ranks")
}

fn rooks(rank: [Role; 8]) -> Bitboard {
    let on = |at: Rank| {
        let files = File::ALL.into_iter().zip(rank).filter(|(_, role)| *role == Role::Rook);
        files.map(move |(file, _)| Square::from_coords(file, at))
    };
    on(Rank::First).chain(on(Rank::Eighth)).collect()
}

/// The men of a player's first rank, if there are eight of them.
fn first_rank(board: &Board, player: Color) -> Option<[Role; 8]> {
    let rank = player.relative_rank(Rank::First);
    let men = File::ALL.map(|file| {
        board.piece_at(Square::from_coords(file, rank)).filter(|man| man.color == player).map(|man| man.role)
    });
    let mut roles = [Role::Pawn; 8];
    for (role, man) in roles.iter_mut().zip(men) {
        *role = man?;
    }
    Some(roles)
}

fn is_usual(rank: [Role; 8]) -> bool {
    let count = |role| rank.iter().filter(|man| **man == role).count();
    [(Role::King, 1), (Role::Queen, 1), (Role::Rook, 2), (Role::Bishop, 2), (Role::Knight, 2)]
        .into_iter()
        .all(|(role, number)| count(role) == number)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn all_960_positions_differ_are_right_and_know_their_number() {
        let mut seen = BTreeSet::new();
        for number in 0..POSITIONS {
            let start = start(number).expect("a number below 960");
            assert_eq!(number_on(start.board()), Some(number));
            assert_eq!(faults(start.board()), []);
            assert_eq!(differing(start.board(), number), Some(vec![]));
            assert_eq!(start.castles().castling_rights().count(), 4);
            assert!(seen.insert(start.board().to_string()));
        }
    }

    #[test]
    fn a_start_array_is_told_what_is_wrong_with_it() {
        for (placement, expected) in [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", vec![]),
            ("rnbqbknr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", vec![SetupFault::NotMirrored]),
            (
                "krnbqbnr/pppppppp/8/8/8/8/PPPPPPPP/KRNBQBNR",
                vec![SetupFault::KingNotBetweenRooks, SetupFault::BishopsOnOneColour],
            ),
            ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR", vec![SetupFault::PawnsMissing, SetupFault::MenBetween]),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKQNR", vec![SetupFault::WrongMen, SetupFault::NotMirrored]),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN1", vec![SetupFault::WrongMen]),
        ] {
            let board = Board::from_ascii_board_fen(placement.as_bytes()).expect("a placement");
            assert_eq!(faults(&board), expected, "{placement}");
            assert_eq!(number_on(&board).is_some(), expected.is_empty());
        }
    }

    #[test]
    fn castling_moves_what_it_moves_in_standard_chess() {
        let short = Castling::new(Square::E1, Square::H1);
        assert_eq!((short.king_to, short.rook_to, short.method()), (Square::G1, Square::F1, Method::Both));
        assert_eq!(short.must_be_empty().into_iter().collect::<Vec<_>>(), [Square::F1, Square::G1]);
        let long = Castling::new(Square::E8, Square::A8);
        assert_eq!((long.king_to, long.rook_to), (Square::C8, Square::D8));
        assert_eq!(long.must_be_empty().into_iter().collect::<Vec<_>>(), [Square::B8, Square::C8, Square::D8]);
        assert_eq!(long.must_be_safe().into_iter().collect::<Vec<_>>(), [Square::C8, Square::D8, Square::E8]);
    }

    #[test]
    fn each_way_of_castling_has_its_name() {
        for (king, rook, method) in [
            (Square::B1, Square::A1, Method::Both),
            (Square::F1, Square::G1, Method::Transposition),
            (Square::B1, Square::D1, Method::Both),
            (Square::G1, Square::H1, Method::RookOnly),
            (Square::E1, Square::D1, Method::KingOnly),
        ] {
            assert_eq!(Castling::new(king, rook).method(), method, "{king} {rook}");
        }
    }

    #[test]
    fn the_helper_agrees_with_the_move_generator_on_every_right() {
        // All men but kings and rooks gone: whatever castling needs is there, if nothing stands in the way.
        for number in 0..POSITIONS {
            let full = start(number).expect("a number below 960");
            let mut setup = full.to_setup(shakmaty::EnPassantMode::Legal);
            let keep = setup.board.kings() | setup.board.rooks() | setup.board.pawns();
            setup.board.occupied().into_iter().filter(|square| !keep.contains(*square)).for_each(|square| {
                setup.board.discard_piece_at(square);
            });
            let position = Chess::from_setup(setup, CastlingMode::Chess960).expect("a position");
            let legal = position.legal_moves();
            for castling in Castling::rights(&position, Color::White) {
                let is_free = (castling.must_be_empty() & position.board().occupied()).is_empty();
                let is_legal = legal.iter().any(|played| played.is_castle() && played.to() == castling.rook_from);
                assert_eq!(is_free, is_legal, "{number}: {castling:?}");
            }
        }
    }
}
