// A diagram that answers: pieces placed on its squares, by mouse, finger or keyboard, change the
// moves it shows. alfil/diagrams/html_page.py writes the data and says what is in it.

import {drawing, drawn, element, GROUNDS, LINES} from "./drawing.js";
import {button, followDrag, Grid, isShortcut} from "./grid.js";
import {ENEMY, FRIEND, ROYAL, VACANT} from "./moves.js";
import {everyMove, inPosition} from "./view.js";

const STANDS = {[ENEMY]: "enemy", [ROYAL]: "enemy_royal", [FRIEND]: "friend"};

// A mouse that only crosses the board leaves it alone.
const HOVER_DELAY = 140;

const HELP = "Rest the mouse on a square to see what an enemy there would change and where moves "
  + "go on from it; click or tap to place an enemy, again for a piece of its own side, again for "
  + "none. Drag a piece to another square. Keys: arrows, Enter, Escape to clear.";

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
    root.addEventListener("pointerdown", (event) => this.grasp(event));
  }

  /** Take up a piece, to be dragged to another square, or off the board. */
  grasp(event) {
    const from = this.grid.squareOf(event), {root} = this.grid;
    if (event.button || from < 0 || this.contents[from] === VACANT) return;
    let to = from;
    followDrag(event, {
      // What is captured is no click when it is let go.
      begin: () => root.setPointerCapture(event.pointerId),
      move: (now) => this.markDrag(from, to = this.grid.squareAt(now)),
      end: ({type}) => {
        this.markDrag(-1, -1);
        if (type === "pointerup") this.carry(from, to);
      },
    });
  }

  markDrag(from, to) {
    this.grid.mark("dragged", (square) => square === from);
    this.grid.mark("drop", (square) => square === to);
  }

  /** Move a piece from a square to another one; off the board where that is -1. */
  carry(from, to) {
    if (to === from || to === this.data.board.at) return;
    if (to >= 0) this.contents[to] = this.contents[from];
    this.contents[from] = VACANT;
    this.changed();
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
    const used = new Set(), faint = new Set();
    view.contents.forEach((standing, square) => {
      const {signs, would} = view.signs(square);
      this.fill(square, standing, signs, data.explained ? would : []);
      for (const name of signs) used.add(name);
      for (const name of would) faint.add(name);
      used.add(this.standsOn(square, standing));
    });
    for (const [, , kind] of view.lines) used.add(LINES[kind]);
    for (const [, , , kind] of view.exits) used.add(LINES[kind]).add("arrow");
    const imagined = view.contents.findIndex((standing, at) => standing !== contents[at]);
    this.grid.mark("ghost", (square) => square === imagined);
    this.grid.mark("sequel", (square) => view.sequel.ends.has(square));
    this.grid.lines.show(view.lines, view.exits, view.sequel.lines);
    this.explain(used, faint);
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

  /** The sign of what stands on a square, empty for nothing. */
  standsOn(square, standing) {
    return square === this.data.board.at ? "piece" : STANDS[standing] || "";
  }

  /** Show a square with what stands there and its signs; those in `would` are small and faint. */
  fill(square, standing, signs, would) {
    const home = square === this.data.board.at, stands = this.standsOn(square, standing);
    const names = stands ? [stands, ...signs] : signs;
    // Signs over a piece are small, but for those of the ground of its square.
    const isBelow = (name) => stands && GROUNDS.has(name);
    const small = signs.filter((name) => !isBelow(name));
    const groups = home ? small.map((name) => [name]) : small.length ? [small] : [];
    const below = stands ? [drawing([...signs.filter(isBelow), stands])] : [];
    const faint = would.length ? [drawing(would)] : [];
    for (const each of faint) each.classList.add("would");
    this.grid.put(square, [...below, ...groups.map(drawing), ...faint],
                  [...names.map((name) => this.meaning(name)), ...would.map((name) => this.wouldMean(name))]
                    .join("; "));
    const {classList} = this.grid.cells[square];
    classList.toggle("taken", Boolean(stands) && groups.length > 0 && !home);
    classList.toggle("movable", Boolean(stands) && !home);
  }

  /** The legend of the signs and lines that are used; last those of captures that are none yet. A single
      sign has none. */
  explain(used, faint) {
    const names = [...this.words.keys()].filter((name) => name !== "piece" && used.has(name));
    const regions = this.data.regions.map(([name, dashes]) => {
      const line = drawn("path", {class: "region", "stroke-dasharray": dashes, d: "M-17 0h34"});
      const sample = drawn("svg", {viewBox: "-20 -20 40 40", "aria-hidden": "true"}, line);
      return element("li", {}, sample, element("span", {}, name));
    });
    const row = (name, words) => element("li", {}, drawing([name]), element("span", {}, words));
    const would = [...this.words.keys()].filter((name) => faint.has(name)).map((name) => {
      const made = row(name, this.wouldMean(name));
      made.classList.add("would");
      return made;
    });
    const told = names.filter((name) => name !== "arrow").length + regions.length + would.length;
    this.legend.hidden = told < 2;
    this.legend.replaceChildren(...names.map((name) => row(name, this.meaning(name))), ...regions, ...would);
  }

  /** What a sign means on an empty square, where there is nothing to capture now. */
  wouldMean(name) {
    return `no move now; with a piece here: ${this.meaning(name)}`;
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
