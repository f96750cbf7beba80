//! What the hall was told of its rounds, put among the inputs of each in the order in which all of it came.

use hall::{Input, Scope};
use protocol::feed::Command;

use crate::{
    journal::{Chapter, Committed, Entries, Said},
    screens::Admission,
};

/// What rounds need of the hall's chapter. It is read once for all of them: a season has hundreds.
#[derive(Debug)]
pub(super) struct Told {
    /// What was published of it: players are named there.
    pub(super) record: Committed<Entries>,
    /// What it was told of these rounds, or of all rounds of their events.
    orders: Vec<(u64, Input)>,
}

/// Where an input of a round stands.
#[derive(Clone, Copy, Debug)]
pub(super) enum Source<'a> {
    /// In the hall's file.
    Hall,
    /// In the round's own, and the text it is written in there if it is kept as text.
    Round(Option<&'a str>),
}

/// What stands in a row of the journal that is kept as text.
pub(super) enum Noted {
    Input(Box<Input>),
    /// Something that changed at the doors: no game knows of it.
    Admission(Admission),
}

pub(super) fn read(body: &str) -> serde_json::Result<Noted> {
    serde_json::from_str(body)
        .map(|input| Noted::Input(Box::new(input)))
        .or_else(|error| serde_json::from_str(body).map(Noted::Admission).map_err(|_| error))
}

impl Told {
    pub(super) fn read<'a>(hall: &Chapter, rounds: impl Iterator<Item = &'a Scope> + Clone) -> Told {
        let (mut inputs, mut orders) = (hall.inputs(), Vec::new());
        while let Some((t, said)) = inputs.next_input() {
            let Said::Text(text) = said else { continue };
            if let Ok(Noted::Input(input)) = read(text)
                && rounds.clone().any(|round| is_about(&input, round))
            {
                orders.push((t, *input));
            }
        }
        Told { record: hall.record().0, orders }
    }

    /// Hands on the inputs of a round with their times. Its tables were played by what the hall had been told by then; of
    /// what was told in the same moment that comes first, because rounds rest on it. Gives how many rows can't be read.
    pub(super) fn each(&self, round: &Chapter, mut take: impl FnMut(u64, &Input, Source<'_>)) -> usize {
        let orders = self.orders.iter().filter(|(_, order)| is_about(order, round.scope()));
        let (mut orders, mut inputs) = (orders.peekable(), round.inputs());
        let mut unread = 0;
        while let Some((t, said)) = inputs.next_input() {
            while let Some((at, order)) = orders.next_if(|(at, _)| *at <= t) {
                take(*at, order, Source::Hall);
            }
            match said {
                Said::Input(input) => take(t, input, Source::Round(None)),
                Said::Text(text) => match read(text) {
                    Ok(Noted::Input(input)) => take(t, &input, Source::Round(Some(text))),
                    Ok(Noted::Admission(_)) => {}
                    Err(_) => unread += 1,
                },
            }
        }
        orders.for_each(|(at, order)| take(*at, order, Source::Hall));
        unread + inputs.unread()
    }
}

fn is_about(input: &Input, scope: &Scope) -> bool {
    let (Input::Ordered(order), Scope::Round { event, round }) = (input, scope) else { return false };
    if let Some(table) = order.table() {
        return scope.has(table);
    }
    if let Command::Event { event: of, .. } | Command::Remove { event: Some(of), round: None } = &order.command {
        return of == event;
    }
    // What else is told of no table is about boards and spectators.
    matches!(
        &order.command,
        Command::OpenRound { event: of, round: number, .. }
            | Command::CloseRound { event: of, round: number }
            | Command::Pairings { event: of, round: number, .. }
            | Command::StartPosition { event: Some(of), round: Some(number), .. }
            | Command::Remove { event: Some(of), round: Some(number) }
        if of == event && number == round
    )
}
