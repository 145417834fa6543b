// What a diagram shows of one position: the signs of its squares, arrows, lines, a line in words.

// How a move may end on a square, as bits.
const MOVES = 1, CAPTURES = 2, TAKES_ROYAL = 4, TAKES_OWN = 8;
const FAMILIES = ["step", "leap", "hurdle", "locust", "first", "timed", "castle"];
const TIMING = ["move", "every", "third-rank"];
// So much may be looked at to find out what could be captured on empty squares.
const PROBE_LIMIT = 2000000;
// Where more lines lead on from a square they are a web.
const WIDEST_FAN = 4;

/** What a position shows: signs and words by square, the arrows that stay, and how many moves. */
class Position {
  constructor(data, contents, moment) {
    this.data = data;
    this.contents = contents;
    const {files, ranks, at, wraps} = data.board;
    const [, movesMade, thirdRank] = moment;
    this.scene = {files, ranks, at, wraps, contents, freshFriends: true, movesMade, thirdRank};
    this.moves = movesOf(data.table, this.scene);
    this.ways = new Map();
    this.home = new Set();
    this.victims = new Set();
    this.hurdles = new Set();
    for (const move of this.moves) this.note(move);
    this.probed = this.probe();
  }

  note(move) {
    const standing = this.contents[move.square];
    if (move.square === this.scene.at) this.home.add(move.captures.length ? "return" : "pass");
    this.add(move, move.square === this.scene.at ? 0
      : {[VACANT]: MOVES, [ENEMY]: CAPTURES, [ROYAL]: TAKES_ROYAL, [FRIEND]: TAKES_OWN}[standing]);
  }

  add(move, ends) {
    for (const square of move.captures) if (square !== move.square) this.victims.add(square);
    for (const square of move.hurdles) this.hurdles.add(square);
    if (!this.ways.has(move.square)) this.ways.set(move.square, new Map());
    const ways = this.ways.get(move.square), family = this.family(move);
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

  /** Find out what could be captured on empty squares: put a piece there, and look. */
  probe() {
    this.scene.looked = 0;
    for (const square of this.data.probes) {
      if (this.contents[square] !== VACANT) continue;
      for (const [standing, ends] of this.data.victims) {
        this.contents[square] = standing;
        const moves = movesOf(this.data.table, this.scene, square);
        this.contents[square] = VACANT;
        for (const move of moves) if (move.captures.includes(square)) this.add(move, ends);
        if (this.scene.looked > PROBE_LIMIT) return false;
      }
    }
    return true;
  }

  /** The names of the signs on a square; what a plain move may do needs no second sign. */
  signs(square) {
    if (square === this.scene.at) return [...this.home];
    const ways = this.ways.get(square);
    const signs = [];
    let plain = 0, own = false, royal = false;
    for (const family of ways ? FAMILIES.filter((each) => ways.has(each)) : []) {
      const ends = ways.get(family) & ~plain, either = ends & (MOVES | CAPTURES);
      own = own || Boolean(ends & TAKES_OWN);
      royal = royal || (ends & TAKES_ROYAL && !(ends & CAPTURES));
      if (family === "step" || family === "leap") plain |= ends;
      if (family === "castle") signs.push("castle");
      else if (either) signs.push(`${family}-${["move", "capture", "either"][either - 1]}`);
    }
    if (own) signs.push("own");
    if (royal) signs.push("royal");
    if (this.victims.has(square)) signs.push("victim");
    if (this.hurdles.has(square)) signs.push("over");
    return signs;
  }

  /** The arrows of the diagram that still lead somewhere: on a wider board a move goes there. */
  arrows() {
    const {files, ranks, at} = this.scene, {arrows} = this.data;
    const rim = Math.max(0, ...arrows.flatMap(([, , dx, dy]) => [Math.abs(dx), Math.abs(dy)]));
    const wide = files + 2 * rim;
    const outer = (square) => (Math.floor(square / files) + rim) * wide + square % files + rim;
    const contents = new Uint8Array(wide * (ranks + 2 * rim)).fill(VACANT);
    this.contents.forEach((standing, square) => { contents[outer(square)] = standing; });
    const scene = {...this.scene, files: wide, ranks: ranks + 2 * rim, at: outer(at), contents};
    const reached = new Set(movesOf(this.data.table, scene).map((move) => move.square));
    const inside = (x, y) => x >= 0 && x < files && y >= 0 && y < ranks;
    const clamped = (value, size) => Math.max(-1, Math.min(size, value));
    return arrows.filter(([x, y, dx, dy]) => [...reached].some((square) => {
      const toX = square % wide - rim, toY = Math.floor(square / wide) - rim;
      return !inside(toX, toY) && inside(toX - dx, toY - dy)
        && clamped(toX, files) === x && clamped(toY, ranks) === y;
    }));
  }

  /** The steps of all moves of more than one, unless they are a web that explains nothing. */
  lines() {
    const steps = new Map(), fans = new Map();
    for (const {square, way} of this.moves) {
      if (!way.from) continue;
      for (let to = square, from = way; from; to = from.square, from = from.from) {
        steps.set(Math.min(to, from.square) * this.contents.length + Math.max(to, from.square),
                  [from.square, to]);
      }
    }
    for (const [from] of steps.values()) fans.set(from, (fans.get(from) || 0) + 1);
    fans.delete(this.scene.at);
    return Math.max(0, ...fans.values()) > WIDEST_FAN ? [] : [...steps.values()];
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
