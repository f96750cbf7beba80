//! Other hands and other boards than the everyday ones: whoever measures by one simulator alone learns the simulator.

use super::{
    dice::{Dice, times},
    noise::{Capture, Castling, Noise, Profile, Promotion, Sensors, Slide, Spread, Unrest},
};

impl Noise {
    /// A second guess at everything that was never counted: slower hands with a wider spread, more pushing, other ways
    /// to take and to castle, a board that scans half as often. What recordings have told is bent the least.
    pub fn second(profile: Profile) -> Noise {
        let first = profile.noise();
        Noise {
            carry: Spread { median: first.carry.median * 5 / 4, sd: 0.7 },
            press: Spread { median: first.press.median * 8 / 5, sd: 0.9 },
            think: Spread { median: first.think.median * 3 / 4, sd: 1.5 },
            press_early: first.press_early * 2.0,
            press_lead: (10, 320),
            early_reply: first.early_reply * 1.5,
            early_by: (0, 420),
            slide: Slide {
                far: 0.35,
                near: 0.12,
                seen: 0.45,
                dwell: Spread { median: first.slide.dwell.median * 3 / 2, sd: 0.8 },
                hesitate: first.slide.hesitate * 2.0,
                hesitation: Spread { median: 800, sd: 0.7 },
            },
            place_first: 0.02,
            unrest: Unrest {
                adjust: first.unrest.adjust * 2.0,
                adjust_held: Spread { median: 280, sd: 0.6 },
                touch: 0.002,
                touch_held: Spread { median: 1_200, sd: 0.7 },
                restore: Spread { median: 1_400, sd: 0.6 },
                restore_wrong: 0.08,
                ..first.unrest
            },
            capture: Capture {
                replaced: 0.50,
                victim_first: 0.32,
                mover_first: 0.18,
                flash: 0.10,
                flash_dwell: Spread { median: 110, sd: 0.6 },
                beside: 0.015,
                passant_last: 0.40,
                passant_first: 0.35,
                passant_both: 0.25,
                ..first.capture
            },
            castling: Castling {
                rook_first: 0.08,
                both: 0.12,
                slid: 0.30,
                gap: Spread { median: 700, sd: 0.8 },
                hesitate: 0.03,
            },
            promotion: Promotion {
                swapped: 0.30,
                pawn_off: 0.60,
                piece_first: 0.10,
                search: Spread { median: 1_800, sd: 1.1 },
                ..first.promotion
            },
            sensors: Sensors {
                twice: 0.01,
                wrong_code: 0.001,
                scan: 120,
                flicker: 0.1,
                between: 0.005,
                neighbour: 0.25,
                between_for: Spread { median: 500, sd: 0.8 },
                jitter: (5, 120),
                ..first.sensors
            },
            ..first
        }
    }

    /// Hands and a board of their own for every seed: each rate between half and twice of what it usually is, each time
    /// between seven tenths and half as much again.
    pub fn drawn(profile: Profile, seed: u64) -> Noise {
        let mut noise = profile.noise();
        let mut dice = Dice::new(seed, 7);
        let Noise {
            carry,
            press,
            think,
            press_early,
            early_reply,
            place_first,
            slide,
            unrest,
            capture,
            castling,
            promotion,
            sensors,
            ..
        } = &mut noise;
        let rates = [
            press_early,
            early_reply,
            place_first,
            &mut slide.far,
            &mut slide.near,
            &mut slide.seen,
            &mut slide.hesitate,
            &mut unrest.adjust,
            &mut unrest.touch,
            &mut unrest.knock,
            &mut unrest.illegal,
            &mut capture.victim_first,
            &mut capture.mover_first,
            &mut capture.flash,
            &mut capture.beside,
            &mut castling.rook_first,
            &mut castling.both,
            &mut castling.slid,
            &mut promotion.pawn_off,
            &mut promotion.piece_first,
            &mut sensors.lost,
            &mut sensors.twice,
            &mut sensors.wrong_code,
            &mut sensors.flicker,
            &mut sensors.between,
            &mut sensors.neighbour,
        ];
        rates.into_iter().for_each(|rate| *rate = (*rate * dice.factor(0.5, 2.0)).min(1.0));
        let times_of = [
            carry,
            press,
            think,
            &mut slide.dwell,
            &mut slide.hesitation,
            &mut unrest.adjust_held,
            &mut unrest.touch_held,
            &mut unrest.restore,
            &mut capture.flash_dwell,
            &mut castling.gap,
            &mut promotion.search,
            &mut sensors.between_for,
        ];
        times_of.into_iter().for_each(|time| time.median = times(time.median, dice.factor(0.7, 1.5)));
        noise
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_draws_the_same_hands_again_and_another_one_others() {
        let drawn = |seed| Noise::drawn(Profile::Rapid, seed);
        assert_eq!(drawn(5), drawn(5));
        assert_ne!(drawn(5), drawn(6));
    }

    #[test]
    fn drawn_rates_stay_near_those_of_every_day() {
        for seed in 0..200 {
            let share = Noise::drawn(Profile::Blitz, seed).early_reply / Noise::BLITZ.early_reply;
            assert!((0.5..=2.0).contains(&share), "{share}");
        }
    }
}
