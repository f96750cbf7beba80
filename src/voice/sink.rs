//! A sound goes out: to a sound device, or into a folder.

use std::{
    io,
    path::{Path, PathBuf},
    process::Stdio,
    time::Duration,
};

use tokio::{
    io::AsyncWriteExt as _,
    process::{Child, Command},
    time::timeout,
};

use super::{
    room::{Player, What},
    wave::Wave,
};

/// How long a device may take no sound at all. It holds a third of a second, and takes on as soon as some of that is
/// played; so much is left to be heard when it has taken everything.
const PATIENCE: Duration = Duration::from_millis(700);
/// So much fits into the pipe to the player: what it holds more than that would look like sound that was heard.
const PIPE: usize = 4096;

/// Where sounds go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sink {
    /// To a command that plays a WAV; `{device}` is filled in.
    Player(Vec<String>),
    /// Into a folder, a WAV file an announcement: to listen to later, and for tests.
    Folder(PathBuf),
}

impl Default for Sink {
    /// ALSA's own player.
    fn default() -> Sink {
        Sink::Player(["aplay", "-q", "--buffer-time=300000", "-D", "{device}", "-"].map(str::to_owned).into())
    }
}

impl Sink {
    /// Plays a sound to its end. `begun` is called when the first of it has gone out.
    pub(super) async fn play(
        &self,
        wave: &Wave,
        device: Option<&str>,
        name: &str,
        begun: impl FnOnce(),
    ) -> Result<(), What> {
        match self {
            Sink::Folder(folder) => write(folder, name, wave, begun)
                .await
                .map_err(|error| What::Broken(format!("{} takes no sound: {error}", folder.display()))),
            Sink::Player(command) => {
                let device = device.unwrap_or("default");
                let outcome = pipe(command, device, &wave.bytes(), begun).await;
                outcome.map_err(|trouble| trouble.about(device))
            }
        }
    }
}

/// A file for each announcement, whole under its name or not there.
async fn write(folder: &Path, name: &str, wave: &Wave, begun: impl FnOnce()) -> io::Result<()> {
    tokio::fs::create_dir_all(folder).await?;
    let (path, partial) = (folder.join(format!("{name}.wav")), folder.join(format!("{name}.part")));
    let mut file = tokio::fs::File::create(&partial).await?;
    file.write_all(&wave.bytes()).await?;
    file.flush().await?;
    begun();
    tokio::fs::rename(partial, path).await
}

enum Trouble {
    Died(String),
    Stuck,
}

impl Trouble {
    fn about(self, device: &str) -> What {
        match self {
            Trouble::Died(why) => What::Broken(format!("the sound device \"{device}\" plays nothing: {why}")),
            Trouble::Stuck => What::Blocked(format!("the sound device \"{device}\" takes no sound")),
        }
    }
}

impl From<io::Error> for Trouble {
    fn from(error: io::Error) -> Trouble {
        Trouble::Died(error.to_string())
    }
}

async fn pipe(command: &[String], device: &str, bytes: &[u8], begun: impl FnOnce()) -> Result<(), Trouble> {
    let mut words = command.iter().map(|word| word.replace("{device}", device));
    let mut child = Command::new(words.next().unwrap_or_default())
        .args(words)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()?;
    let fed = feed(&mut child, bytes, begun).await;
    if let Err(Trouble::Died(_)) = &fed {
        // Why is said by how it ended.
        ended(&mut child).await?;
    }
    fed?;
    ended(&mut child).await
}

async fn feed(child: &mut Child, bytes: &[u8], begun: impl FnOnce()) -> Result<(), Trouble> {
    let Some(mut out) = child.stdin.take() else { return Ok(()) };
    // A longer pipe is worse, and no harm: what is stuck is found later then.
    let _ = rustix::pipe::fcntl_setpipe_size(&out, PIPE);
    let mut begun = Some(begun);
    for part in bytes.chunks(PIPE) {
        match timeout(PATIENCE, out.write_all(part)).await {
            Ok(written) => written?,
            Err(_) => return Err(Trouble::Stuck),
        }
        // The first part is the head and what follows it: from here on there is sound.
        begun.take().into_iter().for_each(|begun| begun());
    }
    Ok(())
}

/// Waits until what was taken is heard.
async fn ended(child: &mut Child) -> Result<(), Trouble> {
    match timeout(PATIENCE, child.wait()).await {
        Ok(status) => {
            let status = status?;
            if status.success() { Ok(()) } else { Err(Trouble::Died(format!("it ended with {status}"))) }
        }
        Err(_) => Err(Trouble::Stuck),
    }
}

/// What a player's file is called.
pub(super) fn name(player: &Player, what: &str) -> String {
    let Player { table, side } = player;
    format!("{}-{}-{what}", table.to_string().replace('/', "-"), format!("{side:?}").to_lowercase())
}
