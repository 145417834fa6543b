// A lone king is to be mated: how far that is, and what the last move has cost.

// What is chosen among the games for that, and the piece it begins with.
export const TRAINER = "mate:", FIRST_PIECE = "R";

/** How far mate is at a node of the record, in words; empty in other games. */
export function matingWords({state, parent}) {
  const {mate, outcome, turn} = state, before = parent?.parent?.state?.mate;
  if (typeof mate !== "number" || outcome) return "";
  if (!mate) return " No mate can be forced any more.";
  const left = ` Mate in ${mate}.`, cost = turn === 0 && before ? mate - before + 1 : 0;
  return cost > 0 ? `${left} The last move has cost ${cost}.` : left;
}
