/** The smallest slice of a history that keeps a behaviour, to be asked for by hand. */

import { BindingSearch } from "./binding.js";
import { picked } from "./change-set.js";
import { type Kind, opened, restored } from "./configuration.js";
import { type Dependencies, someDependencies } from "./dependencies.js";
import { invalid, native } from "./errors.js";
import { aCount, aList, aSeed, asItIs, aText, type Fields, fieldsJson, indicesFrom } from "./fields.js";
import { isIterable, type Several } from "./options.js";
import type { ReductionProbe } from "./probe.js";
import type { Guarantee } from "./reduction.js";
import { Search } from "./search.js";
import { SlicerReport } from "./slicer-report.js";
import type { SlicedFrom } from "./slices.js";

/** The part of a repository's history that changes come from. */
export interface SlicedHistory {
  /** The revision before the first change, on the line of first parents of `tip`. */
  base: string;
  /** The revision with all changes. */
  tip: string;
  /**
   * The files and folders that count, from the top of the repository, each by its name and not as a pattern: what is
   * elsewhere stays as it is at `base`. By default all count.
   */
  paths?: Several<string>;
  /**
   * Files and folders that are laid over every set of changes as they are at `tip`, and are no part of any change: the
   * tests. By default none.
   */
  tests?: Several<string>;
  /**
   * How finely it is taken apart; by default `"commit"`. `"commit"`: to commits; a merge is one change, that of its first
   * parent. `"file"`: to what a commit changes in one file. `"hunk"`: to a commit's single hunks, and changes of headers.
   * `"definition"`: to what a commit changes in one definition: an atomic change. Files that no grammar reads are taken as
   * wholes.
   */
  granularity?: "commit" | "file" | "hunk" | "definition";
}

/** The changes that flow into one variable or result. */
export interface Charge {
  /** The file, from the top of the repository. */
  file: string;
  /** The qualified name of the definition. */
  name: string;
  /** The variable, or `"return"` for the result. */
  variable: string;
  /** The indices of the changes. */
  changes: number[];
}

/** What a {@link Slicer} is told before it starts. */
export interface SlicerOptions {
  /**
   * The history that the changes come from, with full shas. It is only kept, for who makes trees of sets of changes; by
   * default they come from elsewhere.
   */
  history?: SlicedHistory | null;
  /** Which outcome is to be kept: `"pass"`, the default, or `"fail"`. */
  keep?: "pass" | "fail";
  /**
   * With `keep: "fail"`: the failure to be kept, others count as unresolved. By default the one that all changes show.
   */
  signature?: string | null;
  /**
   * How to look for the slice; by default `"auto"`. `"auto"`: group testing; beside it, what facts say may go is asked at
   * once. `"definer"`: dynamic delta refinement, by the paper's rules (Figure 9). `"coverage"`: the start alone,
   * tested once, with nothing taken from it (CSlicer). `"ddmin"`: subsets, complements, finer and finer (Zeller and
   * Hildebrandt 2002). `"recursive"`: bisection with at most 2n - 1 questions (IDD, Section 3.1).
   */
  algorithm?: "auto" | "definer" | "coverage" | "ddmin" | "recursive";
  /**
   * Which changes `"definer"` reverts first; by default `"combined"`. `"random"`: parts that are drawn at random, and
   * nothing by scores. `"neg"`: those below 0, which is the paper's default. `"nonpos"`: those at most 0. `"low"`: the
   * lowest third. `"combined"`: those below 0, those at most 0 and the lowest third, in turn.
   */
  scheme?: "random" | "neg" | "nonpos" | "low" | "combined";
  /**
   * By index, the indices of the changes that a change is thought to rest on, all of them; a list among them means any one
   * of its members. A set without these is put off, and asked where the answer rests on it. By default none.
   */
  dependencies?: Dependencies;
  /**
   * The indices of changes that may be enough, those that a test covers: tested once, with what they are thought to rest
   * on, and dropped if that does not hold. By default there is no start.
   */
  start?: Iterable<number> | null;
  /** Whether to learn from facts in `signals` which changes matter; by default it does. */
  learn?: boolean;
  /**
   * The changes that flow into variables and results, each with its `file`, the qualified `name` of a definition, the
   * `variable` (`"return"` for the result) and the indices of the `changes`: facts that name no changes count for or against
   * these. By default there are none.
   */
  charges?: Iterable<Charge>;
  /**
   * What to know beforehand before one believes the answer, in sentences: it is among the report's warnings. By default
   * there is nothing.
   */
  warnings?: Several<string>;
  /**
   * How far to go; by default `"1-minimal"`. `"fixpoint"`: no single item can go, in a tree with all below it,
   * if more items never hide the property. Where they may, and in a text, single ones may still go. `"1-minimal"`: every
   * set with one item less was tested, and was not seen to have the property.
   */
  guarantee?: Exclude<Guarantee, "best so far">;
  /** What the choices of `"definer"` are drawn from; by default 0. */
  seed?: number;
}

/** @internal */
export const HISTORY: Fields<SlicedHistory> = {
  base: aText,
  tip: aText,
  paths: aList("several paths", aText),
  tests: aList("several paths", aText),
  granularity: asItIs,
};

/** @internal */
export const SLICE: Kind<SlicerOptions> = {
  algorithm: "slice",
  search: "Slicer",
  fields: {
    history: (argument, value) => {
      if (typeof value !== "object" || value === null)
        throw invalid(argument, value, "an object with a base and a tip");
      return JSON.parse(fieldsJson(value, HISTORY, argument));
    },
    keep: asItIs,
    signature: aText,
    algorithm: asItIs,
    scheme: asItIs,
    dependencies: someDependencies,
    start: aList("several indices", aCount),
    learn: asItIs,
    charges: aList("several charges", asItIs),
    warnings: aList("several sentences", aText),
    guarantee: asItIs,
    seed: aSeed,
  },
};

/**
 * The search for the smallest slice of a history that keeps a behaviour (Li, Zhu, Rubin and Chechik, "Precise Semantic
 * History Slicing through Dynamic Delta Refinement", 2016: DEFINER), to be driven by hand; {@link sliceHistory} does all
 * of it with a repository.
 *
 * Its probes are sets of changes on top of a base: all of them, none, then smaller and smaller ones. A set that cannot be
 * put together is told as `{ outcome: "unresolved", ran: false }`. Facts that runs show, in `signals`, say which changes
 * are tried first.
 *
 * @example
 * ```ts
 * const search = new Slicer(["parser", "docs", "lexer", "tests"]);
 * const report = await run(search, (names) => names.includes("parser") && names.includes("lexer"));
 * console.log(report.commits); // [ 'parser', 'lexer' ]
 * ```
 */
export class Slicer extends Search<SlicerReport, ReductionProbe, string[]> {
  readonly #names: readonly string[] | undefined;
  readonly #from: SlicedFrom | undefined;

  /**
   * @param changes The names of the changes, oldest first, or their number: then they are named by their indices.
   * @throws {@link FirstbadError} `invalid_argument` for no changes, more than 16,384, a name that comes twice, indices that
   * no change has, and `algorithm: "coverage"` without a start.
   */
  constructor(changes: number | Iterable<string>, options?: SlicerOptions) {
    const binding = openedFor(changes, options);
    super(binding);
    this.#names = JSON.parse(native(() => binding.configuration())).changes;
    this.#from = adopted.get(binding);
  }

  /**
   * A search as {@link Search.snapshot} left it, probes in flight included.
   *
   * @param changes The names of the changes, or their number.
   * @throws {@link FirstbadError} `snapshot` where the text is no snapshot of this kind of search, or one of another number
   * of changes; `invalid_argument` for one with another number of names.
   */
  static restore(changes: number | Iterable<string>, snapshot: string): Slicer {
    const [count] = counted(changes);
    return new Slicer(count, restored(SLICE, count, snapshot));
  }

  /** @internal A search that the binding opened, with its own history. */
  static adopt(binding: BindingSearch, from: SlicedFrom): Slicer {
    adopted.set(binding, from);
    return new Slicer(1, binding as unknown as SlicerOptions);
  }

  /** The names of the changes that a probe keeps, oldest first. */
  override subject(probe: ReductionProbe): string[] {
    return this.#names === undefined ? probe.changes.map(String) : picked(this.#names, probe.set);
  }

  /** @internal */
  override target(given: unknown, argument = "changes"): Uint32Array {
    return indicesFrom(argument, given);
  }

  /** @internal */
  override reportOf(binding: BindingSearch): SlicerReport {
    return SlicerReport.adopt(
      native(() => binding.report()),
      this.#from,
    );
  }
}

/** Where the histories are of searches that the binding opened. */
const adopted = new WeakMap<BindingSearch, SlicedFrom>();

function openedFor(changes: number | Iterable<string>, options: SlicerOptions | undefined): BindingSearch {
  if (options instanceof BindingSearch) return options;
  const [count, names] = counted(changes);
  const named = (configuration: string) =>
    names === undefined ? configuration : JSON.stringify({ ...JSON.parse(configuration), changes: names });
  return opened(SLICE, count, options ?? {}, undefined, named);
}

/** How many changes there are, and their names if they have any. */
function counted(changes: unknown): [count: number, names?: string[]] {
  const expected = "a number, at least 1, or the names of the changes";
  if (typeof changes === "number") {
    if (!Number.isInteger(changes) || changes < 1 || changes > 0xffff_ffff) throw invalid("changes", changes, expected);
    return [changes];
  }
  if (!isIterable(changes)) throw invalid("changes", changes, expected);
  const names = aList(expected, aText)("changes", changes) as string[];
  return [names.length, names];
}
