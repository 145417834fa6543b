// The pieces that somebody has kept in this browser, as a page of its own.

import {collection, keepAll} from "./collection.js";
import {element} from "./drawing.js";
import {pictured, save} from "./files.js";
import {button} from "./grid.js";

const byId = (id) => document.getElementById(id);

function show() {
  const pieces = collection();
  byId("none").hidden = pieces.length > 0;
  byId("save-all").disabled = !pieces.length;
  byId("pieces").replaceChildren(...pieces.map(card));
}

/** A piece with its picture, a name that can be changed, and the link to go on with it. */
function card(piece, number) {
  const name = element("input", {type: "text", value: piece.name, "aria-label": `Name of piece ${number + 1}`});
  name.addEventListener("change", () => {
    keepAll(collection().map((each, at) => (at === number ? {...each, name: name.value} : each)));
  });
  const fields = new URLSearchParams({text: piece.text, in: piece.notation});
  return element("li", {},
    element("img", {src: pictured(piece.svg), alt: piece.english}),
    element("p", {}, name),
    element("p", {}, element("a", {href: `./#${fields}`}, element("code", {}, piece.text))),
    element("p", {class: "controls"}, button("Remove", () => {
      keepAll(collection().filter((_, at) => at !== number));
      show();
      byId("pieces").querySelectorAll("button")[Math.min(number, collection().length - 1)]?.focus();
    }, {"aria-label": `Remove ${piece.name}`})));
}

/** All as a piece file; what is called by a name is written in its notation. */
function asFile() {
  const quoted = (text) => `"${text.replaceAll('"', '""')}"`;
  return collection().map(({name, written, notation}, number) =>
    `piece P${number + 1} ${quoted(name)} ${notation}=${quoted(written)}\n`).join("");
}

byId("save-all").addEventListener("click", () => save("mine.pieces", asFile(), "text/plain"));
window.addEventListener("storage", show);
show();
