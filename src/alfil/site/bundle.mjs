// Runs bytecode_archives.py in the Pyodide of this folder and puts what it makes beside it.
import fs from "node:fs";
import {loadPyodide} from "./pyodide.mjs";

try {
  const python = await loadPyodide({indexURL: `${process.cwd()}/`});
  for (const name of ["sources.zip", "python_stdlib.zip"]) {
    python.FS.writeFile(`/${name}`, fs.readFileSync(name));
  }
  python.runPython(fs.readFileSync("bytecode_archives.py", "utf-8"));
  for (const name of ["alfil.zip", "python.zip"]) fs.writeFileSync(name, python.FS.readFile(`/${name}`));
} catch (error) {
  // Without its source, which is one very long line.
  console.error(String(error.message || error).trim());
  process.exit(1);
}
process.exit(0);
