/** A good version behind broken ones: iterative delta debugging, to be driven by hand. */

import type { BindingSearch } from "./binding.js";
import { opened, restored } from "./configuration.js";
import { native } from "./errors.js";
import { PORT, type PorterOptions } from "./generated/options.js";
import type { CommitGraph } from "./graph.js";
import { PorterReport } from "./porter-report.js";
import type { VariantProbe } from "./probe.js";
import { Search } from "./search.js";

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
