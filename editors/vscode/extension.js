// The client of `alfil lsp`. It starts the server and passes on what it says; all else is in the
// server. Plain JavaScript, so that there is nothing to build.
"use strict";

const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

function makeClient() {
  const settings = vscode.workspace.getConfiguration("alfil");
  const [command, ...args] = settings.get("command");
  const selector = [{ language: "pieces" }];
  if (settings.get("variantsIni")) {
    selector.push({ scheme: "file", pattern: "**/variants.ini" });
  }
  return new LanguageClient(
    "alfil",
    "alfil",
    { command, args },
    {
      documentSelector: selector,
      // Images are shown where the pointer rests.
      initializationOptions: { pictures: true },
      synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher("**/*.pieces") },
    },
  );
}

async function start() {
  client = makeClient();
  try {
    await client.start();
  } catch (error) {
    const words = "alfil does not start. Install it: pip install 'alfil[lsp]', or set alfil.command.";
    vscode.window.showErrorMessage(`${words} (${error.message})`);
    client = undefined;
  }
}

async function stop() {
  const running = client;
  client = undefined;
  await running?.stop();
}

exports.activate = async (context) => {
  const restart = async () => {
    await stop();
    await start();
  };
  context.subscriptions.push(
    vscode.commands.registerCommand("alfil.restart", restart),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration("alfil")) {
        return restart();
      }
    }),
  );
  await start();
};

exports.deactivate = stop;
