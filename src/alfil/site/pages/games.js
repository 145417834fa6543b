// A game at a table: board and hands, moves by click or key, the record beside it, an opponent.

import {copyLink, fields, packed, remember, unpacked} from "./address.js";
import {element, read, squareName} from "./drawing.js";
import {Engine} from "./engine.js";
import {fileName, pictured, save} from "./files.js";
import {diagnosticItem} from "./diagnostics.js";
import {button, Grid, isShortcut} from "./grid.js";

const byId = (id) => document.getElementById(id);

// Milliseconds that a question about a game may take: large games are slow to read.
const PATIENCE = 120000;
const STOPPED = "This took longer than two minutes and was stopped; Python is starting again.";

class Table {
  /** `first` is {source, setup, state} of the game that the page begins with. */
  constructor(first) {
    this.first = first;
    this.main = document.querySelector("main");
    byId("own").hidden = !document.querySelector("nav");
    this.pending = 0;
    this.engine = new Engine((state, words) => {
      byId("engine").textContent = words;
      byId("engine").dataset.state = state;
    });
    this.listen();
    this.follow();
  }

  listen() {
    byId("ask").addEventListener("submit", (event) => event.preventDefault());
    byId("game").addEventListener("change", () => byId("game").value && this.begin({name: byId("game").value}));
    byId("opponent").addEventListener("change", () => this.change());
    byId("undo").addEventListener("click", () => this.undo());
    byId("pass").addEventListener("click", () => this.choose(this.passes()));
    byId("again").addEventListener("click", () => this.go("", []));
    byId("now").addEventListener("click", () => this.look(this.moves.length));
    byId("from-here").addEventListener("click", () => this.go(this.start, this.moves.slice(0, this.looking)));
    byId("save").addEventListener("click", () => this.saveRecord());
    byId("share").addEventListener("click", () => copyLink(byId("share")));
    byId("play-file").addEventListener("click", () => this.begin({text: byId("file").value}));
    takesFile("load", "record-file", (text) => this.loadRecord(text));
    takesFile("open-file", "piece-file", (text) => this.paste(text));
    byId("own").addEventListener("dragover", (event) => event.preventDefault());
    byId("own").addEventListener("drop", async (event) => {
      if (!event.dataTransfer.files.length) return;
      event.preventDefault();
      this.paste(await event.dataTransfer.files[0].text());
    });
    byId("rules-of").addEventListener("toggle", () => this.tellRules());
    window.addEventListener("hashchange", () => this.follow());
  }

  paste(text) {
    byId("file").value = text;
    this.begin({text});
  }

  /** Take from the address what is there. */
  async follow() {
    const {game, file, start = "", moves = ""} = fields();
    let source = game ? {name: game} : this.first.source;
    try {
      if (file) source = {text: await unpacked(file)};
    } catch {
      this.remain("The game in this address is damaged; ask for the link once more.");
      return;
    }
    if (file) byId("file").value = source.text;
    await this.begin(source, start, moves.split("_").filter(Boolean));
  }

  async remember() {
    const {source} = this, own = JSON.stringify(source) === JSON.stringify(this.first.source);
    const file = source.text && !own ? await packed(source.text) : "";
    if (source !== this.source) return;
    remember({game: own ? "" : source.name, file, start: this.start, moves: this.moves.join("_")});
  }

  /** Ask alfil; while it answers, the page says that it is busy. Null where that is out of date. */
  async ask(channel, call, ...args) {
    this.pending++;
    this.main.setAttribute("aria-busy", "true");
    const answer = await this.engine.ask(channel, call, args, PATIENCE);
    if (!--this.pending) this.main.setAttribute("aria-busy", "false");
    if (!answer?.stopped && !answer?.broken) return answer;
    this.say(answer.stopped ? STOPPED : `Python broke down over this, and is starting again. (${answer.broken})`);
    return null;
  }

  /** Begin a game of another source; what is wrong with it is told, and the old one stays. */
  async begin(source, start = "", moves = []) {
    const usual = JSON.stringify(source) === JSON.stringify(this.first.source);
    if (usual && !moves.length && !start) {
      this.sit(source, this.first.setup);
      Object.assign(this, {start, moves});
      this.show(this.first.state);
      this.answer();
      return;
    }
    const setup = await this.ask("game", "setup", source);
    if (!setup) return;
    byId("diagnostics").replaceChildren(...setup.diagnostics.map((each) =>
      diagnosticItem(each.line ? {...each, message: `Line ${each.line}: ${each.message}`} : each, () => {})));
    byId("own").open ||= setup.diagnostics.length > 0;
    if (!setup.pieces) {
      byId("own").hidden = false;
      const wrong = setup.diagnostics.find((each) => each.line && each.severity === "error");
      if (source.text && wrong) chooseLine(byId("file"), wrong.line);
      byId("diagnostics").scrollIntoView({block: "center"});
      this.remain("This game cannot be played; what is wrong stands where a game of your own is written.");
      return;
    }
    this.sit(source, setup);
    await this.go(start, moves);
  }

  /** Say why another game is not begun: the one that is there stays, or else the first. */
  remain(words) {
    if (!this.state) this.begin(this.first.source);
    this.refuse(words);
  }

  /** Lay out the board of a game. */
  sit(source, setup) {
    this.engine.drop("think");
    Object.assign(this, {source, setup, seated: false});
    byId("own-game").hidden = Boolean(source.name);
    byId("game").value = source.name || "";
    byId("hand-0").hidden = byId("hand-1").hidden = !setup.hands;
    byId("title").textContent = document.title = setup.title;
    const {files, ranks, shogi} = setup;
    this.grid = new Grid({files, ranks, at: 0, wraps: true, shogi}, `Board of ${setup.title}`);
    this.grid.root.addEventListener("click", (event) => this.click(this.grid.squareOf(event)));
    this.grid.root.addEventListener("keydown", (event) => this.key(event));
    byId("board").replaceChildren(this.grid.root);
    byId("rules").replaceChildren();
    byId("rules-of").open = false;
  }

  /** Have the game stand where these moves lead from a start; illegal ones are told. */
  async go(start, moves) {
    const before = {start: this.start, moves: this.moves};
    this.engine.drop("think");
    Object.assign(this, {start, moves});
    const state = await this.ask("game", "state", this.source, start, moves);
    if (!state) return;
    if (!state.pieces) {
      if (this.seated) Object.assign(this, before);
      else if (start || moves.length) await this.go("", []);
      this.refuse(`This cannot be played: ${state.diagnostics.map((each) => each.message).join("; ")}.`);
      return;
    }
    this.show(state);
    await this.answer();
  }

  /** Show where the game stands. */
  show(state) {
    Object.assign(this, {state, seated: true, record: state.record, looking: this.moves.length, turn: state.turn});
    this.draw(state);
    this.tellRecord();
    this.tell();
    this.remember();
  }

  draw(state) {
    this.shown = state;
    this.from = this.drop = null;
    this.building = [];
    byId("choices").replaceChildren();
    this.held = new Map(state.pieces.map(([square, code, side]) => [square, [code, side]]));
    this.walls = new Set(state.walls);
    for (let square = 0; square < this.grid.cells.length; square++) this.put(square);
    // Where nothing but one piece can be dropped, that one is chosen.
    const [drop, ...others] = new Set(state.moves.map((move) => (move.from === null ? move.code : "")));
    if (drop && !others.length && this.isMine(state.turn)) this.drop = drop;
    for (const side of [0, 1]) this.lay(side);
    byId("pass").hidden = !this.isMine(state.turn) || !this.passes().length;
    this.mark();
  }

  /** Show what a square has. */
  put(square) {
    const [code, side] = this.held.get(square) || [];
    if (code) this.grid.put(square, [this.picture(code, side)], this.called(code, side));
    else if (this.walls.has(square)) this.grid.put(square, [element("div", {class: "wall"})], this.setup.wall);
    else this.grid.put(square, [], "");
  }

  /** The pieces in hand of a side. */
  lay(side) {
    const mine = this.isMine(side), hand = byId(`hand-${side}`);
    hand.setAttribute("aria-label", `In hand: ${this.setup.sides[side]}`);
    const held = new Map(this.shown.hands[side]), drops = this.shown.moves.filter((move) => move.from === null);
    // Some pieces are dropped without end, and counted by nobody.
    for (const {code} of side === this.shown.turn ? drops : []) if (!held.has(code)) held.set(code, "");
    hand.replaceChildren(...[...held].map(([code, number]) => {
      const made = button("", () => this.take(code), {
        "aria-pressed": mine && code === this.drop, "data-code": code,
        "aria-label": `${number} ${this.setup.pieces[code].name} in hand of ${this.setup.sides[side]}`.trim(),
      });
      made.disabled = !mine;
      made.append(this.picture(code, side), `${number}`);
      return made;
    }));
  }

  picture(code, side) {
    const drawn = this.setup.pieces[code].drawn[side];
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-50 -50 100 100">${drawn}</svg>`;
    return element("img", {src: pictured(svg), alt: "", draggable: "false"});
  }

  called(code, side) {
    return `${this.setup.sides[side]} ${this.setup.pieces[code].name}`;
  }

  /** Whether a side's pieces can be moved now by whoever sits here. */
  isMine(side) {
    return this.looking === this.moves.length && !this.state.outcome
      && side === this.state.turn && this.computer().side !== side;
  }

  computer() {
    const [side, strength] = byId("opponent").value.split(" ");
    return {side: side === "" ? -1 : Number(side), strength};
  }

  click(square) {
    if (square < 0) return;
    this.grid.focus(square, true);
    if (this.building.length) return this.build(square);
    const chosen = this.from !== null || this.drop !== null;
    const [, side] = this.held.get(square) || [];
    if (chosen && this.able(square).length) this.choose(this.able(square), square === this.from);
    else if (chosen && (square === this.from || this.drop !== null && side === undefined)) this.explain(square);
    else if (side !== undefined && this.isMine(side)) this.select(square, null);
    else if (chosen) this.explain(square);
    return undefined;
  }

  key(event) {
    if (isShortcut(event)) return;
    if (event.key === "Enter" || event.key === " ") this.click(this.grid.focused);
    else if (event.key === "Escape") this.select(null, null);
    else if (!this.grid.walk(event.key)) return;
    event.preventDefault();
  }

  take(code) {
    this.select(null, this.drop === code ? null : code);
  }

  /** Choose a piece on the board or in hand; its legal targets are shown. */
  select(from, drop) {
    if (this.building.length) this.draw(this.state);
    Object.assign(this, {from, drop, refused: false});
    byId("choices").replaceChildren();
    this.mark();
    const number = new Set(this.ofChosen().map((move) => move.to)).size;
    if (from !== null || drop !== null) {
      const what = drop === null ? this.called(...this.held.get(from)) : this.setup.pieces[drop].name;
      this.say(number ? `The ${what} can go to ${number} ${number === 1 ? "square" : "squares"}.`
                      : `The ${what} has no legal move.`);
    } else {
      this.tell();
    }
  }

  /** The legal moves of what is chosen. */
  ofChosen() {
    return this.state.moves.filter((move) => (this.drop === null
      ? move.from !== null && move.from === this.from : move.from === null && move.code === this.drop));
  }

  able(square) {
    return this.ofChosen().filter((move) => move.to === square);
  }

  /** The legal moves after which everything stands where it stood. */
  passes() {
    return this.state.moves.filter((move) => move.to === move.from && !move.takes.length && !move.becomes);
  }

  mark() {
    const targets = new Set(this.looking < this.moves.length ? []
      : this.building.length ? this.building.map((move) => move.wall) : this.ofChosen().map((move) => move.to));
    this.grid.mark("last", (square) => this.shown.last.includes(square));
    this.grid.mark("chosen", (square) => square === this.from);
    this.grid.mark("target", (square) => targets.has(square));
    this.grid.mark("held", (square) => this.held.has(square));
    for (const each of document.querySelectorAll("[data-code]")) {
      each.setAttribute("aria-pressed", !each.disabled && each.dataset.code === this.drop);
    }
  }

  /**
   * Make a move, or ask which of several: what it becomes, takes and leaves by words, then by a click
   * where a wall is built. With `sure` it is asked for by words even if it is the only one.
   */
  choose(moves, sure = false) {
    const labels = this.labels(moves), ways = [...new Set(labels)];
    if (ways.length === 1 && !sure) {
      if (moves.length === 1) return this.push(moves[0].text);
      return this.wallUp(moves);
    }
    byId("choices").replaceChildren(...ways.map((way) =>
      button(way, () => this.choose(moves.filter((_, index) => labels[index] === way)))));
    byId("choices").firstChild.focus();
    this.say("Which move?");
    return undefined;
  }

  /** What is said of each of some moves with one start and one end; it tells all apart but by walls. */
  labels(moves) {
    const {pieces} = this.setup, name = (square) => squareName(this.grid.board, square);
    const differ = (key) => new Set(moves.map((move) => JSON.stringify(move[key]))).size > 1;
    const [becomes, takes, leaves] = ["becomes", "takes", "leaves"].map(differ);
    return moves.map((move) => {
      const home = move.to === move.from, words = [];
      if (move.becomes) words.push(`becomes ${pieces[move.becomes].name}`);
      else if (home && !move.takes.length) words.push("passes");
      else if (becomes) words.push("stays as it is");
      if (takes || home && move.takes.length) {
        words.push(move.takes.length ? `takes on ${move.takes.map(name).join(", ")}` : "takes nothing");
      }
      if (leaves) words.push(move.leaves ? `leaves ${pieces[move.leaves[0]].name} on ${name(move.leaves[1])}` : "leaves nothing");
      return (words.join(", ") || "moves") + (move.wall === null ? ` (${move.text})` : "");
    });
  }

  /** Show some moves that differ in their walls as made, and ask where the wall goes. */
  wallUp(moves) {
    const [{from, to, code, becomes, takes}] = moves, [, side] = this.held.get(from) || [0, this.turn];
    for (const square of [from, ...takes]) this.held.delete(square);
    this.held.set(to, [becomes || code, side]);
    for (const square of [from, to, ...takes]) if (square !== null) this.put(square);
    byId("choices").replaceChildren();
    this.building = moves;
    this.from = to;
    this.drop = null;
    this.mark();
    this.say(`Where does the ${this.setup.wall} go? Any other square takes the move back.`);
  }

  /** Build the wall on a square; on any other, nothing is chosen any more. */
  build(square) {
    const made = this.building.find((move) => move.wall === square);
    return made ? this.push(made.text) : this.select(null, null);
  }

  push(text) {
    return this.go(this.start, [...this.moves, text]);
  }

  /** Say why a move to a square is illegal. */
  async explain(square) {
    const name = (each) => squareName(this.grid.board, each), {drop, from} = this;
    if (drop === null && square === from) return this.select(this.refused ? from : null, null);
    const text = drop === null ? name(from) + name(square) : `${this.setup.pieces[drop].letter}*${name(square)}`;
    const found = await this.ask("why", "why", this.source, this.start, this.moves, text);
    if (!found) return undefined;
    // Who now clicks the piece once more means to try again.
    this.refused = true;
    this.refuse(`Illegal: ${found.why || (found.diagnostics || []).map((each) => each.message).join("; ")}.`);
    return undefined;
  }

  /** Somebody else plays from now on: what the computer thinks about is wanted no more. */
  change() {
    this.engine.drop("think");
    if (!this.state) return;
    this.tell();
    this.answer();
  }

  /** Have the computer answer, if it is its turn; its move is made only if it still plays then. */
  async answer() {
    const {side, strength} = this.computer();
    for (const each of [0, 1]) this.lay(each);
    if (side !== this.state.turn || this.state.outcome || this.looking !== this.moves.length) return;
    this.say(`The computer thinks for ${this.setup.sides[side]} …`);
    const {source, start, moves} = this;
    const found = await this.ask("think", "reply", source, start, moves, strength);
    if (!found?.text) return;
    const made = [...moves, found.text], state = await this.ask("think", "state", source, start, made);
    if (!state?.pieces) return;
    this.moves = made;
    this.show(state);
    await this.answer();
  }

  /** Take back the last move, and that of the computer before it. */
  undo() {
    const {side} = this.computer();
    const both = side >= 0 && !this.state.outcome && this.moves.length > 1 && side !== this.turn;
    this.go(this.start, this.moves.slice(0, both ? -2 : -1));
  }

  /** Look at the position after so many moves. */
  async look(number) {
    const state = number === this.moves.length ? this.state
      : await this.ask("look", "state", this.source, this.start, this.moves.slice(0, number));
    if (!state?.pieces) return;
    this.looking = number;
    this.draw(state);
    this.tellRecord();
    this.tell();
  }

  tellRecord() {
    const second = (this.turn + this.moves.length) % 2, items = [];
    this.record.forEach((text, index) => {
      const [pair, isSecond] = [Math.floor((index + second) / 2), (index + second) % 2];
      if (!isSecond || !index) items.push(element("li", {class: "number"}, `${pair + 1}.`));
      if (isSecond && !index) items.push(element("li", {}, "…"));
      const current = index + 1 === this.looking ? {"aria-current": "true"} : {};
      items.push(element("li", {}, button(text, () => this.look(index + 1), current)));
    });
    byId("record").replaceChildren(...items);
    byId("record").querySelector("[aria-current]")?.scrollIntoView({block: "nearest"});
    byId("back").hidden = this.looking === this.moves.length;
    byId("undo").disabled = !this.moves.length;
  }

  /** Say whose move it is, or how the game ended. */
  tell() {
    this.say(this.standing());
  }

  /** Say what cannot be done, and how the game stands all the same. */
  refuse(words) {
    this.say(this.state ? `${words} ${this.standing()}` : words);
  }

  standing() {
    const {outcome, turn, check, moves} = this.state, side = this.setup.sides[turn];
    if (this.looking !== this.moves.length) return `After ${this.looking} of ${this.moves.length} moves.`;
    const drops = moves.length && moves.every((move) => move.from === null) ? ", all of them drops" : "";
    if (!outcome) return `${capital(side)} to move${check ? ", in check" : ""}; ${moves.length} legal moves${drops}.`;
    return outcome.winner ? `${capital(outcome.winner)} wins: ${outcome.reason}.` : `A draw: ${outcome.reason}.`;
  }

  say(words) {
    byId("status").textContent = words;
  }

  async saveRecord() {
    const found = await this.ask("record", "record", this.source, this.start, this.moves, ["", ""]);
    if (found?.text) save(fileName(this.setup.title, "alfil"), found.text, "text/plain");
  }

  async loadRecord(text) {
    const found = await this.ask("game", "replayed", this.source, text);
    if (found?.moves) await this.go(found.start, found.moves);
    else if (found) this.refuse(`This record cannot be played: ${found.diagnostics.map((each) => each.message).join("; ")}.`);
  }

  async tellRules() {
    if (!byId("rules-of").open || byId("rules").childElementCount) return;
    const {source} = this;
    const found = await this.ask("rules", "rules", source);
    if (!found?.html || source !== this.source) return;
    // It is made of escaped text by alfil/site/markup.py; no page runs what is not a file of its own.
    byId("rules").innerHTML = found.html;
    for (const each of byId("rules").querySelectorAll("[data-picture]")) {
      const {picture, alt} = each.dataset;
      each.replaceWith(element("img", {src: pictured(found.pictures[picture] || ""), alt}));
    }
  }
}

const capital = (words) => words.charAt(0).toUpperCase() + words.slice(1);

/** Have a line of a field chosen, the first being 1. */
function chooseLine(field, number) {
  const lines = field.value.split("\n"), line = lines[number - 1] ?? "";
  const start = lines.slice(0, number - 1).join("\n").length + (number > 1);
  field.focus({preventScroll: true});
  field.setSelectionRange(start, start + line.length);
  field.scrollTop = (number / lines.length) * field.scrollHeight - field.clientHeight / 2;
}

/** Have a button ask for a file, and hand on its text. */
function takesFile(id, input, take) {
  byId(id).addEventListener("click", () => byId(input).click());
  byId(input).addEventListener("change", async () => {
    const [file] = byId(input).files;
    byId(input).value = "";
    if (file) take(await file.text());
  });
}

new Table(read("first"));
