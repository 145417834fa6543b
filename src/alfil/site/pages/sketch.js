// A board on which squares are drawn: where a piece moves, captures, or both.

import {drawing, element} from "./drawing.js";
import {button, Grid, isShortcut} from "./grid.js";

// How far squares can be drawn from the piece, as in alfil/site/notation_from_squares.py.
const RADIUS = 4, SIZE = 2 * RADIUS + 1;
const SIGNS = ["", "step-move", "step-capture", "step-either"];
const WORDS = ["", "moves there", "captures there", "moves or captures there"];
// A click goes on from nothing to both, to a move, to a capture, to nothing.
const AFTER = [3, 2, 0, 1];

export class Sketch {
  /** `changed` is called after somebody has drawn something. */
  constructor(root, changed) {
    const at = RADIUS * SIZE + RADIUS;
    const board = {files: SIZE, ranks: SIZE, at, wraps: false, shogi: false};
    this.changed = changed;
    this.marks = new Uint8Array(SIZE * SIZE);
    this.grid = new Grid(board, "Draw where the piece goes");
    this.grid.root.addEventListener("click", (event) => this.cycle(this.grid.squareOf(event)));
    this.grid.root.addEventListener("keydown", (event) => this.key(event));
    root.replaceChildren(this.grid.root, element("p", {class: "controls"},
      button("Clear the squares", () => this.draw([], true))));
    this.show();
  }

  /** What is drawn, as [dx, dy, how]. */
  drawn() {
    return [...this.marks].flatMap((how, square) =>
      how ? [[square % SIZE - RADIUS, Math.floor(square / SIZE) - RADIUS, how]] : []);
  }

  /** Have just these drawn. */
  draw(squares, tell = false) {
    this.marks.fill(0);
    for (const [dx, dy, how] of squares) {
      if (Math.max(Math.abs(dx), Math.abs(dy)) > RADIUS || !(dx || dy) || !SIGNS[how]) continue;
      this.marks[(dy + RADIUS) * SIZE + dx + RADIUS] = how;
    }
    this.show();
    if (tell) this.changed();
  }

  key(event) {
    if (isShortcut(event)) return;
    if (event.key === "Enter" || event.key === " ") this.cycle(this.grid.focused);
    else if (!this.grid.walk(event.key)) return;
    event.preventDefault();
  }

  cycle(square) {
    if (square < 0 || square === this.grid.board.at) return;
    this.grid.focus(square, true);
    this.marks[square] = AFTER[this.marks[square]];
    this.show();
    this.changed();
  }

  show() {
    this.marks.forEach((how, square) => {
      const home = square === this.grid.board.at;
      this.grid.put(square, home ? [drawing(["piece"])] : how ? [drawing([SIGNS[how]])] : [],
                    home ? "the piece" : WORDS[how]);
    });
  }
}
