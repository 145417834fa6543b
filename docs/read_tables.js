// An example reader of tables that `alfil compile` writes (docs/tables.md), in plain JavaScript:
//
//     node docs/read_tables.js tables.json < positions.json
//
// Each position is {"code", "at": [file, rank], "board": {"file,rank": "enemy"}, "moves_made", "turn", "side"}, all
// as the side of the piece sees it, 0 or 1; what blocks the piece is "outside" on its board, and the piece itself is
// not on it, for a move leaves its square. The answer has for each
// the moves, sorted, and for each effect of the piece the others that are in its range where it stands. A reader that
// has no roaming pieces needs the first of the two walks only.
const HOME = 128;
const FOREMOST = ["outside", "friend", "royal", "enemy", "empty"];
const AFFECTED = { enemies: ["enemy", "royal"], friends: ["friend"], all: ["enemy", "royal", "friend"] };
const plus = ([x, y], [dx, dy]) => [x + dx, y + dy];

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
      const to = plus(at, [dx, dy]), home = !to[0] && !to[1], standing = home ? HOME : classOf(to);
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

// Whether a part may begin, or end, on a square.
const among = (areas, { files, ranks }, [x, y], side = 0) =>
  !areas || areas[side].map(String).includes(String(side ? [files - 1 - x, ranks - 1 - y] : [x, y]));

function allowed(when, { moves_made = 1000, turn = 1 }) {
  const refused = { move: moves_made !== when.move - 1, every: (moves_made + 1) % when.every, turn: turn % when.turn, trail: false };
  for (const kind of Object.keys(when)) {
    if (!(kind in refused) || refused[kind])
      return false; // castle, middle, greedy, third-rank: see docs/tables.md
  }
  return true;
}

// The moves of some parts from a square; what they capture are squares of the board that are not empty.
function* walk(tables, parts, squares, at, board, past) {
  const cells = (offset) => squares.map((cell) => plus(plus(at, offset), cell));
  const inside = ([x, y]) => x >= 0 && y >= 0 && x < tables.files && y < tables.ranks;
  const classOf = (offset) => {
    const standing = cells(offset).map((cell) => inside(cell) ? board[cell] || "empty" : "outside");
    return tables.classes[FOREMOST.find((each) => standing.includes(each))];
  };
  for (const part of parts.filter((each) => allowed(each.when, past) && among(each.from, tables, at, past.side)))
    for (const { to, captures } of (part.kind === "trie" ? trieMoves : graphMoves)(part, classOf))
      if (among(part.to, tables, plus(at, to), past.side)) yield { to, captures: captures.flatMap(cells).map(String).filter((cell) => board[cell]) };
}

// The pieces in the range of an effect: all that it is about count as enemies, all others stand in their way.
function inRange(tables, piece, fact, at, board, past) {
  const as = (standing) => !AFFECTED[fact.side].includes(standing) ? "friend" : standing === "royal" ? "royal" : "enemy";
  const seen = Object.fromEntries(Object.entries(board).map(([cell, standing]) => [cell, as(standing)]));
  return [...walk(tables, fact.reach, piece.squares, at, seen, past)].flatMap(({ captures }) => captures);
}

function answer(tables, { code, at, board, ...past }) {
  const piece = tables.pieces.find((each) => each.code === code), found = new Set();
  const effects = piece.facts.filter((fact) => fact.reach && allowed(fact.when, past));
  const burns = effects.filter((fact) => fact.fact === "burns" && fact.time !== "passive");
  for (const { to, captures } of walk(tables, piece.parts, piece.squares, at, board, past)) {
    const left = Object.fromEntries(Object.entries(board).filter(([cell]) => !captures.includes(cell)));
    const burnt = burns.flatMap((fact) => inRange(tables, piece, fact, plus(at, to), left, past));
    found.add([plus(at, to), ...[...new Set([...captures, ...burnt])].sort()].join(" "));
  }
  const ranges = effects.map((fact) => [...new Set(inRange(tables, piece, fact, at, board, past))].sort());
  return { moves: [...found].sort(), effects: effects.map(({ fact, time }, each) => [fact, time, ranges[each]]) };
}

const fs = require("fs");
const tables = JSON.parse(fs.readFileSync(process.argv[2]));
const positions = JSON.parse(fs.readFileSync(0));
console.log(JSON.stringify(positions.map((position) => answer(tables, position))));
