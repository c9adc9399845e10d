/** The shared code of search options: checks, and creation of a search. */

import { type BindingGraph, BindingSearch } from "./binding.js";
import { invalid, native, nativePromise } from "./errors.js";
import { aCount, type Field, type Fields, fieldsJson, type NumbersById, numbersById, someIds } from "./fields.js";
import { CommitGraph } from "./graph.js";
import { isRecord, text } from "./options.js";

/** The rate of wrong outcomes: a rate, counts of earlier runs, or `"estimate"` to estimate the rate from the search. */
export type Rate = number | "estimate" | { passes: number; fails: number };

/** @internal An algorithm by its name in the core, with its options. */
export interface Kind<Options> {
  readonly algorithm: string;
  readonly fields: Fields<Options>;
  /** The name of its class. */
  readonly search: string;
}

/**
 * @internal Opens a search in a history or among a number of items. `complete` adds options, and `structured` adds to
 * their JSON. A restored search is passed through as `options`.
 */
export function opened<Options extends object>(
  kind: Kind<Options>,
  world: CommitGraph | number,
  options: Options | BindingSearch,
  complete: (options: Options) => Options = (options) => options,
  structured: (configuration: string) => string = (configuration) => configuration,
): BindingSearch {
  if (options instanceof BindingSearch) return options;
  const within = binding(world);
  const configuration = configured(kind, within, options, complete, structured);
  return native(() => BindingSearch.open(kind.algorithm, within, configuration));
}

/**
 * @internal Opens a search in a history without blocking, because its commits may have to be read. The result is passed
 * as options.
 */
export async function openedInTime<Options extends object>(
  kind: Kind<Options>,
  history: CommitGraph,
  options: Options,
): Promise<Options> {
  const within = CommitGraph.bindingOf(history);
  const configuration = configured(kind, within, options);
  return (await nativePromise(() => BindingSearch.opened(kind.algorithm, within, configuration))) as unknown as Options;
}

function configured<Options extends object>(
  kind: Kind<Options>,
  within: BindingGraph | number,
  options: Options,
  complete: (options: Options) => Options = (options) => options,
  structured: (configuration: string) => string = (configuration) => configuration,
): string {
  if (options !== undefined && options !== null && !isRecord(options)) {
    throw invalid("options", options, "an object");
  }
  const given = priced(kind, within, complete(options ?? ({} as Options)));
  return structured(fieldsJson(given, kind.fields, undefined, kind.search));
}

/** @internal Restores a search from a snapshot. The result is passed as options. */
export function restored<Options extends object>(
  kind: Kind<Options>,
  world: CommitGraph | number,
  snapshot: string,
): Options {
  const within = binding(world);
  const written = text("snapshot", snapshot);
  return native(() => BindingSearch.restore(kind.algorithm, within, written)) as unknown as Options;
}

/** Returns the options with the cost of each suspect, if `costs` is a function. */
function priced<Options extends object>(kind: Kind<Options>, within: BindingGraph | number, options: Options): Options {
  const { costs } = options as { costs?: unknown };
  if (typeof costs !== "function" || typeof within === "number") return options;
  const ENDS = ["bad", "good", "find"];
  const ends = Object.fromEntries(Object.entries(options).filter(([name]) => ENDS.includes(name)));
  const suspects = native(() => within.suspects(fieldsJson(ends as Options, kind.fields)));
  return { ...options, costs: new Map(suspects.map((id) => [id, costs(id)])) };
}

function binding(world: CommitGraph | number): BindingGraph | number {
  if (typeof world === "number") return world;
  if (!(world instanceof CommitGraph)) throw invalid("graph", world, "a CommitGraph");
  return CommitGraph.bindingOf(world);
}

const COUNTS: Fields<{ passes: number; fails: number }> = { passes: aCount, fails: aCount };

/** @internal A {@link Rate}. `orElse` lists the alternatives to a number and counts. */
export const aRate =
  (orElse = ', or "estimate"'): Field =>
  (argument, value) => {
    if (value === "estimate" || (typeof value === "number" && Number.isFinite(value))) return value;
    if (!isRecord(value)) {
      throw invalid(argument, value, `a rate in [0, 1), counts like { passes: 95, fails: 5 }${orElse}`);
    }
    return JSON.parse(fieldsJson(value, COUNTS, argument));
  };

/**
 * The prior probability of revisions: weights by id, `"changes"` (by their files and the name of the test), or
 * `"uniform"`.
 */
export type Prior = NumbersById | Reasoned | "changes" | "uniform";

/** Weights with reasons, such as a {@link CommitRanking}. */
export interface Reasoned {
  /** @internal */
  asPrior(): unknown;
}

/** @internal A {@link Prior}. The core checks its words. */
export const aPrior: Field = (argument, value) => {
  if (typeof value === "string") return value;
  const reasoned = value as Partial<Reasoned> | null;
  if (typeof reasoned?.asPrior === "function") return reasoned.asPrior();
  return numbersById("a finite weight, 0 or above")(argument, value);
};

/** The costs of runs: numbers by id, or a function of the id. */
export type Costs = NumbersById | ((id: string) => number);

/** @internal The costs of runs, after a function was called. */
export const someCosts = numbersById("a finite cost above 0");

/** @internal Whether to search for an older good revision, or the revisions to try first. */
export const whereFirst: Field = (argument, value) => (typeof value === "boolean" ? value : someIds(argument, value));

/** The verdict of an earlier verification of the same conclusion, such as its report. */
export interface Earlier {
  /** The conclusion. */
  culprit: string | null;
  /** The verdict; null without one. */
  correct: boolean | null;
}

/** @internal An {@link Earlier}, or the report of a session. */
export const anEarlierVerdict: Field = (argument, value) => {
  const { culprit, correct } = Object(Object(value).report ?? value) as Record<string, unknown>;
  if ((culprit === null || typeof culprit === "string") && (correct === null || typeof correct === "boolean")) {
    return { culprit, correct };
  }
  throw invalid(argument, value, "the report of an earlier verification");
};
