//! The report file of an event, as it was imported, with the results of its games.

use laws::result::GameResult;
use pairings::{text, trf::Trf};
use protocol::feed::{Player, ReportFile};

use super::{book::Games, sheet::Meeting};

impl Games {
    /// The report file of an event with the results of all rounds it knows, in the letters it came in; `None` where no
    /// pairings came from one.
    pub fn report(&self, event: &str) -> Option<Vec<u8>> {
        let ReportFile { text, encoding } = self.file(event)?;
        let bytes = text::encode(text, text::Encoding::named(encoding));
        let mut file = Trf::read(&bytes).ok()?;
        for Meeting { round, white, black, score } in self.meetings(event) {
            // A name that was mended may have come without its number.
            let known = |player: &Player| player.number.or_else(|| file.number_of(&player.name));
            let across = |number: Option<u32>| file.opponent_of(round, number?);
            let (white, black) = (known(&white), known(&black));
            let (Some(white), Some(black)) = (white.or_else(|| across(black)), black.or_else(|| across(white))) else {
                continue;
            };
            if let Ok(result) = score.to_string().parse::<GameResult>() {
                file.record(round, white, black, result);
            }
        }
        Some(file.to_bytes())
    }
}
