/** The texts of modules, with calls in the definitions that are traced. */

import { fileURLToPath } from "node:url";
import { type Definitions, resolved } from "./definitions.js";
import { instrumented, type SourceType } from "./instrument.js";

/** A module as a loader hands it on. */
export interface Loaded {
  readonly format?: string | null | undefined;
  readonly source?: string | ArrayBuffer | ArrayBufferView | undefined;
}

/** A text with calls in its definitions; as it is if it has none, or is not JavaScript as it stands. */
export function traced(definitions: Definitions, path: string, text: string, type: SourceType): string {
  const names = definitions.files.get(resolved(path));
  if (names === undefined) return text;
  try {
    return instrumented(text, type, (name) => names.get(name));
  } catch (error) {
    process.stderr.write(`firstbad: ${path}: ${(error as Error).message}: no facts are seen of it\n`);
    return text;
  }
}

/** The same for what the loader of ECMAScript modules hands on. */
export function tracedModule<T extends Loaded>(definitions: Definitions, url: string, loaded: T): T {
  if (loaded.format !== "module" || loaded.source === undefined || !url.startsWith("file:")) return loaded;
  const { source } = loaded;
  const text = typeof source === "string" ? source : new TextDecoder().decode(source as ArrayBuffer);
  return { ...loaded, source: traced(definitions, fileURLToPath(url), text, "module") };
}
