// The moves of a game as a tree: the first child of a node goes on with its line, others branch off.

import {element} from "./drawing.js";
import {button} from "./grid.js";

export class Line {
  /** `turn` is the side that moves first. */
  constructor(turn) {
    this.root = {parent: null, children: [], ply: turn};
    this.node = this.root;
  }

  /** The nodes from the first move to a node. */
  path(node = this.node) {
    const nodes = [];
    for (let each = node; each.parent; each = each.parent) nodes.unshift(each);
    return nodes;
  }

  /** The moves to a node, as the engine reads them. */
  texts(node = this.node) {
    return this.path(node).map((each) => each.text);
  }

  /** The last node of the line that a node is in. */
  end(node = this.node) {
    let last = node;
    while (last.children.length) [last] = last.children;
    return last;
  }

  /** Go on with a move, in a line of its own where others have gone on already. */
  add(text, san) {
    const {node} = this, known = node.children.find((each) => each.text === text);
    this.node = known || {text, san, parent: node, children: [], ply: node.ply + 1};
    if (!known) node.children.push(this.node);
    return this.node;
  }

  /** Take back the last move; what followed it is gone too. */
  remove() {
    const {node} = this, {parent} = node;
    if (!parent) return;
    parent.children.splice(parent.children.indexOf(node), 1);
    this.node = parent;
  }

  /** Items of a list of all moves: number, first and second side's, branches on lines of their own. */
  items(look) {
    const items = [], move = (node) => element("li", {}, this.button(node, look));
    const number = (node) => items.push(element("li", {class: "number"}, `${Math.ceil(node.ply / 2)}.`));
    const gap = () => items.push(element("li", {class: "gap"}, "…"));
    let broken = true;
    for (let at = this.root; at.children.length; [at] = at.children) {
      const [main, ...others] = at.children, second = main.ply % 2 === 0;
      if (!second || broken) number(main);
      if (second && broken) gap();
      items.push(move(main));
      broken = others.length > 0;
      if (broken && !second) gap();
      for (const each of others) {
        items.push(element("li", {class: "branch"}, ...this.inline(each, look)));
      }
    }
    return items;
  }

  /** A branch as running text, its own branches in brackets. */
  inline(first, look) {
    const parts = [];
    for (let node = first; node; [node] = node.children) {
      const second = node.ply % 2 === 0;
      if (!second || node === first) parts.push(`${Math.ceil(node.ply / 2)}${second ? "…" : "."} `);
      parts.push(this.button(node, look), " ");
      const others = node === first ? [] : node.parent.children.slice(1);
      for (const each of others) parts.push("(", ...this.inline(each, look), ") ");
    }
    return parts;
  }

  button(node, look) {
    return button(node.san, () => look(node), node === this.node ? {"aria-current": "true"} : {});
  }
}

/** How far mate is at a node where a lone king is to be mated, and what the last move has cost. */
export function matingWords({state, parent}) {
  const {mate, outcome, turn} = state, before = parent?.parent?.state?.mate;
  if (typeof mate !== "number" || outcome) return "";
  if (!mate) return " No mate can be forced any more.";
  const left = ` Mate in ${mate}.`, cost = turn === 0 && before ? mate - before + 1 : 0;
  return cost > 0 ? `${left} The last move has cost ${cost}.` : left;
}
