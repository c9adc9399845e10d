/** The search for the smallest slice of a history that keeps a behavior. */

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
 * A search for the smallest slice of a history that keeps a behavior (Li, Zhu, Rubin and Chechik, "Precise Semantic
 * History Slicing through Dynamic Delta Refinement", 2016: DEFINER), with the ask/tell interface. For a repository, use
 * {@link sliceHistory}.
 *
 * Its probes are sets of changes on a base: first all changes, then none, then smaller and smaller sets. If changes
 * conflict, tell `{ outcome: "unresolved", ran: false }`. Facts in `signals` decide which changes are tried first.
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
   * @param changes The names of the changes, oldest first, or their number, so that their names are their indices.
   * @throws {@link FirstbadError} `invalid_argument` if there are no changes or more than 16,384, a name occurs twice,
   * an index is out of range, or `algorithm: "coverage"` has no start.
   */
  constructor(changes: number | Iterable<string>, options?: SlicerOptions) {
    const binding = openedFor(changes, options);
    super(binding);
    this.#names = JSON.parse(native(() => binding.configuration())).changes;
    this.#from = adopted.get(binding);
  }

  /**
   * Restores a search from its {@link Search.snapshot}, including probes in flight.
   *
   * @param changes The names of the changes, or their number.
   * @throws {@link FirstbadError} `snapshot` if the text is not a snapshot of this kind of search or the number of
   * changes differs, `invalid_argument` if the number of names differs.
   */
  static restore(changes: number | Iterable<string>, snapshot: string): Slicer {
    const [count] = counted(changes);
    return new Slicer(count, restored(SLICE, count, snapshot));
  }

  /** @internal Returns a search that the binding opened with its history. */
  static adopt(binding: BindingSearch, from: SlicedFrom): Slicer {
    adopted.set(binding, from);
    return new Slicer(1, binding as unknown as SlicerOptions);
  }

  /** Returns the names of the changes that a probe keeps, oldest first. */
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

/** The histories of searches that the binding opened. */
const adopted = new WeakMap<BindingSearch, SlicedFrom>();

function openedFor(changes: number | Iterable<string>, options: SlicerOptions | undefined): BindingSearch {
  if (options instanceof BindingSearch) return options;
  const [count, names] = counted(changes);
  const named = (configuration: string) =>
    names === undefined ? configuration : JSON.stringify({ ...JSON.parse(configuration), changes: names });
  return opened(SLICE, count, options ?? {}, undefined, named);
}

/** Returns the number of changes, and their names if there are any. */
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
