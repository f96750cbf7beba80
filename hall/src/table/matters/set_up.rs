//! How a game begins: the arbiter starts it, the men are compared; and what is done about a game that began wrong.

use laws::{
    Rule,
    wrong_start::{self, Remedy},
};
use protocol::feed::{Action, Alert, AlertKind, Correction, Evidence, MovesMade, Side};
use shakmaty::{Bitboard, Board, ByColor, Chess, Position as _};

use crate::{
    Course, Ply, Refusal,
    hand::{Order, difference},
    table::{
        desk::Awaiting,
        finding,
        record::{Game, moves_made},
        turn::Turn,
        whole::Table,
    },
};

impl Table {
    /// The arbiter starts the game. What hands did before is no part of it; the men are compared with the position it
    /// starts from. Half a turn of the board is remapped silently: only the cable lies on the other side.
    pub(crate) fn start(&mut self, turn: &mut Turn) -> Result<(), Refusal> {
        let Some(game) = self.record.game() else { return Ok(()) };
        self.must_be_on()?;
        if !game.is_tentative() {
            return Err(Refusal::because("the game has begun: let it go on with \"resume\", or begin a new one"));
        }
        let (ply, mut begun) = (game.ply(), game.course().beginning());
        if ply > Ply::START {
            self.take_back(ply.count(), Correction::Arbiter, true, turn)?;
        }
        if let Some(announced) = self.other_array() {
            self.begin_game(Game::new(self.next_number(true), &announced), turn);
            begun = announced;
        }
        let begin = Order::Begin { record: begun.clone(), lie: self.hand.lie() };
        // Men that stand wrong have not moved there, whatever it looks like.
        self.order_hand([begin, Order::Restore(begun.clone()), Order::Announce], turn);
        self.spoken.arrival.start(turn.now());
        self.desk.take_offer();
        self.play_on(turn);
        self.compare(begun.position().board(), turn);
        Ok(())
    }

    fn compare(&mut self, expected: &Board, turn: &mut Turn) {
        let differing = self.hand.difference(expected);
        if differing.is_empty() {
            return;
        }
        let (rule, kind, action, squares) = if self.lies_across(expected) {
            (Rule::BoardOrientation, AlertKind::BoardOrientationWrong, Action::TransferPosition, Vec::new())
        } else {
            let squares = finding::names(differing);
            (Rule::InitialPosition, AlertKind::InitialPositionWrong, Action::CorrectPosition, squares)
        };
        let evidence = Some(Evidence { squares, ..Evidence::default() }).filter(|seen| !seen.squares.is_empty());
        let note = finding::by(rule, kind, None, self.agreed.conditions());
        turn.say(note.map(|note| Alert { evidence, ..note }));
        self.propose(finding::doing(action), Awaiting::Decision, turn);
    }

    /// The men stand right on a board that lies with a dark corner at White's right.
    fn lies_across(&self, expected: &Board) -> bool {
        let (mut once, mut thrice) = (expected.clone(), expected.clone());
        once.rotate_90();
        thrice.rotate_270();
        [once, thrice].iter().any(|turned| self.hand.difference(turned).is_empty())
    }

    /// Somebody says that the men stood wrong at the start.
    pub(crate) fn report_position(&mut self, turn: &mut Turn) {
        self.report_array(Bitboard::EMPTY, turn);
    }

    /// Two men stood on each other's squares when the game began, and nobody saw it at once. What was played counts as
    /// played from the array as it should have been; whether there has to be a new game is the arbiter's. Where it is played
    /// from the wrong one all the same, that was said when it was started.
    pub(crate) fn mend_set_up(&mut self, record: &Course, squares: Bitboard, turn: &mut Turn) {
        if self.record.game().is_some_and(|game| game.course().start() != record.start()) {
            self.tell_again(record, turn);
        }
        if record.start().board() == Chess::default().board() {
            self.report_array(squares, turn);
        }
    }

    /// What was announced, where the game began from another array.
    fn other_array(&self) -> Option<Course> {
        let begun = self.record.game()?.course().start();
        self.agreed.array().filter(|announced| announced.start() != begun)
    }

    /// The men stood otherwise than was announced, and nobody has moved.
    pub(crate) fn stood_wrong(&self) -> bool {
        self.record.game().is_some_and(|game| game.ply() == Ply::START) && self.other_array().is_some()
    }

    /// The first move has been made: what it was made from is compared with what was announced.
    pub(crate) fn compare_array(&mut self, turn: &mut Turn) {
        let Some(game) = self.record.game().filter(|game| game.ply() == Ply::START.next()) else { return };
        let Some(announced) = self.other_array() else { return };
        let squares = difference(announced.start().board(), game.course().start().board());
        self.report_array(squares, turn);
    }

    fn report_array(&mut self, squares: Bitboard, turn: &mut Turn) {
        let remedy = wrong_start::initial_position(self.agreed.conditions(), self.completed());
        let (rule, kind) = (Rule::InitialPosition, AlertKind::InitialPositionWrong);
        self.report_beginning(rule, kind, action(remedy, Action::NewGame), finding::names(squares), turn);
    }

    /// Somebody says that the board lies wrong.
    pub(crate) fn report_board(&mut self, turn: &mut Turn) {
        let in_time = wrong_start::can_still_be_claimed(self.agreed.conditions(), self.completed());
        let action = if in_time { Action::TransferPosition } else { Action::Continue };
        self.report_beginning(Rule::BoardOrientation, AlertKind::BoardOrientationWrong, action, Vec::new(), turn);
    }

    /// Somebody says that the players sit at the wrong colours.
    pub(crate) fn report_colours(&mut self, turn: &mut Turn) {
        let ByColor { white, black } = moves_made(&self.record.seen());
        let remedy = wrong_start::colours_reversed(self.agreed.edition(), [white, black], self.is_first_quarter());
        let action = action(remedy, Action::NewGameCorrectColours);
        self.report_beginning(Rule::ColoursReversed, AlertKind::ColoursReversed, action, Vec::new(), turn);
    }

    fn report_beginning(&mut self, rule: Rule, kind: AlertKind, action: Action, squares: Vec<String>, turn: &mut Turn) {
        let ByColor { white, black } =
            moves_made(&self.record.seen()).map(|moves| usize::try_from(moves).unwrap_or(usize::MAX));
        let note = finding::by(rule, kind, None, self.agreed.conditions());
        let evidence = Some(Evidence { squares, ..Evidence::default() }).filter(|seen| !seen.squares.is_empty());
        turn.say(note.map(|note| Alert { moves_made: Some(MovesMade { white, black }), evidence, ..note }));
        self.propose(finding::doing(action), Awaiting::Decision, turn);
    }

    /// How many moves White and Black have completed.
    fn completed(&self) -> [u32; 2] {
        let Some(game) = self.record.game() else { return [0; 2] };
        [Side::White, Side::Black].map(|side| game.moves_completed(side))
    }

    /// Less than a quarter of both players' time to the first control has gone, as far as the clock tells.
    fn is_first_quarter(&self) -> bool {
        let Some(each) = self.agreed.control().map(|control| control.period(0).base_ms) else { return true };
        let left = |side| self.clocks.clock.left_ms(side, self.hand.lie()).unwrap_or(each);
        let used = |side| each.saturating_sub(left(side));
        4 * (used(Side::White) + used(Side::Black)) < 2 * each
    }
}

/// What the arbiter is offered, where a new game is one of the possibilities.
fn action(remedy: Remedy, new_game: Action) -> Action {
    match remedy {
        Remedy::NewGame | Remedy::NewGameIfRuled => new_game,
        Remedy::GoesOn => Action::Continue,
        Remedy::GoesOnUnlessRuled => Action::ContinueUnlessArbiterRules,
    }
}
