//! A sound as samples: read, measured, written; and the tone that says that words are missing.

use std::f64::consts::TAU;

/// A sound of one channel.
#[derive(Clone, Debug, PartialEq)]
pub struct Wave {
    /// Samples a second.
    pub rate: u32,
    /// What they are.
    pub samples: Vec<i16>,
}

/// Below this a sample is silence: what speech engines leave between words.
const QUIET: u16 = 200;

impl Wave {
    /// Reads a WAV file of 16-bit samples; of several channels the first. What speech engines write into a pipe has no
    /// length in its head: then all that follows belongs to it.
    pub fn read(bytes: &[u8]) -> Option<Wave> {
        let body = bytes.strip_prefix(b"RIFF")?.get(4..)?.strip_prefix(b"WAVE")?;
        let (mut rest, mut format) = (body, None);
        loop {
            let (name, length) = (rest.get(..4)?, number(rest, 4)?);
            let after = rest.get(8..)?;
            let length = usize::try_from(length).ok()?.min(after.len());
            match name {
                b"fmt " => {
                    format = Some((number(after, 4)?, usize::from(after.get(2).copied()?), after.get(14).copied()?))
                }
                b"data" => {
                    let (rate, channels, bits) = format?;
                    let frame = 2 * channels.max(1);
                    let sample = |frame: &[u8]| i16::from_le_bytes([frame[0], frame[1]]);
                    let samples = after[..length].chunks_exact(frame).map(sample).collect();
                    return (bits == 16 && rate > 0).then_some(Wave { rate, samples });
                }
                _ => {}
            }
            rest = after.get(length + length % 2..)?;
        }
    }

    /// As a WAV file.
    pub fn bytes(&self) -> Vec<u8> {
        let length = u32::try_from(self.samples.len() * 2).unwrap_or(u32::MAX - 36);
        let mut bytes = Vec::with_capacity(self.samples.len() * 2 + 44);
        bytes.extend(b"RIFF");
        bytes.extend((length + 36).to_le_bytes());
        bytes.extend(b"WAVEfmt \x10\0\0\0\x01\0\x01\0");
        bytes.extend(self.rate.to_le_bytes());
        bytes.extend((self.rate * 2).to_le_bytes());
        bytes.extend(b"\x02\0\x10\0data");
        bytes.extend(length.to_le_bytes());
        bytes.extend(self.samples.iter().flat_map(|sample| sample.to_le_bytes()));
        bytes
    }

    /// How long it is, in milliseconds.
    pub fn length_ms(&self) -> u64 {
        self.samples.len() as u64 * 1000 / u64::from(self.rate.max(1))
    }

    /// How long it is silent before its first sound, in milliseconds; all of it where there is none.
    pub fn silence_ms(&self) -> u64 {
        let sound = self.samples.iter().position(|sample| sample.unsigned_abs() > QUIET);
        sound.unwrap_or(self.samples.len()) as u64 * 1000 / u64::from(self.rate.max(1))
    }

    /// How loud it is on the whole, of 1.
    pub fn level(&self) -> f64 {
        let squares = self.samples.iter().map(|sample| f64::from(*sample).powi(2)).sum::<f64>();
        let count = f64::from(u32::try_from(self.samples.len().max(1)).unwrap_or(u32::MAX));
        (squares / count).sqrt() / f64::from(i16::MAX)
    }

    /// How loud its loudest sample is, of 1.
    pub fn peak(&self) -> f64 {
        let loudest = self.samples.iter().map(|sample| sample.unsigned_abs()).max().unwrap_or(0);
        f64::from(loudest) / f64::from(i16::MAX)
    }

    /// There is nothing to hear in it.
    pub fn is_silent(&self) -> bool {
        self.silence_ms() == self.length_ms()
    }

    /// Two short notes, the second one lower: words are missing. No word sounds like it.
    pub fn tone() -> Wave {
        const RATE: u32 = 22_050;
        let note = |hertz: f64| {
            (0..RATE / 5).map(move |at| {
                let time = f64::from(at) / f64::from(RATE);
                // It swells and fades, so that it does not crack.
                let swell = (TAU * time / 0.4).sin();
                sample(0.5 * swell * (TAU * hertz * time).sin())
            })
        };
        Wave { rate: RATE, samples: note(880.0).chain(note(587.0)).collect() }
    }
}

fn sample(level: f64) -> i16 {
    #[expect(clippy::cast_possible_truncation, reason = "it is between -1 and 1")]
    let sample = (level.clamp(-1.0, 1.0) * f64::from(i16::MAX)) as i16;
    sample
}

fn number(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tone_is_heard_at_once_and_does_not_clip() {
        let tone = Wave::tone();
        assert_eq!(tone.length_ms(), 400);
        assert!(tone.silence_ms() < 20 && tone.level() > 0.1 && tone.peak() < 1.0, "{}", tone.level());
    }

    #[test]
    fn what_is_written_is_read_again_also_without_its_length() {
        let tone = Wave::tone();
        let mut bytes = tone.bytes();
        assert_eq!(Wave::read(&bytes), Some(tone.clone()));
        bytes[40..44].copy_from_slice(&0x7fff_f000u32.to_le_bytes());
        assert_eq!(Wave::read(&bytes), Some(tone));
    }

    #[test]
    fn what_is_no_sound_is_none() {
        let bytes = Wave::tone().bytes();
        for cut in [0, 3, 12, 20, 43] {
            assert_eq!(Wave::read(&bytes[..cut]), None, "{cut}");
        }
        assert_eq!(Wave::read(b"espeak-ng: no such voice"), None);
        assert!(Wave { rate: 22_050, samples: vec![0; 400] }.is_silent());
    }
}
