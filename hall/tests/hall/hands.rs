//! Hands that play random legal games in every way hands do, and lose nothing on the way to the sensors.

use std::{fmt, ops::Range};

use hall::Settings;
use laws::{Ending, touch::victim};
use proptest::{collection::vec, option, prelude::*, sample::Index};
use shakmaty::{CastlingMode, Chess, Color, Move, Piece, Position, Role, Square, fen::Fen, san::SanPlus};

/// Where games begin: quiet, with everything to castle, and with pawns about to meet and to promote.
pub(crate) const STARTS: [&str; 4] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 6 8",
    "4k3/P1p1p1P1/8/1P1P1P2/p1p1p3/8/1P1P1P1p/4K3 w - - 0 1",
    "r2n1k2/1P3ppp/8/3pP3/4p3/8/2pP2PP/R3K1N1 b Q - 0 20",
];

/// How one ply is made. Everything is a number, so that a failing game shrinks to a plain one.
#[derive(Clone, Debug)]
pub(crate) struct Ply {
    choice: Index,
    /// Captures, castlings and promotions are rarer than a test likes.
    special: bool,
    manner: Index,
    /// Squares on which the man rests on its way.
    stops: Vec<Index>,
    /// Between one contact and the next; `stops` rest this long too.
    steps: Vec<u64>,
    /// After the press of the ply before; below zero the hand is faster than the opponent's.
    think: i64,
    /// The press after the landing; below zero before it.
    press: i64,
    adjust: Option<(Index, u64)>,
    dump: bool,
}

/// Hands that are faster than the opponent's: only a clock can tell whose move came first.
pub(crate) const BLITZ: Range<i64> = -300..3000;

/// Hands that wait until the opponent's ply has settled. Without a clock a man that rested on its way and is then
/// captured at once reads as if it had stayed where it rested.
pub(crate) const PATIENT: Range<i64> = 2600..6500;

/// Resting shorter than a release, and lifting longer than a scan.
pub(crate) fn plies(count: usize, think: Range<i64>) -> impl Strategy<Value = Vec<Ply>> {
    let manner = (any::<Index>(), any::<bool>(), any::<Index>(), vec(any::<Index>(), 0..3));
    let pace = (vec(100..700u64, 8), think, -200..600i64);
    let ply = (manner, pace, option::weighted(0.2, (any::<Index>(), 90..650u64)), prop::bool::weighted(0.2));
    let ply = ply.prop_map(|((choice, special, manner, stops), (steps, think, press), adjust, dump)| Ply {
        choice,
        special,
        manner,
        stops,
        steps,
        think,
        press,
        adjust,
        dump,
    });
    vec(ply, 1..=count)
}

/// What the hands of a game do, and the game.
#[derive(Clone)]
pub(crate) struct Script {
    pub(crate) start: Chess,
    pub(crate) fen: &'static str,
    /// Milliseconds from the beginning, and words a `World` can act.
    pub(crate) lines: Vec<(u64, String)>,
    pub(crate) moves: Vec<Move>,
    pub(crate) sans: Vec<String>,
    /// When each ply is pressed or, if that is later, stands on the board.
    pub(crate) made: Vec<u64>,
    /// How many men hands hold more from each moment on; what a ply takes off the board counts until it is made.
    held: Vec<(u64, i32)>,
}

impl Script {
    pub(crate) fn of(fen: &'static str, plies: &[Ply]) -> Script {
        let start = fen.parse::<Fen>().expect("a FEN").into_position(CastlingMode::Standard).expect("a position");
        let mut position = Chess::clone(&start);
        let mut script = Script {
            start,
            fen,
            lines: Vec::new(),
            moves: Vec::new(),
            sans: Vec::new(),
            made: Vec::new(),
            held: Vec::new(),
        };
        let mut last = Last::default();
        for ply in plies {
            if Ending::of(&position).is_some() {
                break;
            }
            let played = choose(&position, ply);
            last = script.make(&position, played, ply, last);
            script.moves.push(played);
            script.sans.push(SanPlus::from_move_and_play_unchecked(&mut position, played).to_string());
        }
        // Equal times keep their order: a press comes after the landing it follows.
        script.lines.sort_by_key(|(at, _)| *at);
        script
    }

    /// The lines of a clockless game.
    pub(crate) fn without_presses(mut self) -> Script {
        self.lines.retain(|(_, words)| words != "press");
        self
    }

    /// Somebody holds a man.
    pub(crate) fn hands_full(&self, at: u64) -> bool {
        self.held.iter().filter(|(since, _)| *since <= at).map(|(_, more)| more).sum::<i32>() != 0
    }

    fn make(&mut self, position: &Chess, played: Move, ply: &Ply, last: Last) -> Last {
        let contacts = contacts(position, played, ply);
        let mut steps = ply.steps.iter().copied().cycle();
        let mut step = move || steps.next().expect("there are steps");
        let free = last.done.max(last.pressed);
        // A man that has rested on its way and is taken at once reads as if it had been carried off from there.
        let Settings { taken_off_ms, press_before_ms, clock_bounce_ms, .. } = Settings::default();
        let soonest = |contact: &Contact| {
            let rests = victim(played).is_some_and(|taken| last.rested == Some(taken) && contact.square() == taken);
            last.done + if rests { taken_off_ms } else { 20 }
        };
        let mut at = (free + ply.think.unsigned_abs()).max(soonest(&contacts[0]));
        let hasty = ply.think < 0
            && matches!(contacts[0], Contact::Lift(square) if Some(square) == played.from() && !last.squares.contains(&square));
        if hasty {
            // Who goes up sooner after his own ply has hardly been there: where he had rested before, that is no less likely.
            let stood = last.before + press_before_ms;
            at = (last.began + 1).max(stood).max(free.saturating_sub(ply.think.unsigned_abs()));
        } else {
            if ply.dump {
                self.say(at, "dump".to_owned());
            }
            if let Some((which, held)) = &ply.adjust {
                let men = position.board().occupied().into_iter().collect::<Vec<_>>();
                let square = men[which.index(men.len())];
                let piece = position.board().piece_at(square).expect("a man stands there");
                self.say(at, Contact::Lift(square).to_string());
                self.say(at + held, Contact::Place(piece, square).to_string());
                self.held.extend([(at, 1), (at + held, -1)]);
                at += held + step();
            }
        }
        let began = at;
        let mut before = at;
        for (index, contact) in contacts.iter().enumerate() {
            before = if index == 0 { at } else { before };
            self.say(at, contact.to_string());
            self.held.push((at, contact.held()));
            if index + 1 < contacts.len() {
                before = at;
                // A place that is read before its lift is read in the same scan.
                let together =
                    matches!((contact, contacts[index + 1]), (Contact::Place(..), Contact::Lift(_))) && index == 0;
                at = (at + if together { 30 } else { step() }).max(soonest(&contacts[index + 1]));
            }
        }
        let done = at;
        self.held.push((done, -contacts.iter().map(|contact| contact.held()).sum::<i32>()));
        let in_hand = matches!(contacts[..], [.., Contact::Lift(_), Contact::Place(..)]);
        let pressed = if ply.press < 0 && in_hand {
            done.saturating_sub(ply.press.unsigned_abs()).max(before + 1)
        } else {
            done + ply.press.unsigned_abs()
        };
        // What comes sooner after this player's last press is a bounce of it.
        let counts = last.pressed_below + clock_bounce_ms;
        let pressed = pressed.max(last.pressed + 20).max(last.done + 100).max(counts);
        self.say(pressed, "press".to_owned());
        self.made.push(pressed.max(done));
        let squares = contacts.iter().map(|contact| contact.square()).collect();
        let places = contacts.iter().filter(|contact| matches!(contact, Contact::Place(..))).count();
        let rested = Some(played.to()).filter(|_| places > 1);
        Last { before: free, began, done, pressed, pressed_below: last.pressed, squares, rested }
    }

    fn say(&mut self, at: u64, words: String) {
        self.lines.push((at, words));
    }
}

/// As a script for `World::play`, ready to become a test.
impl fmt::Debug for Script {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} plays {}", self.fen, self.sans.join(" "))?;
        for (at, words) in &self.lines {
            writeln!(f, "{}.{:03} {words}", at / 1000, at % 1000)?;
        }
        Ok(())
    }
}

/// What the opponent's hand was doing.
#[derive(Default)]
struct Last {
    /// When the ply before that was over.
    before: u64,
    began: u64,
    done: u64,
    pressed: u64,
    /// When the ply below it was, whose player moves next.
    pressed_below: u64,
    squares: Vec<Square>,
    /// Where its man went that had rested on its way.
    rested: Option<Square>,
}

#[derive(Clone, Copy)]
enum Contact {
    Lift(Square),
    Place(Piece, Square),
}

impl Contact {
    fn held(self) -> i32 {
        match self {
            Contact::Lift(_) => 1,
            Contact::Place(..) => -1,
        }
    }

    fn square(self) -> Square {
        match self {
            Contact::Lift(square) | Contact::Place(_, square) => square,
        }
    }
}

impl fmt::Display for Contact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Contact::Lift(square) => write!(f, "lift {square}"),
            Contact::Place(piece, square) => write!(f, "place {} {square}", piece.char()),
        }
    }
}

fn choose(position: &Chess, ply: &Ply) -> Move {
    let legal = position.legal_moves();
    let special = |played: &&Move| victim(**played).is_some() || played.is_promotion() || played.is_castle();
    let specials = legal.iter().filter(special).copied().collect::<Vec<_>>();
    let among = if ply.special && !specials.is_empty() { &specials[..] } else { &legal[..] };
    among[ply.choice.index(among.len())]
}

/// One way of making a move.
fn contacts(position: &Chess, played: Move, ply: &Ply) -> Vec<Contact> {
    use Contact::{Lift, Place};
    let side = position.turn();
    let man = |role: Role| role.of(side);
    let ways = match played {
        Move::Castle { king, rook } => castlings(side, king, rook, played),
        Move::EnPassant { from, to } => {
            let taken = Lift(Square::from_coords(to.file(), from.rank()));
            let (lift, place) = (Lift(from), Place(man(Role::Pawn), to));
            vec![vec![lift, place, taken], vec![taken, lift, place], vec![lift, taken, place]]
        }
        Move::Normal { from, to, capture, promotion: Some(role), .. } => {
            let (pawn, piece) = (Place(man(Role::Pawn), to), Place(man(role), to));
            let mut ways = vec![
                vec![Lift(from), pawn, Lift(to), piece],
                vec![Lift(from), piece],
                vec![Lift(from), pawn, piece],
                vec![piece, Lift(from)],
            ];
            if capture.is_some() {
                ways.push(vec![Lift(to), Lift(from), pawn, Lift(to), piece]);
                ways.push(vec![Lift(from), Lift(to), piece]);
                ways.push(vec![Lift(to), piece, Lift(from)]);
            }
            ways
        }
        Move::Normal { role, from, to, capture, promotion: None } => {
            let place = Place(man(role), to);
            let stops = stops(position, played, ply).into_iter().flat_map(|stop| [Place(man(role), stop), Lift(stop)]);
            let slide = || std::iter::once(Lift(from)).chain(stops.clone());
            // Within a scan a man that goes to the square beside reads as one that stood between the two.
            let together = if from.distance(to) > 1 { vec![place, Lift(from)] } else { vec![Lift(from), place] };
            let mut ways = vec![slide().chain([place]).collect::<Vec<_>>(), together];
            if capture.is_some() {
                ways.push(slide().chain([Lift(to), place]).collect());
                ways.push(std::iter::once(Lift(to)).chain(slide()).chain([place]).collect());
            }
            ways
        }
        Move::Put { .. } => unreachable!("nobody drops men in this game"),
    };
    ways[ply.manner.index(ways.len())].clone()
}

/// King first, rook first, both in hand, each landing in either order.
fn castlings(side: Color, king: Square, rook: Square, played: Move) -> Vec<Vec<Contact>> {
    use Contact::{Lift, Place};
    let castling = played.castling_side().expect("castling has a side");
    let k = [Lift(king), Place(Role::King.of(side), castling.king_to(side))];
    let r = [Lift(rook), Place(Role::Rook.of(side), castling.rook_to(side))];
    vec![
        vec![k[0], k[1], r[0], r[1]],
        vec![r[0], r[1], k[0], k[1]],
        vec![k[0], r[0], k[1], r[1]],
        vec![k[0], r[0], r[1], k[1]],
        vec![r[0], k[0], r[1], k[1]],
        vec![r[0], k[0], k[1], r[1]],
    ]
}

/// Empty squares the same man could go to as well.
fn stops(position: &Chess, played: Move, ply: &Ply) -> Vec<Square> {
    let legal = position.legal_moves();
    let elsewhere = |other: &&Move| {
        other.from() == played.from() && other.to() != played.to() && victim(**other).is_none() && !other.is_castle()
    };
    let squares = legal.iter().filter(elsewhere).map(|other| other.to()).collect::<Vec<_>>();
    let mut stops = ply.stops.iter().filter(|_| !squares.is_empty()).map(|stop| squares[stop.index(squares.len())]);
    let first = stops.next();
    let second = stops.next().filter(|second| Some(*second) != first);
    first.into_iter().chain(second).collect()
}
