/** What the options of all searches have in common: how they are checked, and how they open a search. */

import { type BindingGraph, BindingSearch } from "./binding.js";
import { invalid, native, nativePromise } from "./errors.js";
import { aCount, type Field, type Fields, fieldsJson, type NumbersById, numbersById, someIds } from "./fields.js";
import { CommitGraph } from "./graph.js";
import { isRecord, text } from "./options.js";

/** How often a test does the wrong thing: a rate, past counts, or `"estimate"` for whatever the search sees. */
export type Rate = number | "estimate" | { passes: number; fails: number };

/** @internal An algorithm by its name in the core, with the options that it takes. */
export interface Kind<Options> {
  readonly algorithm: string;
  readonly fields: Fields<Options>;
  /** What its class is called. */
  readonly search: string;
}

/**
 * @internal What opens one kind of search, in a history or in a number of items; `complete` adds to the options,
 * `structured` to their JSON form. A restored search is passed through as `options`.
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

/** @internal The same in a history, in time: what its commits touch may have to be read. It passes for options. */
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

/** @internal A search as a snapshot has it, in place of options for its class. */
export function restored<Options extends object>(
  kind: Kind<Options>,
  world: CommitGraph | number,
  snapshot: string,
): Options {
  const within = binding(world);
  const written = text("snapshot", snapshot);
  return native(() => BindingSearch.restore(kind.algorithm, within, written)) as unknown as Options;
}

/** The options, with what a run costs at each suspect where `costs` is a function. */
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

/** @internal A {@link Rate}; `orElse` says what it may be beside a number and counts. */
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
 * How likely revisions are the culprit, before anything is asked: weights by id; `"changes"`, by what they touch and what the
 * test is called; or `"uniform"`.
 */
export type Prior = NumbersById | Reasoned | "changes" | "uniform";

/** What has weights, with what speaks for each: a {@link CommitRanking}. */
export interface Reasoned {
  /** @internal */
  asPrior(): unknown;
}

/** @internal A {@link Prior}; which words there are the core says. */
export const aPrior: Field = (argument, value) => {
  if (typeof value === "string") return value;
  const reasoned = value as Partial<Reasoned> | null;
  if (typeof reasoned?.asPrior === "function") return reasoned.asPrior();
  return numbersById("a finite weight, 0 or above")(argument, value);
};

/** What runs cost: numbers by id, or a function of the id. */
export type Costs = NumbersById | ((id: string) => number);

/** @internal What runs cost, once a function has been called. */
export const someCosts = numbersById("a finite cost above 0");

/** @internal Whether to look back for an older end, or the revisions to try first. */
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
