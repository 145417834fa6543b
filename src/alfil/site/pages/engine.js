// Python in a worker, as something that can be asked.
//
// One question is with the worker at a time. Others wait on channels of their own; a newer question
// on a channel takes the place of an older one, whose answer is then null. A question that takes too
// long ends the worker, and a new one begins: the answer is {stopped: true}. Nobody waits for long
// until a question ends that a newer one has overtaken.

// A question about a text may take so many milliseconds once Python is there.
export const LIMIT = 3000;

export class Engine {
  /** `told` is called with "starting", "ready" or "failed" and a line of words. */
  constructor(told) {
    this.told = told;
    this.waiting = new Map();
    this.start();
  }

  start() {
    this.ready = false;
    this.told("starting", "Python is starting …");
    this.worker = new Worker(new URL("worker.js", import.meta.url), {type: "module"});
    this.worker.onmessage = ({data}) => this.hear(data);
    this.worker.onerror = (event) => {
      event.preventDefault();
      this.told("failed", `Python did not start: ${event.message || "the worker could not be loaded"}`);
    };
  }

  /** Ask something; the answer is null where a newer question on the channel has overtaken it. */
  ask(channel, call, args, limit = LIMIT) {
    this.waiting.get(channel)?.done(null);
    if (this.asked?.channel === channel) this.hurry();
    return new Promise((done) => {
      this.waiting.set(channel, {channel, call, args, limit, done});
      this.next();
    });
  }

  /** What is asked on a channel is wanted no more: its answer is null, at once. */
  drop(channel) {
    this.waiting.get(channel)?.done(null);
    this.waiting.delete(channel);
    if (this.asked?.channel !== channel) return;
    this.asked.done(null);
    this.hurry();
  }

  /** Give the worker the question that has waited longest, if it is free. */
  next() {
    if (!this.ready || this.asked || !this.waiting.size) return;
    const [channel, question] = this.waiting.entries().next().value;
    this.waiting.delete(channel);
    this.asked = question;
    this.until = performance.now() + question.limit;
    this.timer = setTimeout(() => this.stop(), question.limit);
    this.worker.postMessage([question.call, JSON.stringify(question.args)]);
  }

  /** Give the question that is with the worker no more than what any question may take. */
  hurry() {
    const left = Math.min(LIMIT, this.until - performance.now());
    this.until = performance.now() + left;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.stop(), left);
  }

  hear(data) {
    if (data.ready) {
      this.ready = true;
      this.told("ready", "Python is ready");
      keepSite();
    } else if (data.failed) {
      this.told("failed", `Python did not start: ${data.failed}`);
    } else if (data.broken) {
      this.stop({broken: data.broken});
      return;
    } else {
      this.settle(JSON.parse(data.answer));
    }
    this.next();
  }

  /** Answer the question that is with the worker, unless a newer one waits on its channel. */
  settle(answer) {
    clearTimeout(this.timer);
    const {channel, done} = this.asked;
    this.asked = null;
    done(this.waiting.has(channel) ? null : answer);
  }

  /** End the worker, for it does not answer, or never will again. */
  stop(why = {stopped: true}) {
    this.worker.terminate();
    this.settle(why);
    this.start();
  }
}

/** Have the browser keep the site once all is there; a page that stands alone is not kept. */
function keepSite() {
  if (!document.querySelector("nav")) return;
  // Where that fails, as in a window that keeps nothing, the site works as before.
  navigator.serviceWorker?.register(new URL("../service.js", import.meta.url)).catch(() => {});
}
