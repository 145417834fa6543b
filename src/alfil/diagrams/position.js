// What a diagram shows of one position: the signs of its squares, lines, arrows, a line in words.

import {HOP, JUMP, PATH, placeOf, TAKE} from "./drawing.js";
import {ENEMY, FRIEND, movesOf, ROYAL, VACANT} from "./moves.js";

// How a move may end on a square, as bits.
const MOVES = 1, CAPTURES = 2, TAKES_ROYAL = 4, TAKES_OWN = 8;
const FAMILIES = ["step", "leap", "hurdle", "locust", "first", "timed", "castle"];
const TIMING = ["move", "every", "third-rank", "unchecked"];
// So much may be looked at to find out what could be captured on empty squares.
const PROBE_LIMIT = 2000000;
// Where more lines lead on from a square they are a web.
const WIDEST_FAN = 4;

/** What a position shows: signs by square, lines, the exits that stay, and how many moves. */
export class Position {
  constructor(data, contents, moment) {
    this.data = data;
    this.contents = contents;
    const {files, ranks, at, wraps} = data.board;
    const [, movesMade, thirdRank] = moment;
    this.scene = {files, ranks, at, wraps, contents, freshFriends: true, movesMade, thirdRank};
    this.moves = movesOf(data.table, this.scene);
    this.ways = new Map();
    this.wouldBe = new Map();
    this.home = new Set();
    this.victims = new Set();
    this.hurdles = new Set();
    this.possible = [];
    for (const move of this.moves) this.note(move);
  }

  note(move) {
    const standing = this.contents[move.square];
    if (move.square === this.scene.at) this.home.add(move.captures.length ? "return" : "pass");
    for (const square of move.captures) if (square !== move.square) this.victims.add(square);
    this.add(this.ways, move, move.square === this.scene.at ? 0
      : {[VACANT]: MOVES, [ENEMY]: CAPTURES, [ROYAL]: TAKES_ROYAL, [FRIEND]: TAKES_OWN}[standing]);
  }

  /** Note how a move ends, among those that can be made or those that could with a piece there. */
  add(bySquare, move, ends) {
    for (const square of move.hurdles) this.hurdles.add(square);
    if (!bySquare.has(move.square)) bySquare.set(move.square, new Map());
    const ways = bySquare.get(move.square), family = this.family(move);
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

  /** Find out what could be captured on empty squares: put a piece there, and look; if possible. */
  probe() {
    this.scene.looked = 0;
    for (const square of this.data.probes) {
      if (this.contents[square] !== VACANT) continue;
      for (const [standing, ends] of this.data.victims) {
        this.contents[square] = standing;
        const moves = movesOf(this.data.table, this.scene, square);
        this.contents[square] = VACANT;
        const taking = moves.filter((move) => move.captures.includes(square));
        for (const move of taking) this.add(this.wouldBe, move, ends);
        this.possible.push(...taking);
        if (this.scene.looked > PROBE_LIMIT) return false;
      }
    }
    return true;
  }

  /**
   * The names of the signs on a square, and in `would` of those that need a piece there to capture.
   * What a plain move may do needs no second sign, but a capture on the way is more than that, and a
   * hop may be there when the plain way is blocked.
   */
  signs(square) {
    if (square === this.scene.at) return {signs: [...this.home], would: []};
    const now = this.ways.get(square), then = this.wouldBe.get(square);
    const signs = [], would = [], taken = new Set();
    const sure = this.data.sure.includes(square);
    let plain = 0;
    for (const family of FAMILIES.filter((each) => now?.has(each) || then?.has(each))) {
      const more = family === "locust" || (family === "hurdle" && !sure);
      const made = now?.get(family) || 0, all = made | (then?.get(family) || 0);
      const ends = all & ~(more ? 0 : plain), either = ends & (MOVES | CAPTURES);
      if (ends & TAKES_OWN) taken.add(made & TAKES_OWN ? "own" : "own?");
      if (ends & TAKES_ROYAL && !(ends & CAPTURES)) taken.add(made & TAKES_ROYAL ? "royal" : "royal?");
      if (family === "step" || family === "leap") plain |= ends;
      if (family === "castle") signs.push("castle");
      else if (either) {
        (now?.has(family) ? signs : would).push(`${family}-${["move", "capture", "either"][either - 1]}`);
      }
    }
    for (const name of ["own", "royal"]) {
      if (taken.has(name)) signs.push(name);
      else if (taken.has(`${name}?`)) would.push(name);
    }
    if (this.victims.has(square)) signs.push("victim");
    if (this.hurdles.has(square)) signs.push("over");
    return {signs, would};
  }

  /** The exits of the diagram that still lead somewhere: on a wider board a move goes there. */
  exits() {
    const {scene, data} = this, {files, ranks, at} = scene;
    const rim = Math.max(0, ...data.exits.flatMap(([, dx, dy]) => [Math.abs(dx), Math.abs(dy)]));
    if (!rim) return [];
    const wide = files + 2 * rim;
    const outer = (square) => (Math.floor(square / files) + rim) * wide + square % files + rim;
    const contents = new Uint8Array(wide * (ranks + 2 * rim)).fill(VACANT);
    this.contents.forEach((standing, square) => { contents[outer(square)] = standing; });
    const wider = {...scene, files: wide, ranks: ranks + 2 * rim, at: outer(at), contents};
    const taken = new Map();
    for (const move of movesOf(data.table, wider)) {
      for (const [from, to, kind] of stepsOf(move, wider)) {
        const step = `${from} ${to}`;
        taken.set(step, Math.min(kind, taken.get(step) ?? TAKE));
      }
    }
    return data.exits.flatMap(([from, dx, dy, , limit]) => {
      const kind = taken.get(`${outer(from)} ${outer(from) + dy * wide + dx}`);
      return kind === undefined ? [] : [[from, dx, dy, kind, limit]];
    });
  }

  /** The strokes of all moves; up to the first turn where they are a web that explains nothing. */
  lines() {
    const steps = this.moves.map((move) => stepsOf(move, this.scene));
    const all = plainest(steps.flat()), fans = new Map();
    for (const [from] of all) fans.set(from, (fans.get(from) || 0) + 1);
    fans.delete(this.scene.at);
    if (Math.max(0, ...fans.values()) <= WIDEST_FAN) return joined(all, this.scene);
    if (!this.data.exits.length) return [];
    return joined(plainest(steps.flatMap((each) => straight(each, this.scene))), this.scene);
  }

  /** Whether some move turns on a square. */
  turnsOn(square) {
    return this.moves.some((move) => {
      const steps = stepsOf(move, this.scene);
      const on = steps.findIndex((step) => step[0] === square);
      return on > 0 && vector(steps[on], this.scene) !== vector(steps[on - 1], this.scene);
    });
  }

  /** The squares that moves end on after passing a square, and the strokes that lead there. */
  sequel(square) {
    if (square < 0) return NO_SEQUEL;
    const ends = new Set(), steps = [];
    for (const move of [...this.moves, ...this.possible]) {
      const way = stepsOf(move, this.scene), from = way.findIndex((step) => step[0] === square);
      if (from < 0) continue;
      ends.add(move.square);
      steps.push(...way.slice(from));
    }
    return {ends, lines: joined(plainest(steps), this.scene)};
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

export const NO_SEQUEL = {ends: new Set(), lines: []};

/**
 * The steps of a move of several, each as [from, to, kind]; a single step has no line, and neither
 * has the return to its own square. After something is passed the line is of that kind. Up to a
 * hurdle it is dashed already, up to a capture it is plain.
 */
function stepsOf(move, scene) {
  const squares = move.square === scene.at ? [] : [move.square];
  for (let way = move.way; way; way = way.from) squares.unshift(way.square);
  if (!move.way.from) return [];
  const passed = squares.slice(1, -1).map((square) => passing(square, move, scene));
  return squares.slice(1).map((to, index) => {
    const before = Math.max(PATH, ...passed.slice(0, index));
    const ahead = Math.max(PATH, ...passed.slice(index));
    const kind = before || (ahead === TAKE ? PATH : ahead);
    return [squares[index], to, kind || (skipsPiece(squares[index], to, scene) ? JUMP : PATH)];
  });
}

/** The kind of line that goes on from a square which a move passes. */
function passing(square, {captures, hurdles}, {contents, at}) {
  if (captures.includes(square)) return TAKE;
  if (hurdles.includes(square)) return HOP;
  return square === at || contents[square] === VACANT ? PATH : JUMP;
}

/** Whether something stands right under a step of several squares. */
function skipsPiece(from, to, scene) {
  const {files, contents} = scene, [x, y] = placeOf(scene, from), [toX, toY] = placeOf(scene, to);
  const dx = toX - x, dy = toY - y, times = divisor(Math.abs(dx), Math.abs(dy));
  for (let step = 1; step < times; step++) {
    const square = (y + (step * dy) / times) * files + x + (step * dx) / times;
    if (square !== scene.at && contents[square] !== VACANT) return true;
  }
  return false;
}

const divisor = (a, b) => (b ? divisor(b, a % b) : a);

/** Every step once, whichever way it is gone, as the plainest of its kinds. */
function plainest(steps) {
  const found = new Map();
  for (const [from, to, kind] of [...steps].sort((one, other) => one[2] - other[2])) {
    const key = `${Math.min(from, to)} ${Math.max(from, to)}`;
    if (!found.has(key)) found.set(key, [from, to, kind]);
  }
  return [...found.values()];
}

/** The steps of a way up to its first turn. */
function straight(steps, scene) {
  const turn = steps.findIndex((step) => vector(step, scene) !== vector(steps[0], scene));
  return turn < 0 ? steps : steps.slice(0, turn);
}

function vector([from, to], scene) {
  const [x, y] = placeOf(scene, from), [toX, toY] = placeOf(scene, to);
  return `${toX - x},${toY - y}`;
}

/** Steps that go straight on from each other as one stroke, so that dashes run through. */
function joined(steps, scene) {
  const key = (step, from) => `${from} ${vector(step, scene)} ${step[2]}`;
  const after = new Map(steps.map((step) => [key(step, step[0]), step]));
  const followed = new Set(steps.map((step) => key(step, step[1])));
  return steps.filter((step) => !followed.has(key(step, step[0]))).map((step) => {
    let last = step;
    while (after.has(key(step, last[1]))) last = after.get(key(step, last[1]));
    return [step[0], last[1], step[2]];
  });
}
