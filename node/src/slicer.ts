/** The smallest slice of a history that keeps a behaviour, to be asked for by hand. */

import { BindingSearch } from "./binding.js";
import { picked } from "./change-set.js";
import { opened, restored } from "./configuration.js";
import { invalid, native } from "./errors.js";
import { aList, aText, indicesFrom } from "./fields.js";
import { SLICE, type SlicerOptions } from "./generated/options.js";
import { isIterable } from "./options.js";
import type { ReductionProbe } from "./probe.js";
import { Search } from "./search.js";
import { SlicerReport } from "./slicer-report.js";
import type { SlicedFrom } from "./slices.js";

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
