//! Matches of teams: tables side by side at which players of the same two teams meet. Their order is that of the tables.

use std::{fmt::Write as _, ops::RangeInclusive};

use protocol::feed::{Player, Score};

/// Two teams that meet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Match<'a> {
    /// The team that has White at the first board, and the other.
    pub(super) teams: [&'a str; 2],
    /// Its tables, the first board first.
    pub(super) tables: RangeInclusive<u16>,
    /// What each team scores, in half points.
    halves: [u32; 2],
    /// At how many boards nobody has scored yet.
    pub(super) open: usize,
}

/// One table of a round: its number, White and Black, and what they score.
pub(super) type Met<'a> = (u16, &'a Player, &'a Player, Score);

impl<'a> Match<'a> {
    /// The matches of a round, whose tables come in their order.
    pub(super) fn of(tables: impl IntoIterator<Item = Met<'a>>) -> Vec<Match<'a>> {
        let mut matches = Vec::<Match<'a>>::new();
        for (table, white, black, score) in tables {
            let (Some(white), Some(black)) = (team(white), team(black)) else { continue };
            if white == black {
                continue;
            }
            let goes_on = matches.last().is_some_and(|last| last.goes_on_at(table, [white, black]));
            if !goes_on {
                matches.push(Match { teams: [white, black], tables: table..=table, halves: [0; 2], open: 0 });
            }
            let last = matches.last_mut().expect("one was put there");
            last.tables = *last.tables.start()..=table;
            let halves = score.halves();
            let halves = if last.teams[0] == white { halves } else { halves.map(|[white, black]| [black, white]) };
            match halves {
                Some([one, other]) => last.halves = [last.halves[0] + one, last.halves[1] + other],
                None => last.open += 1,
            }
        }
        matches
    }

    fn goes_on_at(&self, table: u16, [white, black]: [&str; 2]) -> bool {
        let is_next = self.tables.end().checked_add(1) == Some(table);
        is_next && (self.teams == [white, black] || self.teams == [black, white])
    }

    /// As a result list writes it.
    pub(super) fn score(&self) -> String {
        let [one, other] = self.halves.map(points);
        format!("{one} – {other}")
    }
}

fn team(player: &Player) -> Option<&str> {
    player.team.as_deref().filter(|team| !team.is_empty())
}

fn points(halves: u32) -> String {
    let mut text = if halves == 1 { String::new() } else { (halves / 2).to_string() };
    if halves % 2 == 1 {
        let _ = write!(text, "½");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_team_scores_with_both_colours_and_a_game_that_is_on_counts_for_nobody() {
        let [red, blue] = ["Red Rooks", "Blue Bishops"].map(of);
        let met = [
            (4, &red, &blue, Score::WhiteWins),
            (5, &blue, &red, Score::Draw),
            (6, &red, &blue, Score::BothForfeited),
            (7, &blue, &red, Score::Open),
        ];
        let matches = Match::of(met);
        let [one] = matches.as_slice() else { panic!("one match: {matches:?}") };
        assert_eq!((one.teams, one.score().as_str(), one.open), (["Red Rooks", "Blue Bishops"], "1½ – ½", 1));
        assert_eq!(one.tables, 4..=7);
    }

    #[test]
    fn other_teams_a_gap_and_players_of_none_begin_another_match() {
        let [red, blue, green] = ["R", "B", "G"].map(of);
        let alone = Player::default();
        let met = [
            (1, &red, &blue, Score::Open),
            (2, &green, &red, Score::Open),
            (3, &alone, &alone, Score::WhiteWins),
            (4, &green, &red, Score::Open),
            (6, &green, &red, Score::Open),
        ];
        let tables = Match::of(met).into_iter().map(|one| one.tables).collect::<Vec<_>>();
        assert_eq!(tables, [1..=1, 2..=2, 4..=4, 6..=6]);
    }

    fn of(team: &str) -> Player {
        Player { team: Some(team.to_owned()), ..Player::default() }
    }
}
