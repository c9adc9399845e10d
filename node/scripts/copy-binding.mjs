// Puts the generated binding beside the compiled TypeScript, behind a module that says what to do where it cannot be loaded.
import { copyFileSync, readdirSync, writeFileSync } from "node:fs";

const from = new URL("../src/", import.meta.url);
const to = new URL("../dist/", import.meta.url);
const LOADER = `"use strict";
const { withoutBinding } = require("./load.js");
try {
  module.exports = require("./native.js");
} catch (error) {
  throw withoutBinding(error);
}
`;
for (const name of readdirSync(from)) {
  if (!name.startsWith("binding.")) continue;
  copyFileSync(new URL(name, from), new URL(name === "binding.js" ? "native.js" : name, to));
}
writeFileSync(new URL("binding.js", to), LOADER);
