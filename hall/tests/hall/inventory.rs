//! For each kind of alert a test in which it is raised, and one with its nearest look-alike, of which nothing is said.
//! Often one test shows both. A kind that is not in this table, or whose tests are gone, is red.

use std::{collections::BTreeSet, fs, path::Path};

const KINDS: &str = include_str!("../../../protocol/src/feed/alert.rs");

/// The kind, where it is raised, where its look-alike is not.
#[rustfmt::skip]
const PAIRS: &[(&str, &str, &str)] = &[
    ("BoardSilent", "alike:a_board_that_stays_away_from_its_game_is_named_once_more", ""),
    ("LinkLost", "alike:a_link_is_lost_with_the_last_board_of_the_table", ""),
    ("LinkRestored", "alike:a_link_is_lost_with_the_last_board_of_the_table", ""),
    ("BatteryLow", "alike:a_low_battery_is_told_once", ""),
    ("ClockLost", "spoken:a_clock_that_is_pulled_out_is_lost_and_one_that_never_was_is_not", ""),
    ("ClockDisagrees", "clocks:a_clock_that_loses_a_minute_is_told_once_and_with_both_times", "clocks:a_clock_set_by_the_arbiters_order_is_believed"),
    ("ClockSilent", "silent:presses_that_fail_for_six_plies_are_told_to_the_operator_alone_and_once", "silent:a_clock_that_is_pressed_in_between_that_stands_or_that_never_told_is_not_silent"),
    ("Resync", "first_moves:moves_made_while_nothing_was_heard_are_found_and_marked", "rests:a_board_that_stands_as_before_a_silence_was_not_played_on"),
    ("Ambiguous", "presses:of_two_captures_no_sensor_has_told_of_the_reply_tells_which_it_was", "rests:a_board_that_stands_as_before_a_silence_was_not_played_on"),
    ("Takeback", "first_moves:taking_back_without_a_clock_is_a_correction_and_never_silence", "offences:restoring_is_neither_a_touch_nor_a_takeback_and_the_game_goes_on_by_itself"),
    ("PositionRestored", "rests:men_that_flicker_together_were_not_knocked_over", ""),
    ("RecordDiffers", "alike:a_record_differs_only_if_it_was_read_otherwise", ""),
    ("IllegalMoveCompleted", "offences:a_completed_illegal_move_is_one_only_at_the_press", ""),
    ("IllegalLimitReached", "offences:the_second_one_is_too_many_and_counts_for_one_player_only", ""),
    ("IllegalMoveStands", "offences:under_limited_supervision_a_move_stands_once_the_opponent_has_moved", "offences:replies_to_an_illegal_move_are_followed_without_further_alerts"),
    ("BothKingsInCheck", "offences:both_kings_in_check_wait_for_the_next_move", ""),
    ("PawnOnLastRank", "offences:a_pawn_on_its_last_rank_waits_only_under_limited_supervision", ""),
    ("NoMoveClockPress", "offences:a_press_without_a_move_is_judged_by_its_edition", ""),
    ("ImproperClockUse", "offences:a_press_without_a_move_is_judged_by_its_edition", ""),
    ("PromotionIncomplete", "offences:a_pawn_left_on_its_last_rank_is_a_queen_since_2014", ""),
    ("PromotionProcedure", "offences:before_2014_the_pawn_went_to_its_last_rank_first", ""),
    ("PromotionPieceUnconfirmed", "offences:a_promoted_piece_nobody_has_seen_is_taken_for_a_queen", ""),
    ("TouchMoveSuspect", "offences:a_touched_man_that_can_move_must_be_moved", "offences:adjusting_that_was_announced_is_no_touch"),
    ("TouchCaptureSuspect", "offences:a_touched_man_of_the_opponent_that_can_be_taken_must_be_taken", ""),
    ("TouchBothSuspect", "offences:two_touched_men_that_can_meet_must_meet", ""),
    ("CastlingRookFirst", "offences:castling_begins_with_the_king", ""),
    ("CastlingDutySuspect", "offences:a_king_released_two_squares_away_has_to_castle", "offences:king_and_rook_that_were_both_touched_have_to_castle"),
    ("ReleasedPieceMoved", "offences:a_released_man_stays", ""),
    ("TwoHandsSuspect", "offences:king_and_rook_in_the_air_together_are_in_two_hands", ""),
    ("MoveOutOfTurn", "offences:who_does_not_have_the_move_may_not_move", ""),
    ("TouchOutOfTurn", "offences:who_does_not_have_the_move_may_not_touch", ""),
    ("DisplacedPieces", "offences:three_men_in_the_air_are_an_accident_and_two_are_not", "rests:men_that_flicker_together_were_not_knocked_over"),
    ("PositionMismatch", "offences:a_man_left_on_a_wrong_square_is_a_mismatch_until_it_is_put_right", ""),
    ("InitialPositionWrong", "beginnings:men_are_compared_when_the_arbiter_starts_the_game", "alike:a_board_that_lies_half_round_is_neither_wrong_nor_are_its_colours_reversed"),
    ("BoardOrientationWrong", "beginnings:a_board_that_lies_across_is_told_from_wrong_men", "alike:a_board_that_lies_half_round_is_neither_wrong_nor_are_its_colours_reversed"),
    ("ColoursReversed", "beginnings:what_to_do_about_a_wrong_beginning_depends_on_moves_and_edition", "alike:a_board_that_lies_half_round_is_neither_wrong_nor_are_its_colours_reversed"),
    ("Checkmate", "alike:mate_and_stalemate_end_the_game_and_a_check_or_a_last_move_left_do_not", ""),
    ("Stalemate", "alike:mate_and_stalemate_end_the_game_and_a_check_or_a_last_move_left_do_not", ""),
    ("DeadPosition", "dead_ends:a_wall_nobody_comes_through_ends_the_game_without_a_press", "dead_ends:a_wall_with_a_breach_does_not"),
    ("FivefoldRepetition", "spoken:the_fifth_time_ends_the_game_from_2014_on", "spoken:a_fifth_time_that_is_not_in_a_row_ends_the_game_from_2018_on_only"),
    ("SeventyFiveMoves", "spoken:seventy_five_moves_end_the_game_unless_they_end_with_mate", ""),
    ("ThreefoldAvailable", "spoken:the_third_time_is_for_nobody_unless_the_arbiter_wants_to_know", ""),
    ("FiftyAvailable", "spoken:fifty_moves_are_told_once_and_the_annex_of_1993_makes_them_seventy_five", ""),
    ("ClaimVerified", "spoken:a_claim_is_answered_with_where_the_position_stood", "spoken:who_touches_or_moves_first_loses_the_right_for_this_move"),
    ("ClaimNotConfirmed", "spoken:a_wrong_claim_costs_time_and_binds_to_the_announced_move", "spoken:a_claim_is_answered_with_where_the_position_stood"),
    ("ClaimRightLost", "spoken:who_touches_or_moves_first_loses_the_right_for_this_move", "spoken:a_right_that_was_lost_revives_when_the_position_does"),
    ("QuickplayClaim", "spoken:a_quickplay_claim_needs_little_time_and_a_rule_that_was_announced", ""),
    ("FlagFall", "spoken:a_flag_is_told_with_the_moves_completed_and_in_time_it_costs_nothing", "spoken:nobody_calls_a_flag_in_2009_under_limited_supervision_before_a_claim"),
    ("BothFlags", "spoken:of_two_flags_a_digital_clock_knows_the_first", ""),
    ("DrawOfferTiming", "spoken:an_offer_has_its_moment_and_touching_declines_it", ""),
    ("DrawNotAllowedYet", "spoken:an_agreement_needs_a_move_by_both_from_2018_on_and_what_the_event_asks_for", ""),
    ("Resignation", "alike:nobody_resigns_by_stopping_the_clock_or_tipping_the_king", ""),
    ("ResultSignalled", "first_moves:a_board_without_names_shows_the_kings_too", "first_moves:kings_that_pass_through_the_centre_or_stand_beside_it_say_nothing"),
    ("ResultConflict", "first_moves:kings_that_say_something_else_than_the_board_are_in_conflict_with_it", ""),
    ("ScoresheetExempt", "spoken:little_time_exempts_from_writing_in_standard_games_without_increment", ""),
    ("SealedMoveInvalid", "beginnings:a_sealed_move_is_played_when_the_envelope_is_opened_or_loses_the_game", ""),
    ("LateArrival", "beginnings:who_has_not_moved_when_the_default_time_is_over_is_late", ""),
    ("BoardsDiffer", "two_boards:boards_of_which_one_repeats_another_move_differ", "two_boards:a_board_that_is_two_moves_behind_differs_and_one_that_is_one_behind_or_ahead_does_not"),
    ("PlayedAfterResult", "unplayed:a_result_that_was_given_before_the_board_came_is_found_by_the_men_and_by_the_first_move", "unplayed:a_result_that_is_taken_back_leaves_the_game_to_be_played"),
    ("AnnouncementMismatch", "spoken:what_a_blind_player_plays_has_to_be_what_was_announced", ""),
    ("SquareFaulty", "faulty:an_array_that_lacks_the_man_of_one_square_begins_a_game_and_the_square_is_named", "faulty:a_man_that_was_put_up_late_leaves_no_square_in_doubt"),
    ("ClockNotPressed", "alike:a_move_that_nobody_presses_for_is_noted_for_nobody", ""),
    ("VoiceLost", "blind:who_cannot_be_heard_is_told_to_the_arbiter_and_each_word_is_not", ""),
    ("VoiceRestored", "blind:who_cannot_be_heard_is_told_to_the_arbiter_and_each_word_is_not", ""),
    ("AlertWithdrawn", "edges:a_man_read_beside_its_square_accuses_nobody", "edges:a_man_put_right_by_hand_leaves_the_accusation"),
];

#[test]
fn every_kind_of_alert_has_a_test_that_raises_it_and_one_with_its_look_alike() {
    let listed = PAIRS.iter().map(|(kind, ..)| *kind).collect::<BTreeSet<_>>();
    assert_eq!(listed, kinds());
    assert_eq!(PAIRS.len(), listed.len(), "none twice");
    for (kind, raised, alike) in PAIRS {
        let (file, body) = test(raised).unwrap_or_else(|| panic!("{kind}: there is no test {raised}"));
        // A helper of the file may name the kind for its tests.
        assert!(file.contains(kind) || file.contains(&snake(kind)), "{raised} says nothing of {kind}");
        // Where both are shown in one test, it has two things to say.
        match *alike {
            "" => assert!(body.matches("assert").count() >= 2, "{raised} shows no look-alike of {kind}"),
            alike => assert!(test(alike).is_some(), "{kind}: there is no test {alike}"),
        }
    }
}

/// The kinds as they are declared.
fn kinds() -> BTreeSet<&'static str> {
    let (_, after) = KINDS.split_once("pub enum AlertKind {").expect("the kinds are declared there");
    let (declared, _) = after.split_once("\n}").expect("to the end of the enum");
    let names = declared.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("//"));
    names.map(|name| name.trim_end_matches(',')).collect()
}

fn snake(kind: &str) -> String {
    let mut words = String::new();
    for letter in kind.chars() {
        if letter.is_uppercase() && !words.is_empty() {
            words.push('_');
        }
        words.extend(letter.to_lowercase());
    }
    words
}

/// The file of a test and what it does, by `file:name`.
fn test(place: &str) -> Option<(String, String)> {
    let (file, name) = place.split_once(':')?;
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hall").join(format!("{file}.rs"));
    let text = fs::read_to_string(path).ok()?;
    let (_, body) = text.split_once(&format!("#[test]\nfn {name}() {{\n"))?;
    let body = body.split("\n}\n").next()?.to_owned();
    Some((text, body))
}
