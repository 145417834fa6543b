// An example reader of the rays that `alfil compile --plain` writes (docs/tables.md), in plain JavaScript:
//
//     node docs/read_rays.js rays.json < positions.txt
//
// Each line is one position: "code side square moves-made turn board". Side is 0 or 1, squares are numbers, and the
// board has a letter for each square, from a1: . empty, x an enemy, k a royal enemy, o a friend, * an en passant
// square, # a piece that blocks. The answer is a line of moves: the target, and an x before each square captured on.
const fs = require("fs");
const CLASSES = { ".": "empty", x: "enemy", k: "royal", o: "friend", "*": "trail" };

function allowed(when, made, turn) {
  return Object.entries(when).every(([condition, value]) => ({
    move: made === value - 1, every: (made + 1) % value === 0, turn: turn % value === 0, trail: true,
  })[condition]); // all others: see docs/tables.md
}

function* moves(tables, piece, side, at, board) {
  for (const ray of piece[side ? "second" : "first"][at]) {
    const captures = [];
    for (const [square, number] of ray) {
      const kind = tables.kinds[number];
      const standing = square === at ? tables.classes.home : tables.classes[CLASSES[board[square]]] || 0;
      if (kind.ends & standing) {
        const captured = "xko".includes(board[square]) || kind.en_passant && board[square] === "*";
        if (!captured) yield [square, ...captures];
        else if (!captures.includes(square)) yield [square, ...captures, square];
      }
      if (!(kind.on & standing)) break;
      if (kind.takes) captures.push(square);
    }
  }
}

const tables = JSON.parse(fs.readFileSync(process.argv[2], "utf8"));
for (const line of fs.readFileSync(0, "utf8").trim().split("\n")) {
  const [code, side, at, made, turn, board] = line.split(" ");
  const piece = tables.pieces.find((each) => each.code === code);
  const parts = piece.parts.filter((part) => allowed(part.when, Number(made), Number(turn)));
  const found = parts.flatMap((part) => [...moves(tables, part, Number(side), Number(at), board)]);
  console.log(found.map((move) => move.join("x")).join(" "));
}
