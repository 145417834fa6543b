// The text under the hand: coloured by what its letters are, explained where the mouse is, and lit
// where it speaks of a square.

import {element} from "./drawing.js";
import {RANK, UNSEEN} from "./diagnostics.js";
import {button} from "./grid.js";

// Longer texts are not coloured.
const COLOURED = 300;
// What is no notation, as long as nobody has said that it is one.
const NAME = /^[\p{Ll} '-]{3,}$/u;

export class Writing {
  /**
   * `lit` is called with the squares that a stretch of the text is about, as [dx, dy], or null.
   * Elements: the `input`, the `echo` below it, the list of `parts`, the `line` about a letter.
   */
  constructor({input, echo, parts, line}, lit) {
    Object.assign(this, {input, echo, list: parts, line, lit, diagnostics: [], parts: [], letters: []});
    this.text = "";
    input.addEventListener("scroll", () => this.follow());
    input.addEventListener("pointermove", (event) => this.point(this.placeAt(event)));
    input.addEventListener("pointerleave", () => this.point(-1));
    input.addEventListener("keyup", ({key}) => {
      if (["ArrowLeft", "ArrowRight", "Home", "End"].includes(key)) this.point(this.placeOfCaret());
    });
    input.addEventListener("blur", () => this.point(-1));
  }

  /** Have the patterns of a notation, and what its letters mean. */
  teach(rules, letters) {
    this.rules = rules.map(([pattern, groups]) => [new RegExp(pattern, "y"), groups]);
    this.letters = letters;
    this.paint();
  }

  /** Show a text with what was found in it; it is not explained yet. Letters of a name mean nothing. */
  write(text, diagnostics = [], isName = NAME.test(text)) {
    this.text = text;
    this.isName = isName;
    this.diagnostics = diagnostics;
    this.explain([]);
    this.paint();
  }

  /**
   * Explain by parts: {span, words, squares, legs}, spans in code points. They are of the text `of`,
   * which is another one where the field has the name of a piece.
   */
  explain(parts, of = this.text) {
    this.parts = parts;
    this.isNotation = of === this.text;
    const points = Array.from(of);
    this.list.replaceChildren(...(parts.length > 1 ? parts : []).map((part) => {
      const item = button(points.slice(...part.span).join(""), () => this.show(part), {class: "text"});
      for (const name of ["pointerenter", "focus"]) item.addEventListener(name, () => this.show(part));
      for (const name of ["pointerleave", "blur"]) item.addEventListener(name, () => this.show(null));
      return element("li", {}, item, ` ${part.words}`);
    }));
  }

  /** The stretches of the text that are about a square: the legs that come there, or whole parts. */
  speakOf(square) {
    const about = ({squares}) => square && squares.some(([x, y]) => x === square[0] && y === square[1]);
    const found = this.parts.filter(about);
    this.parts.forEach((part, at) => this.list.children[at]?.classList.toggle("lit", found.includes(part)));
    const legs = found.map((part) => part.legs.filter(about)[0] || part);
    this.light(square ? legs.map(({span}) => span) : []);
  }

  /** Show what a stretch is about, and where it stands; nothing for null. */
  show(stretch) {
    this.light(stretch ? [stretch.span] : []);
    this.lit(stretch?.squares ?? null);
  }

  /** Tell what the letter at a place means, and show its leg or part; nothing for -1. */
  point(place) {
    if (place === this.pointed) return;
    this.pointed = place;
    const token = this.tokens?.find(({from, to}) => from <= place && place < to);
    const letter = token && this.letters.find(([text]) => text === token.text);
    this.line.textContent = letter ? `${letter[0]}: ${letter[2]}` : "";
    const holds = ({span: [from, to]}) => from <= place && place < to;
    const part = this.isNotation && this.parts.find(holds);
    this.show(part ? part.legs.find(holds) || part : null);
  }

  /** The place in the text, in code points, at which the mouse is. */
  placeAt({clientX, clientY}) {
    const letter = document.elementsFromPoint(clientX, clientY).find((each) => each.dataset.at);
    return letter ? Number(letter.dataset.at) : -1;
  }

  placeOfCaret() {
    return Array.from(this.input.value.slice(0, this.input.selectionStart)).length;
  }

  /** Light up some stretches of the text. */
  light(stretches) {
    const spans = this.isNotation ? stretches : [];
    for (const letter of this.echo.querySelectorAll("[data-at]")) {
      const at = Number(letter.dataset.at);
      letter.classList.toggle("lit", spans.some(([from, to]) => from <= at && at < to));
    }
  }

  /** The letters of the text under the field, each with its colour; stretches that are wrong are marked. */
  paint() {
    const points = Array.from(this.text);
    this.pointed = undefined;
    this.tokens = [];
    this.echo.replaceChildren();
    if (points.length > COLOURED) return;
    const kinds = this.kinds(points.length);
    const wrong = this.wrong(points.length);
    for (let at = 0; at <= points.length;) {
      let end = at + 1;
      while (end <= points.length && wrong[end] === wrong[at]) end++;
      const letters = points.concat("\u00a0").slice(at, end).map((point, index) =>
        element("span", {class: kinds[at + index] || "", "data-at": at + index},
                UNSEEN.test(point) ? "\ufffd" : point));
      this.echo.append(...(wrong[at] ? [element("mark", {class: wrong[at]}, ...letters)] : letters));
      at = end;
    }
    this.follow();
  }

  /** Scroll as the field does; with the next frame, for the browser lays out the page then anyway. */
  follow() {
    cancelAnimationFrame(this.following);
    this.following = requestAnimationFrame(() => { this.echo.scrollLeft = this.input.scrollLeft; });
  }

  /** The gravest of what was found, for each place and the end. */
  wrong(length) {
    const kinds = Array.from({length: length + 1}, () => "");
    for (const {severity, spans} of this.diagnostics) {
      for (const [from, to] of spans) {
        for (let at = from; at < Math.max(to, from + 1) && at <= length; at++) {
          if ((RANK[severity] || 0) > (RANK[kinds[at]] || 0)) kinds[at] = severity;
        }
      }
    }
    return kinds;
  }

  /** What each letter is by the patterns of its notation; the tokens are noted on the way. */
  kinds(length) {
    const {text} = this, starts = [], found = Array.from({length}, () => "");
    for (let at = 0, unit = 0; unit < text.length; at++, unit += text.codePointAt(unit) > 0xffff ? 2 : 1) starts[unit] = at;
    starts[text.length] = length;
    for (let unit = 0; unit < text.length;) {
      const match = this.match(text, unit);
      for (const [word, group] of match || []) {
        const from = starts[unit], to = starts[unit + word.length];
        if (group) found.fill(group, from, to);
        this.tokens.push({from, to, text: word});
        unit += word.length;
      }
      if (!match) unit += text.codePointAt(unit) > 0xffff ? 2 : 1;
    }
    return found;
  }

  /** The words of the first pattern that fits at a place, each with its group; null for none. */
  match(text, at) {
    for (const [pattern, groups] of (!this.isName && this.rules) || []) {
      pattern.lastIndex = at;
      const found = pattern.exec(text);
      if (!found?.[0]) continue;
      if (groups.length === 1) return this.split(found[0], groups[0]);
      return groups.map((group, index) => [found[index + 1] || "", group]).filter(([word]) => word);
    }
    return null;
  }

  /** Letters that are explained one by one, as directions that stand together are. */
  split(word, group) {
    const known = this.letters.some(([text]) => text === word);
    return known || group !== "direction" ? [[word, group]] : Array.from(word, (each) => [each, group]);
  }
}

/** The letters of a notation as a list that can be searched; `write` is called with an example. */
export function showLetters(root, letters, wanted, write) {
  const words = wanted.trim().toLowerCase();
  const found = letters.filter(([text, , meaning]) =>
    !words || text.toLowerCase() === words || meaning.toLowerCase().includes(words));
  root.replaceChildren(...found.map(([text, example, meaning]) => element("div", {},
    element("dt", {}, button(text, () => write(example), {class: "text", title: `Write ${example}`})),
    element("dd", {}, meaning, ...(example === text ? [] : [" ", element("code", {}, example)])))));
}

