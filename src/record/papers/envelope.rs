//! The envelope of an adjourned game: what the Laws want to stand on it, and room for what people agree.

use protocol::feed::{Address, Clocks, Command, Entry, Side, TableId};
use shakmaty::{Chess, Color, EnPassantMode, File, Position as _, Rank, Square, fen::Fen};

use super::{
    day::Day,
    markup::{add, cell, escaped, table, time},
    round::{head, name_of, sheet_of, shown},
};
use crate::record::{
    book::Games,
    sheet::{Game, Happened, Sheet},
};

/// The title and the body.
pub(super) fn sheet(book: &Games, at: &Address, day: &Day) -> Result<(String, String), String> {
    let (round, sheet) = sheet_of(book, &at.table)?;
    let (game, adjourned) = adjourned(sheet, at.game).ok_or_else(|| {
        format!("The game at {at} is not adjourned: \"adjourn\" puts it away, then there is an envelope.")
    })?;
    let position = game.position_after(adjourned.ply).ok_or("The position can't be read from the record.")?;
    let mut body = head(round, &name_of(round, &at.table.event), "Envelope of an adjourned game");
    let players = sheet.players().map_or_else(Default::default, |(white, black)| [shown(white), shown(black)]);
    add(&mut body, facts(&at.table, sheet, &players, &position, game, adjourned, day));
    body.push_str(&board(&position));
    let fen = Fen::from_position(&position, EnPassantMode::Legal);
    add(&mut body, format_args!("<p class=\"small\">{}</p>\n", escaped(&fen.to_string())));
    let blank = ["Day and time of the resumption", "Place and table", "Who has the envelope"];
    let blank = blank.map(|what| vec![cell(what), cell("")]);
    add(&mut body, table("blank", &["To be agreed", ""], blank));
    body.push_str("<div class=\"signatures\"><span>White</span><span>Black</span><span>Arbiter</span></div>\n");
    Ok((format!("{at}: envelope"), body))
}

/// The game that was put away, and when.
fn adjourned(sheet: &Sheet, number: Option<u32>) -> Option<(&Game, &Happened)> {
    let is_adjourned =
        |happened: &&Happened| is_order(&happened.entry, |order| matches!(order, Command::Adjourn { .. }));
    let last = sheet.log.iter().rev().filter(|happened| number.is_none_or(|number| number == happened.game));
    let mut since = last.clone().take_while(|happened| !is_adjourned(happened));
    if since.any(|happened| is_order(&happened.entry, ends_adjournment)) {
        return None;
    }
    let last = last.clone().find(is_adjourned)?;
    let game = sheet.games.iter().find(|game| game.number == last.game)?;
    (game.moves.len() <= last.ply + 1 && game.is_open()).then_some((game, last))
}

/// The game goes on after it, with what was sealed or without.
fn ends_adjournment(order: &Command) -> bool {
    matches!(order, Command::Resume | Command::Reject | Command::Restore { .. })
}

/// Who has an offer open that was made with the last move: it stays open until it is answered.
fn open_offer(sheet: &Sheet, adjourned: &Happened) -> Option<Side> {
    let here = sheet.log.iter().filter(|one| one.game == adjourned.game && one.ply == adjourned.ply);
    here.fold(None, |open, one| {
        let Entry::Noted { order } = &one.entry else { return open };
        if let Command::DrawOffer { side } = **order {
            return Some(side);
        }
        open.filter(|_| !matches!(**order, Command::DrawDecline { .. } | Command::DrawAccept { .. }))
    })
}

/// What both clocks showed, or were said to be set to since.
fn kept(sheet: &Sheet, adjourned: &Happened) -> Option<Clocks> {
    let mut since = sheet.log.iter().rev().filter(|one| one.game == adjourned.game && one.t >= adjourned.t);
    since.find_map(|one| if let Entry::Noted { order } = &one.entry { order.times() } else { None })
}

fn is_order(entry: &Entry, is_one: impl Fn(&Command) -> bool) -> bool {
    if let Entry::Noted { order } = entry { is_one(order) } else { false }
}

fn facts(
    table_of: &TableId,
    sheet: &Sheet,
    [white, black]: &[String; 2],
    position: &Chess,
    game: &Game,
    adjourned: &Happened,
    day: &Day,
) -> String {
    let sealer = Side::from(position.turn());
    let kept = kept(sheet, adjourned);
    // Where nobody heard the clock then, it is at least known what it showed before; who thought since has less.
    let before = |side: Side| game.left_ms(side, adjourned.ply).map(|ms| format!("{} after the last move", time(ms)));
    let left = |side: Side| match (kept, side) {
        (Some(Clocks { white, .. }), Side::White) => time(white),
        (Some(Clocks { black, .. }), Side::Black) => time(black),
        (None, side) => before(side).unwrap_or_else(|| "not known: write down what the clock shows".to_owned()),
    };
    let name = if sealer == Side::White { white } else { black };
    let offer =
        open_offer(sheet, adjourned).map_or("none", |side| if side == Side::White { "White's" } else { "Black's" });
    let offer = offer.to_owned();
    let rows = [
        ("Round and board", format!("{}, {}", table_of.round, table_of.table)),
        ("White", white.clone()),
        ("Black", black.clone()),
        ("Put away", day.moment(adjourned.t)),
        ("White has left", left(Side::White)),
        ("Black has left", left(Side::Black)),
        ("Sealed by", format!("{name} ({})", if sealer == Side::White { "White" } else { "Black" })),
        ("Number of the sealed move", position.fullmoves().to_string()),
        ("Open offer of a draw", offer),
    ];
    table("facts", &[], rows.map(|(what, text)| vec![cell(what), cell(&text)]))
}

/// The position, White below.
fn board(position: &Chess) -> String {
    let mut out = "<table class=\"board\" aria-label=\"The position before the sealed move\">\n".to_owned();
    for rank in Rank::ALL.into_iter().rev() {
        out.push_str("<tr>");
        for file in File::ALL {
            let square = Square::from_coords(file, rank);
            let man = position.board().piece_at(square).map_or(' ', |man| {
                let men = if man.color == Color::White { "♙♘♗♖♕♔" } else { "♟♞♝♜♛♚" };
                men.chars().nth(usize::from(man.role) - 1).unwrap_or(' ')
            });
            let class = if square.is_dark() { " class=\"dark\"" } else { "" };
            add(&mut out, format_args!("<td{class}>{man}</td>"));
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</table>\n");
    out
}
