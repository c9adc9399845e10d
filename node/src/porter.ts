/** The search of iterative delta debugging. */

import type { BindingSearch } from "./binding.js";
import { opened, restored } from "./configuration.js";
import { native } from "./errors.js";
import { PORT, type PorterOptions } from "./generated/options.js";
import type { CommitGraph } from "./graph.js";
import { PorterReport } from "./porter-report.js";
import type { VariantProbe } from "./probe.js";
import { Search } from "./search.js";

/**
 * A search for a good version behind broken ones (Artho, "Iterative Delta Debugging", 2011), with the ask/tell
 * interface. For a repository, use {@link iterativeDeltaDebugging}.
 *
 * A probe is a revision, or a revision with changes: `changes` of the diff with the read id `universe`. The search must
 * read diffs between probes, so pass a `reader` to {@link run}, or pass the content of {@link Search.reads} to {@link
 * Search.give}. Outcomes for {@link Search.observe} are those of unchanged revisions.
 *
 * @example
 * ```ts
 * const search = new Porter(CommitGraph.linear(["1.0", "1.1", "1.2"]), { start: "1.2" });
 * const report = await run(search, ({ revision, changes }) => passes(revision, changes), { reader: differences });
 * ```
 */
export class Porter extends Search<PorterReport, VariantProbe, VariantProbe> {
  /**
   * @throws {@link FirstbadError} `unknown_revision`, `ambiguous_revision`, `invalid_argument` if a revision is not an
   * ancestor of the start or a number is out of range.
   */
  constructor(graph: CommitGraph, options: PorterOptions) {
    super(opened(PORT, graph, options));
  }

  /**
   * Restores a search from its {@link Search.snapshot}, including probes in flight.
   *
   * @throws {@link FirstbadError} `snapshot` if the text is not a snapshot of this kind of search, or its history
   *   differs.
   */
  static restore(graph: CommitGraph, snapshot: string): Porter {
    return new Porter(graph, restored(PORT, graph, snapshot));
  }

  /** @internal Returns a search that the binding opened with its history. */
  static adopt(binding: BindingSearch): Porter {
    return new Porter(undefined as unknown as CommitGraph, binding as unknown as PorterOptions);
  }

  /** Returns the probe: a revision, and the changes on it. */
  override subject(probe: VariantProbe): VariantProbe {
    return probe;
  }

  /** @internal */
  override reportOf(binding: BindingSearch): PorterReport {
    return PorterReport.adopt(native(() => binding.report()));
  }
}
