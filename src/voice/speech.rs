//! Words become a sound: a process for each announcement, which reads words and writes a WAV.

use std::{io, process::Stdio, time::Duration};

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    process::Command,
    time::timeout,
};

use super::{queue::Utterance, room::What, wave::Wave};

/// How long a speech engine may take for one announcement. espeak-ng takes 16 ms.
const PATIENCE: Duration = Duration::from_millis(800);
/// The longest reading there is, all men slowly, is a tenth of it.
const LONGEST: u64 = 32 * 1024 * 1024;

/// The command that makes a sound of words: it reads them and writes a WAV. `{language}` and `{rate}` are filled in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Speech(pub Vec<String>);

/// What Debian has, with all three languages in one package.
pub fn usual_speech() -> Speech {
    let words = ["espeak-ng", "-b", "1", "-v", "{language}", "-s", "{rate}", "-g", "2", "--stdin", "--stdout"];
    Speech(words.map(str::to_owned).into())
}

impl Speech {
    /// Says an announcement, or what is in the way.
    pub(super) async fn say(&self, utterance: &Utterance) -> Result<Wave, What> {
        let [program, ..] = self.0.as_slice() else {
            return Err(What::Broken("no command speaks: name one with voice-speak".to_owned()));
        };
        let bytes = match timeout(PATIENCE, self.run(utterance)).await {
            Ok(Ok(bytes)) => bytes,
            Ok(Err(error)) => return Err(What::Broken(format!("{program} does not speak: {error}"))),
            Err(_) => return Err(What::Blocked(format!("{program} says nothing for {} ms", PATIENCE.as_millis()))),
        };
        let wave = Wave::read(&bytes).filter(|wave| !wave.is_silent());
        wave.ok_or_else(|| What::Broken(format!("{program} gave no sound for \"{}\"", utterance.text)))
    }

    async fn run(&self, utterance: &Utterance) -> io::Result<Vec<u8>> {
        let rate = utterance.rate.to_string();
        let filled = |word: &String| word.replace("{language}", utterance.voice.language()).replace("{rate}", &rate);
        let mut words = self.0.iter().map(filled);
        let mut child = Command::new(words.next().unwrap_or_default())
            .args(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()?;
        let (mut ask, answer) = (child.stdin.take(), child.stdout.take());
        if let Some(ask) = &mut ask {
            let words = format!("{}\n", utterance.voice.respelt(&utterance.text));
            // Who does not read to the end may have a sound all the same, or dies: both are told by how it ends.
            let _ = ask.write_all(words.as_bytes()).await;
        }
        drop(ask);
        let mut bytes = Vec::new();
        if let Some(answer) = answer {
            answer.take(LONGEST).read_to_end(&mut bytes).await?;
        }
        let status = child.wait().await?;
        if status.success() { Ok(bytes) } else { Err(io::Error::other(format!("it ended with {status}"))) }
    }
}
