// What alfil found in a text: the text again with the places underlined, and hints to be applied.

import {element} from "./drawing.js";
import {button} from "./grid.js";

// Longer texts are shown up to here.
const SHOWN = 300;
// What cannot be seen in a text, and what stands for its end.
export const UNSEEN = /[\p{C}\u2028\u2029]/u;
const END = "\u00a0";
export const RANK = {error: 3, warning: 2, note: 1};

/**
 * Places of Python as places of this page: [from, to] in code points become [from, to] in UTF-16.
 */
export function places(text, spans) {
  const starts = [0];
  for (const point of text) starts.push(starts[starts.length - 1] + point.length);
  const end = starts.length - 1;
  return spans.map(([from, to]) => [starts[Math.min(from, end)], starts[Math.min(to, end)]]);
}

/** The text as elements, each stretch with the gravest of what was found in it. */
export function underlined(text, diagnostics) {
  const points = Array.from(text).slice(0, SHOWN + 1), kinds = points.map(() => "");
  points.push(END);
  kinds.push("");
  for (const {severity, spans} of diagnostics) {
    for (const [from, to] of spans) {
      for (let at = from; at < Math.max(to, from + 1) && at < points.length; at++) {
        if ((RANK[severity] || 0) > (RANK[kinds[at]] || 0)) kinds[at] = severity;
      }
    }
  }
  const parts = [];
  for (let at = 0; at < points.length;) {
    let end = at + 1;
    while (end < points.length && kinds[end] === kinds[at]) end++;
    const shown = points.slice(at, end).map((each) => (UNSEEN.test(each) ? "\ufffd" : each)).join("");
    parts.push(element(kinds[at] ? "mark" : "span", kinds[at] ? {class: kinds[at]} : {}, shown));
    at = end;
  }
  return parts;
}

/** A diagnostic as an item of a list; `apply` is called with a text that its hint leads to. */
export function diagnosticItem(diagnostic, apply) {
  const item = element("li", {class: diagnostic.severity}, element("strong", {}, diagnostic.message));
  if (diagnostic.hint) item.append(element("span", {class: "hint"}, ` Hint: ${diagnostic.hint}${diagnostic.hint.endsWith("?") ? "" : "."}`));
  for (const text of diagnostic.fixes || []) {
    item.append(" ", button(text, () => apply(text), {class: "fix", "aria-label": `Write ${text}`}));
  }
  // A page that stands alone has no documentation beside it.
  const known = document.querySelector("nav") ? ["a", {class: "kind", href: `docs/errors/#${diagnostic.kind}`}]
    : ["span", {class: "kind"}];
  item.append(" ", element(...known, diagnostic.kind));
  return item;
}
