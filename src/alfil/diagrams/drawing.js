// What pages draw with: elements, signs, the names of squares, lines and arrows on a board.
//
// A board is {files, ranks, at, wraps, shogi}, the piece on the square `at`; `wraps` says whether
// it is a real board, and no open diagram. A square is the number rank * files + file.

const SVG = "http://www.w3.org/2000/svg";

// How lines are drawn, as on pictures; each but the first has a style and words of its own.
export const PATH = 0, JUMP = 1, HOP = 2, TAKE = 3;
export const LINES = ["line-path", "line-jump", "line-hop", "line-take"];

// A square in the units of lines.
export const SQUARE = 40;

/** Data that the page carries under a name. */
export const read = (id) => JSON.parse(document.getElementById(id).textContent);

/** An element with attributes; `children` are elements or texts. */
export function element(name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children);
}

/** An element of a drawing, likewise. */
export function drawn(name, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, name), attributes, children);
}

function filled(made, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** Signs of the ground of a square, with others in front. */
export const GROUNDS = new Set(["over", "victim", "own-victim", "also-hurdle", "also-locust"]);

/** A drawing of some signs side by side, each a symbol of the page; those of the ground below. */
export function drawing(names) {
  const inside = names.filter((name) => !GROUNDS.has(name));
  const scale = inside.length > 1 ? 1.3 / inside.length : 1;
  const uses = [...names.filter((name) => GROUNDS.has(name)), ...inside].map((name) => {
    const use = drawn("use", {href: `#sign-${name}`, class: `sign ${name}`});
    if (!GROUNDS.has(name) && inside.length > 1) {
      const x = ((inside.indexOf(name) + 0.5) / inside.length - 0.5) * 38;
      use.setAttribute("transform", `translate(${x} 0) scale(${scale})`);
    }
    return use;
  });
  return drawn("svg", {viewBox: "-20 -20 40 40", "aria-hidden": "true"}, ...uses);
}

/** The file and the rank of a square. */
export const placeOf = ({files}, square) => [square % files, Math.floor(square / files)];

/** The letters of a file counted from 0; z is followed by aa. */
const fileLetters = (file) =>
  (file >= 26 ? String.fromCharCode(96 + Math.floor(file / 26)) : "")
  + String.fromCharCode(97 + file % 26);

/** What a file and a rank are called, in that order. */
export const labels = ({files, ranks, shogi}, file, rank) =>
  shogi ? [`${files - file}`, fileLetters(ranks - 1 - rank)] : [fileLetters(file), `${rank + 1}`];

/** A square's name, on a board as in e5, in an open diagram as seen from the piece. */
export function squareName(board, square) {
  const [file, rank] = placeOf(board, square), [homeFile, homeRank] = placeOf(board, board.at);
  if (board.wraps) return labels(board, file, rank).join("");
  const x = file - homeFile, y = rank - homeRank, words = [];
  if (y) words.push(`${Math.abs(y)} ${y > 0 ? "forward" : "back"}`);
  if (x) words.push(`${Math.abs(x)} ${x > 0 ? "right" : "left"}`);
  return words.join(", ") || "home";
}

/**
 * The lines and arrows of a board, which lie over its squares and under its signs. A stroke is
 * [from, to, kind]; an exit, where the piece goes on beyond an open diagram, is [from, dx, dy,
 * kind, limit, beside], the limit being how far from home it goes, 0 for ever; `beside` are signs
 * of what goes on there, each with a limit, where not all does alike.
 */
export class Lines {
  constructor(board, margin) {
    this.board = board;
    const wide = board.files * SQUARE + 2 * margin, high = board.ranks * SQUARE + 2 * margin;
    const viewBox = `${-margin} ${-margin} ${wide} ${high}`;
    this.drawing = drawn("svg", {class: "lines", "aria-hidden": "true", viewBox});
    this.regions = [];
  }

  /** Have lines around regions below all others, each [name, dashes, path]. */
  outline(regions) {
    this.regions = regions.map(([, dashes, d]) =>
      drawn("path", {class: "region", "stroke-dasharray": dashes, d}));
  }

  /** Draw strokes and exits, and over them the strokes that lead on from where the mouse rests. */
  show(strokes, exits, sequel) {
    this.drawing.replaceChildren(
      ...this.regions,
      ...strokes.map((stroke) => this.stroke(stroke)),
      ...exits.map((exit) => this.exit(exit)),
      drawn("g", {class: "sequel"}, ...sequel.map((stroke) => this.stroke(stroke))),
    );
  }

  /** The middle of a square. */
  middle(square) {
    const [file, rank] = placeOf(this.board, square);
    return [(file + 0.5) * SQUARE, (this.board.ranks - rank - 0.5) * SQUARE];
  }

  stroke([from, to, kind]) {
    const [x, y] = this.middle(from), [toX, toY] = this.middle(to);
    const slide = x === toX || y === toY || Math.abs(x - toX) === Math.abs(y - toY);
    return drawn("path", {class: LINES[kind] + (slide ? "" : " rider"), d: `M${x},${y}L${toX},${toY}`});
  }

  /** A line to the edge, an arrowhead, and straight on beyond it the limit and the signs in a row. */
  exit([from, dx, dy, kind, limit, beside = []]) {
    const {files, ranks} = this.board, [file, rank] = placeOf(this.board, from);
    const across = dx > 0 ? files - 1 - file : file, along = dy > 0 ? ranks - 1 - rank : rank;
    const share = Math.min(dx ? (across + 0.5) / Math.abs(dx) : Infinity,
                           dy ? (along + 0.5) / Math.abs(dy) : Infinity) * SQUARE;
    const length = Math.hypot(dx, dy), ux = dx / length, uy = -dy / length;
    const [x, y] = this.middle(from);
    const ex = x + dx * share + 6 * ux, ey = y - dy * share + 6 * uy;
    const turn = (Math.atan2(uy, ux) * 180) / Math.PI;
    const shape = drawn("g", {class: "exit", "data-exit": `${dx},${dy}`},
      drawn("path", {class: LINES[kind], d: `M${x} ${y}L${ex} ${ey}`}),
      drawn("path", {class: "head", d: "M9 0L0 5V-5z",
                     transform: `translate(${ex} ${ey}) rotate(${turn})`}));
    const parts = [...(limit ? [["", limit]] : []), ...beside];
    const width = ([name, far]) => (name ? 15 : 0) + (far ? 8 * `${far}`.length + 2 : 0);
    const wide = parts.reduce((sum, part) => sum + width(part), 0);
    const away = 12 + (Math.abs(ux) * wide + Math.abs(uy) * 13) / 2, py = ey + away * uy;
    let left = ex + away * ux - wide / 2;
    for (const [name, far] of parts) {
      if (name) {
        shape.append(drawn("use", {href: `#sign-${name}`, class: `sign ${name}`,
                                   transform: `translate(${left + 7.5} ${py}) scale(0.5)`}));
      }
      if (far) shape.append(drawn("text", {x: left + (name ? 15 : 0), y: py + 5}, `${far}`));
      left += width([name, far]);
    }
    return shape;
  }
}
