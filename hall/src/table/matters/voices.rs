//! Blind players: whose men an assistant moves, who is told moves aloud, and whether they can hear it.

use laws::blind::Voice;
use protocol::feed::{
    Alert, AlertKind, Blind, Command, Earphone, Entry, Request, Rules, Side, Spoken, SpokenState, VoiceNews,
};

use crate::{
    Millis, Refusal,
    table::{
        finding,
        turn::{Said, Turn},
        whole::Table,
    },
};

/// Words a minute that anybody can follow or speech engines can speak.
const RATES: std::ops::RangeInclusive<u16> = 80..=450;

impl Table {
    /// These players are blind from here on; all other rules stay.
    pub(crate) fn play_blind(
        &mut self,
        players: Blind,
        white_board: Option<&str>,
        command: &Command,
        turn: &mut Turn,
    ) -> Result<(), Refusal> {
        if let Some(white_board) = white_board {
            self.boards.pair_mut().give(white_board.to_owned());
        }
        let rules = Rules { blind: players, ..self.agreed.rules().clone() };
        self.play_by(&rules, turn)?;
        self.note(command, turn);
        Ok(())
    }

    /// A player hears the opponent's moves like this from here on.
    pub(crate) fn give_voice(
        &mut self,
        side: Side,
        earphone: Option<&Earphone>,
        turn: &mut Turn,
    ) -> Result<(), Refusal> {
        earphone.map_or(Ok(()), fit)?;
        self.voices.give(side, earphone.cloned());
        let news = VoiceNews::Listens { earphone: earphone.cloned().map(Box::new) };
        turn.entry(Entry::Voice { side, news });
        Ok(())
    }

    /// A player who hears the game asks for something.
    pub(crate) fn ask_voice(&mut self, side: Side, request: Request, turn: &mut Turn) -> Result<(), Refusal> {
        let Some(earphone) = self.voices.of(side) else {
            return Err(Refusal::because("nobody speaks to this player: give the player a voice first"));
        };
        if request.is_reading() && !earphone.readings {
            let sentence = "where men stand is read out when the arbiter allows it: give the voice \"readings\": true";
            return Err(Refusal::because(sentence));
        }
        if !is_on_the_board(request) {
            return Err(Refusal::because(
                "there is no such line of squares: write a file from a to h or a rank from 1 to 8",
            ));
        }
        turn.entry(Entry::Voice { side, news: VoiceNews::Asked { request } });
        Ok(())
    }

    /// An announcement has come this far.
    pub fn note_spoken(&mut self, side: Side, spoken: &Spoken, now: Millis, out: &mut Vec<Said>) {
        self.take_turn(now, out, |_, turn| {
            turn.entry(Entry::Voice { side, news: VoiceNews::Spoken(spoken.clone()) });
            let kind = match spoken.state {
                SpokenState::Silent => AlertKind::VoiceLost,
                SpokenState::Back => AlertKind::VoiceRestored,
                SpokenState::Begun | SpokenState::Ended | SpokenState::Cut => return,
            };
            turn.say(Alert { side: Some(side), ..finding::plain(kind) });
        });
    }

    /// This player's men are moved by an assistant on a sighted player's board. What hands do to them there says nothing of
    /// the player: who touched what is seen by the arbiter, and reported.
    pub(crate) fn is_assisted(&self, side: Side) -> bool {
        let rules = self.agreed.rules();
        let own = if self.shares_boards() { self.side_followed() == Some(side) } else { rules.pegs };
        rules.blind.is(side) && !own
    }
}

/// Whether anybody could speak like this.
fn fit(earphone: &Earphone) -> Result<(), Refusal> {
    if Voice::of_code(&earphone.language).is_none() {
        let known = Voice::all().map(Voice::code).collect::<Vec<_>>().join(", ");
        let sentence = format!("nobody here speaks \"{}\": write one of {known}", earphone.language);
        return Err(Refusal::because(sentence));
    }
    if !RATES.contains(&earphone.rate) {
        let sentence = format!("{} words a minute can't be followed: write 80 to 450", earphone.rate);
        return Err(Refusal::because(sentence));
    }
    Ok(())
}

fn is_on_the_board(request: Request) -> bool {
    match request {
        Request::File(file) => ('a'..='h').contains(&file),
        Request::Rank(rank) => (1..=8).contains(&rank),
        Request::LastMove
        | Request::MyClock
        | Request::BothClocks
        | Request::MoveNumber
        | Request::Men(_)
        | Request::Position
        | Request::Slower
        | Request::Faster
        | Request::Test => true,
    }
}
