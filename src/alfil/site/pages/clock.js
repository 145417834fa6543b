// Time for each side, and the tick of a move.

/** Two clocks; "5+3" is five minutes for the game and three seconds more for each move. */
export class Clock {
  /** `shown` is called with a side and its time as text; `over` with the side that has none left. */
  constructor(shown, over) {
    Object.assign(this, {shown, over, running: -1});
    this.set("");
    setInterval(() => this.tick(), 200);
  }

  /** Begin anew with a time, without any for "". */
  set(text) {
    const [minutes, seconds = 0] = text.split("+").map(Number);
    this.left = text ? [minutes * 60000, minutes * 60000] : null;
    this.more = seconds * 1000;
    this.running = -1;
    this.tell();
  }

  /** A move was made: its side gets its seconds, and the time of another side runs; -1 for none. */
  pass(side) {
    if (!this.left) return;
    this.tick();
    if (this.running >= 0 && side !== this.running) this.left[this.running] += this.more;
    this.running = this.left[side] > 0 ? side : -1;
    this.since = performance.now();
    this.tell();
  }

  tick() {
    if (!this.left || this.running < 0) return;
    const now = performance.now(), side = this.running;
    this.left[side] = Math.max(0, this.left[side] - (now - this.since));
    this.since = now;
    if (!this.left[side]) {
      this.running = -1;
      this.over(side);
    }
    this.tell();
  }

  tell() {
    for (const side of [0, 1]) {
      const seconds = this.left ? Math.ceil(this.left[side] / 1000) : 0;
      this.shown(side, this.left ? `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}` : "");
    }
  }
}

let sound = null;

/** A short knock, higher where it is `loud`. */
export function knock(loud) {
  sound ??= new AudioContext();
  const tone = sound.createOscillator(), volume = sound.createGain(), now = sound.currentTime;
  tone.frequency.value = loud ? 660 : 320;
  volume.gain.setValueAtTime(0.25, now);
  volume.gain.exponentialRampToValueAtTime(0.001, now + 0.09);
  tone.connect(volume).connect(sound.destination);
  tone.start(now);
  tone.stop(now + 0.1);
}
