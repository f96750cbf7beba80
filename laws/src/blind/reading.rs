//! What is read out on request: where men stand.

use shakmaty::{Bitboard, Board, Color, File, Rank, Role, Square};

use super::{
    announcement::Token,
    voice::{MEN, Phrase},
};

/// Where the men of one kind and colour stand.
///
/// ```
/// use laws::blind::{Manner, men, speech};
/// use shakmaty::{Board, Color, Role};
///
/// let manner = Manner::default();
/// let knights = men(&Board::new(), Role::Knight, Color::White);
/// assert_eq!(speech(&knights, &manner), "Springer Bella eins, Gustav eins");
/// ```
pub fn men(board: &Board, role: Role, color: Color) -> Vec<Token> {
    let stand = board.by_piece(role.of(color));
    let mut tokens = vec![Token::Man(role)];
    let places = stand.into_iter().map(|square| vec![Token::File(square.file()), Token::Rank(square.rank())]);
    let places = places.collect::<Vec<_>>();
    tokens.extend(if places.is_empty() { vec![Token::Said(Phrase::NothingThere)] } else { places.join(&Token::Pause) });
    tokens
}

/// What stands on these squares, White's men first.
pub fn line(board: &Board, squares: Bitboard) -> Vec<Token> {
    let both = [(Color::White, Phrase::White), (Color::Black, Phrase::Black)];
    let sides = both.into_iter().filter_map(|(color, name)| {
        let men = side(board, squares & board.by_color(color));
        (!men.is_empty()).then(|| [vec![Token::Said(name)], men].concat())
    });
    let sides = sides.collect::<Vec<_>>();
    if sides.is_empty() { vec![Token::Said(Phrase::NothingThere)] } else { sides.join(&Token::Pause) }
}

/// All men.
pub fn whole(board: &Board) -> Vec<Token> {
    line(board, Bitboard::FULL)
}

/// The names of the files and the numbers of the ranks: who hears them all can follow a game.
pub fn alphabet() -> Vec<Token> {
    let files = File::ALL.map(|file| vec![Token::File(file)]);
    let ranks = Rank::ALL.map(|rank| vec![Token::Rank(rank)]);
    files.into_iter().chain(ranks).collect::<Vec<_>>().join(&Token::Pause)
}

/// Men of one colour, from the king to the pawns; each kind is named once.
fn side(board: &Board, squares: Bitboard) -> Vec<Token> {
    let kinds = MEN.into_iter().filter_map(|role: Role| {
        let stand = squares & board.by_role(role);
        let place = |square: Square| vec![Token::File(square.file()), Token::Rank(square.rank())];
        let places = stand.into_iter().map(place).collect::<Vec<_>>().join(&Token::Pause);
        (!places.is_empty()).then(|| [vec![Token::Man(role)], places].concat())
    });
    kinds.collect::<Vec<_>>().join(&Token::Pause)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blind::{Manner, Voice, braille, display, speech};

    #[test]
    fn a_file_is_read_with_whose_men_stand_on_it() {
        let read = line(&Board::new(), Bitboard::from(File::G));
        let german = Manner::default();
        let expected =
            "Weiß Springer Gustav eins, Bauer Gustav zwei, Schwarz Springer Gustav acht, Bauer Gustav sieben";
        assert_eq!(speech(&read, &german), expected);
        assert_eq!(display(&read, &german), "Weiß Springer g1, Bauer g2, Schwarz Springer g8, Bauer g7");
        assert_eq!(braille(&read, &german), "Weiß Sg1 g2 Schwarz Sg8 g7");
        assert_eq!(speech(&line(&Board::empty(), Bitboard::from(File::G)), &german), "leer");
    }

    #[test]
    fn all_men_are_read_and_all_names() {
        let spanish = Manner { voice: Voice::of_code("es").expect("a voice"), ..Manner::default() };
        assert!(speech(&whole(&Board::new()), &spanish).starts_with("blancas rey Eva uno, dama David uno, torre"));
        assert_eq!(speech(&alphabet(), &spanish).matches(',').count(), 15);
        let queens = men(&Board::empty(), Role::Queen, Color::White);
        assert_eq!(speech(&queens, &spanish), "dama nada");
    }
}
