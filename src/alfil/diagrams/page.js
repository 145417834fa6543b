// A diagram that answers: pieces placed on its squares, by mouse, finger or keyboard, change the
// moves it shows. alfil/diagrams/html.py writes the data and says what is in it.

const STANDS = {[ENEMY]: "enemy", [ROYAL]: "royal-enemy", [FRIEND]: "friend"};

// How a move may end on a square, as bits.
const MOVES = 1, CAPTURES = 2, TAKES_ROYAL = 4, TAKES_OWN = 8;
const FAMILIES = ["step", "leap", "hurdle", "locust", "first", "timed", "castle"];
const TIMING = ["move", "every", "third-rank"];
// So many moves may be looked at to find out what could be captured on empty squares.
const PROBE_LIMIT = 400000;
// Where more lines lead on from a square they are a web.
const WIDEST_FAN = 4;
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

/** A drawing of some signs side by side, each a symbol of the page. */
function drawing(names) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "-20 -20 40 40");
  svg.setAttribute("aria-hidden", "true");
  const scale = names.length > 1 ? 1.3 / names.length : 1;
  names.forEach((name, index) => {
    const use = document.createElementNS(SVG, "use");
    use.setAttribute("href", `#sign-${name}`);
    use.setAttribute("class", `sign ${name}`);
    const x = ((index + 0.5) / names.length - 0.5) * 38;
    if (names.length > 1) use.setAttribute("transform", `translate(${x} 0) scale(${scale})`);
    svg.append(use);
  });
  return svg;
}

/** A direction in eighths of a circle, clockwise from forward. */
const eighths = (dx, dy) => modulo(Math.round(Math.atan2(dx, dy) / (Math.PI / 4)), 8);

/** What a position shows: signs and words by square, the arrows that stay, and how many moves. */
class Position {
  constructor(data, contents, moment) {
    this.data = data;
    this.contents = contents;
    const {files, ranks, at, wraps} = data.board;
    const [, movesMade, thirdRank] = moment;
    this.scene = {files, ranks, at, wraps, contents, freshFriends: true, movesMade, thirdRank};
    this.moves = movesOf(data.table, this.scene);
    this.ways = new Map();
    this.victims = new Set();
    this.hurdles = new Set();
    for (const move of this.moves) this.note(move);
    this.probed = this.probe();
  }

  note(move) {
    const standing = this.contents[move.square];
    this.add(move, move.square === this.scene.at ? 0
      : {[VACANT]: MOVES, [ENEMY]: CAPTURES, [ROYAL]: TAKES_ROYAL, [FRIEND]: TAKES_OWN}[standing]);
    for (const square of move.captures) if (square !== move.square) this.victims.add(square);
    for (const square of move.hurdles) this.hurdles.add(square);
  }

  add(move, ends) {
    if (!this.ways.has(move.square)) this.ways.set(move.square, new Map());
    const ways = this.ways.get(move.square), family = this.family(move);
    ways.set(family, (ways.get(family) || 0) | ends);
  }

  family(move) {
    if (move.partner) return "castle";
    const timing = move.guard.filter(([kind]) => TIMING.includes(kind));
    if (timing.length) {
      const first = ([kind, value]) => kind === "third-rank" || (kind === "move" && value === 1);
      return timing.every(first) ? "first" : "timed";
    }
    if (move.captures.some((square) => square !== move.square)) return "locust";
    if (move.hurdles.length) return "hurdle";
    return this.data.leaps.includes(move.square) ? "leap" : "step";
  }

  /** Find out what could be captured on empty squares: put a piece there, and look. */
  probe() {
    let looked = 0;
    for (const square of this.data.probes) {
      if (this.contents[square] !== VACANT) continue;
      for (const [standing, ends] of this.data.victims) {
        this.contents[square] = standing;
        const moves = movesOf(this.data.table, this.scene);
        this.contents[square] = VACANT;
        looked += moves.length + 1;
        if (looked > PROBE_LIMIT) return false;
        for (const move of moves) {
          if (move.square === square && move.captures.includes(square)) this.add(move, ends);
        }
      }
    }
    return true;
  }

  /** The names of the signs on a square; what a plain move may do needs no second sign. */
  signs(square) {
    const ways = this.ways.get(square);
    const signs = [];
    let plain = 0, own = false, royal = false;
    for (const family of ways ? FAMILIES.filter((each) => ways.has(each)) : []) {
      const ends = ways.get(family) & ~plain, either = ends & (MOVES | CAPTURES);
      own = own || Boolean(ends & TAKES_OWN);
      royal = royal || (ends & TAKES_ROYAL && !(ends & CAPTURES));
      if (family === "step" || family === "leap") plain |= ends;
      if (family === "castle") signs.push("castle");
      else if (either) signs.push(`${family}-${["move", "capture", "either"][either - 1]}`);
    }
    if (own) signs.push("own");
    if (royal) signs.push("royal");
    if (this.victims.has(square)) signs.push("victim");
    if (!signs.length && this.hurdles.has(square)) signs.push("over");
    return signs;
  }

  /** The arrows of the diagram that still lead somewhere: on a wider board a move goes there. */
  arrows() {
    const {files, ranks, at} = this.scene, {arrows} = this.data;
    const rim = Math.max(0, ...arrows.flatMap(([, , dx, dy]) => [Math.abs(dx), Math.abs(dy)]));
    const wide = files + 2 * rim;
    const outer = (square) => (Math.floor(square / files) + rim) * wide + square % files + rim;
    const contents = new Uint8Array(wide * (ranks + 2 * rim)).fill(VACANT);
    this.contents.forEach((standing, square) => { contents[outer(square)] = standing; });
    const scene = {...this.scene, files: wide, ranks: ranks + 2 * rim, at: outer(at), contents};
    const reached = new Set(movesOf(this.data.table, scene).map((move) => move.square));
    const inside = (x, y) => x >= 0 && x < files && y >= 0 && y < ranks;
    const clamped = (value, size) => Math.max(-1, Math.min(size, value));
    return arrows.filter(([x, y, dx, dy]) => [...reached].some((square) => {
      const toX = square % wide - rim, toY = Math.floor(square / wide) - rim;
      return !inside(toX, toY) && inside(toX - dx, toY - dy)
        && clamped(toX, files) === x && clamped(toY, ranks) === y;
    }));
  }

  /** The steps of all moves of more than one, unless they are a web that explains nothing. */
  lines() {
    const steps = new Map(), fans = new Map();
    for (const {square, way} of this.moves) {
      if (!way.from) continue;
      for (let to = square, from = way; from; to = from.square, from = from.from) {
        steps.set(Math.min(to, from.square) * this.contents.length + Math.max(to, from.square),
                  [from.square, to]);
      }
    }
    for (const [from] of steps.values()) fans.set(from, (fans.get(from) || 0) + 1);
    fans.delete(this.scene.at);
    return Math.max(0, ...fans.values()) > WIDEST_FAN ? [] : [...steps.values()];
  }

  /** How many moves there are, in words. */
  count() {
    const all = this.moves.length, takes = this.moves.filter((move) => move.captures.length).length;
    if (!all) return "No moves here.";
    const moves = all === 1 ? "1 move" : `${all} moves`;
    if (!takes) return `${moves}, no captures.`;
    return takes === all ? `${moves}, ${all === 1 ? "a capture" : "all captures"}.`
                         : `${moves}, ${takes} of them ${takes === 1 ? "a capture" : "captures"}.`;
  }
}

/** The board of one diagram with its controls; everything it needs to know is in `data`. */
class Board {
  constructor(root, data) {
    this.data = data;
    const {files, ranks} = data.board;
    this.contents = new Uint8Array(files * ranks).fill(VACANT);
    this.all = true;
    this.moment = data.moments[data.moment];
    this.words = new Map(data.legend);
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
    const {files} = this.data.board;
    const shade = (square % files + Math.floor(square / files)) % 2 ? "dark" : "light";
    const cell = element("div", {class: `cell ${shade}`, role: "gridcell", tabindex: "-1",
                                 "data-square": square});
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
    this.all = !this.contents.some((standing) => standing !== VACANT);
    this.show();
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
    } else if (this.data.placeable && event.key === "Escape") {
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
    let signs = (square) => this.data.every[square] || [], arrows = this.data.arrows;
    let words = this.data.summary, lines = this.data.lines;
    if (!this.all || this.preview >= 0) {
      try {
        const position = new Position(this.data, contents, this.moment);
        signs = (square) => position.signs(square);
        arrows = this.data.arrows.length ? position.arrows() : [];
        lines = position.lines();
        words = position.count();
        if (this.preview >= 0) words = `With an enemy on ${this.data.names[this.preview]}: ${words}`;
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
      this.clearButton.disabled = !this.contents.some((standing) => standing !== VACANT);
    }
  }

  fill(cell, square, standing, signs, used) {
    const home = square === this.data.board.at;
    const stands = home ? "piece" : STANDS[standing];
    const names = [...(stands ? [stands] : []), ...(home ? [] : signs)];
    const said = names.map((name) => this.words.get(name)).join("; ");
    const layers = stands ? [drawing([stands])] : [];
    if (signs.length && !home) layers.push(drawing(signs));
    for (const name of names) used.add(name);
    cell.replaceChildren(...layers);
    cell.classList.toggle("ghost", square === this.preview);
    cell.classList.toggle("taken", Boolean(stands) && signs.length > 0 && !home);
    cell.setAttribute("aria-label", `${this.data.names[square]}: ${said || "empty"}`);
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
    const lines = this.data.legend.filter(([name]) => used.has(name) || (goesOn && name === "arrow"));
    this.legend.replaceChildren(...lines.map(([name, words]) =>
      element("li", {}, drawing([name]), element("span", {}, words))));
  }

  say(words, spoken) {
    if (this.status.textContent === words) return;
    this.status.setAttribute("aria-live", spoken ? "polite" : "off");
    this.status.textContent = words;
  }
}
