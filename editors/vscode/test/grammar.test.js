// The grammar as the editor itself reads it: which scopes the signs of a line get.
"use strict";

const assert = require("node:assert");
const fs = require("node:fs");
const path = require("node:path");
const { test } = require("node:test");
const oniguruma = require("vscode-oniguruma");
const textmate = require("vscode-textmate");

const file = path.join(__dirname, "..", "syntaxes", "pieces.tmLanguage.json");

async function scopesOf(line) {
  const wasm = fs.readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm"));
  await oniguruma.loadWASM(wasm);
  const registry = new textmate.Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
      createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    loadGrammar: async () => textmate.parseRawGrammar(fs.readFileSync(file, "utf8"), file),
  });
  const grammar = await registry.loadGrammar("source.pieces");
  return Object.fromEntries(
    grammar
      .tokenizeLine(line)
      .tokens.map((token) => [line.slice(token.startIndex, token.endIndex), token.scopes.at(-1)]),
  );
}

test("the signs of a line are coloured", async () => {
  const scopes = await scopesOf('piece N "knight" betza=ffN hasinu="j(1×4dO)" kanji=桂 forced # n');
  const expected = {
    piece: "keyword.control.pieces",
    '"knight"': "string.quoted.double.pieces",
    betza: "support.type.property-name.pieces",
    ff: "variable.language.direction.pieces",
    j: "support.function.pieces",
    kanji: "support.type.property-name.pieces",
    forced: "storage.modifier.pieces",
    "# n": "comment.line.number-sign.pieces",
  };
  for (const [sign, scope] of Object.entries(expected)) {
    assert.equal(scopes[sign], scope, sign);
  }
});
