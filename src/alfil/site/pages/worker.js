// Python and alfil, off the page's own thread. It hears [call, arguments as JSON] and answers
// {answer: JSON}; before that it says once that it is {ready}, or why it {failed}. Where Python
// itself has broken down it says {broken}, and is of no use any more.

import {loadPyodide} from "./python/pyodide.mjs";

const PACKAGES = "/lib/python3.14/site-packages";
const at = (name) => new URL(`python/${name}`, import.meta.url).href;

// Files that lie beside this script compressed, so that they are small on any server, with their types.
const PACKED = {
  "pyodide.asm.wasm": "application/wasm", "python.zip": "application/zip", "alfil.zip": "application/zip",
};
const fetchAsItIs = self.fetch.bind(self);

self.fetch = async (address, options) => {
  const type = PACKED[String(address).split("/").pop()];
  if (!type) return fetchAsItIs(address, options);
  const answer = await fetchAsItIs(`${address}.packed`, options);
  if (!answer.ok) return answer;
  return new Response(answer.body.pipeThrough(new DecompressionStream("gzip")), {headers: {"Content-Type": type}});
};

async function start() {
  const packages = fetch(at("alfil.zip")).then((answer) => answer.arrayBuffer());
  const python = await loadPyodide({indexURL: at(""), stdLibURL: at("python.zip")});
  // What was worked out while the site was built; src/alfil/site/bytecode_archives.py put it there.
  python.runPython(`import os; os.environ["ALFIL_CACHE"] = "${PACKAGES}/alfil/kept"`);
  python.unpackArchive(await packages, "zip", {extractDir: PACKAGES});
  const answers = python.pyimport("alfil.site.piece_requests");
  // What is loaded now stays: it is not looked through for garbage again.
  python.runPython("import gc; gc.freeze()");
  return answers;
}

const started = start();
started.then(() => self.postMessage({ready: true}),
             (error) => self.postMessage({failed: String(error).slice(0, 500)}));

self.onmessage = async ({data: [call, given]}) => {
  const answers = await started;
  try {
    self.postMessage({answer: answers.answer(call, given)});
  } catch (error) {
    self.postMessage({broken: String(error).trim().split("\n").pop().slice(0, 300)});
  }
};
