//! Dead positions: who can still mate, proven.
//!
//! # What it is about
//!
//! A game is over at once when neither player can mate by any series of legal moves, however badly both play: a *dead
//! position*. A player whose time is up has not lost but drawn if the opponent could not mate that way, and the same holds
//! for other forfeits. So there is one question, asked for a position and a colour:
//!
//! > Is there any series of legal moves that ends in mate by this colour?
//!
//! [`can_mate`] answers it, [`Certificates`] answer it move by move through a game, and a [`Search`] answers it aside,
//! a few thousand positions at a time. Castling rights and a legal en passant capture belong to a position (Chess960
//! rights as well); move counters and repetition do not: the Laws speak of moves, and which moves are legal does not
//! depend on them.
//!
//! # Why certificates
//!
//! Most programs ask only whether the material suffices. The programs that ask more have been wrong now and then, each time
//! in one of three ways: a search limited in depth, with a table, took "nothing was cut this time" for "there is nothing";
//! two positions with one hash were taken for one; or a rule about checks and captures in locked positions had an
//! exception. One published solver says that White can't mate in `4kb2/4p3/2pp4/3p2p1/1p1K1pP1/1P1P1P2/8/1B6 b`, by the rule
//! that a check to a king that can never move must be mate; but the man that checks no longer guards what it guarded, and
//! after 1…c5+ 2.Kxd5 c4 3.Kc6 cxd3 4.Kc7 d2 5.Bg6 it is White who mates.
//!
//! A wrong verdict ends a game that goes on. Therefore what looks for a verdict here can't make one. It shows evidence to a
//! checker, and only the checker can make a [`CanMate`] or a [`CannotMate`]; their fields are private to it. The evidence is
//! one of four things.
//!
//! | evidence | what the checker does |
//! |---|---|
//! | a line of moves | plays it, each move tested for legality, to mate |
//! | [material](Proof::Material) | one of three [rules](Lack), each with its reason beside it |
//! | [a closed set](Proof::Enumerated) | goes through the set once more: the first position is in it, no position in it is mate, and every legal move leads into it, or to a position that material or walls prove |
//! | [walls](Proof::Walls) | goes through families of positions: none may be mate, and no move leaves them |
//!
//! Positions in a set are compared whole, 256 bits each, so that no two are ever mistaken for one.
//!
//! # Walls
//!
//! Two interlocked chains of pawns, kings and bishops behind them: nobody can get through, yet there are a thousand million
//! positions, too many to enumerate. Such a position is proven in families. A *family* has its pawns on fixed squares
//! and for each piece the set of squares it may stand on. It grows until no quiet move of a piece leaves it. Each capture,
//! pawn move and promotion leads to another family; families with the same men and pawns are joined. If none of them can be
//! mate, the colour can't mate. The rules, each of which may only err towards more positions:
//!
//! - *A piece steps* from one of its squares to another if no pawn and no *fixed* piece, one that has but one square, stands
//!   between or there. In a real move those squares are empty.
//! - *A king does not step* on a square that is attacked in every position of the family: by a pawn, or by a piece
//!   from each of its squares, lines being cut wherever any man may stand. In a real move it would be illegal.
//! - *A capture* needs a square where the victim may stand and which the other attacks from one of its squares, past fixed
//!   men only. A king captures only what no other man surely guards.
//! - *A pawn steps* on a square without pawn or fixed piece. A double step allows en passant; the same family comes of the
//!   single step and an ordinary capture, as all pieces stand no less freely after it.
//! - *It may be mate* on a square of the king if each of the other side's men has a square from which, together, they attack
//!   the king and all its neighbours, but for those with one of its pawns or with a piece of its own that may stand
//!   there, each piece on one of them at most. A real mate is such a choice.
//!
//! By induction over the moves, every position that can arise is in one of the families; so none of them is mate. A position
//! with castling rights or an en passant capture is not made a family; the enumeration goes on until they are gone.
//!
//! # How a line is found
//!
//! In positions of ordinary games mates are everywhere for two players who help each other, and a stroll finds one: the king
//! walks to where it has few flights, the other side's men gather round it and give no check but mate. Nothing but the
//! position guides it, and no move is taken back; a move is tested for legality when it is taken. Where two strolls fail,
//! positions are looked at best guess first, by the kings' ways to a corner, the pawns' to promotion, and for a lone minor
//! piece by the way of a man of the other side to where it hems its own king in; one in four of the first thousand begins a
//! short stroll of its own. Visited positions are kept, so that the search that finds nothing has made the closed set. A
//! position after a capture or a pawn move is looked at for walls before it is taken in: what walls prove is not looked into.
//!
//! # How it lasts through a game
//!
//! "Cannot" holds for good. A line holds while the game follows it, which it seldom does. After moves that can be taken back,
//! both sides take theirs back, and go on with the line from the position it was found for. The checker plays the way, which is
//! short, and compares keys at its end; it need not play the line again, since positions of one key have the same moves. After
//! a capture or a pawn move the line is taken for a plan: each side plays its intended moves in their order where they are
//! legal, and passes the time where they are not.
//!
//! # What it costs
//!
//! `make bench-dead` measures it beside chasolver 3.0 in one run. In 200 master games, 15,410 positions, both colours at each,
//! on two busy cores: through whole games 2.3 microseconds at the median and 9 at the mean, seven times below the other's
//! mean of 67 position by position; single positions 10 at the median and 14 at the mean, nearly five times below. Every
//! question was decided. The line held after 4 moves in a hundred, was bent to 70 and found anew after 26. Of 2,000 questions
//! about walls that dice made none stayed open, nor of those about sixteen walls known to be hard: the hardest takes four
//! seconds of a core. A set of 2.9 million positions took 126 MiB.
//!
//! `make prove-fuzz` compares with plain enumeration: 100,000 positions, two verdicts each, ten minutes of a core. In the last
//! full run none was wrong and none open.
//!
//! # Budgets
//!
//! A [`Budget`] counts positions, so that every machine gives the same verdict. [`Budget::TABLE`] is for the moment of the
//! move. [`Budget::BACKGROUND`] is for a search aside, some ten seconds on a machine of its time; a search remembers six and a half
//! million positions at most, which keeps it below half a gibibyte. What is not decided within the budget is
//! [`Verdict::Unknown`], and the game goes on.
//!
//! # What is known to be hard
//!
//! Long lines through walls that open only by a sacrifice, and walls with four bishops and a way through that leads
//! nowhere, may stay unknown. They do not arise in ordinary games.

mod aim;
mod back;
mod certificates;
mod checker;
mod evidence;
mod explain;
mod family;
mod guess;
mod guide;
mod key;
mod material;
mod plan;
mod positions;
mod question;
mod reach;
mod search;
mod stroll;
mod walls;

pub use certificates::{Certificates, Tally};
pub use checker::{CanMate, CannotMate, Proof, Verdict};
pub use evidence::Evidence;
pub use material::Lack;
pub use question::{Budget, can_mate, dead};
pub use search::Search;
