//! What is announced is understood as the move it was, by anybody, in every language.

use laws::blind::{Alphabet, Heard, Manner, Verbosity, Voice, announce, braille, hear, in_the_laws_words, speech};
use shakmaty::{CastlingMode, CastlingSide, Chess, Move, Position, Role, Square, fen::Fen};

const RICH: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
const PROMOTING: &str = "1n2k3/P1P5/8/3Pp3/8/8/p1p5/1N2K3 w - e6 0 1";

/// Every way in which a player may want to hear a move.
fn manners() -> Vec<Manner> {
    let mut manners = Vec::new();
    for voice in Voice::all() {
        for alphabet in [Alphabet::Anna, Alphabet::International] {
            for verbosity in [Verbosity::Full, Verbosity::Short] {
                let plain = Manner { voice, alphabet, verbosity, ..Manner::default() };
                manners.extend([plain, Manner { clear: true, captures: true, state: true, ..plain }]);
            }
        }
    }
    manners
}

/// Positions of games in which any legal move may be played: dice that fall the same way every time.
fn positions(count: usize) -> impl Iterator<Item = Chess> {
    let (mut position, mut dice) = (Chess::default(), 2_463_534_242_u32);
    std::iter::repeat_with(move || {
        let moves = position.legal_moves();
        dice ^= dice << 13;
        dice ^= dice >> 17;
        dice ^= dice << 5;
        let chosen = moves.get(usize::try_from(dice).expect("a number of 32 bits") % moves.len().max(1)).copied();
        match chosen.filter(|_| position.halfmoves() < 40) {
            Some(chosen) => position.play_unchecked(chosen),
            None => position = Chess::default(),
        }
        position.clone()
    })
    .take(count)
}

fn understood(positions: impl Iterator<Item = Chess>) {
    let manners = manners();
    for position in positions {
        for played in position.legal_moves() {
            for manner in &manners {
                let said = speech(&announce(&position, played, manner), manner);
                assert_eq!(hear(&position, manner.voice, &said), Heard::Move(played), "{said}, {manner:?}");
            }
        }
    }
}

#[test]
fn every_announcement_is_heard_as_its_move() {
    understood([RICH, PROMOTING].map(at).into_iter().chain(positions(300)));
}

#[test]
#[ignore = "half a minute"]
fn every_announcement_of_ten_thousand_positions_is_heard_as_its_move() {
    understood(positions(10_000));
}

/// In short words too: what is said for one move is said for no other.
fn told_apart(positions: impl Iterator<Item = Chess>) {
    let manners = manners();
    for position in positions {
        for manner in &manners {
            let said =
                position.legal_moves().into_iter().map(|played| speech(&announce(&position, played, manner), manner));
            let (said, moves) = (said.collect::<std::collections::BTreeSet<_>>(), position.legal_moves().len());
            assert_eq!(said.len(), moves, "{said:?}, {manner:?}");
        }
    }
}

#[test]
fn no_two_moves_of_a_position_are_announced_alike() {
    told_apart([RICH, PROMOTING].map(at).into_iter().chain(positions(300)));
}

#[test]
#[ignore = "half a minute"]
fn no_two_moves_of_ten_thousand_positions_are_announced_alike() {
    told_apart(positions(10_000));
}

#[test]
fn a_whole_announcement_needs_no_board() {
    let manner = Manner::default();
    for fen in [RICH, PROMOTING] {
        let position = at(fen);
        for played in position.legal_moves().into_iter().filter(|played| !played.is_castle()) {
            let tokens = announce(&position, played, &manner);
            assert_eq!(tokens.len(), 5 + usize::from(played.is_promotion()), "{tokens:?}");
        }
    }
}

#[test]
fn it_is_spelt_as_speech_engines_need_it_and_as_the_laws_print_it() {
    let position = at(RICH);
    let bishop = find(&position, |played| played.from() == Some(Square::E2) && played.to() == Square::B5);
    assert_eq!(said(&position, bishop, "fide-de"), "Läufer Eva zwei, Bella fünf");
    assert_eq!(in_the_laws_words(Voice::default(), bishop), ["Laeufer", "Eva", "zwei", "Bella", "fuenf"]);
    assert_eq!(said(&position, bishop, "en"), "bishop Eva two, Bella five");
    assert_eq!(said(&position, bishop, "es"), "alfil Eva dos, Bella cinco");
    let castling = find(&position, |played| played.is_castle() && played.to() == Square::H1);
    assert_eq!(said(&position, castling, "es"), "enroque corto");
    assert_eq!(in_the_laws_words(Voice::default(), castling), ["Kurze Rochade"]);
}

#[test]
fn captures_promotions_and_what_they_lead_to_are_said_where_they_are_wanted() {
    let position = at(PROMOTING);
    let rich = |code| Manner {
        voice: Voice::of_code(code).expect("a voice"),
        captures: true,
        state: true,
        ..Manner::default()
    };
    let takes = find(&position, |played| {
        played.to() == Square::B8 && played.is_promotion() && played.from() == Some(Square::A7)
    });
    let words = |played, code| speech(&announce(&position, played, &rich(code)), &rich(code));
    let queen = Move::Normal {
        role: takes.role(),
        from: Square::A7,
        capture: takes.capture(),
        to: Square::B8,
        promotion: Some(Role::Queen),
    };
    assert_eq!(words(queen, "fide-de"), "Bauer Anna sieben, schlägt Springer Bella acht, Dame, Schach");
    assert_eq!(words(queen, "en"), "pawn Anna seven, takes knight Bella eight, promotes to queen, check");
    assert_eq!(braille(&announce(&position, queen, &rich("en")), &rich("en")), "a7xb8Q+");
    let passing = find(&position, |played| played.is_en_passant());
    assert_eq!(words(passing, "es"), "peón David cinco, toma peón Eva seis, al paso");
}

#[test]
fn umlauts_synonyms_and_words_between_do_no_harm() {
    let position = at(RICH);
    let takes = find(&position, |played| played.to() == Square::F6);
    for said in [
        "Dame Felix drei schlägt Springer Felix sechs",
        "dame felix drei, felix SECHS!",
        "Dame Felix sechs",
        "Dame f3 nach f6",
    ] {
        assert_eq!(hear(&position, Voice::default(), said), Heard::Move(takes), "{said}");
    }
    let bishop = hear(&position, Voice::default(), "Läufer Eva zwo Cäsar vier");
    assert_eq!(bishop, hear(&position, Voice::default(), "Laeufer Eva zwei Cesar vier"));
    assert_ne!(bishop, Heard::NoMove);
}

#[test]
fn umlauts_are_heard_however_they_are_written() {
    let position = at("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2");
    let bishop = find(&position, |played| played.role() == Role::Bishop && played.to() == Square::C5);
    for man in ["Läufer", "Laeufer", "Laufer", "La\u{308}ufer", "LÄUFER", "LA\u{308}UFER"] {
        for rank in ["fünf", "fuenf", "funf", "fu\u{308}nf"] {
            let said = format!("{man} Felix acht Cesar {rank}");
            assert_eq!(hear(&position, Voice::default(), &said), Heard::Move(bishop), "{said}");
        }
    }
}

#[test]
fn both_squares_are_a_move_without_its_man_and_a_wrong_man_is_none() {
    let start = Chess::default();
    let pawn = find(&start, |played| played.from() == Some(Square::E2) && played.to() == Square::E4);
    for said in ["e2 e4", "e2-e4", "e2e4", "E2 E4", "Eva zwei Eva vier", "e2, e4"] {
        assert_eq!(hear(&start, Voice::default(), said), Heard::Move(pawn), "{said}");
    }
    // Another language's word for a man is no word that is said between others.
    for said in ["Turm e2 e4", "rook e2 e4", "e2", "e4", "e2 e4 e5", "e2e9", "e2 e4e5"] {
        let heard = Voice::all().map(|voice| hear(&start, voice, said)).collect::<Vec<_>>();
        assert_eq!(heard, [Heard::NoMove; 3], "{said}");
    }
    let promoting = at("7k/2P5/8/8/8/8/8/4K3 w - - 0 1");
    let queen = find(&promoting, |played| played.promotion() == Some(Role::Queen));
    assert_eq!(hear(&promoting, Voice::default(), "c7 c8 Dame"), Heard::Move(queen));
    assert_eq!(hear(&promoting, Voice::default(), "c7 c8"), Heard::NoMove);
}

#[test]
fn castling_is_heard_in_each_of_its_ways() {
    let position = at("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1");
    let castles = |side: CastlingSide| find(&position, |played| played.castling_side() == Some(side));
    for (code, said, side) in [
        ("en", "castling queenside", CastlingSide::QueenSide),
        ("en", "castles king-side", CastlingSide::KingSide),
        ("en", "O-O-O", CastlingSide::QueenSide),
        ("es", "0-0", CastlingSide::KingSide),
        ("fide-de", "große Rochade", CastlingSide::QueenSide),
        ("fide-de", "König e8 g8", CastlingSide::KingSide),
        ("fide-de", "e8 c8", CastlingSide::QueenSide),
    ] {
        let voice = Voice::of_code(code).expect("a language");
        assert_eq!(hear(&position, voice, said), Heard::Move(castles(side)), "{said}");
    }
    assert_eq!(hear(&position, Voice::default(), "König g8"), Heard::NoMove, "the king alone does not go there");
}

#[test]
fn what_fits_several_moves_or_none_is_no_move() {
    let rooks = at("4k3/8/8/8/8/8/4K3/R6R w - - 0 40");
    for said in ["Turm David eins", "Kurze Rochade", "", "Turm", "Turm Anna eins Anna zwei Anna drei", "Anna eins Anna"]
    {
        assert_eq!(hear(&rooks, Voice::default(), said), Heard::NoMove, "{said}");
    }
    let promoting = at(PROMOTING);
    assert_eq!(hear(&promoting, Voice::default(), "Bauer Cesar sieben Cesar acht"), Heard::NoMove, "no piece named");
}

fn said(position: &Chess, played: Move, code: &str) -> String {
    let manner = Manner { voice: Voice::of_code(code).expect("a voice"), ..Manner::default() };
    speech(&announce(position, played, &manner), &manner)
}

fn find(position: &Chess, wanted: impl Fn(&Move) -> bool) -> Move {
    position.legal_moves().into_iter().find(wanted).expect("such a move")
}

fn at(fen: &str) -> Chess {
    fen.parse::<Fen>().expect("a FEN").into_position(CastlingMode::Standard).expect("a position")
}
