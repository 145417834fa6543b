// A board on which pieces are put and taken away, until it is played on.

import {element} from "./drawing.js";
import {button, capital} from "./grid.js";

const NOTHING = {code: null, side: 0};

export class Editor {
  /** `table` is the games page; `place` where the pieces to choose from are laid out. */
  constructor(table, place) {
    Object.assign(this, {table, place, held: new Map(table.held), hand: NOTHING});
    const {pieces, sides} = table.setup;
    this.turn = table.state.turn;
    const choices = sides.flatMap((name, side) => Object.keys(pieces).map((code) => this.choice(code, side)));
    const eraser = button("Erase", () => this.choose(NOTHING, eraser), {"aria-pressed": "true"});
    const turn = button("", () => { this.turn = 1 - this.turn; tell(); });
    const tell = () => { turn.textContent = `${capital(sides[this.turn])} to move`; };
    tell();
    this.buttons = [eraser, ...choices];
    place.replaceChildren(
      element("div", {class: "palette", role: "group", "aria-label": "Pieces"}, ...this.buttons),
      element("p", {class: "controls"}, turn,
        button("Clear the board", () => { this.held.clear(); this.show(); }),
        button("Play this position", () => table.stopEditing(this.text())),
        button("Cancel", () => table.stopEditing(null))));
  }

  choice(code, side) {
    const {board, setup} = this.table;
    const made = button("", () => this.choose({code, side}, made),
      {"aria-pressed": "false", "aria-label": `${setup.sides[side]} ${setup.pieces[code].name}`});
    made.append(board.picture(code, side));
    return made;
  }

  choose(hand, chosen) {
    this.hand = hand;
    for (const each of this.buttons) each.setAttribute("aria-pressed", each === chosen);
  }

  /** Put what is chosen on a square; the same piece once more goes away. */
  click(square) {
    const {code, side} = this.hand, [there, its] = this.held.get(square) || [];
    if (code && !(code === there && side === its)) this.held.set(square, [code, side]);
    else this.held.delete(square);
    this.show();
  }

  /** A piece is dragged to a square, or off the board. */
  carry(from, to) {
    const piece = this.held.get(from);
    this.held.delete(from);
    if (to >= 0 && piece) this.held.set(to, piece);
    this.show();
  }

  show() {
    this.table.lay(this.held);
  }

  /** The position as text: the board, the side to move, the hands as they were. */
  text() {
    const {setup, state} = this.table, {files, ranks, pieces, letters} = setup, rows = [];
    for (let rank = ranks - 1; rank >= 0; rank--) {
      let row = "", empty = 0;
      for (let file = 0; file < files; file++) {
        const [code, side] = this.held.get(rank * files + file) || [];
        if (!code) empty++;
        else {
          row += (empty || "") + pieces[code].symbols[side];
          empty = 0;
        }
      }
      rows.push(row + (empty || ""));
    }
    const hands = state.hands.map((hand, side) =>
      hand.map(([code, number]) => (number > 1 ? number : "") + pieces[code].symbols[side]).join("")).join("");
    return `${rows.join("/")} ${letters[this.turn]} ${hands || "-"} 1`;
  }
}
