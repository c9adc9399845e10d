/** Outcomes that runs share: what one has paid for, no other pays for again. */

import { randomUUID } from "node:crypto";
import { type BindingSearch, type BindingSlices, BindingStore, type BindingVariants, cardPage } from "./binding.js";
import { DISPLAY } from "./display.js";
import { invalid, native } from "./errors.js";
import { json } from "./fields.js";
import type { Observation } from "./observation.js";
import { checkedOptions, isIterable, isRecord, pathOf, text } from "./options.js";

/**
 * Which revisions share their outcomes: `revision`, each by itself; `tree`, those with the same files (the history has to
 * be read from git); or keys of your own, by revision, of which a revision without one is not shared. A function is
 * called once for every revision of the history, when a search begins.
 */
export type StoreKey =
  | "revision"
  | "tree"
  | ReadonlyMap<string, string>
  | Readonly<Record<string, string>>
  | ((revision: string) => string | null | undefined);

/** Whose outcomes a store holds. */
export interface OutcomeStoreOptions {
  /** What is tested, in your words: a command, a test's name. Outcomes of different oracles are never mixed. */
  oracle: string;
  /** What makes older outcomes worthless when it changes: a digest of the test, a number. By default empty. */
  version?: string;
  /** Which revisions share their outcomes; by default `revision`. Sets of items are shared where the items are the same. */
  key?: StoreKey;
}

/** One outcome that a store holds. */
export interface StoredOutcome {
  /** What it is filed under. */
  key: string;
  /** The run that saw it. */
  run: string;
  /** What it saw. */
  observation: Observation;
  /** When, in seconds since 1970. */
  at: number;
}

/**
 * Outcomes that runs share, in one file, an SQLite database: give it to any search as `store`. What is in it is not asked
 * again and is no query; what the oracle answers is put into it. Any number of processes may use a file at once, on disks
 * that know locks. It is a cache: deleting it loses nothing but time.
 *
 * Reading and writing is done on the thread that calls, and waits for other processes, up to 30 seconds. Trouble with the
 * file during a run (a full disk, a damaged file) never ends the run: at its end there is one process warning.
 *
 * @example
 * ```ts
 * const store = new OutcomeStore("outcomes.db", { oracle: "npm test", version: "1", key: "tree" });
 * await findRegressions(repository.graph("main"), oracle, { bad: "main", good: "v1.0", store });
 * ```
 */
export class OutcomeStore implements Iterable<StoredOutcome> {
  readonly #binding: BindingStore;
  readonly #key: StoreKey;

  /**
   * Opens a store; makes the file, and its folder, if need be.
   *
   * @throws {@link FirstbadError} `store` for a file that is damaged, or no store; `invalid_argument`.
   */
  constructor(path: string | URL, options: OutcomeStoreOptions) {
    const {
      oracle,
      version = "",
      key = "revision",
    } = checkedOptions(options, ["oracle", "version", "key"], "OutcomeStore");
    const file = pathOf("path", path);
    if (typeof oracle !== "string" || oracle === "") throw invalid("oracle", oracle, "a name for what is tested");
    const known = typeof key === "function" || key instanceof Map || isRecord(key);
    if (!known && key !== "revision" && key !== "tree") {
      throw invalid("key", key, '"revision", "tree", a Map or an object from revisions to keys, or a function');
    }
    this.#binding = native(() => BindingStore.open(file, oracle, text("version", version)));
    this.#key = key;
  }

  /** The file, as an absolute path. */
  get path(): string {
    return this.#binding.path;
  }

  /**
   * How many outcomes it holds of this oracle and version.
   *
   * @throws {@link FirstbadError} `store`.
   */
  get size(): number {
    return this.#entries().length;
  }

  /**
   * The outcomes of this oracle and version, oldest first.
   *
   * @throws {@link FirstbadError} `store`.
   */
  [Symbol.iterator](): IterableIterator<StoredOutcome> {
    return this.#entries().values();
  }

  /**
   * What is in it as a page that needs no other file: what a notebook shows.
   *
   * @throws {@link FirstbadError} `store` where it cannot be read.
   */
  toHtml(): string {
    return cardPage(native(() => this.#binding.card()));
  }

  /** @internal */
  [DISPLAY](): Record<string, string> {
    return { "text/plain": this.path, "text/html": native(() => this.#binding.card()) };
  }

  /**
   * Removes the outcomes of this oracle and version, and says how many.
   *
   * @throws {@link FirstbadError} `store`.
   */
  forget(): number {
    return native(() => this.#binding.forget());
  }

  #entries(): StoredOutcome[] {
    const entries: (StoredOutcome & { oracle: unknown })[] = JSON.parse(native(() => this.#binding.entries()));
    return entries.map(({ oracle, ...entry }) => entry);
  }

  /** @internal Refuses what cannot hold outcomes of trees. */
  static forTrees(store: unknown): OutcomeStore {
    if (!(store instanceof OutcomeStore)) throw invalid("store", store, "an OutcomeStore");
    if (typeof store.#key === "string") return store;
    throw invalid("store", "one with keys of revisions", "one without a key: outcomes are those of trees");
  }

  /** @internal Shares what a search sees of trees from here on. */
  static shareTrees(store: OutcomeStore, search: BindingSearch, trees: BindingVariants | BindingSlices): void {
    native(() => trees.share(store.#binding, search, randomUUID()));
  }

  /** @internal Has a search share its outcomes; `run` names it, `items` says what its items are. */
  static share(store: unknown, search: BindingSearch, run: string = randomUUID(), items: string | null = null): void {
    if (!(store instanceof OutcomeStore)) throw invalid("store", store, "an OutcomeStore");
    const [binding, key] = [store.#binding, store.#key];
    const revisions = native(() => search.revisions())?.split("\0");
    if (key === "revision" || revisions === undefined) native(() => search.share(binding, run, items));
    else if (key === "tree") native(() => search.shareByTrees(binding, run));
    else {
      const keys = json("key", keysOf(key, revisions));
      native(() => search.shareByKeys(binding, run, keys));
    }
  }
}

function keysOf(key: Exclude<StoreKey, string>, revisions: readonly string[]): object {
  const own = isIterable(key) ? new Map(key) : undefined;
  const keyOf = (revision: string): unknown => {
    if (typeof key === "function") return key(revision);
    if (own) return own.get(revision);
    return Object.hasOwn(key, revision) ? (key as Record<string, string>)[revision] : undefined;
  };
  const found: [string, string][] = [];
  for (const revision of revisions) {
    const own = keyOf(revision);
    if (own !== undefined && own !== null) found.push([revision, text(`key of ${revision}`, own)]);
  }
  return Object.fromEntries(found);
}

/** @internal Says once what was wrong with a search's store, if anything was. */
export function warnOfStore(search: Sharing): void {
  if (warned.has(search)) return;
  const trouble = native(() => search.cacheTrouble());
  if (trouble === null) return;
  warned.add(search);
  process.emitWarning(`outcomes were not shared from some point on: ${trouble}`, {
    type: "FirstbadWarning",
    code: "store",
  });
}

/** What shares outcomes. */
type Sharing = BindingSearch | BindingVariants | BindingSlices;

const warned = new WeakSet<Sharing>();
