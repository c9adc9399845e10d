/** Outcomes that runs share. */

import { randomUUID } from "node:crypto";
import { type BindingSearch, type BindingSlices, BindingStore, type BindingVariants, cardPage } from "./binding.js";
import { DISPLAY } from "./display.js";
import { invalid, native } from "./errors.js";
import { json } from "./fields.js";
import type { Observation } from "./observation.js";
import { checkedOptions, isIterable, isRecord, pathOf, text } from "./options.js";

/**
 * The keys of revisions, which decide the revisions that share outcomes. `revision`: the id. `tree`: the files, for a
 * history from Git. Or custom keys by revision. A revision without a key is not shared. A function is called once for
 * every revision when a search starts.
 */
export type StoreKey =
  | "revision"
  | "tree"
  | ReadonlyMap<string, string>
  | Readonly<Record<string, string>>
  | ((revision: string) => string | null | undefined);

/** The options of a store. */
export interface OutcomeStoreOptions {
  /** A name for the test, such as its command. Outcomes of different oracles are separate. */
  oracle: string;
  /**
   * A version of the test, such as a digest of the environment. Outcomes of other versions are not used. Default:
   * empty.
   */
  version?: string;
  /** The keys of revisions. Default: `revision`. The key of a set is a digest of its items. */
  key?: StoreKey;
}

/** An outcome in a store. */
export interface StoredOutcome {
  /** The key of the outcome. */
  key: string;
  /** The run that produced the outcome. */
  run: string;
  /** The observation. */
  observation: Observation;
  /** The time of storage, in seconds since 1970. */
  at: number;
}

/**
 * An SQLite file of outcomes that runs share. Pass it to any search as `store`. A stored outcome costs no run, and new
 * outcomes are added. Several processes can use a store at the same time, on disks with file locks. A store is a cache,
 * which you can delete at any time.
 *
 * Reads and writes block the thread, and wait up to 30 seconds for other processes. A problem with the file during a
 * run, such as a full disk, does not stop the run. You get a process warning at its end.
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
   * Opens a store, and creates the file and its folder if necessary.
   *
   * @throws {@link FirstbadError} `store` if the file is damaged or not a store, `invalid_argument`.
   */
  constructor(path: string | URL, options: OutcomeStoreOptions) {
    const {
      oracle,
      version = "",
      key = "revision",
    } = checkedOptions(options, ["oracle", "version", "key"], "OutcomeStore");
    const file = pathOf("path", path);
    if (typeof oracle !== "string" || oracle === "") throw invalid("oracle", oracle, "the name of the test");
    const known = typeof key === "function" || key instanceof Map || isRecord(key);
    if (!known && key !== "revision" && key !== "tree") {
      throw invalid("key", key, '"revision", "tree", a Map or an object from revisions to keys, or a function');
    }
    this.#binding = native(() => BindingStore.open(file, oracle, text("version", version)));
    this.#key = key;
  }

  /** The absolute path of the file. */
  get path(): string {
    return this.#binding.path;
  }

  /**
   * The number of outcomes of this oracle and version.
   *
   * @throws {@link FirstbadError} `store` if the file cannot be read or written.
   */
  get size(): number {
    return this.#entries().length;
  }

  /**
   * Iterates over the outcomes of this oracle and version, oldest first.
   *
   * @throws {@link FirstbadError} `store` if the file cannot be read or written.
   */
  [Symbol.iterator](): IterableIterator<StoredOutcome> {
    return this.#entries().values();
  }

  /**
   * Returns the contents as a self-contained HTML page, which notebooks also show.
   *
   * @throws {@link FirstbadError} `store` if the file cannot be read.
   */
  toHtml(): string {
    return cardPage(native(() => this.#binding.card()));
  }

  /** @internal */
  [DISPLAY](): Record<string, string> {
    return { "text/plain": this.path, "text/html": native(() => this.#binding.card()) };
  }

  /**
   * Removes the outcomes of this oracle and version, and returns their number.
   *
   * @throws {@link FirstbadError} `store` if the file cannot be read or written.
   */
  forget(): number {
    return native(() => this.#binding.forget());
  }

  #entries(): StoredOutcome[] {
    const entries: (StoredOutcome & { oracle: unknown })[] = JSON.parse(native(() => this.#binding.entries()));
    return entries.map(({ oracle, ...entry }) => entry);
  }

  /** @internal Refuses values that cannot store outcomes of trees. */
  static forTrees(store: unknown): OutcomeStore {
    if (!(store instanceof OutcomeStore)) throw invalid("store", store, "an OutcomeStore");
    if (typeof store.#key === "string") return store;
    throw invalid("store", "one with keys of revisions", "one without a key: outcomes are those of trees");
  }

  /** @internal Shares the outcomes of trees. */
  static shareTrees(store: OutcomeStore, search: BindingSearch, trees: BindingVariants | BindingSlices): void {
    native(() => trees.share(store.#binding, search, randomUUID()));
  }

  /** @internal Shares the outcomes of a search. `run` is its name, and `items` is a digest of its items. */
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

/** @internal Emits one warning about problems with the store of a search. */
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

/** An object that shares outcomes. */
type Sharing = BindingSearch | BindingVariants | BindingSlices;

const warned = new WeakSet<Sharing>();
