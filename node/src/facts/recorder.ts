/** Records the calls of definitions, and writes facts to a file. */

import { closeSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import type { Definition } from "./definitions.js";
import { type Kind, Summary } from "./summary.js";
import { attributes } from "./values.js";

/** The variable that names the file. */
const VARIABLE = "FIRSTBAD_SIGNALS";

/** The maximum number of recorded calls of a definition. */
const MOST_CALLS = 10_000;

/** The maximum number of recorded variables. */
const MOST_PLACES = 20_000;

/** The maximum number of bytes of facts. firstbad reads 16 MiB. */
const MOST_BYTES = 15 * 1024 * 1024;

/** The number of attempts and the delay in milliseconds to wait for another process that writes. */
const TRIES = 1000;
const PAUSE = 5;

/** A separator that occurs in no name. */
const BETWEEN = "\0";

/** Originals from before the test starts. */
const { parse, stringify } = JSON;

interface Fact extends Definition {
  readonly variable: string;
  readonly kind: string;
  readonly values: Kind[1];
}

/** Records calls. Its methods never throw, for any values. */
export class Recorder {
  readonly #definitions: readonly Definition[];
  readonly #calls: number[] = [];
  /** Definitions whose instances have too many attributes. */
  readonly #wide = new Set<number>();
  readonly #places = new Map<string, Summary>();

  /** A definition is called by its index in `definitions`, which can grow. */
  constructor(definitions: readonly Definition[]) {
    this.#definitions = definitions;
  }

  /** Records a call with its parameters. */
  enter(definition: number, names: readonly string[], values: readonly unknown[]): void {
    const calls = (this.#calls[definition] ?? 0) + 1;
    this.#calls[definition] = calls;
    if (calls <= MOST_CALLS) names.forEach((name, place) => void this.#see(definition, name, values[place]));
  }

  /** Records a return, and returns the same result. */
  leave<T>(definition: number, result: T, own?: unknown): T {
    if ((this.#calls[definition] ?? 0) <= MOST_CALLS) {
      this.#see(definition, "return", result);
      const found = own === undefined || this.#wide.has(definition) ? [] : attributes(own);
      if (found === undefined) this.#wide.add(definition);
      for (const [name, value] of found ?? []) this.#see(definition, `this.${name}`, value);
    }
    return result;
  }

  #see(definition: number, variable: string, value: unknown): void {
    const of = this.#definitions[definition] as Definition;
    const summary = this.#at(of, variable);
    summary?.add(value);
  }

  #at({ file, name }: Definition, variable: string): Summary | undefined {
    const place = [file, name, variable].join(BETWEEN);
    let summary = this.#places.get(place);
    if (summary === undefined && this.#places.size < MOST_PLACES) {
      summary = new Summary();
      this.#places.set(place, summary);
    }
    return summary;
  }

  /**
   * Adds the facts to the file that the environment names. Several processes of a test can do so, one after the other.
   *
   * @throws Error The message names the file.
   */
  write(path: string): void {
    const lock = `${path}.lock`;
    locked(lock);
    try {
      this.#merge(path);
      writeFileSync(`${path}.new`, this.#signals());
      renameSync(`${path}.new`, path);
    } finally {
      rmSync(lock, { force: true });
    }
  }

  /** Merges the facts that other processes have written. */
  #merge(path: string): void {
    let text: string;
    try {
      text = readFileSync(path, "utf8");
    } catch {
      return;
    }
    const kinds = new Map<string, [Fact, Kind[]]>();
    for (const fact of parse(text).facts as Fact[]) {
      const place = [fact.file, fact.name, fact.variable].join(BETWEEN);
      const known = kinds.get(place) ?? [fact, []];
      kinds.set(place, known);
      known[1].push([fact.kind, fact.values]);
    }
    for (const [fact, of] of kinds.values()) this.#at(fact, fact.variable)?.merge(of);
  }

  /** Returns the facts as JSON, by file, name and variable, up to the maximum size. */
  #signals(): string {
    const written: string[] = [];
    let left = MOST_BYTES;
    for (const [place, summary] of [...this.#places].sort(([one], [other]) => (one < other ? -1 : 1))) {
      const [file, name, variable] = place.split(BETWEEN) as [string, string, string];
      for (const [kind, values] of summary.kinds()) {
        const text = stringify({ file, name, variable, kind, values });
        left -= Buffer.byteLength(text) + 2;
        if (left >= 0) written.push(text);
      }
    }
    return `{"facts": [${written.join(",\n")}]}\n`;
  }
}

/** Returns the path of the output file. */
export function signalsFile(environment: NodeJS.ProcessEnv): string {
  const path = environment[VARIABLE];
  if (!path) throw new Error(`${VARIABLE} does not name a file. Command oracles set it`);
  return path;
}

/** Creates a lock file. */
function locked(path: string): void {
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (let left = TRIES; ; left -= 1) {
    try {
      closeSync(openSync(path, "wx"));
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST" || left === 0) throw error;
      Atomics.wait(pause, 0, 0, PAUSE);
    }
  }
}
