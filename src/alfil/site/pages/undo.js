// What a page showed before, by its addresses: changes can be taken back and made again.

// Keys that follow each other this quickly are one change.
const PAUSE = 1500;

export class Undo {
  constructor() {
    this.before = [];
    this.after = [];
    this.noted = -Infinity;
  }

  /** The page shows something: an address, in which a text is being typed or not. */
  note(address, typing) {
    if (address === this.now) return;
    const goesOn = typing && this.typing && performance.now() - this.noted < PAUSE;
    if (this.now !== undefined && !goesOn) this.before.push(this.now);
    this.now = address;
    this.after = [];
    this.typing = typing;
    this.noted = performance.now();
  }

  /** The address to go back to, undefined where there is none. */
  back() {
    return this.move(this.before, this.after);
  }

  /** The address to go forward to again. */
  forth() {
    return this.move(this.after, this.before);
  }

  move(from, to) {
    if (!from.length) return undefined;
    to.push(this.now);
    this.now = from.pop();
    this.typing = false;
    return this.now;
  }
}
