//! The stage: all tables as spectators are shown them.
//!
//! Pure. It is folded from [`Open`] events alone, so nothing that is only seen can be in it, and no link or touch.

use std::collections::BTreeMap;

use protocol::feed::{ClockView, Entry, Event, HallView, Score, Side, TableId, TableView, Variant};
use shakmaty::{Chess, EnPassantMode, Position as _, fen::Fen, san::San, uci::UciMove};

use super::{super::doors::Open, lag::Shown};

/// All tables as the public sees them. What is final is all there is, so the line is settled to its last move.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Stage {
    view: HallView,
    games: BTreeMap<TableId, Game>,
}

/// What the line of a table can't tell by itself.
#[derive(Clone, Debug, Default, PartialEq)]
struct Game {
    variant: Variant,
    /// The positions after moves that were not legal and stand all the same, by ply.
    irregular: BTreeMap<usize, String>,
    /// So many plies of the line have led to the position that stands.
    followed: usize,
    /// What each side had left when it moved last, in milliseconds: a move tells its player's clock alone.
    white_ms: Option<u64>,
    black_ms: Option<u64>,
}

impl Stage {
    /// Takes in what the public may know, at a table where both clocks begin with `base_ms`, if they know that.
    pub(super) fn apply(&mut self, open: &Open, base_ms: Option<u64>) {
        let event = open.event();
        self.view.apply(event);
        let (Some(id), Event::Entry(entry)) = (&event.table, &event.event) else { return };
        if let Entry::Shown { removed: true, .. } = entry {
            self.games.remove(id);
            return;
        }
        let game = self.games.entry(id.clone()).or_default();
        game.enter(self.view.view_mut(id), entry, event.t, base_ms);
    }

    /// One table as it is told.
    pub(super) fn table(&self, id: &TableId) -> Option<&TableView> {
        self.view.find(id)
    }

    /// It has not left the wall.
    pub(super) fn is_on_wall(&self, id: &TableId) -> bool {
        self.view.tables.iter().any(|table| table.table == *id)
    }

    /// What that comes to.
    pub(super) fn shown(&self, id: &TableId) -> Shown {
        self.table(id).map_or_else(Shown::default, |table| Shown {
            game: table.game,
            plies: table.line.len(),
            score: Score::told(table.result, table.score),
            state: table.state,
        })
    }

    pub(super) fn tables(&self) -> impl Iterator<Item = &TableView> {
        self.view.tables.iter()
    }
}

impl Game {
    fn enter(&mut self, table: &mut TableView, entry: &Entry, t: u64, base_ms: Option<u64>) {
        match entry {
            Entry::Started { variant, .. } => {
                *self = Game { variant: *variant, ..Game::default() };
                table.clock = None;
            }
            Entry::Final { ply, san, uci, fen, clock_ms, illegal, .. } => {
                self.cut(table, ply.saturating_sub(1));
                // A line with a hole is worse than a short one.
                if table.line.len() + 1 != *ply {
                    return;
                }
                if *illegal {
                    self.irregular.insert(*ply, fen.clone());
                }
                table.line.push(san);
                stand(table, fen, Some(uci.clone()));
                self.followed = *ply;
                if let Some(clock_ms) = clock_ms {
                    self.read_clock(table, *clock_ms, t, base_ms);
                }
            }
            Entry::Corrected { from_ply, new, .. } => {
                self.cut(table, from_ply.saturating_sub(1));
                table.line.extend(new);
                self.replay(table);
            }
            Entry::Result { result, score, .. } => {
                let is_over = Score::told(*result, *score) != Score::Open;
                if let Some(clock) = table.clock.as_mut().filter(|_| is_over) {
                    clock.running = None;
                }
            }
            Entry::Paired { .. }
            | Entry::State { .. }
            | Entry::Instants { .. }
            | Entry::Proposal(_)
            | Entry::Voice { .. }
            | Entry::Confirmed { .. }
            | Entry::Verdict { .. }
            | Entry::Noted { .. }
            | Entry::Earlier { .. }
            | Entry::Shown { .. }
            | Entry::Round { .. }
            | Entry::Alert(_) => {}
        }
        table.settled = table.line.len();
    }

    /// The mover's clock is told with the move. Until both have moved the other's stands at what both begin with; where
    /// that is not known there is no clock yet.
    fn read_clock(&mut self, table: &mut TableView, clock_ms: u64, t: u64, base_ms: Option<u64>) {
        match table.turn {
            Side::Black => self.white_ms = Some(clock_ms),
            Side::White => self.black_ms = Some(clock_ms),
        }
        if let (Some(white_ms), Some(black_ms)) = (self.white_ms.or(base_ms), self.black_ms.or(base_ms)) {
            table.clock = Some(ClockView { white_ms, black_ms, running: Some(table.turn), at: t });
        }
    }

    fn cut(&mut self, table: &mut TableView, plies: usize) {
        if plies < table.line.len() {
            self.followed = 0;
        }
        table.line.truncate(plies);
        self.irregular.retain(|ply, _| *ply <= plies);
    }

    /// A correction names its moves and not the position they lead to. Of a game that is kept by hand each move is one, and
    /// is played on what stands.
    fn replay(&mut self, table: &mut TableView) {
        let read = |fen: &str| fen.parse::<Fen>().ok()?.into_position::<Chess>(self.variant.into()).ok();
        let (mut fen, mut last) = match self.followed {
            0 => (table.start.clone(), None),
            _ => (format!("{} {} {}", table.placement, turn_of(table), table.rest), table.last.clone()),
        };
        for (ply, san) in (1..).zip(table.line.iter()).skip(self.followed) {
            let played = match self.irregular.get(&ply) {
                Some(after) => Some((after.clone(), san.to_owned())),
                None => read(&fen).and_then(|position| {
                    let san = san.trim_end_matches(['+', '#']).parse::<San>().ok()?;
                    let played = san.to_move(&position).ok()?;
                    let uci = UciMove::from_move(played, self.variant.into()).to_string();
                    let after = position.play(played).ok()?;
                    Some((Fen::from_position(&after, EnPassantMode::Legal).to_string(), uci))
                }),
            };
            // Where a move can't be followed the position stays where it last was sure.
            let Some((after, uci)) = played else { break };
            (fen, last, self.followed) = (after, Some(uci), ply);
        }
        stand(table, &fen, last);
    }
}

/// As a FEN has it.
fn turn_of(table: &TableView) -> char {
    match table.turn {
        Side::White => 'w',
        Side::Black => 'b',
    }
}

fn stand(table: &mut TableView, fen: &str, last: Option<String>) {
    let mut fields = fen.splitn(3, ' ');
    fields.next().unwrap_or_default().clone_into(&mut table.placement);
    table.turn = if fields.next() == Some("b") { Side::Black } else { Side::White };
    fields.next().unwrap_or_default().clone_into(&mut table.rest);
    table.check = table.line.last().is_some_and(|san| san.ends_with(['+', '#']));
    table.last = last;
}

#[cfg(test)]
mod tests {
    use protocol::feed::{Correction, Sight, TableEvent};

    use super::*;

    #[test]
    fn what_is_only_seen_is_not_on_air() {
        let seen = Sight::Link { board: "7".into(), state: protocol::board::Link::Up };
        assert!(Open::to_public(&said(seen)).is_none());
    }

    #[test]
    fn a_final_move_is_on_the_board_of_the_public_with_the_movers_clock() {
        let mut air = begun();
        tell(&mut air, a_final(1, "e4", "e2e4", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"));
        let table = &air.view.tables[0];
        assert_eq!((table.line.to_string().as_str(), table.settled), ("e4", 1));
        assert_eq!(table.placement, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR");
        assert_eq!((table.turn, table.rest.as_str(), table.last.as_deref()), (Side::Black, "KQkq - 0 1", Some("e2e4")));
        let clock = table.clock.expect("both clocks begin with the time control");
        assert_eq!((clock.white_ms, clock.black_ms, clock.running), (59_000, 60_000, Some(Side::Black)));
    }

    #[test]
    fn where_nobody_knows_what_clocks_begin_with_there_is_one_as_soon_as_both_have_moved() {
        let mut air = Stage::default();
        let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".to_owned();
        let told = |air: &mut Stage, ply: usize, clock_ms: Option<u64>| {
            let side = if ply.is_multiple_of(2) { 'w' } else { 'b' };
            let fen = format!("8/8/8/8/8/8/8/8 {side} - - 0 1");
            let (san, uci) = ("e4".to_owned(), "e2e4".to_owned());
            let played = Entry::Final { ply, san, uci, fen, clock_ms, inferred: false, illegal: false };
            air.apply(&open(played), None);
            air.view.tables[0].clock.map(|clock| (clock.white_ms, clock.black_ms, clock.running))
        };
        air.apply(&open(Entry::Started { game: 1, fen: fen.clone(), variant: Variant::Standard }), None);
        assert_eq!(told(&mut air, 1, Some(281_000)), None, "nobody has said what Black has");
        assert_eq!(told(&mut air, 2, Some(308_000)), Some((281_000, 308_000, Some(Side::White))));
        assert_eq!(told(&mut air, 3, Some(270_000)), Some((270_000, 308_000, Some(Side::Black))));
        air.apply(&open(Entry::Started { game: 2, fen, variant: Variant::Standard }), None);
        assert_eq!(told(&mut air, 1, Some(299_000)), None, "the times of another game are not those of this one");
    }

    #[test]
    fn a_correction_takes_the_board_of_the_public_back_with_it() {
        let mut air = begun();
        tell(&mut air, a_final(1, "e4", "e2e4", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"));
        tell(&mut air, a_final(2, "e5", "e7e5", "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"));
        let (old, new) = (vec!["e4".into(), "e5".into()], vec!["d4".into(), "f5".into()]);
        tell(&mut air, Entry::Corrected { from_ply: 1, old, new, reason: Correction::Arbiter });
        let table = &air.view.tables[0];
        assert_eq!((table.line.to_string().as_str(), table.settled), ("d4 f5", 2));
        assert_eq!(table.placement, "rnbqkbnr/ppppp1pp/8/5p2/3P4/8/PPP1PPPP/RNBQKBNR");
        assert_eq!(table.last.as_deref(), Some("f7f5"));
    }

    #[test]
    fn moves_that_come_one_by_one_stand_as_if_they_had_come_together() {
        let line = ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Ba4", "Nf6", "O-O"].map(str::to_owned);
        let told = |air: &mut Stage, from_ply: usize, new: &[String]| {
            let (old, reason) = (Vec::new(), Correction::Arbiter);
            tell(air, Entry::Corrected { from_ply, old, new: new.to_vec(), reason });
        };
        let (mut together, mut one_by_one) = (begun(), begun());
        told(&mut together, 1, &line);
        // One of them was another move at first, and one could not be played.
        told(&mut one_by_one, 1, &["d4".to_owned(), "Ke3".to_owned(), "d5".to_owned()]);
        for (at, san) in line.iter().enumerate() {
            told(&mut one_by_one, at + 1, std::slice::from_ref(san));
        }
        assert_eq!(one_by_one.view, together.view);
        assert_eq!(together.view.tables[0].placement, "r1bqkb1r/1ppp1ppp/p1n2n2/4p3/B3P3/5N2/PPPP1PPP/RNBQ1RK1");
    }

    fn begun() -> Stage {
        let mut air = Stage::default();
        let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".to_owned();
        tell(&mut air, Entry::Started { game: 1, fen, variant: Variant::Standard });
        air
    }

    #[test]
    fn a_table_that_was_removed_is_gone_and_is_there_again_when_somebody_is_to_play_at_it() {
        let mut air = Stage::default();
        let player = |name: &str| protocol::feed::Player { name: name.to_owned(), ..protocol::feed::Player::default() };
        let paired = || Entry::Paired { white: player("Ann"), black: player("Ben"), time_control: None };
        for _ in 0..2 {
            tell(&mut air, paired());
            assert_eq!(air.tables().count(), 1);
            tell(&mut air, Entry::Shown { shown: false, removed: true });
            assert_eq!(air.tables().count(), 0);
        }
    }

    fn a_final(ply: usize, san: &str, uci: &str, fen: &str) -> Entry {
        let (san, uci, fen) = (san.to_owned(), uci.to_owned(), fen.to_owned());
        Entry::Final { ply, san, uci, fen, clock_ms: Some(59_000), inferred: false, illegal: false }
    }

    /// At a table where both have a minute.
    fn tell(air: &mut Stage, entry: Entry) {
        air.apply(&open(entry), Some(60_000));
    }

    fn open(entry: Entry) -> Open {
        Open::to_public(&said(entry)).expect("spectators may know of it")
    }

    fn said(event: impl Into<Event>) -> TableEvent {
        let table = Some(TableId { event: "open".into(), round: 3, table: 1 });
        TableEvent { table, t: 7, event: event.into() }
    }
}
