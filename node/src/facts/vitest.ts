/**
 * A plugin for Vitest (tried with 3.2, 4.1, 5.1), `plugins: [facts()]`: facts about the definitions that a history changes,
 * for `sliceHistory`.
 *
 * Calls are put into what Vite has made of these definitions, TypeScript too, and when the tests of a file have run, their
 * facts are added to the file that `FIRSTBAD_SIGNALS` names. Where no command oracle runs the tests it does nothing.
 */

import { join } from "node:path";
import { readDefinitions } from "./definitions.js";
import { traced } from "./modules.js";
import { isAsked } from "./recording.js";

/** A plugin as Vite takes it: what is used of its types. */
interface VitePlugin {
  readonly name: string;
  /** After what compiles. */
  readonly enforce?: "post";
  config?(): { test: { setupFiles: string[] } };
  transform?(code: string, id: string): { code: string; map: null } | undefined;
}

function facts(): facts.Plugin {
  const name = "firstbad:facts";
  if (!isAsked(process.env)) return { name };
  const definitions = readDefinitions(process.env);
  return {
    name,
    enforce: "post",
    config: () => ({ test: { setupFiles: [join(__dirname, "vitest-setup.mjs")] } }),
    transform(code, id) {
      const [path] = id.split("?") as [string];
      const text = traced(definitions, path, code, "module");
      // Lines stay as they are.
      return text === code ? undefined : { code: text, map: null };
    },
  };
}

namespace facts {
  export type Plugin = VitePlugin;
}

export = facts;
