// What the page knows without Python: pieces of the library, atoms, and what was asked before.

import {unzipped} from "./files.js";

// Answers of earlier visits, as many as fit easily into what browsers keep for a page, and after how
// many milliseconds without a new one they are written, for that takes longer than to show one.
const ANSWERS_KEY = "alfil.answers", MOST = 40, LONGEST_ANSWER = 60_000, REST = 1000;

export class Known {
  /** `version` is that of the site: what another one answered may be wrong. */
  constructor(version) {
    this.version = version;
    this.kept = this.read();
    window.addEventListener("pagehide", () => this.write());
  }

  /** Fetch what was made with the site. */
  async load() {
    const answer = await fetch(new URL("python/known.json.packed", import.meta.url));
    Object.assign(this, await (await unzipped(answer)).json());
  }

  /** The answer to "read" for a text, null where only Python has it. */
  answer(text, notation, reach) {
    const wanted = text.trim();
    const kept = this.kept.find(([key]) => key === answerKey(wanted, notation, reach));
    if (kept) return {...kept[1], text};
    const made = this.answers && this.find(text, wanted, notation);
    if (!made) return null;
    const {files, at, wraps} = made.data.board;
    return wraps || reach <= files - 1 - at % files ? made : null;
  }

  /** The answer that was made with the site, on a board that fits the piece. */
  find(text, wanted, notation) {
    const known = this.texts[notation]?.[wanted];
    if (known) {
      const [number, written = this.answers[number].written] = known;
      return {...this.made(text, number, wanted, null), notation, written};
    }
    // A text that could be a notation is never taken for a name.
    const found = notation === "betza" && (this.names[wanted] || this.names[folded(wanted)]);
    return found ? this.made(text, found[0], found[1], {name: found[1], place: found[2]}) : null;
  }

  made(text, number, called, named) {
    const answer = structuredClone(this.answers[number]);
    answer.data.label = `How ${called} moves`;
    return {...answer, text, named, diagnostics: []};
  }

  /** Keep an answer of Python for the next visit. */
  keep(text, notation, reach, answer) {
    const key = answerKey(text.trim(), notation, reach);
    if (JSON.stringify(answer).length > LONGEST_ANSWER) return;
    this.kept = [[key, answer], ...this.kept.filter(([other]) => other !== key)].slice(0, MOST);
    clearTimeout(this.resting);
    this.resting = setTimeout(() => this.write(), REST);
  }

  /** Keep the answers in the browser. */
  write() {
    clearTimeout(this.resting);
    try {
      localStorage.setItem(ANSWERS_KEY, JSON.stringify({version: this.version, kept: this.kept}));
    } catch {
      // It is only for speed.
    }
  }

  read() {
    try {
      const {version, kept} = JSON.parse(localStorage.getItem(ANSWERS_KEY));
      return version === this.version ? kept : [];
    } catch {
      return [];
    }
  }
}

const answerKey = (text, notation, reach) => `${notation} ${reach} ${text}`;

/** A name as the library compares them. */
const folded = (name) => name.toLowerCase().replace(/[-_\s]+/g, " ").trim();
