//! Start positions of Chess960: given by number for a round or a table.

use laws::chess960;
use protocol::feed::{Command, Order, TableId};

use crate::{
    Millis,
    event::key_of,
    floor::{Hall, named},
    input::Out,
    refusal::Refusal,
    table::check_array,
};

impl Hall {
    /// The games of a round, or of one table, begin from the position of this number. Games in which somebody has moved
    /// stand in the way of that.
    pub(crate) fn begin_from(&mut self, order: &Order, now: Millis, out: &mut Vec<Out>) -> Result<(), Refusal> {
        let (key, only) = match (&order.command, &order.at) {
            (Command::StartPosition { event: None, round: None, .. }, Some(at)) => (key_of(&at.table), Some(&at.table)),
            (Command::StartPosition { event: Some(event), round: Some(round), .. }, None) => {
                (named(event, *round)?, None)
            }
            _ => return Err(Refusal::because("for which games? name a \"table\", or an \"event\" and a \"round\"")),
        };
        let number = number(&order.command)?;
        let meant = |id: &&TableId| only.map_or(key_of(id) == key, |only| **id == *only);
        let there = self.tables.keys().filter(meant).cloned().collect::<Vec<_>>();
        let begun = there.iter().filter(|id| self.tables.get(id).is_some_and(|table| table.plies() > 0));
        let begun = begun.map(TableId::to_string).collect::<Vec<_>>();
        if !begun.is_empty() {
            return Err(Refusal::because(format!(
                "somebody has moved at {}: order it for each of the other tables",
                begun.join(", ")
            )));
        }
        check_array(number)?;
        let whose = only.map_or_else(|| format!("round {} of {}", key.1, key.0), TableId::to_string);
        if !self.events.begin_from(&key, only.map(|id| id.table), number)? {
            out.push(Out::Said(format!("nothing has changed: {whose} begins from position {number} already")));
            return Ok(());
        }
        for id in &there {
            self.at(id, now, out, |table, said| table.begin_from(number, now, said))?;
        }
        self.tell_round(&key, now, out);
        out.push(Out::Said(format!("{whose} begins from position {number}: {}", men(number))));
        Ok(())
    }
}

/// Hands can't be asked to set up what was not drawn yet.
fn number(command: &Command) -> Result<u16, Refusal> {
    let Command::StartPosition { number: Some(number), .. } = command else {
        return Err(Refusal::because("the order says no number, and none was drawn for it"));
    };
    Ok(*number)
}

/// White's first rank, as one reads it to whoever sets up the men.
fn men(number: u16) -> String {
    chess960::back_rank(number).into_iter().flatten().map(|role| role.upper_char()).collect()
}
