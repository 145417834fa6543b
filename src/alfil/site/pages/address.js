// What a page shows as an address, so that a link shares it. Everything is in the part after #.

/** The fields of the address. */
export const fields = () => Object.fromEntries(new URLSearchParams(location.hash.slice(1)));

/** Put fields into the address; empty ones are left out. It makes no entry in the history. */
export function remember(given) {
  const kept = Object.entries(given).filter(([, value]) => value);
  const hash = kept.length ? `#${new URLSearchParams(kept)}` : "";
  history.replaceState(null, "", location.pathname + location.search + hash);
}

/** Have what is changed next be an entry of its own in the history. */
export const enter = () => history.pushState(null, "", location.href);

/** The names of fields that were not understood: not known, or with squares or letters that are none. */
export function misread({text = "", ...others}, choices, squares) {
  const bad = Object.entries(others).filter(([name, value]) => value && !(name in squares
    ? value.split("_").length === squares[name].length : choices[name]?.includes(value) ?? false));
  return [...(text.includes("\ufffd") ? ["text"] : []), ...bad.map(([name]) => name)];
}

/** Some squares as text, each [dx, dy] from the piece with a letter or digit for what is there. */
export const inText = (places) => places.map(([dx, dy, what]) => `${what}${dx}.${dy}`).join("_");

/** The squares of such a text; what is none is left out. */
export const fromText = (text = "") =>
  text.split("_").map((each) => /^([a-z0-9])(-?\d{1,2})\.(-?\d{1,2})$/.exec(each)).filter(Boolean)
    .map(([, what, dx, dy]) => [Number(dx), Number(dy), what]);

/** A text packed for an address. */
export async function packed(text) {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const letters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(letters).replace(/\+/g, "-").replace(/\//g, ".").replace(/=+$/, "");
}

// No text that a page packs is longer, and a short address could hold a very long one.
const LONGEST = 4_000_000;

/** The text that was packed; throws where it is none. */
export async function unpacked(given) {
  const letters = atob(given.replace(/-/g, "+").replace(/\./g, "/"));
  const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  const reader = stream.getReader(), parts = [];
  let length = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    length += part.value.length;
    if (length > LONGEST) throw new RangeError("the text is too long");
    parts.push(part.value);
  }
  return new TextDecoder("utf-8", {fatal: true}).decode(await new Blob(parts).arrayBuffer());
}

/** Copy the address of the page as it is, and say so on the button for a while. */
export async function copyLink(button) {
  const words = button.textContent;
  try {
    await navigator.clipboard.writeText(location.href);
    button.textContent = "Copied";
  } catch {
    button.textContent = "Copy the address of this page";
  }
  setTimeout(() => { button.textContent = words; }, 2000);
}
