// Puts the generated binding beside the compiled TypeScript, behind a module that says what to do where it cannot be loaded.
// A binary beside it is the one that was built here; installed, it comes from the package of the platform.
import { copyFileSync, readdirSync, writeFileSync } from "node:fs";
import { manifest, platforms } from "./platforms.mjs";

const from = new URL("../src/", import.meta.url);
const to = new URL("../dist/", import.meta.url);
const LOADER = `"use strict";
const { checked, withoutBinding } = require("./load.js");
const packages = ${JSON.stringify(platforms(manifest).map((platform) => platform.package))};
let binding;
try {
  binding = require("./native.js");
} catch (error) {
  throw withoutBinding(error, packages);
}
module.exports = checked(binding, ${JSON.stringify(manifest.version)});
`;
for (const name of readdirSync(from)) {
  if (!name.startsWith("binding.")) continue;
  copyFileSync(new URL(name, from), new URL(name === "binding.js" ? "native.js" : name, to));
}
writeFileSync(new URL("binding.js", to), LOADER);
