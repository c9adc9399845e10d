/** A good version behind broken ones: iterative delta debugging, to be driven by hand. */

import type { BindingSearch } from "./binding.js";
import { type Kind, opened, restored } from "./configuration.js";
import { native } from "./errors.js";
import { aCount, aList, aNumber, asItIs, aText } from "./fields.js";
import type { CommitGraph } from "./graph.js";
import type { MinimizerOptions } from "./minimizer.js";
import { type Several, text } from "./options.js";
import { PorterReport } from "./porter-report.js";
import type { VariantProbe } from "./probe.js";
import { Search } from "./search.js";

/** Where a search for a good version starts, and how it goes on. */
export interface WalkOptions {
  /** The revision at which the test fails. */
  start: string;
  /**
   * A revision that is thought to pass, an ancestor of `start`: the walk goes towards it and ends there. It is tested
   * as any other. By default the walk follows first parents.
   */
  good?: string | null;
  /** The oldest revision to look at, an ancestor of `start`. By default the walk ends where history does. */
  oldest?: string | null;
  /**
   * The revisions to walk along, newest first, each older than the one before and all older than `start`: releases, for
   * one. By default all on the way.
   */
  revisions?: Iterable<string> | null;
  /**
   * How to go from revision to revision: `"gallop"`, the default, or `"strict"`. `"gallop"`: 1, 2, 4, ... versions on
   * while the outcome stays, then halving in the gap. `"strict"`: one version after the other (IDD, Figure 2).
   */
  walk?: "gallop" | "strict";
  /**
   * How to reduce patches; by default `"auto"`. The paper's is `"recursive"`. `"auto"`: group testing that learns how
   * many items are needed, and whether they come in clusters. Where most sets cannot be told, bisection and neighbours
   * take over. `"ddmin"`: subsets, complements, finer and finer (Zeller and Hildebrandt 2002, Figure 5; IDD, Section
   * 3.2). `"recursive"`: bisection with at most 2n - 1 questions (IDD, Section 3.1).
   */
  algorithm?: MinimizerOptions["algorithm"];
  /**
   * How finely patches are taken apart: `"lines"`, the default, `"definitions"`, `"hunks"` or `"files"`. `"files"`:
   * to whole files. `"hunks"`: to hunks, and single changes of headers. `"definitions"`: to definitions, the
   * outermost blocks of each hunk that hold changes, as the indentation of its lines tells them. `"edits"`: to single
   * changes, but a line that was replaced stays with the similar one that took its place, up to six lines with those
   * that they stand for, and a line with the condition that decides it. `"lines"`: to single changes.
   */
  granularity?: "files" | "hunks" | "definitions" | "edits" | "lines";
  /**
   * Whether patches are taken apart level by level, files first (IDD, Section 3.4), and no bracket is tried without the
   * one that closes it; those of the answer also by definitions and blocks, of which no half is tried. By default they
   * are. If not, at once to lines.
   */
  hierarchical?: boolean;
  /**
   * Whether a version that is seen to pass while a patch for it is reduced ends the walk; by default it does, unless an
   * older one passes with the patch that is left of that reduction, before another one is needed. If not, such a pass is
   * ignored, as in the paper (IDD, Figure 2), and a version where one commit holds the cause and a conflict with the patch
   * is missed (Section 4.1).
   */
  earlyPass?: boolean;
  /**
   * Whether to compute the result of the paper's Figure 2 (IDD) as well: the smallest change from the passing version to
   * the failure, including the changes that the test needs. It costs further runs. Default: false.
   */
  figure2?: boolean;
  /** The most changes that a carried patch may have: beyond, the search ends. By default any number. */
  maxPatch?: number | null;
  /**
   * Files and folders that are laid over every version as they are at `start`, and are no part of any patch: the test
   * itself, what it calls. By default none.
   */
  alwaysKeep?: Several<string>;
  /**
   * The revision to bring the fix forward to: `start`, an ancestor of it on the walk, or a descendant. By default the
   * fix is not brought forward.
   */
  forward?: string | null;
  /**
   * A test that takes so many times as long as at the start, or was so many times as quick, fails in another way: above
   * 1. By default time does not count.
   */
  secondsFactor?: number | null;
  /** The same for memory. By default memory does not count. */
  memoryFactor?: number | null;
}

/** What a {@link Porter} is told before it starts. */
export interface PorterOptions extends WalkOptions {
  /**
   * Whether the oracle also runs a control, a command that must pass in every version that counts as failing in the
   * same way, and, going back, in every one that counts as passing with a patch: an observation that passes and has
   * `control` in its signals does not. By default not, and a report says so where it matters.
   */
  controlled?: boolean;
  /**
   * Revisions whose parents exist and are not here, as in a shallow clone: a walk that comes to one ends as
   * `"revision_not_readable"`. By default none.
   */
  boundary?: Several<string>;
}

/** @internal */
export const PORT: Kind<PorterOptions> = {
  algorithm: "port",
  search: "Porter",
  fields: {
    start: aText,
    // The core takes a list, as all searches with a `good` do, and of this one a list of one.
    good: (argument, value) => [text(argument, value)],
    oldest: aText,
    revisions: aList("several revisions, newest first", aText),
    walk: asItIs,
    algorithm: asItIs,
    granularity: asItIs,
    hierarchical: asItIs,
    earlyPass: asItIs,
    figure2: asItIs,
    maxPatch: aCount,
    alwaysKeep: aList("several paths", aText),
    forward: aText,
    secondsFactor: aNumber("a finite number above 1"),
    memoryFactor: aNumber("a finite number above 1"),
    controlled: asItIs,
    boundary: aList("several revisions", aText),
  },
};

/**
 * The search for a good version behind broken ones (Artho, "Iterative Delta Debugging", 2011), to be driven by hand;
 * {@link iterativeDeltaDebugging} does all of it with a repository.
 *
 * Its probes are revisions, or revisions with changes on them: `changes` of the diff that was read as `universe`. Between
 * probes it has to see diffs: {@link run} it with a `reader`, or {@link Search.give} what {@link Search.reads} lists. What
 * is known beforehand ({@link Search.observe}) is told of revisions as they are.
 *
 * @example
 * ```ts
 * const search = new Porter(CommitGraph.linear(["1.0", "1.1", "1.2"]), { start: "1.2" });
 * const report = await run(search, ({ revision, changes }) => passes(revision, changes), { reader: differences });
 * ```
 */
export class Porter extends Search<PorterReport, VariantProbe, VariantProbe> {
  /**
   * @throws {@link FirstbadError} `unknown_revision`, `ambiguous_revision`; `invalid_argument` for a revision that is no
   * ancestor of the start, and for a number out of range.
   */
  constructor(graph: CommitGraph, options: PorterOptions) {
    super(opened(PORT, graph, options));
  }

  /**
   * A search as {@link Search.snapshot} left it, probes in flight included.
   *
   * @throws {@link FirstbadError} `snapshot` where the text is no snapshot of this kind of search, or one of another
   * history.
   */
  static restore(graph: CommitGraph, snapshot: string): Porter {
    return new Porter(graph, restored(PORT, graph, snapshot));
  }

  /** @internal A search that the binding opened, with its own history. */
  static adopt(binding: BindingSearch): Porter {
    return new Porter(undefined as unknown as CommitGraph, binding as unknown as PorterOptions);
  }

  /** The probe itself: a revision, and which changes are on it. */
  override subject(probe: VariantProbe): VariantProbe {
    return probe;
  }

  /** @internal */
  override reportOf(binding: BindingSearch): PorterReport {
    return PorterReport.adopt(native(() => binding.report()));
  }
}
