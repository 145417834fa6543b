// The playground: a notation is typed, and everything that alfil knows of it is there.

import {copyLink, enter, fields, fromText, inText, misread, packed, remember} from "./address.js";
import {keepPiece} from "./collection.js";
import {diagnosticItem, underlined} from "./diagnostics.js";
import {element, read, squareName} from "./drawing.js";
import {Engine, LIMIT} from "./engine.js";
import {copy, fileName, inPNG, pictured, save} from "./files.js";
import {button} from "./grid.js";
import {Known} from "./known.js";
import {ENEMY, FRIEND, ROYAL, VACANT} from "./moves.js";
import {Board} from "./page.js";
import {Sketch} from "./sketch.js";
import {Undo} from "./undo.js";
import {showLetters, Writing} from "./writing.js";

const byId = (id) => document.getElementById(id);

// What stands on a square, as an address has it and as alfil calls it.
const ADDRESS_LETTERS = {[ENEMY]: "e", [ROYAL]: "r", [FRIEND]: "f"};
const KINDS = {e: ENEMY, r: ROYAL, f: FRIEND};
const NAMES = {e: "enemies", r: "enemy_royals", f: "friends"};
const HOW = {1: "m", 2: "c", 3: "b"}, HOW_OF = {m: 1, c: 2, b: 3};

const STOPPED = "This took longer than 3 seconds and was stopped; Python is starting again.";
const BROKEN = "Python broke down over this, and is starting again.";

// The last readable text is told up to here.
const QUOTED = 60;

// How many of the pieces most alike are named.
const NEAREST = 4;
// What nobody waits for may take so long, such as to compare all pieces; a new text ends it.
const PATIENT = ["names", "fit", "explain", "elsewhere"], PATIENCE = 60000;
const BESIDES = ["explain", "elsewhere", "names"];
// A board with all squares that an address can name.
const FAR = {files: 199, ranks: 199, at: 99 * 199 + 99};
// What is copied of a diagram is shown on other pages in so many pixels.
const EMBEDDED = {width: 460, height: 560};

class Playground {
  constructor() {
    this.signs = read("signs");
    this.first = read("first");
    this.known = new Known(read("version"));
    this.undo = new Undo();
    this.standing = [];
    this.sketch = new Sketch(byId("sketch"), () => this.drawn());
    this.main = document.querySelector("main");
    this.pending = 0;
    this.writing = new Writing({input: byId("text"), echo: byId("echo"), parts: byId("parts"), line: byId("token")},
                               (squares) => this.light(squares));
    const {in: notation, text} = this.follow();
    if (byId("text").value === this.first.text) this.show(this.first);
    this.engine = new Engine((state, words) => {
      byId("engine").textContent = words;
      byId("engine").dataset.state = state;
      if (state !== "starting") this.main.classList.remove("waiting");
    });
    this.listen();
    this.update({detect: text !== undefined && notation === undefined});
    this.learn();
    if (this.sketch.drawn().length) this.fit();
  }

  /** Get what was made with the site: answers until Python is there, colours, letters. */
  async learn() {
    try {
      await this.known.load();
    } catch {
      return;
    }
    this.teach();
    if (!this.engine.ready && !this.isBlank() && this.knownAnswer()) this.update();
  }

  listen() {
    byId("ask").addEventListener("submit", (event) => event.preventDefault());
    byId("text").addEventListener("input", ({inputType}) => {
      for (const id of ["link", "detected"]) byId(id).textContent = "";
      this.update({detect: ["insertFromPaste", "insertFromDrop"].includes(inputType)});
    });
    for (const each of document.querySelectorAll("[data-text]")) {
      each.addEventListener("click", () => this.write(each.dataset.text, "betza"));
    }
    byId("notation").addEventListener("change", () => {
      byId("detected").textContent = "";
      this.teach();
      this.update();
    });
    byId("letters-find").addEventListener("input", () => this.showLetters());
    for (const id of ["other", "other-notation"]) byId(id).addEventListener("input", () => this.compareAnew());
    for (const each of document.querySelectorAll("[data-form]")) {
      each.addEventListener("click", () => this.download(each.dataset.form));
    }
    for (const each of document.querySelectorAll("[data-copy]")) {
      each.addEventListener("click", () => this.copy(each.dataset.copy));
    }
    byId("share").addEventListener("click", () => copyLink(byId("share")));
    byId("keep").addEventListener("click", () => this.keep());
    byId("play").addEventListener("click", () => this.play());
    byId("undo").addEventListener("click", () => this.goTo(this.undo.back()));
    byId("redo").addEventListener("click", () => this.goTo(this.undo.forth()));
    window.addEventListener("keydown", (event) => this.key(event));
    for (const name of ["pointerover", "focusin"]) {
      byId("board").addEventListener(name, (event) => this.speakOf(event));
    }
    for (const name of ["pointerleave", "focusout"]) {
      byId("board").addEventListener(name, () => this.writing.speakOf(null));
    }
    window.addEventListener("hashchange", () => {
      this.follow();
      this.update();
      this.fit();
    });
  }

  /** Undo outside of fields, which have an undo of their own. */
  key(event) {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "z" || event.target.matches("input")) return;
    event.preventDefault();
    this.goTo(event.shiftKey ? this.undo.forth() : this.undo.back());
  }

  /** Show again what was at an address of this page. */
  goTo(hash) {
    if (hash === undefined) return;
    history.replaceState(null, "", location.pathname + location.search + hash);
    this.follow();
    this.update();
    this.fit();
  }

  text() {
    return [byId("text").value, byId("notation").value];
  }

  /** Take from the address what is there. */
  follow() {
    const given = fields(), {text, in: notation, on, other = "", its, draw, view} = given;
    this.view = view === "board" ? view : "";
    document.documentElement.classList.toggle("embedded", Boolean(this.view));
    byId("text").value = text ?? this.first.text;
    choose(byId("notation"), notation);
    choose(byId("other-notation"), its);
    byId("other").value = other;
    this.standing = fromText(on).filter(([, , what]) => KINDS[what]);
    this.sketch.draw(fromText(draw).map(([dx, dy, how]) => [dx, dy, HOW_OF[how]]));
    const notations = [...byId("notation").options].map((each) => each.value);
    this.teach();
    const lost = misread(given, {in: notations, its: notations, other: [other], view: ["board"]},
                         {on: this.standing, draw: this.sketch.drawn()});
    byId("link").textContent = lost.length ? `Part of the link was not understood: ${lost.join(", ")}.` : "";
    return given;
  }

  /** Put everything into the address. */
  remember() {
    const [text, notation] = this.text();
    remember({
      view: this.view,
      text,
      in: notation,
      on: inText(this.standing),
      other: byId("other").value,
      its: byId("other").value && byId("other-notation").value,
      draw: inText(this.sketch.drawn().map(([dx, dy, how]) => [dx, dy, HOW[how]])),
    });
    this.undo.note(location.hash, document.activeElement.matches("input"));
    byId("undo").disabled = !this.undo.before.length;
    byId("redo").disabled = !this.undo.after.length;
    byId("source").href = location.href.replace("view=board&", "");
  }

  /** Have the colours and the letters of the notation that is chosen. */
  teach() {
    if (!this.known.colours) return;
    const notation = byId("notation").value;
    this.writing.teach(this.known.colours[notation], this.known.letters[notation]);
    this.showLetters();
  }

  showLetters() {
    showLetters(byId("letters"), this.known.letters?.[byId("notation").value] || [],
                byId("letters-find").value, (example) => this.write(example));
  }

  /** Light up some squares, each [dx, dy] from the piece; none for null. */
  light(squares) {
    const wanted = new Set((squares || []).map(String));
    this.board?.grid.mark("lit", (square) => wanted.has(String(this.offset(square))));
  }

  /** A square as seen from the piece. */
  offset(square) {
    const {files, at} = this.board.data.board;
    return [square % files - at % files, Math.floor(square / files) - Math.floor(at / files)];
  }

  /** Light up what the text says of the square that the mouse or the keyboard is on. */
  speakOf(event) {
    const square = this.board ? this.board.grid.squareOf(event) : -1;
    this.writing.speakOf(square < 0 ? null : this.offset(square));
  }

  /** Ask alfil; while it answers, the page says that it is busy. Null where that is out of date. */
  async ask(channel, call, ...args) {
    this.pending++;
    this.main.setAttribute("aria-busy", "true");
    const limit = PATIENT.includes(call) ? PATIENCE : LIMIT;
    const answer = await this.engine.ask(channel, call, args, limit);
    if (!--this.pending) this.main.setAttribute("aria-busy", "false");
    if (answer?.stopped) return {problem: STOPPED};
    return answer?.broken ? {problem: `${BROKEN} (${answer.broken})`} : answer;
  }

  /** The text has changed; with `detect` its notation may be another one than is chosen. */
  async update({detect = false} = {}) {
    const [text, notation] = this.text(), reach = this.reach();
    for (const each of BESIDES) this.engine.drop(each);
    this.main.classList.toggle("blank", !text.trim());
    if (this.isBlank()) {
      this.remember();
      return this.clear();
    }
    const known = this.knownAnswer();
    // Python works on it while the page does the rest.
    const asked = known ? null : this.ask("read", "read", text, notation, reach);
    if (known) this.engine.drop("read");
    this.remember();
    if (!known && this.writing.text !== text) this.writing.write(text);
    if (!known && !this.engine.ready && text !== this.readable) this.wait();
    const answer = known || await asked;
    if (!answer) return undefined;
    if (detect && answer.elsewhere) return this.change(notation, answer.elsewhere);
    this.offer(answer.elsewhere);
    this.show(answer);
    this.compare();
    if (!answer.data || (known && this.view)) return undefined;
    if (!known) this.known.keep(text, notation, reach, answer);
    this.ask("explain", "explain", ...this.text()).then((found) => {
      if (found?.parts) this.writing.explain(found.parts, found.of);
    });
    this.ask("elsewhere", "elsewhere", ...this.text()).then((found) => this.tellElsewhere(found));
    this.ask("names", "names", ...this.text()).then((found) => this.tellNames(found));
    return undefined;
  }

  /** What Python would answer, as the page knows it; null where only Python does. */
  knownAnswer() {
    return this.known.answer(...this.text(), this.reach());
  }

  /** Python is asked and starting; what is there is of an earlier text. */
  wait() {
    this.main.classList.add("waiting");
    byId("last").textContent = this.readable ? `Python is starting; what follows is of ${shortened(this.readable)}.` : "";
  }

  /** Take another notation than was chosen, and say so; there is a way back. */
  change(from, to) {
    choose(byId("notation"), to);
    this.teach();
    byId("detected").replaceChildren(`Read as ${titleOf(to)}. `, button(`Read as ${titleOf(from)}`, () => {
      byId("detected").textContent = "";
      choose(byId("notation"), from);
      this.teach();
      this.update();
    }));
    return this.update();
  }

  /** Say that another notation reads the text. */
  offer(notation) {
    if (!notation) return;
    byId("detected").replaceChildren(`${titleOf(notation)} reads this. `,
      button(`Read as ${titleOf(notation)}`, () => this.change(byId("notation").value, notation)));
  }

  /** How far from the piece others stand, which the diagram is to show. */
  reach() {
    return Math.max(0, ...this.standing.flatMap(([dx, dy]) => [Math.abs(dx), Math.abs(dy)]));
  }

  isBlank() {
    return this.main.classList.contains("blank");
  }

  /** Where nothing is written, nothing is found; examples stand in the place of a piece. */
  clear() {
    for (const each of ["read", "compare", ...BESIDES]) this.engine.drop(each);
    for (const each of ["diagnostics", "last", "detected", "comparison"]) byId(each).replaceChildren();
    this.writing.write("");
    byId("text").setAttribute("aria-invalid", false);
  }

  show(answer) {
    const diagnostics = answer.diagnostics || [], text = answer.text ?? byId("text").value;
    const wrong = Boolean(answer.problem) || !answer.data;
    this.writing.write(text, diagnostics, Boolean(answer.named));
    this.main.classList.remove("waiting");
    byId("diagnostics").replaceChildren(...diagnostics.map((each) => diagnosticItem(each, (fixed) => this.write(fixed))));
    if (answer.problem) byId("diagnostics").append(element("li", {class: "error"}, answer.problem));
    byId("text").setAttribute("aria-invalid", wrong);
    this.main.classList.toggle("stale", wrong);
    if (!wrong) this.readable = text;
    byId("last").textContent = wrong && this.readable
      ? `What follows is of the last readable text: ${shortened(this.readable)}` : "";
    for (const each of document.querySelectorAll("[data-form], [data-copy], #keep, #play")) each.disabled = wrong;
    byId("kept").textContent = byId("copied").textContent = "";
    if (wrong) return;
    this.answered = answer;
    this.main.classList.remove("empty");
    this.draw(answer.data);
    byId("english").textContent = answer.english;
    byId("written").textContent = answer.written;
    byId("named").textContent = answer.named ? `The ${answer.named.name}, ${answer.named.place}.` : "";
  }

  /** Have another text in the field. */
  write(text, notation = byId("notation").value) {
    enter();
    byId("link").textContent = "";
    byId("text").value = text;
    choose(byId("notation"), notation);
    byId("text").focus();
    this.update();
  }

  /** Draw a diagram, with what stood on the last one in the same places. */
  draw(data) {
    const {files, ranks, at} = data.board, x = at % files, y = Math.floor(at / files);
    const shows = ([dx, dy]) => x + dx >= 0 && x + dx < files && y + dy >= 0 && y + dy < ranks;
    const placed = this.standing.filter((each) => shows(each) && (each[0] || each[1]));
    const outside = this.standing.filter((each) => !shows(each));
    const names = outside.map(([dx, dy]) =>
      squareName(FAR, (dy + 99) * FAR.files + dx + 99));
    byId("outside").textContent = outside.length
      ? `Outside of this board, and of no account: ${names.join("; ")}.` : "";
    data.standing = placed.map(([dx, dy, what]) => [(y + dy) * files + x + dx, KINDS[what]]);
    this.board = new Board(byId("board"), data, this.signs, () => {
      const inside = [...this.board.contents].flatMap((kind, square) => kind === VACANT ? []
        : [[square % files - x, Math.floor(square / files) - y, ADDRESS_LETTERS[kind]]]);
      this.standing = [...inside, ...(inside.length ? outside : [])];
      if (!inside.length) byId("outside").textContent = "";
      this.remember();
    });
  }

  tellElsewhere(found) {
    if (!found?.notations) return;
    byId("notations").replaceChildren(...found.notations.map((each) => element("div", {},
      element("dt", {}, each.title), element("dd", {}, ...this.written(each)))));
    byId("programs").replaceChildren(...found.programs.map((each) => this.program(each)));
  }

  /** What a program makes of the text: a line that opens, open where its notation is chosen. */
  program({program, title, text, verdict, ignored, english, svg}) {
    return element("details", {class: "program", ...(program === byId("notation").value ? {open: ""} : {})},
      element("summary", {}, `${title} ${verdict}`),
      ignored.length ? element("p", {class: "echo"}, ...underlined(text, [{severity: "warning", spans: ignored}])) : "",
      element("p", {}, english || "Nobody has found out yet what it does with this."),
      svg ? element("img", {src: pictured(svg), alt: `What ${title} has: ${english}`}) : "");
  }

  /** A text in another notation, which can be gone on with, and what it cannot say. */
  written({notation, text, losses}) {
    const parts = [];
    if (text || !losses.length) {
      parts.push(button(text || "(nothing)", () => this.write(text, notation), {class: "text"}));
    }
    if (losses.length) {
      parts.push(element("span", {class: "loss"}, ` ${text ? "leaves out" : "cannot say it"}: ${losses.join("; ")}`));
    }
    return parts;
  }

  /** Which pieces that come along are this one; the most alike only when somebody wants to know. */
  tellNames(found) {
    if (found?.problem) byId("names").replaceChildren(element("li", {}, found.problem));
    if (!found?.same) return;
    const named = ({name, place}) => button(`${name} (${place})`, () => this.write(place, "betza"), {class: "text"});
    const line = (words, pieces) => element("li", {}, words,
      ...pieces.flatMap((each, index) => [" ", element("span", {class: "chip"},
        named(each), nearly(each), index < pieces.length - 1 ? "," : "")]));
    const lines = [];
    if (found.called.length > 1) lines.push(this.calledLine(found.called));
    if (found.same.length) lines.push(this.sameLine(found.same, named));
    for (const each of found.turned) lines.push(line(`When ${each.how}:`, [each]));
    if (found.near.length) lines.push(line("Most alike:", found.near));
    else if (!found.same.length) lines.push(element("li", {}, "None that comes along. ", this.nearButton()));
    byId("names").replaceChildren(...lines);
  }

  /** All pieces of this name, which may move in different ways. */
  calledLine(pieces) {
    return element("li", {class: "called"}, "All that are called so: ", ...pieces.flatMap(({name, place, text}, index) => [
      index ? " " : "", element("span", {class: "chip"},
        button(`${name} (${place})`, () => this.write(place, "betza"), {class: "text"}), " ", element("code", {}, text))]));
  }

  /** The pieces that are this one; those of one name as one, with the sets that have it. */
  sameLine(pieces, named) {
    const groups = new Map();
    for (const each of pieces) groups.set(each.name, [...(groups.get(each.name) || []), each]);
    const sets = (all) => [...new Set(all.map(({place}) => place.split(":")[0]))].join(", ");
    return element("li", {}, "The same piece: ", ...[...groups.values()].flatMap((all, index) => [index ? " " : "",
      element("span", {class: "chip"}, named(all[0]), index < groups.size - 1 && all.length === 1 ? "," : ""),
      all.length > 1 ? ` and in ${sets(all.slice(1))}${index < groups.size - 1 ? ";" : ""}` : ""]));
  }

  nearButton() {
    return button("Which are most alike?", async () => {
      byId("names").append(element("li", {}, "All pieces are being compared …"));
      this.tellNames(await this.ask("names", "names", ...this.text(), NEAREST));
    });
  }

  /** Somebody has changed the second text, or its notation. */
  compareAnew() {
    this.remember();
    this.compare();
  }

  /** Compare with the second text. An answer that is late leaves the address alone: it may be another by now. */
  async compare() {
    const root = byId("comparison"), other = byId("other").value;
    if (!other || this.isBlank() || this.main.classList.contains("stale")) return root.replaceChildren();
    const found = await this.ask("compare", "compare", ...this.text(), other, byId("other-notation").value);
    if (!found) return;
    if (found.problem) return root.replaceChildren(element("p", {class: "error"}, found.problem));
    const diagnostics = (found.diagnostics || []).map((each) => diagnosticItem(each, (text) => {
      enter();
      byId("other").value = text;
      this.compareAnew();
    }));
    root.replaceChildren(diagnostics.length ? element("ul", {class: "diagnostics"}, ...diagnostics) : "",
      element("p", {}, found.words || ""),
      found.svg ? element("img", {src: pictured(found.svg), alt: "The position, with the moves of both pieces"}) : "");
  }

  drawn() {
    this.remember();
    this.fit();
  }

  /** Find the piece that goes where squares are drawn. */
  async fit() {
    const drawn = this.sketch.drawn(), root = byId("fitting");
    if (!drawn.length) return root.replaceChildren();
    const found = await this.ask("fit", "fit", drawn);
    if (!found) return;
    if (found.problem || !found.betza) {
      const words = found.problem || "No combination of leaps and straight rides goes just there.";
      return root.replaceChildren(element("p", {}, words));
    }
    const use = (notation) => (text) => button(text, () => this.write(text, notation), {class: "text"});
    const known = found.same.map(({name, place}) => `${name} (${place})`).join(", ");
    root.replaceChildren(
      element("p", {}, "Betza: ", use("betza")(found.betza)),
      found.hasinu ? element("p", {}, "Ħasínū: ", use("hasinu")(found.hasinu)) : "",
      element("p", {}, known ? `It is the ${known}.` : "No piece that comes along goes just there."));
  }

  /** The piece in a form, with what stands on the board; null where there is none. */
  async made(form) {
    const standing = {};
    for (const [dx, dy, what] of this.standing) (standing[NAMES[what]] ||= []).push([dx, dy]);
    const found = await this.ask("download", "download", ...this.text(), form === "png" ? "svg" : form, standing);
    if (found?.problem) byId("diagnostics").replaceChildren(element("li", {class: "error"}, found.problem));
    return found?.content ?? null;
  }

  /** Put the diagram on the clipboard, or the HTML that shows it on another page. */
  async copy(form) {
    const picture = form === "embed" ? this.frame() : this.made(form);
    // A browser wants to be asked at once, and waits for a picture then.
    const content = form === "png" ? picture.then((svg) => inPNG(svg)) : await picture;
    const done = content !== null && await copy(content);
    byId("copied").textContent = done ? "Copied." : "The browser did not copy it; save it instead.";
  }

  /** The HTML by which another page shows the diagram of this one. */
  frame() {
    const address = new URL(location.href), shown = new URLSearchParams(address.hash.slice(1));
    for (const name of ["other", "its", "draw"]) shown.delete(name);
    address.hash = new URLSearchParams([["view", "board"], ...shown]);
    const made = element("iframe", {src: address, title: this.answered.data.label, loading: "lazy", ...EMBEDDED});
    return made.outerHTML;
  }

  /** Keep the piece in this browser, with its picture. */
  async keep() {
    const [text, notation] = this.text(), {named, written, english} = this.answered;
    const svg = await this.made("svg");
    if (svg === null) return;
    const done = keepPiece({text, notation: named ? this.answered.notation : notation,
                            name: named?.name ?? text, written, english, svg});
    byId("kept").replaceChildren(...(done ? ["Kept among ", element("a", {href: "saved.html"}, "your pieces"), "."]
                                          : ["This browser keeps no more."]));
  }

  /** Play a game in which this piece stands in for another one. */
  async play() {
    const found = await this.ask("game", "game", ...this.text(), ...byId("play-as").value.split(" "));
    if (found?.file) location.assign(`games.html#file=${await packed(found.file)}`);
  }

  /** Give the piece as a file, with what stands on the board. */
  async download(form) {
    const [text] = this.text(), content = await this.made(form);
    if (content === null) return;
    if (form === "svg") save(fileName(text, "svg"), content, "image/svg+xml");
    if (form === "png") save(fileName(text, "png"), await inPNG(content));
    if (form === "table") save(fileName(text, "json"), JSON.stringify(content), "application/json");
    if (form === "wikitext") save(fileName(text, "wiki"), content, "text/plain");
  }
}

/** How a piece is like the one that is asked about; nothing for one that is the same. */
const nearly = ({relation, shared, total}) => relation
  ? ` ${Math.round((100 * shared) / total)} %${{more: ", has more", less: ", has less"}[relation] || ""}` : "";

/** A text as far as a line has room for it. */
function shortened(text) {
  const points = Array.from(text);
  return points.slice(0, QUOTED).join("") + (points.length > QUOTED ? "…" : "");
}

/** What a notation is called. */
const titleOf = (notation) =>
  [...byId("notation").options].find(({value}) => value === notation).textContent;

/** Choose an option if it is one. */
function choose(select, value) {
  if ([...select.options].some((each) => each.value === value)) select.value = value;
}

new Playground();
