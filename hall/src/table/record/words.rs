//! The record as people and programs write it, and as they wrote it down.

use std::collections::BTreeMap;

use protocol::feed::Variant;
use shakmaty::{
    ByColor, Chess, EnPassantMode, Position, Setup,
    fen::Fen,
    san::{San, SanPlus, Suffix},
    uci::UciMove,
};

use crate::{Course, Irregular, Played, Ply, Refusal, fen::fen, hand::read_reply};

/// A ply as it goes to everybody.
#[derive(Clone, Debug)]
pub(crate) struct Written {
    pub(crate) ply: usize,
    pub(crate) san: String,
    pub(crate) uci: String,
    pub(crate) fen: String,
}

impl Written {
    /// The last ply of this version, which players write so.
    pub(crate) fn of(course: &Course, san: String) -> Written {
        let uci = course.last().map(|played| played.uci(course.mode())).unwrap_or_default();
        let fen = course.impossible().map_or_else(|| fen(course.position()), str::to_owned);
        Written { ply: course.ply().count(), san, uci, fen }
    }
}

/// The last ply as players write it.
pub(crate) fn san(course: &Course) -> String {
    match course.last() {
        None => String::new(),
        Some(Played::Irregular(written)) => written.san.clone(),
        Some(Played::Legal(played)) => {
            let after = course.position();
            let before = course.ply().previous().and_then(|ply| course.position_at(ply)).unwrap_or(after);
            let san = San::from_move(before, *played);
            SanPlus { san, suffix: Suffix::from_position(after) }.to_string()
        }
    }
}

/// All plies as programs write them.
pub(crate) fn ucis(course: &Course) -> Vec<String> {
    let versions = course.since(Ply::START).into_iter();
    versions.filter_map(|version| Some(version.last()?.uci(version.mode()))).collect()
}

/// What the last ply left behind, where that is no position.
pub(crate) fn left_behind(course: &Course) -> Option<Setup> {
    let left = course.impossible()?.parse::<Fen>();
    Some(left.map_or_else(|_| course.position().to_setup(EnPassantMode::Legal), Fen::into_setup))
}

/// The game that starts from a FEN, with the moves so far in UCI. `irregular` gives the position after each move that is
/// not legal.
pub(crate) fn read(
    fen: &str,
    variant: Variant,
    moves: &[String],
    irregular: &BTreeMap<Ply, String>,
) -> Result<Course, Refusal> {
    let mut course = read_start(fen, variant)?;
    for uci in moves {
        course = match irregular.get(&course.ply().next()) {
            Some(fen) => read_irregular(&course, uci, fen),
            None => read_reply_to_irregular(&course, uci).map_or_else(|| read_move(&course, uci), Ok)?,
        };
    }
    Ok(course)
}

/// The game that starts from a FEN.
pub(crate) fn read_start(fen: &str, variant: Variant) -> Result<Course, Refusal> {
    let mode = variant.into();
    let start = laws::position::read(fen, mode).map_err(|error| {
        Refusal::because(format!("\"{fen}\" is no position to play from ({error}): check the FEN in an editor"))
    })?;
    Ok(Course::begin(start, mode))
}

fn read_move(course: &Course, uci: &str) -> Result<Course, Refusal> {
    let played = uci.parse::<UciMove>().ok().and_then(|uci| uci.to_move(course.position()).ok());
    let played = played.ok_or_else(|| Refusal::because(format!("{uci} is no legal move here")))?;
    Ok(course.play(played))
}

/// A move that is not legal, by the position after it.
fn read_irregular(course: &Course, uci: &str, fen: &str) -> Course {
    let left = fen.parse::<Fen>();
    let board = left.map_or_else(|_| course.position().board().clone(), |fen| fen.into_setup().board);
    course.break_off(uci, board, fen)
}

/// The reply to a move that is not legal; nothing if the last move is legal.
fn read_reply_to_irregular(course: &Course, uci: &str) -> Option<Course> {
    let setup = course.impossible()?.parse::<Fen>().ok()?.into_setup();
    let (san, after) = read_reply(setup, uci, course.mode())?;
    Some(course.take_up(Irregular { san, uci: uci.to_owned() }, after))
}

/// How many moves White and Black have made, by the number of the move.
pub(crate) fn moves_made(position: &Chess) -> ByColor<u32> {
    let both = position.fullmoves().get() - 1;
    ByColor { white: both + u32::from(position.turn().is_black()), black: both }
}

/// The number of the next move, as `12` or `12...`.
pub(crate) fn number(position: &Chess) -> String {
    format!("{}{}", position.fullmoves(), if position.turn().is_white() { "" } else { "..." })
}

/// The fields of a FEN before and after whose turn it is.
pub(crate) fn placement_and_rest(position: &Chess) -> (String, String) {
    let fen = fen(position);
    let mut fields = fen.splitn(3, ' ');
    let (placement, _turn, rest) = (fields.next(), fields.next(), fields.next());
    (placement.unwrap_or_default().to_owned(), rest.unwrap_or_default().to_owned())
}
