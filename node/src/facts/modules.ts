/** Adds calls to the traced definitions of modules. */

import { fileURLToPath } from "node:url";
import { type Definitions, resolved } from "./definitions.js";
import { instrumented, type SourceType } from "./instrument.js";

/** A module from a loader. */
export interface Loaded {
  readonly format?: string | null | undefined;
  readonly source?: string | ArrayBuffer | ArrayBufferView | null | undefined;
}

/** The instrumented CommonJS modules by path. Node passes some modules to a hook and then to its compiler. */
const scripts = new Map<string, string>();

/**
 * Returns a text with calls in its definitions. A text without definitions, with calls, or in another language is
 * unchanged.
 */
export function traced(definitions: Definitions, path: string, text: string, type: SourceType): string {
  const names = definitions.files.get(resolved(path));
  if (names === undefined || scripts.get(path) === text) return text;
  try {
    const made = instrumented(text, type, (name) => names.get(name));
    if (type === "script") scripts.set(path, made);
    return made;
  } catch (error) {
    process.stderr.write(`firstbad: ${path}: ${(error as Error).message}: no facts are seen of it\n`);
    return text;
  }
}

const TYPES: Readonly<Record<string, SourceType>> = { module: "module", commonjs: "script" };

/** Instruments the result of a loader. If it has no text, Node's compiler of CommonJS modules reads the file. */
export function tracedModule<T extends Loaded>(definitions: Definitions, url: string, loaded: T): T {
  const { format, source } = loaded;
  const type = TYPES[format ?? ""];
  if (type === undefined || source === undefined || source === null || !url.startsWith("file:")) return loaded;
  const text = typeof source === "string" ? source : new TextDecoder().decode(source as ArrayBuffer);
  return { ...loaded, source: traced(definitions, fileURLToPath(url), text, type) };
}
