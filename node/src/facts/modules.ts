/** The texts of modules, with calls in the definitions that are traced. */

import { fileURLToPath } from "node:url";
import { type Definitions, resolved } from "./definitions.js";
import { instrumented, type SourceType } from "./instrument.js";

/** A module as a loader hands it on. */
export interface Loaded {
  readonly format?: string | null | undefined;
  readonly source?: string | ArrayBuffer | ArrayBufferView | null | undefined;
}

/** What was made of a CommonJS module by its path: Node hands some to a hook and then to its compiler, others to one of them. */
const scripts = new Map<string, string>();

/** A text with calls in its definitions; as it is if it has none, has them already, or is not JavaScript as it stands. */
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

/** The same for what a loader hands on: where that has no text, Node's compiler of CommonJS modules reads it. */
export function tracedModule<T extends Loaded>(definitions: Definitions, url: string, loaded: T): T {
  const { format, source } = loaded;
  const type = TYPES[format ?? ""];
  if (type === undefined || source === undefined || source === null || !url.startsWith("file:")) return loaded;
  const text = typeof source === "string" ? source : new TextDecoder().decode(source as ArrayBuffer);
  return { ...loaded, source: traced(definitions, fileURLToPath(url), text, type) };
}
