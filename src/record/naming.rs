//! Who plays, said anew: an order names players, and says of one what was wrong.
//!
//! Pure. What is not given of a player stays: of the one who has that name in the event, or else, where one game is mended, of
//! the one who sat there, whose name was written wrongly. Whom a table gets instead may be somebody nobody has heard of.

use protocol::feed::{Player, TableId};

use super::{book::Games, sheet::Sheet};

/// Who is to play, as the hall has it: of a round that is prepared nobody was told.
#[derive(Clone, Debug, Default)]
pub struct Planned {
    /// At the table that is meant.
    pub there: Option<(Player, Player)>,
    /// In the whole event, those of the last round first, with or without somebody to play.
    pub people: Vec<Player>,
}

impl Games {
    /// Both players of a game, or of a table, as an order means them, and what of them nobody has said in it. None where it
    /// says all there is.
    pub fn renamed(
        &self,
        table: &TableId,
        game: Option<u32>,
        named: [&Player; 2],
        planned: &Planned,
    ) -> Option<([Player; 2], Vec<String>)> {
        let sheet = self.round(&table.event, table.round).and_then(|round| round.tables.get(&table.table));
        let nobody = <(Player, Player)>::default();
        let sat = match game {
            Some(game) => sheet?.games.iter().find(|known| known.number == game)?.pairing.as_ref()?,
            None => sheet.and_then(Sheet::players).or(planned.there.as_ref()).unwrap_or(&nobody),
        };
        let newcomer = Player::default();
        let mut said = Vec::new();
        let mut complete = |named: &Player, sat: &Player| {
            let known = self.namesake(&table.event, named, sat).or_else(|| planned.namesake(named));
            let (whole, kept) = completed(named, known.unwrap_or(if game.is_some() { sat } else { &newcomer }));
            if !kept.is_empty() {
                said.push(format!("{} keeps {}: an empty text or 0 takes it off", whole.name, kept.join(", ")));
            }
            whole
        };
        let players = [complete(named[0], &sat.0), complete(named[1], &sat.1)];
        let is_news = [&players[0], &players[1]] != named;
        is_news.then_some((players, said))
    }

    /// Whom of the event a name means: the one who sat there, if it is theirs, or else another player.
    fn namesake<'a>(&'a self, event: &str, named: &Player, sat: &'a Player) -> Option<&'a Player> {
        if named.name == sat.name {
            return Some(sat);
        }
        let rounds = self.rounds_of(event).into_iter().rev().filter_map(|round| self.round(event, round));
        let mut players = rounds.flat_map(|round| {
            let seated = round.tables.values().filter_map(Sheet::players).flat_map(|(white, black)| [white, black]);
            seated.chain(round.byes.iter().map(|bye| &bye.player))
        });
        players.find(|player| player.name == named.name)
    }
}

impl Planned {
    fn namesake(&self, named: &Player) -> Option<&Player> {
        self.people.iter().find(|player| player.name == named.name)
    }
}

/// A player with what is known of them where nothing is given, and that in words. What is given as nothing is taken off.
fn completed(named: &Player, known: &Player) -> (Player, Vec<String>) {
    let mut kept = Vec::new();
    let mut text = |what: &str, given: &Option<String>, known: &Option<String>| {
        kept.extend(known.iter().filter(|_| given.is_none()).map(|known| format!("{what} {known}")));
        given.clone().or_else(|| known.clone()).filter(|text| !text.is_empty())
    };
    let title = text("title", &named.title, &known.title);
    let federation = text("federation", &named.federation, &known.federation);
    let team = text("team", &named.team, &known.team);
    let rating = named.rating.or(known.rating).filter(|rating| *rating > 0);
    let number = named.number.or(known.number).filter(|number| *number > 0);
    let fide_id = named.fide_id.or(known.fide_id);
    for (what, given, known) in [
        ("rating", named.rating.map(u32::from), known.rating.map(u32::from)),
        ("FIDE number", named.fide_id, known.fide_id),
        ("number", named.number, known.number),
    ] {
        kept.extend(known.filter(|_| given.is_none()).map(|known| format!("{what} {known}")));
    }
    (Player { name: named.name.clone(), title, rating, federation, fide_id, team, number }, kept)
}

#[cfg(test)]
mod tests {
    use protocol::feed::{Bye, ByeKind, Entry, RoundView, TableEvent, Variant};

    use super::*;

    fn table(table: u16) -> TableId {
        TableId { event: "open".to_owned(), round: 1, table }
    }

    fn player(name: &str, title: &str, rating: u16) -> Player {
        let title = Some(title.to_owned());
        Player { name: name.to_owned(), title, rating: Some(rating), federation: None, ..Player::default() }
    }

    fn named(name: &str) -> Player {
        Player { name: name.to_owned(), ..Player::default() }
    }

    fn nothing() -> Planned {
        Planned::default()
    }

    fn games() -> Games {
        let mut games = Games::default();
        let pairs = [
            (1, player("Okafor, Ada", "WGM", 2301), player("Lindqvist, Jonas", "GM", 2544)),
            (2, player("Hall, Wei", "IM", 2411), named("Moreau, Luc")),
        ];
        for (at, white, black) in pairs {
            for entry in [
                Entry::Paired { white, black, time_control: None },
                Entry::Started { game: 1, fen: String::new(), variant: Variant::Standard },
            ] {
                games.apply(&TableEvent { table: Some(table(at)), t: 0, event: entry.into() });
            }
        }
        games
    }

    #[test]
    fn what_is_not_given_of_a_player_stays_and_what_is_given_as_nothing_goes() {
        let (white, black) = (named("Okafor, Ada Mary"), named("Lindqvist, Jonas"));
        let (players, said) =
            games().renamed(&table(1), Some(1), [&white, &black], &nothing()).expect("something was not given");
        assert_eq!(players, [player("Okafor, Ada Mary", "WGM", 2301), player("Lindqvist, Jonas", "GM", 2544)]);
        assert_eq!(said[0], "Okafor, Ada Mary keeps title WGM, rating 2301: an empty text or 0 takes it off");
        let taken_off = Player { title: Some(String::new()), rating: Some(0), ..named("Okafor, Ada") };
        let (players, said) =
            games().renamed(&table(1), Some(1), [&taken_off, &players[1]], &nothing()).expect("it is another player");
        assert_eq!((&players[0], said.is_empty()), (&named("Okafor, Ada"), true), "{said:?}");
    }

    #[test]
    fn somebody_else_of_the_event_brings_what_is_known_of_them() {
        let (white, black) = (named("Okafor, Ada"), named("Hall, Wei"));
        let (players, _) =
            games().renamed(&table(1), Some(1), [&white, &black], &nothing()).expect("something was not given");
        assert_eq!(players[1], player("Hall, Wei", "IM", 2411), "and nothing of the one who did not sit there");
        assert_eq!(games().renamed(&table(1), Some(2), [&white, &black], &nothing()), None, "there is no such game");
    }

    #[test]
    fn whom_a_table_gets_instead_brings_nothing_of_who_left_it_and_who_stays_keeps_all() {
        let (white, reserve) = (named("Okafor, Ada"), named("Zimmer, Kai"));
        let (players, said) =
            games().renamed(&table(1), None, [&white, &reserve], &nothing()).expect("something was not given");
        assert_eq!(players, [player("Okafor, Ada", "WGM", 2301), reserve]);
        assert_eq!(said, ["Okafor, Ada keeps title WGM, rating 2301: an empty text or 0 takes it off"]);
    }

    #[test]
    fn whoever_has_only_had_a_bye_is_known_and_so_is_who_is_in_a_round_that_nobody_sees_yet() {
        let mut games = games();
        let bye = Bye { player: player("Xie, Lena", "FM", 2144), kind: ByeKind::Allocated };
        let round = RoundView { event: "open".into(), round: 1, byes: vec![bye], ..RoundView::default() };
        games.apply(&TableEvent { table: None, t: 0, event: Entry::Round { round: Box::new(round) }.into() });
        let (white, black) = (named("Xie, Lena"), named("Peña, Inés"));
        let planned = Planned { there: None, people: vec![player("Peña, Inés", "WIM", 2250)] };
        let at_a_new_table = games.renamed(&table(9), None, [&white, &black], &planned);
        let (players, said) = at_a_new_table.expect("something was not given");
        assert_eq!(players, [player("Xie, Lena", "FM", 2144), player("Peña, Inés", "WIM", 2250)]);
        assert_eq!(said.len(), 2, "{said:?}");
        let planned = Planned { there: Some((player("Xie, Lena", "FM", 2150), named("Zimmer, Kai"))), ..planned };
        let (players, _) = games.renamed(&table(9), None, [&white, &black], &planned).expect("something was not given");
        assert_eq!(players[0].rating, Some(2150), "as it is known of who sits there");
    }
}
