// A game at a table: board and hands, moves by pointer or key, the record beside it, an opponent.

import {copyLink, fields, packed, remember, unpacked} from "./address.js";
import {drag, GameBoard} from "./board.js";
import {Clock, knock} from "./clock.js";
import {diagnosticItem} from "./diagnostics.js";
import {element, read, squareName} from "./drawing.js";
import {Editor} from "./editor.js";
import {Engine} from "./engine.js";
import {fileName, pictured, save} from "./files.js";
import {button, capital, isShortcut} from "./grid.js";
import {Line, matingWords} from "./line.js";

const byId = (id) => document.getElementById(id);

// Milliseconds that a question about a game may take: large games are slow to read.
const PATIENCE = 120000;
const STOPPED = "This took longer than two minutes and was stopped; Python is starting again.";
// What is chosen among the games to mate a lone king, and the piece it begins with.
const TRAINER = "mate:", FIRST_PIECE = "R";
const SUFFIXES = {hodges: "alfil"}, FORMS = {hodges: "alfil", pgn: "PGN", kif: "KIF", csa: "CSA"};

class Table {
  /** `first` is {source, setup, state} of the game that the page begins with. */
  constructor(first) {
    this.first = first;
    this.main = document.querySelector("main");
    byId("own").hidden = !document.querySelector("nav");
    this.pending = 0;
    // Which of its ways the computer plays; another for each new game.
    this.seed = 0;
    this.engine = new Engine((state, words) => {
      byId("engine").textContent = words;
      byId("engine").dataset.state = state;
    });
    this.clock = new Clock((side, text) => { seat(side).querySelector(".clock").textContent = text; },
                           (side) => this.flag(side));
    this.listen();
    this.follow();
  }

  listen() {
    const click = (id, act) => byId(id).addEventListener("click", act);
    byId("ask").addEventListener("submit", (event) => event.preventDefault());
    byId("game").addEventListener("change", () => this.choosesGame(byId("game").value));
    byId("mate").addEventListener("change", () => this.begin({mate: byId("mate").value}));
    byId("opponent").addEventListener("change", () => this.change());
    byId("level").addEventListener("change", () => this.change());
    byId("time").addEventListener("change", () => this.again());
    click("undo", () => this.undo());
    click("flip", () => this.flip());
    click("stop", () => this.stop());
    click("hint", () => this.hint());
    click("pass", () => this.choose(this.passes()));
    click("again", () => this.again());
    click("share", () => copyLink(byId("share")));
    click("sound", () => this.toggleSound());
    for (const [id, step] of [["first-move", "first"], ["back", "back"], ["forward", "forward"], ["last-move", "last"]]) {
      click(id, () => this.step(step));
    }
    click("save", () => this.saveRecord());
    click("edit", () => this.edit());
    click("play-file", () => this.begin({text: byId("file").value}));
    byId("set-up").addEventListener("submit", (event) => {
      event.preventDefault();
      this.go(byId("position").value.trim(), []);
    });
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
    document.addEventListener("keydown", (event) => this.walk(event));
  }

  choosesGame(name) {
    if (name === TRAINER) this.begin({mate: FIRST_PIECE});
    else if (name) this.begin({name});
  }

  paste(text) {
    byId("file").value = text;
    this.begin({text});
  }

  /** Take from the address what is there. */
  async follow() {
    const {game, file, mate, notation = "", start = "", moves = "", at} = fields();
    let source = game ? {name: game} : mate ? {mate, notation} : this.first.source;
    try {
      if (file) source = {text: await unpacked(file)};
    } catch {
      this.remain("The game in this address is damaged; ask for the link once more.");
      return;
    }
    if (file) byId("file").value = source.text;
    await this.begin(source, start, moves.split("_").filter(Boolean), at);
  }

  /** Keep game and position in the address: the moves of the line, and at which of them one looks. */
  async remember() {
    const {source, line} = this, own = JSON.stringify(source) === JSON.stringify(this.first.source);
    const file = source.text && !own ? await packed(source.text) : "";
    if (source !== this.source) return;
    const at = line.path().length, moves = line.texts(line.end());
    const {name, mate, notation} = source;
    remember({game: own ? "" : name, file, mate, notation, start: this.start, moves: moves.join("_"),
              at: at < moves.length ? `${at}` : ""});
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
  async begin(source, start = "", moves = [], at = undefined) {
    const usual = JSON.stringify(source) === JSON.stringify(this.first.source);
    if (usual && !moves.length && !start) {
      this.sit(source, this.first.setup);
      this.restart("", this.first.state);
      return;
    }
    const setup = await this.ask("game", "setup", source);
    if (!setup) return;
    if (source.mate !== undefined) {
      await this.beginMating(source, setup, start, moves, at);
      return;
    }
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
    await this.go(start, moves, at);
  }

  /** Have a lone king mated, from a position by lot unless one is there. */
  async beginMating(source, setup, start, moves, at) {
    if (!setup.pieces) {
      this.remain(`${capital(setup.diagnostics[0].message)}.`);
      return;
    }
    const begun = start ? {start} : await this.ask("game", "ending", source, this.seed);
    if (!begun) return;
    byId("opponent").value = "1";
    byId("mate").value = source.mate;
    this.sit(source, setup);
    await this.go(begun.start, moves, at);
  }

  /** Say why another game is not begun: the one that is there stays, or else the first. */
  remain(words) {
    if (!this.state) this.begin(this.first.source);
    this.refuse(words);
  }

  /** Lay out the board of a game. */
  sit(source, setup) {
    this.engine.drop("think");
    Object.assign(this, {source, setup, line: null, editor: null});
    byId("editor").replaceChildren();
    const isMating = source.mate !== undefined;
    byId("own-game").hidden = Boolean(source.name) || isMating;
    byId("game").value = isMating ? TRAINER : source.name || "";
    document.querySelector(".mating").hidden = !isMating;
    document.querySelector(".level").hidden = isMating;
    byId("title").textContent = document.title = setup.title;
    const board = this.board = new GameBoard(setup);
    board.root.addEventListener("pointerdown", (event) => this.press(event, board.squareOf(event)));
    board.root.addEventListener("click", (event) => this.click(board.squareOf(event)));
    board.root.addEventListener("keydown", (event) => this.key(event));
    byId("board").replaceChildren(board.root);
    this.main.style.setProperty("--files", setup.files);
    this.main.style.setProperty("--ranks", setup.ranks);
    this.main.classList.toggle("without-hands", !setup.hands);
    for (const side of [0, 1]) {
      seat(side).querySelector(".name").textContent = capital(setup.sides[side]);
      byId(`hand-${side}`).hidden = !setup.hands;
    }
    byId("form").replaceChildren(...setup.forms.map((form) => element("option", {value: form}, FORMS[form])));
    byId("flip").setAttribute("aria-pressed", "false");
    this.main.classList.remove("turned");
    byId("rules").replaceChildren();
    byId("rules-of").open = false;
  }

  /** Have the game stand where these moves lead from a start; illegal ones are told. */
  async go(start, moves, at = undefined) {
    this.engine.drop("think");
    const state = await this.ask("game", "state", this.source, start, moves);
    if (!state) return;
    if (!state.pieces) {
      if (!this.line) await this.go("", []);
      this.refuse(`This cannot be played: ${state.diagnostics.map((each) => each.message).join("; ")}.`);
      return;
    }
    this.restart(start, state, moves);
    if (at !== undefined) await this.look(this.line.path()[Number(at) - 1] || this.line.root);
  }

  /** Begin a record with moves that lead to a state. */
  restart(start, state, moves = []) {
    const turn = (state.turn + moves.length) % 2;
    Object.assign(this, {start, line: new Line(turn), flagged: -1, sought: null});
    moves.forEach((text, index) => this.line.add(text, state.record[index]));
    this.line.node.state = state;
    this.clock.set(byId("time").value);
    this.show();
    this.answer();
  }

  again() {
    this.seed++;
    if (this.source.mate) this.begin(this.source);
    else this.go("", []);
  }

  /** Show where the game stands at the node that is looked at. */
  show() {
    const {state} = this.line.node;
    this.state = state;
    this.fresh = null;
    this.draw();
    this.tellRecord();
    this.tell();
    this.remember();
    byId("position").value = state.position;
  }

  /** Draw the position; nothing is chosen any more. */
  draw() {
    const {state} = this;
    Object.assign(this, {from: null, drop: null, building: []});
    byId("choices").replaceChildren();
    this.lay(new Map(state.pieces.map(([square, code, side]) => [square, [code, side]])));
    // Where nothing but one piece can be dropped, that one is chosen.
    const [drop, ...others] = new Set(state.moves.map((move) => (move.from === null ? move.code : "")));
    if (drop && !others.length && this.isMine(state.turn)) this.drop = drop;
    for (const side of [0, 1]) {
      this.layHand(side);
      this.layLead(side);
    }
    byId("pass").hidden = !this.isMine(state.turn) || !this.passes().length;
    this.mark();
  }

  /** Put pieces on the board, by square. */
  lay(held) {
    this.held = held;
    this.walls = new Set(this.state.walls);
    for (let square = 0; square < this.board.cells.length; square++) this.put(square);
  }

  /** Show what a square has. */
  put(square) {
    const {board} = this, [code, side] = this.held.get(square) || [];
    if (code) board.put(square, [board.picture(code, side)], this.called(code, side));
    else if (this.walls.has(square)) board.put(square, [element("div", {class: "wall"})], this.setup.wall);
    else board.put(square, [], "");
  }

  /** The pieces in hand of a side. */
  layHand(side) {
    const mine = this.isMine(side), hand = byId(`hand-${side}`);
    hand.setAttribute("aria-label", `In hand: ${this.setup.sides[side]}`);
    seat(side).classList.toggle("to-move", side === this.state.turn && !this.state.outcome);
    const held = new Map(this.state.hands[side]), drops = this.state.moves.filter((move) => move.from === null);
    // Some pieces are dropped without end, and counted by nobody.
    for (const {code} of side === this.state.turn ? drops : []) if (!held.has(code)) held.set(code, "");
    hand.replaceChildren(...[...held].map(([code, number]) => {
      const made = button("", () => this.take(code), {
        "aria-pressed": mine && code === this.drop, "data-code": code,
        "aria-label": `${number} ${this.setup.pieces[code].name} in hand of ${this.setup.sides[side]}`.trim(),
      });
      made.disabled = !mine;
      made.addEventListener("pointerdown", (event) => this.pressHand(event, code));
      made.append(this.board.picture(code, side));
      if (number > 1) made.append(element("span", {class: "number"}, `${number}`));
      return made;
    }));
  }

  /** The pieces that a side has more of than the other, which began with as many; not where hands say it. */
  layLead(side) {
    const counts = new Map(), ours = (of) => (of === side ? 1 : -1);
    for (const [code, of, number] of this.setup.army) counts.set(code, (counts.get(code) || 0) - ours(of) * number);
    for (const [, code, of] of this.state.pieces) counts.set(code, (counts.get(code) || 0) + ours(of));
    const lead = this.setup.hands ? [] : [...counts].filter(([, number]) => number > 0);
    const words = lead.map(([code, number]) => `${this.setup.pieces[code].name}${number > 1 ? ` (${number})` : ""}`);
    const label = `Ahead by: ${words.join(", ")}`;
    const pictures = lead.map(([code, number]) =>
      element("span", {}, this.board.picture(code, side), number > 1 ? `${number}` : ""));
    seat(side).querySelector(".lead").replaceChildren(
      lead.length ? element("span", {role: "img", "aria-label": label, title: label}, ...pictures) : "");
  }

  called(code, side) {
    return `${this.setup.sides[side]} ${this.setup.pieces[code].name}`;
  }

  /** Whether a side's pieces can be moved now by whoever sits here. */
  isMine(side) {
    return !this.state.outcome && this.flagged < 0 && !this.editor
      && side === this.state.turn && this.computer() !== side;
  }

  /** The side that the computer has, -1 for none. */
  computer() {
    const {value} = byId("opponent");
    return value === "" ? -1 : Number(value);
  }

  /** The left button goes down on a square: a piece that can be moved is chosen, and may be dragged. */
  press(event, square) {
    if (event.button || square < 0 || this.building.length) return;
    const picture = this.board.cells[square].querySelector("img"), {editor} = this;
    if (editor) {
      if (picture) drag(event, picture, (now) => editor.carry(square, this.board.squareAt(now)));
      return;
    }
    const [, side] = this.held.get(square) || [];
    if (side === undefined || !this.isMine(side)) return;
    if (this.isChosen() && square !== this.from && this.able(square).length) return;
    if (square !== this.from) {
      this.select(square, null);
      this.fresh = square;
    }
    drag(event, picture, (now) => this.letGo(this.board.squareAt(now)));
  }

  /** The same on a piece in hand. */
  pressHand(event, code) {
    if (event.button || event.currentTarget.disabled || this.drop === code) return;
    this.select(null, code);
    this.fresh = code;
    drag(event, event.currentTarget.querySelector("img"), (now) => this.letGo(this.board.squareAt(now)));
  }

  /** A dragged piece is let go on a square, -1 for none. */
  letGo(square) {
    this.fresh = null;
    if (square < 0 || !this.isChosen()) return;
    this.board.focus(square, true);
    this.dragged = true;
    if (square !== this.from && this.able(square).length) this.choose(this.able(square));
    else if (square !== this.from) this.explain(square);
    this.dragged = false;
  }

  isChosen() {
    return this.from !== null || this.drop !== null;
  }

  click(square) {
    if (square < 0) return;
    this.board.focus(square, true);
    const isFresh = this.fresh === square;
    this.fresh = null;
    if (this.editor) this.editor.click(square);
    else if (this.building.length) this.build(square);
    else if (!isFresh) this.tap(square);
  }

  /** A square is chosen: a piece to be moved, or where it goes. */
  tap(square) {
    const chosen = this.isChosen(), [, side] = this.held.get(square) || [];
    if (chosen && this.able(square).length) this.choose(this.able(square), square === this.from);
    else if (chosen && (square === this.from || this.drop !== null && side === undefined)) this.explain(square);
    else if (side !== undefined && this.isMine(side)) this.select(square, null);
    else if (chosen) this.explain(square);
    else if (side !== undefined) this.introduce(square);
  }

  key(event) {
    if (isShortcut(event)) return;
    if (event.key === "Enter" || event.key === " ") this.click(this.board.focused);
    else if (event.key === "Escape") this.select(null, null);
    else if (!this.board.walk(event.key)) return;
    event.preventDefault();
  }

  /** Keys outside of the board: arrows walk through the record. */
  walk(event) {
    const {target, key} = event, step = {ArrowLeft: "back", ArrowRight: "forward"}[key];
    if (isShortcut(event) || target.matches("input, select, textarea") || this.board.root.contains(target)) return;
    if (key === "Escape" && byId("choices").childElementCount) {
      this.board.focus(this.board.focused, true);
      this.select(null, null);
    } else if (step) {
      this.step(step);
      event.preventDefault();
    }
  }

  take(code) {
    const isFresh = this.fresh === code;
    this.fresh = null;
    if (!isFresh) this.select(null, this.drop === code ? null : code);
  }

  /** Choose a piece on the board or in hand; its legal targets are shown. */
  select(from, drop) {
    if (this.building.length) this.draw();
    Object.assign(this, {from, drop, refused: false});
    byId("choices").replaceChildren();
    this.mark();
    const number = new Set(this.ofChosen().map((move) => move.to)).size;
    if (this.isChosen()) {
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
    const {state, board} = this, mine = this.isMine(state.turn);
    const targets = new Set(this.building.length ? this.building.map((move) => move.wall)
                                                 : this.ofChosen().map((move) => move.to));
    board.mark("last", (square) => state.last.includes(square));
    board.mark("checked", (square) => state.checked.includes(square));
    board.mark("chosen", (square) => square === this.from);
    board.mark("target", (square) => targets.has(square));
    board.mark("held", (square) => this.held.has(square));
    board.mark("mine", (square) => mine && this.held.get(square)?.[1] === state.turn);
    for (const each of document.querySelectorAll(".hand [data-code]")) {
      each.setAttribute("aria-pressed", !each.disabled && each.dataset.code === this.drop);
    }
  }

  /**
   * Make a move, or ask which of several: what it becomes, takes and leaves beside its square, then by
   * a click where a wall is built. With `sure` it is asked for even if it is the only one.
   */
  choose(moves, sure = false) {
    const labels = this.labels(moves), ways = [...new Set(labels)];
    if (ways.length === 1 && !sure) {
      if (moves.length === 1) this.push(moves[0].text);
      else this.wallUp(moves);
      return;
    }
    const differ = new Set(moves.map((move) => move.becomes)).size === ways.length;
    byId("choices").replaceChildren(...ways.map((way, index) => {
      const [move] = moves.filter((_, at) => labels[at] === way);
      const made = button(differ ? "" : way, () => this.choose(moves.filter((_, at) => labels[at] === way)), {"aria-label": way});
      if (differ) made.append(this.board.picture(move.becomes || move.code, this.state.turn));
      if (!index) setTimeout(() => made.focus());
      return made;
    }));
    this.placeChoices(moves[0].to, !differ);
    this.say("Which move?");
  }

  /** Have the choices at a square: a column over it, and where they are `words` beside it. */
  placeChoices(square, words) {
    const choices = byId("choices"), place = choices.parentElement.getBoundingClientRect();
    const cell = this.board.cells[square].getBoundingClientRect();
    const low = cell.y - place.y > place.height / 2, left = Math.max(0, cell.x - place.x);
    choices.classList.toggle("words", words);
    choices.classList.toggle("low", low);
    const {style} = choices;
    style.setProperty("--cell", `${cell.width}px`);
    style.top = low ? "auto" : `${cell.y - place.y}px`;
    style.bottom = low ? `${place.bottom - cell.bottom}px` : "auto";
    style.left = words && left > place.width / 2 ? "auto" : `${left}px`;
    style.right = words && left > place.width / 2 ? `${place.right - cell.right}px` : "auto";
  }

  /** What is said of each of some moves with one start and one end; it tells all apart but by walls. */
  labels(moves) {
    const {pieces} = this.setup, name = (square) => squareName(this.board.board, square);
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
    const [{from, to, code, becomes, takes}] = moves, [, side] = this.held.get(from) || [0, this.state.turn];
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
    if (made) this.push(made.text);
    else this.select(null, null);
  }

  /** Make a move after the position that is looked at. */
  async push(text) {
    const still = this.dragged;
    this.engine.drop("think");
    if (await this.make("game", text, still)) await this.answer();
  }

  /** Add a move to the record and show it; whether that could be done. */
  async make(channel, text, still = false) {
    const {source, start, line} = this, {node} = line;
    const state = await this.ask(channel, "state", source, start, [...line.texts(), text]);
    if (!state?.pieces || line !== this.line || node !== line.node) return false;
    line.add(text, state.record.at(-1)).state = state;
    this.show();
    const [from, to] = state.last, side = this.state.turn;
    if (!still && from !== undefined && to !== undefined) this.board.slide(from, to);
    this.clock.pass(state.outcome ? -1 : side);
    if (byId("sound").getAttribute("aria-pressed") === "true") knock(state.check);
    return true;
  }

  /** Say what a piece is called that is not to be moved now, and how it moves. */
  async introduce(square) {
    const [code, side] = this.held.get(square), {state} = this;
    const found = await this.ask("why", "moves", this.source, code);
    if (found && state === this.state) this.say(`${capital(this.called(code, side))}. ${found.words}`);
  }

  /** Show the move that the computer would make, by an arrow, and say who stands better. */
  async hint() {
    const {line, state} = this, node = line?.node;
    if (!node || state.outcome || this.editor || this.computer() === state.turn) return;
    this.say("The computer looks for a move …");
    const found = await this.ask("think", "advice", this.source, this.start, line.texts());
    const move = state.moves.find((each) => each.text === found?.text);
    if (!move || line !== this.line || node !== line.node) return;
    this.board.clearNotes();
    this.board.noteMove(move.from ?? move.to, move.to);
    this.say(`The computer would play ${move.text}. ${found.verdict}`.trim());
  }

  /** Say why a move to a square is illegal. */
  async explain(square) {
    const name = (each) => squareName(this.board.board, each), {drop, from} = this;
    if (drop === null && square === from) {
      this.select(this.refused ? from : null, null);
      return;
    }
    const text = drop === null ? name(from) + name(square) : `${this.setup.pieces[drop].letter}*${name(square)}`;
    const found = await this.ask("why", "why", this.source, this.start, this.line.texts(), text);
    if (!found) return;
    // Who now clicks the piece once more means to try again.
    this.refused = true;
    this.refuse(`Illegal: ${found.why || (found.diagnostics || []).map((each) => each.message).join("; ")}.`);
  }

  /** Somebody else plays from now on: what the computer thinks about is wanted no more. */
  change() {
    this.engine.drop("think");
    if (!this.state || this.editor) return;
    const side = this.computer();
    if (side >= 0 && this.board.turned !== (side === 0)) this.flip();
    this.draw();
    this.tell();
    this.answer();
  }

  /** Have the computer answer, if it is its turn; its move is made only if it still plays then. */
  async answer() {
    const side = this.computer(), {line, state} = this;
    if (side !== state.turn || state.outcome || this.flagged >= 0) return;
    this.say(`The computer thinks for ${this.setup.sides[side]} …`);
    byId("stop").hidden = false;
    const {node} = line;
    const found = await this.ask("think", "reply", this.source, this.start, line.texts(), Number(byId("level").value), this.seed);
    byId("stop").hidden = true;
    if (found?.text && line === this.line && node === line.node && this.flagged < 0) await this.make("think", found.text);
  }

  /** Take the computer's place. */
  stop() {
    byId("opponent").value = "";
    this.change();
  }

  flip() {
    const {board} = this, turned = !board.turned;
    board.turn(turned);
    this.main.classList.toggle("turned", turned);
    byId("flip").setAttribute("aria-pressed", turned);
    if (this.editor) this.editor.show();
    else this.draw();
  }

  /** A side has no time left. */
  flag(side) {
    this.flagged = side;
    this.engine.drop("think");
    this.draw();
    this.tell();
  }

  toggleSound() {
    const on = byId("sound").getAttribute("aria-pressed") !== "true";
    byId("sound").setAttribute("aria-pressed", on);
    if (on) knock(false);
  }

  /** Take back the last move, and that of the computer before it. */
  async undo() {
    const {line, state} = this, side = this.computer();
    const both = side >= 0 && !state.outcome && side !== state.turn && line.path().length > 1;
    this.engine.drop("think");
    line.remove();
    if (both) line.remove();
    await this.look(line.node);
    await this.answer();
  }

  /** Go to the start, back, forward or to the end of the line. */
  step(where) {
    const {line} = this, node = this.sought ?? line.node;
    const to = {first: line.root, back: node.parent, forward: node.children[0], last: line.end()}[where];
    if (to && to !== node) this.look(to);
  }

  /** Look at a position of the record. */
  async look(node) {
    const {line} = this;
    this.engine.drop("think");
    // Who steps on before the answer is there goes on from here.
    this.sought = node;
    const state = node.state || await this.ask("look", "state", this.source, this.start, line.texts(node));
    if (this.sought === node) this.sought = null;
    if (!state?.pieces || line !== this.line) return;
    node.state = state;
    line.node = node;
    this.show();
  }

  tellRecord() {
    const {line} = this, {node} = line, list = byId("record");
    list.replaceChildren(...line.items((each) => this.look(each)));
    const current = list.querySelector("[aria-current]");
    if (current) {
      const {offsetTop, offsetLeft, offsetHeight, offsetWidth} = current;
      list.scrollTo(offsetLeft - (list.clientWidth - offsetWidth) / 2, offsetTop - (list.clientHeight - offsetHeight) / 2);
    }
    byId("undo").disabled = byId("back").disabled = byId("first-move").disabled = !node.parent;
    byId("forward").disabled = byId("last-move").disabled = !node.children.length;
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
    const {outcome, turn, check, moves} = this.state, {sides} = this.setup, side = sides[turn];
    if (this.flagged >= 0) return `${capital(sides[1 - this.flagged])} wins on time.`;
    const drops = moves.length && moves.every((move) => move.from === null) ? ", all of them drops" : "";
    const mating = matingWords(this.line.node);
    if (!outcome) return `${capital(side)} to move${check ? ", in check" : ""}; ${moves.length} legal moves${drops}.${mating}`;
    return outcome.winner ? `${capital(outcome.winner)} wins: ${outcome.reason}.` : `A draw: ${outcome.reason}.`;
  }

  say(words) {
    byId("status").textContent = words;
  }

  /** Have the board edited. */
  edit() {
    this.engine.drop("think");
    this.draw();
    this.editor = new Editor(this, byId("editor"));
    this.draw();
    this.say("Choose a piece below, then its squares.");
  }

  /** Play on from a position, or from the old one where there is none. */
  stopEditing(position) {
    this.editor = null;
    byId("editor").replaceChildren();
    this.show();
    if (position) this.go(position, []);
  }

  async saveRecord() {
    const form = byId("form").value, {line} = this;
    const found = await this.ask("record", "record", this.source, this.start, line.texts(line.end()), form);
    if (found?.text) save(fileName(this.setup.title, SUFFIXES[form] || form), found.text, "text/plain");
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
    // It is made of escaped text by alfil/site/markdown_to_html.py; no page runs what is not a file of its own.
    byId("rules").innerHTML = found.html;
    for (const each of byId("rules").querySelectorAll("[data-picture]")) {
      const {picture, alt} = each.dataset;
      each.replaceWith(element("img", {src: pictured(found.pictures[picture] || ""), alt}));
    }
  }
}

const seat = (side) => byId(`seat-${side}`);

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
