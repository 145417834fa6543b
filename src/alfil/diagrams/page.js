// A diagram that answers: pieces placed on its squares, by mouse, finger or keyboard, change the
// moves it shows. alfil/diagrams/html.py writes the data and says what is in it.

const STANDS = {[ENEMY]: "enemy", [ROYAL]: "enemy_royal", [FRIEND]: "friend"};

// A mouse that only crosses the board leaves it alone.
const HOVER_DELAY = 140;

const HELP = "Rest the mouse on a square to see what an enemy there would change and where moves "
  + "go on from it; click or tap to place an enemy, again for a piece of its own side, again for "
  + "none. Keys: arrows, Enter, Escape to clear.";

// The signs of squares that a move ends on.
const ENDS = /^(step|leap|hurdle|locust|first|timed|castle|own$|royal)/;

/** The squares of a board as a grid of elements; one of them at a time is in the tab order. */
class Grid {
  /** `label` names the grid; `open` leaves room for arrows around it. */
  constructor(board, label, open) {
    this.board = board;
    this.cells = [];
    const margin = open ? ARROW_MARGIN : 0;
    const rows = element("div", {class: "squares", role: "rowgroup"});
    for (let rank = board.ranks - 1; rank >= 0; rank--) {
      const row = element("div", {class: "row", role: "row"});
      for (let file = 0; file < board.files; file++) row.append(this.cell(file, rank));
      rows.append(row);
    }
    this.lines = new Lines(board, margin);
    this.root = element("div", {class: "board", role: "grid", "aria-label": label},
                        rows, this.lines.drawing);
    this.root.style.setProperty("--files", board.files);
    this.root.style.setProperty("--ranks", board.ranks);
    this.root.style.setProperty("--rim", margin / SQUARE);
    this.cells[board.at].classList.add("home");
    this.focus(board.at, false);
  }

  /** A square of its colour, on a real board with the names along the left and below. */
  cell(file, rank) {
    const {board} = this, square = rank * board.files + file;
    const [homeFile, homeRank] = placeOf(board, board.at);
    // As on any board the near left corner is dark; in an open diagram the piece stands on light.
    const even = (file + rank + (board.wraps ? 0 : homeFile + homeRank + 1)) % 2 === 0;
    const cell = element("div", {class: `cell ${even ? "dark" : "light"}`, role: "gridcell",
                                 tabindex: "-1", "data-square": square});
    const [ofFile, ofRank] = labels(board, file, rank);
    if (board.wraps && file === 0) cell.dataset.rank = ofRank;
    if (board.wraps && rank === 0) cell.dataset.file = ofFile;
    return this.cells[square] = cell;
  }

  /** The square an event is about, -1 for none. */
  squareOf(event) {
    const cell = event.target.closest("[data-square]");
    return cell ? Number(cell.dataset.square) : -1;
  }

  focus(square, move) {
    if (this.focused !== undefined) this.cells[this.focused].tabIndex = -1;
    this.focused = square;
    this.cells[square].tabIndex = 0;
    if (move) this.cells[square].focus({preventScroll: true});
  }

  /** Move the focus as a key says; whether it is a key that does so. */
  walk(key) {
    const {files, ranks} = this.board, [x, y] = placeOf(this.board, this.focused);
    const to = {
      ArrowLeft: [x - 1, y], ArrowRight: [x + 1, y], ArrowUp: [x, y + 1], ArrowDown: [x, y - 1],
      Home: [0, y], End: [files - 1, y], PageUp: [x, ranks - 1], PageDown: [x, 0],
    }[key];
    if (!to) return false;
    const [file, rank] = to;
    if (file >= 0 && file < files && rank >= 0 && rank < ranks) this.focus(rank * files + file, true);
    return true;
  }

  /** Put on a square what stands there ("" for nothing) and its signs; `words` say it. */
  fill(square, stands, signs, words) {
    const home = square === this.board.at, cell = this.cells[square];
    // Signs over a piece are small, but for the marked corners of its square.
    const isCorners = (name) => stands && name === "over";
    const small = signs.filter((name) => !isCorners(name));
    const groups = home ? small.map((name) => [name]) : small.length ? [small] : [];
    const below = stands ? [drawing([stands, ...signs.filter(isCorners)])] : [];
    cell.replaceChildren(...below, ...groups.map(drawing));
    cell.classList.toggle("taken", Boolean(stands) && groups.length > 0 && !home);
    cell.setAttribute("aria-label", `${squareName(this.board, square)}: ${words || "empty"}`);
  }

  /** Mark the square of a piece that is only imagined, -1 for none, and the ends of a sequel. */
  mark(imagined, ends) {
    this.cells.forEach((cell, square) => {
      cell.classList.toggle("ghost", square === imagined);
      cell.classList.toggle("sequel", ends.has(square));
    });
  }
}

/**
 * One diagram with its controls in an element. Everything it needs to know is in `data`; `signs`
 * has the words for all signs, in the order of the legend.
 *
 * It shows either every move of the piece (`all`), or those in the position on its board
 * (`contents`) at a `moment`. The mouse rests on the square `looked`, -1 for none.
 */
class Board {
  constructor(root, data, signs) {
    this.data = data;
    const {files, ranks} = data.board;
    this.contents = new Uint8Array(files * ranks).fill(VACANT);
    for (const [square, standing] of data.standing) this.contents[square] = standing;
    this.all = !data.standing.length;
    this.moment = data.moments[data.moment];
    this.words = new Map(signs.map(([name, words]) => [name, data.words[name] || words]));
    this.looked = -1;
    this.grid = new Grid(data.board, data.label, data.exits.length > 0);
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
    this.allButton = this.button("Every move", () => this.clear());
    this.hereButton = this.button("This position", () => { this.all = false; this.show(); });
    this.clearButton = this.button("Clear", () => {
      this.clear();
      this.grid.focus(this.grid.focused, true);
    });
    bar.append(element("span", {class: "switch", role: "group", "aria-label": "What is shown"},
                       this.allButton, this.hereButton));
    if (this.data.example.length) {
      bar.append(this.button("The example", () => this.place(this.data.example)));
    }
    if (this.data.moments.length > 1) bar.append(this.momentChoice());
    bar.append(this.clearButton);
    return bar;
  }

  button(words, act) {
    const button = element("button", {type: "button"}, words);
    button.addEventListener("click", act);
    return button;
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
    if (event.altKey || event.ctrlKey || event.metaKey) return;
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
  }

  isClear() {
    return this.contents.every((standing) => standing === VACANT);
  }

  /** Draw what there is to see; `spoken` is false for what nobody has asked to hear. */
  show(spoken = true) {
    const view = this.all && this.looked < 0 ? this.everything() : this.inPosition();
    const used = new Set(this.data.exampleSigns);
    view.contents.forEach((standing, square) =>
      this.fill(square, standing, view.signs(square), used));
    for (const [, , kind] of view.lines) used.add(LINES[kind]);
    for (const [, , , kind] of view.exits) used.add(LINES[kind]).add("arrow");
    const imagined = view.contents.findIndex((standing, at) => standing !== this.contents[at]);
    this.grid.mark(imagined, view.sequel.ends);
    this.grid.lines.show(view.lines, view.exits, view.sequel.lines);
    this.explain(used);
    this.say(view.words, spoken);
    if (this.data.placeable) {
      this.allButton.setAttribute("aria-pressed", this.all);
      this.hereButton.setAttribute("aria-pressed", !this.all);
      this.clearButton.disabled = this.isClear();
    }
  }

  /** What is shown of the whole piece: contents, signs by square, lines, exits, and words. */
  everything() {
    const {contents} = this, {home, every, lines, exits, board} = this.data;
    const count = Object.values(every).filter((names) => names.some((each) => ENDS.test(each))).length;
    const beyond = exits.length ? " and on beyond the diagram" : "";
    const words = `Every move: ${count} ${count === 1 ? "square" : "squares"}${beyond}.`;
    const signs = (square) => (square === board.at ? home : every[square] || []);
    return {contents, signs, lines, exits, words, sequel: NO_SEQUEL};
  }

  /** What is shown of the position, likewise, and what follows on the square looked at. */
  inPosition() {
    const {contents, looked} = this;
    try {
      const position = this.looking();
      const probed = position.probe(), sequel = position.sequel(looked);
      const words = this.inWords(position, sequel)
        + (probed ? "" : " Too many to say what it could capture on empty squares.");
      const signs = (square) => position.signs(square);
      return {contents: position.contents, signs, lines: position.lines(),
              exits: position.exits(), words, sequel};
    } catch (error) {
      if (!(error instanceof TooManyMoves)) throw error;
      const words = "More moves than can be listed; take a piece off the board.";
      return {contents, signs: () => [], lines: [], exits: [], words, sequel: NO_SEQUEL};
    }
  }

  /** The position, with an enemy imagined on an empty square looked at, unless moves turn there. */
  looking() {
    const {data, contents, moment, looked} = this;
    const position = new Position(data, contents.slice(), moment);
    if (looked < 0 || contents[looked] !== VACANT || position.turnsOn(looked)) return position;
    const imagined = contents.slice();
    imagined[looked] = ENEMY;
    return new Position(data, imagined, moment);
  }

  inWords(position, sequel) {
    const {looked, contents} = this, where = looked < 0 ? "" : squareName(this.data.board, looked);
    const imagined = looked >= 0 && position.contents[looked] !== contents[looked];
    const number = sequel.ends.size, squares = number === 1 ? "1 square" : `${number} squares`;
    return (imagined ? `With an enemy on ${where}: ` : "") + position.count()
      + (number ? ` Over ${where} it goes on to ${squares}.` : "");
  }

  /** Show a square with what stands there, and note the signs that are used. */
  fill(square, standing, signs, used) {
    const stands = square === this.data.board.at ? "piece" : STANDS[standing] || "";
    const names = stands ? [stands, ...signs] : signs;
    for (const name of names) used.add(name);
    this.grid.fill(square, stands, signs, names.map((name) => this.meaning(name)).join("; "));
  }

  /** The legend of the signs and lines that are used. */
  explain(used) {
    const names = [...this.words.keys()].filter((name) => used.has(name));
    this.legend.replaceChildren(...names.map((name) =>
      element("li", {}, drawing([name]), element("span", {}, this.meaning(name)))));
  }

  /** What a sign means; in a position it goes without saying that captures are nothing else. */
  meaning(name) {
    const words = this.words.get(name);
    return this.all && this.looked < 0 ? words : words.replace("captures only", "captures");
  }

  say(words, spoken) {
    if (this.status.textContent === words) return;
    this.status.setAttribute("aria-live", spoken ? "polite" : "off");
    this.status.textContent = words;
  }
}
