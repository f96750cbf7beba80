//! Which report file an event stands by: the one that came last, unless it was taken back.

use std::collections::BTreeMap;

use protocol::feed::{Command, Pairing, ReportFile};

/// The report files of all events. A pairing program writes all rounds into each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Imports {
    /// Who plays whom in each round, as it was ordered last.
    lists: BTreeMap<(String, u16), List>,
    /// Those of each event, the latest last.
    files: BTreeMap<String, Vec<Import>>,
}

/// The table and both names: what else is known of people may have been mended since.
type List = Vec<(u16, String, String)>;

#[derive(Clone, Debug, PartialEq, Eq)]
struct Import {
    /// The round it came with.
    round: u16,
    /// Who played whom there before. `None` where the round was not there, or was paired like that already: a list that
    /// says the same once more takes nothing back.
    before: Option<List>,
    file: ReportFile,
}

impl Imports {
    pub(super) fn file(&self, event: &str) -> Option<&ReportFile> {
        self.files.get(event)?.last().map(|import| &import.file)
    }

    pub(super) fn note(&mut self, command: &Command) {
        if let Command::Pairings { event, round, pairings, file, .. } = command {
            let list = list(pairings);
            let before = self.lists.insert((event.clone(), *round), list.clone());
            if let Some(file) = file {
                let before = before.filter(|before| *before != list);
                let import = Import { round: *round, before, file: (**file).clone() };
                self.files.entry(event.clone()).or_default().push(import);
            } else {
                self.take_back(event, *round, &list);
            }
        }
        if let Command::Remove { event: Some(event), round } = command {
            let is_gone = |other: u16| round.is_none_or(|round| round == other);
            self.lists.retain(|(name, number), _| name != event || !is_gone(*number));
            self.files.entry(event.clone()).or_default().retain(|import| !is_gone(import.round));
        }
    }

    /// A round is paired again as it was before its last file came: people have taken that file back. A list that is
    /// another one mends the round, and the file stays.
    fn take_back(&mut self, event: &str, round: u16, list: &List) {
        let Some(files) = self.files.get_mut(event) else { return };
        if let Some(last) = files.iter().rposition(|import| import.round == round)
            && files[last].before.as_ref() == Some(list)
        {
            files.remove(last);
        }
    }
}

fn list(pairings: &[Pairing]) -> List {
    let names = pairings.iter().map(|Pairing { table, white, black }| (*table, white.name.clone(), black.name.clone()));
    let mut list = names.collect::<List>();
    list.sort();
    list
}

#[cfg(test)]
mod tests {
    use protocol::feed::Player;

    use super::*;

    #[test]
    fn the_file_that_came_last_is_the_one_until_its_round_is_as_before_again() {
        let mut imports = Imports::default();
        imports.note(&pairings(1, "Ada", Some("first")));
        imports.note(&pairings(2, "Bela", Some("second")));
        imports.note(&pairings(2, "Béla", Some("third")));
        assert_eq!(text(&imports), Some("third"));
        imports.note(&pairings(2, "Cleo", None));
        assert_eq!(text(&imports), Some("third"), "a list that mends a round takes no file back");
        imports.note(&pairings(2, "Bela", None));
        assert_eq!(text(&imports), Some("second"));
        imports.note(&pairings(2, "Bela", None));
        assert_eq!(text(&imports), Some("second"), "that is how it came");
        imports.note(&pairings(2, "Bela", Some("fourth")));
        imports.note(&pairings(2, "Bela", None));
        assert_eq!(text(&imports), Some("fourth"), "and how the next one came");
    }

    #[test]
    fn a_file_goes_with_the_round_it_brought() {
        let mut imports = Imports::default();
        imports.note(&pairings(1, "Ada", Some("first")));
        imports.note(&pairings(2, "Bela", Some("second")));
        let remove = |round| Command::Remove { event: Some("open".to_owned()), round };
        imports.note(&remove(Some(2)));
        assert_eq!(text(&imports), Some("first"));
        imports.note(&remove(None));
        assert_eq!(text(&imports), None);
    }

    fn text(imports: &Imports) -> Option<&str> {
        imports.file("open").map(|file| file.text.as_str())
    }

    fn pairings(round: u16, white: &str, file: Option<&str>) -> Command {
        let player = |name: &str| Player { name: name.to_owned(), ..Player::default() };
        let pairings = vec![Pairing { table: 1, white: player(white), black: player("Dora") }];
        let file = file.map(|text| Box::new(ReportFile { text: text.to_owned(), encoding: String::new() }));
        Command::Pairings { event: "open".to_owned(), round, title: None, site: None, pairings, byes: Vec::new(), file }
    }
}
