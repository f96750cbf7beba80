//! Positions whose verdicts are known, one a line: who can mate, and what it shows.

use laws::dead::{Budget, CanMate, Verdict, can_mate};
use shakmaty::{CastlingMode, Chess, Color, FromSetup, Position, PositionError, fen::Fen};

/// Decided at the table or soon after.
const KNOWN: &str = "
    8/8/8/4k3/8/8/4K3/8 w - - 0 1                            | neither | bare kings
    8/8/8/4k3/8/8/4KB2/8 w - - 0 1                           | neither | K+B v K
    8/8/8/4k3/8/8/4KN2/8 b - - 0 1                           | neither | K+N v K
    8/8/8/4k3/8/8/3NKN2/8 w - - 0 1                          | white   | two knights: helpmate exists, so White can still win
    8/8/4b3/4k3/8/8/4KB2/8 w - - 0 1                         | both    | bishops on opposite colours: helpmate in the corner for either side
    8/8/3b4/4k3/8/8/4KB2/8 w - - 0 1                         | neither | bishops on the same colour: dead
    8/8/4n3/4k3/8/8/4KB2/8 w - - 0 1                         | both    | B v N: both sides can be helpmated
    8/8/4r3/4k3/8/8/4KN2/8 w - - 0 1                         | both    | N v R: knight can mate a king hemmed in by its rook
    8/8/4q3/4k3/8/8/4KN2/8 w - - 0 1                         | black   | N v Q: knight cannot mate (queen cannot block without covering), Black can
    8/8/4p3/4k3/8/8/4KN2/8 w - - 0 1                         | both    | N v P: pawn can promote to a blocker, so White can win
    8/8/4r3/4k3/8/8/4KB2/8 w - - 0 1                         | black   | B v R: no opposite-colour blocker possible, White cannot win
    8/8/4p3/4k3/8/8/4KB2/8 w - - 0 1                         | both    | B v P: pawn may promote to knight/bishop, White can win
    R6k/6pp/8/8/8/8/8/6K1 b - - 0 1                          | white   | back-rank checkmate on the board: White has won, Black cannot
    7k/5Q2/6K1/8/8/8/8/8 b - - 0 1                           | neither | stalemate: dead for both although material suffices
    k7/2Q5/1K6/8/8/8/8/8 b - - 0 1                           | neither | stalemate: dead
    8/2kr4/8/K7/8/8/8/8 w - - 0 1                            | black   | K v K+R: Black can win, White bare
    r7/K1k5/8/8/8/8/8/8 w - - 0 1                            | neither | only legal move is Kxa8: forced bare kings, dead
    kb6/2N5/1K6/8/8/8/8/8 b - - 0 1                          | neither | forced ...Bxc7+ leaves White bare and Black with one bishop: dead
    7k/6q1/5PPK/6PP/8/5P2/8/8 w - - 0 1                      | neither | forced line fxg7+ Kg8 f4, then stalemate: dead
    2b1k3/8/8/1p1p1p1p/1P1P1P1P/8/8/2B1K3 w - - 0 1          | neither | full interlocked wall, both bishops on the wrong colour: dead
    4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/4K3 w - - 0 1              | neither | alternate-file wall a,c,e,g: the gaps are all guarded: dead
    4k3/8/8/1p1p1p1p/1P1P1P1P/8/8/4K3 w - - 0 1              | neither | walls b,d,f,h on ranks 4/5: every entry square is guarded, dead
    4k3/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/8/4K3 w - - 0 1       | neither | eight-file wall, locked: dead
    4k3/8/8/pp1ppppp/PP1PPPPP/8/8/4K3 w - - 0 1              | both    | wall with pawn tension: captures are possible, winnable
    5b2/p7/Pp3k2/1Pp1pBp1/2P1P1P1/5K2/8/8 w - - 0 1          | white   | asymmetric wall from a real game: White can win, Black cannot
    Bb2kb2/bKp1p1p1/1pP1P1P1/pP6/6P1/P7/8/8 b - - 0 1        | white   | Buchanan, StrateGems 2002: White can win only
    Bb2kb2/bKp1p1p1/1pP1P1P1/1P6/p5P1/P7/8/8 b - - 0 1       | neither | same with the a-pawn advanced: dead
    7b/1k5B/7b/8/1p1p1p1p/1PpP1P1P/2P3K1/N7 b - - 0 1        | white   | shut-in knight: White can win only
    8/1k5B/7b/8/1p1p1p1p/1PpP1P1P/2P3K1/N3b3 b - - 0 1       | neither | same wall, bishop e1 shuts it for good: dead
    4K3/8/8/8/8/p1p2p1p/P1pppp1P/bnrqkrnb b - - 0 1          | neither | immured black army behind own pawns: dead
    k1b5/1p1p4/1P1P4/8/8/4p1p1/4P1P1/5B1K w - - 0 1          | neither | forced shuffle, single legal move each: repetition, dead
    1b3kBR/4pP1P/1p1pP2P/1P1P4/8/K5p1/6P1/1B6 b - - 0 1      | white   | CHA issue 41: pawn mates from outside the king region; White can win
    8/1p3b2/pPp1p1p1/BkP1P1P1/1P6/BPB5/PKP5/8 b - - 0 1      | white   | second issue-41 example: White can win
    1k6/pPp5/BpP4b/1P6/8/7B/8/5B1K b - - 0 1                 | black   | CHA issue 37: White cannot win
    8/8/1k1p1p2/3PpP2/3pKp2/b2P1P2/8/3B1B2 b - - 0 1         | neither | CHA issue 37: dead
    B2b4/8/4k3/8/1p1p1p1p/1PpP1P1P/K1P4b/RB6 b - - 0 1       | neither | CHA issue 40: White's queenside is locked in unless the rook is taken: dead
    4kb2/4p3/2pp4/3p2p1/1p1K1pP1/1P1P1P2/8/1B6 b - - 0 1     | both    | chasolver 3.0.0 wrongly proves this unwinnable for White: 1...c5+ 2.Kxd5 c4 3.Kc6 cxd3 4.Kc7 d2 5.Bg6#
    8/1p2p1p1/1P2P1P1/Bp2pBp1/1P2P1P1/7k/1P2P3/7K b - - 0 1  | white   | CHA 2.6.1 (C++) wrongly says White cannot win
    k7/1pK3p1/6Pb/1p4pB/bP4P1/Bp6/1P4P1/8 b - - 0 1          | both    | CHA 2.6.1 wrongly says unwinnable for both; both can win
    7k/8/8/8/8/8/5K1p/7R w - - 0 1                           | both    | both can win: White with the rook, Black by promoting
    k7/P7/K7/8/8/8/8/8 b - - 0 1                             | neither | stalemate: dead
    8/8/8/8/8/5k2/5p2/5K2 w - - 0 1                          | neither | stalemate for White: dead
    k7/P7/1K6/8/8/8/8/8 w - - 0 1                            | white   | White can leave and come back to promote: White can win
    8/8/8/8/8/1k6/p7/K7 w - - 0 1                            | neither | stalemate: dead
    7k/7P/7K/8/8/8/8/8 b - - 0 1                             | neither | stalemate: dead
    7k/7P/6K1/8/8/8/8/8 w - - 0 1                            | white   | White can step away and promote later: White can win
    k7/1P6/K7/8/8/8/8/8 b - - 0 1                            | white   | in check, ...Kb8 is forced; White can still promote: White can win
    4k2r/8/8/8/8/8/8/4K3 w k - 0 1                           | black   | castling rights on the board: Black can win
    8/6R1/8/6p1/2N2pP1/PPPP4/QNP2P1N/1Bk1K2R b - g3 0 1      | both    | en passant available: not statically decidable
    8/8/8/8/k1Pp3K/8/8/8 b - c3 0 1                          | both    | en passant is a legal option
    rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 | both    | initial position
    8/8/8/8/8/8/4k1p1/6K1 b - - 0 1                          | black   | Black can promote and mate; White has a bare king
    6bk/5p1p/5PpP/6P1/8/8/8/6K1 w - - 0 1                    | neither | Black king and bishop entombed, and no White piece can reach them except by stalemate: dead
    6bk/5p1p/5PpP/6P1/8/8/8/6K1 b - - 0 1                    | neither | Black to move is stalemated at once: dead
";

/// Endings of master games where one side needs the other's help, or has to get past its pawns: decided at the table.
const HELPED: &str = "
    8/3Q4/k7/4n2P/2K5/6P1/8/8 w - - 0 1       | both | White has to promote to a man that hems its king in
    8/8/5P1k/7P/6PK/8/2b5/8 b - - 0 1         | both | the same for a bishop in the corners of its colour
    8/8/3B1b2/8/2p3kp/4K3/8/8 b - - 0 1       | both | Black's bishop is no help, a pawn has to promote
    8/2N5/8/1p2k3/1P4P1/1K3P2/3n4/8 w - - 0 1 | both | Black's pawn is blocked
    8/1p6/1P6/1P6/3k4/8/5K2/8 b - - 0 1       | both | both of White's pawns are in the way
    8/1pB1b3/1P6/5k2/6p1/1P6/5K2/8 w - - 0 1 | both | White's king has to come to b7
";

/// Decided aside: long lines, and sets of up to 1.3 million positions.
const HARD: &str = "
    6kB/p3p1P1/2p3P1/p7/8/4P3/PKP5/8 w - - 0 1             | both    | Ambrona 2022 challenge
    8/2b4B/4k3/8/8/2p1p1p1/2PpP1P1/1B1K3n b - - 0 1        | black   | CHA issue 40: White cannot win
    8/B4b2/2k5/1p1p4/1P1Pp1pB/1pp1P1P1/1p6/bK3b2 b - - 0 1 | black   | CHA issue 40: White cannot win
    1Bb5/1p6/pPp3k1/2Pp3p/P2PpBpP/4P1P1/5K2/8 w - - 0 1    | both    | D3-Chess issue 48: both sides can win
    3k1b2/2p1pBp1/KpP1P1P1/1P3B2/4B1B1/5B2/8/8 w - - 0 1   | neither | issue 48: walled bishops
    1B6/1p2k3/bPp5/BpP5/1P4K1/8/1P6/8 b - - 0 1            | neither | White's bishop is walled in
";

#[test]
fn known_positions_have_their_verdicts() {
    decide(KNOWN, Budget(1_000_000));
}

#[test]
fn endings_that_need_help_are_decided_at_the_table() {
    decide(HELPED, Budget::TABLE);
}

#[test]
#[ignore = "half a minute: run with the proofs, by make test"]
fn hard_positions_are_decided_aside() {
    decide(HARD, Budget::BACKGROUND);
}

/// The same for mirrored boards: no rule knows a colour or a side of the board.
#[test]
fn colours_are_treated_alike() {
    for case in cases(KNOWN) {
        let mut setup = case.position.to_setup(shakmaty::EnPassantMode::Legal);
        setup.mirror();
        let mirrored = Chess::from_setup(setup, CastlingMode::Standard)
            .or_else(PositionError::ignore_too_much_material)
            .expect("a mirrored position");
        for color in Color::ALL {
            assert_eq!(
                decided(&mirrored, color, Budget(1_000_000)),
                case.can(!color),
                "{} mirrored, {color}",
                case.fen
            );
        }
    }
}

fn decide(table: &'static str, budget: Budget) {
    for case in cases(table) {
        for color in Color::ALL {
            assert_eq!(decided(&case.position, color, budget), case.can(color), "{}, {color}", case.fen);
        }
    }
}

fn decided(position: &Chess, color: Color, budget: Budget) -> bool {
    match can_mate(position, color, budget) {
        Verdict::CanMate(mate) => {
            assert!(ends_in_mate(position.clone(), &mate, color));
            true
        }
        Verdict::CannotMate(_) => false,
        Verdict::Unknown { spent } => panic!(
            "not decided after {spent} positions: {}, {color}",
            Fen::from_position(position, shakmaty::EnPassantMode::Legal)
        ),
    }
}

fn ends_in_mate(mut position: Chess, mate: &CanMate, color: Color) -> bool {
    let legal = mate.line().iter().all(|next| {
        let legal = position.legal_moves().contains(next);
        position.play_unchecked(*next);
        legal
    });
    legal && position.is_checkmate() && position.turn() != color
}

struct Case {
    fen: &'static str,
    position: Chess,
    who: &'static str,
}

impl Case {
    fn can(&self, color: Color) -> bool {
        match self.who {
            "both" => true,
            "white" => color.is_white(),
            "black" => color.is_black(),
            "neither" => false,
            other => panic!("{other}: who?"),
        }
    }
}

fn cases(table: &'static str) -> Vec<Case> {
    let lines = table.lines().map(str::trim).filter(|line| !line.is_empty());
    lines
        .map(|line| {
            let mut columns = line.split('|').map(str::trim);
            let (fen, who) = (columns.next().expect("a FEN"), columns.next().expect("who can mate"));
            let fen_read: Fen = fen.parse().expect("a FEN");
            let position = Chess::from_setup(fen_read.into_setup(), CastlingMode::Standard)
                .or_else(PositionError::ignore_too_much_material)
                .expect("a position");
            Case { fen, position, who }
        })
        .collect()
}
