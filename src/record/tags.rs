//! What stands over a game: its tags, as every reader takes them.

use std::fmt::{self, Display};

use protocol::feed::{GameResult, Period, Player, ResultReason, TableId, TimeControl, Variant};

use super::sheet::{Game, INITIAL, Round, Sheet};

/// The PGN standard allows a tag 255 bytes in all, and some readers give up beyond. This is for the text alone.
const LONGEST: usize = 200;

/// Tags in their order, each with its text as people read it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Tags(Vec<(String, String)>);

impl Tags {
    pub(super) fn put(&mut self, name: &str, value: &str, unknown: &str) {
        let value = clean(value);
        self.0.push((name.to_owned(), if value.is_empty() { unknown.to_owned() } else { value }));
    }

    /// Says something else in its place.
    pub(super) fn set(&mut self, name: &str, value: &str) {
        if let Some((_, known)) = self.0.iter_mut().find(|(known, _)| known == name) {
            *known = clean(value);
        }
    }

    /// Takes a tag away.
    pub(super) fn take(&mut self, name: &str) -> Option<String> {
        let at = self.0.iter().position(|(known, _)| known == name)?;
        Some(self.0.remove(at).1)
    }

    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.iter().find(|(known, _)| *known == name).map(|(_, value)| value)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// What is not known is left out: readers stumble over `"-"` and `"?"` here.
    fn put_player(&mut self, colour: &str, player: Option<&Player>) {
        let Some(player) = player else { return };
        let known = [
            ("Title", player.title.clone()),
            ("Elo", player.rating.map(|rating| rating.to_string())),
            ("FideId", player.fide_id.map(|id| id.to_string())),
            ("Team", player.team.clone()),
            ("Fed", player.federation.clone()),
        ];
        for (name, text) in known {
            if let Some(text) = text.filter(|text| !clean(text).is_empty()) {
                self.put(&format!("{colour}{name}"), &text, "?");
            }
        }
    }
}

impl Display for Tags {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|(name, value)| write_tag(f, name, value))
    }
}

/// One tag on its line.
pub(super) fn write_tag(out: &mut impl fmt::Write, name: &str, value: &str) -> fmt::Result {
    writeln!(out, "[{name} \"{}\"]", quotable(value))
}

/// What stands over a game, the `nth` of its table.
pub(super) fn tags(round: &Round, table: &TableId, sheet: &Sheet, nth: usize, game: &Game) -> Tags {
    let mut out = Tags::default();
    let title = if round.title.is_empty() { &table.event } else { &round.title };
    let (white, black) = game.pairing.as_ref().map_or((None, None), |(white, black)| (Some(white), Some(black)));
    out.put("Event", title, "?");
    out.put("Site", &round.site, "?");
    out.put("Date", &round.date, "????.??.??");
    // Programs take two games with the same tags for one. The standard lets a round have more parts than two.
    let again = if nth > 1 { format!(".{nth}") } else { String::new() };
    out.put("Round", &format!("{}.{}{again}", table.round, table.table), "?");
    out.put("White", white.map_or("", |player| &player.name), "?");
    out.put("Black", black.map_or("", |player| &player.name), "?");
    out.put("Result", &game.result.to_string(), "*");
    out.put("Board", &table.table.to_string(), "?");
    out.put_player("White", white);
    out.put_player("Black", black);
    out.put("TimeControl", &control_of(round, sheet).unwrap_or_default(), "?");
    let is_on = game.is_open() && sheet.games.last().is_some_and(|last| last.number == game.number);
    if let Some((white, black)) = sheet.clocks.0.filter(|_| is_on && !game.moves.is_empty()) {
        out.put("WhiteClock", &clock_time(white), "?");
        out.put("BlackClock", &clock_time(black), "?");
    }
    if let Some(termination) = termination(game) {
        out.put("Termination", termination, "?");
    }
    if game.variant == Variant::Chess960 {
        out.put("Variant", "Chess960", "?");
    }
    if game.variant == Variant::Chess960 || game.start != INITIAL {
        out.put("SetUp", "1", "?");
        out.put("FEN", &game.start, "?");
    }
    out
}

/// The standard's word for a game that was given to whoever came.
pub(super) const ABANDONED: &str = "abandoned";

/// How it came to an end, in the standard's words; nothing where it goes on.
fn termination(game: &Game) -> Option<&'static str> {
    if game.result == GameResult::Open && game.score.is_none() {
        return None;
    }
    let reason = game.reason?;
    Some(match reason {
        ResultReason::Forfeit if game.moves.is_empty() => ABANDONED,
        ResultReason::Forfeit
        | ResultReason::SecondIllegalMove
        | ResultReason::ThirdIllegalMove
        | ResultReason::IllegalMoveRapidLimited
        | ResultReason::IllegalMoveBlitzLimited
        | ResultReason::SealedMove => "rules infraction",
        ResultReason::Time | ResultReason::TimeVsCannotMate | ResultReason::BothFlagsLastPeriod => "time forfeit",
        // Somebody has typed it in, on whatever ground.
        ResultReason::Arbiter => return None,
        ResultReason::Checkmate
        | ResultReason::Stalemate
        | ResultReason::DeadPosition
        | ResultReason::Fivefold
        | ResultReason::SeventyFive
        | ResultReason::Agreement
        | ResultReason::Resignation
        | ResultReason::ResignVsCannotMate
        | ResultReason::ThreefoldClaim
        | ResultReason::FiftyClaim
        | ResultReason::IllegalPosition
        | ResultReason::KingsInCentre => "normal",
    })
}

/// The time control of a table as the standard writes it, where it is known.
pub(super) fn control_of(round: &Round, sheet: &Sheet) -> Option<String> {
    let control = sheet.time_control.or(round.time_control);
    if round.periods.is_empty() { control.map(time_control) } else { Some(periods(&round.periods)) }
}

/// Each period as the standard writes it: moves, a stroke, seconds, a plus, what is added each move.
fn periods(periods: &[Period]) -> String {
    let one = |period: &Period| {
        let moves = period.moves.map_or_else(String::new, |moves| format!("{moves}/"));
        moves + &time_control(TimeControl { base_s: period.base_s, increment_s: period.increment_s })
    };
    periods.iter().map(one).collect::<Vec<_>>().join(":")
}

fn time_control(control: TimeControl) -> String {
    let none = control.base_s == 0 && control.increment_s == 0;
    if none { "-".to_owned() } else { control.to_string() }
}

/// The text without what has no place in one line that everyone reads the same way: names come from files of all kinds.
pub(super) fn clean(text: &str) -> String {
    let spaced = |c: char| if c.is_whitespace() { ' ' } else { c };
    let visible = |c: &char| !c.is_control() && !is_bidi(*c);
    text.chars().map(spaced).filter(visible).collect::<String>().trim().to_owned()
}

/// The text as it stands between quotes, cut where it would be too long.
fn quotable(text: &str) -> String {
    let mut quotable = String::new();
    for c in text.chars() {
        let escape = matches!(c, '\\' | '"');
        if quotable.len() + usize::from(escape) + c.len_utf8() > LONGEST {
            break;
        }
        quotable.extend(escape.then_some('\\'));
        quotable.push(c);
    }
    quotable
}

/// Characters that turn the text after them round, or mark how it is stored.
fn is_bidi(c: char) -> bool {
    matches!(c, '\u{61C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' | '\u{FEFF}')
}

/// Hours, minutes and seconds.
pub(super) fn clock_time(ms: u64) -> String {
    let seconds = ms / 1000;
    format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}
