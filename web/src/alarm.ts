// A sound and a vibration for what has come up, once somebody has tapped for them: browsers allow neither before.

import { byId, setText } from "./dom";
import { say } from "./say";

/** Two notes for what may end a game, one for the rest. */
const NOTES = { critical: [880, 1175], other: [660] } as const;
const NOTE_S = 0.18;

export class Alarm {
  private sounds: AudioContext | undefined;

  constructor() {
    byId("sound").addEventListener("click", () => void this.turnOn());
  }

  private async turnOn(): Promise<void> {
    this.sounds ??= new AudioContext();
    await this.sounds.resume();
    byId("sound").setAttribute("aria-pressed", "true");
    setText(byId("sound"), say.soundIsOn);
    this.ring("other");
    await this.stayAwake();
    document.addEventListener("visibilitychange", () => void this.stayAwake());
  }

  ring(how: keyof typeof NOTES): void {
    const { sounds } = this;
    if (sounds === undefined) return;
    NOTES[how].forEach((pitch, index) => {
      const [tone, loud, from] = [sounds.createOscillator(), sounds.createGain(), sounds.currentTime + index * NOTE_S];
      tone.frequency.value = pitch;
      loud.gain.setValueAtTime(0.3, from);
      loud.gain.exponentialRampToValueAtTime(0.001, from + NOTE_S);
      tone.connect(loud).connect(sounds.destination);
      tone.start(from);
      tone.stop(from + NOTE_S);
    });
    navigator.vibrate?.(how === "critical" ? [200, 100, 200] : 150);
  }

  /** A device that sleeps rings for nobody: it is said where the browser can't prevent it. */
  private async stayAwake(): Promise<void> {
    if (document.visibilityState !== "visible") return;
    const lock = await navigator.wakeLock?.request("screen").catch(() => undefined);
    byId("asleep").hidden = lock !== undefined;
  }
}
