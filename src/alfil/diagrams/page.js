// A diagram that answers: pieces placed on its squares, by mouse, finger or keyboard, change the
// moves it shows. alfil/diagrams/html.py writes the data and says what is in it.

import {drawing, drawn, element, GROUNDS, LINES} from "./drawing.js";
import {button, Grid, isShortcut} from "./grid.js";
import {ENEMY, FRIEND, ROYAL, VACANT} from "./moves.js";
import {everyMove, inPosition} from "./view.js";

const STANDS = {[ENEMY]: "enemy", [ROYAL]: "enemy_royal", [FRIEND]: "friend"};

// A mouse that only crosses the board leaves it alone.
const HOVER_DELAY = 140;

const HELP = "Rest the mouse on a square to see what an enemy there would change and where moves "
  + "go on from it; click or tap to place an enemy, again for a piece of its own side, again for "
  + "none. Keys: arrows, Enter, Escape to clear.";

/**
 * One diagram with its controls in an element. Everything it needs to know is in `data`; `signs`
 * has the words for all signs, in the order of the legend.
 *
 * It shows either every move of the piece (`all`), or those in the position on its board
 * (`contents`) at a `moment`. The mouse rests on the square `looked`, -1 for none. `changed` is
 * called after somebody has placed or taken off a piece.
 */
export class Board {
  constructor(root, data, signs, changed = () => {}) {
    this.data = data;
    this.tell = changed;
    const {files, ranks, at} = data.board;
    this.contents = new Uint8Array(files * ranks).fill(VACANT);
    for (const [square, standing] of data.standing) this.contents[square] = standing;
    this.all = !data.standing.length;
    this.moment = data.moments[data.moment];
    this.words = new Map(signs.map(([name, words]) => [name, data.words[name] || words]));
    this.looked = -1;
    this.grid = new Grid(data.board, data.label, data.margin);
    this.grid.cells[at].classList.add("home");
    this.grid.mark("body", (square) => data.body.includes(square));
    this.grid.lines.outline(data.regions);
    this.grid.mark("swept", (square) => data.swept.includes(square));
    this.status = element("p", {class: "status", role: "status", "aria-live": "polite"});
    this.legend = element("ul", {class: "legend"});
    root.replaceChildren(this.grid.root, this.status, this.controls());
    if (data.explained) root.append(this.legend);
    if (data.placeable) root.append(element("p", {class: "note help"}, HELP));
    for (const note of data.notes) root.append(element("p", {class: "note"}, note));
    this.listen();
    this.show();
  }

  /** The buttons, as far as pieces can be placed at all. */
  controls() {
    const bar = element("div", {class: "controls"});
    if (!this.data.placeable) return bar;
    this.allButton = button("Every move", () => this.clear());
    this.hereButton = button("This position", () => { this.all = false; this.show(); });
    this.clearButton = button("Clear", () => {
      this.clear();
      this.grid.focus(this.grid.focused, true);
    });
    bar.append(element("span", {class: "switch", role: "group", "aria-label": "What is shown"},
                       this.allButton, this.hereButton));
    if (this.data.example.length) {
      bar.append(button("The example", () => this.place(this.data.example)));
    }
    if (this.data.moments.length > 1) bar.append(this.momentChoice());
    bar.append(this.clearButton);
    return bar;
  }

  momentChoice() {
    const select = element("select", {}, ...this.data.moments.map(([words], index) =>
      element("option", {value: index}, words)));
    select.value = this.data.moment;
    select.addEventListener("change", () => {
      this.moment = this.data.moments[select.value];
      this.all = false;
      this.show();
    });
    return element("label", {class: "moment"}, "This is ", select);
  }

  listen() {
    const {root} = this.grid;
    root.addEventListener("keydown", (event) => this.key(event));
    if (!this.data.placeable) return;
    root.addEventListener("click", (event) => {
      const square = this.grid.squareOf(event);
      if (square < 0) return;
      this.grid.focus(square, true);
      this.cycle(square);
    });
    root.addEventListener("pointerover", (event) => {
      if (event.pointerType === "mouse") this.lookAt(this.grid.squareOf(event));
    });
    root.addEventListener("pointerleave", () => this.lookAt(-1));
  }

  key(event) {
    if (isShortcut(event)) return;
    if (this.data.placeable && (event.key === "Enter" || event.key === " ")) {
      this.cycle(this.grid.focused);
    } else if (event.key === "Escape" && !this.isClear()) {
      this.clear();
    } else if (!this.grid.walk(event.key)) {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  /** Look at a square when the mouse has rested on it; there is nothing to learn from home. */
  lookAt(square) {
    clearTimeout(this.waiting);
    const looked = square === this.data.board.at ? -1 : square;
    if (looked === this.looked) return;
    this.waiting = setTimeout(() => {
      this.looked = looked;
      this.show(false);
    }, HOVER_DELAY);
  }

  /** Put the next kind of piece on a square, after the last one none. */
  cycle(square) {
    if (square === this.data.board.at) return;
    const order = [VACANT, ...this.data.cycle];
    this.contents[square] = order[(order.indexOf(this.contents[square]) + 1) % order.length];
    this.changed();
  }

  /** Have these pieces and no others on the board, each with its square. */
  place(pieces) {
    this.contents.fill(VACANT);
    for (const [square, standing] of pieces) this.contents[square] = standing;
    this.changed();
  }

  clear() {
    this.place([]);
  }

  changed() {
    clearTimeout(this.waiting);
    this.looked = -1;
    this.all = this.isClear();
    this.show();
    this.tell();
  }

  isClear() {
    return this.contents.every((standing) => standing === VACANT);
  }

  /** Draw what there is to see; `spoken` is false for what nobody has asked to hear. */
  show(spoken = true) {
    const {data, contents, moment, looked} = this;
    const view = this.showsAll() ? everyMove(data, contents)
                                 : inPosition(data, contents, moment, looked);
    const used = new Set();
    view.contents.forEach((standing, square) =>
      this.fill(square, standing, view.signs(square), used));
    for (const [, , kind] of view.lines) used.add(LINES[kind]);
    for (const [, , , kind] of view.exits) used.add(LINES[kind]).add("arrow");
    const imagined = view.contents.findIndex((standing, at) => standing !== contents[at]);
    this.grid.mark("ghost", (square) => square === imagined);
    this.grid.mark("sequel", (square) => view.sequel.ends.has(square));
    this.grid.lines.show(view.lines, view.exits, view.sequel.lines);
    this.explain(used);
    this.say(view.words, spoken);
    if (data.placeable) {
      this.allButton.setAttribute("aria-pressed", this.all);
      this.hereButton.setAttribute("aria-pressed", !this.all);
      this.clearButton.disabled = this.isClear();
    }
  }

  /** Whether every move is shown, and no square looked at. */
  showsAll() {
    return this.all && this.looked < 0;
  }

  /** Show a square with what stands there and its signs, and note the signs that are used. */
  fill(square, standing, signs, used) {
    const home = square === this.data.board.at, stands = home ? "piece" : STANDS[standing] || "";
    const names = stands ? [stands, ...signs] : signs;
    for (const name of names) used.add(name);
    // Signs over a piece are small, but for those of the ground of its square.
    const isBelow = (name) => stands && GROUNDS.has(name);
    const small = signs.filter((name) => !isBelow(name));
    const groups = home ? small.map((name) => [name]) : small.length ? [small] : [];
    const below = stands ? [drawing([...signs.filter(isBelow), stands])] : [];
    this.grid.put(square, [...below, ...groups.map(drawing)],
                  names.map((name) => this.meaning(name)).join("; "));
    this.grid.cells[square].classList.toggle("taken", Boolean(stands) && groups.length > 0 && !home);
  }

  /** The legend of the signs and lines that are used; a single sign has none. */
  explain(used) {
    const names = [...this.words.keys()].filter((name) => name !== "piece" && used.has(name));
    const regions = this.data.regions.map(([name, dashes]) => {
      const line = drawn("path", {class: "region", "stroke-dasharray": dashes, d: "M-17 0h34"});
      const sample = drawn("svg", {viewBox: "-20 -20 40 40", "aria-hidden": "true"}, line);
      return element("li", {}, sample, element("span", {}, name));
    });
    this.legend.hidden = names.filter((name) => name !== "arrow").length + regions.length < 2;
    this.legend.replaceChildren(...names.map((name) =>
      element("li", {}, drawing([name]), element("span", {}, this.meaning(name)))), ...regions);
  }

  /** What a sign means; in a position it goes without saying that captures are nothing else. */
  meaning(name) {
    const words = this.words.get(name);
    return this.showsAll() ? words : words.replace("captures only", "captures");
  }

  say(words, spoken) {
    if (this.status.textContent === words) return;
    this.status.setAttribute("aria-live", spoken ? "polite" : "off");
    this.status.textContent = words;
  }
}
