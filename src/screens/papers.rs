//! Which paper an address asks for. The papers themselves come from the [`Library`](super::Library).

use protocol::feed::{Address, Notation, TableId};

use crate::record::papers::Paper;

/// Reads an address and what stands behind its question mark; a sentence says what it should be.
pub(super) fn read(path: &str, query: &str) -> Result<Paper, String> {
    let path = path.trim_matches('/').trim_end_matches(".html");
    let (kind, rest) = path.split_once('/').unwrap_or((path, ""));
    let parts = rest.split('/').collect::<Vec<_>>();
    let round = || {
        let [event, round] = parts[..] else { return None };
        // A round is where its first table is.
        let first = format!("{event}/{round}/1").parse::<TableId>().ok()?;
        Some((first.event, first.round))
    };
    let at = || rest.parse::<Address>().ok();
    let found = match kind {
        "report" => round().map(|(event, round)| Paper::Report { event, round }),
        "clocks" => round().map(|(event, round)| Paper::Clocks { event, round }),
        "sheet" => {
            let notation = notation(query)?;
            let all = round().map(|(event, round)| Paper::Sheets { event, round, notation });
            all.or_else(|| at().map(|at| Paper::Sheet { at, notation }))
        }
        "envelope" => at().map(|at| Paper::Envelope { at }),
        _ => None,
    };
    found.ok_or_else(|| {
        "There is no such paper. There are /report/EVENT/ROUND, /report/EVENT.trf, /sheet/EVENT/ROUND, \
         /sheet/EVENT/ROUND/TABLE, /clocks/EVENT/ROUND and /envelope/EVENT/ROUND/TABLE, as in /sheet/open/3/12."
            .to_owned()
    })
}

fn notation(query: &str) -> Result<Option<Notation>, String> {
    let Some(name) = query.split('&').find_map(|pair| pair.strip_prefix("notation=")) else { return Ok(None) };
    let found = Notation::named(name);
    found.map(Some).ok_or_else(|| "Write ?notation=english, german, spanish or figurines.".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_names_its_paper() {
        let at = |text: &str| text.parse::<Address>().expect("an address");
        let (event, round) = ("open".to_owned(), 3);
        for (path, query, paper) in [
            ("/report/open/3", "", Paper::Report { event: event.clone(), round }),
            ("/clocks/open/3.html", "", Paper::Clocks { event: event.clone(), round }),
            ("/sheet/open/3", "notation=german", Paper::Sheets { event, round, notation: Some(Notation::German) }),
            ("/sheet/open/3/12", "", Paper::Sheet { at: at("open/3/12"), notation: None }),
            ("/sheet/open/3/12/2", "x=y", Paper::Sheet { at: at("open/3/12/2"), notation: None }),
            ("/envelope/open/3/12", "", Paper::Envelope { at: at("open/3/12") }),
        ] {
            assert_eq!(read(path, query), Ok(paper), "{path}");
        }
        for path in ["/report/open", "/sheet/open", "/sheet/open/0/1", "/clocks/open/3/12", "/envelope/open/3"] {
            assert!(read(path, "").is_err(), "{path}");
        }
        assert!(read("/sheet/open/3", "notation=klingon").is_err());
    }
}
