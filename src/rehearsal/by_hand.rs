//! Typed commands as deeds of a hand.

use shakmaty::{Board, Chess, Color, Piece, Position, Square};

use super::{deed::Timed, dice::Dice, hand::Hand, noise::Noise, script::Command};

/// Between two deeds of one hand.
const PACE_MS: u64 = 200;
/// Men that are knocked over fall this far apart.
const FALL_MS: u64 = 40;

/// The table as a command finds it.
pub(super) struct Scene<'a> {
    pub(super) board: &'a Board,
    pub(super) position: &'a Chess,
    /// Whose end of the lever is up.
    pub(super) to_press: Color,
    pub(super) fallen: &'a [(Square, Piece)],
}

/// What the hand does for `command`, from `now` on; or why it can't, as a sentence. Commands that are nothing for a
/// hand give no deeds.
pub(super) fn deeds(command: &Command, scene: &Scene<'_>, now: u64, dice: &mut Dice) -> Result<Vec<Timed>, String> {
    let noise = Noise::PERFECT;
    let mut hand = Hand { noise: &noise, dice, board: scene.board.clone(), now, deeds: Vec::new(), shows_gaps: false };
    match command {
        Command::Lift(square) => {
            hand.lift(*square).ok_or_else(|| nothing_on(*square))?;
        }
        Command::Place(square, man) => hand.place(*square, *man),
        Command::Press(side) => hand.press(side.unwrap_or(scene.to_press)),
        Command::Move(uci) => {
            let mv = uci.to_move(scene.position).map_err(|_| {
                format!("{uci} is not a legal move here: to play it all the same, use lift, place and press")
            })?;
            let color = scene.position.turn();
            hand.perform(mv, color);
            hand.takes(noise.press);
            hand.press(color);
        }
        Command::Knock(squares) => {
            for square in squares {
                hand.lift(*square).ok_or_else(|| nothing_on(*square))?;
                hand.wait(FALL_MS);
            }
        }
        Command::Restore => {
            if scene.fallen.is_empty() {
                return Err("nothing has been knocked over: write knock f1 g1 first".to_owned());
            }
            for (square, man) in scene.fallen {
                hand.place(*square, *man);
                hand.wait(PACE_MS);
            }
        }
        Command::Exchange(a, b) => {
            let on_a = hand.lift(*a).ok_or_else(|| nothing_on(*a))?;
            hand.wait(PACE_MS);
            let on_b = hand.lift(*b).ok_or_else(|| nothing_on(*b))?;
            hand.wait(PACE_MS);
            hand.place(*a, on_b);
            hand.wait(PACE_MS);
            hand.place(*b, on_a);
        }
        Command::Turn
        | Command::Say(_)
        | Command::Unplug(_)
        | Command::Reboot
        | Command::Go
        | Command::Help
        | Command::Quit => {}
    }
    Ok(hand.deeds)
}

fn nothing_on(square: Square) -> String {
    format!("there is nothing on {square}: to put a man there, write place {square} P")
}
