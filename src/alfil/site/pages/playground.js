// The playground: a notation is typed, and everything that alfil knows of it is there.

import {copyLink, enter, fields, fromText, inText, misread, remember} from "./address.js";
import {element, read} from "./drawing.js";
import {Engine, LIMIT} from "./engine.js";
import {fileName, inPNG, pictured, save} from "./files.js";
import {diagnosticItem, underlined} from "./diagnostics.js";
import {button} from "./grid.js";
import {ENEMY, FRIEND, ROYAL, VACANT} from "./moves.js";
import {Board} from "./page.js";
import {Sketch} from "./sketch.js";

const byId = (id) => document.getElementById(id);

// What stands on a square, as an address has it and as alfil calls it.
const LETTERS = {[ENEMY]: "e", [ROYAL]: "r", [FRIEND]: "f"};
const KINDS = {e: ENEMY, r: ROYAL, f: FRIEND};
const NAMES = {e: "enemies", r: "enemy_royals", f: "friends"};
const HOW = {1: "m", 2: "c", 3: "b"}, HOW_OF = {m: 1, c: 2, b: 3};

const STOPPED = "This took longer than 3 seconds and was stopped; Python is starting again.";
const BROKEN = "Python broke down over this, and is starting again.";

// The last readable text is told up to here.
const SHOWN = 60;

// How many of the pieces most alike are named, and how long it may take to compare them all.
const NEAREST = 4, PATIENCE = 60000;

class Playground {
  constructor() {
    this.signs = read("signs");
    this.first = read("first");
    this.standing = [];
    this.sketch = new Sketch(byId("sketch"), () => this.drawn());
    this.main = document.querySelector("main");
    this.pending = 0;
    this.follow();
    if (byId("text").value === this.first.text) this.show(this.first);
    this.engine = new Engine((state, words) => {
      byId("engine").textContent = words;
      byId("engine").dataset.state = state;
    });
    this.listen();
    this.update();
    if (this.sketch.drawn().length) this.fit();
  }

  listen() {
    byId("ask").addEventListener("submit", (event) => event.preventDefault());
    byId("text").addEventListener("input", () => {
      byId("link").textContent = "";
      this.update();
    });
    for (const each of document.querySelectorAll("[data-text]")) {
      each.addEventListener("click", () => this.write(each.dataset.text, "betza"));
    }
    byId("notation").addEventListener("change", () => this.update());
    for (const id of ["other", "other-notation"]) byId(id).addEventListener("input", () => this.compare());
    for (const each of document.querySelectorAll("[data-form]")) {
      each.addEventListener("click", () => this.download(each.dataset.form));
    }
    byId("share").addEventListener("click", () => copyLink(byId("share")));
    window.addEventListener("hashchange", () => {
      this.follow();
      this.update();
      this.fit();
    });
  }

  text() {
    return [byId("text").value, byId("notation").value];
  }

  /** Take from the address what is there. */
  follow() {
    const given = fields(), {text, in: notation, on, other = "", its, draw} = given;
    byId("text").value = text ?? this.first.text;
    choose(byId("notation"), notation);
    choose(byId("other-notation"), its);
    byId("other").value = other;
    this.standing = fromText(on).filter(([, , what]) => KINDS[what]);
    this.sketch.draw(fromText(draw).map(([dx, dy, how]) => [dx, dy, HOW_OF[how]]));
    const notations = [...byId("notation").options].map((each) => each.value);
    const lost = misread(given, {in: notations, its: notations, other: [other]},
                         {on: this.standing, draw: this.sketch.drawn()});
    byId("link").textContent = lost.length ? `Part of the link was not understood: ${lost.join(", ")}.` : "";
  }

  /** Put everything into the address. */
  remember() {
    const [text, notation] = this.text();
    remember({
      text,
      in: notation,
      on: inText(this.standing),
      other: byId("other").value,
      its: byId("other").value && byId("other-notation").value,
      draw: inText(this.sketch.drawn().map(([dx, dy, how]) => [dx, dy, HOW[how]])),
    });
  }

  /** Ask alfil; while it answers, the page says that it is busy. Null where that is out of date. */
  async ask(channel, call, ...args) {
    this.pending++;
    this.main.setAttribute("aria-busy", "true");
    const limit = args.at(-1) === NEAREST ? PATIENCE : LIMIT;
    const answer = await this.engine.ask(channel, call, args, limit);
    if (!--this.pending) this.main.setAttribute("aria-busy", "false");
    if (answer?.stopped) return {problem: STOPPED};
    return answer?.broken ? {problem: `${BROKEN} (${answer.broken})`} : answer;
  }

  /** The text has changed. */
  async update() {
    this.remember();
    this.main.classList.toggle("blank", !byId("text").value.trim());
    if (this.isBlank()) return this.clear();
    const answer = await this.ask("read", "read", ...this.text());
    if (!answer) return undefined;
    this.show(answer);
    this.compare();
    if (!answer.data) return undefined;
    this.ask("elsewhere", "elsewhere", ...this.text()).then((found) => this.tellElsewhere(found));
    this.ask("names", "names", ...this.text()).then((found) => this.tellNames(found));
    return undefined;
  }

  isBlank() {
    return this.main.classList.contains("blank");
  }

  /** Where nothing is written, nothing is found; examples stand in the place of a piece. */
  clear() {
    for (const each of ["read", "elsewhere", "names", "compare"]) this.engine.drop(each);
    for (const each of ["echo", "diagnostics", "last", "comparison"]) byId(each).replaceChildren();
    byId("text").setAttribute("aria-invalid", false);
  }

  show(answer) {
    const diagnostics = answer.diagnostics || [], text = answer.text ?? byId("text").value;
    const wrong = Boolean(answer.problem) || !answer.data;
    byId("echo").replaceChildren(...(diagnostics.length ? underlined(text, diagnostics) : []));
    byId("diagnostics").replaceChildren(...diagnostics.map((each) => diagnosticItem(each, (fixed) => this.write(fixed))));
    if (answer.problem) byId("diagnostics").append(element("li", {class: "error"}, answer.problem));
    byId("text").setAttribute("aria-invalid", wrong);
    this.main.classList.toggle("stale", wrong);
    if (!wrong) this.readable = text;
    const last = Array.from(this.readable ?? "");
    const told = last.slice(0, SHOWN).join("") + (last.length > SHOWN ? "…" : "");
    byId("last").textContent = wrong && last.length ? `What follows is of the last readable text: ${told}` : "";
    for (const each of document.querySelectorAll("[data-form]")) each.disabled = wrong;
    if (wrong) return;
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
    const placed = this.standing.filter(([dx, dy]) =>
      x + dx >= 0 && x + dx < files && y + dy >= 0 && y + dy < ranks && (dx || dy));
    data.standing = placed.map(([dx, dy, what]) => [(y + dy) * files + x + dx, KINDS[what]]);
    this.board = new Board(byId("board"), data, this.signs, () => {
      this.standing = [...this.board.contents].flatMap((kind, square) => kind === VACANT ? []
        : [[square % files - x, Math.floor(square / files) - y, LETTERS[kind]]]);
      this.remember();
    });
  }

  tellElsewhere(found) {
    if (!found?.notations) return;
    byId("notations").replaceChildren(...found.notations.map((each) => element("div", {},
      element("dt", {}, each.title), element("dd", {}, ...this.written(each)))));
    byId("programs").replaceChildren(...found.programs.map((each) => element("section", {class: "program"},
      element("h3", {}, `${each.title} ${each.verdict}`),
      each.ignored.length ? element("p", {class: "echo"}, ...underlined(byId("text").value,
        [{severity: "warning", spans: each.ignored}])) : "",
      element("p", {}, each.english || "Nobody has found out yet what it does with this."),
      each.svg ? element("img", {src: pictured(each.svg), alt: `What ${each.title} has: ${each.english}`}) : "")));
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
    if (found.same.length) lines.push(this.sameLine(found.same, named));
    for (const each of found.turned) lines.push(line(`When ${each.how}:`, [each]));
    if (found.near.length) lines.push(line("Most alike:", found.near));
    else if (!found.same.length) lines.push(element("li", {}, "None that comes along. ", this.nearButton()));
    byId("names").replaceChildren(...lines);
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

  /** Compare with the second text. */
  async compare() {
    this.remember();
    const root = byId("comparison"), other = byId("other").value;
    if (!other || this.isBlank() || this.main.classList.contains("stale")) return root.replaceChildren();
    const found = await this.ask("compare", "compare", ...this.text(), other, byId("other-notation").value);
    if (!found) return;
    if (found.problem) return root.replaceChildren(element("p", {class: "error"}, found.problem));
    const diagnostics = (found.diagnostics || []).map((each) => diagnosticItem(each, (text) => {
      enter();
      byId("other").value = text;
      this.compare();
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

  /** Give the piece as a file, with what stands on the board. */
  async download(form) {
    const [text, notation] = this.text(), standing = {};
    for (const [dx, dy, what] of this.standing) (standing[NAMES[what]] ||= []).push([dx, dy]);
    const found = await this.ask("download", "download", text, notation, form === "png" ? "svg" : form, standing);
    if (found?.problem) byId("diagnostics").replaceChildren(element("li", {class: "error"}, found.problem));
    if (!found?.content) return;
    const {content} = found;
    if (form === "svg") save(fileName(text, "svg"), content, "image/svg+xml");
    if (form === "png") save(fileName(text, "png"), await inPNG(content));
    if (form === "table") save(fileName(text, "json"), JSON.stringify(content), "application/json");
    if (form === "wikitext") save(fileName(text, "wiki"), content, "text/plain");
  }
}

/** How a piece is like the one that is asked about; nothing for one that is the same. */
const nearly = ({relation, shared, total}) => relation
  ? ` ${Math.round((100 * shared) / total)} %${{more: ", has more", less: ", has less"}[relation] || ""}` : "";

/** Choose an option if it is one. */
function choose(select, value) {
  if ([...select.options].some((each) => each.value === value)) select.value = value;
}

new Playground();
