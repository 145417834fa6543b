// An example reader of tables that `alfil compile` writes (docs/tables.md), in plain JavaScript:
//
//     node docs/read_tables.js tables.json < positions.json
//
// Each position is {"code", "at": [file, rank], "board": {"file,rank": "enemy"}, "moves_made", "turn"}; the
// answer has the moves of each, sorted. A reader that has no roaming pieces needs the first of the two walks only.
const HOME = 128, TRAIL = 16;

// Every node in order: its bit in the low six says that a move ends here, in the next six that the path goes on.
function* trieMoves(part, classOf) {
  for (let node = 0; node < part.nodes.length;) {
    const word = part.nodes[node], to = part.steps[word >> 12], standing = classOf(to);
    const trace = part.traces[node] || { captures: [], hurdles: [], takes_trail: false };
    if (word & standing) {
      const last = (standing & ~1 && standing !== 32 && (to[0] || to[1])) ? [to] : [];
      const twice = trace.captures.some(([x, y]) => x === to[0] && y === to[1]);
      if (!(twice && last.length)) yield { to, captures: [...trace.captures, ...last] };
    }
    node = word >> 6 & standing ? node + 1 : part.skips[node];
  }
}

// States of a graph: each step has what may stand where the move ends (quietly, captured) and goes on.
function* graphMoves(part, classOf) {
  const seen = new Set(), stack = [[0, [0, 0], []]];
  while (stack.length) {
    const [state, at, captures] = stack.pop(), key = JSON.stringify([state, at, captures]);
    if (seen.has(key)) continue;
    seen.add(key);
    for (const [dx, dy, wrap, quiet, captured, on] of part.states[state]) {
      if (wrap) throw Error("boards that wrap are not read by this example");
      if (!dx && !dy) { yield { to: [0, 0], captures }; continue; }
      const to = [at[0] + dx, at[1] + dy], home = !to[0] && !to[1], standing = home ? HOME : classOf(to);
      const taken = captures.some(([x, y]) => x === to[0] && y === to[1]);
      if (quiet & standing) yield { to, captures };
      if (captured & standing && !taken) yield { to, captures: [...captures, to] };
      for (const [by, over, take, target] of on) {
        if ((by | over) & standing) stack.push([target, to, captures]);
        if (take & standing && !taken) stack.push([target, to, [...captures, to]]);
      }
    }
  }
}

function allowed(when, made, turn) {
  const refused = { move: made !== when.move - 1, every: (made + 1) % when.every, turn: turn % when.turn, trail: false };
  for (const kind of Object.keys(when)) {
    if (!(kind in refused) || refused[kind])
      return false; // castle, middle, greedy, third-rank: see docs/tables.md
  }
  return true;
}

function moves(tables, { code, at, board, moves_made = 1000, turn = 1 }) {
  const piece = tables.pieces.find((each) => each.code === code), found = new Set();
  const classOf = ([dx, dy]) => {
    const x = at[0] + dx, y = at[1] + dy;
    const inside = x >= 0 && y >= 0 && x < tables.files && y < tables.ranks;
    return inside ? tables.classes[board[`${x},${y}`] || "empty"] : tables.classes.outside;
  };
  for (const part of piece.parts.filter((each) => allowed(each.when, moves_made, turn)))
    for (const { to, captures } of (part.kind === "trie" ? trieMoves : graphMoves)(part, classOf))
      found.add(`${to} ${captures.map(String).sort().join(" ")}`.trim());
  return [...found].sort();
}

const fs = require("fs");
const tables = JSON.parse(fs.readFileSync(process.argv[2]));
const positions = JSON.parse(fs.readFileSync(0));
console.log(JSON.stringify(positions.map((position) => moves(tables, position))));
