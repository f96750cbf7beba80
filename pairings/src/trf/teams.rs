//! Teams: lines of a name and the start numbers of its players, in the order of their boards.

use std::{cmp::Reverse, collections::BTreeMap};

use laws::result::Points;

use super::{player::Player, rank::Rank};
use crate::{Fault, cell};

const CODE: &str = "013 ";
/// Where the name stands, in letters counted from 0.
const NAME: std::ops::Range<usize> = 4..36;

/// Who plays for which team.
#[derive(Clone, Debug, Default)]
pub(super) struct Teams {
    /// For each player, by start number, the team and the board in it.
    seats: BTreeMap<u32, Seat>,
    /// The start numbers of each team.
    members: BTreeMap<u32, Vec<u32>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Seat {
    team: u32,
    board: u32,
}

impl Teams {
    /// Reads all lines of teams, and says of each player which one it is.
    pub(super) fn read(lines: &[String], players: &mut BTreeMap<u32, Player>) -> Result<Teams, Vec<Fault>> {
        let (mut all, mut faults) = (Teams::default(), Vec::new());
        let teams = lines.iter().enumerate().filter(|(_, line)| line.starts_with(CODE));
        for (team, (at, line)) in (0..).zip(teams) {
            let letters = line.trim_end().chars().collect::<Vec<_>>();
            let part = |range: std::ops::Range<usize>| letters.get(range.start..range.end.min(letters.len()));
            let name = part(NAME).and_then(|name| cell::given(&name.iter().collect::<String>()));
            let Some(name) = name else {
                faults.push(Fault::new(at + 1, line, "the name of a team in columns 5 to 36"));
                continue;
            };
            let numbers = part(NAME.end..letters.len()).unwrap_or_default().iter().collect::<String>();
            for (board, number) in (0..).zip(numbers.split_whitespace()) {
                let known = number.parse::<u32>().ok().and_then(|number| Some((number, players.get_mut(&number)?)));
                match known {
                    Some((number, _)) if all.seats.contains_key(&number) => {
                        let expected = format!("each player once in a team: {number} sits in one already");
                        faults.push(Fault::new(at + 1, line, expected));
                    }
                    Some((number, player)) => {
                        player.person.team = Some(name.clone());
                        all.seats.insert(number, Seat { team, board });
                        all.members.entry(team).or_default().push(number);
                    }
                    None => faults.push(Fault::new(at + 1, number, "start numbers of players in this file")),
                }
            }
        }
        if faults.is_empty() { Ok(all) } else { Err(faults) }
    }

    /// How far up two players of teams sit: their teams' points decide, then the order of the teams, then their boards.
    pub(super) fn rank(&self, pair: [&Player; 2], players: &BTreeMap<u32, Player>, round: u16) -> Option<Rank> {
        let [one, other] = pair.map(|player| self.seats.get(&player.number()).copied());
        let (one, other) = (one?, other?);
        let first = one.min(other);
        let points = [one, other].map(|seat| self.points_before(seat.team, players, round)).into_iter().max();
        Some(Rank { bye: false, points: Reverse(points?), best: first.team, board: first.board })
    }

    fn points_before(&self, team: u32, players: &BTreeMap<u32, Player>, round: u16) -> Points {
        let members = self.members.get(&team).into_iter().flatten().filter_map(|number| players.get(number));
        members.fold(Points::default(), |sum, player| sum + player.points_before(round))
    }
}
