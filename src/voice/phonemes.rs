//! How espeak-ng says each word: what is spelt wrongly for it, as `fuenf` is, sounds wrong, and turns this red.
//!
//! `UPDATE_PHONEMES=1 cargo test -p escaque --lib phonemes` writes what it says; listen before you keep it.

use std::{
    io::Write as _,
    path::Path,
    process::{Command, Stdio},
};

use laws::blind::{Alphabet, Phrase, Voice};
use shakmaty::{CastlingSide, File, Rank, Role};

const PHRASES: [Phrase; 32] = [
    Phrase::Takes,
    Phrase::Promotes,
    Phrase::EnPassant,
    Phrase::Castling(CastlingSide::KingSide),
    Phrase::Castling(CastlingSide::QueenSide),
    Phrase::Check,
    Phrase::Mate,
    Phrase::Stalemate,
    Phrase::DrawOffer,
    Phrase::TakenBack,
    Phrase::Restored,
    Phrase::TimePenalty,
    Phrase::ClocksSet,
    Phrase::WhiteWins,
    Phrase::BlackWins,
    Phrase::Drawn,
    Phrase::WhiteByForfeit,
    Phrase::BlackByForfeit,
    Phrase::BothForfeited,
    Phrase::BothLost,
    Phrase::WhiteHalf,
    Phrase::BlackHalf,
    Phrase::ResultTakenBack,
    Phrase::NoContact,
    Phrase::Contact,
    Phrase::LastMove,
    Phrase::White,
    Phrase::Black,
    Phrase::Opponent,
    Phrase::NoMove,
    Phrase::NoClock,
    Phrase::NothingThere,
];

#[test]
fn every_word_sounds_as_somebody_has_heard_it() {
    let said = Voice::all().map(table).collect::<String>();
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/voice/phonemes.txt");
    if std::env::var_os("UPDATE_PHONEMES").is_some() {
        std::fs::write(&golden, &said).expect("the folder is writable");
    }
    let kept = std::fs::read_to_string(&golden).expect("it is kept beside this file");
    for (now, kept) in said.lines().zip(kept.lines()) {
        assert_eq!(now, kept);
    }
    assert_eq!(said.lines().count(), kept.lines().count());
}

#[test]
fn no_two_words_of_a_square_or_a_man_sound_alike() {
    for voice in Voice::all() {
        let table = table(voice);
        let sounds = table.lines().map(|line| line.rsplit('\t').next().unwrap_or_default());
        // Files, ranks and men: what tells one move from another. Clear ranks repeat most of the others.
        let telling = sounds.take(8 + 8 + 6).collect::<Vec<_>>();
        let different = telling.iter().collect::<std::collections::BTreeSet<_>>();
        assert_eq!(different.len(), telling.len(), "{telling:?}");
    }
}

/// A line a word: the language, the word, and how it is said.
fn table(voice: Voice) -> String {
    let files = |alphabet| File::ALL.map(move |file| voice.file(file, alphabet));
    let ranks = |clear| Rank::ALL.map(move |rank| voice.rank(rank, clear));
    let men = Role::ALL.map(|role| voice.man(role));
    let phrases = PHRASES.map(|phrase| voice.phrase(phrase));
    let words =
        [&files(Alphabet::Anna)[..], &ranks(false), &men, &files(Alphabet::International), &ranks(true), &phrases];
    let words = words.concat().into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>();
    let sounds = spoken(voice, &words);
    assert_eq!(words.len(), sounds.len(), "{sounds:?}");
    words.iter().zip(sounds).map(|(word, sound)| format!("{}\t{word}\t{sound}\n", voice.code())).collect()
}

fn spoken(voice: Voice, words: &[&str]) -> Vec<String> {
    let mut child = Command::new("espeak-ng")
        .args(["-q", "--ipa", "-b", "1", "-v", voice.language(), "--stdin"])
        .env("LC_ALL", "C.UTF-8")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("espeak-ng is installed: tests/run/need espeak-ng=espeak-ng");
    let text = words.iter().map(|word| format!("{}.\n", voice.respelt(word))).collect::<String>();
    child.stdin.take().expect("it was piped").write_all(text.as_bytes()).expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    String::from_utf8_lossy(&output.stdout).lines().map(|line| line.trim().to_owned()).collect()
}
