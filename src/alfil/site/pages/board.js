// The board of a game: its ground, pieces that a pointer drags, either side in front, arrows.

import {drawn, element, labels, placeOf, SQUARE} from "./drawing.js";
import {pictured} from "./files.js";
import {followDrag, Grid} from "./grid.js";

// Keys as they are for who sees the board from behind.
const FROM_BEHIND = {
  ArrowLeft: "ArrowRight", ArrowRight: "ArrowLeft", ArrowUp: "ArrowDown", ArrowDown: "ArrowUp",
  Home: "End", End: "Home", PageUp: "PageDown", PageDown: "PageUp",
};
const SLIDE = {duration: 150, easing: "ease-out"};

export class GameBoard extends Grid {
  /** A board of the game of a setup, as game_requests.py has it. */
  constructor(setup) {
    const {files, ranks, shogi, ground, onPoints, title} = setup;
    super({files, ranks, at: 0, wraps: true, shogi}, `Board of ${title}`);
    this.setup = setup;
    this.squares = this.root.querySelector(".squares");
    this.rows = [...this.squares.children];
    this.ground = element("div", {class: "ground"});
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${files * 100} ${ranks * 100}">${ground}</svg>`;
    this.ground.style.backgroundImage = `url("${pictured(svg)}")`;
    this.notes = drawn("svg", {class: "notes", "aria-hidden": "true", viewBox: `0 0 ${files * SQUARE} ${ranks * SQUARE}`});
    this.arrows = new Map();
    this.root.prepend(this.ground);
    this.root.append(this.notes);
    this.root.classList.toggle("on-points", onPoints);
    this.root.addEventListener("contextmenu", (event) => event.preventDefault());
    this.root.addEventListener("pointerdown", (event) => this.note(event));
    this.turn(false);
  }

  /** Show the board with the second side in front, or the first. */
  turn(turned) {
    const {files, ranks} = this.board, inOrder = (list) => (turned ? [...list].reverse() : list);
    this.turned = turned;
    this.root.classList.toggle("turned", turned);
    this.squares.replaceChildren(...inOrder(this.rows));
    this.rows.forEach((row, index) => {
      const rank = ranks - 1 - index, first = rank * files;
      row.replaceChildren(...inOrder(this.cells.slice(first, first + files)));
    });
    const left = turned ? files - 1 : 0, low = turned ? ranks - 1 : 0;
    this.cells.forEach((cell, square) => {
      const [file, rank] = placeOf(this.board, square), [ofFile, ofRank] = labels(this.board, file, rank);
      delete cell.dataset.file;
      delete cell.dataset.rank;
      if (file === left) cell.dataset.rank = ofRank;
      if (rank === low) cell.dataset.file = ofFile;
    });
    this.drawNotes();
  }

  walk(key) {
    return super.walk((this.turned && FROM_BEHIND[key]) || key);
  }

  /** The picture of a piece, as it looks from where the viewer sits. */
  picture(code, side) {
    const {drawn: own, points, down} = this.setup.pieces[code];
    const facing = points && side !== Number(this.turned);
    const up = own[side] ?? own[0];
    const svg = !facing ? up : down || `<g transform="rotate(180)">${up}</g>`;
    return element("img", {
      src: pictured(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="-50 -50 100 100">${svg}</svg>`),
      alt: "", draggable: "false",
    });
  }

  /** Let the piece on a square slide there from another one. */
  slide(from, to) {
    const picture = this.cells[to].querySelector("img");
    if (!picture || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const before = this.cells[from].getBoundingClientRect(), after = this.cells[to].getBoundingClientRect();
    picture.animate([
      {transform: `translate(${before.x - after.x}px, ${before.y - after.y}px)`}, {transform: "none"},
    ], SLIDE);
  }

  /** The middle of a square as it is seen. */
  middle(square) {
    const [file, rank] = placeOf(this.board, square), {files, ranks} = this.board;
    const [x, y] = this.turned ? [files - 1 - file, rank] : [file, ranks - 1 - rank];
    return [(x + 0.5) * SQUARE, (y + 0.5) * SQUARE];
  }

  /** An arrow or a circle by the right button; the left one takes all away. */
  note(event) {
    if (event.button === 0 && this.arrows.size) this.clearNotes();
    const from = this.squareOf(event);
    if (event.button !== 2 || from < 0) return;
    window.addEventListener("pointerup", (now) => {
      const to = this.squareAt(now);
      if (to >= 0) this.noteMove(from, to);
    }, {once: true});
  }

  /** Have an arrow or a circle that is not there, and none where it is. */
  noteMove(from, to) {
    const key = `${from} ${to}`;
    if (!this.arrows.delete(key)) this.arrows.set(key, [from, to]);
    this.drawNotes();
  }

  clearNotes() {
    this.arrows.clear();
    this.drawNotes();
  }

  drawNotes() {
    this.notes.replaceChildren(...[...this.arrows.values()].map(([from, to]) => {
      const [x, y] = this.middle(from), [toX, toY] = this.middle(to);
      if (from === to) return drawn("circle", {cx: x, cy: y, r: SQUARE * 0.45});
      const length = Math.hypot(toX - x, toY - y), ux = (toX - x) / length, uy = (toY - y) / length;
      const [endX, endY] = [toX - 12 * ux, toY - 12 * uy];
      return drawn("g", {}, drawn("path", {d: `M${x} ${y}L${endX} ${endY}`}),
        drawn("path", {class: "head", d: `M${toX} ${toY}L${endX - 8 * uy} ${endY + 8 * ux}L${endX + 8 * uy} ${endY - 8 * ux}z`}));
    }));
  }
}

/** Have a picture go with the pointer that is down on it; `done` gets the event that lets it go. */
export function drag(event, picture, done) {
  const {width, height} = picture.getBoundingClientRect(), ghost = picture.cloneNode();
  ghost.className = "dragged";
  Object.assign(ghost.style, {width: `${width}px`, height: `${height}px`});
  followDrag(event, {
    begin: () => {
      document.body.append(ghost);
      picture.classList.add("lifted");
    },
    move: ({clientX, clientY}) => {
      ghost.style.transform = `translate(${clientX - width / 2}px, ${clientY - height / 2}px)`;
    },
    end: (now) => {
      ghost.remove();
      picture.classList.remove("lifted");
      if (now.type === "pointerup") done(now);
    },
  });
}
