//! One task a player, which does what the room orders and reports what came of it.

use std::{collections::BTreeMap, time::Duration};

use tokio::sync::mpsc;

use super::{
    queue::{Order, Utterance},
    room::{Heard, Player, What},
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

    /// Passes an order on to a player's speaker, who comes with the first one.
    pub fn order(&mut self, player: Player, order: Order) {
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
            tracing::warn!(player = ?self.player, device, "not even the tone can be heard");
        }
    }

    fn report(&self, utterance: &Utterance, what: What) {
        // At the end nobody listens any more.
        let _ = self.heard.send(Heard { player: self.player.clone(), key: utterance.key, what });
    }
}
