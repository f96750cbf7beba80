//! Moves on scoresheets: what is written is read back, and what players write is understood.

use laws::notation::{Language, Reading, Style, read};
use shakmaty::{CastlingMode, Chess, Position, Role, fen::Fen, uci::UciMove};

/// Castling both ways, captures, promotions with capture, en passant, three queens that need both coordinates.
const POSITIONS: [&str; 8] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "4k3/8/8/2pPp3/8/8/8/4K3 w - c6 0 2",
    "1k6/8/8/8/7Q/8/8/K3Q2Q w - - 0 1",
    "1n2k3/P1P5/8/8/8/8/p1p5/1N2K3 b - - 0 1",
    "6k1/8/8/8/2n1n3/8/2n1n3/7K b - - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1",
];

#[test]
fn every_move_is_read_back_in_every_language_and_form() {
    for fen in POSITIONS {
        let position = at(fen);
        for language in Language::ALL {
            for style in [Style::of(language), Style::long(language), Style::bare(language)] {
                for played in position.legal_moves() {
                    let written = style.write(&position, played);
                    assert_eq!(read(&position, language, &written), Reading::Legal(played), "{written} in {fen}");
                }
            }
        }
    }
}

#[test]
fn coordinates_are_read_whatever_the_language() {
    for fen in POSITIONS {
        let position = at(fen);
        for played in position.legal_moves() {
            let written = played.to_uci(CastlingMode::Standard).to_string();
            for language in Language::ALL {
                assert_eq!(read(&position, language, &written), Reading::Legal(played), "{written} in {fen}");
            }
        }
    }
}

#[test]
fn men_are_told_apart_as_the_laws_say() {
    let written = |fen: &str, uci: &str| Style::of(Language::Spanish).write(&at(fen), played(fen, uci));
    // C.10: on the same rank by the file, on the same file by the rank, otherwise preferably by the file.
    assert_eq!(written("4k3/8/8/8/8/8/8/K3N1N1 w - - 0 1", "g1f3"), "Cgf3");
    assert_eq!(written("4k3/8/8/6N1/8/8/8/K5N1 w - - 0 1", "g5f3"), "C5f3");
    assert_eq!(written("4k3/8/8/8/3N4/8/7N/K7 w - - 0 1", "h2f3"), "Chf3");
    assert_eq!(written("4k3/8/8/8/3N4/5p2/7N/K7 w - - 0 1", "d4f3"), "Cdxf3");
    // A knight that is pinned can't go there, so there is nothing to tell apart.
    assert_eq!(written("4r2k/8/8/8/8/4N3/7N/4K3 w - - 0 1", "h2g4"), "Cg4");
    assert_eq!(written("7k/8/8/8/8/4N3/7N/4K3 w - - 0 1", "h2g4"), "Chg4");
}

#[test]
fn marks_that_are_optional_may_be_missing_or_wrong() {
    let fen = "r1bqkb1r/ppp2ppp/2n5/3pP3/3Qn3/5N2/PPP2PPP/RNB1KB1R w KQkq d6 0 6";
    let en_passant = Reading::Legal(played(fen, "e5d6"));
    for written in
        ["exd6 a.p.", "exd6 a. p.", "exd6a.p.", "exd6 e.p.", "ed6", "ed", "e5xd6", "e5:d6+", "6. exd6!?", "6.ed6 ap"]
    {
        assert_eq!(read(&at(fen), Language::Spanish, written), en_passant, "{written}");
    }
    for written in ["Axd2", "Ad2", "Ad2+", "Ac1-d2", "ad2", "Ad2 jaque", "Ad2 (=)", "6.Ad2"] {
        assert_eq!(read(&at(fen), Language::Spanish, written), Reading::Legal(played(fen, "c1d2")), "{written}");
    }
}

#[test]
fn castling_is_read_in_all_its_spellings() {
    let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    let (short, long) = (played(fen, "e1g1"), played(fen, "e1c1"));
    for written in ["0-0", "O-O", "o-o", "00", "OO", "0–0+", "1. 0-0", "e1g1", "Re1g1", "e1h1"] {
        assert_eq!(read(&at(fen), Language::Spanish, written), Reading::Legal(short), "{written}");
    }
    for written in ["0-0-0", "O-O-O", "000", "e1-c1"] {
        assert_eq!(read(&at(fen), Language::Spanish, written), Reading::Legal(long), "{written}");
    }
    let no_right = at("r3k2r/8/8/8/8/8/8/R3K2R w kq - 0 1");
    assert_eq!(read(&no_right, Language::Spanish, "0-0"), Reading::Illegal);
}

#[test]
fn a_promotion_without_its_piece_is_ambiguous() {
    let fen = "8/4P1k1/8/8/8/8/6K1/8 w - - 0 60";
    assert!(matches!(read(&at(fen), Language::German, "e8"), Reading::Ambiguous(moves) if moves.len() == 4));
    for written in ["e8D", "e8=D", "e8(D)", "e8/D", "e8d", "e7e8D", "e7e8q"] {
        assert_eq!(read(&at(fen), Language::German, written), Reading::Legal(played(fen, "e7e8q")), "{written}");
    }
    let bishop = Reading::Legal(played(fen, "e7e8b"));
    assert_eq!(read(&at(fen), Language::German, "e8B"), bishop, "a Bauer makes no sense there, a bishop does");
    assert_eq!(read(&at(fen), Language::German, "e8L"), bishop);
    // The same letters are another piece elsewhere: R is the king in Spanish.
    assert_eq!(read(&at(fen), Language::Spanish, "e8R"), Reading::Illegal);
    assert_eq!(read(&at(fen), Language::English, "e8R"), Reading::Legal(played(fen, "e7e8r")));
    assert_eq!(played(fen, "e7e8r").promotion(), Some(Role::Rook));
}

#[test]
fn a_small_letter_is_a_file_wherever_it_can_be_one() {
    let fen = "4k3/8/8/8/8/2p5/1P1B4/4K3 w - - 0 1";
    assert_eq!(read(&at(fen), Language::English, "bxc3"), Reading::Legal(played(fen, "b2c3")));
    assert_eq!(read(&at(fen), Language::English, "Bxc3"), Reading::Legal(played(fen, "d2c3")));
    assert_eq!(
        read(&at(fen), Language::English, "bf4"),
        Reading::Legal(played(fen, "d2f4")),
        "no pawn goes from b to f"
    );
    assert_eq!(read(&at(fen), Language::English, "BF4"), Reading::Legal(played(fen, "d2f4")));
}

#[test]
fn a_letter_is_foreign_only_where_the_player_s_language_lacks_it() {
    let fen = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1";
    assert_eq!(read(&at(fen), Language::Spanish, "Ra5"), Reading::Illegal, "the king");
    assert_eq!(read(&at(fen), Language::Spanish, "Ta5"), Reading::Legal(played(fen, "a1a5")));
    assert_eq!(read(&at(fen), Language::Spanish, "Kf2"), Reading::Legal(played(fen, "e1f2")), "no Spanish K");
}

#[test]
fn what_is_no_move_is_unclear_and_never_a_panic() {
    let position = Chess::default();
    for written in [
        "",
        " ",
        "?",
        "12.",
        "P-K4",
        "Nf",
        "N",
        "x",
        "e9",
        "i4",
        "0",
        "0000",
        "–",
        "Springer",
        "f3chec\u{212a}",
        "♔",
        "e4e",
    ] {
        assert_eq!(read(&position, Language::English, written), Reading::Unclear, "{written:?}");
    }
}

fn at(fen: &str) -> Chess {
    fen.parse::<Fen>().expect("a FEN").into_position(CastlingMode::Standard).expect("a position")
}

fn played(fen: &str, uci: &str) -> shakmaty::Move {
    uci.parse::<UciMove>().expect("a move").to_move(&at(fen)).expect("a legal move")
}
