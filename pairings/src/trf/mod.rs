//! FIDE's report file (TRF16): the event, its players, and each player's line of rounds.
//!
//! The file is kept line by line as it came; what is written back differs in the results that were given and in the points
//! that follow from them, and in nothing else.

mod block;
mod player;
mod rank;
mod teams;

use std::{cmp::Reverse, collections::BTreeMap};

use laws::result::GameResult;
use shakmaty::Color;

use crate::{
    Fault, Faults, Form, Opponent, Pair, Paper, Person, Sheet,
    cell::given,
    round::FideNumbers,
    text::{self, Encoding, decode, encode},
};
use block::Block;
use player::Player;
use rank::Rank;
use teams::Teams;

/// A report file.
#[derive(Clone, Debug)]
pub struct Trf {
    encoding: Encoding,
    /// Each line with its end, as it came.
    lines: Vec<String>,
    /// By start number.
    players: BTreeMap<u32, Player>,
    teams: Teams,
    /// The last round that is played: before the coming one, or with a result that was given since.
    played: u16,
}

impl Trf {
    /// Reads a report file.
    pub fn read(bytes: &[u8]) -> Result<Trf, Faults> {
        let (text, encoding) = decode(bytes, None)?;
        Trf::read_text(&text, encoding)
    }

    /// The same, of its text; it is written back in the letters it came in.
    pub fn read_text(text: &str, encoding: Encoding) -> Result<Trf, Faults> {
        let lines = text::lines(text).map(str::to_owned).collect::<Vec<_>>();
        let (mut players, mut faults) = (BTreeMap::<u32, Player>::new(), Vec::new());
        for (at, text) in lines.iter().enumerate().filter(|(_, text)| text.starts_with("001 ")) {
            match Player::read(text, at) {
                Ok(player) => {
                    let number = player.number();
                    if let Some(other) = players.insert(number, player) {
                        let expected =
                            format!("each start number once: {number} stands on line {} already", other.line);
                        faults.push(Fault::new(at + 1, text, expected));
                    }
                }
                Err(fault) => faults.push(fault),
            }
        }
        if faults.is_empty() {
            check(&players, &mut faults);
        }
        if players.is_empty() && faults.is_empty() {
            faults.push(Fault::new(1, "", "lines of players, which begin with 001"));
        }
        let teams = Teams::read(&lines, &mut players).unwrap_or_else(|wrong| {
            faults.extend(wrong);
            Teams::default()
        });
        let mut file = Faults::or(faults, Trf { encoding, lines, players, teams, played: 0 })?;
        file.reckon();
        Ok(file)
    }

    /// Finds out what the points of the players count.
    fn reckon(&mut self) {
        let coming = self.open_rounds().first().copied().unwrap_or(self.rounds().saturating_add(1));
        self.played = coming.saturating_sub(1);
        self.players.values_mut().for_each(|player| player.reckon(coming));
    }

    fn rounds(&self) -> u16 {
        let rounds = self.players.values().map(|player| player.blocks.len()).max().unwrap_or(0);
        u16::try_from(rounds).unwrap_or(u16::MAX)
    }

    /// The rounds that are paired and not all played.
    pub fn open_rounds(&self) -> Vec<u16> {
        let open = |round: &u16| self.blocks(*round).any(|(_, block)| block.is_open());
        (1..=self.rounds()).filter(open).collect()
    }

    /// The tables of a round: who has more points first, then who is ranked better, byes last. Teams that meet sit side by
    /// side, in the order of their boards.
    pub fn sheet(&self, round: u16) -> Sheet {
        let mut ranked = self.pairs(round);
        ranked.sort_by_key(|(rank, _)| *rank);
        let numbered = (1..).zip(ranked).map(|(table, (_, pair))| Pair { table, ..pair });
        Sheet { round: Some(round), day: self.day(round), pairs: numbered.collect() }
    }

    /// The day of a round: above the blocks of the players the file has its dates, as 26/11/20.
    fn day(&self, round: u16) -> Option<String> {
        let line = self.lines.iter().find(|line| line.starts_with("132"))?;
        let begin = player::ROUNDS + usize::from(round.checked_sub(1)?) * block::WIDTH;
        let day = line.chars().skip(begin).take("YY/MM/DD".len()).collect::<String>();
        let [year, month, day] = <[&str; 3]>::try_from(day.split('/').collect::<Vec<_>>()).ok()?;
        let is_whole = [year, month, day].iter().all(|part| part.len() == 2 && part.parse::<u8>().is_ok());
        is_whole.then(|| format!("20{year}.{month}.{day}"))
    }

    /// What the file says, with the rounds that are to be played.
    pub fn paper(&self) -> Result<Paper, Faults> {
        self.check_coming()?;
        let sheets = self.open_rounds().into_iter().map(|round| self.sheet(round)).collect::<Vec<_>>();
        let players = self.players.values().map(|player| player.person.clone()).collect();
        let mut remarks = Vec::new();
        if sheets.is_empty() {
            remarks.push(
                "no round of this file is open: the coming one has opponents and colours and no results".to_owned(),
            );
        }
        let paper = Paper::of(Form::Trf, sheets, remarks);
        let header = |code: &str| self.header(code);
        let (title, site) = (header("012"), header("022"));
        Ok(Paper { title, site, date: header("042"), time_control: header("122"), players, ..paper })
    }

    /// What is to be played has to say who has which colour, and a FIDE number belongs to one.
    fn check_coming(&self) -> Result<(), Faults> {
        let (mut faults, mut numbers) = (Vec::new(), FideNumbers::default());
        for (number, player) in &self.players {
            for (round, _) in (1..).zip(&player.blocks).filter(|(_, block)| block.is_open() && block.color.is_none()) {
                let found = format!("in round {round} player {number} plays without a colour");
                faults.push(Fault::new(player.line, &found, "w or b in the column of the colour"));
            }
            faults.extend(numbers.note(&player.person, player.line));
        }
        Faults::or(faults, ())
    }

    /// The start number of the one player who is called this.
    pub fn number_of(&self, name: &str) -> Option<u32> {
        let mut called = self.players.values().filter(|player| player.person.name == name);
        called.next().filter(|_| called.next().is_none()).map(Player::number)
    }

    /// Who has this start number.
    pub fn person(&self, number: u32) -> Option<&Person> {
        Some(&self.players.get(&number)?.person)
    }

    /// Whom a player meets in a round.
    pub fn opponent_of(&self, round: u16, number: u32) -> Option<u32> {
        self.players.get(&number)?.block(round)?.opponent
    }

    /// Whether anybody is paired in this round.
    pub fn has_pairs(&self, round: u16) -> bool {
        self.blocks(round).any(|(_, block)| block.opponent.is_some())
    }

    /// What the file says of the game of two players, by start number, whichever colours it gives them; none where it is
    /// still to be played, or where they do not meet.
    pub fn outcome(&self, round: u16, white: u32, black: u32) -> Option<GameResult> {
        let block = self.block_of(Some(white), round).filter(|block| block.opponent == Some(black))?;
        block.outcome(self.block_of(Some(black), round))
    }

    /// Gives the game of two players, by start number, its result: for both who played it. Colours that were swapped at the
    /// table are swapped in the file. False if the two do not meet in this round.
    pub fn record(&mut self, round: u16, white: u32, black: u32, result: GameResult) -> bool {
        let meets = |one: u32, other: u32| {
            let block = self.players.get(&one).and_then(|player| player.block(round));
            block.is_some_and(|block| block.opponent == Some(other) && block.color.is_some())
        };
        if !meets(white, black) || !meets(black, white) {
            return false;
        }
        for (number, side) in [(white, Color::White), (black, Color::Black)] {
            let Some(player) = self.players.get_mut(&number) else { return false };
            let line = &mut self.lines[player.line - 1];
            *line = player.with_result(line, round, side, result.trf(side));
            player.read_again(line);
        }
        self.played = self.played.max(round);
        true
    }

    /// Somebody who has a bye in this round plays all the same: it is taken off their line. False if they have none.
    pub fn take_bye(&mut self, round: u16, number: u32) -> bool {
        let has_bye = |block: &Block| block.opponent.is_none() && block.bye().is_some();
        let Some(player) = self.players.get_mut(&number).filter(|player| player.block(round).is_some_and(has_bye))
        else {
            return false;
        };
        let line = &mut self.lines[player.line - 1];
        *line = player.without(line, round);
        player.read_again(line);
        true
    }

    /// The file with all results given so far, and the points that follow.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut lines = self.lines.clone();
        for player in self.players.values() {
            let line = &mut lines[player.line - 1];
            *line = player.with_points(line, self.played);
        }
        encode(&lines.concat(), self.encoding)
    }

    fn header(&self, code: &str) -> Option<String> {
        let line = self.lines.iter().find(|line| line.starts_with(code))?;
        line.get(code.len()..).and_then(given)
    }

    fn blocks(&self, round: u16) -> impl Iterator<Item = (&Player, &Block)> {
        self.players.values().filter_map(move |player| Some((player, player.block(round)?)))
    }

    fn pairs(&self, round: u16) -> Vec<(Rank, Pair)> {
        let mut pairs = Vec::new();
        for (player, block) in self.blocks(round) {
            let line = player.line;
            let points = player.points_before(round);
            let (rank, black) = match (block.opponent.and_then(|number| self.players.get(&number)), block.color) {
                (Some(other), Some(Color::White)) => {
                    let alone = || {
                        let most = points.max(other.points_before(round));
                        let best = player.rank().min(other.rank());
                        Rank { bye: false, points: Reverse(most), best, board: 0 }
                    };
                    let rank = self.teams.rank([player, other], &self.players, round).unwrap_or_else(alone);
                    (rank, Opponent::Player(other.person.clone()))
                }
                (Some(_), Some(Color::Black) | None) => continue,
                (None, _) => {
                    let Some(bye) = block.bye() else { continue };
                    (Rank { bye: true, points: Reverse(points), best: player.rank(), board: 0 }, Opponent::Nobody(bye))
                }
            };
            let result = block.outcome(self.block_of(block.opponent, round));
            pairs.push((rank, Pair { table: 0, white: player.person.clone(), black, result, line }));
        }
        pairs
    }

    fn block_of(&self, number: Option<u32>, round: u16) -> Option<&Block> {
        self.players.get(&number?)?.block(round)
    }
}

/// Who plays whom has to be said by both, with two colours.
fn check(players: &BTreeMap<u32, Player>, faults: &mut Vec<Fault>) {
    for (number, player) in players {
        for (round, block) in (1_u16..).zip(&player.blocks) {
            let Some(opponent) = block.opponent else { continue };
            let theirs = players.get(&opponent).and_then(|other| other.block(round));
            let agrees = |other: &&Block| {
                other.opponent == Some(*number) && (block.color.is_none() || other.color != block.color)
            };
            if opponent == *number || theirs.filter(agrees).is_none() {
                let found = format!("in round {round} player {number} plays {opponent}");
                let expected = format!("{opponent} to play {number} in that round with the other colour");
                faults.push(Fault::new(player.line, &found, expected));
            }
        }
    }
}
