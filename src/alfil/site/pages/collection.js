// The pieces that somebody keeps in this browser: {name, text, notation, written, english, svg} each.

const PIECES_KEY = "alfil.pieces";

/** All of them, the newest first; none where the browser keeps nothing. */
export function collection() {
  try {
    const kept = JSON.parse(localStorage.getItem(PIECES_KEY) || "[]");
    return Array.isArray(kept) ? kept : [];
  } catch {
    return [];
  }
}

/** Keep just these; whether the browser did. */
export function keepAll(pieces) {
  try {
    localStorage.setItem(PIECES_KEY, JSON.stringify(pieces));
    return true;
  } catch {
    return false;
  }
}

/** Keep one more, in place of one that is written alike. */
export const keepPiece = (piece) => keepAll([piece,
  ...collection().filter(({text, notation}) => text !== piece.text || notation !== piece.notation)]);
