//! Whether a target would work right now, and what is missing.

use super::{
    folder, lichess,
    outbox::unnamed,
    pages::Layout,
    parcel::Parcel,
    source::Source,
    standing::Finding,
    target::{Receiver, Target},
    token::{Keeper, Token},
    wire::{Answered, Asked, Wire},
};

/// Looks at everything a target needs. Nothing is told to it.
pub(super) async fn look(target: &Target, source: &dyn Source, wire: &mut Wire) -> Vec<Finding> {
    let mut findings = match &target.receiver {
        Receiver::Folder { folder, .. } => vec![match folder::probe(folder) {
            Ok(()) => Finding::good(format!("{} can be written", folder.display())),
            Err(sentence) => Finding::bad(sentence),
        }],
        Receiver::Http { layout, keeper, .. } => http(layout, keeper.as_ref(), source, wire).await,
        Receiver::Lichess { base, rounds, keeper } => {
            let mut findings = token(Some(keeper));
            if let Ok(token) = keeper.token() {
                findings.extend(broadcast(base, rounds.values(), token, wire).await);
            }
            findings
        }
    };
    findings.extend(round(target, source));
    findings
}

/// What a status other than success means for a receiver of documents.
pub(super) fn trouble(status: u16, said: &str) -> String {
    match status {
        401 | 403 => "its token is not accepted: put another in place".to_owned(),
        300..=399 => {
            "it answers with another address, and nothing is sent there by itself: write the new one as url".to_owned()
        }
        404 | 405 => format!("it takes nothing at this address ({status}): look at url and method"),
        _ => format!("it answers {status}: {}", lichess::first_line(said)),
    }
}

/// What is said where a document can't be used as it is.
pub(super) fn refusal(status: u16, said: &str, is_nothing: bool) -> String {
    let said = format!("{status}: {}", lichess::first_line(said));
    if is_nothing {
        format!(
            "what is not on air any more is still there, as it takes no empty document ({said}): take it away there"
        )
    } else {
        said
    }
}

fn token(keeper: Option<&Keeper>) -> Vec<Finding> {
    let Some(keeper) = keeper else { return Vec::new() };
    match keeper.token() {
        Err(sentence) => vec![Finding::bad(sentence)],
        Ok(_) => match keeper.exposure() {
            Some(sentence) => vec![Finding::good("there is a token"), Finding::bad(sentence)],
            None => vec![Finding::good("there is a token")],
        },
    }
}

async fn http(layout: &Layout, keeper: Option<&Keeper>, source: &dyn Source, wire: &mut Wire) -> Vec<Finding> {
    let mut findings = token(keeper);
    let Layout::Addressed(address) = layout else { return findings };
    let (event, round) = source.open().unwrap_or_else(|| ("event".to_owned(), 1));
    let address = address.replace("{event}", &event).replace("{round}", &round.to_string()).replace("{table}", "1");
    let token = keeper.and_then(|keeper| keeper.token().ok());
    let asked = Asked { method: "HEAD", address: address.clone(), token, mime: "", parcel: Parcel::default() };
    findings.push(match wire.ask(asked).await {
        // A place that only takes need not give anything.
        Ok(Answered { status: 200..=299 | 400 | 404 | 405 | 501, .. }) => Finding::good(format!("{address} answers")),
        Ok(Answered { status, body, .. }) => Finding::bad(trouble(status, &body)),
        Err(unanswered) => Finding::bad(unanswered.sentence),
    });
    findings
}

/// Asks for the rounds that the token's owner may push to.
async fn broadcast<'a>(
    base: &str,
    ids: impl Iterator<Item = &'a String>,
    token: Token,
    wire: &mut Wire,
) -> Vec<Finding> {
    let (address, token) = (lichess::rounds_address(base), Some(token));
    let asked = Asked { method: "GET", address, token, mime: "", parcel: Parcel::default() };
    let Answered { status, body, .. } = match wire.ask(asked).await {
        Ok(answered) => answered,
        Err(unanswered) => return vec![Finding::bad(unanswered.sentence)],
    };
    match status {
        200 => {
            let known = ids.map(|id| match lichess::lists(&body, id) {
                true => Finding::good(format!("round {id} is known, and may be written")),
                false => Finding::bad(format!(
                    "round {id} is none of those the token's owner may write: look at the last part of its address"
                )),
            });
            [Finding::good("its token is accepted")].into_iter().chain(known).collect()
        }
        401 => vec![Finding::bad("its token is not accepted: make a new one with the scope study:write")],
        403 => vec![Finding::bad(
            "its token is known, and may not list the owner's rounds: give it study:read beside study:write",
        )],
        other => vec![Finding::bad(trouble(other, &body))],
    }
}

/// Whether the round that is open would be told, and whom of it the receiver would throw away.
fn round(target: &Target, source: &dyn Source) -> Vec<Finding> {
    let Some((event, round)) = source.open() else { return vec![Finding::good("no round is open yet")] };
    if let Some(sentence) = target.lacks(&event, round) {
        return vec![Finding::bad(sentence)];
    }
    if let Some(own) = target.event.as_ref().filter(|own| **own != event) {
        return vec![Finding::good(format!("{event} is open, and this target is for {own}"))];
    }
    let bulletin = source.bulletin(&event, round, source.tells_live(target.name()));
    let games = bulletin.slips().count();
    let games = if games == 1 { "1 game is".to_owned() } else { format!("{games} games are") };
    let mut findings = vec![Finding::good(format!("round {round} of {event}: {games} on air"))];
    if let Receiver::Lichess { .. } = &target.receiver {
        let nameless = bulletin.slips().filter_map(|slip| unnamed(slip));
        findings.extend(nameless.map(|who| Finding::bad(format!("{who}: the game would be thrown away; name them"))));
    }
    findings
}
