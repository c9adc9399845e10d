/**
 * A plugin for Vitest (tested with 3.2, 4.1, 5.1) that collects facts for `sliceHistory`: `plugins: [facts()]`.
 *
 * It adds calls to the definitions that a history changes, after Vite has compiled them. After the tests of a file, it
 * adds their facts to the file `FIRSTBAD_SIGNALS`. Outside a command oracle, it does nothing.
 */

import { join } from "node:path";
import { readDefinitions } from "./definitions.js";
import { traced } from "./modules.js";
import { isAsked } from "./recording.js";

/** The part of Vite's plugin type that this plugin uses. */
interface VitePlugin {
  readonly name: string;
  /** Runs after the compilers. */
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
      // The lines do not change.
      return text === code ? undefined : { code: text, map: null };
    },
  };
}

namespace facts {
  export type Plugin = VitePlugin;
}

export = facts;
