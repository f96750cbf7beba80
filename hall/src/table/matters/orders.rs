//! Orders for one table: the arbiter's and the operator's.

use protocol::feed::{Because, Command, Correction, Rules, Score, Variant};
use shakmaty::{ByColor, Chess};

use crate::{
    Millis, Ply, Refusal,
    fen::fen as fen_of,
    hand::{Order, Sign},
    scope::is_for_hall,
    table::{
        record::{Game, read_start},
        turn::Turn,
        whole::Table,
    },
};

/// The most a clock is set to.
const MOST_MS: Millis = 24 * 60 * 60 * 1000;
/// More than a game goes on after by any rules.
const MOST_OFFENCES: u32 = 99;

impl Table {
    /// What is said about a game that is on is noted before it is carried out.
    pub(crate) fn obey(&mut self, command: &Command, turn: &mut Turn) -> Result<(), Refusal> {
        let noted = turn.mark();
        if is_ruling(command) {
            if self.record.game().is_none() {
                return Err(Refusal::because("no game has begun at this table: put the men on their squares first")
                    .known_as(Because::NoGame));
            }
            // With an adjournment goes what the clocks show.
            if !matches!(command, Command::Adjourn { .. }) {
                self.note(command, turn);
            }
        }
        let done = self.carry_out(command, turn);
        if done.is_err() {
            // What was refused was not said.
            turn.take_back(noted);
        }
        done
    }

    fn carry_out(&mut self, command: &Command, turn: &mut Turn) -> Result<(), Refusal> {
        if command.times().is_some_and(|times| times.white.max(times.black) > MOST_MS) {
            let refusal = Refusal::because("no clock shows more than 24 hours: times are in milliseconds");
            return Err(refusal.known_as(Because::NoSuchClock));
        }
        match command {
            Command::NewGame { fen, variant } => self.new_game(fen.as_deref(), *variant, turn)?,
            Command::Undo { plies } => self.undo(*plies, Correction::Arbiter, turn)?,
            Command::SetPosition { fen } => self.set_position(fen, turn)?,
            Command::SetTurn { side } => self.set_turn(*side, turn)?,
            Command::Insert { ply, moves, cut } => self.insert(ply.map(Ply::new), moves, *cut, turn)?,
            Command::Replace { ply, played, cut } => self.replace(Ply::new(*ply), played, *cut, turn)?,
            Command::Choose { alternative } => self.choose(*alternative, turn)?,
            Command::TurnBoard => self.turn_board(turn)?,
            Command::ClockTells { tells } => self.trust_clock(*tells, turn)?,
            Command::Result { result } => self.give_result(*result, turn)?,
            Command::Rules { rules } => self.change_rules(command, rules, turn)?,
            Command::Start => self.start(turn)?,
            Command::Stop => self.stop(turn)?,
            Command::Resume => self.go_on(turn)?,
            Command::Restore { to } => self.restore(Ply::new(*to), turn)?,
            Command::Confirm => self.confirm(turn)?,
            Command::Reject => self.reject(turn)?,
            Command::Acknowledge { .. } => self.acknowledge(command, turn),
            Command::Dismiss { kind, at, .. } => self.dismiss(command, (*kind, *at), turn),
            Command::Penalty { side, penalty, .. } => self.penalise(*side, *penalty, turn),
            Command::AdjustTimes { white_ms, black_ms } => self.adjust_times(*white_ms, *black_ms, turn)?,
            Command::IllegalMoves { white, black } if (*white).max(*black) > MOST_OFFENCES => {
                return Err(Refusal::because(format!("no player has made more than {MOST_OFFENCES} illegal moves")));
            }
            Command::IllegalMoves { white, black } => {
                self.desk.set_offences(ByColor { white: *white, black: *black });
            }
            Command::Claim { side, claim, intended } => self.claim(*side, *claim, intended.as_deref(), turn)?,
            Command::DrawOffer { side } => self.offer_draw(*side, turn)?,
            Command::DrawAccept { side } => self.accept_draw(*side, turn)?,
            Command::DrawDecline { side } => self.decline_draw(*side, turn.now())?,
            Command::Resign { side } => self.resign(*side, turn)?,
            Command::AdjustAnnounced { side } => self.signal_hand(&Sign::Adjusting((*side).into()), turn),
            Command::Announce { side, text, play: false } => self.announce(*side, text),
            Command::Announce { side, text, play: true } => self.play_announced(*side, text, turn)?,
            Command::Blind { players, white_board } => {
                self.play_blind(*players, white_board.as_deref(), command, turn)?;
            }
            Command::Voice { side, earphone } => self.give_voice(*side, earphone.as_deref(), turn)?,
            Command::Ask { side, request } => self.ask_voice(*side, *request, turn)?,
            Command::Adjourn { clocks_ms } => self.adjourn(*clocks_ms, turn)?,
            Command::OpenSealed { text } => self.open_sealed(text, turn)?,
            Command::Report { kind, side } => self.report(*kind, *side, turn)?,
            Command::TakeOver { .. } => self.leave(turn)?,
            Command::Event { .. }
            | Command::OpenRound { .. }
            | Command::CloseRound { .. }
            | Command::Pairings { .. }
            | Command::Remove { .. }
            | Command::Pair { .. }
            | Command::Assign { .. }
            | Command::Boards { .. }
            | Command::StartPosition { .. }
            | Command::Delay { .. }
            | Command::OnAir { .. }
            | Command::Withhold { .. }
            | Command::TellLive { .. } => {
                return Err(Refusal::because("this order is for the hall, not for a table"));
            }
        }
        Ok(())
    }

    fn new_game(&mut self, fen: Option<&str>, variant: Variant, turn: &mut Turn) -> Result<(), Refusal> {
        let begun = match (fen, self.agreed.array()) {
            (Some(fen), _) => read_start(fen, variant)?,
            (None, Some(announced)) => announced,
            (None, None) => read_start(&fen_of(&Chess::default()), variant)?,
        };
        self.close(turn);
        let game = Game::new(self.next_number(self.hand.is_assumed()), &begun);
        self.begin(game, self.hand.lie(), turn);
        self.order_hand([Order::Announce], turn);
        Ok(())
    }

    /// Plays by these rules from here on.
    pub(crate) fn play_by(&mut self, rules: &Rules, turn: &mut Turn) -> Result<(), Refusal> {
        self.agreed.play_by(rules)?;
        self.brief_hand(turn);
        // Boards that differed before are looked at from here on.
        self.stir_twin(turn.now());
        Ok(())
    }

    /// What the hand has to know of the rules.
    pub(crate) fn brief_hand(&mut self, turn: &mut Turn) {
        self.signal_hand(&Sign::Pegs(self.feels_pegs()), turn);
        self.signal_hand(&Sign::Limited(self.agreed.is_limited()), turn);
        self.signal_hand(&Sign::Array(self.agreed.array()), turn);
    }

    fn change_rules(&mut self, command: &Command, rules: &Rules, turn: &mut Turn) -> Result<(), Refusal> {
        self.play_by(rules, turn)?;
        self.note(command, turn);
        Ok(())
    }

    pub(crate) fn give_result(&mut self, score: Score, turn: &mut Turn) -> Result<(), Refusal> {
        if self.record.game().is_none() {
            return Err(Refusal::because("no game has begun at this table: nothing to give a result to")
                .known_as(Because::NoGame));
        }
        if let Some(game) = self.record.last_played() {
            return self.give_earlier(game, score, turn);
        }
        self.give_present(score, turn)
    }

    /// The result of the game that is on, or was last, whatever was played before it.
    pub(crate) fn give_present(&mut self, score: Score, turn: &mut Turn) -> Result<(), Refusal> {
        let reason = score.reason();
        // What the Laws have ended somebody may still give: from there on it is theirs.
        let stands = self.desk.has_ended() == (score != Score::Open) && self.desk.offered().is_none();
        if self.record.game().is_some_and(|game| game.score == score) && stands && self.over().is_none() {
            return Ok(());
        }
        if score != Score::Open {
            self.close(turn);
            self.finish_with(score, reason, turn);
            return Ok(());
        }
        self.overrule();
        self.open_again(turn);
        Ok(())
    }

    /// The result of a pairing whose game nobody has begun: that of its first game, which has no moves. Whoever moves
    /// there later plays another one.
    pub(crate) fn give_unplayed(&mut self, score: Score, turn: &mut Turn) -> Result<(), Refusal> {
        let begun =
            self.agreed.array().map_or_else(|| read_start(&fen_of(&Chess::default()), Variant::Standard), Ok)?;
        self.begin(Game::new(1, &begun), self.hand.lie(), turn);
        self.give_result(score, turn)
    }

    pub(crate) fn undo(&mut self, plies: usize, reason: Correction, turn: &mut Turn) -> Result<(), Refusal> {
        self.take_back(plies, reason, false, turn)
    }

    /// Takes moves out of the record. The board shows the position already, or it has to be set up: `restoring`.
    pub(crate) fn take_back(
        &mut self,
        plies: usize,
        reason: Correction,
        restoring: bool,
        turn: &mut Turn,
    ) -> Result<(), Refusal> {
        let Some(game) = self.record.game() else {
            return Err(
                Refusal::because("no game has begun at this table: nothing to take back").known_as(Because::NoGame)
            );
        };
        let last = game.ply();
        if last == Ply::START {
            let refusal = Refusal::because("the record has no moves yet: nothing to take back");
            return Err(refusal.known_as(Because::NoMoves));
        }
        if plies == 0 || plies > last.count() {
            let refusal = Refusal::because(format!("the record has {last} moves: take back 1 to {last} of them"));
            return Err(refusal.known_as(Because::FewerMoves { moves: last.count() }));
        }
        let Some(record) = game.course().back_to(last.back(plies)) else { return Ok(()) };
        self.tell_corrected(&record, reason, turn);
        let kept = record.ply();
        let order = if restoring { Order::Restore(record) } else { Order::Correct(record) };
        self.lay_out([order], turn);
        self.fall_back_to(kept, turn);
        Ok(())
    }

    /// Somebody has said whether the clock tells. Who has not pressed it is told to nobody: it is no note of the game.
    fn trust_clock(&mut self, tells: bool, turn: &mut Turn) -> Result<(), Refusal> {
        if self.record.game().is_none() {
            return Err(Refusal::because("no game has begun at this table: put the men on their squares first")
                .known_as(Because::NoGame));
        }
        self.order_hand([Order::ClockTells(tells)], turn);
        Ok(())
    }

    pub(crate) fn turn_board(&mut self, turn: &mut Turn) -> Result<(), Refusal> {
        let Some(game) = self.record.game() else {
            return Err(Refusal::because("no game has begun at this table: put the men on their squares first")
                .known_as(Because::NoGame));
        };
        let begin = Order::Begin { record: game.course().clone(), lie: self.hand.lie().turned() };
        // White's clock is the other one from here on.
        self.clocks.comparison.forget();
        self.order_hand([begin], turn);
        Ok(())
    }
}

/// What is said about a game that is on, by the arbiter or by a player; the rest mends the record or what it rests on.
fn is_ruling(command: &Command) -> bool {
    !is_for_hall(command)
        && !matches!(
            command,
            Command::NewGame { .. }
                | Command::Undo { .. }
                | Command::SetPosition { .. }
                | Command::SetTurn { .. }
                | Command::Insert { .. }
                | Command::Replace { .. }
                | Command::TurnBoard
                | Command::ClockTells { .. }
                | Command::Result { .. }
                | Command::Rules { .. }
                | Command::Blind { .. }
                | Command::Voice { .. }
                | Command::Ask { .. }
                | Command::Acknowledge { .. }
                | Command::Dismiss { .. }
        )
}
