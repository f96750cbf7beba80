//! Whether a target would work right now, and what is missing.

use std::collections::BTreeSet;

use super::{
    folder, lichess,
    outbox::unnamed,
    pages::{Layout, without_query},
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
        Receiver::Http { layout, keeper, .. } => http(target, layout, keeper.as_ref(), source, wire).await,
        Receiver::Lichess { base, rounds, keeper } => {
            let mut findings = token(Some(keeper));
            if let Ok(token) = keeper.token() {
                findings.extend(broadcast(base, rounds.values(), token, wire).await);
            }
            findings
        }
    };
    findings.extend(rounds(target, source));
    findings
}

/// What a status other than success means for a receiver of documents.
pub(super) fn trouble(status: u16, said: &str, has_token: bool) -> String {
    match status {
        401 | 403 if has_token => "its token is not accepted: put another in place".to_owned(),
        401 | 403 => {
            format!("it wants a token ({status}): name it as token-file below [[air]], and restart the daemon")
        }
        300..=399 => {
            "it answers with another address, and nothing is sent there by itself: write the new one as url".to_owned()
        }
        404 | 405 => format!("it takes nothing at this address ({status}): look at url and method"),
        429 => "it has had too many requests (429): it is asked again by itself, later".to_owned(),
        _ => lichess::unwell(status, said),
    }
}

/// What is said where a document can't be used as it is.
pub(super) fn refusal(status: u16, said: &str, is_nothing: bool) -> String {
    let answer = lichess::answer(status, said);
    match status {
        _ if is_nothing => format!(
            "{answer}: it takes no empty document, so what is not on air any more is still there: take it away there"
        ),
        413 => format!("{answer}: so long a document is not taken there: raise its limit, and try now"),
        415 => format!("{answer}: it takes no PGN: have it take application/x-chess-pgn, and try now"),
        _ => format!("{answer}: it can't use this document: look at its log"),
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

async fn http(
    target: &Target,
    layout: &Layout,
    keeper: Option<&Keeper>,
    source: &dyn Source,
    wire: &mut Wire,
) -> Vec<Finding> {
    let mut findings = token(keeper);
    let Layout::Addressed(address) = layout else { return findings };
    let mut rounds = own(target, source);
    if rounds.is_empty() {
        rounds.push((target.event.clone().unwrap_or_else(|| "event".to_owned()), 1));
    }
    let at = |(event, round): (String, u16)| {
        address.replace("{event}", &event).replace("{round}", &round.to_string()).replace("{table}", "1")
    };
    for address in rounds.into_iter().map(at).collect::<BTreeSet<_>>() {
        let token = keeper.and_then(|keeper| keeper.token().ok());
        let asked = Asked { method: "HEAD", address: address.clone(), token, mime: "", parcel: Parcel::default() };
        let found = match wire.ask(asked).await {
            // A place that only takes need not give anything.
            Ok(Answered { status: 200..=299 | 400 | 404 | 405 | 501, .. }) => {
                Finding::good(format!("{} answers", without_query(&address)))
            }
            Ok(Answered { status, body, .. }) => Finding::bad(trouble(status, &body, keeper.is_some())),
            Err(unanswered) => Finding::bad(unanswered.sentence),
        };
        // A site that is away is so for all its addresses.
        if !findings.contains(&found) {
            findings.push(found);
        }
    }
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
        other => vec![Finding::bad(trouble(other, &body, true))],
    }
}

/// The rounds that are open and are the target's.
fn own(target: &Target, source: &dyn Source) -> Vec<(String, u16)> {
    source.open().into_iter().filter(|(event, _)| target.is_for(event)).collect()
}

/// Whether each round that is open would be told, and whom of it the receiver would throw away.
fn rounds(target: &Target, source: &dyn Source) -> Vec<Finding> {
    let own = own(target, source);
    if !own.is_empty() {
        return own.iter().flat_map(|(event, number)| round(target, source, event, *number)).collect();
    }
    vec![Finding::good(match (source.open().pop(), &target.event) {
        (Some((event, _)), Some(own)) => format!("{event} is open, and this target is for {own}"),
        (Some(_) | None, _) => "no round is open".to_owned(),
    })]
}

fn round(target: &Target, source: &dyn Source, event: &str, round: u16) -> Vec<Finding> {
    if let Some(sentence) = target.lacks(event, round) {
        return vec![Finding::bad(sentence)];
    }
    let bulletin = source.bulletin(event, round, source.tells_live(target.name()));
    let games = bulletin.slips().count();
    let games = if games == 1 { "1 game is".to_owned() } else { format!("{games} games are") };
    let mut findings = vec![Finding::good(format!("round {round} of {event}: {games} on air"))];
    if let Receiver::Lichess { .. } = &target.receiver {
        let nameless = bulletin.slips().filter_map(|slip| unnamed(slip));
        findings.extend(nameless.map(|who| Finding::bad(format!("{who}: the game would be thrown away; name them"))));
    }
    findings
}
