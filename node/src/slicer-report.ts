/** What a search for the smallest slice of a history answers. */

import { inspect } from "node:util";
import { describeSlice } from "./binding.js";
import { invalid, native } from "./errors.js";
import { SLICER_FIELDS, type SlicerFields } from "./generated/reports.js";
import { text } from "./options.js";
import { Repository } from "./repository.js";
import { type SlicedFrom, sliced } from "./slices.js";
import { readAs, WordedReport } from "./words.js";
import { madeFrom } from "./written.js";

/** What a slice has of one commit, as a patch. */
export interface SlicePatch {
  /** A name for a file, as `git format-patch` gives it: `0001-the-subject.patch`. */
  readonly name: string;
  /** The commit in the history, as a full sha. */
  readonly commit: string;
  /**
   * The full sha of the commit that it makes on top of those before it: author, committer, dates and message are those of
   * `commit`. It is in the repository once {@link SlicerReport.createBranch} made a branch of it.
   */
  readonly made: string;
  /** A patch for `git am`. What is no UTF-8 in it is replaced: write `bytes` into files. */
  readonly text: string;
  /** The same as bytes. */
  readonly bytes: Uint8Array;
}

export interface SlicerReport extends SlicerFields {}

/**
 * The smallest slice of a history that was found, final or the best so far (DEFINER, 2016).
 *
 * @example
 * ```ts
 * const report = await sliceHistory(".", { base: "v1.0", tip: "main", oracle });
 * console.log(report.toText());
 * for (const { name, bytes } of await report.patches()) writeFileSync(name, bytes);
 * ```
 */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the constructor assigns the fields, which are generated
export class SlicerReport extends WordedReport {
  readonly #text: string;
  readonly #from: SlicedFrom | undefined;

  private constructor(text: string, from: SlicedFrom | undefined) {
    const fields = madeFrom(SLICER_FIELDS, text);
    super("slice", text, fields, () => JSON.parse(from?.options ?? "{}"));
    this.#text = text;
    this.#from = from;
  }

  /**
   * A report that was written as JSON: by `toJson`, or with `--json` by the command line, in any language.
   *
   * @throws {@link FirstbadError} `invalid_argument` where the text is no such report.
   */
  static fromJson(text: string): SlicerReport {
    return new SlicerReport(readAs("slice", text), undefined);
  }

  /** @internal A report that the core wrote, and where its history is. */
  static adopt(text: string, from: SlicedFrom | undefined): SlicerReport {
    if (from === undefined || JSON.parse(text).status === "running") return new SlicerReport(text, from);
    const repository = Repository.bindingOf(from.repository);
    return new SlicerReport(
      native(() => describeSlice(text, repository, from.options)),
      from,
    );
  }

  /**
   * The slice as patches for `git am`, oldest first, on top of the base: one for each commit of which it keeps something.
   * Nothing is written into the repository.
   *
   * @throws {@link FirstbadError} `invalid_argument` for the report of a search that was driven by hand, which knows no
   * repository; `not_reproduced` where there is no slice; `git`, `io`.
   */
  async patches(): Promise<SlicePatch[]> {
    const made = await sliced(this.#history(), (slices) => slices.commits(this.#text));
    return made.map(({ patch, ...rest }) => ({ ...rest, text: patch.toString("utf8"), bytes: patch }));
  }

  /**
   * Makes a branch of the slice, on top of the base, and gives the full sha of its newest commit. What is checked out stays
   * so.
   *
   * @throws {@link FirstbadError} `invalid_argument` for a name that no branch can have, or that one has already; and as
   * {@link SlicerReport.patches} does.
   */
  async createBranch(name: string): Promise<string> {
    const called = text("name", name);
    return sliced(this.#history(), (slices) => slices.createBranch(called, this.#text));
  }

  /** Where the history of a slice is. */
  #history(): SlicedFrom {
    if (this.#from === undefined) {
      throw invalid("report", "one of a search by hand", "one of sliceHistory, which knows the repository");
    }
    return this.#from;
  }

  /** @internal */
  [inspect.custom](): string {
    return `SlicerReport(${this.status} after ${this.runs} ${this.runs === 1 ? "run" : "runs"}: ${this.message})`;
  }
}
