//! The report file of an event, as it was imported, with the results of its games.

use laws::result::GameResult;
use pairings::{text, trf::Trf};
use protocol::feed::ReportFile;

use super::{book::Games, sheet::Meeting};

impl Games {
    /// The report file of an event with the results of all rounds it knows, in the letters it came in; `None` where no
    /// pairings came from one.
    pub fn report(&self, event: &str) -> Option<Vec<u8>> {
        let ReportFile { text, encoding } = self.file(event)?;
        let bytes = text::encode(text, text::Encoding::named(encoding));
        let mut file = Trf::read(&bytes).ok()?;
        for Meeting { round, white, black, score } in self.meetings(event) {
            let (Some(white), Some(black)) = (white.number, black.number) else { continue };
            if let Ok(result) = score.to_string().parse::<GameResult>() {
                file.record(round, white, black, result);
            }
        }
        Some(file.to_bytes())
    }
}
