//! People type anything: whatever it is, it is read or refused, never a panic.

use laws::{
    blind::{Heard, Voice, hear},
    clock::Control,
    notation::{Language, Reading, read},
    result::GameResult,
};
use proptest::prelude::*;
use shakmaty::{CastlingMode, Chess, Position, fen::Fen};

proptest! {
    #[test]
    fn any_text_is_read_as_a_legal_move_or_none(text in "\\PC{0,10}|[KQRBNDTACFLSPJabcdefgh1-8xX:=+#0O.♔♞ -]{0,9}") {
        let position = position();
        for language in Language::ALL {
            match read(&position, language, &text) {
                Reading::Legal(played) => prop_assert!(position.is_legal(played)),
                Reading::Ambiguous(moves) => {
                    prop_assert!(moves.len() > 1);
                    prop_assert!(moves.iter().all(|played| position.is_legal(*played)));
                }
                Reading::Illegal | Reading::Unclear => {}
            }
        }
    }

    #[test]
    fn any_announcement_is_heard_as_a_legal_move_or_none(
        words in prop::collection::vec("Bauer|Dame|Springer|Eva|Anna|Gustav|sieben|acht|zwo|Rochade|Kurze|schlägt|\\PC{0,4}", 0..8),
    ) {
        let position = position();
        match hear(&position, Voice::default(), &words.join(" ")) {
            Heard::Move(played) => prop_assert!(position.is_legal(played)),
            Heard::NoMove => {}
        }
    }

    #[test]
    fn any_time_control_and_any_result_is_read_or_refused(text in "\\PC{0,12}|[0-9/+:bdf.,½ -]{0,12}") {
        if let Err(refused) = text.parse::<Control>() {
            prop_assert!(refused.to_string().contains("90+30"));
        }
        if let Err(refused) = text.parse::<GameResult>() {
            prop_assert!(refused.to_string().contains("1/2-1/2"));
        }
    }
}

/// Castling, captures, promotions and a capture en passant are all there.
fn position() -> Chess {
    let fen = "r3k2r/P2p1ppp/8/3Pp3/1n4q1/2N2Q2/PPP2PPP/R3K2R w KQkq e6 0 1";
    fen.parse::<Fen>().expect("a FEN").into_position(CastlingMode::Standard).expect("a position")
}
