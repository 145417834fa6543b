// The squares of a board as elements, which a keyboard walks over and a screen reader reads out.

import {element, labels, Lines, placeOf, SQUARE, squareName} from "./drawing.js";

// A pointer that moves so many pixels drags; what moves less clicks.
const SLOP = 5;

/** A board, as drawing.js has it; one of its squares at a time is in the tab order. */
export class Grid {
  /** `label` names the grid; `margin` is the room for arrows around it, in the units of lines. */
  constructor(board, label, margin = 0) {
    this.board = board;
    this.cells = [];
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

  /** The square at a place of the window, -1 for none. */
  squareAt({clientX, clientY}) {
    const cell = document.elementFromPoint(clientX, clientY)?.closest("[data-square]");
    return cell && this.root.contains(cell) ? Number(cell.dataset.square) : -1;
  }

  /** Have a square in the tab order; with `move` it gets the focus, where a click may be under way. */
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
    if (file >= 0 && file < files && rank >= 0 && rank < ranks) {
      this.focus(rank * files + file, true);
      this.cells[this.focused].scrollIntoView({block: "nearest", inline: "nearest"});
    }
    return true;
  }

  /** Put drawings on a square; `words` say what it has. */
  put(square, drawings, words) {
    this.cells[square].replaceChildren(...drawings);
    this.cells[square].setAttribute("aria-label",
                                    `${squareName(this.board, square)}: ${words || "empty"}`);
  }

  /** Have a class on just those squares for which `holds` does. */
  mark(name, holds) {
    this.cells.forEach((cell, square) => cell.classList.toggle(name, holds(square)));
  }
}

/**
 * Follow the pointer that went down with an event. Once it drags, `begin` is called, and then `move`
 * with each event of its way; after that `end` with its last one, "pointerup" or "pointercancel".
 */
export function followDrag(event, {begin, move, end}) {
  const {clientX, clientY, pointerId} = event, ending = new AbortController(), {signal} = ending;
  let drags = false;
  const follow = (now) => {
    if (now.pointerId !== pointerId) return;
    if (!drags && Math.hypot(now.clientX - clientX, now.clientY - clientY) < SLOP) return;
    if (!drags) begin();
    drags = true;
    move(now);
  };
  const stop = (now) => {
    if (now.pointerId !== pointerId) return;
    ending.abort();
    if (drags) end(now);
  };
  window.addEventListener("pointermove", follow, {signal});
  for (const name of ["pointerup", "pointercancel"]) window.addEventListener(name, stop, {signal});
}

/** Whether a key event is left to the browser. */
export const isShortcut = (event) => event.altKey || event.ctrlKey || event.metaKey;

/** Words as at the beginning of a sentence. */
export const capital = (words) => words.charAt(0).toUpperCase() + words.slice(1);

/** A button that does something. */
export function button(words, act, attributes = {}) {
  const made = element("button", {type: "button", ...attributes}, words);
  made.addEventListener("click", act);
  return made;
}
