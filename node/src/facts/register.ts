/**
 * Collects facts about the definitions that a history changes, for `sliceHistory`: `node --import firstbad/facts`.
 *
 * It adds calls to these definitions when their modules are loaded. When the process ends, it writes the facts about
 * their parameters, results and attributes to the file `FIRSTBAD_SIGNALS`. It works for modules that Node loads, as
 * with `node --test` and mocha. For Vitest and Jest, which compile modules, see `firstbad/facts/vitest` and
 * `firstbad/facts/jest`.
 */

import Module, { register } from "node:module";
import { pathToFileURL } from "node:url";
import { readDefinitions } from "./definitions.js";
import { type Loaded, traced, tracedModule } from "./modules.js";
import { record } from "./recording.js";

/** Parts of Node without types: the compiler of CommonJS modules, and hooks in the same thread (from 22.15 on). */
interface Compiler {
  _compile(this: unknown, content: string, filename: string, ...rest: unknown[]): unknown;
}
interface Hooks {
  registerHooks?(hooks: {
    load<T extends Loaded>(url: string, context: unknown, next: (url: string, context: unknown) => T): T;
  }): void;
}

const definitions = readDefinitions(process.env);
const write = record(definitions.all);

const compiler = Module.prototype as unknown as Compiler;
const compile = compiler._compile;
compiler._compile = function (content, filename, ...rest) {
  return compile.call(this, traced(definitions, filename, content, "script"), filename, ...rest);
};

const { registerHooks } = Module as unknown as Hooks;
if (registerHooks === undefined) register("./hooks.js", pathToFileURL(__filename));
else registerHooks({ load: (url, context, next) => tracedModule(definitions, url, next(url, context)) });

process.on("exit", write);
