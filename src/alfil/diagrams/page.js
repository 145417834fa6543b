// A diagram that answers: pieces placed on its squares, by mouse, finger or keyboard, change the
// moves it shows. alfil/diagrams/html.py writes the data and says what is in it.

const STANDS = {[ENEMY]: "enemy", [ROYAL]: "enemy_royal", [FRIEND]: "friend"};

// A mouse that only crosses the board leaves it alone.
const HOVER_DELAY = 140;

const HELP = "Rest the mouse on a square to see what an enemy there would change; click or tap to "
  + "place an enemy, again for a piece of its own side, again for none. Keys: arrows, Enter, Escape "
  + "to clear.";

const SVG = "http://www.w3.org/2000/svg";

/** An element with attributes; `children` are elements or texts. */
function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** A drawing of some signs side by side, each a symbol of the page; corners stay where they are. */
function drawing(names) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "-20 -20 40 40");
  svg.setAttribute("aria-hidden", "true");
  const inside = names.filter((name) => name !== "over");
  const scale = inside.length > 1 ? 1.3 / inside.length : 1;
  for (const name of names) {
    const use = document.createElementNS(SVG, "use");
    use.setAttribute("href", `#sign-${name}`);
    use.setAttribute("class", `sign ${name}`);
    const x = ((inside.indexOf(name) + 0.5) / inside.length - 0.5) * 38;
    if (name !== "over" && inside.length > 1) {
      use.setAttribute("transform", `translate(${x} 0) scale(${scale})`);
    }
    svg.append(use);
  }
  return svg;
}

/** The letters of a file counted from 0; z is followed by aa. */
const fileName = (file) =>
  (file >= 26 ? String.fromCharCode(96 + Math.floor(file / 26)) : "")
  + String.fromCharCode(97 + file % 26);

/** What a file and a rank are called, in that order. */
const labels = ({files, ranks, shogi}, file, rank) =>
  shogi ? [`${files - file}`, fileName(ranks - 1 - rank)] : [fileName(file), `${rank + 1}`];

/** A square's name, on a board as in e5, in an open diagram as seen from the piece. */
function squareName(board, square) {
  const {files, at, wraps} = board;
  const file = square % files, rank = Math.floor(square / files);
  if (wraps) return labels(board, file, rank).join("");
  const x = file - at % files, y = rank - Math.floor(at / files), words = [];
  if (y) words.push(`${Math.abs(y)} ${y > 0 ? "forward" : "back"}`);
  if (x) words.push(`${Math.abs(x)} ${x > 0 ? "right" : "left"}`);
  return words.join(", ") || "home";
}

/** Data that the page carries under a name. */
const read = (id) => JSON.parse(document.getElementById(id).textContent);

/** A direction in eighths of a circle, clockwise from forward. */
const eighths = (dx, dy) => modulo(Math.round(Math.atan2(dx, dy) / (Math.PI / 4)), 8);

/**
 * The board of one diagram with its controls. Everything it needs to know is in `data`; `signs`
 * has the words for all signs, in the order of the legend.
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
    this.preview = -1;
    this.cells = [];
    this.rim = new Map();
    this.status = element("p", {class: "status", role: "status", "aria-live": "polite"});
    this.legend = element("ul", {class: "legend"});
    this.grid = this.drawGrid();
    root.replaceChildren(this.grid, this.status, this.drawControls(), this.legend);
    if (data.placeable) root.append(element("p", {class: "note help"}, HELP));
    for (const note of data.notes) root.append(element("p", {class: "note"}, note));
    this.focus(data.board.at, false);
    this.show();
  }

  drawGrid() {
    const {files, ranks, at} = this.data.board;
    const rim = this.data.arrows.length ? 1 : 0;
    const grid = element("div", {class: "board", role: "grid", "aria-label": this.data.label});
    grid.style.setProperty("--files", files + 2 * rim);
    this.lines = document.createElementNS(SVG, "svg");
    this.lines.setAttribute("class", "lines");
    this.lines.setAttribute("aria-hidden", "true");
    this.lines.setAttribute("viewBox", `${-rim} ${-rim} ${files + 2 * rim} ${ranks + 2 * rim}`);
    for (let y = ranks - 1 + rim; y >= -rim; y--) {
      const row = element("div", {class: "row", role: "row"});
      for (let x = -rim; x < files + rim; x++) {
        const inside = x >= 0 && x < files && y >= 0 && y < ranks;
        row.append(inside ? this.drawCell(y * files + x) : this.drawRim(x, y));
      }
      grid.append(row);
    }
    grid.append(this.lines);
    if (this.data.placeable) this.listen(grid);
    grid.addEventListener("keydown", (event) => this.key(event));
    this.cells[at].classList.add("home");
    return grid;
  }

  drawCell(square) {
    const {files, at, wraps} = this.data.board, file = square % files;
    const parity = (each) => (each % files + Math.floor(each / files)) % 2;
    // As on any board the near left corner is dark; in an open diagram the piece stands on light.
    const shade = wraps ? !parity(square) : parity(square) !== parity(at);
    const cell = element("div", {class: `cell ${shade ? "dark" : "light"}`, role: "gridcell",
                                 tabindex: "-1", "data-square": square});
    const [ofFile, ofRank] = labels(this.data.board, file, Math.floor(square / files));
    if (wraps && file === 0) cell.dataset.rank = ofRank;
    if (wraps && square < files) cell.dataset.file = ofFile;
    return this.cells[square] = cell;
  }

  drawRim(x, y) {
    const cell = element("div", {class: "rim", role: "presentation"});
    this.rim.set(`${x},${y}`, cell);
    return cell;
  }

  drawControls() {
    const bar = element("div", {class: "controls"});
    if (!this.data.placeable) return bar;
    this.allButton = this.button("Every move", () => { this.all = true; this.clear(); });
    this.hereButton = this.button("This position", () => { this.all = false; this.show(); });
    this.clearButton = this.button("Clear", () => { this.clear(); this.focus(this.focused, true); });
    bar.append(element("span", {class: "switch", role: "group", "aria-label": "What is shown"},
                       this.allButton, this.hereButton));
    if (this.data.moments.length > 1) bar.append(this.drawMoments());
    bar.append(this.clearButton);
    return bar;
  }

  button(words, act) {
    const button = element("button", {type: "button"}, words);
    button.addEventListener("click", act);
    return button;
  }

  drawMoments() {
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

  listen(grid) {
    const squareOf = (event) => {
      const cell = event.target.closest("[data-square]");
      return cell ? Number(cell.dataset.square) : -1;
    };
    grid.addEventListener("click", (event) => {
      const square = squareOf(event);
      if (square < 0) return;
      this.focus(square, true);
      this.cycle(square);
    });
    grid.addEventListener("pointerover", (event) => {
      if (event.pointerType !== "mouse") return;
      this.hover(squareOf(event));
    });
    grid.addEventListener("pointerleave", () => this.hover(-1));
  }

  /** A mouse that rests on an empty square shows what an enemy there would change. */
  hover(square) {
    clearTimeout(this.waiting);
    if (square === this.preview) return;
    const empty = square >= 0 && square !== this.data.board.at && this.contents[square] === VACANT;
    this.waiting = setTimeout(() => {
      if (this.preview === (empty ? square : -1)) return;
      this.preview = empty ? square : -1;
      this.show(false);
    }, HOVER_DELAY);
  }

  cycle(square) {
    if (square === this.data.board.at) return;
    const order = [VACANT, ...this.data.cycle];
    const next = order[(order.indexOf(this.contents[square]) + 1) % order.length];
    this.contents[square] = next;
    this.preview = -1;
    clearTimeout(this.waiting);
    this.all = this.isClear();
    this.show();
  }

  isClear() {
    return this.contents.every((standing) => standing === VACANT);
  }

  clear() {
    this.contents.fill(VACANT);
    this.all = true;
    this.preview = -1;
    clearTimeout(this.waiting);
    this.show();
  }

  key(event) {
    const {files, ranks} = this.data.board;
    const x = this.focused % files, y = Math.floor(this.focused / files);
    const to = {
      ArrowLeft: [x - 1, y], ArrowRight: [x + 1, y], ArrowUp: [x, y + 1], ArrowDown: [x, y - 1],
      Home: [0, y], End: [files - 1, y], PageUp: [x, ranks - 1], PageDown: [x, 0],
    }[event.key];
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (to) {
      const [file, rank] = to;
      if (file >= 0 && file < files && rank >= 0 && rank < ranks) this.focus(rank * files + file, true);
    } else if (this.data.placeable && (event.key === "Enter" || event.key === " ")) {
      this.cycle(this.focused);
    } else if (event.key === "Escape" && !this.isClear()) {
      this.clear();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  /** One square at a time is in the tab order. */
  focus(square, move) {
    if (this.focused !== undefined) this.cells[this.focused].tabIndex = -1;
    this.focused = square;
    this.cells[square].tabIndex = 0;
    if (move) this.cells[square].focus({preventScroll: true});
  }

  /** Draw what there is to see; `spoken` is false for what nobody has asked to hear. */
  show(spoken = true) {
    const contents = this.contents.slice();
    if (this.preview >= 0) contents[this.preview] = ENEMY;
    const {home} = this.data, {at} = this.data.board;
    let signs = (square) => (square === at ? home : this.data.every[square] || []);
    let {arrows} = this.data;
    let words = this.everySquare(), lines = this.data.lines;
    if (!this.all || this.preview >= 0) {
      try {
        const position = new Position(this.data, contents, this.moment);
        signs = (square) => position.signs(square);
        arrows = this.data.arrows.length ? position.arrows() : [];
        lines = position.lines();
        words = position.count();
        if (this.preview >= 0) words = `With an enemy on ${squareName(this.data.board, this.preview)}: ${words}`;
        if (!position.probed) words += " Too many to say what it could capture on empty squares.";
      } catch (error) {
        if (!(error instanceof TooManyMoves)) throw error;
        signs = () => [];
        arrows = lines = [];
        words = "More moves than can be listed; take a piece off the board.";
      }
    }
    const used = new Set();
    this.cells.forEach((cell, square) => this.fill(cell, square, contents[square], signs(square), used));
    this.showLines(lines);
    this.showArrows(arrows);
    this.showLegend(used, arrows.length > 0);
    this.say(words, spoken);
    if (this.data.placeable) {
      this.allButton.setAttribute("aria-pressed", this.all);
      this.hereButton.setAttribute("aria-pressed", !this.all);
      this.clearButton.disabled = this.isClear();
    }
  }

  /** How many squares every move together reaches, in words. */
  everySquare() {
    const ends = (name) => /^(step|leap|hurdle|locust|first|timed|castle|own|royal)/.test(name);
    const count = Object.values(this.data.every).filter((names) => names.some(ends)).length;
    const beyond = this.data.arrows.length ? " and on beyond the diagram" : "";
    return `Every move: ${count} ${count === 1 ? "square" : "squares"}${beyond}.`;
  }

  fill(cell, square, standing, signs, used) {
    const home = square === this.data.board.at;
    const stands = home ? "piece" : STANDS[standing];
    const names = [...(stands ? [stands] : []), ...signs];
    const said = names.map((name) => this.meaning(name)).join("; ");
    const layers = stands ? [drawing([stands])] : [];
    if (home) layers.push(...signs.map((name) => drawing([name])));
    else if (signs.length) layers.push(drawing(signs));
    for (const name of names) used.add(name);
    cell.replaceChildren(...layers);
    cell.classList.toggle("ghost", square === this.preview);
    cell.classList.toggle("taken", Boolean(stands) && signs.length > 0 && !home);
    cell.setAttribute("aria-label", `${squareName(this.data.board, square)}: ${said || "empty"}`);
  }

  showLines(lines) {
    const {files, ranks} = this.data.board;
    const place = (square) => `${square % files + 0.5} ${ranks - Math.floor(square / files) - 0.5}`;
    const path = document.createElementNS(SVG, "path");
    path.setAttribute("d", lines.map(([from, to]) => `M${place(from)}L${place(to)}`).join(""));
    this.lines.replaceChildren(path);
  }

  /** Where moves leave a place in several directions, one arrow points straight outwards. */
  showArrows(arrows) {
    const {files, ranks} = this.data.board, turns = new Map();
    for (const [x, y, dx, dy] of arrows) {
      const place = `${x},${y}`, turn = eighths(dx, dy);
      const outward = eighths((x >= files) - (x < 0), (y >= ranks) - (y < 0));
      turns.set(place, turns.has(place) && turns.get(place) !== turn ? outward : turn);
    }
    for (const [place, cell] of this.rim) {
      cell.replaceChildren();
      if (!turns.has(place)) continue;
      const svg = drawing(["arrow"]);
      svg.style.transform = `rotate(${turns.get(place) * 45}deg)`;
      cell.append(svg);
    }
  }

  showLegend(used, goesOn) {
    const names = [...this.words.keys()].filter((name) =>
      used.has(name) || (goesOn && name === "arrow"));
    this.legend.replaceChildren(...names.map((name) =>
      element("li", {}, drawing([name]), element("span", {}, this.meaning(name)))));
  }

  /** What a sign means; in a position it goes without saying that captures are nothing else. */
  meaning(name) {
    const words = this.words.get(name);
    return this.all && this.preview < 0 ? words : words.replace("captures only", "captures");
  }

  say(words, spoken) {
    if (this.status.textContent === words) return;
    this.status.setAttribute("aria-live", spoken ? "polite" : "off");
    this.status.textContent = words;
  }
}
