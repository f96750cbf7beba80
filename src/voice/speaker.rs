//! One task a player, which does what the room orders and reports what came of it.

use std::{collections::BTreeMap, time::Duration};

use tokio::sync::mpsc;

use super::{
    queue::{Order, Utterance},
    room::{Heard, Orders, Player, What},
    sink::{self, Sink},
    speech::{Speech, usual_speech},
    wave::Wave,
};

/// How announcements become sounds on this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// What makes sounds of words.
    pub speech: Speech,
    /// Where they go.
    pub sink: Sink,
}

impl Default for Plan {
    fn default() -> Plan {
        Plan { speech: usual_speech(), sink: Sink::default() }
    }
}

/// All speakers. Each ends when this is dropped.
#[derive(Debug)]
pub struct Speakers {
    plan: Plan,
    speakers: BTreeMap<Player, mpsc::UnboundedSender<Order>>,
    heard: mpsc::UnboundedSender<Heard>,
}

impl Speakers {
    /// Nobody speaks yet. Reports come through the channel.
    pub fn new(plan: Plan) -> (Speakers, mpsc::UnboundedReceiver<Heard>) {
        let (heard, reports) = mpsc::unbounded_channel();
        (Speakers { plan, speakers: BTreeMap::new(), heard }, reports)
    }

    /// Passes each order on to its player's speaker.
    pub fn order_all(&mut self, orders: Orders) {
        orders.into_iter().for_each(|(player, order)| self.order(player, order));
    }

    /// A player's speaker comes with the first order.
    fn order(&mut self, player: Player, order: Order) {
        let speaker = self.speakers.entry(player.clone()).or_insert_with(|| {
            let (ordering, orders) = mpsc::unbounded_channel();
            let speaker = Speaker { plan: self.plan.clone(), player, heard: self.heard.clone() };
            tokio::spawn(speaker.work(orders));
            ordering
        });
        // A speaker ends only with us.
        let _ = speaker.send(order);
    }
}

struct Speaker {
    plan: Plan,
    player: Player,
    heard: mpsc::UnboundedSender<Heard>,
}

impl Speaker {
    async fn work(self, mut orders: mpsc::UnboundedReceiver<Order>) {
        let mut tones = Vec::new();
        while let Some(order) = orders.recv().await {
            match order {
                Order::Say(utterance, wait) => {
                    self.say(&utterance, wait, &mut orders, &mut tones).await;
                    for device in std::mem::take(&mut tones) {
                        self.sound(device).await;
                    }
                }
                // What was to be cut off had just ended.
                Order::Cut => {}
                Order::Tone(device) => self.sound(device).await,
            }
        }
    }

    /// Speaks, unless it is to break off meanwhile. A tone waits for the end of what is spoken.
    async fn say(
        &self,
        utterance: &Utterance,
        wait: u64,
        orders: &mut mpsc::UnboundedReceiver<Order>,
        tones: &mut Vec<Option<String>>,
    ) {
        let speaking = self.speak(utterance, wait);
        tokio::pin!(speaking);
        let what = loop {
            tokio::select! {
                what = &mut speaking => break what,
                Some(order) = orders.recv() => match order {
                    Order::Cut => break What::Cut,
                    Order::Tone(device) => tones.push(device),
                    // The room gives the next one when this has ended.
                    Order::Say(..) => {}
                },
            }
        };
        self.report(utterance, what);
    }

    async fn speak(&self, utterance: &Utterance, wait: u64) -> What {
        if wait > 0 {
            tokio::time::sleep(Duration::from_millis(wait)).await;
        }
        let name = sink::name(&self.player, &format!("{}-{}", utterance.key.of, utterance.key.nth));
        let spoken = async {
            let wave = self.plan.speech.say(utterance).await?;
            let begun = || self.report(utterance, What::Begun);
            self.plan.sink.play(&wave, utterance.device.as_deref(), &name, begun).await
        };
        spoken.await.err().unwrap_or(What::Ended)
    }

    /// The tone is made here, so that it is heard when no speech engine speaks.
    async fn sound(&self, device: Option<String>) {
        let name = sink::name(&self.player, "tone");
        if self.plan.sink.play(&Wave::tone(), device.as_deref(), &name, || {}).await.is_err() {
            let Player { table, side } = &self.player;
            tracing::warn!(%table, ?side, device, "not even the tone can be heard");
        }
    }

    fn report(&self, utterance: &Utterance, what: What) {
        // At the end nobody listens any more.
        let _ = self.heard.send(Heard { player: self.player.clone(), key: utterance.key, what });
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, path::Path};

    use laws::blind::Voice;
    use protocol::feed::{Side, TableId};
    use tokio::time::Instant;

    use super::*;
    use crate::voice::{Key, Weight};

    /// A speech engine that gives the same sound for all words.
    fn parrot(folder: &Path) -> Speech {
        let wav = folder.join("parrot.wav");
        fs::write(&wav, Wave::tone().bytes()).expect("it is writable");
        shell(&format!("cat >/dev/null; cat {}", wav.display()))
    }

    fn shell(script: &str) -> Speech {
        Speech(["sh", "-c", script].map(str::to_owned).into())
    }

    fn play(script: &str) -> Sink {
        Sink::Player(["sh", "-c", script].map(str::to_owned).into())
    }

    fn utterance(of: u64) -> Utterance {
        saying(of, "Bauer Eva zwei, Eva vier")
    }

    fn saying(of: u64, text: &str) -> Utterance {
        Utterance {
            key: Key { of, nth: 0 },
            weight: Weight::Move,
            text: text.to_owned(),
            voice: Voice::default(),
            rate: 150,
            device: None,
        }
    }

    fn player(table: u16) -> Player {
        let table = TableId { event: "open".to_owned(), round: 1, table };
        Player { table, side: Side::White }
    }

    /// What comes of one announcement.
    async fn outcome(speech: Speech, sink: Sink) -> Vec<What> {
        outcome_of(utterance(7), speech, sink).await
    }

    async fn outcome_of(said: Utterance, speech: Speech, sink: Sink) -> Vec<What> {
        let (mut speakers, mut reports) = Speakers::new(Plan { speech, sink });
        speakers.order(player(1), Order::Say(Box::new(said), 0));
        let mut all = Vec::new();
        while let Some(Heard { key, what, .. }) = reports.recv().await {
            assert_eq!(key.of, 7);
            let is_end = what != What::Begun;
            all.push(what);
            if is_end {
                break;
            }
        }
        all
    }

    #[tokio::test]
    async fn what_is_spoken_is_reported_and_is_a_whole_sound() {
        let folder = tempfile::tempdir().expect("a folder");
        let sink = Sink::Folder(folder.path().join("wav"));
        let said = outcome(parrot(folder.path()), sink).await;
        assert_eq!(said, [What::Begun, What::Ended]);
        let wav = fs::read(folder.path().join("wav/open-1-1-white-7-0.wav")).expect("it was written");
        assert_eq!(Wave::read(&wav), Some(Wave::tone()));
    }

    #[tokio::test]
    async fn a_device_hears_the_whole_sound() {
        let folder = tempfile::tempdir().expect("a folder");
        let heard = folder.path().join("heard.wav");
        let said = outcome(parrot(folder.path()), play(&format!("cat >{}", heard.display()))).await;
        assert_eq!(said, [What::Begun, What::Ended]);
        assert_eq!(fs::read(heard).expect("it was heard"), Wave::tone().bytes());
    }

    /// The clock of this test and of the next stands still, and jumps when there is nothing else to do.
    #[tokio::test(start_paused = true)]
    async fn a_device_that_takes_nothing_is_found_within_a_second() {
        let began = Instant::now();
        let stuck = play("exec sleep 20").play(&Wave::tone(), None, "tone", || {}).await;
        assert_eq!(stuck, Err(What::Blocked("the sound device \"default\" takes no sound".to_owned())));
        assert!(began.elapsed() < Duration::from_secs(1), "{:?}", began.elapsed());
    }

    #[tokio::test(start_paused = true)]
    async fn a_speech_engine_that_hangs_is_found_within_a_second() {
        let folder = tempfile::tempdir().expect("a folder");
        let began = Instant::now();
        let said = outcome(shell("exec sleep 20"), Sink::Folder(folder.path().to_owned())).await;
        assert!(matches!(said.last(), Some(What::Blocked(why)) if why.contains("says nothing")), "{said:?}");
        assert!(began.elapsed() < Duration::from_secs(1), "{:?}", began.elapsed());
    }

    #[tokio::test]
    async fn whatever_dies_on_the_way_is_named() {
        let folder = tempfile::tempdir().expect("a folder");
        let sink = || Sink::Folder(folder.path().to_owned());
        let wav = folder.path().join("parrot.wav").display().to_string();
        for (speech, sink, why) in [
            (Speech(vec!["no-such-program".to_owned()]), sink(), "no-such-program does not speak"),
            (shell("cat >/dev/null; echo no words"), sink(), "gave no sound"),
            (shell(&format!("head -c 4000 {wav}; kill -9 $$")), sink(), "signal: 9"),
            (parrot(folder.path()), play("head -c 2000 >/dev/null; kill -9 $$"), "plays nothing"),
            (parrot(folder.path()), play("exit 1"), "plays nothing"),
            (parrot(folder.path()), Sink::Folder("/proc/none".into()), "takes no sound"),
        ] {
            let said = outcome(speech, sink).await;
            assert!(matches!(said.last(), Some(What::Broken(said)) if said.contains(why)), "{why}: {said:?}");
        }
    }

    /// More words than a pipe holds, so that they are still being written when nobody reads them any more.
    #[tokio::test]
    async fn who_does_not_read_its_words_is_judged_by_how_it_ends() {
        let folder = tempfile::tempdir().expect("a folder");
        parrot(folder.path());
        let wav = folder.path().join("parrot.wav").display().to_string();
        let long = || saying(7, &"Bauer ".repeat(50_000));
        let sink = || Sink::Folder(folder.path().join("wav"));
        let said = outcome_of(long(), shell(&format!("exec <&-; cat {wav}")), sink()).await;
        assert_eq!(said, [What::Begun, What::Ended]);
        let said = outcome_of(long(), shell("kill -9 $$"), sink()).await;
        assert!(matches!(said.last(), Some(What::Broken(why)) if why.contains("signal: 9")), "{said:?}");
    }

    #[tokio::test]
    async fn a_reading_breaks_off_when_it_is_told_to_and_a_tone_waits_for_the_end() {
        let folder = tempfile::tempdir().expect("a folder");
        let sink = play(&format!("cat >>{}; exec sleep 0.2", folder.path().join("heard").display()));
        let (mut speakers, mut reports) = Speakers::new(Plan { speech: parrot(folder.path()), sink });
        speakers.order(player(1), Order::Say(Box::new(utterance(7)), 0));
        assert_eq!(reports.recv().await.map(|heard| heard.what), Some(What::Begun));
        speakers.order(player(1), Order::Tone(None));
        speakers.order(player(1), Order::Cut);
        assert_eq!(reports.recv().await.map(|heard| heard.what), Some(What::Cut));
        speakers.order(player(1), Order::Say(Box::new(utterance(8)), 0));
        assert_eq!(reports.recv().await.map(|heard| heard.key.of), Some(8));
    }
}
