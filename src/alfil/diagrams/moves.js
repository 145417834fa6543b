// Where a piece can go in one position, worked out from the JSON of its move table.
//
// It answers as alfil/tables/move_table.py and alfil/tables/move_generation.py do, and the tests compare them.
// One thing is left out: nobody can place a square that may be captured on en passant, so the
// letters for such squares never apply.
//
// A scene is {files, ranks, at, wraps, contents, freshFriends, movesMade, thirdRank}. A square is
// the number rank * files + file; `contents` has the class of what stands on each, the piece's own
// square being vacant. `wraps` is false for a diagram whose edges are no board's, `freshFriends`
// says whether the piece's friends have not moved, `movesMade` is null for "many". `looked`, if it
// is there, counts the nodes and ways that have been looked at.

export const VACANT = 1, ENEMY = 2, ROYAL = 4, FRIEND = 8, OUTSIDE = 32;

// Ways a move may end on a square, and what may stand where a path goes on.
const ON_EMPTY = 1, ON_AWAY = 32;
const PAST_EMPTY = 1, PAST_AWAY = 256;
const LETTERS = {
  [ENEMY]: {on: 2, take: 2, over: 32, thru: 512},
  [ROYAL]: {on: 4, take: 4, over: 64, thru: 1024},
  [FRIEND]: {on: 8, take: 8, over: 128, thru: 2048},
};
const WRAP_BOTH = 2, WRAP_BEGINS = 4, WRAP_SKIPS = 8;

// A node of a trie is one word: the step, what lets the path go on, what ends a move.
const CLASS_BITS = 6, STEP_SHIFT = 12;

// Captures and hurdles tell ways apart, so there can be more of them than could be listed.
const BURDEN_LIMIT = 200000;
// What a way with captures or hurdles costs, in places of a flood.
const WEIGHT = 10;
export class TooManyMoves extends Error {}

const NOTHING = [];

/**
 * All moves of a piece in a scene: {to, captures, hurdles, trail, partner, guard}, squares as
 * numbers. `to` is the piece's own square when it ends where it began, `partner` is where a
 * castling partner comes from and goes to. With `only` they are those that end on that square.
 */
export function movesOf(table, scene, only = null) {
  const found = new Map();
  for (const section of table.sections) {
    if (!section.guard.every((condition) => holds(condition, scene))) continue;
    const kinds = new Map(section.guard.map((condition) => [condition[0], condition]));
    for (const end of section.kind === "trie" ? trieEnds(section, scene)
                                              : graphEnds(section, scene, kinds)) {
      if (only !== null && end.square !== only) continue;
      const partner = kinds.has("castle") ? castling(end, scene, kinds.get("castle")) : null;
      if (kinds.has("castle") && !partner) continue;
      const trail = kinds.has("trail") ? end.passed : NOTHING;
      const move = {...end, trail, partner, guard: section.guard};
      const key = [end.square, inOrder(end.captures), inOrder(end.hurdles), trail.join(),
                   partner, JSON.stringify(section.guard)].join("|");
      if (!found.has(key)) found.set(key, move);
    }
  }
  return [...found.values()];
}

const inOrder = (squares) =>
  squares.length > 1 ? [...squares].sort((a, b) => a - b).join() : String(squares);

/** Whether a condition on the piece's own past holds; those that say how it moves always do. */
function holds([kind, value], scene) {
  switch (kind) {
    case "move": return scene.movesMade === value - 1;
    case "every": return scene.movesMade === null || (scene.movesMade + 1) % value === 0;
    case "third-rank": return scene.thirdRank;
    default: return true;
  }
}

/** The square at an offset from another one, -1 off the board. */
function squareFrom(scene, square, dx, dy) {
  const x = square % scene.files + dx, y = Math.floor(square / scene.files) + dy;
  return x >= 0 && x < scene.files && y >= 0 && y < scene.ranks ? y * scene.files + x : -1;
}

/** The ends of a part that is laid out as a tree in preorder. An end's `way` leads back to home. */
function trieEnds(trie, scene) {
  const at = ([dx, dy]) => squareFrom(scene, scene.at, dx, dy);
  const squares = trie.steps.map(at);
  const classes = squares.map((square) => square < 0 ? OUTSIDE : scene.contents[square]);
  const {nodes, skips, traces} = trie;
  const ends = [];
  scene.looked += nodes.length;
  let way = {square: scene.at, from: null, until: nodes.length};
  for (let node = 0; node < nodes.length;) {
    while (node >= way.until) way = way.from;
    const word = nodes[node], step = word >>> STEP_SHIFT, standing = classes[step];
    if (word & standing) {
      const square = squares[step], trace = traces[node];
      const captures = trace ? trace.captures.map(at) : [];
      if (square !== scene.at && standing !== VACANT) captures.push(square);
      ends.push({
        square,
        captures,
        hurdles: trace ? trace.hurdles.map(at) : NOTHING,
        passed: trace ? trace.passed.map(at) : NOTHING,
        way,
      });
    }
    const onward = (word >>> CLASS_BITS) & standing;
    if (onward) way = {square: squares[step], from: way, until: skips[node]};
    node = onward ? node + 1 : skips[node];
  }
  return ends;
}

/** The ends of a part whose automaton is walked as the graph of (state, square). */
function graphEnds(graph, scene, kinds) {
  const walk = new Walk(graph.states, scene, kinds.has("trail") || kinds.has("middle"));
  if (kinds.has("greedy")) {
    const keep = kinds.get("greedy")[1];
    return walk.farthest().filter((end) => keep & (end.captures.length ? ~ON_EMPTY : ON_EMPTY));
  }
  return kinds.has("middle") ? walk.ends().filter((end) => inOwnHalf(end, scene)) : walk.ends();
}

/** Whether the last square, or the one shot at from home, is in reach of a range of `*`. */
function inOwnHalf(end, scene) {
  let last = end.square, passed = end.passed;
  if (last === scene.at && end.captures.length) {
    last = end.captures[end.captures.length - 1];
    passed = passed.slice(0, -1);
  }
  const half = scene.ranks - scene.ranks % 2;
  const near = (square) => 2 * Math.floor(square / scene.files) < half;
  return !passed.length || [...passed, last].every(near);
}

/** Where a castling partner comes from and goes to; null where none stands ready. */
function castling(end, scene, [, steps, inset]) {
  const file = scene.at % scene.files, row = scene.at - file;
  const side = end.square % scene.files > file ? 1 : -1;
  const corner = side > 0 ? scene.files - 1 - inset : inset;
  let met = file + side;
  while (met >= 0 && met < scene.files && scene.contents[row + met] === VACANT) met += side;
  const ready = met === corner && scene.contents[row + met] === FRIEND && scene.freshFriends;
  return ready && Math.abs(met - file) > steps ? [row + met, end.square - side] : null;
}

/**
 * Where a piece gets without taking or hopping over anything: most paths carry nothing but their
 * state and square, a place `state * squares + square`, and each place is visited once.
 */
class Flood {
  constructor(states, scene) {
    this.states = states;
    this.scene = scene;
    this.size = scene.contents.length;
    this.before = new Int32Array(states.length * this.size).fill(-1);
    this.queue = [scene.at];
    this.before[scene.at] = scene.at;
    this.quiet = new Uint8Array(this.size);
    this.taken = new Uint8Array(this.size);
    this.ends = [];
    this.burdened = new Map();
  }

  /** Follow every path until it ends or carries something. */
  spread() {
    const {scene, size, states, queue} = this;
    for (const place of queue) { // it grows: the shortest ways to a square come first
      const square = place % size;
      scene.looked++;
      for (const record of states[(place - square) / size]) this.follow(place, square, record);
    }
    return this;
  }

  follow(place, from, [dx, dy, , emit, passes]) {
    const {scene} = this;
    if (!dx && !dy) return this.end(this.quiet, scene.at, place, NOTHING);
    const square = squareFrom(scene, from, dx, dy);
    if (square < 0) return;
    const home = square === scene.at, standing = home ? VACANT : scene.contents[square];
    if (standing === VACANT) {
      if (emit & ON_EMPTY || (emit & ON_AWAY && !home)) this.end(this.quiet, square, place, NOTHING);
      const open = home ? PAST_EMPTY : PAST_EMPTY | PAST_AWAY;
      for (const [mask, state] of passes) if (mask & open) this.reach(state, square, place);
      return;
    }
    const {on, take, over, thru} = LETTERS[standing];
    if (emit & on) this.end(this.taken, square, place, [square]);
    for (const [mask, state] of passes) {
      if (mask & take) this.load(state, square, place, "captures");
      if (mask & over) this.load(state, square, place, "hurdles");
      if (mask & thru) this.reach(state, square, place);
    }
  }

  reach(state, square, place) {
    const next = state * this.size + square;
    if (this.before[next] >= 0) return;
    this.before[next] = place;
    this.queue.push(next);
  }

  end(ended, square, place, captures) {
    if (ended[square]) return;
    ended[square] = 1;
    this.ends.push({square, captures, hurdles: NOTHING, passed: NOTHING, way: this.way(place)});
  }

  /** A path that now carries something goes on as a way of its own. */
  load(state, square, place, what) {
    const key = `${state}|${square}|${what}`;
    if (this.burdened.has(key)) return;
    const way = {state, square, captures: NOTHING, hurdles: NOTHING, passed: NOTHING, origin: -1};
    this.burdened.set(key, {...way, [what]: [square], from: this.way(place)});
  }

  /** The squares a path has come over, the last one first. */
  way(place) {
    const places = [place];
    for (let at = place; this.before[at] !== at; at = this.before[at]) places.push(this.before[at]);
    return places.reduceRight((from, each) => ({square: each % this.size, from}), null);
  }
}

/** One automaton let loose on one scene. */
class Walk {
  constructor(states, scene, tracing) {
    this.states = states;
    this.scene = scene;
    this.tracing = tracing;
  }

  /** Every end of every path. */
  ends() {
    const wrapping = this.states.some((state) => state.some((record) => record[2]));
    if (this.tracing || wrapping) return this.followed([this.start()]);
    const flood = new Flood(this.states, this.scene).spread();
    return flood.ends.concat(this.followed([...flood.burdened.values()]));
  }

  /** The ends of ways and of all that follow from them. */
  followed(stack) {
    const ends = [], seen = new Set(stack.map(keyOf));
    let burden = 0;
    while (stack.length) {
      const way = stack.pop();
      burden += 1 + way.captures.length + way.hurdles.length + way.passed.length;
      this.scene.looked += WEIGHT;
      if (burden > BURDEN_LIMIT) throw new TooManyMoves();
      for (const record of this.states[way.state]) {
        for (const next of this.step(way, record, ends)) {
          const key = keyOf(next);
          if (seen.has(key)) continue;
          seen.add(key);
          stack.push(next);
        }
      }
    }
    return ends;
  }

  /** The ends of runs that can go no farther; runs are straight, so there are no loops. */
  farthest() {
    const from = (way, record) => {
      const ends = [];
      const beyond = this.step(way, record, ends).flatMap((next) =>
        this.states[next.state].flatMap((after) => from(next, after)));
      return beyond.length ? beyond : ends;
    };
    return this.states[0].flatMap((record) => from(this.start(), record));
  }

  start() {
    return {state: 0, square: this.scene.at, captures: NOTHING, hurdles: NOTHING, passed: NOTHING,
            origin: -1, from: null};
  }

  /** What one record leads to: ends of the move are added to `ends`, ways to go on returned. */
  step(way, record, ends) {
    const [dx, dy, wrap, emit, passes] = record;
    if (!dx && !dy && !wrap) {
      ends.push(ended(this.scene.at, way, way.captures));
      return NOTHING;
    }
    const origin = wrap & WRAP_BEGINS && this.scene.wraps ? way.square : way.origin;
    const square = this.next(way.square, record, origin);
    if (square < 0) return NOTHING;
    const standing = square === this.scene.at ? VACANT : this.scene.contents[square];
    const passed = this.tracing && !way.passed.includes(square) ? [...way.passed, square]
                                                                : way.passed;
    const arrived = {...way, square, passed, origin, from: way};
    return standing === VACANT ? this.vacant(way, emit, passes, arrived, ends)
                               : occupied(way, emit, passes, arrived, LETTERS[standing], ends);
  }

  /** The square a step leads to; a leg that has gone round the board stops where it began. */
  next(from, [dx, dy, wrap], origin) {
    const {files, ranks, wraps} = this.scene;
    if (!wrap || !wraps) return squareFrom(this.scene, from, dx, dy);
    const x = modulo(from % files + dx, files), rank = Math.floor(from / files) + dy;
    const y = wrap & WRAP_BOTH ? modulo(rank, ranks) : rank;
    if (y < 0 || y >= ranks) return -1;
    const square = y * files + x;
    return square === origin && !(wrap & WRAP_SKIPS) ? -1 : square;
  }

  vacant(way, emit, passes, arrived, ends) {
    const away = arrived.square !== this.scene.at;
    if (emit & ON_EMPTY || (emit & ON_AWAY && away)) {
      ends.push(ended(arrived.square, way, way.captures));
    }
    const open = away ? PAST_EMPTY | PAST_AWAY : PAST_EMPTY;
    return passes.filter(([mask]) => mask & open).map(([, state]) => ({...arrived, state}));
  }
}

/** What a record leads to on a square that something stands on; nothing is captured twice. */
function occupied(way, emit, passes, arrived, letters, ends) {
  const {square} = arrived;
  const fresh = !way.captures.includes(square);
  if (emit & letters.on && fresh) ends.push(ended(square, way, [...way.captures, square]));
  const onward = [];
  for (const [mask, state] of passes) {
    if (mask & letters.take && fresh) {
      onward.push({...arrived, state, captures: [...way.captures, square]});
    }
    if (mask & letters.over) {
      const hurdles = way.hurdles.includes(square) ? way.hurdles : [...way.hurdles, square];
      onward.push({...arrived, state, hurdles});
    }
    if (mask & letters.thru) onward.push({...arrived, state});
  }
  return onward;
}

const keyOf = ({state, square, captures, hurdles, passed, origin}) =>
  [state, square, captures.join(), hurdles.join(), passed.join(), origin].join("|");

const ended = (square, way, captures) =>
  ({square, captures, hurdles: way.hurdles, passed: way.passed, way});

const modulo = (a, b) => ((a % b) + b) % b;
