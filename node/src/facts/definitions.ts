/** The traced definitions. */

import { readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";

/** The variable that names the file with the definitions. */
const VARIABLE = "FIRSTBAD_DEFINITIONS";

/** The maximum number of traced definitions. */
const MOST = 100_000;

const EXPECTED = 'a JSON list of objects with a "file" and a "name"';

/** A definition, by its file from the top of the repository and its qualified name. */
export interface Definition {
  readonly file: string;
  readonly name: string;
}

/** The traced definitions, and their names and positions in the list by the absolute path of the file. */
export interface Definitions {
  readonly all: readonly Definition[];
  readonly files: ReadonlyMap<string, ReadonlyMap<string, number>>;
}

/**
 * Reads the definitions from the file that the environment names.
 *
 * @throws Error The message names the variable, the file and the entry.
 */
export function readDefinitions(environment: NodeJS.ProcessEnv): Definitions {
  const path = environment[VARIABLE];
  if (!path) throw new Error(`${VARIABLE} does not name a file. Command oracles set it`);
  let given: unknown;
  try {
    given = JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    throw new Error(`${VARIABLE}: ${path}: ${(error as Error).message}; expected ${EXPECTED}`);
  }
  if (!Array.isArray(given) || given.length > MOST) {
    throw new Error(`${VARIABLE}: ${path}: expected ${EXPECTED}, at most ${MOST}`);
  }
  const top = realpathSync(environment.FIRSTBAD_WORKTREE || ".");
  const files = new Map<string, Map<string, number>>();
  const all = given.map((entry, place) => {
    const { file, name } = (entry ?? {}) as Partial<Definition>;
    if (typeof file !== "string" || typeof name !== "string") {
      throw new Error(`${VARIABLE}: ${path}: entry ${place} is not valid; expected ${EXPECTED}`);
    }
    const absolute = resolved(join(top, file));
    const names = files.get(absolute) ?? new Map<string, number>();
    files.set(absolute, names.set(name, place));
    return { file, name };
  });
  return { all, files };
}

/** Returns a path without symbolic links, or the same path if the file does not exist. */
export function resolved(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
