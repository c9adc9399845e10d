// Puts the generated binding beside the compiled TypeScript.
import { copyFileSync, readdirSync } from "node:fs";

const from = new URL("../src/", import.meta.url);
const to = new URL("../dist/", import.meta.url);
for (const name of readdirSync(from)) {
  if (name.startsWith("binding.")) copyFileSync(new URL(name, from), new URL(name, to));
}
