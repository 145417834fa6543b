// What a diagram shows: every move of its piece, or those in the position that is on its board.
//
// A view is {contents, signs, lines, exits, sequel, words}: what stands on each square, a function
// from a square to its signs as position.js has them, lines and arrows as drawing.js has them, what
// follows on the square looked at, and a line in words.

import {squareName} from "./drawing.js";
import {ENEMY, TooManyMoves, VACANT} from "./moves.js";
import {NO_SEQUEL, Position} from "./position.js";

// The signs of squares that a move ends on.
const ENDS = /^(step|leap|hurdle|locust|first|timed|castle|own$|royal)/;

/** The view of a whole piece; nothing stands on its board. */
export function everyMove(data, contents) {
  const {home, every, lines, exits, board} = data;
  const count = Object.values(every).filter((names) => names.some((each) => ENDS.test(each))).length;
  const beyond = exits.length ? " and on beyond the diagram" : "";
  const words = `Every move: ${count} ${count === 1 ? "square" : "squares"}${beyond}.`;
  const signs = (square) => ({signs: square === board.at ? home : every[square] || [], would: []});
  return {contents, signs, lines, exits, words, sequel: NO_SEQUEL};
}

/** The view of a position at a moment, and of what follows on the square `looked` at, if not -1. */
export function inPosition(data, contents, moment, looked) {
  try {
    const position = looking(data, contents, moment, looked);
    const probed = position.probe(), sequel = position.sequel(looked);
    const words = inWords(data, contents, looked, position, sequel)
      + (probed ? "" : " Too many to say what it could capture on empty squares.");
    const signs = (square) => position.signs(square);
    return {contents: position.contents, signs, lines: position.lines(),
            exits: position.exits(), words, sequel};
  } catch (error) {
    if (!(error instanceof TooManyMoves)) throw error;
    const words = "More moves than can be listed; take a piece off the board.";
    return {contents, signs: () => ({signs: [], would: []}), lines: [], exits: [], words, sequel: NO_SEQUEL};
  }
}

/** The position, with an enemy imagined on an empty square looked at, unless moves turn there. */
function looking(data, contents, moment, looked) {
  const position = new Position(data, contents.slice(), moment);
  if (looked < 0 || contents[looked] !== VACANT || position.turnsOn(looked)) return position;
  const imagined = contents.slice();
  imagined[looked] = ENEMY;
  return new Position(data, imagined, moment);
}

function inWords(data, contents, looked, position, sequel) {
  const where = looked < 0 ? "" : squareName(data.board, looked);
  const imagined = looked >= 0 && position.contents[looked] !== contents[looked];
  const number = sequel.ends.size, squares = number === 1 ? "1 square" : `${number} squares`;
  return (imagined ? `With an enemy on ${where}: ` : "") + position.count()
    + (number ? ` Over ${where} it goes on to ${squares}.` : "");
}
