//! Final moves that were something else: what to look for when the board fits nothing.

use protocol::board::Content;
use shakmaty::{Chess, Move, Piece, Position, Role, Square};

use super::faulty::guess_anew;
use crate::{
    Millis,
    hand::{
        deed::Rethought,
        evidence::Reading,
        explain::{self, goes_on},
        hands::Hands,
        made::Made,
        record::{is_to_centre, play_all},
        sign::Pressing,
    },
};

/// The board fits nothing: perhaps a final move was read wrongly. What a final move is replaced by must have stood
/// for `patience`: a captured man that is carried off flashes on squares it might have gone to.
pub(in crate::hand) fn think_over(hands: &mut Hands, patience: Millis) -> bool {
    // What waits with the stories below it is no record, and of a game that is closed nothing is played any more.
    if hands.lost.stories.is_some() || hands.is_closed() {
        return false;
    }
    let left_at = hands.record.last().map_or(0, |(_, played)| hands.squares.changed_at(played.to()));
    let dwelt = left_at.saturating_sub(hands.lost.placed_at);
    let released = Some(dwelt).filter(|dwelt| *dwelt >= hands.settings.release_dwell_ms);
    let why = |moves: &[Move]| if moves[0].is_castle() { Rethought::Castled } else { Rethought::WentOn { released } };
    let thought = other_square(hands).map(|found| (why(&found.0), found));
    let thought = thought.or_else(|| other_promotion(hands).map(|found| (Rethought::Promotion, found)));
    let Some((why, (moves, root))) = thought else { return guess_anew(hands, |_| true).is_some() };
    // What a pawn has become shows in the ply that moves it: its man may only come by where the board fits so.
    let stands = if why == Rethought::Promotion {
        hands.squares.rests_since()
    } else {
        explain::landed_at(root.turn(), moves[0], &hands.squares)
    };
    let patience = if is_played_on(hands, stands) { 0 } else { patience };
    let stood_at = stands + patience;
    if hands.now() < stood_at {
        hands.lost.rethinks_at = Some(stood_at);
        return false;
    }
    hands.rewrite(why, &moves);
    true
}

/// Where presses decide: the opponent has begun to reply since, with men who could not take the man where he had stopped. So
/// nobody carries him off.
fn is_played_on(hands: &Hands, since: Millis) -> bool {
    let (position, lifted) = (hands.record.position(), hands.squares.lifted());
    let stopped = hands.record.last().map(|(_, played)| played.to());
    let takes = |from: Square| {
        let captures = |reply: &Move| reply.from() == Some(from) && Some(reply.to()) == stopped;
        position.legal_moves().iter().any(captures)
    };
    let replies = lifted.iter().all(|man| man.piece.color == position.turn() && man.at > since && !takes(man.from));
    hands.lever.tells() && hands.squares.names() && !lifted.is_empty() && replies
}

/// The last move, if its man has gone on to another square it could have reached at once.
fn other_square(hands: &Hands) -> Option<(Vec<Move>, Chess)> {
    let (before, played) = hands.record.last()?;
    let mover = before.turn();
    let landed = |candidate: &&Move| {
        // The rook has landed with the move that was final.
        let by_rook = matches!(**candidate, Move::Castle { rook, .. } if played.from() == Some(rook));
        let told = |(to, man): (Square, Piece)| by_rook && man.role == Role::Rook || hands.squares.has_landed(to, man);
        Made::whole(mover, **candidate).landings().all(told)
    };
    let explains = |candidate: &&Move| {
        let root = play_all(before, &[**candidate]);
        root.is_some_and(|root| !explain::lines(&root, &hands.squares, &hands.settings).is_empty())
    };
    let legal = before.legal_moves();
    // A press may come while the man is still on its way. Where none can, a rest was taken for the end of the move. The same
    // hand may go on after it; but once the opponent has pressed too, what had rested goes on with another ply.
    let pressed = hands.lost.pressed_at.unwrap_or(hands.squares.evidence.pressed_at(mover));
    let rested = hands.squares.changed_at(played.to()) >= hands.lost.placed_at + hands.settings.slide_rest_ms;
    let answered = hands.squares.evidence.pressed_at(!mover) >= pressed && rested;
    // A reading may jump for longer, as long as the opponent has taken up nobody: then men are put right by hand.
    let takes_up = |reading: &Reading| {
        let is_theirs = matches!(reading.was, Content::Man(man) if man.color != mover);
        reading.is == Content::Empty && is_theirs && reading.at < hands.squares.changed_at(played.to())
    };
    let replied = || hands.squares.evidence.readings(pressed).any(takes_up);
    let patience = |to: Square| match jumps(hands, played, to) && !replied() {
        true => hands.settings.misread_window_ms,
        false => hands.settings.press_after_ms,
    };
    let hurried = |to: Square| !answered && hands.squares.changed_at(to) <= pressed + patience(to);
    let unpressed = hands.lever.is_unpressed(mover) && hands.lever.pressing() != Pressing::Awaited;
    // On a board without names a capture of which no square has told may be all that was left of where a man could be, until
    // he lands elsewhere and nobody was taken up since.
    let left = played.from().map_or(0, |from| hands.squares.changed_at(from));
    let untold = played.is_capture()
        && !hands.squares.names()
        && hands.squares.changed_at(played.to()) < left
        && hands.squares.evidence.readings(left).all(|reading| reading.is != Content::Empty);
    // A taken man that flashes on its way off the board is not there any more.
    let stands = |candidate: &&Move| candidate.is_castle() || hands.squares.occupied().contains(candidate.to());
    let went_on = |candidate: &&Move| {
        let hurried = hurried(candidate.to());
        (hurried || unpressed || untold) && has_gone_on(hands, played, **candidate, hurried)
    };
    let instead = legal.iter().filter(stands).filter(went_on).filter(landed).find(explains)?;
    Some((vec![*instead], before.clone()))
}

/// The same hand has gone on with its move: soon, unless it completes a castling.
fn has_gone_on(hands: &Hands, played: Move, candidate: Move, hurried: bool) -> bool {
    let soon = hands.squares.changed_at(played.to()) <= hands.lost.placed_at + hands.settings.goes_on_ms;
    // The king is taken to the centre for the result, and men go home for the next game, but not from under a press.
    let home = || !hurried && hands.is_home(candidate.role().of(!hands.record.turn()), candidate.to());
    // Where men have no names: who was read there before he left was somebody else.
    let (left, reached) = (hands.squares.changed_at(played.to()), hands.squares.changed_at(candidate.to()));
    let arrived = hands.squares.names() || reached + hands.settings.scan_ms >= left;
    let shows = !jumps(hands, played, candidate.to()) && (is_to_centre(candidate) || home());
    goes_on(played, candidate) && (candidate.is_castle() || soon && arrived && !shows)
}

/// He is read on the square beside within a scan: no hand is so fast, and no reading jumps further.
fn jumps(hands: &Hands, played: Move, to: Square) -> bool {
    let squares = &hands.squares;
    squares.names() && squares.has_jumped(played.to(), (to, squares.changed_at(to)), &hands.settings)
}

/// The last moves with another promotion that explain the board, and from where.
fn other_promotion(hands: &Hands) -> Option<(Vec<Move>, Chess)> {
    // Who goes to the centre while no clock runs shows a result, and no ply.
    if hands.squares.names() || hands.shows_king() && hands.lever.pressing() != Pressing::Awaited {
        return None;
    }
    let mut later = Vec::new();
    for (before, played) in hands.record.recent() {
        let above = std::mem::take(&mut later);
        later = [&[played], &above[..]].concat();
        let Move::Normal { role, from, capture, to, promotion: Some(_) } = played else { continue };
        for other in [Role::Knight, Role::Rook, Role::Bishop] {
            let instead = Move::Normal { role, from, capture, to, promotion: Some(other) };
            let moves = [&[instead], &above[..]].concat();
            // A man in the hand tells nothing of it.
            let whole = |root: &Chess| {
                let lines = explain::lines(root, &hands.squares, &hands.settings);
                lines.iter().any(explain::Explanation::is_whole)
            };
            if play_all(before, &moves).is_some_and(|root| whole(&root)) {
                return Some((moves, before.clone()));
            }
        }
    }
    None
}
